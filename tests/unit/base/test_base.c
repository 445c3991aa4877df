/* Laws of the base room: truth tables, random ranges, messages. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

#include "ckda/rand.h"
#include "ckda/status.h"

static void
truth_and_is_kleene(void **state)
{
    (void)state;
    const ckda_truth F = CKDA_FALSE, T = CKDA_TRUE, U = CKDA_UNKNOWN;
    const ckda_truth want[3][3] = {{F, F, F}, {F, T, U}, {F, U, U}};
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            assert_int_equal(ckda_truth_and((ckda_truth)a, (ckda_truth)b), want[a][b]);
}

static void
rand_is_replayable_and_in_range(void **state)
{
    (void)state;
    ckda_rand r, s;
    ckda_rand_init(&r, 1);
    ckda_rand_init(&s, 1);
    int seen[7] = {0};
    for (int i = 0; i < 1000; i++) {
        int64_t v = ckda_rand_range(&r, -3, 3);
        assert_true(v >= -3 && v <= 3);
        assert_int_equal(v, ckda_rand_range(&s, -3, 3));
        seen[v + 3]++;
    }
    for (int i = 0; i < 7; i++)
        assert_true(seen[i] > 0);
    assert_int_equal(ckda_rand_range(&r, INT64_MAX, INT64_MAX), INT64_MAX);
    (void)ckda_rand_range(&r, INT64_MIN, INT64_MAX); /* full width must not divide by 0 */
}

static void
rand_first_values_are_fixed(void **state)
{
    (void)state;
    ckda_rand r;
    ckda_rand_init(&r, 0);
    assert_int_equal(ckda_rand_u64(&r),
                     UINT64_C(0xe220a8397b1dcdaf)); /* splitmix64, seed 0 */
}

static void
error_text_is_cut_not_overrun(void **state)
{
    (void)state;
    ckda_error err;
    char longtext[3000];
    memset(longtext, 'x', sizeof longtext - 1);
    longtext[sizeof longtext - 1] = '\0';
    ckda_error_set(&err, "%s", longtext);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    ckda_error_set(&err, "expected %d", 3);
    ckda_error_prefix(&err, "a.json");
    assert_string_equal(err.text, "a.json: expected 3");
    ckda_error_set(NULL, "dropped");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(truth_and_is_kleene),
        cmocka_unit_test(rand_is_replayable_and_in_range),
        cmocka_unit_test(rand_first_values_are_fixed),
        cmocka_unit_test(error_text_is_cut_not_overrun),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
