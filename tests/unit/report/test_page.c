/* The page and its JSON. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <libxml/parser.h>

#include "ckda/report_page.h"
#include "sample.h"
#include "sha256.h"

/* ---- SHA-256 -------------------------------------------------------------------------- */

static void
expect_hash(const char *text, const char *want)
{
    char hex[65];
    sha256_hex(hex, text, strlen(text));
    assert_string_equal(hex, want);
}

static void
hash_of_nothing(void **state)
{
    (void)state;
    expect_hash("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

static void
hash_of_one_block(void **state)
{
    (void)state;
    expect_hash("abc",
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

static void
hash_of_two_blocks(void **state)
{
    (void)state;
    expect_hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

static void
hash_of_a_million_letters(void **state)
{
    (void)state;
    char hex[65], *text = malloc(1000000);
    assert_non_null(text);
    memset(text, 'a', 1000000);
    sha256_hex(hex, text, 1000000);
    free(text);
    assert_string_equal(
        hex, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* Every length around the ends of blocks: the last byte always counts. */
static void
hash_sees_the_last_byte(void **state)
{
    (void)state;
    char text[140], one[65], two[65];
    memset(text, 'x', sizeof text);
    for (size_t n = 1; n < sizeof text; n++) {
        sha256_hex(one, text, n);
        text[n - 1] = 'y';
        sha256_hex(two, text, n);
        text[n - 1] = 'x';
        assert_string_not_equal(one, two);
        sha256_hex(two, text, n - 1);
        assert_string_not_equal(one, two);
    }
}

/* ---- a page of the sample ledger ------------------------------------------------------ */

typedef struct {
    ckda_ledger *ledger;
    ckda_outcome claims[8], mutants[8];
    size_t nclaims, nmutants;
    ckda_page *page;
} sample;

static int
open_sample(void **state)
{
    sample *x = calloc(1, sizeof *x);
    assert_non_null(x);
    x->ledger = sample_ledger();
    for (size_t i = 0; i < ckda_ledger_size(x->ledger); i++) {
        const ckda_claim *c = ckda_ledger_claim(x->ledger, i);
        ckda_outcome_run(&x->claims[x->nclaims++], c, NULL, 1, CKDA_QUICK);
        for (size_t k = 0; k < c->nmutants; k++)
            ckda_outcome_run(&x->mutants[x->nmutants++], c, &c->mutants[k], 1,
                             CKDA_QUICK);
    }
    const ckda_verification v = {.ledger = x->ledger,
                                 .seed = 1,
                                 .with_mutants = true,
                                 .claims = x->claims,
                                 .nclaims = x->nclaims,
                                 .mutants = x->mutants,
                                 .nmutants = x->nmutants};
    const ckda_page_about about = {"2026-11-30", "ckda report -o DIR", NULL};
    x->page = ckda_page_open(&about, &v);
    *state = x;
    return 0;
}

static int
close_sample(void **state)
{
    sample *x = *state;
    ckda_page_close(&x->page);
    assert_null(x->page);
    for (size_t i = 0; i < x->nclaims; i++)
        ckda_outcome_clear(&x->claims[i]);
    for (size_t i = 0; i < x->nmutants; i++)
        ckda_outcome_clear(&x->mutants[i]);
    ckda_ledger_close(&x->ledger);
    free(x);
    return 0;
}

static json_t *
json_of(sample *x)
{
    size_t size;
    char *text = ckda_page_json(x->page, &size);
    assert_int_equal(strlen(text), size);
    json_t *doc = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(doc);
    free(text);
    return doc;
}

static char *
html_of(sample *x)
{
    size_t size;
    char *text = ckda_page_html(x->page, &size);
    assert_int_equal(strlen(text), size);
    return text;
}

static void
expect_in_page(sample *x, const char *part, bool there)
{
    char *text = html_of(x);
    if ((strstr(text, part) != NULL) != there)
        fail_msg("the page %s '%s'", there ? "lacks" : "has", part);
    free(text);
}

static json_int_t
count(const json_t *doc, const char *object, const char *key)
{
    return json_integer_value(json_object_get(json_object_get(doc, object), key));
}

static void
summary_counts(void **state)
{
    json_t *doc = json_of(*state);
    assert_int_equal(count(doc, "summary", "claims"), 5);
    assert_int_equal(count(doc, "summary", "checked"), 3);
    assert_int_equal(count(doc, "summary", "holds"), 1);
    assert_int_equal(count(doc, "summary", "refuted"), 1);
    assert_int_equal(count(doc, "summary", "undecided"), 1);
    assert_int_equal(count(doc, "summary", "not_run"), 1);
    assert_int_equal(count(doc, "summary", "reported"), 1);
    assert_int_equal(count(doc, "summary", "mutants"), 3);
    assert_int_equal(count(doc, "summary", "mutants_refuted"), 3);
    /* b has a human step but does not hold */
    assert_int_equal(count(doc, "summary", "modulo"), 0);
    json_decref(doc);
}

static void
every_claim_has_a_level(void **state)
{
    json_t *doc = json_of(*state), *level;
    json_int_t claims = 0;
    size_t i;
    json_array_foreach(json_object_get(doc, "levels"), i, level) claims +=
        json_integer_value(json_object_get(level, "claims"));
    assert_int_equal(i, 7);
    assert_int_equal(claims, 5);
    json_decref(doc);
}

static void
mutants_stand_with_their_claims(void **state)
{
    json_t *doc = json_of(*state), *claim;
    size_t i;
    json_array_foreach(json_object_get(doc, "claims"), i, claim)
    {
        const json_t *mutants = json_object_get(claim, "mutants");
        const char *id = json_string_value(json_object_get(claim, "id"));
        if (json_array_size(mutants) == 0)
            continue;
        const char *name =
            json_string_value(json_object_get(json_array_get(mutants, 0), "id"));
        assert_memory_equal(name, id, strlen(id));
    }
    json_decref(doc);
}

static void
page_is_well_formed(void **state)
{
    char *text = html_of(*state);
    xmlDocPtr doc = xmlReadMemory(text, (int)strlen(text), "page", NULL, XML_PARSE_NONET);
    assert_non_null(doc);
    xmlFreeDoc(doc);
    free(text);
}

static void
page_begins_as_html(void **state)
{
    char *text = html_of(*state);
    assert_memory_equal(text, "<!DOCTYPE html>", 15);
    free(text);
}

static void
texts_are_escaped(void **state)
{
    expect_in_page(*state, "a &amp; &lt;b&gt; #1", true);
    expect_in_page(*state, "<b> #1", false);
}

static void
page_can_be_made_again(void **state)
{
    char *one = html_of(*state), *two = html_of(*state);
    assert_string_equal(one, two);
    free(one);
    free(two);
}

static void
headline_names_the_worst(void **state)
{
    expect_in_page(*state, " checked claims are refuted", true);
    expect_in_page(*state, "class=\"top refuted\"", true);
}

static void
twice_the_same_fact_is_kept(void **state)
{
    expect_in_page(*state, "[0, 1]", true);
    expect_in_page(*state, "[2, 3]", true);
    expect_in_page(*state, "data-key=\"/claims/1/counterexample/at#2\"", true);
}

static void
reasons_of_unchecked_claims(void **state)
{
    expect_in_page(*state, "not yet", true);
    expect_in_page(*state, "hardware", true);
    expect_in_page(*state, "badge not_run", true);
    expect_in_page(*state, "badge reported", true);
}

static void
numbers_are_grouped(void **state)
{
    sample *x = *state;
    char *bytes = calloc(1, 1234567);
    assert_non_null(bytes);
    ckda_page_add_certificate(x->page, "a", "certificates/a.cert", bytes, 1234567);
    ckda_page_add_certificate(x->page, "b", "certificates/b.cert", bytes, 9999);
    free(bytes);
    expect_in_page(x,
                   "1\xe2\x80\xaf"
                   "234\xe2\x80\xaf"
                   "567",
                   true);
    expect_in_page(x, ">9999<", true);
    expect_in_page(x, "certificates/a.cert", true);
}

/* ---- pictures ------------------------------------------------------------------------- */

static const char drawing[] =
    "<svg width=\"560\" height=\"400\" viewBox=\"0 0 560 400\" "
    "xmlns=\"http://www.w3.org/2000/svg\" "
    "xmlns:xlink=\"http://www.w3.org/1999/xlink\"><title>Gnuplot</title>"
    "<defs><path id='p' d='M0,0'/></defs><use xlink:href='#p'/>"
    "<script>alert()</script><g id=\"gnuplot_canvas\"><text>one</text></g></svg>";

static ckda_status
draw(sample *x, const char *name, const char *svg)
{
    ckda_error err;
    const ckda_page_picture d = {.name = name,
                                 .title = "a <title>",
                                 .caption = "a caption",
                                 .svg = svg,
                                 .size = svg != NULL ? strlen(svg) : 0,
                                 .missing = svg == NULL ? "no gnuplot" : NULL};
    ckda_error_clear(&err);
    return ckda_page_add_picture(x->page, &d, &err);
}

static void
picture_is_made_fit(void **state)
{
    assert_int_equal(draw(*state, "first", drawing), CKDA_OK);
    expect_in_page(*state, "viewBox=\"0 0 560 400\"", true);
    expect_in_page(*state, "width=\"560\"", false);
    expect_in_page(*state, "id=\"first-p\"", true);
    expect_in_page(*state, "xlink:href=\"#first-p\"", true);
    expect_in_page(*state, "alert", false);
    expect_in_page(*state, "aria-label=\"a &lt;title&gt;\"", true);
}

static void
two_pictures_share_no_name(void **state)
{
    assert_int_equal(draw(*state, "first", drawing), CKDA_OK);
    assert_int_equal(draw(*state, "second", drawing), CKDA_OK);
    expect_in_page(*state, "id=\"first-p\"", true);
    expect_in_page(*state, "id=\"second-p\"", true);
    page_is_well_formed(state);
}

static void
broken_picture_is_missing(void **state)
{
    assert_int_equal(draw(*state, "first", "<svg><g></svg>"), CKDA_E_INPUT);
    assert_int_equal(draw(*state, "second", "<html/>"), CKDA_E_INPUT);
    expect_in_page(*state, "no well-formed SVG", true);
    page_is_well_formed(state);
}

static void
picture_that_was_not_drawn(void **state)
{
    assert_int_equal(draw(*state, "first", NULL), CKDA_OK);
    expect_in_page(*state, "no gnuplot", true);
    json_t *doc = json_of(*state);
    const json_t *p = json_array_get(json_object_get(doc, "pictures"), 0);
    assert_true(json_is_false(json_object_get(p, "drawn")));
    json_decref(doc);
}

/* ---- numbers of pictures -------------------------------------------------------------- */

static void
bits_are_kept(void **state)
{
    static const uint64_t bits[] = {3, 9, 7};
    sample *x = *state;
    const ckda_page_bits b = {.title = "it's",
                              .system = "s",
                              .construction = "c",
                              .seed = 1,
                              .bits = bits,
                              .length = 3};
    ckda_page_add_bits(x->page, &b);
    json_t *doc = json_of(x);
    const json_t *o = json_array_get(json_object_get(doc, "bits"), 0);
    assert_int_equal(json_integer_value(json_object_get(o, "max_bits")), 9);
    assert_int_equal(json_integer_value(json_object_get(o, "last_bits")), 7);
    assert_int_equal(json_array_size(json_object_get(o, "bits")), 3);
    json_decref(doc);
}

static void
script_of_bits_quotes(void **state)
{
    (void)state;
    static const uint64_t bits[] = {3};
    const ckda_page_bits b = {.title = "it's", .bits = bits, .length = 1};
    const ckda_page_growth g = {&b, 1};
    sample_stream s;
    ckda_page_plot_bits(stream_open(&s), "./a'b.dat", &g);
    char *text = stream_text(&s);
    assert_non_null(strstr(text, "data = './a''b.dat'"));
    assert_non_null(strstr(text, "title 'it''s'"));
    free(text);
    ckda_page_data_bits(stream_open(&s), &g);
    text = stream_text(&s);
    assert_non_null(strstr(text, "\n1 3\n"));
    free(text);
}

static void
data_of_levels(void **state)
{
    (void)state;
    uint64_t level[] = {1, 59, 1079};
    const ckda_reach_struct reach = {.states = 1139, .level = level, .nlevels = 3};
    const ckda_reach_result r = {.reach = &reach};
    sample_stream s;
    ckda_page_data_levels(stream_open(&s), &r);
    char *text = stream_text(&s);
    assert_non_null(strstr(text, "\n0 1\n1 59\n2 1079\n"));
    free(text);
}

#define WITH_SAMPLE(test) cmocka_unit_test_setup_teardown(test, open_sample, close_sample)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hash_of_nothing),
        cmocka_unit_test(hash_of_one_block),
        cmocka_unit_test(hash_of_two_blocks),
        cmocka_unit_test(hash_of_a_million_letters),
        cmocka_unit_test(hash_sees_the_last_byte),
        WITH_SAMPLE(summary_counts),
        WITH_SAMPLE(every_claim_has_a_level),
        WITH_SAMPLE(mutants_stand_with_their_claims),
        WITH_SAMPLE(page_is_well_formed),
        WITH_SAMPLE(page_begins_as_html),
        WITH_SAMPLE(texts_are_escaped),
        WITH_SAMPLE(page_can_be_made_again),
        WITH_SAMPLE(headline_names_the_worst),
        WITH_SAMPLE(twice_the_same_fact_is_kept),
        WITH_SAMPLE(reasons_of_unchecked_claims),
        WITH_SAMPLE(numbers_are_grouped),
        WITH_SAMPLE(picture_is_made_fit),
        WITH_SAMPLE(two_pictures_share_no_name),
        WITH_SAMPLE(broken_picture_is_missing),
        WITH_SAMPLE(picture_that_was_not_drawn),
        WITH_SAMPLE(bits_are_kept),
        cmocka_unit_test(script_of_bits_quotes),
        cmocka_unit_test(data_of_levels),
    };
    return cmocka_run_group_tests_name("page", tests, NULL, NULL);
}
