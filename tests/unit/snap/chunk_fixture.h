/* One tracker under one chunk scheme, for the tests. */
#ifndef CKDA_TESTS_CHUNK_FIXTURE_H
#define CKDA_TESTS_CHUNK_FIXTURE_H
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ckda/chunk.h"

typedef struct {
    ckda_tracker_t t;
    ckda_chunk_t k;
} fixture;

static inline ckda_chunk_scheme
scheme_of(const char *split, int64_t grid, uint32_t length)
{
    ckda_chunk_scheme s = ckda_chunk_scheme_default;
    ckda_error err;
    if (ckda_chunk_split_named(&s.split, split, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    s.grid = grid;
    s.length = length;
    return s;
}

static inline void
open_scheme(fixture *f, const char *system, const char *construction,
            const ckda_chunk_scheme *s)
{
    ckda_error err;
    ckda_error_clear(&err);
    if (ckda_tracker_init(f->t, system, construction, NULL, &err) != CKDA_OK
        || ckda_chunk_init(f->k, f->t, s, &err) != CKDA_OK)
        fail_msg("%s: %s", system, err.text);
}

static inline void
open_fixture(fixture *f, const char *system, const char *construction, const char *split,
             int64_t grid, uint32_t length)
{
    const ckda_chunk_scheme s = scheme_of(split, grid, length);
    open_scheme(f, system, construction, &s);
}

static inline void
close_fixture(fixture *f)
{
    ckda_chunk_clear(f->k);
    ckda_tracker_clear(f->t);
}

static inline void
random_word(uint32_t *word, uint32_t count, uint32_t letters, ckda_rand *r)
{
    for (uint32_t i = 0; i < count; i++)
        word[i] = (uint32_t)ckda_rand_below(r, letters);
}
#endif
