/* ckda/reach.h -- the set of reachable states of an exact affine system.
 *
 * S_t = A_x S_{t-1} + B_x over K.  The search runs on images modulo primes; when it
 * closes, a height bound proves that the images tell the exact states apart, so that the
 * closed graph is the exact one (docs/math.md, "Closure modulo a prime").             */
#ifndef CKDA_REACH_H
#define CKDA_REACH_H
#include "ckda/construct.h"
#include "ckda/limits.h"
#include "ckda/mat.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const ckda_field_struct *K;
    ckda_mat_t initial;              /* n x m */
    uint32_t nletters;
    const ckda_mat_struct *linear;   /* nletters, n x n */
    const ckda_mat_struct *offset;   /* nletters, n x m, or NULL for none */
    /* decoding: element of each letter in a group, or NULL */
    const ckda_group_struct *G;
    const uint32_t *letter_element;
} ckda_system_struct;
typedef ckda_system_struct ckda_system_t[1];

typedef struct {
    ckda_truth finite;       /* TRUE: closed; UNKNOWN: limit reached */
    uint64_t states, edges;  /* edges checked = states * letters when closed */
    uint64_t *level;         /* states first reached by words of length 0, 1, ... */
    uint32_t nlevels;
    char *exactness;         /* which certificate makes the modular search exact */
    const char *limit;       /* NULL, or "states", "memory", "time" */
    /* decoding (when G was given) */
    ckda_truth decoder_consistent; /* label(T_x s) = x label(s) on every edge */
    uint32_t decoded;              /* distinct labels */
    uint64_t min_per_element, max_per_element;
    /* an inconsistency: state, letter, label expected and found */
    uint64_t bad_state;
    uint32_t bad_letter, bad_want, bad_got;
    /* the graph, kept on request: next[state * nletters + letter]; label[state] */
    uint32_t *next, *label;
    uint32_t *parent;        /* state it was first reached from (0 for state 0) */
    uint32_t *via;           /* letter of that edge */
} ckda_reach_struct;
typedef ckda_reach_struct ckda_reach_t[1];

#define CKDA_REACH_KEEP_GRAPH 1u

CKDA_MUST_CHECK ckda_status ckda_reach_run(ckda_reach_t r, const ckda_system_t sys,
                                           const ckda_limits *limits, unsigned flags,
                                           ckda_error *err);
void ckda_reach_clear(ckda_reach_t r);
/* The exact state number s, recomputed along its shortest word; needs KEEP_GRAPH. */
CKDA_MUST_CHECK ckda_status ckda_reach_state(ckda_mat_t S, const ckda_reach_t r,
                                             const ckda_system_t sys, uint64_t s);

#ifdef __cplusplus
}
#endif
#endif
