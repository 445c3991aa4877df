/* Bounds for all inputs of a box.  Every formula is proved in docs/range.md; names as there:
 * b = beta norm^2, x = b rho (an entry of L), c = max(1, b - 1). */
#include <string.h>

#include "range_internal.h"

typedef enum { LOWER, POWER, PARTIAL, INVERSE, SUMS, MERGE, WRITE, VALUE } quantity_kind;

typedef struct {
    quantity_kind kind;
    slong m; /* POWER: L^m; PARTIAL: the powers below m */
} quantity;

/* A point of the box: n tokens, all with this beta. */
typedef struct {
    slong n;
    fmpq_t b, x, c, beta; /* x of the inputs that are tried, or the bound of |L_ij| */
} point;

static void
point_init(point *p, const ckda_range_chunk *r, slong n, const fmpq_t beta, bool upper)
{
    fmpq_t rho;
    fmpq_init(rho);
    fmpq_init(p->b);
    fmpq_init(p->x);
    fmpq_init(p->c);
    fmpq_init(p->beta);
    fmpq_set(p->beta, beta);
    fmpq_mul(p->b, r->norm_max, r->norm_max);
    fmpq_mul(p->b, p->b, beta);
    fmpq_set(rho, r->correlation_max);
    const bool weak = fmpq_cmp_si(rho, 1) < 0;
    if (upper && weak && r->gating == CKDA_GATE_CHANNEL) {
        /* decay of single channels can spoil the cancellation in an inner product */
        fmpq_add_si(rho, rho, 1);
        fmpq_div_2exp(rho, rho, 1);
    }
    fmpq_mul(p->x, p->b, rho);
    fmpq_sub_si(p->c, p->b, 1);
    if (fmpq_cmp_si(p->c, 1) < 0)
        fmpq_one(p->c);
    p->n = n;
    /* n vectors at one angle < 90 degrees need n dimensions; equal keys need one */
    if (!upper && weak && r->head_dim > 0 && n > r->head_dim)
        p->n = r->head_dim;
    fmpq_clear(rho);
}

static void
point_clear(point *p)
{
    fmpq_clear(p->b);
    fmpq_clear(p->x);
    fmpq_clear(p->c);
    fmpq_clear(p->beta);
}

static void
binomial(fmpq_t q, slong n, slong k)
{
    fmpq_zero(q);
    if (n >= 0 && k >= 0 && k <= n)
        fmpz_bin_uiui(fmpq_numref(q), (ulong)n, (ulong)k);
}

/* |T_ij| for i - j = s: at most b c^(s-1), and at most x (1 + x)^(s-1). */
static void
inverse_upper(fmpq_t u, const point *p, slong s)
{
    fmpq_t v;
    fmpq_init(v);
    fmpq_pow_si(u, p->c, s - 1);
    fmpq_mul(u, u, p->b);
    fmpq_add_si(v, p->x, 1);
    fmpq_pow_si(v, v, s - 1);
    fmpq_mul(v, v, p->x);
    if (fmpq_cmp(v, u) < 0)
        fmpq_set(u, v);
    fmpq_clear(v);
}

/* For equal entries x of L the inverse is exactly -x (1 - x)^(s-1). */
static void
inverse_reached(fmpq_t u, const point *p, slong s)
{
    fmpq_sub_si(u, p->x, 1);
    fmpq_abs(u, u);
    fmpq_pow_si(u, u, s - 1);
    fmpq_mul(u, u, p->x);
}

static void
power(fmpq_t u, const point *p, slong n, slong m)
{
    fmpq_t q;
    fmpq_init(q);
    binomial(q, n - 2, m - 1);
    fmpq_pow_si(u, p->x, m);
    fmpq_mul(u, u, q);
    fmpq_clear(q);
}

/* The sum of (-L)^l, l < m, by the triangle inequality, or as T (I - (-L)^m). */
static void
partial_upper(fmpq_t u, const point *p, slong m)
{
    fmpq_t v, w, q;
    fmpq_init(v);
    fmpq_init(w);
    fmpq_init(q);
    fmpq_zero(u);
    for (slong l = 1; l < m; l++) {
        power(q, p, p->n, l);
        fmpq_add(u, u, q);
    }
    inverse_upper(v, p, p->n - 1);
    power(q, p, p->n, m);
    fmpq_add(v, v, q);
    for (slong t = m; t <= p->n - 2; t++) {
        inverse_upper(w, p, p->n - 1 - t);
        power(q, p, t + 1, m);
        fmpq_mul(w, w, q);
        fmpq_add(v, v, w);
    }
    if (fmpq_cmp(v, u) < 0)
        fmpq_set(u, v);
    fmpq_clear(v);
    fmpq_clear(w);
    fmpq_clear(q);
}

static void
partial_reached(fmpq_t u, const point *p, slong m)
{
    fmpq_t v, q;
    fmpq_init(v);
    fmpq_init(q);
    fmpq_zero(u);
    for (slong s = 1; s < p->n; s++) {
        fmpq_zero(v);
        for (slong l = 1; l < m; l++) {
            power(q, p, s + 1, l);
            if (l % 2 == 0)
                fmpq_add(v, v, q);
            else
                fmpq_sub(v, v, q);
        }
        fmpq_abs(v, v);
        if (fmpq_cmp(v, u) > 0)
            fmpq_set(u, v);
    }
    fmpq_clear(v);
    fmpq_clear(q);
}

/* The largest off-diagonal entry of T. */
static void
inverse_largest(fmpq_t u, const point *p, bool upper)
{
    fmpq_t v;
    fmpq_init(v);
    fmpq_zero(u);
    for (slong s = 1; s < p->n; s++) {
        if (upper)
            inverse_upper(v, p, s);
        else
            inverse_reached(v, p, s);
        if (fmpq_cmp(v, u) > 0)
            fmpq_set(u, v);
    }
    fmpq_clear(v);
}

/* W: beta norm c^(n-1); equal keys: beta norm |1 - b|^(n-1), and the first row. */
static void
write_factor(fmpq_t u, const point *p, const ckda_range_chunk *r, bool upper)
{
    fmpq_t v;
    fmpq_init(v);
    fmpq_one(u);
    if (upper) {
        fmpq_pow_si(u, p->c, p->n - 1);
    } else if (fmpq_is_one(r->correlation_max)) {
        fmpq_sub_si(v, p->b, 1);
        fmpq_abs(v, v);
        fmpq_pow_si(v, v, p->n - 1);
        if (fmpq_cmp_si(v, 1) > 0)
            fmpq_set(u, v);
    }
    fmpq_mul(u, u, p->beta);
    fmpq_mul(u, u, r->norm_max);
    fmpq_clear(v);
}

/* U: value_max (beta + sum over s of |T| beta), the signs of the values chosen to agree. */
static void
new_values(fmpq_t u, const point *p, const ckda_range_chunk *r, bool upper)
{
    fmpq_t v;
    fmpq_init(v);
    fmpq_one(u);
    for (slong s = 1; s < p->n; s++) {
        if (upper)
            inverse_upper(v, p, s);
        else
            inverse_reached(v, p, s);
        fmpq_add(u, u, v);
    }
    fmpq_mul(u, u, p->beta);
    fmpq_mul(u, u, r->value_max);
    fmpq_clear(v);
}

/* An upper bound for all inputs, or what n tokens at this beta reach. */
static void
evaluate(fmpq_t u, const quantity *z, slong n, const fmpq_t beta,
         const ckda_range_chunk *r, bool upper)
{
    point p;
    point_init(&p, r, n, beta, upper);
    switch (z->kind) {
    case LOWER:
        fmpq_set(u, p.x);
        if (p.n < 2)
            fmpq_zero(u);
        break;
    case POWER:
        power(u, &p, p.n, z->m);
        break;
    case PARTIAL:
        if (upper && p.n > 1)
            partial_upper(u, &p, z->m);
        else
            partial_reached(u, &p, z->m);
        break;
    case INVERSE:
    case SUMS:
    case MERGE:
        inverse_largest(u, &p, upper);
        break;
    case WRITE:
        write_factor(u, &p, r, upper);
        break;
    case VALUE:
        new_values(u, &p, r, upper);
        break;
    }
    const bool diagonal = z->kind == PARTIAL || z->kind == INVERSE || z->kind == SUMS;
    if (diagonal && fmpq_cmp_si(u, 1) < 0)
        fmpq_one(u);
    point_clear(&p);
}

static bool
breaks(const quantity *z, slong n, const fmpq_t beta, const ckda_range_chunk *r,
       const ckda_fp_format *f)
{
    fmpq_t u;
    fmpq_init(u);
    evaluate(u, z, n, beta, r, false);
    const uint64_t x = ckda_fp_from_fmpq(u, f, &ckda_fp_rne);
    fmpq_clear(u);
    return !ckda_fp_is_finite(x, f);
}

/* The first beta of the grid, and the first number of tokens, that break it. */
static void
find_witnesses(ckda_range_item *i, const quantity *z, slong n, const ckda_range_chunk *r)
{
    fmpq_t beta;
    fmpq_init(beta);
    for (rg_next_beta(beta, r); fmpq_cmp(beta, r->beta_max) < 0; rg_next_beta(beta, r))
        if (breaks(z, n, beta, r, i->format))
            break;
    if (fmpq_cmp(beta, r->beta_max) > 0)
        fmpq_set(beta, r->beta_max); /* the grid ends before beta_max */
    rg_witness_set(&i->least, n, beta, r);
    slong few = 1;
    while (few < n && !breaks(z, few, r->beta_max, r, i->format))
        few++;
    rg_witness_set(&i->shortest, few, r->beta_max, r);
    fmpq_clear(beta);
}

static void
judge(ckda_range_chunk *r, const char *name, const char *about, quantity z, slong n,
      const ckda_fp_format *f)
{
    ckda_range_item *i = rg_new_item(r, name, about, f);
    fmpq_t u, v;
    rg_value upper, reached;
    fmpq_init(u);
    fmpq_init(v);
    rg_value_init(&upper);
    rg_value_init(&reached);
    evaluate(u, &z, n, r->beta_max, r, true);
    evaluate(v, &z, n, r->beta_max, r, false);
    rg_value_set_fmpq(&upper, u);
    rg_value_set_fmpq(&reached, v);
    rg_item_judge(i, &upper, &reached);
    if (i->fits == CKDA_FALSE)
        find_witnesses(i, &z, n, r);
    rg_value_clear(&upper);
    rg_value_clear(&reached);
    fmpq_clear(u);
    fmpq_clear(v);
}

/* ---- the scheme --------------------------------------------------------------------- */

static void
judge_neumann(ckda_range_chunk *r)
{
    const ckda_range_scheme *s = &r->scheme;
    char name[40];
    for (slong m = 2; m < s->block; m *= 2) {
        snprintf(name, sizeof name, "L^%ld", (long)m);
        judge(r, name, "power of L in the Neumann product", (quantity){POWER, m},
              s->block, s->matrix);
        if (2 * m < s->block) {
            snprintf(name, sizeof name, "product to L^%ld", (long)m);
            judge(r, name, "(I - L)(I + L^2)... up to this factor",
                  (quantity){PARTIAL, 2 * m}, s->block, s->matrix);
        }
    }
}

void
rg_box_judge(ckda_range_chunk *r, const fmpq_t tolerance)
{
    const ckda_range_scheme *s = &r->scheme;
    if (r->gating != CKDA_GATE_NONE)
        rg_box_gates_judge(r);
    judge(r, "L", "beta_i times decayed inner product of the keys", (quantity){LOWER, 0},
          s->length, s->matrix);
    if (s->inverse == CKDA_INVERSE_NEUMANN)
        judge_neumann(r);
    else
        judge(r, "partial sums", "sums of the substitution, terms in ascending order",
              (quantity){SUMS, 0}, s->block, s->matrix);
    judge(r, "T", "(I + L)^-1 of a block", (quantity){INVERSE, 0}, s->block, s->matrix);
    if (s->block < s->length)
        judge(r, "merge", "products T L and T L T that join blocks", (quantity){MERGE, 0},
              s->length, s->matrix);
    judge(r, "W", "T diag(beta) times decayed keys", (quantity){WRITE, 0}, s->length,
          s->wy);
    if (r->has_values)
        judge(r, "U", "T diag(beta) times values", (quantity){VALUE, 0}, s->length,
              s->wy);
    rg_emulation_box(r, tolerance);
}
