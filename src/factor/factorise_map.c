/* Permutations and maps as products of factors.
 *
 * Paper [Prop. 25]: a merge (two factors) for each point off the cycles, then swaps.
 * Short (Theorem A of docs/math.md): semi-merges of one factor each, whose clearing waits
 * for the gate of the next factor; constants need a scaled double merge to save the last
 * one.  Both are deterministic down to the order of the factors. */
#include "factorise_internal.h"

bool
factorise_is_map(const slong *image, slong n)
{
    for (slong i = 0; i < n; i++)
        if (image[i] < 0 || image[i] >= n)
            return false;
    return true;
}

bool
factorise_is_permutation(const slong *image, slong n)
{
    return factorise_distinct(n, -1, image, n);
}

bool *
factorise_cycle_points(const slong *image, slong n)
{
    bool *on = flint_malloc(((size_t)n + 1) * sizeof *on);
    slong *into = flint_calloc((size_t)n + 1, sizeof *into);
    slong *leaf = flint_malloc(((size_t)n + 1) * sizeof *leaf), leaves = 0;
    for (slong i = 0; i < n; i++) {
        on[i] = true;
        into[image[i]]++;
    }
    for (slong i = 0; i < n; i++)
        if (into[i] == 0)
            leaf[leaves++] = i;
    while (leaves > 0) { /* take the leaves away until only cycles are left */
        const slong i = leaf[--leaves];
        on[i] = false;
        if (--into[image[i]] == 0)
            leaf[leaves++] = image[i];
    }
    flint_free(leaf);
    flint_free(into);
    return on;
}

/* The swaps (c_{l-2} c_{l-1}), ..., (c_0 c_1), in order of application, of the cycle
 * c_0 -> c_1 -> ... -> c_{l-1} -> c_0. */
static void
append_cycle(ckda_factors_t f, const slong *c, slong length, const ckda_field_t K)
{
    for (slong i = length - 1; i > 0; i--)
        factorise_must(ckda_factors_push_swap(f, c[i - 1], c[i], K));
}

void
factorise_append_permutation(ckda_factors_t f, const slong *image, const ckda_field_t K)
{
    const slong n = f->n;
    bool *seen = flint_calloc((size_t)n + 1, sizeof *seen);
    slong *cycle = flint_malloc(((size_t)n + 1) * sizeof *cycle);
    slong *start = flint_malloc(((size_t)n + 1) * sizeof *start), cycles = 0;
    for (slong i = 0; i < n; i++) {
        if (seen[i])
            continue;
        start[cycles++] = i; /* the least point of its cycle */
        for (slong j = i; !seen[j]; j = image[j])
            seen[j] = true;
    }
    while (cycles-- > 0) { /* the last cycle of the written product acts first */
        slong length = 0, j = start[cycles];
        do {
            cycle[length++] = j;
            j = image[j];
        } while (j != start[cycles]);
        append_cycle(f, cycle, length, K);
    }
    flint_free(start);
    flint_free(cycle);
    flint_free(seen);
}

/* ---- paper ---------------------------------------------------------------------- */

/* Steps to the nearest point on a cycle; returns the largest. */
static slong
distances(slong *dist, const bool *on_cycle, const slong *image, slong n)
{
    slong most = 0;
    for (slong i = 0; i < n; i++)
        dist[i] = on_cycle[i] ? 0 : -1;
    for (slong i = 0; i < n; i++) {
        slong steps = 0, j = i;
        for (; dist[j] < 0; j = image[j])
            steps++;
        for (slong d = steps + dist[j], k = i; dist[k] < 0; k = image[k])
            dist[k] = d--;
        most = dist[i] > most ? dist[i] : most;
    }
    return most;
}

/* The written product is: merges by decreasing distance, ties by index, then the swaps of
 * the cycles.  What is written last acts first. */
static void
map_paper(ckda_factors_t f, const slong *image, const ckda_field_t K)
{
    const slong n = f->n;
    bool *on_cycle = factorise_cycle_points(image, n);
    slong *dist = flint_malloc(((size_t)n + 1) * sizeof *dist);
    slong *cycles = flint_malloc(((size_t)n + 1) * sizeof *cycles);
    const slong most = distances(dist, on_cycle, image, n);
    for (slong i = 0; i < n; i++)
        cycles[i] = on_cycle[i] ? image[i] : i;
    factorise_append_permutation(f, cycles, K);
    for (slong d = 1; d <= most; d++)
        for (slong i = n - 1; i >= 0; i--)
            if (dist[i] == d)
                factorise_must(ckda_factors_push_merge(f, image[i], &i, 1, K));
    flint_free(cycles);
    flint_free(dist);
    flint_free(on_cycle);
}

/* ---- short ---------------------------------------------------------------------- */

/* rep[j]: the point that stands for j = f(rep[j]): on the cycle if there is one, else the
 * least; -1 outside the image. */
static void
choose_representatives(slong *rep, const slong *image, slong n)
{
    bool *on_cycle = factorise_cycle_points(image, n);
    for (slong j = 0; j < n; j++)
        rep[j] = -1;
    for (slong i = 0; i < n; i++)
        if (rep[image[i]] < 0 || on_cycle[i])
            rep[image[i]] = i;
    flint_free(on_cycle);
}

/* The partial injection rep[j] -> j, with each of its chains closed to a cycle. */
static void
close_chains(slong *perm, const slong *rep, slong n)
{
    for (slong i = 0; i < n; i++)
        perm[i] = -1;
    for (slong j = 0; j < n; j++)
        if (rep[j] >= 0)
            perm[rep[j]] = j;
    for (slong j = 0; j < n; j++) {
        slong end = j;
        if (rep[j] >= 0)
            continue; /* only what is in no image begins a chain */
        while (perm[end] >= 0)
            end = perm[end];
        perm[end] = j;
    }
}

/* Clears d, which the last semi-merge left dirty (d < 0: none did), in step `at`. */
static void
clear_pending(ckda_factors_t f, slong at, slong d, const ckda_field_t K)
{
    if (d >= 0 && at < f->count)
        factorise_must(ckda_factors_clear_before(f, at, d, K));
}

static void
map_short(ckda_factors_t f, const slong *image, const ckda_field_t K)
{
    const slong n = f->n;
    slong *rep = flint_malloc(((size_t)n + 1) * sizeof *rep), dirty = -1;
    slong *perm = flint_malloc(((size_t)n + 1) * sizeof *perm);
    choose_representatives(rep, image, n);
    close_chains(perm, rep, n);
    for (slong d = 0; d < n; d++) {
        if (rep[image[d]] == d)
            continue;
        factorise_must(ckda_factors_push_semi_merge(f, rep[image[d]], &d, 1, K));
        clear_pending(f, f->count - 1, dirty, K);
        dirty = d;
    }
    const slong merges = f->count;
    factorise_append_permutation(f, perm, K);
    if (dirty >= 0 && f->count == merges) /* no swap, f is idempotent */
        factorise_must(ckda_factors_push_clear(f, &dirty, 1, K));
    else
        clear_pending(f, merges, dirty, K);
    flint_free(perm);
    flint_free(rep);
}

/* H_{1+lambda}(e_s + lambda/(1+lambda) sum e_d) Diag(-1 at s and d): row s becomes
 * lambda (x_s + sum x_d).  The scale lambda < 1 is what lets two sources in under 5/2. */
static void
append_scaled_merge(ckda_factors_t f, slong s, const slong *d, slong r, slong p, slong q,
                    const ckda_field_t K)
{
    ckda_trans_struct *t = factorise_append(f, K); /* lambda = p/q */
    ckda_elem_one(t->key + s, K);
    ckda_elem_set_si(t->gate + s, -1, K);
    for (slong i = 0; i < r; i++) {
        ckda_elem_set_frac(t->key + d[i], p, p + q, K);
        ckda_elem_set_si(t->gate + d[i], -1, K);
    }
    /* (1+lambda)(1 + r lambda^2/(1+lambda)^2) */
    ckda_elem_set_frac(t->beta, (p + q) * (p + q) + r * p * p, q * (p + q), K);
}

/* H_2(e_s + lambda/2 e_d) Diag(-1 at s and d): row s becomes x_s + lambda x_d. */
static void
append_scaled_addition(ckda_factors_t f, slong s, slong d, slong p, slong q,
                       const ckda_field_t K)
{
    ckda_trans_struct *t = factorise_append(f, K);
    ckda_elem_one(t->key + s, K);
    ckda_elem_set_frac(t->key + d, p, 2 * q, K);
    ckda_elem_set_si(t->gate + s, -1, K);
    ckda_elem_set_si(t->gate + d, -1, K);
    ckda_elem_set_frac(t->beta, 4 * q * q + p * p, 2 * q * q, K);
}

/* The constant map to s, n >= 2: n - 1 factors, and 2 for n = 2. */
static void
constant_short(ckda_factors_t f, slong s, const ckda_field_t K)
{
    const slong n = f->n, sources = n > 2 ? 2 : 1;
    const slong p = n > 2 ? 3 : 5, q = n > 2 ? 4 : 6; /* lambda = 3/4, 5/6 */
    slong *d = flint_malloc((size_t)n * sizeof *d), others = 0;
    ckda_elem_t inverse;
    for (slong i = 0; i < n; i++)
        if (i != s)
            d[others++] = i;
    append_scaled_merge(f, s, d, sources, p, q, K);
    for (slong i = sources; i < others; i++)
        append_scaled_addition(f, s, d[i], p, q, K);
    ckda_elem_init(inverse, K);
    ckda_elem_set_frac(inverse, q, p, K);
    factorise_must(ckda_factors_push_scale(f, s, inverse, K));
    for (slong i = 0; i < others; i++)
        factorise_must(ckda_factors_clear_before(f, f->count - 1, d[i], K));
    ckda_elem_clear(inverse, K);
    flint_free(d);
}

static bool
is_constant(const slong *image, slong n)
{
    for (slong i = 1; i < n; i++)
        if (image[i] != image[0])
            return false;
    return true;
}

ckda_status
ckda_factor_map(ckda_factors_t f, const slong *image, ckda_factor_scheme scheme,
                const ckda_field_t K)
{
    ckda_factors_t g;
    if (!factorise_is_map(image, f->n))
        return CKDA_E_DOMAIN;
    ckda_factors_init(g, f->n, K);
    if (factorise_is_permutation(image, f->n))
        factorise_append_permutation(g, image, K);
    else if (scheme == CKDA_FACTOR_PAPER)
        map_paper(g, image, K);
    else if (is_constant(image, f->n))
        constant_short(g, image[0], K);
    else
        map_short(g, image, K);
    ckda_factors_swap(f, g);
    ckda_factors_clear(g, K);
    return CKDA_OK;
}

slong
ckda_factor_map_bound(slong n, ckda_factor_scheme scheme)
{
    if (n <= 2)
        return n < 2 ? 1 : 2;
    return scheme == CKDA_FACTOR_PAPER ? 2 * n - 2 : n - 1;
}

slong
ckda_factor_permutation_bound(slong n)
{
    return n < 2 ? 1 : n - 1;
}
