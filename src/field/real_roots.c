/* All real roots of a polynomial, by halving and Descartes' rule of signs: roots that lie
 * close together cost halvings, not an isolation of all complex roots. */
#include "internal.h"

/* An irreducible f of degree >= 2, the sign of x under which f(sign x) is looked at, and
 * where its roots go. */
typedef struct {
    const fmpz_poly_struct *f;
    int sign;
    qqbar_ptr roots;
    slong n;
} isolation;

typedef struct {
    const fmpz_poly_struct *f;
    arb_t r; /* holds one root of f */
} isolated;

static void
enclose_isolated(arb_t r, const void *what, slong prec)
{
    const isolated *t = what;
    arb_set(r, t->r);
    field_root_refine(r, t->f, prec);
}

/* The one root in sign (c 2^e, (c+1) 2^e), whose ends are no roots. */
static void
add_root(isolation *s, const fmpz_t c, slong e)
{
    isolated what = {.f = s->f};
    fmpz_t mid;
    fmpz_init(mid);
    arb_init(what.r);
    fmpz_mul_2exp(mid, c, 1);
    fmpz_add_ui(mid, mid, 1);
    arb_set_fmpz(what.r, mid);
    arb_mul_2exp_si(what.r, what.r, e - 1);
    mag_set_ui_2exp_si(arb_radref(what.r), 1, e - 1);
    if (s->sign < 0)
        arb_neg(what.r, what.r);
    field_num_set_root(s->roots + s->n++, s->f, 1, enclose_isolated, &what);
    arb_clear(what.r);
    fmpz_clear(mid);
}

/* Sign changes of the coefficients of (1+x)^n p(1/(1+x)): the number of roots of p in
 * (0, 1) plus an even number; 0 and 1 are exact. */
static slong
variations(const fmpz_poly_t p)
{
    fmpz_poly_t q;
    slong n = 0;
    int last = 0;
    fmpz_poly_init(q);
    fmpz_poly_reverse(q, p, fmpz_poly_length(p));
    fmpz_poly_taylor_shift(q, q, (const fmpz[]){1});
    for (slong i = 0; i < fmpz_poly_length(q); i++) {
        const int sgn = fmpz_sgn(q->coeffs + i);
        n += sgn != 0 && sgn == -last;
        last = sgn != 0 ? sgn : last;
    }
    fmpz_poly_clear(q);
    return n;
}

bool
field_holds_one_root(const arb_t r, const fmpz_poly_t f)
{
    const slong n = fmpz_poly_degree(f);
    fmpz_poly_t p, line;
    fmpz_t low, width, e;
    fmpz_init(low);
    fmpz_init(width);
    fmpz_init(e);
    fmpz_poly_init(p);
    fmpz_poly_init(line);
    fmpz_poly_set(p, f);
    arb_get_interval_fmpz_2exp(low, width, e, r);
    fmpz_sub(width, width, low);
    /* p(x) = f(2^e (low + width x)), times a power of two */
    const slong shift = fmpz_get_si(e);
    for (slong i = 0; i <= n; i++)
        fmpz_mul_2exp(p->coeffs + i, p->coeffs + i,
                      (ulong)(shift >= 0 ? shift * i : -shift * (n - i)));
    fmpz_poly_set_coeff_fmpz(line, 1, width);
    fmpz_poly_set_coeff_fmpz(line, 0, low);
    fmpz_poly_compose(p, p, line);
    const bool one = variations(p) == 1;
    fmpz_poly_clear(line);
    fmpz_poly_clear(p);
    fmpz_clear(e);
    fmpz_clear(width);
    fmpz_clear(low);
    return one;
}

/* Finds the roots of p in (0, 1), which stand for those in sign (c 2^e, (c+1) 2^e).
 * Ends: once a disc about the interval holds one root at most, the variations are 0 or 1. */
static void
isolate(isolation *s, fmpz_poly_t p, const fmpz_t c, slong e)
{
    const slong v = variations(p), n = fmpz_poly_degree(p);
    if (v == 0)
        return;
    if (v == 1) {
        add_root(s, c, e);
        return;
    }
    fmpz_t d;
    fmpz_init(d);
    for (slong i = 0; i <= n; i++)
        fmpz_mul_2exp(p->coeffs + i, p->coeffs + i, (ulong)(n - i));
    fmpz_poly_primitive_part(p, p);
    fmpz_poly_t right;
    fmpz_poly_init(right);
    fmpz_poly_taylor_shift(right, p, (const fmpz[]){1});
    fmpz_mul_2exp(d, c, 1);
    isolate(s, p, d, e - 1);
    fmpz_add_ui(d, d, 1);
    isolate(s, right, d, e - 1);
    fmpz_poly_clear(right);
    fmpz_clear(d);
}

static void
roots_of_factor(isolation *s)
{
    fmpz_poly_t p;
    fmpz_t zero;
    fmpz_init(zero);
    fmpz_poly_init(p);
    fmpz_poly_bound_roots(zero, s->f);
    const slong e = (slong)fmpz_bits(zero);
    fmpz_zero(zero);
    for (s->sign = 1; s->sign >= -1; s->sign -= 2) {
        fmpz_poly_set(p, s->f);
        for (slong i = 0; i < fmpz_poly_length(p); i++) {
            fmpz_mul_2exp(p->coeffs + i, p->coeffs + i, (ulong)(e * i));
            if (s->sign < 0 && i % 2 == 1)
                fmpz_neg(p->coeffs + i, p->coeffs + i);
        }
        isolate(s, p, zero, e);
    }
    fmpz_poly_clear(p);
    fmpz_clear(zero);
}

slong
field_real_roots(qqbar_ptr r, const fmpz_poly_t g)
{
    fmpz_poly_factor_t fac;
    isolation s = {.roots = r};
    fmpz_poly_factor_init(fac);
    fmpz_poly_factor(fac, g);
    for (slong i = 0; i < fac->num; i++) {
        s.f = fac->p + i;
        if (fmpz_poly_degree(s.f) == 1)
            field_num_set_root(r + s.n++, s.f, 1, NULL, NULL);
        else
            roots_of_factor(&s);
    }
    fmpz_poly_factor_clear(fac);
    return s.n;
}
