/* The primitives of Proposition 25 and our own semi-merge and row transvection. */
#include "factorise_internal.h"

bool
factorise_distinct(slong n, slong s, const slong *d, slong r)
{
    bool *seen = flint_calloc((size_t)n + 1, sizeof *seen), ok = s < n;
    if (ok && s >= 0)
        seen[s] = true;
    for (slong i = 0; i < r && ok; i++) {
        ok = d[i] >= 0 && d[i] < n && !seen[d[i]];
        if (ok)
            seen[d[i]] = true;
    }
    flint_free(seen);
    return ok;
}

ckda_status
ckda_factors_push_swap(ckda_factors_t f, slong i, slong j, const ckda_field_t K)
{
    if (i < 0 || !factorise_distinct(f->n, i, &j, 1))
        return CKDA_E_DOMAIN;
    ckda_trans_struct *t = factorise_append(f, K);
    ckda_elem_set_si(t->key + i, 1, K);
    ckda_elem_set_si(t->key + j, -1, K);
    ckda_elem_set_si(t->beta, 2, K);
    return CKDA_OK;
}

/* key = a e_s + sum e_d. */
static void
set_star(ckda_trans_struct *t, slong a, slong s, const slong *d, slong r,
         const ckda_field_t K)
{
    ckda_elem_set_si(t->key + s, a, K);
    for (slong i = 0; i < r; i++)
        ckda_elem_one(t->key + d[i], K);
}

ckda_status
ckda_factors_push_merge(ckda_factors_t f, slong s, const slong *d, slong r,
                        const ckda_field_t K)
{
    if (s < 0 || r < 1 || !factorise_distinct(f->n, s, d, r))
        return CKDA_E_DOMAIN;
    ckda_trans_struct *t = factorise_append(f, K);
    set_star(t, 3, s, d, r, K);
    ckda_elem_set_frac(t->beta, 9 + r, 6, K);
    t = factorise_append(f, K);
    ckda_elem_one(t->key + s, K);
    ckda_elem_set_si(t->beta, 3, K);
    for (slong i = 0; i < r; i++)
        ckda_elem_zero(t->gate + d[i], K);
    return CKDA_OK;
}

ckda_status
ckda_factors_push_semi_merge(ckda_factors_t f, slong s, const slong *d, slong r,
                             const ckda_field_t K)
{
    if (s < 0 || r < 1 || !factorise_distinct(f->n, s, d, r))
        return CKDA_E_DOMAIN;
    ckda_trans_struct *t = factorise_append(f, K);
    set_star(t, 2, s, d, r, K);
    ckda_elem_set_frac(t->beta, 4 + r, 2, K);
    ckda_elem_set_si(t->gate + s, -1, K);
    for (slong i = 0; i < r; i++)
        ckda_elem_set_si(t->gate + d[i], -1, K);
    return CKDA_OK;
}

ckda_status
ckda_factors_push_transvection(ckda_factors_t f, slong d, slong s, const ckda_field_t K)
{
    if (s < 0 || !factorise_distinct(f->n, s, &d, 1))
        return CKDA_E_DOMAIN;
    ckda_trans_struct *t = factorise_append(f, K); /* H_2(e_s + e_d) */
    ckda_elem_one(t->key + s, K);
    ckda_elem_one(t->key + d, K);
    ckda_elem_set_si(t->beta, 4, K);
    t = factorise_append(f, K); /* H_{1/2}(e_s) */
    ckda_elem_one(t->key + s, K);
    ckda_elem_set_frac(t->beta, 1, 2, K);
    t = factorise_append(f, K); /* H_{1/3}(e_s + 2 e_d) */
    ckda_elem_one(t->key + s, K);
    ckda_elem_set_si(t->key + d, 2, K);
    ckda_elem_set_frac(t->beta, 5, 3, K);
    return CKDA_OK;
}

ckda_status
ckda_factors_push_scale(ckda_factors_t f, slong j, const ckda_elem_t a,
                        const ckda_field_t K)
{
    if (j < 0 || j >= f->n)
        return CKDA_E_DOMAIN;
    ckda_trans_struct *t = factorise_append(f, K);
    ckda_elem_one(t->key + j, K);
    ckda_elem_one(t->beta,
                  K); /* 1 - (1 + |a|) = -|a|; the gate turns the sign of a > 0 */
    if (ckda_elem_sgn(a, K) > 0) {
        ckda_elem_add(t->beta, t->beta, a, K);
        ckda_elem_set_si(t->gate + j, -1, K);
    } else {
        ckda_elem_sub(t->beta, t->beta, a, K);
    }
    return CKDA_OK;
}

ckda_status
ckda_factors_push_clear(ckda_factors_t f, const slong *d, slong r, const ckda_field_t K)
{
    if (f->n < 1 || r < 0 || !factorise_distinct(f->n, -1, d, r))
        return CKDA_E_DOMAIN;
    ckda_trans_struct *t = factorise_append(f, K);
    ckda_elem_one(t->key, K); /* beta = 0: any direction */
    for (slong i = 0; i < r; i++)
        ckda_elem_zero(t->gate + d[i], K);
    return CKDA_OK;
}

ckda_status
ckda_factors_clear_before(ckda_factors_t f, slong at, slong d, const ckda_field_t K)
{
    if (at < 0 || at >= f->count || d < 0 || d >= f->n)
        return CKDA_E_DOMAIN;
    ckda_elem_zero(f->step[at].gate + d, K);
    return CKDA_OK;
}

/* ---- row transvection ----------------------------------------------------------- */

/* A rational h with h(1+h) N > 1, for N > 0.  N >= 1: h = 1/r with r = floor(sqrt N), as
 * r^2 <= N gives h^2 N >= 1.  N < 1: the least whole number with h(1+h) N >= 2, so that the
 * divisor h(1+h)N - 1 of the second beta is at least 1 however small N is. */
static void
choose_h(fmpq_t h, const fmpq_t N)
{
    fmpz_t q, product, least;
    fmpz_init(q);
    if (fmpz_cmp(fmpq_numref(N), fmpq_denref(N)) >= 0) {
        fmpz_fdiv_q(q, fmpq_numref(N), fmpq_denref(N));
        fmpz_sqrt(q, q);
        fmpz_one(fmpq_numref(h));
        fmpz_set(fmpq_denref(h), q);
    } else {
        fmpz_init(product);
        fmpz_init(least);
        fmpz_mul_2exp(least, fmpq_denref(N), 1);
        fmpz_fdiv_q(q, least, fmpq_numref(N));
        fmpz_sqrt(q, q);
        fmpz_add_ui(product, q, 1);
        fmpz_mul(product, product, q);
        fmpz_mul(product, product, fmpq_numref(N));
        if (fmpz_cmp(product, least) < 0)
            fmpz_add_ui(q, q, 1); /* (q+1)^2 > 2/N */
        fmpz_set(fmpq_numref(h), q);
        fmpz_one(fmpq_denref(h));
        fmpz_clear(least);
        fmpz_clear(product);
    }
    fmpz_clear(q);
}

/* beta = g (c^2 N + 1), key = c w + e_d. */
static void
set_row(ckda_trans_struct *t, const fmpq_t g, const fmpq_t c, const fmpq_t N, slong d,
        const ckda_elem_struct *w, const ckda_field_t K)
{
    fmpq_t beta;
    ckda_elem_t x;
    fmpq_init(beta);
    ckda_elem_init(x, K);
    fmpq_mul(beta, c, c);
    fmpq_mul(beta, beta, N);
    fmpq_add_si(beta, beta, 1);
    fmpq_mul(beta, beta, g);
    ckda_elem_set_fmpq(t->beta, beta, K);
    ckda_elem_set_fmpq(x, c, K);
    for (slong j = 0; j < t->n; j++)
        ckda_elem_mul(t->key + j, x, w + j, K);
    ckda_elem_one(t->key + d, K);
    ckda_elem_clear(x, K);
    fmpq_clear(beta);
}

static void
append_row_transvection(ckda_factors_t f, slong d, const ckda_elem_struct *w,
                        const fmpq_t N, const ckda_field_t K)
{
    fmpq_t h, p, g, x;
    fmpq_init(h);
    fmpq_init(p);
    fmpq_init(g);
    fmpq_init(x);
    choose_h(h, N);
    fmpq_add_si(p, h, 1);
    fmpq_add(x, p, h);
    fmpq_div(g, h, x); /* g3 = h/(1+2h) */
    set_row(factorise_append(f, K), g, p, N, d, w, K);
    fmpq_mul(x, h, p);
    fmpq_mul(x, x, N);
    fmpq_sub_si(x, x, 1);
    fmpq_mul(x, x, h);
    fmpq_div(g, p, x); /* g1 = (1+h)/(h (h(1+h) N - 1)) */
    ckda_trans_struct *t = factorise_append(f, K);
    set_row(t, g, h, N, d, w, K);
    fmpq_div(x, h, p);
    ckda_elem_set_fmpq(t->gate + d, x, K);
    fmpq_clear(x);
    fmpq_clear(g);
    fmpq_clear(p);
    fmpq_clear(h);
}

ckda_status
ckda_factors_push_row_transvection(ckda_factors_t f, slong d, const ckda_elem_struct *w,
                                   const ckda_field_t K)
{
    ckda_status status = CKDA_E_DOMAIN;
    fmpq_poly_t poly;
    ckda_elem_t sum;
    fmpq_t N;
    if (d < 0 || d >= f->n || !ckda_elem_is_zero(w + d, K))
        return CKDA_E_DOMAIN;
    for (slong j = 0; j < f->n; j++)
        if (!ckda_elem_is_rational(w + j, K))
            return CKDA_E_DOMAIN;
    fmpq_poly_init(poly);
    ckda_elem_init(sum, K);
    fmpq_init(N);
    for (slong j = 0; j < f->n; j++)
        ckda_elem_addmul(sum, w + j, w + j, K);
    if (!ckda_elem_is_zero(sum, K)) {
        ckda_elem_get_fmpq_poly(poly, sum, K);
        fmpq_poly_get_coeff_fmpq(N, poly, 0);
        append_row_transvection(f, d, w, N, K);
        status = CKDA_OK;
    }
    fmpq_clear(N);
    ckda_elem_clear(sum, K);
    fmpq_poly_clear(poly);
    return status;
}
