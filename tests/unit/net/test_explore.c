/* Closed graphs of joint states: right on words of every length. */
#include "nets.h"

static void
flip_flop_closes(void **state)
{
    (void)state;
    assert_closes(dfa_net(2, 3, flip_flop, PAPER_THREE), 436, 1308);
}

static void
parity_closes(void **state)
{
    (void)state;
    assert_closes(dfa_net(2, 2, parity, PAPER_THREE), 143, 286);
}

static void
one_state_closes(void **state)
{
    (void)state;
    assert_closes(dfa_net(1, 2, one_state, PAPER_THREE), 11, 22);
}

static void
s3_on_two_generators_closes(void **state)
{
    (void)state;
    assert_closes(dfa_net(3, 2, s3_two, PAPER_THREE), 6399, 12798);
}

static void
s3_on_all_letters_closes(void **state)
{
    (void)state;
    assert_closes(group_net("S3", PAPER_THREE), 31363, 188178);
}

static void
window_machines_close(void **state)
{
    (void)state;
    assert_closes(dfa_net(3, 3, t3_generators, WINDOW), 151, 453);
    assert_closes(dfa_net(3, 4, resets_cycle, WINDOW), 189, 756);
    assert_closes(dfa_net(3, 3, subsequence_ab, WINDOW), 130, 390);
}

/* Accumulator vectors, and states of the other heads. */
static void
expect_heads(ckda_net *net, const uint64_t *states, uint32_t heads)
{
    ckda_net_closure c;
    ckda_net_explore(&c, net, NULL);
    assert_int_equal(c.right, CKDA_TRUE);
    assert_int_equal(c.heads, heads);
    for (uint32_t h = 0; h < heads; h++)
        assert_int_equal(c.head_states[h], states[h]);
    ckda_net_closure_clear(&c);
    ckda_net_close(&net);
}

static void
states_of_each_head(void **state)
{
    (void)state;
    expect_heads(dfa_net(3, 3, t3_generators, WINDOW), (const uint64_t[]){2, 40, 8}, 3);
    expect_heads(dfa_net(3, 4, resets_cycle, WINDOW), (const uint64_t[]){2, 85, 10}, 3);
    expect_heads(dfa_net(3, 3, subsequence_ab, WINDOW), (const uint64_t[]){2, 40, 10}, 3);
    expect_heads(dfa_net(2, 3, flip_flop, PAPER_THREE), (const uint64_t[]){4, 121, 5}, 3);
    expect_heads(group_net("S5", SMALL), (const uint64_t[]){4, 60}, 2);
    expect_heads(group_net("A5", SMALL), (const uint64_t[]){2, 60}, 2);
}

static void
small_machines_close(void **state)
{
    (void)state;
    assert_closes(group_net("A5", SMALL), 120, 7200);
    assert_closes(group_net("S5", SMALL), 240, 28800);
}

static void
series_close(void **state)
{
    (void)state;
    assert_closes(group_net("S4", SERIES), 24, 576);
    assert_closes(group_net("D9", SERIES), 18, 324);
}

/* ---- limits and failures ---------------------------------------------------------- */

static void
limits_are_named(void **state)
{
    (void)state;
    ckda_net *net = group_net("S3", PAPER_THREE);
    ckda_net_closure c;
    ckda_limits limits = {.max_states = 100};
    ckda_net_explore(&c, net, &limits);
    assert_int_equal(c.right, CKDA_UNKNOWN);
    assert_string_equal(c.limit, "states");
    assert_true(c.states > 100 && c.states < 200);
    ckda_net_closure_clear(&c);
    limits = (ckda_limits){.max_bytes = 100000};
    ckda_net_explore(&c, net, &limits);
    assert_int_equal(c.right, CKDA_UNKNOWN);
    assert_string_equal(c.limit, "memory");
    ckda_net_closure_clear(&c);
    ckda_net_close(&net);
}

static void
weights_do_not_close(void **state)
{
    (void)state;
    ckda_net *net = w2_net(SHORT_THREE);
    ckda_net_closure c;
    const ckda_limits limits = {.max_states = 300};
    ckda_net_explore(&c, net, &limits);
    assert_int_equal(c.right, CKDA_UNKNOWN);
    ckda_net_closure_clear(&c);
    ckda_net_close(&net);
}

/* Blocks of one letter leave no room for the two factors of a 3-cycle; the shortest word
 * that shows it has one letter in the block and one behind it. */
static void
a_wrong_network_gives_a_word(void **state)
{
    how h = PAPER_THREE;
    (void)state;
    h.block = 1;
    ckda_net *net = group_net("S3", h);
    ckda_net_closure c;
    ckda_net_explore(&c, net, NULL);
    assert_int_equal(c.right, CKDA_FALSE);
    assert_int_equal(c.length, 2);
    assert_false(c.got.valid);
    assert_true(c.want.valid);
    ckda_net_target t;
    ckda_net_target_init(&t, net);
    for (size_t i = 0; i < c.length; i++)
        ckda_net_target_step(&t, c.word[i], net);
    assert_true(ckda_net_output_equal(net, &t.now, &c.want));
    ckda_net_target_clear(&t, net);
    ckda_net_closure_clear(&c);
    ckda_net_close(&net);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flip_flop_closes),
        cmocka_unit_test(parity_closes),
        cmocka_unit_test(one_state_closes),
        cmocka_unit_test(s3_on_two_generators_closes),
        cmocka_unit_test(s3_on_all_letters_closes),
        cmocka_unit_test(window_machines_close),
        cmocka_unit_test(states_of_each_head),
        cmocka_unit_test(small_machines_close),
        cmocka_unit_test(series_close),
        cmocka_unit_test(limits_are_named),
        cmocka_unit_test(weights_do_not_close),
        cmocka_unit_test(a_wrong_network_gives_a_word),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
