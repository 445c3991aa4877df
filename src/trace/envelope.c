/* A second bound on the error of a kernel, for long runs.
 *
 * The step-by-step bound multiplies by |A_t| each token, and where keys are rounded |A_t|
 * is often a little above 1 although products of the A_t do not grow.  Let r_s be what
 * token s adds, |r_s| <= rho_s, and F_s the product of the transitions after s.  For any
 * unit x, |x^T sum F_s r_s| <= sum rho_s |F_s^T x| <= sqrt(n) sqrt(x^T E x) with n terms
 * and E = sum rho_s^2 F_s F_s^T (Cauchy-Schwarz), so that the error is at most
 * sqrt(n lambda_max(E)); and E obeys E' = A E A^T + rho^2 I, in O(K^2) a token.
 *
 * E is kept in doubles.  One update loses at most 2^-50 (K + 8) (1 + beta |k|^2)^2
 * max(1, alpha)^2 trace(E) in 2-norm (every entry passes two inner products of K terms
 * and a few single operations; E is positive); that much is added to the diagonal. */
#include <math.h>
#include <string.h>

#include "trace_internal.h"

/* x = x - beta k (k^T x) for the column of E that starts at x with stride s */
static void
reflect(double *x, uint64_t s, const double *k, double beta, uint64_t K)
{
    double p = 0;
    for (uint64_t i = 0; i < K; i++)
        p += k[i] * x[i * s];
    p *= beta;
    for (uint64_t i = 0; i < K; i++)
        x[i * s] -= p * k[i];
}

static double
trace_of(const double *E, uint64_t K)
{
    double s = 0;
    for (uint64_t i = 0; i < K; i++)
        s += E[i * K + i];
    return s;
}

void
envelope_step(double *E, const token *p, double rho, uint64_t K, double *tmp)
{
    double *k = tmp, *a = tmp + K, beta = mpfr_get_d(p->beta, MPFR_RNDN);
    for (uint64_t i = 0; i < K; i++) {
        k[i] = mpfr_get_d(p->k[i], MPFR_RNDN);
        a[i] = p->alpha_kind[i] == ALPHA_ONE         ? 1
               : p->alpha_kind[i] == ALPHA_MINUS_ONE ? -1
                                                     : mpfr_get_d(p->alpha[i], MPFR_RNDN);
    }
    const double size = 1 + p->nb * p->nk * p->nk, gate = fmax(1, p->na);
    const double added = fmax(rho, 0x1p-500); /* whose square does not vanish */
    const double lost =
        0x1p-50 * (double)(K + 8) * size * size * gate * gate * trace_of(E, K);
    for (uint64_t i = 0; i < K; i++)
        for (uint64_t j = 0; j < K; j++)
            E[i * K + j] *= a[i] * a[j];
    for (uint64_t i = 0; i < K; i++) /* columns, then rows */
        reflect(E + i, K, k, beta, K);
    for (uint64_t i = 0; i < K; i++)
        reflect(E + i * K, 1, k, beta, K);
    for (uint64_t i = 0; i < K; i++)
        E[i * K + i] += added * added + lost;
}

/* lambda_max(E) <= |E^4|_F^(1/4); two squarings, scaled by the trace. */
double
envelope_bound(const double *E, uint64_t terms, uint64_t K)
{
    const double t = trace_of(E, K);
    if (!(t > 0) || isinf(t))
        return t > 0 ? t : 0;
    double *x = fresh(2 * K * K, sizeof *x), *y = x + K * K, f = 0;
    for (uint64_t i = 0; i < K * K; i++)
        x[i] = E[i] / t;
    for (int n = 0; n < 2; n++) {
        memset(y, 0, K * K * sizeof *y);
        for (uint64_t i = 0; i < K; i++)
            for (uint64_t l = 0; l < K; l++)
                for (uint64_t j = 0; j < K; j++)
                    y[i * K + j] += x[i * K + l] * x[l * K + j];
        memcpy(x, y, K * K * sizeof *x);
    }
    for (uint64_t i = 0; i < K * K; i++)
        f += x[i] * x[i];
    free(x);
    /* entries of E / trace are at most 1: the squarings lose less than 2^-40 */
    return sqrt((double)terms * t * (pow(sqrt(f), 0.25) + 0x1p-30)) * (1 + 0x1p-30);
}
