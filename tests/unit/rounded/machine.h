/* A tracker with rounded parameters, for the tests of this room. */
#ifndef CKDA_TEST_MACHINE_H
#define CKDA_TEST_MACHINE_H
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ckda/rounded.h"

typedef struct {
    ckda_tracker_t t;
    ckda_rounded_t R;
} machine;

static inline void
open_machine(machine *x, const char *system, const char *construction,
             const ckda_arith *a)
{
    ckda_error err;
    if (ckda_tracker_init(x->t, system, construction, NULL, &err) != CKDA_OK
        || ckda_rounded_init(x->R, x->t, a, &err) != CKDA_OK)
        fail_msg("%s: %s", system, err.text);
}

static inline void
close_machine(machine *x)
{
    ckda_rounded_clear(x->R);
    ckda_tracker_clear(x->t);
}

static inline ckda_arith
formats(const ckda_fp_format *state, const ckda_fp_format *keys,
        const ckda_fp_format *compute, bool fma)
{
    ckda_arith a = ckda_arith_default;
    a.state = state;
    a.keys = keys;
    a.compute = compute;
    a.fma = fma;
    return a;
}

/* The same value, sign of zero included; all NaN are one. */
static inline bool
same(double x, double y)
{
    return (x != x && y != y) || (x == y && !signbit(x) == !signbit(y));
}

static inline const ckda_fp_format *
format_of_state(const ckda_rounded_t R)
{
    return R->arith.grid > 0 ? R->arith.compute : R->arith.state;
}

#endif
