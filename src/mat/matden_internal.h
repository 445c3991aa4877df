/* What the files of the common-denominator form share. */
#ifndef CKDA_MATDEN_INTERNAL_H
#define CKDA_MATDEN_INTERNAL_H
#include "ckda/matden.h"
#include "ckda/status.h"

/* Entries, denominators and bounds of the small form stay below this. */
#define CKDA_MATDEN_LIMIT (UINT64_C(1) << 62)

/* c = a b with a: n x l, b: l x m, degree d coefficient matrices each, c no alias; the
 * caller has proved that nothing overflows. */
typedef void ckda_matden_mul_raw(int64_t *c, const int64_t *a, const int64_t *b, slong n,
                                 slong l, slong m, slong d, const int64_t *table);
struct ckda_matden_kernel {
    ckda_matden_mul_raw *any;   /* every shape and degree */
    ckda_matden_mul_raw *four2; /* 4 x 4, degree 2 */
    ckda_matden_mul_raw *four4; /* 4 x 4, degree 4 */
    ckda_matden_mul_raw *four8; /* 4 x 4, degree 8 */
};
/* The best one for this processor; all that it can run, best first (room >= 3). */
const ckda_matden_kernel *ckda_matden_best_kernel(void);
slong ckda_matden_kernels(const ckda_matden_kernel **list, slong room);

slong ckda_matden_count(const ckda_matden_t A, const ckda_matden_ctx_t ctx);
/* A becomes big: room for count fmpz, all zero, den 1; the small parts are left alone. */
void ckda_matden_make_big(ckda_matden_t A, const ckda_matden_ctx_t ctx);
/* The parts of A as fmpz, into count initialised x and den. */
void ckda_matden_get_big(fmpz *x, fmpz_t den, const ckda_matden_t A,
                         const ckda_matden_ctx_t ctx);
/* A = x / den in canonical form (x and den are destroyed); den > 0. */
void ckda_matden_take_big(ckda_matden_t A, fmpz *x, fmpz_t den,
                          const ckda_matden_ctx_t ctx);
/* A has fresh small parts and den > 0, all below the limit: make it canonical and drop a
 * big form that A may have had. */
void ckda_matden_settle_small(ckda_matden_t A, int64_t den, const ckda_matden_ctx_t ctx);
void ckda_matden_mul_big(ckda_matden_t C, const ckda_matden_t A, const ckda_matden_t B,
                         const ckda_matden_ctx_t ctx);

#endif
