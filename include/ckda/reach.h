/* ckda/reach.h -- the set of reachable states of an exact affine system.
 *
 * S_t = A_x S_{t-1} + B_x over K.  The search runs on images modulo primes.  When it
 * closes at depth L, every edge compares two words of length at most L + 1; a bound on
 * their denominators and conjugates proves that the images tell them apart (ckda/matmod.h),
 * so the closed graph is the exact one.  If the bound asks for more primes, the search is
 * repeated with them; beyond CKDA_REACH_MAX_PRIMES every edge is recomputed over K instead,
 * if that is small enough.
 *
 * Results hold no pointer into the system.  The search prints nothing.  Conventions of
 * ckda/mat.h; ckda_reach_run and ckda_reach_check_decoder allocate what they need within
 * limits->max_bytes (the arrays that grow with the number of states) and never shorten the
 * answer silently.                                                                      */
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
    ckda_mat_t initial; /* n x m */
    uint32_t nletters;
    const ckda_mat_struct *linear; /* nletters, n x n */
    const ckda_mat_struct *offset; /* nletters, n x m, or NULL for none */
    /* decoding: element of each letter in a group, or NULL */
    const ckda_group_struct *G;
    const uint32_t *letter_element;
} ckda_system_struct;
typedef ckda_system_struct ckda_system_t[1];

/* The system of a construction: every element is a letter, the initial state is I.  It
 * borrows from c; ckda_system_clear is for systems made here only. */
void ckda_system_init_construct(ckda_system_t sys, const ckda_construction_t c);
void ckda_system_clear(ckda_system_t sys);

#define CKDA_REACH_MAX_PRIMES 16

typedef struct {
    ckda_truth finite;      /* TRUE: closed and certified; FALSE: proved infinite, see
                                `pump`; UNKNOWN: a limit was reached */
    uint64_t states, edges; /* edges checked = states * letters when closed.  Unless
                                finite is TRUE: a lower bound of the number of states */
    uint64_t *level;        /* states first reached by words of length 0, 1, ... */
    uint32_t nlevels;
    char *exactness;   /* which certificate makes the modular search exact, or what
                                is missing; never NULL */
    uint32_t primes;   /* how many primes the last search used */
    const char *limit; /* NULL, or "states", "memory", "time", "height bound" */
    /* decoding (when G was given) */
    ckda_truth decoder_consistent; /* label(T_x s) = x label(s) on every edge.  FALSE or
                                      TRUE only when finite is TRUE, else UNKNOWN */
    uint32_t decoded;              /* distinct labels */
    uint64_t min_per_element, max_per_element; /* states over the labels that occur */
    /* an inconsistency, the first one found: state, letter, label expected and found */
    uint64_t bad_state;
    uint32_t bad_letter, bad_want, bad_got;
    /* the graph, kept on request: next[state * nletters + letter] (UINT32_MAX where a
     * limit stopped the search); label[state], NULL without G */
    uint32_t *next, *label;
    uint32_t *parent; /* state it was first reached from (0 for state 0) */
    uint32_t *via;    /* letter of that edge */
    /* proved infinite: the powers of this word of one or two letters, in time order, lead
     * from the initial state to infinitely many states */
    uint32_t pump[2], npump;
} ckda_reach_struct;
typedef ckda_reach_struct ckda_reach_t[1];

#define CKDA_REACH_KEEP_GRAPH 1u

/* limits == NULL: none.  CKDA_OK also when a limit stopped the search (finite is then
 * CKDA_UNKNOWN); CKDA_E_SHAPE when the matrices do not fit, CKDA_E_UNABLE when K has no
 * usable prime. */
CKDA_MUST_CHECK ckda_status ckda_reach_run(ckda_reach_t r, const ckda_system_t sys,
                                           const ckda_limits *limits, unsigned flags,
                                           ckda_error *err);
void ckda_reach_clear(ckda_reach_t r);
/* The exact state number s, recomputed along its shortest word; needs KEEP_GRAPH. */
CKDA_MUST_CHECK ckda_status ckda_reach_state(ckda_mat_t S, const ckda_reach_t r,
                                             const ckda_system_t sys, uint64_t s);
/* The explicit read-out: for every state s, does the construction's decoder return the
 * rotation of label[s]?  r must be certified finite, with KEEP_GRAPH, of the system `sys`
 * made from c.  Decided exactly (modulo primes beyond the bound of both sides, which is
 * printed into *how unless it is NULL; free with flint_free).  *checked: states compared.
 * CKDA_FALSE names the state in err; CKDA_UNKNOWN when the construction has no explicit
 * read-out or the bound needs more than CKDA_REACH_MAX_PRIMES primes. */
CKDA_MUST_CHECK ckda_truth ckda_reach_check_decoder(uint64_t *checked, char **how,
                                                    const ckda_reach_t r,
                                                    const ckda_system_t sys,
                                                    const ckda_construction_t c,
                                                    ckda_error *err);

#ifdef __cplusplus
}
#endif
#endif
