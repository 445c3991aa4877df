/* ckda/range.h -- does a scheme fit its formats?  One document in, one judged result out.
 *
 * Three kinds of documents (docs/range.md holds the schema and the proofs):
 *   {"chunk": {...}}  a chunk scheme of the gated delta rule: the largest magnitude of every
 *                     intermediate, either for ALL inputs in a box (beta, correlation of the
 *                     keys, gate bound) or for the inputs that the document holds
 *   {"gates": {...}}  logits to gates and betas in a format (ckda/gates.h)
 *   {"dot": {...}}    one inner product: exact value, a model of it, left to right in fp32
 *
 * Verdicts are ckda_truth: TRUE fits (proved), FALSE breaks (with the input that breaks it),
 * UNKNOWN undecided.  "Fits" means: rounded to its format no value of this intermediate
 * becomes non-finite, and no gate factor becomes zero while a term of L that it belongs to
 * is above 2^-precision of the format of L (visible beside the 1 on the diagonal).
 *
 * Exactness.  Bounds of a box are rational numbers, or q exp(e) with rational q, e; the
 * question whether such a number rounds to infinity is decided by enclosures, which end
 * because exp(e) is transcendental for rational e != 0.  Given inputs are elements of one
 * real number field and all intermediates are computed in it; with logarithmic gates they
 * are balls, and a verdict that the balls cannot give is UNKNOWN.
 *
 * A result owns all its texts.  Results are written only on CKDA_OK.  Calls are
 * independent; a thread ends with flint_cleanup(). */
#ifndef CKDA_RANGE_H
#define CKDA_RANGE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ckda/doc.h"
#include "ckda/flint_compat.h"
#include "ckda/fpfmt.h"
#include "ckda/gates.h"
#include "ckda/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    CKDA_RANGE_MAX_LENGTH = 128,        /* tokens of a chunk */
    CKDA_RANGE_MAX_TOKENS = 4096,       /* of given inputs */
    CKDA_RANGE_MAX_WIDTH = 512,         /* of keys and values */
    CKDA_RANGE_MAX_WORK = 1 << 26,      /* tokens x chunk x width of given inputs */
    CKDA_RANGE_MAX_EMULATION = 1 << 27, /* points of the grid times block^3 */
    CKDA_RANGE_MAX_GRID = 4096          /* points of the grid of betas */
};

/* ---- chunk schemes ------------------------------------------------------------------ */

typedef enum { CKDA_INVERSE_SUBSTITUTION = 0, CKDA_INVERSE_NEUMANN } ckda_range_inverse;
typedef enum { CKDA_GATE_NONE = 0, CKDA_GATE_SCALAR, CKDA_GATE_CHANNEL } ckda_range_gate;
/* What the exponents of a tile are measured from: the sum of log gates before the tile, at
 * its first row, at row tile/2, or the largest of the channels at each token. */
typedef enum {
    CKDA_ANCHOR_START = 0,
    CKDA_ANCHOR_FIRST,
    CKDA_ANCHOR_MIDDLE,
    CKDA_ANCHOR_TOKEN
} ckda_range_anchor;

/* The scheme and the formats in which it keeps things. */
typedef struct {
    slong length, tile, block; /* tokens: chunk, anchor tile, block that is inverted */
    ckda_range_anchor anchor;
    ckda_range_inverse inverse;
    const ckda_fp_format *gate, *factor, *matrix, *wy;
    const ckda_fp_format
        *accumulate; /* of the inverse's sums; NULL: exact, rounded once */
    bool ftz;        /* subnormal results become zero */
} ckda_range_scheme;

/* An input: n tokens, all inner products of the keys `rho` (equal keys for rho = 1) times
 * the squared length norm^2, each with this beta and, if gated, this log gate; token number
 * `open` (from 0; -1: none) has log gate 0 instead. */
typedef struct {
    bool present;
    slong tokens, open;
    fmpq_t beta, rho, norm, log_gate;
    bool gated;
} ckda_range_witness;

/* exact is NULL when only an enclosure is known; decimal is for people. */
typedef struct {
    char *exact, *decimal;
} ckda_range_number;

typedef enum {
    CKDA_BREAK_NONE = 0,
    CKDA_BREAK_OVERFLOW,
    CKDA_BREAK_UNDERFLOW
} ckda_break;

typedef struct {
    char name[40];     /* "L^8" */
    const char *about; /* what it is, static */
    const ckda_fp_format *format;
    ckda_truth fits;
    ckda_break why;
    ckda_range_number largest; /* no magnitude is above this */
    bool attained;             /* some input reaches it (given inputs: always) */
    ckda_range_number reached; /* a magnitude that occurs; NULLs if attained */
    /* factors only (else NULLs): the smallest magnitude of exp(..), or of the largest
     * key entry times it */
    ckda_range_number smallest;
    bool subnormal; /* that one is below the smallest normal value */
    /* the largest that occurs is above 2^precision: exact integers are no longer kept */
    ckda_truth integers_lost;
    /* box and FALSE: the same tokens with the smallest beta (gate) of the grid that breaks
     * it, and the fewest tokens at the largest */
    ckda_range_witness least, shortest;
    /* gate factors in a box: |log gate| up to this fits (NULL: no limit) */
    char *bound_that_fits;
    /* given inputs: where the largest one stands (row, column from 0), -1 without */
    slong chunk, row, col;
} ckda_range_item;

/* The inverse computed in the scheme's own format, entry by entry, next to the exact one. */
typedef struct {
    bool present;
    ckda_truth fits;
    slong tokens;              /* n: n x n entries */
    char *beta;                /* box: of the equal keys; NULL for given inputs */
    size_t nonfinite, entries; /* of the computed inverse */
    ckda_range_number error; /* largest |computed - exact|; NULLs if any is not finite */
    ckda_range_number inverse; /* largest entry of the exact inverse */
    slong row, col;           /* of the largest error, or of the first non-finite entry */
    char *computed;           /* that entry, exact, or "inf", "nan" */
    ckda_range_number should; /* and what it should be */
    char *tolerance;          /* relative to the largest exact entry */
    /* box: first beta of the grid with a non-finite entry, and first with an error above
     * the tolerance (or non-finite); NULL if there is none */
    char *first_nonfinite, *first_wrong;
    ckda_range_witness witness; /* box and FALSE: the input whose figures stand above */
    char *grid;
} ckda_range_emulation;

/* Given inputs: laws that hold exactly, decided (UNKNOWN with logarithmic gates). */
typedef struct {
    ckda_truth chunk_equals_recurrence; /* final states, with values only, else UNKNOWN */
    bool has_values;
    bool compared;      /* was "compare": "ungated" asked for? */
    ckda_truth ungated; /* all intermediates equal those without gates */
    ckda_truth
        period_is_identity; /* product of the transitions of every full chunk is I */
    char *state;            /* final state, "[[...]]", when short; else NULL */
} ckda_range_laws;

typedef struct {
    ckda_range_scheme scheme;
    bool box;     /* all inputs of a box, or given ones */
    bool gram;    /* given by inner products only */
    bool balls;   /* enclosures: logarithmic gates were given */
    slong tokens; /* given inputs: how many */
    ckda_range_gate gating;
    /* the box: log gates in [gate_bound, 0], betas in [0, beta_max], keys of length up to
     * norm_max whose angles have cosines in [-correlation_max, correlation_max] */
    fmpq_t beta_max, correlation_max, norm_max, value_max, gate_bound, grid;
    bool has_values;
    slong head_dim; /* 0: any */
    ckda_range_item *item;
    size_t nitems;
    ckda_range_emulation emulation;
    ckda_range_laws laws;
} ckda_range_chunk;

/* ---- inner products ------------------------------------------------------------------ */

typedef struct {
    slong n;
    const ckda_fp_format *fa, *fb;
    ckda_fp_dot_model model;
    ckda_range_number exact;
    uint64_t rounded;    /* the exact value rounded once to model.acc */
    uint64_t modelled;   /* what the model gives */
    uint64_t sequential; /* s = init; s = s + RN(a_i b_i), left to right, in model.acc */
    uint64_t fused;      /* the same with fma */
} ckda_range_dot;

/* ---- documents ------------------------------------------------------------------------ */

typedef enum { CKDA_RANGE_CHUNK, CKDA_RANGE_GATES, CKDA_RANGE_DOT } ckda_range_kind;

typedef struct {
    ckda_range_kind kind;
    ckda_truth verdict;     /* the worst of all parts */
    char *comment;          /* the document's, or NULL */
    ckda_range_chunk chunk; /* the member of the kind; the others are zero */
    ckda_gates gates;
    ckda_range_dot dot;
} ckda_range_struct;
typedef ckda_range_struct ckda_range_t[1];

/* r is initialised here.  CKDA_E_IO, CKDA_E_INPUT (with the place in the document),
 * CKDA_E_UNABLE (the numbers of the document need a field beyond the limit). */
CKDA_MUST_CHECK ckda_status ckda_range_open(ckda_range_t r, const char *file,
                                            ckda_error *err);
CKDA_MUST_CHECK ckda_status ckda_range_read(ckda_range_t r, const ckda_node *at,
                                            ckda_error *err);
void ckda_range_clear(ckda_range_t r);
/* The names of the document: "substitution", "start", "none", ... */
const char *ckda_range_inverse_name(ckda_range_inverse x);
const char *ckda_range_anchor_name(ckda_range_anchor x);
const char *ckda_range_gate_name(ckda_range_gate x);
/* {"chunk": ...} with the scheme of r and the inputs of the witness: read again, it breaks at
 * the same place.  A new reference. */
json_t *ckda_range_witness_document(const ckda_range_witness *w,
                                    const ckda_range_chunk *r);

#ifdef __cplusplus
}
#endif
#endif
