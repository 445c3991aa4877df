/* Which element a real matrix decodes to.
 *
 * All states have Frobenius norm sqrt n, so for scale > 0
 *     |H - scale S|^2 = |H|^2 - 2 scale <H, S> + scale^2 n
 * is least where <H, S> is largest, whatever the scale. */
#include "tracker_internal.h"

#include <limits.h>
#include <math.h>

/* ---- doubles propose ------------------------------------------------------------- */

/* The exponent e with 2^(e-1) <= max |H| < 2^e; false if all entries are 0. */
static bool
top_exponent(int *e, const double *H, slong count)
{
    double top = 0;
    for (slong i = 0; i < count; i++)
        top = fmax(top, fabs(H[i]));
    frexp(top, e);
    return top > 0;
}

/* dot[c * n + j] = <h_j, column c> for G = H 2^-e, entries below 1 in absolute value.
 * Returns a bound of |computed - exact| for the sum of n of these, one for each j, plus
 * the additions of that sum, where exact means <G, S> for the exact state S.
 *
 * Let L = sum |G_ij|, N = n^2, u = 2^-53.  Values are off by at most 2^-52 = 2u and at
 * most 1, which costs 2u L.  A product takes part in at most n roundings within its dot
 * product (its own, n - 1 additions) and n - 1 more in the sum over j: 2n u L (1 + tiny).
 * L itself is computed with at most N roundings.  Scaling H and the products lose at most
 * 2^-1074 each to underflow, 2 N of them.  Together below
 *     (2n + 4) u L (1 + 2^-20) + 2^-1000   while n <= 256 (N u <= 2^-37),
 * and the formula below doubles the first term, which also covers its own roundings. */
static double
dots(double *dot, const double *H, int e, const ckda_tracker_t t)
{
    const slong n = t->n;
    double L = 0;
    double *G = flint_malloc((size_t)(n * n) * sizeof *G);
    for (slong i = 0; i < n * n; i++) {
        G[i] = ldexp(H[i], -e);
        L += fabs(G[i]);
    }
    for (uint32_t c = 0; c < t->ncolumns; c++) {
        const double *v = t->column_value + (size_t)c * (size_t)n;
        for (slong j = 0; j < n; j++) {
            double sum = 0;
            for (slong i = 0; i < n; i++)
                sum += G[i * n + j] * v[i];
            dot[(size_t)c * (size_t)n + (size_t)j] = sum;
        }
    }
    flint_free(G);
    return (2.0 * (double)n + 4.0) * 0x1p-52 * L + 0x1p-1000;
}

/* product[s] = <G, S> for every state; returns the largest. */
static double
products(double *product, const double *dot, const ckda_tracker_t t)
{
    const size_t n = (size_t)t->n;
    const uint32_t *column = t->column_of;
    double most = -INFINITY;
    for (uint32_t s = 0; s < t->nstates; s++, column += n) {
        double sum = 0;
        for (size_t j = 0; j < n; j++)
            sum += dot[column[j] * n + j];
        product[s] = sum;
        most = sum > most ? sum : most;
    }
    return most;
}

/* ---- exact numbers decide -------------------------------------------------------- */

/* H times a power of two, in integers. */
static void
set_integers(fmpz *v, const double *H, slong count)
{
    int low = INT_MAX, e;
    for (slong i = 0; i < count; i++)
        if (H[i] != 0) {
            frexp(H[i], &e);
            low = e < low ? e : low;
        }
    for (slong i = 0; i < count; i++) {
        const double mantissa = ldexp(frexp(H[i], &e), 53);
        fmpz_set_d(v + i, mantissa); /* an integer below 2^53 */
        if (H[i] != 0)
            fmpz_mul_2exp(v + i, v + i, (ulong)(e - low));
    }
}

/* x = sum v_ij S_ij. */
static void
exact_product(ckda_elem_t x, const fmpz *v, const ckda_mat_struct *S, ckda_elem_t tmp,
              const ckda_field_t K)
{
    fmpq_t q;
    fmpq_init(q);
    ckda_elem_zero(x, K);
    for (slong i = 0; i < S->rows * S->cols; i++) {
        fmpz_set(fmpq_numref(q), v + i);
        ckda_elem_set_fmpq(tmp, q, K);
        ckda_elem_addmul(x, tmp, S->entry + i, K);
    }
    fmpq_clear(q);
}

typedef struct {
    fmpz *v; /* H in integers */
    ckda_elem_t best, x, tmp;
    bool any, tie;
    uint32_t element;
} contest;

static void
contest_open(contest *C, const double *H, const ckda_tracker_t t)
{
    C->v = _fmpz_vec_init(t->n * t->n);
    C->any = C->tie = false;
    ckda_elem_init(C->best, t->c->K);
    ckda_elem_init(C->x, t->c->K);
    ckda_elem_init(C->tmp, t->c->K);
    set_integers(C->v, H, t->n * t->n);
}

static void
contest_close(contest *C, const ckda_tracker_t t)
{
    _fmpz_vec_clear(C->v, t->n * t->n);
    ckda_elem_clear(C->best, t->c->K);
    ckda_elem_clear(C->x, t->c->K);
    ckda_elem_clear(C->tmp, t->c->K);
}

/* Equality in K is decided algebraically; unequal numbers are ordered by enclosures that
 * are refined until they part (ckda_elem_cmp). */
static void
contest_add(contest *C, uint32_t s, const ckda_tracker_t t)
{
    const ckda_field_struct *K = t->c->K;
    exact_product(C->x, C->v, t->exact + s, C->tmp, K);
    const int sign = C->any ? ckda_elem_cmp(C->x, C->best, K) : 1;
    if (sign < 0)
        return;
    if (sign == 0) {
        C->tie = C->tie || t->element[s] != C->element;
        return;
    }
    ckda_elem_swap(C->best, C->x, K);
    C->element = t->element[s];
    C->tie = false;
    C->any = true;
}

static bool
all_finite(const double *H, slong count)
{
    for (slong i = 0; i < count; i++)
        if (!isfinite(H[i]))
            return false;
    return true;
}

/* A state whose computed product is below `least` cannot be largest. */
static ckda_truth
decide(uint32_t *element, const double *H, const double *product, double least,
       const ckda_tracker_t t)
{
    bool one = true, any = false;
    uint32_t first = 0;
    for (uint32_t s = 0; s < t->nstates; s++) {
        if (product[s] < least)
            continue;
        one = one && (!any || t->element[s] == first);
        first = any ? first : t->element[s];
        any = true;
    }
    if (one) {
        *element = first;
        return CKDA_TRUE;
    }
    contest C;
    contest_open(&C, H, t);
    for (uint32_t s = 0; s < t->nstates; s++)
        if (product[s] >= least)
            contest_add(&C, s, t);
    *element = C.element;
    const ckda_truth truth = C.tie ? CKDA_FALSE : CKDA_TRUE;
    contest_close(&C, t);
    return truth;
}

ckda_truth
ckda_tracker_decode(uint32_t *element, const double *H, const ckda_tracker_t t)
{
    int e;
    *element = 0;
    if (!all_finite(H, t->n * t->n))
        return CKDA_FALSE;
    if (isinf(t->margin_low)) /* one element only */
        return CKDA_TRUE;
    if (!top_exponent(&e, H, t->n * t->n))
        return CKDA_FALSE; /* H = 0: all states tie */
    double *dot = flint_malloc(t->ncolumns * (size_t)t->n * sizeof *dot);
    double *product = flint_malloc(t->nstates * sizeof *product);
    const double error = dots(dot, H, e, t);
    const double most = products(product, dot, t);
    /* most - 2 error, with room for the roundings of this line */
    const ckda_truth truth = decide(element, H, product, most - 2.5 * error, t);
    flint_free(product);
    flint_free(dot);
    return truth;
}

/* ---- the filter ------------------------------------------------------------------ */

/* Let x = H - scale S exactly, y the computed differences, u = 2^-53, 2^-400 <= scale <=
 * 2^400.  An entry of y is off by at most scale 2^-52 (the value of S), u scale (the
 * product, as |value| <= 1), u |y| (the difference) and 2^-1074 (underflow); so |x| <=
 * |y| + 3 u scale n + u |y| + n 2^-1074.  The computed d = sqrt(sum y^2) has at most n^2 roundings in a sum of terms that
 * are not negative, and one in the root: |y| <= d (1 + (n^2 + 2) u) + 2^-530, the last for
 * squares that underflow.  Hence
 *     |x| <= d (1 + (n^2 + 8) 2u) + 4 u scale n,
 * where the surplus u scale n covers 2^-530 and n 2^-1074, and the surplus (n^2 + 12) u d and the factor
 * 1 - 2^-48 on the other side cover the roundings of the comparison itself.  If a number
 * overflows, d is infinite or not a number and the answer is no. */
bool
ckda_tracker_is_near(double *distance, const double *H, double scale, uint32_t s,
                     const ckda_tracker_t t)
{
    const slong count = t->n * t->n;
    const double *v = t->value + (size_t)s * (size_t)count;
    double sum = 0;
    for (slong i = 0; i < count; i++) {
        const double y = H[i] - scale * v[i];
        sum += y * y;
    }
    const double d = sqrt(sum);
    if (distance != NULL)
        *distance = d;
    if (!(scale >= 0x1p-400 && scale <= 0x1p400))
        return false;
    const double above =
        d * (1 + (double)(count + 8) * 0x1p-52) + scale * (double)t->n * 0x1p-51;
    return above < scale * 0.5 * t->margin_low * (1 - 0x1p-48);
}
