/* Is a real algebraic number y in K, and with which coefficients?
 *
 * Multiples of the generator are seen in the polynomials.  Everything else is a root of a
 * polynomial in K or is not, which embed.c decides.  Where that would take too long, yes is
 * proved by exhibiting the element (found by lattice reduction, then checked exactly), no
 * by a degree.                                                                          */
#include "embed.h"

typedef struct {
    const ckda_elem_struct *x;
    const ckda_field_struct *K;
} member;

static void
enclose_member(arb_t r, const void *what, slong prec)
{
    const member *t = what;
    ckda_elem_get_arb(r, t->x, t->K, prec);
}

static void
enclose_num(arb_t r, const void *what, slong prec)
{
    field_num_arb(r, what, prec);
}

/* Is t = y?  Exact: t must be a root of the minimal polynomial of y, and the right one.
 */
static bool
is_value(const ckda_elem_t t, const qqbar_t y, const ckda_field_t K)
{
    ckda_elem_t v;
    ckda_elem_init(v, K);
    for (slong i = qqbar_degree(y); i >= 0; i--) {
        nf_elem_mul(v, v, t, K->nf);
        nf_elem_add_fmpz(v, v, QQBAR_COEFFS(y) + i, K->nf);
    }
    bool zero = ckda_elem_is_zero(v, K);
    ckda_elem_clear(v, K);
    const member what = {t, K};
    return zero && field_same_root(QQBAR_POLY(y), enclose_member, &what, enclose_num, y);
}

/* Fills the last column of B with 2^bits (1, a, ..., a^(d-1), y), rounded. */
static bool
fill_values(fmpz_mat_t B, const qqbar_t y, const ckda_field_t K, slong bits)
{
    slong d = K->degree, prec = bits + 2 * d + 64;
    bool fits = true;
    arb_t a, pow;
    arb_init(a);
    arb_init(pow);
    ckda_field_root(a, K, prec);
    arb_one(pow);
    for (slong i = 0; i <= d; i++) {
        if (i == d)
            field_num_arb(pow, y, prec);
        arb_t t;
        arb_init(t);
        arb_mul_2exp_si(t, pow, bits);
        fits = fits && arf_is_finite(arb_midref(t));
        if (fits)
            arf_get_fmpz(fmpz_mat_entry(B, i, d + 1), arb_midref(t), ARF_RND_NEAR);
        arb_clear(t);
        arb_mul(pow, pow, a, prec);
    }
    arb_clear(pow);
    arb_clear(a);
    return fits;
}

/* Proposes t from the shortest relation c_0 + ... + c_(d-1) a^(d-1) + c_d y ~ 0. */
static bool
propose(ckda_elem_t t, const qqbar_t y, const ckda_field_t K, slong bits)
{
    slong d = K->degree;
    fmpz_mat_t B;
    fmpz_mat_init(B, d + 1, d + 2);
    for (slong i = 0; i <= d; i++)
        fmpz_one(fmpz_mat_entry(B, i, i));
    bool found = fill_values(B, y, K, bits);
    if (found) {
        fmpz_lll_t ctx;
        fmpz_lll_context_init_default(ctx);
        fmpz_lll(B, NULL, ctx);
        found = !fmpz_is_zero(fmpz_mat_entry(B, 0, d));
    }
    if (found) {
        fmpq_poly_t f;
        fmpz_t den;
        fmpz_init(den);
        fmpz_neg(den, fmpz_mat_entry(B, 0, d));
        fmpq_poly_init(f);
        for (slong i = 0; i < d; i++)
            fmpq_poly_set_coeff_fmpz(f, i, fmpz_mat_entry(B, 0, i));
        fmpq_poly_scalar_div_fmpz(f, f, den);
        ckda_elem_set_fmpq_poly(t, f, K);
        fmpq_poly_clear(f);
        fmpz_clear(den);
    }
    fmpz_mat_clear(B);
    return found;
}

static bool
search(ckda_elem_t t, const qqbar_t y, const ckda_field_t K, slong from, slong to)
{
    for (slong bits = from; bits <= to; bits *= 2)
        if (propose(t, y, K, bits) && is_value(t, y, K))
            return true;
    return false;
}

/* Proof of y not in K: y + s a would lie in K, so its degree could not pass d. */
static bool
refuted_by_degree(const qqbar_t y, const ckda_field_t K)
{
    bool refuted = false;
    ckda_elem_t g;
    qqbar_t a, s;
    ckda_elem_init(g, K);
    qqbar_init(a);
    qqbar_init(s);
    for (slong k = 1; k <= 3 && !refuted; k++) {
        ckda_elem_gen(g, K);
        ckda_elem_mul_si(g, g, k, K);
        ckda_elem_get_qqbar(a, g, K);
        field_num_op(s, a, '+', y);
        refuted = qqbar_degree(s) > K->degree;
    }
    qqbar_clear(s);
    qqbar_clear(a);
    ckda_elem_clear(g, K);
    return refuted;
}

/* The product of degrees up to which a sum of two algebraic numbers takes no minutes. */
#define SUM_DEGREE 160

/* When embed.c left it open. */
static ckda_status
find_by_lattice(ckda_elem_t t, const qqbar_t y, const ckda_field_t K)
{
    const slong bits = 64 + 8 * K->degree + 2 * qqbar_height_bits(y);
    if (search(t, y, K, bits, 4 * bits))
        return CKDA_OK;
    if (K->degree * qqbar_degree(y) <= SUM_DEGREE && refuted_by_degree(y, K))
        return CKDA_E_DOMAIN;
    /* Lattices of a high dimension are given up earlier: they would take minutes. */
    slong last = K->degree <= 16 ? 64 * bits : 16 * bits;
    return search(t, y, K, 8 * bits, last) ? CKDA_OK : CKDA_E_UNABLE;
}

/* f(x) with the mean of its roots moved to 0, monic; mean becomes that mean. */
static void
centre(fmpq_poly_t g, fmpq_t mean, const fmpz_poly_t f)
{
    const slong d = fmpz_poly_degree(f);
    fmpq_poly_t shift;
    fmpz_t degree;
    fmpz_init_set_si(degree, d);
    fmpq_poly_init(shift);
    fmpq_poly_set_fmpz_poly(g, f);
    fmpq_poly_make_monic(g, g);
    fmpq_poly_get_coeff_fmpq(mean, g, d - 1);
    fmpq_neg(mean, mean);
    fmpq_div_fmpz(mean, mean, degree);
    fmpq_poly_set_coeff_si(shift, 1, 1);
    fmpq_poly_set_coeff_fmpq(shift, 0, mean);
    fmpq_poly_compose(g, g, shift);
    fmpq_poly_clear(shift);
    fmpz_clear(degree);
}

/* r >= 0 with r^k = q, if q has one. */
static bool
rational_root(fmpq_t r, const fmpq_t q, ulong k)
{
    return fmpq_sgn(q) > 0 && fmpz_root(fmpq_numref(r), fmpq_numref(q), (slong)k)
           && fmpz_root(fmpq_denref(r), fmpq_denref(q), (slong)k);
}

/* |p| for which p a + q can have the polynomial of y: coefficient d - k of the centred
 * polynomials grows by p^k. */
static bool
find_slope(fmpq_t p, const fmpq_poly_t f, const fmpq_poly_t h)
{
    const slong d = fmpq_poly_degree(f);
    fmpq_t u, v;
    bool found = false;
    fmpq_init(u);
    fmpq_init(v);
    for (slong k = 2; k <= d; k++) {
        fmpq_poly_get_coeff_fmpq(u, f, d - k);
        fmpq_poly_get_coeff_fmpq(v, h, d - k);
        if (fmpq_is_zero(u))
            continue;
        fmpq_div(u, v, u);
        fmpq_abs(u, u);
        found = rational_root(p, u, (ulong)k);
        break;
    }
    fmpq_clear(v);
    fmpq_clear(u);
    return found;
}

/* t = p a + q with the means of a and y as given, if that is y. */
static bool
accept_affine(ckda_elem_t t, const qqbar_t y, const fmpq_t p, const fmpq_t mean_a,
              const fmpq_t mean_y, const ckda_field_t K)
{
    fmpq_poly_t f;
    fmpq_t q;
    qqbar_t x;
    fmpq_poly_init(f);
    fmpq_init(q);
    qqbar_init(x);
    fmpq_mul(q, p, mean_a);
    fmpq_sub(q, mean_y, q);
    fmpq_poly_set_coeff_fmpq(f, 1, p);
    fmpq_poly_set_coeff_fmpq(f, 0, q);
    ckda_elem_set_fmpq_poly(t, f, K);
    ckda_elem_get_qqbar(x, t, K);
    const bool found = field_num_equal(x, y);
    qqbar_clear(x);
    fmpq_clear(q);
    fmpq_poly_clear(f);
    return found;
}

/* Is y = p a + q with rational p and q?  Then t becomes that. */
static bool
find_affine(ckda_elem_t t, const qqbar_t y, const ckda_field_t K)
{
    fmpq_poly_t f, h;
    fmpq_t mean_a, mean_y, p;
    fmpq_poly_init(f);
    fmpq_poly_init(h);
    fmpq_init(mean_a);
    fmpq_init(mean_y);
    fmpq_init(p);
    centre(f, mean_a, K->minpoly);
    centre(h, mean_y, QQBAR_POLY(y));
    bool found = find_slope(p, f, h);
    if (found && !accept_affine(t, y, p, mean_a, mean_y, K)) {
        fmpq_neg(p, p);
        found = accept_affine(t, y, p, mean_a, mean_y, K);
    }
    fmpq_clear(p);
    fmpq_clear(mean_y);
    fmpq_clear(mean_a);
    fmpq_poly_clear(h);
    fmpq_poly_clear(f);
    return found;
}

typedef struct {
    const qqbar_struct *y;
    const ckda_field_struct *K;
    fmpz_t m;
} wanted;

/* Is t = m y?  Most other roots are ruled out by a few bits. */
static bool
accept_multiple(const ckda_elem_t t, const void *what)
{
    const wanted *w = what;
    ckda_elem_t x;
    arb_t u, v;
    ckda_elem_init(x, w->K);
    arb_init(u);
    arb_init(v);
    nf_elem_scalar_div_fmpz(x, t, w->m, w->K->nf);
    ckda_elem_get_arb(u, x, w->K, 64);
    field_num_arb(v, w->y, 64);
    const bool found = arb_overlaps(u, v) && is_value(x, w->y, w->K);
    arb_clear(v);
    arb_clear(u);
    ckda_elem_clear(x, w->K);
    return found;
}

static ckda_status
find_irrational(ckda_elem_t t, const qqbar_t y, const ckda_field_t K)
{
    const slong e = qqbar_degree(y);
    if (K->degree % e != 0)
        return CKDA_E_DOMAIN;
    if (e == K->degree && find_affine(t, y, K))
        return CKDA_OK;
    fmpz_poly_t h;
    wanted w = {.y = y, .K = K};
    fmpz_init(w.m);
    fmpz_poly_init(h);
    fmpz_poly_set(h, QQBAR_POLY(y));
    field_integral_multiple(w.m, h);
    field_scale_roots(h, w.m);
    const embed_answer answer = embed_root(t, h, K, accept_multiple, &w);
    if (answer == EMBED_FOUND)
        nf_elem_scalar_div_fmpz(t, t, w.m, K->nf);
    fmpz_poly_clear(h);
    fmpz_clear(w.m);
    return answer == EMBED_OPEN    ? find_by_lattice(t, y, K)
           : answer == EMBED_FOUND ? CKDA_OK
                                   : CKDA_E_DOMAIN;
}

ckda_status
ckda_elem_set_qqbar(ckda_elem_t x, const qqbar_t y, const ckda_field_t K)
{
    if (!field_num_is_real(y))
        return CKDA_E_DOMAIN;
    if (qqbar_is_rational(y)) {
        fmpq_t q;
        fmpq_init(q);
        qqbar_get_fmpq(q, y);
        ckda_elem_set_fmpq(x, q, K);
        fmpq_clear(q);
        return CKDA_OK;
    }
    ckda_elem_t t;
    ckda_elem_init(t, K);
    ckda_status st = find_irrational(t, y, K);
    if (st == CKDA_OK)
        ckda_elem_swap(x, t, K);
    ckda_elem_clear(t, K);
    return st;
}

static void
enclose_generator(arb_t r, const void *what, slong prec)
{
    ckda_field_root(r, what, prec);
}

/* y = x for an x = q + p a with p != 0. */
static void
linear_qqbar(qqbar_t y, const fmpq_poly_t f, const ckda_field_t K)
{
    fmpq_t p, q;
    fmpq_init(p);
    fmpq_init(q);
    fmpq_poly_get_coeff_fmpq(p, f, 1);
    fmpq_poly_get_coeff_fmpq(q, f, 0);
    field_num_set_root(y, K->minpoly, 1, enclose_generator, K);
    if (!fmpq_is_one(p) || !fmpq_is_zero(q))
        field_num_affine(y, y, p, q);
    fmpq_clear(q);
    fmpq_clear(p);
}

void
ckda_elem_get_qqbar(qqbar_t y, const ckda_elem_t x, const ckda_field_t K)
{
    if (ckda_elem_is_rational(x, K)) {
        fmpq_t q;
        fmpq_init(q);
        field_elem_constant(q, x, K);
        qqbar_set_fmpq(y, q);
        fmpq_clear(q);
        return;
    }
    fmpq_poly_t f;
    fmpq_poly_init(f);
    ckda_elem_get_fmpq_poly(f, x, K);
    if (fmpq_poly_degree(f) == 1) {
        linear_qqbar(y, f, K);
    } else {
        fmpz_poly_t h;
        const member what = {x, K};
        fmpz_poly_init(h);
        field_minimal_polynomial(h, f, K->minpoly);
        field_num_set_root(y, h, 1, enclose_member, &what);
        fmpz_poly_clear(h);
    }
    fmpq_poly_clear(f);
}
