/* ckda/snap.h -- the SNAP theorem, exactly: how wrong may a step be before a rounded state
 * forgets?
 *
 * A tracker stores Q(y) entry by entry after each step (one reflection with its gate).
 * V: the columns of all exact reachable states; X: the rows e_a^T A of all steps;
 * q(v) = Q(s v) for H_0 = Q(s I).  For x in X, v in V let m(x, v) be the signed distance
 * of x.q(v) from the boundary of the rounding cell of Q(s x.v) (on a grid
 * 1/2 - |x.q(v) - Q(s x.v)|), sigma = min m and epsA* = min m / |q(v)|_2.
 * [source: SNAP theorem]
 *
 *   (b) If every transition is within epsA < epsA* of the ideal one in spectral norm, or
 *       nothing but the arithmetic is wrong and each entry by less than sigma, then the
 *       stored state is Q(s H), H exact, after every word.
 *   (c) If epsA > epsA*, one step of rank-one difference stores something else somewhere.
 *
 * What is decided here is decided in K, or by doubles whose error is bounded below 1e-12
 * of what it is compared with and by K where they cannot tell.
 *
 * Arguments: results, inputs, options.  When a function returns anything but CKDA_OK its
 * results keep the values they had (an init leaves its object uninitialised).  A
 * ckda_snap_t borrows its tracker and is read-only after init: threads may share it.     */
#ifndef CKDA_SNAP_H
#define CKDA_SNAP_H
#include "ckda/rounded.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- quantisers -------------------------------------------------------------------- */

/* Round to nearest, ties to even: to integers (grid > 0), or to a format of at most 24 bits
 * and then |x| < 2^-flush to 0. */
typedef struct {
    int64_t grid; /* > 0: integers; else the format `state` */
    const ckda_fp_format *state;
    bool has_flush;
    int flush;
    ckda_ratio scale; /* s > 0, of H_0 */
} ckda_quantiser;

/* The quantiser that an arithmetic stores with.  CKDA_E_INPUT when it does not round to
 * nearest, or keeps more than 24 bits. */
CKDA_MUST_CHECK ckda_status ckda_quantiser_of(ckda_quantiser *q, const ckda_arith *a,
                                              ckda_error *err);
/* Integers at scale c. */
ckda_quantiser ckda_quantiser_grid(int64_t c);

/* ---- the pairs (x, v) of a tracker ------------------------------------------------- */

/* Where a row stands: coordinate `row` of step `step` of a letter. */
typedef struct {
    uint32_t letter, step, row;
} ckda_snap_row;

typedef struct {
    const ckda_tracker_struct *tracker;
    slong n;
    uint32_t ncolumns;
    uint32_t nvalues;        /* distinct entries of columns, in increasing order */
    ckda_elem_struct *value; /* nvalues */
    double *value_near;      /* each within 2^-52 */
    uint32_t *column;        /* ncolumns * n: which value each entry is */
    /* The distinct rows of the steps.  With beta off by e1 (2 - e1, or 0 + e1) and gate j
     * by e2_j the row is (x_j + e1 p_j) (1 - e2_j), e2 = 0 unless gated. */
    uint32_t nrows;
    ckda_elem_struct *x, *p; /* nrows * n */
    double *x_near, *p_near; /* each within 2^-52 */
    bool *gated;             /* the first step of a letter has the gate */
    ckda_snap_row *where;    /* where each was first met */
    uint32_t *image;         /* nrows * ncolumns: which value x.v is */
    /* The steps of letter l are first[l] .. first[l + 1] - 1, as in ckda/rounded.h (those with
     * beta = 0 are left out unless there is no other); row_of[step * n + a] */
    uint32_t *first, *row_of;
    uint32_t nsteps; /* distinct ones, for the reader */
} ckda_snap_struct;
typedef ckda_snap_struct ckda_snap_t[1];

/* CKDA_E_DOMAIN unless every step is a reflection or the identity with gates 1 and -1 and
 * maps the columns of the reachable states to such columns (true of every letter; for the
 * steps of a letter of several it is checked); CKDA_E_UNABLE beyond 2^28 pairs. */
CKDA_MUST_CHECK ckda_status ckda_snap_init(ckda_snap_t s, const ckda_tracker_t t,
                                           ckda_error *err);
void ckda_snap_clear(ckda_snap_t s);

/* ---- sigma and epsA* --------------------------------------------------------------- */

typedef struct {
    ckda_snap_row row;
    uint32_t column; /* of the tracker's columns */
} ckda_snap_place;

typedef struct {
    ckda_elem_t sigma; /* in units of Q (grid units on a grid) */
    int sign;          /* of sigma */
    ckda_snap_place sigma_at;
    /* sigma > 0: epsA*, squared in K; itself when it lies in K */
    ckda_elem_t epsilon_squared, epsilon;
    bool epsilon_in_field;
    arb_t epsilon_ball;
    ckda_snap_place epsilon_at;
    /* the lemma: eta2 = max |q(v) - s v|_2, etainf the same for entries, N = max |q(v)|_2.
     * On a grid eta2 + etainf + delta + epsA N < 1/2 suffices; slack = 1/2 - eta2 - etainf
     * (0 for formats). */
    ckda_elem_t eta2_squared, etainf, norm_squared;
    arb_t eta2, norm, lemma_slack;
    bool has_lemma;
    /* Do states of different elements have different images under Q?  If not, two of them. */
    bool separates;
    uint32_t same[2];
    /* Are sigma and epsA* the same over all products of steps (a snap after any number of
     * letters)?  CKDA_UNKNOWN when there are too many pairs. */
    ckda_truth same_for_products;
    /* sigma <= 0: a shortest word to a state with the column of sigma_at, letters in time
     * order; the step at sigma_at then computes `got`, which is stored as another value than
     * `want` (sigma < 0) or lies on the boundary (sigma = 0). */
    uint32_t *word;
    size_t length;
    ckda_elem_t got, want;
    const ckda_field_struct *K; /* of the tracker */
} ckda_slack_struct;
typedef ckda_slack_struct ckda_slack_t[1];

/* Leaves an initialised object on CKDA_OK only.  CKDA_E_DOMAIN when a value overflows the
 * format. */
CKDA_MUST_CHECK ckda_status ckda_slack_init(ckda_slack_t r, const ckda_snap_t s,
                                            const ckda_quantiser *Q, ckda_error *err);
void ckda_slack_clear(ckda_slack_t r);

/* ---- which scale ------------------------------------------------------------------- */

typedef struct {
    ckda_quantiser Q;
    double sigma, epsilon; /* nearest doubles or so: for people */
    double lemma_slack;    /* grids only */
} ckda_snap_choice;

/* The grids c = from .. to with sigma > 0 (decided exactly) that separate the elements;
 * *best: index of the largest epsA* (exact comparison, smallest c of equals), n if there is
 * none.  *list is freed with flint_free. */
CKDA_MUST_CHECK ckda_status ckda_snap_search_grid(ckda_snap_choice **list, size_t *n,
                                                  size_t *best, const ckda_snap_t s,
                                                  int64_t from, int64_t to,
                                                  ckda_error *err);
/* The same for the scales 1 + j/steps, 0 <= j < steps, of a format. */
CKDA_MUST_CHECK ckda_status ckda_snap_search_initial(ckda_snap_choice **list, size_t *n,
                                                     size_t *best, const ckda_snap_t s,
                                                     const ckda_quantiser *Q,
                                                     int64_t steps, ckda_error *err);

/* ---- what training may leave ------------------------------------------------------- */

/* The least e at which an entry reaches the boundary of its cell; for every smaller one the
 * stored states are exactly Q(s H).  `ball` encloses it to about 10 digits; `exact` is it
 * when in_field.  whole: no entry does in the whole range (e <= 2 for beta, 1 else). */
typedef struct {
    bool whole, in_field;
    arb_t ball;
    ckda_elem_t exact;
    ckda_snap_place at;
} ckda_threshold;

typedef struct {
    ckda_threshold beta;        /* every beta = 2 - e (0 + e for the identity) */
    ckda_threshold alpha;       /* every |gate| = 1 - e */
    ckda_threshold both;        /* the same e in both, fixed */
    ckda_threshold adversarial; /* beta, and every gate for itself, anywhere between the
                                   ideal and e away, at every step anew */
    arb_t logit; /* z with 2 sigmoid(z) = 2 - e for the adversarial e; 0 if whole */
    arb_t key_angle_degrees; /* asin(epsA* / 2): keys off by less are proved */
    const ckda_field_struct *K;
} ckda_tolerances_struct;
typedef ckda_tolerances_struct ckda_tolerances_t[1];

/* r is the slack of the same s and Q, with sigma > 0, else CKDA_E_DOMAIN. */
CKDA_MUST_CHECK ckda_status ckda_tolerances_init(ckda_tolerances_t t, const ckda_snap_t s,
                                                 const ckda_quantiser *Q,
                                                 const ckda_slack_t r, ckda_error *err);
void ckda_tolerances_clear(ckda_tolerances_t t);

/* ---- the arithmetic ---------------------------------------------------------------- */

/* Rigorous bounds, in units of Q, over all steps, columns and entries.  They hold for every
 * order of summation, fused or not. */
typedef struct {
    double delta;      /* >= |computed - exact A q(v)| */
    double parameters; /* the part of the rounded keys, betas and gates */
    double arithmetic; /* the part of the operations */
    double free;       /* <= distance of a computed entry from the boundary of its cell */
    double epsilon;    /* <= epsA*(delta) = min (m - delta) / |q|, or 0 */
    ckda_snap_place at; /* where `free` is least */
    /* free > 0: CKDA_TRUE, the stored state is Q(s H) for ever.  CKDA_FALSE: the step at
     * `at` certainly stores something else.  Else CKDA_UNKNOWN. */
    ckda_truth stays;
} ckda_snap_delta;

/* R is made of the same tracker with an arithmetic whose quantiser is Q. */
CKDA_MUST_CHECK ckda_status ckda_snap_delta_bound(ckda_snap_delta *d, const ckda_snap_t s,
                                                  const ckda_quantiser *Q,
                                                  const ckda_rounded_t R,
                                                  ckda_error *err);

#ifdef __cplusplus
}
#endif
#endif
