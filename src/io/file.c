/* Whole files in and out. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "ckda/doc.h"
#include "ckda/temporary.h"

static ckda_status
io_error(ckda_error *err, const char *path, const char *what)
{
    ckda_error_set(err, "%s: %s: %s", path, what, strerror(errno));
    return CKDA_E_IO;
}

/* ---- reading ----------------------------------------------------------------------- */

static ckda_status
open_for_reading(int *fd, const char *path, ckda_error *err)
{
    struct stat st;
    const int f = open(path, O_RDONLY | O_CLOEXEC);
    if (f < 0)
        return io_error(err, path, "cannot be opened");
    if (fstat(f, &st) == 0 && S_ISDIR(st.st_mode)) {
        close(f);
        ckda_error_set(err, "%s: expected a file, found a folder", path);
        return CKDA_E_IO;
    }
    *fd = f;
    return CKDA_OK;
}

/* Reads to the end, whatever the size said: pipes have none. */
static ckda_status
slurp(char **text, size_t *len, int fd, const char *path, ckda_error *err)
{
    size_t used = 0, room = 1 << 16;
    char *buf = malloc(room);
    ckda_require_memory(buf != NULL);
    for (;;) {
        if (used + 1 == room) {
            room *= 2;
            char *more = realloc(buf, room);
            ckda_require_memory(more != NULL);
            buf = more;
        }
        const ssize_t got = read(fd, buf + used, room - used - 1);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            free(buf);
            return io_error(err, path, "cannot be read");
        }
        if (got == 0)
            break;
        used += (size_t)got;
        if (used > CKDA_FILE_MAX) {
            free(buf);
            ckda_error_set(err, "%s: larger than %zu MiB, the most that is read", path,
                           CKDA_FILE_MAX >> 20);
            return CKDA_E_IO;
        }
    }
    buf[used] = '\0';
    *text = buf;
    *len = used;
    return CKDA_OK;
}

ckda_status
ckda_file_read(char **text, size_t *len, const char *path, ckda_error *err)
{
    int fd;
    ckda_status st = open_for_reading(&fd, path, err);
    if (st != CKDA_OK)
        return st;
    st = slurp(text, len, fd, path, err);
    close(fd);
    return st;
}

/* ---- writing ----------------------------------------------------------------------- */

static int
write_all(int fd, const char *text, size_t len)
{
    while (len > 0) {
        const ssize_t put = write(fd, text, len);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return -1;
        text += put;
        len -= (size_t)put;
    }
    return 0;
}

static ckda_status
write_direct(const char *path, const char *text, size_t len, ckda_error *err)
{
    const int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return io_error(err, path, "cannot be opened for writing");
    const int bad = write_all(fd, text, len);
    const int why = errno;
    if (close(fd) != 0 && !bad)
        return io_error(err, path, "cannot be written");
    errno = why;
    return bad ? io_error(err, path, "cannot be written") : CKDA_OK;
}

/* A new file NAME.PID.K.tmp beside path; mkstemp would make it private to its owner. */
static int
open_temporary(char *name, size_t size, const char *path)
{
    for (int k = 0; k < 100; k++) {
        const int n = snprintf(name, size, "%s.%ld.%d.tmp", path, (long)getpid(), k);
        if (n < 0 || (size_t)n >= size) {
            errno = ENAMETOOLONG;
            return -1;
        }
        const int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

static ckda_status
replace_file(const char *path, mode_t keep_mode, const char *text, size_t len,
             ckda_error *err)
{
    char name[PATH_MAX];
    const int fd = open_temporary(name, sizeof name, path);
    if (fd < 0)
        return io_error(err, path, "cannot be created");
    const int ticket = ckda_temporary_add(name);
    int bad = keep_mode != 0 && fchmod(fd, keep_mode) != 0;
    bad = bad || write_all(fd, text, len) != 0;
    bad = bad || (fsync(fd) != 0 && errno != EINVAL && errno != ENOTSUP);
    int why = errno;
    if (close(fd) != 0 && !bad) {
        bad = 1;
        why = errno;
    }
    if (!bad && rename(name, path) != 0) {
        bad = 1;
        why = errno;
    }
    if (bad)
        unlink(name);
    ckda_temporary_forget(ticket);
    if (!bad)
        return CKDA_OK;
    errno = why;
    return io_error(err, path, "cannot be written");
}

ckda_status
ckda_file_write(const char *path, const char *text, size_t len, ckda_error *err)
{
    struct stat st;
    if (stat(path, &st) != 0) {
        if (lstat(path, &st) != 0)
            return replace_file(path, 0, text, len, err);
        ckda_error_set(err, "%s: is a link to nothing", path);
        return CKDA_E_IO;
    }
    if (S_ISDIR(st.st_mode)) {
        ckda_error_set(err, "%s: expected the name of a file, found a folder", path);
        return CKDA_E_IO;
    }
    if (!S_ISREG(st.st_mode))
        return write_direct(path, text, len, err);
    char *real = realpath(path, NULL); /* replace what a link points to, not the link */
    if (real == NULL)
        return io_error(err, path, "cannot be resolved");
    const ckda_status s = replace_file(real, st.st_mode & 0777, text, len, err);
    free(real);
    return s;
}
