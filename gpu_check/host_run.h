/* host_run.h -- one forward pass on arrays of the host. */
#ifndef CKDA_GPU_HOST_RUN_H
#define CKDA_GPU_HOST_RUN_H
#include <stdbool.h>

#include "ckda_gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/* c as in ckda_gpu.h, but every pointer is host memory; out_of_range, o and final_state are
 * written (final_state may be NULL, cu_seqlens must be).  A code of ckda_gpu.h. */
int ckda_gpu_host_forward(const ckda_gpu_chunk *c, bool recurrent);

#ifdef __cplusplus
}
#endif
#endif
