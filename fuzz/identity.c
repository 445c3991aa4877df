/* The language of identities.  Each line is one text: the first the variables, the others by
 * their first character: ~ relation, ! assumption, % parameter, @ "var = sample", $ "name =
 * definition", and everything else a statement.  Braces are filled with n = 3. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "ckda/flint_compat.h"
#include "ckda/sym.h"

static ckda_status
named(ckda_status (*take)(ckda_sym *, const char *, const char *, ckda_error *),
      ckda_sym *s, char *text, ckda_error *err)
{
    char *equals = strstr(text, " = ");
    if (equals == NULL) {
        ckda_error_set(err, "no name");
        return CKDA_E_INPUT;
    }
    *equals = '\0';
    return take(s, text, equals + 3, err);
}

static bool
decide(ckda_sym *s, const char *text)
{
    ckda_error err = {""};
    ckda_sym_answer a = {0};
    if (!fuzz_read(ckda_sym_decide(&a, s, text, 1, &err), &err, ""))
        return false;
    fuzz_check((a.truth == CKDA_FALSE) == (a.point != NULL), "%s: truth %d, point %s",
               text, (int)a.truth, a.point != NULL ? a.point : "none");
    fuzz_check(a.truth != CKDA_TRUE || a.entries > 0, "%s: nothing was decided", text);
    ckda_sym_answer_clear(&a);
    return true;
}

static bool
line(ckda_sym *s, char *text)
{
    ckda_error err = {""};
    ckda_status st;
    switch (text[0]) {
    case '~':
        st = ckda_sym_relation(s, text + 1, &err);
        break;
    case '!':
        st = ckda_sym_assume(s, text + 1, &err);
        break;
    case '%':
        st = ckda_sym_parameter(s, text + 1, &err);
        break;
    case '@':
        st = named(ckda_sym_sample, s, text + 1, &err);
        break;
    case '$':
        st = named(ckda_sym_define, s, text + 1, &err);
        break;
    default:
        return decide(s, text);
    }
    return fuzz_read(st, &err, "");
}

/* A list of variables in text, cut there. */
static size_t
split(const char *vars[8], char *text)
{
    size_t n = 0;
    for (char *at = strtok(text, " "); at != NULL && n < 8; at = strtok(NULL, " "))
        vars[n++] = at;
    return n;
}

bool
fuzz_identity(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"n"};
    static const long values[] = {3};
    const char *vars[8];
    ckda_error err = {""};
    ckda_sym *s = NULL;
    char *text = fuzz_text(data, size);
    char *all = ckda_sym_expand(text, names, values, 1, &err);
    fuzz_check(all != NULL || err.text[0] != '\0', "no reason");
    free(text);
    if (all == NULL)
        return false;
    char *next = strchr(all, '\n');
    if (next != NULL)
        *next++ = '\0';
    bool ok = fuzz_read(ckda_sym_open(&s, vars, split(vars, all), &err), &err, "");
    while (ok && next != NULL && *next != '\0') {
        char *this = next;
        next = strchr(this, '\n');
        if (next != NULL)
            *next++ = '\0';
        ok = line(s, this);
    }
    ckda_sym_close(&s);
    free(all);
    return ok;
}
