/* Words on the host. */
#include "twin.h"

#include <math.h>
#include <omp.h>
#include <string.h>
#include <time.h>

#include "letters.h"

typedef struct {
    const ckda_gpu_words *w;
    const ckda_tracker_struct *t;
    const ckda_rounded_struct *R;
    bool definition;
    ckda_gpu_words_result *r;
} job;

/* One word on its way. */
typedef struct {
    double *H;
    uint64_t *pattern; /* the same as patterns of `format`, for the definition */
    const ckda_fp_format *format;
    uint32_t state, at;
    uint64_t hash, first_wrong, pause;
    float worst;
} walker;

/* ---- one token --------------------------------------------------------------------------- */

static void
step(walker *k, uint32_t letter, const job *j)
{
    const slong n = j->R->n;
    k->state = j->t->next[(size_t)k->state * j->t->nletters + letter];
    if (!j->definition) {
        ckda_rounded_step(k->H, n, letter, j->R);
        return;
    }
    ckda_rounded_step_definition(k->pattern, n, letter, j->R);
    for (slong i = 0; i < n * n; i++)
        k->H[i] = ckda_fp_get_double(k->pattern[i], k->format);
}

static uint64_t
hash_entry(uint64_t hash, double x, bool fp64)
{
    if (isnan(x))
        return ckda_gpu_hash(hash, CKDA_GPU_NAN_BITS);
    if (!fp64) {
        const float f = x == 0 ? 0.0f : (float)x;
        uint32_t bits;
        memcpy(&bits, &f, sizeof bits);
        return ckda_gpu_hash(hash, bits);
    }
    uint64_t bits = 0;
    if (x != 0)
        memcpy(&bits, &x, sizeof bits);
    return ckda_gpu_hash(ckda_gpu_hash(hash, (uint32_t)bits), (uint32_t)(bits >> 32));
}

/* ---- looking ------------------------------------------------------------------------------ */

static void
set_pause(walker *k, uint64_t t, const ckda_gpu_words *w)
{
    k->pause = w->steps;
    if (w->check_every > 0 && (t / w->check_every + 1) * w->check_every < k->pause)
        k->pause = (t / w->check_every + 1) * w->check_every;
    if (k->at < w->ncheckpoints && w->checkpoint[k->at] < k->pause)
        k->pause = w->checkpoint[k->at];
}

static bool
is_wrong(const walker *k, double scale, double *distance, const job *j)
{
    uint32_t element;
    if (ckda_tracker_is_near(distance, k->H, scale, k->state, j->t))
        return false;
    for (slong i = 0; i < j->R->n * j->R->n; i++)
        if (!isfinite(k->H[i]))
            return true;
    return ckda_tracker_decode(&element, k->H, j->t) != CKDA_TRUE
           || element != j->t->element[k->state];
}

static void
look(walker *k, uint64_t t, uint64_t word, const job *j)
{
    const ckda_gpu_words *w = j->w;
    const double scale = j->R->scale;
    double distance = 0;
    if (is_wrong(k, scale, &distance, j) && k->first_wrong == 0)
        k->first_wrong = t;
    const float drift = isnan(distance) ? INFINITY : (float)(distance / scale);
    k->worst = drift > k->worst ? drift : k->worst;
    while (k->at < w->ncheckpoints && w->checkpoint[k->at] == t) {
        if (j->r->drift != NULL)
            j->r->drift[k->at * w->sequences + word] = drift;
        k->at++;
    }
    set_pause(k, t, w);
}

/* ---- one word ------------------------------------------------------------------------------ */

static void
start(walker *k, const job *j)
{
    ckda_rounded_initial(k->H, j->R);
    for (slong i = 0; i < j->R->n * j->R->n; i++)
        k->pattern[i] = ckda_fp_from_double(k->H[i], k->format, &ckda_fp_rne);
    k->state = k->at = 0;
    k->hash = CKDA_GPU_HASH_START;
    k->first_wrong = 0;
    k->worst = 0;
    set_pause(k, 0, j->w);
}

static void
finish(const walker *k, uint64_t word, const job *j)
{
    ckda_gpu_words_result *r = j->r;
    const size_t entries = (size_t)(j->R->n * j->R->n);
    if (r->final_state != NULL)
        for (size_t i = 0; i < entries; i++)
            r->final_state[word * entries + i] = k->H[i] == 0 ? 0.0 : k->H[i];
    if (r->final_exact != NULL)
        r->final_exact[word] = k->state;
    if (r->prefix_hash != NULL)
        r->prefix_hash[word] = k->hash;
    if (r->first_wrong != NULL)
        r->first_wrong[word] = k->first_wrong;
    if (r->worst != NULL)
        r->worst[word] = k->worst;
}

static void
walk(walker *k, uint64_t word, const job *j)
{
    const ckda_gpu_words *w = j->w;
    const uint64_t key = ckda_gpu_word_key(w->seed, word);
    const bool fp64 = j->R->uses_fp64;
    uint64_t bits = 0;
    start(k, j);
    for (uint64_t t = 0; t < w->steps; t++) {
        if (t % 4 == 0)
            bits = ckda_gpu_letter_bits(key, t / 4);
        step(k, ckda_gpu_letter(bits, (int)(t % 4), j->t->nletters), j);
        if (w->hash)
            for (slong i = 0; i < j->R->n * j->R->n; i++)
                k->hash = hash_entry(k->hash, k->H[i], fp64);
        if (t + 1 == k->pause)
            look(k, t + 1, word, j);
    }
    finish(k, word, j);
}

static double
now(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

void
ckda_gpu_twin_words(ckda_gpu_words_result *r, const ckda_gpu_words *w,
                    const ckda_tracker_t t, const ckda_rounded_t R,
                    const ckda_gpu_twin_options *o)
{
    const job j = {w, t, R, o->definition, r};
    const size_t entries = (size_t)(R->n * R->n);
    const double begin = now();
#pragma omp parallel num_threads(o->threads > 0 ? o->threads : omp_get_max_threads())
    {
        walker k = {.format = R->arith.grid > 0 ? R->arith.compute : R->arith.state};
        k.H = flint_malloc(entries * sizeof *k.H);
        k.pattern = flint_malloc(entries * sizeof *k.pattern);
#pragma omp for schedule(dynamic, 1)
        for (uint64_t word = 0; word < w->sequences; word++)
            walk(&k, word, &j);
        flint_free(k.pattern);
        flint_free(k.H);
        flint_cleanup();
    }
    r->seconds = now() - begin;
}

/* ---- comparison ------------------------------------------------------------------------------ */

static bool
same_states(const double *x, const double *y, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (memcmp(x + i, y + i, sizeof *x) != 0 && !(isnan(x[i]) && isnan(y[i])))
            return false;
    return true;
}

void
ckda_gpu_compare(ckda_gpu_differences *d, const ckda_gpu_words_result *x,
                 const ckda_gpu_words_result *y, uint64_t sequences, int n)
{
    const size_t entries = (size_t)n * (size_t)n;
    *d = (ckda_gpu_differences){.first = UINT64_MAX};
    for (uint64_t s = 0; s < sequences; s++) {
        const bool state = x->final_state != NULL && y->final_state != NULL
                           && !same_states(x->final_state + s * entries,
                                           y->final_state + s * entries, entries);
        const bool exact = x->final_exact != NULL && y->final_exact != NULL
                           && x->final_exact[s] != y->final_exact[s];
        const bool hash = x->prefix_hash != NULL && y->prefix_hash != NULL
                          && x->prefix_hash[s] != y->prefix_hash[s];
        const bool wrong = x->first_wrong != NULL && y->first_wrong != NULL
                           && x->first_wrong[s] != y->first_wrong[s];
        d->final_state += state;
        d->final_exact += exact;
        d->prefix_hash += hash;
        d->first_wrong += wrong;
        if (d->first == UINT64_MAX && (state || exact || hash || wrong))
            d->first = s;
    }
}
