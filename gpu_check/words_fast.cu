/* The word kernel for the common case, compiled once for each N (2, 4): fp32 arithmetic,
 * letters of one reflection, one gate of signs that all letters share.
 *
 * Signs are absorbed: after t steps the registers hold S^t H, S = Diag(gate), and odd steps
 * use the keys S k; rounding to nearest commutes with signs, so no bit changes.
 *
 * Keys lie in shared memory eight times, one copy for each place in a group of eight lanes:
 * a group that reads sixteen bytes a lane touches every bank once, whatever the letters.
 * A row of 512 bytes belongs to a letter: k, beta k, S k, beta S k, each in eight copies.
 * Tables of pairs hold scaled offsets and lie interleaved word by word in p.copies copies. */
#include <cuda_runtime.h>

#include "words_common.cuh"

#ifndef CKDA_GPU_N
#error "compile with -DCKDA_GPU_N=2 or 4"
#endif

namespace ckda
{

/* Two neighbours at once, as the conversion instructions do. */
template <int STORE>
__device__ __forceinline__ void
store_two(float &x, float &y)
{
    if (STORE == CKDA_GPU_STORE_BF16) {
        const __nv_bfloat162 b = __floats2bfloat162_rn(x, y);
        const uint32_t w = *reinterpret_cast<const uint32_t *>(&b);
        x = __uint_as_float(w << 16);
        y = __uint_as_float(w & 0xffff0000u);
    }
    if (STORE == CKDA_GPU_STORE_FP16) {
        const float2 f = __half22float2(__floats2half2_rn(x, y));
        x = f.x;
        y = f.y;
    }
    if (STORE == CKDA_GPU_STORE_GRID) {
        x = rintf(x);
        y = rintf(y);
    }
}

/* h = STORE(h - w (k . h)), column by column. */
template <int N, int STORE, bool FMA>
__device__ __forceinline__ void
reflect(float (&h)[N][N], const float (&k)[N], const float (&w)[N])
{
#pragma unroll
    for (int j = 0; j < N; j++) {
        float dot = mul(k[0], h[0][j]);
#pragma unroll
        for (int i = 1; i < N; i++)
            dot = FMA ? fused(k[i], h[i][j], dot) : add(dot, mul(k[i], h[i][j]));
#pragma unroll
        for (int i = 0; i < N; i++)
            h[i][j] = FMA ? fused(-w[i], dot, h[i][j]) : add(h[i][j], -mul(w[i], dot));
#pragma unroll
        for (int i = 0; i < N; i += 2)
            store_two<STORE>(h[i][j], h[i + 1][j]);
    }
}

template <int N>
__device__ __forceinline__ void load_row(float (&k)[N], float (&w)[N],
                                         const uint8_t *row);

template <>
__device__ __forceinline__ void
load_row<4>(float (&k)[4], float (&w)[4], const uint8_t *row)
{
    const float4 a = *reinterpret_cast<const float4 *>(row);
    const float4 b = *reinterpret_cast<const float4 *>(row + KEY_PART);
    k[0] = a.x, k[1] = a.y, k[2] = a.z, k[3] = a.w;
    w[0] = b.x, w[1] = b.y, w[2] = b.z, w[3] = b.w;
}

template <>
__device__ __forceinline__ void
load_row<2>(float (&k)[2], float (&w)[2], const uint8_t *row)
{
    const float4 a = *reinterpret_cast<const float4 *>(row);
    k[0] = a.x, k[1] = a.y, w[0] = a.z, w[1] = a.w;
}

/* N = 2: (k, beta k) together in the first part of each half of a row. */
template <int N>
__device__ __forceinline__ void
fill_keys(uint8_t *keys, const word_params &p)
{
    const float *source = static_cast<const float *>(p.parameters);
    const uint32_t table = p.letters * N;
    for (uint32_t i = threadIdx.x; i < table * 8; i += blockDim.x) {
        const uint32_t copy = i % 8, letter = i / 8 / N, c = i / 8 % N;
        const float k = source[letter * N + c], w = source[table + letter * N + c];
        const float sign = source[2 * table + c];
        float *row = reinterpret_cast<float *>(keys + letter * KEY_ROW + copy * 16);
        const uint32_t second = N == 2 ? 2 : KEY_PART / 4, odd = 2 * KEY_PART / 4;
        row[c] = k;
        row[second + c] = w;
        row[odd + c] = sign * k;
        row[odd + second + c] = sign * w;
    }
}

/* ---- the exact state ------------------------------------------------------------------------ */

struct exact_tables {
    const uint16_t *next; /* EXACT == 1 */
    const uint8_t *left;  /* EXACT == 2: this lane's copy */
    uint32_t to_right;    /* bytes from the left table to the right one */
    const float4 *value;  /* quaternions, left then right */
};

struct exact_state {
    uint32_t a, b; /* index and nothing, or scaled offsets of l and r */
};

template <int EXACT>
__device__ __forceinline__ void
advance(exact_state &s, uint32_t letter, const exact_tables &e, const word_params &p)
{
    if (EXACT == 1)
        s.a = e.next[s.a * p.letters + letter];
    if (EXACT == 2) {
        const uint8_t *row = e.left + letter * p.row_bytes;
        s.a = *reinterpret_cast<const uint16_t *>(row + s.a);
        s.b = *reinterpret_cast<const uint16_t *>(row + e.to_right + s.b);
    }
}

/* From a scaled offset to the index: word number times two plus half of a word. */
__device__ __forceinline__ uint32_t
unscaled(uint32_t offset, const word_params &p)
{
    return offset / (4 * p.copies) * 2 + (offset >> 1 & 1);
}

__device__ __forceinline__ uint32_t
scaled(uint32_t index, const word_params &p)
{
    return index / 2 * 4 * p.copies + index % 2 * 2;
}

template <int EXACT>
__device__ __forceinline__ uint32_t
index_of(const exact_state &s, const word_params &p)
{
    return EXACT == 2 ? p.pair[unscaled(s.a, p) * p.pairs + unscaled(s.b, p)] : s.a;
}

/* Left: one table of `letters` rows, then right; copies interleaved. */
__device__ __forceinline__ void
fill_pairs(uint8_t *tables, float4 *value, const word_params &p)
{
    const uint32_t words = 2 * p.letters * (p.row_bytes / (4 * p.copies));
    const uint32_t *source = reinterpret_cast<const uint32_t *>(p.pair_next);
    uint32_t *to = reinterpret_cast<uint32_t *>(tables);
    for (uint32_t i = threadIdx.x; i < words * p.copies; i += blockDim.x)
        to[i] = source[i / p.copies];
    const float4 *from = reinterpret_cast<const float4 *>(p.pair_value);
    for (uint32_t i = threadIdx.x; i < 2 * p.pairs; i += blockDim.x)
        value[i] = from[i];
}

/* ---- the quick test: in floats, true is sure ------------------------------------------------- */

/* sum over entries of (h - scale l e_j r)^2.  l comes scaled. */
__device__ __forceinline__ float
squared_gap(const float (&h)[4][4], const float4 l, const float4 r)
{
    /* rows of x -> l x: columns l e_0, l e_1, l e_2, l e_3 (Hamilton) */
    const float x[4][4] = {{l.x, l.y, l.z, l.w},
                           {-l.y, l.x, l.w, -l.z},
                           {-l.z, -l.w, l.x, l.y},
                           {-l.w, l.z, -l.y, l.x}};
    float sum = 0;
#pragma unroll
    for (int j = 0; j < 4; j++) {
        const float a = x[j][0], b = x[j][1], c = x[j][2], d = x[j][3];
        const float s[4] = {
            a * r.x - b * r.y - c * r.z - d * r.w, a * r.y + b * r.x + c * r.w - d * r.z,
            a * r.z - b * r.w + c * r.x + d * r.y, a * r.w + b * r.z - c * r.y + d * r.x};
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const float gap = h[i][j] - s[i];
            sum += gap * gap;
        }
    }
    return sum;
}

template <int N>
__device__ __forceinline__ float
squared_gap(const float (&h)[N][N], const float *S)
{
    float sum = 0;
#pragma unroll
    for (int i = 0; i < N * N; i++) {
        const float gap = h[i / N][i % N] - S[i];
        sum += gap * gap;
    }
    return sum;
}

template <int N, int EXACT>
__device__ __forceinline__ bool
surely_right(const float (&h)[N][N], const exact_state &s, const exact_tables &e,
             const word_params &p)
{
    float sum = INFINITY;
    if constexpr (EXACT == 2)
        sum = squared_gap(h, e.value[unscaled(s.a, p)],
                          e.value[p.pairs + unscaled(s.b, p)]);
    if constexpr (EXACT == 1)
        sum = squared_gap<N>(h, p.scaled_value + (size_t)s.a * N * N);
    return sum < p.near_squared; /* not for a NaN */
}

/* ---- the kernel -------------------------------------------------------------------------------- */

/* Sixteen letters as bytes, made on the fly. */
__device__ __forceinline__ uint4
random_letters(uint64_t word_key, uint64_t block, uint32_t letters)
{
    uint32_t w[4];
#pragma unroll
    for (int quad = 0; quad < 4; quad++) {
        const uint64_t bits = ckda_gpu_letter_bits(word_key, block * 4 + quad);
        w[quad] = 0;
#pragma unroll
        for (int i = 0; i < 4; i++)
            w[quad] |= ckda_gpu_letter(bits, i, letters) << 8 * i;
    }
    return make_uint4(w[0], w[1], w[2], w[3]);
}

__device__ __forceinline__ uint32_t
letter_of(const uint4 &bytes, int i)
{
    const uint32_t w = i < 4 ? bytes.x : i < 8 ? bytes.y : i < 12 ? bytes.z : bytes.w;
    return __byte_perm(w, 0, 0x4440 + i % 4);
}

/* Sets up the tables of the exact state behind `at` in shared memory. */
template <int EXACT>
__device__ __forceinline__ exact_tables
set_tables(uint8_t *at, const word_params &p)
{
    exact_tables e = {p.next, at, 0, nullptr};
    if (EXACT == 2) {
        float4 *value = reinterpret_cast<float4 *>(at);
        uint8_t *tables = at + 2 * p.pairs * sizeof *value;
        fill_pairs(tables, value, p);
        e.value = value;
        e.left = tables + threadIdx.x % p.copies * 4;
        e.to_right = p.letters * p.row_bytes;
    }
    if (EXACT == 1 && p.next_in_shared) {
        uint16_t *next = reinterpret_cast<uint16_t *>(at);
        for (uint32_t i = threadIdx.x; i < p.states * p.letters; i += blockDim.x)
            next[i] = p.next[i];
        e.next = next;
    }
    return e;
}

template <int EXACT>
__device__ __forceinline__ exact_state
start_of(const word_params &p)
{
    if (EXACT == 2)
        return {scaled(p.pair_start / p.pairs, p), scaled(p.pair_start % p.pairs, p)};
    return {0, 0};
}

/* Where a word stands, in blocks of sixteen letters. */
struct progress {
    uint32_t block, test, stop; /* next quick test; next close look */
};

__device__ __forceinline__ uint32_t
next_stop(const watch &w, const progress &at, const word_params &p)
{
    uint64_t stop = p.steps / 16;
    if (w.at < p.ncheckpoints)
        stop = min(stop, p.checkpoint[w.at] / 16);
    return (uint32_t)(p.worst ? min(stop, (uint64_t)at.test) : stop);
}

/* The signs of h are those of the plain state: blocks are even. */
template <int N, int EXACT>
__device__ __forceinline__ void
look(const float (&h)[N][N], const exact_state &s, watch &w, const progress &at,
     uint64_t seq, const word_params &p)
{
    double copy[N * N]; /* so that h itself can stay in registers */
#pragma unroll
    for (int i = 0; i < N * N; i++)
        copy[i] = (double)h[i / N][i % N];
    note(w, look_closely<N>(copy, index_of<EXACT>(s, p), w.first_wrong != 0, p),
         (uint64_t)at.block * 16, seq, p);
}

/* N = 0: the exact state alone.  All lanes of a warp go through the loops together; those
 * beyond the last word repeat it and write nothing. */
template <int N, int STORE, bool FMA, int EXACT>
__global__ void
__launch_bounds__(N > 0 && EXACT > 0 ? FAST_TESTED_THREADS : FAST_THREADS, 1)
    fast_kernel(const __grid_constant__ word_params p)
{
    constexpr int M = N > 0 ? N : 2;
    constexpr bool LOOK = N > 0 && EXACT > 0;
    extern __shared__ uint4 shared_words[];
    uint8_t *keys = reinterpret_cast<uint8_t *>(shared_words);
    if constexpr (N > 0)
        fill_keys<M>(keys, p);
    const exact_tables e = set_tables<EXACT>(keys + (N > 0 ? p.letters * KEY_ROW : 0), p);
    __syncthreads();
    const uint64_t mine = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const uint64_t seq = min(mine, p.sequences - 1);
    const uint8_t *my_keys = keys + threadIdx.x % 8 * 16;
    float h[M][M];
#pragma unroll
    for (int i = 0; i < M * M; i++)
        h[i / M][i % M] = N > 0 ? (float)p.initial[i] : 0.0f;
    exact_state s = start_of<EXACT>(p);
    const uint64_t word_key = ckda_gpu_word_key(p.seed, seq);
    watch w = {0, 0, 0, 0};
    const uint32_t blocks = (uint32_t)(p.steps / 16);
    const uint32_t every = p.check_every > 0 ? (uint32_t)(p.check_every / 16) : blocks;
    progress at = {0, every, 0};
    const uint4 *from = p.letter_bytes ? p.letter_bytes + seq : nullptr;
    uint4 coming = from ? *from : random_letters(word_key, 0, p.letters);
    do {
        at.stop = LOOK ? next_stop(w, at, p) : blocks;
        bool sure = true;
        do {
            const uint4 bytes = coming;
            at.block++;
            if (from) {
                from += at.block < blocks ? p.sequences : 0;
                coming = *from;
            } else {
                coming = random_letters(word_key, at.block, p.letters);
            }
#pragma unroll
            for (int i = 0; i < 16; i++) {
                const uint32_t letter = letter_of(bytes, i);
                if constexpr (N > 0) {
                    float k[M], v[M];
                    load_row<M>(k, v,
                                my_keys + letter * KEY_ROW + (1 - i % 2) * 2 * KEY_PART);
                    reflect<M, STORE, FMA>(h, k, v);
                }
                advance<EXACT>(s, letter, e, p);
            }
            if (LOOK && at.block == at.test) {
                at.test += every;
                if constexpr (LOOK)
                    sure = surely_right<M, EXACT>(h, s, e, p);
            }
        } while (at.block != at.stop && (!LOOK || __all_sync(0xffffffffu, sure)));
        if constexpr (LOOK)
            if (at.block == at.stop || !sure)
                look<M, EXACT>(h, s, w, at, seq, p);
    } while (at.block != blocks);
    const uint32_t state = EXACT > 0 ? index_of<EXACT>(s, p) : 0;
    if (mine < p.sequences)
        write_results<M, float>(h, state, 0, w, seq, p);
}

template <int N, int STORE, bool FMA, int EXACT>
static int
go(const word_params &p, const word_launch &at)
{
    return launch_words(fast_kernel<N, STORE, FMA, EXACT>, p, at);
}

template <int N, int STORE, bool FMA>
static int
with_exact(const word_params &p, const word_launch &at, int exact)
{
    if constexpr (N == 4)
        if (exact == 2)
            return go<N, STORE, FMA, 2>(p, at);
    return exact == 0 ? go<N, STORE, FMA, 0>(p, at) : go<N, STORE, FMA, 1>(p, at);
}

template <int N, int STORE>
static int
with_fma(const word_params &p, const word_launch &at, bool fma, int exact)
{
    return fma ? with_exact<N, STORE, true>(p, at, exact)
               : with_exact<N, STORE, false>(p, at, exact);
}

template <int N>
int
launch_fast(const word_params &p, const word_launch &at, bool fma, int exact)
{
    switch (p.store) {
    case CKDA_GPU_STORE_BF16:
        return with_fma<N, CKDA_GPU_STORE_BF16>(p, at, fma, exact);
    case CKDA_GPU_STORE_FP16:
        return with_fma<N, CKDA_GPU_STORE_FP16>(p, at, fma, exact);
    case CKDA_GPU_STORE_GRID:
        return with_fma<N, CKDA_GPU_STORE_GRID>(p, at, fma, exact);
    default:
        return with_fma<N, CKDA_GPU_STORE_FP32>(p, at, fma, exact);
    }
}

template int launch_fast<CKDA_GPU_N>(const word_params &, const word_launch &, bool, int);

#if CKDA_GPU_N == 4
int
launch_exact(const word_params &p, const word_launch &at, bool by_pairs)
{
    return by_pairs ? go<0, CKDA_GPU_STORE_FP32, true, 2>(p, at)
                    : go<0, CKDA_GPU_STORE_FP32, true, 1>(p, at);
}
#endif

} // namespace ckda
