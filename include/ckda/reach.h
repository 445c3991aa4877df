/* ckda/reach.h -- the set of reachable states of an exact affine system.
 *
 * S_t = A_x S_{t-1} + B_x over K.  The search runs on images modulo primes.  When it
 * closes at depth L, every edge compares two words of length at most L + 1; a bound on
 * their denominators and conjugates proves that the images tell them apart (ckda/matmod.h),
 * so the closed graph is the exact one.  If the bound asks for more primes, the search is
 * repeated with them; beyond CKDA_REACH_MAX_PRIMES every edge is recomputed over K instead,
 * if that is small enough.
 *
 * States are numbered in the order in which a breadth-first search by one thread finds
 * them: by length, then by the number of the state before, then by letter.
 *
 * Results hold no pointer into the system.  The search prints nothing.  Conventions of
 * ckda/mat.h; ckda_reach_run and ckda_reach_check_decoder allocate what they need within
 * limits->max_bytes (the arrays that grow with the number of states) and never shorten the
 * answer silently.                                                                      */
#ifndef CKDA_REACH_H
#define CKDA_REACH_H
#include <signal.h>

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
/* Do different products of letters lead from the initial state to different states?  So if
 * there are no offsets and the initial state has rank n.  Only then is the number of states
 * that of the elements which the letters generate. */
bool ckda_system_tells_elements(const ckda_system_t sys);
/* Are all letters invertible?  If they generate finitely many elements, then a group. */
bool ckda_system_is_invertible(const ckda_system_t sys);

#define CKDA_REACH_MAX_PRIMES 16

/* Words that might prove a set infinite are drawn from this seed. */
#define CKDA_REACH_SEED 1

/* Why the powers of a word never repeat a state, on the span of the states that they lead
 * to.  The proof is the same for all (docs/math.md, infinite orbits); the reason says more. */
typedef enum {
    CKDA_PUMP_PERIOD,      /* nothing more was computed */
    CKDA_PUMP_CONTRACTION, /* the word's linear part has norm below 1 */
    CKDA_PUMP_TRACE,       /* a trace that is no algebraic integer */
    CKDA_PUMP_EIGENVALUE,  /* an eigenvalue that is neither 0 nor a root of unity */
    CKDA_PUMP_JORDAN,      /* a Jordan block at a root of unity */
    CKDA_PUMP_TRANSLATION  /* a power of the word is a translation */
} ckda_pump_kind;

/* The states that prefix, word, word, word, ... lead to, from the initial state on, never
 * repeat.  Letters in time order. */
typedef struct {
    uint32_t *prefix, *word;
    uint32_t nprefix, length; /* of the word; 0: there is no pump */
    uint32_t prime;           /* modulo which the proof holds (docs/certificates.md) */
    ckda_pump_kind kind;
    char *reason; /* for people, never NULL if there is a pump; flint_malloc'ed */
} ckda_pump;

typedef struct {
    ckda_truth finite;      /* TRUE: closed and certified; FALSE: proved infinite, see
                                `pump`; UNKNOWN: a limit was reached */
    uint64_t states, edges; /* edges checked = states * letters when closed.  Unless
                                finite is TRUE: a lower bound of the number of states */
    uint64_t *level;        /* states first reached by words of length 0, 1, ... */
    uint32_t nlevels;
    char *exactness; /* which certificate makes the modular search exact, or what
                                is missing; never NULL */
    uint32_t primes; /* how many primes the last search used */
    const char
        *limit; /* NULL, or "states", "memory", "time", "interrupted", "height bound" */
    uint32_t state_bytes; /* of one state, as the last search kept it */
    uint64_t bytes;       /* the most that its states, tables and graph took at a time */
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
    ckda_pump pump;   /* the proof that there are infinitely many states */
} ckda_reach_struct;
typedef ckda_reach_struct ckda_reach_t[1];

#define CKDA_REACH_KEEP_GRAPH 1u
/* Every edge is computed as a product and looked up.  Without this flag, edges of small
 * closures with many letters follow from a few tables by associativity (docs/math.md,
 * closure modulo a prime).  The result is the same. */
#define CKDA_REACH_EVERY_PRODUCT 2u

typedef struct {
    uint64_t states;   /* found so far */
    uint64_t expanded; /* of them with all their letters looked at */
    uint32_t level;    /* length of the shortest words to those being expanded */
    uint64_t bytes;    /* held by states, tables and graph */
    double seconds;
} ckda_reach_progress;

typedef struct {
    ckda_limits limits; /* max_states also below 2^32 - 1 */
    unsigned flags;
    int threads; /* 0: all cores, once the search is large.  No result depends on it */
    /* The search is saved to this file (NULL: not) every so many seconds, and when a limit
     * or an interruption stops it. */
    const char *checkpoint;
    double checkpoint_seconds;
    const char *resume; /* go on from this file; NULL: from the beginning */
    /* looked at between batches of edges; NULL: never interrupted */
    const volatile sig_atomic_t *stop;
    void (*progress)(const ckda_reach_progress *p, void *data); /* NULL: none */
    void *data;
} ckda_reach_options;

/* limits == NULL: none.  CKDA_OK also when a limit stopped the search (finite is then
 * CKDA_UNKNOWN); CKDA_E_SHAPE when the matrices do not fit, CKDA_E_UNABLE when K has no
 * usable prime. */
CKDA_MUST_CHECK ckda_status ckda_reach_run(ckda_reach_t r, const ckda_system_t sys,
                                           const ckda_limits *limits, unsigned flags,
                                           ckda_error *err);
/* The same with options.  Further errors: CKDA_E_IO when a checkpoint cannot be read or
 * written, CKDA_E_INPUT when it is damaged or belongs to another system, CKDA_E_UNABLE when
 * it is beyond the limits. */
CKDA_MUST_CHECK ckda_status ckda_reach_run_options(ckda_reach_t r,
                                                   const ckda_system_t sys,
                                                   const ckda_reach_options *o,
                                                   ckda_error *err);
void ckda_reach_clear(ckda_reach_t r);

/* Several processes (ckda/ranks.h) share each search: all call the functions above together,
 * with the same arguments.  Verdict, counts, levels and exactness are the same in all of
 * them; graph, labels and witness are process 0's alone.  max_bytes is for all together.
 * Each has checkpoints of its own (ckda/save.h); a search goes on with as many processes as
 * saved it. */

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
