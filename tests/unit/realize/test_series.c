/* Subnormal series with factors inside SO(3). */
#include "groups.h"

static bool *
span(const ckda_series_layer *l, const ckda_group_t G)
{
    bool *in = flint_calloc(G->order, sizeof *in);
    ckda_group_t H;
    ckda_perm *gens = flint_malloc((l->ngen + 1) * sizeof *gens);
    for (uint32_t j = 0; j < l->ngen; j++)
        gens[j] = G->element[l->generator[j]];
    generated(H, "layer", gens, l->ngen);
    assert_int_equal(H->order, l->above);
    for (uint32_t h = 0; h < H->order; h++)
        in[ckda_group_find(G, &H->element[h])] = true;
    ckda_group_clear(H);
    flint_free(gens);
    return in;
}

/* Are the subgroups what they should be: each normal in the one before, with the orders that
 * the factors have? */
static void
recheck(const ckda_series_t s, const ckda_group_t G)
{
    uint32_t rest = G->order;
    bool *above = NULL;
    for (uint32_t i = 0; i < s->nlayers; i++) {
        bool *in = span(&s->layer[i], G);
        assert_int_equal(s->layer[i].above, rest);
        assert_int_equal(rest % s->layer[i].order, 0);
        for (uint32_t g = 0; above != NULL && g < G->order; g++)
            for (uint32_t h = 0; in[g] && h < G->order; h++)
                if (above[h])
                    assert_true(in[ckda_group_mul(G, ckda_group_mul(G, h, g),
                                                  ckda_group_inv(G, h))]);
        rest /= s->layer[i].order;
        flint_free(above);
        above = in;
    }
    assert_int_equal(rest, 1);
    flint_free(above);
}

/* factors: names from the top, "" at the end. */
static void
expect(ckda_group_t G, const char *const *factors)
{
    ckda_series_t s;
    ckda_series_find(s, G, CKDA_SERIES_MAX_ORDER);
    assert_int_equal(s->exists, CKDA_TRUE);
    assert_int_equal(s->shortest, CKDA_TRUE);
    for (uint32_t i = 0; i < s->nlayers; i++)
        assert_string_equal(s->layer[i].factor, factors[i]);
    assert_string_equal(factors[s->nlayers], "");
    recheck(s, G);
    ckda_series_clear(s);
    ckda_group_clear(G);
}

static void
none(ckda_group_t G, uint32_t obstacle)
{
    ckda_series_t s;
    ckda_series_find(s, G, CKDA_SERIES_MAX_ORDER);
    assert_int_equal(s->exists, CKDA_FALSE);
    assert_int_equal(s->obstacle, obstacle);
    ckda_series_clear(s);
    ckda_group_clear(G);
}

static void
one_layer(void **state)
{
    (void)state;
    ckda_group_t G;
    named(G, "S4");
    expect(G, (const char *const[]){"S4", ""});
    named(G, "D9");
    expect(G, (const char *const[]){"D9", ""});
    named(G, "A5");
    expect(G, (const char *const[]){"A5", ""});
}

static void
s5_is_parity_and_a5(void **state)
{
    (void)state;
    ckda_group_t G;
    named(G, "S5");
    expect(G, (const char *const[]){"Z2", "A5", ""});
}

static void
small_groups(void **state)
{
    (void)state;
    ckda_group_t G;
    dicyclic(G, 2);
    expect(G, (const char *const[]){"D2", "Z2", ""});
    special_linear(G, 3);
    expect(G, (const char *const[]){"A4", "Z2", ""});
    special_linear(G, 5);
    expect(G, (const char *const[]){"A5", "Z2", ""});
    elementary(G, 2, 3);
    expect(G, (const char *const[]){"D2", "Z2", ""});
    elementary(G, 3, 2);
    expect(G, (const char *const[]){"Z3", "Z3", ""});
    affine(G, 7, 3);
    expect(G, (const char *const[]){"Z6", "Z7", ""});
}

/* Each factor of Z_3^3 is one of rank 1, those of Z_2^5 have rank 2 at most. */
static void
more_layers_where_two_are_too_few(void **state)
{
    (void)state;
    ckda_group_t G;
    elementary(G, 3, 3);
    expect(G, (const char *const[]){"Z3", "Z3", "Z3", ""});
    elementary(G, 2, 5);
    expect(G, (const char *const[]){"D2", "D2", "Z2", ""});
    product(G, "S5", "Z3");
    expect(G, (const char *const[]){"Z6", "A5", ""});
    product(G, "S5", "S4");
    ckda_series_t s;
    ckda_series_find(s, G, CKDA_SERIES_MAX_ORDER);
    assert_int_equal(s->exists, CKDA_TRUE);
    assert_int_equal(s->shortest, CKDA_TRUE);
    assert_int_equal(s->nlayers, 3);
    ckda_series_clear(s);
    ckda_group_clear(G);
}

static void
other_simple_groups_are_in_the_way(void **state)
{
    (void)state;
    ckda_group_t G;
    named(G, "A6");
    none(G, 360);
    named(G, "S6");
    none(G, 360);
    projective(G, 7);
    none(G, 168);
    special_linear(G, 7);
    none(G, 168);
    projective(G, 11);
    none(G, 660);
    product(G, "A6", "Z4");
    none(G, 360);
    named(G, "A7");
    none(G, 2520);
}

static void
composition_factors_are_counted(void **state)
{
    (void)state;
    ckda_group_t G;
    ckda_series_t s;
    uint64_t all = 1;
    product(G, "S5", "D6");
    ckda_series_find(s, G, CKDA_SERIES_MAX_ORDER);
    assert_int_equal(s->nfactors, 5); /* 2, 60 and 2, 2, 3 in some order */
    for (uint32_t i = 0; i < s->nfactors; i++)
        all *= s->factor[i];
    assert_int_equal(all, 1440);
    ckda_series_clear(s);
    ckda_group_clear(G);
}

static void
a_limit_is_named(void **state)
{
    (void)state;
    ckda_group_t G;
    ckda_series_t s;
    named(G, "S5");
    ckda_series_find(s, G, 119);
    assert_int_equal(s->exists, CKDA_UNKNOWN);
    assert_non_null(s->limit);
    assert_int_equal(s->nlayers, 0);
    ckda_series_clear(s);
    ckda_group_clear(G);
}

static void
the_trivial_group_needs_none(void **state)
{
    (void)state;
    ckda_group_t G;
    ckda_series_t s;
    named(G, "Z1");
    ckda_series_find(s, G, 10);
    assert_int_equal(s->exists, CKDA_TRUE);
    assert_int_equal(s->nlayers, 0);
    ckda_series_clear(s);
    ckda_group_clear(G);
}

static void
names_of_simple_groups(void **state)
{
    (void)state;
    assert_string_equal(ckda_simple_name(360), "A6");
    assert_string_equal(ckda_simple_name(168), "PSL(2,7)");
    assert_null(ckda_simple_name(20160)); /* there are two */
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_layer),
        cmocka_unit_test(s5_is_parity_and_a5),
        cmocka_unit_test(small_groups),
        cmocka_unit_test(more_layers_where_two_are_too_few),
        cmocka_unit_test(other_simple_groups_are_in_the_way),
        cmocka_unit_test(composition_factors_are_counted),
        cmocka_unit_test(a_limit_is_named),
        cmocka_unit_test(the_trivial_group_needs_none),
        cmocka_unit_test(names_of_simple_groups),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
