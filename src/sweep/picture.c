/* Positions and the boundary curve in doubles.
 *
 * F1 in angles: tan^2 mu = beta - 1, tan^2 tau = -alpha/second, phi = 90 degrees - theta.  A
 * pair exists iff mu, tau, phi are the sides of a spherical triangle; on the boundary
 *     tan^2 tau = tan^2(mu +- phi),  tan^2 mu = tan^2(tau +- phi),
 *     phi = |mu - tau| or phi = min(mu + tau, 180 degrees - mu - tau). */
#include <math.h>
#include "sweep_internal.h"

static const double degree = 0.017453292519943295769;

double
ckda_sweep_position(const ckda_sweep_t s, ckda_sweep_axis a, double i)
{
    const double part = i / (double)s->plan.cells;
    if (a == CKDA_SWEEP_ALPHA)
        return 2 * part - 1;
    if (a == CKDA_SWEEP_BETA)
        return 2 * part;
    return s->plan.cosine ? 90 * part : 2 * atan(part) / degree;
}

/* theta of the transition, in radians, from cos 2 theta. */
static double
fixed_theta(const ckda_sweep_t s)
{
    return acos(ckda_elem_approx(s->value + SWEEP_COS2, s->K)) / 2;
}

/* x if the axis is a, else the fixed value v. */
static double
pick(const ckda_sweep_t s, ckda_sweep_axis a, double x, int v)
{
    return s->plan.x == a ? x : ckda_elem_approx(s->value + v, s->K);
}

static double
theta_at(const ckda_sweep_t s, double x, double theta)
{
    if (s->plan.x == CKDA_SWEEP_THETA)
        return x * degree;
    return s->plan.any_key ? theta * degree : fixed_theta(s);
}

/* tan^2 mu and tan^2 tau must not be negative. */
static double
angle_of(double tangent_squared)
{
    return tangent_squared >= 0 ? atan(sqrt(tangent_squared)) : NAN;
}

static double
squared_tangent(double angle)
{
    const double t = tan(angle);
    return t * t;
}

double
ckda_sweep_boundary(const ckda_sweep_t s, int branch, double x, double theta)
{
    const double second = ckda_elem_approx(s->value + SWEEP_SECOND, s->K);
    const double sign = branch == 0 ? -1 : 1;
    double mu = NAN, tau = NAN, phi = NAN, y = NAN;
    if (s->plan.y != CKDA_SWEEP_BETA)
        mu = angle_of(pick(s, CKDA_SWEEP_BETA, x, SWEEP_BETA) - 1);
    if (s->plan.y != CKDA_SWEEP_ALPHA)
        tau = angle_of(-pick(s, CKDA_SWEEP_ALPHA, x, SWEEP_ALPHA) / second);
    if (s->plan.y != CKDA_SWEEP_THETA)
        phi = 90 * degree - theta_at(s, x, theta);
    if (s->plan.y == CKDA_SWEEP_ALPHA) {
        y = -second * squared_tangent(mu + sign * phi);
        return y >= -1 ? y : NAN;
    }
    if (s->plan.y == CKDA_SWEEP_BETA) {
        y = 1 + squared_tangent(tau + sign * phi);
        return y <= 2 ? y : NAN;
    }
    phi = branch == 0 ? fabs(mu - tau) : fmin(mu + tau, 180 * degree - mu - tau);
    y = 90 - phi / degree;
    return y >= 0 && y <= 90 ? y : NAN;
}
