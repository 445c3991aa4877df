/* A closed graph: every edge computed again, all states met, different, and labelled. */
#include "recheck.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    uint32_t count;        /* states */
    uint32_t *next;        /* [state][letter] */
    uint32_t *label;       /* elements, with a group */
    uint32_t *queue, tail; /* states in the order in which they are met */
    store states;
    rounded *R; /* NULL: states are exact, S and T */
    matrix S, T;
    uint8_t *packed; /* of the state just computed */
    size_t room;
    bool inconsistent; /* claimed of the labels */
    uint64_t wrong_labels;
} closure;

static void
closure_clear(closure *c)
{
    matrix_clear(&c->S);
    matrix_clear(&c->T);
    free(c->next);
    free(c->label);
    free(c->queue);
    free(c->states.bytes);
    free(c->states.at);
    free(c->packed);
}

/* ---- reading -------------------------------------------------------------------------- */

static bool
read_state(reader *in, closure *c, uint32_t s, uint64_t count, const instance *I)
{
    uint64_t value;
    json_t *next;
    if (!numbered_line(in, "state", s)
        || !get_array(in, &next, in->json, "next", I->nletters))
        return false;
    if ((s & (s - 1)) == 0) { /* doubles */
        const size_t room = 2 * (size_t)s + 1;
        c->next = grown(c->next, room * I->nletters, sizeof *c->next);
        c->label = grown(c->label, room, sizeof *c->label);
        c->queue = grown(c->queue, room, sizeof *c->queue);
        c->states.at = grown(c->states.at, room, sizeof *c->states.at);
    }
    for (size_t x = 0; x < I->nletters; x++) {
        if (!as_count(in, &value, json_array_get(next, x), "next", x, 0, count - 1))
            return false;
        c->next[(size_t)s * I->nletters + x] = (uint32_t)value;
    }
    c->states.at[s] = UINT64_MAX;
    if (!I->has_group)
        return true;
    if (!get_count(in, &value, in->json, "label", 0, I->order - 1))
        return false;
    c->label[s] = (uint32_t)value;
    return true;
}

/* ---- the walk ------------------------------------------------------------------------- */

static void
define(closure *c, uint32_t s, size_t size)
{
    store *t = &c->states;
    if (t->room - t->used < size) {
        t->room = 2 * t->room + size;
        t->bytes = grown(t->bytes, t->room, 1);
    }
    memcpy(t->bytes + t->used, c->packed, size);
    t->at[s] = t->used;
    t->used += size;
    c->queue[c->tail++] = s;
}

/* Is the permutation of `to` that of letter x after that of `from`? */
static bool
label_fits(const closure *c, const instance *I, uint32_t from, uint32_t x, uint32_t to)
{
    const size_t n = I->points;
    const uint16_t *g = I->image + I->letters[x].element * n;
    const uint16_t *h = I->image + c->label[from] * n, *gh = I->image + c->label[to] * n;
    for (size_t i = 0; i < n; i++)
        if (gh[i] != g[h[i]])
            return false;
    return true;
}

/* The first edge into a state gives the state, all others must lead to the same.  Packed
 * forms end themselves: equal in `size` bytes means equal. */
static bool
check_edge(reader *in, closure *c, const instance *I, uint32_t from, uint32_t x,
           size_t size)
{
    const uint32_t to = c->next[(size_t)from * I->nletters + x];
    const uint64_t at = c->states.at[to];
    const bool is_new = at == UINT64_MAX;
    if (is_new)
        define(c, to, size);
    else if (c->states.used - at < size
             || memcmp(c->states.bytes + at, c->packed, size) != 0)
        return refuse(in, "state %u, letter %u: the exact successor is not state %u",
                      from, x, to);
    if (!I->has_group || label_fits(c, I, from, x, to))
        return true;
    c->wrong_labels++;
    return (c->inconsistent && !is_new)
           || refuse(in,
                     "state %u, letter %u: the label of state %u is not the letter "
                     "times the label",
                     from, x, to);
}

static bool
check_start(reader *in, closure *c, const instance *I)
{
    define(c, 0,
           c->R != NULL ? rounded_start(c->R, &c->packed, &c->room)
                        : matrix_pack(&c->packed, &c->room, &I->initial));
    for (size_t i = 0; I->has_group && i < I->points; i++)
        if (I->image[c->label[0] * (size_t)I->points + i] != i)
            return refuse(in, "the label of state 0 is not the identity");
    return true;
}

/* The edges of state s. */
static bool
expand(reader *in, closure *c, instance *I, uint32_t s)
{
    const uint8_t *bytes = c->states.bytes + c->states.at[s];
    if (c->R != NULL)
        rounded_from(c->R, bytes);
    else
        matrix_unpack(&c->S, bytes);
    for (uint32_t x = 0; x < I->nletters; x++) {
        size_t size;
        if (c->R != NULL) {
            size = rounded_to(c->R, x, &c->packed, &c->room);
        } else {
            step(&c->T, I, I->letters + x, &c->S);
            size = matrix_pack(&c->packed, &c->room, &c->T);
        }
        if (size == 0)
            return refuse(in, "state %u, letter %u: an operation overflows", s, x);
        if (!check_edge(in, c, I, s, x, size))
            return false;
    }
    return true;
}

static bool
walk(reader *in, closure *c, instance *I, const json_t *header)
{
    uint64_t *level = NULL;
    size_t depth = 0;
    bool good = check_start(in, c, I);
    for (uint32_t head = 0, end = 0; good && head < c->tail; head++) {
        if (head == end) { /* of a level */
            level = grown(level, depth + 1, sizeof *level);
            level[depth++] = c->tail - end;
            end = c->tail;
        }
        good = expand(in, c, I, c->queue[head]);
    }
    for (uint32_t s = 0; good && s < c->count; s++)
        if (c->states.at[s] == UINT64_MAX)
            good = refuse(in, "state %u cannot be reached", s);
    good = good && expect_list(in, header, "levels", level, depth);
    free(level);
    return good;
}

/* ---- what the header says of the labels ----------------------------------------------- */

static bool
check_counts(reader *in, const closure *c, const instance *I, const json_t *header)
{
    uint64_t decoded = 0, range[2] = {UINT64_MAX, 0};
    uint32_t *count = grown(NULL, I->order, sizeof *count);
    memset(count, 0, I->order * sizeof *count);
    for (uint32_t s = 0; s < c->count; s++)
        count[c->label[s]]++;
    for (uint32_t g = 0; g < I->order; g++) {
        if (count[g] == 0)
            continue;
        decoded++;
        range[0] = count[g] < range[0] ? count[g] : range[0];
        range[1] = count[g] > range[1] ? count[g] : range[1];
    }
    free(count);
    return expect_count(in, header, "decoded", decoded)
           && expect_list(in, header, "states_per_element", range, 2);
}

static bool
check_labels(reader *in, const closure *c, const instance *I, const json_t *header)
{
    if (!c->inconsistent)
        return !I->has_group || check_counts(in, c, I, header);
    return c->wrong_labels > 0
           || refuse(in, "decoder: stated inconsistent, but every label fits");
}

/* ---- different states ------------------------------------------------------------------ */

/* No two packed forms are equal. */
static bool
bytes_differ(reader *in, const closure *c)
{
    listed *list = grown(NULL, c->count, sizeof *list);
    uint32_t at;
    uint64_t end = c->states.used;
    for (uint32_t i = c->count; i-- > 0;) { /* stored in the order of the queue */
        const uint64_t begin = c->states.at[c->queue[i]];
        list[i] = (listed){c->states.bytes + begin, end - begin, c->queue[i]};
        end = begin;
    }
    if (!all_differ(&at, list, c->count))
        refuse(in, "states %u and %u are the same", list[at - 1].number, list[at].number);
    free(list);
    return in->reason[0] == '\0';
}

static bool
check_all(reader *in, closure *c, instance *I, const json_t *header)
{
    uint64_t count;
    if (!get_count(in, &count, header, "states", 1, UINT32_MAX - 1)
        || (I->has_group
            && !get_choice(in, &c->inconsistent, header, "decoder", "consistent",
                           "inconsistent")))
        return false;
    for (uint64_t s = 0; s < count; s++)
        if (!read_state(in, c, (uint32_t)s, count, I))
            return false;
    c->count = c->states.count = (uint32_t)count;
    in->whole = true;
    const bool good =
        walk(in, c, I, header) && check_labels(in, c, I, header)
        && (c->R != NULL ? bytes_differ(in, c) : distinct_check(in, I, &c->states));
    in->whole = false;
    return good;
}

bool
graph_check(reader *in, char said[256], instance *I, const json_t *header, rounded *R)
{
    closure c = {.R = R};
    matrix_init(&c.S, I->initial.count);
    matrix_init(&c.T, I->initial.count);
    const bool good = check_all(in, &c, I, header);
    snprintf(said, 256, "%s: %u states, all different; %llu edges %s again; %s",
             R == NULL ? "finite" : "rounded, closed", c.count,
             (unsigned long long)c.count * I->nletters,
             R == NULL ? "multiplied" : "rounded",
             !I->has_group    ? "no labels"
             : c.inconsistent ? "no decoder exists"
                              : "every label right");
    closure_clear(&c);
    return good;
}
