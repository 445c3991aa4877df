/* The field of given numbers: smallest, with every number written exactly in it. */
#include "fields.h"

/* Finds the field of the n texts; its degree must be as given, and each element must be
 * the number it stands for. */
static void
field_for(ckda_field_t K, slong degree, int n, const char *const *text)
{
    qqbar_struct *x = _qqbar_vec_init(n);
    ckda_elem_struct y[ELEMS];
    qqbar_t z;
    qqbar_init(z);
    for (int i = 0; i < n; i++)
        number(x + i, text[i]);
    assert_int_equal(ckda_field_init_numbers(K, y, x, n, 0), CKDA_OK);
    assert_int_equal(K->degree, degree);
    assert_true(fmpz_is_one(K->minpoly->coeffs + K->degree));
    for (int i = 0; i < n; i++) {
        ckda_elem_get_qqbar(z, y + i, K);
        assert_true(qqbar_equal(z, x + i));
        ckda_elem_clear(y + i, K);
    }
    qqbar_clear(z);
    _qqbar_vec_clear(x, n);
}

static void
check_numbers(slong degree, int n, const char *const *text)
{
    ckda_field_t K;
    field_for(K, degree, n, text);
    ckda_field_clear(K);
}

#define NUMBERS(degree, ...)                                                             \
    do {                                                                                 \
        const char *const text[] = {__VA_ARGS__};                                        \
        check_numbers(degree, (int)(sizeof text / sizeof text[0]), text);                \
    } while (0)

static void
rationals_give_the_rationals(void **state)
{
    (void)state;
    NUMBERS(1, "1/2");
    NUMBERS(1, "1/2", "-7", "cos(pi/3)");
    ckda_field_t K;
    assert_int_equal(ckda_field_init_numbers(K, NULL, NULL, 0, 0), CKDA_OK);
    assert_int_equal(K->degree, 1);
    ckda_field_clear(K);
}

static void
two_square_roots_give_degree_four(void **state)
{
    (void)state;
    NUMBERS(4, "sqrt(2)", "sqrt(5)");
}

static void
golden_numbers_share_one_quadratic_field(void **state)
{
    (void)state;
    const char *const text[] = {"sqrt(5)", "(1+sqrt(5))/4", "cos(2*pi/5)"};
    ckda_field_t K;
    field_for(K, 2, 3, text);
    char *s = fmpz_poly_get_str(K->minpoly);
    assert_string_equal(s, "3  -5 0 1");
    flint_free(s);
    ckda_field_clear(K);
}

static void
cosine_of_a_seventh_turn_is_cubic(void **state)
{
    (void)state;
    NUMBERS(3, "cos(2*pi/7)");
    NUMBERS(3, "cos(2*pi/7)", "cos(4*pi/7)", "cos(6*pi/7)");
    NUMBERS(6, "cos(2*pi/7)", "sin(2*pi/7)");
}

static void
dependent_square_roots_do_not_raise_the_degree(void **state)
{
    (void)state;
    NUMBERS(4, "sqrt(2)", "sqrt(3)", "sqrt(6)");
    NUMBERS(4, "sqrt(2)+sqrt(3)", "sqrt(2)", "sqrt(3)");
}

static void
nested_root_holds_the_inner_root(void **state)
{
    (void)state;
    NUMBERS(4, "sqrt(2+sqrt(2))", "sqrt(2)");
    NUMBERS(4, "sqrt(2)", "sqrt(2+sqrt(2))", "1/3");
}

static void
three_independent_square_roots(void **state)
{
    (void)state;
    NUMBERS(8, "sqrt(2)", "sqrt(3)", "sqrt(5)", "sqrt(30)/7");
}

static void
coprime_degrees(void **state)
{
    (void)state;
    NUMBERS(6, "root(x^3-2, 1)", "sqrt(3)/1000");
    NUMBERS(6, "root(x^3-2, 1)+sqrt(3)", "sqrt(3)");
}

static void
one_real_conjugate_does_not_hold_another(void **state)
{
    (void)state;
    /* x^4 - 4x^2 + x + 1 has group S4: two of its roots give degree 12. */
    NUMBERS(12, "root(x^4-4*x^2+x+1, 1.8)", "root(x^4-4*x^2+x+1, -2)");
    /* Cyclic cubic: one root holds the others. */
    NUMBERS(3, "root(x^3-3*x+1, 1.5)", "root(x^3-3*x+1, 0.3)");
}

static void
huge_rational_coefficients(void **state)
{
    (void)state;
    NUMBERS(2, "123456789123456789/1000000007+sqrt(2)*7^100/3^90", "sqrt(8)");
    NUMBERS(3, "cos(2*pi/7)*(10^60+1)/(10^45+9)-5^70", "cos(2*pi/7)");
}

static void
max_degree_is_kept(void **state)
{
    (void)state;
    qqbar_struct *x = _qqbar_vec_init(2);
    ckda_field_t K;
    number(x, "sqrt(2)");
    number(x + 1, "sqrt(5)");
    assert_int_equal(ckda_field_init_numbers(K, NULL, x, 2, 3), CKDA_E_UNABLE);
    assert_int_equal(ckda_field_init_numbers(K, NULL, x, 1, 1), CKDA_E_UNABLE);
    assert_int_equal(ckda_field_init_numbers(K, NULL, x, 2, 4), CKDA_OK);
    ckda_field_clear(K);
    _qqbar_vec_clear(x, 2);
}

static void
non_real_numbers_are_refused(void **state)
{
    (void)state;
    qqbar_struct *x = _qqbar_vec_init(2);
    ckda_field_t K;
    ckda_elem_t y;
    number(x, "sqrt(2)");
    number(x + 1, "sqrt(-2)");
    assert_int_equal(ckda_field_init_numbers(K, NULL, x, 2, 0), CKDA_E_DOMAIN);
    assert_int_equal(ckda_field_init_qqbar(K, x + 1), CKDA_E_DOMAIN);
    ckda_field_init_sqrt(K, 2);
    ckda_elem_init(y, K);
    assert_int_equal(ckda_elem_set_qqbar(y, x + 1, K), CKDA_E_DOMAIN);
    ckda_elem_clear(y, K);
    ckda_field_clear(K);
    _qqbar_vec_clear(x, 2);
}

static void
quadratic_generator_is_the_root_of_a_square_free_integer(void **state)
{
    (void)state;
    const char *const of[] = {"sqrt(12)", "(1+sqrt(5))/2", "sqrt(7/18)", "3-sqrt(50)/9"};
    const char *const want[] = {"3  -3 0 1", "3  -5 0 1", "3  -14 0 1", "3  -2 0 1"};
    for (int i = 0; i < 4; i++) {
        ckda_field_t K;
        field_of(K, of[i]);
        char *s = fmpz_poly_get_str(K->minpoly);
        assert_string_equal(s, want[i]);
        assert_true(arb_is_positive(K->root));
        flint_free(s);
        ckda_field_clear(K);
    }
}

static void
generator_is_the_smallest_integral_multiple(void **state)
{
    (void)state;
    const char *const of[] = {"cos(2*pi/7)", "root(x^3-2, 1)/6", "root(4*x^3-2, 1)",
                              "root(x^3-2/27, 1)"};
    /* 2 cos, 6 x, 2 x (x^3 = 1/2: y^3 = 4), 3 x */
    const char *const want[] = {"4  -1 -2 1 1", "4  -2 0 0 1", "4  -4 0 0 1",
                                "4  -2 0 0 1"};
    for (int i = 0; i < 4; i++) {
        ckda_field_t K;
        field_of(K, of[i]);
        char *s = fmpz_poly_get_str(K->minpoly);
        assert_string_equal(s, want[i]);
        flint_free(s);
        ckda_field_clear(K);
    }
}

static void
membership_is_decided_both_ways(void **state)
{
    (void)state;
    const char *const field[] = {"sqrt(2)",
                                 "sqrt(2)",
                                 "root(x^3-2, 1)",
                                 "root(x^3-2, 1)",
                                 "root(x^4-2, 1)",
                                 "root(x^4-2, 1)",
                                 "1/2",
                                 "root(x^4-4*x^2+x+1, 1.8)"};
    const char *const in[] = {"1+sqrt(2)/9",
                              "3",
                              "root(x^3-4, 1)",
                              "root(x^3-16, 2)-5",
                              "sqrt(2)",
                              "root(x^4-8, 1)",
                              "7/3",
                              "1/3"};
    const char *const out[] = {
        "sqrt(3)", "root(x^3-2, 1)", "root(x^3-3, 1)", "sqrt(2)",
        "sqrt(3)", "root(x^4-3, 1)", "sqrt(2)",        "root(x^4-4*x^2+x+1, -2)"};
    qqbar_t x;
    qqbar_init(x);
    for (int i = 0; i < 8; i++) {
        ckda_field_t K;
        ckda_elem_t y;
        field_of(K, field[i]);
        ckda_elem_init(y, K);
        number(x, in[i]);
        assert_int_equal(ckda_elem_set_qqbar(y, x, K), CKDA_OK);
        number(x, out[i]);
        ckda_elem_set_si(y, 5, K);
        assert_int_equal(ckda_elem_set_qqbar(y, x, K), CKDA_E_DOMAIN);
        assert_int_equal(ckda_elem_cmp_si(y, 5, K), 0);
        ckda_elem_clear(y, K);
        ckda_field_clear(K);
    }
    qqbar_clear(x);
}

static void
qqbar_round_trip(void **state)
{
    (void)state;
    for (int i = 0; i < FIELDS - 3; i++) {
        ckda_field_t K;
        ckda_elem_t x, y;
        qqbar_t z;
        ckda_rand r;
        ckda_rand_init(&r, 3);
        nth_field(K, i);
        ckda_elem_init(x, K);
        ckda_elem_init(y, K);
        qqbar_init(z);
        for (int k = 0; k < 5; k++) {
            ckda_elem_rand(x, &r, 50, 12, K);
            ckda_elem_get_qqbar(z, x, K);
            assert_int_equal(ckda_elem_set_qqbar(y, z, K), CKDA_OK);
            assert_true(ckda_elem_equal(x, y, K));
        }
        qqbar_clear(z);
        ckda_elem_clear(y, K);
        ckda_elem_clear(x, K);
        ckda_field_clear(K);
    }
}

static void
embedding_tells_conjugate_elements_apart(void **state)
{
    (void)state;
    /* In Q(a) for a the positive or the negative root, the number sqrt 5 has the other
     * sign; here the generator is normalised, so both fields are the same. */
    ckda_field_t K, L;
    ckda_elem_t x, y;
    field_of(K, "root(x^2-x-1, 1.6)");
    field_of(L, "root(x^2-x-1, -0.6)");
    assert_true(ckda_field_equal(K, L));
    ckda_elem_init(x, K);
    ckda_elem_init(y, K);
    element(x, "root(x^2-x-1, 1.6)", K);
    element(y, "root(x^2-x-1, -0.6)", K);
    assert_elem(x, "1/2+1/2*a", K);
    assert_elem(y, "1/2-1/2*a", K);
    assert_int_equal(ckda_elem_sgn(x, K), 1);
    assert_int_equal(ckda_elem_sgn(y, K), -1);
    ckda_elem_clear(y, K);
    ckda_elem_clear(x, K);
    ckda_field_clear(L);
    ckda_field_clear(K);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rationals_give_the_rationals),
        cmocka_unit_test(two_square_roots_give_degree_four),
        cmocka_unit_test(golden_numbers_share_one_quadratic_field),
        cmocka_unit_test(cosine_of_a_seventh_turn_is_cubic),
        cmocka_unit_test(dependent_square_roots_do_not_raise_the_degree),
        cmocka_unit_test(nested_root_holds_the_inner_root),
        cmocka_unit_test(three_independent_square_roots),
        cmocka_unit_test(coprime_degrees),
        cmocka_unit_test(one_real_conjugate_does_not_hold_another),
        cmocka_unit_test(huge_rational_coefficients),
        cmocka_unit_test(max_degree_is_kept),
        cmocka_unit_test(non_real_numbers_are_refused),
        cmocka_unit_test(quadratic_generator_is_the_root_of_a_square_free_integer),
        cmocka_unit_test(generator_is_the_smallest_integral_multiple),
        cmocka_unit_test(membership_is_decided_both_ways),
        cmocka_unit_test(qqbar_round_trip),
        cmocka_unit_test(embedding_tells_conjugate_elements_apart),
    };
    int failed = cmocka_run_group_tests_name("fields of numbers", tests, NULL, NULL);
    flint_cleanup();
    mpfr_free_cache();
    return failed;
}
