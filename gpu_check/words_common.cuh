/* What the two word kernels share: parameters, roundings by name, the test of a state. */
#ifndef CKDA_GPU_WORDS_COMMON_CUH
#define CKDA_GPU_WORDS_COMMON_CUH
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "ckda_gpu.h"
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
    const uint32_t *element;
    const double *value, *initial; /* not scaled */
    const float *scaled_value;     /* states * n * n, times scale */
    /* pairs in the layout of pair_tables */
    uint32_t pairs, row_bytes, copies, pair_start;
    const uint16_t *pair_next; /* one copy: left, then right, letters * row each */
    const float *pair_value;   /* (scale times left) and right, pairs * 4 each */
    const uint32_t *pair;
    const uint64_t *checkpoint;
    const uint4 *letter_bytes; /* [step / 16][sequence], or NULL: random */
    double scale, margin, flush;
    float near_squared; /* of |H - scale S|_F in floats: below, the decode is right */
    bool rtz, beta_on_dot, next_in_shared, hash, exact;
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

/* The element of the state with the largest inner product; 0xffffffff if the state is not
 * finite or another element is as near as 1e-12 of it. */
template <int N>
__device__ __noinline__ uint32_t
nearest(const double *h, const word_params &p)
{
    double best = -INFINITY, other = -INFINITY, size = 0;
    uint32_t element = 0xffffffffu;
    for (int i = 0; i < N * N; i++)
        size += fabs(h[i]);
    for (uint32_t s = 0; s < p.states; s++) {
        double dot = 0;
        for (int i = 0; i < N * N; i++)
            dot += h[i] * p.value[(size_t)s * N * N + i];
        if (dot > best) {
            if (p.element[s] != element)
                other = best;
            best = dot;
            element = p.element[s];
        } else if (dot > other && p.element[s] != element) {
            other = dot;
        }
    }
    return best - other > 1e-12 * size && isfinite(size) ? element : 0xffffffffu;
}

struct look_result {
    double distance; /* |H - scale S|_F / scale; infinite if that is no number */
    bool wrong;
};

/* In double precision; out of line so that it costs the fast path no registers. */
template <int N>
__device__ __noinline__ look_result
look_closely(const double *h, uint32_t state, const word_params &p)
{
    const double *S = p.value + (size_t)state * N * N;
    double sum = 0;
#pragma unroll 1
    for (int i = 0; i < N * N; i++) {
        const double gap = h[i] / p.scale - S[i];
        sum += gap * gap;
    }
    look_result r = {sqrt(sum), false};
    if (!(r.distance < 0.499 * p.margin)) {
        r.wrong = nearest<N>(h, p) != p.element[state];
        r.distance = r.distance == r.distance ? r.distance : INFINITY;
    }
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
    void *stream;
};

/* 0, or a code of ckda_gpu.h. */
template <int N>
int launch_general(const word_params &p, const word_launch &at, bool fp64, bool fma);
/* exact: 0 none, 1 by table, 2 by pairs (N = 4). */
template <int N>
int launch_fast(const word_params &p, const word_launch &at, bool fma, int exact);
int launch_exact(const word_params &p, const word_launch &at, bool by_pairs);

} // namespace ckda
#endif
