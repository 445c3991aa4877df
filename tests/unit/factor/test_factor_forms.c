/* Who has the signed Householder form, and how often: search, brute force and the
 * independent decider of D + u v^T against one another. */
#include "factor_util.h"

static ckda_field_t Q;

/* All signed permutations: A_ij = sign_j [i = perm_j]. */
static long
count_signed_permutations(slong n)
{
    slong perm[4] = {0, 1, 2, 3};
    long dpr1 = 0, total = 0, codes = 1;

    for (slong i = 0; i < n; i++)
        codes *= n;
    for (long code = 0; code < codes; code++) {
        unsigned seen = 0;
        long c = code;

        for (slong j = 0; j < n; j++, c /= n) {
            perm[j] = c % n;
            seen |= 1u << perm[j];
        }
        for (unsigned mask = 0; seen == (1u << n) - 1 && mask < 1u << n; mask++) {
            ckda_decomposition_t dec;
            ckda_mat_t A;

            ckda_mat_init(A, n, n, Q);
            for (slong j = 0; j < n; j++)
                ckda_mat_set_entry_si(A, perm[j], j, mask >> j & 1 ? -1 : 1, Q);
            ckda_decomposition_init(dec, Q);
            assert_int_equal(ckda_decompose_matrix(dec, A, Q), CKDA_OK);
            assert_int_equal(dec->dpr1, ckda_householder_count_brute(A, Q) > 0);
            assert_int_equal(dec->verified, dec->dpr1);
            dpr1 += dec->dpr1;
            total++;
            ckda_decomposition_clear(dec, Q);
            ckda_mat_clear(A, Q);
        }
    }
    assert_int_equal(total, n == 4 ? 384 : n == 3 ? 48 : n == 2 ? 8 : 2);
    return dpr1;
}

static void
both_deciders_agree_on_all_signed_permutations(void **state)
{
    (void)state;
    assert_int_equal(count_signed_permutations(1), 2);
    assert_int_equal(count_signed_permutations(2), 8);
    assert_int_equal(count_signed_permutations(3), 32);
    assert_int_equal(count_signed_permutations(4), 112);
}

static void
both_deciders_agree_on_random_orthogonal_matrices(void **state)
{
    ckda_rand r;
    long yes = 0;

    (void)state;
    ckda_rand_init(&r, 7);
    for (int round = 0; round < 40; round++) {
        ckda_decomposition_t dec;
        ckda_mat_t A;

        ckda_mat_init(A, 3, 3, Q); /* n = 3: DPR1 iff a quaternion coordinate vanishes */
        ckda_mat_rand_orthogonal(A, &r, 2, Q);
        ckda_decomposition_init(dec, Q);
        assert_int_equal(ckda_decompose_matrix(dec, A, Q), CKDA_OK);
        assert_int_equal(dec->verified, ckda_householder_count_brute(A, Q) > 0);
        assert_int_equal(dec->representations, ckda_householder_count_brute(A, Q));
        yes += dec->verified;
        ckda_decomposition_clear(dec, Q);
        ckda_mat_clear(A, Q);
    }
    assert_true(yes > 0 && yes < 40);
}

static void
search_counts_like_brute_force_off_the_orthogonal_group(void **state)
{
    ckda_mat_t A;

    (void)state;
    mat_init_text(A, 3, "1 0 0  0 2 0  0 0 1", Q);
    assert_int_equal(ckda_householder_count(A, Q), 0);
    assert_int_equal(ckda_householder_count_brute(A, Q), 0);
    ckda_mat_zero(A, Q);
    assert_int_equal(ckda_householder_count(A, Q), 0);
    assert_int_equal(ckda_householder_count_brute(A, Q), 0);
    ckda_mat_clear(A, Q);
    ckda_mat_init(A, 2, 3, Q);
    assert_int_equal(ckda_householder_count(A, Q), 0);
    ckda_mat_clear(A, Q);
}

static void
search_stays_small_in_dimension_24(void **state)
{
    ckda_mat_t A;
    ckda_dpr1_t d;
    ckda_rand r;

    (void)state;
    ckda_mat_init(A, 24, 24, Q);
    assert_int_equal(ckda_mat_one(A, Q), CKDA_OK);
    assert_int_equal(ckda_householder_count(A, Q), 24);
    ckda_rand_init(&r, 8);
    ckda_dpr1_init(d, 24, Q);
    ckda_gen_support2(d, &r, 5, Q);
    assert_int_equal(ckda_dpr1_matrix(A, d, Q), CKDA_OK);
    assert_int_equal(ckda_householder_count(A, Q), 2);
    ckda_dpr1_clear(d, Q);
    ckda_mat_clear(A, Q);
}

static int
setup(void **state)
{
    (void)state;
    ckda_field_init_rational(Q);
    return 0;
}

static int
teardown(void **state)
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
        cmocka_unit_test(both_deciders_agree_on_all_signed_permutations),
        cmocka_unit_test(both_deciders_agree_on_random_orthogonal_matrices),
        cmocka_unit_test(search_counts_like_brute_force_off_the_orthogonal_group),
        cmocka_unit_test(search_stays_small_in_dimension_24),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
