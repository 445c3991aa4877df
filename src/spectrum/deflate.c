/* What gives eigenvalues of a one-step transition for certain is taken out first. */
#include "internal.h"

typedef struct {
    ckda_elem_struct *gate, *weight; /* weight: k_i^2 with ||k|| = 1, times beta */
    slong n;
} table;

static void
remove_row(ckda_deflated_t d, table *t, slong i, const ckda_field_t K)
{
    ckda_elem_set(d->removed + d->nremoved++, t->gate + i, K);
    for (slong j = i; j + 1 < t->n; j++) {
        ckda_elem_swap(t->gate + j, t->gate + j + 1, K);
        ckda_elem_swap(t->weight + j, t->weight + j + 1, K);
    }
    t->n--;
}

/* weight_i = beta w_i^2 / w^T w.  CKDA_E_DOMAIN if w = 0. */
static ckda_status
set_weights(ckda_elem_struct *weight, const ckda_trans_t t, const ckda_field_t K)
{
    ckda_elem_t norm, scale;
    ckda_status st;

    ckda_elem_init(norm, K);
    ckda_elem_init(scale, K);
    for (slong i = 0; i < t->n; i++)
        ckda_elem_addmul(norm, t->key + i, t->key + i, K);
    st = ckda_elem_div(scale, t->beta, norm, K);
    for (slong i = 0; st == CKDA_OK && i < t->n; i++) {
        ckda_elem_mul(weight + i, t->key + i, t->key + i, K);
        ckda_elem_mul(weight + i, weight + i, scale, K);
    }
    ckda_elem_clear(scale, K);
    ckda_elem_clear(norm, K);
    return st;
}

static void
sort_by_gate(table *t, const ckda_field_t K)
{
    for (slong i = 1; i < t->n; i++)
        for (slong j = i; j > 0 && ckda_elem_cmp(t->gate + j - 1, t->gate + j, K) > 0;
             j--) {
            ckda_elem_swap(t->gate + j - 1, t->gate + j, K);
            ckda_elem_swap(t->weight + j - 1, t->weight + j, K);
        }
}

/* The order matters: merging needs the full support, and a zero gate may carry the merged
 * weight of several.  A weight is zero where the key is (or everywhere if beta = 0). */
static void
reduce(ckda_deflated_t d, table *t, const ckda_field_t K)
{
    for (slong i = t->n - 1; i >= 0; i--)
        if (ckda_elem_is_zero(t->weight + i, K))
            remove_row(d, t, i, K);
    sort_by_gate(t, K);
    for (slong i = t->n - 1; i > 0; i--)
        if (ckda_elem_equal(t->gate + i - 1, t->gate + i, K)) {
            ckda_elem_add(t->weight + i - 1, t->weight + i - 1, t->weight + i, K);
            remove_row(d, t, i, K);
        }
    for (slong i = t->n - 1; i >= 0; i--)
        if (ckda_elem_is_zero(t->gate + i, K))
            remove_row(d, t, i, K);
}

ckda_status
ckda_trans_deflate(ckda_deflated_t d, const ckda_trans_t t, const ckda_field_t K)
{
    table tab = {NULL, NULL, t->n};
    ckda_deflated_struct r = {0};
    ckda_status st;

    if (t->steps != 1)
        return CKDA_E_SHAPE;
    tab.gate = ckda_elem_vec_new(t->n, K);
    tab.weight = ckda_elem_vec_new(t->n, K);
    st = set_weights(tab.weight, t, K);
    if (st != CKDA_OK) {
        ckda_elem_vec_free(tab.weight, t->n, K);
        ckda_elem_vec_free(tab.gate, t->n, K);
        return st;
    }
    for (slong i = 0; i < t->n; i++)
        ckda_elem_set(tab.gate + i, t->gate + i, K);
    r.removed = ckda_elem_vec_new(t->n, K);
    reduce(&r, &tab, K);
    /* beta (1 - k_0^2) with the weights renormalised: the kept weights stay as they are
     */
    ckda_elem_init(&r.beta, K);
    r.m = tab.n;
    for (slong i = 0; i < r.m; i++)
        ckda_elem_add(&r.beta, &r.beta, tab.weight + i, K);
    for (slong i = r.m; i < t->n; i++) {
        ckda_elem_clear(tab.gate + i, K);
        ckda_elem_clear(tab.weight + i, K);
    }
    for (slong i = r.nremoved; i < t->n; i++)
        ckda_elem_clear(r.removed + i, K);
    r.gate = tab.gate;
    r.weight = tab.weight;
    *d = r;
    return CKDA_OK;
}

void
ckda_deflated_clear(ckda_deflated_t d, const ckda_field_t K)
{
    ckda_elem_vec_free(d->gate, d->m, K);
    ckda_elem_vec_free(d->weight, d->m, K);
    ckda_elem_vec_free(d->removed, d->nremoved, K);
    ckda_elem_clear(&d->beta, K);
}

void
ckda_deflated_charpoly(ckda_poly_t chi, const ckda_deflated_t d, const ckda_field_t K)
{
    ckda_poly_t P, sum, term;
    ckda_elem_t c;

    ckda_poly_init(P, K);
    ckda_poly_init(sum, K);
    ckda_poly_init(term, K);
    ckda_elem_init(c, K);
    ckda_poly_one(P, K);
    for (slong i = 0; i < d->m; i++) {
        ckda_poly_set_root(term, d->gate + i, K);
        ckda_poly_mul(P, P, term, K);
    }
    for (slong i = 0; i < d->m; i++) {
        ckda_spectrum_deflate_root(term, P, d->gate + i, K);
        ckda_poly_scalar_mul(term, term, d->weight + i, K);
        ckda_poly_add(sum, sum, term, K);
    }
    ckda_poly_shift_left(sum, sum, 1, K);
    ckda_elem_one(c, K);
    ckda_elem_sub(c, c, &d->beta, K);
    ckda_poly_scalar_mul(P, P, c, K);
    ckda_poly_add(chi, P, sum, K);
    ckda_elem_clear(c, K);
    ckda_poly_clear(term, K);
    ckda_poly_clear(sum, K);
    ckda_poly_clear(P, K);
}
