/* The search itself: steps on bytes, shards, threads, limits, saved searches. */
#include "fixture.h"
#include "../../../src/reach/search_internal.h"

#include <stdio.h>
#include <unistd.h>

/* ---- small systems with integer letters of any number ------------------------------- */

enum { MOST_LETTERS = 8, POINTS = 6 };

typedef struct {
    ckda_field_t K;
    ckda_mat_struct linear[MOST_LETTERS];
    ckda_system_t sys;
} map_system;

static const slong maps[MOST_LETTERS][POINTS] = {
    {1, 2, 3, 4, 5, 0}, {1, 0, 2, 3, 4, 5}, {0, 0, 2, 3, 4, 5}, {0, 1, 1, 3, 4, 5},
    {5, 4, 3, 2, 1, 0}, {2, 3, 4, 5, 0, 1}, {3, 3, 3, 4, 5, 0}, {0, 1, 2, 4, 3, 5}};

/* Letter x takes v to (v[maps[x][0]], v[maps[x][1]], ...). */
static void
map_open(map_system *s, uint32_t letters, const slong *initial)
{
    ckda_field_init_rational(s->K);
    *s->sys = (ckda_system_struct){.K = s->K, .nletters = letters, .linear = s->linear};
    ckda_mat_init(s->sys->initial, POINTS, 1, s->K);
    ckda_mat_set_si(s->sys->initial, initial, 1, s->K);
    for (uint32_t x = 0; x < letters; x++) {
        ckda_mat_init(s->linear + x, POINTS, POINTS, s->K);
        for (slong i = 0; i < POINTS; i++)
            ckda_mat_set_entry_si(s->linear + x, i, maps[x][i], 1, s->K);
    }
}

static void
map_close(map_system *s)
{
    for (uint32_t x = 0; x < s->sys->nletters; x++)
        ckda_mat_clear(s->linear + x, s->K);
    ckda_mat_clear(s->sys->initial, s->K);
    ckda_field_clear(s->K);
}

/* A system of reflections in coordinates of their roots. */
static void
cartan_open(map_system *s, slong n, const slong (*edge)[2], slong edges)
{
    ckda_field_init_rational(s->K);
    *s->sys =
        (ckda_system_struct){.K = s->K, .nletters = (uint32_t)n, .linear = s->linear};
    ckda_mat_init(s->sys->initial, n, n, s->K);
    assert_int_equal(ckda_mat_one(s->sys->initial, s->K), CKDA_OK);
    for (slong x = 0; x < n; x++) {
        ckda_mat_init(s->linear + x, n, n, s->K);
        assert_int_equal(ckda_mat_one(s->linear + x, s->K), CKDA_OK);
        ckda_mat_set_entry_si(s->linear + x, x, x, -1, s->K);
    }
    for (slong e = 0; e < edges; e++) {
        ckda_mat_set_entry_si(s->linear + edge[e][0], edge[e][0], edge[e][1], 1, s->K);
        ckda_mat_set_entry_si(s->linear + edge[e][1], edge[e][1], edge[e][0], 1, s->K);
    }
}

static const slong e6[5][2] = {{0, 2}, {2, 3}, {3, 4}, {4, 5}, {1, 3}}; /* 51840 states */
static const slong d5[4][2] = {{0, 1}, {1, 2}, {2, 3}, {2, 4}};         /* 1920 states */

static void
run_options(ckda_reach_t r, const ckda_system_t sys, const ckda_reach_options *o)
{
    ckda_error err;
    if (ckda_reach_run_options(r, sys, o, &err) != CKDA_OK)
        fail_msg("%s", err.text);
}

static void
expect_same(const ckda_reach_t a, const ckda_reach_t b, uint32_t letters)
{
    assert_int_equal(a->finite, b->finite);
    assert_int_equal(a->states, b->states);
    assert_int_equal(a->edges, b->edges);
    assert_int_equal(a->nlevels, b->nlevels);
    assert_memory_equal(a->level, b->level, a->nlevels * sizeof *a->level);
    assert_string_equal(a->exactness, b->exactness);
    assert_int_equal(a->bytes, b->bytes);
    assert_int_equal(a->next != NULL, b->next != NULL);
    if (a->next == NULL)
        return;
    assert_memory_equal(a->next, b->next, a->states * letters * sizeof *a->next);
    assert_memory_equal(a->parent, b->parent, a->states * sizeof *a->parent);
    assert_memory_equal(a->via, b->via, a->states * sizeof *a->via);
    if (a->label != NULL)
        assert_memory_equal(a->label, b->label, a->states * sizeof *a->label);
}

/* ---- the plain definition ------------------------------------------------------------- */

typedef struct {
    slong (*v)[POINTS];
    uint32_t *next, count;
} plain;

static uint32_t
plain_find(plain *p, const slong *v)
{
    for (uint32_t i = 0; i < p->count; i++)
        if (memcmp(p->v[i], v, sizeof p->v[i]) == 0)
            return i;
    memcpy(p->v[p->count], v, sizeof p->v[0]);
    return p->count++;
}

static void
plain_run(plain *p, uint32_t letters, const slong *initial)
{
    enum { MOST = 50000 };
    p->v = malloc(MOST * sizeof *p->v);
    p->next = malloc(MOST * (size_t)letters * sizeof *p->next);
    p->count = 0;
    (void)plain_find(p, initial);
    for (uint32_t i = 0; i < p->count; i++)
        for (uint32_t x = 0; x < letters; x++) {
            slong w[POINTS];
            for (int j = 0; j < POINTS; j++)
                w[j] = p->v[i][maps[x][j]];
            p->next[(size_t)i * letters + x] = plain_find(p, w);
        }
}

static void
graph_is_that_of_a_plain_search_for_any_threads(void **state)
{
    (void)state;
    static const slong initials[3][POINTS] = {
        {1, 2, 3, 1, 2, 3}, {0, 0, 1, -5, 7, 7}, {1, 2, 3, 4, 4, 4}};
    for (size_t k = 0; k < 3; k++)
        for (uint32_t letters = 1; letters <= MOST_LETTERS; letters += 7) {
            map_system s;
            plain p;
            map_open(&s, letters, initials[k]);
            plain_run(&p, letters, initials[k]);
            for (int threads = 0; threads <= 3; threads++) {
                ckda_reach_t r;
                run_options(r, s.sys,
                            &(const ckda_reach_options){.flags = CKDA_REACH_KEEP_GRAPH,
                                                        .threads = threads});
                assert_true(r->finite == CKDA_TRUE);
                assert_int_equal(r->states, p.count);
                assert_memory_equal(r->next, p.next,
                                    p.count * (size_t)letters * sizeof *p.next);
                ckda_reach_clear(r);
            }
            free(p.v);
            free(p.next);
            map_close(&s);
        }
}

/* ---- steps on bytes ------------------------------------------------------------------- */

static void
compare_steps(const ckda_system_t sys, uint32_t nprimes, uint32_t prime, size_t width)
{
    images im;
    stepper st;
    assert_int_equal(images_init(&im, sys, nprimes, prime), CKDA_OK);
    stepper_init(&st, &im);
    assert_int_equal(st.width, width);
    assert_int_equal(st.bytes, im.words * width);
    uint32_t *from = malloc(im.words * 4), *to = malloc(im.words * 4);
    uint32_t *room = malloc(im.words * 4);
    uint8_t *bytes = malloc(im.words * 4), *got = malloc(im.words * 4);
    memcpy(from, im.initial, im.words * sizeof *from);
    for (uint32_t t = 0; t < 50; t++) {
        const uint32_t x = t * t % im.nletters;
        images_step(to, &im, x, from);
        stepper_pack(bytes, &st, from);
        assert_true(stepper_is_state(&st, bytes, room));
        const uint32_t *words = stepper_unpack(room, &st, bytes);
        assert_memory_equal(words, from, im.words * sizeof *from);
        uint32_t *spare = malloc(im.words * 4);
        stepper_apply(got, &st, x, bytes, words, spare);
        stepper_pack(bytes, &st, to);
        assert_memory_equal(got, bytes, st.bytes);
        free(spare);
        memcpy(from, to, im.words * sizeof *from);
    }
    memset(bytes, 0xff, im.words * 4);
    assert_false(stepper_is_state(&st, bytes, room));
    free(from);
    free(to);
    free(room);
    free(bytes);
    free(got);
    stepper_clear(&st);
    images_clear(&im);
}

static void
steps_on_bytes_are_steps_on_residues(void **state)
{
    (void)state;
    small_system s; /* dense and sparse letters, offsets in some rows */
    small_open(&s, 3, 2, (const slong[]){1, 2, 3, 4, 5, 6});
    small_letter(&s, (const slong[]){1, 2, 3, 4, 5, 6, 7, 8, 9}, 1,
                 (const slong[]){1, 0, 0, 2, 3, 0});
    small_letter(&s, (const slong[]){0, 1, 0, 0, 0, 1, 1, 0, 0}, 1,
                 (const slong[]){0, 0, 0, 0, 0, 1});
    small_letter(&s, (const slong[]){0, 0, 0, 0, 1, 0, 0, 0, 2}, 1,
                 (const slong[]){0, 0, 0, 0, 0, 0});
    compare_steps(s.sys, 1, 251, 1);
    compare_steps(s.sys, 1, 257, 2);
    compare_steps(s.sys, 1, 65521, 2);
    compare_steps(s.sys, 1, 65537, 3);
    compare_steps(s.sys, 1, 16777213, 3);
    compare_steps(s.sys, 1, 16777259, 4);
    compare_steps(s.sys, 1, 0, 4);
    compare_steps(s.sys, 3, 0, 4);
    small_close(&s);
}

/* Sums of many products must be reduced on the way: a letter with eight terms in a row of
 * twelve, coefficients p - 1. */
static void
long_sparse_rows_do_not_overflow(void **state)
{
    (void)state;
    enum { N = 12 };
    ckda_field_t K;
    ckda_mat_struct letter;
    ckda_system_t sys;
    ckda_field_init_rational(K);
    ckda_mat_init(&letter, N, N, K);
    *sys = (ckda_system_struct){.K = K, .nletters = 1, .linear = &letter};
    ckda_mat_init(sys->initial, N, 1, K);
    for (slong i = 0; i < N; i++)
        ckda_mat_set_entry_si(sys->initial, i, 0, -1, K);
    for (slong j = 0; j < 8; j++)
        ckda_mat_set_entry_si(&letter, 3, j, -1, K);
    ckda_mat_set_entry_si(&letter, 0, 3, 1, K);
    compare_steps(sys, 1, 0, 4);
    compare_steps(sys, 1, 251, 1);
    ckda_mat_clear(&letter, K);
    ckda_mat_clear(sys->initial, K);
    ckda_field_clear(K);
}

/* ---- shards --------------------------------------------------------------------------- */

/* The bytes of number i, all different. */
static void
spell(uint8_t *state, size_t bytes, uint32_t i)
{
    memset(state, 7, bytes);
    memcpy(state, &i, sizeof i);
}

static void
every_state_is_found_again(void **state)
{
    (void)state;
    static const size_t sizes[] = {5, 64, 5000};
    for (size_t k = 0; k < 3; k++) {
        store st;
        const uint32_t count = sizes[k] > 1000 ? 500 : 60000;
        uint8_t *one = malloc(sizes[k]);
        uint32_t *local = malloc(count * sizeof *local);
        store_init(&st, sizes[k], true, k % 2 == 0);
        for (uint32_t i = 0; i < count; i++) {
            spell(one, sizes[k], i);
            const uint64_t hash = store_hash(&st, one);
            const uint32_t k_of = store_shard(hash);
            assert_int_equal(store_find(&st, one, hash), STORE_NONE);
            const uint64_t before = store_bytes(&st);
            const uint64_t growth = store_growth(&st, k_of, 1);
            local[i] = store_add(&st, one, hash);
            assert_int_equal(store_bytes(&st), before + growth);
            store_set_word(store_at(&st, k_of, local[i]) + st.label, i);
        }
        for (uint32_t i = 0; i < count; i++) {
            spell(one, sizes[k], i);
            const uint64_t hash = store_hash(&st, one);
            assert_int_equal(store_find(&st, one, hash), local[i]);
            const uint8_t *record = store_at(&st, store_shard(hash), local[i]);
            assert_memory_equal(record, one, sizes[k]);
            assert_int_equal(store_word(record + st.label), i);
        }
        store_clear(&st);
        free(one);
        free(local);
    }
}

/* Growth by many states at once is foreseen exactly. */
static void
growth_is_foreseen(void **state)
{
    (void)state;
    store st;
    uint8_t one[9];
    uint64_t foreseen[STORE_SHARDS];
    uint32_t in[STORE_SHARDS] = {0};
    store_init(&st, sizeof one, false, false);
    for (uint32_t i = 0; i < 30000; i++) {
        spell(one, sizeof one, i);
        in[store_shard(store_hash(&st, one))]++;
    }
    uint64_t sum = store_bytes(&st);
    for (uint32_t k = 0; k < STORE_SHARDS; k++) {
        foreseen[k] = store_growth(&st, k, in[k]);
        sum += foreseen[k];
    }
    for (uint32_t i = 0; i < 30000; i++) {
        spell(one, sizeof one, i);
        (void)store_add(&st, one, store_hash(&st, one));
    }
    assert_int_equal(store_bytes(&st), sum);
    store_clear(&st);
}

/* ---- threads -------------------------------------------------------------------------- */

static void
threads_agree(void **state)
{
    (void)state;
    map_system s;
    ckda_reach_t one, other;
    cartan_open(&s, 6, e6, 5);
    for (unsigned flags = 0; flags <= CKDA_REACH_KEEP_GRAPH; flags++) {
        run_options(one, s.sys,
                    &(const ckda_reach_options){.flags = flags, .threads = 1});
        assert_int_equal(one->states, 51840);
        assert_int_equal(one->nlevels, 37);
        for (int threads = 2; threads <= 3; threads++) {
            run_options(other, s.sys,
                        &(const ckda_reach_options){.flags = flags, .threads = threads});
            expect_same(one, other, 6);
            ckda_reach_clear(other);
        }
        ckda_reach_clear(one);
    }
    map_close(&s);
}

/* Labels, and the first edge that disagrees, for A5 with two letters exchanged. */
static void
threads_find_the_same_inconsistency(void **state)
{
    (void)state;
    ckda_construction_t c;
    ckda_system_t sys;
    uint32_t element[60];
    open_system(sys, c, "A5", NULL);
    memcpy(element, sys->letter_element, sizeof element);
    const uint32_t *own = sys->letter_element;
    for (int wrong = 0; wrong < 2; wrong++) {
        element[3] = wrong ? 7 : 3;
        element[7] = wrong ? 3 : 7;
        sys->letter_element = element;
        ckda_reach_t one, other;
        run_options(
            one, sys,
            &(const ckda_reach_options){.flags = CKDA_REACH_KEEP_GRAPH, .threads = 1});
        for (int threads = 2; threads <= 3; threads++) {
            run_options(other, sys,
                        &(const ckda_reach_options){.flags = CKDA_REACH_KEEP_GRAPH,
                                                    .threads = threads});
            expect_same(one, other, 60);
            assert_int_equal(other->decoder_consistent, wrong ? CKDA_FALSE : CKDA_TRUE);
            assert_int_equal(one->bad_state, other->bad_state);
            assert_int_equal(one->bad_letter, other->bad_letter);
            assert_int_equal(one->bad_want, other->bad_want);
            assert_int_equal(one->bad_got, other->bad_got);
            ckda_reach_clear(other);
        }
        ckda_reach_clear(one);
    }
    sys->letter_element = own;
    ckda_system_clear(sys);
    ckda_construct_clear(c);
}

/* ---- limits --------------------------------------------------------------------------- */

static void
limit_on_states_is_exact_for_any_threads(void **state)
{
    (void)state;
    static const uint64_t most[] = {1, 2, 63, 300, 1000, 1919};
    map_system s;
    cartan_open(&s, 5, d5, 4);
    for (size_t k = 0; k < sizeof most / sizeof *most; k++) {
        ckda_reach_t one, other;
        ckda_reach_options o = {
            .limits.max_states = most[k], .flags = CKDA_REACH_KEEP_GRAPH, .threads = 1};
        run_options(one, s.sys, &o);
        o.threads = 3;
        run_options(other, s.sys, &o);
        assert_true(one->finite == CKDA_UNKNOWN);
        assert_string_equal(one->limit, "states");
        assert_int_equal(one->states, most[k]);
        expect_same(one, other, 5);
        ckda_reach_clear(one);
        ckda_reach_clear(other);
    }
    map_close(&s);
}

static void
limit_on_memory_is_kept_within_a_tenth(void **state)
{
    (void)state;
    static const uint64_t most[] = {300000, 2000000};
    map_system s;
    cartan_open(&s, 6, e6, 5);
    for (size_t k = 0; k < sizeof most / sizeof *most; k++) {
        ckda_reach_t one, other;
        ckda_reach_options o = {.limits.max_bytes = most[k], .threads = 1};
        run_options(one, s.sys, &o);
        o.threads = 2;
        run_options(other, s.sys, &o);
        assert_true(one->finite == CKDA_UNKNOWN);
        assert_string_equal(one->limit, "memory");
        assert_in_range(one->bytes, most[k] - most[k] / 10, most[k]);
        expect_same(one, other, 6);
        ckda_reach_clear(one);
        ckda_reach_clear(other);
    }
    map_close(&s);
}

static void
memory_too_small_for_one_state(void **state)
{
    (void)state;
    map_system s;
    ckda_reach_t r;
    cartan_open(&s, 6, e6, 5);
    run_options(r, s.sys, &(const ckda_reach_options){.limits.max_bytes = 10});
    assert_true(r->finite == CKDA_UNKNOWN);
    assert_string_equal(r->limit, "memory");
    assert_int_equal(r->states, 0);
    ckda_reach_clear(r);
    map_close(&s);
}

/* Without labels and graph: the state's own bytes and at most 20 more, at every size. */
static void
memory_a_state_is_its_bytes_and_at_most_twenty(void **state)
{
    (void)state;
    map_system s;
    cartan_open(&s, 6, e6, 5);
    for (uint64_t most = 20000; most <= 50000; most += 6000) {
        ckda_reach_t r;
        run_options(r, s.sys, &(const ckda_reach_options){.limits.max_states = most});
        assert_int_equal(r->state_bytes, 36);
        /* segments are filled on average to a half: 8 KiB for each of 64 shards */
        assert_in_range(r->bytes, 36 * r->states, 56 * r->states + 64 * 8192);
        ckda_reach_clear(r);
    }
    map_close(&s);
}

static volatile sig_atomic_t stop;
static unsigned calls;
static ckda_reach_progress last;

static void
note_progress(const ckda_reach_progress *p, void *data)
{
    assert_ptr_equal(data, &calls);
    last = *p;
    calls++;
    stop = 1;
}

static void
interrupted_search_says_what_it_knows(void **state)
{
    (void)state;
    map_system s;
    ckda_reach_t r;
    cartan_open(&s, 6, e6, 5);
    stop = 0;
    calls = 0;
    run_options(r, s.sys,
                &(const ckda_reach_options){
                    .stop = &stop, .progress = note_progress, .data = &calls});
    assert_true(r->finite == CKDA_UNKNOWN);
    assert_string_equal(r->limit, "interrupted");
    assert_int_equal(calls, 1);
    assert_true(last.states >= 1 && last.states <= r->states && last.bytes > 0);
    assert_true(r->states < 51840);
    ckda_reach_clear(r);
    map_close(&s);
}

/* ---- saved searches ------------------------------------------------------------------- */

static char saved[64];

static int
name_file(void **state)
{
    (void)state;
    snprintf(saved, sizeof saved, "test-search-%ld.ckpt", (long)getpid());
    return 0;
}

static int
remove_file(void **state)
{
    (void)state;
    unlink(saved);
    return 0;
}

static void
resumed_search_gives_the_same_answer(void **state)
{
    (void)state;
    static const uint64_t stops[] = {1, 7, 300, 700, 1919};
    map_system s;
    cartan_open(&s, 5, d5, 4);
    for (unsigned flags = 0; flags <= CKDA_REACH_KEEP_GRAPH; flags++) {
        ckda_reach_t whole, r;
        run_options(whole, s.sys, &(const ckda_reach_options){.flags = flags});
        for (size_t k = 0; k < sizeof stops / sizeof *stops; k++) {
            ckda_reach_options o = {.flags = flags,
                                    .limits.max_states = stops[k],
                                    .checkpoint = saved,
                                    .checkpoint_seconds = 1e9};
            run_options(r, s.sys, &o);
            assert_string_equal(r->limit, "states");
            ckda_reach_clear(r);
            o = (ckda_reach_options){
                .flags = flags, .resume = saved, .threads = k % 2 ? 2 : 1};
            run_options(r, s.sys, &o);
            expect_same(whole, r, 5);
            ckda_reach_clear(r);
        }
        ckda_reach_clear(whole);
    }
    map_close(&s);
}

/* Saved again and again, each time going on from the last file. */
static void
chain_of_resumed_searches(void **state)
{
    (void)state;
    ckda_construction_t c;
    ckda_system_t sys;
    ckda_reach_t whole, r;
    open_system(sys, c, "S4", "quaternion");
    const unsigned flags = CKDA_REACH_KEEP_GRAPH | CKDA_REACH_EVERY_PRODUCT;
    run_options(whole, sys, &(const ckda_reach_options){.flags = flags});
    for (uint64_t most = 20; most <= 580; most += 80) {
        run_options(r, sys,
                    &(const ckda_reach_options){.flags = flags,
                                                .limits.max_states = most,
                                                .checkpoint = saved,
                                                .checkpoint_seconds = 1e9,
                                                .resume = most > 20 ? saved : NULL});
        assert_int_equal(r->states, most < 576 ? most : 576);
        if (r->finite == CKDA_TRUE)
            expect_same(whole, r, 24);
        assert_int_equal(r->finite == CKDA_TRUE, most >= 576);
        ckda_reach_clear(r);
    }
    ckda_reach_clear(whole);
    ckda_system_clear(sys);
    ckda_construct_clear(c);
}

static void
refuse(const ckda_system_t sys, unsigned flags, const char *part)
{
    ckda_reach_t r = {{.states = 42}};
    ckda_error err;
    const ckda_reach_options o = {.flags = flags, .resume = saved};
    assert_int_equal(ckda_reach_run_options(r, sys, &o, &err), CKDA_E_INPUT);
    assert_int_equal(r->states, 42);
    expect_text(err.text, part);
    expect_text(err.text, saved);
}

static void
save_some(const ckda_system_t sys, unsigned flags)
{
    ckda_reach_t r;
    run_options(r, sys,
                &(const ckda_reach_options){.flags = flags,
                                            .limits.max_states = 300,
                                            .checkpoint = saved,
                                            .checkpoint_seconds = 1e9});
    ckda_reach_clear(r);
}

static void
foreign_file_is_refused(void **state)
{
    (void)state;
    ckda_construction_t a, b;
    ckda_system_t sys, other;
    open_system(sys, a, "S4", "quaternion");
    open_system(other, b, "S4", "cube");
    save_some(sys, 0);
    refuse(other, 0, "one of another system");
    refuse(sys, CKDA_REACH_KEEP_GRAPH, "saved with its graph");
    FILE *f = fopen(saved, "wb");
    assert_non_null(f);
    fputs("something else, long enough to be looked at: -------------------------", f);
    fclose(f);
    refuse(sys, 0, "another kind of file");
    f = fopen(saved, "wb");
    assert_non_null(f);
    fclose(f);
    refuse(sys, 0, "a shorter file");
    ckda_reach_t r;
    ckda_error err;
    const ckda_reach_options o = {.resume = "/nonexistent/x"};
    assert_int_equal(ckda_reach_run_options(r, sys, &o, &err), CKDA_E_IO);
    ckda_system_clear(sys);
    ckda_system_clear(other);
    ckda_construct_clear(a);
    ckda_construct_clear(b);
}

static unsigned char *
read_all(long *size)
{
    FILE *f = fopen(saved, "rb");
    assert_non_null(f);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    *size = ftell(f);
    rewind(f);
    unsigned char *bytes = malloc((size_t)*size);
    assert_int_equal(fread(bytes, 1, (size_t)*size, f), *size);
    fclose(f);
    return bytes;
}

static void
write_all(const unsigned char *bytes, long size)
{
    FILE *f = fopen(saved, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, (size_t)size, f), size);
    fclose(f);
}

static void
damaged_files_are_refused(void **state)
{
    (void)state;
    ckda_construction_t c;
    ckda_system_t sys;
    long size;
    open_system(sys, c, "S4", "quaternion");
    save_some(sys, CKDA_REACH_KEEP_GRAPH);
    unsigned char *bytes = read_all(&size);
    for (long at = 24; at < size; at += 1 + size / 60) { /* behind the head: by the sum */
        bytes[at] ^= 0x10;
        write_all(bytes, size);
        refuse(sys, CKDA_REACH_KEEP_GRAPH, "the sum that closes the file");
        bytes[at] ^= 0x10;
    }
    for (long at = 0; at < 24; at++) {
        bytes[at] ^= 1;
        write_all(bytes, size);
        refuse(sys, CKDA_REACH_KEEP_GRAPH, "expected");
        bytes[at] ^= 1;
    }
    for (long cut = 0; cut < size; cut += 1 + size / 40) {
        write_all(bytes, cut);
        refuse(sys, CKDA_REACH_KEEP_GRAPH, "expected");
    }
    write_all(bytes, size);
    ckda_reach_t r;
    run_options(r, sys, &(const ckda_reach_options){.resume = saved});
    assert_int_equal(r->states, 576);
    ckda_reach_clear(r);
    free(bytes);
    ckda_system_clear(sys);
    ckda_construct_clear(c);
}

static void
limits_hold_for_what_was_saved(void **state)
{
    (void)state;
    ckda_construction_t c;
    ckda_system_t sys;
    ckda_reach_t r;
    ckda_error err;
    open_system(sys, c, "S4", "quaternion");
    save_some(sys, 0);
    ckda_reach_options o = {.resume = saved, .limits.max_states = 299};
    assert_int_equal(ckda_reach_run_options(r, sys, &o, &err), CKDA_E_UNABLE);
    expect_text(err.text, "limit on states");
    o.limits = (ckda_limits){.max_bytes = 10000};
    assert_int_equal(ckda_reach_run_options(r, sys, &o, &err), CKDA_E_UNABLE);
    expect_text(err.text, "limit on memory");
    ckda_system_clear(sys);
    ckda_construct_clear(c);
}

static void
file_that_cannot_be_written_is_an_error(void **state)
{
    (void)state;
    ckda_construction_t c;
    ckda_system_t sys;
    ckda_reach_t r = {{.states = 42}};
    ckda_error err;
    open_system(sys, c, "S4", "quaternion");
    const ckda_reach_options o = {.checkpoint = "/nonexistent/x",
                                  .limits.max_states = 300};
    assert_int_equal(ckda_reach_run_options(r, sys, &o, &err), CKDA_E_IO);
    expect_text(err.text, "/nonexistent/x");
    assert_int_equal(r->states, 42);
    ckda_system_clear(sys);
    ckda_construct_clear(c);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(graph_is_that_of_a_plain_search_for_any_threads),
        cmocka_unit_test(steps_on_bytes_are_steps_on_residues),
        cmocka_unit_test(long_sparse_rows_do_not_overflow),
        cmocka_unit_test(every_state_is_found_again),
        cmocka_unit_test(growth_is_foreseen),
        cmocka_unit_test(threads_agree),
        cmocka_unit_test(threads_find_the_same_inconsistency),
        cmocka_unit_test(limit_on_states_is_exact_for_any_threads),
        cmocka_unit_test(limit_on_memory_is_kept_within_a_tenth),
        cmocka_unit_test(memory_too_small_for_one_state),
        cmocka_unit_test(memory_a_state_is_its_bytes_and_at_most_twenty),
        cmocka_unit_test(interrupted_search_says_what_it_knows),
        cmocka_unit_test(resumed_search_gives_the_same_answer),
        cmocka_unit_test(chain_of_resumed_searches),
        cmocka_unit_test(foreign_file_is_refused),
        cmocka_unit_test(damaged_files_are_refused),
        cmocka_unit_test(limits_hold_for_what_was_saved),
        cmocka_unit_test(file_that_cannot_be_written_is_an_error),
    };
    const int failed = cmocka_run_group_tests(tests, name_file, remove_file);
    flint_cleanup();
    return failed;
}
