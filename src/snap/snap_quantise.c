/* Q on the distinct entries of the columns: exact, by doubles where they suffice. */
#include "snap_internal.h"

#include <math.h>

/* ---- doubles ------------------------------------------------------------------------ */

double
ckda_snap_near(const ckda_elem_t x, const ckda_field_t K)
{
    arb_t ball;
    arb_init(ball);
    ckda_elem_get_arb(ball, x, K, 80);
    const double d = arf_get_d(arb_midref(ball), ARF_RND_NEAR);
    arb_clear(ball);
    return d;
}

void
ckda_snap_fmpq_of_double(fmpq_t q, double x)
{
    mpq_t m;
    mpq_init(m);
    mpq_set_d(m, x);
    fmpq_set_mpq(q, m);
    mpq_clear(m);
}

void
ckda_snap_elem_of_double(ckda_elem_t y, double x, const ckda_field_t K)
{
    fmpq_t q;
    fmpq_init(q);
    ckda_snap_fmpq_of_double(q, x);
    ckda_elem_set_fmpq(y, q, K);
    fmpq_clear(q);
}

/* ---- quantisers ----------------------------------------------------------------------- */

ckda_quantiser
ckda_quantiser_grid(int64_t c)
{
    return (ckda_quantiser){.grid = c, .scale = {c, 1}};
}

ckda_status
ckda_quantiser_of(ckda_quantiser *q, const ckda_arith *a, ckda_error *err)
{
    if (a->store != CKDA_FP_RNE) {
        ckda_error_set(err, "the SNAP theorem is for stores that round to nearest");
        return CKDA_E_INPUT;
    }
    if (a->grid == 0 && a->state->precision > 24) {
        ckda_error_set(err,
                       "the SNAP theorem is offered for states of at most 24 bits, "
                       "not %s",
                       a->state->name);
        return CKDA_E_INPUT;
    }
    *q = (ckda_quantiser){.grid = a->grid,
                          .state = a->grid == 0 ? a->state : NULL,
                          .has_flush = a->has_flush,
                          .flush = a->flush,
                          .scale = ckda_arith_initial(a)};
    return CKDA_OK;
}

/* ---- grids --------------------------------------------------------------------------- */

static double
even_next_to(const fmpq_t x)
{
    fmpz_t n;
    fmpq_t one;
    fmpz_init(n);
    fmpq_init(one);
    fmpq_one(one);
    ckda_fp_grid_fmpq(n, x, one, CKDA_FP_RNE);
    const double q = fmpz_get_d(n);
    fmpq_clear(one);
    fmpz_clear(n);
    return q;
}

/* The integer next to x.  An irrational x lies on no boundary, so the loop ends. */
static double
grid_exact(const ckda_elem_t x, const ckda_field_t K)
{
    if (ckda_elem_is_rational(x, K)) {
        fmpq_poly_t f;
        fmpq_t q;
        fmpq_poly_init(f);
        fmpq_init(q);
        ckda_elem_get_fmpq_poly(f, x, K);
        fmpq_poly_get_coeff_fmpq(q, f, 0);
        const double n = even_next_to(q);
        fmpq_clear(q);
        fmpq_poly_clear(f);
        return n;
    }
    arb_t ball, half;
    fmpz_t n;
    arb_init(ball);
    arb_init(half);
    fmpz_init(n);
    arb_set_d(half, 0.5);
    for (slong prec = 128;; prec *= 2) {
        ckda_elem_get_arb(ball, x, K, prec);
        arb_add(ball, ball, half, prec);
        arb_floor(ball, ball, prec);
        if (arb_get_unique_fmpz(n, ball))
            break;
    }
    const double q = fmpz_get_d(n);
    fmpz_clear(n);
    arb_clear(half);
    arb_clear(ball);
    return q;
}

static void
scaled(ckda_elem_t y, const ckda_elem_t x, ckda_ratio scale, const ckda_field_t K)
{
    ckda_elem_t s;
    ckda_elem_init(s, K);
    ckda_elem_set_frac(s, scale.p, scale.q, K);
    ckda_elem_mul(y, x, s, K);
    ckda_elem_clear(s, K);
}

/* Doubles decide unless s x lies within their error of a half-integer. */
static double
grid_value(const ckda_elem_t x, double near, ckda_ratio scale, const ckda_field_t K)
{
    const double s = (double)scale.p / (double)scale.q, y = s * near, n = rint(y);
    if (fabs(fabs(y - n) - 0.5) > 0x1p-48 * (s + 1))
        return n;
    ckda_elem_t z;
    ckda_elem_init(z, K);
    scaled(z, x, scale, K);
    const double q = grid_exact(z, K);
    ckda_elem_clear(z, K);
    return q;
}

/* ---- formats ------------------------------------------------------------------------- */

static ckda_fp_rule
rule_of(const ckda_quantiser *Q)
{
    return (ckda_fp_rule){.direction = CKDA_FP_RNE,
                          .flush = Q->has_flush ? CKDA_FP_FLUSH_AFTER : CKDA_FP_NO_FLUSH,
                          .flush_exp = Q->has_flush ? -Q->flush : 0,
                          .plus_zero = true};
}

/* Irrational numbers are no boundaries, so the loop ends; 2^-k with k far below the format
 * is decided like any other. */
static uint64_t
format_exact(const ckda_elem_t x, const ckda_quantiser *Q, const ckda_field_t K)
{
    const ckda_fp_rule rule = rule_of(Q);
    uint64_t bits = 0;
    if (ckda_elem_is_rational(x, K)) {
        fmpq_poly_t f;
        fmpq_t q;
        fmpq_poly_init(f);
        fmpq_init(q);
        ckda_elem_get_fmpq_poly(f, x, K);
        fmpq_poly_get_coeff_fmpq(q, f, 0);
        bits = ckda_fp_from_fmpq(q, Q->state, &rule);
        fmpq_clear(q);
        fmpq_poly_clear(f);
        return bits;
    }
    arb_t ball;
    arb_init(ball);
    slong prec = 128;
    ckda_elem_get_arb(ball, x, K, prec);
    while (ckda_fp_from_arb(&bits, ball, Q->state, &rule) != CKDA_OK) {
        prec *= 2;
        ckda_elem_get_arb(ball, x, K, prec);
    }
    arb_clear(ball);
    return bits;
}

/* Half way from the value to its neighbour away from zero, as a distance: exact, for formats
 * of at most 24 bits. */
static double
half_step(uint64_t bits, const ckda_fp_format *f)
{
    return (ckda_fp_get_double(ckda_fp_next_up(bits, f), f) - ckda_fp_get_double(bits, f))
           / 2;
}

/* The cell of the value `bits` >= 0: what is rounded to it, then flushed, lies between
 * q - low and q + high. */
static void
format_cell(double *low, double *high, uint64_t bits, const ckda_quantiser *Q)
{
    const ckda_fp_format *f = Q->state;
    const double q = ckda_fp_get_double(bits, f);
    double least = ckda_fp_get_double(ckda_fp_smallest_subnormal(f), f);
    uint64_t first = ckda_fp_smallest_subnormal(f);
    if (Q->has_flush && -Q->flush > f->emin - f->precision + 1) {
        first = ckda_fp_from_dyadic(1, -Q->flush, f, &ckda_fp_rne);
        least = ckda_fp_get_double(first, f);
    }
    /* the boundary between 0 and the least value that is kept */
    const uint64_t below = ckda_fp_next_down(first, f);
    const double edge = (least + ckda_fp_get_double(below, f)) / 2;
    if (q == 0) {
        *low = *high = edge;
        return;
    }
    *high = half_step(bits, f);
    *low = half_step(ckda_fp_next_down(bits, f), f);
    ckda_require(q >= least, "a flushed value");
}

static ckda_status
format_value(double *q, double *low, double *high, const ckda_elem_t x,
             const ckda_quantiser *Q, const ckda_field_t K, ckda_error *err)
{
    ckda_elem_t y;
    ckda_elem_init(y, K);
    scaled(y, x, Q->scale, K);
    const uint64_t bits = format_exact(y, Q, K);
    ckda_elem_clear(y, K);
    const uint64_t size = bits & ~Q->state->sign;
    /* the neighbour above must be there too */
    if (!ckda_fp_is_finite(size, Q->state) || size == Q->state->largest) {
        ckda_error_set(err, "an entry overflows %s", Q->state->name);
        return CKDA_E_DOMAIN;
    }
    *q = ckda_fp_get_double(bits, Q->state);
    format_cell(low, high, size, Q);
    if (*q < 0) {
        const double swap = *low;
        *low = *high;
        *high = swap;
    }
    return CKDA_OK;
}

/* ---- tables -------------------------------------------------------------------------- */

void
ckda_quantised_columns(ckda_quantised *z, const ckda_snap_t s)
{
    double most = 0;
    z->largest = 0;
    for (uint32_t i = 0; i < z->nvalues; i++) {
        z->largest = fmax(z->largest, fabs(z->q[i]));
        z->largest = fmax(z->largest, fmax(z->low[i], z->high[i]));
    }
    for (uint32_t v = 0; v < s->ncolumns; v++) {
        double sum = 0, squares = 0;
        for (slong i = 0; i < z->n; i++) {
            const double q = z->q[s->column[(slong)v * z->n + i]];
            z->column[(slong)v * z->n + i] = q;
            sum += fabs(q);
            squares += q * q;
        }
        z->norm[v] = sqrt(squares);
        most = fmax(most, sum);
    }
    /* sum |x_j - near| |q_j| <= 2^-52 sum |q|; n products and n + 1 sums of terms that add
     * up to at most sum |q| + largest, each within 2^-53; one more for the cell */
    z->error = (double)(z->n + 4) * 0x1p-52 * (most + 2 * z->largest);
}

static ckda_status
set_cells(ckda_quantised *z, const ckda_snap_t s, const ckda_quantiser *Q,
          ckda_error *err)
{
    const ckda_field_struct *K = s->tracker->c->K;
    for (uint32_t i = 0; i < z->nvalues; i++) {
        if (Q->grid > 0) {
            z->q[i] = grid_value(&s->value[i], s->value_near[i], Q->scale, K);
            z->low[i] = z->high[i] = 0.5;
            continue;
        }
        const ckda_status st =
            format_value(&z->q[i], &z->low[i], &z->high[i], &s->value[i], Q, K, err);
        if (st != CKDA_OK)
            return st;
    }
    return CKDA_OK;
}

ckda_status
ckda_quantised_init(ckda_quantised *z, const ckda_snap_t s, const ckda_quantiser *Q,
                    ckda_error *err)
{
    if (Q->grid > 0 && (double)Q->scale.p > 0x1p22 * (double)Q->scale.q) {
        ckda_error_set(err, "a grid beyond 2^22");
        return CKDA_E_DOMAIN;
    }
    ckda_quantised new = {.nvalues = s->nvalues, .n = s->n};
    new.q = flint_malloc(3 * (size_t)s->nvalues * sizeof *new.q);
    new.low = new.q + s->nvalues;
    new.high = new.low + s->nvalues;
    const ckda_status st = set_cells(&new, s, Q, err);
    if (st != CKDA_OK) {
        flint_free(new.q);
        return st;
    }
    new.column = flint_malloc((size_t)s->ncolumns * (size_t)s->n * sizeof *new.column);
    new.norm = flint_malloc((size_t)s->ncolumns * sizeof *new.norm);
    ckda_quantised_columns(&new, s);
    *z = new;
    return CKDA_OK;
}

void
ckda_quantised_clear(ckda_quantised *z)
{
    flint_free(z->q);
    flint_free(z->column);
    flint_free(z->norm);
    *z = (ckda_quantised){0};
}
