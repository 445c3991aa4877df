#include "ckda/report.h"

#include <stdio.h>

const char *
ckda_report_version(void)
{
    static char text[160]; /* the same bytes at each call */
    snprintf(text, sizeof text, "ckda %s (FLINT %s, GMP %s, MPFR %s)", CKDA_VERSION,
             flint_version, gmp_version, mpfr_get_version());
    return text;
}
