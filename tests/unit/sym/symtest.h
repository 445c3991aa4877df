/* What the tests of the sym room share: short ways to build a theory and to expect. */
#ifndef SYMTEST_H
#define SYMTEST_H
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "ckda/flint_compat.h"
#include "ckda/sym.h"

/* Variables separated by blanks. */
static inline ckda_sym *
theory(const char *vars)
{
    char copy[500];
    const char *name[70];
    size_t n = 0;
    ckda_sym *s = NULL;
    ckda_error err;
    assert_true(strlen(vars) < sizeof copy);
    strcpy(copy, vars);
    for (char *t = strtok(copy, " "); t != NULL; t = strtok(NULL, " "))
        name[n++] = t;
    if (ckda_sym_open(&s, name, n, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    return s;
}

static inline void
relation(ckda_sym *s, const char *text)
{
    ckda_error err;
    if (ckda_sym_relation(s, text, &err) != CKDA_OK)
        fail_msg("%s", err.text);
}

static inline void
assume(ckda_sym *s, const char *text)
{
    ckda_error err;
    if (ckda_sym_assume(s, text, &err) != CKDA_OK)
        fail_msg("%s", err.text);
}

static inline void
let(ckda_sym *s, const char *name, const char *text)
{
    ckda_error err;
    if (ckda_sym_define(s, name, text, &err) != CKDA_OK)
        fail_msg("%s", err.text);
}

static inline void
sample(ckda_sym *s, const char *var, const char *text)
{
    ckda_error err;
    if (ckda_sym_sample(s, var, text, &err) != CKDA_OK)
        fail_msg("%s", err.text);
}

static inline ckda_sym_answer
ask(ckda_sym *s, const char *text)
{
    ckda_error err;
    ckda_sym_answer ans;
    if (ckda_sym_decide(&ans, s, text, 1, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    if (ans.truth == CKDA_FALSE) {
        assert_non_null(ans.point);
        assert_non_null(ans.left);
        assert_non_null(ans.right);
    } else {
        assert_null(ans.point);
    }
    return ans;
}

static inline void
expect(ckda_sym *s, const char *text, ckda_truth want)
{
    ckda_sym_answer ans = ask(s, text);
    if (ans.truth != want)
        fail_msg("%s: got %d, want %d (%s: %s, %s)", text, ans.truth, want,
                 ans.point == NULL ? "" : ans.point, ans.left == NULL ? "" : ans.left,
                 ans.right == NULL ? "" : ans.right);
    ckda_sym_answer_clear(&ans);
}

static inline void
holds(ckda_sym *s, const char *text)
{
    expect(s, text, CKDA_TRUE);
}

static inline void
fails(ckda_sym *s, const char *text)
{
    expect(s, text, CKDA_FALSE);
}

static inline void
open_question(ckda_sym *s, const char *text)
{
    expect(s, text, CKDA_UNKNOWN);
}

/* The text is refused, with a message that contains part; the answer is left alone. */
static inline void
refused(ckda_sym *s, const char *text, const char *part)
{
    ckda_error err;
    ckda_sym_answer ans, before;
    memset(&ans, 0x5a, sizeof ans);
    before = ans;
    assert_int_equal(ckda_sym_decide(&ans, s, text, 1, &err), CKDA_E_INPUT);
    assert_memory_equal(&ans, &before, sizeof ans);
    if (strstr(err.text, part) == NULL)
        fail_msg("%s: message \"%s\" lacks \"%s\"", text, err.text, part);
}

/* Group teardown: FLINT's caches are not leaks. */
static inline int
clean_up(void **state)
{
    (void)state;
    flint_cleanup();
    return 0;
}
#endif
