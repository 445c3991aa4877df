/* build.c -- nodes with checked shapes.  Constants fold; nothing else is rewritten, since
 * the rules of signs read the text as it stands. */
#include <string.h>

#include "internal.h"

static sym_node *
make(sym_parser *p, sym_kind kind, slong rows, slong cols, sym_node *const *kid,
     slong nkids)
{
    ckda_sym *s = p->s;
    slong depth = 1;
    for (slong i = 0; i < nkids; i++)
        depth = FLINT_MAX(depth, kid[i]->depth + 1);
    if (rows < 1 || cols < 1 || rows > SYM_MAX_ENTRIES || cols > SYM_MAX_ENTRIES
        || rows * cols > SYM_MAX_ENTRIES)
        return ckda_sym_fail(p, p->at, "a matrix of shape %ldx%ld is not supported",
                             (long)rows, (long)cols);
    if (depth > SYM_MAX_DEPTH)
        return ckda_sym_fail(p, p->at, "the expression is nested deeper than %d",
                             SYM_MAX_DEPTH);
    if (s->nnodes >= SYM_MAX_NODES)
        return ckda_sym_fail(p, p->at, "more than %d operations", SYM_MAX_NODES);

    sym_node *n = flint_calloc(1, sizeof *n);
    n->kind = kind;
    n->rows = rows;
    n->cols = cols;
    n->depth = depth;
    n->label = p->label;
    n->nkids = nkids;
    n->sign_version = -1;
    fmpq_init(n->num);
    fmpz_mpoly_vec_init(n->divisor[0], 0, s->ctx);
    fmpz_mpoly_vec_init(n->divisor[1], 0, s->ctx);
    if (nkids > 0)
        n->kid = flint_malloc((size_t)nkids * sizeof *n->kid);
    for (slong i = 0; i < nkids; i++) {
        n->kid[i] = kid[i];
        n->vars |= kid[i]->vars;
        n->params = n->params || kid[i]->params;
    }
    n->older = s->nodes;
    s->nodes = n;
    s->nnodes++;
    return n;
}

static void
node_free(ckda_sym *s, sym_node *n)
{
    for (int mode = 0; mode < 2; mode++) {
        fmpz_mpoly_vec_clear(n->divisor[mode], s->ctx);
        if (n->value[mode] != NULL) {
            ckda_sym_ratmat_clear(n->value[mode], s);
            flint_free(n->value[mode]);
        }
    }
    if (n->number != NULL)
        ckda_sym_nummat_free(n->number);
    fmpq_clear(n->num);
    flint_free(n->kid);
    flint_free(n->place);
    flint_free(n);
}

void
ckda_sym_release(ckda_sym *s, sym_node *mark)
{
    while (s->nodes != mark) {
        sym_node *n = s->nodes;
        s->nodes = n->older;
        s->nnodes--;
        node_free(s, n);
    }
}

static bool
is_scalar(const sym_node *n)
{
    return n->rows == 1 && n->cols == 1;
}

sym_node *
ckda_sym_num(sym_parser *p, const fmpq_t x)
{
    sym_node *n = make(p, NODE_NUM, 1, 1, NULL, 0);
    if (n != NULL)
        fmpq_set(n->num, x);
    return n;
}

sym_node *
ckda_sym_num_si(sym_parser *p, slong x)
{
    sym_node *n = make(p, NODE_NUM, 1, 1, NULL, 0);
    if (n != NULL)
        fmpq_set_si(n->num, x, 1);
    return n;
}

sym_node *
ckda_sym_leaf(sym_parser *p, sym_kind kind, slong rows, slong cols, slong arg)
{
    if (kind == NODE_EYE && rows == 1)
        return ckda_sym_num_si(p, 1);
    if (kind == NODE_ZERO && rows == 1 && cols == 1)
        return ckda_sym_num_si(p, 0);
    sym_node *n = make(p, kind, rows, cols, NULL, 0);
    if (n == NULL)
        return NULL;
    n->arg[0] = arg;
    n->params = kind == NODE_PARAM;
    if (kind == NODE_VAR)
        n->vars = UINT64_C(1) << arg;
    return n;
}

static sym_node *
binary(sym_parser *p, sym_kind kind, slong rows, slong cols, sym_node *a, sym_node *b)
{
    sym_node *kid[2] = {a, b};
    return make(p, kind, rows, cols, kid, 2);
}

static bool
same_shape(sym_parser *p, size_t at, const char *op, const sym_node *a, const sym_node *b)
{
    if (a->rows == b->rows && a->cols == b->cols)
        return true;
    ckda_sym_fail(p, at, "shapes do not fit: %ldx%ld %s %ldx%ld", (long)a->rows,
                  (long)a->cols, op, (long)b->rows, (long)b->cols);
    return false;
}

sym_node *
ckda_sym_add(sym_parser *p, size_t at, sym_node *a, sym_node *b)
{
    if (a == NULL || b == NULL || !same_shape(p, at, "+", a, b))
        return NULL;
    sym_node *n = binary(p, NODE_ADD, a->rows, a->cols, a, b);
    if (n != NULL && a->kind == NODE_NUM && b->kind == NODE_NUM) {
        n->kind = NODE_NUM;
        fmpq_add(n->num, a->num, b->num);
    }
    return n;
}

sym_node *
ckda_sym_sub(sym_parser *p, size_t at, sym_node *a, sym_node *b)
{
    if (a == NULL || b == NULL || !same_shape(p, at, "-", a, b))
        return NULL;
    sym_node *n = binary(p, NODE_SUB, a->rows, a->cols, a, b);
    if (n != NULL && a->kind == NODE_NUM && b->kind == NODE_NUM) {
        n->kind = NODE_NUM;
        fmpq_sub(n->num, a->num, b->num);
    }
    return n;
}

sym_node *
ckda_sym_neg(sym_parser *p, sym_node *a)
{
    if (a == NULL || a->kind == NODE_ZERO)
        return a;
    sym_node *n = make(p, NODE_NEG, a->rows, a->cols, &a, 1);
    if (n != NULL && a->kind == NODE_NUM) {
        n->kind = NODE_NUM;
        fmpq_neg(n->num, a->num);
    }
    return n;
}

sym_node *
ckda_sym_mul(sym_parser *p, size_t at, sym_node *a, sym_node *b)
{
    if (a == NULL || b == NULL)
        return NULL;
    if (a->cols != b->rows && !is_scalar(a) && !is_scalar(b))
        return ckda_sym_fail(p, at, "shapes do not fit: %ldx%ld * %ldx%ld", (long)a->rows,
                             (long)a->cols, (long)b->rows, (long)b->cols);
    slong rows = a->rows, cols = b->cols;
    if (is_scalar(a)) {
        rows = b->rows;
    } else if (is_scalar(b)) {
        cols = a->cols;
    }
    sym_node *n = binary(p, NODE_MUL, rows, cols, a, b);
    if (n != NULL && a->kind == NODE_NUM && b->kind == NODE_NUM) {
        n->kind = NODE_NUM;
        fmpq_mul(n->num, a->num, b->num);
    }
    return n;
}

sym_node *
ckda_sym_div(sym_parser *p, size_t at, sym_node *a, sym_node *b)
{
    if (a == NULL || b == NULL)
        return NULL;
    if (!is_scalar(b))
        return ckda_sym_fail(p, at, "the divisor must be a scalar, not %ldx%ld",
                             (long)b->rows, (long)b->cols);
    if (b->kind == NODE_NUM && fmpq_is_zero(b->num))
        return ckda_sym_fail(p, at, "division by zero");
    sym_node *n = binary(p, NODE_DIV, a->rows, a->cols, a, b);
    if (n != NULL && a->kind == NODE_NUM && b->kind == NODE_NUM) {
        n->kind = NODE_NUM;
        fmpq_div(n->num, a->num, b->num);
    }
    return n;
}

static bool
is_square(sym_parser *p, size_t at, const char *what, const sym_node *a)
{
    if (a->rows == a->cols)
        return true;
    ckda_sym_fail(p, at, "%s needs a square matrix, not %ldx%ld", what, (long)a->rows,
                  (long)a->cols);
    return false;
}

sym_node *
ckda_sym_inv(sym_parser *p, size_t at, sym_node *a)
{
    if (a == NULL || !is_square(p, at, "an inverse", a))
        return NULL;
    if (is_scalar(a))
        return ckda_sym_div(p, at, ckda_sym_num_si(p, 1), a);
    return ckda_sym_div(p, at, ckda_sym_unary(p, at, NODE_ADJ, a),
                        ckda_sym_unary(p, at, NODE_DET, a));
}

sym_node *
ckda_sym_pow(sym_parser *p, size_t at, sym_node *a, slong e)
{
    if (a == NULL || !is_square(p, at, "a power", a))
        return NULL;
    if (e < 0) {
        /* scalars: 1 / x^n; matrices: (A^-1)^n */
        if (!is_scalar(a))
            return ckda_sym_pow(p, at, ckda_sym_inv(p, at, a), -e);
        return ckda_sym_div(p, at, ckda_sym_num_si(p, 1), ckda_sym_pow(p, at, a, -e));
    }
    if (e == 0)
        return ckda_sym_leaf(p, NODE_EYE, a->rows, a->rows, 0);
    if (e == 1)
        return a;
    sym_node *n = make(p, NODE_POW, a->rows, a->rows, &a, 1);
    if (n == NULL)
        return NULL;
    n->arg[0] = e;
    if (a->kind == NODE_NUM) {
        n->kind = NODE_NUM;
        fmpq_pow_si(n->num, a->num, e);
    }
    return n;
}

sym_node *
ckda_sym_trans(sym_parser *p, sym_node *a)
{
    if (a == NULL || is_scalar(a) || a->kind == NODE_EYE)
        return a;
    if (a->kind == NODE_TRANS)
        return a->kid[0];
    return make(p, NODE_TRANS, a->cols, a->rows, &a, 1);
}

sym_node *
ckda_sym_part(sym_parser *p, sym_node *a, slong r, slong c, slong rows, slong cols)
{
    if (a == NULL || (rows == a->rows && cols == a->cols))
        return a;
    if (a->kind == NODE_ZERO)
        return ckda_sym_leaf(p, NODE_ZERO, rows, cols, 0);
    if (a->kind == NODE_EYE && rows == 1 && cols == 1)
        return ckda_sym_num_si(p, r == c);
    /* A whole block of a matrix is that block: keeps its text for the rules of signs. */
    for (slong k = 0; a->kind == NODE_MAT && k < a->nkids; k++)
        if (a->place[2 * k] == r && a->place[2 * k + 1] == c && a->kid[k]->rows == rows
            && a->kid[k]->cols == cols)
            return a->kid[k];
    sym_node *n = make(p, NODE_PART, rows, cols, &a, 1);
    if (n != NULL) {
        n->arg[0] = r;
        n->arg[1] = c;
    }
    return n;
}

sym_node *
ckda_sym_entry(sym_parser *p, sym_node *a, slong r, slong c)
{
    return ckda_sym_part(p, a, r, c, 1, 1);
}

/* Where each block goes; false with the message set when the shapes do not fit. */
static bool
place_blocks(slong *place, slong *rows, slong *cols, sym_parser *p, size_t at,
             sym_node *const *block, const slong *count, slong nrows)
{
    slong k = 0;
    *rows = 0;
    *cols = 0;
    for (slong i = 0; i < nrows; i++) {
        slong width = 0, height = block[k]->rows;
        for (slong j = 0; j < count[i]; j++, k++) {
            if (block[k]->rows != height) {
                ckda_sym_fail(p, at, "row %ld: blocks of height %ld and %ld side by side",
                              (long)i + 1, (long)height, (long)block[k]->rows);
                return false;
            }
            place[2 * k] = *rows;
            place[2 * k + 1] = width;
            width += block[k]->cols;
        }
        if (i > 0 && width != *cols) {
            ckda_sym_fail(p, at, "row %ld has width %ld, the rows above have width %ld",
                          (long)i + 1, (long)width, (long)*cols);
            return false;
        }
        *cols = width;
        *rows += height;
    }
    return true;
}

sym_node *
ckda_sym_mat(sym_parser *p, size_t at, sym_node *const *block, const slong *count,
             slong nrows)
{
    slong total = 0, rows, cols;
    for (slong i = 0; i < nrows; i++)
        total += count[i];
    for (slong k = 0; k < total; k++)
        if (block[k] == NULL)
            return NULL;
    if (total == 1)
        return block[0];
    slong *place = flint_malloc((size_t)(2 * total) * sizeof *place);
    sym_node *n = NULL;
    if (place_blocks(place, &rows, &cols, p, at, block, count, nrows))
        n = make(p, NODE_MAT, rows, cols, block, total);
    if (n == NULL)
        flint_free(place);
    else
        n->place = place;
    return n;
}

sym_node *
ckda_sym_table(sym_parser *p, sym_node *const *cell, slong rows, slong cols)
{
    slong *count = flint_malloc((size_t)rows * sizeof *count);
    for (slong i = 0; i < rows; i++)
        count[i] = cols;
    sym_node *n = ckda_sym_mat(p, p->at, cell, count, rows);
    flint_free(count);
    return n;
}

sym_node *
ckda_sym_unary(sym_parser *p, size_t at, sym_kind kind, sym_node *a)
{
    if (a == NULL || !is_square(p, at, kind == NODE_DET ? "det" : "adj", a))
        return NULL;
    if (a->rows > SYM_MAX_DET)
        return ckda_sym_fail(p, at, "determinants go up to %dx%d", SYM_MAX_DET,
                             SYM_MAX_DET);
    if (is_scalar(a))
        return kind == NODE_DET ? a : ckda_sym_num_si(p, 1);
    return make(p, kind, kind == NODE_DET ? 1 : a->rows, kind == NODE_DET ? 1 : a->rows,
                &a, 1);
}

sym_node *
ckda_sym_diff(sym_parser *p, sym_node *f, slong var)
{
    sym_node *n = f == NULL ? NULL : make(p, NODE_DIFF, f->rows, f->cols, &f, 1);
    if (n != NULL)
        n->arg[0] = var;
    return n;
}

sym_node *
ckda_sym_subst(sym_parser *p, sym_node *f, slong var, sym_node *g)
{
    if (f == NULL || g == NULL)
        return NULL;
    if (!is_scalar(g))
        return ckda_sym_fail(p, p->at, "subst needs a scalar to put in, not %ldx%ld",
                             (long)g->rows, (long)g->cols);
    sym_node *n = binary(p, NODE_SUBST, f->rows, f->cols, f, g);
    if (n != NULL)
        n->arg[0] = var;
    return n;
}
