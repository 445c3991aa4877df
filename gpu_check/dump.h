/* dump.h -- what the two kinds of dump share. */
#ifndef CKDA_GPU_DUMP_H
#define CKDA_GPU_DUMP_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ckda/fpfast.h"
#include "ckda/tensor.h"
#include "row.h"

typedef enum { KIND_DECAY, KIND_SIGNED, KIND_REFLECT } input_kind;

typedef struct {
    const char *file, *words; /* words: a ROW, else random inputs of `kind` */
    input_kind kind;
    uint64_t seed, batch, tokens, heads, dk, dv;
    int64_t snap;
} dump_options;

/* What the kernels take and give, on the host. */
typedef struct {
    uint64_t rows, states; /* batch * tokens * heads, batch * heads */
    uint16_t *q, *k, *v, *gate, *o;
    float *beta, *initial, *final;
    int out_of_range;
} dump_arrays;

void dump_arrays_init(dump_arrays *a, const dump_options *o);
void dump_arrays_clear(dump_arrays *a);

static inline uint16_t
dump_bf16(double x)
{
    return ckda_fast_bf16_from_float((float)x);
}

/* A kernel and how it is called in the trace. */
typedef struct {
    const char *name;
    bool recurrent;
    int precision;
    int64_t snap;
} dump_variant;
enum { DUMP_VARIANTS = 4 };
extern const dump_variant dump_variants[DUMP_VARIANTS];

/* Fills a->o and a->final.  A code of ckda_gpu.h. */
int dump_forward(dump_arrays *a, const dump_variant *v, float scale,
                 const dump_options *o);
/* ckda_tensors_add, unless *st is an error already. */
void dump_add(ckda_tensors *ts, ckda_status *st, ckda_error *err, const char *name,
              ckda_dtype dtype, int ndim, const uint64_t *shape, const void *bytes);

/* dump_words.c: tensors of group words through the kernels. */
int dump_words(ckda_tensors *ts, ckda_status *st, ckda_error *err, const gpu_system *s,
               const dump_options *given);

#endif
