/* Unit-circle pairs of any polynomial: the traps of reversal, multiplicity and
 * strictness. */
#include "spectrum_util.h"

static ckda_field_t Q;

static void
check(const char *factors[][2], slong nfactors, slong real, slong pairs, slong circle)
{
    ckda_poly_t f;

    ckda_poly_init(f, Q);
    set_poly(f, "-3/7", Q);
    for (slong i = 0; i < nfactors; i++)
        mul_power(f, factors[i][0], atol(factors[i][1]), Q);
    assert_counts(f, real, pairs, circle, Q);
    ckda_poly_clear(f, Q);
}

#define CHECK(real, pairs, circle, ...)                                                  \
    do {                                                                                 \
        const char *list[][2] = {__VA_ARGS__};                                           \
        check(list, (slong)(sizeof list / sizeof list[0]), real, pairs, circle);         \
    } while (0)

static void
trap_quadruple_off_the_circle_is_not_counted(void **state)
{
    (void)state;
    /* 1+i, 1-i and their inverses: reciprocal, none of modulus 1 */
    CHECK(0, 2, 0, {"2 -2 1", "1"}, {"1 -2 2", "1"});
    CHECK(0, 3, 1, {"2 -2 1", "1"}, {"1 -2 2", "1"}, {"1 0 1", "1"});
}

static void
trap_real_reciprocal_pair_is_not_counted(void **state)
{
    (void)state;
    CHECK(2, 0, 0, {"1 -5/2 1", "1"}); /* 2, 1/2 */
    CHECK(4, 1, 1, {"1 -5/2 1", "1"}, {"1 5/2 1", "1"}, {"1 -1 1", "1"});
}

static void
trap_plus_and_minus_one_are_no_pairs(void **state)
{
    (void)state;
    CHECK(5, 0, 0, {"-1 1", "3"}, {"1 1", "2"});
    CHECK(2, 1, 1, {"-1 1", "1"}, {"1 1", "1"}, {"1 2/9 1", "1"});
}

static void
trap_zero_roots_do_not_disturb_the_reversal(void **state)
{
    (void)state;
    CHECK(3, 1, 1, {"0 1", "3"}, {"1 0 1", "1"});
    CHECK(1, 1, 0, {"0 1", "1"}, {"1/3 0 1", "1"});
    CHECK(4, 2, 2, {"0 1", "4"}, {"1 1 1", "1"}, {"1 6/5 1", "1"});
}

static void
trap_multiplicities_are_kept(void **state)
{
    (void)state;
    CHECK(2, 3, 3, {"1 0 1", "3"}, {"-2 1", "2"});
    CHECK(3, 6, 4, {"1 1 1", "4"}, {"5 2 1", "2"}, {"-1 1", "3"});
}

static void
trap_reciprocal_roots_of_unequal_multiplicity(void **state)
{
    (void)state;
    /* 1+-i once, (1+-i)/2 twice: the gcd with the reverse is off the circle throughout */
    CHECK(0, 3, 0, {"2 -2 1", "1"}, {"1 -2 2", "2"});
}

static void
trap_strict_at_a_vanishing_discriminant(void **state)
{
    (void)state;
    CHECK(2, 0, 0, {"1/4 -1 1", "1"});             /* (x - 1/2)^2 */
    CHECK(0, 1, 0, {"1000001/4000000 -1 1", "1"}); /* just non-real */
    CHECK(2, 0, 0, {"999999/4000000 -1 1", "1"});  /* just real */
    CHECK(2, 0, 0, {"1 -2 1", "1"});               /* (x - 1)^2, y = 2 exactly */
    CHECK(0, 1, 1, {"1 -1999999/1000000 1", "1"});
    CHECK(2, 0, 0, {"1 -2000001/1000000 1", "1"});
}

static void
products_of_known_factors_have_known_counts(void **state)
{
    ckda_rand r;

    (void)state;
    ckda_rand_init(&r, 7);
    for (int round = 0; round < 25; round++) {
        slong real = 0, pairs = 0, circle = 0;
        ckda_poly_t f, g;
        ckda_elem_t c;

        ckda_poly_init(f, Q);
        ckda_poly_init(g, Q);
        ckda_elem_init(c, Q);
        ckda_poly_one(f, Q);
        for (int k = 0; k < 4; k++) {
            slong p = ckda_rand_range(&r, -9, 9), e = 1 + (slong)ckda_rand_below(&r, 2);
            slong kind = (slong)ckda_rand_below(&r, 4);

            ckda_poly_zero(g, Q);
            if (kind == 0) { /* 5x^2 + p x + 5: on the circle iff |p| < 10 */
                ckda_poly_set_coeff_si(g, 0, 5, Q);
                ckda_poly_set_coeff_si(g, 1, p, Q);
                ckda_poly_set_coeff_si(g, 2, 5, Q);
                pairs += e;
                circle += e;
            } else if (kind == 1) { /* x^2 + 2px + p^2 + 4: off the circle */
                ckda_poly_set_coeff_si(g, 0, p * p + 4, Q);
                ckda_poly_set_coeff_si(g, 1, 2 * p, Q);
                ckda_poly_set_coeff_si(g, 2, 1, Q);
                pairs += e;
            } else if (kind == 2) { /* x - p */
                ckda_elem_set_si(c, p, Q);
                ckda_poly_set_root(g, c, Q);
                real += e;
            } else { /* 2x^2 + (p + 14) x + 2: a real reciprocal pair, p + 14 > 4 */
                ckda_poly_set_coeff_si(g, 0, 2, Q);
                ckda_poly_set_coeff_si(g, 1, p + 14, Q);
                ckda_poly_set_coeff_si(g, 2, 2, Q);
                real += 2 * e;
            }
            for (slong i = 0; i < e; i++)
                ckda_poly_mul(f, f, g, Q);
        }
        assert_counts(f, real, pairs, circle, Q);
        ckda_elem_clear(c, Q);
        ckda_poly_clear(g, Q);
        ckda_poly_clear(f, Q);
    }
}

static void
cyclotomic_polynomials_lie_on_the_circle(void **state)
{
    (void)state;
    for (ulong m = 1; m <= 24; m++) {
        fmpz_poly_t phi;
        ckda_poly_t f;
        slong n;

        fmpz_poly_init(phi);
        fmpz_poly_cyclotomic(phi, m);
        n = fmpz_poly_degree(phi);
        ckda_poly_init(f, Q);
        for (slong i = 0; i <= n; i++)
            ckda_poly_set_coeff_si(f, i, fmpz_poly_get_coeff_si(phi, i), Q);
        assert_counts(f, m <= 2 ? 1 : 0, m <= 2 ? 0 : n / 2, m <= 2 ? 0 : n / 2, Q);
        ckda_poly_clear(f, Q);
        fmpz_poly_clear(phi);
    }
}

static void
circle_pair_over_the_golden_field(void **state)
{
    ckda_field_t K;
    ckda_elem_t c;
    ckda_poly_t f;

    (void)state;
    ckda_field_init_cos(K, 5);
    ckda_elem_init(c, K);
    ckda_poly_init(f, K);
    ckda_elem_gen(c, K); /* 2 cos 72 degrees */
    ckda_elem_neg(c, c, K);
    ckda_poly_set_coeff_si(f, 0, 1, K);
    ckda_poly_set_coeff(f, 1, c, K);
    ckda_poly_set_coeff_si(f, 2, 1, K);
    ckda_poly_mul(f, f, f, K);
    assert_counts(f, 0, 2, 2, K);
    ckda_poly_clear(f, K);
    ckda_elem_clear(c, K);
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
        cmocka_unit_test(trap_quadruple_off_the_circle_is_not_counted),
        cmocka_unit_test(trap_real_reciprocal_pair_is_not_counted),
        cmocka_unit_test(trap_plus_and_minus_one_are_no_pairs),
        cmocka_unit_test(trap_zero_roots_do_not_disturb_the_reversal),
        cmocka_unit_test(trap_multiplicities_are_kept),
        cmocka_unit_test(trap_reciprocal_roots_of_unequal_multiplicity),
        cmocka_unit_test(trap_strict_at_a_vanishing_discriminant),
        cmocka_unit_test(products_of_known_factors_have_known_counts),
        cmocka_unit_test(cyclotomic_polynomials_lie_on_the_circle),
        cmocka_unit_test(circle_pair_over_the_golden_field),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
