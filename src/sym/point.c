/* point.c -- draws one point after a plan and checks that it is admissible. */
#include "internal.h"

void
ckda_sym_point_init(sym_point *pt, const ckda_sym *s)
{
    pt->var = flint_malloc((size_t)(s->nvars + 1) * sizeof *pt->var);
    pt->param = flint_malloc((size_t)(s->nparams + 1) * sizeof *pt->param);
    for (slong i = 0; i < s->nvars; i++)
        fmpq_poly_init(pt->var + i);
    for (slong i = 0; i < s->nparams; i++)
        fmpq_poly_init(pt->param + i);
    fmpq_poly_init(pt->minimal);
    pt->modulus = NULL;
    pt->algebraic = -1;
    pt->root = 0;
    qqbar_init(pt->root_value);
    pt->epoch = 0;
}

void
ckda_sym_point_clear(sym_point *pt, const ckda_sym *s)
{
    for (slong i = 0; i < s->nvars; i++)
        fmpq_poly_clear(pt->var + i);
    for (slong i = 0; i < s->nparams; i++)
        fmpq_poly_clear(pt->param + i);
    flint_free(pt->var);
    flint_free(pt->param);
    fmpq_poly_clear(pt->minimal);
    qqbar_clear(pt->root_value);
}

/* Mostly tiny numbers (they make short counterexamples), now and then larger ones. */
static void
draw_small(fmpq_t x, ckda_rand *rnd, slong lo)
{
    bool large = ckda_rand_below(rnd, 8) == 0;
    slong hi = large ? 30 : 4;
    slong p = (slong)ckda_rand_range(rnd, lo < 0 ? -hi : lo, hi);
    ulong q = (ulong)ckda_rand_range(rnd, 1, large ? 7 : 3);
    fmpq_set_si(x, p, q);
}

static bool
constant_of(fmpq_t x, const fmpq_poly_t a)
{
    if (fmpq_poly_length(a) > 1)
        return false;
    fmpq_poly_get_coeff_fmpq(x, a, 0);
    return true;
}

/* lo and hi from the assumptions slope * x + rest >= 0 */
static void
bounds(fmpq_t lo, bool *has_lo, fmpq_t hi, bool *has_hi, const sym_step *t,
       const ckda_sym *s, const sym_point *pt)
{
    fmpq_poly_t a;
    fmpq_t slope, b;
    fmpq_poly_init(a);
    fmpq_init(slope);
    fmpq_init(b);
    *has_lo = *has_hi = false;
    for (slong i = 0; i < t->nlines; i++) {
        ckda_sym_poly_number(a, s, t->line[i].slope, pt);
        if (!constant_of(slope, a) || fmpq_is_zero(slope))
            continue;
        ckda_sym_poly_number(a, s, t->line[i].rest, pt);
        if (!constant_of(b, a))
            continue;
        fmpq_div(b, b, slope);
        fmpq_neg(b, b);
        if (fmpq_sgn(slope) > 0 && (!*has_lo || fmpq_cmp(b, lo) > 0)) {
            fmpq_set(lo, b);
            *has_lo = true;
        } else if (fmpq_sgn(slope) < 0 && (!*has_hi || fmpq_cmp(b, hi) < 0)) {
            fmpq_set(hi, b);
            *has_hi = true;
        }
    }
    fmpq_poly_clear(a);
    fmpq_clear(slope);
    fmpq_clear(b);
}

static bool
draw_free(sym_point *pt, const sym_step *t, const ckda_sym *s, ckda_rand *rnd)
{
    fmpq_t lo, hi, x;
    bool has_lo, has_hi, ok = true;
    fmpq_init(lo);
    fmpq_init(hi);
    fmpq_init(x);
    bounds(lo, &has_lo, hi, &has_hi, t, s, pt);
    if (has_lo && has_hi) {
        slong m = (slong)ckda_rand_range(rnd, 1, 8);
        fmpq_sub(hi, hi, lo);
        ok = fmpq_sgn(hi) >= 0;
        fmpq_set_si(x, (slong)ckda_rand_range(rnd, 0, m), (ulong)m);
        fmpq_mul(x, x, hi);
        fmpq_add(x, x, lo);
    } else if (has_lo || has_hi) {
        draw_small(x, rnd, 0);
        if (has_lo)
            fmpq_add(x, lo, x);
        else
            fmpq_sub(x, hi, x);
    } else {
        draw_small(x, rnd, -1);
    }
    fmpq_poly_set_fmpq(pt->var + t->var, x);
    fmpq_clear(lo);
    fmpq_clear(hi);
    fmpq_clear(x);
    return ok;
}

static bool
draw_linear(sym_point *pt, const sym_step *t, const ckda_sym *s)
{
    fmpq_poly_t a, b;
    fmpq_poly_init(a);
    fmpq_poly_init(b);
    ckda_sym_poly_number(a, s, t->line[0].slope, pt);
    ckda_sym_poly_number(b, s, t->line[0].rest, pt);
    bool ok = ckda_sym_num_inv(a, a, pt);
    if (ok) {
        ckda_sym_num_mul(b, b, a, pt);
        fmpq_poly_neg(pt->var + t->var, b);
    }
    fmpq_poly_clear(a);
    fmpq_poly_clear(b);
    return ok;
}

/* Stereographic projection from a random pole: x = r (1 - T) / (1 + T) there and
 * 2 r t_i / (1 + T) elsewhere, T = sum of t_i^2. */
static void
draw_sphere(sym_point *pt, const sym_step *t, const ckda_sym *s, ckda_rand *rnd)
{
    slong member[SYM_MAX_VARS], m = 0;
    fmpq_t sum, x, scale;
    for (slong v = 0; v < s->nvars; v++)
        if (t->group >> v & 1)
            member[m++] = v;
    slong pole = (slong)ckda_rand_below(rnd, (uint64_t)m);
    fmpq_init(sum);
    fmpq_init(x);
    fmpq_init(scale);
    for (slong i = 0; i < m; i++)
        if (i != pole) {
            draw_small(x, rnd, -1);
            fmpq_poly_set_fmpq(pt->var + member[i], x);
            fmpq_addmul(sum, x, x);
        }
    fmpq_add_si(scale, sum, 1);
    fmpq_div(scale, t->radius, scale); /* r / (1 + T) */
    fmpq_sub_si(x, sum, 1);
    fmpq_neg(x, x);
    fmpq_mul(x, x, scale);
    fmpq_mul_2exp(scale, scale, 1);
    for (slong i = 0; i < m; i++)
        if (i != pole)
            fmpq_poly_scalar_mul_fmpq(pt->var + member[i], pt->var + member[i], scale);
    fmpq_poly_set_fmpq(pt->var + member[pole], x);
    fmpq_clear(sum);
    fmpq_clear(x);
    fmpq_clear(scale);
}

/* The variable becomes a random real root of the irreducible f; false when f has none. */
static bool
real_root(sym_point *pt, const fmpz_poly_t f, ckda_rand *rnd)
{
    slong d = fmpz_poly_degree(f), real = 0;
    qqbar_struct *root = flint_malloc((size_t)d * sizeof *root);
    for (slong i = 0; i < d; i++)
        qqbar_init(root + i);
    qqbar_roots_fmpz_poly(root, f, QQBAR_ROOTS_IRREDUCIBLE);
    for (slong i = 0; i < d; i++) /* real ones to the front, in increasing order */
        if (qqbar_is_real(root + i)) {
            slong k = real++;
            qqbar_swap(root + k, root + i);
            for (; k > 0 && qqbar_cmp_re(root + k, root + k - 1) < 0; k--)
                qqbar_swap(root + k, root + k - 1);
        }
    if (real > 0) {
        pt->root = (slong)ckda_rand_below(rnd, (uint64_t)real);
        qqbar_set(pt->root_value, root + pt->root);
    }
    for (slong i = 0; i < d; i++)
        qqbar_clear(root + i);
    flint_free(root);
    return real > 0;
}

static bool
draw_root(sym_point *pt, const sym_step *t, ckda_rand *rnd)
{
    if (t->factor->num == 0)
        return false;
    const fmpz_poly_struct *f =
        t->factor->p + ckda_rand_below(rnd, (uint64_t)t->factor->num);
    fmpq_poly_struct *x = pt->var + t->var;
    if (fmpz_poly_degree(f) == 1) {
        fmpq_t root;
        fmpq_init(root);
        fmpq_set_fmpz_frac(root, f->coeffs + 0, f->coeffs + 1);
        fmpq_neg(root, root);
        fmpq_poly_set_fmpq(x, root);
        fmpq_clear(root);
        return true;
    }
    /* One algebraic coordinate keeps the numbers in a field of one generator. */
    if (pt->modulus != NULL || !real_root(pt, f, rnd))
        return false;
    fmpq_poly_set_fmpz_poly(pt->minimal, f);
    pt->modulus = pt->minimal;
    pt->algebraic = t->var;
    fmpq_poly_zero(x);
    fmpq_poly_set_coeff_si(x, 1, 1);
    return true;
}

static bool
draw_step(sym_point *pt, const sym_step *t, ckda_sym *s, ckda_rand *rnd)
{
    const sym_nummat *v;
    switch (t->how) {
    case STEP_FREE:
        return draw_free(pt, t, s, rnd);
    case STEP_LINEAR:
        return draw_linear(pt, t, s);
    case STEP_SPHERE:
        draw_sphere(pt, t, s, rnd);
        return true;
    case STEP_ROOT:
        return draw_root(pt, t, rnd);
    default:
        if (!ckda_sym_number(&v, s, t->node, pt))
            return false;
        fmpq_poly_set(pt->var + t->var, v->at);
        return true;
    }
}

static bool
admissible(sym_point *pt, ckda_sym *s)
{
    const sym_nummat *v;
    for (slong k = 0; k < s->nrelations; k++) {
        if (!ckda_sym_number(&v, s, s->relation[k], pt))
            return false;
        for (slong i = 0; i < v->rows * v->cols; i++)
            if (!fmpq_poly_is_zero(v->at + i))
                return false;
    }
    for (slong k = 0; k < s->nfacts; k++) {
        if (!ckda_sym_number(&v, s, s->fact[k].node, pt))
            return false;
        int sign = ckda_sym_num_sign(v->at, pt);
        if (((s->fact[k].sign & SIGN_GE) && sign < 0)
            || ((s->fact[k].sign & SIGN_NZ) && sign == 0))
            return false;
    }
    return true;
}

bool
ckda_sym_point_draw(sym_point *pt, ckda_sym *s, ckda_rand *rnd)
{
    fmpq_t x;
    pt->modulus = NULL;
    pt->algebraic = -1;
    pt->epoch = ++s->epoch;
    fmpq_init(x);
    for (slong i = 0; i < s->nparams; i++) {
        draw_small(x, rnd, -1);
        fmpq_poly_set_fmpq(pt->param + i, x);
    }
    fmpq_clear(x);
    for (slong i = 0; i < s->nvars; i++)
        fmpq_poly_zero(pt->var + i);
    for (slong i = 0; i < s->plan->nsteps; i++)
        if (!draw_step(pt, s->plan->step + i, s, rnd))
            return false;
    return admissible(pt, s);
}

char *
ckda_sym_point_text(const ckda_sym *s, const sym_point *pt)
{
    sym_buf b;
    ckda_sym_buf_init(&b);
    for (slong i = 0; i < s->nvars; i++) {
        char *value = i == pt->algebraic
                          ? fmpq_poly_get_str_pretty(pt->minimal, s->var[i])
                          : ckda_sym_num_text(s, pt->var + i, pt);
        ckda_sym_buf_add(&b, "%s%s=", i > 0 ? ", " : "", s->var[i]);
        if (i == pt->algebraic)
            ckda_sym_buf_add(&b, "real root %ld of %s", (long)pt->root + 1, value);
        else
            ckda_sym_buf_add(&b, "%s", value);
        flint_free(value);
    }
    return b.text;
}
