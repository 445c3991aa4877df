/* The rounding errors of one letter.  Notation, and the formulas (2) and (3): bound.c. */
#include "rounded_internal.h"

#include <math.h>

#define PREC CKDA_ROUNDED_PREC
typedef ckda_rounded_affine affine;

static void
affine_init(affine *x)
{
    arb_init(x->rel);
    arb_init(x->abs);
}

static void
affine_clear(affine *x)
{
    arb_clear(x->rel);
    arb_clear(x->abs);
}

/* x += c y. */
static void
affine_addmul(affine *x, const arb_t c, const affine *y)
{
    arb_addmul(x->rel, c, y->rel, PREC);
    arb_addmul(x->abs, c, y->abs, PREC);
}

typedef struct {
    const ckda_rounded_struct *R;
    arb_t u, eta;             /* of compute */
    arb_t store_u, store_abs; /* of STORE, for one component */
    affine norm;              /* of the column after the micro-steps so far */
    affine error;             /* its distance from the exact product of the B's */
    affine biggest;           /* any intermediate value so far */
} analysis;

/* x = 2^e. */
static void
set_power(arb_t x, slong e)
{
    arb_one(x);
    arb_mul_2exp_si(x, x, e);
}

/* x = (1 + u)^r - 1. */
static void
set_gamma(arb_t x, const arb_t u, slong r)
{
    arb_add_ui(x, u, 1, PREC);
    arb_pow_ui(x, x, (ulong)r, PREC);
    arb_sub_ui(x, x, 1, PREC);
}

/* s += x^2 for a double. */
static void
add_square(arb_t s, double x)
{
    arb_t y;
    arb_init(y);
    arb_set_d(y, x);
    arb_addmul(s, y, y, PREC);
    arb_clear(y);
}

static void
set_norm(arb_t s, const double *x, slong n)
{
    arb_zero(s);
    for (slong i = 0; i < n; i++)
        add_square(s, x[i]);
    arb_sqrt(s, s, PREC);
}

static bool
is_sign(double x)
{
    return fabs(x) == 1;
}

/* ---- (2) --------------------------------------------------------------------------- */

/* kappa^2 is added to square, eta's factor to absolute. */
static void
dot_error(arb_t square, arb_t absolute, const double *x, slong n, const analysis *a)
{
    slong nonzero = 0, inexact = 0, rank = 0;
    arb_t g, y;
    arb_init(g);
    arb_init(y);
    for (slong i = 0; i < n; i++) {
        nonzero += x[i] != 0;
        inexact += x[i] != 0 && !is_sign(x[i]);
    }
    for (slong i = 0; i < n; i++) {
        if (x[i] == 0)
            continue;
        const slong product = !is_sign(x[i]);
        slong r;
        if (a->R->arith.fma)
            r = rank == 0 ? nonzero - 1 + product : nonzero - rank;
        else
            r = (rank == 0 ? nonzero - 1 : nonzero - rank) + product;
        set_gamma(g, a->u, r);
        arb_set_d(y, x[i]);
        arb_mul(g, g, y, PREC);
        arb_addmul(square, g, g, PREC);
        rank++;
    }
    if (nonzero > 1 || inexact > 0) {
        set_gamma(g, a->u, nonzero + 1);
        arb_add_ui(g, g, 1, PREC);
        arb_mul(g, g, a->eta, PREC);
        arb_addmul_ui(absolute, g, (ulong)nonzero, PREC);
    }
    arb_clear(y);
    arb_clear(g);
}

/* ---- one micro-step ---------------------------------------------------------------- */

typedef struct {
    const double *key, *gate, *v; /* v: what multiplies q */
    double beta;
    bool on_dot;
    arb_t key_norm, v_norm, inexact_norm; /* |k|, |v|, |v*| */
    arb_t map_norm;                       /* M */
    arb_t gate_max;
    slong changed; /* n' */
    bool exact_gates;
} micro;

static void
micro_init(micro *m, uint32_t s, const ckda_rounded_t R)
{
    m->on_dot = R->arith.order == CKDA_BETA_ON_DOT;
    m->key = R->key_value + s * R->n;
    m->gate = R->gate_value + s * R->n;
    m->v = m->on_dot ? m->key : R->scaled_value + s * R->n;
    m->beta = R->beta_value[s];
    m->changed = 0;
    m->exact_gates = true;
    arb_init(m->key_norm);
    arb_init(m->v_norm);
    arb_init(m->inexact_norm);
    arb_init(m->map_norm);
    arb_init(m->gate_max);
    set_norm(m->key_norm, m->key, R->n);
    set_norm(m->v_norm, m->v, R->n);
    double most = 0;
    for (slong i = 0; i < R->n; i++) {
        const double g = fabs(m->gate[i]);
        most = g > most ? g : most;
        m->exact_gates = m->exact_gates && (g == 0 || g == 1);
        m->changed += m->v[i] != 0 || g != 1;
        if (m->v[i] != 0 && !is_sign(m->v[i]))
            add_square(m->inexact_norm, m->v[i]);
    }
    arb_sqrt(m->inexact_norm, m->inexact_norm, PREC);
    arb_set_d(m->gate_max, most);
}

static void
micro_clear(micro *m)
{
    arb_clear(m->key_norm);
    arb_clear(m->v_norm);
    arb_clear(m->inexact_norm);
    arb_clear(m->map_norm);
    arb_clear(m->gate_max);
}

/* M <= max(1, |1 - beta |k|^2|) + |v - beta k| |k|; the second is 0 with beta on the dot,
 * where the exact map is I - k (beta k)^T. */
static void
set_map_norm(micro *m, slong n)
{
    arb_t x, y, off;
    arb_init(x);
    arb_init(y);
    arb_init(off);
    for (slong i = 0; i < n && !m->on_dot; i++) {
        arb_set_d(x, m->beta);
        arb_set_d(y, m->key[i]);
        arb_mul(x, x, y, PREC);
        arb_set_d(y, m->v[i]);
        arb_sub(x, x, y, PREC);
        arb_addmul(off, x, x, PREC);
    }
    arb_sqrt(off, off, PREC);
    arb_mul(off, off, m->key_norm, PREC);
    arb_set_d(x, m->beta);
    arb_mul(y, m->key_norm, m->key_norm, PREC);
    arb_mul(x, x, y, PREC);
    arb_sub_ui(x, x, 1, PREC);
    arb_abs(x, x);
    arb_one(y);
    arb_max(x, x, y, PREC);
    arb_add(m->map_norm, x, off, PREC);
    arb_clear(off);
    arb_clear(y);
    arb_clear(x);
}

/* D >= |D| and given >= |D - Diag(gate) h| for the column h of norm a->norm. */
static void
gate_error(affine *D, affine *given, const micro *m, const analysis *a)
{
    affine_addmul(D, m->gate_max, &a->norm);
    if (m->exact_gates)
        return;
    arb_t root;
    arb_init(root);
    affine_addmul(given, a->u, D);
    arb_sqrt_ui(root, (ulong)a->R->n, PREC);
    arb_addmul(given->abs, root, a->eta, PREC);
    arb_add(D->rel, D->rel, given->rel, PREC);
    arb_add(D->abs, D->abs, given->abs, PREC);
    arb_clear(root);
}

/* E = |q^ - q| and q >= |q|. */
static void
inner_error(affine *E, affine *q, const affine *D, const micro *m, const analysis *a)
{
    arb_t kappa, c, absolute;
    arb_init(kappa);
    arb_init(c);
    arb_init(absolute);
    dot_error(kappa, absolute, m->key, a->R->n, a);
    arb_sqrt(kappa, kappa, PREC);
    arb_set(c, m->key_norm);
    if (m->on_dot) {
        /* |RN(beta p^) - beta p| <= (1 + u) |beta| |p^ - p| + u |beta| |p| + eta */
        arb_t b;
        arb_init(b);
        arb_set_d(b, fabs(m->beta));
        arb_mul(kappa, kappa, b, PREC);
        arb_mul(absolute, absolute, b, PREC);
        arb_mul(c, c, b, PREC);
        arb_addmul(kappa, kappa, a->u, PREC);
        arb_addmul(absolute, absolute, a->u, PREC);
        arb_addmul(kappa, a->u, c, PREC);
        arb_add(absolute, absolute, a->eta, PREC);
        arb_clear(b);
    }
    affine_addmul(E, kappa, D);
    arb_add(E->abs, E->abs, absolute, PREC);
    affine_addmul(q, c, D);
    arb_clear(absolute);
    arb_clear(c);
    arb_clear(kappa);
}

/* (3): error = |y - z|. */
static void
update_error(affine *error, const affine *D, const affine *E, const affine *q,
             const micro *m, const analysis *a)
{
    arb_t c, one_u;
    arb_init(c);
    arb_init(one_u);
    arb_add_ui(one_u, a->u, 1, PREC);
    arb_mul(c, one_u, m->v_norm, PREC);
    affine_addmul(error, c, E);
    arb_mul(c, a->u, m->map_norm, PREC);
    affine_addmul(error, c, D);
    if (!a->R->arith.fma) {
        arb_mul(c, one_u, a->u, PREC);
        arb_mul(c, c, m->inexact_norm, PREC);
        affine_addmul(error, c, q);
        affine_addmul(error, c, E);
    }
    arb_add_ui(c, one_u, 1, PREC);
    arb_mul(c, c, a->eta, PREC);
    arb_t root;
    arb_init(root);
    arb_sqrt_ui(root, (ulong)a->R->n, PREC);
    arb_addmul(error->abs, c, root, PREC);
    arb_clear(root);
    arb_clear(one_u);
    arb_clear(c);
}

/* error += what STORE of a column of norm y adds when `changed` components change. */
static void
store_error(affine *error, const affine *y, slong changed, const analysis *a)
{
    if (changed == 0)
        return;
    arb_t root;
    arb_init(root);
    affine_addmul(error, a->store_u, y);
    arb_sqrt_ui(root, (ulong)changed, PREC);
    arb_addmul(error->abs, root, a->store_abs, PREC);
    arb_clear(root);
}

/* No intermediate value is larger than this: D, partial sums (at most |k| |D| + E), q^,
 * v q^, y and its STORE are each at most (|D| + |q| + E) (1 + |v|) times 4. */
static void
note_biggest(analysis *a, const affine *D, const affine *E, const affine *q,
             const micro *m)
{
    affine sum;
    affine_init(&sum);
    arb_t c;
    arb_init(c);
    arb_one(c);
    affine_addmul(&sum, c, D);
    affine_addmul(&sum, m->key_norm, D);
    affine_addmul(&sum, c, q);
    affine_addmul(&sum, c, E);
    arb_add_ui(c, m->v_norm, 1, PREC);
    arb_mul_2exp_si(c, c, 2);
    arb_mul(sum.rel, sum.rel, c, PREC);
    arb_mul(sum.abs, sum.abs, c, PREC);
    arb_max(a->biggest.rel, a->biggest.rel, sum.rel, PREC);
    arb_max(a->biggest.abs, a->biggest.abs, sum.abs, PREC);
    arb_clear(c);
    affine_clear(&sum);
}

static void
micro_step(analysis *a, uint32_t s)
{
    micro m;
    affine D, given, E, q, own, y;
    arb_t c;
    micro_init(&m, s, a->R);
    set_map_norm(&m, a->R->n);
    affine_init(&D);
    affine_init(&given);
    affine_init(&E);
    affine_init(&q);
    affine_init(&own);
    affine_init(&y);
    arb_init(c);

    gate_error(&D, &given, &m, a);
    inner_error(&E, &q, &D, &m, a);
    update_error(&own, &D, &E, &q, &m, a);
    note_biggest(a, &D, &E, &q, &m);
    /* |y| <= M |D| + own, before STORE */
    arb_one(c);
    affine_addmul(&y, m.map_norm, &D);
    affine_addmul(&y, c, &own);
    affine_addmul(&own, m.map_norm, &given);
    store_error(&own, &y, m.changed, a);

    /* the earlier error passes through this step; the norm is that of the stored column */
    arb_mul(c, m.map_norm, m.gate_max, PREC);
    arb_mul(a->error.rel, a->error.rel, c, PREC);
    arb_mul(a->error.abs, a->error.abs, c, PREC);
    arb_mul(a->norm.rel, a->norm.rel, c, PREC);
    arb_mul(a->norm.abs, a->norm.abs, c, PREC);
    arb_one(c);
    affine_addmul(&a->error, c, &own);
    affine_addmul(&a->norm, c, &own);

    arb_clear(c);
    affine_clear(&y);
    affine_clear(&own);
    affine_clear(&q);
    affine_clear(&E);
    affine_clear(&given);
    affine_clear(&D);
    micro_clear(&m);
}

/* ---- one letter -------------------------------------------------------------------- */

/* y = A h row by row; deviation bounds |A - (orthogonal)|. */
static void
matrix_step(analysis *a, const double *A, const arb_t deviation)
{
    const slong n = a->R->n;
    arb_t kappa, absolute, one;
    affine y;
    arb_init(kappa);
    arb_init(absolute);
    arb_init(one);
    affine_init(&y);
    slong changed = 0;
    for (slong i = 0; i < n; i++) {
        slong nonzero = 0, signs = 0;
        for (slong j = 0; j < n; j++) {
            nonzero += A[i * n + j] != 0;
            signs += is_sign(A[i * n + j]);
        }
        changed += nonzero != 1 || signs != 1;
        dot_error(kappa, absolute, A + i * n, n, a);
    }
    arb_sqrt(kappa, kappa, PREC);
    affine_addmul(&a->error, kappa, &a->norm);
    arb_add(a->error.abs, a->error.abs, absolute, PREC);
    arb_add_ui(one, deviation, 1, PREC);
    affine_addmul(&y, one, &a->norm);
    arb_one(one);
    affine_addmul(&y, one, &a->error);
    /* a partial sum of row i is at most (1 + ...) |row| |h|, a row at most 1 + deviation */
    affine_addmul(&a->biggest, one, &y);
    arb_mul_2exp_si(a->biggest.rel, a->biggest.rel, 2);
    arb_mul_2exp_si(a->biggest.abs, a->biggest.abs, 2);
    store_error(&a->error, &y, changed, a);
    affine_clear(&y);
    arb_clear(one);
    arb_clear(absolute);
    arb_clear(kappa);
}

static void
set_units(analysis *a)
{
    const ckda_arith *arith = &a->R->arith;
    const ckda_fp_format *c = arith->compute, *f = arith->state;
    const int direction = arith->store == CKDA_FP_RTZ; /* one bit more towards zero */
    arb_t flush;
    arb_init(flush);
    set_power(a->u, -c->precision);
    set_power(a->eta, c->emin - c->precision);
    if (arith->grid > 0) {
        set_power(a->store_abs, direction - 1);
    } else if (f != c) {
        set_power(a->store_u, direction - f->precision);
        set_power(a->store_abs, direction + f->emin - f->precision);
    }
    if (arith->has_flush) {
        set_power(flush, -arith->flush);
        arb_add(a->store_abs, a->store_abs, flush, PREC);
    }
    arb_clear(flush);
}

void
ckda_rounded_letter_error(ckda_rounded_affine *error, ckda_rounded_affine *biggest,
                          const arb_t deviation, uint32_t letter, const ckda_rounded_t R)
{
    analysis a = {.R = R};
    arb_init(a.u);
    arb_init(a.eta);
    arb_init(a.store_u);
    arb_init(a.store_abs);
    affine_init(&a.norm);
    affine_init(&a.error);
    affine_init(&a.biggest);
    set_units(&a);
    arb_one(a.norm.rel);
    if (R->matrix != NULL)
        matrix_step(&a, R->matrix_value + letter * R->n * R->n, deviation);
    else
        for (uint32_t s = R->first[letter]; s < R->first[letter + 1]; s++)
            micro_step(&a, s);
    arb_set(error->rel, a.error.rel);
    arb_set(error->abs, a.error.abs);
    arb_set(biggest->rel, a.biggest.rel);
    arb_set(biggest->abs, a.biggest.abs);
    affine_clear(&a.biggest);
    affine_clear(&a.error);
    affine_clear(&a.norm);
    arb_clear(a.store_abs);
    arb_clear(a.store_u);
    arb_clear(a.eta);
    arb_clear(a.u);
}
