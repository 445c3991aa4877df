/* A search saved to a file (ckda/save.h) between two batches.
 *
 *   counters, level starts
 *   the nodes' arrays: bits, exact, parent, via, and number with several processes
 *
 * Reading checks every index and recomputes each node from its parent, wherever that is
 * kept: what is gone on from is a tree of words, whatever the file says. */
#include "allwords_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ckda/ranks.h"
#include "ckda/save.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

static const char what[] = "a saved search of all words";
enum { VERSION = 2, TEXT = 512 };

/* Plain data; no gaps between the members. */
typedef struct {
    uint64_t bytes;                      /* of a packed state */
    uint32_t kept, count, next, nlevels; /* kept: in this file; count: of all */
    uint32_t letters, numbered;
    uint64_t aliased;
    double error, seconds;
} head;

/* ---- which search is it? --------------------------------------------------------------- */

static void
add(XXH3_state_t *x, const void *data, size_t size)
{
    if (data != NULL)
        XXH3_128bits_update(x, data, size);
}

static void
add_arithmetic(XXH3_state_t *x, const ckda_rounded_t R)
{
    const ckda_arith *a = &R->arith;
    const int64_t plain[] = {a->fma,
                             a->form,
                             a->order,
                             a->store,
                             a->grid,
                             a->has_flush,
                             a->has_flush ? a->flush : 0};
    const size_t steps = R->first[R->nletters], n = (size_t)R->n;
    add(x, plain, sizeof plain);
    add(x, a->state->name, strlen(a->state->name) + 1);
    add(x, a->keys->name, strlen(a->keys->name) + 1);
    add(x, a->beta->name, strlen(a->beta->name) + 1);
    add(x, a->compute->name, strlen(a->compute->name) + 1);
    add(x, &R->scale, sizeof R->scale);
    add(x, R->initial, n * n * sizeof *R->initial);
    add(x, R->first, (R->nletters + 1) * sizeof *R->first);
    if (a->form == CKDA_FORM_MATRIX) {
        add(x, R->matrix, R->nletters * n * n * sizeof *R->matrix);
        return;
    }
    add(x, R->key, steps * n * sizeof *R->key);
    add(x, R->gate, steps * n * sizeof *R->gate);
    add(x, R->beta, steps * sizeof *R->beta);
}

static void
digest_of(uint64_t digest[2], const search *S)
{
    const ckda_tracker_struct *t = S->t;
    const size_t edges = (size_t)t->nstates * t->nletters;
    XXH3_state_t *x = XXH3_createState();
    ckda_require_memory(x != NULL);
    XXH3_128bits_reset(x);
    add(x, &t->nletters, sizeof t->nletters);
    add(x, t->next, edges * sizeof *t->next);
    add(x, t->element, t->nstates * sizeof *t->element);
    add_arithmetic(x, S->R);
    const XXH128_hash_t sum = XXH3_128bits_digest(x);
    XXH3_freeState(x);
    digest[0] = sum.low64;
    digest[1] = sum.high64;
}

static void
describe(char *text, const search *S)
{
    const ckda_construction_struct *c = S->t->c;
    char *arith = ckda_arith_str(&S->R->arith);
    snprintf(text, TEXT, "%s by %s, %s", c->G->name, c->name, arith);
    free(arith);
}

/* Borrows the text. */
static ckda_save_subject
subject_of(char text[TEXT], const search *S)
{
    ckda_save_subject of = {.kind = {'a', 'l', 'l', 'w', 'o', 'r', 'd', 's'},
                            .version = VERSION,
                            .what = what,
                            .question = text};
    describe(text, S);
    digest_of(of.digest, S);
    return of;
}

/* ---- writing ------------------------------------------------------------------------------ */

static void
put_search(ckda_save *f, const search *S)
{
    const nodes *s = &S->s;
    const size_t kept = s->count;
    const head h = {.bytes = s->bytes,
                    .kept = s->count,
                    .count = S->count,
                    .next = S->p.next,
                    .nlevels = S->p.nlevels,
                    .letters = S->R->nletters,
                    .numbered = s->numbered,
                    .aliased = S->p.aliased,
                    .error = S->p.error,
                    .seconds = S->before + ckda_wall_seconds() - S->began};
    ckda_save_put(f, &h, sizeof h);
    ckda_save_put(f, S->p.level_start, S->p.nlevels * sizeof *S->p.level_start);
    ckda_save_put(f, s->bits, kept * s->bytes);
    ckda_save_put(f, s->exact, kept * sizeof *s->exact);
    ckda_save_put(f, s->parent, kept * sizeof *s->parent);
    ckda_save_put(f, s->via, kept * sizeof *s->via);
    if (s->numbered)
        ckda_save_put(f, s->number, kept * sizeof *s->number);
}

ckda_status
allwords_checkpoint_write(const search *S, const char *path, ckda_error *err)
{
    char text[TEXT];
    ckda_save *f;
    const ckda_save_subject of = subject_of(text, S);
    const uint64_t moment = (uint64_t)S->p.next << 32 | S->count;
    ckda_status st = ckda_save_open_search(&f, path, &of, moment, S->save_turn, err);
    if (st == CKDA_OK) {
        put_search(f, S);
        st = ckda_save_close(&f, err);
    }
    return ckda_ranks_agree(st, err);
}

/* ---- reading: the file of this process ---------------------------------------------------- */

/* NULL, or what is wrong with the counters; before any memory is asked for on their word. */
static const char *
head_fault(const head *h, const search *S, uint64_t left)
{
    const nodes *s = &S->s;
    const uint64_t node =
        s->bytes + (s->numbered ? 3 : 2) * sizeof(uint32_t) + sizeof(uint16_t);
    if (h->bytes != s->bytes || h->letters != S->R->nletters
        || h->numbered != (uint32_t)s->numbered)
        return "nodes of another shape";
    if (h->count == 0 || h->kept > h->count || h->next > h->count || h->nlevels == 0
        || h->nlevels > h->count + 1 || (!s->numbered && h->kept != h->count))
        return "counters that do not fit together";
    if (!(h->seconds >= 0) || !isfinite(h->seconds))
        return "a time that is none";
    return left == h->nlevels * sizeof(uint32_t) + h->kept * node
               ? NULL
               : "a file cut short, or longer";
}

static bool
levels_fit(const search *S, const head *h)
{
    const uint32_t *start = S->p.level_start;
    if (start[0] != 0)
        return false;
    for (uint32_t k = 1; k < h->nlevels; k++)
        if (start[k] <= start[k - 1] || start[k] > h->count)
            return false;
    /* the node to go on with stands in the last level but one, or begins the last */
    return h->nlevels == 1 ? h->next == 0
                           : h->next >= start[h->nlevels - 2] && h->next <= h->count
                                 && (h->next <= start[h->nlevels - 1]);
}

/* Exact states are states, numbers increase, and nodes are kept where they belong. */
static bool
places_fit(const search *S)
{
    const nodes *s = &S->s;
    for (uint32_t i = 0; i < s->count; i++)
        if (s->exact[i] >= S->t->nstates)
            return false;
    for (uint32_t i = 0; s->numbered && i < s->count; i++) {
        const uint64_t hash =
            allwords_nodes_hash(s, s->bits + (size_t)i * s->bytes, s->exact[i]);
        if (s->number[i] >= S->count || (i > 0 && s->number[i] <= s->number[i - 1])
            || search_owner(S, hash) != S->rank)
            return false;
    }
    return true;
}

static bool
get_nodes(nodes *s, ckda_load *f, uint32_t kept)
{
    s->count = kept;
    return ckda_load_get(f, s->bits, kept * s->bytes)
           && ckda_load_get(f, s->exact, kept * sizeof *s->exact)
           && ckda_load_get(f, s->parent, kept * sizeof *s->parent)
           && ckda_load_get(f, s->via, kept * sizeof *s->via)
           && (!s->numbered || ckda_load_get(f, s->number, kept * sizeof *s->number));
}

static const char *
get_search(search *S, const head *h, ckda_load *f)
{
    S->count = h->count;
    S->p.next = h->next;
    S->p.nlevels = S->p.level_room = h->nlevels;
    S->p.aliased = h->aliased;
    S->p.error = h->error;
    S->before = h->seconds;
    S->p.level_start = allwords_memory(h->nlevels * sizeof *S->p.level_start);
    if (!ckda_load_get(f, S->p.level_start, h->nlevels * sizeof *S->p.level_start)
        || !get_nodes(&S->s, f, h->kept))
        return "a shorter file";
    if (!levels_fit(S, h) || !(h->error >= 0))
        return "levels that do not fit the counters";
    if (!places_fit(S))
        return "states in other places";
    if (!allwords_nodes_index(&S->s))
        return "a state twice";
    S->own = allwords_nodes_from(&S->s, S->p.next);
    return NULL;
}

static ckda_status
get_file(search *S, ckda_load *f, ckda_error *err)
{
    head h;
    if (!ckda_load_get(f, &h, sizeof h))
        return ckda_load_fail(f, what, "a shorter file", err);
    const char *fault = head_fault(&h, S, ckda_load_left(f));
    if (fault != NULL)
        return ckda_load_fail(f, what, fault, err);
    if (h.count > S->max || !allwords_nodes_reserve(&S->s, h.kept)) {
        ckda_error_set(
            err, "the %" PRIu32 " states of the saved search are beyond the limit on %s",
            h.count, h.count > S->max ? "states" : S->s.limit);
        return CKDA_E_UNABLE;
    }
    fault = get_search(S, &h, f);
    return fault == NULL ? CKDA_OK : ckda_load_fail(f, what, fault, err);
}

/* ---- reading: do the nodes follow from their parents? -------------------------------------- */

enum { WINDOW = 1 << 20, ASKED = 1 << 14 }; /* parents, children of a process at a time */

/* A question to the process that keeps the parent: does this letter lead to this node? */
typedef struct {
    uint32_t parent, exact, letter;
} question;

typedef struct {
    const search *S;
    uint32_t first;  /* of the parents in question */
    uint32_t *owner; /* by number from `first` on: one more than the process; 0: none */
    uint32_t next;   /* the next child here */
    size_t *part;
    uint8_t *data;
    double *H;
    uint8_t *bits;
    bool fits;
} inquiry;

static uint32_t
window_end(const inquiry *q)
{
    return q->S->count - q->first < WINDOW ? q->S->count : q->first + WINDOW;
}

/* Every number is kept by somebody. */
static void
find_owners(inquiry *q)
{
    const nodes *s = &q->S->s;
    const uint32_t end = window_end(q);
    memset(q->owner, 0, WINDOW * sizeof *q->owner);
    for (uint32_t i = allwords_nodes_from(s, q->first);
         i < s->count && allwords_nodes_number(s, i) < end; i++)
        q->owner[allwords_nodes_number(s, i) - q->first] = q->S->rank + 1;
    ckda_ranks_max32(q->owner, end - q->first);
    for (uint32_t i = q->first; i < end; i++)
        q->fits = q->fits && q->owner[i - q->first] != 0;
}

/* Is node i the next child of a parent in the window?  Children come in the order of their
 * parents. */
static bool
asks(inquiry *q, uint32_t i)
{
    const nodes *s = &q->S->s;
    if (!q->fits || i >= s->count || s->parent[i] >= window_end(q))
        return false;
    q->fits = s->parent[i] >= q->first && s->parent[i] < allwords_nodes_number(s, i)
              && s->via[i] < q->S->R->nletters;
    return q->fits;
}

static void
put_question(const inquiry *q, uint8_t *at, uint32_t i)
{
    const nodes *s = &q->S->s;
    const question x = {s->parent[i], s->exact[i], s->via[i]};
    memcpy(at, &x, sizeof x);
    memcpy(at + sizeof x, s->bits + (size_t)i * s->bytes, s->bytes);
}

/* As many children as go into one piece, sorted by the owner of their parent. */
static void
put_questions(inquiry *q)
{
    const nodes *s = &q->S->s;
    const size_t bytes = sizeof(question) + s->bytes;
    const uint32_t from = q->next;
    memset(q->part, 0, q->S->ranks * sizeof *q->part);
    while (q->next - from < ASKED && asks(q, q->next))
        q->next++;
    uint8_t *at = q->data;
    for (uint32_t to = 0; to < q->S->ranks; to++)
        for (uint32_t i = from; i < q->next; i++)
            if (q->owner[s->parent[i] - q->first] == to + 1) {
                put_question(q, at, i);
                at += bytes;
                q->part[to] += bytes;
            }
}

static bool
follows(const inquiry *q, const question *x, const uint8_t *bits)
{
    const search *S = q->S;
    const uint32_t i = allwords_nodes_from(&S->s, x->parent);
    const slong entries = (slong)S->entries;
    if (x->exact != allwords_next_exact(S, S->s.exact[i], x->letter))
        return false;
    ckda_rounded_unpack(q->H, S->s.bits + (size_t)i * S->s.bytes, entries, S->R);
    ckda_rounded_step(q->H, S->m, x->letter, S->R);
    return ckda_rounded_pack(q->bits, q->H, entries, S->R)
           && memcmp(q->bits, bits, S->s.bytes) == 0;
}

static void
answer(inquiry *q)
{
    size_t size;
    uint8_t *got = ckda_ranks_exchange(&size, q->data, q->part);
    for (const uint8_t *at = got; q->fits && at < got + size; at += q->S->s.bytes) {
        question x;
        memcpy(&x, at, sizeof x);
        at += sizeof x;
        q->fits = follows(q, &x, at);
    }
    free(got);
}

/* Node 0 is H_0. */
static bool
root_fits(const inquiry *q)
{
    const search *S = q->S;
    if (S->s.count == 0 || allwords_nodes_number(&S->s, 0) != 0)
        return true; /* kept elsewhere */
    ckda_rounded_initial(q->H, S->R);
    return ckda_rounded_pack(q->bits, q->H, (slong)S->entries, S->R)
           && memcmp(q->bits, S->s.bits, S->s.bytes) == 0 && S->s.exact[0] == 0;
}

static void
ask_all(inquiry *q)
{
    const search *S = q->S;
    q->fits = root_fits(q);
    q->next = S->s.count > 0 && allwords_nodes_number(&S->s, 0) == 0;
    for (uint64_t first = 0; first < S->count; first += WINDOW) {
        uint32_t more = 1;
        q->first = (uint32_t)first;
        for (find_owners(q); more != 0; ckda_ranks_max32(&more, 1)) {
            put_questions(q);
            answer(q);
            more = asks(q, q->next);
        }
    }
    q->fits = q->fits && q->next == S->s.count;
}

static bool
tree_fits(const search *S)
{
    const size_t bytes = sizeof(question) + S->s.bytes;
    inquiry q = {.S = S,
                 .owner = allwords_memory(WINDOW * sizeof *q.owner),
                 .part = allwords_memory(S->ranks * sizeof *q.part),
                 .data = allwords_memory(ASKED * bytes),
                 .H = allwords_memory(S->entries * sizeof *q.H),
                 .bits = allwords_memory(S->s.bytes)};
    ask_all(&q);
    free(q.owner);
    free(q.part);
    free(q.data);
    free(q.H);
    free(q.bits);
    return q.fits;
}

/* ---- reading ------------------------------------------------------------------------------- */

static ckda_status
read_search(search *S, ckda_load *f, ckda_error *err)
{
    ckda_status st = ckda_ranks_agree(get_file(S, f, err), err);
    if (st != CKDA_OK)
        return st;
    uint64_t count = S->s.count;
    ckda_ranks_sum(&count, 1);
    if (!tree_fits(S) || count != S->count)
        st = ckda_load_fail(f, "a tree of words", "states that do not follow", err);
    return ckda_ranks_agree(st, err);
}

ckda_status
allwords_checkpoint_read(search *S, const char *path, ckda_error *err)
{
    char text[TEXT];
    ckda_load *f;
    uint32_t turn;
    const ckda_save_subject of = subject_of(text, S);
    ckda_status st = ckda_load_open_search(&f, &turn, path, &of, err);
    if (st != CKDA_OK)
        return st;
    S->save_turn = !turn; /* the other file stays until a new one is whole */
    st = read_search(S, f, err);
    ckda_load_close(&f);
    return st;
}
