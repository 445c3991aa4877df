/* special.c -- functions whose arguments are not expressions: names of families and the
 * index of a sum. */
#include <string.h>

#include "internal.h"

/* The diagonal matrix of a column. */
sym_node *
ckda_sym_diag(sym_parser *p, size_t at, sym_node *v)
{
    if (v == NULL)
        return NULL;
    slong n = v->rows;
    if (n > 64)
        return ckda_sym_fail(p, at, "a diagonal of more than 64 entries");
    sym_node *cell[64 * 64], *zero = ckda_sym_num_si(p, 0);
    for (slong i = 0; i < n; i++)
        for (slong j = 0; j < n; j++)
            cell[i * n + j] = i == j ? ckda_sym_entry(p, v, i, 0) : zero;
    return ckda_sym_table(p, cell, n, n);
}

/* ---- families of variables ---- */

/* The variable a3, a23 or, when an index can pass 9, a2_13. */
static sym_node *
family_member(sym_parser *p, size_t at, const char *name, slong i, slong j, bool wide)
{
    sym_buf b;
    ckda_sym_buf_init(&b);
    ckda_sym_buf_add(&b, "%s%ld", name, (long)i);
    if (j > 0)
        ckda_sym_buf_add(&b, wide ? "_%ld" : "%ld", (long)j);
    slong v = ckda_sym_find_var(p->s, b.text, b.len);
    sym_node *n = v >= 0 ? ckda_sym_leaf(p, NODE_VAR, 1, 1, v)
                         : ckda_sym_fail(p, at, "'%s' is not a variable", b.text);
    flint_free(b.text);
    return n;
}

/* genmat(a, m, n), gencol(a, n), gendiag(a, n): the first argument is a bare name. */
static sym_node *
parse_family(sym_parser *p, size_t at, bool matrix, bool diagonal)
{
    if (p->tok != TOK_NAME)
        return ckda_sym_expected(p, "the name of a family of variables");
    char *name = ckda_sym_copy(p->text + p->at, p->end - p->at);
    slong size[2] = {1, 1};
    sym_node *cell[SYM_MAX_VARS], *n = NULL;
    ckda_sym_next(p);
    for (int k = 0; k < (matrix ? 2 : 1) && !p->failed; k++) {
        size_t here = p->at;
        if (!ckda_sym_eat(p, ","))
            ckda_sym_expected(p, "','");
        else
            ckda_sym_int(&size[k], p, here, ckda_sym_parse_expr(p), 1, SYM_MAX_VARS,
                         "the size");
    }
    if (!p->failed && size[0] * size[1] > SYM_MAX_VARS)
        ckda_sym_fail(p, at, "more than %d variables", SYM_MAX_VARS);
    if (!p->failed && !ckda_sym_eat(p, ")"))
        ckda_sym_expected(p, "')'");
    bool wide = size[0] > 9 || size[1] > 9;
    for (slong k = 0; k < size[0] * size[1] && !p->failed; k++)
        cell[k] = family_member(p, at, name, k / size[1] + 1,
                                matrix ? k % size[1] + 1 : 0, wide);
    if (!p->failed)
        n = ckda_sym_table(p, cell, size[0], size[1]);
    flint_free(name);
    return diagonal ? ckda_sym_diag(p, at, n) : n;
}

/* ---- sums ---- */

/* sum(i, lo, hi, expr): the text of expr is read once for every i. */
static sym_node *
parse_sum(sym_parser *p, size_t at)
{
    slong lo, hi;
    if (p->tok != TOK_NAME)
        return ckda_sym_expected(p, "the name of the index");
    sym_binder *b = &p->binder[p->nbinders];
    b->name = p->text + p->at;
    b->len = p->end - p->at;
    if (ckda_sym_find_var(p->s, b->name, b->len) >= 0
        || ckda_sym_find_def(p->s, b->name, b->len) >= 0
        || ckda_sym_is_builtin(b->name, b->len))
        return ckda_sym_fail(p, p->at, "the index has the name of something else");
    ckda_sym_next(p);
    if (!ckda_sym_eat(p, ","))
        return ckda_sym_expected(p, "','");
    if (!ckda_sym_int(&lo, p, p->at, ckda_sym_parse_expr(p), -1000, 1000,
                      "the first index"))
        return NULL;
    if (!ckda_sym_eat(p, ","))
        return ckda_sym_expected(p, "','");
    if (!ckda_sym_int(&hi, p, p->at, ckda_sym_parse_expr(p), -1000, 1000,
                      "the last index"))
        return NULL;
    if (!ckda_sym_is(p, ","))
        return ckda_sym_expected(p, "','");
    if (hi < lo)
        return ckda_sym_fail(p, at, "the sum from %ld to %ld is empty", (long)lo,
                             (long)hi);
    if (p->nbinders + 1 == (int)(sizeof p->binder / sizeof *p->binder))
        return ckda_sym_fail(p, at, "too many sums inside one another");
    const size_t body = p->end;
    sym_node *total = NULL;
    p->nbinders++;
    for (slong i = lo; i <= hi && !p->failed; i++) {
        p->binder[p->nbinders - 1].value = i;
        p->end = body;
        ckda_sym_next(p);
        sym_node *term = ckda_sym_parse_expr(p);
        total = i == lo ? term : ckda_sym_add(p, at, total, term);
    }
    p->nbinders--;
    if (!p->failed && !ckda_sym_eat(p, ")"))
        return ckda_sym_expected(p, "')'");
    return p->failed ? NULL : total;
}

sym_node *
ckda_sym_parse_special(sym_parser *p, size_t at, const char *name)
{
    if (strcmp(name, "sum") == 0)
        return parse_sum(p, at);
    if (strncmp(name, "gen", 3) == 0)
        return parse_family(p, at, strcmp(name, "genmat") == 0,
                            strcmp(name, "gendiag") == 0);
    return ckda_sym_fail(p, at,
                         "'%s' begins a statement and cannot stand inside an "
                         "expression",
                         name);
}
