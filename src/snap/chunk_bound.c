/* A rigorous bound of a chunk's error over all words, starts and entries.
 *
 * docs/chunk.md derives every formula below; the names are those of that text.  All
 * numbers are sums, products and quotients of non-negative doubles; fewer than 2^20 of
 * them, each right to 2^-53, enter a result, and `UP` covers what they lose. */
#include <math.h>

#include "chunk_int.h"

static const double UP = 1 + 0x1p-30;
static const double U = 0x1p-24 * (1 + 0x1p-20); /* |fl(z) - z| <= U |fl(z)|, fp32 */

/* What the bound takes from the lines and columns. */
typedef struct {
    double n;
    double rho;        /* >= |any product of rounded reflections| */
    double kappa;      /* >= |k| */
    double entry;      /* >= |k_a| */
    double key_error;  /* >= |beta k - 2 (true key)| */
    double tau;        /* >= |T_ij| without rounding */
    double omega;      /* >= |W_i| without rounding */
    double lambda;     /* >= |L_ij| as computed */
    double dl;         /* >= |L_ij computed - exact| */
    double b, b_entry; /* >= |Rb(beta k)|, its entries */
    double db, db_q;   /* >= |Rb(beta k) - beta k|, its product with a start */
    double kq;         /* >= |Rb(beta k) . q| */
    double q1;         /* >= |q|_1 */
    double N;          /* >= |q| */
} constants;

static double
dot(const double *x, const double *y, size_t n)
{
    double s = 0;
    for (size_t i = 0; i < n; i++)
        s += x[i] * y[i];
    return s;
}

/* The parts of `constants` that look at one line. */
static void
look_at_line(constants *c, const ckda_chunk_struct *k, uint32_t l)
{
    const size_t n = (size_t)k->n;
    double key[32], b[32], db[32], off[32];
    for (size_t a = 0; a < n; a++) {
        key[a] = (double)k->rounded_key[l * n + a];
        b[a] = (double)k->beta_key[l * n + a];
        db[a] = b[a] - (double)k->beta[l] * key[a]; /* 48 bits: exact product */
        off[a] = (double)k->beta[l] * key[a] - 2 * k->key[l * n + a];
        c->entry = fmax(c->entry, fabs(key[a]));
        c->b_entry = fmax(c->b_entry, fabs(b[a]));
    }
    c->kappa = fmax(c->kappa, sqrt(dot(key, key, n)));
    c->b = fmax(c->b, sqrt(dot(b, b, n)));
    c->db = fmax(c->db, sqrt(dot(db, db, n)));
    c->key_error = fmax(c->key_error, sqrt(dot(off, off, n)) + 0x1p-48);
    c->omega = fmax(c->omega, (double)k->beta[l] * sqrt(dot(key, key, n)));
    for (uint32_t s = 0; s < k->nstarts; s++) {
        double q[32];
        for (size_t a = 0; a < n; a++)
            q[a] = (double)k->snapped[k->start[s] * n + a];
        /* sums of n products of at most 48 bits: each is right to 2^-44 of |b| |q| */
        c->kq = fmax(c->kq, fabs(dot(b, q, n)));
        c->db_q = fmax(c->db_q, fabs(dot(db, q, n)));
    }
}

/* L of a pair: the double sum loses less than 2^-44. */
static void
look_at_pairs(constants *c, const ckda_chunk_struct *k)
{
    const size_t n = (size_t)k->n;
    for (uint32_t i = 0; i < k->nlines; i++)
        for (uint32_t j = 0; j < k->nlines; j++) {
            double s = 0;
            for (size_t a = 0; a < n; a++)
                s +=
                    (double)k->rounded_key[i * n + a] * (double)k->rounded_key[j * n + a];
            const double exact = (double)k->beta[i] * s;
            const double computed = (double)k->gram[(size_t)i * k->nlines + j];
            c->lambda = fmax(c->lambda, fabs(computed));
            c->dl = fmax(c->dl, fabs(computed - exact));
        }
    c->dl += 0x1p-44;
}

static void
set_constants(constants *c, const ckda_chunk_struct *k, uint32_t length)
{
    const size_t n = (size_t)k->n;
    *c = (constants){.n = (double)n, .N = k->largest_norm};
    for (uint32_t l = 0; l < k->nlines; l++)
        look_at_line(c, k, l);
    look_at_pairs(c, k);
    for (uint32_t s = 0; s < k->nstarts; s++) {
        double q1 = 0;
        for (size_t a = 0; a < n; a++)
            q1 += fabs((double)k->snapped[k->start[s] * n + a]);
        c->q1 = fmax(c->q1, q1);
    }
    c->kq += 0x1p-40 * c->N;
    c->db_q = c->db_q > 0 ? c->db_q + 0x1p-44 * c->N : 0;
    /* (1 + g)^C <= exp(g C) */
    c->rho = exp(k->unorthogonality * length) * UP;
    c->tau = c->omega * c->kappa * c->rho * UP;
    c->omega *= c->rho * UP;
}

/* Rounding to so many bits moves x by at most this. */
static double
half_unit(double x, int bits)
{
    if (bits == 24 || x == 0)
        return 0; /* already a float of 24 bits */
    return ldexp(1, (x < 0x1p-126 ? -126 : ilogb(x)) - bits);
}

/* What is true of one length i of a chunk: bounds of the computed intermediates. */
typedef struct {
    double tau;     /* |T~|, and the partial sums of its solve (direct: |W~| and those) */
    double half_t;  /* >= |RT(T) - T~| */
    double row;     /* error made in one step of the solve */
    double w;       /* |W~| */
    double w_error; /* |W~ - exact W|, norm, without the sum of W itself */
    double partial; /* entries of the partial sums of W */
    double s2, s3;  /* C(C-1)/2, C(C-1)(C-2)/6 */
    bool closed;    /* the induction closes */
} sizes;

/* tau' = tau (1 + C res) + res with res = C U (lambda + 1) tau' + dl (1 + C tau'): the
 * least tau' = tau + s, s a power of two, for which the right side is not larger. */
static void
close_t(sizes *z, const constants *c, double C)
{
    for (int e = -12; e <= 2 && !z->closed; e++) {
        const double tau = c->tau + ldexp(1, e);
        const double res = C * U * (c->lambda + 1) * tau + c->dl * (1 + C * tau);
        z->closed = (c->tau * (1 + C * res * c->rho) + res) * UP <= tau;
        z->tau = tau;
    }
    z->row = U * (c->lambda + 1) * z->tau;
}

static void
sizes_with_t(sizes *z, const constants *c, double C, int t_bits)
{
    close_t(z, c, C);
    z->half_t = half_unit(z->tau, t_bits);
    const double spread = fmax(1, c->tau), pull = spread * c->dl * z->s2 * UP;
    if (!z->closed || pull > 0.25) {
        z->closed = false;
        return;
    }
    /* |T~ b|: w = omega + spread (C |db| + b row s3 + dl s2 w) */
    z->w = (c->omega + spread * (C * c->db + c->b * z->row * z->s3)) / (1 - pull) * UP;
    z->w_error = spread * (C * c->db + c->b * z->row * z->s3 + c->dl * z->s2 * z->w) * UP;
    /* partial sums: at most two orbit vectors and the same errors; then RT and rounding */
    const double cut =
        (2 * c->omega + spread * (C * c->db + c->b * z->row * z->s3)) / (1 - pull);
    const double terms = C * U * (z->tau + z->half_t) * c->b_entry;
    z->partial = (cut + C * z->half_t * c->b_entry + terms) / (1 - C * U) * UP;
}

/* res = |db| + sqrt(n) C U (lambda + 1) w' + C dl w', w' = omega (1 + C kappa rho res) +
 * res. */
static void
sizes_direct(sizes *z, const constants *c, double C)
{
    const double spread = fmax(1, c->tau);
    for (int e = -12; e <= 2 && !z->closed; e++) {
        z->w = c->omega + ldexp(1, e);
        const double res = c->db + (sqrt(c->n) * U * (c->lambda + 1) + c->dl) * C * z->w;
        z->closed = (c->omega * (1 + C * c->kappa * c->rho * res) + res) * UP <= z->w;
    }
    z->row = U * (c->lambda + 1) * z->w;
    z->w_error = spread * (C * c->db + (sqrt(c->n) * z->row + c->dl * z->w) * z->s2) * UP;
}

/* ---- cells ------------------------------------------------------------------------- */

/* RW and Rv of position i (1-based): the worst root and start, each value widened by how far
 * the computed one may lie from the true one. */
static void
round_cells(double *w_part, double *v_part, const ckda_chunk_struct *k,
            const constants *c, double w_wide, double v_wide)
{
    const size_t n = (size_t)k->n;
    const ckda_chunk_split *bits = &k->scheme.split;
    double worst = -1;
    *w_part = *v_part = 0;
    for (uint32_t r = 0; r < k->nroots; r++)
        for (uint32_t s = 0; s < k->nstarts; s++) {
            const double *root = k->root + r * n;
            const int32_t *q = k->snapped + k->start[s] * n;
            double w = 0, v = 0;
            for (size_t a = 0; a < n; a++) {
                w += half_unit(2 * fabs(root[a]) + w_wide, bits->w) * fabs((double)q[a]);
                v += 2 * root[a] * (double)q[a];
            }
            const double y = half_unit(fabs(v) + v_wide + w, bits->v);
            if (w + y <= worst)
                continue;
            worst = w + y;
            *w_part = w;
            *v_part = y;
        }
    *w_part *= c->entry * UP;
    *v_part *= c->entry * UP;
}

/* ---- all parts --------------------------------------------------------------------- */

/* The parts that do not come position by position; z is of the length C. */
static void
set_terms(ckda_chunk_terms *t, const ckda_chunk_struct *k, const constants *c,
          const sizes *z, double C)
{
    const double zmax = c->kappa * c->rho, e = k->deviation_norm;
    /* the first-order term on c v comes from the program, on q - c v from its norm */
    t->drift += (C * e * k->eta2 + e * e * c->rho * z->s2 * c->N) * UP;
    t->cast = zmax * C * c->db_q * UP;
    if (k->scheme.direct) {
        t->solve = zmax * z->s2 * (z->row * c->q1 + c->dl * z->w * c->N) * UP;
        t->inverse = t->sum = 0;
    } else {
        t->solve = zmax * (z->row * c->kq * z->s3 + c->dl * z->s2 * z->w * c->N) * UP;
        t->inverse = c->entry * c->kq * z->half_t * z->s2 * UP;
        t->sum = c->entry * c->q1 * U * ((z->tau + z->half_t) * c->b_entry + z->partial)
                 * z->s2 * UP;
    }
}

/* How far W~ and v before Rv may lie from those of true reflections at position i, and |W|
 * after RW there. */
typedef struct {
    double w_wide, v_wide, w;
} widths;

static widths
widths_at(const ckda_chunk_struct *k, const constants *c, const sizes *z, double i)
{
    const double beta_key = 2 + c->key_error;
    const double drift = c->key_error + beta_key * (i - 1) * k->deviation_norm * c->rho
                         + 0x1p-45; /* the doubles of roots */
    double added = 0, entries = 0;  /* by RT, norm; by the sum, an entry */
    if (!k->scheme.direct) {
        added = (i - 1) * z->half_t * c->b;
        entries = (i - 1) * U * ((z->tau + z->half_t) * c->b_entry + z->partial);
    }
    widths x = {.w_wide = (drift + z->w_error + added + entries) * UP};
    x.w = (c->omega + z->w_error + added
           + sqrt(c->n) * (entries + half_unit(c->omega + x.w_wide, k->scheme.split.w)))
          * UP;
    const double gamma = c->n * U / (1 - c->n * U);
    x.v_wide =
        ((drift + z->w_error + added) * c->N + entries * c->q1 + gamma * x.w * c->N) * UP;
    return x;
}

static sizes
sizes_at(const ckda_chunk_struct *k, const constants *c, double C)
{
    sizes z = {.s2 = C * (C - 1) / 2, .s3 = C * (C - 1) * (C - 2) / 6};
    if (k->scheme.direct)
        sizes_direct(&z, c, C);
    else
        sizes_with_t(&z, c, C, k->scheme.split.t);
    return z;
}

static double
total(const ckda_chunk_terms *t)
{
    return (t->drift + t->cast + t->solve + t->inverse + t->sum + t->w + t->dot + t->v
            + t->update)
           * UP;
}

static void
give_up(ckda_chunk_bound *b, uint32_t from, uint32_t length)
{
    for (uint32_t i = from; i < length; i++)
        b[i] = (ckda_chunk_bound){.first_order = INFINITY, .delta = INFINITY};
}

void
ckda_chunk_bounds(ckda_chunk_bound *b, uint32_t length, const ckda_chunk_t k)
{
    ckda_require(k->scheme.grid > 0, "the bound needs a grid");
    double *first = flint_malloc((length + 1) * sizeof *first);
    if (k->scheme.key != CKDA_KEY_UNIT || k->n > 32
        || !chunk_drift_maxima(first, length, k)) {
        give_up(b, 0, length);
        flint_free(first);
        return;
    }
    constants c;
    set_constants(&c, k, length);
    double w = 0, v = 0, dot_part = 0, update = 0; /* sums over positions */
    for (uint32_t i = 0; i < length; i++) {
        const double C = i + 1;
        const sizes z = sizes_at(k, &c, C);
        if (!z.closed) {
            give_up(b, i, length);
            break;
        }
        double w_part, v_part;
        const widths x = widths_at(k, &c, &z, C);
        round_cells(&w_part, &v_part, k, &c, x.w_wide, x.v_wide);
        const double gamma = c.n * U / (1 - c.n * U), at = x.w * c.N * (1 + gamma);
        w += w_part;
        v += v_part;
        dot_part += c.entry * gamma * x.w * c.N;
        /* |v| after Rv <= 2 at; |H| <= rho N + 1 while the whole error is below 1 */
        update += U * (c.entry * 2 * at + c.rho * c.N + 1);
        b[i] = (ckda_chunk_bound){.first_order = first[i]};
        ckda_chunk_terms *t = &b[i].terms;
        *t = (ckda_chunk_terms){
            .drift = first[i], .w = w, .dot = dot_part, .v = v, .update = update};
        set_terms(t, k, &c, &z, C);
        b[i].delta = total(t) + 0x1p-80; /* underflow: 2^-150 an operation */
        if (!(b[i].delta < 1)) {
            give_up(b, i + 1, length);
            b[i].delta = INFINITY;
            break;
        }
    }
    flint_free(first);
}
