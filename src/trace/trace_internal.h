/* What the files of this room share. */
#ifndef CKDA_SRC_TRACE_INTERNAL_H
#define CKDA_SRC_TRACE_INTERNAL_H
#include <stdlib.h>

#include "ckda/flint_compat.h"
#include "ckda/fpfmt.h"
#include "ckda/trace.h"

/* malloc, or abort; zeroed. */
static inline void *
fresh(size_t count, size_t size)
{
    void *p = calloc(count > 0 ? count : 1, size);
    ckda_require_memory(p != NULL);
    return p;
}

/* ---- the trace as tensors with strides (schema.c, open.c) ----------------------------- */

/* A tensor seen as [b, t, h, i]; a stride of 0 repeats. */
typedef struct {
    const ckda_tensor *t; /* NULL: not there */
    uint64_t sb, st, sh, si;
    uint64_t group; /* value heads that share one head of this tensor */
} view;

/* The number as a double: exact for every dtype that views may have. */
double tensor_double(const ckda_tensor *t, uint64_t i);
/* Format of the dtype, NULL for integers. */
const ckda_fp_format *tensor_format(const ckda_tensor *t);

static inline double
view_get(const view *v, uint64_t b, uint64_t t, uint64_t h, uint64_t i)
{
    return tensor_double(v->t, b * v->sb + t * v->st + h / v->group * v->sh + i * v->si);
}

typedef struct {
    const char *name;
    view o;     /* [b,t,h,c]; rows: c = row * columns + column */
    view state; /* [b,-,h,k * V + c] when read as [K,V] */
    bool has_layout, layout_vk;
    ckda_trace_model model;
} kernel_tensors;

typedef enum { GATE_NONE, GATE_ALPHA, GATE_LOG, GATE_LOWER, GATE_SOFTPLUS } gate_kind;

struct ckda_trace {
    const ckda_tensors *ts;
    uint64_t B, T, HK, H, K, V;
    bool headless; /* no head axis anywhere */
    bool rows;
    uint64_t R, C; /* rows: shape of the part that o shows */
    view q, k, v, gate, a_log, dt_bias, beta, initial;
    bool q_raw, k_raw, beta_raw, identity; /* identity: H_0 = I */
    gate_kind gate_kind;
    bool gate_scalar;
    char *scale, *lower_bound, *norm_eps,
        *beta_scale; /* decimal texts; scale may be NULL */
    kernel_tensors *kernel;
    size_t nkernels;
    const char **ignored;
    size_t nignored;
};

/* Metadata to texts of decimal numbers; open.c. */
ckda_status trace_read_numbers(ckda_trace *tr, ckda_error *err);
/* |x - text| is inside; the text was checked on opening. */
void decimal_arb(arb_t x, const char *text, slong prec);

/* ---- rules (rule.c) -------------------------------------------------------------------- */

typedef enum {
    ORDER_STATED = 0, /* (I - b k k^T) D h + b k v */
    ORDER_GATE_LAST,  /* D (I - b k k^T) h + b k v */
    ORDER_OLD_ERROR,  /* D h + b k (v - k^T h) */
    ORDER_GATE_ALL    /* D ((I - b k k^T) h + b k v) */
} rule_order;

typedef enum { KEY_STATED = 0, KEY_UNIT, KEY_RAW } rule_key;

/* The stated rule is all zero. */
typedef struct {
    rule_order order;
    rule_key key;
    const ckda_fp_format *beta_to, *gate_to, *alpha_to; /* rounded once, NULL: not */
    int beta_double, beta_halve;
    bool no_gate, unsigned_gate, no_beta;
    bool no_scale, scale_twice;
    bool no_initial;
    bool read_before; /* o_t = scale H_{t-1}^T q_t */
    bool gate_late;   /* the gate of the token before; none at the first */
    bool inputs_late; /* everything of the token before; o_0 = 0 */
    int state_bits;   /* the state kept with so many bits each token; 0: not */
} rule;

typedef struct {
    const char *id, *text;
    rule rule;
} named_rule;
extern const named_rule known_rules[];
extern const size_t known_rules_count;

/* ---- one token ready for use (token.c) --------------------------------------------------- */

enum { ALPHA_GENERAL = 0, ALPHA_ONE, ALPHA_MINUS_ONE };

/* Upper bounds are doubles.  Bounds on norms hold for the exact values and for those
 * below. */
typedef struct {
    mpfr_t *k, *q, *alpha;   /* [K] each */
    signed char *alpha_kind; /* [K] */
    mpfr_t beta;
    double nk, nq, na, nb; /* |k|, |q|, max |alpha|, |beta| */
    double dk, dq, da, db; /* errors of our values, same norms */
    double mk, mq, ma, mb; /* errors a kernel of the model may make */
    double growth;         /* |I - beta k k^T| */
} token;

void token_init(token *p, uint64_t K, slong prec);
void token_clear(token *p, uint64_t K);

typedef struct {
    const ckda_trace *tr;
    uint64_t b, h;
    rule rule;
    uint64_t tokens, c0, c1; /* the first tokens; columns c0 .. c1-1 */
    slong prec;
    int depth;
} run_args;

void token_prepare(token *p, const run_args *a, uint64_t t);
/* Our value of the scale, and a bound on its error. */
void scale_prepare(mpfr_t scale, double *error, const run_args *a);

/* ---- bounds over many tokens (envelope.c) ------------------------------------------- */

/* E [K * K] over one token that adds an error of at most rho; tmp: 2 K doubles. */
void envelope_step(double *E, const token *p, double rho, uint64_t K, double *tmp);
/* On the 2-norm of the error when E holds that many terms. */
double envelope_bound(const double *E, uint64_t terms, uint64_t K);

/* ---- the recurrence (run.c) ---------------------------------------------------------------- */

enum { RUN_BLOCK = 128 }; /* tokens prepared together: few waits for each other */

/* Numbers a token shows: [n * width] each, hi + lo to within rad of the exact answer. */
typedef struct {
    uint64_t t0, n, width;
    double *hi, *lo, *rad, *bound[CKDA_MODELS];
} run_block;

/* The state after the last token: [K * columns], column after column; bounds are on the
 * 2-norm of each column. */
typedef struct {
    uint64_t K, columns;
    double *hi, *lo, *rad, *bound[CKDA_MODELS];
} run_final;

typedef void (*run_sink)(void *data, const run_block *block);
/* Calls sink block by block in order (never concurrently); fills fin unless NULL. */
void run_head(const run_args *a, run_sink sink, void *data, run_final *fin);
void run_final_init(run_final *f, uint64_t K, uint64_t columns);
void run_final_clear(run_final *f);
int default_depth(uint64_t K);

/* ---- comparing (compare.c) ------------------------------------------------------------------ */

/* The exact number hi + lo within rad, a bound of the model, what a kernel wrote. */
typedef struct {
    double hi, lo, rad, bound;
} wanted;

/* got must be finite.  *d = |got - exact| to within slack. */
ckda_token_class compare_number(double *d, const wanted *w, double got,
                                const ckda_fp_format *f);
/* Half an ulp of f at magnitude m >= 0. */
double half_ulp(double m, const ckda_fp_format *f);
/* hi rounded to f (NULL: as it is). */
double rounded_to(double hi, const ckda_fp_format *f);

/* ---- parts of the judgement ------------------------------------------------------------------- */

/* diagnose.c: fills d for kernel j, whose first breach is given. */
void trace_diagnose(ckda_trace_diagnosis *d, const ckda_trace *tr, size_t j,
                    const ckda_trace_kernel *k, slong prec, int depth);

/* words.c */
typedef struct words_run words_run;
/* *w = NULL when the trace has no tables; out->skipped says if they are not understood. */
ckda_status words_open(words_run **w, ckda_trace_words *out, const ckda_trace *tr,
                       ckda_error *err);
void words_block(words_run *w, uint64_t b, const run_block *block);
void words_close(words_run **w);

#endif
