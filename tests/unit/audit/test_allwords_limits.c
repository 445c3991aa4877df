/* The all-words search under limits, with threads, with its graph kept, over scales. */
#include "allwords_fixture.h"

#define BF16 &ckda_fp_bf16
#define FP32 &ckda_fp_fp32

static void
the_number_of_threads_changes_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *system;
        int64_t grid;
        uint64_t cap;
    } runs[] = {
        {"A5", 16, 0}, {"A5", 3, 0}, {"A5", 0, 20000}, {"Z5", 5, 0}, {"S4", 0, 0}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        const ckda_arith a = runs[i].grid > 0 ? grid_of(runs[i].grid, FP32)
                                              : arith_of(BF16, FP32, FP32, true);
        tracked x;
        ckda_allwords_t one, three;
        ckda_allwords_options o = {.methods = CKDA_ALLWORDS_PRODUCT,
                                   .threads = 1,
                                   .limits = {.max_states = runs[i].cap}};
        open_tracked(&x, runs[i].system, NULL, &a);
        decide(one, &x, &o);
        o.threads = 3;
        decide(three, &x, &o);
        expect_same(one, three);
        ckda_allwords_clear(one);
        ckda_allwords_clear(three);
        close_tracked(&x);
    }
}

static void
a_cap_leaves_it_undecided_with_a_guarantee(void **state)
{
    (void)state;
    tracked x;
    ckda_allwords_t r;
    const ckda_allwords_options o = {
        .methods = CKDA_ALLWORDS_PRODUCT, .threads = 1, .limits = {.max_states = 1000}};
    open_deep(&x);
    decide(r, &x, &o);
    assert_int_equal(r->verdict, CKDA_ALLWORDS_UNDECIDED);
    assert_string_equal(r->limit, "states");
    assert_int_equal(r->states, 1000);
    assert_true(r->depth > 0 && r->depth < 277);
    assert_true(r->guaranteed_steps >= r->depth);
    assert_true(isinf(r->tie_distance));
    ckda_allwords_clear(r);
    close_tracked(&x);
}

/* A cap of exactly n states closes; one less does not. */
static void
the_cap_is_sharp(void **state)
{
    (void)state;
    tracked x;
    ckda_allwords_t r;
    ckda_allwords_options o = {
        .methods = CKDA_ALLWORDS_PRODUCT, .threads = 1, .limits = {.max_states = 4398}};
    open_deep(&x);
    decide(r, &x, &o);
    assert_int_equal(r->verdict, CKDA_ALLWORDS_TRACKS);
    ckda_allwords_clear(r);
    o.limits.max_states = 4397;
    decide(r, &x, &o);
    assert_int_equal(r->verdict, CKDA_ALLWORDS_UNDECIDED);
    ckda_allwords_clear(r);
    close_tracked(&x);
}

static void
memory_is_a_limit(void **state)
{
    (void)state;
    tracked x;
    ckda_allwords_t r;
    ckda_allwords_options o = {
        .methods = CKDA_ALLWORDS_PRODUCT, .threads = 1, .limits = {.max_bytes = 40000}};
    open_deep(&x);
    decide(r, &x, &o);
    assert_int_equal(r->verdict, CKDA_ALLWORDS_UNDECIDED);
    assert_string_equal(r->limit, "memory");
    assert_true(r->states > 500 && r->states < 4398);
    ckda_allwords_clear(r);
    o.limits.max_bytes = 1000000;
    decide(r, &x, &o);
    assert_int_equal(r->verdict, CKDA_ALLWORDS_TRACKS);
    ckda_allwords_clear(r);
    close_tracked(&x);
}

static void
time_is_a_limit(void **state)
{
    (void)state;
    tracked x;
    ckda_allwords_t r;
    const ckda_allwords_options o = {.methods =
                                         CKDA_ALLWORDS_PRODUCT | CKDA_ALLWORDS_COLUMNS,
                                     .threads = 1,
                                     .limits = {.max_seconds = 1e-9}};
    open_deep(&x);
    decide(r, &x, &o);
    assert_int_equal(r->verdict, CKDA_ALLWORDS_UNDECIDED);
    assert_string_equal(r->limit, "time");
    assert_false(r->columns_run);
    ckda_allwords_clear(r);
    close_tracked(&x);
}

static volatile sig_atomic_t stop_now;
static uint64_t told;

/* Asks to stop after the first report. */
static void
count_and_stop(const ckda_allwords_progress *p, void *data)
{
    assert_ptr_equal(data, &told);
    assert_true(p->expanded <= p->states);
    assert_int_equal(p->method, CKDA_ALLWORDS_PRODUCT);
    told++;
    stop_now = 1;
}

static void
an_interrupt_ends_with_what_is_known(void **state)
{
    (void)state;
    tracked x;
    ckda_allwords_t r;
    const ckda_arith a = arith_of(BF16, FP32, FP32, true);
    const ckda_allwords_options o = {.threads = 1,
                                     .limits = {.max_states = 3000000},
                                     .stop = &stop_now,
                                     .progress = count_and_stop,
                                     .data = &told};
    stop_now = 0;
    told = 0;
    open_tracked(&x, "Z5", "planar", &a); /* takes seconds when it is not stopped */
    decide(r, &x, &o);
    assert_int_equal(r->verdict, CKDA_ALLWORDS_UNDECIDED);
    assert_string_equal(r->limit, "interrupted");
    assert_int_equal(told, 1);
    assert_false(r->columns_run);
    assert_true(r->states > 1 && r->states < 3000000);
    ckda_allwords_clear(r);
    close_tracked(&x);
}

/* ---- the graph ---------------------------------------------------------------------------- */

/* Every edge of the kept graph, once more by the definition on patterns. */
static void
check_edges(const ckda_allwords_t r, const tracked *x)
{
    const slong size = x->R->n * x->R->n;
    const uint32_t L = x->t->nletters;
    double H[64];
    uint64_t P[64];
    uint8_t bits[256];
    for (uint32_t i = 0; i < r->states; i++)
        for (uint32_t l = 0; l < L; l++) {
            const uint32_t next = r->next[i * L + l];
            ckda_rounded_unpack(H, r->bits + i * r->bytes, size, x->R);
            for (slong k = 0; k < size; k++)
                P[k] = ckda_fp_from_double(H[k], BF16, &ckda_fp_rne);
            ckda_rounded_step_definition(P, x->R->n, l, x->R);
            for (slong k = 0; k < size; k++)
                H[k] = ckda_fp_get_double(P[k], BF16);
            assert_true(ckda_rounded_pack(bits, H, size, x->R));
            assert_in_range(next, 0, r->states - 1);
            assert_memory_equal(bits, r->bits + next * r->bytes, r->bytes);
            assert_int_equal(x->t->element[x->t->next[r->exact_state[i] * L + l]],
                             x->t->element[r->exact_state[next]]);
            assert_true(plainly_right(H, r->exact_state[next], x));
        }
}

static void
the_kept_graph_is_closed_by_the_definition(void **state)
{
    (void)state;
    static const char *const systems[] = {"Z3", "Z8", "D4", "S4"};
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) {
        const ckda_arith a = arith_of(BF16, FP32, FP32, true);
        tracked x;
        ckda_allwords_t r;
        const ckda_allwords_options o = {.threads = 1, .keep_graph = true};
        open_tracked(&x, systems[i], NULL, &a);
        decide(r, &x, &o);
        assert_int_equal(r->verdict, CKDA_ALLWORDS_TRACKS);
        assert_non_null(r->next);
        for (uint32_t k = 1; k < r->states; k++) {
            assert_true(r->parent[k] < k);
            assert_int_equal(r->next[r->parent[k] * x.t->nletters + r->via[k]], k);
        }
        check_edges(r, &x);
        ckda_allwords_clear(r);
        close_tracked(&x);
    }
}

/* ---- sweeps -------------------------------------------------------------------------------- */

static void
a_sweep_gives_what_single_runs_give(void **state)
{
    (void)state;
    const ckda_arith a = grid_of(1, FP32);
    const ckda_allwords_options o = {
        .methods = CKDA_ALLWORDS_PRODUCT, .threads = 1, .limits = {.max_states = 8000}};
    tracked x;
    ckda_arith *list;
    ckda_allwords_row *rows;
    size_t n, count, tracks = 0;
    ckda_error err;
    open_tracked(&x, "Z5", "planar", &a);
    ckda_allwords_grids(&list, &n, &a, 2, 24);
    assert_int_equal(ckda_allwords_sweep(&rows, &count, x.t, list, n, &o, &err), CKDA_OK);
    flint_free(list);
    assert_int_equal(count, 23);
    for (size_t i = 0; i < count; i++) {
        const ckda_arith b = grid_of((int64_t)i + 2, FP32);
        tracked y;
        ckda_allwords_t r;
        assert_int_equal(rows[i].arith.grid, i + 2);
        open_tracked(&y, "Z5", "planar", &b);
        decide(r, &y, &o);
        expect_same(r, rows[i].result);
        tracks += r->verdict == CKDA_ALLWORDS_TRACKS;
        ckda_allwords_clear(r);
        close_tracked(&y);
    }
    assert_int_equal(rows[20].result->verdict, CKDA_ALLWORDS_TRACKS); /* 22 */
    assert_true(tracks >= 2);
    ckda_allwords_sweep_clear(rows, count);
    close_tracked(&x);
}

static void
a_sweep_of_initial_scales_begins_at_one(void **state)
{
    (void)state;
    const ckda_arith a = arith_of(BF16, FP32, FP32, true);
    const ckda_allwords_options o = {
        .methods = CKDA_ALLWORDS_PRODUCT, .threads = 1, .limits = {.max_states = 500}};
    tracked x;
    ckda_arith *list;
    ckda_allwords_row *rows;
    size_t n, count;
    ckda_error err;
    open_tracked(&x, "Z3", "planar", &a);
    ckda_allwords_scales(&list, &n, &a);
    assert_int_equal(ckda_allwords_sweep(&rows, &count, x.t, list, n, &o, &err), CKDA_OK);
    flint_free(list);
    assert_int_equal(count, 64);
    assert_int_equal(rows[0].result->states, 5);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(rows[i].result->verdict, CKDA_ALLWORDS_TRACKS);
    ckda_allwords_sweep_clear(rows, count);
    close_tracked(&x);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_number_of_threads_changes_nothing),
        cmocka_unit_test(a_cap_leaves_it_undecided_with_a_guarantee),
        cmocka_unit_test(the_cap_is_sharp),
        cmocka_unit_test(memory_is_a_limit),
        cmocka_unit_test(time_is_a_limit),
        cmocka_unit_test(an_interrupt_ends_with_what_is_known),
        cmocka_unit_test(the_kept_graph_is_closed_by_the_definition),
        cmocka_unit_test(a_sweep_gives_what_single_runs_give),
        cmocka_unit_test(a_sweep_of_initial_scales_begins_at_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
