/* Laws of plain matrices: ring, inverse, determinant, special matrices, error paths. */
#include "fixture.h"

#include "mat_internal.h"

typedef struct {
    ckda_mat_t m[8];
} mats;

static void
mats_init(mats *v, slong n, const ckda_field_t K)
{
    for (int i = 0; i < 8; i++)
        ckda_mat_init(v->m[i], n, n, K);
}

static void
mats_clear(mats *v, const ckda_field_t K)
{
    for (int i = 0; i < 8; i++)
        ckda_mat_clear(v->m[i], K);
}

/* Sizes 0 .. 4; only 2 in the field of degree 48. */
static slong
size_of(int k, int round)
{
    return k == 4 ? 2 : round % 5;
}

static int
rounds_of(int k)
{
    return k == 4 ? 1 : 10;
}

static void
product_is_associative_and_distributes(void **state)
{
    fixture *f = *state;
    for (int k = 0; k < NFIELDS; k++)
        for (int round = 0; round < rounds_of(k); round++) {
            const ckda_field_struct *K = f->K[k];
            mats v;
            mats_init(&v, size_of(k, round), K);
            for (int i = 0; i < 3; i++)
                ckda_mat_rand(v.m[i], &f->r, 4, 3, K);
            OK(ckda_mat_mul(v.m[3], v.m[0], v.m[1], K));
            OK(ckda_mat_mul(v.m[3], v.m[3], v.m[2], K));
            OK(ckda_mat_mul(v.m[4], v.m[1], v.m[2], K));
            OK(ckda_mat_mul(v.m[4], v.m[0], v.m[4], K));
            assert_true(ckda_mat_equal(NULL, v.m[3], v.m[4], K));
            OK(ckda_mat_add(v.m[3], v.m[0], v.m[1], K));
            OK(ckda_mat_mul(v.m[3], v.m[3], v.m[2], K));
            OK(ckda_mat_mul(v.m[4], v.m[0], v.m[2], K));
            OK(ckda_mat_mul(v.m[5], v.m[1], v.m[2], K));
            OK(ckda_mat_add(v.m[4], v.m[4], v.m[5], K));
            assert_true(ckda_mat_equal(NULL, v.m[3], v.m[4], K));
            assert_int_equal(ckda_mat_hash(v.m[3], K), ckda_mat_hash(v.m[4], K));
            OK(ckda_mat_neg(v.m[5], v.m[4], K));
            OK(ckda_mat_add(v.m[5], v.m[3], v.m[5], K));
            assert_true(ckda_mat_is_zero(v.m[5], K));
            mats_clear(&v, K);
        }
}

static void
results_may_alias_inputs(void **state)
{
    fixture *f = *state;
    ckda_status (*op[3])(ckda_mat_t, const ckda_mat_t, const ckda_mat_t,
                         const ckda_field_t) = {ckda_mat_mul, ckda_mat_add, ckda_mat_sub};
    for (int k = 0; k < NFIELDS; k++)
        for (int i = 0; i < 3; i++) {
            const ckda_field_struct *K = f->K[k];
            mats v;
            mats_init(&v, k == 4 ? 2 : 3, K);
            ckda_mat_rand(v.m[0], &f->r, 4, 3, K);
            ckda_mat_rand(v.m[1], &f->r, 4, 3, K);
            OK(op[i](v.m[2], v.m[0], v.m[1], K));
            OK(ckda_mat_set(v.m[3], v.m[0], K));
            OK(op[i](v.m[3], v.m[3], v.m[1], K));
            assert_true(ckda_mat_equal(NULL, v.m[2], v.m[3], K));
            OK(ckda_mat_set(v.m[3], v.m[1], K));
            OK(op[i](v.m[3], v.m[0], v.m[3], K));
            assert_true(ckda_mat_equal(NULL, v.m[2], v.m[3], K));
            OK(op[i](v.m[2], v.m[0], v.m[0], K));
            OK(ckda_mat_set(v.m[3], v.m[0], K));
            OK(op[i](v.m[3], v.m[3], v.m[3], K));
            assert_true(ckda_mat_equal(NULL, v.m[2], v.m[3], K));
            OK(ckda_mat_transpose(v.m[2], v.m[0], K));
            OK(ckda_mat_transpose(v.m[0], v.m[0], K));
            assert_true(ckda_mat_equal(NULL, v.m[2], v.m[0], K));
            mats_clear(&v, K);
        }
}

static void
inverse_law(void **state)
{
    fixture *f = *state;
    for (int k = 0; k < NFIELDS; k++)
        for (int round = 0; round < rounds_of(k); round++) {
            const ckda_field_struct *K = f->K[k];
            ckda_elem_t d;
            mats v;
            mats_init(&v, size_of(k, round), K);
            ckda_elem_init(d, K);
            ckda_mat_rand(v.m[0], &f->r, 3, 2, K);
            OK(ckda_mat_det(d, v.m[0], K));
            if (ckda_elem_is_zero(d, K)) {
                assert_int_equal(ckda_mat_inv(v.m[1], v.m[0], K), CKDA_E_DOMAIN);
                assert_true(ckda_mat_rank(v.m[0], K) < v.m[0]->rows);
            } else {
                OK(ckda_mat_inv(v.m[1], v.m[0], K));
                OK(ckda_mat_mul(v.m[2], v.m[0], v.m[1], K));
                assert_true(ckda_mat_is_one(v.m[2], K));
                assert_int_equal(ckda_mat_rank(v.m[0], K), v.m[0]->rows);
                OK(ckda_mat_inv(v.m[0], v.m[0], K)); /* in place */
                assert_true(ckda_mat_equal(NULL, v.m[0], v.m[1], K));
            }
            ckda_elem_clear(d, K);
            mats_clear(&v, K);
        }
}

static void
determinant_is_multiplicative(void **state)
{
    fixture *f = *state;
    for (int k = 0; k < NFIELDS; k++)
        for (int round = 0; round < rounds_of(k); round++) {
            const ckda_field_struct *K = f->K[k];
            ckda_elem_t a, b, c;
            mats v;
            mats_init(&v, size_of(k, round), K);
            ckda_elem_init(a, K);
            ckda_elem_init(b, K);
            ckda_elem_init(c, K);
            ckda_mat_rand(v.m[0], &f->r, 3, 2, K);
            ckda_mat_rand(v.m[1], &f->r, 3, 2, K);
            OK(ckda_mat_mul(v.m[2], v.m[0], v.m[1], K));
            OK(ckda_mat_det(a, v.m[0], K));
            OK(ckda_mat_det(b, v.m[1], K));
            OK(ckda_mat_det(c, v.m[2], K));
            ckda_elem_mul(a, a, b, K);
            assert_true(ckda_elem_equal(a, c, K));
            ckda_elem_clear(c, K);
            ckda_elem_clear(b, K);
            ckda_elem_clear(a, K);
            mats_clear(&v, K);
        }
}

/* Elimination and the division-free way know nothing of each other. */
static void
elimination_agrees_with_the_division_free_way(void **state)
{
    fixture *f = *state;
    for (int k = 0; k < NFIELDS; k++)
        for (int round = 0; round < (k == 4 ? 1 : 12); round++) {
            const ckda_field_struct *K = f->K[k];
            ckda_elem_t a, b;
            mats v;
            slong n = size_of(k, round);
            mats_init(&v, n, K);
            ckda_elem_init(a, K);
            ckda_elem_init(b, K);
            ckda_mat_rand(v.m[0], &f->r, 3, 1, K);
            for (slong j = 0; n > 1 && round > 5 && j < n; j++) /* singular: equal rows */
                ckda_elem_set(ckda_mat_entry(v.m[0], n - 1, j),
                              ckda_mat_entry(v.m[0], 0, j), K);
            ckda_mat_det_elimination(a, v.m[0], K);
            ckda_mat_det_division_free(b, v.m[0], K);
            assert_true(ckda_elem_equal(a, b, K));
            bool ok = ckda_mat_inv_elimination(v.m[1], v.m[0], K);
            assert_int_equal(ok, ckda_mat_inv_division_free(v.m[2], v.m[0], K));
            assert_int_equal(ok, !ckda_elem_is_zero(a, K));
            assert_true(!ok || ckda_mat_equal(NULL, v.m[1], v.m[2], K));
            ckda_elem_clear(b, K);
            ckda_elem_clear(a, K);
            mats_clear(&v, K);
        }
}

static void
singular_matrix_leaves_the_inverse_alone(void **state)
{
    fixture *f = *state;
    const ckda_field_struct *K = f->K[1];
    mats v;
    mats_init(&v, 2, K);
    ckda_mat_set_si(v.m[0], (const slong[]){1, 2, 2, 4}, 3, K);
    ckda_mat_set_si(v.m[1], (const slong[]){5, 6, 7, 8}, 1, K);
    OK(ckda_mat_set(v.m[2], v.m[1], K));
    assert_int_equal(ckda_mat_inv(v.m[1], v.m[0], K), CKDA_E_DOMAIN);
    assert_true(ckda_mat_equal(NULL, v.m[1], v.m[2], K));
    assert_int_equal(ckda_mat_rank(v.m[0], K), 1);
    mats_clear(&v, K);
}

static void
powers_add_their_exponents(void **state)
{
    fixture *f = *state;
    const ckda_field_struct *K = f->K[1];
    for (ulong e = 0; e < 6; e++) {
        mats v;
        mats_init(&v, 3, K);
        ckda_mat_rand(v.m[0], &f->r, 3, 2, K);
        OK(ckda_mat_pow_ui(v.m[1], v.m[0], e, K));
        OK(ckda_mat_pow_ui(v.m[2], v.m[0], e + 3, K));
        OK(ckda_mat_pow_ui(v.m[3], v.m[0], 3, K));
        OK(ckda_mat_mul(v.m[3], v.m[3], v.m[1], K));
        assert_true(ckda_mat_equal(NULL, v.m[2], v.m[3], K));
        OK(ckda_mat_pow_ui(v.m[0], v.m[0], e, K));
        assert_true(ckda_mat_equal(NULL, v.m[0], v.m[1], K));
        assert_true(e != 0 || ckda_mat_is_one(v.m[1], K));
        mats_clear(&v, K);
    }
}

static void
empty_matrices_behave(void **state)
{
    fixture *f = *state;
    const ckda_field_struct *K = f->K[1];
    ckda_mat_t A, B, C;
    ckda_elem_t d;
    ckda_mat_init(A, 0, 0, K);
    ckda_mat_init(B, 3, 0, K);
    ckda_mat_init(C, 3, 3, K);
    ckda_elem_init(d, K);
    OK(ckda_mat_one(A, K));
    assert_true(ckda_mat_is_one(A, K) && ckda_mat_is_zero(A, K));
    assert_true(ckda_mat_is_orthogonal(NULL, A, K) && ckda_mat_is_symmetric(A, K));
    OK(ckda_mat_det(d, A, K));
    assert_true(ckda_elem_is_one(d, K));
    OK(ckda_mat_inv(A, A, K));
    OK(ckda_mat_pow_ui(A, A, 5, K));
    assert_int_equal(ckda_mat_rank(B, K), 0);
    ckda_mat_t T;
    ckda_mat_init(T, 0, 3, K);
    OK(ckda_mat_transpose(T, B, K));
    ckda_mat_rand(C, &f->r, 3, 1, K);
    OK(ckda_mat_mul(C, B, T, K)); /* 3 x 0 times 0 x 3 is the zero matrix */
    assert_true(ckda_mat_is_zero(C, K));
    char *s = ckda_mat_str(B, K);
    assert_string_equal(s, "[[],[],[]]");
    free(s);
    s = ckda_mat_str(A, K);
    assert_string_equal(s, "[]");
    free(s);
    ckda_mat_clear(T, K);
    ckda_elem_clear(d, K);
    ckda_mat_clear(C, K);
    ckda_mat_clear(B, K);
    ckda_mat_clear(A, K);
}

static void
wrong_shapes_are_refused_and_change_nothing(void **state)
{
    fixture *f = *state;
    const ckda_field_struct *K = f->K[1];
    ckda_mat_t A, B, C, Was;
    ckda_elem_t d;
    ckda_poly_t p;
    slong x = 7, y = 7, z = 7;
    ckda_mat_init(A, 2, 3, K);
    ckda_mat_init(B, 2, 3, K);
    ckda_mat_init(C, 2, 2, K);
    ckda_elem_init(d, K);
    ckda_poly_init(p, K);
    ckda_mat_rand(C, &f->r, 5, 3, K);
    ckda_mat_init_set(Was, C, K);
    assert_int_equal(ckda_mat_mul(C, A, B, K), CKDA_E_SHAPE);
    assert_int_equal(ckda_mat_add(C, A, B, K), CKDA_E_SHAPE);
    assert_int_equal(ckda_mat_sub(C, C, B, K), CKDA_E_SHAPE);
    assert_int_equal(ckda_mat_neg(C, B, K), CKDA_E_SHAPE);
    assert_int_equal(ckda_mat_set(C, A, K), CKDA_E_SHAPE);
    assert_int_equal(ckda_mat_transpose(C, A, K), CKDA_E_SHAPE);
    assert_int_equal(ckda_mat_scalar_mul(C, A, d, K), CKDA_E_SHAPE);
    assert_int_equal(ckda_mat_one(A, K), CKDA_E_SHAPE);
    assert_int_equal(ckda_mat_pow_ui(C, A, 2, K), CKDA_E_SHAPE);
    assert_int_equal(ckda_mat_inv(C, A, K), CKDA_E_SHAPE);
    assert_int_equal(ckda_mat_det(d, A, K), CKDA_E_SHAPE);
    assert_int_equal(ckda_mat_trace(d, A, K), CKDA_E_SHAPE);
    assert_int_equal(ckda_mat_charpoly(p, A, K), CKDA_E_SHAPE);
    assert_int_equal(ckda_mat_inertia(&x, &y, &z, A, K), CKDA_E_DOMAIN);
    assert_true(x == 7 && y == 7 && z == 7);
    assert_int_equal(ckda_mat_set_map(C, (const slong[]){0, 2}, 2, K), CKDA_E_DOMAIN);
    assert_int_equal(ckda_mat_set_map(C, (const slong[]){0, 1, 2}, 3, K), CKDA_E_SHAPE);
    assert_false(ckda_mat_equal(NULL, A, C, K));
    assert_true(ckda_mat_equal(NULL, C, Was, K));
    assert_true(ckda_mat_is_zero(A, K));
    ckda_mat_clear(Was, K);
    ckda_poly_clear(p, K);
    ckda_elem_clear(d, K);
    ckda_mat_clear(C, K);
    ckda_mat_clear(B, K);
    ckda_mat_clear(A, K);
}

static void
householder_reflects_without_square_roots(void **state)
{
    fixture *f = *state;
    for (int k = 0; k < NFIELDS; k++) {
        const ckda_field_struct *K = f->K[k];
        mats v;
        ckda_mat_t w;
        ckda_elem_t two;
        slong n = k == 4 ? 2 : 4;
        mats_init(&v, n, K);
        ckda_mat_init(w, n, 1, K);
        ckda_elem_init(two, K);
        ckda_elem_set_si(two, 2, K);
        assert_int_equal(ckda_mat_set_householder(v.m[0], two, w->entry, n, K),
                         CKDA_E_DOMAIN);
        assert_true(ckda_mat_is_zero(v.m[0], K));
        ckda_mat_rand(w, &f->r, 3, 2, K);
        ckda_elem_one(w->entry, K);
        OK(ckda_mat_set_householder(v.m[0], two, w->entry, n, K));
        assert_true(ckda_mat_is_symmetric(v.m[0], K));
        assert_true(ckda_mat_is_orthogonal(NULL, v.m[0], K));
        OK(ckda_mat_mul(v.m[1], v.m[0], v.m[0], K));
        assert_true(ckda_mat_is_one(v.m[1], K));
        ckda_elem_t t; /* trace n - 2: one reflected direction */
        ckda_elem_init(t, K);
        OK(ckda_mat_trace(t, v.m[0], K));
        assert_int_equal(ckda_elem_cmp_si(t, n - 2, K), 0);
        ckda_elem_clear(t, K);
        ckda_elem_clear(two, K);
        ckda_mat_clear(w, K);
        mats_clear(&v, K);
    }
}

static void
maps_compose_like_functions(void **state)
{
    fixture *f = *state;
    const ckda_field_struct *K = f->K[0];
    const slong p[4] = {2, 2, 0, 1}, q[4] = {1, 3, 3, 0};
    slong pq[4];
    mats v;
    mats_init(&v, 4, K);
    for (int i = 0; i < 4; i++)
        pq[i] = p[q[i]];
    OK(ckda_mat_set_map(v.m[0], p, 4, K));
    OK(ckda_mat_set_map(v.m[1], q, 4, K));
    OK(ckda_mat_set_map(v.m[2], pq, 4, K));
    OK(ckda_mat_mul(v.m[3], v.m[0], v.m[1], K));
    assert_true(ckda_mat_equal(NULL, v.m[2], v.m[3], K));
    assert_true(ckda_elem_is_one(ckda_mat_entry(v.m[0], 2, 0), K)); /* e_0 -> e_2 */
    mats_clear(&v, K);
}

static void
cayley_matrices_are_orthogonal(void **state)
{
    fixture *f = *state;
    bool seen_minus = false, seen_plus = false;
    for (int k = 0; k < NFIELDS; k++)
        for (int round = 0; round < (k == 4 ? 1 : 6); round++) {
            const ckda_field_struct *K = f->K[k];
            mats v;
            ckda_elem_t d;
            mats_init(&v, size_of(k, round), K);
            ckda_elem_init(d, K);
            ckda_mat_rand_orthogonal(v.m[0], &f->r, 2, K);
            assert_true(ckda_mat_is_orthogonal(NULL, v.m[0], K));
            OK(ckda_mat_transpose(v.m[1], v.m[0], K));
            OK(ckda_mat_inv(v.m[2], v.m[0], K));
            assert_true(ckda_mat_equal(NULL, v.m[1], v.m[2], K));
            OK(ckda_mat_det(d, v.m[0], K));
            int sign = ckda_elem_sgn(d, K);
            assert_int_equal(ckda_elem_cmp_si(d, sign, K), 0);
            seen_minus |= sign < 0;
            seen_plus |= sign > 0;
            ckda_elem_clear(d, K);
            mats_clear(&v, K);
        }
    assert_true(seen_minus && seen_plus);
}

static void
differences_are_located(void **state)
{
    fixture *f = *state;
    const ckda_field_struct *K = f->K[1];
    ckda_index at = {-1, -1};
    mats v;
    mats_init(&v, 3, K);
    OK(ckda_mat_one(v.m[0], K));
    OK(ckda_mat_one(v.m[1], K));
    assert_true(ckda_mat_equal(&at, v.m[0], v.m[1], K));
    assert_true(ckda_mat_is_diagonal(v.m[0], K));
    assert_int_equal(at.row, -1);
    ckda_elem_gen(ckda_mat_entry(v.m[1], 1, 2), K);
    assert_false(ckda_mat_equal(&at, v.m[0], v.m[1], K));
    assert_true(at.row == 1 && at.col == 2);
    assert_false(ckda_mat_is_orthogonal(&at, v.m[1], K)); /* A^T A has a at (1,2) */
    assert_true(at.row == 1 && at.col == 2);
    assert_false(ckda_mat_is_diagonal(v.m[1], K) || ckda_mat_is_symmetric(v.m[1], K)
                 || ckda_mat_is_one(v.m[1], K));
    char *s = ckda_mat_str(v.m[1], K);
    assert_string_equal(s, "[[1,0,0],[0,1,a],[0,0,1]]");
    free(s);
    mats_clear(&v, K);
}

static void
arguments_may_lie_inside_the_result(void **state)
{
    fixture *f = *state;
    const ckda_field_struct *K = f->K[1];
    mats v;
    mats_init(&v, 2, K);
    ckda_mat_set_si(v.m[0], (const slong[]){2, 3, 4, 5}, 1, K);
    OK(ckda_mat_scalar_mul(v.m[0], v.m[0], v.m[0]->entry, K));
    ckda_mat_set_si(v.m[1], (const slong[]){4, 6, 8, 10}, 1, K);
    assert_true(ckda_mat_equal(NULL, v.m[0], v.m[1], K));
    OK(ckda_mat_set_diag(v.m[0], v.m[0]->entry + 1, 2, K));
    ckda_mat_set_si(v.m[1], (const slong[]){6, 0, 0, 8}, 1, K);
    assert_true(ckda_mat_equal(NULL, v.m[0], v.m[1], K));
    OK(ckda_mat_trace(v.m[0]->entry, v.m[0], K));
    assert_int_equal(ckda_elem_cmp_si(v.m[0]->entry, 14, K), 0);
    OK(ckda_mat_set_householder(v.m[0], v.m[0]->entry, v.m[0]->entry, 2, K));
    ckda_mat_set_si(v.m[1], (const slong[]){-13, 0, 0, 1}, 1,
                    K); /* c = 14, w = (14, 0) */
    assert_true(ckda_mat_equal(NULL, v.m[0], v.m[1], K));
    mats_clear(&v, K);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(product_is_associative_and_distributes),
        TEST(results_may_alias_inputs),
        TEST(inverse_law),
        TEST(determinant_is_multiplicative),
        TEST(elimination_agrees_with_the_division_free_way),
        TEST(singular_matrix_leaves_the_inverse_alone),
        TEST(powers_add_their_exponents),
        TEST(empty_matrices_behave),
        TEST(wrong_shapes_are_refused_and_change_nothing),
        TEST(householder_reflects_without_square_roots),
        TEST(maps_compose_like_functions),
        TEST(cayley_matrices_are_orthogonal),
        TEST(differences_are_located),
        TEST(arguments_may_lie_inside_the_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
