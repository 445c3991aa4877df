/* ckda/trans.h -- one transition of a linear RNN family, exactly.
 *
 * State update H_t = A_t H_{t-1} + (write), A = H_s ... H_2 H_1 Diag(gate), the gate first,
 * then step 1, with H_j = I - (beta_j / w_j^T w_j) w_j w_j^T.  Keys w_j are directions: any
 * nonzero vector; its norm is divided out inside the field, no square root is taken.
 * deltanet, gdn, kda and ckda have one step; deltaproduct has one or more.
 *
 * Three families are of another form and count as 0 steps (one key w, k = w/|w|):
 *   rwkv7  Diag(decay) - k (erase * k)^T, * entry by entry; gate holds the decay
 *   mdn    [[a (I - b e k k^T), -b m I], [a e k k^T, m I]] on n = 2d coordinates (the state,
 *          then its momentum), k in R^d; gate holds a (d times) and m (d times), beta is b
 *   sfda   (I - beta k k^*) Diag(g), k and g in C^m, written on n = 2m real coordinates: a
 *          complex number x + iy is the pair x, y in keys and gates and the block
 *          [[x, -y], [y, x]] in matrices
 * Conventions of ckda/mat.h.                                                          */
#ifndef CKDA_TRANS_H
#define CKDA_TRANS_H
#include "ckda/mat.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    CKDA_DELTANET,     /* gate 1,                 beta in [0, 2] */
    CKDA_GDN,          /* scalar gate in [0, 1],  beta in [0, 2] */
    CKDA_KDA,          /* gate_i in [0, 1],       beta in [0, 1] */
    CKDA_CKDA,         /* gate_i in [-1, 1],      beta in [0, 2] */
    CKDA_DELTAPRODUCT, /* scalar gate in [-1, 1], every beta in [0, 2] */
    CKDA_RWKV7,        /* decay_i in [0, 1], erase_i in [0, 2] */
    CKDA_MDN,          /* a in (0, 1), m in [exp(-1), 1), b in [0, 1-a], e in (0, 2) */
    CKDA_SFDA          /* |gate_j| <= 1, beta in [0, 1] */
} ckda_family;
#define CKDA_FAMILIES 8
#define CKDA_STEP_FAMILIES 5 /* the first ones: products of steps and a gate */
const char *ckda_family_name(ckda_family f);
/* Is the gate one number for all coordinates (deltanet, gdn, deltaproduct)? */
bool ckda_family_has_scalar_gate(ckda_family f);
/* Is it Diag(gate) followed by steps (all but rwkv7, mdn and sfda)? */
bool ckda_family_has_steps(ckda_family f);
/* CKDA_E_INPUT for an unknown name. */
CKDA_MUST_CHECK ckda_status ckda_family_parse(ckda_family *f, const char *name);

typedef struct {
    ckda_family family;
    slong n, steps;
    slong width, nmore;     /* elements of one key (n; n/2 for mdn), elements of more */
    ckda_elem_struct *beta; /* steps; 1 without steps (rwkv7: not used) */
    ckda_elem_struct *key;  /* steps x width, row j is the direction of step j; 1 x width
                             * without steps */
    ckda_elem_struct *gate; /* n (a scalar gate is repeated) */
    ckda_elem_struct *more; /* rwkv7: erase, n; mdn: e, 1; NULL for the others */
} ckda_trans_struct;
typedef ckda_trans_struct ckda_trans_t[1];

/* All betas 0, keys e_1, gate 1, erase and e 0: the identity.  steps >= 1, but 0 for the
 * families without steps; n even for mdn and sfda. */
void ckda_trans_init(ckda_trans_t t, ckda_family f, slong n, slong steps,
                     const ckda_field_t K);
void ckda_trans_init_set(ckda_trans_t t, const ckda_trans_t u, const ckda_field_t K);
void ckda_trans_clear(ckda_trans_t t, const ckda_field_t K);
void ckda_trans_swap(ckda_trans_t t, ckda_trans_t u);
/* t = u.  CKDA_E_SHAPE unless n, steps, width and nmore agree; the family is taken over. */
CKDA_MUST_CHECK ckda_status ckda_trans_set(ckda_trans_t t, const ckda_trans_t u,
                                           const ckda_field_t K);
/* The ckda transition (I - beta k k^T) Diag(gate), k along key; t has one step, key and
 * gate have n elements.  Nothing is checked. */
void ckda_trans_set_ckda(ckda_trans_t t, const ckda_elem_t beta,
                         const ckda_elem_struct *key, const ckda_elem_struct *gate,
                         const ckda_field_t K);
/* A random transition of t's family, within its ranges, that likes the corners: beta in
 * {0, 1, 2}, gates in {-1, 0, 1} (sfda: on the unit circle), repeated gates, zero key
 * entries. */
void ckda_trans_rand(ckda_trans_t t, ckda_rand *r, const ckda_field_t K);
/* Ranges of the family, one scalar gate where the family has one, one step unless it is
 * deltaproduct, nonzero keys.  CKDA_E_DOMAIN; the message begins with the place as the
 * input documents spell it ("gate[2]: expected ...", "betas[1]", "keys[0]"). */
CKDA_MUST_CHECK ckda_status ckda_trans_check(const ckda_trans_t t, const ckda_field_t K,
                                             ckda_error *err);
/* A = the transition matrix, n x n.  CKDA_E_DOMAIN for a zero key. */
CKDA_MUST_CHECK ckda_status ckda_trans_matrix(ckda_mat_t A, const ckda_trans_t t,
                                              const ckda_field_t K);
/* chi = det(xI - A) without forming A, O(n^2).  One step: the secular form
 * (1-beta) P + beta x sum_i k_i^2 P_i.  rwkv7: P + sum_i erase_i k_i^2 P_i.
 * mdn: ((x-a)(x-m))^(d-1) (x^2 - (a+m-abe) x + am).  sfda: the square of the absolute value
 * of the m x m complex one.  Several steps: CKDA_E_SHAPE. */
CKDA_MUST_CHECK ckda_status ckda_trans_charpoly(ckda_poly_t chi, const ckda_trans_t t,
                                                const ckda_field_t K);

#ifdef __cplusplus
}
#endif
#endif
