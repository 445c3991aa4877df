/* Other starts and other keys: against plain products of exact matrices and plain doubles. */
#include "allwords_fixture.h"

#include "../../../src/audit/drift_internal.h"

#define FP32 (&ckda_fp_fp32)
#define BF16 (&ckda_fp_bf16)
/* 36 degrees */
#define TENTH 0.62831853071795864769

/* A tracker with this start, and its arithmetic. */
static void
open_started(tracked *x, const char *system, ckda_arith *a, uint64_t seed)
{
    ckda_error err;
    ckda_error_clear(&err);
    a->start = seed;
    assert_int_equal(ckda_tracker_init(x->t, system, NULL, NULL, &err), CKDA_OK);
    ckda_tracker_set_start(x->t, seed);
    if (ckda_rounded_init(x->R, x->t, a, &err) != CKDA_OK)
        fail_msg("%s", err.text);
}

/* ---- starts -------------------------------------------------------------------------------- */

static void
the_matrix_of_a_seed_is_orthogonal(void **state)
{
    (void)state;
    for (slong n = 1; n <= 6; n++)
        for (uint64_t seed = 0; seed < 20; seed++) {
            fmpq_mat_t Q, T;
            fmpq_mat_init(Q, n, n);
            fmpq_mat_init(T, n, n);
            ckda_tracker_start_matrix(Q, seed);
            if (seed == 0)
                assert_true(fmpq_mat_is_one(Q));
            fmpq_mat_transpose(T, Q);
            fmpq_mat_mul(T, T, Q);
            assert_true(fmpq_mat_is_one(T));
            fmpq_mat_clear(T);
            fmpq_mat_clear(Q);
        }
}

static void
seeds_give_rotations_and_reflections(void **state)
{
    (void)state;
    int sign[3] = {0};
    fmpq_mat_t Q;
    fmpq_t det;
    fmpq_mat_init(Q, 3, 3);
    fmpq_init(det);
    for (uint64_t seed = 1; seed <= 64; seed++) {
        ckda_tracker_start_matrix(Q, seed);
        fmpq_mat_det(det, Q);
        sign[1 + fmpq_sgn(det)]++;
    }
    assert_int_equal(sign[1], 0);
    assert_true(sign[0] > 16 && sign[2] > 16);
    fmpq_clear(det);
    fmpq_mat_clear(Q);
}

/* S Q of every state, and where letters take every column, by products in K. */
static void
expect_turned(const ckda_tracker_t t, const ckda_tracker_t from, uint64_t seed)
{
    const ckda_field_struct *K = t->c->K;
    ckda_mat_t Q, P;
    fmpq_mat_t q;
    fmpq_mat_init(q, t->n, t->n);
    ckda_tracker_start_matrix(q, seed);
    ckda_mat_init(Q, t->n, t->n, K);
    ckda_mat_init(P, t->n, t->n, K);
    for (slong i = 0; i < t->n * t->n; i++)
        ckda_elem_set_fmpq(Q->entry + i, fmpq_mat_entry(q, i / t->n, i % t->n), K);
    for (uint32_t s = 0; s < t->nstates; s++) {
        assert_int_equal(ckda_mat_mul(P, from->exact + s, Q, K), CKDA_OK);
        assert_true(ckda_mat_equal(NULL, P, t->exact + s, K));
        for (uint32_t l = 0; l < t->nletters; l++) {
            const uint32_t to = t->next[s * t->nletters + l];
            for (slong j = 0; j < t->n; j++)
                assert_int_equal(
                    t->column_next[t->column_of[s * t->n + j] * t->nletters + l],
                    t->column_of[to * t->n + j]);
        }
        for (slong i = 0; i < t->n; i++)
            for (slong j = 0; j < t->n; j++)
                assert_true(t->value[(s * t->n + i) * t->n + j]
                            == t->column_value[t->column_of[s * t->n + j] * t->n + i]);
    }
    ckda_mat_clear(P, K);
    ckda_mat_clear(Q, K);
    fmpq_mat_clear(q);
}

static void
a_start_turns_every_state_and_column(void **state)
{
    (void)state;
    static const char *const systems[] = {"Z5", "D4", "S4"};
    for (size_t i = 0; i < 3; i++) {
        ckda_tracker_t t, from;
        assert_int_equal(ckda_tracker_init(t, systems[i], NULL, NULL, NULL), CKDA_OK);
        assert_int_equal(ckda_tracker_init(from, systems[i], NULL, NULL, NULL), CKDA_OK);
        ckda_tracker_set_start(t, 4);
        expect_turned(t, from, 4);
        ckda_tracker_set_start(t, 9);
        expect_turned(t, from, 9);
        ckda_tracker_set_start(t, 0);
        expect_turned(t, from, 0);
        assert_int_equal(t->ncolumns, from->ncolumns);
        assert_true(t->margin_low == from->margin_low);
        ckda_tracker_clear(from);
        ckda_tracker_clear(t);
    }
}

/* The states of a closed search, met again by the definition on patterns, decode plainly. */
static void
a_closed_search_from_a_start_decodes_plainly(void **state)
{
    (void)state;
    const ckda_allwords_options o = {.methods = CKDA_ALLWORDS_PRODUCT, .threads = 1};
    ckda_arith a = arith_of(BF16, FP32, FP32, true);
    ckda_rand random;
    tracked x;
    ckda_allwords_t r;
    double H[4], near = 0;
    a.initial = (ckda_ratio){5, 4};
    open_started(&x, "Z8", &a, 3);
    decide(r, &x, &o);
    assert_int_equal(r->verdict, CKDA_ALLWORDS_TRACKS);
    ckda_rand_init(&random, 1);
    for (int k = 0; k < 200; k++) {
        uint32_t word[20], exact;
        for (int i = 0; i < 20; i++)
            word[i] = (uint32_t)ckda_rand_below(&random, x.t->nletters);
        follow_definition(H, &exact, &x, word, (size_t)(k % 21));
        assert_true(plainly_right(H, exact, &x));
        double sum = 0;
        for (int i = 0; i < 4; i++) {
            const double e = H[i] - 1.25 * x.t->value[exact * 4 + (uint32_t)i];
            sum += e * e;
        }
        near = fmax(near, sqrt(sum));
    }
    assert_true(near > 0 && near <= r->max_error);
    ckda_allwords_clear(r);
    close_tracked(&x);
}

static void
a_turned_state_decodes_as_the_exact_decoder_says(void **state)
{
    (void)state;
    static const double sizes[] = {.1, .5, 1};
    ckda_tracker_t t;
    ckda_rand random;
    drift_decider d;
    double H[16];
    int wrong = 0;
    assert_int_equal(ckda_tracker_init(t, "S4", "quaternion", NULL, NULL), CKDA_OK);
    ckda_tracker_set_start(t, 5);
    assert_int_equal(drift_decider_init(&d, t, CKDA_DRIFT_NEAREST, NULL), CKDA_OK);
    ckda_rand_init(&random, 2);
    for (int k = 0; k < 300; k++) {
        const uint32_t s = (uint32_t)ckda_rand_below(&random, t->nstates);
        uint32_t got = 0, want = 0;
        bool tie = false;
        for (int i = 0; i < 16; i++)
            H[i] = t->value[s * 16 + (uint32_t)i]
                   + sizes[k % 3] * ((double)ckda_rand_range(&random, -999, 999) / 999);
        const bool alone = ckda_tracker_decode(&want, H, t) == CKDA_TRUE;
        const bool right = drift_decide(&got, &tie, H, s, &d);
        assert_int_equal(right, alone && want == t->element[s]);
        wrong += !right;
    }
    assert_true(wrong > 10 && wrong < 250);
    drift_decider_clear(&d);
    ckda_tracker_clear(t);
}

/* e_0 of the a-priori bound is that of H_0 itself. */
static void
a_start_lowers_the_guarantee_by_little(void **state)
{
    (void)state;
    ckda_arith a = arith_of(FP32, FP32, FP32, true);
    tracked x, y;
    open_started(&x, "Z5", &a, 0);
    const uint64_t plain = ckda_rounded_guaranteed_steps(NULL, NULL, x.R, x.t);
    open_started(&y, "Z5", &a, 2);
    const uint64_t turned = ckda_rounded_guaranteed_steps(NULL, NULL, y.R, y.t);
    assert_true(turned > 0 && turned <= plain && plain - turned < 10);
    close_tracked(&y);
    close_tracked(&x);
}

/* ---- keys ---------------------------------------------------------------------------------- */

/* Entries whose size is `size` are those of the plain tracker moved, all others as they were. */
static void
expect_moved(const tracked *x, const tracked *plain, double size, int by)
{
    const uint32_t entries = plain->R->first[plain->R->nletters] * (uint32_t)plain->R->n;
    int seen = 0;
    for (uint32_t i = 0; i < entries; i++) {
        const double was = plain->R->key_value[i], is = x->R->key_value[i];
        float want = (float)fabs(was);
        for (int k = 0; k < abs(by) && fabs(was) == size; k++)
            want = nextafterf(want, by > 0 ? 2 : 0);
        seen += fabs(was) == size;
        assert_true(fabs(is) == (double)want && signbit(is) == signbit(was));
    }
    assert_true(seen > 0);
}

static void
keys_move_by_size_with_their_signs(void **state)
{
    (void)state;
    ckda_arith a = arith_of(FP32, FP32, FP32, true);
    tracked plain, x;
    open_tracked(&plain, "Z5", "planar", &a);
    assert_int_equal(plain.R->inexact, 4); /* sines and cosines of 36 and 72 degrees */
    a.key_move[2] = -3;
    open_tracked(&x, "Z5", "planar", &a);
    expect_moved(&x, &plain, (double)(float)cos(TENTH), -3);
    close_tracked(&x);
    a.key_move[2] = 0;
    a.key_move[0] = 2;
    open_tracked(&x, "Z5", "planar", &a);
    expect_moved(&x, &plain, (double)(float)cos(2 * TENTH), 2);
    close_tracked(&x);
    close_tracked(&plain);
}

static void
exact_keys_do_not_move(void **state)
{
    (void)state;
    const ckda_arith a = arith_of(BF16, BF16, FP32, true);
    tracked x;
    open_tracked(&x, "S3", "dyadic", &a);
    assert_int_equal(x.R->inexact, 0);
    close_tracked(&x);
}

static void
beta_moves_to_neighbours(void **state)
{
    (void)state;
    ckda_arith a = arith_of(FP32, FP32, FP32, true);
    tracked x;
    for (int by = -2; by <= 2; by++) {
        float want = 2;
        for (int k = 0; k < abs(by); k++)
            want = nextafterf(want, by > 0 ? 4 : 0);
        a.beta_move = (int8_t)by;
        open_tracked(&x, "Z3", "planar", &a);
        for (uint32_t s = 0; s < x.R->first[x.R->nletters]; s++)
            assert_true(x.R->beta_value[s] == (double)want);
        close_tracked(&x);
    }
}

static void
neighbours_are_all_there_once(void **state)
{
    (void)state;
    const ckda_arith a = arith_of(BF16, FP32, FP32, true);
    ckda_error err;
    ckda_arith *list;
    tracked x;
    size_t n;
    bool seen[7][7][3] = {{{false}}};
    open_tracked(&x, "S4", "cube", &a);
    assert_int_equal(x.R->inexact, 1);
    close_tracked(&x);
    open_tracked(&x, "A5", "quaternion", &a);
    assert_int_equal(x.R->inexact, 2);
    assert_int_equal(ckda_allwords_neighbours(&list, &n, x.t, &a, 3, 1, &err), CKDA_OK);
    assert_int_equal(n, 7 * 7 * 3);
    for (size_t i = 0; i < n; i++) {
        bool *at = &seen[list[i].key_move[0] + 3][list[i].key_move[1] + 3]
                        [list[i].beta_move + 1];
        assert_false(*at);
        *at = true;
    }
    flint_free(list);
    assert_int_equal(ckda_allwords_neighbours(&list, &n, x.t, &a, 127, 127, &err),
                     CKDA_E_UNABLE);
    close_tracked(&x);
}

/* Every row is what the arithmetic gives alone; the tracker has its own start again. */
static void
a_sweep_over_starts_gives_what_single_runs_give(void **state)
{
    (void)state;
    const ckda_arith a = arith_of(BF16, FP32, FP32, true);
    const ckda_allwords_options o = {
        .methods = CKDA_ALLWORDS_PRODUCT, .threads = 1, .limits = {.max_states = 800}};
    ckda_arith *list;
    ckda_allwords_row *rows;
    ckda_error err;
    size_t n, count;
    tracked x;
    open_tracked(&x, "Z5", "planar", &a);
    ckda_allwords_starts(&list, &n, &a, 8, 4);
    assert_int_equal(ckda_allwords_sweep(&rows, &count, x.t, list, n, &o, &err), CKDA_OK);
    assert_int_equal(count, 4);
    assert_int_equal(x.t->start, 0);
    for (size_t i = 0; i < count; i++) {
        ckda_arith b = list[i];
        ckda_allwords_t r;
        tracked y;
        assert_int_equal(b.start, 8 + i);
        open_started(&y, "Z5", &b, b.start);
        decide(r, &y, &o);
        expect_same(r, rows[i].result);
        ckda_allwords_clear(r);
        close_tracked(&y);
    }
    assert_int_equal(rows[2].result->verdict, CKDA_ALLWORDS_TRACKS); /* seed 10 */
    ckda_allwords_sweep_clear(rows, count);
    flint_free(list);
    close_tracked(&x);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_matrix_of_a_seed_is_orthogonal),
        cmocka_unit_test(seeds_give_rotations_and_reflections),
        cmocka_unit_test(a_start_turns_every_state_and_column),
        cmocka_unit_test(a_closed_search_from_a_start_decodes_plainly),
        cmocka_unit_test(a_turned_state_decodes_as_the_exact_decoder_says),
        cmocka_unit_test(a_start_lowers_the_guarantee_by_little),
        cmocka_unit_test(keys_move_by_size_with_their_signs),
        cmocka_unit_test(exact_keys_do_not_move),
        cmocka_unit_test(beta_moves_to_neighbours),
        cmocka_unit_test(neighbours_are_all_there_once),
        cmocka_unit_test(a_sweep_over_starts_gives_what_single_runs_give),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
