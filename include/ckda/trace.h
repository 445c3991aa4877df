/* ckda/trace.h -- tensors that somebody else's kernel wrote, judged by the exact answer.
 *
 * A trace is a collection of tensors with the names and shapes of the field (docs/
 * traces.md): inputs q, k [B,T,H,K], v [B,T,HV,V], gates, beta, initial_state, and what
 * one or several kernels made of them, "o.NAME" and "final_state.NAME".  The rule is
 *
 *     H_t = (I - beta k k^T) diag(alpha) H_{t-1} + beta k v^T,      o = scale H^T q
 *
 * on the given numbers, which are exact (a bf16 number is a dyadic rational); exp,
 * sigmoid and the norm of raw inputs are enclosed.
 *
 * The answer is computed with prec-bit numbers (RNE) beside one rigorous bound per column
 * of the state, which knows every rounding: if e bounds the 2-norm of the error of a
 * column, e' = |I - beta k k^T| max|alpha| e + what this token's roundings and enclosures
 * can add.  The same bound with the roundings of a kernel in place of ours says how far a
 * correct kernel may be off:
 *
 *   recurrent-fp32        state and arithmetic in fp32, each inner product in any order in
 *                         which a term passes at most `depth` additions (default 4 + 2
 *                         ceil(log2 K)), fma or not, exp and sigmoid good to a few ulp,
 *                         inputs taken as given, the output rounded once to its format;
 *   recurrent-bf16-state  the same, and every state entry rounded to bf16 each token.
 *
 * Both are worst cases and hold barring underflow and overflow in fp32.  There is none
 * for chunked kernels with bf16 factors: a worst case that knows only norms exceeds 1
 * after a few chunks.  Such a kernel is measured against recurrent-fp32 like any other.
 *
 * Tokens, batches, heads and channels count from 0 here.  Threads: the judge uses OpenMP;
 * one trace may be judged by several threads. */
#ifndef CKDA_TRACE_H
#define CKDA_TRACE_H
#include <stdbool.h>
#include <stdint.h>

#include "ckda/status.h"
#include "ckda/tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ckda_trace ckda_trace;

/* Finds the tensors of the schema and checks their shapes and numbers.  CKDA_E_INPUT with
 * a message that names tensor, expected and found.  ts must outlive the trace. */
CKDA_MUST_CHECK ckda_status ckda_trace_open(ckda_trace **tr, const ckda_tensors *ts,
                                            ckda_error *err);
void ckda_trace_close(ckda_trace **tr); /* sets *tr = NULL */

typedef enum { CKDA_MODEL_FP32 = 0, CKDA_MODEL_BF16_STATE, CKDA_MODELS } ckda_trace_model;
const char *ckda_trace_model_name(ckda_trace_model m);

typedef struct {
    int depth; /* additions a term of an inner product may pass; 0: the default */
    long prec; /* bits of the reference; 0: 120, doubled while the radius is too big */
    bool diagnose; /* try rules that a kernel may have followed instead */
} ckda_trace_options;

/* A real number between lo and hi. */
typedef struct {
    double lo, hi;
} ckda_trace_range;

/* A place in an output: o[b,t,h,c]; of rows, c = row * columns + column. */
typedef struct {
    bool found;
    uint64_t b, t, h, c;
} ckda_trace_place;

typedef enum {
    CKDA_TOKEN_ROUNDED = 0, /* every number is the exact one rounded (ties either way) */
    CKDA_TOKEN_WITHIN,      /* not all, but all within the bound of the model */
    CKDA_TOKEN_BEYOND,      /* a number proved to be beyond the bound */
    CKDA_TOKEN_UNDECIDED,   /* the reference is too coarse to tell */
    CKDA_TOKEN_NONFINITE,   /* infinity or NaN */
    CKDA_TOKEN_CLASSES
} ckda_token_class;

/* Relative 2-norm error of pieces of the output, all batches and heads together. */
typedef struct {
    uint64_t length; /* tokens a piece; the last may be shorter */
    uint64_t count;
    double *error;  /* of piece i; infinite if it has a non-finite number */
    bool jumps;     /* is there a piece with more than 4 times any earlier error? */
    uint64_t first; /* then the first such piece (after the first one) */
} ckda_trace_pieces;

typedef enum { CKDA_MATCH_NONE = 0, CKDA_MATCH_NEARER, CKDA_MATCH_YES } ckda_match;

/* A rule that a kernel may have followed. */
typedef struct {
    const char *id;   /* "beta-bf16"; docs/traces.md lists them */
    const char *text; /* for people */
    ckda_match match; /* YES: every number looked at lies within the bound of this rule */
    bool emulated;    /* rounds within the recurrence: followed, not enclosed */
    double distance;  /* relative 2-norm distance of the kernel from this rule */
} ckda_trace_rule;

typedef struct {
    bool done;
    bool on_state;   /* looked at final_state, else at o */
    uint64_t b, h;   /* which head was looked at */
    uint64_t tokens; /* the first so many */
    uint64_t c0, columns;
    double distance;       /* from the stated rule, on the same numbers */
    ckda_trace_rule *rule; /* those that differ from the stated one, nearest first */
    size_t nrules;
} ckda_trace_diagnosis;

typedef struct {
    const char *name; /* "" for a plain "o"; owned by the trace */
    ckda_trace_model model;
    bool has_o, has_final;
    const char *o_dtype, *final_dtype;
    /* outputs */
    ckda_trace_range o_error;            /* relative Frobenius error */
    ckda_trace_range o_rounding;         /* of the exact answer rounded to the dtype */
    uint64_t tokens[CKDA_TOKEN_CLASSES]; /* (b, t, h) triples of each class */
    ckda_trace_place first[CKDA_TOKEN_CLASSES]; /* least t, then b, h, c */
    ckda_trace_place first_misrounded;
    double first_got, first_want;   /* at first_misrounded */
    ckda_trace_place worst;         /* largest absolute error of a finite number */
    double worst_error, worst_want; /* there */
    double *head_error;             /* [B * HV], relative */
    double *token_error;            /* [T]: all batches and heads; infinite likewise */
    ckda_trace_pieces pieces[3];    /* 16, 32, 64 tokens */
    /* final state */
    ckda_trace_range final_error;
    double final_bound;           /* relative, of the model */
    bool final_transposed;        /* [V,K] fits and [K,V] does not; no metadata said so */
    ckda_token_class final_class; /* WITHIN, BEYOND, UNDECIDED or NONFINITE */
    uint64_t final_b, final_h, final_column; /* the first column beyond, or not finite */
    ckda_truth within;                       /* all of it: the verdict on this kernel */
    ckda_trace_diagnosis diagnosis;
} ckda_trace_kernel;

/* Two kernels side by side. */
typedef struct {
    size_t a, b;                   /* indices of kernels */
    int nearer_o, nearer_final;    /* -1: a, 1: b, 0: not told apart or not there */
    ckda_trace_place first_differ; /* first number whose values differ */
    int first_beyond; /* who leaves its bound first; 0: neither, or together */
} ckda_trace_pair;

typedef struct {
    uint64_t first_wrong[2]; /* token; UINT64_MAX: none */
    double *drift;           /* [npoints]: |H - exact|_F, good to 1e-12 */
    double *arithmetic;      /* [npoints]: |H - exact recurrence on the given keys|_F */
} ckda_trace_word_run;

enum { CKDA_DECODE_READOUT = 0, CKDA_DECODE_NEAREST };

/* Group words: the state beside exact products of the tables' elements. */
typedef struct {
    bool present;
    const char *skipped; /* why there is nothing, or NULL */
    uint64_t order;      /* elements of the group */
    uint64_t states;     /* exact states that words reach */
    uint64_t words;      /* = B */
    uint64_t *point;     /* token counts at which drift is given, ascending */
    size_t npoints;
    ckda_trace_word_run *run;  /* [nkernels * words]: kernel by kernel */
    ckda_trace_word_run *keys; /* [words]: the exact recurrence on the given keys */
} ckda_trace_words;

typedef struct {
    uint64_t batch, length, key_heads, heads, keys, values; /* B T H HV K V */
    bool rows;                   /* outputs are rows of the state, no queries */
    uint64_t row_count, columns; /* then */
    const char *gate, *scale;    /* what was taken, for people */
    long prec;
    int depth;
    ckda_trace_range radius_o,
        radius_final; /* hi: radius relative to the answer's norm */
    ckda_trace_kernel *kernel;
    size_t nkernels;
    ckda_trace_pair *pair;
    size_t npairs;
    ckda_trace_words words;
    const char **ignored; /* names of tensors that the schema does not know */
    size_t nignored;
    /* TRUE: every kernel within its bound and every decode right; FALSE: one is beyond,
     * not finite or decoded wrongly; UNKNOWN: a limit was reached before telling. */
    ckda_truth within;
} ckda_trace_result;

/* CKDA_E_INPUT for group tables that contradict themselves; *r is NULL then. */
CKDA_MUST_CHECK ckda_status ckda_trace_judge(ckda_trace_result **r, const ckda_trace *tr,
                                             const ckda_trace_options *opt,
                                             ckda_error *err);
void ckda_trace_result_free(ckda_trace_result **r); /* before the trace is closed */

#ifdef __cplusplus
}
#endif
#endif
