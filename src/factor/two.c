/* 2 x 2 contractions as two factors, by the singular value decomposition. */
#include "norm_internal.h"

/* x = t + 2|d|, y = t - 2|d| for t = tr A^T A, d = det A: the squares of the sum and of the
 * difference of the singular values. */
static void
sum_and_difference(ckda_elem_struct *x, const ckda_mat_t A, const ckda_field_t K)
{
    ckda_elem_t d;
    ckda_elem_init(d, K);
    factorise_must(ckda_mat_det(d, A, K));
    ckda_elem_abs(d, d, K);
    ckda_elem_mul_si(d, d, 2, K);
    dot(x, A->entry, A->entry, 4, K);
    ckda_elem_sub(x + 1, x, d, K);
    ckda_elem_add(x, x, d, K);
    ckda_elem_clear(d, K);
}

/* sigma: the two singular values, larger first; v = (sigma_1^2 - m_22, m_12), M = A^T A, the
 * first right singular vector; all over e->L. */
static void
singular_values(ckda_elem_struct *sigma, ckda_elem_struct *v, const ckda_mat_t A,
                const extension *e)
{
    const ckda_field_struct *L = e->L;
    ckda_elem_t half;
    ckda_elem_init(half, L);
    ckda_elem_set_frac(half, 1, 2, L);
    ckda_elem_add(sigma, e->root, e->root + 1, L);
    ckda_elem_sub(sigma + 1, e->root, e->root + 1, L);
    ckda_elem_mul(sigma, sigma, half, L);
    ckda_elem_mul(sigma + 1, sigma + 1, half, L);
    column_dot(v + 1, A, 1, 1, L);
    ckda_elem_mul(v, sigma, sigma, L);
    ckda_elem_sub(v, v, v + 1, L);
    column_dot(v + 1, A, 0, 1, L);
    ckda_elem_clear(half, L);
}

/* B := B (I - 2 w w^T / w^T w). */
static void
reflect_columns(ckda_mat_t B, const ckda_elem_struct *w, const ckda_field_t K)
{
    ckda_mat_t G;
    ckda_elem_t two;
    ckda_mat_init(G, B->cols, B->cols, K);
    ckda_elem_init(two, K);
    ckda_elem_set_si(two, 2, K);
    factorise_must(ckda_mat_set_householder(G, two, w, B->cols, K));
    factorise_must(ckda_mat_mul(B, B, G, K));
    ckda_elem_clear(two, K);
    ckda_mat_clear(G, K);
}

/* With the reflection G that swaps v/|v| and e_1, A G has orthogonal columns of norms
 * sigma_1, sigma_2, so A G = H D and A = (H D) G. */
static void
append_two(ckda_contraction_t c, const ckda_elem_struct *sigma, const ckda_elem_struct *v,
           const ckda_elem_t norm)
{
    const ckda_field_struct *L = c->K;
    reflections left;
    ckda_mat_t B, w, gate;
    ckda_mat_init(w, 1, 2, L);
    ckda_mat_init(gate, 1, 2, L);
    ckda_mat_init_set(B, c->A, L);
    ckda_elem_sub(w->entry, v, norm, L);
    ckda_elem_set(w->entry + 1, v + 1, L);
    append_factor(c->factors, 2, w->entry, NULL, L);
    reflect_columns(B, w->entry, L);
    reflections_init(&left, 2, 2, L);
    for (slong j = 0; j < 2; j++)
        for (slong i = 0; i < 2 && !ckda_elem_is_zero(sigma + j, L); i++)
            factorise_must(ckda_elem_div(ckda_mat_entry(B, i, j), ckda_mat_entry(B, i, j),
                                         sigma + j, L));
    for (slong j = 0; j < 2; j++) {
        if (!ckda_elem_is_zero(sigma + j, L))
            reflections_fix_column(&left, B, j, true, L);
    }
    for (slong j = 0; j < 2; j++)
        ckda_elem_mul(gate->entry + j, sigma + j, ckda_mat_entry(B, j, j), L);
    append_left(c->factors, &left, gate->entry, L);
    reflections_clear(&left, L);
    ckda_mat_clear(B, L);
    ckda_mat_clear(gate, L);
    ckda_mat_clear(w, L);
}

/* From K to the field of the singular values (e) and to that of |v| (g). */
static bool
svd_over(ckda_contraction_t c, const ckda_mat_t A, const extension *e)
{
    extension g;
    ckda_elem_struct *x = ckda_elem_vec_new(5, e->L), *sigma = x, *v = x + 2, *d = x + 4;
    singular_values(sigma, v, A, e);
    dot(d, v, v, 2, e->L);
    const bool found = extension_init(&g, d, 1, e->L) == CKDA_OK;
    if (found) {
        ckda_elem_struct *y = ckda_elem_vec_new(4, g.L);
        contraction_begin(c, A, &g, e->L);
        for (slong i = 0; i < 4; i++)
            extension_elem(y + i, x + i, &g, e->L);
        append_two(c, y, y + 2, g.root);
        ckda_elem_vec_free(y, 4, g.L);
        extension_clear(&g);
    }
    ckda_elem_vec_free(x, 5, e->L);
    return found;
}

bool
contraction_svd_2x2(ckda_contraction_t c, const ckda_mat_t A, const ckda_field_t K)
{
    extension e;
    ckda_mat_t B;
    if (A->rows != 2)
        return false;
    ckda_elem_struct *squares = ckda_elem_vec_new(2, K);
    sum_and_difference(squares, A, K);
    const bool good = extension_init(&e, squares, 2, K) == CKDA_OK;
    ckda_elem_vec_free(squares, 2, K);
    if (!good)
        return false;
    extension_mat(B, A, &e, K);
    const bool found = svd_over(c, B, &e);
    ckda_mat_clear(B, e.L);
    extension_clear(&e);
    return found;
}
