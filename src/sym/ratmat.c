/* ratmat.c -- matrices of rational functions with one common denominator.
 *
 * One gcd for a whole matrix instead of one for every entry keeps products of Householder
 * matrices cheap; the denominator of a polynomial matrix is 1 and costs nothing.  A
 * result may alias an input. */
#include "internal.h"

void
ckda_sym_ratmat_init(sym_ratmat *m, slong rows, slong cols, const ckda_sym *s)
{
    m->rows = rows;
    m->cols = cols;
    m->num = flint_malloc((size_t)(rows * cols) * sizeof *m->num);
    for (slong i = 0; i < rows * cols; i++)
        fmpz_mpoly_init(m->num + i, s->ctx);
    fmpz_mpoly_init(m->den, s->ctx);
    fmpz_mpoly_one(m->den, s->ctx);
}

void
ckda_sym_ratmat_clear(sym_ratmat *m, const ckda_sym *s)
{
    for (slong i = 0; i < m->rows * m->cols; i++)
        fmpz_mpoly_clear(m->num + i, s->ctx);
    flint_free(m->num);
    fmpz_mpoly_clear(m->den, s->ctx);
}

void
ckda_sym_poly_mul(fmpz_mpoly_t r, const fmpz_mpoly_t a, const fmpz_mpoly_t b, ckda_sym *s)
{
    slong la = fmpz_mpoly_length(a, s->ctx), lb = fmpz_mpoly_length(b, s->ctx);
    if (s->too_big || (lb > 0 && la > SYM_MAX_WORK / lb)) {
        s->too_big = true; /* what follows is void; value.c reports it */
        fmpz_mpoly_zero(r, s->ctx);
        return;
    }
    fmpz_mpoly_mul(r, a, b, s->ctx);
}

void
ckda_sym_poly_pow(fmpz_mpoly_t r, const fmpz_mpoly_t a, slong e, ckda_sym *s)
{
    fmpz_mpoly_t t, b;
    fmpz_mpoly_init(t, s->ctx);
    fmpz_mpoly_init(b, s->ctx);
    fmpz_mpoly_one(t, s->ctx);
    fmpz_mpoly_set(b, a, s->ctx);
    for (; e > 0; e >>= 1) {
        if (e & 1)
            ckda_sym_poly_mul(t, t, b, s);
        if (e > 1)
            ckda_sym_poly_mul(b, b, b, s);
    }
    fmpz_mpoly_swap(r, t, s->ctx);
    fmpz_mpoly_clear(t, s->ctx);
    fmpz_mpoly_clear(b, s->ctx);
}

static void
divexact(fmpz_mpoly_t a, const fmpz_mpoly_t g, const ckda_sym *s)
{
    fmpz_mpoly_t q;
    fmpz_mpoly_init(q, s->ctx);
    int ok = fmpz_mpoly_divides(q, a, g, s->ctx);
    ckda_require(ok, "a gcd does not divide");
    fmpz_mpoly_swap(a, q, s->ctx);
    fmpz_mpoly_clear(q, s->ctx);
}

/* Divides numerators and denominator by their common gcd; denominator made positive. */
void
ckda_sym_ratmat_cancel(sym_ratmat *r, ckda_sym *s)
{
    slong n = r->rows * r->cols;
    if (fmpz_mpoly_is_one(r->den, s->ctx) || s->too_big)
        return;
    fmpz_mpoly_t g;
    fmpz_mpoly_init(g, s->ctx);
    fmpz_mpoly_set(g, r->den, s->ctx);
    for (slong i = 0; i < n && !fmpz_mpoly_is_one(g, s->ctx); i++)
        if (!fmpz_mpoly_is_zero(r->num + i, s->ctx)
            && !fmpz_mpoly_gcd(g, g, r->num + i, s->ctx))
            fmpz_mpoly_one(g,
                           s->ctx); /* exponents beyond FLINT's gcd: leave uncancelled */
    if (fmpz_sgn(r->den->coeffs + 0) * fmpz_sgn(g->coeffs + 0) < 0)
        fmpz_mpoly_neg(g, g, s->ctx);
    if (!fmpz_mpoly_is_one(g, s->ctx)) {
        for (slong i = 0; i < n; i++)
            divexact(r->num + i, g, s);
        divexact(r->den, g, s);
    }
    fmpz_mpoly_clear(g, s->ctx);
}

void
ckda_sym_poly_primitive(fmpz_mpoly_t a, const ckda_sym *s)
{
    if (fmpz_mpoly_is_zero(a, s->ctx))
        return;
    fmpz_t c;
    fmpz_init(c);
    _fmpz_vec_content(c, a->coeffs, a->length);
    if (fmpz_sgn(a->coeffs + 0) < 0)
        fmpz_neg(c, c);
    fmpz_mpoly_scalar_divexact_fmpz(a, a, c, s->ctx);
    fmpz_clear(c);
}

void
ckda_sym_poly_reduce(fmpz_t scale, fmpz_mpoly_t r, const fmpz_mpoly_t a, ckda_sym *s)
{
    slong n = s->basis->length;
    fmpz_one(scale);
    if (n == 0 || fmpz_mpoly_is_zero(a, s->ctx)) {
        fmpz_mpoly_set(r, a, s->ctx);
        return;
    }
    fmpz_mpoly_struct **q = flint_malloc((size_t)n * sizeof *q);
    fmpz_mpoly_struct **b = flint_malloc((size_t)n * sizeof *b);
    fmpz_mpoly_struct *store = flint_malloc((size_t)n * sizeof *store);
    fmpz_mpoly_t t;
    fmpz_mpoly_init(t, s->ctx);
    for (slong i = 0; i < n; i++) {
        fmpz_mpoly_init(store + i, s->ctx);
        q[i] = store + i;
        b[i] = s->basis->p + i;
    }
    fmpz_mpoly_quasidivrem_ideal(scale, q, t, a, b, n, s->ctx);
    fmpz_mpoly_swap(r, t, s->ctx);
    for (slong i = 0; i < n; i++)
        fmpz_mpoly_clear(store + i, s->ctx);
    fmpz_mpoly_clear(t, s->ctx);
    flint_free(store);
    flint_free(b);
    flint_free(q);
}

/* Every numerator and the denominator in normal form.  The denominator is left alone when
 * it would vanish: value.c has the final word on such divisors. */
void
ckda_sym_ratmat_reduce(sym_ratmat *r, ckda_sym *s)
{
    slong n = r->rows * r->cols;
    if (s->basis->length == 0 || s->too_big)
        return;
    fmpz *scale = _fmpz_vec_init(n + 1);
    fmpz_t all, c;
    fmpz_mpoly_t d;
    fmpz_init(all);
    fmpz_init(c);
    fmpz_mpoly_init(d, s->ctx);
    fmpz_one(all);
    for (slong i = 0; i < n; i++) {
        ckda_sym_poly_reduce(scale + i, r->num + i, r->num + i, s);
        fmpz_lcm(all, all, scale + i);
    }
    /* num = R / scale = (R all / scale) / all;   den = D / c:  all together
     * num / den = (R c all / scale) / (D all) */
    ckda_sym_poly_reduce(c, d, r->den, s);
    if (fmpz_mpoly_is_zero(d, s->ctx))
        fmpz_one(c);
    else
        fmpz_mpoly_swap(r->den, d, s->ctx);
    for (slong i = 0; i < n; i++) {
        fmpz_divexact(scale + i, all, scale + i);
        fmpz_mul(scale + i, scale + i, c);
        fmpz_mpoly_scalar_mul_fmpz(r->num + i, r->num + i, scale + i, s->ctx);
    }
    fmpz_mpoly_scalar_mul_fmpz(r->den, r->den, all, s->ctx);
    ckda_sym_ratmat_cancel(r, s);
    fmpz_mpoly_clear(d, s->ctx);
    fmpz_clear(all);
    fmpz_clear(c);
    _fmpz_vec_clear(scale, n + 1);
}

/* r = a + sign * b over the least common denominator. */
void
ckda_sym_ratmat_add(sym_ratmat *r, const sym_ratmat *a, const sym_ratmat *b, int sign,
                    ckda_sym *s)
{
    fmpz_mpoly_t g, fa, fb, t;
    fmpz_mpoly_init(g, s->ctx);
    fmpz_mpoly_init(fa, s->ctx);
    fmpz_mpoly_init(fb, s->ctx);
    fmpz_mpoly_init(t, s->ctx);
    if (!fmpz_mpoly_gcd(g, a->den, b->den, s->ctx))
        fmpz_mpoly_one(g, s->ctx);
    fmpz_mpoly_set(fa, b->den, s->ctx);
    divexact(fa, g, s);
    fmpz_mpoly_set(fb, a->den, s->ctx);
    divexact(fb, g, s);
    for (slong i = 0; i < a->rows * a->cols; i++) {
        ckda_sym_poly_mul(t, a->num + i, fa, s);
        ckda_sym_poly_mul(g, b->num + i, fb, s);
        if (sign > 0)
            fmpz_mpoly_add(r->num + i, t, g, s->ctx);
        else
            fmpz_mpoly_sub(r->num + i, t, g, s->ctx);
    }
    ckda_sym_poly_mul(t, a->den, fa, s);
    if (!s->too_big)
        fmpz_mpoly_swap(r->den, t, s->ctx);
    ckda_sym_ratmat_cancel(r, s);
    fmpz_mpoly_clear(g, s->ctx);
    fmpz_mpoly_clear(fa, s->ctx);
    fmpz_mpoly_clear(fb, s->ctx);
    fmpz_mpoly_clear(t, s->ctx);
}

static void
mul_num(sym_ratmat *r, const sym_ratmat *a, const sym_ratmat *b, ckda_sym *s)
{
    fmpz_mpoly_t t;
    bool scale_a = a->rows * a->cols == 1, scale_b = b->rows * b->cols == 1;
    fmpz_mpoly_init(t, s->ctx);
    for (slong i = 0; i < r->rows; i++)
        for (slong j = 0; j < r->cols; j++) {
            fmpz_mpoly_struct *e = r->num + i * r->cols + j;
            if (scale_a || scale_b) {
                ckda_sym_poly_mul(e, scale_a ? a->num : a->num + i * r->cols + j,
                                  scale_a ? b->num + i * r->cols + j : b->num, s);
                continue;
            }
            for (slong k = 0; k < a->cols; k++) {
                ckda_sym_poly_mul(t, a->num + i * a->cols + k, b->num + k * b->cols + j,
                                  s);
                fmpz_mpoly_add(e, e, t, s->ctx);
            }
        }
    fmpz_mpoly_clear(t, s->ctx);
}

/* r must be a fresh zero matrix of the shape of the product (or of the scaled matrix). */
void
ckda_sym_ratmat_mul(sym_ratmat *r, const sym_ratmat *a, const sym_ratmat *b, ckda_sym *s)
{
    mul_num(r, a, b, s);
    ckda_sym_poly_mul(r->den, a->den, b->den, s);
    if (s->too_big)
        fmpz_mpoly_one(r->den, s->ctx);
    ckda_sym_ratmat_cancel(r, s);
}

/* r = a / b for a scalar b with non-zero numerator. */
void
ckda_sym_ratmat_div(sym_ratmat *r, const sym_ratmat *a, const sym_ratmat *b, ckda_sym *s)
{
    for (slong i = 0; i < a->rows * a->cols; i++)
        ckda_sym_poly_mul(r->num + i, a->num + i, b->den, s);
    ckda_sym_poly_mul(r->den, a->den, b->num, s);
    if (s->too_big)
        fmpz_mpoly_one(r->den, s->ctx);
    ckda_sym_ratmat_cancel(r, s);
}
