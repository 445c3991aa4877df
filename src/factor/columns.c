/* Contractions with orthogonal columns, A = Q Sigma, or orthogonal rows. */
#include "norm_internal.h"

/* What A = H_1 ... H_k Diag(gate) needs; all over e.L. */
typedef struct {
    extension e;
    reflections left;
    ckda_mat_t gate; /* 1 x n */
} column_form;

static void
column_form_clear(column_form *f)
{
    reflections_clear(&f->left, f->e.L);
    ckda_mat_clear(f->gate, f->e.L);
    extension_clear(&f->e);
}

static bool
has_orthogonal_columns(const ckda_mat_t A, const ckda_field_t K)
{
    bool good = true;
    ckda_elem_t s;
    ckda_elem_init(s, K);
    for (slong i = 0; i < A->cols && good; i++)
        for (slong j = 0; j < i && good; j++) {
            column_dot(s, A, i, j, K);
            good = ckda_elem_is_zero(s, K);
        }
    ckda_elem_clear(s, K);
    return good;
}

/* The row of the only nonzero entry of column c: -1 if there is none, -2 if there are
 * several. */
static slong
single_entry(const ckda_mat_t A, slong c, const ckda_field_t K)
{
    slong row = -1;
    for (slong i = 0; i < A->rows; i++)
        if (!ckda_elem_is_zero(ckda_mat_entry(A, i, c), K)) {
            if (row >= 0)
                return -2;
            row = i;
        }
    return row;
}

/* Adjoins the norms of the columns that are not known in K. */
static ckda_status
adjoin_norms(extension *e, const ckda_mat_t A, const ckda_field_t K)
{
    slong count = 0;
    ckda_elem_struct *d = ckda_elem_vec_new(A->cols, K);
    for (slong c = 0; c < A->cols; c++)
        if (single_entry(A, c, K) == -2)
            column_dot(d + count++, A, c, c, K);
    const ckda_status st = extension_init(e, d, count, K);
    ckda_elem_vec_free(d, A->cols, K);
    return st;
}

/* norm[c] = |column c| over e->L. */
static void
column_norms(ckda_elem_struct *norm, const ckda_mat_t A, const extension *e,
             const ckda_field_t K)
{
    slong used = 0;
    for (slong c = 0; c < A->cols; c++) {
        const slong row = single_entry(A, c, K);
        if (row == -2) {
            ckda_elem_set(norm + c, e->root + used++, e->L);
        } else if (row >= 0) {
            extension_elem(norm + c, ckda_mat_entry(A, row, c), e, K);
            ckda_elem_abs(norm + c, norm + c, e->L);
        }
    }
}

/* The columns of Q (over e.L) are orthogonal, of the norms in f->gate. */
static void
reduce(column_form *f, ckda_mat_t Q)
{
    const ckda_field_struct *L = f->e.L;
    for (slong c = 0; c < Q->cols; c++)
        for (slong i = 0; i < Q->rows && !ckda_elem_is_zero(f->gate->entry + c, L); i++)
            factorise_must(ckda_elem_div(ckda_mat_entry(Q, i, c), ckda_mat_entry(Q, i, c),
                                         f->gate->entry + c, L));
    for (slong c = 0; c < Q->cols; c++)
        if (!ckda_elem_is_zero(f->gate->entry + c, L))
            reflections_fix_column(&f->left, Q, c, true, L);
    for (slong c = 0; c < Q->cols; c++) /* a sign stays where -e_c was left */
        ckda_elem_mul(f->gate->entry + c, f->gate->entry + c, ckda_mat_entry(Q, c, c), L);
}

static bool
find_form(column_form *f, const ckda_mat_t A, const ckda_field_t K)
{
    ckda_mat_t Q;
    if (!has_orthogonal_columns(A, K) || adjoin_norms(&f->e, A, K) != CKDA_OK)
        return false;
    ckda_mat_init(f->gate, 1, A->cols, f->e.L);
    reflections_init(&f->left, A->cols, A->rows, f->e.L);
    column_norms(f->gate->entry, A, &f->e, K);
    extension_mat(Q, A, &f->e, K);
    reduce(f, Q);
    ckda_mat_clear(Q, f->e.L);
    return true;
}

bool
contraction_columns(ckda_contraction_t c, const ckda_mat_t A, const ckda_field_t K)
{
    column_form f;
    if (!find_form(&f, A, K))
        return false;
    contraction_begin(c, A, &f.e, K);
    append_left(c->factors, &f.left, f.gate->entry, c->K);
    column_form_clear(&f);
    return true;
}

/* A^T = H_1 ... H_k D, so A = D H_k ... H_1. */
bool
contraction_rows(ckda_contraction_t c, const ckda_mat_t A, const ckda_field_t K)
{
    column_form f;
    ckda_mat_t T;
    ckda_mat_init(T, A->cols, A->rows, K);
    factorise_must(ckda_mat_transpose(T, A, K));
    const bool found = find_form(&f, T, K);
    ckda_mat_clear(T, K);
    if (!found)
        return false;
    contraction_begin(c, A, &f.e, K);
    append_right(c->factors, &f.left, f.gate->entry, c->K);
    column_form_clear(&f);
    return true;
}
