/* ckda_gpu.h -- CKDA on a GPU: a chunked forward pass and a recurrent one.
 *
 *     H_t = (I - beta_t k_t k_t^T) Diag(alpha_t) H_{t-1} + beta_t k_t v_t^T
 *     o_t = scale H_t^T q_t                                  alpha in [-1, 1], beta in [0, 2]
 *
 * Tensors are dense, row-major, in device memory, 16-byte aligned:
 *     q, k, gate   [sequences, tokens, heads, dk]     bf16
 *     v, o         [sequences, tokens, heads, dv]     bf16
 *     beta         [sequences, tokens, heads]         fp32
 *     initial, final_state   [sequences, heads, dk, dv]   fp32
 * With cu_seqlens the first two axes are one, [total, heads, ...], and sequence s is rows
 * cu_seqlens[s] .. cu_seqlens[s+1]-1; empty sequences are allowed.  dk and dv are 16, 64 or
 * 128.  Results are the same bits from run to run.  Calls are asynchronous on `stream`; no
 * memory is allocated.  Functions return 0, or a code of ckda_gpu_strerror.
 *
 * A NaN is never hidden: it comes out in every result that depends on it, and no other
 * sequence, head or (for v and the initial state) column changes.  The chunked pass may also
 * spoil the earlier tokens of the chunk of 16 in which it stands.                        */
#ifndef CKDA_GPU_H
#define CKDA_GPU_H
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a bf16 gate word is read.
 * VALUE: alpha itself, in [-1, 1].
 * LOG:   the sign bit is the sign of alpha, the magnitude is -ln |alpha| (+0: alpha = 1). */
enum { CKDA_GPU_GATE_VALUE = 0, CKDA_GPU_GATE_LOG = 1 };

/* What is kept as two bf16 terms (about 16 bits) instead of one on the way through the
 * tensor cores.  The triangular solve is fp32 in all of them.
 * PLAIN:  nothing.
 * FACTORS: the factors of the WY form (T, X, U) and the inner products q k.
 * HONEST: those and the state in k S; what is left is the rounding of the inputs and of the
 * state in q S, which goes into outputs only. */
enum { CKDA_GPU_PLAIN = 0, CKDA_GPU_FACTORS = 1, CKDA_GPU_HONEST = 2 };

enum {
    CKDA_GPU_OK = 0,
    CKDA_GPU_E_SHAPE = -1,   /* a size that is not supported */
    CKDA_GPU_E_POINTER = -2, /* missing or not 16-byte aligned */
    CKDA_GPU_E_RANGE = -3,   /* an option out of its range */
    CKDA_GPU_E_DEVICE = -4,  /* no device, or the device refused: see cudaGetLastError */
    CKDA_GPU_E_TABLES = -5   /* words: the tables of the automaton are too large */
};

typedef struct {
    int64_t sequences, tokens; /* tokens is ignored with cu_seqlens */
    int heads, dk, dv;
    const void *q, *k, *v, *gate; /* bf16 */
    const float *beta;
    const float *initial;      /* NULL: zero */
    const int64_t *cu_seqlens; /* device memory, sequences + 1 entries; NULL: none */
    void *o;                   /* bf16 */
    float *final_state;        /* NULL: not wanted */
    /* One int in device memory, set to 1 (never to 0) when the gates of sixteen
     * neighbouring tokens multiply to less than 2^-118 in some channel: then the results of
     * the chunked pass are meaningless and ckda_gpu_recurrent is the one to call. */
    int *out_of_range;
    float scale;
    int gate_kind, precision;
    /* > 0: the state is rounded to multiples of 1/grid after each chunk of 16 tokens (and
     * at the start); exact for integers below 2^22 grid units.  0: no rounding. */
    float grid;
    int slices; /* CTAs that share the columns of one head; 0: chosen from the shape */
} ckda_gpu_chunk;

/* The chunked pass, chunks of 16 tokens, tensor cores. */
int ckda_gpu_chunk_forward(const ckda_gpu_chunk *c, void *stream);
/* The recurrence token by token in fp32 (o rounded once to bf16); same arguments, no
 * limit on gates; precision and slices are ignored, grid rounds after every token. */
int ckda_gpu_recurrent_forward(const ckda_gpu_chunk *c, void *stream);
/* beta[i] = beta[i] / |k_i|^2 with the norm of the bf16 key in fp32 (0 stays 0 for a zero
 * key): makes beta = 2 a reflection again.  rows = sequences * tokens * heads. */
int ckda_gpu_beta_from_keys(float *beta, const void *k, int64_t rows, int dk,
                            void *stream);

/* What the paper's layer does before the recurrence, in fp32, rounded once to the word:
 *     alpha = s (eps + (1 - eps) |r|), r = tanh(gate logit), s = sign(r) (+1 for 0)
 *     beta  = 2 sigmoid(beta logit)
 *     q, k  = x / sqrt(sum x^2 + 1e-6) where asked for
 * In place is allowed.  Any pointer may be NULL: that part is skipped.  No alignment beyond
 * that of the types. */
typedef struct {
    int64_t rows; /* sequences * tokens * heads */
    int dk;
    const void *gate_logit, *beta_logit; /* bf16: [rows, dk], [rows] */
    float eps;
    void *gate; /* bf16 words of gate_kind */
    int gate_kind;
    float *beta;
    const void *q_raw, *k_raw; /* bf16 [rows, dk] */
    void *q, *k;
} ckda_gpu_activation;
int ckda_gpu_activate(const ckda_gpu_activation *a, void *stream);

const char *ckda_gpu_strerror(int code);

#ifdef __cplusplus
}
#endif
#endif
