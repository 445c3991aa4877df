/* Chunks in which nothing is ever rounded.
 *
 * If every rounded reflection is the true one, then (docs/chunk.md) each T_ij and each
 * partial sum of its solve is -beta_i k_i . x for some x that reflections make of a key;
 * each W_i (and partial sum, when it is solved directly) is beta_i times such an x, and each
 * partial sum of W is such a vector less another.  All of these are finitely many, so one
 * looks at how fine and how large they are: m 2^-g with |m| <= 2^p fits in p bits. */
#include <math.h>

#include "chunk_int.h"

/* Finer or larger numbers than these are not looked at; within them the double arithmetic
 * below is exact (k and x in steps of 2^-6 below 2^6, beta likewise). */
static const int FINE = 6;

/* Numbers that are multiples of 2^-grain, at most `most` in size. */
typedef struct {
    int grain;
    double most;
} extent;

static void
extend(extent *e, double x)
{
    e->most = fmax(e->most, fabs(x));
    while (e->grain < 1000 && ldexp(x, e->grain) != rint(ldexp(x, e->grain)))
        e->grain++;
}

static extent
product(extent a, extent b)
{
    return (extent){a.grain + b.grain, a.most * b.most};
}

static bool
fits(extent e, int bits)
{
    return ldexp(e.most, e.grain) <= ldexp(1, bits);
}

/* What reflections make of the keys: count vectors of n doubles. */
typedef struct {
    double *at;
    size_t count, n;
} orbit;

static bool
is_coarse(const double *x, size_t n)
{
    extent e = {0, 0};
    for (size_t i = 0; i < n; i++)
        extend(&e, x[i]);
    return e.grain <= FINE && e.most <= ldexp(1, FINE);
}

/* False if there is no room or x is too fine. */
static bool
add(orbit *o, const double *x)
{
    for (size_t i = 0; i < o->count; i++) {
        bool same = true;
        for (size_t a = 0; a < o->n && same; a++)
            same = o->at[i * o->n + a] == x[a];
        if (same)
            return true;
    }
    if (o->count == CHUNK_MAX_VECTORS || !is_coarse(x, o->n))
        return false;
    memcpy(o->at + o->count++ * o->n, x, o->n * sizeof *x);
    return true;
}

static bool
close_orbit(orbit *o, const ckda_chunk_struct *k)
{
    const size_t n = o->n;
    double key[32], y[32];
    bool good = true;
    for (uint32_t l = 0; l < k->nlines && good; l++) {
        for (size_t a = 0; a < n; a++)
            key[a] = (double)k->rounded_key[l * n + a];
        good = (double)k->beta[l] <= ldexp(1, FINE) && add(o, key);
    }
    for (size_t i = 0; i < o->count && good; i++)
        for (uint32_t l = 0; l < k->nlines && good; l++) {
            double dot = 0;
            for (size_t a = 0; a < n; a++)
                dot += (double)k->rounded_key[l * n + a] * o->at[i * n + a];
            for (size_t a = 0; a < n; a++)
                y[a] = o->at[i * n + a]
                       - (double)k->beta[l] * dot * (double)k->rounded_key[l * n + a];
            good = add(o, y);
        }
    return good;
}

typedef struct {
    extent key, b, t, w, v, q;
} extents;

static extents
measure(const orbit *o, const ckda_chunk_struct *k)
{
    const size_t n = o->n;
    extents e = {.q = {0, 0}};
    for (uint32_t l = 0; l < k->nlines; l++)
        for (size_t a = 0; a < n; a++) {
            extend(&e.key, (double)k->rounded_key[l * n + a]);
            extend(&e.b, (double)k->beta_key[l * n + a]);
        }
    for (size_t i = 0; i < o->count; i++)
        for (uint32_t l = 0; l < k->nlines; l++) {
            double dot = 0;
            for (size_t a = 0; a < n; a++) {
                extend(&e.w, (double)k->beta[l] * o->at[i * n + a]);
                dot += (double)k->rounded_key[l * n + a] * o->at[i * n + a];
            }
            extend(&e.t, (double)k->beta[l] * dot);
        }
    extend(&e.t, 1);
    for (uint32_t s = 0; s < k->nstarts; s++)
        for (size_t a = 0; a < n; a++)
            extend(&e.q, (double)k->snapped[k->start[s] * n + a]);
    e.v = (extent){e.w.grain, (double)n * e.w.most * e.q.most};
    return e;
}

/* Rb(beta k) and L are what they should be? */
static bool
tables_are_exact(const ckda_chunk_struct *k)
{
    const size_t n = (size_t)k->n;
    bool exact = true;
    for (uint32_t i = 0; i < k->nlines; i++) {
        for (size_t a = 0; a < n; a++)
            exact = exact
                    && (double)k->beta_key[i * n + a]
                           == (double)k->beta[i] * (double)k->rounded_key[i * n + a];
        for (uint32_t j = 0; j < k->nlines; j++) {
            double s = 0;
            for (size_t a = 0; a < n; a++)
                s +=
                    (double)k->rounded_key[i * n + a] * (double)k->rounded_key[j * n + a];
            exact =
                exact
                && (double)k->gram[(size_t)i * k->nlines + j] == (double)k->beta[i] * s;
        }
    }
    return exact;
}

bool
ckda_chunk_is_exact(const ckda_chunk_t k)
{
    if (!k->exact_parameters || k->n > 32 || k->scheme.grid == 0)
        return false;
    orbit o = {.n = (size_t)k->n};
    o.at = flint_malloc(CHUNK_MAX_VECTORS * o.n * sizeof *o.at);
    bool exact = close_orbit(&o, k) && tables_are_exact(k);
    if (exact) {
        const ckda_chunk_split *bits = &k->scheme.split;
        const extents e = measure(&o, k);
        const extent partial = {e.w.grain + e.b.grain, 2 * e.w.most};
        const extent h = {e.key.grain + e.v.grain, k->largest_norm};
        exact = fits(product(e.t, e.t), 24) && fits(e.v, 24)
                && fits(product(e.key, e.v), 24) && fits(h, 24) && fits(e.w, bits->w)
                && fits(e.v, bits->v);
        if (k->scheme.direct)
            exact = exact && fits(product(e.t, e.w), 24);
        else
            exact = exact && fits(e.t, bits->t) && fits(product(e.t, e.b), 24)
                    && fits(partial, 24);
    }
    flint_free(o.at);
    return exact;
}
