/* Small systems for the tests of this room. */
#ifndef CKDA_TEST_REACH_FIXTURE_H
#define CKDA_TEST_REACH_FIXTURE_H
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "ckda/reach.h"
#include "../small_system.h"

static inline void
run_reach(ckda_reach_t r, const ckda_system_t sys, const ckda_limits *limits,
          unsigned flags)
{
    ckda_error err;
    if (ckda_reach_run(r, sys, limits, flags, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    assert_non_null(r->exactness);
}

static inline void
expect_text(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("expected \"%s\" in: %s", part, text);
}

static inline void
open_system(ckda_system_t sys, ckda_construction_t c, const char *system,
            const char *name)
{
    ckda_error err;
    if (ckda_construct(c, system, name, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    ckda_system_init_construct(sys, c);
}

#endif
