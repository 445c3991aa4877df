/* The states S u, where u runs through all products of a few factors X_g: the algorithm of
 * Froidure and Pin (1997), which finds the elements of a monoid of N elements with little
 * more than N products, whatever the number of factors.
 *
 * S is invertible, so S u = S v means u = v.  The word of a state S u is the first of the
 * words for u, shorter ones before longer ones, else in alphabetical order.  Parts of such
 * words are such words.  States are found in the order of their words.  Let b s be the
 * word of u, of first factor b, and s g no word but equal to r, a word that comes before
 * it.  Then
 *
 *     u g = b (s g) = b r = (b r') h        where r' h is the word of r,
 *
 * and both products on the right are in the tables by then: no product is computed.  Only
 * where s g is a word is u g computed and looked up.
 *
 * Labels: l(S) = 1 and l(s g) = l(s) l(g) for words s g.  If l(u g) = l(u) l(g) wherever u g was
 * computed, then it holds everywhere: the others follow from these by the equations
 * above, and so do the labels, since the product of a group is associative. */
#include "monoid_internal.h"

enum {
    MOST_EDGES = 1 << 24,
    MOST_ENTRIES = 1 << 20,
    LOOK_AROUND = 1 << 12, /* states between two looks at the limits */
    FIRST_ROOM = 1 << 13,  /* states that have room at once */
    STATES_BEFORE_PUMP = 1 << 14
};

/* ---- making and clearing ------------------------------------------------------------ */

static void
make_store(monoid *m)
{
    store_init(&m->states, m->s->step.bytes, false, true);
    store_expect(&m->states, m->most < FIRST_ROOM ? m->most : FIRST_ROOM);
}

void
monoid_init(monoid *m, search *s)
{
    const images *im = s->im;
    const uint32_t most = MOST_EDGES / im->nletters;
    *m = (monoid){.s = s, .consistent = true};
    m->most = most < s->max_states ? most : (uint32_t)s->max_states;
    make_store(m);
    m->from = flint_malloc(im->words * sizeof *m->from);
    m->to = flint_malloc(im->words * sizeof *m->to);
    m->packed = flint_malloc(s->step.bytes);
}

void
monoid_clear(monoid *m)
{
    store_clear(&m->states);
    for (uint32_t g = 0; g < m->nfactors; g++) {
        flint_free(m->factor[g].X);
        flint_free(m->right[g]);
        flint_free(m->left[g]);
    }
    flint_free(m->word);
    flint_free(m->label);
    flint_free(m->from);
    flint_free(m->to);
    flint_free(m->packed);
    *m = (monoid){0};
}

static void
reserve(monoid *m, uint32_t room)
{
    m->word = flint_realloc(m->word, room * sizeof *m->word);
    for (uint32_t g = 0; g < m->nfactors; g++) {
        m->right[g] = flint_realloc(m->right[g], room * sizeof *m->right[g]);
        m->left[g] = flint_realloc(m->left[g], room * sizeof *m->left[g]);
    }
    if (m->s->sys->G != NULL)
        m->label = flint_realloc(m->label, room * sizeof *m->label);
    m->room = room;
}

/* ---- states ------------------------------------------------------------------------- */

static uint32_t
find(const monoid *m, const uint8_t *state, uint64_t hash)
{
    const uint32_t local = store_find(&m->states, state, hash);
    if (local == STORE_NONE)
        return STORE_NONE;
    return store_word(store_at(&m->states, store_shard(hash), local) + m->states.number);
}

uint32_t
monoid_find(const monoid *m, const uint8_t *state)
{
    return find(m, state, store_hash(&m->states, state));
}

/* A new state; its word is for the caller to set. */
static uint32_t
add(monoid *m, const uint8_t *state, uint64_t hash)
{
    const uint32_t local = store_add(&m->states, state, hash), k = store_shard(hash);
    if (m->count == m->room)
        reserve(m, 2 * m->room);
    store_set_word(store_at(&m->states, k, local) + m->states.number, m->count);
    m->word[m->count] = (monoid_word){.place = (k << STORE_LOCAL_BITS) | local};
    return m->count++;
}

/* l(u) l(g) */
static uint32_t
label_times(const monoid *m, uint32_t label, uint32_t g)
{
    const ckda_group_struct *G = m->s->sys->G;
    const uint32_t element = m->s->sys->letter_element[m->factor[g].letter];
    return G->table != NULL ? G->table[label * G->order + element]
                            : ckda_group_mul(G, label, element);
}

/* ---- products ----------------------------------------------------------------------- */

/* to = from X, prime by prime. */
static void
times(uint32_t *to, const uint32_t *from, const uint32_t *X, const images *im)
{
    const slong n = im->n;
    for (uint32_t i = 0; i < im->nprimes; i++, to += n * n, from += n * n, X += n * n)
        ckda_modmat_mul(to, from, X, n, n, n, im->mod + i);
}

/* The entry of u and g in the table of right products, by a product; false: too many
 * states. */
static bool
multiply(monoid *m, uint32_t u, uint32_t g)
{
    const stepper *st = &m->s->step;
    const monoid_word *w = m->word + u;
    const uint32_t local = w->place & ((UINT32_C(1) << STORE_LOCAL_BITS) - 1);
    const uint8_t *record = store_at(&m->states, w->place >> STORE_LOCAL_BITS, local);
    times(m->to, stepper_unpack(m->from, st, record), m->factor[g].X, m->s->im);
    stepper_pack(m->packed, st, m->to);
    const uint32_t label = m->label != NULL ? label_times(m, m->label[u], g) : 0;
    const uint64_t hash = store_hash(&m->states, m->packed);
    uint32_t to = find(m, m->packed, hash);
    if (to == STORE_NONE) {
        if (m->count == m->most)
            return false;
        to = add(m, m->packed, hash);
        w = m->word + u; /* it may have moved */
        m->word[to].prefix = u;
        m->word[to].last = (uint8_t)g;
        m->word[to].first = u == 0 ? (uint8_t)g : w->first;
        m->word[to].suffix = u == 0 ? 0 : monoid_right(m, w->suffix, g);
        if (m->label != NULL)
            m->label[to] = label;
    } else if (m->label != NULL && m->label[to] != label) {
        m->consistent = false;
    }
    m->right[g][u] = to;
    return true;
}

/* u g = b r = (b r') h, see above; STORE_NONE where s g is a word. */
static uint32_t
deduce(const monoid *m, uint32_t u, uint32_t g)
{
    const monoid_word *w = m->word + u;
    const uint32_t r = monoid_right(m, w->suffix, g);
    if (r == 0)
        return monoid_right(m, 0, w->first);
    const monoid_word *v = m->word + r;
    if (v->prefix == w->suffix && v->last == g)
        return STORE_NONE;
    return monoid_right(m, m->left[w->first][v->prefix], v->last);
}

static bool
right_products(monoid *m, uint32_t u)
{
    for (uint32_t g = 0; g < m->nfactors; g++) {
        const uint32_t to = u == 0 ? STORE_NONE : deduce(m, u, g);
        if (to == STORE_NONE && !multiply(m, u, g))
            return false;
        if (to != STORE_NONE)
            m->right[g][u] = to;
    }
    return true;
}

/* b u = (b u') h for the word u' h of u */
static void
left_products(monoid *m, uint32_t u)
{
    const monoid_word *w = m->word + u;
    for (uint32_t b = 0; b < m->nfactors; b++)
        m->left[b][u] = u == 0 ? monoid_right(m, 0, b)
                               : monoid_right(m, m->left[b][w->prefix], w->last);
}

/* ---- all states --------------------------------------------------------------------- */

uint64_t
monoid_bytes(const monoid *m)
{
    const uint64_t entry = 2 * sizeof *m->right[0] * m->nfactors;
    const uint64_t label = m->label != NULL ? sizeof *m->label : 0;
    return store_bytes(&m->states) + m->room * (sizeof *m->word + entry + label);
}

bool
monoid_gives_up(monoid *m, uint64_t more_bytes)
{
    const search *s = m->s;
    const run_control *control = s->control;
    ckda_pump pump = {0};
    if ((s->max_bytes != 0 && monoid_bytes(m) + more_bytes > s->max_bytes)
        || (uint64_t)m->count * m->nfactors > MOST_ENTRIES
        || (control->o->stop != NULL && *control->o->stop)
        || (control->deadline > 0 && ckda_wall_seconds() > control->deadline))
        return true;
    if (m->count >> m->pump_round < STATES_BEFORE_PUMP)
        return false;
    const bool infinite = find_pump(&pump, &m->pump_round, m->pump_round + 1, s->im,
                                    s->sys, control->deadline);
    pump_clear(&pump);
    return infinite;
}

/* S alone. */
static void
begin(monoid *m)
{
    if (m->count > 0) {
        store_clear(&m->states);
        make_store(m);
    }
    m->count = 0;
    m->consistent = true;
    reserve(m, m->room == 0 ? FIRST_ROOM : m->room);
    stepper_pack(m->packed, &m->s->step, m->s->im->initial);
    add(m, m->packed, store_hash(&m->states, m->packed));
    if (m->label != NULL)
        m->label[0] = 0;
}

bool
monoid_close(monoid *m)
{
    begin(m);
    for (uint32_t u = 0, v = 0; u < m->count;) {
        const uint32_t end = m->count; /* of the words as long as that of u */
        for (; u < end; u++)
            if ((u % LOOK_AROUND == 0 && monoid_gives_up(m, 0)) || !right_products(m, u))
                return false;
        for (; v < end; v++)
            left_products(m, v);
    }
    return true;
}

bool
monoid_add_factor(monoid *m, uint32_t letter, uint32_t *X)
{
    if (m->nfactors == MONOID_MOST_FACTORS) {
        flint_free(X);
        return false;
    }
    m->factor[m->nfactors++] = (monoid_factor){.letter = letter, .X = X};
    return monoid_close(m);
}
