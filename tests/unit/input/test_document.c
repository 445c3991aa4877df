/* Good documents of every kind. */
#include "read_text.h"

#define CKDA(beta, key, gate)                                                            \
    "{\"family\": \"ckda\", \"beta\": " beta ", \"key\": " key ", \"gate\": " gate "}"

/* The document's matrix is the one of the text "[[...]]" in the document's field. */
static void
matrix_is(const char *text, slong n, const char *const *want)
{
    ckda_input_t in;
    ckda_mat_t A;
    ckda_error err = {{0}};
    read_text(in, text);
    if (ckda_input_matrix(A, in, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    assert_int_equal(in->n, n);
    assert_int_equal(A->rows, n);
    assert_int_equal(A->cols, n);
    for (slong i = 0; i < n * n; i++)
        assert_elem(A->entry + i, want[i], in->K);
    ckda_mat_clear(A, in->K);
    ckda_input_clear(in);
}
#define MATRIX_IS(text, n, ...) matrix_is(text, n, (const char *const[]){__VA_ARGS__})

static void
transition_of_the_contract(void **state)
{
    (void)state;
    ckda_input_t in;
    read_text(in, CKDA("\"2\"", "[\"1\", \"1\"]", "[\"-1\", \"1\"]"));
    assert_int_equal(in->kind, CKDA_INPUT_TRANSITION);
    assert_int_equal(in->ntrans, 1);
    assert_int_equal(in->trans->family, CKDA_CKDA);
    assert_int_equal(in->K->degree, 1);
    assert_elem(in->trans->gate, "-1", in->K);
    ckda_input_clear(in);
    MATRIX_IS(CKDA("\"2\"", "[\"1\", \"1\"]", "[\"-1\", \"1\"]"), 2, "0", "-1", "1", "0");
}

static void
every_family_reads(void **state)
{
    (void)state;
    MATRIX_IS("{\"family\": \"deltanet\", \"beta\": 2, \"key\": [1, 1]}", 2, "0", "-1",
              "-1", "0");
    MATRIX_IS("{\"family\": \"deltanet\", \"beta\": 0, \"key\": [1], \"gate\": 1}", 1,
              "1");
    MATRIX_IS("{\"family\": \"gdn\", \"beta\": 2, \"key\": [1, 1], \"gate\": \"1/2\"}", 2,
              "0", "-1/2", "-1/2", "0");
    MATRIX_IS("{\"family\": \"kda\", \"beta\": 1, \"key\": [1, 1], \"gate\": [1, 0]}", 2,
              "1/2", "0", "-1/2", "0");
    MATRIX_IS(
        "{\"family\": \"deltaproduct\", \"betas\": [2, 2], \"keys\": [[1, 0], [1, 1]]}",
        2, "0", "-1", "1", "0"); /* keys[0] acts first */
    MATRIX_IS(
        "{\"family\": \"deltaproduct\", \"betas\": [2], \"keys\": [[1]], \"gate\": -1}",
        1, "1");
}

static void
unchecked_lifts_the_ranges(void **state)
{
    (void)state;
    MATRIX_IS("{\"family\": \"ckda\", \"unchecked\": true, \"beta\": 3, \"key\": [1], "
              "\"gate\": [5]}",
              1, "-10");
    MATRIX_IS("{\"family\": \"kda\", \"unchecked\": false, \"beta\": 1, \"key\": [1], "
              "\"gate\": [1]}",
              1, "0");
}

static void
product_applies_the_first_element_first(void **state)
{
    (void)state;
    /* quarter turn after a flip of the first coordinate */
    MATRIX_IS("{\"product\": [" CKDA("2", "[1, 0]", "[1, 1]") ", " CKDA("2", "[1, 1]",
                                                                        "[-1, 1]") "]}",
              2, "0", "-1", "-1", "0");
    MATRIX_IS("{\"product\": [" CKDA("2", "[1, 1]", "[-1, 1]") ", " CKDA("2", "[1, 0]",
                                                                         "[1, 1]") "]}",
              2, "0", "1", "1", "0");
}

static void
diagonal_plus_rank_one(void **state)
{
    (void)state;
    MATRIX_IS("{\"diagonal\": [\"1/5\", \"11/5\"], \"u\": [\"1\", \"2\"], \"v\": "
              "[\"2/5\", \"-4/5\"]}",
              2, "3/5", "-4/5", "4/5", "3/5");
}

static void
matrix_with_integers_and_strings(void **state)
{
    (void)state;
    MATRIX_IS("{\"matrix\": [[0, \"-1\"], [\"1\", 0]], \"comment\": \"a quarter turn\"}",
              2, "0", "-1", "1", "0");
}

static void
permutation_and_map(void **state)
{
    (void)state;
    MATRIX_IS("{\"permutation\": [1, 2, 0]}", 3, "0", "0", "1", "1", "0", "0", "0", "1",
              "0");
    MATRIX_IS("{\"permutation\": \"(1,2,3)\"}", 3, "0", "0", "1", "1", "0", "0", "0", "1",
              "0");
    MATRIX_IS("{\"permutation\": \"[1,2,0]\"}", 3, "0", "0", "1", "1", "0", "0", "0", "1",
              "0");
    MATRIX_IS("{\"permutation\": \"()\"}", 1, "1");
    MATRIX_IS("{\"map\": [0, 0, 1]}", 3, "1", "1", "0", "0", "0", "1", "0", "0", "0");
}

static void
field_is_found_for_the_whole_document(void **state)
{
    (void)state;
    ckda_input_t in;
    read_text(in, "{\"matrix\": [[\"sqrt(2)\", \"sqrt(3)\"], [\"sqrt(6)\", 1]]}");
    assert_int_equal(in->K->degree, 4);
    assert_elem(ckda_mat_entry(in->matrix, 1, 0), "sqrt(2)*sqrt(3)", in->K);
    ckda_input_clear(in);
    read_text(
        in,
        "{\"matrix\": [[\"(1+sqrt(5))/4\", \"cos(2*pi/5)\"], [\"sqrt(20)\", \"-1/2\"]]}");
    assert_int_equal(in->K->degree, 2);
    ckda_input_clear(in);
    read_text(in, "{\"matrix\": [[\"sqrt(9)\"]]}");
    assert_int_equal(in->K->degree, 1);
    ckda_input_clear(in);
    read_text(in, "{\"field\": {\"cos\": 20}, \"matrix\": [[\"sqrt(5)\"]]}");
    assert_int_equal(in->K->degree, 4);
    ckda_input_clear(in);
}

static void
affine_system_with_and_without_offsets(void **state)
{
    (void)state;
    ckda_input_t in;
    read_text(
        in,
        "{\"affine\": {\"initial\": [[1, 2], [3, 4]], \"letters\": {\"z\": {\"matrix\": "
        "[[0, 1], [1, 0]]}, \"a\": {\"matrix\": [[1, 0], [0, 1]], \"offset\": [[0, 0], "
        "[0, "
        "\"sqrt(2)\"]]}}}}");
    assert_int_equal(in->kind, CKDA_INPUT_AFFINE);
    assert_int_equal(in->n, 2);
    assert_int_equal(in->nletters, 2);
    assert_string_equal(in->letter[0], "z");
    assert_string_equal(in->letter[1], "a");
    assert_non_null(in->offset);
    assert_true(ckda_mat_is_zero(in->offset, in->K));
    assert_elem(ckda_mat_entry(in->offset + 1, 1, 1), "sqrt(2)", in->K);
    assert_elem(ckda_mat_entry(in->initial, 1, 0), "3", in->K);
    assert_true(ckda_mat_is_one(in->linear + 1, in->K));
    ckda_input_clear(in);
    read_text(
        in,
        "{\"affine\": {\"initial\": [[1]], \"letters\": {\"a\": {\"matrix\": [[2]]}}}}");
    assert_null(in->offset);
    ckda_input_clear(in);
}

static void
chosen_names_are_not_taken_for_number_members(void **state)
{
    (void)state;
    ckda_input_t in;
    read_text(in,
              "{\"group\": {\"generators\": {\"v\": \"(1,2)\", \"beta\": \"(2,3)\"}}}");
    assert_int_equal(in->G->order, 6);
    ckda_input_clear(in);
    read_text(
        in,
        "{\"affine\": {\"initial\": [[1]], \"letters\": {\"matrix\": {\"matrix\": [[2]], "
        "\"comment\": \"twice\"}, \"u\": {\"matrix\": [[\"sqrt(3)\"]]}}}, "
        "\"comment\": \"sqrt(7)\"}");
    assert_int_equal(in->K->degree, 2);
    assert_elem(in->linear[1].entry, "sqrt(3)", in->K);
    ckda_input_clear(in);
}

static void
groups_and_systems_have_no_single_matrix(void **state)
{
    (void)state;
    ckda_input_t in;
    ckda_mat_t A;
    ckda_error err = {{0}};
    read_text(in, "{\"group\": {\"generators\": {\"a\": \"(1,2)\"}}}");
    assert_int_equal(ckda_input_matrix(A, in, &err), CKDA_E_DOMAIN);
    assert_string_equal(err.text,
                        "expected a document that describes one matrix, found kind "
                        "\"group\"");
    ckda_input_clear(in);
}

static void
kinds_have_names(void **state)
{
    (void)state;
    assert_string_equal(ckda_input_kind_name(CKDA_INPUT_TRANSITION), "transition");
    assert_string_equal(ckda_input_kind_name(CKDA_INPUT_DPR1), "dpr1");
    assert_string_equal(ckda_input_kind_name(CKDA_INPUT_AFFINE), "affine");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transition_of_the_contract),
        cmocka_unit_test(every_family_reads),
        cmocka_unit_test(unchecked_lifts_the_ranges),
        cmocka_unit_test(product_applies_the_first_element_first),
        cmocka_unit_test(diagonal_plus_rank_one),
        cmocka_unit_test(matrix_with_integers_and_strings),
        cmocka_unit_test(permutation_and_map),
        cmocka_unit_test(field_is_found_for_the_whole_document),
        cmocka_unit_test(affine_system_with_and_without_offsets),
        cmocka_unit_test(chosen_names_are_not_taken_for_number_members),
        cmocka_unit_test(groups_and_systems_have_no_single_matrix),
        cmocka_unit_test(kinds_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
