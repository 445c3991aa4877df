/* One number of a kernel beside the exact one.
 *
 * Everything about the exact number is known to within rad (here 2^-80 and less of its
 * column), so doubles suffice: the differences below are relative to 2^-52. */
#include <float.h>
#include <math.h>

#include "trace_internal.h"

static int
exponent(double m, const ckda_fp_format *f)
{
    int e = f->emin;
    if (m > 0) {
        e = ilogb(m);
        e = e < f->emin ? f->emin : e;
    }
    return e;
}

double
half_ulp(double m, const ckda_fp_format *f)
{
    return ldexp(1, exponent(m, f) - f->precision);
}

double
rounded_to(double hi, const ckda_fp_format *f)
{
    if (f == NULL || f == &ckda_fp_fp64)
        return hi;
    return ckda_fp_get_double(ckda_fp_from_double(hi, f, &ckda_fp_rne), f);
}

/* Half the distance from x to its neighbour on the side of d (the sign of exact - x). */
static double
half_gap(double x, double d, const ckda_fp_format *f)
{
    const double m = fabs(x), h = half_ulp(m, f);
    const bool inwards = x != 0 && (d < 0) == (x > 0);
    const bool power = m > 0 && ldexp(1, ilogb(m)) == m && ilogb(m) > f->emin;
    return inwards && power ? h / 2 : h;
}

ckda_token_class
compare_number(double *d, const wanted *w, double got, const ckda_fp_format *f)
{
    const double off = (w->hi - got) + w->lo;
    *d = fabs(off);
    /* what the two operations above can have lost, and the radius */
    const double slack = w->rad + 0x1p-51 * (*d + fabs(w->lo)) + DBL_MIN;
    const double gap = f != NULL ? half_gap(got, off, f) : 0;
    const double size = fabs(w->hi) + fabs(w->lo) + w->rad + w->bound;
    double most = w->bound + 2 * w->rad + 2 * DBL_MIN;
    if (f != NULL)
        most += half_ulp(size * (1 + DBL_EPSILON), f);
    if (*d <= gap + slack)
        return CKDA_TOKEN_ROUNDED;
    if (*d - slack > most)
        return CKDA_TOKEN_BEYOND;
    return *d + slack <= most * (1 + 0x1p-30) ? CKDA_TOKEN_WITHIN : CKDA_TOKEN_UNDECIDED;
}
