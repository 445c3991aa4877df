/* Products that were deduced are the products (src/reach/monoid.c). */
#include "fixture.h"
#include "../../../src/reach/monoid_internal.h"

enum { N = 4, NN = N * N, MAX_LETTERS = 3 };

/* The monoid of the letters of a system with initial state 1, modulo one prime. */
typedef struct {
    small_system system;
    ckda_reach_options options;
    run_control control;
    images im;
    search s;
    monoid m;
} fixture;

static const slong one[NN] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

static bool
open_monoid(fixture *f, const slong letters[][NN], uint32_t count, uint64_t max_states)
{
    small_open(&f->system, N, N, one);
    for (uint32_t x = 0; x < count; x++)
        small_letter(&f->system, letters[x], 1, NULL);
    f->options = (ckda_reach_options){.limits.max_states = max_states};
    f->control = (run_control){.o = &f->options};
    assert_int_equal(images_init(&f->im, f->system.sys, 1, 251), CKDA_OK);
    search_init(&f->s, f->system.sys, &f->im, &f->control, false);
    monoid_init(&f->m, &f->s);
    bool closed = monoid_close(&f->m);
    for (uint32_t x = 0; closed && x < count; x++) {
        uint32_t *X = flint_malloc(NN * sizeof *X);
        memcpy(X, f->im.linear + x * NN, NN * sizeof *X);
        closed = monoid_add_factor(&f->m, x, X);
    }
    return closed;
}

static void
close_monoid(fixture *f)
{
    monoid_clear(&f->m);
    search_clear(&f->s);
    images_clear(&f->im);
    small_close(&f->system);
}

static void
state_of(uint32_t *to, const fixture *f, uint32_t u)
{
    const uint32_t place = f->m.word[u].place;
    const uint32_t local = place & ((UINT32_C(1) << STORE_LOCAL_BITS) - 1);
    uint32_t room[NN];
    const uint8_t *record = store_at(&f->m.states, place >> STORE_LOCAL_BITS, local);
    memcpy(to, stepper_unpack(room, &f->s.step, record), sizeof room);
}

static uint32_t
number_of_product(const fixture *f, const uint32_t *A, const uint32_t *B)
{
    uint32_t C[NN];
    uint8_t packed[NN * sizeof *C];
    ckda_modmat_mul(C, A, B, N, N, N, f->im.mod);
    stepper_pack(packed, &f->s.step, C);
    return monoid_find(&f->m, packed);
}

/* Every entry of both tables against a product. */
static void
expect_products(const fixture *f)
{
    const monoid *m = &f->m;
    for (uint32_t u = 0; u < m->count; u++)
        for (uint32_t g = 0; g < m->nfactors; g++) {
            uint32_t U[NN];
            state_of(U, f, u);
            assert_int_equal(monoid_right(m, u, g),
                             number_of_product(f, U, m->factor[g].X));
            assert_int_equal(m->left[g][u], number_of_product(f, m->factor[g].X, U));
        }
}

static uint32_t
word_of(uint8_t *letters, const monoid *m, uint32_t u)
{
    uint32_t length = 0;
    for (; u != 0; u = m->word[u].suffix)
        letters[length++] = m->word[u].first;
    return length;
}

/* Words are those of their parts, and stand in their order. */
static void
expect_words(const monoid *m)
{
    uint8_t before[256], now[256];
    for (uint32_t u = 1, last = 0; u < m->count; u++) {
        const uint32_t length = word_of(now, m, u);
        const monoid_word *w = m->word + u;
        assert_true(length < sizeof now && w->last == now[length - 1]);
        assert_int_equal(monoid_right(m, w->prefix, w->last), u);
        assert_int_equal(m->left[w->first][w->suffix], u);
        assert_true(length > last || memcmp(before, now, length) < 0);
        memcpy(before, now, length);
        last = length;
    }
}

static void
expect_monoid(const slong letters[][NN], uint32_t count, uint32_t states)
{
    fixture f;
    assert_true(open_monoid(&f, letters, count, 0));
    assert_int_equal(f.m.count, states);
    expect_products(&f);
    expect_words(&f.m);
    close_monoid(&f);
}

static const slong transposition[NN] = {0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
static const slong four_cycle[NN] = {0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
static const slong merge[NN] = {1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
static const slong sign[NN] = {-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
static const slong drop[NN] = {0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
static const slong shear[NN] = {1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

static void
letters(slong to[][NN], const slong *a, const slong *b, const slong *c)
{
    const slong *from[MAX_LETTERS] = {a, b, c};
    for (int x = 0; x < MAX_LETTERS; x++)
        memcpy(to[x], from[x] != NULL ? from[x] : one, NN * sizeof **to);
}

static void
groups_have_their_orders(void **state)
{
    (void)state;
    slong A[MAX_LETTERS][NN];
    letters(A, four_cycle, transposition, sign);
    expect_monoid((const slong(*)[NN])A, 1, 4);
    expect_monoid((const slong(*)[NN])A, 2, 24);
    expect_monoid((const slong(*)[NN])A, 3, 384);
}

static void
all_maps_of_four_points(void **state)
{
    (void)state;
    slong A[MAX_LETTERS][NN];
    letters(A, merge, transposition, four_cycle);
    expect_monoid((const slong(*)[NN])A, 3, 256);
    letters(A, drop, four_cycle, transposition);
    expect_monoid((const slong(*)[NN])A, 3, 209); /* partial one-to-one maps */
}

/* Factors that are equal, or 1, or products of the others. */
static void
idle_factors_do_no_harm(void **state)
{
    (void)state;
    slong A[MAX_LETTERS][NN];
    letters(A, NULL, four_cycle, four_cycle);
    expect_monoid((const slong(*)[NN])A, 3, 4);
    letters(A, transposition, NULL, merge);
    expect_monoid((const slong(*)[NN])A, 3, 4);
}

/* A factor of large order: words as long as the monoid. */
static void
a_cyclic_group_of_prime_order(void **state)
{
    (void)state;
    slong A[MAX_LETTERS][NN];
    letters(A, shear, NULL, NULL);
    expect_monoid((const slong(*)[NN])A, 1, 251); /* the prime */
}

static void
limits_end_it(void **state)
{
    (void)state;
    slong A[MAX_LETTERS][NN];
    letters(A, merge, transposition, four_cycle);
    for (uint64_t most = 1; most < 256; most += 17) {
        fixture f;
        assert_false(open_monoid(&f, (const slong(*)[NN])A, 3, most));
        assert_true(f.m.count <= most);
        close_monoid(&f);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_have_their_orders),
        cmocka_unit_test(all_maps_of_four_points),
        cmocka_unit_test(idle_factors_do_no_harm),
        cmocka_unit_test(a_cyclic_group_of_prime_order),
        cmocka_unit_test(limits_end_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
