/* Results of decompose, spectrum and reach as JSON and text. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "ckda/report.h"

typedef struct {
    char *text;
    size_t size;
    FILE *f;
} stream;

static FILE *
stream_open(stream *s)
{
    s->text = NULL;
    s->f = open_memstream(&s->text, &s->size);
    return s->f;
}

static json_t *
stream_json(stream *s)
{
    fclose(s->f);
    json_t *document = json_loads(s->text, JSON_REJECT_DUPLICATES, NULL);
    if (document == NULL)
        fail_msg("not JSON: %s", s->text);
    free(s->text);
    return document;
}

static const char *
text_at(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    assert_non_null(text);
    return text;
}

/* (I - 2 w w^T / w^T w) S with w = (1, 1), S = diag(1, -1) over Q(sqrt 5). */
static void
a_decomposition_that_is_verified(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_decomposition_t dec;
    stream s;
    ckda_field_init_sqrt(K, 5);
    ckda_elem_struct key[2], zero[2];
    for (int i = 0; i < 2; i++) {
        ckda_elem_init(key + i, K);
        ckda_elem_init(zero + i, K);
        ckda_elem_gen(key + i, K);
    }
    int signs[2] = {1, -1};
    dec[0] = (ckda_decomposition_struct){.n = 2,
                                         .orthogonal = true,
                                         .dpr1 = true,
                                         .verified = true,
                                         .signs = signs,
                                         .key = key,
                                         .representations = 2,
                                         .got = zero[0],
                                         .want = zero[1]};
    ckda_report_decompose(stream_open(&s), true, dec, K);
    json_t *document = stream_json(&s);
    assert_string_equal(text_at(document, "schema"), "ckda.decompose/1");
    assert_true(json_is_true(json_object_get(document, "verified")));
    assert_string_equal(
        json_string_value(json_array_get(json_object_get(document, "key"), 0)), "a");
    assert_int_equal(
        json_integer_value(json_array_get(json_object_get(document, "signs"), 1)), -1);
    assert_int_equal(json_integer_value(json_object_get(document, "representations")), 2);
    json_t *field = json_object_get(document, "field");
    assert_string_equal(text_at(field, "generator"), "a");
    assert_string_equal(
        json_string_value(json_array_get(json_object_get(field, "minpoly"), 0)), "-5");
    assert_string_equal(text_at(field, "root"), "2.2360679774997896964");
    json_decref(document);
    for (int i = 0; i < 2; i++) {
        ckda_elem_clear(key + i, K);
        ckda_elem_clear(zero + i, K);
    }
    ckda_field_clear(K);
}

static void
a_decomposition_that_fails(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_decomposition_t dec;
    stream s;
    ckda_field_init_rational(K);
    dec[0] =
        (ckda_decomposition_struct){.n = 2, .reason = "not orthogonal", .at = {0, 1}};
    ckda_elem_init(&dec->got, K);
    ckda_elem_init(&dec->want, K);
    ckda_elem_set_frac(&dec->got, 1, 2, K);
    ckda_report_decompose(stream_open(&s), true, dec, K);
    json_t *document = stream_json(&s);
    assert_true(json_is_false(json_object_get(document, "verified")));
    assert_string_equal(text_at(document, "reason"), "not orthogonal");
    assert_string_equal(text_at(document, "got"), "1/2");
    assert_string_equal(text_at(document, "want"), "0");
    assert_int_equal(
        json_integer_value(json_array_get(json_object_get(document, "at"), 1)), 1);
    json_decref(document);
    ckda_report_decompose(stream_open(&s), false, dec, K);
    fclose(s.f);
    assert_non_null(strstr(s.text, "no: not orthogonal\n  at         [0, 1]\n"));
    free(s.text);
    ckda_elem_clear(&dec->got, K);
    ckda_elem_clear(&dec->want, K);
    ckda_field_clear(K);
}

static void
a_spectrum_with_factors(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_poly_t chi;
    stream s;
    ckda_field_init_rational(K);
    ckda_poly_init(chi, K);
    ckda_poly_set_coeff_si(chi, 2, 1, K);
    ckda_poly_set_coeff_si(chi, 0, 1, K);
    ckda_root_counts factors[2] = {{2, 2, 0, 0}, {2, 0, 1, 1}};
    ckda_spectrum_result r = {.K = K,
                              .charpoly = chi,
                              .counts = {2, 0, 1, 1},
                              .norm_at_most_1 = true,
                              .norm_equals_1 = true,
                              .factors = factors,
                              .nfactors = 2};
    ckda_report_spectrum(stream_open(&s), true, &r);
    json_t *document = stream_json(&s);
    assert_string_equal(text_at(document, "schema"), "ckda.spectrum/1");
    json_t *c = json_object_get(document, "charpoly");
    assert_int_equal(json_array_size(c), 3);
    assert_string_equal(json_string_value(json_array_get(c, 0)), "1");
    assert_string_equal(json_string_value(json_array_get(c, 1)), "0");
    assert_int_equal(json_integer_value(json_object_get(document, "nonreal_pairs")), 1);
    assert_int_equal(json_integer_value(json_object_get(document, "unit_circle_pairs")),
                     1);
    assert_int_equal(json_integer_value(json_object_get(document, "real_roots")), 0);
    assert_true(json_is_true(json_object_get(document, "norm_equals_1")));
    json_t *f = json_array_get(json_object_get(document, "factors"), 1);
    assert_int_equal(json_integer_value(json_object_get(f, "nonreal_pairs")), 1);
    json_decref(document);
    ckda_poly_clear(chi, K);
    ckda_field_clear(K);
}

static ckda_reach_result
reach_result(const ckda_field_t K, const ckda_reach_struct *r)
{
    return (ckda_reach_result){.system = "Z2",
                               .construction = "planar",
                               .K = K,
                               .dimension = 2,
                               .letters = 2,
                               .has_group = true,
                               .reach = r};
}

static void
a_reach_that_closed(void **state)
{
    (void)state;
    ckda_field_t K;
    stream s;
    uint64_t level[2] = {1, 1};
    char exactness[] = "a reason";
    ckda_reach_struct r = {.finite = CKDA_TRUE,
                           .states = 2,
                           .edges = 4,
                           .level = level,
                           .nlevels = 2,
                           .exactness = exactness,
                           .decoder_consistent = CKDA_TRUE,
                           .decoded = 2,
                           .min_per_element = 1,
                           .max_per_element = 1};
    ckda_field_init_rational(K);
    ckda_reach_result result = reach_result(K, &r);
    ckda_report_reach(stream_open(&s), true, &result);
    json_t *document = stream_json(&s);
    assert_string_equal(text_at(document, "schema"), "ckda.reach/1");
    assert_string_equal(text_at(document, "verdict"), "finite");
    assert_int_equal(json_integer_value(json_object_get(document, "states")), 2);
    assert_int_equal(json_array_size(json_object_get(document, "levels")), 2);
    assert_int_equal(json_array_size(json_object_get(document, "states_per_element")), 2);
    assert_true(json_is_true(json_object_get(document, "decoder_consistent")));
    assert_true(json_is_null(json_object_get(document, "limit")));
    json_decref(document);
    ckda_field_clear(K);
}

static void
a_reach_that_hit_a_limit_claims_nothing(void **state)
{
    (void)state;
    ckda_field_t K;
    stream s;
    uint64_t level[1] = {1};
    ckda_reach_struct r = {.finite = CKDA_UNKNOWN,
                           .states = 1,
                           .level = level,
                           .nlevels = 1,
                           .limit = "states",
                           .decoder_consistent = CKDA_TRUE};
    ckda_field_init_rational(K);
    ckda_reach_result result = reach_result(K, &r);
    ckda_report_reach(stream_open(&s), true, &result);
    json_t *document = stream_json(&s);
    assert_string_equal(text_at(document, "verdict"), "undecided");
    assert_string_equal(text_at(document, "limit"), "states");
    assert_true(json_is_null(json_object_get(document, "decoder_consistent")));
    assert_true(json_is_null(json_object_get(document, "decoded")));
    json_decref(document);
    ckda_report_reach(stream_open(&s), false, &result);
    fclose(s.f);
    assert_non_null(strstr(s.text, "Z2 by planar: undecided"));
    assert_non_null(strstr(s.text, "stopped by the limit on states"));
    assert_null(strstr(s.text, "consistent"));
    free(s.text);
    ckda_field_clear(K);
}

static void
an_infinite_reach_names_its_witness(void **state)
{
    (void)state;
    ckda_field_t K;
    stream s;
    uint64_t level[1] = {1};
    uint32_t prefix[1] = {1}, word[2] = {0, 1};
    char reason[] = "because of it";
    static const char *const letter[] = {"turn", "set"};
    ckda_reach_struct r = {
        .finite = CKDA_FALSE, .states = 1, .level = level, .nlevels = 1};
    r.pump = (ckda_pump){.prefix = prefix,
                         .nprefix = 1,
                         .word = word,
                         .length = 2,
                         .kind = CKDA_PUMP_JORDAN,
                         .reason = reason};
    ckda_field_init_rational(K);
    ckda_reach_result result = reach_result(K, &r);
    result.letter = letter;
    result.tells_elements = true;
    ckda_report_reach(stream_open(&s), true, &result);
    json_t *document = stream_json(&s), *witness = json_object_get(document, "witness");
    assert_string_equal(text_at(document, "verdict"), "infinite");
    assert_true(json_is_null(json_object_get(document, "order")));
    assert_string_equal(text_at(witness, "kind"), "jordan");
    assert_string_equal(text_at(witness, "reason"), "because of it");
    assert_int_equal(json_array_size(json_object_get(witness, "word")), 2);
    json_t *first = json_array_get(json_object_get(witness, "prefix"), 0);
    assert_string_equal(json_string_value(first), "set");
    json_decref(document);
    ckda_report_reach(stream_open(&s), false, &result);
    fclose(s.f);
    assert_non_null(strstr(s.text, "infinite, 1 state found\n"));
    assert_non_null(strstr(s.text, "  prefix     set\n  word       turn set\n"));
    assert_non_null(strstr(s.text, "  reason     jordan: because of it\n"));
    free(s.text);
    ckda_field_clear(K);
}

/* States are an order only if they tell the elements; of a group only if all letters are
 * invertible. */
static void
an_orbit_is_no_group_order_by_itself(void **state)
{
    (void)state;
    ckda_field_t K;
    uint64_t level[1] = {1};
    ckda_reach_struct r = {
        .finite = CKDA_TRUE, .states = 6, .level = level, .nlevels = 1};
    ckda_field_init_rational(K);
    for (int i = 0; i < 4; i++) {
        stream s;
        ckda_reach_result result = reach_result(K, &r);
        result.has_group = false;
        result.tells_elements = i % 2 == 1;
        result.invertible = i / 2 == 1;
        ckda_report_reach(stream_open(&s), true, &result);
        json_t *document = stream_json(&s);
        json_t *order = json_object_get(document, "order");
        assert_int_equal(json_integer_value(order), i % 2 == 1 ? 6 : 0);
        assert_true(json_is_null(order) == (i % 2 == 0));
        assert_non_null(strstr(text_at(document, "states_count"),
                               i % 2 == 0 ? "not the order of a group"
                               : i == 1   ? "of the monoid"
                                          : "of the group"));
        json_decref(document);
    }
    ckda_field_clear(K);
}

static void
names_that_are_no_utf8_still_give_json(void **state)
{
    (void)state;
    ckda_field_t K;
    stream s;
    uint64_t level[1] = {1};
    ckda_reach_struct r = {.finite = CKDA_UNKNOWN,
                           .states = 1,
                           .level = level,
                           .nlevels = 1,
                           .limit = "states"};
    ckda_field_init_rational(K);
    ckda_reach_result result = reach_result(K, &r);
    result.system = "a\xff"
                    "b.json";
    ckda_report_reach(stream_open(&s), true, &result);
    json_t *document = stream_json(&s);
    assert_string_equal(text_at(document, "system"), "a?b.json");
    json_decref(document);
    ckda_field_clear(K);
}

static void
dot_escapes_names(void **state)
{
    (void)state;
    stream s;
    uint32_t next[4] = {0, 1, 1, 0};
    ckda_reach_struct r = {.finite = CKDA_TRUE, .states = 2, .next = next};
    static const char *const names[] = {"()", "a\"b"};
    ckda_report_dot(stream_open(&s), &r, 2, names);
    fclose(s.f);
    assert_non_null(strstr(s.text, "    s0 -> s1 [label=\"a\\\"b\"];\n"));
    assert_non_null(strstr(s.text, "    s1 -> s1 [label=\"()\"];\n"));
    free(s.text);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_decomposition_that_is_verified),
        cmocka_unit_test(a_decomposition_that_fails),
        cmocka_unit_test(a_spectrum_with_factors),
        cmocka_unit_test(a_reach_that_closed),
        cmocka_unit_test(a_reach_that_hit_a_limit_claims_nothing),
        cmocka_unit_test(an_infinite_reach_names_its_witness),
        cmocka_unit_test(an_orbit_is_no_group_order_by_itself),
        cmocka_unit_test(names_that_are_no_utf8_still_give_json),
        cmocka_unit_test(dot_escapes_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
