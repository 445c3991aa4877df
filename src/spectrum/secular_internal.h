/* The secular function of one transition, shared by the secular_*.c files.
 *
 * f(x) = sum_i v_i x/(x - a_i) - c over the m gates that deflation leaves, ascending. */
#ifndef CKDA_SPECTRUM_SECULAR_INTERNAL_H
#define CKDA_SPECTRUM_SECULAR_INTERNAL_H
#include "internal.h"

typedef struct {
    const ckda_trans_struct *t;
    const ckda_field_struct *K;
    slong m, negative;
    slong *member; /* coordinates with a key and a nonzero gate, by gate */
    slong *start;  /* gate i is that of member[start[i]], ..., member[start[i + 1] - 1] */
    slong *zero;   /* coordinates with a key and gate 0 */
    slong nmember, nzero, zero_keys;
    /* Enclosures of about prec bits; prec = 0 before the first call of secular_set_prec. */
    slong prec;
    arb_struct *a, *v;
    arb_t c;
    /* For proposals only: the same divided by N (v, c). */
    double *da, *dv, dc;
} secular;

/* CKDA_E_DOMAIN for a zero key. */
CKDA_MUST_CHECK ckda_status secular_init(secular *s, const ckda_trans_t t,
                                         const ckda_field_t K);
void secular_clear(secular *s);
/* Sign of beta_eff - 1, exactly; m > 0 and beta > 0. */
int secular_excess(secular *s);
void secular_set_prec(secular *s, slong prec);
void secular_set_doubles(secular *s);

/* x = the sum of w_i^2 over the coordinates idx[0 .. n-1], exactly. */
void secular_exact_sum(ckda_elem_t x, const secular *s, const slong *idx, slong n);

/* ---- balls ---- */

/* f, f' and f'' at an exact x that is no gate; f1, f2 may be NULL (both). */
void secular_eval(arb_t f, arb_struct *f1, arb_struct *f2, const secular *s,
                  const arb_t x);
void secular_eval_complex(acb_t f, acb_t f1, const secular *s, const acb_t z);
/* Polishes z (any start off the real axis) and tries to prove that box holds one root. */
bool secular_certify_box(acb_t box, const secular *s, const acb_t z);
/* g = sum w^2/(x - a), g1 = sum w^2 a/(x - a)^2, exactly; false if x is a gate. */
bool secular_exact_sums(ckda_elem_t g, ckda_elem_t g1, const secular *s,
                        const ckda_elem_t x);
/* Is f = f' = 0 at x? */
bool secular_is_multiple(const secular *s, const fmpq_t x);

/* ---- proposals ---- */

/* A place where two more real roots would show: f has the sign want[i] at x[i].
 * gap i: between the gates i and i + 1; between gates of one sign two points are needed,
 * around 0 one is enough.  gap SECULAR_OUTER: below the first gate or above the last one;
 * one is enough. */
enum { SECULAR_OUTER = -1 };
typedef struct {
    slong gap;
    int npoints;
    double x[2]; /* ascending */
    int want[2];
    double margin; /* smallest want[i] f(x[i]), relative to the size of the terms */
} secular_place;
enum { SECULAR_PLACES = 16 };
typedef struct {
    secular_place place[SECULAR_PLACES]; /* the best ones, greatest margin first */
    slong n;
} secular_places;

/* The two gaps around 0 and infinity. */
void secular_even_gaps(secular_places *p, const secular *s);
/* Gaps between gates of one sign that cannot be ruled out, O(m) each; with `all` also those
 * that hold no more real roots but may have a pair next to them. */
void secular_odd_gaps(secular_places *p, const secular *s, bool all);
/* Complex Newton from x + i y; false if it does not settle above the real axis. */
bool secular_newton(double *x, double *y, const secular *s);
/* y^2 of the pair that a near miss at x suggests; 0 if none. */
double secular_near_miss(const secular *s, double x);
/* A zero of f between lo and hi, where f changes its sign upwards (direction 1) or
 * downwards (-1). */
double secular_bisect(const secular *s, double lo, double hi, int direction);
/* The number-th general start: SECULAR_RADII radii at each of several angles. */
enum { SECULAR_RADII = 12 };
void secular_start(double *x, double *y, const secular *s, slong number);
#endif
