/* The small trackers of A_5 and S_5 [source: part D, C1]: signs, then dimension 3.
 *
 * Only 52 of the 60 rotations of the icosahedron are one transition in dimension 3.  A
 * sign q in layer 1 chooses between two representatives C(q) of the same element of N =
 * A_5, such that for every letter either keeping or flipping q leaves a rotation among
 * the 52.  For S_5 a second sign p is the parity: u(p, q) = tau^p C(p, q). */
#include "net_internal.h"

typedef struct {
    const ckda_group_struct *G;
    uint32_t order; /* of N: 60 */
    uint32_t signs; /* 1 or 2 */
    bool *in;       /* N */
    bool *single;   /* elements of N that are one transition */
    uint32_t *part; /* those elements, and their steps' numbers in the construction */
    uint32_t nparts, *index;
    uint32_t rep[4]; /* u(s), s = p + 2 q, or s = q with one sign */
} machine;

/* s' for state s: parity of the letter added to p, f to q. */
static uint32_t
next_state(const machine *m, uint32_t s, uint32_t odd, uint32_t flip)
{
    return m->signs == 1 ? s ^ flip : s ^ (odd | flip << 1);
}

static uint32_t
is_odd(const machine *m, uint32_t g)
{
    return !m->in[g];
}

/* Does the letter g work with this choice, from every state? */
static bool
works(const machine *m, uint32_t g, uint32_t flip)
{
    for (uint32_t s = 0; s < 1u << m->signs; s++) {
        const uint32_t to = next_state(m, s, is_odd(m, g), flip);
        const uint32_t n = ckda_group_mul(m->G, ckda_group_inv(m->G, m->rep[to]),
                                          ckda_group_mul(m->G, g, m->rep[s]));
        if (!m->single[n])
            return false;
    }
    return true;
}

/* How many elements of G keep q; -1 if some work neither way. */
static int
kept(const machine *m)
{
    int keep = 0;
    for (uint32_t g = 0; g < m->G->order; g++) {
        const bool k = works(m, g, 0);
        if (!k && !works(m, g, 1))
            return -1;
        keep += k;
    }
    return keep;
}

/* The first choice of representatives that keeps q most often; false if there is none.
 * Two signs: C(0,1) = C(1,1) = c and C(1,0) = d. */
static bool
choose(machine *m, uint32_t tau)
{
    int best = -1;
    machine t = *m;
    for (uint32_t c = 0; c < m->G->order; c++) {
        if (!m->in[c])
            continue;
        for (uint32_t d = 0; d < (m->signs == 1 ? 1 : m->G->order); d++) {
            if (!m->in[d])
                continue;
            t.rep[0] = 0;
            if (m->signs == 1) {
                t.rep[1] = c;
            } else {
                t.rep[1] = ckda_group_mul(m->G, tau, d);
                t.rep[2] = c;
                t.rep[3] = ckda_group_mul(m->G, tau, c);
            }
            const int keep = kept(&t);
            if (keep > best) {
                best = keep;
                memcpy(m->rep, t.rep, sizeof m->rep);
            }
        }
    }
    return best >= 0;
}

/* An element of order 2 outside N that moves as few points as possible. */
static uint32_t
find_tau(const machine *m)
{
    uint32_t tau = 0;
    for (uint32_t g = 0; g < m->G->order; g++)
        if (!m->in[g] && ckda_group_mul(m->G, g, g) == 0
            && (tau == 0
                || ckda_perm_cycles(&m->G->element[g])
                       > ckda_perm_cycles(&m->G->element[tau])))
            tau = g;
    return tau;
}

/* ---- the network ------------------------------------------------------------------ */

static void
add_signs(ckda_net *net, const machine *m, net_reader *read)
{
    const slong n = m->signs;
    ckda_net_head *head = net_add_head(net, "signs", true, n, 1, 1, 1, net->Q);
    for (slong i = 0; i < n; i++)
        ckda_mat_set_entry_si(head->initial, i, 0, 1, net->Q);
    net_lookup *l = net_last_lookup(net);
    l->kind = LOOKUP_LETTER;
    net_lookup_steps(net, l, net->nletters);
    for (uint32_t x = 0; x < net->nletters; x++) {
        const uint32_t odd = is_odd(m, net->element[x]);
        const uint32_t flip = !works(m, net->element[x], 0);
        if (n == 2)
            ckda_elem_set_si(l->step[x].gate, odd ? -1 : 1, net->Q);
        ckda_elem_set_si(l->step[x].gate + n - 1, flip ? -1 : 1, net->Q);
        for (slong i = 0; i < n; i++)
            ckda_elem_set_si(l->step[x].query + i, i + 1, net->Q);
    }
    /* the outputs +-1 or +-1 +- 2 */
    const uint32_t states = 1u << n;
    ckda_mat_struct *o = flint_malloc(states * sizeof *o);
    for (uint32_t s = 0; s < states; s++) {
        slong value = 0;
        for (slong i = 0; i < n; i++)
            value += s >> i & 1 ? -(i + 1) : i + 1;
        ckda_mat_init(o + s, 1, 1, net->Q);
        ckda_mat_set_entry_si(o + s, 0, 0, value, net->Q);
    }
    const bool different = net_reader_init(read, false, o, states, net->Q);
    ckda_require(different, "sums of different signs are different");
}

static void
set_before(net_lookup *l, const ckda_net *net, const machine *m)
{
    const uint32_t states = 1u << m->signs;
    l->before = flint_malloc(((size_t)net->nletters * states + 1) * sizeof *l->before);
    for (uint32_t x = 0; x < net->nletters; x++) {
        const uint32_t g = net->element[x], flip = !works(m, g, 0);
        for (uint32_t s = 0; s < states; s++) /* signs change back as they changed */
            l->before[(size_t)x * states + s] = next_state(m, s, is_odd(m, g), flip);
    }
}

/* Steps for the rotations that are one transition; map: from c's elements to G's. */
static ckda_status
add_rotations(ckda_net *net, const machine *m, net_reader *read,
              const ckda_construction_t c, const uint32_t *map, ckda_error *err)
{
    ckda_net_head *head = net_add_head(net, "tracker", true, 3, 3, 3, 1, c->K);
    ckda_status st = ckda_mat_one(head->initial, head->K);
    net_lookup *l = net_last_lookup(net);
    l->kind = LOOKUP_COSET;
    l->read = *read;
    net_lookup_steps(net, l, m->nparts);
    l->part = flint_malloc(m->nparts * sizeof *l->part);
    memcpy(l->part, m->part, m->nparts * sizeof *l->part);
    for (uint32_t i = 0; st == CKDA_OK && i < m->nparts; i++) {
        int signs[3];
        ckda_net_step *t = l->step + i;
        const slong ways =
            ckda_signed_householder(signs, t->key, c->rotation + m->index[i], c->K);
        ckda_require(ways > 0, "a rotation that was one transition is none");
        ckda_elem_set_si(t->beta, 2, c->K);
        for (slong j = 0; j < 3; j++)
            ckda_elem_set_si(t->gate + j, signs[j], c->K);
        net_query_all(t, c->K);
        st = ckda_net_step_ready(t, c->K);
    }
    l->kernel = flint_calloc(1, sizeof *l->kernel);
    l->nkernel = 1;
    l->nrep = 1u << m->signs;
    l->rep = flint_malloc(4 * sizeof *l->rep);
    memcpy(l->rep, m->rep, 4 * sizeof *l->rep);
    set_before(l, net, m);
    net_decoder *d = &net->decoder;
    d->kind = DECODE_COSET;
    d->nrep = 1u << m->signs;
    d->rep = flint_malloc(4 * sizeof *d->rep);
    memcpy(d->rep, m->rep, 4 * sizeof *d->rep);
    d->part = flint_malloc(m->order * sizeof *d->part);
    memcpy(d->part, map, m->order * sizeof *d->part);
    ckda_mat_struct *o = flint_malloc(m->order * sizeof *o);
    for (uint32_t i = 0; i < m->order; i++) {
        ckda_mat_init_set(o + i, c->rotation + i, c->K);
        if (st == CKDA_OK)
            st = ckda_mat_transpose(o + i, o + i, c->K);
    }
    const bool different = net_reader_init(&d->read, false, o, m->order, c->K);
    ckda_require(different, "different rotations");
    return st == CKDA_OK ? net_coset_rows(net, l, err) : st;
}

static ckda_status
build(ckda_net *net, machine *m, const ckda_construction_t c, const uint32_t *map,
      ckda_error *err)
{
    for (uint32_t i = 0; i < m->order; i++) {
        if (ckda_signed_householder(NULL, NULL, c->rotation + i, c->K) == 0)
            continue;
        m->single[map[i]] = true;
        m->part[m->nparts] = map[i];
        m->index[m->nparts++] = i;
    }
    if (!choose(m, m->signs == 2 ? find_tau(m) : 0)) {
        ckda_error_set(err, "small: no choice of representatives works");
        return CKDA_E_DOMAIN;
    }
    net_reader read;
    add_signs(net, m, &read);
    return add_rotations(net, m, &read, c, map, err);
}

/* N = G or the subgroup of index 2 that is isomorphic to A_5. */
static bool
find_a5(machine *m, uint32_t *map, const ckda_construction_t c)
{
    const ckda_group_struct *G = m->G;
    for (uint32_t g = 0; g < G->order; g++)
        m->in[g] = true;
    m->signs = 1;
    if (ckda_group_isomorphism(map, c->G, G, NULL, G->order))
        return true;
    if (G->order != 120)
        return false;
    net_subgroup *list;
    const uint32_t count = net_normal_subgroups(&list, G);
    bool found = false;
    for (uint32_t i = 0; !found && i < count; i++) {
        found = ckda_group_isomorphism(map, c->G, G, list[i].in, list[i].order);
        if (found)
            memcpy(m->in, list[i].in, G->order * sizeof *m->in);
    }
    net_subgroups_clear(list, count);
    m->signs = 2;
    return found && find_tau(m) != 0;
}

ckda_status
net_make_small(ckda_net *net, ckda_error *err)
{
    ckda_construction_t c;
    const uint32_t order = net->G->order;
    ckda_status st = CKDA_E_DOMAIN;
    if (order == 60 || order == 120) {
        st = ckda_construct(c, "A5", "quaternion", err);
        if (st != CKDA_OK)
            return st;
        machine m = {.G = net->G,
                     .order = 60,
                     .in = flint_calloc(order, sizeof(bool)),
                     .single = flint_calloc(order, sizeof(bool)),
                     .part = flint_malloc(60 * sizeof(uint32_t)),
                     .index = flint_malloc(60 * sizeof(uint32_t))};
        uint32_t map[60];
        st = CKDA_E_DOMAIN;
        const bool found = find_a5(&m, map, c);
        if (found)
            st = build(net, &m, c, map, err);
        flint_free(m.in);
        flint_free(m.single);
        flint_free(m.part);
        flint_free(m.index);
        ckda_construct_clear(c);
        if (found)
            return st;
    }
    ckda_error_set(err,
                   "small: %s is neither A5 nor an extension of it by an element of "
                   "order 2",
                   net->G->name);
    return st;
}
