/* The search spread over processes (ckda/ranks.h): a state belongs to the process that its
 * hash names.
 *
 * Each process expands the nodes that it keeps, sends the edges to those that keep their
 * targets, and merges what it receives in the order of edges.  Then all agree on the first
 * edge that stopped one of them and on the edges that found new states, so that all number
 * these alike.  An edge that does not fit the stored form stays with the process that
 * computed it: it ends the search anyway. */
#include "allwords_internal.h"

#include <stdlib.h>
#include <string.h>

#include "ckda/ranks.h"

/* ---- edges to their owners -------------------------------------------------------------- */

/* A message: number of the edge in the batch, exact state that it asks for, bits. */
static size_t
message_bytes(const search *S)
{
    return 2 * sizeof(uint32_t) + S->s.bytes;
}

static uint8_t *
put_word(uint8_t *at, uint32_t word)
{
    memcpy(at, &word, sizeof word);
    return at + sizeof word;
}

static const uint8_t *
get_word(uint32_t *word, const uint8_t *at)
{
    memcpy(word, at, sizeof *word);
    return at + sizeof *word;
}

static void
take_messages(batch *b, const uint8_t *got, size_t size, const search *S)
{
    const size_t bytes = S->s.bytes;
    for (const uint8_t *at = got; at < got + size; at += bytes) {
        uint32_t e, want;
        at = get_word(&e, at);
        at = get_word(&want, at);
        b->mine[e] = 1;
        b->kind[e] = EDGE_SAME;
        b->want[e] = want;
        memcpy(b->bits + e * bytes, at, bytes);
        b->hash[e] = allwords_nodes_hash(&S->s, at, want);
        ckda_rounded_unpack(b->to + e * S->entries, at, (slong)S->entries, S->R);
    }
}

/* What is done with every edge that was expanded here: its place in the messages. */
typedef struct {
    size_t *part, *at; /* bytes for each process; where they begin */
    uint8_t *data;     /* NULL: bytes are only counted */
} outbox;

static void
send_edge(const outbox *out, batch *b, size_t e, const search *S)
{
    const uint32_t to = search_owner(S, b->hash[e]);
    if (b->kind[e] == EDGE_RANGE) {
        b->mine[e] = 1;
    } else if (out->data == NULL) {
        out->part[to] += message_bytes(S);
    } else {
        uint8_t *at = put_word(out->data + out->at[to], (uint32_t)e);
        at = put_word(at, b->want[e]);
        memcpy(at, b->bits + e * S->s.bytes, S->s.bytes);
        out->at[to] += message_bytes(S);
    }
}

static void
send_edges(const outbox *out, batch *b, const search *S)
{
    const uint32_t L = S->R->nletters;
    for (uint32_t i = b->own; i < b->own + b->nown; i++) {
        const size_t e = (size_t)(S->s.number[i] - b->first) * L;
        for (uint32_t l = 0; l < L; l++)
            send_edge(out, b, e + l, S);
    }
}

static void
lay_out(outbox *out, uint32_t ranks)
{
    size_t sum = 0;
    for (uint32_t i = 0; i < ranks; i++) {
        out->at[i] = sum;
        sum += out->part[i];
    }
    out->data = allwords_memory(sum);
}

void
allwords_spread_edges(batch *b, const search *S)
{
    outbox out = {.part = calloc(2 * (size_t)S->ranks, sizeof *out.part)};
    ckda_require_memory(out.part != NULL);
    out.at = out.part + S->ranks;
    memset(b->mine, 0, b->edges);
    send_edges(&out, b, S);
    lay_out(&out, S->ranks);
    send_edges(&out, b, S);
    size_t size;
    uint8_t *got = ckda_ranks_exchange(&size, out.data, out.part);
    take_messages(b, got, size, S);
    free(got);
    free(out.data);
    free(out.part);
}

/* ---- what all must know ------------------------------------------------------------------ */

void
allwords_spread_outcome(batch *b)
{
    uint64_t before = UINT64_MAX - b->stop;
    ckda_ranks_max(&before, 1);
    b->stop = (size_t)(UINT64_MAX - before);
    ckda_ranks_max8(b->fresh, b->edges);
}

static const char *const limits[] = {NULL,    "states",  "memory",
                                     "range", "decoder", "column bound"};
enum { LIMITS = sizeof limits / sizeof *limits };

static uint32_t
limit_index(const char *limit)
{
    uint32_t i = 0;
    if (limit == NULL)
        return 0;
    for (i = 1; i < LIMITS && strcmp(limits[i], limit) != 0; i++)
        continue;
    ckda_require(i < LIMITS, "the limit '%s' is met while merging", limit);
    return i;
}

void
allwords_spread_reason(search *S, bool here)
{
    const search_failure *f = &S->failure;
    uint32_t x[8] = {0};
    if (here) {
        const uint32_t y[8] = {limit_index(S->limit),
                               f->kind,
                               f->at_root,
                               f->node,
                               f->letter,
                               f->other,
                               f->decoded,
                               f->tied};
        memcpy(x, y, sizeof x);
    }
    ckda_ranks_max32(x, 8);
    S->limit = limits[x[0]];
    S->failure = (search_failure){.kind = (ckda_allwords_failure)x[1],
                                  .at_root = x[2] != 0,
                                  .node = x[3],
                                  .letter = x[4],
                                  .other = x[5],
                                  .decoded = x[6],
                                  .tied = x[7] != 0};
}

/* Numbers that are not negative are ordered like their bits. */
static uint64_t
bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double
double_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

double
allwords_spread_least(double x)
{
    uint64_t bits = ~bits_of(x);
    ckda_ranks_max(&bits, 1);
    return double_of(~bits);
}

void
allwords_spread_totals(search *S)
{
    uint64_t error = bits_of(S->p.error);
    ckda_ranks_max(&error, 1);
    S->p.error = double_of(error);
    S->aliased = S->p.aliased;
    ckda_ranks_sum(&S->aliased, 1);
}

/* ---- the graph --------------------------------------------------------------------------- */

void
allwords_spread_found(batch *b, const search *S)
{
    for (size_t e = 0; e < b->edges; e++)
        b->found[e] = batch_has(b, e) ? allwords_nodes_number(&S->s, b->found[e]) : 0;
    ckda_ranks_max32(b->found, b->edges);
}

enum { GATHERED = 1 << 14 }; /* nodes of a process at a time */

/* A message: number, exact state, parent, letter, bits. */
static size_t
node_bytes(const search *S)
{
    return 4 * sizeof(uint32_t) + S->s.bytes;
}

static size_t
put_nodes(uint8_t *data, const search *S, uint32_t from)
{
    const nodes *s = &S->s;
    uint8_t *at = data;
    for (uint32_t i = from; i < s->count && i - from < GATHERED; i++) {
        at = put_word(at, s->number[i]);
        at = put_word(at, s->exact[i]);
        at = put_word(at, s->parent[i]);
        at = put_word(at, s->via[i]);
        memcpy(at, s->bits + (size_t)i * s->bytes, s->bytes);
        at += s->bytes;
    }
    return (size_t)(at - data);
}

static void
get_nodes(nodes *whole, const uint8_t *got, size_t size)
{
    const uint8_t *at = got;
    while (at < got + size) {
        uint32_t number, via;
        at = get_word(&number, at);
        at = get_word(whole->exact + number, at);
        at = get_word(whole->parent + number, at);
        at = get_word(&via, at);
        whole->via[number] = (uint16_t)via;
        memcpy(whole->bits + (size_t)number * whole->bytes, at, whole->bytes);
        at += whole->bytes;
    }
}

static bool
room_for_all(nodes *whole, const search *S)
{
    const size_t count = S->count;
    *whole = (nodes){.bytes = S->s.bytes, .count = S->count};
    whole->bits = malloc(count * whole->bytes);
    whole->exact = malloc(count * sizeof *whole->exact);
    whole->parent = malloc(count * sizeof *whole->parent);
    whole->via = malloc(count * sizeof *whole->via);
    return whole->bits != NULL && whole->exact != NULL && whole->parent != NULL
           && whole->via != NULL;
}

/* Piece by piece; sent nodes stay until all are sent. */
static void
gather(nodes *whole, const search *S)
{
    size_t *part = calloc(S->ranks, sizeof *part);
    ckda_require_memory(part != NULL);
    uint8_t *data = allwords_memory(GATHERED * node_bytes(S));
    uint32_t most = S->s.count;
    ckda_ranks_max32(&most, 1);
    for (uint64_t from = 0; from < most; from += GATHERED) {
        size_t size;
        part[0] = from < S->s.count ? put_nodes(data, S, (uint32_t)from) : 0;
        uint8_t *got = ckda_ranks_exchange(&size, data, part);
        if (whole != NULL)
            get_nodes(whole, got, size);
        free(got);
    }
    free(data);
    free(part);
}

bool
allwords_spread_gather(search *S)
{
    nodes whole = {0};
    uint32_t room = S->rank != 0 || room_for_all(&whole, S);
    ckda_ranks_share(&room, sizeof room);
    if (room != 0) {
        gather(S->rank == 0 ? &whole : NULL, S);
        allwords_nodes_clear(&S->s);
        S->s = whole;
    } else {
        allwords_nodes_clear(&whole);
    }
    return room != 0 && S->rank == 0;
}
