/* Reductions: numbers, second ways, failing hypotheses. */
#include "systems.h"
#include "../../../src/reduce/reduce_internal.h"

static void
forgetful_coordinate_is_cut_off(void **state)
{
    (void)state;
    small_system s;
    ckda_group_t G;
    uint32_t element[2];
    ckda_reduction_t red;
    square_open(&s);
    square_decoder(&s, G, element);
    reduce_one(red, s.sys);
    assert_int_equal(red->end, CKDA_REDUCE_DONE);
    assert_int_equal(red->states, 17);
    assert_int_equal(red->span, 3);
    assert_int_equal(red->core, 2);
    assert_int_equal(red->head[0].r, 2);
    assert_int_equal(red->tracker_states, 8);
    assert_int_equal(red->group_order, 8);
    assert_int_equal(red->decoded, 8);
    assert_null(red->reason);
    verify_one(red, s.sys, 1);
    ckda_reduction_clear(red);
    ckda_group_clear(G);
    small_close(&s);
}

static void
centre_is_the_mean_of_the_words_image(void **state)
{
    (void)state;
    small_system s;
    ckda_reduction_t red;
    ckda_reach_t r;
    ckda_mat_t sum, S;
    ckda_elem_t count;
    square_open(&s);
    reduce_one(red, s.sys);
    run_reach(r, s.sys, NULL, CKDA_REACH_KEEP_GRAPH);
    uint32_t *z = word_map(r, 2, red->word, red->nword, red->power);
    assert_int_equal(count_images(z, r->states, r->states), red->tracker_states);
    ckda_mat_init(sum, 3, 2, s.K);
    ckda_mat_init(S, 3, 2, s.K);
    for (uint32_t k = 0; k < r->states; k++) {
        if (z[k] != k)
            continue; /* not in the image of the idempotent */
        assert_int_equal(ckda_reach_state(S, r, s.sys, k), CKDA_OK);
        assert_int_equal(ckda_mat_add(sum, sum, S, s.K), CKDA_OK);
    }
    ckda_elem_init(count, s.K);
    ckda_elem_set_frac(count, 1, (slong)red->tracker_states, s.K);
    assert_int_equal(ckda_mat_scalar_mul(sum, sum, count, s.K), CKDA_OK);
    assert_true(ckda_mat_equal(NULL, sum, red->head[0].centre, s.K));
    ckda_elem_clear(count, s.K);
    ckda_mat_clear(S, s.K);
    ckda_mat_clear(sum, s.K);
    flint_free(z);
    ckda_reach_clear(r);
    ckda_reduction_clear(red);
    small_close(&s);
}

static void
orthogonal_tracker_stays_what_it_is(void **state)
{
    (void)state;
    ckda_construction_t c;
    ckda_system_t sys;
    ckda_reduction_t red;
    open_system(sys, c, "S4", "cube");
    reduce_one(red, sys);
    assert_int_equal(red->nword, 0);
    assert_int_equal(red->core, 3);
    assert_int_equal(red->group_order, 24);
    assert_true(ckda_mat_is_one(red->head[0].gram, c->K));
    for (uint32_t x = 0; x < 24; x++)
        assert_true(ckda_mat_equal(NULL, red->head[0].letter + x, &c->matrix[x], c->K));
    assert_true(ckda_mat_is_zero(red->head[0].centre, c->K));
    verify_one(red, sys, 1);
    ckda_reduction_clear(red);
    ckda_system_clear(sys);
    ckda_construct_clear(c);
}

static void
reducing_twice_changes_nothing(void **state)
{
    (void)state;
    small_system s;
    ckda_reduction_t red, again;
    ckda_system_struct tracker;
    square_open(&s);
    reduce_one(red, s.sys);
    const ckda_heads heads = {s.sys, 1};
    assert_int_equal(tracker_systems(&tracker, red, &heads), 1);
    reduce_one(again, &tracker);
    assert_int_equal(again->end, CKDA_REDUCE_DONE);
    assert_int_equal(again->nword, 0);
    assert_int_equal(again->states, red->tracker_states);
    assert_int_equal(again->span, red->core);
    assert_int_equal(again->core, red->core);
    assert_int_equal(again->group_order, red->group_order);
    ckda_reduction_clear(again);
    ckda_reduction_clear(red);
    small_close(&s);
}

/* sys in the coordinates of a random orthogonal matrix, about a random point. */
static void
turn(small_system *to, const small_system *from, uint64_t seed)
{
    const slong n = from->sys->initial->rows, m = from->sys->initial->cols;
    const ckda_field_struct *K = from->K;
    ckda_mat_t P, PT, c, T;
    ckda_rand r;
    ckda_rand_init(&r, seed);
    *to = *from;
    to->sys->linear = to->linear;
    to->sys->offset = to->offset;
    ckda_mat_init(P, n, n, K);
    ckda_mat_init(PT, n, n, K);
    ckda_mat_init(c, n, m, K);
    ckda_mat_init(T, n, m, K);
    ckda_mat_rand_orthogonal(P, &r, 2, K);
    must(ckda_mat_transpose(PT, P, K));
    ckda_mat_rand(c, &r, 4, 1, K);
    for (uint32_t x = 0; x < from->sys->nletters; x++) {
        ckda_mat_init(to->linear + x, n, n, K);
        ckda_mat_init(to->offset + x, n, m, K);
        must(ckda_mat_mul(to->linear + x, P, from->linear + x, K));
        must(ckda_mat_mul(to->linear + x, to->linear + x, PT, K));
        must(ckda_mat_mul(to->offset + x, P, from->offset + x, K));
        must(ckda_mat_mul(T, to->linear + x, c, K));
        must(ckda_mat_sub(T, c, T, K));
        must(ckda_mat_add(to->offset + x, to->offset + x, T, K));
    }
    ckda_mat_init(to->sys->initial, n, m, K);
    must(ckda_mat_mul(to->sys->initial, P, from->sys->initial, K));
    must(ckda_mat_add(to->sys->initial, to->sys->initial, c, K));
    ckda_mat_clear(T, K);
    ckda_mat_clear(c, K);
    ckda_mat_clear(PT, K);
    ckda_mat_clear(P, K);
}

static void
numbers_do_not_depend_on_coordinates(void **state)
{
    (void)state;
    small_system s, t;
    ckda_reduction_t red;
    square_open(&s);
    for (uint64_t seed = 1; seed <= 8; seed++) {
        turn(&t, &s, seed);
        t.sys->K = s.K;
        reduce_one(red, t.sys);
        assert_int_equal(red->end, CKDA_REDUCE_DONE);
        assert_int_equal(red->states, 17);
        assert_int_equal(red->core, 2);
        assert_int_equal(red->tracker_states, 8);
        assert_int_equal(red->group_order, 8);
        verify_one(red, t.sys, 1);
        ckda_reduction_clear(red);
        for (uint32_t x = 0; x < 2; x++) {
            ckda_mat_clear(t.linear + x, s.K);
            ckda_mat_clear(t.offset + x, s.K);
        }
        ckda_mat_clear(t.sys->initial, s.K);
    }
    small_close(&s);
}

static void
memory_alone_leaves_nothing(void **state)
{
    (void)state;
    static const slong start[] = {1, 2}, shift[] = {0, 1, 0, 0}, zero[4] = {0};
    static const slong b0[] = {0, 1}, b1[] = {3, 0};
    small_system s;
    ckda_reduction_t red;
    small_open(&s, 2, 1, start);
    small_letter(&s, shift, 1, b0);
    small_letter(&s, zero, 1, b1);
    reduce_one(red, s.sys);
    assert_int_equal(red->end, CKDA_REDUCE_DONE);
    assert_int_equal(red->core, 0);
    assert_int_equal(red->head[0].r, 0);
    assert_int_equal(red->tracker_states, 1);
    assert_int_equal(red->group_order, 1);
    assert_true(red->nword > 0);
    verify_one(red, s.sys, 1);
    ckda_reduction_clear(red);
    small_close(&s);
}

static void
heads_that_move_together_keep_their_parts(void **state)
{
    (void)state;
    small_system s;
    ckda_group_t G;
    uint32_t element[2];
    ckda_reduction_t red;
    square_open(&s);
    square_decoder(&s, G, element);
    const ckda_system_struct two[2] = {*s.sys, *s.sys};
    const ckda_heads heads = {two, 2};
    assert_int_equal(ckda_reduce(red, &heads, NULL, NULL), CKDA_OK);
    assert_int_equal(red->states, 17);
    assert_int_equal(red->core, 2);
    assert_int_equal(red->head[0].r, 2);
    assert_int_equal(red->head[1].r, 2);
    assert_int_equal(red->tracker_states, 8);
    verify_one(red, two, 2);
    ckda_reduction_clear(red);
    ckda_group_clear(G);
    small_close(&s);
}

static void
joint_system_has_diagonal_blocks(void **state)
{
    (void)state;
    static const slong start[] = {1}, minus[] = {-1};
    small_system s, t;
    ckda_joint_t J;
    square_open(&s);
    small_open(&t, 1, 1, start);
    small_letter(&t, minus, 1, NULL);
    small_letter(&t, start, 1, NULL);
    t.sys->K = s.K;
    const ckda_system_struct two[2] = {*s.sys, *t.sys};
    const ckda_heads heads = {two, 2};
    assert_int_equal(ckda_joint_init(J, &heads, NULL), CKDA_OK);
    assert_int_equal(J->sys->initial->rows, 4);
    assert_int_equal(J->sys->initial->cols, 2);
    assert_int_equal(J->row[1], 3);
    assert_int_equal(J->row[2], 4);
    assert_int_equal(ckda_elem_cmp_si(ckda_mat_entry(J->linear, 3, 3), -1, s.K), 0);
    assert_int_equal(ckda_elem_cmp_si(ckda_mat_entry(J->linear, 0, 1), 1, s.K), 0);
    assert_true(ckda_elem_is_zero(ckda_mat_entry(J->linear, 3, 0), s.K));
    assert_true(ckda_elem_is_zero(ckda_mat_entry(J->sys->initial, 3, 1), s.K));
    ckda_joint_clear(J);
    small_close(&t);
    small_close(&s);
}

/* ---- hypotheses that fail ------------------------------------------------------------ */

static void
expansive_letter_comes_with_a_vector(void **state)
{
    (void)state;
    static const slong start[] = {0, 1}, shear[] = {-1, 1, 0, 1};
    small_system s;
    ckda_reduction_t red;
    ckda_mat_t x, y;
    ckda_elem_t before, after;
    small_open(&s, 2, 1, start);
    small_letter(&s, shear, 1, NULL);
    reduce_one(red, s.sys);
    assert_int_equal(red->end, CKDA_REDUCE_EXPANSIVE);
    assert_int_equal(red->bad_head, 0);
    assert_int_equal(red->bad_letter, 0);
    assert_int_equal(red->nwitness, 2);
    ckda_mat_init(x, 2, 1, s.K);
    ckda_mat_init(y, 2, 1, s.K);
    ckda_elem_init(before, s.K);
    ckda_elem_init(after, s.K);
    for (slong i = 0; i < 2; i++)
        ckda_elem_set(x->entry + i, red->witness + i, s.K);
    must(ckda_mat_mul(y, s.linear, x, s.K));
    for (slong i = 0; i < 2; i++) {
        ckda_elem_addmul(before, x->entry + i, x->entry + i, s.K);
        ckda_elem_addmul(after, y->entry + i, y->entry + i, s.K);
    }
    assert_true(ckda_elem_cmp(after, before, s.K) > 0);
    ckda_elem_clear(after, s.K);
    ckda_elem_clear(before, s.K);
    ckda_mat_clear(y, s.K);
    ckda_mat_clear(x, s.K);
    ckda_reduction_clear(red);
    small_close(&s);
}

static void
infinite_orbit_comes_with_a_word(void **state)
{
    (void)state;
    static const slong start[] = {1, 0}, swap[] = {0, 1, 1, 0};
    small_system s;
    ckda_reduction_t red;
    small_open(&s, 2, 1, start);
    small_letter(&s, swap, 2, NULL);
    reduce_one(red, s.sys);
    assert_int_equal(red->end, CKDA_REDUCE_INFINITE);
    assert_int_equal(red->nsecond, 1);
    assert_int_equal(red->second[0], 0);
    assert_non_null(red->reason);
    ckda_reduction_clear(red);
    small_close(&s);
}

/* The state after a word, exactly. */
static void
run_word(ckda_mat_t S, const small_system *s, const uint32_t *word, size_t n)
{
    action T;
    action_init(&T, S->rows, S->cols, s->K);
    action_word(&T, s->sys, word, n, 1);
    action_apply(S, &T, s->sys->initial, s->K);
    action_clear(&T, s->K);
}

static void
wrong_decoder_comes_with_two_words(void **state)
{
    (void)state;
    small_system s;
    ckda_group_t G;
    uint32_t element[2];
    ckda_reduction_t red;
    ckda_mat_t S, T;
    square_open(&s);
    square_decoder(&s, G, element);
    assert_int_equal(ckda_group_parse(&element[1], G, "(1,2,3,4)", NULL), CKDA_OK);
    reduce_one(red, s.sys);
    assert_int_equal(red->end, CKDA_REDUCE_NO_DECODER);
    assert_int_not_equal(red->first_product, red->second_product);
    ckda_mat_init(S, 3, 2, s.K);
    ckda_mat_init(T, 3, 2, s.K);
    run_word(S, &s, red->first, red->nfirst);
    run_word(T, &s, red->second, red->nsecond);
    assert_true(ckda_mat_equal(NULL, S, T, s.K));
    ckda_mat_clear(T, s.K);
    ckda_mat_clear(S, s.K);
    ckda_reduction_clear(red);
    ckda_group_clear(G);
    small_close(&s);
}

static void
limit_is_named(void **state)
{
    (void)state;
    static const ckda_limits few = {.max_states = 5};
    small_system s;
    ckda_reduction_t red;
    square_open(&s);
    const ckda_heads heads = {s.sys, 1};
    assert_int_equal(ckda_reduce(red, &heads, &few, NULL), CKDA_OK);
    assert_int_equal(red->end, CKDA_REDUCE_LIMIT);
    assert_non_null(red->reason);
    assert_int_equal(ckda_reduction_check(NULL, red, &heads, NULL, NULL), CKDA_UNKNOWN);
    ckda_reduction_clear(red);
    small_close(&s);
}

static void
shapes_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    static const slong start[] = {1}, one[] = {1};
    small_system s, t;
    ckda_reduction_t red;
    ckda_error err;
    square_open(&s);
    small_open(&t, 1, 1, start);
    small_letter(&t, one, 1, NULL);
    t.sys->K = s.K;
    const ckda_system_struct two[2] = {*s.sys, *t.sys};
    const ckda_heads unequal = {two, 2}, none = {two, 0};
    memset(red, 0x5a, sizeof *red);
    assert_int_equal(ckda_reduce(red, &unequal, NULL, &err), CKDA_E_SHAPE);
    expect_text(err.text, "head 2");
    assert_int_equal(ckda_reduce(red, &none, NULL, &err), CKDA_E_SHAPE);
    for (size_t i = 0; i < sizeof *red; i++)
        assert_int_equal(((const unsigned char *)red)[i], 0x5a);
    small_close(&t);
    small_close(&s);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forgetful_coordinate_is_cut_off),
        cmocka_unit_test(centre_is_the_mean_of_the_words_image),
        cmocka_unit_test(orthogonal_tracker_stays_what_it_is),
        cmocka_unit_test(reducing_twice_changes_nothing),
        cmocka_unit_test(numbers_do_not_depend_on_coordinates),
        cmocka_unit_test(memory_alone_leaves_nothing),
        cmocka_unit_test(heads_that_move_together_keep_their_parts),
        cmocka_unit_test(joint_system_has_diagonal_blocks),
        cmocka_unit_test(expansive_letter_comes_with_a_vector),
        cmocka_unit_test(infinite_orbit_comes_with_a_word),
        cmocka_unit_test(wrong_decoder_comes_with_two_words),
        cmocka_unit_test(limit_is_named),
        cmocka_unit_test(shapes_that_do_not_fit_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
