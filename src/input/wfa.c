/* Weighted automata over Q: {"wfa": {...}} and AT&T text, in and out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "input_internal.h"

/* ---- JSON ------------------------------------------------------------------------- */

/* The number reader speaks of "the field", which nobody chose here. */
static ckda_status
explain_field(ckda_status st, ckda_error *err)
{
    if (st != CKDA_OK && err != NULL
        && strstr(err->text, "number of the field") != NULL) {
        const size_t used = strlen(err->text);
        snprintf(err->text + used, sizeof err->text - used,
                 " (weights of an automaton are rational)");
    }
    return st;
}

static ckda_status
read_matrices(ckda_wfa_t A, const ckda_node *at, const ckda_field_t K, ckda_error *err)
{
    ckda_node x;
    ckda_mat_t M;
    uint32_t letter = 0;
    for (bool more = ckda_node_first(&x, at); more; more = ckda_node_next(&x)) {
        ckda_status st = check_letter_name(&x, err);
        if (st == CKDA_OK)
            st = ckda_input_read_matrix(M, &x, A->n, A->n, K, err);
        if (st != CKDA_OK)
            return st;
        ckda_mat_swap(A->matrix + letter, M);
        ckda_mat_clear(M, K);
        ckda_wfa_set_letter(A, letter++, x.key);
    }
    return CKDA_OK;
}

ckda_status
ckda_input_read_wfa(ckda_wfa_t A, const ckda_node *at, const ckda_field_t K,
                    ckda_error *err)
{
    static const char *const known[] = {"initial", "final", "matrices", "comment"};
    ckda_node initial, final, matrices;
    ckda_wfa_t new;
    size_t n = 0;
    ckda_status st = ckda_node_only(at, known, COUNT(known), err);
    if (st == CKDA_OK)
        st = ckda_node_member(&initial, at, "initial", err);
    if (st == CKDA_OK)
        st = ckda_node_size(&n, &initial, err);
    if (st == CKDA_OK && n == 0)
        st = ckda_node_fail(&initial, err, "a list of numbers, one for each state", NULL);
    if (st == CKDA_OK)
        st = ckda_node_member(&final, at, "final", err);
    if (st == CKDA_OK)
        st = ckda_node_member(&matrices, at, "matrices", err);
    if (st == CKDA_OK && json_object_size(matrices.json) == 0)
        st = ckda_node_fail(&matrices, err, "an object of named letters", NULL);
    const size_t letters = st == CKDA_OK ? json_object_size(matrices.json) : 1;
    if (st == CKDA_OK && n > CKDA_INPUT_MAX_ENTRIES / n / letters)
        st = ckda_node_fail(&matrices, err, "at most 4000000 numbers", "more");
    if (st != CKDA_OK)
        return st;
    ckda_wfa_init(new, (slong)n, (uint32_t)letters, K);
    st = read_list(new->initial->entry, &initial, new->n, K, err);
    if (st == CKDA_OK)
        st = read_list(new->final->entry, &final, new->n, K, err);
    if (st == CKDA_OK)
        st = read_matrices(new, &matrices, K, err);
    if (st == CKDA_OK)
        *A = *new;
    else
        ckda_wfa_clear(new, K);
    return explain_field(st, err);
}

/* ---- AT&T text -------------------------------------------------------------------- */

/* x += the weight, 1 if none is written. */
static ckda_status
add_weight(ckda_elem_t x, const char *weight, size_t line, const ckda_att_t T,
           const ckda_field_t K, ckda_error *err)
{
    ckda_elem_t w;
    char place[300];
    ckda_status st = CKDA_OK;
    ckda_elem_init(w, K);
    ckda_elem_one(w, K);
    if (weight != NULL)
        st = ckda_elem_set_str(w, weight, K, err);
    if (st == CKDA_OK) {
        ckda_elem_add(x, x, w, K);
    } else {
        snprintf(place, sizeof place, "%.200s: line %zu: weight", T->file, line);
        ckda_error_prefix(err, place);
    }
    ckda_elem_clear(w, K);
    return st;
}

static ckda_status
add_lines(ckda_wfa_t A, const ckda_att_t T, const ckda_field_t K, ckda_error *err)
{
    ckda_status st = CKDA_OK;
    for (size_t i = 0; i < T->narcs && st == CKDA_OK; i++) {
        const ckda_att_arc *a = &T->arc[i];
        const ckda_mat_struct *M = A->matrix + a->label;
        st = add_weight(ckda_mat_entry(M, (slong)a->to, (slong)a->from), a->weight,
                        a->line, T, K, err);
    }
    for (size_t i = 0; i < T->nfinals && st == CKDA_OK; i++) {
        const ckda_att_final *f = &T->final[i];
        st = add_weight(A->final->entry + f->state, f->weight, f->line, T, K, err);
    }
    return st;
}

ckda_status
ckda_input_att_wfa(ckda_wfa_t A, const ckda_att_t T, const ckda_field_t K,
                   ckda_error *err)
{
    ckda_wfa_t new;
    const uint32_t n = T->state.count, letters = T->label.count;
    ckda_status st = check_labels(T, err);
    if (st == CKDA_OK && (uint64_t)n > CKDA_INPUT_MAX_ENTRIES / n / letters) {
        ckda_error_set(
            err,
            "%.200s: expected matrices with at most %d entries together, found "
            "%u states and %u letters",
            T->file, CKDA_INPUT_MAX_ENTRIES, n, letters);
        st = CKDA_E_UNABLE;
    }
    if (st != CKDA_OK)
        return st;
    ckda_wfa_init(new, (slong)n, letters, K);
    for (uint32_t x = 0; x < letters; x++)
        ckda_wfa_set_letter(new, x, T->label.name[x]);
    ckda_elem_one(new->initial->entry + T->start, K);
    st = add_lines(new, T, K, err);
    if (st == CKDA_OK)
        *A = *new;
    else
        ckda_wfa_clear(new, K);
    return explain_field(st, err);
}

/* ---- writing ---------------------------------------------------------------------- */

/* The state with initial weight 1 when all others have 0, or -1. */
static slong
single_start(const ckda_wfa_t A, const ckda_field_t K)
{
    slong start = -1;
    for (slong i = 0; i < A->n; i++) {
        if (ckda_elem_is_zero(A->initial->entry + i, K))
            continue;
        if (start >= 0 || !ckda_elem_is_one(A->initial->entry + i, K))
            return -1;
        start = i;
    }
    return start;
}

static void
add_arc(ckda_att_t T, const ckda_wfa_t A, slong from, slong to, uint32_t x,
        const ckda_field_t K)
{
    char *weight = ckda_elem_str(ckda_mat_entry(A->matrix + x, to, from), K);
    ckda_att_add_arc(T, (uint32_t)from, (uint32_t)to, x, weight, 0);
    free(weight);
}

/* The loops at the start come first, zero or not: they fix the start and the order of the
 * letters.  All states are final, with weight zero if need be, so that all are mentioned.
 */
static void
add_all(ckda_att_t T, const ckda_wfa_t A, slong start, const ckda_field_t K)
{
    for (uint32_t x = 0; x < A->nletters; x++) {
        (void)ckda_att_add_label(T, A->letter[x], 0);
        add_arc(T, A, start, start, x, K);
    }
    for (slong i = 0; i < A->n; i++)
        for (slong j = 0; j < A->n; j++)
            for (uint32_t x = 0; x < A->nletters; x++)
                if ((i != start || j != start)
                    && !ckda_elem_is_zero(ckda_mat_entry(A->matrix + x, j, i), K))
                    add_arc(T, A, i, j, x, K);
    for (slong i = 0; i < A->n; i++) {
        char *weight = ckda_elem_str(A->final->entry + i, K);
        ckda_att_add_final(T, (uint32_t)i, weight, 0);
        free(weight);
    }
}

ckda_status
ckda_input_write_wfa(char **text, const ckda_wfa_t A, const ckda_field_t K,
                     ckda_error *err)
{
    ckda_att_t T;
    const slong start = single_start(A, K);
    if (start < 0) {
        ckda_error_set(err,
                       "AT&T text: expected initial weight 1 for one state and 0 for "
                       "the others, found others");
        return CKDA_E_DOMAIN;
    }
    ckda_att_init(T, "automaton");
    add_numbered_states(T, (uint32_t)A->n);
    T->start = (uint32_t)start;
    add_all(T, A, start, K);
    const ckda_status st = ckda_att_write(text, T, err);
    ckda_att_clear(T);
    return st;
}
