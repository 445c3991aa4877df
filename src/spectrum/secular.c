/* Counts of one transition of any size: exact signs first, then the last two roots. */
#include <math.h>
#include "secular_internal.h"

enum {
    FIRST_PREC = 64,
    LAST_PREC = 8192,
    EARLY_STARTS = SECULAR_RADII,
    STARTS = 4 * SECULAR_RADII
};

const char *
ckda_secular_kind_name(ckda_secular_kind kind)
{
    static const char *const names[] = {
        [CKDA_SECULAR_DIAGONAL] = "diagonal",
        [CKDA_SECULAR_SIGNS] = "signs",
        [CKDA_SECULAR_BOX] = "nonreal box",
        [CKDA_SECULAR_POINTS] = "real points",
        [CKDA_SECULAR_MULTIPLE] = "multiple root",
        [CKDA_SECULAR_EXACT_COUNT] = "exact count",
    };
    return names[kind];
}

/* ---- two more real roots ---- */

static bool
in_gap(const secular *s, slong gap, const arb_t x)
{
    if (gap == SECULAR_OUTER)
        return arb_lt(x, s->a) || arb_gt(x, s->a + s->m - 1);
    return arb_gt(x, s->a + gap) && arb_lt(x, s->a + gap + 1);
}

/* Sign of f at an exact x, 0 if the balls do not say. */
static int
sign_at(const secular *s, const arb_t x)
{
    arb_t f;
    int sign;

    arb_init(f);
    secular_eval(f, NULL, NULL, s, x);
    sign = arb_is_positive(f) - arb_is_negative(f);
    arb_clear(f);
    return sign;
}

static void
set_point(fmpq *q, const arb_t x)
{
    arf_get_fmpq(q, arb_midref(x));
}

/* The sign of f at point i that is out of the ordinary.  Between two gates of one sign f goes
 * from the sign of the gates to the other one, so it must be the other one first; around 0
 * it is negative at the ends, beyond all gates positive. */
static int
wanted(const secular *s, slong gap, int i)
{
    const int side = gap < s->negative ? -1 : 1;

    if (gap == SECULAR_OUTER)
        return -1;
    if (gap == s->negative - 1)
        return 1;
    return i == 0 ? -side : side;
}

/* Do the signs at the points prove two more real roots in the gap? */
static bool
points_prove(ckda_secular_struct *r, const secular *s, const secular_place *w,
             const arb_struct *x)
{
    const bool even = w->gap == SECULAR_OUTER || w->gap == s->negative - 1;

    if (w->npoints != (even ? 1 : 2) || (!even && !arb_lt(x, x + 1)))
        return false;
    for (int i = 0; i < w->npoints; i++)
        if (!in_gap(s, w->gap, x + i) || sign_at(s, x + i) != wanted(s, w->gap, i))
            return false;
    r->kind = CKDA_SECULAR_POINTS;
    r->npoints = w->npoints;
    r->prec = s->prec;
    for (int i = 0; i < w->npoints; i++)
        set_point(r->point + i, x + i);
    return true;
}

static bool
try_points(ckda_secular_struct *r, const secular *s, const secular_place *w)
{
    arb_struct x[2];
    bool proved;

    for (int i = 0; i < 2; i++) {
        arb_init(x + i);
        if (i < w->npoints)
            arb_set_d(x + i, w->x[i]);
    }
    proved = points_prove(r, s, w, x);
    arb_clear(x);
    arb_clear(x + 1);
    return proved;
}

static bool
try_all_points(ckda_secular_struct *r, const secular *s, const secular_places *p)
{
    for (slong k = 0; k < p->n && p->place[k].margin > 1e-13; k++)
        if (try_points(r, s, p->place + k))
            return true;
    return false;
}

/* ---- a pair ---- */

static bool
found_box(ckda_secular_struct *r, const secular *s, const acb_t z)
{
    if (!secular_certify_box(r->box, s, z))
        return false;
    r->kind = CKDA_SECULAR_BOX;
    r->prec = s->prec;
    return true;
}

static bool
try_start(ckda_secular_struct *r, secular *s, double x, double y)
{
    bool proved = false;
    acb_t z;

    if (!secular_newton(&x, &y, s))
        return false;
    acb_init(z);
    acb_set_d_d(z, x, y);
    for (slong prec = FIRST_PREC; !proved && prec <= 4 * FIRST_PREC; prec *= 2) {
        if (s->prec != prec)
            secular_set_prec(s, prec);
        proved = found_box(r, s, z);
    }
    acb_clear(z);
    return proved;
}

static bool
try_near_misses(ckda_secular_struct *r, secular *s, const secular_places *p)
{
    for (slong k = 0; k < p->n; k++)
        for (int i = 0; i < p->place[k].npoints; i++) {
            const double x = p->place[k].x[i], y2 = secular_near_miss(s, x);

            if (y2 > 0 && try_start(r, s, x, sqrt(y2)))
                return true;
        }
    return false;
}

static bool
try_starts(ckda_secular_struct *r, secular *s, slong from, slong to)
{
    for (slong k = from; k < to; k++) {
        double x, y;

        secular_start(&x, &y, s, k);
        if (try_start(r, s, x, y))
            return true;
    }
    return false;
}

/* ---- nearly or exactly a double root ---- */

/* Newton for f' = 0 on midpoints. */
static void
refine(arb_t x, const secular *s)
{
    mag_t last, now;
    arb_t f, f1, f2;

    mag_init(last);
    mag_init(now);
    arb_init(f);
    arb_init(f1);
    arb_init(f2);
    mag_inf(last);
    for (int i = 0; i < 60; i++) {
        secular_eval(f, f1, f2, s, x);
        arb_div(f1, f1, f2, s->prec);
        arf_get_mag(now, arb_midref(f1));
        if (!arf_is_finite(arb_midref(f1)) || mag_cmp(now, last) >= 0)
            break;
        arb_sub(x, x, f1, s->prec);
        mag_zero(arb_radref(x));
        mag_set(last, now);
    }
    arb_clear(f2);
    arb_clear(f1);
    arb_clear(f);
    mag_clear(now);
    mag_clear(last);
}

/* The pair x +- iy of f(x) + f''(x)/2 (z - x)^2 = 0. */
static bool
try_near_miss_at(ckda_secular_struct *r, const secular *s, const arb_t x)
{
    arb_t f, f1, f2;
    bool proved = false;

    arb_init(f);
    arb_init(f1);
    arb_init(f2);
    secular_eval(f, f1, f2, s, x);
    arb_div(f, f, f2, s->prec);
    arb_mul_2exp_si(f, f, 1);
    mag_zero(arb_radref(f));
    if (arb_is_finite(f) && arb_is_positive(f)) {
        acb_t z;

        acb_init(z);
        arb_set(acb_realref(z), x);
        arb_sqrt(acb_imagref(z), f, s->prec);
        proved = found_box(r, s, z);
        acb_clear(z);
    }
    arb_clear(f2);
    arb_clear(f1);
    arb_clear(f);
    return proved;
}

/* An exactly multiple root is the only one (two of the roots are not placed), so it lies
 * in K; over Q it is the simplest number near enough to x.  A number that is simple beyond
 * chance is tested exactly. */
static bool
try_multiple(ckda_secular_struct *r, const secular *s, const arb_t x)
{
    bool proved = false;
    fmpq_t lo, hi;
    arb_t e;

    fmpq_init(lo);
    fmpq_init(hi);
    arb_init(e);
    arb_mul_2exp_si(e, x, -s->prec / 3);
    arb_abs(e, e);
    arf_get_fmpq(hi, arb_midref(e));
    arf_get_fmpq(lo, arb_midref(x));
    fmpq_add(r->point, lo, hi);
    fmpq_sub(lo, lo, hi);
    fmpq_set(hi, r->point);
    if (!fmpq_is_zero(lo) && fmpq_cmp(lo, hi) < 0) {
        fmpq_simplest_between(r->point, lo, hi);
        if ((slong)fmpz_bits(fmpq_denref(r->point)) <= s->prec / 8
            && secular_is_multiple(s, r->point)) {
            r->kind = CKDA_SECULAR_MULTIPLE;
            r->npoints = 1;
            proved = true;
        }
    }
    arb_clear(e);
    fmpq_clear(hi);
    fmpq_clear(lo);
    return proved;
}

static bool
examine(ckda_secular_struct *r, const secular *s, const secular_place *w, arb_struct *x)
{
    for (int i = 0; i < w->npoints; i++)
        if (sign_at(s, x + i) != wanted(s, w->gap, i))
            refine(x + i, s);
    if (points_prove(r, s, w, x))
        return true;
    for (int i = 0; i < w->npoints; i++)
        if (try_near_miss_at(r, s, x + i) || try_multiple(r, s, x + i))
            return true;
    return false;
}

/* The places whose margin is nearest to 0, at rising precision. */
static bool
look_closer(ckda_secular_struct *r, secular *s, const secular_places *p)
{
    enum { CLOSEST = 4 };
    const slong n = p->n < CLOSEST ? p->n : CLOSEST;
    arb_struct *x = flint_malloc((size_t)(2 * n + 1) * sizeof *x);
    bool proved = false;

    for (slong k = 0; k < 2 * n; k++) {
        arb_init(x + k);
        if (k % 2 < p->place[k / 2].npoints)
            arb_set_d(x + k, p->place[k / 2].x[k % 2]);
    }
    for (slong prec = 2 * FIRST_PREC; !proved && prec <= LAST_PREC; prec *= 2) {
        secular_set_prec(s, prec);
        for (slong k = 0; !proved && k < n; k++)
            proved = examine(r, s, p->place + k, x + 2 * k);
    }
    for (slong k = 0; k < 2 * n; k++)
        arb_clear(x + k);
    flint_free(x);
    return proved;
}

static bool
count_exactly(ckda_secular_struct *r, const secular *s)
{
    ckda_root_counts counts;
    ckda_deflated_t d;
    ckda_poly_t chi;

    if (s->m > CKDA_SECULAR_EXACT_DEGREE || ckda_trans_deflate(d, s->t, s->K) != CKDA_OK)
        return false;
    ckda_poly_init(chi, s->K);
    ckda_deflated_charpoly(chi, d, s->K);
    ckda_poly_count_roots(&counts, chi, s->K);
    r->kind = CKDA_SECULAR_EXACT_COUNT;
    r->prec = 0;
    r->counts.nonreal_pairs = counts.nonreal_pairs;
    r->counts.unit_circle_pairs = counts.unit_circle_pairs;
    ckda_poly_clear(chi, s->K);
    ckda_deflated_clear(d, s->K);
    return true;
}

/* beta_eff > 1 and gates of both signs. */
static bool
decide_last_two(ckda_secular_struct *r, secular *s)
{
    secular_places p = {.n = 0};

    secular_set_prec(s, FIRST_PREC);
    secular_set_doubles(s);
    secular_even_gaps(&p, s);
    if (try_all_points(r, s, &p) || try_near_misses(r, s, &p)
        || try_starts(r, s, 0, EARLY_STARTS))
        return true;
    for (int all = 0; all < 2; all++) {
        p.n = 0;
        secular_odd_gaps(&p, s, all == 1);
        secular_even_gaps(&p, s);
        if (try_all_points(r, s, &p) || try_near_misses(r, s, &p)
            || (all == 0 && try_starts(r, s, EARLY_STARTS, STARTS)))
            return true;
    }
    return look_closer(r, s, &p) || count_exactly(r, s);
}

/* ---- the unit circle ---- */

static bool
within(const ckda_elem_t x, slong lo, slong hi, const ckda_field_t K)
{
    return ckda_elem_cmp_si(x, lo, K) >= 0 && ckda_elem_cmp_si(x, hi, K) <= 0;
}

/* Is |gate| <= 1 (with equality, if `all_one`) wherever the key is not zero? */
static bool
gates_in_range(const secular *s, bool all_one)
{
    for (slong i = 0; i < s->m; i++) {
        const ckda_elem_struct *a = s->t->gate + s->member[s->start[i]];

        if (!within(a, -1, 1, s->K)
            || (all_one && ckda_elem_cmp_si(a, -1, s->K) != 0
                && ckda_elem_cmp_si(a, 1, s->K) != 0))
            return false;
    }
    return !all_one || s->nzero == 0;
}

/* 1 if the modulus of the boxed root is proved not to be 1, 0 if balls do not say. */
static bool
off_the_circle(ckda_secular_struct *r, secular *s)
{
    bool off = false;
    acb_t z, box;
    arb_t y;

    acb_init(z);
    acb_init(box);
    arb_init(y);
    acb_get_mid(z, r->box);
    for (slong prec = FIRST_PREC; !off && prec <= 16 * FIRST_PREC; prec *= 2) {
        secular_set_prec(s, prec);
        if (!secular_certify_box(box, s, z))
            continue;
        acb_get_mid(z, box);
        acb_abs(y, box, prec);
        off = !arb_contains_si(y, 1);
    }
    arb_clear(y);
    acb_clear(box);
    acb_clear(z);
    return off;
}

/* There is one pair, with r->kind BOX. */
static bool
count_circle(ckda_secular_struct *r, secular *s)
{
    const ckda_secular_kind kind = r->kind;
    bool ok = true;

    if (within(s->t->beta, 0, 2, s->K) && gates_in_range(s, false))
        r->counts.unit_circle_pairs =
            ckda_elem_cmp_si(s->t->beta, 2, s->K) == 0 && gates_in_range(s, true);
    else if (!off_the_circle(r, s))
        ok = count_exactly(r, s);
    r->kind = kind;
    return ok;
}

/* ---- all together ---- */

static void
start(ckda_secular_struct *r, const secular *s)
{
    *r = (ckda_secular_struct){
        .n = s->t->n,
        .zero_keys = s->zero_keys,
        .repeated_gates = s->nmember - s->m + (s->nzero > 0 ? s->nzero - 1 : 0),
        .zero_gates = s->nzero > 0,
        .m = s->m,
        .negative = s->negative,
        .placed = s->m,
        .kind = s->m > 0 ? CKDA_SECULAR_SIGNS : CKDA_SECULAR_DIAGONAL,
        .counts = {.degree = s->t->n},
    };
    acb_init(r->box);
    fmpq_init(r->point);
    fmpq_init(r->point + 1);
}

/* What the exact signs place.  beta_eff < 1: every gap holds one root.  beta_eff = 1: 0 is
 * a root, the gap around it holds another one.  beta_eff > 1: the two gaps around 0 and
 * infinity hold no root for certain, unless the gates have one sign: then 0 and infinity
 * lie in one gap, and chi changes sign between them. */
static void
place_by_signs(ckda_secular_struct *r, secular *s)
{
    const bool both = s->negative > 0 && s->negative < s->m;

    if (s->m == 0)
        return;
    r->excess = ckda_elem_sgn(s->t->beta, s->K) < 0 ? -1 : secular_excess(s);
    if (both && r->excess >= 0)
        r->placed = s->m - 1 - r->excess;
}

ckda_status
ckda_secular_count(ckda_secular_t result, const ckda_trans_t t, const ckda_field_t K)
{
    ckda_secular_struct r;
    bool decided = true;
    ckda_status st;
    secular s;

    if (!ckda_trans_is_secular(t))
        return CKDA_E_SHAPE;
    st = secular_init(&s, t, K);
    if (st != CKDA_OK)
        return st;
    start(&r, &s);
    place_by_signs(&r, &s);
    if (r.m - r.placed == 2) {
        decided = decide_last_two(&r, &s);
        if (decided && r.kind == CKDA_SECULAR_BOX) {
            r.counts.nonreal_pairs = 1;
            decided = count_circle(&r, &s);
        }
    }
    r.counts.real_roots = r.n - 2 * r.counts.nonreal_pairs;
    secular_clear(&s);
    if (!decided) {
        ckda_secular_clear(&r);
        return CKDA_E_UNABLE;
    }
    *result = r;
    return CKDA_OK;
}

void
ckda_secular_clear(ckda_secular_t s)
{
    acb_clear(s->box);
    fmpq_clear(s->point);
    fmpq_clear(s->point + 1);
}
