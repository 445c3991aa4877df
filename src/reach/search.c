/* Breadth-first search over images, level by level, in batches of edges (batch.c). */
#include "search_internal.h"

enum { STATES_BEFORE_PUMP = 1 << 12 };

/* ---- making and clearing ------------------------------------------------------------ */

void
search_init(search *s, const ckda_system_t sys, const images *im,
            const run_control *control, bool keep_graph)
{
    const ckda_limits *limits = &control->o->limits;
    *s = (search){.sys = sys, .im = im, .control = control, .consistent = true};
    s->on_record = true;
    s->threads = control->o->threads;
    s->rank = ckda_ranks_mine();
    s->ranks = ckda_ranks_count();
    if (s->ranks > 1 && s->threads == 0)
        s->threads = 1; /* the processes share the cores already */
    s->numbers = keep_graph;
    s->max_states = UINT32_MAX - 1; /* numbers have 32 bits */
    if (limits->max_states != 0 && limits->max_states < s->max_states)
        s->max_states = limits->max_states;
    s->max_bytes = limits->max_bytes;
    stepper_init(&s->step, im);
    store_init(&s->states, s->step.bytes, sys->G != NULL, keep_graph);
    s->owner = flint_malloc(sizeof *s->owner);
    if (keep_graph && s->rank == 0) {
        s->next = flint_malloc(sizeof *s->next);
        s->parent = flint_malloc(sizeof *s->parent);
        s->via = flint_malloc(sizeof *s->via);
    }
    s->save_at = control->began + control->o->checkpoint_seconds;
    batch_init(s);
}

void
search_clear(search *s)
{
    stepper_clear(&s->step);
    store_clear(&s->states);
    batch_clear(&s->b);
    flint_free(s->level);
    flint_free(s->owner);
    flint_free(s->next);
    flint_free(s->parent);
    flint_free(s->via);
    flint_free(s->label);
    pump_clear(&s->pump);
    *s = (search){0};
}

/* ---- room --------------------------------------------------------------------------- */

static uint64_t
bytes_per_number(const search *s)
{
    const uint64_t graph = (s->im->nletters + UINT64_C(2)) * sizeof *s->next;
    return sizeof *s->owner + (s->next != NULL ? graph : 0);
}

/* Rounded up by at most a 64th part, so that arrays grow in few steps. */
static uint64_t
rounded(uint64_t count)
{
    uint64_t step = 64;
    while (64 * step < count)
        step *= 2;
    return (count + step - 1) / step * step;
}

uint64_t
search_number_bytes(const search *s, uint64_t count)
{
    return rounded(count) * bytes_per_number(s);
}

uint64_t
search_bytes(const search *s, uint64_t count)
{
    return store_bytes(&s->states) + search_number_bytes(s, count);
}

void
search_reserve(search *s, uint64_t count)
{
    if (count <= s->room)
        return;
    uint64_t room = rounded(count);
    room = room > UINT32_MAX ? UINT32_MAX : room;
    s->owner = flint_realloc(s->owner, room * sizeof *s->owner);
    if (s->next != NULL) {
        const size_t edges = (size_t)room * s->im->nletters;
        s->next = flint_realloc(s->next, (edges + 1) * sizeof *s->next);
        s->parent = flint_realloc(s->parent, room * sizeof *s->parent);
        s->via = flint_realloc(s->via, room * sizeof *s->via);
    }
    s->room = (uint32_t)room;
}

void
search_push_level(search *s, uint64_t size)
{
    if (size == 0)
        return;
    if (s->nlevels == s->level_room) {
        s->level_room = s->level_room < 16 ? 16 : 2 * s->level_room;
        s->level = flint_realloc(s->level, s->level_room * sizeof *s->level);
    }
    s->level[s->nlevels++] = size;
}

/* ---- the search --------------------------------------------------------------------- */

/* State 0. */
static void
start(search *s)
{
    const uint64_t growth = store_growth(&s->states, 0, 1); /* the same for all shards */
    if (s->max_bytes != 0 && search_bytes(s, 1) + growth > s->max_bytes) {
        s->limit = "memory";
        return;
    }
    search_reserve(s, 1);
    stepper_pack(s->b.state, &s->step, s->im->initial);
    const uint64_t hash = store_hash(&s->states, s->b.state);
    const uint32_t k = store_shard(hash);
    s->owner[0] = (uint8_t)k;
    if (search_owns(s, k)) {
        const uint32_t local = store_add(&s->states, s->b.state, hash);
        uint8_t *record = store_at(&s->states, k, local);
        if (s->sys->G != NULL)
            store_set_word(record + s->states.label, 0);
        if (s->numbers)
            store_set_word(record + s->states.number, 0);
    }
    if (s->next != NULL) {
        s->parent[0] = s->via[0] = 0;
        memset(s->next, 0xff, s->im->nletters * sizeof *s->next);
    }
    s->count = s->level_end = 1;
    search_push_level(s, 1);
}

/* One round whenever the number of states has doubled: a small part of the time. */
static bool
proved_infinite(search *s)
{
    if (s->count >> s->pump_round < STATES_BEFORE_PUMP)
        return false;
    return find_pump(&s->pump, &s->pump_round, s->pump_round + 1, s->im, s->sys,
                     s->control->deadline);
}

static void
show(search *s, double now)
{
    const ckda_reach_options *o = s->control->o;
    const double between = 0.2;
    if (o->progress == NULL || !s->on_record || now < s->show_at)
        return;
    s->show_at = now + between;
    const ckda_reach_progress p = {.states = s->count,
                                   .expanded = s->edges / s->im->nletters,
                                   .level = s->nlevels - 1,
                                   .bytes = search_bytes(s, s->count),
                                   .seconds = now - s->control->began};
    o->progress(&p, o->data);
}

static ckda_status
save(search *s, ckda_error *err)
{
    const ckda_reach_options *o = s->control->o;
    if (o->checkpoint == NULL || !s->on_record || s->count == 0)
        return CKDA_OK;
    const ckda_status st = checkpoint_write(s, o->checkpoint, err);
    s->save_turn = !s->save_turn;
    s->save_at = ckda_wall_seconds() + o->checkpoint_seconds;
    return st;
}

static const char *const reasons[] = {NULL, "interrupted", "time", "infinite"};

static uint32_t
reason_to_stop(search *s, bool may_pump, double now)
{
    const run_control *c = s->control;
    if (c->o->stop != NULL && *c->o->stop)
        return 1;
    if (c->deadline > 0 && now > c->deadline)
        return 2;
    return may_pump && proved_infinite(s) ? 3 : 0;
}

/* Between two batches; process 0 decides for all. */
static ckda_status
look_around(search *s, bool may_pump, ckda_error *err)
{
    const double now = ckda_wall_seconds();
    uint32_t x[3] = {0, now >= s->save_at, 0};
    if (s->rank == 0) {
        x[0] = reason_to_stop(s, may_pump, now);
        x[2] = s->pump_round;
        if (x[0] == 0)
            show(s, now);
    }
    ckda_ranks_share(x, sizeof x);
    s->limit = reasons[x[0]];
    s->pump_round = x[2];
    return s->limit == NULL && x[1] != 0 ? save(s, err) : CKDA_OK;
}

static void
note_bytes(search *s)
{
    const uint64_t bytes = search_bytes(s, s->count);
    if (bytes > s->most_bytes)
        s->most_bytes = bytes;
}

ckda_status
search_run(search *s, bool may_pump, ckda_error *err)
{
    const uint64_t letters = s->im->nletters;
    ckda_status st = CKDA_OK;
    if (s->count == 0 && search_by_right_products(s)) {
        s->closed = true;
        return CKDA_OK;
    }
    if (s->count == 0)
        start(s);
    note_bytes(s);
    while (st == CKDA_OK && s->limit == NULL && s->edges < s->count * letters) {
        if (s->edges == s->level_end * letters) {
            search_push_level(s, s->count - s->level_end);
            s->level_end = s->count;
        }
        st = look_around(s, may_pump, err);
        if (st == CKDA_OK && s->limit == NULL)
            batch_run(s, s->level_end * letters);
        note_bytes(s);
    }
    s->closed = st == CKDA_OK && s->limit == NULL;
    if (st == CKDA_OK && s->limit != NULL && strcmp(s->limit, "infinite") != 0)
        st = save(s, err);
    if (s->limit != NULL && s->count > 0)
        search_push_level(s, s->count - s->level_end);
    return st;
}

uint32_t *
search_labels(const search *s)
{
    uint32_t cursor[STORE_SHARDS] = {0};
    uint32_t *label = flint_malloc((s->count + UINT64_C(1)) * sizeof *label);
    if (s->label != NULL) {
        memcpy(label, s->label, s->count * sizeof *label);
        return label;
    }
    for (uint32_t i = 0; i < s->count; i++) {
        const uint32_t k = s->owner[i];
        const uint32_t local = cursor[k]++;
        label[i] = search_owns(s, k)
                       ? store_word(store_at(&s->states, k, local) + s->states.label)
                       : 0;
    }
    ckda_ranks_max32(label, s->count);
    return label;
}
