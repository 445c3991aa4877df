/* Documents: inner products, complaints, results left alone. */
#include "helper.h"

static void
tensor_core_sum(void **state)
{
    (void)state;
    ckda_range_t r;
    read_text(r, "{\"dot\":{\"a\":[1,1,1,1],\"b\":[\"0x1p-24\",\"0x1p-24\",\"0x1p-24\","
                 "\"0x1p-24\"],\"init\":1}}");
    assert_string_equal(r->dot.exact.exact, "4194305/4194304");
    assert_int_equal(r->dot.rounded, 0x3f800002);
    assert_int_equal(r->dot.modelled, 0x3f800002);
    assert_int_equal(r->dot.sequential, 0x3f800000);
    assert_int_equal(r->dot.fused, 0x3f800000);
    assert_int_equal(r->verdict, CKDA_TRUE);
    ckda_range_clear(r);
}

static void
kept_bits_decide(void **state)
{
    (void)state;
    static const struct {
        int bits;
        uint64_t want;
    } rows[] = {{23, 0x3f800000}, {24, 0x3f800002}, {25, 0x3f800002}};
    for (size_t k = 0; k < 3; k++) {
        char text[400];
        ckda_range_t r;
        snprintf(
            text, sizeof text,
            "{\"dot\":{\"a\":[1,1,1,1],\"b\":[\"0x1p-24\",\"0x1p-24\",\"0x1p-24\","
            "\"0x1p-24\"],\"init\":1,\"model\":{\"keep_bits\":%d,\"rounding\":\"rtz\"}}}",
            rows[k].bits);
        read_text(r, text);
        assert_int_equal(r->dot.modelled, rows[k].want);
        assert_int_equal(r->verdict,
                         rows[k].want == r->dot.rounded ? CKDA_TRUE : CKDA_FALSE);
        ckda_range_clear(r);
    }
}

static void
left_to_right_breaks(void **state)
{
    (void)state;
    ckda_range_t r;
    read_text(
        r, "{\"comment\":\"c\",\"dot\":{\"a\":[1,1,1,1],\"b\":[\"0x1p-24\",\"0x1p-24\","
           "\"0x1p-24\",\"0x1p-24\"],\"init\":1,\"model\":{\"order\":\"sequential\"}}}");
    assert_int_equal(r->verdict, CKDA_FALSE);
    assert_string_equal(r->comment, "c");
    ckda_range_clear(r);
}

static void
empty_sum_is_init(void **state)
{
    (void)state;
    ckda_range_t r;
    read_text(r, "{\"dot\":{\"a\":[],\"b\":[],\"init\":\"3/2\"}}");
    assert_string_equal(r->dot.exact.exact, "3/2");
    assert_int_equal(r->verdict, CKDA_TRUE);
    ckda_range_clear(r);
}

/* Each with a piece that the complaint must contain. */
static const struct {
    const char *text, *says;
} bad[] = {
    {"{}", "\"chunk\", \"gates\" or \"dot\""},
    {"{\"chunk\":{\"length\":16},\"dot\":{\"a\":[],\"b\":[]}}", "one of"},
    {"{\"chnk\":{}}", "chunk"},
    {"{\"chunk\":{}}", "length"},
    {"{\"chunk\":{\"length\":0}}", "chunk.length"},
    {"{\"chunk\":{\"length\":129}}", "128"},
    {"{\"chunk\":{\"length\":16,\"anchor\":17}}", "chunk.anchor"},
    {"{\"chunk\":{\"length\":16,\"block\":0}}", "chunk.block"},
    {"{\"chunk\":{\"length\":16,\"inverse\":\"gauss\"}}", "substitution or neumann"},
    {"{\"chunk\":{\"length\":16,\"inverse_format\":\"fp8\"}}", "bf16, fp16"},
    {"{\"chunk\":{\"length\":16,\"beta_max\":\"0.1\"}}", "1/10"},
    {"{\"chunk\":{\"length\":16,\"beta_max\":1.5}}", "chunk.beta_max"},
    {"{\"chunk\":{\"length\":16,\"beta_max\":\"sqrt(2)\"}}", "rational"},
    {"{\"chunk\":{\"length\":16,\"beta_max\":\"-1\"}}", "0 to 1000"},
    {"{\"chunk\":{\"length\":16,\"correlation_max\":\"2\"}}", "0 to 1"},
    {"{\"chunk\":{\"length\":16,\"gate_lower_bound\":\"5\"}}", "logarithm"},
    {"{\"chunk\":{\"length\":16,\"gate\":\"scalar\"}}", "gate_lower_bound"},
    {"{\"chunk\":{\"length\":16,\"beta_grid\":\"1/100000\"}}", "4096 steps"},
    {"{\"chunk\":{\"length\":128,\"beta_grid\":\"1/40\"}}", "64 steps"},
    {"{\"chunk\":{\"length\":16,\"keys\":[[1]],\"betas\":[1],\"log_gates\":[-200000]}}",
     "-100000"},
    {"{\"chunk\":{\"length\":16,\"keys\":[[1]],\"betas\":[1],\"beta_max\":1}}",
     "beta_max"},
    {"{\"chunk\":{\"length\":16,\"keys\":[[1]],\"gram\":[[1]],\"betas\":[1]}}",
     "not both"},
    {"{\"chunk\":{\"length\":16,\"keys\":[[1],[1,2]],\"betas\":[1,1]}}", "keys"},
    {"{\"chunk\":{\"length\":16,\"keys\":[[1],[1]],\"betas\":[1]}}", "betas"},
    {"{\"chunk\":{\"length\":16,\"keys\":[],\"betas\":[]}}", "not empty"},
    {"{\"chunk\":{\"length\":16,\"keys\":[[1]]}}", "betas"},
    {"{\"chunk\":{\"length\":16,\"gram\":[[1,2],[2,1]],\"betas\":[1,1]}}",
     "semidefinite"},
    {"{\"chunk\":{\"length\":16,\"gram\":[[1,0],[1,1]],\"betas\":[1,1]}}", "symmetric"},
    {"{\"chunk\":{\"length\":16,\"gram\":[[1,0]],\"betas\":[1]}}", "square"},
    {"{\"chunk\":{\"length\":16,\"keys\":[[1]],\"betas\":[1],\"gates\":[0]}}",
     "other than 0"},
    {"{\"chunk\":{\"length\":16,\"keys\":[[1]],\"betas\":[1],\"gates\":[2]}}", "[-1, 1]"},
    {"{\"chunk\":{\"length\":16,\"keys\":[[1]],\"betas\":[1],\"log_gates\":[1]}}",
     "above 0"},
    {"{\"chunk\":{\"length\":16,\"keys\":[[1]],\"betas\":[1],\"gates\":[1],\"log_gates\":"
     "[0]}}",
     "not both"},
    {"{\"chunk\":{\"length\":16,\"keys\":[[1,0,0]],\"betas\":[1],\"gates\":[[1,1]]}}",
     "one a channel"},
    {"{\"chunk\":{\"length\":16,\"keys\":[[1]],\"betas\":[1],\"initial\":[[1]]}}",
     "values"},
    {"{\"chunk\":{\"length\":16,\"keys\":[[1,0]],\"betas\":[1],\"values\":[[1,2]],"
     "\"initial\":[1,2]}}",
     "list of rows"},
    {"{\"gates\":{\"kind\":\"odd\"}}", "signed, sigmoid or exact"},
    {"{\"gates\":{\"alpha\":[1]}}", "exact"},
    {"{\"gates\":{\"kind\":\"exact\",\"r_logit\":[1]}}", "alpha"},
    {"{\"gates\":{\"eps\":\"1\"}}", "below 1"},
    {"{\"gates\":{\"eps\":\"1/2\",\"eps_log\":-1}}", "not both"},
    {"{\"gates\":{\"beta_scale\":3}}", "beta_scale"},
    {"{\"gates\":{\"threshold\":\"1\"}}", "threshold"},
    {"{\"gates\":{\"margin\":\"1/2\",\"threshold\":\"1/2\"}}", "not both"},
    {"{\"gates\":{\"beta\":[1],\"beta_logit\":[1]}}", "not both"},
    {"{\"gates\":{\"beta\":[1],\"compare\":{\"formats\":[\"bf16\"],\"alpha\":[1]}}}",
     "two formats"},
    {"{\"gates\":{\"r_logit\":[\"x\"]}}", "r_logit[0]"},
    {"{\"dot\":{\"a\":[1],\"b\":[1,2]}}", "as many numbers"},
    {"{\"dot\":{\"a\":[\"1/3\"],\"b\":[1]}}", "a value of bf16"},
    {"{\"dot\":{\"a\":[1],\"b\":[1],\"model\":{\"keep_bits\":65}}}", "keep_bits"},
    {"{\"dot\":{\"a\":[1],\"b\":[1],\"model\":{\"wdth\":4}}}", "width"},
};

static ckda_status
read_without_message(ckda_range_t r, const char *text)
{
    ckda_doc *doc = NULL;
    ckda_status status = ckda_doc_parse(&doc, text, "t.json", NULL);
    if (status != CKDA_OK)
        return status;
    const ckda_node root = ckda_doc_root(doc);
    status = ckda_range_read(r, &root, NULL);
    ckda_doc_close(&doc);
    return status;
}

static void
complaints_name_what_is_wrong(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        ckda_range_t r;
        ckda_error err;
        unsigned char before[sizeof r];
        memset(r, 0x5a, sizeof r);
        memcpy(before, r, sizeof r);
        const ckda_status status = try_read(r, bad[k].text, &err);
        if (status != CKDA_E_INPUT || strstr(err.text, bad[k].says) == NULL
            || strstr(err.text, "t.json") == NULL)
            fail_msg("%s\n  said: %s (%d)", bad[k].text, err.text, (int)status);
        assert_memory_equal(r, before, sizeof r); /* left alone */
        assert_int_equal(read_without_message(r, bad[k].text), CKDA_E_INPUT);
    }
}

static void
too_much_work_is_refused_with_the_limit(void **state)
{
    (void)state;
    ckda_range_t r;
    ckda_error err;
    char *text = malloc(3000000);
    assert_non_null(text);
    char row[1200] = "[0";
    for (int i = 1; i < 512; i++)
        strcat(row, ",0");
    strcat(row, "]");
    strcpy(text, "{\"chunk\":{\"length\":128,\"keys\":[");
    char *end = text + strlen(text);
    for (int i = 0; i < 1100; i++)
        end += sprintf(end, "%s%s", i > 0 ? "," : "", row);
    end += sprintf(end, "],\"betas\":[1");
    for (int i = 1; i < 1100; i++)
        end += sprintf(end, ",1");
    sprintf(end, "]}}");
    assert_int_equal(try_read(r, text, &err), CKDA_E_UNABLE);
    assert_non_null(strstr(err.text, "67108864"));
    free(text);
}

static void
a_missing_file_is_an_error_of_the_system(void **state)
{
    (void)state;
    ckda_range_t r;
    ckda_error err;
    ckda_error_clear(&err);
    assert_int_equal(ckda_range_open(r, "/nonexistent/x.json", &err), CKDA_E_IO);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tensor_core_sum),
        cmocka_unit_test(kept_bits_decide),
        cmocka_unit_test(left_to_right_breaks),
        cmocka_unit_test(empty_sum_is_init),
        cmocka_unit_test(complaints_name_what_is_wrong),
        cmocka_unit_test(too_much_work_is_refused_with_the_limit),
        cmocka_unit_test(a_missing_file_is_an_error_of_the_system),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
