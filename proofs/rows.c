/* The rows of a claim's input. */
#include "rows.h"

ckda_truth
rows_check(size_t *n, ckda_evidence *ev, const ckda_node *in,
           ckda_truth (*check)(ckda_evidence *ev, const ckda_node *row))
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
        truth = ckda_node_item(&row, &rows, i, &ev->problem) == CKDA_OK ? check(ev, &row)
                                                                        : CKDA_UNKNOWN;
    if (n != NULL)
        *n = count;
    return truth;
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
