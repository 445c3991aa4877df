/* A file that is written piece by piece and appears whole or not at all. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "cert_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ckda/temporary.h"

static char *
copy_text(const char *text)
{
    char *s = flint_malloc(strlen(text) + 1);
    return strcpy(s, text);
}

static void
note_error(stream *s)
{
    if (s->error == 0)
        s->error = errno != 0 ? errno : EIO;
}

static ckda_status
io_error(ckda_error *err, const char *path, int why)
{
    ckda_error_set(err, "%s: cannot be written: %s", path, strerror(why));
    return CKDA_E_IO;
}

/* A new file NAME.PID.K.tmp beside path, for everybody whom the umask admits. */
static int
open_temporary(char **name, const char *path)
{
    const size_t size = strlen(path) + 48;
    char *t = flint_malloc(size);
    for (int k = 0; k < 100; k++) {
        snprintf(t, size, "%s.%ld.%d.tmp", path, (long)getpid(), k);
        const int fd = open(t, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0) {
            *name = t;
            return fd;
        }
        if (errno != EEXIST)
            break;
    }
    flint_free(t);
    return -1;
}

ckda_status
stream_open(stream *s, const char *path, ckda_error *err)
{
    struct stat st;
    char *temporary = NULL;
    int fd;
    const bool there = stat(path, &st) == 0;
    if (there && S_ISDIR(st.st_mode)) {
        ckda_error_set(err, "%s: expected the name of a file, found a folder", path);
        return CKDA_E_IO;
    }
    char *real = there && S_ISREG(st.st_mode) ? realpath(path, NULL) : NULL;
    const char *target = real != NULL ? real : path;
    if (there && !S_ISREG(st.st_mode))
        fd = open(path, O_WRONLY | O_CLOEXEC);
    else
        fd = open_temporary(&temporary, target);
    const int ticket = temporary != NULL ? ckda_temporary_add(temporary) : -1;
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (file == NULL) {
        const int why = errno;
        if (fd >= 0)
            close(fd);
        if (temporary != NULL)
            unlink(temporary);
        ckda_temporary_forget(ticket);
        flint_free(temporary);
        free(real);
        return io_error(err, path, why);
    }
    *s = (stream){.file = file,
                  .path = copy_text(target),
                  .temporary = temporary,
                  .ticket = ticket};
    if (there && temporary != NULL && fchmod(fd, st.st_mode & 0777) != 0)
        note_error(s);
    free(real);
    return CKDA_OK;
}

void
stream_put(stream *s, const char *fmt, ...)
{
    va_list ap;
    const size_t n = strlen(fmt);
    s->lines += n > 0 && fmt[n - 1] == '\n';
    if (s->error != 0)
        return;
    va_start(ap, fmt);
    if (vfprintf(s->file, fmt, ap) < 0)
        note_error(s);
    va_end(ap);
}

/* Bytes of the UTF-8 sequence that starts here; 0: none does. */
static size_t
sequence_length(const unsigned char *c)
{
    const size_t n = c[0] < 0x80                    ? 1
                     : c[0] >= 0xc2 && c[0] < 0xe0  ? 2
                     : (c[0] & 0xf0) == 0xe0        ? 3
                     : c[0] >= 0xf0 && c[0] <= 0xf4 ? 4
                                                    : 0;
    for (size_t i = 1; i < n; i++)
        if ((c[i] & 0xc0) != 0x80)
            return 0;
    const bool overlong = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xf0 && c[1] < 0x90);
    const bool surrogate = c[0] == 0xed && c[1] >= 0xa0;
    const bool beyond = c[0] == 0xf4 && c[1] >= 0x90;
    return n > 1 && (overlong || surrogate || beyond) ? 0 : n;
}

void
stream_put_text(stream *s, const char *text)
{
    stream_put(s, "\"");
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0';) {
        const size_t n = sequence_length(c);
        if (n == 0)
            stream_put(s, "?");
        else if (*c == '"' || *c == '\\')
            stream_put(s, "\\%c", *c);
        else if (*c < 0x20)
            stream_put(s, "\\u%04x", *c);
        else
            stream_put(s, "%.*s", (int)n, (const char *)c);
        c += n > 0 ? n : 1;
    }
    stream_put(s, "\"");
}

static void
stream_clear(stream *s)
{
    ckda_temporary_forget(s->ticket);
    flint_free(s->path);
    flint_free(s->temporary);
    *s = (stream){0};
}

ckda_status
stream_close(stream *s, ckda_error *err)
{
    errno = 0;
    if (fflush(s->file) != 0
        || (s->temporary != NULL && fsync(fileno(s->file)) != 0 && errno != EINVAL
            && errno != ENOTSUP))
        note_error(s);
    if (fclose(s->file) != 0)
        note_error(s);
    if (s->error == 0 && s->temporary != NULL && rename(s->temporary, s->path) != 0)
        note_error(s);
    ckda_status st = CKDA_OK;
    if (s->error != 0) {
        st = io_error(err, s->path, s->error);
        if (s->temporary != NULL)
            unlink(s->temporary);
    }
    stream_clear(s);
    return st;
}

void
stream_abandon(stream *s)
{
    fclose(s->file);
    if (s->temporary != NULL)
        unlink(s->temporary);
    stream_clear(s);
}
