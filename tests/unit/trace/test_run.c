/* The enclosed recurrence against exact rationals, and the bounds of the models against
 * kernels that make the roundings they speak of. */
#include "fixture.h"

/* Is the exact number within rad of hi + lo?  *off gets the distance. */
static bool
encloses(double hi, double lo, double rad, const fmpq_t exact)
{
    fmpq_t d, y;
    bool in;
    fmpq_init(d);
    fmpq_init(y);
    set_q(d, hi);
    set_q(y, lo);
    fmpq_add(d, d, y);
    fmpq_sub(d, d, exact);
    fmpq_abs(d, d);
    set_q(y, rad);
    in = fmpq_cmp(d, y) <= 0;
    fmpq_clear(y);
    fmpq_clear(d);
    return in;
}

typedef struct {
    fmpq **o; /* [V][T] */
    uint64_t seen;
    double widest;
} outputs;

static void
check_block(void *data, const run_block *x)
{
    outputs *y = data;
    assert_int_equal(x->t0, y->seen);
    for (uint64_t t = 0; t < x->n; t++)
        for (uint64_t c = 0; c < x->width; c++) {
            const uint64_t at = t * x->width + c;
            assert_true(encloses(x->hi[at], x->lo[at], x->rad[at], y->o[c] + x->t0 + t));
            y->widest = fmax(y->widest, x->rad[at]);
        }
    y->seen += x->n;
}

static ckda_trace *
open_with_zero_outputs(ckda_tensors *ts, const numbers *x)
{
    const uint64_t hv[4] = {x->B, x->T, x->H, x->V};
    ckda_trace *tr = NULL;
    ckda_error err;
    ckda_error_clear(&err);
    OK(ckda_tensors_add(ts, "o.zero", CKDA_DTYPE_BF16, 4, hv, NULL, NULL));
    if (ckda_trace_open(&tr, ts, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    return tr;
}

/* All heads of a random trace at this precision; returns the widest radius. */
static double
against_rationals(uint64_t stream, slong prec, uint64_t T, uint64_t K, uint64_t V)
{
    ckda_rand r;
    ckda_tensors ts;
    ckda_rand_init(&r, 20261130 + stream);
    numbers x = random_numbers(&r, 2, T, 2, K, V);
    ckda_tensors_init(&ts);
    add_inputs(&ts, &x);
    ckda_trace *tr = open_with_zero_outputs(&ts, &x);
    outputs y = {.o = malloc(V * sizeof *y.o)};
    for (uint64_t c = 0; c < V; c++)
        y.o[c] = new_fmpq(T);
    fmpq *state = new_fmpq(K * V);
    for (uint64_t b = 0; b < x.B; b++)
        for (uint64_t h = 0; h < x.H; h++) {
            run_final f;
            const run_args a = {
                .tr = tr, .b = b, .h = h, .tokens = T, .c1 = V, .prec = prec, .depth = 8};
            for (uint64_t c = 0; c < V; c++)
                exact_column(state + c * K, y.o[c], &x, b, h, c);
            run_final_init(&f, K, V);
            y.seen = 0;
            run_head(&a, check_block, &y, &f);
            assert_int_equal(y.seen, T);
            for (uint64_t i = 0; i < K * V; i++)
                assert_true(encloses(f.hi[i], f.lo[i], f.rad[i / K], state + i));
            run_final_clear(&f);
        }
    free_fmpq(state, K * V);
    for (uint64_t c = 0; c < V; c++)
        free_fmpq(y.o[c], T);
    free(y.o);
    ckda_trace_close(&tr);
    ckda_tensors_clear(&ts);
    free_numbers(&x);
    return y.widest;
}

static void
encloses_the_rational_answer_at_120_bits(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 6; i++)
        assert_true(against_rationals(i, 120, 20, 3, 2) < 0x1p-70);
}

static void
encloses_the_rational_answer_at_few_bits(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 6; i++)
        assert_true(against_rationals(10 + i, 24, 12, 4, 2) > 0x1p-24);
}

static void
encloses_across_blocks_of_tokens(void **state)
{
    (void)state;
    assert_true(against_rationals(20, 120, RUN_BLOCK + 7, 2, 1) < 1);
}

static void
a_state_of_one_number(void **state)
{
    (void)state;
    assert_true(against_rationals(21, 120, 9, 1, 1) < 0x1p-80);
}

/* ---- other orders of the update ---------------------------------------------------- */

typedef struct {
    double last;
    uint64_t n;
} last_output;

static void
keep_last(void *data, const run_block *x)
{
    last_output *y = data;
    y->last = x->hi[(x->n - 1) * x->width];
    y->n += x->n;
}

/* n = 1, H_0 = 1, gate 1/2, k = 1, v = 0, beta = 1: the case of the two update rules. */
static double
scalar_case(rule r)
{
    const uint64_t four[4] = {1, 1, 1, 1};
    const double one = 1, half = 0.5, zero = 0;
    ckda_tensors ts;
    ckda_trace *tr = NULL;
    last_output y = {NAN, 0};
    ckda_tensors_init(&ts);
    add_numbers(&ts, "q", CKDA_DTYPE_BF16, 4, four, &one);
    add_numbers(&ts, "k", CKDA_DTYPE_BF16, 4, four, &one);
    add_numbers(&ts, "v", CKDA_DTYPE_BF16, 4, four, &zero);
    add_numbers(&ts, "alpha", CKDA_DTYPE_BF16, 4, four, &half);
    add_numbers(&ts, "beta", CKDA_DTYPE_BF16, 3, four, &one);
    add_numbers(&ts, "initial_state", CKDA_DTYPE_BF16, 4, four, &one);
    add_numbers(&ts, "o", CKDA_DTYPE_BF16, 4, four, &zero);
    OK(ckda_trace_open(&tr, &ts, NULL));
    const run_args a = {
        .tr = tr, .rule = r, .tokens = 1, .c1 = 1, .prec = 64, .depth = 4};
    run_head(&a, keep_last, &y, NULL);
    assert_int_equal(y.n, 1);
    ckda_trace_close(&tr);
    ckda_tensors_clear(&ts);
    return y.last;
}

static void
forget_first_gives_0_error_first_minus_a_half(void **state)
{
    (void)state;
    assert_true(scalar_case((rule){0}) == 0);
    assert_true(scalar_case((rule){.order = ORDER_OLD_ERROR}) == -0.5);
}

static void
rules_do_what_they_say(void **state)
{
    (void)state;
    assert_true(scalar_case((rule){.order = ORDER_GATE_LAST}) == 0);
    assert_true(scalar_case((rule){.order = ORDER_GATE_ALL}) == 0);
    assert_true(scalar_case((rule){.beta_double = 1}) == -0.5);
    assert_true(scalar_case((rule){.beta_halve = 1}) == 0.25);
    assert_true(scalar_case((rule){.beta_halve = 1, .no_gate = true}) == 0.5);
    assert_true(scalar_case((rule){.beta_halve = 1, .no_initial = true}) == 0);
    assert_true(scalar_case((rule){.read_before = true}) == 1);
    assert_true(scalar_case((rule){.inputs_late = true}) == 1);
    assert_true(scalar_case((rule){.gate_late = true, .beta_halve = 1}) == 0.5);
    assert_true(scalar_case((rule){.beta_halve = 1, .scale_twice = true}) == 0.25);
}

/* ---- the models -------------------------------------------------------------------- */

/* One head, one column, by an fp32 kernel: fused or not, sums forwards or backwards. */
static void
fp32_kernel(double *o, float *h, const numbers *x, bool fused, bool backwards,
            bool bf16_state)
{
    const uint64_t K = x->K;
    for (uint64_t i = 0; i < K; i++)
        h[i] = (float)x->h0[i * x->V];
    for (uint64_t t = 0; t < x->T; t++) {
        float p = 0, q = 0, w;
        for (uint64_t i = 0; i < K; i++)
            h[i] *= (float)x->alpha[t * K + i];
        for (uint64_t i = 0; i < K; i++) {
            const uint64_t j = backwards ? K - 1 - i : i;
            const float k = (float)x->k[t * K + j];
            p = fused ? fmaf(k, h[j], p) : p + k * h[j];
        }
        w = (float)x->beta[t] * ((float)x->v[t * x->V] - p);
        for (uint64_t i = 0; i < K; i++) {
            const float k = (float)x->k[t * K + i];
            h[i] = fused ? fmaf(k, w, h[i]) : h[i] + k * w;
            if (bf16_state)
                h[i] = (float)rounded_to(h[i], &ckda_fp_bf16);
        }
        for (uint64_t i = 0; i < K; i++)
            q += (float)x->q[t * K + i] * h[i];
        o[t] = 0.5f * q;
    }
}

typedef struct {
    const double *o;
    ckda_trace_model model;
    double most; /* largest error over bound */
} inside;

static void
check_inside(void *data, const run_block *x)
{
    inside *y = data;
    for (uint64_t t = 0; t < x->n; t++) {
        const double d = fabs(x->hi[t * x->width] - y->o[x->t0 + t]);
        y->most = fmax(y->most, d / x->bound[y->model][t * x->width]);
    }
}

static double
worst_of_kernel(uint64_t stream, bool fused, bool backwards, bool bf16_state,
                ckda_trace_model model)
{
    ckda_rand r;
    ckda_tensors ts;
    ckda_rand_init(&r, 77 + stream);
    numbers x = random_numbers(&r, 1, 300, 1, 8, 1);
    for (uint64_t i = 0; i < 300 * 8; i++) /* mostly gates near 1 */
        x.alpha[i] = i % 3 == 0 ? 1 : rounded_to(0.98, &ckda_fp_bf16);
    ckda_tensors_init(&ts);
    add_inputs(&ts, &x);
    ckda_trace *tr = open_with_zero_outputs(&ts, &x);
    double o[300];
    float h[8];
    inside y = {o, model, 0};
    fp32_kernel(o, h, &x, fused, backwards, bf16_state);
    const run_args a = {.tr = tr, .tokens = 300, .c1 = 1, .prec = 120, .depth = 8};
    run_head(&a, check_inside, &y, NULL);
    ckda_trace_close(&tr);
    ckda_tensors_clear(&ts);
    free_numbers(&x);
    return y.most;
}

static void
fp32_kernels_stay_within_their_bound(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 8; i++)
        assert_true(worst_of_kernel(i, i % 2, i % 4 < 2, false, CKDA_MODEL_FP32) <= 1);
}

static void
the_bound_of_fp32_is_not_idle(void **state)
{
    (void)state;
    double most = 0;
    for (uint64_t i = 0; i < 8; i++)
        most = fmax(most, worst_of_kernel(i, false, false, false, CKDA_MODEL_FP32));
    assert_true(most > 0.003);
}

static void
bf16_states_stay_within_theirs_and_leave_fp32(void **state)
{
    (void)state;
    double most = 0;
    for (uint64_t i = 0; i < 4; i++) {
        assert_true(worst_of_kernel(i, false, false, true, CKDA_MODEL_BF16_STATE) <= 1);
        most = fmax(most, worst_of_kernel(i, false, false, true, CKDA_MODEL_FP32));
    }
    assert_true(most > 1);
}

/* ---- bounds over many tokens -------------------------------------------------------- */

static void
envelope_of_reflections_grows_like_their_number(void **state)
{
    (void)state;
    enum { K = 4, N = 1000 };
    double E[K * K] = {0}, tmp[2 * K];
    token p;
    token_init(&p, K, 64);
    mpfr_set_ui(p.beta, 2, MPFR_RNDN);
    p.nb = 2;
    p.na = p.nk = 1;
    memset(p.alpha_kind, ALPHA_ONE, K);
    for (int t = 0; t < N; t++) {
        for (uint64_t i = 0; i < K; i++)
            mpfr_set_d(p.k[i], i == (uint64_t)t % 2 ? 0.6 : i == 2 ? 0.8 : 0, MPFR_RNDN);
        envelope_step(E, &p, 0x1p-20, K, tmp);
    }
    /* orthogonal transitions: E = N rho^2 I, bound = N rho up to |.|_F against |.|_2 */
    const double bound = envelope_bound(E, N, K) / (N * 0x1p-20);
    assert_true(bound > 1 && bound < 1.2);
    token_clear(&p, K);
}

static void
envelope_of_nothing_is_0(void **state)
{
    (void)state;
    const double E[4] = {0};
    assert_true(envelope_bound(E, 5, 2) == 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(encloses_the_rational_answer_at_120_bits),
        cmocka_unit_test(encloses_the_rational_answer_at_few_bits),
        cmocka_unit_test(encloses_across_blocks_of_tokens),
        cmocka_unit_test(a_state_of_one_number),
        cmocka_unit_test(forget_first_gives_0_error_first_minus_a_half),
        cmocka_unit_test(rules_do_what_they_say),
        cmocka_unit_test(fp32_kernels_stay_within_their_bound),
        cmocka_unit_test(the_bound_of_fp32_is_not_idle),
        cmocka_unit_test(bf16_states_stay_within_theirs_and_leave_fp32),
        cmocka_unit_test(envelope_of_reflections_grows_like_their_number),
        cmocka_unit_test(envelope_of_nothing_is_0),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
