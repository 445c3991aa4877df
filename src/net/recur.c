/* The recurrence of one head, and nothing else.
 *
 *     H <- (I - beta k k^T) Diag(alpha) H + beta k v^T = G + (beta k) (v - G^T k)^T,
 *     G = Diag(alpha) H;   o = H^T q.
 *
 * With the direction w = |w| k, scale = beta / w^T w and the value |w| v, the second form
 * reads G + (scale w) (|w| v - G^T w)^T. */
#include "net_internal.h"

static void
apply_gate(ckda_mat_t H, const ckda_elem_struct *gate, const ckda_field_t K)
{
    for (slong i = 0; i < H->rows; i++) {
        if (ckda_elem_is_one(gate + i, K))
            continue;
        for (slong c = 0; c < H->cols; c++)
            ckda_elem_mul(ckda_mat_entry(H, i, c), ckda_mat_entry(H, i, c), gate + i, K);
    }
}

/* One update; rows where the key is zero do not change. */
static void
update(ckda_mat_t H, const ckda_net_step *t, slong j, const ckda_field_t K)
{
    const ckda_elem_struct *w = t->key + j * t->n, *v = t->value + j * t->m;
    slong *support = flint_malloc((size_t)t->n * sizeof *support), count = 0;
    ckda_elem_t e;
    ckda_elem_init(e, K);
    for (slong i = 0; i < t->n; i++)
        if (!ckda_elem_is_zero(w + i, K))
            support[count++] = i;
    for (slong c = 0; c < H->cols; c++) {
        ckda_elem_set(e, v + c, K);
        for (slong l = 0; l < count; l++)
            ckda_elem_submul(e, ckda_mat_entry(H, support[l], c), w + support[l], K);
        if (ckda_elem_is_zero(e, K))
            continue;
        ckda_elem_mul(e, e, t->scale + j, K);
        for (slong l = 0; l < count; l++)
            ckda_elem_addmul(ckda_mat_entry(H, support[l], c), e, w + support[l], K);
    }
    ckda_elem_clear(e, K);
    flint_free(support);
}

static void
read_out(ckda_mat_t o, const ckda_mat_t H, const ckda_net_step *t, const ckda_field_t K)
{
    ckda_mat_zero(o, K);
    for (slong i = 0; i < H->rows; i++)
        for (slong g = 0; g < t->h; g++) {
            const ckda_elem_struct *q = t->query + i * t->h + g;
            if (ckda_elem_is_zero(q, K))
                continue;
            for (slong c = 0; c < H->cols; c++) {
                const ckda_elem_struct *x = ckda_mat_entry(H, i, c);
                if (!ckda_elem_is_zero(x, K))
                    ckda_elem_addmul(ckda_mat_entry(o, c, g), x, q, K);
            }
        }
}

void
ckda_net_recur(ckda_mat_t H, ckda_mat_t o, const ckda_net_step *t, const ckda_field_t K)
{
    ckda_require(H->rows == t->n && H->cols == t->m && o->rows == t->m && o->cols == t->h,
                 "a state or output that does not fit its step");
    apply_gate(H, t->gate, K);
    for (slong j = 0; j < t->s; j++)
        if (!ckda_elem_is_zero(t->beta + j, K))
            update(H, t, j, K);
    read_out(o, H, t, K);
}
