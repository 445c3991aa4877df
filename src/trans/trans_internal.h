/* What the files of this room share. */
#ifndef CKDA_TRANS_INTERNAL_H
#define CKDA_TRANS_INTERNAL_H
#include "ckda/trans.h"

/* The closed ranges of a family, all with whole ends. */
typedef struct {
    const char *name;
    int gate_lo, gate_hi;
    int beta_hi; /* beta_lo is 0 in every family */
    bool scalar_gate, many_steps;
} family_ranges;
const family_ranges *family_get(ckda_family f);

#define trans_key(t, j) ((t)->key + (j) * (t)->n)

/* s = w^T w. */
void norm_squared(ckda_elem_t s, const ckda_elem_struct *w, slong n,
                  const ckda_field_t K);

#endif
