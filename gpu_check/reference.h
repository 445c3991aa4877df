/* The recurrence in double precision, for the checks of ckda-gpu: a stand-in, not the exact
 * answer (that is `ckda audit --trace` on a dump). */
#ifndef CKDA_GPU_REFERENCE_H
#define CKDA_GPU_REFERENCE_H
#include "ckda_gpu.h"

/* o (double, may be NULL) and final_state as in ckda_gpu.h, from the same inputs. */
int ckda_gpu_reference(const ckda_gpu_chunk *c, double *final_state, double *o,
                       void *stream);

#endif
