/* Rounded trackers: their life, H_0, the store as constants, and their exact matrices. */
#include "rounded_internal.h"

#include <float.h>

#include <math.h>
#include <string.h>

ckda_fp_rule
ckda_rounded_store_rule(const ckda_arith *a)
{
    ckda_fp_rule rule = ckda_fp_rne;
    rule.direction = a->store;
    rule.plus_zero = true;
    if (a->has_flush) {
        rule.flush = CKDA_FP_FLUSH_AFTER;
        rule.flush_exp = -a->flush;
    }
    return rule;
}

/* ---- the store --------------------------------------------------------------------- */

/* Integers: below 2^(p-1) the anchor's unit is 1, above every value is an integer. */
static void
set_grid_store(ckda_rounded_store *s, const ckda_arith *a)
{
    s->tiny = s->anchor = ldexp(1, a->compute->precision - 1);
    s->unit = a->store == CKDA_FP_RTZ ? 1 : 0;
}

/* Normal values lose the lowest `drop` bits of the pattern; subnormal ones are rounded at
 * the anchor, whose unit in the compute format is the smallest subnormal of the state. */
static void
set_float_store(ckda_rounded_store *s, const ckda_arith *a)
{
    const ckda_fp_format *f = a->state, *c = a->compute;
    const bool nearest = a->store == CKDA_FP_RNE;
    if (a->has_flush)
        s->flush = ldexp(1, -a->flush);
    s->normal = ldexp(1, f->emin);
    if (f == c)
        return;
    s->drop = c->precision - f->precision;
    s->mask = ~UINT64_C(0) << s->drop;
    s->odd = nearest && s->drop > 0;
    s->half_less = s->odd ? (UINT64_C(1) << (s->drop - 1)) - 1 : 0;
    if (f->emin > c->emin) {
        s->tiny = ldexp(1, f->emin);
        s->anchor = ldexp(1, f->emin - f->precision + c->precision);
        s->unit = nearest ? 0 : ldexp(1, f->emin - f->precision + 1);
    }
    if (f->emax < c->emax) {
        const double largest = ckda_fp_get_double(f->largest, f);
        /* the least magnitude that is beyond the largest one, on the same spacing */
        s->limit = largest + ldexp(1, f->emax - f->precision + 1);
        s->over = nearest ? (f->has_infinity ? INFINITY : NAN) : largest;
    }
}

void
ckda_rounded_set_store(ckda_rounded_t R)
{
    ckda_rounded_store *s = &R->to_state;
    memset(s, 0, sizeof *s);
    s->mask = ~UINT64_C(0);
    s->limit = s->over = INFINITY;
    if (R->arith.grid > 0)
        set_grid_store(s, &R->arith);
    else
        set_float_store(s, &R->arith);
}

/* ---- life -------------------------------------------------------------------------- */

static bool
are_floats(const double *x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!(fabs(x[i]) <= FLT_MAX) || (double)(float)x[i] != x[i])
            return false;
    return true;
}

/* The processor computes in fp32 and fp64 if no parameter is wider than that.  A state
 * format without infinities (e4m3) overflows in its own way. */
static void
choose_path(ckda_rounded_t R)
{
    const size_t steps = R->first[R->nletters], n = (size_t)R->n;
    const bool small = R->n <= CKDA_ROUNDED_FAST_MAX
                       && (R->arith.grid > 0 || R->arith.state->has_infinity);
    R->uses_fp32 = small && R->arith.compute == &ckda_fp_fp32
                   && are_floats(R->beta_value, steps)
                   && are_floats(R->gate_value, steps * n);
    R->uses_fp64 = small && R->arith.compute == &ckda_fp_fp64;
}

/* STORE(x); false when it leaves the stored values. */
static bool
store_entry(double *to, const fmpq_t x, const ckda_arith *a)
{
    if (a->grid == 0) {
        const ckda_fp_rule rule = ckda_rounded_store_rule(a);
        *to = ckda_fp_get_double(ckda_fp_from_fmpq(x, a->state, &rule), a->state);
        return isfinite(*to);
    }
    fmpq_t one;
    fmpz_t n;
    fmpq_init(one);
    fmpz_init(n);
    fmpq_one(one);
    ckda_fp_grid_fmpq(n, x, one, a->store);
    const slong most = (slong)ckda_rounded_grid_max(a);
    const bool fits = fmpz_cmp_si(n, most) <= 0 && fmpz_cmp_si(n, -most) >= 0;
    *to = fits ? (double)fmpz_get_si(n) : 0;
    fmpz_clear(n);
    fmpq_clear(one);
    return fits;
}

/* H_0 = STORE(scale Q), and not 0. */
static ckda_status
set_initial(ckda_rounded_t R, ckda_error *err)
{
    const ckda_ratio r = ckda_arith_initial(&R->arith);
    bool fits = true, any = false;
    fmpq_mat_t Q;
    fmpq_t scale, x;
    fmpq_mat_init(Q, R->n, R->n);
    fmpq_init(scale);
    fmpq_init(x);
    fmpz_set_si(fmpq_numref(scale), (slong)r.p);
    fmpz_set_si(fmpq_denref(scale), (slong)r.q);
    fmpq_canonicalise(scale);
    R->scale = ckda_fp_get_double(ckda_fp_from_fmpq(scale, &ckda_fp_fp64, &ckda_fp_rne),
                                  &ckda_fp_fp64);
    R->initial = flint_calloc((size_t)(R->n * R->n), sizeof *R->initial);
    ckda_tracker_start_matrix(Q, R->arith.start);
    for (slong i = 0; i < R->n * R->n && fits; i++) {
        fmpq_mul(x, scale, fmpq_mat_entry(Q, i / R->n, i % R->n));
        fits = store_entry(R->initial + i, x, &R->arith);
        any = any || R->initial[i] != 0;
    }
    fmpq_clear(x);
    fmpq_clear(scale);
    fmpq_mat_clear(Q);
    if (fits && any)
        return CKDA_OK;
    ckda_error_set(err,
                   "initial: H_0 rounds to 0 or beyond the finite numbers of the state "
                   "(on a grid: beyond the largest grid)");
    return CKDA_E_DOMAIN;
}

static uint32_t
count_steps(ckda_rounded_t R, const ckda_tracker_t t)
{
    R->first[0] = 0;
    for (uint32_t l = 0; l < R->nletters; l++) {
        const ckda_trans_struct *x = &t->c->trans[t->element_of_letter[l]];
        slong *kept = flint_malloc((size_t)x->steps * sizeof *kept);
        R->first[l + 1] =
            R->first[l] + (uint32_t)ckda_rounded_kept_steps(kept, x, t->c->K);
        flint_free(kept);
    }
    return R->first[R->nletters];
}

static void
allocate(ckda_rounded_t R, size_t steps)
{
    const size_t n = (size_t)R->n, matrices = R->nletters * n * n;
    R->key = flint_calloc(steps * n, sizeof *R->key);
    R->gate = flint_calloc(steps * n, sizeof *R->gate);
    R->beta = flint_calloc(steps, sizeof *R->beta);
    R->scaled_key = flint_calloc(steps * n, sizeof *R->scaled_key);
    R->key_value = flint_calloc(steps * n, sizeof *R->key_value);
    R->gate_value = flint_calloc(steps * n, sizeof *R->gate_value);
    R->beta_value = flint_calloc(steps, sizeof *R->beta_value);
    R->scaled_value = flint_calloc(steps * n, sizeof *R->scaled_value);
    if (R->arith.form == CKDA_FORM_MATRIX) {
        R->matrix = flint_calloc(matrices, sizeof *R->matrix);
        R->matrix_value = flint_calloc(matrices, sizeof *R->matrix_value);
    }
}

ckda_status
ckda_rounded_init(ckda_rounded_t R, const ckda_tracker_t t, const ckda_arith *a,
                  ckda_error *err)
{
    ckda_status st = ckda_arith_check(a, err);
    if (st != CKDA_OK)
        return st;
    ckda_require(a->start == t->start, "the tracker starts from another H_0");
    ckda_rounded_t N;
    memset(N, 0, sizeof *N);
    N->arith = *a;
    N->n = t->n;
    N->nletters = t->nletters;
    N->first = flint_calloc((size_t)N->nletters + 1, sizeof *N->first);
    allocate(N, count_steps(N, t));
    st = set_initial(N, err);
    if (st == CKDA_OK)
        st = ckda_rounded_parameters(N, t, err);
    if (st != CKDA_OK) {
        ckda_rounded_clear(N);
        return st;
    }
    choose_path(N);
    ckda_rounded_set_store(N);
    *R = *N;
    return CKDA_OK;
}

void
ckda_rounded_clear(ckda_rounded_t R)
{
    flint_free(R->first);
    flint_free(R->key);
    flint_free(R->gate);
    flint_free(R->beta);
    flint_free(R->scaled_key);
    flint_free(R->key_value);
    flint_free(R->gate_value);
    flint_free(R->beta_value);
    flint_free(R->scaled_value);
    flint_free(R->matrix);
    flint_free(R->matrix_value);
    flint_free(R->initial);
    memset(R, 0, sizeof *R);
}

void
ckda_rounded_initial(double *H, const ckda_rounded_t R)
{
    memcpy(H, R->initial, (size_t)(R->n * R->n) * sizeof *H);
}
