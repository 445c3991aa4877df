/* Chunked kernels as kernels of ckda_drift_run. */
#include "ckda/drift.h"

static ckda_status
advance(double *H, const uint32_t *letter, uint64_t count, const void *context)
{
    const ckda_chunk_struct *k = context;
    ckda_chunk_step(H, k->n, letter, (uint32_t)count, k);
    return CKDA_OK;
}

ckda_drift_kernel
ckda_drift_chunk_kernel(const ckda_chunk_t k)
{
    return (ckda_drift_kernel){k->scheme.length, advance, k};
}

/* The chunk's line for reflection s without any signs taken over from before. */
static bool
same_reflection(uint32_t s, const ckda_chunk_struct *k, const ckda_rounded_struct *R)
{
    const uint32_t line = k->line_of[(size_t)s * k->nmasks];
    const float *mine = k->rounded_key + (size_t)line * (size_t)k->n;
    const double *theirs = R->key_value + (size_t)s * (size_t)R->n;
    bool plus = true, minus = true;
    for (slong i = 0; i < R->n; i++) {
        plus = plus && (double)mine[i] == theirs[i];
        minus = minus && (double)mine[i] == -theirs[i];
    }
    return (plus || minus) && (double)k->beta[line] == R->beta_value[s];
}

bool
ckda_drift_chunk_agrees(const ckda_chunk_t k, const ckda_rounded_t R)
{
    if (R->arith.form != CKDA_FORM_KEY || k->n != R->n || k->nletters != R->nletters)
        return false;
    for (uint32_t l = 0; l <= R->nletters; l++)
        if (k->letter_first[l] != R->first[l])
            return false;
    for (uint32_t s = 0; s < R->first[R->nletters]; s++)
        if (!same_reflection(s, k, R))
            return false;
    return true;
}
