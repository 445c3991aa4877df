#include "ckda/status.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ckda_truth
ckda_truth_and(ckda_truth a, ckda_truth b)
{
    if (a == CKDA_FALSE || b == CKDA_FALSE)
        return CKDA_FALSE;
    return a == CKDA_TRUE && b == CKDA_TRUE ? CKDA_TRUE : CKDA_UNKNOWN;
}

void
ckda_error_clear(ckda_error *err)
{
    if (err != NULL)
        err->text[0] = '\0';
}

/* Bytes of the character that s begins with, 0 unless it is well-formed UTF-8. */
static size_t
character(const unsigned char *s)
{
    const size_t n = s[0] < 0x80                   ? 1
                     : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
                     : s[0] >= 0xe0 && s[0] < 0xf0 ? 3
                     : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                                   : 0;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    return n;
}

/* Messages quote what stood in files: no byte of these may reach a terminal as a command,
 * and JSON must take them.  What is no printable character becomes '?'. */
static void
make_printable(ckda_error *err)
{
    for (unsigned char *s = (unsigned char *)err->text; *s != '\0';) {
        const size_t n = character(s);
        const bool control =
            *s < ' ' || *s == 0x7f || (n == 2 && s[0] == 0xc2 && s[1] < 0xa0);
        if (n == 0 || control)
            *s = '?';
        s += n == 0 || control ? 1 : n;
    }
}

void
ckda_error_set(ckda_error *err, const char *fmt, ...)
{
    if (err == NULL)
        return;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(err->text, sizeof err->text, fmt, ap);
    va_end(ap);
    make_printable(err);
}

void
ckda_error_prefix(ckda_error *err, const char *where)
{
    if (err == NULL)
        return;
    char old[sizeof err->text];
    memcpy(old, err->text, sizeof old);
    size_t used = (size_t)snprintf(err->text, sizeof err->text, "%s: ", where);
    if (used < sizeof err->text)
        snprintf(err->text + used, sizeof err->text - used, "%s", old);
    make_printable(err);
}

void
ckda_require_failed(const char *func, const char *cond, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fprintf(stderr, "ckda: internal error in %s: (%s) does not hold: ", func, cond);
    vfprintf(stderr, fmt, ap);
    fputc('\n', stderr);
    va_end(ap);
    abort();
}

static void (*end_without_memory)(void);

void
ckda_on_out_of_memory(void (*end)(void))
{
    end_without_memory = end;
}

void
ckda_out_of_memory(void)
{
    if (end_without_memory != NULL)
        end_without_memory();
    fputs("ckda: out of memory\n", stderr);
    abort();
}
