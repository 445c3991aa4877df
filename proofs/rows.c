/* The loop over the rows of a claim's input. */
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
