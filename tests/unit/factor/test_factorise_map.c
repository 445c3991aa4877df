/* Permutations and maps: exhaustive for few points, random and awkward ones for more;
 * counts and largest betas. */
#include "factorise_util.h"

static ckda_field_t Q;

static void
assert_map(const ckda_factors_t f, const slong *image)
{
    ckda_mat_t A;

    ckda_mat_init(A, f->n, f->n, Q);
    assert_int_equal(ckda_mat_set_map(A, image, f->n, Q), CKDA_OK);
    assert_true(multiplies_to(f, A, Q));
    ckda_mat_clear(A, Q);
}

static void
assert_beta_at_most(const ckda_factors_t f, slong p, slong q)
{
    ckda_elem_t beta, limit;

    ckda_elem_init(beta, Q);
    ckda_elem_init(limit, Q);
    ckda_elem_set_frac(limit, p, q, Q);
    ckda_factors_max_beta(beta, f, Q);
    assert_true(ckda_elem_cmp(beta, limit, Q) <= 0);
    ckda_elem_clear(limit, Q);
    ckda_elem_clear(beta, Q);
}

/* The counts that the two theorems promise, from image size, cycles and cycle points. */
static slong
promised(const slong *image, slong n, ckda_factor_scheme scheme)
{
    slong cycles;
    const slong on_cycle = cycle_points(&cycles, image, n), k = image_size(image, n);

    if (scheme == CKDA_FACTOR_PAPER)
        return 2 * n - on_cycle - cycles;
    if (k == n || k > cycles)
        return n - cycles;
    return k > 1 ? n - k + 1 : n == 2 ? 2 : n - 1;
}

/* Every step of the checks for one map; returns the count. */
static slong
examine(const slong *image, slong n, ckda_factor_scheme scheme)
{
    ckda_factors_t f;
    slong count;

    ckda_factors_init(f, n, Q);
    assert_int_equal(ckda_factor_map(f, image, scheme, Q), CKDA_OK);
    assert_map(f, image);
    count = f->count;
    assert_int_equal(count, promised(image, n, scheme));
    assert_true(count <= ckda_factor_map_bound(n, scheme));
    assert_true(count >= ckda_factor_map_lower_bound(image, n));
    if (scheme == CKDA_FACTOR_PAPER)
        assert_beta_at_most(f, 3, 1);
    else
        assert_beta_at_most(f, 5, 2);
    ckda_factors_clear(f, Q);
    return count;
}

/* All n^n maps; want: how many maps take 0, 1, ... factors. */
static void
histogram_is(slong n, ckda_factor_scheme scheme, const slong *want, slong wants)
{
    slong image[8] = {0}, got[16] = {0};

    do {
        got[examine(image, n, scheme)]++;
    } while (next_map(image, n));
    for (slong i = 0; i < 16; i++)
        assert_int_equal(got[i], i < wants ? want[i] : 0);
}

static void
all_maps_on_one_and_two_points(void **state)
{
    (void)state;
    for (int scheme = 0; scheme < 2; scheme++) {
        histogram_is(1, (ckda_factor_scheme)scheme, (slong[]){1}, 1);
        histogram_is(2, (ckda_factor_scheme)scheme, (slong[]){1, 1, 2}, 3);
    }
}

static void
open_vector_v5_counts_of_the_paper_on_three_points(void **state)
{
    (void)state;
    histogram_is(3, CKDA_FACTOR_PAPER, (slong[]){1, 3, 8, 6, 9}, 5);
}

static void
open_vector_v5_counts_of_the_paper_on_four_points(void **state)
{
    (void)state;
    histogram_is(4, CKDA_FACTOR_PAPER, (slong[]){1, 6, 23, 42, 72, 48, 64}, 7);
}

static void
open_vector_o2_short_counts_on_three_points(void **state)
{
    (void)state;
    histogram_is(3, CKDA_FACTOR_SHORT, (slong[]){1, 3, 23}, 3);
}

static void
open_vector_o2_short_counts_on_four_points(void **state)
{
    (void)state;
    histogram_is(4, CKDA_FACTOR_SHORT, (slong[]){1, 6, 83, 166}, 4);
}

static void
open_vector_o2_short_counts_on_five_points(void **state)
{
    (void)state;
    histogram_is(5, CKDA_FACTOR_SHORT, (slong[]){1, 10, 235, 1230, 1649}, 5);
}

static void
all_maps_on_five_points_by_the_paper(void **state)
{
    slong image[5] = {0}, most = 0, constants = 0;

    (void)state;
    do {
        const slong count = examine(image, 5, CKDA_FACTOR_PAPER);

        most = count > most ? count : most;
        constants += count == 8 && image_size(image, 5) == 1;
    } while (next_map(image, 5));
    assert_int_equal(most, 8);
    assert_int_equal(constants, 5);
}

static void
open_vector_o2_one_map_on_five_points(void **state)
{
    (void)state;
    assert_int_equal(examine((slong[]){1, 2, 0, 0, 3}, 5, CKDA_FACTOR_SHORT), 4);
    assert_int_equal(ckda_factor_map_lower_bound((slong[]){1, 2, 0, 0, 3}, 5), 4);
}

static void
open_vector_o3_constant_on_three_points(void **state)
{
    ckda_factors_t f;
    ckda_mat_t P;

    (void)state;
    ckda_factors_init(f, 3, Q);
    assert_int_equal(ckda_factor_map(f, (slong[]){0, 0, 0}, CKDA_FACTOR_SHORT, Q),
                     CKDA_OK);
    assert_int_equal(f->count, 2);
    assert_true(step_is(f, 0, "67/28", "1 3/7 3/7", "-1 -1 -1", Q));
    assert_true(step_is(f, 1, "7/3", "1 0 0", "-1 0 0", Q));
    ckda_mat_init(P, 3, 3, Q);
    assert_int_equal(ckda_factors_product(P, f, Q), CKDA_OK);
    ckda_mat_clear(P, Q);
    assert_map(f, (slong[]){0, 0, 0});
    ckda_factors_clear(f, Q);
}

static void
open_vector_o3_constant_on_two_points(void **state)
{
    ckda_factors_t f;

    (void)state;
    ckda_factors_init(f, 2, Q);
    assert_int_equal(ckda_factor_map(f, (slong[]){1, 1}, CKDA_FACTOR_SHORT, Q), CKDA_OK);
    assert_int_equal(f->count, 2);
    assert_true(elem_is(f->step[0].beta, "73/33", Q));
    assert_true(elem_is(f->step[1].beta, "11/5", Q));
    assert_map(f, (slong[]){1, 1});
    ckda_factors_clear(f, Q);
}

static void
paper_applies_swaps_before_merges(void **state)
{
    ckda_factors_t f;

    (void)state;
    ckda_factors_init(f, 4, Q); /* the cycle 0 -> 1 -> 0, and 3 -> 2 -> 0 */
    assert_int_equal(ckda_factor_map(f, (slong[]){1, 0, 0, 2}, CKDA_FACTOR_PAPER, Q),
                     CKDA_OK);
    assert_int_equal(f->count, 5);
    assert_true(step_is(f, 0, "2", "1 -1 0 0", "1 1 1 1", Q));
    assert_true(step_is(f, 1, "5/3", "3 0 1 0", "1 1 1 1", Q));
    assert_true(step_is(f, 2, "3", "1 0 0 0", "1 1 0 1", Q));
    assert_true(step_is(f, 3, "5/3", "0 0 3 1", "1 1 1 1", Q));
    assert_true(step_is(f, 4, "3", "0 0 1 0", "1 1 1 0", Q));
    ckda_factors_clear(f, Q);
}

static void
largest_beta_of_the_short_scheme_is_five_halves(void **state)
{
    ckda_factors_t f;
    ckda_elem_t beta;

    (void)state;
    ckda_elem_init(beta, Q);
    ckda_factors_init(f, 4, Q);
    assert_int_equal(ckda_factor_map(f, (slong[]){0, 0, 2, 3}, CKDA_FACTOR_SHORT, Q),
                     CKDA_OK);
    ckda_factors_max_beta(beta, f, Q);
    assert_true(elem_is(beta, "5/2", Q));
    assert_int_equal(f->count, 2); /* idempotent: a clearing factor at the end */
    assert_true(elem_is(f->step[1].beta, "0", Q));
    ckda_factors_clear(f, Q);
    ckda_elem_clear(beta, Q);
}

static void
open_vector_all_short_maps_on_six_points(void **state)
{
    (void)state;
    histogram_is(6, CKDA_FACTOR_SHORT, (slong[]){1, 15, 535, 5295, 18994, 21816}, 6);
}

static void
random_maps_up_to_twenty_points(void **state)
{
    slong image[20];
    ckda_rand r;

    (void)state;
    ckda_rand_init(&r, 3);
    for (slong n = 7; n <= 20; n++)
        for (int round = 0; round < 6; round++) {
            for (slong i = 0; i < n; i++)
                image[i] = (slong)ckda_rand_below(&r, (uint64_t)(round < 3 ? n : n / 3));
            for (int scheme = 0; scheme < 2; scheme++)
                examine(image, n, (ckda_factor_scheme)scheme);
        }
}

/* Constants, cycles, paths, doubling, a rho, stars and an involution. */
static void
shapes_up_to_twenty_points(void **state)
{
    slong image[20];

    (void)state;
    for (slong n = 3; n <= 20; n++)
        for (int shape = 0; shape < 7; shape++) {
            for (slong i = 0; i < n; i++) {
                const slong all[] = {n - 1,
                                     (i + 1) % n,
                                     i > 0 ? i - 1 : 0,
                                     2 * i % n,
                                     i + 1 < n ? i + 1 : n / 2,
                                     i - i % 3,
                                     n - 1 - i};
                image[i] = all[shape];
            }
            for (int scheme = 0; scheme < 2; scheme++) {
                const slong count = examine(image, n, (ckda_factor_scheme)scheme);

                if (shape == 0)
                    assert_int_equal(count, scheme == 0 ? 2 * n - 2 : n - 1);
                if (shape == 1)
                    assert_int_equal(count, n - 1);
            }
        }
}

static void
all_permutations_up_to_six_points_are_minimal(void **state)
{
    static const slong factorial[] = {1, 1, 2, 6, 24, 120, 720};

    (void)state;
    for (slong n = 1; n <= 6; n++) {
        slong image[6] = {0}, seen = 0;

        do {
            slong cycles, count = -1;

            if (image_size(image, n) < n)
                continue;
            cycle_points(&cycles, image, n);
            for (int scheme = 0; scheme < 2; scheme++)
                assert_int_equal(examine(image, n, (ckda_factor_scheme)scheme),
                                 n - cycles);
            assert_int_equal(ckda_factor_permutation_minimal(&count, image, n, Q),
                             CKDA_OK);
            assert_int_equal(count, n - cycles);
            assert_int_equal(ckda_factor_map_lower_bound(image, n), count);
            seen++;
        } while (next_map(image, n));
        assert_int_equal(seen, factorial[n]);
    }
}

static void
bad_images_leave_the_list_alone(void **state)
{
    slong count = 7;
    ckda_factors_t f;

    (void)state;
    ckda_factors_init(f, 2, Q);
    assert_int_equal(ckda_factors_push_swap(f, 0, 1, Q), CKDA_OK);
    for (int scheme = 0; scheme < 2; scheme++) {
        assert_int_equal(
            ckda_factor_map(f, (slong[]){0, 2}, (ckda_factor_scheme)scheme, Q),
            CKDA_E_DOMAIN);
        assert_int_equal(
            ckda_factor_map(f, (slong[]){-1, 0}, (ckda_factor_scheme)scheme, Q),
            CKDA_E_DOMAIN);
    }
    assert_int_equal(f->count, 1);
    assert_map(f, (slong[]){1, 0});
    assert_int_equal(ckda_factor_permutation_minimal(&count, (slong[]){0, 0}, 2, Q),
                     CKDA_E_DOMAIN);
    assert_int_equal(count, 7);
    assert_int_equal(ckda_factor_map(f, (slong[]){0, 1}, CKDA_FACTOR_SHORT, Q), CKDA_OK);
    assert_int_equal(f->count, 0); /* the old factors are gone */
    ckda_factors_clear(f, Q);
}

static void
bounds_of_small_dimensions(void **state)
{
    (void)state;
    assert_int_equal(ckda_factor_map_bound(1, CKDA_FACTOR_PAPER), 1);
    assert_int_equal(ckda_factor_map_bound(1, CKDA_FACTOR_SHORT), 1);
    assert_int_equal(ckda_factor_map_bound(2, CKDA_FACTOR_PAPER), 2);
    assert_int_equal(ckda_factor_map_bound(2, CKDA_FACTOR_SHORT), 2);
    assert_int_equal(ckda_factor_map_bound(3, CKDA_FACTOR_PAPER), 4);
    assert_int_equal(ckda_factor_map_bound(3, CKDA_FACTOR_SHORT), 2);
    assert_int_equal(ckda_factor_map_bound(9, CKDA_FACTOR_SHORT), 8);
    assert_int_equal(ckda_factor_permutation_bound(1), 1);
    assert_int_equal(ckda_factor_permutation_bound(5), 4);
    assert_int_equal(ckda_factor_rational_bound(2, CKDA_FACTOR_PAPER), 34);
    assert_int_equal(ckda_factor_rational_bound(2, CKDA_FACTOR_SHORT), 8);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_maps_on_one_and_two_points),
        cmocka_unit_test(open_vector_v5_counts_of_the_paper_on_three_points),
        cmocka_unit_test(open_vector_v5_counts_of_the_paper_on_four_points),
        cmocka_unit_test(open_vector_o2_short_counts_on_three_points),
        cmocka_unit_test(open_vector_o2_short_counts_on_four_points),
        cmocka_unit_test(open_vector_o2_short_counts_on_five_points),
        cmocka_unit_test(all_maps_on_five_points_by_the_paper),
        cmocka_unit_test(open_vector_o2_one_map_on_five_points),
        cmocka_unit_test(open_vector_o3_constant_on_three_points),
        cmocka_unit_test(open_vector_o3_constant_on_two_points),
        cmocka_unit_test(paper_applies_swaps_before_merges),
        cmocka_unit_test(largest_beta_of_the_short_scheme_is_five_halves),
        cmocka_unit_test(open_vector_all_short_maps_on_six_points),
        cmocka_unit_test(random_maps_up_to_twenty_points),
        cmocka_unit_test(shapes_up_to_twenty_points),
        cmocka_unit_test(all_permutations_up_to_six_points_are_minimal),
        cmocka_unit_test(bad_images_leave_the_list_alone),
        cmocka_unit_test(bounds_of_small_dimensions),
    };
    int failed;

    ckda_field_init_rational(Q);
    failed = cmocka_run_group_tests_name("factorise_map", tests, NULL, NULL);
    ckda_field_clear(Q);
    flint_cleanup();
    return failed;
}
