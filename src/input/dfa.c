/* Deterministic automata: {"dfa": {...}} and AT&T text, in and out. */
#include <stdio.h>
#include <string.h>
#include "input_internal.h"

/* ---- JSON ------------------------------------------------------------------------- */

/* The states of a list, each at most once. */
static ckda_status
read_accept(bool *accept, const ckda_node *at, uint32_t states, ckda_error *err)
{
    ckda_node item;
    size_t size = 0;
    char found[48];
    ckda_status st = ckda_node_size(&size, at, err);
    for (size_t i = 0; i < size && st == CKDA_OK; i++) {
        long q = 0;
        st = ckda_node_item(&item, at, i, err);
        if (st == CKDA_OK)
            st = ckda_node_long(&q, &item, 0, (long)states - 1, err);
        if (st == CKDA_OK && accept[q]) {
            snprintf(found, sizeof found, "%ld again", q);
            st = ckda_node_fail(&item, err, "every accepting state once", found);
        }
        if (st == CKDA_OK)
            accept[q] = true;
    }
    return st;
}

/* The column of one letter: where each state goes. */
static ckda_status
read_column(uint32_t *next, const ckda_node *at, uint32_t states, ckda_error *err)
{
    ckda_node item;
    ckda_status st = CKDA_OK;
    for (uint32_t q = 0; q < states && st == CKDA_OK; q++) {
        long to = 0;
        st = ckda_node_item(&item, at, q, err);
        if (st == CKDA_OK)
            st = ckda_node_long(&to, &item, 0, (long)states - 1, err);
        next[q] = (uint32_t)to;
    }
    return st;
}

/* Names and lengths, before anything is allocated. */
static ckda_status
check_columns(const ckda_node *at, uint32_t states, ckda_error *err)
{
    ckda_node x;
    char expected[80];
    if (json_object_size(at->json) == 0)
        return ckda_node_fail(at, err, "an object of named letters", NULL);
    for (bool more = ckda_node_first(&x, at); more; more = ckda_node_next(&x)) {
        const ckda_status st = check_letter_name(&x, err);
        if (st != CKDA_OK)
            return st;
        if (json_is_array(x.json) && json_array_size(x.json) == states)
            continue;
        snprintf(expected, sizeof expected, "a list of %u states (one for each state)",
                 states);
        return ckda_node_fail(&x, err, expected, NULL);
    }
    return CKDA_OK;
}

static ckda_status
read_columns(ckda_dfa_t A, const ckda_node *at, ckda_error *err)
{
    ckda_node x;
    ckda_status st = CKDA_OK;
    uint32_t letter = 0;
    bool more = ckda_node_first(&x, at);
    for (; more && st == CKDA_OK; more = ckda_node_next(&x)) {
        ckda_dfa_set_letter(A, letter, x.key);
        st = read_column(A->next + (size_t)letter * A->states, &x, A->states, err);
        letter++;
    }
    return st;
}

ckda_status
ckda_input_read_dfa(ckda_dfa_t A, const ckda_node *at, ckda_error *err)
{
    static const char *const known[] = {"states", "start", "accept", "transitions",
                                        "comment"};
    ckda_node accept, transitions;
    ckda_dfa_t new;
    long states = 0, start = 0;
    ckda_status st = ckda_node_only(at, known, COUNT(known), err);
    if (st == CKDA_OK)
        st = ckda_node_get_long(&states, at, "states", 1, CKDA_INPUT_MAX_ENTRIES, err);
    if (st == CKDA_OK)
        st = ckda_node_get_long(&start, at, "start", 0, states - 1, err);
    if (st == CKDA_OK)
        st = ckda_node_member(&accept, at, "accept", err);
    if (st == CKDA_OK)
        st = ckda_node_member(&transitions, at, "transitions", err);
    if (st == CKDA_OK)
        st = check_columns(&transitions, (uint32_t)states, err);
    if (st != CKDA_OK)
        return st;
    ckda_dfa_init(new, (uint32_t)states, (uint32_t)json_object_size(transitions.json));
    new->start = (uint32_t)start;
    st = read_accept(new->accept, &accept, new->states, err);
    if (st == CKDA_OK)
        st = read_columns(new, &transitions, err);
    if (st == CKDA_OK)
        *A = *new;
    else
        ckda_dfa_clear(new);
    return st;
}

/* ---- AT&T text -------------------------------------------------------------------- */

ckda_status
check_labels(const ckda_att_t T, ckda_error *err)
{
    for (uint32_t x = 0; x < T->label.count; x++) {
        if (is_letter_name(T->label.name[x]))
            continue;
        ckda_error_set(err, "%.200s: line %zu: expected as label %s, found \"%.60s\"",
                       T->file, T->label.line[x], letter_name_rule, T->label.name[x]);
        return CKDA_E_INPUT;
    }
    return CKDA_OK;
}

/* Fills next; arc[letter * states + state] becomes 1 + the index of the transition. */
static ckda_status
place_arcs(ckda_dfa_t A, size_t *arc, const ckda_att_t T, ckda_error *err)
{
    for (size_t i = 0; i < T->narcs; i++) {
        const ckda_att_arc *a = &T->arc[i];
        const size_t cell = (size_t)a->label * A->states + a->from;
        if (arc[cell] != 0) {
            ckda_error_set(err,
                           "%.200s: line %zu: expected at most one transition from state "
                           "\"%.60s\" by \"%.60s\", found a second one (the first is in "
                           "line %zu)",
                           T->file, a->line, T->state.name[a->from],
                           T->label.name[a->label], T->arc[arc[cell] - 1].line);
            return CKDA_E_INPUT;
        }
        arc[cell] = i + 1;
        A->next[cell] = a->to;
    }
    return CKDA_OK;
}

/* Missing transitions go to the state `dead`; without one (no state of T) the first that
 * is missing is the complaint. */
static ckda_status
fill_gaps(ckda_dfa_t A, const size_t *arc, uint32_t dead, const ckda_att_t T,
          ckda_error *err)
{
    for (uint32_t q = 0; q < T->state.count; q++)
        for (uint32_t x = 0; x < A->nletters; x++) {
            const size_t cell = (size_t)x * A->states + q;
            if (arc[cell] != 0)
                continue;
            if (dead == A->states) {
                ckda_error_set(err,
                               "%.200s: line %zu: expected transitions from state "
                               "\"%.60s\" by every letter, found none by \"%.60s\" (add "
                               "it, or ask for a dead state that takes what is missing)",
                               T->file, T->state.line[q], T->state.name[q],
                               T->label.name[x]);
                return CKDA_E_INPUT;
            }
            A->next[cell] = dead;
        }
    return CKDA_OK;
}

static ckda_status
check_size(const ckda_att_t T, ckda_error *err)
{
    const uint64_t cells = ((uint64_t)T->state.count + 1) * T->label.count;
    if (T->weighted) {
        ckda_error_set(err, "%.200s: expected an automaton without weights", T->file);
        return CKDA_E_INPUT;
    }
    if (cells <= CKDA_INPUT_MAX_ENTRIES)
        return CKDA_OK;
    ckda_error_set(
        err, "%.200s: expected at most %d transitions, found %u states and %u letters",
        T->file, CKDA_INPUT_MAX_ENTRIES, T->state.count, T->label.count);
    return CKDA_E_UNABLE;
}

ckda_status
ckda_input_att_dfa(ckda_dfa_t A, const ckda_att_t T, ckda_input_options options,
                   ckda_error *err)
{
    ckda_dfa_t new;
    ckda_status st = check_size(T, err);
    if (st == CKDA_OK)
        st = check_labels(T, err);
    if (st != CKDA_OK)
        return st;
    const bool gaps = T->narcs < (size_t)T->state.count * T->label.count;
    const bool extend = gaps && (options & CKDA_INPUT_DEAD_STATE) != 0;
    const uint32_t states = T->state.count + (extend ? 1 : 0);
    ckda_dfa_init(new, states, T->label.count);
    size_t *arc = flint_calloc((size_t)states * T->label.count, sizeof *arc);
    for (uint32_t x = 0; x < new->nletters; x++) {
        ckda_dfa_set_letter(new, x, T->label.name[x]);
        if (extend) /* the dead state keeps what it has */
            new->next[(size_t)x * states + states - 1] = states - 1;
    }
    new->start = T->start;
    for (size_t i = 0; i < T->nfinals; i++)
        new->accept[T->final[i].state] = true;
    st = place_arcs(new, arc, T, err);
    if (st == CKDA_OK)
        st = fill_gaps(new, arc, extend ? states - 1 : states, T, err);
    flint_free(arc);
    if (st == CKDA_OK)
        *A = *new;
    else
        ckda_dfa_clear(new);
    return st;
}

/* ---- writing ---------------------------------------------------------------------- */

void
add_numbered_states(ckda_att_t T, uint32_t states)
{
    char name[32];
    for (uint32_t q = 0; q < states; q++) {
        snprintf(name, sizeof name, "%u", q);
        (void)ckda_att_add_state(T, name, 0);
    }
}

/* The start goes first, so that it is the start and the letters keep their order. */
ckda_status
ckda_input_write_dfa(char **text, const ckda_dfa_t A, ckda_error *err)
{
    ckda_att_t T;
    ckda_att_init(T, "automaton");
    add_numbered_states(T, A->states);
    T->start = A->start;
    for (uint32_t x = 0; x < A->nletters; x++)
        (void)ckda_att_add_label(T, A->letter[x], 0);
    for (uint32_t k = 0; k < A->states; k++) {
        const uint32_t q = (A->start + k) % A->states;
        for (uint32_t x = 0; x < A->nletters; x++)
            ckda_att_add_arc(T, q, ckda_dfa_step(A, q, x), x, NULL, 0);
    }
    for (uint32_t q = 0; q < A->states; q++)
        if (A->accept[q])
            ckda_att_add_final(T, q, NULL, 0);
    const ckda_status st = ckda_att_write(text, T, err);
    ckda_att_clear(T);
    return st;
}
