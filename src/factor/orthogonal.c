/* Orthogonal matrices as products of reflections and one sign matrix. */
#include "ckda/factor.h"
#include "norm_internal.h"

slong
ckda_factor_orthogonal_bound(slong n)
{
    return n <= 2 ? 1 : n - 1;
}

/* f = reflections that turn A S into I, times S; without signs the columns may end as -e_c,
 * and S is what is left of them. */
static void
fix_columns(ckda_factors_t f, const ckda_mat_t A, const int *signs, const ckda_field_t K)
{
    const slong n = A->rows;
    reflections left;
    ckda_mat_t Q, gate;
    ckda_mat_init_set(Q, A, K);
    ckda_mat_init(gate, 1, n, K);
    reflections_init(&left, n, n, K);
    for (slong j = 0; j < n && signs != NULL; j++)
        for (slong i = 0; i < n && signs[j] < 0; i++)
            ckda_elem_neg(ckda_mat_entry(Q, i, j), ckda_mat_entry(Q, i, j), K);
    for (slong c = 0; c < n; c++)
        reflections_fix_column(&left, Q, c, signs == NULL, K);
    for (slong c = 0; c < n; c++)
        if (signs == NULL)
            ckda_elem_set(gate->entry + c, ckda_mat_entry(Q, c, c), K);
        else
            ckda_elem_set_si(gate->entry + c, signs[c], K);
    append_left(f, &left, gate->entry, K);
    reflections_clear(&left, K);
    ckda_mat_clear(gate, K);
    ckda_mat_clear(Q, K);
}

/* More than one factor needed, since A is not diagonal plus rank one? */
static bool
needs_two(const ckda_mat_t A, const ckda_field_t K)
{
    ckda_dpr1_t d;
    ckda_dpr1_init(d, A->rows, K);
    const bool two = ckda_dpr1_find(d, NULL, A, K) == CKDA_E_DOMAIN;
    ckda_dpr1_clear(d, K);
    return two;
}

static ckda_truth
is_minimal(slong count, slong least, const ckda_mat_t A, const ckda_field_t K)
{
    if (count <= 1)
        return CKDA_TRUE; /* no factor is made for I alone */
    if (least >= 0)
        return count == least ? CKDA_TRUE : CKDA_FALSE;
    return count == 2 && needs_two(A, K) ? CKDA_TRUE : CKDA_UNKNOWN;
}

ckda_status
ckda_factor_orthogonal(ckda_factors_t f, ckda_truth *minimal, const ckda_mat_t A,
                       ckda_factor_scheme scheme, const ckda_field_t K)
{
    const slong n = A->rows;
    slong least = -1;
    ckda_factors_t g;
    if (n < 1 || A->cols != n || f->n != n)
        return CKDA_E_SHAPE;
    if (!ckda_mat_is_orthogonal(NULL, A, K))
        return CKDA_E_DOMAIN;
    int *signs = flint_malloc((size_t)n * sizeof *signs);
    const bool searched = ckda_factor_sign_rank(&least, signs, A, K) == CKDA_OK;
    ckda_factors_init(g, n, K);
    fix_columns(g, A, searched && scheme == CKDA_FACTOR_SHORT ? signs : NULL, K);
    *minimal = is_minimal(g->count, searched ? least : -1, A, K);
    ckda_factors_swap(f, g);
    ckda_factors_clear(g, K);
    flint_free(signs);
    return CKDA_OK;
}
