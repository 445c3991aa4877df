/* Theorem 1: certificates, numbers of representations, refusals. */
#include "factor_util.h"

static ckda_field_t Q;

static void
assert_signs(const ckda_decomposition_t dec, const int *want)
{
    for (slong i = 0; i < dec->n; i++)
        assert_int_equal(dec->signs[i], want[i]);
}

static void
open_vector_o1_has_two_representations(void **state)
{
    ckda_decomposition_t dec;
    ckda_mat_t A;

    (void)state;
    mat_init_text(A, 2, "0 -1  1 0", Q);
    ckda_decomposition_init(dec, Q);
    assert_int_equal(ckda_decompose_matrix(dec, A, Q), CKDA_OK);
    assert_true(dec->orthogonal && dec->dpr1 && dec->verified);
    assert_null(dec->reason);
    assert_int_equal(dec->representations, 2);
    assert_int_equal(dec->signs[0], -dec->signs[1]);
    assert_true(proportional(dec->key, dec->signs[0] < 0 ? "1 1" : "1 -1", 2, Q));
    ckda_decomposition_clear(dec, Q);
    ckda_mat_clear(A, Q);
}

static void
open_vector_o4_diagonal_is_not_the_sign_matrix(void **state)
{
    ckda_decomposition_t dec;
    ckda_root_counts counts;
    ckda_dpr1_t d;
    ckda_poly_t chi; /* x^2 - 6/5 x + 1 */

    (void)state;
    dpr1_init_text(d, 2, "1/5 11/5", "1 2", "2/5 -4/5", Q);
    ckda_decomposition_init(dec, Q);
    ckda_poly_init(chi, Q);
    ckda_dpr1_charpoly(chi, d, Q);
    ckda_poly_count_roots(&counts, chi, Q);
    assert_int_equal(counts.nonreal_pairs, 1);
    assert_int_equal(counts.unit_circle_pairs, 1);
    ckda_poly_clear(chi, Q);
    assert_int_equal(ckda_decompose_dpr1(dec, d, Q), CKDA_OK);
    assert_true(dec->verified);
    assert_signs(dec, (int[]){-1, 1});
    {
        ckda_elem_struct w[2];

        for (int i = 0; i < 2; i++)
            ckda_elem_init(w + i, Q);
        set_row(w, 2, "5/4 5/8", Q);
        assert_true(ckda_elem_equal(w, dec->key, Q));
        assert_true(ckda_elem_equal(w + 1, dec->key + 1, Q));
        for (int i = 0; i < 2; i++)
            ckda_elem_clear(w + i, Q);
    }
    assert_int_equal(dec->representations, 2);
    ckda_decomposition_clear(dec, Q);
    ckda_dpr1_clear(d, Q);
}

static void
open_vector_o5_is_unique_with_one_pair(void **state)
{
    ckda_decomposition_t dec;
    ckda_spectrum_t s;
    ckda_elem_t c;
    ckda_dpr1_t d;
    ckda_mat_t A;

    (void)state;
    dpr1_init_text(d, 3, "1 -1 1", "1 2 2", "-2/9 4/9 -4/9", Q);
    ckda_mat_init(A, 3, 3, Q);
    ckda_elem_init(c, Q);
    ckda_spectrum_init(s, Q);
    ckda_decomposition_init(dec, Q);
    assert_int_equal(ckda_decompose_dpr1(dec, d, Q), CKDA_OK);
    assert_true(dec->verified);
    assert_signs(dec, (int[]){1, -1, 1});
    assert_true(proportional(dec->key, "1 2 2", 3, Q));
    assert_int_equal(dec->representations, 1);
    assert_int_equal(ckda_dpr1_matrix(A, d, Q), CKDA_OK);
    assert_int_equal(ckda_spectrum_matrix(s, A, Q), CKDA_OK);
    ckda_elem_set_frac(c, -7, 9, Q); /* x^3 - 7/9 x^2 + 7/9 x - 1 */
    assert_true(ckda_elem_equal(c, s->charpoly->coeff + 2, Q));
    ckda_elem_neg(c, c, Q);
    assert_true(ckda_elem_equal(c, s->charpoly->coeff + 1, Q));
    assert_int_equal(ckda_elem_cmp_si(s->charpoly->coeff, -1, Q), 0);
    assert_int_equal(s->counts.nonreal_pairs, 1);
    assert_int_equal(s->counts.unit_circle_pairs, 1);
    assert_true(s->norm_equals_1);
    ckda_decomposition_clear(dec, Q);
    ckda_spectrum_clear(s, Q);
    ckda_elem_clear(c, Q);
    ckda_mat_clear(A, Q);
    ckda_dpr1_clear(d, Q);
}

/* Certificate, re-expansion here, number of representations by search and by force, the
 * same from the plain matrix. */
static void
check_orthogonal(const ckda_dpr1_t d, const ckda_field_t K)
{
    ckda_decomposition_t dec, plain;
    ckda_mat_t A, B;

    ckda_mat_init(A, d->n, d->n, K);
    ckda_mat_init(B, d->n, d->n, K);
    ckda_decomposition_init(dec, K);
    ckda_decomposition_init(plain, K);
    assert_int_equal(ckda_dpr1_matrix(A, d, K), CKDA_OK);
    assert_true(ckda_mat_is_orthogonal(NULL, A, K));
    assert_int_equal(ckda_decompose_dpr1(dec, d, K), CKDA_OK);
    assert_true(dec->verified);
    assert_int_equal(ckda_signed_householder_matrix(B, dec->signs, dec->key, K), CKDA_OK);
    assert_true(ckda_mat_equal(NULL, A, B, K));
    assert_int_equal(dec->representations, ckda_householder_count_brute(A, K));
    assert_int_equal(ckda_decompose_matrix(plain, A, K), CKDA_OK);
    assert_true(plain->verified);
    assert_int_equal(plain->representations, dec->representations);
    ckda_decomposition_clear(plain, K);
    ckda_decomposition_clear(dec, K);
    ckda_mat_clear(B, K);
    ckda_mat_clear(A, K);
}

static void
generated_inputs_of_support_2_decompose(void **state)
{
    slong free_d = 0;
    ckda_rand r;

    (void)state;
    ckda_rand_init(&r, 1);
    for (int round = 0; round < 20; round++) {
        ckda_decomposition_t dec;
        ckda_elem_t a;
        ckda_dpr1_t d;

        ckda_dpr1_init(d, 2 + (slong)ckda_rand_below(&r, 4), Q);
        ckda_gen_support2(d, &r, 6, Q);
        check_orthogonal(d, Q);
        ckda_decomposition_init(dec, Q);
        assert_int_equal(ckda_decompose_dpr1(dec, d, Q), CKDA_OK);
        assert_int_equal(dec->representations, 2);
        ckda_elem_init(a, Q);
        for (slong i = 0; i < d->n; i++) {
            ckda_elem_abs(a, d->diagonal + i, Q);
            free_d += ckda_elem_cmp_si(a, 1, Q) > 0;
        }
        ckda_elem_clear(a, Q);
        ckda_decomposition_clear(dec, Q);
        ckda_dpr1_clear(d, Q);
    }
    assert_true(free_d >= 10); /* the point of this generator: |d_i| > 1 */
}

static void
generated_diagonal_inputs_have_n_representations(void **state)
{
    ckda_rand r;

    (void)state;
    ckda_rand_init(&r, 2);
    for (int round = 0; round < 20; round++) {
        ckda_decomposition_t dec;
        ckda_dpr1_t d;

        ckda_dpr1_init(d, 1 + (slong)ckda_rand_below(&r, 5), Q);
        ckda_gen_diagonal(d, &r, 5, Q);
        check_orthogonal(d, Q);
        ckda_decomposition_init(dec, Q);
        assert_int_equal(ckda_decompose_dpr1(dec, d, Q), CKDA_OK);
        assert_int_equal(dec->representations, d->n);
        ckda_decomposition_clear(dec, Q);
        ckda_dpr1_clear(d, Q);
    }
}

static void
generated_inputs_of_support_3_and_more_are_unique(void **state)
{
    ckda_rand r;

    (void)state;
    ckda_rand_init(&r, 3);
    for (int round = 0; round < 20; round++) {
        slong n = 3 + (slong)ckda_rand_below(&r, 4);
        ckda_decomposition_t dec;
        ckda_dpr1_t d;

        ckda_dpr1_init(d, n, Q);
        ckda_gen_support(d, 3 + (slong)ckda_rand_below(&r, (uint64_t)n - 2), &r, 5, Q);
        check_orthogonal(d, Q);
        ckda_decomposition_init(dec, Q);
        assert_int_equal(ckda_decompose_dpr1(dec, d, Q), CKDA_OK);
        assert_int_equal(dec->representations, 1);
        for (slong i = 0; i < n; i++) /* rigidity: D was the sign matrix already */
            assert_int_equal(ckda_elem_cmp_si(d->diagonal + i, dec->signs[i], Q), 0);
        ckda_decomposition_clear(dec, Q);
        ckda_dpr1_clear(d, Q);
    }
}

static void
generated_inputs_over_the_golden_field_decompose(void **state)
{
    ckda_field_t K;
    ckda_rand r;

    (void)state;
    ckda_rand_init(&r, 4);
    ckda_field_init_cos(K, 5);
    for (int round = 0; round < 12; round++) {
        ckda_dpr1_t d;

        ckda_dpr1_init(d, 1 + (slong)ckda_rand_below(&r, 4), K);
        ckda_gen_thm1(d, &r, 3, K);
        check_orthogonal(d, K);
        ckda_dpr1_clear(d, K);
    }
    ckda_field_clear(K);
}

static void
perturbed_inputs_are_refused_with_the_entry(void **state)
{
    ckda_rand r;

    (void)state;
    ckda_rand_init(&r, 5);
    for (int round = 0; round < 30; round++) {
        ckda_decomposition_t dec;
        ckda_dpr1_t d;

        ckda_dpr1_init(d, 1 + (slong)ckda_rand_below(&r, 5), Q);
        ckda_gen_not_orthogonal(d, &r, 4, Q);
        ckda_decomposition_init(dec, Q);
        assert_int_equal(ckda_decompose_dpr1(dec, d, Q), CKDA_OK);
        assert_false(dec->orthogonal);
        assert_false(dec->verified);
        assert_true(dec->dpr1);
        assert_non_null(dec->reason);
        assert_false(ckda_elem_equal(&dec->got, &dec->want, Q));
        assert_int_equal(dec->representations, 0);
        ckda_decomposition_clear(dec, Q);
        ckda_dpr1_clear(d, Q);
    }
}

static void
refusal_names_entry_got_and_want(void **state)
{
    ckda_decomposition_t dec;
    ckda_elem_t x;
    ckda_dpr1_t d;

    (void)state;
    dpr1_init_text(d, 2, "1/5 12/5", "1 2", "2/5 -4/5", Q); /* O4 with d_2 changed */
    ckda_decomposition_init(dec, Q);
    ckda_elem_init(x, Q);
    assert_int_equal(ckda_decompose_dpr1(dec, d, Q), CKDA_OK);
    assert_false(dec->orthogonal);
    assert_int_equal(dec->at.row, 0); /* A = [[3/5, -4/5], [4/5, 4/5]] */
    assert_int_equal(dec->at.col, 1);
    ckda_elem_set_frac(x, 4, 25, Q);
    assert_true(ckda_elem_equal(&dec->got, x, Q));
    assert_true(ckda_elem_is_zero(&dec->want, Q));
    ckda_elem_clear(x, Q);
    ckda_decomposition_clear(dec, Q);
    ckda_dpr1_clear(d, Q);
}

static void
orthogonal_matrices_that_are_not_dpr1_are_refused(void **state)
{
    ckda_rand r;

    (void)state;
    ckda_rand_init(&r, 6);
    for (int round = 0; round < 10; round++) {
        ckda_decomposition_t dec;
        ckda_mat_t A;
        slong n = 4 + (slong)ckda_rand_below(&r, 3);

        ckda_mat_init(A, n, n, Q);
        ckda_gen_not_dpr1(A, &r, 4, Q);
        ckda_decomposition_init(dec, Q);
        assert_true(ckda_mat_is_orthogonal(NULL, A, Q));
        assert_int_equal(ckda_decompose_matrix(dec, A, Q), CKDA_OK);
        assert_true(dec->orthogonal);
        assert_false(dec->dpr1);
        assert_false(dec->verified);
        assert_true(dec->at.row != dec->at.col);
        assert_true(
            ckda_elem_equal(&dec->got, ckda_mat_entry(A, dec->at.row, dec->at.col), Q));
        assert_false(ckda_elem_equal(&dec->got, &dec->want, Q));
        assert_int_equal(ckda_householder_count(A, Q), 0);
        assert_int_equal(ckda_householder_count_brute(A, Q), 0);
        ckda_decomposition_clear(dec, Q);
        ckda_mat_clear(A, Q);
    }
}

static void
formulas_refuse_what_is_not_orthogonal_and_change_nothing(void **state)
{
    ckda_elem_struct key[2];
    int signs[2] = {5, 6};
    ckda_dpr1_t d;

    (void)state;
    for (int i = 0; i < 2; i++)
        ckda_elem_init(key + i, Q);
    dpr1_init_text(d, 2, "1 3", "1 0", "1 1", Q); /* u_2 = 0 but d_2 is no sign */
    assert_int_equal(ckda_thm1_certificate(signs, key, d, Q), CKDA_E_DOMAIN);
    assert_int_equal(signs[0], 5);
    assert_true(ckda_elem_is_zero(key, Q));
    set_row(d->diagonal, 2, "2 3", Q); /* diagonal but no sign matrix */
    set_row(d->u, 2, "0 0", Q);
    assert_int_equal(ckda_thm1_certificate(signs, key, d, Q), CKDA_E_DOMAIN);
    assert_int_equal(signs[1], 6);
    ckda_dpr1_clear(d, Q);
    for (int i = 0; i < 2; i++)
        ckda_elem_clear(key + i, Q);
}

static void
wrong_shapes_leave_the_decomposition_alone(void **state)
{
    ckda_decomposition_t dec;
    ckda_dpr1_t d;
    ckda_mat_t A;

    (void)state;
    ckda_decomposition_init(dec, Q);
    mat_init_text(A, 2, "0 1  1 0", Q);
    assert_int_equal(ckda_decompose_matrix(dec, A, Q), CKDA_OK);
    assert_true(dec->verified);
    ckda_mat_clear(A, Q);
    ckda_mat_init(A, 2, 3, Q);
    assert_int_equal(ckda_decompose_matrix(dec, A, Q), CKDA_E_SHAPE);
    ckda_dpr1_init(d, 0, Q);
    assert_int_equal(ckda_decompose_dpr1(dec, d, Q), CKDA_E_SHAPE);
    assert_true(dec->verified);
    assert_int_equal(dec->n, 2);
    ckda_dpr1_clear(d, Q);
    ckda_mat_clear(A, Q);
    ckda_decomposition_clear(dec, Q);
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
        cmocka_unit_test(open_vector_o1_has_two_representations),
        cmocka_unit_test(open_vector_o4_diagonal_is_not_the_sign_matrix),
        cmocka_unit_test(open_vector_o5_is_unique_with_one_pair),
        cmocka_unit_test(generated_inputs_of_support_2_decompose),
        cmocka_unit_test(generated_diagonal_inputs_have_n_representations),
        cmocka_unit_test(generated_inputs_of_support_3_and_more_are_unique),
        cmocka_unit_test(generated_inputs_over_the_golden_field_decompose),
        cmocka_unit_test(perturbed_inputs_are_refused_with_the_entry),
        cmocka_unit_test(refusal_names_entry_got_and_want),
        cmocka_unit_test(orthogonal_matrices_that_are_not_dpr1_are_refused),
        cmocka_unit_test(formulas_refuse_what_is_not_orthogonal_and_change_nothing),
        cmocka_unit_test(wrong_shapes_leave_the_decomposition_alone),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
