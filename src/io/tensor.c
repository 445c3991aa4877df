/* Collections of tensors, and which reader a path asks for. */
#define _XOPEN_SOURCE 700
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io_internal.h"
#include "tensor_internal.h"
#include "ckda/doc.h"

static const struct {
    const char *name;
    size_t bytes;
} dtypes[CKDA_DTYPES] = {
    [CKDA_DTYPE_BF16] = {"BF16", 2}, [CKDA_DTYPE_F16] = {"F16", 2},
    [CKDA_DTYPE_F32] = {"F32", 4},   [CKDA_DTYPE_F64] = {"F64", 8},
    [CKDA_DTYPE_I8] = {"I8", 1},     [CKDA_DTYPE_I16] = {"I16", 2},
    [CKDA_DTYPE_I32] = {"I32", 4},   [CKDA_DTYPE_I64] = {"I64", 8},
    [CKDA_DTYPE_U8] = {"U8", 1},     [CKDA_DTYPE_BOOL] = {"BOOL", 1},
    [CKDA_DTYPE_U32] = {"U32", 4},
};

const char *
ckda_dtype_name(ckda_dtype d)
{
    return dtypes[d].name;
}

size_t
ckda_dtype_bytes(ckda_dtype d)
{
    return dtypes[d].bytes;
}

uint64_t
ckda_tensor_bits(const ckda_tensor *t, uint64_t i)
{
    ckda_require(i < t->count, "number %llu of %llu", (unsigned long long)i,
                 (unsigned long long)t->count);
    const size_t n = dtypes[t->dtype].bytes;
    return little_endian(t->bytes + i * n, n);
}

bool
tensor_count(uint64_t *count, ckda_dtype dtype, int ndim, const uint64_t *shape,
             uint64_t most)
{
    uint64_t n = 1;
    bool empty = false;
    for (int i = 0; i < ndim; i++)
        empty = empty || shape[i] == 0;
    for (int i = 0; i < ndim && !empty; i++) {
        if (shape[i] > most / n)
            return false;
        n *= shape[i];
    }
    *count = empty ? 0 : n;
    return empty || n <= most / dtypes[dtype].bytes;
}

/* ---- collections ------------------------------------------------------------------- */

void
ckda_tensors_init(ckda_tensors *ts)
{
    *ts = (ckda_tensors){0};
}

/* Back to n tensors and m metadata. */
static void
cut(ckda_tensors *ts, size_t n, size_t m)
{
    while (ts->ntensors > n) {
        ts->ntensors--;
        free(ts->tensor[ts->ntensors].name);
        free(ts->tensor[ts->ntensors].bytes);
    }
    while (ts->nmeta > m) {
        ts->nmeta--;
        free(ts->meta[ts->nmeta].key);
        free(ts->meta[ts->nmeta].value);
    }
}

void
ckda_tensors_clear(ckda_tensors *ts)
{
    cut(ts, 0, 0);
    free(ts->tensor);
    free(ts->meta);
    *ts = (ckda_tensors){0};
}

const ckda_tensor *
ckda_tensors_find(const ckda_tensors *ts, const char *name)
{
    for (size_t i = 0; i < ts->ntensors; i++)
        if (strcmp(ts->tensor[i].name, name) == 0)
            return &ts->tensor[i];
    return NULL;
}

static ckda_metadatum *
find_meta(const ckda_tensors *ts, const char *key)
{
    for (size_t i = 0; i < ts->nmeta; i++)
        if (strcmp(ts->meta[i].key, key) == 0)
            return &ts->meta[i];
    return NULL;
}

const char *
ckda_tensors_meta(const ckda_tensors *ts, const char *key)
{
    const ckda_metadatum *m = find_meta(ts, key);
    return m != NULL ? m->value : NULL;
}

void
ckda_tensors_set_meta(ckda_tensors *ts, const char *key, const char *value)
{
    ckda_metadatum *m = find_meta(ts, key);
    if (m != NULL) {
        char *copy = copy_text(value, strlen(value));
        free(m->value);
        m->value = copy;
        return;
    }
    ts->meta = checked_realloc(ts->meta, ts->nmeta + 1, sizeof *ts->meta);
    ts->meta[ts->nmeta++] =
        (ckda_metadatum){copy_text(key, strlen(key)), copy_text(value, strlen(value))};
}

ckda_status
ckda_tensors_add(ckda_tensors *ts, const char *name, ckda_dtype dtype, int ndim,
                 const uint64_t *shape, const void *bytes, ckda_error *err)
{
    uint64_t count;
    if (name[0] == '\0' || strcmp(name, "__metadata__") == 0) {
        ckda_error_set(err, "tensor \"%s\": expected another name", name);
        return CKDA_E_INPUT;
    }
    if (ckda_tensors_find(ts, name) != NULL) {
        ckda_error_set(err, "tensor \"%.200s\": expected one of that name, found two",
                       name);
        return CKDA_E_INPUT;
    }
    if (ndim < 0 || ndim > CKDA_TENSOR_DIMS) {
        ckda_error_set(err, "tensor \"%.200s\": expected at most %d dimensions, found %d",
                       name, CKDA_TENSOR_DIMS, ndim);
        return CKDA_E_INPUT;
    }
    if (!tensor_count(&count, dtype, ndim, shape, SIZE_MAX / 4)) {
        ckda_error_set(err, "tensor \"%.200s\": the shape has too many numbers", name);
        return CKDA_E_INPUT;
    }
    const size_t size = (size_t)count * dtypes[dtype].bytes;
    ckda_tensor t = {.name = copy_text(name, strlen(name)),
                     .dtype = dtype,
                     .ndim = ndim,
                     .count = count,
                     .bytes = checked_realloc(NULL, size, 1)};
    for (int i = 0; i < ndim; i++)
        t.shape[i] = shape[i];
    if (size > 0 && bytes != NULL)
        memcpy(t.bytes, bytes, size);
    else if (size > 0)
        memset(t.bytes, 0, size);
    ts->tensor = checked_realloc(ts->tensor, ts->ntensors + 1, sizeof *ts->tensor);
    ts->tensor[ts->ntensors++] = t;
    return CKDA_OK;
}

ckda_status
tensor_add_from(ckda_tensors *ts, const char *path, const char *name, ckda_dtype dtype,
                int ndim, const uint64_t *shape, const void *bytes, ckda_error *err)
{
    const ckda_status st = ckda_tensors_add(ts, name, dtype, ndim, shape, bytes, err);
    if (st != CKDA_OK)
        ckda_error_prefix(err, path);
    return st;
}

/* ---- reading ----------------------------------------------------------------------- */

static ckda_status
io_error(ckda_error *err, const char *path, const char *what)
{
    ckda_error_set(err, "%s: %s: %s", path, what, strerror(errno));
    return CKDA_E_IO;
}

static ckda_status
fill(file_bytes *f, int fd, ckda_error *err)
{
    size_t used = 0;
    while (used < f->size) {
        const ssize_t got = read(fd, f->bytes + used, f->size - used);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return io_error(err, f->path, "cannot be read");
        if (got == 0) {
            ckda_error_set(err, "%s: expected %zu bytes, found %zu (it shrank)", f->path,
                           f->size, used);
            return CKDA_E_IO;
        }
        used += (size_t)got;
    }
    return CKDA_OK;
}

static ckda_status
load(file_bytes *f, const char *path, ckda_error *err)
{
    struct stat s;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return io_error(err, path, "cannot be opened");
    if (fstat(fd, &s) != 0 || !S_ISREG(s.st_mode)) {
        close(fd);
        ckda_error_set(err, "%s: expected a regular file or a folder", path);
        return CKDA_E_IO;
    }
    *f = (file_bytes){.path = path, .size = (size_t)s.st_size};
    f->bytes = malloc(f->size > 0 ? f->size : 1);
    ckda_status st = CKDA_OK;
    if (f->bytes == NULL) {
        ckda_error_set(err, "%s: no memory for %zu bytes", path, f->size);
        st = CKDA_E_UNABLE;
    } else {
        st = fill(f, fd, err);
    }
    close(fd);
    if (st != CKDA_OK) {
        free(f->bytes);
        f->bytes = NULL;
    }
    return st;
}

static ckda_status
read_file(ckda_tensors *ts, const char *path, ckda_error *err)
{
    file_bytes f;
    ckda_status st = load(&f, path, err);
    if (st != CKDA_OK)
        return st;
    st = npy_recognise(&f) ? npy_read(ts, &f, err) : safetensors_read(ts, &f, err);
    free(f.bytes);
    return st;
}

ckda_status
tensor_read_metadata(ckda_tensors *ts, const char *path, ckda_error *err)
{
    ckda_doc *doc = NULL;
    ckda_status st = ckda_doc_open(&doc, path, err);
    if (st != CKDA_OK)
        return st;
    ckda_node root = ckda_doc_root(doc), m;
    if (!json_is_object(root.json))
        st = ckda_node_fail(&root, err, "an object of strings", NULL);
    for (bool more = st == CKDA_OK && ckda_node_first(&m, &root); st == CKDA_OK && more;
         more = ckda_node_next(&m)) {
        const char *text;
        st = ckda_node_string(&text, &m, err);
        if (st == CKDA_OK)
            ckda_tensors_set_meta(ts, m.key, text);
    }
    ckda_doc_close(&doc);
    return st;
}

static int
wanted(const struct dirent *e)
{
    const size_t n = strlen(e->d_name);
    return e->d_name[0] != '.'
           && ((n > 4 && strcmp(e->d_name + n - 4, ".npy") == 0)
               || strcmp(e->d_name, "metadata.json") == 0);
}

static ckda_status
read_folder(ckda_tensors *ts, const char *path, ckda_error *err)
{
    struct dirent **entry;
    const int n = scandir(path, &entry, wanted, alphasort);
    if (n < 0)
        return io_error(err, path, "cannot be read");
    ckda_status st = CKDA_OK;
    if (n == 0) {
        ckda_error_set(err, "%s: expected .npy files in the folder, found none", path);
        st = CKDA_E_INPUT;
    }
    for (int i = 0; i < n; i++) {
        const size_t room = strlen(path) + strlen(entry[i]->d_name) + 2;
        char *full = checked_realloc(NULL, room, 1);
        snprintf(full, room, "%s/%s", path, entry[i]->d_name);
        if (st == CKDA_OK)
            st = strcmp(entry[i]->d_name, "metadata.json") == 0
                     ? tensor_read_metadata(ts, full, err)
                     : read_file(ts, full, err);
        free(full);
        free(entry[i]);
    }
    free(entry);
    return st;
}

/* Metadata of `from` into ts; two different values are refused before anything moves. */
static ckda_status
merge_metadata(ckda_tensors *ts, const ckda_tensors *from, const char *path,
               ckda_error *err)
{
    for (size_t i = 0; i < from->nmeta; i++) {
        const char *old = ckda_tensors_meta(ts, from->meta[i].key);
        if (old != NULL && strcmp(old, from->meta[i].value) != 0) {
            ckda_error_set(err,
                           "%s: metadata \"%.100s\": expected \"%.100s\" as in the other "
                           "file, found \"%.100s\"",
                           path, from->meta[i].key, old, from->meta[i].value);
            return CKDA_E_INPUT;
        }
    }
    for (size_t i = 0; i < from->nmeta; i++)
        ckda_tensors_set_meta(ts, from->meta[i].key, from->meta[i].value);
    return CKDA_OK;
}

ckda_status
ckda_tensors_read(ckda_tensors *ts, const char *path, ckda_error *err)
{
    struct stat s;
    ckda_tensors fresh;
    ckda_tensors_init(&fresh);
    ckda_status st = stat(path, &s) == 0 && S_ISDIR(s.st_mode)
                         ? read_folder(&fresh, path, err)
                         : read_file(&fresh, path, err);
    for (size_t i = 0; st == CKDA_OK && i < fresh.ntensors; i++)
        if (ckda_tensors_find(ts, fresh.tensor[i].name) != NULL) {
            ckda_error_set(err,
                           "%s: tensor \"%.200s\": expected one of that name, found "
                           "another in an earlier file",
                           path, fresh.tensor[i].name);
            st = CKDA_E_INPUT;
        }
    if (st == CKDA_OK)
        st = merge_metadata(ts, &fresh, path, err);
    if (st == CKDA_OK && fresh.ntensors > 0) {
        ts->tensor = checked_realloc(ts->tensor, ts->ntensors + fresh.ntensors,
                                     sizeof *ts->tensor);
        memcpy(ts->tensor + ts->ntensors, fresh.tensor,
               fresh.ntensors * sizeof *fresh.tensor);
        ts->ntensors += fresh.ntensors;
        fresh.ntensors = 0; /* moved */
    }
    ckda_tensors_clear(&fresh);
    return st;
}
