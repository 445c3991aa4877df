/* Verification reports: each format says what happened and parses back. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <libxml/parser.h>
#include <unistd.h>
#include "sample.h"

typedef struct {
    ckda_ledger *l;
    ckda_outcome claims[5], mutants[3];
    ckda_verification v;
} fixture;

static int
setup(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    f->l = sample_ledger();
    size_t m = 0;
    for (size_t i = 0; i < 5; i++) {
        const ckda_claim *c = ckda_ledger_claim(f->l, i);
        ckda_outcome_run(&f->claims[i], c, NULL, 3, CKDA_FULL);
        if (c->nmutants > 0)
            ckda_outcome_run(&f->mutants[m++], c, &c->mutants[0], 3, CKDA_FULL);
    }
    f->v = (ckda_verification){.ledger = f->l,
                               .seed = 3,
                               .effort = CKDA_FULL,
                               .with_mutants = true,
                               .claims = f->claims,
                               .nclaims = 5,
                               .mutants = f->mutants,
                               .nmutants = 3};
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    fixture *f = *state;
    for (size_t i = 0; i < 5; i++)
        ckda_outcome_clear(&f->claims[i]);
    for (size_t i = 0; i < 3; i++)
        ckda_outcome_clear(&f->mutants[i]);
    ckda_ledger_close(&f->l);
    free(f);
    return 0;
}

static void
counts_every_verdict(void **state)
{
    fixture *f = *state;
    ckda_summary s;
    ckda_verification_summary(&s, &f->v);
    assert_int_equal(s.claims, 5);
    assert_int_equal(s.holds, 1);
    assert_int_equal(s.refuted, 1);
    assert_int_equal(s.undecided, 1);
    assert_int_equal(s.not_run, 1);
    assert_int_equal(s.reported, 1);
    assert_int_equal(s.mutants, 3);
    assert_int_equal(s.mutants_refuted, 3);
}

static json_t *
verify_json(const fixture *f)
{
    sample_stream s;
    ckda_report_verify_json(stream_open(&s), &f->v);
    char *text = stream_text(&s);
    json_t *document = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(document);
    free(text);
    return document;
}

static const char *
text_at(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    assert_non_null(text);
    return text;
}

static void
json_has_the_keys_of_the_contract(void **state)
{
    fixture *f = *state;
    json_t *document = verify_json(f);
    assert_string_equal(text_at(document, "schema"), "ckda.verify/1");
    assert_int_equal(json_integer_value(json_object_get(document, "seed")), 3);
    assert_string_equal(text_at(document, "effort"), "full");
    json_t *claims = json_object_get(document, "claims");
    assert_int_equal(json_array_size(claims), 5);
    static const char *const keys[] = {
        "id",     "title",   "source",      "strength",       "verdict", "scope",
        "checks", "seconds", "human_steps", "counterexample", "errata"};
    for (size_t i = 0; i < 5; i++)
        for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++)
            assert_non_null(json_object_get(json_array_get(claims, i), keys[k]));
    json_decref(document);
}

static void
json_gives_verdicts_and_counterexamples(void **state)
{
    fixture *f = *state;
    json_t *document = verify_json(f);
    json_t *claims = json_object_get(document, "claims");
    static const char *const verdicts[] = {"holds", "refuted", "undecided", "not_run",
                                           "reported"};
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(text_at(json_array_get(claims, i), "verdict"), verdicts[i]);
    assert_true(
        json_is_null(json_object_get(json_array_get(claims, 0), "counterexample")));
    json_t *facts = json_object_get(json_array_get(claims, 1), "counterexample");
    assert_string_equal(text_at(facts, "failed"), "x < \"3\" & more");
    assert_string_equal(text_at(facts, "at"), "[0, 1]");
    assert_string_equal(text_at(facts, "at#2"), "[2, 3]");
    assert_string_equal(text_at(json_array_get(claims, 2), "problem"), "limit & <time>");
    assert_string_equal(text_at(json_array_get(claims, 0), "strength"), "symbolic");
    assert_true(json_is_null(json_object_get(json_array_get(claims, 3), "strength")));
    assert_string_equal(text_at(json_array_get(claims, 4), "strength"), "reported");
    json_decref(document);
}

static void
json_gives_mutants_and_summary(void **state)
{
    fixture *f = *state;
    json_t *document = verify_json(f);
    json_t *mutants = json_object_get(document, "mutants");
    json_t *summary = json_object_get(document, "summary");
    assert_int_equal(json_array_size(mutants), 3);
    json_t *m = json_array_get(mutants, 1);
    assert_string_equal(text_at(m, "id"), "b/m");
    assert_string_equal(text_at(m, "claim"), "b");
    assert_true(json_is_true(json_object_get(m, "refuted")));
    assert_true(json_is_object(json_object_get(m, "counterexample")));
    assert_int_equal(json_integer_value(json_object_get(summary, "mutants_refuted")), 3);
    assert_int_equal(json_integer_value(json_object_get(summary, "not_run")), 1);
    json_decref(document);
    f->v.with_mutants = false;
    f->v.nmutants = 0;
    document = verify_json(f);
    assert_null(json_object_get(document, "mutants"));
    assert_null(json_object_get(json_object_get(document, "summary"), "mutants_refuted"));
    json_decref(document);
    f->v.with_mutants = true;
    f->v.nmutants = 3;
}

static void
a_mutant_that_is_not_refuted_is_shown_as_such(void **state)
{
    fixture *f = *state;
    ckda_truth was = f->mutants[0].truth;
    f->mutants[0].truth = CKDA_TRUE;
    json_t *document = verify_json(f);
    json_t *m = json_array_get(json_object_get(document, "mutants"), 0);
    assert_true(json_is_false(json_object_get(m, "refuted")));
    assert_true(json_is_null(json_object_get(m, "counterexample")));
    json_t *summary = json_object_get(document, "summary");
    assert_int_equal(json_integer_value(json_object_get(summary, "mutants_refuted")), 2);
    json_decref(document);
    f->mutants[0].truth = was;
}

static char *
text_report(fixture *f, bool unchecked)
{
    sample_stream s;
    f->v.list_unchecked = unchecked;
    ckda_text_report *r = ckda_text_report_open(stream_open(&s), &f->v);
    for (size_t i = 0; i < 5; i++)
        ckda_text_report_add(r, &f->claims[i]);
    for (size_t i = 0; i < 3; i++)
        ckda_text_report_add(r, &f->mutants[i]);
    ckda_text_report_close(&r, &f->v);
    assert_null(r);
    return stream_text(&s);
}

static void
has(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("\"%s\" is missing in:\n%s", part, text);
}

static void
text_groups_by_target_and_counts(void **state)
{
    char *text = text_report(*state, false);
    has(text, "effort full   seed 3");
    has(text, "Theorem 1: signed Householder");
    has(text, "paper, Thm 6");
    has(text, "  holds      a ");
    has(text, "3 claims: 1 holds, 1 refuted, 1 undecided.");
    has(text, "3 mutants: 3 refuted.");
    has(text, "1 open, 1 only reported");
    has(text, "ckda explain b");
    assert_null(strstr(text, "open one"));
    free(text);
}

static void
text_shows_the_counterexample_and_the_problem(void **state)
{
    char *text = text_report(*state, false);
    has(text, "failed: x < \"3\" & more\n");
    has(text, "because: limit & <time>\n");
    free(text);
}

static void
text_shows_unchecked_claims_on_request(void **state)
{
    char *text = text_report(*state, true);
    has(text, "  open       d ");
    has(text, "not yet");
    has(text, "  reported   e ");
    free(text);
}

static void
text_shows_human_steps_of_what_holds(void **state)
{
    fixture *f = *state;
    ckda_truth was = f->claims[1].truth;
    f->claims[1].truth = CKDA_TRUE;
    char *text = text_report(f, false);
    has(text, "established modulo: step one\n");
    free(text);
    f->claims[1].truth = was;
}

static void
tap_has_a_line_for_each_outcome(void **state)
{
    fixture *f = *state;
    sample_stream s;
    FILE *out = stream_open(&s);
    ckda_tap_begin(out, 6);
    for (size_t i = 0; i < 5; i++)
        ckda_tap_add(out, i + 1, &f->claims[i]);
    ckda_tap_add(out, 6, &f->mutants[0]);
    char *text = stream_text(&s);
    has(text, "TAP version 13\n1..6\nok 1 - a: a & <b> \\#1\n");
    has(text, "\nnot ok 2 - b: a & <b> \\#1\n  ---\n  \"verdict\": \"refuted\"\n"
              "  \"failed\": \"x < \\\"3\\\" & more\"\n");
    has(text, "\nnot ok 3 - c: ");
    has(text, "  \"problem\": \"limit & <time>\"\n  ...\n");
    has(text, "\nok 4 - d: open one # SKIP open: not yet\n");
    has(text, "\nok 5 - e: reported one # SKIP reported: hardware\n");
    has(text, "\nok 6 - mutant a/m: n is <wrong>\n");
    free(text);
}

static void
tap_fails_a_mutant_that_holds(void **state)
{
    fixture *f = *state;
    sample_stream s;
    FILE *out = stream_open(&s);
    ckda_truth was = f->mutants[0].truth;
    f->mutants[0].truth = CKDA_TRUE;
    ckda_tap_add(out, 1, &f->mutants[0]);
    char *text = stream_text(&s);
    has(text, "not ok 1 - mutant a/m");
    free(text);
    f->mutants[0].truth = was;
}

static xmlNode *
child(xmlNode *node, const char *name, int n)
{
    for (xmlNode *c = node->children; c != NULL; c = c->next)
        if (c->type == XML_ELEMENT_NODE && strcmp((const char *)c->name, name) == 0
            && n-- == 0)
            return c;
    return NULL;
}

static void
attribute_is(xmlNode *node, const char *name, const char *want)
{
    xmlChar *value = xmlGetProp(node, BAD_CAST name);
    assert_non_null(value);
    assert_string_equal((const char *)value, want);
    xmlFree(value);
}

static void
junit_parses_back(void **state)
{
    fixture *f = *state;
    ckda_error err;
    char file[] = "/tmp/ckda-junit-XXXXXX";
    int fd = mkstemp(file);
    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(ckda_report_junit(file, &f->v, &err), CKDA_OK);
    xmlDoc *doc = xmlReadFile(file, NULL, 0);
    assert_non_null(doc);
    xmlNode *root = xmlDocGetRootElement(doc);
    attribute_is(root, "tests", "8");
    attribute_is(root, "failures", "1");
    attribute_is(root, "errors", "1");
    attribute_is(root, "skipped", "2");
    xmlNode *thm1 = child(root, "testsuite", 0), *thm8 = child(root, "testsuite", 1);
    attribute_is(thm1, "name", "thm1");
    attribute_is(thm1, "tests", "4");
    attribute_is(thm8, "skipped", "2");
    xmlNode *b = child(thm1, "testcase", 1);
    attribute_is(b, "name", "b");
    xmlChar *body = xmlNodeGetContent(child(b, "failure", 0));
    assert_non_null(strstr((const char *)body, "x < \"3\" & more"));
    xmlFree(body);
    attribute_is(child(child(thm8, "testcase", 0), "error", 0), "message",
                 "limit & <time>");
    xmlFreeDoc(doc);
    xmlCleanupParser();
    unlink(file);
}

static void
junit_into_nowhere_is_an_io_error(void **state)
{
    fixture *f = *state;
    ckda_error err;
    assert_int_equal(ckda_report_junit("/nonexistent/x.xml", &f->v, &err), CKDA_E_IO);
    has(err.text, "/nonexistent/x.xml");
    if (access("/dev/full", W_OK) == 0)
        assert_int_equal(ckda_report_junit("/dev/full", &f->v, &err), CKDA_E_IO);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_every_verdict),
        cmocka_unit_test(json_has_the_keys_of_the_contract),
        cmocka_unit_test(json_gives_verdicts_and_counterexamples),
        cmocka_unit_test(json_gives_mutants_and_summary),
        cmocka_unit_test(a_mutant_that_is_not_refuted_is_shown_as_such),
        cmocka_unit_test(text_groups_by_target_and_counts),
        cmocka_unit_test(text_shows_the_counterexample_and_the_problem),
        cmocka_unit_test(text_shows_unchecked_claims_on_request),
        cmocka_unit_test(text_shows_human_steps_of_what_holds),
        cmocka_unit_test(tap_has_a_line_for_each_outcome),
        cmocka_unit_test(tap_fails_a_mutant_that_holds),
        cmocka_unit_test(junit_parses_back),
        cmocka_unit_test(junit_into_nowhere_is_an_io_error),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
