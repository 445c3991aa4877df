/* The real root that the numbers are polynomials in, enclosed by fractions. */
#include "recheck.h"

/* x[0..1] = an interval, times [low, high]: the least and the greatest of four products. */
static void
interval_mul(mpq_t *x, const mpq_t low, const mpq_t high)
{
    mpq_t *p = fractions_new(3), *least = p + 1, *most = p + 2;
    for (int i = 0; i < 4; i++) {
        mpq_mul(*p, x[i & 1], i & 2 ? high : low);
        if (i == 0 || mpq_cmp(*p, *least) < 0)
            mpq_set(*least, *p);
        if (i == 0 || mpq_cmp(*p, *most) > 0)
            mpq_set(*most, *p);
    }
    mpq_swap(x[0], *least);
    mpq_swap(x[1], *most);
    release(p);
}

/* The sign of f at x. */
static int
sign_at(const instance *I, const mpq_t x)
{
    mpq_t *v = fractions_new(2); /* the value, a coefficient */
    for (size_t k = I->degree + 1; k-- > 0;) {
        mpq_mul(v[0], v[0], x);
        mpq_set_z(v[1], I->f[k]);
        mpq_add(v[0], v[0], v[1]);
    }
    const int sign = mpq_sgn(v[0]);
    release(v);
    return sign;
}

/* An enclosure of the values of f' between low and high has one sign. */
static bool
is_monotone(const instance *I)
{
    mpq_t *v = fractions_new(3); /* an interval, a coefficient */
    for (size_t k = I->degree; k >= 1; k--) {
        interval_mul(v, I->root[0], I->root[1]);
        mpz_mul_ui(mpq_numref(v[2]), I->f[k], k);
        mpq_add(v[0], v[0], v[2]);
        mpq_add(v[1], v[1], v[2]);
    }
    const bool monotone = mpq_sgn(v[0]) > 0 || mpq_sgn(v[1]) < 0;
    release(v);
    return monotone;
}

void
root_check(reader *in, const instance *I)
{
    const int order = mpq_cmp(I->root[0], I->root[1]);
    refuse(in, order > 0, "root: the interval is empty");
    refuse(in, order == 0 && sign_at(I, I->root[0]) != 0, "root: not a root of minpoly");
    refuse(in, order < 0 && sign_at(I, I->root[0]) * sign_at(I, I->root[1]) >= 0,
           "root: minpoly does not change its sign over the interval");
    refuse(in, order < 0 && !is_monotone(I),
           "root: the interval is too wide for one root");
}

/* Narrows the interval below 2^-bits by bisection. */
static void
refine(const instance *I, size_t bits)
{
    mpq_t *middle = fractions_new(2), *width = middle + 1;
    const int sign = sign_at(I, I->root[0]);
    for (;;) {
        mpq_sub(*width, I->root[1], I->root[0]);
        mpq_mul_2exp(*width, *width, bits);
        if (mpz_cmp(mpq_numref(*width), mpq_denref(*width)) < 0)
            break;
        mpq_add(*middle, I->root[0], I->root[1]);
        mpq_div_2exp(*middle, *middle, 1);
        const int at = sign_at(I, *middle);
        if (at == sign || at == 0)
            mpq_set(I->root[0], *middle);
        if (at != sign)
            mpq_set(I->root[1], *middle);
    }
    release(middle);
}

void
root_powers(instance *I, size_t bits)
{
    if (I->bits == bits)
        return;
    if (I->bits == 0) {
        I->floor = integers_new(2 * I->degree);
        I->width = I->floor + I->degree;
    }
    I->bits = bits;
    refine(I, bits + 16);
    mpq_t *power = fractions_new(3), *t = power + 2;
    mpq_set_ui(power[0], 1, 1);
    mpq_set_ui(power[1], 1, 1);
    for (size_t k = 0; k < I->degree; k++) {
        mpq_mul_2exp(*t, power[0], bits);
        mpz_fdiv_q(I->floor[k], mpq_numref(*t), mpq_denref(*t));
        mpq_mul_2exp(*t, power[1], bits);
        mpz_cdiv_q(I->width[k], mpq_numref(*t), mpq_denref(*t));
        mpz_sub(I->width[k], I->width[k], I->floor[k]);
        interval_mul(power, I->root[0], I->root[1]);
    }
    release(power);
}

int
sign_of(instance *I, mpz_t *p)
{
    size_t zeros = 0;
    int sign = UNDECIDED;
    while (zeros < I->degree && mpz_sgn(p[zeros]) == 0)
        zeros++;
    if (zeros == I->degree)
        return 0;
    mpz_t *end = integers_new(2); /* of an enclosure, times 2^bits */
    for (size_t bits = FIRST_BITS; sign == UNDECIDED && bits <= MOST_BITS; bits *= 8) {
        root_powers(I, bits > I->bits ? bits : I->bits);
        mpz_set_ui(end[0], 0);
        mpz_set_ui(end[1], 0);
        for (size_t k = 0; k < I->degree; k++) {
            mpz_addmul(end[0], p[k], I->floor[k]);
            mpz_addmul(end[1], p[k], I->floor[k]);
            mpz_addmul(end[mpz_sgn(p[k]) > 0], p[k], I->width[k]);
        }
        sign = mpz_sgn(end[0]) > 0 ? 1 : mpz_sgn(end[1]) < 0 ? -1 : UNDECIDED;
    }
    release(end);
    return sign;
}
