/* Classes, normal subgroups, quotients, isomorphisms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "ckda/subgroup.h"

static void
named(ckda_group_t G, const char *name)
{
    ckda_error err;
    if (ckda_group_init_named(G, name, &err) != CKDA_OK)
        fail_msg("%s", err.text);
}

/* Z_2^k. */
static void
elementary(ckda_group_t G, int k)
{
    ckda_perm gens[8];
    for (int j = 0; j < k; j++) {
        ckda_perm_one(&gens[j], 2 * k);
        gens[j].image[2 * j] = (uint8_t)(2 * j + 1);
        gens[j].image[2 * j + 1] = (uint8_t)(2 * j);
    }
    assert_int_equal(
        ckda_group_init_generated(G, "elementary", gens, NULL, (uint32_t)k, 256, NULL),
        CKDA_OK);
}

static void
numbers_of_classes(void **state)
{
    static const struct {
        const char *name;
        uint32_t classes;
    } cases[] = {{"Z7", 7}, {"D4", 5}, {"D5", 4}, {"S4", 5},
                 {"A5", 5}, {"S5", 7}, {"A6", 7}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ckda_group_t G;
        named(G, cases[i].name);
        uint32_t *of = malloc(G->order * sizeof *of),
                 *first = malloc(G->order * sizeof *first);
        const uint32_t n = ckda_group_classes(of, first, G);
        assert_int_equal(n, cases[i].classes);
        for (uint32_t k = 0; k < n; k++)
            assert_int_equal(of[first[k]], k);
        free(first);
        free(of);
        ckda_group_clear(G);
    }
}

/* Closed under products and conjugation, by looking. */
static void
assert_normal(const bool *in, uint32_t order, const ckda_group_t G)
{
    uint32_t count = 0;
    for (uint32_t g = 0; g < G->order; g++) {
        count += in[g];
        for (uint32_t h = 0; in[g] && h < G->order; h++) {
            if (in[h])
                assert_true(in[ckda_group_mul(G, g, h)]);
            assert_true(
                in[ckda_group_mul(G, ckda_group_mul(G, h, g), ckda_group_inv(G, h))]);
        }
    }
    assert_int_equal(count, order);
}

static void
all_normal_subgroups(void **state)
{
    static const struct {
        const char *name;
        uint32_t count;
    } cases[] = {{"Z1", 1},  {"Z12", 6}, {"D2", 5}, {"D4", 6}, {"D5", 3},
                 {"D12", 9}, {"S4", 4},  {"A5", 2}, {"S5", 3}, {"A6", 2}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ckda_group_t G;
        ckda_subgroup *list;
        uint32_t n;
        named(G, cases[i].name);
        assert_int_equal(ckda_group_normal_subgroups(&list, &n, G, 100), CKDA_OK);
        assert_int_equal(n, cases[i].count);
        assert_int_equal(list[0].order, 1);
        assert_int_equal(list[n - 1].order, G->order);
        for (uint32_t j = 0; j < n; j++)
            assert_normal(list[j].in, list[j].order, G);
        ckda_subgroups_free(list, n);
        ckda_group_clear(G);
    }
}

/* Subspaces of F_2^k: 16 for k = 3, 67 for 4, 374 for 5. */
static void
subspaces_are_counted(void **state)
{
    static const uint32_t count[] = {1, 2, 5, 16, 67, 374};
    (void)state;
    for (int k = 1; k <= 5; k++) {
        ckda_group_t G;
        ckda_subgroup *list;
        uint32_t n;
        elementary(G, k);
        assert_int_equal(ckda_group_normal_subgroups(&list, &n, G, 1000), CKDA_OK);
        assert_int_equal(n, count[k]);
        ckda_subgroups_free(list, n);
        assert_int_equal(ckda_group_normal_subgroups(&list, &n, G, count[k] - 1),
                         CKDA_E_UNABLE);
        ckda_group_clear(G);
    }
}

static void
maximal_normal_subgroups(void **state)
{
    static const struct {
        const char *name;
        uint32_t order;
    } cases[] = {{"Z1", 1}, {"Z7", 1},  {"S4", 12}, {"A4", 4},
                 {"A5", 1}, {"S5", 60}, {"D9", 9}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ckda_group_t G, H;
        ckda_subgroup N;
        named(G, cases[i].name);
        ckda_group_maximal_normal(&N, G);
        assert_int_equal(N.order, cases[i].order);
        assert_normal(N.in, N.order, G);
        ckda_group_init_subgroup(H, "N", G, N.in);
        assert_int_equal(H->order, N.order);
        for (uint32_t h = 0; h < H->order; h++)
            assert_true(N.in[ckda_group_find(G, &H->element[h])]);
        ckda_group_clear(H);
        ckda_subgroup_clear(&N);
        ckda_group_clear(G);
    }
}

static void
quotients_are_homomorphic_images(void **state)
{
    (void)state;
    ckda_group_t G, Q;
    ckda_subgroup *list;
    uint32_t n, coset[24];
    named(G, "S4");
    assert_int_equal(ckda_group_normal_subgroups(&list, &n, G, 10), CKDA_OK);
    for (uint32_t j = 0; j < n; j++) {
        assert_int_equal(
            ckda_group_quotient(Q, coset, G, list[j].in, list[j].order, NULL), CKDA_OK);
        assert_int_equal(Q->order, 24 / list[j].order);
        for (uint32_t a = 0; a < 24; a++) {
            assert_int_equal(coset[a] == 0, list[j].in[a]);
            for (uint32_t b = 0; b < 24; b++)
                assert_int_equal(coset[ckda_group_mul(G, a, b)],
                                 ckda_group_mul(Q, coset[a], coset[b]));
        }
        ckda_group_clear(Q);
    }
    ckda_subgroups_free(list, n);
    ckda_group_clear(G);
}

static void
a_quotient_may_be_too_large(void **state)
{
    (void)state;
    ckda_group_t G, Q;
    uint32_t coset[360];
    bool in[360] = {true};
    named(G, "A6");
    assert_int_equal(ckda_group_quotient(Q, coset, G, in, 1, NULL), CKDA_E_UNABLE);
    ckda_group_clear(G);
}

static void
isomorphic_or_not(void **state)
{
    (void)state;
    ckda_group_t G, T;
    uint32_t map[12];
    named(G, "D6");
    named(T, "A4");
    assert_false(ckda_group_isomorphism(map, T, G, NULL, 12));
    ckda_group_clear(T);
    named(T, "D6");
    assert_true(ckda_group_isomorphism(map, T, G, NULL, 12));
    for (uint32_t a = 0; a < 12; a++)
        for (uint32_t b = 0; b < 12; b++)
            assert_int_equal(map[ckda_group_mul(T, a, b)],
                             ckda_group_mul(G, map[a], map[b]));
    ckda_group_clear(T);
    ckda_group_clear(G);
}

static void
a_copy_lists_the_same_elements(void **state)
{
    (void)state;
    ckda_group_t G, H;
    named(G, "D5");
    ckda_group_init_set(H, G);
    assert_string_equal(H->name, "D5");
    assert_int_equal(H->order, G->order);
    assert_string_equal(H->genname[1], "s");
    for (uint32_t g = 0; g < G->order; g++)
        assert_true(ckda_perm_equal(&G->element[g], &H->element[g]));
    ckda_group_clear(H);
    ckda_group_clear(G);
}

static void
abelian_or_not(void **state)
{
    (void)state;
    ckda_group_t G;
    named(G, "Z12");
    assert_true(ckda_group_is_abelian(G));
    ckda_group_clear(G);
    named(G, "D3");
    assert_false(ckda_group_is_abelian(G));
    assert_int_equal(ckda_group_element_order(G, G->generator[0]), 3);
    ckda_group_clear(G);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_classes),
        cmocka_unit_test(all_normal_subgroups),
        cmocka_unit_test(subspaces_are_counted),
        cmocka_unit_test(maximal_normal_subgroups),
        cmocka_unit_test(quotients_are_homomorphic_images),
        cmocka_unit_test(a_quotient_may_be_too_large),
        cmocka_unit_test(isomorphic_or_not),
        cmocka_unit_test(a_copy_lists_the_same_elements),
        cmocka_unit_test(abelian_or_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
