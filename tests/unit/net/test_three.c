/* Three layers beside the direct product. */
#include <stdio.h>
#include <string.h>
#include "nets.h"

/* ---- test vectors ----------------------------------------------------------------- */

/* V4: the accumulator of the flip-flop on s i r s i s r r i s. */
static void
flip_flop_states_of_v4(void **state)
{
    static const uint32_t word[] = {0, 2, 1, 0, 2, 0, 1, 1, 2, 0},
                          states[] = {1, 1, 0, 1, 1, 1, 0, 0, 0, 1};
    static const slong sixths[][2] = {{6, 0}, {6, 0},   {5, -3}, {0, 6},  {-3, -3},
                                      {0, 6}, {-3, -3}, {0, 6},  {-3, 5}, {6, 0}};
    (void)state;
    ckda_net *net = dfa_net(2, 3, flip_flop, PAPER_THREE);
    ckda_net_run *run = ckda_net_run_open(net);
    const ckda_field_struct *K = ckda_net_get_head(net, 2)->K;
    ckda_mat_t H;
    ckda_mat_init(H, 2, 1, K);
    for (int t = 0; t < 10; t++) {
        ckda_net_run_step(run, word[t], NULL);
        assert_true(ckda_net_run_output(run)->valid);
        assert_int_equal(ckda_net_run_output(run)->index, states[t]);
        ckda_mat_set_si(H, sixths[t], 6, K);
        assert_true(ckda_mat_equal(NULL, H, ckda_net_run_state(run, 2), K));
    }
    ckda_mat_clear(H, K);
    ckda_net_run_close(&run);
    ckda_net_close(&net);
}

/* V8: W2 on (ab)^17. */
static void
check_v8(how h)
{
    static const struct {
        int t;
        const char *y;
    } want[] = {{1, "116/21"},
                {2, "95/42"},
                {3, "411/7"},
                {4, "1510/63"},
                {34, "55393874500706735726604160/903981141"}};
    ckda_net *net = w2_net(h);
    ckda_net_run *run = ckda_net_run_open(net);
    size_t found = 0;
    for (int t = 1; t <= 34; t++) {
        ckda_net_run_step(run, (uint32_t)(t - 1) % 2, NULL);
        if (t != want[found].t)
            continue;
        char *text = ckda_net_output_str(net, ckda_net_run_output(run));
        assert_string_equal(text, want[found++].y);
        free(text);
    }
    assert_int_equal(found, 5);
    ckda_net_run_close(&run);
    ckda_net_close(&net);
}

static void
weights_of_v8_paper(void **state)
{
    (void)state;
    check_v8(PAPER_THREE);
}

static void
weights_of_v8_short(void **state)
{
    (void)state;
    check_v8(SHORT_THREE);
}

/* ---- all words up to a length ----------------------------------------------------- */

static void
exhaust(uint32_t n, uint32_t k, const uint32_t *next, how h, int length, long prefixes)
{
    ckda_net *net = dfa_net(n, k, next, h);
    assert_int_equal(check_all_words(net, length), prefixes);
    check_random(net, 300, 7);
    ckda_net_close(&net);
}

static void
flip_flop_all_words(void **state)
{
    (void)state;
    exhaust(2, 3, flip_flop, PAPER_THREE, 7, 7 * 2187);
    exhaust(2, 3, flip_flop, SHORT_THREE, 7, 7 * 2187);
}

static void
parity_all_words(void **state)
{
    (void)state;
    exhaust(2, 2, parity, PAPER_THREE, 10, 10240);
}

static void
one_state_all_words(void **state)
{
    (void)state;
    exhaust(1, 2, one_state, PAPER_THREE, 8, 2048);
}

static void
contains_abb_all_words(void **state)
{
    (void)state;
    exhaust(4, 2, contains_abb, PAPER_THREE, 11, 22528);
    exhaust(4, 2, contains_abb, SHORT_THREE, 11, 22528);
}

static void
four_state_reset_all_words(void **state)
{
    (void)state;
    exhaust(4, 5, reset4, PAPER_THREE, 5, 15625);
    exhaust(4, 5, reset4, SHORT_THREE, 5, 15625);
}

static void
all_27_maps_paper(void **state)
{
    uint32_t next[81];
    (void)state;
    all_maps3(next);
    ckda_net *net = dfa_net(3, 27, next, PAPER_THREE);
    assert_int_equal(ckda_net_block(net), 4);
    assert_int_equal(check_all_words(net, 2), 1458);
    check_random(net, 3000, 1);
    ckda_net_close(&net);
}

static void
all_27_maps_short(void **state)
{
    uint32_t next[81];
    (void)state;
    all_maps3(next);
    ckda_net *net = dfa_net(3, 27, next, SHORT_THREE);
    assert_int_equal(ckda_net_block(net), 2);
    assert_int_equal(check_all_words(net, 3), 59049);
    check_random(net, 3000, 1);
    ckda_net_close(&net);
}

static void
s3_all_words(void **state)
{
    (void)state;
    ckda_net *net = group_net("S3", PAPER_THREE);
    assert_int_equal(check_all_words(net, 5), 5 * 7776);
    ckda_net_close(&net);
}

/* ---- S5 --------------------------------------------------------------------------- */

static void
s5_random_words(void **state)
{
    (void)state;
    ckda_net *net = group_net("S5", PAPER_THREE);
    assert_int_equal(ckda_net_block(net), 4);
    for (uint64_t seed = 1; seed <= 20; seed++)
        check_random(net, 10 * (int)seed, seed);
    ckda_net_close(&net);
}

/* One letter, `length` times; the first prefix that is wrong, or 0. */
static int
power(const ckda_net *net, const char *letter, int length)
{
    uint32_t x = 0;
    int wrong = 0;
    while (strcmp(ckda_net_letter_name(net, x), letter) != 0)
        x++;
    ckda_net_target t;
    ckda_net_run *run = ckda_net_run_open(net);
    ckda_net_target_init(&t, net);
    for (int i = 1; i <= length && wrong == 0; i++) {
        ckda_net_run_step(run, x, NULL);
        ckda_net_target_step(&t, x, net);
        if (!ckda_net_output_equal(net, ckda_net_run_output(run), &t.now))
            wrong = i;
    }
    ckda_net_target_clear(&t, net);
    ckda_net_run_close(&run);
    return wrong;
}

static void
five_cycle_to_203(void **state)
{
    (void)state;
    ckda_net *net = group_net("S5", PAPER_THREE);
    assert_int_equal(power(net, "(1,2,3,4,5)", 203), 0);
    ckda_net_close(&net);
}

/* Three factors are not enough for a 5-cycle: the lookup of layer 3 has no entry as soon
 * as the first block is complete. */
static void
blocks_of_three_fail_on_a_five_cycle(void **state)
{
    how h = PAPER_THREE;
    (void)state;
    h.block = 3;
    ckda_net *net = group_net("S5", h);
    assert_int_equal(power(net, "(1,2)", 30), 0);
    assert_int_equal(power(net, "(1,2,3,4,5)", 30), 4);
    ckda_net_close(&net);
}

/* ---- weights ---------------------------------------------------------------------- */

static void
weights_one_state(void **state)
{
    static const slong entries[] = {-15, 0, 14}, one[] = {3}, final[] = {2};
    (void)state;
    ckda_net *net = wfa_net(1, 3, entries, 10, one, final, 5, PAPER_THREE);
    assert_int_equal(ckda_net_block(net), 10);
    check_all_words(net, 5);
    for (uint64_t seed = 1; seed <= 3; seed++)
        check_random(net, 300, seed);
    ckda_net_close(&net);
    net = wfa_net(1, 3, entries, 10, one, final, 5, SHORT_THREE);
    assert_int_equal(ckda_net_block(net), 4);
    check_random(net, 300, 4);
    ckda_net_close(&net);
}

static void
weights_two_states(void **state)
{
    (void)state;
    ckda_net *net = w2_net(PAPER_THREE);
    assert_int_equal(ckda_net_block(net), 34);
    check_random(net, 300, 1);
    ckda_net_close(&net);
    net = w2_net(SHORT_THREE);
    assert_int_equal(ckda_net_block(net), 8);
    check_random(net, 300, 2);
    ckda_net_close(&net);
}

static void
weights_three_states_short(void **state)
{
    static const slong entries[] = {1, 2, 0, -1, 3, 1,  0, 0, 2,
                                    0, 1, 1, 1,  0, -2, 5, 1, 0},
                       initial[] = {1, 0, -1}, final[] = {1, 2, 3};
    (void)state;
    ckda_net *net = wfa_net(3, 2, entries, 2, initial, final, 1, SHORT_THREE);
    assert_int_equal(ckda_net_block(net), 12);
    check_random(net, 100, 3);
    ckda_net_close(&net);
}

static void
weights_zero_matrix_and_fibonacci(void **state)
{
    static const slong entries[] = {0, 0, 0, 0, 0, 1, 1, -1}, initial[] = {0, 1},
                       final[] = {1, 0};
    (void)state;
    for (int s = 0; s < 2; s++) {
        ckda_net *net = wfa_net(2, 2, entries, 1, initial, final, 1,
                                s == 0 ? PAPER_THREE : SHORT_THREE);
        check_all_words(net, 6);
        check_random(net, 120, 5);
        ckda_net_close(&net);
    }
}

/* Bits of the accumulator after T letters of (ab)^*: linear in T. */
static void
bits_grow_linearly(void **state)
{
    ulong bits[401];
    (void)state;
    ckda_net *net = w2_net(SHORT_THREE);
    ckda_net_run *run = ckda_net_run_open(net);
    for (int t = 1; t <= 400; t++) {
        ckda_net_run_step(run, (uint32_t)(t - 1) % 2, NULL);
        bits[t] = ckda_net_run_bits(run, 2);
    }
    for (int t = 48; t <= 200; t += 8) {
        assert_true(bits[2 * t] <= 2 * bits[t] + 60);
        assert_true(2 * bits[2 * t] >= 3 * bits[t]);
    }
    ckda_net_run_close(&run);
    ckda_net_close(&net);
}

/* ---- beta ------------------------------------------------------------------------- */

static void
check_beta(how h, slong num, slong den)
{
    uint32_t next[81];
    all_maps3(next);
    ckda_net *net = dfa_net(3, 27, next, h);
    ckda_net_run *run = ckda_net_run_open(net);
    const ckda_field_struct *K = ckda_net_get_head(net, 2)->K;
    ckda_elem_t limit;
    ckda_rand r;
    ckda_elem_init(limit, K);
    ckda_elem_set_frac(limit, num, den, K);
    ckda_rand_init(&r, 9);
    for (int t = 0; t < 2000; t++)
        ckda_net_run_step(run, (uint32_t)ckda_rand_below(&r, 27), NULL);
    assert_int_equal(ckda_elem_cmp(ckda_net_run_max_beta(run, 2), limit, K), 0);
    ckda_elem_clear(limit, K);
    ckda_net_run_close(&run);
    ckda_net_close(&net);
}

static void
largest_beta_of_maps(void **state)
{
    (void)state;
    check_beta(PAPER_THREE, 3, 1);
    check_beta(SHORT_THREE, 5, 2);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flip_flop_states_of_v4),
        cmocka_unit_test(weights_of_v8_paper),
        cmocka_unit_test(weights_of_v8_short),
        cmocka_unit_test(flip_flop_all_words),
        cmocka_unit_test(parity_all_words),
        cmocka_unit_test(one_state_all_words),
        cmocka_unit_test(contains_abb_all_words),
        cmocka_unit_test(four_state_reset_all_words),
        cmocka_unit_test(all_27_maps_paper),
        cmocka_unit_test(all_27_maps_short),
        cmocka_unit_test(s3_all_words),
        cmocka_unit_test(s5_random_words),
        cmocka_unit_test(five_cycle_to_203),
        cmocka_unit_test(blocks_of_three_fail_on_a_five_cycle),
        cmocka_unit_test(weights_one_state),
        cmocka_unit_test(weights_two_states),
        cmocka_unit_test(weights_three_states_short),
        cmocka_unit_test(weights_zero_matrix_and_fibonacci),
        cmocka_unit_test(bits_grow_linearly),
        cmocka_unit_test(largest_beta_of_maps),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
