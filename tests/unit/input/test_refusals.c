/* Every kind of bad input gives its own message: place, expected, found. */
#include "read_text.h"

/* The document must be refused with exactly this message. */
static void
refused_as(ckda_status status, const char *text, const char *want)
{
    ckda_input_t in;
    ckda_error err = {{0}};
    ckda_doc *doc = parse_text(text);
    const ckda_node root = ckda_doc_root(doc);
    memset(in, 7, sizeof *in);
    assert_int_equal(ckda_input_read(in, &root, &err), status);
    assert_string_equal(err.text, want);
    assert_int_equal(((unsigned char *)in)[0], 7); /* left alone */
    assert_int_equal(ckda_input_read(in, &root, NULL), status);
    ckda_doc_close(&doc);
}

static void
refused(const char *text, const char *want)
{
    refused_as(CKDA_E_INPUT, text, want);
}

/* The message only has to begin so: the rest is the number parser's. */
static void
refused_beginning(const char *text, const char *want, const char *part)
{
    ckda_input_t in;
    ckda_error err = {{0}};
    ckda_doc *doc = parse_text(text);
    const ckda_node root = ckda_doc_root(doc);
    assert_int_equal(ckda_input_read(in, &root, &err), CKDA_E_INPUT);
    if (strncmp(err.text, want, strlen(want)) != 0 || strstr(err.text, part) == NULL)
        fail_msg("expected \"%s ... %s\", got \"%s\"", want, part, err.text);
    ckda_doc_close(&doc);
}

#define CKDA(beta, key, gate)                                                            \
    "{\"family\": \"ckda\", \"beta\": " beta ", \"key\": " key ", \"gate\": " gate "}"

static void
unknown_document_lists_what_exists(void **state)
{
    (void)state;
#define KINDS                                                                            \
    "a.json: expected one of family, product, diagonal, matrix, permutation, map, "      \
    "group, "                                                                            \
    "affine, dfa, wfa, found "
    refused("{\"x\": 1, \"y\": 2}", KINDS "an object with members x, y");
    refused("{}", KINDS "an empty object");
    refused("[1]", KINDS "a list of 1");
    refused("{\"matrx\": [[1]]}",
            KINDS "an object with members matrx (did you mean \"matrix\"?)");
}

static void
unknown_family_lists_families(void **state)
{
    (void)state;
#define FAMILIES                                                                         \
    "a.json: family: expected one of deltanet, gdn, kda, ckda, deltaproduct, "           \
    "rwkv7, mdn, sfda, found "
    refused("{\"family\": \"mamba\"}", FAMILIES "\"mamba\"");
    refused("{\"family\": \"ckad\"}", FAMILIES "\"ckad\" (did you mean \"ckda\"?)");
    refused("{\"family\": 3}", "a.json: family: expected a string, found 3");
}

static void
unknown_member_is_named_with_a_guess(void **state)
{
    (void)state;
    refused("{\"family\": \"ckda\", \"bet\": 1, \"key\": [1], \"gate\": [1]}",
            "a.json: expected one of family, unchecked, comment, beta, key, gate, field, "
            "found "
            "the member \"bet\" (did you mean \"beta\"?)");
    refused("{\"matrix\": [[1]], \"gate\": [1]}",
            "a.json: expected one of field, comment, matrix, found the member \"gate\"");
    refused("{\"product\": [{\"family\": \"ckda\", \"field\": \"Q\"}]}",
            "a.json: product[0]: expected one of family, unchecked, comment, beta, key, "
            "gate, "
            "found the member \"field\"");
}

static void
missing_member_is_named(void **state)
{
    (void)state;
    refused("{\"family\": \"ckda\", \"beta\": 1, \"key\": [1]}",
            "a.json: expected a member \"gate\", found an object with members family, "
            "beta, key");
    refused("{\"family\": \"gdn\", \"beta\": 1, \"key\": [1]}",
            "a.json: expected a member \"gate\", found an object with members family, "
            "beta, key");
    refused("{\"diagonal\": [1], \"u\": [1]}",
            "a.json: expected a member \"v\", found an object with members diagonal, u");
    refused("{\"affine\": {\"letters\": {}}}",
            "a.json: affine: expected a member \"initial\", found an object with members "
            "letters");
}

static void
decimals_are_refused_with_the_fraction(void **state)
{
    (void)state;
    refused(CKDA("0.1", "[1]", "[1]"),
            "a.json: beta: expected an exact number, found 0.1 (write \"1/10\")");
    refused(
        "{\"product\": [" CKDA("1", "[1]", "[1]") ", " CKDA("1", "[0.5]", "[1]") "]}",
        "a.json: product[1].key[0]: expected an exact number, found 0.5 (write \"1/2\")");
    refused_beginning(CKDA("\"0.1\"", "[1]", "[1]"), "a.json: beta: ", "1/10");
}

static void
malformed_numbers_are_placed(void **state)
{
    (void)state;
    refused_beginning("{\"matrix\": [[\"1/\"]]}", "a.json: matrix[0][0]: ", "");
    refused_beginning("{\"matrix\": [[1, \"sqrt(5\"], [0, 1]]}",
                      "a.json: matrix[0][1]: ", "");
    refused_beginning("{\"matrix\": [[\"1/0\"]]}", "a.json: matrix[0][0]: ", "");
    refused_beginning("{\"matrix\": [[\"\"]]}", "a.json: matrix[0][0]: ", "");
    refused("{\"matrix\": [[true]]}",
            "a.json: matrix[0][0]: expected an exact number, found true");
    refused("{\"matrix\": [[\"sqrt(-1)\"]]}",
            "a.json: matrix[0][0]: expected a real number, found \"sqrt(-1)\"");
}

static void
zero_key_is_refused_even_unchecked(void **state)
{
    (void)state;
    refused(CKDA("2", "[0, \"0\"]", "[1, 1]"),
            "a.json: key: expected a nonzero direction, found only zeros");
    refused(CKDA("2", "[\"sqrt(4)-2\"]", "[1]"),
            "a.json: key: expected a nonzero direction, found only zeros");
    refused("{\"family\": \"ckda\", \"unchecked\": true, \"beta\": 7, \"key\": [0], "
            "\"gate\": [9]}",
            "a.json: key: expected a nonzero direction, found only zeros");
    refused(
        "{\"family\": \"deltaproduct\", \"betas\": [1, 1], \"keys\": [[1, 2], [0, 0]]}",
        "a.json: keys[1]: expected a nonzero direction, found only zeros");
}

static void
values_out_of_range_name_the_range(void **state)
{
    (void)state;
    refused(CKDA("2", "[1, 1]", "[\"-1\", \"3/2\"]"),
            "a.json: gate[1]: expected a number in [-1, 1] (family ckda), found 3/2");
    refused(
        "{\"product\": [" CKDA("\"5/2\"", "[1]", "[1]") "]}",
        "a.json: product[0].beta: expected a number in [0, 2] (family ckda), found 5/2");
    refused("{\"family\": \"kda\", \"beta\": \"3/2\", \"key\": [1], \"gate\": [1]}",
            "a.json: beta: expected a number in [0, 1] (family kda), found 3/2");
    refused("{\"family\": \"gdn\", \"beta\": 1, \"key\": [1], \"gate\": -1}",
            "a.json: gate: expected a number in [0, 1] (family gdn), found -1");
    refused("{\"family\": \"deltanet\", \"beta\": 1, \"key\": [1], \"gate\": 0}",
            "a.json: gate: expected 1 (family deltanet), found 0");
    refused(
        "{\"family\": \"deltaproduct\", \"betas\": [1, -1], \"keys\": [[1], [1]]}",
        "a.json: betas[1]: expected a number in [0, 2] (family deltaproduct), found -1");
}

static void
lengths_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    refused(CKDA("2", "[1, 1]", "[1]"),
            "a.json: gate: expected a list of 2 numbers, found a list of 1");
    refused(CKDA("2", "[1]", "1"), "a.json: gate: expected a list of 1 numbers, found 1");
    refused(
        CKDA("2", "[]", "[]"),
        "a.json: key: expected a direction of at least one number, found an empty list");
    refused(CKDA("[2]", "[1]", "[1]"),
            "a.json: beta: expected an exact number, found a list of 1");
    refused("{\"family\": \"gdn\", \"beta\": 1, \"key\": [1], \"gate\": [1]}",
            "a.json: gate: expected an exact number, found a list of 1");
    refused("{\"family\": \"deltaproduct\", \"betas\": [1], \"keys\": [[1], [1]]}",
            "a.json: betas: expected a list of 2 numbers, found a list of 1");
    refused("{\"family\": \"deltaproduct\", \"betas\": [1, 1], \"keys\": [[1, 0], [1]]}",
            "a.json: keys[1]: expected a list of 2 numbers, found a list of 1");
    refused("{\"diagonal\": [1, 2], \"u\": [1, 2], \"v\": [1, 2, 3]}",
            "a.json: v: expected a list of 2 numbers, found a list of 3");
    refused("{\"diagonal\": [], \"u\": [], \"v\": []}",
            "a.json: diagonal: expected a list of numbers, found an empty list");
}

static void
products_need_one_dimension(void **state)
{
    (void)state;
    refused(
        "{\"product\": [" CKDA("1", "[1]", "[1]") ", " CKDA("1", "[1, 1]", "[1, 1]") "]}",
        "a.json: product[1]: expected a transition of dimension 1 like the first one, "
        "found "
        "dimension 2");
    refused("{\"product\": []}", "a.json: product: expected a list of 1 to 100000 "
                                 "transitions, found an empty list");
    refused("{\"product\": {}}",
            "a.json: product: expected a list, found an empty object");
    refused("{\"product\": [3]}",
            "a.json: product[0]: expected an object with a member \"family\", found 3");
}

static void
matrices_must_be_square_and_whole(void **state)
{
    (void)state;
    refused("{\"matrix\": [[1, 2, 3], [4, 5, 6]]}",
            "a.json: matrix: expected a square matrix, found 2 x 3");
    refused("{\"matrix\": [[1, 2], [3]]}",
            "a.json: matrix[1]: expected a list of 2 numbers, found a list of 1");
    refused("{\"matrix\": []}",
            "a.json: matrix: expected a list of rows, found an empty list");
    refused("{\"matrix\": [[]]}",
            "a.json: matrix[0]: expected a list of numbers, found an empty list");
    refused("{\"matrix\": 3}", "a.json: matrix: expected a list of rows, found 3");
    refused("{\"matrix\": [1]}",
            "a.json: matrix[0]: expected a list of numbers, found 1");
}

static void
permutations_and_maps_are_checked(void **state)
{
    (void)state;
    refused("{\"permutation\": [1, 1, 0]}", "a.json: permutation[1]: expected every "
                                            "point once (a permutation), found 1 again");
    refused("{\"permutation\": [1, 2, 3]}",
            "a.json: permutation[2]: expected an integer from 0 to 2, found 3");
    refused(
        "{\"permutation\": []}",
        "a.json: permutation: expected a list of 1 to 4096 points, found an empty list");
    refused("{\"map\": [0, \"1\"]}",
            "a.json: map[1]: expected an integer from 0 to 1, found \"1\"");
    refused("{\"map\": \"(1,2)\"}", "a.json: map: expected a list, found \"(1,2)\"");
    refused("{\"permutation\": \"(1,999)\"}",
            "a.json: permutation: expected points up to 256, found \"(1,999)\"");
    refused_beginning("{\"permutation\": \"(1,2\"}", "a.json: permutation: ", "");
}

#define GROUP(inside) "{\"group\": {" inside "}}"

static void
groups_are_checked(void **state)
{
    (void)state;
    refused(GROUP("\"generators\": {}"), "a.json: group.generators: expected an object "
                                         "of named permutations, found an empty "
                                         "object");
    refused(GROUP("\"generators\": {\"a\": \"(1,2)\"}, \"letters\": \"some\""),
            "a.json: group.letters: expected \"all\" or \"generators\", found \"some\"");
    refused(GROUP("\"generators\": {\"a\": \"(1,2)\"}, \"letter\": \"all\""),
            "a.json: group: expected one of generators, letters, name, comment, table, "
            "names, tracker, found the member "
            "\"letter\" (did you mean \"letters\"?)");
    refused(GROUP("\"generators\": {\"a b\": \"(1,2)\"}"),
            "a.json: group.generators[\"a b\"]: expected a name without spaces that does "
            "not begin "
            "with ( [ @ or random:, found \"a b\"");
    refused(GROUP("\"generators\": {\"a\": [1, 0], \"b\": \"(1,2,3)\"}"),
            "a.json: group.generators.a: expected a list of 3 points like the other "
            "generators, "
            "found a list of 2");
    refused(GROUP("\"generators\": {\"a\": [0, 0]}"),
            "a.json: group.generators.a[1]: expected every point once (a permutation), "
            "found 0 "
            "again");
    refused(GROUP("\"generators\": {\"a\": 3}"),
            "a.json: group.generators.a: expected cycles such as \"(1,2,3)\" or a list "
            "of images, "
            "found 3");
    refused_beginning(GROUP("\"generators\": {\"a\": \"(1,2)(2,3)\"}"),
                      "a.json: group.generators.a: ", "2 again");
}

static void
too_large_group_is_a_limit_not_an_error_of_the_input(void **state)
{
    (void)state;
    refused_as(CKDA_E_UNABLE,
               GROUP("\"name\": \"S9\", \"generators\": {\"a\": \"(1,2)\", \"b\": "
                     "\"(1,2,3,4,5,6,7,8,9)\"}"),
               "a.json: group.generators: S9: the group has more than 50000 elements");
}

#define AFFINE(initial, letters)                                                         \
    "{\"affine\": {\"initial\": " initial ", \"letters\": " letters "}}"

static void
affine_systems_are_checked(void **state)
{
    (void)state;
    refused(
        AFFINE("[[1], [2]]", "{\"a\": {\"matrix\": [[1]]}}"),
        "a.json: affine.letters.a.matrix: expected a list of 2 rows, found a list of 1");
    refused(AFFINE("[[1], [2]]",
                   "{\"a\": {\"matrix\": [[1, 0], [0, 1]], \"offset\": [[1, 2], [1, "
                   "2]]}}"),
            "a.json: affine.letters.a.offset[0]: expected a list of 1 numbers, found a "
            "list of 2");
    refused(AFFINE("[[1]]", "{}"), "a.json: affine.letters: expected an object of named "
                                   "letters, found an empty object");
    refused(
        AFFINE("[[1]]", "{\"a\": {}}"),
        "a.json: affine.letters.a: expected a member \"matrix\", found an empty object");
    refused(AFFINE("[[1]]", "{\"a\": {\"matrix\": [[1]]}, \"(b\": {\"matrix\": [[1]]}}"),
            "a.json: affine.letters[\"(b\"]: expected a name without spaces that does "
            "not begin "
            "with ( [ @ or random:, found \"(b\"");
    refused(AFFINE("[[1]]", "{\"a\": {\"matrix\": [[1]], \"ofset\": [[1]]}}"),
            "a.json: affine.letters.a: expected one of matrix, offset, comment, found "
            "the member "
            "\"ofset\" (did you mean \"offset\"?)");
    refused(AFFINE("[[1]]",
                   "{\"a\": {\"matrix\": [[1]], \"offset\": [[1]]}, \"b\": {\"matrix\": "
                   "[[0.5]]}}"),
            "a.json: affine.letters.b.matrix[0][0]: expected an exact number, found 0.5 "
            "(write "
            "\"1/2\")");
}

static void
unchecked_must_be_a_truth_value(void **state)
{
    (void)state;
    refused("{\"family\": \"ckda\", \"beta\": 1, \"key\": [1], \"gate\": [1], "
            "\"unchecked\": 1}",
            "a.json: unchecked: expected true or false, found 1");
}

static void
files_that_cannot_be_read_keep_their_status(void **state)
{
    (void)state;
    ckda_input_t in;
    ckda_error err = {{0}};
    assert_int_equal(ckda_input_open(in, "/no/such/file.json", &err), CKDA_E_IO);
    assert_non_null(strstr(err.text, "/no/such/file.json"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unknown_document_lists_what_exists),
        cmocka_unit_test(unknown_family_lists_families),
        cmocka_unit_test(unknown_member_is_named_with_a_guess),
        cmocka_unit_test(missing_member_is_named),
        cmocka_unit_test(decimals_are_refused_with_the_fraction),
        cmocka_unit_test(malformed_numbers_are_placed),
        cmocka_unit_test(zero_key_is_refused_even_unchecked),
        cmocka_unit_test(values_out_of_range_name_the_range),
        cmocka_unit_test(lengths_that_do_not_fit_are_refused),
        cmocka_unit_test(products_need_one_dimension),
        cmocka_unit_test(matrices_must_be_square_and_whole),
        cmocka_unit_test(permutations_and_maps_are_checked),
        cmocka_unit_test(groups_are_checked),
        cmocka_unit_test(too_large_group_is_a_limit_not_an_error_of_the_input),
        cmocka_unit_test(affine_systems_are_checked),
        cmocka_unit_test(unchecked_must_be_a_truth_value),
        cmocka_unit_test(files_that_cannot_be_read_keep_their_status),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
