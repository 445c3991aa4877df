/* What a launch of the chunked kernel gets; filled by chunk.cu from ckda_gpu_chunk. */
#ifndef CKDA_GPU_CHUNK_PARAMS_H
#define CKDA_GPU_CHUNK_PARAMS_H
#include <cuda_bf16.h>
#include <stdint.h>

#include "ckda_gpu.h"

namespace ckda
{

struct chunk_params {
    const __nv_bfloat16 *q, *k, *v, *gate;
    const float *beta;
    const float *initial;
    const int64_t *cu_seqlens;
    __nv_bfloat16 *o;
    float *final_state;
    int *out_of_range;
    int64_t tokens;
    int heads, dv;
    float scale, grid;
};

} // namespace ckda
#endif
