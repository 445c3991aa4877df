/* Memory, assignment, special matrices. */
#include "mat_internal.h"

void
ckda_mat_init(ckda_mat_t A, slong rows, slong cols, const ckda_field_t K)
{
    ckda_require(rows >= 0 && cols >= 0, "%ld x %ld", (long)rows, (long)cols);
    ckda_require(cols == 0 || rows <= WORD_MAX / 64 / cols, "%ld x %ld", (long)rows,
                 (long)cols);
    A->entry = ckda_elem_vec_new(rows * cols, K);
    A->rows = rows;
    A->cols = cols;
}

void
ckda_mat_init_set(ckda_mat_t A, const ckda_mat_t B, const ckda_field_t K)
{
    ckda_mat_init(A, B->rows, B->cols, K);
    for (slong i = 0; i < B->rows * B->cols; i++)
        ckda_elem_set(A->entry + i, B->entry + i, K);
}

void
ckda_mat_clear(ckda_mat_t A, const ckda_field_t K)
{
    ckda_elem_vec_free(A->entry, A->rows * A->cols, K);
    A->entry = NULL;
    A->rows = A->cols = 0;
}

void
ckda_mat_swap(ckda_mat_t A, ckda_mat_t B)
{
    ckda_mat_struct t = *A;
    *A = *B;
    *B = t;
}

ckda_status
ckda_mat_set(ckda_mat_t A, const ckda_mat_t B, const ckda_field_t K)
{
    if (A->rows != B->rows || A->cols != B->cols)
        return CKDA_E_SHAPE;
    if (A != B)
        for (slong i = 0; i < A->rows * A->cols; i++)
            ckda_elem_set(A->entry + i, B->entry + i, K);
    return CKDA_OK;
}

void
ckda_mat_zero(ckda_mat_t A, const ckda_field_t K)
{
    for (slong i = 0; i < A->rows * A->cols; i++)
        ckda_elem_zero(A->entry + i, K);
}

ckda_status
ckda_mat_one(ckda_mat_t A, const ckda_field_t K)
{
    if (A->rows != A->cols)
        return CKDA_E_SHAPE;
    ckda_mat_zero(A, K);
    for (slong i = 0; i < A->rows; i++)
        ckda_elem_one(E(A, i, i), K);
    return CKDA_OK;
}

static void
require_index(const ckda_mat_t A, slong i, slong j)
{
    ckda_require(0 <= i && i < A->rows && 0 <= j && j < A->cols,
                 "(%ld, %ld) in %ld x %ld", (long)i, (long)j, (long)A->rows,
                 (long)A->cols);
}

void
ckda_mat_set_entry_si(ckda_mat_t A, slong i, slong j, slong v, const ckda_field_t K)
{
    require_index(A, i, j);
    ckda_elem_set_si(E(A, i, j), v, K);
}

void
ckda_mat_set_entry_frac(ckda_mat_t A, slong i, slong j, slong p, slong q,
                        const ckda_field_t K)
{
    require_index(A, i, j);
    ckda_elem_set_frac(E(A, i, j), p, q, K);
}

void
ckda_mat_set_si(ckda_mat_t A, const slong *v, slong den, const ckda_field_t K)
{
    for (slong i = 0; i < A->rows * A->cols; i++)
        ckda_elem_set_frac(A->entry + i, v[i], den, K);
}

ckda_status
ckda_mat_set_diag(ckda_mat_t A, const ckda_elem_struct *d, slong n, const ckda_field_t K)
{
    if (A->rows != n || A->cols != n)
        return CKDA_E_SHAPE;
    ckda_mat_t T; /* d may point into A */
    ckda_mat_init(T, n, n, K);
    for (slong i = 0; i < n; i++)
        ckda_elem_set(E(T, i, i), d + i, K);
    ckda_mat_swap(A, T);
    ckda_mat_clear(T, K);
    return CKDA_OK;
}

ckda_status
ckda_mat_set_map(ckda_mat_t A, const slong *image, slong n, const ckda_field_t K)
{
    if (A->rows != n || A->cols != n)
        return CKDA_E_SHAPE;
    for (slong j = 0; j < n; j++)
        if (image[j] < 0 || image[j] >= n)
            return CKDA_E_DOMAIN;
    ckda_mat_zero(A, K);
    for (slong j = 0; j < n; j++)
        ckda_elem_one(E(A, image[j], j), K);
    return CKDA_OK;
}

/* s = w^T w.  K is real, so s = 0 only for w = 0. */
static void
square_length(ckda_elem_t s, const ckda_elem_struct *w, slong n, const ckda_field_t K)
{
    ckda_elem_zero(s, K);
    for (slong i = 0; i < n; i++)
        ckda_elem_addmul(s, w + i, w + i, K);
}

ckda_status
ckda_mat_set_householder(ckda_mat_t A, const ckda_elem_t c, const ckda_elem_struct *w,
                         slong n, const ckda_field_t K)
{
    if (A->rows != n || A->cols != n)
        return CKDA_E_SHAPE;
    ckda_elem_t scale, f;
    ckda_elem_init(scale, K);
    ckda_elem_init(f, K);
    square_length(scale, w, n, K);
    ckda_status status = ckda_elem_div(scale, c, scale, K);
    if (status == CKDA_OK) {
        ckda_mat_t T; /* c and w may point into A */
        ckda_mat_init(T, n, n, K);
        for (slong i = 0; i < n; i++) {
            ckda_elem_one(E(T, i, i), K);
            ckda_elem_mul(f, scale, w + i, K);
            for (slong j = 0; j < n; j++)
                ckda_elem_submul(E(T, i, j), f, w + j, K);
        }
        ckda_mat_swap(A, T);
        ckda_mat_clear(T, K);
    }
    ckda_elem_clear(f, K);
    ckda_elem_clear(scale, K);
    return status;
}
