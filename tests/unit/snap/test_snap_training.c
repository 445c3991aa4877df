/* Tolerances and the bound on the arithmetic, against the rounded recurrence itself. */
#include "snap_fixture.h"

static const struct {
    const char *system, *construction;
    int64_t grid;
    double beta, alpha, both, adversarial, logit, angle;
} table[] = {
    {"Z3", NULL, 2, .1894, .1340, .0921, .0921, 3.0, 3.33},
    {"Z3", NULL, 8, .0625, .0618, .0318, .0318, 4.1, 1.53},
    {"Z4", NULL, 1, .5, .5, .2929, .2929, 1.8, 14.5},
    {"Z4", NULL, 2, .25, .25, .1340, .1340, 2.6, 7.18},
    {"Z5", NULL, 22, .0150, .0168, .00795, .00795, 5.5, .233},
    {"Z8", NULL, 3, .1360, .1161, .0646, .0646, 3.4, 3.33},
    {"Z12", NULL, 2, .1244, .1340, .0668, .0668, 3.4, 3.33},
    {"S4", "cube", 4, .1127, .1161, .0590, .0580, 3.5, 1.74},
    {"S4", "cube", 10, .0500, .0404, .0253, .0253, 4.4, 1.16},
    {"A4", "quaternion", 2, .25, .25, .1340, .1340, 2.6, 7.18},
    {"A5", NULL, 4, .0997, .0632, .0393, .0393, 3.9, 1.46},
    {"A5", NULL, 6, .0833, .0729, .0411, .0411, 3.9, 1.44},
    {"A5", NULL, 10, .05, .0403, .0247, .0247, 4.4, 1.11},
    {"A5", NULL, 16, .0313, .0313, .0157, .0157, 4.8, .76},
};

static void
open_tolerances(ckda_tolerances_t o, const fixture *f, ckda_quantiser Q)
{
    ckda_slack_t r;
    ckda_error err;
    open_slack(r, f, Q);
    if (ckda_tolerances_init(o, f->s, &Q, r, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    ckda_slack_clear(r);
}

static void
thresholds_have_the_published_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        fixture f;
        ckda_tolerances_t o;
        open_fixture(&f, table[i].system, table[i].construction);
        open_tolerances(o, &f, ckda_quantiser_grid(table[i].grid));
        assert_near(ball_value(o->beta.ball), table[i].beta, 6e-5);
        assert_near(ball_value(o->alpha.ball), table[i].alpha, 6e-5);
        assert_near(ball_value(o->both.ball), table[i].both, 6e-5);
        assert_near(ball_value(o->adversarial.ball), table[i].adversarial, 6e-5);
        assert_near(ball_value(o->logit), table[i].logit, .06);
        assert_near(ball_value(o->key_angle_degrees), table[i].angle,
                    6e-3 + .02 * table[i].angle);
        ckda_tolerances_clear(o);
        close_fixture(&f);
    }
}

static void
thresholds_of_a5_are_sharp_to_six_digits(void **state)
{
    (void)state;
    fixture f;
    ckda_tolerances_t o;
    open_fixture(&f, "A5", NULL);
    open_tolerances(o, &f, ckda_quantiser_grid(4));
    assert_near(ball_value(o->both.ball), .039272, 5e-7);
    assert_near(ball_value(o->beta.ball), .099689, 5e-7);
    assert_near(ball_value(o->alpha.ball), .063186, 5e-7);
    assert_true(o->beta.in_field && o->alpha.in_field);
    ckda_tolerances_clear(o);
    close_fixture(&f);
}

static void
the_theorem_allows_no_more_than_the_thresholds(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        fixture f;
        ckda_slack_t r;
        ckda_tolerances_t o;
        open_fixture(&f, table[i].system, table[i].construction);
        open_slack(r, &f, ckda_quantiser_grid(table[i].grid));
        open_tolerances(o, &f, ckda_quantiser_grid(table[i].grid));
        const double epsilon = ball_value(r->epsilon_ball), tiny = 1e-9;
        assert_true(ball_value(o->beta.ball) >= epsilon - tiny);
        assert_true(ball_value(o->alpha.ball) >= epsilon - tiny);
        const double both = ball_value(o->both.ball);
        assert_true(both * (2 - both) >= epsilon - tiny); /* e1 + e2 - e1 e2 */
        assert_true(ball_value(o->adversarial.ball) >= epsilon / 2 - tiny);
        assert_true(ball_value(o->adversarial.ball) <= both + tiny);
        ckda_tolerances_clear(o);
        ckda_slack_clear(r);
        close_fixture(&f);
    }
}

/* Does every step of the rounded recurrence send Q(c v) to Q(c A v)? */
static bool
all_columns_stay(const fixture *f, const ckda_rounded_t R, double scale)
{
    const slong n = f->t->n;
    double h[16];
    for (uint32_t v = 0; v < f->t->ncolumns; v++)
        for (uint32_t l = 0; l < f->t->nletters; l++) {
            const uint32_t to = f->t->column_next[v * f->t->nletters + l];
            for (slong j = 0; j < n; j++)
                h[j] = rint(scale * f->t->column_value[(slong)v * n + j]);
            ckda_rounded_step(h, 1, l, R);
            for (slong j = 0; j < n; j++)
                if (h[j] != rint(scale * f->t->column_value[(slong)to * n + j]))
                    return false;
        }
    return true;
}

/* Shrinks beta and gates by e (a multiple of 2^-20) and asks theorem and recurrence. */
static ckda_truth
with_shrinkage(const fixture *f, int64_t grid, double beta, double gate, bool *really)
{
    ckda_arith a = ckda_arith_default;
    ckda_rounded_t R;
    ckda_snap_delta d;
    ckda_error err;
    ckda_quantiser Q;
    a.grid = grid;
    a.beta_shift = (ckda_ratio){(int64_t)(beta * 0x1p20), 1 << 20};
    a.gate_shrink = (ckda_ratio){(int64_t)(gate * 0x1p20), 1 << 20};
    assert_int_equal(ckda_quantiser_of(&Q, &a, &err), CKDA_OK);
    if (ckda_rounded_init(R, f->t, &a, &err) != CKDA_OK
        || ckda_snap_delta_bound(&d, f->s, &Q, R, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    *really = all_columns_stay(f, R, (double)grid);
    ckda_rounded_clear(R);
    return d.stays;
}

static void
expect_threshold(const fixture *f, int64_t grid, double e, bool beta, bool gate)
{
    bool really;
    const double below = .999 * e, above = 1.001 * e;
    assert_int_equal(with_shrinkage(f, grid, beta ? below : 0, gate ? below : 0, &really),
                     CKDA_TRUE);
    assert_true(really);
    assert_int_equal(with_shrinkage(f, grid, beta ? above : 0, gate ? above : 0, &really),
                     CKDA_FALSE);
    assert_false(really);
}

static void
the_rounded_recurrence_leaves_the_orbit_exactly_there(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        fixture f;
        ckda_tolerances_t o;
        open_fixture(&f, table[i].system, table[i].construction);
        open_tolerances(o, &f, ckda_quantiser_grid(table[i].grid));
        expect_threshold(&f, table[i].grid, ball_value(o->beta.ball), true, false);
        expect_threshold(&f, table[i].grid, ball_value(o->alpha.ball), false, true);
        expect_threshold(&f, table[i].grid, ball_value(o->both.ball), true, true);
        ckda_tolerances_clear(o);
        close_fixture(&f);
    }
}

/* One step with beta off by b and the gates by f, exactly as in the header, in doubles. */
static bool
inside(const fixture *f, const double *q, uint32_t row, uint32_t image, double scale,
       double b, const double *off)
{
    const slong n = f->s->n;
    double y = 0;
    for (slong j = 0; j < n; j++)
        y += (f->s->x_near[(slong)row * n + j] + b * f->s->p_near[(slong)row * n + j])
             * (1 - (f->s->gated[row] ? off[j] : 0)) * q[j];
    return fabs(y - rint(scale * f->s->value_near[image])) < .5;
}

/* Are all corners of the box [0, e] inside, for every row and column? */
static bool
all_corners_inside(const fixture *f, double scale, double e)
{
    const slong n = f->s->n;
    double q[8], off[8];
    for (uint32_t v = 0; v < f->s->ncolumns; v++) {
        for (slong j = 0; j < n; j++)
            q[j] = rint(scale * f->s->value_near[f->s->column[(slong)v * n + j]]);
        for (uint32_t r = 0; r < f->s->nrows; r++)
            for (unsigned corner = 0; corner < 2u << n; corner++) {
                for (slong j = 0; j < n; j++)
                    off[j] = (corner >> j) & 1 ? e : 0;
                if (!inside(f, q, r, f->s->image[(size_t)r * f->s->ncolumns + v], scale,
                            corner >> n ? e : 0, off))
                    return false;
            }
    }
    return true;
}

static void
the_adversarial_threshold_is_that_of_all_corners(void **state)
{
    (void)state;
    static const size_t some[] = {0, 5, 7, 10};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        fixture f;
        ckda_tolerances_t o;
        const int64_t grid = table[some[i]].grid;
        open_fixture(&f, table[some[i]].system, table[some[i]].construction);
        open_tolerances(o, &f, ckda_quantiser_grid(grid));
        const double e = ball_value(o->adversarial.ball);
        assert_true(all_corners_inside(&f, (double)grid, e * (1 - 1e-9)));
        assert_false(all_corners_inside(&f, (double)grid, e * (1 + 1e-9)));
        ckda_tolerances_clear(o);
        close_fixture(&f);
    }
}

static void
thresholds_of_tiny_slacks_are_found_too(void **state)
{
    (void)state;
    fixture f;
    ckda_tolerances_t o;
    open_fixture(&f, "A5", NULL);
    open_tolerances(o, &f, format_quantiser(&ckda_fp_fp32, 6, 1, 1));
    assert_near(ball_value(o->adversarial.ball), 4.31464e-9, 1e-14);
    ckda_tolerances_clear(o);
    close_fixture(&f);
}

static void
nothing_is_tolerated_without_slack(void **state)
{
    (void)state;
    fixture f;
    ckda_slack_t r;
    ckda_tolerances_t o, before;
    ckda_error err;
    const ckda_quantiser Q = ckda_quantiser_grid(3);
    open_fixture(&f, "A5", NULL);
    open_slack(r, &f, Q);
    memset(o, 0x5a, sizeof o);
    *before = *o;
    assert_int_equal(ckda_tolerances_init(o, f.s, &Q, r, &err), CKDA_E_DOMAIN);
    assert_memory_equal(o, before, sizeof before);
    ckda_slack_clear(r);
    close_fixture(&f);
}

/* ---- the arithmetic ---------------------------------------------------------------------- */

static void
open_delta(ckda_snap_delta *d, const fixture *f, const ckda_arith *a)
{
    ckda_rounded_t R;
    ckda_quantiser Q;
    ckda_error err;
    assert_int_equal(ckda_quantiser_of(&Q, a, &err), CKDA_OK);
    if (ckda_rounded_init(R, f->t, a, &err) != CKDA_OK
        || ckda_snap_delta_bound(d, f->s, &Q, R, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    ckda_rounded_clear(R);
}

static void
bf16_keys_leave_the_published_room(void **state)
{
    (void)state;
    static const struct {
        const char *system;
        int64_t grid;
        double room;
    } rows[] = {{"A5", 4, .190},  {"A5", 6, .301}, {"A5", 10, .378},
                {"A5", 16, .406}, {"Z3", 8, .414}, {"Z5", 22, .136},
                {"Z12", 8, .395}, {"Z8", 7, .385}, {"S4", 10, .398}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fixture f;
        ckda_snap_delta d;
        ckda_arith a = ckda_arith_default;
        a.keys = &ckda_fp_bf16;
        a.grid = rows[i].grid;
        open_fixture(&f, rows[i].system, NULL);
        open_delta(&d, &f, &a);
        assert_int_equal(d.stays, CKDA_TRUE);
        assert_near(d.free, rows[i].room, 6e-4);
        assert_true(d.delta <= d.parameters + d.arithmetic + 1e-9);
        close_fixture(&f);
    }
}

/* The error of every computed entry, measured: what is stored in fp64 shows y itself. */
static double
measured_error(const fixture *f, const ckda_arith *a, double scale)
{
    ckda_rounded_t R;
    ckda_error err;
    ckda_arith wide = *a;
    const slong n = f->t->n;
    double h[16], most = 0;
    wide.grid = 0;
    wide.state = a->compute; /* the store keeps what was computed */
    if (ckda_rounded_init(R, f->t, &wide, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    for (uint32_t v = 0; v < f->t->ncolumns; v++)
        for (uint32_t l = 0; l < f->t->nletters; l++) {
            const ckda_mat_struct *A = &f->t->c->matrix[f->t->element_of_letter[l]];
            double q[16];
            for (slong j = 0; j < n; j++)
                h[j] = q[j] = rint(scale * f->t->column_value[(slong)v * n + j]);
            ckda_rounded_step(h, 1, l, R);
            for (slong i = 0; i < n; i++) {
                double y = 0;
                for (slong j = 0; j < n; j++)
                    y += ckda_elem_approx(ckda_mat_entry(A, i, j), f->t->c->K) * q[j];
                most = fmax(most, fabs(h[i] - y));
            }
        }
    ckda_rounded_clear(R);
    return most;
}

static void
no_computed_entry_is_off_by_more_than_delta(void **state)
{
    (void)state;
    static const struct {
        const char *system;
        int64_t grid;
        const ckda_fp_format *keys, *compute;
        ckda_arith_form form;
        bool fma;
        ckda_arith_order order;
    } rows[] = {
        {"A5", 16, &ckda_fp_bf16, &ckda_fp_fp32, CKDA_FORM_KEY, true, CKDA_BETA_ON_KEY},
        {"A5", 4, &ckda_fp_fp32, &ckda_fp_fp32, CKDA_FORM_KEY, false, CKDA_BETA_ON_DOT},
        {"A5", 4, &ckda_fp_fp32, &ckda_fp_fp32, CKDA_FORM_MATRIX, true, CKDA_BETA_ON_KEY},
        {"S4", 10, &ckda_fp_fp16, &ckda_fp_fp16, CKDA_FORM_KEY, true, CKDA_BETA_ON_KEY},
        {"Z5", 22, &ckda_fp_bf16, &ckda_fp_bf16, CKDA_FORM_KEY, false, CKDA_BETA_ON_DOT},
        {"D7", 14, &ckda_fp_fp32, &ckda_fp_fp64, CKDA_FORM_KEY, true, CKDA_BETA_ON_KEY},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fixture f;
        ckda_snap_delta d;
        ckda_arith a = ckda_arith_default;
        a.keys = rows[i].keys;
        a.beta = rows[i].keys;
        a.compute = rows[i].compute;
        a.form = rows[i].form;
        a.fma = rows[i].fma;
        a.order = rows[i].order;
        a.grid = rows[i].grid;
        open_fixture(&f, rows[i].system, NULL);
        open_delta(&d, &f, &a);
        const double most = measured_error(&f, &a, (double)a.grid);
        assert_true(most <= d.delta + 1e-13);
        assert_true(d.parameters <= most + d.arithmetic + 1e-12); /* and not far above */
        close_fixture(&f);
    }
}

static void
wrong_keys_are_seen_to_leave(void **state)
{
    (void)state;
    fixture f;
    ckda_snap_delta d;
    ckda_arith a = ckda_arith_default;
    a.keys = &ckda_fp_bf16;
    a.grid = 64;
    open_fixture(&f, "Z9", NULL);
    open_delta(&d, &f, &a);
    assert_int_equal(d.stays, CKDA_FALSE);
    assert_true(d.free < 0 && d.epsilon == 0);
    close_fixture(&f);
}

static void
an_arithmetic_that_is_too_coarse_to_tell_is_unknown(void **state)
{
    (void)state;
    fixture f;
    ckda_snap_delta d;
    ckda_arith a = ckda_arith_default;
    a.state = &ckda_fp_fp32;
    a.has_flush = true;
    a.flush = 6;
    open_fixture(&f, "A5", NULL);
    open_delta(&d, &f, &a);
    assert_int_equal(d.stays, CKDA_UNKNOWN);
    a.compute = &ckda_fp_fp64;
    a.keys = &ckda_fp_fp64;
    open_delta(&d, &f, &a);
    assert_int_equal(d.stays, CKDA_TRUE);
    close_fixture(&f);
}

static void
nothing_is_known_next_to_overflow(void **state)
{
    (void)state;
    fixture f;
    ckda_snap_delta d;
    ckda_arith a = ckda_arith_default;
    a.state = a.compute = a.keys = a.beta = &ckda_fp_fp16;
    a.initial = (ckda_ratio){40000, 1};
    open_fixture(&f, "Z4", NULL);
    open_delta(&d, &f, &a);
    assert_int_equal(d.stays, CKDA_UNKNOWN);
    assert_true(isinf(d.delta) && d.epsilon == 0);
    close_fixture(&f);
}

static void
householder_letters_are_bounded_step_by_step(void **state)
{
    (void)state;
    fixture f;
    ckda_snap_delta d;
    ckda_arith a = ckda_arith_default;
    a.grid = 1;
    a.keys = &ckda_fp_bf16;
    open_fixture(&f, "S5", NULL);
    open_delta(&d, &f, &a);
    assert_int_equal(d.stays, CKDA_TRUE);
    /* (1/sqrt 2 in bf16)^2 misses 1/2 by 2^-13 */
    assert_true(d.parameters > 2e-4 && d.parameters < 2.2e-4);
    a.key = CKDA_KEY_DIRECTION;
    open_delta(&d, &f, &a);
    assert_true(d.parameters < 1e-12);
    a.form = CKDA_FORM_MATRIX;
    a.key = CKDA_KEY_UNIT;
    open_delta(&d, &f, &a);
    assert_true(d.parameters < 1e-12);
    close_fixture(&f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thresholds_have_the_published_values),
        cmocka_unit_test(thresholds_of_a5_are_sharp_to_six_digits),
        cmocka_unit_test(the_theorem_allows_no_more_than_the_thresholds),
        cmocka_unit_test(the_rounded_recurrence_leaves_the_orbit_exactly_there),
        cmocka_unit_test(the_adversarial_threshold_is_that_of_all_corners),
        cmocka_unit_test(thresholds_of_tiny_slacks_are_found_too),
        cmocka_unit_test(nothing_is_tolerated_without_slack),
        cmocka_unit_test(bf16_keys_leave_the_published_room),
        cmocka_unit_test(no_computed_entry_is_off_by_more_than_delta),
        cmocka_unit_test(wrong_keys_are_seen_to_leave),
        cmocka_unit_test(an_arithmetic_that_is_too_coarse_to_tell_is_unknown),
        cmocka_unit_test(nothing_is_known_next_to_overflow),
        cmocka_unit_test(householder_letters_are_bounded_step_by_step),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
