/* Random inputs of the kernels, made on the device: functions of a seed and a place alone. */
#ifndef CKDA_GPU_RANDOM_INPUTS_CUH
#define CKDA_GPU_RANDOM_INPUTS_CUH
#include <cuda_bf16.h>
#include <math.h>

#include "ckda_gpu.h"
#include "device_memory.cuh"
#include "launch.cuh"
#include "letters.h"
#include "measure.h"

namespace ckda
{

/* Uniform in (0, 1), a function of (seed, stream, i) alone. */
static __device__ float
uniform(uint64_t seed, uint64_t stream, uint64_t i)
{
    return ((float)(ckda_gpu_mix(ckda_gpu_mix(seed * 1000003u + stream) ^ i) >> 40)
            + 0.5f)
           * 0x1p-24f;
}

static __device__ float
normal(uint64_t seed, uint64_t stream, uint64_t i)
{
    return sqrtf(-2.0f * logf(uniform(seed, stream, 2 * i)))
           * cospif(2.0f * uniform(seed, stream, 2 * i + 1));
}

static __device__ float
sigmoid(float x)
{
    return 1.0f / (1.0f + expf(-x));
}

/* ln |alpha| of the i-th gate, and its sign. */
static __device__ float
gate_number(ckda_gpu_regime regime, uint64_t seed, int64_t i, int d, int heads,
            bool *negative)
{
    const int64_t channel = i % ((int64_t)d * heads);
    *negative = uniform(seed, 7, i) < 0.5f;
    const float decay =
        -5.0f
        * sigmoid(expf(0.1f * normal(seed, 5, channel / d))
                  * (normal(seed, 4, i) - 1.0f - 6.0f * uniform(seed, 6, channel)));
    switch (regime) {
    case CKDA_GPU_DECAYING:
        *negative = false;
        return decay;
    case CKDA_GPU_DECAYING_SIGNED:
        return decay;
    case CKDA_GPU_MIXED:
        return channel % 2 ? 0.0f : decay;
    case CKDA_GPU_FAST:
        return -5.0f;
    case CKDA_GPU_REFLECT:
    case CKDA_GPU_EQUAL_BLOCKS:
        return 0.0f;
    case CKDA_GPU_EQUAL_DECAYING:
        *negative = false;
        return -0.01f;
    default:
        *negative = false;
        return 0.0f;
    }
}

static __global__ void
fill_gates(__nv_bfloat16 *out, int64_t n, ckda_gpu_regime regime, int d, int heads,
           int kind, bool unsigned_only, uint64_t seed)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    bool negative;
    const float log_gate = gate_number(regime, seed, i, d, heads, &negative);
    const float x = kind == CKDA_GPU_GATE_LOG ? -log_gate : expf(log_gate);
    out[i] = __float2bfloat16_rn(negative && !unsigned_only ? -x : x);
}

/* Unit rows, one warp each; the row's number is divided by `repeat` first, so that neighbours are equal. */
static __global__ void
fill_units(__nv_bfloat16 *out, int64_t rows, int d, int heads, int64_t repeat,
           uint64_t seed, uint64_t stream)
{
    const int64_t row = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    const int64_t source = row / heads / repeat * heads + row % heads;
    float sum = 0;
    for (int i = lane; i < d; i += 32) {
        const float x = normal(seed, stream, source * d + i);
        sum += x * x;
    }
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, s);
    for (int i = lane; i < d; i += 32)
        out[row * d + i] =
            __float2bfloat16_rn(normal(seed, stream, source * d + i) * rsqrtf(sum));
}

static __global__ void
fill_normal(__nv_bfloat16 *out, int64_t n, uint64_t seed, uint64_t stream)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = __float2bfloat16_rn(normal(seed, stream, i));
}

static __global__ void
fill_floats(float *out, int64_t n, float mean, float spread, uint64_t seed,
            uint64_t stream)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = mean + spread * normal(seed, stream, i);
}

static __global__ void
fill_betas(float *out, int64_t n, float factor, uint64_t seed)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = factor * sigmoid(normal(seed, 9, i));
}

struct inputs {
    __nv_bfloat16 *q, *k, *v, *gate;
    float *beta, *initial;
};

struct sizes {
    int64_t rows, states; /* tokens in all, sequences * heads */
    int heads, dk, dv;
};

inline inputs
make_inputs(device_memory &a, const sizes &z, ckda_gpu_regime regime, int gate_kind,
            bool unsigned_only, uint64_t seed)
{
    inputs in;
    const int64_t rows = z.rows * z.heads;
    in.q = a.get<__nv_bfloat16>(rows * z.dk);
    in.k = a.get<__nv_bfloat16>(rows * z.dk);
    in.v = a.get<__nv_bfloat16>(rows * z.dv);
    in.gate = a.get<__nv_bfloat16>(rows * z.dk);
    in.beta = a.get<float>(rows);
    in.initial = a.get<float>(z.states * z.dk * z.dv);
    if (a.failed)
        return in;
    const int64_t repeat = regime == CKDA_GPU_EQUAL || regime == CKDA_GPU_EQUAL_DECAYING
                               ? INT64_C(1) << 40
                           : regime == CKDA_GPU_EQUAL_BLOCKS ? 8
                                                             : 1;
    fill_units<<<blocks(rows * 32), 256>>>(in.q, rows, z.dk, z.heads, 1, seed, 1);
    fill_units<<<blocks(rows * 32), 256>>>(in.k, rows, z.dk, z.heads, repeat, seed, 2);
    fill_normal<<<blocks(rows * z.dv), 256>>>(in.v, rows * z.dv, seed, 3);
    fill_gates<<<blocks(rows * z.dk), 256>>>(in.gate, rows * z.dk, regime, z.dk, z.heads,
                                             gate_kind, unsigned_only, seed);
    const bool orthogonal = regime >= CKDA_GPU_REFLECT;
    if (orthogonal) {
        fill_floats<<<blocks(rows), 256>>>(in.beta, rows, 2.0f, 0.0f, seed, 10);
        ckda_gpu_beta_from_keys(in.beta, in.k, rows, z.dk, nullptr);
    } else {
        const bool wide = regime == CKDA_GPU_MIXED || regime == CKDA_GPU_FAST;
        fill_betas<<<blocks(rows), 256>>>(in.beta, rows, wide ? 2.0f : 1.0f, seed);
    }
    fill_floats<<<blocks(z.states * z.dk * z.dv), 256>>>(
        in.initial, z.states * z.dk * z.dv, 0.0f, 1.0f, seed, 11);
    return in;
}

/* A call on these inputs; where the results go and the options are still to be named. */
inline ckda_gpu_chunk
job_on(const inputs &in, const sizes &z, int64_t sequences, int64_t tokens)
{
    ckda_gpu_chunk job = {};
    job.sequences = sequences;
    job.tokens = tokens;
    job.heads = z.heads;
    job.dk = z.dk;
    job.dv = z.dv;
    job.q = in.q;
    job.k = in.k;
    job.v = in.v;
    job.gate = in.gate;
    job.beta = in.beta;
    job.initial = in.initial;
    job.scale = 1.0f / sqrtf((float)z.dk);
    return job;
}

} // namespace ckda
#endif
