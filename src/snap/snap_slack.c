/* sigma and epsA*: minima over all pairs, proposed by doubles and decided in K. */
#include "snap_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- minima in doubles -------------------------------------------------------------- */

ckda_snap_minima
ckda_snap_minima_near(const ckda_snap_rows *rows, const ckda_snap_t s,
                      const ckda_quantised *z)
{
    ckda_snap_minima m = {INFINITY, INFINITY};
    for (uint32_t v = 0; v < s->ncolumns; v++) {
        const double *q = z->column + (slong)v * z->n;
        double least = INFINITY;
        for (uint32_t r = 0; r < rows->nrows; r++) {
            const double slack =
                ckda_snap_slack_near(z, rows->near + (slong)r * z->n,
                                     rows->image[(size_t)r * s->ncolumns + v], q);
            if (slack < least)
                least = slack;
        }
        m.sigma = fmin(m.sigma, least);
        if (z->norm[v] > 0)
            m.epsilon = fmin(m.epsilon, least / z->norm[v]);
    }
    return m;
}

/* ---- one pair in K ------------------------------------------------------------------ */

static void
product(ckda_elem_t y, const ckda_elem_struct *x, const double *q, slong n,
        const ckda_field_t K)
{
    ckda_elem_t e;
    ckda_elem_init(e, K);
    ckda_elem_zero(y, K);
    for (slong j = 0; j < n; j++)
        if (q[j] != 0) {
            ckda_snap_elem_of_double(e, q[j], K);
            ckda_elem_addmul(y, x + j, e, K);
        }
    ckda_elem_clear(e, K);
}

/* The lesser of low + y and high - y, where y = x.q - n. */
void
ckda_snap_slack_exact(ckda_elem_t m, const ckda_snap_rows *rows, uint32_t row,
                      uint32_t column, const ckda_snap_t s, const ckda_quantised *z)
{
    const ckda_field_struct *K = s->tracker->c->K;
    const uint32_t image = rows->image[(size_t)row * s->ncolumns + column];
    ckda_elem_t y, high;
    ckda_elem_init(y, K);
    ckda_elem_init(high, K);
    ckda_snap_elem_of_double(y, z->q[image], K);
    product(high, rows->x + (slong)row * z->n, z->column + (slong)column * z->n, z->n, K);
    ckda_elem_sub(y, high, y, K);
    ckda_snap_elem_of_double(high, z->high[image], K);
    ckda_elem_sub(high, high, y, K);
    ckda_snap_elem_of_double(m, z->low[image], K);
    ckda_elem_add(m, m, y, K);
    if (ckda_elem_cmp(high, m, K) < 0)
        ckda_elem_swap(m, high, K);
    ckda_elem_clear(high, K);
    ckda_elem_clear(y, K);
}

void
ckda_snap_norm_squared(ckda_elem_t y, uint32_t column, const ckda_snap_t s,
                       const ckda_quantised *z)
{
    const ckda_field_struct *K = s->tracker->c->K;
    ckda_elem_t e;
    ckda_elem_init(e, K);
    ckda_elem_zero(y, K);
    for (slong j = 0; j < z->n; j++) {
        ckda_snap_elem_of_double(e, z->column[(slong)column * z->n + j], K);
        ckda_elem_addmul(y, e, e, K);
    }
    ckda_elem_clear(e, K);
}

/* ---- minima in K -------------------------------------------------------------------- */

/* m < best (or none yet): taken over.  Equality, by far the most frequent case, is decided
 * without an enclosure. */
static bool
improves(const ckda_elem_t m, const ckda_elem_t best, bool first, const ckda_field_t K)
{
    return first || (!ckda_elem_equal(m, best, K) && ckda_elem_cmp(m, best, K) < 0);
}

static void
visit_epsilon(ckda_snap_exact *e, const ckda_elem_t m, uint32_t row, uint32_t column,
              const ckda_snap_t s, const ckda_quantised *z, bool *first)
{
    const ckda_field_struct *K = s->tracker->c->K;
    ckda_elem_t square, norm;
    ckda_elem_init(square, K);
    ckda_elem_init(norm, K);
    ckda_elem_mul(square, m, m, K);
    ckda_snap_norm_squared(norm, column, s, z);
    const ckda_status st = ckda_elem_div(square, square, norm, K);
    ckda_require(st == CKDA_OK, "a column that is not zero");
    if (improves(square, e->epsilon_squared, *first, K)) {
        ckda_elem_swap(e->epsilon_squared, square, K);
        e->epsilon_row = row;
        e->epsilon_column = column;
        *first = false;
    }
    ckda_elem_clear(norm, K);
    ckda_elem_clear(square, K);
}

void
ckda_snap_minima_exact(ckda_snap_exact *e, const ckda_snap_rows *rows,
                       const ckda_snap_minima *near, const ckda_snap_t s,
                       const ckda_quantised *z)
{
    const ckda_field_struct *K = s->tracker->c->K;
    bool no_sigma = true, no_epsilon = true;
    double shortest = INFINITY; /* column that is not zero */
    for (uint32_t v = 0; v < s->ncolumns; v++)
        if (z->norm[v] > 0)
            shortest = fmin(shortest, z->norm[v]);
    ckda_elem_t m;
    ckda_elem_init(m, K);
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1 && (e->sign = ckda_elem_sgn(e->sigma, K)) <= 0)
            break; /* epsA* needs every m > 0 */
        for (uint32_t v = 0; v < s->ncolumns; v++) {
            const double *q = z->column + (slong)v * z->n, norm = z->norm[v];
            /* both sides of a comparison may be off by z->error */
            const double most = pass == 0 ? near->sigma + 2 * z->error
                                          : near->epsilon * norm * (1 + 0x1p-40)
                                                + 2 * z->error * (1 + norm / shortest);
            if (pass == 1 && norm == 0)
                continue;
            for (uint32_t r = 0; r < rows->nrows; r++) {
                const uint32_t image = rows->image[(size_t)r * s->ncolumns + v];
                if (ckda_snap_slack_near(z, rows->near + (slong)r * z->n, image, q)
                    > most)
                    continue;
                ckda_snap_slack_exact(m, rows, r, v, s, z);
                if (pass == 1) {
                    visit_epsilon(e, m, r, v, s, z, &no_epsilon);
                } else if (improves(m, e->sigma, no_sigma, K)) {
                    ckda_elem_swap(e->sigma, m, K);
                    e->sigma_row = r;
                    e->sigma_column = v;
                    no_sigma = false;
                }
            }
        }
    }
    ckda_elem_clear(m, K);
}

/* ---- decoding ------------------------------------------------------------------------ */

/* The number of the image of each column, equal ones alike. */
typedef struct {
    const double *column;
    slong n;
    uint32_t index;
} image;

static int
by_image(const void *a, const void *b)
{
    const image *x = a, *y = b;
    for (slong j = 0; j < x->n; j++)
        if (x->column[j] != y->column[j])
            return x->column[j] < y->column[j] ? -1 : 1;
    return 0;
}

static uint32_t *
classes(const ckda_snap_t s, const ckda_quantised *z)
{
    uint32_t *class = flint_malloc(s->ncolumns * sizeof *class), last = 0;
    image *all = flint_malloc(s->ncolumns * sizeof *all);
    for (uint32_t v = 0; v < s->ncolumns; v++)
        all[v] = (image){z->column + (slong)v * z->n, z->n, v};
    qsort(all, s->ncolumns, sizeof *all, by_image);
    for (uint32_t k = 0; k < s->ncolumns; k++) {
        last += k > 0 && by_image(&all[k - 1], &all[k]) != 0;
        class[all[k].index] = last;
    }
    flint_free(all);
    return class;
}

typedef struct {
    const uint32_t *columns; /* n classes */
    slong n;
    uint32_t state;
} stored;

static int
by_columns(const void *a, const void *b)
{
    const stored *x = a, *y = b;
    for (slong j = 0; j < x->n; j++)
        if (x->columns[j] != y->columns[j])
            return x->columns[j] < y->columns[j] ? -1 : 1;
    return 0;
}

/* Equal images stand side by side after sorting; all of them must have one element. */
bool
ckda_snap_separates(uint32_t same[2], const ckda_snap_t s, const ckda_quantised *z)
{
    const ckda_tracker_struct *t = s->tracker;
    const size_t n = (size_t)z->n;
    uint32_t *class = classes(s, z);
    uint32_t *columns = flint_malloc((size_t)t->nstates * n * sizeof *columns);
    stored *all = flint_malloc((size_t)t->nstates * sizeof *all);
    for (size_t k = 0; k < (size_t)t->nstates * n; k++)
        columns[k] = class[t->column_of[k]];
    for (uint32_t k = 0; k < t->nstates; k++)
        all[k] = (stored){columns + k * n, z->n, k};
    qsort(all, t->nstates, sizeof *all, by_columns);
    bool separates = true;
    for (uint32_t k = 1; separates && k < t->nstates; k++) {
        const uint32_t a = all[k - 1].state, b = all[k].state;
        if (by_columns(&all[k - 1], &all[k]) == 0 && t->element[a] != t->element[b]) {
            separates = false;
            same[0] = a < b ? a : b;
            same[1] = a < b ? b : a;
        }
    }
    flint_free(all);
    flint_free(columns);
    flint_free(class);
    return separates;
}
