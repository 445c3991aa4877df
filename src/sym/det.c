/* det.c -- determinants and adjugates of polynomial matrices, without division. */
#include "internal.h"

/* Keeps the normal form when it needs no rational factor (a basis with leading
 * coefficients +-1): sizes stay small in the middle of an expansion. */
static void
tame(fmpz_mpoly_t a, ckda_sym *s)
{
    fmpz_t scale;
    fmpz_mpoly_t r;
    if (s->basis->length == 0)
        return;
    fmpz_init(scale);
    fmpz_mpoly_init(r, s->ctx);
    ckda_sym_poly_reduce(scale, r, a, s);
    if (fmpz_is_one(scale))
        fmpz_mpoly_swap(a, r, s->ctx);
    fmpz_mpoly_clear(r, s->ctx);
    fmpz_clear(scale);
}

static int
popcount(unsigned long x)
{
    int k = 0;
    for (; x != 0; x &= x - 1)
        k++;
    return k;
}

/* minor[mask] = minor of the first |mask| rows and the columns in mask, by expansion
 * along its last row: 2^n minors, each computed once. */
void
ckda_sym_det_expand(fmpz_mpoly_t r, const fmpz_mpoly_struct *a, slong n, bool reduce,
                    ckda_sym *s)
{
    unsigned long all = (1UL << n) - 1;
    fmpz_mpoly_struct *minor = flint_malloc((all + 1) * sizeof *minor);
    fmpz_mpoly_t t;
    fmpz_mpoly_init(t, s->ctx);
    for (unsigned long mask = 0; mask <= all; mask++) {
        fmpz_mpoly_init(minor + mask, s->ctx);
        if (mask == 0)
            fmpz_mpoly_one(minor, s->ctx);
        slong row = popcount(mask) - 1;
        for (slong j = 0; j < n; j++) {
            if (!(mask >> j & 1) || fmpz_mpoly_is_zero(a + row * n + j, s->ctx))
                continue;
            ckda_sym_poly_mul(t, a + row * n + j, minor + (mask & ~(1UL << j)), s);
            if (popcount(mask >> j) % 2 == 1)
                fmpz_mpoly_add(minor + mask, minor + mask, t, s->ctx);
            else
                fmpz_mpoly_sub(minor + mask, minor + mask, t, s->ctx);
        }
        if (reduce)
            tame(minor + mask, s);
    }
    fmpz_mpoly_swap(r, minor + all, s->ctx);
    for (unsigned long mask = 0; mask <= all; mask++)
        fmpz_mpoly_clear(minor + mask, s->ctx);
    flint_free(minor);
    fmpz_mpoly_clear(t, s->ctx);
}

static fmpz_mpoly_struct *
vec_new(slong n, const ckda_sym *s)
{
    fmpz_mpoly_struct *v = flint_malloc((size_t)n * sizeof *v);
    for (slong i = 0; i < n; i++)
        fmpz_mpoly_init(v + i, s->ctx);
    return v;
}

static void
vec_free(fmpz_mpoly_struct *v, slong n, const ckda_sym *s)
{
    for (slong i = 0; i < n; i++)
        fmpz_mpoly_clear(v + i, s->ctx);
    flint_free(v);
}

static void
addmul(fmpz_mpoly_t r, const fmpz_mpoly_t a, const fmpz_mpoly_t b, ckda_sym *s)
{
    fmpz_mpoly_t t;
    fmpz_mpoly_init(t, s->ctx);
    ckda_sym_poly_mul(t, a, b, s);
    fmpz_mpoly_add(r, r, t, s->ctx);
    fmpz_mpoly_clear(t, s->ctx);
}

/* toeplitz = (1, -a_mm, -R S, -R A S, ...) for the leading block of size m + 1. */
static void
toeplitz_column(fmpz_mpoly_struct *top, const fmpz_mpoly_struct *a, slong n, slong m,
                ckda_sym *s)
{
    fmpz_mpoly_struct *v = vec_new(m + 1, s), *w = vec_new(m + 1, s);
    fmpz_mpoly_one(top, s->ctx);
    fmpz_mpoly_neg(top + 1, a + m * n + m, s->ctx);
    for (slong i = 0; i < m; i++)
        fmpz_mpoly_set(v + i, a + i * n + m, s->ctx);
    for (slong k = 2; k <= m + 1; k++) {
        for (slong i = 0; i < m; i++)
            addmul(top + k, a + m * n + i, v + i, s);
        fmpz_mpoly_neg(top + k, top + k, s->ctx);
        for (slong i = 0; i < m; i++) {
            fmpz_mpoly_zero(w + i, s->ctx);
            for (slong j = 0; j < m; j++)
                addmul(w + i, a + i * n + j, v + j, s);
        }
        fmpz_mpoly_struct *swap = v;
        v = w;
        w = swap;
    }
    vec_free(v, m + 1, s);
    vec_free(w, m + 1, s);
}

/* Samuelson-Berkowitz: the characteristic polynomial of each leading block is a Toeplitz
 * matrix times that of the block before; the last coefficient is (-1)^n det. */
void
ckda_sym_det_berkowitz(fmpz_mpoly_t r, const fmpz_mpoly_struct *a, slong n, ckda_sym *s)
{
    fmpz_mpoly_struct *c = vec_new(n + 1, s);
    fmpz_mpoly_one(c, s->ctx);
    for (slong m = 0; m < n; m++) {
        fmpz_mpoly_struct *top = vec_new(m + 2, s), *next = vec_new(n + 1, s);
        toeplitz_column(top, a, n, m, s);
        for (slong i = 0; i <= m + 1; i++)
            for (slong j = 0; j <= FLINT_MIN(i, m); j++)
                addmul(next + i, top + i - j, c + j, s);
        vec_free(top, m + 2, s);
        vec_free(c, n + 1, s);
        c = next;
    }
    if (n % 2 == 0)
        fmpz_mpoly_set(r, c + n, s->ctx);
    else
        fmpz_mpoly_neg(r, c + n, s->ctx);
    vec_free(c, n + 1, s);
}

static void
det(fmpz_mpoly_t r, const fmpz_mpoly_struct *a, slong n, bool reduce, ckda_sym *s)
{
    if (n <= 9) /* below this the minors are few; above, Berkowitz grows more slowly */
        ckda_sym_det_expand(r, a, n, reduce, s);
    else
        ckda_sym_det_berkowitz(r, a, n, s);
}

/* det(N / d) = det(N) / d^n. */
void
ckda_sym_ratmat_det(sym_ratmat *r, const sym_ratmat *a, bool reduce, ckda_sym *s)
{
    det(r->num, a->num, a->rows, reduce, s);
    ckda_sym_poly_pow(r->den, a->den, a->rows, s);
    if (s->too_big)
        fmpz_mpoly_one(r->den, s->ctx);
    ckda_sym_ratmat_cancel(r, s);
}

/* adj(N / d) = adj(N) / d^(n-1), by cofactors. */
void
ckda_sym_ratmat_adj(sym_ratmat *r, const sym_ratmat *a, bool reduce, ckda_sym *s)
{
    slong n = a->rows;
    fmpz_mpoly_struct *sub = vec_new((n - 1) * (n - 1), s);
    for (slong i = 0; i < n; i++)
        for (slong j = 0; j < n; j++) {
            slong k = 0;
            for (slong p = 0; p < n; p++)
                for (slong q = 0; q < n; q++)
                    if (p != i && q != j)
                        fmpz_mpoly_set(sub + k++, a->num + p * n + q, s->ctx);
            fmpz_mpoly_struct *e = r->num + j * n + i;
            det(e, sub, n - 1, reduce, s);
            if ((i + j) % 2 == 1)
                fmpz_mpoly_neg(e, e, s->ctx);
        }
    vec_free(sub, (n - 1) * (n - 1), s);
    ckda_sym_poly_pow(r->den, a->den, n - 1, s);
    if (s->too_big)
        fmpz_mpoly_one(r->den, s->ctx);
    ckda_sym_ratmat_cancel(r, s);
}
