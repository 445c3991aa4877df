/* Rational matrices: both programs multiplied out, on matrices small, large and singular.
 */
#include "factorise_util.h"

static ckda_field_t Q;

/* The top n rows are [M 0 ...]; paper: the next n too, and the last is 0. */
static bool
simulates(const ckda_factors_t f, const ckda_mat_t M, ckda_factor_scheme scheme)
{
    const slong n = M->rows, rows = scheme == CKDA_FACTOR_PAPER ? f->n : n;
    ckda_mat_t P, zero;
    bool ok;

    ckda_mat_init(zero, 1, 1, Q);
    ckda_mat_init(P, f->n, f->n, Q);
    plain_product(P, f, Q);
    ok = multiplies_to(f, P, Q);
    for (slong i = 0; i < rows && ok; i++)
        for (slong j = 0; j < f->n && ok; j++)
            ok = ckda_elem_equal(
                ckda_mat_entry(P, i, j),
                i < 2 * n && j < n ? ckda_mat_entry(M, i % n, j) : zero->entry, Q);
    ckda_mat_clear(P, Q);
    ckda_mat_clear(zero, Q);
    return ok;
}

static slong
nonzero_rows(const ckda_mat_t M)
{
    slong rows = 0;

    for (slong i = 0; i < M->rows; i++)
        for (slong j = 0; j < M->cols; j++)
            if (!ckda_elem_is_zero(ckda_mat_entry(M, i, j), Q)) {
                rows++;
                break;
            }
    return rows;
}

static void
assert_simulated(const ckda_mat_t M)
{
    const slong n = M->rows;

    for (int k = 0; k < 2; k++) {
        const ckda_factor_scheme scheme = (ckda_factor_scheme)k;
        ckda_factors_t f;

        ckda_factors_init(f, scheme == CKDA_FACTOR_PAPER ? 2 * n + 1 : 2 * n, Q);
        assert_int_equal(ckda_factor_rational(f, M, scheme, Q), CKDA_OK);
        assert_true(simulates(f, M, scheme));
        if (scheme == CKDA_FACTOR_PAPER)
            assert_int_equal(f->count, ckda_factor_rational_bound(n, scheme));
        else if (ckda_mat_is_one(M, Q))
            assert_int_equal(f->count, 0);
        else if (ckda_mat_is_zero(M, Q))
            assert_int_equal(f->count, 1);
        else
            assert_int_equal(f->count, 4 * nonzero_rows(M));
        ckda_factors_clear(f, Q);
    }
}

static void
assert_simulated_text(slong n, const char *rows)
{
    ckda_mat_t M;

    mat_init_text(M, n, rows, Q);
    assert_simulated(M);
    ckda_mat_clear(M, Q);
}

static void
numbers(void **state)
{
    static const char *const values[] = {
        "0", "1", "-1", "2", "-2", "1/2", "-7/5", "1000000007", "-1/1000000007"};

    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        assert_simulated_text(1, values[i]);
}

static void
two_by_two(void **state)
{
    (void)state;
    assert_simulated_text(2, "2/3 -5  0 1/2");
    assert_simulated_text(2, "1 1/3  -2 0");
    assert_simulated_text(2, "0 0  0 0");
    assert_simulated_text(2, "0 0  3 -4");
    assert_simulated_text(2, "1 0  0 1");
    assert_simulated_text(2, "0 1  0 0");
    assert_simulated_text(2, "-1 0  0 -1");
    assert_simulated_text(2, "123456789/7 -1  987654321 1/123");
}

static void
three_by_three(void **state)
{
    (void)state;
    assert_simulated_text(3, "0 0 0  0 0 0  0 0 1");
    assert_simulated_text(3, "1 2 3  2 4 6  -1 -2 -3");
    assert_simulated_text(3, "0 -1 0  1 0 0  0 0 -100000000000/3");
}

static void
random_matrices(void **state)
{
    static const slong bounds[] = {1, 5, 1000000};
    ckda_rand r;

    (void)state;
    ckda_rand_init(&r, 17);
    for (slong n = 1; n <= 3; n++)
        for (int round = 0; round < 12; round++) {
            ckda_mat_t M;

            ckda_mat_init(M, n, n, Q);
            ckda_mat_rand(M, &r, bounds[round % 3], round % 2 == 0 ? 1 : 7, Q);
            assert_simulated(M);
            ckda_mat_clear(M, Q);
        }
}

static void
short_scheme_on_four_and_five(void **state)
{
    ckda_rand r;

    (void)state;
    ckda_rand_init(&r, 23);
    for (slong n = 4; n <= 5; n++) {
        ckda_factors_t f;
        ckda_mat_t M;

        ckda_mat_init(M, n, n, Q);
        ckda_mat_rand(M, &r, 9, 5, Q);
        ckda_factors_init(f, 2 * n, Q);
        assert_int_equal(ckda_factor_rational(f, M, CKDA_FACTOR_SHORT, Q), CKDA_OK);
        assert_true(simulates(f, M, CKDA_FACTOR_SHORT));
        assert_true(f->count <= 4 * n);
        ckda_factors_clear(f, Q);
        ckda_mat_clear(M, Q);
    }
}

/* max(4, 1 + max |M_ij|), reached. */
static void
largest_beta_of_the_paper(void **state)
{
    static const char *const matrix[] = {"1 1/3  -2 0", "2/3 -5  0 1/2"};
    static const char *const largest[] = {"4", "6"};

    (void)state;
    for (int i = 0; i < 2; i++) {
        ckda_factors_t f;
        ckda_elem_t beta;
        ckda_mat_t M;

        mat_init_text(M, 2, matrix[i], Q);
        ckda_elem_init(beta, Q);
        ckda_factors_init(f, 5, Q);
        assert_int_equal(ckda_factor_rational(f, M, CKDA_FACTOR_PAPER, Q), CKDA_OK);
        assert_int_equal(f->count, 34);
        ckda_factors_max_beta(beta, f, Q);
        assert_true(elem_is(beta, largest[i], Q));
        ckda_factors_clear(f, Q);
        ckda_elem_clear(beta, Q);
        ckda_mat_clear(M, Q);
    }
}

/* The check itself must be able to fail: one changed beta is seen (no entry is 0, else
 * some factors of the paper's program only act on zeros). */
static void
a_changed_factor_is_noticed(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        const ckda_factor_scheme scheme = (ckda_factor_scheme)k;
        ckda_factors_t f;
        ckda_mat_t M;

        mat_init_text(M, 2, "2/3 -5  7 1/2", Q);
        ckda_factors_init(f, scheme == CKDA_FACTOR_PAPER ? 5 : 4, Q);
        assert_int_equal(ckda_factor_rational(f, M, scheme, Q), CKDA_OK);
        for (slong i = 0; i < f->count; i++) {
            ckda_elem_struct *beta = f->step[i].beta;
            ckda_elem_t one;

            ckda_elem_init(one, Q);
            ckda_elem_one(one, Q);
            ckda_elem_add(beta, beta, one, Q);
            assert_false(simulates(f, M, scheme));
            ckda_elem_sub(beta, beta, one, Q);
            ckda_elem_clear(one, Q);
        }
        assert_true(simulates(f, M, scheme));
        ckda_factors_clear(f, Q);
        ckda_mat_clear(M, Q);
    }
}

static void
wrong_shapes_and_irrational_entries_leave_the_list_alone(void **state)
{
    ckda_field_t K;
    ckda_factors_t f;
    ckda_mat_t M;

    (void)state;
    ckda_field_init_sqrt(K, 3);
    ckda_factors_init(f, 4, K);
    assert_int_equal(ckda_factors_push_swap(f, 0, 1, K), CKDA_OK);
    ckda_mat_init(M, 2, 2, K);
    assert_int_equal(ckda_factor_rational(f, M, CKDA_FACTOR_PAPER, K), CKDA_E_SHAPE);
    ckda_elem_gen(ckda_mat_entry(M, 1, 1), K);
    assert_int_equal(ckda_factor_rational(f, M, CKDA_FACTOR_SHORT, K), CKDA_E_DOMAIN);
    ckda_mat_clear(M, K);
    ckda_mat_init(M, 2, 3, K);
    assert_int_equal(ckda_factor_rational(f, M, CKDA_FACTOR_SHORT, K), CKDA_E_SHAPE);
    ckda_mat_clear(M, K);
    assert_int_equal(f->count, 1);
    ckda_factors_clear(f, K);
    ckda_mat_init(M, 0, 0, K);
    ckda_factors_init(f, 0, K);
    assert_int_equal(ckda_factor_rational(f, M, CKDA_FACTOR_SHORT, K), CKDA_E_SHAPE);
    ckda_factors_clear(f, K);
    ckda_mat_clear(M, K);
    ckda_field_clear(K);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),
        cmocka_unit_test(two_by_two),
        cmocka_unit_test(three_by_three),
        cmocka_unit_test(random_matrices),
        cmocka_unit_test(short_scheme_on_four_and_five),
        cmocka_unit_test(largest_beta_of_the_paper),
        cmocka_unit_test(a_changed_factor_is_noticed),
        cmocka_unit_test(wrong_shapes_and_irrational_entries_leave_the_list_alone),
    };
    int failed;

    ckda_field_init_rational(Q);
    failed = cmocka_run_group_tests_name("factorise_rational", tests, NULL, NULL);
    ckda_field_clear(Q);
    flint_cleanup();
    return failed;
}
