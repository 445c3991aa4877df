/* Products of images: 32-bit residues, 64-bit sums, one reduction for up to four terms.
 */
#include "modmat_internal.h"

__extension__ typedef unsigned __int128 wide;

/* x mod p for every x < 2^64.  With v = floor((2^64 - 1) / p) and q = floor(x v / 2^64):
 * x/p - q < 2, because x/p - x v/2^64 = (x/2^64) (2^64/p - v) and 2^64/p - v <= 1 (p is
 * odd, so p v is at least 2^64 - p), and the floor takes less than 1 more.  So x - q p <
 * 2 p. */
static inline uint32_t
reduce(uint64_t x, uint64_t p, uint64_t v)
{
    uint64_t r = x - (uint64_t)(((wide)x * v) >> 64) * p;
    return (uint32_t)(r >= p ? r - p : r);
}

/* Four products of residues below 2^31 sum to less than 2^64. */
static inline uint64_t
dot4(const uint32_t *a, const uint32_t *b, slong stride)
{
    return (uint64_t)a[0] * b[0] + (uint64_t)a[1] * b[stride]
           + (uint64_t)a[2] * b[2 * stride] + (uint64_t)a[3] * b[3 * stride];
}

void
ckda_modmat_four_plain(uint32_t *C, const uint32_t *A, const uint32_t *B,
                       const ckda_modulus *modulus)
{
    const uint64_t p = modulus->p, v = modulus->inverse;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            C[4 * i + j] = reduce(dot4(A + 4 * i, B + j, 4), p, v);
}

void
ckda_modmat_mul(uint32_t *C, const uint32_t *A, const uint32_t *B, slong n, slong k,
                slong m, const ckda_modulus *modulus)
{
    const uint64_t p = modulus->p, v = modulus->inverse;

    if (n == 4 && k == 4 && m == 4) {
        ckda_modmat_four(C, A, B, modulus);
        return;
    }
    for (slong i = 0; i < n; i++)
        for (slong j = 0; j < m; j++) {
            const uint32_t *a = A + i * k;
            uint64_t s = 0;
            slong l = 0;
            for (; l + 3 <= k; l += 3) /* three products and a residue: below 2^64 */
                s = reduce(s + (uint64_t)a[l] * B[l * m + j]
                               + (uint64_t)a[l + 1] * B[(l + 1) * m + j]
                               + (uint64_t)a[l + 2] * B[(l + 2) * m + j],
                           p, v);
            for (; l < k; l++)
                s += (uint64_t)a[l] * B[l * m + j];
            C[i * m + j] = reduce(s, p, v);
        }
}

void
ckda_modmat_add(uint32_t *C, const uint32_t *A, const uint32_t *B, slong count,
                const ckda_modulus *modulus)
{
    const uint32_t p = modulus->p;
    for (slong i = 0; i < count; i++) {
        uint32_t s = A[i] + B[i];
        C[i] = s >= p ? s - p : s;
    }
}

void
ckda_modmat_sub(uint32_t *C, const uint32_t *A, const uint32_t *B, slong count,
                const ckda_modulus *modulus)
{
    const uint32_t p = modulus->p;
    for (slong i = 0; i < count; i++)
        C[i] = A[i] >= B[i] ? A[i] - B[i] : A[i] + (p - B[i]);
}
