/* finding.h -- what one row of `ckda-gpu audit` came to, and how it is printed. */
#ifndef CKDA_GPU_FINDING_H
#define CKDA_GPU_FINDING_H
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "row.h"
#include "words.h"

typedef struct {
    uint64_t words, length, seed, every;
    const gpu_row *row;
    const gpu_system *s;
    uint64_t checkpoint[CKDA_GPU_MAX_CHECKPOINTS];
    uint32_t ncheckpoints;
    float *drift;
    uint64_t *first;
    double seconds, kernel_seconds;
    /* the kernels only */
    float *worst_row, *state;
    uint64_t *first_row;
    uint32_t *exact;
    bool out_of_range;
    uint64_t final_wrong; /* words whose last state decodes wrongly, decided exactly */
    uint64_t mistaken;    /* words whose exact state is not the host's: never */
} gpu_finding;

void gpu_finding_print(const gpu_finding *f);
json_t *gpu_finding_json(const gpu_finding *f); /* a row of ckda.gpu-audit/1 */

#endif
