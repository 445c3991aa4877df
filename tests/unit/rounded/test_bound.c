/* The guaranteed number of tokens: never contradicted by a run, and not much too small. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "ckda/rand.h"
#include "ckda/rounded.h"

static void
open_tracker(ckda_tracker_t t, const char *system, const char *construction)
{
    ckda_error err;
    if (ckda_tracker_init(t, system, construction, NULL, &err) != CKDA_OK)
        fail_msg("%s: %s", system, err.text);
}

static void
open_rounded(ckda_rounded_t R, const ckda_tracker_t t, const ckda_arith *a)
{
    ckda_error err;
    if (ckda_rounded_init(R, t, a, &err) != CKDA_OK)
        fail_msg("%s", err.text);
}

static uint64_t
steps_of(const ckda_tracker_t t, const ckda_arith *a)
{
    ckda_rounded_t R;
    open_rounded(R, t, a);
    const uint64_t steps = ckda_rounded_guaranteed_steps(NULL, NULL, R, t);
    ckda_rounded_clear(R);
    return steps;
}

static ckda_arith
formats(const ckda_fp_format *state, const ckda_fp_format *keys)
{
    ckda_arith a = ckda_arith_default;
    a.state = state;
    a.keys = keys;
    if (keys == &ckda_fp_fp64)
        a.compute = a.beta = keys;
    return a;
}

static double
frobenius(const double *H, slong size)
{
    double s = 0;
    for (slong i = 0; i < size; i++)
        s += H[i] * H[i];
    return sqrt(s);
}

/* ---- size -------------------------------------------------------------------------- */

/* The first-order estimates [source: rounded drift table], in the order bf16/bf16,
 * bf16/fp32, fp32/fp32, fp64. */
static void
the_bound_is_at_least_the_first_order_estimate(void **state)
{
    (void)state;
    static const struct {
        const char *system, *construction;
        double want[4];
    } row[] = {
        {"Z3", NULL, {32, 159, 8.7e5, 4.7e14}},   {"Z5", NULL, {23, 118, 6.5e5, 3.5e14}},
        {"Z8", NULL, {16, 83, 4.5e5, 2.4e14}},    {"Z12", NULL, {11, 59, 3.2e5, 1.7e14}},
        {"S4", "cube", {23, 116, 5.5e5, 2.9e14}}, {"A5", NULL, {13, 69, 2.8e5, 1.5e14}},
    };
    const ckda_arith column[4] = {
        formats(&ckda_fp_bf16, &ckda_fp_bf16), formats(&ckda_fp_bf16, &ckda_fp_fp32),
        formats(&ckda_fp_fp32, &ckda_fp_fp32), formats(&ckda_fp_fp64, &ckda_fp_fp64)};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        ckda_tracker_t t;
        open_tracker(t, row[i].system, row[i].construction);
        for (int j = 0; j < 4; j++) {
            const double steps = (double)steps_of(t, &column[j]);
            if (steps < row[i].want[j] || steps > 12 * row[i].want[j])
                fail_msg("%s, column %d: %.4g against %.4g", row[i].system, j, steps,
                         row[i].want[j]);
        }
        ckda_tracker_clear(t);
    }
}

/* ---- one token --------------------------------------------------------------------- */

/* |f(H) - A H| <= rho |H| + zeta for one column, A exact to 2^-52. */
static void
check_one_token(const ckda_rounded_t R, const ckda_tracker_t t, ckda_rand *r,
                int exponent, double rho, double zeta)
{
    const slong n = R->n;
    double h[8] = {0}, y[8], z[8];
    const uint32_t letter = (uint32_t)ckda_rand_below(r, R->nletters);
    const double *A = t->value + (slong)t->next[letter] * n * n;
    for (slong i = 0; i < n; i++) {
        const double x = ldexp((double)ckda_rand_range(r, -1000000, 1000000), exponent);
        h[i] =
            R->arith.grid > 0
                ? rint(x)
                : ckda_fp_get_double(ckda_fp_from_double(x, R->arith.state, &ckda_fp_rtz),
                                     R->arith.state);
        if (R->arith.has_flush && fabs(h[i]) < ldexp(1, -R->arith.flush))
            h[i] = 0;
    }
    memcpy(y, h, sizeof y);
    ckda_rounded_step(y, 1, letter, R);
    for (slong i = 0; i < n; i++) {
        z[i] = y[i];
        for (slong j = 0; j < n; j++)
            z[i] -= A[i * n + j] * h[j];
    }
    const double size = frobenius(h, n), error = frobenius(z, n);
    if (error > (rho + 0x1p-48) * size + zeta)
        fail_msg("letter %u at 2^%d: %g against %g |h| + %g", letter, exponent, error,
                 rho, zeta);
}

static void
check_tokens(const char *system, const char *construction, const ckda_arith *a,
             const int *exponents, int count)
{
    ckda_tracker_t t;
    ckda_rounded_t R;
    ckda_rand r[1];
    double rho, zeta;
    ckda_rand_init(r, 1);
    open_tracker(t, system, construction);
    open_rounded(R, t, a);
    ckda_rounded_guaranteed_steps(&rho, &zeta, R, t);
    for (int i = 0; i < 100 * count; i++)
        check_one_token(R, t, r, exponents[i % count], rho, zeta);
    ckda_rounded_clear(R);
    ckda_tracker_clear(t);
}

static void
no_token_errs_more_than_rho_and_zeta(void **state)
{
    (void)state;
    static const int exponents[] = {-20, -24, -30, -60, -140, -150, -158, 5};
    static const char *const system[][2] = {
        {"Z3", NULL}, {"Z5", NULL}, {"S4", "cube"}, {"A5", NULL}, {"S5", NULL}};
    for (size_t i = 0; i < sizeof system / sizeof *system; i++)
        for (unsigned v = 0; v < 32; v++) {
            ckda_arith a = formats(v & 1 ? &ckda_fp_bf16 : &ckda_fp_fp32,
                                   v & 2 ? &ckda_fp_bf16 : &ckda_fp_fp32);
            a.fma = v & 4;
            if (v & 8)
                a.order = CKDA_BETA_ON_DOT;
            else if (v & 16)
                a.form = CKDA_FORM_MATRIX;
            a.store = v & 16 ? CKDA_FP_RTZ : CKDA_FP_RNE;
            if (a.form == CKDA_FORM_KEY && v & 16) {
                a.beta_shift = (ckda_ratio){1, 50};
                a.gate_shrink = (ckda_ratio){1, 100};
            }
            check_tokens(system[i][0], system[i][1], &a, exponents, 8);
        }
}

static void
no_token_of_a_narrow_compute_format_errs_more(void **state)
{
    (void)state;
    static const int exponents[] = {-20, -24, -30, -36, -44};
    ckda_arith a = formats(&ckda_fp_fp16, &ckda_fp_fp16);
    a.compute = &ckda_fp_fp16;
    for (int fma = 0; fma < 2; fma++) {
        a.fma = fma;
        check_tokens("Z5", NULL, &a, exponents, 5);
        check_tokens("A4", "quaternion", &a, exponents, 5);
    }
}

static void
no_token_errs_more_with_a_flush_or_a_grid(void **state)
{
    (void)state;
    static const int small[] = {-20, -24, -26, -28}, large[] = {-16, -14};
    for (int rtz = 0; rtz < 2; rtz++) {
        ckda_arith a = formats(&ckda_fp_bf16, &ckda_fp_bf16);
        a.store = rtz ? CKDA_FP_RTZ : CKDA_FP_RNE;
        a.has_flush = true;
        a.flush = 6;
        check_tokens("A5", NULL, &a, small, 4);
        check_tokens("Z3", NULL, &a, small, 4);
        a.has_flush = false;
        a.grid = 16;
        check_tokens("A5", NULL, &a, large, 2);
        check_tokens("Z5", NULL, &a, large, 2);
    }
}

/* ---- words ------------------------------------------------------------------------- */

typedef struct {
    const ckda_tracker_struct *t;
    const ckda_rounded_struct *R;
    double H[16];
    uint32_t exact;
} run;

static double
distance(const run *x)
{
    const slong size = x->R->n * x->R->n;
    double off[16];
    for (slong i = 0; i < size; i++)
        off[i] = x->H[i] - x->R->scale * x->t->value[(slong)x->exact * size + i];
    return frobenius(off, size);
}

static void
take(run *x, uint32_t letter)
{
    ckda_rounded_step(x->H, x->R->n, letter, x->R);
    x->exact = x->t->next[x->exact * x->R->nletters + letter];
}

/* The letter that ends farthest from the exact state. */
static uint32_t
worst_letter(const run *x)
{
    uint32_t worst = 0;
    double most = -1;
    for (uint32_t l = 0; l < x->R->nletters; l++) {
        run y = *x;
        take(&y, l);
        if (distance(&y) > most) {
            most = distance(&y);
            worst = l;
        }
    }
    return worst;
}

static void
check_word(const ckda_tracker_t t, const ckda_rounded_t R, ckda_rand *r, uint64_t steps,
           double rho, double zeta)
{
    run x = {.t = t, .R = R};
    const double full = R->scale * sqrt((double)R->n);
    ckda_rounded_initial(x.H, R);
    double bound = distance(&x);
    for (uint64_t i = 0; i < steps; i++) {
        take(&x,
             r == NULL ? worst_letter(&x) : (uint32_t)ckda_rand_below(r, R->nletters));
        bound += rho * (full + bound) + zeta;
        if (distance(&x) > bound * (1 + 1e-9))
            fail_msg("token %d: %g against %g", (int)i + 1, distance(&x), bound);
    }
    uint32_t element;
    assert_int_equal(ckda_tracker_decode(&element, x.H, t), CKDA_TRUE);
    assert_int_equal(element, t->element[x.exact]);
}

static void
no_word_within_the_bound_decodes_wrongly(void **state)
{
    (void)state;
    static const char *const system[][2] = {{"Z3", NULL}, {"Z5", NULL},   {"Z8", NULL},
                                            {"D5", NULL}, {"S4", "cube"}, {"A5", NULL}};
    ckda_rand r[1];
    ckda_rand_init(r, 1);
    for (size_t i = 0; i < sizeof system / sizeof *system; i++) {
        ckda_tracker_t t;
        open_tracker(t, system[i][0], system[i][1]);
        for (unsigned v = 0; v < 8; v++) {
            ckda_arith a = formats(&ckda_fp_bf16, v & 1 ? &ckda_fp_bf16 : &ckda_fp_fp32);
            a.store = v & 2 ? CKDA_FP_RTZ : CKDA_FP_RNE;
            if (v & 4) {
                a.has_flush = true;
                a.flush = 8;
                a.initial = (ckda_ratio){7, 5};
            }
            ckda_rounded_t R;
            double rho, zeta;
            open_rounded(R, t, &a);
            const uint64_t steps = ckda_rounded_guaranteed_steps(&rho, &zeta, R, t);
            assert_true(steps > 0 && steps < 1000);
            for (int word = 0; word < 20; word++)
                check_word(t, R, r, steps, rho, zeta);
            check_word(t, R, NULL, steps, rho, zeta);
            ckda_rounded_clear(R);
        }
        ckda_tracker_clear(t);
    }
}

/* One letter again and again; the first wrong decode, or the cap. */
static uint64_t
first_failure(const ckda_tracker_t t, const ckda_rounded_t R, uint32_t letter,
              uint64_t cap)
{
    run x = {.t = t, .R = R};
    ckda_rounded_initial(x.H, R);
    for (uint64_t i = 1; i <= cap; i++) {
        uint32_t element;
        take(&x, letter);
        if (ckda_tracker_decode(&element, x.H, t) != CKDA_TRUE
            || element != t->element[x.exact])
            return i;
    }
    return cap + 1;
}

static void
known_failing_words_are_longer_than_the_bound(void **state)
{
    (void)state;
    static const struct {
        const char *system;
        uint64_t length; /* of the failing power of the rotation by 2 pi / m */
    } row[] = {{"Z3", 864}, {"Z12", 111}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const ckda_arith a = formats(&ckda_fp_bf16, &ckda_fp_bf16);
        ckda_tracker_t t;
        ckda_rounded_t R;
        open_tracker(t, row[i].system, NULL);
        open_rounded(R, t, &a);
        uint64_t first = UINT64_MAX;
        for (uint32_t l = 0; l < R->nletters; l++) {
            const uint64_t at = first_failure(t, R, l, 2000);
            first = at < first ? at : first;
        }
        assert_int_equal(first, row[i].length);
        assert_true(ckda_rounded_guaranteed_steps(NULL, NULL, R, t) < first);
        ckda_rounded_clear(R);
        ckda_tracker_clear(t);
    }
}

/* ---- ends -------------------------------------------------------------------------- */

static void
permutations_as_matrices_are_guaranteed_forever(void **state)
{
    (void)state;
    ckda_tracker_t t;
    ckda_arith a = formats(&ckda_fp_fp32, &ckda_fp_bf16);
    a.form = CKDA_FORM_MATRIX;
    open_tracker(t, "S5", NULL);
    assert_true(steps_of(t, &a) == UINT64_MAX);
    a.state = &ckda_fp_bf16; /* nothing but copies: still nothing is rounded */
    assert_true(steps_of(t, &a) == UINT64_MAX);
    a.gate_shrink = (ckda_ratio){1, 100};
    assert_true(steps_of(t, &a) < 1000);
    ckda_tracker_clear(t);
}

static void
states_that_might_overflow_have_no_guarantee(void **state)
{
    (void)state;
    ckda_tracker_t t;
    ckda_arith a = formats(&ckda_fp_fp16, &ckda_fp_fp16);
    open_tracker(t, "Z5", NULL);
    a.initial = (ckda_ratio){128, 1};
    assert_true(steps_of(t, &a) > 100);
    a.initial = (ckda_ratio){60000, 1};
    assert_true(steps_of(t, &a) == 0);
    ckda_tracker_clear(t);
}

static void
a_start_beyond_the_margin_has_no_guarantee(void **state)
{
    (void)state;
    ckda_tracker_t t;
    ckda_arith a = formats(&ckda_fp_fp16, &ckda_fp_fp16);
    open_tracker(t, "Z8", NULL);
    a.initial = (ckda_ratio){3, INT64_C(1) << 25}; /* rounds to 2^-23, a third more */
    assert_true(steps_of(t, &a) == 0);
    ckda_tracker_clear(t);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bound_is_at_least_the_first_order_estimate),
        cmocka_unit_test(no_token_errs_more_than_rho_and_zeta),
        cmocka_unit_test(no_token_of_a_narrow_compute_format_errs_more),
        cmocka_unit_test(no_token_errs_more_with_a_flush_or_a_grid),
        cmocka_unit_test(no_word_within_the_bound_decodes_wrongly),
        cmocka_unit_test(known_failing_words_are_longer_than_the_bound),
        cmocka_unit_test(permutations_as_matrices_are_guaranteed_forever),
        cmocka_unit_test(states_that_might_overflow_have_no_guarantee),
        cmocka_unit_test(a_start_beyond_the_margin_has_no_guarantee),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
