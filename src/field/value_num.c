/* Arithmetic of the number parser outside of a known field.
 *
 * Real numbers are calculated with by algebraic.c.  The others, which appear on the way to
 * a real one at most, are left to qqbar and its isolation of all roots of a polynomial:
 * their limits are lower. */
#include "value.h"

#define PRODUCT_DEGREE 600 /* of the degrees of two numbers that meet */
#define FIELD_FIRST 64     /* from here on a common field is looked for first */
#define FIELD_DEGREE 48    /* up to this degree */
#define FIELD_WORK 192000  /* degree times bits of the larger polynomial, roughly */
#define OP_WORK 40000 /* degree times bits of the polynomial that a sum is a root of */
#define SHIFT_WORK 1000000    /* the same where one of the two numbers is rational */
#define LARGE_BITS 400        /* for numbers that are not real: from here on */
#define LARGE_WORK 16000      /* degree times bits, and */
#define LARGE_SHIFT_WORK 5000 /* where one of the two is rational */

/* Bits of the coefficients of the polynomial that a sum of x and y is a root of. */
static double
op_bits(const qqbar_t x, const qqbar_t y)
{
    return (double)qqbar_height_bits(x) * (double)qqbar_degree(y)
           + (double)qqbar_height_bits(y) * (double)qqbar_degree(x);
}

/* y = x - shift with the mean of its conjugates at 0, if that makes its polynomial
 * smaller; otherwise shift = 0. */
static void
centre(qqbar_t y, fmpq_t shift, const qqbar_t x)
{
    const slong d = qqbar_degree(x);
    fmpq_t one, back;
    fmpz_t degree;
    fmpq_init(one);
    fmpq_init(back);
    fmpz_init_set_si(degree, d);
    fmpq_one(one);
    fmpq_set_fmpz_frac(back, QQBAR_COEFFS(x) + d - 1, QQBAR_COEFFS(x) + d);
    fmpq_div_fmpz(back, back, degree);
    fmpq_neg(shift, back);
    field_num_affine(y, x, one, back);
    if (qqbar_height_bits(y) >= qqbar_height_bits(x)) {
        qqbar_set(y, x);
        fmpq_zero(shift);
    }
    fmpz_clear(degree);
    fmpq_clear(back);
    fmpq_clear(one);
}

static void
add_rational(ckda_elem_t x, const fmpq_t q, const ckda_field_t K)
{
    ckda_elem_t t;
    ckda_elem_init(t, K);
    ckda_elem_set_fmpq(t, q, K);
    ckda_elem_add(x, x, t, K);
    ckda_elem_clear(t, K);
}

/* x = x op y for (u[0] + shift[0]) op (u[1] + shift[1]) inside Q(u), if that is Q(u[0]) or
 * Q(u[1]). */
static bool
op_of_centred(qqbar_t x, char op, const qqbar_struct *u, const fmpq *shift)
{
    ckda_field_t L;
    ckda_elem_struct e[2];
    const slong degree = FLINT_MAX(qqbar_degree(u), qqbar_degree(u + 1));
    if (op_bits(u, u + 1) * (double)degree > FIELD_WORK
        || ckda_field_init_numbers(L, e, u, 2, degree) != CKDA_OK)
        return false;
    add_rational(e, shift, L);
    add_rational(e + 1, shift + 1, L);
    const bool done = value_elem_op(e, op, e + 1, L) == NULL;
    if (done)
        ckda_elem_get_qqbar(x, e, L);
    ckda_elem_clear(e, L);
    ckda_elem_clear(e + 1, L);
    ckda_field_clear(L);
    return done;
}

/* x = x op y inside Q(x, y), if that is Q(x) or Q(y): then no resultant is needed. */
static bool
op_in_field(qqbar_t x, char op, const qqbar_t y)
{
    qqbar_struct u[2];
    fmpq shift[2];
    qqbar_init(u);
    qqbar_init(u + 1);
    fmpq_init(shift);
    fmpq_init(shift + 1);
    centre(u, shift, x);
    centre(u + 1, shift + 1, y);
    const bool done = op_of_centred(x, op, u, shift);
    fmpq_clear(shift + 1);
    fmpq_clear(shift);
    qqbar_clear(u + 1);
    qqbar_clear(u);
    return done;
}

static void
plain_op(qqbar_t x, char op, const qqbar_t y)
{
    if (op == '+')
        qqbar_add(x, x, y);
    else if (op == '-')
        qqbar_sub(x, x, y);
    else if (op == '*')
        qqbar_mul(x, x, y);
    else
        qqbar_div(x, x, y);
}

/* At least one of the two is not real. */
static const char *
complex_op(qqbar_t x, char op, const qqbar_t y)
{
    const double bits = op_bits(x, y);
    const double work = bits * (double)qqbar_degree(x) * (double)qqbar_degree(y);
    const bool rational = qqbar_is_rational(x) || qqbar_is_rational(y);
    if (!rational && work > OP_WORK)
        return TOO_LARGE;
    if (bits > LARGE_BITS && work > (rational ? LARGE_SHIFT_WORK : LARGE_WORK))
        return TOO_LARGE;
    plain_op(x, op, y);
    return NULL;
}

/* z = x op q for an irrational x, or q op x where swapped. */
static void
affine_op(qqbar_t z, const qqbar_t x, char op, const fmpq_t q, bool swapped)
{
    fmpq_t p, r;
    fmpq_init(p);
    fmpq_init(r);
    fmpq_one(p);
    if (op == '+') {
        fmpq_set(r, q);
    } else if (op == '-') {
        fmpq_set_si(p, swapped ? -1 : 1, 1);
        fmpq_set(r, q);
        if (!swapped)
            fmpq_neg(r, r);
    } else if (op == '/' && !swapped) {
        fmpq_inv(p, q);
    } else {
        fmpq_set(p, q);
    }
    if (fmpq_is_zero(p)) {
        qqbar_zero(z);
    } else if (op == '/' && swapped) {
        field_num_inv(z, x);
        field_num_affine(z, z, p, r);
    } else {
        field_num_affine(z, x, p, r);
    }
    fmpq_clear(r);
    fmpq_clear(p);
}

/* One of the two is rational, the other one real. */
static const char *
rational_op(qqbar_t x, char op, const qqbar_t y)
{
    const bool swapped = qqbar_is_rational(x);
    const slong degree = swapped ? qqbar_degree(y) : qqbar_degree(x);
    if (op_bits(x, y) * (double)degree > SHIFT_WORK)
        return TOO_LARGE;
    fmpq_t q;
    fmpq_init(q);
    qqbar_get_fmpq(q, swapped ? x : y);
    affine_op(x, swapped ? y : x, op, q, swapped);
    fmpq_clear(q);
    return NULL;
}

static const char *
real_op(qqbar_t x, char op, const qqbar_t y)
{
    const slong dx = qqbar_degree(x), dy = qqbar_degree(y), product = dx * dy;
    const double bits = op_bits(x, y);
    if (product >= FIELD_FIRST && dx <= FIELD_DEGREE && dy <= FIELD_DEGREE
        && op_in_field(x, op, y))
        return NULL;
    if (product > PRODUCT_DEGREE || bits * (double)product > OP_WORK)
        return TOO_LARGE;
    field_num_op(x, x, op, y);
    return NULL;
}

const char *
value_num_op(qqbar_t x, char op, const qqbar_t y)
{
    if (op == '/' && qqbar_is_zero(y))
        return "division by zero";
    if (op_bits(x, y) > RATIONAL_BITS)
        return TOO_LARGE;
    if (qqbar_is_rational(x) && qqbar_is_rational(y)) {
        plain_op(x, op, y);
        return NULL;
    }
    if (!field_num_is_real(x) || !field_num_is_real(y))
        return complex_op(x, op, y);
    return qqbar_is_rational(x) || qqbar_is_rational(y) ? rational_op(x, op, y)
                                                        : real_op(x, op, y);
}

void
value_num_pow(qqbar_t x, ulong e)
{
    if (e == 0)
        qqbar_one(x);
    else if (qqbar_is_rational(x) || !field_num_is_real(x))
        qqbar_pow_ui(x, x, e);
    else
        field_num_pow(x, x, e);
}

const char *
value_num_sqrt(qqbar_t x)
{
    if (qqbar_degree(x) > QQBAR_DEGREE / 2)
        return TOO_LARGE;
    if (qqbar_is_rational(x) || !field_num_is_real(x))
        qqbar_sqrt(x, x);
    else
        field_num_sqrt(x, x);
    return NULL;
}
