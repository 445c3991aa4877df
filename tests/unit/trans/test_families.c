/* rwkv7, mdn and sfda: ranges, matrices by their definition, characteristic polynomials in
 * two ways, and what Table 1 and Table 3 say of them. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

#include "ckda/trans.h"

static void
refused(const ckda_trans_t t, const ckda_field_t K, const char *want)
{
    ckda_error err = {{0}};
    assert_int_equal(ckda_trans_check(t, K, &err), CKDA_E_DOMAIN);
    assert_string_equal(err.text, want);
    assert_int_equal(ckda_trans_check(t, K, NULL), CKDA_E_DOMAIN);
}

static void
accepted(const ckda_trans_t t, const ckda_field_t K)
{
    ckda_error err = {{0}};
    assert_int_equal(ckda_trans_check(t, K, &err), CKDA_OK);
    assert_string_equal(err.text, "");
}

/* n = 2d, a = 1/2, b = 1/4, e = 1, m = 1/2. */
static void
init_mdn(ckda_trans_t t, slong n, const ckda_field_t K)
{
    ckda_trans_init(t, CKDA_MDN, n, 0, K);
    for (slong i = 0; i < n; i++)
        ckda_elem_set_frac(t->gate + i, 1, 2, K);
    ckda_elem_set_frac(t->beta, 1, 4, K);
    ckda_elem_one(t->more, K);
}

/* ---- ranges ------------------------------------------------------------------------ */

static void
rwkv7_ranges_are_named(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_trans_t t;
    ckda_field_init_rational(K);
    ckda_trans_init(t, CKDA_RWKV7, 3, 0, K);
    accepted(t, K);
    ckda_elem_set_si(t->more + 1, 2, K);
    ckda_elem_zero(t->gate + 2, K);
    accepted(t, K);
    ckda_elem_set_frac(t->more + 1, 5, 2, K);
    refused(t, K, "erase[1]: expected a number in [0, 2] (family rwkv7), found 5/2");
    ckda_elem_set_frac(t->gate + 2, -1, 2, K);
    refused(t, K, "decay[2]: expected a number in [0, 1] (family rwkv7), found -1/2");
    ckda_elem_zero(t->key, K);
    refused(t, K, "key: expected a nonzero direction, found only zeros");
    ckda_trans_clear(t, K);
    ckda_field_clear(K);
}

static void
mdn_ranges_are_named(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_trans_t t;
    ckda_field_init_rational(K);
    init_mdn(t, 2, K);
    accepted(t, K);
    ckda_elem_set_frac(t->beta, 1, 2, K); /* = 1 - a */
    accepted(t, K);
    ckda_elem_set_frac(t->beta, 3, 5, K);
    refused(t, K, "beta: expected a number in [0, 1 - alpha] (family mdn), found 3/5");
    ckda_elem_set_si(t->more, 2, K);
    refused(t, K, "eta: expected a number in (0, 2) (family mdn), found 2");
    ckda_elem_one(t->gate + 1, K);
    refused(t, K, "mu: expected a number in [exp(-1), 1) (family mdn), found 1");
    ckda_elem_zero(t->gate, K);
    refused(t, K, "alpha: expected a number in (0, 1) (family mdn), found 0");
    ckda_trans_clear(t, K);
    init_mdn(t, 4, K);
    ckda_elem_set_frac(t->gate + 3, 2, 3, K);
    refused(t, K, "mu: expected one scalar (family mdn), found different values");
    ckda_trans_clear(t, K);
    ckda_field_clear(K);
}

static void
the_lower_end_of_mu_is_decided_beside_a_transcendental_number(void **state)
{
    (void)state;
    /* exp(-1) = 0.367879441171442321595523770161460867445... */
    ckda_field_t K;
    ckda_trans_t t;
    fmpq_t q;
    ckda_field_init_rational(K);
    init_mdn(t, 2, K);
    fmpq_init(q);
    for (int above = 0; above < 2; above++) {
        const char *text = above ? "367879441171442321595523770161460867446"
                                 : "367879441171442321595523770161460867445";
        assert_int_equal(fmpz_set_str(fmpq_numref(q), text, 10), 0);
        fmpz_set_ui(fmpq_denref(q), 10);
        fmpz_pow_ui(fmpq_denref(q), fmpq_denref(q), 39);
        fmpq_canonicalise(q);
        ckda_elem_set_fmpq(t->gate + 1, q, K);
        assert_int_equal(ckda_trans_check(t, K, NULL), above ? CKDA_OK : CKDA_E_DOMAIN);
    }
    fmpq_clear(q);
    ckda_trans_clear(t, K);
    ckda_field_clear(K);
}

static void
sfda_ranges_are_named(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_trans_t t;
    ckda_field_init_rational(K);
    ckda_trans_init(t, CKDA_SFDA, 4, 0, K);
    accepted(t, K);
    ckda_elem_set_frac(t->gate + 2, 3, 5, K);
    ckda_elem_set_frac(t->gate + 3, -4, 5, K);
    ckda_elem_one(t->beta, K);
    accepted(t, K);
    ckda_elem_set_frac(t->beta, 9, 8, K);
    refused(t, K, "beta: expected a number in [0, 1] (family sfda), found 9/8");
    ckda_elem_one(t->beta, K);
    ckda_elem_one(t->gate + 3, K);
    refused(
        t, K,
        "gate[1]: expected a complex number with |z| <= 1 (family sfda), found |z|^2 = "
        "34/25");
    ckda_trans_clear(t, K);
    ckda_field_clear(K);
}

/* ---- values and matrices ------------------------------------------------------------ */

static void
new_ones_are_the_identity(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_trans_t t;
    ckda_mat_t A;
    ckda_field_init_sqrt(K, 5);
    for (int f = CKDA_STEP_FAMILIES; f < CKDA_FAMILIES; f++) {
        assert_false(ckda_family_has_steps((ckda_family)f));
        ckda_trans_init(t, (ckda_family)f, 4, 0, K);
        ckda_mat_init(A, 4, 4, K);
        assert_int_equal(ckda_trans_matrix(A, t, K), CKDA_OK);
        assert_true(ckda_mat_is_one(A, K));
        ckda_mat_clear(A, K);
        ckda_trans_clear(t, K);
    }
    ckda_field_clear(K);
}

static void
copies_are_equal_and_other_forms_do_not_fit(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_trans_t t, u, v;
    ckda_mat_t A, B;
    ckda_rand r;
    ckda_rand_init(&r, 21);
    ckda_field_init_rational(K);
    ckda_mat_init(A, 4, 4, K);
    ckda_mat_init(B, 4, 4, K);
    for (int f = CKDA_STEP_FAMILIES; f < CKDA_FAMILIES; f++) {
        ckda_trans_init(t, (ckda_family)f, 4, 0, K);
        ckda_trans_rand(t, &r, K);
        ckda_trans_init_set(u, t, K);
        assert_int_equal(ckda_trans_matrix(A, t, K), CKDA_OK);
        assert_int_equal(ckda_trans_matrix(B, u, K), CKDA_OK);
        assert_true(ckda_mat_equal(NULL, A, B, K));
        ckda_trans_init(v, CKDA_CKDA, 4, 1, K);
        assert_int_equal(ckda_trans_set(v, t, K), CKDA_E_SHAPE);
        assert_int_equal(ckda_trans_set(t, v, K), CKDA_E_SHAPE);
        ckda_trans_clear(v, K);
        ckda_trans_clear(u, K);
        ckda_trans_clear(t, K);
    }
    ckda_mat_clear(A, K);
    ckda_mat_clear(B, K);
    ckda_field_clear(K);
}

static void
zero_keys_are_refused_and_results_left_alone(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_trans_t t;
    ckda_mat_t A;
    ckda_poly_t chi;
    ckda_field_init_rational(K);
    ckda_mat_init(A, 4, 4, K);
    ckda_mat_set_entry_si(A, 1, 2, 7, K);
    ckda_poly_init(chi, K);
    ckda_poly_set_coeff_si(chi, 1, 5, K);
    for (int f = CKDA_STEP_FAMILIES; f < CKDA_FAMILIES; f++) {
        ckda_trans_init(t, (ckda_family)f, 4, 0, K);
        ckda_elem_zero(t->key, K);
        assert_int_equal(ckda_trans_check(t, K, NULL), CKDA_E_DOMAIN);
        assert_int_equal(ckda_trans_matrix(A, t, K), CKDA_E_DOMAIN);
        assert_int_equal(ckda_trans_charpoly(chi, t, K), CKDA_E_DOMAIN);
        assert_int_equal(ckda_elem_cmp_si(ckda_mat_entry(A, 1, 2), 7, K), 0);
        assert_int_equal(ckda_poly_degree(chi), 1);
        ckda_trans_clear(t, K);
    }
    ckda_poly_clear(chi, K);
    ckda_mat_clear(A, K);
    ckda_field_clear(K);
}

/* D - u (v * u)^T with u = w/|w|, from matrices of ckda/mat.h. */
static void
rwkv7_matrix_is_its_definition(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_trans_t t;
    ckda_mat_t A, D, P, V;
    ckda_elem_t one;
    ckda_rand r;
    ckda_rand_init(&r, 22);
    ckda_field_init_sqrt(K, 2);
    ckda_elem_init(one, K);
    ckda_elem_one(one, K);
    for (slong n = 1; n <= 5; n++) {
        ckda_trans_init(t, CKDA_RWKV7, n, 0, K);
        ckda_trans_rand(t, &r, K);
        ckda_mat_init(A, n, n, K);
        ckda_mat_init(D, n, n, K);
        ckda_mat_init(P, n, n, K);
        ckda_mat_init(V, n, n, K);
        assert_int_equal(ckda_trans_matrix(A, t, K), CKDA_OK);
        assert_int_equal(ckda_mat_set_diag(D, t->gate, n, K), CKDA_OK);
        assert_int_equal(ckda_mat_set_diag(V, t->more, n, K), CKDA_OK);
        assert_int_equal(ckda_mat_set_householder(P, one, t->key, n, K), CKDA_OK);
        assert_int_equal(ckda_mat_neg(P, P, K), CKDA_OK);
        for (slong i = 0; i < n; i++) /* k k^T = I - H_1 */
            ckda_elem_add(ckda_mat_entry(P, i, i), ckda_mat_entry(P, i, i), one, K);
        assert_int_equal(ckda_mat_mul(P, P, V, K), CKDA_OK);
        assert_int_equal(ckda_mat_sub(D, D, P, K), CKDA_OK);
        assert_true(ckda_mat_equal(NULL, A, D, K));
        ckda_mat_clear(V, K);
        ckda_mat_clear(P, K);
        ckda_mat_clear(D, K);
        ckda_mat_clear(A, K);
        ckda_trans_clear(t, K);
    }
    ckda_elem_clear(one, K);
    ckda_field_clear(K);
}

static void
mdn_matrix_is_the_papers(void **state)
{
    (void)state;
    /* a = 4/5, b = 1/5, e = 5/4, m = 1/2, k = e_1: the block [[3/5, -1/10], [1, 1/2]] */
    ckda_field_t K;
    ckda_trans_t t;
    ckda_mat_t A, B;
    bool equal;
    static const slong want[] = {6, 0, -1, 0, 0, 8, 0, -1, 10, 0, 5, 0, 0, 0, 0, 5};
    ckda_field_init_rational(K);
    ckda_trans_init(t, CKDA_MDN, 4, 0, K);
    for (slong i = 0; i < 2; i++) {
        ckda_elem_set_frac(t->gate + i, 4, 5, K);
        ckda_elem_set_frac(t->gate + 2 + i, 1, 2, K);
    }
    ckda_elem_set_frac(t->beta, 1, 5, K);
    ckda_elem_set_frac(t->more, 5, 4, K);
    ckda_elem_set_si(t->key, 3, K); /* a direction */
    accepted(t, K);
    ckda_mat_init(A, 4, 4, K);
    ckda_mat_init(B, 4, 4, K);
    ckda_mat_set_si(B, want, 10, K);
    assert_int_equal(ckda_trans_matrix(A, t, K), CKDA_OK);
    assert_true(ckda_mat_equal(NULL, A, B, K));
    assert_false(ckda_mat_is_contraction(&equal, A, K)); /* expansive, Table 3 */
    ckda_mat_clear(A, K);
    ckda_mat_clear(B, K);
    ckda_trans_clear(t, K);
    ckda_field_clear(K);
}

static void
sfda_matrix_is_the_real_form_of_the_complex_one(void **state)
{
    (void)state;
    /* m = 2, k = (1, i)/sqrt 2, beta = 1, g = (1, i): (I - k k^*) Diag(1, i)
     *   = 1/2 [[1, i], [-i, 1]] Diag(1, i) = 1/2 [[1, -1], [-i, i]] */
    ckda_field_t K;
    ckda_trans_t t;
    ckda_mat_t A, B;
    static const slong want[] = {1, 0, -1, 0, 0, 1, 0, -1, 0, 1, 0, -1, -1, 0, 1, 0};
    ckda_field_init_rational(K);
    ckda_trans_init(t, CKDA_SFDA, 4, 0, K);
    ckda_elem_one(t->beta, K);
    ckda_elem_one(t->key + 3, K);
    ckda_elem_zero(t->gate + 2, K);
    ckda_elem_one(t->gate + 3, K);
    ckda_mat_init(A, 4, 4, K);
    ckda_mat_init(B, 4, 4, K);
    ckda_mat_set_si(B, want, 2, K);
    assert_int_equal(ckda_trans_matrix(A, t, K), CKDA_OK);
    assert_true(ckda_mat_equal(NULL, A, B, K));
    ckda_mat_clear(A, K);
    ckda_mat_clear(B, K);
    ckda_trans_clear(t, K);
    ckda_field_clear(K);
}

static void
sfda_commutes_with_i_and_never_expands(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_trans_t t;
    ckda_mat_t A, J, L, R;
    ckda_rand r;
    bool equal;
    ckda_rand_init(&r, 23);
    ckda_field_init_rational(K);
    for (int round = 0; round < 30; round++) {
        const slong n = 2 * (1 + round % 4);
        ckda_trans_init(t, CKDA_SFDA, n, 0, K);
        ckda_trans_rand(t, &r, K);
        ckda_mat_init(A, n, n, K);
        ckda_mat_init(J, n, n, K);
        ckda_mat_init(L, n, n, K);
        ckda_mat_init(R, n, n, K);
        for (slong j = 0; j < n; j += 2) {
            ckda_mat_set_entry_si(J, j, j + 1, -1, K);
            ckda_mat_set_entry_si(J, j + 1, j, 1, K);
        }
        assert_int_equal(ckda_trans_matrix(A, t, K), CKDA_OK);
        assert_int_equal(ckda_mat_mul(L, A, J, K), CKDA_OK);
        assert_int_equal(ckda_mat_mul(R, J, A, K), CKDA_OK);
        assert_true(ckda_mat_equal(NULL, L, R, K));
        assert_true(ckda_mat_is_contraction(&equal, A, K));
        ckda_mat_clear(R, K);
        ckda_mat_clear(L, K);
        ckda_mat_clear(J, K);
        ckda_mat_clear(A, K);
        ckda_trans_clear(t, K);
    }
    ckda_field_clear(K);
}

static void
sfda_is_an_isometry_only_without_erasing_and_decay(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_trans_t t;
    ckda_mat_t A;
    ckda_field_init_rational(K);
    ckda_trans_init(t, CKDA_SFDA, 4, 0, K);
    ckda_elem_set_frac(t->gate, 3, 5, K);
    ckda_elem_set_frac(t->gate + 1, 4, 5, K);
    ckda_mat_init(A, 4, 4, K);
    assert_int_equal(ckda_trans_matrix(A, t, K), CKDA_OK);
    assert_true(ckda_mat_is_orthogonal(NULL, A, K));
    ckda_elem_set_frac(t->beta, 1, 100, K);
    assert_int_equal(ckda_trans_matrix(A, t, K), CKDA_OK);
    assert_false(ckda_mat_is_orthogonal(NULL, A, K));
    ckda_elem_zero(t->beta, K);
    ckda_elem_set_frac(t->gate + 1, 3, 5, K);
    assert_int_equal(ckda_trans_matrix(A, t, K), CKDA_OK);
    assert_false(ckda_mat_is_orthogonal(NULL, A, K));
    ckda_mat_clear(A, K);
    ckda_trans_clear(t, K);
    ckda_field_clear(K);
}

static void
random_ones_are_in_range_and_meet_the_corners(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_trans_t t;
    ckda_rand r;
    int unit = 0, zero_b = 0, full_b = 0, copies = 0;
    ckda_elem_t s;
    ckda_rand_init(&r, 24);
    ckda_field_init_sqrt(K, 2);
    ckda_elem_init(s, K);
    for (int round = 0; round < 300; round++) {
        const ckda_family f = (ckda_family)(CKDA_STEP_FAMILIES + round % 3);
        ckda_trans_init(t, f, 4, 0, K);
        ckda_trans_rand(t, &r, K);
        accepted(t, K);
        if (f == CKDA_RWKV7)
            copies += ckda_elem_cmp_si(t->more, 2, K) == 0;
        if (f == CKDA_MDN) {
            ckda_elem_add(s, t->gate, t->beta, K);
            zero_b += ckda_elem_is_zero(t->beta, K);
            full_b += ckda_elem_is_one(s, K);
        }
        if (f == CKDA_SFDA) {
            ckda_elem_mul(s, t->gate, t->gate, K);
            ckda_elem_addmul(s, t->gate + 1, t->gate + 1, K);
            unit += ckda_elem_is_one(s, K);
        }
        ckda_trans_clear(t, K);
    }
    assert_true(unit > 0 && zero_b > 0 && full_b > 0 && copies > 0);
    ckda_elem_clear(s, K);
    ckda_field_clear(K);
}

/* ---- characteristic polynomials ------------------------------------------------------ */

static void
both_ways_agree(const ckda_trans_t t, const ckda_field_t K)
{
    ckda_poly_t fast, dense;
    ckda_mat_t A;
    ckda_poly_init(fast, K);
    ckda_poly_init(dense, K);
    ckda_mat_init(A, t->n, t->n, K);
    ckda_poly_set_coeff_si(fast, 40, 1, K);
    assert_int_equal(ckda_trans_charpoly(fast, t, K), CKDA_OK);
    assert_int_equal(ckda_trans_matrix(A, t, K), CKDA_OK);
    assert_int_equal(ckda_mat_charpoly(dense, A, K), CKDA_OK);
    assert_true(ckda_poly_equal(fast, dense, K));
    ckda_mat_clear(A, K);
    ckda_poly_clear(fast, K);
    ckda_poly_clear(dense, K);
}

static void
charpolys_agree_with_the_dense_way(const ckda_field_t K, uint64_t seed, int rounds,
                                   slong mmax)
{
    ckda_trans_t t;
    ckda_rand r;
    ckda_rand_init(&r, seed);
    for (int round = 0; round < rounds; round++)
        for (int f = CKDA_STEP_FAMILIES; f < CKDA_FAMILIES; f++) {
            const slong m = 1 + round % mmax;
            ckda_trans_init(t, (ckda_family)f, f == CKDA_RWKV7 ? m : 2 * m, 0, K);
            ckda_trans_rand(t, &r, K);
            both_ways_agree(t, K);
            ckda_elem_set_si(t->beta, (slong)ckda_rand_range(&r, -4, 4), K);
            ckda_elem_set_frac(t->gate, (slong)ckda_rand_range(&r, -4, 4), 3, K);
            if (f == CKDA_MDN) /* still one scalar */
                for (slong i = 1; i < m; i++)
                    ckda_elem_set(t->gate + i, t->gate, K);
            both_ways_agree(t, K); /* outside the ranges as well */
            ckda_trans_clear(t, K);
        }
}

static void
charpolys_agree_over_the_rationals(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_field_init_rational(K);
    charpolys_agree_with_the_dense_way(K, 31, 40, 4);
    ckda_field_clear(K);
}

static void
charpolys_agree_over_sqrt5(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_field_init_sqrt(K, 5);
    charpolys_agree_with_the_dense_way(K, 32, 15, 3);
    ckda_field_clear(K);
}

/* [source: Table 1]  With erase v = s^2 the polynomial is that of the symmetric matrix
 * D - (s * k)(s * k)^T, so the spectrum is real, also for decays of both signs. */
static void
rwkv7_with_square_erase_has_a_symmetric_twin(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_trans_t t;
    ckda_mat_t S;
    ckda_poly_t chi, twin;
    ckda_elem_t s[5], N;
    ckda_rand r;
    ckda_rand_init(&r, 33);
    ckda_field_init_rational(K);
    ckda_poly_init(chi, K);
    ckda_poly_init(twin, K);
    ckda_elem_init(N, K);
    for (int i = 0; i < 5; i++)
        ckda_elem_init(s[i], K);
    for (int round = 0; round < 25; round++) {
        const slong n = 1 + round % 5;
        ckda_trans_init(t, CKDA_RWKV7, n, 0, K);
        ckda_trans_rand(t, &r, K);
        ckda_elem_zero(N, K);
        for (slong i = 0; i < n; i++) {
            ckda_elem_rand(s[i], &r, 3, 3, K);
            ckda_elem_mul(t->more + i, s[i], s[i], K);
            if (i % 2 == 1)
                ckda_elem_neg(t->gate + i, t->gate + i, K);
            ckda_elem_addmul(N, t->key + i, t->key + i, K);
        }
        ckda_mat_init(S, n, n, K);
        for (slong i = 0; i < n; i++)
            for (slong j = 0; j < n; j++) {
                ckda_elem_struct *x = ckda_mat_entry(S, i, j);
                ckda_elem_mul(x, s[i], s[j], K);
                ckda_elem_mul(x, x, t->key + i, K);
                ckda_elem_mul(x, x, t->key + j, K);
                assert_int_equal(ckda_elem_div(x, x, N, K), CKDA_OK);
                ckda_elem_neg(x, x, K);
                if (i == j)
                    ckda_elem_add(x, x, t->gate + i, K);
            }
        assert_true(ckda_mat_is_symmetric(S, K));
        assert_int_equal(ckda_mat_charpoly(twin, S, K), CKDA_OK);
        assert_int_equal(ckda_trans_charpoly(chi, t, K), CKDA_OK);
        assert_true(ckda_poly_equal(chi, twin, K));
        ckda_mat_clear(S, K);
        ckda_trans_clear(t, K);
    }
    for (int i = 0; i < 5; i++)
        ckda_elem_clear(s[i], K);
    ckda_elem_clear(N, K);
    ckda_poly_clear(twin, K);
    ckda_poly_clear(chi, K);
    ckda_field_clear(K);
}

/* [source: D.5]  decay g, erase g beta: the gated delta step g (I - beta k k^T). */
static void
rwkv7_contains_gated_delta_steps(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_trans_t t, u;
    ckda_mat_t A, B;
    ckda_rand r;
    ckda_rand_init(&r, 34);
    ckda_field_init_sqrt(K, 2);
    ckda_mat_init(A, 4, 4, K);
    ckda_mat_init(B, 4, 4, K);
    ckda_trans_init(t, CKDA_GDN, 4, 1, K);
    ckda_trans_init(u, CKDA_RWKV7, 4, 0, K);
    for (int round = 0; round < 10; round++) {
        ckda_trans_rand(t, &r, K);
        for (slong i = 0; i < 4; i++) {
            ckda_elem_set(u->key + i, t->key + i, K);
            ckda_elem_set(u->gate + i, t->gate + i, K);
            ckda_elem_mul(u->more + i, t->gate, t->beta, K);
        }
        accepted(u, K);
        assert_int_equal(ckda_trans_matrix(A, t, K), CKDA_OK);
        assert_int_equal(ckda_trans_matrix(B, u, K), CKDA_OK);
        assert_true(ckda_mat_equal(NULL, A, B, K));
    }
    ckda_trans_clear(u, K);
    ckda_trans_clear(t, K);
    ckda_mat_clear(B, K);
    ckda_mat_clear(A, K);
    ckda_field_clear(K);
}

static void
rwkv7_copies_a_column_and_expands(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_trans_t t;
    ckda_mat_t A, B;
    bool equal;
    static const slong want[] = {1, 1, 0, 0}; /* I + (e_1 - e_2) e_2^T */
    ckda_field_init_rational(K);
    ckda_trans_init(t, CKDA_RWKV7, 2, 0, K);
    ckda_elem_set_si(t->key + 1, -1, K);
    ckda_elem_set_si(t->more + 1, 2, K);
    accepted(t, K);
    ckda_mat_init(A, 2, 2, K);
    ckda_mat_init(B, 2, 2, K);
    ckda_mat_set_si(B, want, 1, K);
    assert_int_equal(ckda_trans_matrix(A, t, K), CKDA_OK);
    assert_true(ckda_mat_equal(NULL, A, B, K));
    assert_false(ckda_mat_is_contraction(&equal, A, K));
    ckda_mat_clear(B, K);
    ckda_mat_clear(A, K);
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
        cmocka_unit_test(rwkv7_ranges_are_named),
        cmocka_unit_test(mdn_ranges_are_named),
        cmocka_unit_test(the_lower_end_of_mu_is_decided_beside_a_transcendental_number),
        cmocka_unit_test(sfda_ranges_are_named),
        cmocka_unit_test(new_ones_are_the_identity),
        cmocka_unit_test(copies_are_equal_and_other_forms_do_not_fit),
        cmocka_unit_test(zero_keys_are_refused_and_results_left_alone),
        cmocka_unit_test(rwkv7_matrix_is_its_definition),
        cmocka_unit_test(mdn_matrix_is_the_papers),
        cmocka_unit_test(sfda_matrix_is_the_real_form_of_the_complex_one),
        cmocka_unit_test(sfda_commutes_with_i_and_never_expands),
        cmocka_unit_test(sfda_is_an_isometry_only_without_erasing_and_decay),
        cmocka_unit_test(random_ones_are_in_range_and_meet_the_corners),
        cmocka_unit_test(charpolys_agree_over_the_rationals),
        cmocka_unit_test(charpolys_agree_over_sqrt5),
        cmocka_unit_test(rwkv7_with_square_erase_has_a_symmetric_twin),
        cmocka_unit_test(rwkv7_contains_gated_delta_steps),
        cmocka_unit_test(rwkv7_copies_a_column_and_expands),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
