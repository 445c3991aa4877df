/* statement.c -- the text of a statement becomes two graphs and what is said of them.
 *
 *   statement := 'psd' expr | expr cmp expr
 *
 *              | 'divides' '(' expr ',' expr ',' variable ')'
 */
#include <string.h>

#include "internal.h"

static bool
parse_divides(sym_stmt *st, sym_parser *p)
{
    ckda_sym_next(p);
    if (!ckda_sym_eat(p, "("))
        return ckda_sym_expected(p, "'('") != NULL;
    size_t at = p->at;
    st->left = ckda_sym_parse_expr(p);
    if (st->left == NULL || !ckda_sym_eat(p, ","))
        return ckda_sym_expected(p, "','") != NULL;
    st->right = ckda_sym_parse_expr(p);
    if (st->right == NULL || !ckda_sym_eat(p, ","))
        return ckda_sym_expected(p, "','") != NULL;
    st->var = p->tok == TOK_NAME
                  ? ckda_sym_find_var(p->s, p->text + p->at, p->end - p->at)
                  : -1;
    if (st->var < 0)
        return ckda_sym_expected(p, "a variable") != NULL;
    ckda_sym_next(p);
    if (!ckda_sym_eat(p, ")"))
        return ckda_sym_expected(p, "')'") != NULL;
    if (st->left->rows * st->left->cols * st->right->rows * st->right->cols != 1)
        return ckda_sym_fail(p, at, "divides needs two scalars") != NULL;
    return true;
}

static bool
parse_psd(sym_stmt *st, sym_parser *p)
{
    ckda_sym_next(p);
    size_t at = p->at;
    st->left = ckda_sym_parse_expr(p);
    if (st->left != NULL && st->left->rows != st->left->cols)
        ckda_sym_fail(p, at, "psd needs a square matrix, not %ldx%ld",
                      (long)st->left->rows, (long)st->left->cols);
    return !p->failed;
}

static bool
parse_comparison(sym_stmt *st, sym_parser *p)
{
    static const struct {
        const char *sign;
        sym_op op;
        bool flipped;
    } table[] = {{"==", ST_EQ, false}, {"!=", ST_NE, false}, {">=", ST_GE, false},
                 {">", ST_GT, false},  {"<=", ST_GE, true},  {"<", ST_GT, true}};
    st->left = ckda_sym_parse_expr(p);
    if (st->left == NULL)
        return false;
    size_t at = p->at, k = 0;
    while (k < 6 && !ckda_sym_is(p, table[k].sign))
        k++;
    if (k == 6)
        return ckda_sym_expected(p, "an operator or one of == != >= > <= <") != NULL;
    ckda_sym_next(p);
    st->op = table[k].op;
    st->flipped = table[k].flipped;
    st->right = ckda_sym_parse_expr(p);
    /* A bare 0 stands for the zero matrix of the other side's shape. */
    if (st->op == ST_EQ && st->right != NULL && st->right->kind == NODE_NUM
        && fmpq_is_zero(st->right->num))
        st->right = ckda_sym_leaf(p, NODE_ZERO, st->left->rows, st->left->cols, 0);
    if (st->right == NULL)
        return false;
    if (st->flipped) {
        sym_node *t = st->left;
        st->left = st->right;
        st->right = t;
    }
    bool zero = st->right->kind == NODE_NUM && fmpq_is_zero(st->right->num);
    st->diff = zero && st->left->rows * st->left->cols == 1
                   ? st->left
                   : ckda_sym_sub(p, at, st->left, st->right);
    if (st->diff != NULL && st->op != ST_EQ && st->diff->rows * st->diff->cols != 1)
        ckda_sym_fail(p, at, "an inequality needs scalars, not %ldx%ld",
                      (long)st->diff->rows, (long)st->diff->cols);
    return !p->failed;
}

bool
ckda_sym_parse_statement(sym_stmt *st, sym_parser *p)
{
    memset(st, 0, sizeof *st);
    bool ok;
    if (ckda_sym_name_is(p, "psd")) {
        st->op = ST_PSD;
        ok = parse_psd(st, p);
    } else if (ckda_sym_name_is(p, "divides")) {
        st->op = ST_DIVIDES;
        ok = parse_divides(st, p);
    } else {
        ok = parse_comparison(st, p);
    }
    if (ok && p->tok != TOK_END)
        ckda_sym_expected(p, "an operator or the end");
    return ok && !p->failed;
}
