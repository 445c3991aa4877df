/* The two ways of a 4 x 4 product of images, for modmat.c and its test. */
#ifndef CKDA_SRC_MAT_MODMAT_INTERNAL_H
#define CKDA_SRC_MAT_MODMAT_INTERNAL_H
#include "ckda/matmod.h"

void ckda_modmat_four_plain(uint32_t *C, const uint32_t *A, const uint32_t *B,
                            const ckda_modulus *modulus);

#if defined(__x86_64__)
#define CKDA_MODMAT_AVX2
/* Only where the processor has AVX2. */
void ckda_modmat_four_avx2(uint32_t *C, const uint32_t *A, const uint32_t *B,
                           const ckda_modulus *modulus);
#endif

/* The one that ckda_modmat_mul takes. */
static inline void
ckda_modmat_four(uint32_t *C, const uint32_t *A, const uint32_t *B,
                 const ckda_modulus *modulus)
{
#ifdef CKDA_MODMAT_AVX2
    if (__builtin_cpu_supports("avx2")) {
        ckda_modmat_four_avx2(C, A, B, modulus);
        return;
    }
#endif
    ckda_modmat_four_plain(C, A, B, modulus);
}

#endif
