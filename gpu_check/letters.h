/* The random words of ckda-gpu: a function of (seed, sequence, step) alone, the same on the
 * host and on the device.  Four letters come from one 64-bit value, 16 bits each, so that a
 * letter's probability is 1/letters to within 2^-16.                                     */
#ifndef CKDA_GPU_LETTERS_H
#define CKDA_GPU_LETTERS_H
#include <stdint.h>

#ifdef __CUDACC__
#define CKDA_GPU_INLINE static __host__ __device__ __forceinline__
#else
#define CKDA_GPU_INLINE static inline
#endif

CKDA_GPU_INLINE uint64_t
ckda_gpu_mix(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

CKDA_GPU_INLINE uint64_t
ckda_gpu_word_key(uint64_t seed, uint64_t sequence)
{
    return ckda_gpu_mix(ckda_gpu_mix(seed) ^ sequence);
}

/* The four letters of steps 4 * group .. 4 * group + 3 (steps count from 0). */
CKDA_GPU_INLINE uint64_t
ckda_gpu_letter_bits(uint64_t word_key, uint64_t group)
{
    return ckda_gpu_mix(word_key + group * UINT64_C(0xd1342543de82ef95));
}

CKDA_GPU_INLINE uint32_t
ckda_gpu_letter(uint64_t bits, int place, uint32_t letters)
{
    return ((uint32_t)(bits >> (16 * place)) & 0xffff) * letters >> 16;
}

/* The letter of one step; whoever walks a word takes four at once. */
CKDA_GPU_INLINE uint32_t
ckda_gpu_letter_at(uint64_t word_key, uint64_t step, uint32_t letters)
{
    return ckda_gpu_letter(ckda_gpu_letter_bits(word_key, step / 4), (int)(step % 4),
                           letters);
}

/* The hash of all prefixes: taken over the bits of every entry (as fp32, or the low and the
 * high half of an fp64), row by row, after every step; zeros as +0, a NaN as the word
 * CKDA_GPU_NAN_BITS. */
CKDA_GPU_INLINE uint64_t
ckda_gpu_hash(uint64_t hash, uint32_t bits)
{
    return (hash ^ bits) * UINT64_C(0x100000001b3);
}
#define CKDA_GPU_HASH_START UINT64_C(0xcbf29ce484222325)
#define CKDA_GPU_NAN_BITS UINT32_C(0x7fc00000)

#endif
