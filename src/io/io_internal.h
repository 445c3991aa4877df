/* What the files of this room share. */
#ifndef CKDA_IO_INTERNAL_H
#define CKDA_IO_INTERNAL_H
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "ckda/status.h"

/* malloc (old = NULL) or realloc of count entries that aborts when memory runs out. */
static inline void *
checked_realloc(void *old, size_t count, size_t size)
{
    ckda_require(count <= SIZE_MAX / size, "%zu x %zu bytes overflow", count, size);
    void *p = realloc(old, count > 0 ? count * size : 1);
    ckda_require_memory(p != NULL);
    return p;
}

static inline char *
copy_text(const char *s, size_t len)
{
    char *t = checked_realloc(NULL, len + 1, 1);
    memcpy(t, s, len);
    t[len] = '\0';
    return t;
}

#endif
