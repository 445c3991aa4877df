/* proofs/lemma12.c -- one unit query tells all states apart.
 *
 * Statement.  For the rational unit vector q of each row the number of states S with
 * S q = q is as stated; if it is 1, then S -> S^T q is one to one on the states, and the
 * least squared distance of two outputs is the stated one.
 *
 * Why the check suffices.  The states are finitely many orthogonal matrices that form a
 * group (closed graph, exact by its height bound).  S^T q = T^T q iff (T S^T) q = q, and
 * |S^T q - T^T q|^2 = 2 - 2 q.(T S^T)q, so the stabiliser and the largest q.Sq < 1
 * decide. Each S q is recomputed exactly along the first word that reaches S.
 *
 * Not shown here: that every finite group has such a query (a generic point; human). */
#include "checks.h"
#include "closure_rows.h"
#include "ckda/input.h"

static void
dot(ckda_elem_t d, const ckda_elem_struct *a, const ckda_elem_struct *b, slong n,
    const ckda_field_t K)
{
    ckda_elem_zero(d, K);
    for (slong i = 0; i < n; i++)
        ckda_elem_addmul(d, a + i, b + i, K);
}

/* How many states fix q, and 2 - 2 max q.Sq over the others (4 if there are none). */
static long
stabiliser(ckda_elem_t separation, const closure *cl, const ckda_elem_struct *q)
{
    const ckda_field_struct *K = cl->c->K;
    const slong n = cl->c->n;
    ckda_elem_t d, most;
    long fixed = 0;
    ckda_elem_struct *v = closure_images(cl, q);
    ckda_elem_init(d, K);
    ckda_elem_init(most, K);
    ckda_elem_set_si(most, -1, K);
    for (size_t s = 0; s < cl->r->states; s++) {
        const ckda_elem_struct *x = v + s * (size_t)n;
        bool fixes = true;
        for (slong i = 0; i < n; i++)
            fixes = fixes && ckda_elem_equal(x + i, q + i, K);
        dot(d, q, x, n, K);
        if (fixes)
            fixed++;
        else if (ckda_elem_cmp(d, most, K) > 0)
            ckda_elem_set(most, d, K);
    }
    ckda_elem_mul_si(most, most, -2, K);
    ckda_elem_set_si(separation, 2, K);
    ckda_elem_add(separation, separation, most, K);
    ckda_elem_clear(most, K);
    ckda_elem_clear(d, K);
    closure_free_images(v, cl);
    return fixed;
}

static ckda_truth
check_separation(ckda_evidence *ev, const ckda_node *item, const ckda_elem_t got,
                 const ckda_field_t K)
{
    ckda_node at;
    ckda_elem_t want;
    ckda_truth truth = CKDA_UNKNOWN;
    if (!ckda_node_has(item, "separation"))
        return CKDA_TRUE;
    ckda_elem_init(want, K);
    if (ckda_node_member(&at, item, "separation", &ev->problem) == CKDA_OK
        && ckda_input_read_elem(want, &at, K, &ev->problem) == CKDA_OK) {
        truth = ckda_evidence_expect(ev, ckda_elem_equal(got, want, K),
                                     "the least squared distance is as stated");
        if (truth == CKDA_FALSE) {
            ckda_evidence_fact_elem(ev, "got", got, K);
            ckda_evidence_fact_elem(ev, "want", want, K);
        }
    }
    ckda_elem_clear(want, K);
    return truth;
}

static ckda_truth
decide(ckda_evidence *ev, const closure *cl, const ckda_node *item,
       const ckda_elem_struct *q, long want)
{
    const ckda_field_struct *K = cl->c->K;
    ckda_elem_t x;
    ckda_elem_init(x, K);
    dot(x, q, q, cl->c->n, K);
    ckda_truth truth =
        ckda_evidence_expect(ev, ckda_elem_is_one(x, K), "the query has length 1");
    if (truth == CKDA_TRUE) {
        const long got = stabiliser(x, cl, q);
        ckda_evidence_count(ev, cl->r->states);
        truth = ckda_evidence_expect_long(ev, "states that fix the query", got, want);
    }
    if (truth == CKDA_TRUE)
        truth = check_separation(ev, item, x, K);
    ckda_elem_clear(x, K);
    return truth;
}

static ckda_truth
check_query(ckda_evidence *ev, const closure *cl, const ckda_node *item)
{
    ckda_node at;
    ckda_elem_struct *q;
    slong n;
    long want = 1;
    ckda_error *err = &ev->problem;
    if ((ckda_node_has(item, "fixed")
         && ckda_node_get_long(&want, item, "fixed", 1, 1000000, err) != CKDA_OK)
        || ckda_node_member(&at, item, "query", err) != CKDA_OK
        || ckda_input_read_vector(&q, &n, &at, cl->c->n, cl->c->K, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = decide(ev, cl, item, q, want);
    if (truth == CKDA_FALSE)
        for (slong i = 0; i < n; i++)
            ckda_evidence_fact_elem(ev, "query", q + i, cl->c->K);
    ckda_input_free_vector(q, n, cl->c->K);
    return truth;
}

/* claim->more: states that were compared. */
static ckda_truth
check_row(ckda_evidence *ev, const closure *cl, const ckda_node *row,
          closure_claim *claim)
{
    ckda_node list, item;
    size_t n;
    ckda_truth truth = CKDA_TRUE;
    if (ckda_node_member(&list, row, "queries", &ev->problem) != CKDA_OK
        || ckda_node_size(&n, &list, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (size_t i = 0; i < n && truth == CKDA_TRUE; i++) {
        truth = CKDA_UNKNOWN;
        if (ckda_node_item(&item, &list, i, &ev->problem) == CKDA_OK)
            truth = check_query(ev, cl, &item);
        claim->more += cl->r->states;
    }
    return truth;
}

ckda_truth
ckda_check_query_separation(ckda_evidence *ev, const ckda_node *in)
{
    static const char *const known[] = {"system", "construction", "queries"};
    closure_claim claim = {known, sizeof known / sizeof known[0], .check = check_row};
    const ckda_truth truth = closure_rows(&claim, ev, in);
    ckda_evidence_weaken(ev, CKDA_CERTIFICATE);
    ckda_evidence_scope(ev, "%zu systems, q.Sq for %lu states", claim.rows,
                        (unsigned long)claim.more);
    return truth;
}
