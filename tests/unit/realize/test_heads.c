/* One layer with several heads. */
#include "groups.h"

/* heads: how many; states: of the closure.  G is cleared. */
static void
tracked(ckda_group_t G, const char *method, uint32_t nheads, uint64_t states)
{
    ckda_heads_t heads;
    ckda_realize_closure r;
    ckda_error err;
    if (ckda_heads_find(heads, G, &err) != CKDA_OK)
        fail_msg("order %u: no heads", G->order);
    assert_string_equal(heads->method, method);
    assert_int_equal(heads->nheads, nheads);
    assert_int_equal(ckda_heads_close(&r, heads, G, NULL, &err), CKDA_OK);
    assert_int_equal(r.right, CKDA_TRUE);
    assert_int_equal(r.states, states);
    ckda_realize_closure_clear(&r);
    ckda_heads_clear(heads);
    ckda_group_clear(G);
}

static void
refused(ckda_group_t G)
{
    ckda_heads_t heads;
    assert_int_equal(ckda_heads_find(heads, G, NULL), CKDA_E_DOMAIN);
    ckda_group_clear(G);
}

static void
abelian_groups(void **state)
{
    (void)state;
    ckda_group_t G;
    elementary(G, 2, 3);
    tracked(G, "quotients", 2, 6);
    elementary(G, 3, 2);
    tracked(G, "quotients", 2, 6);
    elementary(G, 2, 4);
    tracked(G, "quotients", 2, 8);
    product(G, "Z2", "Z4");
    tracked(G, "quotients", 2, 6);
    product(G, "Z3", "Z6");
    tracked(G, "quotients", 2, 9);
}

static void
products_of_rotation_groups(void **state)
{
    (void)state;
    ckda_group_t G;
    product(G, "S4", "Z2");
    tracked(G, "quotients", 2, 26);
    product(G, "A4", "Z2");
    tracked(G, "quotients", 2, 14);
    product(G, "D4", "Z3");
    tracked(G, "quotients", 2, 11);
    product(G, "A5", "Z3");
    tracked(G, "quotients", 2, 7203);
}

/* The kernels do not meet, but the group is no direct product: Dic_3 is a subgroup of
 * D_3 x Z_4. */
static void
subdirect_products(void **state)
{
    (void)state;
    ckda_group_t G;
    dicyclic(G, 3);
    tracked(G, "quotients", 2, 10);
    metacyclic(G, 3, 8, 2, 0);
    tracked(G, "quotients", 2, 14);
}

/* No two normal subgroups of these meet in 1. */
static void
dicyclic_groups(void **state)
{
    (void)state;
    ckda_group_t G;
    dicyclic(G, 2); /* the quaternion group */
    tracked(G, "dicyclic", 2, 16);
    dicyclic(G, 4);
    tracked(G, "dicyclic", 2, 32);
    dicyclic(G, 8);
    tracked(G, "dicyclic", 2, 64);
}

/* Joint states of a tracker by quotients, explored as pairs: the same verdict. */
static void
quotients_as_joint_states(void **state)
{
    (void)state;
    ckda_group_t G;
    ckda_heads_t heads;
    ckda_realize_closure r;
    ckda_error err;
    product(G, "D3", "Z3");
    assert_int_equal(ckda_heads_find(heads, G, &err), CKDA_OK);
    heads->method = "dicyclic";
    assert_int_equal(ckda_heads_close(&r, heads, G, NULL, &err), CKDA_OK);
    assert_int_equal(r.right, CKDA_TRUE);
    assert_int_equal(r.states, 18);
    ckda_realize_closure_clear(&r);
    ckda_heads_clear(heads);
    ckda_group_clear(G);
}

static void
a_head_too_few_is_noticed(void **state)
{
    (void)state;
    ckda_group_t G;
    ckda_heads_t heads;
    ckda_realize_closure r;
    ckda_error err;
    product(G, "D4", "Z3");
    assert_int_equal(ckda_heads_find(heads, G, &err), CKDA_OK);
    for (uint32_t g = 0; g < G->order; g++)
        heads->head[1].element[g] = 0;
    assert_int_equal(ckda_heads_close(&r, heads, G, NULL, &err), CKDA_OK);
    assert_int_equal(r.right, CKDA_FALSE);
    ckda_realize_closure_clear(&r);
    ckda_heads_clear(heads);
    ckda_group_clear(G);
}

/* In dicyclic heads, an exchanged transition leads one pair of states to two elements. */
static void
a_wrong_transition_is_noticed(void **state)
{
    (void)state;
    ckda_group_t G;
    ckda_heads_t heads;
    ckda_realize_closure r;
    ckda_error err;
    dicyclic(G, 2);
    assert_int_equal(ckda_heads_find(heads, G, &err), CKDA_OK);
    ckda_trans_swap(&heads->head[0].trans[1], &heads->head[0].trans[3]);
    assert_int_equal(ckda_heads_close(&r, heads, G, NULL, &err), CKDA_OK);
    assert_int_equal(r.right, CKDA_FALSE);
    ckda_realize_closure_clear(&r);
    ckda_heads_clear(heads);
    ckda_group_clear(G);
}

static void
groups_without_such_heads(void **state)
{
    (void)state;
    ckda_group_t G;
    special_linear(G, 3);
    refused(G);
    named(G, "S5");
    refused(G);
    affine(G, 7, 3);
    refused(G);
    metacyclic(G, 8, 2, 3, 0); /* semidihedral */
    refused(G);
}

/* ---- one answer for every group ---------------------------------------------------------- */

typedef enum { ROTATIONS, HEADS, FORBIDDEN, OPEN } answer;

/* What is tracked is not forbidden; every tracker closes.  G is cleared. */
static void
answered(ckda_group_t G, answer want)
{
    ckda_isomorphism_t f;
    ckda_heads_t heads;
    ckda_obstruction o;
    ckda_realize_closure r = {.right = CKDA_UNKNOWN};
    const bool forbidden = ckda_obstruction_find(&o, G, NULL, 0);
    answer got = forbidden ? FORBIDDEN : OPEN;
    if (ckda_isomorphism_find(f, G) == CKDA_OK) {
        assert_false(forbidden);
        got = ROTATIONS;
        ckda_isomorphism_clear(f);
    } else if (ckda_heads_find(heads, G, NULL) == CKDA_OK) {
        assert_false(forbidden);
        assert_int_equal(ckda_heads_close(&r, heads, G, NULL, NULL), CKDA_OK);
        assert_int_equal(r.right, CKDA_TRUE);
        ckda_realize_closure_clear(&r);
        ckda_heads_clear(heads);
        got = HEADS;
    }
    if (got != want)
        fail_msg("order %u: answer %d, expected %d", G->order, (int)got, (int)want);
    ckda_group_clear(G);
}

static void
groups_of_order_8_and_16(void **state)
{
    (void)state;
    ckda_group_t G;
    product(G, "Z2", "Z4");
    answered(G, HEADS);
    dicyclic(G, 2);
    answered(G, HEADS);
    product(G, "Z4", "Z4");
    answered(G, HEADS);
    product(G, "D4", "Z2");
    answered(G, HEADS);
    product(G, "Z2", "Z8");
    answered(G, HEADS);
    metacyclic(G, 8, 2, 7, 0);
    answered(G, ROTATIONS);
    metacyclic(G, 8, 2, 5, 0); /* modular */
    answered(G, OPEN);
    metacyclic(G, 8, 2, 3, 0); /* semidihedral */
    answered(G, OPEN);
    metacyclic(G, 4, 4, 3, 0); /* Z_4 acted on by Z_4 */
    answered(G, HEADS);
    dicyclic(G, 4);
    answered(G, HEADS);
}

static void
groups_of_order_18_to_21(void **state)
{
    (void)state;
    ckda_group_t G;
    product(G, "D3", "Z3");
    answered(G, HEADS);
    product(G, "Z3", "Z6");
    answered(G, HEADS);
    cycles(G, 6, "(1,2,3)(4,6,5)", "(2,3)(5,6)");
    answered(G, ROTATIONS); /* D_3 */
    dicyclic(G, 5);
    answered(G, HEADS);
    metacyclic(G, 5, 4, 2, 0); /* Frobenius */
    answered(G, OPEN);
    product(G, "Z2", "Z10");
    answered(G, HEADS);
    metacyclic(G, 7, 3, 2, 0);
    answered(G, OPEN);
}

static void
groups_of_order_24(void **state)
{
    (void)state;
    ckda_group_t G;
    special_linear(G, 3);
    answered(G, OPEN);
    product(G, "A4", "Z2");
    answered(G, HEADS);
    metacyclic(G, 3, 8, 2, 0);
    answered(G, HEADS);
    product(G, "Z2", "Z12");
    answered(G, HEADS);
    product(G, "D2", "Z6");
    answered(G, HEADS);
    dicyclic(G, 6);
    answered(G, HEADS);
    product(G, "D4", "Z3");
    answered(G, HEADS);
    product(G, "D3", "Z4");
    answered(G, HEADS);
    product(G, "D6", "Z2");
    answered(G, HEADS);
    metacyclic(G, 12, 2, 5, 0); /* = D3 x Z4 */
    answered(G, HEADS);
    metacyclic(G, 12, 2, 7, 0); /* = Z3 x D4 */
    answered(G, HEADS);
    named(G, "S4");
    answered(G, ROTATIONS);
}

static void
larger_groups(void **state)
{
    (void)state;
    ckda_group_t G;
    affine(G, 17, 3);
    answered(G, FORBIDDEN);
    affine(G, 17, 9);
    answered(G, OPEN);
    projective(G, 7);
    answered(G, FORBIDDEN);
    special_linear(G, 5);
    answered(G, OPEN);
    product(G, "S5", "Z2");
    answered(G, FORBIDDEN);
    product(G, "S4", "D9");
    answered(G, HEADS);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(abelian_groups),
        cmocka_unit_test(products_of_rotation_groups),
        cmocka_unit_test(subdirect_products),
        cmocka_unit_test(dicyclic_groups),
        cmocka_unit_test(quotients_as_joint_states),
        cmocka_unit_test(a_head_too_few_is_noticed),
        cmocka_unit_test(a_wrong_transition_is_noticed),
        cmocka_unit_test(groups_without_such_heads),
        cmocka_unit_test(groups_of_order_8_and_16),
        cmocka_unit_test(groups_of_order_18_to_21),
        cmocka_unit_test(groups_of_order_24),
        cmocka_unit_test(larger_groups),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
