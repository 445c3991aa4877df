#include "icosian.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PHI = 1.61803398874989484820458683436563811772;

double
half_phi_double(half_phi x)
{
    return (x.a + x.b * PHI) / 2;
}

bool
half_phi_recognise(half_phi *out, double x)
{
    if (!(fabs(x) <= 16))
        return false;
    for (int32_t b = -8; b <= 8; b++) {
        const double a = rint(2 * x - b * PHI);
        if (fabs((a + b * PHI) / 2 - x) <= 0x1p-48) {
            *out = (half_phi){(int32_t)a, b};
            return true;
        }
    }
    return false;
}

/* 4 times the product, as a + b phi. */
static half_phi
product(half_phi x, half_phi y)
{
    const int32_t bb = x.b * y.b;
    return (half_phi){x.a * y.a + bb, x.a * y.b + x.b * y.a + bb};
}

static half_phi
plus(half_phi x, half_phi y)
{
    return (half_phi){x.a + y.a, x.b + y.b};
}

static half_phi
times(half_phi x, int n)
{
    return (half_phi){n * x.a, n * x.b};
}

bool
half_phi_is_unit(const half_phi *k, int n)
{
    half_phi s = {0, 0};
    for (int i = 0; i < n; i++)
        s = plus(s, product(k[i], k[i]));
    return s.a == 4 && s.b == 0;
}

/* A sum of products (4 times its value) as a (a + b phi)/2.  Factors stay below 2^12, so
 * that nothing here overflows. */
static bool
halve(half_phi *out, half_phi x)
{
    *out = (half_phi){x.a / 2, x.b / 2};
    return x.a % 2 == 0 && x.b % 2 == 0 && abs(out->a) < 4096 && abs(out->b) < 4096;
}

void
icosian_one(icosian_mat *m)
{
    memset(m, 0, sizeof *m);
    for (int i = 0; i < 4; i++)
        m->e[5 * i].a = 2;
}

void
icosian_letter(icosian_mat *m, const half_phi *k, const int *s)
{
    icosian_one(m);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) /* 2 k_i k_j is product / 2 */
            m->e[4 * i + j] =
                times(plus(m->e[4 * i + j], times(product(k[i], k[j]), -1)), s[j]);
}

static bool
multiply(half_phi *c, const half_phi *x, const half_phi *y, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            half_phi s = {0, 0};
            for (int l = 0; l < n; l++)
                s = plus(s, product(x[n * i + l], y[n * l + j]));
            if (!halve(&c[n * i + j], s))
                return false;
        }
    return true;
}

bool
icosian_mul(icosian_mat *c, const icosian_mat *x, const icosian_mat *y)
{
    icosian_mat z;
    const bool good = multiply(z.e, x->e, y->e, 4);
    *c = z;
    return good;
}

bool
icosian_rot_mul(icosian_rot *c, const icosian_rot *x, const icosian_rot *y)
{
    icosian_rot z;
    const bool good = multiply(z.e, x->e, y->e, 3);
    *c = z;
    return good;
}

/* Column j of [r]x has r at these places: entry (i, j) is sign * r[other]. */
static const struct {
    int i, j, other, sign;
} CROSS[6] = {{0, 1, 2, -1}, {0, 2, 1, 1},  {1, 0, 2, 1},
              {1, 2, 0, -1}, {2, 0, 1, -1}, {2, 1, 0, 1}};

bool
icosian_readout(icosian_rot *f, const icosian_mat *m)
{
    const half_phi *e = m->e, *r = e + 1;
    bool good = true;
    half_phi s[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            s[3 * i + j] = plus(product(e[0], e[4 * (i + 1) + j + 1]),
                                times(product(e[4 * (i + 1)], r[j]), -1));
    for (int i = 0; i < 3; i++)
        for (int x = 0; x < 6; x++) {
            half_phi *at = &s[3 * i + CROSS[x].j];
            const half_phi c = e[4 * (i + 1) + CROSS[x].i + 1];
            *at = plus(*at, times(product(c, r[CROSS[x].other]), -CROSS[x].sign));
        }
    for (int i = 0; i < 9; i++)
        good = halve(&f->e[i], s[i]) && good;
    return good;
}

void
readout_double(double f[9], const double *m, uint64_t stride)
{
    const double *r = m + 1;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            f[3 * i + j] = m[0] * m[(uint64_t)(i + 1) * stride + (uint64_t)(j + 1)]
                           - m[(uint64_t)(i + 1) * stride] * r[j];
    for (int i = 0; i < 3; i++)
        for (int x = 0; x < 6; x++)
            f[3 * i + CROSS[x].j] -=
                CROSS[x].sign * r[CROSS[x].other]
                * m[(uint64_t)(i + 1) * stride + (uint64_t)(CROSS[x].i + 1)];
}
