/* Does a state decode to the right element?  Proved either way.
 *
 * Nearest.  Let X = S^T H.  The states are a group of matrices and the element is a
 * homomorphism of it, so <H, S R> = <X, R> and element(S R) = element(S) exactly when
 * element(R) = 1: H decodes rightly iff X decodes to 1, and that no longer mentions S.
 * Suppose that X_0 was compared with all states: <X_0, R> - <X_0, R'> >= gap for the best
 * R over 1 and every R' over something else.  For X = c X_0 + E, c > 0,
 *     <X, R> - <X, R'> >= c gap - |E|_F |R - R'|_F >= c gap - 2 sqrt n |E|_F,
 * and one comparison serves for every later state near the ray of X_0.  A tracker that starts
 * from Q has states V = S Q: then <H, S R Q> = <X, R Q> with X = S^T H = Q (V^T H), and R Q
 * stands in its table.
 *
 * Rounding.  With table entries within 2^-52 and sums of n (n^2) products, computed X and
 * inner products of H with states are off by less than 8 n^3 2^-52 |H|_F together, the
 * product with Q by as much again; both sides, X_0's share and the few operations after are
 * covered by 64 n^3 2^-52 |H|_F.
 * H is first scaled by a power of two if its size could overflow or underflow products. */
#include <math.h>
#include <string.h>

#include "ckda/construct.h"
#include "drift_internal.h"

bool
drift_is_finite(const double *H, slong entries)
{
    double sum = 0; /* x - x is 0 unless x is infinite or NaN */
    for (slong i = 0; i < entries; i++)
        sum += H[i] - H[i];
    return sum == 0;
}

static double
largest_entry(const double *H, slong entries)
{
    double top = 0;
    for (slong i = 0; i < entries; i++)
        top = fabs(H[i]) > top ? fabs(H[i]) : top;
    return top;
}

static double
plain_norm(const double *H, slong entries)
{
    double sum = 0;
    for (slong i = 0; i < entries; i++)
        sum += H[i] * H[i];
    return sqrt(sum);
}

double
drift_norm(const double *H, slong entries)
{
    const double top = largest_entry(H, entries);
    if (!drift_is_finite(H, entries) || (top > 0x1p-400 && top < 0x1p400) || top == 0)
        return plain_norm(H, entries);
    int e;
    double sum = 0;
    frexp(top, &e);
    for (slong i = 0; i < entries; i++) {
        const double x = ldexp(H[i], -e);
        sum += x * x;
    }
    return ldexp(sqrt(sum), e);
}

/* ---- nearest ------------------------------------------------------------------------ */

/* X = S^T H with H scaled by 2^-e. */
static void
to_frame(double *X, const double *H, int e, const double *S, slong n)
{
    for (slong i = 0; i < n; i++)
        for (slong j = 0; j < n; j++) {
            double sum = 0;
            for (slong k = 0; k < n; k++)
                sum += S[k * n + i] * (e == 0 ? H[k * n + j] : ldexp(H[k * n + j], -e));
            X[i * n + j] = sum;
        }
}

/* X = Q X, by way of work. */
static void
turn(double *X, double *work, const double *Q, slong n)
{
    for (slong i = 0; i < n; i++)
        for (slong j = 0; j < n; j++) {
            double sum = 0;
            for (slong k = 0; k < n; k++)
                sum += Q[i * n + k] * X[k * n + j];
            work[i * n + j] = sum;
        }
    memcpy(X, work, (size_t)(n * n) * sizeof *X);
}

static double
inner(const double *x, const double *y, slong entries)
{
    double sum = 0;
    for (slong i = 0; i < entries; i++)
        sum += x[i] * y[i];
    return sum;
}

/* Is X so near to the ray of the state that was compared last that it decodes alike? */
static bool
near_known(const drift_decider *d, const double *X, double norm, double slack)
{
    const slong n = d->t->n;
    if (d->known_norm2 == 0)
        return false;
    const double c = inner(X, d->known, n * n) / d->known_norm2;
    double away = 0;
    for (slong i = 0; i < n * n; i++) {
        const double e = X[i] - c * d->known[i];
        away += e * e;
    }
    return c > 0
           && 2 * sqrt((double)n) * sqrt(away) + slack * (norm + c * sqrt(d->known_norm2))
                  < c * d->gap;
}

/* Compares X with every state; remembers X if it decodes to 1 beyond the slack. */
static bool
compare_all(drift_decider *d, const double *X, double norm, double slack)
{
    const ckda_tracker_struct *t = d->t;
    const slong entries = t->n * t->n;
    double right = -INFINITY, wrong = -INFINITY;
    for (uint32_t s = 0; s < t->nstates; s++) {
        const double v = inner(X, t->value + (size_t)s * (size_t)entries, entries);
        double *best = t->element[s] == t->element[0] ? &right : &wrong;
        *best = v > *best ? v : *best;
    }
    if (!(right - wrong > 2 * slack * norm))
        return false;
    d->gap = right - wrong - slack * norm;
    /* A trivial group: nothing else to decode to. */
    d->gap =
        d->gap > 4 * norm * sqrt((double)t->n) ? 4 * norm * sqrt((double)t->n) : d->gap;
    d->known_norm2 = inner(X, X, entries);
    memcpy(d->known, X, (size_t)entries * sizeof *X);
    return true;
}

static bool
nearest(uint32_t *decoded, bool *tie, const double *H, uint32_t s, drift_decider *d)
{
    const ckda_tracker_struct *t = d->t;
    const slong n = t->n, entries = n * n;
    const double top = largest_entry(H, entries);
    const double slack = 64 * (double)(n * n * n) * 0x1p-52;
    int e = 0;
    if (top > 0) {
        if (top > 0x1p300 || top < 0x1p-300)
            frexp(top, &e);
        to_frame(d->frame, H, e, t->value + (size_t)s * (size_t)entries, n);
        if (t->start != 0)
            turn(d->frame, d->work, t->value, n);
        const double norm = plain_norm(d->frame, entries);
        if (near_known(d, d->frame, norm, slack) || compare_all(d, d->frame, norm, slack))
            return true;
    }
    const ckda_truth alone = ckda_tracker_decode(decoded, H, t);
    ckda_require(alone != CKDA_UNKNOWN, "a finite state was not decided");
    *tie = alone == CKDA_FALSE;
    return !*tie && *decoded == t->element[s];
}

/* ---- the paper's read-out of 4 x 4 states --------------------------------------------- */

/* F = f(H) = al C - s r^T - C [r]x for H = [[al, r^T], [s, C]]; each entry within
 * 2^-50 |H|_F^2. */
static void
read_out(double F[9], const double *H)
{
    const double *r = H + 1;
    for (int i = 0; i < 3; i++) {
        const double *C = H + 4 * (i + 1) + 1, s = C[-1];
        for (int j = 0; j < 3; j++) {
            const int k = (j + 1) % 3, l = (j + 2) % 3;
            F[3 * i + j] = H[0] * C[j] - s * r[j] - C[k] * r[l] + C[l] * r[k];
        }
    }
}

static void
exact_read_out(ckda_mat_t F, const double *H, const ckda_construction_struct *c)
{
    ckda_mat_t S;
    fmpq_t q;
    ckda_mat_init(S, 4, 4, c->K);
    fmpq_init(q);
    for (slong i = 0; i < 16; i++) {
        int e;
        fmpz_set_d(fmpq_numref(q), ldexp(frexp(H[i], &e), 53));
        fmpz_one(fmpq_denref(q));
        if (e >= 53)
            fmpq_mul_2exp(q, q, (ulong)(e - 53));
        else
            fmpq_div_2exp(q, q, (ulong)(53 - e));
        ckda_elem_set_fmpq(S->entry + i, q, c->K);
    }
    const ckda_status st = ckda_quaternion_decode(F, S, c->K);
    ckda_require(st == CKDA_OK, "f(H) of a 4 x 4 matrix");
    fmpq_clear(q);
    ckda_mat_clear(S, c->K);
}

/* The element whose rotation has the largest inner product with F; *tie: not it alone. */
static uint32_t
nearest_rotation(bool *tie, const ckda_mat_t F, const ckda_construction_struct *c)
{
    ckda_elem_t best, v;
    uint32_t found = 0;
    ckda_elem_init(best, c->K);
    ckda_elem_init(v, c->K);
    for (uint32_t g = 0; g < c->G->order; g++) {
        ckda_elem_zero(v, c->K);
        for (slong i = 0; i < 9; i++)
            ckda_elem_addmul(v, F->entry + i, c->rotation[g].entry + i, c->K);
        const int order = g == 0 ? 1 : ckda_elem_cmp(v, best, c->K);
        if (order > 0) {
            ckda_elem_swap(v, best, c->K);
            found = g;
        }
        *tie = order > 0 ? false : *tie || order == 0;
    }
    ckda_elem_clear(v, c->K);
    ckda_elem_clear(best, c->K);
    return found;
}

/* Inner products with rotations are off by less than 2^-45 |H|_F^2: nine products of
 * entries of F (at most 2 |H|_F^2, off by 2^-50) and of R (at most 1, off by 2^-52). */
static bool
paper_certain(const double *H, uint32_t expected, const drift_decider *d)
{
    const double norm = plain_norm(H, 16);
    double F[9], wrong = -INFINITY;
    if (!(norm > 0x1p-300 && norm < 0x1p300))
        return false;
    read_out(F, H);
    const double right = inner(F, d->rotation + 9 * (size_t)expected, 9);
    for (uint32_t g = 0; g < d->t->c->G->order; g++) {
        const double v = inner(F, d->rotation + 9 * (size_t)g, 9);
        if (g != expected && v > wrong)
            wrong = v;
    }
    return right - wrong > 0x1p-43 * norm * norm;
}

static bool
paper(uint32_t *decoded, bool *tie, const double *H, uint32_t s, const drift_decider *d)
{
    const ckda_construction_struct *c = d->t->c;
    const uint32_t expected = d->t->element[s];
    if (paper_certain(H, expected, d))
        return true;
    ckda_mat_t F;
    ckda_mat_init(F, 3, 3, c->K);
    exact_read_out(F, H, c);
    *decoded = nearest_rotation(tie, F, c);
    ckda_mat_clear(F, c->K);
    return !*tie && *decoded == expected;
}

/* ---- one of them ----------------------------------------------------------------------- */

bool
drift_decide(uint32_t *decoded, bool *tie, const double *H, uint32_t s, drift_decider *d)
{
    return d->rotation != NULL ? paper(decoded, tie, H, s, d)
                               : nearest(decoded, tie, H, s, d);
}

/* Entries within 2^-52 of the exact rotations. */
static double *
rotations(const ckda_construction_struct *c)
{
    double *v = flint_malloc(9 * (size_t)c->G->order * sizeof *v);
    arb_t x;
    arb_init(x);
    for (uint32_t g = 0; g < c->G->order; g++)
        for (slong i = 0; i < 9; i++) {
            ckda_elem_get_arb(x, c->rotation[g].entry + i, c->K, 80);
            v[9 * (size_t)g + (size_t)i] = arf_get_d(arb_midref(x), ARF_RND_NEAR);
        }
    arb_clear(x);
    return v;
}

ckda_status
drift_decider_init(drift_decider *d, const ckda_tracker_t t, ckda_drift_decoder kind,
                   ckda_error *err)
{
    const size_t entries = (size_t)(t->n * t->n);
    if (kind == CKDA_DRIFT_PAPER && t->c->decoder == CKDA_DECODE_WORD) {
        ckda_error_set(err, "%s has no explicit read-out; the decoder nearest remains",
                       t->c->name);
        return CKDA_E_INPUT;
    }
    if (kind == CKDA_DRIFT_PAPER && t->start != 0) {
        ckda_error_set(err,
                       "the explicit read-out is for H_0 = scale I; another start has "
                       "the decoders nearest and inner");
        return CKDA_E_INPUT;
    }
    *d = (drift_decider){.t = t,
                         .kind = kind,
                         .frame = flint_malloc(entries * sizeof(double)),
                         .work = flint_malloc(entries * sizeof(double)),
                         .known = flint_calloc(entries, sizeof(double))};
    if (kind == CKDA_DRIFT_PAPER && t->c->decoder == CKDA_DECODE_F)
        d->rotation = rotations(t->c);
    return CKDA_OK;
}

void
drift_decider_clear(drift_decider *d)
{
    flint_free(d->frame);
    flint_free(d->work);
    flint_free(d->known);
    flint_free(d->rotation);
}
