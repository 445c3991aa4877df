/* Questions about matrices that are answered with yes, no or a hash. */
#include "mat_internal.h"

bool
ckda_mat_equal(ckda_index *at, const ckda_mat_t A, const ckda_mat_t B,
               const ckda_field_t K)
{
    if (A->rows != B->rows || A->cols != B->cols)
        return false;
    for (slong i = 0; i < A->rows * A->cols; i++)
        if (!ckda_elem_equal(A->entry + i, B->entry + i, K)) {
            if (at != NULL)
                *at = (ckda_index){i / A->cols, i % A->cols};
            return false;
        }
    return true;
}

bool
ckda_mat_is_zero(const ckda_mat_t A, const ckda_field_t K)
{
    for (slong i = 0; i < A->rows * A->cols; i++)
        if (!ckda_elem_is_zero(A->entry + i, K))
            return false;
    return true;
}

/* The first entry that differs from the identity, if any. */
static bool
is_one_at(ckda_index *at, const ckda_mat_t A, const ckda_field_t K)
{
    for (slong i = 0; i < A->rows; i++)
        for (slong j = 0; j < A->cols; j++) {
            const ckda_elem_struct *x = E(A, i, j);
            if (i == j ? ckda_elem_is_one(x, K) : ckda_elem_is_zero(x, K))
                continue;
            if (at != NULL)
                *at = (ckda_index){i, j};
            return false;
        }
    return true;
}

bool
ckda_mat_is_one(const ckda_mat_t A, const ckda_field_t K)
{
    return A->rows == A->cols && is_one_at(NULL, A, K);
}

bool
ckda_mat_is_diagonal(const ckda_mat_t A, const ckda_field_t K)
{
    for (slong i = 0; i < A->rows; i++)
        for (slong j = 0; j < A->cols; j++)
            if (i != j && !ckda_elem_is_zero(E(A, i, j), K))
                return false;
    return A->rows == A->cols;
}

bool
ckda_mat_is_symmetric(const ckda_mat_t A, const ckda_field_t K)
{
    if (A->rows != A->cols)
        return false;
    for (slong i = 0; i < A->rows; i++)
        for (slong j = 0; j < i; j++)
            if (!ckda_elem_equal(E(A, i, j), E(A, j, i), K))
                return false;
    return true;
}

bool
ckda_mat_is_orthogonal(ckda_index *at, const ckda_mat_t A, const ckda_field_t K)
{
    if (A->rows != A->cols)
        return false;
    ckda_mat_t G;
    ckda_mat_init(G, A->cols, A->cols, K);
    ckda_mat_gram(G, A, K);
    bool yes = is_one_at(at, G, K);
    ckda_mat_clear(G, K);
    return yes;
}

uint64_t
ckda_mat_hash(const ckda_mat_t A, const ckda_field_t K)
{
    uint64_t h = UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)A->rows;
    h = h * UINT64_C(0xff51afd7ed558ccd) + (uint64_t)A->cols;
    for (slong i = 0; i < A->rows * A->cols; i++) {
        h ^= h >> 32;
        h = h * UINT64_C(0xff51afd7ed558ccd) + ckda_elem_hash(A->entry + i, K);
    }
    h ^= h >> 33;
    h *= UINT64_C(0xc4ceb9fe1a85ec53);
    return h ^ (h >> 33);
}
