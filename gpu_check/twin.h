/* twin.h -- the word kernels on the host: the same words, the same bits, by the code that
 * `ckda audit` rests on (ckda_rounded_step, the tracker's table and decoder).             */
#ifndef CKDA_GPU_TWIN_H
#define CKDA_GPU_TWIN_H
#include "ckda/rounded.h"
#include "ckda/tracker.h"

#include "words.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    bool definition; /* ckda_rounded_step_definition in place of ckda_rounded_step */
    int threads;     /* 0: as OpenMP decides */
} ckda_gpu_twin_options;

/* Fills r as ckda_gpu_run_words does for w, from t and R; of w->a nothing is read.  Bits of
 * final_state, prefix_hash and final_exact are those of the kernels.  first_wrong is decided
 * exactly here, so it can differ where a state ties to 1e-12; drift and worst are doubles
 * rounded to float. */
void ckda_gpu_twin_words(ckda_gpu_words_result *r, const ckda_gpu_words *w,
                         const ckda_tracker_t t, const ckda_rounded_t R,
                         const ckda_gpu_twin_options *o);

/* How many words differ, array by array (those that both have), and the first of them. */
typedef struct {
    uint64_t final_state, final_exact, prefix_hash, first_wrong;
    uint64_t first; /* UINT64_MAX: none differs */
} ckda_gpu_differences;
void ckda_gpu_compare(ckda_gpu_differences *d, const ckda_gpu_words_result *x,
                      const ckda_gpu_words_result *y, uint64_t sequences, int n);

#ifdef __cplusplus
}
#endif
#endif
