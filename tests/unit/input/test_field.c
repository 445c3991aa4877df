/* The field of a document: given, or found. */
#include "read_text.h"

static void
field_is(const char *text, slong degree, const char *member)
{
    ckda_field_t K;
    ckda_elem_t x;
    ckda_error err = {{0}};
    ckda_doc *doc = parse_text(text);
    const ckda_node root = ckda_doc_root(doc);
    if (ckda_input_field(K, &root, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    assert_int_equal(K->degree, degree);
    ckda_elem_init(x, K);
    assert_int_equal(ckda_elem_set_str(x, member, K, NULL), CKDA_OK);
    ckda_elem_clear(x, K);
    ckda_field_clear(K);
    ckda_doc_close(&doc);
}

static void
refused(ckda_status status, const char *text, const char *want)
{
    ckda_field_t K;
    ckda_error err = {{0}};
    ckda_doc *doc = parse_text(text);
    const ckda_node root = ckda_doc_root(doc);
    assert_int_equal(ckda_input_field(K, &root, &err), status);
    assert_string_equal(err.text, want);
    ckda_doc_close(&doc);
}

static void
given_fields(void **state)
{
    (void)state;
    field_is("{\"field\": \"Q\"}", 1, "1/2");
    field_is("{\"field\": {\"sqrt\": 5}}", 2, "sqrt(5)");
    field_is("{\"field\": {\"sqrt\": 8}}", 2, "sqrt(2)");
    field_is("{\"field\": {\"cos\": 12}}", 2, "cos(pi/6)");
    field_is("{\"field\": {\"cos\": 1}}", 1, "2");
    field_is("{\"field\": {\"of\": [\"sqrt(2)\", \"sqrt(3)\"]}}", 4, "sqrt(6)");
}

static void
given_fields_win_over_the_numbers(void **state)
{
    (void)state;
    field_is("{\"field\": {\"cos\": 20}, \"matrix\": [[\"sqrt(5)\"]]}", 4, "cos(pi/10)");
}

static void
smallest_field_of_number_members_at_any_depth(void **state)
{
    (void)state;
    field_is("{\"a\": {\"b\": [{\"key\": [1, \"sqrt(2)\"]}]}, \"note\": \"sqrt(7)\"}", 2,
             "sqrt(2)");
    field_is("{\"letters\": {\"x\": {\"matrix\": [[\"sqrt(3)\"]]}}}", 2, "sqrt(3)");
    field_is("{\"beta\": \"sqrt(2)\", \"gate\": [\"sqrt(8)\", \"1+sqrt(2)\", 7]}", 2,
             "sqrt(2)");
    field_is("{\"beta\": \"1/3\", \"expect\": {\"states\": 7200}}", 1, "1/3");
    field_is("{\"value\": \"root(x^2-x-1, 1.6)\"}", 2, "sqrt(5)");
    field_is("{}", 1, "0");
}

static void
list_is_numbers_throughout(void **state)
{
    (void)state;
    field_is("[[1, \"sqrt(2)\"], [\"cos(2*pi/5)\", 0]]", 4, "sqrt(10)");
}

static void
own_list_of_members(void **state)
{
    (void)state;
    static const char *const angle[] = {"cosine"};
    ckda_field_t K;
    ckda_doc *doc = parse_text("{\"cosine\": \"cos(2*pi/7)\", \"beta\": \"sqrt(2)\"}");
    const ckda_node root = ckda_doc_root(doc);
    assert_int_equal(ckda_input_field_of(K, &root, angle, 1, NULL), CKDA_OK);
    assert_int_equal(K->degree, 3);
    ckda_field_clear(K);
    ckda_doc_close(&doc);
}

static void
wrong_given_fields_are_refused(void **state)
{
    (void)state;
#define FORMS "expected \"Q\", {\"sqrt\": n}, {\"cos\": N} or {\"of\": [numbers]}, found "
    refused(CKDA_E_INPUT, "{\"field\": \"R\"}", "a.json: field: " FORMS "\"R\"");
    refused(CKDA_E_INPUT, "{\"field\": {}}", "a.json: field: " FORMS "an empty object");
    refused(CKDA_E_INPUT, "{\"field\": {\"sqr\": 5}}",
            "a.json: field: " FORMS "an object with members sqr");
    refused(CKDA_E_INPUT, "{\"field\": {\"sqrt\": 9}}",
            "a.json: field.sqrt: expected a number that is no square, found 9");
    refused(CKDA_E_INPUT, "{\"field\": {\"sqrt\": -5}}",
            "a.json: field.sqrt: expected an integer from 2 to 1000000000, found -5");
    refused(CKDA_E_INPUT, "{\"field\": {\"cos\": 0}}",
            "a.json: field.cos: expected an integer from 1 to 1000000, found 0");
    refused(CKDA_E_INPUT, "{\"field\": {\"cos\": 997}}",
            "a.json: field.cos: expected an N with phi(N)/2 at most 64, found 997");
    refused(CKDA_E_INPUT, "{\"field\": {\"of\": [0.5]}}",
            "a.json: field.of[0]: expected an exact number, found 0.5 (write \"1/2\")");
}

static void
too_large_field_is_a_limit(void **state)
{
    (void)state;
    refused(CKDA_E_UNABLE, "[\"sqrt(2)\", \"root(x^67-3, 1.0165)\"]",
            "a.json: expected numbers in a field of degree at most 64 (16 where none of "
            "them generates it), found a field beyond that");
    refused(CKDA_E_UNABLE, "[\"sqrt(2)\", \"root(x^11-3, 1.1)\"]",
            "a.json: expected numbers in a field of degree at most 64 (16 where none of "
            "them generates it), found a field beyond that");
}

static void
non_real_number_is_refused_at_its_place(void **state)
{
    (void)state;
    refused(CKDA_E_INPUT, "{\"gate\": [1, \"sqrt(2)\", \"sqrt(-2)\"]}",
            "a.json: gate[2]: expected a real number, found \"sqrt(-2)\"");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(given_fields),
        cmocka_unit_test(given_fields_win_over_the_numbers),
        cmocka_unit_test(smallest_field_of_number_members_at_any_depth),
        cmocka_unit_test(list_is_numbers_throughout),
        cmocka_unit_test(own_list_of_members),
        cmocka_unit_test(wrong_given_fields_are_refused),
        cmocka_unit_test(too_large_field_is_a_limit),
        cmocka_unit_test(non_real_number_is_refused_at_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
