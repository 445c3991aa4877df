/* Which groups are finite subgroups of SO(3), and the isomorphism. */
#include "groups.h"

/* All pairs, and not by the code that is tested. */
static void
recheck(const ckda_isomorphism_t f, const ckda_group_t G)
{
    const ckda_group_struct *T = f->T;
    bool *seen = flint_calloc(G->order, sizeof *seen);
    ckda_perm p;
    assert_int_equal(T->order, G->order);
    for (uint32_t a = 0; a < T->order; a++) {
        assert_false(seen[f->image[a]]);
        seen[f->image[a]] = true;
        for (uint32_t b = 0; b < T->order; b++) {
            ckda_perm_mul(&p, &G->element[f->image[a]], &G->element[f->image[b]]);
            assert_true(
                ckda_perm_equal(&p, &G->element[f->image[ckda_group_mul(T, a, b)]]));
        }
    }
    flint_free(seen);
}

/* G has the name that is expected (NULL: none); G is cleared. */
static void
expect(ckda_group_t G, uint32_t order, const char *name)
{
    ckda_isomorphism_t f;
    assert_int_equal(G->order, order);
    const ckda_status st = ckda_isomorphism_find(f, G);
    assert_int_equal(st, name != NULL ? CKDA_OK : CKDA_E_DOMAIN);
    if (name != NULL) {
        uint64_t products;
        assert_string_equal(f->name, name);
        assert_true(ckda_isomorphism_check(&products, f, G));
        assert_int_equal(products, f->products);
        assert_true(products >= order);
        recheck(f, G);
        ckda_isomorphism_clear(f);
    }
    ckda_group_clear(G);
}

static void
named_groups_are_what_they_are_called(void **state)
{
    static const struct {
        const char *group, *name;
        uint32_t order;
    } cases[] = {
        {"Z1", "Z1", 1},    {"Z2", "Z2", 2},      {"Z3", "Z3", 3},  {"Z7", "Z7", 7},
        {"Z24", "Z24", 24}, {"D1", "Z2", 2},      {"D2", "D2", 4},  {"D3", "D3", 6},
        {"D4", "D4", 8},    {"D5", "D5", 10},     {"D6", "D6", 12}, {"D12", "D12", 24},
        {"S1", "Z1", 1},    {"S2", "Z2", 2},      {"S3", "D3", 6},  {"S4", "S4", 24},
        {"A3", "Z3", 3},    {"A4", "A4", 12},     {"A5", "A5", 60}, {"S5", NULL, 120},
        {"A6", NULL, 360},  {"D200", "D200", 400}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ckda_group_t G;
        named(G, cases[i].group);
        expect(G, cases[i].order, cases[i].name);
    }
}

static void
products_of_cyclic_groups(void **state)
{
    static const struct {
        const char *left, *right, *name;
        uint32_t order;
    } cases[] = {
        {"Z2", "Z2", "D2", 4},   {"Z2", "Z3", "Z6", 6},   {"Z2", "Z4", NULL, 8},
        {"Z3", "Z3", NULL, 9},   {"Z3", "Z4", "Z12", 12}, {"Z2", "Z6", NULL, 12},
        {"Z4", "Z4", NULL, 16},  {"Z2", "Z8", NULL, 16},  {"Z3", "Z6", NULL, 18},
        {"Z2", "Z10", NULL, 20}, {"Z3", "Z7", "Z21", 21}, {"Z5", "Z8", "Z40", 40}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ckda_group_t G;
        product(G, cases[i].left, cases[i].right);
        expect(G, cases[i].order, cases[i].name);
    }
}

static void
products_with_dihedral_groups(void **state)
{
    static const struct {
        const char *left, *right, *name;
        uint32_t order;
    } cases[] = {{"D3", "Z2", "D6", 12}, {"D4", "Z2", NULL, 16}, {"D5", "Z2", "D10", 20},
                 {"D3", "Z3", NULL, 18}, {"D3", "Z4", NULL, 24}, {"D4", "Z3", NULL, 24},
                 {"D6", "Z2", NULL, 24}, {"A4", "Z2", NULL, 24}, {"D2", "Z2", NULL, 8},
                 {"D2", "Z3", NULL, 12}, {"S4", "Z2", NULL, 48}, {"A5", "Z2", NULL, 120}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ckda_group_t G;
        product(G, cases[i].left, cases[i].right);
        expect(G, cases[i].order, cases[i].name);
    }
}

static void
elementary_abelian_groups(void **state)
{
    (void)state;
    ckda_group_t G;
    elementary(G, 2, 2);
    expect(G, 4, "D2");
    elementary(G, 2, 3);
    expect(G, 8, NULL);
    elementary(G, 2, 4);
    expect(G, 16, NULL);
    elementary(G, 3, 2);
    expect(G, 9, NULL);
}

static void
dicyclic_groups_are_not_dihedral(void **state)
{
    (void)state;
    for (int m = 2; m <= 6; m++) {
        ckda_group_t G;
        dicyclic(G, m);
        expect(G, 4 * (uint32_t)m, NULL);
    }
}

static void
metacyclic_groups(void **state)
{
    static const struct {
        int n, k, u;
        const char *name;
    } cases[] = {{3, 2, 2, "D3"},   {7, 2, 6, "D7"}, {8, 2, 7, "D8"},  {8, 2, 3, NULL},
                 {8, 2, 5, NULL},   {4, 4, 3, NULL}, {7, 3, 2, NULL},  {5, 4, 2, NULL},
                 {5, 4, 4, NULL},   {3, 8, 2, NULL}, {12, 2, 5, NULL}, {12, 2, 7, NULL},
                 {11, 2, 10, "D11"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ckda_group_t G;
        metacyclic(G, cases[i].n, cases[i].k, cases[i].u, 0);
        expect(G, (uint32_t)(cases[i].n * cases[i].k), cases[i].name);
    }
}

static void
matrix_groups(void **state)
{
    (void)state;
    ckda_group_t G;
    special_linear(G, 2); /* GL(2,2) = S3 */
    expect(G, 6, "D3");
    special_linear(G, 3);
    expect(G, 24, NULL);
    projective(G, 3); /* A4 */
    expect(G, 12, "A4");
    projective(G, 5); /* A5 */
    expect(G, 60, "A5");
    projective(G, 7);
    expect(G, 168, NULL);
}

/* The same group on other points: S4 on the six edges of a tetrahedron, A5 on six. */
static void
other_actions(void **state)
{
    (void)state;
    ckda_group_t G;
    cycles(G, 6, "(1,2,3,4)", "(1,5,3,6)");
    expect(G, 24, "S4");
    cycles(G, 6, "(1,2,3)(4,5,6)", "(1,4)(2,5)");
    expect(G, 12, "A4");
}

static void
an_orbit_may_be_longer_than_a_name_allows(void **state)
{
    (void)state;
    ckda_group_t G;
    cycles(G, 19, "(1,2,3)(4,5,6,7)", "(8,9,10,11,12)(13,14,15,16,17,18,19)");
    expect(G, 420, "Z420");
}

static void
check_refuses_what_is_no_isomorphism(void **state)
{
    (void)state;
    ckda_group_t G;
    ckda_isomorphism_t f;
    uint64_t products;
    named(G, "S4");
    assert_int_equal(ckda_isomorphism_find(f, G), CKDA_OK);
    const uint32_t a = f->image[5], b = f->image[7];
    f->image[5] = b;
    assert_false(ckda_isomorphism_check(&products, f, G)); /* no bijection */
    f->image[7] = a;
    assert_false(ckda_isomorphism_check(&products, f, G)); /* no homomorphism */
    f->image[5] = a;
    f->image[7] = b;
    assert_true(ckda_isomorphism_check(&products, f, G));
    ckda_isomorphism_clear(f);
    ckda_group_clear(G);
}

static void
check_refuses_a_false_name(void **state)
{
    (void)state;
    ckda_group_t G;
    ckda_isomorphism_t f;
    uint64_t products;
    named(G, "D6");
    assert_int_equal(ckda_isomorphism_find(f, G), CKDA_OK);
    f->kind = 'Z';
    f->m = 12;
    assert_false(ckda_isomorphism_check(&products, f, G));
    f->kind = 'D';
    f->m = 6;
    assert_true(ckda_isomorphism_check(&products, f, G));
    ckda_isomorphism_clear(f);
    ckda_group_clear(G);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(named_groups_are_what_they_are_called),
        cmocka_unit_test(products_of_cyclic_groups),
        cmocka_unit_test(products_with_dihedral_groups),
        cmocka_unit_test(elementary_abelian_groups),
        cmocka_unit_test(dicyclic_groups_are_not_dihedral),
        cmocka_unit_test(metacyclic_groups),
        cmocka_unit_test(matrix_groups),
        cmocka_unit_test(other_actions),
        cmocka_unit_test(an_orbit_may_be_longer_than_a_name_allows),
        cmocka_unit_test(check_refuses_what_is_no_isomorphism),
        cmocka_unit_test(check_refuses_a_false_name),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
