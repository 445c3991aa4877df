/* 4 x 4 products of images with AVX2: a row is a vector of four residues in 64-bit lanes.
 *
 * Sums are reduced after Montgomery.  With q = p^-1 mod 2^32 and m = T q mod 2^32, T - m p
 * is divisible by 2^32, so (T - m p) / 2^32 is the difference of the upper halves, and it
 * is T / 2^32 mod p.  A is multiplied by 2^32 first (through 2^64 mod p), which makes the
 * result the product itself.
 *
 * Sizes: p < 2^31, so T <= 4 (p-1)^2 < 2^64; T / 2^32 < 2p and m p / 2^32 < p; their
 * difference is above -p and below 2p. */
#include "modmat_internal.h"

#ifdef CKDA_MODMAT_AVX2
#include <immintrin.h>

#define TARGET __attribute__((target("avx2")))

/* T / 2^32 mod p, in 0 .. p-1, lane by lane. */
static inline TARGET __m256i
reduce(__m256i T, __m256i p, __m256i q)
{
    const __m256i zero = _mm256_setzero_si256();
    const __m256i mp = _mm256_mul_epu32(_mm256_mul_epu32(T, q), p);
    __m256i r = _mm256_sub_epi64(_mm256_srli_epi64(T, 32), _mm256_srli_epi64(mp, 32));
    r = _mm256_add_epi64(r, _mm256_and_si256(p, _mm256_cmpgt_epi64(zero, r)));
    r = _mm256_sub_epi64(r, p);
    return _mm256_add_epi64(r, _mm256_and_si256(p, _mm256_cmpgt_epi64(zero, r)));
}

static inline TARGET __m256i
load(const uint32_t *row)
{
    return _mm256_cvtepu32_epi64(_mm_loadu_si128((const __m128i *)(const void *)row));
}

static inline TARGET void
store(uint32_t *row, __m256i x)
{
    const __m256i low = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6);
    const __m128i words = _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(x, low));
    _mm_storeu_si128((__m128i *)(void *)row, words);
}

TARGET void
ckda_modmat_four_avx2(uint32_t *C, const uint32_t *A, const uint32_t *B,
                      const ckda_modulus *modulus)
{
    const uint32_t prime = modulus->p;
    uint32_t inverse = prime; /* right modulo 8; each step doubles the bits */
    for (int i = 0; i < 4; i++)
        inverse *= 2 - prime * inverse;
    /* 2^64 - p floor((2^64 - 1) / p), and p does not divide 2^64 */
    const uint64_t square = 0 - prime * modulus->inverse;
    const __m256i p = _mm256_set1_epi64x((int64_t)prime);
    const __m256i q = _mm256_set1_epi64x((int64_t)inverse);
    const __m256i lift = _mm256_set1_epi64x((int64_t)square);
    const __m256i b0 = load(B), b1 = load(B + 4), b2 = load(B + 8), b3 = load(B + 12);
    for (int i = 0; i < 4; i++) {
        const __m256i a = reduce(_mm256_mul_epu32(load(A + 4 * i), lift), p, q);
        const __m256i s0 = _mm256_mul_epu32(_mm256_permute4x64_epi64(a, 0x00), b0);
        const __m256i s1 = _mm256_mul_epu32(_mm256_permute4x64_epi64(a, 0x55), b1);
        const __m256i s2 = _mm256_mul_epu32(_mm256_permute4x64_epi64(a, 0xaa), b2);
        const __m256i s3 = _mm256_mul_epu32(_mm256_permute4x64_epi64(a, 0xff), b3);
        const __m256i sum =
            _mm256_add_epi64(_mm256_add_epi64(s0, s1), _mm256_add_epi64(s2, s3));
        store(C + 4 * i, reduce(sum, p, q));
    }
}
#endif
