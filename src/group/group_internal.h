/* Shared by the files of this room only. */
#ifndef CKDA_GROUP_INTERNAL_H
#define CKDA_GROUP_INTERNAL_H
#include <stdlib.h>
#include <string.h>
#include "ckda/group.h"

static inline void *
checked_alloc(size_t count, size_t size)
{
    void *p = calloc(count > 0 ? count : 1, size);
    ckda_require_memory(p != NULL);
    return p;
}

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
    char *t = checked_alloc(len + 1, 1);
    memcpy(t, s, len);
    return t;
}

static inline bool
is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static inline bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

#endif
