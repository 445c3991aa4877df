/* chunk_words.h -- group words through the kernels of ckda_gpu.h, beside the exact states.
 *
 * A tracker of dimension n sits in the first n channels and columns of a head of 16 x 16;
 * the other gates are 1, the other keys 0, v = 0, H_0 as the automaton has it, and the query
 * of token t (from 0) is e_(t mod n): o is a row of the state.  Words are those of letters.h
 * and are cut into segments that hand their state on in fp32, which changes no bit. */
#ifndef CKDA_GPU_CHUNK_WORDS_H
#define CKDA_GPU_CHUNK_WORDS_H
#include <stdbool.h>
#include <stdint.h>

#include "words.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    ckda_gpu_automaton a; /* one micro-step a letter; keys and gates are values of bf16 */
    uint64_t seed, sequences, steps; /* at most 65535 sequences */
    bool recurrent;                  /* the fp32 recurrence in place of the chunks */
    int precision, gate_kind;        /* of ckda_gpu.h; LOG: gates of +-1 only */
    float snap;                      /* > 0: multiples of 1/snap at chunk ends */
    uint64_t segment;                /* tokens from decode to decode, a multiple of 16 */
    uint32_t ncheckpoints;
    const uint64_t *checkpoint; /* ascending; each a multiple of 16, or `steps` */
} ckda_gpu_chunk_words;

/* Arrays of `sequences`, allocated by the caller; each may be NULL. */
typedef struct {
    float *drift; /* ncheckpoints * sequences: |H - scale S|_F / scale, all 16 x 16 */
    uint64_t *first_wrong; /* tokens from 1, among the ends of segments; 0: none */
    uint32_t *final_exact;
    float *final_state; /* sequences * n * n */
    float *worst_row;   /* largest |o row - exact row|_2 / scale of any token */
    /* the first token whose row is off by half the margin or more, from 1; 0: none.  Before
     * it no row has been seen that could belong to a wrong decode. */
    uint64_t *first_row;
    bool out_of_range; /* as the kernel says */
    double seconds;    /* all of it, and the kernel alone */
    double kernel_seconds;
} ckda_gpu_chunk_words_result;

int ckda_gpu_run_chunk_words(ckda_gpu_chunk_words_result *r,
                             const ckda_gpu_chunk_words *w);

#ifdef __cplusplus
}
#endif
#endif
