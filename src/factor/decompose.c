/* Theorem 1's certificate: signs and key, re-expanded. */
#include "internal.h"

void
ckda_decomposition_init(ckda_decomposition_t dec, const ckda_field_t K)
{
    *dec = (ckda_decomposition_struct){0};
    ckda_elem_init(&dec->got, K);
    ckda_elem_init(&dec->want, K);
}

void
ckda_decomposition_clear(ckda_decomposition_t dec, const ckda_field_t K)
{
    if (dec->key != NULL)
        ckda_elem_vec_free(dec->key, dec->n, K);
    flint_free(dec->signs);
    ckda_elem_clear(&dec->want, K);
    ckda_elem_clear(&dec->got, K);
}

/* Returns x as +1 or -1, or 0 when it is neither. */
static int
as_sign(const ckda_elem_t x, const ckda_field_t K)
{
    if (ckda_elem_is_one(x, K))
        return 1;
    return ckda_elem_cmp_si(x, -1, K) == 0 ? -1 : 0;
}

static bool
is_diagonal(const ckda_dpr1_t d, const ckda_field_t K)
{
    for (slong i = 0; i < d->n; i++)
        for (slong j = 0; j < d->n; j++)
            if (i != j && !ckda_elem_is_zero(d->u + i, K)
                && !ckda_elem_is_zero(d->v + j, K))
                return false;
    return true;
}

/* A diagonal: w = e_1 and S = H_{e_1} A. */
static bool
diagonal_certificate(int *signs, ckda_elem_struct *key, const ckda_dpr1_t d,
                     const ckda_field_t K)
{
    bool ok = true;
    ckda_elem_t a;

    ckda_elem_init(a, K);
    for (slong i = 0; i < d->n && ok; i++) {
        ckda_elem_mul(a, d->u + i, d->v + i, K);
        ckda_elem_add(a, a, d->diagonal + i, K);
        signs[i] = i == 0 ? -as_sign(a, K) : as_sign(a, K);
        ok = signs[i] != 0;
    }
    ckda_elem_one(key, K);
    ckda_elem_clear(a, K);
    return ok;
}

/* s_i = -sgn(u_i v_i), or d_i where u_i = 0;  w_i = u_i / (1 + d_i s_i) with a positive
 * denominator. */
static bool
general_certificate(int *signs, ckda_elem_struct *key, const ckda_dpr1_t d,
                    const ckda_field_t K)
{
    bool ok = true;
    ckda_elem_t den, one;

    ckda_elem_init(den, K);
    ckda_elem_init(one, K);
    ckda_elem_one(one, K);
    for (slong i = 0; i < d->n && ok; i++) {
        signs[i] = ckda_elem_is_zero(d->u + i, K)
                       ? as_sign(d->diagonal + i, K)
                       : -ckda_elem_sgn(d->u + i, K) * ckda_elem_sgn(d->v + i, K);
        ckda_elem_mul_si(den, d->diagonal + i, signs[i], K);
        ckda_elem_add(den, den, one, K);
        ok = signs[i] != 0 && ckda_elem_sgn(den, K) > 0
             && ckda_elem_div(key + i, d->u + i, den, K) == CKDA_OK;
    }
    ckda_elem_clear(one, K);
    ckda_elem_clear(den, K);
    return ok;
}

ckda_status
ckda_thm1_certificate(int *signs, ckda_elem_struct *key, const ckda_dpr1_t d,
                      const ckda_field_t K)
{
    ckda_elem_struct *w;
    bool ok = false;
    int *s;

    if (d->n < 1)
        return CKDA_E_SHAPE;
    w = ckda_elem_vec_new(d->n, K);
    s = flint_malloc((size_t)d->n * sizeof *s);
    ok = is_diagonal(d, K) ? diagonal_certificate(s, w, d, K)
                           : general_certificate(s, w, d, K);
    for (slong i = 0; ok && i < d->n; i++) {
        signs[i] = s[i];
        ckda_elem_swap(key + i, w + i, K);
    }
    flint_free(s);
    ckda_elem_vec_free(w, d->n, K);
    return ok ? CKDA_OK : CKDA_E_DOMAIN;
}

/* got = entry of A^T A, want = that of I. */
static void
explain_not_orthogonal(ckda_decomposition_t dec, const ckda_mat_t A, const ckda_field_t K)
{
    dec->reason = "A^T A is not the identity";
    ckda_elem_zero(&dec->got, K);
    for (slong k = 0; k < A->rows; k++)
        ckda_elem_addmul(&dec->got, ckda_mat_entry(A, k, dec->at.row),
                         ckda_mat_entry(A, k, dec->at.col), K);
    ckda_elem_set_si(&dec->want, dec->at.row == dec->at.col, K);
}

/* dec holds orthogonal = dpr1 = true so far; d represents A. */
static void
certify(ckda_decomposition_t dec, const ckda_dpr1_t d, const ckda_mat_t A,
        const ckda_field_t K)
{
    ckda_mat_t B;

    dec->signs = flint_calloc((size_t)dec->n, sizeof *dec->signs);
    dec->key = ckda_elem_vec_new(dec->n, K);
    ckda_mat_init(B, dec->n, dec->n, K);
    if (ckda_thm1_certificate(dec->signs, dec->key, d, K) != CKDA_OK
        || ckda_signed_householder_matrix(B, dec->signs, dec->key, K) != CKDA_OK) {
        dec->reason = "the formulas give no signs and key: a counterexample to Theorem 1";
    } else if (!ckda_mat_equal(&dec->at, B, A, K)) {
        dec->reason = "signs and key do not re-expand: a counterexample to Theorem 1";
        ckda_elem_set(&dec->got, ckda_mat_entry(B, dec->at.row, dec->at.col), K);
        ckda_elem_set(&dec->want, ckda_mat_entry(A, dec->at.row, dec->at.col), K);
    } else {
        dec->verified = true;
        dec->representations = ckda_householder_count(A, K);
    }
    ckda_mat_clear(B, K);
}

/* d: the candidate for A; mismatch: it does not represent A, at dec->at with dec->want.
 */
static void
decide(ckda_decomposition_t dec, const ckda_dpr1_t d, bool mismatch, const ckda_mat_t A,
       const ckda_field_t K)
{
    ckda_index at = {0, 0};

    dec->n = A->rows;
    dec->dpr1 = !mismatch;
    dec->orthogonal = ckda_mat_is_orthogonal(&at, A, K);
    if (!dec->orthogonal) {
        dec->at = at;
        explain_not_orthogonal(dec, A, K);
    } else if (mismatch) {
        dec->reason = "A is not a diagonal matrix plus one of rank 1";
        ckda_elem_set(&dec->got, ckda_mat_entry(A, dec->at.row, dec->at.col), K);
    } else {
        certify(dec, d, A, K);
    }
}

static void
replace(ckda_decomposition_t dec, ckda_decomposition_t r, const ckda_field_t K)
{
    ckda_decomposition_clear(dec, K);
    *dec = *r;
}

ckda_status
ckda_decompose_dpr1(ckda_decomposition_t dec, const ckda_dpr1_t d, const ckda_field_t K)
{
    ckda_decomposition_t r;
    ckda_status st;
    ckda_mat_t A;

    if (d->n < 1)
        return CKDA_E_SHAPE;
    ckda_mat_init(A, d->n, d->n, K);
    st = ckda_dpr1_matrix(A, d, K);
    if (st == CKDA_OK) {
        ckda_decomposition_init(r, K);
        decide(r, d, false, A, K);
        replace(dec, r, K);
    }
    ckda_mat_clear(A, K);
    return st;
}

ckda_status
ckda_decompose_matrix(ckda_decomposition_t dec, const ckda_mat_t A, const ckda_field_t K)
{
    ckda_decomposition_t r;
    ckda_dpr1_t d;
    bool mismatch;

    if (A->rows != A->cols || A->rows < 1)
        return CKDA_E_SHAPE;
    ckda_decomposition_init(r, K);
    ckda_dpr1_init(d, A->rows, K);
    ckda_factor_dpr1_candidate(d, A, K);
    mismatch = ckda_factor_dpr1_mismatch(&r->at, &r->want, d, A, K);
    decide(r, d, mismatch, A, K);
    replace(dec, r, K);
    ckda_dpr1_clear(d, K);
    return CKDA_OK;
}
