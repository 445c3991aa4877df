/* Polynomials with interesting roots, and what we say about them. */
#include "pari_cases.h"

/* roots(f, degree, real roots, non-real pairs, pairs on the circle, square-free parts) */
static void
counts_line(const ckda_poly_t f, const ckda_field_t K)
{
    ckda_root_counts c;
    ckda_poly_struct *parts;
    slong n;
    ckda_poly_count_roots(&c, f, K);
    ckda_poly_squarefree(&parts, &n, f, K);
    printf("roots(");
    print_poly(f, K);
    printf(", %ld, %ld, %ld, %ld, [", (long)c.degree, (long)c.real_roots,
           (long)c.nonreal_pairs, (long)c.unit_circle_pairs);
    for (slong j = 0; j < n; j++)
        printf("%s%ld", j > 0 ? ", " : "", (long)ckda_poly_degree(parts + j));
    printf("])\n");
    ckda_poly_parts_free(&parts, n, K);
}

/* sturm(f, lo, hi, distinct roots in (lo, hi]): ends that may be roots. */
static void
interval_line(ckda_rand *rnd, const ckda_poly_t f, const ckda_field_t K)
{
    ckda_elem_t lo, hi;
    ckda_elem_init(lo, K);
    ckda_elem_init(hi, K);
    const slong p = ckda_rand_range(rnd, -4, 3);
    ckda_elem_set_si(lo, p, K);
    ckda_elem_set_si(hi, p + ckda_rand_range(rnd, 0, 4), K);
    printf("sturm(");
    print_poly(f, K);
    printf(", ");
    print_elem(lo, K);
    printf(", ");
    print_elem(hi, K);
    printf(", %ld)\n", (long)ckda_poly_real_roots_sturm(f, lo, hi, K));
    ckda_elem_clear(hi, K);
    ckda_elem_clear(lo, K);
}

static void
transition(ckda_poly_t f, ckda_rand *rnd, slong n, const ckda_field_t K)
{
    ckda_trans_t t;
    ckda_trans_init(t, (ckda_family)ckda_rand_below(rnd, CKDA_DELTAPRODUCT), n, 1, K);
    ckda_trans_rand(t, rnd, K);
    must(ckda_trans_charpoly(f, t, K));
    ckda_trans_clear(t, K);
}

static void
matrix(ckda_poly_t f, ckda_rand *rnd, slong n, bool orthogonal, const ckda_field_t K)
{
    ckda_mat_t A;
    ckda_mat_init(A, n, n, K);
    if (orthogonal)
        ckda_mat_rand_orthogonal(A, rnd, 2, K);
    else
        ckda_mat_rand(A, rnd, 3, 1, K);
    must(ckda_mat_charpoly(f, A, K));
    ckda_mat_clear(A, K);
}

/* f times x - r, x^2 - t x + 1 (on or off the circle) or x, once or twice. */
static void
times_factor(ckda_poly_t f, ckda_rand *rnd, const ckda_field_t K)
{
    ckda_poly_t g;
    ckda_poly_init(g, K);
    const slong t = ckda_rand_range(rnd, -3, 3);
    switch (ckda_rand_below(rnd, 3)) {
    case 0:
        ckda_poly_set_coeff_si(g, 1, 1, K);
        ckda_poly_set_coeff_si(g, 0, t, K);
        break;
    case 1:
        ckda_poly_set_coeff_si(g, 2, 1, K);
        ckda_poly_set_coeff_si(g, 1, -t, K);
        ckda_poly_set_coeff_si(g, 0, 1, K);
        break;
    default:
        ckda_poly_set_coeff_si(g, 1, 1, K);
    }
    ckda_poly_mul(f, f, g, K);
    if (ckda_rand_below(rnd, 2) == 0)
        ckda_poly_mul(f, f, g, K);
    ckda_poly_clear(g, K);
}

/* Palindromic: roots on the circle, and reciprocal pairs and quadruples off it. */
static void
palindrome(ckda_poly_t f, ckda_rand *rnd, slong m, const ckda_field_t K)
{
    ckda_poly_zero(f, K);
    for (slong i = 0; i <= m; i++) {
        const slong c = i == 0 ? 1 : ckda_rand_range(rnd, -2, 2);
        ckda_poly_set_coeff_si(f, i, c, K);
        ckda_poly_set_coeff_si(f, 2 * m - i, c, K);
    }
}

/* x^n - (k x - 1)^2: two real roots that nearly collide. */
static void
mignotte(ckda_poly_t f, slong n, slong k, const ckda_field_t K)
{
    ckda_poly_zero(f, K);
    ckda_poly_set_coeff_si(f, n, 1, K);
    ckda_poly_set_coeff_si(f, 2, -k * k, K);
    ckda_poly_set_coeff_si(f, 1, 2 * k, K);
    ckda_poly_set_coeff_si(f, 0, -1, K);
}

void
root_lines(ckda_rand *rnd, int count, const ckda_field_t K)
{
    const slong most = K->degree == 1 ? 12 : 5;
    ckda_poly_t f;
    ckda_poly_init(f, K);
    for (int i = 0; i < count; i++) {
        const slong n = 1 + i % most;
        transition(f, rnd, n, K);
        counts_line(f, K);
        matrix(f, rnd, n, false, K);
        counts_line(f, K);
        for (int j = 0; j < 3; j++)
            times_factor(f, rnd, K);
        counts_line(f, K);
        if (K->degree == 1)
            interval_line(rnd, f, K);
        matrix(f, rnd, FLINT_MIN(n, 6), true, K);
        counts_line(f, K);
        palindrome(f, rnd, n, K);
        counts_line(f, K);
        if (K->degree == 1) {
            mignotte(f, 3 + i % 18, 1000 + i, K);
            counts_line(f, K);
        }
    }
    ckda_poly_clear(f, K);
}
