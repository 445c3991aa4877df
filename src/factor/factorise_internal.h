/* Shared by the factorise files of this room only. */
#ifndef CKDA_FACTOR_FACTORISE_INTERNAL_H
#define CKDA_FACTOR_FACTORISE_INTERNAL_H
#include "ckda/factorise.h"

/* Appends the factor with beta 0, key 0 and gate 1; the caller fills it in at once.  The
 * pointer is good until the next append. */
ckda_trans_struct *factorise_append(ckda_factors_t f, const ckda_field_t K);
/* Different coordinates d[0 .. r-1], all within 0 .. n-1 and none of them s (s < 0: no
 * s)? */
bool factorise_distinct(slong n, slong s, const slong *d, slong r);
/* Is the image within 0 .. n-1, and is it a permutation? */
bool factorise_is_map(const slong *image, slong n);
bool factorise_is_permutation(const slong *image, slong n);
/* n minus the number of cycles swaps whose product is the permutation. */
void factorise_append_permutation(ckda_factors_t f, const slong *image,
                                  const ckda_field_t K);
/* true at the points that lie on a cycle of the map; free with flint_free. */
bool *factorise_cycle_points(const slong *image, slong n);

/* For primitives whose arguments are right by construction. */
void factorise_must(ckda_status status);

#endif
