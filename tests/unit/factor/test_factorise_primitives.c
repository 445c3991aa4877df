/* Primitives: each against its matrix, refusals, lists as values. */
#include "factorise_util.h"

static ckda_field_t Q;

static void
swap_is_the_transposition(void **state)
{
    ckda_factors_t f;

    (void)state;
    ckda_factors_init(f, 3, Q);
    assert_int_equal(ckda_factors_push_swap(f, 0, 2, Q), CKDA_OK);
    assert_true(step_is(f, 0, "2", "1 0 -1", "1 1 1", Q));
    assert_true(multiplies_to_text(f, "0 0 1  0 1 0  1 0 0", Q));
    ckda_factors_clear(f, Q);
}

static void
open_vector_v1_merge(void **state)
{
    ckda_factors_t f, g;

    (void)state;
    ckda_factors_init(f, 2, Q);
    ckda_factors_init(g, 2, Q);
    assert_int_equal(ckda_factors_push_merge(f, 0, (slong[]){1}, 1, Q), CKDA_OK);
    assert_int_equal(f->count, 2);
    assert_true(step_is(f, 0, "5/3", "3 1", "1 1", Q));
    assert_true(step_is(f, 1, "3", "1 0", "1 0", Q));
    assert_true(multiplies_to_text(f, "1 1  0 0", Q));
    assert_int_equal(ckda_factors_push(g, f->step, Q), CKDA_OK);
    assert_true(multiplies_to_text(g, "-1/2 -1/2  -1/2 5/6", Q));
    ckda_factors_clear(g, Q);
    ckda_factors_clear(f, Q);
}

static void
merge_of_three_sources_takes_two_factors(void **state)
{
    ckda_factors_t f;

    (void)state;
    ckda_factors_init(f, 4, Q);
    assert_int_equal(ckda_factors_push_merge(f, 2, (slong[]){3, 0, 1}, 3, Q), CKDA_OK);
    assert_int_equal(f->count, 2);
    assert_true(elem_is(f->step[0].beta, "2", Q));
    assert_true(multiplies_to_text(f, "0 0 0 0  0 0 0 0  1 1 1 1  0 0 0 0", Q));
    ckda_factors_clear(f, Q);
}

static void
semi_merge_leaves_the_source_to_be_cleared(void **state)
{
    ckda_factors_t f;

    (void)state;
    ckda_factors_init(f, 2, Q);
    assert_int_equal(ckda_factors_push_semi_merge(f, 0, (slong[]){1}, 1, Q), CKDA_OK);
    assert_true(step_is(f, 0, "5/2", "2 1", "-1 -1", Q));
    assert_true(multiplies_to_text(f, "1 1  1 -1/2", Q));
    assert_int_equal(ckda_factors_push_clear(f, (slong[]){1}, 1, Q), CKDA_OK);
    assert_true(multiplies_to_text(f, "1 1  0 0", Q));
    ckda_factors_clear(f, Q);
}

static void
semi_merge_of_two_sources(void **state)
{
    ckda_factors_t f;

    (void)state;
    ckda_factors_init(f, 3, Q);
    assert_int_equal(ckda_factors_push_semi_merge(f, 1, (slong[]){0, 2}, 2, Q), CKDA_OK);
    assert_true(elem_is(f->step->beta, "3", Q));
    assert_int_equal(ckda_factors_push_swap(f, 0, 1, Q), CKDA_OK);
    assert_int_equal(ckda_factors_clear_before(f, 1, 0, Q), CKDA_OK);
    assert_int_equal(ckda_factors_clear_before(f, 1, 2, Q), CKDA_OK);
    assert_true(multiplies_to_text(f, "1 1 1  0 0 0  0 0 0", Q));
    ckda_factors_clear(f, Q);
}

static void
open_vector_v2_transvection(void **state)
{
    ckda_factors_t f;

    (void)state;
    ckda_factors_init(f, 2, Q);
    assert_int_equal(ckda_factors_push_transvection(f, 1, 0, Q), CKDA_OK);
    assert_int_equal(f->count, 3);
    assert_true(step_is(f, 0, "4", "1 1", "1 1", Q));
    assert_true(step_is(f, 1, "1/2", "1 0", "1 1", Q));
    assert_true(step_is(f, 2, "5/3", "1 2", "1 1", Q));
    assert_true(multiplies_to_text(f, "1 0  1 1", Q));
    ckda_factors_clear(f, Q);
}

static void
open_vector_v2_two_factors(void **state)
{
    ckda_factors_t f;
    ckda_elem_struct w[2];

    (void)state;
    for (int i = 0; i < 2; i++)
        ckda_elem_init(w + i, Q);
    set_row(w, 2, "1 0", Q);
    ckda_factors_init(f, 2, Q);
    assert_int_equal(ckda_factors_push_row_transvection(f, 1, w, Q), CKDA_OK);
    assert_int_equal(f->count, 2);
    assert_true(step_is(f, 0, "5/3", "2 1", "1 1", Q));
    assert_true(step_is(f, 1, "4", "1 1", "1 1/2", Q));
    assert_true(multiplies_to_text(f, "1 0  1 1", Q));
    ckda_factors_clear(f, Q);
    for (int i = 0; i < 2; i++)
        ckda_elem_clear(w + i, Q);
}

/* Small, large, and lengths on either side of a square. */
static void
row_transvections_of_all_sizes(void **state)
{
    static const char *const rows[] = {"1/1000 0 0 1/7",    "3 4 0 0",        "3 4 0 1/9",
                                       "-1000000007 2 0 5", "1/2 -1/2 0 1/2", "0 0 0 -1",
                                       "99/100 0 0 0",      "2 2 0 2"};
    ckda_mat_t A, w;
    ckda_factors_t f;

    (void)state;
    ckda_mat_init(A, 4, 4, Q);
    ckda_mat_init(w, 1, 4, Q);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        set_row(w->entry, 4, rows[i], Q);
        assert_int_equal(ckda_mat_one(A, Q), CKDA_OK);
        for (slong j = 0; j < 4; j++)
            ckda_elem_add(ckda_mat_entry(A, 2, j), ckda_mat_entry(A, 2, j), w->entry + j,
                          Q);
        ckda_factors_init(f, 4, Q);
        assert_int_equal(ckda_factors_push_row_transvection(f, 2, w->entry, Q), CKDA_OK);
        assert_int_equal(f->count, 2);
        assert_true(multiplies_to(f, A, Q));
        ckda_factors_clear(f, Q);
    }
    ckda_mat_clear(w, Q);
    ckda_mat_clear(A, Q);
}

/* beta stays below 4 + 2 |w|: with |w| = 10^6 it is near 10^6, not near 10^12. */
static void
row_transvection_keeps_beta_near_the_length(void **state)
{
    ckda_elem_struct w[2];
    ckda_elem_t beta;
    ckda_factors_t f;

    (void)state;
    for (int i = 0; i < 2; i++)
        ckda_elem_init(w + i, Q);
    ckda_elem_init(beta, Q);
    set_row(w, 2, "1000000 0", Q);
    ckda_factors_init(f, 2, Q);
    assert_int_equal(ckda_factors_push_row_transvection(f, 1, w, Q), CKDA_OK);
    ckda_factors_max_beta(beta, f, Q);
    assert_true(ckda_elem_cmp_si(beta, 1000000, Q) > 0);
    assert_true(ckda_elem_cmp_si(beta, 1000004, Q) < 0);
    ckda_factors_clear(f, Q);
    ckda_elem_clear(beta, Q);
    for (int i = 0; i < 2; i++)
        ckda_elem_clear(w + i, Q);
}

static void
scale_by_any_number(void **state)
{
    static const char *const values[] = {"7/2", "-7/2", "0", "1", "-1", "1/3"};
    static const char *const betas[] = {"9/2", "9/2", "1", "2", "2", "4/3"};
    char text[64];

    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        ckda_factors_t f;
        ckda_elem_t a;

        ckda_elem_init(a, Q);
        set_row(a, 1, values[i], Q);
        ckda_factors_init(f, 2, Q);
        assert_int_equal(ckda_factors_push_scale(f, 1, a, Q), CKDA_OK);
        assert_true(elem_is(f->step->beta, betas[i], Q));
        snprintf(text, sizeof text, "1 0  0 %s", values[i]);
        assert_true(multiplies_to_text(f, text, Q));
        ckda_factors_clear(f, Q);
        ckda_elem_clear(a, Q);
    }
}

static void
scale_by_an_irrational_number(void **state)
{
    ckda_field_t K;
    ckda_factors_t f;
    ckda_elem_t a;
    ckda_mat_t A;

    (void)state;
    ckda_field_init_sqrt(K, 5);
    ckda_elem_init(a, K);
    ckda_elem_gen(a, K);
    ckda_mat_init(A, 1, 1, K);
    for (int sign = 0; sign < 2; sign++) {
        ckda_factors_init(f, 1, K);
        assert_int_equal(ckda_factors_push_scale(f, 0, a, K), CKDA_OK);
        ckda_elem_set(A->entry, a, K);
        assert_true(multiplies_to(f, A, K));
        ckda_factors_clear(f, K);
        ckda_elem_neg(a, a, K);
    }
    ckda_mat_clear(A, K);
    ckda_elem_clear(a, K);
    ckda_field_clear(K);
}

static void
equal_coordinates_are_refused(void **state)
{
    ckda_factors_t f;

    (void)state;
    ckda_factors_init(f, 3, Q);
    for (slong i = 0; i < 3; i++) {
        assert_int_equal(ckda_factors_push_swap(f, i, i, Q), CKDA_E_DOMAIN);
        assert_int_equal(ckda_factors_push_merge(f, i, &i, 1, Q), CKDA_E_DOMAIN);
        assert_int_equal(ckda_factors_push_semi_merge(f, i, &i, 1, Q), CKDA_E_DOMAIN);
        assert_int_equal(ckda_factors_push_transvection(f, i, i, Q), CKDA_E_DOMAIN);
    }
    assert_int_equal(ckda_factors_push_merge(f, 0, (slong[]){1, 1}, 2, Q), CKDA_E_DOMAIN);
    assert_int_equal(ckda_factors_push_clear(f, (slong[]){1, 1}, 2, Q), CKDA_E_DOMAIN);
    assert_int_equal(f->count, 0);
    ckda_factors_clear(f, Q);
}

static void
coordinates_out_of_range_are_refused(void **state)
{
    static const slong bad[] = {-1, 3, 100};
    ckda_elem_t one;
    ckda_factors_t f;

    (void)state;
    ckda_elem_init(one, Q);
    ckda_elem_one(one, Q);
    ckda_factors_init(f, 3, Q);
    assert_int_equal(ckda_factors_push_swap(f, 0, 1, Q), CKDA_OK);
    for (size_t i = 0; i < 3; i++) {
        const slong d = bad[i], ok = 0;

        assert_int_equal(ckda_factors_push_swap(f, d, 0, Q), CKDA_E_DOMAIN);
        assert_int_equal(ckda_factors_push_swap(f, 0, d, Q), CKDA_E_DOMAIN);
        assert_int_equal(ckda_factors_push_merge(f, d, &ok, 1, Q), CKDA_E_DOMAIN);
        assert_int_equal(ckda_factors_push_merge(f, 0, &d, 1, Q), CKDA_E_DOMAIN);
        assert_int_equal(ckda_factors_push_semi_merge(f, d, &ok, 1, Q), CKDA_E_DOMAIN);
        assert_int_equal(ckda_factors_push_semi_merge(f, 0, &d, 1, Q), CKDA_E_DOMAIN);
        assert_int_equal(ckda_factors_push_transvection(f, 0, d, Q), CKDA_E_DOMAIN);
        assert_int_equal(ckda_factors_push_transvection(f, d, 0, Q), CKDA_E_DOMAIN);
        assert_int_equal(ckda_factors_push_scale(f, d, one, Q), CKDA_E_DOMAIN);
        assert_int_equal(ckda_factors_push_clear(f, &d, 1, Q), CKDA_E_DOMAIN);
        assert_int_equal(ckda_factors_clear_before(f, 0, d, Q), CKDA_E_DOMAIN);
        assert_int_equal(ckda_factors_clear_before(f, 1, 0, Q), CKDA_E_DOMAIN);
    }
    assert_int_equal(ckda_factors_push_merge(f, 0, NULL, 0, Q), CKDA_E_DOMAIN);
    assert_int_equal(f->count, 1);
    assert_true(multiplies_to_text(f, "0 1 0  1 0 0  0 0 1", Q));
    ckda_factors_clear(f, Q);
    ckda_elem_clear(one, Q);
}

static void
row_transvection_refuses_zero_own_and_irrational_rows(void **state)
{
    ckda_field_t K;
    ckda_factors_t f;
    ckda_mat_t w;

    (void)state;
    ckda_field_init_sqrt(K, 2);
    ckda_mat_init(w, 1, 2, K);
    ckda_factors_init(f, 2, K);
    assert_int_equal(ckda_factors_push_row_transvection(f, 1, w->entry, K),
                     CKDA_E_DOMAIN);
    ckda_elem_gen(w->entry, K);
    assert_int_equal(ckda_factors_push_row_transvection(f, 1, w->entry, K),
                     CKDA_E_DOMAIN);
    ckda_elem_one(w->entry, K);
    assert_int_equal(ckda_factors_push_row_transvection(f, 0, w->entry, K),
                     CKDA_E_DOMAIN);
    assert_int_equal(ckda_factors_push_row_transvection(f, 2, w->entry, K),
                     CKDA_E_DOMAIN);
    assert_int_equal(f->count, 0);
    assert_int_equal(ckda_factors_push_row_transvection(f, 1, w->entry, K), CKDA_OK);
    ckda_factors_clear(f, K);
    ckda_mat_clear(w, K);
    ckda_field_clear(K);
}

static void
the_empty_list_is_the_identity(void **state)
{
    ckda_factors_t f;
    ckda_elem_t beta;
    ckda_mat_t P;

    (void)state;
    ckda_elem_init(beta, Q);
    ckda_factors_init(f, 3, Q);
    assert_true(multiplies_to_text(f, "1 0 0  0 1 0  0 0 1", Q));
    ckda_factors_max_beta(beta, f, Q);
    assert_true(ckda_elem_is_zero(beta, Q));
    ckda_mat_init(P, 2, 3, Q);
    assert_int_equal(ckda_factors_product(P, f, Q), CKDA_E_SHAPE);
    ckda_mat_clear(P, Q);
    ckda_factors_clear(f, Q);
    ckda_elem_clear(beta, Q);
}

static void
push_copies_a_step_of_its_own_list(void **state)
{
    ckda_factors_t f;
    ckda_trans_t other;

    (void)state;
    ckda_factors_init(f, 2, Q);
    assert_int_equal(ckda_factors_push_swap(f, 0, 1, Q), CKDA_OK);
    for (int i = 0; i < 8; i++)
        assert_int_equal(ckda_factors_push(f, f->step, Q), CKDA_OK);
    assert_int_equal(f->count, 9);
    assert_true(multiplies_to_text(f, "0 1  1 0", Q));
    ckda_trans_init(other, CKDA_CKDA, 3, 1, Q);
    assert_int_equal(ckda_factors_push(f, other, Q), CKDA_E_SHAPE);
    ckda_trans_clear(other, Q);
    ckda_trans_init(other, CKDA_DELTANET, 2, 1, Q);
    assert_int_equal(ckda_factors_push(f, other, Q), CKDA_E_SHAPE);
    ckda_trans_clear(other, Q);
    assert_int_equal(f->count, 9);
    ckda_factors_clear(f, Q);
}

static void
check_names_what_is_out_of_range(void **state)
{
    ckda_factors_t f;
    ckda_error err;

    (void)state;
    ckda_error_clear(&err);
    ckda_factors_init(f, 2, Q);
    assert_int_equal(ckda_factors_push_swap(f, 0, 1, Q), CKDA_OK);
    assert_int_equal(ckda_factors_push_swap(f, 0, 1, Q), CKDA_OK);
    assert_int_equal(ckda_factors_check(f, Q, &err), CKDA_OK);
    ckda_elem_set_frac(f->step[1].gate + 1, -3, 2, Q);
    assert_int_equal(ckda_factors_check(f, Q, &err), CKDA_E_DOMAIN);
    assert_string_equal(err.text,
                        "factors[1].gate[1]: expected a number in [-1, 1], found -3/2");
    ckda_elem_one(f->step[1].gate + 1, Q);
    ckda_elem_set_si(f->step[0].beta, -1, Q);
    assert_int_equal(ckda_factors_check(f, Q, &err), CKDA_E_DOMAIN);
    assert_string_equal(err.text, "factors[0].beta: expected a number >= 0, found -1");
    ckda_elem_set_si(f->step[0].beta, 1000, Q); /* no upper end */
    assert_int_equal(ckda_factors_check(f, Q, &err), CKDA_OK);
    set_row(f->step[0].key, 2, "0 0", Q);
    assert_int_equal(ckda_factors_check(f, Q, &err), CKDA_E_DOMAIN);
    assert_string_equal(err.text,
                        "factors[0].key: expected a nonzero direction, found only zeros");
    ckda_factors_clear(f, Q);
}

static void
product_refuses_a_zero_key_and_leaves_its_result(void **state)
{
    ckda_factors_t f;
    ckda_mat_t P;

    (void)state;
    mat_init_text(P, 2, "1 2 3 4", Q);
    ckda_factors_init(f, 2, Q);
    assert_int_equal(ckda_factors_push_swap(f, 0, 1, Q), CKDA_OK);
    set_row(f->step[0].key, 2, "0 0", Q);
    assert_int_equal(ckda_factors_product(P, f, Q), CKDA_E_DOMAIN);
    assert_true(elem_is(ckda_mat_entry(P, 0, 1), "2", Q));
    ckda_factors_clear(f, Q);
    ckda_mat_clear(P, Q);
}

/* Random lists: the sparse product is the product of the matrices. */
static void
product_equals_the_plain_product(void **state)
{
    ckda_rand r;
    ckda_field_t K;

    (void)state;
    ckda_rand_init(&r, 11);
    ckda_field_init_sqrt(K, 5);
    for (int round = 0; round < 40; round++) {
        const slong n = 1 + (slong)ckda_rand_below(&r, 5);
        ckda_factors_t f;
        ckda_trans_t t;
        ckda_mat_t P;

        ckda_factors_init(f, n, K);
        ckda_trans_init(t, CKDA_CKDA, n, 1, K);
        for (int i = 0; i < 4; i++) {
            ckda_trans_rand(t, &r, K);
            assert_int_equal(ckda_factors_push(f, t, K), CKDA_OK);
        }
        ckda_mat_init(P, n, n, K);
        plain_product(P, f, K);
        assert_true(multiplies_to(f, P, K));
        ckda_mat_clear(P, K);
        ckda_trans_clear(t, K);
        ckda_factors_clear(f, K);
    }
    ckda_field_clear(K);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(swap_is_the_transposition),
        cmocka_unit_test(open_vector_v1_merge),
        cmocka_unit_test(merge_of_three_sources_takes_two_factors),
        cmocka_unit_test(semi_merge_leaves_the_source_to_be_cleared),
        cmocka_unit_test(semi_merge_of_two_sources),
        cmocka_unit_test(open_vector_v2_transvection),
        cmocka_unit_test(open_vector_v2_two_factors),
        cmocka_unit_test(row_transvections_of_all_sizes),
        cmocka_unit_test(row_transvection_keeps_beta_near_the_length),
        cmocka_unit_test(scale_by_any_number),
        cmocka_unit_test(scale_by_an_irrational_number),
        cmocka_unit_test(equal_coordinates_are_refused),
        cmocka_unit_test(coordinates_out_of_range_are_refused),
        cmocka_unit_test(row_transvection_refuses_zero_own_and_irrational_rows),
        cmocka_unit_test(the_empty_list_is_the_identity),
        cmocka_unit_test(push_copies_a_step_of_its_own_list),
        cmocka_unit_test(check_names_what_is_out_of_range),
        cmocka_unit_test(product_refuses_a_zero_key_and_leaves_its_result),
        cmocka_unit_test(product_equals_the_plain_product),
    };
    int failed;

    ckda_field_init_rational(Q);
    failed = cmocka_run_group_tests_name("factorise_primitives", tests, NULL, NULL);
    ckda_field_clear(Q);
    flint_cleanup();
    return failed;
}
