/* Between chunk.cu, which checks and chooses, and chunk_instances.cu, which launches. */
#ifndef CKDA_GPU_CHUNK_LAUNCH_H
#define CKDA_GPU_CHUNK_LAUNCH_H
#include <cuda_runtime.h>

#include "chunk_params.h"

namespace ckda
{

/* width: columns of the state that one CTA carries, 16, 32 (dk = 128), 64 or 128. */
template <int DK, int PRECISION>
int launch_chunk(const ckda_gpu_chunk *c, const chunk_params &p, int width,
                 cudaStream_t stream);

} // namespace ckda
#endif
