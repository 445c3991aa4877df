/* One cell, in two ways.
 *
 * With weights k_1^2 = (1 + C)/2, k_2^2 = (1 - C)/2, C = cos 2 theta, the 2 x 2 matrix has
 *     trace = alpha + second - (beta/2) ((1 + C) alpha + (1 - C) second),
 *     det   = (1 - beta) alpha second,
 * and a non-real pair iff trace^2 < 4 det; its absolute value squared is det. */
#include "sweep_internal.h"

void
sweep_cell_init(sweep_cell *c, const ckda_field_t K)
{
    c->K = K;
    for (int i = 0; i < SWEEP_VALUES; i++)
        ckda_elem_init(c->value + i, K);
    ckda_elem_init(c->trace, K);
    ckda_elem_init(c->det, K);
    ckda_elem_init(c->disc, K);
    ckda_elem_init(c->x, K);
    ckda_elem_init(c->y, K);
    ckda_elem_init(c->z, K);
}

void
sweep_cell_clear(sweep_cell *c)
{
    for (int i = 0; i < SWEEP_VALUES; i++)
        ckda_elem_clear(c->value + i, c->K);
    ckda_elem_clear(c->trace, c->K);
    ckda_elem_clear(c->det, c->K);
    ckda_elem_clear(c->disc, c->K);
    ckda_elem_clear(c->x, c->K);
    ckda_elem_clear(c->y, c->K);
    ckda_elem_clear(c->z, c->K);
}

/* trace = m + l C with m = (1 - beta/2)(alpha + second), l = -(beta/2)(alpha - second). */
static void
linear_trace(ckda_elem_t m, ckda_elem_t l, sweep_cell *c)
{
    const ckda_field_struct *K = c->K;
    ckda_elem_set_frac(c->x, -1, 2, K);
    ckda_elem_mul(c->x, c->x, c->value + SWEEP_BETA, K);
    ckda_elem_sub(l, c->value + SWEEP_ALPHA, c->value + SWEEP_SECOND, K);
    ckda_elem_mul(l, l, c->x, K);
    ckda_elem_one(m, K);
    ckda_elem_add(c->x, c->x, m, K);
    ckda_elem_add(m, c->value + SWEEP_ALPHA, c->value + SWEEP_SECOND, K);
    ckda_elem_mul(m, m, c->x, K);
}

static void
set_det(sweep_cell *c)
{
    ckda_elem_one(c->det, c->K);
    ckda_elem_sub(c->det, c->det, c->value + SWEEP_BETA, c->K);
    ckda_elem_mul(c->det, c->det, c->value + SWEEP_ALPHA, c->K);
    ckda_elem_mul(c->det, c->det, c->value + SWEEP_SECOND, c->K);
}

/* disc = trace^2 - 4 det. */
static int
discriminant_sign(sweep_cell *c)
{
    ckda_elem_mul_si(c->disc, c->det, -4, c->K);
    ckda_elem_addmul(c->disc, c->trace, c->trace, c->K);
    return ckda_elem_sgn(c->disc, c->K);
}

/* The sign of 1 + 2 C1 C2 C3 - C1^2 - C2^2 - C3^2 with C1 = -C, C2 = (2 - beta)/beta,
 * C3 = (second + alpha)/(second - alpha), for alpha < 0 < beta, second [F1]; with
 * p = beta (second - alpha) it is that of
 *     p^2 (1 - C^2) - 2 C (2 - beta)(second + alpha) p - ((2 - beta)(second - alpha))^2
 *                   - (beta (second + alpha))^2. */
static int
gram_sign(sweep_cell *c)
{
    const ckda_field_struct *K = c->K;
    const ckda_elem_struct *C = c->value + SWEEP_COS2, *beta = c->value + SWEEP_BETA;
    ckda_elem_struct *v = ckda_elem_vec_new(5, K), *sum = v, *diff = v + 1, *rest = v + 2,
                     *p = v + 3, *g = v + 4;
    ckda_elem_add(sum, c->value + SWEEP_SECOND, c->value + SWEEP_ALPHA, K);
    ckda_elem_sub(diff, c->value + SWEEP_SECOND, c->value + SWEEP_ALPHA, K);
    ckda_elem_set_si(rest, 2, K);
    ckda_elem_sub(rest, rest, beta, K);
    ckda_elem_mul(p, beta, diff, K);
    ckda_elem_one(g, K);
    ckda_elem_submul(g, C, C, K);
    ckda_elem_mul(g, g, p, K);
    ckda_elem_mul(c->x, C, rest, K);
    ckda_elem_mul(c->x, c->x, sum, K);
    ckda_elem_mul_si(c->x, c->x, 2, K);
    ckda_elem_sub(g, g, c->x, K);
    ckda_elem_mul(g, g, p, K);
    ckda_elem_mul(c->x, rest, diff, K);
    ckda_elem_submul(g, c->x, c->x, K);
    ckda_elem_mul(c->x, beta, sum, K);
    ckda_elem_submul(g, c->x, c->x, K);
    const int sign = ckda_elem_sgn(g, K);
    ckda_elem_vec_free(v, 5, K);
    return sign;
}

static ckda_sweep_kind
pair_kind(const sweep_cell *c)
{
    return ckda_elem_is_one(c->det, c->K) ? CKDA_SWEEP_CIRCLE : CKDA_SWEEP_PAIR;
}

ckda_sweep_kind
sweep_decide(bool *twice, sweep_cell *c)
{
    linear_trace(c->trace, c->y, c);
    ckda_elem_addmul(c->trace, c->y, c->value + SWEEP_COS2, c->K);
    set_det(c);
    const int sign = discriminant_sign(c);
    *twice = ckda_elem_sgn(c->value + SWEEP_ALPHA, c->K) < 0
             && ckda_elem_sgn(c->value + SWEEP_BETA, c->K) > 0
             && ckda_elem_sgn(c->value + SWEEP_SECOND, c->K) > 0;
    ckda_require(!*twice || gram_sign(c) == -sign,
                 "discriminant and Gram determinant disagree");
    return sign > 0 ? CKDA_SWEEP_REAL : sign == 0 ? CKDA_SWEEP_DOUBLE : pair_kind(c);
}

/* Over all C in [-1, 1] the least trace^2 is 0 if |l| >= |m|, else (|m| - |l|)^2. */
ckda_sweep_kind
sweep_decide_any(bool *twice, sweep_cell *c)
{
    const ckda_field_struct *K = c->K;
    linear_trace(c->y, c->z, c);
    set_det(c);
    ckda_elem_abs(c->y, c->y, K);
    ckda_elem_abs(c->z, c->z, K);
    ckda_elem_sub(c->trace, c->y, c->z, K);
    if (ckda_elem_sgn(c->trace, K) < 0)
        ckda_elem_zero(c->trace, K);
    const bool pair = discriminant_sign(c) < 0;
    ckda_elem_mul(c->x, c->value + SWEEP_ALPHA, c->value + SWEEP_SECOND, K);
    *twice = true;
    const bool known =
        ckda_elem_cmp_si(c->value + SWEEP_BETA, 1, K) > 0 && ckda_elem_sgn(c->x, K) < 0;
    ckda_require(pair == known, "the least trace and the signs disagree");
    return pair ? pair_kind(c) : CKDA_SWEEP_REAL;
}
