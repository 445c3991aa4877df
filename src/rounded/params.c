/* The parameters of a rounded tracker: exact algebraic numbers, each rounded once. */
#include "rounded_internal.h"

/* ---- one reflection ---------------------------------------------------------------- */

/* x = the ratio r. */
static void
set_ratio(ckda_elem_t x, ckda_ratio r, const ckda_field_t K)
{
    fmpq_t q;
    fmpq_init(q);
    fmpz_set_si(fmpq_numref(q), (slong)r.p);
    fmpz_set_si(fmpq_denref(q), (slong)r.q);
    fmpq_canonicalise(q);
    ckda_elem_set_fmpq(x, q, K);
    fmpq_clear(q);
}

/* b = beta - shift (0 stays 0: no reflection was there). */
static void
shifted_beta(ckda_elem_t b, const ckda_elem_t beta, const ckda_arith *a,
             const ckda_field_t K)
{
    ckda_elem_t shift;
    ckda_elem_init(shift, K);
    set_ratio(shift, a->beta_shift, K);
    if (ckda_elem_is_zero(beta, K))
        ckda_elem_zero(b, K);
    else
        ckda_elem_sub(b, beta, shift, K);
    ckda_elem_clear(shift, K);
}

/* norm = |k|^2 of the rounded key of micro-step s. */
static void
rounded_norm(ckda_elem_t norm, uint32_t s, const ckda_rounded_t R, const ckda_field_t K)
{
    fmpq_t sum, x;
    fmpq_init(sum);
    fmpq_init(x);
    for (slong i = 0; i < R->n; i++) {
        const ckda_status st = ckda_fp_get_fmpq(x, R->key[s * R->n + i], R->arith.keys);
        ckda_require(st == CKDA_OK, "a key entry overflows");
        fmpq_addmul(sum, x, x);
    }
    ckda_elem_set_fmpq(norm, sum, K);
    fmpq_clear(x);
    fmpq_clear(sum);
}

static ckda_status
set_beta(uint32_t s, const ckda_elem_t beta, const ckda_elem_t norm, ckda_rounded_t R,
         const ckda_field_t K, ckda_error *err)
{
    ckda_status st = CKDA_OK;
    ckda_elem_t b, square;
    ckda_elem_init(b, K);
    ckda_elem_init(square, K);
    shifted_beta(b, beta, &R->arith, K);
    if (R->arith.beta_rule == CKDA_BETA_FROM_KEY)
        rounded_norm(square, s, R, K);
    else if (R->arith.key == CKDA_KEY_DIRECTION)
        ckda_elem_set(square, norm, K);
    else
        ckda_elem_one(square, K);
    st = ckda_elem_div(b, b, square, K);
    if (st == CKDA_OK)
        R->beta[s] = ckda_rounded_elem(b, R->arith.beta, K);
    if (st != CKDA_OK || !ckda_fp_is_finite(R->beta[s], R->arith.beta)) {
        ckda_error_set(err,
                       "beta from the key: a key rounds to 0 in %s, or beta overflows",
                       R->arith.keys->name);
        st = CKDA_E_DOMAIN;
    } else if (!ckda_elem_is_zero(beta, K)
               && !ckda_rounded_move(&R->beta[s], R->arith.beta_move, R->arith.beta)) {
        ckda_error_set(err, "beta cannot be moved that far in %s", R->arith.beta->name);
        st = CKDA_E_DOMAIN;
    }
    ckda_elem_clear(square, K);
    ckda_elem_clear(b, K);
    return st;
}

/* g = (1 - shrink) gate. */
static void
shrunk_gate(ckda_elem_t g, const ckda_elem_t gate, const ckda_arith *a,
            const ckda_field_t K)
{
    const ckda_ratio keep = {a->gate_shrink.q - a->gate_shrink.p, a->gate_shrink.q};
    ckda_elem_t factor;
    ckda_elem_init(factor, K);
    set_ratio(factor, keep, K);
    ckda_elem_mul(g, gate, factor, K);
    ckda_elem_clear(factor, K);
}

static void
set_gates(uint32_t s, const ckda_elem_struct *gate, ckda_rounded_t R,
          const ckda_field_t K)
{
    ckda_elem_t g;
    ckda_elem_init(g, K);
    for (slong i = 0; i < R->n; i++) {
        if (gate == NULL)
            ckda_elem_one(g, K);
        else
            shrunk_gate(g, &gate[i], &R->arith, K);
        R->gate[s * R->n + i] = ckda_rounded_elem(g, R->arith.beta, K);
    }
    ckda_elem_clear(g, K);
}

/* ---- all micro-steps ---------------------------------------------------------------- */

static ckda_rounded_micro_step *
list_steps(const ckda_rounded_t R, const ckda_tracker_t t)
{
    ckda_rounded_micro_step *list = flint_malloc(R->first[R->nletters] * sizeof *list);
    for (uint32_t l = 0; l < R->nletters; l++) {
        const ckda_trans_struct *x = &t->c->trans[t->element_of_letter[l]];
        slong *kept = flint_malloc((size_t)x->steps * sizeof *kept);
        const slong n = ckda_rounded_kept_steps(kept, x, t->c->K);
        for (slong j = 0; j < n; j++)
            list[R->first[l] + j] = (ckda_rounded_micro_step){x, kept[j], j == 0};
        flint_free(kept);
    }
    return list;
}

/* The key is there; norm = |w|^2 of the exact one. */
static ckda_status
set_micro_step(uint32_t s, const ckda_rounded_micro_step *x, const ckda_elem_t norm,
               ckda_rounded_t R, const ckda_field_t K, ckda_error *err)
{
    set_gates(s, x->gated ? x->trans->gate : NULL, R, K);
    const ckda_status st = set_beta(s, &x->trans->beta[x->step], norm, R, K, err);
    for (slong i = 0; i < R->n && st == CKDA_OK; i++)
        R->scaled_key[s * R->n + i] =
            ckda_fp_mul(R->beta[s], R->arith.beta, R->key[s * R->n + i], R->arith.keys,
                        R->arith.compute, &ckda_fp_rne);
    return st;
}

static ckda_status
set_micro_steps(ckda_rounded_t R, const ckda_tracker_t t, ckda_error *err)
{
    const ckda_field_struct *K = t->c->K;
    const size_t steps = R->first[R->nletters];
    ckda_rounded_micro_step *list = list_steps(R, t);
    ckda_elem_struct *norm = ckda_elem_vec_new((slong)steps, K);
    ckda_status st = ckda_rounded_keys(norm, list, R, K, err);
    for (uint32_t s = 0; s < steps && st == CKDA_OK; s++)
        st = set_micro_step(s, list + s, &norm[s], R, K, err);
    ckda_elem_vec_free(norm, (slong)steps, K);
    flint_free(list);
    return st;
}

/* ---- one letter as a matrix -------------------------------------------------------- */

static void
set_matrix(uint32_t letter, const ckda_trans_t x, ckda_rounded_t R, const ckda_field_t K)
{
    ckda_mat_t A, H;
    ckda_elem_t b;
    ckda_elem_struct *gate = ckda_elem_vec_new(R->n, K);
    ckda_mat_init(A, R->n, R->n, K);
    ckda_mat_init(H, R->n, R->n, K);
    ckda_elem_init(b, K);
    for (slong i = 0; i < R->n; i++)
        shrunk_gate(&gate[i], &x->gate[i], &R->arith, K);
    ckda_status st = ckda_mat_set_diag(A, gate, R->n, K);
    for (slong step = 0; step < x->steps && st == CKDA_OK; step++) {
        shifted_beta(b, &x->beta[step], &R->arith, K);
        st = ckda_mat_set_householder(H, b, x->key + step * R->n, R->n, K);
        if (st == CKDA_OK)
            st = ckda_mat_mul(A, H, A, K);
    }
    ckda_require(st == CKDA_OK, "a transition has %d x %d matrices", (int)R->n,
                 (int)R->n);
    for (slong i = 0; i < R->n * R->n; i++)
        R->matrix[letter * R->n * R->n + i] =
            ckda_rounded_elem(&A->entry[i], R->arith.keys, K);
    ckda_elem_clear(b, K);
    ckda_mat_clear(H, K);
    ckda_mat_clear(A, K);
    ckda_elem_vec_free(gate, R->n, K);
}

/* ---- all --------------------------------------------------------------------------- */

slong
ckda_rounded_kept_steps(slong *kept, const ckda_trans_t x, const ckda_field_t K)
{
    slong n = 0;
    for (slong j = 0; j < x->steps; j++)
        if (!ckda_elem_is_zero(&x->beta[j], K))
            kept[n++] = j;
    if (n == 0)
        kept[n++] = 0;
    return n;
}

static void
set_values(double *value, const uint64_t *bits, size_t count, const ckda_fp_format *f)
{
    for (size_t i = 0; i < count; i++)
        value[i] = ckda_fp_get_double(bits[i], f);
}

ckda_status
ckda_rounded_parameters(ckda_rounded_t R, const ckda_tracker_t t, ckda_error *err)
{
    const size_t n = (size_t)R->n, steps = R->first[R->nletters];
    const ckda_status st = set_micro_steps(R, t, err);
    for (uint32_t l = 0; l < R->nletters && R->matrix != NULL && st == CKDA_OK; l++)
        set_matrix(l, &t->c->trans[t->element_of_letter[l]], R, t->c->K);
    if (st != CKDA_OK)
        return st;
    set_values(R->key_value, R->key, steps * n, R->arith.keys);
    set_values(R->gate_value, R->gate, steps * n, R->arith.beta);
    set_values(R->beta_value, R->beta, steps, R->arith.beta);
    set_values(R->scaled_value, R->scaled_key, steps * n, R->arith.compute);
    if (R->matrix != NULL)
        set_values(R->matrix_value, R->matrix, R->nletters * n * n, R->arith.keys);
    return CKDA_OK;
}
