/* Options of ckda-gpu: what words and audit are both asked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gpu_cli.h"

/* ---- lists --------------------------------------------------------------------------------- */

static void
check_list(const char *text, bool good)
{
    uint64_t list[4];
    uint32_t count;
    assert_int_equal(gpu_read_list(list, &count, 4, text, 1000), good);
}

static void
a_list_ascends(void **state)
{
    (void)state;
    check_list("1", true);
    check_list("1,2,3,1000", true);
    check_list("1,1", false);
    check_list("2,1", false);
    check_list("0,1", false);
}

static void
a_list_fits(void **state)
{
    (void)state;
    check_list("1001", false);
    check_list("1,2,3,4,5", false);
    check_list("", false);
    check_list("1;2", false);
    check_list("-1", false);
    check_list(" 1", false);
}

static void
a_list_is_read(void **state)
{
    (void)state;
    uint64_t list[4];
    uint32_t count;
    assert_true(gpu_read_list(list, &count, 4, "64,256,1000", 1000));
    assert_int_equal(count, 3);
    assert_int_equal(list[0], 64);
    assert_int_equal(list[1], 256);
    assert_int_equal(list[2], 1000);
}

/* ---- checkpoints ------------------------------------------------------------------------------ */

static ckda_status
checkpoints(uint64_t *list, uint32_t *count, const char *at, uint64_t length,
            uint64_t multiple)
{
    const gpu_word_options o = {.at = at, .length = length};
    ckda_error err;
    ckda_error_clear(&err);
    return gpu_checkpoints(list, count, &o, multiple, &err);
}

static void
usual_checkpoints_are_powers_of_four_and_the_length(void **state)
{
    (void)state;
    uint64_t list[CKDA_GPU_MAX_CHECKPOINTS];
    uint32_t count;
    assert_int_equal(checkpoints(list, &count, NULL, 1000, 16), CKDA_OK);
    assert_int_equal(count, 3);
    assert_int_equal(list[0], 64);
    assert_int_equal(list[1], 256);
    assert_int_equal(list[2], 1000);
    assert_int_equal(checkpoints(list, &count, NULL, 64, 16), CKDA_OK);
    assert_int_equal(count, 1);
    assert_int_equal(checkpoints(list, &count, NULL, UINT64_C(1) << 40, 16), CKDA_OK);
    assert_true(count <= CKDA_GPU_MAX_CHECKPOINTS);
    assert_int_equal(list[count - 1], UINT64_C(1) << 40);
}

static void
checkpoints_of_kernels_are_multiples_or_the_length(void **state)
{
    (void)state;
    uint64_t list[CKDA_GPU_MAX_CHECKPOINTS];
    uint32_t count;
    assert_int_equal(checkpoints(list, &count, "16,100", 100, 16), CKDA_OK);
    assert_int_equal(checkpoints(list, &count, "17,100", 100, 16), CKDA_E_INPUT);
    assert_int_equal(checkpoints(list, &count, "17,100", 100, 1), CKDA_OK);
    assert_int_equal(checkpoints(list, &count, "101", 100, 1), CKDA_E_INPUT);
}

/* ---- the parser --------------------------------------------------------------------------------- */

static error_t
parse(gpu_word_options *o, int argc, const char **argv)
{
    return argp_parse(&gpu_word_argp, argc, (char **)argv, ARGP_NO_EXIT | ARGP_NO_ERRS,
                      NULL, o);
}

static void
options_are_read(void **state)
{
    (void)state;
    gpu_word_options o = {.every = 16};
    const char *argv[] = {"x", "-c",      "cube", "--words", "7",       "--length",
                          "9", "--every", "32",   "--at",    "3,9",     "--seed",
                          "5", "--json",  "A5",   "-a",      "fma=off", "Z3"};
    assert_int_equal(parse(&o, (int)(sizeof argv / sizeof *argv), argv), 0);
    assert_string_equal(o.construction, "cube");
    assert_string_equal(o.defaults, "fma=off");
    assert_string_equal(o.at, "3,9");
    assert_int_equal(o.words, 7);
    assert_int_equal(o.length, 9);
    assert_int_equal(o.every, 32);
    assert_int_equal(o.seed, 5);
    assert_true(o.has_every && o.json);
    assert_int_equal(o.rows, 2);
    assert_string_equal(o.text[0], "A5");
    assert_string_equal(o.text[1], "Z3");
}

static void
older_names_mean_the_same(void **state)
{
    (void)state;
    gpu_word_options o = {0};
    const char *argv[] = {"x", "--sequences", "7", "--steps", "9"};
    assert_int_equal(parse(&o, 5, argv), 0);
    assert_int_equal(o.words, 7);
    assert_int_equal(o.length, 9);
    assert_false(o.has_every);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_ascends),
        cmocka_unit_test(a_list_fits),
        cmocka_unit_test(a_list_is_read),
        cmocka_unit_test(usual_checkpoints_are_powers_of_four_and_the_length),
        cmocka_unit_test(checkpoints_of_kernels_are_multiples_or_the_length),
        cmocka_unit_test(options_are_read),
        cmocka_unit_test(older_names_mean_the_same),
    };
    return cmocka_run_group_tests_name("options of ckda-gpu", tests, NULL, NULL);
}
