/* The real root that the numbers are polynomials in, enclosed by fractions. */
#include "recheck.h"

#include <stdlib.h>

typedef struct {
    mpq_t low, high;
} interval;

/* x = x [low, high]: the least and the greatest of four products. */
static void
interval_mul(interval *x, const mpq_t low, const mpq_t high)
{
    mpq_t product, least, most;
    mpq_inits(product, least, most, NULL);
    for (int i = 0; i < 4; i++) {
        mpq_mul(product, i & 1 ? x->high : x->low, i & 2 ? high : low);
        if (i == 0 || mpq_cmp(product, least) < 0)
            mpq_set(least, product);
        if (i == 0 || mpq_cmp(product, most) > 0)
            mpq_set(most, product);
    }
    mpq_swap(x->low, least);
    mpq_swap(x->high, most);
    mpq_clears(product, least, most, NULL);
}

/* The sign of f at x. */
static int
sign_at(const instance *I, const mpq_t x)
{
    mpq_t value, c;
    mpq_inits(value, c, NULL);
    for (size_t k = I->degree + 1; k-- > 0;) {
        mpq_mul(value, value, x);
        mpq_set_z(c, I->f[k]);
        mpq_add(value, value, c);
    }
    const int sign = mpq_sgn(value);
    mpq_clears(value, c, NULL);
    return sign;
}

/* An enclosure of the values of f' between low and high has one sign. */
static bool
is_monotone(const instance *I)
{
    interval value;
    mpq_t c;
    mpq_inits(value.low, value.high, c, NULL);
    for (size_t k = I->degree; k >= 1; k--) {
        interval_mul(&value, I->low, I->high);
        mpz_mul_ui(mpq_numref(c), I->f[k], k);
        mpq_add(value.low, value.low, c);
        mpq_add(value.high, value.high, c);
    }
    const bool monotone = mpq_sgn(value.low) > 0 || mpq_sgn(value.high) < 0;
    mpq_clears(value.low, value.high, c, NULL);
    return monotone;
}

bool
root_check(reader *in, const instance *I)
{
    const int order = mpq_cmp(I->low, I->high);
    if (order > 0)
        return refuse(in, "root: the interval is empty");
    if (order == 0)
        return sign_at(I, I->low) == 0 || refuse(in, "root: not a root of minpoly");
    if (sign_at(I, I->low) * sign_at(I, I->high) >= 0)
        return refuse(in, "root: minpoly does not change its sign over the interval");
    return is_monotone(I) || refuse(in, "root: the interval is too wide for one root");
}

/* Narrows low .. high below 2^-bits by bisection. */
static void
refine(instance *I, size_t bits)
{
    mpq_t middle, width;
    mpq_inits(middle, width, NULL);
    const int sign = sign_at(I, I->low);
    for (;;) {
        mpq_sub(width, I->high, I->low);
        mpq_mul_2exp(width, width, bits);
        if (mpz_cmp(mpq_numref(width), mpq_denref(width)) < 0)
            break;
        mpq_add(middle, I->low, I->high);
        mpq_div_2exp(middle, middle, 1);
        const int at = sign_at(I, middle);
        if (at == sign || at == 0)
            mpq_set(I->low, middle);
        if (at != sign)
            mpq_set(I->high, middle);
    }
    mpq_clears(middle, width, NULL);
}

void
root_powers(mpz_t *floor, mpz_t *width, instance *I, size_t bits)
{
    interval power;
    mpq_t t;
    mpq_inits(power.low, power.high, t, NULL);
    refine(I, bits + 16);
    mpq_set_ui(power.low, 1, 1);
    mpq_set_ui(power.high, 1, 1);
    for (size_t k = 0; k < I->degree; k++) {
        mpq_mul_2exp(t, power.low, bits);
        mpz_fdiv_q(floor[k], mpq_numref(t), mpq_denref(t));
        mpq_mul_2exp(t, power.high, bits);
        mpz_cdiv_q(width[k], mpq_numref(t), mpq_denref(t));
        mpz_sub(width[k], width[k], floor[k]);
        interval_mul(&power, I->low, I->high);
    }
    mpq_clears(power.low, power.high, t, NULL);
}
