/* What judge.c and result.c share. */
#ifndef CKDA_SRC_TRACE_JUDGE_INTERNAL_H
#define CKDA_SRC_TRACE_JUDGE_INTERNAL_H
#include "trace_internal.h"

/* Sums while the answer comes in, head by head and block by block. */
typedef struct {
    double *e2, *r2;           /* [T]: squared errors and answers, all heads */
    double *head_e2, *head_r2; /* [B * H] */
    double rounding2;          /* squared error of the exact answer rounded */
    double radius2;            /* squared radii of all numbers */
    bool *broken;              /* [T]: has a non-finite number */
    /* final state: [K,V] and [V,K] readings */
    double f_e2[2], f_bound2, f_radius2;
    bool f_broken;
    ckda_token_class f_class[2];
    uint64_t f_b[2], f_h[2], f_c[2];
} kernel_sums;

typedef struct {
    const ckda_trace *tr;
    ckda_trace_result *r;
    kernel_sums *sum; /* [nkernels] */
    uint64_t b, h;    /* at hand */
    double f_r2;      /* squared final states */
    words_run *words;
} judging;

void sums_init(kernel_sums *s, const ckda_trace *tr);
void sums_clear(kernel_sums *s);
/* From the sums to the figures of a result. */
void finish_kernel(ckda_trace_kernel *k, const kernel_sums *s, const ckda_trace *tr,
                   double final_r2);
void finish_radius(ckda_trace_result *r, const judging *j);
void finish_pairs(ckda_trace_result *r, const ckda_trace *tr);

#endif
