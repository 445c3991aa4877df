/* A direction that a matrix stretches: x with x^T (I - A^T A) x < 0. */
#include <math.h>
#include "norm_internal.h"

/* s = x^T M y. */
static void
form(ckda_elem_t s, const ckda_elem_struct *x, const ckda_mat_t M,
     const ckda_elem_struct *y, const ckda_field_t K)
{
    ckda_elem_t row;
    ckda_elem_init(row, K);
    ckda_elem_zero(s, K);
    for (slong i = 0; i < M->rows; i++) {
        if (ckda_elem_is_zero(x + i, K))
            continue;
        dot(row, ckda_mat_entry(M, i, 0), y, M->cols, K);
        ckda_elem_addmul(s, x + i, row, K);
    }
    ckda_elem_clear(row, K);
}

static bool
is_negative_at(const ckda_mat_t M, const ckda_elem_struct *x, const ckda_field_t K)
{
    ckda_elem_t s;
    ckda_elem_init(s, K);
    form(s, x, M, x, K);
    const bool negative = ckda_elem_sgn(s, K) < 0;
    ckda_elem_clear(s, K);
    return negative;
}

/* v += c q. */
static void
add_multiple(ckda_elem_struct *v, const ckda_elem_t c, const ckda_elem_struct *q, slong n,
             const ckda_field_t K)
{
    for (slong i = 0; i < n; i++)
        ckda_elem_addmul(v + i, c, q + i, K);
}

/* v^T M v = 0: unless M v = 0, some e_l has b = v^T M e_l != 0, and e_l + t v has the value
 * M_ll + 2 t b, which is -1 for t = -(M_ll + 1)/(2b). */
static bool
leave_null_vector(ckda_elem_struct *v, const ckda_mat_t M, const ckda_field_t K)
{
    const slong n = M->rows;
    ckda_elem_t b, t, one;
    bool found = false;
    ckda_elem_init(b, K);
    ckda_elem_init(t, K);
    ckda_elem_init(one, K);
    ckda_elem_one(one, K);
    for (slong l = 0; l < n && !found; l++) {
        dot(b, ckda_mat_entry(M, l, 0), v, n, K);
        if (ckda_elem_is_zero(b, K))
            continue;
        ckda_elem_add(t, ckda_mat_entry(M, l, l), one, K);
        ckda_elem_mul_si(b, b, -2, K);
        factorise_must(ckda_elem_div(t, t, b, K));
        for (slong i = 0; i < n; i++)
            ckda_elem_mul(v + i, v + i, t, K);
        ckda_elem_add(v + l, v + l, one, K);
        found = true;
    }
    ckda_elem_clear(one, K);
    ckda_elem_clear(t, K);
    ckda_elem_clear(b, K);
    return found;
}

/* Orthogonalises e_1, ..., e_n for the form M until a value is not positive. */
static bool
exact_witness(ckda_elem_struct *x, const ckda_mat_t M, const ckda_field_t K)
{
    const slong n = M->rows;
    ckda_mat_t q;
    ckda_elem_struct *value = ckda_elem_vec_new(n, K);
    slong count = 0;
    bool found = false;
    ckda_elem_t c;
    ckda_mat_init(q, n, n, K);
    ckda_elem_init(c, K);
    for (slong i = 0; i < n && !found; i++) {
        ckda_elem_struct *v = ckda_mat_entry(q, count, 0);
        for (slong l = 0; l < n; l++)
            ckda_elem_set_si(v + l, l == i, K);
        for (slong j = 0; j < count; j++) {
            dot(c, ckda_mat_entry(M, i, 0), ckda_mat_entry(q, j, 0), n, K);
            factorise_must(ckda_elem_div(c, c, value + j, K));
            ckda_elem_neg(c, c, K);
            add_multiple(v, c, ckda_mat_entry(q, j, 0), n, K);
        }
        form(value + count, v, M, v, K);
        const int sign = ckda_elem_sgn(value + count, K);
        found = sign < 0 || (sign == 0 && leave_null_vector(v, M, K));
        for (slong l = 0; l < n && found; l++)
            ckda_elem_swap(x + l, v + l, K);
        count += sign > 0;
    }
    ckda_elem_clear(c, K);
    ckda_mat_clear(q, K);
    ckda_elem_vec_free(value, n, K);
    return found;
}

/* An approximate top right singular vector of A, largest entry +-1. */
static void
power_iteration(double *v, const ckda_mat_t A, const ckda_field_t K)
{
    const slong n = A->rows;
    double *a = flint_malloc((size_t)(n * n + n) * sizeof *a), *y = a + n * n;
    for (slong i = 0; i < n * n; i++)
        a[i] = ckda_elem_approx(A->entry + i, K);
    for (slong i = 0; i < n; i++)
        v[i] = 1 + 1.0 / (double)(i + 2);
    for (int round = 0; round < 200; round++) {
        double most = 0;
        for (slong i = 0; i < n; i++) {
            y[i] = 0;
            for (slong j = 0; j < n; j++)
                y[i] += a[i * n + j] * v[j];
        }
        for (slong j = 0; j < n; j++) {
            v[j] = 0;
            for (slong i = 0; i < n; i++)
                v[j] += a[i * n + j] * y[i];
            most = fmax(most, fabs(v[j]));
        }
        for (slong j = 0; j < n && most > 0; j++)
            v[j] /= most;
    }
    flint_free(a);
}

/* A vector of whole numbers of few bits, proposed by doubles and checked exactly. */
static bool
short_witness(ckda_elem_struct *x, const ckda_mat_t M, const ckda_mat_t A,
              const ckda_field_t K)
{
    const slong n = M->rows;
    bool found = false;
    double *v = flint_malloc((size_t)n * sizeof *v);
    power_iteration(v, A, K);
    for (int bits = 0; bits <= 40 && !found; bits += bits < 8 ? 1 : 8) {
        bool finite = true;
        for (slong i = 0; i < n; i++) {
            const double scaled = rint(ldexp(v[i], bits));
            finite = finite && fabs(scaled) <= 0x1p41;
            ckda_elem_set_si(x + i, finite ? (slong)scaled : 0, K);
        }
        found = finite && is_negative_at(M, x, K);
    }
    flint_free(v);
    return found;
}

/* M = I - A^T A. */
static void
defect(ckda_mat_t M, const ckda_mat_t A, const ckda_field_t K)
{
    ckda_mat_t T, one;
    ckda_mat_init(T, A->rows, A->rows, K);
    ckda_mat_init(one, A->rows, A->rows, K);
    factorise_must(ckda_mat_transpose(T, A, K));
    factorise_must(ckda_mat_mul(M, T, A, K));
    factorise_must(ckda_mat_one(one, K));
    factorise_must(ckda_mat_sub(M, one, M, K));
    ckda_mat_clear(one, K);
    ckda_mat_clear(T, K);
}

ckda_status
ckda_norm_witness(ckda_elem_struct *x, const ckda_mat_t A, const ckda_field_t K)
{
    const slong n = A->rows;
    ckda_mat_t M;
    if (n < 1 || A->cols != n)
        return CKDA_E_SHAPE;
    ckda_elem_struct *y = ckda_elem_vec_new(n, K);
    ckda_mat_init(M, n, n, K);
    defect(M, A, K);
    const bool found = short_witness(y, M, A, K) || exact_witness(y, M, K);
    ckda_require(!found || is_negative_at(M, y, K), "a witness that is none");
    for (slong i = 0; i < n && found; i++)
        ckda_elem_swap(x + i, y + i, K);
    ckda_mat_clear(M, K);
    ckda_elem_vec_free(y, n, K);
    return found ? CKDA_OK : CKDA_E_DOMAIN;
}
