/* Subspaces, elimination, words. */
#include "systems.h"
#include "../../../src/reduce/reduce_internal.h"

static void
span_knows_what_is_inside(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_mat_t X, B, C;
    span s;
    ckda_field_init_sqrt(K, 5);
    span_init(&s, 3, NULL, K);
    ckda_mat_init(X, 3, 2, K);
    ckda_mat_set_si(X, (const slong[]){1, 2, 1, 2, 0, 0}, 1, K);
    span_add_columns(&s, X, K); /* parallel columns */
    assert_int_equal(s.r, 1);
    assert_true(span_columns(C, &s, X, K));
    ckda_mat_clear(C, K);
    ckda_elem_gen(ckda_mat_entry(X, 2, 1), K);
    assert_false(span_columns(C, &s, X, K));
    ckda_mat_clear(C, K);
    span_add_columns(&s, X, K);
    assert_int_equal(s.r, 2);
    span_basis(B, &s, K);
    assert_int_equal(ckda_mat_rank(B, K), 2);
    ckda_mat_clear(B, K);
    ckda_mat_clear(X, K);
    span_clear(&s, K);
    ckda_field_clear(K);
}

static void
basis_is_orthogonal_for_the_weights(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_mat_t X, B, D, G;
    ckda_rand r;
    span s;
    ckda_field_init_rational(K);
    ckda_rand_init(&r, 7);
    ckda_mat_init(D, 4, 4, K);
    for (slong i = 0; i < 4; i++)
        ckda_mat_set_entry_si(D, i, i, i + 1, K);
    ckda_elem_struct *weight = ckda_elem_vec_new(4, K);
    for (slong i = 0; i < 4; i++)
        ckda_elem_set_si(weight + i, i + 1, K);
    for (int round = 0; round < 20; round++) {
        span_init(&s, 4, weight, K);
        ckda_mat_init(X, 4, 3, K);
        ckda_mat_rand(X, &r, 3, 2, K);
        span_add_columns(&s, X, K);
        assert_int_equal(s.r, ckda_mat_rank(X, K));
        span_basis(B, &s, K);
        ckda_mat_init(G, s.r, 4, K);
        must(ckda_mat_transpose(G, B, K));
        must(ckda_mat_mul(G, G, D, K));
        ckda_mat_t P;
        ckda_mat_init(P, s.r, s.r, K);
        must(ckda_mat_mul(P, G, B, K));
        assert_true(ckda_mat_is_diagonal(P, K));
        ckda_mat_clear(P, K);
        ckda_mat_clear(G, K);
        ckda_mat_clear(B, K);
        ckda_mat_clear(X, K);
        span_clear(&s, K);
    }
    ckda_elem_vec_free(weight, 4, K);
    ckda_mat_clear(D, K);
    ckda_field_clear(K);
}

static void
closed_space_is_invariant(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_mat_t A, X, M;
    span s;
    ckda_field_init_rational(K);
    ckda_mat_init(A, 4, 4, K); /* a cycle of three, and a fixed vector */
    must(ckda_mat_set_map(A, (const slong[]){1, 2, 0, 3}, 4, K));
    ckda_mat_init(X, 4, 1, K);
    ckda_mat_set_si(X, (const slong[]){1, -1, 0, 0}, 1, K);
    span_init(&s, 4, NULL, K);
    span_add_columns(&s, X, K);
    assert_false(span_restrict(M, &s, A, K));
    ckda_mat_clear(M, K);
    span_close(&s, A, 1, K);
    assert_int_equal(s.r, 2);
    assert_true(span_restrict(M, &s, A, K));
    ckda_mat_clear(M, K);
    span_clear(&s, K);
    ckda_mat_clear(X, K);
    ckda_mat_clear(A, K);
    ckda_field_clear(K);
}

static void
reduced_basis_prefers_unit_vectors(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_mat_t X, B;
    span s;
    ckda_field_init_rational(K);
    ckda_mat_init(X, 3, 2, K);
    ckda_mat_set_si(X, (const slong[]){1, 2, 3, 5, 0, 0}, 1, K);
    span_init(&s, 3, NULL, K);
    span_add_reduced(&s, X, K);
    span_basis(B, &s, K);
    ckda_mat_set_si(X, (const slong[]){1, 0, 0, 1, 0, 0}, 1, K);
    assert_true(ckda_mat_equal(NULL, B, X, K));
    ckda_mat_clear(B, K);
    ckda_mat_clear(X, K);
    span_clear(&s, K);
    ckda_field_clear(K);
}

static void
kernel_has_the_right_dimension(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_mat_t M, N, P;
    ckda_rand r;
    ckda_field_init_sqrt(K, 2);
    ckda_rand_init(&r, 3);
    for (slong cols = 0; cols < 6; cols++) {
        ckda_mat_init(M, 3, cols, K);
        ckda_mat_rand(M, &r, 2, 1, K);
        kernel(N, M, K);
        assert_int_equal(N->cols, cols - ckda_mat_rank(M, K));
        assert_int_equal(ckda_mat_rank(N, K), N->cols);
        ckda_mat_init(P, 3, N->cols, K);
        must(ckda_mat_mul(P, M, N, K));
        assert_true(ckda_mat_is_zero(P, K));
        ckda_mat_clear(P, K);
        ckda_mat_clear(N, K);
        ckda_mat_clear(M, K);
    }
    ckda_field_clear(K);
}

/* Is there exactly one solution of M x = y, and is it x? */
static void
solve(const slong *m, const slong *y, bool one, const slong *x)
{
    ckda_field_t K;
    ckda_mat_t M, Y, X, want;
    ckda_field_init_rational(K);
    ckda_mat_init(M, 3, 2, K);
    ckda_mat_init(Y, 3, 1, K);
    ckda_mat_set_si(M, m, 1, K);
    ckda_mat_set_si(Y, y, 1, K);
    assert_int_equal(solve_unique(X, M, Y, K), one);
    if (one) {
        ckda_mat_init(want, 2, 1, K);
        ckda_mat_set_si(want, x, 1, K);
        assert_true(ckda_mat_equal(NULL, X, want, K));
        ckda_mat_clear(want, K);
    }
    ckda_mat_clear(X, K);
    ckda_mat_clear(Y, K);
    ckda_mat_clear(M, K);
    ckda_field_clear(K);
}

static void
equations_have_one_solution_or_not(void **state)
{
    (void)state;
    const slong m[] = {1, 1, 1, -1, 2, 0}, flat[] = {1, 1, 2, 2, 3, 3};
    solve(m, (const slong[]){3, 1, 4}, true, (const slong[]){2, 1});
    solve(m, (const slong[]){3, 1, 5}, false, NULL);
    solve(flat, (const slong[]){1, 2, 3}, false, NULL);
}

static void
power_of_a_word_is_the_word_repeated(void **state)
{
    (void)state;
    small_system s;
    action once, power;
    const uint32_t word[6] = {0, 1, 1, 0, 1, 0};
    uint32_t repeated[30];
    square_open(&s);
    for (uint64_t e = 0; e <= 5; e++) {
        for (size_t i = 0; i < 6 * e; i++)
            repeated[i] = word[i % 6];
        action_init(&once, 3, 2, s.K);
        action_init(&power, 3, 2, s.K);
        action_word(&power, s.sys, word, 6, e);
        action_word(&once, s.sys, repeated, (size_t)(6 * e), 1);
        assert_true(ckda_mat_equal(NULL, once.A, power.A, s.K));
        assert_true(ckda_mat_equal(NULL, once.b, power.b, s.K));
        action_clear(&power, s.K);
        action_clear(&once, s.K);
    }
    small_close(&s);
}

static void
maps_of_states_follow_the_graph(void **state)
{
    (void)state;
    small_system s;
    ckda_reach_t r;
    const uint32_t word[3] = {1, 0, 1};
    square_open(&s);
    run_reach(r, s.sys, NULL, CKDA_REACH_KEEP_GRAPH);
    uint32_t *once = word_map(r, 2, word, 3, 1), *fifth = word_map(r, 2, word, 3, 5);
    for (uint32_t k = 0; k < r->states; k++) {
        uint32_t t = k;
        for (int i = 0; i < 15; i++)
            t = r->next[2 * t + word[i % 3]];
        assert_int_equal(fifth[k], t);
        assert_int_equal(once[once[once[once[once[k]]]]], t);
    }
    flint_free(fifth);
    flint_free(once);
    ckda_reach_clear(r);
    small_close(&s);
}

static void
path_leads_to_its_state(void **state)
{
    (void)state;
    small_system s;
    ckda_reach_t r;
    square_open(&s);
    run_reach(r, s.sys, NULL, CKDA_REACH_KEEP_GRAPH);
    for (uint32_t k = 0; k < r->states; k++) {
        size_t n;
        uint32_t t = 0, *word = path_to(&n, r, k);
        for (size_t i = 0; i < n; i++)
            t = r->next[2 * t + word[i]];
        assert_int_equal(t, k);
        flint_free(word);
    }
    ckda_reach_clear(r);
    small_close(&s);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(span_knows_what_is_inside),
        cmocka_unit_test(basis_is_orthogonal_for_the_weights),
        cmocka_unit_test(closed_space_is_invariant),
        cmocka_unit_test(reduced_basis_prefers_unit_vectors),
        cmocka_unit_test(kernel_has_the_right_dimension),
        cmocka_unit_test(equations_have_one_solution_or_not),
        cmocka_unit_test(power_of_a_word_is_the_word_repeated),
        cmocka_unit_test(maps_of_states_follow_the_graph),
        cmocka_unit_test(path_leads_to_its_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
