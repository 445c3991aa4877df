/* proofs/steps.c -- see steps.h. */
#include "steps.h"

void
steps_describe(ckda_evidence *ev, const ckda_trans_t t, const ckda_field_t K)
{
    ckda_mat_t v;
    ckda_mat_init(v, 2, t->n, K);
    for (slong i = 0; i < t->n; i++) {
        ckda_elem_set(ckda_mat_entry(v, 0, i), t->key + i, K);
        ckda_elem_set(ckda_mat_entry(v, 1, i), t->gate + i, K);
    }
    ckda_evidence_fact_elem(ev, "beta", t->beta, K);
    ckda_evidence_fact_mat(ev, "key, gate", v, K);
    ckda_mat_clear(v, K);
}

void
steps_rational(fmpq_t q, const ckda_elem_t x, const ckda_field_t Q)
{
    fmpq_poly_t f;
    fmpq_poly_init(f);
    ckda_elem_get_fmpq_poly(f, x, Q);
    fmpq_poly_get_coeff_fmpq(q, f, 0);
    fmpq_poly_clear(f);
}
