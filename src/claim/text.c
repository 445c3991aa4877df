#include "text.h"

#include <stdio.h>
#include "ckda/flint_compat.h"

char *
ckda_text_vformat(const char *fmt, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    int length = vsnprintf(NULL, 0, fmt, again);
    va_end(again);
    ckda_require(length >= 0, "a format that cannot be printed");
    char *text = flint_malloc((size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, fmt, ap);
    return text;
}

char *
ckda_text_format(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *text = ckda_text_vformat(fmt, ap);
    va_end(ap);
    return text;
}
