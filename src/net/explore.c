/* All words at once: the graph of joint states.
 *
 * A joint state is one state for each head.  States, outputs and steps are numbered by
 * exact equality (intern.h).  The maps that are applied -- lookups, the recurrence, the
 * decoder -- are functions of their arguments, so that each is evaluated once for each
 * tuple of numbers and remembered. */
#include "explore.h"

/* ---- set-up ----------------------------------------------------------------------- */

static void
init_head(head_table *t, ckda_net_step *work, const ckda_net_head *d)
{
    *t = (head_table){0};
    net_intern_init(&t->state, d->K);
    net_intern_init(&t->output, d->K);
    net_intern_init(&t->step, d->K);
    net_tuples_init(&t->seen, 2);
    ckda_mat_init(t->H, d->n, d->m, d->K);
    ckda_mat_init(t->o, d->m, d->h, d->K);
    ckda_net_step_init(work, d->n, d->m, d->h, d->s, d->K);
}

static void
clear_head(head_table *t, ckda_net_step *work, const ckda_net_head *d)
{
    for (uint32_t i = 0; i < t->nready; i++)
        ckda_net_step_clear(t->ready + i, d->K);
    flint_free(t->ready);
    flint_free(t->next);
    flint_free(t->out);
    net_intern_clear(&t->state);
    net_intern_clear(&t->output);
    net_intern_clear(&t->step);
    net_tuples_clear(&t->seen);
    ckda_mat_clear(t->H, d->K);
    ckda_mat_clear(t->o, d->K);
    ckda_net_step_clear(work, d->K);
}

static void
init_explorer(explorer *e, const ckda_net *net, const ckda_limits *limits)
{
    *e = (explorer){.net = net, .limits = limits, .start = ckda_wall_seconds()};
    ckda_require(net->nheads <= MAX_HEADS, "%u heads", net->nheads);
    for (uint32_t h = 0; h < net->nheads; h++)
        init_head(e->head + h, e->work + h, net->head + h);
    e->lookup = flint_calloc(net->nlayers, sizeof *e->lookup);
    for (uint32_t l = 0; l < net->nlayers; l++)
        net_tuples_init(&e->lookup[l].seen, (l > 0 ? heads_of(net, l - 1) : 0) + 2);
    net_tuples_init(&e->decoded, heads_of(net, net->nlayers - 1) + 1);
    net_tuples_init(&e->joint, net->nheads);
}

void
net_explorer_clear(explorer *e)
{
    const ckda_net *net = e->net;
    for (uint32_t h = 0; h < net->nheads; h++)
        clear_head(e->head + h, e->work + h, net->head + h);
    for (uint32_t l = 0; l < net->nlayers; l++) {
        net_tuples_clear(&e->lookup[l].seen);
        flint_free(e->lookup[l].result);
    }
    flint_free(e->lookup);
    for (uint32_t i = 0; i < e->decoded.count; i++)
        ckda_net_output_clear(e->said + i);
    flint_free(e->said);
    net_tuples_clear(&e->decoded);
    for (uint32_t i = 0; i < e->joint.count; i++)
        ckda_net_target_clear(e->label + i, net);
    net_tuples_clear(&e->joint);
    flint_free(e->label);
    flint_free(e->parent);
    flint_free(e->via);
}

/* ---- one edge --------------------------------------------------------------------- */

static uint32_t
intern_step(head_table *t, const ckda_net_step *step, const ckda_net_head *d)
{
    const uint32_t number = net_intern_add(&t->step, step->data);
    if (number < t->nready)
        return number;
    t->ready = flint_realloc(t->ready, t->step.room * sizeof *t->ready);
    ckda_net_step_init(t->ready + number, d->n, d->m, d->h, d->s, d->K);
    ckda_net_step_set(t->ready + number, step, d->K);
    t->nready = number + 1;
    return number;
}

/* The lookup in front of a layer; below: numbers of the outputs of the layer below. */
static const uint32_t *
look_up(explorer *e, uint32_t layer, const uint32_t *below, slong r, uint32_t x)
{
    const ckda_net *net = e->net;
    lookup_table *t = e->lookup + layer;
    const uint32_t nbelow = layer > 0 ? heads_of(net, layer - 1) : 0,
                   heads = heads_of(net, layer);
    uint32_t key[TUPLE];
    bool added;
    memcpy(key, below, nbelow * sizeof *key);
    key[nbelow] = (uint32_t)r;
    key[nbelow + 1] = x;
    const uint32_t at = net_tuples_add(&added, &t->seen, key);
    if (!added)
        return t->result + (size_t)at * (heads + 1);
    if (t->room < t->seen.room) {
        t->room = t->seen.room;
        t->result =
            flint_realloc(t->result, (size_t)t->room * (heads + 1) * sizeof *t->result);
    }
    uint32_t *result = t->result + (size_t)at * (heads + 1);
    const ckda_mat_struct *o[MAX_HEADS];
    for (uint32_t i = 0; i < nbelow; i++)
        o[i] = e->head[net->first[layer - 1] + i].output.item[below[i]];
    const ckda_net_signal in = {o, r, x};
    ckda_net_step *work = e->work + net->first[layer];
    slong passed;
    if (ckda_net_lookup(work, &passed, net, layer, &in, NULL) != CKDA_OK) {
        result[0] = NONE;
        return result;
    }
    result[0] = (uint32_t)passed;
    for (uint32_t i = 0; i < heads; i++) {
        const uint32_t h = net->first[layer] + i;
        result[1 + i] = intern_step(e->head + h, work + i, net->head + h);
    }
    return result;
}

/* The recurrence of one head. */
static void
advance(uint32_t *next, uint32_t *out, head_table *t, uint32_t state, uint32_t step,
        const ckda_field_t K)
{
    const uint32_t key[2] = {state, step};
    bool added;
    const uint32_t at = net_tuples_add(&added, &t->seen, key);
    if (added) {
        if (t->room < t->seen.room) {
            t->room = t->seen.room;
            t->next = flint_realloc(t->next, t->room * sizeof *t->next);
            t->out = flint_realloc(t->out, t->room * sizeof *t->out);
        }
        const ckda_status st = ckda_mat_set(t->H, t->state.item[state], K);
        ckda_require(st == CKDA_OK, "states have one shape");
        ckda_net_recur(t->H, t->o, t->ready + step, K);
        t->next[at] = net_intern_add(&t->state, t->H);
        t->out[at] = net_intern_add(&t->output, t->o);
    }
    *next = t->next[at];
    *out = t->out[at];
}

static const ckda_net_output *
decode(explorer *e, const uint32_t *out, slong r)
{
    const ckda_net *net = e->net;
    const uint32_t last = net->nlayers - 1, heads = heads_of(net, last);
    uint32_t key[TUPLE];
    bool added;
    memcpy(key, out, heads * sizeof *key);
    key[heads] = (uint32_t)r;
    const uint32_t at = net_tuples_add(&added, &e->decoded, key);
    if (!added)
        return e->said + at;
    if (e->said_room < e->decoded.room) {
        e->said_room = e->decoded.room;
        e->said = flint_realloc(e->said, e->said_room * sizeof *e->said);
    }
    const ckda_mat_struct *o[MAX_HEADS];
    for (uint32_t i = 0; i < heads; i++)
        o[i] = e->head[net->first[last] + i].output.item[out[i]];
    ckda_net_output_init(e->said + at);
    ckda_net_decode(e->said + at, net, o, r);
    return e->said + at;
}

const ckda_net_output *
net_explore_edge(uint32_t *to, explorer *e, const uint32_t *from, uint32_t x)
{
    const ckda_net *net = e->net;
    uint32_t out[MAX_HEADS];
    slong r = 0;
    for (uint32_t l = 0; l < net->nlayers; l++) {
        const uint32_t first = net->first[l];
        const uint32_t *below = l > 0 ? out + net->first[l - 1] : out;
        const uint32_t *result = look_up(e, l, below, r, x);
        if (result[0] == NONE)
            return NULL;
        r = result[0];
        for (uint32_t h = first; h < net->first[l + 1]; h++)
            advance(to + h, out + h, e->head + h, from[h], result[1 + h - first],
                    net->head[h].K);
    }
    return decode(e, out + net->first[net->nlayers - 1], r);
}

/* ---- the search ------------------------------------------------------------------- */

static void
copy_target(ckda_net_target *to, const ckda_net_target *from, const ckda_net *net)
{
    ckda_net_target_init(to, net);
    to->now.index = from->now.index;
    fmpq_set(to->now.number, from->now.number);
    if (net->kind == CKDA_NET_WFA) {
        const ckda_status st = ckda_mat_set(to->state, from->state, net->Q);
        ckda_require(st == CKDA_OK, "one shape");
    }
}

static bool
same_target(const ckda_net_target *a, const ckda_net_target *b, const ckda_net *net)
{
    return ckda_net_output_equal(net, &a->now, &b->now)
           && (net->kind != CKDA_NET_WFA
               || ckda_mat_equal(NULL, a->state, b->state, net->Q));
}

/* Adds a joint state, or finds it; *added as in net_tuples_add.  A new one takes over
 * label's values. */
static uint32_t
visit(bool *added, explorer *e, const uint32_t *key, uint32_t parent, uint32_t via,
      const ckda_net_target *label)
{
    const uint32_t at = net_tuples_add(added, &e->joint, key);
    if (!*added)
        return at;
    if (e->room < e->joint.room) {
        e->room = e->joint.room;
        e->parent = flint_realloc(e->parent, e->room * sizeof *e->parent);
        e->via = flint_realloc(e->via, e->room * sizeof *e->via);
        e->label = flint_realloc(e->label, e->room * sizeof *e->label);
    }
    e->parent[at] = parent;
    e->via[at] = via;
    copy_target(e->label + at, label, e->net);
    return at;
}

static const char *
limit_reached(const explorer *e)
{
    uint64_t bytes = net_tuples_bytes(&e->joint) + net_tuples_bytes(&e->decoded)
                     + (uint64_t)e->room * (8 + sizeof *e->label);
    if (e->limits == NULL)
        return NULL;
    if (e->limits->max_states > 0 && e->joint.count > e->limits->max_states)
        return "states";
    for (uint32_t h = 0; h < e->net->nheads; h++) {
        const head_table *t = e->head + h;
        bytes += t->state.bytes + t->output.bytes + 2 * t->step.bytes
                 + net_tuples_bytes(&t->seen) + 8ull * t->room;
    }
    for (uint32_t l = 0; l < e->net->nlayers; l++)
        bytes += 2 * net_tuples_bytes(&e->lookup[l].seen);
    if (e->limits->max_bytes > 0 && bytes > e->limits->max_bytes)
        return "memory";
    if (e->limits->max_seconds > 0
        && ckda_wall_seconds() - e->start > e->limits->max_seconds)
        return "time";
    return NULL;
}

/* The word to joint state s, then x. */
static void
set_word(ckda_net_closure *c, const explorer *e, uint32_t s, uint32_t x)
{
    c->length = 1;
    for (uint32_t i = s; i != 0; i = e->parent[i])
        c->length++;
    c->word = flint_malloc(c->length * sizeof *c->word);
    size_t at = c->length;
    c->word[--at] = x;
    for (uint32_t i = s; i != 0; i = e->parent[i])
        c->word[--at] = e->via[i];
}

static void
set_output(ckda_net_output *to, const ckda_net_output *from)
{
    to->valid = from != NULL && from->valid;
    if (to->valid) {
        to->index = from->index;
        fmpq_set(to->number, from->number);
    }
}

/* One edge from joint state s; false when it refutes the network. */
static bool
check_edge(ckda_net_closure *c, explorer *e, uint32_t s, uint32_t x)
{
    uint32_t from[MAX_HEADS], to[MAX_HEADS];
    const ckda_net *net = e->net;
    ckda_net_target want;
    memcpy(from, e->joint.key + (size_t)s * net->nheads, net->nheads * sizeof *from);
    const ckda_net_output *got = net_explore_edge(to, e, from, x);
    copy_target(&want, e->label + s, net);
    ckda_net_target_step(&want, x, net);
    bool good = got != NULL && ckda_net_output_equal(net, got, &want.now);
    if (good) {
        bool added;
        const uint32_t at = visit(&added, e, to, s, x, &want);
        good = added || same_target(&want, e->label + at, net);
        c->collision = !good;
        if (!good)
            got = &e->label[at].now;
    }
    if (!good) {
        set_word(c, e, s, x);
        set_output(&c->want, &want.now);
        set_output(&c->got, got);
    }
    ckda_net_target_clear(&want, net);
    return good;
}

static void
search(ckda_net_closure *c, explorer *e)
{
    const ckda_net *net = e->net;
    c->right = CKDA_TRUE;
    for (uint32_t s = 0; s < e->joint.count; s++) {
        for (uint32_t x = 0; x < net->nletters; x++) {
            if (!check_edge(c, e, s, x)) {
                c->right = CKDA_FALSE;
                return;
            }
            c->edges++;
        }
        c->limit = limit_reached(e);
        if (c->limit != NULL) {
            c->right = CKDA_UNKNOWN;
            return;
        }
    }
}

void
net_explore(ckda_net_closure *c, explorer *e, const ckda_net *net,
            const ckda_limits *limits)
{
    uint32_t key[MAX_HEADS];
    ckda_net_target label;
    bool added;
    init_explorer(e, net, limits);
    *c = (ckda_net_closure){.heads = net->nheads};
    ckda_net_output_init(&c->got);
    ckda_net_output_init(&c->want);
    for (uint32_t h = 0; h < net->nheads; h++)
        key[h] = net_intern_add(&e->head[h].state, net->head[h].initial);
    ckda_net_target_init(&label, net);
    visit(&added, e, key, 0, 0, &label);
    ckda_net_target_clear(&label, net);
    search(c, e);
    c->states = e->joint.count;
    c->head_states = flint_malloc(net->nheads * sizeof *c->head_states);
    for (uint32_t h = 0; h < net->nheads; h++)
        c->head_states[h] = e->head[h].state.count;
}

void
ckda_net_explore(ckda_net_closure *c, const ckda_net *net, const ckda_limits *limits)
{
    explorer e[1];
    net_explore(c, e, net, limits);
    net_explorer_clear(e);
}

void
ckda_net_closure_clear(ckda_net_closure *c)
{
    flint_free(c->head_states);
    flint_free(c->word);
    ckda_net_output_clear(&c->got);
    ckda_net_output_clear(&c->want);
    *c = (ckda_net_closure){0};
}
