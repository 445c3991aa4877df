/* Lists of reflections, and columns mapped to unit vectors. */
#include "norm_internal.h"

void
reflections_init(reflections *r, slong room, slong n, const ckda_field_t K)
{
    ckda_mat_init(r->key, room, n, K);
    r->count = 0;
}

void
reflections_clear(reflections *r, const ckda_field_t K)
{
    ckda_mat_clear(r->key, K);
}

void
dot(ckda_elem_t s, const ckda_elem_struct *x, const ckda_elem_struct *y, slong n,
    const ckda_field_t K)
{
    ckda_elem_zero(s, K);
    for (slong i = 0; i < n; i++)
        ckda_elem_addmul(s, x + i, y + i, K);
}

void
column_dot(ckda_elem_t s, const ckda_mat_t A, slong i, slong j, const ckda_field_t K)
{
    ckda_elem_zero(s, K);
    for (slong k = 0; k < A->rows; k++)
        ckda_elem_addmul(s, ckda_mat_entry(A, k, i), ckda_mat_entry(A, k, j), K);
}

/* Is column c of Q equal to e_c, or to -e_c? */
static bool
is_unit_column(const ckda_mat_t Q, slong c, bool minus, const ckda_field_t K)
{
    for (slong i = 0; i < Q->rows; i++)
        if (i != c && !ckda_elem_is_zero(ckda_mat_entry(Q, i, c), K))
            return false;
    const int one = ckda_elem_cmp_si(ckda_mat_entry(Q, c, c), 1, K) == 0;
    return one || (minus && ckda_elem_cmp_si(ckda_mat_entry(Q, c, c), -1, K) == 0);
}

/* Q := (I - 2 w w^T / w^T w) Q. */
static void
reflect(ckda_mat_t Q, const ckda_elem_struct *w, const ckda_field_t K)
{
    ckda_elem_t c, s;
    ckda_elem_init(c, K);
    ckda_elem_init(s, K);
    dot(c, w, w, Q->rows, K);
    factorise_must(ckda_elem_inv(c, c, K));
    ckda_elem_mul_si(c, c, 2, K);
    for (slong j = 0; j < Q->cols; j++) {
        ckda_elem_zero(s, K);
        for (slong i = 0; i < Q->rows; i++)
            ckda_elem_addmul(s, w + i, ckda_mat_entry(Q, i, j), K);
        if (ckda_elem_is_zero(s, K))
            continue;
        ckda_elem_mul(s, s, c, K);
        for (slong i = 0; i < Q->rows; i++)
            ckda_elem_submul(ckda_mat_entry(Q, i, j), s, w + i, K);
    }
    ckda_elem_clear(s, K);
    ckda_elem_clear(c, K);
}

/* For unit vectors q and e the reflection along w = q - e swaps them. */
void
reflections_fix_column(reflections *r, ckda_mat_t Q, slong c, bool minus,
                       const ckda_field_t K)
{
    ckda_elem_t one;
    if (is_unit_column(Q, c, minus, K))
        return;
    ckda_require(r->count < r->key->rows, "room for %ld reflections", (long)r->count);
    ckda_elem_struct *w = ckda_mat_entry(r->key, r->count, 0);
    r->count++;
    ckda_elem_init(one, K);
    ckda_elem_one(one, K);
    for (slong i = 0; i < Q->rows; i++)
        ckda_elem_set(w + i, ckda_mat_entry(Q, i, c), K);
    ckda_elem_sub(w + c, w + c, one, K);
    ckda_elem_clear(one, K);
    reflect(Q, w, K);
}

void
append_factor(ckda_factors_t f, slong beta, const ckda_elem_struct *key,
              const ckda_elem_struct *gate, const ckda_field_t K)
{
    ckda_trans_struct *t = factorise_append(f, K);
    ckda_elem_set_si(t->beta, beta, K);
    if (key == NULL)
        ckda_elem_one(t->key, K);
    for (slong i = 0; i < f->n; i++) {
        if (key != NULL)
            ckda_elem_set(t->key + i, key + i, K);
        if (gate != NULL)
            ckda_elem_set(t->gate + i, gate + i, K);
    }
}

static bool
all_ones(const ckda_elem_struct *gate, slong n, const ckda_field_t K)
{
    for (slong i = 0; i < n; i++)
        if (!ckda_elem_is_one(gate + i, K))
            return false;
    return true;
}

void
append_left(ckda_factors_t f, const reflections *left, const ckda_elem_struct *gate,
            const ckda_field_t K)
{
    if (left->count == 0 && !all_ones(gate, f->n, K))
        append_factor(f, 0, NULL, gate, K);
    for (slong i = left->count - 1; i >= 0; i--)
        append_factor(f, 2, ckda_mat_entry(left->key, i, 0),
                      i == left->count - 1 ? gate : NULL, K);
}

void
append_right(ckda_factors_t f, const reflections *right, const ckda_elem_struct *gate,
             const ckda_field_t K)
{
    for (slong i = 0; i < right->count; i++)
        append_factor(f, 2, ckda_mat_entry(right->key, i, 0), NULL, K);
    if (!all_ones(gate, f->n, K))
        append_factor(f, 0, NULL, gate, K);
}
