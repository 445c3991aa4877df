/* plan.c -- how admissible points are found: an order of the variables and a way to give
 * each its value.
 *
 * Sampled variables come first.  Then each relation may fix one variable: one unknown
 * alone is a root; a sum of squares is a sphere with its rational points; a relation that
 * is linear in an unknown is solved for it.  The rest is free, within the bounds that
 * assumptions linear in it give.  Nothing rests on this being complete or right: point.c
 * checks every relation and assumption at the finished point.                          */
#include "internal.h"

static uint64_t
used(const fmpz_mpoly_t f, const ckda_sym *s)
{
    int flag[SYM_MAX_VARS];
    uint64_t mask = 0;
    fmpz_mpoly_used_vars(flag, f, s->ctx);
    for (slong i = 0; i < s->nvars; i++)
        if (flag[i])
            mask |= UINT64_C(1) << i;
    return mask;
}

static void
step_init(sym_step *t, sym_how how, slong var)
{
    t->how = how;
    t->var = var;
    t->needs = 0;
    t->node = NULL;
    t->line = NULL;
    t->nlines = 0;
    t->group = 0;
    fmpq_init(t->radius);
    fmpz_poly_factor_init(t->factor);
}

static void
step_clear(sym_step *t, const ckda_sym *s)
{
    for (slong i = 0; i < t->nlines; i++) {
        fmpz_mpoly_clear(t->line[i].slope, s->ctx);
        fmpz_mpoly_clear(t->line[i].rest, s->ctx);
    }
    flint_free(t->line);
    fmpq_clear(t->radius);
    fmpz_poly_factor_clear(t->factor);
}

static void
plan_free(sym_plan *plan, const ckda_sym *s)
{
    for (slong i = 0; i < plan->nsteps; i++)
        step_clear(plan->step + i, s);
    flint_free(plan->step);
    flint_free(plan);
}

void
ckda_sym_plan_free(ckda_sym *s)
{
    if (s->plan != NULL)
        plan_free(s->plan, s);
    s->plan = NULL;
}

static uint64_t
covers(const sym_step *t)
{
    return t->how == STEP_SPHERE ? t->group : UINT64_C(1) << t->var;
}

static uint64_t
assigned(const sym_plan *plan)
{
    uint64_t mask = 0;
    for (slong i = 0; i < plan->nsteps; i++)
        mask |= covers(plan->step + i);
    return mask;
}

/* needs and everything that is computed from it in turn */
static uint64_t
closure(const sym_plan *plan, uint64_t needs)
{
    uint64_t before;
    do {
        before = needs;
        for (slong i = 0; i < plan->nsteps; i++)
            if (covers(plan->step + i) & needs)
                needs |= plan->step[i].needs;
    } while (needs != before);
    return needs;
}

static sym_step *
push(sym_plan *plan, sym_how how, slong var)
{
    plan->step = flint_realloc(plan->step, (size_t)(plan->nsteps + 1) * sizeof(sym_step));
    step_init(plan->step + plan->nsteps, how, var);
    return plan->step + plan->nsteps++;
}

/* f = slope * var + rest; false when f is not linear in var. */
static bool
split_line(sym_line *line, const fmpz_mpoly_t f, slong var, const ckda_sym *s)
{
    if (fmpz_mpoly_degree_si(f, var, s->ctx) != 1)
        return false;
    fmpz_mpoly_univar_t u;
    fmpz_mpoly_univar_init(u, s->ctx);
    fmpz_mpoly_to_univar(u, f, var, s->ctx);
    fmpz_mpoly_init(line->slope, s->ctx);
    fmpz_mpoly_init(line->rest, s->ctx);
    for (slong i = 0; i < u->length; i++)
        fmpz_mpoly_set(fmpz_mpoly_univar_get_term_exp_si(u, i, s->ctx) == 1 ? line->slope
                                                                            : line->rest,
                       u->coeffs + i, s->ctx);
    fmpz_mpoly_univar_clear(u, s->ctx);
    return true;
}

static void
push_line(sym_step *t, const sym_line *line)
{
    t->line = flint_realloc(t->line, (size_t)(t->nlines + 1) * sizeof *t->line);
    t->line[t->nlines++] = *line;
}

/* ---- what a relation can fix ---- */

static bool
try_root(sym_plan *plan, const fmpz_mpoly_t f, const ckda_sym *s)
{
    uint64_t mask = used(f, s);
    if (mask == 0 || (mask & (mask - 1)) != 0 || (mask & assigned(plan)) != 0)
        return false;
    slong var = 0;
    while (!(mask >> var & 1))
        var++;
    fmpz_poly_t p;
    fmpz_poly_init(p);
    ulong e[SYM_MAX_VARS];
    for (slong i = 0; i < fmpz_mpoly_length(f, s->ctx); i++) {
        fmpz_mpoly_get_term_exp_ui(e, f, i, s->ctx);
        fmpz_poly_set_coeff_fmpz(p, (slong)e[var], f->coeffs + i);
    }
    fmpz_poly_factor(push(plan, STEP_ROOT, var)->factor, p);
    fmpz_poly_clear(p);
    return true;
}

/* a (x1^2 + ... + xm^2) = c with unassigned xi and c / a a rational square */
static bool
try_sphere(sym_plan *plan, const fmpz_mpoly_t f, const ckda_sym *s)
{
    uint64_t mask = used(f, s);
    slong len = fmpz_mpoly_length(f, s->ctx);
    if ((mask & (mask - 1)) == 0 || (mask & assigned(plan)) != 0)
        return false;
    ulong e[SYM_MAX_VARS];
    bool ok = true;
    fmpq_t r2;
    fmpq_init(r2);
    for (slong i = 0; i < len && ok; i++) {
        ulong sum = 0, square = 0;
        fmpz_mpoly_get_term_exp_ui(e, f, i, s->ctx);
        for (slong k = 0; k < s->nvars; k++) {
            sum += e[k];
            square += e[k] == 2 ? 1 : 0;
        }
        if (sum == 0)
            fmpq_set_fmpz_frac(r2, f->coeffs + i, f->coeffs + 0);
        else
            ok = sum == 2 && square == 1 && fmpz_equal(f->coeffs + i, f->coeffs + 0);
    }
    fmpq_neg(r2, r2);
    ok = ok && fmpq_sgn(r2) > 0 && fmpz_is_square(fmpq_numref(r2))
         && fmpz_is_square(fmpq_denref(r2));
    if (ok) {
        sym_step *t = push(plan, STEP_SPHERE, 0);
        t->group = mask;
        fmpz_sqrt(fmpq_numref(t->radius), fmpq_numref(r2));
        fmpz_sqrt(fmpq_denref(t->radius), fmpq_denref(r2));
    }
    fmpq_clear(r2);
    return ok;
}

static bool
try_linear(sym_plan *plan, const fmpz_mpoly_t f, bool constant, const ckda_sym *s)
{
    uint64_t mask = used(f, s), taken = assigned(plan);
    for (slong v = 0; v < s->nvars; v++) {
        uint64_t bit = UINT64_C(1) << v;
        sym_line line;
        if (!(mask & bit) || (taken & bit) || (closure(plan, mask & ~bit) & bit)
            || !split_line(&line, f, v, s))
            continue;
        if (constant && !fmpz_mpoly_is_fmpz(line.slope, s->ctx)) {
            fmpz_mpoly_clear(line.slope, s->ctx);
            fmpz_mpoly_clear(line.rest, s->ctx);
            continue;
        }
        sym_step *t = push(plan, STEP_LINEAR, v);
        t->needs = mask & ~bit;
        push_line(t, &line);
        return true;
    }
    return false;
}

static ckda_status
use_relations(sym_plan *plan, ckda_sym *s, ckda_error *err)
{
    fmpz_mpoly_vec_t rel;
    ckda_status st = CKDA_OK;
    fmpz_mpoly_vec_init(rel, 0, s->ctx);
    for (slong k = 0; k < s->nrelations && st == CKDA_OK; k++) {
        const sym_ratmat *v;
        st = ckda_sym_value(&v, s, s->relation[k], 1, err);
        for (slong i = 0; st == CKDA_OK && i < v->rows * v->cols; i++)
            if (!fmpz_mpoly_is_zero(v->num + i, s->ctx))
                fmpz_mpoly_vec_append(rel, v->num + i, s->ctx);
    }
    bool *done = flint_calloc((size_t)rel->length + 1, sizeof *done);
    for (int way = 0; way < 4; way++)
        for (slong i = 0; i < rel->length; i++)
            if (!done[i])
                done[i] = way == 0   ? try_root(plan, rel->p + i, s)
                          : way == 1 ? try_linear(plan, rel->p + i, true, s)
                          : way == 2 ? try_sphere(plan, rel->p + i, s)
                                     : try_linear(plan, rel->p + i, false, s);
    flint_free(done);
    fmpz_mpoly_vec_clear(rel, s->ctx);
    return st;
}

/* ---- free variables and the order ---- */

/* Assumptions that are linear in the free variable v and know everything else. */
static ckda_status
add_bounds(sym_step *t, uint64_t known, ckda_sym *s, ckda_error *err)
{
    fmpz_mpoly_t f;
    ckda_status st = CKDA_OK;
    fmpz_mpoly_init(f, s->ctx);
    for (slong k = 0; k < s->nfacts && st == CKDA_OK; k++) {
        const sym_ratmat *v;
        sym_line line;
        if (!(s->fact[k].sign & SIGN_GE))
            continue;
        if ((st = ckda_sym_value(&v, s, s->fact[k].node, 1, err)) != CKDA_OK)
            break;
        ckda_sym_poly_mul(f, v->num, v->den, s); /* the sign of num / den */
        if ((used(f, s) & ~known & ~(UINT64_C(1) << t->var)) == 0
            && split_line(&line, f, t->var, s))
            push_line(t, &line);
    }
    fmpz_mpoly_clear(f, s->ctx);
    return st;
}

static ckda_status
add_free(sym_plan *order, const sym_plan *plan, ckda_sym *s, ckda_error *err)
{
    uint64_t taken = assigned(plan);
    ckda_status st = CKDA_OK;
    for (slong v = 0; v < s->nvars && st == CKDA_OK; v++)
        if (!(taken >> v & 1)) {
            uint64_t known = assigned(order);
            st = add_bounds(push(order, STEP_FREE, v), known, s, err);
        }
    return st;
}

/* Moves the steps of plan behind the free ones, each after what it needs. */
static ckda_status
arrange(sym_plan *order, sym_plan *plan, ckda_error *err)
{
    while (plan->nsteps > 0) {
        uint64_t known = assigned(order);
        slong i = 0;
        while (i < plan->nsteps && (plan->step[i].needs & ~known) != 0)
            i++;
        if (i == plan->nsteps) {
            ckda_error_set(err,
                           "the sample expressions depend on one another in a circle");
            return CKDA_E_INPUT;
        }
        order->step =
            flint_realloc(order->step, (size_t)(order->nsteps + 1) * sizeof(sym_step));
        order->step[order->nsteps++] = plan->step[i];
        plan->nsteps--;
        for (; i < plan->nsteps; i++)
            plan->step[i] = plan->step[i + 1];
    }
    return CKDA_OK;
}

ckda_status
ckda_sym_plan_make(ckda_sym *s, ckda_error *err)
{
    if (s->plan != NULL)
        return CKDA_OK;
    sym_plan *plan = flint_calloc(1, sizeof *plan),
             *order = flint_calloc(1, sizeof *order);
    for (slong i = 0; i < s->nsamples; i++) {
        sym_step *t = push(plan, STEP_SAMPLE, s->sample[i].var);
        t->node = s->sample[i].node;
        t->needs = t->node->vars;
    }
    ckda_status st = use_relations(plan, s, err);
    if (st == CKDA_OK)
        st = add_free(order, plan, s, err);
    if (st == CKDA_OK)
        st = arrange(order, plan, err);
    plan_free(plan, s);
    if (st == CKDA_OK)
        s->plan = order;
    else
        plan_free(order, s);
    return st;
}
