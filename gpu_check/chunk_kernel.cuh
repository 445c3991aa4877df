/* The chunked CKDA forward kernel: one CTA walks one (sequence, head, slice of d_v).
 *
 * Sixteen tokens are a chunk.  With E_r = product of the gates of rows 1..r of the chunk
 * (signed: the gauge of Lemma 27 rides in the product, and starts afresh in each chunk)
 *
 *     k^ = k E,  q^ = q E,  kv = k / E,  k_end = k E_16 / E       (rows, channel by channel)
 *     A = k^ kv^T (strictly lower),  B = q^ kv^T (lower)
 *     T = (I + diag(beta) A)^-1 diag(beta)                        (fp32 substitution)
 *     X = V - k^ S,   U = T X,   O = scale (q^ S + B U),   S' = E_16 S + k_end^T U
 *
 * Three kinds of warps around a ring of stages in shared memory: the loader copies raw
 * rows, each producer warp turns a whole chunk into k^, q^, k_end, T, B (nothing of which
 * needs the state, so producers run ahead), and each consumer warp keeps 16 * MT columns
 * of the state, transposed, in registers for the whole sequence.  The accumulator layout
 * of one matrix product is the operand layout of the next, so the chain
 * S -> X -> U -> S goes through registers only.
 *
 * SPLIT says which operands go as two bf16 terms (hi + lo): SPLIT_S the state in k^ S,
 * SPLIT_X the factors T and X, SPLIT_U the factor U in the update of the state.          */
#ifndef CKDA_GPU_CHUNK_KERNEL_CUH
#define CKDA_GPU_CHUNK_KERNEL_CUH
#include <cuda_bf16.h>
#include <stdint.h>

#include "chunk_params.h"

namespace ckda
{

enum { CHUNK = 16 };
enum { SPLIT_S = 1, SPLIT_X = 2, SPLIT_U = 4 };
enum { T_STRIDE = 24 }; /* bf16 a row of T and B: 48 bytes, free of bank conflicts */

/* ---- small wrappers ------------------------------------------------------------------ */

__device__ __forceinline__ uint32_t
shared_address(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

__device__ __forceinline__ void
barrier_init(uint32_t bar, uint32_t count)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(bar), "r"(count));
}

__device__ __forceinline__ void
barrier_arrive(uint32_t bar)
{
    asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(bar) : "memory");
}

__device__ __forceinline__ void
barrier_wait(uint32_t bar, uint32_t parity)
{
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.shared.b64 p, [%0], %1, 10000;\n"
                 "@p bra done;\n"
                 "bra again;\n"
                 "done:\n"
                 "}\n" ::"r"(bar),
                 "r"(parity)
                 : "memory");
}

/* 16 bytes, or 16 zero bytes when the row does not exist. */
__device__ __forceinline__ void
copy16(uint32_t to, const void *from, bool exists)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from),
                 "r"(exists ? 16 : 0)
                 : "memory");
}

__device__ __forceinline__ void
copy4(uint32_t to, const void *from, bool exists)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from),
                 "r"(exists ? 4 : 0)
                 : "memory");
}

__device__ __forceinline__ void
arrive_when_copied(uint32_t bar)
{
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(bar) : "memory");
}

__device__ __forceinline__ void
load4(uint32_t (&r)[4], uint32_t address)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address)
                 : "memory");
}

__device__ __forceinline__ void
load4_transposed(uint32_t (&r)[4], uint32_t address)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address)
                 : "memory");
}

__device__ __forceinline__ void
mma(float (&d)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                 "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__device__ __forceinline__ uint32_t
transpose8(uint32_t x)
{
    uint32_t y;
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(y) : "r"(x));
    return y;
}

/* low half = x, high half = y, each rounded to nearest even */
__device__ __forceinline__ uint32_t
pack(float x, float y)
{
    uint32_t r;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(y), "f"(x));
    return r;
}

__device__ __forceinline__ float
low(uint32_t w)
{
    return __uint_as_float(w << 16);
}

__device__ __forceinline__ float
high(uint32_t w)
{
    return __uint_as_float(w & 0xffff0000u);
}

/* 1 / x to within one unit in the last place, for normal x */
__device__ __forceinline__ float
reciprocal(float x)
{
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

/* what pack lost */
__device__ __forceinline__ uint32_t
pack_rest(float x, float y, uint32_t packed)
{
    return pack(x - low(packed), y - high(packed));
}

/* ---- shared memory ------------------------------------------------------------------- */

/* Rows of UNITS 16-byte units; the unit's place is turned by the row so that eight rows
 * of one unit column lie in different banks. */
template <int UNITS>
__device__ __forceinline__ uint32_t
swizzled(int row, int unit)
{
    constexpr int W = UNITS < 8 ? UNITS : 8;
    return (uint32_t)(row * UNITS + (unit ^ ((row / (8 / W)) & (W - 1)))) * 16;
}

template <int DK, int DVS> struct stage_layout {
    static constexpr int k = 0;                         /* k, then k^ */
    static constexpr int q = k + CHUNK * DK * 2;        /* q, then q^ */
    static constexpr int gate = q + CHUNK * DK * 2;     /* gates, then k_end */
    static constexpr int decay = gate + CHUNK * DK * 2; /* E_16, fp32 */
    static constexpr int t_hi = decay + DK * 4;
    static constexpr int t_lo = t_hi + CHUNK * T_STRIDE * 2;
    static constexpr int b = t_lo + CHUNK * T_STRIDE * 2;
    static constexpr int beta = b + CHUNK * T_STRIDE * 2;
    static constexpr int v = beta + CHUNK * 4; /* last: the only one that knows DVS */
    static constexpr int bytes = (v + CHUNK * DVS * 2 + 127) / 128 * 128;
};

template <int DK> struct scratch_layout { /* of one producer */
    static constexpr int kv = 0;
    static constexpr int a = kv + CHUNK * DK * 2; /* fp32, rows of 16 */
    static constexpr int bytes = a + CHUNK * CHUNK * 4;
};

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
    using S = stage_layout<DK, 16>; /* what is used here lies before v */
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

/* A = k^ kv^T into scratch (fp32, strictly lower), B = q^ kv^T into the stage (bf16,
 * lower). */
template <int DK, int DVS>
__device__ __forceinline__ void
inner_products(uint8_t *stage, uint8_t *scratch, int lane)
{
    using S = stage_layout<DK, DVS>;
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
    uint32_t *b = reinterpret_cast<uint32_t *>(stage + S::b);
#pragma unroll
    for (int tile = 0; tile < 2; tile++)
#pragma unroll
        for (int half = 0; half < 2; half++) {
            const int i = lane / 4 + 8 * half, j = tile * 8 + lane % 4 * 2;
            const float a0 = A[tile][2 * half], a1 = A[tile][2 * half + 1];
            const float b0 = B[tile][2 * half], b1 = B[tile][2 * half + 1];
            *reinterpret_cast<float2 *>(a + i * CHUNK + j) =
                make_float2(j < i ? a0 : 0.0f, j + 1 < i ? a1 : 0.0f);
            b[(i * T_STRIDE + j) / 2] = pack(j <= i ? b0 : 0.0f, j + 1 <= i ? b1 : 0.0f);
        }
}

/* T = (I + diag(beta) A)^-1 diag(beta), column lane % 16 in this lane; lanes 0-15 store the
 * leading bf16 term, lanes 16-31 the rest. */
template <int DK, int DVS>
__device__ __forceinline__ void
invert(uint8_t *stage, const uint8_t *scratch, int lane)
{
    using S = stage_layout<DK, DVS>;
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
    using S = stage_layout<DK, 16>;
    if (GATE == CKDA_GPU_GATE_VALUE)
        for (int i = rows * (DK / 8) + lane; i < CHUNK * (DK / 8); i += 32)
            *reinterpret_cast<uint4 *>(stage + S::gate
                                       + swizzled<DK / 8>(i / (DK / 8), i % (DK / 8))) =
                make_uint4(0x3f803f80u, 0x3f803f80u, 0x3f803f80u, 0x3f803f80u);
    __syncwarp();
}

/* ---- consumer ------------------------------------------------------------------------ */

/* State of a warp: MT tiles of 16 columns of d_v (rows of S^T) by DK channels. */
template <int DK, int MT> struct state {
    float s[MT][DK / 8][4];
};

/* (row of S^T, channel) of s[m][tile][2 h + x]: row m * 16 + lane / 4 + 8 h, channel
 * tile * 8 + lane % 4 * 2 + x. */
template <int DK, int MT, typename F>
__device__ __forceinline__ void
for_each_entry(int lane, F f)
{
#pragma unroll
    for (int m = 0; m < MT; m++)
#pragma unroll
        for (int tile = 0; tile < DK / 8; tile++)
#pragma unroll
            for (int c = 0; c < 4; c++)
                f(m, tile, c, m * 16 + lane / 4 + 8 * (c / 2),
                  tile * 8 + lane % 4 * 2 + c % 2);
}

template <int DK, int DVS, int MT, int SPLIT>
__device__ __forceinline__ void
consume(state<DK, MT> &st, float (&o)[MT][2][4], const uint8_t *stage, int first_column,
        float v_scale, int lane)
{
    using S = stage_layout<DK, DVS>;
    const uint32_t base = shared_address(stage);
    const int right_row = lane % 8 + (lane & 16 ? 8 : 0), right_unit = (lane >> 3) & 1;
    /* Two sums where registers allow, so that products wait less for one another: of the
     * leading and the second term, or of even and odd steps. */
    constexpr int CHAINS = MT == 1 ? 2 : 1;
    float y[MT][CHAINS][2][4] = {}, read[MT][CHAINS][2][4] = {};
#pragma unroll
    for (int step = 0; step < DK / 16; step++) {
        uint32_t k[4], q[4];
        const uint32_t at = swizzled<DK / 8>(right_row, step * 2 + right_unit);
        load4(k, base + S::k + at);
        load4(q, base + S::q + at);
#pragma unroll
        for (int m = 0; m < MT; m++) {
            const float(&s0)[4] = st.s[m][2 * step], (&s1)[4] = st.s[m][2 * step + 1];
            const uint32_t hi[4] = {pack(s0[0], s0[1]), pack(s0[2], s0[3]),
                                    pack(s1[0], s1[1]), pack(s1[2], s1[3])};
            const int chain = SPLIT & SPLIT_S ? 0 : step % CHAINS;
            mma(y[m][chain][0], hi, k[0], k[1]);
            mma(y[m][chain][1], hi, k[2], k[3]);
            mma(read[m][step % CHAINS][0], hi, q[0], q[1]);
            mma(read[m][step % CHAINS][1], hi, q[2], q[3]);
            if (SPLIT & SPLIT_S) {
                const uint32_t lo[4] = {
                    pack_rest(s0[0], s0[1], hi[0]), pack_rest(s0[2], s0[3], hi[1]),
                    pack_rest(s1[0], s1[1], hi[2]), pack_rest(s1[2], s1[3], hi[3])};
                mma(y[m][CHAINS - 1][0], lo, k[0], k[1]);
                mma(y[m][CHAINS - 1][1], lo, k[2], k[3]);
            }
        }
    }
    uint32_t t_hi[4], t_lo[4], b[4];
    const uint32_t t_at = (uint32_t)(right_row * T_STRIDE * 2 + right_unit * 16);
    load4(t_hi, base + S::t_hi + t_at);
    load4(b, base + S::b + t_at);
    if (SPLIT & SPLIT_X)
        load4(t_lo, base + S::t_lo + t_at);
    uint32_t u_hi[MT][4], u_lo[MT][4];
#pragma unroll
    for (int m = 0; m < MT; m++) {
        uint32_t v[4];
        const int row = lane % 8 + (lane & 16 ? 8 : 0);
        load4_transposed(v, base + S::v
                                + swizzled<DVS / 8>(row, (first_column + m * 16) / 8
                                                             + ((lane >> 3) & 1)));
        /* v[0]: columns 0-7, tokens 0-7; v[1]: 8-15, 0-7; v[2]: 0-7, 8-15; v[3]: both 8- */
        float x[2][4];
#pragma unroll
        for (int n = 0; n < 2; n++)
#pragma unroll
            for (int h = 0; h < 2; h++) {
                const uint32_t w = v[2 * n + h];
                float y0 = y[m][0][n][2 * h], y1 = y[m][0][n][2 * h + 1];
                if (CHAINS == 2) {
                    y0 += y[m][CHAINS - 1][n][2 * h];
                    y1 += y[m][CHAINS - 1][n][2 * h + 1];
                }
                x[n][2 * h] = fmaf(low(w), v_scale, -y0);
                x[n][2 * h + 1] = fmaf(high(w), v_scale, -y1);
            }
        const uint32_t x_hi[4] = {pack(x[0][0], x[0][1]), pack(x[0][2], x[0][3]),
                                  pack(x[1][0], x[1][1]), pack(x[1][2], x[1][3])};
        float u[2][4] = {}, rest[2][4] = {};
        mma(u[0], x_hi, t_hi[0], t_hi[1]);
        mma(u[1], x_hi, t_hi[2], t_hi[3]);
        if (SPLIT & SPLIT_X) {
            const uint32_t x_lo[4] = {pack_rest(x[0][0], x[0][1], x_hi[0]),
                                      pack_rest(x[0][2], x[0][3], x_hi[1]),
                                      pack_rest(x[1][0], x[1][1], x_hi[2]),
                                      pack_rest(x[1][2], x[1][3], x_hi[3])};
            mma(rest[0], x_hi, t_lo[0], t_lo[1]);
            mma(rest[1], x_hi, t_lo[2], t_lo[3]);
            mma(rest[0], x_lo, t_hi[0], t_hi[1]);
            mma(rest[1], x_lo, t_hi[2], t_hi[3]);
        }
#pragma unroll
        for (int n = 0; n < 2; n++)
#pragma unroll
            for (int h = 0; h < 2; h++) {
                float a0 = u[n][2 * h], a1 = u[n][2 * h + 1];
                if (SPLIT & SPLIT_X) {
                    a0 += rest[n][2 * h];
                    a1 += rest[n][2 * h + 1];
                }
                u_hi[m][2 * n + h] = pack(a0, a1);
                u_lo[m][2 * n + h] = pack_rest(a0, a1, u_hi[m][2 * n + h]);
            }
#pragma unroll
        for (int n = 0; n < 2; n++) {
#pragma unroll
            for (int c = 0; c < 4; c++)
                o[m][n][c] = CHAINS == 2 ? read[m][0][n][c] + read[m][CHAINS - 1][n][c]
                                         : read[m][0][n][c];
            mma(o[m][n], u_hi[m], b[2 * n], b[2 * n + 1]);
        }
    }
    const float *decay = reinterpret_cast<const float *>(stage + S::decay);
    const int tile_row = lane % 16, tile_unit = lane / 16;
#pragma unroll
    for (int step = 0; step < DK / 16; step++) {
        uint32_t e[4];
        load4_transposed(e, base + S::gate
                                + swizzled<DK / 8>(tile_row, step * 2 + tile_unit));
        /* e[0], e[1]: tokens 0-7, 8-15 of channels 0-7; e[2], e[3]: of channels 8-15 */
        const float2 d0 =
            *reinterpret_cast<const float2 *>(decay + step * 16 + lane % 4 * 2);
        const float2 d1 =
            *reinterpret_cast<const float2 *>(decay + step * 16 + 8 + lane % 4 * 2);
#pragma unroll
        for (int m = 0; m < MT; m++) {
            float(&s0)[4] = st.s[m][2 * step], (&s1)[4] = st.s[m][2 * step + 1];
            s0[0] *= d0.x;
            s0[1] *= d0.y;
            s0[2] *= d0.x;
            s0[3] *= d0.y;
            s1[0] *= d1.x;
            s1[1] *= d1.y;
            s1[2] *= d1.x;
            s1[3] *= d1.y;
            mma(s0, u_hi[m], e[0], e[1]);
            mma(s1, u_hi[m], e[2], e[3]);
            if (SPLIT & SPLIT_U) {
                mma(s0, u_lo[m], e[0], e[1]);
                mma(s1, u_lo[m], e[2], e[3]);
            }
        }
    }
}

/* O^T, two tiles of 8 tokens, to o[token][column]. */
template <int MT>
__device__ __forceinline__ void
store_output(__nv_bfloat16 *o, int64_t stride, int rows, const float (&acc)[MT][2][4],
             float scale, int lane)
{
#pragma unroll
    for (int m = 0; m < MT; m++)
#pragma unroll
        for (int n = 0; n < 2; n++) {
            const int token = n * 8 + lane / 4;
#pragma unroll
            for (int h = 0; h < 2; h++) {
                const uint32_t w = transpose8(
                    pack(acc[m][n][2 * h] * scale, acc[m][n][2 * h + 1] * scale));
                if (token < rows)
                    *reinterpret_cast<uint32_t *>(o + token * stride + m * 16 + 8 * h
                                                  + lane % 4 * 2) = w;
            }
        }
}

/* ---- the kernel ---------------------------------------------------------------------- */

/* APART: two consumers and the loader on sub-cores 0 and 1, producers on 2 and 3 (a warp's
 * sub-core is its number modulo 4): where few consumers carry the whole state, issue slots
 * taken by producers are what holds them up. */
template <int DK_, int DVS_, int MT_, int CONSUMERS_, int PRODUCERS_, int STAGES_,
          bool APART_ = false>
struct shape {
    static constexpr int DK = DK_, DVS = DVS_, MT = MT_, CONSUMERS = CONSUMERS_,
                         PRODUCERS = PRODUCERS_, STAGES = STAGES_;
    static constexpr bool APART = APART_;
    static constexpr int THREADS =
        APART ? 64 * PRODUCERS : 32 * (CONSUMERS + PRODUCERS + 1);
    static_assert(!APART || (CONSUMERS == 2 && PRODUCERS % 2 == 0 && PRODUCERS >= 4),
                  "sub-cores 0 and 1 hold two consumers and the loader");
    /* 0 .. CONSUMERS-1: consumer; then the producers; then the loader; then nothing */
    static __device__ __forceinline__ int
    role(int warp)
    {
        if (!APART)
            return warp;
        if (warp % 4 >= 2)
            return CONSUMERS + warp / 4 * 2 + warp % 4 - 2;
        return warp < 2    ? warp
               : warp == 4 ? CONSUMERS + PRODUCERS
                           : CONSUMERS + PRODUCERS + 1;
    }
    static constexpr int SHARED = STAGES * stage_layout<DK, DVS>::bytes
                                  + PRODUCERS * scratch_layout<DK>::bytes + 256
                                  + STAGES * 3 * 8;
    static_assert(CONSUMERS * MT * 16 == DVS, "consumers cover the slice");
    /* a stage always belongs to one producer: otherwise a parity wait can be one phase off */
    static_assert(STAGES % PRODUCERS == 0, "stages are shared out evenly");
};

template <class SH, int SPLIT, int GATE, bool SNAP>
__global__ void
__launch_bounds__(SH::THREADS, 1) chunk_kernel(const __grid_constant__ chunk_params p)
{
    constexpr int DK = SH::DK, DVS = SH::DVS, MT = SH::MT, STAGES = SH::STAGES;
    using S = stage_layout<DK, DVS>;
    extern __shared__ uint8_t raw_shared[];
    uint8_t *shared = raw_shared + (128 - shared_address(raw_shared) % 128) % 128;
    uint8_t *scratch = shared + STAGES * S::bytes;
    const uint32_t bars =
        shared_address(scratch + SH::PRODUCERS * scratch_layout<DK>::bytes);
    const auto raw_bar = [=](int s) { return bars + 8 * s; };
    const auto full_bar = [=](int s) { return bars + 8 * (STAGES + s); };
    const auto empty_bar = [=](int s) { return bars + 8 * (2 * STAGES + s); };
    const int warp = SH::role(threadIdx.x / 32), lane = threadIdx.x % 32;
    const int slice = blockIdx.x, head = blockIdx.y % p.heads, seq = blockIdx.y / p.heads;
    const int64_t start = p.cu_seqlens ? p.cu_seqlens[seq] : (int64_t)seq * p.tokens;
    const int64_t length = p.cu_seqlens ? p.cu_seqlens[seq + 1] - start : p.tokens;
    const int chunks = (int)((length + CHUNK - 1) / CHUNK);

    if (threadIdx.x == 0)
        for (int s = 0; s < STAGES; s++) {
            barrier_init(raw_bar(s), 32);
            barrier_init(full_bar(s), 32);
            barrier_init(empty_bar(s), 32 * SH::CONSUMERS);
        }
    __syncthreads();

    const int64_t kq_stride = (int64_t)p.heads * DK, v_stride = (int64_t)p.heads * p.dv;
    if (warp == SH::CONSUMERS + SH::PRODUCERS) {
        const uint8_t *k =
            reinterpret_cast<const uint8_t *>(p.k + start * kq_stride + head * DK);
        const uint8_t *q =
            reinterpret_cast<const uint8_t *>(p.q + start * kq_stride + head * DK);
        const uint8_t *g =
            reinterpret_cast<const uint8_t *>(p.gate + start * kq_stride + head * DK);
        const uint8_t *v = reinterpret_cast<const uint8_t *>(p.v + start * v_stride
                                                             + head * p.dv + slice * DVS);
        const float *beta = p.beta + start * p.heads + head;
        for (int c = 0; c < chunks; c++) {
            const int s = c % STAGES;
            const int rows = (int)min((int64_t)CHUNK, length - (int64_t)c * CHUNK);
            if (c >= STAGES)
                barrier_wait(empty_bar(s), (c / STAGES - 1) & 1);
            const uint32_t to = shared_address(shared + s * S::bytes);
            load_tile<DK / 8>(to + S::gate, g, kq_stride * 2, rows, lane);
            load_tile<DK / 8>(to + S::k, k, kq_stride * 2, rows, lane);
            load_tile<DK / 8>(to + S::q, q, kq_stride * 2, rows, lane);
            load_tile<DVS / 8>(to + S::v, v, v_stride * 2, rows, lane);
            if (lane < CHUNK)
                copy4(to + S::beta + lane * 4, beta + (lane < rows ? lane : 0) * p.heads,
                      lane < rows);
            arrive_when_copied(raw_bar(s));
            k += CHUNK * kq_stride * 2;
            q += CHUNK * kq_stride * 2;
            g += CHUNK * kq_stride * 2;
            v += CHUNK * v_stride * 2;
            beta += CHUNK * p.heads;
        }
    } else if (warp > SH::CONSUMERS + SH::PRODUCERS) {
        return;
    } else if (warp >= SH::CONSUMERS) {
        const int me = warp - SH::CONSUMERS;
        uint8_t *mine = scratch + me * scratch_layout<DK>::bytes;
        bool in_range = true;
        for (int c = me; c < chunks; c += SH::PRODUCERS) {
            const int s = c % STAGES;
            uint8_t *stage = shared + s * S::bytes;
            barrier_wait(raw_bar(s), (c / STAGES) & 1);
            const int64_t left = length - (int64_t)c * CHUNK;
            if (left < CHUNK)
                fill_gates<DK, GATE>(stage, (int)left, lane);
            in_range = scale_rows<DK, GATE>(stage, mine, lane) && in_range;
            __syncwarp();
            inner_products<DK, DVS>(stage, mine, lane);
            __syncwarp();
            invert<DK, DVS>(stage, mine, lane);
            __syncwarp();
            barrier_arrive(full_bar(s));
        }
        if (!in_range)
            *p.out_of_range = 1;
    } else {
        state<DK, MT> st;
        const int first = warp * MT * 16;
        const int64_t matrix = ((int64_t)seq * p.heads + head) * DK * p.dv;
        const int column0 = slice * DVS + first;
        const float grid = SNAP ? p.grid : 1.0f;
        for_each_entry<DK, MT>(lane, [&](int m, int tile, int c, int row, int ch) {
            const float x =
                p.initial ? p.initial[matrix + (int64_t)ch * p.dv + column0 + row] : 0.0f;
            st.s[m][tile][c] = SNAP ? rintf(x * grid) : x;
        });
        __nv_bfloat16 *o = p.o + start * v_stride + (int64_t)head * p.dv + column0;
        const float scale = SNAP ? p.scale / grid : p.scale;
        for (int c = 0; c < chunks; c++) {
            const int s = c % STAGES;
            float acc[MT][2][4];
            barrier_wait(full_bar(s), (c / STAGES) & 1);
            consume<DK, DVS, MT, SPLIT>(st, acc, shared + s * S::bytes, first, grid,
                                        lane);
            barrier_arrive(empty_bar(s));
            if (SNAP) {
                constexpr float magic = 0x1.8p23f; /* rint for |x| < 2^22 */
                for_each_entry<DK, MT>(lane, [&](int m, int tile, int c4, int, int) {
                    st.s[m][tile][c4] =
                        __fsub_rn(__fadd_rn(st.s[m][tile][c4], magic), magic);
                });
            }
            store_output<MT>(o, v_stride,
                             (int)min((int64_t)CHUNK, length - (int64_t)c * CHUNK), acc,
                             scale, lane);
            o += CHUNK * v_stride;
        }
        if (p.final_state)
            for_each_entry<DK, MT>(lane, [&](int m, int tile, int c, int row, int ch) {
                p.final_state[matrix + (int64_t)ch * p.dv + column0 + row] =
                    SNAP ? __fdiv_rn(st.s[m][tile][c], grid) : st.s[m][tile][c];
            });
    }
}

} // namespace ckda
#endif
