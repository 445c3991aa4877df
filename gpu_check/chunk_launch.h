/* Between the files of the two forward passes: chunk.cu checks arguments (of both) and chooses,
 * chunk_instances.cu launches. */
#ifndef CKDA_GPU_CHUNK_LAUNCH_H
#define CKDA_GPU_CHUNK_LAUNCH_H
#include <cuda_runtime.h>

#include "chunk_params.h"

namespace ckda
{

/* A code of ckda_gpu.h. */
int check_arguments(const ckda_gpu_chunk *c);
chunk_params make_params(const ckda_gpu_chunk *c);

/* width: columns of the state that one CTA carries, 16, 32 (dk = 128), 64 or 128. */
template <int DK, int PRECISION>
int launch_chunk(const ckda_gpu_chunk *c, const chunk_params &p, int width,
                 cudaStream_t stream);

} // namespace ckda
#endif
