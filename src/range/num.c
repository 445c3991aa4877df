#include "range_internal.h"

rg_num *
rg_new(slong n, const rg_ctx *c)
{
    rg_num *x = flint_malloc((size_t)(n > 0 ? n : 1) * sizeof *x);
    for (slong i = 0; i < n; i++) {
        if (c->exact)
            ckda_elem_init(x[i].elem, c->K);
        else
            arb_init(x[i].ball);
    }
    return x;
}

void
rg_free(rg_num *x, slong n, const rg_ctx *c)
{
    if (x == NULL)
        return;
    for (slong i = 0; i < n; i++) {
        if (c->exact)
            ckda_elem_clear(x[i].elem, c->K);
        else
            arb_clear(x[i].ball);
    }
    flint_free(x);
}

void
rg_zero(rg_num *x, const rg_ctx *c)
{
    if (c->exact)
        ckda_elem_zero(x->elem, c->K);
    else
        arb_zero(x->ball);
}

void
rg_one(rg_num *x, const rg_ctx *c)
{
    if (c->exact)
        ckda_elem_one(x->elem, c->K);
    else
        arb_one(x->ball);
}

void
rg_set(rg_num *x, const rg_num *y, const rg_ctx *c)
{
    if (c->exact)
        ckda_elem_set(x->elem, y->elem, c->K);
    else
        arb_set(x->ball, y->ball);
}

void
rg_set_elem(rg_num *x, const ckda_elem_t y, const rg_ctx *c)
{
    if (c->exact)
        ckda_elem_set(x->elem, y, c->K);
    else
        ckda_elem_get_arb(x->ball, y, c->K, c->prec);
}

void
rg_add(rg_num *z, const rg_num *x, const rg_num *y, const rg_ctx *c)
{
    if (c->exact)
        ckda_elem_add(z->elem, x->elem, y->elem, c->K);
    else
        arb_add(z->ball, x->ball, y->ball, c->prec);
}

void
rg_sub(rg_num *z, const rg_num *x, const rg_num *y, const rg_ctx *c)
{
    if (c->exact)
        ckda_elem_sub(z->elem, x->elem, y->elem, c->K);
    else
        arb_sub(z->ball, x->ball, y->ball, c->prec);
}

void
rg_mul(rg_num *z, const rg_num *x, const rg_num *y, const rg_ctx *c)
{
    if (c->exact)
        ckda_elem_mul(z->elem, x->elem, y->elem, c->K);
    else
        arb_mul(z->ball, x->ball, y->ball, c->prec);
}

void
rg_neg(rg_num *z, const rg_num *x, const rg_ctx *c)
{
    if (c->exact)
        ckda_elem_neg(z->elem, x->elem, c->K);
    else
        arb_neg(z->ball, x->ball);
}

void
rg_addmul(rg_num *z, const rg_num *x, const rg_num *y, const rg_ctx *c)
{
    if (c->exact)
        ckda_elem_addmul(z->elem, x->elem, y->elem, c->K);
    else
        arb_addmul(z->ball, x->ball, y->ball, c->prec);
}

void
rg_submul(rg_num *z, const rg_num *x, const rg_num *y, const rg_ctx *c)
{
    if (c->exact)
        ckda_elem_submul(z->elem, x->elem, y->elem, c->K);
    else
        arb_submul(z->ball, x->ball, y->ball, c->prec);
}

bool
rg_is_surely_zero(const rg_num *x, const rg_ctx *c)
{
    return c->exact ? ckda_elem_is_zero(x->elem, c->K) : arb_is_zero(x->ball);
}

ckda_truth
rg_equal(const rg_num *x, const rg_num *y, slong n, const rg_ctx *c)
{
    ckda_truth all = CKDA_TRUE;
    for (slong i = 0; i < n && all != CKDA_FALSE; i++) {
        if (c->exact)
            all = ckda_elem_equal(x[i].elem, y[i].elem, c->K) ? all : CKDA_FALSE;
        else if (!arb_overlaps(x[i].ball, y[i].ball))
            all = CKDA_FALSE;
        else if (!arb_is_exact(x[i].ball) || !arb_equal(x[i].ball, y[i].ball))
            all = CKDA_UNKNOWN;
    }
    return all;
}

void
rg_value_set_num(rg_value *v, const rg_num *x, const rg_ctx *c)
{
    if (c->exact)
        rg_value_set_elem(v, x->elem, c->K);
    else
        rg_value_set_ball(v, x->ball);
}

/* Balls: the largest of all is enclosed by the maximum of the enclosures; the place is that
 * of the largest midpoint. */
static void
largest_ball(rg_value *v, slong *at, const rg_num *x, slong n)
{
    arb_t best, a;
    arb_init(best);
    arb_init(a);
    for (slong i = 0; i < n; i++) {
        arb_abs(a, x[i].ball);
        if (*at < 0 || arf_cmp(arb_midref(a), arb_midref(best)) > 0)
            *at = i;
        arb_max(best, best, a, 2 * arb_bits(a) + 64);
    }
    rg_value_set_ball(v, best);
    arb_clear(a);
    arb_clear(best);
}

void
rg_largest(rg_value *v, slong *at, const rg_num *x, slong n, const rg_ctx *c)
{
    *at = -1;
    if (!c->exact) {
        largest_ball(v, at, x, n);
        return;
    }
    ckda_elem_t best, a;
    ckda_elem_init(best, c->K);
    ckda_elem_init(a, c->K);
    for (slong i = 0; i < n; i++) {
        ckda_elem_abs(a, x[i].elem, c->K);
        if (*at < 0 || ckda_elem_cmp(a, best, c->K) > 0) {
            *at = i;
            ckda_elem_swap(best, a, c->K);
        }
    }
    rg_value_set_elem(v, best, c->K);
    ckda_elem_clear(best, c->K);
    ckda_elem_clear(a, c->K);
}

void
rg_matmul(rg_num *C, const rg_num *A, const rg_num *B, slong m, slong k, slong n,
          const rg_ctx *c)
{
    for (slong i = 0; i < m; i++)
        for (slong j = 0; j < n; j++)
            rg_zero(C + i * n + j, c);
    for (slong i = 0; i < m; i++)
        for (slong l = 0; l < k; l++) {
            if (rg_is_surely_zero(A + i * k + l, c))
                continue;
            for (slong j = 0; j < n; j++)
                if (!rg_is_surely_zero(B + l * n + j, c))
                    rg_addmul(C + i * n + j, A + i * k + l, B + l * n + j, c);
        }
}

ckda_status
rg_round(uint64_t *x, const rg_num *y, const ckda_fp_format *f, const rg_ctx *c)
{
    rg_value v;
    rg_value_init(&v);
    rg_value_set_num(&v, y, c);
    ckda_status status = rg_value_round(x, &v, f, &ckda_fp_rne);
    const bool negative =
        c->exact ? ckda_elem_sgn(y->elem, c->K) < 0 : arf_sgn(arb_midref(y->ball)) < 0;
    if (status == CKDA_OK && negative)
        *x = ckda_fp_neg(*x, f);
    rg_value_clear(&v);
    return status;
}
