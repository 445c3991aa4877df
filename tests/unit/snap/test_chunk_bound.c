/* The bound of a chunk's error: sound, part by part, and not vacuous. */
#include "chunk_fixture.h"

typedef struct {
    const char *system, *construction, *split;
    int64_t grid;
    uint32_t length;
    bool direct, ideal_beta;
} setting;

static const setting settings[] = {
    {"A5", NULL, "pair", 4, 48, false, false},
    {"A5", NULL, "pair", 6, 74, true, false},
    {"A5", NULL, "fp16-T32", 4, 22, false, false},
    {"A5", NULL, "fp16", 4, 6, false, false},
    {"A5", NULL, "all-pair", 4, 36, false, false},
    {"A5", NULL, "k32-pair", 4, 64, false, false},
    {"A5", NULL, "FLA", 4, 2, false, false},
    {"A5", NULL, "pair", 4, 16, false, true},
    {"D3", NULL, "pair", 2, 60, false, false},
    {"D3", NULL, "FLA", 2, 3, false, false},
    {"S4", "cube", "pair", 4, 73, false, false},
    {"S4", "cube", "fp16", 4, 6, true, false},
    {"Z8", NULL, "pair", 3, 58, false, false},
    {"D5", NULL, "k32-pair", 22, 35, false, false},
};
enum { SETTINGS = sizeof settings / sizeof *settings };

static void
open_setting(fixture *f, const setting *x)
{
    ckda_chunk_scheme s = scheme_of(x->split, x->grid, x->length);
    s.direct = x->direct;
    s.beta_rule = x->ideal_beta ? CKDA_BETA_IDEAL : CKDA_BETA_FROM_KEY;
    open_scheme(f, x->system, x->construction, &s);
}

static double
sum(const ckda_chunk_terms *t)
{
    return t->drift + t->cast + t->solve + t->inverse + t->sum + t->w + t->dot + t->v
           + t->update;
}

static void
the_parts_of_an_error_add_up_to_it(void **state)
{
    (void)state;
    ckda_rand r;
    ckda_rand_init(&r, 1);
    for (int i = 0; i < SETTINGS; i++) {
        fixture f;
        open_setting(&f, &settings[i]);
        for (int trial = 0; trial < 5; trial++) {
            uint32_t word[80];
            ckda_chunk_terms parts[8];
            double total[8];
            random_word(word, settings[i].length, f.k->nlines, &r);
            const uint32_t s = (uint32_t)ckda_rand_below(&r, f.k->nstarts);
            ckda_chunk_measure(parts, total, word, settings[i].length, s, f.k);
            for (slong a = 0; a < f.k->n; a++)
                assert_true(fabs(sum(&parts[a]) - total[a])
                            < 1e-13 * (1 + f.k->largest_norm));
        }
        close_fixture(&f);
    }
}

/* ---- soundness --------------------------------------------------------------------- */

#define BELOW(PART) assert_true(fabs(parts->PART) <= bound->terms.PART + slack)

/* slack: what long double loses in the measurement. */
static void
check_parts(const ckda_chunk_terms *parts, double total, const ckda_chunk_bound *bound)
{
    const double slack = 1e-14;
    BELOW(drift);
    BELOW(cast);
    BELOW(solve);
    BELOW(inverse);
    BELOW(sum);
    BELOW(w);
    BELOW(dot);
    BELOW(v);
    BELOW(update);
    assert_true(fabs(total) <= bound->delta + slack);
    assert_true(bound->terms.drift >= bound->first_order);
    assert_true(sum(&bound->terms) <= bound->delta);
}

static void
check_word(const uint32_t *word, uint32_t count, const ckda_chunk_bound *bounds,
           const fixture *f, ckda_rand *r, int starts)
{
    for (int i = 0; i < starts; i++) {
        ckda_chunk_terms parts[8];
        double total[8];
        const uint32_t s = (uint32_t)ckda_rand_below(r, f->k->nstarts);
        ckda_chunk_measure(parts, total, word, count, s, f->k);
        for (slong a = 0; a < f->k->n; a++)
            check_parts(&parts[a], total[a], &bounds[count - 1]);
    }
}

static void
every_part_stays_below_its_bound_on_random_words(void **state)
{
    (void)state;
    ckda_rand r;
    ckda_rand_init(&r, 2);
    for (int i = 0; i < SETTINGS; i++) {
        fixture f;
        ckda_chunk_bound b[80];
        open_setting(&f, &settings[i]);
        ckda_chunk_bounds(b, settings[i].length, f.k);
        assert_true(isfinite(b[settings[i].length - 1].delta));
        for (int trial = 0; trial < 20; trial++) {
            uint32_t word[80];
            const uint32_t count = 1 + (uint32_t)ckda_rand_below(&r, settings[i].length);
            random_word(word, count, f.k->nlines, &r);
            check_word(word, count, b, &f, &r, 4);
        }
        close_fixture(&f);
    }
}

/* Two lines in turn, one line for ever: the words on which errors pile up. */
static void
every_part_stays_below_its_bound_on_repetitive_words(void **state)
{
    (void)state;
    ckda_rand r;
    ckda_rand_init(&r, 3);
    for (int i = 0; i < SETTINGS; i++) {
        fixture f;
        ckda_chunk_bound b[80];
        const uint32_t C = settings[i].length;
        open_setting(&f, &settings[i]);
        ckda_chunk_bounds(b, C, f.k);
        for (int trial = 0; trial < 24; trial++) {
            uint32_t word[80], pattern[4];
            const uint32_t period = 1 + (uint32_t)trial % 4;
            random_word(pattern, period, f.k->nlines, &r);
            for (uint32_t j = 0; j < C; j++)
                word[j] = pattern[j % period];
            check_word(word, C, b, &f, &r, 4);
        }
        close_fixture(&f);
    }
}

static void
every_part_stays_below_its_bound_on_the_worst_words_found(void **state)
{
    (void)state;
    ckda_rand r;
    ckda_rand_init(&r, 4);
    for (int i = 0; i < SETTINGS; i += 2) {
        fixture f;
        ckda_chunk_bound b[80];
        ckda_chunk_witness w;
        const uint32_t C = settings[i].length > 24 ? 24 : settings[i].length;
        open_setting(&f, &settings[i]);
        ckda_chunk_bounds(b, C, f.k);
        const double error = ckda_chunk_beam(&w, C, 8, 0, 0, f.k);
        assert_true(error >= 0 && error <= 0.5 - f.k->sigma + b[C - 1].delta);
        for (uint32_t s = 0; s < f.k->nstarts; s++)
            check_word(w.lines, w.count, b, &f, &r, 1);
        ckda_chunk_witness_clear(&w);
        close_fixture(&f);
    }
}

/* ---- the drift of the keys --------------------------------------------------------- */

/* The first-order term of one word, start v and entry a, straight from its definition. */
static double
first_order(const uint32_t *word, uint32_t count, const double *start, slong entry,
            const fixture *f)
{
    const ckda_chunk_struct *k = f->k;
    const slong n = k->n;
    double total = 0, v[8];
    memcpy(v, start, (size_t)n * sizeof *v);
    for (uint32_t j = 0; j < count; j++) {
        double x[8] = {0}; /* e_a^T R_C ... R_{j+1} */
        x[entry] = 1;
        for (uint32_t i = count; i-- > j + 1;) {
            const double *key = k->key + word[i] * n;
            double dot = 0;
            for (slong a = 0; a < n; a++)
                dot += key[a] * x[a];
            for (slong a = 0; a < n; a++)
                x[a] -= 2 * dot * key[a];
        }
        const double *E = k->deviation + word[j] * n * n;
        for (slong a = 0; a < n; a++)
            for (slong b = 0; b < n; b++)
                total += x[a] * E[a * n + b] * v[b];
        const double *key = k->key + word[j] * n;
        double dot = 0;
        for (slong a = 0; a < n; a++)
            dot += key[a] * v[a];
        for (slong a = 0; a < n; a++)
            v[a] -= 2 * dot * key[a];
    }
    return (double)k->scheme.grid * total;
}

/* All words of `count` lines. */
static double
brute_force(uint32_t count, const fixture *f)
{
    const ckda_chunk_struct *k = f->k;
    uint32_t word[8] = {0};
    double most = 0;
    for (;;) {
        for (uint32_t s = 0; s < k->nstarts; s++)
            for (slong a = 0; a < k->n; a++)
                most = fmax(most,
                            fabs(first_order(word, count, k->vector + s * k->n, a, f)));
        uint32_t i = 0;
        while (i < count && ++word[i] == k->nlines)
            word[i++] = 0;
        if (i == count)
            return most;
    }
}

static void
the_drift_is_the_maximum_over_all_words(void **state)
{
    (void)state;
    static const struct {
        const char *system, *construction;
        int64_t grid;
        uint32_t count;
    } rows[] = {{"D3", NULL, 2, 6},
                {"D5", NULL, 22, 4},
                {"S4", "cube", 4, 3},
                {"Z8", NULL, 3, 4}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fixture f;
        ckda_chunk_bound b[8];
        open_fixture(&f, rows[i].system, rows[i].construction, "pair", rows[i].grid, 8);
        ckda_chunk_bounds(b, 8, f.k);
        for (uint32_t c = 1; c <= rows[i].count; c++) {
            const double most = brute_force(c, &f);
            assert_true(most > 0);
            assert_true(most <= b[c - 1].first_order);
            assert_true(b[c - 1].first_order <= most + 1e-9);
        }
        close_fixture(&f);
    }
}

static void
the_drift_bound_is_nearly_reached(void **state)
{
    (void)state;
    fixture f;
    ckda_chunk_bound b[6];
    open_fixture(&f, "D3", NULL, "pair", 2, 6);
    ckda_chunk_bounds(b, 6, f.k);
    double most = 0;
    uint32_t word[6];
    for (uint32_t code = 0; code < 729; code++) {
        for (uint32_t i = 0, rest = code; i < 6; i++, rest /= 3)
            word[i] = rest % 3;
        for (uint32_t s = 0; s < f.k->nstarts; s++) {
            ckda_chunk_terms parts[2];
            ckda_chunk_measure(parts, NULL, word, 6, s, f.k);
            most = fmax(most, fmax(fabs(parts[0].drift), fabs(parts[1].drift)));
        }
    }
    assert_true(most <= b[5].terms.drift);
    assert_true(most >= 0.7 * b[5].terms.drift);
    close_fixture(&f);
}

/* ---- what it proves ---------------------------------------------------------------- */

static void
the_bound_proves_at_least_the_published_lengths(void **state)
{
    (void)state;
    static const struct {
        const char *system, *construction, *split;
        int64_t grid;
        bool direct;
        uint32_t published, ours;
    } rows[] = {{"A5", NULL, "pair", 4, false, 46, 48},
                {"A5", NULL, "pair", 4, true, 62, 65},
                {"A5", NULL, "pair", 6, false, 50, 52},
                {"A5", NULL, "pair", 6, true, 70, 74},
                {"A5", NULL, "fp16-T32", 4, false, 22, 22},
                {"A5", NULL, "fp16-T32", 6, false, 27, 28},
                {"A5", NULL, "k32-pair", 4, false, 67, 70},
                {"A5", NULL, "all-pair", 4, false, 35, 36},
                {"A5", NULL, "fp16", 4, false, 6, 6},
                {"D3", NULL, "pair", 2, false, 59, 60},
                {"D3", NULL, "fp16-T32", 2, false, 46, 47},
                {"S4", "cube", "pair", 4, false, 70, 73},
                {"Z8", NULL, "pair", 3, false, 58, 60},
                {"D5", NULL, "k32-pair", 22, false, 35, 37}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fixture f;
        ckda_chunk_bound b[80];
        ckda_chunk_scheme s = scheme_of(rows[i].split, rows[i].grid, 64);
        s.direct = rows[i].direct;
        open_scheme(&f, rows[i].system, rows[i].construction, &s);
        ckda_chunk_bounds(b, 80, f.k);
        uint32_t proved = 0;
        while (b[proved].delta < f.k->sigma)
            proved++;
        assert_int_equal(proved, rows[i].ours);
        assert_true(proved >= rows[i].published);
        for (uint32_t c = 1; c < 80; c++)
            assert_true(b[c].delta >= b[c - 1].delta);
        close_fixture(&f);
    }
}

static void
sigma_and_norms_are_the_published_ones(void **state)
{
    (void)state;
    static const struct {
        const char *system, *construction;
        int64_t grid;
        double sigma, norm;
    } rows[] = {
        {"A5", NULL, 4, 0.190983, 4},         {"A5", NULL, 6, 0.309017, 6.164414},
        {"D3", NULL, 2, 0.232051, 2.236068},  {"S4", "cube", 4, 0.257359, 4.242641},
        {"Z8", NULL, 3, 0.328427, 3},         {"A4", "quaternion", 2, 0.5, 2},
        {"D5", NULL, 22, 0.180371, 22.203603}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fixture f;
        open_fixture(&f, rows[i].system, rows[i].construction, "pair", rows[i].grid, 4);
        assert_true(fabs(f.k->sigma - rows[i].sigma) < 2e-6);
        assert_true(fabs(f.k->largest_norm - rows[i].norm) < 2e-6);
        assert_true(f.k->sigma <= 0.5);
        close_fixture(&f);
    }
}

static void
a_grid_of_ties_has_no_slack(void **state)
{
    (void)state;
    fixture f;
    open_fixture(&f, "A5", NULL, "pair", 3, 4); /* 3/2 is an entry */
    assert_true(f.k->sigma <= 0);
    close_fixture(&f);
}

static void
directions_have_no_bound(void **state)
{
    (void)state;
    fixture f;
    ckda_chunk_bound b[4];
    ckda_chunk_scheme s = scheme_of("FLA", 2, 4);
    s.key = CKDA_KEY_DIRECTION;
    open_scheme(&f, "S4", "quaternion", &s);
    ckda_chunk_bounds(b, 4, f.k);
    for (int i = 0; i < 4; i++)
        assert_true(isinf(b[i].delta));
    close_fixture(&f);
}

/* ---- no rounding at all ------------------------------------------------------------ */

static bool
is_exact(const char *system, const char *construction, const char *split, int64_t grid,
         ckda_arith_key key, bool direct)
{
    fixture f;
    ckda_chunk_scheme s = scheme_of(split, grid, 64);
    s.key = key;
    s.direct = direct;
    open_scheme(&f, system, construction, &s);
    const bool exact = ckda_chunk_is_exact(f.k);
    close_fixture(&f);
    return exact;
}

static void
lattice_keys_are_exact(void **state)
{
    (void)state;
    assert_true(is_exact("A4", "quaternion", "FLA", 2, CKDA_KEY_UNIT, false));
    assert_true(is_exact("A4", "quaternion", "FLA", 2, CKDA_KEY_UNIT, true));
    assert_true(is_exact("A4", "quaternion", "FLA", 2, CKDA_KEY_DIRECTION, false));
    assert_true(is_exact("S4", "quaternion", "FLA", 2, CKDA_KEY_DIRECTION, false));
    assert_true(is_exact("S5", NULL, "FLA", 1, CKDA_KEY_DIRECTION, false));
    assert_true(is_exact("D3", "dyadic", "FLA", 2, CKDA_KEY_UNIT, false));
}

static void
irrational_or_too_fine_is_not_exact(void **state)
{
    (void)state;
    assert_false(is_exact("A5", NULL, "all-pair", 4, CKDA_KEY_UNIT, false));
    assert_false(is_exact("S4", "quaternion", "FLA", 2, CKDA_KEY_UNIT, false));
    assert_false(is_exact("S5", NULL, "FLA", 1, CKDA_KEY_UNIT, false));
    fixture f;
    ckda_chunk_scheme s = scheme_of("FLA", 2, 64);
    s.split.v = 2; /* v goes up to 4 in steps of 1/2 */
    open_scheme(&f, "A4", "quaternion", &s);
    assert_false(ckda_chunk_is_exact(f.k));
    close_fixture(&f);
}

/* What is called exact has errors that are 0, on random words. */
static void
exact_chunks_have_no_error(void **state)
{
    (void)state;
    static const char *const systems[] = {"A4", "S4"};
    ckda_rand r;
    ckda_rand_init(&r, 7);
    for (int i = 0; i < 2; i++) {
        fixture f;
        ckda_chunk_scheme s = scheme_of("FLA", 2, 64);
        s.key = CKDA_KEY_DIRECTION;
        open_scheme(&f, systems[i], "quaternion", &s);
        for (int trial = 0; trial < 50; trial++) {
            uint32_t word[64];
            ckda_chunk_terms parts[4];
            double total[4];
            random_word(word, 64, f.k->nlines, &r);
            const uint32_t start = (uint32_t)ckda_rand_below(&r, f.k->nstarts);
            ckda_chunk_measure(parts, total, word, 64, start, f.k);
            for (int a = 0; a < 4; a++)
                assert_true(fabs(total[a]) < 1e-12);
        }
        close_fixture(&f);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_parts_of_an_error_add_up_to_it),
        cmocka_unit_test(every_part_stays_below_its_bound_on_random_words),
        cmocka_unit_test(every_part_stays_below_its_bound_on_repetitive_words),
        cmocka_unit_test(every_part_stays_below_its_bound_on_the_worst_words_found),
        cmocka_unit_test(the_drift_is_the_maximum_over_all_words),
        cmocka_unit_test(the_drift_bound_is_nearly_reached),
        cmocka_unit_test(the_bound_proves_at_least_the_published_lengths),
        cmocka_unit_test(sigma_and_norms_are_the_published_ones),
        cmocka_unit_test(a_grid_of_ties_has_no_slack),
        cmocka_unit_test(directions_have_no_bound),
        cmocka_unit_test(lattice_keys_are_exact),
        cmocka_unit_test(irrational_or_too_fine_is_not_exact),
        cmocka_unit_test(exact_chunks_have_no_error),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
