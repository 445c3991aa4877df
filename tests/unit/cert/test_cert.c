/* What is written is verified; what says something else is refused. */
#include "fixture.h"

#include <sys/stat.h>

static void
closures_of_all_constructions_are_verified(void **state)
{
    static const char *const named[][2] = {
        {"Z1", "planar"},     {"Z2", "planar"},      {"Z5", "planar"},
        {"Z7", "planar"},     {"D4", "planar"},      {"D15", "planar"},
        {"S4", "cube"},       {"A4", "quaternion"},  {"D6", "quaternion"},
        {"Z5", "quaternion"}, {"S4", "householder"}, {"Z6", "dyadic"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        char *text = certificate_named(named[i][0], named[i][1]);
        expect_verified(text);
        free(text);
    }
}

static void
the_checker_says_what_it_verified(void **state)
{
    (void)state;
    char *text = certificate_named("D3", "quaternion"), said[512] = "", reason[512];
    FILE *in = fmemopen(text, strlen(text), "rb"),
         *out = fmemopen(said, sizeof said, "w");
    assert_int_equal(recheck_stream(in, out, reason), VERIFIED);
    fclose(in);
    fclose(out);
    assert_non_null(strstr(said, "finite: 18 states, all different; 108 edges multiplied "
                                 "again; every label right"));
    free(text);
}

static void
a_wider_interval_with_one_root_is_as_good(void **state)
{
    (void)state;
    char *text = certificate_named("D3", "planar");
    char *root = strstr(text, "\"root\""), *end = strchr(root, '\n');
    char *wide = room_for(strlen(text) + 64);
    const int before = (int)(root - text);
    sprintf(wide, "%.*s\"root\":[\"1\",\"2\"]}}%s", before, text, end);
    expect_verified(wide);
    sprintf(wide, "%.*s\"root\":[\"-2\",\"2\"]}}%s", before, text, end);
    expect_refused(wide, "root: minpoly does not change its sign over the interval");
    sprintf(wide, "%.*s\"root\":[\"-1\",\"2\"]}}%s", before, text, end);
    expect_refused(wide, "root: the interval is too wide for one root");
    sprintf(wide, "%.*s\"root\":[\"2\",\"1\"]}}%s", before, text, end);
    expect_refused(wide, "root: the interval is empty");
    sprintf(wide, "%.*s\"root\":[\"3/2\",\"3/2\"]}}%s", before, text, end);
    expect_refused(wide, "root: not a root of minpoly");
    sprintf(wide, "%.*s\"root\":[\"1/0\",\"2\"]}}%s", before, text, end);
    expect_refused(wide, "root[0]: expected a fraction p/q");
    sprintf(wide, "%.*s\"root\":[\"1.5\",\"2\"]}}%s", before, text, end);
    expect_refused(wide, "root[0]: expected a fraction p/q");
    free(wide);
    free(text);
}

static void
a_reducible_polynomial_does_not_hide_equal_states(void **state)
{
    (void)state;
    /* x^2 - 1 at 1: a and 1 are one number, though two polynomials. */
    const char *text = "{\"schema\":\"ckda.cert/1\",\"kind\":\"closure\",\"part\":1,"
                       "\"parts\":1,\"rows\":1,\"cols\":1,\"degree\":2,\"letters\":1,"
                       "\"states\":2,\"levels\":[1,1]}\n"
                       "{\"field\":{\"minpoly\":[-1,0,1],\"root\":[\"1\",\"1\"]}}\n"
                       "{\"initial\":{\"den\":1,\"num\":[1,0]}}\n"
                       "{\"letter\":0,\"linear\":{\"den\":1,\"num\":[0,1]}}\n"
                       "{\"state\":0,\"next\":[1]}\n{\"state\":1,\"next\":[0]}\n"
                       "{\"end\":7}\n";
    expect_refused(text, "states 1 and 0 are the same, or too near");
    char *other = replaced(text, "[\"1\",\"1\"]", "[\"-1\",\"-1\"]");
    expect_verified(other); /* 1 and -1 */
    free(other);
}

static void
one_letter_and_no_letter_are_closures(void **state)
{
    const slong one[] = {1}, minus[] = {-1};
    small_system s;
    (void)state;
    small_open(&s, 1, 1, one);
    char *text = certificate_of(s.sys);
    expect_verified(text);
    expect_change_refused(text, "\"states\":1", "\"states\":0", "states: expected 1 to");
    free(text);
    small_letter(&s, minus, 1, NULL);
    text = certificate_of(s.sys);
    expect_verified(text);
    expect_change_refused(text, "\"next\":[1]", "\"next\":[]",
                          "next: expected 1 items, found 0");
    free(text);
    small_close(&s);
}

static void
offsets_belong_to_the_edges(void **state)
{
    const slong start[] = {0, 1}, swap[] = {0, 1, 1, 0}, shift[] = {0, 0},
                half[] = {1, 0, 0, 0};
    const slong up[] = {0, 1};
    small_system s;
    (void)state;
    small_open(&s, 2, 1, start);
    small_letter(&s, swap, 1, shift);
    small_letter(&s, half, 1, up);
    char *text = certificate_of(s.sys);
    expect_verified(text);
    expect_change_refused(text, "\"offset\":{\"den\":1,\"num\":[0,1]}",
                          "\"offset\":{\"den\":1,\"num\":[0,2]}",
                          "the exact successor is not state");
    expect_change_refused(text, "\"offset\":{\"den\":1,\"num\":[0,1]}",
                          "\"offset\":{\"den\":1,\"num\":[0]}", "num: expected 2 items");
    free(text);
    small_close(&s);
}

/* Z_2 with both letters the identity matrix: one state for two elements. */
static void
an_inconsistent_decoder_is_verified_as_that(void **state)
{
    const slong one[] = {1};
    ckda_group_t G;
    ckda_error err;
    small_system s;
    (void)state;
    assert_int_equal(ckda_group_init_named(G, "Z2", &err), CKDA_OK);
    small_open(&s, 1, 1, one);
    small_letter(&s, one, 1, NULL);
    small_letter(&s, one, 1, NULL);
    s.element[1] = 1;
    s.sys->G = G;
    s.sys->letter_element = s.element;
    char *text = certificate_of(s.sys);
    assert_non_null(strstr(text, "\"decoder\":\"inconsistent\""));
    expect_verified(text);
    expect_change_refused(
        text, "\"inconsistent\"",
        "\"consistent\",\"decoded\":1,\"states_per_element\":[1,1]",
        "state 0, letter 1: the label of state 0 is not the letter times "
        "the label");
    expect_change_refused(text, "\"letter\":1,\"element\":1",
                          "\"letter\":1,\"element\":0",
                          "stated inconsistent, but every label fits");
    free(text);
    small_close(&s);
    ckda_group_clear(G);
}

/* ---- infinite ---------------------------------------------------------------------- */

static char *
infinite_text(slong n, slong m, const slong *initial, const slong *A, slong den,
              const slong *B)
{
    small_system s;
    small_open(&s, n, m, initial);
    small_letter(&s, A, den, B);
    char *text = certificate_of(s.sys);
    assert_non_null(strstr(text, "\"kind\":\"infinite\""));
    small_close(&s);
    return text;
}

static void
infinite_orbits_are_verified(void **state)
{
    const slong one[] = {1}, two[] = {2}, eye[] = {1, 0, 0, 1}, turn[] = {3, -4, 4, 3},
                jordan[] = {1, 1, 0, 1}, zero[] = {0};
    (void)state;
    char *texts[] = {
        infinite_text(1, 1, one, two, 1, NULL),    /* growth */
        infinite_text(1, 1, one, one, 2, NULL),    /* 1, 1/2, 1/4, ... */
        infinite_text(2, 2, eye, turn, 5, NULL),   /* a turn of no finite order */
        infinite_text(2, 2, eye, jordan, 1, NULL), /* a Jordan block at 1 */
        infinite_text(1, 1, zero, one, 1, one),    /* a translation */
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        expect_verified(texts[i]);
        free(texts[i]);
    }
}

static void
a_wrong_infinite_certificate_is_refused(void **state)
{
    const slong eye[] = {1, 0, 0, 1}, turn[] = {3, -4, 4, 3};
    (void)state;
    char *text = infinite_text(2, 2, eye, turn, 5, NULL);
    expect_change_refused(text, "\"word\":[0]", "\"word\":[]", "word: empty");
    expect_change_refused(text, "\"word\":[0]", "\"word\":[1]", "word: expected 0 to 0");
    expect_change_refused(text, "\"prime\":2147483647", "\"prime\":2147483645",
                          "prime: not a prime number");
    expect_change_refused(text, "\"prime\":2147483647", "\"prime\":1",
                          "prime: expected 2 to 2147483647, found 1");
    expect_change_refused(text, "\"prime\":2147483647", "\"prime\":5",
                          "prime: divides a denominator");
    expect_change_refused(text, "\"den\":5,\"num\":[3,-4,4,3]",
                          "\"den\":1,\"num\":[0,-1,1,0]",
                          "its powers may repeat a state");
    free(text);
}

/* From 0 no word of halving and setting to 1 does it; after setting, halving does. */
static void
a_prefix_is_written_and_verified(void **state)
{
    (void)state;
    small_system s;
    small_open(&s, 1, 1, (const slong[]){0});
    small_letter(&s, (const slong[]){1}, 2, (const slong[]){0});
    small_letter(&s, (const slong[]){0}, 1, (const slong[]){1});
    char *text = certificate_of(s.sys);
    assert_non_null(strstr(text, "{\"prefix\":[1],\"word\":[0],\"prime\":2147483647}"));
    expect_verified(text);
    expect_change_refused(text, "\"prefix\":[1],", "", "its powers may repeat a state");
    free(text);
    small_close(&s);
}

/* Turns by 90 degrees about two points: three of one and one of the other make a shift.  Modulo
 * the first prime the points are the same one, so the certificate names another prime. */
static void
a_longer_word_is_written_and_verified(void **state)
{
    (void)state;
    small_system s;
    small_open(&s, 2, 1, (const slong[]){0, 0});
    small_letter(&s, (const slong[]){0, -1, 1, 0}, 1, (const slong[]){0, 0});
    small_letter(&s, (const slong[]){0, -1, 1, 0}, 1, (const slong[]){2147483647, 0});
    char *text = certificate_of(s.sys);
    assert_non_null(strstr(text, "\"word\":[0,0,0,1],\"prime\":2147483629}"));
    expect_verified(text);
    expect_change_refused(text, "2147483629}", "2147483647}",
                          "its powers may repeat a state");
    expect_change_refused(text, "[0,0,0,1]", "[0,0,1]", "its powers may repeat a state");
    free(text);
    small_close(&s);
}

/* One letter (x) over K, from the state (1). */
static char *
power_text(const ckda_field_t K, const ckda_elem_t x)
{
    ckda_system_t sys = {{0}};
    ckda_mat_t A;
    sys->K = K;
    sys->nletters = 1;
    sys->linear = A;
    ckda_mat_init(A, 1, 1, K);
    ckda_elem_set(A->entry, x, K);
    ckda_mat_init(sys->initial, 1, 1, K);
    ckda_mat_set_entry_si(sys->initial, 0, 0, 1, K);
    char *text = certificate_of(sys);
    ckda_mat_clear(A, K);
    ckda_mat_clear(sys->initial, K);
    return text;
}

static void
infinite_orbits_over_real_fields_are_verified(void **state)
{
    (void)state;
    for (ulong N = 7; N <= 24; N++) {
        ckda_field_t K;
        ckda_elem_t x;
        ckda_field_init_cos(K, N);
        ckda_elem_init(x, K);
        ckda_elem_gen(x, K); /* 2 cos(2 pi/N) */
        if (K->degree == 1)
            ckda_elem_set_si(x, 2, K);
        char *text = power_text(K, x);
        assert_non_null(strstr(text, "\"kind\":\"infinite\""));
        expect_verified(text);
        free(text);
        ckda_elem_clear(x, K);
        ckda_field_clear(K);
    }
}

static void
a_common_factor_with_a_reducible_polynomial_is_no_proof(void **state)
{
    (void)state;
    /* (x - 1) (x - 2) at the root 1: the letter x is the number 1, whose powers repeat;
     * at the other root they would not. */
    const char *text = "{\"schema\":\"ckda.cert/1\",\"kind\":\"infinite\",\"part\":1,"
                       "\"parts\":1,\"rows\":1,\"cols\":1,\"degree\":2,\"letters\":1}\n"
                       "{\"field\":{\"minpoly\":[2,-3,1],\"root\":[\"1\",\"1\"]}}\n"
                       "{\"initial\":{\"den\":1,\"num\":[1,0]}}\n"
                       "{\"letter\":0,\"linear\":{\"den\":1,\"num\":[0,1]}}\n"
                       "{\"word\":[0],\"prime\":2147483647}\n{\"end\":6}\n";
    expect_refused(text, "its powers may repeat a state");
    char *other = replaced(text, "\"num\":[0,1]", "\"num\":[1,1]"); /* 2 and 3 */
    expect_verified(other);
    free(other);
}

/* ---- rounded ------------------------------------------------------------------------- */

static char *
rounded_text(const char *system, const char *construction, const ckda_arith *a)
{
    static const ckda_cert_about about = {NULL, NULL, NULL, NULL};
    static const ckda_allwords_options options = {
        .methods = CKDA_ALLWORDS_PRODUCT, .threads = 1, .keep_graph = true};
    ckda_tracker_t t;
    ckda_rounded_t R;
    ckda_allwords_t r;
    ckda_error err;
    ckda_cert_writer *w;
    char name[256];
    temporary_name(name);
    if (ckda_tracker_init(t, system, construction, NULL, &err) != CKDA_OK
        || ckda_rounded_init(R, t, a, &err) != CKDA_OK
        || ckda_allwords_run(r, R, t, &options, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    assert_int_equal(r->verdict, CKDA_ALLWORDS_TRACKS);
    assert_int_equal(ckda_cert_open(&w, name, 1, &err), CKDA_OK);
    if (ckda_cert_add_rounded(w, &about, R, t, r, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    assert_int_equal(ckda_cert_close(&w, &err), CKDA_OK);
    char *text = read_all(name);
    unlink(name);
    ckda_allwords_clear(r);
    ckda_rounded_clear(R);
    ckda_tracker_clear(t);
    return text;
}

static void
rounded_closures_are_verified_bit_for_bit(void **state)
{
    (void)state;
    ckda_arith a = ckda_arith_default;
    for (int i = 0; i < 8; i++) {
        a.grid = 100;
        a.fma = (i & 1) != 0;
        a.order = (i & 6) == 2 ? CKDA_BETA_ON_DOT : CKDA_BETA_ON_KEY;
        a.form = i & 4 ? CKDA_FORM_MATRIX : CKDA_FORM_KEY;
        char *text = rounded_text(i % 3 ? "Z5" : "D3", "planar", &a);
        expect_verified(text);
        free(text);
    }
}

static void
dyadic_trackers_are_verified_in_every_format(void **state)
{
    const ckda_fp_format *const formats[] = {&ckda_fp_bf16, &ckda_fp_fp16, &ckda_fp_fp32,
                                             &ckda_fp_e5m2};
    (void)state;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        ckda_arith a = ckda_arith_default;
        a.state = formats[i];
        a.store = i % 2 ? CKDA_FP_RTZ : CKDA_FP_RNE;
        a.has_flush = i == 2;
        a.flush = 6;
        char *text = rounded_text("D6", "dyadic", &a);
        expect_verified(text);
        free(text);
    }
}

static void
a_wrong_rounded_certificate_is_refused(void **state)
{
    ckda_arith a = ckda_arith_default;
    (void)state;
    a.grid = 100;
    char *text = rounded_text("Z5", "planar", &a);
    expect_change_refused(text, "\"label\":1", "\"label\":2",
                          "is not the letter times the");
    expect_change_refused(text, "\"precision\":24", "\"precision\":0",
                          "precision: expected 1 to 1024");
    expect_change_refused(text, "\"precision\":24", "\"precision\":3",
                          "the exact successor is not");
    expect_change_refused(text, "\"start\":\"100\"", "\"start\":\"3\"", "state ");
    expect_change_refused(text, "\"start\":\"100\"", "\"start\":\"100/3\"",
                          "start: not a multiple of the unit");
    expect_change_refused(text, "\"sum\":\"fma\"", "\"sum\":\"all\"",
                          "sum: expected \"separate\" or \"fma\"");
    expect_change_refused(text, "\"rows\":2,\"cols\":2", "\"rows\":99,\"cols\":99",
                          "expected a square of at most 64");
    expect_change_refused(text, "\"max\":\"340", "\"max\":\"0\",\"was\":\"340",
                          "state 0, letter 0: an operation overflows");
    free(text);
}

/* ---- files ------------------------------------------------------------------------- */

static void
parts_are_counted(void **state)
{
    (void)state;
    char *a = certificate_named("Z2", "planar");
    char *first = replaced(a, "\"parts\":1", "\"parts\":2");
    char *second = replaced(first, "\"part\":1", "\"part\":2");
    char *both = room_for(strlen(first) + strlen(second) + 1);
    strcpy(both, first);
    expect_refused(both, "the file ends here");
    strcat(both, second);
    expect_verified(both);
    strcpy(both, first);
    strcat(both, first);
    expect_refused(both, "part 1 of 2 where part 2 is expected");
    strcpy(both, a);
    strcat(both, a);
    expect_refused(both, "something follows the last part");
    free(both);
    free(second);
    free(first);
    free(a);
}

static void
an_abandoned_certificate_leaves_what_was_there(void **state)
{
    char name[256];
    ckda_error err;
    ckda_cert_writer *w;
    (void)state;
    temporary_name(name);
    FILE *f = fopen(name, "w");
    fputs("old", f);
    fclose(f);
    assert_int_equal(ckda_cert_open(&w, name, 1, &err), CKDA_OK);
    ckda_cert_abandon(&w);
    assert_null(w);
    ckda_cert_abandon(&w);
    char *text = read_all(name);
    assert_string_equal(text, "old");
    free(text);
    unlink(name);
}

static void
a_place_that_cannot_be_written_is_an_error(void **state)
{
    ckda_error err;
    ckda_cert_writer *w = NULL;
    (void)state;
    assert_int_equal(ckda_cert_open(&w, "/no/such/folder/x", 1, &err), CKDA_E_IO);
    assert_non_null(strstr(err.text, "/no/such/folder/x"));
    assert_int_equal(ckda_cert_open(&w, "/", 1, &err), CKDA_E_IO);
    assert_non_null(strstr(err.text, "found a folder"));
    assert_null(w);
}

static void
a_full_disk_is_noticed_at_the_end(void **state)
{
    const slong one[] = {1};
    static const ckda_cert_about about = {NULL, NULL, NULL, NULL};
    small_system s;
    ckda_reach_t r;
    ckda_error err;
    ckda_cert_writer *w;
    (void)state;
    if (access("/dev/full", W_OK) != 0)
        skip();
    small_open(&s, 1, 1, one);
    assert_int_equal(ckda_reach_run(r, s.sys, NULL, CKDA_REACH_KEEP_GRAPH, &err),
                     CKDA_OK);
    assert_int_equal(ckda_cert_open(&w, "/dev/full", 1, &err), CKDA_OK);
    assert_int_equal(ckda_cert_add_reach(w, &about, s.sys, r, &err), CKDA_OK);
    assert_int_equal(ckda_cert_close(&w, &err), CKDA_E_IO);
    assert_null(w);
    ckda_reach_clear(r);
    small_close(&s);
}

static void
an_undecided_search_has_no_certificate(void **state)
{
    static const ckda_limits limits = {.max_states = 3};
    static const ckda_cert_about about = {NULL, NULL, NULL, NULL};
    ckda_construction_t c;
    ckda_system_t sys;
    ckda_reach_t r;
    ckda_error err;
    ckda_cert_writer *w;
    char name[256];
    (void)state;
    temporary_name(name);
    assert_int_equal(ckda_construct(c, "S4", "cube", &err), CKDA_OK);
    ckda_system_init_construct(sys, c);
    assert_int_equal(ckda_reach_run(r, sys, &limits, CKDA_REACH_KEEP_GRAPH, &err),
                     CKDA_OK);
    assert_int_equal(ckda_cert_open(&w, name, 1, &err), CKDA_OK);
    assert_int_equal(ckda_cert_add_reach(w, &about, sys, r, &err), CKDA_E_DOMAIN);
    assert_non_null(strstr(err.text, "did not decide (limit: states)"));
    ckda_cert_abandon(&w);
    assert_int_not_equal(access(name, F_OK), 0);
    ckda_reach_clear(r);
    ckda_system_clear(sys);
    ckda_construct_clear(c);
}

static void
names_of_any_bytes_stay_json(void **state)
{
    const slong one[] = {1};
    static const char *const names[] = {"\"\\\n\x80\xc3\xa9\xf0\x9f\x98\x80\xed\xa0\x80"};
    static const ckda_cert_about about = {"C", "a\"b", NULL, names};
    small_system s;
    ckda_reach_t r;
    ckda_error err;
    (void)state;
    small_open(&s, 1, 1, one);
    small_letter(&s, one, 1, NULL);
    assert_int_equal(ckda_reach_run(r, s.sys, NULL, CKDA_REACH_KEEP_GRAPH, &err),
                     CKDA_OK);
    char *text = certificate(s.sys, r, &about);
    expect_verified(text);
    free(text);
    ckda_reach_clear(r);
    small_close(&s);
}

/* ---- chance damage ------------------------------------------------------------------ */

static uint64_t
next_random(uint64_t *x)
{
    *x ^= *x << 13;
    *x ^= *x >> 7;
    *x ^= *x << 17;
    return *x;
}

/* Any bytes: an answer, and never a crash. */
static void
change_at_random(const char *text, uint64_t seed)
{
    enum { TRIES = 1500 };
    int refused = 0;
    uint64_t x = seed;
    char reason[512];
    const size_t n = strlen(text);
    for (int i = 0; i < TRIES; i++) {
        char *bad = room_for(n);
        memcpy(bad, text, n);
        const int changes = 1 + (int)(next_random(&x) % 3);
        for (int k = 0; k < changes; k++)
            bad[next_random(&x) % n] =
                (char)(i % 2 ? '0' + next_random(&x) % 10 : next_random(&x));
        const size_t length = i % 5 ? n : 1 + next_random(&x) % n;
        refused += check_bytes(bad, length, reason) == REFUSED;
        free(bad);
    }
    assert_true(refused > TRIES / 2);
}

static void
random_changes_get_an_answer(void **state)
{
    const slong eye[] = {1, 0, 0, 1}, turn[] = {3, -4, 4, 3};
    ckda_arith a = ckda_arith_default;
    (void)state;
    a.grid = 22;
    char *texts[] = {certificate_named("D3", "planar"),
                     infinite_text(2, 2, eye, turn, 5, NULL),
                     rounded_text("Z3", "planar", &a)};
    for (size_t i = 0; i < 3; i++) {
        change_at_random(texts[i], 88172645463325252u + i);
        free(texts[i]);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closures_of_all_constructions_are_verified),
        cmocka_unit_test(the_checker_says_what_it_verified),
        cmocka_unit_test(a_wider_interval_with_one_root_is_as_good),
        cmocka_unit_test(a_reducible_polynomial_does_not_hide_equal_states),
        cmocka_unit_test(one_letter_and_no_letter_are_closures),
        cmocka_unit_test(offsets_belong_to_the_edges),
        cmocka_unit_test(an_inconsistent_decoder_is_verified_as_that),
        cmocka_unit_test(infinite_orbits_are_verified),
        cmocka_unit_test(a_wrong_infinite_certificate_is_refused),
        cmocka_unit_test(a_prefix_is_written_and_verified),
        cmocka_unit_test(a_longer_word_is_written_and_verified),
        cmocka_unit_test(infinite_orbits_over_real_fields_are_verified),
        cmocka_unit_test(a_common_factor_with_a_reducible_polynomial_is_no_proof),
        cmocka_unit_test(rounded_closures_are_verified_bit_for_bit),
        cmocka_unit_test(dyadic_trackers_are_verified_in_every_format),
        cmocka_unit_test(a_wrong_rounded_certificate_is_refused),
        cmocka_unit_test(parts_are_counted),
        cmocka_unit_test(an_abandoned_certificate_leaves_what_was_there),
        cmocka_unit_test(a_place_that_cannot_be_written_is_an_error),
        cmocka_unit_test(a_full_disk_is_noticed_at_the_end),
        cmocka_unit_test(an_undecided_search_has_no_certificate),
        cmocka_unit_test(names_of_any_bytes_stay_json),
        cmocka_unit_test(random_changes_get_an_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
