/* Diagonal plus rank one: the value type, its matrix, its characteristic polynomial, and
 * the decision whether a matrix has this form. */
#include "internal.h"

void
ckda_dpr1_init(ckda_dpr1_t d, slong n, const ckda_field_t K)
{
    d->n = n;
    d->diagonal = ckda_elem_vec_new(n, K);
    d->u = ckda_elem_vec_new(n, K);
    d->v = ckda_elem_vec_new(n, K);
}

void
ckda_dpr1_clear(ckda_dpr1_t d, const ckda_field_t K)
{
    ckda_elem_vec_free(d->diagonal, d->n, K);
    ckda_elem_vec_free(d->u, d->n, K);
    ckda_elem_vec_free(d->v, d->n, K);
}

void
ckda_dpr1_swap(ckda_dpr1_t d, ckda_dpr1_t e)
{
    ckda_dpr1_struct t = *d;

    *d = *e;
    *e = t;
}

ckda_status
ckda_dpr1_matrix(ckda_mat_t A, const ckda_dpr1_t d, const ckda_field_t K)
{
    if (A->rows != d->n || A->cols != d->n)
        return CKDA_E_SHAPE;
    for (slong i = 0; i < d->n; i++)
        for (slong j = 0; j < d->n; j++) {
            ckda_elem_struct *e = ckda_mat_entry(A, i, j);

            ckda_elem_mul(e, d->u + i, d->v + j, K);
            if (i == j)
                ckda_elem_add(e, e, d->diagonal + i, K);
        }
    return CKDA_OK;
}

/* P = prod (x - gate_i). */
static void
node_polynomial(ckda_poly_t P, const ckda_elem_struct *gate, slong n,
                const ckda_field_t K)
{
    ckda_poly_t lin;

    ckda_poly_init(lin, K);
    ckda_poly_one(P, K);
    for (slong i = 0; i < n; i++) {
        ckda_poly_set_root(lin, gate + i, K);
        ckda_poly_mul(P, P, lin, K);
    }
    ckda_poly_clear(lin, K);
}

void
ckda_dpr1_charpoly(ckda_poly_t chi, const ckda_dpr1_t d, const ckda_field_t K)
{
    ckda_poly_t P, sum, lin, rest;
    ckda_elem_t w;

    ckda_poly_init(P, K);
    ckda_poly_init(sum, K);
    ckda_poly_init(lin, K);
    ckda_poly_init(rest, K);
    ckda_elem_init(w, K);
    node_polynomial(P, d->diagonal, d->n, K);
    ckda_poly_set(sum, P, K);
    for (slong i = 0; i < d->n; i++) {
        ckda_status st;

        ckda_poly_set_root(lin, d->diagonal + i, K);
        st = ckda_poly_divrem(lin, rest, P, lin, K);
        ckda_require(st == CKDA_OK && ckda_poly_is_zero(rest), "x - d_i divides P");
        ckda_elem_mul(w, d->u + i, d->v + i, K);
        ckda_poly_scalar_mul(lin, lin, w, K);
        ckda_poly_sub(sum, sum, lin, K);
    }
    ckda_poly_swap(chi, sum);
    ckda_elem_clear(w, K);
    ckda_poly_clear(rest, K);
    ckda_poly_clear(lin, K);
    ckda_poly_clear(sum, K);
    ckda_poly_clear(P, K);
}

/* z = x / y for a y that is known not to vanish. */
static void
div_nonzero(ckda_elem_t z, const ckda_elem_t x, const ckda_elem_t y, const ckda_field_t K)
{
    ckda_status st = ckda_elem_div(z, x, y, K);

    ckda_require(st == CKDA_OK, "division by zero");
}

static bool
first_off_diagonal(ckda_index *at, const ckda_mat_t A, const ckda_field_t K)
{
    for (at->row = 0; at->row < A->rows; at->row++)
        for (at->col = 0; at->col < A->cols; at->col++)
            if (at->row != at->col
                && !ckda_elem_is_zero(ckda_mat_entry(A, at->row, at->col), K))
                return true;
    return false;
}

/* x y = a for one unknown y: y = a / x, or 0 if x = 0 (the caller's comparison then
 * refuses a != 0). */
static void
solve_factor(ckda_elem_t y, const ckda_elem_t x, const ckda_elem_t a,
             const ckda_field_t K)
{
    if (ckda_elem_is_zero(x, K))
        ckda_elem_zero(y, K);
    else
        div_nonzero(y, a, x, K);
}

/* With A_pq != 0 and v_q = 1 fixed, column q gives u and row p gives v, except u_q and
 * v_p: any other entry of row q or column p gives those, else their product A_qp does. */
static void
fill_corner(ckda_dpr1_t d, ckda_index pq, const ckda_mat_t A, const ckda_field_t K)
{
    slong p = pq.row, q = pq.col;
    bool have_u = false, have_v = false;

    for (slong j = 0; j < d->n; j++) {
        if (j == p || j == q)
            continue;
        if (!have_u && !ckda_elem_is_zero(d->v + j, K)) {
            div_nonzero(d->u + q, ckda_mat_entry(A, q, j), d->v + j, K);
            have_u = true;
        }
        if (!have_v && !ckda_elem_is_zero(d->u + j, K)) {
            div_nonzero(d->v + p, ckda_mat_entry(A, j, p), d->u + j, K);
            have_v = true;
        }
    }
    if (!have_u && !have_v) {
        ckda_elem_one(d->u + q, K);
        ckda_elem_set(d->v + p, ckda_mat_entry(A, q, p), K);
    } else if (!have_u) {
        solve_factor(d->u + q, d->v + p, ckda_mat_entry(A, q, p), K);
    } else if (!have_v) {
        solve_factor(d->v + p, d->u + q, ckda_mat_entry(A, q, p), K);
    }
}

void
ckda_factor_dpr1_candidate(ckda_dpr1_t d, const ckda_mat_t A, const ckda_field_t K)
{
    ckda_index pq;

    for (slong i = 0; i < d->n; i++) {
        ckda_elem_zero(d->u + i, K);
        ckda_elem_zero(d->v + i, K);
    }
    if (first_off_diagonal(&pq, A, K)) {
        const ckda_elem_struct *pivot = ckda_mat_entry(A, pq.row, pq.col);

        for (slong i = 0; i < d->n; i++) {
            if (i != pq.col)
                ckda_elem_set(d->u + i, ckda_mat_entry(A, i, pq.col), K);
            if (i != pq.row)
                div_nonzero(d->v + i, ckda_mat_entry(A, pq.row, i), pivot, K);
        }
        fill_corner(d, pq, A, K);
    }
    for (slong i = 0; i < d->n; i++) {
        ckda_elem_set(d->diagonal + i, ckda_mat_entry(A, i, i), K);
        ckda_elem_submul(d->diagonal + i, d->u + i, d->v + i, K);
    }
}

bool
ckda_factor_dpr1_mismatch(ckda_index *at, ckda_elem_struct *want, const ckda_dpr1_t d,
                          const ckda_mat_t A, const ckda_field_t K)
{
    bool differs = false;
    ckda_elem_t uv;

    ckda_elem_init(uv, K);
    for (slong i = 0; i < d->n && !differs; i++)
        for (slong j = 0; j < d->n && !differs; j++) {
            if (i == j)
                continue;
            ckda_elem_mul(uv, d->u + i, d->v + j, K);
            differs = !ckda_elem_equal(uv, ckda_mat_entry(A, i, j), K);
            if (differs && at != NULL)
                *at = (ckda_index){i, j};
        }
    if (differs && want != NULL)
        ckda_elem_set(want, uv, K);
    ckda_elem_clear(uv, K);
    return differs;
}

ckda_status
ckda_dpr1_find(ckda_dpr1_t d, ckda_index *at, const ckda_mat_t A, const ckda_field_t K)
{
    ckda_status st = CKDA_OK;
    ckda_dpr1_t e;

    if (A->rows != A->cols)
        return CKDA_E_SHAPE;
    ckda_dpr1_init(e, A->rows, K);
    ckda_factor_dpr1_candidate(e, A, K);
    if (ckda_factor_dpr1_mismatch(at, NULL, e, A, K))
        st = CKDA_E_DOMAIN;
    else
        ckda_dpr1_swap(d, e);
    ckda_dpr1_clear(e, K);
    return st;
}

/* u_i = -chi(d_i) / prod_{j != i} (d_i - d_j), from chi(d_i) = -u_i v_i P_i(d_i) and v
 * = 1. */
ckda_status
ckda_dpr1_with_charpoly(ckda_dpr1_t d, const ckda_elem_struct *gate,
                        const ckda_poly_t chi, const ckda_field_t K)
{
    ckda_status st = CKDA_OK;
    ckda_dpr1_t e;
    ckda_elem_t num, den, t;

    if (ckda_poly_degree(chi) != d->n)
        return CKDA_E_SHAPE;
    ckda_dpr1_init(e, d->n, K);
    ckda_elem_init(num, K);
    ckda_elem_init(den, K);
    ckda_elem_init(t, K);
    for (slong i = 0; i < d->n && st == CKDA_OK; i++) {
        ckda_elem_set(e->diagonal + i, gate + i, K);
        ckda_elem_one(e->v + i, K);
        ckda_poly_eval(num, chi, gate + i, K);
        ckda_elem_set_si(den, -1, K);
        for (slong j = 0; j < d->n; j++)
            if (j != i) {
                ckda_elem_sub(t, gate + i, gate + j, K);
                ckda_elem_mul(den, den, t, K);
            }
        st = ckda_elem_div(e->u + i, num, den, K);
    }
    if (st == CKDA_OK)
        ckda_dpr1_swap(d, e);
    ckda_elem_clear(t, K);
    ckda_elem_clear(den, K);
    ckda_elem_clear(num, K);
    ckda_dpr1_clear(e, K);
    return st;
}
