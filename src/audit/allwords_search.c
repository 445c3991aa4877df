/* Breadth-first search over stored states.
 *
 * Nodes are expanded in blocks.  A block only reads what is stored, so that several may run
 * at once; what they found is then merged in the order of nodes and letters.  The result is
 * therefore that of the plain search, whatever the number of threads, and the first failure
 * met has a word of least length: all shorter words were merged before and were right. */
#include "allwords_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <omp.h>

#include "ckda/fpfast.h"

enum { BLOCKS_PER_THREAD = 4, PARALLEL_EDGES = 4096 };

/* ---- merging: in order ----------------------------------------------------------------- */

/* Is there more to do after this edge or node?  No: S->limit or S->failure says why. */
static bool
fail(search *S, ckda_allwords_failure kind, uint32_t node, uint32_t letter,
     uint32_t other)
{
    S->failure =
        (search_failure){.kind = kind, .node = node, .letter = letter, .other = other};
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
read_out(search *S, const double *H, uint32_t want, uint32_t node, uint32_t letter)
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
    fail(S, CKDA_ALLWORDS_DECODE, node, letter, NO_NODE);
    S->failure.decoded = decoded;
    S->failure.tied = tied;
    return false;
}

static bool
merge_known(search *S, edge_kind kind, double distance, uint32_t node, uint32_t letter,
            uint32_t found)
{
    if (kind == EDGE_COLLIDES) {
        fail(S, CKDA_ALLWORDS_COLLISION, node, letter, found);
        S->failure.decoded = S->t->element[S->s.exact[found]];
        return false;
    }
    if (kind == EDGE_ALIASED) {
        S->p.aliased++;
        raise_error(S, distance);
    }
    return true;
}

static bool
merge_edge(search *S, const block *b, size_t e, uint32_t node, uint32_t letter)
{
    const uint32_t want = allwords_next_exact(S, S->s.exact[node], letter);
    const double *H = b->to + e * S->entries;
    const uint8_t *bits = b->bits + e * S->s.bytes;
    const edge_kind kind = b->kind[e];
    if (kind == EDGE_SAME)
        return true;
    if (kind == EDGE_ALIASED || kind == EDGE_COLLIDES)
        return merge_known(S, kind, b->distance[e], node, letter, b->found[e]);
    if (kind == EDGE_RANGE)
        return (S->columns || read_out(S, H, want, node, letter)) && stop(S, "range");
    const uint32_t found = allwords_nodes_find(&S->s, b->hash[e], bits, want);
    if (found != NO_NODE) { /* another edge of this round was first */
        double distance = 0;
        return merge_known(S, allwords_known_edge(&distance, found, want, H, S), distance,
                           node, letter, found);
    }
    if (kind == EDGE_FAR && !read_out(S, H, want, node, letter))
        return false;
    if (allwords_nodes_add(&S->s, b->hash[e], bits, want, node, (uint16_t)letter)
        == NO_NODE)
        return stop(S, S->s.limit);
    raise_error(S, b->distance[e]);
    if (S->columns && S->p.error >= S->give_up)
        return stop(S, "column bound");
    return true;
}

static void
push_level(search_progress *p, uint32_t start)
{
    if (p->nlevels == p->level_room) {
        p->level_room = 2 * p->level_room + 16;
        p->level_start = realloc(p->level_start, p->level_room * sizeof *p->level_start);
        ckda_require(p->level_start != NULL, "out of memory");
    }
    p->level_start[p->nlevels++] = start;
}

static bool
merge_node(search *S, const block *b, uint32_t i)
{
    const uint32_t L = S->R->nletters, node = b->first + i;
    const uint64_t aliased = S->p.aliased;
    /* the level before is done, so the next one begins behind all that is known */
    if (node == S->p.level_start[S->p.nlevels - 1])
        push_level(&S->p, S->s.count);
    for (uint32_t l = 0; l < L; l++)
        if (!merge_edge(S, b, (size_t)i * L + l, node, l)) {
            if (S->limit != NULL)
                S->p.aliased = aliased; /* the node will be expanded again */
            return false;
        }
    S->p.next = node + 1;
    return true;
}

static bool
merge_block(search *S, const block *b)
{
    for (uint32_t i = 0; i < b->count; i++)
        if (!merge_node(S, b, i))
            return false;
    return true;
}

/* ---- rounds ------------------------------------------------------------------------------ */

static bool
round_of_blocks(search *S, block *b, int nblocks, int threads)
{
    uint32_t first = S->p.next;
    int used = 0;
    for (; used < nblocks && first < S->s.count; used++) {
        const uint32_t left = S->s.count - first, most = allwords_block_nodes(S);
        b[used].first = first;
        b[used].count = left < most ? left : most;
        first += b[used].count;
    }
    const uint64_t edges = (uint64_t)(first - S->p.next) * S->R->nletters;
    if (edges < PARALLEL_EDGES)
        threads = 1;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (int i = 0; i < used; i++)
        allwords_expand(b + i, S);
    for (int i = 0; i < used; i++)
        if (!merge_block(S, b + i))
            return false;
    return true;
}

static void
tell(search *S, double now)
{
    if (S->o->progress == NULL || now - S->shown < 0.1)
        return;
    S->shown = now;
    const ckda_allwords_progress p = {.method = S->columns ? CKDA_ALLWORDS_COLUMNS
                                                           : CKDA_ALLWORDS_PRODUCT,
                                      .states = S->s.count,
                                      .expanded = S->p.next,
                                      .depth = allwords_search_complete_levels(S),
                                      .error = S->p.error,
                                      .seconds = S->before + now - S->began};
    S->o->progress(&p, S->o->data);
}

/* Between rounds: is it time to stop or to save? */
static ckda_status
pause_round(search *S, ckda_error *err)
{
    const double now = ckda_wall_seconds();
    tell(S, now);
    if (S->o->stop != NULL && *S->o->stop)
        S->limit = "interrupted";
    else if (S->o->limits.max_seconds > 0 && now - S->began > S->o->limits.max_seconds)
        S->limit = "time";
    if (S->limit != NULL || S->columns || S->o->checkpoint == NULL
        || now - S->stored < S->o->checkpoint_seconds)
        return CKDA_OK;
    const ckda_status st = allwords_checkpoint_write(S, S->o->checkpoint, err);
    S->stored = ckda_wall_seconds();
    return st;
}

ckda_status
allwords_search_run(search_end *end, search *S, ckda_error *err)
{
    const int threads = S->o->threads > 0 ? S->o->threads : omp_get_max_threads();
    const int nblocks = threads > 1 ? threads * BLOCKS_PER_THREAD : 1;
    block *b = allwords_memory((size_t)nblocks * sizeof *b);
    for (int i = 0; i < nblocks; i++)
        allwords_block_init(b + i, S);
    ckda_status st = CKDA_OK;
    while (S->p.next < S->s.count && S->limit == NULL) {
        st = pause_round(S, err);
        if (st != CKDA_OK || S->limit != NULL || !round_of_blocks(S, b, nblocks, threads))
            break;
    }
    for (int i = 0; i < nblocks; i++)
        allwords_block_clear(b + i);
    free(b);
    if (st == CKDA_OK && S->limit != NULL && !S->columns && S->o->checkpoint != NULL)
        st = allwords_checkpoint_write(S, S->o->checkpoint, err);
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
                  .began = now,
                  .shown = now,
                  .stored = now};
    S->entries = (size_t)(R->n * S->m);
    allwords_nodes_init(&S->s, S->entries * ckda_rounded_entry_bytes(R), S->columns,
                        &o->limits);
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

static bool
add_root(search *S, const double *H, uint32_t exact)
{
    double distance = 0;
    if (S->columns)
        distance = allwords_column_distance(H, exact, S);
    else if (!allwords_certainly_right(&distance, H, exact, S->R, S->t)
             && !read_out(S, H, exact, 0, 0)) {
        S->failure.at_root = true;
        return false;
    }
    uint8_t *bits = allwords_memory(S->s.bytes);
    bool added = ckda_rounded_pack(bits, H, (slong)S->entries, S->R);
    if (!added)
        S->limit = "range";
    else if (allwords_nodes_add(&S->s, allwords_nodes_hash(&S->s, bits, exact), bits,
                                exact, 0, 0)
             == NO_NODE) {
        S->limit = S->s.limit;
        added = false;
    }
    free(bits);
    raise_error(S, distance);
    push_level(&S->p, 0);
    return added;
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
    const int threads = S->o->threads > 0 ? S->o->threads : omp_get_max_threads();
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
    return least;
}

uint32_t *
allwords_search_graph(const search *S)
{
    const uint32_t L = S->R->nletters;
    uint32_t *next = malloc((size_t)S->s.count * L * sizeof *next);
    if (next == NULL)
        return NULL;
    block b;
    allwords_block_init(&b, S);
    for (b.first = 0; b.first < S->s.count; b.first += b.count) {
        const uint32_t left = S->s.count - b.first;
        b.count = left < allwords_block_nodes(S) ? left : allwords_block_nodes(S);
        allwords_expand(&b, S);
        for (size_t e = 0; e < (size_t)b.count * L; e++)
            ckda_require(b.kind[e] == EDGE_SAME || b.kind[e] == EDGE_ALIASED,
                         "the search is not closed");
        memcpy(next + (size_t)b.first * L, b.found, (size_t)b.count * L * sizeof *next);
    }
    allwords_block_clear(&b);
    return next;
}
