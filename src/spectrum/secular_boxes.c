/* Eigenvalues of one transition without its polynomial: intervals between the gates. */
#include <math.h>
#include <stdlib.h>
#include "boxes.h"
#include "secular_internal.h"

enum { NARROWED = 1024, PREC = 128 };

/* A gate, 0, a point of the certificate or a bound, with the sign of chi there. */
typedef struct {
    fmpq_t x;
    int sign;
} node;

typedef struct {
    node *v;
    slong n;
} nodes;

static void
add(nodes *l, const fmpq_t x, int sign)
{
    fmpq_init(l->v[l->n].x);
    fmpq_set(l->v[l->n].x, x);
    l->v[l->n++].sign = sign;
}

/* An integer above all |eigenvalues|: the norm is at most (1 + |beta|) max |a|. */
static void
set_bound(fmpq_t b, const secular *s)
{
    fmpq_t x;

    fmpq_init(x);
    ckda_spectrum_get_fmpq(b, s->t->gate + s->member[0], s->K);
    fmpq_abs(b, b);
    ckda_spectrum_get_fmpq(x, s->t->gate + s->member[s->nmember - 1], s->K);
    fmpq_abs(x, x);
    fmpq_add(b, b, x); /* the greatest |a| is the first or the last */
    ckda_spectrum_get_fmpq(x, s->t->beta, s->K);
    fmpq_abs(x, x);
    fmpq_add_si(x, x, 1);
    fmpq_mul(b, b, x);
    fmpz_cdiv_q(fmpq_numref(b), fmpq_numref(b), fmpq_denref(b));
    fmpz_one(fmpq_denref(b));
    fmpq_add_si(b, b, 1);
    fmpq_clear(x);
}

/* chi(a_i) = v_i a_i prod_{j != i} (a_i - a_j) up to a positive factor. */
static int
sign_at_gate(const secular *s, slong i)
{
    const int beta = ckda_elem_sgn(s->t->beta, s->K);

    return beta * (i < s->negative ? -1 : 1) * ((s->m - 1 - i) % 2 ? -1 : 1);
}

/* chi = P f up to a positive factor, and f has a known sign at the points. */
static int
sign_at_point(const ckda_secular_t r, const secular *s, slong above, int which)
{
    const int P = (s->m - above) % 2 ? -1 : 1;

    if (r->npoints == 1)
        return above == s->negative ? P : -P; /* around 0 : beyond all gates */
    return P * (above <= s->negative ? -1 : 1) * (which == 0 ? -1 : 1);
}

/* Everything in ascending order. */
static void
set_nodes(nodes *l, const ckda_secular_t r, const secular *s)
{
    const fmpq *const point = r->point;
    const int npoints = r->kind == CKDA_SECULAR_POINTS ? (int)r->npoints : 0;
    int next = 0;
    fmpq_t bound, x, zero;

    fmpq_init(bound);
    fmpq_init(x);
    fmpq_init(zero);
    set_bound(bound, s);
    fmpq_neg(x, bound);
    add(l, x, s->m % 2 ? -1 : 1);
    for (slong i = 0; i <= s->m; i++) {
        /* points below gate i, with 0 among them; `i` gates lie below */
        if (i < s->m)
            ckda_spectrum_get_fmpq(x, s->t->gate + s->member[s->start[i]], s->K);
        for (bool done = i != s->negative;;) {
            const bool p = next < npoints && (i == s->m || fmpq_cmp(point + next, x) < 0);

            if (!done && !(p && fmpq_sgn(point + next) < 0)) {
                /* chi(0) = (1 - beta_eff) prod (-a_i) */
                add(l, zero, -r->excess * ((s->m - s->negative) % 2 ? -1 : 1));
                done = true;
            } else if (p) {
                add(l, point + next, sign_at_point(r, s, i, next));
                next++;
            } else {
                break;
            }
        }
        if (i < s->m)
            add(l, x, sign_at_gate(s, i));
    }
    add(l, bound, 1);
    fmpq_clear(zero);
    fmpq_clear(x);
    fmpq_clear(bound);
}

/* ---- narrowing ---- */

static int
sign_at(const secular *s, const fmpq_t q)
{
    arb_t x, f;
    int sign;

    arb_init(x);
    arb_init(f);
    arb_set_fmpq(x, q, PREC);
    secular_eval(f, NULL, NULL, s, x);
    sign = arb_is_positive(f) - arb_is_negative(f);
    arb_clear(f);
    arb_clear(x);
    return sign;
}

static void
set_double(fmpq_t q, double x)
{
    arf_t y;

    arf_init(y);
    arf_set_d(y, x);
    arf_get_fmpq(q, y);
    arf_clear(y);
}

/* Inside an interval between neighbouring nodes f has no pole, so two opposite signs
 * enclose its one zero there. */
static void
narrow(fmpq_t lo, fmpq_t hi, const secular *s, int direction)
{
    const double x = secular_bisect(s, fmpq_get_d(lo), fmpq_get_d(hi), direction);
    bool done = false;
    fmpq_t a, b;

    fmpq_init(a);
    fmpq_init(b);
    for (double width = 1e-14; !done && width < 1e-3; width *= 100) {
        set_double(a, x - width * fabs(x));
        set_double(b, x + width * fabs(x));
        done = fmpq_cmp(lo, a) < 0 && fmpq_cmp(a, b) < 0 && fmpq_cmp(b, hi) < 0
               && sign_at(s, a) == -direction && sign_at(s, b) == direction;
    }
    if (done) {
        fmpq_swap(lo, a);
        fmpq_swap(hi, b);
    }
    fmpq_clear(b);
    fmpq_clear(a);
}

/* The sign of f in the gap just below node i + 1 is that of chi times that of P. */
static int
direction_of(const nodes *l, slong i, const secular *s, slong gates_below)
{
    const int P = (s->m - gates_below) % 2 ? -1 : 1;

    return P * (l->v[i].sign != 0 ? -l->v[i].sign : l->v[i + 1].sign);
}

static void
add_interval(eigenvalues *out, const nodes *l, slong i, const secular *s,
             slong gates_below)
{
    ckda_eigenvalue *e = eigenvalues_add(out, true, 1);
    fmpq_t lo, hi; /* of our own: at -O3 gcc 12 takes the members for too short */

    fmpq_init(lo);
    fmpq_init(hi);
    fmpq_set(lo, l->v[i].x);
    fmpq_set(hi, l->v[i + 1].x);
    if (s->m <= NARROWED)
        narrow(lo, hi, s, direction_of(l, i, s, gates_below));
    fmpq_swap(e->re_lo, lo);
    fmpq_swap(e->re_hi, hi);
    fmpq_clear(hi);
    fmpq_clear(lo);
}

static void
add_exact(eigenvalues *out, const fmpq_t x, slong multiplicity)
{
    ckda_eigenvalue *e = eigenvalues_add(out, true, multiplicity);

    fmpq_set(e->re_lo, x);
    fmpq_set(e->re_hi, x);
    e->closed = eigenvalue_text(x);
}

/* beta_eff = 1: chi = x P sum w^2/(x - a) has the root 0 and, for gates of both signs,
 * another one in the gap around 0: on the side that the sign of the sum at 0 says, or at 0
 * again. */
static int
side_of_last(const secular *s)
{
    ckda_elem_t zero, g, g1;
    int side;
    bool ok;

    ckda_elem_init(zero, s->K);
    ckda_elem_init(g, s->K);
    ckda_elem_init(g1, s->K);
    ok = secular_exact_sums(g, g1, s, zero);
    ckda_require(ok, "0 is no gate here");
    side = ckda_elem_sgn(g, s->K); /* the sum falls from +inf to -inf */
    ckda_elem_clear(g1, s->K);
    ckda_elem_clear(g, s->K);
    ckda_elem_clear(zero, s->K);
    return side;
}

static void
collect(eigenvalues *out, const nodes *l, const ckda_secular_t r, const secular *s)
{
    const bool both = s->negative > 0 && s->negative < s->m;
    slong below = 0;

    for (slong i = 0; i + 1 < l->n; i++) {
        const bool zero = fmpq_is_zero(l->v[i].x);

        if (i > 0 && !zero && below < s->m) {
            fmpq_t a;

            fmpq_init(a);
            ckda_spectrum_get_fmpq(a, s->t->gate + s->member[s->start[below]], s->K);
            below += fmpq_equal(a, l->v[i].x);
            fmpq_clear(a);
        }
        if (l->v[i].sign * l->v[i + 1].sign < 0)
            add_interval(out, l, i, s, below);
        if (zero && r->excess == 0) {
            const int side = both ? side_of_last(s) : 1;

            add_exact(out, l->v[i].x, side == 0 ? 2 : 1);
            if (both && side != 0)
                add_interval(out, l, side > 0 ? i : i - 1, s, below);
        }
    }
}

/* ---- what the deflation took out ---- */

static int
compare(const void *a, const void *b)
{
    return fmpq_cmp(a, b);
}

static void
add_removed(eigenvalues *out, const secular *s)
{
    const slong n = s->t->n;
    fmpq *x = ckda_spectrum_fmpqs_new(n);
    bool *kept = flint_calloc((size_t)n, sizeof *kept);
    slong k = 0;

    for (slong i = 0; i < s->m; i++)
        kept[s->member[s->start[i]]] = true;
    for (slong i = 0; i < n; i++)
        if (!kept[i])
            ckda_spectrum_get_fmpq(x + k++, s->t->gate + i, s->K);
    qsort(x, (size_t)k, sizeof *x, compare);
    for (slong i = 0, j; i < k; i = j) {
        for (j = i + 1; j < k && fmpq_equal(x + i, x + j); j++)
            ;
        add_exact(out, x + i, j - i);
    }
    flint_free(kept);
    ckda_spectrum_fmpqs_free(x, n);
}

static void
interval(fmpq_t lo, fmpq_t hi, const arb_t x)
{
    arf_t a, b;

    arf_init(a);
    arf_init(b);
    arb_get_interval_arf(a, b, x, PREC);
    arf_get_fmpq(lo, a);
    arf_get_fmpq(hi, b);
    arf_clear(b);
    arf_clear(a);
}

ckda_status
ckda_secular_eigenvalues(ckda_eigenvalue **list, slong *count, const ckda_secular_t r,
                         const ckda_trans_t t, const ckda_field_t K)
{
    eigenvalues out = {NULL, 0, 0};
    nodes l = {NULL, 0};
    ckda_status st;
    secular s;

    if (K->degree > 1 || r->kind == CKDA_SECULAR_MULTIPLE
        || r->kind == CKDA_SECULAR_EXACT_COUNT)
        return CKDA_E_UNABLE;
    st = secular_init(&s, t, K);
    if (st != CKDA_OK)
        return st;
    add_removed(&out, &s);
    if (s.m > 0) {
        l.v = flint_malloc((size_t)(s.m + 5) * sizeof *l.v);
        secular_set_prec(&s, PREC);
        secular_set_doubles(&s);
        set_nodes(&l, r, &s);
        collect(&out, &l, r, &s);
    }
    if (r->kind == CKDA_SECULAR_BOX) {
        ckda_eigenvalue *e = eigenvalues_add(&out, false, 1);

        interval(e->re_lo, e->re_hi, acb_realref(r->box));
        interval(e->im_lo, e->im_hi, acb_imagref(r->box));
    }
    for (slong i = 0; i < l.n; i++)
        fmpq_clear(l.v[i].x);
    flint_free(l.v);
    secular_clear(&s);
    eigenvalues_sort(&out);
    *list = out.e;
    *count = out.n;
    return CKDA_OK;
}
