/* proofs/partd_heads.h -- one head of a layer whose parameters depend on the letter
 * alone: T_x(s) = A_x s + B_x, its reachable states and the maps that the letters make of
 * them. For the checks on one-layer laws. */
#ifndef CKDA_PROOFS_PARTD_HEADS_H
#define CKDA_PROOFS_PARTD_HEADS_H
#include "ckda/evidence.h"
#include "ckda/reach.h"
#include "ckda/trans.h"

enum { PARTD_MAX_LETTERS = 16 };

/* Do not move it: sys borrows from the other members. */
typedef struct {
    const char *name; /* borrowed */
    ckda_field_t K;
    slong n; /* states are columns */
    uint32_t nletters;
    ckda_trans_struct trans[PARTD_MAX_LETTERS];
    ckda_mat_struct linear[PARTD_MAX_LETTERS], offset[PARTD_MAX_LETTERS];
    ckda_mat_struct
        value[PARTD_MAX_LETTERS]; /* 1 x 1: |w| v, the write is (beta/w'w) w value */
    ckda_mat_t initial;
    ckda_system_t sys;
} partd_head;

/* Letters are the identity, values and initial state 0.  K is copied. */
void partd_head_init(partd_head *h, slong n, uint32_t nletters, const ckda_field_t K);
void partd_head_clear(partd_head *h);
/* To be called when trans, value and initial are written: forms linear and offset. */
void partd_head_ready(partd_head *h);
/* {"name": ..., "initial": [...], "letters": [{"beta", "key", "gate", "value"}, ...]},
 * values 0 if left out; "max_beta": a number, 2 if left out.  h is initialised on
 * CKDA_TRUE only. CKDA_FALSE: a parameter out of range. */
CKDA_MUST_CHECK ckda_truth partd_head_read(partd_head *h, ckda_evidence *ev,
                                           const ckda_node *at);
/* What the letters do, into the facts of a counterexample. */
void partd_head_facts(ckda_evidence *ev, const partd_head *h);

/* The reachable states, with the graph; r is initialised on CKDA_OK. */
CKDA_MUST_CHECK ckda_status partd_head_explore(ckda_reach_t r, const partd_head *h,
                                               uint64_t max_states, ckda_error *err);
/* map[s] = the state that x^e leads to from s; room for all states. */
void partd_power(uint32_t *map, const ckda_reach_t r, uint32_t nletters, uint32_t x,
                 long e);
/* The least t such that x^t leads from every state to a state that x returns to. */
long partd_tail(const ckda_reach_t r, uint32_t nletters, uint32_t x);

/* ---- seeded heads ---- */

/* Families of heads, many of them with finitely many states. */
typedef enum {
    PARTD_MONOMIAL, /* keys e_i, e_i +- e_j, beta 0, 1, 2, gates 0, +-1, writes */
    PARTD_PLANAR, /* rotations of orders up to 40 in one or two planes, resets, writes */
    PARTD_HALF,   /* keys (+-1, +-1, +-1, +-1) as well */
    PARTD_NILPOTENT, /* Jordan blocks of size 3 at 0 beside the monomial letters */
    PARTD_GROUPS,    /* letters of the quaternion, cube and planar constructions */
    PARTD_MERGE      /* keys 2 e_s + e_d with beta 5/2 as well */
} partd_family;
enum { PARTD_FAMILIES = 6 };
extern const char *const partd_family_name[PARTD_FAMILIES];

typedef struct partd_source partd_source;
/* With the constructions that PARTD_GROUPS draws from; NULL with a message if one fails.
 */
partd_source *partd_source_open(uint64_t seed, ckda_error *err);
void partd_source_close(partd_source **s);
/* h is initialised here. */
void partd_head_random(partd_head *h, partd_source *s, partd_family family);
/* "families": names of the list above. */
CKDA_MUST_CHECK ckda_status partd_read_families(partd_family f[PARTD_FAMILIES], size_t *n,
                                                const ckda_node *in, ckda_error *err);

#endif
