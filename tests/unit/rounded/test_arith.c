/* Arithmetics as data: presets, what is refused and how it is named, text. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "ckda/arith.h"

static void
text_is(const ckda_arith *a, const char *want)
{
    char *text = ckda_arith_str(a);
    assert_string_equal(text, want);
    free(text);
}

static void
refused(const ckda_arith *a, const char *because)
{
    ckda_error err;
    ckda_error_clear(&err);
    assert_int_equal(ckda_arith_check(a, &err), CKDA_E_INPUT);
    if (strstr(err.text, because) == NULL)
        fail_msg("expected '%s' in '%s'", because, err.text);
    assert_int_equal(ckda_arith_check(a, NULL), CKDA_E_INPUT);
}

static void
the_default_and_the_presets_are_supported(void **state)
{
    (void)state;
    const char *names[] = {"recurrent-fp32", "recurrent-bf16-state", "grid"};
    assert_int_equal(ckda_arith_check(&ckda_arith_default, NULL), CKDA_OK);
    for (int i = 0; i < 3; i++) {
        ckda_arith a;
        assert_int_equal(ckda_arith_preset(&a, names[i], NULL), CKDA_OK);
        assert_int_equal(ckda_arith_check(&a, NULL), CKDA_OK);
        assert_ptr_equal(a.keys, &ckda_fp_bf16);
    }
}

static void
an_unknown_preset_lists_what_exists_and_changes_nothing(void **state)
{
    (void)state;
    ckda_arith a = ckda_arith_default;
    ckda_error err;
    a.grid = 7;
    assert_int_equal(ckda_arith_preset(&a, "fp33", &err), CKDA_E_INPUT);
    assert_non_null(strstr(err.text, "recurrent-bf16-state"));
    assert_non_null(strstr(err.text, "fp33"));
    assert_int_equal(a.grid, 7);
}

static void
texts_say_what_differs(void **state)
{
    (void)state;
    ckda_arith a = ckda_arith_default;
    text_is(&a, "fp32 state, fp32 keys, fp32 compute, FMA, H_0 = I");
    a.state = &ckda_fp_bf16;
    a.initial = (ckda_ratio){5, 4};
    a.has_flush = true;
    a.flush = 6;
    text_is(&a, "bf16 state, fp32 keys, fp32 compute, FMA, H_0 = 5/4 I, flush 2^-6");
    a.store = CKDA_FP_RTZ;
    a.fma = false;
    a.key = CKDA_KEY_DIRECTION;
    a.beta = &ckda_fp_bf16;
    a.beta_rule = CKDA_BETA_FROM_KEY;
    a.order = CKDA_BETA_ON_DOT;
    a.beta_shift = (ckda_ratio){1, 100};
    a.gate_shrink = (ckda_ratio){1, 8};
    text_is(&a,
            "bf16 state rounded towards zero, fp32 integer keys, bf16 beta, beta from "
            "the rounded key, beta on the dot, fp32 compute, no FMA, H_0 = 5/4 I, flush "
            "2^-6, beta less 1/100, gates shrunk by 1/8");
    assert_int_equal(ckda_arith_preset(&a, "grid", NULL), CKDA_OK);
    a.form = CKDA_FORM_MATRIX;
    text_is(&a, "integer state (grid 16), bf16 matrices, fp32 compute, FMA, H_0 = 16 I");
}

static void
narrow_compute_formats_are_refused(void **state)
{
    (void)state;
    ckda_arith a = ckda_arith_default;
    a.compute = &ckda_fp_bf16;
    refused(&a, "keys");
    a.keys = &ckda_fp_bf16;
    refused(&a, "state");
    a.state = &ckda_fp_bf16;
    assert_int_equal(ckda_arith_check(&a, NULL), CKDA_OK);
    a.compute = &ckda_fp_fp16; /* more digits, fewer exponents */
    refused(&a, "keys");
    a.keys = &ckda_fp_e5m2;
    refused(&a, "state");
    a.grid = 4; /* then the state's format does not matter */
    a.state = NULL;
    assert_int_equal(ckda_arith_check(&a, NULL), CKDA_OK);
}

static void
missing_formats_are_refused(void **state)
{
    (void)state;
    ckda_arith a = ckda_arith_default;
    a.state = NULL;
    refused(&a, "missing");
    a = ckda_arith_default;
    a.beta = NULL;
    refused(&a, "missing");
}

static void
grids_have_a_largest_scale_and_no_flush(void **state)
{
    (void)state;
    ckda_arith a = ckda_arith_default;
    a.grid = 1 << 22;
    assert_int_equal(ckda_arith_check(&a, NULL), CKDA_OK);
    a.grid++;
    refused(&a, "grid");
    a.grid = -1;
    refused(&a, "grid");
    a.grid = 65;
    a.keys = a.compute = &ckda_fp_bf16;
    refused(&a, "2^(p - 2)");
    a.grid = 64;
    assert_int_equal(ckda_arith_check(&a, NULL), CKDA_OK);
    a.has_flush = true;
    refused(&a, "flush");
}

static void
the_matrix_form_refuses_what_belongs_to_keys(void **state)
{
    (void)state;
    ckda_arith a = ckda_arith_default;
    a.form = CKDA_FORM_MATRIX;
    assert_int_equal(ckda_arith_check(&a, NULL), CKDA_OK);
    a.key = CKDA_KEY_DIRECTION;
    refused(&a, "matrix");
    a.key = CKDA_KEY_UNIT;
    a.beta_rule = CKDA_BETA_FROM_KEY;
    refused(&a, "matrix");
    a.beta_rule = CKDA_BETA_IDEAL;
    a.order = CKDA_BETA_ON_DOT;
    refused(&a, "matrix");
}

static void
stores_other_than_nearest_and_towards_zero_are_refused(void **state)
{
    (void)state;
    ckda_arith a = ckda_arith_default;
    a.store = CKDA_FP_RTZ;
    assert_int_equal(ckda_arith_check(&a, NULL), CKDA_OK);
    a.store = CKDA_FP_RUP;
    refused(&a, "store");
}

static void
numbers_out_of_range_are_refused(void **state)
{
    (void)state;
    ckda_arith a = ckda_arith_default;
    a.initial = (ckda_ratio){-1, 1};
    refused(&a, "initial");
    a.initial = (ckda_ratio){1, 0};
    refused(&a, "denominator");
    a = ckda_arith_default;
    a.gate_shrink = (ckda_ratio){3, 2};
    refused(&a, "gate");
    a = ckda_arith_default;
    a.has_flush = true;
    a.flush = -128;
    refused(&a, "flush");
}

static void
the_initial_scale_is_given_or_the_grid_or_one(void **state)
{
    (void)state;
    ckda_arith a = ckda_arith_default;
    assert_int_equal(ckda_arith_initial(&a).p, 1);
    a.grid = 22;
    assert_int_equal(ckda_arith_initial(&a).p, 22);
    a.initial = (ckda_ratio){7, 3};
    assert_int_equal(ckda_arith_initial(&a).p, 7);
    assert_int_equal(ckda_arith_initial(&a).q, 3);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_default_and_the_presets_are_supported),
        cmocka_unit_test(an_unknown_preset_lists_what_exists_and_changes_nothing),
        cmocka_unit_test(texts_say_what_differs),
        cmocka_unit_test(narrow_compute_formats_are_refused),
        cmocka_unit_test(missing_formats_are_refused),
        cmocka_unit_test(grids_have_a_largest_scale_and_no_flush),
        cmocka_unit_test(the_matrix_form_refuses_what_belongs_to_keys),
        cmocka_unit_test(stores_other_than_nearest_and_towards_zero_are_refused),
        cmocka_unit_test(numbers_out_of_range_are_refused),
        cmocka_unit_test(the_initial_scale_is_given_or_the_grid_or_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
