/* Which method for which automaton. */
#include "net_internal.h"

static const char *const method_name[] = {
    [CKDA_NET_AUTO] = "two-layer", [CKDA_NET_THREE] = "three-layer",
    [CKDA_NET_SERIES] = "series",  [CKDA_NET_SMALL] = "small",
    [CKDA_NET_WINDOW] = "window",
};

/* What try_group makes. */
typedef struct {
    const ckda_net_options *opt;
    const bool *const *chain; /* NULL: by the method */
    uint32_t count;
} plan;

static ckda_status
make(ckda_net *net, const plan *p, ckda_error *err)
{
    const ckda_net_options *opt = p->opt;
    if (p->chain != NULL)
        return net_make_chain(net, p->chain, p->count, err);
    switch (opt->method) {
    case CKDA_NET_SERIES:
        return net_make_series(net, err);
    case CKDA_NET_SMALL:
        return net_make_small(net, err);
    case CKDA_NET_WINDOW:
        return net_make_window(net, opt, err);
    case CKDA_NET_THREE:
    case CKDA_NET_AUTO:
    default:
        return net_make_three(net, opt, err);
    }
}

/* The network of one method; G is given back when that fails. */
static ckda_status
try_group(ckda_net **net, ckda_group_t G, const uint32_t *letters,
          const char *const *names, uint32_t nletters, const plan *p, ckda_error *err)
{
    ckda_net *new = net_new(method_name[p->opt->method], CKDA_NET_GROUP, nletters);
    net_set_group(new, G, letters, names);
    const ckda_status st = make(new, p, err);
    if (st == CKDA_OK) {
        *net = new;
        return CKDA_OK;
    }
    *G = *new->G;
    *new->G = (ckda_group_struct){0};
    ckda_net_close(&new);
    return st;
}

ckda_status
ckda_net_compile_group(ckda_net **net, ckda_group_t G, const uint32_t *letters,
                       const char *const *names, uint32_t nletters,
                       const ckda_net_options *opt, ckda_error *err)
{
    static const ckda_net_method two[] = {CKDA_NET_SERIES, CKDA_NET_SMALL,
                                          CKDA_NET_WINDOW};
    if (opt->method != CKDA_NET_AUTO)
        return try_group(net, G, letters, names, nletters, &(plan){.opt = opt}, err);
    for (size_t i = 0; i < COUNT(two); i++) {
        ckda_net_options o = *opt;
        o.method = two[i];
        if (try_group(net, G, letters, names, nletters, &(plan){.opt = &o}, NULL)
            == CKDA_OK)
            return CKDA_OK;
    }
    ckda_error_set(
        err,
        "%s: no two-layer network is known: no normal subgroup of which it and "
        "the quotient are rotation groups, not A5, and some product of two "
        "letters needs more than two factors",
        G->name);
    return CKDA_E_DOMAIN;
}

ckda_status
ckda_net_compile_series(ckda_net **net, ckda_group_t G, const uint32_t *letters,
                        const char *const *names, uint32_t nletters,
                        const bool *const *chain, uint32_t count, ckda_error *err)
{
    static const ckda_net_options opt = {.method = CKDA_NET_SERIES};
    static const bool *const none[1];
    const plan p = {&opt, count > 0 ? chain : none, count};
    const ckda_status st = net_check_series(G, p.chain, count, err);
    return st == CKDA_OK ? try_group(net, G, letters, names, nletters, &p, err) : st;
}

ckda_status
ckda_net_compile_dfa(ckda_net **net, const ckda_dfa_t A, const ckda_net_options *opt,
                     ckda_error *err)
{
    ckda_net_options o = *opt;
    if (o.method == CKDA_NET_AUTO)
        o.method = CKDA_NET_WINDOW;
    if (o.method != CKDA_NET_WINDOW && o.method != CKDA_NET_THREE) {
        ckda_error_set(err, "%s: a method for groups, not for automata",
                       method_name[o.method]);
        return CKDA_E_DOMAIN;
    }
    ckda_net *new = net_new(method_name[o.method], CKDA_NET_DFA, A->nletters);
    net_set_dfa(new, A);
    const ckda_status st = make(new, &(plan){.opt = &o}, err);
    if (st == CKDA_OK)
        *net = new;
    else
        ckda_net_close(&new);
    return st;
}

ckda_status
ckda_net_compile_wfa(ckda_net **net, const ckda_wfa_t A, const ckda_field_t K,
                     const ckda_net_options *opt, ckda_error *err)
{
    if (opt->method != CKDA_NET_THREE || K->degree != 1) {
        ckda_error_set(err, "weighted automata are compiled over Q, into three layers");
        return CKDA_E_DOMAIN;
    }
    ckda_net *new = net_new(method_name[opt->method], CKDA_NET_WFA, A->nletters);
    net_set_wfa(new, A);
    const ckda_status st = net_make_three(new, opt, err);
    if (st == CKDA_OK)
        *net = new;
    else
        ckda_net_close(&new);
    return st;
}

/* ---- one layer -------------------------------------------------------------------- */

ckda_mat_struct *
net_expected(const ckda_construction_t c, uint32_t count)
{
    const bool f = c->decoder == CKDA_DECODE_F;
    ckda_mat_struct *o = flint_malloc(count * sizeof *o);
    for (uint32_t g = 0; g < count; g++) {
        ckda_mat_init_set(o + g, f ? c->rotation + g : c->matrix + g, c->K);
        const ckda_status st = f ? CKDA_OK : ckda_mat_transpose(o + g, o + g, c->K);
        ckda_require(st == CKDA_OK, "square matrices");
    }
    return o;
}

static void
one_layer(ckda_net *net, const ckda_construction_t c)
{
    slong s = 1;
    for (uint32_t x = 0; x < net->nletters; x++)
        if (c->trans[net->element[x]].steps > s)
            s = c->trans[net->element[x]].steps;
    ckda_net_head *head = net_add_head(net, "tracker", true, c->n, c->n, c->n, s, c->K);
    const ckda_status st = ckda_mat_one(head->initial, head->K);
    ckda_require(st == CKDA_OK, "square");
    net_lookup *l = net_last_lookup(net);
    l->kind = LOOKUP_LETTER;
    net_lookup_steps(net, l, net->nletters);
    for (uint32_t x = 0; x < net->nletters; x++) {
        net_query_all(l->step + x, head->K);
        net_step_set_trans(l->step + x, c->trans + net->element[x], head->K);
    }
}

ckda_status
ckda_net_construction_net(ckda_net **net, ckda_construction_t c, const uint32_t *letters,
                          const char *const *names, uint32_t nletters, ckda_error *err)
{
    const uint32_t order = c->G->order;
    ckda_net *new = net_new(c->name, CKDA_NET_GROUP, nletters);
    net_set_group(new, c->G, letters, names);
    one_layer(new, c);
    net_decoder *d = &new->decoder;
    d->kind = DECODE_COSET;
    const bool faithful = net_reader_init(&d->read, c->decoder == CKDA_DECODE_F,
                                          net_expected(c, order), order, c->K);
    if (!faithful) {
        ckda_error_set(err, "%s: two elements have the same matrix", c->name);
        *c->G = *new->G;
        *new->G = (ckda_group_struct){0};
        ckda_net_close(&new);
        return CKDA_E_DOMAIN;
    }
    d->nrep = 1;
    d->rep = flint_calloc(1, sizeof *d->rep);
    d->part = flint_malloc(order * sizeof *d->part);
    for (uint32_t g = 0; g < order; g++)
        d->part[g] = g;
    c->G->order = order; /* ckda_construct_clear counts by it */
    ckda_construct_clear(c);
    *net = new;
    return CKDA_OK;
}
