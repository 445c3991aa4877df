/* Positive forms that letters preserve, and the bounds and primes that come from them. */
#include "fixture.h"
#include "../../../src/reach/reach_internal.h"

enum { MOST = 8 };

typedef struct {
    ckda_field_t K;
    ckda_mat_struct linear[MOST];
    ckda_system_t sys;
} reflections;

/* n reflections in coordinates of their roots; all Cartan entries 0 but those that the
 * test sets with bond(). */
static void
reflections_open(reflections *s, slong n)
{
    *s->sys =
        (ckda_system_struct){.K = s->K, .nletters = (uint32_t)n, .linear = s->linear};
    ckda_mat_init(s->sys->initial, n, n, s->K);
    assert_int_equal(ckda_mat_one(s->sys->initial, s->K), CKDA_OK);
    for (slong x = 0; x < n; x++) {
        ckda_mat_init(s->linear + x, n, n, s->K);
        assert_int_equal(ckda_mat_one(s->linear + x, s->K), CKDA_OK);
        ckda_mat_set_entry_si(s->linear + x, x, x, -1, s->K);
    }
}

/* Root x takes up `a` times root x when y is reflected, and `b` the other way round. */
static void
bond(reflections *s, slong x, slong y, slong a, slong b)
{
    ckda_mat_set_entry_si(s->linear + x, x, y, a, s->K);
    ckda_mat_set_entry_si(s->linear + y, y, x, b, s->K);
}

static void
reflections_close(reflections *s)
{
    for (uint32_t x = 0; x < s->sys->nletters; x++)
        ckda_mat_clear(s->linear + x, s->K);
    ckda_mat_clear(s->sys->initial, s->K);
    ckda_field_clear(s->K);
}

/* A_n, rational. */
static void
chain_open(reflections *s, slong n)
{
    ckda_field_init_rational(s->K);
    reflections_open(s, n);
    for (slong x = 0; x + 1 < n; x++)
        bond(s, x, x + 1, 1, 1);
}

static void
expect_form(const ckda_system_t sys)
{
    ckda_mat_t Q, T;
    slong pos, neg, zero;
    assert_true(invariant_form(Q, sys));
    assert_int_equal(ckda_mat_inertia(&pos, &neg, &zero, Q, sys->K), CKDA_OK);
    assert_int_equal(pos, sys->initial->rows);
    ckda_mat_init(T, Q->rows, Q->rows, sys->K);
    for (uint32_t x = 0; x < sys->nletters; x++) {
        assert_int_equal(ckda_mat_transpose(T, sys->linear + x, sys->K), CKDA_OK);
        assert_int_equal(ckda_mat_mul(T, T, Q, sys->K), CKDA_OK);
        assert_int_equal(ckda_mat_mul(T, T, sys->linear + x, sys->K), CKDA_OK);
        assert_true(ckda_mat_equal(NULL, T, Q, sys->K));
    }
    ckda_mat_clear(T, sys->K);
    ckda_mat_clear(Q, sys->K);
}

static void
expect_no_form(const ckda_system_t sys)
{
    ckda_mat_t Q;
    assert_false(invariant_form(Q, sys));
}

static void
finite_reflection_groups_have_one(void **state)
{
    (void)state;
    reflections s;
    for (slong n = 1; n <= 6; n++) {
        chain_open(&s, n);
        expect_form(s.sys);
        reflections_close(&s);
    }
    chain_open(&s, 4); /* F4: roots of two lengths */
    bond(&s, 1, 2, 2, 1);
    expect_form(s.sys);
    reflections_close(&s);
}

static void
blocks_have_one(void **state)
{
    (void)state;
    reflections s;
    chain_open(&s, 5); /* A2 + A3 */
    bond(&s, 1, 2, 0, 0);
    expect_form(s.sys);
    reflections_close(&s);
}

static void
affine_and_hyperbolic_ones_have_none(void **state)
{
    (void)state;
    reflections s;
    chain_open(&s, 3); /* a triangle: only semidefinite */
    bond(&s, 0, 2, 1, 1);
    expect_no_form(s.sys);
    reflections_close(&s);
    chain_open(&s, 2); /* indefinite */
    bond(&s, 0, 1, 3, 1);
    bond(&s, 0, 1, 3, 2);
    expect_no_form(s.sys);
    reflections_close(&s);
}

/* Set entry (i, j) of letter x to (p + q sqrt 5) / 2. */
static void
set_root5(reflections *s, slong x, slong j, slong p, slong q)
{
    ckda_elem_struct *e = ckda_mat_entry(s->linear + x, x, j);
    ckda_elem_t half;
    ckda_elem_init(half, s->K);
    ckda_elem_gen(e, s->K);
    ckda_elem_mul_si(e, e, q, s->K);
    ckda_elem_set_si(half, p, s->K);
    ckda_elem_add(e, e, half, s->K);
    ckda_elem_set_frac(half, 1, 2, s->K);
    ckda_elem_mul(e, e, half, s->K);
    ckda_elem_clear(half, s->K);
}

static void
icosahedron_open(reflections *s, slong q)
{
    ckda_field_init_sqrt(s->K, 5);
    reflections_open(s, 3);
    set_root5(s, 0, 1, 1, q);
    set_root5(s, 1, 0, 1, q);
    bond(s, 1, 2, 1, 1);
}

static void
icosahedron_has_one_in_both_embeddings(void **state)
{
    (void)state;
    for (slong q = -1; q <= 1; q += 2) {
        reflections s;
        icosahedron_open(&s, q);
        expect_form(s.sys);
        reflections_close(&s);
    }
}

/* b = 1 - sqrt 5 for both: b^2 = 1.53 < 4, so the form is positive in the embedding of K;
 * in the other one b^2 = 10.5, and it is not. */
static void
form_must_be_positive_in_every_embedding(void **state)
{
    (void)state;
    reflections s;
    ckda_field_init_sqrt(s.K, 5);
    reflections_open(&s, 2);
    set_root5(&s, 0, 1, 2, -2);
    set_root5(&s, 1, 0, 2, -2);
    expect_no_form(s.sys);
    reflections_close(&s);
}

static void
fields_with_complex_embeddings_are_left_alone(void **state)
{
    (void)state;
    reflections s;
    qqbar_t x;
    qqbar_init(x);
    qqbar_set_ui(x, 2);
    qqbar_root_ui(x, x, 3);
    assert_int_equal(ckda_field_init_qqbar(s.K, x), CKDA_OK);
    qqbar_clear(x);
    reflections_open(&s, 2);
    bond(&s, 0, 1, 1, 1);
    expect_no_form(s.sys);
    reflections_close(&s);
}

/* Every entry of every state is at most B. */
static void
expect_bounded(const ckda_system_t sys, uint64_t states)
{
    ckda_reach_t r;
    ckda_mat_t S;
    system_height sh;
    word_height h;
    ckda_elem_t bound, x;
    run_reach(r, sys, NULL, CKDA_REACH_KEEP_GRAPH);
    assert_true(r->finite == CKDA_TRUE);
    assert_int_equal(r->states, states);
    system_height_init(&sh, sys);
    assert_false(sh.orthogonal);
    assert_int_equal(sh.count, 3);
    word_height_init(&h);
    assert_int_equal(word_height_of(&h, &sh, 1000), CKDA_OK);
    ckda_elem_init(bound, sys->K);
    ckda_elem_init(x, sys->K);
    ckda_elem_set_fmpq(bound, h.bound, sys->K);
    ckda_mat_init(S, sys->initial->rows, sys->initial->cols, sys->K);
    for (uint64_t i = 0; i < r->states; i++) {
        assert_int_equal(ckda_reach_state(S, r, sys, i), CKDA_OK);
        for (slong e = 0; e < S->rows * S->cols; e++) {
            ckda_elem_abs(x, S->entry + e, sys->K);
            assert_true(ckda_elem_cmp(x, bound, sys->K) <= 0);
        }
    }
    ckda_mat_clear(S, sys->K);
    ckda_elem_clear(bound, sys->K);
    ckda_elem_clear(x, sys->K);
    word_height_clear(&h);
    system_height_clear(&sh);
    ckda_reach_clear(r);
}

static void
no_state_exceeds_the_bound(void **state)
{
    (void)state;
    reflections s;
    chain_open(&s, 4);
    expect_bounded(s.sys, 120);
    reflections_close(&s);
    chain_open(&s, 3); /* B3 */
    bond(&s, 1, 2, 2, 1);
    expect_bounded(s.sys, 48);
    reflections_close(&s);
}

static void
small_primes_are_above_the_bound_for_all_lengths(void **state)
{
    (void)state;
    reflections s;
    system_height sh;
    chain_open(&s, 4);
    system_height_init(&sh, s.sys);
    assert_int_equal(small_prime(&sh, s.sys), 251);
    system_height_clear(&sh);
    ckda_mat_set_entry_si(s.sys->initial, 0, 0, 100, s.K); /* needs two bytes */
    system_height_init(&sh, s.sys);
    const uint32_t p = small_prime(&sh, s.sys);
    assert_true(p > 256 && p < 65536);
    system_height_clear(&sh);
    ckda_mat_set_entry_si(s.sys->initial, 0, 0, 1000000, s.K); /* too large for them */
    system_height_init(&sh, s.sys);
    assert_int_equal(small_prime(&sh, s.sys), 0);
    system_height_clear(&sh);
    ckda_mat_set_entry_si(s.sys->initial, 0, 0, 1, s.K);
    ckda_mat_set_entry_frac(s.sys->initial, 0, 0, 1, 251, s.K); /* 251 divides it */
    system_height_init(&sh, s.sys);
    const uint32_t other = small_prime(&sh, s.sys);
    assert_true(other != 251 && other > 256);
    system_height_clear(&sh);
    reflections_close(&s);
    icosahedron_open(&s, 1); /* denominators grow with the length */
    system_height_init(&sh, s.sys);
    assert_int_equal(small_prime(&sh, s.sys), 0);
    system_height_clear(&sh);
    reflections_close(&s);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finite_reflection_groups_have_one),
        cmocka_unit_test(blocks_have_one),
        cmocka_unit_test(affine_and_hyperbolic_ones_have_none),
        cmocka_unit_test(icosahedron_has_one_in_both_embeddings),
        cmocka_unit_test(form_must_be_positive_in_every_embedding),
        cmocka_unit_test(fields_with_complex_embeddings_are_left_alone),
        cmocka_unit_test(no_state_exceeds_the_bound),
        cmocka_unit_test(small_primes_are_above_the_bound_for_all_lengths),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
