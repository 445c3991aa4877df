/* Orthogonal matrices as reflections and signs: counts, the least ones, all representations
 * of Theorem 1. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "ckda/factor.h"
#include "ckda/factor_norm.h"

static ckda_field_t Q;

/* Factors of A, multiplied out; betas 0 or 2, gates signs. */
static slong
count_of(ckda_truth *minimal, const ckda_mat_t A, ckda_factor_scheme scheme,
         const ckda_field_t K)
{
    ckda_factors_t f;
    ckda_factors_init(f, A->rows, K);
    assert_int_equal(ckda_factor_orthogonal(f, minimal, A, scheme, K), CKDA_OK);
    assert_true(ckda_factors_simulate(f, A, K));
    for (slong i = 0; i < f->count; i++) {
        const int beta = ckda_elem_cmp_si(f->step[i].beta, 2, K);
        assert_true(beta == 0 || ckda_elem_is_zero(f->step[i].beta, K));
        for (slong j = 0; j < f->n; j++)
            assert_true(ckda_elem_is_one(f->step[i].gate + j, K)
                        || ckda_elem_cmp_si(f->step[i].gate + j, -1, K) == 0);
    }
    const slong count = f->count;
    ckda_factors_clear(f, K);
    return count;
}

/* min rank(A - S) over all S, by exact ranks alone. */
static slong
sign_rank_by_force(const ckda_mat_t A, const ckda_field_t K)
{
    const slong n = A->rows;
    slong least = n;
    ckda_mat_t B;
    ckda_elem_t s;
    ckda_elem_init(s, K);
    for (ulong mask = 0; mask < UWORD(1) << n; mask++) {
        ckda_mat_init_set(B, A, K);
        for (slong i = 0; i < n; i++) {
            ckda_elem_set_si(s, (mask >> i) & 1 ? -1 : 1, K);
            ckda_elem_sub(ckda_mat_entry(B, i, i), ckda_mat_entry(B, i, i), s, K);
        }
        const slong rank = ckda_mat_rank(B, K);
        least = rank < least ? rank : least;
        ckda_mat_clear(B, K);
    }
    ckda_elem_clear(s, K);
    return least;
}

static void
random_rounds(const ckda_field_t K, uint64_t seed, int rounds, slong nmax)
{
    ckda_rand r;
    ckda_mat_t A;
    ckda_rand_init(&r, seed);
    for (int round = 0; round < rounds; round++) {
        const slong n = 1 + round % nmax;
        ckda_truth minimal = CKDA_UNKNOWN;
        int signs[8];
        slong rank;
        ckda_mat_init(A, n, n, K);
        ckda_mat_rand_orthogonal(A, &r, 2, K);
        assert_int_equal(ckda_factor_sign_rank(&rank, signs, A, K), CKDA_OK);
        assert_int_equal(rank, sign_rank_by_force(A, K));
        const slong least = ckda_mat_is_one(A, K) ? 0 : rank > 0 ? rank : 1;
        const slong paper = count_of(&minimal, A, CKDA_FACTOR_PAPER, K);
        assert_true(paper <= ckda_factor_orthogonal_bound(n));
        assert_int_equal(minimal, paper == least ? CKDA_TRUE : CKDA_FALSE);
        assert_int_equal(count_of(&minimal, A, CKDA_FACTOR_SHORT, K), least);
        assert_int_equal(minimal, CKDA_TRUE);
        ckda_mat_clear(A, K);
    }
}

static void
both_schemes_over_the_rationals(void **state)
{
    (void)state;
    random_rounds(Q, 1, 40, 6);
}

static void
both_schemes_over_sqrt5(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_field_init_sqrt(K, 5);
    random_rounds(K, 2, 12, 4);
    ckda_field_clear(K);
}

static bool
next_permutation(slong *p, slong n)
{
    slong i = n - 2, j = n - 1;
    while (i >= 0 && p[i] > p[i + 1])
        i--;
    if (i < 0)
        return false;
    while (p[j] < p[i])
        j--;
    for (slong t = p[i]; p[i] == t;) {
        p[i] = p[j];
        p[j] = t;
    }
    for (slong a = i + 1, b = n - 1; a < b; a++, b--) {
        const slong t = p[a];
        p[a] = p[b];
        p[b] = t;
    }
    return true;
}

static slong
cycles(const slong *p, slong n)
{
    bool seen[8] = {false};
    slong count = 0;
    for (slong i = 0; i < n; i++) {
        count += !seen[i];
        for (slong j = i; !seen[j]; j = p[j])
            seen[j] = true;
    }
    return count;
}

/* [source: this project, F8]  Signed gates save nothing for permutations. */
static void
permutations_need_n_minus_their_cycles(void **state)
{
    (void)state;
    ckda_mat_t A;
    for (slong n = 1; n <= 5; n++) {
        slong image[5] = {0, 1, 2, 3, 4};
        ckda_mat_init(A, n, n, Q);
        do {
            ckda_truth minimal;
            assert_int_equal(ckda_mat_set_map(A, image, n, Q), CKDA_OK);
            assert_int_equal(count_of(&minimal, A, CKDA_FACTOR_SHORT, Q),
                             n - cycles(image, n));
        } while (next_permutation(image, n));
        ckda_mat_clear(A, Q);
    }
}

static void
cycles_by_columns_take_n_minus_one_reflections_and_no_sign(void **state)
{
    (void)state;
    for (slong n = 1; n <= 7; n++) {
        slong image[7];
        ckda_mat_t A;
        ckda_factors_t f;
        ckda_truth minimal;
        for (slong i = 0; i < n; i++)
            image[i] = (i + 1) % n;
        ckda_mat_init(A, n, n, Q);
        ckda_factors_init(f, n, Q);
        assert_int_equal(ckda_mat_set_map(A, image, n, Q), CKDA_OK);
        assert_int_equal(ckda_factor_orthogonal(f, &minimal, A, CKDA_FACTOR_PAPER, Q),
                         CKDA_OK);
        assert_int_equal(f->count, n - 1);
        for (slong i = 0; i < f->count; i++)
            for (slong j = 0; j < n; j++)
                assert_true(ckda_elem_is_one(f->step[i].gate + j, Q));
        ckda_factors_clear(f, Q);
        ckda_mat_clear(A, Q);
    }
}

/* [source: this project, F8]  D + rank 2, but three factors. */
static void
rank_two_from_a_diagonal_may_need_three_factors(void **state)
{
    (void)state;
    static const slong entries[] = {85,   -152, -26, -18, 40,  43, -158, 54,
                                    -110, -74,  -8,  117, 102, 30, 75,   120};
    static const slong diagonal[4][2] = {{1, 5}, {3, 1}, {1, 2}, {5, 4}};
    ckda_mat_t A;
    ckda_elem_t d;
    ckda_truth minimal;
    ckda_mat_init(A, 4, 4, Q);
    ckda_elem_init(d, Q);
    ckda_mat_set_si(A, entries, 177, Q);
    assert_int_equal(count_of(&minimal, A, CKDA_FACTOR_SHORT, Q), 3);
    assert_int_equal(minimal, CKDA_TRUE);
    for (slong i = 0; i < 4; i++) {
        ckda_elem_set_frac(d, diagonal[i][0], diagonal[i][1], Q);
        ckda_elem_sub(ckda_mat_entry(A, i, i), ckda_mat_entry(A, i, i), d, Q);
    }
    assert_int_equal(ckda_mat_rank(A, Q), 2);
    ckda_elem_clear(d, Q);
    ckda_mat_clear(A, Q);
}

static void
identity_signs_and_reflections_are_the_short_cases(void **state)
{
    (void)state;
    ckda_mat_t A;
    ckda_truth minimal;
    ckda_elem_t two;
    ckda_elem_struct *w = ckda_elem_vec_new(3, Q);
    ckda_mat_init(A, 3, 3, Q);
    ckda_elem_init(two, Q);
    assert_int_equal(ckda_mat_one(A, Q), CKDA_OK);
    assert_int_equal(count_of(&minimal, A, CKDA_FACTOR_SHORT, Q), 0);
    assert_int_equal(minimal, CKDA_TRUE);
    ckda_mat_set_entry_si(A, 1, 1, -1, Q);
    assert_int_equal(count_of(&minimal, A, CKDA_FACTOR_SHORT, Q), 1);
    assert_int_equal(count_of(&minimal, A, CKDA_FACTOR_PAPER, Q), 1);
    for (slong i = 0; i < 3; i++)
        ckda_elem_set_si(w + i, i + 1, Q);
    ckda_elem_set_si(two, 2, Q);
    assert_int_equal(ckda_mat_set_householder(A, two, w, 3, Q), CKDA_OK);
    for (slong i = 0; i < 3; i++) /* times diag(-1, 1, 1) */
        ckda_elem_neg(ckda_mat_entry(A, i, 0), ckda_mat_entry(A, i, 0), Q);
    assert_int_equal(count_of(&minimal, A, CKDA_FACTOR_SHORT, Q), 1);
    assert_int_equal(minimal, CKDA_TRUE);
    assert_int_equal(count_of(&minimal, A, CKDA_FACTOR_PAPER, Q), 2);
    assert_int_equal(minimal, CKDA_FALSE);
    ckda_elem_clear(two, Q);
    ckda_elem_vec_free(w, 3, Q);
    ckda_mat_clear(A, Q);
}

static void
beyond_the_search_the_count_is_left_open(void **state)
{
    (void)state;
    const slong n = CKDA_FACTOR_SIGNS_MAX + 1;
    slong image[CKDA_FACTOR_SIGNS_MAX + 1], rank = 7;
    int signs[CKDA_FACTOR_SIGNS_MAX + 1];
    ckda_mat_t A;
    ckda_truth minimal = CKDA_TRUE;
    for (slong i = 0; i < n; i++)
        image[i] = (i + 1) % n;
    ckda_mat_init(A, n, n, Q);
    assert_int_equal(ckda_mat_set_map(A, image, n, Q), CKDA_OK);
    assert_int_equal(ckda_factor_sign_rank(&rank, signs, A, Q), CKDA_E_UNABLE);
    assert_int_equal(rank, 7);
    assert_int_equal(count_of(&minimal, A, CKDA_FACTOR_SHORT, Q), n - 1);
    assert_int_equal(minimal, CKDA_UNKNOWN);
    for (slong i = 0; i < n; i++)
        image[i] = i < 4 ? i ^ 1 : i; /* (0 1)(2 3): not diagonal plus rank one */
    assert_int_equal(ckda_mat_set_map(A, image, n, Q), CKDA_OK);
    assert_int_equal(count_of(&minimal, A, CKDA_FACTOR_SHORT, Q), 2);
    assert_int_equal(minimal, CKDA_TRUE);
    ckda_mat_clear(A, Q);
}

static void
wrong_input_leaves_the_list_alone(void **state)
{
    (void)state;
    ckda_mat_t A, B;
    ckda_factors_t f, g;
    ckda_truth minimal = CKDA_FALSE;
    int signs[3];
    slong rank = 5;
    ckda_mat_init(A, 3, 3, Q);
    ckda_mat_init(B, 2, 3, Q);
    ckda_factors_init(f, 3, Q);
    ckda_factors_init(g, 2, Q);
    assert_int_equal(ckda_factors_push_swap(f, 0, 1, Q), CKDA_OK);
    assert_int_equal(ckda_factor_orthogonal(f, &minimal, A, CKDA_FACTOR_SHORT, Q),
                     CKDA_E_DOMAIN);
    assert_int_equal(ckda_factor_orthogonal(f, &minimal, B, CKDA_FACTOR_SHORT, Q),
                     CKDA_E_SHAPE);
    assert_int_equal(ckda_mat_one(A, Q), CKDA_OK);
    assert_int_equal(ckda_factor_orthogonal(g, &minimal, A, CKDA_FACTOR_SHORT, Q),
                     CKDA_E_SHAPE);
    assert_int_equal(ckda_factor_sign_rank(&rank, signs, B, Q), CKDA_E_SHAPE);
    assert_int_equal(f->count, 1);
    assert_int_equal(minimal, CKDA_FALSE);
    assert_int_equal(rank, 5);
    ckda_factors_clear(g, Q);
    ckda_factors_clear(f, Q);
    ckda_mat_clear(B, Q);
    ckda_mat_clear(A, Q);
}

/* ---- the freedoms of Theorem 1 ------------------------------------------------------- */

/* All representations differ and their number is that of the brute force. */
static void
representations_are_all_there(void **state)
{
    (void)state;
    ckda_rand r;
    ckda_rand_init(&r, 3);
    for (int round = 0; round < 45; round++) {
        const slong n = 2 + round % 4;
        ckda_dpr1_t d;
        ckda_decomposition_t dec;
        ckda_mat_t A, B;
        int signs[5], first[5];
        ckda_elem_struct *w = ckda_elem_vec_new(n, Q);
        ckda_dpr1_init(d, n, Q);
        ckda_decomposition_init(dec, Q);
        ckda_mat_init(A, n, n, Q);
        ckda_mat_init(B, n, n, Q);
        ckda_gen_thm1(d, &r, 4, Q);
        assert_int_equal(ckda_dpr1_matrix(A, d, Q), CKDA_OK);
        assert_int_equal(ckda_decompose_dpr1(dec, d, Q), CKDA_OK);
        assert_int_equal(dec->representations, ckda_householder_count_brute(A, Q));
        for (slong i = 0; i < dec->representations; i++) {
            bool differs = i == 0;
            assert_int_equal(ckda_decomposition_get(signs, w, dec, i, Q), CKDA_OK);
            assert_int_equal(ckda_signed_householder_matrix(B, signs, w, Q), CKDA_OK);
            assert_true(ckda_mat_equal(NULL, A, B, Q));
            for (slong j = 0; j < n; j++) {
                if (i == 0)
                    first[j] = signs[j];
                differs = differs || signs[j] != first[j];
            }
            assert_true(differs);
        }
        assert_int_equal(ckda_decomposition_get(signs, w, dec, -1, Q), CKDA_E_DOMAIN);
        assert_int_equal(ckda_decomposition_get(signs, w, dec, dec->representations, Q),
                         CKDA_E_DOMAIN);
        ckda_mat_clear(B, Q);
        ckda_mat_clear(A, Q);
        ckda_decomposition_clear(dec, Q);
        ckda_dpr1_clear(d, Q);
        ckda_elem_vec_free(w, n, Q);
    }
}

/* d = (1/5, 11/5), u = (1, 2), v = (2/5, -4/5): t = 2 in the family of all D. */
static void
support_two_leaves_the_diagonal_free(void **state)
{
    (void)state;
    static const slong entries[] = {3, -4, 4, 3};
    ckda_mat_t A;
    ckda_decomposition_t dec;
    ckda_dpr1_t d;
    slong p = -1, q = -1;
    ckda_elem_struct *block = ckda_elem_vec_new(4, Q);
    ckda_mat_init(A, 2, 2, Q);
    ckda_mat_set_si(A, entries, 5, Q);
    ckda_decomposition_init(dec, Q);
    assert_int_equal(ckda_decompose_matrix(dec, A, Q), CKDA_OK);
    assert_int_equal(ckda_decomposition_support(&p, &q, block, dec, Q), 2);
    assert_int_equal(p, 0);
    assert_int_equal(q, 1);
    for (slong i = 0; i < 4; i++)
        assert_true(ckda_elem_equal(block + i, A->entry + i, Q));
    ckda_dpr1_init(d, 2, Q);
    for (slong t = -3; t <= 3; t++) {
        ckda_elem_t x;
        ckda_mat_t B;
        if (t == 0)
            continue;
        ckda_elem_init(x, Q);
        ckda_mat_init(B, 2, 2, Q);
        ckda_elem_set_si(x, t, Q);
        ckda_elem_one(d->u, Q);
        ckda_elem_set(d->u + 1, x, Q);
        assert_int_equal(ckda_elem_div(d->v, block + 2, x, Q), CKDA_OK);
        ckda_elem_set(d->v + 1, block + 1, Q);
        ckda_elem_sub(d->diagonal, block, d->v, Q);
        ckda_elem_mul(x, x, block + 1, Q);
        ckda_elem_sub(d->diagonal + 1, block + 3, x, Q);
        assert_int_equal(ckda_dpr1_matrix(B, d, Q), CKDA_OK);
        assert_true(ckda_mat_equal(NULL, A, B, Q));
        ckda_mat_clear(B, Q);
        ckda_elem_clear(x, Q);
    }
    ckda_dpr1_clear(d, Q);
    ckda_decomposition_clear(dec, Q);
    ckda_mat_clear(A, Q);
    ckda_elem_vec_free(block, 4, Q);
}

static int
start(void **state)
{
    (void)state;
    ckda_field_init_rational(Q);
    return 0;
}

static int
finish(void **state)
{
    (void)state;
    ckda_field_clear(Q);
    flint_cleanup();
    return 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_schemes_over_the_rationals),
        cmocka_unit_test(both_schemes_over_sqrt5),
        cmocka_unit_test(permutations_need_n_minus_their_cycles),
        cmocka_unit_test(cycles_by_columns_take_n_minus_one_reflections_and_no_sign),
        cmocka_unit_test(rank_two_from_a_diagonal_may_need_three_factors),
        cmocka_unit_test(identity_signs_and_reflections_are_the_short_cases),
        cmocka_unit_test(beyond_the_search_the_count_is_left_open),
        cmocka_unit_test(wrong_input_leaves_the_list_alone),
        cmocka_unit_test(representations_are_all_there),
        cmocka_unit_test(support_two_leaves_the_diagonal_free),
    };
    return cmocka_run_group_tests(tests, start, finish);
}
