/* The recurrent forward pass, and the double-precision stand-in of the checks. */
#include <cuda_runtime.h>

#include "chunk_launch.h"
#include "launch.cuh"
#include "recurrent_kernel.cuh"
#include "reference.h"

namespace ckda
{

template <typename REAL, typename STATE, typename OUT>
static int
run(const ckda_gpu_chunk *c, STATE *state, OUT *out, cudaStream_t stream)
{
    const chunk_params p = make_params(c);
    const dim3 grid((unsigned)(c->dv / COLUMNS), (unsigned)(c->sequences * c->heads));
    switch (c->dk) {
    case 16:
        recurrent_kernel<16, REAL>
            <<<grid, RECURRENT_THREADS, 0, stream>>>(p, c->gate_kind, state, out);
        break;
    case 64:
        recurrent_kernel<64, REAL>
            <<<grid, RECURRENT_THREADS, 0, stream>>>(p, c->gate_kind, state, out);
        break;
    default:
        recurrent_kernel<128, REAL>
            <<<grid, RECURRENT_THREADS, 0, stream>>>(p, c->gate_kind, state, out);
    }
    return launch_status();
}

} // namespace ckda

extern "C" int
ckda_gpu_recurrent_forward(const ckda_gpu_chunk *c, void *stream)
{
    const int code = ckda::check_arguments(c);
    if (code != CKDA_GPU_OK || c->sequences == 0)
        return code;
    return ckda::run<float>(c, c->final_state, static_cast<__nv_bfloat16 *>(c->o),
                            static_cast<cudaStream_t>(stream));
}

int
ckda_gpu_reference(const ckda_gpu_chunk *c, double *final_state, double *o, void *stream)
{
    const int code = ckda::check_arguments(c);
    if (code != CKDA_GPU_OK || c->sequences == 0)
        return code;
    return ckda::run<double>(c, final_state, o, static_cast<cudaStream_t>(stream));
}
