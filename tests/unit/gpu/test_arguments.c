/* The entry points of ckda_gpu.h refuse bad calls before they touch a device: every
 * pointer here is a number that nothing may follow. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ckda_gpu.h"

static char memory[4096];

static void *
at(size_t offset) /* offset 0 is aligned to 16 bytes */
{
    return memory + (16 - (uintptr_t)memory % 16) % 16 + offset;
}

static ckda_gpu_chunk
good(void)
{
    return (ckda_gpu_chunk){.sequences = 1,
                            .tokens = 1,
                            .heads = 1,
                            .dk = 64,
                            .dv = 64,
                            .q = at(0),
                            .k = at(0),
                            .v = at(0),
                            .gate = at(0),
                            .beta = at(0),
                            .o = at(0),
                            .out_of_range = at(0),
                            .scale = 1};
}

static void
expect(int code, ckda_gpu_chunk c)
{
    assert_int_equal(ckda_gpu_chunk_forward(&c, NULL), code);
    assert_int_equal(ckda_gpu_recurrent_forward(&c, NULL), code);
}

static void
nothing_to_do_is_no_error(void **state)
{
    (void)state;
    ckda_gpu_chunk c = good();
    c.sequences = 0;
    expect(CKDA_GPU_OK, c);
}

static void
no_call_at_all(void **state)
{
    (void)state;
    assert_int_equal(ckda_gpu_chunk_forward(NULL, NULL), CKDA_GPU_E_SHAPE);
    assert_int_equal(ckda_gpu_recurrent_forward(NULL, NULL), CKDA_GPU_E_SHAPE);
    assert_int_equal(ckda_gpu_activate(NULL, NULL), CKDA_GPU_E_SHAPE);
}

static void
sizes_of_heads(void **state)
{
    static const int bad[] = {-1, 0, 1, 15, 17, 32, 65, 127, 129, 256};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ckda_gpu_chunk c = good();
        c.dk = bad[i];
        expect(CKDA_GPU_E_SHAPE, c);
        c = good();
        c.dv = bad[i];
        expect(CKDA_GPU_E_SHAPE, c);
    }
}

static void
counts(void **state)
{
    (void)state;
    ckda_gpu_chunk c = good();
    c.sequences = -1;
    expect(CKDA_GPU_E_SHAPE, c);
    c = good();
    c.heads = 0;
    expect(CKDA_GPU_E_SHAPE, c);
    c = good();
    c.tokens = -1;
    expect(CKDA_GPU_E_SHAPE, c);
    c = good();
    c.heads = 2;
    c.sequences = 32768;
    expect(CKDA_GPU_E_SHAPE, c);
    c.sequences = INT64_MAX; /* must not wrap around */
    expect(CKDA_GPU_E_SHAPE, c);
}

static void
each_tensor_missing_or_misaligned(void **state)
{
    (void)state;
    for (int tensor = 0; tensor < 6; tensor++)
        for (size_t offset = 0; offset < 16; offset++) {
            ckda_gpu_chunk c = good();
            void *p = offset == 0 ? NULL : at(offset);
            switch (tensor) {
            case 0:
                c.q = p;
                break;
            case 1:
                c.k = p;
                break;
            case 2:
                c.v = p;
                break;
            case 3:
                c.gate = p;
                break;
            case 4:
                c.beta = p;
                break;
            default:
                c.o = p;
            }
            expect(CKDA_GPU_E_POINTER, c);
        }
}

static void
optional_tensors_misaligned(void **state)
{
    (void)state;
    for (size_t offset = 1; offset < 16; offset++) {
        ckda_gpu_chunk c = good();
        c.initial = at(offset);
        expect(CKDA_GPU_E_POINTER, c);
        c = good();
        c.final_state = at(offset);
        expect(CKDA_GPU_E_POINTER, c);
    }
}

static void
no_flag(void **state)
{
    (void)state;
    ckda_gpu_chunk c = good();
    c.out_of_range = NULL;
    expect(CKDA_GPU_E_POINTER, c);
}

static void
options_out_of_range(void **state)
{
    (void)state;
    ckda_gpu_chunk c = good();
    c.gate_kind = 2;
    expect(CKDA_GPU_E_RANGE, c);
    c = good();
    c.precision = -1;
    expect(CKDA_GPU_E_RANGE, c);
    c = good();
    c.grid = -1;
    expect(CKDA_GPU_E_RANGE, c);
    c.grid = 0x1p22f;
    expect(CKDA_GPU_E_RANGE, c);
    c.grid = __builtin_nanf("");
    expect(CKDA_GPU_E_RANGE, c);
    c = good();
    c.slices = -1;
    expect(CKDA_GPU_E_RANGE, c);
}

static void
slices_that_do_not_divide(void **state)
{
    (void)state;
    ckda_gpu_chunk c = good();
    c.slices = 3;
    assert_int_equal(ckda_gpu_chunk_forward(&c, NULL), CKDA_GPU_E_SHAPE);
}

static void
activation(void **state)
{
    (void)state;
    ckda_gpu_activation a = {.rows = 0, .dk = 64, .eps = 0.5f};
    assert_int_equal(ckda_gpu_activate(&a, NULL), CKDA_GPU_OK);
    a.rows = -1;
    assert_int_equal(ckda_gpu_activate(&a, NULL), CKDA_GPU_E_SHAPE);
    a.rows = 1;
    a.eps = 1.5f;
    assert_int_equal(ckda_gpu_activate(&a, NULL), CKDA_GPU_E_RANGE);
    a.eps = 0.5f;
    a.gate_kind = 7;
    assert_int_equal(ckda_gpu_activate(&a, NULL), CKDA_GPU_E_RANGE);
}

static void
beta_from_keys(void **state)
{
    (void)state;
    assert_int_equal(ckda_gpu_beta_from_keys(at(0), at(0), -1, 64, NULL),
                     CKDA_GPU_E_SHAPE);
    assert_int_equal(ckda_gpu_beta_from_keys(NULL, at(0), 1, 64, NULL),
                     CKDA_GPU_E_POINTER);
    assert_int_equal(ckda_gpu_beta_from_keys(at(0), NULL, 1, 64, NULL),
                     CKDA_GPU_E_POINTER);
}

static void
every_code_has_its_words(void **state)
{
    (void)state;
    for (int code = CKDA_GPU_E_TABLES; code < CKDA_GPU_OK; code++)
        assert_string_not_equal(ckda_gpu_strerror(code), ckda_gpu_strerror(CKDA_GPU_OK));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_to_do_is_no_error),
        cmocka_unit_test(no_call_at_all),
        cmocka_unit_test(sizes_of_heads),
        cmocka_unit_test(counts),
        cmocka_unit_test(each_tensor_missing_or_misaligned),
        cmocka_unit_test(optional_tensors_misaligned),
        cmocka_unit_test(no_flag),
        cmocka_unit_test(options_out_of_range),
        cmocka_unit_test(slices_that_do_not_divide),
        cmocka_unit_test(activation),
        cmocka_unit_test(beta_from_keys),
        cmocka_unit_test(every_code_has_its_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
