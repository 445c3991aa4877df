#include "ckda/status.h"

#include <stdarg.h>
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

void
ckda_error_set(ckda_error *err, const char *fmt, ...)
{
    if (err == NULL)
        return;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(err->text, sizeof err->text, fmt, ap);
    va_end(ap);
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
