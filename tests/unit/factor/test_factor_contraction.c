/* Contractions as factors: the exact families, single factors, approximations, witnesses of a
 * norm above 1. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

#include "ckda/factor.h"
#include "ckda/factor_norm.h"

static ckda_field_t Q;

static void
betas_are_within_two(const ckda_factors_t f, const ckda_field_t K)
{
    assert_int_equal(ckda_factors_check(f, K, NULL), CKDA_OK);
    for (slong i = 0; i < f->count; i++)
        assert_true(ckda_elem_cmp_si(f->step[i].beta, 2, K) <= 0);
}

/* Factors A; exact results are multiplied out again.  c is initialised here. */
static void
factor(ckda_contraction_t c, const ckda_mat_t A, const ckda_field_t K)
{
    assert_int_equal(ckda_factor_contraction(c, A, K), CKDA_OK);
    betas_are_within_two(c->factors, c->K);
    assert_true(c->factors->count <= ckda_factor_contraction_bound(A->rows));
    if (c->exact)
        assert_true(ckda_factors_simulate(c->factors, c->A, c->K));
    else
        assert_true(c->residual <= -100 && c->minimal != CKDA_TRUE);
}

static void
expect(const ckda_mat_t A, slong count, ckda_truth minimal, slong degree,
       const char *method, const ckda_field_t K)
{
    ckda_contraction_t c;
    factor(c, A, K);
    assert_true(c->exact);
    assert_string_equal(c->method, method);
    assert_int_equal(c->factors->count, count);
    assert_int_equal(c->minimal, minimal);
    assert_int_equal(c->K->degree, degree);
    ckda_contraction_clear(c);
}

/* ---- families ------------------------------------------------------------------------- */

static void
diagonal_matrices_are_one_gate(void **state)
{
    (void)state;
    static const slong zero[4] = {0}, one[4] = {1, 0, 0, 1}, both[4] = {-2, 0, 0, 1};
    ckda_mat_t A;
    ckda_mat_init(A, 2, 2, Q);
    ckda_mat_set_si(A, zero, 1, Q);
    expect(A, 1, CKDA_TRUE, 1, "diagonal", Q);
    ckda_mat_set_si(A, one, 1, Q);
    expect(A, 0, CKDA_TRUE, 1, "diagonal", Q);
    ckda_mat_set_si(A, both, 2, Q);
    expect(A, 1, CKDA_TRUE, 1, "diagonal", Q);
    ckda_mat_clear(A, Q);
    ckda_mat_init(A, 1, 1, Q);
    ckda_mat_set_entry_si(A, 0, 0, -1, Q);
    expect(A, 1, CKDA_TRUE, 1, "diagonal", Q);
    ckda_mat_clear(A, Q);
}

static void
a_single_column_is_one_factor_without_a_square_root(void **state)
{
    (void)state;
    static const slong entries[9] = {0, 1, 0, 0, 1, 0, 0, 1, 0};
    ckda_mat_t A;
    ckda_mat_init(A, 3, 3, Q);
    ckda_mat_set_si(A, entries, 2, Q); /* norm sqrt(3)/2 */
    expect(A, 1, CKDA_TRUE, 1, "a single factor", Q);
    ckda_mat_clear(A, Q);
}

static void
orthogonal_times_diagonal_stays_in_the_field(void **state)
{
    (void)state;
    ckda_rand r;
    ckda_rand_init(&r, 11);
    for (int round = 0; round < 12; round++) {
        const slong n = 3 + round % 3;
        ckda_mat_t A;
        ckda_elem_t s;
        ckda_contraction_t c;
        ckda_mat_init(A, n, n, Q);
        ckda_elem_init(s, Q);
        ckda_mat_rand_orthogonal(A, &r, 2, Q);
        for (slong j = 0; j < n; j++) {
            ckda_elem_set_frac(s, (slong)ckda_rand_range(&r, -4, 4), 5, Q);
            for (slong i = 0; i < n; i++)
                ckda_elem_mul(ckda_mat_entry(A, i, j), ckda_mat_entry(A, i, j), s, Q);
        }
        factor(c, A, Q);
        assert_true(c->exact);
        assert_int_equal(c->K->degree, 1);
        assert_true(c->factors->count <= ckda_factor_orthogonal_bound(n));
        ckda_contraction_clear(c);
        ckda_mat_clear(A, Q);
        ckda_elem_clear(s, Q);
    }
}

/* [source: Prop. 10]  Rows of a map are orthogonal, their squares the fibre sizes. */
static void
scaled_one_hot_maps_take_roots_of_their_fibre_sizes(void **state)
{
    (void)state;
    static const slong image[3][6] = {
        {0, 0, 1, 1, 1, 2}, {3, 3, 0, 0, 1, 1}, {0, 0, 0, 0, 1, 1}};
    static const slong degree[3] = {4, 2, 2};
    for (int k = 0; k < 3; k++) {
        ckda_mat_t A;
        ckda_elem_t half;
        ckda_contraction_t c;
        ckda_mat_init(A, 6, 6, Q);
        ckda_elem_init(half, Q);
        ckda_elem_set_frac(half, 1, 2, Q);
        assert_int_equal(ckda_mat_set_map(A, image[k], 6, Q), CKDA_OK);
        assert_int_equal(ckda_mat_scalar_mul(A, A, half, Q), CKDA_OK);
        factor(c, A, Q);
        assert_true(c->exact);
        assert_string_equal(c->method, "orthogonal rows");
        assert_int_equal(c->K->degree, degree[k]);
        assert_true(c->factors->count <= 6);
        ckda_contraction_clear(c);
        ckda_elem_clear(half, Q);
        ckda_mat_clear(A, Q);
    }
}

static void
signed_permutations_times_diagonals_need_no_root(void **state)
{
    (void)state;
    static const slong entries[9] = {0, -2, 0, 0, 0, 3, 6, 0, 0};
    ckda_mat_t A;
    ckda_mat_init(A, 3, 3, Q);
    ckda_mat_set_si(A, entries, 6, Q);
    expect(A, 2, CKDA_TRUE, 1, "orthogonal columns", Q);
    ckda_mat_clear(A, Q);
}

/* x = (1, 1, 1): |x|^2 = 3.  Below norm 1 a rational scale is found, at norm 1 it is sqrt 3. */
static void
rank_one_takes_two_factors_and_a_root_only_at_norm_one(void **state)
{
    (void)state;
    ckda_mat_t A;
    ckda_mat_init(A, 3, 3, Q);
    for (slong i = 0; i < 9; i++)
        ckda_elem_set_frac(A->entry + i, 3333, 10000, Q);
    expect(A, 2, CKDA_TRUE, 1, "rank one", Q);
    for (slong i = 0; i < 9; i++)
        ckda_elem_set_frac(A->entry + i, 1, 3, Q);
    expect(A, 2, CKDA_TRUE, 2, "rank one", Q);
    ckda_mat_clear(A, Q);
}

static void
random_rank_one_matrices_are_two_factors(void **state)
{
    (void)state;
    ckda_rand r;
    ckda_rand_init(&r, 12);
    for (int round = 0; round < 20; round++) {
        const slong n = 3 + round % 3;
        ckda_mat_t A;
        ckda_elem_struct *x = ckda_elem_vec_new(2 * n, Q), *y = x + n;
        ckda_contraction_t c;
        for (slong i = 0; i < 2 * n; i++)
            ckda_elem_set_frac(x + i, (slong)ckda_rand_range(&r, -3, 3), 6, Q);
        ckda_mat_init(A, n, n, Q);
        for (slong i = 0; i < n * n; i++)
            ckda_elem_mul(A->entry + i, x + i / n, y + i % n, Q);
        bool equal;
        if (ckda_mat_is_contraction(&equal, A, Q)) {
            factor(c, A, Q);
            assert_true(c->exact);
            assert_true(c->factors->count <= 2);
            ckda_contraction_clear(c);
        }
        ckda_mat_clear(A, Q);
        ckda_elem_vec_free(x, 2 * n, Q);
    }
}

/* ---- one factor or two, 2 x 2 ---------------------------------------------------------- */

/* Every contraction of the plane is one or two factors, and it is known which. */
static void
two_by_two_is_always_decided(void **state)
{
    (void)state;
    ckda_rand r;
    int singles = 0, twos = 0;
    ckda_rand_init(&r, 13);
    for (int round = 0; round < 40; round++) {
        ckda_mat_t A;
        ckda_contraction_t c;
        bool equal, single = false;
        ckda_mat_init(A, 2, 2, Q);
        for (int i = 0; i < 4; i++)
            ckda_elem_set_frac(A->entry + i, (slong)ckda_rand_range(&r, -4, 4), 5, Q);
        if (ckda_mat_is_contraction(&equal, A, Q)) {
            factor(c, A, Q);
            assert_true(c->exact && c->minimal == CKDA_TRUE);
            assert_int_equal(ckda_factor_is_single(&single, A, Q), CKDA_OK);
            assert_int_equal(single, c->factors->count <= 1);
            singles += single;
            twos += !single;
            ckda_contraction_clear(c);
        }
        ckda_mat_clear(A, Q);
    }
    assert_true(singles > 3 && twos > 3);
}

/* [source: this project, F9]  A triangular contraction with p, q != 0 needs two. */
static void
triangular_contractions_need_two(void **state)
{
    (void)state;
    static const slong entries[3][4] = {{6, 4, 0, 3}, {6, 0, 4, 3}, {6, 4, 0, 0}};
    for (int k = 0; k < 3; k++) {
        ckda_mat_t A;
        bool single = true;
        ckda_contraction_t c;
        ckda_mat_init(A, 2, 2, Q);
        ckda_mat_set_si(A, entries[k], 12, Q);
        assert_int_equal(ckda_factor_is_single(&single, A, Q), CKDA_OK);
        assert_false(single);
        factor(c, A, Q);
        assert_int_equal(c->factors->count, 2);
        assert_int_equal(c->minimal, CKDA_TRUE);
        ckda_contraction_clear(c);
        ckda_mat_clear(A, Q);
    }
}

/* beta = 3 with gates (1/2, -1/2) is also beta = 3/2 with gates (-1, 1): norm exactly 1. */
static void
a_stable_step_beyond_two_is_an_ordinary_one(void **state)
{
    (void)state;
    static const slong entries[] = {2, 6, -6, 7};
    ckda_mat_t A;
    ckda_contraction_t c;
    ckda_mat_init(A, 2, 2, Q);
    ckda_mat_set_si(A, entries, 10, Q);
    factor(c, A, Q);
    assert_int_equal(c->factors->count, 1);
    ckda_elem_t want;
    ckda_elem_init(want, c->K);
    ckda_elem_set_frac(want, 3, 2, c->K);
    assert_true(ckda_elem_equal(c->factors->step->beta, want, c->K));
    ckda_elem_clear(want, c->K);
    ckda_contraction_clear(c);
    ckda_mat_clear(A, Q);
}

/* ---- one factor, any n ------------------------------------------------------------------ */

static void
every_transition_is_recognised(const ckda_field_t K, uint64_t seed, int rounds)
{
    ckda_rand r;
    ckda_rand_init(&r, seed);
    for (int round = 0; round < rounds; round++) {
        const slong n = 1 + round % 5;
        ckda_trans_t t;
        ckda_mat_t A;
        ckda_contraction_t c;
        bool single = false;
        ckda_trans_init(t, CKDA_CKDA, n, 1, K);
        ckda_trans_rand(t, &r, K);
        ckda_mat_init(A, n, n, K);
        assert_int_equal(ckda_trans_matrix(A, t, K), CKDA_OK);
        assert_int_equal(ckda_factor_is_single(&single, A, K), CKDA_OK);
        assert_true(single);
        factor(c, A, K);
        assert_true(c->exact && c->factors->count <= 1);
        ckda_contraction_clear(c);
        ckda_mat_clear(A, K);
        ckda_trans_clear(t, K);
    }
}

static void
every_transition_is_recognised_over_the_rationals(void **state)
{
    (void)state;
    every_transition_is_recognised(Q, 14, 100);
}

static void
every_transition_is_recognised_over_sqrt2(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_field_init_sqrt(K, 2);
    every_transition_is_recognised(K, 15, 20);
    ckda_field_clear(K);
}

/* With three coordinates in the key the parameters are unique, so those out of range give
 * matrices that are no factor. */
static void
parameters_out_of_range_are_recognised(void **state)
{
    (void)state;
    ckda_trans_t t;
    ckda_mat_t A;
    bool single = true;
    ckda_trans_init(t, CKDA_CKDA, 3, 1, Q);
    ckda_mat_init(A, 3, 3, Q);
    for (int k = 0; k < 3; k++) {
        for (slong i = 0; i < 3; i++) {
            ckda_elem_set_si(t->key + i, i + 1, Q);
            ckda_elem_set_frac(t->gate + i, 1, i + 3, Q);
        }
        ckda_elem_set_frac(t->beta, k == 0 ? 9 : k == 1 ? -1 : 4, 4, Q);
        ckda_elem_set_frac(t->gate + 2, k == 2 ? 9 : 4, 8, Q);
        assert_int_equal(ckda_trans_matrix(A, t, Q), CKDA_OK);
        single = true;
        assert_int_equal(ckda_factor_is_single(&single, A, Q), CKDA_OK);
        assert_false(single);
    }
    ckda_trans_clear(t, Q);
    ckda_mat_clear(A, Q);
}

/* A single factor is diagonal plus rank one: an independent necessary condition. */
static void
single_factors_are_diagonal_plus_rank_one(void **state)
{
    (void)state;
    ckda_rand r;
    int no = 0;
    ckda_rand_init(&r, 16);
    for (int round = 0; round < 60; round++) {
        const slong n = 3 + round % 2;
        ckda_trans_t t;
        ckda_mat_t A, B;
        ckda_dpr1_t d;
        bool single = false;
        ckda_trans_init(t, CKDA_CKDA, n, 1, Q);
        ckda_mat_init(A, n, n, Q);
        ckda_mat_init(B, n, n, Q);
        ckda_dpr1_init(d, n, Q);
        ckda_trans_rand(t, &r, Q);
        assert_int_equal(ckda_trans_matrix(A, t, Q), CKDA_OK);
        ckda_trans_rand(t, &r, Q);
        assert_int_equal(ckda_trans_matrix(B, t, Q), CKDA_OK);
        assert_int_equal(ckda_mat_mul(A, A, B, Q), CKDA_OK);
        assert_int_equal(ckda_factor_is_single(&single, A, Q), CKDA_OK);
        if (single)
            assert_int_equal(ckda_dpr1_find(d, NULL, A, Q), CKDA_OK);
        no += !single;
        ckda_dpr1_clear(d, Q);
        ckda_mat_clear(B, Q);
        ckda_mat_clear(A, Q);
        ckda_trans_clear(t, Q);
    }
    assert_true(no > 5);
}

/* ---- approximations --------------------------------------------------------------------- */

static void
other_contractions_are_enclosed(void **state)
{
    (void)state;
    ckda_rand r;
    int seen = 0;
    ckda_rand_init(&r, 17);
    for (int round = 0; round < 12; round++) {
        const slong n = 3 + round % 4;
        ckda_mat_t A;
        ckda_contraction_t c;
        bool equal;
        ckda_mat_init(A, n, n, Q);
        for (slong i = 0; i < n * n; i++)
            ckda_elem_set_frac(A->entry + i, (slong)ckda_rand_range(&r, -9, 9), 10 * n,
                               Q);
        if (ckda_mat_is_contraction(&equal, A, Q)) {
            factor(c, A, Q);
            assert_false(c->exact);
            assert_true(ckda_field_equal(c->K, Q));
            assert_int_equal(c->A->rows, 0);
            seen++;
            ckda_contraction_clear(c);
        }
        ckda_mat_clear(A, Q);
    }
    assert_true(seen > 6);
}

/* The bound, redone exactly: |A - P|_F^2 over the field of A. */
static void
the_bound_of_the_residual_is_true(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_mat_t A, P, R;
    ckda_contraction_t c;
    ckda_elem_t s, x;
    fmpq_t q;
    ckda_field_init_sqrt(K, 2);
    ckda_mat_init(A, 3, 3, K);
    ckda_elem_init(s, K);
    ckda_elem_init(x, K);
    for (slong i = 0; i < 9; i++) { /* (1 + i sqrt 2)/40 and a hole */
        ckda_elem_gen(x, K);
        ckda_elem_mul_si(x, x, i, K);
        ckda_elem_one(s, K);
        ckda_elem_add(x, x, s, K);
        ckda_elem_set_frac(s, i == 4 ? 0 : 1, 40, K);
        ckda_elem_mul(A->entry + i, x, s, K);
    }
    factor(c, A, K);
    assert_false(c->exact);
    ckda_mat_init(P, 3, 3, c->K);
    assert_int_equal(ckda_factors_product(P, c->factors, c->K), CKDA_OK);
    ckda_mat_init(R, 3, 3, K);
    fmpq_init(q);
    ckda_elem_zero(s, K);
    for (slong i = 0; i < 9; i++) {
        fmpq_poly_t f;
        fmpq_poly_init(f);
        ckda_elem_get_fmpq_poly(f, P->entry + i, c->K);
        ckda_elem_set_fmpq_poly(x, f, K);
        ckda_elem_sub(x, A->entry + i, x, K);
        ckda_elem_addmul(s, x, x, K);
        fmpq_poly_clear(f);
    }
    assert_true(ckda_elem_sgn(s, K) > 0);
    fmpq_one(q);
    fmpq_div_2exp(q, q, (ulong)(-2 * c->residual));
    ckda_elem_set_fmpq(x, q, K);
    assert_true(ckda_elem_cmp(s, x, K) < 0);
    fmpq_clear(q);
    ckda_mat_clear(R, K);
    ckda_mat_clear(P, c->K);
    ckda_contraction_clear(c);
    ckda_elem_clear(x, K);
    ckda_elem_clear(s, K);
    ckda_mat_clear(A, K);
    ckda_field_clear(K);
}

static void
singular_contractions_are_enclosed_too(void **state)
{
    (void)state;
    static const slong entries[9] = {3,  2, 1, 1, 4,
                                     -2, 4, 6, -1}; /* row 3 = row 1 + row 2 */
    ckda_mat_t A;
    ckda_contraction_t c;
    ckda_mat_init(A, 3, 3, Q);
    ckda_mat_set_si(A, entries, 12, Q);
    assert_int_equal(ckda_mat_rank(A, Q), 2);
    factor(c, A, Q);
    assert_false(c->exact);
    ckda_contraction_clear(c);
    ckda_mat_clear(A, Q);
}

/* ---- refusals ---------------------------------------------------------------------------- */

/* |A x| > |x|? */
static bool
stretches(const ckda_mat_t A, const ckda_elem_struct *x, const ckda_field_t K)
{
    ckda_elem_t s, y;
    ckda_elem_init(s, K);
    ckda_elem_init(y, K);
    for (slong i = 0; i < A->rows; i++) {
        ckda_elem_zero(y, K);
        for (slong j = 0; j < A->cols; j++)
            ckda_elem_addmul(y, ckda_mat_entry(A, i, j), x + j, K);
        ckda_elem_addmul(s, y, y, K);
        ckda_elem_submul(s, x + i, x + i, K);
    }
    const bool yes = ckda_elem_sgn(s, K) > 0;
    ckda_elem_clear(y, K);
    ckda_elem_clear(s, K);
    return yes;
}

static void
has_witness(const ckda_mat_t A, const ckda_field_t K)
{
    ckda_contraction_t c;
    ckda_elem_struct *x = ckda_elem_vec_new(A->rows, K);
    assert_int_equal(ckda_norm_witness(x, A, K), CKDA_OK);
    assert_true(stretches(A, x, K));
    assert_int_equal(ckda_factor_contraction(c, A, K), CKDA_E_DOMAIN);
    ckda_elem_vec_free(x, A->rows, K);
}

static void
a_norm_above_one_has_a_witness(void **state)
{
    (void)state;
    ckda_rand r;
    ckda_rand_init(&r, 18);
    int seen = 0;
    for (int round = 0; round < 30; round++) {
        const slong n = 1 + round % 5;
        ckda_mat_t A;
        bool equal;
        ckda_mat_init(A, n, n, Q);
        ckda_mat_rand(A, &r, 3, 4, Q);
        if (!ckda_mat_is_contraction(&equal, A, Q)) {
            has_witness(A, Q);
            seen++;
        }
        ckda_mat_clear(A, Q);
    }
    assert_true(seen > 15);
}

/* Doubles see 1 in the first; the null vector of I - A^T A is left in the second. */
static void
witnesses_that_doubles_do_not_find(void **state)
{
    (void)state;
    static const slong entries[9] = {1, 1, 0, 0, 0, 0, 0, 0, 0};
    ckda_mat_t A;
    fmpq_t q;
    ckda_elem_t x;
    ckda_mat_init(A, 3, 3, Q);
    fmpq_init(q);
    ckda_elem_init(x, Q);
    for (slong i = 0; i < 3; i++)
        ckda_mat_set_entry_frac(A, i, i, 1, 2, Q);
    fmpq_one(q);
    fmpq_div_2exp(q, q, 300);
    ckda_elem_set_fmpq(x, q, Q);
    ckda_elem_one(ckda_mat_entry(A, 1, 1), Q);
    ckda_elem_add(ckda_mat_entry(A, 1, 1), ckda_mat_entry(A, 1, 1), x, Q);
    has_witness(A, Q); /* 1 + 2^-300 */
    ckda_mat_set_si(A, entries, 1, Q);
    has_witness(A, Q);
    ckda_elem_clear(x, Q);
    fmpq_clear(q);
    ckda_mat_clear(A, Q);
}

static void
a_norm_of_at_most_one_has_none(void **state)
{
    (void)state;
    static const slong entries[4] = {3, -4, 4, 3};
    ckda_mat_t A, B;
    bool single = true;
    ckda_contraction_t c;
    ckda_elem_struct *x = ckda_elem_vec_new(2, Q);
    ckda_elem_set_si(x, 7, Q);
    ckda_mat_init(A, 2, 2, Q);
    ckda_mat_init(B, 2, 3, Q);
    ckda_mat_set_si(A, entries, 5, Q);
    assert_int_equal(ckda_norm_witness(x, A, Q), CKDA_E_DOMAIN);
    assert_int_equal(ckda_norm_witness(x, B, Q), CKDA_E_SHAPE);
    assert_int_equal(ckda_factor_contraction(c, B, Q), CKDA_E_SHAPE);
    assert_int_equal(ckda_factor_is_single(&single, B, Q), CKDA_E_SHAPE);
    assert_int_equal(ckda_elem_cmp_si(x, 7, Q), 0);
    assert_true(single);
    ckda_mat_clear(B, Q);
    ckda_mat_clear(A, Q);
    ckda_elem_vec_free(x, 2, Q);
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
        cmocka_unit_test(diagonal_matrices_are_one_gate),
        cmocka_unit_test(a_single_column_is_one_factor_without_a_square_root),
        cmocka_unit_test(orthogonal_times_diagonal_stays_in_the_field),
        cmocka_unit_test(scaled_one_hot_maps_take_roots_of_their_fibre_sizes),
        cmocka_unit_test(signed_permutations_times_diagonals_need_no_root),
        cmocka_unit_test(rank_one_takes_two_factors_and_a_root_only_at_norm_one),
        cmocka_unit_test(random_rank_one_matrices_are_two_factors),
        cmocka_unit_test(two_by_two_is_always_decided),
        cmocka_unit_test(triangular_contractions_need_two),
        cmocka_unit_test(a_stable_step_beyond_two_is_an_ordinary_one),
        cmocka_unit_test(every_transition_is_recognised_over_the_rationals),
        cmocka_unit_test(every_transition_is_recognised_over_sqrt2),
        cmocka_unit_test(parameters_out_of_range_are_recognised),
        cmocka_unit_test(single_factors_are_diagonal_plus_rank_one),
        cmocka_unit_test(other_contractions_are_enclosed),
        cmocka_unit_test(the_bound_of_the_residual_is_true),
        cmocka_unit_test(singular_contractions_are_enclosed_too),
        cmocka_unit_test(a_norm_above_one_has_a_witness),
        cmocka_unit_test(witnesses_that_doubles_do_not_find),
        cmocka_unit_test(a_norm_of_at_most_one_has_none),
    };
    return cmocka_run_group_tests(tests, start, finish);
}
