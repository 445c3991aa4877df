/* Subspaces by orthogonal bases, and elimination.  Everything is exact, so any pivot will
 * do, and an orthogonal basis needs no square root as long as it is not normalised. */
#include "reduce_internal.h"

static ckda_elem_struct *
vector_of(const span *s, slong i)
{
    return s->vector + i * s->n;
}

void
span_init(span *s, slong n, const ckda_elem_struct *weight, const ckda_field_t K)
{
    s->n = n;
    s->r = 0;
    s->vector = ckda_elem_vec_new(n * n, K);
    s->norm = ckda_elem_vec_new(n, K);
    s->weight = ckda_elem_vec_new(n, K);
    for (slong i = 0; i < n; i++) {
        if (weight != NULL)
            ckda_elem_set(s->weight + i, weight + i, K);
        else
            ckda_elem_one(s->weight + i, K);
    }
}

void
span_clear(span *s, const ckda_field_t K)
{
    ckda_elem_vec_free(s->weight, s->n, K);
    ckda_elem_vec_free(s->norm, s->n, K);
    ckda_elem_vec_free(s->vector, s->n * s->n, K);
}

/* d = <x, y>. */
static void
inner(ckda_elem_t d, const span *s, const ckda_elem_struct *x, const ckda_elem_struct *y,
      const ckda_field_t K)
{
    ckda_elem_t p;
    ckda_elem_init(p, K);
    ckda_elem_zero(d, K);
    for (slong i = 0; i < s->n; i++) {
        ckda_elem_mul(p, s->weight + i, x + i, K);
        ckda_elem_addmul(d, p, y + i, K);
    }
    ckda_elem_clear(p, K);
}

/* rest = x minus its projection, whose coordinates are written to c unless c is NULL; is
 * the rest zero? */
static bool
project(ckda_elem_struct *c, ckda_elem_struct *rest, const span *s,
        const ckda_elem_struct *x, const ckda_field_t K)
{
    bool inside = true;
    ckda_elem_t f;
    ckda_elem_init(f, K);
    for (slong i = 0; i < s->n; i++)
        ckda_elem_set(rest + i, x + i, K);
    for (slong j = 0; j < s->r; j++) {
        inner(f, s, vector_of(s, j), x, K);
        must(ckda_elem_div(f, f, s->norm + j, K));
        for (slong i = 0; i < s->n; i++)
            ckda_elem_submul(rest + i, f, vector_of(s, j) + i, K);
        if (c != NULL)
            ckda_elem_set(c + j, f, K);
    }
    for (slong i = 0; i < s->n; i++)
        inside = inside && ckda_elem_is_zero(rest + i, K);
    ckda_elem_clear(f, K);
    return inside;
}

/* Scales x by a rational number to integral coefficients without a common factor, the
 * first of them positive: short numbers for people. */
static void
make_primitive(ckda_elem_struct *x, slong n, const ckda_field_t K)
{
    fmpz_t den, num, part;
    fmpq_t scale;
    fmpq_poly_t f;
    ckda_elem_t c;
    int sign = 0;
    fmpz_init_set_ui(den, 1);
    fmpz_init(num);
    fmpz_init(part);
    fmpq_init(scale);
    fmpq_poly_init(f);
    ckda_elem_init(c, K);
    for (slong i = 0; i < n; i++) {
        ckda_elem_get_fmpq_poly(f, x + i, K);
        fmpz_lcm(den, den, fmpq_poly_denref(f));
        if (sign == 0)
            sign = ckda_elem_sgn(x + i, K);
    }
    for (slong i = 0; i < n; i++) {
        ckda_elem_get_fmpq_poly(f, x + i, K);
        fmpq_poly_scalar_mul_fmpz(f, f, den);
        for (slong k = 0; k < fmpq_poly_length(f); k++) {
            fmpq_poly_get_coeff_fmpq(scale, f, k);
            fmpz_set(part, fmpq_numref(scale));
            fmpz_gcd(num, num, part);
        }
    }
    fmpq_set_fmpz_frac(scale, den, num);
    if (sign < 0)
        fmpq_neg(scale, scale);
    ckda_elem_set_fmpq(c, scale, K);
    for (slong i = 0; i < n; i++)
        ckda_elem_mul(x + i, x + i, c, K);
    ckda_elem_clear(c, K);
    fmpq_poly_clear(f);
    fmpq_clear(scale);
    fmpz_clear(part);
    fmpz_clear(num);
    fmpz_clear(den);
}

bool
span_add(span *s, const ckda_elem_struct *x, const ckda_field_t K)
{
    ckda_elem_struct *rest = ckda_elem_vec_new(s->n, K);
    const bool inside = project(NULL, rest, s, x, K);
    if (!inside) {
        make_primitive(rest, s->n, K);
        for (slong i = 0; i < s->n; i++)
            ckda_elem_swap(vector_of(s, s->r) + i, rest + i, K);
        inner(s->norm + s->r, s, vector_of(s, s->r), vector_of(s, s->r), K);
        s->r++;
    }
    ckda_elem_vec_free(rest, s->n, K);
    return !inside;
}

bool
span_coordinates(ckda_elem_struct *c, const span *s, const ckda_elem_struct *x,
                 const ckda_field_t K)
{
    ckda_elem_struct *rest = ckda_elem_vec_new(s->n, K);
    const bool inside = project(c, rest, s, x, K);
    ckda_elem_vec_free(rest, s->n, K);
    return inside;
}

static void
get_column(ckda_elem_struct *x, const ckda_mat_t X, slong j, const ckda_field_t K)
{
    for (slong i = 0; i < X->rows; i++)
        ckda_elem_set(x + i, ckda_mat_entry(X, i, j), K);
}

bool
span_columns(ckda_mat_t C, const span *s, const ckda_mat_t X, const ckda_field_t K)
{
    bool inside = true;
    ckda_elem_struct *x = ckda_elem_vec_new(s->n, K), *c = ckda_elem_vec_new(s->r, K);
    ckda_mat_init(C, s->r, X->cols, K);
    for (slong j = 0; j < X->cols; j++) {
        get_column(x, X, j, K);
        inside = span_coordinates(c, s, x, K) && inside;
        for (slong i = 0; i < s->r; i++)
            ckda_elem_set(ckda_mat_entry(C, i, j), c + i, K);
    }
    ckda_elem_vec_free(c, s->r, K);
    ckda_elem_vec_free(x, s->n, K);
    return inside;
}

void
span_basis(ckda_mat_t B, const span *s, const ckda_field_t K)
{
    ckda_mat_init(B, s->n, s->r, K);
    for (slong j = 0; j < s->r; j++)
        for (slong i = 0; i < s->n; i++)
            ckda_elem_set(ckda_mat_entry(B, i, j), vector_of(s, j) + i, K);
}

bool
span_restrict(ckda_mat_t M, const span *s, const ckda_mat_t A, const ckda_field_t K)
{
    ckda_mat_t B;
    span_basis(B, s, K);
    must(ckda_mat_mul(B, A, B, K));
    const bool inside = span_columns(M, s, B, K);
    ckda_mat_clear(B, K);
    return inside;
}

void
span_add_columns(span *s, const ckda_mat_t X, const ckda_field_t K)
{
    ckda_elem_struct *x = ckda_elem_vec_new(s->n, K);
    for (slong j = 0; j < X->cols; j++) {
        get_column(x, X, j, K);
        (void)span_add(s, x, K);
    }
    ckda_elem_vec_free(x, s->n, K);
}

void
span_close(span *s, const ckda_mat_struct *A, uint32_t count, const ckda_field_t K)
{
    ckda_mat_t x;
    ckda_mat_init(x, s->n, 1, K);
    for (slong j = 0; j < s->r; j++)
        for (uint32_t g = 0; g < count; g++) {
            for (slong i = 0; i < s->n; i++)
                ckda_elem_set(x->entry + i, vector_of(s, j) + i, K);
            must(ckda_mat_mul(x, A + g, x, K));
            (void)span_add(s, x->entry, K);
        }
    ckda_mat_clear(x, K);
}

/* ---- elimination ---------------------------------------------------------------------- */

static void
swap_rows(ckda_mat_t M, slong i, slong j, const ckda_field_t K)
{
    for (slong k = 0; i != j && k < M->cols; k++)
        ckda_elem_swap(ckda_mat_entry(M, i, k), ckda_mat_entry(M, j, k), K);
}

/* Column c becomes a unit column with its 1 in row r. */
static void
clear_column(ckda_mat_t M, slong r, slong c, const ckda_field_t K)
{
    ckda_elem_t f;
    ckda_elem_init(f, K);
    must(ckda_elem_inv(f, ckda_mat_entry(M, r, c), K));
    for (slong k = 0; k < M->cols; k++)
        ckda_elem_mul(ckda_mat_entry(M, r, k), ckda_mat_entry(M, r, k), f, K);
    for (slong i = 0; i < M->rows; i++) {
        ckda_elem_set(f, ckda_mat_entry(M, i, c), K);
        if (i == r || ckda_elem_is_zero(f, K))
            continue;
        for (slong k = 0; k < M->cols; k++)
            ckda_elem_submul(ckda_mat_entry(M, i, k), f, ckda_mat_entry(M, r, k), K);
    }
    ckda_elem_clear(f, K);
}

slong
row_reduce(ckda_mat_t M, slong cols, slong *pivot, const ckda_field_t K)
{
    slong r = 0;
    for (slong c = 0; c < cols && r < M->rows; c++) {
        slong i = r;
        while (i < M->rows && ckda_elem_is_zero(ckda_mat_entry(M, i, c), K))
            i++;
        if (i == M->rows)
            continue;
        swap_rows(M, i, r, K);
        clear_column(M, r, c, K);
        pivot[r++] = c;
    }
    return r;
}

void
kernel(ckda_mat_t N, const ckda_mat_t M, const ckda_field_t K)
{
    const slong n = M->cols;
    slong *pivot = flint_malloc((size_t)(n + 1) * sizeof *pivot), at = 0, free_column = 0;
    ckda_mat_t R;
    ckda_mat_init_set(R, M, K);
    const slong rank = row_reduce(R, n, pivot, K);
    ckda_mat_init(N, n, n - rank, K);
    for (slong c = 0; c < n; c++) {
        if (at < rank && pivot[at] == c) {
            at++;
            continue;
        }
        ckda_elem_one(ckda_mat_entry(N, c, free_column), K);
        for (slong i = 0; i < rank; i++)
            ckda_elem_neg(ckda_mat_entry(N, pivot[i], free_column),
                          ckda_mat_entry(R, i, c), K);
        free_column++;
    }
    ckda_mat_clear(R, K);
    flint_free(pivot);
}

bool
solve_unique(ckda_mat_t X, const ckda_mat_t M, const ckda_mat_t Y, const ckda_field_t K)
{
    const slong n = M->cols, m = Y->cols;
    slong *pivot = flint_malloc((size_t)(n + 1) * sizeof *pivot);
    ckda_mat_t R;
    ckda_mat_init(R, M->rows, n + m, K);
    for (slong i = 0; i < M->rows; i++) {
        for (slong j = 0; j < n; j++)
            ckda_elem_set(ckda_mat_entry(R, i, j), ckda_mat_entry(M, i, j), K);
        for (slong j = 0; j < m; j++)
            ckda_elem_set(ckda_mat_entry(R, i, n + j), ckda_mat_entry(Y, i, j), K);
    }
    bool one = row_reduce(R, n, pivot, K) == n;
    for (slong i = n; i < R->rows; i++)
        for (slong j = n; j < n + m; j++)
            one = one && ckda_elem_is_zero(ckda_mat_entry(R, i, j), K);
    ckda_mat_init(X, n, m, K);
    for (slong i = 0; i < n && one; i++)
        for (slong j = 0; j < m; j++)
            ckda_elem_set(ckda_mat_entry(X, i, j), ckda_mat_entry(R, i, n + j), K);
    ckda_mat_clear(R, K);
    flint_free(pivot);
    return one;
}

void
span_add_reduced(span *s, const ckda_mat_t X, const ckda_field_t K)
{
    slong *pivot = flint_malloc((size_t)(X->rows + 1) * sizeof *pivot);
    ckda_mat_t R;
    ckda_mat_init(R, X->cols, X->rows, K);
    must(ckda_mat_transpose(R, X, K));
    const slong rank = row_reduce(R, R->cols, pivot, K);
    for (slong i = 0; i < rank; i++)
        (void)span_add(s, ckda_mat_entry(R, i, 0), K);
    ckda_mat_clear(R, K);
    flint_free(pivot);
}
