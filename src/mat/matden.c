/* Memory, canonical form, conversions, equality, hash. */
#include "matden_internal.h"

#include <string.h>

#if FLINT_BITS != 64
#error "ckda/matden.h needs 64-bit limbs"
#endif

slong
ckda_matden_count(const ckda_matden_t A, const ckda_matden_ctx_t ctx)
{
    return ctx->degree * A->rows * A->cols;
}

void
ckda_matden_init(ckda_matden_t A, slong rows, slong cols, const ckda_matden_ctx_t ctx)
{
    ckda_require(rows >= 0 && cols >= 0, "%ld x %ld", (long)rows, (long)cols);
    A->rows = rows;
    A->cols = cols;
    slong n = ckda_matden_count(A, ctx);
    A->small = n > 0 ? flint_calloc((size_t)n, sizeof(int64_t)) : NULL;
    A->den = 1;
    A->mag = 0;
    A->big = NULL;
    fmpz_init_set_ui(A->big_den, 1);
}

static void
drop_big(ckda_matden_t A, const ckda_matden_ctx_t ctx)
{
    if (A->big != NULL)
        _fmpz_vec_clear(A->big, ckda_matden_count(A, ctx));
    A->big = NULL;
    fmpz_one(A->big_den);
}

void
ckda_matden_clear(ckda_matden_t A, const ckda_matden_ctx_t ctx)
{
    drop_big(A, ctx);
    flint_free(A->small);
    fmpz_clear(A->big_den);
    A->small = NULL;
    A->rows = A->cols = 0;
}

void
ckda_matden_swap(ckda_matden_t A, ckda_matden_t B)
{
    ckda_matden_struct t = *A;
    *A = *B;
    *B = t;
}

bool
ckda_matden_is_small(const ckda_matden_t A)
{
    return A->big == NULL;
}

void
ckda_matden_make_big(ckda_matden_t A, const ckda_matden_ctx_t ctx)
{
    if (A->big == NULL)
        A->big = _fmpz_vec_init(ckda_matden_count(A, ctx));
}

void
ckda_matden_get_big(fmpz *x, fmpz_t den, const ckda_matden_t A,
                    const ckda_matden_ctx_t ctx)
{
    slong n = ckda_matden_count(A, ctx);
    if (A->big != NULL) {
        _fmpz_vec_set(x, A->big, n);
        fmpz_set(den, A->big_den);
        return;
    }
    for (slong i = 0; i < n; i++)
        fmpz_set_si(x + i, A->small[i]);
    fmpz_set_si(den, A->den);
}

/* Divides by the common factor of den and all of x. */
static void
cancel_big(fmpz *x, slong n, fmpz_t den)
{
    fmpz_t g;
    fmpz_init(g);
    fmpz_set(g, den);
    for (slong i = 0; i < n && !fmpz_is_one(g); i++)
        fmpz_gcd(g, g, x + i);
    if (!fmpz_is_one(g)) {
        _fmpz_vec_scalar_divexact_fmpz(x, x, n, g);
        fmpz_divexact(den, den, g);
    }
    fmpz_clear(g);
}

static bool
fits(const fmpz *x, slong n)
{
    for (slong i = 0; i < n; i++)
        if (fmpz_bits(x + i) > 62)
            return false;
    return true;
}

void
ckda_matden_take_big(ckda_matden_t A, fmpz *x, fmpz_t den, const ckda_matden_ctx_t ctx)
{
    slong n = ckda_matden_count(A, ctx);

    cancel_big(x, n, den);
    if (fits(x, n) && fits(den, 1)) {
        for (slong i = 0; i < n; i++)
            A->small[i] = fmpz_get_si(x + i);
        ckda_matden_settle_small(A, fmpz_get_si(den), ctx);
        return;
    }
    ckda_matden_make_big(A, ctx);
    for (slong i = 0; i < n; i++)
        fmpz_swap(A->big + i, x + i);
    fmpz_swap(A->big_den, den);
}

static uint64_t
magnitude(int64_t x)
{
    return x < 0 ? -(uint64_t)x : (uint64_t)x;
}

/* The greatest power of two that divides g, and what remains. */
static int
split_two(uint64_t *odd, uint64_t g)
{
    int s = __builtin_ctzll(g);
    *odd = g >> s;
    return s;
}

/* Divides by the common factor of den and all of x; returns the new den.  Powers of two,
 * the usual case, cost one shift; the odd part takes a chain of gcds that ends at 1. */
static int64_t
cancel_small(int64_t *x, slong n, int64_t den, uint64_t any)
{
    uint64_t odd;
    int s = split_two(&odd, (uint64_t)den);

    if (any == 0)
        return 1; /* the zero matrix */
    if (s > __builtin_ctzll(any))
        s = __builtin_ctzll(any);
    for (slong i = 0; i < n && odd != 1; i++)
        odd = n_gcd(odd, magnitude(x[i]));
    int64_t g = (int64_t)(odd << s);
    if (odd == 1 && s > 0)
        for (slong i = 0; i < n; i++)
            x[i] >>= s; /* exact, and arithmetic in GCC and Clang */
    else if (odd != 1)
        for (slong i = 0; i < n; i++)
            x[i] /= g;
    return den / g;
}

void
ckda_matden_settle_small(ckda_matden_t A, int64_t den, const ckda_matden_ctx_t ctx)
{
    slong n = ckda_matden_count(A, ctx);
    int64_t *x = A->small;
    uint64_t any = 0, mag = 0;

    if (den != 1) {
        for (slong i = 0; i < n; i++)
            any |= (uint64_t)x[i];
        den = cancel_small(x, n, den, any);
    }
    for (slong i = 0; i < n; i++)
        mag |=
            magnitude(x[i]); /* the OR is at least the maximum, and below 2^62 with it */
    A->mag = mag;
    A->den = den;
    drop_big(A, ctx);
}

ckda_status
ckda_matden_set(ckda_matden_t A, const ckda_matden_t B, const ckda_matden_ctx_t ctx)
{
    if (A->rows != B->rows || A->cols != B->cols)
        return CKDA_E_SHAPE;
    if (A == B)
        return CKDA_OK;
    slong n = ckda_matden_count(A, ctx);
    if (B->big != NULL) {
        ckda_matden_make_big(A, ctx);
        _fmpz_vec_set(A->big, B->big, n);
        fmpz_set(A->big_den, B->big_den);
        return CKDA_OK;
    }
    drop_big(A, ctx);
    if (n > 0)
        memcpy(A->small, B->small, (size_t)n * sizeof(int64_t));
    A->den = B->den;
    A->mag = B->mag;
    return CKDA_OK;
}

void
ckda_matden_zero(ckda_matden_t A, const ckda_matden_ctx_t ctx)
{
    slong n = ckda_matden_count(A, ctx);
    drop_big(A, ctx);
    if (n > 0)
        memset(A->small, 0, (size_t)n * sizeof(int64_t));
    A->den = 1;
    A->mag = 0;
}

ckda_status
ckda_matden_one(ckda_matden_t A, const ckda_matden_ctx_t ctx)
{
    if (A->rows != A->cols)
        return CKDA_E_SHAPE;
    ckda_matden_zero(A, ctx);
    for (slong i = 0; i < A->rows; i++)
        A->small[i * A->cols + i] = 1;
    A->mag = A->rows > 0;
    return CKDA_OK;
}
