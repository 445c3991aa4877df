/* What the tests of infinite orbits share. */
#ifndef CKDA_TEST_REACH_INFINITE_H
#define CKDA_TEST_REACH_INFINITE_H
#include "fixture.h"
#include "../../../src/reach/infinite_internal.h"

static const slong identity2[4] = {1, 0, 0, 1};
static const slong turn345[4] = {3, -4, 4, 3}; /* over 5 */

/* The first `count` states of the pump are different ones, multiplied out. */
static inline void
check_powers(const ckda_pump *pump, const ckda_system_t sys, slong count)
{
    ckda_mat_struct *S = flint_malloc((size_t)count * sizeof *S);
    for (slong k = 0; k < count; k++) {
        ckda_mat_init_set(S + k, k == 0 ? sys->initial : S + k - 1, sys->K);
        const uint32_t *word = k == 0 ? pump->prefix : pump->word;
        const uint32_t length = k == 0 ? pump->nprefix : pump->length;
        for (uint32_t i = 0; i < length; i++)
            exact_step(S + k, sys, word[i]);
        for (slong j = 0; j < k; j++)
            assert_false(ckda_mat_equal(NULL, S + j, S + k, sys->K));
    }
    for (slong k = 0; k < count; k++)
        ckda_mat_clear(S + k, sys->K);
    flint_free(S);
}

/* Infinite, with this kind and these lengths of prefix and word. */
static inline void
expect_infinite(const ckda_system_t sys, ckda_pump_kind kind, uint32_t nprefix,
                uint32_t length, const char *reason)
{
    ckda_reach_t r;
    run_reach(r, sys, &(const ckda_limits){.max_states = 300}, 0);
    assert_true(r->finite == CKDA_FALSE);
    assert_null(r->limit);
    check_powers(&r->pump, sys, 40);
    assert_int_equal(r->pump.kind, kind);
    assert_int_equal(r->pump.nprefix, nprefix);
    assert_int_equal(r->pump.length, length);
    assert_true(n_is_prime(r->pump.prime));
    expect_text(r->pump.reason, reason);
    ckda_reach_clear(r);
}

static inline void
expect_finite(const ckda_system_t sys, uint64_t states)
{
    ckda_reach_t r;
    run_reach(r, sys, &(const ckda_limits){.max_states = 100000}, 0);
    assert_true(r->finite == CKDA_TRUE);
    assert_int_equal(r->states, states);
    assert_int_equal(r->pump.length, 0);
    assert_null(r->pump.reason);
    ckda_reach_clear(r);
}

/* The rotations x, y of the (2, 3, 7) triangle group over Q(2 cos(2 pi/7)), order 2 and 3,
 * with x y of order 7. */
static inline void
open_237(ckda_system_t sys, ckda_mat_struct letter[2], ckda_field_t K)
{
    ckda_elem_t g;
    ckda_field_init_cos(K, 7);
    ckda_elem_init(g, K);
    assert_int_equal(ckda_elem_set_cos(g, 3, 7, K), CKDA_OK);
    ckda_elem_mul_si(g, g, -2, K); /* 2 cos(pi/7) */
    ckda_mat_init(letter, 3, 3, K);
    ckda_mat_init(letter + 1, 3, 3, K);
    ckda_mat_set_si(letter, (const slong[]){-1, 0, 0, 0, -1, 1, 0, 0, 1}, 1, K);
    ckda_mat_set_si(letter + 1, (const slong[]){1, 0, 0, 0, 0, -1, 0, 1, -1}, 1, K);
    ckda_elem_set(ckda_mat_entry(letter, 0, 2), g, K);
    ckda_elem_set(ckda_mat_entry(letter + 1, 1, 0), g, K);
    ckda_elem_set(ckda_mat_entry(letter + 1, 2, 0), g, K);
    *sys = (ckda_system_struct){.K = K, .nletters = 2, .linear = letter};
    ckda_mat_init(sys->initial, 3, 3, K);
    assert_int_equal(ckda_mat_one(sys->initial, K), CKDA_OK);
    ckda_elem_clear(g, K);
}

#endif
