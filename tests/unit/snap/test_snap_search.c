/* Which scales hold. */
#include "snap_fixture.h"

static void
search(ckda_snap_choice **list, size_t *n, size_t *best, const fixture *f, int64_t from,
       int64_t to)
{
    ckda_error err;
    if (ckda_snap_search_grid(list, n, best, f->s, from, to, &err) != CKDA_OK)
        fail_msg("%s", err.text);
}

static void
the_best_grids_are_the_published_ones(void **state)
{
    (void)state;
    static const struct {
        const char *system, *construction;
        int64_t best;
    } rows[] = {{"A5", NULL, 4},  {"S4", "cube", 4},       {"A4", "quaternion", 2},
                {"Z3", NULL, 2},  {"D6", NULL, 2},         {"Z12", NULL, 2},
                {"Z8", NULL, 3},  {"Z5", NULL, 22},        {"D10", NULL, 22},
                {"Z7", NULL, 14}, {"Z14", NULL, 14},       {"Z9", NULL, 64},
                {"Z16", NULL, 3}, {"S4", "quaternion", 2}, {"Z4", NULL, 1},
                {"S5", NULL, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fixture f;
        ckda_snap_choice *list;
        size_t n, best;
        open_fixture(&f, rows[i].system, rows[i].construction);
        search(&list, &n, &best, &f, 1, 130);
        assert_true(best < n);
        assert_int_equal(list[best].Q.grid, rows[i].best);
        flint_free(list);
        close_fixture(&f);
    }
}

static void
large_cycles_need_large_grids(void **state)
{
    (void)state;
    static const struct {
        const char *system;
        int64_t best;
    } rows[] = {{"Z15", 592}, {"Z11", 1707}, {"Z13", 3841}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fixture f;
        ckda_snap_choice *list;
        size_t n, best;
        open_fixture(&f, rows[i].system, NULL);
        search(&list, &n, &best, &f, 1, 5000);
        assert_int_equal(list[best].Q.grid, rows[i].best);
        flint_free(list);
        close_fixture(&f);
    }
}

static void
odd_grids_are_ties_for_a5(void **state)
{
    (void)state;
    fixture f;
    ckda_snap_choice *list;
    size_t n, best;
    open_fixture(&f, "A5", NULL);
    search(&list, &n, &best, &f, 1, 200);
    for (size_t i = 0; i < n; i++)
        assert_true(list[i].Q.grid % 2 == 0);
    assert_int_equal(n, 76);
    flint_free(list);
    close_fixture(&f);
}

static void
the_list_says_what_the_exact_slack_says(void **state)
{
    (void)state;
    fixture f;
    ckda_snap_choice *list;
    size_t n, best, at = 0;
    open_fixture(&f, "Z8", NULL);
    search(&list, &n, &best, &f, 1, 60);
    for (int64_t c = 1; c <= 60; c++) {
        ckda_slack_t r;
        open_slack(r, &f, ckda_quantiser_grid(c));
        const bool holds = r->sign > 0 && r->separates;
        const bool listed = at < n && list[at].Q.grid == c;
        assert_true(holds == listed);
        if (listed) {
            assert_near(list[at].sigma, ckda_elem_approx(r->sigma, r->K), 1e-12);
            assert_near(list[at].epsilon, ball_value(r->epsilon_ball), 1e-12);
            assert_near(list[at].lemma_slack,
                        arf_get_d(arb_midref(r->lemma_slack), ARF_RND_NEAR), 1e-12);
            at++;
        }
        ckda_slack_clear(r);
    }
    assert_int_equal(at, n);
    flint_free(list);
    close_fixture(&f);
}

static void
equal_epsilons_go_to_the_smaller_grid(void **state)
{
    (void)state;
    fixture f;
    ckda_snap_choice *list;
    size_t n, best;
    open_fixture(&f, "Z8", NULL); /* grids 1, 4 and 7 share sqrt(2) - something */
    search(&list, &n, &best, &f, 4, 7);
    assert_int_equal(list[best].Q.grid, 4);
    flint_free(list);
    close_fixture(&f);
}

static void
no_grid_gives_an_empty_list(void **state)
{
    (void)state;
    fixture f;
    ckda_snap_choice *list;
    size_t n, best;
    open_fixture(&f, "Z13", NULL);
    search(&list, &n, &best, &f, 1, 100);
    assert_int_equal(n, 0);
    assert_int_equal(best, 0);
    flint_free(list);
    close_fixture(&f);
}

static void
scales_of_bf16_with_flush(void **state)
{
    (void)state;
    fixture f;
    ckda_snap_choice *list;
    size_t n, best, ones = 0;
    ckda_error err;
    const ckda_quantiser Q = format_quantiser(&ckda_fp_bf16, 6, 1, 1);
    open_fixture(&f, "A5", NULL);
    assert_int_equal(ckda_snap_search_initial(&list, &n, &best, f.s, &Q, 64, &err),
                     CKDA_OK);
    assert_int_equal(n, 21);
    for (size_t i = 0; i < n; i++) {
        const ckda_ratio r = list[i].Q.scale;
        const int64_t p = r.p * (64 / r.q);
        ones += p == 64 || p == 72;                  /* 1 and 1.125 hold */
        assert_true(p != 80 && p != 96 && p != 112); /* 1.25, 1.5, 1.75 do not */
    }
    assert_int_equal(ones, 2);
    flint_free(list);
    close_fixture(&f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_grids_are_the_published_ones),
        cmocka_unit_test(large_cycles_need_large_grids),
        cmocka_unit_test(odd_grids_are_ties_for_a5),
        cmocka_unit_test(the_list_says_what_the_exact_slack_says),
        cmocka_unit_test(equal_epsilons_go_to_the_smaller_grid),
        cmocka_unit_test(no_grid_gives_an_empty_list),
        cmocka_unit_test(scales_of_bf16_with_flush),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
