/* ckda/construct.h -- constructions: a group element becomes an exact CKDA transition.
 *
 * One file per construction in groups/.  Each letter carries its transition (beta, key,
 * gate) and the matrix; the matrix is always re-expanded from the transition.          */
#ifndef CKDA_CONSTRUCT_H
#define CKDA_CONSTRUCT_H
#include "ckda/group.h"
#include "ckda/trans.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    CKDA_DECODE_WORD,  /* no explicit read-out: the element of the shortest word */
    CKDA_DECODE_STATE, /* the state itself is the element's matrix */
    CKDA_DECODE_F      /* 4 x 4: f(S) = al C - s r^T - C [r]x is the element's rotation */
} ckda_decoder;

typedef struct {
    const char *name; /* "quaternion" */
    ckda_field_t K;
    ckda_group_t G;
    slong n;                   /* state dimension */
    ckda_mat_struct *rotation; /* order: what a decoder must return for element g;
                                   n x n for DECODE_STATE (then it is `matrix` itself),
                                   3 x 3 for DECODE_F, else NULL.  A homomorphism. */
    ckda_trans_struct *trans;  /* order: the transition of element g */
    ckda_mat_struct *matrix;   /* order: its matrix */
    ckda_decoder decoder;
} ckda_construction_struct;
typedef ckda_construction_struct ckda_construction_t[1];

/* construction == NULL: the system's default (planar for Z_m, D_m; cube for A4, S4;
 * quaternion for A5; householder for all others).  CKDA_E_INPUT with the list of what
 * exists for an unknown combination; CKDA_E_DOMAIN when an element has no transition in
 * the family (cube-standard on S4: the error names the element).
 *
 * Conventions.  planar: r is the rotation by 2 pi / m, s = diag(1, -1); rotations have the
 * gate (1, -1), reflections (1, 1).  cube: S_4 acts on the diagonals (1,1,1), (1,1,-1),
 * (1,-1,1), (-1,1,1) in this order.  quaternion: Z_m and D_m turn about the third axis;
 * A_4, S_4 and A_5 are labelled so that (1,2,3) is the cyclic permutation matrix of the
 * axes; for S_4 the diagonals in the order 2, 3, 4, 1 of the list above, for A_5 the five
 * coordinate frames.  dyadic: Z_m and D_m for m dividing 6, over Q in dimension 4, unit
 * keys with entries 0, 1 and +-1/2 only.  cube takes of all pairs of gate and key the one
 * with the fewest nonzero key entries, then the fewest minus signs, then the first in
 * binary counting order.  S_3, S_2 and A_3 count as D_3, Z_2 and Z_3.  householder: the
 * permutation matrices, any group; cycles of length l take l - 1 reflections. */
CKDA_MUST_CHECK ckda_status ckda_construct(ckda_construction_t c, const char *system,
                                           const char *construction, ckda_error *err);
/* The same, but where ckda_construct refuses because an element has no transition in the
 * family, that element keeps trans[g].n == 0 and matrix[g] is the matrix that it would
 * need: 8 of 24 rotations by cube-standard on S4, 8 of 12 on A4. */
CKDA_MUST_CHECK ckda_status ckda_construct_partial(ckda_construction_t c,
                                                   const char *system,
                                                   const char *construction,
                                                   ckda_error *err);
/* The same for a group that has no name; only householder exists.  On success c owns what
 * G held and G is left empty; otherwise G is untouched. */
CKDA_MUST_CHECK ckda_status ckda_construct_generated(ckda_construction_t c,
                                                     ckda_group_t G,
                                                     const char *construction,
                                                     ckda_error *err);
/* The same for a cyclic (kind 'Z') or dihedral ('D') group on any points, whose generators
 * are r alone, or r and then s, as in the named group Z_m or D_m. */
CKDA_MUST_CHECK ckda_status ckda_construct_axial(ckda_construction_t c, ckda_group_t G,
                                                 char kind, const char *construction,
                                                 ckda_error *err);
/* A construction from transitions that were chosen elsewhere: trans[g] for element g of G,
 * all of dimension n; they are checked and expanded, but need not be right: ckda/reach.h
 * says whether they track G.  With DECODE_F (n = 4) the rotation of g is f of its matrix.
 * name is kept, not copied.  On success c owns what G, K and trans (an array from
 * flint_malloc) held and G is left empty; otherwise all are untouched.  CKDA_E_DOMAIN for a
 * transition outside the ranges of its family (the message begins with the element). */
CKDA_MUST_CHECK ckda_status ckda_construct_given(ckda_construction_t c, const char *name,
                                                 ckda_group_t G, ckda_field_t K,
                                                 ckda_trans_struct *trans,
                                                 ckda_decoder decoder, ckda_error *err);
/* "state" or "rotation" (f); NULL for DECODE_WORD. */
const char *ckda_decoder_name(ckda_decoder decoder);
void ckda_construct_clear(ckda_construction_t c);

/* The affine-linear encoder g(A) of a 3 x 3 matrix A, 4 x 4: [[c, -w^T], [w, (1+c) I -
 * (A+A^T)/2]] with c = (tr A - 1)/2 and w half the axial vector [source: Prop 18].
 * CKDA_E_SHAPE for other shapes. */
CKDA_MUST_CHECK ckda_status ckda_quaternion_encode(ckda_mat_t g, const ckda_mat_t A,
                                                   const ckda_field_t K);
/* Its decoder f(S) = al C - s r^T - C [r]x of S = [[al, r^T], [s, C]]; f(g(A)) = A.
 * Multiplicative for det +1 only.  CKDA_E_SHAPE for other shapes. */
CKDA_MUST_CHECK ckda_status ckda_quaternion_decode(ckda_mat_t R, const ckda_mat_t S,
                                                   const ckda_field_t K);

/* The square-root-free test of A in SH_n (I - 2kk^T)S: all pairs (sign diagonal S, key
 * column w) with A = H_w S, found by S in binary counting order.  The number of pairs is
 * returned; the first is written to signs (n) and key (n initialised elements) if it
 * exists and the pointers are not NULL.  Binary counting order: bit i of the counter is
 * the sign of coordinate i.  A must be orthogonal and at most 20 x 20.  [source:
 * Thm 1] */
slong ckda_signed_householder(int *signs, ckda_elem_struct *key, const ckda_mat_t A,
                              const ckda_field_t K);

#ifdef __cplusplus
}
#endif
#endif
