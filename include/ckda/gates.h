/* ckda/gates.h -- practical gates: what logits become in a format.
 *
 *     signed    alpha = s (eps + (1 - eps) |r|),  r = 2 sigmoid(a) - 1,  s = sign of a
 *     sigmoid   alpha = exp(lower sigmoid(a)),    lower < 0
 *     exact     alpha is given
 *     beta = scale sigmoid(b), scale 1 or 2, or given
 *
 * Each value is the true real number for a logit that is an exact rational, enclosed and
 * rounded once; beside it stand the formulas that kernels evaluate, every step rounded.
 * Enclosures decide the rounding because the number is transcendental, hence no boundary of
 * a format, whenever the logit is not 0 (Lindemann-Weierstrass; docs/range.md); only for
 * `sigmoid`, where that is not known, a limit of precision may leave UNKNOWN.
 *
 * Thresholds ("the smallest logit from which beta rounds to exactly 2") are facts of a
 * format: sigmoid, rounding and every step are monotone, so a bisection over all patterns of
 * the logit format finds the exact one. */
#ifndef CKDA_GATES_H
#define CKDA_GATES_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ckda/flint_compat.h"
#include "ckda/fpfmt.h"
#include "ckda/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    CKDA_GATES_SIGNED = 0,
    CKDA_GATES_SIGMOID,
    CKDA_GATES_EXACT
} ckda_gates_kind;

/* How a value is computed. */
typedef enum {
    CKDA_GATES_ONCE = 0, /* the true value, rounded once */
    CKDA_GATES_STEPS,    /* RN(1 / RN(1 + RN(exp(-z)))) and so on, every step rounded */
    CKDA_GATES_TANH      /* |r| = RN(tanh(|a| / 2)), the rest as in STEPS; alpha only */
} ckda_gates_how;

/* The maps; read-only after they are filled. */
typedef struct {
    ckda_gates_kind kind;
    bool eps_is_exp;  /* eps = exp(eps), or the rational itself */
    fmpq_t eps;       /* signed; default exp(-5) */
    fmpq_t lower;     /* sigmoid; default -5 */
    slong beta_scale; /* 1 or 2 */
} ckda_gates_map;

void ckda_gates_map_init(ckda_gates_map *m); /* signed, eps = exp(-5), scale 2 */
void ckda_gates_map_clear(ckda_gates_map *m);

/* Enclosures of the true values for a rational logit, about prec bits. */
void ckda_gates_alpha_arb(arb_t x, const fmpq_t logit, const ckda_gates_map *m,
                          slong prec);
void ckda_gates_beta_arb(arb_t x, const fmpq_t logit, const ckda_gates_map *m,
                         slong prec);
/* The value in the format f by the named way, to nearest.  In STEPS and TANH the logit is
 * first rounded to f.  CKDA_E_UNABLE when 8192 bits do not decide (sigmoid gates only),
 * CKDA_E_DOMAIN for a way that the kind does not have. */
CKDA_MUST_CHECK ckda_status ckda_gates_alpha(uint64_t *x, const fmpq_t logit,
                                             const ckda_gates_map *m,
                                             const ckda_fp_format *f, ckda_gates_how how);
CKDA_MUST_CHECK ckda_status ckda_gates_beta(uint64_t *x, const fmpq_t logit,
                                            const ckda_gates_map *m,
                                            const ckda_fp_format *f, ckda_gates_how how);

/* ---- thresholds ---------------------------------------------------------------------- */

typedef enum {
    CKDA_GATES_BETA_TOP,    /* smallest logit with beta = scale */
    CKDA_GATES_BETA_BOTTOM, /* largest logit with beta = 0 */
    CKDA_GATES_ALPHA_TOP    /* signed: smallest logit > 0 with alpha = 1; sigmoid: the
                               largest logit with alpha = 1 */
} ckda_gates_edge;

/* The logit, a pattern of `logits`, at which the value in f reaches the edge.  *exists is
 * false when no finite logit of that format does.  Status as above. */
CKDA_MUST_CHECK ckda_status ckda_gates_threshold(uint64_t *logit, bool *exists,
                                                 ckda_gates_edge edge, ckda_gates_how how,
                                                 const ckda_gates_map *m,
                                                 const ckda_fp_format *logits,
                                                 const ckda_fp_format *f);
/* The smallest T >= 1 with x^T < threshold, for exact 0 < x < 1 and 0 < threshold <= 1, both
 * rational; CKDA_E_DOMAIN if x >= 1 (never), CKDA_E_UNABLE beyond 2^62. */
CKDA_MUST_CHECK ckda_status ckda_gates_horizon(uint64_t *T, const fmpq_t x,
                                               const fmpq_t threshold);

/* ---- documents ------------------------------------------------------------------------ */

typedef struct {
    bool is_beta;
    char *logit;             /* as given; NULL if the value itself was */
    char *exact;             /* NULL: only the decimal is known */
    char *decimal;           /* of the true value, for people */
    ckda_truth decided;      /* UNKNOWN: the rounding could not be decided */
    uint64_t rounded, steps; /* patterns of the format; steps: as kernels do it */
    bool has_steps;
    char *rounded_exact;
    char *decay;    /* 1 - |alpha|, or scale - beta, decimal; true value */
    bool collapses; /* rounds to an endpoint that the true value is not at */
    char *endpoint; /* "1", "0", "2": that endpoint; NULL without */
    /* alpha, when a threshold was given: smallest T with |alpha|^T below it; 0: never */
    bool has_horizon, horizon_known;
    uint64_t horizon, horizon_rounded;
    char *power, *power_rounded; /* |alpha|^steps, decimals, when steps were given */
} ckda_gates_value;

typedef struct {
    ckda_gates_edge edge;
    ckda_gates_how how;
    const ckda_fp_format *format;
    bool exists;
    uint64_t logit; /* pattern of the logit format */
    char *exact;    /* its value */
    char *decimal;
} ckda_gates_limit;

/* S_t = alpha (1 - beta) S_{t-1} + beta with beta rounded to two formats: the first token
 * whose state, rounded to `output`, differs; 0 if none of `steps` does. */
typedef struct {
    size_t value; /* index of the beta */
    char *alpha;
    const ckda_fp_format *a, *b, *output;
    uint64_t first;
    char *first_a, *first_b; /* the rounded outputs there */
    char *difference;        /* exact states there, b - a */
    char *last;              /* the same after `steps`, decimal */
    slong bits;              /* of the longest numerator or denominator seen */
} ckda_gates_compare;

typedef struct {
    ckda_gates_map map;
    const ckda_fp_format *format, *logits;
    bool has_threshold;
    fmpq_t threshold;
    uint64_t steps; /* 0: not given */
    ckda_gates_value *value;
    size_t nvalues;
    ckda_gates_limit *limit;
    size_t nlimits;
    ckda_gates_compare *compare;
    size_t ncompares;
} ckda_gates;

#ifdef __cplusplus
}
#endif
#endif
