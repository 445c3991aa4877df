/* Infinite reachable sets: which word proves it, from which state, and why. */
#include "infinite_fixture.h"

/* ---- the kinds -------------------------------------------------------------------------- */

static void
rotation_about_a_shifted_centre(void **state)
{
    (void)state;
    small_system s;
    small_open(&s, 2, 1, (const slong[]){0, 0});
    small_letter(&s, turn345, 5, (const slong[]){1, 0});
    expect_infinite(s.sys, CKDA_PUMP_TRACE, 0, 1,
                    "differences the word has the trace 6/5, no algebraic");
    small_close(&s);
}

/* From its centre (1/2, 1) it moves nothing. */
static void
rotation_from_its_centre(void **state)
{
    (void)state;
    small_system s;
    small_open(&s, 2, 1, (const slong[]){1, 2});
    small_letter(&s, turn345, 5, (const slong[]){2, 0});
    expect_finite(s.sys, 1);
    small_close(&s);
}

static void
contraction_towards_a_point_it_never_reaches(void **state)
{
    (void)state;
    small_system s;
    small_open(&s, 1, 1, (const slong[]){0});
    small_letter(&s, (const slong[]){1}, 2, (const slong[]){1});
    expect_infinite(s.sys, CKDA_PUMP_CONTRACTION, 0, 1, "fixed point");
    small_close(&s);
    small_open(&s, 1, 1, (const slong[]){2}); /* there from the beginning */
    small_letter(&s, (const slong[]){1}, 2, (const slong[]){1});
    expect_finite(s.sys, 1);
    small_close(&s);
}

/* Norm above 1 though both eigenvalues are 1/2: not said to contract, and right. */
static void
shear_of_a_contraction(void **state)
{
    (void)state;
    small_system s;
    small_open(&s, 2, 1, (const slong[]){0, 1});
    small_letter(&s, (const slong[]){1, 100, 0, 1}, 2, NULL);
    expect_infinite(s.sys, CKDA_PUMP_EIGENVALUE, 0, 1, "a root of x^2-x+1/4");
    small_close(&s);
}

static void
shift_by_one(void **state)
{
    (void)state;
    small_system s;
    small_open(&s, 1, 1, (const slong[]){0});
    small_letter(&s, (const slong[]){1}, 1, (const slong[]){1});
    expect_infinite(s.sys, CKDA_PUMP_TRANSLATION, 0, 1, "the word moves every state");
    small_close(&s);
}

/* A quarter turn of two coordinates with a shift of the third: the fourth power shifts. */
static void
screw_motion(void **state)
{
    (void)state;
    small_system s;
    small_open(&s, 3, 1, (const slong[]){1, 0, 0});
    small_letter(&s, (const slong[]){0, -1, 0, 1, 0, 0, 0, 0, 1}, 1,
                 (const slong[]){0, 0, 1});
    expect_infinite(s.sys, CKDA_PUMP_TRANSLATION, 0, 1, "the word's power 4 moves");
    small_close(&s);
}

static void
unipotent_block(void **state)
{
    (void)state;
    small_system s;
    small_open(&s, 2, 1, (const slong[]){0, 1});
    small_letter(&s, (const slong[]){1, 1, 0, 1}, 1, NULL);
    expect_infinite(s.sys, CKDA_PUMP_JORDAN, 0, 1,
                    "block of size 2 at a root of unity of order 1");
    small_close(&s);
    small_open(&s, 2, 1, (const slong[]){1, 0}); /* fixed by the block */
    small_letter(&s, (const slong[]){1, 1, 0, 1}, 1, NULL);
    expect_finite(s.sys, 1);
    small_close(&s);
}

/* (R I; 0 R) for the turn R by 120 degrees. */
static void
jordan_block_at_a_cube_root(void **state)
{
    (void)state;
    small_system s;
    small_open(&s, 4, 1, (const slong[]){0, 0, 1, 0});
    small_letter(&s, (const slong[]){0, -1, 1, 0, 1, -1, 0, 1, 0, 0, 0, -1, 0, 0, 1, -1},
                 1, NULL);
    expect_infinite(s.sys, CKDA_PUMP_JORDAN, 0, 1,
                    "block of size 2 at a root of unity of order 3");
    small_close(&s);
}

/* Integral trace 3, eigenvalues (3 +- sqrt 5) / 2. */
static void
eigenvalue_with_an_integral_trace(void **state)
{
    (void)state;
    small_system s;
    small_open(&s, 2, 2, identity2);
    small_letter(&s, (const slong[]){2, 1, 1, 1}, 1, NULL);
    expect_infinite(s.sys, CKDA_PUMP_EIGENVALUE, 0, 1, "a root of x^2-3*x+1");
    small_close(&s);
}

/* Beyond 80 dimensions nothing is said but that it never repeats. */
static void
large_systems_have_the_proof_alone(void **state)
{
    (void)state;
    enum { N = 81 };
    slong *A = flint_calloc(N * N, sizeof *A), S[N] = {0};
    small_system s;
    for (slong i = 0; i < N; i++)
        A[i * (N + 1)] = 1;
    A[1] = S[1] = 1;
    small_open(&s, N, 1, S);
    small_letter(&s, A, 1, NULL);
    expect_infinite(s.sys, CKDA_PUMP_PERIOD, 0, 1, "after every period");
    small_close(&s);
    flint_free(A);
}

/* ---- longer words, prefixes ------------------------------------------------------------- */

/* Reflections of the plane whose lines meet at arccos(1/3): a turn by twice that. */
static void
two_reflections(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_mat_struct letter[2];
    ckda_system_t sys;
    ckda_elem_t x;
    ckda_field_init_sqrt(K, 2);
    ckda_elem_init(x, K);
    *sys = (ckda_system_struct){.K = K, .nletters = 2, .linear = letter};
    ckda_mat_init(sys->initial, 2, 1, K);
    ckda_mat_set_entry_si(sys->initial, 0, 0, 1, K);
    ckda_mat_init(letter, 2, 2, K);
    ckda_mat_set_si(letter, (const slong[]){1, 0, 0, -1}, 1, K);
    ckda_mat_init(letter + 1, 2, 2, K); /* cos 2t = -7/9, sin 2t = 4 sqrt(2) / 9 */
    ckda_mat_set_si(letter + 1, (const slong[]){-7, 0, 0, 7}, 9, K);
    ckda_elem_gen(x, K);
    ckda_elem_mul_si(x, x, 4, K);
    for (slong i = 0; i < 2; i++) {
        ckda_elem_t nine;
        ckda_elem_init(nine, K);
        ckda_elem_set_si(nine, 9, K);
        assert_int_equal(ckda_elem_div(ckda_mat_entry(letter + 1, i, 1 - i), x, nine, K),
                         CKDA_OK);
        ckda_elem_clear(nine, K);
    }
    assert_true(ckda_mat_is_orthogonal(NULL, letter + 1, K));
    expect_infinite(sys, CKDA_PUMP_TRACE, 0, 2, "-14/9");
    ckda_mat_clear(sys->initial, K);
    ckda_mat_clear(letter, K);
    ckda_mat_clear(letter + 1, K);
    ckda_elem_clear(x, K);
    ckda_field_clear(K);
}

/* The half turn about (1, 0) and the turn by 120 degrees about (0, 0) in a basis in which
 * it is integral: all shorter words turn by an angle, x y x y y is the first translation. */
static void
word_of_length_five_is_needed(void **state)
{
    (void)state;
    small_system s;
    small_open(&s, 2, 1, (const slong[]){0, 0});
    small_letter(&s, (const slong[]){-1, 0, 0, -1}, 1, (const slong[]){2, 0});
    small_letter(&s, (const slong[]){0, -1, 1, -1}, 1, (const slong[]){0, 0});
    expect_infinite(s.sys, CKDA_PUMP_TRANSLATION, 0, 5, "the word moves");
    small_close(&s);
}

static void
triangle_group_over_the_seventh_roots(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_mat_struct letter[2];
    ckda_system_t sys;
    open_237(sys, letter, K);
    expect_infinite(sys, CKDA_PUMP_EIGENVALUE, 0, 5, "a root of x^2");
    for (int x = 0; x < 2; x++) { /* each letter alone is finite */
        const ckda_mat_struct one = letter[x];
        ckda_system_t alone;
        *alone = *sys;
        alone->nletters = 1;
        alone->linear = &one;
        expect_finite(alone, x == 0 ? 2 : 3);
    }
    ckda_mat_clear(sys->initial, K);
    ckda_mat_clear(letter, K);
    ckda_mat_clear(letter + 1, K);
    ckda_field_clear(K);
}

/* A letter that sets the state to 1 and one that halves it: no word's powers from 0, but
 * from 1. */
static void
prefix_is_needed(void **state)
{
    (void)state;
    small_system s;
    small_open(&s, 1, 1, (const slong[]){0});
    small_letter(&s, (const slong[]){1}, 2, (const slong[]){0});
    small_letter(&s, (const slong[]){0}, 1, (const slong[]){1});
    expect_infinite(s.sys, CKDA_PUMP_CONTRACTION, 1, 1, "fixed point");
    small_close(&s);
}

/* A monoid of singular letters: (x, y) -> (x, x), -> (y, x), -> (2 x, 0). */
static void
monoid_of_singular_letters(void **state)
{
    (void)state;
    small_system s;
    small_open(&s, 2, 1, (const slong[]){0, 1});
    small_letter(&s, (const slong[]){1, 0, 1, 0}, 1, NULL);
    small_letter(&s, (const slong[]){0, 1, 1, 0}, 1, NULL);
    small_letter(&s, (const slong[]){2, 0, 0, 0}, 1, NULL);
    expect_infinite(s.sys, CKDA_PUMP_EIGENVALUE, 1, 1, "a root of x-2");
    small_close(&s);
}

/* The affine Coxeter group E8: 9 reflections of a 9-dimensional space.  Any 8 of them
 * generate a finite group, so a word needs all 9 letters. */
static void
word_with_all_nine_letters_is_needed(void **state)
{
    (void)state;
    enum { N = 9 };
    ckda_field_t K;
    ckda_mat_struct letter[N];
    ckda_system_t sys;
    ckda_reach_t r;
    ckda_field_init_rational(K);
    *sys = (ckda_system_struct){.K = K, .nletters = N, .linear = letter};
    ckda_mat_init(sys->initial, N, N, K);
    assert_int_equal(ckda_mat_one(sys->initial, K), CKDA_OK);
    for (slong i = 0; i < N; i++) {
        ckda_mat_init_set(letter + i, sys->initial, K);
        ckda_mat_set_entry_si(letter + i, i, i, -1, K);
        for (slong j = 0; j < N; j++) /* a chain of 8, the ninth beside the third */
            if ((i < 8 && j < 8 && (i == j + 1 || j == i + 1)) || (i == 8 && j == 2)
                || (i == 2 && j == 8))
                ckda_mat_set_entry_si(letter + i, i, j, 1, K);
    }
    run_reach(r, sys, &(const ckda_limits){.max_states = 6000}, 0);
    assert_true(r->finite == CKDA_FALSE);
    assert_int_equal(r->pump.kind, CKDA_PUMP_JORDAN);
    assert_true(r->pump.length >= N);
    bool used[N] = {false};
    for (uint32_t i = 0; i < r->pump.length; i++)
        used[r->pump.word[i]] = true;
    for (int i = 0; i < N; i++)
        assert_true(used[i]);
    check_powers(&r->pump, sys, 40);
    ckda_reach_clear(r);
    for (slong i = 0; i < N; i++)
        ckda_mat_clear(letter + i, K);
    ckda_mat_clear(sys->initial, K);
    ckda_field_clear(K);
}

/* Letter i takes coordinate i to i + 1 and destroys all others; the last one doubles.  Only
 * one word in 12^11 of length 12 is not constant: it is read off the way to a far state. */
static void
word_is_read_off_the_way_to_a_far_state(void **state)
{
    (void)state;
    enum { N = 12 };
    ckda_field_t K;
    ckda_mat_struct letter[N];
    ckda_system_t sys;
    ckda_reach_t r;
    ckda_field_init_rational(K);
    *sys = (ckda_system_struct){.K = K, .nletters = N, .linear = letter};
    ckda_mat_init(sys->initial, N, 1, K);
    ckda_mat_set_entry_si(sys->initial, 0, 0, 1, K);
    for (slong i = 0; i < N; i++) {
        ckda_mat_init(letter + i, N, N, K);
        ckda_mat_set_entry_si(letter + i, (i + 1) % N, i, i + 1 == N ? 2 : 1, K);
    }
    run_reach(r, sys, &(const ckda_limits){.max_states = 300}, 0);
    assert_true(r->finite == CKDA_FALSE);
    assert_int_equal(r->pump.kind, CKDA_PUMP_EIGENVALUE);
    assert_int_equal(r->pump.length, N);
    check_powers(&r->pump, sys, 40);
    ckda_reach_clear(r);
    for (slong i = 0; i < N; i++)
        ckda_mat_clear(letter + i, K);
    ckda_mat_clear(sys->initial, K);
    ckda_field_clear(K);
}

/* Infinite order as a matrix, none on the span of the states. */
static void
word_of_infinite_order_that_moves_nothing(void **state)
{
    (void)state;
    small_system s;
    small_open(&s, 3, 1, (const slong[]){0, 1, 0});
    small_letter(&s, (const slong[]){2, 0, 0, 0, 0, 1, 0, 1, 0}, 1, NULL);
    small_letter(&s, (const slong[]){1, 0, 0, 0, 0, -1, 0, 1, 0}, 1, NULL);
    expect_finite(s.sys, 4);
    small_close(&s);
}

/* Letters that destroy everything are no obstacle. */
static void
letters_that_annihilate(void **state)
{
    (void)state;
    small_system s;
    small_open(&s, 2, 1, (const slong[]){0, 0});
    small_letter(&s, (const slong[]){0, 0, 0, 0}, 1, (const slong[]){0, 0});
    small_letter(&s, (const slong[]){-1, 0, 0, -1}, 1, (const slong[]){2, 0});
    small_letter(&s, (const slong[]){0, 0, 0, 0}, 1, (const slong[]){0, 1});
    small_letter(&s, (const slong[]){0, -1, 1, -1}, 1, (const slong[]){0, 0});
    ckda_reach_t r;
    run_reach(r, s.sys, &(const ckda_limits){.max_states = 300}, 0);
    assert_true(r->finite == CKDA_FALSE);
    assert_int_equal(r->pump.kind, CKDA_PUMP_TRANSLATION);
    check_powers(&r->pump, s.sys, 30);
    ckda_reach_clear(r);
    small_close(&s);
}

static void
nilpotent_letters_are_finite(void **state)
{
    (void)state;
    small_system s;
    small_open(&s, 3, 1, (const slong[]){1, 1, 1});
    small_letter(&s, (const slong[]){0, 5, 1, 0, 0, 7, 0, 0, 0}, 3, NULL);
    expect_finite(s.sys, 4);
    small_close(&s);
}

/* ---- what states count -------------------------------------------------------------------- */

/* The symmetric group of order 6 moves (1, 1, 0) to 3 places only: no order of a group. */
static void
orbit_is_no_group_order_without_a_trivial_stabiliser(void **state)
{
    (void)state;
    for (slong m = 1; m <= 3; m++) {
        small_system s;
        small_open(&s, 3, m,
                   m == 1   ? (const slong[]){1, 1, 0}
                   : m == 2 ? (const slong[]){1, 0, 0, 1, 0, 0}
                            : (const slong[]){1, 0, 0, 0, 1, 0, 0, 0, 1});
        small_letter(&s, (const slong[]){0, 1, 0, 1, 0, 0, 0, 0, 1}, 1, NULL);
        small_letter(&s, (const slong[]){1, 0, 0, 0, 0, 1, 0, 1, 0}, 1, NULL);
        expect_finite(s.sys, m == 1 ? 3 : 6);
        assert_true(ckda_system_tells_elements(s.sys) == (m == 3));
        assert_true(ckda_system_is_invertible(s.sys));
        small_letter(&s, (const slong[]){1, 1, 0, 0, 0, 0, 0, 0, 1}, 1, NULL);
        assert_false(ckda_system_is_invertible(s.sys));
        small_close(&s);
    }
    small_system s; /* offsets: A and B may change together */
    small_open(&s, 1, 1, (const slong[]){1});
    small_letter(&s, (const slong[]){-1}, 1, (const slong[]){2});
    expect_finite(s.sys, 1);
    assert_false(ckda_system_tells_elements(s.sys));
    small_close(&s);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotation_about_a_shifted_centre),
        cmocka_unit_test(rotation_from_its_centre),
        cmocka_unit_test(contraction_towards_a_point_it_never_reaches),
        cmocka_unit_test(shear_of_a_contraction),
        cmocka_unit_test(shift_by_one),
        cmocka_unit_test(screw_motion),
        cmocka_unit_test(unipotent_block),
        cmocka_unit_test(jordan_block_at_a_cube_root),
        cmocka_unit_test(eigenvalue_with_an_integral_trace),
        cmocka_unit_test(large_systems_have_the_proof_alone),
        cmocka_unit_test(two_reflections),
        cmocka_unit_test(word_of_length_five_is_needed),
        cmocka_unit_test(triangle_group_over_the_seventh_roots),
        cmocka_unit_test(prefix_is_needed),
        cmocka_unit_test(monoid_of_singular_letters),
        cmocka_unit_test(word_with_all_nine_letters_is_needed),
        cmocka_unit_test(word_is_read_off_the_way_to_a_far_state),
        cmocka_unit_test(word_of_infinite_order_that_moves_nothing),
        cmocka_unit_test(letters_that_annihilate),
        cmocka_unit_test(nilpotent_letters_are_finite),
        cmocka_unit_test(orbit_is_no_group_order_without_a_trivial_stabiliser),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
