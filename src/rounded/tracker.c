/* The exact states of a tracker.
 *
 * ckda_reach_run gives the graph and proves it.  Exact entries come from columns: column j
 * of the state A_x S is A_x times column j of S, so the few distinct columns and the table
 * how letters move them give every state by lookup along parent and via.
 *
 * The states are a finite set of invertible matrices that is closed under products (it is
 * the monoid that the letters generate), hence a group, and of orthogonal matrices since
 * every letter is checked to be one.  element(A_x S) = x element(S) on every edge makes
 * `element` a homomorphism of it.  So |S - S'|_F = |I - S^-1 S'|_F, S^-1 S' is a state,
 * and its element differs from 1 exactly when those of S and S' differ: the least distance
 * is a minimum over single states, of |I - S|_F^2 = 2 (n - tr S). */
#include "tracker_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ckda/ranks.h"
#include "ckda/reach.h"

/* ---- letters --------------------------------------------------------------------- */

static void
set_letters(ckda_tracker_t t)
{
    const ckda_construction_struct *c = t->c;
    t->n = c->n;
    t->element_of_letter = flint_malloc(c->G->order * sizeof *t->element_of_letter);
    t->letter_name = flint_calloc(c->G->order, sizeof *t->letter_name);
    for (uint32_t g = 0; g < c->G->order; g++) {
        if (c->trans[g].n == 0)
            continue;
        t->letter_name[t->nletters] = ckda_perm_str(&c->G->element[g]);
        t->element_of_letter[t->nletters++] = g;
    }
}

static ckda_status
check_letters(const ckda_tracker_t t, ckda_error *err)
{
    if (t->nletters == 0) {
        ckda_error_set(err, "%s %s: no element has a transition", t->c->G->name,
                       t->c->name);
        return CKDA_E_DOMAIN;
    }
    for (uint32_t l = 0; l < t->nletters; l++)
        if (!ckda_mat_is_orthogonal(NULL, letter_matrix(t, l), t->c->K)) {
            ckda_error_set(err, "%s %s: the transition of %s is not orthogonal",
                           t->c->G->name, t->c->name, t->letter_name[l]);
            return CKDA_E_DOMAIN;
        }
    return CKDA_OK;
}

int64_t
ckda_tracker_letter(const ckda_tracker_t t, uint32_t element)
{
    uint32_t low = 0, high = t->nletters;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (t->element_of_letter[middle] < element)
            low = middle + 1;
        else
            high = middle;
    }
    const bool found = low < t->nletters && t->element_of_letter[low] == element;
    return found ? (int64_t)low : -1;
}

/* ---- the graph ------------------------------------------------------------------- */

/* The letters as a system; it borrows matrices and the group from t. */
static void
open_system(ckda_system_t sys, ckda_mat_struct **letters, const ckda_tracker_t t)
{
    *letters = flint_malloc(t->nletters * sizeof **letters);
    for (uint32_t l = 0; l < t->nletters; l++)
        (*letters)[l] = *letter_matrix(t, l);
    *sys = (ckda_system_struct){.K = t->c->K,
                                .nletters = t->nletters,
                                .linear = *letters,
                                .G = t->c->G,
                                .letter_element = t->element_of_letter};
    ckda_mat_init(sys->initial, t->n, t->n, t->c->K);
    const ckda_status st = ckda_mat_one(sys->initial, t->c->K);
    ckda_require(st == CKDA_OK, "square");
}

/* What the tables of this many states will take, roughly and not too little. */
static double
table_bytes(const ckda_tracker_t t, double states)
{
    const double entries = (double)(t->n * t->n);
    const double elem = (double)sizeof(ckda_elem_struct) + 16.0 * (double)t->c->K->degree;
    return states * (entries * (elem + sizeof(double)) + 4.0 * (double)t->n);
}

static ckda_status
judge_graph(const ckda_tracker_t t, const ckda_reach_t r, const ckda_limits *limits,
            ckda_error *err)
{
    const char *system = t->c->G->name, *by = t->c->name;
    if (r->finite == CKDA_FALSE) {
        ckda_error_set(err, "%s %s: infinitely many states: %s", system, by,
                       r->exactness);
        return CKDA_E_DOMAIN;
    }
    if (r->finite != CKDA_TRUE) {
        ckda_error_set(err, "%s %s: stopped by the limit on %s after %lu states", system,
                       by, r->limit, (unsigned long)r->states);
        return CKDA_E_UNABLE;
    }
    if (r->decoder_consistent != CKDA_TRUE) {
        ckda_error_set(err, "%s %s: a state stands for the elements %u and %u", system,
                       by, r->bad_want, r->bad_got);
        return CKDA_E_DOMAIN;
    }
    const double bytes = table_bytes(t, (double)r->states);
    if (limits != NULL && limits->max_bytes > 0 && bytes > (double)limits->max_bytes) {
        ckda_error_set(err, "%s %s: the table of %lu states needs %.0f bytes of %lu",
                       system, by, (unsigned long)r->states, bytes,
                       (unsigned long)limits->max_bytes);
        return CKDA_E_UNABLE;
    }
    return CKDA_OK;
}

/* ---- exact entries --------------------------------------------------------------- */

/* state = the matrix of its columns. */
static void
set_state(ckda_mat_t state, const uint32_t *column, const column_table *columns,
          const ckda_field_t K)
{
    for (slong j = 0; j < state->cols; j++)
        for (slong i = 0; i < state->rows; i++)
            ckda_elem_set(ckda_mat_entry(state, i, j), columns->at[column[j]].entry + i,
                          K);
}

static void
set_states(ckda_tracker_t t, const column_table *columns, const ckda_reach_t r)
{
    const slong n = t->n;
    t->exact = flint_malloc(t->nstates * sizeof *t->exact);
    t->value = flint_malloc(t->nstates * (size_t)(n * n) * sizeof *t->value);
    t->column_of = flint_malloc(t->nstates * (size_t)n * sizeof *t->column_of);
    for (uint32_t s = 0; s < t->nstates; s++) {
        uint32_t *own = t->column_of + (size_t)s * (size_t)n;
        const uint32_t *before = t->column_of + (size_t)r->parent[s] * (size_t)n;
        ckda_require(s == 0 || r->parent[s] < s, "states come in order of discovery");
        for (slong j = 0; j < n; j++)
            own[j] = s == 0 ? (uint32_t)j
                            : t->column_next[(size_t)before[j] * t->nletters + r->via[s]];
        ckda_mat_init(t->exact + s, n, n, t->c->K);
        set_state(t->exact + s, own, columns, t->c->K);
    }
    tracker_fill_values(t);
}

/* ---- the margin ------------------------------------------------------------------ */

/* A double not above the square root of x > 0. */
static double
root_below(const ckda_elem_t x, const ckda_field_t K)
{
    arb_t r;
    arf_t low;
    arb_init(r);
    arf_init(low);
    ckda_elem_get_arb(r, x, K, 128);
    arb_sqrt(r, r, 128);
    arb_get_lbound_arf(low, r, 128);
    const double below = arf_get_d(low, ARF_RND_DOWN);
    arf_clear(low);
    arb_clear(r);
    return below;
}

/* 2 (n - max tr S) over the states whose element is not 1. */
static void
set_margin(ckda_tracker_t t)
{
    const ckda_field_struct *K = t->c->K;
    ckda_elem_t trace, most;
    bool found = false;
    ckda_elem_init(trace, K);
    ckda_elem_init(most, K);
    for (uint32_t s = 0; s < t->nstates; s++) {
        if (t->element[s] == 0)
            continue;
        ckda_elem_zero(trace, K);
        for (slong i = 0; i < t->n; i++)
            ckda_elem_add(trace, trace, ckda_mat_entry(t->exact + s, i, i), K);
        if (found
            && (ckda_elem_equal(trace, most, K) || ckda_elem_cmp(trace, most, K) < 0))
            continue;
        ckda_elem_swap(most, trace, K);
        found = true;
    }
    t->margin_low = INFINITY;
    if (found) {
        ckda_elem_set_si(trace, t->n, K);
        ckda_elem_sub(trace, trace, most, K);
        ckda_elem_mul_si(t->margin_squared, trace, 2, K);
        t->margin_low = root_below(t->margin_squared, K);
    }
    ckda_elem_clear(most, K);
    ckda_elem_clear(trace, K);
}

/* ---- init and clear -------------------------------------------------------------- */

/* Everything that follows from the certified graph, which moves into t. */
static void
take_graph(ckda_tracker_t t, ckda_reach_t r)
{
    column_table columns;
    t->nstates = (uint32_t)r->states;
    t->next = r->next;
    t->element = r->label;
    r->next = r->label = NULL;
    column_table_build(&columns, t);
    set_states(t, &columns, r);
    column_table_clear(&columns, t->c->K);
    tracker_set_places(t);
    set_margin(t);
}

ckda_status
ckda_tracker_init(ckda_tracker_t t, const char *system, const char *construction,
                  const ckda_limits *limits, ckda_error *err)
{
    ckda_construction_t c;
    const ckda_status st = ckda_construct_partial(c, system, construction, err);
    return st == CKDA_OK ? ckda_tracker_init_construction(t, c, limits, err) : st;
}

ckda_status
ckda_tracker_init_construction(ckda_tracker_t t, ckda_construction_t c,
                               const ckda_limits *limits, ckda_error *err)
{
    ckda_tracker_t new = {{.nletters = 0}};
    *new->c = *c; /* nothing in it points into it */
    *c = (ckda_construction_struct){0};
    ckda_elem_init(new->margin_squared, new->c->K);
    set_letters(new);
    ckda_status st = check_letters(new, err);
    if (st == CKDA_OK) {
        ckda_system_t sys;
        ckda_reach_t r;
        ckda_mat_struct *letters;
        open_system(sys, &letters, new);
        ckda_ranks_suspend(); /* every process needs the whole table */
        st = ckda_reach_run(r, sys, limits, CKDA_REACH_KEEP_GRAPH, err);
        ckda_ranks_resume();
        if (st == CKDA_OK) {
            st = judge_graph(new, r, limits, err);
            if (st == CKDA_OK)
                take_graph(new, r);
            ckda_reach_clear(r);
        }
        ckda_mat_clear(sys->initial, new->c->K);
        flint_free(letters);
    }
    if (st != CKDA_OK) {
        ckda_tracker_clear(new);
        return st;
    }
    *t = *new; /* nothing in it points into it */
    return CKDA_OK;
}

void
ckda_tracker_clear(ckda_tracker_t t)
{
    for (uint32_t l = 0; l < t->nletters; l++)
        free(t->letter_name[l]);
    if (t->exact != NULL)
        for (uint32_t s = 0; s < t->nstates; s++)
            ckda_mat_clear(t->exact + s, t->c->K);
    flint_free(t->letter_name);
    flint_free(t->element_of_letter);
    flint_free(t->next);
    flint_free(t->element);
    flint_free(t->exact);
    flint_free(t->value);
    flint_free(t->column_of);
    flint_free(t->column_next);
    flint_free(t->column_value);
    flint_free(t->column_state);
    flint_free(t->column_at);
    ckda_elem_clear(t->margin_squared, t->c->K);
    ckda_construct_clear(t->c);
    memset(t, 0, sizeof *t);
}
