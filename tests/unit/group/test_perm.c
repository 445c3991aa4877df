/* Permutations: laws, aliasing, text. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "ckda/group.h"

static void
random_perm(ckda_perm *p, int n, ckda_rand *r)
{
    ckda_perm_one(p, n);
    for (int i = n - 1; i > 0; i--) {
        const int j = (int)ckda_rand_below(r, (uint64_t)i + 1);
        const uint8_t t = p->image[i];
        p->image[i] = p->image[j];
        p->image[j] = t;
    }
}

static ckda_perm
parsed(int n, const char *text)
{
    ckda_perm p;
    ckda_error err;
    assert_int_equal(ckda_perm_parse(&p, n, text, &err), CKDA_OK);
    return p;
}

static void
product_acts_right_to_left(void **state)
{
    (void)state;
    ckda_perm g = parsed(3, "(1,2)"), h = parsed(3, "(2,3)"), p;
    ckda_perm_mul(&p, &g, &h); /* 3 -> 2 -> 1, 2 -> 3, 1 -> 2 */
    const ckda_perm want = parsed(3, "(1,2,3)");
    assert_true(ckda_perm_equal(&p, &want));
}

static void
product_is_associative_and_may_alias(void **state)
{
    (void)state;
    ckda_rand r;
    ckda_rand_init(&r, 1);
    for (int n = 1; n <= CKDA_PERM_MAX; n = 2 * n + (n < 100)) {
        ckda_perm a, b, c, ab, bc, left, right;
        random_perm(&a, n, &r);
        random_perm(&b, n, &r);
        random_perm(&c, n, &r);
        ckda_perm_mul(&ab, &a, &b);
        ckda_perm_mul(&bc, &b, &c);
        ckda_perm_mul(&left, &ab, &c);
        ckda_perm_mul(&right, &a, &bc);
        assert_true(ckda_perm_equal(&left, &right));
        ckda_perm x = a;
        ckda_perm_mul(&x, &x, &b);
        assert_true(ckda_perm_equal(&x, &ab));
        x = b;
        ckda_perm_mul(&x, &a, &x);
        assert_true(ckda_perm_equal(&x, &ab));
        ckda_perm aa;
        ckda_perm_mul(&aa, &a, &a);
        x = a;
        ckda_perm_mul(&x, &x, &x);
        assert_true(ckda_perm_equal(&x, &aa));
    }
}

static void
inverse_undoes_and_may_alias(void **state)
{
    (void)state;
    ckda_rand r;
    ckda_rand_init(&r, 2);
    for (int n = 1; n < 40; n++) {
        ckda_perm g, h, p, one;
        random_perm(&g, n, &r);
        ckda_perm_one(&one, n);
        ckda_perm_inv(&h, &g);
        ckda_perm_mul(&p, &g, &h);
        assert_true(ckda_perm_equal(&p, &one));
        p = g;
        ckda_perm_inv(&p, &p);
        assert_true(ckda_perm_equal(&p, &h));
    }
}

static void
order_parity_and_cycles(void **state)
{
    (void)state;
    const ckda_perm g = parsed(7, "(1,2)(3,4,5)");
    assert_int_equal(ckda_perm_order(&g), 6);
    assert_int_equal(ckda_perm_cycles(&g), 4);
    assert_int_equal(ckda_perm_parity(&g), 1);
    const ckda_perm one = parsed(7, "()");
    assert_int_equal(ckda_perm_order(&one), 1);
    assert_int_equal(ckda_perm_cycles(&one), 7);
    assert_int_equal(ckda_perm_parity(&one), 0);
}

/* Cycles of lengths 3, 5, 7, 11, 13, 16, 17, 19, 23, 29, 31, 37 need 211 points. */
static void
order_of_many_coprime_cycles_does_not_overflow(void **state)
{
    (void)state;
    const int length[] = {3, 5, 7, 11, 13, 16, 17, 19, 23, 29, 31, 37};
    ckda_perm g;
    ckda_perm_one(&g, CKDA_PERM_MAX);
    int at = 0;
    uint64_t want = 1;
    for (size_t c = 0; c < sizeof length / sizeof *length; c++) {
        for (int i = 0; i < length[c]; i++)
            g.image[at + i] = (uint8_t)(at + (i + 1) % length[c]);
        at += length[c];
        want *= (uint64_t)length[c];
    }
    assert_true(ckda_perm_order(&g) == want);
}

static void
text_round_trip(void **state)
{
    (void)state;
    ckda_rand r;
    ckda_rand_init(&r, 3);
    for (int n = 1; n <= CKDA_PERM_MAX; n += n < 12 ? 1 : 61) {
        ckda_perm g;
        random_perm(&g, n, &r);
        char *s = ckda_perm_str(&g);
        const ckda_perm back = parsed(n, s);
        assert_true(ckda_perm_equal(&g, &back));
        free(s);
    }
}

static void
cycles_and_images_name_the_same_permutation(void **state)
{
    (void)state;
    const ckda_perm a = parsed(3, "(1,2,3)"), b = parsed(3, " [1, 2,0 ] ");
    assert_true(ckda_perm_equal(&a, &b));
    const ckda_perm c = parsed(5, " ( 1 , 5 ) (2,3)"), d = parsed(5, "[4,2,1,3,0]");
    assert_true(ckda_perm_equal(&c, &d));
    const ckda_perm e = parsed(2, "()"), f = parsed(2, "(2)");
    assert_true(ckda_perm_equal(&e, &f));
    char *s = ckda_perm_str(&c);
    assert_string_equal(s, "(1,5)(2,3)");
    free(s);
}

/* Every text is refused, with a word of what is wrong, and the result is left alone. */
static void
bad_text_is_refused_and_leaves_the_result(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"(1,6)", "from 1 to 5"},
        {"(0,1)", "from 1 to 5"},
        {"(1,1)", "at most once"},
        {"(1,2)(2,3)", "column 7: expected disjoint cycles, found 2 again; "
                       "with the first cycle first, as in GAP, the product "
                       "is (1,3,2), with the last one first (1,2,3): "},
        {"(1,2)(3,2,3)", "at most once"},
        {"(1,2)(1,2)", "is (), with the last one first ()"},
        {"(1,2)(2,3)x", "the end"},
        {"(1,2", "found the end"},
        {"(1 2)", "\",\" or \")\""},
        {"(,)", "a point"},
        {"1,2", "\"(\" or \"[\""},
        {"", "found the end"},
        {"(1,2)x", "the end"},
        {"[0,1,2,3]", "fewer"},
        {"[0,1,2,3,4,0]", "more"},
        {"[0,0,1,2,3]", "at most once"},
        {"[1,2,3,4,5]", "from 0 to 4"},
        {"[0,1,2,3,4] 7", "the end"},
        {"(-1,2)", "a point"},
        {"(99999999999999999999,1)", "from 1 to 5"}};
    const ckda_perm before = parsed(5, "(1,2,3,4,5)");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ckda_perm p = before;
        ckda_error err;
        assert_int_equal(ckda_perm_parse(&p, 5, bad[i][0], &err), CKDA_E_INPUT);
        if (strstr(err.text, bad[i][1]) == NULL)
            fail_msg("\"%s\" said: %s", bad[i][0], err.text);
        assert_true(ckda_perm_equal(&p, &before));
        assert_int_equal(ckda_perm_parse(&p, 5, bad[i][0], NULL), CKDA_E_INPUT);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(product_acts_right_to_left),
        cmocka_unit_test(product_is_associative_and_may_alias),
        cmocka_unit_test(inverse_undoes_and_may_alias),
        cmocka_unit_test(order_parity_and_cycles),
        cmocka_unit_test(order_of_many_coprime_cycles_does_not_overflow),
        cmocka_unit_test(text_round_trip),
        cmocka_unit_test(cycles_and_images_name_the_same_permutation),
        cmocka_unit_test(bad_text_is_refused_and_leaves_the_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
