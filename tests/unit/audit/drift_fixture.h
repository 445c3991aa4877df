/* Trackers with an arithmetic, for the tests of drift. */
#ifndef CKDA_TEST_DRIFT_FIXTURE_H
#define CKDA_TEST_DRIFT_FIXTURE_H
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ckda/drift.h"
#include "../../../src/audit/drift_internal.h"
#include "../../../src/audit/drift_reference.h"

typedef struct {
    ckda_tracker_t t;
    ckda_rounded_t R;
} kernel;

static inline ckda_arith
arith(const ckda_fp_format *state, const ckda_fp_format *keys,
      const ckda_fp_format *compute, bool fma)
{
    ckda_arith a = ckda_arith_default;
    a.state = state;
    a.keys = keys;
    a.compute = compute;
    a.beta = compute;
    a.fma = fma;
    return a;
}

static inline ckda_arith
fp32_keys_in(const ckda_fp_format *state)
{
    return arith(state, &ckda_fp_fp32, &ckda_fp_fp32, true);
}

static inline void
kernel_open(kernel *k, const char *system, const char *construction, const ckda_arith *a)
{
    ckda_error err;
    ckda_error_clear(&err);
    if (ckda_tracker_init(k->t, system, construction, NULL, &err) != CKDA_OK
        || ckda_rounded_init(k->R, k->t, a, &err) != CKDA_OK)
        fail_msg("%s", err.text);
}

static inline void
kernel_close(kernel *k)
{
    ckda_rounded_clear(k->R);
    ckda_tracker_clear(k->t);
}

/* Letter of the element that this text names. */
static inline uint32_t
letter(const kernel *k, const char *text)
{
    uint32_t g;
    assert_int_equal(ckda_group_parse(&g, k->t->c->G, text, NULL), CKDA_OK);
    const int64_t l = ckda_tracker_letter(k->t, g);
    assert_true(l >= 0);
    return (uint32_t)l;
}

static inline void
run(ckda_drift_result_t r, const kernel *k, const ckda_drift_options *o)
{
    ckda_error err;
    ckda_error_clear(&err);
    if (ckda_drift_run(r, k->t, k->R, o, &err) != CKDA_OK)
        fail_msg("%s", err.text);
}

#define assert_near(x, y, eps) assert_true(fabs((x) - (y)) <= (eps))

#endif
