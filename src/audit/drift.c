/* Words beside exact states: runs, decisions, statistics. */
#include "ckda/drift.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "ckda/fpfast.h"
#include "drift_internal.h"

/* What is kept of one word. */
typedef struct {
    uint64_t first_wrong, first_nonfinite; /* tokens; NEVER */
    ckda_drift_failure failure;
    double worst, rate; /* rate: ln of the norm's growth a token */
    uint64_t worst_t;
} word_record;

/* What all threads share. */
typedef struct {
    const ckda_drift_options *o;
    const ckda_tracker_struct *t;
    const ckda_rounded_struct *R;
    uint64_t period;
    uint64_t *at; /* o->at, moved to the ends of periods, without repetitions */
    size_t nat;
    double *drift, *norm; /* nat rows of one entry a word */
    word_record *word;
    double began, deadline; /* deadline 0: none */
    uint64_t done;          /* atomic: tokens */
    double shown;           /* when progress was last told */
    int stopped;            /* atomic: 1 time, 2 the kernel */
    ckda_status kernel_status;
} job;

/* What one thread works with. */
typedef struct {
    const job *j;
    double *H;
    uint32_t *letters; /* one period */
    drift_decider decider;
    uint32_t state; /* exact */
    double scale;
} worker;

/* ---- one word ------------------------------------------------------------------------ */

static double
direction(const double *H, uint32_t s, const ckda_tracker_struct *t)
{
    const slong entries = t->n * t->n;
    const double *S = t->value + (size_t)s * (size_t)entries;
    const double norm = drift_norm(H, entries);
    double along = 0, rest = 0;
    if (norm == 0)
        return sqrt((double)t->n);
    for (slong i = 0; i < entries; i++)
        along += H[i] / norm * S[i];
    for (slong i = 0; i < entries; i++) {
        const double e = H[i] / norm - along / (double)t->n * S[i];
        rest += e * e;
    }
    return sqrt((double)t->n * rest);
}

static void
note_failure(word_record *rec, uint64_t index, uint64_t t, uint32_t letter,
             uint32_t decoded, bool tie, bool finite, double distance, const worker *w)
{
    const ckda_tracker_struct *tr = w->j->t;
    rec->first_wrong = t;
    rec->failure = (ckda_drift_failure){.word = index,
                                        .t = t,
                                        .letter = letter,
                                        .state = w->state,
                                        .expected = tr->element[w->state],
                                        .decoded = decoded,
                                        .nonfinite = !finite,
                                        .tie = tie,
                                        .drift = INFINITY,
                                        .norm = INFINITY,
                                        .direction = INFINITY};
    if (!finite)
        return;
    rec->failure.drift = distance / w->scale;
    rec->failure.norm =
        drift_norm(w->H, tr->n * tr->n) / (w->scale * sqrt((double)tr->n));
    rec->failure.direction = direction(w->H, w->state, tr);
}

/* After token t.  False: the state is not finite, and will not be again (an infinity or a
 * NaN in a column reaches every later state of it). */
static bool
look(word_record *rec, uint64_t index, uint64_t t, uint32_t letter, size_t *row,
     worker *w)
{
    const job *j = w->j;
    const ckda_tracker_struct *tr = j->t;
    const slong entries = tr->n * tr->n;
    double distance;
    bool right = ckda_tracker_is_near(&distance, w->H, w->scale, w->state, tr);
    if (!right && !drift_is_finite(w->H, entries)) {
        rec->first_nonfinite = t;
        if (rec->first_wrong == CKDA_DRIFT_NEVER)
            note_failure(rec, index, t, letter, 0, false, false, 0, w);
        return false;
    }
    if (rec->first_wrong == CKDA_DRIFT_NEVER && (!right || w->decider.rotation != NULL)) {
        uint32_t decoded = 0;
        bool tie = false;
        if (!drift_decide(&decoded, &tie, w->H, w->state, &w->decider))
            note_failure(rec, index, t, letter, decoded, tie, true, distance, w);
    }
    if (distance > rec->worst) {
        rec->worst = distance;
        rec->worst_t = t;
    }
    if (*row < j->nat && j->at[*row] == t) {
        const size_t i = *row * (size_t)j->o->words + (size_t)index;
        j->drift[i] = distance / w->scale;
        j->norm[i] = drift_norm(w->H, entries) / (w->scale * sqrt((double)tr->n));
        ++*row;
    }
    return true;
}

static bool
out_of_time(job *j, uint64_t tokens)
{
    int stopped;
    if (j->deadline > 0 && (tokens & 0xffff) == 0 && ckda_wall_seconds() > j->deadline) {
#pragma omp atomic write
        j->stopped = 1;
    }
#pragma omp atomic read
    stopped = j->stopped;
    return stopped != 0;
}

/* So many tokens more are done.  The first thread tells. */
static void
tell(job *j, uint64_t more, bool parts)
{
    const ckda_drift_options *o = j->o;
    uint64_t done;
#pragma omp atomic capture
    done = j->done += more;
    if (o->progress == NULL || omp_get_thread_num() != 0)
        return;
    const double now = ckda_wall_seconds();
    if (now - j->shown < 0.1)
        return;
    j->shown = now;
    const ckda_drift_progress p = {.tokens = done,
                                   .all = o->words * o->length,
                                   .parts = parts,
                                   .seconds = now - j->began};
    o->progress(&p, o->data);
}

/* One period, or what is left of the word: letters, exact state, rounded state. */
static bool
advance(uint64_t count, drift_word *letters, worker *w, job *j)
{
    const ckda_drift_kernel *kernel = j->o->kernel;
    for (uint64_t i = 0; i < count; i++) {
        w->letters[i] = drift_word_next(letters);
        w->state = j->t->next[(size_t)w->state * j->t->nletters + w->letters[i]];
    }
    if (kernel == NULL) {
        ckda_rounded_step(w->H, j->t->n, w->letters[0], j->R);
        return true;
    }
    const ckda_status st = kernel->advance(w->H, w->letters, count, kernel->context);
    if (st != CKDA_OK) {
#pragma omp critical(ckda_drift_kernel)
        j->kernel_status = st;
#pragma omp atomic write
        j->stopped = 2;
    }
    return st == CKDA_OK;
}

static void
run_word(uint64_t index, worker *w, job *j)
{
    /* tokens from one look at the norm, or at the clock, to the next */
    enum { SAMPLE = 256, TELL = 1 << 14 };
    const uint64_t length = j->o->length;
    const slong entries = j->t->n * j->t->n;
    word_record *rec = j->word + index;
    drift_word letters;
    size_t row = 0;
    *rec = (word_record){.first_wrong = CKDA_DRIFT_NEVER,
                         .first_nonfinite = CKDA_DRIFT_NEVER};
    drift_word_open(&letters, j->o, index, j->t->nletters);
    ckda_rounded_initial(w->H, j->R);
    w->state = 0;
    const double start = drift_norm(w->H, entries);
    double last = start;
    uint64_t measured = 0, told = 0;
    for (uint64_t t = 0; t < length;) {
        const uint64_t count = length - t < j->period ? length - t : j->period;
        if (out_of_time(j, t) || !advance(count, &letters, w, j))
            return;
        t += count;
        if (!look(rec, index, t, w->letters[count - 1], &row, w))
            break;
        if (t - told >= TELL) {
            tell(j, t - told, false);
            told = t;
        }
        if (t < length && t - measured < SAMPLE)
            continue;
        const double norm = drift_norm(w->H, entries);
        if (norm > 0) {
            last = norm;
            measured = t;
        }
    }
    tell(j, length - told, false);
    rec->rate = measured > 0 && start > 0 ? log(last / start) / (double)measured : 0;
    for (; row < j->nat; row++) {
        const size_t i = row * (size_t)j->o->words + (size_t)index;
        j->drift[i] = j->norm[i] = INFINITY;
    }
}

/* ---- all words ----------------------------------------------------------------------- */

static void
work(job *j)
{
    const int64_t words = (int64_t)j->o->words;
    const slong n = j->t->n;
#pragma omp parallel num_threads(j->o->threads > 0 ? j->o->threads                       \
                                                   : omp_get_max_threads())
    {
        ckda_error ignored;
        worker w = {.j = j,
                    .H = flint_malloc((size_t)(n * n) * sizeof(double)),
                    .letters = flint_malloc(j->period * sizeof(uint32_t)),
                    .scale = j->R->scale};
        ckda_require(ckda_fp_host_is_ieee(),
                     "this processor or its mode is not IEEE binary32");
        ckda_error_clear(&ignored);
        const ckda_status st =
            drift_decider_init(&w.decider, j->t, j->o->decoder, &ignored);
        ckda_require(st == CKDA_OK, "%s", ignored.text);
#pragma omp for schedule(dynamic, 1)
        for (int64_t i = 0; i < words; i++)
            if (!out_of_time(j, 1))
                run_word((uint64_t)i, &w, j);
        drift_decider_clear(&w.decider);
        flint_free(w.letters);
        flint_free(w.H);
        if (omp_get_thread_num() != 0)
            flint_cleanup();
    }
}

/* ---- statistics ----------------------------------------------------------------------- */

static int
by_count(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static bool
earlier(const ckda_drift_failure *a, const ckda_drift_failure *b)
{
    return a->t < b->t || (a->t == b->t && a->word < b->word);
}

/* In the order of the words, so that threads cannot change a sum. */
static void
collect_words(ckda_drift_result_struct *r, const job *j)
{
    const size_t n = (size_t)j->o->words;
    uint64_t *first = flint_malloc(n * sizeof *first);
    r->first_min = r->first_nonfinite = CKDA_DRIFT_NEVER;
    for (size_t i = 0; i < n; i++) {
        const word_record *w = j->word + i;
        first[i] = w->first_wrong;
        r->measured_norm_rate += w->rate / (double)n;
        r->tokens +=
            w->first_nonfinite == CKDA_DRIFT_NEVER ? j->o->length : w->first_nonfinite;
        if (w->first_nonfinite != CKDA_DRIFT_NEVER)
            r->nonfinite++;
        if (w->first_nonfinite < r->first_nonfinite)
            r->first_nonfinite = w->first_nonfinite;
        if (w->worst / r->scale > r->worst) {
            r->worst = w->worst / r->scale;
            r->worst_word = i;
            r->worst_t = w->worst_t;
        }
        if (w->first_wrong == CKDA_DRIFT_NEVER)
            continue;
        if (r->failed++ == 0 || earlier(&w->failure, &r->first))
            r->first = w->failure;
    }
    qsort(first, n, sizeof *first, by_count);
    r->first_min = first[0];
    r->first_median = first[(n - 1) / 2];
    flint_free(first);
}

static void
collect(ckda_drift_result_struct *r, job *j)
{
    const size_t n = (size_t)j->o->words;
    *r = (ckda_drift_result_struct){.words = j->o->words,
                                    .length = j->o->length,
                                    .n = j->t->n,
                                    .scale = j->R->scale,
                                    .margin = j->t->margin_low,
                                    .nrows = j->nat};
    for (size_t i = 0; i < j->nat; i++)
        r->row[i] = drift_summary(j->at[i], j->drift + i * n, j->norm + i * n, n);
    collect_words(r, j);
    r->norm_rate = ckda_rounded_norm_rate(j->R);
    if (j->o->kernel == NULL)
        r->guaranteed_steps =
            ckda_rounded_guaranteed_steps(&r->rho, &r->zeta, j->R, j->t);
}

/* ---- parts of the drift ----------------------------------------------------------------- */

static ckda_status
split_words(ckda_drift_result_struct *r, job *j, ckda_error *err)
{
    const ckda_drift_options *o = j->o;
    const uint64_t words = o->split_words < o->words ? o->split_words : o->words;
    size_t nat = 0;
    while (nat < j->nat && j->at[nat] <= o->split_length)
        nat++;
    r->split = flint_malloc((size_t)(words * nat + 1) * sizeof *r->split);
    for (uint64_t w = 0; w < words && nat > 0; w++) {
        size_t got;
        tell(j, 0, true);
        const ckda_status st = drift_split_word(r->split + r->nsplits, &got, w, j->at,
                                                nat, o, j->R, j->t, err);
        if (st != CKDA_OK)
            return st;
        r->nsplits += got;
    }
    return CKDA_OK;
}

/* For a wrong decode only what is across S_t counts. */
static ckda_drift_source
largest_across(const ckda_drift_split *s)
{
    if (s->keys.across >= s->operations.across && s->keys.across >= s->store.across)
        return s->keys.across > 0 ? CKDA_DRIFT_KEY_DIRECTION : CKDA_DRIFT_NOTHING;
    return s->operations.across >= s->store.across ? CKDA_DRIFT_OPERATIONS
                                                   : CKDA_DRIFT_STORE;
}

static ckda_status
find_cause(ckda_drift_result_struct *r, job *j, ckda_error *err)
{
    size_t got;
    if (r->failed == 0 || r->first.nonfinite || r->first.t > j->o->cause_length)
        return CKDA_OK;
    tell(j, 0, true);
    const ckda_status st = drift_split_word(&r->cause, &got, r->first.word, &r->first.t,
                                            1, j->o, j->R, j->t, err);
    r->has_cause = st == CKDA_OK && got == 1;
    if (r->has_cause)
        r->cause.largest = largest_across(&r->cause);
    return st;
}

/* ---- the whole -------------------------------------------------------------------------- */

static ckda_status
check(const ckda_drift_options *o, const ckda_tracker_struct *t, ckda_error *err)
{
    ckda_require(o->words >= 1 && o->length >= 1 && o->nat <= CKDA_DRIFT_MAX_ROWS,
                 "no words, no length, or %zu rows", o->nat);
    for (size_t i = 0; i < o->nat; i++)
        if (o->at[i] < 1 || o->at[i] > o->length || (i > 0 && o->at[i] <= o->at[i - 1])) {
            ckda_error_set(err,
                           "drift is shown after tokens in increasing order from 1 to "
                           "%llu, found %llu",
                           (unsigned long long)o->length, (unsigned long long)o->at[i]);
            return CKDA_E_INPUT;
        }
    for (uint64_t i = 0; o->word != NULL && i < o->word_length; i++)
        if (o->word[i] >= t->nletters) {
            ckda_error_set(err, "letter %lu at %llu does not exist",
                           (unsigned long)o->word[i], (unsigned long long)i + 1);
            return CKDA_E_INPUT;
        }
    ckda_require(o->word == NULL || o->word_length > 0, "an empty word");
    return CKDA_OK;
}

static ckda_status
job_open(job *j, ckda_error *err)
{
    const ckda_drift_options *o = j->o;
    const uint64_t each = sizeof(word_record) + 2 * o->nat * sizeof(double);
    const uint64_t most = o->limits != NULL && o->limits->max_bytes > 0
                              ? o->limits->max_bytes
                              : UINT64_C(1) << 34;
    if (o->words > most / each) {
        ckda_error_set(err, "memory: %llu words at %zu places need %.3g bytes",
                       (unsigned long long)o->words, o->nat,
                       (double)o->words * (double)each);
        return CKDA_E_UNABLE;
    }
    j->at = flint_malloc((o->nat + 1) * sizeof *j->at);
    for (size_t i = 0; i < o->nat; i++) {
        uint64_t t = (o->at[i] + j->period - 1) / j->period * j->period;
        t = t > o->length ? o->length : t;
        if (j->nat == 0 || j->at[j->nat - 1] < t)
            j->at[j->nat++] = t;
    }
    const size_t cells = j->nat * (size_t)o->words + 1;
    j->drift = malloc(cells * sizeof *j->drift);
    j->norm = malloc(cells * sizeof *j->norm);
    j->word = malloc((size_t)o->words * sizeof *j->word);
    if (j->drift == NULL || j->norm == NULL || j->word == NULL) {
        ckda_error_set(err, "memory: no room for %llu words",
                       (unsigned long long)o->words);
        return CKDA_E_UNABLE;
    }
    return CKDA_OK;
}

static void
job_close(job *j)
{
    flint_free(j->at);
    free(j->drift);
    free(j->norm);
    free(j->word);
}

static ckda_status
run_job(ckda_drift_result_struct *r, job *j, ckda_error *err)
{
    work(j);
    if (j->stopped != 0) {
        ckda_error_set(err, j->stopped == 1 ? "time: stopped before all words were done"
                                            : "the chunked kernel gave up");
        return j->stopped == 1 ? CKDA_E_UNABLE : j->kernel_status;
    }
    collect(r, j);
    ckda_status st = split_words(r, j, err);
    if (st == CKDA_OK)
        st = find_cause(r, j, err);
    if (st != CKDA_OK)
        ckda_drift_clear(r);
    return st;
}

ckda_status
ckda_drift_run(ckda_drift_result_t r, const ckda_tracker_t t, const ckda_rounded_t R,
               const ckda_drift_options *o, ckda_error *err)
{
    const double start = ckda_wall_seconds();
    drift_decider probe;
    ckda_drift_result_struct result;
    job j = {.o = o,
             .t = t,
             .R = R,
             .period = o->kernel != NULL ? o->kernel->period : 1,
             .began = start,
             .shown = start};
    ckda_status st = check(o, t, err);
    if (st == CKDA_OK)
        st = drift_decider_init(&probe, t, o->decoder, err);
    if (st != CKDA_OK)
        return st;
    drift_decider_clear(&probe);
    if (o->limits != NULL && o->limits->max_seconds > 0)
        j.deadline = start + o->limits->max_seconds;
    st = job_open(&j, err);
    if (st == CKDA_OK)
        st = run_job(&result, &j, err);
    job_close(&j);
    if (st != CKDA_OK)
        return st;
    result.seconds = ckda_wall_seconds() - start;
    *r = result;
    return CKDA_OK;
}

void
ckda_drift_clear(ckda_drift_result_t r)
{
    flint_free(r->split);
}
