/* The fields that the tests of this room run through, and small conveniences. */
#ifndef TEST_FIELDS_H
#define TEST_FIELDS_H
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "ckda/field.h"

/* Parses text, which must be right. */
static inline void
number(qqbar_t x, const char *text)
{
    ckda_error err;
    ckda_error_clear(&err);
    if (ckda_number_parse(x, text, &err) != CKDA_OK)
        fail_msg("%s: %s", text, err.text);
}

/* K = Q(text). */
static inline void
field_of(ckda_field_t K, const char *text)
{
    qqbar_t x;
    qqbar_init(x);
    number(x, text);
    assert_int_equal(ckda_field_init_qqbar(K, x), CKDA_OK);
    qqbar_clear(x);
}

static inline void
element(ckda_elem_t x, const char *text, const ckda_field_t K)
{
    ckda_error err;
    ckda_error_clear(&err);
    if (ckda_elem_set_str(x, text, K, &err) != CKDA_OK)
        fail_msg("%s: %s", text, err.text);
}

static inline void
assert_elem(const ckda_elem_t x, const char *text, const ckda_field_t K)
{
    char *s = ckda_elem_str(x, K);
    assert_string_equal(s, text);
    free(s);
}

#define FIELDS 9
/* Degrees 1, 2, 2, 3, 3, 4, 8, 8, 48. */
static inline void
nth_field(ckda_field_t K, int i)
{
    if (i == 0)
        ckda_field_init_rational(K);
    else if (i == 1)
        ckda_field_init_sqrt(K, 5);
    else if (i == 2)
        ckda_field_init_cos(K, 8);
    else if (i == 3)
        ckda_field_init_cos(K, 7);
    else if (i == 4)
        field_of(K, "root(2*x^3-3*x+5/7, -1.3)");
    else if (i == 5)
        field_of(K, "sqrt(2+sqrt(2))");
    else if (i == 6)
        ckda_field_init_cos(K, 60);
    else if (i == 7)
        field_of(K, "root(x^8-2*(1000000*x-1)^2, 0.000001)");
    else
        ckda_field_init_cos(K, 288);
}

#define ELEMS 6
static inline void
init_elems(ckda_elem_struct *e, const ckda_field_t K)
{
    for (int i = 0; i < ELEMS; i++)
        ckda_elem_init(e + i, K);
}

static inline void
clear_elems(ckda_elem_struct *e, const ckda_field_t K)
{
    for (int i = 0; i < ELEMS; i++)
        ckda_elem_clear(e + i, K);
}

#endif
