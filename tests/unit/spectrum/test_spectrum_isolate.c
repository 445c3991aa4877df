/* Isolating intervals of real roots and the check of them. */
#include "spectrum_util.h"

static ckda_field_t Q;

static void
isolation_finds_points_intervals_and_multiplicities(void **state)
{
    ckda_root_interval *roots;
    slong n;
    ckda_poly_t f;

    (void)state;
    ckda_poly_init(f, Q);
    set_poly(f, "3", Q);
    mul_power(f, "0 1", 1, Q);    /* 0 */
    mul_power(f, "-2 0 1", 2, Q); /* +-sqrt 2, double */
    mul_power(f, "-1 2", 3, Q);   /* 1/2, triple */
    mul_power(f, "1 1 1", 2, Q);  /* non-real */
    mul_power(f, "-41 29", 1, Q); /* 41/29, next to sqrt 2 */
    ckda_poly_isolate_real(&roots, &n, f, Q);
    assert_int_equal(n, 5);
    assert_true(ckda_poly_isolation_verify(roots, n, f, Q));
    assert_int_equal(roots[0].multiplicity, 2);
    assert_int_equal(roots[1].multiplicity, 1);
    assert_int_equal(roots[2].multiplicity, 3);
    assert_int_equal(roots[3].multiplicity, 1); /* 41/29 < sqrt 2 */
    assert_int_equal(roots[4].multiplicity, 2);
    roots[3].multiplicity = 2;
    assert_false(ckda_poly_isolation_verify(roots, n, f, Q));
    roots[3].multiplicity = 1;
    assert_false(ckda_poly_isolation_verify(roots, n - 1, f, Q));
    fmpq_set_si(roots[0].lo, -1, 1); /* [-1, ..): the root is lost */
    assert_false(ckda_poly_isolation_verify(roots, n, f, Q));
    ckda_root_intervals_free(&roots, n);
    assert_null(roots);
    ckda_poly_clear(f, Q);
}

static void
isolation_of_nothing(void **state)
{
    ckda_root_interval *roots;
    slong n;
    ckda_poly_t f;

    (void)state;
    ckda_poly_init(f, Q);
    set_poly(f, "1 0 1", Q);
    ckda_poly_isolate_real(&roots, &n, f, Q);
    assert_int_equal(n, 0);
    assert_true(ckda_poly_isolation_verify(roots, n, f, Q));
    ckda_root_intervals_free(&roots, n);
    ckda_poly_clear(f, Q);
}

static void
isolation_verifies_on_random_polynomials(void **state)
{
    ckda_field_t K;
    ckda_rand r;
    ckda_poly_t f;

    (void)state;
    ckda_rand_init(&r, 4);
    ckda_field_init_sqrt(K, 3);
    ckda_poly_init(f, K);
    for (int round = 0; round < 12; round++) {
        ckda_root_interval *roots;
        slong n;

        rand_poly(f, &r, 1 + (slong)ckda_rand_below(&r, 5), 6, K);
        ckda_poly_isolate_real(&roots, &n, f, K);
        assert_true(ckda_poly_isolation_verify(roots, n, f, K));
        ckda_root_intervals_free(&roots, n);
    }
    ckda_poly_clear(f, K);
    ckda_field_clear(K);
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
        cmocka_unit_test(isolation_finds_points_intervals_and_multiplicities),
        cmocka_unit_test(isolation_of_nothing),
        cmocka_unit_test(isolation_verifies_on_random_polynomials),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
