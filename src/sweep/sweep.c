/* The grid: numbers, cells, counts. */
#include <stdlib.h>
#include <string.h>
#include "sweep_internal.h"

enum { MAX_DEGREE = 64 };

const char *
ckda_sweep_axis_name(ckda_sweep_axis a)
{
    static const char *const names[CKDA_SWEEP_AXES] = {"theta", "alpha", "beta"};
    ckda_require((unsigned)a < CKDA_SWEEP_AXES, "axis number %d", (int)a);
    return names[a];
}

const char *
ckda_sweep_kind_name(ckda_sweep_kind k)
{
    static const char *const names[CKDA_SWEEP_KINDS] = {"real", "double", "pair",
                                                        "circle"};
    ckda_require((unsigned)k < CKDA_SWEEP_KINDS, "kind number %d", (int)k);
    return names[k];
}

/* ---- the plan ------------------------------------------------------------------------ */

static bool
is_axis(const ckda_sweep_plan *p, ckda_sweep_axis a)
{
    return p->x == a || p->y == a;
}

static ckda_status
expect(ckda_error *err, const char *what)
{
    ckda_error_set(err, "%s", what);
    return CKDA_E_INPUT;
}

/* Each parameter either runs or is fixed. */
static ckda_status
check_plan(const ckda_sweep_plan *p, ckda_error *err)
{
    const char *fixed[CKDA_SWEEP_AXES] = {p->tangent, p->alpha, p->beta};
    if (p->x == p->y)
        return expect(err, "axes: expected two different ones");
    if (p->cells < 1 || p->cells > CKDA_SWEEP_MAX_CELLS)
        return expect(err, "cells: expected a whole number from 1 to 1000");
    if (p->any_key && (is_axis(p, CKDA_SWEEP_THETA) || p->tangent != NULL))
        return expect(err, "any key: expected the axes alpha and beta and no angle");
    for (int a = 0; a < CKDA_SWEEP_AXES; a++) {
        const bool given = fixed[a] != NULL || (a == CKDA_SWEEP_THETA && p->any_key);
        if (is_axis(p, (ckda_sweep_axis)a) != given)
            continue;
        ckda_error_set(err, "%s: expected %s", ckda_sweep_axis_name((ckda_sweep_axis)a),
                       given ? "no value, since it is an axis"
                             : "a value, since it is no axis");
        return CKDA_E_INPUT;
    }
    return p->second != NULL ? CKDA_OK : expect(err, "second gate: expected a value");
}

/* x[0 .. 4] = alpha, beta, second, tan(theta/2), cos(180/cells degrees); 0 where unused. */
static ckda_status
read_numbers(qqbar_struct *x, const ckda_sweep_plan *p, ckda_error *err)
{
    static const char *const names[] = {"alpha", "beta", "second gate", "theta"};
    const char *text[] = {p->alpha, p->beta, p->second, p->tangent};
    for (int i = 0; i < 4; i++) {
        if (text[i] == NULL)
            continue;
        const ckda_status st = ckda_number_parse(x + i, text[i], err);
        if (st != CKDA_OK) {
            ckda_error_prefix(err, names[i]);
            return st;
        }
        if (!qqbar_is_real(x + i)) {
            ckda_error_set(err, "%s: expected a real number, found %s", names[i],
                           text[i]);
            return CKDA_E_INPUT;
        }
    }
    if (qqbar_sgn_re(x + 2) <= 0)
        return expect(err, "second gate: expected a number above 0");
    if (p->cosine && is_axis(p, CKDA_SWEEP_THETA))
        qqbar_cos_pi(x + 4, 1, (ulong)p->cells);
    return CKDA_OK;
}

static ckda_status
find_field(ckda_field_t K, ckda_elem_struct *y, const ckda_sweep_plan *p, ckda_error *err)
{
    qqbar_struct x[5];
    for (int i = 0; i < 5; i++)
        qqbar_init(x + i);
    ckda_status st = read_numbers(x, p, err);
    if (st == CKDA_OK) {
        st = ckda_field_init_numbers(K, y, x, 5, MAX_DEGREE);
        if (st != CKDA_OK)
            ckda_error_set(err,
                           "limit reached: the numbers need a field of degree above %d",
                           MAX_DEGREE);
    }
    for (int i = 0; i < 5; i++)
        qqbar_clear(x + i);
    return st;
}

/* c = cos 2 theta = 1 - 8 t^2/(1 + t^2)^2 for t = tan(theta/2). */
static void
cos_of_tangent(ckda_elem_t c, const ckda_elem_t t, const ckda_field_t K)
{
    ckda_elem_t s, one;
    ckda_elem_init(s, K);
    ckda_elem_init(one, K);
    ckda_elem_one(one, K);
    ckda_elem_mul(s, t, t, K);
    ckda_elem_mul_si(c, s, -8, K);
    ckda_elem_add(s, s, one, K);
    ckda_elem_mul(s, s, s, K);
    const ckda_status st = ckda_elem_div(c, c, s, K);
    ckda_require(st == CKDA_OK, "1 + t^2 > 0");
    ckda_elem_add(c, c, one, K);
    ckda_elem_clear(one, K);
    ckda_elem_clear(s, K);
}

/* c[i] = cos(i x) from c[1] = cos x: c[i+1] = 2 c[1] c[i] - c[i-1]. */
static void
multiple_angles(ckda_elem_struct *c, slong n, const ckda_elem_t first,
                const ckda_field_t K)
{
    ckda_elem_one(c, K);
    ckda_elem_set(c + 1, first, K);
    for (slong i = 2; i <= n; i++) {
        ckda_elem_mul(c + i, first, c + i - 1, K);
        ckda_elem_mul_si(c + i, c + i, 2, K);
        ckda_elem_sub(c + i, c + i, c + i - 2, K);
    }
}

static void
set_angles(ckda_sweep_t s, const ckda_elem_t cosine)
{
    const slong n = s->plan.cells;
    ckda_elem_t t;
    s->cos2 = ckda_elem_vec_new(n + 1, s->K);
    if (s->plan.cosine) {
        multiple_angles(s->cos2, n, cosine, s->K); /* 2 theta = 180 i/n degrees */
        return;
    }
    ckda_elem_init(t, s->K);
    for (slong i = 0; i <= n; i++) {
        ckda_elem_set_frac(t, i, n, s->K);
        cos_of_tangent(s->cos2 + i, t, s->K);
    }
    ckda_elem_clear(t, s->K);
}

/* ---- cells --------------------------------------------------------------------------- */

static void
set_axis(sweep_cell *c, const ckda_sweep_t s, ckda_sweep_axis a, slong i)
{
    const slong n = s->plan.cells;
    if (a == CKDA_SWEEP_THETA)
        ckda_elem_set(c->value + SWEEP_COS2, s->cos2 + i, s->K);
    else if (a == CKDA_SWEEP_ALPHA)
        ckda_elem_set_frac(c->value + SWEEP_ALPHA, 2 * i - n, n, s->K);
    else
        ckda_elem_set_frac(c->value + SWEEP_BETA, 2 * i, n, s->K);
}

static void
decide_all(ckda_sweep_t s)
{
    const slong n = s->plan.cells;
    sweep_cell c;
    sweep_cell_init(&c, s->K);
    for (int v = 0; v < SWEEP_VALUES; v++)
        ckda_elem_set(c.value + v, s->value + v, s->K);
    for (slong j = 0; j <= n; j++) {
        set_axis(&c, s, s->plan.y, j);
        for (slong i = 0; i <= n; i++) {
            bool twice = false;
            set_axis(&c, s, s->plan.x, i);
            const ckda_sweep_kind k =
                s->plan.any_key ? sweep_decide_any(&twice, &c) : sweep_decide(&twice, &c);
            s->kind[j * (n + 1) + i] = (unsigned char)k;
            s->count[k]++;
            s->second_ways += twice;
        }
    }
    sweep_cell_clear(&c);
}

ckda_status
ckda_sweep_run(ckda_sweep_t s, const ckda_sweep_plan *plan, ckda_error *err)
{
    ckda_sweep_struct new[1] = {{.plan = *plan}};
    ckda_elem_struct y[5];
    ckda_status st = check_plan(plan, err);
    if (st == CKDA_OK)
        st = find_field(new->K, y, plan, err);
    if (st != CKDA_OK)
        return st;
    const size_t side = (size_t)plan->cells + 1;
    new->value = ckda_elem_vec_new(SWEEP_VALUES, new->K);
    for (int i = 0; i < 3; i++)
        ckda_elem_set(new->value + i, y + i, new->K);
    if (plan->tangent != NULL)
        cos_of_tangent(new->value + SWEEP_COS2, y + 3, new->K);
    if (is_axis(plan, CKDA_SWEEP_THETA))
        set_angles(new, y + 4);
    for (int i = 0; i < 5; i++)
        ckda_elem_clear(y + i, new->K);
    new->kind = flint_malloc(side * side);
    decide_all(new);
    *s = *new;
    return CKDA_OK;
}

void
ckda_sweep_clear(ckda_sweep_t s)
{
    ckda_elem_vec_free(s->value, SWEEP_VALUES, s->K);
    if (s->cos2 != NULL)
        ckda_elem_vec_free(s->cos2, s->plan.cells + 1, s->K);
    flint_free(s->kind);
    ckda_field_clear(s->K);
}

char *
ckda_sweep_value(const ckda_sweep_t s, ckda_sweep_axis a, slong i)
{
    const slong n = s->plan.cells;
    fmpq_t q;
    fmpq_init(q);
    if (a == CKDA_SWEEP_ALPHA)
        fmpq_set_si(q, 2 * i - n, (ulong)n);
    else if (a == CKDA_SWEEP_BETA)
        fmpq_set_si(q, 2 * i, (ulong)n);
    else
        fmpq_set_si(q, s->plan.cosine ? 90 * i : i, (ulong)n);
    char *flint = fmpq_get_str(NULL, 10, q), *text = strdup(flint);
    ckda_require_memory(text != NULL);
    flint_free(flint);
    fmpq_clear(q);
    return text;
}
