/* One batch of edges: successors, their bits, what is known about them.  Nothing that other
 * threads see is written. */
#include "allwords_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ckda/fpfast.h"

enum {
    BLOCK_EDGES = 1024, /* what a thread does at a time */
    BLOCKS_PER_THREAD = 4,
    PARALLEL_EDGES = 4096, /* fewer are not worth a second thread */
    SPREAD_EDGES = 1 << 14 /* at least, with several processes: messages take a while */
};

static uint32_t
block_nodes(const search *S)
{
    const uint32_t wanted = BLOCK_EDGES / S->R->nletters;
    return wanted > 0 ? wanted : 1;
}

void
allwords_batch_init(batch *b, const search *S, int threads)
{
    const uint32_t one = block_nodes(S);
    uint32_t most = threads > 1 ? one * BLOCKS_PER_THREAD * (uint32_t)threads : one;
    if (S->ranks > 1 && most < SPREAD_EDGES / S->R->nletters)
        most = SPREAD_EDGES / S->R->nletters;
    const size_t edges = (size_t)most * S->R->nletters;
    *b = (batch){.most = most,
                 .to = allwords_memory(edges * S->entries * sizeof *b->to),
                 .bits = allwords_memory(edges * S->s.bytes),
                 .hash = allwords_memory(edges * sizeof *b->hash),
                 .want = allwords_memory(edges * sizeof *b->want),
                 .found = allwords_memory(edges * sizeof *b->found),
                 .kind = allwords_memory(edges * sizeof *b->kind),
                 .distance = allwords_memory(edges * sizeof *b->distance),
                 .mine = S->ranks > 1 ? allwords_memory(edges) : NULL,
                 .fresh = allwords_memory(edges)};
}

void
allwords_batch_clear(batch *b)
{
    free(b->to);
    free(b->bits);
    free(b->hash);
    free(b->want);
    free(b->found);
    free(b->kind);
    free(b->distance);
    free(b->mine);
    free(b->fresh);
}

void
allwords_batch_begin(batch *b, const search *S, uint32_t first, uint32_t end,
                     uint32_t own)
{
    b->first = first;
    b->count = end - first < b->most ? end - first : b->most;
    b->edges = (size_t)b->count * S->R->nletters;
    b->own = own;
    b->nown = b->count;
    if (S->ranks > 1)
        b->nown = allwords_nodes_from(&S->s, first + b->count) - own;
}

/* ---- distances and the exact states ----------------------------------------------------- */

uint32_t
allwords_next_exact(const search *S, uint32_t exact, uint32_t letter)
{
    const uint32_t *next = S->columns ? S->t->column_next : S->t->next;
    return next[(size_t)exact * S->R->nletters + letter];
}

double
allwords_column_distance(const double *h, uint32_t column, const search *S)
{
    const double *v = S->t->column_value + (size_t)column * (size_t)S->R->n;
    double sum = 0;
    for (slong i = 0; i < S->R->n; i++) {
        const double d = h[i] - S->R->scale * v[i];
        sum += d * d;
    }
    return sum == sum ? sqrt(sum) : INFINITY;
}

edge_kind
allwords_known_edge(double *distance, uint32_t found, uint32_t want, const double *H,
                    const search *S)
{
    const uint32_t has = S->s.exact[found];
    if (has == want)
        return EDGE_SAME;
    if (S->t->element[has] != S->t->element[want])
        return EDGE_COLLIDES;
    (void)allwords_certainly_right(distance, H, want, S->R, S->t);
    return EDGE_ALIASED;
}

static edge_kind
unknown(double *distance, uint32_t want, const double *H, const search *S)
{
    if (S->columns) {
        *distance = allwords_column_distance(H, want, S);
        return EDGE_NEW;
    }
    return allwords_certainly_right(distance, H, want, S->R, S->t) ? EDGE_NEW : EDGE_FAR;
}

/* ---- expand: from nodes that are kept here ---------------------------------------------- */

/* Packs the edges of one node; those that do not fit are marked. */
static void
pack_edges(const batch *b, size_t e, const search *S)
{
    const size_t L = S->R->nletters, bytes = S->s.bytes;
    memset(b->kind + e, EDGE_SAME, L);
    if (ckda_rounded_pack(b->bits + e * bytes, b->to + e * S->entries,
                          (slong)(L * S->entries), S->R))
        return;
    for (size_t l = 0; l < L; l++)
        if (!ckda_rounded_pack(b->bits + (e + l) * bytes, b->to + (e + l) * S->entries,
                               (slong)S->entries, S->R)) {
            memset(b->bits + (e + l) * bytes, 0, bytes);
            b->kind[e + l] = EDGE_RANGE;
        }
}

static void
expand_node(const batch *b, uint32_t i, double *from, const search *S)
{
    const uint32_t L = S->R->nletters;
    const size_t e = (size_t)(allwords_nodes_number(&S->s, i) - b->first) * L;
    ckda_rounded_unpack(from, S->s.bits + (size_t)i * S->s.bytes, (slong)S->entries,
                        S->R);
    ckda_rounded_expand(b->to + e * S->entries, NULL, from, S->m, S->R);
    pack_edges(b, e, S);
    for (uint32_t l = 0; l < L; l++) {
        b->want[e + l] = allwords_next_exact(S, S->s.exact[i], l);
        b->hash[e + l] =
            allwords_nodes_hash(&S->s, b->bits + (e + l) * S->s.bytes, b->want[e + l]);
    }
}

static void
expand(const batch *b, uint32_t from, uint32_t to, const search *S)
{
    ckda_require(ckda_fp_host_is_ieee(), "a thread does not compute as IEEE says");
    double *H = allwords_memory(S->entries * sizeof *H);
    for (uint32_t i = from; i < to; i++)
        expand_node(b, i, H, S);
    free(H);
}

/* ---- classify: edges whose targets are kept here ---------------------------------------- */

static void
classify_edge(const batch *b, size_t e, const search *S)
{
    const double *H = b->to + e * S->entries;
    const uint32_t want = b->want[e];
    b->found[e] = allwords_nodes_find(&S->s, b->hash[e], b->bits + e * S->s.bytes, want);
    b->kind[e] =
        (uint8_t)(b->found[e] != NO_NODE
                      ? allwords_known_edge(b->distance + e, b->found[e], want, H, S)
                      : unknown(b->distance + e, want, H, S));
}

static void
classify(const batch *b, size_t from, size_t to, const search *S)
{
    ckda_require(ckda_fp_host_is_ieee(), "a thread does not compute as IEEE says");
    for (size_t e = from; e < to; e++)
        if (batch_has(b, e))
            allwords_nodes_prefetch_slot(&S->s, b->hash[e]);
    for (size_t e = from; e < to; e++)
        if (batch_has(b, e))
            allwords_nodes_prefetch_state(&S->s, b->hash[e]);
    for (size_t e = from; e < to; e++)
        if (batch_has(b, e) && b->kind[e] != EDGE_RANGE)
            classify_edge(b, e, S);
}

/* ---- both ------------------------------------------------------------------------------- */

static uint32_t
least(size_t a, size_t b)
{
    return (uint32_t)(a < b ? a : b);
}

void
allwords_batch_expand(batch *b, const search *S, int threads)
{
    const uint32_t nodes_each = block_nodes(S), end = b->own + b->nown;
    const size_t edges_each = (size_t)nodes_each * S->R->nletters;
    const size_t blocks = (b->nown + nodes_each - 1) / nodes_each,
                 pieces = (b->edges + edges_each - 1) / edges_each;
    if (b->edges < PARALLEL_EDGES)
        threads = 1;
#pragma omp parallel for schedule(static, 1) num_threads(threads)
    for (size_t i = 0; i < blocks; i++) {
        const uint32_t from = b->own + (uint32_t)i * nodes_each;
        expand(b, from, least((size_t)from + nodes_each, end), S);
    }
    if (S->ranks > 1)
        allwords_spread_edges(b, S);
#pragma omp parallel for schedule(static, 1) num_threads(threads)
    for (size_t i = 0; i < pieces; i++)
        classify(b, i * edges_each, least((i + 1) * edges_each, b->edges), S);
}
