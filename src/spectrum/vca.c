/* Real roots of integer polynomials by Descartes' rule of signs and bisection
 * (Vincent, Collins, Akritas).
 *
 * The number of sign variations of (1+x)^n f(1/(1+x)) bounds the number of roots of f in
 * (0, 1) from above with even excess, so 0 and 1 are exact.  Otherwise the interval is
 * halved.  For a square-free f this ends: once the interval is short against the distance
 * of the roots, the count is 0 or 1 (Obreschkoff's discs).                            */
#include "internal.h"

static slong
sign_variations(const fmpz_poly_t f)
{
    slong var = 0;
    int last = 0;

    for (slong i = 0; i < fmpz_poly_length(f); i++) {
        int s = fmpz_sgn(fmpz_poly_get_coeff_ptr(f, i));

        var += s != 0 && last != 0 && s != last;
        last = s != 0 ? s : last;
    }
    return var;
}

static void
shift_by_one(fmpz_poly_t g, const fmpz_poly_t f)
{
    fmpz_t one;

    fmpz_init_set_ui(one, 1);
    fmpz_poly_taylor_shift(g, f, one);
    fmpz_clear(one);
}

static slong
descartes_bound_unit(const fmpz_poly_t f)
{
    fmpz_poly_t g;
    slong var;

    fmpz_poly_init(g);
    fmpz_poly_reverse(g, f, fmpz_poly_length(f));
    shift_by_one(g, g);
    var = sign_variations(g);
    fmpz_poly_clear(g);
    return var;
}

/* f(x) becomes 2^(kn) f(x / 2^k), without its content: roots are multiplied by 2^k. */
static void
scale_roots(fmpz_poly_t f, slong k)
{
    slong n = fmpz_poly_degree(f);
    bool negative = n >= 0 && fmpz_sgn(fmpz_poly_lead(f)) < 0;

    for (slong i = 0; i <= n; i++) {
        fmpz *c = fmpz_poly_get_coeff_ptr(f, i);

        fmpz_mul_2exp(c, c, (ulong)(k >= 0 ? k * (n - i) : -k * i));
    }
    fmpz_poly_primitive_part(f, f);
    if (negative)
        fmpz_poly_neg(f, f);
}

typedef struct {
    fmpz_poly_struct *f;
    slong n, alloc;
} stack;

static void
push(stack *s, const fmpz_poly_t f)
{
    if (s->n == s->alloc) {
        s->alloc = 2 * s->alloc + 8;
        s->f = flint_realloc(s->f, (size_t)s->alloc * sizeof *s->f);
    }
    fmpz_poly_init(s->f + s->n);
    fmpz_poly_set(s->f + s->n, f);
    s->n++;
}

static void
pop(fmpz_poly_t f, stack *s)
{
    s->n--;
    fmpz_poly_swap(f, s->f + s->n);
    fmpz_poly_clear(s->f + s->n);
}

slong
ckda_spectrum_vca_unit(const fmpz_poly_t f)
{
    stack todo = {NULL, 0, 0};
    slong count = 0;
    fmpz_poly_t g;

    fmpz_poly_init(g);
    push(&todo, f);
    while (todo.n > 0) {
        slong var;

        pop(g, &todo);
        if (fmpz_poly_degree(g) < 1)
            continue;
        var = descartes_bound_unit(g);
        if (var <= 1) {
            count += var;
            continue;
        }
        scale_roots(g, 1); /* the halves are now (0, 1) and (1, 2) */
        push(&todo, g);
        shift_by_one(g, g);
        if (fmpz_is_zero(fmpz_poly_get_coeff_ptr(g, 0))) {
            count++; /* the midpoint is a root */
            fmpz_poly_shift_right(g, g, 1);
        }
        push(&todo, g);
    }
    fmpz_poly_clear(g);
    flint_free(todo.f);
    return count;
}

/* Smallest easily seen k with all roots in |x| < 2^k: Fujiwara's 2 max
 * |a_{n-i}/a_n|^(1/i) with the quotient bounded by bit lengths. */
static slong
root_bound_exp(const fmpz_poly_t f)
{
    slong n = fmpz_poly_degree(f), best = WORD_MIN;
    slong top = (slong)fmpz_bits(fmpz_poly_lead(f));

    for (slong i = 1; i <= n; i++) {
        const fmpz *c = fmpz_poly_get_coeff_ptr(f, n - i);
        slong e = (slong)fmpz_bits(c) - top + 1;
        slong up = e >= 0 ? (e + i - 1) / i : -(-e / i); /* ceil(e / i) */

        if (!fmpz_is_zero(c) && up > best)
            best = up;
    }
    return best == WORD_MIN ? 0 : best + 1;
}

/* Positive roots of a square-free f with f(0) != 0. */
static slong
positive_roots(const fmpz_poly_t f)
{
    fmpz_poly_t g;
    slong count;

    if (sign_variations(f) == 0)
        return 0;
    fmpz_poly_init(g);
    fmpz_poly_set(g, f);
    scale_roots(g, -root_bound_exp(g));
    count = ckda_spectrum_vca_unit(g);
    fmpz_poly_clear(g);
    return count;
}

slong
ckda_fmpz_poly_real_roots_vca(const fmpz_poly_t f)
{
    slong count = 0;
    fmpz_poly_t g, d;

    ckda_require(!fmpz_poly_is_zero(f), "the zero polynomial");
    fmpz_poly_init(g);
    fmpz_poly_init(d);
    fmpz_poly_primitive_part(g, f);
    fmpz_poly_derivative(d, g);
    fmpz_poly_gcd(d, g, d);
    fmpz_poly_div(g, g, d);
    if (fmpz_is_zero(fmpz_poly_get_coeff_ptr(g, 0))) {
        count++;
        fmpz_poly_shift_right(g, g, 1);
    }
    count += positive_roots(g);
    for (slong i = 1; i < fmpz_poly_length(g); i += 2)
        fmpz_neg(fmpz_poly_get_coeff_ptr(g, i), fmpz_poly_get_coeff_ptr(g, i));
    count += positive_roots(g);
    fmpz_poly_clear(d);
    fmpz_poly_clear(g);
    return count;
}

ckda_status
ckda_poly_real_roots_vca(slong *count, const ckda_poly_t f, const ckda_field_t K)
{
    ckda_status st = CKDA_E_DOMAIN;
    fmpz_poly_t g;

    fmpz_poly_init(g);
    if (ckda_spectrum_get_fmpz_poly(g, f, K)) {
        *count = ckda_fmpz_poly_real_roots_vca(g);
        st = CKDA_OK;
    }
    fmpz_poly_clear(g);
    return st;
}
