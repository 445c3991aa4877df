/* Files that end in their own sum. */
#define _XOPEN_SOURCE 700
#include "ckda/save.h"
#include "ckda/temporary.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static const char magic[8] = {'C', 'K', 'D', 'A', 's', 'a', 'v', 'e'};
enum { ORDER_MARK = 0x01020304 };

typedef struct {
    char magic[8], kind[8];
    uint32_t version, order_mark;
} head;

struct ckda_save {
    FILE *file;
    char *path, *name; /* name: of the new file beside it */
    XXH3_state_t *sum;
    int why;    /* errno of the first failure */
    int ticket; /* of the new file */
};

struct ckda_load {
    FILE *file;
    char *path;
    uint64_t left;
};

static ckda_status
io_error(ckda_error *err, const char *path, const char *what, int why)
{
    ckda_error_set(err, "%s: %s: %s", path, what, strerror(why));
    return CKDA_E_IO;
}

static void *
memory(size_t size)
{
    void *p = malloc(size);
    ckda_require_memory(p != NULL);
    return p;
}

static char *
copy_of(const char *text)
{
    char *copy = memory(strlen(text) + 1);
    return strcpy(copy, text);
}

static XXH3_state_t *
new_sum(void)
{
    XXH3_state_t *sum = XXH3_createState();
    ckda_require_memory(sum != NULL);
    XXH3_64bits_reset(sum);
    return sum;
}

/* ---- writing ------------------------------------------------------------------------ */

static void
note_failure(ckda_save *s, bool good)
{
    if (!good && s->why == 0)
        s->why = errno != 0 ? errno : EIO;
}

ckda_status
ckda_save_open(ckda_save **s, const char *path, const char kind[8], uint32_t version,
               ckda_error *err)
{
    const size_t size = strlen(path) + 48;
    char *name = memory(size);
    snprintf(name, size, "%s.%ld.tmp", path, (long)getpid());
    FILE *file = fopen(name, "wb");
    if (file == NULL) {
        const int why = errno;
        free(name);
        return io_error(err, path, "cannot be created", why);
    }
    const int ticket = ckda_temporary_add(name);
    ckda_save *new = memory(sizeof *new);
    *new = (ckda_save){.file = file,
                       .path = copy_of(path),
                       .name = name,
                       .sum = new_sum(),
                       .ticket = ticket};
    head h = {.version = version, .order_mark = ORDER_MARK};
    memcpy(h.magic, magic, sizeof magic);
    memcpy(h.kind, kind, sizeof h.kind);
    ckda_save_put(new, &h, sizeof h);
    *s = new;
    return CKDA_OK;
}

void
ckda_save_put(ckda_save *s, const void *data, size_t size)
{
    if (size == 0 || s->why != 0)
        return;
    XXH3_64bits_update(s->sum, data, size);
    errno = 0;
    note_failure(s, fwrite(data, 1, size, s->file) == size);
}

ckda_status
ckda_save_close(ckda_save **save, ckda_error *err)
{
    ckda_save *s = *save;
    const uint64_t sum = XXH3_64bits_digest(s->sum);
    errno = 0;
    if (s->why == 0)
        note_failure(s, fwrite(&sum, 1, sizeof sum, s->file) == sizeof sum
                            && fflush(s->file) == 0);
    if (s->why == 0) /* pipes and some file systems have nothing to flush to */
        note_failure(s,
                     fsync(fileno(s->file)) == 0 || errno == EINVAL || errno == ENOTSUP);
    const bool closed = fclose(s->file) == 0;
    note_failure(s, closed || s->why != 0);
    if (s->why == 0)
        note_failure(s, rename(s->name, s->path) == 0);
    const int why = s->why;
    if (why != 0) {
        unlink(s->name);
        io_error(err, s->path, "cannot be written", why);
    }
    ckda_temporary_forget(s->ticket);
    XXH3_freeState(s->sum);
    free(s->name);
    free(s->path);
    free(s);
    *save = NULL;
    return why == 0 ? CKDA_OK : CKDA_E_IO;
}

/* ---- reading ------------------------------------------------------------------------ */

ckda_status
ckda_load_fail(const ckda_load *l, const char *expected, const char *found,
               ckda_error *err)
{
    ckda_error_set(err, "%s: expected %s, found %s", l->path, expected, found);
    return CKDA_E_INPUT;
}

/* l->left is the size of the file up to its sum. */
static bool
sum_fits(ckda_load *l)
{
    enum { CHUNK = 1 << 16 };
    uint8_t *chunk = memory(CHUNK);
    XXH3_state_t *x = new_sum();
    uint64_t left = l->left, sum;
    bool good = true;
    while (good && left > 0) {
        const size_t size = left < CHUNK ? (size_t)left : CHUNK;
        good = fread(chunk, 1, size, l->file) == size;
        if (good)
            XXH3_64bits_update(x, chunk, size);
        left -= size;
    }
    good = good && fread(&sum, 1, sizeof sum, l->file) == sizeof sum
           && sum == XXH3_64bits_digest(x) && fseeko(l->file, 0, SEEK_SET) == 0;
    XXH3_freeState(x);
    free(chunk);
    return good;
}

static ckda_status
check_head(ckda_load *l, const char kind[8], uint32_t version, const char *what,
           ckda_error *err)
{
    head h;
    char want[48], found[48];
    if (!ckda_load_get(l, &h, sizeof h) || memcmp(h.magic, magic, sizeof magic) != 0)
        return ckda_load_fail(l, what, "another kind of file", err);
    if (h.order_mark != ORDER_MARK)
        return ckda_load_fail(l, "a file of this machine's byte order", "the other order",
                              err);
    if (memcmp(h.kind, kind, sizeof h.kind) != 0)
        return ckda_load_fail(l, what, "a saved search of another kind", err);
    snprintf(want, sizeof want, "version %" PRIu32 " of the format", version);
    snprintf(found, sizeof found, "version %" PRIu32, h.version);
    if (h.version != version)
        return ckda_load_fail(l, want, found, err);
    return CKDA_OK;
}

/* The size of a file that can be read more than once. */
static ckda_status
measure(ckda_load *l, const char *what, ckda_error *err)
{
    struct stat st;
    if (fstat(fileno(l->file), &st) != 0)
        return io_error(err, l->path, "cannot be read", errno);
    if (!S_ISREG(st.st_mode))
        return ckda_load_fail(l, what, "no regular file", err);
    if ((uint64_t)st.st_size < sizeof(head) + sizeof(uint64_t))
        return ckda_load_fail(l, what, "a shorter file", err);
    l->left = (uint64_t)st.st_size - sizeof(uint64_t);
    return CKDA_OK;
}

ckda_status
ckda_load_open(ckda_load **load, const char *path, const char kind[8], uint32_t version,
               const char *what, ckda_error *err)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return io_error(err, path, "cannot be opened", errno);
    ckda_load *l = memory(sizeof *l);
    *l = (ckda_load){.file = file, .path = copy_of(path)};
    ckda_status st = measure(l, what, err);
    const uint64_t size = l->left;
    if (st == CKDA_OK)
        st = check_head(l, kind, version, what, err);
    if (st == CKDA_OK) {
        rewind(file);
        l->left = size;
        if (!sum_fits(l))
            st = ckda_load_fail(l, "the sum that closes the file",
                                "a damaged file, or one cut short", err);
    }
    head h; /* read again, to stand behind it */
    if (st == CKDA_OK && !ckda_load_get(l, &h, sizeof h))
        st = io_error(err, path, "cannot be read", EIO);
    if (st != CKDA_OK)
        ckda_load_close(&l);
    else
        *load = l;
    return st;
}

uint64_t
ckda_load_left(const ckda_load *l)
{
    return l->left;
}

bool
ckda_load_get(ckda_load *l, void *data, size_t size)
{
    if (size > l->left || (size > 0 && fread(data, 1, size, l->file) != size))
        return false;
    l->left -= size;
    return true;
}

void
ckda_load_close(ckda_load **load)
{
    fclose((*load)->file);
    free((*load)->path);
    free(*load);
    *load = NULL;
}
