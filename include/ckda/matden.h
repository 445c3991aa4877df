/* ckda/matden.h -- matrices over K as one common denominator and d integer matrices.
 *
 *     A = (C_0 + C_1 a + ... + C_(d-1) a^(d-1)) / den,     den >= 1,
 *
 * where no prime divides den and all entries of all C_k.  While den and every entry are
 * below 2^62 in absolute value they are kept as int64 ("small"), otherwise as fmpz
 * ("big").  Both the fraction and the choice of form are canonical: equal matrices have
 * equal parts, so that equality compares memory and the hash is well defined.
 *
 * Before a product runs on int64 a bound proves that nothing in it can overflow; when the
 * bound fails the product runs on fmpz, and its result goes back to int64 if it fits.
 *
 * Exact, like ckda/mat.h, which is the definition these functions are tested against, and
 * with the same conventions: result, inputs, context; results may alias inputs; results
 * keep their values unless CKDA_OK is returned; threads may share a context.           */
#ifndef CKDA_MATDEN_H
#define CKDA_MATDEN_H
#include "ckda/mat.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ckda_matden_kernel ckda_matden_kernel;

/* What products in K need; read-only after init.  K must outlive it. */
typedef struct {
    const ckda_field_struct *K;
    slong degree;
    fmpz *table;                      /* (d-1) x d: a^(d+k) = sum_i table[k d + i] a^i */
    int64_t *table64;                 /* the same as int64, or NULL if it does not fit */
    uint64_t growth;                  /* see ckda_matden_growth; 0 if table64 is NULL */
    const ckda_matden_kernel *kernel; /* the int64 code for this processor */
} ckda_matden_ctx_struct;
typedef ckda_matden_ctx_struct ckda_matden_ctx_t[1];

void ckda_matden_ctx_init(ckda_matden_ctx_t ctx, const ckda_field_t K);
void ckda_matden_ctx_clear(ckda_matden_ctx_t ctx);

/* Coefficient k of entry (i, j) stands at index (k * rows + i) * cols + j. */
typedef struct {
    slong rows, cols;
    int64_t *small; /* degree * rows * cols, or NULL if there are none */
    int64_t den;    /* of the small form */
    uint64_t mag;   /* small form: every |coefficient| <= mag < 2^62 */
    fmpz *big;      /* NULL in the small form */
    fmpz_t big_den; /* of the big form; 1 in the small form */
} ckda_matden_struct;
typedef ckda_matden_struct ckda_matden_t[1];

void ckda_matden_init(ckda_matden_t A, slong rows, slong cols,
                      const ckda_matden_ctx_t ctx);
void ckda_matden_clear(ckda_matden_t A, const ckda_matden_ctx_t ctx);
void ckda_matden_swap(ckda_matden_t A, ckda_matden_t B);
CKDA_MUST_CHECK ckda_status ckda_matden_set(ckda_matden_t A, const ckda_matden_t B,
                                            const ckda_matden_ctx_t ctx);
void ckda_matden_zero(ckda_matden_t A, const ckda_matden_ctx_t ctx);
CKDA_MUST_CHECK ckda_status ckda_matden_one(ckda_matden_t A, const ckda_matden_ctx_t ctx);

/* To and from the plain form; CKDA_E_SHAPE unless the shapes agree. */
CKDA_MUST_CHECK ckda_status ckda_matden_set_mat(ckda_matden_t A, const ckda_mat_t B,
                                                const ckda_matden_ctx_t ctx);
CKDA_MUST_CHECK ckda_status ckda_matden_get_mat(ckda_mat_t A, const ckda_matden_t B,
                                                const ckda_matden_ctx_t ctx);

CKDA_MUST_CHECK ckda_status ckda_matden_add(ckda_matden_t C, const ckda_matden_t A,
                                            const ckda_matden_t B,
                                            const ckda_matden_ctx_t ctx);
CKDA_MUST_CHECK ckda_status ckda_matden_sub(ckda_matden_t C, const ckda_matden_t A,
                                            const ckda_matden_t B,
                                            const ckda_matden_ctx_t ctx);
CKDA_MUST_CHECK ckda_status ckda_matden_mul(ckda_matden_t C, const ckda_matden_t A,
                                            const ckda_matden_t B,
                                            const ckda_matden_ctx_t ctx);

bool ckda_matden_equal(const ckda_matden_t A, const ckda_matden_t B,
                       const ckda_matden_ctx_t ctx);
uint64_t ckda_matden_hash(const ckda_matden_t A, const ckda_matden_ctx_t ctx);
/* Is A in the small form? */
bool ckda_matden_is_small(const ckda_matden_t A);

/* The least g with |coefficient of x y| <= g max|coefficients of x| max|those of y| that
 * the triangle inequality gives: max_i sum_k #{p + q = k} |coefficient of a^i in a^k|. It
 * also bounds every partial sum of the int64 product, so a product of an m x n and an n x
 * p matrix cannot overflow when g n max|A| max|B| < 2^62. */
uint64_t ckda_matden_growth(const ckda_matden_ctx_t ctx);

#ifdef __cplusplus
}
#endif
#endif
