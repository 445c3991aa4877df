/* {"affine": {"initial": [[...]], "letters": {"a": {"matrix": [[...]], "offset":
 * [[...]]}}}} */
#include <string.h>
#include "input_internal.h"

/* One letter; *given says whether it has an offset (zero otherwise). */
static ckda_status
read_letter(ckda_mat_t linear, ckda_mat_t offset, bool *given, const ckda_node *at,
            const ckda_input_t in, ckda_error *err)
{
    static const char *const known[] = {"matrix", "offset", "comment"};
    const slong n = in->initial->rows, m = in->initial->cols;
    ckda_node node;
    ckda_status st = check_letter_name(at, err);
    if (st == CKDA_OK)
        st = ckda_node_only(at, known, COUNT(known), err);
    if (st == CKDA_OK)
        st = ckda_node_member(&node, at, "matrix", err);
    if (st == CKDA_OK)
        st = ckda_input_read_matrix(linear, &node, n, n, in->K, err);
    if (st != CKDA_OK)
        return st;
    *given = ckda_node_has(at, "offset");
    if (!*given) {
        ckda_mat_init(offset, n, m, in->K);
        return CKDA_OK;
    }
    st = ckda_node_member(&node, at, "offset", err);
    if (st == CKDA_OK)
        st = ckda_input_read_matrix(offset, &node, n, m, in->K, err);
    if (st != CKDA_OK)
        ckda_mat_clear(linear, in->K);
    return st;
}

static ckda_status
read_letters(ckda_input_t in, const ckda_node *at, ckda_error *err)
{
    ckda_node a;
    bool any = false, given = false;
    const size_t size = json_object_size(at->json);
    if (size == 0)
        return ckda_node_fail(at, err, "an object of named letters", NULL);
    in->letter = flint_malloc(size * sizeof *in->letter);
    in->linear = flint_malloc(size * sizeof *in->linear);
    in->offset = flint_malloc(size * sizeof *in->offset);
    for (bool more = ckda_node_first(&a, at); more; more = ckda_node_next(&a)) {
        const uint32_t k = in->nletters;
        const ckda_status st =
            read_letter(in->linear + k, in->offset + k, &given, &a, in, err);
        if (st != CKDA_OK)
            return st; /* what was read so far belongs to in, which the caller clears */
        const size_t len = strlen(a.key) + 1;
        in->letter[k] = memcpy(flint_malloc(len), a.key, len);
        in->nletters++;
        any = any || given;
    }
    if (!any) {
        for (uint32_t k = 0; k < in->nletters; k++)
            ckda_mat_clear(in->offset + k, in->K);
        flint_free(in->offset);
        in->offset = NULL;
    }
    return CKDA_OK;
}

ckda_status
read_affine(ckda_input_t in, const ckda_node *at, ckda_error *err)
{
    static const char *const known[] = {"initial", "letters", "comment"};
    ckda_node node;
    ckda_mat_t S;
    ckda_status st = ckda_node_only(at, known, COUNT(known), err);
    if (st == CKDA_OK)
        st = ckda_node_member(&node, at, "initial", err);
    if (st == CKDA_OK)
        st = ckda_input_read_matrix(S, &node, -1, -1, in->K, err);
    if (st != CKDA_OK)
        return st;
    ckda_mat_swap(in->initial, S);
    ckda_mat_clear(S, in->K);
    in->n = in->initial->rows;
    st = ckda_node_member(&node, at, "letters", err);
    return st != CKDA_OK ? st : read_letters(in, &node, err);
}
