/* The word kernel for every arithmetic and every automaton; compiled once for each N.  One
 * thread steps one word, letter by letter; rounding, flush, hash and order of beta are
 * chosen while it runs. */
#include <cuda_runtime.h>

#include "words_common.cuh"

#ifndef CKDA_GPU_N
#error "compile with -DCKDA_GPU_N=2 .. 5"
#endif

namespace ckda
{

/* ---- STORE ------------------------------------------------------------------------------- */

__device__ __forceinline__ float
to_bf16(float x, bool rtz)
{
    return __bfloat162float(rtz ? __float2bfloat16_rz(x) : __float2bfloat16_rn(x));
}

__device__ __forceinline__ float
to_fp16(float x, bool rtz)
{
    return __half2float(rtz ? __float2half_rz(x) : __float2half_rn(x));
}

/* A double is rounded to bf16 or fp16 once: cut to a float whose last bit says whether
 * anything was cut off, it keeps 24 >= 11 + 2 bits, which decides every such rounding. */
__device__ __forceinline__ float
sticky(double x)
{
    const float f = __double2float_rz(x);
    return (double)f == x ? f : __uint_as_float(__float_as_uint(f) | 1u);
}

__device__ __forceinline__ float
narrow(float x, const word_params &p)
{
    switch (p.store) {
    case CKDA_GPU_STORE_BF16:
        return to_bf16(x, p.rtz);
    case CKDA_GPU_STORE_FP16:
        return to_fp16(x, p.rtz);
    case CKDA_GPU_STORE_GRID:
        return p.rtz ? truncf(x) : rintf(x);
    default:
        return x;
    }
}

__device__ __forceinline__ double
narrow(double x, const word_params &p)
{
    switch (p.store) {
    case CKDA_GPU_STORE_BF16:
        return to_bf16(sticky(x), p.rtz);
    case CKDA_GPU_STORE_FP16:
        return to_fp16(sticky(x), p.rtz);
    case CKDA_GPU_STORE_FP32:
        return p.rtz ? __double2float_rz(x) : __double2float_rn(x);
    case CKDA_GPU_STORE_GRID:
        return p.rtz ? trunc(x) : rint(x);
    default:
        return x;
    }
}

template <typename REAL, bool NATIVE>
__device__ __forceinline__ REAL
store(REAL x, const word_params &p)
{
    const REAL y = NATIVE ? x : narrow(x, p);
    /* a flush that REAL does not hold is below all its numbers; a NaN stays */
    return fabs(y) < (REAL)p.flush ? (REAL)0 : y;
}

/* ---- a letter ------------------------------------------------------------------------------ */

/* row: key, scaled key, gate, beta. */
template <int N, typename REAL, bool NATIVE, bool FMA>
__device__ __forceinline__ void
micro_step(REAL (&h)[N][N], const REAL *row, const word_params &p)
{
    REAL k[N], w[N];
#pragma unroll
    for (int i = 0; i < N; i++) {
        k[i] = row[i];
        w[i] = p.beta_on_dot ? k[i] : row[N + i];
#pragma unroll
        for (int j = 0; j < N; j++)
            h[i][j] = mul(row[2 * N + i], h[i][j]);
    }
#pragma unroll
    for (int j = 0; j < N; j++) {
        REAL dot = mul(k[0], h[0][j]);
#pragma unroll
        for (int i = 1; i < N; i++)
            dot = FMA ? fused(k[i], h[i][j], dot) : add(dot, mul(k[i], h[i][j]));
        if (p.beta_on_dot)
            dot = mul(row[3 * N], dot);
#pragma unroll
        for (int i = 0; i < N; i++) {
            const REAL y =
                FMA ? fused(-w[i], dot, h[i][j]) : add(h[i][j], -mul(w[i], dot));
            h[i][j] = store<REAL, NATIVE>(y, p);
        }
    }
}

__device__ __forceinline__ uint64_t
hash_entry(uint64_t hash, float x)
{
    return ckda_gpu_hash(hash, x != x   ? CKDA_GPU_NAN_BITS
                               : x == 0 ? 0u
                                        : __float_as_uint(x));
}

__device__ __forceinline__ uint64_t
hash_entry(uint64_t hash, double x)
{
    if (x != x)
        return ckda_gpu_hash(hash, CKDA_GPU_NAN_BITS);
    const uint64_t bits = x == 0 ? 0 : (uint64_t)__double_as_longlong(x);
    return ckda_gpu_hash(ckda_gpu_hash(hash, (uint32_t)bits), (uint32_t)(bits >> 32));
}

template <int N, typename REAL>
__device__ __forceinline__ look_result
look(const REAL (&h)[N][N], uint32_t state, bool failed, const word_params &p)
{
    double copy[N * N]; /* so that h itself can stay in registers */
#pragma unroll
    for (int i = 0; i < N * N; i++)
        copy[i] = (double)h[i / N][i % N];
    return look_closely<N>(copy, state, failed, p);
}

/* ---- the kernel ------------------------------------------------------------------------------ */

template <int N, typename REAL, bool NATIVE, bool FMA>
__global__ void
__launch_bounds__(GENERAL_THREADS) general_kernel(const __grid_constant__ word_params p)
{
    extern __shared__ double shared_doubles[];
    constexpr int ROW = 3 * N + 1;
    REAL *rows = reinterpret_cast<REAL *>(shared_doubles);
    uint32_t *first = reinterpret_cast<uint32_t *>(rows + p.micro_steps * ROW);
    uint16_t *next_shared = reinterpret_cast<uint16_t *>(first + p.letters + 1);
    const REAL *source = static_cast<const REAL *>(p.parameters);
    const uint32_t table = p.micro_steps * N;
    for (uint32_t i = threadIdx.x; i < table; i += blockDim.x)
        for (int part = 0; part < 3; part++)
            rows[i / N * ROW + part * N + i % N] = source[part * table + i];
    for (uint32_t i = threadIdx.x; i < p.micro_steps; i += blockDim.x)
        rows[i * ROW + 3 * N] = source[3 * table + i];
    for (uint32_t i = threadIdx.x; i <= p.letters; i += blockDim.x)
        first[i] = p.first[i];
    if (p.next_in_shared)
        for (uint32_t i = threadIdx.x; i < p.states * p.letters; i += blockDim.x)
            next_shared[i] = p.next[i];
    __syncthreads();
    const uint64_t seq = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (seq >= p.sequences)
        return;
    REAL h[N][N];
#pragma unroll
    for (int i = 0; i < N * N; i++)
        h[i / N][i % N] = (REAL)p.initial[i];
    const uint64_t word_key = ckda_gpu_word_key(p.seed, seq);
    uint64_t hash = CKDA_GPU_HASH_START, bits = 0;
    uint32_t state = 0;
    watch w = {0, 0, 0, 0};
    set_pause(w, 0, p);
    for (uint64_t t = 0; t < p.steps;) {
        if (t % 4 == 0)
            bits = ckda_gpu_letter_bits(word_key, t / 4);
        const uint32_t letter = ckda_gpu_letter(bits, (int)(t % 4), p.letters);
        for (uint32_t s = first[letter]; s < first[letter + 1]; s++)
            micro_step<N, REAL, NATIVE, FMA>(h, rows + s * ROW, p);
        const uint32_t at = state * p.letters + letter;
        state = p.next_in_shared ? next_shared[at] : p.next[at];
        if (p.hash)
#pragma unroll
            for (int i = 0; i < N * N; i++)
                hash = hash_entry(hash, h[i / N][i % N]);
        if (++t == w.pause) {
            note(w, look<N, REAL>(h, state, w.first_wrong != 0, p), t, seq, p);
            set_pause(w, t, p);
        }
    }
    write_results<N, REAL>(h, state, hash, w, seq, p);
}

template <int N, typename REAL, bool NATIVE, bool FMA>
static int
go(const word_params &p, const word_launch &at)
{
    return launch_words(general_kernel<N, REAL, NATIVE, FMA>, p, at);
}

template <int N>
int
launch_general(const word_params &p, const word_launch &at, bool fp64, bool fma)
{
    const bool native = p.store == (fp64 ? CKDA_GPU_STORE_FP64 : CKDA_GPU_STORE_FP32);
    if (fp64)
        return native ? fma ? go<N, double, true, true>(p, at)
                            : go<N, double, true, false>(p, at)
               : fma ? go<N, double, false, true>(p, at)
                      : go<N, double, false, false>(p, at);
    return native
               ? fma ? go<N, float, true, true>(p, at) : go<N, float, true, false>(p, at)
           : fma ? go<N, float, false, true>(p, at)
                 : go<N, float, false, false>(p, at);
}

template int launch_general<CKDA_GPU_N>(const word_params &, const word_launch &, bool,
                                        bool);

} // namespace ckda
