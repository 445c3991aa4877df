/* Several heads with a joint decoder. */
#include "ckda/input_heads.h"
#include "read_text.h"

#define ONE                                                                              \
    "{\"initial\": [[1]], \"letters\": {\"a\": {\"matrix\": [[-1]]}, \"b\": "            \
    "{\"matrix\": [[1]]}}}"
#define TWO                                                                              \
    "{\"initial\": [[1, 0], [0, 1]], \"letters\": {"                                     \
    "\"b\": {\"matrix\": [[0, 1], [1, 0]], \"offset\": [[\"sqrt(5)\", 0], [0, 2]]}, "    \
    "\"a\": {\"matrix\": [[1, 0], [0, 1]]}}}"
#define DECODER                                                                          \
    "\"decoder\": {\"group\": \"D2\", \"letters\": {\"a\": \"r\", \"b\": \"s\"}}"

static void
heads_of(ckda_input_heads_t h, const char *text)
{
    ckda_error err = {{0}};
    ckda_doc *doc = parse_text(text);
    const ckda_node root = ckda_doc_root(doc);
    if (ckda_input_heads_read(h, &root, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    ckda_doc_close(&doc);
}

static void
refused(const char *text, const char *part)
{
    ckda_input_heads_t h;
    ckda_error err = {{0}};
    ckda_doc *doc = parse_text(text);
    const ckda_node root = ckda_doc_root(doc);
    memset(h, 0x5a, sizeof *h);
    assert_int_equal(ckda_input_heads_read(h, &root, &err), CKDA_E_INPUT);
    for (size_t i = 0; i < sizeof *h; i++)
        assert_int_equal(((const unsigned char *)h)[i], 0x5a);
    if (strstr(err.text, part) == NULL || strncmp(err.text, "a.json", 6) != 0)
        fail_msg("expected \"a.json: ... %s\", got \"%s\"", part, err.text);
    ckda_doc_close(&doc);
}

static void
letters_follow_the_first_head(void **state)
{
    (void)state;
    ckda_input_heads_t h;
    heads_of(h, "{\"heads\": [" ONE ", " TWO "], " DECODER "}");
    assert_int_equal(h->nheads, 2);
    assert_int_equal(h->nletters, 2);
    assert_string_equal(h->letter[0], "a");
    assert_string_equal(h->letter[1], "b");
    assert_int_equal(h->head[1].initial->rows, 2);
    assert_true(ckda_mat_is_one(h->head[1].linear, h->K)); /* a */
    assert_false(ckda_mat_is_one(h->head[1].linear + 1, h->K));
    assert_null(h->head[0].offset);
    assert_true(ckda_mat_is_zero(h->head[1].offset, h->K));
    assert_false(ckda_mat_is_zero(h->head[1].offset + 1, h->K));
    ckda_input_heads_clear(h);
}

static void
heads_share_one_field_and_one_decoder(void **state)
{
    (void)state;
    ckda_input_heads_t h;
    heads_of(h, "{\"heads\": [" ONE ", " TWO "], " DECODER "}");
    assert_int_equal(h->K->degree, 2);
    for (uint32_t k = 0; k < 2; k++) {
        assert_ptr_equal(h->head[k].K, h->K);
        assert_ptr_equal(h->head[k].G, h->G);
        assert_ptr_equal(h->head[k].letter_element, h->element);
    }
    assert_int_equal(h->G->order, 4);
    assert_int_not_equal(h->element[0], h->element[1]);
    ckda_input_heads_clear(h);
}

static void
decoder_may_be_left_out(void **state)
{
    (void)state;
    ckda_input_heads_t h;
    heads_of(h, "{\"affine\": " ONE "}");
    assert_int_equal(h->nheads, 1);
    assert_null(h->head[0].G);
    assert_false(h->has_group);
    ckda_input_heads_clear(h);
}

static void
group_may_be_given_by_generators(void **state)
{
    (void)state;
    ckda_input_heads_t h;
    heads_of(h, "{\"affine\": " ONE ", \"decoder\": {\"group\": {\"generators\": {\"x\": "
                "\"(1,2)(3,4)\"}}, \"letters\": {\"a\": \"x\", \"b\": \"()\"}}}");
    assert_int_equal(h->G->order, 2);
    assert_int_equal(h->element[1], 0);
    ckda_input_heads_clear(h);
}

static void
field_may_be_given(void **state)
{
    (void)state;
    ckda_input_heads_t h;
    heads_of(h, "{\"field\": {\"sqrt\": 3}, \"heads\": [" ONE "]}");
    assert_int_equal(h->K->degree, 2);
    ckda_input_heads_clear(h);
}

static void
letters_that_differ_are_refused(void **state)
{
    (void)state;
    refused("{\"heads\": [" ONE
            ", {\"initial\": [[1]], \"letters\": {\"a\": {\"matrix\": "
            "[[1]]}, \"c\": {\"matrix\": [[1]]}}}]}",
            "heads[1]: expected the letters of the first head");
    refused("{\"heads\": [" ONE
            ", {\"initial\": [[1]], \"letters\": {\"a\": {\"matrix\": [[1]]}}}]}",
            "heads[1]: expected the letters of the first head");
    refused("{\"heads\": [{\"initial\": [[1]], \"letters\": {\"a\": {\"matrix\": "
            "[[1]]}}}, " ONE "]}",
            "heads[1]: expected the letters of the first head");
}

static void
documents_without_heads_are_refused(void **state)
{
    (void)state;
    refused("{" DECODER "}", "affine");
    refused("{\"heads\": []}", "1 to 64 heads");
    refused("{\"heads\": [" ONE "], \"affine\": " ONE "}", "both");
    refused("{\"heads\": [" ONE "], \"decodr\": 1}", "decodr");
}

static void
shapes_are_refused_by_their_place(void **state)
{
    (void)state;
    refused("{\"heads\": [" ONE
            ", {\"initial\": [[1]], \"letters\": {\"a\": {\"matrix\": "
            "[[1, 2]]}, \"b\": {\"matrix\": [[1]]}}}]}",
            "heads[1].letters.a.matrix");
}

static void
decoders_with_faults_are_refused(void **state)
{
    (void)state;
    refused("{\"affine\": " ONE ", \"decoder\": {\"letters\": {}}}", "group");
    refused("{\"affine\": " ONE ", \"decoder\": {\"group\": \"Q8\", \"letters\": {}}}",
            "decoder.group");
    refused("{\"affine\": " ONE ", \"decoder\": {\"group\": \"Z2\", \"letters\": {\"a\": "
            "\"1\"}}}",
            "\"b\"");
    refused("{\"affine\": " ONE ", \"decoder\": {\"group\": \"Z2\", \"letters\": {\"a\": "
            "\"1\", \"b\": \"(1,9)\"}}}",
            "decoder.letters.b");
    refused("{\"affine\": " ONE ", \"decoder\": {\"group\": \"Z2\", \"letters\": {\"a\": "
            "\"1\", \"b\": \"0\", \"c\": \"1\"}}}",
            "\"c\"");
}

static void
built_in_system_is_one_head(void **state)
{
    (void)state;
    ckda_input_heads_t h;
    assert_int_equal(ckda_input_heads_open(h, "S4", NULL), CKDA_OK);
    assert_int_equal(h->nheads, 1);
    assert_int_equal(h->nletters, 24);
    assert_non_null(h->head[0].G);
    ckda_input_heads_clear(h);
    assert_int_equal(ckda_input_heads_open(h, "nowhere.json", NULL), CKDA_E_IO);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_follow_the_first_head),
        cmocka_unit_test(heads_share_one_field_and_one_decoder),
        cmocka_unit_test(decoder_may_be_left_out),
        cmocka_unit_test(group_may_be_given_by_generators),
        cmocka_unit_test(field_may_be_given),
        cmocka_unit_test(letters_that_differ_are_refused),
        cmocka_unit_test(documents_without_heads_are_refused),
        cmocka_unit_test(shapes_are_refused_by_their_place),
        cmocka_unit_test(decoders_with_faults_are_refused),
        cmocka_unit_test(built_in_system_is_one_head),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
