/* Given inputs: exact values, laws, enclosures; the inverse computed in a format. */
#include "helper.h"

#define N16 "\"length\":16,\"inverse\":\"neumann\",\"inverse_format\":\"fp16\""

static void
equal_keys_with_beta_1(void **state)
{
    (void)state;
    ckda_range_t r;
    read_equal(r, N16, "[1]", "1", 16);
    assert_largest(r, "L^2", "14", CKDA_TRUE);
    assert_largest(r, "L^4", "364", CKDA_TRUE);
    assert_largest(r, "L^8", "3432", CKDA_TRUE);
    assert_largest(r, "T", "1", CKDA_TRUE);
    assert_int_equal(r->chunk.emulation.nonfinite, 0);
    assert_string_equal(r->chunk.emulation.error.exact, "0");
    assert_int_equal(r->verdict, CKDA_TRUE);
    ckda_range_clear(r);
}

static void
equal_keys_with_beta_2_overflow_in_100_entries(void **state)
{
    (void)state;
    ckda_range_t r;
    read_equal(r, N16, "[1]", "2", 16);
    assert_largest(r, "L^8", "878592", CKDA_FALSE);
    assert_largest(r, "T", "2", CKDA_TRUE);
    assert_int_equal(r->chunk.emulation.nonfinite, 100);
    assert_int_equal(r->chunk.emulation.entries, 256);
    assert_string_equal(r->chunk.emulation.computed, "nan");
    assert_string_equal(r->chunk.emulation.should.exact, "1");
    assert_int_equal(r->verdict, CKDA_FALSE);
    ckda_range_clear(r);
}

static void
grid_of_betas_finds_29_20(void **state)
{
    (void)state;
    ckda_range_t r;
    read_text(r, "{\"chunk\":{" N16 "}}");
    assert_string_equal(r->chunk.emulation.first_nonfinite, "29/20");
    assert_string_equal(r->chunk.emulation.first_wrong, "11/20");
    ckda_range_clear(r);
}

static void
beta_at_most_1_is_finite_but_wrong(void **state)
{
    (void)state;
    ckda_range_t r;
    read_text(r, "{\"chunk\":{" N16 ",\"beta_max\":1}}");
    assert_null(r->chunk.emulation.first_nonfinite);
    assert_string_equal(r->chunk.emulation.beta, "11/20");
    assert_int_equal(r->chunk.emulation.fits, CKDA_FALSE);
    assert_true(r->chunk.emulation.witness.present);
    for (size_t i = 0; i < r->chunk.nitems; i++)
        assert_int_equal(r->chunk.item[i].fits, CKDA_TRUE);
    ckda_range_clear(r);
}

static void
substitution_is_exact_for_equal_keys(void **state)
{
    (void)state;
    ckda_range_t r;
    read_equal(r, "\"length\":16,\"inverse_format\":\"fp16\"", "[1]", "2", 16);
    assert_largest(r, "partial sums", "2", CKDA_TRUE);
    assert_string_equal(r->chunk.emulation.error.exact, "0");
    assert_int_equal(r->verdict, CKDA_TRUE);
    ckda_range_clear(r);
}

/* Sums kept in fp16 lose what exact sums keep. */
static void
accumulating_in_fp16_is_worse(void **state)
{
    (void)state;
    ckda_range_t wide, narrow;
    read_equal(wide, N16, "[1]", "\"19/20\"", 16);
    read_equal(narrow, N16 ",\"accumulate_format\":\"fp16\"", "[1]", "\"19/20\"", 16);
    assert_true(atof(narrow->chunk.emulation.error.decimal)
                > atof(wide->chunk.emulation.error.decimal));
    ckda_range_clear(wide);
    ckda_range_clear(narrow);
}

/* Second way: the same product in doubles, exact for these integers until fp16 overflows. */
static double
to_half(double x)
{
    const uint64_t p = ckda_fp_from_double(x, &ckda_fp_fp16, &ckda_fp_rne);
    return ckda_fp_get_double(p, &ckda_fp_fp16);
}

static void
half_product(double *C, const double *A, const double *B, const double *add, int n)
{
    double D[256];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = add != NULL ? add[i * n + j] : 0;
            for (int l = 0; l < n; l++)
                s += A[i * n + l] * B[l * n + j];
            D[i * n + j] = to_half(s);
        }
    memcpy(C, D, (size_t)(n * n) * sizeof *D);
}

static void
doubles_count_the_same_non_finite_entries(void **state)
{
    (void)state;
    for (int n = 8; n <= 16; n++)
        for (int beta = 1; beta <= 4; beta++) {
            double P[256], T[256];
            size_t count = 0;
            char text[8];
            ckda_range_t r;
            for (int i = 0; i < n * n; i++) {
                P[i] = i / n > i % n ? beta : 0;
                T[i] = (i % (n + 1) == 0) - P[i];
            }
            for (int m = 2; m < n; m *= 2) {
                half_product(P, P, P, NULL, n);
                half_product(T, T, P, T, n);
            }
            for (int i = 0; i < n * n; i++)
                count += !(T[i] - T[i] == 0);
            snprintf(text, sizeof text, "%d", beta);
            read_equal(r, N16, "[1]", text, n);
            assert_int_equal(r->chunk.emulation.nonfinite, count);
            ckda_range_clear(r);
        }
}

/* ---- laws ---------------------------------------------------------------------------- */

static void
slow_decay(ckda_range_t r, int chunk)
{
    char text[8000];
    snprintf(
        text, sizeof text,
        "{\"chunk\":{\"length\":%d,\"inverse_format\":\"fp32\",\"keys\":%s,\"betas\":%s,"
        "\"gates\":%s,\"values\":%s}}",
        chunk, repeat("[\"1/2\",\"1/2\",\"1/2\",\"1/2\"]", 16), repeat("\"1/2\"", 16),
        repeat("\"599/600\"", 16), repeat("[1]", 16));
    read_text(r, text);
}

static void
chunkings_equal_the_recurrence(void **state)
{
    (void)state;
    ckda_range_t a, b;
    slow_decay(a, 16);
    slow_decay(b, 4);
    assert_int_equal(a->chunk.laws.chunk_equals_recurrence, CKDA_TRUE);
    assert_int_equal(b->chunk.laws.chunk_equals_recurrence, CKDA_TRUE);
    assert_non_null(a->chunk.laws.state);
    assert_string_equal(a->chunk.laws.state, b->chunk.laws.state);
    ckda_range_clear(a);
    ckda_range_clear(b);
}

static void
gate_of_one_changes_nothing(void **state)
{
    (void)state;
    char text[4000];
    ckda_range_t r;
    snprintf(text, sizeof text,
             "{\"chunk\":{\"length\":2,\"compare\":\"ungated\",\"keys\":%s,\"betas\":%s,"
             "\"gates\":%s,\"values\":%s}}",
             repeat("[\"3/5\",\"4/5\"]", 8), repeat("2", 8), repeat("[1,1]", 8),
             repeat("[1]", 8));
    read_text(r, text);
    assert_int_equal(r->chunk.laws.ungated, CKDA_TRUE);
    assert_int_equal(r->chunk.laws.period_is_identity, CKDA_TRUE);
    assert_int_equal(r->chunk.laws.chunk_equals_recurrence, CKDA_TRUE);
    assert_int_equal(r->verdict, CKDA_TRUE);
    ckda_range_clear(r);
}

static void
gate_below_one_changes_something(void **state)
{
    (void)state;
    char text[4000];
    ckda_range_t r;
    snprintf(text, sizeof text,
             "{\"chunk\":{\"length\":2,\"compare\":\"ungated\",\"keys\":%s,\"betas\":%s,"
             "\"gates\":%s}}",
             repeat("[\"3/5\",\"4/5\"]", 8), repeat("2", 8), repeat("[1,\"99/100\"]", 8));
    read_text(r, text);
    assert_int_equal(r->chunk.laws.ungated, CKDA_FALSE);
    assert_int_equal(r->chunk.laws.period_is_identity, CKDA_FALSE);
    assert_int_equal(r->verdict, CKDA_FALSE);
    ckda_range_clear(r);
}

static void
an_initial_state_is_carried(void **state)
{
    (void)state;
    ckda_range_t r;
    /* forget first: S0 = 1, gate 1/2, beta 1, v = 0 gives 0 */
    read_text(r,
              "{\"chunk\":{\"length\":1,\"keys\":[[1]],\"betas\":[1],\"gates\":[\"1/2\"],"
              "\"values\":[[0]],\"initial\":[[1]]}}");
    assert_string_equal(r->chunk.laws.state, "[[0]]");
    assert_int_equal(r->chunk.laws.chunk_equals_recurrence, CKDA_TRUE);
    ckda_range_clear(r);
}

static void
irrational_keys_are_exact(void **state)
{
    (void)state;
    ckda_range_t r;
    read_text(
        r,
        "{\"chunk\":{\"length\":2,\"inverse_format\":\"fp32\",\"keys\":"
        "[[\"sqrt(2)/2\",\"sqrt(2)/2\"],[1,0]],\"betas\":[2,2],\"values\":[[1],[1]]}}");
    assert_string_equal(item(r, "L")->largest.exact, "a");
    assert_memory_equal(item(r, "L")->largest.decimal, "1.41421356", 10);
    assert_int_equal(r->chunk.laws.chunk_equals_recurrence, CKDA_TRUE);
    ckda_range_clear(r);
}

/* ---- gates given as logarithms -------------------------------------------------------------- */

static void
logs_of_zero_are_gates_of_one(void **state)
{
    (void)state;
    ckda_range_t r;
    read_equal(r, N16 ",\"log_gates\":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]", "[1]", "2", 16);
    assert_true(r->chunk.balls);
    assert_null(item(r, "L^8")->largest.exact);
    assert_int_equal(item(r, "L^8")->fits, CKDA_FALSE);
    assert_int_equal(r->chunk.emulation.nonfinite, 100);
    assert_largest(r, "gate up", "1", CKDA_TRUE);
    ckda_range_clear(r);
}

static void
silent_loss_is_found(void **state)
{
    (void)state;
    ckda_range_t r;
    const char *head =
        "\"length\":64,\"inverse_format\":\"fp32\",\"flush_subnormals\":true,"
        "\"log_gates\":[-11,-11,-11,-11,-11,-11,-11,-11,0]";
    read_equal(r, head, "[1]", "1", 9);
    assert_int_equal(item(r, "gate up")->fits, CKDA_TRUE); /* exp(88) is finite */
    assert_int_equal(item(r, "gate down")->fits, CKDA_FALSE);
    assert_int_equal(item(r, "gate down")->why, CKDA_BREAK_UNDERFLOW);
    ckda_range_clear(r);
}

static void
losing_what_is_negligible_fits(void **state)
{
    (void)state;
    ckda_range_t r;
    /* every term that the zero factor belongs to is below exp(-110) itself */
    read_equal(r,
               "\"length\":64,\"inverse_format\":\"fp32\",\"anchor_at\":\"first\","
               "\"factor_format\":\"fp64\",\"gate_format\":\"fp32\","
               "\"log_gates\":[0,\"-87\"]",
               "[1]", "1", 2);
    assert_int_equal(item(r, "gate down")->fits, CKDA_TRUE);
    ckda_range_clear(r);
    read_equal(r,
               "\"length\":64,\"inverse_format\":\"fp32\",\"anchor_at\":\"first\","
               "\"gate_format\":\"bf16\",\"log_gates\":[0,\"-110\"]",
               "[1]", "1", 2);
    assert_int_equal(item(r, "gate down")->fits, CKDA_TRUE);
    assert_int_equal(item(r, "gate up")->fits, CKDA_FALSE);
    ckda_range_clear(r);
}

static void
tiles_begin_anew(void **state)
{
    (void)state;
    ckda_range_t r;
    read_equal(r,
               "\"length\":4,\"anchor\":2,\"inverse_format\":\"fp32\","
               "\"log_gates\":[-3,-3,-3,-3]",
               "[1]", "1", 4);
    assert_largest(r, "gate up", "exp(6)", CKDA_TRUE);
    ckda_range_clear(r);
    read_equal(
        r,
        "\"length\":4,\"anchor\":4,\"anchor_at\":\"middle\",\"inverse_format\":\"fp32\","
        "\"log_gates\":[-3,-3,-3,-3]",
        "[1]", "1", 4);
    assert_largest(r, "gate up", "exp(6)", CKDA_TRUE);
    assert_string_equal(item(r, "gate down")->largest.exact, "1");
    assert_string_equal(item(r, "gate down")->smallest.exact, "exp(-6)");
    ckda_range_clear(r);
}

static void
gram_gives_what_keys_give(void **state)
{
    (void)state;
    static const char *const names[] = {"L", "L^2", "T", "U"};
    ckda_range_t a, b;
    const char *head =
        "{\"chunk\":{\"length\":4,\"inverse\":\"neumann\",\"inverse_format\":"
        "\"fp32\",\"betas\":[1,2,\"1/2\",1],\"values\":[[1],[2],[3],[4]],";
    char text[2000];
    snprintf(text, sizeof text,
             "%s\"keys\":[[\"3/5\",\"4/5\"],[1,0],[0,1],[\"4/5\",\"-3/5\"]]}}", head);
    read_text(a, text);
    snprintf(text, sizeof text,
             "%s\"gram\":[[1,\"3/5\",\"4/5\",0],[\"3/5\",1,0,\"4/5\"],"
             "[\"4/5\",0,1,\"-3/5\"],[0,\"4/5\",\"-3/5\",1]]}}",
             head);
    read_text(b, text);
    for (size_t k = 0; k < 4; k++)
        assert_string_equal(item(a, names[k])->largest.exact,
                            item(b, names[k])->largest.exact);
    ckda_range_clear(a);
    ckda_range_clear(b);
}

static void
blocks_are_inverted_apart(void **state)
{
    (void)state;
    ckda_range_t r;
    read_equal(
        r,
        "\"length\":16,\"block\":8,\"inverse\":\"neumann\",\"inverse_format\":\"fp16\"",
        "[1]", "2", 16);
    assert_largest(r, "L^4", "320", CKDA_TRUE); /* 2^4 C(6,3) */
    assert_int_equal(r->chunk.emulation.tokens, 8);
    assert_int_equal(r->chunk.emulation.nonfinite, 0);
    ckda_range_clear(r);
}

static void
place_of_the_largest_is_named(void **state)
{
    (void)state;
    ckda_range_t r;
    read_text(
        r, "{\"chunk\":{\"length\":2,\"keys\":[[1],[1],[1],[1]],\"betas\":[1,1,1,2]}}");
    const ckda_range_item *i = item(r, "L");
    assert_string_equal(i->largest.exact, "2");
    assert_int_equal(i->chunk, 1);
    assert_int_equal(i->row, 1);
    assert_int_equal(i->col, 0);
    ckda_range_clear(r);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_keys_with_beta_1),
        cmocka_unit_test(equal_keys_with_beta_2_overflow_in_100_entries),
        cmocka_unit_test(grid_of_betas_finds_29_20),
        cmocka_unit_test(beta_at_most_1_is_finite_but_wrong),
        cmocka_unit_test(substitution_is_exact_for_equal_keys),
        cmocka_unit_test(accumulating_in_fp16_is_worse),
        cmocka_unit_test(doubles_count_the_same_non_finite_entries),
        cmocka_unit_test(chunkings_equal_the_recurrence),
        cmocka_unit_test(gate_of_one_changes_nothing),
        cmocka_unit_test(gate_below_one_changes_something),
        cmocka_unit_test(an_initial_state_is_carried),
        cmocka_unit_test(irrational_keys_are_exact),
        cmocka_unit_test(logs_of_zero_are_gates_of_one),
        cmocka_unit_test(silent_loss_is_found),
        cmocka_unit_test(losing_what_is_negligible_fits),
        cmocka_unit_test(tiles_begin_anew),
        cmocka_unit_test(gram_gives_what_keys_give),
        cmocka_unit_test(blocks_are_inverted_apart),
        cmocka_unit_test(place_of_the_largest_is_named),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
