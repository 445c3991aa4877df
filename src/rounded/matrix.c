/* What the rounded parameters stand for, exactly. */
#include "rounded_internal.h"

static void
get(fmpq_t q, uint64_t bits, const ckda_fp_format *f)
{
    const ckda_status st = ckda_fp_get_fmpq(q, bits, f);
    ckda_require(st == CKDA_OK, "a parameter is not finite");
}

void
ckda_rounded_micro_matrix(fmpq_mat_t M, uint32_t s, bool as_computed,
                          const ckda_rounded_t R)
{
    const slong n = R->n;
    const bool scaled = as_computed && R->arith.order == CKDA_BETA_ON_KEY;
    fmpq_t b, v, k, g;
    fmpq_init(b);
    fmpq_init(v);
    fmpq_init(k);
    fmpq_init(g);
    get(b, R->beta[s], R->arith.beta);
    for (slong i = 0; i < n; i++) {
        if (scaled) {
            get(v, R->scaled_key[s * n + i], R->arith.compute);
        } else {
            get(v, R->key[s * n + i], R->arith.keys);
            fmpq_mul(v, v, b);
        }
        for (slong j = 0; j < n; j++) {
            fmpq *at = fmpq_mat_entry(M, i, j);
            get(k, R->key[s * n + j], R->arith.keys);
            get(g, R->gate[s * n + j], R->arith.beta);
            fmpq_set_si(at, i == j, 1);
            fmpq_submul(at, v, k);
            fmpq_mul(at, at, g);
        }
    }
    fmpq_clear(g);
    fmpq_clear(k);
    fmpq_clear(v);
    fmpq_clear(b);
}

void
ckda_rounded_letter_matrix(fmpq_mat_t A, uint32_t letter, bool as_computed,
                           const ckda_rounded_t R)
{
    const slong n = R->n;
    if (R->matrix != NULL) {
        for (slong i = 0; i < n * n; i++)
            get(fmpq_mat_entry(A, i / n, i % n), R->matrix[letter * n * n + i],
                R->arith.keys);
        return;
    }
    fmpq_mat_t M;
    fmpq_mat_init(M, n, n);
    fmpq_mat_one(A);
    for (uint32_t s = R->first[letter]; s < R->first[letter + 1]; s++) {
        ckda_rounded_micro_matrix(M, s, as_computed, R);
        fmpq_mat_mul(A, M, A);
    }
    fmpq_mat_clear(M);
}

void
ckda_rounded_matrix(fmpq_mat_t A, uint32_t letter, const ckda_rounded_t R)
{
    ckda_rounded_letter_matrix(A, letter, false, R);
}

/* sum += |M|_F^2 - n. */
static void
add_excess(fmpq_t sum, const fmpq_mat_t M)
{
    const slong n = fmpq_mat_nrows(M);
    fmpq_t dimension;
    fmpq_init(dimension);
    for (slong i = 0; i < n; i++)
        for (slong j = 0; j < n; j++)
            fmpq_addmul(sum, fmpq_mat_entry(M, i, j), fmpq_mat_entry(M, i, j));
    fmpq_set_si(dimension, n, 1);
    fmpq_sub(sum, sum, dimension);
    fmpq_clear(dimension);
}

/* For a reflection with gates 1 and -1, |I - beta k k^T|_F^2 - n is
 * beta |k|^2 (beta |k|^2 - 2). */
double
ckda_rounded_norm_rate(const ckda_rounded_t R)
{
    fmpq_t sum, d;
    fmpq_mat_t M;
    fmpq_init(sum);
    fmpq_init(d);
    fmpq_mat_init(M, R->n, R->n);
    for (uint32_t l = 0; l < R->nletters && R->matrix != NULL; l++) {
        ckda_rounded_letter_matrix(M, l, false, R);
        add_excess(sum, M);
    }
    for (uint32_t s = 0; s < R->first[R->nletters] && R->matrix == NULL; s++) {
        ckda_rounded_micro_matrix(M, s, false, R);
        add_excess(sum, M);
    }
    fmpq_set_si(d, 2 * R->n * (slong)R->nletters, 1);
    fmpq_div(sum, sum, d);
    const uint64_t rate = ckda_fp_from_fmpq(sum, &ckda_fp_fp64, &ckda_fp_rne);
    fmpq_mat_clear(M);
    fmpq_clear(d);
    fmpq_clear(sum);
    return ckda_fp_get_double(rate, &ckda_fp_fp64);
}
