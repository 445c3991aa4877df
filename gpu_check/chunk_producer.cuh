/* The loader and the producers of the chunked kernel (chunk_kernel.cuh): what a chunk needs
 * and the state is no part of. */
#ifndef CKDA_GPU_CHUNK_PRODUCER_CUH
#define CKDA_GPU_CHUNK_PRODUCER_CUH
#include "chunk_stage.cuh"

namespace ckda
{

/* ---- loader -------------------------------------------------------------------------- */

template <int UNITS>
__device__ __forceinline__ void
load_tile(uint32_t to, const uint8_t *from, int64_t stride, int rows, int lane)
{
#pragma unroll
    for (int i = lane; i < CHUNK * UNITS; i += 32) {
        const int row = i / UNITS, unit = i % UNITS;
        const bool exists = row < rows;
        copy16(to + swizzled<UNITS>(row, unit),
               from + (exists ? row : 0) * stride + unit * 16, exists);
    }
}

/* ---- producer ------------------------------------------------------------------------ */

/* A gate word (the low 16 bits) as a number. */
template <int GATE>
__device__ __forceinline__ float
gate_value(uint32_t word)
{
    if (GATE == CKDA_GPU_GATE_VALUE)
        return __uint_as_float(word << 16);
    /* sign bit: sign of alpha; magnitude: -ln |alpha| */
    const float magnitude = __uint_as_float((word & 0x7fffu) << 16);
    return __uint_as_float(__float_as_uint(exp2f(magnitude * -1.4426950408889634f))
                           | (word & 0x8000u) << 16);
}

template <int DK> struct lane_channels { /* a lane owns PER neighbouring channels */
    static constexpr int PER = DK >= 128 ? 4 : 2;
    static constexpr int WORDS = PER / 2;
    static constexpr int LANES = DK / PER;
};

template <int WORDS>
__device__ __forceinline__ void
read_words(uint32_t (&w)[WORDS], const uint8_t *at)
{
    if constexpr (WORDS == 2) {
        const uint2 x = *reinterpret_cast<const uint2 *>(at);
        w[0] = x.x;
        w[1] = x.y;
    } else {
        w[0] = *reinterpret_cast<const uint32_t *>(at);
    }
}

template <int WORDS>
__device__ __forceinline__ void
write_words(uint8_t *at, const uint32_t (&w)[WORDS])
{
    if constexpr (WORDS == 2)
        *reinterpret_cast<uint2 *>(at) = make_uint2(w[0], w[1]);
    else
        *reinterpret_cast<uint32_t *>(at) = w[0];
}

/* Byte offset of the lane's channels in a row of the swizzled tile. */
template <int DK>
__device__ __forceinline__ uint32_t
lane_offset(int row, int lane)
{
    constexpr int BYTES = lane_channels<DK>::PER * 2;
    const int byte = lane * BYTES;
    return swizzled<DK / 8>(row, byte / 16) + byte % 16;
}

/* k^, q^, k_end in place, kv into scratch, E_16 into decay.  Returns false if the decay of
 * the chunk leaves the range in which 1 / E is a normal number. */
template <int DK, int GATE>
__device__ __forceinline__ bool
scale_rows(uint8_t *stage, uint8_t *scratch, int lane)
{
    using ch = lane_channels<DK>;
    constexpr int PER = ch::PER, WORDS = ch::WORDS;
    using S = stage_layout<DK, 16, false>; /* what is used here lies before T and B */
    if (lane >= ch::LANES)
        return true;
    float whole[PER];
#pragma unroll
    for (int j = 0; j < PER; j++)
        whole[j] = 1.0f;
#pragma unroll
    for (int row = 0; row < CHUNK; row++) {
        uint32_t g[WORDS];
        read_words(g, stage + S::gate + lane_offset<DK>(row, lane));
#pragma unroll
        for (int j = 0; j < PER; j++)
            whole[j] *= gate_value<GATE>(j & 1 ? g[j / 2] >> 16 : g[j / 2] & 0xffffu);
    }
    float e[PER];
    bool in_range = true;
#pragma unroll
    for (int j = 0; j < PER; j++) {
        e[j] = 1.0f;
        in_range = in_range && fabsf(whole[j]) >= 0x1p-118f;
        reinterpret_cast<float *>(stage + S::decay)[lane * PER + j] = whole[j];
    }
    /* Four rows are read before the first is written: the compiler cannot know that the
     * rows are disjoint.  Not unrolled further: the code must stay in the instruction cache
     * together with the consumers'. */
#pragma unroll 1
    for (int block = 0; block < CHUNK; block += 4) {
        uint32_t g[4][WORDS], k[4][WORDS], q[4][WORDS];
#pragma unroll
        for (int r = 0; r < 4; r++) {
            const uint32_t at = lane_offset<DK>(block + r, lane);
            read_words(g[r], stage + S::gate + at);
            read_words(k[r], stage + S::k + at);
            read_words(q[r], stage + S::q + at);
        }
#pragma unroll
        for (int r = 0; r < 4; r++) {
            const uint32_t at = lane_offset<DK>(block + r, lane);
            uint32_t kv[WORDS];
#pragma unroll
            for (int w = 0; w < WORDS; w++) {
                const int j = 2 * w;
                e[j] *= gate_value<GATE>(g[r][w] & 0xffffu);
                e[j + 1] *= gate_value<GATE>(g[r][w] >> 16);
                const float k0 = low(k[r][w]), k1 = high(k[r][w]);
                const float v0 = k0 * reciprocal(e[j]), v1 = k1 * reciprocal(e[j + 1]);
                kv[w] = pack(v0, v1);
                g[r][w] = pack(v0 * whole[j], v1 * whole[j + 1]);
                k[r][w] = pack(k0 * e[j], k1 * e[j + 1]);
                q[r][w] = pack(low(q[r][w]) * e[j], high(q[r][w]) * e[j + 1]);
            }
            write_words(stage + S::gate + at, g[r]);
            write_words(stage + S::k + at, k[r]);
            write_words(stage + S::q + at, q[r]);
            write_words(scratch + at, kv);
        }
    }
    return in_range;
}

/* A = k^ kv^T into scratch (fp32, strictly lower), B = q^ kv^T into the stage (bf16, or two
 * terms, lower). */
template <int DK, int DVS, bool PAIRS>
__device__ __forceinline__ void
inner_products(uint8_t *stage, uint8_t *scratch, int lane)
{
    using S = stage_layout<DK, DVS, PAIRS>;
    float A[2][4] = {}, B[2][4] = {};
    const uint32_t k_hat = shared_address(stage + S::k),
                   q_hat = shared_address(stage + S::q), kv = shared_address(scratch);
    /* left operand: rows lane % 16, unit + lane / 16; right: rows of both 8-row halves */
    const int left_row = lane % 16, left_unit = lane / 16;
    const int right_row = lane % 8 + (lane & 16 ? 8 : 0), right_unit = (lane >> 3) & 1;
#pragma unroll
    for (int step = 0; step < DK / 16; step++) {
        uint32_t l[4], m[4], r[4];
        load4(r, kv + swizzled<DK / 8>(right_row, step * 2 + right_unit));
        load4(l, k_hat + swizzled<DK / 8>(left_row, step * 2 + left_unit));
        load4(m, q_hat + swizzled<DK / 8>(left_row, step * 2 + left_unit));
        mma(A[0], l, r[0], r[1]);
        mma(A[1], l, r[2], r[3]);
        mma(B[0], m, r[0], r[1]);
        mma(B[1], m, r[2], r[3]);
    }
    float *a = reinterpret_cast<float *>(scratch + scratch_layout<DK>::a);
    uint32_t *b = reinterpret_cast<uint32_t *>(stage + S::b_hi),
             *b_rest = reinterpret_cast<uint32_t *>(stage + S::b_lo);
#pragma unroll
    for (int tile = 0; tile < 2; tile++)
#pragma unroll
        for (int half = 0; half < 2; half++) {
            const int i = lane / 4 + 8 * half, j = tile * 8 + lane % 4 * 2;
            const float a0 = A[tile][2 * half], a1 = A[tile][2 * half + 1];
            const float b0 = j <= i ? B[tile][2 * half] : 0.0f,
                        b1 = j + 1 <= i ? B[tile][2 * half + 1] : 0.0f;
            *reinterpret_cast<float2 *>(a + i * CHUNK + j) =
                make_float2(j < i ? a0 : 0.0f, j + 1 < i ? a1 : 0.0f);
            const uint32_t packed = pack(b0, b1);
            b[(i * T_STRIDE + j) / 2] = packed;
            if (PAIRS)
                b_rest[(i * T_STRIDE + j) / 2] = pack_rest(b0, b1, packed);
        }
}

/* T = (I + diag(beta) A)^-1 diag(beta), column lane % 16 in this lane; lanes 0-15 store the
 * leading bf16 term, lanes 16-31 the rest. */
template <int DK, int DVS, bool PAIRS>
__device__ __forceinline__ void
invert(uint8_t *stage, const uint8_t *scratch, int lane)
{
    using S = stage_layout<DK, DVS, PAIRS>;
    const float *a = reinterpret_cast<const float *>(scratch + scratch_layout<DK>::a);
    const float *beta = reinterpret_cast<const float *>(stage + S::beta);
    const int column = lane % 16;
    float t[CHUNK];
#pragma unroll
    for (int i = 0; i < CHUNK; i++) {
        float sum[4] = {i == column ? 1.0f : 0.0f, 0.0f, 0.0f, 0.0f};
#pragma unroll
        for (int j = 0; j < i; j += 4) {
            const float4 row = *reinterpret_cast<const float4 *>(a + i * CHUNK + j);
            sum[0] -= row.x * t[j];
            if (j + 1 < i)
                sum[1] -= row.y * t[j + 1];
            if (j + 2 < i)
                sum[2] -= row.z * t[j + 2];
            if (j + 3 < i)
                sum[3] -= row.w * t[j + 3];
        }
        t[i] = beta[i] * ((sum[0] + sum[1]) + (sum[2] + sum[3]));
    }
    if (!PAIRS && lane >= 16)
        return;
    __nv_bfloat16 *out =
        reinterpret_cast<__nv_bfloat16 *>(stage + (lane < 16 ? S::t_hi : S::t_lo));
#pragma unroll
    for (int i = 0; i < CHUNK; i++) {
        const __nv_bfloat16 hi = __float2bfloat16_rn(t[i]);
        out[i * T_STRIDE + column] =
            lane < 16 ? hi : __float2bfloat16_rn(t[i] - __bfloat162float(hi));
    }
}

/* Gates of rows that do not exist become 1. */
template <int DK, int GATE>
__device__ __forceinline__ void
fill_gates(uint8_t *stage, int rows, int lane)
{
    using S = stage_layout<DK, 16, false>;
    if (GATE == CKDA_GPU_GATE_VALUE)
        for (int i = rows * (DK / 8) + lane; i < CHUNK * (DK / 8); i += 32)
            *reinterpret_cast<uint4 *>(stage + S::gate
                                       + swizzled<DK / 8>(i / (DK / 8), i % (DK / 8))) =
                make_uint4(0x3f803f80u, 0x3f803f80u, 0x3f803f80u, 0x3f803f80u);
    __syncwarp();
}

} // namespace ckda
#endif
