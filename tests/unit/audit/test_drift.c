/* Drift on words: known figures, determinism, refusals. */
#include "drift_fixture.h"

/* ---- known figures ---------------------------------------------------------------------- */

static void
a_bf16_state_with_fp32_keys_stays_within_its_five_states(void **state)
{
    (void)state;
    const uint64_t at[] = {1, 100, 3000};
    const ckda_drift_options o = {
        .seed = 3, .words = 20, .length = 3000, .at = at, .nat = 3};
    const ckda_arith a = fp32_keys_in(&ckda_fp_bf16);
    ckda_drift_result_t r;
    kernel k;
    kernel_open(&k, "Z3", NULL, &a);
    run(r, &k, &o);
    assert_int_equal(r->failed, 0);
    assert_true(r->first_min == CKDA_DRIFT_NEVER && r->first_median == CKDA_DRIFT_NEVER);
    assert_near(r->worst, .001643, 5e-7); /* the proof's largest error */
    for (size_t i = 0; i < 3; i++)
        assert_true(r->row[i].max <= r->worst);
    assert_near(r->row[2].norm_median, 1, .002);
    assert_int_equal(r->tokens, 60000);
    ckda_drift_clear(r);
    kernel_close(&k);
}

static void
repeated_rotation_in_bf16_fails_at_864(void **state)
{
    (void)state;
    const ckda_arith a = arith(&ckda_fp_bf16, &ckda_fp_bf16, &ckda_fp_fp32, true);
    ckda_drift_result_t r;
    kernel k;
    kernel_open(&k, "Z3", NULL, &a);
    const uint32_t word = letter(&k, "r");
    const uint64_t at = 1000;
    const ckda_drift_options o = {.words = 1,
                                  .length = 1000,
                                  .word = &word,
                                  .word_length = 1,
                                  .at = &at,
                                  .nat = 1,
                                  .cause_length = 1000};
    run(r, &k, &o);
    assert_int_equal(r->failed, 1);
    assert_int_equal(r->first_min, 864);
    assert_int_equal(r->first.letter, word);
    assert_int_equal(r->first.expected, k.t->element[r->first.state]);
    assert_int_not_equal(r->first.expected, r->first.decoded);
    assert_true(r->first.direction >= r->margin / 2);
    assert_true(r->has_cause);
    assert_int_equal(r->cause.largest, CKDA_DRIFT_KEY_DIRECTION);
    assert_near(r->cause.norm, r->first.norm, .1 * r->first.norm);
    ckda_drift_clear(r);
    kernel_close(&k);
}

static void
norm_law_is_what_random_words_show(void **state)
{
    (void)state;
    static const struct {
        const char *system;
        double rate;
    } cases[] = {{"Z3", .00134}, {"Z5", -.00264}};
    const ckda_arith a = arith(&ckda_fp_bf16, &ckda_fp_bf16, &ckda_fp_fp32, true);
    const uint64_t at = 20000;
    const ckda_drift_options o = {
        .seed = 1, .words = 8, .length = 20000, .at = &at, .nat = 1};
    for (size_t i = 0; i < 2; i++) {
        ckda_drift_result_t r;
        kernel k;
        kernel_open(&k, cases[i].system, NULL, &a);
        run(r, &k, &o);
        assert_near(r->norm_rate, cases[i].rate, 1e-5);
        assert_near(r->measured_norm_rate, cases[i].rate, 6e-5);
        ckda_drift_clear(r);
        kernel_close(&k);
    }
}

static void
a_grid_keeps_a5_within_its_proved_error(void **state)
{
    (void)state;
    ckda_arith a;
    ckda_drift_result_t r;
    kernel k;
    const uint64_t at = 20000;
    const ckda_drift_options o = {
        .seed = 1, .words = 1, .length = 20000, .at = &at, .nat = 1};
    assert_int_equal(ckda_arith_preset(&a, "grid", NULL), CKDA_OK);
    kernel_open(&k, "A5", NULL, &a);
    run(r, &k, &o);
    assert_int_equal(r->failed, 0);
    assert_near(r->worst * r->scale, .1576, 5e-5);
    assert_near(r->scale, 16, 0);
    ckda_drift_clear(r);
    kernel_close(&k);
}

static void
dyadic_keys_never_drift(void **state)
{
    (void)state;
    const ckda_arith a = arith(&ckda_fp_bf16, &ckda_fp_bf16, &ckda_fp_fp32, true);
    const uint64_t at[] = {10, 500};
    const ckda_drift_options o = {.words = 4,
                                  .length = 500,
                                  .at = at,
                                  .nat = 2,
                                  .split_words = 2,
                                  .split_length = 500};
    ckda_drift_result_t r;
    kernel k;
    kernel_open(&k, "S3", "dyadic", &a);
    run(r, &k, &o);
    assert_true(r->worst == 0 && r->norm_rate == 0 && r->measured_norm_rate == 0);
    assert_true(r->guaranteed_steps > 0);
    assert_int_equal(r->nsplits, 4);
    for (size_t i = 0; i < r->nsplits; i++) {
        assert_true(r->split[i].parameters == 0 && r->split[i].arithmetic == 0);
        assert_int_equal(r->split[i].largest, CKDA_DRIFT_NOTHING);
        assert_near(r->split[i].norm, 1, 1e-15);
    }
    ckda_drift_clear(r);
    kernel_close(&k);
}

static void
a_state_that_leaves_the_format_is_a_wrong_decode(void **state)
{
    (void)state;
    /* these keys are too long: |H| grows by 1.35e-3 a token */
    ckda_arith a = arith(&ckda_fp_bf16, &ckda_fp_bf16, &ckda_fp_fp32, true);
    a.initial = (ckda_ratio){INT64_C(1) << 62, 1};
    const uint64_t at[] = {10, 60000};
    const ckda_drift_options o = {.words = 2, .length = 60000, .at = at, .nat = 2};
    ckda_drift_result_t r;
    kernel k;
    kernel_open(&k, "Z3", NULL, &a);
    run(r, &k, &o);
    assert_int_equal(r->nonfinite, 2);
    assert_true(r->failed == 2 && r->first_nonfinite >= r->first_min);
    assert_int_equal(r->row[1].nonfinite, 2);
    assert_true(isinf(r->row[1].median) && isfinite(r->row[0].max));
    /* ln(3.4e38 / 2^62) / .00135 = 33.7 thousand */
    assert_true(r->first_nonfinite > 30000 && r->first_nonfinite < 36000);
    ckda_drift_clear(r);
    kernel_close(&k);
}

/* ---- what does not depend on what --------------------------------------------------------- */

static ckda_drift_progress told;
static unsigned times;

static void
note_progress(const ckda_drift_progress *p, void *data)
{
    assert_ptr_equal(data, &told);
    assert_true(p->tokens >= told.tokens && p->tokens <= p->all);
    assert_true(p->seconds >= told.seconds && (p->parts || !told.parts));
    assert_int_equal(p->all, 6000000);
    told = *p;
    times++;
}

static void
progress_is_told_while_words_run(void **state)
{
    (void)state;
    const uint64_t at = 200000;
    const ckda_drift_options o = {.seed = 1,
                                  .words = 30,
                                  .length = 200000,
                                  .at = &at,
                                  .nat = 1,
                                  .threads = 1,
                                  .progress = note_progress,
                                  .data = &told};
    const ckda_arith a = fp32_keys_in(&ckda_fp_bf16);
    ckda_drift_result_t r;
    kernel k;
    kernel_open(&k, "Z3", NULL, &a);
    told = (ckda_drift_progress){0};
    times = 0;
    run(r, &k, &o);
    assert_true(times > 0 && times <= 1 + r->seconds / 0.1);
    ckda_drift_clear(r);
    kernel_close(&k);
}

static void
threads_change_nothing(void **state)
{
    (void)state;
    const uint64_t at[] = {10, 100, 700};
    ckda_drift_options o = {
        .seed = 9, .words = 13, .length = 700, .at = at, .nat = 3, .threads = 1};
    const ckda_arith a = arith(&ckda_fp_bf16, &ckda_fp_bf16, &ckda_fp_fp32, true);
    ckda_drift_result_t one, many;
    kernel k;
    kernel_open(&k, "Z5", NULL, &a);
    run(one, &k, &o);
    o.threads = 3;
    run(many, &k, &o);
    assert_memory_equal(one->row, many->row, sizeof one->row);
    assert_memory_equal(&one->first, &many->first, sizeof one->first);
    assert_true(one->worst == many->worst && one->worst_t == many->worst_t
                && one->worst_word == many->worst_word
                && one->measured_norm_rate == many->measured_norm_rate
                && one->failed == many->failed && one->first_min == many->first_min);
    ckda_drift_clear(one);
    ckda_drift_clear(many);
    kernel_close(&k);
}

static void
random_words_are_prefixes_of_one_another_and_differ_by_seed(void **state)
{
    (void)state;
    uint32_t a[64], b[200];
    ckda_drift_random_word(a, 64, 5, 7, 60);
    ckda_drift_random_word(b, 200, 5, 7, 60);
    assert_memory_equal(a, b, sizeof a);
    ckda_drift_random_word(b, 200, 5, 8, 60);
    assert_memory_not_equal(a, b, sizeof a);
    ckda_drift_random_word(b, 200, 6, 7, 60);
    assert_memory_not_equal(a, b, sizeof a);
    for (size_t i = 0; i < 200; i++)
        assert_true(b[i] < 60);
}

static void
letters_of_random_words_are_even(void **state)
{
    (void)state;
    uint32_t *w = malloc(60000 * sizeof *w), count[60] = {0};
    assert_non_null(w);
    ckda_drift_random_word(w, 60000, 1, 0, 60);
    for (size_t i = 0; i < 60000; i++)
        count[w[i]]++;
    double chi = 0;
    for (int i = 0; i < 60; i++)
        chi += (count[i] - 1000.) * (count[i] - 1000.) / 1000.;
    assert_true(chi > 30 && chi < 100); /* 59 degrees of freedom */
    free(w);
}

static void
random_word_given_as_letters_is_the_same_run(void **state)
{
    (void)state;
    uint32_t w[300];
    const uint64_t at[] = {30, 300};
    ckda_drift_options o = {.seed = 4,
                            .words = 1,
                            .length = 300,
                            .at = at,
                            .nat = 2,
                            .split_words = 1,
                            .split_length = 300};
    const ckda_arith a = fp32_keys_in(&ckda_fp_bf16);
    ckda_drift_result_t random, given;
    kernel k;
    kernel_open(&k, "Z5", NULL, &a);
    run(random, &k, &o);
    ckda_drift_random_word(w, 300, 4, 0, k.t->nletters);
    o.word = w;
    o.word_length = 300;
    run(given, &k, &o);
    assert_memory_equal(random->row, given->row, sizeof random->row);
    assert_int_equal(random->nsplits, 2);
    assert_memory_equal(random->split, given->split, 2 * sizeof *given->split);
    ckda_drift_clear(random);
    ckda_drift_clear(given);
    kernel_close(&k);
}

static ckda_status
one_by_one(double *H, const uint32_t *letters, uint64_t count, const void *context)
{
    const ckda_rounded_struct *R = context;
    for (uint64_t i = 0; i < count; i++)
        ckda_rounded_step(H, R->n, letters[i], R);
    return CKDA_OK;
}

static void
a_kernel_of_seven_tokens_is_looked_at_every_seven(void **state)
{
    (void)state;
    const uint64_t at[] = {1, 10, 13, 100}, plain_at[] = {7, 14, 100};
    const ckda_arith a = fp32_keys_in(&ckda_fp_fp32);
    kernel k;
    kernel_open(&k, "A5", NULL, &a);
    const ckda_drift_kernel seven = {7, one_by_one, k.R};
    ckda_drift_options o = {
        .words = 3, .length = 100, .at = at, .nat = 4, .kernel = &seven};
    ckda_drift_result_t chunks, plain;
    run(chunks, &k, &o);
    o.kernel = NULL;
    o.at = plain_at;
    o.nat = 3;
    run(plain, &k, &o);
    assert_int_equal(chunks->nrows, 3);
    assert_memory_equal(chunks->row, plain->row, sizeof plain->row);
    assert_int_equal(chunks->guaranteed_steps, 0);
    assert_int_not_equal(plain->guaranteed_steps, 0);
    ckda_drift_clear(chunks);
    ckda_drift_clear(plain);
    kernel_close(&k);
}

static ckda_status
refuses(double *H, const uint32_t *letters, uint64_t count, const void *context)
{
    (void)H, (void)letters, (void)count, (void)context;
    return CKDA_E_DOMAIN;
}

/* ---- chunks ------------------------------------------------------------------------------ */

static void
chunk_parameters_are_compared_reflection_by_reflection(void **state)
{
    (void)state;
    static const char *const systems[] = {"A5", "D5", "S4"};
    for (size_t i = 0; i < 3; i++) {
        ckda_arith a = arith(&ckda_fp_fp32, &ckda_fp_bf16, &ckda_fp_fp32, false);
        ckda_chunk_t c;
        kernel same, ideal, wide;
        kernel_open(&ideal, systems[i], NULL, &a);
        a.beta_rule = CKDA_BETA_FROM_KEY;
        kernel_open(&same, systems[i], NULL, &a);
        a.keys = &ckda_fp_fp32;
        kernel_open(&wide, systems[i], NULL, &a);
        assert_int_equal(ckda_chunk_init(c, same.t, &ckda_chunk_scheme_default, NULL),
                         CKDA_OK);
        assert_true(ckda_drift_chunk_agrees(c, same.R));
        assert_false(ckda_drift_chunk_agrees(c, ideal.R));
        assert_false(ckda_drift_chunk_agrees(c, wide.R));
        ckda_chunk_clear(c);
        kernel_close(&same);
        kernel_close(&ideal);
        kernel_close(&wide);
    }
}

static void
a_grid_at_chunk_ends_keeps_a5(void **state)
{
    (void)state;
    ckda_arith a;
    ckda_chunk_scheme scheme = ckda_chunk_scheme_default;
    ckda_chunk_t c;
    ckda_drift_result_t r;
    kernel k;
    const uint64_t at = 3000; /* the last chunk is short */
    assert_int_equal(ckda_arith_preset(&a, "grid", NULL), CKDA_OK);
    a.beta_rule = CKDA_BETA_FROM_KEY;
    kernel_open(&k, "A5", NULL, &a);
    scheme.length = 16;
    scheme.grid = 16;
    assert_int_equal(ckda_chunk_split_named(&scheme.split, "T32", NULL), CKDA_OK);
    assert_int_equal(ckda_chunk_init(c, k.t, &scheme, NULL), CKDA_OK);
    const ckda_drift_kernel kernel16 = ckda_drift_chunk_kernel(c);
    const ckda_drift_options o = {.words = 2,
                                  .length = 3000,
                                  .at = &at,
                                  .nat = 1,
                                  .split_words = 1,
                                  .split_length = 3000,
                                  .kernel = &kernel16};
    run(r, &k, &o);
    assert_int_equal(r->failed, 0);
    assert_near(r->worst * r->scale, .1576, 5e-5);
    assert_int_equal(r->nsplits, 1);
    assert_false(r->split->has_store);
    ckda_drift_clear(r);
    ckda_chunk_clear(c);
    kernel_close(&k);
}

/* ---- refusals -------------------------------------------------------------------------- */

static void
expect_refusal(ckda_status want, const kernel *k, const ckda_drift_options *o,
               const char *part)
{
    ckda_error err;
    ckda_drift_result_t r;
    memset(r, 0x5a, sizeof *r);
    ckda_drift_result_struct before = *r;
    ckda_error_clear(&err);
    assert_int_equal(ckda_drift_run(r, k->t, k->R, o, &err), want);
    assert_memory_equal(r, &before, sizeof before);
    if (strstr(err.text, part) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", err.text, part);
}

static void
refusals_name_the_reason_and_leave_the_result_alone(void **state)
{
    (void)state;
    const ckda_arith a = fp32_keys_in(&ckda_fp_fp32);
    const uint64_t falling[] = {50, 20}, far = 101, fine = 100;
    const uint32_t wrong = 5;
    const ckda_limits no_time = {.max_seconds = 1e-9}, no_room = {.max_bytes = 100};
    const ckda_drift_kernel broken = {10, refuses, NULL};
    ckda_drift_options o = {.words = 2, .length = 100, .at = falling, .nat = 2};
    kernel k;
    kernel_open(&k, "Z5", NULL, &a);
    expect_refusal(CKDA_E_INPUT, &k, &o, "found 20");
    o.at = &far;
    o.nat = 1;
    expect_refusal(CKDA_E_INPUT, &k, &o, "found 101");
    o.at = &fine;
    o.word = &wrong;
    o.word_length = 1;
    expect_refusal(CKDA_E_INPUT, &k, &o, "letter 5");
    o.word = NULL;
    o.limits = &no_time;
    o.length = 1u << 18;
    expect_refusal(CKDA_E_UNABLE, &k, &o, "time");
    o.limits = &no_room;
    expect_refusal(CKDA_E_UNABLE, &k, &o, "memory");
    o.limits = NULL;
    o.kernel = &broken;
    expect_refusal(CKDA_E_DOMAIN, &k, &o, "kernel");
    kernel_close(&k);
}

static void
paper_decoder_needs_a_read_out(void **state)
{
    (void)state;
    const ckda_arith a = fp32_keys_in(&ckda_fp_fp32);
    const uint64_t at = 50;
    const ckda_drift_options o = {
        .words = 3, .length = 50, .at = &at, .nat = 1, .decoder = CKDA_DRIFT_PAPER};
    ckda_drift_result_t r;
    kernel k;
    kernel_open(&k, "A5", NULL, &a);
    run(r, &k, &o); /* f(S) reads A5 */
    assert_int_equal(r->failed, 0);
    ckda_drift_clear(r);
    k.t->c->decoder = CKDA_DECODE_WORD;
    expect_refusal(CKDA_E_INPUT, &k, &o, "read-out");
    k.t->c->decoder = CKDA_DECODE_F;
    kernel_close(&k);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bf16_state_with_fp32_keys_stays_within_its_five_states),
        cmocka_unit_test(repeated_rotation_in_bf16_fails_at_864),
        cmocka_unit_test(norm_law_is_what_random_words_show),
        cmocka_unit_test(a_grid_keeps_a5_within_its_proved_error),
        cmocka_unit_test(dyadic_keys_never_drift),
        cmocka_unit_test(a_state_that_leaves_the_format_is_a_wrong_decode),
        cmocka_unit_test(progress_is_told_while_words_run),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(random_words_are_prefixes_of_one_another_and_differ_by_seed),
        cmocka_unit_test(letters_of_random_words_are_even),
        cmocka_unit_test(random_word_given_as_letters_is_the_same_run),
        cmocka_unit_test(a_kernel_of_seven_tokens_is_looked_at_every_seven),
        cmocka_unit_test(chunk_parameters_are_compared_reflection_by_reflection),
        cmocka_unit_test(a_grid_at_chunk_ends_keeps_a5),
        cmocka_unit_test(refusals_name_the_reason_and_leave_the_result_alone),
        cmocka_unit_test(paper_decoder_needs_a_read_out),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
