/* The worst beginnings of words, and random words. */
#include <math.h>
#include <omp.h>
#include <stdlib.h>

#include "chunk_int.h"

/* A beginning: the word of its parent with one line more. */
typedef struct {
    double error;     /* the largest |H - target| now */
    double deviation; /* the largest |H - A q| now: what a target farther on may meet */
    uint32_t parent, line;
    bool taken;
} child;

static int
compare_places(const child *a, const child *b)
{
    if (a->parent != b->parent)
        return a->parent < b->parent ? -1 : 1;
    return a->line < b->line ? -1 : a->line > b->line;
}

/* Worst first; then the order in which they were made, so that nothing is left to qsort. */
static int
compare_errors(const void *x, const void *y)
{
    const child *a = x, *b = y;
    if (a->error != b->error)
        return a->error > b->error ? -1 : 1;
    return compare_places(a, b);
}

static int
compare_deviations(const void *x, const void *y)
{
    const child *a = x, *b = y;
    if (a->deviation != b->deviation)
        return a->deviation > b->deviation ? -1 : 1;
    return compare_places(a, b);
}

/* Is l the first of its orbit under the changes of signs that fix every line of the word?
 * (The others give mirror images of the same computation.) */
static bool
is_first(const uint32_t *word, uint32_t depth, uint32_t l, const ckda_chunk_struct *k)
{
    for (uint32_t s = 1; s < k->nsymmetries; s++) {
        const uint32_t *to = k->symmetry + (size_t)s * k->nlines;
        bool fixes = to[l] < l;
        for (uint32_t d = 0; d < depth && fixes; d++)
            fixes = to[word[d]] == word[d];
        if (fixes)
            return false;
    }
    return true;
}

/* The children of all words of this depth.  words: count * length lines. */
static void
expand(child *children, const uint32_t *words, uint32_t count, uint32_t depth,
       uint32_t length, int threads, const ckda_chunk_struct *k)
{
    const int workers = threads > 0 ? threads : omp_get_max_threads();
#pragma omp parallel num_threads(workers)
    {
        chunk_track x;
        chunk_track_init(&x, length, k);
        chunk_track_keep_exact(&x);
#pragma omp for schedule(static)
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t *word = words + (size_t)i * length;
            chunk_track_cut(&x, 0);
            for (uint32_t d = 0; d < depth; d++)
                chunk_track_push(&x, word[d]);
            for (uint32_t l = 0; l < k->nlines; l++) {
                child *c = children + (size_t)i * k->nlines + l;
                *c = (child){-1, -1, i, l, true};
                if (!is_first(word, depth, l, k))
                    continue;
                chunk_track_push(&x, l);
                *c = (child){chunk_track_worst(&x).error, chunk_track_deviation(&x), i, l,
                             false};
                chunk_track_cut(&x, depth);
            }
        }
        chunk_track_clear(&x);
    }
}

static uint32_t
take(uint32_t *next, uint32_t kept, child *children, size_t made, uint32_t most,
     uint32_t depth, uint32_t length, const uint32_t *words)
{
    for (size_t i = 0; i < made && kept < most; i++) {
        if (children[i].taken)
            continue;
        children[i].taken = true;
        uint32_t *to = next + (size_t)kept++ * length;
        memcpy(to, words + (size_t)children[i].parent * length, depth * sizeof *to);
        to[depth] = children[i].line;
    }
    return kept;
}

/* Half of the beam goes to the worst errors, the other half to the worst deviations. */
static uint32_t
keep(uint32_t *next, child *children, size_t made, uint32_t width, uint32_t depth,
     uint32_t length, const uint32_t *words)
{
    qsort(children, made, sizeof *children, compare_errors);
    uint32_t kept = take(next, 0, children, made, (width + 1) / 2, depth, length, words);
    qsort(children, made, sizeof *children, compare_deviations);
    return take(next, kept, children, made, width, depth, length, words);
}

double
ckda_chunk_beam(ckda_chunk_witness *worst, uint32_t length, uint32_t width, int threads,
                double max_seconds, const ckda_chunk_t k)
{
    ckda_require(k->scheme.grid > 0 && length >= 1 && width >= 1, "needs a grid");
    const double until = max_seconds > 0 ? ckda_wall_seconds() + max_seconds : 0;
    const size_t entries = (size_t)width * length;
    uint32_t *words = flint_calloc(entries, sizeof *words), count = 1;
    uint32_t *next = flint_calloc(entries, sizeof *next);
    child *children = flint_malloc((size_t)width * k->nlines * sizeof *children);
    bool in_time = true;
    for (uint32_t depth = 0; depth < length && in_time; depth++) {
        expand(children, words, count, depth, length, threads, k);
        count =
            keep(next, children, (size_t)count * k->nlines, width, depth, length, words);
        uint32_t *swap = words;
        words = next;
        next = swap;
        in_time = until == 0 || ckda_wall_seconds() < until || depth + 1 == length;
    }
    double error = -1;
    memset(worst, 0, sizeof *worst);
    if (in_time) {
        chunk_track x;
        chunk_track_init(&x, length, k);
        for (uint32_t d = 0; d < length; d++)
            chunk_track_push(&x, words[d]);
        const chunk_worst w = chunk_track_worst(&x);
        chunk_witness_set(worst, &x, &w);
        error = w.error;
        chunk_track_clear(&x);
    }
    flint_free(children);
    flint_free(next);
    flint_free(words);
    return error;
}

/* ---- random words ------------------------------------------------------------------ */

/* Letters, uniform, until no further one fits into `length` lines. */
static uint32_t
random_lines(uint32_t *lines, uint32_t *letters, ckda_rand *r, uint32_t length,
             const ckda_chunk_struct *k)
{
    uint32_t count = 0, made = 0;
    while (made < length) {
        const uint32_t x = (uint32_t)ckda_rand_below(r, k->nletters);
        if (k->letter_count[x] > length - made && made > 0)
            break;
        if (k->letter_count[x] == 0 || k->letter_count[x] > length)
            continue;
        letters[count++] = x;
        made += k->letter_count[x];
    }
    return ckda_chunk_lines_of(lines, letters, count, k);
}

static int
compare_doubles(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* The chunk number i of a seed is the same whatever the threads. */
static chunk_worst
one_random(chunk_track *x, uint32_t *lines, uint32_t *letters, uint64_t seed, uint64_t i)
{
    const ckda_chunk_struct *k = x->walk.k;
    ckda_rand r;
    ckda_rand_init(&r, seed ^ (i + 1) * UINT64_C(0x9e3779b97f4a7c15));
    ckda_rand_init(&r, ckda_rand_u64(&r));
    const uint32_t count = random_lines(lines, letters, &r, k->scheme.length, k);
    chunk_track_cut(x, 0);
    for (uint32_t d = 0; d < count; d++)
        chunk_track_push(x, lines[d]);
    return chunk_track_worst(x);
}

uint64_t
chunk_random(ckda_chunk_result *r, uint64_t chunks, uint64_t seed, int threads,
             double until, const ckda_chunk_t k)
{
    double *error = flint_malloc((chunks + 1) * sizeof *error);
    double *off = flint_malloc((chunks + 1) * sizeof *off);
    uint64_t first_wrong = UINT64_MAX, done = 0, wrong = 0;
    const int workers = threads > 0 ? threads : omp_get_max_threads();
    const uint64_t block = 1024; /* the clock is asked between blocks */
    while (done < chunks && (done == 0 || until == 0 || ckda_wall_seconds() < until)) {
        const uint64_t end = done + block < chunks ? done + block : chunks;
#pragma omp parallel num_threads(workers)
        {
            chunk_track x;
            uint32_t *lines = flint_malloc((k->scheme.length + 1) * sizeof *lines);
            uint32_t *letters = flint_malloc((k->scheme.length + 1) * sizeof *letters);
            chunk_track_init(&x, k->scheme.length, k);
            chunk_track_keep_exact(&x);
#pragma omp for schedule(static) reduction(+ : wrong) reduction(min : first_wrong)
            for (uint64_t i = done; i < end; i++) {
                const chunk_worst w = one_random(&x, lines, letters, seed, i);
                error[i] = w.error;
                off[i] = chunk_track_deviation(&x);
                wrong += w.wrong;
                if (w.wrong && i < first_wrong)
                    first_wrong = i;
            }
            chunk_track_clear(&x);
            flint_free(letters);
            flint_free(lines);
        }
        done = end;
    }
    r->random.chunks = done;
    r->random.wrong = wrong;
    if (done > 0) {
        qsort(error, done, sizeof *error, compare_doubles);
        qsort(off, done, sizeof *off, compare_doubles);
        r->random.median = error[done / 2];
        r->random.max = error[done - 1];
        r->random.median_deviation = off[done / 2];
    }
    flint_free(off);
    flint_free(error);
    return first_wrong;
}

void
chunk_random_witness(ckda_chunk_witness *w, uint64_t seed, uint64_t i,
                     const ckda_chunk_t k)
{
    chunk_track x;
    uint32_t *lines = flint_malloc((k->scheme.length + 1) * sizeof *lines);
    uint32_t *letters = flint_malloc((k->scheme.length + 1) * sizeof *letters);
    chunk_track_init(&x, k->scheme.length, k);
    const chunk_worst at = one_random(&x, lines, letters, seed, i);
    chunk_witness_set(w, &x, &at);
    chunk_track_clear(&x);
    flint_free(letters);
    flint_free(lines);
}
