/* Measurements of ckda-gpu: each allocates what it needs on the device, frees it, and
 * fills a plain result.  All return a code of ckda_gpu.h.                              */
#ifndef CKDA_GPU_MEASURE_H
#define CKDA_GPU_MEASURE_H
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Is there a device?  Its name and multiprocessors. */
bool ckda_gpu_device(char name[256], int *multiprocessors);

/* Kinds of random input. */
typedef enum {
    CKDA_GPU_DECAYING,        /* gates of a trained-like layer, beta in (0, 1) */
    CKDA_GPU_DECAYING_SIGNED, /* the same with random signs */
    CKDA_GPU_MIXED,           /* half the channels +-1, half decaying, beta in (0, 2) */
    CKDA_GPU_FAST,            /* every gate +-e^-5, beta in (0, 2) */
    CKDA_GPU_REFLECT,         /* gates +-1, beta = 2/|k|^2: every transition orthogonal */
    CKDA_GPU_EQUAL_BLOCKS,    /* the same with keys equal in blocks of 8 */
    CKDA_GPU_EQUAL,           /* the same with all keys equal, gates 1 */
    CKDA_GPU_EQUAL_DECAYING,  /* all keys equal, gates about .99 */
    CKDA_GPU_REGIMES
} ckda_gpu_regime;
const char *ckda_gpu_regime_name(ckda_gpu_regime r);

typedef struct {
    ckda_gpu_regime regime;
    int64_t sequences, tokens;
    int heads, dk, dv, precision, gate_kind;
    bool recurrent; /* the fp32 recurrence in place of the chunked kernel */
    bool ragged;    /* variable lengths: cu_seqlens with empty and odd sequences */
    float grid;
    uint64_t seed;
} ckda_gpu_check;

typedef struct {
    double o, state; /* relative Frobenius distance from the double-precision stand-in */
    bool finite, same_bits; /* two runs gave the same bits */
    bool out_of_range;      /* the kernel asked for the recurrence */
    bool untouched;         /* nothing was written outside o and final_state */
} ckda_gpu_check_result;
int ckda_gpu_run_check(ckda_gpu_check_result *r, const ckda_gpu_check *c);

/* A NaN in one place of one input (sequence 0, head 1, the token and channel named). */
enum {
    CKDA_GPU_POISON_Q,
    CKDA_GPU_POISON_K,
    CKDA_GPU_POISON_V,
    CKDA_GPU_POISON_GATE,
    CKDA_GPU_POISON_BETA,
    CKDA_GPU_POISON_INITIAL,
    CKDA_GPU_POISONS
};
const char *ckda_gpu_poison_name(int tensor);
typedef struct {
    int tensor;
    int64_t tokens, token;
    int channel, dk, dv, precision;
    bool recurrent;
    float grid;
    uint64_t seed;
} ckda_gpu_poison;
typedef struct {
    /* results that depend on the bad number and are not NaN: a silent wrong answer */
    uint64_t hidden;
    /* results that do not depend on it and changed.  A chunked kernel may also spoil the
     * earlier tokens of the chunk of 16, as ckda_gpu.h says: those are not counted. */
    uint64_t spread;
} ckda_gpu_poison_result;
int ckda_gpu_run_poison(ckda_gpu_poison_result *r, const ckda_gpu_poison *c);

typedef struct {
    int64_t sequences, tokens;
    int heads, dk, dv, precision;
    float grid;
    bool is_signed; /* random signs of the gates, or none */
    int repeats;
    uint64_t seed;
} ckda_gpu_bench;
/* Median milliseconds of one forward pass (two rotating sets of inputs). */
int ckda_gpu_run_bench(double *milliseconds, const ckda_gpu_bench *b);
/* Bytes a second, read plus written, of a copy of `bytes` inside the device's memory. */
int ckda_gpu_copy_rate(double *rate, int64_t bytes);

#ifdef __cplusplus
}
#endif
#endif
