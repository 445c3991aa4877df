/* Proposals in doubles: where the two last roots of the secular function may be.  Nothing
 * here is trusted.
 *
 * With y = 1/x the function is f = sum v/(1 - a y) - c, with poles at 1/a.  In the gap of
 * y around 0 it is convex, in the gap of x around 0 it is concave: one extremum decides.
 * Between two gates of one sign look at h = y f: dh/dy = phi - c with
 * phi = sum v/(1 - a y)^2, which is convex there, so h has no extremum or two, and it has
 * three zeros iff these have the signs + and - in ascending y.                       */
#include <math.h>
#include "secular_internal.h"

typedef enum {
    CENTRAL, /* -df/dx, ascending in x */
    OUTER,   /* df/dy, ascending in y */
} function;

/* The value at u and its derivative. */
static double
value(double *slope, function which, const secular *s, double u)
{
    double g = 0, d = 0;

    for (slong i = 0; i < s->m; i++) {
        const double a = s->da[i], v = s->dv[i];
        const double t = which == CENTRAL ? 1 / (u - a) : 1 / (1 - a * u);
        const double w = v * t * t * a;

        g += w;
        d += which == CENTRAL ? -2 * w * t : 2 * w * t * a;
    }
    *slope = d;
    return g;
}

/* Newton's step from u if it stays inside (lo, hi), else the middle.  Newton creeps near a
 * pole, so every third step halves. */
static double
next_guess(double u, double step, double lo, double hi, int i)
{
    const double next = u - step;

    return i % 3 == 2 || !(lo < next && next < hi) ? lo + (hi - lo) / 2 : next;
}

/* The zero of an ascending function in (lo, hi). */
static double
zero_between(function which, const secular *s, double lo, double hi)
{
    double u = lo + (hi - lo) / 2;

    for (int i = 0; i < 80 && lo < u && u < hi; i++) {
        double slope, next;
        const double g = value(&slope, which, s, u);

        if (g < 0)
            lo = u;
        else
            hi = u;
        next = next_guess(u, g / slope, lo, hi, i);
        if (fabs(next - u) <= 1e-15 * fabs(u))
            break;
        u = next;
    }
    return u;
}

/* f at x, and the size of its terms. */
static double
f_at(double *size, const secular *s, double x)
{
    double sum = 0, total = s->dc;

    for (slong i = 0; i < s->m; i++) {
        const double q = s->dv[i] * x / (x - s->da[i]);

        sum += q;
        total += fabs(q);
    }
    *size = total;
    return sum - s->dc;
}

static void
keep(secular_places *p, secular_place *w, const secular *s)
{
    slong k;

    w->margin = INFINITY;
    for (int i = 0; i < w->npoints; i++) {
        double size;
        const double margin = w->want[i] * f_at(&size, s, w->x[i]) / size;

        if (!isfinite(margin))
            return;
        w->margin = margin < w->margin ? margin : w->margin;
    }
    if (p->n == SECULAR_PLACES && p->place[p->n - 1].margin >= w->margin)
        return;
    k = p->n < SECULAR_PLACES ? p->n++ : p->n - 1;
    for (; k > 0 && p->place[k - 1].margin < w->margin; k--)
        p->place[k] = p->place[k - 1];
    p->place[k] = *w;
}

void
secular_even_gaps(secular_places *p, const secular *s)
{
    const slong q = s->negative;
    secular_place w = {.npoints = 1};

    w.gap = q - 1;
    w.x[0] = zero_between(CENTRAL, s, s->da[q - 1], s->da[q]);
    w.want[0] = 1;
    keep(p, &w, s);
    w.gap = SECULAR_OUTER;
    w.x[0] = 1 / zero_between(OUTER, s, 1 / s->da[0], 1 / s->da[s->m - 1]);
    w.want[0] = -1;
    keep(p, &w, s);
}

/* What the search in the gap (lo, hi) of y between two gates of one sign looks at. */
typedef struct {
    double f, phi, slope, bend; /* slope and bend: of phi */
} profile;

static profile
look(const secular *s, double y)
{
    profile p = {-s->dc, 0, 0, 0};

    for (slong i = 0; i < s->m; i++) {
        const double a = s->da[i], t = 1 / (1 - a * y), at = a * t;
        const double q = s->dv[i] * t, w = q * t;

        p.f += q;
        p.phi += w;
        p.slope += 2 * w * at;
        p.bend += 6 * w * at * at;
    }
    return p;
}

/* phi >= W/(y - b)^2 + W'/(b' - y)^2 with b = 1/a, W = v b^2 between the neighbouring
 * poles b < b'; the right side is at least (W^(1/3) + W'^(1/3))^3/(b' - b)^2. */
static double
least_of_neighbours(const secular *s, slong i)
{
    const double b = 1 / s->da[i], c = 1 / s->da[i + 1];
    const double r = cbrt(s->dv[i] * b * b) + cbrt(s->dv[i + 1] * c * c);

    return r * r * r / ((b - c) * (b - c));
}

/* Every other term is least at one end of the gap. */
static bool
ruled_out(const secular *s, slong i)
{
    const double enough = (1 + 1e-6) * s->dc, lo = 1 / s->da[i + 1], hi = 1 / s->da[i];
    double least = least_of_neighbours(s, i);

    for (slong j = 0; j < s->m && !(least > enough); j++) {
        const double t = fabs(1 - s->da[j] * lo), u = fabs(1 - s->da[j] * hi);

        if (j != i && j != i + 1)
            least += s->dv[j] / (t > u ? t * t : u * u);
    }
    return least > enough;
}

/* A place where phi < c (or nearly touches it); false if phi stays above: it lies above its
 * tangents. */
static bool
find_dip(double *y, profile *p, const secular *s, double lo, double hi)
{
    double u = lo + (hi - lo) / 2;

    *y = u;
    *p = (profile){0, INFINITY, 0, 0};
    for (int i = 0; i < 80 && lo < u && u < hi; i++) {
        double next;

        *p = look(s, u);
        *y = u;
        if (p->phi < s->dc)
            return true;
        if (p->phi - fabs(p->slope) * (p->slope > 0 ? u - lo : hi - u)
            > (1 + 1e-6) * s->dc)
            return false;
        if (p->slope < 0)
            lo = u;
        else
            hi = u;
        next = next_guess(u, p->slope / p->bend, lo, hi, i);
        if (fabs(next - u) <= 1e-15 * fabs(u))
            break;
        u = next;
    }
    return p->phi < (1 + 1e-6) * s->dc;
}

/* The extremum of h next to a dip at y, on the side of `end`: phi = c there. */
static double
find_extremum(const secular *s, double y, double end)
{
    double in = y, out = end, u = y + (end - y) / 2;

    for (int i = 0; i < 80 && u != in && u != out; i++) {
        const profile p = look(s, u);
        double next;

        if (p.phi < s->dc)
            in = u;
        else
            out = u;
        next = next_guess(u, (p.phi - s->dc) / p.slope, in < out ? in : out,
                          in < out ? out : in, i);
        if (fabs(next - u) <= 1e-10 * fabs(end - y))
            break;
        u = next;
    }
    return u;
}

/* h falls between its extrema, through the dip: if it is positive there, so is the first
 * extremum, and only the second one is in question; it cannot be negative if h is so large
 * that a slope of -c does not reach 0 within the gap. */
static void
odd_gap(secular_places *places, const secular *s, slong i, bool all)
{
    const double lo = 1 / s->da[i + 1], hi = 1 / s->da[i];
    const int side = s->da[i] > 0 ? 1 : -1; /* sign of y, and f = h/y */
    secular_place w = {.gap = i, .npoints = 2};
    double y, h, other;
    profile p;

    if (!find_dip(&y, &p, s, lo, hi))
        return;
    h = y * p.f;
    if (!all && (h > s->dc * (hi - y) || -h > s->dc * (y - lo)))
        return;
    other = p.phi < s->dc ? find_extremum(s, y, h > 0 ? hi : lo) : y;
    /* ascending x is descending y */
    w.x[0] = 1 / (h > 0 ? other : y);
    w.want[0] = -side;
    w.x[1] = 1 / (h > 0 ? y : other);
    w.want[1] = side;
    keep(places, &w, s);
}

void
secular_odd_gaps(secular_places *p, const secular *s, bool all)
{
    for (slong i = 0; i + 1 < s->m; i++)
        if (i + 1 != s->negative && !ruled_out(s, i))
            odd_gap(p, s, i, all);
}

double
secular_bisect(const secular *s, double lo, double hi, int direction)
{
    double x = lo + (hi - lo) / 2;

    for (int i = 0; i < 60 && lo < x && x < hi; i++) {
        double size;

        if (direction * f_at(&size, s, x) < 0)
            lo = x;
        else
            hi = x;
        x = lo + (hi - lo) / 2;
    }
    return x;
}

/* ---- the complex root ---- */

/* z - f/f' in *x, *y; returns |f/f'|. */
static double
complex_step(double *x, double *y, const secular *s)
{
    double re = 0, im = 0, re1 = 0, im1 = 0, fr, fi, n, dr, di;

    for (slong i = 0; i < s->m; i++) {
        const double d = *x - s->da[i], r = 1 / (d * d + *y * *y);
        const double q = s->dv[i] * r, a = s->da[i] * q * r;

        re += q * d; /* v/(z - a) = q (d - iy) */
        im -= q * *y;
        re1 -= a * (d * d - *y * *y); /* 1/(z - a)^2 = r^2 (d - iy)^2 */
        im1 += 2 * a * d * *y;
    }
    fr = *x * re - *y * im - s->dc;
    fi = *x * im + *y * re;
    n = re1 * re1 + im1 * im1;
    dr = (fr * re1 + fi * im1) / n;
    di = (fi * re1 - fr * im1) / n;
    if (*y - di <= 0) { /* stay above the axis */
        const double k = *y / (2 * di);

        dr *= k;
        di *= k;
    }
    *x -= dr;
    *y -= di;
    return hypot(dr, di);
}

bool
secular_newton(double *x, double *y, const secular *s)
{
    double step = INFINITY;

    for (int i = 0; i < 60 && *y > 0 && isfinite(*x) && isfinite(*y); i++) {
        step = complex_step(x, y, s);
        if (step <= 1e-9 * *y)
            return true;
        if (*y < 1e-14 * fabs(*x))
            return false;
    }
    return false;
}

double
secular_near_miss(const secular *s, double x)
{
    double size, f = f_at(&size, s, x), f2 = 0;

    for (slong i = 0; i < s->m; i++) {
        const double r = 1 / (x - s->da[i]);

        f2 += 2 * s->dv[i] * s->da[i] * r * r * r;
    }
    return f / f2 > 0 ? 2 * f / f2 : 0;
}

/* Roots lie at sqrt(beta_eff - 1) times something between the least and the greatest
 * |gate| [source: F2]. */
void
secular_start(double *x, double *y, const secular *s, slong number)
{
    static const double angle[] = {1.57, 0.8, 2.34, 0.3, 2.84, 0.1, 3.04};
    enum { RADII = SECULAR_RADII, ANGLES = sizeof angle / sizeof angle[0] };
    double total = 0, square = 0, r;

    for (slong i = 0; i < s->m; i++) {
        total += s->dv[i];
        square += s->dv[i] * s->da[i] * s->da[i];
    }
    r = sqrt(s->dc / total * square / total);
    r *= pow(0.4, (double)(number % RADII));
    *x = r * cos(angle[number / RADII % ANGLES]);
    *y = r * sin(angle[number / RADII % ANGLES]);
}
