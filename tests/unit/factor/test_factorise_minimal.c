/* Lower bounds and their certificates, minimal counts, the search over swaps and merges.
 */
#include "factorise_util.h"

static ckda_field_t Q;

/* 2n - k - c, the paper's count. */
static slong
recipe_count(const slong *image, slong n)
{
    slong cycles;
    const slong on_cycle = cycle_points(&cycles, image, n);

    return 2 * n - on_cycle - cycles;
}

/* The minor is what it claims for every map, and subtracting any diagonal leaves its
 * rank: tried with the diagonals that could hurt, the entries of M and random ones. */
static void
minors_of_all_maps_on_five_points_are_rigid(void **state)
{
    slong image[5] = {0}, row[5], col[5];
    ckda_mat_t A;
    ckda_rand r;

    (void)state;
    ckda_rand_init(&r, 5);
    ckda_mat_init(A, 5, 5, Q);
    do {
        const slong size = ckda_factor_map_minor(row, col, image, 5);

        assert_int_equal(ckda_mat_set_map(A, image, 5, Q), CKDA_OK);
        assert_true(ckda_factor_minor_is_rigid(row, col, size, A, Q));
        for (slong i = 0; i < 5; i++)
            ckda_elem_set_si(ckda_mat_entry(A, i, i), ckda_rand_range(&r, -1, 1), Q);
        assert_true(ckda_mat_rank(A, Q) >= size);
    } while (next_map(image, 5));
    ckda_mat_clear(A, Q);
}

/* No larger rigid minor exists: some diagonal of zeros and ones brings the rank of M - D
 * down to its size. */
static void
minors_on_four_points_cannot_be_larger(void **state)
{
    slong image[4] = {0}, row[4], col[4];
    ckda_mat_t A;

    (void)state;
    ckda_mat_init(A, 4, 4, Q);
    do {
        const slong size = ckda_factor_map_minor(row, col, image, 4);
        slong least = 4;

        for (int code = 0; code < 81; code++) {
            assert_int_equal(ckda_mat_set_map(A, image, 4, Q), CKDA_OK);
            for (int i = 0, c = code; i < 4; i++, c /= 3)
                ckda_elem_set_si(ckda_mat_entry(A, i, i), c % 3 - 1, Q);
            const slong rank = ckda_mat_rank(A, Q);
            least = rank < least ? rank : least;
        }
        assert_int_equal(least, size);
    } while (next_map(image, 4));
    ckda_mat_clear(A, Q);
}

static void
minors_that_use_the_diagonal_are_refused(void **state)
{
    ckda_mat_t A;

    (void)state;
    mat_init_text(A, 3, "0 0 1  1 0 0  0 1 0", Q);
    assert_true(ckda_factor_minor_is_rigid((slong[]){1, 2}, (slong[]){0, 1}, 2, A, Q));
    assert_false(ckda_factor_minor_is_rigid((slong[]){2, 1}, (slong[]){1, 0}, 2, A, Q));
    assert_false(
        ckda_factor_minor_is_rigid((slong[]){1, 2, 0}, (slong[]){0, 1, 2}, 3, A, Q));
    assert_false(ckda_factor_minor_is_rigid((slong[]){1, 1}, (slong[]){0, 0}, 2, A, Q));
    assert_false(ckda_factor_minor_is_rigid((slong[]){2}, (slong[]){0}, 1, A, Q));
    assert_false(ckda_factor_minor_is_rigid((slong[]){3}, (slong[]){0}, 1, A, Q));
    assert_true(ckda_factor_minor_is_rigid(NULL, NULL, 0, A, Q));
    ckda_mat_clear(A, Q);
}

static void
lower_bounds_of_single_factors(void **state)
{
    (void)state;
    assert_int_equal(ckda_factor_map_lower_bound((slong[]){0, 1, 2}, 3), 0);
    assert_int_equal(ckda_factor_map_lower_bound((slong[]){2, 1, 0}, 3), 1);
    assert_int_equal(ckda_factor_map_lower_bound((slong[]){0, 1, 1}, 3), 2);
    assert_int_equal(ckda_factor_map_lower_bound((slong[]){1, 1}, 2), 2);
    assert_int_equal(ckda_factor_map_lower_bound((slong[]){1, 2, 3, 3}, 4), 3);
}

/* Swaps and merges alone: the recipe of the paper is beaten by 6, 108 and 1820 maps, and
 * only constants need 2n - 2. */
static void
swap_and_merge_search_beats_the_recipe(void **state)
{
    static const slong beaten[] = {0, 0, 0, 6, 108, 1820};

    (void)state;
    for (slong n = 3; n <= 5; n++) {
        slong cost[3125], image[5] = {0}, index = 0, better = 0, most = 0, at_most = 0;

        assert_int_equal(ckda_factor_swap_merge_costs(cost, n), CKDA_OK);
        do {
            const slong c = cost[index++], recipe = recipe_count(image, n);

            assert_in_range(c, 0, recipe);
            better += c < recipe;
            if (c > most) {
                most = c;
                at_most = 0;
            }
            at_most += c == most;
            if (image_size(image, n) == n)
                assert_int_equal(c, recipe);
        } while (next_map(image, n));
        assert_int_equal(better, beaten[n]);
        assert_int_equal(most, 2 * n - 2);
        assert_int_equal(at_most, n);
    }
}

static void
search_is_refused_for_eight_points(void **state)
{
    slong cost[1] = {42};

    (void)state;
    assert_int_equal(ckda_factor_swap_merge_costs(cost, 8), CKDA_E_UNABLE);
    assert_int_equal(cost[0], 42);
    assert_int_equal(ckda_factor_swap_merge_costs(cost, 1), CKDA_OK);
    assert_int_equal(cost[0], 0);
}

static void
minimal_is_three_valued(void **state)
{
    static const slong constant[] = {0, 0, 0, 0}, idempotent[] = {0, 0, 2, 2};

    (void)state;
    assert_int_equal(ckda_factor_map_is_minimal(6, constant, 4, Q), CKDA_FALSE);
    assert_int_equal(ckda_factor_map_is_minimal(3, constant, 4, Q), CKDA_UNKNOWN);
    assert_int_equal(ckda_factor_map_is_minimal(2, constant, 3, Q), CKDA_TRUE);
    assert_int_equal(ckda_factor_map_is_minimal(4, idempotent, 4, Q), CKDA_FALSE);
    assert_int_equal(ckda_factor_map_is_minimal(3, idempotent, 4, Q), CKDA_UNKNOWN);
    assert_int_equal(ckda_factor_rational_is_minimal(10, CKDA_FACTOR_PAPER), CKDA_FALSE);
    assert_int_equal(ckda_factor_rational_is_minimal(4, CKDA_FACTOR_SHORT), CKDA_UNKNOWN);
    assert_int_equal(ckda_factor_rational_is_minimal(1, CKDA_FACTOR_SHORT), CKDA_TRUE);
}

/* The lower bound is below every construction: the short scheme and the search. */
static void
bounds_of_all_maps_on_four_points_are_in_order(void **state)
{
    slong cost[256], image[4] = {0}, index = 0, minimal = 0;

    (void)state;
    assert_int_equal(ckda_factor_swap_merge_costs(cost, 4), CKDA_OK);
    do {
        const slong low = ckda_factor_map_lower_bound(image, 4);
        ckda_factors_t f;

        ckda_factors_init(f, 4, Q);
        assert_int_equal(ckda_factor_map(f, image, CKDA_FACTOR_SHORT, Q), CKDA_OK);
        assert_true(low <= f->count && low <= cost[index++]);
        minimal += ckda_factor_map_is_minimal(f->count, image, 4, Q) == CKDA_TRUE;
        assert_true(ckda_factor_map_is_minimal(f->count, image, 4, Q) != CKDA_FALSE);
        ckda_factors_clear(f, Q);
    } while (next_map(image, 4));
    assert_true(minimal >= 90); /* all maps that take at most two factors */
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(minors_of_all_maps_on_five_points_are_rigid),
        cmocka_unit_test(minors_on_four_points_cannot_be_larger),
        cmocka_unit_test(minors_that_use_the_diagonal_are_refused),
        cmocka_unit_test(lower_bounds_of_single_factors),
        cmocka_unit_test(swap_and_merge_search_beats_the_recipe),
        cmocka_unit_test(search_is_refused_for_eight_points),
        cmocka_unit_test(minimal_is_three_valued),
        cmocka_unit_test(bounds_of_all_maps_on_four_points_are_in_order),
    };
    int failed;

    ckda_field_init_rational(Q);
    failed = cmocka_run_group_tests_name("factorise_minimal", tests, NULL, NULL);
    ckda_field_clear(Q);
    flint_cleanup();
    return failed;
}
