/* The all-words search in several processes: the same answer, graph and failing word as in
 * one, its limits and its files. */
#include "allwords_fixture.h"

#include <stdio.h>
#include <unistd.h>

#include "../forked_ranks.h"

#define BF16 &ckda_fp_bf16
#define FP32 &ckda_fp_fp32

/* One question to all processes. */
typedef struct {
    const tracked *x;
    ckda_allwords_options o;
    ckda_status want; /* CKDA_OK: r is compared with `whole` */
    const char *text;
    const ckda_allwords_struct *whole;
} asked;

static bool
same_answer(const ckda_allwords_t r, const ckda_allwords_struct *w)
{
    return r->verdict == w->verdict && r->method == w->method && r->states == w->states
           && r->edges == w->edges && r->depth == w->depth && r->aliased == w->aliased
           && r->max_error == w->max_error && r->tie_distance == w->tie_distance
           && r->nlevels == w->nlevels
           && (r->nlevels == 0
               || memcmp(r->level, w->level, r->nlevels * sizeof *r->level) == 0)
           && (r->limit == NULL) == (w->limit == NULL)
           && (r->limit == NULL || strcmp(r->limit, w->limit) == 0)
           && r->failure == w->failure && r->length == w->length
           && (r->length == 0
               || memcmp(r->word, w->word, r->length * sizeof *r->word) == 0)
           && r->other_length == w->other_length
           && (r->other_length == 0
               || memcmp(r->other_word, w->other_word,
                         r->other_length * sizeof *r->other_word)
                      == 0)
           && r->expected == w->expected && r->decoded == w->decoded
           && r->guaranteed_steps == w->guaranteed_steps
           && r->column_bound == w->column_bound && r->column_states == w->column_states;
}

/* The graph is with process 0. */
static bool
same_graph(const ckda_allwords_t r, const ckda_allwords_struct *w)
{
    const size_t edges = (size_t)w->states * (size_t)(w->edges / w->states);
    if (ckda_ranks_mine() != 0)
        return r->next == NULL && r->bits == NULL;
    return r->next != NULL && r->bytes == w->bytes
           && memcmp(r->bits, w->bits, w->states * w->bytes) == 0
           && memcmp(r->exact_state, w->exact_state, w->states * sizeof(uint32_t)) == 0
           && memcmp(r->parent, w->parent, w->states * sizeof(uint32_t)) == 0
           && memcmp(r->via, w->via, w->states * sizeof(uint16_t)) == 0
           && memcmp(r->next, w->next, edges * sizeof(uint32_t)) == 0;
}

static bool
ask(void *data)
{
    const asked *a = data;
    ckda_allwords_t r;
    ckda_error err;
    ckda_error_clear(&err);
    const ckda_status st = ckda_allwords_run(r, a->x->R, a->x->t, &a->o, &err);
    if (st != a->want || st != CKDA_OK) {
        const bool good = st == a->want && strstr(err.text, a->text) != NULL;
        if (!good)
            fprintf(stderr, "%s\n", err.text);
        return good;
    }
    bool good = same_answer(r, a->whole);
    if (good && a->whole->next != NULL)
        good = same_graph(r, a->whole);
    ckda_allwords_clear(r);
    return good;
}

static void
expect_same_for_all(const tracked *x, const ckda_allwords_options *o)
{
    ckda_allwords_t whole;
    decide(whole, x, o);
    for (uint32_t count = 1; count <= 4; count++) {
        asked a = {.x = x, .o = *o, .want = CKDA_OK, .whole = whole};
        if (!in_processes(count, ask, &a))
            fail_msg("%u processes answer otherwise", (unsigned)count);
    }
    ckda_allwords_clear(whole);
}

static void
check_system(const char *system, const ckda_arith *a, unsigned methods, uint64_t cap,
             bool keep_graph, ckda_allwords_verdict verdict)
{
    tracked x;
    ckda_allwords_t r;
    const ckda_allwords_options o = {.methods = methods,
                                     .threads = 1,
                                     .limits = {.max_states = cap},
                                     .keep_graph = keep_graph};
    open_tracked(&x, system, NULL, a);
    decide(r, &x, &o);
    assert_int_equal(r->verdict, verdict);
    ckda_allwords_clear(r);
    expect_same_for_all(&x, &o);
    close_tracked(&x);
}

static void
a_closed_search_and_its_graph_are_the_same(void **state)
{
    (void)state;
    const ckda_arith bf16 = arith_of(BF16, FP32, FP32, true);
    const ckda_arith grid = grid_of(22, FP32);
    check_system("S4", &bf16, CKDA_ALLWORDS_PRODUCT, 0, true, CKDA_ALLWORDS_TRACKS);
    check_system("D4", &bf16, CKDA_ALLWORDS_PRODUCT, 0, true, CKDA_ALLWORDS_TRACKS);
    check_system("Z5", &grid, CKDA_ALLWORDS_PRODUCT, 0, true, CKDA_ALLWORDS_TRACKS);
}

static void
a_deep_search_is_the_same(void **state)
{
    (void)state;
    const ckda_arith a = arith_of(BF16, BF16, FP32, true);
    check_system("Z4", &a, CKDA_ALLWORDS_PRODUCT, 0, true, CKDA_ALLWORDS_TRACKS);
}

static void
the_failing_word_is_the_same(void **state)
{
    (void)state;
    for (int64_t grid = 2; grid <= 7; grid++) {
        const ckda_arith a = grid_of(grid, FP32);
        tracked x;
        const ckda_allwords_options o = {.methods = CKDA_ALLWORDS_PRODUCT, .threads = 1};
        open_tracked(&x, "Z5", "planar", &a);
        expect_same_for_all(&x, &o);
        close_tracked(&x);
    }
}

static void
many_letters_fail_alike(void **state)
{
    (void)state;
    const ckda_arith a = grid_of(3, FP32);
    check_system("A5", &a, CKDA_ALLWORDS_PRODUCT, 0, false, CKDA_ALLWORDS_FAILS);
}

static void
columns_are_the_same(void **state)
{
    (void)state;
    const ckda_arith a = arith_of(BF16, FP32, FP32, true);
    check_system("S4", &a, CKDA_ALLWORDS_COLUMNS, 0, false, CKDA_ALLWORDS_TRACKS);
    check_system("Z8", &a, CKDA_ALLWORDS_COLUMNS, 20, false, CKDA_ALLWORDS_UNDECIDED);
}

static void
process_0_looks_for_a_witness(void **state)
{
    (void)state;
    const ckda_arith a = grid_of(5, FP32);
    check_system("Z5", &a, CKDA_ALLWORDS_WITNESS, 0, false, CKDA_ALLWORDS_FAILS);
}

static void
the_cap_on_states_is_sharp(void **state)
{
    (void)state;
    tracked x;
    open_deep(&x);
    for (uint64_t cap = 1; cap < 4398; cap = cap * 5 + 2) {
        const ckda_allwords_options o = {.methods = CKDA_ALLWORDS_PRODUCT,
                                         .threads = 1,
                                         .limits = {.max_states = cap}};
        expect_same_for_all(&x, &o);
    }
    close_tracked(&x);
}

static bool
stops_at_memory(void *data)
{
    const asked *a = data;
    ckda_allwords_t r;
    if (ckda_allwords_run(r, a->x->R, a->x->t, &a->o, NULL) != CKDA_OK)
        return false;
    uint64_t states[2] = {r->states, ~r->states};
    ckda_ranks_max(states, 2);
    const bool good = r->verdict == CKDA_ALLWORDS_UNDECIDED && r->limit != NULL
                      && strcmp(r->limit, "memory") == 0 && states[0] == ~states[1]
                      && r->states > 400 && r->states < 4398;
    ckda_allwords_clear(r);
    return good;
}

static void
memory_that_ends_in_one_process_stops_all(void **state)
{
    (void)state;
    tracked x;
    open_deep(&x);
    for (uint32_t count = 2; count <= 3; count++) {
        asked a = {.x = &x,
                   .o = {.methods = CKDA_ALLWORDS_PRODUCT,
                         .threads = 1,
                         .limits = {.max_bytes = 60000}}};
        assert_true(in_processes(count, stops_at_memory, &a));
    }
    close_tracked(&x);
}

static volatile sig_atomic_t stop_now;

/* Only the last process is interrupted. */
static bool
stops_for_one(void *data)
{
    asked *a = data;
    ckda_allwords_t r;
    stop_now = ckda_ranks_mine() + 1 == ckda_ranks_count();
    a->o.stop = &stop_now;
    if (ckda_allwords_run(r, a->x->R, a->x->t, &a->o, NULL) != CKDA_OK)
        return false;
    const bool good = r->limit != NULL && strcmp(r->limit, "interrupted") == 0;
    ckda_allwords_clear(r);
    return good;
}

static void
an_interruption_of_one_stops_all(void **state)
{
    (void)state;
    tracked x;
    open_deep(&x);
    asked a = {.x = &x, .o = {.methods = CKDA_ALLWORDS_PRODUCT, .threads = 1}};
    assert_true(in_processes(3, stops_for_one, &a));
    close_tracked(&x);
}

/* ---- files ----------------------------------------------------------------------------- */

/* Z4 in `count` processes, saved when `cap` states were found. */
static void
save_some(const tracked *x, uint32_t count, uint64_t cap)
{
    ckda_allwords_t capped;
    asked a = {.x = x,
               .o = {.methods = CKDA_ALLWORDS_PRODUCT,
                     .threads = 1,
                     .limits = {.max_states = cap}},
               .want = CKDA_OK,
               .whole = capped};
    decide(capped, x, &a.o);
    a.o.checkpoint = rank_path;
    a.o.checkpoint_seconds = 1e9;
    assert_true(in_processes(count, ask, &a));
    ckda_allwords_clear(capped);
}

static void
a_search_goes_on_in_as_many_processes(void **state)
{
    (void)state;
    tracked x;
    ckda_allwords_t whole;
    open_deep(&x);
    for (uint32_t count = 2; count <= 3; count++) {
        asked a = {.x = &x,
                   .o = {.methods = CKDA_ALLWORDS_PRODUCT, .threads = 1},
                   .want = CKDA_OK,
                   .whole = whole};
        decide(whole, &x, &a.o);
        save_some(&x, count, 1000);
        a.o.resume = rank_path;
        assert_true(in_processes(count, ask, &a));
        ckda_allwords_clear(whole);
    }
    close_tracked(&x);
}

/* Saved at every pause, two files in turn: what stays is what a kill would have left. */
static void
the_newest_of_two_files_is_taken(void **state)
{
    (void)state;
    tracked x;
    ckda_allwords_t whole;
    open_deep(&x);
    asked a = {.x = &x,
               .o = {.methods = CKDA_ALLWORDS_PRODUCT, .threads = 1},
               .want = CKDA_OK,
               .whole = whole};
    decide(whole, &x, &a.o);
    a.o.checkpoint = rank_path;
    a.o.checkpoint_seconds = 0;
    a.o.limits.max_seconds = 1000;
    assert_true(in_processes(2, ask, &a));
    a.o.checkpoint = NULL;
    a.o.resume = rank_path;
    assert_true(in_processes(2, ask, &a));
    ckda_allwords_clear(whole);
    close_tracked(&x);
}

static void
expect_refused(const tracked *x, uint32_t count, const char *text)
{
    asked a = {.x = x,
               .o = {.threads = 1, .resume = rank_path},
               .want = CKDA_E_INPUT,
               .text = text};
    assert_true(in_processes(count, ask, &a));
}

static void
another_number_of_processes_is_refused(void **state)
{
    (void)state;
    tracked x;
    open_deep(&x);
    save_some(&x, 2, 300);
    expect_refused(&x, 3, "expected a search saved by 3 processes, found one saved by 2");
    expect_refused(&x, 1, "expected a search saved by 1 process, found one saved by 2");
    remove_rank_files();
    save_some(&x, 1, 300);
    expect_refused(&x, 2, "expected a search saved by 2 processes, found one saved by 1");
    close_tracked(&x);
}

static void
another_system_is_refused_by_all(void **state)
{
    (void)state;
    tracked x, y;
    open_deep(&x);
    save_some(&x, 3, 300);
    open_tracked(&y, "Z8", "planar", &x.R->arith);
    expect_refused(&y, 3, "found Z4 by planar");
    close_tracked(&y);
    close_tracked(&x);
}

static void
change_byte(uint32_t mine, uint32_t count, long at)
{
    char name[128];
    snprintf(name, sizeof name, "%s.%u-of-%u.0", rank_path, (unsigned)mine,
             (unsigned)count);
    FILE *f = fopen(name, "r+b");
    assert_non_null(f);
    fseek(f, at, SEEK_END);
    const int c = getc(f);
    fseek(f, at, SEEK_END);
    putc(c ^ 1, f);
    fclose(f);
}

static void
a_damaged_file_of_one_is_refused_by_all(void **state)
{
    (void)state;
    tracked x;
    open_deep(&x);
    save_some(&x, 3, 300);
    change_byte(1, 3, -100);
    expect_refused(&x, 3, ".1-of-3.0: expected the sum that closes the file");
    close_tracked(&x);
}

static void
a_missing_file_of_one_is_told_to_all(void **state)
{
    (void)state;
    tracked x;
    char name[128];
    open_deep(&x);
    save_some(&x, 2, 300);
    snprintf(name, sizeof name, "%s.1-of-2.0", rank_path);
    unlink(name);
    asked a = {.x = &x,
               .o = {.threads = 1, .resume = rank_path},
               .want = CKDA_E_IO,
               .text = ".1-of-2.0: cannot be opened"};
    assert_true(in_processes(2, ask, &a));
    close_tracked(&x);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_closed_search_and_its_graph_are_the_same),
        cmocka_unit_test(a_deep_search_is_the_same),
        cmocka_unit_test(the_failing_word_is_the_same),
        cmocka_unit_test(many_letters_fail_alike),
        cmocka_unit_test(columns_are_the_same),
        cmocka_unit_test(process_0_looks_for_a_witness),
        cmocka_unit_test(the_cap_on_states_is_sharp),
        cmocka_unit_test(memory_that_ends_in_one_process_stops_all),
        cmocka_unit_test(an_interruption_of_one_stops_all),
        cmocka_unit_test_teardown(a_search_goes_on_in_as_many_processes, no_rank_files),
        cmocka_unit_test_teardown(the_newest_of_two_files_is_taken, no_rank_files),
        cmocka_unit_test_teardown(another_number_of_processes_is_refused, no_rank_files),
        cmocka_unit_test_teardown(another_system_is_refused_by_all, no_rank_files),
        cmocka_unit_test_teardown(a_damaged_file_of_one_is_refused_by_all, no_rank_files),
        cmocka_unit_test_teardown(a_missing_file_of_one_is_told_to_all, no_rank_files),
    };
    return cmocka_run_group_tests(tests, name_rank_file, NULL);
}
