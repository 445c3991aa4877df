/* The second half of a batch: new states get their numbers, edges their ends. */
#include "batch_internal.h"

/* What the others must know of the edges that were inserted here. */
void
batch_note_kinds(search *s, uint32_t thread)
{
    batch *b = &s->b;
    const worker *w = b->worker + thread;
    for (uint32_t i = 0; i < w->count; i++) {
        const uint32_t e = w->list[i];
        b->kind[e] = inserted_here(b, e) && (*found(b, w, i) & FRESH) != 0
                         ? (uint8_t)(store_shard(b->hash[w->first + i]) + 1)
                         : 0;
    }
}

void
batch_number_state(search *s, uint32_t number, uint32_t edge, edge_name name, uint32_t k,
                   uint8_t *record)
{
    const uint32_t letters = s->im->nletters;
    s->owner[number] = (uint8_t)k;
    if (record != NULL && s->sys->G != NULL)
        store_set_word(record + s->states.label, wanted(s, edge, name));
    if (record != NULL && s->numbers)
        store_set_word(record + s->states.number, number);
    if (s->next != NULL) {
        s->parent[number] = s->b.first_parent + name.parent;
        s->via[number] = name.letter;
        memset(s->next + (size_t)number * letters, 0xff, letters * sizeof *s->next);
    }
}

void
batch_tally(search *s, uint32_t thread)
{
    worker *w = s->b.worker + thread;
    uint32_t fresh = 0;
    for (uint32_t i = 0; i < w->count; i++)
        fresh += new_in(&s->b, w, i) != 0;
    w->fresh = fresh;
}

void
batch_number(search *s, uint32_t thread)
{
    const batch *b = &s->b;
    const worker *w = b->worker + thread;
    uint32_t number = s->count;
    for (uint32_t t = 0; t < thread; t++)
        number += b->worker[t].fresh;
    for (uint32_t i = 0; i < w->count; i++) {
        const uint32_t e = w->list[i], shard_up = new_in(b, w, i);
        if (shard_up != 0)
            batch_number_state(s, number++, e, name_of(s, e), shard_up - 1,
                               inserted_here(b, e) ? target(s, w, i) : NULL);
    }
}

void
batch_count(search *s)
{
    for (uint32_t t = 0; t < s->b.threads; t++)
        s->count += s->b.worker[t].fresh;
}

/* The edges of a thread's list; the others were linked when they were looked up. */
void
batch_link(search *s, uint32_t thread)
{
    batch *b = &s->b;
    worker *w = b->worker + thread;
    for (uint32_t i = 0; i < w->count; i++) {
        const uint32_t e = w->list[i];
        if (b->number != NULL)
            b->number[e] = 0;
        if (inserted_here(b, e))
            link_edge(s, w, e, name_of(s, e), target(s, w, i));
    }
}

void
batch_take_inconsistency(search *s)
{
    const batch *b = &s->b;
    uint32_t e = NO_EDGE, want = 0, got = 0;
    for (uint32_t t = 0; t < b->threads; t++) {
        worker *w = b->worker + t;
        if (w->bad < e) {
            e = w->bad;
            want = w->want;
            got = w->got;
        }
        w->bad = NO_EDGE;
    }
    if (!s->consistent)
        return;
    if (s->ranks > 1)
        e = spread_first_bad(e, &want, &got);
    if (e == NO_EDGE)
        return;
    s->consistent = false;
    s->bad_state = b->first_parent + name_of(s, e).parent;
    s->bad_letter = name_of(s, e).letter;
    s->bad_want = want;
    s->bad_got = got;
}
