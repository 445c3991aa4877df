/* Elements as real numbers: enclosures, signs, doubles. */
#include "internal.h"

/* r encloses the numerator of x at the generator, computed with prec working bits. */
static void
enclose_num(arb_t r, const ckda_elem_t x, const ckda_field_t K, slong prec)
{
    slong len;
    const fmpz *num = ckda_elem_num(&len, x, K);
    if (len <= 1) {
        arb_zero(r);
        if (len == 1)
            arb_set_fmpz(r, num);
        return;
    }
    arb_t a;
    arb_init(a);
    ckda_field_root(a, K, prec);
    _arb_fmpz_poly_evaluate_arb(r, num, len, a, prec);
    arb_clear(a);
}

int
ckda_elem_sgn(const ckda_elem_t x, const ckda_field_t K)
{
    int sgn = 0;
    arb_t r;
    if (ckda_elem_is_zero(x, K))
        return 0;
    arb_init(r);
    /* Ends: x is a polynomial in a of degree below d with a non-zero coefficient, so it
     * is not 0 (1, a, ..., a^(d-1) are independent over Q), and the radius of its
     * enclosure goes to 0 as the precision doubles.  Denominators are positive. */
    for (slong prec = 64; sgn == 0; prec *= 2) {
        enclose_num(r, x, K, prec);
        sgn = arb_is_positive(r) - arb_is_negative(r);
    }
    arb_clear(r);
    return sgn;
}

int
ckda_elem_cmp(const ckda_elem_t x, const ckda_elem_t y, const ckda_field_t K)
{
    ckda_elem_t d;
    ckda_elem_init(d, K);
    ckda_elem_sub(d, x, y, K);
    int sgn = ckda_elem_sgn(d, K);
    ckda_elem_clear(d, K);
    return sgn;
}

int
ckda_elem_cmp_si(const ckda_elem_t x, slong n, const ckda_field_t K)
{
    ckda_elem_t d;
    ckda_elem_init(d, K);
    nf_elem_sub_si(d, x, n, K->nf);
    int sgn = ckda_elem_sgn(d, K);
    ckda_elem_clear(d, K);
    return sgn;
}

void
ckda_elem_abs(ckda_elem_t z, const ckda_elem_t x, const ckda_field_t K)
{
    if (ckda_elem_sgn(x, K) < 0)
        ckda_elem_neg(z, x, K);
    else
        ckda_elem_set(z, x, K);
}

void
ckda_elem_get_arb(arb_t r, const ckda_elem_t x, const ckda_field_t K, slong prec)
{
    arb_t t;
    arb_init(t);
    if (!ckda_elem_is_zero(x, K)) {
        /* Ends for the reason given in ckda_elem_sgn. */
        for (slong work = prec + 16;; work *= 2) {
            enclose_num(t, x, K, work);
            arb_div_fmpz(t, t, ckda_elem_den(x, K), work);
            if (arb_rel_accuracy_bits(t) >= prec)
                break;
        }
        arb_set_round(t, t, prec + 8);
    }
    arb_swap(r, t);
    arb_clear(t);
}

/* The nearest double of a rational, ties to even. */
static double
approx_rational(const fmpq_t q)
{
    arf_t t;
    arf_init(t);
    arf_fmpz_div_fmpz(t, fmpq_numref(q), fmpq_denref(q), 53, ARF_RND_NEAR);
    double d = arf_get_d(t, ARF_RND_NEAR);
    arf_clear(t);
    return d;
}

double
ckda_elem_approx(const ckda_elem_t x, const ckda_field_t K)
{
    double lo = 0, hi = 1;
    if (ckda_elem_is_rational(x, K)) {
        fmpq_t q;
        fmpq_init(q);
        field_elem_constant(q, x, K);
        lo = approx_rational(q);
        fmpq_clear(q);
        return lo;
    }
    arb_t r;
    arf_t end;
    arb_init(r);
    arf_init(end);
    /* Ends: an irrational number never lies halfway between two doubles. */
    for (slong prec = 64; lo < hi; prec *= 2) {
        ckda_elem_get_arb(r, x, K, prec);
        arb_get_lbound_arf(end, r, prec + 32);
        lo = arf_get_d(end, ARF_RND_NEAR);
        arb_get_ubound_arf(end, r, prec + 32);
        hi = arf_get_d(end, ARF_RND_NEAR);
    }
    arf_clear(end);
    arb_clear(r);
    return lo;
}
