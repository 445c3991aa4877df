/* ckda/factor.h -- D + u v^T: recognising it, and Theorem 1's signed Householder form.
 *
 * Theorem 1: a real orthogonal D + u v^T (D diagonal) is (I - 2 k k^T) S with a unit key
 * k and a sign diagonal S.  Keys are directions w here, so everything stays in the field
 * of the entries: (I - 2 w w^T / w^T w) S, no square root.  Conventions of ckda/mat.h. */
#ifndef CKDA_FACTOR_H
#define CKDA_FACTOR_H
#include "ckda/mat.h"
#include "ckda/rand.h"
#include "ckda/spectrum.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- diagonal plus rank one ------------------------------------------------------- */

typedef struct {
    slong n;
    ckda_elem_struct *diagonal, *u, *v; /* n elements each */
} ckda_dpr1_struct;
typedef ckda_dpr1_struct ckda_dpr1_t[1];

void ckda_dpr1_init(ckda_dpr1_t d, slong n, const ckda_field_t K); /* all zero */
void ckda_dpr1_clear(ckda_dpr1_t d, const ckda_field_t K);
void ckda_dpr1_swap(ckda_dpr1_t d, ckda_dpr1_t e);
/* A = Diag(diagonal) + u v^T.  CKDA_E_SHAPE unless A is n x n. */
CKDA_MUST_CHECK ckda_status ckda_dpr1_matrix(ckda_mat_t A, const ckda_dpr1_t d,
                                             const ckda_field_t K);
/* det(xI - A) = P - sum_i u_i v_i P_i with P = prod (x - d_i), P_i = P / (x - d_i);
 * O(n^2). */
void ckda_dpr1_charpoly(ckda_poly_t chi, const ckda_dpr1_t d, const ckda_field_t K);
/* Is A a diagonal matrix plus one of rank at most 1?  Decided from the off-diagonal
 * entries alone, without Theorem 1.  CKDA_OK: d (initialised, any n) represents A.
 * CKDA_E_DOMAIN: no; d keeps its value and *at (may be NULL) is an off-diagonal entry
 * that no choice can meet. CKDA_E_SHAPE unless A is square. */
CKDA_MUST_CHECK ckda_status ckda_dpr1_find(ckda_dpr1_t d, ckda_index *at,
                                           const ckda_mat_t A, const ckda_field_t K);
/* The inverse problem: u is set so that Diag(gate) + u 1^T has the characteristic
 * polynomial chi, monic of degree n, for n distinct gates.  d of dimension n.
 * CKDA_E_DOMAIN for equal gates, CKDA_E_SHAPE for a wrong degree; chi must be monic. */
CKDA_MUST_CHECK ckda_status ckda_dpr1_with_charpoly(ckda_dpr1_t d,
                                                    const ckda_elem_struct *gate,
                                                    const ckda_poly_t chi,
                                                    const ckda_field_t K);

/* ---- Theorem 1 -------------------------------------------------------------------- */

typedef struct {
    slong n;
    bool orthogonal;       /* A^T A = I */
    bool dpr1;             /* A = diagonal + rank <= 1 */
    bool verified;         /* (I - 2 w w^T / w^T w) S == A, re-expanded entry by entry */
    int *signs;            /* n, of S; set if verified */
    ckda_elem_struct *key; /* n, the direction w; set if verified */
    slong
        representations; /* number of sign matrices S that represent A; set if verified */
    const char *reason;  /* NULL if verified; a static text otherwise */
    ckda_index at;       /* where the failed property fails, */
    ckda_elem_struct got, want; /* the value there and the one that was needed */
} ckda_decomposition_struct;
typedef ckda_decomposition_struct ckda_decomposition_t[1];

void ckda_decomposition_init(ckda_decomposition_t dec, const ckda_field_t K);
void ckda_decomposition_clear(ckda_decomposition_t dec, const ckda_field_t K);
/* Theorem 1's certificate for Diag(d) + u v^T [source: Thm 1, thm1.forward].  Not
 * orthogonal: at, got, want are the first entry of A^T A that differs from I. */
CKDA_MUST_CHECK ckda_status ckda_decompose_dpr1(ckda_decomposition_t dec,
                                                const ckda_dpr1_t d,
                                                const ckda_field_t K);
/* The same for a plain matrix; orthogonality is looked at first, then dpr1 (at: an entry
 * of A that u v^T cannot meet, got: A's entry, want: what the other entries force).
 * CKDA_E_SHAPE unless A is square with n >= 1. */
CKDA_MUST_CHECK ckda_status ckda_decompose_matrix(ckda_decomposition_t dec,
                                                  const ckda_mat_t A,
                                                  const ckda_field_t K);

/* The two freedoms of a verified decomposition.  How many coordinates does the key have?  For
 * two, p < q, A is free to be written with any D of the form
 *     d_p = A_pp - A_qp/t, d_q = A_qq - t A_pq, u = (1, t), v = (A_qp/t, A_pq), t != 0,
 * and block (4 initialised elements) becomes A_pp, A_pq, A_qp, A_qq. */
slong ckda_decomposition_support(slong *p, slong *q, ckda_elem_struct *block,
                                 const ckda_decomposition_t dec, const ckda_field_t K);
/* Representation number i of A, 0 <= i < dec->representations, else CKDA_E_DOMAIN: signs (n)
 * and key (n initialised elements); number 0 is that of dec.  With two coordinates in the key
 * both signs may be turned, the key by a right angle; a diagonal A has one for each e_j.
 * Re-expanded and compared before it is given out. */
CKDA_MUST_CHECK ckda_status ckda_decomposition_get(int *signs, ckda_elem_struct *key,
                                                   const ckda_decomposition_t dec,
                                                   slong i, const ckda_field_t K);

/* S and w from D + u v^T by the formulas of the certificate; nothing is verified.
 * CKDA_E_DOMAIN when they do not give signs and a nonzero key (then Theorem 1's
 * hypothesis fails).  signs: n; key: n initialised elements. */
CKDA_MUST_CHECK ckda_status ckda_thm1_certificate(int *signs, ckda_elem_struct *key,
                                                  const ckda_dpr1_t d,
                                                  const ckda_field_t K);
/* A = (I - 2 w w^T / w^T w) S.  CKDA_E_DOMAIN for w = 0. */
CKDA_MUST_CHECK ckda_status ckda_signed_householder_matrix(ckda_mat_t A, const int *signs,
                                                           const ckda_elem_struct *key,
                                                           const ckda_field_t K);

/* How many sign diagonals S make A S a reflection: a search over the signs that leaves a
 * branch as soon as two of its columns contradict; leaves are re-expanded.  Any A. */
slong ckda_householder_count(const ckda_mat_t A, const ckda_field_t K);
/* The same by brute force, for n <= 20: all S with A S orthogonal and rank(A - S) = 1. */
slong ckda_householder_count_brute(const ckda_mat_t A, const ckda_field_t K);

/* ---- inputs for checks ------------------------------------------------------------- */

/* d is initialised by the caller with the n wanted; entries come from r with numerators
 * up to bound >= 1.  All but the last two give an orthogonal D + u v^T whose D says
 * little about S. */

/* A rational rotation or reflection of two coordinates, split off with a free parameter:
 * D is not a sign matrix and may be large.  n >= 2. */
void ckda_gen_support2(ckda_dpr1_t d, ckda_rand *r, slong bound, const ckda_field_t K);
/* A sign diagonal, hidden as D + (a e_j) e_j^T or as D + 0 v^T or D + u 0^T.  n >= 1. */
void ckda_gen_diagonal(ckda_dpr1_t d, ckda_rand *r, slong bound, const ckda_field_t K);
/* S - 2 k (S k)^T / k^T k, u and v rescaled, where `support` of the k_i are not zero;
 * 1 <= support <= n. */
void ckda_gen_support(ckda_dpr1_t d, slong support, ckda_rand *r, slong bound,
                      const ckda_field_t K);
/* One of the three above, by chance. */
void ckda_gen_thm1(ckda_dpr1_t d, ckda_rand *r, slong bound, const ckda_field_t K);
/* Negative control: one of the above with one d_i changed so that A^T A = I must fail. */
void ckda_gen_not_orthogonal(ckda_dpr1_t d, ckda_rand *r, slong bound,
                             const ckda_field_t K);
/* Negative control: an orthogonal matrix that is not D + rank 1 for n >= 4 (a direct sum
 * of two non-diagonal blocks).  A: n x n. */
void ckda_gen_not_dpr1(ckda_mat_t A, ckda_rand *r, slong bound, const ckda_field_t K);

#ifdef __cplusplus
}
#endif
#endif
