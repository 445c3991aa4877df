/* The runner's rules: what a check says is not taken on trust. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "ckda/claim.h"

/* Obeys its input: {"count": n, "weaken": strength, "fact": bool, "answer": 0|1|2, ...}.
 */
static ckda_truth
obey(ckda_evidence *ev, const ckda_node *input)
{
    long count, weaken, answer;
    bool fact = ckda_node_has(input, "fact");
    if (ckda_node_get_long(&count, input, "count", 0, 100, NULL) != CKDA_OK
        || ckda_node_get_long(&weaken, input, "weaken", 0, 5, NULL) != CKDA_OK
        || ckda_node_get_long(&answer, input, "answer", 0, 2, NULL) != CKDA_OK)
        return ckda_evidence_unable(ev, "bad input");
    ckda_evidence_count(ev, (uint64_t)count);
    ckda_evidence_weaken(ev, (ckda_strength)weaken);
    if (fact)
        ckda_evidence_fact(ev, "x", "%d", 1);
    return (ckda_truth)answer;
}

static const char *none[] = {NULL};

static ckda_claim
claim_with(json_t *input)
{
    return (ckda_claim){.id = "t",
                        .status = CKDA_CHECKED,
                        .strength = CKDA_CERTIFICATE,
                        .check = obey,
                        .input = input,
                        .aliases = none,
                        .human_steps = none,
                        .errata = none};
}

static json_t *
orders(int count, ckda_strength weaken, bool fact, ckda_truth answer)
{
    json_t *in = json_pack("{s:i, s:i, s:i}", "count", count, "weaken", (int)weaken,
                           "answer", (int)answer);
    if (fact)
        json_object_set_new(in, "fact", json_true());
    return in;
}

static void
check_run(int count, ckda_strength weaken, bool fact, ckda_truth answer, ckda_truth want,
          const char *problem)
{
    json_t *in = orders(count, weaken, fact, answer);
    ckda_claim c = claim_with(in);
    ckda_evidence ev;
    ckda_evidence_init(&ev, 1, CKDA_QUICK);
    assert_int_equal(ckda_claim_run(&ev, &c, NULL), want);
    if (problem != NULL)
        assert_non_null(strstr(ev.problem.text, problem));
    else
        assert_string_equal(ev.problem.text, "");
    ckda_evidence_clear(&ev);
    json_decref(in);
}

static void
a_counted_true_at_the_floor_holds(void **state)
{
    (void)state;
    check_run(3, CKDA_CERTIFICATE, false, CKDA_TRUE, CKDA_TRUE, NULL);
}

static void
true_below_the_floor_is_unknown(void **state)
{
    (void)state;
    check_run(3, CKDA_INSTANCES, false, CKDA_TRUE, CKDA_UNKNOWN, "instances");
}

static void
true_without_a_decision_is_unknown(void **state)
{
    (void)state;
    check_run(0, CKDA_CERTIFICATE, false, CKDA_TRUE, CKDA_UNKNOWN, "no decision");
}

static void
false_with_a_fact_is_refuted_at_any_strength(void **state)
{
    (void)state;
    check_run(1, CKDA_INSTANCES, true, CKDA_FALSE, CKDA_FALSE, NULL);
}

static void
unknown_always_has_a_reason(void **state)
{
    (void)state;
    check_run(1, CKDA_EXHAUSTIVE, false, CKDA_UNKNOWN, CKDA_UNKNOWN, "did not say why");
}

static void
strength_is_never_shown_above_the_declared_one(void **state)
{
    (void)state;
    json_t *in = orders(1, CKDA_EXHAUSTIVE, false, CKDA_TRUE);
    ckda_claim c = claim_with(in);
    ckda_evidence ev;
    ckda_evidence_init(&ev, 1, CKDA_QUICK);
    assert_int_equal(ckda_claim_run(&ev, &c, NULL), CKDA_TRUE);
    assert_int_equal(ev.strength, CKDA_CERTIFICATE);
    ckda_evidence_clear(&ev);
    json_decref(in);
}

static void
a_given_input_takes_the_place_of_the_own_one(void **state)
{
    (void)state;
    json_t *own = orders(1, CKDA_EXHAUSTIVE, false, CKDA_TRUE);
    json_t *other = orders(1, CKDA_EXHAUSTIVE, true, CKDA_FALSE);
    ckda_claim c = claim_with(own);
    ckda_evidence ev;
    ckda_evidence_init(&ev, 1, CKDA_QUICK);
    assert_int_equal(ckda_claim_run(&ev, &c, other), CKDA_FALSE);
    ckda_evidence_clear(&ev);
    json_decref(own);
    json_decref(other);
}

/* Runs the check in a child, whose messages are dropped: does it abort? */
static bool
aborts(bool fact, ckda_truth answer)
{
    json_t *in = orders(1, CKDA_EXHAUSTIVE, fact, answer);
    ckda_claim c = claim_with(in);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int null = open("/dev/null", O_WRONLY);
        dup2(null, 2);
        signal(SIGABRT, SIG_DFL);
        ckda_evidence ev;
        ckda_evidence_init(&ev, 1, CKDA_QUICK);
        (void)ckda_claim_run(&ev, &c, NULL);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    json_decref(in);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void
false_without_a_fact_is_an_internal_error(void **state)
{
    (void)state;
    assert_true(aborts(false, CKDA_FALSE));
}

static void
true_with_a_counterexample_is_an_internal_error(void **state)
{
    (void)state;
    assert_true(aborts(true, CKDA_TRUE));
}

static void
outcome_of_a_mutant(void **state)
{
    (void)state;
    json_t *in = orders(1, CKDA_EXHAUSTIVE, false, CKDA_TRUE);
    json_t *to = json_integer(CKDA_UNKNOWN);
    ckda_claim c = claim_with(in);
    ckda_mutant m = {"t/m", "note", "/answer", to};
    ckda_outcome o;
    ckda_outcome_run(&o, &c, NULL, 7, CKDA_FULL);
    assert_int_equal(o.truth, CKDA_TRUE);
    assert_int_equal(o.evidence.seed, 7);
    assert_int_equal(o.evidence.effort, CKDA_FULL);
    assert_true(o.seconds >= 0);
    ckda_outcome_clear(&o);
    ckda_outcome_run(&o, &c, &m, 7, CKDA_FULL);
    assert_int_equal(o.truth, CKDA_UNKNOWN);
    assert_ptr_equal(o.mutant, &m);
    ckda_outcome_clear(&o);
    json_decref(in);
    json_decref(to);
}

static void
an_open_claim_is_not_run(void **state)
{
    (void)state;
    ckda_claim c = {.id = "o", .status = CKDA_OPEN, .reason = "later"};
    ckda_outcome o;
    ckda_outcome_run(&o, &c, NULL, 1, CKDA_QUICK);
    assert_int_equal(o.truth, CKDA_UNKNOWN);
    assert_int_equal(o.evidence.checks, 0);
    ckda_outcome_clear(&o);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_counted_true_at_the_floor_holds),
        cmocka_unit_test(true_below_the_floor_is_unknown),
        cmocka_unit_test(true_without_a_decision_is_unknown),
        cmocka_unit_test(false_with_a_fact_is_refuted_at_any_strength),
        cmocka_unit_test(unknown_always_has_a_reason),
        cmocka_unit_test(strength_is_never_shown_above_the_declared_one),
        cmocka_unit_test(a_given_input_takes_the_place_of_the_own_one),
        cmocka_unit_test(false_without_a_fact_is_an_internal_error),
        cmocka_unit_test(true_with_a_counterexample_is_an_internal_error),
        cmocka_unit_test(outcome_of_a_mutant),
        cmocka_unit_test(an_open_claim_is_not_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
