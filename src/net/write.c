/* A network as a document (schema ckda.net/1). */
#include <stdlib.h>
#include "net_internal.h"

const char *const net_lookup_names[LOOKUPS] = {"letter", "slot", "block", "window",
                                               "coset"};
const char *const net_decoder_names[DECODERS] = {"digits", "state", "number", "coset"};

const char *
ckda_net_lookup_name(const ckda_net *net, uint32_t layer)
{
    ckda_require(layer < net->nlayers, "layer %u of %u", layer, net->nlayers);
    return net_lookup_names[net->lookup[layer].kind];
}

static void
put(json_t *object, const char *key, json_t *value)
{
    const int failed = value == NULL ? -1 : json_object_set_new(object, key, value);
    ckda_require_memory(failed == 0);
}

static void
append(json_t *array, json_t *value)
{
    const int failed = value == NULL ? -1 : json_array_append_new(array, value);
    ckda_require_memory(failed == 0);
}

static json_t *
number(const ckda_elem_struct *x, const ckda_field_t K)
{
    char *text = ckda_elem_str(x, K);
    json_t *value = json_string(text);
    free(text);
    return value;
}

static json_t *
vector(const ckda_elem_struct *x, slong n, const ckda_field_t K)
{
    json_t *list = json_array();
    for (slong i = 0; i < n; i++)
        append(list, number(x + i, K));
    return list;
}

static json_t *
rows(const ckda_elem_struct *x, slong nrows, slong cols, const ckda_field_t K)
{
    json_t *list = json_array();
    for (slong i = 0; i < nrows; i++)
        append(list, vector(x + i * cols, cols, K));
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
        append(list, json_integer((json_int_t)x[i]));
    return list;
}

static json_t *
cycles(const ckda_net *net, uint32_t g)
{
    char *text = ckda_perm_str(&net->G->element[g]);
    json_t *value = json_string(text);
    free(text);
    return value;
}

static json_t *
elements(const ckda_net *net, const uint32_t *g, uint32_t n)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < n; i++)
        append(list, cycles(net, g[i]));
    return list;
}

/* "Q", or which generator a stands for, with its minimal polynomial for other readers. */
static json_t *
field(const ckda_field_t K)
{
    if (K->degree == 1)
        return json_string("Q");
    json_t *object = json_object(), *minpoly = json_array();
    fmpz_t c;
    fmpz_init(c);
    for (slong i = 0; i <= K->degree; i++) {
        fmpz_poly_get_coeff_fmpz(c, K->minpoly, i);
        char *text = fmpz_get_str(NULL, 10, c);
        append(minpoly, json_string(text));
        flint_free(text);
    }
    fmpz_poly_get_coeff_fmpz(c, K->minpoly, 0);
    if (K->is_cos > 0)
        put(object, "cos", json_integer(K->is_cos));
    else
        put(object, "sqrt", json_integer((json_int_t)-fmpz_get_si(c)));
    fmpz_clear(c);
    char *root = ckda_field_root_decimal(K);
    put(object, "generator", json_string("a"));
    put(object, "minpoly", minpoly);
    put(object, "root", json_string(root));
    free(root);
    return object;
}

/* ---- layers ----------------------------------------------------------------------- */

static json_t *
step(const ckda_net_step *t, const ckda_field_t K)
{
    json_t *object = json_object();
    put(object, "beta", vector(t->beta, t->s, K));
    put(object, "key", rows(t->key, t->s, t->n, K));
    put(object, "gate", vector(t->gate, t->n, K));
    put(object, "value", rows(t->value, t->s, t->m, K));
    put(object, "query", rows(t->query, t->n, t->h, K));
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
            append(row, step(l->step + (size_t)i * heads + h, net->head[first + h].K));
        append(list, row);
    }
    return list;
}

static json_t *
reader(const net_reader *r, const ckda_field_t K)
{
    json_t *object = json_object(), *table = json_array();
    for (uint32_t i = 0; i < r->count; i++)
        append(table, matrix(r->entry + i, K));
    put(object, "through", json_string(r->quaternion ? "quaternion" : "identity"));
    put(object, "table", table);
    return object;
}

static void
put_blocks(json_t *object, const net_blocks *b, const ckda_field_t K)
{
    json_t *letters = json_array();
    for (uint32_t x = 0; x < b->nletters; x++) {
        if (b->image == NULL) {
            append(letters, matrix(b->matrix + x, K));
            continue;
        }
        json_t *map = json_array();
        for (slong i = 0; i < b->n; i++)
            append(map, json_integer((json_int_t)b->image[(slong)x * b->n + i]));
        append(letters, map);
    }
    put(object, "factoriser",
        json_string(b->scheme == CKDA_FACTOR_PAPER ? "paper" : "short"));
    put(object, "length", json_integer((json_int_t)b->m));
    put(object, b->image != NULL ? "maps" : "matrices", letters);
    put(object, "weights", vector(b->weight, b->n, K));
}

static json_t *
lookup(const ckda_net *net, uint32_t layer)
{
    const net_lookup *l = net->lookup + layer;
    json_t *object = json_object();
    put(object, "name", json_string(net_lookup_names[l->kind]));
    if (l->read.count > 0)
        put(object, "reader", reader(&l->read, net->head[net->first[layer - 1]].K));
    if (l->nsteps > 0)
        put(object, "steps", steps(net, layer));
    if (l->kind == LOOKUP_BLOCK || l->kind == LOOKUP_WINDOW)
        put_blocks(object, &l->blocks, net->Q);
    if (l->kind == LOOKUP_COSET) {
        json_t *before = json_array();
        for (uint32_t x = 0; x < net->nletters; x++)
            append(before, numbers(l->before + (size_t)x * l->read.count, l->read.count));
        put(object, "elements", elements(net, l->part, l->nsteps));
        put(object, "representatives", elements(net, l->rep, l->read.count));
        put(object, "before", before);
    }
    return object;
}

static json_t *
head_json(const ckda_net_head *d)
{
    json_t *object = json_object();
    put(object, "name", json_string(d->name));
    put(object, "field", field(d->K));
    put(object, "dimension", json_integer((json_int_t)d->n));
    put(object, "values", json_integer((json_int_t)d->m));
    put(object, "queries", json_integer((json_int_t)d->h));
    put(object, "steps", json_integer((json_int_t)d->s));
    put(object, "initial", matrix(d->initial, d->K));
    return object;
}

static json_t *
layers(const ckda_net *net)
{
    json_t *list = json_array();
    for (uint32_t l = 0; l < net->nlayers; l++) {
        json_t *object = json_object(), *heads = json_array();
        for (uint32_t h = net->first[l]; h < net->first[l + 1]; h++)
            append(heads, head_json(net->head + h));
        put(object, "lookup", lookup(net, l));
        put(object, "heads", heads);
        append(list, object);
    }
    return list;
}

static json_t *
decoder(const ckda_net *net)
{
    const net_decoder *d = &net->decoder;
    json_t *object = json_object();
    put(object, "name", json_string(net_decoder_names[d->kind]));
    if (d->kind == DECODE_COSET) {
        put(object, "reader", reader(&d->read, net->head[net->nheads - 1].K));
        put(object, "elements", elements(net, d->part, d->read.count));
        put(object, "representatives", elements(net, d->rep, d->nrep));
    }
    return object;
}

/* ---- the automaton ---------------------------------------------------------------- */

static json_t *
group(const ckda_net *net)
{
    json_t *object = json_object(), *generators = json_object();
    for (uint32_t j = 0; j < net->G->ngen; j++)
        put(generators, net->G->genname[j], cycles(net, net->G->generator[j]));
    put(object, "name", json_string(net->G->name));
    put(object, "degree", json_integer(net->G->degree));
    put(object, "generators", generators);
    put(object, "letters", elements(net, net->element, net->nletters));
    return object;
}

static json_t *
dfa(const ckda_net *net)
{
    json_t *object = json_object(), *accept = json_array(), *next = json_object();
    for (uint32_t q = 0; q < net->dfa->states; q++)
        if (net->dfa->accept[q])
            append(accept, json_integer(q));
    for (uint32_t x = 0; x < net->nletters; x++)
        put(next, net->letter[x],
            numbers(net->dfa->next + (size_t)x * net->dfa->states, net->dfa->states));
    put(object, "states", json_integer(net->dfa->states));
    put(object, "start", json_integer(net->dfa->start));
    put(object, "accept", accept);
    put(object, "transitions", next);
    return object;
}

static json_t *
wfa(const ckda_net *net)
{
    json_t *object = json_object(), *matrices = json_object();
    for (uint32_t x = 0; x < net->nletters; x++)
        put(matrices, net->letter[x], matrix(net->wfa->matrix + x, net->Q));
    put(object, "initial", vector(net->wfa->initial->entry, net->wfa->n, net->Q));
    put(object, "final", vector(net->wfa->final->entry, net->wfa->n, net->Q));
    put(object, "matrices", matrices);
    return object;
}

json_t *
ckda_net_json(const ckda_net *net)
{
    json_t *object = json_object(), *letters = json_array(), *source = json_object();
    for (uint32_t x = 0; x < net->nletters; x++)
        append(letters, json_string(net->letter[x]));
    put(object, "schema", json_string("ckda.net/1"));
    put(object, "construction", json_string(net->construction));
    put(object, "block", json_integer((json_int_t)net->block));
    put(object, "letters", letters);
    put(object, "layers", layers(net));
    put(object, "decoder", decoder(net));
    if (net->kind == CKDA_NET_GROUP)
        put(source, "group", group(net));
    else if (net->kind == CKDA_NET_DFA)
        put(source, "dfa", dfa(net));
    else
        put(source, "wfa", wfa(net));
    put(object, "source", source);
    return object;
}
