/* The parts of the proof that a set is infinite, each against a second way. */
#include "infinite_fixture.h"

/* All roots of the characteristic polynomial of a rational matrix are 0 or roots of unity. */
static bool
roots_are_of_finite_order(const ckda_mat_t A, const ckda_field_t K)
{
    ckda_poly_t f;
    fmpq_poly_t g;
    fmpq_poly_t coefficient;
    ckda_poly_init(f, K);
    fmpq_poly_init(g);
    fmpq_poly_init(coefficient);
    assert_int_equal(ckda_mat_charpoly(f, A, K), CKDA_OK);
    for (slong i = 0; i < f->length; i++) {
        ckda_elem_get_fmpq_poly(coefficient, f->coeff + i, K);
        fmpq_t c;
        fmpq_init(c);
        fmpq_poly_get_coeff_fmpq(c, coefficient, 0);
        fmpq_poly_set_coeff_fmpq(g, i, c);
        fmpq_clear(c);
    }
    fmpz_poly_t h;
    fmpz_poly_init(h);
    fmpq_poly_get_numerator(h, g);
    const slong n = fmpz_poly_degree(h);
    qqbar_ptr root = _qqbar_vec_init(n);
    qqbar_roots_fmpz_poly(root, h, 0);
    bool finite = true;
    for (slong i = 0; i < n; i++) {
        slong p;
        ulong q;
        finite = finite
                 && (qqbar_is_zero(root + i) || qqbar_is_root_of_unity(&p, &q, root + i));
    }
    _qqbar_vec_clear(root, n);
    fmpz_poly_clear(h);
    fmpq_poly_clear(g);
    fmpq_poly_clear(coefficient);
    ckda_poly_clear(f, K);
    return finite;
}

/* One random letter from the identity: the test modulo a prime against eigenvalues in qqbar
 * and ranks; and if the powers repeat, they are seen to. */
static void
test_of_one_word_agrees_with_its_eigenvalues(void **state)
{
    (void)state;
    ckda_rand rand;
    int infinite = 0, finite = 0;
    ckda_rand_init(&rand, 7);
    for (int round = 0; round < 120; round++) {
        const slong n = 2 + round % 2;
        slong A[9], one[9] = {0};
        for (int i = 0; i < 9; i++)
            A[i] = ckda_rand_range(&rand, -1, 1);
        for (slong i = 0; i < n; i++)
            one[i * (n + 1)] = 1;
        small_system s;
        images im;
        pump_test t;
        uint32_t from;
        small_open(&s, n, n, one);
        small_letter(&s, A, 1, NULL);
        assert_int_equal(images_init(&im, s.sys, 1, 0), CKDA_OK);
        assert_true(pump_test_init(&t, &im, s.K));
        affine f = affine_new(&t);
        affine_letter(f, &t, 0);
        const bool never = never_repeats(&from, &t, f);
        ckda_reach_t r;
        run_reach(r, s.sys, &(const ckda_limits){.max_states = 60}, 0);
        assert_true(r->finite == (never ? CKDA_FALSE : CKDA_TRUE));
        if (!roots_are_of_finite_order(s.linear, s.K)) {
            assert_true(never);
            assert_true(r->pump.kind == CKDA_PUMP_EIGENVALUE
                        || r->pump.kind == CKDA_PUMP_TRACE);
        } else if (never) {
            assert_int_equal(r->pump.kind, CKDA_PUMP_JORDAN);
        }
        infinite += never;
        finite += !never;
        ckda_reach_clear(r);
        affine_free(f);
        pump_test_clear(&t);
        images_clear(&im);
        small_close(&s);
    }
    assert_true(infinite >= 30 && finite >= 30);
}

/* Do the powers of a word of 4 letters (its bits) come to a state again, multiplied out? */
static bool
power_repeats(const ckda_system_t sys, uint32_t word, uint64_t states)
{
    ckda_mat_t S, late; /* after k and 2 k powers */
    bool repeats = false;
    ckda_mat_init_set(S, sys->initial, sys->K);
    ckda_mat_init_set(late, sys->initial, sys->K);
    for (uint64_t k = 0; k < 2 * states && !repeats; k++) {
        for (uint32_t i = 0; i < 12; i++)
            exact_step(i < 4 ? S : late, sys, word >> i % 4 & 1);
        repeats = ckda_mat_equal(NULL, S, late, sys->K);
    }
    ckda_mat_clear(S, sys->K);
    ckda_mat_clear(late, sys->K);
    return repeats;
}

/* Random pairs of affine letters with entries of 0, 1 and -1: the verdict of the search, then
 * every word of at most 4 letters multiplied out. */
static void
verdicts_of_random_systems_hold_for_short_words(void **state)
{
    (void)state;
    ckda_rand rand;
    int infinite = 0, finite = 0;
    ckda_rand_init(&rand, 11);
    for (int round = 0; round < 60; round++) {
        small_system s;
        ckda_reach_t r;
        small_open(&s, 2, 1, (const slong[]){0, 1});
        for (int x = 0; x < 2; x++) {
            slong A[4], B[2];
            for (int i = 0; i < 4; i++)
                A[i] = ckda_rand_range(&rand, -1, 1);
            for (int i = 0; i < 2; i++)
                B[i] = ckda_rand_range(&rand, 0, 1);
            small_letter(&s, A, 1, B);
        }
        run_reach(r, s.sys, &(const ckda_limits){.max_states = 400}, 0);
        assert_true(r->finite != CKDA_UNKNOWN);
        if (r->finite == CKDA_FALSE) {
            check_powers(&r->pump, s.sys, 25);
            infinite++;
        }
        for (uint32_t word = 0; r->finite == CKDA_TRUE && word < 16; word++)
            assert_true(power_repeats(s.sys, word, r->states));
        finite += r->finite == CKDA_TRUE;
        ckda_reach_clear(r);
        small_close(&s);
    }
    assert_true(infinite >= 10 && finite >= 5);
}

static void
spanning_states_are_few_and_span(void **state)
{
    (void)state;
    small_system s;
    images im;
    pump_test t;
    small_open(&s, 3, 1, (const slong[]){1, 0, 0}); /* a cyclic shift: three states */
    small_letter(&s, (const slong[]){0, 0, 1, 1, 0, 0, 0, 1, 0}, 1, NULL);
    assert_int_equal(images_init(&im, s.sys, 1, 0), CKDA_OK);
    assert_true(pump_test_init(&t, &im, s.K));
    assert_int_equal(t.nstates, 3);
    for (uint32_t i = 1; i < 3; i++)
        assert_true(t.parent[i] == i - 1 && t.via[i] == 0);
    pump_test_clear(&t);
    images_clear(&im);
    small_close(&s);
    small_open(&s, 2, 2, identity2); /* the identity spans at once */
    small_letter(&s, turn345, 5, NULL);
    assert_int_equal(images_init(&im, s.sys, 1, 0), CKDA_OK);
    assert_true(pump_test_init(&t, &im, s.K));
    assert_int_equal(t.nstates, 1);
    pump_test_clear(&t);
    images_clear(&im);
    small_close(&s);
}

/* lcm of 1, 2, 3, 4, 5, 6, 8, 10, 12: all orders of degree at most 4. */
static void
common_periods(void **state)
{
    (void)state;
    fmpz_t E;
    fmpz_init(E);
    common_period(E, 1);
    assert_true(fmpz_equal_ui(E, 2));
    common_period(E, 2);
    assert_true(fmpz_equal_ui(E, 12));
    common_period(E, 4);
    assert_true(fmpz_equal_ui(E, 120));
    fmpz_clear(E);
}

/* Modulo the first prime of a certificate this shear is the identity: another is named. */
static void
prime_of_the_certificate_sees_the_difference(void **state)
{
    (void)state;
    small_system s;
    uint32_t word = 0;
    ckda_pump pump = {.word = &word, .length = 1};
    small_open(&s, 2, 2, identity2);
    small_letter(&s, (const slong[]){1, 1, 0, 1}, 1, NULL);
    assert_int_equal(checkable_prime(&pump, s.sys), 2147483647);
    ckda_mat_set_entry_si(s.linear, 0, 1, 2147483647, s.K);
    assert_int_equal(checkable_prime(&pump, s.sys), 2147483629);
    ckda_mat_set_entry_frac(s.linear, 0, 1, 1, 2147483647,
                            s.K); /* divides a denominator */
    assert_int_equal(checkable_prime(&pump, s.sys), 2147483629);
    ckda_mat_set_entry_si(s.linear, 0, 1, 0, s.K); /* the identity never serves */
    assert_int_equal(checkable_prime(&pump, s.sys), 0);
    small_close(&s);
}

/* What one prime divides, the next round sees at another. */
static void
rounds_alternate_between_primes(void **state)
{
    (void)state;
    for (slong i = 0; i < 3; i++) {
        small_system s;
        images im;
        ckda_modulus mod;
        uint32_t round = 0;
        ckda_pump pump = {0};
        small_open(&s, 2, 2, identity2);
        small_letter(&s, (const slong[]){1, 1, 0, 1}, 1, NULL);
        assert_int_equal(ckda_modulus_init(&mod, s.K, i, NULL), CKDA_OK);
        ckda_mat_set_entry_si(s.linear, 0, 1, (slong)mod.p, s.K);
        assert_int_equal(images_init(&im, s.sys, 1, 0), CKDA_OK);
        assert_true(find_pump(&pump, &round, 2, &im, s.sys, 0));
        assert_int_equal(round, i == 1 ? 2 : 1); /* round 0 looks at prime number 1 */
        assert_int_equal(pump.kind, CKDA_PUMP_JORDAN);
        assert_true(pump.prime != mod.p);
        pump_clear(&pump);
        images_clear(&im);
        ckda_modulus_clear(&mod);
        small_close(&s);
    }
}

/* Later rounds alone find a word, and shorten it; the same one every time. */
static void
random_words_are_shortened_and_replayable(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_mat_struct letter[2];
    ckda_system_t sys;
    images im;
    open_237(sys, letter, K);
    assert_int_equal(images_init(&im, sys, 1, 0), CKDA_OK);
    ckda_pump pump[2] = {{0}, {0}};
    for (int i = 0; i < 2; i++) {
        uint32_t round = 1;
        assert_true(find_pump(pump + i, &round, 8, &im, sys, 0));
        assert_true(pump[i].length >= 5 && pump[i].length <= 12);
        check_powers(pump + i, sys, 25);
    }
    assert_int_equal(pump[0].length, pump[1].length);
    assert_memory_equal(pump[0].word, pump[1].word, pump[0].length * sizeof(uint32_t));
    pump_clear(pump);
    pump_clear(pump + 1);
    images_clear(&im);
    ckda_mat_clear(sys->initial, K);
    ckda_mat_clear(letter, K);
    ckda_mat_clear(letter + 1, K);
    ckda_field_clear(K);
}

/* Nothing is found where nothing is, and nothing is written then. */
static void
finite_systems_have_no_pump(void **state)
{
    (void)state;
    ckda_construction_t c;
    ckda_system_t sys;
    images im;
    uint32_t round = 0;
    ckda_pump pump = {.nprefix = 42};
    open_system(sys, c, "S4", "cube");
    assert_int_equal(images_init(&im, sys, 1, 0), CKDA_OK);
    assert_false(find_pump(&pump, &round, 6, &im, sys, 0));
    assert_int_equal(round, 6);
    assert_int_equal(pump.nprefix, 42);
    assert_int_equal(pump.length, 0);
    images_clear(&im);
    ckda_system_clear(sys);
    ckda_construct_clear(c);
}

static void
far_words_are_shortest_words(void **state)
{
    (void)state;
    small_system s;
    images im;
    pump_test t;
    uint32_t word[64];
    small_open(&s, 1, 1, (const slong[]){0});
    small_letter(&s, (const slong[]){1}, 1, (const slong[]){1});
    small_letter(&s, (const slong[]){1}, 1, (const slong[]){-1});
    assert_int_equal(images_init(&im, s.sys, 1, 0), CKDA_OK);
    assert_true(pump_test_init(&t, &im, s.K));
    /* 0, 1, -1, 2, -2, 3, -3 */
    assert_int_equal(far_word(word, 64, &t, 7), 3);
    for (int i = 0; i < 3; i++)
        assert_int_equal(word[i], 1);
    assert_int_equal(far_word(word, 2, &t, 6), 2); /* the last two letters to 3 */
    assert_true(word[0] == 0 && word[1] == 0);
    pump_test_clear(&t);
    images_clear(&im);
    small_close(&s);
    small_open(&s, 2, 1, (const slong[]){1, 0}); /* four states, not five */
    small_letter(&s, (const slong[]){0, -1, 1, 0}, 1, NULL);
    assert_int_equal(images_init(&im, s.sys, 1, 0), CKDA_OK);
    assert_true(pump_test_init(&t, &im, s.K));
    assert_int_equal(far_word(word, 64, &t, 4), 3);
    assert_int_equal(far_word(word, 64, &t, 5), 0);
    pump_test_clear(&t);
    images_clear(&im);
    small_close(&s);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_of_one_word_agrees_with_its_eigenvalues),
        cmocka_unit_test(verdicts_of_random_systems_hold_for_short_words),
        cmocka_unit_test(spanning_states_are_few_and_span),
        cmocka_unit_test(common_periods),
        cmocka_unit_test(prime_of_the_certificate_sees_the_difference),
        cmocka_unit_test(rounds_alternate_between_primes),
        cmocka_unit_test(random_words_are_shortened_and_replayable),
        cmocka_unit_test(finite_systems_have_no_pump),
        cmocka_unit_test(far_words_are_shortest_words),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
