/* What the readers and writers of tensor files share. */
#ifndef CKDA_SRC_IO_TENSOR_INTERNAL_H
#define CKDA_SRC_IO_TENSOR_INTERNAL_H
#include "ckda/tensor.h"

/* A whole file.  A regular file only: its size bounds every length in it. */
typedef struct {
    const char *path;
    unsigned char *bytes;
    size_t size;
} file_bytes;

/* Number of elements of the shape if they fit into `most` bytes, else false. */
bool tensor_count(uint64_t *count, ckda_dtype dtype, int ndim, const uint64_t *shape,
                  uint64_t most);
/* Adds a tensor; errors are prefixed by the path. */
ckda_status tensor_add_from(ckda_tensors *ts, const char *path, const char *name,
                            ckda_dtype dtype, int ndim, const uint64_t *shape,
                            const void *bytes, ckda_error *err);
/* Adds the string members of a JSON object given as text. */
ckda_status tensor_read_metadata(ckda_tensors *ts, const char *path, ckda_error *err);

bool npy_recognise(const file_bytes *f);
ckda_status npy_read(ckda_tensors *ts, const file_bytes *f, ckda_error *err);
ckda_status safetensors_read(ckda_tensors *ts, const file_bytes *f, ckda_error *err);

static inline uint64_t
little_endian(const unsigned char *b, size_t n)
{
    uint64_t x = 0;
    for (size_t i = n; i > 0; i--)
        x = x << 8 | b[i - 1];
    return x;
}

#endif
