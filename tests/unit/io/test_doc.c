/* Documents and nodes: what is read, what is refused, and that refusals change nothing.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "ckda/doc.h"

/* Opens a text that must be good. */
static ckda_doc *
good(const char *text)
{
    ckda_doc *doc = NULL;
    ckda_error err = {{0}};
    if (ckda_doc_parse(&doc, text, "a.json", &err) != CKDA_OK)
        fail_msg("%s", err.text);
    return doc;
}

/* A text that must be refused; the message must hold `part`. */
static void
refused(const char *text, const char *part)
{
    ckda_doc *doc = NULL;
    ckda_error err = {{0}};
    assert_int_equal(ckda_doc_parse(&doc, text, "a.json", &err), CKDA_E_INPUT);
    assert_null(doc);
    if (strstr(err.text, part) == NULL)
        fail_msg("expected \"%s\" in \"%s\"", part, err.text);
    assert_int_equal(ckda_doc_parse(&doc, text, "a.json", NULL), CKDA_E_INPUT);
}

static void
syntax_errors_name_line_and_column(void **state)
{
    (void)state;
    refused("{\"a\": 1,\n \"b\" 2}", "a.json: line 2, column 6: ");
    refused("{\"a\": [1, 2}", "a.json: line 1, column 12: ");
    refused("{\"a\": 1} x", "end of file expected");
    refused("{'a': 1}", "line 1, column 2");
    refused("3", "'[' or '{' expected");
}

static void
duplicate_members_are_refused(void **state)
{
    (void)state;
    refused("{\"beta\": \"1\", \"beta\": \"2\"}", "duplicate object key near '\"beta\"'");
}

static void
empty_texts_are_refused(void **state)
{
    (void)state;
    refused("", "expected a JSON document, found nothing");
    refused(" \n\t\r ", "expected a JSON document, found nothing");
    refused("\xEF\xBB\xBF", "expected a JSON document, found nothing");
}

static void
bad_utf8_and_escaped_nul_are_refused(void **state)
{
    (void)state;
    refused("{\"a\": \"\xff\"}", "unable to decode byte 0xff");
    refused("{\"a\": \"\xc3\"}", "unable to decode");
    refused("{\"a\": \"x\\u0000y\"}", "\\u0000 is not allowed");
}

static void
numbers_beyond_64_bits_are_refused_with_a_hint(void **state)
{
    (void)state;
    refused("[92233720368547758080]", "write large numbers as strings");
    refused("[1e999]", "write large numbers as strings");
}

static void
deep_nesting_is_refused_not_crashed(void **state)
{
    (void)state;
    char text[20001];
    memset(text, '[', 20000);
    text[20000] = '\0';
    refused(text, "maximum parsing depth reached");
}

static void
byte_order_mark_is_skipped(void **state)
{
    (void)state;
    ckda_doc *doc = good("\xEF\xBB\xBF{\"a\": 1}");
    ckda_node root = ckda_doc_root(doc);
    assert_true(ckda_node_has(&root, "a"));
    ckda_doc_close(&doc);
    assert_null(doc);
    ckda_doc_close(&doc); /* closing twice is harmless */
}

static void
wrapped_tree_keeps_its_own_reference(void **state)
{
    (void)state;
    json_t *tree = json_pack("{s:i}", "a", 7);
    ckda_doc *doc = ckda_doc_wrap(tree, "built-in");
    json_decref(tree);
    ckda_node root = ckda_doc_root(doc);
    long v = 0;
    assert_int_equal(ckda_node_get_long(&v, &root, "a", 0, 10, NULL), CKDA_OK);
    assert_int_equal(v, 7);
    ckda_doc_close(&doc);
}

static void
leaves_are_read(void **state)
{
    (void)state;
    ckda_doc *doc =
        good("{\"s\": \"text\", \"l\": [-3, \"1/2\"], \"t\": true, \"f\": false}");
    ckda_node root = ckda_doc_root(doc), at, item;
    const char *s = NULL;
    char buf[32];
    bool b = false;
    long v = 0;
    size_t n = 0;
    assert_int_equal(ckda_node_get_string(&s, &root, "s", NULL), CKDA_OK);
    assert_string_equal(s, "text");
    assert_int_equal(ckda_node_member(&at, &root, "l", NULL), CKDA_OK);
    assert_int_equal(ckda_node_size(&n, &at, NULL), CKDA_OK);
    assert_int_equal(n, 2);
    assert_int_equal(ckda_node_item(&item, &at, 0, NULL), CKDA_OK);
    assert_int_equal(ckda_node_long(&v, &item, -3, -3, NULL), CKDA_OK);
    assert_int_equal(v, -3);
    assert_int_equal(ckda_node_number(&s, buf, &item, NULL), CKDA_OK);
    assert_string_equal(s, "-3");
    assert_int_equal(ckda_node_item(&item, &at, 1, NULL), CKDA_OK);
    assert_int_equal(ckda_node_number(&s, buf, &item, NULL), CKDA_OK);
    assert_string_equal(s, "1/2");
    assert_int_equal(ckda_node_member(&at, &root, "t", NULL), CKDA_OK);
    assert_int_equal(ckda_node_bool(&b, &at, NULL), CKDA_OK);
    assert_true(b);
    assert_int_equal(ckda_node_member(&at, &root, "f", NULL), CKDA_OK);
    assert_int_equal(ckda_node_bool(&b, &at, NULL), CKDA_OK);
    assert_false(b);
    ckda_doc_close(&doc);
}

static void
extreme_integers_survive(void **state)
{
    (void)state;
    ckda_doc *doc = good("[9223372036854775807, -9223372036854775808]");
    ckda_node root = ckda_doc_root(doc), at;
    const char *s = NULL;
    char buf[32];
    long v = 0;
    assert_int_equal(ckda_node_item(&at, &root, 0, NULL), CKDA_OK);
    assert_int_equal(ckda_node_number(&s, buf, &at, NULL), CKDA_OK);
    assert_string_equal(s, "9223372036854775807");
    assert_int_equal(ckda_node_item(&at, &root, 1, NULL), CKDA_OK);
    assert_int_equal(ckda_node_number(&s, buf, &at, NULL), CKDA_OK);
    assert_string_equal(s, "-9223372036854775808");
    assert_int_equal(ckda_node_long(&v, &at, LONG_MIN, LONG_MAX, NULL), CKDA_OK);
    assert_true(v == LONG_MIN);
    ckda_doc_close(&doc);
}

static void
failed_readers_leave_results_alone(void **state)
{
    (void)state;
    ckda_doc *doc = good("{\"n\": null, \"r\": 0.5, \"big\": 11, \"l\": []}");
    ckda_node root = ckda_doc_root(doc), at, out = {.index = 77};
    const char *s = "kept";
    char buf[32];
    bool b = true;
    long v = 5;
    size_t n = 6;
    ckda_error err;
    assert_int_equal(ckda_node_member(&at, &root, "n", &err), CKDA_OK);
    assert_int_equal(ckda_node_string(&s, &at, &err), CKDA_E_INPUT);
    assert_int_equal(ckda_node_long(&v, &at, 0, 9, &err), CKDA_E_INPUT);
    assert_int_equal(ckda_node_bool(&b, &at, &err), CKDA_E_INPUT);
    assert_int_equal(ckda_node_size(&n, &at, &err), CKDA_E_INPUT);
    assert_int_equal(ckda_node_number(&s, buf, &at, &err), CKDA_E_INPUT);
    assert_int_equal(ckda_node_item(&out, &at, 0, &err), CKDA_E_INPUT);
    assert_int_equal(ckda_node_member(&out, &at, "x", &err), CKDA_E_INPUT);
    assert_int_equal(ckda_node_get_long(&v, &root, "big", 0, 10, &err), CKDA_E_INPUT);
    assert_int_equal(ckda_node_get_long(&v, &root, "r", 0, 10, &err), CKDA_E_INPUT);
    assert_int_equal(ckda_node_get_long(&v, &root, "none", 0, 10, &err), CKDA_E_INPUT);
    assert_int_equal(ckda_node_get_string(&s, &root, "none", &err), CKDA_E_INPUT);
    assert_string_equal(s, "kept");
    assert_true(b && v == 5 && n == 6 && out.index == 77);
    ckda_doc_close(&doc);
}

static void
members_come_in_file_order(void **state)
{
    (void)state;
    ckda_doc *doc = good("{\"z\": 1, \"a\": 2, \"m\": 3, \"e\": {}, \"l\": []}");
    ckda_node root = ckda_doc_root(doc), m, none;
    char seen[16] = "";
    for (bool more = ckda_node_first(&m, &root); more; more = ckda_node_next(&m))
        strcat(seen, m.key);
    assert_string_equal(seen, "zamel");
    assert_int_equal(ckda_node_member(&m, &root, "e", NULL), CKDA_OK);
    assert_false(ckda_node_first(&none, &m));
    assert_int_equal(ckda_node_member(&m, &root, "l", NULL), CKDA_OK);
    assert_false(ckda_node_first(&none, &m));
    ckda_doc_close(&doc);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(syntax_errors_name_line_and_column),
        cmocka_unit_test(duplicate_members_are_refused),
        cmocka_unit_test(empty_texts_are_refused),
        cmocka_unit_test(bad_utf8_and_escaped_nul_are_refused),
        cmocka_unit_test(numbers_beyond_64_bits_are_refused_with_a_hint),
        cmocka_unit_test(deep_nesting_is_refused_not_crashed),
        cmocka_unit_test(byte_order_mark_is_skipped),
        cmocka_unit_test(wrapped_tree_keeps_its_own_reference),
        cmocka_unit_test(leaves_are_read),
        cmocka_unit_test(extreme_integers_survive),
        cmocka_unit_test(failed_readers_leave_results_alone),
        cmocka_unit_test(members_come_in_file_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
