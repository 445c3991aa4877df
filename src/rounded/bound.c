/* How long a rounded tracker is certain to decode rightly: a bound before any run.
 *
 * Notation.  Norms of vectors are Euclidean, of matrices spectral, |.|_F Frobenius.  S is
 * the exact state (orthogonal, |S|_F = sqrt n), c the scale, H the computed state,
 * e = |H - c S|_F.  A token with exact transition A, and computed map f, gives
 *
 *     f(H) - c A S = (f(H) - B H) + (B - A) H + A (H - c S),
 *
 * where B is the exact matrix of the rounded parameters AS COMPUTED (with w = RN(beta k)
 * in place of beta k if that is what the kernel uses).  A is orthogonal, so
 *
 *     e' <= e + rho |H|_F + zeta,   |H|_F <= c sqrt n + e,                          (1)
 *     rho = |B - A| + (relative error of f),  zeta = (absolute error of f).
 *
 * Rounding.  p bits, smallest normal 2^emin: |RN(x) - x| <= u |x| + eta with u = 2^-p,
 * eta = 2^(emin - p) (twice both towards zero), as long as nothing overflows.  For sums of
 * two numbers of the format eta is not needed, but it is kept.  A product with 0 or +-1 is
 * exact, and so is a sum with an exact 0.
 *
 * Dot product of x and D (|D| its norm): with N nonzero x_i, the term of rank j = 0, 1, ...
 * is rounded at most r_j = N - j times by fma, N - j times without for j >= 1 plus its
 * product, N - 1 plus its product for j = 0 (a product counts unless |x| = 1; the first
 * fma is that product).  Hence
 *
 *     |p^ - x.D| <= kappa |D| + N eta (1 + u)^(N + 1),
 *     kappa^2 = sum ((1 + u)^(r_i) - 1)^2 x_i^2                         (Cauchy).   (2)
 *
 * A micro-step with v = w (or k), q = p (or RN(beta p), |q| = |x|.|D| with x = k or
 * beta k), E = |q^ - q|: component i with v_i = 0 is D_i, exactly.  Else, with t = v_i q^,
 * y_i = RN(D_i - RN(t)) (or fused), and z = D - v q the exact one,
 *
 *     |y_i - z_i| <= |v_i| E + u (|z_i| + |v_i| E) + (1 + u) (u |v_i| |q^| + eta) + eta,
 *
 * where u |v_i| |q^| falls away with fma and for |v_i| = 1.  As norms over i:
 *
 *     |y - z| <= (1 + u) |v| E + u |z| + (1 + u) u |v*| (|q| + E) + sqrt n (2 + u) eta, (3)
 *
 * |v*| over the inexact products only, |z| <= M |D|, M = |I - v x'^T|.  That matrix lies
 * |v - beta k| |k| from I - beta k k^T, whose norm is max(1, |1 - beta |k|^2|).
 * D = RN(gate h): exact for gates 0 and +-1, else u and eta more.
 *
 * STORE adds u_s |y| + sqrt n' (eta_s + 2^-flush) for the n' components that changed (v_i
 * != 0 or a gate that is not +-1; the others are in the format and above the flush
 * already), nothing relative if the state has the compute format; on a grid it adds
 * sqrt n' / 2 (towards zero: sqrt n').
 *
 * Several micro-steps: errors pass through the later ones with their norms.  All of this
 * holds for a column; for n columns the relative parts carry over to |.|_F and absolute
 * parts take another sqrt n.
 *
 * (1) with equality is solved by e_t = (e_0 + W) (1 + rho)^t - W, W = c sqrt n + zeta/rho.
 *
 * Every quantity below is an arb ball of which only the upper end counts (the lower one
 * for the margin).  Overflow is excluded by bounding every intermediate value. */
#include "rounded_internal.h"

#include <math.h>

#define PREC CKDA_ROUNDED_PREC

/* ---- rho and zeta ------------------------------------------------------------------ */

/* norm >= |B - A|: the lesser of |.|_F and the root of the largest row and column sums. */
static void
deviation(arb_t norm, uint32_t letter, const ckda_rounded_t R, const ckda_tracker_t t)
{
    const slong n = R->n;
    const ckda_mat_struct *A = &t->c->matrix[t->element_of_letter[letter]];
    const ckda_field_struct *K = t->c->K;
    fmpq_mat_t B;
    ckda_elem_t off;
    arb_t x, rows, columns, frobenius;
    fmpq_mat_init(B, n, n);
    ckda_elem_init(off, K);
    arb_init(x);
    arb_init(rows);
    arb_init(columns);
    arb_init(frobenius);
    ckda_rounded_letter_matrix(B, letter, true, R);
    arb_ptr column = _arb_vec_init(n);
    for (slong i = 0; i < n; i++) {
        arb_t row;
        arb_init(row);
        for (slong j = 0; j < n; j++) {
            ckda_elem_set_fmpq(off, fmpq_mat_entry(B, i, j), K);
            ckda_elem_sub(off, off, ckda_mat_entry(A, i, j), K);
            ckda_elem_get_arb(x, off, K, PREC);
            arb_addmul(frobenius, x, x, PREC);
            arb_abs(x, x);
            arb_add(row, row, x, PREC);
            arb_add(column + j, column + j, x, PREC);
        }
        arb_max(rows, rows, row, PREC);
        arb_clear(row);
    }
    for (slong j = 0; j < n; j++)
        arb_max(columns, columns, column + j, PREC);
    arb_mul(rows, rows, columns, PREC);
    arb_min(norm, rows, frobenius, PREC);
    arb_sqrtpos(norm, norm, PREC);
    _arb_vec_clear(column, n);
    arb_clear(frobenius);
    arb_clear(columns);
    arb_clear(rows);
    arb_clear(x);
    ckda_elem_clear(off, K);
    fmpq_mat_clear(B);
}

/* Over all letters: rho, zeta and the bound of intermediate values. */
static void
worst_letter(ckda_rounded_affine *error, ckda_rounded_affine *biggest,
             const ckda_rounded_t R, const ckda_tracker_t t)
{
    ckda_rounded_affine e, b;
    arb_t off;
    arb_init(e.rel);
    arb_init(e.abs);
    arb_init(b.rel);
    arb_init(b.abs);
    arb_init(off);
    for (uint32_t l = 0; l < R->nletters; l++) {
        deviation(off, l, R, t);
        ckda_rounded_letter_error(&e, &b, off, l, R);
        arb_add(e.rel, e.rel, off, PREC);
        arb_max(error->rel, error->rel, e.rel, PREC);
        arb_max(error->abs, error->abs, e.abs, PREC);
        arb_max(biggest->rel, biggest->rel, b.rel, PREC);
        arb_max(biggest->abs, biggest->abs, b.abs, PREC);
    }
    /* a column's absolute error, over n columns */
    arb_sqrt_ui(off, (ulong)R->n, PREC);
    arb_mul(error->abs, error->abs, off, PREC);
    arb_clear(off);
    arb_clear(b.abs);
    arb_clear(b.rel);
    arb_clear(e.abs);
    arb_clear(e.rel);
}

/* x = its upper end, exactly. */
static void
raise_to_upper_end(arb_t x)
{
    arf_t end;
    arf_init(end);
    arb_get_ubound_arf(end, x, PREC);
    arb_set_arf(x, end);
    arf_clear(end);
}

static double
upper_double(const arb_t x)
{
    arf_t end;
    arf_init(end);
    arb_get_ubound_arf(end, x, PREC);
    const double d = arf_get_d(end, ARF_RND_UP);
    arf_clear(end);
    return d;
}

/* ---- the recurrence ---------------------------------------------------------------- */

typedef struct {
    arb_t scale, full;  /* c, c sqrt n */
    arb_t start, limit; /* e_0, c m / 2 */
    arb_t rho, zeta;    /* exact numbers */
} recurrence;

static void
recurrence_init(recurrence *r, const ckda_rounded_t R, const ckda_tracker_t t)
{
    const ckda_ratio c = ckda_arith_initial(&R->arith);
    arb_t root, x;
    arb_init(r->scale);
    arb_init(r->full);
    arb_init(r->start);
    arb_init(r->limit);
    arb_init(r->rho);
    arb_init(r->zeta);
    arb_init(root);
    arb_init(x);
    arb_set_si(r->scale, (slong)c.p);
    arb_div_si(r->scale, r->scale, (slong)c.q, PREC);
    arb_sqrt_ui(root, (ulong)R->n, PREC);
    arb_mul(r->full, r->scale, root, PREC);
    for (slong i = 0; i < R->n * R->n; i++) { /* |H_0 - c S_0|_F */
        ckda_elem_get_arb(x, t->exact->entry + i, t->c->K, PREC);
        arb_mul(x, x, r->scale, PREC);
        arb_set_d(root, R->initial[i]);
        arb_sub(x, x, root, PREC);
        arb_addmul(r->start, x, x, PREC);
    }
    arb_sqrtpos(r->start, r->start, PREC);
    arb_set_d(r->limit, t->margin_low);
    arb_mul(r->limit, r->limit, r->scale, PREC);
    arb_mul_2exp_si(r->limit, r->limit, -1);
    arb_clear(x);
    arb_clear(root);
}

static void
recurrence_clear(recurrence *r)
{
    arb_clear(r->scale);
    arb_clear(r->full);
    arb_clear(r->start);
    arb_clear(r->limit);
    arb_clear(r->rho);
    arb_clear(r->zeta);
}

/* Are all values of the computation, while e <= limit, certain to be finite? */
static bool
cannot_overflow(const recurrence *r, const ckda_rounded_affine *biggest,
                const ckda_rounded_t R)
{
    int emax = R->arith.compute->emax;
    if (R->arith.grid == 0 && R->arith.state->emax < emax)
        emax = R->arith.state->emax;
    arb_t most, end;
    arb_init(most);
    arb_init(end);
    arb_add(most, r->full, r->limit, PREC);
    arb_mul(most, most, biggest->rel, PREC);
    arb_add(most, most, biggest->abs, PREC);
    arb_one(end);
    arb_mul_2exp_si(end, end, emax);
    const bool fits = arb_lt(most, end);
    arb_clear(end);
    arb_clear(most);
    return fits;
}

/* Is e_t < limit certain? */
static bool
is_certain(uint64_t t, const recurrence *r)
{
    arb_t e, W, steps;
    fmpz_t exponent;
    arb_init(e);
    arb_init(W);
    arb_init(steps);
    fmpz_init(exponent);
    fmpz_set_ui(exponent, t);
    if (arb_is_zero(r->rho)) {
        arb_mul_fmpz(e, r->zeta, exponent, PREC);
        arb_add(e, e, r->start, PREC);
    } else {
        arb_div(W, r->zeta, r->rho, PREC);
        arb_add(W, W, r->full, PREC);
        arb_add_ui(steps, r->rho, 1, PREC);
        arb_pow_fmpz(steps, steps, exponent, PREC);
        arb_add(e, r->start, W, PREC);
        arb_mul(e, e, steps, PREC);
        arb_sub(e, e, W, PREC);
    }
    const bool certain = arb_lt(e, r->limit);
    fmpz_clear(exponent);
    arb_clear(steps);
    arb_clear(W);
    arb_clear(e);
    return certain;
}

/* The largest t for which e_t < limit is certain, by bisection: e_t grows with t.  At
 * most UINT64_MAX - 1. */
static uint64_t
largest_certain(const recurrence *r)
{
    uint64_t low = 0, high = UINT64_MAX; /* low is certain, high is not (or not asked) */
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (is_certain(middle, r))
            low = middle;
        else
            high = middle;
    }
    return low;
}

static uint64_t
guaranteed(recurrence *r, const ckda_rounded_affine *biggest, const ckda_rounded_t R)
{
    if (!arb_is_finite(r->rho) || !arb_is_finite(r->zeta)
        || !cannot_overflow(r, biggest, R) || !is_certain(0, r))
        return 0;
    if (arb_is_zero(r->rho) && arb_is_zero(r->zeta))
        return UINT64_MAX;
    return largest_certain(r);
}

uint64_t
ckda_rounded_guaranteed_steps(double *rho, double *zeta, const ckda_rounded_t R,
                              const ckda_tracker_t t)
{
    recurrence r;
    ckda_rounded_affine error, biggest;
    recurrence_init(&r, R, t);
    arb_init(error.rel);
    arb_init(error.abs);
    arb_init(biggest.rel);
    arb_init(biggest.abs);
    worst_letter(&error, &biggest, R, t);
    arb_set(r.rho, error.rel);
    arb_set(r.zeta, error.abs);
    raise_to_upper_end(r.rho);
    raise_to_upper_end(r.zeta);
    if (rho != NULL)
        *rho = upper_double(r.rho);
    if (zeta != NULL)
        *zeta = upper_double(r.zeta);
    const uint64_t steps =
        isinf(t->margin_low) ? UINT64_MAX : guaranteed(&r, &biggest, R);
    arb_clear(biggest.abs);
    arb_clear(biggest.rel);
    arb_clear(error.abs);
    arb_clear(error.rel);
    recurrence_clear(&r);
    return steps;
}
