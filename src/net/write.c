/* A network as a document (schema ckda.net/1). */
#include "net_internal.h"

const char *const net_lookup_names[LOOKUPS] = {"letter", "slot", "block", "window",
                                               "coset"};
const char *const net_decoder_names[DECODERS] = {"digits", "state", "number", "coset",
                                                 "joint"};

const char *
ckda_net_lookup_name(const ckda_net *net, uint32_t layer)
{
    ckda_require(layer < net->nlayers, "layer %u of %u", layer, net->nlayers);
    return net_lookup_names[net->lookup[layer].kind];
}

static json_t *
vector(const ckda_elem_struct *x, slong n, const ckda_field_t K)
{
    json_t *list = json_array();
    for (slong i = 0; i < n; i++)
        ckda_json_append(list, ckda_json_own(ckda_elem_str(x + i, K)));
    return list;
}

static json_t *
rows(const ckda_elem_struct *x, slong nrows, slong cols, const ckda_field_t K)
{
    json_t *list = json_array();
    for (slong i = 0; i < nrows; i++)
        ckda_json_append(list, vector(x + i * cols, cols, K));
    return list;
}

static json_t *
matrix(const ckda_mat_struct *A, const ckda_field_t K)
{
    return rows(A->entry, A->rows, A->cols, K);
}

static json_t *
numbers(const uint32_t *x, uint32_t n)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < n; i++)
        ckda_json_append(list, json_integer((json_int_t)x[i]));
    return list;
}

static json_t *
cycles(const ckda_net *net, uint32_t g)
{
    return ckda_json_own(ckda_perm_str(&net->G->element[g]));
}

static json_t *
elements(const ckda_net *net, const uint32_t *g, uint32_t n)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < n; i++)
        ckda_json_append(list, cycles(net, g[i]));
    return list;
}

json_t *
ckda_net_field_json(const ckda_field_t K)
{
    json_t *object = json_object(), *minpoly = json_array();
    for (slong i = 0; i <= K->degree; i++) {
        char *c = fmpz_get_str(NULL, 10, K->minpoly->coeffs + i);
        ckda_json_append(minpoly, json_string(c));
        flint_free(c);
    }
    ckda_json_put(object, "generator", json_string("a"));
    ckda_json_put(object, "minpoly", minpoly);
    ckda_json_put(object, "root", ckda_json_own(ckda_field_root_decimal(K)));
    return object;
}

/* "root(x^3-2, 1.26)" for the generator. */
static json_t *
root_json(const ckda_field_t K)
{
    char *f = fmpz_poly_get_str_pretty(K->minpoly, "x"),
         *near = ckda_field_root_decimal(K);
    json_t *text = json_sprintf("root(%s, %s)", f, near);
    flint_free(f);
    free(near);
    return text;
}

/* "Q", or which generator a stands for, with its minimal polynomial for other readers. */
static json_t *
field(const ckda_field_t K)
{
    if (K->degree == 1)
        return json_string("Q");
    const fmpz *c = K->minpoly->coeffs;
    json_t *object = ckda_net_field_json(K);
    if (K->is_cos > 0)
        ckda_json_put(object, "cos", json_integer(K->is_cos));
    else if (K->degree == 2 && fmpz_is_zero(c + 1) && fmpz_cmp_si(c, -NET_MAX_SQRT) >= 0)
        ckda_json_put(object, "sqrt", json_integer((json_int_t)-fmpz_get_si(c)));
    else
        ckda_json_put(object, "of", root_json(K));
    return object;
}

/* ---- layers ----------------------------------------------------------------------- */

static json_t *
step(const ckda_net_step *t, const ckda_field_t K)
{
    json_t *object = json_object();
    ckda_json_put(object, "beta", vector(t->beta, t->s, K));
    ckda_json_put(object, "key", rows(t->key, t->s, t->n, K));
    ckda_json_put(object, "gate", vector(t->gate, t->n, K));
    ckda_json_put(object, "value", rows(t->value, t->s, t->m, K));
    ckda_json_put(object, "query", rows(t->query, t->n, t->h, K));
    return object;
}

static json_t *
steps(const ckda_net *net, uint32_t layer)
{
    const net_lookup *l = net->lookup + layer;
    const uint32_t first = net->first[layer], heads = net->first[layer + 1] - first;
    json_t *list = json_array();
    for (uint32_t i = 0; i < l->nsteps; i++) {
        json_t *row = json_array();
        for (uint32_t h = 0; h < heads; h++)
            ckda_json_append(
                row, step(l->step + (size_t)i * heads + h, net->head[first + h].K));
        ckda_json_append(list, row);
    }
    return list;
}

static json_t *
reader(const net_reader *r, const ckda_field_t K)
{
    json_t *object = json_object(), *table = json_array();
    for (uint32_t i = 0; i < r->count; i++)
        ckda_json_append(table, matrix(r->entry + i, K));
    ckda_json_put(object, "through",
                  json_string(r->quaternion ? "quaternion" : "identity"));
    ckda_json_put(object, "table", table);
    return object;
}

static void
put_blocks(json_t *object, const net_blocks *b, const ckda_field_t K)
{
    json_t *letters = json_array();
    for (uint32_t x = 0; x < b->nletters; x++) {
        if (b->image == NULL) {
            ckda_json_append(letters, matrix(b->matrix + x, K));
            continue;
        }
        json_t *map = json_array();
        for (slong i = 0; i < b->n; i++)
            ckda_json_append(map,
                             json_integer((json_int_t)b->image[(slong)x * b->n + i]));
        ckda_json_append(letters, map);
    }
    ckda_json_put(object, "factoriser",
                  json_string(b->scheme == CKDA_FACTOR_PAPER ? "paper" : "short"));
    ckda_json_put(object, "length", json_integer((json_int_t)b->m));
    ckda_json_put(object, b->image != NULL ? "maps" : "matrices", letters);
    ckda_json_put(object, "weights", vector(b->weight, b->n, K));
}

static json_t *
lookup(const ckda_net *net, uint32_t layer)
{
    const net_lookup *l = net->lookup + layer;
    json_t *object = json_object();
    ckda_json_put(object, "name", json_string(net_lookup_names[l->kind]));
    if (l->read.count > 0)
        ckda_json_put(object, "reader",
                      reader(&l->read, net->head[net->first[layer - 1]].K));
    if (l->nsteps > 0)
        ckda_json_put(object, "steps", steps(net, layer));
    if (l->kind == LOOKUP_BLOCK || l->kind == LOOKUP_WINDOW)
        put_blocks(object, &l->blocks, net->Q);
    if (l->kind == LOOKUP_COSET) {
        json_t *before = json_array();
        for (uint32_t x = 0; x < net->nletters; x++)
            ckda_json_append(before, numbers(l->before + (size_t)x * l->nrep, l->nrep));
        ckda_json_put(object, "elements", elements(net, l->part, l->nsteps));
        if (l->nkernel > 1)
            ckda_json_put(object, "kernel", elements(net, l->kernel, l->nkernel));
        ckda_json_put(object, "representatives", elements(net, l->rep, l->nrep));
        ckda_json_put(object, "before", before);
    }
    return object;
}

static json_t *
head_json(const ckda_net_head *d)
{
    json_t *object = json_object();
    ckda_json_put(object, "name", json_string(d->name));
    ckda_json_put(object, "field", field(d->K));
    ckda_json_put(object, "dimension", json_integer((json_int_t)d->n));
    ckda_json_put(object, "values", json_integer((json_int_t)d->m));
    ckda_json_put(object, "queries", json_integer((json_int_t)d->h));
    ckda_json_put(object, "steps", json_integer((json_int_t)d->s));
    ckda_json_put(object, "initial", matrix(d->initial, d->K));
    return object;
}

static json_t *
layers(const ckda_net *net)
{
    json_t *list = json_array();
    for (uint32_t l = 0; l < net->nlayers; l++) {
        json_t *object = json_object(), *heads = json_array();
        for (uint32_t h = net->first[l]; h < net->first[l + 1]; h++)
            ckda_json_append(heads, head_json(net->head + h));
        ckda_json_put(object, "lookup", lookup(net, l));
        ckda_json_put(object, "heads", heads);
        ckda_json_append(list, object);
    }
    return list;
}

/* A reader for each head, then what they say in each joint state, and its element. */
static void
put_joint(json_t *object, const ckda_net *net)
{
    const uint32_t first = net->first[net->nlayers - 1], heads = net->nheads - first;
    const net_joint *j = net->decoder.joint;
    json_t *readers = json_array(), *states = json_array(), *list = json_array();
    for (uint32_t h = 0; h < heads; h++)
        ckda_json_append(readers, reader(net_joint_reader(j, h), net->head[first + h].K));
    for (uint32_t s = 0; s < net_joint_count(j); s++) {
        uint32_t element;
        const uint32_t *tuple = net_joint_tuple(&element, j, s);
        ckda_json_append(states, numbers(tuple, heads));
        ckda_json_append(list, cycles(net, element));
    }
    ckda_json_put(object, "readers", readers);
    ckda_json_put(object, "states", states);
    ckda_json_put(object, "elements", list);
}

static json_t *
decoder(const ckda_net *net)
{
    const net_decoder *d = &net->decoder;
    json_t *object = json_object();
    ckda_json_put(object, "name", json_string(net_decoder_names[d->kind]));
    if (d->kind == DECODE_COSET) {
        ckda_json_put(object, "reader", reader(&d->read, net->head[net->nheads - 1].K));
        ckda_json_put(object, "elements", elements(net, d->part, d->read.count));
        ckda_json_put(object, "representatives", elements(net, d->rep, d->nrep));
    }
    if (d->kind == DECODE_JOINT)
        put_joint(object, net);
    return object;
}

/* ---- the automaton ---------------------------------------------------------------- */

static json_t *
group(const ckda_net *net)
{
    json_t *object = json_object(), *generators = json_object();
    for (uint32_t j = 0; j < net->G->ngen; j++)
        ckda_json_put(generators, net->G->genname[j], cycles(net, net->G->generator[j]));
    ckda_json_put(object, "name", json_string(net->G->name));
    ckda_json_put(object, "degree", json_integer(net->G->degree));
    ckda_json_put(object, "generators", generators);
    ckda_json_put(object, "letters", elements(net, net->element, net->nletters));
    return object;
}

static json_t *
dfa(const ckda_net *net)
{
    json_t *object = json_object(), *accept = json_array(), *next = json_object();
    for (uint32_t q = 0; q < net->dfa->states; q++)
        if (net->dfa->accept[q])
            ckda_json_append(accept, json_integer(q));
    for (uint32_t x = 0; x < net->nletters; x++)
        ckda_json_put(
            next, net->letter[x],
            numbers(net->dfa->next + (size_t)x * net->dfa->states, net->dfa->states));
    ckda_json_put(object, "states", json_integer(net->dfa->states));
    ckda_json_put(object, "start", json_integer(net->dfa->start));
    ckda_json_put(object, "accept", accept);
    ckda_json_put(object, "transitions", next);
    return object;
}

static json_t *
wfa(const ckda_net *net)
{
    json_t *object = json_object(), *matrices = json_object();
    for (uint32_t x = 0; x < net->nletters; x++)
        ckda_json_put(matrices, net->letter[x], matrix(net->wfa->matrix + x, net->Q));
    ckda_json_put(object, "initial",
                  vector(net->wfa->initial->entry, net->wfa->n, net->Q));
    ckda_json_put(object, "final", vector(net->wfa->final->entry, net->wfa->n, net->Q));
    ckda_json_put(object, "matrices", matrices);
    return object;
}

json_t *
ckda_net_json(const ckda_net *net)
{
    json_t *object = json_object(), *letters = json_array(), *source = json_object();
    for (uint32_t x = 0; x < net->nletters; x++)
        ckda_json_append(letters, json_string(net->letter[x]));
    ckda_json_put(object, "schema", json_string("ckda.net/1"));
    ckda_json_put(object, "construction", json_string(net->construction));
    ckda_json_put(object, "block", json_integer((json_int_t)net->block));
    ckda_json_put(object, "letters", letters);
    ckda_json_put(object, "layers", layers(net));
    ckda_json_put(object, "decoder", decoder(net));
    if (net->kind == CKDA_NET_GROUP)
        ckda_json_put(source, "group", group(net));
    else if (net->kind == CKDA_NET_DFA)
        ckda_json_put(source, "dfa", dfa(net));
    else
        ckda_json_put(source, "wfa", wfa(net));
    ckda_json_put(object, "source", source);
    return object;
}
