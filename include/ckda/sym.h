/* ckda/sym.h -- statements about all values of their parameters, decided symbolically.
 *
 * A "theory" is a list of variables, relations between them, definitions and statements,
 * all given as text (docs/identities.md has the language).  Values are matrices of
 * rational functions over Q in the variables.  A statement
 *     lhs == rhs
 * holds when the numerator of every entry of lhs - rhs lies in the ideal of the relations
 * (normal form with respect to a Groebner basis): then it holds for all values for which
 * the denominators do not vanish.  It is refuted only by a point: exact values of the
 * variables (rational, at most one a real algebraic number) that satisfy every relation
 * and assumption and at which both sides differ.  If neither is found the answer is
 * CKDA_UNKNOWN.
 *     expr >= 0,  expr > 0,  psd M
 * hold when the stated form follows from the assumptions by the rules of signs (squares,
 * sums and products of non-negative things; sums of w w^T and non-negative multiples);
 * refuted by a point as above.                                                        */
#ifndef CKDA_SYM_H
#define CKDA_SYM_H
#include <stddef.h>
#include <stdint.h>
#include "ckda/rand.h"
#include "ckda/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ckda_sym ckda_sym; /* one theory; not shared between threads */

/* vars: names (letters, digits, underscore), at most 64.  "a[3]" declares a1, a2, a3 and
 * "q[2,2]" declares q11, q12, q21, q22 (q1_1, ... when an index can pass 9).
 * Every function below leaves the theory as it was when it returns anything but CKDA_OK.
 */
CKDA_MUST_CHECK ckda_status ckda_sym_open(ckda_sym **s, const char *const *vars,
                                          size_t nvars, ckda_error *err);
void ckda_sym_close(ckda_sym **s);
/* A relation "lhs == rhs" that all statements may use. */
CKDA_MUST_CHECK ckda_status ckda_sym_relation(ckda_sym *s, const char *text,
                                              ckda_error *err);
/* An assumption: two scalars with one of >= > <= < != between them; for sign statements
 * and for the choice of points. */
CKDA_MUST_CHECK ckda_status ckda_sym_assume(ckda_sym *s, const char *text,
                                            ckda_error *err);
/* A rational parametrisation of the relations for sample points, e.g. c =
 * (1-t^2)/(1+t^2): var takes the value of expr; free variables (named t, t1, ... and
 * declared here by ckda_sym_parameter) run through small rationals. */
CKDA_MUST_CHECK ckda_status ckda_sym_parameter(ckda_sym *s, const char *name,
                                               ckda_error *err);
CKDA_MUST_CHECK ckda_status ckda_sym_sample(ckda_sym *s, const char *var,
                                            const char *expr, ckda_error *err);
/* name = value of expr, for later texts. */
CKDA_MUST_CHECK ckda_status ckda_sym_define(ckda_sym *s, const char *name,
                                            const char *expr, ckda_error *err);

typedef struct {
    ckda_truth truth;
    long entries;  /* how many scalar identities or inequalities were decided */
    long points;   /* at how many admissible points the statement was evaluated, too;
                    * 0: none was found, the assumptions may be contradictory */
    char *assumed; /* denominators that must not vanish, or NULL; freed by _clear */
    char *point;   /* refuting point "a=1, c=3/5", or NULL */
    char *left;    /* the two exact values there (first differing entry), or NULL */
    char *right;
    long row, col; /* of the differing entry, counted from 1 as in the language */
} ckda_sym_answer;

/* Decides one statement.  CKDA_E_INPUT for a text that does not parse, whose shapes do
 * not fit, that divides by zero, or when the relations contradict one another;
 * CKDA_E_UNABLE when a relation or assumption is too large to multiply out; otherwise
 * CKDA_OK and *ans is filled (a statement that is itself too large is CKDA_UNKNOWN unless
 * a point refutes it).  Before anything is called true it was evaluated, too, at some
 * admissible points by the second evaluator, when such points can be found. */
CKDA_MUST_CHECK ckda_status ckda_sym_decide(ckda_sym_answer *ans, ckda_sym *s,
                                            const char *text, uint64_t seed,
                                            ckda_error *err);
void ckda_sym_answer_clear(ckda_sym_answer *ans);

/* A copy of text with every {expr} replaced by its value, an integer expression in names
 * and numbers with + - * / (rounded down) and parentheses: "x^{2*n}" becomes "x^6" for
 * n = 3.  The caller frees it with free(); NULL with *err set when the text is wrong. */
char *ckda_sym_expand(const char *text, const char *const *names, const long *values,
                      size_t n, ckda_error *err);

#ifdef __cplusplus
}
#endif
#endif
