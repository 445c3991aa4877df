/* The reduction table of K: how a^d .. a^(2d-2) read in the basis 1 .. a^(d-1). */
#include "matden_internal.h"

/* row k+1 = a * row k: shift, then replace a^d by row 0. */
static void
next_row(fmpz *to, const fmpz *from, const fmpz *row0, slong d)
{
    const fmpz *top = from + d - 1;
    for (slong i = 0; i < d; i++) {
        if (i == 0)
            fmpz_zero(to + i);
        else
            fmpz_set(to + i, from + i - 1);
        fmpz_addmul(to + i, top, row0 + i);
    }
}

/* How many pairs 0 <= p, q < d have p + q = k. */
static slong
pairs(slong k, slong d)
{
    return k < d ? k + 1 : 2 * d - 1 - k;
}

static void
growth(fmpz_t g, const ckda_matden_ctx_t ctx)
{
    slong d = ctx->degree;
    fmpz_t s, t;

    fmpz_init(s);
    fmpz_init(t);
    fmpz_zero(g);
    for (slong i = 0; i < d; i++) {
        fmpz_set_si(s, pairs(i, d)); /* a^i itself */
        for (slong k = 0; k < d - 1; k++) {
            fmpz_abs(t, ctx->table + k * d + i);
            fmpz_addmul_ui(s, t, (ulong)pairs(d + k, d));
        }
        if (fmpz_cmp(s, g) > 0)
            fmpz_set(g, s);
    }
    fmpz_clear(t);
    fmpz_clear(s);
}

static void
fill_int64(ckda_matden_ctx_t ctx)
{
    slong n = (ctx->degree - 1) * ctx->degree;
    fmpz_t g;

    fmpz_init(g);
    growth(g, ctx);
    /* growth bounds every entry of the table, so this one test covers both */
    if (fmpz_cmp_ui(g, CKDA_MATDEN_LIMIT) < 0) {
        ctx->growth = fmpz_get_ui(g);
        ctx->table64 = flint_malloc((size_t)(n + 1) * sizeof(int64_t));
        for (slong i = 0; i < n; i++)
            ctx->table64[i] = fmpz_get_si(ctx->table + i);
    }
    fmpz_clear(g);
}

void
ckda_matden_ctx_init(ckda_matden_ctx_t ctx, const ckda_field_t K)
{
    slong d = K->degree;

    ctx->K = K;
    ctx->degree = d;
    ctx->table = _fmpz_vec_init((d - 1) * d + 1);
    ctx->table64 = NULL;
    ctx->growth = 0;
    ctx->kernel = ckda_matden_best_kernel();
    for (slong i = 0; d > 1 && i < d;
         i++) /* a^d = - (the rest of the minimal polynomial) */
        fmpz_neg(ctx->table + i, K->minpoly->coeffs + i);
    for (slong k = 1; k < d - 1; k++)
        next_row(ctx->table + k * d, ctx->table + (k - 1) * d, ctx->table, d);
    fill_int64(ctx);
}

void
ckda_matden_ctx_clear(ckda_matden_ctx_t ctx)
{
    _fmpz_vec_clear(ctx->table, (ctx->degree - 1) * ctx->degree + 1);
    flint_free(ctx->table64);
    ctx->table = NULL;
    ctx->table64 = NULL;
}

uint64_t
ckda_matden_growth(const ckda_matden_ctx_t ctx)
{
    return ctx->growth;
}
