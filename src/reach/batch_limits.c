/* Limits on states and memory: a search ends exactly where they say. */
#include "batch_internal.h"

bool
batch_fits(const search *s)
{
    const batch *b = &s->b;
    uint64_t most = s->count;
    uint32_t into[STORE_SHARDS] = {0};
    for (uint32_t t = 0; t < b->threads; t++)
        most += b->worker[t].count;
    if (most > s->max_states)
        return false;
    if (most <= STORE_MOST_LOCAL && s->max_bytes == 0)
        return true;
    for (uint32_t t = 0; t < b->threads; t++)
        for (uint32_t i = 0; i < b->worker[t].count; i++)
            if (inserted_here(b, b->worker[t].list[i]))
                into[store_shard(b->hash[b->worker[t].first + i])]++;
    uint64_t x[2] = {search_bytes(s, most), 0}; /* bytes, full shards */
    for (uint32_t k = 0; k < STORE_SHARDS; k++) {
        x[0] += store_growth(&s->states, k, into[k]);
        x[1] += (uint64_t)s->states.shard[k].count + into[k] > STORE_MOST_LOCAL;
    }
    ckda_ranks_sum(x, 2);
    return x[1] == 0 && (s->max_bytes == 0 || x[0] <= s->max_bytes);
}

const char *
batch_refuses(search *s, uint32_t k)
{
    batch *b = &s->b;
    if (s->count >= s->max_states || s->states.shard[k].count >= STORE_MOST_LOCAL)
        return "states";
    if (s->max_bytes == 0)
        return NULL;
    const uint64_t growth = store_growth(&s->states, k, 1);
    const uint64_t others = search_number_bytes(s, s->count + UINT64_C(1));
    if (b->held + growth + others > s->max_bytes)
        return "memory";
    b->held += growth;
    return NULL;
}

/* The batch ends before edge e.  What was linked behind it is undone. */
static void
end_before(search *s, uint32_t e)
{
    batch *b = &s->b;
    for (uint32_t t = 0; t < b->threads; t++) {
        worker *w = b->worker + t;
        while (w->count > 0 && w->list[w->count - 1] >= e)
            w->count--;
        if (w->bad >= e)
            w->bad = NO_EDGE;
    }
    for (uint32_t i = e; s->next != NULL && i < b->size; i++)
        s->next[b->first + i] = UINT32_MAX;
    b->size = e;
}

void
batch_insert_within_limits(search *s)
{
    batch *b = &s->b;
    const uint32_t count = s->count;
    b->held = store_bytes(&s->states);
    for (uint32_t t = 0; t < b->threads && s->limit == NULL; t++)
        for (uint32_t i = 0; i < b->worker[t].count && s->limit == NULL; i++) {
            const worker *w = b->worker + t;
            const uint32_t at = w->first + i;
            const uint8_t *state = b->state + (size_t)at * s->step.bytes;
            const bool new = store_find(&s->states, state, b->hash[at]) == STORE_NONE;
            if (new)
                s->limit = batch_refuses(s, store_shard(b->hash[at]));
            if (s->limit != NULL) {
                end_before(s, w->list[i]);
            } else {
                batch_insert_edge(s, w, i);
                s->count += new;
            }
        }
    s->count = count; /* numbers come later */
}

void
batch_shrink(search *s)
{
    batch *b = &s->b;
    while (b->size > 1 && !batch_fits(s))
        batch_share_all(s, b->size / 2);
    if (b->size > 1 || batch_fits(s))
        return;
    s->limit = spread_refuses(s);
    batch_share_all(s, s->limit == NULL);
}
