/* What documents are made of: members, items, texts that were just written out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ckda/doc.h"

/* json as compact text equals want; lets go of json. */
static void
is_text(json_t *json, const char *want)
{
    char *text = json_dumps(json, JSON_COMPACT | JSON_ENCODE_ANY);
    assert_non_null(text);
    assert_string_equal(text, want);
    free(text);
    json_decref(json);
}

static void
members_keep_their_order(void **state)
{
    json_t *object = json_object();
    (void)state;
    ckda_json_put(object, "b", json_integer(1));
    ckda_json_put(object, "a", json_null());
    is_text(object, "{\"b\":1,\"a\":null}");
}

static void
a_member_that_is_there_gets_the_new_value(void **state)
{
    json_t *object = json_object();
    (void)state;
    ckda_json_put(object, "a", json_string("old"));
    ckda_json_put(object, "b", json_integer(2));
    ckda_json_put(object, "a", json_string("new"));
    is_text(object, "{\"a\":\"new\",\"b\":2}");
}

static void
items_are_appended(void **state)
{
    json_t *array = json_array(), *inner = json_array();
    (void)state;
    ckda_json_append(inner, json_true());
    ckda_json_append(array, json_integer(-3));
    ckda_json_append(array, inner);
    is_text(array, "[-3,[true]]");
}

static void
values_are_taken_over(void **state)
{
    json_t *object = json_object(), *value = json_string("x");
    (void)state;
    json_incref(value); /* ours */
    ckda_json_put(object, "a", value);
    assert_int_equal(value->refcount, 2);
    json_decref(object);
    assert_int_equal(value->refcount, 1);
    json_decref(value);
}

/* A leak checker sees the text. */
static void
a_text_is_taken_over(void **state)
{
    char *text = strdup("-1/2+3/4*a");
    (void)state;
    assert_non_null(text);
    is_text(ckda_json_own(text), "\"-1/2+3/4*a\"");
}

static void
a_text_is_escaped(void **state)
{
    char *text = strdup("\"\\\n");
    (void)state;
    assert_non_null(text);
    is_text(ckda_json_own(text), "\"\\\"\\\\\\n\"");
}

static void
text_in_utf8_stays(void **state)
{
    (void)state;
    is_text(ckda_json_text("Kn\xc3\xb6rrer"), "\"Kn\xc3\xb6rrer\"");
}

static void
text_that_is_no_utf8_is_shown_with_question_marks(void **state)
{
    (void)state;
    is_text(ckda_json_text("f\xe9.json"), "\"f?.json\"");
    is_text(ckda_json_text("\xc3\xb6\xff"), "\"???\"");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_keep_their_order),
        cmocka_unit_test(a_member_that_is_there_gets_the_new_value),
        cmocka_unit_test(items_are_appended),
        cmocka_unit_test(values_are_taken_over),
        cmocka_unit_test(a_text_is_taken_over),
        cmocka_unit_test(a_text_is_escaped),
        cmocka_unit_test(text_in_utf8_stays),
        cmocka_unit_test(text_that_is_no_utf8_is_shown_with_question_marks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
