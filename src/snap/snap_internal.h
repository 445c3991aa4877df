/* Shared by the files of the SNAP theorem. */
#ifndef CKDA_SRC_SNAP_INTERNAL_H
#define CKDA_SRC_SNAP_INTERNAL_H
#include "ckda/snap.h"

/* The double next to x with |x - it| <= 2^-52 max(1, |x|). */
double ckda_snap_near(const ckda_elem_t x, const ckda_field_t K);
/* q = x exactly. */
void ckda_snap_fmpq_of_double(fmpq_t q, double x);
void ckda_snap_elem_of_double(ckda_elem_t y, double x, const ckda_field_t K);

/* Q on the finitely many entries: the cell of value i is from q - low to q + high. */
typedef struct {
    uint32_t nvalues;
    slong n;
    double *q, *low, *high; /* nvalues each, exact */
    double *column;         /* ncolumns * n: the entries q(v) */
    double *norm;           /* ncolumns: |q(v)|_2, relative error below 2^-48 */
    double largest;         /* of the q, low and high */
    double error; /* bounds |double - exact| of every m computed from the tables */
} ckda_quantised;

/* CKDA_E_DOMAIN on overflow. */
CKDA_MUST_CHECK ckda_status ckda_quantised_init(ckda_quantised *z, const ckda_snap_t s,
                                                const ckda_quantiser *Q, ckda_error *err);
void ckda_quantised_clear(ckda_quantised *z);
/* The columns alone, after q was filled in by the caller. */
void ckda_quantised_columns(ckda_quantised *z, const ckda_snap_t s);

/* Rows of which slacks are taken: those of the steps, or of all states. */
typedef struct {
    uint32_t nrows;
    const ckda_elem_struct *x; /* nrows * n */
    const double *near;
    const uint32_t *image; /* nrows * ncolumns */
} ckda_snap_rows;

/* m of one pair in doubles. */
static inline double
ckda_snap_slack_near(const ckda_quantised *z, const double *x, uint32_t image,
                     const double *q)
{
    double y = 0;
    for (slong j = 0; j < z->n; j++)
        y += x[j] * q[j];
    y -= z->q[image];
    const double low = z->low[image] + y, high = z->high[image] - y;
    return low < high ? low : high;
}

/* What a search over pairs found, in doubles. */
typedef struct {
    double sigma;   /* min m */
    double epsilon; /* min m / |q| over columns with q != 0; infinity if there is none */
} ckda_snap_minima;
ckda_snap_minima ckda_snap_minima_near(const ckda_snap_rows *rows, const ckda_snap_t s,
                                       const ckda_quantised *z);
/* m of one pair exactly. */
void ckda_snap_slack_exact(ckda_elem_t m, const ckda_snap_rows *rows, uint32_t row,
                           uint32_t column, const ckda_snap_t s, const ckda_quantised *z);
/* The exact minima.  epsilon_squared is left alone unless sigma > 0. */
typedef struct {
    ckda_elem_struct *sigma, *epsilon_squared;
    int sign;
    uint32_t sigma_row, sigma_column, epsilon_row, epsilon_column;
} ckda_snap_exact;
void ckda_snap_minima_exact(ckda_snap_exact *e, const ckda_snap_rows *rows,
                            const ckda_snap_minima *near, const ckda_snap_t s,
                            const ckda_quantised *z);
/* |q(v)|^2 exactly. */
void ckda_snap_norm_squared(ckda_elem_t y, uint32_t column, const ckda_snap_t s,
                            const ckda_quantised *z);
bool ckda_snap_separates(uint32_t same[2], const ckda_snap_t s, const ckda_quantised *z);

#endif
