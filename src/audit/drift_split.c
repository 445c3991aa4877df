/* Where the drift of one word comes from: parameters, operations, store. */
#include <math.h>
#include <string.h>

#include "drift_internal.h"
#include "drift_reference.h"

enum {
    WORKING_BITS = 192,  /* of differences: fp64 errors are 2^-53 of the state */
    WANTED_BITS = 96,    /* relative accuracy of H~ */
    EXACT_BITS = 1 << 14 /* up to here integers are not cut at all */
};

/* The runs side by side. */
typedef struct {
    const ckda_rounded_struct *R;
    const ckda_tracker_struct *t;
    const ckda_drift_kernel *kernel;
    bool has_plain;       /* is there a run without the store's rounding? */
    ckda_rounded_t plain; /* the same parameters and operations, state = compute */
    drift_letters letters;
    drift_reference reference;
    double *H, *P; /* the run itself, the run without the store's rounding */
    uint32_t state;
    uint32_t *period;                  /* letters of one period */
    arb_ptr ideal, tilde, hp, h, diff; /* n x n */
    arb_t scale;
} runs;

static bool
store_is_exact(const ckda_arith *a)
{
    return a->grid == 0 && !a->has_flush && a->state == a->compute;
}

static ckda_status
runs_init(runs *r, const ckda_drift_options *o, const ckda_rounded_t R,
          const ckda_tracker_t t, ckda_error *err)
{
    const slong entries = R->n * R->n;
    ckda_arith a = R->arith;
    *r = (runs){.R = R, .t = t, .kernel = o->kernel};
    r->has_plain = o->kernel == NULL && !store_is_exact(&a);
    if (r->has_plain) {
        a.initial = ckda_arith_initial(&R->arith);
        a.grid = 0;
        a.has_flush = false;
        a.state = a.compute;
        const ckda_status st = ckda_rounded_init(r->plain, t, &a, err);
        if (st != CKDA_OK)
            return st;
    }
    drift_letters_init(&r->letters, R);
    r->H = flint_malloc((size_t)entries * sizeof(double));
    r->P = flint_malloc((size_t)entries * sizeof(double));
    r->period =
        flint_malloc((o->kernel != NULL ? o->kernel->period : 1) * sizeof(uint32_t));
    r->ideal = _arb_vec_init(entries);
    r->tilde = _arb_vec_init(entries);
    r->hp = _arb_vec_init(entries);
    r->h = _arb_vec_init(entries);
    r->diff = _arb_vec_init(entries);
    arb_init(r->scale);
    const ckda_ratio scale = ckda_arith_initial(&R->arith);
    arb_set_si(r->scale, scale.p);
    arb_div_si(r->scale, r->scale, scale.q, WORKING_BITS);
    return CKDA_OK;
}

static void
runs_clear(runs *r)
{
    const slong entries = r->R->n * r->R->n;
    drift_letters_clear(&r->letters);
    if (r->has_plain)
        ckda_rounded_clear(r->plain);
    flint_free(r->H);
    flint_free(r->P);
    flint_free(r->period);
    _arb_vec_clear(r->ideal, entries);
    _arb_vec_clear(r->tilde, entries);
    _arb_vec_clear(r->hp, entries);
    _arb_vec_clear(r->h, entries);
    _arb_vec_clear(r->diff, entries);
    arb_clear(r->scale);
}

/* ---- differences ------------------------------------------------------------------------ */

static double
to_double(const arb_t x)
{
    return arf_get_d(arb_midref(x), ARF_RND_NEAR);
}

/* |x|_F / scale */
static double
relative_norm(arb_srcptr x, const runs *r)
{
    arb_t sum;
    arb_init(sum);
    for (slong i = 0; i < r->R->n * r->R->n; i++)
        arb_addmul(sum, x + i, x + i, WORKING_BITS);
    arb_sqrtpos(sum, sum, WORKING_BITS);
    arb_div(sum, sum, r->scale, WORKING_BITS);
    const double v = to_double(sum);
    arb_clear(sum);
    return v;
}

/* x - y cut into the part along the ideal state (which has the norm scale sqrt n) and the
 * rest. */
static ckda_drift_part
part(arb_srcptr x, arb_srcptr y, runs *r)
{
    const slong n = r->R->n, entries = n * n;
    ckda_drift_part p;
    arb_t c, v;
    arb_init(c);
    arb_init(v);
    for (slong i = 0; i < entries; i++) {
        arb_sub(r->diff + i, x + i, y + i, WORKING_BITS);
        arb_addmul(c, r->diff + i, r->ideal + i, WORKING_BITS);
    }
    arb_mul(v, r->scale, r->scale, WORKING_BITS);
    arb_mul_si(v, v, n, WORKING_BITS);
    arb_div(c, c, v, WORKING_BITS); /* diff = c ideal + rest */
    p.along = to_double(c) * sqrt((double)n);
    for (slong i = 0; i < entries; i++)
        arb_submul(r->diff + i, c, r->ideal + i, WORKING_BITS);
    p.across = relative_norm(r->diff, r);
    arb_clear(v);
    arb_clear(c);
    return p;
}

static double
distance(arb_srcptr x, arb_srcptr y, runs *r)
{
    for (slong i = 0; i < r->R->n * r->R->n; i++)
        arb_sub(r->diff + i, x + i, y + i, WORKING_BITS);
    return relative_norm(r->diff, r);
}

static void
set_doubles(arb_ptr x, const double *H, slong entries)
{
    for (slong i = 0; i < entries; i++)
        arb_set_d(x + i, H[i]);
}

/* The largest of the four shares of the drift itself. */
static ckda_drift_source
largest(const ckda_drift_split *s)
{
    const double v[] = {0, fabs(s->keys.along), s->keys.across,
                        hypot(s->operations.along, s->operations.across),
                        hypot(s->store.along, s->store.across)};
    ckda_drift_source best = CKDA_DRIFT_NOTHING;
    for (int i = CKDA_DRIFT_KEY_NORM; i <= CKDA_DRIFT_STORE; i++)
        best = v[i] > v[best] ? (ckda_drift_source)i : best;
    return best;
}

static ckda_drift_split
measure(uint64_t word, uint64_t t, runs *r)
{
    const slong n = r->R->n, entries = n * n;
    ckda_drift_split s = {.word = word,
                          .t = t,
                          .has_store = r->kernel == NULL,
                          .exact = r->reference.prec == 0};
    for (slong i = 0; i < entries; i++) {
        ckda_elem_get_arb(r->ideal + i, r->t->exact[r->state].entry + i, r->t->c->K,
                          WORKING_BITS);
        arb_mul(r->ideal + i, r->ideal + i, r->scale, WORKING_BITS);
    }
    drift_reference_get(r->tilde, &r->reference, WORKING_BITS);
    set_doubles(r->h, r->H, entries);
    set_doubles(r->hp, r->has_plain ? r->P : r->H, entries);
    s.parameters = distance(r->tilde, r->ideal, r);
    s.arithmetic = distance(r->h, r->tilde, r);
    s.keys = part(r->tilde, r->ideal, r);
    s.operations = part(r->hp, r->tilde, r);
    if (r->has_plain)
        s.store = part(r->h, r->hp, r);
    s.norm = relative_norm(r->tilde, r) / sqrt((double)n);
    s.largest = largest(&s);
    return s;
}

/* ---- the runs ------------------------------------------------------------------------- */

static void
restart(runs *r, slong prec)
{
    ckda_rounded_initial(r->H, r->R);
    memcpy(r->P, r->H, (size_t)(r->R->n * r->R->n) * sizeof(double));
    drift_reference_init(&r->reference, r->H, r->R->n, prec);
    r->state = 0;
}

static ckda_status
forward(uint64_t count, drift_word *w, runs *r)
{
    for (uint64_t i = 0; i < count; i++) {
        const uint32_t l = r->period[i] = drift_word_next(w);
        drift_reference_step(&r->reference, l, &r->letters);
        r->state = r->t->next[(size_t)r->state * r->t->nletters + l];
    }
    if (r->kernel != NULL)
        return r->kernel->advance(r->H, r->period, count, r->kernel->context);
    ckda_rounded_step(r->H, r->R->n, r->period[0], r->R);
    if (r->has_plain)
        ckda_rounded_step(r->P, r->R->n, r->period[0], r->plain);
    return CKDA_OK;
}

/* Bits for the wanted accuracy, if H~ does not shrink: errors grow by at most the product
 * of the norms.  0 where exact integers stay short. */
static slong
bits_for(uint64_t index, uint64_t length, const ckda_drift_options *o, const runs *r)
{
    drift_word w;
    double growth = 0, exact = 0;
    drift_word_open(&w, o, index, r->R->nletters);
    for (uint64_t t = 0; t < length; t++) {
        const uint32_t l = drift_word_next(&w);
        growth += r->letters.bits[l];
        exact += (double)r->letters.shift[l];
    }
    if (exact <= EXACT_BITS)
        return 0;
    return WANTED_BITS + 16 + (slong)ceil(growth + log2((double)length));
}

/* One pass with p bits; *worst is the accuracy that was reached. */
static ckda_status
pass(ckda_drift_split *split, size_t *n, double *worst, uint64_t index,
     const uint64_t *at, size_t nat, slong prec, const ckda_drift_options *o, runs *r)
{
    const slong entries = r->R->n * r->R->n;
    const uint64_t period = o->kernel != NULL ? o->kernel->period : 1;
    ckda_status st = CKDA_OK;
    drift_word w;
    drift_word_open(&w, o, index, r->R->nletters);
    restart(r, prec);
    *n = 0;
    *worst = -1e18;
    for (uint64_t t = 0; *n < nat && st == CKDA_OK;) {
        const uint64_t count = o->length - t < period ? o->length - t : period;
        st = forward(count, &w, r);
        t += count;
        if (at[*n] != t || st != CKDA_OK)
            continue;
        if (!drift_is_finite(r->H, entries) || !drift_is_finite(r->P, entries))
            break;
        split[(*n)++] = measure(index, t, r);
        const double accuracy = drift_reference_accuracy(&r->reference);
        *worst = accuracy > *worst ? accuracy : *worst;
    }
    drift_reference_clear(&r->reference);
    return st;
}

ckda_status
drift_split_word(ckda_drift_split *split, size_t *n, uint64_t index, const uint64_t *at,
                 size_t nat, const ckda_drift_options *o, const ckda_rounded_t R,
                 const ckda_tracker_t t, ckda_error *err)
{
    enum { PASSES = 4, MOST_BITS = 1 << 20 };
    runs r;
    double worst = 0;
    ckda_status st = runs_init(&r, o, R, t, err);
    if (st != CKDA_OK)
        return st;
    slong prec = bits_for(index, at[nat - 1], o, &r);
    for (int i = 0; i < PASSES; i++) {
        st = pass(split, n, &worst, index, at, nat, prec, o, &r);
        if (st != CKDA_OK || worst <= -WANTED_BITS || prec > MOST_BITS)
            break;
        /* H~ shrank: what is missing, or twice as much where nothing is left to say */
        prec = worst < 0 ? prec + (slong)ceil(worst) + WANTED_BITS + 8 : 2 * prec;
    }
    if (worst > -WANTED_BITS)
        *n = 0; /* H~ vanished: no split that deserves the name */
    runs_clear(&r);
    return st;
}
