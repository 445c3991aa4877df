/* Does a stored state decode to the right element?  Doubles first, then exactly. */
#include "allwords_internal.h"

#include <math.h>

/* The read-out is the exact state with the largest inner product, so it does not depend on
 * the scale: a state that shrank or grew is compared at the scale that suits it best. */
static double
best_scale(const double *H, uint32_t e, const ckda_tracker_t t)
{
    const slong size = t->n * t->n;
    const double *S = t->value + (size_t)e * (size_t)size;
    double sum = 0;
    for (slong i = 0; i < size; i++)
        sum += H[i] * S[i];
    return sum / (double)t->n; /* |S|_F^2 = n */
}

bool
allwords_certainly_right(double *distance, const double *H, uint32_t e,
                         const ckda_rounded_t R, const ckda_tracker_t t)
{
    if (ckda_tracker_is_near(distance, H, R->scale, e, t))
        return true;
    const double scale = best_scale(H, e, t);
    return scale > 0 && isfinite(scale) && ckda_tracker_is_near(NULL, H, scale, e, t);
}

ckda_truth
allwords_decodes_right(uint32_t *decoded, bool *tied, double *distance, const double *H,
                       uint32_t e, const ckda_rounded_t R, const ckda_tracker_t t)
{
    const uint32_t want = t->element[e];
    *decoded = want;
    *tied = false;
    if (allwords_certainly_right(distance, H, e, R, t))
        return CKDA_TRUE;
    const ckda_truth alone = ckda_tracker_decode(decoded, H, t);
    if (alone == CKDA_UNKNOWN)
        return CKDA_UNKNOWN;
    *tied = alone == CKDA_FALSE;
    return alone == CKDA_TRUE && *decoded == want ? CKDA_TRUE : CKDA_FALSE;
}

double
allwords_rounded_up(double d, double scale)
{
    /* ten times what the distance may be off, and the sum's own rounding */
    return d + 1e-13 * (d + scale);
}
