/* The rows of a claim's input. */
#include "rows.h"

#include "closure_rows.h"

ckda_truth
rows_each(size_t *n, ckda_evidence *ev, const ckda_node *in,
          ckda_truth (*check)(ckda_evidence *ev, const ckda_node *row, void *with),
          void *with)
{
    ckda_node rows, row;
    size_t count;
    ckda_truth truth = CKDA_TRUE;
    if (ckda_node_member(&rows, in, "rows", &ev->problem) != CKDA_OK
        || ckda_node_size(&count, &rows, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    if (count == 0)
        return ckda_evidence_unable(ev, "no rows");
    for (size_t i = 0; i < count && truth == CKDA_TRUE; i++)
        truth = ckda_node_item(&row, &rows, i, &ev->problem) == CKDA_OK
                    ? check(ev, &row, with)
                    : CKDA_UNKNOWN;
    if (n != NULL)
        *n = count;
    return truth;
}

typedef struct {
    ckda_truth (*check)(ckda_evidence *ev, const ckda_node *row);
} plain_check;

static ckda_truth
check_plainly(ckda_evidence *ev, const ckda_node *row, void *with)
{
    const plain_check *plain = with;
    return plain->check(ev, row);
}

ckda_truth
rows_check(size_t *n, ckda_evidence *ev, const ckda_node *in,
           ckda_truth (*check)(ckda_evidence *ev, const ckda_node *row))
{
    plain_check plain = {check};
    return rows_each(n, ev, in, check_plainly, &plain);
}

static ckda_truth
check_closure(ckda_evidence *ev, const ckda_node *row, void *with)
{
    closure_claim *claim = with;
    closure cl;
    if (ckda_node_only(row, claim->known, claim->nknown, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = closure_open(&cl, ev, row);
    if (truth != CKDA_TRUE)
        return truth;
    claim->rows++;
    claim->states += cl.r->states;
    claim->edges += cl.r->edges;
    truth = claim->check(ev, &cl, row, claim);
    if (truth == CKDA_FALSE)
        ckda_evidence_fact(ev, "system", "%s, %s", cl.system, cl.construction);
    closure_clear(&cl);
    return truth;
}

ckda_truth
closure_rows(closure_claim *claim, ckda_evidence *ev, const ckda_node *in)
{
    return rows_each(NULL, ev, in, check_closure, claim);
}

ckda_truth
rows_expect_list(ckda_evidence *ev, const ckda_node *row, const char *key,
                 const uint64_t *got, size_t n)
{
    ckda_node list, item;
    size_t size;
    long want;
    if (!ckda_node_has(row, key))
        return CKDA_TRUE;
    if (ckda_node_member(&list, row, key, &ev->problem) != CKDA_OK
        || ckda_node_size(&size, &list, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (size_t i = 0; i < n && i < size; i++) {
        if (ckda_node_item(&item, &list, i, &ev->problem) != CKDA_OK
            || ckda_node_long(&want, &item, 0, 1000000000, &ev->problem) != CKDA_OK)
            return CKDA_UNKNOWN;
        if (ckda_evidence_expect_long(ev, key, (long)got[i], want) == CKDA_FALSE) {
            ckda_evidence_fact(ev, "at", "%s[%zu]", key, i);
            return CKDA_FALSE;
        }
    }
    return ckda_evidence_expect(ev, n == size, "%s: %zu values, %zu stated", key, n,
                                size);
}
