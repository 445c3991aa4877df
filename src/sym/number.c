/* number.c -- exact values of a graph at one point: the second, independent evaluator.
 *
 * A number is a polynomial in the algebraic coordinate of the point modulo its minimal
 * polynomial, an element of a field; at rational points a constant. */
#include "internal.h"

static sym_nummat *
nummat_new(slong rows, slong cols)
{
    sym_nummat *m = flint_malloc(sizeof *m);
    m->rows = rows;
    m->cols = cols;
    m->at = flint_malloc((size_t)(rows * cols) * sizeof *m->at);
    for (slong i = 0; i < rows * cols; i++)
        fmpq_poly_init(m->at + i);
    return m;
}

void
ckda_sym_nummat_free(sym_nummat *m)
{
    for (slong i = 0; i < m->rows * m->cols; i++)
        fmpq_poly_clear(m->at + i);
    flint_free(m->at);
    flint_free(m);
}

void
ckda_sym_num_mul(fmpq_poly_t r, const fmpq_poly_t a, const fmpq_poly_t b,
                 const sym_point *pt)
{
    fmpq_poly_mul(r, a, b);
    if (pt->modulus != NULL && fmpq_poly_length(r) >= fmpq_poly_length(pt->modulus))
        fmpq_poly_rem(r, r, pt->modulus);
}

bool
ckda_sym_num_inv(fmpq_poly_t r, const fmpq_poly_t a, const sym_point *pt)
{
    if (fmpq_poly_is_zero(a))
        return false;
    if (fmpq_poly_length(a) == 1) {
        fmpq_poly_inv(r, a);
        return true;
    }
    fmpq_poly_t g, t, u;
    fmpq_poly_init(g);
    fmpq_poly_init(t);
    fmpq_poly_init(u);
    fmpq_poly_xgcd(g, t, u, a, pt->modulus); /* g = 1: the modulus is irreducible */
    bool ok = fmpq_poly_is_one(g);
    if (ok)
        fmpq_poly_swap(r, t);
    fmpq_poly_clear(g);
    fmpq_poly_clear(t);
    fmpq_poly_clear(u);
    return ok;
}

int
ckda_sym_num_sign(const fmpq_poly_t a, const sym_point *pt)
{
    if (fmpq_poly_is_zero(a))
        return 0;
    if (fmpq_poly_length(a) == 1)
        return fmpz_sgn(fmpq_poly_numref(a));
    qqbar_t v;
    qqbar_init(v);
    qqbar_evaluate_fmpq_poly(v, a, pt->root_value);
    int sign = qqbar_sgn_re(v);
    qqbar_clear(v);
    return sign;
}

char *
ckda_sym_num_text(const ckda_sym *s, const fmpq_poly_t a, const sym_point *pt)
{
    return fmpq_poly_get_str_pretty(a, pt->modulus == NULL ? "x" : s->var[pt->algebraic]);
}

void
ckda_sym_poly_number(fmpq_poly_t r, const ckda_sym *s, const fmpz_mpoly_t f,
                     const sym_point *pt)
{
    ulong *e = flint_malloc((size_t)s->nvars * sizeof *e);
    fmpq_poly_t t, sum, base;
    fmpz_t c;
    fmpq_poly_init(t);
    fmpq_poly_init(sum);
    fmpq_poly_init(base);
    fmpz_init(c);
    for (slong i = 0; i < fmpz_mpoly_length(f, s->ctx); i++) {
        fmpz_mpoly_get_term_coeff_fmpz(c, f, i, s->ctx);
        fmpz_mpoly_get_term_exp_ui(e, f, i, s->ctx);
        fmpq_poly_set_fmpz(t, c);
        for (slong k = 0; k < s->nvars; k++) {
            fmpq_poly_set(base, pt->var + k);
            for (ulong m = e[k]; m > 0; m >>= 1) {
                if (m & 1)
                    ckda_sym_num_mul(t, t, base, pt);
                if (m > 1)
                    ckda_sym_num_mul(base, base, base, pt);
            }
        }
        fmpq_poly_add(sum, sum, t);
    }
    fmpq_poly_swap(r, sum);
    fmpq_poly_clear(t);
    fmpq_poly_clear(sum);
    fmpq_poly_clear(base);
    fmpz_clear(c);
    flint_free(e);
}

/* ---- operations ---- */

static void
put(sym_nummat *r, const sym_nummat *a, slong from_r, slong from_c, slong rows,
    slong cols, slong r0, slong c0)
{
    for (slong i = 0; i < rows; i++)
        for (slong j = 0; j < cols; j++)
            fmpq_poly_set(r->at + (r0 + i) * r->cols + c0 + j,
                          a->at + (from_r + i) * a->cols + from_c + j);
}

static void
num_matmul(sym_nummat *r, const sym_nummat *a, const sym_nummat *b, const sym_point *pt)
{
    bool scale_a = a->rows * a->cols == 1, scale_b = b->rows * b->cols == 1;
    fmpq_poly_t t;
    fmpq_poly_init(t);
    for (slong i = 0; i < r->rows; i++)
        for (slong j = 0; j < r->cols; j++) {
            fmpq_poly_struct *e = r->at + i * r->cols + j;
            if (scale_a || scale_b) {
                ckda_sym_num_mul(e, scale_a ? a->at : a->at + i * r->cols + j,
                                 scale_a ? b->at + i * r->cols + j : b->at, pt);
                continue;
            }
            fmpq_poly_zero(e);
            for (slong k = 0; k < a->cols; k++) {
                ckda_sym_num_mul(t, a->at + i * a->cols + k, b->at + k * b->cols + j, pt);
                fmpq_poly_add(e, e, t);
            }
        }
    fmpq_poly_clear(t);
}

/* Clears column k below the pivot row k; false when the whole column is zero. */
static bool
eliminate(sym_nummat *m, slong k, bool *odd, const sym_point *pt)
{
    slong n = m->rows, p = k;
    while (p < n && fmpq_poly_is_zero(m->at + p * n + k))
        p++;
    if (p == n)
        return false;
    for (slong j = 0; p != k && j < n; j++)
        fmpq_poly_swap(m->at + p * n + j, m->at + k * n + j);
    *odd = *odd != (p != k);
    fmpq_poly_t inv, f, t;
    fmpq_poly_init(inv);
    fmpq_poly_init(f);
    fmpq_poly_init(t);
    bool ok = ckda_sym_num_inv(inv, m->at + k * n + k, pt);
    for (slong i = k + 1; i < n && ok; i++) {
        ckda_sym_num_mul(f, m->at + i * n + k, inv, pt);
        for (slong j = k; j < n && !fmpq_poly_is_zero(f); j++) {
            ckda_sym_num_mul(t, f, m->at + k * n + j, pt);
            fmpq_poly_sub(m->at + i * n + j, m->at + i * n + j, t);
        }
    }
    fmpq_poly_clear(inv);
    fmpq_poly_clear(f);
    fmpq_poly_clear(t);
    return ok;
}

/* Determinant of a without row di and column dj (none when negative). */
static void
num_det(fmpq_poly_t r, const sym_nummat *a, slong di, slong dj, const sym_point *pt)
{
    slong n = a->rows - (di >= 0 ? 1 : 0);
    sym_nummat *m = nummat_new(n, n);
    bool odd = false;
    for (slong i = 0; i < n; i++)
        for (slong j = 0; j < n; j++)
            fmpq_poly_set(m->at + i * n + j, a->at + (i + (di >= 0 && i >= di)) * a->cols
                                                 + j + (dj >= 0 && j >= dj));
    fmpq_poly_one(r);
    for (slong k = 0; k < n; k++) {
        if (!eliminate(m, k, &odd, pt)) {
            fmpq_poly_zero(r);
            break;
        }
        ckda_sym_num_mul(r, r, m->at + k * n + k, pt);
    }
    if (odd)
        fmpq_poly_neg(r, r);
    ckda_sym_nummat_free(m);
}

static void
num_adj(sym_nummat *r, const sym_nummat *a, const sym_point *pt)
{
    for (slong i = 0; i < a->rows; i++)
        for (slong j = 0; j < a->rows; j++) {
            fmpq_poly_struct *e = r->at + j * a->rows + i;
            num_det(e, a, i, j, pt);
            if ((i + j) % 2 == 1)
                fmpq_poly_neg(e, e);
        }
}

static bool
num_div(sym_nummat *r, const sym_nummat *a, const sym_nummat *b, const sym_point *pt)
{
    fmpq_poly_t inv;
    fmpq_poly_init(inv);
    bool ok = ckda_sym_num_inv(inv, b->at, pt);
    for (slong i = 0; ok && i < a->rows * a->cols; i++)
        ckda_sym_num_mul(r->at + i, a->at + i, inv, pt);
    fmpq_poly_clear(inv);
    return ok;
}

static void
num_pow(sym_nummat *r, const sym_nummat *a, slong e, const sym_point *pt)
{
    sym_nummat *t = nummat_new(a->rows, a->rows), *swap;
    sym_nummat *acc = nummat_new(a->rows, a->rows);
    put(acc, a, 0, 0, a->rows, a->rows, 0, 0);
    for (; e > 1; e--) { /* plain repetition: a way of its own beside value.c */
        num_matmul(t, acc, a, pt);
        swap = acc;
        acc = t;
        t = swap;
    }
    put(r, acc, 0, 0, a->rows, a->rows, 0, 0);
    ckda_sym_nummat_free(t);
    ckda_sym_nummat_free(acc);
}

/* diff is formal: the derivative comes from the rational function, its value from the
 * point.  Undefined where f itself is. */
static bool
num_diff(sym_nummat *r, ckda_sym *s, sym_node *n, sym_point *pt)
{
    const sym_nummat *f;
    const sym_ratmat *v;
    fmpq_poly_t den;
    if (!ckda_sym_number(&f, s, n->kid[0], pt)
        || ckda_sym_value(&v, s, n, 1, NULL) != CKDA_OK)
        return false;
    fmpq_poly_init(den);
    ckda_sym_poly_number(den, s, v->den, pt);
    bool ok = ckda_sym_num_inv(den, den, pt);
    for (slong i = 0; ok && i < r->rows * r->cols; i++) {
        ckda_sym_poly_number(r->at + i, s, v->num + i, pt);
        ckda_sym_num_mul(r->at + i, r->at + i, den, pt);
    }
    fmpq_poly_clear(den);
    return ok;
}

/* kid 0 at the point where the variable has the value of kid 1. */
static bool
num_subst(sym_nummat *r, ckda_sym *s, sym_node *n, sym_point *pt)
{
    const sym_nummat *f, *g;
    fmpq_poly_t keep;
    uint64_t epoch = pt->epoch;
    if (!ckda_sym_number(&g, s, n->kid[1], pt))
        return false;
    fmpq_poly_init(keep);
    fmpq_poly_set(keep, pt->var + n->arg[0]);
    fmpq_poly_set(pt->var + n->arg[0], g->at);
    pt->epoch = ++s->epoch;
    bool ok = ckda_sym_number(&f, s, n->kid[0], pt);
    if (ok)
        put(r, f, 0, 0, r->rows, r->cols, 0, 0);
    fmpq_poly_set(pt->var + n->arg[0], keep);
    pt->epoch = epoch;
    fmpq_poly_clear(keep);
    return ok;
}

static void
num_leaf(sym_nummat *r, const sym_node *n, const sym_point *pt)
{
    if (n->kind == NODE_NUM)
        fmpq_poly_set_fmpq(r->at, n->num);
    else if (n->kind == NODE_VAR)
        fmpq_poly_set(r->at, pt->var + n->arg[0]);
    else if (n->kind == NODE_PARAM)
        fmpq_poly_set(r->at, pt->param + n->arg[0]);
    else if (n->kind == NODE_EYE)
        for (slong i = 0; i < n->rows; i++)
            fmpq_poly_one(r->at + i * n->rows + i);
}

static bool
num_op(sym_nummat *r, const sym_node *n, const sym_nummat *a, const sym_nummat *b,
       const sym_point *pt)
{
    switch (n->kind) {
    case NODE_ADD:
    case NODE_SUB:
        for (slong i = 0; i < r->rows * r->cols; i++)
            if (n->kind == NODE_ADD)
                fmpq_poly_add(r->at + i, a->at + i, b->at + i);
            else
                fmpq_poly_sub(r->at + i, a->at + i, b->at + i);
        return true;
    case NODE_NEG:
        for (slong i = 0; i < r->rows * r->cols; i++)
            fmpq_poly_neg(r->at + i, a->at + i);
        return true;
    case NODE_MUL:
        num_matmul(r, a, b, pt);
        return true;
    case NODE_DIV:
        return num_div(r, a, b, pt);
    case NODE_POW:
        num_pow(r, a, n->arg[0], pt);
        return true;
    case NODE_TRANS:
        for (slong i = 0; i < r->rows; i++)
            for (slong j = 0; j < r->cols; j++)
                fmpq_poly_set(r->at + i * r->cols + j, a->at + j * a->cols + i);
        return true;
    case NODE_PART:
        put(r, a, n->arg[0], n->arg[1], n->rows, n->cols, 0, 0);
        return true;
    case NODE_DET:
        num_det(r->at, a, -1, -1, pt);
        return true;
    default:
        ckda_require(n->kind == NODE_ADJ, "unknown node %d", (int)n->kind);
        num_adj(r, a, pt);
        return true;
    }
}

static bool
compute(sym_nummat *r, ckda_sym *s, sym_node *n, sym_point *pt)
{
    const sym_nummat *a = NULL, *b = NULL;
    if (n->kind == NODE_NUM || n->nkids == 0) {
        num_leaf(r, n, pt);
        return true;
    }
    if (n->kind == NODE_DIFF)
        return num_diff(r, s, n, pt);
    if (n->kind == NODE_SUBST)
        return num_subst(r, s, n, pt);
    if (n->kind == NODE_MAT) {
        for (slong k = 0; k < n->nkids; k++) {
            if (!ckda_sym_number(&a, s, n->kid[k], pt))
                return false;
            put(r, a, 0, 0, a->rows, a->cols, n->place[2 * k], n->place[2 * k + 1]);
        }
        return true;
    }
    /* A subst inside kid 1 may overwrite the memo of kid 0 (same node, other point),
     * never the other way round once kid 0 is asked for again: a graph has no cycles. */
    return ckda_sym_number(&a, s, n->kid[0], pt)
           && (n->nkids == 1 || ckda_sym_number(&b, s, n->kid[1], pt))
           && ckda_sym_number(&a, s, n->kid[0], pt) && num_op(r, n, a, b, pt);
}

bool
ckda_sym_number(const sym_nummat **v, ckda_sym *s, sym_node *n, sym_point *pt)
{
    if (n->number == NULL || n->epoch != pt->epoch) {
        sym_nummat *r = nummat_new(n->rows, n->cols);
        if (!compute(r, s, n, pt)) {
            ckda_sym_nummat_free(r);
            return false;
        }
        if (n->number != NULL)
            ckda_sym_nummat_free(n->number);
        n->number = r;
        n->epoch = pt->epoch;
    }
    *v = n->number;
    return true;
}
