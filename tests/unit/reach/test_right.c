/* Edges by associativity are the edges that are computed one by one. */
#include "fixture.h"
#include "../../../src/reach/search_internal.h"

/* ---- the two ways --------------------------------------------------------------------- */

static void
expect_same(const ckda_reach_t a, const ckda_reach_t b, uint32_t letters)
{
    assert_int_equal(a->finite, b->finite);
    assert_int_equal(a->states, b->states);
    assert_int_equal(a->edges, b->edges);
    assert_int_equal(a->nlevels, b->nlevels);
    assert_memory_equal(a->level, b->level, a->nlevels * sizeof *a->level);
    assert_string_equal(a->exactness, b->exactness);
    assert_true((a->limit == NULL) == (b->limit == NULL));
    if (a->limit != NULL)
        assert_string_equal(a->limit, b->limit);
    assert_int_equal(a->primes, b->primes);
    assert_int_equal(a->state_bytes, b->state_bytes);
    assert_int_equal(a->decoder_consistent, b->decoder_consistent);
    assert_int_equal(a->decoded, b->decoded);
    assert_int_equal(a->min_per_element, b->min_per_element);
    assert_int_equal(a->max_per_element, b->max_per_element);
    assert_int_equal(a->bad_state, b->bad_state);
    assert_int_equal(a->bad_letter, b->bad_letter);
    assert_int_equal(a->bad_want, b->bad_want);
    assert_int_equal(a->bad_got, b->bad_got);
    assert_true((a->next == NULL) == (b->next == NULL));
    if (a->next == NULL)
        return;
    assert_memory_equal(a->next, b->next, a->states * letters * sizeof *a->next);
    assert_memory_equal(a->parent, b->parent, a->states * sizeof *a->parent);
    assert_memory_equal(a->via, b->via, a->states * sizeof *a->via);
    assert_true((a->label == NULL) == (b->label == NULL));
    if (a->label != NULL)
        assert_memory_equal(a->label, b->label, a->states * sizeof *a->label);
}

static void
both_ways(const ckda_system_t sys, const ckda_limits *limits)
{
    for (unsigned graph = 0; graph <= CKDA_REACH_KEEP_GRAPH; graph++) {
        ckda_reach_t a, b;
        run_reach(a, sys, limits, graph);
        run_reach(b, sys, limits, graph | CKDA_REACH_EVERY_PRODUCT);
        expect_same(a, b, sys->nletters);
        ckda_reach_clear(a);
        ckda_reach_clear(b);
    }
}

/* Does the search take the way by associativity? */
static bool
is_taken(const ckda_system_t sys, unsigned flags, uint32_t nprimes)
{
    images im;
    search s;
    const ckda_reach_options o = {.flags = flags};
    const run_control control = {.o = &o};
    assert_int_equal(images_init(&im, sys, nprimes, 0), CKDA_OK);
    search_init(&s, sys, &im, &control, false);
    const bool taken = search_by_right_products(&s);
    if (!taken) { /* nothing was written */
        assert_int_equal(s.count, 0);
        assert_int_equal(s.nlevels, 0);
        assert_null(s.label);
    }
    search_clear(&s);
    images_clear(&im);
    return taken;
}

/* ---- constructions -------------------------------------------------------------------- */

static const char *const trackers[][2] = {
    {"A5", "quaternion"}, {"S4", "quaternion"}, {"S4", "cube"}};

static void
trackers_are_the_same_both_ways(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof trackers / sizeof *trackers; i++) {
        ckda_construction_t c;
        ckda_system_t sys;
        open_system(sys, c, trackers[i][0], trackers[i][1]);
        assert_true(is_taken(sys, 0, 1));
        assert_false(is_taken(sys, CKDA_REACH_EVERY_PRODUCT, 1));
        both_ways(sys, NULL);
        ckda_system_clear(sys);
        ckda_construct_clear(c);
    }
}

static void
several_primes_are_the_same_both_ways(void **state)
{
    (void)state;
    ckda_construction_t c;
    ckda_system_t sys;
    ckda_reach_t a, b;
    ckda_error err;
    open_system(sys, c, "S4", "quaternion");
    assert_true(is_taken(sys, 0, 3));
    assert_int_equal(ckda_reach_run_from(a, sys, NULL, 1, 3, &err), CKDA_OK);
    assert_int_equal(
        ckda_reach_run_from(b, sys, NULL, 1 | CKDA_REACH_EVERY_PRODUCT, 3, &err),
        CKDA_OK);
    assert_int_equal(a->primes, 3);
    expect_same(a, b, sys->nletters);
    ckda_reach_clear(a);
    ckda_reach_clear(b);
    ckda_system_clear(sys);
    ckda_construct_clear(c);
}

/* Wrong elements for some letters: the first inconsistent edge is told the same. */
static void
inconsistent_decoders_are_told_alike(void **state)
{
    (void)state;
    ckda_construction_t c;
    ckda_system_t sys;
    open_system(sys, c, "S4", "quaternion");
    uint32_t *element = (uint32_t *)(uintptr_t)sys->letter_element;
    for (uint32_t x = 0; x < sys->nletters; x += 5) {
        const uint32_t old = element[x];
        ckda_reach_t r;
        element[x] = element[(x + 7) % sys->nletters];
        both_ways(sys, NULL);
        run_reach(r, sys, NULL, 0);
        assert_true(r->decoder_consistent == CKDA_FALSE);
        ckda_reach_clear(r);
        element[x] = old;
    }
    ckda_system_clear(sys);
    ckda_construct_clear(c);
}

static void
limits_hold_as_without_it(void **state)
{
    (void)state;
    ckda_construction_t c;
    ckda_system_t sys;
    open_system(sys, c, "S4", "quaternion");
    for (uint64_t most = 1; most <= 577; most += 96)
        both_ways(sys, &(const ckda_limits){.max_states = most});
    for (uint64_t bytes = 10; bytes < 300000; bytes *= 3)
        for (unsigned flags = 0; flags <= 2; flags += 2) {
            ckda_reach_t r;
            run_reach(r, sys, &(const ckda_limits){.max_bytes = bytes}, flags);
            assert_true(r->bytes <= bytes);
            assert_true(r->finite == CKDA_TRUE || strcmp(r->limit, "memory") == 0);
            ckda_reach_clear(r);
        }
    ckda_system_clear(sys);
    ckda_construct_clear(c);
}

/* ---- monoids, other initial states ---------------------------------------------------- */

enum { MAPS = 27 };

typedef struct {
    ckda_field_t K;
    ckda_mat_struct linear[MAPS], offset[MAPS];
    ckda_system_t sys;
} maps_system;

/* Letters: all maps of three points as matrices, times `scale`. */
static void
maps_open(maps_system *s, const slong *initial, slong scale)
{
    memset(s, 0, sizeof *s);
    ckda_field_init_rational(s->K);
    *s->sys = (ckda_system_struct){.K = s->K, .nletters = MAPS, .linear = s->linear};
    ckda_mat_init(s->sys->initial, 3, 3, s->K);
    ckda_mat_set_si(s->sys->initial, initial, 1, s->K);
    for (int x = 0; x < MAPS; x++) {
        const int image[3] = {x % 3, x / 3 % 3, x / 9};
        ckda_mat_init(s->linear + x, 3, 3, s->K);
        ckda_mat_init(s->offset + x, 3, 3, s->K);
        for (int j = 0; j < 3; j++)
            ckda_mat_set_entry_si(s->linear + x, image[j], j, scale, s->K);
    }
}

static void
maps_close(maps_system *s)
{
    for (int x = 0; x < MAPS; x++) {
        ckda_mat_clear(s->linear + x, s->K);
        ckda_mat_clear(s->offset + x, s->K);
    }
    ckda_mat_clear(s->sys->initial, s->K);
    ckda_field_clear(s->K);
}

static const slong unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
static const slong skew[9] = {1, 2, 3, 0, 5, 7, 0, 0, 11};
static const slong singular[9] = {1, 2, 3, 2, 4, 6, 1, 1, 1};

/* No letter needs an inverse. */
static void
monoid_of_all_maps_is_the_same_both_ways(void **state)
{
    (void)state;
    const slong *const initials[2] = {unit, skew};
    for (int i = 0; i < 2; i++) {
        maps_system s;
        ckda_reach_t r;
        maps_open(&s, initials[i], 1);
        assert_true(is_taken(s.sys, 0, 1));
        both_ways(s.sys, NULL);
        run_reach(r, s.sys, NULL, 0);
        assert_int_equal(r->states, 27);
        assert_int_equal(r->edges, 27 * 27);
        ckda_reach_clear(r);
        maps_close(&s);
    }
}

static void
what_does_not_suit_is_searched_edge_by_edge(void **state)
{
    (void)state;
    maps_system s;
    maps_open(&s, singular, 1);
    assert_false(is_taken(s.sys, 0, 1));
    both_ways(s.sys, NULL);
    maps_close(&s);
    maps_open(&s, unit, 1);
    s.sys->nletters = 11; /* few letters */
    assert_false(is_taken(s.sys, 0, 1));
    both_ways(s.sys, NULL);
    s.sys->nletters = MAPS;
    s.sys->offset = s.offset;
    assert_false(is_taken(s.sys, 0, 1));
    both_ways(s.sys, NULL);
    maps_close(&s);
}

static void
infinite_sets_are_told_as_without_it(void **state)
{
    (void)state;
    maps_system s;
    ckda_reach_t a, b;
    maps_open(&s, unit, 2); /* closed modulo 2^31 - 1 */
    assert_true(is_taken(s.sys, 0, 1));
    run_reach(a, s.sys, NULL, 0);
    run_reach(b, s.sys, NULL, CKDA_REACH_EVERY_PRODUCT);
    assert_true(a->finite == CKDA_FALSE);
    expect_same(a, b, MAPS);
    ckda_reach_clear(a);
    ckda_reach_clear(b);
    maps_close(&s);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trackers_are_the_same_both_ways),
        cmocka_unit_test(several_primes_are_the_same_both_ways),
        cmocka_unit_test(inconsistent_decoders_are_told_alike),
        cmocka_unit_test(limits_hold_as_without_it),
        cmocka_unit_test(monoid_of_all_maps_is_the_same_both_ways),
        cmocka_unit_test(what_does_not_suit_is_searched_edge_by_edge),
        cmocka_unit_test(infinite_sets_are_told_as_without_it),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
