/* One batch of edges: consecutive states of a level, all letters of each.
 *
 * The edges of a batch are numbered by (state, letter), and each phase gives every thread
 * a part of the work of its own:
 *
 *   expand   edges, by consecutive numbers: the candidate state and its hash
 *   insert   shards: candidates of a shard in the order of their edges, so the first edge
 *            into a new state is the one that finds it
 *   number   edges: new states are numbered in the order of their edges
 *   link     edges: labels compared, the graph written
 *
 * So numbers, levels, labels, the graph and the first inconsistent edge do not depend on
 * how many threads there are.  Near a limit the insertion is done edge by edge, and ends
 * exactly where the limit says. */
#include "batch_internal.h"

#ifdef _OPENMP
#include <omp.h>
#endif

enum {
    MOST_EDGES = 1 << 17,
    MOST_BYTES = 1 << 24,
    MOST_ALONE = 1 << 14, /* bytes of candidates of one thread: they stay in its cache */
    MOST_WORK = 1 << 26,  /* products of residues */
    LEAST_SHARED = 256    /* edges: fewer are not worth a second thread */
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

/* Large batches keep threads from waiting for one another; less for large states, much
 * work an edge, and little memory.  What is found does not depend on this. */
static uint32_t
most_edges(const search *s)
{
    const images *im = s->im;
    const uint64_t threads = most_threads(s);
    const uint64_t edge = s->step.bytes + sizeof *s->b.hash + sizeof *s->b.parent
                          + threads * 2 * sizeof(uint32_t);
    const double work = (double)(im->n * im->n * im->m) * im->nprimes;
    uint64_t most =
        threads > 1 || s->ranks > 1 ? MOST_BYTES / edge : MOST_ALONE / s->step.bytes;
    if ((double)most * work > MOST_WORK)
        most = (uint64_t)(MOST_WORK / work);
    if (s->max_bytes != 0 && most > s->max_bytes / 32 / edge)
        most = s->max_bytes / 32 / edge;
    return most < 1 ? 1 : most < MOST_EDGES ? (uint32_t)most : MOST_EDGES;
}

void
batch_init(search *s)
{
    batch *b = &s->b;
    b->most = most_edges(s);
    b->state = flint_malloc(b->most * s->step.bytes);
    b->hash = flint_malloc(b->most * sizeof *b->hash);
    b->parent = flint_malloc((b->most + 1) * sizeof *b->parent);
    spread_init(s);
}

void
batch_clear(batch *b)
{
    for (uint32_t t = 0; t < b->nworkers; t++) {
        flint_free(b->worker[t].found);
        flint_free(b->worker[t].list);
        flint_free(b->worker[t].from);
        flint_free(b->worker[t].to);
    }
    flint_free(b->worker);
    flint_free(b->state);
    flint_free(b->hash);
    flint_free(b->parent);
    spread_clear(b);
    *b = (batch){0};
}

static void
add_workers(search *s, uint32_t count)
{
    batch *b = &s->b;
    if (count <= b->nworkers)
        return;
    b->worker = flint_realloc(b->worker, count * sizeof *b->worker);
    for (uint32_t t = b->nworkers; t < count; t++)
        b->worker[t] = (worker){
            .found = flint_malloc(b->most * sizeof *b->worker->found),
            .list = flint_malloc(b->most * sizeof *b->worker->list),
            .from = flint_malloc(s->im->words * sizeof *b->worker->from),
            .to = flint_malloc(s->im->words * sizeof *b->worker->to),
        };
    b->nworkers = count;
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
    for (uint32_t k = 0; k < STORE_SHARDS; k++)
        b->thread_of[k] = (uint8_t)(k % threads);
}

/* ---- expand ----------------------------------------------------------------------- */

/* Segments can move while their shard is small, so this is done again after an insertion
 * for those who still read the parents. */
static void
find_parents(search *s)
{
    batch *b = &s->b;
    uint32_t cursor[STORE_SHARDS];
    const uint64_t end = (b->first + b->size - 1) / s->im->nletters;
    memcpy(cursor, s->cursor, sizeof cursor);
    b->first_parent = (uint32_t)(b->first / s->im->nletters);
    for (uint64_t p = b->first_parent; p <= end; p++) {
        const uint32_t k = s->owner[p], local = cursor[k]++;
        b->parent[p - b->first_parent] =
            search_owns(s, k) ? store_at(&s->states, k, local) : NULL;
    }
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

static void
expand(search *s, uint32_t thread)
{
    batch *b = &s->b;
    worker *w = b->worker + thread;
    const uint32_t letters = s->im->nletters, end = share_begin(b, thread + 1);
    const uint8_t *bytes = NULL;
    const uint32_t *from = NULL;
    edge_name at = name_of(s, share_begin(b, thread));
    for (uint32_t e = share_begin(b, thread); e < end; e++, next_name(&at, letters)) {
        uint8_t *to = b->state + (size_t)e * s->step.bytes;
        if (b->kind != NULL) {
            b->kind[e] = b->parent[at.parent] != NULL;
            if (b->kind[e] == 0)
                continue;
            b->want[e] = s->sys->G != NULL ? product(s, at) : 0;
        }
        if (bytes != b->parent[at.parent]) {
            bytes = b->parent[at.parent];
            from = stepper_unpack(w->from, &s->step, bytes);
        }
        stepper_apply(to, &s->step, at.letter, bytes, from, w->to);
        b->hash[e] = store_hash(&s->states, to);
    }
}

/* ---- insert ----------------------------------------------------------------------- */

static inline void
insert_edge(search *s, worker *w, uint32_t e)
{
    batch *b = &s->b;
    const uint8_t *state = b->state + (size_t)e * s->step.bytes;
    const uint32_t local = store_find(&s->states, state, b->hash[e]);
    w->found[e] =
        local != STORE_NONE ? local : store_add(&s->states, state, b->hash[e]) | FRESH;
}

/* The edges into the shards of this thread; memory is fetched ahead of its use. */
static void
insert(search *s, uint32_t thread)
{
    enum { SLOTS_AHEAD = 16, STATES_AHEAD = 8 };
    batch *b = &s->b;
    worker *w = b->worker + thread;
    uint32_t count = 0;
    for (uint32_t e = 0; e < b->size; e++) {
        w->list[count] = e;
        count += inserted_here(b, e) && b->thread_of[store_shard(b->hash[e])] == thread;
    }
    for (uint32_t i = 0; i < count && i < SLOTS_AHEAD; i++)
        store_prefetch_slot(&s->states, b->hash[w->list[i]]);
    for (uint32_t i = 0; i < count; i++) {
        if (i + SLOTS_AHEAD < count)
            store_prefetch_slot(&s->states, b->hash[w->list[i + SLOTS_AHEAD]]);
        if (i + STATES_AHEAD < count)
            store_prefetch_state(&s->states, b->hash[w->list[i + STATES_AHEAD]]);
        insert_edge(s, w, w->list[i]);
    }
}

/* Would every limit hold even if all edges found new states?  The same for all
 * processes. */
static bool
fits(const search *s)
{
    const batch *b = &s->b;
    const uint64_t most = (uint64_t)s->count + b->size;
    uint32_t into[STORE_SHARDS] = {0};
    if (most > s->max_states)
        return false;
    if (most <= STORE_MOST_LOCAL && s->max_bytes == 0)
        return true;
    for (uint32_t e = 0; e < b->size; e++)
        if (inserted_here(b, e))
            into[store_shard(b->hash[e])]++;
    uint64_t x[2] = {search_bytes(s, most), 0}; /* bytes, full shards */
    for (uint32_t k = 0; k < STORE_SHARDS; k++) {
        x[0] += store_growth(&s->states, k, into[k]);
        x[1] += (uint64_t)s->states.shard[k].count + into[k] > STORE_MOST_LOCAL;
    }
    ranks_sum(x, 2);
    return x[1] == 0 && (s->max_bytes == 0 || x[0] <= s->max_bytes);
}

/* May one more state enter shard k? */
static const char *
refused(const search *s, uint64_t count, uint32_t k)
{
    if (count >= s->max_states || s->states.shard[k].count >= STORE_MOST_LOCAL)
        return "states";
    if (s->max_bytes != 0
        && search_bytes(s, count + 1) + store_growth(&s->states, k, 1) > s->max_bytes)
        return "memory";
    return NULL;
}

/* Edge by edge up to the limit; the batch ends there. */
static void
insert_within_limits(search *s)
{
    batch *b = &s->b;
    uint64_t count = s->count;
    share_shards(b, 1);
    for (uint32_t e = 0; e < b->size; e++) {
        const uint8_t *state = b->state + (size_t)e * s->step.bytes;
        if (store_find(&s->states, state, b->hash[e]) == STORE_NONE) {
            s->limit = refused(s, count, store_shard(b->hash[e]));
            if (s->limit != NULL) {
                b->size = e;
                return;
            }
            count++;
        }
        insert_edge(s, b->worker, e);
    }
}

/* With several processes the batch shrinks until it fits. */
static void
shrink_to_limits(search *s)
{
    batch *b = &s->b;
    while (b->size > 1 && !fits(s))
        b->size /= 2;
    if (b->size > 1 || fits(s))
        return;
    s->limit = spread_refuses(s);
    b->size = s->limit == NULL;
}

/* ---- the whole batch -------------------------------------------------------------- */

void
batch_run(search *s, uint64_t end)
{
    batch *b = &s->b;
    b->first = s->edges;
    b->size = end - b->first < b->most ? (uint32_t)(end - b->first) : b->most;
    b->threads = threads_for(s);
    if (b->threads == 1 && s->ranks == 1 && b->size > MOST_ALONE / s->step.bytes)
        b->size = (uint32_t)(MOST_ALONE / s->step.bytes) + 1;
    add_workers(s, b->threads);
    share_shards(b, b->threads);
    find_parents(s);
    in_parallel(s, expand);
    if (s->ranks > 1) {
        spread_candidates(s);
        shrink_to_limits(s);
        in_parallel(s, insert);
    } else if (fits(s))
        in_parallel(s, insert);
    else
        insert_within_limits(s);
    if (b->size == 0)
        return;
    find_parents(s);
    if (s->ranks > 1) {
        in_parallel(s, batch_note_kinds);
        spread_kinds(s);
    }
    search_reserve(s, s->count + (uint64_t)b->size);
    in_parallel(s, batch_count_fresh);
    uint32_t at = s->count;
    for (uint32_t t = 0; t < b->threads; t++) {
        const uint32_t fresh = b->worker[t].fresh;
        b->worker[t].fresh = at;
        at += fresh;
    }
    in_parallel(s, batch_number);
    if (s->numbers || s->sys->G != NULL) {
        in_parallel(s, batch_link);
        if (s->ranks > 1 && s->numbers)
            spread_links(s);
        batch_take_inconsistency(s);
    }
    advance(s);
    s->count = at;
    s->edges += b->size;
}
