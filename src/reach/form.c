/* A positive form that all letters preserve.
 *
 * Let A^T Q A = Q for the linear part of every letter, K totally real, Q symmetric and
 * positive definite in every embedding.  Then every letter keeps the norm |c|^2 = c^T Q c
 * of a column and an offset adds at most its own norm; and |c_i|^2 <= (Q^-1)_ii c^T Q c,
 * because (Q^-1)_ii is the largest value of c_i^2 / (c^T Q c).  So entries stay bounded,
 * however long the word, in coordinates in which no letter is orthogonal: reflection
 * groups in coordinates of their roots, with integer entries.
 *
 * Q is looked for among the solutions of the linear equations A^T Q A = Q: the one nearest
 * to the identity matrix, which is positive definite if the coordinates split into blocks
 * with one solution each.  How it was found does not matter: that it is preserved and
 * positive is decided at the end. */
#include "reach_internal.h"

/* Field multiplications that the search for Q may take, about. */
static const double MOST_WORK = 4e5;

/* ---- linear equations --------------------------------------------------------------- */

/* Equations on n unknowns in reduced echelon form: row[c], if used[c], has 1 at column c,
 * and 0 at the columns of the other rows. */
typedef struct {
    slong n, rank;
    ckda_elem_struct *row; /* n * n */
    bool *used;
    const ckda_field_struct *K;
} equations;

static void
equations_init(equations *E, slong n, const ckda_field_t K)
{
    *E = (equations){.n = n, .K = K};
    E->row = ckda_elem_vec_new(n * n, K);
    E->used = flint_calloc((size_t)n, sizeof *E->used);
}

static void
equations_clear(equations *E)
{
    ckda_elem_vec_free(E->row, E->n * E->n, E->K);
    flint_free(E->used);
}

/* to -= to[c] * row[c] */
static void
reduce_by(ckda_elem_struct *to, const equations *E, slong c)
{
    ckda_elem_t t;
    if (ckda_elem_is_zero(to + c, E->K))
        return;
    ckda_elem_init(t, E->K);
    ckda_elem_set(t, to + c, E->K);
    for (slong j = 0; j < E->n; j++)
        ckda_elem_submul(to + j, t, E->row + c * E->n + j, E->K);
    ckda_elem_clear(t, E->K);
}

/* Takes one more equation, which is used up. */
static void
equations_add(equations *E, ckda_elem_struct *e)
{
    slong pivot = 0;
    for (slong c = 0; c < E->n; c++)
        if (E->used[c])
            reduce_by(e, E, c);
    while (pivot < E->n && ckda_elem_is_zero(e + pivot, E->K))
        pivot++;
    if (pivot == E->n)
        return;
    ckda_elem_t t;
    ckda_elem_init(t, E->K);
    const ckda_status st = ckda_elem_inv(t, e + pivot, E->K);
    ckda_require(st == CKDA_OK, "a field element that is not 0 has an inverse");
    for (slong j = 0; j < E->n; j++)
        ckda_elem_mul(E->row + pivot * E->n + j, e + j, t, E->K);
    ckda_elem_clear(t, E->K);
    for (slong c = 0; c < E->n; c++)
        if (E->used[c])
            reduce_by(E->row + c * E->n, E, pivot);
    E->used[pivot] = true;
    E->rank++;
}

/* The solution that is 1 at the free column f and 0 at the other free ones. */
static void
solution(ckda_elem_struct *x, const equations *E, slong f)
{
    for (slong c = 0; c < E->n; c++)
        if (E->used[c])
            ckda_elem_neg(x + c, E->row + c * E->n + f, E->K);
        else
            ckda_elem_set_si(x + c, c == f, E->K);
}

/* ---- the equations of a form ---------------------------------------------------------- */

/* The unknown Q_ij = Q_ji. */
static slong
unknown(slong i, slong j)
{
    return i < j ? j * (j + 1) / 2 + i : i * (i + 1) / 2 + j;
}

/* Entry (k, l) of A^T Q A - Q. */
static void
write_equation(ckda_elem_struct *e, const ckda_mat_t A, slong k, slong l,
               const ckda_field_t K)
{
    const slong n = A->rows, size = n * (n + 1) / 2;
    ckda_elem_t one;
    ckda_elem_init(one, K);
    ckda_elem_one(one, K);
    for (slong u = 0; u < size; u++)
        ckda_elem_zero(e + u, K);
    for (slong i = 0; i < n; i++)
        for (slong j = 0; j < n; j++)
            if (!ckda_elem_is_zero(ckda_mat_entry(A, i, k), K))
                ckda_elem_addmul(e + unknown(i, j), ckda_mat_entry(A, i, k),
                                 ckda_mat_entry(A, j, l), K);
    ckda_elem_sub(e + unknown(k, l), e + unknown(k, l), one, K);
    ckda_elem_clear(one, K);
}

static void
form_equations(equations *E, const ckda_system_t sys)
{
    const slong n = sys->initial->rows;
    ckda_elem_struct *e = ckda_elem_vec_new(E->n, sys->K);
    for (uint32_t x = 0; x < sys->nletters; x++)
        for (slong k = 0; k < n; k++)
            for (slong l = k; l < n && E->rank < E->n; l++) {
                write_equation(e, sys->linear + x, k, l, sys->K);
                equations_add(E, e);
            }
    ckda_elem_vec_free(e, E->n, sys->K);
}

/* <x, y> = trace of the product of the two symmetric matrices; y == NULL: identity. */
static void
trace_form(ckda_elem_t t, const ckda_elem_struct *x, const ckda_elem_struct *y, slong n,
           const ckda_field_t K)
{
    ckda_elem_zero(t, K);
    for (slong i = 0; i < n; i++)
        for (slong j = 0; j < n; j++)
            if (y != NULL)
                ckda_elem_addmul(t, x + unknown(i, j), y + unknown(i, j), K);
            else if (i == j)
                ckda_elem_add(t, t, x + unknown(i, i), K);
}

/* Q = the combination of the solutions x that is nearest to the identity. */
static void
nearest_to_one(ckda_mat_t Q, const ckda_elem_struct *x, slong count, slong size,
               const ckda_field_t K)
{
    const slong n = Q->rows;
    ckda_mat_t gram, right;
    ckda_mat_init(gram, count, count, K);
    ckda_mat_init(right, count, 1, K);
    for (slong i = 0; i < count; i++) {
        trace_form(right->entry + i, x + i * size, NULL, n, K);
        for (slong j = 0; j < count; j++)
            trace_form(ckda_mat_entry(gram, i, j), x + i * size, x + j * size, n, K);
    }
    ckda_status st = ckda_mat_inv(gram, gram, K);
    if (st == CKDA_OK) /* K is totally real: the trace form is positive definite */
        st = ckda_mat_mul(right, gram, right, K);
    ckda_require(st == CKDA_OK, "independent solutions");
    for (slong i = 0; i < n; i++)
        for (slong j = 0; j < n; j++)
            for (slong s = 0; s < count; s++)
                ckda_elem_addmul(ckda_mat_entry(Q, i, j), right->entry + s,
                                 x + s * size + unknown(i, j), K);
    ckda_mat_clear(gram, K);
    ckda_mat_clear(right, K);
}

static bool
propose(ckda_mat_t Q, const ckda_system_t sys)
{
    const slong n = sys->initial->rows, size = n * (n + 1) / 2;
    equations E;
    equations_init(&E, size, sys->K);
    form_equations(&E, sys);
    const slong count = size - E.rank;
    if (count > 0) {
        ckda_elem_struct *x = ckda_elem_vec_new(count * size, sys->K);
        for (slong f = 0, s = 0; f < size; f++)
            if (!E.used[f])
                solution(x + s++ * size, &E, f);
        nearest_to_one(Q, x, count, size, sys->K);
        ckda_elem_vec_free(x, count * size, sys->K);
    }
    equations_clear(&E);
    return count > 0;
}

/* ---- decisions ------------------------------------------------------------------------ */

/* Row i of the matrix of multiplication by x in the basis 1, a, a^2, ... */
static void
multiplication(fmpq_mat_t M, const ckda_elem_t x, const ckda_field_t K)
{
    ckda_elem_t power, a;
    fmpq_poly_t f;
    ckda_elem_init(power, K);
    ckda_elem_init(a, K);
    fmpq_poly_init(f);
    ckda_elem_gen(a, K);
    ckda_elem_set(power, x, K);
    for (slong i = 0; i < K->degree; i++) {
        ckda_elem_get_fmpq_poly(f, power, K);
        for (slong j = 0; j < K->degree; j++)
            fmpq_poly_get_coeff_fmpq(fmpq_mat_entry(M, i, j), f, j);
        ckda_elem_mul(power, power, a, K);
    }
    ckda_elem_clear(power, K);
    ckda_elem_clear(a, K);
    fmpq_poly_clear(f);
}

/* Are all conjugates positive?  K is totally real, so the characteristic polynomial of the
 * multiplication by x has real roots only; they are positive if and only if its
 * coefficients are not 0 and alternate in sign. */
static bool
totally_positive(const ckda_elem_t x, const ckda_field_t K)
{
    if (K->degree == 1)
        return ckda_elem_sgn(x, K) > 0;
    fmpq_mat_t M;
    fmpq_poly_t f;
    fmpq_mat_init(M, K->degree, K->degree);
    fmpq_poly_init(f);
    multiplication(M, x, K);
    fmpq_mat_charpoly(f, M);
    bool positive = true;
    for (slong i = 0; i <= K->degree; i++) {
        const int sign = fmpz_sgn(fmpq_poly_numref(f) + i);
        positive = positive && sign == ((K->degree - i) % 2 == 0 ? 1 : -1);
    }
    fmpq_mat_clear(M);
    fmpq_poly_clear(f);
    return positive;
}

/* Gauss without exchanges: every pivot must be positive in every embedding. */
static bool
positive_definite(const ckda_mat_t Q, const ckda_field_t K)
{
    const slong n = Q->rows;
    ckda_mat_t L;
    ckda_elem_t t;
    bool positive = true;
    ckda_mat_init_set(L, Q, K);
    ckda_elem_init(t, K);
    for (slong k = 0; positive && k < n; k++) {
        positive = totally_positive(ckda_mat_entry(L, k, k), K);
        for (slong i = k + 1; positive && i < n; i++) {
            const ckda_status st =
                ckda_elem_div(t, ckda_mat_entry(L, i, k), ckda_mat_entry(L, k, k), K);
            ckda_require(st == CKDA_OK, "a pivot is not 0");
            for (slong j = k; j < n; j++)
                ckda_elem_submul(ckda_mat_entry(L, i, j), t, ckda_mat_entry(L, k, j), K);
        }
    }
    ckda_elem_clear(t, K);
    ckda_mat_clear(L, K);
    return positive;
}

static bool
preserved(const ckda_mat_t Q, const ckda_system_t sys)
{
    const slong n = Q->rows;
    ckda_mat_t T, U;
    bool same = true;
    ckda_mat_init(T, n, n, sys->K);
    ckda_mat_init(U, n, n, sys->K);
    for (uint32_t x = 0; same && x < sys->nletters; x++) {
        ckda_status st = ckda_mat_transpose(T, sys->linear + x, sys->K);
        if (st == CKDA_OK)
            st = ckda_mat_mul(U, T, Q, sys->K);
        if (st == CKDA_OK)
            st = ckda_mat_mul(U, U, sys->linear + x, sys->K);
        ckda_require(st == CKDA_OK, "square matrices");
        same = ckda_mat_equal(NULL, U, Q, sys->K);
    }
    ckda_mat_clear(T, sys->K);
    ckda_mat_clear(U, sys->K);
    return same;
}

bool
invariant_form(ckda_mat_t Q, const ckda_system_t sys)
{
    const double n = (double)sys->initial->rows, size = n * (n + 1) / 2;
    const double d = (double)sys->K->degree;
    if (size * size * size * (double)sys->nletters * d * d > MOST_WORK
        || !ckda_field_is_totally_real(sys->K))
        return false;
    ckda_mat_init(Q, sys->initial->rows, sys->initial->rows, sys->K);
    if (propose(Q, sys) && positive_definite(Q, sys->K) && preserved(Q, sys))
        return true;
    ckda_mat_clear(Q, sys->K);
    return false;
}
