/* Shared memory of the chunked kernel: a ring of stages, and the scratch of the producers. */
#ifndef CKDA_GPU_CHUNK_STAGE_CUH
#define CKDA_GPU_CHUNK_STAGE_CUH
#include <stdint.h>

#include "chunk_params.h"
#include "chunk_ptx.cuh"

namespace ckda
{

enum { CHUNK = 16 };
/* Which operands go as two bf16 terms (hi + lo): the state in k^ S; the factors T and X; U and
 * the inner products B, wherever they are used. */
enum { SPLIT_S = 1, SPLIT_X = 2, SPLIT_U = 4 };
enum { T_STRIDE = 24 }; /* bf16 a row of T and B: 48 bytes, free of bank conflicts */

/* Rows of UNITS 16-byte units; the unit's place is turned by the row so that eight rows
 * of one unit column lie in different banks. */
template <int UNITS>
__device__ __forceinline__ uint32_t
swizzled(int row, int unit)
{
    constexpr int W = UNITS < 8 ? UNITS : 8;
    return (uint32_t)(row * UNITS + (unit ^ ((row / (8 / W)) & (W - 1)))) * 16;
}

/* PAIRS: T and B in two terms. */
template <int DK, int DVS, bool PAIRS> struct stage_layout {
    static constexpr int square = CHUNK * T_STRIDE * 2;
    static constexpr int k = 0;                         /* k, then k^ */
    static constexpr int q = k + CHUNK * DK * 2;        /* q, then q^ */
    static constexpr int gate = q + CHUNK * DK * 2;     /* gates, then k_end */
    static constexpr int decay = gate + CHUNK * DK * 2; /* E_16, fp32 */
    static constexpr int t_hi = decay + DK * 4;
    static constexpr int b_hi = t_hi + square;
    static constexpr int t_lo = b_hi + square;
    static constexpr int b_lo = t_lo + (PAIRS ? square : 0);
    static constexpr int beta = b_lo + (PAIRS ? square : 0);
    static constexpr int v = beta + CHUNK * 4; /* last: the only one that knows DVS */
    static constexpr int bytes = (v + CHUNK * DVS * 2 + 127) / 128 * 128;
};

template <int DK> struct scratch_layout { /* of one producer */
    static constexpr int kv = 0;
    static constexpr int a = kv + CHUNK * DK * 2; /* fp32, rows of 16 */
    static constexpr int bytes = a + CHUNK * CHUNK * 4;
};

} // namespace ckda
#endif
