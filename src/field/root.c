/* Isolating one real root of an irreducible integer polynomial, and refining it. */
#include "internal.h"

/* f'(r) must be known to this many bits: its sign is then constant on r with room to
 * spare, and a Newton step at least halves r (the quotient f(mid)/f'(r) has a relative
 * radius below 1/7). */
#define SLOPE_BITS 4

int
field_poly_sgn_at(const fmpz_poly_t f, const arf_t at)
{
    arb_t x, y;
    int sgn = 0;
    arb_init(x);
    arb_init(y);
    arb_set_arf(x, at);
    /* Ends: f(at) is not 0, and the enclosure of an exact argument shrinks to a point. */
    for (slong prec = 64; sgn == 0; prec *= 2) {
        arb_fmpz_poly_evaluate_arb(y, f, x, prec);
        sgn = arb_is_positive(y) - arb_is_negative(y);
    }
    arb_clear(x);
    arb_clear(y);
    return sgn;
}

/* Widens r to an interval with dyadic ends and asks: does f change sign from end to end
 * while f' keeps its sign? */
static bool
holds_one_root(arb_t r, const fmpz_poly_t f, const fmpz_poly_t df, slong prec)
{
    arf_t lo, hi;
    arb_t slope;
    arf_init(lo);
    arf_init(hi);
    arb_init(slope);
    arb_get_lbound_arf(lo, r, prec + 32);
    arb_get_ubound_arf(hi, r, prec + 32);
    arb_set_interval_arf(r, lo, hi, prec + 64);
    arb_fmpz_poly_evaluate_arb(slope, df, r, prec);
    bool one = arb_rel_accuracy_bits(slope) >= SLOPE_BITS
               && field_poly_sgn_at(f, lo) != field_poly_sgn_at(f, hi);
    arb_clear(slope);
    arf_clear(lo);
    arf_clear(hi);
    return one;
}

void
field_root_isolate(arb_t r, const fmpz_poly_t f, field_enclose_fn enclose,
                   const void *what)
{
    fmpz_poly_t df;
    fmpz_poly_init(df);
    fmpz_poly_derivative(df, f);
    /* Ends: an irreducible f has simple roots only, so f' is not 0 at the root, and the
     * enclosure shrinks to the root. */
    slong prec = 160;
    do {
        enclose(r, what, prec);
        prec *= 2;
    } while (!holds_one_root(r, f, df, prec));
    fmpz_poly_clear(df);
}

/* r = r intersected with mid(r) - f(mid(r))/f'(r). */
static void
newton_step(arb_t r, const fmpz_poly_t f, const fmpz_poly_t df, slong prec)
{
    arb_t mid, y, slope;
    arb_init(mid);
    arb_init(y);
    arb_init(slope);
    arf_set_round(arb_midref(mid), arb_midref(r), prec, ARF_RND_NEAR);
    arb_fmpz_poly_evaluate_arb(y, f, mid, prec);
    arb_fmpz_poly_evaluate_arb(slope, df, r, prec);
    arb_div(y, y, slope, prec);
    arb_sub(y, mid, y, prec);
    if (arb_is_finite(y))
        ckda_require(arb_intersection(r, r, y, prec), "the root left its enclosure");
    arb_clear(slope);
    arb_clear(y);
    arb_clear(mid);
}

void
field_root_refine(arb_t r, const fmpz_poly_t f, slong prec)
{
    fmpz_poly_t df;
    fmpz_poly_init(df);
    fmpz_poly_derivative(df, f);
    slong work = prec + 64;
    slong have = arb_rel_accuracy_bits(r);
    /* Ends: with enough working bits each step at least halves r (see SLOPE_BITS), and a
     * step that gains nothing doubles the working bits. */
    while (have < prec) {
        newton_step(r, f, df, work);
        slong now = arb_rel_accuracy_bits(r);
        if (now <= have)
            work *= 2;
        have = now;
    }
    fmpz_poly_clear(df);
}
