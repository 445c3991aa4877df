/* Sums and products: int64 where a bound proves it safe, fmpz otherwise. */
#include "matden_internal.h"

#include <string.h>

/* x y, or the limit if that is not below the limit. */
static uint64_t
mul_cap(uint64_t x, uint64_t y)
{
    uint64_t z;
    if (__builtin_mul_overflow(x, y, &z) || z > CKDA_MATDEN_LIMIT)
        return CKDA_MATDEN_LIMIT;
    return z;
}

/* ---- products -------------------------------------------------------------------- */

static bool
mul_is_safe(int64_t *den, const ckda_matden_t A, const ckda_matden_t B,
            const ckda_matden_ctx_t ctx)
{
    if (A->big != NULL || B->big != NULL || ctx->table64 == NULL)
        return false;
    uint64_t g = mul_cap(ctx->growth, (uint64_t)A->cols);
    uint64_t m = mul_cap(A->mag, B->mag);
    uint64_t q = mul_cap((uint64_t)A->den, (uint64_t)B->den);
    *den = (int64_t)q;
    return mul_cap(g, m) < CKDA_MATDEN_LIMIT && q < CKDA_MATDEN_LIMIT;
}

static ckda_matden_mul_raw *
pick(const ckda_matden_kernel *k, slong n, slong l, slong m, slong d)
{
    if (n == 4 && l == 4 && m == 4) {
        if (d == 2)
            return k->four2;
        if (d == 4)
            return k->four4;
        if (d == 8)
            return k->four8;
    }
    return k->any;
}

static void
mul_small(ckda_matden_t C, const ckda_matden_t A, const ckda_matden_t B, int64_t den,
          const ckda_matden_ctx_t ctx)
{
    int64_t local[128], *out = C->small;
    slong n = ckda_matden_count(C, ctx);
    bool alias = C == A || C == B;

    if (n == 0)
        return;
    if (alias)
        out = n <= 128 ? local : flint_malloc((size_t)n * sizeof *out);
    pick(ctx->kernel, A->rows, A->cols, B->cols, ctx->degree)(
        out, A->small, B->small, A->rows, A->cols, B->cols, ctx->degree, ctx->table64);
    if (alias)
        memcpy(C->small, out, (size_t)n * sizeof *out);
    if (out != local && alias)
        flint_free(out);
    ckda_matden_settle_small(C, den, ctx);
}

ckda_status
ckda_matden_mul(ckda_matden_t C, const ckda_matden_t A, const ckda_matden_t B,
                const ckda_matden_ctx_t ctx)
{
    if (A->cols != B->rows || C->rows != A->rows || C->cols != B->cols)
        return CKDA_E_SHAPE;
    int64_t den;
    if (mul_is_safe(&den, A, B, ctx))
        mul_small(C, A, B, den, ctx);
    else
        ckda_matden_mul_big(C, A, B, ctx);
    return CKDA_OK;
}

/* ---- sums ------------------------------------------------------------------------ */

/* C = (fa A + fb B) / den on int64, with signed factors; false if that may overflow. */
static bool
combine_small(ckda_matden_t C, const ckda_matden_t A, const ckda_matden_t B, bool minus,
              const ckda_matden_ctx_t ctx)
{
    if (A->big != NULL || B->big != NULL)
        return false;
    uint64_t g = n_gcd((ulong)A->den, (ulong)B->den);
    uint64_t fa = (uint64_t)B->den / g, fb = (uint64_t)A->den / g;
    uint64_t den = mul_cap((uint64_t)A->den, fa);
    if (den >= CKDA_MATDEN_LIMIT
        || mul_cap(fa, A->mag) + mul_cap(fb, B->mag) >= CKDA_MATDEN_LIMIT)
        return false;
    slong n = ckda_matden_count(C, ctx);
    int64_t sa = (int64_t)fa, sb = minus ? -(int64_t)fb : (int64_t)fb;
    for (slong i = 0; i < n; i++)
        C->small[i] = sa * A->small[i] + sb * B->small[i];
    ckda_matden_settle_small(C, (int64_t)den, ctx);
    return true;
}

static void
combine_big(ckda_matden_t C, const ckda_matden_t A, const ckda_matden_t B, bool minus,
            const ckda_matden_ctx_t ctx)
{
    slong n = ckda_matden_count(C, ctx);
    fmpz *x = _fmpz_vec_init(n), *y = _fmpz_vec_init(n);
    fmpz_t p, q;

    fmpz_init(p);
    fmpz_init(q);
    ckda_matden_get_big(x, p, A, ctx);
    ckda_matden_get_big(y, q, B, ctx);
    _fmpz_vec_scalar_mul_fmpz(x, x, n, q);
    _fmpz_vec_scalar_mul_fmpz(y, y, n, p);
    if (minus)
        _fmpz_vec_sub(x, x, y, n);
    else
        _fmpz_vec_add(x, x, y, n);
    fmpz_mul(p, p, q);
    ckda_matden_take_big(C, x, p, ctx);
    fmpz_clear(q);
    fmpz_clear(p);
    _fmpz_vec_clear(y, n);
    _fmpz_vec_clear(x, n);
}

static ckda_status
combine(ckda_matden_t C, const ckda_matden_t A, const ckda_matden_t B, bool minus,
        const ckda_matden_ctx_t ctx)
{
    if (A->rows != B->rows || A->cols != B->cols || C->rows != A->rows
        || C->cols != A->cols)
        return CKDA_E_SHAPE;
    if (!combine_small(C, A, B, minus, ctx))
        combine_big(C, A, B, minus, ctx);
    return CKDA_OK;
}

ckda_status
ckda_matden_add(ckda_matden_t C, const ckda_matden_t A, const ckda_matden_t B,
                const ckda_matden_ctx_t ctx)
{
    return combine(C, A, B, false, ctx);
}

ckda_status
ckda_matden_sub(ckda_matden_t C, const ckda_matden_t A, const ckda_matden_t B,
                const ckda_matden_ctx_t ctx)
{
    return combine(C, A, B, true, ctx);
}
