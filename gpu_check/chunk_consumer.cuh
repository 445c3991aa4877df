/* The consumers of the chunked kernel (chunk_kernel.cuh): the state, its products with the
 * rows of a chunk, U, O and the state after the chunk. */
#ifndef CKDA_GPU_CHUNK_CONSUMER_CUH
#define CKDA_GPU_CHUNK_CONSUMER_CUH
#include "chunk_stage.cuh"

namespace ckda
{

/* ---- what a warp holds --------------------------------------------------------------- */

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

/* S^T k^T and S^T q^T.  Two sums where registers allow, so that products wait less for one
 * another: of the leading and the second term, or of even and odd steps. */
template <int MT> struct products {
    static constexpr int CHAINS = MT == 1 ? 2 : 1;
    float k[MT][CHAINS][2][4], q[MT][CHAINS][2][4];
};

template <int MT> struct pairs {
    uint32_t hi[MT][4], lo[MT][4];
};

/* Where a lane reads within a stage: worked out once, since what a chunk costs is counted in
 * instructions. */
template <int DK, int DVS, int MT, bool PAIRS> struct places {
    using S = stage_layout<DK, DVS, PAIRS>;
    static constexpr int OWN = DK / 16 < 4 ? DK / 16 : 4; /* later steps: 128 bytes on */
    uint32_t row[OWN], column[OWN], square, v[MT], decay;

    __device__ __forceinline__
    places(int lane, int first_column)
    {
        /* right operands: rows of both 8-row halves; transposed: the 16 tokens */
        const int r = lane % 8 + (lane & 16 ? 8 : 0), unit = (lane >> 3) & 1;
#pragma unroll
        for (int i = 0; i < OWN; i++) {
            row[i] = kept(swizzled<DK / 8>(r, i * 2 + unit));
            column[i] = kept(swizzled<DK / 8>(lane % 16, i * 2 + lane / 16));
        }
#pragma unroll
        for (int m = 0; m < MT; m++)
            v[m] = kept(S::v + swizzled<DVS / 8>(r, first_column / 8 + m * 2 + unit));
        square = kept((uint32_t)(r * T_STRIDE * 2 + unit * 16));
        decay = kept((uint32_t)(S::decay + lane % 4 * 8));
    }
    __device__ __forceinline__ uint32_t
    k(int step) const
    {
        return row[step % OWN] + (uint32_t)(S::k + step / OWN * 128);
    }
    __device__ __forceinline__ uint32_t
    q(int step) const
    {
        return row[step % OWN] + (uint32_t)(S::q + step / OWN * 128);
    }
    __device__ __forceinline__ uint32_t
    k_end(int step) const
    {
        return column[step % OWN] + (uint32_t)(S::gate + step / OWN * 128);
    }
};

/* ---- steps --------------------------------------------------------------------------- */

/* Adds the products of channels 16 step .. 16 step + 15. */
template <int DK, int DVS, int MT, int SPLIT>
__device__ __forceinline__ void
multiply_state(products<MT> &p, const state<DK, MT> &st, int step, uint32_t stage,
               const places<DK, DVS, MT, SPLIT != 0> &at)
{
    constexpr int LAST = products<MT>::CHAINS - 1;
    uint32_t k[4], q[4];
    load4(k, stage + at.k(step));
    load4(q, stage + at.q(step));
#pragma unroll
    for (int m = 0; m < MT; m++) {
        const float(&s0)[4] = st.s[m][2 * step], (&s1)[4] = st.s[m][2 * step + 1];
        const uint32_t hi[4] = {pack(s0[0], s0[1]), pack(s0[2], s0[3]),
                                pack(s1[0], s1[1]), pack(s1[2], s1[3])};
        const int k_chain = SPLIT & SPLIT_S ? 0 : step % (LAST + 1);
        mma(p.k[m][k_chain][0], hi, k[0], k[1]);
        mma(p.k[m][k_chain][1], hi, k[2], k[3]);
        mma(p.q[m][step % (LAST + 1)][0], hi, q[0], q[1]);
        mma(p.q[m][step % (LAST + 1)][1], hi, q[2], q[3]);
        if (SPLIT & SPLIT_S) {
            const uint32_t lo[4] = {
                pack_rest(s0[0], s0[1], hi[0]), pack_rest(s0[2], s0[3], hi[1]),
                pack_rest(s1[0], s1[1], hi[2]), pack_rest(s1[2], s1[3], hi[3])};
            mma(p.k[m][LAST][0], lo, k[0], k[1]);
            mma(p.k[m][LAST][1], lo, k[2], k[3]);
        }
    }
}

/* X = V v_scale - k^ S of one tile, in the layout of a left operand. */
template <int MT>
__device__ __forceinline__ void
subtract(float (&x)[2][4], const products<MT> &p, int m, const uint32_t (&v)[4],
         float v_scale)
{
    constexpr int LAST = products<MT>::CHAINS - 1;
#pragma unroll
    for (int n = 0; n < 2; n++)
#pragma unroll
        for (int h = 0; h < 2; h++) {
            float y0 = p.k[m][0][n][2 * h], y1 = p.k[m][0][n][2 * h + 1];
            if (LAST > 0) {
                y0 += p.k[m][LAST][n][2 * h];
                y1 += p.k[m][LAST][n][2 * h + 1];
            }
            const uint32_t w = v[2 * n + h];
            x[n][2 * h] = fmaf(low(w), v_scale, -y0);
            x[n][2 * h + 1] = fmaf(high(w), v_scale, -y1);
        }
}

/* U = T X, packed. */
template <int DK, int DVS, int MT, int SPLIT>
__device__ __forceinline__ void
solve(pairs<MT> &u, const products<MT> &p, uint32_t stage,
      const places<DK, DVS, MT, SPLIT != 0> &at, float v_scale)
{
    using S = stage_layout<DK, DVS, SPLIT != 0>;
    uint32_t t_hi[4], t_lo[4];
    load4(t_hi, stage + S::t_hi + at.square);
    if (SPLIT & SPLIT_X)
        load4(t_lo, stage + S::t_lo + at.square);
#pragma unroll
    for (int m = 0; m < MT; m++) {
        /* v[0]: columns 0-7, tokens 0-7; v[1]: 8-15, 0-7; v[2]: 0-7, 8-15; v[3]: both 8- */
        uint32_t v[4];
        load4_transposed(v, stage + at.v[m]);
        float x[2][4];
        subtract<MT>(x, p, m, v, v_scale);
        const uint32_t x_hi[4] = {pack(x[0][0], x[0][1]), pack(x[0][2], x[0][3]),
                                  pack(x[1][0], x[1][1]), pack(x[1][2], x[1][3])};
        float a[2][4] = {}, rest[2][4] = {};
        mma(a[0], x_hi, t_hi[0], t_hi[1]);
        mma(a[1], x_hi, t_hi[2], t_hi[3]);
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
                float a0 = a[n][2 * h], a1 = a[n][2 * h + 1];
                if (SPLIT & SPLIT_X) {
                    a0 += rest[n][2 * h];
                    a1 += rest[n][2 * h + 1];
                }
                u.hi[m][2 * n + h] = pack(a0, a1);
                u.lo[m][2 * n + h] = pack_rest(a0, a1, u.hi[m][2 * n + h]);
            }
    }
}

/* O starts as q^ S. */
template <int MT>
__device__ __forceinline__ void
start_output(float (&o)[MT][2][4], const products<MT> &p)
{
    constexpr int LAST = products<MT>::CHAINS - 1;
#pragma unroll
    for (int m = 0; m < MT; m++)
#pragma unroll
        for (int n = 0; n < 2; n++)
#pragma unroll
            for (int c = 0; c < 4; c++)
                o[m][n][c] =
                    LAST > 0 ? p.q[m][0][n][c] + p.q[m][LAST][n][c] : p.q[m][0][n][c];
}

/* O += one term of B U: hi hi, lo hi, hi lo. */
template <int DK, int DVS, int MT, int SPLIT>
__device__ __forceinline__ void
add_output(float (&o)[MT][2][4], const pairs<MT> &u, int term, uint32_t stage,
           const places<DK, DVS, MT, SPLIT != 0> &at)
{
    using S = stage_layout<DK, DVS, SPLIT != 0>;
    uint32_t b[4];
    load4(b, stage + (term == 2 ? S::b_lo : S::b_hi) + at.square);
#pragma unroll
    for (int m = 0; m < MT; m++)
#pragma unroll
        for (int n = 0; n < 2; n++)
            mma(o[m][n], term == 1 ? u.lo[m] : u.hi[m], b[2 * n], b[2 * n + 1]);
}

/* S' = E_16 S + k_end^T U of channels 16 step .. 16 step + 15. */
template <int DK, int DVS, int MT, int SPLIT, bool SNAP>
__device__ __forceinline__ void
advance_state(state<DK, MT> &st, const pairs<MT> &u, int step, uint32_t stage,
              const places<DK, DVS, MT, SPLIT != 0> &at)
{
    uint32_t e[4];
    load4_transposed(e, stage + at.k_end(step));
    /* e[0], e[1]: tokens 0-7, 8-15 of channels 0-7; e[2], e[3]: of channels 8-15 */
    const uint32_t decay = stage + at.decay + (uint32_t)step * 64;
    const float2 d[2] = {load_pair(decay), load_pair(decay + 32)};
#pragma unroll
    for (int m = 0; m < MT; m++) {
#pragma unroll
        for (int half = 0; half < 2; half++) {
            float(&s)[4] = st.s[m][2 * step + half];
            s[0] *= d[half].x;
            s[1] *= d[half].y;
            s[2] *= d[half].x;
            s[3] *= d[half].y;
        }
#pragma unroll
        for (int half = 0; half < 2; half++)
            mma(st.s[m][2 * step + half], u.hi[m], e[2 * half], e[2 * half + 1]);
        if (SPLIT & SPLIT_U)
#pragma unroll
            for (int half = 0; half < 2; half++)
                mma(st.s[m][2 * step + half], u.lo[m], e[2 * half], e[2 * half + 1]);
        if (SNAP) {
            constexpr float magic = 0x1.8p23f; /* rint for |x| < 2^22 */
#pragma unroll
            for (int half = 0; half < 2; half++)
#pragma unroll
                for (int c = 0; c < 4; c++) {
                    float &s = st.s[m][2 * step + half][c];
                    s = __fsub_rn(__fadd_rn(s, magic), magic);
                }
        }
    }
}

/* O^T, two tiles of 8 tokens.  row[n]: where this lane's columns of token lane / 4 + 8 n go;
 * exists[n]: is there such a token. */
template <int MT>
__device__ __forceinline__ void
store_output(__nv_bfloat16 *const (&row)[2], const bool (&exists)[2],
             const float (&acc)[MT][2][4], float scale)
{
#pragma unroll
    for (int m = 0; m < MT; m++)
#pragma unroll
        for (int n = 0; n < 2; n++)
#pragma unroll
            for (int h = 0; h < 2; h++) {
                const uint32_t w = transpose8(
                    pack(acc[m][n][2 * h] * scale, acc[m][n][2 * h + 1] * scale));
                if (exists[n])
                    *reinterpret_cast<uint32_t *>(row[n] + m * 16 + 8 * h) = w;
            }
}

} // namespace ckda
#endif
