/* Rows of the command line. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

#include "ckda_gpu.h"
#include "row.h"

static void
parse(gpu_row *row, const char *text, const char *construction, const char *defaults)
{
    ckda_error err;
    ckda_error_clear(&err);
    if (gpu_row_parse(row, text, construction, defaults, &err) != CKDA_OK)
        fail_msg("%s: %s", text, err.text);
}

static void
a_bare_system_is_fp32_in_its_own_construction(void **state)
{
    (void)state;
    gpu_row row;
    parse(&row, "A5", NULL, NULL);
    assert_string_equal(row.system, "A5");
    assert_null(row.construction);
    assert_int_equal(row.kernel, ROW_WORDS);
    assert_memory_equal(&row.arith, &ckda_arith_default, sizeof row.arith);
    gpu_row_clear(&row);
}

static void
parts_are_taken_in_order(void **state)
{
    (void)state;
    gpu_row row;
    parse(&row, "S4/quaternion:recurrent-bf16-state,keys=fp32,fma=off,grid=22", "cube",
          NULL);
    assert_string_equal(row.system, "S4");
    assert_string_equal(row.construction, "quaternion");
    assert_ptr_equal(row.arith.state, &ckda_fp_bf16);
    assert_ptr_equal(row.arith.keys, &ckda_fp_fp32);
    assert_false(row.arith.fma);
    assert_int_equal(row.arith.grid, 22);
    gpu_row_clear(&row);
}

static void
defaults_come_first(void **state)
{
    (void)state;
    gpu_row row;
    parse(&row, "S4:state=fp16", "cube", "state=bf16,flush=6,initial=5/4,rounding=rtz");
    assert_string_equal(row.construction, "cube");
    assert_ptr_equal(row.arith.state, &ckda_fp_fp16);
    assert_true(row.arith.has_flush && row.arith.flush == 6);
    assert_true(row.arith.initial.p == 5 && row.arith.initial.q == 4);
    assert_int_equal(row.arith.store, CKDA_FP_RTZ);
    gpu_row_clear(&row);
}

static void
kernels_have_bf16_keys_and_their_own_options(void **state)
{
    (void)state;
    gpu_row row;
    parse(&row, "A5:chunk,precision=factors,snap=16,gate=log,beta-rule=from-key", NULL,
          NULL);
    assert_int_equal(row.kernel, ROW_CHUNK);
    assert_int_equal(row.precision, CKDA_GPU_FACTORS);
    assert_int_equal(row.gate_kind, CKDA_GPU_GATE_LOG);
    assert_int_equal(row.snap, 16);
    assert_ptr_equal(row.arith.keys, &ckda_fp_bf16);
    assert_int_equal(row.arith.beta_rule, CKDA_BETA_FROM_KEY);
    gpu_row_clear(&row);
    parse(&row, "A5:recurrent", NULL, NULL);
    assert_int_equal(row.kernel, ROW_RECURRENT);
    gpu_row_clear(&row);
}

static void
wrong_rows_are_refused_with_a_reason(void **state)
{
    (void)state;
    static const struct {
        const char *text, *reason;
    } rows[] = {{"A5:state=bf17", "'bf17'"},
                {"A5:colour=red", "'colour'"},
                {"A5:fma=maybe", "'maybe'"},
                {"A5:recurrent-fp8", "'recurrent-fp8'"},
                {"A5:grid=0", "'0'"},
                {"A5:grid=4x", "'4x'"},
                {"A5:initial=-1", "'-1'"},
                {"A5:initial=1/0", "'1/0'"},
                {"A5:snap=16", "'snap'"},
                {"A5:chunk,snap=0", "'0'"},
                {"A5:chunk,precision=exact", "'exact'"},
                {"A5:chunk,gate=open", "'open'"},
                {"A5:chunk,keys=fp32", "bf16 keys"},
                {"A5:compute=bf16", "compute format"},
                {"A5:grid=4,flush=3", "flush"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gpu_row row;
        ckda_error err;
        ckda_error_clear(&err);
        assert_int_equal(gpu_row_parse(&row, rows[i].text, NULL, NULL, &err),
                         CKDA_E_INPUT);
        if (strstr(err.text, rows[i].reason) == NULL)
            fail_msg("%s: '%s' does not name %s", rows[i].text, err.text, rows[i].reason);
        assert_null(row.text);
    }
}

static void
a_system_that_does_not_exist_is_not_opened(void **state)
{
    (void)state;
    gpu_row row;
    gpu_system s;
    ckda_error err;
    ckda_error_clear(&err);
    parse(&row, "Q8", NULL, NULL);
    assert_int_not_equal(gpu_system_open(&s, &row, &err), CKDA_OK);
    assert_true(err.text[0] != '\0');
    gpu_row_clear(&row);
}

static int
clean(void **state)
{
    (void)state;
    flint_cleanup();
    return 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bare_system_is_fp32_in_its_own_construction),
        cmocka_unit_test(parts_are_taken_in_order),
        cmocka_unit_test(defaults_come_first),
        cmocka_unit_test(kernels_have_bf16_keys_and_their_own_options),
        cmocka_unit_test(wrong_rows_are_refused_with_a_reason),
        cmocka_unit_test(a_system_that_does_not_exist_is_not_opened),
    };
    return cmocka_run_group_tests(tests, NULL, clean);
}
