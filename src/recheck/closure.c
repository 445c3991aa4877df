/* A closed graph: every edge multiplied again, all states met, different, and labelled. */
#include "recheck.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    uint32_t count;        /* states */
    uint32_t *next;        /* [state][letter] */
    uint32_t *label;       /* elements, with a group */
    uint32_t *queue, tail; /* states in the order in which they are met */
    store states;
    uint8_t *packed; /* of the state just computed */
    size_t room;
    bool consistent, inconsistent; /* what is claimed of the labels */
    uint64_t wrong_labels;
} closure;

static void
closure_clear(closure *c)
{
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
    uint64_t number, value;
    json_t *next;
    if (!next_line(in) || !get_count(in, &number, in->json, "state", UINT32_MAX)
        || !get_array(in, &next, in->json, "next", I->nletters))
        return false;
    if (number != s)
        return refuse(in, "state: expected number %u, found %llu", s,
                      (unsigned long long)number);
    if ((s & (s - 1)) == 0) { /* doubles */
        const size_t room = 2 * (size_t)s + 1;
        c->next = grown(c->next, room * I->nletters, sizeof *c->next);
        c->label = grown(c->label, room, sizeof *c->label);
        c->queue = grown(c->queue, room, sizeof *c->queue);
        c->states.at = grown(c->states.at, room, sizeof *c->states.at);
    }
    for (size_t x = 0; x < I->nletters; x++) {
        if (!as_count(in, &value, json_array_get(next, x), "next", x, count - 1))
            return false;
        c->next[(size_t)s * I->nletters + x] = (uint32_t)value;
    }
    c->states.at[s] = UINT64_MAX;
    if (!I->has_group)
        return true;
    if (!get_count(in, &value, in->json, "label", I->order - 1))
        return false;
    c->label[s] = (uint32_t)value;
    return true;
}

static bool
read_decoder(reader *in, closure *c, const instance *I, const json_t *header)
{
    const char *decoder;
    if (!I->has_group)
        return true;
    if (!get_text(in, &decoder, header, "decoder"))
        return false;
    c->consistent = strcmp(decoder, "consistent") == 0;
    c->inconsistent = strcmp(decoder, "inconsistent") == 0;
    return c->consistent || c->inconsistent
           || refuse(in, "decoder: expected \"consistent\" or \"inconsistent\"");
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

/* Packed forms end themselves: equal in `size` bytes means equal. */
static bool
is_state(const closure *c, uint32_t s, size_t size)
{
    const store *t = &c->states;
    return t->used - t->at[s] >= size
           && memcmp(t->bytes + t->at[s], c->packed, size) == 0;
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

/* The first edge into a state gives the state, all others must lead to the same. */
static bool
check_edge(reader *in, closure *c, const instance *I, uint32_t from, uint32_t x,
           const matrix *T)
{
    const uint32_t to = c->next[(size_t)from * I->nletters + x];
    const size_t size = matrix_pack(&c->packed, &c->room, T);
    const bool is_new = c->states.at[to] == UINT64_MAX;
    if (is_new)
        define(c, to, size);
    else if (!is_state(c, to, size))
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
    define(c, 0, matrix_pack(&c->packed, &c->room, &I->initial));
    for (size_t i = 0; I->has_group && i < I->points; i++)
        if (I->image[c->label[0] * (size_t)I->points + i] != i)
            return refuse(in, "the label of state 0 is not the identity");
    return true;
}

/* States met at distance `depth` from the start must be as many as the header says. */
static bool
check_level(reader *in, const json_t *levels, size_t depth, uint64_t got)
{
    uint64_t want = 0;
    if (depth < json_array_size(levels)
        && !as_count(in, &want, json_array_get(levels, depth), "levels", depth,
                     UINT32_MAX))
        return false;
    return got == want
           || refuse(in, "levels[%zu]: %llu states stated, %llu found", depth,
                     (unsigned long long)want, (unsigned long long)got);
}

static bool
walk_states(reader *in, closure *c, instance *I, const json_t *levels, matrix *S,
            matrix *T)
{
    size_t depth = 0;
    uint32_t begin = 0, end = 1; /* of a level */
    for (uint32_t head = 0; head < c->tail; head++) {
        if (head == end) {
            if (!check_level(in, levels, depth++, end - begin))
                return false;
            begin = end;
            end = c->tail;
        }
        const uint32_t s = c->queue[head];
        matrix_unpack(S, c->states.bytes + c->states.at[s]);
        for (uint32_t x = 0; x < I->nletters; x++) {
            step(T, I, I->letters + x, S);
            if (!check_edge(in, c, I, s, x, T))
                return false;
        }
    }
    return check_level(in, levels, depth, end - begin)
           && check_level(in, levels, depth + 1, 0);
}

static bool
walk(reader *in, closure *c, instance *I, const json_t *header)
{
    json_t *levels;
    matrix S, T;
    if (!get_array(in, &levels, header, "levels", SIZE_MAX) || !check_start(in, c, I))
        return false;
    matrix_init(&S, I->initial.count);
    matrix_init(&T, I->initial.count);
    const bool good = walk_states(in, c, I, levels, &S, &T);
    matrix_clear(&S);
    matrix_clear(&T);
    for (uint32_t s = 0; good && s < c->count; s++)
        if (c->states.at[s] == UINT64_MAX)
            return refuse(in, "state %u cannot be reached", s);
    return good;
}

/* ---- what the header says of the labels ----------------------------------------------- */

static bool
check_counts(reader *in, const closure *c, const instance *I, const json_t *header)
{
    uint64_t decoded, least, most, found = 0, low = UINT64_MAX, high = 0;
    json_t *range;
    if (!get_count(in, &decoded, header, "decoded", UINT32_MAX)
        || !get_array(in, &range, header, "states_per_element", 2)
        || !as_count(in, &least, json_array_get(range, 0), "states_per_element", 0,
                     UINT32_MAX)
        || !as_count(in, &most, json_array_get(range, 1), "states_per_element", 1,
                     UINT32_MAX))
        return false;
    uint32_t *count = calloc(I->order, sizeof *count);
    if (count == NULL)
        return refuse(in, "out of memory");
    for (uint32_t s = 0; s < c->count; s++)
        count[c->label[s]]++;
    for (uint32_t g = 0; g < I->order; g++) {
        if (count[g] == 0)
            continue;
        found++;
        low = count[g] < low ? count[g] : low;
        high = count[g] > high ? count[g] : high;
    }
    free(count);
    if (found != decoded)
        return refuse(in, "decoded: %llu elements stated, %llu found",
                      (unsigned long long)decoded, (unsigned long long)found);
    return (low == least && high == most)
           || refuse(in, "states_per_element: %llu to %llu stated, %llu to %llu found",
                     (unsigned long long)least, (unsigned long long)most,
                     (unsigned long long)low, (unsigned long long)high);
}

static bool
check_labels(reader *in, const closure *c, const instance *I, const json_t *header)
{
    if (c->consistent)
        return check_counts(in, c, I, header);
    return !c->inconsistent || c->wrong_labels > 0
           || refuse(in, "decoder: stated inconsistent, but every label fits");
}

static bool
check_all(reader *in, closure *c, instance *I, const json_t *header)
{
    uint64_t count;
    if (!get_count(in, &count, header, "states", UINT32_MAX - 1)
        || (count == 0 && !refuse(in, "states: there is always the initial state"))
        || !read_decoder(in, c, I, header))
        return false;
    for (uint64_t s = 0; s < count; s++)
        if (!read_state(in, c, (uint32_t)s, count, I))
            return false;
    c->count = c->states.count = (uint32_t)count;
    in->whole = true;
    const bool good = walk(in, c, I, header) && check_labels(in, c, I, header)
                      && distinct_check(in, I, &c->states);
    in->whole = false;
    return good;
}

bool
closure_check(reader *in, summary *said, instance *I, const json_t *header)
{
    closure c = {0};
    const bool good = check_all(in, &c, I, header);
    snprintf(said->text, sizeof said->text,
             "finite: %u states, all different; %llu edges multiplied again; %s", c.count,
             (unsigned long long)c.count * I->nletters,
             c.consistent     ? "every label right"
             : c.inconsistent ? "no decoder exists"
                              : "no labels");
    closure_clear(&c);
    return good;
}
