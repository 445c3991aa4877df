/* Arithmetic of the number parser. */
#include "value.h"

#define POLY_DEGREE 128 /* in root(...) */
#define ROOT_WORK 60000 /* degree squared times bits of a polynomial in root(...) */
#define POWER_BITS                                                                       \
    2000000 /* of a power of a rational number or in a known field, roughly */
#define POWER_WORK 20000 /* of a power outside of a known field: bits times degree */

void
value_init(value *v, const ckda_field_struct *K)
{
    v->kind = VALUE_POLY;
    fmpq_poly_init(v->poly);
    qqbar_init(v->num);
    if (K != NULL)
        ckda_elem_init(v->elem, K);
}

void
value_clear(value *v, const ckda_field_struct *K)
{
    if (K != NULL)
        ckda_elem_clear(v->elem, K);
    qqbar_clear(v->num);
    fmpq_poly_clear(v->poly);
}

bool
value_is_rational(const value *v)
{
    return v->kind == VALUE_POLY && fmpq_poly_length(v->poly) <= 1;
}

static void
promote_once(value *v, const ckda_field_struct *K)
{
    if (v->kind == VALUE_ELEM) {
        ckda_elem_get_qqbar(v->num, v->elem, K);
        v->kind = VALUE_QQBAR;
        return;
    }
    ckda_require(value_is_rational(v), "a symbol got out of its brackets");
    fmpq_t q;
    fmpq_init(q);
    fmpq_poly_get_coeff_fmpq(q, v->poly, 0);
    if (K != NULL) {
        ckda_elem_set_fmpq(v->elem, q, K);
        v->kind = VALUE_ELEM;
    } else {
        qqbar_set_fmpq(v->num, q);
        v->kind = VALUE_QQBAR;
    }
    fmpq_clear(q);
}

void
value_promote(value *v, value_kind kind, const ckda_field_struct *K)
{
    while (v->kind < kind)
        promote_once(v, K);
}

ckda_status
value_settle(value *v, const ckda_field_struct *K)
{
    if (v->kind != VALUE_QQBAR)
        return CKDA_OK;
    if (qqbar_is_rational(v->num)) {
        fmpq_t q;
        fmpq_init(q);
        qqbar_get_fmpq(q, v->num);
        fmpq_poly_set_fmpq(v->poly, q);
        fmpq_clear(q);
        v->kind = VALUE_POLY;
        return CKDA_OK;
    }
    if (K == NULL)
        return CKDA_E_DOMAIN;
    ckda_status st = ckda_elem_set_qqbar(v->elem, v->num, K);
    if (st == CKDA_OK)
        v->kind = VALUE_ELEM;
    return st;
}

/* Bits of one coefficient of f, times the number of coefficients. */
static double
poly_bits(const fmpq_poly_t f)
{
    const slong bits = FLINT_ABS(_fmpz_vec_max_bits(f->coeffs, f->length));
    return (double)(bits + (slong)fmpz_bits(f->den)) * (double)f->length;
}

static const char *
poly_op(fmpq_poly_t x, char op, const fmpq_poly_t y)
{
    if (poly_bits(x) + poly_bits(y) > RATIONAL_BITS)
        return TOO_LARGE;
    if (op == '+') {
        fmpq_poly_add(x, x, y);
    } else if (op == '-') {
        fmpq_poly_sub(x, x, y);
    } else if (op == '*') {
        if (fmpq_poly_degree(x) + fmpq_poly_degree(y) > POLY_DEGREE)
            return "the degree of this polynomial is above 128";
        fmpq_poly_mul(x, x, y);
    } else if (fmpq_poly_is_zero(y)) {
        return "division by zero";
    } else if (fmpq_poly_degree(y) > 0) {
        return "expected a rational number as divisor";
    } else {
        fmpq_poly_div(x, x, y);
    }
    return NULL;
}

const char *
value_elem_op(ckda_elem_t x, char op, const ckda_elem_t y, const ckda_field_struct *K)
{
    if (op == '+')
        ckda_elem_add(x, x, y, K);
    else if (op == '-')
        ckda_elem_sub(x, x, y, K);
    else if (op == '*')
        ckda_elem_mul(x, x, y, K);
    else if (ckda_elem_div(x, x, y, K) != CKDA_OK)
        return "division by zero";
    return NULL;
}

const char *
value_op(value *x, char op, value *y, const ckda_field_struct *K)
{
    value_kind kind = x->kind > y->kind ? x->kind : y->kind;
    value_promote(x, kind, K);
    value_promote(y, kind, K);
    if (kind == VALUE_POLY)
        return poly_op(x->poly, op, y->poly);
    if (kind == VALUE_ELEM)
        return value_elem_op(x->elem, op, y->elem, K);
    const char *error = value_num_op(x->num, op, y->num);
    if (error == NULL && qqbar_is_rational(x->num))
        (void)value_settle(x, K);
    return error;
}

void
value_neg(value *x, const ckda_field_struct *K)
{
    if (x->kind == VALUE_POLY)
        fmpq_poly_neg(x->poly, x->poly);
    else if (x->kind == VALUE_ELEM)
        ckda_elem_neg(x->elem, x->elem, K);
    else
        qqbar_neg(x->num, x->num);
}

/* Bits of one coefficient of x, times the number of coefficients. */
static double
size_bits(const value *x, const ckda_field_struct *K)
{
    if (x->kind == VALUE_QQBAR)
        return (double)qqbar_height_bits(x->num) * (double)qqbar_degree(x->num);
    fmpq_poly_t f;
    fmpq_poly_init(f);
    if (x->kind == VALUE_ELEM)
        ckda_elem_get_fmpq_poly(f, x->elem, K);
    else
        fmpq_poly_set(f, x->poly);
    const double size = poly_bits(f);
    fmpq_poly_clear(f);
    return size;
}

static const char *
invert(value *x, const ckda_field_struct *K)
{
    value one;
    value_init(&one, K);
    fmpq_poly_one(one.poly);
    const char *error = value_op(&one, '/', x, K);
    value t = *x;
    *x = one;
    value_clear(&t, K);
    return error;
}

const char *
value_pow(value *x, slong e, const ckda_field_struct *K)
{
    if (e < 0) {
        const char *error = invert(x, K);
        if (error != NULL)
            return error;
        e = -e;
    }
    bool symbol = x->kind == VALUE_POLY && fmpq_poly_degree(x->poly) > 0;
    if (symbol && fmpq_poly_degree(x->poly) * e > POLY_DEGREE)
        return "the degree of this polynomial is above 128";
    const bool outside = x->kind == VALUE_QQBAR;
    if (size_bits(x, K) * (double)e > (outside ? POWER_WORK : POWER_BITS))
        return TOO_LARGE;
    if (x->kind == VALUE_POLY)
        fmpq_poly_pow(x->poly, x->poly, (ulong)e);
    else if (x->kind == VALUE_ELEM)
        ckda_elem_pow_ui(x->elem, x->elem, (ulong)e, K);
    else
        value_num_pow(x->num, (ulong)e);
    (void)value_settle(x, NULL);
    return NULL;
}

const char *
value_sqrt(value *x, const ckda_field_struct *K)
{
    value_promote(x, VALUE_QQBAR, K);
    const char *error = value_num_sqrt(x->num);
    if (error == NULL)
        (void)value_settle(x, K);
    return error;
}

const char *
value_trig(value *x, bool sine, const fmpq_t turns, const ckda_field_struct *K)
{
    fmpz_t num, den;
    fmpz_init(num);
    fmpz_init(den);
    fmpz_mul_ui(den, fmpq_denref(turns), 2);
    fmpz_fdiv_r(num, fmpq_numref(turns), den); /* turns modulo 2 */
    const char *error = NULL;
    if (fmpz_cmp_ui(den, 8 * QQBAR_DEGREE) > 0) {
        error = "the denominator of this angle is above 512";
    } else {
        slong k = fmpz_get_si(num);
        ulong N = fmpz_get_ui(den);
        ckda_status st = CKDA_E_DOMAIN;
        if (K != NULL)
            st = sine ? ckda_elem_set_sin(x->elem, k, N, K)
                      : ckda_elem_set_cos(x->elem, k, N, K);
        if (st == CKDA_OK) {
            x->kind = VALUE_ELEM;
        } else {
            if (sine)
                qqbar_sin_pi(x->num, k, N / 2);
            else
                qqbar_cos_pi(x->num, k, N / 2);
            x->kind = VALUE_QQBAR;
            (void)value_settle(x, K);
        }
    }
    fmpz_clear(den);
    fmpz_clear(num);
    return error;
}

/* The different real roots of the square-free f, in ascending order; returns how many. */
static slong
real_roots(qqbar_ptr r, const fmpz_poly_t f)
{
    const slong n = field_real_roots(r, f);
    for (slong i = 1; i < n; i++)
        for (slong j = i; j > 0 && field_num_cmp(r + j - 1, r + j) > 0; j--)
            qqbar_swap(r + j - 1, r + j);
    return n;
}

/* y = q - x. */
static void
reflect(qqbar_t y, const qqbar_t x, const fmpq_t q)
{
    if (qqbar_is_rational(x)) {
        qqbar_fmpq_sub(y, q, x);
        return;
    }
    fmpq_t p;
    fmpq_init(p);
    fmpq_set_si(p, -1, 1);
    field_num_affine(y, x, p, q);
    fmpq_clear(p);
}

/* x = the r[i] nearest to hint; n >= 1. */
static const char *
nearest(qqbar_t x, qqbar_ptr r, slong n, const fmpq_t hint)
{
    qqbar_t t;
    slong right = 0;
    const char *error = NULL;
    qqbar_init(t);
    qqbar_set_fmpq(t, hint);
    while (right < n && field_num_cmp(r + right, t) < 0)
        right++;
    slong pick = right == n ? n - 1 : right;
    if (right > 0 && right < n) {
        /* left is nearer iff hint - left < right - hint, iff 2 hint - left < right. */
        fmpq_t twice;
        fmpq_init(twice);
        fmpq_mul_2exp(twice, hint, 1);
        reflect(t, r + right - 1, twice);
        int c = field_num_cmp(t, r + right);
        if (c < 0)
            pick = right - 1;
        else if (c == 0)
            error = "two real roots of this polynomial are equally near to the hint";
        fmpq_clear(twice);
    }
    qqbar_set(x, r + pick);
    qqbar_clear(t);
    return error;
}

const char *
value_root(value *x, const fmpq_poly_t f, const fmpq_t hint, const ckda_field_struct *K)
{
    if (fmpq_poly_degree(f) < 1)
        return "expected a polynomial of degree at least 1 in root()";
    const char *error = NULL;
    fmpz_poly_t g, h;
    fmpz_poly_init(g);
    fmpz_poly_init(h);
    fmpq_poly_get_numerator(g, f);
    fmpz_poly_derivative(h, g);
    fmpz_poly_gcd(h, g, h);
    fmpz_poly_div(g, g, h); /* the square-free part, up to a constant */
    fmpz_poly_primitive_part(g, g);
    slong degree = fmpz_poly_degree(g);
    const double bits = (double)FLINT_ABS(fmpz_poly_max_bits(g));
    if (bits * (double)degree * (double)degree > ROOT_WORK) {
        fmpz_poly_clear(h);
        fmpz_poly_clear(g);
        return TOO_LARGE;
    }
    qqbar_ptr r = _qqbar_vec_init(degree);
    slong n = real_roots(r, g);
    if (n == 0)
        error = "this polynomial has no real root";
    else
        error = nearest(x->num, r, n, hint);
    _qqbar_vec_clear(r, degree);
    fmpz_poly_clear(h);
    fmpz_poly_clear(g);
    x->kind = VALUE_QQBAR;
    (void)value_settle(x, K);
    return error;
}
