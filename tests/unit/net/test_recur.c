/* The bare recurrence and the heads that the layers are made of. */
#include "nets.h"

/* H <- (I - beta k k^T) D H + scale w v^T by plain matrix products. */
static void
literal(ckda_mat_t H, const ckda_net_step *t, const ckda_field_t K)
{
    ckda_mat_t D, A, w, v;
    ckda_mat_init(D, t->n, t->n, K);
    ckda_mat_init(A, t->n, t->n, K);
    ckda_mat_init(w, t->n, 1, K);
    ckda_mat_init(v, 1, t->m, K);
    assert_int_equal(ckda_mat_set_diag(D, t->gate, t->n, K), CKDA_OK);
    assert_int_equal(ckda_mat_mul(H, D, H, K), CKDA_OK);
    for (slong j = 0; j < t->s; j++) {
        const ckda_elem_struct *key = t->key + j * t->n;
        assert_int_equal(ckda_mat_set_householder(A, t->beta + j, key, t->n, K), CKDA_OK);
        for (slong i = 0; i < t->n; i++)
            ckda_elem_mul(w->entry + i, key + i, t->scale + j, K);
        for (slong c = 0; c < t->m; c++)
            ckda_elem_set(v->entry + c, t->value + j * t->m + c, K);
        assert_int_equal(ckda_mat_mul(H, A, H, K), CKDA_OK);
        ckda_mat_t write;
        ckda_mat_init(write, t->n, t->m, K);
        assert_int_equal(ckda_mat_mul(write, w, v, K), CKDA_OK);
        assert_int_equal(ckda_mat_add(H, H, write, K), CKDA_OK);
        ckda_mat_clear(write, K);
    }
    ckda_mat_clear(v, K);
    ckda_mat_clear(w, K);
    ckda_mat_clear(A, K);
    ckda_mat_clear(D, K);
}

static void
check_literal(const ckda_field_t K, slong n, slong m, slong h, slong s, uint64_t seed)
{
    ckda_rand r;
    ckda_net_step t;
    ckda_mat_t H, G, o, q, want;
    ckda_rand_init(&r, seed);
    ckda_net_step_init(&t, n, m, h, s, K);
    ckda_mat_rand(t.data, &r, 5, 3, K);
    for (slong j = 0; j < s; j++)
        ckda_elem_one(t.key + j * n, K); /* no key is zero */
    assert_int_equal(ckda_net_step_ready(&t, K), CKDA_OK);
    ckda_mat_init(H, n, m, K);
    ckda_mat_rand(H, &r, 4, 2, K);
    ckda_mat_init_set(G, H, K);
    ckda_mat_init(o, m, h, K);
    ckda_mat_init(q, n, h, K);
    ckda_mat_init(want, m, h, K);
    ckda_net_recur(H, o, &t, K);
    literal(G, &t, K);
    assert_true(ckda_mat_equal(NULL, H, G, K));
    for (slong i = 0; i < n * h; i++)
        ckda_elem_set(q->entry + i, t.query + i, K);
    ckda_mat_t T;
    ckda_mat_init(T, m, n, K);
    assert_int_equal(ckda_mat_transpose(T, G, K), CKDA_OK);
    assert_int_equal(ckda_mat_mul(want, T, q, K), CKDA_OK);
    assert_true(ckda_mat_equal(NULL, o, want, K));
    ckda_mat_clear(T, K);
    ckda_mat_clear(want, K);
    ckda_mat_clear(q, K);
    ckda_mat_clear(o, K);
    ckda_mat_clear(G, K);
    ckda_mat_clear(H, K);
    ckda_net_step_clear(&t, K);
}

static void
recurrence_is_the_literal_formula_over_q(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_field_init_rational(K);
    for (uint64_t seed = 1; seed <= 20; seed++)
        check_literal(K, 1 + (slong)seed % 4, 1 + (slong)seed % 3, 1 + (slong)seed % 2, 1,
                      seed);
    ckda_field_clear(K);
}

static void
recurrence_is_the_literal_formula_over_sqrt5(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_field_init_sqrt(K, 5);
    for (uint64_t seed = 1; seed <= 10; seed++)
        check_literal(K, 3, 2, 2, 1, seed);
    ckda_field_clear(K);
}

static void
several_steps_are_deltaproduct(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_field_init_rational(K);
    for (uint64_t seed = 1; seed <= 10; seed++)
        check_literal(K, 3, 2, 1, 3, seed);
    ckda_field_clear(K);
}

static void
zero_key_with_beta_is_refused(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_net_step t;
    ckda_field_init_rational(K);
    ckda_net_step_init(&t, 2, 1, 1, 1, K);
    ckda_elem_zero(t.key, K);
    assert_int_equal(ckda_net_step_ready(&t, K), CKDA_OK); /* beta is 0 */
    ckda_elem_one(t.beta, K);
    assert_int_equal(ckda_net_step_ready(&t, K), CKDA_E_DOMAIN);
    ckda_net_step_clear(&t, K);
    ckda_field_clear(K);
}

/* ---- the clock -------------------------------------------------------------------- */

/* Output number t of the clock of a network, t = 1, 2, ... */
static void
clock_output(ckda_elem_t x, const ckda_net *net, int t)
{
    const ckda_net_head *d = ckda_net_get_head(net, 0);
    ckda_net_step step;
    ckda_mat_t H, o;
    slong r;
    const ckda_net_signal in = {NULL, 0, 0};
    ckda_net_step_init(&step, d->n, d->m, d->h, d->s, d->K);
    ckda_mat_init_set(H, d->initial, d->K);
    ckda_mat_init(o, 1, 1, d->K);
    assert_int_equal(ckda_net_lookup(&step, &r, net, 0, &in, NULL), CKDA_OK);
    for (int i = 0; i < t; i++)
        ckda_net_recur(H, o, &step, d->K);
    ckda_elem_set(x, o->entry, d->K);
    ckda_mat_clear(o, d->K);
    ckda_mat_clear(H, d->K);
    ckda_net_step_clear(&step, d->K);
}

/* Test vector V3; in Q(2 cos(2 pi/12)) a is sqrt(3). */
static void
clock_outputs_for_m_3(void **state)
{
    static const char *const want[] = {"3/10+2/5*a",  "-3/10+2/5*a", "-3/5",
                                       "-3/10-2/5*a", "3/10-2/5*a",  "3/5"};
    (void)state;
    how h = PAPER_THREE;
    h.block = 3;
    ckda_net *net = dfa_net(2, 2, parity, h);
    const ckda_field_struct *K = ckda_net_get_head(net, 0)->K;
    ckda_elem_t x, y;
    ckda_elem_init(x, K);
    ckda_elem_init(y, K);
    ckda_elem_gen(x, K);
    ckda_elem_mul(x, x, x, K);
    assert_int_equal(ckda_elem_cmp_si(x, 3, K), 0);
    for (int t = 1; t <= 6; t++) {
        clock_output(x, net, t);
        assert_int_equal(ckda_elem_set_str(y, want[t - 1], K, NULL), CKDA_OK);
        assert_true(ckda_elem_equal(x, y, K));
    }
    ckda_elem_clear(y, K);
    ckda_elem_clear(x, K);
    ckda_net_close(&net);
}

/* 2m different outputs, then again from the start. */
static void
clock_has_exactly_2m_states(void **state)
{
    (void)state;
    for (int m = 1; m <= 9; m++) {
        how h = PAPER_THREE;
        h.block = m;
        ckda_net *net = dfa_net(2, 2, parity, h);
        const ckda_field_struct *K = ckda_net_get_head(net, 0)->K;
        ckda_elem_struct out[19];
        for (int t = 0; t <= 2 * m; t++) {
            ckda_elem_init(out + t, K);
            clock_output(out + t, net, t + 1);
            for (int u = 0; u < t; u++)
                assert_int_equal(ckda_elem_equal(out + t, out + u, K), t - u == 2 * m);
        }
        for (int t = 0; t <= 2 * m; t++)
            ckda_elem_clear(out + t, K);
        ckda_net_close(&net);
    }
}

static void
clock_fields_have_the_small_degree(void **state)
{
    static const int m[] = {1, 2, 3, 4, 10, 34, 72}, degree[] = {1, 1, 2, 2, 4, 16, 24};
    (void)state;
    for (size_t i = 0; i < sizeof m / sizeof *m; i++) {
        how h = PAPER_THREE;
        h.block = m[i];
        ckda_net *net = dfa_net(1, 2, one_state, h);
        assert_int_equal(ckda_net_get_head(net, 0)->K->degree, degree[i]);
        ckda_net_close(&net);
    }
}

/* ---- the window ------------------------------------------------------------------- */

/* O1: after the letters 1, 2, 3 the state is (3/2)(1,1,1) + (1,-1,0) + (1/2)(0,0,-1). */
static void
window_holds_the_last_three(void **state)
{
    static const slong want[3][3] = {{1, 1, 1}, {3, 1, 2}, {5, 1, 2}};
    (void)state;
    ckda_net *net = dfa_net(3, 3, t3_generators, WINDOW);
    ckda_net_run *run = ckda_net_run_open(net);
    const ckda_field_struct *K = ckda_net_get_head(net, 1)->K;
    ckda_mat_t H;
    ckda_mat_init(H, 3, 1, K);
    for (uint32_t x = 0; x < 3; x++) {
        ckda_net_run_step(run, x, NULL);
        ckda_mat_set_si(H, want[x], 2, K);
        assert_true(ckda_mat_equal(NULL, H, ckda_net_run_state(run, 1), K));
    }
    ckda_mat_clear(H, K);
    ckda_net_run_close(&run);
    ckda_net_close(&net);
}

/* Writing 0 three times empties it: A^3 = 0. */
static void
window_forgets_after_three(void **state)
{
    (void)state;
    ckda_net *net = dfa_net(3, 3, t3_generators, WINDOW);
    const ckda_net_head *d = ckda_net_get_head(net, 1);
    const ckda_field_struct *K = d->K;
    const ckda_net_signal in = {NULL, 0, 2};
    ckda_net_step step[2];
    ckda_mat_t H, o;
    slong r;
    ckda_net_step_init(step, 1, 1, 1, 1, K);
    ckda_net_step_init(step + 1, 3, 1, 1, 1, K);
    ckda_mat_init(H, 3, 1, K);
    ckda_mat_init(o, 1, 1, K);
    assert_int_equal(ckda_net_lookup(step, &r, net, 0, &in, NULL), CKDA_OK);
    for (int i = 0; i < 3; i++)
        ckda_net_recur(H, o, step + 1, K);
    ckda_elem_zero(step[1].value, K);
    for (int i = 0; i < 3; i++) {
        assert_false(ckda_mat_is_zero(H, K));
        ckda_net_recur(H, o, step + 1, K);
    }
    assert_true(ckda_mat_is_zero(H, K));
    ckda_mat_clear(o, K);
    ckda_mat_clear(H, K);
    ckda_net_step_clear(step + 1, K);
    ckda_net_step_clear(step, K);
    ckda_net_close(&net);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recurrence_is_the_literal_formula_over_q),
        cmocka_unit_test(recurrence_is_the_literal_formula_over_sqrt5),
        cmocka_unit_test(several_steps_are_deltaproduct),
        cmocka_unit_test(zero_key_with_beta_is_refused),
        cmocka_unit_test(clock_outputs_for_m_3),
        cmocka_unit_test(clock_has_exactly_2m_states),
        cmocka_unit_test(clock_fields_have_the_small_degree),
        cmocka_unit_test(window_holds_the_last_three),
        cmocka_unit_test(window_forgets_after_three),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
