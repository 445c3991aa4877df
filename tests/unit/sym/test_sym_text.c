/* Texts: what is refused and with which message, names, and {n}. */
#include "symtest.h"

static void
syntax_errors_say_where_and_what(void **state)
{
    (void)state;
    ckda_sym *s = theory("x y");
    refused(s, "x + == 1", "character 5 of \"x + == 1\": expected a number, a name");
    refused(s, "x == ", "found the end");
    refused(s, "x", "expected an operator or one of ==");
    refused(s, "x = 1", "found '='");
    refused(s, "x == 1 )", "character 8");
    refused(s, "(x == 1", "expected ')'");
    refused(s, "[1, 2; 3 == 0", "expected ',', ';' or ']'");
    refused(s, "x == 1 == 1", "expected an operator or the end");
    refused(s, "2 x == 0", "found 'x'");
    refused(s, "x $ y == 0", "found '$'");
    refused(s, "x \xc3\xa9 == 0", "found '\xc3\xa9'");
    refused(s, "", "found the end");
    ckda_sym_close(&s);
}

static void
decimals_are_refused_with_advice(void **state)
{
    (void)state;
    ckda_sym *s = theory("x");
    refused(s, "x == 0.5", "write 1/2 and not 0.5");
    ckda_sym_close(&s);
}

static void
shape_errors_name_both_shapes(void **state)
{
    (void)state;
    ckda_sym *s = theory("x");
    refused(s, "eye(2) + eye(3) == 0",
            "character 8 of \"eye(2) + eye(3) == 0\": shapes "
            "do not fit: 2x2 + 3x3");
    refused(s, "eye(2) * unit(3,1) == 0", "2x2 * 3x1");
    refused(s, "eye(2) == eye(3)", "2x2 - 3x3");
    refused(s, "[1,2;3] == 0", "row 2 has width 1, the rows above have width 2");
    refused(s, "[eye(2), 1] == 0", "height 2 and 1");
    refused(s, "det(ones(2,3)) == 0", "2x3");
    refused(s, "x / eye(2) == 0", "must be a scalar, not 2x2");
    refused(s, "dot(unit(2,1), unit(3,1)) == 0", "column of length 2, found 3x1");
    refused(s, "eye(2) >= 0", "shapes do not fit");
    refused(s, "psd ones(2,3)", "square matrix, not 2x3");
    ckda_sym_close(&s);
}

static void
names_and_arguments_are_checked(void **state)
{
    (void)state;
    ckda_sym *s = theory("x");
    ckda_error err;
    assert_int_equal(ckda_sym_parameter(s, "t", &err), CKDA_OK);
    refused(s, "foo == 1", "unknown name 'foo'");
    refused(s, "t == 1", "may only occur in sample");
    refused(s, "det == 1", "expected '('");
    refused(s, "det(1, 2) == 1", "det takes 1 argument, found 2");
    refused(s, "eye(x) == 1", "integer constant");
    refused(s, "eye(65) == 1", "between 1 and 64");
    refused(s, "entry(eye(2), 3, 1) == 1", "the row must be between 1 and 2");
    refused(s, "x^x == 1", "integer constant as the exponent");
    refused(s, "x^1000 == 1", "between -256 and 256");
    refused(s, "x^2^3 == 1", "parentheses");
    refused(s, "1 + psd eye(2) == 1", "expected '('");
    refused(s, "charpoly(eye(2), 2*x) == 1", "expected a variable");
    ckda_sym_close(&s);
}

static void
depth_is_limited(void **state)
{
    (void)state;
    ckda_sym *s = theory("x");
    char text[20000];
    memset(text, '(', 5000);
    strcpy(text + 5000, "x == 0");
    refused(s, text, "nested deeper than 100");
    text[0] = 'x';
    for (int i = 0; i < 4000; i++) /* a flat sum is deep as a graph */
        memcpy(text + 1 + 2 * i, "+x", 2);
    strcpy(text + 8001, " == 0");
    refused(s, text, "nested deeper than");
    memset(text, '-', 5001); /* signs do not nest */
    strcpy(text + 5001, "x == -x");
    holds(s, text);
    refused(s, "sum(i,1,1000,sum(j,1,1000,x)) == 0", "more than 400000 operations");
    ckda_sym_close(&s);
}

static void
definitions_shadow_nothing(void **state)
{
    (void)state;
    ckda_sym *s = theory("x");
    ckda_error err;
    let(s, "f", "x^2");
    assert_int_equal(ckda_sym_define(s, "f", "x", &err), CKDA_E_INPUT);
    assert_non_null(strstr(err.text, "'f' is already defined"));
    assert_int_equal(ckda_sym_define(s, "x", "1", &err), CKDA_E_INPUT);
    assert_int_equal(ckda_sym_define(s, "det", "1", &err), CKDA_E_INPUT);
    assert_int_equal(ckda_sym_define(s, "2f", "1", &err), CKDA_E_INPUT);
    assert_int_equal(ckda_sym_parameter(s, "f", &err), CKDA_E_INPUT);
    assert_int_equal(ckda_sym_define(s, "g", "x +", &err), CKDA_E_INPUT);
    assert_non_null(strstr(err.text, "let g"));
    refused(s, "g == 0", "unknown name"); /* the failed definition left nothing */
    holds(s, "f == x*x");
    ckda_sym_close(&s);
}

static void
families_of_variables_are_declared(void **state)
{
    (void)state;
    ckda_sym *s = theory("a[3] q[2,2] w[10,2]");
    holds(s, "a1 + a2 + a3 == a3 + a2 + a1");
    holds(s, "q11*q22 - q12*q21 == det(genmat(q,2,2))");
    holds(s, "w10_2 - w1_1 == -w1_1 + w10_2");
    ckda_sym_close(&s);
    const char *bad[] = {"a[0]", "a[", "a[3", "a[3]x", "a[1,]", "[3]", "a[99]", "a[8,9]"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ckda_sym *untouched = NULL;
        ckda_error err;
        assert_int_equal(ckda_sym_open(&untouched, &bad[i], 1, &err), CKDA_E_INPUT);
        assert_null(untouched);
    }
    const char *twice[] = {"a[2]", "a1"};
    ckda_error err;
    assert_int_equal(ckda_sym_open(&s, twice, 2, &err), CKDA_E_INPUT);
    assert_non_null(strstr(err.text, "'a1' is already defined"));
}

static void
relations_assumptions_and_samples_are_checked(void **state)
{
    (void)state;
    ckda_sym *s = theory("x y");
    ckda_error err;
    assert_int_equal(ckda_sym_relation(s, "x > 0", &err), CKDA_E_INPUT);
    assert_non_null(strstr(err.text, "expected =="));
    assert_int_equal(ckda_sym_assume(s, "x == 0", &err), CKDA_E_INPUT);
    assert_int_equal(ckda_sym_sample(s, "z", "1", &err), CKDA_E_INPUT);
    assert_int_equal(ckda_sym_sample(s, "x", "eye(2)", &err), CKDA_E_INPUT);
    assert_non_null(strstr(err.text, "expected a scalar, found 2x2"));
    sample(s, "x", "y + 1");
    assert_int_equal(ckda_sym_sample(s, "x", "1", &err), CKDA_E_INPUT);
    fails(s, "x == y");
    sample(s, "y", "x + 1");
    refused(s, "x == y", "circle");
    ckda_sym_close(&s);
}

static void
braces_expand(void **state)
{
    (void)state;
    const char *names[] = {"n", "nn"};
    const long values[] = {3, 10};
    const char *cases[][2] = {
        {"x^{n}", "x^3"},
        {"x^{2*n}", "x^6"},
        {"{n-1}{n + 1}", "24"},
        {"{nn}", "10"},
        {"{-(n-5)*2}", "4"},
        {"{n*(n-1)/2}", "3"},
        {"eye({n})", "eye(3)"},
        {"no braces", "no braces"},
        {"", ""},
        {"{ n }-{0}", "3-0"},
        {"{--n}", "3"},
        {"{(n+1)/2}{n/2}", "21"},
        {"{(0-n)/2}", "-2"},
        {"{nn-n*(nn/n)}", "1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ckda_error err;
        char *r = ckda_sym_expand(cases[i][0], names, values, 2, &err);
        assert_non_null(r);
        assert_string_equal(r, cases[i][1]);
        free(r);
    }
}

static void
wrong_braces_are_refused(void **state)
{
    (void)state;
    const char *names[] = {"n"};
    const long values[] = {3};
    const char *cases[][2] = {
        {"x{m}", "unknown name"},
        {"{n", "expected '}'"},
        {"n}", "without"},
        {"{n/(3-n)}", "division by zero"},
        {"{n/0}", "division by zero"},
        {"{}", "expected an integer"},
        {"{(n}", "expected ')'"},
        {"{n n}", "expected '}'"},
        {"{99999999999}", "too large"},
        {"{1000000*1000000}", "too large"},
        {"{n+}", "expected an integer"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ckda_error err;
        assert_null(ckda_sym_expand(cases[i][0], names, values, 1, &err));
        if (strstr(err.text, cases[i][1]) == NULL)
            fail_msg("%s: %s", cases[i][0], err.text);
    }
    char deep[3000] = "{";
    memset(deep + 1, '(', 2000);
    assert_null(ckda_sym_expand(deep, names, values, 1, NULL));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(syntax_errors_say_where_and_what),
        cmocka_unit_test(decimals_are_refused_with_advice),
        cmocka_unit_test(shape_errors_name_both_shapes),
        cmocka_unit_test(names_and_arguments_are_checked),
        cmocka_unit_test(depth_is_limited),
        cmocka_unit_test(definitions_shadow_nothing),
        cmocka_unit_test(families_of_variables_are_declared),
        cmocka_unit_test(relations_assumptions_and_samples_are_checked),
        cmocka_unit_test(braces_expand),
        cmocka_unit_test(wrong_braces_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, clean_up);
}
