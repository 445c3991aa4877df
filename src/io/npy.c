/* .npy: the magic "\x93NUMPY", version, length of the header, a Python dictionary
 *
 *     {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
 *
 * and the numbers. */
#include <ctype.h>
#include <stdio.h>

#include "io_internal.h"
#include "tensor_internal.h"
#include "ckda/doc.h"

static const struct {
    const char *descr; /* what is written */
    ckda_dtype dtype;
} kinds[] = {
    {"|V2", CKDA_DTYPE_BF16}, {"<f2", CKDA_DTYPE_F16}, {"<f4", CKDA_DTYPE_F32},
    {"<f8", CKDA_DTYPE_F64},  {"|i1", CKDA_DTYPE_I8},  {"<i2", CKDA_DTYPE_I16},
    {"<i4", CKDA_DTYPE_I32},  {"<i8", CKDA_DTYPE_I64}, {"|u1", CKDA_DTYPE_U8},
    {"|b1", CKDA_DTYPE_BOOL}, {"<u4", CKDA_DTYPE_U32},
};

bool
npy_recognise(const file_bytes *f)
{
    return f->size >= 6 && memcmp(f->bytes, "\x93NUMPY", 6) == 0;
}

/* ---- the dictionary ---------------------------------------------------------------- */

typedef struct {
    const char *begin, *at, *end;
    const file_bytes *file;
    ckda_error *err;
} cursor;

typedef struct {
    bool has_descr, has_order, has_shape;
    ckda_dtype dtype;
    int ndim;
    uint64_t shape[CKDA_TENSOR_DIMS];
} header;

static ckda_status
expected(const cursor *c, const char *what)
{
    char found[24];
    int n = 0;
    for (const char *p = c->at; p < c->end && n < 20; p++)
        found[n++] = isprint((unsigned char)*p) ? *p : ' ';
    found[n] = '\0';
    ckda_error_set(c->err, "%s: header, column %zu: expected %s, found %s%s%s",
                   c->file->path, (size_t)(c->at - c->begin) + 1, what,
                   n > 0 ? "\"" : "its end", found, n > 0 ? "\"" : "");
    return CKDA_E_INPUT;
}

static void
skip_blanks(cursor *c)
{
    while (c->at < c->end && isspace((unsigned char)*c->at))
        c->at++;
}

static bool
take(cursor *c, char want)
{
    skip_blanks(c);
    if (c->at == c->end || *c->at != want)
        return false;
    c->at++;
    return true;
}

/* A quoted text of at most 31 bytes without escapes. */
static ckda_status
quoted(char text[32], cursor *c, const char *what)
{
    skip_blanks(c);
    const char *start = c->at;
    if (c->at == c->end || (*c->at != '\'' && *c->at != '"'))
        return expected(c, what);
    const char mark = *c->at++;
    size_t n = 0;
    while (c->at < c->end && *c->at != mark && n < 31)
        text[n++] = *c->at++;
    text[n] = '\0';
    if (c->at == c->end || *c->at != mark) {
        c->at = start;
        return expected(c, what);
    }
    c->at++;
    return CKDA_OK;
}

static ckda_status
read_descr(header *h, cursor *c)
{
    char text[32];
    const char *start = c->at;
    const ckda_status st = quoted(text, c, "a dtype such as '<f4'");
    if (st != CKDA_OK)
        return st;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        /* one byte has no order, and two bytes of void are taken as they are */
        const bool marked =
            strchr(kinds[i].descr[0] == '|' ? "|<=" : "<", text[0]) != NULL;
        if (text[0] != '\0' && marked && strcmp(text + 1, kinds[i].descr + 1) == 0) {
            h->dtype = kinds[i].dtype;
            h->has_descr = true;
            return CKDA_OK;
        }
    }
    c->at = start;
    return expected(c, text[0] == '>'
                           ? "little-endian numbers"
                           : "one of '<f2', '<f4', '<f8', '|i1', '<i2', '<i4', '<i8', "
                             "'|u1', '|b1', '|V2' (bf16)");
}

static ckda_status
read_order(header *h, cursor *c)
{
    skip_blanks(c);
    if (c->end - c->at >= 5 && memcmp(c->at, "False", 5) == 0) {
        c->at += 5;
        h->has_order = true;
        return CKDA_OK;
    }
    return expected(
        c, "fortran_order False (C order; numpy.ascontiguousarray before saving)");
}

static ckda_status
read_shape(header *h, cursor *c)
{
    if (!take(c, '('))
        return expected(c, "a shape such as (3, 4)");
    h->ndim = 0;
    while (!take(c, ')')) {
        uint64_t n = 0;
        if (c->at == c->end || !isdigit((unsigned char)*c->at))
            return expected(c, "a length");
        if (h->ndim == CKDA_TENSOR_DIMS)
            return expected(c, "at most 8 dimensions");
        for (; c->at < c->end && isdigit((unsigned char)*c->at); c->at++) {
            if (n > UINT64_MAX / 10 - 1)
                return expected(c, "a length below 2^60");
            n = 10 * n + (uint64_t)(*c->at - '0');
        }
        h->shape[h->ndim++] = n;
        if (!take(c, ',') && (c->at == c->end || *c->at != ')'))
            return expected(c, "',' or ')'");
    }
    h->has_shape = true;
    return CKDA_OK;
}

static ckda_status
read_member(header *h, cursor *c)
{
    char key[32];
    const char *start = c->at;
    const ckda_status st = quoted(key, c, "'descr', 'fortran_order' or 'shape'");
    if (st != CKDA_OK)
        return st;
    if (!take(c, ':'))
        return expected(c, "':'");
    skip_blanks(c);
    if (strcmp(key, "descr") == 0 && !h->has_descr)
        return read_descr(h, c);
    if (strcmp(key, "fortran_order") == 0 && !h->has_order)
        return read_order(h, c);
    if (strcmp(key, "shape") == 0 && !h->has_shape)
        return read_shape(h, c);
    c->at = start;
    return expected(c, "'descr', 'fortran_order' and 'shape', each once");
}

static ckda_status
read_header(header *h, cursor *c)
{
    *h = (header){0};
    if (!take(c, '{'))
        return expected(c, "'{'");
    while (!take(c, '}')) {
        const ckda_status st = read_member(h, c);
        if (st != CKDA_OK)
            return st;
        if (!take(c, ',') && (c->at == c->end || *c->at != '}'))
            return expected(c, "',' or '}'");
    }
    skip_blanks(c);
    if (c->at < c->end)
        return expected(c, "the end of the header");
    if (!h->has_descr || !h->has_order || !h->has_shape)
        return expected(c, "descr, fortran_order and shape before the end");
    return CKDA_OK;
}

/* ---- the file ---------------------------------------------------------------------- */

/* "dir/o.fast.npy" -> "o.fast" */
static char *
tensor_name(const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path;
    size_t n = strlen(base);
    if (n > 4 && strcmp(base + n - 4, ".npy") == 0)
        n -= 4;
    return copy_text(base, n);
}

/* Where the dictionary stands. */
static ckda_status
find_header(size_t *start, size_t *len, const file_bytes *f, ckda_error *err)
{
    const unsigned version = f->size >= 8 ? f->bytes[6] : 0;
    const size_t width = version == 1 ? 2 : 4;
    if (f->size < 8 + width) {
        ckda_error_set(err, "%s: expected a .npy header, found %zu bytes in all", f->path,
                       f->size);
        return CKDA_E_INPUT;
    }
    if (version < 1 || version > 3 || f->bytes[7] != 0) {
        ckda_error_set(err, "%s: expected .npy version 1.0, 2.0 or 3.0, found %u.%u",
                       f->path, version, (unsigned)f->bytes[7]);
        return CKDA_E_INPUT;
    }
    const uint64_t n = little_endian(f->bytes + 8, width);
    *start = 8 + width;
    if (n > f->size - *start) {
        ckda_error_set(err,
                       "%s: expected a header of at most %zu bytes, found length %llu",
                       f->path, f->size - *start, (unsigned long long)n);
        return CKDA_E_INPUT;
    }
    *len = (size_t)n;
    return CKDA_OK;
}

ckda_status
npy_read(ckda_tensors *ts, const file_bytes *f, ckda_error *err)
{
    size_t start, len;
    header h;
    uint64_t count;
    ckda_status st = find_header(&start, &len, f, err);
    if (st != CKDA_OK)
        return st;
    const char *text = (const char *)f->bytes + start;
    cursor c = {text, text, text + len, f, err};
    st = read_header(&h, &c);
    if (st != CKDA_OK)
        return st;
    const size_t data = f->size - start - len;
    if (!tensor_count(&count, h.dtype, h.ndim, h.shape, data)
        || count * ckda_dtype_bytes(h.dtype) != data) {
        ckda_error_set(err, "%s: expected the bytes of the shape and dtype, found %zu",
                       f->path, data);
        return CKDA_E_INPUT;
    }
    char *name = tensor_name(f->path);
    st = tensor_add_from(ts, f->path, name, h.dtype, h.ndim, h.shape,
                         f->bytes + start + len, err);
    free(name);
    return st;
}

/* ---- writing ----------------------------------------------------------------------- */

ckda_status
ckda_npy_write(const char *path, const ckda_tensor *t, ckda_error *err)
{
    char dict[512];
    const char *descr = "";
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i].dtype == t->dtype)
            descr = kinds[i].descr;
    int n = snprintf(dict, sizeof dict,
                     "{'descr': '%s', 'fortran_order': False, 'shape': (", descr);
    for (int i = 0; i < t->ndim; i++)
        n += snprintf(dict + n, sizeof dict - (size_t)n, "%llu,%s",
                      (unsigned long long)t->shape[i], i + 1 < t->ndim ? " " : "");
    n += snprintf(dict + n, sizeof dict - (size_t)n, "), }");
    const size_t head = ((size_t)n + 11 + 63) / 64 * 64; /* ends with a newline */
    const size_t size = (size_t)t->count * ckda_dtype_bytes(t->dtype);
    char *all = checked_realloc(NULL, head + size, 1);
    memset(all, ' ', head);
    memcpy(all, "\x93NUMPY\x01\x00", 8);
    all[8] = (char)(unsigned char)((head - 10) & 0xff);
    all[9] = (char)(unsigned char)((head - 10) >> 8);
    memcpy(all + 10, dict, (size_t)n);
    all[head - 1] = '\n';
    if (size > 0)
        memcpy(all + head, t->bytes, size);
    const ckda_status st = ckda_file_write(path, all, head + size, err);
    free(all);
    return st;
}
