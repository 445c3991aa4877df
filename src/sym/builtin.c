/* builtin.c -- the functions of the language, written in terms of the core nodes. */
#include <string.h>

#include "internal.h"

#define MAX_ARGS 64

typedef struct {
    sym_parser *p;
    size_t at; /* the name, for messages */
    sym_node *arg[MAX_ARGS];
    size_t arg_at[MAX_ARGS];
    slong n;
} call;

static sym_node *
entry(const call *c, sym_node *a, slong i, slong j)
{
    return ckda_sym_entry(c->p, a, i, j);
}

static sym_node *
mul(const call *c, sym_node *a, sym_node *b)
{
    return ckda_sym_mul(c->p, c->at, a, b);
}

static sym_node *
num(const call *c, slong x)
{
    return ckda_sym_num_si(c->p, x);
}

static bool
int_arg(slong *v, const call *c, slong k, slong lo, slong hi, const char *what)
{
    return ckda_sym_int(v, c->p, c->arg_at[k], c->arg[k], lo, hi, what);
}

/* Argument k must be a column (of the given length unless it is 0). */
static bool
column_arg(const call *c, slong k, slong length)
{
    const sym_node *a = c->arg[k];
    if (a->cols == 1 && (length == 0 || a->rows == length))
        return true;
    if (length == 0)
        ckda_sym_fail(c->p, c->arg_at[k], "expected a column, found %ldx%ld",
                      (long)a->rows, (long)a->cols);
    else
        ckda_sym_fail(c->p, c->arg_at[k],
                      "expected a column of length %ld, found %ldx%ld", (long)length,
                      (long)a->rows, (long)a->cols);
    return false;
}

static bool
square_arg(const call *c, slong k)
{
    const sym_node *a = c->arg[k];
    if (a->rows == a->cols)
        return true;
    ckda_sym_fail(c->p, c->arg_at[k], "expected a square matrix, found %ldx%ld",
                  (long)a->rows, (long)a->cols);
    return false;
}

static bool
variable_arg(slong *var, const call *c, slong k)
{
    if (c->arg[k]->kind != NODE_VAR) {
        ckda_sym_fail(c->p, c->arg_at[k], "expected a variable");
        return false;
    }
    *var = c->arg[k]->arg[0];
    return true;
}

/* ---- constant matrices ---- */

static sym_node *
do_eye(const call *c)
{
    slong n;
    return int_arg(&n, c, 0, 1, 64, "the size") ? ckda_sym_leaf(c->p, NODE_EYE, n, n, 0)
                                                : NULL;
}

static sym_node *
do_zeros(const call *c)
{
    slong m, n;
    return int_arg(&m, c, 0, 1, 64, "the number of rows")
                   && int_arg(&n, c, 1, 1, 64, "the number of columns")
               ? ckda_sym_leaf(c->p, NODE_ZERO, m, n, 0)
               : NULL;
}

static sym_node *
do_ones(const call *c)
{
    slong m, n;
    if (!int_arg(&m, c, 0, 1, 64, "the number of rows")
        || !int_arg(&n, c, 1, 1, 64, "the number of columns"))
        return NULL;
    sym_node *one = num(c, 1), *row = NULL;
    sym_node **cell = flint_malloc((size_t)FLINT_MAX(m, n) * sizeof(*cell));
    for (slong i = 0; i < FLINT_MAX(m, n); i++)
        cell[i] = one;
    row = ckda_sym_table(c->p, cell, 1, n);
    for (slong i = 0; i < m; i++)
        cell[i] = row;
    row = ckda_sym_table(c->p, cell, m, 1);
    flint_free(cell);
    return row;
}

static sym_node *
do_unit(const call *c)
{
    slong n, i;
    if (!int_arg(&n, c, 0, 1, 64, "the length") || !int_arg(&i, c, 1, 1, n, "the index"))
        return NULL;
    sym_node *cell[64];
    for (slong k = 0; k < n; k++)
        cell[k] = num(c, k == i - 1);
    return ckda_sym_table(c->p, cell, n, 1);
}

/* diag(x, y, ...) of scalars or square blocks; diag(v) of one column. */
static sym_node *
do_diag(const call *c)
{
    if (c->n == 1 && c->arg[0]->cols == 1 && c->arg[0]->rows > 1)
        return ckda_sym_diag(c->p, c->at, c->arg[0]);
    sym_node *cell[64 * 64];
    slong n = c->n, count[64];
    for (slong i = 0; i < n; i++)
        if (!square_arg(c, i))
            return NULL;
    for (slong i = 0; i < n; i++) {
        count[i] = n;
        for (slong j = 0; j < n; j++)
            cell[i * n + j] = i == j ? c->arg[i]
                                     : ckda_sym_leaf(c->p, NODE_ZERO, c->arg[i]->rows,
                                                     c->arg[j]->cols, 0);
    }
    return ckda_sym_mat(c->p, c->at, cell, count, n);
}

/* ---- parts and scalars ---- */

static sym_node *
do_entry(const call *c)
{
    slong i, j;
    return int_arg(&i, c, 1, 1, c->arg[0]->rows, "the row")
                   && int_arg(&j, c, 2, 1, c->arg[0]->cols, "the column")
               ? entry(c, c->arg[0], i - 1, j - 1)
               : NULL;
}

static sym_node *
do_row(const call *c)
{
    slong i;
    return int_arg(&i, c, 1, 1, c->arg[0]->rows, "the row")
               ? ckda_sym_part(c->p, c->arg[0], i - 1, 0, 1, c->arg[0]->cols)
               : NULL;
}

static sym_node *
do_col(const call *c)
{
    slong j;
    return int_arg(&j, c, 1, 1, c->arg[0]->cols, "the column")
               ? ckda_sym_part(c->p, c->arg[0], 0, j - 1, c->arg[0]->rows, 1)
               : NULL;
}

static sym_node *
do_sub(const call *c)
{
    slong i1, i2, j1, j2;
    if (!int_arg(&i1, c, 1, 1, c->arg[0]->rows, "the first row")
        || !int_arg(&i2, c, 2, i1, c->arg[0]->rows, "the last row")
        || !int_arg(&j1, c, 3, 1, c->arg[0]->cols, "the first column")
        || !int_arg(&j2, c, 4, j1, c->arg[0]->cols, "the last column"))
        return NULL;
    return ckda_sym_part(c->p, c->arg[0], i1 - 1, j1 - 1, i2 - i1 + 1, j2 - j1 + 1);
}

static sym_node *
do_det(const call *c)
{
    return ckda_sym_unary(c->p, c->at, NODE_DET, c->arg[0]);
}

static sym_node *
do_adj(const call *c)
{
    return ckda_sym_unary(c->p, c->at, NODE_ADJ, c->arg[0]);
}

static sym_node *
do_inv(const call *c)
{
    return ckda_sym_inv(c->p, c->at, c->arg[0]);
}

static sym_node *
do_tr(const call *c)
{
    if (!square_arg(c, 0))
        return NULL;
    sym_node *r = entry(c, c->arg[0], 0, 0);
    for (slong i = 1; i < c->arg[0]->rows; i++)
        r = ckda_sym_add(c->p, c->at, r, entry(c, c->arg[0], i, i));
    return r;
}

static sym_node *
do_dot(const call *c)
{
    return column_arg(c, 0, 0) && column_arg(c, 1, c->arg[0]->rows)
               ? mul(c, ckda_sym_trans(c->p, c->arg[0]), c->arg[1])
               : NULL;
}

static sym_node *
do_charpoly(const call *c)
{
    slong x;
    if (!square_arg(c, 0) || !variable_arg(&x, c, 1))
        return NULL;
    sym_node *eye = ckda_sym_leaf(c->p, NODE_EYE, c->arg[0]->rows, c->arg[0]->rows, 0);
    return ckda_sym_unary(c->p, c->at, NODE_DET,
                          ckda_sym_sub(c->p, c->at, mul(c, c->arg[1], eye), c->arg[0]));
}

static sym_node *
do_diff(const call *c)
{
    slong x;
    return variable_arg(&x, c, 1) ? ckda_sym_diff(c->p, c->arg[0], x) : NULL;
}

static sym_node *
do_subst(const call *c)
{
    slong x;
    return variable_arg(&x, c, 1) ? ckda_sym_subst(c->p, c->arg[0], x, c->arg[2]) : NULL;
}

/* ---- matrices from matrices ---- */

static sym_node *
do_house(const call *c)
{
    if (!column_arg(c, 1, 0))
        return NULL;
    if (c->arg[0]->rows * c->arg[0]->cols != 1)
        return ckda_sym_fail(c->p, c->arg_at[0], "expected a scalar, found %ldx%ld",
                             (long)c->arg[0]->rows, (long)c->arg[0]->cols);
    sym_node *w = c->arg[1];
    sym_node *eye = ckda_sym_leaf(c->p, NODE_EYE, w->rows, w->rows, 0);
    return ckda_sym_sub(c->p, c->at, eye,
                        mul(c, mul(c, c->arg[0], w), ckda_sym_trans(c->p, w)));
}

static sym_node *
do_minor2(const call *c)
{
    sym_node *a = c->arg[0];
    slong m = a->rows, n = a->cols, mm = m * (m - 1) / 2, nn = n * (n - 1) / 2, k = 0;
    if (m < 2 || n < 2 || mm * nn > SYM_MAX_ENTRIES)
        return ckda_sym_fail(c->p, c->arg_at[0], "no second compound of a %ldx%ld matrix",
                             (long)m, (long)n);
    sym_node **cell = flint_malloc((size_t)(mm * nn) * sizeof(*cell));
    for (slong i = 0; i < m; i++)
        for (slong j = i + 1; j < m; j++)
            for (slong r = 0; r < n; r++)
                for (slong t = r + 1; t < n; t++)
                    cell[k++] = ckda_sym_sub(
                        c->p, c->at, mul(c, entry(c, a, i, r), entry(c, a, j, t)),
                        mul(c, entry(c, a, i, t), entry(c, a, j, r)));
    sym_node *result = ckda_sym_table(c->p, cell, mm, nn);
    flint_free(cell);
    return result;
}

static sym_node *
do_kron(const call *c)
{
    sym_node *a = c->arg[0];
    sym_node **cell = flint_malloc((size_t)(a->rows * a->cols) * sizeof(*cell));
    for (slong i = 0; i < a->rows; i++)
        for (slong j = 0; j < a->cols; j++)
            cell[i * a->cols + j] = mul(c, entry(c, a, i, j), c->arg[1]);
    sym_node *result = ckda_sym_table(c->p, cell, a->rows, a->cols);
    flint_free(cell);
    return result;
}

static sym_node *
do_vec(const call *c)
{
    sym_node *a = c->arg[0];
    sym_node **cell = flint_malloc((size_t)a->cols * sizeof(*cell));
    for (slong j = 0; j < a->cols; j++)
        cell[j] = ckda_sym_part(c->p, a, 0, j, a->rows, 1);
    sym_node *result = ckda_sym_table(c->p, cell, a->cols, 1);
    flint_free(cell);
    return result;
}

/* ---- quaternions: columns (1, i, j, k) ---- */

/* Entry (i, j) is sign[i][j] * v[index[i][j]]; sign 0 gives 0. */
static sym_node *
pattern(const call *c, sym_node *v, slong n, const int *index, const int *sign)
{
    sym_node *cell[16];
    for (slong k = 0; k < n * n; k++) {
        cell[k] = sign[k] == 0 ? num(c, 0) : entry(c, v, index[k], 0);
        if (sign[k] < 0)
            cell[k] = ckda_sym_neg(c->p, cell[k]);
    }
    return ckda_sym_table(c->p, cell, n, n);
}

static sym_node *
do_cross(const call *c)
{
    static const int index[9] = {0, 2, 1, 2, 0, 0, 1, 0, 0};
    static const int sign[9] = {0, -1, 1, 1, 0, -1, -1, 1, 0};
    return column_arg(c, 0, 3) ? pattern(c, c->arg[0], 3, index, sign) : NULL;
}

static const int quat_index[16] = {0, 1, 2, 3, 1, 0, 3, 2, 2, 3, 0, 1, 3, 2, 1, 0};

/* The matrix x -> p x. */
static sym_node *
left(const call *c, sym_node *p)
{
    static const int sign[16] = {1, -1, -1, -1, 1, 1, -1, 1, 1, 1, 1, -1, 1, -1, 1, 1};
    return pattern(c, p, 4, quat_index, sign);
}

/* The matrix x -> x conj(q). */
static sym_node *
right_conj(const call *c, sym_node *q)
{
    static const int sign[16] = {1, 1, 1, 1, -1, 1, -1, 1, -1, 1, 1, -1, -1, -1, 1, 1};
    return pattern(c, q, 4, quat_index, sign);
}

static sym_node *
do_quat(const call *c)
{
    return column_arg(c, 0, 4) && column_arg(c, 1, 4)
               ? mul(c, left(c, c->arg[0]), right_conj(c, c->arg[1]))
               : NULL;
}

static sym_node *
do_rot(const call *c)
{
    if (!column_arg(c, 0, 4))
        return NULL;
    sym_node *q = mul(c, left(c, c->arg[0]), right_conj(c, c->arg[0]));
    return ckda_sym_part(c->p, q, 1, 1, 3, 3);
}

static sym_node *
do_qmul(const call *c)
{
    return column_arg(c, 0, 4) && column_arg(c, 1, 4)
               ? mul(c, left(c, c->arg[0]), c->arg[1])
               : NULL;
}

static sym_node *
do_qconj(const call *c)
{
    if (!column_arg(c, 0, 4))
        return NULL;
    sym_node *cell[4];
    for (slong i = 0; i < 4; i++)
        cell[i] = i == 0 ? entry(c, c->arg[0], 0, 0)
                         : ckda_sym_neg(c->p, entry(c, c->arg[0], i, 0));
    return ckda_sym_table(c->p, cell, 4, 1);
}

/* ---- the table ---- */

typedef sym_node *builtin_fn(const call *c);

static const struct {
    const char *name;
    slong min, max;
    builtin_fn *fn; /* NULL: read in a way of its own */
} table[] = {
    {"eye", 1, 1, do_eye},       {"zeros", 2, 2, do_zeros},
    {"ones", 2, 2, do_ones},     {"unit", 2, 2, do_unit},
    {"diag", 1, 64, do_diag},    {"det", 1, 1, do_det},
    {"tr", 1, 1, do_tr},         {"inv", 1, 1, do_inv},
    {"adj", 1, 1, do_adj},       {"dot", 2, 2, do_dot},
    {"house", 2, 2, do_house},   {"entry", 3, 3, do_entry},
    {"row", 2, 2, do_row},       {"col", 2, 2, do_col},
    {"sub", 5, 5, do_sub},       {"charpoly", 2, 2, do_charpoly},
    {"diff", 2, 2, do_diff},     {"subst", 3, 3, do_subst},
    {"minor2", 1, 1, do_minor2}, {"kron", 2, 2, do_kron},
    {"vec", 1, 1, do_vec},       {"cross", 1, 1, do_cross},
    {"quat", 2, 2, do_quat},     {"rot", 1, 1, do_rot},
    {"qmul", 2, 2, do_qmul},     {"qconj", 1, 1, do_qconj},
    {"genmat", 0, 0, NULL},      {"gencol", 0, 0, NULL},
    {"gendiag", 0, 0, NULL},     {"sum", 0, 0, NULL},
    {"psd", 0, 0, NULL},         {"divides", 0, 0, NULL},
};

static const slong table_len = (slong)(sizeof table / sizeof *table);

static slong
lookup(const char *name, size_t len)
{
    for (slong i = 0; i < table_len; i++)
        if (strlen(table[i].name) == len && memcmp(table[i].name, name, len) == 0)
            return i;
    return -1;
}

bool
ckda_sym_is_builtin(const char *name, size_t len)
{
    return lookup(name, len) >= 0;
}

sym_node *
ckda_sym_parse_call(sym_parser *p)
{
    slong k = lookup(p->text + p->at, p->end - p->at);
    size_t at = p->at;
    ckda_sym_next(p);
    if (!ckda_sym_eat(p, "("))
        return ckda_sym_expected(p, "'('");
    if (table[k].fn == NULL)
        return ckda_sym_parse_special(p, at, table[k].name);
    call *c = flint_calloc(1, sizeof *c);
    sym_node *n = NULL;
    c->p = p;
    c->at = at;
    do {
        if (c->n == MAX_ARGS) {
            ckda_sym_fail(p, p->at, "more than %d arguments", MAX_ARGS);
            break;
        }
        c->arg_at[c->n] = p->at;
        c->arg[c->n++] = ckda_sym_parse_expr(p);
    } while (!p->failed && ckda_sym_eat(p, ","));
    if (!p->failed && !ckda_sym_eat(p, ")"))
        ckda_sym_expected(p, "',' or ')'");
    if (!p->failed && (c->n < table[k].min || c->n > table[k].max))
        ckda_sym_fail(p, at, "%s takes %ld argument%s, found %ld", table[k].name,
                      (long)table[k].min, table[k].min == 1 ? "" : "s", (long)c->n);
    if (!p->failed)
        n = table[k].fn(c);
    flint_free(c);
    return p->failed ? NULL : n;
}
