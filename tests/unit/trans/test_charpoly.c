/* The secular characteristic polynomial against the dense one. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "ckda/trans.h"

/* Both ways on one transition; det(xI - A) of the matrix is the reference. */
static void
both_ways_agree(const ckda_trans_t t, const ckda_field_t K)
{
    ckda_poly_t fast, dense;
    ckda_mat_t A;
    ckda_poly_init(fast, K);
    ckda_poly_init(dense, K);
    ckda_mat_init(A, t->n, t->n, K);
    ckda_poly_set_coeff_si(fast, 40, 1, K); /* old contents must not show through */
    assert_int_equal(ckda_trans_charpoly(fast, t, K), CKDA_OK);
    assert_int_equal(ckda_poly_degree(fast), t->n);
    assert_int_equal(ckda_trans_matrix(A, t, K), CKDA_OK);
    assert_int_equal(ckda_mat_charpoly(dense, A, K), CKDA_OK);
    assert_true(ckda_poly_equal(fast, dense, K));
    ckda_mat_clear(A, K);
    ckda_poly_clear(fast, K);
    ckda_poly_clear(dense, K);
}

static void
random_rounds(const ckda_field_t K, uint64_t seed, int rounds, slong nmax)
{
    ckda_rand r;
    ckda_trans_t t;
    ckda_rand_init(&r, seed);
    for (int round = 0; round < rounds; round++) {
        ckda_trans_init(t, CKDA_CKDA, 1 + round % nmax, 1, K);
        ckda_trans_rand(t, &r, K);
        both_ways_agree(t, K);
        /* outside the family the identity holds just as well */
        ckda_elem_set_frac(t->beta, (slong)ckda_rand_range(&r, -9, 9), 2, K);
        ckda_elem_set_si(t->gate, (slong)ckda_rand_range(&r, -5, 5), K);
        both_ways_agree(t, K);
        ckda_trans_clear(t, K);
    }
}

static void
agrees_with_dense_over_the_rationals(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_field_init_rational(K);
    random_rounds(K, 11, 200, 7);
    ckda_field_clear(K);
}

static void
agrees_with_dense_over_sqrt5(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_field_init_sqrt(K, 5);
    random_rounds(K, 12, 100, 5);
    ckda_field_clear(K);
}

static void
agrees_with_dense_in_degree_3(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_field_init_cos(K, 7);
    random_rounds(K, 13, 40, 4);
    ckda_field_clear(K);
}

/* beta and gates from small sets, keys 0/1: all repeated, all zero, all of support 1. */
static void
agrees_on_every_small_corner(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_trans_t t;
    ckda_field_init_rational(K);
    ckda_trans_init(t, CKDA_CKDA, 3, 1, K);
    for (int beta = 0; beta <= 2; beta++) {
        ckda_elem_set_si(t->beta, beta, K);
        for (int key = 1; key < 8; key++) {
            for (int gates = 0; gates < 27; gates++) {
                for (int i = 0, g = gates; i < 3; i++, g /= 3) {
                    ckda_elem_set_si(t->key + i, key >> i & 1, K);
                    ckda_elem_set_si(t->gate + i, g % 3 - 1, K);
                }
                both_ways_agree(t, K);
            }
        }
    }
    ckda_trans_clear(t, K);
    ckda_field_clear(K);
}

static void
value_at_a_gate_is_the_secular_weight(void **state)
{
    (void)state;
    /* chi(a_i) = beta k_i^2 a_i prod_{j != i} (a_i - a_j) */
    ckda_field_t K;
    ckda_trans_t t;
    ckda_poly_t chi;
    ckda_elem_t got, want, d;
    ckda_rand r;
    ckda_rand_init(&r, 14);
    ckda_field_init_sqrt(K, 2);
    ckda_poly_init(chi, K);
    ckda_elem_init(got, K);
    ckda_elem_init(want, K);
    ckda_elem_init(d, K);
    for (int round = 0; round < 30; round++) {
        ckda_trans_init(t, CKDA_CKDA, 4, 1, K);
        ckda_trans_rand(t, &r, K);
        assert_int_equal(ckda_trans_charpoly(chi, t, K), CKDA_OK);
        for (slong i = 0; i < 4; i++) {
            ckda_poly_eval(got, chi, t->gate + i, K);
            ckda_elem_zero(want, K);
            for (slong j = 0; j < 4; j++)
                ckda_elem_addmul(want, t->key + j, t->key + j, K);
            assert_int_equal(ckda_elem_div(want, t->beta, want, K), CKDA_OK);
            ckda_elem_mul(want, want, t->key + i, K);
            ckda_elem_mul(want, want, t->key + i, K);
            ckda_elem_mul(want, want, t->gate + i, K);
            for (slong j = 0; j < 4; j++) {
                ckda_elem_sub(d, t->gate + i, t->gate + j, K);
                if (j != i)
                    ckda_elem_mul(want, want, d, K);
            }
            assert_true(ckda_elem_equal(got, want, K));
        }
        ckda_trans_clear(t, K);
    }
    ckda_elem_clear(got, K);
    ckda_elem_clear(want, K);
    ckda_elem_clear(d, K);
    ckda_poly_clear(chi, K);
    ckda_field_clear(K);
}

static void
large_dimension_takes_the_fast_way(void **state)
{
    (void)state;
    /* n = 120: trace and determinant read off the ends of chi; the dense way would crawl
     */
    ckda_field_t K;
    ckda_trans_t t;
    ckda_poly_t chi;
    ckda_elem_t sum, prod, c;
    const slong n = 120;
    ckda_rand r;
    ckda_rand_init(&r, 15);
    ckda_field_init_rational(K);
    ckda_trans_init(t, CKDA_CKDA, n, 1, K);
    ckda_elem_init(sum, K);
    ckda_elem_init(prod, K);
    ckda_elem_init(c, K);
    ckda_elem_set_frac(t->beta, 3, 2, K);
    ckda_elem_set_frac(prod, -1, 2, K); /* 1 - beta; (-1)^n = 1 */
    for (slong i = 0; i < n; i++) {
        ckda_elem_one(t->key + i, K); /* k_i^2 = 1/n */
        ckda_elem_set_frac(t->gate + i, (slong)ckda_rand_range(&r, 1, 8), 8, K);
        ckda_elem_mul(prod, prod, t->gate + i, K);
        ckda_elem_add(sum, sum, t->gate + i, K);
    }
    ckda_elem_set_frac(c, 3, 2 * n, K); /* trace A = sum a_i - (beta/n) sum a_i */
    ckda_elem_mul(c, c, sum, K);
    ckda_elem_sub(sum, c, sum, K); /* minus the trace */
    ckda_poly_init(chi, K);
    assert_int_equal(ckda_trans_charpoly(chi, t, K), CKDA_OK);
    assert_int_equal(ckda_poly_degree(chi), n);
    ckda_poly_get_coeff(c, chi, n, K);
    assert_true(ckda_elem_is_one(c, K));
    ckda_poly_get_coeff(c, chi, n - 1, K);
    assert_true(ckda_elem_equal(c, sum, K));
    ckda_poly_get_coeff(c, chi, 0, K);
    assert_true(ckda_elem_equal(c, prod, K));
    ckda_poly_clear(chi, K);
    ckda_elem_clear(sum, K);
    ckda_elem_clear(prod, K);
    ckda_elem_clear(c, K);
    ckda_trans_clear(t, K);
    ckda_field_clear(K);
}

static int
finish(void **state)
{
    (void)state;
    flint_cleanup();
    return 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_dense_over_the_rationals),
        cmocka_unit_test(agrees_with_dense_over_sqrt5),
        cmocka_unit_test(agrees_with_dense_in_degree_3),
        cmocka_unit_test(agrees_on_every_small_corner),
        cmocka_unit_test(value_at_a_gate_is_the_secular_weight),
        cmocka_unit_test(large_dimension_takes_the_fast_way),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
