/* All root counts of one polynomial, with multiplicity, each made in two ways. */
#include "internal.h"

slong
ckda_spectrum_real_roots_agreed(const ckda_poly_t f, const ckda_field_t K)
{
    slong sturm = ckda_poly_real_roots_sturm(f, NULL, NULL, K), other;

    if (ckda_poly_degree(f) <= CKDA_SPECTRUM_HANKEL_DEGREE
        || ckda_poly_real_roots_vca(&other, f, K) != CKDA_OK)
        other = ckda_poly_real_roots_hankel(f, K);
    ckda_require(sturm == other, "real roots: Sturm says %ld, the second way %ld",
                 (long)sturm, (long)other);
    return sturm;
}

static void
strip_root(ckda_poly_t f, slong r, const ckda_field_t K)
{
    ckda_elem_t x;

    ckda_elem_init(x, K);
    ckda_elem_set_si(x, r, K);
    while (ckda_poly_degree(f) >= 1 && ckda_spectrum_sign_at(f, x, K) == 0)
        ckda_spectrum_deflate_root(f, f, x, K);
    ckda_elem_clear(x, K);
}

/* g(x) = x^m q(x + 1/x) for a palindromic g of degree 2m.  x^k + x^-k = T_k(y) with
 * T_0 = 2, T_1 = y, T_{k+1} = y T_k - T_{k-1}. */
static void
fold(ckda_poly_t q, const ckda_poly_t g, const ckda_field_t K)
{
    slong m = ckda_poly_degree(g) / 2;
    ckda_poly_t last, now, next, term;
    ckda_elem_t c;

    ckda_poly_init(last, K);
    ckda_poly_init(now, K);
    ckda_poly_init(next, K);
    ckda_poly_init(term, K);
    ckda_elem_init(c, K);
    ckda_poly_set_coeff_si(last, 0, 2, K);
    ckda_poly_set_coeff_si(now, 1, 1, K);
    ckda_poly_zero(q, K);
    ckda_poly_get_coeff(c, g, m, K);
    ckda_poly_set_coeff(q, 0, c, K);
    for (slong k = 1; k <= m; k++) {
        ckda_poly_get_coeff(c, g, m + k, K);
        ckda_poly_scalar_mul(term, now, c, K);
        ckda_poly_add(q, q, term, K);
        ckda_poly_shift_left(next, now, 1, K);
        ckda_poly_sub(next, next, last, K);
        ckda_poly_swap(last, now);
        ckda_poly_swap(now, next);
    }
    ckda_elem_clear(c, K);
    ckda_poly_clear(term, K);
    ckda_poly_clear(next, K);
    ckda_poly_clear(now, K);
    ckda_poly_clear(last, K);
}

/* Roots in (-2, 2) over Q: the interval is moved to (0, 1). */
static bool
inside_by_vca(slong *count, const ckda_poly_t q, const ckda_field_t K)
{
    fmpz_poly_t g, line;
    bool rational;

    fmpz_poly_init(g);
    fmpz_poly_init(line);
    rational = ckda_spectrum_get_fmpz_poly(g, q, K);
    if (rational) {
        fmpz_poly_set_coeff_si(line, 0, -2);
        fmpz_poly_set_coeff_si(line, 1, 4);
        fmpz_poly_compose(g, g, line);
        *count = ckda_spectrum_vca_unit(g);
    }
    fmpz_poly_clear(line);
    fmpz_poly_clear(g);
    return rational;
}

/* Roots of a square-free q in (-2, 2), where q(-2) q(2) != 0. */
static slong
inside_agreed(const ckda_poly_t q, const ckda_field_t K)
{
    ckda_elem_t lo, hi;
    slong sturm, other;

    ckda_elem_init(lo, K);
    ckda_elem_init(hi, K);
    ckda_elem_set_si(lo, -2, K);
    ckda_elem_set_si(hi, 2, K);
    sturm = ckda_poly_real_roots_sturm(q, lo, hi, K);
    if (ckda_poly_degree(q) <= CKDA_SPECTRUM_HANKEL_DEGREE
        || !inside_by_vca(&other, q, K))
        other =
            (ckda_poly_real_roots_hankel(q, K) + ckda_spectrum_hankel_inside(q, K)) / 2;
    ckda_require(sturm == other, "roots in (-2, 2): Sturm says %ld, the second way %ld",
                 (long)sturm, (long)other);
    ckda_elem_clear(hi, K);
    ckda_elem_clear(lo, K);
    return sturm;
}

/* A root z of modulus 1 has 1/z = conj z among the roots too, so all of them are in
 * gcd(f, reverse f).  That gcd may hold more (real reciprocal pairs and quadruples off
 * the circle), so y = z + 1/z decides: z is non-real of modulus 1 iff y is in (-2, 2). */
slong
ckda_spectrum_circle_pairs(const ckda_poly_t f, const ckda_field_t K)
{
    ckda_poly_t g, rev, q;
    ckda_elem_t c;
    slong m, count = 0;

    ckda_poly_init(g, K);
    ckda_poly_init(rev, K);
    ckda_poly_init(q, K);
    ckda_elem_init(c, K);
    ckda_poly_set(g, f, K);
    strip_root(g, 0, K); /* reversal would lose zero roots and shift the rest */
    ckda_poly_reverse(rev, g, K);
    ckda_spectrum_gcd(g, g, rev, K);
    strip_root(g, 1, K);
    strip_root(g, -1, K);
    m = ckda_poly_degree(g);
    if (m >= 2) {
        ckda_poly_get_coeff(c, g, 0, K);
        ckda_require(m % 2 == 0 && ckda_elem_is_one(c, K),
                     "a reciprocal polynomial without roots 1, -1 is palindromic");
        fold(q, g, K);
        count = inside_agreed(q, K);
    }
    ckda_elem_clear(c, K);
    ckda_poly_clear(q, K);
    ckda_poly_clear(rev, K);
    ckda_poly_clear(g, K);
    return count;
}

void
ckda_poly_count_roots(ckda_root_counts *counts, const ckda_poly_t f, const ckda_field_t K)
{
    ckda_root_counts c = {.degree = ckda_poly_degree(f)};
    ckda_poly_struct *parts;
    slong n;

    ckda_poly_squarefree(&parts, &n, f, K);
    for (slong j = 0; j < n; j++) {
        slong degree = ckda_poly_degree(parts + j), real;

        if (degree < 1)
            continue;
        real = ckda_spectrum_real_roots_agreed(parts + j, K);
        c.real_roots += (j + 1) * real;
        c.nonreal_pairs += (j + 1) * ((degree - real) / 2);
        c.unit_circle_pairs += (j + 1) * ckda_spectrum_circle_pairs(parts + j, K);
    }
    ckda_poly_parts_free(&parts, n, K);
    *counts = c;
}
