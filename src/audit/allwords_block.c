/* One block of nodes expanded: successors, their bits, what is known about them.  Nothing
 * that other threads see is written. */
#include "allwords_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ckda/fpfast.h"

enum { BLOCK_EDGES = 1024 };

uint32_t
allwords_block_nodes(const search *S)
{
    const uint32_t nodes_wanted = BLOCK_EDGES / S->R->nletters;
    return nodes_wanted > 0 ? nodes_wanted : 1;
}

void
allwords_block_init(block *b, const search *S)
{
    const size_t count = allwords_block_nodes(S), edges = count * S->R->nletters;
    *b = (block){.from = allwords_memory(S->entries * sizeof *b->from),
                 .to = allwords_memory(edges * S->entries * sizeof *b->to),
                 .bits = allwords_memory(edges * S->s.bytes),
                 .hash = allwords_memory(edges * sizeof *b->hash),
                 .found = allwords_memory(edges * sizeof *b->found),
                 .kind = allwords_memory(edges * sizeof *b->kind),
                 .distance = allwords_memory(edges * sizeof *b->distance)};
}

void
allwords_block_clear(block *b)
{
    free(b->from);
    free(b->to);
    free(b->bits);
    free(b->hash);
    free(b->found);
    free(b->kind);
    free(b->distance);
}

/* ---- one block: reads only ------------------------------------------------------------ */

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

/* Packs the edges of one node; those that do not fit are marked. */
static void
pack_edges(block *b, size_t e, const search *S)
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
expand_node(block *b, uint32_t i, const search *S)
{
    const uint32_t L = S->R->nletters, node = b->first + i;
    const size_t e = (size_t)i * L;
    ckda_rounded_unpack(b->from, S->s.bits + (size_t)node * S->s.bytes, (slong)S->entries,
                        S->R);
    ckda_rounded_expand(b->to + e * S->entries, NULL, b->from, S->m, S->R);
    pack_edges(b, e, S);
    for (uint32_t l = 0; l < L; l++) {
        b->hash[e + l] = allwords_nodes_hash(&S->s, b->bits + (e + l) * S->s.bytes,
                                             allwords_next_exact(S, S->s.exact[node], l));
        allwords_nodes_prefetch_slot(&S->s, b->hash[e + l]);
    }
}

static void
classify(block *b, size_t e, uint32_t want, const search *S)
{
    const double *H = b->to + e * S->entries;
    b->found[e] = allwords_nodes_find(&S->s, b->hash[e], b->bits + e * S->s.bytes, want);
    b->kind[e] =
        (uint8_t)(b->found[e] != NO_NODE
                      ? allwords_known_edge(b->distance + e, b->found[e], want, H, S)
                      : unknown(b->distance + e, want, H, S));
}

void
allwords_expand(block *b, const search *S)
{
    const uint32_t L = S->R->nletters;
    const size_t edges = (size_t)b->count * L;
    ckda_require(ckda_fp_host_is_ieee(), "a thread does not compute as IEEE says");
    for (uint32_t i = 0; i < b->count; i++)
        expand_node(b, i, S);
    for (size_t e = 0; e < edges; e++)
        allwords_nodes_prefetch_state(&S->s, b->hash[e]);
    for (size_t e = 0; e < edges; e++)
        if (b->kind[e] != EDGE_RANGE)
            classify(b, e,
                     allwords_next_exact(S, S->s.exact[b->first + (uint32_t)(e / L)],
                                         (uint32_t)(e % L)),
                     S);
}
