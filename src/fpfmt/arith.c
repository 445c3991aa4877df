/* Conversions and arithmetic on patterns: the exact result in 128 bits, rounded once. */
#include <string.h>

#include "fp_internal.h"

uint64_t
ckda_fp_from_dyadic(int64_t m, int64_t e, const ckda_fp_format *f,
                    const ckda_fp_rule *rule)
{
    if (m == 0)
        return 0;
    e = e > FP_FAR ? FP_FAR : e < -FP_FAR ? -FP_FAR : e;
    uint64_t mant = m < 0 ? -(uint64_t)m : (uint64_t)m;
    return fp_round(m < 0, mant, e, false, f, rule);
}

uint64_t
ckda_fp_from_double(double x, const ckda_fp_format *f, const ckda_fp_rule *rule)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return ckda_fp_convert(bits, &ckda_fp_fp64, f, rule);
}

uint64_t
ckda_fp_convert(uint64_t x, const ckda_fp_format *from, const ckda_fp_format *to,
                const ckda_fp_rule *rule)
{
    fp_num v = fp_unpack(x, from);
    if (v.special)
        return v.nan ? to->nan : fp_infinite(v.neg, to, rule);
    if (v.mant == 0)
        return fp_zero(v.neg, to, rule);
    return fp_round(v.neg, v.mant, v.exp, false, to, rule);
}

/* A term of a sum: +-mant 2^exp, mant < 2^126. */
typedef struct {
    fp_u128 mant;
    int exp;
    bool neg;
} term;

/* Of an exact zero sum of terms with different signs. */
static uint64_t
cancelled(const ckda_fp_format *f, const ckda_fp_rule *r)
{
    return fp_zero(r->direction == CKDA_FP_RDN, f, r);
}

/* Both terms non-zero, a.exp >= b.exp, and a shifted to b's exponent fits: no bit lost.
 */
static uint64_t
sum_exact(term a, term b, const ckda_fp_format *f, const ckda_fp_rule *r)
{
    uint64_t x = (uint64_t)a.mant << (a.exp - b.exp), y = (uint64_t)b.mant;
    if (a.neg == b.neg)
        return fp_round(a.neg, x + y, b.exp, false, f, r);
    if (x == y)
        return cancelled(f, r);
    return x > y ? fp_round(a.neg, x - y, b.exp, false, f, r)
                 : fp_round(b.neg, y - x, b.exp, false, f, r);
}

/* Both terms non-zero.  They are normalised to 126 bits, the smaller is shifted to the
 * larger one's exponent, and what falls off is remembered as one sticky bit.  A term has
 * at most 106 significant bits, so bits fall off only for shifts above 19; the difference
 * then keeps at least 124 bits, far more than the rounding needs. */
static uint64_t
sum(term a, term b, const ckda_fp_format *f, const ckda_fp_rule *r)
{
    if (a.exp < b.exp) {
        term t = a;
        a = b;
        b = t;
    }
    /* how far each can go up and stay below 2^62 */
    int room_a = 61 - fp_top_bit(a.mant), room_b = 61 - fp_top_bit(b.mant);
    if (room_b >= 0 && a.exp - b.exp <= room_a)
        return sum_exact(a, b, f, r);

    int up_a = room_a + 64, up_b = room_b + 64;
    a.mant <<= up_a;
    a.exp -= up_a;
    b.mant <<= up_b;
    b.exp -= up_b;
    if (a.exp < b.exp || (a.exp == b.exp && a.mant < b.mant)) {
        term t = a;
        a = b;
        b = t;
    }
    int shift = a.exp - b.exp;
    bool sticky = false;
    if (shift >= 126) {
        sticky = true;
        b.mant = 0;
    } else if (shift > 0) {
        sticky = (b.mant & (((fp_u128)1 << shift) - 1)) != 0;
        b.mant >>= shift;
    }
    if (a.neg == b.neg)
        return fp_round_wide(a.neg, a.mant + b.mant, a.exp, sticky, f, r);
    fp_u128 m = a.mant - b.mant - sticky;
    return m == 0 ? cancelled(f, r) : fp_round_wide(a.neg, m, a.exp, sticky, f, r);
}

/* x + y where the fields of both are already known; handles everything special. */
static uint64_t
add_nums(fp_num x, term tx, fp_num y, const ckda_fp_format *to, const ckda_fp_rule *rule)
{
    if (x.special || y.special) {
        if (x.nan || y.nan || (x.special && y.special && x.neg != y.neg))
            return to->nan;
        return fp_infinite(x.special ? x.neg : y.neg, to, rule);
    }
    term ty = {y.mant, y.exp, y.neg};
    if (tx.mant == 0 && ty.mant == 0)
        return tx.neg == ty.neg ? fp_zero(tx.neg, to, rule) : cancelled(to, rule);
    if (tx.mant == 0)
        return fp_round(ty.neg, y.mant, y.exp, false, to, rule);
    if (ty.mant == 0)
        return fp_round_wide(tx.neg, tx.mant, tx.exp, false, to, rule);
    return sum(tx, ty, to, rule);
}

uint64_t
ckda_fp_add(uint64_t x, const ckda_fp_format *fx, uint64_t y, const ckda_fp_format *fy,
            const ckda_fp_format *to, const ckda_fp_rule *rule)
{
    fp_num u = fp_unpack(x, fx);
    return add_nums(u, (term){u.mant, u.exp, u.neg}, fp_unpack(y, fy), to, rule);
}

uint64_t
ckda_fp_sub(uint64_t x, const ckda_fp_format *fx, uint64_t y, const ckda_fp_format *fy,
            const ckda_fp_format *to, const ckda_fp_rule *rule)
{
    return ckda_fp_add(x, fx, y ^ fy->sign, fy, to, rule);
}

/* The exact product as far as it is special: infinity or NaN. */
static fp_num
special_product(fp_num x, fp_num y)
{
    fp_num p = {0, 0, x.neg != y.neg, true, x.nan || y.nan};
    if ((!x.special && x.mant == 0) || (!y.special && y.mant == 0))
        p.nan = true;
    return p;
}

uint64_t
ckda_fp_mul(uint64_t x, const ckda_fp_format *fx, uint64_t y, const ckda_fp_format *fy,
            const ckda_fp_format *to, const ckda_fp_rule *rule)
{
    fp_num u = fp_unpack(x, fx), v = fp_unpack(y, fy);
    bool neg = u.neg != v.neg;
    if (u.special || v.special)
        return special_product(u, v).nan ? to->nan : fp_infinite(neg, to, rule);
    if (u.mant == 0 || v.mant == 0)
        return fp_zero(neg, to, rule);
    return fp_round_wide(neg, (fp_u128)u.mant * v.mant, u.exp + v.exp, false, to, rule);
}

uint64_t
ckda_fp_fma(uint64_t x, const ckda_fp_format *fx, uint64_t y, const ckda_fp_format *fy,
            uint64_t z, const ckda_fp_format *fz, const ckda_fp_format *to,
            const ckda_fp_rule *rule)
{
    fp_num u = fp_unpack(x, fx), v = fp_unpack(y, fy), w = fp_unpack(z, fz);
    fp_num p = {0, 0, u.neg != v.neg, false, false};
    if (u.special || v.special)
        p = special_product(u, v);
    term product = {(fp_u128)u.mant * v.mant, u.exp + v.exp, p.neg};
    return add_nums(p, product, w, to, rule);
}

/* *n = m 2^-drop rounded to an integer magnitude; drop >= 0. */
static fp_u128
drop_bits(fp_u128 m, int drop, bool neg, ckda_fp_direction d)
{
    if (drop == 0)
        return m;
    bool far = drop > 128; /* then m 2^-drop < 1/2 */
    fp_u128 kept = drop >= 128 ? 0 : m >> drop;
    bool half = !far && ((m >> (drop - 1)) & 1);
    fp_u128 below = far ? m : m & (((fp_u128)1 << (drop - 1)) - 1);
    return kept + fp_goes_up(d, neg, kept & 1, half, below != 0);
}

uint64_t
ckda_fp_rint(uint64_t x, const ckda_fp_format *f, ckda_fp_direction direction)
{
    fp_num v = fp_unpack(x, f);
    if (v.special)
        return v.nan ? f->nan : x;
    if (v.mant == 0 || v.exp >= 0)
        return x;
    uint64_t n = (uint64_t)drop_bits(v.mant, -v.exp, v.neg, direction);
    /* n has at most precision bits, or is a power of two: exact */
    return n == 0 ? x & f->sign : fp_round(v.neg, n, 0, false, f, &ckda_fp_rne);
}

ckda_status
ckda_fp_to_grid(int64_t *n, uint64_t x, const ckda_fp_format *f, int64_t scale,
                ckda_fp_direction direction)
{
    fp_num v = fp_unpack(x, f);
    if (v.special)
        return CKDA_E_DOMAIN;
    uint64_t c = scale < 0 ? -(uint64_t)scale : (uint64_t)scale;
    bool neg = v.neg != (scale < 0);
    fp_u128 m = (fp_u128)v.mant * c; /* below 2^117 */
    if (m == 0) {
        *n = 0;
        return CKDA_OK;
    }
    if (v.exp > 0) {
        if (fp_top_bit(m) + v.exp > 62)
            return CKDA_E_DOMAIN;
        m <<= v.exp;
    } else {
        m = drop_bits(m, -v.exp, neg, direction);
    }
    if (m > INT64_MAX)
        return CKDA_E_DOMAIN;
    *n = neg ? -(int64_t)m : (int64_t)m;
    return CKDA_OK;
}
