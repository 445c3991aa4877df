/* Trackers: counts, the graph against exact products, columns, the margin. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "ckda/tracker.h"

static void
open_tracker(ckda_tracker_t t, const char *system, const char *construction)
{
    ckda_error err;
    if (ckda_tracker_init(t, system, construction, NULL, &err) != CKDA_OK)
        fail_msg("%s %s: %s", system, construction != NULL ? construction : "", err.text);
}

static const struct {
    const char *system, *construction;
    uint32_t letters, states;
    double margin; /* four digits */
} all[] = {
    {"Z3", "planar", 3, 3, 2.4495},
    {"Z5", "planar", 5, 5, 1.6625},
    {"Z8", "planar", 8, 8, 1.0824},
    {"Z12", "planar", 12, 12, 0.7321},
    {"D4", "planar", 8, 8, 2.0},
    {"D5", "planar", 10, 10, 1.6625},
    {"A4", "cube", 12, 12, 2.4495},
    {"S4", "cube", 24, 24, 2.0},
    {"S4", "cube-standard", 16, 24, 2.0},
    {"A4", "cube-standard", 4, 4, 2.8284},
    {"A4", "quaternion", 12, 96, 2.4495},
    {"S4", "quaternion", 24, 576, 2.0},
    {"A5", "quaternion", 60, 7200, 1.2361},
    {"S5", "householder", 120, 120, 2.0},
    {"Z2", "dyadic", 2, 2, 4.0},
    {"Z3", "dyadic", 3, 3, 2.4495},
    {"S3", "dyadic", 6, 6, 2.0},
    {"Z6", "dyadic", 6, 6, 2.4495},
};
enum { ALL = sizeof all / sizeof *all };

static double *
state_value(const ckda_tracker_t t, uint32_t s)
{
    return t->value + (size_t)s * (size_t)(t->n * t->n);
}

static void
states_letters_and_margins_are_the_published_ones(void **state)
{
    (void)state;
    for (size_t i = 0; i < ALL; i++) {
        ckda_tracker_t t;
        open_tracker(t, all[i].system, all[i].construction);
        assert_int_equal(t->nletters, all[i].letters);
        assert_int_equal(t->nstates, all[i].states);
        assert_true(fabs(t->margin_low - all[i].margin) < 5e-5);
        ckda_tracker_clear(t);
    }
}

/* A_x S over K against the table; a sample of the states of the large one. */
static void
edges_are_exact_products(void **state)
{
    (void)state;
    for (size_t i = 0; i < ALL; i++) {
        ckda_tracker_t t;
        ckda_mat_t P;
        open_tracker(t, all[i].system, all[i].construction);
        ckda_mat_init(P, t->n, t->n, t->c->K);
        assert_true(ckda_mat_is_one(t->exact, t->c->K));
        for (uint32_t s = 0; s<t->nstates; s += t->nstates> 600 ? 97 : 1)
            for (uint32_t l = 0; l < t->nletters; l++) {
                const ckda_mat_struct *A = t->c->matrix + t->element_of_letter[l];
                const uint32_t to = t->next[(size_t)s * t->nletters + l];
                assert_int_equal(ckda_mat_mul(P, A, t->exact + s, t->c->K), CKDA_OK);
                assert_true(ckda_mat_equal(NULL, P, t->exact + to, t->c->K));
            }
        ckda_mat_clear(P, t->c->K);
        ckda_tracker_clear(t);
    }
}

static void
elements_are_a_homomorphism_on_every_edge(void **state)
{
    (void)state;
    for (size_t i = 0; i < ALL; i++) {
        ckda_tracker_t t;
        open_tracker(t, all[i].system, all[i].construction);
        assert_int_equal(t->element[0], 0);
        for (uint32_t s = 0; s < t->nstates; s++)
            for (uint32_t l = 0; l < t->nletters; l++) {
                const uint32_t to = t->next[(size_t)s * t->nletters + l];
                assert_int_equal(
                    t->element[to],
                    ckda_group_mul(t->c->G, t->element_of_letter[l], t->element[s]));
            }
        ckda_tracker_clear(t);
    }
}

/* Two exact states are equal only if they are one state. */
static void
states_are_distinct(void **state)
{
    (void)state;
    ckda_tracker_t t;
    open_tracker(t, "S4", "quaternion");
    for (uint32_t s = 0; s < t->nstates; s++)
        for (uint32_t r = 0; r < s; r++)
            assert_false(ckda_mat_equal(NULL, t->exact + s, t->exact + r, t->c->K));
    ckda_tracker_clear(t);
}

static void
expect_close(double value, const ckda_elem_struct *x, const ckda_field_t K)
{
    arb_t e, v;
    arb_init(e);
    arb_init(v);
    ckda_elem_get_arb(e, x, K, 128);
    arb_set_d(v, value);
    arb_sub(e, e, v, 128);
    arb_abs(e, e);
    arb_mul_2exp_si(e, e, 52);
    arb_set_si(v, 1);
    assert_true(arb_le(e, v));
    arb_clear(v);
    arb_clear(e);
}

static void
doubles_are_within_two_to_the_minus_52(void **state)
{
    (void)state;
    for (size_t i = 0; i < ALL; i++) {
        ckda_tracker_t t;
        open_tracker(t, all[i].system, all[i].construction);
        for (uint32_t s = 0; s<t->nstates; s += t->nstates> 600 ? 97 : 1)
            for (slong e = 0; e < t->n * t->n; e++)
                expect_close(state_value(t, s)[e], t->exact[s].entry + e, t->c->K);
        ckda_tracker_clear(t);
    }
}

static void
columns_are_those_of_the_states(void **state)
{
    (void)state;
    for (size_t i = 0; i < ALL; i++) {
        ckda_tracker_t t;
        open_tracker(t, all[i].system, all[i].construction);
        const uint32_t n = (uint32_t)t->n;
        for (uint32_t s = 0; s < t->nstates; s++)
            for (uint32_t j = 0; j < n; j++) {
                const uint32_t c = t->column_of[s * n + j];
                assert_true(c < t->ncolumns);
                const uint32_t s0 = t->column_state[c], j0 = t->column_at[c];
                assert_true(s0 <= s);
                assert_int_equal(t->column_of[s0 * n + j0], c);
                for (uint32_t r = 0; r < n; r++) {
                    assert_true(state_value(t, s)[r * n + j]
                                == t->column_value[c * n + r]);
                    assert_true(ckda_elem_equal(ckda_mat_entry(t->exact + s, r, j),
                                                ckda_mat_entry(t->exact + s0, r, j0),
                                                t->c->K));
                }
            }
        ckda_tracker_clear(t);
    }
}

/* Column by column the letters do what they do to states. */
static void
columns_move_as_states_do(void **state)
{
    (void)state;
    for (size_t i = 0; i < ALL; i++) {
        ckda_tracker_t t;
        open_tracker(t, all[i].system, all[i].construction);
        const size_t n = (size_t)t->n;
        for (size_t s = 0; s < t->nstates; s++)
            for (size_t l = 0; l < t->nletters; l++)
                for (size_t j = 0; j < n; j++) {
                    const size_t to = t->next[s * t->nletters + l],
                                 c = t->column_of[s * n + j];
                    assert_int_equal(t->column_next[c * t->nletters + l],
                                     t->column_of[to * n + j]);
                }
        ckda_tracker_clear(t);
    }
}

static bool
same_column(const ckda_tracker_t t, uint32_t a, uint32_t b)
{
    for (slong r = 0; r < t->n; r++)
        if (!ckda_elem_equal(
                ckda_mat_entry(t->exact + t->column_state[a], r, t->column_at[a]),
                ckda_mat_entry(t->exact + t->column_state[b], r, t->column_at[b]),
                t->c->K))
            return false;
    return true;
}

static void
columns_are_distinct_and_counted(void **state)
{
    (void)state;
    static const struct {
        const char *system, *construction;
        uint32_t columns;
    } want[] = {{"A5", "quaternion", 120}, /* the icosians */
                {"A4", "quaternion", 24},  /* the Hurwitz units */
                {"S5", "householder", 5},
                {"Z5", "planar", 10},
                {"S4", "cube", 18}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        ckda_tracker_t t;
        open_tracker(t, want[i].system, want[i].construction);
        assert_int_equal(t->ncolumns, want[i].columns);
        for (uint32_t a = 0; a < t->ncolumns; a++)
            for (uint32_t b = 0; b < a; b++)
                assert_false(same_column(t, a, b));
        ckda_tracker_clear(t);
    }
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

/* The definition: all pairs of states of different elements. */
static void
margin_is_the_least_distance_of_all_pairs(void **state)
{
    (void)state;
    for (size_t i = 0; i < ALL; i++) {
        if (all[i].states > 120)
            continue;
        ckda_tracker_t t;
        ckda_elem_t d;
        bool attained = false;
        open_tracker(t, all[i].system, all[i].construction);
        ckda_elem_init(d, t->c->K);
        for (uint32_t s = 0; s < t->nstates; s++)
            for (uint32_t r = 0; r < s; r++) {
                if (t->element[s] == t->element[r])
                    continue;
                distance_squared(d, t->exact + s, t->exact + r, t->c->K);
                const int sign = ckda_elem_cmp(d, t->margin_squared, t->c->K);
                assert_true(sign >= 0);
                attained = attained || sign == 0;
            }
        assert_true(attained);
        ckda_elem_clear(d, t->c->K);
        ckda_tracker_clear(t);
    }
}

static void
margin_low_is_below_and_within_two_ulp(void **state)
{
    (void)state;
    for (size_t i = 0; i < ALL; i++) {
        ckda_tracker_t t;
        arb_t m, low;
        arb_init(m);
        arb_init(low);
        open_tracker(t, all[i].system, all[i].construction);
        ckda_elem_get_arb(m, t->margin_squared, t->c->K, 200);
        arb_set_d(low, t->margin_low);
        arb_sqr(low, low, 200);
        assert_false(arb_gt(low, m));
        arb_set_d(low, t->margin_low * (1 + 0x1p-51));
        arb_sqr(low, low, 200);
        assert_true(arb_gt(low, m));
        ckda_tracker_clear(t);
        arb_clear(low);
        arb_clear(m);
    }
}

static void
letters_are_sorted_named_and_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < ALL; i++) {
        ckda_tracker_t t;
        open_tracker(t, all[i].system, all[i].construction);
        uint32_t found = 0;
        for (uint32_t g = 0; g < t->c->G->order; g++) {
            const int64_t l = ckda_tracker_letter(t, g);
            assert_int_equal(l >= 0, t->c->trans[g].n > 0);
            if (l < 0)
                continue;
            uint32_t back;
            assert_int_equal(l, found++);
            assert_int_equal(t->element_of_letter[l], g);
            assert_int_equal(ckda_group_parse(&back, t->c->G, t->letter_name[l], NULL),
                             CKDA_OK);
            assert_int_equal(back, g);
        }
        assert_int_equal(found, t->nletters);
        assert_int_equal(ckda_tracker_letter(t, t->c->G->order), -1);
        assert_string_equal(t->letter_name[0], "()");
        ckda_tracker_clear(t);
    }
}

/* Four letters of A_4 have a transition there, and they generate a Klein group. */
static void
partial_letters_stay_in_their_subgroup(void **state)
{
    (void)state;
    ckda_tracker_t t;
    bool seen[12] = {false};
    uint32_t count = 0;
    open_tracker(t, "A4", "cube-standard");
    for (uint32_t s = 0; s < t->nstates; s++) {
        assert_true(ckda_perm_order(&t->c->G->element[t->element[s]]) <= 2);
        count += !seen[t->element[s]];
        seen[t->element[s]] = true;
    }
    assert_int_equal(count, 4);
    ckda_tracker_clear(t);
}

/* ---- the rest -------------------------------------------------------------------- */

static void
one_element_always_decodes(void **state)
{
    (void)state;
    ckda_tracker_t t;
    const double H[4] = {0};
    open_tracker(t, "Z1", "planar");
    assert_int_equal(t->nstates, 1);
    assert_true(isinf(t->margin_low));
    assert_true(ckda_elem_is_zero(t->margin_squared, t->c->K));
    uint32_t element = 7;
    assert_int_equal(ckda_tracker_decode(&element, H, t), CKDA_TRUE);
    assert_int_equal(element, 0);
    ckda_tracker_clear(t);
}

static void
default_constructions_are_used(void **state)
{
    (void)state;
    ckda_tracker_t t;
    open_tracker(t, "S4", NULL);
    assert_string_equal(t->c->name, "cube");
    ckda_tracker_clear(t);
}

static void
limits_and_names_are_errors_that_leave_the_tracker_alone(void **state)
{
    (void)state;
    static const struct {
        const char *system, *construction;
        ckda_limits limits;
        ckda_status status;
        const char *says;
    } bad[] = {{"A5", "quaternion", {100, 0, 0}, CKDA_E_UNABLE, "states"},
               {"A5", "quaternion", {0, 10000, 0}, CKDA_E_UNABLE, "memory"},
               {"A5", "quaternion", {0, 6000000, 0}, CKDA_E_UNABLE, "bytes"},
               {"A5", "planar", {0, 0, 0}, CKDA_E_INPUT, "quaternion, householder"},
               {"Q8", NULL, {0, 0, 0}, CKDA_E_INPUT, "expected a group"},
               {"Z5", "dyadic", {0, 0, 0}, CKDA_E_INPUT, "planar, quaternion"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ckda_tracker_t t, before;
        ckda_error err;
        memset(t, 0x5a, sizeof t);
        memset(before, 0x5a, sizeof t);
        assert_int_equal(ckda_tracker_init(t, bad[i].system, bad[i].construction,
                                           &bad[i].limits, &err),
                         bad[i].status);
        if (strstr(err.text, bad[i].says) == NULL)
            fail_msg("%s: said %s", bad[i].says, err.text);
        assert_memory_equal(t, before, sizeof t);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_letters_and_margins_are_the_published_ones),
        cmocka_unit_test(edges_are_exact_products),
        cmocka_unit_test(elements_are_a_homomorphism_on_every_edge),
        cmocka_unit_test(states_are_distinct),
        cmocka_unit_test(doubles_are_within_two_to_the_minus_52),
        cmocka_unit_test(columns_are_those_of_the_states),
        cmocka_unit_test(columns_move_as_states_do),
        cmocka_unit_test(columns_are_distinct_and_counted),
        cmocka_unit_test(margin_is_the_least_distance_of_all_pairs),
        cmocka_unit_test(margin_low_is_below_and_within_two_ulp),
        cmocka_unit_test(letters_are_sorted_named_and_found),
        cmocka_unit_test(partial_letters_stay_in_their_subgroup),
        cmocka_unit_test(one_element_always_decodes),
        cmocka_unit_test(default_constructions_are_used),
        cmocka_unit_test(limits_and_names_are_errors_that_leave_the_tracker_alone),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
