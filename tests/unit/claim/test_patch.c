/* JSON pointers: one change, in one place, in a copy. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include "ckda/claim.h"

static const char *const sample =
    "{\"a\": {\"b\": [10, {\"c\": 1}, 30]}, \"x/y\": 1, \"p~q\": 2, \"\": 3, \"0\": 4}";

static json_t *
parse(const char *text)
{
    json_t *tree = json_loads(text, JSON_DECODE_ANY, NULL);
    assert_non_null(tree);
    return tree;
}

/* The pointer applied to the sample gives `want` (NULL: it is refused). */
static void
gives(const char *pointer, const char *to, const char *want)
{
    json_t *tree = parse(sample), *untouched = parse(sample);
    json_t *value = to != NULL ? parse(to) : NULL;
    json_t *got = ckda_json_patched(tree, pointer, value);
    assert_true(json_equal(tree, untouched));
    if (want == NULL) {
        assert_null(got);
    } else {
        json_t *expected = parse(want);
        assert_true(json_equal(got, expected));
        json_decref(expected);
    }
    json_decref(got);
    json_decref(value);
    json_decref(tree);
    json_decref(untouched);
}

static void
replaces_a_member(void **state)
{
    (void)state;
    gives("/a/b/1/c", "7",
          "{\"a\":{\"b\":[10,{\"c\":7},30]},\"x/y\":1,\"p~q\":2,\"\":3,\"0\":4}");
}

static void
replaces_an_item(void **state)
{
    (void)state;
    gives("/a/b/0", "\"z\"",
          "{\"a\":{\"b\":[\"z\",{\"c\":1},30]},\"x/y\":1,\"p~q\":2,\"\":3,\"0\":4}");
}

static void
removes_an_item(void **state)
{
    (void)state;
    gives("/a/b/1", NULL, "{\"a\":{\"b\":[10,30]},\"x/y\":1,\"p~q\":2,\"\":3,\"0\":4}");
}

static void
removes_a_member(void **state)
{
    (void)state;
    gives("/a", NULL, "{\"x/y\":1,\"p~q\":2,\"\":3,\"0\":4}");
}

static void
decodes_escapes(void **state)
{
    (void)state;
    gives("/x~1y", NULL, "{\"a\":{\"b\":[10,{\"c\":1},30]},\"p~q\":2,\"\":3,\"0\":4}");
    gives("/p~0q", NULL, "{\"a\":{\"b\":[10,{\"c\":1},30]},\"x/y\":1,\"\":3,\"0\":4}");
    gives("/p~2q", "0", NULL);
    gives("/p~", "0", NULL);
}

static void
empty_key_is_a_key(void **state)
{
    (void)state;
    gives("/", "0",
          "{\"a\":{\"b\":[10,{\"c\":1},30]},\"x/y\":1,\"p~q\":2,\"\":0,\"0\":4}");
}

static void
digits_name_a_member_of_an_object(void **state)
{
    (void)state;
    gives("/0", "5",
          "{\"a\":{\"b\":[10,{\"c\":1},30]},\"x/y\":1,\"p~q\":2,\"\":3,\"0\":5}");
}

static void
refuses_what_does_not_resolve(void **state)
{
    (void)state;
    static const char *const pointers[] = {"",
                                           "a",
                                           "/z",
                                           "/a/b/3",
                                           "/a/b/-",
                                           "/a/b/00",
                                           "/a/b/+1",
                                           "/a/b/x",
                                           "/a/b/1/d",
                                           "/a/b/0/c",
                                           "/a/",
                                           "/a/b/",
                                           "/a/b/99999999999999999999"};
    for (size_t i = 0; i < sizeof pointers / sizeof pointers[0]; i++) {
        gives(pointers[i], "7", NULL);
        gives(pointers[i], NULL, NULL);
    }
}

static void
refuses_a_change_that_changes_nothing(void **state)
{
    (void)state;
    gives("/a/b/1", "{\"c\": 1}", NULL);
    gives("/0", "4", NULL);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replaces_a_member),
        cmocka_unit_test(replaces_an_item),
        cmocka_unit_test(removes_an_item),
        cmocka_unit_test(removes_a_member),
        cmocka_unit_test(decodes_escapes),
        cmocka_unit_test(empty_key_is_a_key),
        cmocka_unit_test(digits_name_a_member_of_an_object),
        cmocka_unit_test(refuses_what_does_not_resolve),
        cmocka_unit_test(refuses_a_change_that_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
