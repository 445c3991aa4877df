/* One matrix of a user's own representation: one step, or how many? */
#include "realize_internal.h"

#include "ckda/factor_norm.h"

ckda_status
ckda_letter_find(ckda_letter_t l, const ckda_mat_t A, const ckda_field_t K)
{
    if (A->rows < 1 || A->rows != A->cols)
        return CKDA_E_SHAPE;
    *l = (ckda_letter_struct){.minimal = CKDA_UNKNOWN};
    ckda_decomposition_init(l->one, K);
    ckda_factors_init(l->factors, A->rows, K);
    ckda_status st = ckda_decompose_matrix(l->one, A, K);
    if (st == CKDA_OK && !l->one->verified && l->one->orthogonal) {
        ckda_mat_t P;
        ckda_mat_init(P, A->rows, A->rows, K);
        st = ckda_factor_orthogonal(l->factors, &l->minimal, A, CKDA_FACTOR_SHORT, K);
        if (st == CKDA_OK)
            st = ckda_factors_product(P, l->factors, K);
        if (st == CKDA_OK)
            ckda_require(ckda_mat_equal(NULL, P, A, K) == CKDA_TRUE,
                         "the product of the factors is another matrix");
        l->factored = st == CKDA_OK;
        ckda_mat_clear(P, K);
    }
    if (st != CKDA_OK)
        ckda_letter_clear(l, K);
    return st;
}

void
ckda_letter_clear(ckda_letter_t l, const ckda_field_t K)
{
    ckda_factors_clear(l->factors, K);
    ckda_decomposition_clear(l->one, K);
}
