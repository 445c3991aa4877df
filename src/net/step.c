/* What one head does at one position: storage. */
#include "net_internal.h"

void
ckda_net_step_init(ckda_net_step *t, slong n, slong m, slong h, slong s,
                   const ckda_field_t K)
{
    ckda_require(n >= 1 && m >= 1 && h >= 1 && s >= 1,
                 "a head of shape %ld, %ld, %ld, %ld", (long)n, (long)m, (long)h,
                 (long)s);
    *t = (ckda_net_step){.n = n, .m = m, .h = h, .s = s};
    ckda_mat_init(t->data, 1, s + s * n + n + s * m + n * h, K);
    t->beta = t->data->entry;
    t->key = t->beta + s;
    t->gate = t->key + s * n;
    t->value = t->gate + n;
    t->query = t->value + s * m;
    t->scale = flint_malloc((size_t)s * sizeof *t->scale);
    for (slong j = 0; j < s; j++) {
        ckda_elem_init(t->scale + j, K);
        ckda_elem_one(t->key + j * n, K);
    }
    for (slong i = 0; i < n; i++)
        ckda_elem_one(t->gate + i, K);
}

void
ckda_net_step_clear(ckda_net_step *t, const ckda_field_t K)
{
    for (slong j = 0; j < t->s; j++)
        ckda_elem_clear(t->scale + j, K);
    flint_free(t->scale);
    ckda_mat_clear(t->data, K);
}

void
ckda_net_step_set(ckda_net_step *t, const ckda_net_step *u, const ckda_field_t K)
{
    ckda_require(t->n == u->n && t->m == u->m && t->h == u->h && t->s == u->s,
                 "steps of different shapes");
    const ckda_status st = ckda_mat_set(t->data, u->data, K);
    ckda_require(st == CKDA_OK, "equal shapes");
    for (slong j = 0; j < t->s; j++)
        ckda_elem_set(t->scale + j, u->scale + j, K);
}

ckda_status
ckda_net_step_ready(ckda_net_step *t, const ckda_field_t K)
{
    ckda_status st = CKDA_OK;
    ckda_elem_t norm;
    ckda_elem_init(norm, K);
    for (slong j = 0; st == CKDA_OK && j < t->s; j++) {
        const ckda_elem_struct *w = t->key + j * t->n;
        ckda_elem_zero(norm, K);
        if (ckda_elem_is_zero(t->beta + j, K)) {
            ckda_elem_zero(t->scale + j, K);
            continue;
        }
        for (slong i = 0; i < t->n; i++)
            if (!ckda_elem_is_zero(w + i, K))
                ckda_elem_addmul(norm, w + i, w + i, K);
        if (ckda_elem_is_one(norm, K))
            ckda_elem_set(t->scale + j, t->beta + j, K);
        else
            st = ckda_elem_div(t->scale + j, t->beta + j, norm, K);
    }
    ckda_elem_clear(norm, K);
    return st;
}

void
net_query_all(ckda_net_step *t, const ckda_field_t K)
{
    ckda_require(t->h == t->n, "%ld queries in dimension %ld", (long)t->h, (long)t->n);
    for (slong i = 0; i < t->n; i++)
        ckda_elem_one(t->query + i * t->h + i, K);
}

void
net_step_set_trans(ckda_net_step *t, const ckda_trans_struct *u, const ckda_field_t K)
{
    ckda_require(u->n == t->n && u->steps <= t->s, "a transition of another shape");
    for (slong j = 0; j < u->steps; j++) {
        ckda_elem_set(t->beta + j, u->beta + j, K);
        for (slong i = 0; i < t->n; i++)
            ckda_elem_set(t->key + j * t->n + i, u->key + j * t->n + i, K);
    }
    for (slong i = 0; i < t->n; i++)
        ckda_elem_set(t->gate + i, u->gate + i, K);
    const ckda_status st = ckda_net_step_ready(t, K);
    ckda_require(st == CKDA_OK, "a transition has a nonzero key");
}
