/* GAP lists of permutations: what is read, what is refused, and writing them back. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "ckda/gap.h"

static void
parse(ckda_gap_t L, const char *text)
{
    ckda_error err = {{0}};
    if (ckda_gap_parse(L, text, strlen(text), "g.gap", 256, &err) != CKDA_OK)
        fail_msg("%s", err.text);
}

static void
refused(const char *text, const char *want)
{
    ckda_gap_t L;
    ckda_error err = {{0}};
    memset(L, 7, sizeof *L);
    assert_int_equal(ckda_gap_parse(L, text, strlen(text), "g.gap", 6, &err),
                     CKDA_E_INPUT);
    assert_string_equal(err.text, want);
    assert_int_equal(((unsigned char *)L)[0], 7);
    assert_int_equal(ckda_gap_parse(L, text, strlen(text), "g.gap", 6, NULL),
                     CKDA_E_INPUT);
}

static void
assert_image(const ckda_gap_perm *p, long n, const long *image)
{
    assert_int_equal(p->n, n);
    for (long i = 0; i < n; i++)
        assert_int_equal(p->image[i], image[i]);
}

static void
cycles_are_read_in_any_layout(void **state)
{
    (void)state;
    ckda_gap_t L;
    parse(L, "# two generators\n [ ( 1, 2,3)\n ,\t(1,2) (4,5), # and one\n() ] ;\n# end");
    assert_int_equal(L->count, 3);
    assert_image(&L->perm[0], 3, (const long[]){1, 2, 0});
    assert_image(&L->perm[1], 5, (const long[]){1, 0, 2, 4, 3});
    assert_image(&L->perm[2], 1, (const long[]){0});
    assert_int_equal(L->perm[0].line, 2);
    assert_int_equal(L->perm[1].line, 3);
    assert_int_equal(L->perm[2].line, 4);
    ckda_gap_clear(L);
}

/* What GAP answers for each. */
static void
cycles_are_multiplied_from_left_to_right(void **state)
{
    (void)state;
    ckda_gap_t L;
    parse(L, "[(1,2)(2,3), (1,2)(1,2), (1,2,3,4)(2,4)(1,3), (2,3)(1)()(1,2), "
             "(1,5)(5,6)(1,5)]");
    assert_image(&L->perm[0], 3, (const long[]){2, 0, 1});
    assert_image(&L->perm[1], 2, (const long[]){0, 1});
    assert_image(&L->perm[2], 4, (const long[]){3, 0, 1, 2});
    assert_image(&L->perm[3], 3, (const long[]){1, 2, 0});
    assert_image(&L->perm[4], 6, (const long[]){5, 1, 2, 3, 4, 0});
    ckda_gap_clear(L);
}

static void
image_lists_count_from_one(void **state)
{
    (void)state;
    ckda_gap_t L;
    parse(L, "[[2,3,1],[2,1,3],[1],(2,4)]");
    assert_int_equal(L->count, 4);
    assert_image(&L->perm[0], 3, (const long[]){1, 2, 0});
    assert_image(&L->perm[1], 3, (const long[]){1, 0, 2});
    assert_image(&L->perm[2], 1, (const long[]){0});
    assert_image(&L->perm[3], 4, (const long[]){0, 3, 2, 1});
    ckda_gap_clear(L);
}

static void
points_are_checked(void **state)
{
    (void)state;
    refused("[ (1,2),\n  (0,1) ]",
            "g.gap: line 2, column 4: expected a point from 1 to 6, found 0");
    refused("[ (1,7) ]",
            "g.gap: line 1, column 6: expected a point from 1 to 6, found 7");
    refused("[ (1,99999999999999999999999) ]",
            "g.gap: line 1, column 6: expected a point from 1 to 6, found "
            "99999999999999999999");
    refused("[ (1,2)(2,3,2) ]", "g.gap: line 1, column 13: expected every point once (a "
                                "permutation), found 2 again");
    refused("[ (1,1) ]", "g.gap: line 1, column 6: expected every point once (a "
                         "permutation), found 1 again");
    refused("[ [1,2,2] ]", "g.gap: line 1, column 8: expected every point once (a "
                           "permutation), found 2 again");
    refused(
        "[ [1,4,2] ]",
        "g.gap: line 1, column 6: expected images from 1 to 3 in a list of 3, found 4");
    refused("[ [0,1] ]",
            "g.gap: line 1, column 4: expected a point from 1 to 6, found 0");
    refused("[ [1,2,3,4,5,6,1] ]",
            "g.gap: line 1, column 16: expected fewer images, found \"1\"");
    refused("[ (1,-2) ]", "g.gap: line 1, column 6: expected a point, found \"-\"");
}

static void
brackets_and_commas_are_checked(void **state)
{
    (void)state;
#define PERM                                                                             \
    "expected a permutation (cycles such as (1,2,3) or a list of images such as "        \
    "[2,3,1]), found "
    refused("",
            "g.gap: line 1, column 1: expected a GAP list of permutations, \"[\", found "
            "the end");
    refused("[ ]", "g.gap: line 1, column 3: " PERM "\"]\"");
    refused("[ (1,2), ]", "g.gap: line 1, column 10: " PERM "\"]\"");
    refused("[ (1,2)", "g.gap: line 1, column 8: expected \",\" or \"]\", found the end");
    refused("[ (1,2", "g.gap: line 1, column 7: expected \",\" or \")\", found the end");
    refused("[ (1 2) ]", "g.gap: line 1, column 6: expected \",\" or \")\", found \"2\"");
    refused("[ (1,2) ] x", "g.gap: line 1, column 11: expected the end, found \"x\"");
    refused("[ (1,2) ];;", "g.gap: line 1, column 11: expected the end, found \";\"");
    refused("[ [2,1 ]",
            "g.gap: line 1, column 9: expected \",\" or \"]\", found the end");
    refused("[ [] ]", "g.gap: line 1, column 4: expected a point, found \"]\"");
    refused("[ [2..4] ]",
            "g.gap: line 1, column 5: expected \",\" or \"]\", found \".\"");
    refused("[ a ]", "g.gap: line 1, column 3: " PERM "\"a\"");
    refused("[2,1]", "g.gap: line 1, column 2: " PERM
                     "a number (a single list of images needs another pair of brackets)");
    refused("[ (1,\x01) ]",
            "g.gap: line 1, column 6: expected a point, found the byte 0x01");
}

static void
zero_bytes_are_no_end(void **state)
{
    (void)state;
    ckda_gap_t L;
    ckda_error err = {{0}};
    assert_int_equal(ckda_gap_parse(L, "[ () ]\0x", 8, "g.gap", 6, &err), CKDA_E_INPUT);
    assert_string_equal(err.text,
                        "g.gap: line 1, column 7: expected the end, found the byte 0x00");
}

static void
too_many_permutations_are_refused(void **state)
{
    (void)state;
    const size_t len = 3 * (size_t)(CKDA_GAP_MAX + 1) + 1;
    char *text = malloc(len);
    assert_non_null(text);
    ckda_gap_t L;
    ckda_error err = {{0}};
    text[0] = '[';
    for (size_t i = 1; i < len; i += 3)
        memcpy(text + i, "(),", 3);
    text[len - 1] = ']';
    assert_int_equal(ckda_gap_parse(L, text, len, "g.gap", 6, &err), CKDA_E_INPUT);
    assert_string_equal(err.text, "g.gap: line 1, column 30002: expected at most 10000 "
                                  "permutations, found more");
    text[len - 4] = ']'; /* exactly as many as are allowed */
    assert_int_equal(ckda_gap_parse(L, text, len - 3, "g.gap", 6, NULL), CKDA_OK);
    assert_int_equal(L->count, CKDA_GAP_MAX);
    ckda_gap_clear(L);
    free(text);
}

static void
written_lists_read_back(void **state)
{
    (void)state;
    ckda_gap_t L, M;
    parse(L, "[ (1,3,2)(4,6), (), [1,2,4,3] ]");
    char *text = ckda_gap_write(L);
    assert_string_equal(text, "[ (1,3,2)(4,6),\n  (),\n  (3,4) ]\n");
    parse(M, text);
    assert_int_equal(M->count, L->count);
    for (size_t i = 0; i < L->count; i++)
        assert_image(&M->perm[i], L->perm[i].n, L->perm[i].image);
    free(text);
    ckda_gap_clear(M);
    ckda_gap_clear(L);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cycles_are_read_in_any_layout),
        cmocka_unit_test(cycles_are_multiplied_from_left_to_right),
        cmocka_unit_test(image_lists_count_from_one),
        cmocka_unit_test(points_are_checked),
        cmocka_unit_test(brackets_and_commas_are_checked),
        cmocka_unit_test(zero_bytes_are_no_end),
        cmocka_unit_test(too_many_permutations_are_refused),
        cmocka_unit_test(written_lists_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
