/* ckda/rand.h -- a small replayable random source (splitmix64).
 *
 * The same seed gives the same sequence on every machine.  A plain value: copy it to
 * fork a stream.  Not for cryptography.                                               */
#ifndef CKDA_RAND_H
#define CKDA_RAND_H
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint64_t state;
} ckda_rand;

void ckda_rand_init(ckda_rand *r, uint64_t seed);
uint64_t ckda_rand_u64(ckda_rand *r);
/* Uniform in 0 .. n-1, without modulo bias; n >= 1. */
uint64_t ckda_rand_below(ckda_rand *r, uint64_t n);
/* Uniform in lo .. hi, both included; lo <= hi. */
int64_t ckda_rand_range(ckda_rand *r, int64_t lo, int64_t hi);

#ifdef __cplusplus
}
#endif
#endif
