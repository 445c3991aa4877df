/* Real numbers, given by balls, rounded once; and a fact about gates that rests on it. */
#include "fixture.h"

/* Irrational numbers are decided by a small enough ball, and not by a larger one. */
static void
real_balls_are_rounded_when_decided(void **state)
{
    (void)state;
    arb_t a;
    arb_init(a);
    for (ulong n = 2; n < 60; n++) {
        if (n_is_square(n))
            continue;
        arb_sqrt_ui(a, n, 200);
        mpfr_t v;
        for (int i = 0; i < 7; i++) {
            const ckda_fp_format *f = ckda_fp_formats[i];
            mpfr_init2(v, f->precision);
            int t = mpfr_sqrt_ui(v, n, MPFR_RNDN);
            uint64_t x = 0, want = oracle_finish(v, t, f, CKDA_FP_RNE);
            OK(ckda_fp_from_arb(&x, a, f, &ckda_fp_rne));
            assert_true(x == want);
            mpfr_clear(v);
        }
    }
    uint64_t x = 99;
    arb_set_si(a, 1); /* 1 +- 1 */
    arb_add_error_2exp_si(a, 0);
    assert_int_equal(ckda_fp_from_arb(&x, a, &ckda_fp_bf16, &ckda_fp_rne), CKDA_E_UNABLE);
    arb_zero_pm_inf(a);
    assert_int_equal(ckda_fp_from_arb(&x, a, &ckda_fp_bf16, &ckda_fp_rne), CKDA_E_UNABLE);
    arb_zero(a); /* both ends overflow to the same NaN, the middle does not */
    arb_add_error_2exp_si(a, 20);
    assert_int_equal(ckda_fp_from_arb(&x, a, &ckda_fp_e4m3, &ckda_fp_rne), CKDA_E_UNABLE);
    assert_true(x == 99);
    arb_set_si(a, 449);
    OK(ckda_fp_from_arb(&x, a, &ckda_fp_e4m3, &ckda_fp_rne));
    assert_true(x == 0x7e);
    arb_clear(a);
}

/* RN(1 + RN(e^-b)) = 1 in fp32? */
static bool
sigmoid_is_one(uint64_t b)
{
    fmpq_t q;
    arb_t a;
    uint64_t y = 0;
    fmpq_init(q);
    arb_init(a);
    OK(ckda_fp_get_fmpq(q, b, &ckda_fp_fp32));
    arb_set_fmpq(a, q, 200);
    arb_neg(a, a);
    arb_exp(a, a, 200);
    OK(ckda_fp_from_arb(&y, a, &ckda_fp_fp32, &ckda_fp_rne));
    arb_clear(a);
    fmpq_clear(q);
    const uint64_t one = 0x3f800000;
    return ckda_fp_add(one, &ckda_fp_fp32, y, &ckda_fp_fp32, &ckda_fp_fp32, &ckda_fp_rne)
           == one;
}

/* In exact arithmetic beta = 2 sigmoid(b) stays below 2; with correctly rounded fp32
 * steps it is 2 from the first logit at or above 24 ln 2 = 16.6355... */
static void
fp32_sigmoid_reaches_one_at_24_ln_2(void **state)
{
    (void)state;
    uint64_t low = 0x3f800000, high = 0x41c80000; /* 1 and 25 */
    assert_false(sigmoid_is_one(low));
    assert_true(sigmoid_is_one(high));
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (sigmoid_is_one(middle))
            high = middle;
        else
            low = middle;
    }
    double first = ckda_fp_get_double(high, &ckda_fp_fp32);
    assert_true(first > 16.6355 && first < 16.6356);
    arb_t a;
    uint64_t x = 0;
    ckda_fp_rule up = {.direction = CKDA_FP_RUP};
    arb_init(a);
    arb_const_log2(a, 100);
    arb_mul_si(a, a, 24, 100);
    OK(ckda_fp_from_arb(&x, a, &ckda_fp_fp32, &up));
    /* neighbouring logits change e^-b by 2^-19, its own rounding only by 2^-24 */
    assert_true(high == x);
    arb_clear(a);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real_balls_are_rounded_when_decided),
        cmocka_unit_test(fp32_sigmoid_reaches_one_at_24_ln_2),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    mpfr_free_cache();
    flint_cleanup();
    return failed;
}
