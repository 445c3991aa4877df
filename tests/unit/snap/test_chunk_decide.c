/* Proved, refuted, typical, undecided. */
#include "chunk_fixture.h"

/* ---- every word -------------------------------------------------------------------- */

static void
all_words_of_three_lines_give_the_published_maxima(void **state)
{
    (void)state;
    static const double want[10] = {.2724, .2724, .2724, .2724, .2995,
                                    .3063, .3063, .3063, .3266, .3334};
    static const char *const systems[] = {"D3", "Z3"};
    for (int i = 0; i < 2; i++) {
        fixture f;
        double max[10];
        open_fixture(&f, systems[i], NULL, "FLA", 2, 10);
        assert_int_equal(ckda_chunk_exhaust(max, NULL, 10, 1, 0, f.k), CKDA_TRUE);
        for (int c = 0; c < 10; c++)
            assert_true(fabs(max[c] - want[c]) < 5e-5);
        close_fixture(&f);
    }
}

/* Every word and every start by the plain kernel, no symmetry, no tables of moves. */
static double
brute_force(uint32_t count, const fixture *f)
{
    const ckda_chunk_struct *k = f->k;
    const slong n = k->n;
    uint32_t word[8] = {0};
    double most = 0;
    for (;;) {
        for (uint32_t s = 0; s < k->nstarts; s++) {
            float h[8];
            double v[8];
            for (slong a = 0; a < n; a++) {
                h[a] = (float)k->snapped[s * n + a];
                v[a] = k->vector[s * n + a];
            }
            ckda_chunk_run(h, h, 1, word, count, k);
            for (uint32_t i = 0; i < count; i++) {
                const double *key = k->key + word[i] * n;
                double dot = 0;
                for (slong a = 0; a < n; a++)
                    dot += key[a] * v[a];
                for (slong a = 0; a < n; a++)
                    v[a] -= 2 * dot * key[a];
            }
            for (slong a = 0; a < n; a++)
                most =
                    fmax(most, fabs((double)h[a] - rint((double)k->scheme.grid * v[a])));
        }
        uint32_t i = 0;
        while (i < count && ++word[i] == k->nlines)
            word[i++] = 0;
        if (i == count)
            return most;
    }
}

static void
symmetry_leaves_no_word_out(void **state)
{
    (void)state;
    static const struct {
        const char *system, *construction, *split;
        int64_t grid;
        uint32_t count;
    } rows[] = {{"S4", "cube", "FLA", 4, 3},
                {"D5", NULL, "FLA", 22, 4},
                {"A5", NULL, "FLA", 4, 2},
                {"D3", NULL, "T32", 2, 6},
                {"Z8", NULL, "fp16", 3, 4}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fixture f;
        double max[8];
        open_fixture(&f, rows[i].system, rows[i].construction, rows[i].split,
                     rows[i].grid, rows[i].count);
        ckda_chunk_witness w;
        (void)ckda_chunk_exhaust(max, &w, rows[i].count, 2, 0, f.k);
        for (uint32_t c = 1; c <= rows[i].count; c++)
            assert_true(max[c - 1] == brute_force(c, &f));
        assert_int_equal(w.count, rows[i].count);
        assert_true(fabs(w.value - w.target) == max[rows[i].count - 1]);
        ckda_chunk_witness_clear(&w);
        close_fixture(&f);
    }
}

static void
the_worst_word_does_not_depend_on_threads(void **state)
{
    (void)state;
    fixture f;
    double one[6], four[6];
    ckda_chunk_witness a, b;
    open_fixture(&f, "S4", "cube", "FLA", 4, 5);
    (void)ckda_chunk_exhaust(one, &a, 5, 1, 0, f.k);
    (void)ckda_chunk_exhaust(four, &b, 5, 4, 0, f.k);
    assert_memory_equal(one, four, 5 * sizeof *one);
    assert_memory_equal(a.lines, b.lines, 5 * sizeof *a.lines);
    assert_int_equal(a.start, b.start);
    ckda_chunk_witness_clear(&a);
    ckda_chunk_witness_clear(&b);
    close_fixture(&f);
}

static void
time_that_runs_out_is_unknown(void **state)
{
    (void)state;
    fixture f;
    double max[12];
    open_fixture(&f, "S4", "cube", "pair", 4, 12);
    assert_int_equal(ckda_chunk_exhaust(max, NULL, 12, 1, 1e-3, f.k), CKDA_UNKNOWN);
    close_fixture(&f);
}

static void
three_lines_on_a_bad_grid_are_refuted_by_some_word(void **state)
{
    (void)state;
    fixture f;
    double max[3];
    ckda_chunk_witness w;
    open_fixture(&f, "Z5", NULL, "FLA", 22, 3);
    assert_int_equal(ckda_chunk_exhaust(max, &w, 3, 1, 0, f.k), CKDA_FALSE);
    assert_true(max[1] < 0.5 && fabs(max[1] - 0.473) < 5e-4);
    assert_true(max[2] > 0.5);
    assert_true(ckda_chunk_witness_holds(&w, f.k));
    assert_int_equal(w.nletters, 3);
    ckda_chunk_witness_clear(&w);
    close_fixture(&f);
}

/* ---- witnesses --------------------------------------------------------------------- */

static void
a_changed_witness_does_not_hold(void **state)
{
    (void)state;
    fixture f;
    ckda_chunk_witness w;
    double max[3];
    open_fixture(&f, "Z5", NULL, "FLA", 22, 3);
    (void)ckda_chunk_exhaust(max, &w, 3, 1, 0, f.k);
    assert_true(ckda_chunk_witness_holds(&w, f.k));
    w.value += 0.25;
    assert_false(ckda_chunk_witness_holds(&w, f.k));
    w.value -= 0.25;
    w.target++;
    assert_false(ckda_chunk_witness_holds(&w, f.k));
    w.target--;
    w.count--;
    assert_false(ckda_chunk_witness_holds(&w, f.k));
    w.count++;
    w.entry = 2; /* there are two entries */
    assert_false(ckda_chunk_witness_holds(&w, f.k));
    ckda_chunk_witness_clear(&w);
    assert_false(ckda_chunk_witness_holds(&w, f.k));
    close_fixture(&f);
}

static void
a_beam_refutes_a5_with_bf16_factors(void **state)
{
    (void)state;
    fixture f;
    ckda_chunk_witness w;
    open_fixture(&f, "A5", NULL, "FLA", 4, 16);
    const double error = ckda_chunk_beam(&w, 16, 60, 0, 0, f.k);
    assert_true(error > 0.5);
    assert_int_equal(w.count, 16);
    assert_int_equal(w.nletters, 16);
    assert_true(ckda_chunk_witness_holds(&w, f.k));
    ckda_chunk_witness_clear(&w);
    close_fixture(&f);
}

static void
beams_refute_shorter_chunks_than_published(void **state)
{
    (void)state;
    static const struct {
        const char *system, *construction, *split;
        int64_t grid;
        uint32_t length, width;
        double error;
    } rows[] = {{"A5", NULL, "FLA", 4, 9, 500, 0.502},     /* 6 to 9 were open */
                {"A5", NULL, "T32", 4, 24, 40, 0.5},       /* 28 */
                {"S4", "cube", "FLA", 4, 32, 40, 0.5},     /* none was known */
                {"D3", NULL, "FLA", 2, 18, 200, 0.53125}}; /* the worst of all words */
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fixture f;
        ckda_chunk_witness w;
        open_fixture(&f, rows[i].system, rows[i].construction, rows[i].split,
                     rows[i].grid, rows[i].length);
        const double error =
            ckda_chunk_beam(&w, rows[i].length, rows[i].width, 0, 0, f.k);
        assert_true(error >= rows[i].error);
        assert_true(ckda_chunk_witness_holds(&w, f.k));
        assert_true(w.nletters > 0);
        ckda_chunk_witness_clear(&w);
        close_fixture(&f);
    }
}

static void
a_beam_is_the_same_for_every_number_of_threads(void **state)
{
    (void)state;
    fixture f;
    ckda_chunk_witness a, b;
    open_fixture(&f, "S4", "cube", "FLA", 4, 12);
    const double one = ckda_chunk_beam(&a, 12, 20, 1, 0, f.k);
    const double three = ckda_chunk_beam(&b, 12, 20, 3, 0, f.k);
    assert_true(one == three);
    assert_memory_equal(a.lines, b.lines, 12 * sizeof *a.lines);
    ckda_chunk_witness_clear(&a);
    ckda_chunk_witness_clear(&b);
    close_fixture(&f);
}

static void
a_beam_without_time_has_no_word(void **state)
{
    (void)state;
    fixture f;
    ckda_chunk_witness w;
    open_fixture(&f, "A5", NULL, "FLA", 4, 64);
    assert_true(ckda_chunk_beam(&w, 64, 100, 1, 1e-9, f.k) == -1);
    assert_int_equal(w.count, 0);
    close_fixture(&f);
}

/* The word of letters of a witness, run through the state itself, is stored wrongly. */
static void
the_letters_of_a_witness_go_wrong(void **state)
{
    (void)state;
    fixture f;
    ckda_chunk_witness w;
    open_fixture(&f, "A5", NULL, "FLA", 4, 16);
    assert_true(ckda_chunk_beam(&w, 16, 60, 0, 0, f.k) > 0.5);
    double h[4];
    for (int a = 0; a < 4; a++)
        h[a] = f.k->snapped[4 * f.k->start[w.start] + (uint32_t)a];
    ckda_chunk_step(h, 1, w.letters, w.nletters, f.k);
    /* the exact column by the letters' matrices */
    double v[4], y[4];
    memcpy(v, f.k->vector + 4 * f.k->start[w.start], sizeof v);
    for (uint32_t i = 0; i < w.nletters; i++) {
        const uint32_t s = f.t->next[w.letters[i]]; /* from state 0 = I: the matrix */
        for (int a = 0; a < 4; a++) {
            y[a] = 0;
            for (int b = 0; b < 4; b++)
                y[a] += f.t->value[s * 16 + (uint32_t)(4 * a + b)] * v[b];
        }
        memcpy(v, y, sizeof v);
    }
    int wrong = 0;
    for (int a = 0; a < 4; a++)
        wrong += h[a] != rint(4 * v[a]);
    assert_true(wrong >= 1);
    ckda_chunk_witness_clear(&w);
    close_fixture(&f);
}

/* ---- deciding ---------------------------------------------------------------------- */

static void
decide(ckda_chunk_result *r, const fixture *f, uint64_t random, uint32_t beam,
       bool exhaustive)
{
    ckda_chunk_options o = ckda_chunk_options_default;
    ckda_error err;
    o.random_chunks = random;
    o.beam = beam;
    o.exhaustive = exhaustive;
    o.max_chunks = exhaustive ? 0 : 1000;
    if (ckda_chunk_decide(r, f->k, &o, &err) != CKDA_OK)
        fail_msg("%s", err.text);
}

static void
pairs_are_proved_by_the_bound(void **state)
{
    (void)state;
    fixture f;
    ckda_chunk_result r;
    open_fixture(&f, "A5", NULL, "pair", 4, 16);
    decide(&r, &f, 200, 0, false);
    assert_int_equal(r.verdict, CKDA_CHUNK_PROVED);
    assert_int_equal(r.how, CKDA_CHUNK_BY_BOUND);
    assert_true(r.bound.delta < 0.05 && r.bound.delta > 0.02);
    assert_int_equal(r.proved_to, 48);
    assert_int_equal(r.random.chunks, 200);
    assert_int_equal(r.random.wrong, 0);
    assert_true(r.random.max <= 0.5 - r.sigma + r.bound.delta);
    assert_int_equal(r.witness.count, 0);
    ckda_chunk_result_clear(&r);
    close_fixture(&f);
}

static void
lattice_keys_are_proved_for_every_length(void **state)
{
    (void)state;
    fixture f;
    ckda_chunk_result r;
    open_fixture(&f, "A4", "quaternion", "FLA", 2, 64);
    decide(&r, &f, 50, 0, false);
    assert_int_equal(r.verdict, CKDA_CHUNK_PROVED);
    assert_int_equal(r.how, CKDA_CHUNK_BY_EXACTNESS);
    assert_true(r.random.max == 0);
    ckda_chunk_result_clear(&r);
    close_fixture(&f);
}

static void
few_words_are_proved_by_trying_them(void **state)
{
    (void)state;
    fixture f;
    ckda_chunk_result r;
    open_fixture(&f, "Z3", NULL, "FLA", 2, 9);
    decide(&r, &f, 0, 0, true);
    assert_int_equal(r.verdict, CKDA_CHUNK_PROVED);
    assert_int_equal(r.how, CKDA_CHUNK_BY_EXHAUSTION);
    assert_int_equal(r.exhaustive_lengths, 9);
    assert_true(r.exhausted);
    assert_true(fabs(r.exhaustive_max[8] - 0.3266) < 5e-5);
    ckda_chunk_result_clear(&r);
    close_fixture(&f);
}

static void
long_bf16_chunks_are_refuted_by_a_random_word(void **state)
{
    (void)state;
    fixture f;
    ckda_chunk_result r;
    open_fixture(&f, "A5", NULL, "FLA", 4, 64);
    decide(&r, &f, 200, 0, false);
    assert_int_equal(r.verdict, CKDA_CHUNK_REFUTED);
    assert_int_equal(r.how, CKDA_CHUNK_BY_WORD);
    assert_in_range(r.random.wrong, 40, 100); /* 34 of 100 are published */
    assert_true(fabs(r.random.median_deviation - 0.25) < 0.03);
    assert_true(ckda_chunk_witness_holds(&r.witness, f.k));
    assert_int_equal(r.witness.count, 64);
    ckda_chunk_result_clear(&r);
    close_fixture(&f);
}

static void
what_only_random_words_support_is_typical(void **state)
{
    (void)state;
    fixture f;
    ckda_chunk_result r;
    open_fixture(&f, "S4", "cube", "FLA", 4, 16);
    decide(&r, &f, 300, 10, false);
    assert_int_equal(r.verdict, CKDA_CHUNK_TYPICAL);
    assert_int_equal(r.random.wrong, 0);
    assert_int_equal(r.exhaustive_lengths, 3);
    assert_false(r.exhausted);
    ckda_chunk_result_clear(&r);
    decide(&r, &f, 0, 0, false);
    assert_int_equal(r.verdict, CKDA_CHUNK_UNDECIDED);
    assert_int_equal(r.how, CKDA_CHUNK_BY_NOTHING);
    ckda_chunk_result_clear(&r);
    close_fixture(&f);
}

static void
random_chunks_are_the_same_for_every_number_of_threads(void **state)
{
    (void)state;
    fixture f;
    ckda_chunk_result r[2];
    open_fixture(&f, "D3", NULL, "FLA", 2, 32);
    for (int i = 0; i < 2; i++) {
        ckda_chunk_options o = ckda_chunk_options_default;
        o.random_chunks = 300;
        o.beam = 0;
        o.seed = 5;
        o.max_chunks = 1;
        o.threads = 1 + 2 * i;
        assert_int_equal(ckda_chunk_decide(&r[i], f.k, &o, NULL), CKDA_OK);
    }
    assert_int_equal(r[0].random.wrong, r[1].random.wrong);
    assert_true(r[0].random.median == r[1].random.median);
    assert_true(r[0].random.max == r[1].random.max);
    ckda_chunk_result_clear(&r[0]);
    ckda_chunk_result_clear(&r[1]);
    close_fixture(&f);
}

static void
without_a_grid_there_is_nothing_to_decide(void **state)
{
    (void)state;
    fixture f;
    ckda_chunk_result r = {.sigma = 77};
    ckda_error err;
    open_fixture(&f, "A5", NULL, "FLA", 0, 16);
    assert_int_equal(ckda_chunk_decide(&r, f.k, &ckda_chunk_options_default, &err),
                     CKDA_E_DOMAIN);
    assert_true(r.sigma == 77);
    assert_false(ckda_chunk_is_exact(f.k));
    close_fixture(&f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_words_of_three_lines_give_the_published_maxima),
        cmocka_unit_test(symmetry_leaves_no_word_out),
        cmocka_unit_test(the_worst_word_does_not_depend_on_threads),
        cmocka_unit_test(time_that_runs_out_is_unknown),
        cmocka_unit_test(three_lines_on_a_bad_grid_are_refuted_by_some_word),
        cmocka_unit_test(a_changed_witness_does_not_hold),
        cmocka_unit_test(a_beam_refutes_a5_with_bf16_factors),
        cmocka_unit_test(beams_refute_shorter_chunks_than_published),
        cmocka_unit_test(a_beam_is_the_same_for_every_number_of_threads),
        cmocka_unit_test(a_beam_without_time_has_no_word),
        cmocka_unit_test(the_letters_of_a_witness_go_wrong),
        cmocka_unit_test(pairs_are_proved_by_the_bound),
        cmocka_unit_test(lattice_keys_are_proved_for_every_length),
        cmocka_unit_test(few_words_are_proved_by_trying_them),
        cmocka_unit_test(long_bf16_chunks_are_refuted_by_a_random_word),
        cmocka_unit_test(what_only_random_words_support_is_typical),
        cmocka_unit_test(random_chunks_are_the_same_for_every_number_of_threads),
        cmocka_unit_test(without_a_grid_there_is_nothing_to_decide),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
