/* Layers along a subnormal series G = N_0 > N_1 > ... > N_n = 1 with factors inside SO(3),
 * one a factor [source: part C, F1].
 *
 * Let u run over representatives of the cosets of N_i in G, each a product of one
 * representative for each factor so far; that is what layers 1 to i know.  For every letter,
 * x u' n = u [u^-1 x u'] n where u and u' stand for the cosets after and before x.  The
 * bracket lies in N_i, and layer i + 1 applies it modulo N_(i+1).  Behind the last layer the
 * bracket is the element of N_(n-1) itself, and the output is u times it.  Layer 1 has one
 * coset only and so is told the letter. */
#include "net_internal.h"

enum { LARGEST = 2000 };

/* ---- layers ----------------------------------------------------------------------- */

/* What the layers so far know. */
typedef struct {
    uint32_t count;  /* cosets of the subgroup that is left over */
    uint32_t *rep;   /* an element of each */
    net_reader read; /* of the last layer's outputs */
} walk;

/* Marks of a subgroup as a list, 1 first; NULL: the trivial one. */
static uint32_t *
list_of(const bool *in, uint32_t count, const ckda_group_t G)
{
    uint32_t *list = flint_calloc(count, sizeof *list), n = 0;
    for (uint32_t g = 0; in != NULL && g < G->order; g++)
        if (in[g])
            list[n++] = g;
    return list;
}

static net_lookup *
add_tracker(ckda_net *net, const net_factor *f, uint32_t nsteps)
{
    const ckda_construction_struct *c = f->c;
    const char *name = c->G->order == 2   ? "parity"
                       : f->below == NULL ? "tracker"
                                          : "quotient";
    ckda_net_head *head = net_add_head(net, name, true, c->n, c->n, c->n, 1, c->K);
    const ckda_status st = ckda_mat_one(head->initial, head->K);
    ckda_require(st == CKDA_OK, "square");
    net_lookup *l = net_last_lookup(net);
    net_lookup_steps(net, l, nsteps);
    for (uint32_t i = 0; i < nsteps; i++)
        net_query_all(l->step + i, head->K);
    return l;
}

/* The elements of the steps, one for each element of the factor. */
static void
set_parts(net_lookup *l, const net_factor *f, const ckda_group_t G)
{
    const uint32_t order = f->c->G->order;
    l->part = flint_malloc(order * sizeof *l->part);
    memcpy(l->part, f->element, order * sizeof *l->part);
    l->nkernel = f->order_below;
    l->kernel = list_of(f->below, f->order_below, G);
}

/* A step for each letter. */
static void
add_first(ckda_net *net, const net_factor *f)
{
    const ckda_construction_struct *c = f->c;
    uint32_t *step_of = flint_malloc(net->G->order * sizeof *step_of);
    net_lookup all = {.nsteps = c->G->order};
    set_parts(&all, f, net->G);
    const ckda_status st = net_coset_steps(step_of, net, &all, NULL);
    ckda_require(st == CKDA_OK, "cosets of a subgroup that is none");
    net_lookup *l = add_tracker(net, f, net->nletters);
    l->kind = LOOKUP_LETTER;
    for (uint32_t x = 0; x < net->nletters; x++)
        net_step_set_trans(l->step + x, c->trans + step_of[net->element[x]], c->K);
    flint_free(all.part);
    flint_free(all.kernel);
    flint_free(step_of);
}

/* Which coset comes before each when x is read: x^-1 times it. */
static void
set_before(net_lookup *l, const ckda_net *net, const net_factor *f)
{
    const ckda_group_struct *G = net->G;
    uint32_t *state_of = flint_malloc(G->order * sizeof *state_of);
    uint32_t *left = list_of(f->above, f->order_above, G);
    for (uint32_t s = 0; s < l->nrep; s++)
        for (uint32_t j = 0; j < f->order_above; j++)
            state_of[ckda_group_mul(G, l->rep[s], left[j])] = s;
    l->before = flint_malloc(((size_t)net->nletters * l->nrep + 1) * sizeof *l->before);
    for (uint32_t x = 0; x < net->nletters; x++) {
        const uint32_t back = ckda_group_inv(G, net->element[x]);
        for (uint32_t s = 0; s < l->nrep; s++)
            l->before[(size_t)x * l->nrep + s] =
                state_of[ckda_group_mul(G, back, l->rep[s])];
    }
    flint_free(left);
    flint_free(state_of);
}

/* A step for each element of the factor; it takes w's reader and a copy of w's cosets. */
static void
add_next(ckda_net *net, walk *w, const net_factor *f)
{
    const ckda_construction_struct *c = f->c;
    net_lookup *l = add_tracker(net, f, c->G->order);
    l->kind = LOOKUP_COSET;
    l->read = w->read;
    w->read = (net_reader){0};
    for (uint32_t i = 0; i < c->G->order; i++)
        net_step_set_trans(l->step + i, c->trans + i, c->K);
    set_parts(l, f, net->G);
    l->nrep = w->count;
    l->rep = flint_malloc(w->count * sizeof *l->rep);
    memcpy(l->rep, w->rep, w->count * sizeof *l->rep);
    set_before(l, net, f);
    const ckda_status st = net_coset_rows(net, l, NULL);
    ckda_require(st == CKDA_OK, "a subgroup that is not normal in the one before");
}

/* After a layer: its elements behind the cosets so far, and how its outputs are read. */
static void
go_on(walk *w, const net_factor *f, const ckda_group_t G)
{
    const ckda_construction_struct *c = f->c;
    const uint32_t order = c->G->order;
    uint32_t *rep = flint_malloc((size_t)w->count * order * sizeof *rep);
    for (uint32_t s = 0; s < w->count; s++)
        for (uint32_t t = 0; t < order; t++)
            rep[s * order + t] = ckda_group_mul(G, w->rep[s], f->element[t]);
    flint_free(w->rep);
    w->rep = rep;
    w->count *= order;
    const bool different = net_reader_init(&w->read, c->decoder == CKDA_DECODE_F,
                                           net_expected(c, order), order, c->K);
    ckda_require(different, "two elements have the same matrix");
}

static void
set_decoder(net_decoder *d, walk *w, const net_factor *last)
{
    const uint32_t order = last->c->G->order;
    const bool different =
        net_reader_init(&d->read, last->c->decoder == CKDA_DECODE_F,
                        net_expected(last->c, order), order, last->c->K);
    ckda_require(different, "two elements have the same matrix");
    d->kind = DECODE_COSET;
    d->nrep = w->count;
    d->rep = w->rep; /* its last owner */
    d->part = flint_malloc(order * sizeof *d->part);
    memcpy(d->part, last->element, order * sizeof *d->part);
}

/* Steps are missing nowhere, since each subgroup is normal in the one before. */
static void
build(ckda_net *net, const net_factor *f, uint32_t n)
{
    walk w = {.count = 1, .rep = flint_calloc(1, sizeof *w.rep)};
    add_first(net, f);
    for (uint32_t i = 1; i < n; i++) {
        go_on(&w, f + i - 1, net->G);
        add_next(net, &w, f + i);
    }
    set_decoder(&net->decoder, &w, f + n - 1);
}

ckda_status
net_make_chain(ckda_net *net, const bool *const *chain, uint32_t count, ckda_error *err)
{
    net_factor *f;
    if (count >= NET_MAX_LAYERS) {
        ckda_error_set(err, "series: %u factors, networks have at most %d layers",
                       count + 1, NET_MAX_LAYERS);
        return CKDA_E_UNABLE;
    }
    ckda_status st = net_factors_init(&f, net->G, chain, count, err);
    if (st != CKDA_OK)
        return st;
    const uint64_t last = net->G->order / f[count].order_above;
    if (last * net->nletters > NET_MAX_ENTRIES) {
        ckda_error_set(err,
                       "series: the last layer asks for %u letters times %u cosets, at "
                       "most %d pairs are listed",
                       net->nletters, (unsigned)last, NET_MAX_ENTRIES);
        st = CKDA_E_UNABLE;
    } else {
        build(net, f, count + 1);
    }
    net_factors_clear(f, count + 1);
    return st;
}

/* ---- two factors ------------------------------------------------------------------- */

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
    for (uint32_t i = 0; st != CKDA_OK && i < count; i++) {
        const bool *chain = list[i].in;
        st = net_make_chain(net, &chain, 1, NULL);
    }
    net_subgroups_clear(list, count);
    if (st != CKDA_OK)
        ckda_error_set(err,
                       "series: %s has no normal subgroup N such that N and the quotient "
                       "are cyclic, dihedral, A4, S4 or A5",
                       net->G->name);
    return st == CKDA_OK ? CKDA_OK : CKDA_E_DOMAIN;
}
