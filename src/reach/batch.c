/* One batch of edges: consecutive states of a level, all letters of each.
 *
 * The edges of a batch are numbered by (state, letter).  One thread alone goes through
 * them in this order.  Several threads share each phase:
 *
 *   look     edges, by consecutive numbers: the candidate state, its hash, and its
 *            target if it was known before the batch
 *   insert   shards: the other candidates of a shard in the order of their edges, so the
 *            first edge into a new state is the one that finds it
 *   number   new states are numbered in the order of their edges
 *   link     labels compared, the graph written, for the edges of `insert`
 *
 * Several processes expand all candidates, send them to their owners (spread.c), and go
 * on with all of them from `insert`.
 *
 * So numbers, levels, labels, the graph and the first inconsistent edge do not depend on
 * how many threads or processes there are.  Near a limit the insertion is done edge by
 * edge, and ends exactly where the limit says (batch_limits.c). */
#include "batch_internal.h"

#ifdef _OPENMP
#include <omp.h>
#endif

enum {
    MOST_EDGES = 1 << 17,
    MOST_BYTES = 1 << 24,  /* of several processes */
    MOST_SHARED = 1 << 20, /* bytes of candidates of a thread: they stay in its cache */
    PART = 16,             /* of all threads: this part of the states, or MOST_SHARED */
    MOST_WORK = 1 << 26,   /* products of residues */
    LEAST_SHARED = 1024,   /* edges: fewer are not worth a second thread */
    BLOCK = 32             /* edges between the first use of memory and the next */
};

/* ---- room ------------------------------------------------------------------------- */

/* Threads that the search may use at some time. */
static uint32_t
most_threads(const search *s)
{
#ifdef _OPENMP
    const int most = s->threads > 0 ? s->threads : omp_get_max_threads();
    return most < 1 ? 1 : most < STORE_SHARDS ? (uint32_t)most : STORE_SHARDS;
#else
    (void)s;
    return 1;
#endif
}

/* Bytes for the candidates of a batch. */
static uint64_t
batch_bytes(const search *s)
{
    if (s->ranks > 1)
        return MOST_BYTES;
    const uint64_t most = (uint64_t)most_threads(s) * MOST_SHARED;
    uint64_t bytes = MOST_SHARED;
    while (2 * bytes <= most && 2 * bytes <= store_bytes(&s->states) / PART)
        bytes *= 2; /* in few steps, since room is made anew */
    return bytes;
}

/* Large batches keep threads and processes from waiting for one another; less for large
 * states, much work an edge, and little memory.  What is found does not depend on this. */
uint32_t
batch_most(const search *s)
{
    const images *im = s->im;
    const uint64_t edge = s->step.bytes + sizeof *s->b.hash + sizeof *s->b.found
                          + 3 * sizeof *s->b.worker->list;
    const double work = (double)(im->n * im->n * im->m) * im->nprimes;
    uint64_t most = batch_bytes(s) / edge;
    if ((double)most * work > MOST_WORK)
        most = (uint64_t)(MOST_WORK / work);
    if (s->max_bytes != 0 && most > s->max_bytes / 32 / edge)
        most = s->max_bytes / 32 / edge;
    return most < 1 ? 1 : most < MOST_EDGES ? (uint32_t)most : MOST_EDGES;
}

static void
make_lists(worker *w, uint32_t edges)
{
    w->list = flint_realloc(w->list, edges * sizeof *w->list);
    w->sorted = flint_realloc(w->sorted, edges * sizeof *w->sorted);
    w->turn = flint_realloc(w->turn, edges * sizeof *w->turn);
}

/* Room for so many candidates. */
static void
make_room(search *s, uint32_t edges)
{
    batch *b = &s->b;
    if (edges <= b->most)
        return;
    flint_free(b->state);
    flint_free(b->hash);
    flint_free(b->found);
    b->state = flint_malloc(edges * s->step.bytes);
    b->hash = flint_malloc(edges * sizeof *b->hash);
    b->found = flint_malloc(edges * sizeof *b->found);
    b->most = edges;
    for (uint32_t t = 0; t < b->nworkers; t++)
        make_lists(b->worker + t, edges);
}

static void
add_workers(search *s, uint32_t count)
{
    batch *b = &s->b;
    if (count <= b->nworkers)
        return;
    b->worker = flint_realloc(b->worker, count * sizeof *b->worker);
    for (uint32_t t = b->nworkers; t < count; t++) {
        b->worker[t] = (worker){
            .from = flint_malloc(s->im->words * sizeof *b->worker->from),
            .to = flint_malloc(s->im->words * sizeof *b->worker->to),
            .bad = NO_EDGE,
        };
        make_lists(b->worker + t, b->most);
    }
    b->nworkers = count;
}

void
batch_init(search *s)
{
    make_room(s, s->ranks > 1 ? batch_most(s) : BLOCK);
    add_workers(s, 1);
    spread_init(s);
}

void
batch_clear(batch *b)
{
    for (uint32_t t = 0; t < b->nworkers; t++) {
        flint_free(b->worker[t].list);
        flint_free(b->worker[t].sorted);
        flint_free(b->worker[t].turn);
        flint_free(b->worker[t].from);
        flint_free(b->worker[t].to);
    }
    flint_free(b->worker);
    flint_free(b->parent);
    flint_free(b->state);
    flint_free(b->hash);
    flint_free(b->found);
    spread_clear(b);
    *b = (batch){0};
}

/* ---- threads ---------------------------------------------------------------------- */

/* A search of a million edges takes a fraction of a second: threads come after that,
 * unless they were asked for. */
static uint32_t
threads_for(const search *s)
{
    const uint64_t before = UINT64_C(1) << 20;
    if (s->b.size < LEAST_SHARED || (s->threads == 0 && s->edges < before))
        return 1;
    return most_threads(s);
}

/* Every share is done by exactly one thread, however many the system grants. */
static void
in_parallel(search *s, phase *run)
{
    const int shares = (int)s->b.threads;
    if (shares == 1) {
        run(s, 0);
        return;
    }
#ifdef _OPENMP
#pragma omp parallel for schedule(static, 1) num_threads(shares)
#endif
    for (int t = 0; t < shares; t++)
        run(s, (uint32_t)t);
}

static void
share_shards(batch *b, uint32_t threads)
{
    b->threads = threads;
    for (uint32_t k = 0; k < STORE_SHARDS; k++) /* neighbours share lines of the cache */
        b->thread_of[k] = (uint8_t)(k * threads / STORE_SHARDS);
}

void
batch_share_all(search *s, uint32_t size)
{
    batch *b = &s->b;
    b->size = size;
    for (uint32_t t = 0; t < b->threads; t++) {
        worker *w = b->worker + t;
        const uint32_t end = share_begin(b, t + 1);
        w->count = 0;
        w->first = share_begin(b, t);
        for (uint32_t e = w->first; e < end; e++)
            w->list[w->count++] = e;
    }
}

/* ---- the states that are expanded --------------------------------------------------- */

static void
find_parents(search *s)
{
    batch *b = &s->b;
    uint32_t cursor[STORE_SHARDS];
    const uint32_t letters = s->im->nletters;
    const uint64_t end = (b->first + b->size - 1) / letters;
    memcpy(cursor, s->cursor, sizeof cursor);
    b->first_parent = (uint32_t)(b->first / letters);
    if (b->parents < end + 1 - b->first_parent) {
        b->parents = (uint32_t)(end + 1 - b->first_parent);
        flint_free(b->parent);
        b->parent = flint_malloc(b->parents * sizeof *b->parent);
    }
    for (uint64_t p = b->first_parent; p <= end; p++)
        b->parent[p - b->first_parent] = cursor[s->owner[p]]++;
}

/* The states whose last edge was in the batch are behind us. */
static void
advance(search *s)
{
    const batch *b = &s->b;
    const uint64_t end = (b->first + b->size) / s->im->nletters;
    for (uint64_t p = b->first_parent; p < end; p++)
        s->cursor[s->owner[p]]++;
}

/* Candidates and hashes of some edges, from place `at` of the arrays on. */
static void
expand(search *s, worker *w, uint32_t first, uint32_t count, uint32_t at)
{
    batch *b = &s->b;
    const uint32_t letters = s->im->nletters;
    const uint8_t *bytes = NULL;
    const uint32_t *from = NULL;
    edge_name name = name_of(s, first);
    uint8_t *to = b->state + (size_t)at * s->step.bytes;
    for (uint32_t i = 0; i < count; i++, next_name(&name, letters)) {
        if (bytes == NULL || name.letter == 0) {
            bytes = parent_record(s, name.parent);
            from = stepper_unpack(w->from, &s->step, bytes);
        }
        stepper_apply(to, &s->step, name.letter, bytes, from, w->to);
        b->hash[at + i] = store_hash(&s->states, to);
        store_prefetch_slot(&s->states, b->hash[at + i]);
        to += s->step.bytes;
    }
    for (uint32_t i = 0; i < count; i++)
        store_prefetch_state(&s->states, b->hash[at + i]);
}

/* ---- one thread --------------------------------------------------------------------- */

/* Edge e, whose candidate is at place `at`.  False: a limit refuses its new state. */
static bool
settle(search *s, uint32_t e, uint32_t at, edge_name name)
{
    const batch *b = &s->b;
    const uint8_t *state = b->state + (size_t)at * s->step.bytes;
    const uint64_t hash = b->hash[at];
    const uint32_t k = store_shard(hash);
    uint32_t local = store_find(&s->states, state, hash);
    if (local == STORE_NONE) {
        s->limit = batch_refuses(s, k);
        if (s->limit != NULL)
            return false;
        local = store_add(&s->states, state, hash);
        batch_number_state(s, s->count++, e, name, k, store_at(&s->states, k, local));
    }
    if (s->numbers || s->sys->G != NULL)
        link_edge(s, s->b.worker, e, name, store_at(&s->states, k, local));
    return true;
}

static void
run_alone(search *s)
{
    batch *b = &s->b;
    const uint32_t letters = s->im->nletters;
    edge_name name = name_of(s, 0);
    b->held = store_bytes(&s->states);
    for (uint32_t e = 0; e < b->size; e += BLOCK) {
        const uint32_t count = b->size - e < BLOCK ? b->size - e : BLOCK;
        search_reserve(s, s->count + (uint64_t)count);
        expand(s, b->worker, e, count, 0);
        for (uint32_t i = 0; i < count; i++, next_name(&name, letters))
            if (!settle(s, e + i, i, name)) {
                b->size = e + i;
                return;
            }
    }
}

/* ---- several threads ---------------------------------------------------------------- */

/* The list by the thread that inserts; edges that another process keeps are left out. */
static void
sort_list(search *s, uint32_t thread)
{
    const batch *b = &s->b;
    worker *w = b->worker + thread;
    uint32_t at[STORE_SHARDS + 1] = {0};
    for (uint32_t i = 0; i < w->count; i++)
        if (inserted_here(b, w->list[i]))
            at[b->thread_of[store_shard(b->hash[w->first + i])] + 1]++;
    for (uint32_t t = 0; t < b->threads; t++)
        at[t + 1] += at[t];
    memcpy(w->begin, at, (b->threads + 1) * sizeof *at);
    for (uint32_t i = 0; i < w->count; i++)
        if (inserted_here(b, w->list[i])) {
            w->turn[i] = at[b->thread_of[store_shard(b->hash[w->first + i])]]++;
            w->sorted[w->turn[i]] = i;
        }
}

/* Candidates that are not known yet are kept one behind the other, so that the others
 * never leave the nearest cache. */
static void
look(search *s, uint32_t thread)
{
    batch *b = &s->b;
    worker *w = b->worker + thread;
    const size_t bytes = s->step.bytes;
    const uint32_t letters = s->im->nletters, end = share_begin(b, thread + 1);
    const bool links = s->numbers || s->sys->G != NULL;
    uint32_t e = share_begin(b, thread), kept = e, block;
    edge_name name = name_of(s, e);
    w->first = e;
    for (; e < end; e += block) {
        const uint32_t from = kept;
        block = end - e < BLOCK ? end - e : BLOCK;
        expand(s, w, e, block, from);
        for (uint32_t i = 0; i < block; i++, next_name(&name, letters)) {
            const uint8_t *state = b->state + (size_t)(from + i) * bytes;
            const uint64_t hash = b->hash[from + i];
            const uint32_t local = store_find(&s->states, state, hash);
            if (local != STORE_NONE) {
                if (links)
                    link_edge(s, w, e + i, name,
                              store_at(&s->states, store_shard(hash), local));
                continue;
            }
            if (kept != from + i)
                memcpy(b->state + (size_t)kept * bytes, state, bytes);
            b->hash[kept] = hash;
            w->list[kept++ - w->first] = e + i;
        }
    }
    w->count = kept - w->first;
    sort_list(s, thread);
}

void
batch_insert_edge(search *s, const worker *w, uint32_t i)
{
    const batch *b = &s->b;
    const uint32_t at = w->first + i;
    const uint8_t *state = b->state + (size_t)at * s->step.bytes;
    const uint32_t local = store_find(&s->states, state, b->hash[at]);
    *found(b, w, i) =
        local != STORE_NONE ? local : store_add(&s->states, state, b->hash[at]) | FRESH;
}

/* The edges into the shards of this thread.  Half of the candidates come from the caches
 * of other threads, so they are fetched ahead of their use, like the table. */
static void
insert(search *s, uint32_t thread)
{
    enum { AHEAD = 8 };
    const batch *b = &s->b;
    for (uint32_t t = 0; t < b->threads; t++) {
        const worker *w = b->worker + t;
        const uint32_t end = w->begin[thread + 1];
        for (uint32_t j = w->begin[thread]; j < end; j++) {
            if (j + AHEAD < end) {
                const uint32_t at = w->first + w->sorted[j + AHEAD];
                __builtin_prefetch(b->state + (size_t)at * s->step.bytes);
                store_prefetch_slot(&s->states, b->hash[at]);
            }
            batch_insert_edge(s, w, w->sorted[j]);
        }
    }
}

/* What follows an insertion. */
static void
finish(search *s)
{
    search_reserve(s, s->count + (uint64_t)s->b.size);
    if (s->ranks > 1) {
        in_parallel(s, batch_note_kinds);
        spread_kinds(s);
    }
    in_parallel(s, batch_tally);
    in_parallel(s, batch_number);
    batch_count(s);
    if (s->numbers || s->sys->G != NULL)
        in_parallel(s, batch_link);
    if (s->ranks > 1 && s->numbers)
        spread_links(s);
}

static void
run_shared(search *s)
{
    make_room(s, s->b.size);
    in_parallel(s, look);
    if (batch_fits(s))
        in_parallel(s, insert);
    else
        batch_insert_within_limits(s);
    finish(s);
}

/* ---- several processes -------------------------------------------------------------- */

/* The edges of the states that are kept here. */
static void
expand_own(search *s, uint32_t thread)
{
    batch *b = &s->b;
    const uint32_t letters = s->im->nletters, end = share_begin(b, thread + 1);
    uint32_t run;
    for (uint32_t e = share_begin(b, thread); e < end; e += run) {
        edge_name name = name_of(s, e);
        const bool own = search_owns(s, s->owner[b->first_parent + name.parent]);
        run = letters - name.letter < end - e ? letters - name.letter : end - e;
        memset(b->kind + e, own, run);
        if (!own)
            continue;
        expand(s, b->worker + thread, e, run, e);
        for (uint32_t i = 0; i < run; i++, name.letter++)
            b->want[e + i] = s->sys->G != NULL ? product(s, name) : 0;
    }
}

static void
run_spread(search *s)
{
    in_parallel(s, expand_own);
    spread_candidates(s);
    batch_share_all(s, s->b.size);
    batch_shrink(s);
    in_parallel(s, sort_list);
    in_parallel(s, insert);
    if (s->b.size > 0)
        finish(s);
}

/* ---- the whole batch -------------------------------------------------------------- */

void
batch_run(search *s, uint64_t end)
{
    batch *b = &s->b;
    const uint32_t most = s->ranks > 1 ? b->most : batch_most(s);
    b->first = s->edges;
    b->size = end - b->first < most ? (uint32_t)(end - b->first) : most;
    add_workers(s, threads_for(s));
    share_shards(b, threads_for(s));
    find_parents(s);
    if (s->ranks > 1)
        run_spread(s);
    else if (b->threads > 1)
        run_shared(s);
    else
        run_alone(s);
    if (b->size == 0)
        return;
    if (s->sys->G != NULL)
        batch_take_inconsistency(s);
    advance(s);
    s->edges += b->size;
}
