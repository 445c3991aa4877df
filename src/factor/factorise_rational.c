/* Rational matrices as products of factors, with scratch coordinates.
 *
 * Coordinates: main 0 .. n-1, scratch n .. 2n-1, and for the paper's program one
 * temporary coordinate 2n.  Clearing costs nothing: it is the gate of the next factor. */
#include "factorise_internal.h"

static void
clear_range(ckda_factors_t f, slong at, slong from, slong to, const ckda_field_t K)
{
    for (slong d = from; d < to; d++)
        factorise_must(ckda_factors_clear_before(f, at, d, K));
}

/* [Prop. 25, App. D.3]  s_i += M_ij x_j for all i, j by way of t, then x := s. */
static void
rational_paper(ckda_factors_t f, const ckda_mat_t M, const ckda_field_t K)
{
    const slong n = M->rows, t = 2 * n;
    for (slong i = 0; i < n; i++)
        for (slong j = 0; j < n; j++) {
            const slong first = f->count;
            factorise_must(ckda_factors_push_transvection(f, t, j, K));
            factorise_must(ckda_factors_push_scale(f, t, ckda_mat_entry(M, i, j), K));
            factorise_must(ckda_factors_push_transvection(f, n + i, t, K));
            clear_range(f, first, t, t + 1, K); /* what the last addition left there */
        }
    clear_range(f, 0, n, t + 1, K);
    const slong copy = f->count;
    for (slong i = 0; i < n; i++)
        factorise_must(ckda_factors_push_transvection(f, i, n + i, K));
    clear_range(f, copy, 0, n, K);
    clear_range(f, copy, t, t + 1, K);
}

static bool
row_is_zero(const ckda_mat_t M, slong i, const ckda_field_t K)
{
    for (slong j = 0; j < M->cols; j++)
        if (!ckda_elem_is_zero(ckda_mat_entry(M, i, j), K))
            return false;
    return true;
}

/* x_d += w^T (x; s) for the rows that are not zero: s := M x, then x := s.  A zero row
 * only needs its coordinate cleared. */
static void
rational_short(ckda_factors_t f, const ckda_mat_t M, const ckda_field_t K)
{
    const slong n = M->rows;
    ckda_mat_t w;
    ckda_mat_init(w, 1, 2 * n, K);
    for (slong i = 0; i < n; i++) {
        if (row_is_zero(M, i, K))
            continue;
        for (slong j = 0; j < n; j++)
            ckda_elem_set(w->entry + j, ckda_mat_entry(M, i, j), K);
        factorise_must(ckda_factors_push_row_transvection(f, n + i, w->entry, K));
    }
    const slong copy = f->count;
    ckda_mat_zero(w, K);
    for (slong i = 0; i < n; i++) {
        if (row_is_zero(M, i, K))
            continue;
        ckda_elem_one(w->entry + n + i, K);
        factorise_must(ckda_factors_push_row_transvection(f, i, w->entry, K));
        ckda_elem_zero(w->entry + n + i, K);
    }
    if (copy == 0) /* M = 0 */
        factorise_must(ckda_factors_push_clear(f, NULL, 0, K));
    clear_range(f, 0, n, 2 * n, K);
    clear_range(f, copy, 0, n, K);
    ckda_mat_clear(w, K);
}

ckda_status
ckda_factor_rational(ckda_factors_t f, const ckda_mat_t M, ckda_factor_scheme scheme,
                     const ckda_field_t K)
{
    const slong n = M->rows;
    ckda_factors_t g;
    if (n < 1 || M->cols != n
        || f->n != (scheme == CKDA_FACTOR_PAPER ? 2 * n + 1 : 2 * n))
        return CKDA_E_SHAPE;
    for (slong i = 0; i < n * n; i++)
        if (!ckda_elem_is_rational(M->entry + i, K))
            return CKDA_E_DOMAIN;
    ckda_factors_init(g, f->n, K);
    if (scheme == CKDA_FACTOR_PAPER)
        rational_paper(g, M, K);
    else if (!ckda_mat_is_one(M, K))
        rational_short(g, M, K);
    ckda_factors_swap(f, g);
    ckda_factors_clear(g, K);
    return CKDA_OK;
}

slong
ckda_factor_rational_bound(slong n, ckda_factor_scheme scheme)
{
    return scheme == CKDA_FACTOR_PAPER ? 7 * n * n + 3 * n : 4 * n;
}
