/* What the two word kernels share: parameters, roundings by name, the test of a state. */
#ifndef CKDA_GPU_WORDS_COMMON_CUH
#define CKDA_GPU_WORDS_COMMON_CUH
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "ckda_gpu.h"
#include "decode.cuh"
#include "launch.cuh"
#include "letters.h"
#include "words.h"

namespace ckda
{

struct word_params {
    uint64_t seed, sequences, steps, check_every;
    uint32_t letters, micro_steps, states, ncheckpoints;
    const uint32_t *first;
    /* keys, scaled keys, gates (micro_steps * n each), betas (micro_steps), as REAL */
    const void *parameters;
    const uint16_t *next; /* states * letters */
    decoder decode;
    const double *initial;     /* not scaled */
    const float *scaled_value; /* states * n * n, times scale */
    /* pairs in the layout of pair_tables */
    uint32_t pairs, row_bytes, copies, pair_start;
    const uint16_t *pair_next; /* one copy: left, then right, letters * row each */
    const float *pair_value;   /* (scale times left) and right, pairs * 4 each */
    const uint32_t *pair;
    const uint64_t *checkpoint;
    const uint4 *letter_bytes; /* [step / 16][sequence], or NULL: random */
    double scale, flush;
    float near_squared; /* of |H - scale S|_F in floats: below, the decode is right */
    bool rtz, beta_on_dot, next_in_shared, hash;
    ckda_gpu_store store;
    double *final_state;
    uint32_t *final_exact;
    uint64_t *prefix_hash, *first_wrong;
    float *drift, *worst;
};

/* ---- operations, each a rounding by name ---------------------------------------------- */

__device__ __forceinline__ float
add(float x, float y)
{
    return __fadd_rn(x, y);
}
__device__ __forceinline__ float
mul(float x, float y)
{
    return __fmul_rn(x, y);
}
__device__ __forceinline__ float
fused(float x, float y, float z)
{
    return __fmaf_rn(x, y, z);
}
__device__ __forceinline__ double
add(double x, double y)
{
    return __dadd_rn(x, y);
}
__device__ __forceinline__ double
mul(double x, double y)
{
    return __dmul_rn(x, y);
}
__device__ __forceinline__ double
fused(double x, double y, double z)
{
    return __fma_rn(x, y, z);
}

/* ---- the test of a state --------------------------------------------------------------- */

struct look_result {
    double distance; /* |H - scale S|_F / scale; infinite if that is no number */
    bool wrong;
};

/* In double precision; out of line so that it costs the fast path no registers.  failed: it
 * is known to have decoded wrongly, and need not be asked. */
template <int N>
__device__ __noinline__ look_result
look_closely(const double *h, uint32_t state, bool failed, const word_params &p)
{
    const double *S = p.decode.value + (size_t)state * N * N;
    double sum = 0;
#pragma unroll 1
    for (int i = 0; i < N * N; i++) {
        const double gap = h[i] / p.scale - S[i];
        sum += gap * gap;
    }
    look_result r = {sqrt(sum), false};
    r.wrong =
        is_wrong(h, state, !failed && !(r.distance < 0.499 * p.decode.margin), p.decode);
    r.distance = r.distance == r.distance ? r.distance : INFINITY;
    return r;
}

/* What one word has shown so far, and when to look next. */
struct watch {
    uint64_t first_wrong, pause;
    float worst;
    uint32_t at;
};

__device__ __forceinline__ void
set_pause(watch &w, uint64_t t, const word_params &p)
{
    w.pause = p.steps;
    if (p.check_every > 0)
        w.pause = min(w.pause, (t / p.check_every + 1) * p.check_every);
    if (w.at < p.ncheckpoints)
        w.pause = min(w.pause, p.checkpoint[w.at]);
}

__device__ __forceinline__ void
note(watch &w, const look_result &r, uint64_t t, uint64_t seq, const word_params &p)
{
    w.worst = fmaxf(w.worst, (float)r.distance);
    if (r.wrong && w.first_wrong == 0)
        w.first_wrong = t;
    while (w.at < p.ncheckpoints && p.checkpoint[w.at] == t) {
        if (p.drift)
            p.drift[w.at * p.sequences + seq] = (float)r.distance;
        w.at++;
    }
}

template <int N, typename REAL>
__device__ __forceinline__ void
write_results(const REAL (&h)[N][N], uint32_t state, uint64_t hash, const watch &w,
              uint64_t seq, const word_params &p)
{
    if (p.final_state)
#pragma unroll
        for (int i = 0; i < N; i++)
#pragma unroll
            for (int j = 0; j < N; j++)
                p.final_state[seq * N * N + i * N + j] =
                    h[i][j] == 0 ? 0.0 : (double)h[i][j];
    if (p.final_exact)
        p.final_exact[seq] = state;
    if (p.prefix_hash)
        p.prefix_hash[seq] = hash;
    if (p.first_wrong)
        p.first_wrong[seq] = w.first_wrong;
    if (p.worst)
        p.worst[seq] = w.worst;
}

/* ---- launches (words_general.cu, words_fast.cu; one object file for each N) --------------- */

/* Threads a block at most, by registers: GENERAL; FAST with a state and its test; FAST. */
enum { GENERAL_THREADS = 256, FAST_TESTED_THREADS = 768, FAST_THREADS = 1024 };
/* The fast kernel's row of keys for a letter, in bytes. */
enum { KEY_ROW = 512, KEY_PART = 128 };

struct word_launch {
    unsigned blocks, threads;
    size_t shared; /* bytes */
};

template <typename KERNEL>
int
launch_words(KERNEL kernel, const word_params &p, const word_launch &at)
{
    if (!allow_shared(kernel, at.shared))
        return CKDA_GPU_E_TABLES;
    kernel<<<at.blocks, at.threads, at.shared>>>(p);
    return launch_status();
}

/* 0, or a code of ckda_gpu.h. */
template <int N>
int launch_general(const word_params &p, const word_launch &at, bool fp64, bool fma);
/* exact: 0 none, 1 by table, 2 by pairs (N = 4). */
template <int N>
int launch_fast(const word_params &p, const word_launch &at, bool fma, int exact);
int launch_exact(const word_params &p, const word_launch &at, bool by_pairs);

} // namespace ckda
#endif
