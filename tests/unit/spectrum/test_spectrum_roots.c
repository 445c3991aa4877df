/* Real-root counts: Sturm, Hankel, Descartes and ball arithmetic against one another. */
#include "spectrum_util.h"

static ckda_field_t Q;

/* Distinct real roots by FLINT's certified complex root isolation. */
static slong
oracle(const ckda_poly_t f, const ckda_field_t K)
{
    fmpz_poly_t g;
    ckda_poly_t h;
    fmpq_poly_t q, c;
    fmpq_t x;
    slong n, count = 0;
    acb_ptr roots;

    fmpz_poly_init(g);
    fmpq_poly_init(q);
    fmpq_poly_init(c);
    fmpq_init(x);
    ckda_poly_init(h, K);
    ckda_poly_squarefree_part(h, f, K);
    for (slong i = 0; i < h->length; i++) {
        ckda_elem_get_fmpq_poly(c, h->coeff + i, K);
        fmpq_poly_get_coeff_fmpq(x, c, 0);
        fmpq_poly_set_coeff_fmpq(q, i, x);
    }
    fmpq_poly_get_numerator(g, q);
    n = fmpz_poly_degree(g);
    roots = _acb_vec_init(n);
    arb_fmpz_poly_complex_roots(roots, g, 0, 64);
    for (slong i = 0; i < n; i++)
        count += arb_is_zero(acb_imagref(roots + i));
    _acb_vec_clear(roots, n);
    ckda_poly_clear(h, K);
    fmpq_clear(x);
    fmpq_poly_clear(c);
    fmpq_poly_clear(q);
    fmpz_poly_clear(g);
    return count;
}

static void
yun_takes_multiplicities_apart(void **state)
{
    ckda_poly_struct *parts;
    slong n;
    ckda_poly_t f;

    (void)state;
    ckda_poly_init(f, Q);
    set_poly(f, "5", Q);
    mul_power(f, "1 0 1", 3, Q);
    mul_power(f, "-2 1", 2, Q);
    mul_power(f, "-7 1", 2, Q);
    ckda_poly_squarefree(&parts, &n, f, Q);
    assert_int_equal(n, 3);
    assert_poly(parts + 0, "1", Q);
    assert_poly(parts + 1, "14 -9 1", Q);
    assert_poly(parts + 2, "1 0 1", Q);
    ckda_poly_parts_free(&parts, n, Q);
    assert_null(parts);
    ckda_poly_clear(f, Q);
}

static void
yun_of_a_constant_is_empty(void **state)
{
    ckda_poly_struct *parts;
    slong n;
    ckda_poly_t f;

    (void)state;
    ckda_poly_init(f, Q);
    set_poly(f, "-3/2", Q);
    ckda_poly_squarefree(&parts, &n, f, Q);
    assert_int_equal(n, 0);
    ckda_poly_parts_free(&parts, n, Q);
    assert_counts(f, 0, 0, 0, Q);
    ckda_poly_clear(f, Q);
}

static void
yun_parts_multiply_back(void **state)
{
    ckda_field_t K;
    ckda_rand r;
    ckda_poly_t f, g, h;

    (void)state;
    ckda_rand_init(&r, 1);
    ckda_field_init_sqrt(K, 5);
    ckda_poly_init(f, K);
    ckda_poly_init(g, K);
    ckda_poly_init(h, K);
    for (int round = 0; round < 8; round++) {
        ckda_poly_struct *parts;
        slong n;

        ckda_poly_one(f, K);
        for (int k = 1; k <= 3; k++) {
            rand_poly(g, &r, 1 + (slong)ckda_rand_below(&r, 2), 3, K);
            for (int e = 0; e < k; e++)
                ckda_poly_mul(f, f, g, K);
        }
        ckda_poly_squarefree(&parts, &n, f, K);
        ckda_poly_one(g, K);
        for (slong j = 0; j < n; j++)
            for (slong e = 0; e <= j; e++)
                ckda_poly_mul(g, g, parts + j, K);
        assert_true(ckda_poly_equal(f, g, K));
        for (slong j = 0; j < n; j++) {
            ckda_poly_derivative(h, parts + j, K);
            ckda_poly_gcd(h, h, parts + j, K);
            assert_int_equal(ckda_poly_degree(h), 0);
        }
        ckda_poly_parts_free(&parts, n, K);
    }
    ckda_poly_clear(h, K);
    ckda_poly_clear(g, K);
    ckda_poly_clear(f, K);
    ckda_field_clear(K);
}

static void
sturm_hankel_descartes_and_balls_agree(void **state)
{
    ckda_rand r;
    ckda_poly_t f, g;

    (void)state;
    ckda_rand_init(&r, 2);
    ckda_poly_init(f, Q);
    ckda_poly_init(g, Q);
    for (int round = 0; round < 60; round++) {
        slong degree = 1 + (slong)ckda_rand_below(&r, 11), vca, want;

        rand_poly(f, &r, degree, 8, Q);
        if (round % 3 == 0) { /* a repeated factor now and then */
            rand_poly(g, &r, 2, 4, Q);
            ckda_poly_mul(f, f, g, Q);
            ckda_poly_mul(f, f, g, Q);
        }
        want = oracle(f, Q);
        assert_int_equal(ckda_poly_real_roots_sturm(f, NULL, NULL, Q), want);
        assert_int_equal(ckda_poly_real_roots_hankel(f, Q), want);
        assert_int_equal(ckda_poly_real_roots_vca(&vca, f, Q), CKDA_OK);
        assert_int_equal(vca, want);
    }
    ckda_poly_clear(g, Q);
    ckda_poly_clear(f, Q);
}

static void
products_of_integer_roots_have_all_of_them(void **state)
{
    ckda_poly_t f, lin;
    ckda_elem_t x;
    slong vca;

    (void)state;
    ckda_poly_init(f, Q);
    ckda_poly_init(lin, Q);
    ckda_elem_init(x, Q);
    ckda_poly_one(f, Q);
    for (slong k = -4; k <= 7; k++) { /* bisection points are hit exactly, 0 is a root */
        ckda_elem_set_si(x, k, Q);
        ckda_poly_set_root(lin, x, Q);
        ckda_poly_mul(f, f, lin, Q);
    }
    assert_int_equal(ckda_poly_real_roots_sturm(f, NULL, NULL, Q), 12);
    assert_int_equal(ckda_poly_real_roots_hankel(f, Q), 12);
    assert_int_equal(ckda_poly_real_roots_vca(&vca, f, Q), CKDA_OK);
    assert_int_equal(vca, 12);
    ckda_elem_clear(x, Q);
    ckda_poly_clear(lin, Q);
    ckda_poly_clear(f, Q);
}

static void
descartes_separates_mignotte_roots(void **state)
{
    fmpz_poly_t f;

    (void)state;
    fmpz_poly_init(
        f); /* x^31 - 2 (1000 x - 1)^2: two roots about 10^-48 apart, one large */
    fmpz_poly_set_coeff_si(f, 31, 1);
    fmpz_poly_set_coeff_si(f, 2, -2000000);
    fmpz_poly_set_coeff_si(f, 1, 4000);
    fmpz_poly_set_coeff_si(f, 0, -2);
    assert_int_equal(ckda_fmpz_poly_real_roots_vca(f), 3);
    fmpz_poly_clear(f);
}

static void
descartes_handles_degree_64(void **state)
{
    fmpz_poly_t f, lin;
    ckda_root_counts c;
    ckda_poly_t g;
    ckda_elem_t x;

    (void)state;
    fmpz_poly_init(f);
    fmpz_poly_init(lin);
    fmpz_poly_set_si(f, 1);
    for (slong k = 1; k <= 40; k++) { /* roots k/(k+1), close to one another */
        fmpz_poly_zero(lin);
        fmpz_poly_set_coeff_si(lin, 1, k + 1);
        fmpz_poly_set_coeff_si(lin, 0, -k);
        fmpz_poly_mul(f, f, lin);
    }
    for (slong k = 1; k <= 12; k++) { /* k x^2 - x + k: on the unit circle */
        fmpz_poly_zero(lin);
        fmpz_poly_set_coeff_si(lin, 2, k);
        fmpz_poly_set_coeff_si(lin, 1, -1);
        fmpz_poly_set_coeff_si(lin, 0, k);
        fmpz_poly_mul(f, f, lin);
    }
    assert_int_equal(fmpz_poly_degree(f), 64);
    assert_int_equal(ckda_fmpz_poly_real_roots_vca(f), 40);
    ckda_poly_init(g, Q);
    ckda_elem_init(x, Q);
    for (slong i = 0; i <= 64; i++) {
        fmpq_t q;

        fmpq_init(q);
        fmpz_set(fmpq_numref(q), fmpz_poly_get_coeff_ptr(f, i));
        ckda_elem_set_fmpq(x, q, Q);
        ckda_poly_set_coeff(g, i, x, Q);
        fmpq_clear(q);
    }
    ckda_poly_count_roots(&c, g, Q);
    assert_int_equal(c.real_roots, 40);
    assert_int_equal(c.nonreal_pairs, 12);
    assert_int_equal(c.unit_circle_pairs, 12);
    ckda_elem_clear(x, Q);
    ckda_poly_clear(g, Q);
    fmpz_poly_clear(lin);
    fmpz_poly_clear(f);
}

static void
descartes_refuses_irrational_coefficients(void **state)
{
    ckda_field_t K;
    ckda_elem_t a;
    ckda_poly_t f;
    slong n = 17;

    (void)state;
    ckda_field_init_sqrt(K, 2);
    ckda_elem_init(a, K);
    ckda_poly_init(f, K);
    ckda_elem_gen(a, K);
    ckda_poly_set_root(f, a, K);
    assert_int_equal(ckda_poly_real_roots_vca(&n, f, K), CKDA_E_DOMAIN);
    assert_int_equal(n, 17);
    ckda_poly_clear(f, K);
    ckda_elem_clear(a, K);
    ckda_field_clear(K);
}

static void
sturm_counts_half_open_intervals(void **state)
{
    ckda_elem_struct e[3];
    ckda_poly_t f;

    (void)state;
    for (int i = 0; i < 3; i++) {
        ckda_elem_init(e + i, Q);
        ckda_elem_set_si(e + i, i + 1, Q);
    }
    ckda_poly_init(f, Q);
    set_poly(f, "1", Q);
    mul_power(f, "-1 1", 2, Q); /* double root 1 */
    mul_power(f, "-3 1", 1, Q);
    assert_int_equal(ckda_poly_real_roots_sturm(f, e + 0, e + 2, Q), 1); /* (1, 3] */
    assert_int_equal(ckda_poly_real_roots_sturm(f, e + 0, e + 1, Q), 0);
    assert_int_equal(ckda_poly_real_roots_sturm(f, NULL, e + 0, Q), 1);
    assert_int_equal(ckda_poly_real_roots_sturm(f, e + 2, NULL, Q), 0);
    assert_int_equal(ckda_poly_real_roots_sturm(f, e + 2, e + 0, Q), 0); /* empty */
    ckda_poly_clear(f, Q);
    for (int i = 0; i < 3; i++)
        ckda_elem_clear(e + i, Q);
}

static void
hankel_rank_is_the_number_of_distinct_roots(void **state)
{
    slong distinct, real;
    ckda_poly_t f;

    (void)state;
    ckda_poly_init(f, Q);
    set_poly(f, "2", Q);
    mul_power(f, "1 0 1", 3, Q);
    mul_power(f, "-2 1", 2, Q);
    mul_power(f, "0 1", 2, Q);
    ckda_poly_hankel(&distinct, &real, f, Q);
    assert_int_equal(distinct, 4);
    assert_int_equal(real, 2);
    set_poly(f, "7", Q);
    ckda_poly_hankel(&distinct, &real, f, Q);
    assert_int_equal(distinct, 0);
    assert_int_equal(real, 0);
    ckda_poly_clear(f, Q);
}

static void
two_ways_agree_over_a_cubic_field(void **state)
{
    ckda_field_t K;
    ckda_rand r;
    ckda_poly_t f;

    (void)state;
    ckda_rand_init(&r, 3);
    ckda_field_init_cos(K, 7);
    ckda_poly_init(f, K);
    for (int round = 0; round < 12; round++) {
        rand_poly(f, &r, 1 + (slong)ckda_rand_below(&r, 5), 5, K);
        assert_int_equal(ckda_poly_real_roots_sturm(f, NULL, NULL, K),
                         ckda_poly_real_roots_hankel(f, K));
    }
    ckda_poly_clear(f, K);
    ckda_field_clear(K);
}

static void
trap_same_polynomial_two_embeddings_of_sqrt2(void **state)
{
    ckda_field_t K;
    ckda_elem_t c, one;
    ckda_poly_t f;

    (void)state;
    ckda_field_init_sqrt(K, 2);
    ckda_elem_init(c, K);
    ckda_elem_init(one, K);
    ckda_elem_one(one, K);
    ckda_poly_init(f, K);
    for (int embedding = 1; embedding >= -1; embedding -= 2) {
        /* x^2 - (1 + a) x + 1, where a -> -a is the other embedding */
        set_poly(f, "1 0 1", K);
        ckda_elem_gen(c, K);
        ckda_elem_mul_si(c, c, -embedding, K);
        ckda_elem_sub(c, c, one, K);
        ckda_poly_set_coeff(f, 1, c, K);
        if (embedding > 0) /* 1 + sqrt 2 > 2: two real roots */
            assert_counts(f, 2, 0, 0, K);
        else
            assert_counts(f, 0, 1, 1, K);
    }
    ckda_poly_clear(f, K);
    ckda_elem_clear(one, K);
    ckda_elem_clear(c, K);
    ckda_field_clear(K);
}

static void
trap_same_polynomial_three_embeddings_of_a_cubic(void **state)
{
    qqbar_ptr root;
    fmpz_poly_t m;
    slong positive = 0;

    (void)state;
    fmpz_poly_init(m); /* x^3 - 3x + 1: roots about -1.88, 0.35, 1.53 */
    fmpz_poly_set_coeff_si(m, 3, 1);
    fmpz_poly_set_coeff_si(m, 1, -3);
    fmpz_poly_set_coeff_si(m, 0, 1);
    root = _qqbar_vec_init(3);
    qqbar_roots_fmpz_poly(root, m, 0);
    for (int i = 0; i < 3; i++) {
        int sign = qqbar_sgn_re(root + i);
        ckda_field_t K;
        ckda_elem_t a;
        ckda_poly_t f;

        assert_int_equal(ckda_field_init_qqbar(K, root + i), CKDA_OK);
        ckda_elem_init(a, K);
        ckda_poly_init(f, K);
        assert_int_equal(ckda_elem_set_qqbar(a, root + i, K), CKDA_OK);
        ckda_elem_neg(a, a, K);
        ckda_poly_set_coeff_si(f, 2, 1, K);
        ckda_poly_set_coeff(f, 0, a, K); /* x^2 - a */
        assert_counts(f, sign > 0 ? 2 : 0, sign > 0 ? 0 : 1, 0, K);
        positive += sign > 0;
        ckda_poly_clear(f, K);
        ckda_elem_clear(a, K);
        ckda_field_clear(K);
    }
    assert_int_equal(positive, 2);
    _qqbar_vec_clear(root, 3);
    fmpz_poly_clear(m);
}

static int
setup(void **state)
{
    (void)state;
    ckda_field_init_rational(Q);
    return 0;
}

static int
teardown(void **state)
{
    (void)state;
    ckda_field_clear(Q);
    flint_cleanup();
    return 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(yun_takes_multiplicities_apart),
        cmocka_unit_test(yun_of_a_constant_is_empty),
        cmocka_unit_test(yun_parts_multiply_back),
        cmocka_unit_test(sturm_hankel_descartes_and_balls_agree),
        cmocka_unit_test(products_of_integer_roots_have_all_of_them),
        cmocka_unit_test(descartes_separates_mignotte_roots),
        cmocka_unit_test(descartes_handles_degree_64),
        cmocka_unit_test(descartes_refuses_irrational_coefficients),
        cmocka_unit_test(sturm_counts_half_open_intervals),
        cmocka_unit_test(hankel_rank_is_the_number_of_distinct_roots),
        cmocka_unit_test(two_ways_agree_over_a_cubic_field),
        cmocka_unit_test(trap_same_polynomial_two_embeddings_of_sqrt2),
        cmocka_unit_test(trap_same_polynomial_three_embeddings_of_a_cubic),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
