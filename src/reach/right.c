/* Closures with many letters: most edges follow from a few by associativity.
 *
 * Modulo the primes let S be the initial state, square and invertible, T_x the letters, and
 * X_x = S^-1 T_x S.  Then T_x S = S X_x: a state is S times a product of X's, and a
 * product of a state with an X is a state again.  A few letters g are chosen (`chosen`)
 * whose X_g lead from S to every S X_x, hence to all states.  Each state but the first is
 * s X_g for a state s found before it, and
 *
 *     T_x (s X_g) = (T_x s) X_g,
 *
 * so the edges of s X_g are the edges of s, followed by the table of X_g.  Products are
 * computed for the edges of S and for the tables: (letters + chosen states) of them.
 *
 * Labels likewise: let l(S) = 1 and l(s X_g) = l(s) g for the first product that finds a
 * state.  If l(T_x S) = x for all letters, and l(s X_g) = l(s) g for all states and chosen
 * letters, then l(T_x s X_g) = l(T_x s) g = x l(s) g = x l(s X_g) for all edges, by
 * induction: the decoder is consistent, and l is what it reads.  Otherwise labels are
 * compared edge by edge.
 *
 * What comes out are the edges on images that batch.c computes one by one.  Numbers,
 * levels and the first inconsistent edge are found by a walk over them in the same order,
 * and the certificate is the same (docs/math.md, closure modulo a prime).
 *
 * Whatever does not fit (offsets, limits, a table that would be large) is left to batch.c,
 * before anything was written. */
#include "search_internal.h"

enum {
    LEAST_LETTERS = 12,
    MOST_CHOSEN = 16,
    MOST_EDGES = 1 << 24,
    MOST_PRODUCTS = 1 << 20,
    LOOK_AROUND = 1 << 12, /* products between two looks at the limits */
    STATES_BEFORE_PUMP = 1 << 14
};

typedef struct {
    uint32_t letter, done; /* done: states whose product is in the table */
    uint32_t *X;           /* prime by prime */
    uint32_t *table;       /* the number of s X, by the number of s */
} right_factor;

/* Numbers are those in which the products were found, until the walk. */
typedef struct {
    search *s;
    store states;
    uint32_t count, room, most;
    uint32_t *place;  /* where the record of a state stands */
    uint32_t *before; /* the state that it is a product of */
    uint8_t *by;      /* and the factor */
    uint32_t *label;  /* l, or NULL */
    bool consistent;
    uint32_t *inverse;          /* of S */
    uint32_t *edge;             /* [state][letter] */
    uint32_t *from, *to, *root; /* room for a state; the edges of S */
    uint8_t *packed;
    uint32_t pump_round, nchosen;
    right_factor chosen[MOST_CHOSEN];
} right_closure;

/* ---- making and clearing ------------------------------------------------------------ */

static bool
invert(uint32_t *to, const uint32_t *from, slong n, uint32_t p)
{
    nmod_mat_t A;
    nmod_mat_init(A, n, n, p);
    for (slong i = 0; i < n * n; i++)
        nmod_mat_entry(A, i / n, i % n) = from[i];
    const bool regular = nmod_mat_inv(A, A) != 0;
    for (slong i = 0; regular && i < n * n; i++)
        to[i] = (uint32_t)nmod_mat_entry(A, i / n, i % n);
    nmod_mat_clear(A);
    return regular;
}

/* S^-1 modulo all primes; false unless S has one. */
static bool
invert_initial(right_closure *c)
{
    const images *im = c->s->im;
    const size_t nn = (size_t)(im->n * im->n);
    for (uint32_t i = 0; i < im->nprimes; i++)
        if (!invert(c->inverse + i * nn, im->initial + i * nn, im->n, im->mod[i].p))
            return false;
    return true;
}

static void
closure_init(right_closure *c, search *s)
{
    const images *im = s->im;
    const uint32_t most = MOST_EDGES / im->nletters;
    *c = (right_closure){.s = s, .consistent = true};
    c->most = most < s->max_states ? most : (uint32_t)s->max_states;
    store_init(&c->states, s->step.bytes, false, true);
    c->inverse = flint_malloc(im->words * sizeof *c->inverse);
    c->from = flint_malloc(im->words * sizeof *c->from);
    c->to = flint_malloc(im->words * sizeof *c->to);
    c->packed = flint_malloc(s->step.bytes);
    c->root = flint_malloc(im->nletters * sizeof *c->root);
}

static void
closure_clear(right_closure *c)
{
    store_clear(&c->states);
    for (uint32_t g = 0; g < c->nchosen; g++) {
        flint_free(c->chosen[g].X);
        flint_free(c->chosen[g].table);
    }
    flint_free(c->place);
    flint_free(c->before);
    flint_free(c->by);
    flint_free(c->label);
    flint_free(c->inverse);
    flint_free(c->edge);
    flint_free(c->from);
    flint_free(c->to);
    flint_free(c->packed);
    flint_free(c->root);
}

/* ---- the states --------------------------------------------------------------------- */

static void
grow(right_closure *c)
{
    c->room = c->room == 0 ? 256 : 2 * c->room;
    c->place = flint_realloc(c->place, c->room * sizeof *c->place);
    c->before = flint_realloc(c->before, c->room * sizeof *c->before);
    c->by = flint_realloc(c->by, c->room);
    if (c->s->sys->G != NULL)
        c->label = flint_realloc(c->label, c->room * sizeof *c->label);
    for (uint32_t g = 0; g < c->nchosen; g++)
        c->chosen[g].table =
            flint_realloc(c->chosen[g].table, c->room * sizeof *c->chosen[g].table);
}

/* The number of a state, or STORE_NONE. */
static uint32_t
number_of(const right_closure *c, const uint8_t *state, uint64_t hash)
{
    const uint32_t local = store_find(&c->states, state, hash);
    if (local == STORE_NONE)
        return STORE_NONE;
    return store_word(store_at(&c->states, store_shard(hash), local) + c->states.number);
}

/* l(s) g */
static uint32_t
label_times(const right_closure *c, uint32_t label, uint32_t g)
{
    const ckda_group_struct *G = c->s->sys->G;
    const uint32_t element = c->s->sys->letter_element[c->chosen[g].letter];
    return G->table != NULL ? G->table[label * G->order + element]
                            : ckda_group_mul(G, label, element);
}

/* A new state: the product of state number `before` with the factor `by`. */
static uint32_t
add(right_closure *c, const uint8_t *state, uint64_t hash, uint32_t before, uint32_t by)
{
    const uint32_t local = store_add(&c->states, state, hash), k = store_shard(hash);
    if (c->count == c->room)
        grow(c);
    store_set_word(store_at(&c->states, k, local) + c->states.number, c->count);
    c->place[c->count] = (k << STORE_LOCAL_BITS) | local;
    c->before[c->count] = before;
    c->by[c->count] = (uint8_t)by;
    return c->count++;
}

/* to = from X, prime by prime. */
static void
times(uint32_t *to, const uint32_t *from, const uint32_t *X, const images *im)
{
    const slong n = im->n;
    for (uint32_t i = 0; i < im->nprimes; i++, to += n * n, from += n * n, X += n * n)
        ckda_modmat_mul(to, from, X, n, n, n, im->mod + i);
}

/* The product of state number i with a chosen factor; false: too many states. */
static bool
multiply(right_closure *c, uint32_t i, uint32_t g)
{
    const stepper *st = &c->s->step;
    const uint32_t local = c->place[i] & ((UINT32_C(1) << STORE_LOCAL_BITS) - 1);
    const uint8_t *record = store_at(&c->states, c->place[i] >> STORE_LOCAL_BITS, local);
    times(c->to, stepper_unpack(c->from, st, record), c->chosen[g].X, c->s->im);
    stepper_pack(c->packed, st, c->to);
    const uint64_t hash = store_hash(&c->states, c->packed);
    uint32_t to = number_of(c, c->packed, hash);
    if (to == STORE_NONE) {
        if (c->count == c->most)
            return false;
        to = add(c, c->packed, hash, i, g);
        if (c->label != NULL)
            c->label[to] = label_times(c, c->label[i], g);
    } else if (c->label != NULL && c->label[to] != label_times(c, c->label[i], g)) {
        c->consistent = false;
    }
    c->chosen[g].table[i] = to;
    return true;
}

/* Bytes held, with the edges that would be written for so many states. */
static uint64_t
bytes_of(const right_closure *c)
{
    const search *s = c->s;
    const uint64_t edge = sizeof *c->edge;
    return store_bytes(&c->states) + c->room * (2 * edge + 1 + c->nchosen * edge)
           + c->count * (s->im->nletters + UINT64_C(3)) * edge
           + search_bytes(s, c->count);
}

/* Is it time to leave the search to batch.c? */
static bool
give_up(right_closure *c)
{
    const search *s = c->s;
    const run_control *control = s->control;
    ckda_pump pump = {0};
    if ((s->max_bytes != 0 && bytes_of(c) > s->max_bytes)
        || (uint64_t)c->count * c->nchosen > MOST_PRODUCTS
        || (control->o->stop != NULL && *control->o->stop)
        || (control->deadline > 0 && ckda_wall_seconds() > control->deadline))
        return true;
    if (c->count >> c->pump_round < STATES_BEFORE_PUMP)
        return false;
    const bool infinite = find_pump(&pump, &c->pump_round, c->pump_round + 1, s->im,
                                    s->sys, control->deadline);
    pump_clear(&pump);
    return infinite;
}

/* All products of the states with the chosen factors. */
static bool
close_states(right_closure *c)
{
    for (bool more = true; more;) {
        more = false;
        for (uint32_t g = 0; g < c->nchosen; g++)
            while (c->chosen[g].done < c->count) {
                if (c->chosen[g].done % LOOK_AROUND == 0 && give_up(c))
                    return false;
                if (!multiply(c, c->chosen[g].done, g))
                    return false;
                c->chosen[g].done++;
                more = true;
            }
    }
    return true;
}

/* X_x is one of the factors from now on. */
static bool
choose(right_closure *c, uint32_t x)
{
    const images *im = c->s->im;
    const size_t nn = (size_t)(im->n * im->n);
    if (c->nchosen == MOST_CHOSEN)
        return false;
    right_factor *f = c->chosen + c->nchosen++;
    *f = (right_factor){.letter = x};
    f->X = flint_malloc(im->words * sizeof *f->X);
    f->table = flint_malloc(c->room * sizeof *f->table);
    images_step(c->to, im, x, im->initial);
    for (uint32_t i = 0; i < im->nprimes; i++)
        ckda_modmat_mul(f->X + i * nn, c->inverse + i * nn, c->to + i * nn, im->n, im->n,
                        im->n, im->mod + i);
    return true;
}

/* The edges of S; every letter that leads out of the states so far is chosen. */
static bool
find_states(right_closure *c)
{
    const search *s = c->s;
    stepper_pack(c->packed, &s->step, s->im->initial);
    add(c, c->packed, store_hash(&c->states, c->packed), 0, 0);
    if (c->label != NULL)
        c->label[0] = 0;
    for (uint32_t x = 0; x < s->im->nletters; x++) {
        images_step(c->to, s->im, x, s->im->initial);
        stepper_pack(c->packed, &s->step, c->to);
        c->root[x] = number_of(c, c->packed, store_hash(&c->states, c->packed));
        if (c->root[x] == STORE_NONE) {
            if (!choose(c, x) || !close_states(c))
                return false;
            c->root[x] = c->chosen[c->nchosen - 1].table[0]; /* S X_x = T_x S */
        }
        if (c->label != NULL && c->label[c->root[x]] != search_product(s, x, 0))
            c->consistent = false;
    }
    return !give_up(c);
}

/* ---- the edges ---------------------------------------------------------------------- */

static void
find_edges(right_closure *c)
{
    const uint32_t letters = c->s->im->nletters;
    c->edge = flint_malloc((size_t)c->count * letters * sizeof *c->edge);
    memcpy(c->edge, c->root, letters * sizeof *c->edge);
    for (uint32_t i = 1; i < c->count; i++) {
        const uint32_t *before = c->edge + (size_t)c->before[i] * letters;
        const uint32_t *table = c->chosen[c->by[i]].table;
        uint32_t *edge = c->edge + (size_t)i * letters;
        for (uint32_t x = 0; x < letters; x++)
            edge[x] = table[before[x]];
    }
}

/* ---- the walk ----------------------------------------------------------------------- */

typedef struct {
    uint32_t *number, *order; /* in breadth-first order, and back */
    uint32_t *want;           /* [letter]: the labels that the edges of a state ask for */
    bool compares;            /* labels are compared edge by edge */
} walk;

/* The edge from state i with letter x finds state number s->count. */
static void
discover(walk *w, search *s, uint32_t i, uint32_t x, uint32_t to)
{
    const uint32_t at = s->count++;
    w->number[to] = at;
    w->order[at] = to;
    if (w->compares)
        s->label[at] = w->want[x];
    if (s->next != NULL) {
        s->parent[at] = i;
        s->via[at] = x;
    }
}

static void
compare(const walk *w, search *s, uint32_t i, uint32_t x, uint32_t to)
{
    if (s->label[to] == w->want[x] || !s->consistent)
        return;
    s->consistent = false;
    s->bad_state = i;
    s->bad_letter = x;
    s->bad_want = w->want[x];
    s->bad_got = s->label[to];
}

static void
walk_state(walk *w, search *s, const right_closure *c, uint32_t i)
{
    const uint32_t letters = s->im->nletters;
    const uint32_t *edge = c->edge + (size_t)w->order[i] * letters;
    for (uint32_t x = 0; w->compares && x < letters; x++)
        w->want[x] = search_product(s, x, s->label[i]);
    for (uint32_t x = 0; s->count < c->count && x < letters; x++)
        if (w->number[edge[x]] == STORE_NONE)
            discover(w, s, i, x, edge[x]);
    for (uint32_t x = 0; w->compares && x < letters; x++)
        compare(w, s, i, x, w->number[edge[x]]);
    for (uint32_t x = 0; s->next != NULL && x < letters; x++)
        s->next[(size_t)i * letters + x] = w->number[edge[x]];
}

/* From state 0; ends early when what is left would show nothing new. */
static void
walk_states(walk *w, search *s, const right_closure *c)
{
    const bool all = w->compares || s->next != NULL;
    discover(w, s, 0, 0, 0);
    s->level_end = 1;
    search_push_level(s, 1);
    for (uint32_t i = 0; i < c->count && (all || s->count < c->count); i++) {
        if (i == s->level_end) {
            search_push_level(s, s->count - s->level_end);
            s->level_end = s->count;
        }
        walk_state(w, s, c, i);
    }
    search_push_level(s, s->count - s->level_end);
    s->level_end = s->count;
}

/* Numbers, levels and labels as batch.c gives them. */
static void
walk_edges(right_closure *c)
{
    search *s = c->s;
    const size_t size = c->count * sizeof *s->label;
    walk w = {.number = flint_malloc(size), .order = flint_malloc(size)};
    w.want = flint_calloc(s->im->nletters, sizeof *w.want);
    w.compares = s->sys->G != NULL && !c->consistent;
    memset(w.number, 0xff, size);
    search_reserve(s, c->count);
    if (s->sys->G != NULL)
        s->label = flint_calloc(c->count, sizeof *s->label);
    walk_states(&w, s, c);
    for (uint32_t i = 0; s->label != NULL && !w.compares && i < s->count; i++)
        s->label[i] = c->label[w.order[i]];
    s->edges = (uint64_t)s->count * s->im->nletters;
    flint_free(w.number);
    flint_free(w.order);
    flint_free(w.want);
}

bool
search_by_right_products(search *s)
{
    const images *im = s->im;
    if (im->nletters < LEAST_LETTERS || im->offset != NULL || im->n != im->m
        || s->ranks > 1 || s->max_states == 0
        || (s->control->o->flags & CKDA_REACH_EVERY_PRODUCT) != 0)
        return false;
    right_closure c;
    closure_init(&c, s);
    const bool closed = invert_initial(&c) && find_states(&c);
    if (closed) {
        s->most_bytes = bytes_of(&c);
        find_edges(&c);
        walk_edges(&c);
    }
    closure_clear(&c);
    return closed;
}
