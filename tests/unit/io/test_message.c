/* Messages: JSON path, what was expected, what was found, and a hint where one helps. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "ckda/doc.h"

static ckda_doc *
good(const char *text)
{
    ckda_doc *doc = NULL;
    ckda_error err = {{0}};
    if (ckda_doc_parse(&doc, text, "a.json", &err) != CKDA_OK)
        fail_msg("%s", err.text);
    return doc;
}

/* The message for one item of a list that is no exact number. */
static void
number_message(const char *json, const char *want)
{
    char text[256], buf[32];
    const char *s;
    ckda_error err;
    snprintf(text, sizeof text, "[%s]", json);
    ckda_doc *doc = good(text);
    ckda_node root = ckda_doc_root(doc), at;
    assert_int_equal(ckda_node_item(&at, &root, 0, NULL), CKDA_OK);
    assert_int_equal(ckda_node_number(&s, buf, &at, &err), CKDA_E_INPUT);
    assert_string_equal(err.text, want);
    ckda_doc_close(&doc);
}

static void
path_of_a_deep_value(void **state)
{
    (void)state;
    ckda_doc *doc = good("{\"product\": [{}, {\"key\": [0.5]}]}");
    ckda_node root = ckda_doc_root(doc), product, second, key, at;
    const char *s;
    char buf[32];
    ckda_error err;
    assert_int_equal(ckda_node_member(&product, &root, "product", NULL), CKDA_OK);
    assert_int_equal(ckda_node_item(&second, &product, 1, NULL), CKDA_OK);
    assert_int_equal(ckda_node_member(&key, &second, "key", NULL), CKDA_OK);
    assert_int_equal(ckda_node_item(&at, &key, 0, NULL), CKDA_OK);
    assert_int_equal(ckda_node_number(&s, buf, &at, &err), CKDA_E_INPUT);
    assert_string_equal(err.text, "a.json: product[1].key[0]: expected an exact number, "
                                  "found 0.5 (write \"1/2\")");
    ckda_doc_close(&doc);
}

static void
decimals_get_the_fraction_they_mean(void **state)
{
    (void)state;
#define IT "a.json: [0]: expected an exact number, found "
    number_message("0.1", IT "0.1 (write \"1/10\")");
    number_message("-0.25", IT "-0.25 (write \"-1/4\")");
    number_message("1.6180339887", IT "1.6180339887 (write \"16180339887/10000000000\")");
    number_message("2.0", IT "2 (write \"2\")");
    number_message("1e3", IT "1e+03 (write \"1000\")");
    number_message("1e-3", IT "0.001 (write \"1/1000\")");
    number_message("1e-30",
                   IT "1e-30 (write a string with an exact number, such as \"1/10\")");
    number_message("1e300",
                   IT "1e+300 (write a string with an exact number, such as \"1/10\")");
    number_message(
        "0.30000000000000004",
        IT "0.30000000000000004 (write a string with an exact number, such as \"1/10\")");
    number_message("0.0", IT "0 (write \"0\")");
}

static void
every_kind_of_value_is_described(void **state)
{
    (void)state;
    number_message("true", IT "true");
    number_message("null", IT "null");
    number_message("[]", IT "an empty list");
    number_message("[1,2]", IT "a list of 2");
    number_message("{}", IT "an empty object");
    number_message("{\"b\":1,\"a b\":2}", IT "an object with members b, \"a b\"");
    number_message(
        "{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,\"i\":1}",
        IT "an object with members a, b, c, d, e, f, g, h, ... (9 in all)");
}

/* Asks the node for a boolean, which it is not. */
static void
text_message(const char *string, const char *want)
{
    ckda_error err;
    bool b;
    json_t *tree = json_pack("[s]", string);
    ckda_doc *doc = ckda_doc_wrap(tree, "x");
    json_decref(tree);
    ckda_node root = ckda_doc_root(doc), at;
    assert_int_equal(ckda_node_item(&at, &root, 0, NULL), CKDA_OK);
    assert_int_equal(ckda_node_bool(&b, &at, &err), CKDA_E_INPUT);
    assert_string_equal(err.text, want);
    ckda_doc_close(&doc);
}

static void
strings_are_quoted_escaped_and_cut_between_characters(void **state)
{
    (void)state;
    char text[400] = "", want[500];
    text_message("a\n\x01", "x: [0]: expected true or false, found \"a\\n\\u0001\"");
    text_message("\xC3\xA4", "x: [0]: expected true or false, found \"\xC3\xA4\"");
    for (int i = 0; i < 60; i++)
        strcat(text, "\xC3\xA4");
    snprintf(want, sizeof want, "x: [0]: expected true or false, found \"%.58s...", text);
    text_message(text, want);
}

static void
root_and_odd_member_names_have_places(void **state)
{
    (void)state;
    ckda_doc *doc = good("{\"a b\": {\"(1,2)\": [[1]]}, \"\": 1}");
    ckda_node root = ckda_doc_root(doc), m, n, l, i;
    char buf[80], tiny[8];
    ckda_node_place(buf, sizeof buf, &root);
    assert_string_equal(buf, "a.json");
    assert_int_equal(ckda_node_member(&m, &root, "a b", NULL), CKDA_OK);
    assert_int_equal(ckda_node_member(&n, &m, "(1,2)", NULL), CKDA_OK);
    assert_int_equal(ckda_node_item(&l, &n, 0, NULL), CKDA_OK);
    assert_int_equal(ckda_node_item(&i, &l, 0, NULL), CKDA_OK);
    ckda_node_place(buf, sizeof buf, &i);
    assert_string_equal(buf, "a.json: [\"a b\"][\"(1,2)\"][0][0]");
    ckda_node_place(tiny, sizeof tiny, &i);
    assert_string_equal(tiny, "a.json:");
    assert_int_equal(ckda_node_member(&m, &root, "", NULL), CKDA_OK);
    ckda_node_place(buf, sizeof buf, &m);
    assert_string_equal(buf, "a.json: [\"\"]");
    ckda_doc_close(&doc);
}

static void
missing_member_lists_what_is_there(void **state)
{
    (void)state;
    ckda_doc *doc = good("{\"bata\": 1}");
    ckda_node root = ckda_doc_root(doc), m;
    ckda_error err;
    assert_int_equal(ckda_node_member(&m, &root, "beta", &err), CKDA_E_INPUT);
    assert_string_equal(err.text,
                        "a.json: expected a member \"beta\", found an object with "
                        "members bata");
    ckda_doc_close(&doc);
}

static void
out_of_range_integer_names_the_range(void **state)
{
    (void)state;
    ckda_doc *doc = good("{\"n\": 9}");
    ckda_node root = ckda_doc_root(doc);
    ckda_error err;
    long v;
    assert_int_equal(ckda_node_get_long(&v, &root, "n", 1, 8, &err), CKDA_E_INPUT);
    assert_string_equal(err.text, "a.json: n: expected an integer from 1 to 8, found 9");
    ckda_doc_close(&doc);
}

static void
unknown_members_are_named_with_a_guess(void **state)
{
    (void)state;
    const char *const known[] = {"family", "beta", "key", "gate", "unchecked"};
    ckda_doc *doc = good("{\"beta\": 1, \"unchekced\": true}"),
             *odd = good("{\"zebra\": 1}");
    ckda_node root = ckda_doc_root(doc), other = ckda_doc_root(odd), at;
    ckda_error err;
    assert_int_equal(ckda_node_only(&root, known, 5, &err), CKDA_E_INPUT);
    assert_string_equal(
        err.text, "a.json: expected one of family, beta, key, gate, unchecked, found the "
                  "member \"unchekced\" (did you mean \"unchecked\"?)");
    assert_int_equal(ckda_node_only(&other, known, 5, &err), CKDA_E_INPUT);
    assert_non_null(strstr(err.text, "found the member \"zebra\""));
    assert_null(strstr(err.text, "did you mean"));
    assert_int_equal(ckda_node_member(&at, &root, "beta", NULL), CKDA_OK);
    assert_int_equal(ckda_node_only(&at, known, 5, &err), CKDA_E_INPUT);
    assert_int_equal(
        ckda_node_only(&root, (const char *const[]){"beta", "unchekced"}, 2, &err),
        CKDA_OK);
    ckda_doc_close(&doc);
    ckda_doc_close(&odd);
}

static void
closest_word_is_near_or_nothing(void **state)
{
    (void)state;
    const char *const known[] = {"kda", "ckda", "gdn", "deltanet", "deltaproduct"};
    assert_string_equal(ckda_text_closest("ckad", known, 5), "ckda");
    assert_string_equal(ckda_text_closest("deltane", known, 5), "deltanet");
    assert_string_equal(ckda_text_closest("delta-net", known, 5), "deltanet");
    assert_string_equal(ckda_text_closest("kda", known, 5), "kda");
    assert_null(ckda_text_closest("", known, 5));
    assert_null(ckda_text_closest("x", known, 5));
    assert_null(ckda_text_closest("rwkv7", known, 5));
    assert_null(ckda_text_closest(
        "a word far longer than any name that the program knows", known, 5));
    assert_null(ckda_text_closest("kda", known, 0));
}

static void
inner_place_is_joined_to_the_path(void **state)
{
    (void)state;
    ckda_doc *doc = good("{\"product\": [1]}");
    ckda_node root = ckda_doc_root(doc), list, at;
    ckda_error err;
    assert_int_equal(ckda_node_member(&list, &root, "product", NULL), CKDA_OK);
    assert_int_equal(ckda_node_item(&at, &list, 0, NULL), CKDA_OK);
    ckda_error_set(&err, "gate[2]: expected less");
    assert_int_equal(ckda_node_fail_inside(&at, &err), CKDA_E_INPUT);
    assert_string_equal(err.text, "a.json: product[0].gate[2]: expected less");
    ckda_error_set(&err, "gate[2]: expected less");
    assert_int_equal(ckda_node_fail_inside(&root, &err), CKDA_E_INPUT);
    assert_string_equal(err.text, "a.json: gate[2]: expected less");
    assert_int_equal(ckda_node_fail_inside(&root, NULL), CKDA_E_INPUT);
    assert_int_equal(ckda_node_fail(&root, NULL, "x", "y"), CKDA_E_INPUT);
    ckda_doc_close(&doc);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path_of_a_deep_value),
        cmocka_unit_test(decimals_get_the_fraction_they_mean),
        cmocka_unit_test(every_kind_of_value_is_described),
        cmocka_unit_test(strings_are_quoted_escaped_and_cut_between_characters),
        cmocka_unit_test(root_and_odd_member_names_have_places),
        cmocka_unit_test(missing_member_lists_what_is_there),
        cmocka_unit_test(out_of_range_integer_names_the_range),
        cmocka_unit_test(unknown_members_are_named_with_a_guess),
        cmocka_unit_test(closest_word_is_near_or_nothing),
        cmocka_unit_test(inner_place_is_joined_to_the_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
