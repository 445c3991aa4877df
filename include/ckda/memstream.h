/* ckda/memstream.h -- a stream into memory.
 *
 * Like open_memstream, but running out of memory ends as everywhere (ckda/status.h):
 * open_memstream lets a printf fail that nobody looks at, and leaves a hole in the text. */
#ifndef CKDA_MEMSTREAM_H
#define CKDA_MEMSTREAM_H
#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    FILE *out; /* to print to */
    char *text;
    size_t length, room;
} ckda_memstream;

/* m must stay where it is until it is closed. */
void ckda_memstream_open(ckda_memstream *m);
/* What was printed, with a NUL behind it that *length does not count (NULL: not wanted);
 * free with free(). */
char *ckda_memstream_close(ckda_memstream *m, size_t *length);

#ifdef __cplusplus
}
#endif
#endif
