/* Every word, or the worst beginnings of words. */
#include <math.h>
#include <omp.h>

#include "chunk_int.h"

/* ---- every word -------------------------------------------------------------------- */

/* Changes of signs that fix every line of a word so far (all rounding is odd, so such a
 * change maps the whole computation to itself): only one line of each orbit is followed. */
typedef struct {
    chunk_track track;
    uint32_t length;
    uint32_t *fixing;  /* (length + 1) * nsymmetries: indices */
    uint32_t *nfixing; /* length + 1 */
    double *max;       /* length */
    ckda_chunk_witness worst;
    double worst_error;
    bool wrong;
    uint64_t budget; /* lines until the clock is asked again */
    double until;    /* 0: no limit */
    bool *stop;      /* shared by the threads */
} enumerator;

static void
enumerator_init(enumerator *e, uint32_t length, bool *stop, double until,
                const ckda_chunk_t k)
{
    *e = (enumerator){.length = length, .stop = stop, .until = until, .worst_error = -1};
    chunk_track_init(&e->track, length, k);
    e->fixing = flint_malloc((size_t)(length + 1) * k->nsymmetries * sizeof *e->fixing);
    e->nfixing = flint_malloc((length + 1) * sizeof *e->nfixing);
    e->max = flint_calloc(length, sizeof *e->max);
    for (uint32_t i = 0; i < k->nsymmetries; i++)
        e->fixing[i] = i;
    e->nfixing[0] = k->nsymmetries;
}

static void
enumerator_clear(enumerator *e)
{
    chunk_track_clear(&e->track);
    flint_free(e->fixing);
    flint_free(e->nfixing);
    flint_free(e->max);
    ckda_chunk_witness_clear(&e->worst);
}

/* Is l the first of its orbit under what fixes the word so far?  If so those that fix l too
 * are written for the next depth. */
static bool
is_first(enumerator *e, uint32_t depth, uint32_t l)
{
    const ckda_chunk_struct *k = e->track.walk.k;
    const uint32_t *own = e->fixing + (size_t)depth * k->nsymmetries;
    uint32_t *next = e->fixing + (size_t)(depth + 1) * k->nsymmetries, kept = 0;
    for (uint32_t i = 0; i < e->nfixing[depth]; i++) {
        const uint32_t to = k->symmetry[(size_t)own[i] * k->nlines + l];
        if (to < l)
            return false;
        if (to == l)
            next[kept++] = own[i];
    }
    e->nfixing[depth + 1] = kept;
    return true;
}

static void
note(enumerator *e)
{
    const uint32_t depth = e->track.walk.depth;
    const chunk_worst w = chunk_track_worst(&e->track);
    if (w.error > e->max[depth - 1])
        e->max[depth - 1] = w.error;
    if (depth < e->length)
        return;
    if (w.error > e->worst_error || (w.wrong && !e->wrong)) {
        e->worst_error = w.error;
        e->wrong = w.wrong;
        chunk_witness_set(&e->worst, &e->track, &w);
    }
}

static bool
is_stopped(enumerator *e)
{
    if (e->budget-- > 0)
        return false;
    bool stop;
#pragma omp atomic read
    stop = *e->stop;
    if (!stop && e->until > 0 && ckda_wall_seconds() > e->until) {
        stop = true;
#pragma omp atomic write
        *e->stop = true;
    }
    e->budget = stop ? 0 : 4096; /* the beginnings that are left end at once */
    return stop;
}

/* All continuations of the word, depth first, without recursion: choice[d] is the next line
 * to try at depth d. */
static void
enumerate(enumerator *e)
{
    const ckda_chunk_struct *k = e->track.walk.k;
    const uint32_t base = e->track.walk.depth;
    uint32_t *choice = flint_calloc(e->length + 1, sizeof *choice);
    uint32_t depth = base;
    bool stopped = false;
    while (!stopped) {
        if (depth == e->length || choice[depth] == k->nlines) {
            if (depth == base)
                break;
            depth--;
            chunk_track_cut(&e->track, depth);
            continue;
        }
        const uint32_t l = choice[depth]++;
        if (!is_first(e, depth, l))
            continue;
        stopped = is_stopped(e);
        chunk_track_push(&e->track, l);
        note(e);
        choice[++depth] = 0;
    }
    chunk_track_cut(&e->track, base);
    flint_free(choice);
}

/* The beginnings of at most two lines that are shared out; lines[2 i], lines[2 i + 1]. */
static uint32_t *
beginnings(uint32_t *count, uint32_t depth, const ckda_chunk_t k)
{
    bool stop = false;
    enumerator e;
    enumerator_init(&e, 2, &stop, 0, k);
    uint32_t *lines = flint_malloc((size_t)2 * k->nlines * k->nlines * sizeof *lines);
    *count = 0;
    for (uint32_t l = 0; l < k->nlines; l++) {
        if (!is_first(&e, 0, l))
            continue;
        if (depth == 1) {
            lines[2 * (*count)++] = l;
            continue;
        }
        for (uint32_t m = 0; m < k->nlines; m++)
            if (is_first(&e, 1, m)) {
                lines[2 * *count] = l;
                lines[2 * (*count)++ + 1] = m;
            }
    }
    enumerator_clear(&e);
    return lines;
}

static void
follow(enumerator *e, const uint32_t *lines, uint32_t depth)
{
    chunk_track_cut(&e->track, 0);
    for (uint32_t d = 0; d < depth; d++) {
        const bool first = is_first(e, d, lines[d]);
        ckda_require(first, "a beginning is the first of its orbit");
        chunk_track_push(&e->track, lines[d]);
        note(e);
    }
    enumerate(e);
}

static bool
is_before(const uint32_t *a, const uint32_t *b, uint32_t count)
{
    uint32_t i = 0;
    while (i + 1 < count && a[i] == b[i])
        i++;
    return a[i] < b[i];
}

/* Which of two worst words is kept does not depend on the threads. */
static bool
beats(const enumerator *e, const ckda_chunk_witness *worst, double error, bool wrong)
{
    if (e->worst.count == 0 || e->wrong != wrong)
        return e->worst.count != 0 && e->wrong;
    if (e->worst_error != error || worst->count == 0)
        return e->worst_error > error;
    return is_before(e->worst.lines, worst->lines, worst->count);
}

typedef struct {
    ckda_chunk_witness worst;
    double error;
    bool wrong;
} merged;

static void
merge(merged *to, double *max, enumerator *e)
{
    for (uint32_t i = 0; i < e->length; i++)
        max[i] = fmax(max[i], e->max[i]);
    if (!beats(e, &to->worst, to->error, to->wrong))
        return;
    const ckda_chunk_witness swap = to->worst;
    to->worst = e->worst;
    e->worst = swap;
    to->error = e->worst_error;
    to->wrong = e->wrong;
}

ckda_truth
ckda_chunk_exhaust(double *max, ckda_chunk_witness *worst, uint32_t length, int threads,
                   double max_seconds, const ckda_chunk_t k)
{
    ckda_require(k->scheme.grid > 0 && length >= 1, "needs a grid and a line");
    const uint32_t depth = length < 2 ? length : 2;
    const double until = max_seconds > 0 ? ckda_wall_seconds() + max_seconds : 0;
    uint32_t count;
    uint32_t *lines = beginnings(&count, depth, k);
    bool stop = false;
    merged all = {.error = -1};
    for (uint32_t i = 0; i < length; i++)
        max[i] = 0;
    const int workers = threads > 0 ? threads : omp_get_max_threads();
#pragma omp parallel num_threads(workers)
    {
        enumerator e;
        enumerator_init(&e, length, &stop, until, k);
#pragma omp for schedule(dynamic)
        for (uint32_t i = 0; i < count; i++)
            follow(&e, lines + 2 * (size_t)i, depth);
#pragma omp critical
        merge(&all, max, &e);
        enumerator_clear(&e);
    }
    flint_free(lines);
    const ckda_truth t = all.wrong ? CKDA_FALSE : stop ? CKDA_UNKNOWN : CKDA_TRUE;
    if (worst != NULL)
        *worst = all.worst;
    else
        ckda_chunk_witness_clear(&all.worst);
    return t;
}

/* Orbits have at most nsymmetries members, but only the first lines see that. */
double
ckda_chunk_word_count(uint32_t length, const ckda_chunk_t k)
{
    return pow(k->nlines, length);
}
