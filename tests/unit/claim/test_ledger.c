/* The ledger's reader: what it takes, and that each fault is named with file and path. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "ckda/claim.h"

static ckda_truth
never(ckda_evidence *ev, const ckda_node *input)
{
    (void)input;
    return ckda_evidence_unable(ev, "not for running");
}
static const ckda_check_entry checks[] = {{"count", never}, {"other", never}};

#define SOURCE "\"source\": {\"document\": \"paper\", \"where\": \"Thm 6, App. A.1\"}"
#define HEAD                                                                             \
    "{\"target\": \"thm1\", \"title\": \"Theorem 1: a title\", " SOURCE ", \"claims\": " \
    "["
#define ABOUT "\"title\": \"a title\", \"statement\": \"a statement\""
#define CHECKED(id, more)                                                                \
    "{\"id\": \"" id "\", " ABOUT                                                        \
    ", \"status\": \"checked\", \"strength\": \"symbolic\","                             \
    "\"why\": \"because\", \"check\": \"count\", \"input\": {\"n\": 3, \"list\": [1, "   \
    "2]},"                                                                               \
    "\"mutants\": [{\"name\": \"n\", \"note\": \"n is wrong\", \"at\": \"/n\", \"to\": " \
    "4}]" more "}"
#define OPEN(id, more)                                                                   \
    "{\"id\": \"" id "\", " ABOUT ", \"status\": \"open\", \"reason\": \"later\"" more "}"
#define DOC(claims) HEAD claims "]}"

static ckda_status
open_text(ckda_ledger **l, const char *text, ckda_error *err)
{
    ckda_ledger_document d = {"proofs/thm1.json", text};
    ckda_error_clear(err);
    return ckda_ledger_open_documents(l, &d, 1, checks, 2, err);
}

/* The document is refused; the message names the file and holds each of the parts. */
static void
refused(const char *text, const char *path, const char *part)
{
    ckda_ledger *l = NULL;
    ckda_error err;
    assert_int_equal(open_text(&l, text, &err), CKDA_E_INPUT);
    assert_null(l);
    if (strstr(err.text, "proofs/thm1.json") == NULL || strstr(err.text, path) == NULL
        || strstr(err.text, part) == NULL)
        fail_msg("message without \"%s\" or \"%s\": %s", path, part, err.text);
}

static ckda_ledger *
opened(const char *text)
{
    ckda_ledger *l = NULL;
    ckda_error err;
    if (open_text(&l, text, &err) != CKDA_OK)
        fail_msg("refused: %s", err.text);
    return l;
}

static void
reads_a_checked_claim(void **state)
{
    (void)state;
    ckda_ledger *l = opened(DOC(CHECKED("thm1.forward", "")));
    assert_int_equal(ckda_ledger_size(l), 1);
    const ckda_claim *c = ckda_ledger_claim(l, 0);
    assert_string_equal(c->id, "thm1.forward");
    assert_string_equal(c->target, "thm1");
    assert_string_equal(c->document, "paper");
    assert_string_equal(c->where, "Thm 6, App. A.1");
    assert_int_equal(c->status, CKDA_CHECKED);
    assert_int_equal(c->strength, CKDA_SYMBOLIC);
    assert_ptr_equal(c->check, never);
    assert_null(c->not_shown);
    assert_null(c->human_steps[0]);
    assert_null(c->errata[0]);
    assert_int_equal(c->nmutants, 1);
    assert_string_equal(c->mutants[0].name, "thm1.forward/n");
    ckda_ledger_close(&l);
    assert_null(l);
    ckda_ledger_close(&l); /* a second time does no harm */
}

static void
reads_open_and_reported_claims(void **state)
{
    (void)state;
    ckda_ledger *l =
        opened(DOC(OPEN("a", "") ", {\"id\": \"b\", " ABOUT
                                 ", \"status\": \"reported\", \"reason\": \"r\"}"));
    assert_int_equal(ckda_ledger_claim(l, 0)->status, CKDA_OPEN);
    assert_int_equal(ckda_ledger_claim(l, 1)->status, CKDA_STATUS_REPORTED);
    assert_string_equal(ckda_ledger_claim(l, 0)->reason, "later");
    assert_null(ckda_ledger_claim(l, 0)->check);
    assert_null(ckda_ledger_claim(l, 0)->input);
    ckda_ledger_close(&l);
}

static void
keeps_lists_in_order(void **state)
{
    (void)state;
    ckda_ledger *l =
        opened(DOC(CHECKED("x", ", \"human_steps\": [\"one\", \"two\"], \"errata\": "
                                "[\"a.E3: text\"], \"aliases\": [\"y\"]")));
    const ckda_claim *c = ckda_ledger_claim(l, 0);
    assert_string_equal(c->human_steps[0], "one");
    assert_string_equal(c->human_steps[1], "two");
    assert_null(c->human_steps[2]);
    assert_string_equal(c->errata[0], "a.E3: text");
    assert_ptr_equal(ckda_ledger_find(l, "y"), c);
    ckda_ledger_close(&l);
}

static void
a_claim_may_have_its_own_source(void **state)
{
    (void)state;
    ckda_ledger *l =
        opened(DOC(CHECKED("x", ", \"source\": {\"document\": \"course page\", "
                                "\"where\": \"K1\"}") "," OPEN("y", "")));
    assert_string_equal(ckda_ledger_claim(l, 0)->document, "course page");
    assert_string_equal(ckda_ledger_claim(l, 1)->document, "paper");
    assert_string_equal(ckda_ledger_target(l, "thm1")->where, "paper, Thm 6, App. A.1");
    ckda_ledger_close(&l);
}

static void
finds_by_id_and_target(void **state)
{
    (void)state;
    ckda_ledger *l = opened(DOC(CHECKED("x", "") "," OPEN("y", "")));
    assert_ptr_equal(ckda_ledger_find(l, "y"), ckda_ledger_claim(l, 1));
    assert_null(ckda_ledger_find(l, "thm1"));
    assert_null(ckda_ledger_find(l, "z"));
    assert_string_equal(ckda_ledger_target(l, "thm1")->title, "Theorem 1: a title");
    assert_null(ckda_ledger_target(l, "thm2"));
    ckda_ledger_close(&l);
}

static void
patterns_match_id_alias_and_target(void **state)
{
    (void)state;
    ckda_ledger *l = opened(DOC(CHECKED("C-19", ", \"aliases\": [\"cor19\"]")));
    const ckda_claim *c = ckda_ledger_claim(l, 0);
    assert_true(ckda_claim_matches(c, "C-*"));
    assert_true(ckda_claim_matches(c, "C-1[89]"));
    assert_true(ckda_claim_matches(c, "cor?9"));
    assert_true(ckda_claim_matches(c, "thm1"));
    assert_true(ckda_claim_matches(c, "*"));
    assert_false(ckda_claim_matches(c, "c-19"));
    assert_false(ckda_claim_matches(c, "C-1"));
    ckda_ledger_close(&l);
}

static void
claims_of_one_document_share_an_alias(void **state)
{
    (void)state;
    ckda_ledger *l = opened(DOC(OPEN("a", ", \"aliases\": [\"thm5\"]") "," OPEN(
        "b", ", \"aliases\": [\"thm5\"]")));
    assert_true(ckda_claim_is_called(ckda_ledger_claim(l, 0), "thm5"));
    assert_true(ckda_claim_is_called(ckda_ledger_claim(l, 1), "thm5"));
    assert_true(ckda_claim_is_called(ckda_ledger_claim(l, 1), "b"));
    assert_false(ckda_claim_is_called(ckda_ledger_claim(l, 1), "a"));
    assert_ptr_equal(ckda_ledger_find(l, "thm5"), ckda_ledger_claim(l, 0));
    ckda_ledger_close(&l);
}

static void
several_documents_keep_their_order(void **state)
{
    (void)state;
    ckda_ledger_document d[] = {{"thm8.json",
                                 "{\"target\": \"thm8\", \"title\": \"t\", " SOURCE
                                 ", \"claims\": [" OPEN("b", "") "]}"},
                                {"proofs/thm1.json", DOC(OPEN("a", ""))}};
    ckda_ledger *l = NULL;
    ckda_error err;
    assert_int_equal(ckda_ledger_open_documents(&l, d, 2, checks, 2, &err), CKDA_OK);
    assert_string_equal(ckda_ledger_claim(l, 0)->id, "b");
    assert_string_equal(ckda_ledger_claim(l, 1)->id, "a");
    ckda_ledger_close(&l);
}

static void
no_documents_is_an_empty_ledger(void **state)
{
    (void)state;
    ckda_ledger *l = NULL;
    assert_int_equal(ckda_ledger_open_documents(&l, NULL, 0, checks, 2, NULL), CKDA_OK);
    assert_int_equal(ckda_ledger_size(l), 0);
    ckda_ledger_close(&l);
}

static void
ids_are_unique_across_documents(void **state)
{
    (void)state;
    ckda_ledger_document d[] = {{"proofs/thm1.json", DOC(OPEN("a", ""))},
                                {"thm8.json",
                                 "{\"target\": \"thm8\", \"title\": \"t\", " SOURCE
                                 ", \"claims\": [" OPEN("a", "") "]}"}};
    ckda_ledger *l = NULL;
    ckda_error err;
    assert_int_equal(ckda_ledger_open_documents(&l, d, 2, checks, 2, &err), CKDA_E_INPUT);
    assert_non_null(strstr(err.text, "thm8.json"));
    assert_non_null(strstr(err.text, "claims[0].id"));
}

static void
targets_are_unique(void **state)
{
    (void)state;
    ckda_ledger_document d[] = {{"one/thm1.json", DOC(OPEN("a", ""))},
                                {"two/thm1.json", DOC(OPEN("b", ""))}};
    ckda_ledger *l = NULL;
    ckda_error err;
    assert_int_equal(ckda_ledger_open_documents(&l, d, 2, checks, 2, &err), CKDA_E_INPUT);
    assert_non_null(strstr(err.text, "target"));
}

/* Faults of one document: text, JSON path in the message, a part of the rest. */
static const struct {
    const char *name, *text, *path, *part;
} faults[] = {
    {"not JSON", "{\"target\" 3}", "", ""},
    {"not an object", "[]", "", "an object"},
    {"no target", "{\"title\": \"t\", " SOURCE ", \"claims\": []}", "", "target"},
    {"no claims", DOC(""), "claims", "at least one"},
    {"unknown member of a claim", DOC(OPEN("a", ", \"reasons\": \"x\"")),
     "claims[0].reasons", "reason"},
    {"open claim with a check", DOC(OPEN("a", ", \"check\": \"count\"")),
     "claims[0].check", ""},
    {"open claim without a reason",
     DOC("{\"id\": \"a\", " ABOUT ", \"status\": \"open\"}"), "claims[0]", "reason"},
    {"reported claim with a strength",
     DOC("{\"id\": \"a\", " ABOUT
         ", \"status\": \"reported\", \"reason\": \"r\", \"strength\": \"symbolic\"}"),
     "claims[0].strength", ""},
    {"unknown status", DOC("{\"id\": \"a\", " ABOUT ", \"status\": \"done\"}"),
     "claims[0].status", "checked, reported, open"},
    {"checked claim with a reason", DOC(CHECKED("a", ", \"reason\": \"x\"")),
     "claims[0].reason", ""},
    {"second id", DOC(OPEN("a", "") "," OPEN("a", "")), "claims[1].id", "no other claim"},
    {"alias of another claim", DOC(OPEN("a", "") "," OPEN("b", ", \"aliases\": [\"a\"]")),
     "claims[1].aliases", "a"},
    {"id with a slash", DOC(OPEN("a/b", "")), "claims[0].id", "letters"},
    {"id with a star", DOC(OPEN("a*", "")), "claims[0].id", "letters"},
    {"empty id", DOC(OPEN("", "")), "claims[0].id", "empty"},
    {"empty human step", DOC(OPEN("a", ", \"human_steps\": [\"\"]")),
     "claims[0].human_steps[0]", ""},
    {"human steps as a string", DOC(OPEN("a", ", \"human_steps\": \"x\"")),
     "claims[0].human_steps", "list"},
    {"erratum without a number", DOC(OPEN("a", ", \"errata\": [\"text\"]")),
     "claims[0].errata[0]", "a.E1"},
    {"unknown document of a source",
     DOC(OPEN("a", ", \"source\": {\"document\": \"book\", \"where\": \"x\"}")),
     "claims[0].source.document", "paper, slides"},
};

static void
faults_are_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        refused(faults[i].text, faults[i].path, faults[i].part);
}

static void
unknown_member_of_a_document_is_named(void **state)
{
    (void)state;
    refused("{\"target\": \"thm1\", \"title\": \"t\", \"tittle\": 1, " SOURCE
            ", \"claims\": [" OPEN("a", "") "]}",
            "tittle", "target, title, source, claims");
}

static void
target_must_be_the_file_name(void **state)
{
    (void)state;
    ckda_ledger_document d = {"proofs/thm10.json", DOC(OPEN("a", ""))};
    ckda_ledger *l = NULL;
    ckda_error err;
    assert_int_equal(ckda_ledger_open_documents(&l, &d, 1, checks, 2, &err),
                     CKDA_E_INPUT);
    assert_non_null(strstr(err.text, "target"));
}

/* A checked claim with one member replaced or (value == NULL) left out. */
static char *
checked_but(const char *member, const char *value)
{
    static char text[4096];
    json_t *doc = json_loads(DOC(CHECKED("a", "")), 0, NULL);
    json_t *claim = json_array_get(json_object_get(doc, "claims"), 0);
    if (value == NULL)
        json_object_del(claim, member);
    else
        json_object_set_new(claim, member, json_loads(value, JSON_DECODE_ANY, NULL));
    char *dump = json_dumps(doc, 0);
    snprintf(text, sizeof text, "%s", dump);
    free(dump);
    json_decref(doc);
    return text;
}

static void
every_member_of_a_checked_claim_is_required(void **state)
{
    (void)state;
    static const char *const members[] = {"id",     "title", "statement",
                                          "status", "why",   "strength",
                                          "check",  "input", "mutants"};
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        refused(checked_but(members[i], NULL), "claims[0]", members[i]);
}

static void
strength_names_are_checked(void **state)
{
    (void)state;
    refused(checked_but("strength", "\"strong\""), "claims[0].strength", "exhaustive");
    refused(checked_but("strength", "\"reported\""), "claims[0].strength", "exhaustive");
}

static void
unknown_check_is_named(void **state)
{
    (void)state;
    refused(checked_but("check", "\"cuont\""), "claims[0].check", "claims.def");
}

static void
input_must_be_an_object(void **state)
{
    (void)state;
    refused(checked_but("input", "[1]"), "claims[0].input", "an object");
}

static void
checked_claim_needs_a_mutant(void **state)
{
    (void)state;
    refused(checked_but("mutants", "[]"), "claims[0].mutants", "at least one");
}

static void
mutant_pointer_must_resolve(void **state)
{
    (void)state;
    static const char *const at[] = {"/m", "/n/x", "/list/2", "/list/01",
                                     "n",  "",     "/list/-"};
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
        char value[128];
        snprintf(value, sizeof value,
                 "[{\"name\": \"n\", \"note\": \"x\", \"at\": \"%s\", \"to\": 7}]",
                 at[i]);
        refused(checked_but("mutants", value), "claims[0].mutants[0].at", "");
    }
}

static void
mutant_must_change_something(void **state)
{
    (void)state;
    refused(
        checked_but("mutants",
                    "[{\"name\": \"n\", \"note\": \"x\", \"at\": \"/n\", \"to\": 3}]"),
        "claims[0].mutants[0].at", "other than");
}

static void
mutant_names_are_unique(void **state)
{
    (void)state;
    refused(
        checked_but("mutants",
                    "[{\"name\": \"n\", \"note\": \"x\", \"at\": \"/n\", \"to\": 4},"
                    " {\"name\": \"n\", \"note\": \"x\", \"at\": \"/n\", \"to\": 5}]"),
        "claims[0].mutants[1]", "new mutant name");
}

static void
mutant_members_are_checked(void **state)
{
    (void)state;
    refused(
        checked_but("mutants",
                    "[{\"name\": \"n\", \"note\": \"x\", \"at\": \"/n\", \"too\": 4}]"),
        "claims[0].mutants[0].too", "name, note, at, to");
}

static void
mutant_applies_to_a_copy(void **state)
{
    (void)state;
    ckda_ledger *l = opened(DOC(CHECKED("a", "")));
    const ckda_claim *c = ckda_ledger_claim(l, 0);
    json_t *input = ckda_mutant_input(c, &c->mutants[0]);
    assert_int_equal(json_integer_value(json_object_get(input, "n")), 4);
    assert_int_equal(json_integer_value(json_object_get(c->input, "n")), 3);
    json_decref(input);
    ckda_ledger_close(&l);
}

static void
null_is_a_value_and_not_removal(void **state)
{
    (void)state;
    ckda_ledger *l = opened(checked_but(
        "mutants", "[{\"name\": \"null\", \"note\": \"x\", \"at\": \"/n\", \"to\": null},"
                   " {\"name\": \"gone\", \"note\": \"x\", \"at\": \"/n\"}]"));
    const ckda_claim *c = ckda_ledger_claim(l, 0);
    json_t *null = ckda_mutant_input(c, &c->mutants[0]);
    json_t *gone = ckda_mutant_input(c, &c->mutants[1]);
    assert_true(json_is_null(json_object_get(null, "n")));
    assert_null(json_object_get(gone, "n"));
    json_decref(null);
    json_decref(gone);
    ckda_ledger_close(&l);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_a_checked_claim),
        cmocka_unit_test(reads_open_and_reported_claims),
        cmocka_unit_test(keeps_lists_in_order),
        cmocka_unit_test(a_claim_may_have_its_own_source),
        cmocka_unit_test(finds_by_id_and_target),
        cmocka_unit_test(patterns_match_id_alias_and_target),
        cmocka_unit_test(claims_of_one_document_share_an_alias),
        cmocka_unit_test(several_documents_keep_their_order),
        cmocka_unit_test(no_documents_is_an_empty_ledger),
        cmocka_unit_test(ids_are_unique_across_documents),
        cmocka_unit_test(targets_are_unique),
        cmocka_unit_test(faults_are_named),
        cmocka_unit_test(unknown_member_of_a_document_is_named),
        cmocka_unit_test(target_must_be_the_file_name),
        cmocka_unit_test(every_member_of_a_checked_claim_is_required),
        cmocka_unit_test(strength_names_are_checked),
        cmocka_unit_test(unknown_check_is_named),
        cmocka_unit_test(input_must_be_an_object),
        cmocka_unit_test(checked_claim_needs_a_mutant),
        cmocka_unit_test(mutant_pointer_must_resolve),
        cmocka_unit_test(mutant_must_change_something),
        cmocka_unit_test(mutant_names_are_unique),
        cmocka_unit_test(mutant_members_are_checked),
        cmocka_unit_test(mutant_applies_to_a_copy),
        cmocka_unit_test(null_is_a_value_and_not_removal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
