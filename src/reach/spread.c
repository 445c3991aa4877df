/* A batch spread over processes: shard k belongs to process k mod their number.
 *
 * Each process expands the states it owns, sends the candidates to the owners of their
 * shards, and inserts what it receives in the order of edges.  What all must know (which
 * edges found new states, in which shard) is agreed on, so that every process numbers the
 * new states alike.  The graph stands with process 0. */
#include "search_internal.h"

#include <stdlib.h>

void
spread_init(search *s)
{
    batch *b = &s->b;
    if (s->ranks == 1)
        return;
    b->mine = flint_calloc(b->most, sizeof *b->mine);
    b->kind = flint_calloc(b->most, sizeof *b->kind);
    b->want = flint_calloc(b->most, sizeof *b->want);
    b->number = flint_calloc(b->most, sizeof *b->number);
}

void
spread_clear(batch *b)
{
    flint_free(b->mine);
    flint_free(b->kind);
    flint_free(b->want);
    flint_free(b->number);
}

/* A message: number of the edge in the batch, label that it asks for, state. */
static size_t
message_bytes(const search *s)
{
    return 2 * sizeof(uint32_t) + s->step.bytes;
}

static void
take_messages(search *s, const uint8_t *got, size_t size)
{
    batch *b = &s->b;
    const size_t bytes = message_bytes(s);
    memset(b->mine, 0, b->size * sizeof *b->mine);
    for (const uint8_t *at = got; at < got + size; at += bytes) {
        const uint32_t e = store_word(at);
        uint8_t *state = b->state + (size_t)e * s->step.bytes;
        b->mine[e] = 1;
        b->want[e] = store_word(at + sizeof e);
        memcpy(state, at + 2 * sizeof e, s->step.bytes);
        b->hash[e] = store_hash(&s->states, state);
    }
}

/* The edges of this process, sorted by the owner of their target. */
void
spread_candidates(search *s)
{
    batch *b = &s->b;
    const size_t bytes = message_bytes(s);
    size_t *part = flint_calloc(2 * s->ranks + 1, sizeof *part);
    size_t *at = part + s->ranks;
    for (uint32_t e = 0; e < b->size; e++)
        if (b->kind[e] != 0) /* expanded here */
            part[store_shard(b->hash[e]) % s->ranks] += bytes;
    for (uint32_t i = 0; i < s->ranks; i++)
        at[i + 1] = at[i] + part[i];
    uint8_t *data = flint_malloc(at[s->ranks] + 1);
    for (uint32_t e = 0; e < b->size; e++) {
        if (b->kind[e] == 0)
            continue;
        const uint32_t to = store_shard(b->hash[e]) % s->ranks;
        uint8_t *message = data + at[to];
        store_set_word(message, e);
        store_set_word(message + sizeof e, b->want[e]);
        memcpy(message + 2 * sizeof e, b->state + (size_t)e * s->step.bytes,
               s->step.bytes);
        at[to] += bytes;
    }
    size_t size;
    uint8_t *got = ckda_ranks_exchange(&size, data, part);
    take_messages(s, got, size);
    free(got);
    flint_free(data);
    flint_free(part);
}

/* The single edge of the batch when no more is certain to fit. */
const char *
spread_refuses(const search *s)
{
    const batch *b = &s->b;
    const uint32_t k = store_shard(b->hash[0]);
    uint64_t x[3] = {search_bytes(s, s->count + UINT64_C(1)), 0, 0};
    if (b->mine[0] && store_find(&s->states, b->state, b->hash[0]) == STORE_NONE) {
        x[0] += store_growth(&s->states, k, 1);
        x[1] = 1;
        x[2] = s->states.shard[k].count >= STORE_MOST_LOCAL;
    }
    ckda_ranks_sum(x, 3);
    if (x[1] == 0)
        return NULL;
    if (s->count >= s->max_states || x[2] != 0)
        return "states";
    return s->max_bytes != 0 && x[0] > s->max_bytes ? "memory" : NULL;
}

void
spread_kinds(search *s)
{
    ckda_ranks_max8(s->b.kind, s->b.size);
}

/* The graph's edges, to process 0. */
void
spread_links(search *s)
{
    batch *b = &s->b;
    ckda_ranks_max32(b->number, b->size);
    for (uint32_t e = 0; s->next != NULL && e < b->size; e++)
        s->next[b->first + e] = b->number[e] - 1;
}

/* The first inconsistent edge of all; edge: of this process, or UINT32_MAX. */
uint32_t
spread_first_bad(uint32_t edge, uint32_t *want, uint32_t *got)
{
    uint32_t first = UINT32_MAX - edge, x[2] = {0, 0};
    ckda_ranks_max32(&first, 1);
    if (edge != UINT32_MAX && first == UINT32_MAX - edge) {
        x[0] = *want;
        x[1] = *got;
    }
    ckda_ranks_max32(x, 2);
    *want = x[0];
    *got = x[1];
    return UINT32_MAX - first;
}
