/* Certificates that must be refused, limits, infinite systems, monoids. */
#include "fixture.h"
#include "../../../src/reach/reach_internal.h"

static const slong identity2[4] = {1, 0, 0, 1};
static const slong turn345[4] = {3, -4, 4, 3}; /* over 5: infinite order */

/* ---- the bound refuses small primes ----------------------------------------------- */

/* Modulo 7 the rotation by (3, 4)/5 has finite order, so the search closes: a trap. */
static void
small_prime_is_refused_on_an_infinite_system(void **state)
{
    (void)state;
    small_system s;
    ckda_reach_t r;
    small_open(&s, 2, 2, identity2);
    small_letter(&s, turn345, 5, NULL);
    assert_int_equal(ckda_reach_run_modulo(r, s.sys, NULL, 0, 7, NULL), CKDA_OK);
    assert_true(r->states > 1 && r->edges == r->states);
    assert_true(r->finite == CKDA_UNKNOWN);
    assert_string_equal(r->limit, "height bound");
    expect_text(r->exactness, "p = 7 <= (2BD)^d");
    assert_true(r->decoder_consistent == CKDA_UNKNOWN);
    ckda_reach_clear(r);
    small_close(&s);
}

/* p = 181 sees the right 7200 states, but is no proof; p > 262144 is. */
static void
small_prime_is_refused_even_when_the_count_is_right(void **state)
{
    (void)state;
    ckda_construction_t c;
    ckda_system_t sys;
    ckda_reach_t r;
    open_system(sys, c, "A5", NULL);
    assert_int_equal(ckda_reach_run_modulo(r, sys, NULL, 0, 181, NULL), CKDA_OK);
    assert_int_equal(r->states, 7200);
    assert_true(r->finite == CKDA_UNKNOWN);
    expect_text(r->exactness, "p = 181 <= (2BD)^d = 262144");
    ckda_reach_clear(r);
    assert_int_equal(ckda_reach_run_modulo(r, sys, NULL, 0, 262151, NULL), CKDA_OK);
    assert_true(r->finite == CKDA_TRUE);
    assert_int_equal(r->states, 7200);
    ckda_reach_clear(r);
    ckda_system_clear(sys);
    ckda_construct_clear(c);
}

/* The bound is strict: (2BD)^d = 2 for permutation matrices, so p = 3 is enough. */
static void
smallest_prime_that_suffices(void **state)
{
    (void)state;
    ckda_construction_t c;
    ckda_system_t sys;
    ckda_reach_t r;
    open_system(sys, c, "S4", "householder");
    assert_int_equal(ckda_reach_run_modulo(r, sys, NULL, 0, 3, NULL), CKDA_OK);
    assert_true(r->finite == CKDA_TRUE);
    assert_int_equal(r->states, 24);
    ckda_reach_clear(r);
    ckda_system_clear(sys);
    ckda_construct_clear(c);
}

static void
unusable_prime_is_an_error(void **state)
{
    (void)state;
    ckda_construction_t c;
    ckda_system_t sys;
    ckda_reach_t r = {{.states = 42}};
    ckda_error err;
    open_system(sys, c, "A5", NULL); /* 5 is no square modulo 7 */
    assert_int_equal(ckda_reach_run_modulo(r, sys, NULL, 0, 7, &err), CKDA_E_UNABLE);
    assert_int_equal(r->states, 42);
    ckda_system_clear(sys);
    ckda_construct_clear(c);
}

static void
more_primes_are_taken_when_the_bound_asks(void **state)
{
    (void)state;
    ckda_construction_t c;
    ckda_system_t sys;
    ckda_reach_t r;
    open_system(sys, c, "Z31", NULL); /* degree 30 */
    run_reach(r, sys, NULL, 0);
    assert_true(r->finite == CKDA_TRUE);
    assert_int_equal(r->states, 31);
    assert_int_equal(r->primes, 3);
    expect_text(r->exactness, "3 primes from ");
    ckda_reach_clear(r);
    ckda_system_clear(sys);
    ckda_construct_clear(c);
}

/* One letter of order 64 over a field of degree 16: words of length 64 with denominators
 * 2^64, out of reach of 16 primes.  The edges are recomputed. */
static void
edges_are_recomputed_when_the_bound_is_out_of_reach(void **state)
{
    (void)state;
    ckda_construction_t c;
    ckda_system_t sys, one;
    ckda_reach_t r;
    open_system(sys, c, "Z64", NULL);
    *one = *sys;
    one->nletters = 1;
    one->linear = c->matrix + c->G->generator[0];
    one->letter_element = c->G->generator;
    for (unsigned flags = 0; flags <= CKDA_REACH_KEEP_GRAPH; flags++) {
        run_reach(r, one, NULL, flags);
        assert_true(r->finite == CKDA_TRUE);
        assert_int_equal(r->states, 64);
        assert_int_equal(r->nlevels, 64);
        assert_true(r->decoder_consistent == CKDA_TRUE);
        assert_true((r->next != NULL) == (flags != 0));
        expect_text(r->exactness, "exact: all 64 edges recomputed");
        ckda_reach_clear(r);
    }
    ckda_system_clear(sys);
    ckda_construct_clear(c);
}

/* (1 P; 0 1) is the identity modulo each of the first 17 primes when P is their product: one
 * state for every set of primes, and one prime more, though the system is infinite.  Only
 * the bound and the recomputed edge tell; the answer is an honest "not decided". */
static void
images_that_all_merge_are_never_believed(void **state)
{
    (void)state;
    small_system s;
    ckda_reach_t r;
    small_open(&s, 2, 2, identity2);
    small_letter(&s, identity2, 1, NULL);
    fmpq_t q;
    fmpq_init(q);
    fmpz_one(fmpq_numref(q));
    for (slong i = 0; i <= CKDA_REACH_MAX_PRIMES; i++) {
        ckda_modulus mod;
        assert_int_equal(ckda_modulus_init(&mod, s.K, i, NULL), CKDA_OK);
        fmpz_mul_ui(fmpq_numref(q), fmpq_numref(q), mod.p);
        ckda_modulus_clear(&mod);
    }
    ckda_elem_set_fmpq(ckda_mat_entry(s.linear, 0, 1), q, s.K);
    run_reach(r, s.sys, NULL, 0);
    assert_int_equal(r->states, 1);
    assert_true(r->finite == CKDA_UNKNOWN);
    assert_string_equal(r->limit, "height bound");
    ckda_reach_clear(r);
    /* with one prime the bound asks for a second, which sees the infinite orbit */
    ckda_mat_set_entry_si(s.linear, 0, 1, 2147483647, s.K);
    run_reach(r, s.sys, &(const ckda_limits){.max_states = 100}, 0);
    assert_true(r->finite == CKDA_FALSE);
    assert_int_equal(r->primes, 2);
    ckda_reach_clear(r);
    fmpq_clear(q);
    small_close(&s);
}

/* ---- limits ----------------------------------------------------------------------- */

static void
limits_are_named(void **state)
{
    (void)state;
    ckda_construction_t c;
    ckda_system_t sys;
    ckda_reach_t r;
    open_system(sys, c, "S6", NULL);
    run_reach(r, sys, &(const ckda_limits){.max_states = 50}, CKDA_REACH_KEEP_GRAPH);
    assert_true(r->finite == CKDA_UNKNOWN);
    assert_string_equal(r->limit, "states");
    assert_int_equal(r->states, 50);
    assert_int_equal(r->level[0] + r->level[1], 50);
    assert_true(r->decoder_consistent == CKDA_UNKNOWN);
    assert_int_equal(r->next[0], 0);
    assert_true(r->next[49 * 720 + 3] == UINT32_MAX);
    expect_text(r->exactness, "did not close");
    ckda_reach_clear(r);
    run_reach(r, sys, &(const ckda_limits){.max_bytes = 30000}, 0);
    assert_true(r->finite == CKDA_UNKNOWN);
    assert_string_equal(r->limit, "memory");
    assert_int_equal(r->state_bytes, 36); /* a prime of one byte is enough */
    assert_true(r->states > 100 && r->states < 720);
    assert_in_range(r->bytes, 27000, 30000);
    ckda_reach_clear(r);
    run_reach(r, sys, &(const ckda_limits){.max_seconds = 1e-9}, 0);
    assert_true(r->finite == CKDA_UNKNOWN);
    assert_string_equal(r->limit, "time");
    ckda_reach_clear(r);
    ckda_system_clear(sys);
    ckda_construct_clear(c);
}

/* A limit that is just enough does not stop the search. */
static void
limit_equal_to_the_answer_is_enough(void **state)
{
    (void)state;
    ckda_construction_t c;
    ckda_system_t sys;
    ckda_reach_t r;
    open_system(sys, c, "S4", "quaternion");
    run_reach(r, sys, &(const ckda_limits){.max_states = 576}, 0);
    assert_true(r->finite == CKDA_TRUE);
    ckda_reach_clear(r);
    run_reach(r, sys, &(const ckda_limits){.max_states = 575}, 0);
    assert_true(r->finite == CKDA_UNKNOWN);
    assert_int_equal(r->states, 575);
    ckda_reach_clear(r);
    run_reach(r, sys,
              &(const ckda_limits){.max_states = UINT64_MAX, .max_bytes = UINT64_MAX}, 0);
    assert_true(r->finite == CKDA_TRUE);
    ckda_reach_clear(r);
    ckda_system_clear(sys);
    ckda_construct_clear(c);
}

/* ---- infinite systems ------------------------------------------------------------- */

static void
rotation_of_infinite_order_is_proved_infinite(void **state)
{
    (void)state;
    small_system s;
    ckda_reach_t r;
    small_open(&s, 2, 2, identity2);
    small_letter(&s, (const slong[]){0, -1, 1, 0}, 1, NULL);
    small_letter(&s, turn345, 5, NULL);
    run_reach(r, s.sys, &(const ckda_limits){.max_states = 1000}, 0);
    assert_true(r->finite == CKDA_FALSE);
    assert_null(r->limit);
    assert_int_equal(r->pump.length, 1);
    assert_int_equal(r->pump.word[0], 1);
    assert_int_equal(r->states, 1000);
    ckda_reach_clear(r);
    run_reach(r, s.sys, NULL, 0); /* no limit: found on the way */
    assert_true(r->finite == CKDA_FALSE);
    assert_null(r->limit);
    ckda_reach_clear(r);
    /* with one fixed prime nothing is proved, the limit is named */
    assert_int_equal(ckda_reach_run_modulo(r, s.sys,
                                           &(const ckda_limits){.max_states = 1000}, 0,
                                           1000003, NULL),
                     CKDA_OK);
    assert_true(r->finite == CKDA_UNKNOWN);
    assert_string_equal(r->limit, "states");
    ckda_reach_clear(r);
    small_close(&s);
}

static void
contractions_and_shifts_are_infinite(void **state)
{
    (void)state;
    small_system s;
    ckda_reach_t r;
    small_open(&s, 1, 1, (const slong[]){1});
    small_letter(&s, (const slong[]){1}, 2, NULL); /* S -> S/2 */
    run_reach(r, s.sys, &(const ckda_limits){.max_states = 100}, 0);
    assert_true(r->finite == CKDA_FALSE);
    ckda_reach_clear(r);
    small_close(&s);
    small_open(&s, 1, 1, (const slong[]){0}); /* the same from 0 stays there */
    small_letter(&s, (const slong[]){1}, 2, NULL);
    run_reach(r, s.sys, &(const ckda_limits){.max_states = 100}, 0);
    assert_true(r->finite == CKDA_TRUE);
    assert_int_equal(r->states, 1);
    ckda_reach_clear(r);
    small_close(&s);
    small_open(&s, 1, 1, (const slong[]){0});
    small_letter(&s, (const slong[]){1}, 1, (const slong[]){1}); /* S -> S + 1 */
    run_reach(r, s.sys, &(const ckda_limits){.max_states = 100}, 0);
    assert_true(r->finite == CKDA_FALSE);
    ckda_reach_clear(r);
    small_close(&s);
}

/* Two reflections of the line: each letter alone is finite, their product is a shift. */
static void
pair_of_letters_is_needed(void **state)
{
    (void)state;
    small_system s;
    ckda_reach_t r;
    small_open(&s, 1, 1, (const slong[]){0});
    small_letter(&s, (const slong[]){-1}, 1, (const slong[]){0});
    small_letter(&s, (const slong[]){-1}, 1, (const slong[]){1});
    run_reach(r, s.sys, &(const ckda_limits){.max_states = 100}, 0);
    assert_true(r->finite == CKDA_FALSE);
    assert_int_equal(r->pump.length, 2);
    assert_true(r->pump.word[0] != r->pump.word[1]);
    ckda_reach_clear(r);
    small_close(&s);
}

/* Part B, erratum 10: turns by 72 degrees about e1 and e3 generate an infinite group. */
static void
two_turns_of_order_five_are_infinite(void **state)
{
    (void)state;
    ckda_construction_t c;
    ckda_system_t sys;
    ckda_reach_t r;
    ckda_mat_struct letter[2];
    assert_int_equal(ckda_construct(c, "Z5", "quaternion", NULL), CKDA_OK);
    ckda_mat_init_set(letter, c->rotation + c->G->generator[0], c->K);
    ckda_mat_init(letter + 1, 3, 3, c->K);
    for (slong i = 0; i < 3; i++) /* the axes permuted cyclically */
        for (slong j = 0; j < 3; j++)
            ckda_elem_set(ckda_mat_entry(letter + 1, (i + 1) % 3, (j + 1) % 3),
                          ckda_mat_entry(letter, i, j), c->K);
    *sys = (ckda_system_struct){.K = c->K, .nletters = 2, .linear = letter};
    ckda_mat_init(sys->initial, 3, 3, c->K);
    assert_int_equal(ckda_mat_one(sys->initial, c->K), CKDA_OK);
    run_reach(r, sys, &(const ckda_limits){.max_states = 500}, 0);
    assert_true(r->finite == CKDA_FALSE);
    assert_int_equal(r->pump.length, 2);
    ckda_reach_clear(r);
    ckda_mat_clear(sys->initial, c->K);
    ckda_mat_clear(letter, c->K);
    ckda_mat_clear(letter + 1, c->K);
    ckda_construct_clear(c);
}

/* ---- monoids, norms above 1, edge cases ------------------------------------------- */

static void
full_transformation_monoid(void **state)
{
    (void)state;
    small_system s;
    ckda_reach_t r;
    small_open(&s, 3, 3, (const slong[]){1, 0, 0, 0, 1, 0, 0, 0, 1});
    small_letter(&s, (const slong[]){0, 1, 0, 1, 0, 0, 0, 0, 1}, 1, NULL);
    small_letter(&s, (const slong[]){0, 0, 1, 1, 0, 0, 0, 1, 0}, 1, NULL);
    small_letter(&s, (const slong[]){1, 1, 0, 0, 0, 0, 0, 0, 1}, 1, NULL); /* 1, 2 -> 1 */
    run_reach(r, s.sys, NULL, 0);
    assert_true(r->finite == CKDA_TRUE);
    assert_int_equal(r->states, 27);
    expect_text(r->exactness, "D = 1, B = 1, degree 1"); /* column sums stay 1 */
    assert_true(r->decoder_consistent == CKDA_UNKNOWN);
    assert_int_equal(r->decoded, 0);
    ckda_reach_clear(r);
    small_close(&s);
}

static void
expansive_letters_of_finite_order(void **state)
{
    (void)state;
    small_system s;
    ckda_reach_t r;
    small_open(&s, 2, 2, identity2);
    small_letter(&s, (const slong[]){1, 7, 0, -1}, 1, NULL); /* an involution of norm 8 */
    small_letter(&s, (const slong[]){0, 0, 0, 0}, 1, NULL);
    run_reach(r, s.sys, NULL, 0);
    assert_true(r->finite == CKDA_TRUE);
    assert_int_equal(r->states, 3);
    expect_text(r->exactness, "B = 64"); /* words of length 2 */
    ckda_reach_clear(r);
    small_close(&s);
}

static void
no_letters_and_repeated_letters(void **state)
{
    (void)state;
    small_system s;
    ckda_reach_t r;
    small_open(&s, 2, 1, (const slong[]){3, 4});
    run_reach(r, s.sys, NULL, 0);
    assert_true(r->finite == CKDA_TRUE);
    assert_int_equal(r->states, 1);
    assert_int_equal(r->edges, 0);
    ckda_reach_clear(r);
    small_letter(&s, (const slong[]){0, 1, 1, 0}, 1, NULL);
    small_letter(&s, (const slong[]){0, 1, 1, 0}, 1, NULL);
    run_reach(r, s.sys, NULL, 0);
    assert_int_equal(r->states, 2);
    assert_int_equal(r->edges, 4);
    ckda_reach_clear(r);
    small_close(&s);
}

static void
shapes_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    small_system s;
    ckda_reach_t r = {{.states = 42}};
    ckda_error err;
    small_open(&s, 2, 2, identity2);
    small_letter(&s, identity2, 1, NULL);
    ckda_mat_clear(s.linear, s.K);
    ckda_mat_init(s.linear, 3, 3, s.K);
    assert_int_equal(ckda_reach_run(r, s.sys, NULL, 0, &err), CKDA_E_SHAPE);
    assert_int_equal(r->states, 42);
    small_close(&s);
}

/* Denominators divisible by the first prime: another prime is taken. */
static void
primes_in_denominators_are_avoided(void **state)
{
    (void)state;
    small_system s;
    ckda_reach_t r;
    small_open(&s, 2, 2, identity2);
    small_letter(&s, (const slong[]){0, 1, 2147483647L * 2147483647L, 0}, 2147483647,
                 NULL);
    run_reach(r, s.sys, NULL, 0); /* [[0, 1/p], [p, 0]], an involution */
    assert_true(r->finite == CKDA_TRUE);
    assert_int_equal(r->states, 2);
    assert_true(r->primes > 1);
    ckda_reach_clear(r);
    small_close(&s);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_prime_is_refused_on_an_infinite_system),
        cmocka_unit_test(small_prime_is_refused_even_when_the_count_is_right),
        cmocka_unit_test(smallest_prime_that_suffices),
        cmocka_unit_test(unusable_prime_is_an_error),
        cmocka_unit_test(more_primes_are_taken_when_the_bound_asks),
        cmocka_unit_test(edges_are_recomputed_when_the_bound_is_out_of_reach),
        cmocka_unit_test(images_that_all_merge_are_never_believed),
        cmocka_unit_test(limits_are_named),
        cmocka_unit_test(limit_equal_to_the_answer_is_enough),
        cmocka_unit_test(rotation_of_infinite_order_is_proved_infinite),
        cmocka_unit_test(contractions_and_shifts_are_infinite),
        cmocka_unit_test(pair_of_letters_is_needed),
        cmocka_unit_test(two_turns_of_order_five_are_infinite),
        cmocka_unit_test(full_transformation_monoid),
        cmocka_unit_test(expansive_letters_of_finite_order),
        cmocka_unit_test(no_letters_and_repeated_letters),
        cmocka_unit_test(shapes_that_do_not_fit_are_refused),
        cmocka_unit_test(primes_in_denominators_are_avoided),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
