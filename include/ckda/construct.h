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
    const char *name;           /* "quaternion" */
    ckda_field_t K;
    ckda_group_t G;
    slong n;                    /* state dimension */
    ckda_mat_struct *rotation;  /* order: what a decoder must return for element g;
                                   n x n for DECODE_STATE, 3 x 3 for DECODE_F, else NULL */
    ckda_trans_struct *trans;   /* order: the transition of element g */
    ckda_mat_struct *matrix;    /* order: its matrix */
    ckda_decoder decoder;
} ckda_construction_struct;
typedef ckda_construction_struct ckda_construction_t[1];

/* construction == NULL: the system's default (planar for Z_m, D_m; cube for A4, S4;
 * quaternion for A5; householder for S_n, n >= 5, and S_3).  CKDA_E_INPUT with the list of
 * what exists for an unknown combination; CKDA_E_DOMAIN when an element has no transition
 * in the family (cube-standard on S4: the error names the element). */
CKDA_MUST_CHECK ckda_status ckda_construct(ckda_construction_t c, const char *system,
                                           const char *construction, ckda_error *err);
void ckda_construct_clear(ckda_construction_t c);

/* The square-root-free test of A in SH_n (I - 2kk^T)S: all pairs (sign diagonal S, key
 * column w) with A = H_w S, found by S in binary counting order.  The number of pairs is
 * returned; the first is written to signs (n) and key (n initialised elements) if it
 * exists and the pointers are not NULL.  A must be orthogonal. */
slong ckda_signed_householder(int *signs, ckda_elem_struct *key, const ckda_mat_t A,
                              const ckda_field_t K);

#ifdef __cplusplus
}
#endif
#endif
