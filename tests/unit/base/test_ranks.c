/* What processes that share a search agree on; processes here are forked, or just one. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "../forked_ranks.h"

static void
one_process_is_alone(void **state)
{
    (void)state;
    uint64_t x[2] = {3, 4};
    uint32_t y = 7;
    uint8_t z = 9;
    ckda_ranks_open(); /* nobody started this program with others */
    assert_int_equal(ckda_ranks_count(), 1);
    assert_int_equal(ckda_ranks_mine(), 0);
    ckda_ranks_sum(x, 2);
    ckda_ranks_max(x, 2);
    ckda_ranks_max32(&y, 1);
    ckda_ranks_max8(&z, 1);
    ckda_ranks_share(&y, sizeof y);
    assert_true(x[0] == 3 && x[1] == 4 && y == 7 && z == 9);
    assert_int_equal(ckda_ranks_common(5), 5);
    ckda_ranks_close();
}

static void
one_process_sends_to_itself(void **state)
{
    (void)state;
    const size_t part = 5;
    size_t size;
    uint8_t *got = ckda_ranks_exchange(&size, (const uint8_t *)"abcde", &part);
    assert_int_equal(size, 5);
    assert_memory_equal(got, "abcde", 5);
    free(got);
}

static void
one_process_agrees_with_itself(void **state)
{
    (void)state;
    ckda_error err;
    ckda_error_set(&err, "why");
    assert_int_equal(ckda_ranks_agree(CKDA_OK, &err), CKDA_OK);
    assert_int_equal(ckda_ranks_agree(CKDA_E_IO, &err), CKDA_E_IO);
    assert_string_equal(err.text, "why");
    assert_int_equal(ckda_ranks_agree(CKDA_E_IO, NULL), CKDA_E_IO);
}

static bool
numbers(void *data)
{
    const uint64_t count = *(const uint32_t *)data, mine = ckda_ranks_mine();
    uint64_t sum[2] = {mine, 1}, most[2] = {mine, UINT64_MAX - mine};
    uint32_t x = (uint32_t)(100 - mine);
    uint8_t y[3] = {0, (uint8_t)mine, mine == 1};
    ckda_ranks_sum(sum, 2);
    ckda_ranks_max(most, 2);
    ckda_ranks_max32(&x, 1);
    ckda_ranks_max8(y, 3);
    return ckda_ranks_count() == count && sum[0] == count * (count - 1) / 2
           && sum[1] == count && most[0] == count - 1 && most[1] == UINT64_MAX && x == 100
           && y[0] == 0 && y[1] == count - 1 && y[2] == 1;
}

static void
sums_and_maxima_are_the_same_everywhere(void **state)
{
    (void)state;
    for (uint32_t count = 2; count <= 4; count++)
        assert_true(in_processes(count, numbers, &count));
}

static bool
what_zero_has(void *data)
{
    (void)data;
    uint32_t x = 5 + ckda_ranks_mine();
    ckda_ranks_share(&x, sizeof x);
    return x == 5;
}

static void
what_process_0_has_is_shared(void **state)
{
    (void)state;
    assert_true(in_processes(3, what_zero_has, NULL));
}

/* Process i sends i + 1 times the letter of the receiver to each. */
static bool
letters(void *data)
{
    (void)data;
    const uint32_t count = ckda_ranks_count(), mine = ckda_ranks_mine();
    uint8_t out[64];
    size_t part[MOST_RANKS], at = 0, size;
    for (uint32_t to = 0; to < count; to++) {
        part[to] = mine + 1;
        memset(out + at, (int)('a' + 8 * mine + to), mine + 1);
        at += mine + 1;
    }
    uint8_t *got = ckda_ranks_exchange(&size, out, part);
    bool good = size == count * (count + 1) / 2;
    at = 0;
    for (uint32_t from = 0; good && from < count; from++)
        for (uint32_t k = 0; k <= from; k++)
            good = got[at++] == 'a' + 8 * from + mine && good;
    free(got);
    return good;
}

static void
messages_come_in_the_order_of_senders(void **state)
{
    (void)state;
    for (uint32_t count = 1; count <= 4; count++)
        assert_true(in_processes(count, letters, NULL));
}

static bool
common_or_not(void *data)
{
    (void)data;
    return ckda_ranks_common(7) == 7 && ckda_ranks_common(ckda_ranks_mine()) == 0
           && ckda_ranks_common(ckda_ranks_mine() == 0 ? 8 : 0) == 0;
}

static void
a_common_number_is_one_that_all_have(void **state)
{
    (void)state;
    assert_true(in_processes(3, common_or_not, NULL));
}

static bool
errors(void *data)
{
    (void)data;
    const uint32_t mine = ckda_ranks_mine();
    ckda_error err;
    ckda_error_set(&err, "process %u", (unsigned)mine);
    bool good = ckda_ranks_agree(CKDA_OK, &err) == CKDA_OK;
    const ckda_status own = mine == 0 ? CKDA_OK : mine == 1 ? CKDA_E_IO : CKDA_E_INPUT;
    good = good && ckda_ranks_agree(own, &err) == CKDA_E_IO;
    return good && strcmp(err.text, "process 1") == 0;
}

static void
all_have_the_first_error(void **state)
{
    (void)state;
    assert_true(in_processes(3, errors, NULL));
}

static bool
alone_for_a_while(void *data)
{
    (void)data;
    uint64_t x = 1;
    ckda_ranks_suspend();
    ckda_ranks_suspend();
    ckda_ranks_resume();
    ckda_ranks_sum(&x, 1);
    bool good = x == 1 && ckda_ranks_count() == 1 && ckda_ranks_mine() == 0;
    ckda_ranks_resume();
    ckda_ranks_sum(&x, 1);
    return good && x == 3;
}

static void
a_suspended_process_is_alone(void **state)
{
    (void)state;
    assert_true(in_processes(3, alone_for_a_while, NULL));
}

static bool
only_zero(void *data)
{
    (void)data;
    return ckda_ranks_mine() == 0;
}

static void
a_process_that_fails_is_noticed(void **state)
{
    (void)state;
    assert_false(in_processes(3, only_zero, NULL));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_process_is_alone),
        cmocka_unit_test(one_process_sends_to_itself),
        cmocka_unit_test(one_process_agrees_with_itself),
        cmocka_unit_test(sums_and_maxima_are_the_same_everywhere),
        cmocka_unit_test(what_process_0_has_is_shared),
        cmocka_unit_test(messages_come_in_the_order_of_senders),
        cmocka_unit_test(a_common_number_is_one_that_all_have),
        cmocka_unit_test(all_have_the_first_error),
        cmocka_unit_test(a_suspended_process_is_alone),
        cmocka_unit_test(a_process_that_fails_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
