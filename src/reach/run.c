/* Search, certificate, verdict. */
#include "search_internal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static char *text_of(const char *fmt, ...) CKDA_PRINTF(1, 2);
static char *
text_of(const char *fmt, ...)
{
    char buf[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(buf, sizeof buf, fmt, ap);
    va_end(ap);
    char *s = flint_malloc(strlen(buf) + 1);
    strcpy(s, buf);
    return s;
}

void
ckda_system_init_construct(ckda_system_t sys, const ckda_construction_t c)
{
    *sys = (ckda_system_struct){.K = c->K, .nletters = c->G->order, .linear = c->matrix};
    ckda_mat_init(sys->initial, c->n, c->n, c->K);
    const ckda_status st = ckda_mat_one(sys->initial, c->K);
    ckda_require(st == CKDA_OK, "square");
    uint32_t *element = flint_malloc(c->G->order * sizeof *element);
    for (uint32_t g = 0; g < c->G->order; g++)
        element[g] = g;
    sys->letter_element = element;
    sys->G = c->G;
}

void
ckda_system_clear(ckda_system_t sys)
{
    ckda_mat_clear(sys->initial, sys->K);
    flint_free((void *)(uintptr_t)sys->letter_element);
    *sys = (ckda_system_struct){0};
}

/* ---- results --------------------------------------------------------------------- */

/* States over the labels that occur. */
static void
count_labels(ckda_reach_t r, const search *s, const ckda_group_struct *G)
{
    uint64_t *count = flint_calloc(G->order, sizeof *count);
    const store *states = &s->states;
    for (uint32_t i = 0; s->label != NULL && i < s->count; i++)
        count[s->label[i]]++;
    for (uint32_t k = 0; k < STORE_SHARDS; k++)
        for (uint32_t i = 0; i < states->shard[k].count; i++)
            count[store_word(store_at(states, k, i) + states->label)]++;
    ckda_ranks_sum(count, G->order);
    for (uint32_t g = 0; g < G->order; g++) {
        if (count[g] == 0)
            continue;
        if (r->decoded++ == 0 || count[g] < r->min_per_element)
            r->min_per_element = count[g];
        if (count[g] > r->max_per_element)
            r->max_per_element = count[g];
    }
    flint_free(count);
}

static void
take_decoding(ckda_reach_t r, const search *s, const ckda_system_t sys)
{
    r->decoder_consistent = CKDA_UNKNOWN;
    if (sys->G == NULL || r->finite != CKDA_TRUE)
        return;
    count_labels(r, s, sys->G);
    r->decoder_consistent = s->consistent ? CKDA_TRUE : CKDA_FALSE;
    r->bad_state = s->bad_state;
    r->bad_letter = s->bad_letter;
    r->bad_want = s->bad_want;
    r->bad_got = s->bad_got;
}

static uint32_t *
shrink(uint32_t *array, size_t count)
{
    return array == NULL ? NULL : flint_realloc(array, (count + 1) * sizeof *array);
}

/* Moves what the search found into r; s is empty afterwards. */
static void
take_search(ckda_reach_t r, search *s, const ckda_system_t sys, bool keep_graph)
{
    const size_t count = s->count;
    r->states = count;
    r->state_bytes = (uint32_t)s->step.bytes;
    r->bytes = s->most_bytes;
    ckda_ranks_sum(&r->bytes, 1);
    r->edges = s->edges;
    r->level = s->level;
    r->nlevels = s->nlevels;
    s->level = NULL;
    if (r->finite == CKDA_UNKNOWN && r->limit == NULL)
        r->limit = s->limit;
    take_decoding(r, s, sys);
    if (keep_graph) {
        r->next = shrink(s->next, count * sys->nletters);
        r->label = sys->G != NULL ? search_labels(s) : NULL;
        r->parent = shrink(s->parent, count);
        r->via = shrink(s->via, count);
        s->next = s->parent = s->via = NULL;
    }
    search_clear(s);
}

void
ckda_reach_clear(ckda_reach_t r)
{
    flint_free(r->level);
    flint_free(r->exactness);
    flint_free(r->next);
    flint_free(r->label);
    flint_free(r->parent);
    flint_free(r->via);
    pump_clear(&r->pump);
    memset(r, 0, sizeof *r);
}

/* ---- verdicts -------------------------------------------------------------------- */

/* One attempt with a fixed set of primes. */
typedef struct {
    const ckda_system_struct *sys;
    run_control control;
    bool fixed_prime; /* never add primes, never recompute: what does the bound say? */
    bool may_pump;    /* could there be infinitely many states? */
    system_height height;
    images im;
    search s;
} attempt;

static void
prefix_text(ckda_reach_t r, const char *what, char *text)
{
    const size_t a = strlen(what), b = strlen(text);
    r->exactness = flint_malloc(a + b + 1);
    memcpy(r->exactness, what, a);
    memcpy(r->exactness + a, text, b + 1);
    flint_free(text);
}

/* Recomputes all edges over K, with the graph searched again if it was not kept. */
static ckda_truth
recompute(ckda_reach_t r, attempt *a)
{
    if (!a->s.numbers) {
        search_clear(&a->s);
        search_init(&a->s, a->sys, &a->im, &a->control, true);
        a->s.on_record = false;
        const ckda_status st = search_run(&a->s, false, NULL);
        ckda_require(st == CKDA_OK, "a search off the record writes nothing");
        if (!a->s.closed)
            return CKDA_UNKNOWN;
    }
    ckda_truth truth = CKDA_UNKNOWN;
    if (a->s.rank == 0) /* where the graph is */
        truth = exact_edges(&a->s, a->sys, a->control.deadline);
    ckda_ranks_share(&truth, sizeof truth);
    if (truth == CKDA_TRUE)
        r->exactness =
            text_of("exact: all %" PRIu64 " edges recomputed over K of degree %ld; "
                    "states told apart modulo p = %u%s",
                    a->s.edges, (long)a->sys->K->degree, a->im.mod[0].p,
                    a->im.nprimes > 1 ? " and further primes" : "");
    return truth;
}

static bool
prove_infinite(ckda_reach_t r, attempt *a)
{
    ckda_pump *pump = &r->pump;
    if (a->s.rank != 0 || !a->may_pump)
        return false; /* process 0 answers */
    *pump = a->s.pump;
    a->s.pump = (ckda_pump){0};
    /* A search that closed is hardly infinite; a long one is worth a longer look. */
    const uint32_t least = a->control.deadline > 0 ? 16 : 8;
    const uint32_t longer = a->s.pump_round + 3;
    const uint32_t rounds = a->s.closed ? 3 : longer > least ? longer : least;
    const bool stopped = a->control.o->stop != NULL && *a->control.o->stop;
    if (pump->length == 0 && !stopped)
        find_pump(pump, &a->s.pump_round, rounds, &a->im, a->sys, a->control.deadline);
    if (pump->length == 0)
        return false;
    r->finite = CKDA_FALSE;
    r->limit = NULL;
    r->exactness =
        text_of("the powers of a word of %u letter%s%s never repeat a state: after "
                "every period that a finite orbit could have the state differs "
                "modulo p = %u",
                pump->length, pump->length == 1 ? "" : "s",
                pump->nprefix > 0 ? ", after a prefix," : "", pump->prime);
    return true;
}

static bool
timed_out(const attempt *a)
{
    return a->control.deadline > 0 && ckda_wall_seconds() > a->control.deadline;
}

/* The search closed.  True: r has its verdict.  False: repeat with *more primes. */
static bool
certify(ckda_reach_t r, attempt *a, uint32_t *more)
{
    bool done = true;
    word_height h;
    char *text = NULL;
    word_height_init(&h);
    *more = CKDA_REACH_MAX_PRIMES + 1;
    if (word_height_of(&h, &a->height, a->s.nlevels) == CKDA_OK) { /* L + 1 */
        text = height_text(&h, &a->im, a->sys->K);
        if (height_suffices(more, &h, &a->im, a->sys->K)) {
            r->finite = CKDA_TRUE;
            prefix_text(r, "height bound: ", text);
            goto done;
        }
    }
    if (!a->fixed_prime && *more <= CKDA_REACH_MAX_PRIMES) {
        done = false;
    } else {
        const ckda_truth truth = a->fixed_prime ? CKDA_UNKNOWN : recompute(r, a);
        *more = 2 * a->im.nprimes; /* more primes tell more states apart */
        if (truth == CKDA_TRUE)
            r->finite = CKDA_TRUE;
        else if (truth == CKDA_FALSE && *more <= CKDA_REACH_MAX_PRIMES)
            done = false;
        else if (!prove_infinite(r, a))
            r->limit = a->s.limit != NULL ? a->s.limit
                       : timed_out(a)     ? "time"
                                          : "height bound";
        if (done && r->exactness == NULL)
            r->exactness =
                text_of("not certified: closed modulo the primes, but %s",
                        text != NULL ? text : "the words are too long for them");
    }
    flint_free(text);
done:
    word_height_clear(&h);
    return done;
}

/* *done: r has its verdict, though not yet the search's figures. */
static ckda_status
try_primes(bool *done, ckda_reach_t r, attempt *a, uint32_t *more, ckda_error *err)
{
    const ckda_status st = search_run(&a->s, a->may_pump, err);
    if (st != CKDA_OK)
        return st;
    *done = true;
    if (a->s.closed)
        *done = certify(r, a, more);
    else if (!prove_infinite(r, a))
        r->exactness =
            text_of("the search did not close; the states found are distinct modulo "
                    "p = %u%s, hence distinct",
                    a->im.mod[0].p, a->im.nprimes > 1 ? " and further primes" : "");
    return CKDA_OK;
}

/* One search, from the beginning or from where a saved one stood. */
static ckda_status
search_once(bool *done, ckda_reach_t r, attempt *a, uint32_t *nprimes, uint32_t p,
            saved_search *saved, ckda_error *err)
{
    const bool keep_graph = (a->control.o->flags & CKDA_REACH_KEEP_GRAPH) != 0;
    if (images_init(&a->im, a->sys, *nprimes, p) != CKDA_OK) {
        if (saved->file != NULL)
            return ckda_load_fail(saved->file, "primes that suit the system", "others",
                                  err);
        ckda_error_set(err, "no usable prime for this field");
        return CKDA_E_UNABLE;
    }
    r->primes = *nprimes;
    search_init(&a->s, a->sys, &a->im, &a->control, keep_graph || saved->graph);
    ckda_status st = saved->file != NULL ? checkpoint_read(&a->s, saved, err) : CKDA_OK;
    st = ckda_ranks_agree(st, err);
    if (st == CKDA_OK)
        st = try_primes(done, r, a, nprimes, err);
    if (st == CKDA_OK && *done)
        take_search(r, &a->s, a->sys, keep_graph);
    search_clear(&a->s);
    images_clear(&a->im);
    return st;
}

static ckda_status
open_saved(saved_search *saved, const attempt *a, ckda_error *err)
{
    const ckda_reach_options *o = a->control.o;
    if (o->resume == NULL)
        return CKDA_OK;
    ckda_status st = checkpoint_open(saved, o->resume, a->sys, err);
    if (st == CKDA_OK && (o->flags & CKDA_REACH_KEEP_GRAPH) != 0 && !saved->graph) {
        st = ckda_load_fail(saved->file, "a search that was saved with its graph",
                            "one without", err);
        checkpoint_close(saved);
    }
    return st;
}

/* Searches with more and more primes until there is a verdict. */
static ckda_status
decide(ckda_reach_t r, attempt *a, uint32_t nprimes, uint32_t p, ckda_error *err)
{
    saved_search saved = {0};
    ckda_status st = open_saved(&saved, a, err);
    if (saved.file != NULL) {
        nprimes = saved.nprimes;
        p = saved.prime;
    }
    for (bool done = false; st == CKDA_OK && !done; p = a->fixed_prime ? p : 0) {
        st = search_once(&done, r, a, &nprimes, p, &saved, err);
        checkpoint_close(&saved);
    }
    return st;
}

static ckda_status
run(ckda_reach_t r, const ckda_system_t sys, const ckda_reach_options *o,
    uint32_t nprimes, uint32_t p, bool small, ckda_error *err)
{
    if (!images_has_shape(sys)) {
        ckda_error_set(err, "the matrices of the system do not fit together");
        return CKDA_E_SHAPE;
    }
    for (uint32_t x = 0; sys->G != NULL && x < sys->nletters; x++)
        ckda_require(sys->letter_element[x] < sys->G->order,
                     "letter %u is element %u of %u", x, sys->letter_element[x],
                     sys->G->order);
    attempt a = {.sys = sys,
                 .control = {.o = o, .began = ckda_wall_seconds()},
                 .fixed_prime = p != 0};
    if (o->limits.max_seconds > 0)
        a.control.deadline = a.control.began + o->limits.max_seconds;
    ckda_reach_t new = {{.finite = CKDA_UNKNOWN}};
    system_height_init(&a.height, sys);
    a.may_pump = !a.fixed_prime && !bounded_for_all(&a.height, sys);
    if (small)
        p = small_prime(&a.height, sys);
    const ckda_status st = decide(new, &a, nprimes, p, err);
    system_height_clear(&a.height);
    if (st == CKDA_OK)
        *r = *new;
    return st;
}

static ckda_reach_options
plain_options(const ckda_limits *limits, unsigned flags)
{
    static const ckda_limits none = {0, 0, 0};
    return (ckda_reach_options){.limits = limits != NULL ? *limits : none,
                                .flags = flags};
}

ckda_status
ckda_reach_run_options(ckda_reach_t r, const ckda_system_t sys,
                       const ckda_reach_options *o, ckda_error *err)
{
    return run(r, sys, o, 1, 0, true, err);
}

ckda_status
ckda_reach_run(ckda_reach_t r, const ckda_system_t sys, const ckda_limits *limits,
               unsigned flags, ckda_error *err)
{
    const ckda_reach_options o = plain_options(limits, flags);
    return run(r, sys, &o, 1, 0, true, err);
}

ckda_status
ckda_reach_run_modulo(ckda_reach_t r, const ckda_system_t sys, const ckda_limits *limits,
                      unsigned flags, uint32_t p, ckda_error *err)
{
    const ckda_reach_options o = plain_options(limits, flags);
    return run(r, sys, &o, 1, p, false, err);
}

ckda_status
ckda_reach_run_from(ckda_reach_t r, const ckda_system_t sys, const ckda_limits *limits,
                    unsigned flags, uint32_t nprimes, ckda_error *err)
{
    const ckda_reach_options o = plain_options(limits, flags);
    return run(r, sys, &o, nprimes, 0, false, err);
}
