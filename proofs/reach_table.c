/* proofs/reach_table.c -- reachable sets of the constructions, row by row.
 *
 * Statement.  Each row names a system and a construction and states how many states it
 * reaches, by word length if "levels" is given, how many belong to one group element,
 * and, for "beta" and "gate", with which values of the family every letter but the
 * identity manages.
 *
 * Why the check suffices.  Each letter is a transition within the ranges of its family
 * whose expansion is the letter's matrix.  The search closes and its graph is the exact
 * one (the height bound of ckda/matmod.h, or every edge over K).  On every edge the group
 * element is multiplied by the letter; where the construction has an explicit read-out,
 * it is evaluated on every state.  So the statement holds for words of every length.
 *
 * Not shown here: that no smaller system of states exists. */
#include "checks.h"
#include "closure_rows.h"
#include "rows.h"
#include "ckda/input.h"

static ckda_truth
check_count(ckda_evidence *ev, const ckda_node *row, const char *key, uint64_t got)
{
    long want;
    if (!ckda_node_has(row, key))
        return CKDA_TRUE;
    if (ckda_node_get_long(&want, row, key, 0, 1000000000, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    return ckda_evidence_expect_long(ev, key, (long)got, want);
}

static ckda_truth
check_numbers(ckda_evidence *ev, const closure *cl, const ckda_node *row)
{
    const ckda_reach_struct *r = cl->r;
    const uint64_t per_element[2] = {r->min_per_element, r->max_per_element};
    if (!ckda_node_has(row, "states"))
        return ckda_evidence_unable(ev, "%s: a row without \"states\"", cl->system);
    ckda_truth truth = check_count(ev, row, "states", r->states);
    if (truth == CKDA_TRUE)
        truth = check_count(ev, row, "edges", r->edges);
    if (truth == CKDA_TRUE)
        truth = rows_expect_list(ev, row, "levels", r->level, r->nlevels);
    if (truth == CKDA_TRUE)
        truth = rows_expect_list(ev, row, "per_element", per_element, 2);
    return truth;
}

/* Labels on every edge, the read-out on every state. */
static ckda_truth
check_decoder(ckda_evidence *ev, const closure *cl)
{
    const ckda_reach_struct *r = cl->r;
    ckda_error err;
    uint64_t checked = 0;
    ckda_evidence_count(ev, r->edges);
    ckda_truth truth = r->decoder_consistent;
    if (truth == CKDA_FALSE) {
        ckda_evidence_fact(ev, "failed", "the letter multiplies the decoded element");
        ckda_evidence_fact(ev, "state", "%lu", (unsigned long)r->bad_state);
        ckda_evidence_fact(ev, "letter", "%u", r->bad_letter);
    } else if (truth == CKDA_UNKNOWN)
        (void)ckda_evidence_unable(ev, "%s: decoder not decided", cl->system);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "decoded elements", (long)r->decoded,
                                          (long)cl->c->G->order);
    if (truth != CKDA_TRUE || cl->c->decoder == CKDA_DECODE_WORD)
        return truth;
    ckda_error_clear(&err);
    truth = ckda_reach_check_decoder(&checked, NULL, r, cl->sys, cl->c, &err);
    ckda_evidence_count(ev, checked);
    if (truth == CKDA_FALSE)
        ckda_evidence_fact(ev, "failed", "read-out: %s", err.text);
    else if (truth == CKDA_UNKNOWN)
        (void)ckda_evidence_unable(ev, "%s: %s", cl->system, err.text);
    return truth;
}

/* ---- transitions ------------------------------------------------------------------- */

typedef struct {
    bool has_beta, has_gate;
    ckda_elem_t beta;
    ckda_elem_struct *gate;
    slong n;
} wanted;

static ckda_truth
check_letter(ckda_evidence *ev, const closure *cl, uint32_t g, const wanted *w,
             ckda_mat_t A)
{
    const ckda_field_struct *K = cl->c->K;
    const ckda_trans_struct *t = &cl->c->trans[g];
    ckda_error err;
    ckda_error_clear(&err);
    ckda_truth truth = ckda_evidence_expect(ev, ckda_trans_check(t, K, &err) == CKDA_OK,
                                            "range of the family: %s", err.text);
    if (truth != CKDA_TRUE)
        return truth;
    ckda_require(ckda_trans_matrix(A, t, K) == CKDA_OK, "ranges were checked");
    truth = ckda_evidence_expect_mat(ev, "expanded transition", A, &cl->c->matrix[g], K);
    for (slong j = 0; truth == CKDA_TRUE && g != 0 && w->has_beta && j < t->steps; j++)
        truth = ckda_evidence_expect(ev, ckda_elem_equal(&t->beta[j], w->beta, K),
                                     "beta is as stated");
    for (slong i = 0; truth == CKDA_TRUE && g != 0 && w->has_gate && i < t->n; i++)
        truth = ckda_evidence_expect(ev, ckda_elem_equal(&t->gate[i], &w->gate[i], K),
                                     "gate[%ld] is as stated", (long)i);
    return truth;
}

static ckda_status
read_wanted(wanted *w, const ckda_node *row, const closure *cl, ckda_error *err)
{
    ckda_node at;
    w->has_beta = ckda_node_has(row, "beta");
    w->has_gate = false;
    if (w->has_beta
        && (ckda_node_member(&at, row, "beta", err) != CKDA_OK
            || ckda_input_read_elem(w->beta, &at, cl->c->K, err) != CKDA_OK))
        return CKDA_E_INPUT;
    if (ckda_node_has(row, "gate")) {
        if (ckda_node_member(&at, row, "gate", err) != CKDA_OK
            || ckda_input_read_vector(&w->gate, &w->n, &at, cl->c->n, cl->c->K, err)
                   != CKDA_OK)
            return CKDA_E_INPUT;
        w->has_gate = true;
    }
    return CKDA_OK;
}

static ckda_truth
check_transitions(ckda_evidence *ev, const closure *cl, const ckda_node *row)
{
    const ckda_field_struct *K = cl->c->K;
    ckda_truth truth = CKDA_TRUE;
    ckda_mat_t A;
    wanted w;
    ckda_mat_init(A, cl->c->n, cl->c->n, K);
    ckda_elem_init(w.beta, K);
    if (read_wanted(&w, row, cl, &ev->problem) != CKDA_OK)
        truth = CKDA_UNKNOWN;
    for (uint32_t g = 0; g < cl->c->G->order && truth == CKDA_TRUE; g++)
        truth = check_letter(ev, cl, g, &w, A);
    if (w.has_gate)
        ckda_input_free_vector(w.gate, w.n, K);
    ckda_elem_clear(w.beta, K);
    ckda_mat_clear(A, K);
    return truth;
}

/* ---- rows ------------------------------------------------------------------------- */

/* claim->more: letters of the last row. */
static ckda_truth
check_row(ckda_evidence *ev, const closure *cl, const ckda_node *row,
          closure_claim *claim)
{
    claim->more = cl->sys->nletters;
    ckda_truth truth = check_transitions(ev, cl, row);
    if (truth == CKDA_TRUE)
        truth = check_numbers(ev, cl, row);
    return truth == CKDA_TRUE ? check_decoder(ev, cl) : truth;
}

ckda_truth
ckda_check_reach_table(ckda_evidence *ev, const ckda_node *in)
{
    static const char *const known[] = {"system", "construction", "states", "edges",
                                        "levels", "per_element",  "beta",   "gate"};
    closure_claim claim = {known, sizeof known / sizeof known[0], .check = check_row};
    const ckda_truth truth = closure_rows(&claim, ev, in);
    if (claim.rows == 1)
        ckda_evidence_scope(ev, "%lu states x %lu letters, decoder right on %lu edges",
                            (unsigned long)claim.states, (unsigned long)claim.more,
                            (unsigned long)claim.edges);
    else
        ckda_evidence_scope(ev, "%zu systems, %lu states, decoder right on %lu edges",
                            claim.rows, (unsigned long)claim.states,
                            (unsigned long)claim.edges);
    return truth;
}
