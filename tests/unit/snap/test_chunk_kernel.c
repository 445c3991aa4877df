/* The chunk model: lines, gauge, bits. */
#include "chunk_fixture.h"

/* ---- schemes ----------------------------------------------------------------------- */

static void
splits_have_the_published_bits(void **state)
{
    (void)state;
    static const int bits[][5] = {
        {8, 8, 8, 8, 8},      {8, 24, 24, 8, 8},    {8, 24, 24, 16, 16},
        {11, 11, 11, 11, 11}, {11, 24, 24, 11, 11}, {24, 24, 24, 8, 8},
        {24, 24, 24, 8, 16},  {24, 24, 24, 16, 16}, {16, 16, 16, 16, 16}};
    size_t n = 0;
    for (const ckda_chunk_split *s = ckda_chunk_splits; s->name != NULL; s++, n++) {
        const int got[5] = {s->key, s->t, s->beta_key, s->w, s->v};
        assert_memory_equal(got, bits[n], sizeof got);
    }
    assert_int_equal(n, 9);
}

static void
an_unknown_split_is_told_with_the_list(void **state)
{
    (void)state;
    ckda_chunk_split s = {.name = "mine", .key = 5};
    ckda_error err;
    assert_int_equal(ckda_chunk_split_named(&s, "fla", &err), CKDA_E_INPUT);
    assert_non_null(strstr(err.text, "fp16-T32"));
    assert_non_null(strstr(err.text, "'fla'"));
    assert_string_equal(s.name, "mine");
    assert_int_equal(s.key, 5);
}

static void
schemes_out_of_range_are_refused(void **state)
{
    (void)state;
    ckda_error err;
    ckda_chunk_scheme s = ckda_chunk_scheme_default;
    assert_int_equal(ckda_chunk_scheme_check(&s, &err), CKDA_OK);
    s.length = 0;
    assert_int_equal(ckda_chunk_scheme_check(&s, &err), CKDA_E_INPUT);
    s.length = 1025;
    assert_int_equal(ckda_chunk_scheme_check(&s, &err), CKDA_E_INPUT);
    s = ckda_chunk_scheme_default;
    s.split.w = 25;
    assert_int_equal(ckda_chunk_scheme_check(&s, &err), CKDA_E_INPUT);
    s = ckda_chunk_scheme_default;
    s.grid = -1;
    assert_int_equal(ckda_chunk_scheme_check(&s, &err), CKDA_E_INPUT);
    s = ckda_chunk_scheme_default;
    s.state = &ckda_fp_fp64;
    assert_int_equal(ckda_chunk_scheme_check(&s, &err), CKDA_E_INPUT);
    s.grid = 4; /* then the state format is not read */
    assert_int_equal(ckda_chunk_scheme_check(&s, &err), CKDA_OK);
}

static void
a_refused_scheme_leaves_the_object_alone(void **state)
{
    (void)state;
    ckda_tracker_t t;
    ckda_chunk_t k;
    ckda_error err;
    assert_int_equal(ckda_tracker_init(t, "A5", NULL, NULL, &err), CKDA_OK);
    memset(k, 0x5a, sizeof k);
    ckda_chunk_t before;
    memcpy(before, k, sizeof k);
    ckda_chunk_scheme s = scheme_of("FLA", 4, 16);
    s.key = CKDA_KEY_DIRECTION; /* irrational */
    assert_int_equal(ckda_chunk_init(k, t, &s, &err), CKDA_E_DOMAIN);
    assert_memory_equal(before, k, sizeof k);
    s.key = CKDA_KEY_UNIT;
    s.length = 0;
    assert_int_equal(ckda_chunk_init(k, t, &s, &err), CKDA_E_INPUT);
    assert_memory_equal(before, k, sizeof k);
    ckda_tracker_clear(t);
}

/* ---- lines ------------------------------------------------------------------------- */

static void
letters_become_the_published_numbers_of_lines(void **state)
{
    (void)state;
    static const struct {
        const char *system, *construction;
        uint32_t lines;
    } rows[] = {{"A5", NULL, 60},         {"Z3", NULL, 3},   {"D3", NULL, 3},
                {"D8", NULL, 8},          {"S4", "cube", 9}, {"S4", "quaternion", 24},
                {"A4", "quaternion", 12}, {"S5", NULL, 10}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fixture f;
        open_fixture(&f, rows[i].system, rows[i].construction, "FLA", 2, 4);
        assert_int_equal(f.k->nlines, rows[i].lines);
        assert_int_equal(f.k->nroots, rows[i].lines); /* closed under reflections */
        close_fixture(&f);
    }
}

/* Reflecting twice in one line is nothing; moves are those of the doubles. */
static void
moves_are_reflections(void **state)
{
    (void)state;
    fixture f;
    open_fixture(&f, "S4", "cube", "FLA", 4, 4);
    const ckda_chunk_struct *k = f.k;
    const slong n = k->n;
    for (uint32_t l = 0; l < k->nlines; l++)
        for (uint32_t i = 0; i < k->nvectors; i++) {
            const int32_t j = k->move[l * k->nvectors + i];
            const int32_t back = k->move[l * k->nvectors + (uint32_t)(abs(j) - 1)];
            assert_int_equal(j > 0 ? back : -back, (int32_t)i + 1);
            const double *key = k->key + l * n, *v = k->vector + i * n;
            double dot = 0;
            for (slong a = 0; a < n; a++)
                dot += key[a] * v[a];
            for (slong a = 0; a < n; a++) {
                const double w = k->vector[(abs(j) - 1) * n + a];
                assert_true(fabs(v[a] - 2 * dot * key[a] - (j > 0 ? w : -w)) < 1e-14);
            }
        }
    close_fixture(&f);
}

static void
words_of_lines_come_from_words_of_letters(void **state)
{
    (void)state;
    static const char *const systems[] = {"A5", "D8", "S4", "S5"};
    ckda_rand r;
    ckda_rand_init(&r, 3);
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) {
        fixture f;
        open_fixture(&f, systems[i], NULL, "FLA", 2, 16);
        for (int trial = 0; trial < 20; trial++) {
            uint32_t word[16], back[64], lines[64], again[64], nback = 0;
            random_word(word, 16, f.t->nletters, &r);
            const uint32_t n = ckda_chunk_lines_of(lines, word, 16, f.k);
            assert_true(n <= 16 * f.k->max_steps);
            assert_true(ckda_chunk_letters_of(back, &nback, lines, n, f.k));
            assert_int_equal(ckda_chunk_lines_of(again, back, nback, f.k), n);
            assert_memory_equal(lines, again, n * sizeof *lines);
        }
        close_fixture(&f);
    }
}

static void
lines_that_no_letter_has_make_no_word(void **state)
{
    (void)state;
    fixture f;
    uint32_t letters[2], count = 77;
    const uint32_t lines[2] = {0, 1};
    open_fixture(&f, "D3", NULL, "FLA", 2, 4);
    assert_true(ckda_chunk_letters_of(letters, &count, lines, 2, f.k));
    assert_int_equal(count, 2);
    /* a tracker without the letters that make line 1 in second place */
    for (uint32_t x = 0; x < f.k->nletters; x++)
        for (uint32_t m = 0; m < f.k->nmasks; m++)
            if (f.k->line_of[f.k->letter_first[x] * f.k->nmasks + m] == 1)
                f.k->letter_count[x] = 0;
    count = 77;
    assert_false(ckda_chunk_letters_of(letters, &count, lines, 2, f.k));
    assert_int_equal(count, 77);
    close_fixture(&f);
}

/* ---- bits -------------------------------------------------------------------------- */

static void
compare_with_definition(const fixture *f, uint32_t count, ckda_rand *r)
{
    enum { MOST = 40, COLUMNS = 3 };
    const slong n = f->k->n;
    uint32_t lines[MOST];
    float h[32 * COLUMNS];
    uint64_t bits[32 * COLUMNS];
    random_word(lines, count, f->k->nlines, r);
    for (slong i = 0; i < n * COLUMNS; i++) {
        /* integers, halves and long fractions */
        const int64_t x = ckda_rand_range(r, -9, 9);
        h[i] = (float)((double)x * (i % 3 == 0 ? 1 : i % 3 == 1 ? 0.5 : 0.1));
        bits[i] = ckda_fp_from_double((double)h[i], &ckda_fp_fp32, &ckda_fp_rne);
    }
    ckda_chunk_run(h, h, COLUMNS, lines, count, f->k);
    ckda_chunk_run_definition(bits, bits, COLUMNS, lines, count, f->k);
    for (slong i = 0; i < n * COLUMNS; i++) {
        const double want = ckda_fp_get_double(bits[i], &ckda_fp_fp32);
        assert_true((double)h[i] == want);
    }
}

static void
floats_agree_with_the_definition_bit_for_bit(void **state)
{
    (void)state;
    static const struct {
        const char *system, *construction;
    } rows[] = {{"A5", NULL}, {"D5", NULL}, {"S4", "cube"}};
    ckda_rand r;
    ckda_rand_init(&r, 11);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (const ckda_chunk_split *s = ckda_chunk_splits; s->name != NULL; s++)
            for (int direct = 0; direct < 2; direct++) {
                fixture f;
                ckda_chunk_scheme scheme = scheme_of(s->name, 0, 40);
                scheme.direct = direct;
                scheme.beta_rule =
                    s->key == 8 && direct ? CKDA_BETA_IDEAL : CKDA_BETA_FROM_KEY;
                open_scheme(&f, rows[i].system, rows[i].construction, &scheme);
                compare_with_definition(&f, 1, &r);
                compare_with_definition(&f, 12, &r);
                close_fixture(&f);
            }
}

static void
longer_chunks_agree_as_well(void **state)
{
    (void)state;
    fixture f;
    ckda_rand r;
    ckda_rand_init(&r, 12);
    open_fixture(&f, "A5", NULL, "FLA", 0, 40);
    compare_with_definition(&f, 40, &r);
    close_fixture(&f);
}

/* One reflection written out. */
static void
a_chunk_of_one_is_h_minus_k_v(void **state)
{
    (void)state;
    fixture f;
    open_fixture(&f, "A5", NULL, "k32", 4, 1);
    const float h0[4] = {3, 2, 1, 0};
    for (uint32_t l = 0; l < f.k->nlines; l++) {
        float h[4], w[4];
        ckda_chunk_run(h, h0, 1, &l, 1, f.k);
        uint64_t bits;
        for (int a = 0; a < 4; a++) {
            const float b = f.k->beta[l] * f.k->rounded_key[4 * l + (uint32_t)a];
            bits = ckda_fp_from_double((double)b, &ckda_fp_bf16, &ckda_fp_rne);
            w[a] = (float)ckda_fp_get_double(bits, &ckda_fp_bf16);
        }
        float v = w[0] * h0[0];
        for (int a = 1; a < 4; a++)
            v += w[a] * h0[a];
        bits = ckda_fp_from_double((double)v, &ckda_fp_bf16, &ckda_fp_rne);
        v = (float)ckda_fp_get_double(bits, &ckda_fp_bf16);
        for (int a = 0; a < 4; a++)
            assert_true(h[a] == h0[a] - f.k->rounded_key[4 * l + (uint32_t)a] * v);
    }
    close_fixture(&f);
}

static void
beta_comes_from_the_rounded_key(void **state)
{
    (void)state;
    fixture f;
    open_fixture(&f, "A5", NULL, "FLA", 4, 4);
    for (uint32_t l = 0; l < f.k->nlines; l++) {
        double norm = 0;
        for (int a = 0; a < 4; a++) {
            const double k = (double)f.k->rounded_key[4 * l + (uint32_t)a];
            norm += k * k;
        }
        assert_true(f.k->beta[l] == (float)(2 / norm));
    }
    assert_true(f.k->unorthogonality < 0x1p-22);
    close_fixture(&f);
    ckda_chunk_scheme s = scheme_of("FLA", 4, 4);
    s.beta_rule = CKDA_BETA_IDEAL;
    open_scheme(&f, "A5", NULL, &s);
    for (uint32_t l = 0; l < f.k->nlines; l++)
        assert_true(f.k->beta[l] == 2);
    assert_true(f.k->unorthogonality > 0x1p-12);
    close_fixture(&f);
}

/* Changing the sign of a coordinate in all keys and columns changes it in the result. */
static void
rounding_is_odd(void **state)
{
    (void)state;
    fixture f;
    ckda_rand r;
    ckda_rand_init(&r, 5);
    open_fixture(&f, "A5", NULL, "FLA", 4, 20);
    const ckda_chunk_struct *k = f.k;
    assert_int_equal(k->nsymmetries, 8);
    for (uint32_t s = 0; s < k->nsymmetries; s++) {
        uint32_t word[20], image[20];
        int sign[4] = {1, 1, 1, 1}; /* read off the axes and their sums with line 0 */
        random_word(word, 20, k->nlines, &r);
        for (int i = 0; i < 20; i++)
            image[i] = k->symmetry[s * k->nlines + word[i]];
        bool found = false;
        for (int m = 0; m < 16 && !found; m++) {
            for (int a = 0; a < 4; a++)
                sign[a] = m >> a & 1 ? -1 : 1;
            found = true;
            for (uint32_t l = 0; l < k->nlines && found; l++) {
                const float *x = k->rounded_key + 4 * l;
                const float *y = k->rounded_key + 4 * k->symmetry[s * k->nlines + l];
                bool plus = true, minus = true;
                for (int a = 0; a < 4; a++) {
                    plus = plus && (float)sign[a] * x[a] == y[a];
                    minus = minus && (float)sign[a] * x[a] == -y[a];
                }
                found = plus || minus;
            }
        }
        assert_true(found);
        float h[4] = {3, 2, 1, 0}, g[4];
        for (int a = 0; a < 4; a++)
            g[a] = (float)sign[a] * h[a];
        ckda_chunk_run(h, h, 1, word, 20, k);
        ckda_chunk_run(g, g, 1, image, 20, k);
        for (int a = 0; a < 4; a++)
            assert_true(g[a] == (float)sign[a] * h[a]);
    }
    close_fixture(&f);
}

/* ---- the state itself -------------------------------------------------------------- */

/* All in 24 bits: chunk after chunk the state follows the exact one, gates undone. */
static void
chunks_follow_the_exact_states(void **state)
{
    (void)state;
    static const struct {
        const char *system, *construction;
    } rows[] = {{"A5", NULL},         {"S4", "cube"}, {"D5", NULL},
                {"A4", "quaternion"}, {"S5", NULL},   {"Z8", NULL}};
    ckda_rand r;
    ckda_rand_init(&r, 8);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fixture f;
        ckda_chunk_scheme s = scheme_of("k32", 0, 16);
        s.split = (ckda_chunk_split){"all24", 24, 24, 24, 24, 24};
        open_scheme(&f, rows[i].system, rows[i].construction, &s);
        const slong n = f.k->n;
        double H[64];
        for (slong a = 0; a < n * n; a++)
            H[a] = a % (n + 1) == 0;
        uint32_t at = 0;
        for (int chunk = 0; chunk < 8; chunk++) {
            uint32_t word[16];
            const uint32_t count = chunk == 7 ? 5 : 16;
            random_word(word, count, f.t->nletters, &r);
            ckda_chunk_step(H, n, word, count, f.k);
            for (uint32_t j = 0; j < count; j++)
                at = f.t->next[(size_t)at * f.t->nletters + word[j]];
            for (slong a = 0; a < n * n; a++)
                assert_true(fabs(H[a] - f.t->value[at * n * n + a]) < 1e-4);
        }
        close_fixture(&f);
    }
}

static void
a_snapped_chunk_is_exact_for_ever(void **state)
{
    (void)state;
    fixture f;
    ckda_rand r;
    ckda_rand_init(&r, 9);
    open_fixture(&f, "A5", NULL, "pair", 4, 32);
    double H[16];
    for (int a = 0; a < 16; a++)
        H[a] = a % 5 == 0 ? 4 : 0;
    uint32_t at = 0;
    for (int chunk = 0; chunk < 300; chunk++) {
        uint32_t word[32];
        random_word(word, 32, f.t->nletters, &r);
        ckda_chunk_step(H, 4, word, 32, f.k);
        for (uint32_t j = 0; j < 32; j++)
            at = f.t->next[(size_t)at * f.t->nletters + word[j]];
        for (int a = 0; a < 16; a++) {
            assert_true(H[a] == rint(4 * f.t->value[at * 16 + (uint32_t)a]));
            assert_false(H[a] == 0 && signbit(H[a]));
        }
    }
    close_fixture(&f);
}

static void
a_bf16_state_is_stored_as_bf16(void **state)
{
    (void)state;
    fixture f;
    ckda_rand r;
    ckda_rand_init(&r, 10);
    ckda_chunk_scheme s = scheme_of("k32", 0, 16);
    s.state = &ckda_fp_bf16;
    open_scheme(&f, "A5", NULL, &s);
    double H[16];
    for (int a = 0; a < 16; a++)
        H[a] = a % 5 == 0;
    for (int chunk = 0; chunk < 4; chunk++) {
        uint32_t word[16];
        random_word(word, 16, f.t->nletters, &r);
        ckda_chunk_step(H, 4, word, 16, f.k);
        for (int a = 0; a < 16; a++) {
            const uint64_t b = ckda_fp_from_double(H[a], &ckda_fp_bf16, &ckda_fp_rne);
            assert_true(ckda_fp_get_double(b, &ckda_fp_bf16) == H[a]);
        }
    }
    close_fixture(&f);
}

/* ---- published words --------------------------------------------------------------- */

/* The icosian frame of the published words is the mirror image of ours: the second and third
 * coordinate change places, which the sums do not notice here. */
static double
run_published(const fixture *f, const double (*word)[4], uint32_t count,
              const int32_t *start, int entry)
{
    static const int place[4] = {0, 2, 1, 3};
    uint32_t lines[16];
    float h[4];
    for (uint32_t i = 0; i < count; i++) {
        double w[4];
        for (int a = 0; a < 4; a++)
            w[place[a]] = word[i][a];
        const int64_t l = ckda_chunk_line_near(w, f->k);
        assert_true(l >= 0);
        lines[i] = (uint32_t)l;
    }
    for (int a = 0; a < 4; a++)
        h[place[a]] = (float)start[a];
    int32_t q[4];
    for (int a = 0; a < 4; a++)
        q[a] = (int32_t)h[a];
    assert_true(ckda_chunk_start_of(q, f->k) >= 0);
    ckda_chunk_run(h, h, 1, lines, count, f->k);
    return (double)h[place[entry]];
}

static void
the_published_refuting_words_are_wrong(void **state)
{
    (void)state;
    const double P = (1 + sqrt(5)) / 4, h = 0.5, m = (sqrt(5) - 1) / 4;
    const double ten[10][4] = {
        {m, P, h, 0},  {P, h, -m, 0},  {h, P, 0, m},  {P, h, -m, 0},  {h, 0, m, P},
        {P, m, 0, -h}, {P, -m, 0, -h}, {P, m, 0, -h}, {h, -m, -P, 0}, {P, m, 0, h}};
    const double thirteen[13][4] = {
        {h, h, -h, h}, {0, m, h, -P},  {0, h, P, m},  {h, 0, -m, -P}, {0, h, P, m},
        {0, h, P, -m}, {P, 0, -h, -m}, {0, h, P, -m}, {0, h, P, m},   {0, 0, 1, 0},
        {h, -m, P, 0}, {m, 0, P, h},   {0, m, h, P}};
    static const int32_t first[4] = {3, 2, 1, 0}, second[4] = {1, -3, -2, 0};
    fixture f;
    open_fixture(&f, "A5", NULL, "FLA", 4, 16);
    assert_true(fabs(run_published(&f, ten, 10, first, 0) + 1.500519) < 5e-7);
    assert_true(fabs(run_published(&f, thirteen, 13, second, 2) - 1.505249) < 5e-7);
    close_fixture(&f);
}

static void
lines_and_starts_that_are_not_there_are_not_found(void **state)
{
    (void)state;
    fixture f;
    open_fixture(&f, "A5", NULL, "FLA", 4, 4);
    const double no[4] = {1, 0.1, 0, 0}, zero[4] = {0, 0, 0, 0};
    static const int32_t q[4] = {3, 3, 3, 3};
    assert_int_equal(ckda_chunk_line_near(no, f.k), -1);
    assert_int_equal(ckda_chunk_line_near(zero, f.k), -1);
    assert_int_equal(ckda_chunk_start_of(q, f.k), -1);
    close_fixture(&f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splits_have_the_published_bits),
        cmocka_unit_test(an_unknown_split_is_told_with_the_list),
        cmocka_unit_test(schemes_out_of_range_are_refused),
        cmocka_unit_test(a_refused_scheme_leaves_the_object_alone),
        cmocka_unit_test(letters_become_the_published_numbers_of_lines),
        cmocka_unit_test(moves_are_reflections),
        cmocka_unit_test(words_of_lines_come_from_words_of_letters),
        cmocka_unit_test(lines_that_no_letter_has_make_no_word),
        cmocka_unit_test(floats_agree_with_the_definition_bit_for_bit),
        cmocka_unit_test(longer_chunks_agree_as_well),
        cmocka_unit_test(a_chunk_of_one_is_h_minus_k_v),
        cmocka_unit_test(beta_comes_from_the_rounded_key),
        cmocka_unit_test(rounding_is_odd),
        cmocka_unit_test(chunks_follow_the_exact_states),
        cmocka_unit_test(a_snapped_chunk_is_exact_for_ever),
        cmocka_unit_test(a_bf16_state_is_stored_as_bf16),
        cmocka_unit_test(the_published_refuting_words_are_wrong),
        cmocka_unit_test(lines_and_starts_that_are_not_there_are_not_found),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
