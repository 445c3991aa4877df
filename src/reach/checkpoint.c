/* A search saved to a file (ckda/save.h) between two batches.
 *
 *   head: the primes, counters, the digest of the system
 *   levels; the shard of each state in the order of numbers
 *   shard by shard: its records as they are
 *   graph, if it is kept
 *
 * The digest is of the exact system, not of its images, which others may share.  Reading
 * rebuilds the tables and refuses what could not have come from a search: a residue beyond
 * its prime, a state twice or in a foreign shard, counters that do not fit together, a
 * graph whose tree does not lead to the states. */
#include "search_internal.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

static const char what[] = "a saved search of reachable states";
enum { VERSION = 2 };

/* Plain data; no gaps between the members. */
typedef struct {
    uint64_t edges, bad_state, stride;
    uint32_t nprimes, prime, labels, graph;
    uint32_t count, nlevels, level_end, letters;
    uint32_t consistent, bad_letter, bad_want, bad_got;
    uint32_t pump_round, unused;
} head;

/* ---- which system is it? ---------------------------------------------------------------- */

static void
add_elem(XXH3_state_t *x, const ckda_elem_struct *e, const ckda_field_t K)
{
    fmpq_poly_t f;
    fmpq_poly_init(f);
    ckda_elem_get_fmpq_poly(f, e, K);
    fmpq_poly_canonicalise(f);
    char *text = fmpq_poly_get_str(f);
    XXH3_128bits_update(x, text, strlen(text) + 1);
    flint_free(text);
    fmpq_poly_clear(f);
}

static void
add_matrix(XXH3_state_t *x, const ckda_mat_struct *A, const ckda_field_t K)
{
    const int64_t shape[2] = {A->rows, A->cols};
    XXH3_128bits_update(x, shape, sizeof shape);
    for (slong e = 0; e < A->rows * A->cols; e++)
        add_elem(x, A->entry + e, K);
}

static void
add_group(XXH3_state_t *x, const ckda_system_t sys)
{
    const ckda_group_struct *G = sys->G;
    XXH3_128bits_update(x, sys->letter_element,
                        sys->nletters * sizeof *sys->letter_element);
    for (uint32_t g = 0; g < G->order; g++) {
        char *text = ckda_perm_str(G->element + g);
        XXH3_128bits_update(x, text, strlen(text) + 1);
        free(text);
    }
}

static void
digest_of(uint64_t digest[2], const ckda_system_t sys)
{
    XXH3_state_t *x = XXH3_createState();
    ckda_require_memory(x != NULL);
    XXH3_128bits_reset(x);
    char *field = fmpz_poly_get_str(sys->K->minpoly);
    XXH3_128bits_update(x, field, strlen(field) + 1);
    flint_free(field);
    add_matrix(x, sys->initial, sys->K);
    for (uint32_t i = 0; i < sys->nletters; i++) {
        add_matrix(x, sys->linear + i, sys->K);
        if (sys->offset != NULL)
            add_matrix(x, sys->offset + i, sys->K);
    }
    if (sys->G != NULL)
        add_group(x, sys);
    const XXH128_hash_t sum = XXH3_128bits_digest(x);
    XXH3_freeState(x);
    digest[0] = sum.low64;
    digest[1] = sum.high64;
}

static ckda_save_subject
subject_of(const ckda_system_t sys)
{
    ckda_save_subject of = {.kind = {'r', 'e', 'a', 'c', 'h', ' ', ' ', ' '},
                            .version = VERSION,
                            .what = what,
                            .question = ""};
    digest_of(of.digest, sys);
    return of;
}

/* ---- writing ---------------------------------------------------------------------------- */

static head
head_of(const search *s)
{
    head h = {.edges = s->edges,
              .stride = s->states.stride,
              .nprimes = s->im->nprimes,
              .prime = s->im->given,
              .labels = s->sys->G != NULL,
              .graph = s->numbers,
              .count = s->count,
              .nlevels = s->nlevels,
              .level_end = s->level_end,
              .letters = s->im->nletters,
              .consistent = s->consistent,
              .bad_state = s->bad_state,
              .bad_letter = s->bad_letter,
              .bad_want = s->bad_want,
              .bad_got = s->bad_got,
              .pump_round = s->pump_round};
    return h;
}

static void
put_shard(ckda_save *f, const store *st, const shard *d)
{
    const uint32_t whole = UINT32_C(1) << st->shift;
    ckda_save_put(f, &d->count, sizeof d->count);
    for (uint32_t i = 0; i < d->count; i += whole) {
        const uint32_t left = d->count - i;
        ckda_save_put(f, d->segment[i >> st->shift],
                      (left < whole ? left : whole) * st->stride);
    }
}

static void
put_search(ckda_save *f, const search *s, const head *h)
{
    ckda_save_put(f, h, sizeof *h);
    ckda_save_put(f, s->level, s->nlevels * sizeof *s->level);
    ckda_save_put(f, s->owner, s->count * sizeof *s->owner);
    for (uint32_t k = 0; k < STORE_SHARDS; k++)
        put_shard(f, &s->states, s->states.shard + k);
    if (s->next != NULL) {
        ckda_save_put(f, s->next, (size_t)s->count * s->im->nletters * sizeof *s->next);
        ckda_save_put(f, s->parent, s->count * sizeof *s->parent);
        ckda_save_put(f, s->via, s->count * sizeof *s->via);
    }
}

ckda_status
checkpoint_write(const search *s, const char *path, ckda_error *err)
{
    ckda_save *f;
    const head h = head_of(s);
    const ckda_save_subject of = subject_of(s->sys);
    ckda_status st = ckda_save_open_search(&f, path, &of, s->edges, s->save_turn, err);
    if (st == CKDA_OK) {
        put_search(f, s, &h);
        st = ckda_save_close(&f, err);
    }
    return ckda_ranks_agree(st, err);
}

/* ---- reading ---------------------------------------------------------------------------- */

ckda_status
checkpoint_open(saved_search *saved, const char *path, const ckda_system_t sys,
                ckda_error *err)
{
    const ckda_save_subject of = subject_of(sys);
    head *h = flint_malloc(sizeof *h);
    *saved = (saved_search){.head = h};
    ckda_status st = ckda_load_open_search(&saved->file, &saved->turn, path, &of, err);
    if (st == CKDA_OK && !ckda_load_get(saved->file, h, sizeof *h))
        st = ckda_load_fail(saved->file, what, "a shorter file", err);
    if (st == CKDA_OK
        && (h->nprimes < 1 || h->nprimes > CKDA_REACH_MAX_PRIMES
            || (h->prime != 0 && h->nprimes != 1)))
        st = ckda_load_fail(saved->file, "1 to 16 primes", "others", err);
    st = ckda_ranks_agree(st, err);
    if (st != CKDA_OK) {
        checkpoint_close(saved);
        return st;
    }
    saved->nprimes = h->nprimes;
    saved->prime = h->prime;
    saved->graph = h->graph != 0;
    return CKDA_OK;
}

void
checkpoint_close(saved_search *saved)
{
    if (saved->file != NULL)
        ckda_load_close(&saved->file);
    flint_free(saved->head);
    *saved = (saved_search){0};
}

static uint64_t
graph_bytes(const search *s, uint64_t count)
{
    return s->next == NULL ? 0
                           : count * (s->im->nletters + UINT64_C(2)) * sizeof *s->next;
}

/* The counters, before any memory is asked for on their word. */
static const char *
head_fault(const head *h, const search *s, uint64_t left)
{
    const uint64_t letters = s->im->nletters, count = h->count;
    const uint64_t least = h->nlevels * sizeof(uint64_t) + count + graph_bytes(s, count);
    if (letters == 0 || h->stride != s->states.stride || h->letters != letters
        || h->labels != (s->sys->G != NULL) || h->graph != s->numbers)
        return "records of another shape";
    if (count == 0 || h->nlevels == 0 || h->nlevels > count || h->level_end > count
        || h->level_end == 0 || h->edges > h->level_end * letters)
        return "counters that do not fit together";
    return left >= least ? NULL : "a file of another length";
}

/* What follows the shards of the states. */
static const char *
length_fault(const search *s, uint64_t left)
{
    uint64_t own = 0;
    for (uint32_t i = 0; i < s->count; i++)
        own += search_owns(s, s->owner[i]);
    return left
                   == own * s->states.stride + STORE_SHARDS * sizeof(uint32_t)
                          + graph_bytes(s, s->count)
               ? NULL
               : "a file of another length";
}

static const char *
read_levels(search *s, const head *h, ckda_load *f)
{
    s->level_room = h->nlevels;
    s->level = flint_malloc(h->nlevels * sizeof *s->level);
    if (!ckda_load_get(f, s->level, h->nlevels * sizeof *s->level))
        return "a shorter file";
    uint64_t sum = 0;
    for (uint32_t l = 0; l < h->nlevels; l++) {
        if (s->level[l] == 0 || s->level[l] > h->count)
            return "an impossible level";
        sum += s->level[l];
    }
    const uint64_t begin = sum - s->level[h->nlevels - 1];
    if (sum != h->level_end || h->edges < begin * s->im->nletters || s->level[0] != 1)
        return "levels that do not fit the counters";
    s->nlevels = h->nlevels;
    return NULL;
}

static const char *
read_shard(search *s, uint32_t k, uint32_t *room, ckda_load *f)
{
    uint32_t count;
    uint8_t *record = flint_malloc(s->states.stride);
    const char *fault = NULL;
    if (!ckda_load_get(f, &count, sizeof count))
        fault = "a shorter file";
    for (uint32_t i = 0; fault == NULL && i < count; i++) {
        if (!ckda_load_get(f, record, s->states.stride)) {
            fault = "a shorter file";
            break;
        }
        const uint64_t hash = store_hash(&s->states, record);
        if (store_shard(hash) != k || !search_owns(s, k)
            || !stepper_is_state(&s->step, record, room)
            || store_find(&s->states, record, hash) != STORE_NONE)
            fault = "a state that cannot be one";
        else if (s->states.shard[k].count == STORE_MOST_LOCAL)
            fault = "too many states";
        else
            memcpy(store_at(&s->states, k, store_add(&s->states, record, hash)), record,
                   s->states.stride);
    }
    flint_free(record);
    return fault;
}

/* Every number belongs to the next record of its shard, and no record is left over. */
static const char *
check_records(search *s)
{
    uint32_t cursor[STORE_SHARDS] = {0};
    for (uint32_t i = 0; i < s->count; i++) {
        const uint32_t k = s->owner[i];
        if (k >= STORE_SHARDS
            || (search_owns(s, k) && cursor[k] == s->states.shard[k].count))
            return "states in other shards than it says";
        if (i == s->edges / s->im->nletters)
            memcpy(s->cursor, cursor, sizeof cursor);
        const uint32_t local = cursor[k]++;
        if (!search_owns(s, k))
            continue;
        const uint8_t *record = store_at(&s->states, k, local);
        if (s->numbers && store_word(record + s->states.number) != i)
            return "states with other numbers";
        if (s->sys->G != NULL && store_word(record + s->states.label) >= s->sys->G->order)
            return "a label that is no element";
    }
    if (s->edges / s->im->nletters == s->count)
        memcpy(s->cursor, cursor, sizeof cursor);
    if (!search_owns(s, s->owner[0]))
        return NULL;
    stepper_pack(s->b.state, &s->step, s->im->initial);
    const uint8_t *first = store_at(&s->states, s->owner[0], 0);
    return memcmp(first, s->b.state, s->step.bytes) == 0 ? NULL : "another first state";
}

static const char *
read_graph(search *s, ckda_load *f)
{
    const uint64_t letters = s->im->nletters, edges = s->count * letters;
    if (!ckda_load_get(f, s->next, edges * sizeof *s->next)
        || !ckda_load_get(f, s->parent, s->count * sizeof *s->parent)
        || !ckda_load_get(f, s->via, s->count * sizeof *s->via))
        return "a shorter file";
    for (uint64_t e = 0; e < edges; e++)
        if (e < s->edges ? s->next[e] >= s->count : s->next[e] != UINT32_MAX)
            return "an edge to no state";
    for (uint32_t i = 1; i < s->count; i++)
        if (s->parent[i] >= i || s->via[i] >= letters
            || s->next[s->parent[i] * letters + s->via[i]] != i)
            return "a tree that does not lead to its states";
    return NULL;
}

static const char *
read_search(search *s, const head *h, ckda_load *f)
{
    const char *fault = read_levels(s, h, f);
    if (fault != NULL)
        return fault;
    s->count = h->count;
    s->edges = h->edges;
    s->level_end = h->level_end;
    s->consistent = h->consistent != 0;
    s->bad_state = h->bad_state;
    s->bad_letter = h->bad_letter;
    s->bad_want = h->bad_want;
    s->bad_got = h->bad_got;
    s->pump_round = h->pump_round;
    if (!ckda_load_get(f, s->owner, s->count * sizeof *s->owner))
        return "a shorter file";
    fault = length_fault(s, ckda_load_left(f));
    uint32_t *room = flint_malloc(s->im->words * sizeof *room);
    for (uint32_t k = 0; fault == NULL && k < STORE_SHARDS; k++)
        fault = read_shard(s, k, room, f);
    flint_free(room);
    if (fault == NULL)
        fault = check_records(s);
    if (fault == NULL && s->next != NULL)
        fault = read_graph(s, f);
    return fault;
}

static ckda_status
beyond(const char *limit, const head *h, ckda_error *err)
{
    ckda_error_set(err, "the %u states of the saved search are beyond the limit on %s",
                   h->count, limit);
    return CKDA_E_UNABLE;
}

ckda_status
checkpoint_read(search *s, saved_search *saved, ckda_error *err)
{
    const uint64_t slots = 10; /* bytes a state at most */
    const head *h = saved->head;
    const char *fault = head_fault(h, s, ckda_load_left(saved->file));
    if (fault != NULL)
        return ckda_load_fail(saved->file, what, fault, err);
    if (h->count > s->max_states)
        return beyond("states", h, err);
    if (s->max_bytes != 0
        && search_bytes(s, h->count) + h->count * (s->states.stride + slots)
               > s->max_bytes)
        return beyond("memory", h, err);
    search_reserve(s, h->count);
    s->save_turn = !saved->turn; /* the other file stays until a new one is whole */
    fault = read_search(s, h, saved->file);
    return fault == NULL ? CKDA_OK : ckda_load_fail(saved->file, what, fault, err);
}
