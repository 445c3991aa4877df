/* Lists of CKDA factors as values, their product and their ranges. */
#include <stdio.h>
#include <stdlib.h>
#include "factorise_internal.h"

void
ckda_factors_init(ckda_factors_t f, slong n, const ckda_field_t K)
{
    (void)K;
    ckda_require(n >= 0, "n = %ld", (long)n);
    *f = (ckda_factors_struct){.n = n};
}

void
ckda_factors_clear(ckda_factors_t f, const ckda_field_t K)
{
    for (slong i = 0; i < f->count; i++)
        ckda_trans_clear(f->step + i, K);
    flint_free(f->step);
}

void
ckda_factors_swap(ckda_factors_t f, ckda_factors_t g)
{
    const ckda_factors_struct old = *f;
    *f = *g;
    *g = old;
}

ckda_trans_struct *
factorise_append(ckda_factors_t f, const ckda_field_t K)
{
    if (f->count == f->alloc) {
        f->alloc = 2 * f->alloc + 4;
        f->step = flint_realloc(f->step, (size_t)f->alloc * sizeof *f->step);
    }
    ckda_trans_struct *t = f->step + f->count;
    ckda_trans_init(t, CKDA_CKDA, f->n, 1, K);
    ckda_elem_zero(t->key, K);
    f->count++;
    return t;
}

void
factorise_must(ckda_status status)
{
    ckda_require(status == CKDA_OK, "status %d", (int)status);
}

ckda_status
ckda_factors_push(ckda_factors_t f, const ckda_trans_t t, const ckda_field_t K)
{
    if (t->family != CKDA_CKDA || t->n != f->n || t->steps != 1)
        return CKDA_E_SHAPE;
    ckda_trans_struct copy[1]; /* first: t may stand in the list that is about to move */
    ckda_trans_init_set(copy, t, K);
    ckda_trans_swap(factorise_append(f, K), copy);
    ckda_trans_clear(copy, K);
    return CKDA_OK;
}

/* ---- product -------------------------------------------------------------------- */

static void
scale_row(ckda_mat_t P, slong i, const ckda_elem_t c, const ckda_field_t K)
{
    if (ckda_elem_is_one(c, K))
        return;
    for (slong j = 0; j < P->cols; j++)
        ckda_elem_mul(ckda_mat_entry(P, i, j), ckda_mat_entry(P, i, j), c, K);
}

/* row := sum_i w_i P_i, and P_i -= c w_i row: P becomes (I - c w w^T) P. */
static void
reflect(ckda_mat_t P, const ckda_elem_t c, const ckda_elem_struct *w,
        ckda_elem_struct *row, const ckda_field_t K)
{
    ckda_elem_t x;
    ckda_elem_init(x, K);
    for (slong j = 0; j < P->cols; j++)
        ckda_elem_zero(row + j, K);
    for (slong i = 0; i < P->rows; i++) {
        if (ckda_elem_is_zero(w + i, K))
            continue;
        for (slong j = 0; j < P->cols; j++)
            ckda_elem_addmul(row + j, w + i, ckda_mat_entry(P, i, j), K);
    }
    for (slong i = 0; i < P->rows; i++) {
        if (ckda_elem_is_zero(w + i, K))
            continue;
        ckda_elem_mul(x, c, w + i, K);
        for (slong j = 0; j < P->cols; j++)
            ckda_elem_submul(ckda_mat_entry(P, i, j), x, row + j, K);
    }
    ckda_elem_clear(x, K);
}

/* P := t P. */
static ckda_status
apply(ckda_mat_t P, const ckda_trans_struct *t, ckda_elem_struct *row,
      const ckda_field_t K)
{
    ckda_status status = CKDA_OK;
    ckda_elem_t c;
    for (slong i = 0; i < P->rows; i++)
        scale_row(P, i, t->gate + i, K);
    if (ckda_elem_is_zero(t->beta, K))
        return CKDA_OK;
    ckda_elem_init(c, K);
    for (slong i = 0; i < t->n; i++)
        ckda_elem_addmul(c, t->key + i, t->key + i, K);
    status = ckda_elem_div(c, t->beta, c, K);
    if (status == CKDA_OK)
        reflect(P, c, t->key, row, K);
    ckda_elem_clear(c, K);
    return status;
}

ckda_status
ckda_factors_product(ckda_mat_t P, const ckda_factors_t f, const ckda_field_t K)
{
    if (P->rows != f->n || P->cols != f->n)
        return CKDA_E_SHAPE;
    ckda_mat_t A, row;
    ckda_mat_init(A, f->n, f->n, K);
    ckda_mat_init(row, 1, f->n, K);
    ckda_status status = ckda_mat_one(A, K);
    for (slong i = 0; i < f->count && status == CKDA_OK; i++)
        status = apply(A, f->step + i, row->entry, K);
    if (status == CKDA_OK)
        ckda_mat_swap(P, A);
    ckda_mat_clear(row, K);
    ckda_mat_clear(A, K);
    return status;
}

/* ---- ranges --------------------------------------------------------------------- */

void
ckda_factors_max_beta(ckda_elem_t beta, const ckda_factors_t f, const ckda_field_t K)
{
    slong best = -1;
    for (slong i = 0; i < f->count; i++)
        if (best < 0 || ckda_elem_cmp(f->step[i].beta, f->step[best].beta, K) > 0)
            best = i;
    ckda_elem_zero(beta, K);
    if (best >= 0 && ckda_elem_sgn(f->step[best].beta, K) > 0)
        ckda_elem_set(beta, f->step[best].beta, K);
}

static ckda_status
wrong(ckda_error *err, slong at, const char *member, slong index, const char *expected,
      const ckda_elem_struct *found, const ckda_field_t K)
{
    char place[32] = "";
    char *text = found == NULL ? NULL : ckda_elem_str(found, K);
    if (index >= 0)
        snprintf(place, sizeof place, "[%ld]", (long)index);
    ckda_error_set(err, "factors[%ld].%s%s: expected %s, found %s", (long)at, member,
                   place, expected, text == NULL ? "only zeros" : text);
    free(text);
    return CKDA_E_DOMAIN;
}

static ckda_status
check_step(const ckda_factors_t f, slong at, const ckda_field_t K, ckda_error *err)
{
    const ckda_trans_struct *t = f->step + at;
    bool nonzero = false;
    if (t->family != CKDA_CKDA || t->n != f->n || t->steps != 1) {
        ckda_error_set(err, "factors[%ld]: expected one ckda step of dimension %ld",
                       (long)at, (long)f->n);
        return CKDA_E_DOMAIN;
    }
    if (ckda_elem_sgn(t->beta, K) < 0)
        return wrong(err, at, "beta", -1, "a number >= 0", t->beta, K);
    for (slong i = 0; i < f->n; i++) {
        const ckda_elem_struct *g = t->gate + i;
        if (ckda_elem_cmp_si(g, -1, K) < 0 || ckda_elem_cmp_si(g, 1, K) > 0)
            return wrong(err, at, "gate", i, "a number in [-1, 1]", g, K);
        nonzero = nonzero || !ckda_elem_is_zero(t->key + i, K);
    }
    if (!nonzero)
        return wrong(err, at, "key", -1, "a nonzero direction", NULL, K);
    return CKDA_OK;
}

ckda_status
ckda_factors_check(const ckda_factors_t f, const ckda_field_t K, ckda_error *err)
{
    ckda_status status = CKDA_OK;
    for (slong i = 0; i < f->count && status == CKDA_OK; i++)
        status = check_step(f, i, K, err);
    return status;
}

bool
ckda_factors_simulate(const ckda_factors_t f, const ckda_mat_t M, const ckda_field_t K)
{
    ckda_mat_t P;
    if (M->rows != M->cols || M->rows > f->n)
        return false;
    ckda_mat_init(P, f->n, f->n, K);
    bool ok = ckda_factors_check(f, K, NULL) == CKDA_OK
              && ckda_factors_product(P, f, K) == CKDA_OK;
    for (slong i = 0; i < M->rows && ok; i++)
        for (slong j = 0; j < f->n && ok; j++)
            ok = j < M->cols ? ckda_elem_equal(ckda_mat_entry(P, i, j),
                                               ckda_mat_entry(M, i, j), K)
                             : ckda_elem_is_zero(ckda_mat_entry(P, i, j), K);
    ckda_mat_clear(P, K);
    return ok;
}
