/* ckda/sweep.h -- where one CKDA step in the plane has a complex pair, cell by cell.
 *
 * The transition is (I - beta k k^T) Diag(alpha, second), k = (cos theta, sin theta).  Two of
 * theta, alpha, beta run over a grid, the others are fixed exact numbers.  Every cell is
 * decided exactly, by the discriminant of the characteristic polynomial and by a second way
 * that must agree: the Gram determinant of the boundary surface [source: this project, F1],
 * or, for the question whether some key has a pair, the signs of beta - 1 and alpha
 * [source: this project, F3].  Only ckda_sweep_boundary and ckda_sweep_position are doubles,
 * for pictures.                                                                         */
#ifndef CKDA_SWEEP_H
#define CKDA_SWEEP_H
#include "ckda/field.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { CKDA_SWEEP_THETA, CKDA_SWEEP_ALPHA, CKDA_SWEEP_BETA } ckda_sweep_axis;
#define CKDA_SWEEP_AXES 3
/* "theta", "alpha", "beta" */
const char *ckda_sweep_axis_name(ckda_sweep_axis a);

typedef enum {
    CKDA_SWEEP_REAL,   /* two different real eigenvalues (any key: real for every key) */
    CKDA_SWEEP_DOUBLE, /* one double real eigenvalue (any key: never said) */
    CKDA_SWEEP_PAIR,  /* a non-real pair inside the unit circle (any key: for some key) */
    CKDA_SWEEP_CIRCLE /* a non-real pair on the unit circle */
} ckda_sweep_kind;
#define CKDA_SWEEP_KINDS 4
/* "real", "double", "pair", "circle" */
const char *ckda_sweep_kind_name(ckda_sweep_kind k);

#define CKDA_SWEEP_MAX_CELLS 1000

/* Value i = 0 .. cells of an axis: alpha = -1 + 2i/cells, beta = 2i/cells, and theta in
 * [0, 90] degrees with tan(theta/2) = i/cells (cosine: theta = 90 i/cells degrees). */
typedef struct {
    ckda_sweep_axis x, y; /* different */
    slong cells;          /* 1 .. CKDA_SWEEP_MAX_CELLS */
    bool cosine;          /* equal angles; the field holds cos(180/cells degrees) */
    bool any_key;         /* no theta: is there a key with a pair? */
    /* exact numbers as text; NULL for the axes (and the tangent with any_key) */
    const char *alpha, *beta, *second; /* second > 0 */
    const char *tangent;               /* of theta/2 */
} ckda_sweep_plan;

typedef struct {
    ckda_sweep_plan plan; /* the texts stay the caller's */
    ckda_field_t K;
    ckda_elem_struct *value; /* alpha, beta, second, cos 2 theta: those that are fixed */
    ckda_elem_struct *cos2;  /* cos 2 theta of value i of the axis theta, or NULL */
    unsigned char *kind;     /* (cells+1)^2 of ckda_sweep_kind; row j is value j of y */
    uint64_t count[CKDA_SWEEP_KINDS];
    uint64_t second_ways; /* cells in which the second way applied, and agreed */
} ckda_sweep_struct;
typedef ckda_sweep_struct ckda_sweep_t[1];

/* s is initialised here on CKDA_OK.  CKDA_E_INPUT for a plan that is none (the message says
 * what was expected), CKDA_E_UNABLE for a field of degree above 64. */
CKDA_MUST_CHECK ckda_status ckda_sweep_run(ckda_sweep_t s, const ckda_sweep_plan *plan,
                                           ckda_error *err);
void ckda_sweep_clear(ckda_sweep_t s);
/* Value i of an axis as text: "-1/2"; for theta the tangent of the half angle, or degrees;
 * free with free(). */
char *ckda_sweep_value(const ckda_sweep_t s, ckda_sweep_axis a, slong i);
/* The same for a picture: theta in degrees. */
double ckda_sweep_position(const ckda_sweep_t s, ckda_sweep_axis a, double i);
/* The boundary of F1 over the point x (in units of the picture): its branch 0 or 1, NAN where
 * there is none.  With any_key it is the boundary for the angle theta (degrees). */
double ckda_sweep_boundary(const ckda_sweep_t s, int branch, double x, double theta);

#ifdef __cplusplus
}
#endif
#endif
