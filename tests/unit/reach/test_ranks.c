/* The search in several processes: what one process answers, its limits and its files. */
#include "fixture.h"

#include <stdio.h>
#include <unistd.h>

#include "../forked_ranks.h"

/* One question to all processes. */
typedef struct {
    const ckda_system_struct *sys;
    ckda_reach_options o;
    ckda_status want; /* CKDA_OK: r is compared with `whole` */
    const char *text;
    const ckda_reach_struct *whole;
} asked;

static bool
same_answer(const ckda_reach_t r, const ckda_reach_struct *w)
{
    return r->finite == w->finite && r->states == w->states && r->edges == w->edges
           && r->nlevels == w->nlevels
           && memcmp(r->level, w->level, w->nlevels * sizeof *w->level) == 0
           && strcmp(r->exactness, w->exactness) == 0
           && (r->limit == NULL) == (w->limit == NULL)
           && (r->limit == NULL || strcmp(r->limit, w->limit) == 0)
           && r->decoder_consistent == w->decoder_consistent && r->decoded == w->decoded
           && r->min_per_element == w->min_per_element
           && r->max_per_element == w->max_per_element;
}

/* The graph is with process 0. */
static bool
same_graph(const ckda_reach_t r, const ckda_reach_struct *w, uint32_t letters)
{
    const size_t bytes = w->states * sizeof(uint32_t);
    if (ckda_ranks_mine() != 0)
        return r->next == NULL;
    return r->next != NULL && memcmp(r->next, w->next, bytes * letters) == 0
           && memcmp(r->parent, w->parent, bytes) == 0
           && memcmp(r->via, w->via, bytes) == 0
           && memcmp(r->label, w->label, bytes) == 0;
}

static bool
ask(void *data)
{
    const asked *a = data;
    ckda_reach_t r;
    ckda_error err;
    ckda_error_clear(&err);
    const ckda_status st = ckda_reach_run_options(r, a->sys, &a->o, &err);
    if (st != a->want || st != CKDA_OK) {
        const bool good = st == a->want && strstr(err.text, a->text) != NULL;
        if (!good)
            fprintf(stderr, "%s\n", err.text);
        return good;
    }
    bool good = same_answer(r, a->whole);
    if (good && a->whole->next != NULL)
        good = same_graph(r, a->whole, a->sys->nletters);
    ckda_reach_clear(r);
    return good;
}

static void
run_alone(ckda_reach_t r, const ckda_system_t sys, const ckda_reach_options *o)
{
    ckda_error err;
    if (ckda_reach_run_options(r, sys, o, &err) != CKDA_OK)
        fail_msg("%s", err.text);
}

static void
expect_same_for_all(const char *group, const char *construction, unsigned flags)
{
    ckda_construction_t c;
    ckda_system_t sys;
    ckda_reach_t whole;
    const ckda_reach_options o = {.threads = 1, .flags = flags};
    open_system(sys, c, group, construction);
    run_alone(whole, sys, &o);
    for (uint32_t count = 1; count <= 4; count++) {
        asked a = {.sys = sys, .o = o, .want = CKDA_OK, .whole = whole};
        if (!in_processes(count, ask, &a))
            fail_msg("%u processes answer otherwise", (unsigned)count);
    }
    ckda_reach_clear(whole);
    ckda_system_clear(sys);
    ckda_construct_clear(c);
}

static void
closures_are_the_same(void **state)
{
    (void)state;
    expect_same_for_all("S4", "cube", 0);
    expect_same_for_all("S4", "quaternion", 0);
    expect_same_for_all("Z7", "planar", 0);
}

static void
graphs_are_the_same(void **state)
{
    (void)state;
    expect_same_for_all("S4", "quaternion", CKDA_REACH_KEEP_GRAPH);
    expect_same_for_all("D5", "householder", CKDA_REACH_KEEP_GRAPH);
}

/* The permutations of five points: 120 states, of which one process finds few at a limit. */
static void
points_open(small_system *s)
{
    static const slong start[5] = {1, 2, 3, 4, 5};
    static const slong turn[25] = {0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0,
                                   1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0};
    static const slong swap[25] = {0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1,
                                   0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1};
    small_open(s, 5, 1, start);
    small_letter(s, turn, 1, NULL);
    small_letter(s, swap, 1, NULL);
}

static void
the_limit_on_states_is_sharp(void **state)
{
    (void)state;
    static const uint64_t caps[] = {1, 50, 119, 120};
    small_system s;
    points_open(&s);
    for (size_t i = 0; i < sizeof caps / sizeof *caps; i++) {
        ckda_reach_t whole;
        asked a = {.sys = s.sys,
                   .o = {.threads = 1, .limits = {.max_states = caps[i]}},
                   .want = CKDA_OK,
                   .whole = whole};
        run_alone(whole, s.sys, &a.o);
        assert_int_equal(whole->states, caps[i]);
        for (uint32_t count = 2; count <= 3; count++)
            assert_true(in_processes(count, ask, &a));
        ckda_reach_clear(whole);
    }
    small_close(&s);
}

static void
save_some(const ckda_system_t sys, uint32_t count)
{
    ckda_reach_t capped;
    asked a = {.sys = sys,
               .o = {.threads = 1, .limits = {.max_states = 50}},
               .want = CKDA_OK,
               .whole = capped};
    run_alone(capped, sys, &a.o);
    a.o.checkpoint = rank_path;
    a.o.checkpoint_seconds = 1e9;
    assert_true(in_processes(count, ask, &a));
    ckda_reach_clear(capped);
}

static void
a_search_goes_on_in_as_many_processes(void **state)
{
    (void)state;
    small_system s;
    ckda_reach_t whole;
    asked a = {.o = {.threads = 1}, .want = CKDA_OK, .whole = whole};
    points_open(&s);
    a.sys = s.sys;
    run_alone(whole, s.sys, &a.o);
    for (uint32_t count = 2; count <= 3; count++) {
        save_some(s.sys, count);
        a.o.resume = rank_path;
        assert_true(in_processes(count, ask, &a));
    }
    ckda_reach_clear(whole);
    small_close(&s);
}

static void
expect_refused(const ckda_system_t sys, uint32_t count, const char *text)
{
    asked a = {.sys = sys,
               .o = {.threads = 1, .resume = rank_path},
               .want = CKDA_E_INPUT,
               .text = text};
    assert_true(in_processes(count, ask, &a));
}

static void
other_numbers_of_processes_and_systems_are_refused(void **state)
{
    (void)state;
    static const slong start[5] = {1, 1, 2, 2, 3};
    small_system s, other;
    points_open(&s);
    points_open(&other);
    ckda_mat_set_si(other.sys->initial, start, 1, other.K);
    save_some(s.sys, 2);
    expect_refused(s.sys, 3,
                   "expected a search saved by 3 processes, found one saved by 2");
    expect_refused(s.sys, 1,
                   "expected a search saved by 1 process, found one saved by 2");
    expect_refused(other.sys, 2, "found one of another system");
    small_close(&s);
    small_close(&other);
}

static void
a_folder_that_does_not_exist_stops_all(void **state)
{
    (void)state;
    small_system s;
    points_open(&s);
    asked a = {.sys = s.sys,
               .o = {.threads = 1,
                     .limits = {.max_states = 50},
                     .checkpoint = "no-such-folder/x",
                     .checkpoint_seconds = 1e9},
               .want = CKDA_E_IO,
               .text = "no-such-folder/x.0-of-3.0"};
    assert_true(in_processes(3, ask, &a));
    small_close(&s);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closures_are_the_same),
        cmocka_unit_test(graphs_are_the_same),
        cmocka_unit_test(the_limit_on_states_is_sharp),
        cmocka_unit_test_teardown(a_search_goes_on_in_as_many_processes, no_rank_files),
        cmocka_unit_test_teardown(other_numbers_of_processes_and_systems_are_refused,
                                  no_rank_files),
        cmocka_unit_test(a_folder_that_does_not_exist_stops_all),
    };
    return cmocka_run_group_tests(tests, name_rank_file, NULL);
}
