/* Breadth-first search over images, with labels checked on every edge. */
#include "reach_internal.h"

#include <string.h>

enum { EDGES_BETWEEN_CLOCKS = 4096, STATES_BEFORE_PUMP = 1 << 16, BATCH = 64 };

/* Arrays beside the states grow with them. */
static void
grow_extra(search *s, uint32_t nletters)
{
    const size_t alloc = s->states.alloc;
    if (alloc == s->extra_alloc)
        return;
    if (s->label != NULL)
        s->label = flint_realloc(s->label, alloc * sizeof *s->label);
    if (s->next != NULL) {
        const size_t old = (size_t)s->extra_alloc * nletters, size = alloc * nletters;
        s->next = flint_realloc(s->next, (size + 1) * sizeof *s->next);
        memset(s->next + old, 0xff, (size - old) * sizeof *s->next);
        s->parent = flint_realloc(s->parent, alloc * sizeof *s->parent);
        s->via = flint_realloc(s->via, alloc * sizeof *s->via);
    }
    s->extra_alloc = (uint32_t)alloc;
}

static void
search_init(search *s, const ckda_system_t sys, const images *im,
            const ckda_limits *limits, bool keep_graph)
{
    *s = (search){.consistent = true};
    uint64_t extra = sys->G != NULL ? sizeof *s->label : 0;
    if (keep_graph)
        extra += (sys->nletters + 2) * sizeof *s->next;
    table_init(&s->states, im->words, extra, limits);
    s->batch = flint_malloc(BATCH * im->words * sizeof *s->batch);
    if (sys->G != NULL)
        s->label = flint_malloc(sizeof *s->label);
    if (keep_graph) {
        s->next = flint_malloc(sizeof *s->next);
        s->parent = flint_malloc(sizeof *s->parent);
        s->via = flint_malloc(sizeof *s->via);
    }
}

void
search_clear(search *s)
{
    table_clear(&s->states);
    flint_free(s->batch);
    flint_free(s->level);
    flint_free(s->label);
    flint_free(s->next);
    flint_free(s->parent);
    flint_free(s->via);
    *s = (search){0};
}

static inline uint32_t
group_mul(const ckda_group_struct *G, uint32_t g, uint32_t h)
{
    return G->table != NULL ? G->table[g * G->order + h] : ckda_group_mul(G, g, h);
}

/* The label of a new state, or a comparison with the label that is there. */
static void
visit_label(search *s, const ckda_system_t sys, uint32_t from, uint32_t x, uint32_t to,
            bool is_new)
{
    const uint32_t want = group_mul(sys->G, sys->letter_element[x], s->label[from]);
    if (is_new) {
        s->label[to] = want;
    } else if (s->label[to] != want && s->consistent) {
        s->consistent = false;
        s->bad_state = from;
        s->bad_letter = x;
        s->bad_want = want;
        s->bad_got = s->label[to];
    }
}

/* The candidate for state `from` and letter x takes its place in the graph. */
static bool
visit(search *s, const ckda_system_t sys, uint32_t from, uint32_t x,
      const uint32_t *state, uint64_t hash)
{
    bool is_new;
    const uint32_t to = table_intern(&s->states, &is_new, state, hash);
    if (to == TABLE_FULL) {
        s->limit = s->states.limit;
        return false;
    }
    if (is_new)
        grow_extra(s, sys->nletters);
    s->edges++;
    if (s->label != NULL)
        visit_label(s, sys, from, x, to, is_new);
    if (s->next == NULL)
        return true;
    s->next[(size_t)from * sys->nletters + x] = to;
    if (is_new) {
        s->parent[to] = from;
        s->via[to] = x;
    }
    return true;
}

/* All edges of one state, in batches so that the memory accesses of a batch overlap;
 * false when a limit stops the search. */
static bool
expand(search *s, const ckda_system_t sys, const images *im, uint32_t from)
{
    table *t = &s->states;
    uint64_t hash[BATCH];
    for (uint32_t x0 = 0; x0 < im->nletters; x0 += BATCH) {
        const uint32_t size = im->nletters - x0 < BATCH ? im->nletters - x0 : BATCH;
        for (uint32_t j = 0; j < size; j++) {
            uint32_t *to = s->batch + j * t->words;
            images_step(to, im, x0 + j, t->arena + (size_t)from * t->words);
            hash[j] = table_hash(t, to);
            table_prefetch_bucket(t, hash[j]);
        }
        for (uint32_t j = 0; j < size; j++)
            table_prefetch_state(t, hash[j]);
        for (uint32_t j = 0; j < size; j++)
            if (!visit(s, sys, from, x0 + j, s->batch + j * t->words, hash[j]))
                return false;
    }
    return true;
}

static bool
start(search *s, const images *im)
{
    table *t = &s->states;
    bool is_new;
    if (table_intern(t, &is_new, im->initial, table_hash(t, im->initial)) == TABLE_FULL) {
        s->limit = t->limit;
        return false;
    }
    grow_extra(s, im->nletters);
    if (s->label != NULL)
        s->label[0] = 0;
    if (s->next != NULL)
        s->parent[0] = s->via[0] = 0;
    return true;
}

static void
push_level(search *s, uint64_t size)
{
    if (size == 0)
        return;
    s->level = flint_realloc(s->level, (s->nlevels + 1) * sizeof *s->level);
    s->level[s->nlevels++] = size;
}

/* Once, when many states are there. */
static bool
proved_infinite(search *s, const ckda_system_t sys, const images *im, double deadline)
{
    if (s->pump_tried || s->states.count < STATES_BEFORE_PUMP)
        return false;
    s->pump_tried = true;
    s->npump = find_pump(s->pump, im, sys->K, deadline);
    return s->npump > 0;
}

void
search_run(search *s, const ckda_system_t sys, const images *im,
           const ckda_limits *limits, double deadline, bool keep_graph, bool may_pump)
{
    search_init(s, sys, im, limits, keep_graph);
    if (!start(s, im))
        return;
    push_level(s, 1);
    uint64_t next_clock = EDGES_BETWEEN_CLOCKS;
    uint32_t end = 1; /* of the level that is being expanded */
    for (uint32_t i = 0; i < s->states.count; i++) {
        if (i == end) {
            push_level(s, s->states.count - end);
            end = s->states.count;
        }
        if (deadline > 0 && s->edges >= next_clock) {
            next_clock = s->edges + EDGES_BETWEEN_CLOCKS;
            if (ckda_wall_seconds() > deadline) {
                s->limit = "time";
                break;
            }
        }
        if (!expand(s, sys, im, i))
            break;
        if (may_pump && proved_infinite(s, sys, im, deadline)) {
            s->limit = "infinite";
            break;
        }
    }
    if (s->limit != NULL)
        push_level(s, s->states.count - end);
    s->closed = s->limit == NULL;
}
