/* The states that a few factors reach from the initial one (monoid.c). */
#ifndef CKDA_SRC_REACH_MONOID_INTERNAL_H
#define CKDA_SRC_REACH_MONOID_INTERNAL_H
#include "search_internal.h"

enum { MONOID_MOST_FACTORS = 16 };

typedef struct {
    uint32_t letter;
    uint32_t *X; /* n x n residues, prime by prime */
} monoid_factor;

/* A state S u, u = prefix last = first suffix; all 0 for u = 1. */
typedef struct {
    uint32_t place; /* of its record: shard and local index */
    uint32_t prefix, suffix;
    uint8_t first, last;
} monoid_word;

/* States have the numbers 0, 1, ... in the order of their words. */
typedef struct {
    search *s; /* borrowed; only read */
    store states;
    uint32_t count, room, most;
    uint32_t nfactors;
    monoid_factor factor[MONOID_MOST_FACTORS];
    monoid_word *word;
    /* [factor][state]: the numbers of u X and X u */
    uint32_t *right[MONOID_MOST_FACTORS], *left[MONOID_MOST_FACTORS];
    uint32_t *label;     /* l, or NULL */
    bool consistent;     /* l(u g) = l(u) l(g) for all states and factors */
    uint32_t *from, *to; /* room for a state */
    uint8_t *packed;
    uint32_t pump_round;
} monoid;

static inline uint32_t
monoid_right(const monoid *m, uint32_t u, uint32_t g)
{
    return m->right[g][u];
}
void monoid_init(monoid *m, search *s);
void monoid_clear(monoid *m);
/* All states; m->s->im->initial is number 0.  False: beyond a limit, or infinitely many. */
bool monoid_close(monoid *m);
/* One factor more, from which all states are found anew; takes X over (flint_malloc'ed).
 * False as above. */
bool monoid_add_factor(monoid *m, uint32_t letter, uint32_t *X);
/* The number of a state given as bytes, or STORE_NONE. */
uint32_t monoid_find(const monoid *m, const uint8_t *state);
uint64_t monoid_bytes(const monoid *m);
/* Is it time to leave the search to batch.c?  more_bytes: held beside the monoid. */
bool monoid_gives_up(monoid *m, uint64_t more_bytes);

#endif
