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

bool
ckda_field_root_alone(const arb_t r, const ckda_field_t K)
{
    fmpz_poly_t df;
    arb_t wide;
    if (K->degree == 1)
        return true;
    fmpz_poly_init(df);
    arb_init(wide);
    arb_set(wide, r);
    fmpz_poly_derivative(df, K->minpoly);
    const bool alone =
        holds_one_root(wide, K->minpoly, df, FLINT_MAX(arb_rel_accuracy_bits(r), 0) + 64);
    arb_clear(wide);
    fmpz_poly_clear(df);
    return alone;
}

/* An interval with exact ends around one simple root of an irreducible f of degree >= 2:
 * no end is a root, and ends only ever move inwards. */
typedef struct {
    arf_t lo, hi;
    const fmpz_poly_struct *f;
    fmpz_poly_t df;
    slong extra; /* working bits beyond the accuracy that is aimed at */
} bracket;

typedef enum { SHRUNK, TOO_WIDE, TOO_ROUGH } step;

static void
bracket_init(bracket *b, const arb_t r, const fmpz_poly_t f)
{
    arf_init(b->lo);
    arf_init(b->hi);
    b->f = f;
    b->extra = 64;
    fmpz_poly_init(b->df);
    fmpz_poly_derivative(b->df, f);
    arb_get_interval_arf(b->lo, b->hi, r, ARF_PREC_EXACT);
}

static void
bracket_clear(bracket *b)
{
    fmpz_poly_clear(b->df);
    arf_clear(b->hi);
    arf_clear(b->lo);
}

/* The ends move to those of y where that is inwards: rounded, but never beyond the old
 * ones.  Does at most half of the width stay? */
static bool
move_ends(bracket *b, const arb_t y, slong prec)
{
    arf_t lo, hi, before, after;
    arf_init(lo);
    arf_init(hi);
    arf_init(before);
    arf_init(after);
    arf_sub(before, b->hi, b->lo, 64, ARF_RND_DOWN);
    arb_get_interval_arf(lo, hi, y, prec);
    if (arf_cmp(lo, b->lo) > 0)
        arf_swap(lo, b->lo);
    if (arf_cmp(hi, b->hi) < 0)
        arf_swap(hi, b->hi);
    ckda_require(arf_cmp(b->lo, b->hi) < 0, "the root left its enclosure");
    arf_sub(after, b->hi, b->lo, 64, ARF_RND_UP);
    arf_mul_2exp_si(after, after, 1);
    const bool shrunk = arf_cmp(after, before) <= 0;
    arf_clear(after);
    arf_clear(before);
    arf_clear(hi);
    arf_clear(lo);
    return shrunk;
}

/* The interval intersected with m - f(m)/f'(interval).  Where that does not halve it:
 * is the interval too wide for the step, or are the working bits too few? */
static step
newton_step(bracket *b, slong prec)
{
    arb_t r, mid, y, slope;
    step what;
    arb_init(r);
    arb_init(mid);
    arb_init(y);
    arb_init(slope);
    arb_set_interval_arf(r, b->lo, b->hi, prec);
    arb_get_mid_arb(mid, r);
    arb_fmpz_poly_evaluate_arb(slope, b->df, r, prec);
    if (arb_contains_zero(slope)) {
        arb_fmpz_poly_evaluate_arb(y, b->df, mid, prec);
        what = arb_contains_zero(y) && !arb_is_exact(y) ? TOO_ROUGH : TOO_WIDE;
    } else {
        arb_fmpz_poly_evaluate_arb(y, b->f, mid, prec);
        arb_div(y, y, slope, prec);
        arb_sub(y, mid, y, prec);
        what = move_ends(b, y, prec)                       ? SHRUNK
               : arb_rel_accuracy_bits(slope) < SLOPE_BITS ? TOO_WIDE
                                                           : TOO_ROUGH;
    }
    arb_clear(slope);
    arb_clear(y);
    arb_clear(mid);
    arb_clear(r);
    return what;
}

/* Keeps the half on whose ends f has different signs. */
static void
halve(bracket *b)
{
    arf_t mid;
    arf_init(mid);
    arf_add(mid, b->lo, b->hi, ARF_PREC_EXACT, ARF_RND_DOWN);
    arf_mul_2exp_si(mid, mid, -1);
    if (field_poly_sgn_at(b->f, mid) == field_poly_sgn_at(b->f, b->lo))
        arf_swap(b->lo, mid);
    else
        arf_swap(b->hi, mid);
    arf_clear(mid);
}

void
field_root_refine(arb_t r, const fmpz_poly_t f, slong prec)
{
    bracket b;
    slong have = arb_rel_accuracy_bits(r);
    if (have >= prec)
        return;
    bracket_init(&b, r, f);
    /* Ends: halving reaches an interval on which f' keeps its sign, as the root is simple;
     * there a step with enough working bits halves the interval at least, mostly doubles
     * the number of correct bits. */
    while (have < prec) {
        const slong aim = FLINT_MIN(2 * FLINT_MAX(have, 32), prec);
        switch (newton_step(&b, aim + b.extra)) {
        case SHRUNK:
            break;
        case TOO_WIDE:
            halve(&b);
            break;
        case TOO_ROUGH:
            b.extra *= 2;
            break;
        }
        arb_set_interval_arf(r, b.lo, b.hi, aim + b.extra);
        have = arb_rel_accuracy_bits(r);
    }
    bracket_clear(&b);
}
