/* Several heads as one system in diagonal blocks. */
#include <string.h>
#include "reduce_internal.h"

static ckda_status
check_heads(const ckda_heads *heads, ckda_error *err)
{
    const ckda_system_struct *h = heads->head;
    if (heads->nheads == 0) {
        ckda_error_set(err, "expected at least one head, found none");
        return CKDA_E_SHAPE;
    }
    for (uint32_t k = 0; k < heads->nheads; k++) {
        const slong n = h[k].initial->rows, m = h[k].initial->cols;
        bool fits = h[k].nletters == h->nletters && h[k].K == h->K && n > 0 && m > 0;
        for (uint32_t x = 0; x < h->nletters && fits; x++)
            fits = h[k].linear[x].rows == n && h[k].linear[x].cols == n
                   && (h[k].offset == NULL
                       || (h[k].offset[x].rows == n && h[k].offset[x].cols == m));
        if (!fits) {
            ckda_error_set(err,
                           "head %u: expected the field and the letters of the first, "
                           "matrices n x n, offsets and states n x m",
                           k + 1);
            return CKDA_E_SHAPE;
        }
    }
    return CKDA_OK;
}

/* The block with its first entry at (row, 0 or row). */
static void
put_block(ckda_mat_t A, slong row, slong col, const ckda_mat_t B, const ckda_field_t K)
{
    for (slong i = 0; i < B->rows; i++)
        for (slong j = 0; j < B->cols; j++)
            ckda_elem_set(ckda_mat_entry(A, row + i, col + j), ckda_mat_entry(B, i, j),
                          K);
}

static void
put_letters(ckda_joint_t J, const ckda_heads *heads)
{
    const ckda_field_struct *K = J->sys->K;
    const slong n = J->sys->initial->rows, m = J->sys->initial->cols;
    for (uint32_t x = 0; x < J->sys->nletters; x++) {
        ckda_mat_init(J->linear + x, n, n, K);
        ckda_mat_init(J->offset + x, n, m, K);
        for (uint32_t k = 0; k < J->nheads; k++) {
            const ckda_system_struct *h = heads->head + k;
            put_block(J->linear + x, J->row[k], J->row[k], h->linear + x, K);
            if (h->offset != NULL)
                put_block(J->offset + x, J->row[k], 0, h->offset + x, K);
        }
    }
}

ckda_status
ckda_joint_init(ckda_joint_t J, const ckda_heads *heads, ckda_error *err)
{
    slong n = 0, m = 0;
    const ckda_status st = check_heads(heads, err);
    if (st != CKDA_OK)
        return st;
    memset(J, 0, sizeof *J);
    const ckda_system_struct *h = heads->head;
    J->nheads = heads->nheads;
    J->row = flint_malloc((J->nheads + 1) * sizeof *J->row);
    for (uint32_t k = 0; k < J->nheads; k++) {
        J->row[k] = n;
        n += h[k].initial->rows;
        m = FLINT_MAX(m, h[k].initial->cols);
    }
    J->row[J->nheads] = n;
    J->sys->K = h->K;
    J->sys->nletters = h->nletters;
    J->sys->G = h->G;
    J->sys->letter_element = h->letter_element;
    ckda_mat_init(J->sys->initial, n, m, h->K);
    for (uint32_t k = 0; k < J->nheads; k++)
        put_block(J->sys->initial, J->row[k], 0, h[k].initial, h->K);
    J->linear = flint_malloc((h->nletters + 1) * sizeof *J->linear);
    J->offset = flint_malloc((h->nletters + 1) * sizeof *J->offset);
    put_letters(J, heads);
    J->sys->linear = J->linear;
    J->sys->offset = J->offset;
    return CKDA_OK;
}

void
ckda_joint_clear(ckda_joint_t J)
{
    const ckda_field_struct *K = J->sys->K;
    for (uint32_t x = 0; x < J->sys->nletters; x++) {
        ckda_mat_clear(J->linear + x, K);
        ckda_mat_clear(J->offset + x, K);
    }
    flint_free(J->linear);
    flint_free(J->offset);
    flint_free(J->row);
    ckda_mat_clear(J->sys->initial, K);
}
