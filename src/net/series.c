/* Two layers along a normal series: layer 1 tracks G/N, layer 2 tracks N [source: part C,
 * F1].
 *
 * With representatives u(p) of the cosets, every element is u(p) n, n in N, and x u(p) n
 * = u(xp) [u(xp)^-1 x u(p)] n.  Layer 1 tracks p; layer 2 applies the bracket, which lies
 * in N; the output is u(p) n. */
#include "net_internal.h"

enum { LARGEST = 2000 };

/* A construction for the subgroup `in` of G (NULL: all) and the isomorphism from its
 * group, to be freed.  false if no rotation group is isomorphic to it. */
static bool
find_tracker(ckda_construction_t c, uint32_t **map, const ckda_group_t G, const bool *in,
             uint32_t order)
{
    static const char *const kinds[] = {"Z%u", "D%u", "A4", "S4", "A5"};
    *map = flint_malloc(order * sizeof **map);
    for (size_t i = 0; i < COUNT(kinds); i++) {
        char name[32];
        ckda_group_t T;
        const uint32_t number = i == 0 ? order : order / 2;
        if (i < 2)
            snprintf(name, sizeof name, "%c%u", kinds[i][0], number);
        else
            snprintf(name, sizeof name, "%s", kinds[i]);
        if ((i == 1 && order % 2 != 0) || ckda_group_init_named(T, name, NULL) != CKDA_OK)
            continue;
        const bool same = ckda_group_isomorphism(*map, T, G, in, order);
        ckda_group_clear(T);
        if (same && ckda_construct(c, name, NULL, NULL) == CKDA_OK)
            return true;
    }
    flint_free(*map);
    return false;
}

/* ---- layer 1 ---------------------------------------------------------------------- */

/* G/N of order 2: one sign.  states[s]: the element of Q that state s stands for. */
static void
add_parity(ckda_net *net, net_reader *read, uint32_t *states, const uint32_t *coset)
{
    ckda_net_head *head = net_add_head(net, "parity", true, 1, 1, 1, 1, net->Q);
    ckda_mat_set_entry_si(head->initial, 0, 0, 1, net->Q);
    net_lookup *l = net_last_lookup(net);
    l->kind = LOOKUP_LETTER;
    net_lookup_steps(net, l, net->nletters);
    for (uint32_t x = 0; x < net->nletters; x++) {
        ckda_net_step *t = l->step + x;
        ckda_elem_one(t->query, net->Q);
        ckda_elem_set_si(t->beta, coset[net->element[x]] == 0 ? 0 : 2, net->Q);
        const ckda_status st = ckda_net_step_ready(t, net->Q);
        ckda_require(st == CKDA_OK, "the key is 1");
    }
    ckda_mat_struct *o = flint_malloc(2 * sizeof *o);
    for (uint32_t s = 0; s < 2; s++) {
        ckda_mat_init(o + s, 1, 1, net->Q);
        ckda_mat_set_entry_si(o + s, 0, 0, s == 0 ? 1 : -1, net->Q);
        states[s] = s;
    }
    const bool different = net_reader_init(read, false, o, 2, net->Q);
    ckda_require(different, "1 and -1 are different");
}

static net_lookup *
add_tracker(ckda_net *net, const char *name, const ckda_construction_t c, uint32_t nsteps)
{
    ckda_net_head *head = net_add_head(net, name, true, c->n, c->n, c->n, 1, c->K);
    const ckda_status st = ckda_mat_one(head->initial, head->K);
    ckda_require(st == CKDA_OK, "square");
    net_lookup *l = net_last_lookup(net);
    net_lookup_steps(net, l, nsteps);
    for (uint32_t i = 0; i < nsteps; i++)
        net_query_all(l->step + i, head->K);
    return l;
}

/* map: from the elements of c's group to those of Q. */
static void
add_quotient(ckda_net *net, net_reader *read, const uint32_t *coset,
             const ckda_construction_t c, const uint32_t *map)
{
    net_lookup *l = add_tracker(net, "quotient", c, net->nletters);
    l->kind = LOOKUP_LETTER;
    for (uint32_t x = 0; x < net->nletters; x++) {
        uint32_t t = 0;
        while (map[t] != coset[net->element[x]])
            t++;
        net_step_set_trans(l->step + x, c->trans + t, c->K);
    }
    const bool different =
        net_reader_init(read, c->decoder == CKDA_DECODE_F, net_expected(c, c->G->order),
                        c->G->order, c->K);
    ckda_require(different, "two elements have the same matrix");
}

static bool
add_layer_1(ckda_net *net, net_reader *read, uint32_t *states, const ckda_group_t Q,
            const uint32_t *coset)
{
    uint32_t *map;
    ckda_construction_t c;
    if (Q->order == 2) {
        add_parity(net, read, states, coset);
        return true;
    }
    if (!find_tracker(c, &map, Q, NULL, Q->order))
        return false;
    add_quotient(net, read, coset, c, map);
    memcpy(states, map, Q->order * sizeof *states);
    flint_free(map);
    ckda_construct_clear(c);
    return true;
}

/* ---- layer 2 ---------------------------------------------------------------------- */

/* u(s) and which state comes before s when x is read. */
static void
set_cosets(net_lookup *l, const ckda_net *net, const ckda_group_t Q,
           const uint32_t *coset, const uint32_t *states)
{
    const uint32_t count = Q->order;
    uint32_t *state_of = flint_malloc(count * sizeof *state_of);
    l->rep = flint_malloc(count * sizeof *l->rep);
    l->before = flint_malloc(((size_t)net->nletters * count + 1) * sizeof *l->before);
    for (uint32_t s = 0; s < count; s++) {
        state_of[states[s]] = s;
        uint32_t g = 0;
        while (coset[g] != states[s])
            g++;
        l->rep[s] = g;
    }
    for (uint32_t x = 0; x < net->nletters; x++) {
        const uint32_t back = ckda_group_inv(Q, coset[net->element[x]]);
        for (uint32_t s = 0; s < count; s++)
            l->before[(size_t)x * count + s] =
                state_of[ckda_group_mul(Q, back, states[s])];
    }
    flint_free(state_of);
}

/* map: from the elements of c's group to those of N in G. */
static ckda_status
add_layer_2(ckda_net *net, net_reader *read, const uint32_t *states, const ckda_group_t Q,
            const uint32_t *coset, const ckda_construction_t c, const uint32_t *map,
            ckda_error *err)
{
    const uint32_t order = c->G->order;
    net_lookup *l = add_tracker(net, "tracker", c, order);
    l->kind = LOOKUP_COSET;
    l->read = *read;
    *read = (net_reader){0};
    l->part = flint_malloc(order * sizeof *l->part);
    for (uint32_t i = 0; i < order; i++) {
        l->part[i] = map[i];
        net_step_set_trans(l->step + i, c->trans + i, c->K);
    }
    set_cosets(l, net, Q, coset, states);
    net_decoder *d = &net->decoder;
    d->kind = DECODE_COSET;
    d->nrep = Q->order;
    d->rep = flint_malloc(Q->order * sizeof *d->rep);
    memcpy(d->rep, l->rep, Q->order * sizeof *d->rep);
    d->part = flint_malloc(order * sizeof *d->part);
    memcpy(d->part, map, order * sizeof *d->part);
    const bool different = net_reader_init(&d->read, c->decoder == CKDA_DECODE_F,
                                           net_expected(c, order), order, c->K);
    ckda_require(different, "two elements have the same matrix");
    return net_coset_rows(net, l, err);
}

/* One normal subgroup; CKDA_E_DOMAIN if N or G/N is no rotation group. */
static ckda_status
try_subgroup(ckda_net *net, const net_subgroup *N, ckda_error *err)
{
    const uint32_t order = net->G->order;
    uint32_t *map, *coset = flint_malloc(order * sizeof *coset);
    uint32_t *states = flint_malloc(order * sizeof *states);
    ckda_construction_t c;
    ckda_group_t Q;
    net_reader read = {0};
    ckda_status st = CKDA_E_DOMAIN;
    if (find_tracker(c, &map, net->G, N->in, N->order)) {
        st = ckda_group_quotient(Q, coset, net->G, N->in, N->order, err);
        if (st == CKDA_OK) {
            st = CKDA_E_DOMAIN;
            if (add_layer_1(net, &read, states, Q, coset))
                st = add_layer_2(net, &read, states, Q, coset, c, map, err);
            ckda_group_clear(Q);
        }
        flint_free(map);
        ckda_construct_clear(c);
    }
    flint_free(states);
    flint_free(coset);
    return st;
}

ckda_status
net_make_series(ckda_net *net, ckda_error *err)
{
    net_subgroup *list;
    if (net->G->order > LARGEST) {
        ckda_error_set(err, "series: the group has %u elements, at most %d are searched",
                       net->G->order, LARGEST);
        return CKDA_E_UNABLE;
    }
    const uint32_t count = net_normal_subgroups(&list, net->G);
    ckda_status st = CKDA_E_DOMAIN;
    for (uint32_t i = 0; st == CKDA_E_DOMAIN && i < count; i++)
        st = try_subgroup(net, list + i, NULL);
    net_subgroups_clear(list, count);
    if (st == CKDA_E_DOMAIN)
        ckda_error_set(err,
                       "series: %s has no normal subgroup N such that N and the quotient "
                       "are cyclic, dihedral, A4, S4 or A5",
                       net->G->name);
    return st;
}
