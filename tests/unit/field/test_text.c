/* Exact numbers as text, in and out. */
#include "fields.h"

/* Both texts name the same number. */
static void
same(const char *text, const char *other)
{
    qqbar_t x, y;
    qqbar_init(x);
    qqbar_init(y);
    number(x, text);
    number(y, other);
    if (!qqbar_equal(x, y))
        fail_msg("%s is not %s", text, other);
    qqbar_clear(y);
    qqbar_clear(x);
}

static void
refused(const char *text, const char *message)
{
    qqbar_t x;
    ckda_error err;
    qqbar_init(x);
    qqbar_set_si(x, 42);
    ckda_error_clear(&err);
    assert_int_equal(ckda_number_parse(x, text, &err), CKDA_E_INPUT);
    assert_string_equal(err.text, message);
    assert_int_equal(ckda_number_parse(x, text, NULL), CKDA_E_INPUT);
    assert_true(qqbar_is_integer(x) && fmpz_equal_si(QQBAR_COEFFS(x), -42)); /* kept */
    qqbar_clear(x);
}

static void
rational_expressions(void **state)
{
    (void)state;
    same("-3/4", "3/-4");
    same(" 1 + 2 * 3 ", "7");
    same("\t(1+2)*3\n", "9");
    same("-2^2", "-4");
    same("(-2)^2", "4");
    same("2^-3", "1/8");
    same("2^(1+2)", "8");
    same("7^0", "1");
    same("1-2-3", "-4");
    same("8/2/2", "2");
    same("--3", "3");
    same("2*-3", "-6");
    same("123456789012345678901234567890/10", "12345678901234567890123456789");
}

static void
hexadecimal_floats_are_exact(void **state)
{
    (void)state;
    same("0x1.9p-4", "25/256");
    same("-0x1.8p1", "-3");
    same("0x10", "16");
    same("0x.8", "1/2");
    same("0x1p-149", "1/2^149");
    same("0X1.fffffep+127", "(2^24-1)*2^104");
}

static void
roots_and_angles(void **state)
{
    (void)state;
    same("sqrt(5)^2", "5");
    same("sqrt(4/9)", "2/3");
    same("sqrt(3+2*sqrt(2))", "1+sqrt(2)");
    same("cos(2*pi/5)", "(sqrt(5)-1)/4");
    same("cos(pi/5)^2+sin(pi/5)^2", "1");
    same("sin(pi/12)", "(sqrt(6)-sqrt(2))/4");
    same("cos(pi*7/3)", "1/2");
    same("cos(-pi)", "-1");
    same("cos(0)", "1");
    same("sin(pi/6+pi/3)", "1");
    same("sqrt(2)*sqrt(2)", "2");
    same("root(x^2-x-1, 1.6)", "(1+sqrt(5))/2");
    same("root(x^2-x-1, -0.6)", "(1-sqrt(5))/2");
    same("root(x^3-2, 5/4)^3", "2");
    same("root((x-1)^2*(x-3), 1.9)", "1");
    same("root((x-1)^2*(x-3), 2.1)", "3");
    same("root(x/2-1/3, 0)", "2/3");
    same("root(x^2-2, -1e1)", "-sqrt(2)");
    same("root(x^2-2, 0x1p0)", "sqrt(2)");
}

static void
unlike_roots_of_one_polynomial_differ(void **state)
{
    (void)state;
    qqbar_t x, y;
    qqbar_init(x);
    qqbar_init(y);
    number(x, "root(x^2-x-1,1.6)");
    number(y, "root(x^2-x-1,-0.6)");
    assert_false(qqbar_equal(x, y));
    assert_true(fmpz_poly_equal(QQBAR_POLY(x), QQBAR_POLY(y)));
    assert_int_equal(qqbar_sgn_re(x), 1);
    assert_int_equal(qqbar_sgn_re(y), -1);
    qqbar_clear(y);
    qqbar_clear(x);
}

static void
square_root_of_minus_one_is_not_real(void **state)
{
    (void)state;
    qqbar_t x;
    qqbar_init(x);
    number(x, "sqrt(-1)");
    assert_true(qqbar_is_i(x));
    qqbar_clear(x);
    same("sqrt(-1)^2", "-1");
}

static void
high_degree_sums_stay_fast(void **state)
{
    (void)state;
    same("cos(2*pi/60)*cos(2*pi*7/60)", "(cos(2*pi*8/60)+cos(2*pi*6/60))/2");
    same("cos(2*pi/29)+cos(2*pi*5/29)-cos(2*pi*5/29)", "cos(2*pi/29)");
}

static void
decimals_are_refused_with_the_fraction(void **state)
{
    (void)state;
    refused("0.1", "column 1: 0.1 is a decimal; write 1/10");
    refused("1+ 2.50", "column 4: 2.50 is a decimal; write 5/2");
    refused(".5", "column 1: .5 is a decimal; write 1/2");
    refused("1e-3", "column 1: 1e-3 is a decimal; write 1/1000");
    refused("3.", "column 1: 3. is a decimal; write 3");
    refused("sqrt(0.25)", "column 6: 0.25 is a decimal; write 1/4");
    refused("root(0.5*x-1, 1)", "column 6: 0.5 is a decimal; write 1/2");
}

static void
errors_name_column_and_what_was_found(void **state)
{
    (void)state;
    refused("", "column 1: expected a number, found the end of the text");
    refused("1 + 2*q", "column 7: expected a number, found 'q'");
    refused("1+", "column 3: expected a number, found the end of the text");
    refused("(1+2", "column 5: expected ')', found the end of the text");
    refused("12 34", "column 4: expected an operator or the end of the text, found '3'");
    refused("1)", "column 2: expected an operator or the end of the text, found ')'");
    refused("sqrt 5", "column 6: expected '(', found '5'");
    refused("sqrtt(5)", "column 1: expected a number, found 'sqrtt'");
    refused("a", "column 1: expected a number, found 'a'");
    refused("x", "column 1: expected a number, found 'x'");
    refused("1,5", "column 2: expected an operator or the end of the text, found ','");
    refused("2*\xc3\xa9", "column 3: expected a number, found the byte 0xc3");
    refused("0x", "column 3: expected hexadecimal digits, found the end of the text");
    refused("root(x^2-2)", "column 11: expected ',', found ')'");
}

static void
pi_stands_only_in_angles(void **state)
{
    (void)state;
    refused("pi", "column 1: pi may stand only inside cos() or sin()");
    refused("2*pi", "column 3: pi may stand only inside cos() or sin()");
    refused("sqrt(pi)", "column 6: pi may stand only inside cos() or sin()");
    refused("cos(1)", "column 5: expected a rational multiple of pi");
    refused("cos(pi^2)", "column 5: expected a rational multiple of pi");
    refused("cos(1/pi)", "column 6: expected a rational number as divisor");
    refused("sin(pi/100003)", "column 5: the denominator of this angle is above 512");
}

static void
division_by_zero_is_an_error(void **state)
{
    (void)state;
    refused("1/0", "column 2: division by zero");
    refused("1/(sqrt(2)-sqrt(2))", "column 2: division by zero");
    refused("sqrt(2)/(1-1)", "column 8: division by zero");
    refused("0^-1", "column 1: division by zero");
    refused("root(x/0, 1)", "column 7: division by zero");
}

static void
root_errors(void **state)
{
    (void)state;
    refused("root(x^2+1, 0)", "column 6: this polynomial has no real root");
    refused("root(x^2-2, 0)",
            "column 6: two real roots of this polynomial are equally near to the hint");
    refused("root(7, 0)",
            "column 6: expected a polynomial of degree at least 1 in root()");
    refused("root(x-x, 0)",
            "column 6: expected a polynomial of degree at least 1 in root()");
    refused("root(x^200, 0)", "column 6: the degree of this polynomial is above 128");
    refused("root(sqrt(2)*x, 0)",
            "column 6: expected a rational number or x, found 'sqrt'");
    refused("root(x^2-2, sqrt(2))",
            "column 13: expected a rational number, found 'sqrt'");
}

static void
limits_are_errors_not_crashes(void **state)
{
    (void)state;
    char text[2000];
    memset(text, '(', 500);
    strcpy(text + 500, "1");
    refused(text, "column 201: brackets are nested more than 200 deep");
    memset(text, '-', 1999);
    text[1998] = '1';
    text[1999] = '\0';
    same(text, "1"); /* a row of signs is no nesting */
    refused("2^10001", "column 3: this exponent is above 10000");
    refused("2^99999999999999999999", "column 3: this exponent is above 10000");
    refused("2^(1/2)", "column 3: expected an integer as exponent");
    refused("2^sqrt(2)", "column 3: expected an integer as exponent");
    refused("2^3^2", "column 4: expected brackets around one of two powers in a row");
    refused("(9^9999)^9999", "column 1: this number is too large to calculate with");
    refused("(3^9999)^99*(3^9999)^99*(3^9999)^99",
            "column 24: this number is too large to calculate with");
    refused("root(x^3+22888/9, 127)^8888",
            "column 1: this number is too large to calculate with");
    refused("root(x^6-14^1281, 1)",
            "column 6: this number is too large to calculate with");
    refused("sin(pi/133)-sqrt(-180)",
            "column 12: this number is too large to calculate with");
    refused("0x1p99999999999", "column 1: the exponent of this number is above 20000");
    refused("1e999999", "column 1: the exponent of this number is above 20000");
}

static void
nesting_up_to_the_limit_is_fine(void **state)
{
    (void)state;
    char text[500];
    memset(text, '(', 199);
    text[199] = '5';
    memset(text + 200, ')', 199);
    text[399] = '\0';
    same(text, "5");
}

static void
elements_print_as_polynomials_in_a(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_elem_t x;
    ckda_field_init_sqrt(K, 5);
    ckda_elem_init(x, K);
    assert_elem(x, "0", K);
    element(x, "cos(pi/5)", K);
    assert_elem(x, "1/4+1/4*a", K);
    element(x, "sqrt(5)", K);
    assert_elem(x, "a", K);
    element(x, "-a", K);
    assert_elem(x, "-a", K);
    element(x, "-7/2", K);
    assert_elem(x, "-7/2", K);
    element(x, "a/3-1", K);
    assert_elem(x, "-1+1/3*a", K);
    ckda_elem_clear(x, K);
    ckda_field_clear(K);
    ckda_field_init_cos(K, 7);
    ckda_elem_init(x, K);
    element(x, "-a^2+3", K);
    assert_elem(x, "3-a^2", K);
    element(x, "5/3*a^2-2*a", K);
    assert_elem(x, "-2*a+5/3*a^2", K);
    ckda_elem_clear(x, K);
    ckda_field_clear(K);
}

static void
print_and_parse_are_inverse(void **state)
{
    (void)state;
    for (int i = 0; i < FIELDS; i++) {
        ckda_field_t K;
        ckda_elem_t x, y;
        ckda_rand r;
        ckda_rand_init(&r, 5);
        nth_field(K, i);
        ckda_elem_init(x, K);
        ckda_elem_init(y, K);
        for (int k = 0; k < 10; k++) {
            ckda_elem_rand(x, &r, k < 5 ? 1 : 100, k < 3 ? 1 : 30, K);
            char *s = ckda_elem_str(x, K);
            element(y, s, K);
            assert_true(ckda_elem_equal(x, y, K));
            free(s);
        }
        ckda_elem_clear(y, K);
        ckda_elem_clear(x, K);
        ckda_field_clear(K);
    }
}

static void
numbers_outside_the_field_are_input_errors(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_elem_t x;
    ckda_error err;
    ckda_field_init_sqrt(K, 5);
    ckda_elem_init(x, K);
    ckda_elem_set_si(x, 3, K);
    assert_int_equal(ckda_elem_set_str(x, "sqrt(2)", K, &err), CKDA_E_INPUT);
    assert_string_equal(err.text,
                        "column 1: expected a number of the field, found sqrt(2)");
    assert_int_equal(ckda_elem_set_str(x, "sqrt(-5)", K, &err), CKDA_E_INPUT);
    assert_int_equal(ckda_elem_set_str(x, "1/(a-sqrt(5))", K, &err), CKDA_E_INPUT);
    assert_string_equal(err.text, "column 2: division by zero");
    assert_int_equal(ckda_elem_cmp_si(x, 3, K), 0);
    element(x, "sqrt(2)*sqrt(10)/2", K); /* outside only on the way */
    assert_elem(x, "a", K);
    ckda_elem_clear(x, K);
    ckda_field_clear(K);
}

static void
check_decimal(const char *text, slong digits, const char *want, const ckda_field_t K)
{
    ckda_elem_t x;
    ckda_elem_init(x, K);
    element(x, text, K);
    char *s = ckda_elem_decimal(x, digits, K);
    assert_string_equal(s, want);
    free(s);
    ckda_elem_clear(x, K);
}

static void
decimals_are_truncated_toward_zero(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_field_init_sqrt(K, 5);
    check_decimal("a", 5, "2.2360", K);
    check_decimal("-a", 6, "-2.23606", K);
    check_decimal("2/3", 4, "0.6666", K);
    check_decimal("-2/3", 4, "-0.6666", K);
    check_decimal("1/4", 20, "0.25", K);
    check_decimal("100", 20, "100", K);
    check_decimal("100", 2, "1e2", K);
    check_decimal("0", 20, "0", K);
    check_decimal("999999/1000", 3, "999", K);
    check_decimal("10^-3", 3, "0.001", K);
    check_decimal("a/10^9", 3, "2.23e-9", K);
    check_decimal("a*10^9", 3, "2.23e9", K);
    check_decimal("1-10^-30", 5, "0.99999", K);
    check_decimal("9-4*a", 5, "0.055728", K);
    check_decimal("1", 1, "1", K);
    check_decimal("10^40+a", 3, "1.00e40", K);
    ckda_field_clear(K);
}

static void
generator_decimal_as_in_the_contract(void **state)
{
    (void)state;
    const char *const of[] = {"1/2", "sqrt(5)", "root(x^3-2, 1)", "-root(x^3-2, 1)"};
    const char *const want[] = {"0", "2.2360679774997896964", "1.2599210498948731647",
                                "-1.2599210498948731647"};
    for (int i = 0; i < 4; i++) {
        ckda_field_t K;
        field_of(K, of[i]);
        char *s = ckda_field_root_decimal(K);
        assert_string_equal(s, want[i]);
        free(s);
        ckda_field_clear(K);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rational_expressions),
        cmocka_unit_test(hexadecimal_floats_are_exact),
        cmocka_unit_test(roots_and_angles),
        cmocka_unit_test(unlike_roots_of_one_polynomial_differ),
        cmocka_unit_test(square_root_of_minus_one_is_not_real),
        cmocka_unit_test(high_degree_sums_stay_fast),
        cmocka_unit_test(decimals_are_refused_with_the_fraction),
        cmocka_unit_test(errors_name_column_and_what_was_found),
        cmocka_unit_test(pi_stands_only_in_angles),
        cmocka_unit_test(division_by_zero_is_an_error),
        cmocka_unit_test(root_errors),
        cmocka_unit_test(limits_are_errors_not_crashes),
        cmocka_unit_test(nesting_up_to_the_limit_is_fine),
        cmocka_unit_test(elements_print_as_polynomials_in_a),
        cmocka_unit_test(print_and_parse_are_inverse),
        cmocka_unit_test(numbers_outside_the_field_are_input_errors),
        cmocka_unit_test(decimals_are_truncated_toward_zero),
        cmocka_unit_test(generator_decimal_as_in_the_contract),
    };
    int failed = cmocka_run_group_tests_name("field text", tests, NULL, NULL);
    flint_cleanup();
    mpfr_free_cache();
    return failed;
}
