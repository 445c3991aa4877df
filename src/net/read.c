/* Network documents.  What is read is the network that stands in the file, not the one
 * that its automaton would be compiled to. */
#include <stdlib.h>
#include "read.h"

/* ---- heads ------------------------------------------------------------------------ */

static ckda_status
read_head(ckda_net *net, const ckda_node *at, bool new_layer, ckda_error *err)
{
    const char *name;
    long n = 1, m = 1, h = 1, s = 1;
    ckda_node initial;
    ckda_field_t K;
    ckda_status st = ckda_node_get_string(&name, at, "name", err);
    if (st == CKDA_OK)
        st = ckda_node_get_long(&n, at, "dimension", 1, 10000, err);
    if (st == CKDA_OK)
        st = ckda_node_get_long(&m, at, "values", 1, MAX_LETTERS, err);
    if (st == CKDA_OK)
        st = ckda_node_get_long(&h, at, "queries", 1, 10000, err);
    if (st == CKDA_OK)
        st = ckda_node_get_long(&s, at, "steps", 1, 10000, err);
    if (st == CKDA_OK
        && (n * m > MAX_ENTRIES || n * h > MAX_ENTRIES || s * m > MAX_ENTRIES
            || s * n > MAX_ENTRIES || h * m > MAX_ENTRIES))
        st = ckda_node_fail(at, err, "a smaller head", NULL);
    if (st == CKDA_OK && net->nheads >= NET_MAX_HEADS)
        st = ckda_node_fail(at, err, "at most 16 heads", NULL);
    if (st == CKDA_OK)
        st = ckda_node_member(&initial, at, "initial", err);
    if (st == CKDA_OK)
        st = net_read_field(K, at, err);
    if (st != CKDA_OK)
        return st;
    ckda_net_head *head = net_add_head(net, name, new_layer, n, m, h, s, K);
    st = net_read_rows(head->initial->entry, n, m, &initial, head->K, err);
    ckda_field_clear(K);
    return st;
}

/* The rows of one step; every one of them has its given shape. */
static ckda_status
read_step(ckda_net_step *t, const ckda_node *at, const ckda_field_t K, ckda_error *err)
{
    ckda_node part;
    ckda_status st = net_read_list(&part, NULL, at, "beta", t->s, err);
    if (st == CKDA_OK)
        st = net_read_vector(t->beta, t->s, &part, K, err);
    if (st == CKDA_OK)
        st = net_read_list(&part, NULL, at, "key", t->s, err);
    if (st == CKDA_OK)
        st = net_read_rows(t->key, t->s, t->n, &part, K, err);
    if (st == CKDA_OK)
        st = net_read_list(&part, NULL, at, "gate", t->n, err);
    if (st == CKDA_OK)
        st = net_read_vector(t->gate, t->n, &part, K, err);
    if (st == CKDA_OK)
        st = net_read_list(&part, NULL, at, "value", t->s, err);
    if (st == CKDA_OK)
        st = net_read_rows(t->value, t->s, t->m, &part, K, err);
    if (st == CKDA_OK)
        st = net_read_list(&part, NULL, at, "query", t->n, err);
    if (st == CKDA_OK)
        st = net_read_rows(t->query, t->n, t->h, &part, K, err);
    if (st == CKDA_OK && ckda_net_step_ready(t, K) != CKDA_OK)
        st = ckda_node_fail(at, err, "a nonzero key where beta is not 0", NULL);
    return st;
}

/* A step for each letter, or one for all; a coset lookup says itself what its steps are. */
static ckda_status
read_steps(ckda_net *net, net_lookup *l, const ckda_node *at, ckda_error *err)
{
    const uint32_t layer = (uint32_t)(l - net->lookup), first = net->first[layer],
                   heads = net->first[layer + 1] - first;
    ckda_node list, row, item;
    size_t n = 0;
    ckda_status st = net_read_list(&list, &n, at, "steps", -1, err);
    if (st == CKDA_OK && l->kind == LOOKUP_LETTER && n != 1 && n != net->nletters)
        st = ckda_node_fail(&list, err, "one entry, or one for each letter", NULL);
    slong size = 0;
    for (uint32_t h = first; h < net->first[layer + 1]; h++)
        size += net->head[h].n * (net->head[h].s + net->head[h].h + 1) + net->head[h].m;
    if (st == CKDA_OK && (slong)n > MAX_ENTRIES / size)
        st = ckda_node_fail(&list, err, "fewer steps", NULL);
    if (st != CKDA_OK)
        return st;
    net_lookup_steps(net, l, (uint32_t)n);
    for (size_t i = 0; st == CKDA_OK && i < n; i++) {
        st = ckda_node_item(&row, &list, i, err);
        for (uint32_t h = 0; st == CKDA_OK && h < heads; h++) {
            st = ckda_node_item(&item, &row, h, err);
            if (st == CKDA_OK)
                st = read_step(l->step + i * heads + h, &item, net->head[first + h].K,
                               err);
        }
    }
    return st;
}

/* ---- tables ----------------------------------------------------------------------- */

static ckda_status
read_table(ckda_mat_struct *entry, uint32_t n, slong nrows, slong cols,
           const ckda_node *list, const ckda_field_t K, ckda_error *err)
{
    ckda_status st = CKDA_OK;
    for (uint32_t i = 0; i < n; i++)
        ckda_mat_init(entry + i, nrows, cols, K);
    for (uint32_t i = 0; st == CKDA_OK && i < n; i++) {
        ckda_node item;
        st = ckda_node_item(&item, list, i, err);
        if (st == CKDA_OK)
            st = net_read_rows(entry[i].entry, nrows, cols, &item, K, err);
    }
    return st;
}

/* r reads the outputs of this head. */
ckda_status
net_read_reader(net_reader *r, const ckda_node *at, const ckda_net_head *d,
                ckda_error *err)
{
    static const char *const through[] = {"identity", "quaternion"};
    ckda_node list;
    size_t n = 0;
    int which = 0;
    ckda_status st = net_read_choice(&which, at, "through", through, 2, err);
    if (st == CKDA_OK && which == 1 && (d->m != 4 || d->h != 4))
        st = ckda_node_fail(at, err, "a head with 4 x 4 outputs", NULL);
    if (st == CKDA_OK)
        st = net_read_list(&list, &n, at, "table", -1, err);
    const slong nrows = which == 1 ? 3 : d->m, cols = which == 1 ? 3 : d->h;
    if (st == CKDA_OK && (n < 1 || (slong)n > MAX_ENTRIES / (nrows * cols)))
        st = ckda_node_fail(&list, err, "a table that is neither empty nor huge", NULL);
    if (st != CKDA_OK)
        return st;
    ckda_mat_struct *entry = flint_malloc(n * sizeof *entry);
    st = read_table(entry, (uint32_t)n, nrows, cols, &list, d->K, err);
    const bool different =
        net_reader_init(r, which == 1, entry, (uint32_t)n, d->K); /* owns entry now */
    if (st == CKDA_OK && !different)
        st = ckda_node_fail(&list, err, "different entries", NULL);
    return st;
}

static ckda_status
read_reader(net_reader *r, const ckda_node *in, const ckda_net_head *d, ckda_error *err)
{
    ckda_node at;
    const ckda_status st = ckda_node_member(&at, in, "reader", err);
    return st == CKDA_OK ? net_read_reader(r, &at, d, err) : st;
}

/* ---- lookups ---------------------------------------------------------------------- */

static ckda_status
read_maps(net_blocks *b, const ckda_node *list, ckda_error *err)
{
    ckda_status st = CKDA_OK;
    uint32_t *row = flint_malloc((size_t)b->n * sizeof *row);
    b->image = flint_calloc((size_t)b->nletters * (size_t)b->n + 1, sizeof *b->image);
    for (uint32_t x = 0; st == CKDA_OK && x < b->nletters; x++) {
        ckda_node item;
        st = ckda_node_item(&item, list, x, err);
        if (st == CKDA_OK)
            st = net_read_numbers(row, (uint32_t)b->n, &item, (uint32_t)b->n, err);
        for (slong i = 0; st == CKDA_OK && i < b->n; i++)
            b->image[(slong)x * b->n + i] = (slong)row[i];
    }
    flint_free(row);
    return st;
}

static ckda_status
read_matrices(net_blocks *b, const ckda_node *list, const ckda_field_t Q, ckda_error *err)
{
    b->matrix = flint_malloc((b->nletters + 1u) * sizeof *b->matrix);
    return read_table(b->matrix, b->nletters, b->n, b->n, list, Q, err);
}

static ckda_status
read_blocks(ckda_net *net, net_lookup *l, const ckda_net_head *d, const ckda_node *at,
            ckda_error *err)
{
    static const char *const schemes[] = {"paper", "short"};
    net_blocks *b = &l->blocks;
    ckda_node weights, list;
    size_t n = 0;
    int scheme = 0;
    long m = 1;
    const bool maps = ckda_node_has(at, "maps");
    ckda_status st = net_read_choice(&scheme, at, "factoriser", schemes, 2, err);
    if (st == CKDA_OK)
        st = ckda_node_get_long(&m, at, "length", 1, 2000, err);
    if (st == CKDA_OK)
        st = net_read_list(&weights, &n, at, "weights", -1, err);
    if (st == CKDA_OK && (n < 1 || (slong)n > d->n || (maps && (slong)n != d->n)))
        st = ckda_node_fail(&weights, err, "as many weights as main coordinates", NULL);
    if (st == CKDA_OK)
        st = net_read_list(&list, NULL, at, maps ? "maps" : "matrices", net->nletters,
                           err);
    if (st != CKDA_OK)
        return st;
    *b = (net_blocks){.scheme = (ckda_factor_scheme)scheme,
                      .n = (slong)n,
                      .N = d->n,
                      .m = m,
                      .nletters = net->nletters};
    b->weight = flint_malloc(n * sizeof *b->weight);
    for (size_t i = 0; i < n; i++)
        ckda_elem_init(b->weight + i, net->Q);
    st = net_read_vector(b->weight, b->n, &weights, net->Q, err);
    if (st == CKDA_OK)
        st = maps ? read_maps(b, &list, err) : read_matrices(b, &list, net->Q, err);
    return st;
}

/* What a step applies besides its element: 1 alone where nothing is said. */
static ckda_status
read_kernel(ckda_net *net, net_lookup *l, const ckda_node *at, ckda_error *err)
{
    if (!ckda_node_has(at, "kernel")) {
        l->kernel = flint_calloc(1, sizeof *l->kernel);
        l->nkernel = 1;
        return CKDA_OK;
    }
    const ckda_status st =
        net_read_elements(&l->kernel, &l->nkernel, at, "kernel", -1, net, err);
    if (st == CKDA_OK && (uint64_t)l->nkernel * l->nsteps > net->G->order)
        return ckda_node_fail(at, err, "steps for at most all elements of the group",
                              NULL);
    return st;
}

/* The states that r and the reader can name, or a part of them. */
static ckda_status
read_representatives(ckda_net *net, net_lookup *l, const ckda_node *at, ckda_error *err)
{
    ckda_status st =
        net_read_elements(&l->rep, &l->nrep, at, "representatives", -1, net, err);
    if (st == CKDA_OK && (l->nrep == 0 || l->nrep % l->read.count != 0))
        st = ckda_node_fail(
            at, err, "representatives for every entry of the reader's table", NULL);
    if (st == CKDA_OK && (uint64_t)l->nrep * net->nletters > MAX_ENTRIES)
        st = ckda_node_fail(at, err, "fewer representatives", NULL);
    return st;
}

static ckda_status
read_coset(ckda_net *net, net_lookup *l, const ckda_node *at, ckda_error *err)
{
    ckda_node list, item;
    uint32_t n;
    if (net->kind != CKDA_NET_GROUP)
        return ckda_node_fail(at, err, "a group as source", NULL);
    ckda_status st = net_read_elements(&l->part, &n, at, "elements", l->nsteps, net, err);
    if (st == CKDA_OK)
        st = read_kernel(net, l, at, err);
    if (st == CKDA_OK)
        st = read_representatives(net, l, at, err);
    if (st == CKDA_OK)
        st = net_read_list(&list, NULL, at, "before", net->nletters, err);
    if (st != CKDA_OK)
        return st;
    const uint32_t states = l->nrep;
    l->before = flint_malloc(((size_t)net->nletters * states + 1) * sizeof *l->before);
    for (uint32_t x = 0; st == CKDA_OK && x < net->nletters; x++) {
        st = ckda_node_item(&item, &list, x, err);
        if (st == CKDA_OK)
            st = net_read_numbers(l->before + (size_t)x * states, states, &item, states,
                                  err);
    }
    ckda_error why;
    ckda_error_clear(&why);
    if (st == CKDA_OK && net_coset_rows(net, l, &why) != CKDA_OK)
        st = ckda_node_fail(at, err, "one step for every element", why.text);
    return st;
}

/* What a lookup relies on: rational numbers, single values, sizes that fit. */
static bool
fits(const ckda_net *net, const net_lookup *l, uint32_t layer)
{
    const uint32_t first = net->first[layer], heads = net->first[layer + 1] - first;
    const ckda_net_head *d = net->head + first;
    if (l->kind == LOOKUP_LETTER)
        return true;
    if (layer == 0 || heads != 1 || d->s != 1)
        return false;
    const ckda_net_head *below = net->head + net->first[layer - 1];
    const uint32_t nbelow = first - net->first[layer - 1];
    const bool plain = d->K->degree == 1 && d->h == 1;
    if (l->kind == LOOKUP_SLOT)
        return plain && d->m >= net->nletters;
    if (l->kind == LOOKUP_BLOCK)
        return plain && below->K->degree == 1 && below->h == 1
               && below->m <= (slong)net->nletters && below->n == 2 * l->blocks.m;
    if (l->kind == LOOKUP_WINDOW)
        return plain && nbelow == 2 && below[1].K->degree == 1 && l->blocks.m == 2;
    return true;
}

static ckda_status
read_lookup(ckda_net *net, const ckda_node *layer_node, ckda_error *err)
{
    const uint32_t layer = net->nlayers - 1;
    net_lookup *l = net->lookup + layer;
    const ckda_net_head *d = net->head + net->first[layer];
    ckda_node at;
    int kind = 0;
    ckda_status st = ckda_node_member(&at, layer_node, "lookup", err);
    if (st == CKDA_OK)
        st = net_read_choice(&kind, &at, "name", net_lookup_names, LOOKUPS, err);
    if (st != CKDA_OK)
        return st;
    if (layer == 0 && kind != LOOKUP_LETTER)
        return ckda_node_fail(&at, err, "the lookup \"letter\" in the first layer", NULL);
    l->kind = (lookup_kind)kind;
    const bool reads = kind != LOOKUP_LETTER && kind != LOOKUP_BLOCK;
    if (reads)
        st = read_reader(&l->read, &at, net->head + net->first[layer - 1], err);
    if (st == CKDA_OK && (kind == LOOKUP_LETTER || kind == LOOKUP_COSET))
        st = read_steps(net, l, &at, err);
    if (st == CKDA_OK && (kind == LOOKUP_BLOCK || kind == LOOKUP_WINDOW))
        st = read_blocks(net, l, d, &at, err);
    if (st == CKDA_OK && kind == LOOKUP_COSET)
        st = read_coset(net, l, &at, err);
    if (st == CKDA_OK && !fits(net, l, layer))
        st = ckda_node_fail(&at, err, "a lookup that fits the heads around it", NULL);
    return st;
}

static ckda_status
read_layer(ckda_net *net, const ckda_node *at, ckda_error *err)
{
    ckda_node heads, item;
    size_t n = 0;
    ckda_status st = net_read_list(&heads, &n, at, "heads", -1, err);
    if (st == CKDA_OK && n < 1)
        st = ckda_node_fail(&heads, err, "at least one head", NULL);
    for (size_t i = 0; st == CKDA_OK && i < n; i++) {
        st = ckda_node_item(&item, &heads, i, err);
        if (st == CKDA_OK)
            st = read_head(net, &item, i == 0, err);
    }
    return st == CKDA_OK ? read_lookup(net, at, err) : st;
}

ckda_status
ckda_net_read(ckda_net **pnet, const ckda_node *at, ckda_error *err)
{
    static const char *const schemas[] = {"ckda.net/1"};
    ckda_node layers, item;
    size_t n = 0;
    int which;
    ckda_net *net = NULL;
    ckda_status st = net_read_choice(&which, at, "schema", schemas, 1, err);
    if (st == CKDA_OK)
        st = net_read_source(&net, at, err);
    if (st == CKDA_OK)
        st = net_read_list(&layers, &n, at, "layers", -1, err);
    if (st == CKDA_OK && (n < 1 || n > NET_MAX_LAYERS))
        st = ckda_node_fail(&layers, err, "1 to 16 layers", NULL);
    for (size_t i = 0; st == CKDA_OK && i < n; i++) {
        st = ckda_node_item(&item, &layers, i, err);
        if (st == CKDA_OK)
            st = read_layer(net, &item, err);
    }
    if (st == CKDA_OK)
        st = net_read_decoder(net, at, err);
    if (st == CKDA_OK)
        *pnet = net;
    else
        ckda_net_close(&net);
    return st;
}
