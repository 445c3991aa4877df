/* Transitions as values, and their matrix. */
#include "trans_internal.h"

static ckda_elem_struct *
new_elems(slong n, const ckda_field_t K)
{
    ckda_elem_struct *x = flint_malloc((size_t)n * sizeof *x);
    for (slong i = 0; i < n; i++)
        ckda_elem_init(x + i, K);
    return x;
}

static void
free_elems(ckda_elem_struct *x, slong n, const ckda_field_t K)
{
    for (slong i = 0; i < n; i++)
        ckda_elem_clear(x + i, K);
    flint_free(x);
}

static void
copy_elems(ckda_elem_struct *x, const ckda_elem_struct *y, slong n, const ckda_field_t K)
{
    for (slong i = 0; i < n; i++)
        ckda_elem_set(x + i, y + i, K);
}

slong
trans_keys(const ckda_trans_struct *t)
{
    return t->steps > 0 ? t->steps : 1;
}

/* Key entries and further parameters of a family. */
static void
set_shape(ckda_trans_t t)
{
    t->width = t->family == CKDA_MDN ? t->n / 2 : t->n;
    t->nmore = t->family == CKDA_RWKV7 ? t->n : t->family == CKDA_MDN ? 1 : 0;
}

void
ckda_trans_init(ckda_trans_t t, ckda_family f, slong n, slong steps, const ckda_field_t K)
{
    ckda_require(n >= 1 && (ckda_family_has_steps(f) ? steps >= 1 : steps == 0),
                 "family %s, n = %ld, steps = %ld", ckda_family_name(f), (long)n,
                 (long)steps);
    ckda_require((f != CKDA_MDN && f != CKDA_SFDA) || n % 2 == 0, "n = %ld is odd",
                 (long)n);
    t->family = f;
    t->n = n;
    t->steps = steps;
    set_shape(t);
    t->beta = new_elems(trans_keys(t), K);
    t->key = new_elems(trans_keys(t) * t->width, K);
    t->gate = new_elems(n, K);
    t->more = t->nmore > 0 ? new_elems(t->nmore, K) : NULL;
    for (slong j = 0; j < trans_keys(t); j++)
        ckda_elem_one(trans_key(t, j), K);
    for (slong i = 0; i < n; i += f == CKDA_SFDA ? 2 : 1)
        ckda_elem_one(t->gate + i, K);
}

void
ckda_trans_clear(ckda_trans_t t, const ckda_field_t K)
{
    free_elems(t->beta, trans_keys(t), K);
    free_elems(t->key, trans_keys(t) * t->width, K);
    free_elems(t->gate, t->n, K);
    free_elems(t->more, t->nmore, K);
}

void
ckda_trans_swap(ckda_trans_t t, ckda_trans_t u)
{
    const ckda_trans_struct old = *t;
    *t = *u;
    *u = old;
}

ckda_status
ckda_trans_set(ckda_trans_t t, const ckda_trans_t u, const ckda_field_t K)
{
    if (t->n != u->n || t->steps != u->steps || t->width != u->width
        || t->nmore != u->nmore)
        return CKDA_E_SHAPE;
    t->family = u->family;
    copy_elems(t->beta, u->beta, trans_keys(u), K);
    copy_elems(t->key, u->key, trans_keys(u) * u->width, K);
    copy_elems(t->gate, u->gate, u->n, K);
    copy_elems(t->more, u->more, u->nmore, K);
    return CKDA_OK;
}

void
ckda_trans_init_set(ckda_trans_t t, const ckda_trans_t u, const ckda_field_t K)
{
    ckda_trans_init(t, u->family, u->n, u->steps, K);
    const ckda_status st = ckda_trans_set(t, u, K);
    ckda_require(st == CKDA_OK, "shapes agree by construction");
}

void
ckda_trans_set_ckda(ckda_trans_t t, const ckda_elem_t beta, const ckda_elem_struct *key,
                    const ckda_elem_struct *gate, const ckda_field_t K)
{
    ckda_require(t->steps == 1, "%ld steps", (long)t->steps);
    t->family = CKDA_CKDA;
    ckda_elem_set(t->beta, beta, K);
    copy_elems(t->key, key, t->n, K);
    copy_elems(t->gate, gate, t->n, K);
}

void
norm_squared(ckda_elem_t s, const ckda_elem_struct *w, slong n, const ckda_field_t K)
{
    ckda_elem_zero(s, K);
    for (slong i = 0; i < n; i++)
        ckda_elem_addmul(s, w + i, w + i, K);
}

/* A -= c w (w^T A): one Householder step from the left, O(n^2). */
static void
apply_step(ckda_mat_t A, const ckda_elem_t c, const ckda_elem_struct *w,
           const ckda_field_t K)
{
    ckda_elem_t v;
    ckda_elem_init(v, K);
    for (slong j = 0; j < A->cols; j++) {
        ckda_elem_zero(v, K);
        for (slong i = 0; i < A->rows; i++)
            ckda_elem_addmul(v, w + i, ckda_mat_entry(A, i, j), K);
        ckda_elem_mul(v, v, c, K);
        for (slong i = 0; i < A->rows; i++)
            ckda_elem_submul(ckda_mat_entry(A, i, j), v, w + i, K);
    }
    ckda_elem_clear(v, K);
}

static ckda_status
steps_matrix(ckda_mat_t A, const ckda_trans_t t, const ckda_field_t K)
{
    ckda_mat_t B;
    ckda_elem_t c;
    ckda_mat_init(B, t->n, t->n, K);
    ckda_elem_init(c, K);
    for (slong i = 0; i < t->n; i++)
        ckda_elem_set(ckda_mat_entry(B, i, i), t->gate + i, K);
    ckda_status st = CKDA_OK;
    for (slong j = 0; j < t->steps && st == CKDA_OK; j++) {
        norm_squared(c, trans_key(t, j), t->n, K);
        st =
            ckda_elem_div(c, t->beta + j, c, K); /* a zero key ends here: CKDA_E_DOMAIN */
        if (st == CKDA_OK)
            apply_step(B, c, trans_key(t, j), K);
    }
    if (st == CKDA_OK)
        ckda_mat_swap(A, B);
    ckda_elem_clear(c, K);
    ckda_mat_clear(B, K);
    return st;
}

ckda_status
ckda_trans_matrix(ckda_mat_t A, const ckda_trans_t t, const ckda_field_t K)
{
    if (A->rows != t->n || A->cols != t->n)
        return CKDA_E_SHAPE;
    switch (t->family) {
    case CKDA_RWKV7:
        return rwkv7_matrix(A, t, K);
    case CKDA_MDN:
        return mdn_matrix(A, t, K);
    case CKDA_SFDA:
        return sfda_matrix(A, t, K);
    default:
        return steps_matrix(A, t, K);
    }
}
