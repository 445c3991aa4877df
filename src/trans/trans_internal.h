/* What the files of this room share. */
#ifndef CKDA_TRANS_INTERNAL_H
#define CKDA_TRANS_INTERNAL_H
#include "ckda/trans.h"

/* The closed ranges of a family, all with whole ends; mdn has others (check.c). */
typedef struct {
    const char *name;
    int gate_lo, gate_hi;
    int beta_hi; /* beta_lo is 0 in every family */
    bool scalar_gate, many_steps;
} family_ranges;
const family_ranges *family_get(ckda_family f);

#define trans_key(t, j) ((t)->key + (j) * (t)->width)

/* Betas and keys that are stored: steps, or 1 without steps. */
slong trans_keys(const ckda_trans_struct *t);

/* s = w^T w. */
void norm_squared(ckda_elem_t s, const ckda_elem_struct *w, slong n,
                  const ckda_field_t K);

/* ---- check.c, check_other.c ---- */

/* "1/4+1/4*a (0.80901...)": the exact value, and a decimal where it is irrational. */
void trans_show(char *out, size_t size, const ckda_elem_t x, const ckda_field_t K);
/* ckda_trans_check for rwkv7, mdn and sfda. */
ckda_status check_other_family(const ckda_trans_t t, const ckda_field_t K,
                               ckda_error *err);

/* ---- charpoly.c ---- */

/* p[0 .. n] = coefficients of prod (x - a_j). */
void product_of_roots(ckda_elem_struct *p, const ckda_elem_struct *a, slong n,
                      const ckda_field_t K);
/* s += w p/(x - a), where a is a root of p (degree n): Horner's values are the quotient. */
void add_quotient(ckda_elem_struct *s, const ckda_elem_struct *p, slong n,
                  const ckda_elem_t a, const ckda_elem_t w, const ckda_field_t K);

/* ---- rwkv7.c, mdn.c, sfda.c: matrix (A is n x n) and characteristic polynomial ---------
 *
 * CKDA_E_DOMAIN for a zero key. */
ckda_status rwkv7_matrix(ckda_mat_t A, const ckda_trans_t t, const ckda_field_t K);
ckda_status rwkv7_charpoly(ckda_poly_t chi, const ckda_trans_t t, const ckda_field_t K);
ckda_status mdn_matrix(ckda_mat_t A, const ckda_trans_t t, const ckda_field_t K);
ckda_status mdn_charpoly(ckda_poly_t chi, const ckda_trans_t t, const ckda_field_t K);
ckda_status sfda_matrix(ckda_mat_t A, const ckda_trans_t t, const ckda_field_t K);
ckda_status sfda_charpoly(ckda_poly_t chi, const ckda_trans_t t, const ckda_field_t K);

#endif
