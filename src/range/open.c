/* Documents as a whole. */
#include <stdlib.h>
#include <string.h>

#include "range_internal.h"

ckda_status
ckda_range_read(ckda_range_t r, const ckda_node *at, ckda_error *err)
{
    static const char *const known[] = {"chunk", "gates", "dot", "comment"};
    ckda_range_struct result = {0};
    const char *comment = NULL;
    ckda_node node;
    int kind = -1;
    ckda_status status = ckda_node_only(at, known, 4, err);
    if (status != CKDA_OK)
        return status;
    for (int i = 0; i < 3; i++)
        if (ckda_node_has(at, known[i])) {
            if (kind >= 0)
                return ckda_node_fail(at, err, "one of \"chunk\", \"gates\", \"dot\"",
                                      "two of them");
            kind = i;
        }
    if (kind < 0)
        return ckda_node_fail(at, err, "\"chunk\", \"gates\" or \"dot\"", NULL);
    if (ckda_node_has(at, "comment"))
        status = ckda_node_get_string(&comment, at, "comment", err);
    if (status == CKDA_OK)
        status = ckda_node_member(&node, at, known[kind], err);
    if (status != CKDA_OK)
        return status;
    result.kind = (ckda_range_kind)kind;
    if (result.kind == CKDA_RANGE_CHUNK)
        status = rg_read_chunk(&result.chunk, &node, err);
    else if (result.kind == CKDA_RANGE_GATES)
        status = rg_read_gates(&result.gates, &node, err);
    else
        status = rg_read_dot(&result.dot, &node, err);
    if (status != CKDA_OK)
        return status;
    result.verdict = result.kind == CKDA_RANGE_CHUNK   ? rg_chunk_verdict(&result.chunk)
                     : result.kind == CKDA_RANGE_GATES ? rg_gates_verdict(&result.gates)
                                                       : rg_dot_verdict(&result.dot);
    result.comment = rg_copy(comment);
    *r = result;
    return CKDA_OK;
}

ckda_status
ckda_range_open(ckda_range_t r, const char *file, ckda_error *err)
{
    ckda_doc *doc = NULL;
    ckda_status status = ckda_doc_open(&doc, file, err);
    if (status != CKDA_OK)
        return status;
    const ckda_node root = ckda_doc_root(doc);
    status = ckda_range_read(r, &root, err);
    ckda_doc_close(&doc);
    return status;
}

void
ckda_range_clear(ckda_range_t r)
{
    if (r->kind == CKDA_RANGE_CHUNK)
        rg_chunk_result_clear(&r->chunk);
    else if (r->kind == CKDA_RANGE_GATES)
        rg_gates_clear(&r->gates);
    else
        rg_dot_clear(&r->dot);
    flint_free(r->comment);
}
