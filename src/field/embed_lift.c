/* Roots of h modulo the factors of f, lifted to a power of the prime; see embed.c. */
#include "embed.h"

#define SPARE_BITS 66 /* p^N is larger than twice the bound on the sum by that */

/* ---- lifting ----------------------------------------------------------------------- */

/* a modulo the monic F and the number m. */
static void
reduce(fmpz_poly_t a, const fmpz_poly_t F, const fmpz_t m)
{
    fmpz_poly_scalar_smod_fmpz(a, a, m);
    fmpz_poly_rem(a, a, F);
    fmpz_poly_scalar_smod_fmpz(a, a, m);
}

/* v = h(s) and dv = h'(s), modulo F and m. */
static void
evaluate(fmpz_poly_t v, fmpz_poly_t dv, const fmpz_poly_t h, const fmpz_poly_t s,
         const fmpz_poly_t F, const fmpz_t m)
{
    fmpz_poly_t c;
    fmpz_poly_init(c);
    fmpz_poly_zero(v);
    fmpz_poly_zero(dv);
    for (slong i = fmpz_poly_degree(h); i >= 0; i--) {
        fmpz_poly_mul(dv, dv, s);
        fmpz_poly_add(dv, dv, v);
        reduce(dv, F, m);
        fmpz_poly_mul(v, v, s);
        fmpz_poly_set_fmpz(c, h->coeffs + i);
        fmpz_poly_add(v, v, c);
        reduce(v, F, m);
    }
    fmpz_poly_clear(c);
}

/* The root s of h modulo F and p becomes one modulo p^N; inv = 1/h'(s) modulo F and p. */
static void
lift_root(fmpz_poly_t s, fmpz_poly_t inv, const fmpz_poly_t F, const embed_lift *to)
{
    fmpz_poly_t v, dv, G, two;
    fmpz_t m;
    fmpz_poly_init(v);
    fmpz_poly_init(dv);
    fmpz_poly_init(G);
    fmpz_poly_init(two);
    fmpz_poly_set_coeff_ui(two, 0, 2);
    fmpz_init_set_ui(m, to->p);
    for (slong have = 1; have < to->N;) {
        have = FLINT_MIN(2 * have, to->N);
        fmpz_ui_pow_ui(m, to->p, (ulong)have);
        fmpz_poly_scalar_smod_fmpz(G, F, m);
        evaluate(v, dv, to->h, s, G, m);
        /* inv = inv (2 - h'(s) inv): right to as many digits as s is so far, which is
         * what the step of s asks for. */
        fmpz_poly_mul(dv, dv, inv);
        fmpz_poly_sub(dv, dv, two);
        fmpz_poly_neg(dv, dv);
        reduce(dv, G, m);
        fmpz_poly_mul(inv, inv, dv);
        reduce(inv, G, m);
        fmpz_poly_mul(v, v, inv);
        fmpz_poly_sub(s, s, v);
        reduce(s, G, m);
    }
    fmpz_poly_clear(two);
    fmpz_clear(m);
    fmpz_poly_clear(G);
    fmpz_poly_clear(dv);
    fmpz_poly_clear(v);
}

/* ---- choices ----------------------------------------------------------------------- */

/* A fixed factor for coefficient l of b, 16 bits. */
static ulong
weight(slong l)
{
    return (((ulong)l + 1) * UWORD(0x9e3779b97f4a7c15)) >> 48;
}

/* floor(2^64 (sum of weight(l) b_l)/p^N) modulo 2^64. */
static uint64_t
weighted_sum(const fmpz_poly_t b, const fmpz_t modulus)
{
    fmpz_t w;
    fmpz_init(w);
    for (slong l = 0; l < fmpz_poly_length(b); l++)
        fmpz_addmul_ui(w, b->coeffs + l, weight(l));
    fmpz_mod(w, w, modulus);
    fmpz_mul_2exp(w, w, 64);
    fmpz_fdiv_q(w, w, modulus);
    const uint64_t sum = fmpz_get_ui(w);
    fmpz_clear(w);
    return sum;
}

/* The option of the root s modulo F = F_i; rest = f/F_i. */
static void
set_option(embed_option *o, const fmpz_poly_t s, const fmpz_poly_t F,
           const fmpz_poly_t rest, const embed_lift *to)
{
    fmpz_poly_init(&o->part);
    fmpz_poly_derivative(&o->part, F);
    fmpz_poly_mul(&o->part, &o->part, s);
    reduce(&o->part, F, to->modulus);
    fmpz_poly_mul(&o->part, &o->part, rest);
    fmpz_poly_scalar_smod_fmpz(&o->part, &o->part, to->modulus);
    o->sum = weighted_sum(&o->part, to->modulus);
}

static void
get_fmpz_poly(fmpz_poly_t g, const fq_nmod_t x, ulong p, const fq_nmod_ctx_t ctx)
{
    nmod_poly_t t;
    nmod_poly_init(t, p);
    fq_nmod_get_nmod_poly(t, x, ctx);
    fmpz_poly_set_nmod_poly(g, t);
    nmod_poly_clear(t);
}

/* inv = 1/h'(s) in the field of ctx. */
static void
invert_slope(fmpz_poly_t inv, const fq_nmod_t s, const nmod_poly_t h,
             const fq_nmod_ctx_t ctx)
{
    fq_nmod_t v, c;
    fq_nmod_init(v, ctx);
    fq_nmod_init(c, ctx);
    for (slong i = nmod_poly_degree(h); i >= 1; i--) {
        fq_nmod_mul(v, v, s, ctx);
        fq_nmod_set_ui(c, n_mulmod2(nmod_poly_get_coeff_ui(h, i), (ulong)i, h->mod.n),
                       ctx);
        fq_nmod_add(v, v, c, ctx);
    }
    fq_nmod_inv(v, v, ctx);
    get_fmpz_poly(inv, v, h->mod.n, ctx);
    fq_nmod_clear(c, ctx);
    fq_nmod_clear(v, ctx);
}

/* Appends the options that the roots of the irreducible factor g of h modulo p give. */
static void
add_roots(embed_options *to_list, const nmod_poly_t g, const nmod_poly_t h,
          const fmpz_poly_t F, const fmpz_poly_t rest, const fq_nmod_ctx_t ctx,
          const embed_lift *to)
{
    fq_nmod_poly_t gq;
    fq_nmod_poly_factor_t roots;
    fq_nmod_t c;
    fmpz_poly_t s, inv;
    fq_nmod_poly_init(gq, ctx);
    fq_nmod_poly_factor_init(roots, ctx);
    fq_nmod_init(c, ctx);
    fmpz_poly_init(s);
    fmpz_poly_init(inv);
    for (slong i = 0; i <= nmod_poly_degree(g); i++) {
        fq_nmod_set_ui(c, nmod_poly_get_coeff_ui(g, i), ctx);
        fq_nmod_poly_set_coeff(gq, i, c, ctx);
    }
    fq_nmod_poly_roots(roots, gq, 0, ctx);
    for (slong i = 0; i < roots->num; i++) {
        fq_nmod_poly_get_coeff(c, roots->poly + i, 0, ctx);
        fq_nmod_neg(c, c, ctx);
        get_fmpz_poly(s, c, to->p, ctx);
        invert_slope(inv, c, h, ctx);
        lift_root(s, inv, F, to);
        set_option(to_list->at + to_list->n++, s, F, rest, to);
    }
    fmpz_poly_clear(inv);
    fmpz_poly_clear(s);
    fq_nmod_clear(c, ctx);
    fq_nmod_poly_factor_clear(roots, ctx);
    fq_nmod_poly_clear(gq, ctx);
}

/* All options modulo F_i. */
static void
collect_options(embed_options *list, slong i, const embed_prime *L, const embed_lift *to)
{
    const fmpz_poly_struct *F = to->f->p + i;
    const slong degree = fmpz_poly_degree(F);
    nmod_poly_t Fp, hp;
    fq_nmod_ctx_t ctx;
    fmpz_poly_t rest;
    nmod_poly_init(Fp, to->p);
    nmod_poly_init(hp, to->p);
    fmpz_poly_init(rest);
    fmpz_poly_get_nmod_poly(Fp, F);
    fmpz_poly_get_nmod_poly(hp, to->h);
    fq_nmod_ctx_init_modulus(ctx, Fp, "x");
    fmpz_poly_one(rest);
    for (slong j = 0; j < to->f->num; j++) {
        if (j != i) {
            fmpz_poly_mul(rest, rest, to->f->p + j);
            fmpz_poly_scalar_smod_fmpz(rest, rest, to->modulus);
        }
    }
    list->n = 0;
    list->at = flint_malloc((size_t)embed_count_roots(L, degree) * sizeof *list->at);
    for (slong j = 0; j < L->h->num; j++)
        if (degree % nmod_poly_degree(L->h->p + j) == 0)
            add_roots(list, L->h->p + j, hp, F, rest, ctx, to);
    ckda_require(list->n == embed_count_roots(L, degree), "%ld roots", (long)list->n);
    fmpz_poly_clear(rest);
    fq_nmod_ctx_clear(ctx);
    nmod_poly_clear(hp);
    nmod_poly_clear(Fp);
}

/* log2 of a bound on |sum of weight(l) b_l|: each coefficient of b = sum s_j f/(x - a_j)
 * is at most d H sum |f_i| R^(i-1), with H and R >= 1 bounds on the roots of h and f. */
static slong
sum_bits(const fmpz_poly_t f, const fmpz_poly_t h)
{
    fmpz_t R, H, pow, sum;
    const slong d = fmpz_poly_degree(f);
    fmpz_init(R);
    fmpz_init(H);
    fmpz_init(pow);
    fmpz_init(sum);
    fmpz_poly_bound_roots(R, f);
    fmpz_poly_bound_roots(H, h);
    fmpz_one(pow);
    for (slong i = 1; i <= d; i++) {
        if (fmpz_sgn(f->coeffs + i) < 0)
            fmpz_submul(sum, f->coeffs + i, pow);
        else
            fmpz_addmul(sum, f->coeffs + i, pow);
        fmpz_mul(pow, pow, R);
    }
    fmpz_mul(sum, sum, H);
    const slong bits = (slong)fmpz_bits(sum) + 2 * (slong)FLINT_BIT_COUNT((ulong)d) + 16;
    fmpz_clear(sum);
    fmpz_clear(pow);
    fmpz_clear(H);
    fmpz_clear(R);
    return bits;
}

void
embed_lift_init(embed_lift *to, const embed_prime *L, const fmpz_poly_t h,
                const ckda_field_t K)
{
    to->K = K;
    to->h = h;
    to->p = L->p;
    const slong bits = sum_bits(K->minpoly, h) + SPARE_BITS;
    to->N = FLINT_MAX(2, 1 + bits / ((slong)FLINT_BIT_COUNT(L->p) - 1));
    fmpz_init(to->modulus);
    fmpz_ui_pow_ui(to->modulus, L->p, (ulong)to->N);
    fmpz_poly_factor_init(to->f);
    if (L->f->num == 1)
        fmpz_poly_factor_insert(to->f, K->minpoly, 1);
    else
        fmpz_poly_hensel_lift_once(to->f, K->minpoly, L->f, to->N);
    to->choice = flint_malloc((size_t)to->f->num * sizeof *to->choice);
    for (slong i = 0; i < to->f->num; i++)
        collect_options(to->choice + i, i, L, to);
}

void
embed_lift_clear(embed_lift *to)
{
    for (slong i = 0; i < to->f->num; i++) {
        for (slong j = 0; j < to->choice[i].n; j++)
            fmpz_poly_clear(&to->choice[i].at[j].part);
        flint_free(to->choice[i].at);
    }
    flint_free(to->choice);
    fmpz_poly_factor_clear(to->f);
    fmpz_clear(to->modulus);
}
