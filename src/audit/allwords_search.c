/* Breadth-first search over stored states.
 *
 * Nodes are expanded in batches of edges.  Threads that do so only read what is stored; what
 * they found is then merged in the order of nodes and letters, and settled: new nodes get
 * their numbers.  The result is therefore that of the plain search, whatever the number of
 * threads and of processes (allwords_spread.c), and the first failure met has a word of
 * least length: all shorter words were merged before and were right. */
#include "allwords_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <omp.h>

#include "ckda/fpfast.h"
#include "ckda/ranks.h"

/* ---- merging: in order ----------------------------------------------------------------- */

/* Is there more to do after this edge?  No: S->limit or S->failure says why. */
static bool
fail(search *S, ckda_allwords_failure kind, uint32_t other)
{
    S->failure.kind = kind;
    S->failure.other = other;
    return false;
}

static bool
stop(search *S, const char *limit)
{
    S->limit = limit;
    return false;
}

static void
raise_error(search *S, double distance)
{
    if (!(distance <= S->p.error))
        S->p.error = distance;
}

static bool
read_out(search *S, const double *H, uint32_t want)
{
    uint32_t decoded;
    bool tied;
    double distance;
    const ckda_truth right =
        allwords_decodes_right(&decoded, &tied, &distance, H, want, S->R, S->t);
    if (right == CKDA_TRUE)
        return true;
    if (right == CKDA_UNKNOWN)
        return stop(S, "decoder");
    S->failure.decoded = decoded;
    S->failure.tied = tied;
    return fail(S, CKDA_ALLWORDS_DECODE, NO_NODE);
}

static bool
merge_known(search *S, edge_kind kind, uint32_t found)
{
    if (kind != EDGE_COLLIDES)
        return true;
    S->failure.decoded = S->t->element[S->s.exact[found]];
    return fail(S, CKDA_ALLWORDS_COLLISION, found);
}

/* Room for a new node; its number follows when the batch is settled. */
static bool
add_node(search *S, batch *b, size_t e)
{
    const uint32_t L = S->R->nletters;
    b->found[e] =
        allwords_nodes_add(&S->s, b->hash[e], b->bits + e * S->s.bytes, b->want[e],
                           b->first + (uint32_t)(e / L), (uint16_t)(e % L));
    if (b->found[e] == NO_NODE)
        return stop(S, S->s.limit);
    b->fresh[e] = 1;
    if (S->columns && !(b->distance[e] < S->give_up && S->p.error < S->give_up)) {
        b->stop++; /* the edge counts still */
        return stop(S, "column bound");
    }
    return true;
}

static bool
merge_edge(search *S, batch *b, size_t e)
{
    const double *H = b->to + e * S->entries;
    const uint32_t want = b->want[e];
    edge_kind kind = b->kind[e];
    if (kind == EDGE_RANGE)
        return (S->columns || read_out(S, H, want)) && stop(S, "range");
    if (kind != EDGE_NEW && kind != EDGE_FAR)
        return merge_known(S, kind, b->found[e]);
    const uint32_t found =
        allwords_nodes_find(&S->s, b->hash[e], b->bits + e * S->s.bytes, want);
    if (found != NO_NODE) { /* another edge of this batch was first */
        kind = allwords_known_edge(b->distance + e, found, want, H, S);
        b->kind[e] = (uint8_t)kind;
        return merge_known(S, kind, found);
    }
    return (kind == EDGE_NEW || read_out(S, H, want)) && add_node(S, b, e);
}

/* The edges whose targets are kept here, up to the first one that stops the search. */
static void
merge(search *S, batch *b)
{
    memset(b->fresh, 0, b->edges);
    for (size_t e = 0; e < b->edges; e++) {
        b->stop = 2 * e;
        if (batch_has(b, e) && !merge_edge(S, b, e)) {
            S->failure.node = b->first + (uint32_t)(e / S->R->nletters);
            S->failure.letter = (uint32_t)(e % S->R->nletters);
            return;
        }
    }
    b->stop = 2 * b->edges;
}

/* ---- settling: what counts --------------------------------------------------------------- */

/* Numbers for the new nodes of the edges that count, whose number is returned: fewer when
 * the limit on states is reached. */
static size_t
number_nodes(search *S, const batch *b, uint32_t *index)
{
    const size_t edges = (b->stop + 1) / 2;
    for (size_t e = 0; e < edges; e++) {
        if (!b->fresh[e])
            continue;
        if (S->count >= S->max) {
            S->limit = "states";
            S->failure.kind = CKDA_ALLWORDS_NO_FAILURE;
            return e;
        }
        if (batch_has(b, e)) {
            if (S->s.numbered)
                S->s.number[*index] = S->count;
            ++*index;
        }
        S->count++;
    }
    return edges;
}

/* After a limit the node that was in work will be expanded again. */
static void
take_errors(search *S, const batch *b, size_t edges)
{
    const size_t again = S->limit != NULL ? edges % S->R->nletters : 0;
    for (size_t e = 0; e < edges; e++) {
        if (!batch_has(b, e) || b->kind[e] == EDGE_SAME)
            continue;
        raise_error(S, b->distance[e]);
        S->p.aliased += b->kind[e] == EDGE_ALIASED && e < edges - again;
    }
}

/* before: nodes that were kept here before the batch. */
static void
settle(search *S, batch *b, uint32_t before)
{
    const size_t here = b->stop;
    uint32_t index = before;
    if (S->ranks > 1)
        allwords_spread_outcome(b);
    const size_t edges = number_nodes(S, b, &index);
    allwords_nodes_truncate(&S->s, index);
    const bool stopped = b->stop < 2 * b->edges && edges == (b->stop + 1) / 2;
    if (S->failure.kind == CKDA_ALLWORDS_COLLISION && here == b->stop && stopped)
        S->failure.other = allwords_nodes_number(&S->s, S->failure.other);
    if (S->ranks > 1 && stopped)
        allwords_spread_reason(S, here == b->stop);
    take_errors(S, b, edges);
    S->p.next = b->first + (uint32_t)(edges / S->R->nletters);
    S->own = allwords_nodes_from(&S->s, S->p.next);
}

/* ---- rounds ------------------------------------------------------------------------------ */

static void
push_level(search_progress *p, uint32_t start)
{
    if (p->nlevels == p->level_room) {
        p->level_room = 2 * p->level_room + 16;
        p->level_start = realloc(p->level_start, p->level_room * sizeof *p->level_start);
        ckda_require_memory(p->level_start != NULL);
    }
    p->level_start[p->nlevels++] = start;
}

static bool
run_batch(search *S, batch *b, int threads)
{
    search_progress *p = &S->p;
    const uint32_t before = S->s.count;
    /* the level before is done, so the next one begins behind all that is known */
    if (p->next == p->level_start[p->nlevels - 1])
        push_level(p, S->count);
    allwords_batch_begin(b, S, p->next, p->level_start[p->nlevels - 1], S->own);
    allwords_batch_expand(b, S, threads);
    merge(S, b);
    settle(S, b, before);
    return S->limit == NULL && S->failure.kind == CKDA_ALLWORDS_NO_FAILURE;
}

static void
tell(search *S, double now)
{
    if (S->o->progress == NULL || S->rank != 0 || now - S->shown < 0.1)
        return;
    S->shown = now;
    const ckda_allwords_progress p = {.method = S->columns ? CKDA_ALLWORDS_COLUMNS
                                                           : CKDA_ALLWORDS_PRODUCT,
                                      .states = S->count,
                                      .expanded = S->p.next,
                                      .depth = allwords_search_complete_levels(S),
                                      .error = S->p.error,
                                      .seconds = S->before + now - S->began};
    S->o->progress(&p, S->o->data);
}

static ckda_status
save(search *S, ckda_error *err)
{
    const ckda_status st = allwords_checkpoint_write(S, S->o->checkpoint, err);
    S->save_turn = !S->save_turn;
    S->stored = ckda_wall_seconds();
    return st;
}

/* Between rounds: is it time to stop or to save?  Process 0 has the clock, an interruption
 * may reach any of them. */
static ckda_status
pause_round(search *S, ckda_error *err)
{
    static const char *const reasons[] = {NULL, "time", "interrupted"};
    const double now = ckda_wall_seconds(), most = S->o->limits.max_seconds;
    tell(S, now);
    uint64_t x[2] = {0, 0};
    if (S->o->stop != NULL && *S->o->stop)
        x[0] = 2;
    else if (S->rank == 0 && most > 0 && now - S->began > most)
        x[0] = 1;
    x[1] = S->rank == 0 && !S->columns && S->o->checkpoint != NULL
           && now - S->stored >= S->o->checkpoint_seconds;
    ckda_ranks_max(x, 2);
    S->limit = reasons[x[0]];
    return S->limit == NULL && x[1] != 0 ? save(S, err) : CKDA_OK;
}

static int
threads_of(const search *S)
{
    if (S->o->threads > 0)
        return S->o->threads;
    return S->ranks > 1 ? 1
                        : omp_get_max_threads(); /* processes share the cores already */
}

ckda_status
allwords_search_run(search_end *end, search *S, ckda_error *err)
{
    const int threads = threads_of(S);
    batch b;
    allwords_batch_init(&b, S, threads);
    ckda_status st = CKDA_OK;
    while (S->p.next < S->count && S->limit == NULL) {
        st = pause_round(S, err);
        if (st != CKDA_OK || S->limit != NULL || !run_batch(S, &b, threads))
            break;
    }
    allwords_batch_clear(&b);
    if (st == CKDA_OK && S->limit != NULL && !S->columns && S->o->checkpoint != NULL)
        st = save(S, err);
    allwords_spread_totals(S);
    *end = S->failure.kind != CKDA_ALLWORDS_NO_FAILURE ? SEARCH_FAILED
           : S->limit != NULL                          ? SEARCH_OPEN
                                                       : SEARCH_CLOSED;
    return st;
}

/* ---- the search as a value --------------------------------------------------------------- */

void
allwords_search_init(search *S, const ckda_rounded_t R, const ckda_tracker_t t,
                     const ckda_allwords_options *o, slong position)
{
    const double now = ckda_wall_seconds();
    *S = (search){.R = R,
                  .t = t,
                  .o = o,
                  .columns = position >= 0,
                  .m = position >= 0 ? 1 : R->n,
                  .give_up = INFINITY,
                  .rank = ckda_ranks_mine(),
                  .ranks = ckda_ranks_count(),
                  .began = now,
                  .shown = now,
                  .stored = now};
    S->entries = (size_t)(R->n * S->m);
    /* the limit on memory is for all together */
    const uint64_t part = (o->limits.max_bytes + S->ranks - 1) / S->ranks;
    allwords_nodes_init(&S->s, S->entries * ckda_rounded_entry_bytes(R), S->columns,
                        S->ranks > 1, o->limits.max_states, part);
    S->max = S->s.max;
}

void
allwords_search_clear(search *S)
{
    allwords_nodes_clear(&S->s);
    free(S->p.level_start);
    S->p.level_start = NULL;
}

/* H = H_0, or its column. */
static uint32_t
initial_state(double *H, const search *S, slong position)
{
    const slong n = S->R->n;
    double *whole = allwords_memory((size_t)(n * n) * sizeof *whole);
    ckda_rounded_initial(whole, S->R);
    for (slong i = 0; i < n; i++)
        for (slong j = 0; j < S->m; j++)
            H[i * S->m + j] = whole[i * n + (S->columns ? position : j)];
    free(whole);
    return S->columns ? S->t->column_of[position] : 0;
}

/* Node 0, at its owner; NULL or the limit that refuses it. */
static const char *
store_root(search *S, const double *H, uint32_t exact)
{
    const char *limit = NULL;
    uint8_t *bits = allwords_memory(S->s.bytes);
    if (!ckda_rounded_pack(bits, H, (slong)S->entries, S->R)) {
        limit = "range";
    } else {
        const uint64_t hash = allwords_nodes_hash(&S->s, bits, exact);
        if (search_owner(S, hash) == S->rank
            && allwords_nodes_add(&S->s, hash, bits, exact, 0, 0) == NO_NODE)
            limit = S->s.limit;
    }
    free(bits);
    return limit;
}

static bool
add_root(search *S, const double *H, uint32_t exact)
{
    double distance = 0;
    if (S->columns)
        distance = allwords_column_distance(H, exact, S);
    else if (!allwords_certainly_right(&distance, H, exact, S->R, S->t)
             && !read_out(S, H, exact)) {
        S->failure.at_root = true;
        return false;
    }
    S->limit = store_root(S, H, exact);
    if (S->ranks > 1) {
        uint64_t refused = S->limit == NULL ? 0 : S->ranks - S->rank;
        const uint64_t own = refused;
        ckda_ranks_max(&refused, 1);
        if (refused != 0)
            allwords_spread_reason(S, own == refused);
    }
    raise_error(S, distance);
    push_level(&S->p, 0);
    if (S->limit != NULL)
        return false;
    if (S->s.numbered && S->s.count > 0)
        S->s.number[0] = 0;
    S->count = 1;
    return true;
}

bool
allwords_search_root(search *S, slong position)
{
    double *H = allwords_memory(S->entries * sizeof *H);
    const uint32_t exact = initial_state(H, S, position);
    const bool added = add_root(S, H, exact);
    free(H);
    return added;
}

uint32_t
allwords_search_complete_levels(const search *S)
{
    const search_progress *p = &S->p;
    if (p->nlevels < 2)
        return 0;
    return p->next == p->level_start[p->nlevels - 1] ? p->nlevels - 1 : p->nlevels - 2;
}

double
allwords_search_tie(const search *S)
{
    const size_t size = S->R->nletters * S->entries;
    const int threads = threads_of(S);
    double least = INFINITY;
#pragma omp parallel num_threads(S->s.count > 4096 ? threads : 1) reduction(min : least)
    {
        ckda_require(ckda_fp_host_is_ieee(), "a thread does not compute as IEEE says");
        double *H = allwords_memory(S->entries * sizeof *H);
        double *to = allwords_memory(size * sizeof *to);
#pragma omp for
        for (uint32_t i = 0; i < S->s.count; i++) {
            ckda_rounded_unpack(H, S->s.bits + (size_t)i * S->s.bytes, (slong)S->entries,
                                S->R);
            ckda_rounded_expand(to, &least, H, S->m, S->R);
        }
        free(H);
        free(to);
    }
    return allwords_spread_least(least);
}

static void
check_closed(const batch *b)
{
    for (size_t e = 0; e < b->edges; e++)
        ckda_require(!batch_has(b, e) || b->kind[e] == EDGE_SAME
                         || b->kind[e] == EDGE_ALIASED,
                     "the search is not closed");
}

uint32_t *
allwords_search_graph(const search *S)
{
    const uint32_t L = S->R->nletters;
    uint32_t *next = S->rank == 0 ? malloc((size_t)S->count * L * sizeof *next) : NULL;
    bool room = next != NULL;
    ckda_ranks_share(&room, sizeof room);
    if (!room)
        return NULL;
    batch b;
    allwords_batch_init(&b, S, threads_of(S));
    uint32_t own = 0;
    for (uint32_t first = 0; first < S->count; first += b.count, own += b.nown) {
        allwords_batch_begin(&b, S, first, S->count, own);
        allwords_batch_expand(&b, S, threads_of(S));
        check_closed(&b);
        if (S->ranks > 1)
            allwords_spread_found(&b, S);
        if (next != NULL)
            memcpy(next + (size_t)first * L, b.found, b.edges * sizeof *next);
    }
    allwords_batch_clear(&b);
    return next;
}

/* The edge to node `number`, the same for all processes. */
static void
edge_into(uint32_t *parent, uint32_t *letter, const search *S, uint32_t number)
{
    const uint32_t i = allwords_nodes_from(&S->s, number);
    uint32_t x[2] = {0, 0};
    if (i < S->s.count && allwords_nodes_number(&S->s, i) == number) {
        x[0] = S->s.parent[i];
        x[1] = S->s.via[i];
    }
    ckda_ranks_max32(x, 2);
    *parent = x[0];
    *letter = x[1];
}

size_t
allwords_search_word(uint32_t **word, const search *S, uint32_t number, size_t spare)
{
    size_t length = 0, room = 64;
    uint32_t *w = allwords_memory(room * sizeof *w);
    while (number != 0) {
        if (length == room) {
            room *= 2;
            w = realloc(w, room * sizeof *w);
            ckda_require_memory(w != NULL);
        }
        edge_into(&number, w + length++, S, number);
    }
    *word = allwords_memory((length + spare) * sizeof **word);
    for (size_t i = 0; i < length; i++) /* letters were met from the last one on */
        (*word)[i] = w[length - 1 - i];
    free(w);
    return length;
}
