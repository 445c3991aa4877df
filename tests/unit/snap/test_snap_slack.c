/* Pairs, sigma and epsA*: published values, a second way in long double, the converse. */
#include "snap_fixture.h"

static const struct {
    const char *system, *construction;
    int64_t grid;
    double sigma, norm, epsilon;
} known[] = {
    {"A5", NULL, 4, .190983, 4, .051042},
    {"A5", NULL, 6, .309017, 6.164414, .050129},
    {"A5", NULL, 16, .427051, 16.06238, .026587},
    {"D3", NULL, 2, .232051, 2.236068, .116025},
    {"Z3", NULL, 8, .428203, 8.062258, .053525},
    {"S4", "cube", 4, .257359, 4.242641, .060660},
    {"A4", "cube", 4, .257359, 4.242641, .060660},
    {"A4", "quaternion", 2, .5, 2, .25},
    {"S4", "quaternion", 2, .5, 2, .25},
    {"S5", NULL, 1, .5, 1, .5},
    {"Z4", NULL, 1, .5, 1, .5},
    {"D4", NULL, 2, .5, 2, .25},
    {"Z8", NULL, 3, .328427, 3, .116117},
    {"Z5", NULL, 22, .180371, 22.20360, .008148},
    {"D5", NULL, 22, .180371, 22.20360, .008148},
    {"Z16", NULL, 3, .085786, 3.162278, .027128},
    {"Z12", NULL, 2, .232051, 2.236068, .116025},
    {"Z7", NULL, 14, .077130, 14.31782, .005387},
    {"Z9", NULL, 64, .061586, 64, .000963},
    {"Z15", NULL, 592, .077037, 592.2711, .000130},
};
enum { KNOWN = sizeof known / sizeof *known };

static void
sigma_and_epsilon_have_the_published_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < KNOWN; i++) {
        fixture f;
        ckda_slack_t r;
        open_fixture(&f, known[i].system, known[i].construction);
        open_slack(r, &f, ckda_quantiser_grid(known[i].grid));
        assert_int_equal(r->sign, 1);
        assert_near(ckda_elem_approx(r->sigma, r->K), known[i].sigma, 1e-6);
        assert_near(ball_value(r->norm), known[i].norm, 1e-4);
        assert_near(ball_value(r->epsilon_ball), known[i].epsilon, 1e-6);
        assert_true(r->separates);
        ckda_slack_clear(r);
        close_fixture(&f);
    }
}

static void
tokens_give_the_same_numbers_as_all_products(void **state)
{
    (void)state;
    for (size_t i = 0; i < KNOWN; i++) {
        fixture f;
        ckda_slack_t r;
        open_fixture(&f, known[i].system, known[i].construction);
        open_slack(r, &f, ckda_quantiser_grid(known[i].grid));
        assert_int_equal(r->same_for_products, CKDA_TRUE);
        ckda_slack_clear(r);
        close_fixture(&f);
    }
}

static void
a5_sigma_is_an_exact_number(void **state)
{
    (void)state;
    fixture f;
    ckda_slack_t r;
    open_fixture(&f, "A5", NULL);
    open_slack(r, &f, ckda_quantiser_grid(4));
    char *text = ckda_elem_str(r->sigma, r->K);
    assert_string_equal(text, "3/4-1/4*a"); /* (3 - sqrt 5) / 4 */
    free(text);
    ckda_slack_clear(r);
    close_fixture(&f);
}

static void
a5_has_120_columns_of_nine_values(void **state)
{
    (void)state;
    fixture f;
    open_fixture(&f, "A5", NULL);
    assert_int_equal(f.s->ncolumns, 120);
    assert_int_equal(f.s->nvalues, 9);
    assert_int_equal(f.s->nsteps, 60);
    for (uint32_t i = 1; i < f.s->nvalues; i++)
        assert_true(f.s->value_near[i] > f.s->value_near[i - 1]);
    close_fixture(&f);
}

static void
householder_letters_are_taken_apart_into_reflections(void **state)
{
    (void)state;
    fixture f;
    open_fixture(&f, "S5", NULL);
    assert_int_equal(f.s->ncolumns, 5);
    /* ten transpositions, first with the gate or later without, and the identity */
    assert_int_equal(f.s->nsteps, 21);
    close_fixture(&f);
}

/* min m and min m / |q| over all letters, columns and entries, from the matrices. */
static void
second_way(long double *sigma, long double *epsilon, const fixture *f, long double c)
{
    const ckda_tracker_struct *t = f->t;
    const size_t n = (size_t)t->n;
    *sigma = *epsilon = 1;
    for (uint32_t l = 0; l < t->nletters; l++) {
        const ckda_mat_struct *A = &t->c->matrix[t->element_of_letter[l]];
        for (uint32_t v = 0; v < t->ncolumns; v++) {
            const double *from = t->column_value + v * n,
                         *to = t->column_value + t->column_next[v * t->nletters + l] * n;
            for (size_t a = 0; a < n; a++) {
                long double y = 0, norm = 0;
                for (size_t j = 0; j < n; j++) {
                    const long double q = rintl(c * from[j] * (1 + 1e-14L));
                    y += ckda_elem_approx(ckda_mat_entry(A, (slong)a, (slong)j), t->c->K)
                         * q;
                    norm += q * q;
                }
                const long double m = 0.5L - fabsl(y - rintl(c * to[a] * (1 + 1e-14L)));
                *sigma = fminl(*sigma, m);
                *epsilon = fminl(*epsilon, m / sqrtl(norm));
            }
        }
    }
}

static void
the_minimum_over_all_letters_is_the_same_in_long_double(void **state)
{
    (void)state;
    static const struct {
        const char *system;
        int64_t grid;
    } some[] = {{"A5", 4}, {"A5", 10}, {"D7", 14}, {"S4", 10}, {"Z12", 8}, {"D24", 20}};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        fixture f;
        ckda_slack_t r;
        long double sigma, epsilon;
        open_fixture(&f, some[i].system, NULL);
        open_slack(r, &f, ckda_quantiser_grid(some[i].grid));
        second_way(&sigma, &epsilon, &f, (long double)some[i].grid);
        assert_near(ckda_elem_approx(r->sigma, r->K), (double)sigma, 1e-12);
        assert_near(ball_value(r->epsilon_ball), (double)epsilon, 1e-12);
        ckda_slack_clear(r);
        close_fixture(&f);
    }
}

/* The column of a place, on the grid. */
static void
stored_column(double *q, const fixture *f, uint32_t column, double scale)
{
    for (slong j = 0; j < f->s->n; j++)
        q[j] = rint(scale * f->s->value_near[f->s->column[(slong)column * f->s->n + j]]);
}

/* The entry that a step whose row is off by `off` in the direction of q computes. */
static bool
survives(const fixture *f, const ckda_slack_t r, double scale, double off)
{
    const ckda_snap_place *at = &r->epsilon_at;
    const slong n = f->s->n;
    const uint32_t row =
        f->s->row_of[(slong)(f->s->first[at->row.letter] + at->row.step) * n
                     + at->row.row];
    double q[16], y = 0, norm = 0;
    stored_column(q, f, at->column, scale);
    for (slong j = 0; j < n; j++) {
        y += f->s->x_near[(slong)row * n + j] * q[j];
        norm += q[j] * q[j];
    }
    const double want = rint(
        scale * f->s->value_near[f->s->image[(size_t)row * f->s->ncolumns + at->column]]);
    const double sign = y >= want ? 1 : -1;
    /* e_a q^T / |q| has norm 1 and adds |q| to the entry */
    return rint(y + sign * off * sqrt(norm)) == want;
}

static void
one_bad_transition_beyond_epsilon_breaks_the_state_and_none_below(void **state)
{
    (void)state;
    for (size_t i = 0; i < KNOWN; i++) {
        fixture f;
        ckda_slack_t r;
        open_fixture(&f, known[i].system, known[i].construction);
        open_slack(r, &f, ckda_quantiser_grid(known[i].grid));
        const double epsilon = ball_value(r->epsilon_ball);
        assert_true(survives(&f, r, (double)known[i].grid, .999 * epsilon));
        assert_false(survives(&f, r, (double)known[i].grid, 1.001 * epsilon));
        ckda_slack_clear(r);
        close_fixture(&f);
    }
}

static void
the_lemma_is_never_sharper_than_the_theorem(void **state)
{
    (void)state;
    for (size_t i = 0; i < KNOWN; i++) {
        fixture f;
        ckda_slack_t r;
        open_fixture(&f, known[i].system, known[i].construction);
        open_slack(r, &f, ckda_quantiser_grid(known[i].grid));
        assert_true(r->has_lemma);
        const double slack = arf_get_d(arb_midref(r->lemma_slack), ARF_RND_NEAR);
        assert_true(slack <= ckda_elem_approx(r->sigma, r->K) + 1e-12);
        assert_true(slack / ball_value(r->norm) <= ball_value(r->epsilon_ball) + 1e-12);
        ckda_slack_clear(r);
        close_fixture(&f);
    }
}

static void
a_grid_that_fails_shows_the_step(void **state)
{
    (void)state;
    fixture f;
    ckda_slack_t r;
    open_fixture(&f, "A5", NULL);
    open_slack(r, &f, ckda_quantiser_grid(3)); /* 3/2 is a tie */
    assert_int_equal(r->sign, -1);
    assert_true(ckda_elem_is_zero(r->epsilon_squared, r->K));
    /* the step computes a number that is not next to the integer wanted */
    const double got = ckda_elem_approx(r->got, r->K);
    const double want = ckda_elem_approx(r->want, r->K);
    assert_true(fabs(got - want) > .5);
    assert_near(.5 - fabs(got - want), ckda_elem_approx(r->sigma, r->K), 1e-12);
    /* the word leads to a state that has the column */
    uint32_t at = 0;
    for (size_t i = 0; i < r->length; i++)
        at = f.t->next[at * f.t->nletters + r->word[i]];
    bool there = false;
    for (slong j = 0; j < f.t->n; j++)
        there |= f.t->column_of[(slong)at * f.t->n + j] == r->sigma_at.column;
    assert_true(there);
    ckda_slack_clear(r);
    close_fixture(&f);
}

static void
a_scale_that_rounds_two_elements_alike_does_not_separate(void **state)
{
    (void)state;
    fixture f;
    ckda_slack_t r;
    open_fixture(&f, "Z16", NULL);
    open_slack(r, &f, ckda_quantiser_grid(1)); /* cos 22.5 and cos 0 both become 1 */
    assert_false(r->separates);
    assert_int_not_equal(f.t->element[r->same[0]], f.t->element[r->same[1]]);
    ckda_slack_clear(r);
    close_fixture(&f);
}

static void
formats_with_flush_have_the_published_slack(void **state)
{
    (void)state;
    fixture f;
    ckda_slack_t r;
    open_fixture(&f, "A5", NULL);
    open_slack(r, &f, format_quantiser(&ckda_fp_bf16, 6, 1, 1));
    assert_near(ckda_elem_approx(r->sigma, r->K), 4.225e-4, 1e-6);
    assert_false(r->has_lemma);
    ckda_slack_clear(r);
    open_slack(r, &f, format_quantiser(&ckda_fp_bf16, 6, 9, 8));
    assert_near(ckda_elem_approx(r->sigma, r->K), 9.607e-4, 1e-6);
    ckda_slack_clear(r);
    open_slack(r, &f, format_quantiser(&ckda_fp_bf16, 6, 5, 4));
    assert_int_equal(r->sign, -1);
    ckda_slack_clear(r);
    open_slack(r, &f, format_quantiser(&ckda_fp_fp16, 6, 1, 1));
    assert_near(ball_value(r->epsilon_ball), 3.693e-5, 1e-8);
    ckda_slack_clear(r);
    open_slack(r, &f, format_quantiser(&ckda_fp_fp32, 6, 1, 1));
    assert_near(ball_value(r->epsilon_ball), 4.157e-9, 1e-12);
    ckda_slack_clear(r);
    close_fixture(&f);
}

static void
without_a_flush_the_zeros_of_a5_have_no_room(void **state)
{
    (void)state;
    fixture f;
    ckda_slack_t r;
    open_fixture(&f, "A5", NULL);
    open_slack(r, &f, format_quantiser(&ckda_fp_bf16, -1, 1, 1));
    assert_int_equal(r->sign, -1);
    ckda_slack_clear(r);
    close_fixture(&f);
}

static void
overflow_is_outside_the_domain(void **state)
{
    (void)state;
    fixture f;
    ckda_slack_t r;
    ckda_error err;
    const ckda_quantiser Q = format_quantiser(&ckda_fp_fp16, 6, 100000, 1);
    open_fixture(&f, "Z4", NULL);
    memset(r, 0x5a, sizeof r);
    ckda_slack_t before;
    *before = *r;
    assert_int_equal(ckda_slack_init(r, f.s, &Q, &err), CKDA_E_DOMAIN);
    assert_memory_equal(r, before, sizeof before);
    close_fixture(&f);
}

static void
quantisers_follow_the_arithmetic(void **state)
{
    (void)state;
    ckda_quantiser Q = {0};
    ckda_error err;
    ckda_arith a = ckda_arith_default;
    a.grid = 16;
    assert_int_equal(ckda_quantiser_of(&Q, &a, &err), CKDA_OK);
    assert_int_equal(Q.grid, 16);
    assert_true(Q.scale.p == 16 && Q.scale.q == 1 && Q.state == NULL);
    a.grid = 0;
    a.state = &ckda_fp_bf16;
    a.initial = (ckda_ratio){5, 4};
    a.has_flush = true;
    a.flush = 6;
    assert_int_equal(ckda_quantiser_of(&Q, &a, &err), CKDA_OK);
    assert_true(Q.grid == 0 && Q.state == &ckda_fp_bf16 && Q.has_flush && Q.flush == 6);
    assert_true(Q.scale.p == 5 && Q.scale.q == 4);
}

static void
truncating_stores_and_wide_states_are_refused(void **state)
{
    (void)state;
    ckda_quantiser Q = {.grid = 77};
    ckda_error err;
    ckda_arith a = ckda_arith_default;
    a.store = CKDA_FP_RTZ;
    assert_int_equal(ckda_quantiser_of(&Q, &a, &err), CKDA_E_INPUT);
    a.store = CKDA_FP_RNE;
    a.state = &ckda_fp_fp64;
    assert_int_equal(ckda_quantiser_of(&Q, &a, &err), CKDA_E_INPUT);
    assert_int_equal(Q.grid, 77);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sigma_and_epsilon_have_the_published_values),
        cmocka_unit_test(tokens_give_the_same_numbers_as_all_products),
        cmocka_unit_test(a5_sigma_is_an_exact_number),
        cmocka_unit_test(a5_has_120_columns_of_nine_values),
        cmocka_unit_test(householder_letters_are_taken_apart_into_reflections),
        cmocka_unit_test(the_minimum_over_all_letters_is_the_same_in_long_double),
        cmocka_unit_test(
            one_bad_transition_beyond_epsilon_breaks_the_state_and_none_below),
        cmocka_unit_test(the_lemma_is_never_sharper_than_the_theorem),
        cmocka_unit_test(a_grid_that_fails_shows_the_step),
        cmocka_unit_test(a_scale_that_rounds_two_elements_alike_does_not_separate),
        cmocka_unit_test(formats_with_flush_have_the_published_slack),
        cmocka_unit_test(without_a_flush_the_zeros_of_a5_have_no_room),
        cmocka_unit_test(overflow_is_outside_the_domain),
        cmocka_unit_test(quantisers_follow_the_arithmetic),
        cmocka_unit_test(truncating_stores_and_wide_states_are_refused),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
