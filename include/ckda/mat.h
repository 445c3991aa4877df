/* ckda/mat.h -- dense matrices with entries in one real number field K.
 *
 * Shapes are rows x cols, storage is row-major, indices start at 0.  Nothing here
 * rounds.  Arguments go: result, inputs, field.  A result may alias an input of the same
 * type.  When a function returns anything but CKDA_OK its results keep the values they
 * had.  Concurrent calls are safe as long as no two of them share a result; K and const
 * arguments are never written to.
 *
 * This is the plain definition (entries are nf_elem).  ckda/matden.h and ckda/matmod.h
 * hold the two fast representations that are tested against it.                       */
#ifndef CKDA_MAT_H
#define CKDA_MAT_H
#include "ckda/field.h"
#include "ckda/poly.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    ckda_elem_struct *entry; /* rows * cols elements, owned by the matrix */
    slong rows, cols;        /* read freely, change only through ckda_mat_* */
} ckda_mat_struct;
typedef ckda_mat_struct ckda_mat_t[1];
typedef struct {
    slong row, col;
} ckda_index;

/* The entry at (i, j), as a ckda_elem_struct *; works for const and non-const A. */
#define ckda_mat_entry(A, i, j) ((A)->entry + (i) * (A)->cols + (j))

/* Every init is paired with one clear.  init yields the zero matrix; 0 x n is allowed. */
void ckda_mat_init(ckda_mat_t A, slong rows, slong cols, const ckda_field_t K);
void ckda_mat_init_set(ckda_mat_t A, const ckda_mat_t B, const ckda_field_t K);
void ckda_mat_clear(ckda_mat_t A, const ckda_field_t K);
void ckda_mat_swap(ckda_mat_t A, ckda_mat_t B);
/* CKDA_E_SHAPE unless the shapes agree. */
CKDA_MUST_CHECK ckda_status ckda_mat_set(ckda_mat_t A, const ckda_mat_t B,
                                         const ckda_field_t K);
void ckda_mat_zero(ckda_mat_t A, const ckda_field_t K);
/* CKDA_E_SHAPE unless A is square. */
CKDA_MUST_CHECK ckda_status ckda_mat_one(ckda_mat_t A, const ckda_field_t K);
void ckda_mat_set_entry_si(ckda_mat_t A, slong i, slong j, slong v, const ckda_field_t K);
void ckda_mat_set_entry_frac(ckda_mat_t A, slong i, slong j, slong p, slong q,
                             const ckda_field_t K);
/* A = B with the rows x cols integers v (row-major) divided by den. */
void ckda_mat_set_si(ckda_mat_t A, const slong *v, slong den, const ckda_field_t K);
/* A = Diag(d), d of length n; A must be n x n, else CKDA_E_SHAPE. */
CKDA_MUST_CHECK ckda_status ckda_mat_set_diag(ckda_mat_t A, const ckda_elem_struct *d,
                                              slong n, const ckda_field_t K);
/* A = the permutation matrix of e_j -> e_image[j]. */
CKDA_MUST_CHECK ckda_status ckda_mat_set_map(ckda_mat_t A, const slong *image, slong n,
                                             const ckda_field_t K);
/* A = I - (c / w^T w) w w^T, the generalised Householder matrix of the direction w
 * (n elements); no square root is taken.  CKDA_E_DOMAIN if w = 0. */
CKDA_MUST_CHECK ckda_status ckda_mat_set_householder(ckda_mat_t A, const ckda_elem_t c,
                                                     const ckda_elem_struct *w, slong n,
                                                     const ckda_field_t K);

CKDA_MUST_CHECK ckda_status ckda_mat_add(ckda_mat_t C, const ckda_mat_t A,
                                         const ckda_mat_t B, const ckda_field_t K);
CKDA_MUST_CHECK ckda_status ckda_mat_sub(ckda_mat_t C, const ckda_mat_t A,
                                         const ckda_mat_t B, const ckda_field_t K);
CKDA_MUST_CHECK ckda_status ckda_mat_neg(ckda_mat_t C, const ckda_mat_t A,
                                         const ckda_field_t K);
/* C = A B, with A: m x n, B: n x p, C: m x p.  CKDA_E_SHAPE otherwise. */
CKDA_MUST_CHECK ckda_status ckda_mat_mul(ckda_mat_t C, const ckda_mat_t A,
                                         const ckda_mat_t B, const ckda_field_t K);
CKDA_MUST_CHECK ckda_status ckda_mat_scalar_mul(ckda_mat_t C, const ckda_mat_t A,
                                                const ckda_elem_t c,
                                                const ckda_field_t K);
/* C = A^T; for a square A the result may alias it. */
CKDA_MUST_CHECK ckda_status ckda_mat_transpose(ckda_mat_t C, const ckda_mat_t A,
                                               const ckda_field_t K);
/* P = A^e with A^0 = I.  A and P: n x n, else CKDA_E_SHAPE.  O(log e) products. */
CKDA_MUST_CHECK ckda_status ckda_mat_pow_ui(ckda_mat_t P, const ckda_mat_t A, ulong e,
                                            const ckda_field_t K);
/* CKDA_E_DOMAIN if A is singular. */
CKDA_MUST_CHECK ckda_status ckda_mat_inv(ckda_mat_t C, const ckda_mat_t A,
                                         const ckda_field_t K);
CKDA_MUST_CHECK ckda_status ckda_mat_det(ckda_elem_t d, const ckda_mat_t A,
                                         const ckda_field_t K);
CKDA_MUST_CHECK ckda_status ckda_mat_trace(ckda_elem_t t, const ckda_mat_t A,
                                           const ckda_field_t K);
slong ckda_mat_rank(const ckda_mat_t A, const ckda_field_t K);
/* f = det(x I - A), monic of degree n (Berkowitz: no division).  O(n^4). */
CKDA_MUST_CHECK ckda_status ckda_mat_charpoly(ckda_poly_t f, const ckda_mat_t A,
                                              const ckda_field_t K);

/* Does A = B hold?  Decided exactly; unequal shapes are false.  If the shapes agree and
 * at != NULL, *at is the first difference in row-major order. */
bool ckda_mat_equal(ckda_index *at, const ckda_mat_t A, const ckda_mat_t B,
                    const ckda_field_t K);
bool ckda_mat_is_zero(const ckda_mat_t A, const ckda_field_t K);
bool ckda_mat_is_one(const ckda_mat_t A, const ckda_field_t K);
bool ckda_mat_is_diagonal(const ckda_mat_t A, const ckda_field_t K);
bool ckda_mat_is_symmetric(const ckda_mat_t A, const ckda_field_t K);
/* A^T A = I?  If not and at != NULL, *at is the first entry of A^T A that differs. */
bool ckda_mat_is_orthogonal(ckda_index *at, const ckda_mat_t A, const ckda_field_t K);

/* Inertia of a symmetric matrix by an exact congruence transformation (pivoted LDL^T with
 * 2 x 2 pivots where the diagonal vanishes): numbers of positive, negative and zero
 * squares.  CKDA_E_DOMAIN if A is not symmetric. */
CKDA_MUST_CHECK ckda_status ckda_mat_inertia(slong *pos, slong *neg, slong *zero,
                                             const ckda_mat_t A, const ckda_field_t K);
/* ||A||_2 <= 1, i.e. I - A^T A positive semidefinite, decided exactly.  *equal (may be
 * NULL) says whether the norm is exactly 1, i.e. I - A^T A is also singular. */
bool ckda_mat_is_contraction(bool *equal, const ckda_mat_t A, const ckda_field_t K);

uint64_t ckda_mat_hash(const ckda_mat_t A, const ckda_field_t K);
/* "[[1,0],[1/2,a]]"; free with free(). */
char *ckda_mat_str(const ckda_mat_t A, const ckda_field_t K);
/* Entries as in ckda_elem_rand. */
void ckda_mat_rand(ckda_mat_t A, ckda_rand *r, slong bound, slong den_bound,
                   const ckda_field_t K);
/* A random exact orthogonal matrix: Cayley (I-S)(I+S)^-1 of a random skew S, times signs. */
void ckda_mat_rand_orthogonal(ckda_mat_t A, ckda_rand *r, slong bound,
                              const ckda_field_t K);

#ifdef __cplusplus
}
#endif
#endif
