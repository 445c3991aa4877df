/* The recurrence token by token.  Four lanes share a column of the state; each keeps a
 * quarter of the channels in registers.  REAL is float for the forward pass that has no
 * limit on gates, double for the stand-in reference of the checks.                      */
#ifndef CKDA_GPU_RECURRENT_KERNEL_CUH
#define CKDA_GPU_RECURRENT_KERNEL_CUH
#include <cuda_bf16.h>
#include <stdint.h>

#include "chunk_params.h"

namespace ckda
{

enum { ROWS = 16, COLUMNS = 16, RECURRENT_THREADS = COLUMNS * 4 };

template <typename REAL>
__device__ __forceinline__ REAL
gate_of(__nv_bfloat16 word, int kind)
{
    const float x = __bfloat162float(word);
    if (kind == CKDA_GPU_GATE_VALUE)
        return x;
    const REAL magnitude =
        sizeof(REAL) == 8 ? (REAL)exp(-fabs((double)x)) : (REAL)expf(-fabsf(x));
    return signbit(x) ? -magnitude : magnitude;
}

template <typename REAL>
__device__ __forceinline__ REAL
sum_of_four(REAL x)
{
    x += __shfl_xor_sync(0xffffffffu, x, 1);
    return x + __shfl_xor_sync(0xffffffffu, x, 2);
}

/* STATE, OUT: types of the final state and of o in memory. */
template <int DK, typename REAL, typename STATE, typename OUT>
__global__ void
__launch_bounds__(RECURRENT_THREADS)
    recurrent_kernel(const chunk_params p, int gate_kind, STATE *final_state, OUT *out)
{
    constexpr int MINE = DK / 4;
    __shared__ REAL k_row[ROWS][DK], q_row[ROWS][DK], alpha_row[ROWS][DK];
    const int head = blockIdx.y % p.heads, seq = blockIdx.y / p.heads;
    const int part = threadIdx.x % 4, column = blockIdx.x * COLUMNS + threadIdx.x / 4;
    const int64_t start = p.cu_seqlens ? p.cu_seqlens[seq] : (int64_t)seq * p.tokens;
    const int64_t length = p.cu_seqlens ? p.cu_seqlens[seq + 1] - start : p.tokens;
    const int64_t matrix = ((int64_t)seq * p.heads + head) * DK * p.dv + column;
    REAL h[MINE];
#pragma unroll
    for (int i = 0; i < MINE; i++) {
        h[i] = p.initial ? (REAL)p.initial[matrix + (int64_t)(4 * i + part) * p.dv]
                         : (REAL)0;
        if (p.grid > 0)
            h[i] = rint(h[i] * (REAL)p.grid);
    }
    const REAL unit = p.grid > 0 ? (REAL)p.grid : (REAL)1;
    for (int64_t t0 = 0; t0 < length; t0 += ROWS) {
        const int rows = (int)min((int64_t)ROWS, length - t0);
        __syncthreads();
        for (int i = threadIdx.x; i < rows * DK; i += RECURRENT_THREADS) {
            const int row = i / DK, c = i % DK;
            const int64_t at = ((start + t0 + row) * p.heads + head) * DK + c;
            k_row[row][c] = (REAL)__bfloat162float(p.k[at]);
            q_row[row][c] = (REAL)__bfloat162float(p.q[at]);
            alpha_row[row][c] = gate_of<REAL>(p.gate[at], gate_kind);
        }
        __syncthreads();
        for (int row = 0; row < rows; row++) {
            const int64_t token = (start + t0 + row) * p.heads + head;
            REAL dot = 0, read = 0;
#pragma unroll
            for (int i = 0; i < MINE; i++) {
                h[i] *= alpha_row[row][4 * i + part];
                dot += k_row[row][4 * i + part] * h[i];
            }
            dot = sum_of_four(dot);
            const REAL beta = (REAL)p.beta[token];
            const REAL v = (REAL)__bfloat162float(p.v[token * p.dv + column]) * unit;
            const REAL write = beta * (v - dot);
#pragma unroll
            for (int i = 0; i < MINE; i++) {
                h[i] += k_row[row][4 * i + part] * write;
                if (p.grid > 0)
                    h[i] = rint(h[i]);
                read += q_row[row][4 * i + part] * h[i];
            }
            read = sum_of_four(read);
            if (part == 0 && out)
                out[token * p.dv + column] = (OUT)(read * ((REAL)p.scale / unit));
        }
    }
#pragma unroll
    for (int i = 0; i < MINE; i++)
        if (final_state)
            final_state[matrix + (int64_t)(4 * i + part) * p.dv] = (STATE)(h[i] / unit);
}

} // namespace ckda
#endif
