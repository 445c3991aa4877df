/* Families, ranges and the matrix of a transition. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

#include "ckda/trans.h"

/* ---- names ------------------------------------------------------------------------- */

static void
family_names_read_back(void **state)
{
    (void)state;
    for (int f = 0; f < CKDA_FAMILIES; f++) {
        ckda_family g = CKDA_DELTANET;
        assert_int_equal(ckda_family_parse(&g, ckda_family_name((ckda_family)f)),
                         CKDA_OK);
        assert_int_equal(g, f);
    }
}

static void
unknown_family_changes_nothing(void **state)
{
    (void)state;
    ckda_family g = CKDA_KDA;
    assert_int_equal(ckda_family_parse(&g, "CKDA"), CKDA_E_INPUT);
    assert_int_equal(ckda_family_parse(&g, ""), CKDA_E_INPUT);
    assert_int_equal(ckda_family_parse(&g, "kda "), CKDA_E_INPUT);
    assert_int_equal(g, CKDA_KDA);
}

/* ---- ranges ------------------------------------------------------------------------ */

/* A transition of family f in dimension n, inside its ranges. */
static void
inside(ckda_trans_t t, ckda_family f, slong n, const ckda_field_t K)
{
    ckda_trans_init(t, f, n, 1, K);
    assert_int_equal(ckda_trans_check(t, K, NULL), CKDA_OK);
}

static void
outside(const ckda_trans_t t, const ckda_field_t K, const char *want)
{
    ckda_error err = {{0}};
    assert_int_equal(ckda_trans_check(t, K, &err), CKDA_E_DOMAIN);
    assert_string_equal(err.text, want);
    assert_int_equal(ckda_trans_check(t, K, NULL), CKDA_E_DOMAIN);
}

static void
ends_of_every_range_are_inside(void **state)
{
    (void)state;
    static const int gate[CKDA_STEP_FAMILIES][2] = {
        {1, 1}, {0, 1}, {0, 1}, {-1, 1}, {-1, 1}};
    static const int beta_hi[CKDA_STEP_FAMILIES] = {2, 2, 1, 2, 2};
    ckda_field_t K;
    ckda_trans_t t;
    ckda_field_init_rational(K);
    for (int f = 0; f < CKDA_STEP_FAMILIES; f++) {
        inside(t, (ckda_family)f, 1, K);
        for (int g = -2; g <= 2; g++) {
            for (int b = -1; b <= 3; b++) {
                ckda_elem_set_si(t->gate, g, K);
                ckda_elem_set_si(t->beta, b, K);
                const bool good =
                    g >= gate[f][0] && g <= gate[f][1] && b >= 0 && b <= beta_hi[f];
                assert_int_equal(ckda_trans_check(t, K, NULL),
                                 good ? CKDA_OK : CKDA_E_DOMAIN);
            }
        }
        ckda_trans_clear(t, K);
    }
    ckda_field_clear(K);
}

static void
gate_out_of_range_names_value_place_and_range(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_trans_t t;
    ckda_field_init_rational(K);
    inside(t, CKDA_CKDA, 3, K);
    ckda_elem_set_frac(t->gate + 2, -4, 3, K);
    outside(t, K, "gate[2]: expected a number in [-1, 1] (family ckda), found -4/3");
    t->family = CKDA_KDA;
    ckda_elem_set_frac(t->gate + 2, -1, 3, K);
    outside(t, K, "gate[2]: expected a number in [0, 1] (family kda), found -1/3");
    ckda_trans_clear(t, K);
    ckda_field_clear(K);
}

static void
beta_out_of_range_names_value_place_and_range(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_trans_t t;
    ckda_field_init_rational(K);
    inside(t, CKDA_KDA, 2, K);
    ckda_elem_set_frac(t->beta, 3, 2, K);
    outside(t, K, "beta: expected a number in [0, 1] (family kda), found 3/2");
    ckda_trans_clear(t, K);
    ckda_trans_init(t, CKDA_DELTAPRODUCT, 2, 3, K);
    ckda_elem_set_frac(t->beta + 1, 5, 2, K);
    outside(t, K,
            "betas[1]: expected a number in [0, 2] (family deltaproduct), found 5/2");
    ckda_trans_clear(t, K);
    ckda_field_clear(K);
}

static void
zero_key_is_refused(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_trans_t t;
    ckda_mat_t A;
    ckda_poly_t f;
    ckda_field_init_rational(K);
    inside(t, CKDA_CKDA, 2, K);
    ckda_elem_zero(t->key, K);
    outside(t, K, "key: expected a nonzero direction, found only zeros");
    ckda_mat_init(A, 2, 2, K);
    ckda_mat_set_entry_si(A, 0, 1, 7, K);
    assert_int_equal(ckda_trans_matrix(A, t, K), CKDA_E_DOMAIN);
    assert_true(ckda_elem_cmp_si(ckda_mat_entry(A, 0, 1), 7, K) == 0); /* left alone */
    ckda_poly_init(f, K);
    ckda_poly_set_coeff_si(f, 1, 5, K);
    assert_int_equal(ckda_trans_charpoly(f, t, K), CKDA_E_DOMAIN);
    assert_int_equal(ckda_poly_degree(f), 1);
    ckda_poly_clear(f, K);
    ckda_mat_clear(A, K);
    ckda_trans_clear(t, K);
    ckda_trans_init(t, CKDA_DELTAPRODUCT, 2, 2, K);
    ckda_elem_zero(t->key + 2, K);
    outside(t, K, "keys[1]: expected a nonzero direction, found only zeros");
    ckda_trans_clear(t, K);
    ckda_field_clear(K);
}

static void
scalar_gate_must_be_one_value(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_trans_t t;
    ckda_field_init_rational(K);
    inside(t, CKDA_GDN, 2, K);
    ckda_elem_set_frac(t->gate + 1, 1, 2, K);
    outside(t, K, "gate: expected one scalar (family gdn), found different values");
    ckda_elem_set_frac(t->gate, 1, 2, K);
    assert_int_equal(ckda_trans_check(t, K, NULL), CKDA_OK);
    t->family = CKDA_DELTANET;
    outside(t, K, "gate: expected 1 (family deltanet), found 1/2");
    ckda_trans_clear(t, K);
    ckda_field_clear(K);
}

static void
only_deltaproduct_has_several_steps(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_trans_t t;
    ckda_poly_t f;
    ckda_field_init_rational(K);
    ckda_trans_init(t, CKDA_DELTAPRODUCT, 2, 2, K);
    assert_int_equal(ckda_trans_check(t, K, NULL), CKDA_OK);
    ckda_poly_init(f, K);
    assert_int_equal(ckda_trans_charpoly(f, t, K), CKDA_E_SHAPE);
    ckda_poly_clear(f, K);
    t->family = CKDA_CKDA;
    outside(t, K, "steps: expected 1 (family ckda), found 2");
    ckda_trans_clear(t, K);
    ckda_field_clear(K);
}

static void
irrational_values_are_compared_exactly(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_trans_t t;
    ckda_field_init_sqrt(K, 2);
    inside(t, CKDA_CKDA, 1, K);
    ckda_elem_gen(t->gate, K); /* sqrt 2 > 1 */
    outside(
        t, K,
        "gate[0]: expected a number in [-1, 1] (family ckda), found a (1.414213562...)");
    ckda_elem_set_frac(t->beta, 1, 1, K); /* 99 - 70 sqrt 2 = 0.00505..., inside */
    ckda_elem_mul_si(t->gate, t->gate, -70, K);
    ckda_elem_set_si(t->beta, 99, K);
    ckda_elem_add(t->gate, t->gate, t->beta, K);
    ckda_elem_one(t->beta, K);
    assert_int_equal(ckda_trans_check(t, K, NULL), CKDA_OK);
    ckda_elem_add(t->gate, t->gate, t->beta, K); /* 1.00505... */
    assert_int_equal(ckda_trans_check(t, K, NULL), CKDA_E_DOMAIN);
    ckda_trans_clear(t, K);
    ckda_field_clear(K);
}

/* ---- values ------------------------------------------------------------------------ */

static void
new_transition_is_the_identity(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_trans_t t;
    ckda_mat_t A;
    ckda_field_init_sqrt(K, 5);
    ckda_trans_init(t, CKDA_DELTAPRODUCT, 3, 2, K);
    ckda_mat_init(A, 3, 3, K);
    assert_int_equal(ckda_trans_matrix(A, t, K), CKDA_OK);
    assert_true(ckda_mat_is_one(A, K));
    ckda_mat_clear(A, K);
    ckda_mat_init(A, 2, 3, K);
    assert_int_equal(ckda_trans_matrix(A, t, K), CKDA_E_SHAPE);
    ckda_mat_clear(A, K);
    ckda_trans_clear(t, K);
    ckda_field_clear(K);
}

static void
copies_are_equal_and_independent(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_trans_t t, u, v;
    ckda_mat_t A, B;
    ckda_rand r;
    ckda_rand_init(&r, 4);
    ckda_field_init_sqrt(K, 5);
    ckda_trans_init(t, CKDA_CKDA, 3, 1, K);
    ckda_trans_rand(t, &r, K);
    ckda_trans_init_set(u, t, K);
    ckda_mat_init(A, 3, 3, K);
    ckda_mat_init(B, 3, 3, K);
    assert_int_equal(ckda_trans_matrix(A, t, K), CKDA_OK);
    ckda_elem_set_si(t->gate, 9, K);
    assert_int_equal(ckda_trans_matrix(B, u, K), CKDA_OK);
    assert_true(ckda_mat_equal(NULL, A, B, K));
    assert_int_equal(ckda_trans_set(u, u, K), CKDA_OK);
    ckda_trans_init(v, CKDA_CKDA, 2, 1, K);
    assert_int_equal(ckda_trans_set(v, u, K), CKDA_E_SHAPE);
    ckda_trans_swap(v, u);
    assert_int_equal(u->n, 2);
    assert_int_equal(v->n, 3);
    ckda_trans_set_ckda(t, v->beta, v->key, v->gate, K);
    assert_int_equal(ckda_trans_matrix(B, t, K), CKDA_OK);
    assert_true(ckda_mat_equal(NULL, A, B, K));
    ckda_mat_clear(A, K);
    ckda_mat_clear(B, K);
    ckda_trans_clear(t, K);
    ckda_trans_clear(u, K);
    ckda_trans_clear(v, K);
    ckda_field_clear(K);
}

/* The definition, step by step, with the matrices of ckda/mat.h. */
static void
matrix_by_definition(ckda_mat_t A, const ckda_trans_t t, const ckda_field_t K)
{
    ckda_mat_t H;
    ckda_mat_init(H, t->n, t->n, K);
    assert_int_equal(ckda_mat_set_diag(A, t->gate, t->n, K), CKDA_OK);
    for (slong j = 0; j < t->steps; j++) {
        assert_int_equal(
            ckda_mat_set_householder(H, t->beta + j, t->key + j * t->n, t->n, K),
            CKDA_OK);
        assert_int_equal(ckda_mat_mul(A, H, A, K), CKDA_OK);
    }
    ckda_mat_clear(H, K);
}

static void
matrix_is_product_of_its_steps(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_trans_t t;
    ckda_mat_t A, B;
    ckda_rand r;
    ckda_rand_init(&r, 1);
    for (int round = 0; round < 60; round++) {
        const ckda_family f = (ckda_family)(round % CKDA_STEP_FAMILIES);
        const slong n = 1 + round % 4, steps = f == CKDA_DELTAPRODUCT ? 1 + round % 3 : 1;
        if (round % 2 == 0)
            ckda_field_init_rational(K);
        else
            ckda_field_init_cos(K, 7);
        ckda_trans_init(t, f, n, steps, K);
        ckda_trans_rand(t, &r, K);
        ckda_mat_init(A, n, n, K);
        ckda_mat_init(B, n, n, K);
        assert_int_equal(ckda_trans_matrix(A, t, K), CKDA_OK);
        matrix_by_definition(B, t, K);
        assert_true(ckda_mat_equal(NULL, A, B, K));
        ckda_mat_clear(A, K);
        ckda_mat_clear(B, K);
        ckda_trans_clear(t, K);
        ckda_field_clear(K);
    }
}

static void
scaled_key_gives_the_same_matrix(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_trans_t t;
    ckda_mat_t A, B;
    ckda_elem_t c;
    ckda_rand r;
    ckda_rand_init(&r, 2);
    ckda_field_init_sqrt(K, 5);
    ckda_trans_init(t, CKDA_CKDA, 3, 1, K);
    ckda_trans_rand(t, &r, K);
    ckda_mat_init(A, 3, 3, K);
    ckda_mat_init(B, 3, 3, K);
    assert_int_equal(ckda_trans_matrix(A, t, K), CKDA_OK);
    ckda_elem_init(c, K);
    ckda_elem_gen(c, K); /* scaling by sqrt 5 */
    for (slong i = 0; i < 3; i++)
        ckda_elem_mul(t->key + i, t->key + i, c, K);
    assert_int_equal(ckda_trans_matrix(B, t, K), CKDA_OK);
    assert_true(ckda_mat_equal(NULL, A, B, K));
    ckda_elem_clear(c, K);
    ckda_mat_clear(A, K);
    ckda_mat_clear(B, K);
    ckda_trans_clear(t, K);
    ckda_field_clear(K);
}

static void
reflection_with_sign_gate_is_a_rotation(void **state)
{
    (void)state;
    /* (I - 2 k k^T) Diag(-1, 1), k = (1, 1)/sqrt 2, turns by a quarter: [[0,-1],[1,0]] */
    ckda_field_t K;
    ckda_trans_t t;
    ckda_mat_t A, B;
    const slong want[] = {0, -1, 1, 0};
    ckda_field_init_rational(K);
    ckda_trans_init(t, CKDA_CKDA, 2, 1, K);
    ckda_elem_set_si(t->beta, 2, K);
    ckda_elem_one(t->key + 1, K);
    ckda_elem_set_si(t->gate, -1, K);
    ckda_mat_init(A, 2, 2, K);
    ckda_mat_init(B, 2, 2, K);
    ckda_mat_set_si(B, want, 1, K);
    assert_int_equal(ckda_trans_matrix(A, t, K), CKDA_OK);
    assert_true(ckda_mat_equal(NULL, A, B, K));
    ckda_mat_clear(A, K);
    ckda_mat_clear(B, K);
    ckda_trans_clear(t, K);
    ckda_field_clear(K);
}

static void
random_transitions_are_in_range_and_meet_the_corners(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_trans_t t;
    ckda_rand r;
    int beta_seen[3] = {0}, gate_seen[3] = {0}, repeated = 0, zero_entry = 0,
        irrational = 0;
    ckda_rand_init(&r, 3);
    ckda_field_init_sqrt(K, 2);
    for (int round = 0; round < 400; round++) {
        ckda_trans_init(t, (ckda_family)(round % CKDA_STEP_FAMILIES), 3, 1, K);
        ckda_trans_rand(t, &r, K);
        assert_int_equal(ckda_trans_check(t, K, NULL), CKDA_OK);
        if (t->family == CKDA_CKDA) {
            for (int v = 0; v < 3; v++) {
                beta_seen[v] += ckda_elem_cmp_si(t->beta, v, K) == 0;
                gate_seen[v] += ckda_elem_cmp_si(t->gate + 1, v - 1, K) == 0;
            }
            repeated += ckda_elem_equal(t->gate, t->gate + 1, K);
            zero_entry += ckda_elem_is_zero(t->key, K);
            irrational += !ckda_elem_is_rational(t->gate, K);
        }
        ckda_trans_clear(t, K);
    }
    for (int v = 0; v < 3; v++)
        assert_true(beta_seen[v] > 0 && gate_seen[v] > 0);
    assert_true(repeated > 0 && zero_entry > 0 && irrational > 0);
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
        cmocka_unit_test(family_names_read_back),
        cmocka_unit_test(unknown_family_changes_nothing),
        cmocka_unit_test(ends_of_every_range_are_inside),
        cmocka_unit_test(gate_out_of_range_names_value_place_and_range),
        cmocka_unit_test(beta_out_of_range_names_value_place_and_range),
        cmocka_unit_test(zero_key_is_refused),
        cmocka_unit_test(scalar_gate_must_be_one_value),
        cmocka_unit_test(only_deltaproduct_has_several_steps),
        cmocka_unit_test(irrational_values_are_compared_exactly),
        cmocka_unit_test(new_transition_is_the_identity),
        cmocka_unit_test(copies_are_equal_and_independent),
        cmocka_unit_test(matrix_is_product_of_its_steps),
        cmocka_unit_test(scaled_key_gives_the_same_matrix),
        cmocka_unit_test(reflection_with_sign_gate_is_a_rotation),
        cmocka_unit_test(random_transitions_are_in_range_and_meet_the_corners),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
