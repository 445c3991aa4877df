/* A chunked kernel as text and JSON. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ckda/report_snap.h"

typedef struct {
    ckda_tracker_t t;
    ckda_chunk_t k;
    ckda_chunk_result r;
    ckda_chunk_report report;
} sample;

static void
open_sample(sample *x, const char *system, const char *construction, const char *split,
            int64_t grid, uint32_t length)
{
    ckda_error err;
    ckda_chunk_scheme s = ckda_chunk_scheme_default;
    ckda_chunk_options o = ckda_chunk_options_default;
    s.grid = grid;
    s.length = length;
    o.random_chunks = 50;
    o.beam = 0;
    o.max_chunks = 300;
    if (ckda_tracker_init(x->t, system, construction, NULL, &err) != CKDA_OK
        || ckda_chunk_split_named(&s.split, split, &err) != CKDA_OK
        || ckda_chunk_init(x->k, x->t, &s, &err) != CKDA_OK
        || ckda_chunk_decide(&x->r, x->k, &o, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    x->report = (ckda_chunk_report){x->t, x->k, &x->r};
}

static void
close_sample(sample *x)
{
    ckda_chunk_result_clear(&x->r);
    ckda_chunk_clear(x->k);
    ckda_tracker_clear(x->t);
}

static char *
text_of(const sample *x)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    ckda_report_chunk_text(out, &x->report);
    fclose(out);
    return text;
}

static const char *
string_of(const json_t *o, const char *key)
{
    return json_string_value(json_object_get(o, key));
}

static void
a_refutation_shows_its_word(void **state)
{
    (void)state;
    sample x;
    open_sample(&x, "A5", NULL, "FLA", 4, 64);
    char *text = text_of(&x);
    assert_non_null(strstr(text, "split FLA"));
    assert_non_null(strstr(text, "refuted"));
    assert_non_null(strstr(text, "word, first letter first: "));
    assert_non_null(strstr(text, "which is stored as "));
    free(text);
    json_t *o = ckda_report_chunk_json(&x.report);
    assert_string_equal(string_of(o, "verdict"), "refuted");
    assert_string_equal(string_of(o, "how"), "word");
    assert_true(json_is_null(json_object_get(o, "delta")));
    assert_int_equal(json_array_size(json_object_get(o, "word")), 64);
    assert_int_equal(json_array_size(json_object_get(o, "lines")), 64);
    assert_int_equal(json_array_size(json_object_get(o, "start")), 4);
    const double value = json_real_value(json_object_get(o, "value"));
    const double target = (double)json_integer_value(json_object_get(o, "target"));
    assert_true(value - target > 0.5 || target - value > 0.5);
    assert_in_range(json_integer_value(json_object_get(o, "entry")), 1, 4);
    json_decref(o);
    close_sample(&x);
}

static void
a_proof_shows_delta_and_its_parts(void **state)
{
    (void)state;
    sample x;
    open_sample(&x, "D3", NULL, "pair", 2, 16);
    char *text = text_of(&x);
    assert_non_null(strstr(text, "proved (delta < sigma for every word)"));
    assert_non_null(strstr(text, "it proves chunks of up to 60"));
    assert_null(strstr(text, "word, first"));
    free(text);
    json_t *o = ckda_report_chunk_json(&x.report);
    assert_string_equal(string_of(o, "verdict"), "proved");
    assert_string_equal(string_of(o, "how"), "bound");
    assert_int_equal(json_integer_value(json_object_get(o, "C")), 16);
    assert_int_equal(json_integer_value(json_object_get(o, "proved_to")), 60);
    assert_true(json_real_value(json_object_get(o, "delta"))
                < json_real_value(json_object_get(o, "sigma")));
    assert_int_equal(json_object_size(json_object_get(o, "parts")), 9);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(o, "bits"), "W")),
                     16);
    assert_true(json_is_null(json_object_get(o, "word")));
    assert_int_equal(
        json_integer_value(json_object_get(json_object_get(o, "random"), "wrong")), 0);
    assert_true(json_is_null(json_object_get(o, "beam")));
    json_decref(o);
    close_sample(&x);
}

static void
exact_chunks_say_why(void **state)
{
    (void)state;
    sample x;
    open_sample(&x, "A4", "quaternion", "FLA", 2, 64);
    char *text = text_of(&x);
    assert_non_null(strstr(text, "dyadic number that fits"));
    assert_non_null(strstr(text, "delta = 0"));
    free(text);
    json_t *o = ckda_report_chunk_json(&x.report);
    assert_string_equal(string_of(o, "how"), "exactness");
    assert_true(json_real_value(json_object_get(o, "delta")) == 0);
    assert_true(json_is_null(json_object_get(o, "proved_to")));
    json_decref(o);
    close_sample(&x);
}

static void
random_words_alone_are_called_typical(void **state)
{
    (void)state;
    sample x;
    open_sample(&x, "S4", "cube", "FLA", 4, 16);
    char *text = text_of(&x);
    assert_non_null(strstr(text, "typical (random words only)"));
    free(text);
    json_t *o = ckda_report_chunk_json(&x.report);
    assert_string_equal(string_of(o, "verdict"), "typical");
    assert_true(json_is_null(json_object_get(o, "how")));
    assert_false(json_is_true(json_object_get(o, "exhausted")));
    assert_int_equal(json_array_size(json_object_get(o, "exhaustive_max")), 2);
    json_decref(o);
    close_sample(&x);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_refutation_shows_its_word),
        cmocka_unit_test(a_proof_shows_delta_and_its_parts),
        cmocka_unit_test(exact_chunks_say_why),
        cmocka_unit_test(random_words_alone_are_called_typical),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
