/* The built-in check `identity`: copies, layers, families, and what it refuses. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>
#include "checks.h"
#include "template.h"

static ckda_evidence ev;

static ckda_truth
check(const char *text)
{
    ckda_doc *doc = NULL;
    ckda_error err;
    ckda_evidence_clear(&ev);
    ckda_evidence_init(&ev, 1, CKDA_QUICK);
    if (ckda_doc_parse(&doc, text, "theory", &err) != CKDA_OK)
        fail_msg("%s", err.text);
    ckda_node root = ckda_doc_root(doc);
    ckda_truth truth = ckda_check_identity(&ev, &root);
    ckda_doc_close(&doc);
    return truth;
}

static void
holds(const char *text, uint64_t statements)
{
    ckda_truth truth = check(text);
    if (truth != CKDA_TRUE)
        fail_msg("does not hold: %s", ev.problem.text);
    assert_int_equal(ev.checks, statements);
    assert_int_equal(ev.strength, CKDA_SYMBOLIC);
    assert_int_equal(ev.nfacts, 0);
}

static void
unreadable(const char *text, const char *path)
{
    assert_int_equal(check(text), CKDA_UNKNOWN);
    if (strstr(ev.problem.text, path) == NULL)
        fail_msg("no \"%s\" in: %s", path, ev.problem.text);
}

static const char *
fact(const char *key)
{
    for (size_t i = 0; i < ev.nfacts; i++)
        if (strcmp(ev.facts[i].key, key) == 0)
            return ev.facts[i].value;
    fail_msg("no fact \"%s\"", key);
    return NULL;
}

static void
an_identity_holds(void **state)
{
    (void)state;
    holds(
        "{\"variables\": [\"a\", \"b\"], \"holds\": [\"(a+b)^2 == a^2 + 2*a*b + b^2\"]}",
        1);
    assert_non_null(strstr(ev.scope, "1 scalar statement"));
}

static void
a_false_one_is_refuted_by_a_point(void **state)
{
    (void)state;
    assert_int_equal(
        check("{\"variables\": [\"a\", \"b\"], \"holds\": [\"(a+b)^2 == a^2 + b^2\"]}"),
        CKDA_FALSE);
    assert_string_equal(fact("statement"), "(a+b)^2 == a^2 + b^2");
    assert_non_null(strchr(fact("point"), '='));
    assert_string_not_equal(fact("left"), fact("right"));
}

static void
relations_samples_and_definitions_are_used(void **state)
{
    (void)state;
    const char *text =
        "{\"variables\": [\"a\", \"c\", \"s\"], \"relations\": [\"c^2 + s^2 == 1\"],"
        "\"parameters\": [\"t\"], \"sample\": {\"c\": \"(1-t^2)/(1+t^2)\", \"s\": "
        "\"2*t/(1+t^2)\"}, \"assume\": [\"a > 0\"],"
        "\"let\": [[\"k\", \"[c; s]\"], [\"A\", \"(eye(2) - 2*k*k') * diag(a, 1)\"]],"
        "\"holds\": [\"tr(A) == (1-a)*(c^2-s^2)\", \"det(A) == %s\"]}";
    char buf[1024];
    snprintf(buf, sizeof buf, text, "-a");
    holds(buf, 2);
    snprintf(buf, sizeof buf, text, "a");
    assert_int_equal(check(buf), CKDA_FALSE);
}

static void
for_makes_copies_and_families_variables(void **state)
{
    (void)state;
    holds("{\"for\": {\"n\": [1, 2, 3]}, \"variables\": [\"k[{n}]\"], \"let\": [[\"k\", "
          "\"gencol(k,{n})\"]], \"holds\": [\"k'*k == tr(k*k')\", \"eye({n}) == "
          "eye({2*n-n})\"]}",
          3 + 1 + 4 + 9);
    assert_non_null(strstr(ev.scope, "3 theories"));
    assert_non_null(strstr(ev.scope, "n = 1..3"));
}

static void
a_refutation_names_the_copy(void **state)
{
    (void)state;
    assert_int_equal(
        check("{\"for\": {\"n\": [1, 2], \"m\": [5]}, \"variables\": [\"x\"], "
              "\"holds\": [\"x*{n} == x\"]}"),
        CKDA_FALSE);
    assert_string_equal(fact("n"), "2");
    assert_string_equal(fact("m"), "5");
    assert_string_equal(fact("statement"), "x*2 == x");
}

static void
theories_share_what_stands_beside_them(void **state)
{
    (void)state;
    holds("{\"variables\": [\"x\"], \"let\": [[\"y\", \"x+1\"]], \"theories\": ["
          "{\"holds\": [\"y - 1 == x\"]}, {\"variables\": [\"z\"], \"let\": [[\"w\", "
          "\"y+z\"]], "
          "\"holds\": [\"w - z == x + 1\"]}]}",
          2);
}

static void
relations_may_use_definitions(void **state)
{
    (void)state;
    holds(
        "{\"variables\": [\"k[3]\"], \"let\": [[\"k\", \"gencol(k,3)\"]], \"relations\": "
        "[\"dot(k,k) == 1\"], \"holds\": [\"k1^2 == 1 - k2^2 - k3^2\"]}",
        1);
}

static void
texts_can_be_looped_over(void **state)
{
    (void)state;
    holds("{\"for\": {\"s\": [\"1\", \"-1\"]}, \"variables\": [\"x\"], \"holds\": "
          "[\"({s}*x)^2 == "
          "x^2\"]}",
          2);
}

/* From a contradiction everything follows; a check that says so would say nothing. */
static void
a_statement_about_no_point_is_not_decided(void **state)
{
    (void)state;
    static const char *const empty[] = {
        "{\"variables\": [\"x\"], \"assume\": [\"x > 0\", \"x < 0\"], \"holds\": [\"x "
        ">= 0\"]}",
        "{\"variables\": [\"x\", \"y\"], \"relations\": [\"x*y == 0\"], \"holds\": "
        "[\"1/x == 1/y\"]}",
        "{\"variables\": [\"x\"], \"relations\": [\"x^2 == 0\"], \"holds\": [\"x/x == "
        "2\"]}",
        "{\"variables\": [\"x\"], \"relations\": [\"x^2 == -1\"], \"holds\": [\"x == "
        "x\"]}"};
    for (size_t i = 0; i < sizeof empty / sizeof empty[0]; i++)
        unreadable(empty[i], "no admissible point was found");
}

static void
no_theory_is_no_proof(void **state)
{
    (void)state;
    unreadable("{\"variables\": [\"x\"], \"theories\": []}", "theories");
    unreadable("{\"theories\": [], \"holds\": [\"1 == 2\"]}", "theories");
}

static void
bad_members_are_named(void **state)
{
    (void)state;
    unreadable("{\"variables\": [\"x\"], \"hold\": [\"x == x\"]}", "hold");
    unreadable("{\"variables\": [\"x\"], \"theories\": [{\"theories\": []}]}",
               "theories[0]");
    unreadable("{\"variables\": [\"x\"]}", "holds");
    unreadable("{\"variables\": [\"x\"], \"theories\": [{\"holds\": [\"x == x\"]}, {}]}",
               "theories[1]");
    unreadable("{\"variables\": [\"x\"], \"holds\": [\"x == (x\"]}", "holds[0]");
    unreadable("{\"variables\": [\"x\"], \"holds\": [\"x == y\"]}", "holds[0]");
    unreadable("{\"variables\": [\"x\"], \"holds\": [\"x == {n}\"]}", "holds[0]");
    unreadable("{\"variables\": [\"x[0]\"], \"holds\": [\"1 == 1\"]}", "x[0]");
    unreadable("{\"variables\": [\"x\"], \"let\": [[\"y\"]], \"holds\": [\"x == x\"]}",
               "let[0]");
    unreadable("{\"for\": {\"n\": []}, \"holds\": [\"1 == 1\"]}", "for");
    unreadable("{\"for\": [1], \"holds\": [\"1 == 1\"]}", "for");
}

/* ---- templates ---- */

static void
filled(const char *text, const char *want)
{
    template_names names = {.n = 2, .name = {{"n", NULL, 5}, {"s", "a+b", 0}}};
    ckda_node at = {.file = "t"};
    char *out = NULL;
    ckda_status status = template_fill(&out, text, &names, &at, NULL);
    if (want == NULL) {
        assert_int_equal(status, CKDA_E_INPUT);
        assert_null(out);
        return;
    }
    assert_int_equal(status, CKDA_OK);
    assert_string_equal(out, want);
    flint_free(out);
}

static void
arithmetic_in_braces(void **state)
{
    (void)state;
    filled("x", "x");
    filled("", "");
    filled("x{n}y{n}", "x5y5");
    filled("{n-1}", "4");
    filled("{ 2 * (n + 1) - 3 }", "9");
    filled("{n/2}", "2");
    filled("{-n/2}", "-3");
    filled("{s}*x", "a+b*x");
}

static void
arithmetic_that_makes_no_sense(void **state)
{
    (void)state;
    static const char *const wrong[] = {"{}",      "{m}",   "{n",           "n}",
                                        "{n+}",    "{n/0}", "{{n}}",        "{n n}",
                                        "{s + 1}", "{n^2}", "{99999999999}"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        filled(wrong[i], NULL);
}

static int
teardown(void **state)
{
    (void)state;
    ckda_evidence_clear(&ev);
    return 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_identity_holds),
        cmocka_unit_test(a_false_one_is_refuted_by_a_point),
        cmocka_unit_test(relations_samples_and_definitions_are_used),
        cmocka_unit_test(for_makes_copies_and_families_variables),
        cmocka_unit_test(a_refutation_names_the_copy),
        cmocka_unit_test(theories_share_what_stands_beside_them),
        cmocka_unit_test(relations_may_use_definitions),
        cmocka_unit_test(texts_can_be_looped_over),
        cmocka_unit_test(a_statement_about_no_point_is_not_decided),
        cmocka_unit_test(no_theory_is_no_proof),
        cmocka_unit_test(bad_members_are_named),
        cmocka_unit_test(arithmetic_in_braces),
        cmocka_unit_test(arithmetic_that_makes_no_sense),
    };
    return cmocka_run_group_tests(tests, NULL, teardown);
}
