/* The second half of a batch: new states get their numbers, edges their ends. */
#include "batch_internal.h"

/* ---- number ----------------------------------------------------------------------- */

/* What the others must know of the edges that were inserted here. */
void
batch_note_kinds(search *s, uint32_t thread)
{
    batch *b = &s->b;
    const uint32_t end = share_begin(b, thread + 1);
    for (uint32_t e = share_begin(b, thread); e < end; e++)
        b->kind[e] = inserted_here(b, e) && (found_by(b, e) & FRESH) != 0
                         ? (uint8_t)(store_shard(b->hash[e]) + 1)
                         : 0;
}

void
batch_count_fresh(search *s, uint32_t thread)
{
    const batch *b = &s->b;
    const uint32_t end = share_begin(b, thread + 1);
    uint32_t fresh = 0;
    for (uint32_t e = share_begin(b, thread); e < end; e++)
        fresh += new_in(b, e) != 0;
    b->worker[thread].fresh = fresh;
}

void
batch_number(search *s, uint32_t thread)
{
    const batch *b = &s->b;
    const uint32_t letters = s->im->nletters, end = share_begin(b, thread + 1);
    uint32_t at = b->worker[thread].fresh; /* the number of the first new state */
    edge_name name = name_of(s, share_begin(b, thread));
    for (uint32_t e = share_begin(b, thread); e < end; e++, next_name(&name, letters)) {
        const uint32_t shard_up = new_in(b, e);
        if (shard_up == 0)
            continue;
        s->owner[at] = (uint8_t)(shard_up - 1);
        if (inserted_here(b, e)) {
            uint8_t *record = target(s, e, found_by(b, e));
            if (s->sys->G != NULL)
                store_set_word(record + s->states.label, wanted(s, e, name));
            if (s->numbers)
                store_set_word(record + s->states.number, at);
        }
        if (s->next != NULL) {
            s->parent[at] = b->first_parent + name.parent;
            s->via[at] = name.letter;
            memset(s->next + (size_t)at * letters, 0xff, letters * sizeof *s->next);
        }
        at++;
    }
}

/* ---- link ------------------------------------------------------------------------- */

void
batch_link(search *s, uint32_t thread)
{
    const batch *b = &s->b;
    worker *w = b->worker + thread;
    const uint32_t letters = s->im->nletters, end = share_begin(b, thread + 1);
    w->bad = NO_EDGE;
    edge_name name = name_of(s, share_begin(b, thread));
    for (uint32_t e = share_begin(b, thread); e < end; e++, next_name(&name, letters)) {
        if (b->number != NULL)
            b->number[e] = 0;
        if (!inserted_here(b, e))
            continue;
        const uint32_t found = found_by(b, e);
        const uint8_t *record = target(s, e, found);
        if (b->number != NULL && s->numbers)
            b->number[e] = store_word(record + s->states.number) + 1;
        else if (s->next != NULL)
            s->next[b->first + e] = store_word(record + s->states.number);
        if (s->sys->G != NULL && (found & FRESH) == 0 && w->bad == NO_EDGE
            && store_word(record + s->states.label) != wanted(s, e, name))
            w->bad = e;
    }
}

void
batch_take_inconsistency(search *s)
{
    const batch *b = &s->b;
    uint32_t e = NO_EDGE, want = 0, got = 0;
    if (!s->consistent)
        return;
    for (uint32_t t = 0; e == NO_EDGE && t < b->threads; t++)
        e = b->worker[t].bad;
    if (e != NO_EDGE) {
        want = wanted(s, e, name_of(s, e));
        got = store_word(target(s, e, found_by(b, e)) + s->states.label);
    }
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
