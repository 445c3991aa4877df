/* proofs/partd_depth.h -- the three heads of two layers of diagonal-plus-rank-one heads
 * (partd_depth.c): clock, delay line, swaps. */
#ifndef CKDA_PROOFS_PARTD_DEPTH_H
#define CKDA_PROOFS_PARTD_DEPTH_H
#include "ckda/evidence.h"
#include "ckda/group.h"
#include "ckda/reach.h"

enum { DEPTH_MAX_BLOCK = 8, DEPTH_MAX_TOKENS = 2 * DEPTH_MAX_BLOCK - 1 };

/* A group that one head tracks, with its graph. */
typedef struct {
    ckda_construction_t c;
    ckda_reach_t graph;
    bool made, explored;
} depth_tracker;

/* The head s -> A s + v u with the values 1, 2, ... of the letters, with its graph. */
typedef struct {
    ckda_mat_t A, u;
    ckda_mat_struct *linear, *offset; /* of the letters; NULL: not made */
    ckda_system_t sys;
    ckda_reach_t graph;
    bool explored;
} depth_line;

/* Do not move it: heads borrow from the other members. */
typedef struct {
    const char *name; /* of the group; borrowed */
    ckda_field_t Q;
    ckda_group_t G;             /* a symmetric group */
    uint32_t *letter, nletters; /* elements */
    long block, tokens;         /* m, n */
    depth_tracker clock, pile;  /* Z_m; G, by permutation matrices */
    depth_line delay;
    uint32_t *phase;  /* of each state of the clock */
    uint8_t *window;  /* delay state x tokens: 1 + the letter of this age; 0: none */
    uint32_t *factor; /* element x block: swaps, as elements, in time order; 0: none */
} depth_machine;

/* name, Q, G, letters, block and tokens are set, all else is 0: makes the heads, with their
 * graphs and the tables.  A head that expands, has infinitely many states or does not tell
 * what it has to hold is refuted.  Whatever the answer, depth_heads_clear. */
CKDA_MUST_CHECK ckda_truth depth_heads_make(ckda_evidence *ev, depth_machine *m,
                                            const ckda_elem_t scale);
void depth_heads_clear(depth_machine *m);
/* The state of a tracker after an element. */
uint32_t depth_moved(const depth_tracker *t, uint32_t state, uint32_t element);
/* The clock's next state, whatever the letter. */
uint32_t depth_ticked(const depth_machine *m, uint32_t c);

#endif
