/* What the phases of a batch share. */
#ifndef CKDA_SRC_REACH_BATCH_INTERNAL_H
#define CKDA_SRC_REACH_BATCH_INTERNAL_H
#include "search_internal.h"

#define FRESH (UINT32_C(1) << 31) /* in found[]: the edge found a new state */
#define NO_EDGE UINT32_MAX

/* What a thread does in a phase. */
typedef void phase(search *s, uint32_t thread);

/* Share t of the edges of the batch: from share_begin(t) to share_begin(t + 1). */
static inline uint32_t
share_begin(const batch *b, uint32_t t)
{
    return (uint32_t)((uint64_t)b->size * t / b->threads);
}

/* The state (counted from the first one of the batch) and the letter of an edge. */
typedef struct {
    uint32_t parent, letter;
} edge_name;

static inline edge_name
name_of(const search *s, uint32_t edge)
{
    const uint64_t at = s->b.first + edge;
    const uint32_t letters = s->im->nletters;
    return (edge_name){(uint32_t)(at / letters - s->b.first_parent),
                       (uint32_t)(at % letters)};
}

static inline void
next_name(edge_name *n, uint32_t letters)
{
    if (++n->letter == letters) {
        n->letter = 0;
        n->parent++;
    }
}

/* The record of a state that is expanded.  It can move when a state is added. */
static inline const uint8_t *
parent_record(const search *s, uint32_t parent)
{
    return store_at(&s->states, s->owner[s->b.first_parent + parent],
                    s->b.parent[parent]);
}

static inline uint32_t *
found(const batch *b, const worker *w, uint32_t i)
{
    return b->found + w->first + w->turn[i];
}

/* The target of number i of a list. */
static inline uint8_t *
target(const search *s, const worker *w, uint32_t i)
{
    return store_at(&s->states, store_shard(s->b.hash[w->first + i]),
                    *found(&s->b, w, i) & ~FRESH);
}

/* Is the target of the edge kept by this process? */
static inline bool
inserted_here(const batch *b, uint32_t edge)
{
    return b->mine == NULL || b->mine[edge] != 0;
}

/* 0, or one more than the shard of the new state that number i of a list found. */
static inline uint32_t
new_in(const batch *b, const worker *w, uint32_t i)
{
    if (b->kind != NULL)
        return b->kind[w->list[i]];
    return (*found(b, w, i) & FRESH) == 0 ? 0 : store_shard(b->hash[w->first + i]) + 1;
}

/* The label that an edge asks for, by its letter and the label of its state. */
static inline uint32_t
product(const search *s, edge_name edge)
{
    return search_product(s, edge.letter,
                          store_word(parent_record(s, edge.parent) + s->states.label));
}

static inline uint32_t
wanted(const search *s, uint32_t edge, edge_name name)
{
    return s->b.want != NULL ? s->b.want[edge] : product(s, name);
}

/* The edge leads to a state that has its number and label: they are compared, the graph
 * written. */
static inline void
link_edge(search *s, worker *w, uint32_t edge, edge_name name, const uint8_t *record)
{
    const batch *b = &s->b;
    if (b->number != NULL && s->numbers)
        b->number[edge] = store_word(record + s->states.number) + 1;
    else if (s->next != NULL)
        s->next[b->first + edge] = store_word(record + s->states.number);
    if (s->sys->G == NULL || w->bad != NO_EDGE)
        return;
    const uint32_t want = wanted(s, edge, name);
    const uint32_t got = store_word(record + s->states.label);
    if (want != got) {
        w->bad = edge;
        w->want = want;
        w->got = got;
    }
}

/* batch_limits.c.  Would every limit hold even if all edges of the lists found new states?
 * The same for all processes. */
bool batch_fits(const search *s);
/* May one more state enter shard k?  NULL, and it is counted in b->held; or the limit. */
const char *batch_refuses(search *s, uint32_t k);
/* The edges of the lists one by one up to the limit, where the batch ends. */
void batch_insert_within_limits(search *s);
/* With several processes the batch shrinks until it fits. */
void batch_shrink(search *s);

/* batch_number.c.  The new state of shard k that an edge found gets its number: its record
 * if it is kept here, else NULL. */
void batch_number_state(search *s, uint32_t number, uint32_t edge, edge_name name,
                        uint32_t k, uint8_t *record);
/* New states are counted in every list, then numbered in the order of edges, from s->count
 * on; s->count goes up after all threads are through. */
phase batch_note_kinds, batch_tally, batch_number, batch_link;
void batch_count(search *s);
void batch_take_inconsistency(search *s);

/* batch.c.  The batch has this size, and every edge is in the list of its share. */
void batch_share_all(search *s, uint32_t size);
/* Looks up the candidate of number i of a list again, and adds it if it is not there. */
void batch_insert_edge(search *s, const worker *w, uint32_t i);

#endif
