/* Tensors in files, and traces made of them. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ckda/tensor.h"
#include "ckda/trace.h"

static bool
same_tensor(const ckda_tensor *a, const ckda_tensor *b)
{
    return strcmp(a->name, b->name) == 0 && a->dtype == b->dtype && a->ndim == b->ndim
           && memcmp(a->shape, b->shape, (size_t)a->ndim * sizeof *a->shape) == 0
           && a->count == b->count
           && (a->count == 0
               || memcmp(a->bytes, b->bytes, a->count * ckda_dtype_bytes(a->dtype)) == 0);
}

/* Every bit of every tensor can be read. */
static void
touch(const ckda_tensors *ts)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < ts->ntensors; i++) {
        const ckda_tensor *t = ts->tensor + i;
        fuzz_check(ckda_tensors_find(ts, t->name) == t, "two tensors \"%s\"", t->name);
        uint64_t count = 1;
        for (int d = 0; d < t->ndim; d++)
            count *= t->shape[d];
        fuzz_check(count == t->count, "tensor \"%s\"", t->name);
        for (uint64_t k = 0; k < t->count; k++)
            sum ^= ckda_tensor_bits(t, k);
    }
    fuzz_check(sum != 1 || sum == 1, "only so that it is computed");
}

static bool
read_path(ckda_tensors *ts, const char *path)
{
    ckda_error err = {""};
    ckda_tensors_init(ts);
    const bool ok = fuzz_read(ckda_tensors_read(ts, path, &err), &err, fuzz_folder());
    fuzz_check(ok || (ts->ntensors == 0 && ts->nmeta == 0), "a refused file left things");
    if (ok)
        touch(ts);
    return ok;
}

/* ---- .safetensors ------------------------------------------------------------------------- */

static void
safetensors_again(const ckda_tensors *ts)
{
    ckda_error err = {""};
    ckda_tensors again;
    const char *path = fuzz_path(0, "again.safetensors");
    fuzz_check(ckda_safetensors_write(path, ts, &err) == CKDA_OK, "%s", err.text);
    ckda_tensors_init(&again);
    fuzz_check(ckda_tensors_read(&again, path, &err) == CKDA_OK, "%s", err.text);
    fuzz_check(again.ntensors == ts->ntensors && again.nmeta == ts->nmeta,
               "%zu tensors and %zu metadata, not %zu and %zu", again.ntensors,
               again.nmeta, ts->ntensors, ts->nmeta);
    for (size_t i = 0; i < ts->ntensors; i++) {
        const ckda_tensor *t = ckda_tensors_find(&again, ts->tensor[i].name);
        fuzz_check(t != NULL && same_tensor(t, ts->tensor + i), "tensor %zu", i);
    }
    for (size_t i = 0; i < ts->nmeta; i++) {
        const char *value = ckda_tensors_meta(&again, ts->meta[i].key);
        fuzz_check(value != NULL && strcmp(value, ts->meta[i].value) == 0,
                   "metadatum %zu", i);
    }
    ckda_tensors_clear(&again);
}

bool
fuzz_safetensors(const uint8_t *data, size_t size)
{
    ckda_tensors ts;
    const char *path = fuzz_path(1, "x.safetensors");
    fuzz_put_file(path, data, size);
    const bool ok = read_path(&ts, path);
    if (ok)
        safetensors_again(&ts);
    ckda_tensors_clear(&ts);
    return ok;
}

/* ---- .npy ----------------------------------------------------------------------------------- */

static void
npy_again(const ckda_tensors *ts)
{
    for (size_t i = 0; i < ts->ntensors; i++) {
        char name[64];
        ckda_error err = {""};
        ckda_tensors again;
        if (strlen(ts->tensor[i].name) > 40)
            continue;
        snprintf(name, sizeof name, "%s.npy", ts->tensor[i].name);
        const char *path = fuzz_path(0, name);
        fuzz_check(ckda_npy_write(path, ts->tensor + i, &err) == CKDA_OK, "%s", err.text);
        ckda_tensors_init(&again);
        fuzz_check(ckda_tensors_read(&again, path, &err) == CKDA_OK, "%s", err.text);
        fuzz_check(again.ntensors == 1 && same_tensor(again.tensor, ts->tensor + i),
                   "another tensor");
        ckda_tensors_clear(&again);
    }
}

/* A folder: pieces of the input, each behind a byte that tells the file and two that tell the
 * length. */
static bool
read_pieces(ckda_tensors *ts, const uint8_t *data, size_t size)
{
    static const char *const names[] = {"q.npy",      "k.npy",         "v.npy",
                                        "o.fast.npy", "metadata.json", "notes.txt"};
    fuzz_sweep_folder();
    while (size >= 3) {
        const size_t length = data[1] + 256u * data[2];
        const size_t piece = length < size - 3 ? length : size - 3;
        fuzz_put_file(fuzz_path(0, names[data[0] % 6]), data + 3, piece);
        data += 3 + piece;
        size -= 3 + piece;
    }
    return read_path(ts, fuzz_folder());
}

/* A first byte 'F' makes it a folder; no .npy file begins like this. */
bool
fuzz_npy(const uint8_t *data, size_t size)
{
    ckda_tensors ts;
    bool ok;
    if (size > 0 && data[0] == 'F') {
        ok = read_pieces(&ts, data + 1, size - 1);
    } else {
        fuzz_sweep_folder();
        fuzz_put_file(fuzz_path(1, "x.npy"), data, size);
        ok = read_path(&ts, fuzz_path(1, "x.npy"));
    }
    if (ok)
        npy_again(&ts);
    ckda_tensors_clear(&ts);
    return ok;
}

/* ---- traces ---------------------------------------------------------------------------------- */

static bool
judge(const ckda_tensors *ts)
{
    const ckda_trace_options o = {.prec = 64};
    ckda_error err = {""};
    ckda_trace *tr = NULL;
    ckda_trace_result *r = NULL;
    if (!fuzz_read(ckda_trace_open(&tr, ts, &err), &err, ""))
        return false;
    const bool ok = fuzz_read(ckda_trace_judge(&r, tr, &o, &err), &err, "");
    fuzz_check(ok == (r != NULL), "a result");
    if (ok)
        ckda_trace_result_free(&r);
    ckda_trace_close(&tr);
    return ok;
}

bool
fuzz_trace(const uint8_t *data, size_t size)
{
    ckda_tensors ts;
    const char *path = fuzz_path(1, "x.safetensors");
    fuzz_put_file(path, data, size);
    const bool ok = read_path(&ts, path) && judge(&ts);
    ckda_tensors_clear(&ts);
    return ok;
}
