/* The ranges of rwkv7, mdn and sfda. */
#include <stdio.h>
#include "trans_internal.h"

static ckda_status
outside(const ckda_trans_t t, const char *place, const char *range,
        const ckda_elem_struct *x, const ckda_field_t K, ckda_error *err)
{
    char found[256];
    trans_show(found, sizeof found, x, K);
    ckda_error_set(err, "%s: expected a number in %s (family %s), found %s", place, range,
                   ckda_family_name(t->family), found);
    return CKDA_E_DOMAIN;
}

static ckda_status
check_key(const ckda_trans_t t, const ckda_field_t K, ckda_error *err)
{
    for (slong i = 0; i < t->width; i++)
        if (!ckda_elem_is_zero(t->key + i, K))
            return CKDA_OK;
    ckda_error_set(err, "key: expected a nonzero direction, found only zeros");
    return CKDA_E_DOMAIN;
}

/* x[0 .. n-1] in [0, hi]? */
static ckda_status
check_vector(const ckda_trans_t t, const char *name, const ckda_elem_struct *x, int hi,
             const ckda_field_t K, ckda_error *err)
{
    char place[64], range[32];
    for (slong i = 0; i < t->n; i++) {
        if (ckda_elem_sgn(x + i, K) >= 0 && ckda_elem_cmp_si(x + i, hi, K) <= 0)
            continue;
        snprintf(place, sizeof place, "%s[%ld]", name, (long)i);
        snprintf(range, sizeof range, "[0, %d]", hi);
        return outside(t, place, range, x + i, K, err);
    }
    return CKDA_OK;
}

static ckda_status
check_rwkv7(const ckda_trans_t t, const ckda_field_t K, ckda_error *err)
{
    ckda_status st = check_vector(t, "decay", t->gate, 1, K, err);
    if (st == CKDA_OK)
        st = check_vector(t, "erase", t->more, 2, K, err);
    return st;
}

/* x >= exp(-1), i.e. log x + 1 >= 0, for x > 0.  exp(-1) is transcendental (Hermite) and x
 * is algebraic, so they differ and some precision tells. */
static bool
at_least_inverse_e(const ckda_elem_t x, const ckda_field_t K)
{
    arb_t y;
    bool above = false;
    arb_init(y);
    for (slong prec = 64;; prec *= 2) {
        ckda_elem_get_arb(y, x, K, prec);
        arb_log(y, y, prec);
        arb_add_ui(y, y, 1, prec);
        above = arb_is_positive(y);
        if (above || arb_is_negative(y))
            break;
    }
    arb_clear(y);
    return above;
}

static bool
all_equal(const ckda_elem_struct *x, slong n, const ckda_field_t K)
{
    for (slong i = 1; i < n; i++)
        if (!ckda_elem_equal(x + i, x, K))
            return false;
    return true;
}

static ckda_status
check_mdn(const ckda_trans_t t, const ckda_field_t K, ckda_error *err)
{
    const ckda_elem_struct *a = t->gate, *m = t->gate + t->width;
    ckda_elem_t rest; /* 1 - a */
    if (!all_equal(a, t->width, K) || !all_equal(m, t->width, K)) {
        ckda_error_set(err,
                       "%s: expected one scalar (family mdn), found different values",
                       all_equal(a, t->width, K) ? "mu" : "alpha");
        return CKDA_E_DOMAIN;
    }
    if (ckda_elem_sgn(a, K) <= 0 || ckda_elem_cmp_si(a, 1, K) >= 0)
        return outside(t, "alpha", "(0, 1)", a, K, err);
    if (ckda_elem_sgn(m, K) <= 0 || ckda_elem_cmp_si(m, 1, K) >= 0
        || !at_least_inverse_e(m, K))
        return outside(t, "mu", "[exp(-1), 1)", m, K, err);
    if (ckda_elem_sgn(t->more, K) <= 0 || ckda_elem_cmp_si(t->more, 2, K) >= 0)
        return outside(t, "eta", "(0, 2)", t->more, K, err);
    ckda_elem_init(rest, K);
    ckda_elem_one(rest, K);
    ckda_elem_sub(rest, rest, a, K);
    const bool inside =
        ckda_elem_sgn(t->beta, K) >= 0 && ckda_elem_cmp(t->beta, rest, K) <= 0;
    ckda_elem_clear(rest, K);
    return inside ? CKDA_OK : outside(t, "beta", "[0, 1 - alpha]", t->beta, K, err);
}

static ckda_status
check_sfda(const ckda_trans_t t, const ckda_field_t K, ckda_error *err)
{
    char place[64];
    ckda_elem_t s;
    ckda_status st = CKDA_OK;
    if (ckda_elem_sgn(t->beta, K) < 0 || ckda_elem_cmp_si(t->beta, 1, K) > 0)
        return outside(t, "beta", "[0, 1]", t->beta, K, err);
    ckda_elem_init(s, K);
    for (slong j = 0; j < t->n / 2 && st == CKDA_OK; j++) {
        norm_squared(s, t->gate + 2 * j, 2, K);
        if (ckda_elem_cmp_si(s, 1, K) <= 0)
            continue;
        snprintf(place, sizeof place, "gate[%ld]", (long)j);
        char found[256];
        trans_show(found, sizeof found, s, K);
        ckda_error_set(err,
                       "%s: expected a complex number with |z| <= 1 (family sfda), found "
                       "|z|^2 = %s",
                       place, found);
        st = CKDA_E_DOMAIN;
    }
    ckda_elem_clear(s, K);
    return st;
}

ckda_status
check_other_family(const ckda_trans_t t, const ckda_field_t K, ckda_error *err)
{
    const ckda_status st = check_key(t, K, err);
    if (st != CKDA_OK)
        return st;
    return t->family == CKDA_RWKV7 ? check_rwkv7(t, K, err)
           : t->family == CKDA_MDN ? check_mdn(t, K, err)
                                   : check_sfda(t, K, err);
}
