/* Numbers outside of a field: huge and crowded ones answer soon, and all answers agree with
 * plain qqbar arithmetic. */
#include "fields.h"

#include <stdio.h>

/* n digits, all of them d. */
static void
digits(char *to, char d, size_t n)
{
    memset(to, d, n);
    to[n] = '\0';
}

static void
equal_in(const ckda_field_t K, const char *one, const char *other)
{
    ckda_elem_t x, y;
    ckda_elem_init(x, K);
    ckda_elem_init(y, K);
    element(x, one, K);
    element(y, other, K);
    assert_true(ckda_elem_equal(x, y, K));
    ckda_elem_clear(y, K);
    ckda_elem_clear(x, K);
}

static void
root_of_a_square(ulong N)
{
    char nines[160], sevens[160], number_text[400], text[500];
    ckda_field_t K;
    digits(nines, '9', 150);
    digits(sevens, '7', 150);
    snprintf(number_text, sizeof number_text, "cos(2*pi/%lu)/%s+%s", (unsigned long)N,
             nines, sevens);
    snprintf(text, sizeof text, "sqrt((%s)^2)", number_text);
    ckda_field_init_cos(K, N);
    equal_in(K, text, number_text);
    ckda_field_clear(K);
}

static void
conjugates_that_crowd_do_not_keep_a_root_from_its_field(void **state)
{
    (void)state;
    root_of_a_square(16);
    root_of_a_square(7);
    root_of_a_square(40);
}

static void
terms_of_a_generator_of_degree_48_are_found(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_elem_t x, y;
    qqbar_t n;
    field_of(K, "2*sin(pi/13)+2*sin(pi/12)");
    assert_int_equal(K->degree, 48);
    ckda_elem_init(x, K);
    ckda_elem_init(y, K);
    qqbar_init(n);
    element(x, "2*sin(pi/13)+2*sin(pi/12)", K);
    assert_elem(x, "a", K);
    number(n, "2*sin(pi/13)");
    assert_int_equal(ckda_elem_set_qqbar(x, n, K), CKDA_OK);
    number(n, "2*sin(pi/12)");
    assert_int_equal(ckda_elem_set_qqbar(y, n, K), CKDA_OK);
    ckda_elem_add(x, x, y, K);
    assert_elem(x, "a", K);
    number(n, "2*sin(pi/11)");
    assert_int_equal(ckda_elem_set_qqbar(y, n, K), CKDA_E_DOMAIN);
    qqbar_clear(n);
    ckda_elem_clear(y, K);
    ckda_elem_clear(x, K);
    ckda_field_clear(K);
}

static void
a_long_integer_beside_square_roots(void **state)
{
    (void)state;
    char n[220], text[300];
    ckda_field_t K;
    ckda_elem_t x;
    digits(n, '8', 200);
    snprintf(text, sizeof text, "sqrt(2)+sqrt(3)+%s", n);
    field_of(K, text);
    assert_int_equal(K->degree, 4);
    ckda_elem_init(x, K);
    element(x, text, K);
    assert_elem(x, "a", K);
    equal_in(K, "sqrt(2)*sqrt(3)", "sqrt(6)");
    ckda_elem_clear(x, K);
    ckda_field_clear(K);
}

static void
sums_that_were_slow_answer(void **state)
{
    (void)state;
    ckda_error err = {""};
    qqbar_t x;
    qqbar_init(x);
    assert_int_equal(
        ckda_number_parse(x,
                          "5-3-----sin(pi/13)--2--------sin(pi/12)------3-----"
                          "sin(pi/13)--2--------sin(pi/13)------sin(-1/16)",
                          &err),
        CKDA_E_INPUT);
    number(x, "5-3-----sin(pi/13)--2--------sin(pi/12)------3-----sin(pi/13)");
    assert_int_equal(qqbar_degree(x), 48);
    number(x,
           "-1111111111111111111111111111111111111111111111111111111111111111111111111-"
           "sin(pi/13)-sin(pi/26)");
    assert_int_equal(qqbar_degree(x), 12);
    qqbar_clear(x);
}

static void
a_generator_of_degree_128_is_seen_in_its_polynomial(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_elem_t x;
    field_of(K, "sin(2*pi/512)");
    assert_int_equal(K->degree, 128);
    ckda_elem_init(x, K);
    element(x, "5/3-7*sin(2*pi/512)", K);
    assert_elem(x, "5/3-7/2*a", K);
    ckda_elem_clear(x, K);
    ckda_field_clear(K);
}

/* sqrt(2) +- sqrt(3) + 10^150 - 1 agree in 150 digits. */
static void
the_decimal_of_a_generator_is_nearest_to_it(void **state)
{
    (void)state;
    ckda_field_t K, L;
    qqbar_t x;
    char n[160], number_text[200], text[4000];
    qqbar_init(x);
    digits(n, '9', 150);
    for (int sign = -1; sign <= 1; sign += 2) {
        snprintf(number_text, sizeof number_text, "sqrt(2)%csqrt(3)+%s",
                 sign < 0 ? '-' : '+', n);
        field_of(K, number_text);
        char *f = fmpz_poly_get_str_pretty(K->minpoly, "x"),
             *near = ckda_field_root_decimal(K);
        snprintf(text, sizeof text, "root(%s, %s)", f, near);
        number(x, text);
        assert_int_equal(ckda_field_init_qqbar(L, x), CKDA_OK);
        assert_true(ckda_field_equal(K, L));
        ckda_field_clear(L);
        flint_free(f);
        free(near);
        ckda_field_clear(K);
    }
    qqbar_clear(x);
}

static void
real_roots_that_crowd_are_told_apart(void **state)
{
    (void)state;
    char n[160], text[300];
    qqbar_t x, y;
    qqbar_init(x);
    qqbar_init(y);
    digits(n, '9', 150);
    /* Two roots 10^-450 apart at 10^-150. */
    snprintf(text, sizeof text, "root(x^4-2*(%s*x-1)^2,0)", n);
    number(x, text);
    snprintf(text, sizeof text, "root(x^4-2*(%s*x-1)^2,1)", n);
    number(y, text);
    assert_true(fmpz_poly_equal(QQBAR_POLY(x), QQBAR_POLY(y)));
    assert_false(qqbar_equal(x, y));
    assert_true(qqbar_cmp_re(x, y) < 0);
    number(x, "root((x^3-2)*(x-5)*(x^2-3),-9)");
    number(y, "-sqrt(3)");
    assert_true(qqbar_equal(x, y));
    qqbar_clear(y);
    qqbar_clear(x);
}

/* ---- membership -------------------------------------------------------------------- */

static void
holds(const ckda_field_t K, const char *text, ckda_status want)
{
    ckda_elem_t x;
    qqbar_t n, back;
    ckda_elem_init(x, K);
    qqbar_init(n);
    qqbar_init(back);
    number(n, text);
    assert_int_equal(ckda_elem_set_qqbar(x, n, K), want);
    if (want == CKDA_OK) {
        ckda_elem_get_qqbar(back, x, K);
        assert_true(qqbar_equal(n, back));
    } else {
        assert_true(ckda_elem_is_zero(x, K));
    }
    qqbar_clear(back);
    qqbar_clear(n);
    ckda_elem_clear(x, K);
}

static void
square_roots_in_a_field_of_four(void **state)
{
    (void)state;
    ckda_field_t K;
    field_of(K, "sqrt(2)+sqrt(3)+sqrt(5)+sqrt(7)");
    assert_int_equal(K->degree, 16);
    holds(K, "sqrt(210)", CKDA_OK);
    holds(K, "sqrt(2)-3*sqrt(35)/7", CKDA_OK);
    holds(K, "sqrt(11)", CKDA_E_DOMAIN);
    holds(K, "sqrt(2+sqrt(2))", CKDA_E_DOMAIN);
    ckda_field_clear(K);
}

static void
fields_that_no_prime_tells_apart(void **state)
{
    (void)state;
    /* x^8 - 3 and x^8 - 48 split alike modulo all primes but a few.  The real root of the
     * second one is sqrt(2) times that of the first, and the field of that has one
     * quadratic subfield, Q(sqrt 3). */
    ckda_field_t K;
    field_of(K, "root(x^8-3,1)");
    holds(K, "root(x^8-48,1)", CKDA_E_DOMAIN);
    holds(K, "root(x^8-3,1)^5/7", CKDA_OK);
    holds(K, "root(x^4-3,-1)", CKDA_OK);
    ckda_field_clear(K);
}

static void
conjugates_in_one_field_are_told_apart(void **state)
{
    (void)state;
    ckda_field_t K;
    field_of(K, "root(x^4-4*x^2+2,1.8)");
    holds(K, "root(x^4-4*x^2+2,0.7)", CKDA_OK);
    holds(K, "root(x^4-4*x^2+2,-0.7)", CKDA_OK);
    holds(K, "root(x^4-4*x^2+2,-1.8)", CKDA_OK);
    holds(K, "root(9*x^4-36*x^2+18,-1.8)/11-4/9", CKDA_OK);
    ckda_field_clear(K);
}

/* ---- against plain qqbar arithmetic ------------------------------------------------ */

static const char *const atoms[] = {
    "sqrt(2)",         "sqrt(3)-7/3",      "-3*sqrt(2)/5",
    "cos(2*pi/7)",     "cos(4*pi/7)+1/9",  "root(x^3-2,1)",
    "root(x^3-x-1,1)", "root(x^4-2,-1)",   "sqrt(sqrt(5)+2)",
    "sqrt(-3)",        "sqrt(2)*sqrt(-1)", "sqrt(-sqrt(2))",
    "-22/7",           "sin(pi/5)",        "root(x^3-x-1,1)/123456789123456789",
};
enum { ATOMS = sizeof atoms / sizeof atoms[0] };

/* z = x op y the plain way. */
static void
plain(qqbar_t z, const qqbar_t x, char op, const qqbar_t y)
{
    if (op == '+')
        qqbar_add(z, x, y);
    else if (op == '-')
        qqbar_sub(z, x, y);
    else if (op == '*')
        qqbar_mul(z, x, y);
    else
        qqbar_div(z, x, y);
}

static void
all_operations_agree_with_qqbar(void **state)
{
    (void)state;
    qqbar_t x, y, z, w;
    char text[200];
    qqbar_init(x);
    qqbar_init(y);
    qqbar_init(z);
    qqbar_init(w);
    for (int i = 0; i < ATOMS; i++) {
        for (int j = 0; j < ATOMS; j++) {
            const char op = "+-*/"[(i + 2 * j) % 4];
            number(x, atoms[i]);
            number(y, atoms[j]);
            plain(w, x, op, y);
            snprintf(text, sizeof text, "(%s)%c(%s)", atoms[i], op, atoms[j]);
            number(z, text);
            assert_true(qqbar_equal(z, w));
        }
    }
    qqbar_clear(w);
    qqbar_clear(z);
    qqbar_clear(y);
    qqbar_clear(x);
}

static void
powers_and_roots_agree_with_qqbar(void **state)
{
    (void)state;
    qqbar_t x, z, w;
    char text[200];
    qqbar_init(x);
    qqbar_init(z);
    qqbar_init(w);
    for (int i = 0; i < ATOMS; i++) {
        number(x, atoms[i]);
        snprintf(text, sizeof text, "(%s)^%d", atoms[i], i % 5 + 1);
        number(z, text);
        qqbar_pow_ui(w, x, (ulong)(i % 5 + 1));
        assert_true(qqbar_equal(z, w));
        snprintf(text, sizeof text, "sqrt(%s)", atoms[i]);
        number(z, text);
        qqbar_sqrt(w, x);
        assert_true(qqbar_equal(z, w));
    }
    qqbar_clear(w);
    qqbar_clear(z);
    qqbar_clear(x);
}

static void
elements_leave_their_field_as_qqbar_evaluates_them(void **state)
{
    (void)state;
    ckda_rand r;
    ckda_rand_init(&r, 7);
    for (int i = 1; i < FIELDS - 1; i++) {
        ckda_field_t K;
        ckda_elem_t x, a;
        fmpq_poly_t f;
        qqbar_t g, y, z;
        nth_field(K, i);
        ckda_elem_init(x, K);
        ckda_elem_init(a, K);
        fmpq_poly_init(f);
        qqbar_init(g);
        qqbar_init(y);
        qqbar_init(z);
        ckda_elem_gen(a, K);
        ckda_elem_get_qqbar(g, a, K);
        for (int k = 0; k < 5; k++) {
            ckda_elem_rand(x, &r, 9, 5, K);
            ckda_elem_get_fmpq_poly(f, x, K);
            qqbar_evaluate_fmpq_poly(z, f, g);
            ckda_elem_get_qqbar(y, x, K);
            assert_true(qqbar_equal(y, z));
            assert_int_equal(ckda_elem_set_qqbar(a, y, K), CKDA_OK);
            assert_true(ckda_elem_equal(a, x, K));
        }
        qqbar_clear(z);
        qqbar_clear(y);
        qqbar_clear(g);
        fmpq_poly_clear(f);
        ckda_elem_clear(a, K);
        ckda_elem_clear(x, K);
        ckda_field_clear(K);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conjugates_that_crowd_do_not_keep_a_root_from_its_field),
        cmocka_unit_test(terms_of_a_generator_of_degree_48_are_found),
        cmocka_unit_test(a_long_integer_beside_square_roots),
        cmocka_unit_test(sums_that_were_slow_answer),
        cmocka_unit_test(a_generator_of_degree_128_is_seen_in_its_polynomial),
        cmocka_unit_test(the_decimal_of_a_generator_is_nearest_to_it),
        cmocka_unit_test(real_roots_that_crowd_are_told_apart),
        cmocka_unit_test(square_roots_in_a_field_of_four),
        cmocka_unit_test(fields_that_no_prime_tells_apart),
        cmocka_unit_test(conjugates_in_one_field_are_told_apart),
        cmocka_unit_test(all_operations_agree_with_qqbar),
        cmocka_unit_test(powers_and_roots_agree_with_qqbar),
        cmocka_unit_test(elements_leave_their_field_as_qqbar_evaluates_them),
    };
    const int failed = cmocka_run_group_tests_name("exact numbers", tests, NULL, NULL);
    flint_cleanup();
    mpfr_free_cache();
    return failed;
}
