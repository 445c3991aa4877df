/* Names and shapes: what is accepted, what is refused and how it is named. */
#include "fixture.h"

/* A whole small trace; `without` is left out. */
static void
small(ckda_tensors *ts, const char *without)
{
    static const double x[64] = {0.5, 0.25};
    static const struct {
        const char *name;
        int ndim;
        uint64_t shape[4];
    } all[] = {{"q", 4, {1, 2, 1, 3}},     {"k", 4, {1, 2, 1, 3}},
               {"v", 4, {1, 2, 2, 2}},     {"g", 4, {1, 2, 2, 3}},
               {"beta", 3, {1, 2, 1}},     {"initial_state", 4, {1, 2, 3, 2}},
               {"o.one", 4, {1, 2, 2, 2}}, {"final_state.one", 4, {1, 2, 3, 2}},
               {"o.two", 4, {1, 2, 2, 2}}};
    ckda_tensors_init(ts);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (without == NULL || strcmp(all[i].name, without) != 0)
            add_numbers(ts, all[i].name, CKDA_DTYPE_F32, all[i].ndim, all[i].shape, x);
}

static void
refused(ckda_tensors *ts, const char *word, const char *word2)
{
    ckda_trace *tr = NULL;
    ckda_error err;
    ckda_error_clear(&err);
    assert_int_equal(ckda_trace_open(&tr, ts, &err), CKDA_E_INPUT);
    assert_null(tr);
    if (strstr(err.text, word) == NULL || strstr(err.text, word2) == NULL)
        fail_msg("'%s' lacks '%s' or '%s'", err.text, word, word2);
    ckda_tensors_clear(ts);
}

static void
replaced(const char *name, ckda_dtype d, int ndim, const uint64_t *shape,
         const char *word, const char *word2)
{
    static const double x[64] = {0};
    ckda_tensors ts;
    small(&ts, name);
    add_numbers(&ts, name, d, ndim, shape, x);
    refused(&ts, word, word2);
}

static void
with_meta(const char *key, const char *value, const char *word)
{
    ckda_tensors ts;
    small(&ts, NULL);
    ckda_tensors_set_meta(&ts, key, value);
    refused(&ts, key, word);
}

static void
value_heads_share_key_heads(void **state)
{
    (void)state;
    ckda_tensors ts;
    ckda_trace *tr = NULL;
    small(&ts, NULL);
    OK(ckda_trace_open(&tr, &ts, NULL));
    assert_int_equal(tr->H, 2);
    assert_int_equal(tr->HK, 1);
    assert_int_equal(tr->k.group, 2);
    assert_int_equal(tr->v.group, 1);
    assert_int_equal(tr->nkernels, 2);
    assert_true(view_get(&tr->k, 0, 1, 1, 2) == tensor_double(tr->k.t, 5));
    assert_int_equal(tr->gate_kind, GATE_LOG);
    ckda_trace_close(&tr);
    assert_null(tr);
    ckda_tensors_clear(&ts);
}

static void
gates_and_beta_may_be_missing(void **state)
{
    (void)state;
    ckda_tensors ts;
    ckda_trace *tr = NULL;
    small(&ts, "g");
    OK(ckda_trace_open(&tr, &ts, NULL));
    assert_int_equal(tr->gate_kind, GATE_NONE);
    ckda_trace_close(&tr);
    ckda_tensors_clear(&ts);
    small(&ts, "beta");
    OK(ckda_trace_open(&tr, &ts, NULL));
    assert_null(tr->beta.t);
    ckda_trace_close(&tr);
    ckda_tensors_clear(&ts);
}

static void
a_scalar_gate_counts_for_all_channels(void **state)
{
    (void)state;
    static const double x[4] = {-1, -2, -3, -4};
    const uint64_t shape[3] = {1, 2, 2};
    ckda_tensors ts;
    ckda_trace *tr = NULL;
    small(&ts, "g");
    add_numbers(&ts, "g", CKDA_DTYPE_F32, 3, shape, x);
    OK(ckda_trace_open(&tr, &ts, NULL));
    assert_true(tr->gate_scalar);
    assert_true(view_get(&tr->gate, 0, 1, 0, 2) == -3);
    ckda_trace_close(&tr);
    ckda_tensors_clear(&ts);
}

static void
no_head_axis(void **state)
{
    (void)state;
    static const double x[16] = {0};
    const uint64_t bt[4] = {1, 2, 3, 2}, rows[4] = {1, 2, 2, 2}, st[3] = {1, 3, 2};
    ckda_tensors ts;
    ckda_trace *tr = NULL;
    ckda_tensors_init(&ts);
    add_numbers(&ts, "k", CKDA_DTYPE_BF16, 3, bt, x);
    add_numbers(&ts, "beta", CKDA_DTYPE_BF16, 2, bt, x);
    add_numbers(&ts, "o.rows", CKDA_DTYPE_BF16, 4, rows, x);
    add_numbers(&ts, "final_state.rows", CKDA_DTYPE_F32, 3, st, x);
    ckda_tensors_set_meta(&ts, "what", "H_0=I");
    OK(ckda_trace_open(&tr, &ts, NULL));
    assert_true(tr->headless && tr->rows && tr->identity);
    assert_int_equal(tr->V, 2);
    assert_int_equal(tr->R, 2);
    ckda_trace_close(&tr);
    ckda_tensors_clear(&ts);
}

static void
a_state_that_fits_only_transposed(void **state)
{
    (void)state;
    static const double x[16] = {0};
    const uint64_t shape[4] = {1, 2, 2, 3};
    ckda_tensors ts;
    ckda_trace *tr = NULL;
    small(&ts, "final_state.one");
    add_numbers(&ts, "final_state.one", CKDA_DTYPE_F32, 4, shape, x);
    OK(ckda_trace_open(&tr, &ts, NULL));
    assert_true(tr->kernel[0].has_layout && tr->kernel[0].layout_vk);
    ckda_trace_close(&tr);
    ckda_tensors_clear(&ts);
}

static void
unknown_tensors_are_listed(void **state)
{
    (void)state;
    static const double x[1] = {0};
    ckda_tensors ts;
    ckda_trace *tr = NULL;
    small(&ts, NULL);
    add_numbers(&ts, "output", CKDA_DTYPE_F32, 0, NULL, x);
    OK(ckda_trace_open(&tr, &ts, NULL));
    assert_int_equal(tr->nignored, 1);
    assert_string_equal(tr->ignored[0], "output");
    ckda_trace_close(&tr);
    ckda_tensors_clear(&ts);
}

static void
models_and_scale_from_metadata(void **state)
{
    (void)state;
    ckda_tensors ts;
    ckda_trace *tr = NULL;
    small(&ts, NULL);
    ckda_tensors_set_meta(&ts, "arithmetic.two", "recurrent-bf16-state");
    ckda_tensors_set_meta(&ts, "scale", "-1.25e-1");
    OK(ckda_trace_open(&tr, &ts, NULL));
    assert_int_equal(tr->kernel[0].model, CKDA_MODEL_FP32);
    assert_int_equal(tr->kernel[1].model, CKDA_MODEL_BF16_STATE);
    assert_string_equal(tr->scale, "-1.25e-1");
    ckda_trace_close(&tr);
    ckda_tensors_clear(&ts);
}

static void
a_scale_tensor_keeps_all_its_digits(void **state)
{
    (void)state;
    const double x = 0x1.921fb54442d18p-3;
    ckda_tensors ts;
    ckda_trace *tr = NULL;
    arb_t y;
    small(&ts, NULL);
    add_numbers(&ts, "scale", CKDA_DTYPE_F64, 0, NULL, &x);
    OK(ckda_trace_open(&tr, &ts, NULL));
    arb_init(y);
    decimal_arb(y, tr->scale, 400);
    assert_true(arf_get_d(arb_midref(y), ARF_RND_NEAR) == x);
    assert_true(mag_cmp_2exp_si(arb_radref(y), -300) < 0);
    arb_clear(y);
    ckda_trace_close(&tr);
    ckda_tensors_clear(&ts);
}

/* ---- refusals ---------------------------------------------------------------------- */

static void
no_keys_or_no_kernel(void **state)
{
    (void)state;
    ckda_tensors ts;
    small(&ts, "k");
    refused(&ts, "\"k\"", "k_raw");
    ckda_tensors_init(&ts);
    refused(&ts, "\"k\"", "neither");
    const uint64_t shape[4] = {1, 1, 1, 1};
    const double x = 0;
    ckda_tensors_init(&ts);
    add_numbers(&ts, "k", CKDA_DTYPE_F32, 4, shape, &x);
    refused(&ts, "\"v\"", "none");
    ckda_tensors_init(&ts);
    add_numbers(&ts, "k", CKDA_DTYPE_F32, 4, shape, &x);
    add_numbers(&ts, "v", CKDA_DTYPE_F32, 4, shape, &x);
    refused(&ts, "final_state", "none");
}

static void
wrong_shapes_are_named(void **state)
{
    (void)state;
    replaced("beta", CKDA_DTYPE_F32, 3, (const uint64_t[3]){1, 3, 1}, "\"beta\"",
             "[1, 3, 1]");
    replaced("q", CKDA_DTYPE_F32, 4, (const uint64_t[4]){1, 2, 1, 4}, "\"q\"",
             "[1, 2, 1, 4]");
    replaced("g", CKDA_DTYPE_F32, 4, (const uint64_t[4]){1, 2, 3, 3}, "\"g\"",
             "[1, 2, 2, 3]");
    replaced("o.one", CKDA_DTYPE_F32, 4, (const uint64_t[4]){1, 2, 2, 3}, "\"o.one\"",
             "[1, 2, 2, 2]");
    replaced("final_state.one", CKDA_DTYPE_F32, 4, (const uint64_t[4]){1, 2, 3, 3},
             "\"final_state.one\"", "[1, 2, 3, 2]");
    replaced("initial_state", CKDA_DTYPE_F32, 4, (const uint64_t[4]){1, 1, 3, 2},
             "\"initial_state\"", "[1, 2, 3, 2]");
    replaced("k", CKDA_DTYPE_F32, 2, (const uint64_t[2]){3, 3}, "\"k\"", "[B, T, H, K]");
    replaced("k", CKDA_DTYPE_F32, 4, (const uint64_t[4]){1, 2, 0, 3}, "\"k\"",
             "length 0");
    replaced("v", CKDA_DTYPE_F32, 3, (const uint64_t[3]){1, 2, 2}, "\"v\"",
             "[B, T, HV, V]");
}

static void
heads_that_do_not_divide(void **state)
{
    (void)state;
    static const double x[64] = {0};
    const uint64_t k[4] = {1, 2, 2, 3}, v[4] = {1, 2, 3, 2};
    ckda_tensors ts;
    ckda_tensors_init(&ts);
    add_numbers(&ts, "k", CKDA_DTYPE_F32, 4, k, x);
    add_numbers(&ts, "v", CKDA_DTYPE_F32, 4, v, x);
    refused(&ts, "\"v\"", "multiple");
}

static void
two_kinds_of_gate(void **state)
{
    (void)state;
    static const double x[64] = {0};
    const uint64_t shape[4] = {1, 2, 2, 3};
    ckda_tensors ts;
    small(&ts, NULL);
    add_numbers(&ts, "alpha", CKDA_DTYPE_F32, 4, shape, x);
    refused(&ts, "alpha", "\"g\"");
}

static void
inputs_must_be_finite(void **state)
{
    (void)state;
    static const double x[6] = {0, 0, 0, NAN, 0, 0};
    const uint64_t shape[4] = {1, 2, 1, 3};
    ckda_tensors ts;
    small(&ts, "q");
    add_numbers(&ts, "q", CKDA_DTYPE_F32, 4, shape, x);
    refused(&ts, "\"q\"", "flat index 3");
}

static void
outputs_may_be_anything(void **state)
{
    (void)state;
    static const double x[8] = {NAN, INFINITY};
    const uint64_t shape[4] = {1, 2, 2, 2};
    ckda_tensors ts;
    ckda_trace *tr = NULL;
    small(&ts, "o.two");
    add_numbers(&ts, "o.two", CKDA_DTYPE_F16, 4, shape, x);
    OK(ckda_trace_open(&tr, &ts, NULL));
    ckda_trace_close(&tr);
    ckda_tensors_clear(&ts);
}

static void
integers_of_64_bits_are_no_numbers(void **state)
{
    (void)state;
    ckda_tensors ts;
    const uint64_t shape[3] = {1, 2, 1};
    small(&ts, "beta");
    OK(ckda_tensors_add(&ts, "beta", CKDA_DTYPE_I64, 3, shape, NULL, NULL));
    refused(&ts, "\"beta\"", "I64");
}

static void
bad_metadata(void **state)
{
    (void)state;
    with_meta("scale", "half", "decimal");
    with_meta("scale", "1/8", "1/8");
    with_meta("scale", "nan", "nan");
    with_meta("scale", "1e9999", "1e9999");
    with_meta("scale", "", "decimal");
    with_meta("l2norm_eps", "0x1p-3", "0x1p-3");
    with_meta("gate", "tanh", "softplus");
    with_meta("state_layout", "hk", "\"vk\"");
    with_meta("arithmetic", "fp8", "recurrent-fp32");
}

static void
initial_state_by_metadata(void **state)
{
    (void)state;
    ckda_tensors ts;
    ckda_trace *tr = NULL;
    small(&ts, "initial_state");
    ckda_tensors_set_meta(&ts, "initial_state", "identity");
    OK(ckda_trace_open(&tr, &ts, NULL));
    assert_true(tr->identity);
    ckda_trace_close(&tr);
    ckda_tensors_clear(&ts);
    small(&ts, "initial_state");
    ckda_tensors_set_meta(&ts, "initial_state", "one");
    refused(&ts, "initial_state", "\"identity\"");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(value_heads_share_key_heads),
        cmocka_unit_test(gates_and_beta_may_be_missing),
        cmocka_unit_test(a_scalar_gate_counts_for_all_channels),
        cmocka_unit_test(no_head_axis),
        cmocka_unit_test(a_state_that_fits_only_transposed),
        cmocka_unit_test(unknown_tensors_are_listed),
        cmocka_unit_test(models_and_scale_from_metadata),
        cmocka_unit_test(a_scale_tensor_keeps_all_its_digits),
        cmocka_unit_test(no_keys_or_no_kernel),
        cmocka_unit_test(wrong_shapes_are_named),
        cmocka_unit_test(heads_that_do_not_divide),
        cmocka_unit_test(two_kinds_of_gate),
        cmocka_unit_test(inputs_must_be_finite),
        cmocka_unit_test(outputs_may_be_anything),
        cmocka_unit_test(integers_of_64_bits_are_no_numbers),
        cmocka_unit_test(bad_metadata),
        cmocka_unit_test(initial_state_by_metadata),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
