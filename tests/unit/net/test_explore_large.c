/* The two large closures: S_5 in two layers, and all 27 maps on three points in two. */
#include "nets.h"

static void
s5_in_two_layers_closes(void **state)
{
    (void)state;
    ckda_net *net = group_net("S5", SERIES);
    ckda_net_closure c;
    ckda_net_explore(&c, net, NULL);
    assert_int_equal(c.right, CKDA_TRUE);
    assert_int_equal(c.states, 14400);
    assert_int_equal(c.edges, 14400 * 120);
    assert_int_equal(c.head_states[0], 2);
    assert_int_equal(c.head_states[1], 7200);
    ckda_net_closure_clear(&c);
    ckda_net_close(&net);
}

static void
all_27_maps_in_two_layers_close(void **state)
{
    uint32_t next[81];
    (void)state;
    all_maps3(next);
    ckda_net *net = dfa_net(3, 27, next, WINDOW);
    ckda_net_closure c;
    ckda_net_explore(&c, net, NULL);
    assert_int_equal(c.right, CKDA_TRUE);
    assert_int_equal(c.states, 75601);
    assert_int_equal(c.edges, 2041227);
    assert_int_equal(c.head_states[2], 19);
    ckda_net_closure_clear(&c);
    ckda_net_close(&net);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s5_in_two_layers_closes),
        cmocka_unit_test(all_27_maps_in_two_layers_close),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
