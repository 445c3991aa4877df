/* What the files of this room share. */
#ifndef CKDA_SRC_RANGE_RANGE_INTERNAL_H
#define CKDA_SRC_RANGE_RANGE_INTERNAL_H
#include "ckda/field.h"
#include "ckda/input.h"
#include "ckda/range.h"

/* ---- value.c: non-negative real numbers that are compared with a format ---------------- */

typedef enum {
    RG_EXP,  /* q exp(e), q and e rational */
    RG_ELEM, /* an irrational element of K */
    RG_BALL  /* an enclosure, nothing more is known */
} rg_kind;

typedef struct {
    rg_kind kind;
    fmpq_t q, e;
    const ckda_field_struct *K;
    ckda_elem_t elem; /* initialised for RG_ELEM only */
    arb_t ball;
} rg_value;

void rg_value_init(rg_value *v); /* zero */
void rg_value_clear(rg_value *v);
void rg_value_set(rg_value *v, const rg_value *w);
void rg_value_set_fmpq(rg_value *v, const fmpq_t q);
void rg_value_set_exp(rg_value *v, const fmpq_t q, const fmpq_t e); /* q exp(e) */
void rg_value_set_elem(rg_value *v, const ckda_elem_t x, const ckda_field_t K); /* |x| */
void rg_value_set_ball(rg_value *v, const arb_t x);                             /* |x| */
void rg_value_get_arb(arb_t x, const rg_value *v, slong prec);
/* The rounding to f; CKDA_E_UNABLE for a ball around a boundary. */
CKDA_MUST_CHECK ckda_status rg_value_round(uint64_t *x, const rg_value *v,
                                           const ckda_fp_format *f,
                                           const ckda_fp_rule *rule);
/* Is v < w?  UNKNOWN for balls that meet; equal exact numbers are FALSE. */
ckda_truth rg_value_less(const rg_value *v, const rg_value *w);
/* Texts; n must be empty. */
void rg_value_text(ckda_range_number *n, const rg_value *v);
/* Does v round to something finite in f? */
ckda_truth rg_value_fits(const rg_value *v, const ckda_fp_format *f);
/* Does it round to zero (flush: or below the smallest normal value)? */
ckda_truth rg_value_vanishes(const rg_value *v, const ckda_fp_format *f, bool flush);
bool rg_value_is_subnormal(const rg_value *v, const ckda_fp_format *f);
/* Is it above 2^-precision of the format, so that it is seen beside 1? */
ckda_truth rg_value_is_visible(const rg_value *v, const ckda_fp_format *f);
/* Is it above 2^precision of the format? */
ckda_truth rg_value_loses_integers(const rg_value *v, const ckda_fp_format *f);

/* ---- text.c ------------------------------------------------------------------------- */

char *rg_copy(const char *text);       /* NULL gives NULL */
char *rg_fmpq_text(const fmpq_t q);    /* "p/q" */
char *rg_fmpq_decimal(const fmpq_t q); /* for people */
char *rg_arb_decimal(const arb_t x);   /* the midpoint, for people */
/* The exact value of a pattern, or "inf", "-inf", "nan". */
char *rg_pattern_text(uint64_t x, const ckda_fp_format *f);
void rg_number_clear(ckda_range_number *n);

/* ---- read.c: parts of documents --------------------------------------------------------- */

CKDA_MUST_CHECK ckda_status rg_read_rational(fmpq_t q, const ckda_node *at,
                                             ckda_error *err);
/* An optional member: q keeps its value if there is none. */
CKDA_MUST_CHECK ckda_status rg_get_rational(fmpq_t q, const ckda_node *in,
                                            const char *key, ckda_error *err);
CKDA_MUST_CHECK ckda_status rg_get_long(slong *v, const ckda_node *in, const char *key,
                                        slong lo, slong hi, ckda_error *err);
CKDA_MUST_CHECK ckda_status rg_get_bool(bool *v, const ckda_node *in, const char *key,
                                        ckda_error *err);
CKDA_MUST_CHECK ckda_status rg_get_format(const ckda_fp_format **f, const ckda_node *in,
                                          const char *key, ckda_error *err);
CKDA_MUST_CHECK ckda_status rg_read_format(const ckda_fp_format **f, const ckda_node *at,
                                           ckda_error *err);
/* An optional word of a list; *which keeps its value if there is none. */
CKDA_MUST_CHECK ckda_status rg_get_word(int *which, const ckda_node *in, const char *key,
                                        const char *const *words, int n, ckda_error *err);
/* q must lie in [lo, hi] (NULL: no limit) or the member is refused with `expected`. */
CKDA_MUST_CHECK ckda_status rg_check_between(const ckda_node *in, const char *key,
                                             const fmpq_t q, const char *lo,
                                             const char *hi, const char *expected,
                                             ckda_error *err);

/* ---- num.c: elements of K or balls, one set of formulas for both ------------------------- */

typedef struct {
    bool exact;
    const ckda_field_struct *K;
    slong prec;
} rg_ctx;

typedef union {
    ckda_elem_t elem;
    arb_t ball;
} rg_num;

rg_num *rg_new(slong n, const rg_ctx *c); /* zeros */
void rg_free(rg_num *x, slong n, const rg_ctx *c);
void rg_zero(rg_num *x, const rg_ctx *c);
void rg_one(rg_num *x, const rg_ctx *c);
void rg_set(rg_num *x, const rg_num *y, const rg_ctx *c);
void rg_set_elem(rg_num *x, const ckda_elem_t y, const rg_ctx *c);
void rg_add(rg_num *z, const rg_num *x, const rg_num *y, const rg_ctx *c);
void rg_sub(rg_num *z, const rg_num *x, const rg_num *y, const rg_ctx *c);
void rg_mul(rg_num *z, const rg_num *x, const rg_num *y, const rg_ctx *c);
void rg_neg(rg_num *z, const rg_num *x, const rg_ctx *c);
void rg_addmul(rg_num *z, const rg_num *x, const rg_num *y, const rg_ctx *c);
void rg_submul(rg_num *z, const rg_num *x, const rg_num *y, const rg_ctx *c);
bool rg_is_surely_zero(const rg_num *x, const rg_ctx *c);
/* Equal?  UNKNOWN for balls that meet. */
ckda_truth rg_equal(const rg_num *x, const rg_num *y, slong n, const rg_ctx *c);
void rg_value_set_num(rg_value *v, const rg_num *x, const rg_ctx *c); /* |x| */
/* The value of the largest magnitude, and where it stands (*at = -1 for n = 0).  For balls
 * whose order is not decided, v encloses the largest. */
void rg_largest(rg_value *v, slong *at, const rg_num *x, slong n, const rg_ctx *c);
/* C = A B, m x k times k x n; C must not alias. */
void rg_matmul(rg_num *C, const rg_num *A, const rg_num *B, slong m, slong k, slong n,
               const rg_ctx *c);
CKDA_MUST_CHECK ckda_status rg_round(uint64_t *x, const rg_num *y,
                                     const ckda_fp_format *f, const rg_ctx *c);

/* ---- box.c -------------------------------------------------------------------------- */

void rg_box_judge(ckda_range_chunk *r, const fmpq_t tolerance);

void rg_box_gates_judge(ckda_range_chunk *r); /* box_gates.c: the four gate factors */

/* ---- inputs.c: given inputs -------------------------------------------------------------- */

/* The numbers of a document, exact; gates are NULL without, alpha is false for log gates. */
typedef struct {
    slong n, d, dv; /* tokens, key width, value width (0: no values) */
    ckda_elem_struct *keys, *betas, *gates, *values, *gram, *initial;
    slong gate_width; /* 1 or d */
    bool alpha, compare;
} rg_inputs;

void rg_inputs_clear(rg_inputs *in, const ckda_field_t K);
void rg_inputs_judge(ckda_range_chunk *r, const rg_inputs *in, const ckda_field_t K,
                     const fmpq_t tolerance);

/* ---- factors.c -------------------------------------------------------------------- */

/* The four gate factors of given inputs into item[0 .. 3]. */
void rg_factors_judge(ckda_range_chunk *r, const rg_inputs *in, const rg_ctx *c);

/* ---- laws.c ------------------------------------------------------------------------ */

typedef struct {
    slong n, d, dv;
    rg_num *L, *T, *W, *U,
        *decay; /* n x n, n x n, n x d, n x dv; decay: n x d products */
} rg_chunk;

/* One chunk from token `first` on, n tokens; ungated ignores the gates. */
void rg_chunk_init(rg_chunk *k, const rg_inputs *in, slong first, slong n, bool ungated,
                   const rg_ctx *c);
void rg_chunk_clear(rg_chunk *k, const rg_ctx *c);
/* The gate of token t, channel j (1 without gates). */
void rg_gate(rg_num *x, const rg_inputs *in, slong t, slong j, const rg_ctx *c);
void rg_laws_judge(ckda_range_laws *laws, const rg_inputs *in, slong length,
                   const rg_ctx *c);

/* ---- emulate.c --------------------------------------------------------------------- */

/* T = (I + L)^-1 of n x n patterns (L strictly lower, in s->matrix), as s->inverse says. */
void rg_emulate(uint64_t *T, const uint64_t *L, slong n, const ckda_range_scheme *s);
size_t rg_count_nonfinite(slong *at, const uint64_t *T, slong n, const ckda_fp_format *f);
/* The largest |T - exact| and where; every T finite. */
void rg_largest_error(rg_value *error, slong *at, const uint64_t *T, const rg_num *exact,
                      slong n, const ckda_fp_format *f, const rg_ctx *c);
/* Judges T against exact: fills counts, error, place and verdict of e (present is set). */
void rg_emulation_judge(ckda_range_emulation *e, const uint64_t *T, const rg_num *exact,
                        slong n, const fmpq_t tolerance, const ckda_range_scheme *s,
                        const rg_ctx *c);
/* From 0, or one beta of the grid, to the next. */
void rg_next_beta(fmpq_t beta, const ckda_range_chunk *r);
/* The same for n equal keys (inner products x) on the grid of betas. */
void rg_emulation_box(ckda_range_chunk *r, const fmpq_t tolerance);
void rg_emulation_clear(ckda_range_emulation *e);

/* ---- documents --------------------------------------------------------------------- */

CKDA_MUST_CHECK ckda_status rg_read_chunk(ckda_range_chunk *r, const ckda_node *at,
                                          ckda_error *err);
void rg_chunk_result_clear(ckda_range_chunk *r);
ckda_truth rg_chunk_verdict(const ckda_range_chunk *r);
CKDA_MUST_CHECK ckda_status rg_read_gates(ckda_gates *g, const ckda_node *at,
                                          ckda_error *err);
void rg_gates_clear(ckda_gates *g);
/* gates_value.c: one more value, of a logit or given. */
void rg_gates_add_logit(ckda_gates *g, const fmpq_t logit, bool is_beta);
void rg_gates_add_given(ckda_gates *g, const fmpq_t x, bool is_beta);
/* One more comparison, formats and output as in proto, of value number `value`. */
CKDA_MUST_CHECK ckda_status rg_gates_add_compare(ckda_gates *g, size_t value,
                                                 const fmpq_t beta, bool is_logit,
                                                 const fmpq_t alpha,
                                                 const ckda_gates_compare *proto,
                                                 uint64_t steps);
ckda_truth rg_gates_verdict(const ckda_gates *g);
CKDA_MUST_CHECK ckda_status rg_read_dot(ckda_range_dot *d, const ckda_node *at,
                                        ckda_error *err);
void rg_dot_clear(ckda_range_dot *d);
ckda_truth rg_dot_verdict(const ckda_range_dot *d);

/* An item with nothing known yet. */
ckda_range_item *rg_new_item(ckda_range_chunk *r, const char *name, const char *about,
                             const ckda_fp_format *f);
void rg_item_clear(ckda_range_item *i);
void rg_witness_init(ckda_range_witness *w);
void rg_witness_clear(ckda_range_witness *w);
/* n tokens at this beta with the correlation and key length of the box. */
void rg_witness_set(ckda_range_witness *w, slong n, const fmpq_t beta,
                    const ckda_range_chunk *r);
/* fits, why, integers_lost from upper (no magnitude is above) and reached (one occurs). */
void rg_item_judge(ckda_range_item *i, const rg_value *upper, const rg_value *reached);

#endif
