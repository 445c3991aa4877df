/* AT&T text and GAP lists. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "ckda/input.h"

/* ---- AT&T text -------------------------------------------------------------------------- */

static bool
same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool
same_names(const ckda_att_names *a, const ckda_att_names *b)
{
    bool same = a->count == b->count;
    for (uint32_t i = 0; same && i < a->count; i++)
        same = strcmp(a->name[i], b->name[i]) == 0;
    return same;
}

static bool
same_table(const ckda_att_struct *a, const ckda_att_struct *b)
{
    bool same = a->start == b->start && a->weighted == b->weighted && a->narcs == b->narcs
                && a->nfinals == b->nfinals && same_names(&a->state, &b->state)
                && same_names(&a->label, &b->label);
    for (size_t i = 0; same && i < a->narcs; i++)
        same = a->arc[i].from == b->arc[i].from && a->arc[i].to == b->arc[i].to
               && a->arc[i].label == b->arc[i].label
               && same_text(a->arc[i].weight, b->arc[i].weight);
    for (size_t i = 0; same && i < a->nfinals; i++)
        same = a->final[i].state == b->final[i].state
               && same_text(a->final[i].weight, b->final[i].weight);
    return same;
}

/* Final states are written behind the transitions: one that is mentioned there first, before
 * other states, gets another number. */
static bool
is_renumbered(const ckda_att_struct *T)
{
    for (size_t i = 0; i < T->nfinals; i++)
        if (T->final[i].line == T->state.line[T->final[i].state] && T->narcs > 0
            && T->final[i].line < T->arc[T->narcs - 1].line)
            return true;
    return false;
}

static void
table_again(const ckda_att_t T)
{
    ckda_error err = {""};
    ckda_att_t U;
    char *text;
    const ckda_status st = ckda_att_write(&text, T, &err);
    const bool sayable = T->narcs == 0 || T->arc[0].from == T->start;
    fuzz_check(st == (sayable ? CKDA_OK : CKDA_E_DOMAIN), "%s", err.text);
    if (st != CKDA_OK)
        return;
    fuzz_check(ckda_att_parse(U, text, strlen(text), "written", &err) == CKDA_OK,
               "%s\n%s", err.text, text);
    fuzz_check(T->narcs == U->narcs && T->nfinals == U->nfinals
                   && T->weighted == U->weighted && T->state.count == U->state.count,
               "another table:\n%s", text);
    fuzz_check(same_table(T, U) || is_renumbered(T), "another table:\n%s", text);
    ckda_att_clear(U);
    free(text);
}

/* T = the table that an automaton was written as; false: the format cannot say it. */
static bool
table_of(ckda_att_t T, const char *text, ckda_status st, ckda_error *err)
{
    fuzz_check(st == CKDA_OK || (st == CKDA_E_DOMAIN && err->text[0] != '\0'), "%s",
               err->text);
    if (st != CKDA_OK)
        return false;
    fuzz_check(ckda_att_parse(T, text, strlen(text), "written", err) == CKDA_OK, "%s\n%s",
               err->text, text);
    return true;
}

static void
dfa_again(const ckda_dfa_t A)
{
    ckda_error err = {""};
    ckda_att_t T;
    ckda_dfa_t B;
    char *text = NULL;
    const ckda_status st = ckda_input_write_dfa(&text, A, &err);
    if (!table_of(T, text, st, &err))
        return;
    fuzz_check(ckda_input_att_dfa(B, T, CKDA_INPUT_STRICT, &err) == CKDA_OK, "%s\n%s",
               err.text, text);
    fuzz_check(ckda_dfa_equal(A, B), "another automaton:\n%s", text);
    ckda_dfa_clear(B);
    ckda_att_clear(T);
    free(text);
}

static void
wfa_again(const ckda_wfa_t A, const ckda_field_t Q)
{
    ckda_error err = {""};
    ckda_att_t T;
    ckda_wfa_t B;
    char *text = NULL;
    const ckda_status st = ckda_input_write_wfa(&text, A, Q, &err);
    if (!table_of(T, text, st, &err))
        return;
    fuzz_check(ckda_input_att_wfa(B, T, Q, &err) == CKDA_OK, "%s\n%s", err.text, text);
    fuzz_check(ckda_wfa_equal(A, B, Q), "another automaton:\n%s", text);
    ckda_wfa_clear(B, Q);
    ckda_att_clear(T);
    free(text);
}

static bool
automaton_of(const ckda_att_t T, const ckda_field_t Q)
{
    ckda_error err = {""};
    ckda_dfa_t A;
    ckda_wfa_t B;
    bool ok = false;
    for (ckda_input_options o = CKDA_INPUT_STRICT; o <= CKDA_INPUT_DEAD_STATE; o++)
        if (!T->weighted
            && fuzz_read(ckda_input_att_dfa(A, T, o, &err), &err, FUZZ_NAME ": ")) {
            dfa_again(A);
            ckda_dfa_clear(A);
            ok = true;
        }
    if (T->state.count <= 64
        && fuzz_read(ckda_input_att_wfa(B, T, Q, &err), &err, FUZZ_NAME ": ")) {
        wfa_again(B, Q);
        ckda_wfa_clear(B, Q);
        ok = true;
    }
    return ok;
}

bool
fuzz_att(const uint8_t *data, size_t size)
{
    ckda_error err = {""};
    ckda_att_t T;
    ckda_field_t Q;
    char *text = fuzz_text(data, size);
    bool ok =
        fuzz_read(ckda_att_parse(T, text, size, FUZZ_NAME, &err), &err, FUZZ_NAME ": ");
    if (ok) {
        ckda_field_init_rational(Q);
        table_again(T);
        ok = automaton_of(T, Q);
        ckda_field_clear(Q);
        ckda_att_clear(T);
    }
    free(text);
    return ok;
}

/* ---- GAP lists ---------------------------------------------------------------------------- */

static long
image_of(const ckda_gap_perm *p, long i)
{
    return i < p->n ? p->image[i] : i;
}

static void
list_again(const ckda_gap_t L)
{
    ckda_error err = {""};
    ckda_gap_t M;
    char *text = ckda_gap_write(L);
    fuzz_check(ckda_gap_parse(M, text, strlen(text), "written", CKDA_PERM_MAX, &err)
                   == CKDA_OK,
               "%s\n%s", err.text, text);
    fuzz_check(L->count == M->count, "another list:\n%s", text);
    for (size_t k = 0; k < L->count; k++)
        for (long i = 0; i < CKDA_PERM_MAX; i++)
            fuzz_check(image_of(L->perm + k, i) == image_of(M->perm + k, i),
                       "another permutation:\n%s", text);
    ckda_gap_clear(M);
    free(text);
}

static bool
group_of(const ckda_gap_t L)
{
    ckda_error err = {""};
    ckda_group_t G;
    if (!fuzz_read(ckda_input_gap_group(G, L, &err), &err, ""))
        return false;
    for (size_t k = 0; k < L->count; k++)
        for (int i = 0; i < G->degree; i++)
            fuzz_check(G->element[G->generator[k]].image[i] == image_of(L->perm + k, i),
                       "generator %zu", k);
    ckda_group_clear(G);
    return true;
}

bool
fuzz_gap(const uint8_t *data, size_t size)
{
    ckda_error err = {""};
    ckda_gap_t L;
    char *text = fuzz_text(data, size);
    bool ok = fuzz_read(ckda_gap_parse(L, text, size, FUZZ_NAME, CKDA_PERM_MAX, &err),
                        &err, FUZZ_NAME ": ");
    if (ok) {
        list_again(L);
        ok = group_of(L);
        ckda_gap_clear(L);
    }
    free(text);
    return ok;
}
