/* How far a computed entry may lie from the exact one, for this arithmetic.
 *
 * y = D_a - beta k_a (k.D), D_j = gate_j q_j.  With u = 2^-precision of the compute format
 * and h half its smallest subnormal, every operation returns its exact result times (1 + d)
 * plus e, |d| <= u, |e| <= h (e only for products).  Hence, for every order of summation
 * and fused or not,
 *
 *     |D_j^ - D_j| <= u |D_j| + h, or 0 for gates 1 and -1: ckda_arith_check sees to it that
 *                 the compute format holds what is stored
 *     |p^ - p|  <= g sum |k_j D_j^| + n h (1 + g) + sum |k_j| |D_j^ - D_j|,  g = nu/(1-nu)
 *     |t^ - t|  for t = beta k_a p, two more roundings, in either order
 *     |y^ - y|  one more, relative to |y|.
 *
 * The exact y of the rounded parameters is compared with the exact one of the ideal
 * parameters in doubles.  All bounds are sums and products of non-negative doubles: a
 * factor 1 + 2^-30 at the end covers their own rounding. */
#include "snap_internal.h"

#include <math.h>

/* One entry: exact value of the rounded parameters, bounds of the two errors. */
typedef struct {
    double value;      /* y of the rounded parameters, within `slop` */
    double arithmetic; /* bounds |computed - y| */
    double slop;
} entry;

typedef struct {
    double u, h, largest;
    slong n;
} unit;

static unit
unit_of(const ckda_rounded_t R)
{
    const ckda_fp_format *f = R->arith.compute;
    return (unit){.u = ldexp(1, -f->precision),
                  .h = ldexp(1, f->emin - f->precision),
                  .largest = ckda_fp_get_double(f->largest, f),
                  .n = R->n};
}

static double
sum_growth(const unit *w)
{
    const double nu = (double)w->n * w->u;
    return nu / (1 - nu);
}

/* k.D of the rounded parameters: value, sum of |k_j D_j|, error bound of the computed one. */
typedef struct {
    double value, size, error;
} inner;

static double
gate_error(double gate, double q, const unit *w)
{
    return fabs(gate) == 1 ? 0 : w->u * fabs(gate * q) + w->h;
}

static inner
key_product(const double *k, const double *gate, const double *q, const unit *w)
{
    inner p = {0, 0, 0};
    double before = 0;
    for (slong j = 0; j < w->n; j++) {
        p.value += k[j] * (gate[j] * q[j]);
        p.size += fabs(k[j] * (gate[j] * q[j]));
        before += fabs(k[j]) * gate_error(gate[j], q[j], w);
    }
    const double g = sum_growth(w);
    p.error = g * (p.size + before) + (double)w->n * w->h * (1 + g) + before;
    return p;
}

static entry
key_entry(const inner *p, double beta, double k, double gate, double q, const unit *w)
{
    entry e;
    const double d = gate * q, scaled = fabs(beta * k);
    const double most = fabs(p->value) + p->error + 0x1p-48 * p->size;
    const double first =
        scaled * p->error + w->u * scaled * most + w->h * (most + fabs(k));
    const double second = w->u * (scaled * fabs(p->value) + first) + w->h;
    e.value = d - beta * k * p->value;
    e.slop = (double)(w->n + 4) * 0x1p-52 * (fabs(d) + scaled * p->size);
    const double before = gate_error(gate, q, w) + first + second;
    e.arithmetic = before + w->u * (fabs(e.value) + e.slop + before);
    /* every intermediate number is far from overflow, or nothing is known */
    if (!(fabs(d) + (scaled + 1) * (p->size + p->error) < w->largest / 4))
        e.arithmetic = INFINITY;
    return e;
}

static entry
matrix_entry(const double *a, const double *q, const unit *w)
{
    entry e = {0, 0, 0};
    double size = 0;
    for (slong j = 0; j < w->n; j++) {
        e.value += a[j] * q[j];
        size += fabs(a[j] * q[j]);
    }
    const double g = sum_growth(w);
    e.arithmetic = g * size + (double)w->n * w->h * (1 + g);
    e.slop = (double)(w->n + 4) * 0x1p-52 * size;
    if (!(size < w->largest / 4))
        e.arithmetic = INFINITY;
    return e;
}

/* ---- all entries ---------------------------------------------------------------------- */

static void
visit(ckda_snap_delta *d, const entry *e, double ideal, uint32_t image, uint32_t column,
      ckda_snap_row row, const ckda_quantised *z)
{
    const double off = e->value - z->q[image], up = 1 + 0x1p-30;
    const double slop = e->slop * up + z->error, arithmetic = e->arithmetic * up;
    const double inside = fmin(z->low[image] + off, z->high[image] - off);
    const double parameters = fabs(e->value - ideal) * up + slop;
    const double y = ideal - z->q[image];
    const double m = fmin(z->low[image] + y, z->high[image] - y) - z->error;
    d->parameters = fmax(d->parameters, parameters);
    d->arithmetic = fmax(d->arithmetic, arithmetic);
    d->delta = fmax(d->delta, (parameters + arithmetic) * up);
    if (z->norm[column] > 0)
        d->epsilon = fmin(d->epsilon, (m - parameters - arithmetic) / z->norm[column]);
    const ckda_snap_place here = {row, column};
    if (inside - arithmetic - slop < d->free) {
        d->free = inside - arithmetic - slop;
        if (d->stays != CKDA_FALSE)
            d->at = here;
    }
    /* not even the best error brings it back */
    if (inside + arithmetic + slop < 0 && d->stays != CKDA_FALSE) {
        d->stays = CKDA_FALSE;
        d->at = here;
    }
}

static double
dot(const double *x, const double *q, slong n)
{
    double y = 0;
    for (slong j = 0; j < n; j++)
        y += x[j] * q[j];
    return y;
}

static void
visit_step(ckda_snap_delta *d, uint32_t letter, uint32_t step, const ckda_snap_t s,
           const ckda_quantised *z, const ckda_rounded_t R)
{
    const slong n = s->n;
    const unit w = unit_of(R);
    const double *k = R->key_value + (slong)step * n,
                 *gate = R->gate_value + (slong)step * n;
    for (uint32_t v = 0; v < s->ncolumns; v++) {
        const double *q = z->column + (slong)v * n;
        const inner p = key_product(k, gate, q, &w);
        for (slong a = 0; a < n; a++) {
            const uint32_t row = s->row_of[(slong)step * n + a];
            const entry e = key_entry(&p, R->beta_value[step], k[a], gate[a], q[a], &w);
            visit(d, &e, dot(s->x_near + (slong)row * n, q, n),
                  s->image[(size_t)row * s->ncolumns + v], v,
                  (ckda_snap_row){letter, step - s->first[letter], (uint32_t)a}, z);
        }
    }
}

/* The letter as one matrix. */
static void
visit_matrix(ckda_snap_delta *d, uint32_t letter, const ckda_snap_t s,
             const ckda_quantised *z, const ckda_rounded_t R)
{
    const ckda_tracker_struct *t = s->tracker;
    const ckda_mat_struct *A = &t->c->matrix[t->element_of_letter[letter]];
    const slong n = s->n;
    const unit w = unit_of(R);
    double *ideal = flint_malloc((size_t)n * sizeof *ideal);
    for (slong a = 0; a < n; a++) {
        for (slong j = 0; j < n; j++)
            ideal[j] = ckda_snap_near(ckda_mat_entry(A, a, j), t->c->K);
        for (uint32_t v = 0; v < s->ncolumns; v++) {
            const double *q = z->column + (slong)v * n;
            const uint32_t to = t->column_next[(size_t)v * t->nletters + letter];
            const entry e =
                matrix_entry(R->matrix_value + ((slong)letter * n + a) * n, q, &w);
            visit(d, &e, dot(ideal, q, n), s->column[(slong)to * n + a], v,
                  (ckda_snap_row){letter, 0, (uint32_t)a}, z);
        }
    }
    flint_free(ideal);
}

ckda_status
ckda_snap_delta_bound(ckda_snap_delta *d, const ckda_snap_t s, const ckda_quantiser *Q,
                      const ckda_rounded_t R, ckda_error *err)
{
    ckda_quantised z;
    const ckda_status st = ckda_quantised_init(&z, s, Q, err);
    if (st != CKDA_OK)
        return st;
    ckda_snap_delta new = {.free = INFINITY, .epsilon = INFINITY, .stays = CKDA_UNKNOWN};
    for (uint32_t l = 0; l < R->nletters; l++) {
        ckda_require(R->nletters == s->tracker->nletters
                         && R->first[l + 1] - R->first[l]
                                == s->first[l + 1] - s->first[l],
                     "the rounded tracker has other steps");
        if (R->arith.form == CKDA_FORM_MATRIX) {
            visit_matrix(&new, l, s, &z, R);
            continue;
        }
        for (uint32_t step = s->first[l]; step < s->first[l + 1]; step++)
            visit_step(&new, l, step, s, &z, R);
    }
    if (!(new.epsilon > 0 && isfinite(new.epsilon)))
        new.epsilon = 0;
    if (new.stays != CKDA_FALSE &&new.free > 0)
        new.stays = CKDA_TRUE;
    *d = new;
    ckda_quantised_clear(&z);
    return CKDA_OK;
}
