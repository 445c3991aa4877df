/* Which element a state decodes to, on the device: the largest inner product. */
#ifndef CKDA_GPU_DECODE_CUH
#define CKDA_GPU_DECODE_CUH
#include <math.h>
#include <stdint.h>

#include <vector>

#include "device_memory.cuh"
#include "words.h"

namespace ckda
{

struct decoder {
    const uint32_t *element;
    const double *value;  /* states * entries */
    const double *across; /* the same, entries * states: lanes read neighbours */
    uint32_t states;
    int entries;
    double margin; /* between states of different elements */
    bool same_norm;
};

/* Host: do all states have one norm?  Then so do all that are compared. */
static inline bool
has_one_norm(const ckda_gpu_automaton &a)
{
    double least = INFINITY, most = 0;
    const size_t entries = (size_t)a.n * a.n;
    for (size_t s = 0; s < a.states; s++) {
        double sum = 0;
        for (size_t i = 0; i < entries; i++)
            sum += a.value[s * entries + i] * a.value[s * entries + i];
        least = fmin(least, sum);
        most = fmax(most, sum);
    }
    return most - least < 1e-9;
}

/* Host: successors of the exact states, states * letters, in device memory. */
static inline const uint16_t *
make_next(device_memory &m, const ckda_gpu_automaton &a)
{
    std::vector<uint16_t> next((size_t)a.states * a.letters);
    for (size_t i = 0; i < next.size(); i++)
        next[i] = (uint16_t)a.next[i];
    return m.copy_of(next);
}

/* Host: the tables, in device memory. */
static inline decoder
make_decoder(device_memory &m, const ckda_gpu_automaton &a)
{
    const size_t entries = (size_t)a.n * a.n;
    std::vector<double> across(entries * a.states);
    for (size_t s = 0; s < a.states; s++)
        for (size_t i = 0; i < entries; i++)
            across[i * a.states + s] = a.value[s * entries + i];
    decoder d;
    d.element = m.copy_of(a.element, a.states);
    d.value = m.copy_of(a.value, a.states * entries);
    d.across = m.copy_of(across);
    d.states = a.states;
    d.entries = (int)entries;
    d.margin = a.margin;
    d.same_norm = has_one_norm(a);
    return d;
}

/* Is some multiple c h, c > 0, nearer to the state than half the margin?  Then no other
 * element has as large an inner product: for states of one norm |c h - S'|^2 - |c h - S|^2
 * = 2 c (h S - h S'), and |c h - S'| >= m - |c h - S|.  False says nothing. */
static __device__ bool
points_at(const double *h, const double *S, const decoder &d)
{
    double dot = 0, hh = 0, ss = 0;
    for (int i = 0; i < d.entries; i++) {
        dot += h[i] * S[i];
        hh += h[i] * h[i];
        ss += S[i] * S[i];
    }
    const double half = 0.499 * d.margin;
    return d.same_norm && dot > 0 && hh > 1e-290 && isfinite(hh)
           && ss - dot / hh * dot < half * half;
}

struct best_two {
    double best, other; /* other: the largest of another element than the best's */
    uint32_t element;
};

static __device__ void
add_product(best_two &b, double dot, uint32_t element)
{
    if (dot > b.best) {
        if (element != b.element)
            b.other = b.best;
        b.best = dot;
        b.element = element;
    } else if (dot > b.other && element != b.element) {
        b.other = dot;
    }
}

/* The lanes of the mask share the states of lane `source`'s h. */
static __device__ best_two
share_products(const double *h, int source, unsigned mask, const decoder &d)
{
    double mine[CKDA_GPU_MAX_N * CKDA_GPU_MAX_N];
    for (int i = 0; i < d.entries; i++)
        mine[i] = __shfl_sync(mask, h[i], source);
    const unsigned before = mask & ((1u << threadIdx.x % 32) - 1);
    best_two b = {-INFINITY, -INFINITY, 0xffffffffu};
    for (uint32_t s = __popc(before); s < d.states; s += __popc(mask)) {
        double dot = 0;
#pragma unroll 4
        for (int i = 0; i < d.entries; i++)
            dot += mine[i] * d.across[(size_t)i * d.states + s];
        add_product(b, dot, d.element[s]);
    }
    return b;
}

/* Does lane `source`'s state decode to nothing but its element?  All lanes of the mask call
 * this; the answer is for the source.  A state that is not finite, or has another element
 * within 1e-12 of the best, decodes to nothing. */
static __device__ bool
decodes_to(uint32_t element, const double *h, int source, unsigned mask, const decoder &d)
{
    const best_two mine = share_products(h, source, mask, d);
    best_two all = {-INFINITY, -INFINITY, 0xffffffffu};
    for (unsigned left = mask; left != 0; left &= left - 1) {
        const int lane = __ffs(left) - 1;
        /* a lane's second cannot be hidden: its best is another element's, and larger */
        add_product(all, __shfl_sync(mask, mine.best, lane),
                    __shfl_sync(mask, mine.element, lane));
        const double other = __shfl_sync(mask, mine.other, lane);
        const uint32_t of = __shfl_sync(mask, mine.element, lane);
        if (of == all.element)
            all.other = fmax(all.other, other);
    }
    double size = 0;
    for (int i = 0; i < d.entries; i++)
        size += fabs(h[i]);
    return all.element == element && all.best - all.other > 1e-12 * size
           && isfinite(size);
}

/* Is the word's state wrong?  Called by lanes that came here together; a lane that need not
 * know says so. */
static __device__ __noinline__ bool
is_wrong(const double *h, uint32_t state, bool asks, const decoder &d)
{
    const unsigned here = __activemask();
    asks = asks && !points_at(h, d.value + (size_t)state * d.entries, d);
    bool wrong = false;
    for (unsigned left = __ballot_sync(here, asks); left != 0; left &= left - 1) {
        const int source = __ffs(left) - 1;
        const bool right = decodes_to(d.element[state], h, source, here, d);
        if ((int)(threadIdx.x % 32) == source)
            wrong = !right;
    }
    return wrong;
}

} // namespace ckda
#endif
