/* Real algebraic numbers outside of a field: enclosures and arithmetic.
 *
 * qqbar keeps a minimal polynomial and an enclosure that holds one of its roots.  Asked for
 * more bits it may isolate all roots of the polynomial anew, which takes minutes where they
 * lie close together.  Here the one root is enclosed by field_root_refine, and a result is
 * the factor of a known polynomial that vanishes on the enclosure of the result. */
#include "internal.h"

bool
field_num_is_real(const qqbar_t x)
{
    const arb_struct *im = acb_imagref(QQBAR_ENCLOSURE(x));
    if (qqbar_degree(x) == 1 || arb_is_zero(im))
        return true;
    if (!arb_contains_zero(im))
        return false;
    /* The enclosure holds one root, a simple one.  If it is real, and only then, the
     * polynomial changes sign along the part of the enclosure on the real line. */
    arf_t lo, hi;
    arf_init(lo);
    arf_init(hi);
    arb_get_interval_arf(lo, hi, acb_realref(QQBAR_ENCLOSURE(x)), ARF_PREC_EXACT);
    const bool real =
        field_poly_sgn_at(QQBAR_POLY(x), lo) != field_poly_sgn_at(QQBAR_POLY(x), hi);
    arf_clear(hi);
    arf_clear(lo);
    return real;
}

void
field_num_arb(arb_t r, const qqbar_t x, slong prec)
{
    if (qqbar_degree(x) == 1) {
        arb_set_fmpz(r, QQBAR_COEFFS(x));
        arb_div_fmpz(r, r, QQBAR_COEFFS(x) + 1, prec);
        arb_neg(r, r);
        return;
    }
    arb_t t;
    arb_init(t);
    arb_set(t, acb_realref(QQBAR_ENCLOSURE(x)));
    field_root_refine(t, QQBAR_POLY(x), prec);
    arb_swap(r, t);
    arb_clear(t);
}

void
field_num_tighten(qqbar_t x, slong prec)
{
    if (qqbar_degree(x) == 1 || !field_num_is_real(x))
        return;
    field_num_arb(acb_realref(QQBAR_ENCLOSURE(x)), x, prec);
    arb_zero(acb_imagref(QQBAR_ENCLOSURE(x)));
}

/* Is the number that `enclose` tells to prec bits a root of f[i] and no other f[j]?
 * Returns i or -1: not yet known. */
static slong
vanishing(const fmpz_poly_struct *f, slong n, const arb_t r, slong prec)
{
    slong found = -1;
    arb_t v;
    arb_init(v);
    for (slong i = 0; i < n && found >= -1; i++) {
        arb_fmpz_poly_evaluate_arb(v, f + i, r, prec);
        if (arb_contains_zero(v))
            found = found == -1 ? i : -2;
    }
    arb_clear(v);
    return FLINT_MAX(found, -1);
}

void
field_num_set_root(qqbar_t x, const fmpz_poly_struct *f, slong n,
                   field_enclose_fn enclose, const void *what)
{
    acb_t z, t;
    slong i = -1;
    if (n == 1 && fmpz_poly_degree(f) == 1) {
        fmpq_t q;
        fmpq_init(q);
        fmpq_set_fmpz_frac(q, f->coeffs, f->coeffs + 1);
        fmpq_neg(q, q);
        qqbar_set_fmpq(x, q);
        fmpq_clear(q);
        return;
    }
    acb_init(z);
    acb_init(t);
    /* Ends: different irreducible polynomials have no common root, and a simple root is
     * certified as soon as its enclosure is narrow. */
    for (slong prec = QQBAR_DEFAULT_PREC;; prec *= 2) {
        enclose(acb_realref(z), what, prec);
        i = vanishing(f, n, acb_realref(z), 2 * prec);
        if (i >= 0 && _qqbar_validate_uniqueness(t, f + i, z, 2 * prec))
            break;
    }
    fmpz_poly_set(QQBAR_POLY(x), f + i);
    acb_swap(QQBAR_ENCLOSURE(x), t);
    if (fmpz_sgn(QQBAR_COEFFS(x) + qqbar_degree(x)) < 0)
        fmpz_poly_neg(QQBAR_POLY(x), QQBAR_POLY(x));
    acb_clear(t);
    acb_clear(z);
}

/* ---- rational changes -------------------------------------------------------------- */

typedef struct {
    const qqbar_struct *x;
    const fmpq *p, *q;
} affine;

static void
enclose_affine(arb_t r, const void *what, slong prec)
{
    const affine *t = what;
    arb_t q;
    arb_init(q);
    arb_set_fmpq(q, t->q, prec);
    field_num_arb(r, t->x, prec);
    arb_mul_fmpz(r, r, fmpq_numref(t->p), prec);
    arb_div_fmpz(r, r, fmpq_denref(t->p), prec);
    arb_add(r, r, q, prec);
    arb_clear(q);
}

void
field_num_affine(qqbar_t y, const qqbar_t x, const fmpq_t p, const fmpq_t q)
{
    fmpq_poly_t f, g;
    fmpz_poly_t h;
    affine what = {x, p, q};
    ckda_require(!fmpq_is_zero(p) && qqbar_degree(x) > 1, "a rational result");
    fmpq_poly_init(f);
    fmpq_poly_init(g);
    fmpz_poly_init(h);
    fmpq_poly_set_coeff_si(g, 1, 1); /* x = (y - q)/p */
    fmpq_poly_set_coeff_fmpq(g, 0, q);
    fmpz_neg(g->coeffs, g->coeffs);
    fmpq_poly_scalar_div_fmpq(g, g, p);
    fmpq_poly_set_fmpz_poly(f, QQBAR_POLY(x));
    fmpq_poly_compose(f, f, g);
    fmpq_poly_get_numerator(h, f);
    fmpz_poly_primitive_part(h, h);
    field_num_set_root(y, h, 1, enclose_affine, &what);
    fmpz_poly_clear(h);
    fmpq_poly_clear(g);
    fmpq_poly_clear(f);
}

static void
enclose_inverse(arb_t r, const void *what, slong prec)
{
    field_num_arb(r, what, prec);
    arb_inv(r, r, prec);
}

void
field_num_inv(qqbar_t y, const qqbar_t x)
{
    fmpz_poly_t h;
    fmpz_poly_init(h);
    fmpz_poly_reverse(h, QQBAR_POLY(x), qqbar_degree(x) + 1);
    field_num_set_root(y, h, 1, enclose_inverse, x);
    fmpz_poly_clear(h);
}

/* ---- two numbers ------------------------------------------------------------------- */

typedef struct {
    const qqbar_struct *x, *y;
    char op;
} operation;

static void
enclose_operation(arb_t r, const void *what, slong prec)
{
    const operation *t = what;
    arb_t y;
    arb_init(y);
    field_num_arb(y, t->y, prec);
    field_num_arb(r, t->x, prec);
    if (t->op == '+')
        arb_add(r, r, y, prec);
    else if (t->op == '-')
        arb_sub(r, r, y, prec);
    else if (t->op == '*')
        arb_mul(r, r, y, prec);
    else
        arb_div(r, r, y, prec);
    arb_clear(y);
}

void
field_num_op(qqbar_t z, const qqbar_t x, char op, const qqbar_t y)
{
    const operation what = {x, y, op};
    const int code = op == '+' ? 0 : op == '-' ? 1 : op == '*' ? 2 : 3;
    fmpz_poly_t h;
    fmpz_poly_factor_t fac;
    fmpz_poly_init(h);
    fmpz_poly_factor_init(fac);
    qqbar_fmpz_poly_composed_op(h, QQBAR_POLY(x), QQBAR_POLY(y), code);
    fmpz_poly_factor(fac, h);
    field_num_set_root(z, fac->p, fac->num, enclose_operation, &what);
    fmpz_poly_factor_clear(fac);
    fmpz_poly_clear(h);
}

/* ---- powers and square roots ------------------------------------------------------- */

typedef struct {
    const qqbar_struct *x;
    ulong e;
} power;

static void
enclose_power(arb_t r, const void *what, slong prec)
{
    const power *t = what;
    field_num_arb(r, t->x, prec);
    arb_pow_ui(r, r, t->e, prec);
}

void
field_num_pow(qqbar_t y, const qqbar_t x, ulong e)
{
    const power what = {x, e};
    fmpq_poly_t f;
    fmpz_poly_t h;
    nf_t nf;
    nf_elem_t t;
    fmpq_poly_init(f);
    fmpz_poly_init(h);
    fmpq_poly_set_fmpz_poly(f, QQBAR_POLY(x));
    nf_init(nf, f);
    nf_elem_init(t, nf);
    nf_elem_gen(t, nf);
    nf_elem_pow(t, t, e, nf);
    nf_elem_get_fmpq_poly(f, t, nf);
    field_minimal_polynomial(h, f, QQBAR_POLY(x));
    field_num_set_root(y, h, 1, enclose_power, &what);
    nf_elem_clear(t, nf);
    nf_clear(nf);
    fmpz_poly_clear(h);
    fmpq_poly_clear(f);
}

static void
enclose_sqrt(arb_t r, const void *what, slong prec)
{
    field_num_arb(r, what, prec);
    arb_abs(r, r);
    arb_sqrtpos(r, r, prec);
}

/* y = i sqrt(-x) for x < 0, a root of the polynomial h of its square x.  That is
 * irreducible, since no number of the real field Q(x) has a negative square. */
static void
set_imaginary_sqrt(qqbar_t y, const qqbar_t x, const fmpz_poly_t h)
{
    acb_t z, t;
    acb_init(z);
    acb_init(t);
    slong prec = QQBAR_DEFAULT_PREC;
    do {
        enclose_sqrt(acb_imagref(z), x, prec);
        prec *= 2;
    } while (!_qqbar_validate_uniqueness(t, h, z, prec));
    fmpz_poly_set(QQBAR_POLY(y), h);
    acb_swap(QQBAR_ENCLOSURE(y), t);
    acb_clear(t);
    acb_clear(z);
}

void
field_num_sqrt(qqbar_t y, const qqbar_t x)
{
    arb_t r;
    fmpz_poly_t h;
    arb_init(r);
    fmpz_poly_init(h);
    fmpz_poly_inflate(h, QQBAR_POLY(x), 2);
    field_num_arb(r, x, 8);
    if (arb_is_negative(r)) {
        set_imaginary_sqrt(y, x, h);
    } else {
        fmpz_poly_factor_t fac;
        fmpz_poly_factor_init(fac);
        fmpz_poly_factor(fac, h);
        field_num_set_root(y, fac->p, fac->num, enclose_sqrt, x);
        fmpz_poly_factor_clear(fac);
    }
    fmpz_poly_clear(h);
    arb_clear(r);
}

/* ---- order ------------------------------------------------------------------------- */

bool
field_same_root(const fmpz_poly_t f, field_enclose_fn first, const void *one,
                field_enclose_fn second, const void *other)
{
    fmpz_poly_t df;
    arb_t u, v;
    int same = -1;
    fmpz_poly_init(df);
    arb_init(u);
    arb_init(v);
    fmpz_poly_derivative(df, f);
    /* Ends: two different roots get disjoint enclosures; for one and the same root the
     * union shrinks to it, and f' is not 0 there as f is irreducible.  Where f' has no
     * zero on the union, f has at most one root there. */
    for (slong prec = 128; same < 0; prec *= 2) {
        first(u, one, prec);
        second(v, other, prec);
        if (!arb_overlaps(u, v)) {
            same = 0;
        } else {
            arb_union(u, u, v, prec);
            arb_fmpz_poly_evaluate_arb(v, df, u, prec);
            if (!arb_contains_zero(v))
                same = 1;
        }
    }
    arb_clear(v);
    arb_clear(u);
    fmpz_poly_clear(df);
    return same == 1;
}

static void
enclose_num(arb_t r, const void *what, slong prec)
{
    field_num_arb(r, what, prec);
}

bool
field_num_equal(const qqbar_t x, const qqbar_t y)
{
    return fmpz_poly_equal(QQBAR_POLY(x), QQBAR_POLY(y))
           && (qqbar_degree(x) == 1
               || field_same_root(QQBAR_POLY(x), enclose_num, x, enclose_num, y));
}

int
field_num_cmp(const qqbar_t x, const qqbar_t y)
{
    if (field_num_equal(x, y))
        return 0;
    arb_t u, v;
    arb_init(u);
    arb_init(v);
    /* Ends: the numbers differ. */
    for (slong prec = 64;; prec *= 2) {
        field_num_arb(u, x, prec);
        field_num_arb(v, y, prec);
        if (!arb_overlaps(u, v))
            break;
    }
    const int c = arf_cmp(arb_midref(u), arb_midref(v));
    arb_clear(v);
    arb_clear(u);
    return c < 0 ? -1 : 1;
}
