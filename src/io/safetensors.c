/* safetensors: 8 bytes length (little endian), a JSON header, then the data.
 *
 *     {"name": {"dtype": "BF16", "shape": [..], "data_offsets": [begin, end]}, ...,
 *      "__metadata__": {"key": "text", ...}}
 *
 * Offsets count from the end of the header; the tensors cover the data completely. */
#include <limits.h>
#include <stdio.h>

#include "io_internal.h"
#include "tensor_internal.h"
#include "ckda/doc.h"

enum { HEADER_MAX = 100000000 }; /* as in the reference implementation */

typedef struct {
    uint64_t begin, end;
    const char *name; /* points into the JSON tree */
} extent;

static ckda_status
bad(const file_bytes *f, ckda_error *err, const char *what)
{
    ckda_error_set(err, "%s: %s", f->path, what);
    return CKDA_E_INPUT;
}

/* ---- one member -------------------------------------------------------------------- */

static ckda_status
read_dtype(ckda_dtype *d, const ckda_node *in, ckda_error *err)
{
    ckda_node at;
    const char *name;
    ckda_status st = ckda_node_member(&at, in, "dtype", err);
    if (st == CKDA_OK)
        st = ckda_node_string(&name, &at, err);
    if (st != CKDA_OK)
        return st;
    for (int i = 0; i < CKDA_DTYPES; i++)
        if (strcmp(ckda_dtype_name((ckda_dtype)i), name) == 0) {
            *d = (ckda_dtype)i;
            return CKDA_OK;
        }
    return ckda_node_fail(
        &at, err, "one of BF16, F16, F32, F64, I8, I16, I32, I64, U8, BOOL", NULL);
}

static ckda_status
read_shape(int *ndim, uint64_t *shape, const ckda_node *in, ckda_error *err)
{
    ckda_node at, item;
    size_t n;
    ckda_status st = ckda_node_member(&at, in, "shape", err);
    if (st == CKDA_OK)
        st = ckda_node_size(&n, &at, err);
    if (st == CKDA_OK && n > CKDA_TENSOR_DIMS)
        return ckda_node_fail(&at, err, "at most 8 dimensions", NULL);
    for (size_t i = 0; st == CKDA_OK && i < n; i++) {
        long d = 0;
        st = ckda_node_item(&item, &at, i, err);
        if (st == CKDA_OK)
            st = ckda_node_long(&d, &item, 0, LONG_MAX, err);
        shape[i] = (uint64_t)d;
    }
    if (st == CKDA_OK)
        *ndim = (int)n;
    return st;
}

/* begin <= end <= size of the data. */
static ckda_status
read_extent(extent *x, const ckda_node *in, uint64_t size, ckda_error *err)
{
    ckda_node at, item;
    size_t n;
    long v[2] = {0, 0};
    ckda_status st = ckda_node_member(&at, in, "data_offsets", err);
    if (st == CKDA_OK)
        st = ckda_node_size(&n, &at, err);
    if (st == CKDA_OK && n != 2)
        return ckda_node_fail(&at, err, "two offsets", NULL);
    for (size_t i = 0; st == CKDA_OK && i < 2; i++) {
        st = ckda_node_item(&item, &at, i, err);
        if (st == CKDA_OK)
            st = ckda_node_long(&v[i], &item, i == 0 ? 0 : v[0], (long)size, err);
    }
    if (st == CKDA_OK)
        *x = (extent){.begin = (uint64_t)v[0], .end = (uint64_t)v[1], .name = in->key};
    return st;
}

static ckda_status
read_tensor(ckda_tensors *ts, extent *x, const ckda_node *in, const unsigned char *data,
            uint64_t size, const file_bytes *f, ckda_error *err)
{
    static const char *const known[] = {"dtype", "shape", "data_offsets"};
    ckda_dtype d = CKDA_DTYPE_BF16;
    int ndim = 0;
    uint64_t shape[CKDA_TENSOR_DIMS], count;
    char found[96];
    if (!json_is_object(in->json))
        return ckda_node_fail(in, err, "an object with dtype, shape, data_offsets", NULL);
    ckda_status st = ckda_node_only(in, known, 3, err);
    if (st == CKDA_OK)
        st = read_dtype(&d, in, err);
    if (st == CKDA_OK)
        st = read_shape(&ndim, shape, in, err);
    if (st == CKDA_OK)
        st = read_extent(x, in, size, err);
    if (st != CKDA_OK)
        return st;
    if (!tensor_count(&count, d, ndim, shape, size)) {
        snprintf(found, sizeof found, "a shape that needs more than the %llu in the file",
                 (unsigned long long)size);
        return ckda_node_fail(in, err, "no more bytes than the file has", found);
    }
    if (count * ckda_dtype_bytes(d) != x->end - x->begin) {
        char expected[96];
        snprintf(expected, sizeof expected,
                 "data_offsets %llu bytes apart (shape, dtype)",
                 (unsigned long long)count * ckda_dtype_bytes(d));
        snprintf(found, sizeof found, "%llu", (unsigned long long)(x->end - x->begin));
        return ckda_node_fail(in, err, expected, found);
    }
    return tensor_add_from(ts, f->path, in->key, d, ndim, shape, data + x->begin, err);
}

static ckda_status
read_meta(ckda_tensors *ts, const ckda_node *in, ckda_error *err)
{
    ckda_node m;
    if (!json_is_object(in->json))
        return ckda_node_fail(in, err, "an object of strings", NULL);
    for (bool more = ckda_node_first(&m, in); more; more = ckda_node_next(&m)) {
        const char *text;
        const ckda_status st = ckda_node_string(&text, &m, err);
        if (st != CKDA_OK)
            return st;
        ckda_tensors_set_meta(ts, m.key, text);
    }
    return CKDA_OK;
}

/* ---- the whole --------------------------------------------------------------------- */

static int
by_place(const void *a, const void *b)
{
    const extent *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return x->end < y->end ? -1 : x->end > y->end;
}

static ckda_status
check_cover(extent *x, size_t n, uint64_t size, const file_bytes *f, ckda_error *err)
{
    uint64_t at = 0;
    if (n > 0)
        qsort(x, n, sizeof *x, by_place);
    for (size_t i = 0; i < n; i++) {
        if (x[i].begin != at) {
            ckda_error_set(
                err,
                "%s: %.200s.data_offsets: expected to begin at %llu, found %llu (%s)",
                f->path, x[i].name, (unsigned long long)at,
                (unsigned long long)x[i].begin,
                x[i].begin < at ? "tensors overlap" : "a gap");
            return CKDA_E_INPUT;
        }
        at = x[i].end;
    }
    if (at != size) {
        ckda_error_set(err, "%s: expected %llu bytes of data (data_offsets), found %llu",
                       f->path, (unsigned long long)at, (unsigned long long)size);
        return CKDA_E_INPUT;
    }
    return CKDA_OK;
}

static ckda_status
read_members(ckda_tensors *ts, const ckda_doc *doc, const unsigned char *data,
             uint64_t size, const file_bytes *f, ckda_error *err)
{
    ckda_node root = ckda_doc_root(doc), m;
    if (!json_is_object(root.json))
        return ckda_node_fail(&root, err, "an object of tensors", NULL);
    const size_t most = json_object_size(root.json);
    extent *x = checked_realloc(NULL, most, sizeof *x);
    size_t n = 0;
    ckda_status st = CKDA_OK;
    for (bool more = ckda_node_first(&m, &root); st == CKDA_OK && more;
         more = ckda_node_next(&m)) {
        if (strcmp(m.key, "__metadata__") == 0)
            st = read_meta(ts, &m, err);
        else
            st = read_tensor(ts, &x[n++], &m, data, size, f, err);
    }
    if (st == CKDA_OK)
        st = check_cover(x, n, size, f, err);
    free(x);
    return st;
}

ckda_status
safetensors_read(ckda_tensors *ts, const file_bytes *f, ckda_error *err)
{
    if (f->size < 8)
        return bad(f, err,
                   "expected a .npy or .safetensors file, found fewer than 8 bytes");
    const uint64_t len = little_endian(f->bytes, 8);
    if (len > f->size - 8 || len > HEADER_MAX) {
        ckda_error_set(err,
                       "%s: bytes 0-7: expected the length of a header within the %zu "
                       "bytes that follow (or a .npy file), found %llu",
                       f->path, f->size - 8, (unsigned long long)len);
        return CKDA_E_INPUT;
    }
    if (len == 0 || f->bytes[8] != '{')
        return bad(f, err, "byte 8: expected the '{' of a safetensors header");
    ckda_doc *doc = NULL;
    ckda_status st =
        ckda_doc_parse_bytes(&doc, (const char *)f->bytes + 8, (size_t)len, f->path, err);
    if (st != CKDA_OK)
        return st;
    st = read_members(ts, doc, f->bytes + 8 + len, f->size - 8 - len, f, err);
    ckda_doc_close(&doc);
    return st;
}

/* ---- writing ----------------------------------------------------------------------- */

static int
by_size_then_name(const void *a, const void *b)
{
    const ckda_tensor *x = *(const ckda_tensor *const *)a,
                      *y = *(const ckda_tensor *const *)b;
    const size_t p = ckda_dtype_bytes(x->dtype), q = ckda_dtype_bytes(y->dtype);
    return p != q ? (p > q ? -1 : 1) : strcmp(x->name, y->name);
}

static void
put(json_t *object, const char *key, json_t *value)
{
    const int failed = json_object_set_new(object, key, value);
    ckda_require(failed == 0, "\"%s\" is not UTF-8, or out of memory", key);
}

static json_t *
describe(const ckda_tensor *t, uint64_t begin)
{
    json_t *o = json_object(), *shape = json_array();
    const uint64_t size = t->count * ckda_dtype_bytes(t->dtype);
    for (int i = 0; i < t->ndim; i++)
        json_array_append_new(shape, json_integer((json_int_t)t->shape[i]));
    put(o, "dtype", json_string(ckda_dtype_name(t->dtype)));
    put(o, "shape", shape);
    put(o, "data_offsets",
        json_pack("[I,I]", (json_int_t)begin, (json_int_t)begin + (json_int_t)size));
    return o;
}

/* The header as text, padded with blanks, and the size of the data. */
static char *
header(size_t *len, uint64_t *data, const ckda_tensor *const *order,
       const ckda_tensors *ts)
{
    json_t *root = json_object();
    if (ts->nmeta > 0) {
        json_t *meta = json_object();
        for (size_t i = 0; i < ts->nmeta; i++)
            put(meta, ts->meta[i].key, json_string(ts->meta[i].value));
        put(root, "__metadata__", meta);
    }
    *data = 0;
    for (size_t i = 0; i < ts->ntensors; i++) {
        put(root, order[i]->name, describe(order[i], *data));
        *data += order[i]->count * ckda_dtype_bytes(order[i]->dtype);
    }
    char *text = json_dumps(root, JSON_COMPACT);
    ckda_require_memory(text != NULL);
    json_decref(root);
    const size_t n = strlen(text), padded = (n + 7) / 8 * 8;
    text = checked_realloc(text, padded + 1, 1);
    memset(text + n, ' ', padded - n);
    text[padded] = '\0';
    *len = padded;
    return text;
}

ckda_status
ckda_safetensors_write(const char *path, const ckda_tensors *ts, ckda_error *err)
{
    const ckda_tensor **order = checked_realloc(NULL, ts->ntensors, sizeof *order);
    for (size_t i = 0; i < ts->ntensors; i++)
        order[i] = &ts->tensor[i];
    if (ts->ntensors > 0)
        qsort(order, ts->ntensors, sizeof *order, by_size_then_name);
    size_t len;
    uint64_t data;
    char *head = header(&len, &data, order, ts);
    char *all = checked_realloc(NULL, 8 + len + (size_t)data, 1), *at = all;
    for (int i = 0; i < 8; i++)
        *at++ = (char)(unsigned char)((uint64_t)len >> (8 * i) & 0xff);
    memcpy(at, head, len);
    at += len;
    for (size_t i = 0; i < ts->ntensors; i++) {
        const size_t size = (size_t)order[i]->count * ckda_dtype_bytes(order[i]->dtype);
        if (size > 0)
            memcpy(at, order[i]->bytes, size);
        at += size;
    }
    const ckda_status st = ckda_file_write(path, all, (size_t)(at - all), err);
    free(all);
    free(head);
    free(order);
    return st;
}
