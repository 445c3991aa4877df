/* ckda/drift.h -- a rounded recurrence beside the exact states, along given words.
 *
 * Words are seeded and uniform over the tracker's letters, or one given word, repeated.
 * Word w depends on the seed and on w alone, so no result depends on threads or order.
 * The exact side is an index in the tracker's table, at any length without error.
 *
 *   drift      |H_t - scale S_t|_F / scale; times the scale on a grid: grid units
 *   norm       |H_t|_F / (scale sqrt n), which is 1 for an exact state
 *   direction  sqrt n times the sine of the angle between H_t and S_t: what is left of
 *              the drift for the best scale.  A wrong decode needs direction >= m/2.
 *
 * Whether a state decodes rightly is decided, token by token: a proved filter in doubles,
 * and beyond it number-field arithmetic.  A state that is not finite decodes to nothing,
 * and so does a tie.  Drift, norm and direction are doubles for people, about 1e-14
 * accurate relative to their scale.  Memory does not depend on the length.
 *
 * Where drift comes from: four runs over the same letters, each with one more rounding,
 *   ideal S_t, rounded parameters H~_t (exact rational recurrence on the rounded inputs),
 *   operations rounded (kept in the compute format), store rounded (the run itself),
 * and the differences of neighbours, each cut into a part along S_t and the rest.      */
#ifndef CKDA_DRIFT_H
#define CKDA_DRIFT_H
#include "ckda/chunk.h"
#include "ckda/limits.h"
#include "ckda/rounded.h"
#include "ckda/tracker.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CKDA_DRIFT_NEVER UINT64_MAX
#define CKDA_DRIFT_MAX_ROWS 64

/* NEAREST and INNER are one rule: all states have the norm sqrt n, so the nearest multiple
 * of a state is the one with the largest inner product, whatever the scale.  PAPER: the
 * construction's own read-out, then the nearest rotation (DECODE_F), or the state itself
 * (DECODE_STATE). */
typedef enum {
    CKDA_DRIFT_NEAREST = 0,
    CKDA_DRIFT_INNER,
    CKDA_DRIFT_PAPER
} ckda_drift_decoder;

/* A kernel that takes `period` tokens at once; between, there is no state to look at.
 * advance: H (n x n) over count letters, count == period except at the end of a word;
 * called by several threads at once.  CKDA_OK, or a status that ends the run. */
typedef struct {
    uint64_t period;
    ckda_status (*advance)(double *H, const uint32_t *letter, uint64_t count,
                           const void *context);
    const void *context;
} ckda_drift_kernel;

typedef struct {
    uint64_t tokens, all; /* run so far, of how many; a word that is done counts whole */
    bool parts;           /* all are run, parts of the drift are computed */
    double seconds;
} ckda_drift_progress;

typedef struct {
    uint64_t seed, words, length; /* words, length >= 1 */
    const uint32_t *word;         /* letters, repeated to `length`; NULL: random words */
    uint64_t word_length;
    const uint64_t *at; /* where drift is kept, ascending, each in 1 .. length; with a
                           kernel each goes up to the next multiple of its period */
    size_t nat;         /* at most CKDA_DRIFT_MAX_ROWS */
    ckda_drift_decoder decoder;
    int threads; /* 0: as OpenMP decides */
    /* parts of the drift: for this many words, at each `at` up to this length; and for
     * the first wrong decode up to cause_length */
    uint64_t split_words, split_length, cause_length;
    const ckda_drift_kernel *kernel; /* NULL: ckda_rounded_step, token by token */
    const ckda_limits *limits;       /* max_seconds, max_bytes; NULL: none */
    /* told by one thread, some times a second; NULL: none */
    void (*progress)(const ckda_drift_progress *p, void *data);
    void *data;
} ckda_drift_options;

/* Quantiles by nearest rank; the median of an even number is the mean of the middle two.
 * +infinity where the state is not finite. */
typedef struct {
    uint64_t t, nonfinite; /* nonfinite: words whose state is not finite here */
    double median, max, q10, q25, q75, q90, norm_median;
} ckda_drift_row;

/* along: the component in the direction of S_t, with its sign; across: the norm of the
 * rest.  Both relative to scale. */
typedef struct {
    double along, across;
} ckda_drift_part;

typedef enum {
    CKDA_DRIFT_NOTHING = 0,   /* no drift at all */
    CKDA_DRIFT_KEY_NORM,      /* rounded parameters, along S_t */
    CKDA_DRIFT_KEY_DIRECTION, /* rounded parameters, across */
    CKDA_DRIFT_OPERATIONS,
    CKDA_DRIFT_STORE
} ckda_drift_source;

typedef struct {
    uint64_t word, t;
    double parameters;          /* |H~_t - scale S_t|_F / scale */
    double arithmetic;          /* |H_t - H~_t|_F / scale: operations and store */
    ckda_drift_part keys;       /* of parameters */
    ckda_drift_part operations; /* of arithmetic; with a kernel: all of it */
    ckda_drift_part store;
    bool has_store; /* false with a kernel: its parts are not told apart */
    bool exact;  /* H~_t as an exact rational; else a ball of relative radius < 2^-96 */
    double norm; /* |H~_t|_F / (scale sqrt n): the norm law on this word */
    /* the largest of the four; `across` counts alone when it is a decode that is asked
     * about, since decoders do not see the scale */
    ckda_drift_source largest;
} ckda_drift_split;

typedef struct {
    uint64_t word, t;
    uint32_t letter;            /* the one at t */
    uint32_t state;             /* exact state after it */
    uint32_t expected, decoded; /* elements */
    bool nonfinite, tie;        /* then decoded means nothing, or is one of several */
    double drift, norm, direction;
} ckda_drift_failure;

typedef struct {
    uint64_t words, length, tokens; /* tokens: all that were run */
    slong n;
    double scale, margin; /* m, a lower bound */
    size_t nrows;
    ckda_drift_row row[CKDA_DRIFT_MAX_ROWS];
    /* the largest drift after any token (period) of any word */
    double worst;
    uint64_t worst_word, worst_t;
    /* wrong decodes; a state that is not finite counts as one.  Median over all words. */
    uint64_t failed, first_min, first_median;
    ckda_drift_failure first; /* the least t, then the least word; if failed > 0 */
    uint64_t nonfinite, first_nonfinite;
    double norm_rate;          /* of ln |H|_F a token, from the rounded parameters */
    double measured_norm_rate; /* mean over words, to the last finite state */
    uint64_t guaranteed_steps; /* UINT64_MAX: every length.  0 with a kernel. */
    double rho, zeta;
    size_t nsplits;
    ckda_drift_split *split;
    bool has_cause; /* the first wrong decode within cause_length and finite */
    ckda_drift_split cause;
    double seconds;
} ckda_drift_result_struct;
typedef ckda_drift_result_struct ckda_drift_result_t[1];

/* CKDA_E_INPUT: a letter or `at` out of range, or PAPER without an explicit read-out.
 * CKDA_E_UNABLE: a limit.  r is initialised only with CKDA_OK. */
CKDA_MUST_CHECK ckda_status ckda_drift_run(ckda_drift_result_t r, const ckda_tracker_t t,
                                           const ckda_rounded_t R,
                                           const ckda_drift_options *o, ckda_error *err);
void ckda_drift_clear(ckda_drift_result_t r);

/* The first `count` letters of random word `index`. */
void ckda_drift_random_word(uint32_t *letter, uint64_t count, uint64_t seed,
                            uint64_t index, uint32_t nletters);

/* ---- chunked kernels ------------------------------------------------------------------ */

/* ckda_chunk_step as a kernel; it borrows k. */
ckda_drift_kernel ckda_drift_chunk_kernel(const ckda_chunk_t k);
/* Has R the keys (up to the sign of each) and betas of k, reflection by reflection?  Only
 * then do norm_rate and the parts of the drift, which come from R, speak about k. */
bool ckda_drift_chunk_agrees(const ckda_chunk_t k, const ckda_rounded_t R);

#ifdef __cplusplus
}
#endif
#endif
