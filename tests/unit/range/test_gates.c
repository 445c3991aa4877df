/* Gates from logits: values, thresholds, horizons, two roundings of one beta. */
#include "helper.h"

static double
as_double(uint64_t x, const ckda_fp_format *f)
{
    return ckda_fp_get_double(x, f);
}

static void
sigmoid_of_one_half(void **state)
{
    (void)state;
    ckda_gates_map m;
    uint64_t x;
    fmpq_t half;
    ckda_gates_map_init(&m);
    fmpq_init(half);
    fmpq_set_si(half, 1, 2);
    m.beta_scale = 1;
    assert_int_equal(ckda_gates_beta(&x, half, &m, &ckda_fp_bf16, CKDA_GATES_ONCE),
                     CKDA_OK);
    assert_true(as_double(x, &ckda_fp_bf16) == 0.62109375);
    assert_int_equal(ckda_gates_beta(&x, half, &m, &ckda_fp_fp32, CKDA_GATES_ONCE),
                     CKDA_OK);
    assert_true(as_double(x, &ckda_fp_fp32) == (double)0.62245935f);
    fmpq_clear(half);
    ckda_gates_map_clear(&m);
}

static void
logit_zero_is_exact(void **state)
{
    (void)state;
    ckda_gates_map m;
    uint64_t x;
    fmpq_t zero;
    ckda_gates_map_init(&m);
    fmpq_init(zero);
    assert_int_equal(ckda_gates_beta(&x, zero, &m, &ckda_fp_fp32, CKDA_GATES_ONCE),
                     CKDA_OK);
    assert_true(as_double(x, &ckda_fp_fp32) == 1.0);
    m.eps_is_exp = false;
    fmpq_set_si(m.eps, 1, 8);
    assert_int_equal(ckda_gates_alpha(&x, zero, &m, &ckda_fp_fp32, CKDA_GATES_ONCE),
                     CKDA_OK);
    assert_true(as_double(x, &ckda_fp_fp32) == 0.125);
    fmpq_clear(zero);
    ckda_gates_map_clear(&m);
}

/* alpha(ln 3) = (1 + eps)/2 and alpha is odd but for the jump at 0. */
static void
alpha_at_logits_near_ln3(void **state)
{
    (void)state;
    ckda_gates_map m;
    fmpq_t z;
    arb_t x, want;
    ckda_gates_map_init(&m);
    fmpq_init(z);
    arb_init(x);
    arb_init(want);
    assert_int_equal(
        fmpq_set_str(z, "1098612288668109691395245/1000000000000000000000000", 10),
        0); /* ln 3 to 24 digits */
    ckda_gates_alpha_arb(x, z, &m, 128);
    arb_set_si(want, -5);
    arb_exp(want, want, 128);
    arb_add_ui(want, want, 1, 128);
    arb_mul_2exp_si(want, want, -1);
    arb_sub(want, want, x, 128);
    arb_abs(want, want);
    arb_mul_2exp_si(want, want, 70);
    arb_sub_ui(want, want, 1, 128);
    assert_true(arb_is_negative(want));
    fmpq_neg(z, z);
    ckda_gates_alpha_arb(want, z, &m, 128);
    arb_add(want, want, x, 128);
    assert_true(arb_contains_zero(want));
    fmpq_clear(z);
    arb_clear(x);
    arb_clear(want);
    ckda_gates_map_clear(&m);
}

static double
threshold(ckda_gates_edge edge, ckda_gates_how how, const ckda_fp_format *f)
{
    ckda_gates_map m;
    uint64_t x;
    bool exists;
    ckda_gates_map_init(&m);
    assert_int_equal(ckda_gates_threshold(&x, &exists, edge, how, &m, f, f), CKDA_OK);
    assert_true(exists);
    ckda_gates_map_clear(&m);
    return as_double(x, f);
}

static void
near_to(double x, double want, double within)
{
    if (!(x - want <= within && want - x <= within))
        fail_msg("%.9g, expected %.9g", x, want);
}

/* Every step rounded, as a kernel in fp32: the figures that were stated for it. */
static void
fp32_kernels_reach_the_end_points(void **state)
{
    (void)state;
    near_to(threshold(CKDA_GATES_BETA_TOP, CKDA_GATES_STEPS, &ckda_fp_fp32), 16.636,
            1e-3);
    near_to(threshold(CKDA_GATES_ALPHA_TOP, CKDA_GATES_STEPS, &ckda_fp_fp32), 16.636,
            1e-3);
    near_to(threshold(CKDA_GATES_ALPHA_TOP, CKDA_GATES_TANH, &ckda_fp_fp32), 18.022,
            1e-3);
    near_to(threshold(CKDA_GATES_BETA_BOTTOM, CKDA_GATES_STEPS, &ckda_fp_fp32), -88.73,
            1e-2);
}

/* Rounded once: 2 sigmoid(z) >= 2 - 2^-p, so z >= ln(2^(p+1) - 1). */
static void
rounding_once_has_closed_forms(void **state)
{
    (void)state;
    near_to(threshold(CKDA_GATES_BETA_TOP, CKDA_GATES_ONCE, &ckda_fp_fp32),
            17.32867951399863, 2e-6);
    assert_true(threshold(CKDA_GATES_BETA_TOP, CKDA_GATES_ONCE, &ckda_fp_bf16) == 6.25);
    /* 1 - |alpha| <= 2^-9 */
    assert_true(threshold(CKDA_GATES_ALPHA_TOP, CKDA_GATES_ONCE, &ckda_fp_bf16)
                == 6.9375);
    near_to(threshold(CKDA_GATES_BETA_TOP, CKDA_GATES_ONCE, &ckda_fp_fp16), 8.3179, 3e-3);
}

/* Second way: all finite fp16 logits, one by one. */
static void
scan(ckda_gates_edge edge, ckda_gates_how how, double want)
{
    ckda_gates_map m;
    fmpq_t z;
    bool before = false;
    double first = 0;
    const ckda_fp_format *f = &ckda_fp_fp16;
    const double end = edge == CKDA_GATES_BETA_TOP      ? 2
                       : edge == CKDA_GATES_BETA_BOTTOM ? 0
                                                        : 1;
    const uint64_t side = edge == CKDA_GATES_BETA_BOTTOM ? f->sign : 0;
    ckda_gates_map_init(&m);
    fmpq_init(z);
    /* every pattern from 2 on in steps of 7, and all near the threshold */
    for (uint64_t k = 1; k <= f->largest; k++) {
        uint64_t x;
        const double logit = ckda_fp_get_double(k | side, f);
        const double d = logit - want;
        if (k % 61 != 0 && (d > 0.05 || d < -0.05))
            continue;
        assert_int_equal(ckda_fp_get_fmpq(z, k | side, f), CKDA_OK);
        const ckda_status status = edge == CKDA_GATES_ALPHA_TOP
                                       ? ckda_gates_alpha(&x, z, &m, f, how)
                                       : ckda_gates_beta(&x, z, &m, f, how);
        assert_int_equal(status, CKDA_OK);
        const bool there = ckda_fp_get_double(x, f) == end;
        assert_true(there || !before); /* monotone */
        if (there && !before)
            first = logit;
        before = there;
    }
    assert_true(first == want);
    fmpq_clear(z);
    ckda_gates_map_clear(&m);
}

static void
scanning_fp16_finds_the_same_thresholds(void **state)
{
    (void)state;
    static const ckda_gates_edge edges[] = {CKDA_GATES_BETA_TOP, CKDA_GATES_BETA_BOTTOM,
                                            CKDA_GATES_ALPHA_TOP};
    for (int e = 0; e < 3; e++)
        for (int how = CKDA_GATES_ONCE; how <= CKDA_GATES_STEPS; how++)
            scan(edges[e], (ckda_gates_how)how,
                 threshold(edges[e], (ckda_gates_how)how, &ckda_fp_fp16));
}

static void
wide_logits_and_narrow_values(void **state)
{
    (void)state;
    ckda_gates_map m;
    uint64_t x;
    bool exists;
    ckda_gates_map_init(&m);
    assert_int_equal(ckda_gates_threshold(&x, &exists, CKDA_GATES_BETA_TOP,
                                          CKDA_GATES_ONCE, &m, &ckda_fp_fp32,
                                          &ckda_fp_bf16),
                     CKDA_OK);
    assert_true(exists);
    near_to(as_double(x, &ckda_fp_fp32), 6.236369590203704, 1e-6);
    assert_int_equal(ckda_gates_threshold(&x, &exists, CKDA_GATES_BETA_TOP,
                                          CKDA_GATES_STEPS, &m, &ckda_fp_fp32,
                                          &ckda_fp_fp16),
                     CKDA_OK);
    assert_true(exists);
    /* e4m3 logits end at 448: too small for fp64 */
    assert_int_equal(ckda_gates_threshold(&x, &exists, CKDA_GATES_BETA_BOTTOM,
                                          CKDA_GATES_ONCE, &m, &ckda_fp_e4m3,
                                          &ckda_fp_fp64),
                     CKDA_OK);
    assert_false(exists);
    ckda_gates_map_clear(&m);
}

static void
horizon(const char *x, const char *threshold_text, ckda_status status, uint64_t want)
{
    fmpq_t a, b;
    uint64_t T = 77;
    fmpq_init(a);
    fmpq_init(b);
    assert_int_equal(fmpq_set_str(a, x, 10), 0);
    assert_int_equal(fmpq_set_str(b, threshold_text, 10), 0);
    assert_int_equal(ckda_gates_horizon(&T, a, b), status);
    assert_int_equal(T, want);
    fmpq_clear(a);
    fmpq_clear(b);
}

static void
horizons_decide_ties(void **state)
{
    (void)state;
    horizon("1/2", "1/8", CKDA_OK, 4); /* 1/8 is not below 1/8 */
    horizon("1/2", "1/7", CKDA_OK, 3);
    horizon("2/3", "8/27", CKDA_OK, 4);
    horizon("1/2", "1", CKDA_OK, 1);
    horizon("12499/12500", "3/4", CKDA_OK, 3596);
    horizon("12499/12500", "156225001/156250000", CKDA_OK, 3);
    horizon("1", "1/2", CKDA_E_DOMAIN, 77);
    horizon("0", "1/2", CKDA_E_DOMAIN, 77);
}

static void
slow_decay_becomes_one_in_bf16(void **state)
{
    (void)state;
    ckda_range_t r;
    read_text(r, "{\"gates\":{\"kind\":\"exact\",\"alpha\":[\"12499/12500\"],\"format\":"
                 "\"bf16\",\"steps\":4096}}");
    const ckda_gates_value *v = r->gates.value;
    assert_int_equal(r->gates.nvalues, 1);
    assert_true(v->collapses);
    assert_string_equal(v->rounded_exact, "1");
    assert_memory_equal(v->power, "0.720584", 8);
    assert_int_equal(r->verdict, CKDA_FALSE);
    ckda_range_clear(r);
}

static void
an_end_point_given_is_no_collapse(void **state)
{
    (void)state;
    ckda_range_t r;
    read_text(r,
              "{\"gates\":{\"kind\":\"exact\",\"alpha\":[1,-1],\"beta\":[2,0],\"format\":"
              "\"bf16\",\"threshold\":\"1/2\"}}");
    for (size_t i = 0; i < 4; i++) {
        assert_false(r->gates.value[i].collapses);
        assert_non_null(r->gates.value[i].endpoint);
    }
    assert_int_equal(r->gates.value[2].horizon, 0); /* never */
    assert_int_equal(r->verdict, CKDA_TRUE);
    ckda_range_clear(r);
}

static void
first_token_at_which_bf16_outputs_differ(void **state)
{
    (void)state;
    ckda_range_t r;
    read_text(
        r, "{\"gates\":{\"kind\":\"exact\",\"beta_scale\":1,\"beta_logit\":[\"1/2\"],"
           "\"format\":\"bf16\",\"compare\":{\"formats\":[\"bf16\",\"fp32\"],\"alpha\":"
           "[1,\"1/2\"],\"steps\":300}}}");
    assert_int_equal(r->gates.ncompares, 2);
    const ckda_gates_compare *c = r->gates.compare;
    assert_int_equal(c[0].first, 2);
    assert_string_equal(c[0].first_a, "219/256");
    assert_string_equal(c[0].first_b, "55/64");
    assert_int_equal(c[1].first, 0);
    /* fixed points b / (1 - a (1 - b)) differ by about 0.001 */
    near_to(atof(c[1].last), 0.001038418, 1e-8);
    assert_int_equal(r->verdict, CKDA_FALSE);
    ckda_range_clear(r);
}

/* Token 2 by hand: 1 - (1 - b)^2 with b = 159/256 and the fp32 pattern. */
static void
difference_is_an_exact_rational(void **state)
{
    (void)state;
    ckda_range_t r;
    fmpq_t a, b, d, want;
    fmpq_init(a);
    fmpq_init(b);
    fmpq_init(d);
    fmpq_init(want);
    read_text(
        r, "{\"gates\":{\"kind\":\"exact\",\"beta_scale\":1,\"beta_logit\":[\"1/2\"],"
           "\"compare\":{\"formats\":[\"bf16\",\"fp32\"],\"alpha\":[1],\"steps\":2}}}");
    fmpq_set_si(a, 256 - 159, 256);
    const uint64_t p =
        ckda_fp_from_double(1.0 - (double)0.62245935f, &ckda_fp_fp64, &ckda_fp_rne);
    assert_int_equal(ckda_fp_get_fmpq(b, p, &ckda_fp_fp64), CKDA_OK);
    fmpq_mul(a, a, a);
    fmpq_mul(b, b, b);
    fmpq_sub(want, a, b);
    assert_int_equal(fmpq_set_str(d, r->gates.compare[0].difference, 10), 0);
    assert_true(fmpq_equal(d, want));
    fmpq_clear(a);
    fmpq_clear(b);
    fmpq_clear(d);
    fmpq_clear(want);
    ckda_range_clear(r);
}

static void
horizon_from_logits_and_margin(void **state)
{
    (void)state;
    ckda_range_t r;
    read_text(r,
              "{\"gates\":{\"kind\":\"sigmoid\",\"lower\":-5,\"r_logit\":[-6],\"format\":"
              "\"bf16\",\"margin\":\"1/10\",\"steps\":9}}");
    const ckda_gates_value *v = r->gates.value;
    assert_true(v->has_horizon && v->horizon_known);
    assert_int_equal(v->horizon, 9); /* exp(-5 sigmoid(-6))^9 = 0.8947 */
    assert_int_equal(r->verdict, CKDA_FALSE);
    ckda_range_clear(r);
    read_text(r,
              "{\"gates\":{\"kind\":\"sigmoid\",\"lower\":-5,\"r_logit\":[-6],\"format\":"
              "\"bf16\",\"margin\":\"1/10\",\"steps\":8}}");
    assert_int_equal(r->verdict, CKDA_TRUE);
    ckda_range_clear(r);
}

static void
negative_logits_give_negative_gates(void **state)
{
    (void)state;
    ckda_range_t r;
    read_text(r, "{\"gates\":{\"r_logit\":[-3,3],\"format\":\"fp32\"}}");
    assert_true(as_double(r->gates.value[0].rounded, &ckda_fp_fp32)
                == -as_double(r->gates.value[1].rounded, &ckda_fp_fp32));
    assert_true(as_double(r->gates.value[0].steps, &ckda_fp_fp32)
                == -as_double(r->gates.value[1].steps, &ckda_fp_fp32));
    assert_int_equal(r->verdict, CKDA_TRUE);
    ckda_range_clear(r);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sigmoid_of_one_half),
        cmocka_unit_test(logit_zero_is_exact),
        cmocka_unit_test(alpha_at_logits_near_ln3),
        cmocka_unit_test(fp32_kernels_reach_the_end_points),
        cmocka_unit_test(rounding_once_has_closed_forms),
        cmocka_unit_test(scanning_fp16_finds_the_same_thresholds),
        cmocka_unit_test(wide_logits_and_narrow_values),
        cmocka_unit_test(horizons_decide_ties),
        cmocka_unit_test(slow_decay_becomes_one_in_bf16),
        cmocka_unit_test(an_end_point_given_is_no_collapse),
        cmocka_unit_test(first_token_at_which_bf16_outputs_differ),
        cmocka_unit_test(difference_is_an_exact_rational),
        cmocka_unit_test(horizon_from_logits_and_margin),
        cmocka_unit_test(negative_logits_give_negative_gates),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
