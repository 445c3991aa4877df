/* The host's side of the word kernels: against the definition, and against plain loops. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "letters.h"
#include "row.h"
#include "twin.h"

static void
parse(gpu_row *row, const char *text)
{
    ckda_error err;
    ckda_error_clear(&err);
    if (gpu_row_parse(row, text, NULL, NULL, &err) != CKDA_OK)
        fail_msg("%s: %s", text, err.text);
}

static void
open_row(gpu_system *s, const char *text)
{
    gpu_row row;
    ckda_error err;
    ckda_error_clear(&err);
    parse(&row, text);
    if (gpu_system_open(s, &row, &err) != CKDA_OK)
        fail_msg("%s: %s", text, err.text);
    gpu_row_clear(&row);
}

enum { WORDS = 6, MOST = WORDS * 25 };

/* Room for every array, with numbers in it that no result has. */
typedef struct {
    double final_state[MOST];
    uint32_t final_exact[WORDS];
    uint64_t prefix_hash[WORDS], first_wrong[WORDS];
    float drift[3 * WORDS], worst[WORDS];
    ckda_gpu_words_result r;
} results;

static void
set_up(results *x)
{
    memset(x, 0x5a, sizeof *x);
    x->r = (ckda_gpu_words_result){.final_state = x->final_state,
                                   .final_exact = x->final_exact,
                                   .prefix_hash = x->prefix_hash,
                                   .drift = x->drift,
                                   .first_wrong = x->first_wrong,
                                   .worst = x->worst};
}

static void
run(results *x, const ckda_tracker_t t, const ckda_rounded_t R, const ckda_gpu_words *w,
    bool definition, int threads)
{
    const ckda_gpu_twin_options o = {.definition = definition, .threads = threads};
    set_up(x);
    ckda_gpu_twin_words(&x->r, w, t, R, &o);
}

/* ---- against the definition ------------------------------------------------------------------- */

static void
compare_with_definition(const char *system, const ckda_tracker_t t)
{
    for (size_t i = 0; gpu_suite_arithmetics[i] != NULL; i++) {
        char text[256];
        gpu_row row;
        ckda_rounded_t R;
        results fast, slow;
        ckda_gpu_differences d;
        const ckda_gpu_words w = {
            .seed = i, .sequences = 2, .steps = 30, .hash = true, .check_every = 1};
        snprintf(text, sizeof text, "%s:%s", system, gpu_suite_arithmetics[i]);
        parse(&row, text);
        assert_int_equal(ckda_rounded_init(R, t, &row.arith, NULL), CKDA_OK);
        run(&fast, t, R, &w, false, 1);
        run(&slow, t, R, &w, true, 1);
        ckda_gpu_compare(&d, &fast.r, &slow.r, w.sequences, (int)t->n);
        if (d.first != UINT64_MAX)
            fail_msg("%s differs from the definition", text);
        ckda_rounded_clear(R);
        gpu_row_clear(&row);
    }
}

static void
every_row_of_the_suite_follows_the_definition(void **state)
{
    (void)state;
    for (size_t i = 0; gpu_suite_systems[i] != NULL; i++) {
        gpu_row row;
        ckda_tracker_t t;
        ckda_error err;
        ckda_error_clear(&err);
        parse(&row, gpu_suite_systems[i]);
        if (ckda_tracker_init(t, row.system, row.construction, NULL, &err) != CKDA_OK)
            fail_msg("%s: %s", gpu_suite_systems[i], err.text);
        compare_with_definition(gpu_suite_systems[i], t);
        ckda_tracker_clear(t);
        gpu_row_clear(&row);
    }
}

/* ---- against plain loops ------------------------------------------------------------------------- */

static uint32_t
letter_at(uint64_t seed, uint64_t word, uint64_t step, uint32_t letters)
{
    const uint64_t key = ckda_gpu_word_key(seed, word);
    return ckda_gpu_letter(ckda_gpu_letter_bits(key, step / 4), (int)(step % 4), letters);
}

static void
exact_states_are_products_in_the_group(void **state)
{
    (void)state;
    gpu_system s;
    results x;
    const ckda_gpu_words w = {.seed = 3, .sequences = WORDS, .steps = 1000};
    open_row(&s, "A5/quaternion");
    run(&x, s.tracker, s.rounded, &w, false, 0);
    for (uint64_t word = 0; word < WORDS; word++) {
        const uint32_t *of = s.tracker->element_of_letter;
        uint32_t product = of[letter_at(3, word, 0, 60)];
        for (uint64_t t = 1; t < w.steps; t++)
            product =
                ckda_group_mul(s.tracker->c->G, of[letter_at(3, word, t, 60)], product);
        assert_int_equal(s.tracker->element[x.final_exact[word]], product);
    }
    gpu_system_close(&s);
}

/* Drift, hash and first wrong decode of one word by the shortest possible loop. */
static void
check_word(const results *x, uint64_t word, const gpu_system *s, const ckda_gpu_words *w)
{
    const slong n = s->tracker->n;
    double H[25];
    uint32_t exact = 0, decoded, checkpoint = 0;
    uint64_t hash = CKDA_GPU_HASH_START, first = 0;
    float worst = 0;
    ckda_rounded_initial(H, s->rounded);
    for (uint64_t t = 1; t <= w->steps; t++) {
        const uint32_t l = letter_at(w->seed, word, t - 1, s->tracker->nletters);
        ckda_rounded_step(H, n, l, s->rounded);
        exact = s->tracker->next[exact * s->tracker->nletters + l];
        double sum = 0;
        for (slong i = 0; i < n * n; i++) {
            const float f = (float)H[i];
            uint32_t bits;
            memcpy(&bits, &f, sizeof bits);
            hash = ckda_gpu_hash(hash, H[i] == 0 ? 0 : bits);
            const double value = s->tracker->value[(slong)exact * n * n + i];
            sum += pow(H[i] - s->rounded->scale * value, 2);
        }
        const float drift = (float)(sqrt(sum) / s->rounded->scale);
        worst = drift > worst ? drift : worst;
        const bool right = ckda_tracker_decode(&decoded, H, s->tracker) == CKDA_TRUE
                           && decoded == s->tracker->element[exact];
        if (!right && first == 0)
            first = t;
        if (checkpoint < w->ncheckpoints && w->checkpoint[checkpoint] == t)
            assert_true(fabsf(x->drift[checkpoint++ * w->sequences + word] - drift)
                        < 1e-6f);
    }
    assert_true(x->prefix_hash[word] == hash);
    assert_true(x->first_wrong[word] == first);
    assert_true(fabsf(x->worst[word] - worst) < 1e-6f);
    for (slong i = 0; i < n * n; i++)
        assert_true(x->final_state[(slong)word * n * n + i] == H[i]);
}

static void
results_are_those_of_a_plain_loop(void **state)
{
    (void)state;
    static const char *const rows[] = {"Z5:grid=5,keys=bf16", "Z5:grid=3", "Z3:fma=off",
                                       "S5:recurrent-bf16-state", "D5:state=fp16"};
    static const uint64_t at[] = {1, 7, 300};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gpu_system s;
        results x;
        const ckda_gpu_words w = {.seed = 11,
                                  .sequences = WORDS,
                                  .steps = 300,
                                  .hash = true,
                                  .check_every = 1,
                                  .ncheckpoints = 3,
                                  .checkpoint = at};
        open_row(&s, rows[i]);
        run(&x, s.tracker, s.rounded, &w, false, 0);
        for (uint64_t word = 0; word < WORDS; word++)
            check_word(&x, word, &s, &w);
        gpu_system_close(&s);
    }
}

static void
a_grid_that_is_too_coarse_is_seen_to_fail(void **state)
{
    (void)state;
    gpu_system s;
    results x;
    const ckda_gpu_words w = {
        .seed = 1, .sequences = WORDS, .steps = 2000, .check_every = 1};
    open_row(&s, "Z5:grid=3");
    run(&x, s.tracker, s.rounded, &w, false, 0);
    for (int i = 0; i < WORDS; i++)
        assert_true(x.first_wrong[i]
                    >= 4); /* the shortest word that fails has 4 letters */
    gpu_system_close(&s);
}

static void
a_proved_grid_never_fails(void **state)
{
    (void)state;
    gpu_system s;
    results x;
    const ckda_gpu_words w = {
        .seed = 1, .sequences = WORDS, .steps = 5000, .check_every = 1};
    open_row(&s, "A5/quaternion:grid=16,keys=bf16");
    run(&x, s.tracker, s.rounded, &w, false, 0);
    for (int i = 0; i < WORDS; i++) {
        assert_true(x.first_wrong[i] == 0);
        assert_true(x.worst[i] < 0.2f);
    }
    gpu_system_close(&s);
}

static void
tests_happen_at_multiples_checkpoints_and_the_end_only(void **state)
{
    (void)state;
    static const uint64_t at[] = {10, 33};
    gpu_system s;
    results x;
    open_row(&s, "Z5:grid=3");
    const ckda_gpu_words w = {.seed = 1,
                              .sequences = WORDS,
                              .steps = 100,
                              .check_every = 16,
                              .ncheckpoints = 2,
                              .checkpoint = at};
    run(&x, s.tracker, s.rounded, &w, false, 0);
    for (int i = 0; i < WORDS; i++) {
        const uint64_t t = x.first_wrong[i];
        assert_true(t == 0 || t == 10 || t == 33 || t == 100 || t % 16 == 0);
    }
    gpu_system_close(&s);
}

static void
the_number_of_threads_changes_nothing(void **state)
{
    (void)state;
    static const uint64_t at[] = {64, 128, 200};
    gpu_system s;
    results one, many;
    const ckda_gpu_words w = {.seed = 5,
                              .sequences = WORDS,
                              .steps = 200,
                              .hash = true,
                              .check_every = 16,
                              .ncheckpoints = 3,
                              .checkpoint = at};
    open_row(&s, "A4/quaternion:recurrent-fp32");
    run(&one, s.tracker, s.rounded, &w, false, 1);
    run(&many, s.tracker, s.rounded, &w, false, 4);
    ckda_gpu_differences d;
    ckda_gpu_compare(&d, &one.r, &many.r, WORDS, 4);
    assert_true(d.first == UINT64_MAX);
    assert_memory_equal(one.drift, many.drift, sizeof one.drift);
    gpu_system_close(&s);
}

static void
arrays_that_are_not_wanted_are_left_out(void **state)
{
    (void)state;
    gpu_system s;
    ckda_gpu_words_result r = {.final_exact = NULL};
    const ckda_gpu_words w = {
        .seed = 5, .sequences = 2, .steps = 20, .hash = true, .check_every = 4};
    const ckda_gpu_twin_options o = {.threads = 1};
    open_row(&s, "Z3");
    ckda_gpu_twin_words(&r, &w, s.tracker, s.rounded, &o);
    assert_true(r.seconds >= 0);
    gpu_system_close(&s);
}

/* ---- comparison ------------------------------------------------------------------------------------ */

static void
every_kind_of_difference_is_counted(void **state)
{
    (void)state;
    results x, y;
    ckda_gpu_differences d;
    set_up(&x);
    set_up(&y);
    ckda_gpu_compare(&d, &x.r, &y.r, WORDS, 5);
    assert_true(d.first == UINT64_MAX);
    y.final_state[3 * 25 + 7] = nextafter(x.final_state[3 * 25 + 7], INFINITY);
    y.final_exact[4]++;
    y.prefix_hash[2]++;
    y.prefix_hash[5]++;
    y.first_wrong[5]++;
    ckda_gpu_compare(&d, &x.r, &y.r, WORDS, 5);
    assert_true(d.final_state == 1 && d.final_exact == 1 && d.prefix_hash == 2
                && d.first_wrong == 1 && d.first == 2);
}

static void
nan_equals_nan_and_zeros_differ_by_sign(void **state)
{
    (void)state;
    results x, y;
    ckda_gpu_differences d;
    set_up(&x);
    set_up(&y);
    x.final_state[0] = NAN;
    y.final_state[0] = -NAN;
    ckda_gpu_compare(&d, &x.r, &y.r, WORDS, 2);
    assert_true(d.final_state == 0);
    x.final_state[5] = 0.0;
    y.final_state[5] = -0.0;
    ckda_gpu_compare(&d, &x.r, &y.r, WORDS, 2);
    assert_true(d.final_state == 1 && d.first == 1);
}

static int
clean(void **state)
{
    (void)state;
    flint_cleanup();
    return 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_the_suite_follows_the_definition),
        cmocka_unit_test(exact_states_are_products_in_the_group),
        cmocka_unit_test(results_are_those_of_a_plain_loop),
        cmocka_unit_test(a_grid_that_is_too_coarse_is_seen_to_fail),
        cmocka_unit_test(a_proved_grid_never_fails),
        cmocka_unit_test(tests_happen_at_multiples_checkpoints_and_the_end_only),
        cmocka_unit_test(the_number_of_threads_changes_nothing),
        cmocka_unit_test(arrays_that_are_not_wanted_are_left_out),
        cmocka_unit_test(every_kind_of_difference_is_counted),
        cmocka_unit_test(nan_equals_nan_and_zeros_differ_by_sign),
    };
    return cmocka_run_group_tests(tests, NULL, clean);
}
