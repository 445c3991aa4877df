/* Round to integers and to grids. */
#include <math.h>

#include "fixture.h"

/* n = the integer next to q, by definition: floor, then exact distances. */
static void
define_rint(fmpz_t n, const fmpq_t q, ckda_fp_direction d)
{
    fmpq_t below;
    fmpz_t low;
    fmpq_init(below);
    fmpz_init(low);
    fmpz_fdiv_q(low, fmpq_numref(q), fmpq_denref(q));
    fmpq_sub_fmpz(below, q, low); /* in [0, 1) */
    fmpq_mul_2exp(below, below, 1);
    int side = fmpq_cmp_ui(below, 1);
    bool neg = fmpq_sgn(q) < 0, up = false;
    if (fmpq_is_zero(below))
        up = false;
    else if (d == CKDA_FP_RUP || d == CKDA_FP_RDN)
        up = d == CKDA_FP_RUP;
    else if (d == CKDA_FP_RTZ)
        up = neg;
    else if (side != 0)
        up = side > 0;
    else
        up = d == CKDA_FP_RNE ? fmpz_is_odd(low) : !neg;
    fmpz_add_ui(n, low, up);
    fmpz_clear(low);
    fmpq_clear(below);
}

static void
check_rint(uint64_t x, const ckda_fp_format *f, fmpq_t q, fmpz_t want)
{
    define_value(q, x, f);
    for (int d = 0; d <= CKDA_FP_RNA; d++) {
        ckda_fp_rule r = {.direction = (ckda_fp_direction)d};
        define_value(q, x, f);
        define_rint(want, q, r.direction);
        fmpq_set_fmpz(q, want);
        uint64_t bits = define_round(q, f, &ckda_fp_rne) | (x & f->sign);
        same_bits(ckda_fp_rint(x, f, r.direction), bits, "rint", f, &r, x, 0, 0);
    }
}

static void
rint_by_definition_on_all_small_patterns(void **state)
{
    (void)state;
    ckda_rand r = seeded(50);
    fmpq_t q;
    fmpz_t want;
    fmpq_init(q);
    fmpz_init(want);
    for (int i = 0; i < 7; i++) {
        const ckda_fp_format *f = ckda_fp_formats[i];
        long n = f->width <= 8 ? 256 : cases(6000);
        for (long k = 0; k < n; k++) {
            uint64_t x = f->width <= 8 ? (uint64_t)k : edge_pattern(&r, f);
            if (f->width > 8 && k % 2) /* near 1 .. 2^precision, with halves */
                x = ckda_fp_from_dyadic(ckda_rand_range(&r, -9999, 9999),
                                        -(int64_t)ckda_rand_below(&r, 14), f,
                                        &ckda_fp_rne);
            if (ckda_fp_is_finite(x, f))
                check_rint(x, f, q, want);
        }
    }
    fmpz_clear(want);
    fmpq_clear(q);
}

/* All 16-bit patterns against rint() of the C library, in the default mode. */
static void
rint_agrees_with_the_library_on_all_16_bit_patterns(void **state)
{
    (void)state;
    const ckda_fp_format *f[] = {&ckda_fp_bf16, &ckda_fp_fp16};
    for (int i = 0; i < 2; i++)
        for (uint64_t x = 0; x < 65536; x++) {
            double want = rint(ckda_fp_get_double(x, f[i]));
            assert_true(ckda_fp_rint(x, f[i], CKDA_FP_RNE)
                        == ckda_fp_from_double(want, f[i], &ckda_fp_rne));
        }
}

static void
ties_go_to_even_integers_and_keep_their_sign(void **state)
{
    (void)state;
    const ckda_fp_format *f = &ckda_fp_bf16;
    const double in[] = {0.5, 1.5, 2.5, -0.5, -1.5, -2.5},
                 out[] = {0, 2, 2, -0.0, -2, -2};
    for (int i = 0; i < 6; i++)
        assert_int_equal(
            ckda_fp_rint(ckda_fp_from_double(in[i], f, &ckda_fp_rne), f, CKDA_FP_RNE),
            ckda_fp_from_double(out[i], f, &ckda_fp_rne));
    assert_int_equal(ckda_fp_rint(f->infinity, f, CKDA_FP_RNE), f->infinity);
    assert_int_equal(ckda_fp_rint(0xffc1, f, CKDA_FP_RNE), f->nan);
}

/* scale * x on integers, in machine words and in rationals. */
static void
scaled_grid_agrees_with_rationals(void **state)
{
    (void)state;
    ckda_rand r = seeded(51);
    fmpq_t q, step;
    fmpz_t n, want;
    fmpq_init(q);
    fmpq_init(step);
    fmpz_init(n);
    fmpz_init(want);
    for (int i = 0; i < 7; i++) {
        const ckda_fp_format *f = ckda_fp_formats[i];
        for (long k = 0; k < cases(3000); k++) {
            uint64_t x = edge_pattern(&r, f);
            int64_t scale = (int64_t)(ckda_rand_u64(&r) >> 1 >> ckda_rand_below(&r, 62));
            scale = scale == 0 ? 16 : scale;
            if (k % 2) /* halves of the grid */
                x = ckda_fp_from_dyadic(ckda_rand_range(&r, -99, 99), -5, f,
                                        &ckda_fp_rne);
            if (k % 2)
                scale = ckda_rand_range(&r, 1, 40);
            ckda_fp_direction d = (ckda_fp_direction)(k % 5);
            define_value(q, x, f);
            fmpq_set_si(step, 1, (ulong)scale);
            ckda_fp_grid_fmpq(n, q, step, d);
            fmpq_mul_si(q, q, scale);
            define_rint(want, q, d);
            assert_true(fmpz_equal(n, want));
            int64_t got = 7;
            ckda_status s = ckda_fp_to_grid(&got, x, f, scale, d);
            if (s == CKDA_OK)
                assert_true(fmpz_equal_si(want, got));
            else
                assert_true(fmpz_bits(want) > 63 && got == 7);
            if (s == CKDA_OK && d != CKDA_FP_RUP && d != CKDA_FP_RDN) { /* odd symmetry */
                int64_t minus;
                OK(ckda_fp_to_grid(&minus, x, f, -scale, d));
                assert_true(minus == -got);
            }
        }
    }
    fmpz_clear(want);
    fmpz_clear(n);
    fmpq_clear(step);
    fmpq_clear(q);
}

static void
grids_refuse_what_has_no_integer(void **state)
{
    (void)state;
    const ckda_fp_format *f = &ckda_fp_fp32;
    int64_t n = 3;
    assert_int_equal(ckda_fp_to_grid(&n, f->infinity, f, 4, CKDA_FP_RNE), CKDA_E_DOMAIN);
    assert_int_equal(ckda_fp_to_grid(&n, f->nan, f, 4, CKDA_FP_RNE), CKDA_E_DOMAIN);
    uint64_t x = ckda_fp_from_dyadic(1, 62, f, &ckda_fp_rne);
    assert_int_equal(ckda_fp_to_grid(&n, x, f, 2, CKDA_FP_RNE), CKDA_E_DOMAIN);
    assert_int_equal(n, 3);
    OK(ckda_fp_to_grid(&n, x, f, 1, CKDA_FP_RNE));
    assert_true(n == INT64_C(1) << 62);
    OK(ckda_fp_to_grid(&n, x, f, 0, CKDA_FP_RNE));
    assert_int_equal(n, 0);
    OK(ckda_fp_to_grid(&n, 1, f, INT64_MIN, CKDA_FP_RDN)); /* -2^63 2^-149 */
    assert_int_equal(n, -1);
    OK(ckda_fp_to_grid(&n, 1, &ckda_fp_fp64, 1, CKDA_FP_RUP));
    assert_int_equal(n, 1);
}

/* Rationals aside from dyadic ones; the result may be any size. */
static void
rational_grid_with_any_step(void **state)
{
    (void)state;
    fmpq_t x, step;
    fmpz_t n;
    fmpq_init(x);
    fmpq_init(step);
    fmpz_init(n);
    fmpq_set_si(step, 2, 3);
    fmpq_set_si(x, 1, 1); /* 1 = 1.5 steps */
    ckda_fp_grid_fmpq(n, x, step, CKDA_FP_RNE);
    assert_int_equal(fmpz_get_si(n), 2);
    fmpq_set_si(x, 5, 3); /* 2.5 steps */
    ckda_fp_grid_fmpq(n, x, step, CKDA_FP_RNE);
    assert_int_equal(fmpz_get_si(n), 2);
    ckda_fp_grid_fmpq(n, x, step, CKDA_FP_RNA);
    assert_int_equal(fmpz_get_si(n), 3);
    fmpq_set_si(x, -1, 9);
    ckda_fp_grid_fmpq(n, x, step, CKDA_FP_RDN);
    assert_int_equal(fmpz_get_si(n), -1);
    ckda_fp_grid_fmpq(n, x, step, CKDA_FP_RTZ);
    assert_int_equal(fmpz_get_si(n), 0);
    fmpz_clear(n);
    fmpq_clear(step);
    fmpq_clear(x);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rint_by_definition_on_all_small_patterns),
        cmocka_unit_test(rint_agrees_with_the_library_on_all_16_bit_patterns),
        cmocka_unit_test(ties_go_to_even_integers_and_keep_their_sign),
        cmocka_unit_test(scaled_grid_agrees_with_rationals),
        cmocka_unit_test(grids_refuse_what_has_no_integer),
        cmocka_unit_test(rational_grid_with_any_step),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
