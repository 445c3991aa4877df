/* Networks: layers of heads, each literally
 *     H <- (I - beta k k^T) Diag(gate) H + beta k v^T (one or more such steps),  o = H^T q,
 * and between them maps of (outputs of the layer below, r, letter) to (r, steps), given as
 * tables of what occurs.  A joint state is one state for each head; the whole network is
 * run on every edge of the graph of joint states. */
#include "recheck.h"

/* Rows of `width` numbers: the first `key`, no two of them equal, are looked up. */
typedef struct {
    uint32_t *row;
    size_t width, key;
    listed *list; /* in the order of their bytes */
    uint32_t count;
} table;

typedef struct {
    instance I, out; /* the steps are its letters; shape of outputs q^T H, transposed */
    matrix O;
    packed outputs;
    listed *output; /* in the order of their bytes */
} head;

typedef struct {
    head heads[MOST_PARTS];
    size_t nlayers, first[MOST_PARTS + 1]; /* first head of each layer */
    table tables[MOST_PARTS + 1];          /* one in front of each layer, the decoder */
    buffer now;
    engine e; /* a part for each head */
} network;

/* ---- reading ------------------------------------------------------------------------------ */

/* Outputs are told apart by their bytes: different bytes are different numbers. */
static void
read_head(reader *in, network *N, uint32_t number)
{
    head *h = N->heads + number;
    instance *I = &h->I;
    numbered_line(in, "head", number);
    const json_t *header = in->json;
    json_array_append(in->kept, in->json);
    header_read(in, I, header);
    I->queries = get_count(in, header, "queries", 1, UINT16_MAX);
    const uint64_t outputs = get_count(in, header, "outputs", 1, UINT32_MAX - 1);
    system_read(in, I, header, true);
    const size_t size = I->queries * I->cols * I->degree;
    for (uint32_t i = 0; i < outputs; i++) {
        numbered_line(in, "output", i);
        matrix_clear(&h->O);
        matrix_read(in, &h->O, in->json, "value", size);
        add_packed(&h->outputs, &h->O);
    }
    h->output = list_packed(&h->outputs);
    all_differ(in, I, "outputs", size, h->output, h->outputs.count, false);
    h->out = *I;
    h->out.rows = I->queries;
    N->e.part[number] = (piece){.I = I, .initial = I->initial};
}

/* Table l: heads below, r and the letter -> r, steps; the last one: heads below, r ->
 * label. */
static void
read_table(reader *in, network *N, size_t l, const json_t *count)
{
    table *t = N->tables + l;
    const size_t here = l < N->nlayers ? N->first[l + 1] - N->first[l] : 0;
    t->key = (l > 0 ? N->first[l] - N->first[l - 1] : 0) + (l < N->nlayers ? 2 : 1);
    t->width = t->key + 1 + here;
    t->count = (uint32_t)as_count(in, count, "tables", 0, UINT32_MAX);
    for (size_t i = 0; i < t->count; i++) {
        t->row = doubled(t->row, i, t->width * sizeof *t->row);
        const uint32_t *step = t->row + i * t->width + t->key + 1;
        numbered_line(in, "table", (uint32_t)l);
        get_counts(in, t->row + i * t->width, in->json, "row", t->width, UINT32_MAX - 1);
        for (const head *h = N->heads + N->first[l]; h < N->heads + N->first[l] + here;
             h++)
            refuse(in, *step++ >= h->I.nletters, "row: there is no such step");
    }
    t->list = grown(NULL, t->count, sizeof *t->list);
    for (uint32_t i = 0; i < t->count; i++)
        t->list[i] = (listed){t->row + i * t->width, t->key * sizeof *t->row, i};
    all_differ(in, NULL, "keys of rows", 0, t->list, t->count, false);
}

static void
read_network(reader *in, network *N, instance *I, const json_t *header)
{
    header_read(in, I, header);
    refuse(in, I->points == 0, "neither \"group\" nor \"automaton\"");
    const json_t *layers = get_array(in, header, "layers", SIZE_MAX),
                 *tables = get_array(in, header, "tables", json_array_size(layers) + 1);
    refuse(in, json_array_size(layers) == 0, "layers: there are none");
    for (N->nlayers = 0; N->nlayers < json_array_size(layers); N->nlayers++) {
        size_t *first = N->first + N->nlayers;
        first[1] = *first
                   + as_count(in, json_array_get(layers, N->nlayers), "layers", 1,
                              MOST_PARTS - *first);
        for (size_t h = *first; h < first[1]; h++)
            read_head(in, N, (uint32_t)h);
    }
    N->e.nparts = N->first[N->nlayers];
    for (uint64_t x = 0; x < I->stated; x++)
        letter_begin(in, I);
    group_read(in, I);
    for (size_t l = 0; l <= N->nlayers; l++)
        read_table(in, N, l, json_array_get(tables, l));
}

/* ---- running ------------------------------------------------------------------------------- */

/* One head at one position; the number of its output, or UINT32_MAX. */
static uint32_t
run_head(network *N, size_t number, uint32_t x)
{
    head *h = N->heads + number;
    piece *p = N->e.part + number;
    const letter *l = h->I.letters + x;
    const matrix none = {0};
    step(&p->T, &h->I, &l->linear, &l->offset, &p->S);
    step(&h->O, &h->out, &l->query, &none, &p->T);
    N->now.used = 0;
    matrix_pack(&N->now, &h->O);
    return find_listed(h->output, h->outputs.count, N->now.bytes, N->now.used);
}

static const char *
network_to(void *data, uint32_t x, uint32_t *said)
{
    network *N = data;
    uint32_t key[MOST_PARTS + 2], output[MOST_PARTS];
    *said = 0;
    for (size_t l = 0; l <= N->nlayers; l++) {
        size_t n = 0;
        for (size_t h = l > 0 ? N->first[l - 1] : 0; l > 0 && h < N->first[l]; h++)
            key[n++] = output[h];
        key[n] = *said;
        key[n + 1] = x; /* not looked at by the decoder */
        const table *t = N->tables + l;
        const uint32_t at = find_listed(t->list, t->count, key, t->key * sizeof *key);
        if (at == UINT32_MAX)
            return "a table has no row for what it is asked";
        const uint32_t *found = t->row + at * t->width + t->key;
        *said = *found; /* r, in the end the label */
        for (size_t h = N->first[l]; l < N->nlayers && h < N->first[l + 1]; h++) {
            output[h] = run_head(N, h, found[1 + h - N->first[l]]);
            if (output[h] == UINT32_MAX)
                return "an output that is not listed";
        }
    }
    return NULL;
}

void
network_check(reader *in, char said[256], instance *I, const json_t *header)
{
    graph g = {0};
    network *N = grown(NULL, 1, sizeof *N);
    *N = (network){.e = {.data = N, .to = network_to}};
    read_network(in, N, I, header);
    graph_check(in, &g, I, header, &N->e);
    refuse(in, g.inconsistent, "decoder: expected \"consistent\"");
    graph_says(said, &g, I, "network, closed", "run");
}
