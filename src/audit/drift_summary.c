/* Quantiles of one row. */
#include <math.h>
#include <stdlib.h>

#include "drift_internal.h"

static int
by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Nearest rank in a sorted list. */
static double
quantile(const double *x, size_t n, unsigned percent)
{
    const size_t rank = (n * percent + 99) / 100;
    return x[rank > 0 ? rank - 1 : 0];
}

static double
median(const double *x, size_t n)
{
    const double a = x[(n - 1) / 2], b = x[n / 2];
    return a == b ? a : a / 2 + b / 2;
}

ckda_drift_row
drift_summary(uint64_t t, double *drift, double *norm, size_t n)
{
    ckda_drift_row r = {.t = t};
    qsort(drift, n, sizeof *drift, by_size);
    qsort(norm, n, sizeof *norm, by_size);
    for (size_t i = 0; i < n; i++)
        r.nonfinite += !isfinite(norm[i]);
    r.median = median(drift, n);
    r.max = drift[n - 1];
    r.q10 = quantile(drift, n, 10);
    r.q25 = quantile(drift, n, 25);
    r.q75 = quantile(drift, n, 75);
    r.q90 = quantile(drift, n, 90);
    r.norm_median = median(norm, n);
    return r;
}
