/* A tracker with its pairs, opened for a test. */
#ifndef CKDA_TESTS_SNAP_FIXTURE_H
#define CKDA_TESTS_SNAP_FIXTURE_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "ckda/snap.h"

typedef struct {
    ckda_tracker_t t;
    ckda_snap_t s;
} fixture;

static inline void
open_fixture(fixture *f, const char *system, const char *construction)
{
    ckda_error err;
    ckda_error_clear(&err);
    if (ckda_tracker_init(f->t, system, construction, NULL, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    if (ckda_snap_init(f->s, f->t, &err) != CKDA_OK)
        fail_msg("%s", err.text);
}

static inline void
close_fixture(fixture *f)
{
    ckda_snap_clear(f->s);
    ckda_tracker_clear(f->t);
}

static inline void
open_slack(ckda_slack_t r, const fixture *f, ckda_quantiser Q)
{
    ckda_error err;
    ckda_error_clear(&err);
    if (ckda_slack_init(r, f->s, &Q, &err) != CKDA_OK)
        fail_msg("%s", err.text);
}

static inline ckda_quantiser
format_quantiser(const ckda_fp_format *f, int flush, int64_t p, int64_t q)
{
    return (ckda_quantiser){
        .state = f, .has_flush = flush >= 0, .flush = flush, .scale = {p, q}};
}

/* The double next to the ball's middle; its radius must be small. */
static inline double
ball_value(const arb_t x)
{
    const double m = arf_get_d(arb_midref(x), ARF_RND_NEAR);
    assert_true(mag_get_d(arb_radref(x)) <= 1e-9 * (fabs(m) + 1e-30));
    return m;
}

static inline void
assert_near(double x, double want, double tolerance)
{
    if (!(fabs(x - want) <= tolerance))
        fail_msg("%.12g is not within %g of %.12g", x, tolerance, want);
}

#endif
