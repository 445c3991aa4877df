/* psd.c -- positive semidefinite matrices: the rules for texts, and negative vectors. */
#include "internal.h"

#define MAX_FACTORS 64

static bool
is_scalar(const sym_node *n)
{
    return n->rows == 1 && n->cols == 1;
}

static bool
is_zero(const sym_node *n)
{
    return n->kind == NODE_ZERO || (n->kind == NODE_NUM && fmpq_is_zero(n->num));
}

/* Is b = a' for all values that satisfy the relations? */
static bool
transposed(ckda_sym *s, sym_node *a, sym_node *b)
{
    const sym_ratmat *v, *w;
    if (a->rows != b->cols || a->cols != b->rows)
        return false;
    if ((b->kind == NODE_TRANS && b->kid[0] == a)
        || (a->kind == NODE_TRANS && a->kid[0] == b))
        return true;
    if (ckda_sym_value(&v, s, a, 0, NULL) != CKDA_OK
        || ckda_sym_value(&w, s, b, 0, NULL) != CKDA_OK) {
        s->too_big = false;
        return false;
    }
    bool equal = true;
    fmpz_mpoly_t x, y;
    fmpz_t scale;
    fmpz_mpoly_init(x, s->ctx);
    fmpz_mpoly_init(y, s->ctx);
    fmpz_init(scale);
    for (slong i = 0; i < v->rows && equal; i++)
        for (slong j = 0; j < v->cols && equal; j++) {
            ckda_sym_poly_mul(x, v->num + i * v->cols + j, w->den, s);
            ckda_sym_poly_mul(y, w->num + j * w->cols + i, v->den, s);
            fmpz_mpoly_sub(x, x, y, s->ctx);
            ckda_sym_poly_reduce(scale, x, x, s);
            equal = fmpz_mpoly_is_zero(x, s->ctx) && !s->too_big;
        }
    s->too_big = false;
    fmpz_mpoly_clear(x, s->ctx);
    fmpz_mpoly_clear(y, s->ctx);
    fmpz_clear(scale);
    return equal;
}

/* factor[0 .. n) = X1 ... Xk (M) Xk' ... X1', scalars taken out before.  Returns what
 * this makes of the product: SIGN_GE when psd, SIGN_LE when -product is psd. */
static unsigned
palindrome(ckda_sym *s, sym_node *const *factor, slong n)
{
    slong i = 0, j = n - 1;
    for (; i < j; i++, j--)
        if (!transposed(s, factor[i], factor[j]))
            break;
    if (i > j)
        return SIGN_GE;
    /* What is left in the middle must be one psd factor. */
    if (i < j || factor[i]->rows != factor[i]->cols)
        return 0;
    return (ckda_sym_psd(s, factor[i], 1) ? SIGN_GE : 0u)
           | (ckda_sym_psd(s, factor[i], -1) ? SIGN_LE : 0u);
}

/* One step down the left spine of a product: what hangs on the right is a factor or a
 * scalar.  False at the end of the spine. */
static bool
descend(ckda_sym *s, sym_node **n, sym_node **factor, slong *from, unsigned *scalar)
{
    sym_node *m = *n;
    if (m->kind == NODE_NEG)
        *scalar = ckda_sym_sign_negate(*scalar);
    else if (m->kind == NODE_DIV)
        *scalar = ckda_sym_sign_times(*scalar, ckda_sym_sign(s, m->kid[1]) | SIGN_NZ);
    else if (m->kind == NODE_MUL && is_scalar(m->kid[1]))
        *scalar = ckda_sym_sign_times(*scalar, ckda_sym_sign(s, m->kid[1]));
    else if (m->kind == NODE_MUL && *from > 1)
        factor[--*from] = m->kid[1];
    else
        return false;
    *n = m->kid[0];
    return true;
}

/* a * b * c is ((a * b) * c): goes down the left spine and asks at each level, so that a
 * name that stands for a product can be one factor. */
static unsigned
product_rule(ckda_sym *s, sym_node *n)
{
    sym_node *factor[MAX_FACTORS]; /* filled from the end */
    slong from = MAX_FACTORS;
    unsigned scalar = SIGN_GE | SIGN_NZ, known = 0;
    while (known == 0 && descend(s, &n, factor, &from, &scalar)) {
        if (is_scalar(n)) {
            scalar = ckda_sym_sign_times(scalar, ckda_sym_sign(s, n));
            return ckda_sym_sign_times(scalar,
                                       palindrome(s, factor + from, MAX_FACTORS - from));
        }
        if (from < MAX_FACTORS) {
            factor[from - 1] = n;
            known = ckda_sym_sign_times(
                scalar, palindrome(s, factor + from - 1, MAX_FACTORS - from + 1));
        }
    }
    /* No factor at all: only scalars and signs around n. */
    if (from == MAX_FACTORS && n->kind != NODE_MUL)
        known = ckda_sym_sign_times(scalar, palindrome(s, &n, 1));
    return known;
}

unsigned
ckda_sym_sign_product(ckda_sym *s, sym_node *n)
{
    return product_rule(s, n) & (SIGN_GE | SIGN_LE);
}

static bool
psd_blocks(ckda_sym *s, const sym_node *n, int sign)
{
    for (slong k = 0; k < n->nkids; k++) {
        sym_node *b = n->kid[k];
        bool diagonal = n->place[2 * k] == n->place[2 * k + 1] && b->rows == b->cols;
        if (!is_zero(b) && !(diagonal && ckda_sym_psd(s, b, sign)))
            return false;
    }
    return true;
}

/* A matrix without variables is decided outright. */
static bool
psd_constant(ckda_sym *s, sym_node *n, int sign)
{
    sym_point pt;
    const sym_nummat *m;
    char *v = NULL, *value = NULL;
    ckda_sym_point_init(&pt, s);
    pt.epoch = ++s->epoch;
    bool yes = ckda_sym_number(&m, s, n, &pt) && transposed(s, n, n);
    if (yes) {
        sym_nummat t = {n->rows, n->rows, NULL};
        t.at = flint_malloc((size_t)(n->rows * n->rows) * sizeof *t.at);
        for (slong i = 0; i < n->rows * n->rows; i++) {
            fmpq_poly_init(t.at + i);
            fmpq_poly_scalar_mul_si(t.at + i, m->at + i, sign);
        }
        yes = !ckda_sym_negative_vector(&v, &value, &t);
        for (slong i = 0; i < n->rows * n->rows; i++)
            fmpq_poly_clear(t.at + i);
        flint_free(t.at);
    }
    flint_free(v);
    flint_free(value);
    ckda_sym_point_clear(&pt, s);
    return yes;
}

bool
ckda_sym_psd(ckda_sym *s, sym_node *n, int sign)
{
    if (n->vars == 0 && !n->params && !is_scalar(n))
        return psd_constant(s, n, sign);
    if (is_scalar(n))
        return (ckda_sym_sign(s, n) & (sign > 0 ? SIGN_GE : SIGN_LE)) != 0;
    switch (n->kind) {
    case NODE_ZERO:
        return true;
    case NODE_EYE:
        return sign > 0;
    case NODE_ADD:
        return ckda_sym_psd(s, n->kid[0], sign) && ckda_sym_psd(s, n->kid[1], sign);
    case NODE_SUB:
        return ckda_sym_psd(s, n->kid[0], sign) && ckda_sym_psd(s, n->kid[1], -sign);
    case NODE_TRANS:
        return ckda_sym_psd(s, n->kid[0], sign);
    case NODE_NEG:
    case NODE_MUL:
    case NODE_DIV:
        return (product_rule(s, n) & (sign > 0 ? SIGN_GE : SIGN_LE)) != 0;
    case NODE_POW:
        return sign > 0
               && ((n->arg[0] % 2 == 0 && transposed(s, n->kid[0], n->kid[0]))
                   || ckda_sym_psd(s, n->kid[0], 1));
    case NODE_ADJ:
        return sign > 0 && ckda_sym_psd(s, n->kid[0], 1);
    case NODE_PART:
        return n->arg[0] == n->arg[1] && n->kid[0]->rows == n->kid[0]->cols
               && ckda_sym_psd(s, n->kid[0], sign);
    case NODE_MAT:
        return psd_blocks(s, n, sign);
    default:
        return false;
    }
}

/* ---- refutation: Lagrange's reduction of a symmetric rational matrix ---- */

static char *
vector_text(const fmpq_mat_t basis, slong i, slong j, int sign)
{
    slong n = fmpq_mat_nrows(basis);
    sym_buf b;
    fmpq_t x;
    fmpq_init(x);
    ckda_sym_buf_init(&b);
    for (slong k = 0; k < n; k++) {
        fmpq_set(x, fmpq_mat_entry(basis, k, i));
        if (j >= 0 && sign > 0)
            fmpq_sub(x, x, fmpq_mat_entry(basis, k, j));
        else if (j >= 0)
            fmpq_add(x, x, fmpq_mat_entry(basis, k, j));
        char *t = fmpq_get_str(NULL, 10, x);
        ckda_sym_buf_add(&b, "%s%s", k == 0 ? "[" : "; ", t);
        flint_free(t);
    }
    ckda_sym_buf_add(&b, "]");
    fmpq_clear(x);
    return b.text;
}

/* Makes row and column k of a zero but for the diagonal, by b_i -= (a_ik / a_kk) b_k. */
static void
split_off(fmpq_mat_t a, fmpq_mat_t basis, slong k)
{
    slong n = fmpq_mat_nrows(a);
    fmpq_t f;
    fmpq_init(f);
    for (slong i = 0; i < n; i++) {
        if (i == k || fmpq_is_zero(fmpq_mat_entry(a, i, k)))
            continue;
        fmpq_div(f, fmpq_mat_entry(a, i, k), fmpq_mat_entry(a, k, k));
        for (slong j = 0; j < n; j++)
            fmpq_submul(fmpq_mat_entry(a, i, j), f, fmpq_mat_entry(a, k, j));
        for (slong j = 0; j < n; j++) {
            if (j != i && j != k)
                fmpq_set(fmpq_mat_entry(a, j, i), fmpq_mat_entry(a, i, j));
            fmpq_submul(fmpq_mat_entry(basis, j, i), f, fmpq_mat_entry(basis, j, k));
        }
        fmpq_zero(fmpq_mat_entry(a, k, i));
    }
    fmpq_clear(f);
}

/* One of: done (psd), a negative direction in *v and *value, or one more pivot split off.
 */
static bool
lagrange(char **v, char **value, fmpq_mat_t a, fmpq_mat_t basis)
{
    slong n = fmpq_mat_nrows(a);
    bool *used = flint_calloc((size_t)n, sizeof *used);
    for (slong round = 0; round < n; round++) {
        slong pivot = -1;
        for (slong i = 0; i < n && *v == NULL; i++) {
            int sign = fmpq_sgn(fmpq_mat_entry(a, i, i));
            if (sign < 0) {
                *v = vector_text(basis, i, -1, 0);
                *value = fmpq_get_str(NULL, 10, fmpq_mat_entry(a, i, i));
            } else if (sign > 0 && !used[i]) {
                pivot = i;
            }
        }
        if (*v != NULL || pivot < 0)
            break;
        used[pivot] = true;
        split_off(a, basis, pivot);
    }
    /* What is left has a zero diagonal: psd only if it is zero. */
    fmpq_t t;
    fmpq_init(t);
    for (slong i = 0; i < n && *v == NULL; i++)
        for (slong j = 0; j < i && *v == NULL; j++)
            if (!used[i] && !used[j] && !fmpq_is_zero(fmpq_mat_entry(a, i, j))) {
                fmpq_abs(t, fmpq_mat_entry(a, i, j));
                fmpq_mul_si(t, t, -2);
                *v = vector_text(basis, i, j, fmpq_sgn(fmpq_mat_entry(a, i, j)));
                *value = fmpq_get_str(NULL, 10, t);
            }
    fmpq_clear(t);
    flint_free(used);
    return *v != NULL;
}

bool
ckda_sym_negative_vector(char **v, char **value, const sym_nummat *m)
{
    fmpq_mat_t a, basis;
    fmpq_mat_init(a, m->rows, m->rows);
    fmpq_mat_init(basis, m->rows, m->rows);
    fmpq_mat_one(basis);
    for (slong i = 0; i < m->rows; i++)
        for (slong j = 0; j < m->rows; j++)
            fmpq_poly_get_coeff_fmpq(fmpq_mat_entry(a, i, j), m->at + i * m->cols + j, 0);
    *v = NULL;
    *value = NULL;
    bool found = lagrange(v, value, a, basis);
    fmpq_mat_clear(a);
    fmpq_mat_clear(basis);
    return found;
}
