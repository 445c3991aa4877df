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

static ckda_status
set_initial(ckda_rounded_t R, ckda_error *err)
{
    const ckda_ratio r = ckda_arith_initial(&R->arith);
    const ckda_fp_rule rule = ckda_rounded_store_rule(&R->arith);
    fmpq_t q, one;
    fmpz_t integer;
    fmpq_init(q);
    fmpq_init(one);
    fmpz_init(integer);
    fmpz_set_si(fmpq_numref(q), (slong)r.p);
    fmpz_set_si(fmpq_denref(q), (slong)r.q);
    fmpq_canonicalise(q);
    fmpq_one(one);
    R->scale = ckda_fp_get_double(ckda_fp_from_fmpq(q, &ckda_fp_fp64, &ckda_fp_rne),
                                  &ckda_fp_fp64);
    bool fits = true;
    if (R->arith.grid > 0) {
        ckda_fp_grid_fmpq(integer, q, one, R->arith.store);
        fits = fmpz_cmp_si(integer, (slong)ckda_rounded_grid_max(&R->arith)) <= 0;
        R->initial_value = fits ? (double)fmpz_get_si(integer) : 0;
    } else {
        R->initial_value = ckda_fp_get_double(ckda_fp_from_fmpq(q, R->arith.state, &rule),
                                              R->arith.state);
    }
    fmpz_clear(integer);
    fmpq_clear(one);
    fmpq_clear(q);
    if (fits && R->initial_value > 0 && isfinite(R->initial_value))
        return CKDA_OK;
    ckda_error_set(err,
                   "initial: the scale of H_0 does not round to a positive number of "
                   "the state (on a grid: at most the largest grid)");
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
    memset(R, 0, sizeof *R);
}

void
ckda_rounded_initial(double *H, const ckda_rounded_t R)
{
    for (slong i = 0; i < R->n * R->n; i++)
        H[i] = i % (R->n + 1) == 0 ? R->initial_value : 0;
}
