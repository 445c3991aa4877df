/* Denominators and proved bounds over all embeddings. */
#include "ckda/matmod.h"

#include "ckda/status.h"

void
ckda_height_init(ckda_height_t h)
{
    fmpz_init_set_ui(h->den, 1);
    fmpq_init(h->row_sum);
    fmpq_init(h->entry);
}

void
ckda_height_clear(ckda_height_t h)
{
    fmpz_clear(h->den);
    fmpq_clear(h->row_sum);
    fmpq_clear(h->entry);
}

/* q = max(q, b rounded up to a multiple of 2^-32) where b is an upper end of the ball. */
static void
raise_to(fmpq *q, const arb_struct *ball)
{
    arf_t up;
    fmpq_t t;
    arf_init(up);
    fmpq_init(t);
    arb_get_ubound_arf(up, ball, 64);
    ckda_require(arf_is_finite(up), "a ball became infinite");
    arf_mul_2exp_si(up, up, 32);
    arf_get_fmpz(fmpq_numref(t), up, ARF_RND_CEIL);
    fmpq_div_2exp(t, t, 32);
    if (fmpq_cmp(t, q) > 0)
        fmpq_set(q, t);
    fmpq_clear(t);
    arf_clear(up);
}

/* r = |f(z)|. */
static void
abs_at(arb_t r, const fmpq_poly_t f, const acb_t z, slong prec)
{
    acb_t s;
    acb_init(s);
    for (slong k = fmpq_poly_length(f) - 1; k >= 0; k--) {
        acb_mul(s, s, z, prec);
        acb_add_fmpz(s, s, f->coeffs + k, prec);
    }
    acb_div_fmpz(s, s, fmpq_poly_denref(f), prec);
    acb_abs(r, s, prec);
    acb_clear(s);
}

/* Bounds of one matrix whose entries are the polynomials f, at one embedding z. */
static void
bound_at(ckda_height_t h, const fmpq_poly_struct *f, slong rows, slong cols,
         const acb_t z, slong prec)
{
    arb_t x, sum;
    arb_init(x);
    arb_init(sum);
    for (slong i = 0; i < rows; i++) {
        arb_zero(sum);
        for (slong j = 0; j < cols; j++) {
            abs_at(x, f + i * cols + j, z, prec);
            raise_to(h->entry, x);
            arb_add(sum, sum, x, prec);
        }
        raise_to(h->row_sum, sum);
    }
    arb_clear(sum);
    arb_clear(x);
}

/* The entries of A as polynomials in the generator; freed by polys_clear. */
static fmpq_poly_struct *
polys_of(const ckda_mat_struct *A, const ckda_field_t K)
{
    slong n = A->rows * A->cols;
    fmpq_poly_struct *f = flint_malloc((size_t)(n + 1) * sizeof *f);
    for (slong e = 0; e < n; e++) {
        fmpq_poly_init(f + e);
        ckda_elem_get_fmpq_poly(f + e, A->entry + e, K);
        fmpq_poly_canonicalise(f + e);
    }
    return f;
}

static void
polys_clear(fmpq_poly_struct *f, slong n)
{
    for (slong e = 0; e < n; e++)
        fmpq_poly_clear(f + e);
    flint_free(f);
}

/* Raises den to a multiple of all denominators of A; returns the longest numerator. */
static slong
denominators(fmpz_t den, const ckda_mat_struct *A, const ckda_field_t K)
{
    slong n = A->rows * A->cols, bits = 0;
    fmpq_poly_struct *f = polys_of(A, K);
    for (slong e = 0; e < n; e++) {
        slong b = _fmpz_vec_max_bits(f[e].coeffs, fmpq_poly_length(f + e));
        bits = FLINT_MAX(bits, FLINT_ABS(b));
        fmpz_lcm(den, den, fmpq_poly_denref(f + e));
    }
    polys_clear(f, n);
    return bits;
}

/* Bits that a sum of d terms c r^k loses to cancellation at most, with |r| <= the root
 * bound.  It matters for tightness only: the balls are right at any precision. */
static slong
working_precision(slong coefficient_bits, const ckda_field_t K)
{
    fmpz_t bound;
    fmpz_init(bound);
    fmpz_poly_bound_roots(bound, K->minpoly);
    slong bits = coefficient_bits + K->degree * (slong)(fmpz_bits(bound) + 1);
    fmpz_clear(bound);
    return 64 + bits;
}

void
ckda_mat_height(ckda_height_t h, const ckda_mat_struct *A, slong count,
                const ckda_field_t K)
{
    slong bits = 0, d = K->degree;
    acb_ptr z = _acb_vec_init(d);

    fmpz_one(h->den);
    fmpq_zero(h->row_sum);
    fmpq_zero(h->entry);
    for (slong i = 0; i < count; i++) {
        slong b = denominators(h->den, A + i, K);
        bits = FLINT_MAX(bits, b);
    }
    slong prec = working_precision(bits, K);
    arb_fmpz_poly_complex_roots(z, K->minpoly, 0, prec);
    for (slong i = 0; i < count; i++) {
        fmpq_poly_struct *f = polys_of(A + i, K);
        for (slong k = 0; k < d; k++)
            bound_at(h, f, A[i].rows, A[i].cols, z + k, prec);
        polys_clear(f, A[i].rows * A[i].cols);
    }
    _acb_vec_clear(z, d);
}

bool
ckda_field_is_totally_real(const ckda_field_t K)
{
    return fmpz_poly_num_real_roots(K->minpoly) == K->degree;
}

bool
ckda_mat_is_orthogonal_everywhere(const ckda_mat_t A, const ckda_field_t K)
{
    return ckda_mat_is_orthogonal(NULL, A, K) && ckda_field_is_totally_real(K);
}

void
ckda_modulus_needed(fmpz_t N, const fmpz_t D, const fmpq_t B, const ckda_field_t K)
{
    fmpq_t t;
    fmpq_init(t);
    fmpq_mul_fmpz(t, B, D);
    fmpq_mul_2exp(t, t, 1);
    fmpq_pow_si(t, t, K->degree);
    fmpz_fdiv_q(N, fmpq_numref(t), fmpq_denref(t));
    fmpq_clear(t);
}
