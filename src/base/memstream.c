#define _GNU_SOURCE /* fopencookie */
#include "ckda/memstream.h"

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "ckda/status.h"

static ssize_t
append(void *cookie, const char *bytes, size_t size)
{
    ckda_memstream *m = cookie;
    if (size >= m->room - m->length) { /* one byte stays for the NUL */
        m->room = 2 * m->room + size;
        m->text = realloc(m->text, m->room);
        ckda_require_memory(m->text != NULL);
    }
    memcpy(m->text + m->length, bytes, size);
    m->length += size;
    return (ssize_t)size;
}

void
ckda_memstream_open(ckda_memstream *m)
{
    const cookie_io_functions_t io = {.write = append};
    *m = (ckda_memstream){.room = 256};
    m->text = malloc(m->room);
    ckda_require_memory(m->text != NULL);
    m->out = fopencookie(m, "w", io);
    ckda_require_memory(m->out != NULL);
}

char *
ckda_memstream_close(ckda_memstream *m, size_t *length)
{
    const int failed = fclose(m->out);
    ckda_require(failed == 0, "a stream into memory cannot be closed");
    m->text[m->length] = '\0';
    if (length != NULL)
        *length = m->length;
    return m->text;
}
