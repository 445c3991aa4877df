#include "ckda/rand.h"

#include "ckda/status.h"

void
ckda_rand_init(ckda_rand *r, uint64_t seed)
{
    r->state = seed;
}

uint64_t
ckda_rand_u64(ckda_rand *r)
{
    uint64_t z = (r->state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

uint64_t
ckda_rand_below(ckda_rand *r, uint64_t n)
{
    ckda_require(n >= 1, "n = 0");
    /* Reject the first (2^64 mod n) values: what is left splits evenly. */
    uint64_t reject = (0 - n) % n;
    uint64_t x;
    do
        x = ckda_rand_u64(r);
    while (x < reject);
    return x % n;
}

int64_t
ckda_rand_range(ckda_rand *r, int64_t lo, int64_t hi)
{
    ckda_require(lo <= hi, "lo = %lld > hi = %lld", (long long)lo, (long long)hi);
    uint64_t width = (uint64_t)hi - (uint64_t)lo + 1;
    uint64_t step = width == 0 ? ckda_rand_u64(r) : ckda_rand_below(r, width);
    return (int64_t)((uint64_t)lo + step);
}
