/* What the files of this room share. */
#ifndef CKDA_SWEEP_INTERNAL_H
#define CKDA_SWEEP_INTERNAL_H
#include "ckda/sweep.h"

enum { SWEEP_ALPHA, SWEEP_BETA, SWEEP_SECOND, SWEEP_COS2, SWEEP_VALUES };

/* One transition, and room to decide it. */
typedef struct {
    const ckda_field_struct *K;
    ckda_elem_struct value[SWEEP_VALUES];
    ckda_elem_t trace, det, disc, x, y, z;
} sweep_cell;
void sweep_cell_init(sweep_cell *c, const ckda_field_t K);
void sweep_cell_clear(sweep_cell *c);
/* *twice: did the second way apply?  That the two agree is a requirement. */
ckda_sweep_kind sweep_decide(bool *twice, sweep_cell *c);
ckda_sweep_kind sweep_decide_any(bool *twice, sweep_cell *c);

#endif
