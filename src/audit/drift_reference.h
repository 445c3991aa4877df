/* The exact rational recurrence on rounded inputs: H~_t = A_t ... A_1 H_0 with dyadic A.
 *
 * Two forms in one object.  Exact (prec 0): integers over one power of two, which grow
 * without end.  Ball (prec p): the same cut to about p bits after each product, with one
 * bound for the Frobenius norm of the error,
 *
 *     radius' <= |A|_2 radius + n ulp,        |A|_2 <= sqrt(1 + |A^T A - I|_F),
 *
 * computed upwards.  Holds for any A; it is useful where A is nearly orthogonal.       */
#ifndef CKDA_SRC_AUDIT_DRIFT_REFERENCE_H
#define CKDA_SRC_AUDIT_DRIFT_REFERENCE_H
#include "ckda/rounded.h"

typedef struct {
    slong n;
    uint32_t nletters;
    fmpz_mat_struct *matrix; /* A of letter l is matrix[l] 2^-shift[l] */
    slong *shift;
    mag_struct *norm; /* >= |A|_2 */
    double *bits;     /* about log2 norm, not below it */
} drift_letters;

void drift_letters_init(drift_letters *L, const ckda_rounded_t R);
/* The same from any dyadic n x n matrices (a caller's bug otherwise). */
void drift_letters_init_matrices(drift_letters *L, const fmpq_mat_struct *A,
                                 uint32_t nletters, slong n);
void drift_letters_clear(drift_letters *L);

typedef struct {
    slong n, prec;
    fmpz_mat_t mid, next; /* next: scratch */
    slong exp;            /* H~ = mid 2^exp, up to the radius */
    mag_t radius;         /* |error|_F */
} drift_reference;

/* H_0 = finite doubles, n x n. */
void drift_reference_init(drift_reference *r, const double *H, slong n, slong prec);
void drift_reference_clear(drift_reference *r);
void drift_reference_step(drift_reference *r, uint32_t letter, const drift_letters *L);
/* n * n balls that hold H~, to wp bits. */
void drift_reference_get(arb_ptr H, const drift_reference *r, slong wp);
/* An upper bound of log2(radius / |H~|_F); about -1e18 when exact. */
double drift_reference_accuracy(const drift_reference *r);

#endif
