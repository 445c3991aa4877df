/* Fields of many degrees and a replayable seed for the tests of this room. */
#ifndef CKDA_TEST_MAT_FIXTURE_H
#define CKDA_TEST_MAT_FIXTURE_H
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>

#include "ckda/mat.h"

#define NFIELDS 6
#define OK(call) assert_int_equal(call, CKDA_OK)

/* Degrees 1, 2, 4, 8, 48 (totally real) and 3 (one real embedding: Q(2^(1/3))). */
typedef struct {
    ckda_field_t K[NFIELDS];
    ckda_rand r;
} fixture;

static inline uint64_t
test_seed(void)
{
    const char *s = getenv("CKDA_TEST_SEED");
    uint64_t seed = s != NULL ? strtoull(s, NULL, 0) : 20240229;
    return seed;
}

static inline int
fixture_setup(void **state)
{
    fixture *f = malloc(sizeof *f);
    qqbar_t x;
    assert_non_null(f);
    ckda_field_init_rational(f->K[0]);
    ckda_field_init_sqrt(f->K[1], 5);
    ckda_field_init_cos(f->K[2], 15);
    ckda_field_init_cos(f->K[3], 60);
    ckda_field_init_cos(f->K[4], 97);
    qqbar_init(x);
    qqbar_set_si(x, 2);
    qqbar_root_ui(x, x, 3);
    OK(ckda_field_init_qqbar(f->K[5], x));
    qqbar_clear(x);
    ckda_rand_init(&f->r, test_seed());
    *state = f;
    return 0;
}

static inline int
fixture_teardown(void **state)
{
    fixture *f = *state;
    for (int i = 0; i < NFIELDS; i++)
        ckda_field_clear(f->K[i]);
    free(f);
    flint_cleanup();
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

#endif
