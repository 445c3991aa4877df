/* Diagonal plus rank one: recognition, characteristic polynomial, inverse spectrum. */
#include "factor_util.h"

static ckda_field_t Q;

static void
rand_dpr1(ckda_dpr1_t d, ckda_rand *r, const ckda_field_t K)
{
    for (slong i = 0; i < d->n; i++) {
        ckda_elem_rand(d->diagonal + i, r, 5, 3, K);
        ckda_elem_set_si(d->u + i, ckda_rand_range(r, -2, 2), K);
        ckda_elem_rand(d->v + i, r, 2, 2, K);
    }
}

static void
found_form_reproduces_the_matrix(void **state)
{
    ckda_rand r;

    (void)state;
    ckda_rand_init(&r, 1);
    for (int round = 0; round < 60; round++) {
        slong n = 1 + (slong)ckda_rand_below(&r, 6);
        ckda_dpr1_t d, e;
        ckda_mat_t A, B;

        ckda_dpr1_init(d, n, Q);
        ckda_dpr1_init(e, 0, Q); /* takes the dimension of A */
        ckda_mat_init(A, n, n, Q);
        ckda_mat_init(B, n, n, Q);
        rand_dpr1(d, &r, Q);
        assert_int_equal(ckda_dpr1_matrix(A, d, Q), CKDA_OK);
        assert_int_equal(ckda_dpr1_find(e, NULL, A, Q), CKDA_OK);
        assert_int_equal(e->n, n);
        assert_int_equal(ckda_dpr1_matrix(B, e, Q), CKDA_OK);
        assert_true(ckda_mat_equal(NULL, A, B, Q));
        ckda_mat_clear(B, Q);
        ckda_mat_clear(A, Q);
        ckda_dpr1_clear(e, Q);
        ckda_dpr1_clear(d, Q);
    }
}

/* For off-diagonal entries 0, 1 the form exists iff they are the cells of a rectangle U x
 * V. */
static bool
is_rectangle(const ckda_mat_t A)
{
    slong n = A->rows;

    for (unsigned U = 0; U < 1u << n; U++)
        for (unsigned V = 0; V < 1u << n; V++) {
            bool ok = true;

            for (slong i = 0; i < n && ok; i++)
                for (slong j = 0; j < n && ok; j++)
                    ok = i == j
                         || ckda_elem_is_zero(ckda_mat_entry(A, i, j), Q)
                                != ((U >> i & 1) && (V >> j & 1));
            if (ok)
                return true;
        }
    return false;
}

static void
decider_is_right_on_all_zero_patterns_of_size_3_and_some_of_size_4(void **state)
{
    long found = 0;
    ckda_rand r;

    (void)state;
    ckda_rand_init(&r, 2);
    for (unsigned round = 0; round < 64 + 300; round++) {
        slong n = round < 64 ? 3 : 4, k = 0;
        uint64_t bits = round < 64 ? round : ckda_rand_u64(&r) | ckda_rand_u64(&r);
        ckda_index at = {-1, -1};
        ckda_status st;
        ckda_dpr1_t d;
        ckda_mat_t A;

        ckda_dpr1_init(d, n, Q);
        ckda_mat_init(A, n, n, Q);
        for (slong i = 0; i < n; i++)
            for (slong j = 0; j < n; j++)
                ckda_mat_set_entry_si(A, i, j, i == j ? 7 : (slong)(bits >> k++ & 1), Q);
        st = ckda_dpr1_find(d, &at, A, Q);
        assert_int_equal(st, is_rectangle(A) ? CKDA_OK : CKDA_E_DOMAIN);
        if (st != CKDA_OK)
            assert_true(at.row >= 0 && at.col >= 0 && at.row != at.col);
        found += st == CKDA_OK;
        ckda_mat_clear(A, Q);
        ckda_dpr1_clear(d, Q);
    }
    assert_true(found > 30 && found < 334);
}

static void
every_2x2_matrix_has_the_form(void **state)
{
    ckda_rand r;
    ckda_dpr1_t d;
    ckda_mat_t A, B;

    (void)state;
    ckda_rand_init(&r, 3);
    ckda_dpr1_init(d, 2, Q);
    ckda_mat_init(A, 2, 2, Q);
    ckda_mat_init(B, 2, 2, Q);
    for (int round = 0; round < 40; round++) {
        ckda_mat_rand(A, &r, 1, 1, Q); /* entries -1, 0, 1: all corners */
        assert_int_equal(ckda_dpr1_find(d, NULL, A, Q), CKDA_OK);
        assert_int_equal(ckda_dpr1_matrix(B, d, Q), CKDA_OK);
        assert_true(ckda_mat_equal(NULL, A, B, Q));
    }
    ckda_mat_clear(B, Q);
    ckda_mat_clear(A, Q);
    ckda_dpr1_clear(d, Q);
}

static void
failures_leave_the_result_alone(void **state)
{
    ckda_dpr1_t d;
    ckda_mat_t A, R;

    (void)state;
    dpr1_init_text(d, 2, "1 2", "3 4", "5 6", Q);
    ckda_mat_init(R, 2, 3, Q);
    assert_int_equal(ckda_dpr1_find(d, NULL, R, Q), CKDA_E_SHAPE);
    assert_int_equal(ckda_dpr1_matrix(R, d, Q), CKDA_E_SHAPE);
    mat_init_text(A, 4, "0 0 0 1  1 0 0 0  0 1 0 0  0 0 1 0", Q); /* C_4 */
    assert_int_equal(ckda_dpr1_find(d, NULL, A, Q), CKDA_E_DOMAIN);
    assert_int_equal(d->n, 2);
    assert_int_equal(ckda_elem_cmp_si(d->v + 1, 6, Q), 0);
    ckda_mat_clear(A, Q);
    ckda_mat_clear(R, Q);
    ckda_dpr1_clear(d, Q);
}

static void
secular_and_dense_characteristic_polynomials_agree(void **state)
{
    ckda_field_t K;
    ckda_rand r;

    (void)state;
    ckda_rand_init(&r, 4);
    ckda_field_init_sqrt(K, 2);
    for (int round = 0; round < 20; round++) {
        slong n = (slong)ckda_rand_below(&r, 6); /* 0 included */
        ckda_dpr1_t d;
        ckda_poly_t f, g;
        ckda_mat_t A;

        ckda_dpr1_init(d, n, K);
        ckda_mat_init(A, n, n, K);
        ckda_poly_init(f, K);
        ckda_poly_init(g, K);
        rand_dpr1(d, &r, K);
        assert_int_equal(ckda_dpr1_matrix(A, d, K), CKDA_OK);
        ckda_dpr1_charpoly(f, d, K);
        assert_int_equal(ckda_mat_charpoly(g, A, K), CKDA_OK);
        assert_true(ckda_poly_equal(f, g, K));
        ckda_poly_clear(g, K);
        ckda_poly_clear(f, K);
        ckda_mat_clear(A, K);
        ckda_dpr1_clear(d, K);
    }
    ckda_field_clear(K);
}

static void
inverse_spectrum_has_the_prescribed_polynomial(void **state)
{
    ckda_rand r;

    (void)state;
    ckda_rand_init(&r, 5);
    for (int round = 0; round < 20; round++) {
        slong n = 1 + (slong)ckda_rand_below(&r, 6);
        ckda_elem_t c;
        ckda_dpr1_t d;
        ckda_poly_t chi, got;
        ckda_mat_t A;
        ckda_root_counts want, have;

        ckda_dpr1_init(d, n, Q);
        ckda_mat_init(A, n, n, Q);
        ckda_poly_init(chi, Q);
        ckda_poly_init(got, Q);
        ckda_elem_init(c, Q);
        for (slong i = 0; i < n; i++) {
            ckda_elem_rand(c, &r, 5, 4, Q);
            ckda_poly_set_coeff(chi, i, c, Q);
            ckda_elem_set_frac(d->diagonal + i, 2 * i - n, 3, Q);
        }
        ckda_poly_set_coeff_si(chi, n, 1, Q);
        assert_int_equal(ckda_dpr1_with_charpoly(d, d->diagonal, chi, Q), CKDA_OK);
        assert_int_equal(ckda_dpr1_matrix(A, d, Q), CKDA_OK);
        assert_int_equal(ckda_mat_charpoly(got, A, Q), CKDA_OK);
        assert_true(ckda_poly_equal(got, chi, Q));
        ckda_poly_count_roots(&want, chi, Q);
        assert_int_equal(ckda_mat_count_eigenvalues(&have, A, Q), CKDA_OK);
        assert_int_equal(have.nonreal_pairs, want.nonreal_pairs);
        ckda_elem_clear(c, Q);
        ckda_poly_clear(got, Q);
        ckda_poly_clear(chi, Q);
        ckda_mat_clear(A, Q);
        ckda_dpr1_clear(d, Q);
    }
}

static void
inverse_spectrum_refuses_equal_gates_and_wrong_degrees(void **state)
{
    ckda_dpr1_t d;
    ckda_poly_t chi;

    (void)state;
    dpr1_init_text(d, 2, "1 1", "3 4", "5 6", Q);
    ckda_poly_init(chi, Q);
    ckda_poly_set_coeff_si(chi, 2, 1, Q);
    assert_int_equal(ckda_dpr1_with_charpoly(d, d->diagonal, chi, Q), CKDA_E_DOMAIN);
    ckda_poly_set_coeff_si(chi, 3, 1, Q);
    assert_int_equal(ckda_dpr1_with_charpoly(d, d->diagonal, chi, Q), CKDA_E_SHAPE);
    assert_int_equal(ckda_elem_cmp_si(d->u, 3, Q), 0);
    ckda_poly_clear(chi, Q);
    ckda_dpr1_clear(d, Q);
}

static void
open_vector_o8_two_interior_pairs(void **state)
{
    ckda_spectrum_t s;
    ckda_elem_t six;
    ckda_dpr1_t d;
    ckda_mat_t A;

    (void)state;
    dpr1_init_text(d, 4, "1/6 -1/6 1/3 -1/3", "1/9 -1/9 -25/72 25/72", "1 1 1 1", Q);
    ckda_mat_init(A, 4, 4, Q);
    ckda_spectrum_init(s, Q);
    ckda_elem_init(six, Q);
    assert_int_equal(ckda_dpr1_matrix(A, d, Q), CKDA_OK);
    assert_int_equal(ckda_spectrum_matrix(s, A, Q), CKDA_OK);
    {
        ckda_poly_t f;

        ckda_poly_init(f, Q); /* (x^2 + 1/36)^2 */
        ckda_elem_set_frac(six, 1, 36, Q);
        ckda_poly_set_coeff(f, 0, six, Q);
        ckda_poly_set_coeff_si(f, 2, 1, Q);
        ckda_poly_mul(f, f, f, Q);
        assert_true(ckda_poly_equal(f, s->charpoly, Q));
        ckda_poly_clear(f, Q);
    }
    assert_int_equal(s->counts.nonreal_pairs, 2);
    assert_int_equal(s->counts.unit_circle_pairs, 0);
    assert_true(s->norm_at_most_1);
    assert_false(s->norm_equals_1);
    ckda_elem_set_si(six, 6,
                     Q); /* six times as large: both pairs on the circle, expansive */
    assert_int_equal(ckda_mat_scalar_mul(A, A, six, Q), CKDA_OK);
    assert_int_equal(ckda_spectrum_matrix(s, A, Q), CKDA_OK);
    assert_int_equal(s->counts.nonreal_pairs, 2);
    assert_int_equal(s->counts.unit_circle_pairs, 2);
    assert_false(s->norm_at_most_1);
    ckda_elem_clear(six, Q);
    ckda_spectrum_clear(s, Q);
    ckda_mat_clear(A, Q);
    ckda_dpr1_clear(d, Q);
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
        cmocka_unit_test(found_form_reproduces_the_matrix),
        cmocka_unit_test(
            decider_is_right_on_all_zero_patterns_of_size_3_and_some_of_size_4),
        cmocka_unit_test(every_2x2_matrix_has_the_form),
        cmocka_unit_test(failures_leave_the_result_alone),
        cmocka_unit_test(secular_and_dense_characteristic_polynomials_agree),
        cmocka_unit_test(inverse_spectrum_has_the_prescribed_polynomial),
        cmocka_unit_test(inverse_spectrum_refuses_equal_gates_and_wrong_degrees),
        cmocka_unit_test(open_vector_o8_two_interior_pairs),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
