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

/* What an edge led to. */
static inline uint32_t
found_by(const batch *b, uint32_t edge)
{
    return b->worker[b->thread_of[store_shard(b->hash[edge])]].found[edge];
}

static inline uint8_t *
target(const search *s, uint32_t edge, uint32_t found)
{
    return store_at(&s->states, store_shard(s->b.hash[edge]), found & ~FRESH);
}

/* Is the target of the edge kept by this process? */
static inline bool
inserted_here(const batch *b, uint32_t edge)
{
    return b->mine == NULL || b->mine[edge] != 0;
}

/* 0, or one more than the shard of the new state that the edge found. */
static inline uint32_t
new_in(const batch *b, uint32_t edge)
{
    if (b->kind != NULL)
        return b->kind[edge];
    return (found_by(b, edge) & FRESH) == 0 ? 0 : store_shard(b->hash[edge]) + 1;
}

/* The label that an edge asks for, by its letter and the label of its state. */
static inline uint32_t
product(const search *s, edge_name edge)
{
    const ckda_group_struct *G = s->sys->G;
    const uint32_t g = s->sys->letter_element[edge.letter];
    const uint32_t h = store_word(s->b.parent[edge.parent] + s->states.label);
    return G->table != NULL ? G->table[g * G->order + h] : ckda_group_mul(G, g, h);
}

static inline uint32_t
wanted(const search *s, uint32_t edge, edge_name name)
{
    return s->b.want != NULL ? s->b.want[edge] : product(s, name);
}

/* The phases after the insertion (batch_number.c). */
phase batch_note_kinds, batch_count_fresh, batch_number, batch_link;
void batch_take_inconsistency(search *s);

#endif
