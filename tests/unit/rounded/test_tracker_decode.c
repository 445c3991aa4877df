/* What a matrix decodes to, against exact distances; the filter in doubles. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <math.h>

#include "ckda/tracker.h"

static void
open_tracker(ckda_tracker_t t, const char *system, const char *construction)
{
    ckda_error err;
    if (ckda_tracker_init(t, system, construction, NULL, &err) != CKDA_OK)
        fail_msg("%s %s: %s", system, construction, err.text);
}

static const char *const all[][2] = {
    {"Z3", "planar"},        {"Z5", "planar"},      {"Z8", "planar"},
    {"Z12", "planar"},       {"D4", "planar"},      {"D5", "planar"},
    {"A4", "cube"},          {"S4", "cube"},        {"S4", "cube-standard"},
    {"A4", "cube-standard"}, {"A4", "quaternion"},  {"S4", "quaternion"},
    {"A5", "quaternion"},    {"S5", "householder"}, {"S3", "dyadic"},
    {"Z6", "dyadic"},
};
enum { ALL = sizeof all / sizeof *all };

static double *
state_value(const ckda_tracker_t t, uint32_t s)
{
    return t->value + (size_t)s * (size_t)(t->n * t->n);
}

/* factor * state, rounded. */
static void
scaled_state(double *H, const ckda_tracker_t t, uint32_t s, double factor)
{
    for (slong i = 0; i < t->n * t->n; i++)
        H[i] = factor * state_value(t, s)[i];
}

/* |S - S'|_F^2 over K. */
static void
distance_squared(ckda_elem_t sum, const ckda_mat_struct *S, const ckda_mat_struct *R,
                 const ckda_field_t K)
{
    ckda_elem_t d;
    ckda_elem_init(d, K);
    ckda_elem_zero(sum, K);
    for (slong i = 0; i < S->rows * S->cols; i++) {
        ckda_elem_sub(d, S->entry + i, R->entry + i, K);
        ckda_elem_addmul(sum, d, d, K);
    }
    ckda_elem_clear(d, K);
}

/* ---- decoding -------------------------------------------------------------------- */

static void
expect_decode(const double *H, const ckda_tracker_t t, ckda_truth truth, uint32_t want)
{
    uint32_t element = UINT32_MAX;
    assert_int_equal(ckda_tracker_decode(&element, H, t), truth);
    assert_int_equal(element, want);
}

static void
states_decode_to_their_elements_at_any_scale(void **state)
{
    (void)state;
    static const double scale[] = {1, 0x1p-1020, 1.25, 16, 1e308, 0x1p-1060, 3e-300};
    for (size_t i = 0; i < ALL; i++) {
        ckda_tracker_t t;
        double H[25];
        open_tracker(t, all[i][0], all[i][1]);
        for (uint32_t s = 0; s<t->nstates; s += t->nstates> 600 ? 97 : 1)
            for (size_t k = 0; k < sizeof scale / sizeof *scale; k++) {
                scaled_state(H, t, s, scale[k]);
                expect_decode(H, t, CKDA_TRUE, t->element[s]);
            }
        ckda_tracker_clear(t);
    }
}

static void
zero_and_what_is_not_finite_do_not_decode(void **state)
{
    (void)state;
    ckda_tracker_t t;
    double H[9] = {0};
    uint32_t element = 7;
    open_tracker(t, "S4", "cube");
    assert_int_equal(ckda_tracker_decode(&element, H, t), CKDA_FALSE);
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        scaled_state(H, t, 3, 1);
        H[5] = bad[i];
        assert_int_equal(ckda_tracker_decode(&element, H, t), CKDA_FALSE);
        assert_int_equal(element, 0);
    }
    ckda_tracker_clear(t);
}

/* -I is equally far from r^2 and r^3 in Z_5, whose cosines are irrational and equal. */
static void
irrational_tie_is_found(void **state)
{
    (void)state;
    ckda_tracker_t t;
    const double H[4] = {-1, 0, 0, -1};
    uint32_t element = UINT32_MAX;
    open_tracker(t, "Z5", "planar");
    const uint32_t r = t->c->G->generator[0];
    assert_int_equal(ckda_tracker_decode(&element, H, t), CKDA_FALSE);
    assert_true(element == ckda_group_pow(t->c->G, r, 2)
                || element == ckda_group_pow(t->c->G, r, 3));
    ckda_tracker_clear(t);
}

/* The same, off by far less than doubles can see in the products. */
static void
tiny_differences_from_a_tie_are_decided(void **state)
{
    (void)state;
    static const double off[] = {0x1p-60, 0x1p-500, 0x1p-1074};
    ckda_tracker_t t;
    open_tracker(t, "Z5", "planar");
    const uint32_t r = t->c->G->generator[0];
    for (int i = 0; i < 3; i++) {
        const double left[4] = {-1, -off[i], 0, -1}, right[4] = {-1, off[i], 0, -1};
        expect_decode(left, t, CKDA_TRUE, ckda_group_pow(t->c->G, r, 2));
        expect_decode(right, t, CKDA_TRUE, ckda_group_pow(t->c->G, r, 3));
    }
    ckda_tracker_clear(t);
}

/* States of one element may tie: the element is decided all the same.  Sums of two states
 * have entries k/2, so the products in doubles are exact. */
static void
ties_within_one_element_are_no_ties(void **state)
{
    (void)state;
    ckda_tracker_t t;
    int decided = 0;
    open_tracker(t, "A4", "quaternion");
    for (uint32_t other = 1; other < t->nstates; other++) {
        double H[16], best = -100;
        int attained = 0;
        bool one = true;
        uint32_t element = 0;
        for (int i = 0; i < 16; i++)
            H[i] = t->value[i] + state_value(t, other)[i];
        for (uint32_t s = 0; s < t->nstates; s++) {
            double sum = 0;
            for (int i = 0; i < 16; i++)
                sum += H[i] * state_value(t, s)[i];
            attained = sum > best ? 1 : attained + (sum == best);
            one = sum > best || (one && (sum < best || t->element[s] == element));
            element = sum > best ? t->element[s] : element;
            best = fmax(best, sum);
        }
        uint32_t got = 0;
        assert_int_equal(ckda_tracker_decode(&got, H, t), one ? CKDA_TRUE : CKDA_FALSE);
        decided += one && attained > 1;
        if (one)
            assert_int_equal(got, element);
    }
    assert_true(decided > 0);
    ckda_tracker_clear(t);
}

/* The state nearest to H by exact distances over all states. */
static ckda_truth
nearest_by_definition(uint32_t *element, const slong *H, const ckda_tracker_t t)
{
    const ckda_field_struct *K = t->c->K;
    ckda_mat_t M;
    ckda_elem_t d, best;
    ckda_truth truth = CKDA_TRUE;
    ckda_mat_init(M, t->n, t->n, K);
    ckda_elem_init(d, K);
    ckda_elem_init(best, K);
    ckda_mat_set_si(M, H, 8, K);
    for (uint32_t s = 0; s < t->nstates; s++) {
        distance_squared(d, M, t->exact + s, K);
        const int sign = s == 0 ? -1 : ckda_elem_cmp(d, best, K);
        if (sign < 0) {
            ckda_elem_set(best, d, K);
            *element = t->element[s];
            truth = CKDA_TRUE;
        } else if (sign == 0 && t->element[s] != *element) {
            truth = CKDA_FALSE;
        }
    }
    ckda_elem_clear(best, K);
    ckda_elem_clear(d, K);
    ckda_mat_clear(M, K);
    return truth;
}

/* Small integers over 8 make many exact ties. */
static void
decoding_is_the_nearest_state_by_definition(void **state)
{
    (void)state;
    static const char *const system[][2] = {
        {"Z5", "planar"}, {"D4", "planar"},  {"S4", "cube"}, {"A4", "quaternion"},
        {"S3", "dyadic"}, {"Z12", "planar"}, {"A4", "cube"}, {"S4", "cube-standard"}};
    ckda_rand r;
    int ties = 0;
    ckda_rand_init(&r, 20240607);
    for (size_t i = 0; i < sizeof system / sizeof *system; i++) {
        ckda_tracker_t t;
        open_tracker(t, system[i][0], system[i][1]);
        for (int trial = 0; trial < 40; trial++) {
            slong v[16];
            double H[16];
            uint32_t got = 0, want = 0;
            const int bound = trial % 2 == 0 ? 1 : 8;
            for (slong e = 0; e < t->n * t->n; e++) {
                v[e] = (slong)ckda_rand_range(&r, -bound, bound);
                H[e] = (double)v[e] / 8;
            }
            const ckda_truth truth = nearest_by_definition(&want, v, t);
            assert_int_equal(ckda_tracker_decode(&got, H, t), truth);
            if (truth == CKDA_TRUE)
                assert_int_equal(got, want);
            ties += truth == CKDA_FALSE;
        }
        ckda_tracker_clear(t);
    }
    assert_true(ties > 10); /* else the test misses what it is for */
}

/* ---- the filter ------------------------------------------------------------------ */

static void
filter_accepts_states_and_gives_their_distance(void **state)
{
    (void)state;
    static const double scale[] = {1, 1.25, 16, 1000, 0x1p-300};
    for (size_t i = 0; i < ALL; i++) {
        ckda_tracker_t t;
        double H[25], d;
        open_tracker(t, all[i][0], all[i][1]);
        for (uint32_t s = 0; s<t->nstates; s += t->nstates> 600 ? 97 : 1)
            for (size_t k = 0; k < sizeof scale / sizeof *scale; k++) {
                scaled_state(H, t, s, scale[k]);
                assert_true(ckda_tracker_is_near(&d, H, scale[k], s, t));
                assert_true(d <= 1e-14 * scale[k]);
                H[1] += scale[k] / 4;
                assert_true(ckda_tracker_is_near(&d, H, scale[k], s, t));
                assert_true(fabs(d - scale[k] / 4) <= 1e-14 * scale[k]);
                assert_true(ckda_tracker_is_near(NULL, H, scale[k], s, t));
            }
        ckda_tracker_clear(t);
    }
}

/* Exactly half way between two states of different elements, all numbers dyadic. */
static void
filter_refuses_the_half_way_point(void **state)
{
    (void)state;
    ckda_tracker_t t;
    open_tracker(t, "S3", "dyadic");
    uint32_t s = 0;
    double H[16], d = 0;
    do { /* margin 2: a reflection next to I */
        s++;
        ckda_tracker_is_near(&d, t->value, 1, s, t);
    } while (d != 2);
    for (int i = 0; i < 16; i++)
        H[i] = (t->value[i] + state_value(t, s)[i]) / 2;
    assert_false(ckda_tracker_is_near(&d, H, 1, 0, t));
    assert_true(d == 1);
    assert_false(ckda_tracker_is_near(NULL, H, 1, s, t));
    for (int i = 0; i < 16; i++)
        H[i] += 0x1p-10 * (t->value[i] - state_value(t, s)[i]);
    assert_true(ckda_tracker_is_near(&d, H, 1, 0, t));
    assert_false(ckda_tracker_is_near(&d, H, 1, s, t));
    expect_decode(H, t, CKDA_TRUE, 0);
    ckda_tracker_clear(t);
}

static void
filter_says_no_outside_its_range(void **state)
{
    (void)state;
    static const double scale[] = {0, -1, 0x1p-401, 0x1p401, INFINITY, NAN};
    ckda_tracker_t t;
    double H[4];
    open_tracker(t, "Z5", "planar");
    for (size_t i = 0; i < sizeof scale / sizeof *scale; i++) {
        scaled_state(H, t, 2, scale[i]);
        assert_false(ckda_tracker_is_near(NULL, H, scale[i], 2, t));
    }
    scaled_state(H, t, 2, 1);
    H[0] = NAN;
    assert_false(ckda_tracker_is_near(NULL, H, 1, 2, t));
    H[0] = 1e200;
    assert_false(ckda_tracker_is_near(NULL, H, 1, 2, t));
    ckda_tracker_clear(t);
}

/* What the filter accepts, the exact decision confirms; and it does accept and refuse. */
static void
filter_is_sound_on_random_matrices(void **state)
{
    (void)state;
    ckda_rand r;
    int yes = 0, no = 0;
    ckda_rand_init(&r, 5);
    for (size_t i = 0; i < ALL; i++) {
        ckda_tracker_t t;
        double H[25];
        open_tracker(t, all[i][0], all[i][1]);
        for (int trial = 0; trial < 60; trial++) {
            const uint32_t s = (uint32_t)ckda_rand_below(&r, t->nstates);
            for (slong e = 0; e < t->n * t->n; e++)
                H[e] = 1.25 * state_value(t, s)[e]
                       + (double)ckda_rand_range(&r, -1000, 1000) / 1800;
            if (!ckda_tracker_is_near(NULL, H, 1.25, s, t)) {
                no++;
                continue;
            }
            yes++;
            expect_decode(H, t, CKDA_TRUE, t->element[s]);
        }
        ckda_tracker_clear(t);
    }
    assert_true(yes > 100 && no > 100);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_decode_to_their_elements_at_any_scale),
        cmocka_unit_test(zero_and_what_is_not_finite_do_not_decode),
        cmocka_unit_test(irrational_tie_is_found),
        cmocka_unit_test(tiny_differences_from_a_tie_are_decided),
        cmocka_unit_test(ties_within_one_element_are_no_ties),
        cmocka_unit_test(decoding_is_the_nearest_state_by_definition),
        cmocka_unit_test(filter_accepts_states_and_gives_their_distance),
        cmocka_unit_test(filter_refuses_the_half_way_point),
        cmocka_unit_test(filter_says_no_outside_its_range),
        cmocka_unit_test(filter_is_sound_on_random_matrices),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
