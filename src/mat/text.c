/* Matrices as text, and random matrices. */
#include "mat_internal.h"

#include <stdlib.h>
#include <string.h>

/* Joins rows * cols cells (freed here) as [[a,b],[c,d]]. */
static char *
join(char **cell, slong rows, slong cols)
{
    size_t size = 3;
    for (slong i = 0; i < rows * cols; i++)
        size += strlen(cell[i]) + 1;
    char *text = malloc(size + 3 * (size_t)rows);
    ckda_require_memory(text != NULL);
    char *p = text;

    *p++ = '[';
    for (slong i = 0; i < rows; i++) {
        if (i > 0)
            *p++ = ',';
        *p++ = '[';
        for (slong j = 0; j < cols; j++) {
            if (j > 0)
                *p++ = ',';
            size_t n = strlen(cell[i * cols + j]);
            memcpy(p, cell[i * cols + j], n);
            p += n;
            free(cell[i * cols + j]);
        }
        *p++ = ']';
    }
    *p++ = ']';
    *p = '\0';
    return text;
}

char *
ckda_mat_str(const ckda_mat_t A, const ckda_field_t K)
{
    slong n = A->rows * A->cols;
    char **cell = flint_malloc((size_t)(n + 1) * sizeof *cell);
    for (slong i = 0; i < n; i++)
        cell[i] = ckda_elem_str(A->entry + i, K);
    char *text = join(cell, A->rows, A->cols);
    flint_free(cell);
    return text;
}

void
ckda_mat_rand(ckda_mat_t A, ckda_rand *r, slong bound, slong den_bound,
              const ckda_field_t K)
{
    for (slong i = 0; i < A->rows * A->cols; i++)
        ckda_elem_rand(A->entry + i, r, bound, den_bound, K);
}

/* A = I + S, B = I - S for a random skew S. */
static void
cayley_parts(ckda_mat_t A, ckda_mat_t B, ckda_rand *r, slong bound, const ckda_field_t K)
{
    for (slong i = 0; i < A->rows; i++) {
        ckda_elem_one(E(A, i, i), K);
        ckda_elem_one(E(B, i, i), K);
        for (slong j = 0; j < i; j++) {
            ckda_elem_struct *x = E(A, i, j);
            ckda_elem_rand(x, r, bound, 1, K);
            ckda_elem_set(E(B, j, i), x, K);
            ckda_elem_neg(E(B, i, j), x, K);
            ckda_elem_neg(E(A, j, i), x, K);
        }
    }
}

void
ckda_mat_rand_orthogonal(ckda_mat_t A, ckda_rand *r, slong bound, const ckda_field_t K)
{
    slong n = A->rows;
    ckda_require(n == A->cols, "%ld x %ld", (long)n, (long)A->cols);
    ckda_mat_t P, M;
    ckda_mat_init(P, n, n, K);
    ckda_mat_init(M, n, n, K);
    cayley_parts(P, M, r, bound, K);
    /* I + S is never singular over a real field: x^T (I + S) x = x^T x. */
    ckda_status s = ckda_mat_inv(P, P, K);
    if (s == CKDA_OK)
        s = ckda_mat_mul(A, M, P, K);
    ckda_require(s == CKDA_OK, "the Cayley transform exists");
    for (slong j = 0; j < n; j++) /* signs, to reach eigenvalue -1 and determinant -1 */
        if (ckda_rand_below(r, 2))
            for (slong i = 0; i < n; i++)
                ckda_elem_neg(E(A, i, j), E(A, i, j), K);
    ckda_mat_clear(M, K);
    ckda_mat_clear(P, K);
}
