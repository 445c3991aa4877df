/* internal.h -- what the files of the sym room share.
 *
 * A text becomes a graph of nodes (parse.c, build.c, builtin.c) over a small core of
 * operations; every other function of the language is written in terms of the core while
 * parsing.  Two evaluators read the graph and share nothing else: value.c works with
 * rational functions (for proofs), number.c with exact numbers at one point (for
 * refutations).                                                                       */
#ifndef CKDA_SYM_INTERNAL_H
#define CKDA_SYM_INTERNAL_H
#include <stdbool.h>
#include "ckda/flint_compat.h"
#include "ckda/sym.h"

#define SYM_MAX_VARS 64      /* sets of variables are 64-bit masks */
#define SYM_MAX_ENTRIES 4096 /* of one matrix */
#define SYM_MAX_NODES 400000 /* of one theory */
#define SYM_MAX_DEPTH 1500   /* of one graph: bounds the recursion of the evaluators */
#define SYM_MAX_NESTING 100  /* of parentheses and calls in one text */
#define SYM_MAX_POWER 256
#define SYM_MAX_DET 16
#define SYM_MAX_WORK 40000000 /* terms times terms of one product of polynomials */

/* A matrix of rational functions with one common denominator: entry = num / den. */
typedef struct {
    slong rows, cols;
    fmpz_mpoly_struct *num; /* rows * cols, row by row */
    fmpz_mpoly_t den;       /* never zero */
} sym_ratmat;

/* A matrix of numbers; a number is a polynomial in the one algebraic coordinate of the
 * point, reduced modulo its minimal polynomial (a constant at rational points). */
typedef struct {
    slong rows, cols;
    fmpq_poly_struct *at;
} sym_nummat;

typedef enum {
    NODE_NUM,   /* num */
    NODE_VAR,   /* arg[0]: index of the variable */
    NODE_PARAM, /* arg[0]: index of the parameter */
    NODE_EYE,
    NODE_ZERO,
    NODE_ADD,
    NODE_SUB,
    NODE_NEG,
    NODE_MUL, /* matrix product, or scaling when a side is 1 x 1 */
    NODE_DIV, /* by a scalar */
    NODE_POW, /* arg[0]: exponent >= 2 */
    NODE_TRANS,
    NODE_MAT,  /* blocks: place[2k], place[2k+1] are row and column of kid k */
    NODE_PART, /* arg[0], arg[1]: first row and column, 0-based */
    NODE_DET,
    NODE_ADJ,
    NODE_DIFF, /* arg[0]: variable */
    NODE_SUBST /* kid 0 with kid 1 for the variable arg[0] */
} sym_kind;

typedef struct sym_node sym_node;
struct sym_node {
    sym_kind kind;
    slong rows, cols, depth;
    slong arg[2];
    slong *place;
    fmpq_t num;
    sym_node **kid;
    slong nkids;
    uint64_t vars;        /* which variables occur */
    bool params;          /* does a parameter occur */
    const char *label;    /* which text it came from, for messages */
    sym_node *older;      /* all nodes of a theory form one list */
    sym_ratmat *value[2]; /* memo of value.c: [0] modulo the relations, [1] plain */
    fmpz_mpoly_vec_t divisor[2]; /* divided by here: must not vanish */
    slong seen[2];               /* last walk that came here */
    sym_nummat *number;          /* memo of number.c */
    uint64_t epoch;              /* the point it belongs to */
    unsigned sign;               /* memo of sign.c */
    slong sign_version;
};

enum { SIGN_GE = 1, SIGN_LE = 2, SIGN_NZ = 4 }; /* what is known of a scalar */

typedef struct {
    char *name;
    sym_node *node;
} sym_def;

typedef struct {
    sym_node *node;
    unsigned sign;
} sym_fact;

typedef struct {
    slong var;
    sym_node *node;
} sym_sample;

typedef struct sym_plan sym_plan; /* how points are drawn: plan.c */

struct ckda_sym {
    fmpz_mpoly_ctx_t ctx;
    char **var, **param;
    slong nvars, nparams;
    sym_node *nodes;
    slong nnodes;
    sym_def *def;
    slong ndefs;
    sym_node **relation; /* each: must be the zero matrix */
    slong nrelations;
    sym_fact *fact;
    slong nfacts;
    sym_sample *sample;
    slong nsamples;
    char **label;
    slong nlabels;
    fmpz_mpoly_vec_t basis; /* Groebner basis of the relations */
    bool basis_ready;
    bool too_big;  /* a polynomial passed SYM_MAX_WORK: values are void */
    slong version; /* counts relations and assumptions */
    slong walk;
    uint64_t epoch;
    sym_plan *plan;
};

typedef enum { ST_EQ, ST_NE, ST_GE, ST_GT, ST_PSD, ST_DIVIDES } sym_op;

/* f <= g is kept as g >= f (flipped).  left - right for all but psd and divides. */
typedef struct {
    sym_op op;
    bool flipped;
    sym_node *left, *right, *diff;
    slong var; /* divides: as polynomials in this variable */
} sym_stmt;

/* ---- text.c: strings ---- */
typedef struct {
    char *text;
    size_t len, cap;
} sym_buf;
void ckda_sym_buf_init(sym_buf *b);
void ckda_sym_buf_add(sym_buf *b, const char *fmt, ...) CKDA_PRINTF(2, 3);
char *ckda_sym_copy(const char *text, size_t len);
char *ckda_sym_poly_text(const ckda_sym *s, const fmpz_mpoly_t f);

/* ---- parse.c: text -> graph ---- */
typedef enum { TOK_END, TOK_INT, TOK_NAME, TOK_SIGN, TOK_BAD } sym_tok;
typedef struct {
    const char *name;
    size_t len;
    slong value;
} sym_binder; /* the index of a sum */
typedef struct {
    ckda_sym *s;
    const char *text, *label;
    ckda_error *err;
    bool params; /* may parameters occur? */
    bool failed;
    int nesting;
    sym_tok tok;
    size_t at, end; /* the current token is text[at .. end) */
    sym_binder binder[8];
    int nbinders;
} sym_parser;

void ckda_sym_parser_init(sym_parser *p, ckda_sym *s, const char *text, const char *label,
                          ckda_error *err);
sym_node *ckda_sym_parse_expr(sym_parser *p);
/* The whole text is one expression / one statement; NULL or false with *err set. */
sym_node *ckda_sym_parse_all(sym_parser *p);
bool ckda_sym_parse_statement(sym_stmt *st, sym_parser *p);
sym_node *ckda_sym_fail(sym_parser *p, size_t at, const char *fmt, ...) CKDA_PRINTF(3, 4);
sym_node *ckda_sym_expected(sym_parser *p, const char *what);
bool ckda_sym_is(const sym_parser *p, const char *sign);
bool ckda_sym_eat(sym_parser *p, const char *sign);
void ckda_sym_next(sym_parser *p);
bool ckda_sym_name_is(const sym_parser *p, const char *name);
bool ckda_sym_int(slong *out, sym_parser *p, size_t at, const sym_node *n, slong lo,
                  slong hi, const char *what);
slong ckda_sym_find_var(const ckda_sym *s, const char *name, size_t len);
slong ckda_sym_find_param(const ckda_sym *s, const char *name, size_t len);
slong ckda_sym_find_def(const ckda_sym *s, const char *name, size_t len);

/* ---- builtin.c ---- */
bool ckda_sym_is_builtin(const char *name, size_t len);
/* The current token is the name of a built-in function; reads the whole call. */
sym_node *ckda_sym_parse_call(sym_parser *p);

/* ---- special.c ---- */
/* genmat, gencol, gendiag, sum: "name(" has been read. */
sym_node *ckda_sym_parse_special(sym_parser *p, size_t at, const char *name);
sym_node *ckda_sym_diag(sym_parser *p, size_t at, sym_node *column);

/* ---- build.c: nodes, with checked shapes; any NULL operand gives NULL ---- */
sym_node *ckda_sym_num(sym_parser *p, const fmpq_t x);
sym_node *ckda_sym_num_si(sym_parser *p, slong x);
sym_node *ckda_sym_leaf(sym_parser *p, sym_kind kind, slong rows, slong cols, slong arg);
sym_node *ckda_sym_add(sym_parser *p, size_t at, sym_node *a, sym_node *b);
sym_node *ckda_sym_sub(sym_parser *p, size_t at, sym_node *a, sym_node *b);
sym_node *ckda_sym_neg(sym_parser *p, sym_node *a);
sym_node *ckda_sym_mul(sym_parser *p, size_t at, sym_node *a, sym_node *b);
sym_node *ckda_sym_div(sym_parser *p, size_t at, sym_node *a, sym_node *b);
sym_node *ckda_sym_pow(sym_parser *p, size_t at, sym_node *a, slong e);
sym_node *ckda_sym_trans(sym_parser *p, sym_node *a);
sym_node *ckda_sym_part(sym_parser *p, sym_node *a, slong r, slong c, slong rows,
                        slong cols);
sym_node *ckda_sym_entry(sym_parser *p, sym_node *a, slong r, slong c);
/* nrows rows of blocks, row i with count[i] blocks. */
sym_node *ckda_sym_mat(sym_parser *p, size_t at, sym_node *const *block,
                       const slong *count, slong nrows);
/* A matrix of rows x cols scalars. */
sym_node *ckda_sym_table(sym_parser *p, sym_node *const *cell, slong rows, slong cols);
sym_node *ckda_sym_unary(sym_parser *p, size_t at, sym_kind kind, sym_node *a);
sym_node *ckda_sym_inv(sym_parser *p, size_t at, sym_node *a);
sym_node *ckda_sym_diff(sym_parser *p, sym_node *f, slong var);
sym_node *ckda_sym_subst(sym_parser *p, sym_node *f, slong var, sym_node *g);
void ckda_sym_release(ckda_sym *s, sym_node *mark); /* frees nodes newer than mark */

/* ---- ratmat.c, det.c: rational functions ---- */
void ckda_sym_ratmat_init(sym_ratmat *m, slong rows, slong cols, const ckda_sym *s);
void ckda_sym_ratmat_clear(sym_ratmat *m, const ckda_sym *s);
void ckda_sym_ratmat_add(sym_ratmat *r, const sym_ratmat *a, const sym_ratmat *b,
                         int sign, ckda_sym *s);
void ckda_sym_ratmat_mul(sym_ratmat *r, const sym_ratmat *a, const sym_ratmat *b,
                         ckda_sym *s);
void ckda_sym_ratmat_div(sym_ratmat *r, const sym_ratmat *a, const sym_ratmat *b,
                         ckda_sym *s);
void ckda_sym_ratmat_det(sym_ratmat *r, const sym_ratmat *a, bool reduce, ckda_sym *s);
void ckda_sym_ratmat_adj(sym_ratmat *r, const sym_ratmat *a, bool reduce, ckda_sym *s);
void ckda_sym_ratmat_cancel(sym_ratmat *r, ckda_sym *s);
void ckda_sym_ratmat_reduce(sym_ratmat *r, ckda_sym *s);
void ckda_sym_poly_mul(fmpz_mpoly_t r, const fmpz_mpoly_t a, const fmpz_mpoly_t b,
                       ckda_sym *s);
void ckda_sym_poly_pow(fmpz_mpoly_t r, const fmpz_mpoly_t a, slong e, ckda_sym *s);
/* scale * a = r modulo the relations, r in normal form. */
void ckda_sym_poly_reduce(fmpz_t scale, fmpz_mpoly_t r, const fmpz_mpoly_t a,
                          ckda_sym *s);
/* a -> its primitive part with positive leading coefficient. */
void ckda_sym_poly_primitive(fmpz_mpoly_t a, const ckda_sym *s);
/* det of the n x n array a by expansion along rows / by Berkowitz (both division-free).
 */
void ckda_sym_det_expand(fmpz_mpoly_t r, const fmpz_mpoly_struct *a, slong n, bool reduce,
                         ckda_sym *s);
void ckda_sym_det_berkowitz(fmpz_mpoly_t r, const fmpz_mpoly_struct *a, slong n,
                            ckda_sym *s);

/* ---- value.c: graph -> rational functions ---- */
/* mode 0: modulo the relations; mode 1: all variables independent.  The value belongs to
 * the node.  CKDA_E_UNABLE when a polynomial grows too large, CKDA_E_INPUT for 1/0. */
CKDA_MUST_CHECK ckda_status ckda_sym_value(const sym_ratmat **v, ckda_sym *s, sym_node *n,
                                           int mode, ckda_error *err);
/* Appends the polynomials that were divided by. */
void ckda_sym_divisors(fmpz_mpoly_vec_t list, ckda_sym *s, sym_node *n, int mode);
CKDA_MUST_CHECK ckda_status ckda_sym_basis(ckda_sym *s, ckda_error *err);

/* ---- number.c: graph -> numbers at a point ---- */
typedef struct {
    fmpq_poly_struct *var, *param;
    fmpq_poly_t minimal;
    const fmpq_poly_struct *modulus; /* minimal, or NULL: all coordinates rational */
    slong algebraic;                 /* the variable that is a root of it */
    slong root;                      /* which real root, counted from 0 */
    qqbar_t root_value;
    uint64_t epoch;
} sym_point;

/* false: not defined at this point (division by zero). */
bool ckda_sym_number(const sym_nummat **v, ckda_sym *s, sym_node *n, sym_point *pt);
void ckda_sym_nummat_free(sym_nummat *m);
void ckda_sym_poly_number(fmpq_poly_t r, const ckda_sym *s, const fmpz_mpoly_t f,
                          const sym_point *pt);
void ckda_sym_num_mul(fmpq_poly_t r, const fmpq_poly_t a, const fmpq_poly_t b,
                      const sym_point *pt);
bool ckda_sym_num_inv(fmpq_poly_t r, const fmpq_poly_t a, const sym_point *pt);
int ckda_sym_num_sign(const fmpq_poly_t a, const sym_point *pt);
char *ckda_sym_num_text(const ckda_sym *s, const fmpq_poly_t a, const sym_point *pt);

/* ---- plan.c, point.c: points ---- */
typedef enum { STEP_FREE, STEP_SAMPLE, STEP_LINEAR, STEP_SPHERE, STEP_ROOT } sym_how;

/* slope * var + rest, both free of var */
typedef struct {
    fmpz_mpoly_t slope, rest;
} sym_line;

/* How one variable (a sphere: several) gets its value. */
typedef struct {
    sym_how how;
    slong var;
    uint64_t needs; /* variables that must have values before */
    sym_node *node; /* SAMPLE: its value */
    sym_line *line; /* LINEAR: one, = 0;  FREE: nlines assumptions, >= 0 */
    slong nlines;
    uint64_t group; /* SPHERE: the sum of the squares of these is radius^2 */
    fmpq_t radius;
    fmpz_poly_factor_t factor; /* ROOT: var is a real root of one of these */
} sym_step;

struct sym_plan {
    sym_step *step; /* in the order of evaluation */
    slong nsteps;
};

CKDA_MUST_CHECK ckda_status ckda_sym_plan_make(ckda_sym *s, ckda_error *err);
void ckda_sym_plan_free(ckda_sym *s);
void ckda_sym_point_init(sym_point *pt, const ckda_sym *s);
void ckda_sym_point_clear(sym_point *pt, const ckda_sym *s);
/* One try: false when no admissible point came out. */
bool ckda_sym_point_draw(sym_point *pt, ckda_sym *s, ckda_rand *rnd);
char *ckda_sym_point_text(const ckda_sym *s, const sym_point *pt);

/* ---- sign.c, psd.c ---- */
unsigned ckda_sym_sign(ckda_sym *s, sym_node *n);
unsigned ckda_sym_sign_poly(ckda_sym *s, const fmpz_mpoly_t f);
unsigned ckda_sym_sign_times(unsigned a, unsigned b);
unsigned ckda_sym_sign_negate(unsigned a);
bool ckda_sym_psd(ckda_sym *s, sym_node *n, int sign);
/* The factors of a scalar product such as v' M v, sign of the scalars taken out. */
unsigned ckda_sym_sign_product(ckda_sym *s, sym_node *n);
/* A vector v with v'Mv < 0 as text, and that value; false when M is psd (M symmetric,
 * rational numbers). */
bool ckda_sym_negative_vector(char **v, char **value, const sym_nummat *m);

#endif
