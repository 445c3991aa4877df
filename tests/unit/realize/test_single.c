/* Trackers of one head in the letters of the group that was given. */
#include "groups.h"

/* G is tracked by `construction` with so many states; G is cleared. */
static void
tracked(ckda_group_t G, const char *construction, slong n, uint64_t states)
{
    ckda_isomorphism_t f;
    ckda_construction_t c;
    ckda_realize_closure r;
    ckda_error err;
    const uint32_t order = G->order;
    assert_int_equal(ckda_isomorphism_find(f, G), CKDA_OK);
    if (ckda_realize_single(c, f, G, construction, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    ckda_isomorphism_clear(f);
    assert_int_equal(c->n, n);
    assert_int_equal(c->G->order, order);
    for (uint32_t g = 0; g < order; g++)
        assert_true(ckda_perm_equal(&c->G->element[g], &G->element[g]));
    ckda_group_clear(G);
    assert_int_equal(ckda_realize_close(&r, c, NULL, &err), CKDA_OK);
    assert_int_equal(r.right, CKDA_TRUE);
    assert_int_equal(r.read_out, CKDA_TRUE);
    assert_int_equal(r.states, states);
    assert_int_equal(r.edges, states * order);
    assert_int_equal(r.min_per_element, states / order);
    assert_int_equal(r.max_per_element, states / order);
    assert_null(r.limit);
    ckda_realize_closure_clear(&r);
    ckda_construct_clear(c);
}

static void
usual_constructions(void **state)
{
    (void)state;
    ckda_group_t G;
    named(G, "Z1");
    tracked(G, NULL, 2, 1);
    named(G, "Z5");
    tracked(G, NULL, 2, 5);
    named(G, "D2");
    tracked(G, NULL, 2, 4);
    named(G, "S3");
    tracked(G, NULL, 2, 6);
    named(G, "A4");
    tracked(G, NULL, 3, 12);
    named(G, "S4");
    tracked(G, NULL, 3, 24);
}

static void
groups_that_come_without_a_name(void **state)
{
    (void)state;
    ckda_group_t G;
    product(G, "Z3", "Z4");
    tracked(G, NULL, 2, 12);
    product(G, "D3", "Z2");
    tracked(G, NULL, 2, 12);
    cycles(G, 6, "(1,2,3,4)", "(1,5,3,6)");
    tracked(G, NULL, 3, 24);
    projective(G, 3);
    tracked(G, "cube", 3, 12);
}

static void
quaternions_of_everything(void **state)
{
    (void)state;
    ckda_group_t G;
    named(G, "D4");
    tracked(G, "quaternion", 4, 32);
    product(G, "Z2", "Z3");
    tracked(G, "dyadic", 4, 6);
    cycles(G, 6, "(1,2,3,4)", "(1,5,3,6)");
    tracked(G, "quaternion", 4, 576);
    projective(G, 3);
    tracked(G, "quaternion", 4, 96);
}

/* PSL(2,5) on six points is A5: 7200 states. */
static void
icosahedron_on_six_points(void **state)
{
    (void)state;
    ckda_group_t G;
    projective(G, 5);
    tracked(G, NULL, 4, 7200);
}

static void
unknown_constructions_are_refused(void **state)
{
    (void)state;
    ckda_group_t G;
    ckda_isomorphism_t f;
    ckda_construction_t c;
    ckda_error err;
    named(G, "D5");
    assert_int_equal(ckda_isomorphism_find(f, G), CKDA_OK);
    assert_int_equal(ckda_realize_single(c, f, G, "cube", &err), CKDA_E_INPUT);
    assert_int_equal(ckda_realize_single(c, f, G, "dyadic", &err), CKDA_E_INPUT);
    ckda_isomorphism_clear(f);
    ckda_group_clear(G);
    named(G, "S4");
    assert_int_equal(ckda_isomorphism_find(f, G), CKDA_OK);
    assert_int_equal(ckda_realize_single(c, f, G, "planar", &err), CKDA_E_INPUT);
    assert_int_equal(ckda_realize_single(c, f, G, "cube-standard", &err), CKDA_E_DOMAIN);
    ckda_isomorphism_clear(f);
    ckda_group_clear(G);
}

static void
a_limit_leaves_it_undecided(void **state)
{
    (void)state;
    ckda_group_t G;
    ckda_isomorphism_t f;
    ckda_construction_t c;
    ckda_realize_closure r;
    ckda_error err;
    const ckda_limits few = {.max_states = 10};
    named(G, "S4");
    assert_int_equal(ckda_isomorphism_find(f, G), CKDA_OK);
    assert_int_equal(ckda_realize_single(c, f, G, NULL, &err), CKDA_OK);
    assert_int_equal(ckda_realize_close(&r, c, &few, &err), CKDA_OK);
    assert_int_equal(r.right, CKDA_UNKNOWN);
    assert_string_equal(r.limit, "states");
    ckda_realize_closure_clear(&r);
    ckda_construct_clear(c);
    ckda_isomorphism_clear(f);
    ckda_group_clear(G);
}

/* Two letters exchanged: no tracker any more. */
static void
a_wrong_letter_is_found(void **state)
{
    (void)state;
    ckda_group_t G;
    ckda_isomorphism_t f;
    ckda_construction_t c;
    ckda_realize_closure r;
    ckda_error err;
    named(G, "D4");
    assert_int_equal(ckda_isomorphism_find(f, G), CKDA_OK);
    assert_int_equal(ckda_realize_single(c, f, G, NULL, &err), CKDA_OK);
    ckda_mat_swap(c->matrix + 1, c->matrix + 2);
    assert_int_equal(ckda_realize_close(&r, c, NULL, &err), CKDA_OK);
    assert_int_equal(r.right, CKDA_FALSE);
    ckda_realize_closure_clear(&r);
    ckda_construct_clear(c);
    ckda_isomorphism_clear(f);
    ckda_group_clear(G);
}

/* ---- letters of a user's own ----------------------------------------------------------- */

static void
a_reflection_is_one_step(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_mat_t A;
    ckda_letter_t l;
    ckda_field_init_rational(K);
    ckda_mat_init(A, 2, 2, K);
    ckda_mat_set_si(A, (const slong[]){0, -1, 1, 0}, 1, K);
    assert_int_equal(ckda_letter_find(l, A, K), CKDA_OK);
    assert_true(l->one->verified);
    assert_false(l->factored);
    ckda_letter_clear(l, K);
    ckda_mat_clear(A, K);
    ckda_field_clear(K);
}

static void
a_cyclic_permutation_of_four_takes_three(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_mat_t A;
    ckda_letter_t l;
    const slong image[] = {1, 2, 3, 0};
    ckda_field_init_rational(K);
    ckda_mat_init(A, 4, 4, K);
    assert_int_equal(ckda_mat_set_map(A, image, 4, K), CKDA_OK);
    assert_int_equal(ckda_letter_find(l, A, K), CKDA_OK);
    assert_false(l->one->verified);
    assert_true(l->factored);
    assert_int_equal(l->factors->count, 3);
    assert_int_equal(l->minimal, CKDA_TRUE);
    ckda_letter_clear(l, K);
    ckda_mat_clear(A, K);
    ckda_field_clear(K);
}

static void
a_shear_is_not_orthogonal(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_mat_t A, B;
    ckda_letter_t l;
    ckda_field_init_rational(K);
    ckda_mat_init(A, 2, 2, K);
    ckda_mat_init(B, 2, 3, K);
    ckda_mat_set_si(A, (const slong[]){1, 1, 0, 1}, 1, K);
    assert_int_equal(ckda_letter_find(l, A, K), CKDA_OK);
    assert_false(l->one->verified);
    assert_false(l->one->orthogonal);
    assert_false(l->factored);
    ckda_letter_clear(l, K);
    assert_int_equal(ckda_letter_find(l, B, K), CKDA_E_SHAPE);
    ckda_mat_clear(B, K);
    ckda_mat_clear(A, K);
    ckda_field_clear(K);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(usual_constructions),
        cmocka_unit_test(groups_that_come_without_a_name),
        cmocka_unit_test(quaternions_of_everything),
        cmocka_unit_test(icosahedron_on_six_points),
        cmocka_unit_test(unknown_constructions_are_refused),
        cmocka_unit_test(a_limit_leaves_it_undecided),
        cmocka_unit_test(a_wrong_letter_is_found),
        cmocka_unit_test(a_reflection_is_one_step),
        cmocka_unit_test(a_cyclic_permutation_of_four_takes_three),
        cmocka_unit_test(a_shear_is_not_orthogonal),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
