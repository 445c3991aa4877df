/* Commutators that no tracker allows. */
#include "groups.h"

/* Violated by an element of order p^a; G is cleared. */
static void
obstructed(ckda_group_t G, const char *source, uint32_t p)
{
    ckda_obstruction o;
    assert_true(ckda_obstruction_find(&o, G, NULL, 0));
    assert_true(ckda_obstruction_check(&o, G));
    assert_string_equal(o.source, source);
    assert_int_equal(o.p, p);
    ckda_group_clear(G);
}

static void
allowed(ckda_group_t G)
{
    ckda_obstruction o;
    assert_false(ckda_obstruction_find(&o, G, NULL, 0));
    ckda_group_clear(G);
}

static void
theorem_22(void **state)
{
    (void)state;
    ckda_group_t G;
    named(G, "S5");
    obstructed(G, "Theorem 22", 5);
    named(G, "A6");
    obstructed(G, "Theorem 22", 5);
    named(G, "S6");
    obstructed(G, "Theorem 22", 5);
    product(G, "S5", "Z2");
    obstructed(G, "Theorem 22", 5);
}

static void
orders_from_seven_on(void **state)
{
    (void)state;
    ckda_group_t G;
    projective(G, 7);
    obstructed(G, "fact b.F5", 7);
    special_linear(G, 7);
    obstructed(G, "fact b.F5", 7);
    projective(G, 11); /* order 660: five-cycles already */
    obstructed(G, "Theorem 22", 5);
}

/* x -> u x has prime power order, and its power does not commute with a translate. */
static void
powers_of_smaller_primes(void **state)
{
    (void)state;
    ckda_group_t G;
    affine(G, 17, 3); /* order 16: the eighth power is -1 */
    obstructed(G, "fact b.F5", 2);
    affine(G, 19, 4); /* order 9 */
    obstructed(G, "fact b.F5", 3);
    affine(G, 101, 36); /* order 5 */
    obstructed(G, "Theorem 22", 5);
    affine(G, 29, 7); /* order 7 */
    obstructed(G, "fact b.F5", 7);
}

/* One step below those orders nothing is violated. */
static void
nearby_groups_are_allowed(void **state)
{
    (void)state;
    ckda_group_t G;
    affine(G, 17, 9); /* order 8 */
    allowed(G);
    affine(G, 7, 3); /* order 6 */
    allowed(G);
    affine(G, 13, 3); /* order 3 */
    allowed(G);
    affine(G, 5, 2);
    allowed(G);
}

static void
what_is_tracked_is_allowed(void **state)
{
    (void)state;
    static const char *const tracked[] = {"Z12", "D7", "D25", "A4", "S4", "A5"};
    ckda_group_t G;
    for (size_t i = 0; i < sizeof tracked / sizeof *tracked; i++) {
        named(G, tracked[i]);
        allowed(G);
    }
    product(G, "A5", "A5");
    allowed(G);
    product(G, "S4", "D9");
    allowed(G);
    dicyclic(G, 9);
    allowed(G);
    special_linear(G, 3);
    allowed(G);
    special_linear(G, 5);
    allowed(G);
}

/* Every element by every element, as the rules are written. */
static bool
by_definition(const ckda_group_t G)
{
    for (uint32_t g = 1; g < G->order; g++) {
        uint64_t n = ckda_group_element_order(G, g), p = 2;
        while (n % p != 0)
            p++;
        while (n % p == 0)
            n /= p;
        if (n != 1)
            continue;
        const uint32_t k = p == 2 ? 8 : p == 3 ? 3 : p == 5 ? 5 : 1;
        for (uint32_t h = 0; h < G->order; h++)
            for (int tenth = 0; tenth < 2; tenth++) {
                if (tenth && p != 5)
                    continue;
                const uint32_t w = ckda_group_pow(G, g, tenth ? 1 : k);
                const uint32_t y =
                    ckda_group_mul(G, ckda_group_mul(G, h, w), ckda_group_inv(G, h));
                const uint32_t z =
                    ckda_group_mul(G, ckda_group_mul(G, w, y),
                                   ckda_group_inv(G, ckda_group_mul(G, y, w)));
                if (ckda_group_pow(G, z, tenth ? 10 : 1) != 0)
                    return true;
            }
    }
    return false;
}

static void
agrees_with_the_definition(void **state)
{
    (void)state;
    ckda_group_t G;
    ckda_obstruction o;
    static const int fields[][2] = {{5, 2},  {7, 3},  {7, 2}, {11, 2},
                                    {13, 2}, {17, 3}, {19, 4}};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        affine(G, fields[i][0], fields[i][1]);
        assert_int_equal(ckda_obstruction_find(&o, G, NULL, 0), by_definition(G));
        ckda_group_clear(G);
    }
    named(G, "S5");
    assert_int_equal(ckda_obstruction_find(&o, G, NULL, 0), by_definition(G));
    ckda_group_clear(G);
    special_linear(G, 5);
    assert_int_equal(ckda_obstruction_find(&o, G, NULL, 0), by_definition(G));
    ckda_group_clear(G);
}

static void
the_witness_is_rechecked(void **state)
{
    (void)state;
    ckda_group_t G;
    ckda_obstruction o;
    named(G, "S5");
    assert_true(ckda_obstruction_find(&o, G, NULL, 0));
    assert_int_equal(o.order_commutator, 3);
    ckda_obstruction bad = o;
    bad.h = 0;
    assert_false(ckda_obstruction_check(&bad, G));
    bad = o;
    bad.g = 0;
    assert_false(ckda_obstruction_check(&bad, G));
    bad = o;
    bad.e = 30; /* no rule says so */
    assert_false(ckda_obstruction_check(&bad, G));
    bad = o;
    bad.commutator = 0;
    assert_false(ckda_obstruction_check(&bad, G));
    bad = o;
    bad.p = 7;
    assert_false(ckda_obstruction_check(&bad, G));
    ckda_group_clear(G);
}

/* Fact b.F4: with a five-cycle among the letters S5 cannot be tracked, without one it can. */
static void
only_letters_count(void **state)
{
    (void)state;
    ckda_group_t G;
    ckda_obstruction o;
    ckda_error err;
    uint32_t letter[4];
    static const char *const text[] = {"(1,2)", "(1,2,3,4,5)", "(2,3)", "(3,4)(1,5)"};
    named(G, "S5");
    for (int i = 0; i < 4; i++)
        if (ckda_group_parse(&letter[i], G, text[i], &err) != CKDA_OK)
            fail_msg("%s", err.text);
    assert_true(ckda_obstruction_find(&o, G, letter, 2));
    assert_int_equal(o.g, letter[1]);
    assert_false(ckda_obstruction_find(&o, G, letter, 1));
    assert_false(ckda_obstruction_find(&o, G, letter + 2, 2));
    ckda_group_clear(G);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(theorem_22),
        cmocka_unit_test(orders_from_seven_on),
        cmocka_unit_test(powers_of_smaller_primes),
        cmocka_unit_test(nearby_groups_are_allowed),
        cmocka_unit_test(what_is_tracked_is_allowed),
        cmocka_unit_test(agrees_with_the_definition),
        cmocka_unit_test(only_letters_count),
        cmocka_unit_test(the_witness_is_rechecked),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
