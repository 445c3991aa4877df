/* The short cuts through the processor against the integer code. */
#include <math.h>

#include "ckda/fpfast.h"
#include "fixture.h"

static void
this_processor_is_ieee(void **state)
{
    (void)state;
    assert_true(ckda_fp_host_is_ieee());
}

/* Every upper half with the lower halves that matter: ties, ties +- 1, ends. */
static void
float_to_16_bit_formats(void **state)
{
    (void)state;
    const uint32_t low[] = {0,      1,      0x0fff, 0x1000, 0x1001,
                            0x2fff, 0x3000, 0x3001, 0x7fff, 0x8000,
                            0x8001, 0xefff, 0xf000, 0xf001, 0xffff};
    const ckda_fp_format *s = &ckda_fp_fp32;
    for (uint32_t high = 0; high < 65536; high++)
        for (int i = 0; i < 15; i++) {
            uint32_t x = high << 16 | low[i];
            float f = ckda_fast_float_from_bits(x);
            same_bits(ckda_fast_bf16_from_float(f),
                      ckda_fp_convert(x, s, &ckda_fp_bf16, &ckda_fp_rne), "fast",
                      &ckda_fp_bf16, &ckda_fp_rne, x, 0, 0);
            same_bits(ckda_fast_fp16_from_float(f),
                      ckda_fp_convert(x, s, &ckda_fp_fp16, &ckda_fp_rne), "fast",
                      &ckda_fp_fp16, &ckda_fp_rne, x, 0, 0);
        }
}

static void
all_16_bit_patterns_to_float(void **state)
{
    (void)state;
    for (uint32_t x = 0; x < 65536; x++) {
        uint64_t b = ckda_fp_convert(x, &ckda_fp_bf16, &ckda_fp_fp32, &ckda_fp_rne);
        uint64_t h = ckda_fp_convert(x, &ckda_fp_fp16, &ckda_fp_fp32, &ckda_fp_rne);
        assert_true(ckda_fast_bits_from_float(ckda_fast_float_from_bf16((uint16_t)x))
                    == b);
        assert_true(ckda_fast_bits_from_float(ckda_fast_float_from_fp16((uint16_t)x))
                    == h);
    }
}

static void
fp32_arithmetic(void **state)
{
    (void)state;
    const ckda_fp_format *s = &ckda_fp_fp32;
    const ckda_fp_rule *r = &ckda_fp_rne;
    ckda_rand rand = seeded(60);
    for (long k = 0; k < cases(4 * HARD_CASES); k++) {
        uint32_t v[3];
        for (int i = 0; i < 3; i++)
            v[i] = (uint32_t)(k % 3 == i ? random_pattern(&rand, s)
                                         : edge_pattern(&rand, s));
        if (k % 4 == 0) { /* a cancelling addend */
            v[2] = ckda_fast_fp32_mul(v[0], v[1]) ^ UINT32_C(0x80000000);
            v[2] += (uint32_t)ckda_rand_below(&rand, 2);
        }
        uint64_t x = v[0], y = v[1], z = v[2];
        same_bits(ckda_fast_fp32_add(v[0], v[1]), ckda_fp_add(x, s, y, s, s, r), "add", s,
                  r, x, y, z);
        same_bits(ckda_fast_fp32_sub(v[0], v[1]), ckda_fp_sub(x, s, y, s, s, r), "sub", s,
                  r, x, y, z);
        same_bits(ckda_fast_fp32_mul(v[0], v[1]), ckda_fp_mul(x, s, y, s, s, r), "mul", s,
                  r, x, y, z);
        same_bits(ckda_fast_fp32_fma(v[0], v[1], v[2]),
                  ckda_fp_fma(x, s, y, s, z, s, s, r), "fma", s, r, x, y, z);
    }
}

static void
bf16_arithmetic(void **state)
{
    (void)state;
    const ckda_fp_format *b = &ckda_fp_bf16;
    const ckda_fp_rule *r = &ckda_fp_rne;
    ckda_rand rand = seeded(61);
    for (long k = 0; k < cases(8 * HARD_CASES); k++) {
        uint16_t x =
            (uint16_t)(k % 2 ? random_pattern(&rand, b) : edge_pattern(&rand, b));
        uint16_t y =
            (uint16_t)(k % 3 ? random_pattern(&rand, b) : edge_pattern(&rand, b));
        same_bits(ckda_fast_bf16_mul(x, y), ckda_fp_mul(x, b, y, b, b, r), "mul", b, r, x,
                  y, 0);
        same_bits(ckda_fast_bf16_add(x, y), ckda_fp_add(x, b, y, b, b, r), "add", b, r, x,
                  y, 0);
    }
}

/* The double rounding of bf16 products can only hurt below 2^-126: all significands, all
 * exponents there. */
static void
bf16_products_that_underflow_exhaustively(void **state)
{
    (void)state;
    const ckda_fp_format *b = &ckda_fp_bf16;
    for (uint32_t m = 128; m < 256; m++)
        for (uint32_t n = m; n < 256; n++)
            for (uint32_t e = 0; e < 12; e++) { /* product exponents -138 .. -127 */
                uint16_t x = (uint16_t)(60u << 7 | (m - 128));
                uint16_t y = (uint16_t)((56 + e) << 7 | (n - 128));
                same_bits(ckda_fast_bf16_mul(x, y),
                          ckda_fp_mul(x, b, y, b, b, &ckda_fp_rne), "mul", b,
                          &ckda_fp_rne, x, y, 0);
            }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(this_processor_is_ieee),
        cmocka_unit_test(float_to_16_bit_formats),
        cmocka_unit_test(all_16_bit_patterns_to_float),
        cmocka_unit_test(fp32_arithmetic),
        cmocka_unit_test(bf16_arithmetic),
        cmocka_unit_test(bf16_products_that_underflow_exhaustively),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
