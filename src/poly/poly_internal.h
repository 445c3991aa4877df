/* What the files of this room share; not for other rooms. */
#ifndef CKDA_POLY_INTERNAL_H
#define CKDA_POLY_INTERNAL_H
#include "ckda/poly.h"

/* Room for n coefficients; new ones are zero. */
void ckda_poly_fit(ckda_poly_t f, slong n, const ckda_field_t K);
/* Sets the length to n (n <= alloc) and drops leading zeros. */
void ckda_poly_set_length(ckda_poly_t f, slong n, const ckda_field_t K);

#endif
