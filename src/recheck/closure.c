/* A closed graph: every edge computed again, all states met, different, and labelled. */
#include "recheck.h"

#include <string.h>

/* ---- reading -------------------------------------------------------------------------- */

static void
read_state(reader *in, graph *g, uint32_t s, const instance *I)
{
    numbered_line(in, "state", s);
    g->next = doubled(g->next, s, I->nletters * sizeof *g->next);
    g->label = doubled(g->label, s, sizeof *g->label);
    g->queue = doubled(g->queue, s, sizeof *g->queue);
    g->at = doubled(g->at, s, sizeof *g->at);
    get_counts(in, g->next + (size_t)s * I->nletters, in->json, "next", I->nletters,
               g->count - 1);
    g->label[s] =
        g->kinds > 0 ? (uint32_t)get_count(in, in->json, "label", 0, g->kinds - 1) : 0;
    g->at[s] = UINT64_MAX;
}

/* ---- the walk ------------------------------------------------------------------------- */

static void
define(graph *g, uint32_t s)
{
    g->at[s] = g->states.used;
    append(&g->states, g->packed.bytes, g->packed.used);
    g->queue[g->tail++] = s;
}

/* Is the permutation of `to` that of letter x after that of `from`?  Or does the automaton
 * go there? */
static bool
label_fits(const graph *g, const instance *I, uint32_t from, uint32_t x, uint32_t to)
{
    const size_t n = I->points;
    if (g->kinds == 0)
        return true;
    const uint16_t *a = I->image + I->letters[x].element * n;
    if (I->is_automaton)
        return a[g->label[from]] == g->label[to];
    const uint16_t *b = I->image + g->label[from] * n, *ab = I->image + g->label[to] * n;
    for (size_t i = 0; i < n; i++)
        if (ab[i] != a[b[i]])
            return false;
    return true;
}

/* The first edge into a state gives the state, all others must lead to the same. */
static void
check_edge(reader *in, graph *g, const instance *I, uint32_t from, uint32_t x)
{
    const uint32_t to = g->next[(size_t)from * I->nletters + x];
    const bool is_new = g->at[to] == UINT64_MAX;
    if (is_new)
        define(g, to);
    else
        refuse(in, !begins_with(&g->states, g->at[to], &g->packed),
               "state %u, letter %u: the exact successor is not state %u", from, x, to);
    if (label_fits(g, I, from, x, to))
        return;
    g->wrong_labels++;
    refuse(in, !g->inconsistent || is_new,
           "state %u, letter %u: the label of state %u is not the letter times the "
           "label",
           from, x, to);
}

/* The edges of state s. */
static void
expand(reader *in, graph *g, const instance *I, engine *e, uint32_t s)
{
    const uint8_t *bytes = g->states.bytes + g->at[s];
    for (piece *p = e->part; p < e->part + e->nparts; p++)
        bytes = matrix_unpack(&p->S, bytes);
    for (uint32_t x = 0; x < I->nletters; x++) {
        uint32_t said = UINT32_MAX;
        const uint32_t label = g->label[g->next[(size_t)s * I->nletters + x]];
        const char *why = e->to(e->data, x, &said);
        refuse(in, why != NULL, "state %u, letter %u: %s", s, x, why);
        g->packed.used = 0;
        for (piece *p = e->part; p < e->part + e->nparts; p++)
            matrix_pack(&g->packed, &p->T);
        check_edge(in, g, I, s, x);
        refuse(in, said != UINT32_MAX && said != label,
               "state %u, letter %u: %u is read out, the label is %u", s, x, said, label);
    }
}

static void
walk(reader *in, graph *g, const instance *I, const json_t *header, engine *e)
{
    json_t *levels = json_array();
    json_array_append_new(in->kept, levels);
    for (piece *p = e->part; p < e->part + e->nparts; p++) {
        matrix_init(&p->S, p->initial.count);
        matrix_init(&p->T, p->initial.count);
        matrix_pack(&g->packed, &p->initial);
    }
    define(g, 0);
    for (size_t i = 0; I->has_group && i < I->points; i++)
        refuse(in, I->image[g->label[0] * (size_t)I->points + i] != i,
               "the label of state 0 is not the identity");
    refuse(in, I->is_automaton && g->label[0] != I->start,
           "the label of state 0 is not the start of the automaton");
    for (uint32_t head = 0, end = 0; head < g->tail; head++) {
        if (head == end) { /* of a level */
            json_array_append_new(levels, json_integer(g->tail - end));
            end = g->tail;
        }
        expand(in, g, I, e, g->queue[head]);
    }
    for (uint32_t s = 0; s < g->count; s++)
        refuse(in, g->at[s] == UINT64_MAX, "state %u cannot be reached", s);
    expect(in, header, "levels", json_incref(levels));
}

/* ---- afterwards ----------------------------------------------------------------------- */

/* What the header says of the labels. */
static void
check_labels(reader *in, const graph *g, const json_t *header)
{
    refuse(in, g->inconsistent && g->wrong_labels == 0,
           "decoder: stated inconsistent, but every label fits");
    if (g->inconsistent || g->kinds == 0)
        return;
    uint32_t decoded = 0, least = UINT32_MAX, most = 0;
    uint32_t *count = grown(NULL, g->kinds, sizeof *count);
    memset(count, 0, g->kinds * sizeof *count);
    for (uint32_t s = 0; s < g->count; s++)
        count[g->label[s]]++;
    for (uint32_t l = 0; l < g->kinds; l++) {
        decoded += count[l] > 0;
        least = count[l] > 0 && count[l] < least ? count[l] : least;
        most = count[l] > most ? count[l] : most;
    }
    expect(in, header, "decoded", json_integer(decoded));
    expect(in, header, "states_per_element",
           json_pack("[I,I]", (json_int_t)least, (json_int_t)most));
}

/* No two states have the same bytes, and different bytes of a part are different numbers. */
static void
states_differ(reader *in, graph *g, engine *e)
{
    listed *list = grown(NULL, g->count, sizeof *list);
    for (size_t k = 0; k <= e->nparts; k++) { /* all parts together, each alone */
        for (uint32_t s = 0; s < g->count; s++) {
            const uint8_t *begin = g->states.bytes + g->at[s], *end = begin;
            for (size_t p = 0; p < (k == 0 ? e->nparts : k); p++) {
                begin = k == 0 ? begin : end;
                end = matrix_unpack(&e->part[p].S, end);
            }
            list[s] = (listed){begin, (size_t)(end - begin), s};
        }
        all_differ(in, k > 0 ? e->part[k - 1].I : NULL, "states",
                   k > 0 ? e->part[k - 1].S.count : 0, list, g->count, k > 0);
    }
    release(list);
}

void
graph_check(reader *in, graph *g, instance *I, const json_t *header, engine *e)
{
    g->count = (uint32_t)get_count(in, header, "states", 1, UINT32_MAX - 1);
    g->kinds = I->has_group ? I->order : I->points;
    g->inconsistent =
        g->kinds > 0 && get_choice(in, header, "decoder", "consistent", "inconsistent");
    for (uint32_t s = 0; s < g->count; s++)
        read_state(in, g, s, I);
    in->whole = true;
    walk(in, g, I, header, e);
    check_labels(in, g, header);
    states_differ(in, g, e);
    in->whole = false;
}

void
graph_says(char said[256], const graph *g, const instance *I, const char *what,
           const char *how)
{
    snprintf(said, 256, "%s: %u states, all different; %llu edges %s again; %s%s%s", what,
             g->count, (unsigned long long)g->count * I->nletters, how,
             g->kinds == 0     ? "no labels"
             : g->inconsistent ? "no decoder exists"
                               : "every label right",
             I->nvalues > 0 ? "; every label read out" : "",
             I->steps > 0 ? "; letters are products of steps" : "");
}

/* ---- exact states, and a read-out ------------------------------------------------------ */

/* Terms [o, s, a, b]: S[a] S[b] is added to value o (s = 1) or taken away (s = 0). */
static uint32_t *
read_terms(reader *in, uint64_t count, const instance *I)
{
    uint32_t *terms = NULL;
    for (uint32_t i = 0; i < count; i++) {
        terms = doubled(terms, i, 4 * sizeof *terms);
        uint32_t *t = terms + 4 * (size_t)i;
        numbered_line(in, "term", i);
        get_counts(in, t, in->json, "row", 4, I->rows * I->cols - 1);
        refuse(in, t[0] >= I->nvalues || t[1] > 1, "row: no such value, or no sign");
    }
    return terms;
}

/* T = the values that are read out of S; minus: d integers. */
static void
read_values(matrix *T, const matrix *S, mpz_t *minus, const uint32_t *terms, uint64_t n,
            const instance *I)
{
    const size_t d = I->degree;
    for (size_t o = 0; o < I->nvalues; o++) {
        for (const uint32_t *t = terms; t < terms + 4 * n; t += 4) {
            mpz_t *a = S->num + t[2] * d;
            for (size_t k = 0; k < d && t[1] == 0; k++)
                mpz_neg(minus[k], a[k]);
            if (t[0] == o)
                add_times(I->work, t[1] == 0 ? minus : a, S->num + t[3] * d, I);
        }
        settle(T->num + o * d, I->work, I);
    }
    mpz_mul(T->den, S->den, S->den);
    matrix_reduce(T);
}

/* Every state tells the value of its label, and the values of different elements differ. */
static void
check_readout(reader *in, graph *g, instance *I, const uint32_t *terms, uint64_t n)
{
    matrix S, T;
    mpz_t *minus = integers_new(I->degree);
    listed *values = list_packed(&I->values);
    matrix_init(&S, I->initial.count);
    matrix_init(&T, I->nvalues * I->degree);
    all_differ(in, I, "values of elements", T.count, values, I->order, false);
    for (uint32_t s = 0; s < g->count; s++) {
        matrix_unpack(&S, g->states.bytes + g->at[s]);
        read_values(&T, &S, minus, terms, n, I);
        g->packed.used = 0;
        matrix_pack(&g->packed, &T);
        refuse(in, !begins_with(&I->values.all, I->values.at[g->label[s]], &g->packed),
               "state %u: another value than that of its label is read out", s);
    }
}

static const char *
exact_to(void *data, uint32_t x, uint32_t *said)
{
    engine *e = data;
    (void)said;
    const letter *l = e->part[0].I->letters + x;
    step(&e->part[0].T, e->part[0].I, &l->linear, &l->offset, &e->part[0].S);
    return NULL;
}

void
exact_check(reader *in, graph *g, instance *I, const json_t *header)
{
    instance_read(in, I, header);
    const uint64_t n = I->nvalues > 0 ? get_count(in, header, "terms", 0, UINT32_MAX) : 0;
    const uint32_t *terms = read_terms(in, n, I);
    engine e = {.nparts = 1, .part = {{.I = I, .initial = I->initial}}, .to = exact_to};
    e.data = &e;
    graph_check(in, g, I, header, &e);
    in->whole = true;
    if (I->nvalues > 0)
        check_readout(in, g, I, terms, n);
    in->whole = false;
}

void
closure_check(reader *in, char said[256], instance *I, const json_t *header)
{
    graph g = {0};
    exact_check(in, &g, I, header);
    graph_says(said, &g, I, "finite", "multiplied");
}
