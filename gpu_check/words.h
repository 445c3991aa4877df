/* words.h -- group words on a GPU: the rounded state of ckda/rounded.h, one thread a
 * sequence, beside the exact state by table.
 *
 * Arithmetic: KEY form, as ckda/arith.h has it; every operation is an explicit rounding
 * intrinsic, so no compiler option changes a bit.  twin.h is the same on the host.  All
 * pointers are host memory; functions return a code of ckda_gpu.h and block until the
 * device is done.                                                                        */
#ifndef CKDA_GPU_WORDS_H
#define CKDA_GPU_WORDS_H
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    CKDA_GPU_STORE_FP32,
    CKDA_GPU_STORE_BF16,
    CKDA_GPU_STORE_FP16,
    CKDA_GPU_STORE_GRID,
    CKDA_GPU_STORE_FP64 /* compute fp64 only */
} ckda_gpu_store;

enum { CKDA_GPU_MIN_N = 2, CKDA_GPU_MAX_N = 5, CKDA_GPU_MAX_CHECKPOINTS = 32 };

/* The automaton: rounded parameters and exact tables.  automaton.h makes one. */
typedef struct {
    int n; /* 2 .. 5 */
    uint32_t letters, micro_steps;
    const uint32_t *first; /* letters + 1: the micro-steps of a letter */
    /* micro_steps * n each; scaled_key = RN(beta key) */
    const double *key, *scaled_key, *gate;
    const double *beta;    /* micro_steps */
    const double *initial; /* n * n: H_0 as stored */
    double scale;          /* of the exact states */
    bool fp64, fma, rtz;
    bool beta_on_dot; /* y = D - k RN(beta p) in place of D - RN(beta k) p */
    ckda_gpu_store store;
    double flush; /* stored |x| below this becomes 0; 0: none */
    /* exact states: state 0 at the start, successors next[state * letters + letter] */
    uint32_t states;         /* at most 65535 */
    const uint32_t *next;    /* states * letters */
    const uint32_t *element; /* states */
    const double *value;     /* states * n * n */
    double margin;           /* least distance between states of different elements */
    /* optional, n = 4 (pairs = 0: none): states as x -> l x r with quaternions l, r.
     * Every index is below `pairs`; state = pair[l * pairs + r] (UINT32_MAX: never met);
     * left[letter * pairs + l] and right[letter * pairs + r] are the successors. */
    uint32_t pairs;
    const uint8_t *left, *right;
    const uint32_t *pair;
    uint32_t pair_start;                    /* l * pairs + r of state 0 */
    const double *left_value, *right_value; /* pairs * 4: (real part, i, j, k) */
} ckda_gpu_automaton;

typedef struct {
    ckda_gpu_automaton a;
    uint64_t seed, sequences, steps;
    bool hash; /* hash every prefix (slow) */
    /* Test the decoded element after every so many steps, at the checkpoints and at the
     * end; 0: only there. */
    uint64_t check_every;
    uint32_t ncheckpoints;
    const uint64_t *checkpoint; /* ascending, 1 .. steps: where drift is taken */
    bool general; /* take the general kernel also where the fast one would do */
} ckda_gpu_words;

typedef struct {
    /* arrays of `sequences`, allocated by the caller; each may be NULL */
    double *final_state;   /* sequences * n * n; zeros are +0 */
    uint32_t *final_exact; /* index of the exact state */
    uint64_t *prefix_hash;
    float *drift; /* ncheckpoints * sequences: |H - scale S|_F / scale */
    /* Steps from 1, among the tested ones; 0: none.  A state decodes to the element of the
     * largest inner product; one that is not finite, or has two elements whose products
     * agree to 1e-12, decodes to nothing, which is wrong. */
    uint64_t *first_wrong;
    float *worst;     /* largest |H - scale S|_F / scale among the tested steps (slow) */
    double seconds;   /* of the kernel; filled in by the call */
    bool was_general; /* which kernel ran */
} ckda_gpu_words_result;

int ckda_gpu_run_words(ckda_gpu_words_result *r, const ckda_gpu_words *w);

/* Rates in steps a second of `sequences` x `steps`, letters read from memory in
 * [step / 16][sequence][16] bytes: state: the rounded state alone; exact: the exact state
 * alone (pairs if there are, else the table); tested: state, exact state and the test
 * every 16 steps; random: the same, but letters made on the fly.  steps must be a multiple
 * of 16; w->hash and checkpoints are not looked at. */
typedef struct {
    double state, exact, tested, random;
} ckda_gpu_word_rates;
int ckda_gpu_word_bench(ckda_gpu_word_rates *rates, const ckda_gpu_words *w);

/* Multiprocessors and threads a multiprocessor: sequences should be a multiple. */
uint64_t ckda_gpu_words_at_once(void);

#ifdef __cplusplus
}
#endif
#endif
