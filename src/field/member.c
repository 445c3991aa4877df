/* Is a real algebraic number y in K, and with which coefficients?
 *
 * Yes is proved by exhibiting the element (found by lattice reduction, then checked
 * exactly); no by a prime at which K has a point and y has none, or by a degree.      */
#include "internal.h"

/* Does f take the value 0 somewhere in F_p?  f is not 0 modulo p. */
static bool
has_root_mod(const nmod_poly_t f, ulong p)
{
    if (nmod_poly_degree(f) <= 0)
        return false;
    nmod_poly_t x, g;
    nmod_poly_init(x, p);
    nmod_poly_init(g, p);
    nmod_poly_set_coeff_ui(x, 1, 1);
    if (nmod_poly_degree(f) > 1) {
        nmod_poly_powmod_ui_binexp(g, x, p, f);
        nmod_poly_sub(g, g, x); /* x^p - x modulo f */
        nmod_poly_gcd(g, g, f);
    } else {
        nmod_poly_set(g, f);
    }
    bool root = nmod_poly_degree(g) >= 1;
    nmod_poly_clear(g);
    nmod_poly_clear(x);
    return root;
}

/* 1: K has a simple point modulo p; -1: and h has none; 0: p tells nothing. */
static int
try_prime(const fmpz_poly_t f, const fmpz_poly_t h, ulong p)
{
    nmod_poly_t fp, hp, d;
    int says = 0;
    nmod_poly_init(fp, p);
    nmod_poly_init(hp, p);
    nmod_poly_init(d, p);
    fmpz_poly_get_nmod_poly(fp, f);
    fmpz_poly_get_nmod_poly(hp, h);
    nmod_poly_derivative(d, fp);
    nmod_poly_gcd(d, d, fp);
    if (nmod_poly_degree(hp) == fmpz_poly_degree(h) && nmod_poly_degree(d) == 0
        && has_root_mod(fp, p))
        says = has_root_mod(hp, p) ? 1 : -1;
    nmod_poly_clear(d);
    nmod_poly_clear(hp);
    nmod_poly_clear(fp);
    return says;
}

/* Searches a proof that no root of h lies in K.  A simple root of the minimal polynomial
 * modulo p lifts to the p-adic integers (Hensel), so K embeds into Q_p.  An element of K
 * that is a root of h goes to a root of h in Q_p; it is a p-adic integer when p does not
 * divide the leading coefficient, so h has a root modulo p. */
static bool
refuted_by_prime(const fmpz_poly_t h, const ckda_field_t K)
{
    int points = 0;
    ulong p = UWORD(1) << 30;
    for (slong i = 0; i < 30 * K->degree && points < 8; i++) {
        p = n_nextprime(p, 0);
        int says = try_prime(K->minpoly, h, p);
        if (says < 0)
            return true;
        points += says;
    }
    return false;
}

/* Is the real root of h that x names the same as the element t with h(t) = 0? */
static bool
same_root(const ckda_elem_t t, const qqbar_t x, const ckda_field_t K)
{
    fmpz_poly_t dh;
    arb_t u, v;
    int same = -1;
    fmpz_poly_init(dh);
    arb_init(u);
    arb_init(v);
    fmpz_poly_derivative(dh, QQBAR_POLY(x));
    /* Ends: two different roots get disjoint enclosures; for one and the same root the
     * union shrinks to it, and h' is not 0 there as h is irreducible.  Where h' has no
     * zero on the union, h has at most one root there. */
    for (slong prec = 128; same < 0; prec *= 2) {
        ckda_elem_get_arb(u, t, K, prec);
        qqbar_get_arb_re(v, x, prec);
        if (!arb_overlaps(u, v)) {
            same = 0;
        } else {
            arb_union(u, u, v, prec);
            arb_fmpz_poly_evaluate_arb(v, dh, u, prec);
            if (!arb_contains_zero(v))
                same = 1;
        }
    }
    arb_clear(v);
    arb_clear(u);
    fmpz_poly_clear(dh);
    return same == 1;
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
    return zero && same_root(t, y, K);
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
            qqbar_get_arb_re(pow, y, prec);
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
    ckda_elem_gen(g, K);
    ckda_elem_get_qqbar(a, g, K);
    for (slong k = 1; k <= 3 && !refuted; k++) {
        qqbar_mul_si(s, a, k);
        qqbar_add(s, s, y);
        refuted = qqbar_degree(s) > K->degree;
    }
    qqbar_clear(s);
    qqbar_clear(a);
    ckda_elem_clear(g, K);
    return refuted;
}

/* The product of degrees up to which a sum of two algebraic numbers takes no minutes. */
#define SUM_DEGREE 160

static ckda_status
find_irrational(ckda_elem_t t, const qqbar_t y, const ckda_field_t K)
{
    slong e = qqbar_degree(y);
    if (K->degree % e != 0 || refuted_by_prime(QQBAR_POLY(y), K))
        return CKDA_E_DOMAIN;
    slong bits = 64 + 8 * K->degree + 2 * qqbar_height_bits(y);
    if (search(t, y, K, bits, 4 * bits))
        return CKDA_OK;
    if (K->degree * e <= SUM_DEGREE && refuted_by_degree(y, K))
        return CKDA_E_DOMAIN;
    /* Lattices of a high dimension are given up earlier: they would take minutes. */
    slong last = K->degree <= 16 ? 64 * bits : 16 * bits;
    return search(t, y, K, 8 * bits, last) ? CKDA_OK : CKDA_E_UNABLE;
}

ckda_status
ckda_elem_set_qqbar(ckda_elem_t x, const qqbar_t y, const ckda_field_t K)
{
    if (!qqbar_is_real(y))
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

/* y = the generator. */
static void
generator_qqbar(qqbar_t y, const ckda_field_t K)
{
    acb_t z;
    acb_init(z);
    fmpz_poly_set(QQBAR_POLY(y), K->minpoly);
    bool unique = false;
    /* Ends: the root is simple, so a narrow enclosure passes. */
    for (slong prec = QQBAR_DEFAULT_PREC; !unique; prec *= 2) {
        ckda_field_root(acb_realref(z), K, 2 * prec);
        unique = _qqbar_validate_uniqueness(QQBAR_ENCLOSURE(y), K->minpoly, z, 4 * prec);
    }
    acb_clear(z);
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
    qqbar_t a;
    fmpq_poly_init(f);
    qqbar_init(a);
    generator_qqbar(a, K);
    ckda_elem_get_fmpq_poly(f, x, K);
    qqbar_evaluate_fmpq_poly(y, f, a);
    qqbar_clear(a);
    fmpq_poly_clear(f);
}
