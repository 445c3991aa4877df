/* Text on the heap for the files of this room; running out of memory aborts (FLINT's
 * allocator), so nothing here can fail.  Free with flint_free. */
#ifndef CKDA_SRC_CLAIM_TEXT_H
#define CKDA_SRC_CLAIM_TEXT_H
#include <stdarg.h>
#include "ckda/status.h"

char *ckda_text_vformat(const char *fmt, va_list ap);
char *ckda_text_format(const char *fmt, ...) CKDA_PRINTF(1, 2);

#endif
