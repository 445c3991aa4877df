/* Ring operations, powers, transpose, trace. */
#include "mat_internal.h"

static bool
same_shape(const ckda_mat_t A, const ckda_mat_t B)
{
    return A->rows == B->rows && A->cols == B->cols;
}

ckda_status
ckda_mat_add(ckda_mat_t C, const ckda_mat_t A, const ckda_mat_t B, const ckda_field_t K)
{
    if (!same_shape(A, B) || !same_shape(A, C))
        return CKDA_E_SHAPE;
    for (slong i = 0; i < A->rows * A->cols; i++)
        ckda_elem_add(C->entry + i, A->entry + i, B->entry + i, K);
    return CKDA_OK;
}

ckda_status
ckda_mat_sub(ckda_mat_t C, const ckda_mat_t A, const ckda_mat_t B, const ckda_field_t K)
{
    if (!same_shape(A, B) || !same_shape(A, C))
        return CKDA_E_SHAPE;
    for (slong i = 0; i < A->rows * A->cols; i++)
        ckda_elem_sub(C->entry + i, A->entry + i, B->entry + i, K);
    return CKDA_OK;
}

ckda_status
ckda_mat_neg(ckda_mat_t C, const ckda_mat_t A, const ckda_field_t K)
{
    if (!same_shape(A, C))
        return CKDA_E_SHAPE;
    for (slong i = 0; i < A->rows * A->cols; i++)
        ckda_elem_neg(C->entry + i, A->entry + i, K);
    return CKDA_OK;
}

ckda_status
ckda_mat_scalar_mul(ckda_mat_t C, const ckda_mat_t A, const ckda_elem_t c,
                    const ckda_field_t K)
{
    if (!same_shape(A, C))
        return CKDA_E_SHAPE;
    ckda_elem_t t; /* c may be an entry of C */
    ckda_elem_init(t, K);
    ckda_elem_set(t, c, K);
    for (slong i = 0; i < A->rows * A->cols; i++)
        ckda_elem_mul(C->entry + i, A->entry + i, t, K);
    ckda_elem_clear(t, K);
    return CKDA_OK;
}

ckda_status
ckda_mat_mul(ckda_mat_t C, const ckda_mat_t A, const ckda_mat_t B, const ckda_field_t K)
{
    if (A->cols != B->rows || C->rows != A->rows || C->cols != B->cols)
        return CKDA_E_SHAPE;
    ckda_mat_t T;
    ckda_mat_init(T, A->rows, B->cols, K);
    for (slong i = 0; i < A->rows; i++)
        for (slong k = 0; k < A->cols; k++) {
            if (ckda_elem_is_zero(E(A, i, k), K)) /* transitions are often sparse */
                continue;
            for (slong j = 0; j < B->cols; j++)
                ckda_elem_addmul(E(T, i, j), E(A, i, k), E(B, k, j), K);
        }
    ckda_mat_swap(C, T);
    ckda_mat_clear(T, K);
    return CKDA_OK;
}

ckda_status
ckda_mat_transpose(ckda_mat_t C, const ckda_mat_t A, const ckda_field_t K)
{
    if (C->rows != A->cols || C->cols != A->rows)
        return CKDA_E_SHAPE;
    if (C == A) {
        for (slong i = 0; i < A->rows; i++)
            for (slong j = 0; j < i; j++)
                ckda_elem_swap(E(C, i, j), E(C, j, i), K);
        return CKDA_OK;
    }
    for (slong i = 0; i < A->rows; i++)
        for (slong j = 0; j < A->cols; j++)
            ckda_elem_set(E(C, j, i), E(A, i, j), K);
    return CKDA_OK;
}

void
ckda_mat_gram(ckda_mat_t C, const ckda_mat_t A, const ckda_field_t K)
{
    for (slong i = 0; i < A->cols; i++)
        for (slong j = 0; j <= i; j++) {
            ckda_elem_zero(E(C, i, j), K);
            for (slong k = 0; k < A->rows; k++)
                ckda_elem_addmul(E(C, i, j), E(A, k, i), E(A, k, j), K);
            ckda_elem_set(E(C, j, i), E(C, i, j), K);
        }
}

static void
must(ckda_status s)
{
    ckda_require(s == CKDA_OK, "shapes were checked by the caller, got status %d",
                 (int)s);
}

ckda_status
ckda_mat_pow_ui(ckda_mat_t P, const ckda_mat_t A, ulong e, const ckda_field_t K)
{
    if (A->rows != A->cols || !same_shape(A, P))
        return CKDA_E_SHAPE;
    ckda_mat_t R, S;
    ckda_mat_init(R, A->rows, A->cols, K);
    ckda_mat_init_set(S, A, K);
    must(ckda_mat_one(R, K));
    for (; e != 0; e >>= 1) {
        if (e & 1)
            must(ckda_mat_mul(R, R, S, K));
        if (e > 1)
            must(ckda_mat_mul(S, S, S, K));
    }
    ckda_mat_swap(P, R);
    ckda_mat_clear(S, K);
    ckda_mat_clear(R, K);
    return CKDA_OK;
}

ckda_status
ckda_mat_trace(ckda_elem_t t, const ckda_mat_t A, const ckda_field_t K)
{
    if (A->rows != A->cols)
        return CKDA_E_SHAPE;
    ckda_elem_t s; /* t may be an entry of A */
    ckda_elem_init(s, K);
    for (slong i = 0; i < A->rows; i++)
        ckda_elem_add(s, s, E(A, i, i), K);
    ckda_elem_swap(t, s, K);
    ckda_elem_clear(s, K);
    return CKDA_OK;
}
