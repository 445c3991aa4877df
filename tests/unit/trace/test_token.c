/* Enclosed inputs: exp, sigmoid, norms, rounding hypotheses, against arb at high precision
 * and against rules written out in doubles. */
#include "fixture.h"

typedef struct {
    ckda_tensors ts;
    ckda_trace *tr;
    token p;
    run_args a;
} one;

static void
open_one(one *y, const char *gate, double g, const char *beta, double b, const char *key,
         const double k[2], const char *more, double m)
{
    const uint64_t four[4] = {1, 1, 1, 2}, flat[1] = {1};
    const double two[2] = {g, g}, zero[2] = {0, 0}, bias[2] = {m, m};
    const uint64_t hk[2] = {1, 2};
    ckda_error err;
    ckda_error_clear(&err);
    ckda_tensors_init(&y->ts);
    add_numbers(&y->ts, key, CKDA_DTYPE_F32, 4, four, k);
    add_numbers(&y->ts, gate, CKDA_DTYPE_F32, 4, four, two);
    add_numbers(&y->ts, beta, CKDA_DTYPE_F32, 3, four, &b);
    add_numbers(&y->ts, "q", CKDA_DTYPE_F32, 4, four, k);
    add_numbers(&y->ts, "v", CKDA_DTYPE_F32, 4, four, zero);
    add_numbers(&y->ts, "o", CKDA_DTYPE_F32, 4, four, zero);
    if (more != NULL) {
        add_numbers(&y->ts, "dt_bias", CKDA_DTYPE_F32, 2, hk, bias);
        add_numbers(&y->ts, "A_log", CKDA_DTYPE_F32, 1, flat, &m);
        ckda_tensors_set_meta(&y->ts, "gate", more);
    }
    if (ckda_trace_open(&y->tr, &y->ts, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    token_init(&y->p, 2, 120);
    y->a = (run_args){.tr = y->tr, .tokens = 1, .c1 = 2, .prec = 120, .depth = 6};
}

static void
close_one(one *y)
{
    token_clear(&y->p, 2);
    ckda_trace_close(&y->tr);
    ckda_tensors_clear(&y->ts);
}

/* Is want (a ball at 500 bits) within e of x, and e small? */
static void
close_to(const mpfr_t x, double e, const arb_t want)
{
    arb_t d;
    arf_t m;
    mag_t r, bound;
    arb_init(d);
    arf_init(m);
    mag_init(r);
    mag_init(bound);
    arf_set_mpfr(m, x);
    arb_sub_arf(d, want, m, 500);
    arb_get_mag(r, d);
    mag_set_d(bound, e);
    assert_true(mag_cmp(r, bound) <= 0);
    assert_true(e < 0x1p-110);
    mag_clear(bound);
    mag_clear(r);
    arf_clear(m);
    arb_clear(d);
}

static const double KEY[2] = {3, 4};

static void
log_gates_are_enclosed(void **state)
{
    (void)state;
    one y;
    arb_t x;
    const float g = -0.0123f;
    open_one(&y, "g", g, "beta", 0.5, "k", KEY, NULL, 0);
    token_prepare(&y.p, &y.a, 0);
    arb_init(x);
    arf_set_d(arb_midref(x), g);
    arb_exp(x, x, 500);
    close_to(y.p.alpha[1], y.p.da, x);
    assert_true(y.p.na >= exp(g) && y.p.na < exp(g) * (1 + 1e-9));
    assert_true(y.p.ma > 0 && y.p.db == 0 && y.p.dk == 0);
    arb_clear(x);
    close_one(&y);
}

static void
gates_of_one_are_exact(void **state)
{
    (void)state;
    one y;
    open_one(&y, "g", 0, "beta", 0.5, "k", KEY, NULL, 0);
    token_prepare(&y.p, &y.a, 0);
    assert_int_equal(y.p.alpha_kind[0], ALPHA_ONE);
    assert_true(y.p.da == 0 && y.p.na >= 1 && y.p.na < 1 + 1e-9);
    close_one(&y);
    open_one(&y, "alpha", -1, "beta", 0.5, "k", KEY, NULL, 0);
    token_prepare(&y.p, &y.a, 0);
    assert_int_equal(y.p.alpha_kind[1], ALPHA_MINUS_ONE);
    y.a.rule.unsigned_gate = true;
    token_prepare(&y.p, &y.a, 0);
    assert_int_equal(y.p.alpha_kind[1], ALPHA_ONE);
    close_one(&y);
}

static void
raw_keys_are_normalised(void **state)
{
    (void)state;
    one y;
    arb_t x;
    open_one(&y, "g", 0, "beta", 0.5, "k_raw", KEY, NULL, 0);
    token_prepare(&y.p, &y.a, 0);
    arb_init(x);
    OK(arb_set_str(x, "25.000001", 500) == 0 ? CKDA_OK : CKDA_E_INPUT);
    arb_rsqrt(x, x, 500);
    arb_mul_ui(x, x, 3, 500);
    close_to(y.p.k[0], y.p.dk, x);
    y.a.rule.key = KEY_RAW;
    token_prepare(&y.p, &y.a, 0);
    assert_true(mpfr_cmp_ui(y.p.k[1], 4) == 0);
    arb_clear(x);
    close_one(&y);
}

static void
given_keys_can_be_normalised_once_more(void **state)
{
    (void)state;
    one y;
    arb_t x;
    open_one(&y, "g", 0, "beta", 0.5, "k", KEY, NULL, 0);
    y.a.rule.key = KEY_UNIT;
    token_prepare(&y.p, &y.a, 0);
    arb_init(x);
    arb_set_ui(x, 4);
    arb_div_ui(x, x, 5, 500);
    close_to(y.p.k[1], y.p.dk, x);
    arb_clear(x);
    close_one(&y);
}

static void
beta_logits_go_through_the_sigmoid(void **state)
{
    (void)state;
    one y;
    arb_t x;
    open_one(&y, "g", 0, "beta_logit", 0.5, "k", KEY, NULL, 0);
    token_prepare(&y.p, &y.a, 0);
    arb_init(x);
    arf_set_d(arb_midref(x), -0.5);
    arb_exp(x, x, 500);
    arb_add_ui(x, x, 1, 500);
    arb_inv(x, x, 500);
    close_to(y.p.beta, y.p.db, x);
    /* sigmoid(1/2): the constant of a public report */
    y.a.rule.beta_to = &ckda_fp_bf16;
    token_prepare(&y.p, &y.a, 0);
    assert_true(mpfr_cmp_d(y.p.beta, 0.62109375) == 0 && y.p.db == 0);
    arb_clear(x);
    close_one(&y);
}

static void
raw_gates_follow_their_formulas(void **state)
{
    (void)state;
    one y;
    const double x = 0.75, m = 0.25;
    open_one(&y, "gate_logit", x, "beta", 0.5, "k", KEY, "lower-bound", m);
    token_prepare(&y.p, &y.a, 0);
    double want = exp(-5 / (1 + exp(-exp(m) * (x + m))));
    assert_true(fabs(mpfr_get_d(y.p.alpha[0], MPFR_RNDN) - want) < 1e-14);
    assert_true(y.p.da < 0x1p-110 && y.p.ma > y.p.da);
    close_one(&y);
    open_one(&y, "gate_logit", x, "beta", 0.5, "k", KEY, "softplus", m);
    token_prepare(&y.p, &y.a, 0);
    want = exp(-exp(m) * log1p(exp(x + m)));
    assert_true(fabs(mpfr_get_d(y.p.alpha[0], MPFR_RNDN) - want) < 1e-14);
    close_one(&y);
}

static void
a_slow_gate_becomes_1_in_bf16(void **state)
{
    (void)state;
    one y;
    open_one(&y, "alpha", 12499.0 / 12500, "beta", 0, "k", KEY, NULL, 0);
    y.a.rule.alpha_to = &ckda_fp_bf16;
    token_prepare(&y.p, &y.a, 0);
    assert_int_equal(y.p.alpha_kind[0], ALPHA_ONE);
    close_one(&y);
}

static void
extreme_gates_do_no_harm(void **state)
{
    (void)state;
    one y;
    open_one(&y, "g", -3e38, "beta", 0.5, "k", KEY, NULL, 0);
    token_prepare(&y.p, &y.a, 0);
    assert_true(mpfr_get_d(y.p.alpha[0], MPFR_RNDN) == 0);
    assert_true(y.p.da < 1e-300);
    close_one(&y);
}

static void
growth_bounds_the_reflection(void **state)
{
    (void)state;
    one y;
    open_one(&y, "g", 0, "beta", 2, "k", (const double[2]){0.75, 0.75}, NULL, 0);
    token_prepare(&y.p, &y.a, 0);
    assert_true(y.p.growth >= 1.25 && y.p.growth < 1.25 * (1 + 1e-9));
    close_one(&y);
    open_one(&y, "g", 0, "beta", 1, "k", (const double[2]){0.75, 0.75}, NULL, 0);
    token_prepare(&y.p, &y.a, 0);
    assert_true(y.p.growth == 1);
    close_one(&y);
}

static void
scale_as_given_or_of_the_key_size(void **state)
{
    (void)state;
    one y;
    double e;
    arb_t x;
    mpfr_t s;
    mpfr_init2(s, 120);
    arb_init(x);
    open_one(&y, "g", 0, "beta", 1, "k", KEY, NULL, 0);
    scale_prepare(s, &e, &y.a);
    arb_rsqrt_ui(x, 2, 500);
    close_to(s, e, x);
    y.a.rule.scale_twice = true;
    scale_prepare(s, &e, &y.a);
    arb_set_ui(x, 1);
    arb_mul_2exp_si(x, x, -1);
    close_to(s, e, x);
    y.a.rule = (rule){.no_scale = true};
    scale_prepare(s, &e, &y.a);
    assert_true(mpfr_cmp_ui(s, 1) == 0 && e == 0);
    close_one(&y);
    arb_clear(x);
    mpfr_clear(s);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(log_gates_are_enclosed),
        cmocka_unit_test(gates_of_one_are_exact),
        cmocka_unit_test(raw_keys_are_normalised),
        cmocka_unit_test(given_keys_can_be_normalised_once_more),
        cmocka_unit_test(beta_logits_go_through_the_sigmoid),
        cmocka_unit_test(raw_gates_follow_their_formulas),
        cmocka_unit_test(a_slow_gate_becomes_1_in_bf16),
        cmocka_unit_test(extreme_gates_do_no_harm),
        cmocka_unit_test(growth_bounds_the_reflection),
        cmocka_unit_test(scale_as_given_or_of_the_key_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
