/* proofs/lemma11.c -- Lemma 11 on concrete tables of transitions.
 *
 * Statement.  If the reachable set R of orthogonal letters A_h is finite and p: R -> G
 * with p(I) = e and p(A_h S) = h p(S) exists, then R is the group that the letters
 * generate, p is a homomorphism onto G with |R| / |G| states in its kernel, and p is one
 * to one iff h -> A_h is a representation.
 *
 * Why the check suffices.  R is closed and exact by its height bound; p is read off the
 * first word that reaches a state and compared on every edge.  Every state has an inverse
 * in R (found and multiplied), so R, closed under products of letters, is a group.
 * p(QS) = p(Q)p(S) for letters Q and all S gives it for all Q, as every state is a
 * product of letters.
 *
 * Not shown here: the lemma for all tables, which is a human argument. */
#include "checks.h"
#include "closure_rows.h"

/* A_hk = A_h A_k for all h, k? */
static bool
is_representation(const closure *cl)
{
    const ckda_group_struct *G = cl->c->G;
    for (uint32_t h = 0; h < G->order; h++)
        for (uint32_t k = 0; k < G->order; k++)
            if (closure_product(cl, closure_letter(cl, h), closure_letter(cl, k))
                != closure_letter(cl, ckda_group_mul(G, h, k)))
                return false;
    return true;
}

static ckda_truth
check_inverses(ckda_evidence *ev, const closure *cl)
{
    for (uint32_t s = 0; s < cl->r->states; s++) {
        const uint32_t t = closure_inverse(cl, s);
        if (ckda_evidence_expect(
                ev, closure_product(cl, s, t) == 0 && closure_product(cl, t, s) == 0,
                "state %u has an inverse", s)
            != CKDA_TRUE)
            return CKDA_FALSE;
    }
    return CKDA_TRUE;
}

static ckda_truth
check_map(ckda_evidence *ev, const closure *cl, long kernel, bool realization)
{
    const ckda_reach_struct *r = cl->r;
    const long order = (long)cl->c->G->order;
    long in_kernel = 0;
    for (uint64_t s = 0; s < r->states; s++)
        in_kernel += r->label[s] == 0;
    ckda_evidence_count(ev, r->edges);
    if (r->decoder_consistent == CKDA_UNKNOWN)
        return ckda_evidence_unable(ev, "%s: decoder not decided", cl->system);
    ckda_truth truth = ckda_evidence_expect(ev, r->decoder_consistent == CKDA_TRUE,
                                            "p(A_h S) = h p(S) on every edge");
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "values of p", (long)r->decoded, order);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "states in the kernel", in_kernel, kernel);
    if (truth == CKDA_TRUE)
        truth =
            ckda_evidence_expect_long(ev, "states", (long)r->states, in_kernel * order);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect(ev, (in_kernel == 1) == is_representation(cl),
                                     "p is one to one iff A_hk = A_h A_k");
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect(ev, (in_kernel == 1) == realization,
                                     "whether p is one to one");
    ckda_evidence_count(ev, (uint64_t)order * (uint64_t)order);
    return truth;
}

static ckda_truth
check_table(ckda_evidence *ev, const closure *cl, const ckda_node *row,
            closure_claim *claim)
{
    ckda_node at;
    long kernel;
    bool realization;
    ckda_error *err = &ev->problem;
    (void)claim;
    if (ckda_node_get_long(&kernel, row, "kernel", 1, 1000000, err) != CKDA_OK
        || ckda_node_member(&at, row, "realization", err) != CKDA_OK
        || ckda_node_bool(&realization, &at, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    const ckda_truth truth = check_map(ev, cl, kernel, realization);
    return truth == CKDA_TRUE ? check_inverses(ev, cl) : truth;
}

ckda_truth
ckda_check_tracker_group(ckda_evidence *ev, const ckda_node *in)
{
    static const char *const known[] = {"system", "construction", "kernel",
                                        "realization"};
    closure_claim claim = {known, sizeof known / sizeof known[0], .check = check_table};
    const ckda_truth truth = closure_rows(&claim, ev, in);
    ckda_evidence_weaken(ev, CKDA_CERTIFICATE);
    ckda_evidence_scope(ev, "%zu tables, %lu states with their inverses", claim.rows,
                        (unsigned long)claim.states);
    return truth;
}
