#include "template.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "ckda/flint_compat.h"
#include "ckda/memstream.h"

enum { LIMIT = 1000000 }; /* of every value on the way: no overflow is possible */

/* ---- integer arithmetic ---- */

typedef struct {
    const char *s;
    const template_names *names;
    bool failed;
} reader;

static long sum(reader *r);

static long
fail(reader *r)
{
    r->failed = true;
    return 0;
}

static long
bounded(reader *r, long v)
{
    return v < -LIMIT || v > LIMIT ? fail(r) : v;
}

static void
blanks(reader *r)
{
    while (*r->s == ' ')
        r->s++;
}

static bool
eat(reader *r, char c)
{
    blanks(r);
    bool there = *r->s == c;
    r->s += there;
    return there;
}

static long
name(reader *r)
{
    size_t length = 0;
    while (isalnum((unsigned char)r->s[length]) || r->s[length] == '_')
        length++;
    for (size_t i = 0; i < r->names->n; i++)
        if (strlen(r->names->name[i].name) == length
            && strncmp(r->names->name[i].name, r->s, length) == 0
            && r->names->name[i].text == NULL) {
            r->s += length;
            return r->names->name[i].value;
        }
    return fail(r);
}

static long
factor(reader *r)
{
    if (eat(r, '-')) {
        long v = r->failed ? 0 : factor(r);
        return -v;
    }
    if (eat(r, '(')) {
        long v = sum(r);
        return eat(r, ')') ? v : fail(r);
    }
    if (isdigit((unsigned char)*r->s)) {
        long v = 0;
        for (; isdigit((unsigned char)*r->s) && !r->failed; r->s++)
            v = bounded(r, 10 * v + (*r->s - '0'));
        return v;
    }
    return isalpha((unsigned char)*r->s) ? name(r) : fail(r);
}

static long
floor_quotient(long a, long b)
{
    long q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

static long
product(reader *r)
{
    long v = factor(r);
    while (!r->failed) {
        if (eat(r, '*'))
            v = bounded(r, v * factor(r));
        else if (eat(r, '/')) {
            long w = factor(r);
            v = w == 0 ? fail(r) : floor_quotient(v, w);
        } else
            break;
    }
    return v;
}

static long
sum(reader *r)
{
    long v = product(r);
    while (!r->failed) {
        if (eat(r, '+'))
            v = bounded(r, v + product(r));
        else if (eat(r, '-'))
            v = bounded(r, v - product(r));
        else
            break;
    }
    return v;
}

/* ---- texts ---- */

/* The value of what stands between two braces as text, or false. */
static bool
value_text(FILE *out, const char *inside, size_t length, const template_names *names)
{
    for (size_t i = 0; i < names->n; i++)
        if (names->name[i].text != NULL && strlen(names->name[i].name) == length
            && strncmp(names->name[i].name, inside, length) == 0) {
            fputs(names->name[i].text, out);
            return true;
        }
    reader r = {inside, names, false};
    long v = sum(&r);
    blanks(&r);
    if (r.failed || r.s != inside + length)
        return false;
    fprintf(out, "%ld", v);
    return true;
}

ckda_status
template_fill(char **out, const char *text, const template_names *names,
              const ckda_node *at, ckda_error *err)
{
    ckda_memstream m;
    size_t size;
    ckda_memstream_open(&m);
    FILE *f = m.out;
    bool fine = true;
    while (*text != '\0' && fine) {
        size_t plain = strcspn(text, "{}");
        fwrite(text, 1, plain, f);
        text += plain;
        if (*text == '\0')
            break;
        size_t inside = strcspn(text + 1, "{}");
        fine = text[0] == '{' && text[1 + inside] == '}'
               && value_text(f, text + 1, inside, names);
        text += inside + 2;
    }
    char *filled = ckda_memstream_close(&m, &size);
    if (!fine) {
        free(filled);
        return ckda_node_fail(at, err,
                              "integer arithmetic with the names of \"for\" in {}", NULL);
    }
    *out = flint_malloc(size + 1);
    memcpy(*out, filled, size + 1);
    free(filled);
    return CKDA_OK;
}
