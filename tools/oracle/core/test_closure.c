/* Closures of random affine systems against a brute-force closure over K: plain lists of
 * exact matrices, no primes, no bounds. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "ckda/reach.h"

#define BRUTE_STATES 400 /* the brute force gives up beyond */
#define LETTERS 2

static ckda_rand rnd;

/* A system that owns everything. */
typedef struct {
    ckda_field_t K;
    ckda_mat_struct linear[LETTERS], offset[LETTERS];
    ckda_system_t sys;
} system_box;

static void
must(ckda_status st)
{
    assert_int_equal(st, CKDA_OK);
}

/* T = A_x S + B_x. */
static void
step(ckda_mat_t T, const ckda_system_t sys, uint32_t x, const ckda_mat_struct *S)
{
    must(ckda_mat_mul(T, sys->linear + x, S, sys->K));
    if (sys->offset != NULL)
        must(ckda_mat_add(T, T, sys->offset + x, sys->K));
}

static long
find(const ckda_mat_struct *S, long count, const ckda_mat_t T, const ckda_field_t K)
{
    long i = 0;
    while (i < count && !ckda_mat_equal(NULL, S + i, T, K))
        i++;
    return i;
}

/* The number of reachable states, or -1 for more than BRUTE_STATES. */
static long
brute_force(const ckda_system_t sys)
{
    const slong n = sys->initial->rows, m = sys->initial->cols;
    ckda_mat_struct S[BRUTE_STATES];
    ckda_mat_t T;
    long count = 1;
    bool closed = true;
    ckda_mat_init(T, n, m, sys->K);
    ckda_mat_init_set(S, sys->initial, sys->K);
    for (long i = 0; closed && i < count; i++)
        for (uint32_t x = 0; closed && x < sys->nletters; x++) {
            step(T, sys, x, S + i);
            if (find(S, count, T, sys->K) < count)
                continue;
            closed = count < BRUTE_STATES;
            if (closed)
                ckda_mat_init_set(S + count++, T, sys->K);
        }
    for (long i = 0; i < count; i++)
        ckda_mat_clear(S + i, sys->K);
    ckda_mat_clear(T, sys->K);
    return closed ? count : -1;
}

/* A signed permutation, a signed map, a small matrix or an orthogonal one. */
static void
random_letter(ckda_mat_t A, const ckda_field_t K)
{
    const slong n = A->rows;
    const uint64_t kind = ckda_rand_below(&rnd, 6);
    if (kind == 5) {
        ckda_mat_rand_orthogonal(A, &rnd, 1, K);
        return;
    }
    const slong turn = ckda_rand_range(&rnd, 0, n - 1);
    for (slong i = 0; i < n; i++)
        for (slong j = 0; j < n; j++) {
            const bool hit = kind < 2   ? i == (j + turn) % n
                             : kind < 4 ? ckda_rand_below(&rnd, (uint64_t)n) == 0
                                        : true;
            const slong v = ckda_rand_range(&rnd, -1, 1);
            ckda_mat_set_entry_si(A, i, j, !hit ? 0 : kind < 2 ? (v < 0 ? -1 : 1) : v, K);
        }
}

/* Letters P A P^-1 with offsets (I - A) f for one f (then finite closures stay finite) or
 * at random: large denominators, norms above 1, singular letters. */
static void
open_box(system_box *b)
{
    const slong n = ckda_rand_range(&rnd, 1, 3), m = ckda_rand_range(&rnd, 1, 3);
    const bool offsets = ckda_rand_below(&rnd, 2) == 0,
               fixed = ckda_rand_below(&rnd, 3) > 0;
    ckda_mat_t P, Q, f;
    const uint64_t field = ckda_rand_below(&rnd, 4);
    if (field < 2)
        ckda_field_init_rational(b->K);
    else if (field == 2)
        ckda_field_init_sqrt(b->K, 5);
    else
        ckda_field_init_cos(b->K, 7);
    ckda_mat_init(P, n, n, b->K);
    ckda_mat_init(Q, n, n, b->K);
    ckda_mat_init(f, n, m, b->K);
    ckda_mat_rand(f, &rnd, 3, 7, b->K);
    do
        ckda_mat_rand(P, &rnd, 3, 3, b->K);
    while (ckda_mat_inv(Q, P, b->K) != CKDA_OK);
    for (int x = 0; x < LETTERS; x++) {
        ckda_mat_struct *A = b->linear + x, *B = b->offset + x;
        ckda_mat_init(A, n, n, b->K);
        ckda_mat_init(B, n, m, b->K);
        random_letter(A, b->K);
        must(ckda_mat_mul(A, P, A, b->K));
        must(ckda_mat_mul(A, A, Q, b->K));
        must(ckda_mat_mul(B, A, f, b->K));
        must(ckda_mat_sub(B, f, B, b->K));
        if (!fixed)
            ckda_mat_rand(B, &rnd, 2, 2, b->K);
    }
    *b->sys = (ckda_system_struct){.K = b->K, .nletters = LETTERS, .linear = b->linear};
    b->sys->offset = offsets ? b->offset : NULL;
    ckda_mat_init(b->sys->initial, n, m, b->K);
    ckda_mat_rand(b->sys->initial, &rnd, 3, 5, b->K);
    ckda_mat_clear(f, b->K);
    ckda_mat_clear(Q, b->K);
    ckda_mat_clear(P, b->K);
}

static void
close_box(system_box *b)
{
    for (int x = 0; x < LETTERS; x++) {
        ckda_mat_clear(b->linear + x, b->K);
        ckda_mat_clear(b->offset + x, b->K);
    }
    ckda_mat_clear(b->sys->initial, b->K);
    ckda_field_clear(b->K);
}

static void
verdicts_agree_with_brute_force(void **state)
{
    const ckda_limits limits = {.max_states = 5000};
    long finite = 0, infinite = 0;
    (void)state;
    for (int i = 0; i < 120; i++) {
        system_box b;
        ckda_reach_t r;
        ckda_error err;
        open_box(&b);
        must(ckda_reach_run(r, b.sys, &limits, 0, &err));
        const long count = brute_force(b.sys);
        if (r->finite == CKDA_TRUE && count >= 0)
            assert_int_equal(r->states, count);
        else if (r->finite == CKDA_TRUE)
            assert_true(r->states > BRUTE_STATES);
        else if (r->finite == CKDA_FALSE)
            assert_int_equal(count, -1);
        finite += r->finite == CKDA_TRUE;
        infinite += r->finite == CKDA_FALSE;
        ckda_reach_clear(r);
        close_box(&b);
    }
    assert_true(finite > 30 && infinite > 10); /* the draws are worth something */
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_agree_with_brute_force),
    };
    ckda_rand_init(&rnd, 20260404);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
