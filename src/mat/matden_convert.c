/* Between the plain form and the common-denominator form; equality and hash. */
#include "matden_internal.h"

#include <string.h>

ckda_status
ckda_matden_set_mat(ckda_matden_t A, const ckda_mat_t B, const ckda_matden_ctx_t ctx)
{
    if (A->rows != B->rows || A->cols != B->cols)
        return CKDA_E_SHAPE;
    slong size = B->rows * B->cols, n = ckda_matden_count(A, ctx);
    fmpq_poly_struct *f = flint_malloc((size_t)(size + 1) * sizeof *f);
    fmpz *x = _fmpz_vec_init(n);
    fmpz_t den, c;

    fmpz_init_set_ui(den, 1);
    fmpz_init(c);
    for (slong e = 0; e < size; e++) {
        fmpq_poly_init(f + e);
        ckda_elem_get_fmpq_poly(f + e, B->entry + e, ctx->K);
        fmpz_lcm(den, den, fmpq_poly_denref(f + e));
    }
    for (slong e = 0; e < size; e++) {
        fmpz_divexact(c, den, fmpq_poly_denref(f + e));
        for (slong k = 0; k < fmpq_poly_length(f + e); k++)
            fmpz_mul(x + k * size + e, f[e].coeffs + k, c);
        fmpq_poly_clear(f + e);
    }
    ckda_matden_take_big(A, x, den, ctx);
    fmpz_clear(c);
    fmpz_clear(den);
    _fmpz_vec_clear(x, n);
    flint_free(f);
    return CKDA_OK;
}

ckda_status
ckda_matden_get_mat(ckda_mat_t A, const ckda_matden_t B, const ckda_matden_ctx_t ctx)
{
    if (A->rows != B->rows || A->cols != B->cols)
        return CKDA_E_SHAPE;
    slong size = B->rows * B->cols, n = ckda_matden_count(B, ctx);
    fmpz *x = _fmpz_vec_init(n);
    fmpz_t den;
    fmpq_poly_t f;

    fmpz_init(den);
    fmpq_poly_init(f);
    ckda_matden_get_big(x, den, B, ctx);
    for (slong e = 0; e < size; e++) {
        fmpq_poly_zero(f);
        for (slong k = 0; k < ctx->degree; k++)
            fmpq_poly_set_coeff_fmpz(f, k, x + k * size + e);
        fmpq_poly_scalar_div_fmpz(f, f, den);
        ckda_elem_set_fmpq_poly(A->entry + e, f, ctx->K);
    }
    fmpq_poly_clear(f);
    fmpz_clear(den);
    _fmpz_vec_clear(x, n);
    return CKDA_OK;
}

bool
ckda_matden_equal(const ckda_matden_t A, const ckda_matden_t B,
                  const ckda_matden_ctx_t ctx)
{
    slong n = ckda_matden_count(A, ctx);

    if (A->rows != B->rows || A->cols != B->cols || (A->big == NULL) != (B->big == NULL))
        return false;
    if (A->big != NULL)
        return fmpz_equal(A->big_den, B->big_den) && _fmpz_vec_equal(A->big, B->big, n);
    return A->den == B->den
           && (n == 0 || memcmp(A->small, B->small, (size_t)n * sizeof(int64_t)) == 0);
}

static uint64_t
mix(uint64_t h, uint64_t x)
{
    h = (h ^ x) * UINT64_C(0xff51afd7ed558ccd);
    return h ^ (h >> 32);
}

/* The small and the big form may hash differently: no matrix has both. */
uint64_t
ckda_matden_hash(const ckda_matden_t A, const ckda_matden_ctx_t ctx)
{
    const ulong prime = (UWORD(1) << 61) - 1;
    slong n = ckda_matden_count(A, ctx);
    uint64_t h =
        mix(mix(UINT64_C(0x9e3779b97f4a7c15), (uint64_t)A->rows), (uint64_t)A->cols);

    if (A->big == NULL) {
        h = mix(h, (uint64_t)A->den);
        for (slong i = 0; i < n; i++)
            h = mix(h, (uint64_t)A->small[i]);
    } else {
        h = mix(h, fmpz_fdiv_ui(A->big_den, prime));
        for (slong i = 0; i < n; i++)
            h = mix(h, fmpz_fdiv_ui(A->big + i, prime));
    }
    return mix(h, UINT64_C(0xc4ceb9fe1a85ec53));
}
