/* Constructions: homomorphism, range, closed forms, the displayed examples. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ckda/construct.h"

static void
open_construction(ckda_construction_t c, const char *system, const char *name)
{
    ckda_error err;
    if (ckda_construct(c, system, name, &err) != CKDA_OK)
        fail_msg("%s %s: %s", system, name != NULL ? name : "default", err.text);
}

static const struct {
    const char *system, *construction;
    slong n, degree;
} all[] = {
    {"Z1", "planar", 2, 1},      {"Z2", "planar", 2, 1},      {"Z3", "planar", 2, 2},
    {"Z5", "planar", 2, 4},      {"Z12", "planar", 2, 2},     {"Z16", "planar", 2, 4},
    {"D1", "planar", 2, 1},      {"D2", "planar", 2, 1},      {"D3", "planar", 2, 2},
    {"D4", "planar", 2, 1},      {"D7", "planar", 2, 6},      {"S3", "planar", 2, 2},
    {"S2", "planar", 2, 1},      {"A3", "planar", 2, 2},      {"S1", "planar", 2, 1},
    {"A4", "cube", 3, 2},        {"S4", "cube", 3, 2},        {"A4", "quaternion", 4, 1},
    {"S4", "quaternion", 4, 1},  {"A5", "quaternion", 4, 2},  {"Z5", "quaternion", 4, 4},
    {"D1", "quaternion", 4, 1},  {"D2", "quaternion", 4, 1},  {"D6", "quaternion", 4, 2},
    {"S3", "quaternion", 4, 2},  {"S5", "householder", 5, 1}, {"A4", "householder", 4, 1},
    {"D5", "householder", 5, 1}, {"Z1", "householder", 1, 1}, {"A2", "householder", 2, 1},
    {"S4", "householder", 4, 1}, {"Z1", "dyadic", 4, 1},      {"Z2", "dyadic", 4, 1},
    {"Z3", "dyadic", 4, 1},      {"A3", "dyadic", 4, 1},      {"S3", "dyadic", 4, 1},
    {"D3", "dyadic", 4, 1},      {"Z6", "dyadic", 4, 1},      {"D6", "dyadic", 4, 1},
    {"D1", "dyadic", 4, 1},      {"D2", "dyadic", 4, 1},
};

/* rotation(g) rotation(h) = rotation(g h) on all pairs. */
static void
rotations_are_a_faithful_homomorphism(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        ckda_construction_t c;
        ckda_mat_t P;
        open_construction(c, all[i].system, all[i].construction);
        const slong n = c->decoder == CKDA_DECODE_F ? 3 : c->n;
        ckda_mat_init(P, n, n, c->K);
        for (uint32_t g = 0; g < c->G->order; g++) {
            assert_int_equal(ckda_mat_is_one(c->rotation + g, c->K), g == 0);
            for (uint32_t h = 0; h < c->G->order; h++) {
                assert_int_equal(ckda_mat_mul(P, c->rotation + g, c->rotation + h, c->K),
                                 CKDA_OK);
                const uint32_t gh = ckda_group_mul(c->G, g, h);
                assert_true(ckda_mat_equal(NULL, P, c->rotation + gh, c->K));
            }
        }
        ckda_mat_clear(P, c->K);
        ckda_construct_clear(c);
    }
}

static void
transitions_expand_to_orthogonal_matrices_in_range(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        ckda_construction_t c;
        ckda_mat_t A;
        open_construction(c, all[i].system, all[i].construction);
        assert_int_equal(c->n, all[i].n);
        assert_int_equal(c->K->degree, all[i].degree);
        assert_string_equal(c->name, all[i].construction);
        ckda_mat_init(A, c->n, c->n, c->K);
        for (uint32_t g = 0; g < c->G->order; g++) {
            assert_int_equal(ckda_trans_check(&c->trans[g], c->K, NULL), CKDA_OK);
            assert_int_equal(ckda_trans_matrix(A, &c->trans[g], c->K), CKDA_OK);
            assert_true(ckda_mat_equal(NULL, A, c->matrix + g, c->K));
            assert_true(ckda_mat_is_orthogonal(NULL, A, c->K));
        }
        ckda_mat_clear(A, c->K);
        ckda_construct_clear(c);
    }
}

static void
defaults_by_system(void **state)
{
    (void)state;
    static const char *const want[][2] = {{"Z5", "planar"},      {"D3", "planar"},
                                          {"A4", "cube"},        {"S4", "cube"},
                                          {"A5", "quaternion"},  {"S3", "householder"},
                                          {"S5", "householder"}, {"A6", "householder"}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        ckda_construction_t c;
        open_construction(c, want[i][0], NULL);
        assert_string_equal(c->name, want[i][1]);
        ckda_construct_clear(c);
    }
}

static void
unknown_combinations_list_what_exists(void **state)
{
    (void)state;
    static const char *const bad[][3] = {
        {"A5", "planar", "quaternion, householder"},
        {"A5", "cube", "quaternion, householder"},
        {"Z5", "cube", "planar, quaternion, householder"},
        {"Z4", "dyadic", "planar, quaternion, householder"},
        {"A4", "dyadic", "cube, cube-standard, quaternion, householder"},
        {"Z6", "cube", "planar, quaternion, householder, dyadic"},
        {"S4", "two", "cube, cube-standard, quaternion"},
        {"S5", "quaternion", "householder"},
        {"Q8", NULL, "expected a group"},
        {"S12", NULL, "more than 50000"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ckda_construction_t c;
        ckda_error err;
        const ckda_status st = ckda_construct(c, bad[i][0], bad[i][1], &err);
        assert_int_equal(st,
                         strcmp(bad[i][0], "S12") == 0 ? CKDA_E_UNABLE : CKDA_E_INPUT);
        if (strstr(err.text, bad[i][2]) == NULL)
            fail_msg("%s %s said: %s", bad[i][0], bad[i][1], err.text);
    }
}

static void
standard_cube_names_an_element_of_order_three(void **state)
{
    (void)state;
    static const char *const system[] = {"S4", "A4"};
    for (int i = 0; i < 2; i++) {
        ckda_construction_t c;
        ckda_error err;
        assert_int_equal(ckda_construct(c, system[i], "cube-standard", &err),
                         CKDA_E_DOMAIN);
        const char *at = strstr(err.text, ": (");
        assert_non_null(at);
        ckda_group_t G;
        uint32_t g = 0;
        char cycles[20];
        assert_int_equal(sscanf(at + 2, "%19s", cycles), 1);
        assert_int_equal(ckda_group_init_named(G, system[i], NULL), CKDA_OK);
        assert_int_equal(ckda_group_parse(&g, G, cycles, NULL), CKDA_OK);
        assert_int_equal(ckda_perm_order(&G->element[g]), 3);
        ckda_group_clear(G);
    }
}

static uint32_t
element(const ckda_construction_t c, const char *text)
{
    uint32_t g = 0;
    ckda_error err;
    if (ckda_group_parse(&g, c->G, text, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    return g;
}

static void
expect_mat(const ckda_mat_t A, const slong *v, slong den, const ckda_field_t K)
{
    ckda_mat_t B;
    ckda_mat_init(B, A->rows, A->cols, K);
    ckda_mat_set_si(B, v, den, K);
    if (!ckda_mat_equal(NULL, A, B, K))
        fail_msg("got %s, want %s", ckda_mat_str(A, K), ckda_mat_str(B, K));
    ckda_mat_clear(B, K);
}

/* Vector T1: the quarter turn; and its key direction. */
static void
planar_quarter_turn(void **state)
{
    (void)state;
    ckda_construction_t c;
    open_construction(c, "Z4", "planar");
    expect_mat(c->matrix + element(c, "r"), (const slong[]){0, -1, 1, 0}, 1, c->K);
    ckda_construct_clear(c);
    open_construction(c, "D4", "planar");
    expect_mat(c->matrix + element(c, "s"), (const slong[]){1, 0, 0, -1}, 1, c->K);
    expect_mat(c->matrix + element(c, "r*s"), (const slong[]){0, 1, 1, 0}, 1, c->K);
    ckda_construct_clear(c);
}

/* The planar key is (1 - cos, -sin), not normalised, and never leaves the field. */
static void
planar_keys_are_unnormalised(void **state)
{
    (void)state;
    ckda_construction_t c;
    ckda_elem_t x, one;
    open_construction(c, "Z8", "planar");
    ckda_elem_init(x, c->K);
    ckda_elem_init(one, c->K);
    ckda_elem_one(one, c->K);
    for (slong k = 1; k < 8; k++) {
        const ckda_trans_struct *t =
            &c->trans[ckda_group_pow(c->G, c->G->generator[0], (uint64_t)k)];
        assert_int_equal(ckda_elem_set_cos(x, k, 8, c->K), CKDA_OK);
        ckda_elem_sub(x, one, x, c->K);
        assert_true(ckda_elem_equal(x, t->key, c->K));
        assert_int_equal(ckda_elem_set_sin(x, -k, 8, c->K), CKDA_OK);
        assert_true(ckda_elem_equal(x, t->key + 1, c->K));
        assert_int_equal(ckda_elem_cmp_si(t->gate, 1, c->K), 0);
        assert_int_equal(ckda_elem_cmp_si(t->gate + 1, -1, c->K), 0);
    }
    ckda_elem_clear(one, c->K);
    ckda_elem_clear(x, c->K);
    ckda_construct_clear(c);
}

/* Vector T2 (Figure 14): Q1 = g(h), Q2 = g(k) Q1, Q3 = g(l) Q2 in A_4. */
static void
figure_14(void **state)
{
    (void)state;
    ckda_construction_t c;
    ckda_mat_t Q, R;
    open_construction(c, "A4", "quaternion");
    ckda_mat_init_set(Q, c->matrix + element(c, "(1,2,3)"), c->K);
    ckda_mat_init(R, 3, 3, c->K);
    expect_mat(Q,
               (const slong[]){-1, 1, 1, 1, -1, 1, -1, -1, -1, -1, 1, -1, -1, -1, -1, 1},
               2, c->K);
    assert_int_equal(ckda_mat_mul(Q, c->matrix + element(c, "(1,2,4)"), Q, c->K),
                     CKDA_OK);
    expect_mat(Q, (const slong[]){0, -1, 0, 0, -1, 0, 0, 0, 0, 0, 0, -1, 0, 0, -1, 0}, 1,
               c->K);
    assert_int_equal(ckda_quaternion_decode(R, Q, c->K), CKDA_OK);
    assert_true(ckda_mat_equal(NULL, R, c->rotation + element(c, "(1,4)(2,3)"), c->K));
    assert_int_equal(ckda_mat_mul(Q, c->matrix + element(c, "(1,4)(2,3)"), Q, c->K),
                     CKDA_OK);
    expect_mat(Q, (const slong[]){0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0}, 1,
               c->K);
    assert_int_equal(ckda_quaternion_decode(R, Q, c->K), CKDA_OK);
    assert_true(ckda_mat_is_one(R, c->K));
    ckda_mat_clear(Q, c->K);
    ckda_mat_clear(R, c->K);
    ckda_construct_clear(c);
}

/* x = (p + q sqrt 5) / 4 in Q(sqrt 5). */
static bool
is_golden(const ckda_elem_t x, slong p, slong q, const ckda_field_t K)
{
    ckda_elem_t y, z;
    ckda_elem_init(y, K);
    ckda_elem_init(z, K);
    ckda_elem_gen(y, K);
    ckda_elem_mul_si(y, y, q, K);
    ckda_elem_set_si(z, p, K);
    ckda_elem_add(y, y, z, K);
    ckda_elem_set_frac(z, 1, 4, K);
    ckda_elem_mul(y, y, z, K);
    const bool same = ckda_elem_equal(x, y, K);
    ckda_elem_clear(y, K);
    ckda_elem_clear(z, K);
    return same;
}

/* Vector T6: g(c) of the five-cycle, its key column, its unique certificate. */
static void
five_cycle_vector(void **state)
{
    (void)state;
    static const slong want[16][2] = {
        {-1, -1}, {1, -1},  {-2, 0}, {0, 0}, {-1, 1}, {2, 0}, {-1, -1}, {0, 0},
        {2, 0},   {-1, -1}, {1, -1}, {0, 0}, {0, 0},  {0, 0}, {0, 0},   {4, 0}};
    static const slong key[4][2] = {{3, -1}, {-1, 1}, {2, 0}, {0, 0}};
    ckda_construction_t c;
    ckda_elem_t x;
    int signs[4];
    open_construction(c, "A5", NULL);
    ckda_elem_init(x, c->K);
    const uint32_t g = element(c, "(1,2,3,4,5)");
    for (slong i = 0; i < 16; i++)
        assert_true(is_golden(c->matrix[g].entry + i, want[i][0], want[i][1], c->K));
    for (slong i = 0; i < 4; i++)
        assert_true(is_golden(c->trans[g].key + i, key[i][0], key[i][1], c->K));
    assert_int_equal(ckda_signed_householder(signs, NULL, c->matrix + g, c->K), 1);
    assert_true(signs[0] == -1 && signs[1] == 1 && signs[2] == 1 && signs[3] == 1);
    ckda_elem_clear(x, c->K);
    ckda_construct_clear(c);
}

/* The half turns about the axes are the double transpositions; A_5 keeps A_4's labels. */
static void
labels_agree_between_a4_s4_and_a5(void **state)
{
    (void)state;
    static const char *const common[] = {
        "()", "(1,2)(3,4)", "(1,3)(2,4)", "(1,4)(2,3)", "(1,2,3)", "(1,3,4)", "(2,4,3)"};
    static const char *const system[] = {"A4", "S4", "A5"};
    ckda_construction_t c[3];
    for (int i = 0; i < 3; i++)
        open_construction(c[i], system[i], "quaternion");
    expect_mat(c[2]->rotation + element(c[2], "(1,3)(2,4)"),
               (const slong[]){-1, 0, 0, 0, 1, 0, 0, 0, -1}, 1, c[2]->K);
    for (size_t j = 0; j < sizeof common / sizeof *common; j++) {
        char *text[3];
        for (int i = 0; i < 3; i++)
            text[i] = ckda_mat_str(c[i]->rotation + element(c[i], common[j]), c[i]->K);
        assert_string_equal(text[0], text[1]);
        assert_string_equal(text[0], text[2]);
        for (int i = 0; i < 3; i++)
            free(text[i]);
    }
    for (int i = 0; i < 3; i++)
        ckda_construct_clear(c[i]);
}

/* f(g(A)) = A for every rotation of the construction, and shapes are checked. */
static void
encoder_and_decoder(void **state)
{
    (void)state;
    ckda_construction_t c;
    ckda_mat_t R;
    open_construction(c, "A5", NULL);
    ckda_mat_init(R, 3, 3, c->K);
    for (uint32_t g = 0; g < c->G->order; g++) {
        assert_int_equal(ckda_quaternion_decode(R, c->matrix + g, c->K), CKDA_OK);
        assert_true(ckda_mat_equal(NULL, R, c->rotation + g, c->K));
    }
    assert_int_equal(ckda_quaternion_decode(R, R, c->K), CKDA_E_SHAPE);
    assert_int_equal(ckda_quaternion_encode(R, R, c->K), CKDA_E_SHAPE);
    ckda_mat_clear(R, c->K);
    ckda_construct_clear(c);
}

/* Trap: f is multiplicative for det +1 only.  f(S D0) = -M^T for S = g(M). */
static void
decoder_is_not_multiplicative_for_det_minus_one(void **state)
{
    (void)state;
    ckda_construction_t c;
    ckda_mat_t D0, S, left, right;
    open_construction(c, "A4", "quaternion");
    ckda_mat_init(D0, 4, 4, c->K);
    ckda_mat_init(S, 4, 4, c->K);
    ckda_mat_init(left, 3, 3, c->K);
    ckda_mat_init(right, 3, 3, c->K);
    for (slong i = 0; i < 4; i++)
        ckda_mat_set_entry_si(D0, i, i, i == 0 ? -1 : 1, c->K);
    const ckda_mat_struct *M = c->matrix + element(c, "(1,2,3)");
    assert_int_equal(ckda_mat_mul(S, M, D0, c->K), CKDA_OK);
    assert_int_equal(ckda_quaternion_decode(left, S, c->K), CKDA_OK);
    const ckda_mat_struct *R = c->rotation + element(c, "(1,2,3)");
    assert_int_equal(ckda_mat_neg(right, R, c->K), CKDA_OK); /* f(M) f(D0) = -M */
    assert_false(ckda_mat_equal(NULL, left, right, c->K));
    assert_int_equal(ckda_mat_transpose(right, right, c->K), CKDA_OK);
    assert_true(ckda_mat_equal(NULL, left, right, c->K));
    assert_int_equal(ckda_mat_mul(S, D0, M, c->K), CKDA_OK); /* from the left it is */
    assert_int_equal(ckda_quaternion_decode(left, S, c->K), CKDA_OK);
    assert_int_equal(ckda_mat_neg(right, R, c->K), CKDA_OK);
    assert_true(ckda_mat_equal(NULL, left, right, c->K));
    ckda_mat_clear(D0, c->K);
    ckda_mat_clear(S, c->K);
    ckda_mat_clear(left, c->K);
    ckda_mat_clear(right, c->K);
    ckda_construct_clear(c);
}

/* n - #cycles reflections a letter; 1, 10, 35, 50, 24 permutations of S_5 take 0 .. 4. */
static void
householder_step_counts(void **state)
{
    (void)state;
    int count[5] = {0};
    ckda_construction_t c;
    open_construction(c, "S5", NULL);
    for (uint32_t g = 0; g < c->G->order; g++) {
        const ckda_trans_struct *t = &c->trans[g];
        slong used = 0;
        for (slong j = 0; j < t->steps; j++)
            used += !ckda_elem_is_zero(&t->beta[j], c->K);
        assert_int_equal(used, 5 - ckda_perm_cycles(&c->G->element[g]));
        assert_true(t->family == CKDA_DELTAPRODUCT);
        count[used]++;
    }
    const int want[5] = {1, 10, 35, 50, 24};
    assert_memory_equal(count, want, sizeof want);
    ckda_construct_clear(c);
}

static void
generated_groups_move_into_the_construction(void **state)
{
    (void)state;
    const ckda_perm gens[2] = {{5, {1, 0, 2, 3, 4}}, {5, {0, 1, 3, 4, 2}}};
    ckda_group_t G;
    ckda_construction_t c;
    ckda_error err;
    assert_int_equal(ckda_group_init_generated(G, "mine", gens, NULL, 2, 100, &err),
                     CKDA_OK);
    assert_int_equal(ckda_construct_generated(c, G, "planar", &err), CKDA_E_INPUT);
    assert_int_equal(G->order, 6);
    assert_int_equal(ckda_construct_generated(c, G, NULL, &err), CKDA_OK);
    assert_int_equal(c->G->order, 6);
    assert_int_equal(c->n, 5);
    ckda_group_clear(G); /* empty now, harmless */
    ckda_construct_clear(c);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotations_are_a_faithful_homomorphism),
        cmocka_unit_test(transitions_expand_to_orthogonal_matrices_in_range),
        cmocka_unit_test(defaults_by_system),
        cmocka_unit_test(unknown_combinations_list_what_exists),
        cmocka_unit_test(standard_cube_names_an_element_of_order_three),
        cmocka_unit_test(planar_quarter_turn),
        cmocka_unit_test(planar_keys_are_unnormalised),
        cmocka_unit_test(figure_14),
        cmocka_unit_test(five_cycle_vector),
        cmocka_unit_test(labels_agree_between_a4_s4_and_a5),
        cmocka_unit_test(encoder_and_decoder),
        cmocka_unit_test(decoder_is_not_multiplicative_for_det_minus_one),
        cmocka_unit_test(householder_step_counts),
        cmocka_unit_test(generated_groups_move_into_the_construction),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
