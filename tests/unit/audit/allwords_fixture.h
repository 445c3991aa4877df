/* Rounded trackers for the tests of the all-words search. */
#ifndef CKDA_TEST_ALLWORDS_FIXTURE_H
#define CKDA_TEST_ALLWORDS_FIXTURE_H
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ckda/allwords.h"

typedef struct {
    ckda_tracker_t t;
    ckda_rounded_t R;
} tracked;

static inline ckda_arith
arith_of(const ckda_fp_format *state, const ckda_fp_format *keys,
         const ckda_fp_format *compute, bool fma)
{
    ckda_arith a = ckda_arith_default;
    a.state = state;
    a.keys = keys;
    a.beta = compute;
    a.compute = compute;
    a.fma = fma;
    return a;
}

static inline ckda_arith
grid_of(int64_t grid, const ckda_fp_format *keys)
{
    ckda_arith a = arith_of(&ckda_fp_fp32, keys, &ckda_fp_fp32, true);
    a.grid = grid;
    return a;
}

static inline void
open_tracked(tracked *x, const char *system, const char *construction,
             const ckda_arith *a)
{
    ckda_error err;
    ckda_error_clear(&err);
    if (ckda_tracker_init(x->t, system, construction, NULL, &err) != CKDA_OK
        || ckda_rounded_init(x->R, x->t, a, &err) != CKDA_OK)
        fail_msg("%s", err.text);
}

static inline void
close_tracked(tracked *x)
{
    ckda_rounded_clear(x->R);
    ckda_tracker_clear(x->t);
}

static inline void
decide(ckda_allwords_t r, const tracked *x, const ckda_allwords_options *o)
{
    ckda_error err;
    ckda_error_clear(&err);
    if (ckda_allwords_run(r, x->R, x->t, o, &err) != CKDA_OK)
        fail_msg("%s", err.text);
}

/* The state after a word by the definition on patterns; pattern formats as there. */
static inline void
follow_definition(double *H, uint32_t *exact, const tracked *x, const uint32_t *word,
                  size_t length)
{
    const slong n = x->R->n;
    const ckda_fp_format *f = x->R->arith.grid > 0 ? &ckda_fp_fp32 : x->R->arith.state;
    uint64_t P[64];
    ckda_rounded_initial(H, x->R);
    for (slong i = 0; i < n * n; i++)
        P[i] = ckda_fp_from_double(H[i], f, &ckda_fp_rne);
    *exact = 0;
    for (size_t k = 0; k < length; k++) {
        ckda_rounded_step_definition(P, n, word[k], x->R);
        *exact = x->t->next[(size_t)*exact * x->t->nletters + word[k]];
    }
    for (slong i = 0; i < n * n; i++)
        H[i] = ckda_fp_get_double(P[i], f);
}

/* Plainly: is the nearest exact state (largest inner product) of the right element, by a
 * clear lead over every other element? */
static inline bool
plainly_right(const double *H, uint32_t exact, const tracked *x)
{
    const ckda_tracker_struct *t = x->t;
    const size_t size = (size_t)(t->n * t->n);
    double right = -INFINITY, wrong = -INFINITY;
    for (uint32_t s = 0; s < t->nstates; s++) {
        double dot = 0;
        for (size_t i = 0; i < size; i++)
            dot += H[i] * t->value[s * size + i];
        double *side = t->element[s] == t->element[exact] ? &right : &wrong;
        *side = dot > *side ? dot : *side;
    }
    return right > wrong;
}

/* Everything that does not depend on the clock. */
static inline void
expect_same(const ckda_allwords_t a, const ckda_allwords_t b)
{
    assert_int_equal(a->verdict, b->verdict);
    assert_int_equal(a->method, b->method);
    assert_int_equal(a->states, b->states);
    assert_int_equal(a->edges, b->edges);
    assert_int_equal(a->depth, b->depth);
    assert_int_equal(a->aliased, b->aliased);
    assert_true(a->max_error == b->max_error);
    assert_true(a->tie_distance == b->tie_distance);
    assert_int_equal(a->nlevels, b->nlevels);
    if (a->nlevels > 0)
        assert_memory_equal(a->level, b->level, a->nlevels * sizeof *a->level);
    assert_int_equal(a->length, b->length);
    if (a->length > 0)
        assert_memory_equal(a->word, b->word, a->length * sizeof *a->word);
    assert_int_equal(a->failure, b->failure);
    assert_int_equal(a->guaranteed_steps, b->guaranteed_steps);
}

/* Z4 with bf16 keys: 4398 states, 278 levels. */
static inline void
open_deep(tracked *x)
{
    const ckda_arith a = arith_of(&ckda_fp_bf16, &ckda_fp_bf16, &ckda_fp_fp32, true);
    open_tracked(x, "Z4", "planar", &a);
}

#endif
