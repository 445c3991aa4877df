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
    LOWEST,  /* dphi/dy, ascending in y */
    FALLING, /* c - phi, ascending in y left of the minimum of phi */
    RISING   /* phi - c, ascending in y right of it */
} function;

/* The value at u and its derivative. */
static double
value(double *slope, function which, const secular *s, double u)
{
    double g = 0, d = 0;

    for (slong i = 0; i < s->m; i++) {
        const double a = s->da[i], v = s->dv[i];
        const double t = which == CENTRAL ? 1 / (u - a) : 1 / (1 - a * u);
        const double w = v * t * t;

        switch (which) {
        case CENTRAL:
            g += w * a;
            d -= 2 * w * a * t;
            break;
        case OUTER:
            g += w * a;
            d += 2 * w * a * a * t;
            break;
        case LOWEST:
            g += 2 * w * a * t;
            d += 6 * w * a * a * t * t;
            break;
        case FALLING:
        case RISING:
            g += w;
            d += 2 * w * a * t;
            break;
        }
    }
    if (which == FALLING || which == RISING)
        g -= s->dc;
    *slope = which == FALLING ? -d : d;
    return which == FALLING ? -g : g;
}

/* The zero of an ascending function in (lo, hi): Newton's steps kept inside by bisection. */
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
        next = u - g / slope;
        /* Newton creeps near a pole: every third step halves */
        if (i % 3 == 2 || !(lo < next && next < hi))
            next = lo + (hi - lo) / 2;
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

/* phi >= W/(y - b)^2 + W'/(b' - y)^2 with b = 1/a, W = v b^2 between the neighbouring
 * poles b < b'; the right side is at least (W^(1/3) + W'^(1/3))^3/(b' - b)^2. */
static bool
ruled_out(const secular *s, slong i)
{
    const double b = 1 / s->da[i], c = 1 / s->da[i + 1];
    const double r = cbrt(s->dv[i] * b * b) + cbrt(s->dv[i + 1] * c * c);

    return r * r * r > (1 + 1e-6) * s->dc * (b - c) * (b - c);
}

static void
odd_gap(secular_places *p, const secular *s, slong i)
{
    const double lo = 1 / s->da[i + 1], hi = 1 / s->da[i];
    const int side = s->da[i] > 0 ? 1 : -1; /* sign of y, and f = h/y */
    double slope, y[2];
    const double low = zero_between(LOWEST, s, lo, hi);
    const double least = value(&slope, RISING, s, low);
    secular_place w = {.gap = i, .npoints = 2};

    if (least > 1e-6 * s->dc)
        return;
    y[0] = least < 0 ? zero_between(FALLING, s, lo, low) : low;
    y[1] = least < 0 ? zero_between(RISING, s, low, hi) : low;
    /* ascending x is descending y */
    w.x[0] = 1 / y[1];
    w.want[0] = -side;
    w.x[1] = 1 / y[0];
    w.want[1] = side;
    keep(p, &w, s);
}

void
secular_odd_gaps(secular_places *p, const secular *s)
{
    for (slong i = 0; i + 1 < s->m; i++)
        if (i + 1 != s->negative && !ruled_out(s, i))
            odd_gap(p, s, i);
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
    enum { ANGLES = sizeof angle / sizeof angle[0] };
    double total = 0, square = 0, r;

    for (slong i = 0; i < s->m; i++) {
        total += s->dv[i];
        square += s->dv[i] * s->da[i] * s->da[i];
    }
    r = sqrt(s->dc / total * square / total);
    for (slong k = 0; k < number % 6; k++)
        r *= 0.4;
    *x = r * cos(angle[number / 6 % ANGLES]);
    *y = r * sin(angle[number / 6 % ANGLES]);
}
