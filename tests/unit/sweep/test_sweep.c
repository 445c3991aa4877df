/* Grids of plane transitions: against the dense matrix, the boundary curve, wrong plans. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ckda/sweep.h"
#include "ckda/trans.h"

static const ckda_sweep_plan figure2 = {.x = CKDA_SWEEP_THETA,
                                        .y = CKDA_SWEEP_ALPHA,
                                        .cells = 12,
                                        .beta = "2",
                                        .second = "1"};
static const ckda_sweep_plan figure11 = {.x = CKDA_SWEEP_BETA,
                                         .y = CKDA_SWEEP_ALPHA,
                                         .cells = 12,
                                         .any_key = true,
                                         .second = "1"};

static ckda_sweep_kind
kind_at(const ckda_sweep_t s, slong i, slong j)
{
    return (ckda_sweep_kind)s->kind[j * (s->plan.cells + 1) + i];
}

static void
run(ckda_sweep_t s, const ckda_sweep_plan *p)
{
    ckda_error err = {{0}};
    const ckda_status st = ckda_sweep_run(s, p, &err);
    assert_string_equal(err.text, "");
    assert_int_equal(st, CKDA_OK);
    uint64_t sum = 0;
    for (int k = 0; k < CKDA_SWEEP_KINDS; k++)
        sum += s->count[k];
    assert_int_equal(sum, (p->cells + 1) * (p->cells + 1));
}

/* The sign of trace^2 - 4 det of the dense matrix, rational key (1 - t^2, 2t). */
static ckda_sweep_kind
dense_kind(const char *alpha, const char *beta, const char *second, const char *t,
           const ckda_field_t Q)
{
    ckda_trans_t step;
    ckda_mat_t A;
    ckda_elem_t tr, det, x;
    ckda_trans_init(step, CKDA_CKDA, 2, 1, Q);
    ckda_mat_init(A, 2, 2, Q);
    ckda_elem_init(tr, Q);
    ckda_elem_init(det, Q);
    ckda_elem_init(x, Q);
    assert_int_equal(ckda_elem_set_str(x, t, Q, NULL), CKDA_OK);
    ckda_elem_one(step->key, Q);
    ckda_elem_submul(step->key, x, x, Q);
    ckda_elem_mul_si(step->key + 1, x, 2, Q);
    assert_int_equal(ckda_elem_set_str(step->beta, beta, Q, NULL), CKDA_OK);
    assert_int_equal(ckda_elem_set_str(step->gate, alpha, Q, NULL), CKDA_OK);
    assert_int_equal(ckda_elem_set_str(step->gate + 1, second, Q, NULL), CKDA_OK);
    assert_int_equal(ckda_trans_matrix(A, step, Q), CKDA_OK);
    assert_int_equal(ckda_mat_trace(tr, A, Q), CKDA_OK);
    assert_int_equal(ckda_mat_det(det, A, Q), CKDA_OK);
    ckda_elem_mul_si(x, det, -4, Q);
    ckda_elem_addmul(x, tr, tr, Q);
    const int sign = ckda_elem_sgn(x, Q);
    const bool unit = ckda_elem_is_one(det, Q);
    ckda_elem_clear(x, Q);
    ckda_elem_clear(det, Q);
    ckda_elem_clear(tr, Q);
    ckda_mat_clear(A, Q);
    ckda_trans_clear(step, Q);
    return sign > 0    ? CKDA_SWEEP_REAL
           : sign == 0 ? CKDA_SWEEP_DOUBLE
           : unit      ? CKDA_SWEEP_CIRCLE
                       : CKDA_SWEEP_PAIR;
}

static const char *
value_or(const ckda_sweep_t s, ckda_sweep_axis a, const char *fixed, slong i, slong j,
         char **hold)
{
    if (s->plan.x != a && s->plan.y != a)
        return fixed;
    *hold = ckda_sweep_value(s, a, s->plan.x == a ? i : j);
    return *hold;
}

static void
agrees_with_the_matrix(const ckda_sweep_plan *p)
{
    ckda_sweep_t s;
    ckda_field_t Q;
    run(s, p);
    ckda_field_init_rational(Q);
    for (slong j = 0; j <= p->cells; j++)
        for (slong i = 0; i <= p->cells; i++) {
            char *hold[3] = {NULL, NULL, NULL};
            const char *t = value_or(s, CKDA_SWEEP_THETA, p->tangent, i, j, hold),
                       *a = value_or(s, CKDA_SWEEP_ALPHA, p->alpha, i, j, hold + 1),
                       *b = value_or(s, CKDA_SWEEP_BETA, p->beta, i, j, hold + 2);
            assert_int_equal(kind_at(s, i, j), dense_kind(a, b, p->second, t, Q));
            for (int k = 0; k < 3; k++)
                free(hold[k]);
        }
    ckda_field_clear(Q);
    ckda_sweep_clear(s);
}

static void
every_cell_agrees_with_the_matrix(void **state)
{
    (void)state;
    static const ckda_sweep_axis axes[3][2] = {{CKDA_SWEEP_THETA, CKDA_SWEEP_ALPHA},
                                               {CKDA_SWEEP_BETA, CKDA_SWEEP_THETA},
                                               {CKDA_SWEEP_ALPHA, CKDA_SWEEP_BETA}};
    for (int k = 0; k < 3; k++) {
        ckda_sweep_plan p = {.x = axes[k][0],
                             .y = axes[k][1],
                             .cells = 8,
                             .alpha = k == 1 ? "-1/3" : NULL,
                             .beta = k == 0 ? "7/4" : NULL,
                             .tangent = k == 2 ? "1/3" : NULL,
                             .second = "3/4"};
        agrees_with_the_matrix(&p);
    }
    agrees_with_the_matrix(&figure2);
}

static void
figure_2_has_its_circle_and_its_double_roots(void **state)
{
    (void)state;
    ckda_sweep_t s;
    run(s, &figure2);
    for (slong i = 1; i < 12; i++) /* alpha = -1: a rotation by 2 theta */
        assert_int_equal(kind_at(s, i, 0), CKDA_SWEEP_CIRCLE);
    assert_int_equal(kind_at(s, 0, 0), CKDA_SWEEP_DOUBLE);
    assert_int_equal(kind_at(s, 12, 0), CKDA_SWEEP_DOUBLE);
    for (slong i = 0; i <= 12; i++)
        for (slong j = 6; j <= 12; j++) /* alpha >= 0 */
            assert_true(kind_at(s, i, j) <= CKDA_SWEEP_DOUBLE);
    for (slong i = 0; i <= 12; i++) /* [source: Sec. 3] once there, the pair stays */
        for (slong j = 1; j <= 12; j++)
            assert_false(kind_at(s, i, j) >= CKDA_SWEEP_PAIR
                         && kind_at(s, i, j - 1) < CKDA_SWEEP_PAIR);
    assert_true(s->second_ways > 0);
    ckda_sweep_clear(s);
}

static void
figure_11_is_the_quadrant(void **state)
{
    (void)state;
    ckda_sweep_t s;
    run(s, &figure11);
    for (slong i = 0; i <= 12; i++)
        for (slong j = 0; j <= 12; j++)
            assert_int_equal(kind_at(s, i, j) >= CKDA_SWEEP_PAIR, i > 6 && j < 6);
    assert_int_equal(s->second_ways, 13 * 13);
    ckda_sweep_clear(s);
}

/* [source: this project, F4]  w = (1, 4), gates (-1/16, 1): a pair iff 1 < beta < 289/225. */
static void
the_window_of_beta_can_close_again(void **state)
{
    (void)state;
    /* tan theta = 4 is no tangent of a rational half angle: tan(theta/2) = (sqrt(17)-1)/4 */
    ckda_sweep_t s;
    ckda_sweep_plan p = {.x = CKDA_SWEEP_ALPHA,
                         .y = CKDA_SWEEP_BETA,
                         .cells = 32,
                         .tangent = "(sqrt(17)-1)/4",
                         .second = "1"};
    run(s, &p);
    assert_int_equal(s->K->degree, 2);
    for (slong j = 0; j <= 32; j++) /* alpha = -1/16 is value 15, beta = j/16 */
        assert_int_equal(kind_at(s, 15, j) >= CKDA_SWEEP_PAIR,
                         j > 16 && 225 * j < 289 * 16);
    ckda_sweep_clear(s);
}

static void
equal_angles_live_in_the_field_of_their_cosine(void **state)
{
    (void)state;
    ckda_sweep_t s;
    ckda_sweep_plan p = figure2;
    p.cosine = true;
    run(s, &p);
    assert_int_equal(s->K->degree, 4); /* cos 15 degrees */
    char *text = ckda_sweep_value(s, CKDA_SWEEP_THETA, 4);
    assert_string_equal(text, "30");
    free(text);
    for (slong i = 0; i <= 12; i++)
        for (slong j = 0; j <= 12; j++) { /* mirrored at 45 degrees, beta = 2 */
            assert_int_equal(kind_at(s, i, j), kind_at(s, 12 - i, j));
            const double theta = ckda_sweep_position(s, CKDA_SWEEP_THETA, (double)i),
                         alpha = ckda_sweep_position(s, CKDA_SWEEP_ALPHA, (double)j),
                         edge = ckda_sweep_boundary(s, 0, theta, 0);
            if (fabs(alpha - edge) > 1e-9)
                assert_int_equal(kind_at(s, i, j) >= CKDA_SWEEP_PAIR, alpha < edge);
        }
    ckda_sweep_clear(s);
}

/* Crossing the curve changes the answer; nothing else does. */
static void
the_curve_separates_the_cells(const ckda_sweep_plan *p)
{
    ckda_sweep_t s;
    int crossings = 0;
    run(s, p);
    for (slong i = 0; i <= p->cells; i++) {
        const double x = ckda_sweep_position(s, p->x, (double)i);
        const double y[2] = {ckda_sweep_boundary(s, 0, x, 0),
                             ckda_sweep_boundary(s, 1, x, 0)};
        for (slong j = 1; j <= p->cells; j++) {
            const double lo = ckda_sweep_position(s, p->y, (double)j - 1),
                         hi = ckda_sweep_position(s, p->y, (double)j);
            int between = 0;
            bool near = false;
            for (int b = 0; b < 2; b++) {
                between += y[b] > lo && y[b] < hi;
                near = near || fabs(y[b] - lo) < 1e-9 || fabs(y[b] - hi) < 1e-9;
            }
            if (near || kind_at(s, i, j) == CKDA_SWEEP_DOUBLE
                || kind_at(s, i, j - 1) == CKDA_SWEEP_DOUBLE)
                continue;
            const bool changes = (kind_at(s, i, j) >= CKDA_SWEEP_PAIR)
                                 != (kind_at(s, i, j - 1) >= CKDA_SWEEP_PAIR);
            assert_int_equal(changes, between == 1);
            crossings += between == 1;
        }
    }
    assert_true(crossings > p->cells / 5);
    ckda_sweep_clear(s);
}

static void
curves_separate_the_cells_in_all_pictures(void **state)
{
    (void)state;
    static const ckda_sweep_plan plans[] = {
        {.x = CKDA_SWEEP_THETA,
         .y = CKDA_SWEEP_ALPHA,
         .cells = 40,
         .beta = "2",
         .second = "1"},
        {.x = CKDA_SWEEP_THETA,
         .y = CKDA_SWEEP_BETA,
         .cells = 40,
         .alpha = "-1/3",
         .second = "2/3"},
        {.x = CKDA_SWEEP_BETA,
         .y = CKDA_SWEEP_THETA,
         .cells = 40,
         .alpha = "-1/2",
         .second = "1"},
        {.x = CKDA_SWEEP_ALPHA,
         .y = CKDA_SWEEP_BETA,
         .cells = 40,
         .tangent = "2/5",
         .second = "1"},
    };
    for (size_t k = 0; k < sizeof plans / sizeof plans[0]; k++)
        the_curve_separates_the_cells(plans + k);
}

static void
wrong_plans_are_refused_with_a_reason(void **state)
{
    (void)state;
    static const struct {
        ckda_sweep_plan plan;
        const char *says;
    } cases[] = {
        {{.x = CKDA_SWEEP_BETA, .y = CKDA_SWEEP_BETA, .cells = 4, .second = "1"},
         "two different"},
        {{.cells = 0, .y = CKDA_SWEEP_ALPHA, .beta = "2", .second = "1"}, "1 to 1000"},
        {{.cells = 4, .y = CKDA_SWEEP_ALPHA, .second = "1"}, "beta: expected a value"},
        {{.cells = 4, .y = CKDA_SWEEP_ALPHA, .beta = "2", .alpha = "1", .second = "1"},
         "alpha: expected no value"},
        {{.cells = 4, .y = CKDA_SWEEP_ALPHA, .beta = "2"},
         "second gate: expected a value"},
        {{.cells = 4, .y = CKDA_SWEEP_ALPHA, .beta = "2", .second = "-1"}, "above 0"},
        {{.cells = 4, .y = CKDA_SWEEP_ALPHA, .beta = "0.5", .second = "1"}, "beta"},
        {{.cells = 4, .y = CKDA_SWEEP_ALPHA, .beta = "sqrt(-1)", .second = "1"}, "real"},
        {{.cells = 4, .y = CKDA_SWEEP_ALPHA, .any_key = true, .second = "1"}, "any key"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        ckda_sweep_t s;
        ckda_error err = {{0}};
        assert_int_equal(ckda_sweep_run(s, &cases[k].plan, &err), CKDA_E_INPUT);
        assert_non_null(strstr(err.text, cases[k].says));
    }
}

static void
a_field_that_is_too_large_is_a_limit(void **state)
{
    (void)state;
    ckda_sweep_t s;
    ckda_error err = {{0}};
    ckda_sweep_plan p = figure2;
    p.cosine = true;
    p.cells = 199; /* prime: degree 99 */
    assert_int_equal(ckda_sweep_run(s, &p, &err), CKDA_E_UNABLE);
    assert_non_null(strstr(err.text, "degree above 64"));
}

static int
finish(void **state)
{
    (void)state;
    flint_cleanup();
    return 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cell_agrees_with_the_matrix),
        cmocka_unit_test(figure_2_has_its_circle_and_its_double_roots),
        cmocka_unit_test(figure_11_is_the_quadrant),
        cmocka_unit_test(the_window_of_beta_can_close_again),
        cmocka_unit_test(equal_angles_live_in_the_field_of_their_cosine),
        cmocka_unit_test(curves_separate_the_cells_in_all_pictures),
        cmocka_unit_test(wrong_plans_are_refused_with_a_reason),
        cmocka_unit_test(a_field_that_is_too_large_is_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
