/* The ledger as text, JSON and Markdown; one claim in full. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include "sample.h"

typedef struct {
    ckda_ledger *l;
    const ckda_claim *claims[5];
} fixture;

static int
setup(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    f->l = sample_ledger();
    for (size_t i = 0; i < 5; i++)
        f->claims[i] = ckda_ledger_claim(f->l, i);
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    fixture *f = *state;
    ckda_ledger_close(&f->l);
    free(f);
    return 0;
}

static void
has(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("\"%s\" is missing in:\n%s", part, text);
}

static void
list_json_has_the_keys_of_the_contract(void **state)
{
    fixture *f = *state;
    sample_stream s;
    ckda_report_list_json(stream_open(&s), f->claims, 5);
    char *text = stream_text(&s);
    json_t *document = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(document);
    assert_string_equal(json_string_value(json_object_get(document, "schema")),
                        "ckda.list/1");
    json_t *claims = json_object_get(document, "claims");
    assert_int_equal(json_array_size(claims), 5);
    static const char *const keys[] = {"id", "title", "source", "strength", "status"};
    for (size_t i = 0; i < 5; i++)
        for (size_t k = 0; k < 5; k++)
            assert_non_null(json_object_get(json_array_get(claims, i), keys[k]));
    json_t *open = json_array_get(claims, 3);
    assert_string_equal(json_string_value(json_object_get(open, "status")), "open");
    assert_string_equal(json_string_value(json_object_get(open, "reason")), "not yet");
    json_t *source = json_object_get(open, "source");
    assert_string_equal(json_string_value(json_object_get(source, "document")), "paper");
    json_decref(document);
    free(text);
}

static void
an_empty_list_is_a_list(void **state)
{
    sample_stream s;
    (void)state;
    ckda_report_list_json(stream_open(&s), NULL, 0);
    char *text = stream_text(&s);
    json_t *document = json_loads(text, 0, NULL);
    assert_int_equal(json_array_size(json_object_get(document, "claims")), 0);
    assert_true(json_is_array(json_object_get(document, "claims")));
    json_decref(document);
    free(text);
}

static void
list_text_counts(void **state)
{
    fixture *f = *state;
    sample_stream s;
    ckda_report_list_text(stream_open(&s), f->l, f->claims, 5);
    char *text = stream_text(&s);
    has(text, "thm1: Theorem 1: signed Householder   (paper, Thm 6)\n");
    has(text, "  checked   a         symbolic     a & <b> #1\n");
    has(text, "reason: not yet\n");
    has(text, "5 claims: 3 checked, 1 open, 1 reported.\n");
    free(text);
}

static void
markdown_escapes_what_it_would_read(void **state)
{
    fixture *f = *state;
    sample_stream s;
    ckda_report_list_markdown(stream_open(&s), f->l);
    char *text = stream_text(&s);
    has(text, "# Claims\n");
    has(text, "## Theorem 8\n");
    has(text, "| `a` | a & \\<b> #1 | checked | symbolic | 1 mutant |\n");
    has(text, "1 mutant; modulo: step one; erratum a.E1: a \"sign\" |\n");
    has(text, "| `d` | open one | open |  | not yet |\n");
    free(text);
}

static void
explain_text_shows_all_sections(void **state)
{
    fixture *f = *state;
    sample_stream s;
    ckda_report_explain_text(stream_open(&s), f->l, f->claims[1]);
    char *text = stream_text(&s);
    has(text, "b: a & <b> #1\n");
    has(text, "source: paper, Thm 6\n");
    has(text,
        "status: checked, symbolic, established modulo human steps (check \"count\")\n");
    has(text, "also called: bee\n");
    has(text, "\nStatement\n    s | t\n");
    has(text, "\nWhy the check suffices\n    because\n");
    has(text, "\nNot shown\n    the rest\n");
    has(text, "\nTaken from a human proof or a citation\n    step one\n");
    has(text, "\nErrata\n    a.E1: a \"sign\"\n");
    has(text, "    b/m: n is <wrong>\n        /n becomes 4\n");
    free(text);
}

static void
explain_text_of_an_open_claim_gives_the_reason(void **state)
{
    fixture *f = *state;
    sample_stream s;
    ckda_report_explain_text(stream_open(&s), f->l, f->claims[3]);
    char *text = stream_text(&s);
    has(text, "\nWhy it is open\n    not yet\n");
    assert_null(strstr(text, "Mutants"));
    assert_null(strstr(text, "Why the check"));
    free(text);
}

static void
explain_json_parses_back(void **state)
{
    fixture *f = *state;
    sample_stream s;
    ckda_report_explain_json(stream_open(&s), f->claims, 5);
    char *text = stream_text(&s);
    json_t *document = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    json_t *b = json_array_get(json_object_get(document, "claims"), 1);
    assert_string_equal(json_string_value(json_object_get(b, "why")), "because");
    json_t *m = json_array_get(json_object_get(b, "mutants"), 0);
    assert_string_equal(json_string_value(json_object_get(m, "at")), "/n");
    assert_int_equal(json_integer_value(json_object_get(m, "to")), 4);
    json_decref(document);
    free(text);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(list_json_has_the_keys_of_the_contract),
        cmocka_unit_test(an_empty_list_is_a_list),
        cmocka_unit_test(list_text_counts),
        cmocka_unit_test(markdown_escapes_what_it_would_read),
        cmocka_unit_test(explain_text_shows_all_sections),
        cmocka_unit_test(explain_text_of_an_open_claim_gives_the_reason),
        cmocka_unit_test(explain_json_parses_back),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
