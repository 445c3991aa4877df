/* The judgement as users get it: figures against exact rationals, classes, places, pairs,
 * diagnoses of kernels that follow another rule. */
#include "fixture.h"

typedef enum {
    RIGHT,
    OLD_ERROR,
    GATE_LAST,
    BETA_BF16,
    NO_SCALE,
    NO_INITIAL,
    LATE,
    READ_BEFORE,
    UNSIGNED
} flavour;

/* One head and column in fp32, output rounded to bf16 by the caller. */
static void
kernel_column(double *o, double *final, const numbers *x, uint64_t b, uint64_t h,
              uint64_t c, flavour f)
{
    const uint64_t K = x->K;
    float s[32], old[32];
    for (uint64_t i = 0; i < K; i++)
        s[i] = f == NO_INITIAL ? 0 : (float)x->h0[((b * x->H + h) * K + i) * x->V + c];
    for (uint64_t t = 0; t < x->T; t++) {
        const uint64_t now = (b * x->T + t) * x->H + h,
                       at = f == LATE && t > 0 ? now - x->H : now;
        float p = 0, q = 0, beta = (float)x->beta[at];
        if (f == BETA_BF16)
            beta = (float)rounded_to(beta, &ckda_fp_bf16);
        for (uint64_t i = 0; i < K && f == READ_BEFORE; i++)
            q += (float)x->q[now * K + i] * s[i];
        if (f == LATE && t == 0) {
            for (uint64_t i = 0; i < K; i++)
                q += (float)x->q[now * K + i] * s[i];
            o[((b * x->T + t) * x->H + h) * x->V + c] = 0.5f * q;
            continue;
        }
        for (uint64_t i = 0; i < K; i++) {
            const float a = (float)x->alpha[at * K + i];
            old[i] = s[i];
            if (f != GATE_LAST)
                s[i] *= f == UNSIGNED ? fabsf(a) : a;
        }
        for (uint64_t i = 0; i < K; i++)
            p += (float)x->k[at * K + i] * (f == OLD_ERROR ? old[i] : s[i]);
        const float v = (float)x->v[at * x->V + c];
        for (uint64_t i = 0; i < K; i++) {
            const float k = (float)x->k[at * K + i];
            if (f == GATE_LAST)
                s[i] = (float)x->alpha[at * K + i] * (s[i] - k * (beta * p))
                       + k * (beta * v);
            else
                s[i] += k * (beta * (v - p));
        }
        for (uint64_t i = 0; i < K && f != READ_BEFORE; i++)
            q += (float)x->q[at * K + i] * s[i];
        o[now * x->V + c] = f == NO_SCALE ? q : 0.5f * q;
    }
    for (uint64_t i = 0; i < K; i++)
        final[((b * x->H + h) * K + i) * x->V + c] = s[i];
}

/* Adds o.NAME (bf16) and final_state.NAME (fp32) of a kernel. */
static void
add_kernel(ckda_tensors *ts, const numbers *x, const char *name, flavour f,
           bool with_final, bool transposed)
{
    const uint64_t hv[4] = {x->B, x->T, x->H, x->V}, st[4] = {x->B, x->H, x->K, x->V};
    char text[64];
    double *o = calloc(x->B * x->T * x->H * x->V, sizeof *o);
    double *s = calloc(x->B * x->H * x->K * x->V, sizeof *s);
    for (uint64_t b = 0; b < x->B; b++)
        for (uint64_t h = 0; h < x->H; h++)
            for (uint64_t c = 0; c < x->V; c++)
                kernel_column(o, s, x, b, h, c, f);
    for (uint64_t m = 0; m < x->B * x->H && transposed; m++) {
        double *y = s + m * x->K * x->V;
        for (uint64_t i = 0; i < x->K; i++)
            for (uint64_t j = 0; j < i; j++) {
                const double z = y[i * x->V + j];
                y[i * x->V + j] = y[j * x->V + i];
                y[j * x->V + i] = z;
            }
    }
    snprintf(text, sizeof text, "o.%s", name);
    add_numbers(ts, text, CKDA_DTYPE_BF16, 4, hv, o);
    snprintf(text, sizeof text, "final_state.%s", name);
    if (with_final)
        add_numbers(ts, text, CKDA_DTYPE_F32, 4, st, s);
    free(o);
    free(s);
}

static numbers
usual(uint64_t stream)
{
    ckda_rand r;
    ckda_rand_init(&r, 4711 + stream);
    numbers x = random_numbers(&r, 1, 40, 2, 4, 4);
    for (uint64_t i = 0; i < 40 * 2; i++)
        x.beta[i] = (double)(float)(0.2 + 1.6 * (double)ckda_rand_below(&r, 9973) / 9973);
    return x;
}

static ckda_trace_result *
judged(const ckda_tensors *ts, ckda_trace **tr, long prec)
{
    ckda_trace_result *r = NULL;
    ckda_error err;
    const ckda_trace_options opt = {.diagnose = true, .prec = prec};
    ckda_error_clear(&err);
    *tr = NULL;
    if (ckda_trace_open(tr, ts, &err) != CKDA_OK
        || ckda_trace_judge(&r, *tr, &opt, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    return r;
}

/* Judges one kernel; *id gets the first rule. */
static ckda_truth
verdict(flavour f, const char **id, uint64_t *first)
{
    ckda_tensors ts;
    ckda_trace *tr;
    numbers x = usual(f);
    ckda_tensors_init(&ts);
    add_inputs(&ts, &x);
    add_kernel(&ts, &x, "it", f, true, false);
    ckda_trace_result *r = judged(&ts, &tr, 0);
    const ckda_trace_kernel *k = &r->kernel[0];
    const ckda_truth within = r->within;
    *id = k->diagnosis.nrules > 0 && k->diagnosis.rule[0].match == CKDA_MATCH_YES
              ? k->diagnosis.rule[0].id /* a constant of the library */
              : NULL;
    *first =
        k->first[CKDA_TOKEN_BEYOND].found ? k->first[CKDA_TOKEN_BEYOND].t : UINT64_MAX;
    ckda_trace_result_free(&r);
    ckda_trace_close(&tr);
    ckda_tensors_clear(&ts);
    free_numbers(&x);
    return within;
}

static void
a_right_kernel_is_within(void **state)
{
    (void)state;
    const char *id;
    uint64_t first;
    assert_int_equal(verdict(RIGHT, &id, &first), CKDA_TRUE);
    assert_null(id);
}

static void
diagnosed(flavour f, const char *want)
{
    const char *id = NULL;
    uint64_t first;
    assert_int_equal(verdict(f, &id, &first), CKDA_FALSE);
    if (id == NULL || strcmp(id, want) != 0)
        fail_msg("diagnosis %s, expected %s", id == NULL ? "none" : id, want);
    assert_true(first < 3);
}

static void
the_error_of_the_old_state(void **state)
{
    (void)state;
    diagnosed(OLD_ERROR, "order-old-error");
}

static void
gate_and_delta_swapped(void **state)
{
    (void)state;
    diagnosed(GATE_LAST, "order-gate-last");
}

static void
beta_rounded_to_bf16(void **state)
{
    (void)state;
    diagnosed(BETA_BF16, "beta-bf16");
}

static void
scale_forgotten(void **state)
{
    (void)state;
    diagnosed(NO_SCALE, "scale-missing");
}

static void
initial_state_forgotten(void **state)
{
    (void)state;
    diagnosed(NO_INITIAL, "initial-ignored");
}

static void
inputs_one_token_late(void **state)
{
    (void)state;
    diagnosed(LATE, "shift-by-one");
}

static void
output_read_before_the_update(void **state)
{
    (void)state;
    diagnosed(READ_BEFORE, "read-before");
}

static void
signs_of_gates_dropped(void **state)
{
    (void)state;
    diagnosed(UNSIGNED, "gate-unsigned");
}

/* ---- figures ----------------------------------------------------------------------- */

/* Relative errors of o and final state from exact rationals. */
static void
exact_figures(double *o_error, double *final_error, const ckda_trace *tr,
              const numbers *x)
{
    double e2[2] = {0, 0}, r2[2] = {0, 0};
    fmpq *state = new_fmpq(x->K), *o = new_fmpq(x->T);
    fmpq_t d;
    fmpq_init(d);
    for (uint64_t h = 0; h < x->H; h++)
        for (uint64_t c = 0; c < x->V; c++) {
            exact_column(state, o, x, 0, h, c);
            for (uint64_t t = 0; t < x->T; t++) {
                set_q(d, view_get(&tr->kernel[0].o, 0, t, h, c));
                fmpq_sub(d, d, o + t);
                e2[0] += double_of(d) * double_of(d);
                r2[0] += double_of(o + t) * double_of(o + t);
            }
            for (uint64_t i = 0; i < x->K; i++) {
                set_q(d, view_get(&tr->kernel[0].state, 0, 0, h, i * x->V + c));
                fmpq_sub(d, d, state + i);
                e2[1] += double_of(d) * double_of(d);
                r2[1] += double_of(state + i) * double_of(state + i);
            }
        }
    *o_error = sqrt(e2[0] / r2[0]);
    *final_error = sqrt(e2[1] / r2[1]);
    fmpq_clear(d);
    free_fmpq(o, x->T);
    free_fmpq(state, x->K);
}

static void
errors_agree_with_exact_rationals(void **state)
{
    (void)state;
    for (uint64_t stream = 20; stream < 23; stream++) {
        ckda_tensors ts;
        ckda_trace *tr;
        double o, final;
        numbers x = usual(stream);
        x.T = 20; /* rationals grow */
        ckda_tensors_init(&ts);
        add_inputs(&ts, &x);
        add_kernel(&ts, &x, "it", stream == 21 ? BETA_BF16 : RIGHT, true, false);
        ckda_trace_result *r = judged(&ts, &tr, 0);
        const ckda_trace_kernel *k = &r->kernel[0];
        exact_figures(&o, &final, tr, &x);
        assert_true(k->o_error.lo <= o * (1 + 1e-12) && o <= k->o_error.hi * (1 + 1e-12));
        assert_true(k->o_error.hi - k->o_error.lo < 1e-8 * o);
        assert_true(fabs(k->final_error.hi - final) < 1e-8 * final);
        ckda_trace_result_free(&r);
        ckda_trace_close(&tr);
        ckda_tensors_clear(&ts);
        free_numbers(&x);
    }
}

static void
a_transposed_final_state_is_noticed(void **state)
{
    (void)state;
    ckda_tensors ts;
    ckda_trace *tr;
    numbers x = usual(30);
    ckda_tensors_init(&ts);
    add_inputs(&ts, &x);
    add_kernel(&ts, &x, "it", RIGHT, true, true);
    ckda_trace_result *r = judged(&ts, &tr, 0);
    assert_true(r->kernel[0].final_transposed);
    assert_int_equal(r->within, CKDA_TRUE);
    ckda_trace_result_free(&r);
    ckda_trace_close(&tr);
    ckda_tensors_set_meta(&ts, "state_layout", "kv"); /* then it is wrong */
    r = judged(&ts, &tr, 0);
    assert_false(r->kernel[0].final_transposed);
    assert_int_equal(r->kernel[0].final_class, CKDA_TOKEN_BEYOND);
    ckda_trace_result_free(&r);
    ckda_trace_close(&tr);
    ckda_tensors_clear(&ts);
    free_numbers(&x);
}

static void
final_state_alone_is_judged(void **state)
{
    (void)state;
    ckda_tensors ts;
    ckda_trace *tr;
    numbers x = usual(31);
    const uint64_t st[4] = {1, 2, 4, 4};
    double *o = calloc(40 * 2 * 4, sizeof *o), s[32] = {0};
    for (uint64_t h = 0; h < 2; h++)
        for (uint64_t c = 0; c < 4; c++)
            kernel_column(o, s, &x, 0, h, c, BETA_BF16);
    ckda_tensors_init(&ts);
    add_inputs(&ts, &x);
    add_numbers(&ts, "final_state.it", CKDA_DTYPE_F32, 4, st, s);
    ckda_trace_result *r = judged(&ts, &tr, 0);
    assert_false(r->kernel[0].has_o);
    assert_int_equal(r->kernel[0].final_class, CKDA_TOKEN_BEYOND);
    assert_true(r->kernel[0].diagnosis.on_state);
    assert_string_equal(r->kernel[0].diagnosis.rule[0].id, "beta-bf16");
    assert_int_equal(r->kernel[0].diagnosis.rule[0].match, CKDA_MATCH_YES);
    ckda_trace_result_free(&r);
    ckda_trace_close(&tr);
    ckda_tensors_clear(&ts);
    free_numbers(&x);
    free(o);
}

static void
the_first_number_that_is_not_finite(void **state)
{
    (void)state;
    ckda_tensors ts;
    ckda_trace *tr;
    numbers x = usual(32);
    ckda_tensors_init(&ts);
    add_inputs(&ts, &x);
    add_kernel(&ts, &x, "it", RIGHT, false, false);
    ckda_tensor *t = &ts.tensor[ts.ntensors - 1];
    const uint64_t at[2] = {(17 * 2 + 1) * 4 + 2, (20 * 2 + 0) * 4 + 1};
    for (int i = 0; i < 2; i++) { /* NaN, then infinity */
        t->bytes[2 * at[i]] = i == 0 ? 0xc0 : 0x80;
        t->bytes[2 * at[i] + 1] = 0x7f;
    }
    ckda_trace_result *r = judged(&ts, &tr, 0);
    const ckda_trace_kernel *k = &r->kernel[0];
    const ckda_trace_place *p = &k->first[CKDA_TOKEN_NONFINITE];
    assert_true(p->found && p->t == 17 && p->h == 1 && p->c == 2);
    assert_int_equal(k->tokens[CKDA_TOKEN_NONFINITE], 2);
    assert_int_equal(k->tokens[CKDA_TOKEN_BEYOND], 0);
    assert_true(isinf(k->o_error.hi) && isinf(k->token_error[17]));
    assert_true(isfinite(k->token_error[16]));
    assert_true(k->pieces[0].jumps && k->pieces[0].first == 1);
    assert_int_equal(r->within, CKDA_FALSE);
    assert_false(k->diagnosis.done);
    ckda_trace_result_free(&r);
    ckda_trace_close(&tr);
    ckda_tensors_clear(&ts);
    free_numbers(&x);
}

static void
of_two_kernels_the_nearer_one(void **state)
{
    (void)state;
    ckda_tensors ts;
    ckda_trace *tr;
    numbers x = usual(33);
    ckda_tensors_init(&ts);
    add_inputs(&ts, &x);
    add_kernel(&ts, &x, "wrong", OLD_ERROR, true, false);
    add_kernel(&ts, &x, "right", RIGHT, true, false);
    ckda_trace_result *r = judged(&ts, &tr, 0);
    assert_int_equal(r->npairs, 1);
    assert_int_equal(r->pair[0].nearer_o, 1);
    assert_int_equal(r->pair[0].nearer_final, 1);
    assert_int_equal(r->pair[0].first_beyond, -1);
    assert_true(r->pair[0].first_differ.found && r->pair[0].first_differ.t == 0);
    ckda_trace_result_free(&r);
    ckda_trace_close(&tr);
    ckda_tensors_clear(&ts);
    free_numbers(&x);
}

static void
two_equal_kernels_are_not_told_apart(void **state)
{
    (void)state;
    ckda_tensors ts;
    ckda_trace *tr;
    numbers x = usual(34);
    ckda_tensors_init(&ts);
    add_inputs(&ts, &x);
    add_kernel(&ts, &x, "a", RIGHT, true, false);
    add_kernel(&ts, &x, "b", RIGHT, true, false);
    ckda_trace_result *r = judged(&ts, &tr, 0);
    assert_int_equal(r->pair[0].nearer_o, 0);
    assert_int_equal(r->pair[0].first_beyond, 0);
    assert_false(r->pair[0].first_differ.found);
    ckda_trace_result_free(&r);
    ckda_trace_close(&tr);
    ckda_tensors_clear(&ts);
    free_numbers(&x);
}

static void
too_few_bits_are_undecided_not_a_pass(void **state)
{
    (void)state;
    ckda_tensors ts;
    ckda_trace *tr;
    numbers x = usual(35);
    ckda_tensors_init(&ts);
    add_inputs(&ts, &x);
    add_kernel(&ts, &x, "it", RIGHT, true, false);
    ckda_trace_result *r = judged(&ts, &tr, 24);
    assert_int_equal(r->prec, 24);
    assert_int_equal(r->within, CKDA_UNKNOWN);
    ckda_trace_result_free(&r);
    ckda_trace_close(&tr);
    ckda_tensors_clear(&ts);
    free_numbers(&x);
}

static void
bits_are_added_until_the_radius_is_small(void **state)
{
    (void)state;
    ckda_tensors ts;
    ckda_trace *tr;
    numbers x = usual(36);
    /* transitions that shrink the state by 2^-6 a token, their bound by much less */
    for (uint64_t i = 0; i < 40 * 2 * 4; i++)
        x.alpha[i] = i % 4 == 0 ? 1 : 0.015625;
    for (uint64_t i = 0; i < 40 * 2; i++)
        x.beta[i] = 1;
    for (uint64_t i = 0; i < 40 * 2 * 4; i++) {
        x.v[i] = 0;
        x.k[i] = i % 4 == 0 ? 0.5 : 0;
    }
    for (uint64_t i = 0; i < 32; i++)
        x.h0[i] = i % 16 < 4 ? 0 : 1; /* row 0 of each state */
    ckda_tensors_init(&ts);
    add_inputs(&ts, &x);
    add_kernel(&ts, &x, "it", RIGHT, true, false);
    ckda_trace_result *r = judged(&ts, &tr, 0);
    assert_true(r->prec > 120);
    assert_true(r->radius_final.hi < 0x1p-48);
    ckda_trace_result_free(&r);
    ckda_trace_close(&tr);
    ckda_tensors_clear(&ts);
    free_numbers(&x);
}

/* ---- one number -------------------------------------------------------------------- */

static void
half_ulps(void **state)
{
    (void)state;
    assert_true(half_ulp(1, &ckda_fp_bf16) == 0x1p-8);
    assert_true(half_ulp(1.99, &ckda_fp_bf16) == 0x1p-8);
    assert_true(half_ulp(0.5, &ckda_fp_fp32) == 0x1p-25);
    assert_true(half_ulp(0, &ckda_fp_fp16) == 0x1p-25);
}

static void
numbers_are_classed_at_the_edges(void **state)
{
    (void)state;
    double d;
    const ckda_fp_format *f = &ckda_fp_bf16;
    wanted w = {1 + 0x1p-8, 0, 0x1p-80, 0}; /* a tie between 1 and 1 + 2^-7 */
    assert_int_equal(compare_number(&d, &w, 1, f), CKDA_TOKEN_ROUNDED);
    assert_int_equal(compare_number(&d, &w, 1 + 0x1p-7, f), CKDA_TOKEN_ROUNDED);
    w.lo = 0x1p-50;
    assert_int_equal(compare_number(&d, &w, 1, f), CKDA_TOKEN_BEYOND);
    w.bound = 0x1p-30;
    assert_int_equal(compare_number(&d, &w, 1, f), CKDA_TOKEN_WITHIN);
    assert_true(d == 0x1p-8 + 0x1p-50);
    w = (wanted){1 - 0x1p-10, 0, 0x1p-80, 0}; /* below a power of two the gap is half */
    assert_int_equal(compare_number(&d, &w, 1, f), CKDA_TOKEN_ROUNDED);
    w.hi = 1 - 0x1p-9 - 0x1p-20;
    assert_int_equal(compare_number(&d, &w, 1, f), CKDA_TOKEN_BEYOND);
    w = (wanted){0, 0, 0, 0};
    assert_int_equal(compare_number(&d, &w, 0, f), CKDA_TOKEN_ROUNDED);
    assert_int_equal(compare_number(&d, &w, 0x1p-133, f), CKDA_TOKEN_BEYOND);
}

static void
a_coarse_reference_does_not_decide(void **state)
{
    (void)state;
    double d;
    const wanted w = {1, 0, 0.25, 0};
    assert_int_equal(compare_number(&d, &w, 2.5, NULL), CKDA_TOKEN_BEYOND);
    assert_int_equal(compare_number(&d, &w, 1.375, NULL), CKDA_TOKEN_UNDECIDED);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_right_kernel_is_within),
        cmocka_unit_test(the_error_of_the_old_state),
        cmocka_unit_test(gate_and_delta_swapped),
        cmocka_unit_test(beta_rounded_to_bf16),
        cmocka_unit_test(scale_forgotten),
        cmocka_unit_test(initial_state_forgotten),
        cmocka_unit_test(inputs_one_token_late),
        cmocka_unit_test(output_read_before_the_update),
        cmocka_unit_test(signs_of_gates_dropped),
        cmocka_unit_test(errors_agree_with_exact_rationals),
        cmocka_unit_test(a_transposed_final_state_is_noticed),
        cmocka_unit_test(final_state_alone_is_judged),
        cmocka_unit_test(the_first_number_that_is_not_finite),
        cmocka_unit_test(of_two_kernels_the_nearer_one),
        cmocka_unit_test(two_equal_kernels_are_not_told_apart),
        cmocka_unit_test(too_few_bits_are_undecided_not_a_pass),
        cmocka_unit_test(bits_are_added_until_the_radius_is_small),
        cmocka_unit_test(half_ulps),
        cmocka_unit_test(numbers_are_classed_at_the_edges),
        cmocka_unit_test(a_coarse_reference_does_not_decide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
