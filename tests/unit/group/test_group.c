/* Groups: laws, orders of the named ones, limits; letters and words. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ckda/group.h"

static void
open_named(ckda_group_t G, const char *name)
{
    ckda_error err;
    if (ckda_group_init_named(G, name, &err) != CKDA_OK)
        fail_msg("%s: %s", name, err.text);
}

static uint32_t
letter(const ckda_group_t G, const char *text)
{
    uint32_t g = 0;
    ckda_error err;
    if (ckda_group_parse(&g, G, text, &err) != CKDA_OK)
        fail_msg("%s: %s", text, err.text);
    return g;
}

static void
orders_of_named_groups(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t order;
    } want[] = {{"Z1", 1},   {"Z2", 2},   {"Z5", 5},    {"Z12", 12},  {"Z256", 256},
                {"D1", 2},   {"D2", 4},   {"D3", 6},    {"D4", 8},    {"D15", 30},
                {"S1", 1},   {"S2", 2},   {"S3", 6},    {"S4", 24},   {"S5", 120},
                {"S6", 720}, {"A1", 1},   {"A2", 1},    {"A3", 3},    {"A4", 12},
                {"A5", 60},  {"A6", 360}, {"A7", 2520}, {"D256", 512}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        ckda_group_t G;
        open_named(G, want[i].name);
        assert_int_equal(G->order, want[i].order);
        assert_string_equal(G->name, want[i].name);
        ckda_perm one;
        ckda_perm_one(&one, G->degree);
        assert_true(ckda_perm_equal(&G->element[0], &one));
        ckda_group_clear(G);
    }
}

static void
laws_hold_on_all_triples(void **state)
{
    (void)state;
    static const char *const names[] = {"Z6", "D1", "D2", "D5", "S4", "A4"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        ckda_group_t G;
        open_named(G, names[i]);
        for (uint32_t g = 0; g < G->order; g++) {
            assert_int_equal(ckda_group_mul(G, g, 0), g);
            assert_int_equal(ckda_group_mul(G, 0, g), g);
            assert_int_equal(ckda_group_mul(G, g, ckda_group_inv(G, g)), 0);
            assert_int_equal(ckda_group_mul(G, ckda_group_inv(G, g), g), 0);
            assert_int_equal(ckda_group_find(G, &G->element[g]), g);
            for (uint32_t h = 0; h < G->order; h++)
                for (uint32_t k = 0; k < G->order; k++)
                    assert_int_equal(ckda_group_mul(G, ckda_group_mul(G, g, h), k),
                                     ckda_group_mul(G, g, ckda_group_mul(G, h, k)));
        }
        ckda_group_clear(G);
    }
}

/* Below TABLE_MAX products come from the table, above from composing: S6 is above. */
static void
product_agrees_with_composition(void **state)
{
    (void)state;
    static const char *const names[] = {"A5", "S6"};
    for (size_t i = 0; i < 2; i++) {
        ckda_group_t G;
        open_named(G, names[i]);
        assert_true((G->table != NULL) == (i == 0));
        for (uint32_t g = 0; g < G->order; g += 7)
            for (uint32_t h = 0; h < G->order; h += 5) {
                ckda_perm p;
                ckda_perm_mul(&p, &G->element[g], &G->element[h]);
                assert_int_equal(ckda_group_mul(G, g, h), ckda_group_find(G, &p));
            }
        ckda_group_clear(G);
    }
}

static void
dihedral_relations(void **state)
{
    (void)state;
    for (uint32_t m = 2; m <= 9; m++) {
        char name[8];
        ckda_group_t G;
        sprintf(name, "D%u", m);
        open_named(G, name);
        const uint32_t r = letter(G, "r"), s = letter(G, "s");
        assert_int_equal(ckda_group_pow(G, r, m), 0);
        for (uint32_t k = 1; k < m; k++)
            assert_true(ckda_group_pow(G, r, k) != 0);
        assert_int_equal(ckda_group_mul(G, s, s), 0);
        assert_int_equal(ckda_group_mul(G, ckda_group_mul(G, s, r), s),
                         ckda_group_inv(G, r));
        ckda_group_clear(G);
    }
}

static void
a_subset_of_even_permutations_is_a_n(void **state)
{
    (void)state;
    ckda_group_t G;
    open_named(G, "A6");
    for (uint32_t g = 0; g < G->order; g++)
        assert_int_equal(ckda_perm_parity(&G->element[g]), 0);
    const ckda_perm odd = {6, {1, 0, 2, 3, 4, 5}};
    assert_int_equal(ckda_group_find(G, &odd), -1);
    const ckda_perm other = {5, {0, 1, 2, 3, 4}};
    assert_int_equal(ckda_group_find(G, &other), -1);
    ckda_group_clear(G);
}

static void
unknown_and_too_large_names_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"",   "Z",   "Z0",  "Z05",  "Q8",   "A5x",
                                      "5A", "D-1", "S 3", "Z257", "D300", "Z99999999999"};
    ckda_group_t G;
    ckda_error err;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(ckda_group_init_named(G, bad[i], &err), CKDA_E_INPUT);
    assert_int_equal(ckda_group_init_named(G, "S9", &err), CKDA_E_UNABLE);
    assert_non_null(strstr(err.text, "50000"));
    assert_int_equal(ckda_group_init_named(G, "S99999999", &err), CKDA_E_UNABLE);
    assert_int_equal(ckda_group_init_named(G, "A9", NULL), CKDA_E_UNABLE);
}

static void
generated_groups_and_their_limit(void **state)
{
    (void)state;
    const ckda_perm gens[2] = {{5, {1, 0, 2, 3, 4}}, {5, {1, 2, 3, 4, 0}}};
    const char *const names[2] = {"a", "b"};
    ckda_group_t G;
    ckda_error err;
    assert_int_equal(ckda_group_init_generated(G, "mine", gens, names, 2, 120, &err),
                     CKDA_OK);
    assert_int_equal(G->order, 120);
    assert_string_equal(G->genname[1], "b");
    assert_true(ckda_perm_equal(&G->element[G->generator[1]], &gens[1]));
    ckda_group_clear(G);
    assert_int_equal(ckda_group_init_generated(G, "mine", gens, names, 2, 119, &err),
                     CKDA_E_UNABLE);
    const ckda_perm uneven[2] = {gens[0], {4, {1, 0, 2, 3}}};
    assert_int_equal(ckda_group_init_generated(G, "mine", uneven, NULL, 2, 120, &err),
                     CKDA_E_INPUT);
    assert_int_equal(ckda_group_init_generated(G, "none", NULL, NULL, 0, 1, &err),
                     CKDA_OK);
    assert_int_equal(G->order, 1);
    ckda_group_clear(G);
}

static void
letters_in_every_spelling(void **state)
{
    (void)state;
    ckda_group_t G;
    open_named(G, "D5");
    const uint32_t r = letter(G, "r"), s = letter(G, "s");
    assert_int_equal(letter(G, "e"), 0);
    assert_int_equal(letter(G, "()"), 0);
    assert_int_equal(letter(G, "(1,2,3,4,5)"), r);
    assert_int_equal(letter(G, "[1,2,3,4,0]"), r);
    assert_int_equal(letter(G, "r^5"), 0);
    assert_int_equal(letter(G, "r^-1"), ckda_group_inv(G, r));
    assert_int_equal(letter(G, "r^2*s"), ckda_group_mul(G, ckda_group_mul(G, r, r), s));
    ckda_group_clear(G);
    open_named(G, "Z5");
    assert_int_equal(letter(G, "2"), letter(G, "r^2"));
    assert_int_equal(letter(G, "0"), 0);
    ckda_group_clear(G);
    open_named(G, "S5");
    assert_int_equal(letter(G, "(1,2)"), G->generator[0]);
    assert_int_equal(letter(G, "(2,1)"), G->generator[0]);
    ckda_group_clear(G);
}

static void
bad_letters_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "q",     "r^",    "r^x", "r*", "*r",
        "(1,9)", "(1,2)", "2",   "",   "r^99999999999999999999"};
    ckda_group_t G;
    open_named(G, "D5");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        uint32_t g = 77;
        ckda_error err;
        assert_int_equal(ckda_group_parse(&g, G, bad[i], &err), CKDA_E_INPUT);
        assert_int_equal(g, 77);
        assert_true(err.text[0] != '\0');
    }
    ckda_group_clear(G);
}

static void
words_in_time_order(void **state)
{
    (void)state;
    ckda_group_t G;
    ckda_word_t w;
    ckda_error err;
    open_named(G, "S3");
    assert_int_equal(
        ckda_word_parse(w, G, NULL, 0, "  (1,2) ( 1, 2 ,3) [1,2,0]\n()", NULL, &err),
        CKDA_OK);
    assert_int_equal(w->length, 4);
    const uint32_t a = letter(G, "(1,2)"), b = letter(G, "(1,2,3)");
    assert_int_equal(w->letter[0], a);
    assert_int_equal(w->letter[1], b);
    assert_int_equal(w->letter[2], b);
    assert_int_equal(w->letter[3], 0);
    assert_int_equal(ckda_word_product(w, G),
                     ckda_group_mul(G, b, ckda_group_mul(G, b, a)));
    ckda_word_clear(w);
    assert_int_equal(ckda_word_parse(w, G, NULL, 0, " ", NULL, &err), CKDA_OK);
    assert_int_equal(w->length, 0);
    assert_int_equal(ckda_word_product(w, G), 0);
    ckda_word_clear(w);
    ckda_group_clear(G);
}

static void
random_words_replay_and_stay_in_the_alphabet(void **state)
{
    (void)state;
    ckda_group_t G;
    ckda_word_t v, w;
    ckda_rand r;
    open_named(G, "A5");
    ckda_rand_init(&r, 5);
    assert_int_equal(
        ckda_word_parse(v, G, G->generator, G->ngen, "random:1000", &r, NULL), CKDA_OK);
    ckda_rand_init(&r, 5);
    assert_int_equal(
        ckda_word_parse(w, G, G->generator, G->ngen, "random:1000", &r, NULL), CKDA_OK);
    assert_int_equal(v->length, 1000);
    assert_memory_equal(v->letter, w->letter, 1000 * sizeof *v->letter);
    for (size_t t = 0; t < 1000; t++)
        assert_true(v->letter[t] == G->generator[0] || v->letter[t] == G->generator[1]);
    ckda_word_clear(v);
    ckda_word_clear(w);
    ckda_group_clear(G);
}

static void
bad_words_name_the_letter(void **state)
{
    (void)state;
    ckda_group_t G;
    ckda_word_t w = {{NULL, 42}};
    ckda_error err;
    ckda_rand r;
    ckda_rand_init(&r, 1);
    open_named(G, "S4");
    assert_int_equal(ckda_word_parse(w, G, NULL, 0, "(1,2) (1,7)", NULL, &err),
                     CKDA_E_INPUT);
    assert_non_null(strstr(err.text, "letter 2"));
    assert_int_equal(w->length, 42);
    assert_int_equal(ckda_word_parse(w, G, NULL, 0, "(1,2) (1,3", NULL, &err),
                     CKDA_E_INPUT);
    assert_int_equal(ckda_word_parse(w, G, G->generator, 2, "(1,3)", NULL, &err),
                     CKDA_E_INPUT);
    assert_non_null(strstr(err.text, "letters of this system"));
    assert_int_equal(ckda_word_parse(w, G, NULL, 0, "random:x", &r, &err), CKDA_E_INPUT);
    assert_int_equal(ckda_word_parse(w, G, NULL, 0, "random:", &r, &err), CKDA_E_INPUT);
    assert_int_equal(ckda_word_parse(w, G, NULL, 0, "random:100000001", &r, &err),
                     CKDA_E_INPUT);
    ckda_group_clear(G);
}

static void
words_over_plain_names(void **state)
{
    (void)state;
    const char *const names[] = {"a", "bb"};
    ckda_word_t w;
    ckda_error err;
    ckda_rand r;
    ckda_rand_init(&r, 9);
    assert_int_equal(ckda_word_parse_names(w, names, 2, "bb a a", NULL, &err), CKDA_OK);
    assert_int_equal(w->length, 3);
    assert_int_equal(w->letter[0], 1);
    assert_int_equal(w->letter[2], 0);
    ckda_word_clear(w);
    assert_int_equal(ckda_word_parse_names(w, names, 2, "random:50", &r, &err), CKDA_OK);
    for (size_t t = 0; t < w->length; t++)
        assert_true(w->letter[t] < 2);
    ckda_word_clear(w);
    assert_int_equal(ckda_word_parse_names(w, names, 2, "a b", NULL, &err), CKDA_E_INPUT);
    assert_int_equal(ckda_word_parse_names(w, names, 0, "random:1", &r, &err),
                     CKDA_E_INPUT);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_of_named_groups),
        cmocka_unit_test(laws_hold_on_all_triples),
        cmocka_unit_test(product_agrees_with_composition),
        cmocka_unit_test(dihedral_relations),
        cmocka_unit_test(a_subset_of_even_permutations_is_a_n),
        cmocka_unit_test(unknown_and_too_large_names_are_refused),
        cmocka_unit_test(generated_groups_and_their_limit),
        cmocka_unit_test(letters_in_every_spelling),
        cmocka_unit_test(bad_letters_are_refused),
        cmocka_unit_test(words_in_time_order),
        cmocka_unit_test(random_words_replay_and_stay_in_the_alphabet),
        cmocka_unit_test(bad_words_name_the_letter),
        cmocka_unit_test(words_over_plain_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
