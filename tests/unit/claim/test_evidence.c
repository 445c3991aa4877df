/* The evidence record. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>
#include "ckda/evidence.h"

static void
starts_empty_and_strongest(void **state)
{
    (void)state;
    ckda_evidence ev;
    ckda_evidence_init(&ev, 5, CKDA_DEEP);
    assert_int_equal(ev.seed, 5);
    assert_int_equal(ev.effort, CKDA_DEEP);
    assert_int_equal(ev.checks, 0);
    assert_int_equal(ev.strength, CKDA_EXHAUSTIVE);
    assert_null(ev.scope);
    assert_int_equal(ev.nfacts, 0);
    ckda_evidence_clear(&ev);
}

static void
keeps_the_weakest_strength(void **state)
{
    (void)state;
    ckda_evidence ev;
    ckda_evidence_init(&ev, 1, CKDA_QUICK);
    ckda_evidence_weaken(&ev, CKDA_CERTIFICATE);
    ckda_evidence_weaken(&ev, CKDA_SYMBOLIC);
    assert_int_equal(ev.strength, CKDA_CERTIFICATE);
    ckda_evidence_weaken(&ev, CKDA_INSTANCES);
    assert_int_equal(ev.strength, CKDA_INSTANCES);
    ckda_evidence_clear(&ev);
}

static void
names_of_strengths(void **state)
{
    (void)state;
    assert_string_equal(ckda_strength_name(CKDA_EXHAUSTIVE), "exhaustive");
    assert_string_equal(ckda_strength_name(CKDA_SYMBOLIC), "symbolic");
    assert_string_equal(ckda_strength_name(CKDA_CERTIFICATE), "certificate");
    assert_string_equal(ckda_strength_name(CKDA_INSTANCES), "instances");
    assert_string_equal(ckda_strength_name(CKDA_MEASURED), "measured");
    assert_string_equal(ckda_strength_name(CKDA_REPORTED), "reported");
}

static void
joins_the_scope(void **state)
{
    (void)state;
    ckda_evidence ev;
    ckda_evidence_init(&ev, 1, CKDA_QUICK);
    ckda_evidence_scope(&ev, "%d states", 7200);
    assert_string_equal(ev.scope, "7200 states");
    ckda_evidence_scope(&ev, "n = %d", 3);
    assert_string_equal(ev.scope, "7200 states; n = 3");
    ckda_evidence_clear(&ev);
}

static void
expect_counts_and_records_only_failures(void **state)
{
    (void)state;
    ckda_evidence ev;
    ckda_evidence_init(&ev, 1, CKDA_QUICK);
    assert_int_equal(ckda_evidence_expect(&ev, true, "fine"), CKDA_TRUE);
    assert_int_equal(ev.nfacts, 0);
    assert_int_equal(ckda_evidence_expect(&ev, false, "x = %d", 3), CKDA_FALSE);
    assert_int_equal(ckda_evidence_expect_long(&ev, "count", 4, 4), CKDA_TRUE);
    assert_int_equal(ckda_evidence_expect_long(&ev, "count", 4, 5), CKDA_FALSE);
    assert_int_equal(ev.checks, 4);
    assert_int_equal(ev.nfacts, 4);
    assert_string_equal(ev.facts[0].key, "failed");
    assert_string_equal(ev.facts[0].value, "x = 3");
    assert_string_equal(ev.facts[2].key, "got");
    assert_string_equal(ev.facts[2].value, "4");
    assert_string_equal(ev.facts[3].value, "5");
    ckda_evidence_clear(&ev);
}

static void
the_first_problem_stays(void **state)
{
    (void)state;
    ckda_evidence ev;
    ckda_evidence_init(&ev, 1, CKDA_QUICK);
    assert_int_equal(ckda_evidence_unable(&ev, "limit %d", 1), CKDA_UNKNOWN);
    assert_int_equal(ckda_evidence_unable(&ev, "limit %d", 2), CKDA_UNKNOWN);
    assert_string_equal(ev.problem.text, "limit 1");
    ckda_evidence_clear(&ev);
}

static void
a_difference_of_matrices_is_located(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_mat_t A, B;
    ckda_evidence ev;
    ckda_field_init_sqrt(K, 5);
    ckda_mat_init(A, 2, 2, K);
    ckda_mat_init(B, 2, 2, K);
    ckda_elem_gen(ckda_mat_entry(B, 1, 0), K);
    ckda_evidence_init(&ev, 1, CKDA_QUICK);
    assert_int_equal(ckda_evidence_expect_mat(&ev, "A = A", A, A, K), CKDA_TRUE);
    assert_int_equal(ckda_evidence_expect_mat(&ev, "A = B", A, B, K), CKDA_FALSE);
    assert_int_equal(ev.checks, 2);
    assert_string_equal(ev.facts[0].value, "A = B");
    assert_string_equal(ev.facts[1].key, "at");
    assert_string_equal(ev.facts[1].value, "[1, 0]");
    assert_string_equal(ev.facts[2].value, "0");
    assert_string_equal(ev.facts[3].key, "want");
    assert_string_equal(ev.facts[3].value, "a");
    assert_string_equal(ev.facts[4].key, "field");
    assert_non_null(strstr(ev.facts[4].value, "a^2-5"));
    assert_int_equal(ev.nfacts, 5);
    ckda_evidence_clear(&ev);
    ckda_mat_clear(A, K);
    ckda_mat_clear(B, K);
    ckda_field_clear(K);
}

static void
a_difference_of_shapes_is_a_difference(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_mat_t A, B;
    ckda_evidence ev;
    ckda_field_init_rational(K);
    ckda_mat_init(A, 2, 2, K);
    ckda_mat_init(B, 2, 3, K);
    ckda_evidence_init(&ev, 1, CKDA_QUICK);
    assert_int_equal(ckda_evidence_expect_mat(&ev, "A = B", A, B, K), CKDA_FALSE);
    assert_string_equal(ev.facts[1].value, "2 x 2");
    assert_string_equal(ev.facts[2].value, "2 x 3");
    ckda_evidence_clear(&ev);
    ckda_mat_clear(A, K);
    ckda_mat_clear(B, K);
    ckda_field_clear(K);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_empty_and_strongest),
        cmocka_unit_test(keeps_the_weakest_strength),
        cmocka_unit_test(names_of_strengths),
        cmocka_unit_test(joins_the_scope),
        cmocka_unit_test(expect_counts_and_records_only_failures),
        cmocka_unit_test(the_first_problem_stays),
        cmocka_unit_test(a_difference_of_matrices_is_located),
        cmocka_unit_test(a_difference_of_shapes_is_a_difference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
