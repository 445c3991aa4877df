/* value.c -- the rational functions a graph stands for, and the basis of the relations.
 *
 * Invariant.  At every point that satisfies the relations and where none of the collected
 * divisors vanishes, the value num / den has den != 0 and equals what the text says.  In
 * mode 0 numerators and denominators may be replaced by normal forms, which agree at such
 * points; below diff and subst the relations do not apply and mode 1 is used.          */
#include "internal.h"

static ckda_status
too_big(const sym_node *n, ckda_error *err)
{
    ckda_error_set(err, "%s: an intermediate polynomial has too many terms", n->label);
    return CKDA_E_UNABLE;
}

static void
add_divisor(fmpz_mpoly_vec_t list, const fmpz_mpoly_t f, const ckda_sym *s)
{
    if (fmpz_mpoly_is_fmpz(f, s->ctx))
        return;
    fmpz_mpoly_t g;
    fmpz_mpoly_init(g, s->ctx);
    fmpz_mpoly_set(g, f, s->ctx);
    ckda_sym_poly_primitive(g, s);
    fmpz_mpoly_vec_insert_unique(list, g, s->ctx);
    fmpz_mpoly_clear(g, s->ctx);
}

/* What a division by n asks to be non-zero: the factors of the text one by one, which
 * keeps the report short and lets assumptions about each apply. */
static ckda_status
record_divisor(fmpz_mpoly_vec_t list, ckda_sym *s, sym_node *n, int mode, ckda_error *err)
{
    const sym_ratmat *v;
    ckda_status st;
    bool product = n->kind == NODE_MUL && n->kid[0]->rows * n->kid[0]->cols == 1;
    if (n->kind == NODE_POW || n->kind == NODE_NEG)
        return record_divisor(list, s, n->kid[0], mode, err);
    if (product) {
        st = record_divisor(list, s, n->kid[0], mode, err);
        return st != CKDA_OK ? st : record_divisor(list, s, n->kid[1], mode, err);
    }
    if ((st = ckda_sym_value(&v, s, n, mode, err)) == CKDA_OK)
        add_divisor(list, v->num, s);
    return st;
}

static void
put(sym_ratmat *r, const fmpz_mpoly_struct *num, slong rows, slong cols, slong stride,
    slong r0, slong c0, const ckda_sym *s)
{
    for (slong i = 0; i < rows; i++)
        for (slong j = 0; j < cols; j++)
            fmpz_mpoly_set(r->num + (r0 + i) * r->cols + c0 + j, num + i * stride + j,
                           s->ctx);
}

/* A matrix of blocks: each block is added in place, over a common denominator. */
static ckda_status
compute_mat(sym_ratmat *r, ckda_sym *s, sym_node *n, int mode, ckda_error *err)
{
    ckda_status st = CKDA_OK;
    for (slong k = 0; k < n->nkids && st == CKDA_OK; k++) {
        const sym_ratmat *v;
        if ((st = ckda_sym_value(&v, s, n->kid[k], mode, err)) != CKDA_OK)
            break;
        if (fmpz_mpoly_equal(v->den, r->den, s->ctx)) {
            put(r, v->num, v->rows, v->cols, v->cols, n->place[2 * k],
                n->place[2 * k + 1], s);
            continue;
        }
        sym_ratmat wide;
        ckda_sym_ratmat_init(&wide, r->rows, r->cols, s);
        put(&wide, v->num, v->rows, v->cols, v->cols, n->place[2 * k],
            n->place[2 * k + 1], s);
        fmpz_mpoly_set(wide.den, v->den, s->ctx);
        ckda_sym_ratmat_add(r, r, &wide, 1, s);
        ckda_sym_ratmat_clear(&wide, s);
    }
    return st;
}

static ckda_status
compute_leaf(sym_ratmat *r, const ckda_sym *s, const sym_node *n)
{
    if (n->kind == NODE_NUM) {
        fmpz_mpoly_set_fmpz(r->num, fmpq_numref(n->num), s->ctx);
        fmpz_mpoly_set_fmpz(r->den, fmpq_denref(n->num), s->ctx);
    } else if (n->kind == NODE_VAR) {
        fmpz_mpoly_gen(r->num, n->arg[0], s->ctx);
    } else if (n->kind == NODE_EYE) {
        for (slong i = 0; i < n->rows; i++)
            fmpz_mpoly_one(r->num + i * n->rows + i, s->ctx);
    } else {
        ckda_require(n->kind == NODE_ZERO, "node %d is no leaf", (int)n->kind);
    }
    return CKDA_OK;
}

static void
compute_pow(sym_ratmat *r, const sym_ratmat *a, slong e, int mode, ckda_sym *s)
{
    sym_ratmat base, t;
    ckda_sym_ratmat_init(&base, a->rows, a->rows, s);
    ckda_sym_ratmat_add(&base, &base, a, 1, s);
    for (slong i = 0; i < a->rows; i++)
        fmpz_mpoly_one(r->num + i * a->rows + i, s->ctx);
    for (; e > 0; e >>= 1) {
        for (int square = 0; square < 2; square++) {
            if (square ? e == 1 : !(e & 1))
                continue;
            ckda_sym_ratmat_init(&t, a->rows, a->rows, s);
            ckda_sym_ratmat_mul(&t, square ? &base : r, &base, s);
            if (mode == 0)
                ckda_sym_ratmat_reduce(&t, s);
            ckda_sym_ratmat_clear(square ? &base : r, s);
            *(square ? &base : r) = t;
        }
    }
    ckda_sym_ratmat_clear(&base, s);
}

/* ---- substitution and derivative: all variables independent ---- */

/* r = num^... : the value of f with p / q for the variable, times q^m. */
static void
compose(fmpz_mpoly_t r, const fmpz_mpoly_t f, slong var, const fmpz_mpoly_t p,
        const fmpz_mpoly_t q, slong m, ckda_sym *s)
{
    fmpz_mpoly_univar_t u;
    fmpz_mpoly_t t, w;
    fmpz_mpoly_univar_init(u, s->ctx);
    fmpz_mpoly_init(t, s->ctx);
    fmpz_mpoly_init(w, s->ctx);
    fmpz_mpoly_to_univar(u, f, var, s->ctx);
    fmpz_mpoly_zero(r, s->ctx);
    for (slong i = 0; i < u->length; i++) {
        slong e = fmpz_mpoly_univar_get_term_exp_si(u, i, s->ctx);
        ckda_sym_poly_pow(t, p, e, s);
        ckda_sym_poly_pow(w, q, m - e, s);
        ckda_sym_poly_mul(t, t, w, s);
        ckda_sym_poly_mul(t, t, u->coeffs + i, s);
        fmpz_mpoly_add(r, r, t, s->ctx);
    }
    fmpz_mpoly_clear(t, s->ctx);
    fmpz_mpoly_clear(w, s->ctx);
    fmpz_mpoly_univar_clear(u, s->ctx);
}

static ckda_status
divide_by_zero(const sym_node *n, ckda_error *err)
{
    ckda_error_set(err, "%s: division by an expression that is identically zero",
                   n->label);
    return CKDA_E_INPUT;
}

static ckda_status
compute_subst(sym_ratmat *r, ckda_sym *s, sym_node *n, int mode, ckda_error *err)
{
    const sym_ratmat *f, *g;
    slong var = n->arg[0], m;
    ckda_status st = ckda_sym_value(&f, s, n->kid[0], 1, err);
    if (st != CKDA_OK || (st = ckda_sym_value(&g, s, n->kid[1], mode, err)) != CKDA_OK)
        return st;
    m = fmpz_mpoly_degree_si(f->den, var, s->ctx);
    for (slong i = 0; i < f->rows * f->cols; i++)
        m = FLINT_MAX(m, fmpz_mpoly_degree_si(f->num + i, var, s->ctx));
    m = FLINT_MAX(m, 0);
    for (slong i = 0; i < f->rows * f->cols; i++)
        compose(r->num + i, f->num + i, var, g->num, g->den, m, s);
    compose(r->den, f->den, var, g->num, g->den, m, s);
    /* What f was divided by must not vanish after the substitution either. */
    fmpz_mpoly_vec_t inner;
    fmpz_mpoly_t t;
    fmpz_mpoly_vec_init(inner, 0, s->ctx);
    fmpz_mpoly_init(t, s->ctx);
    ckda_sym_divisors(inner, s, n->kid[0], 1);
    bool zero = fmpz_mpoly_is_zero(r->den, s->ctx);
    for (slong i = 0; i < inner->length && !zero; i++) {
        slong d = fmpz_mpoly_degree_si(inner->p + i, var, s->ctx);
        compose(t, inner->p + i, var, g->num, g->den, FLINT_MAX(d, 0), s);
        zero = fmpz_mpoly_is_zero(t, s->ctx);
        add_divisor(n->divisor[mode], t, s);
    }
    fmpz_mpoly_clear(t, s->ctx);
    fmpz_mpoly_vec_clear(inner, s->ctx);
    if (s->too_big)
        return too_big(n, err);
    if (zero)
        return divide_by_zero(n, err);
    ckda_sym_ratmat_cancel(r, s);
    return CKDA_OK;
}

/* (N / d)' = (N' d - N d') / d^2. */
static ckda_status
compute_diff(sym_ratmat *r, ckda_sym *s, sym_node *n, ckda_error *err)
{
    const sym_ratmat *f;
    ckda_status st = ckda_sym_value(&f, s, n->kid[0], 1, err);
    if (st != CKDA_OK)
        return st;
    fmpz_mpoly_t dd, t;
    fmpz_mpoly_init(dd, s->ctx);
    fmpz_mpoly_init(t, s->ctx);
    fmpz_mpoly_derivative(dd, f->den, n->arg[0], s->ctx);
    for (slong i = 0; i < f->rows * f->cols; i++) {
        fmpz_mpoly_derivative(t, f->num + i, n->arg[0], s->ctx);
        ckda_sym_poly_mul(r->num + i, t, f->den, s);
        ckda_sym_poly_mul(t, f->num + i, dd, s);
        fmpz_mpoly_sub(r->num + i, r->num + i, t, s->ctx);
    }
    ckda_sym_poly_mul(t, f->den, f->den, s);
    if (!s->too_big)
        fmpz_mpoly_swap(r->den, t, s->ctx);
    ckda_sym_ratmat_cancel(r, s);
    fmpz_mpoly_clear(dd, s->ctx);
    fmpz_mpoly_clear(t, s->ctx);
    return CKDA_OK;
}

/* det(A B) = det(A) det(B) and det(A') = det(A): the factors are far smaller. */
static ckda_status
compute_det(sym_ratmat *r, ckda_sym *s, sym_node *a, int mode, ckda_error *err)
{
    const sym_ratmat *v;
    ckda_status st;
    if (a->kind == NODE_TRANS)
        return compute_det(r, s, a->kid[0], mode, err);
    if (a->kind != NODE_MUL || a->kid[0]->rows != a->kid[0]->cols
        || a->kid[1]->rows != a->kid[1]->cols || a->kid[0]->rows != a->kid[1]->rows) {
        if ((st = ckda_sym_value(&v, s, a, mode, err)) == CKDA_OK)
            ckda_sym_ratmat_det(r, v, mode == 0, s);
        return st;
    }
    sym_ratmat x, y;
    ckda_sym_ratmat_init(&x, 1, 1, s);
    ckda_sym_ratmat_init(&y, 1, 1, s);
    st = compute_det(&x, s, a->kid[0], mode, err);
    if (st == CKDA_OK)
        st = compute_det(&y, s, a->kid[1], mode, err);
    if (st == CKDA_OK)
        ckda_sym_ratmat_mul(r, &x, &y, s);
    ckda_sym_ratmat_clear(&x, s);
    ckda_sym_ratmat_clear(&y, s);
    return st;
}

/* ---- the core operations ---- */

static void
compute_trans(sym_ratmat *r, const sym_ratmat *a, const ckda_sym *s)
{
    for (slong i = 0; i < r->rows; i++)
        for (slong j = 0; j < r->cols; j++)
            fmpz_mpoly_set(r->num + i * r->cols + j, a->num + j * a->cols + i, s->ctx);
    fmpz_mpoly_set(r->den, a->den, s->ctx);
}

static ckda_status
compute_op(sym_ratmat *r, ckda_sym *s, sym_node *n, int mode, ckda_error *err)
{
    const sym_ratmat *a = NULL, *b = NULL;
    ckda_status st = ckda_sym_value(&a, s, n->kid[0], mode, err);
    if (st == CKDA_OK && n->nkids > 1)
        st = ckda_sym_value(&b, s, n->kid[1], mode, err);
    if (st != CKDA_OK)
        return st;
    switch (n->kind) {
    case NODE_ADD:
        ckda_sym_ratmat_add(r, a, b, 1, s);
        break;
    case NODE_SUB:
        ckda_sym_ratmat_add(r, a, b, -1, s);
        break;
    case NODE_NEG:
        ckda_sym_ratmat_add(r, r, a, -1, s);
        break;
    case NODE_MUL:
        ckda_sym_ratmat_mul(r, a, b, s);
        break;
    case NODE_DIV:
        if (fmpz_mpoly_is_zero(b->num, s->ctx))
            return divide_by_zero(n, err);
        ckda_sym_ratmat_div(r, a, b, s);
        return record_divisor(n->divisor[mode], s, n->kid[1], mode, err);
    case NODE_POW:
        compute_pow(r, a, n->arg[0], mode, s);
        break;
    case NODE_TRANS:
        compute_trans(r, a, s);
        break;
    case NODE_PART:
        put(r, a->num + n->arg[0] * a->cols + n->arg[1], n->rows, n->cols, a->cols, 0, 0,
            s);
        fmpz_mpoly_set(r->den, a->den, s->ctx);
        ckda_sym_ratmat_cancel(r, s);
        break;
    default:
        ckda_require(n->kind == NODE_ADJ, "unknown node %d", (int)n->kind);
        ckda_sym_ratmat_adj(r, a, mode == 0, s);
    }
    return CKDA_OK;
}

static ckda_status
compute(sym_ratmat *r, ckda_sym *s, sym_node *n, int mode, ckda_error *err)
{
    switch (n->kind) {
    case NODE_NUM:
    case NODE_VAR:
    case NODE_EYE:
    case NODE_ZERO:
        return compute_leaf(r, s, n);
    case NODE_MAT:
        return compute_mat(r, s, n, mode, err);
    case NODE_SUBST:
        return compute_subst(r, s, n, mode, err);
    case NODE_DIFF:
        return compute_diff(r, s, n, err);
    case NODE_DET:
        return compute_det(r, s, n->kid[0], mode, err);
    case NODE_PARAM:
        ckda_error_set(err, "%s: a parameter has no symbolic value", n->label);
        return CKDA_E_INPUT;
    default:
        return compute_op(r, s, n, mode, err);
    }
}

ckda_status
ckda_sym_value(const sym_ratmat **v, ckda_sym *s, sym_node *n, int mode, ckda_error *err)
{
    if (s->nrelations == 0)
        mode = 1;
    if (n->value[mode] == NULL) {
        sym_ratmat *r = flint_malloc(sizeof *r);
        ckda_sym_ratmat_init(r, n->rows, n->cols, s);
        ckda_status st = compute(r, s, n, mode, err);
        if (st == CKDA_OK && s->too_big)
            st = too_big(n, err);
        if (st != CKDA_OK) {
            ckda_sym_ratmat_clear(r, s);
            flint_free(r);
            return st;
        }
        if (mode == 0)
            ckda_sym_ratmat_reduce(r, s);
        n->value[mode] = r;
    }
    *v = n->value[mode];
    return CKDA_OK;
}

static void
walk(fmpz_mpoly_vec_t list, ckda_sym *s, sym_node *n, int mode, slong id)
{
    if (n->seen[mode] == id)
        return;
    n->seen[mode] = id;
    for (slong i = 0; i < n->divisor[mode]->length; i++)
        fmpz_mpoly_vec_insert_unique(list, n->divisor[mode]->p + i, s->ctx);
    if (n->kind == NODE_SUBST) {
        walk(list, s, n->kid[1], mode,
             id); /* kid 0 is accounted for in the node itself */
        return;
    }
    for (slong i = 0; i < n->nkids; i++)
        walk(list, s, n->kid[i], n->kind == NODE_DIFF ? 1 : mode, id);
}

void
ckda_sym_divisors(fmpz_mpoly_vec_t list, ckda_sym *s, sym_node *n, int mode)
{
    walk(list, s, n, s->nrelations == 0 ? 1 : mode, ++s->walk);
}

/* ---- relations ---- */

#define BASIS_LENGTH 200
#define BASIS_TERMS 1000
#define BASIS_BITS 4000

/* When the basis passes the limits the relations themselves serve: whatever reduces to
 * zero with them lies in the ideal as well, only the converse is lost. */
static ckda_status
basis_of(fmpz_mpoly_vec_t gens, ckda_sym *s, ckda_error *err)
{
    fmpz_mpoly_vec_t g;
    ckda_status st = CKDA_OK;
    fmpz_mpoly_vec_init(g, 0, s->ctx);
    if (fmpz_mpoly_buchberger_naive_with_limits(g, gens, BASIS_LENGTH, BASIS_TERMS,
                                                BASIS_BITS, s->ctx))
        fmpz_mpoly_vec_autoreduction_groebner(s->basis, g, s->ctx);
    else
        fmpz_mpoly_vec_set(s->basis, gens, s->ctx);
    for (slong i = 0; i < s->basis->length; i++)
        if (fmpz_mpoly_is_fmpz(s->basis->p + i, s->ctx)) {
            ckda_error_set(err, "the relations contradict one another");
            st = CKDA_E_INPUT;
        }
    fmpz_mpoly_vec_clear(g, s->ctx);
    return st;
}

ckda_status
ckda_sym_basis(ckda_sym *s, ckda_error *err)
{
    ckda_status st = CKDA_OK;
    fmpz_mpoly_vec_t gens;
    if (s->basis_ready)
        return CKDA_OK;
    fmpz_mpoly_vec_set_length(s->basis, 0, s->ctx);
    fmpz_mpoly_vec_init(gens, 0, s->ctx);
    for (slong k = 0; k < s->nrelations && st == CKDA_OK; k++) {
        const sym_ratmat *v;
        st = ckda_sym_value(&v, s, s->relation[k], 1, err);
        for (slong i = 0; st == CKDA_OK && i < v->rows * v->cols; i++)
            if (!fmpz_mpoly_is_zero(v->num + i, s->ctx))
                fmpz_mpoly_vec_append(gens, v->num + i, s->ctx);
    }
    if (st == CKDA_OK && gens->length > 0)
        st = basis_of(gens, s, err);
    fmpz_mpoly_vec_clear(gens, s->ctx);
    if (st != CKDA_OK)
        fmpz_mpoly_vec_set_length(s->basis, 0, s->ctx);
    s->basis_ready = st == CKDA_OK;
    return st;
}
