/* ckda/tensor.h -- named arrays in files: .npy (versions 1, 2, 3) and .safetensors.
 *
 * A tensor keeps the bits of the file (little endian, C order: the last index runs
 * fastest) and says what kind of number they are; nothing here converts or rounds.  A
 * collection holds tensors of different names, in the order in which they were read, and
 * the metadata of the files (text to text).
 *
 * Files are not trusted.  Every length in a file is compared with the size of the file
 * before memory is asked for; a safetensors file must be covered by its tensors without
 * gap or overlap.  Faults give CKDA_E_INPUT with a message that names the file, the
 * tensor or JSON path, what was expected and what was found; CKDA_E_IO is the operating
 * system's no.  After a failed call the collection holds what it held before.
 *
 * Threads: a collection that nobody changes may be read by all. */
#ifndef CKDA_TENSOR_H
#define CKDA_TENSOR_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ckda/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    CKDA_DTYPE_BF16 = 0,
    CKDA_DTYPE_F16,
    CKDA_DTYPE_F32,
    CKDA_DTYPE_F64,
    CKDA_DTYPE_I8,
    CKDA_DTYPE_I16,
    CKDA_DTYPE_I32,
    CKDA_DTYPE_I64,
    CKDA_DTYPE_U8,
    CKDA_DTYPE_BOOL,
    CKDA_DTYPE_U32,
    CKDA_DTYPES /* how many there are */
} ckda_dtype;
/* "BF16", "F32", ...: the names of safetensors. */
const char *ckda_dtype_name(ckda_dtype d);
size_t ckda_dtype_bytes(ckda_dtype d);

enum { CKDA_TENSOR_DIMS = 8 };

typedef struct {
    char *name;
    ckda_dtype dtype;
    int ndim; /* 0 .. CKDA_TENSOR_DIMS; 0 is a single number */
    uint64_t shape[CKDA_TENSOR_DIMS];
    uint64_t count;       /* product of the shape, 1 without one */
    unsigned char *bytes; /* count * ckda_dtype_bytes(dtype) of them */
} ckda_tensor;

/* The i-th number, i < count, as the bits of its format in the low bits. */
uint64_t ckda_tensor_bits(const ckda_tensor *t, uint64_t i);

typedef struct {
    char *key, *value;
} ckda_metadatum;

typedef struct {
    ckda_tensor *tensor; /* read freely */
    size_t ntensors;
    ckda_metadatum *meta;
    size_t nmeta;
} ckda_tensors;

void ckda_tensors_init(ckda_tensors *ts);
void ckda_tensors_clear(ckda_tensors *ts);
/* NULL when there is none of that name. */
const ckda_tensor *ckda_tensors_find(const ckda_tensors *ts, const char *name);
const char *ckda_tensors_meta(const ckda_tensors *ts, const char *key);

/* Adds what stands at `path`, recognised by its content:
 *   .safetensors  all its tensors and its __metadata__;
 *   .npy          one tensor, named after the file ("o.fast.npy" gives "o.fast");
 *   a folder      its *.npy in the order of their names, and metadata.json if it is there
 *                 (one object, all values strings).
 * A name, or a metadata key with another value, that the collection holds already is
 * refused.  In .npy two-byte voids (V2) are read as BF16: NumPy has no such type. */
CKDA_MUST_CHECK ckda_status ckda_tensors_read(ckda_tensors *ts, const char *path,
                                              ckda_error *err);

/* Adds a copy of count(shape) numbers with these bits; bytes == NULL gives zeros.
 * CKDA_E_INPUT if the name is taken, is empty or is "__metadata__", or the shape has too
 * many dimensions or too many numbers. */
CKDA_MUST_CHECK ckda_status ckda_tensors_add(ckda_tensors *ts, const char *name,
                                             ckda_dtype dtype, int ndim,
                                             const uint64_t *shape, const void *bytes,
                                             ckda_error *err);
/* Sets a metadatum, replacing an old value. */
void ckda_tensors_set_meta(ckda_tensors *ts, const char *key, const char *value);

/* Written whole or not at all (ckda_file_write).  Tensors are laid out by falling size of
 * their numbers, then by name, so that each is aligned; the header is padded to 8 bytes. */
CKDA_MUST_CHECK ckda_status ckda_safetensors_write(const char *path,
                                                   const ckda_tensors *ts,
                                                   ckda_error *err);
/* Version 1.0; BF16 is written as V2. */
CKDA_MUST_CHECK ckda_status ckda_npy_write(const char *path, const ckda_tensor *t,
                                           ckda_error *err);

#ifdef __cplusplus
}
#endif
#endif
