/* Cosines and sines of rational angles inside a real cyclotomic field. */
#include "internal.h"

/* x = D_j(a) with D_j(2 cos t) = 2 cos(j t): D_0 = 2, D_1 = a,
 * D_2j = D_j^2 - 2, D_(2j+1) = D_j D_(j+1) - a. */
static void
dickson(ckda_elem_t x, ulong j, const ckda_field_t K)
{
    ckda_elem_t a, lo, hi, mid; /* lo = D_i, hi = D_(i+1) for the top bits i of j */
    ckda_elem_init(a, K);
    ckda_elem_init(lo, K);
    ckda_elem_init(hi, K);
    ckda_elem_init(mid, K);
    ckda_elem_gen(a, K);
    ckda_elem_set_si(lo, 2, K);
    ckda_elem_set(hi, a, K);
    for (int bit = FLINT_BIT_COUNT(j) - 1; bit >= 0; bit--) {
        ckda_elem_mul(mid, lo, hi, K);
        ckda_elem_sub(mid, mid, a, K);
        ckda_elem_struct *keep = (j >> bit) & 1 ? hi : lo;
        ckda_elem_mul(keep, keep, keep, K);
        nf_elem_sub_si(keep, keep, 2, K->nf);
        ckda_elem_swap((j >> bit) & 1 ? lo : hi, mid, K);
    }
    ckda_elem_swap(x, lo, K);
    ckda_elem_clear(mid, K);
    ckda_elem_clear(hi, K);
    ckda_elem_clear(lo, K);
    ckda_elem_clear(a, K);
}

/* x = cos(2 pi k/N), 0 <= k < N. */
static ckda_status
set_cos(ckda_elem_t x, ulong k, ulong N, const ckda_field_t K)
{
    ulong g = n_gcd(k, N);
    k /= g;
    N /= g;
    if (N <= 4 || N == 6) {
        /* For k prime to N the value depends on N alone. */
        static const signed char twice[7] = {0, 2, -2, -1, 0, 0, 1};
        ckda_elem_set_frac(x, twice[N], 2, K);
        return CKDA_OK;
    }
    if (K->is_cos == 0 || (ulong)K->is_cos % N != 0)
        return CKDA_E_DOMAIN;
    dickson(x, k * ((ulong)K->is_cos / N), K);
    nf_elem_scalar_div_si(x, x, 2, K->nf);
    return CKDA_OK;
}

static ulong
reduce(slong k, ulong N)
{
    ulong r = (k < 0 ? -(ulong)k : (ulong)k) % N;
    return k < 0 && r != 0 ? N - r : r;
}

ckda_status
ckda_elem_set_cos(ckda_elem_t x, slong k, ulong N, const ckda_field_t K)
{
    ckda_require(N >= 1, "N = 0");
    return set_cos(x, reduce(k, N), N, K);
}

ckda_status
ckda_elem_set_sin(ckda_elem_t x, slong k, ulong N, const ckda_field_t K)
{
    ckda_require(N >= 1 && N <= UWORD_MAX / 8, "N = %lu", (unsigned long)N);
    /* sin t = cos(t - pi/2), and 2 pi k/N - pi/2 = 2 pi (4k - N)/(4N). */
    ulong k4 = 4 * reduce(k, N);
    return set_cos(x, k4 >= N ? k4 - N : k4 + 3 * N, 4 * N, K);
}
