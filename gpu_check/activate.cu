/* What comes before the recurrence: gates and betas from logits, unit keys. */
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include "launch.cuh"

namespace ckda
{

static __device__ __nv_bfloat16
gate_word(float alpha, int kind)
{
    if (kind == CKDA_GPU_GATE_VALUE)
        return __float2bfloat16_rn(alpha);
    const float magnitude = -logf(fabsf(alpha));
    return __float2bfloat16_rn(signbit(alpha) ? -magnitude : magnitude);
}

static __global__ void
gates(__nv_bfloat16 *out, const __nv_bfloat16 *logit, int64_t n, float eps, int kind)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float r = tanhf(__bfloat162float(logit[i]));
    const float alpha = fmaf(1.0f - eps, fabsf(r), eps);
    out[i] = gate_word(r < 0 ? -alpha : alpha, kind);
}

static __global__ void
betas(float *out, const __nv_bfloat16 *logit, int64_t n)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 2.0f / (1.0f + expf(-__bfloat162float(logit[i])));
}

/* Sum of the squares of a row of d bf16, by one warp; the same in every lane. */
static __device__ float
row_norm(const __nv_bfloat16 *row, int d, int lane)
{
    float sum = 0;
    for (int i = lane; i < d; i += 32) {
        const float x = __bfloat162float(row[i]);
        sum = fmaf(x, x, sum);
    }
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, step);
    return sum;
}

static __global__ void
normalise(__nv_bfloat16 *out, const __nv_bfloat16 *in, int64_t rows, int d)
{
    const int64_t row = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    const float scale = rsqrtf(row_norm(in + row * d, d, lane) + 1e-6f);
    for (int i = lane; i < d; i += 32)
        out[row * d + i] = __float2bfloat16_rn(__bfloat162float(in[row * d + i]) * scale);
}

static __global__ void
divide_by_norm(float *beta, const __nv_bfloat16 *k, int64_t rows, int d)
{
    const int64_t row = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    const float norm = row_norm(k + row * d, d, lane);
    if (lane == 0)
        beta[row] = norm > 0 ? __fdiv_rn(beta[row], norm) : 0.0f;
}

} // namespace ckda

using ckda::blocks;

extern "C" int
ckda_gpu_beta_from_keys(float *beta, const void *k, int64_t rows, int dk, void *stream)
{
    if (rows < 0 || dk <= 0)
        return CKDA_GPU_E_SHAPE;
    if (beta == nullptr || k == nullptr)
        return CKDA_GPU_E_POINTER;
    if (rows > 0)
        ckda::divide_by_norm<<<blocks(rows * 32), 256, 0,
                               static_cast<cudaStream_t>(stream)>>>(
            beta, static_cast<const __nv_bfloat16 *>(k), rows, dk);
    return ckda::launch_status();
}

extern "C" int
ckda_gpu_activate(const ckda_gpu_activation *a, void *stream_)
{
    const auto stream = static_cast<cudaStream_t>(stream_);
    const auto bf16 = [](const void *p) { return static_cast<const __nv_bfloat16 *>(p); };
    if (a == nullptr || a->rows < 0 || a->dk <= 0)
        return CKDA_GPU_E_SHAPE;
    if (!(a->eps >= 0 && a->eps <= 1) || a->gate_kind < CKDA_GPU_GATE_VALUE
        || a->gate_kind > CKDA_GPU_GATE_LOG)
        return CKDA_GPU_E_RANGE;
    if (a->rows == 0)
        return CKDA_GPU_OK;
    if (a->gate_logit && a->gate)
        ckda::gates<<<blocks(a->rows * a->dk), 256, 0, stream>>>(
            static_cast<__nv_bfloat16 *>(a->gate), bf16(a->gate_logit), a->rows * a->dk,
            a->eps, a->gate_kind);
    if (a->beta_logit && a->beta)
        ckda::betas<<<blocks(a->rows), 256, 0, stream>>>(a->beta, bf16(a->beta_logit),
                                                         a->rows);
    if (a->q_raw && a->q)
        ckda::normalise<<<blocks(a->rows * 32), 256, 0, stream>>>(
            static_cast<__nv_bfloat16 *>(a->q), bf16(a->q_raw), a->rows, a->dk);
    if (a->k_raw && a->k)
        ckda::normalise<<<blocks(a->rows * 32), 256, 0, stream>>>(
            static_cast<__nv_bfloat16 *>(a->k), bf16(a->k_raw), a->rows, a->dk);
    return ckda::launch_status();
}
