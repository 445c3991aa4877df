/* The largest first-order effect of the rounded keys over all words.
 *
 * To first order the product of the rounded reflections differs from that of the true ones,
 * in entry a on the column v_0, by sum_j x_j^T E_j v_{j-1}, where E_j is the deviation of line
 * j, v_j = R_j v_{j-1}, and x_j^T = e_a^T R_C ... R_{j+1}, so x_j = R_j x_{j-1} as well: a row
 * and a column move together.  The pairs are finitely many, so the maximum over all words is
 * found by stepping through their number of lines.  docs/chunk.md has the rest. */
#include <math.h>
#include <stdlib.h>

#include "chunk_int.h"

static const double MAX_STEPS = 4e10;

/* x in the direction of vector i, column +-vector j: (i, j, +) and (i, j, -). */
typedef struct {
    const ckda_chunk_struct *k;
    size_t V;
    double *reward;     /* line * V * V + i * V + j: c vector_i^T E vector_j */
    double *now, *next; /* (i * V + j) * 2 + (sign < 0) */
    double margin;      /* a line: what the doubles may have lost */
} drift_table;

static void
fill_rewards(drift_table *d)
{
    const ckda_chunk_struct *k = d->k;
    const size_t n = (size_t)k->n, V = d->V;
    const double c = (double)k->scheme.grid;
    double *Ev = flint_malloc(n * sizeof *Ev);
    for (uint32_t l = 0; l < k->nlines; l++)
        for (size_t j = 0; j < V; j++) {
            const double *E = k->deviation + l * n * n, *v = k->vector + j * n;
            for (size_t a = 0; a < n; a++) {
                Ev[a] = 0;
                for (size_t b = 0; b < n; b++)
                    Ev[a] += E[a * n + b] * v[b];
            }
            for (size_t i = 0; i < V; i++) {
                const double *x = k->vector + i * n;
                double r = 0;
                for (size_t a = 0; a < n; a++)
                    r += x[a] * Ev[a];
                d->reward[(l * V + i) * V + j] = c * r;
            }
        }
    flint_free(Ev);
}

/* One more line: next[x, v] = max over lines R of now[R x, R v] + c x^T E (R v). */
static void
step(drift_table *d)
{
    const ckda_chunk_struct *k = d->k;
    const size_t V = d->V;
    for (size_t p = 0; p < 2 * V * V; p++)
        d->next[p] = -INFINITY;
    for (uint32_t l = 0; l < k->nlines; l++) {
        const int32_t *move = k->move + l * V;
        for (size_t i = 0; i < V; i++) {
            const size_t from_i = (size_t)(abs(move[i]) - 1);
            const double *reward = d->reward + (l * V + i) * V;
            for (size_t j = 0; j < V; j++) {
                const size_t from_j = (size_t)(abs(move[j]) - 1);
                /* R v_j = +-vector from_j; the pair (R x, R v) up to a common sign */
                const bool turned = move[j] < 0, other = turned != (move[i] < 0);
                const double *from = d->now + (from_i * V + from_j) * 2;
                double *to = d->next + (i * V + j) * 2;
                const double gain = turned ? -reward[from_j] : reward[from_j];
                to[0] = fmax(to[0], from[other] + gain);
                to[1] = fmax(to[1], from[!other] - gain);
            }
        }
    }
    double *swap = d->now;
    d->now = d->next;
    d->next = swap;
}

/* Is vector i a unit vector +-e_a?  Its doubles are exact then, and only then. */
static bool
is_axis(const double *v, size_t n)
{
    size_t zeros = 0, ones = 0;
    for (size_t a = 0; a < n; a++) {
        zeros += v[a] == 0;
        ones += fabs(v[a]) == 1;
    }
    return zeros == n - 1 && ones == 1;
}

static double
best(const drift_table *d)
{
    const size_t V = d->V, n = (size_t)d->k->n;
    double most = 0;
    for (size_t i = 0; i < V; i++)
        if (is_axis(d->k->vector + i * n, n))
            for (size_t p = 2 * i * V; p < 2 * (i + 1) * V; p++)
                most = fmax(most, d->now[p]);
    return most;
}

bool
chunk_drift_maxima(double *first_order, uint32_t length, const ckda_chunk_t k)
{
    const size_t V = k->nvectors;
    if (2.0 * (double)V * (double)V * k->nlines * length > MAX_STEPS
        || (double)V * (double)V * k->nlines > 1e8)
        return false;
    drift_table d = {.k = k, .V = V};
    d.reward = flint_malloc(V * V * k->nlines * sizeof *d.reward);
    d.now = flint_malloc(2 * V * V * sizeof *d.now);
    d.next = flint_malloc(2 * V * V * sizeof *d.next);
    fill_rewards(&d);
    /* A reward is a sum of n^2 <= 2^10 products of three numbers known to 2^-50 of
     * themselves or, for entries of unit vectors, to 2^-52; the entries of E are at most
     * its norm. */
    d.margin = (double)k->scheme.grid * k->deviation_norm * 0x1p-36;
    for (size_t i = 0; i < V; i++)
        for (size_t j = 0; j < V; j++)
            for (size_t sign = 0; sign < 2; sign++)
                d.now[(i * V + j) * 2 + sign] = j < k->nstarts ? 0 : -INFINITY;
    for (uint32_t i = 0; i < length; i++) {
        step(&d);
        first_order[i] = best(&d) * (1 + 0x1p-40) + (i + 1) * d.margin;
    }
    flint_free(d.next);
    flint_free(d.now);
    flint_free(d.reward);
    return true;
}
