/* Bounds over a box: values known in closed form, brute force, witnesses. */
#include "helper.h"

#define NEUMANN "\"length\":16,\"inverse\":\"neumann\",\"inverse_format\":\"fp16\""

static void
box(ckda_range_t r, const char *members)
{
    char text[1024];
    snprintf(text, sizeof text, "{\"chunk\":{%s}}", members);
    read_text(r, text);
}

static void
powers_of_equal_keys_are_binomials(void **state)
{
    (void)state;
    ckda_range_t r;
    box(r, NEUMANN ",\"beta_max\":\"1\"");
    assert_largest(r, "L", "1", CKDA_TRUE);
    assert_largest(r, "L^2", "14", CKDA_TRUE);
    assert_largest(r, "L^4", "364", CKDA_TRUE);
    assert_largest(r, "L^8", "3432", CKDA_TRUE);
    assert_true(item(r, "L^8")->attained);
    assert_int_equal(item(r, "L^8")->integers_lost, CKDA_TRUE);
    assert_int_equal(item(r, "L^4")->integers_lost, CKDA_FALSE);
    ckda_range_clear(r);
}

static void
powers_scale_with_beta(void **state)
{
    (void)state;
    ckda_range_t r;
    box(r, NEUMANN ",\"beta_max\":\"2\"");
    assert_largest(r, "L^8", "878592", CKDA_FALSE);
    assert_int_equal(item(r, "L^8")->why, CKDA_BREAK_OVERFLOW);
    assert_largest(r, "T", "2", CKDA_TRUE);
    ckda_range_clear(r);
}

static void
first_beta_that_overflows_L8_is_29_20(void **state)
{
    (void)state;
    ckda_range_t r;
    fmpq_t want;
    fmpq_init(want);
    fmpq_set_si(want, 29, 20);
    box(r, NEUMANN);
    const ckda_range_item *i = item(r, "L^8");
    assert_true(i->least.present && fmpq_equal(i->least.beta, want));
    assert_int_equal(i->least.tokens, 16);
    assert_int_equal(i->shortest.tokens, 13);
    fmpq_clear(want);
    ckda_range_clear(r);
}

static void
bf16_holds_what_fp16_does_not(void **state)
{
    (void)state;
    ckda_range_t r;
    box(r, "\"length\":16,\"inverse\":\"neumann\",\"inverse_format\":\"bf16\"");
    assert_largest(r, "L^8", "878592", CKDA_TRUE);
    ckda_range_clear(r);
}

static void
beta_above_2_grows(void **state)
{
    (void)state;
    ckda_range_t r;
    box(r, "\"length\":5,\"inverse_format\":\"fp16\",\"beta_max\":\"3\"");
    assert_largest(r, "T", "24", CKDA_TRUE); /* 3 * 2^3 */
    assert_largest(r, "W", "48", CKDA_TRUE); /* 3 * 2^4 */
    assert_true(item(r, "T")->attained && item(r, "W")->attained);
    ckda_range_clear(r);
}

static void
key_length_enters_squared(void **state)
{
    (void)state;
    ckda_range_t r;
    box(r, "\"length\":16,\"inverse\":\"neumann\",\"inverse_format\":\"fp16\","
           "\"beta_max\":\"1\",\"key_norm_max\":\"2\"");
    assert_largest(r, "L", "4", CKDA_TRUE);
    assert_largest(r, "L^2", "224", CKDA_TRUE);
    ckda_range_clear(r);
}

static void
small_correlation_keeps_small(void **state)
{
    (void)state;
    ckda_range_t r;
    box(r, NEUMANN ",\"beta_max\":\"1\",\"correlation_max\":\"1/4\"");
    assert_largest(r, "L", "1/4", CKDA_TRUE);
    assert_largest(r, "L^8", "429/8192", CKDA_TRUE);
    assert_int_equal(r->verdict, CKDA_TRUE);
    ckda_range_clear(r);
}

static void
channel_gates_weaken_the_correlation(void **state)
{
    (void)state;
    ckda_range_t r;
    box(r,
        "\"length\":4,\"beta_max\":\"1\",\"correlation_max\":\"0\",\"gate\":\"channel\","
        "\"gate_lower_bound\":\"-5\"");
    assert_largest(r, "L", "1/2", CKDA_TRUE);
    assert_false(item(r, "L")->attained);
    ckda_range_clear(r);
    box(r,
        "\"length\":4,\"beta_max\":\"1\",\"correlation_max\":\"0\",\"gate\":\"scalar\","
        "\"gate_lower_bound\":\"-5\"");
    assert_largest(r, "L", "0", CKDA_TRUE);
    ckda_range_clear(r);
}

static void
few_dimensions_allow_few_tokens_at_one_angle(void **state)
{
    (void)state;
    ckda_range_t r;
    /* the bound is above fp16, but 4 dimensions do not hold 16 keys at this angle */
    box(r, NEUMANN ",\"beta_max\":\"2\",\"correlation_max\":\"9/10\",\"head_dim\":4");
    assert_int_equal(item(r, "L^8")->fits, CKDA_UNKNOWN);
    assert_int_equal(r->verdict, CKDA_UNKNOWN);
    assert_false(r->chunk.emulation.present);
    ckda_range_clear(r);
    box(r, NEUMANN ",\"beta_max\":\"2\",\"correlation_max\":\"9/10\",\"head_dim\":16");
    assert_int_equal(item(r, "L^8")->fits, CKDA_FALSE);
    ckda_range_clear(r);
}

static void
values_add_up(void **state)
{
    (void)state;
    ckda_range_t r;
    box(r, "\"length\":4,\"wy_format\":\"fp16\",\"beta_max\":\"2\",\"value_max\":\"3\"");
    assert_largest(r, "U", "42", CKDA_TRUE); /* 3 (2 + 3 * 4) */
    assert_true(item(r, "U")->attained);
    ckda_range_clear(r);
}

static void
substitution_never_exceeds_beta(void **state)
{
    (void)state;
    ckda_range_t r;
    box(r,
        "\"length\":64,\"block\":16,\"inverse_format\":\"e4m3\",\"wy_format\":\"e4m3\","
        "\"tolerance\":\"1\"");
    assert_largest(r, "partial sums", "2", CKDA_TRUE);
    assert_largest(r, "merge", "2", CKDA_TRUE);
    assert_largest(r, "W", "2", CKDA_TRUE);
    ckda_range_clear(r);
}

/* Second way: every L with entries +-1 below the diagonal (n = 5: 1024 of them) and its
 * powers, partial products and inverse, in machine integers. */
enum { N = 5 };

static void
multiply(long *C, const long *A, const long *B)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            long s = 0;
            for (int l = 0; l < N; l++)
                s += A[i * N + l] * B[l * N + j];
            C[i * N + j] = s;
        }
}

static long
largest_of(const long *A)
{
    long m = 0;
    for (int i = 0; i < N * N; i++)
        m = labs(A[i]) > m ? labs(A[i]) : m;
    return m;
}

static void
bounds_hold_for_every_sign_pattern(void **state)
{
    (void)state;
    ckda_range_t r;
    long most2 = 0, most4 = 0, mostp = 0;
    for (int mask = 0; mask < 1 << (N * (N - 1) / 2); mask++) {
        long L[N * N] = {0}, P2[N * N], P4[N * N], X[N * N], Y[N * N];
        int bit = 0;
        for (int i = 0; i < N; i++)
            for (int j = 0; j < i; j++)
                L[i * N + j] = mask >> bit++ & 1 ? 1 : -1;
        multiply(P2, L, L);
        multiply(P4, P2, P2);
        for (int i = 0; i < N * N; i++)
            X[i] = (i % (N + 1) == 0) - L[i];
        multiply(Y, X, P2);
        for (int i = 0; i < N * N; i++)
            Y[i] += X[i];
        most2 = largest_of(P2) > most2 ? largest_of(P2) : most2;
        most4 = largest_of(P4) > most4 ? largest_of(P4) : most4;
        mostp = largest_of(Y) > mostp ? largest_of(Y) : mostp;
    }
    box(r, "\"length\":5,\"inverse\":\"neumann\",\"inverse_format\":\"fp32\","
           "\"beta_max\":\"1\"");
    assert_int_equal(most2, 3);
    assert_int_equal(most4, 1);
    assert_largest(r, "L^2", "3", CKDA_TRUE);
    assert_largest(r, "L^4", "1", CKDA_TRUE);
    /* more matrices than those of keys: the triangle bound 1 + 3 + 3 for all of them, and
     * the bound by T (I - L^4) for those of keys */
    assert_int_equal(mostp, 7);
    assert_true(atol(item(r, "product to L^2")->largest.exact) <= mostp);
    ckda_range_clear(r);
}

/* ---- gates ------------------------------------------------------------------------------ */

#define GATED "\"block\":8,\"inverse_format\":\"fp32\",\"beta_max\":\"1\","

static void
one_anchor_for_64_tokens_overflows(void **state)
{
    (void)state;
    ckda_range_t r;
    box(r, GATED "\"length\":64,\"gate_lower_bound\":\"-5\"");
    assert_largest(r, "gate up", "exp(320)", CKDA_FALSE);
    assert_int_equal(item(r, "gate up")->shortest.tokens, 18);
    assert_int_equal(item(r, "gate down")->fits, CKDA_FALSE);
    assert_int_equal(item(r, "gate down")->why, CKDA_BREAK_UNDERFLOW);
    ckda_range_clear(r);
    box(r, GATED "\"length\":64,\"gate_lower_bound\":\"-3\"");
    assert_largest(r, "gate up", "exp(192)", CKDA_FALSE);
    assert_int_equal(item(r, "gate up")->shortest.tokens, 30);
    ckda_range_clear(r);
}

static void
tiles_of_16_fit(void **state)
{
    (void)state;
    ckda_range_t r;
    box(r, GATED "\"length\":64,\"anchor\":16,\"gate_lower_bound\":\"-5\"");
    assert_largest(r, "gate up", "exp(80)", CKDA_TRUE);
    assert_largest(r, "key up", "exp(80)", CKDA_TRUE);
    assert_int_equal(r->verdict, CKDA_TRUE);
    ckda_range_clear(r);
}

/* Public measurements: 5.915 measured from the first row, 11.09 from the middle. */
static void
largest_bound_that_fits(void **state)
{
    (void)state;
    ckda_range_t r;
    box(r, GATED "\"length\":16,\"anchor_at\":\"first\",\"gate_lower_bound\":\"-5\"");
    assert_memory_equal(item(r, "gate up")->bound_that_fits, "5.91485", 7);
    ckda_range_clear(r);
    box(r, GATED "\"length\":16,\"anchor_at\":\"middle\",\"gate_lower_bound\":\"-5\"");
    assert_memory_equal(item(r, "gate up")->bound_that_fits, "11.0903", 7);
    assert_largest(r, "gate up", "exp(40)", CKDA_TRUE);
    ckda_range_clear(r);
}

static void
fp32_edge_lies_between_bounds(void **state)
{
    (void)state;
    ckda_range_t r;
    /* 15 steps: exp(88.7228390...) is the edge */
    box(r, GATED
        "\"length\":16,\"anchor_at\":\"first\",\"gate_lower_bound\":\"-59148/10000\"");
    assert_int_equal(item(r, "gate up")->fits, CKDA_TRUE);
    ckda_range_clear(r);
    box(r, GATED
        "\"length\":16,\"anchor_at\":\"first\",\"gate_lower_bound\":\"-59149/10000\"");
    assert_int_equal(item(r, "gate up")->fits, CKDA_FALSE);
    ckda_range_clear(r);
}

static void
channels_of_a_token_may_lie_88_apart(void **state)
{
    (void)state;
    ckda_range_t r;
    box(r, GATED "\"length\":16,\"anchor_at\":\"token\",\"gate_lower_bound\":\"-11/2\"");
    assert_largest(r, "gate up", "exp(88)", CKDA_TRUE);
    ckda_range_clear(r);
    box(r, GATED "\"length\":16,\"anchor_at\":\"token\",\"gate_lower_bound\":\"-6\"");
    assert_largest(r, "gate up", "exp(96)", CKDA_FALSE);
    assert_int_equal(item(r, "gate up")->shortest.tokens, 15);
    ckda_range_clear(r);
}

static void
flushed_subnormals_lose_earlier(void **state)
{
    (void)state;
    ckda_range_t r;
    box(r, GATED "\"length\":16,\"gate_lower_bound\":\"-11/2\"");
    assert_int_equal(item(r, "gate down")->fits, CKDA_TRUE);
    assert_true(item(r, "gate down")->subnormal);
    ckda_range_clear(r);
    box(r,
        GATED "\"length\":16,\"gate_lower_bound\":\"-11/2\",\"flush_subnormals\":true");
    assert_largest(r, "gate up", "exp(88)", CKDA_TRUE);
    assert_int_equal(item(r, "gate down")->fits, CKDA_FALSE);
    ckda_range_clear(r);
}

static void
a_lone_token_has_no_partner_to_lose(void **state)
{
    (void)state;
    ckda_range_t r;
    box(r, GATED "\"length\":16,\"anchor\":1,\"gate_lower_bound\":\"-200\"");
    assert_int_equal(item(r, "gate down")->fits, CKDA_TRUE);
    ckda_range_clear(r);
}

/* ---- witnesses -------------------------------------------------------------------------- */

static ckda_truth
replay(const ckda_range_witness *w, const ckda_range_t r, const char *name)
{
    ckda_range_t again;
    ckda_error err;
    json_t *tree = ckda_range_witness_document(w, &r->chunk);
    ckda_doc *doc = ckda_doc_wrap(tree, "witness");
    const ckda_node root = ckda_doc_root(doc);
    ckda_error_clear(&err);
    if (ckda_range_read(again, &root, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    const ckda_truth fits = item(again, name)->fits;
    ckda_range_clear(again);
    ckda_doc_close(&doc);
    json_decref(tree);
    return fits;
}

static void
every_witness_breaks_when_read_again(void **state)
{
    (void)state;
    static const char *const boxes[] = {
        NEUMANN,
        NEUMANN ",\"correlation_max\":\"9/10\"",
        NEUMANN ",\"key_norm_max\":\"3/2\"",
        "\"length\":20,\"inverse_format\":\"e5m2\",\"beta_max\":\"4\",\"value_max\":"
        "\"3\","
        "\"wy_format\":\"e5m2\"",
        GATED "\"length\":32,\"gate_lower_bound\":\"-5\"",
        GATED "\"length\":32,\"anchor_at\":\"first\",\"gate_lower_bound\":\"-5\"",
        GATED "\"length\":40,\"anchor_at\":\"middle\",\"gate_lower_bound\":\"-6\"",
        GATED "\"length\":32,\"anchor_at\":\"token\",\"gate_lower_bound\":\"-5\"",
        GATED "\"length\":16,\"gate_lower_bound\":\"-5\",\"factor_format\":\"fp16\"",
        GATED "\"length\":16,\"gate_lower_bound\":\"-11/2\",\"flush_subnormals\":true"};
    int seen = 0;
    for (size_t k = 0; k < sizeof boxes / sizeof boxes[0]; k++) {
        ckda_range_t r;
        box(r, boxes[k]);
        for (size_t i = 0; i < r->chunk.nitems; i++) {
            const ckda_range_item *x = r->chunk.item + i;
            if (x->fits != CKDA_FALSE || strcmp(x->name, "merge") == 0)
                continue;
            seen++;
            if (replay(&x->shortest, r, x->name) != CKDA_FALSE)
                fail_msg("box %zu: %s with %ld tokens", k, x->name,
                         (long)x->shortest.tokens);
            if (x->least.present && replay(&x->least, r, x->name) != CKDA_FALSE)
                fail_msg("box %zu: %s, smallest beta", k, x->name);
        }
        ckda_range_clear(r);
    }
    assert_true(seen >= 20);
}

static void
one_token_fewer_does_not_break(void **state)
{
    (void)state;
    static const char *const names[] = {"L^8", "product to L^4"};
    ckda_range_t r;
    box(r, NEUMANN);
    for (int k = 0; k < 2; k++) {
        ckda_range_witness w = item(r, names[k])->shortest; /* shares the numbers */
        w.tokens--;
        assert_int_equal(replay(&w, r, names[k]), CKDA_TRUE);
    }
    ckda_range_clear(r);
    box(r, GATED "\"length\":32,\"gate_lower_bound\":\"-5\"");
    ckda_range_witness w = item(r, "gate up")->shortest;
    w.tokens--;
    assert_int_equal(replay(&w, r, "gate up"), CKDA_TRUE);
    ckda_range_clear(r);
}

/* Given inputs of a box never exceed its bounds: three-dimensional rational unit keys. */
static void
given_inputs_stay_below_the_box(void **state)
{
    (void)state;
    static const char *const keys[] = {"[\"3/5\",\"4/5\",0]", "[\"-5/13\",0,\"12/13\"]",
                                       "[\"2/3\",\"1/3\",\"-2/3\"]", "[0,1,0]",
                                       "[\"6/7\",\"-2/7\",\"3/7\"]"};
    static const char *const betas[] = {"\"2\"", "\"1\"", "\"3/2\"", "\"1/7\""};
    static const char *const names[] = {"L", "L^2", "L^4", "product to L^2",
                                        "T", "W",   "U"};
    ckda_range_t all, one;
    fmpq_t a, b;
    fmpq_init(a);
    fmpq_init(b);
    box(all, "\"length\":8,\"inverse\":\"neumann\",\"inverse_format\":\"fp32\","
             "\"gate_lower_bound\":\"-1\",\"value_max\":\"1\"");
    for (unsigned seed = 1; seed <= 40; seed++) {
        char text[2000] =
            "{\"chunk\":{\"length\":8,\"inverse\":\"neumann\",\"inverse_format\":"
            "\"fp32\",\"keys\":[";
        unsigned x = seed * 2654435761u;
        char beta[200] = "", value[200] = "", gate[200] = "";
        for (int i = 0; i < 8; i++) {
            const char *comma = i > 0 ? "," : "";
            x = x * 1664525u + 1013904223u;
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", comma,
                     keys[(x >> 16) % 5]);
            snprintf(beta + strlen(beta), sizeof beta - strlen(beta), "%s%s", comma,
                     betas[(x >> 20) % 4]);
            snprintf(value + strlen(value), sizeof value - strlen(value), "%s[%d]", comma,
                     (x >> 24 & 1) ? 1 : -1);
            snprintf(gate + strlen(gate), sizeof gate - strlen(gate),
                     "%s[1,\"%s1/%d\",-1]", comma, (x >> 25 & 1) ? "-" : "",
                     1 + (int)(x >> 26 & 1));
        }
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "],\"betas\":[%s],\"values\":[%s],\"gates\":[%s]}}", beta, value, gate);
        read_text(one, text);
        for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
            assert_int_equal(fmpq_set_str(a, item(one, names[k])->largest.exact, 10), 0);
            assert_int_equal(fmpq_set_str(b, item(all, names[k])->largest.exact, 10), 0);
            assert_true(fmpq_cmp(a, b) <= 0);
        }
        assert_int_equal(one->chunk.laws.chunk_equals_recurrence, CKDA_TRUE);
        ckda_range_clear(one);
    }
    ckda_range_clear(all);
    fmpq_clear(a);
    fmpq_clear(b);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(powers_of_equal_keys_are_binomials),
        cmocka_unit_test(powers_scale_with_beta),
        cmocka_unit_test(first_beta_that_overflows_L8_is_29_20),
        cmocka_unit_test(bf16_holds_what_fp16_does_not),
        cmocka_unit_test(beta_above_2_grows),
        cmocka_unit_test(key_length_enters_squared),
        cmocka_unit_test(small_correlation_keeps_small),
        cmocka_unit_test(channel_gates_weaken_the_correlation),
        cmocka_unit_test(few_dimensions_allow_few_tokens_at_one_angle),
        cmocka_unit_test(values_add_up),
        cmocka_unit_test(substitution_never_exceeds_beta),
        cmocka_unit_test(bounds_hold_for_every_sign_pattern),
        cmocka_unit_test(one_anchor_for_64_tokens_overflows),
        cmocka_unit_test(tiles_of_16_fit),
        cmocka_unit_test(largest_bound_that_fits),
        cmocka_unit_test(fp32_edge_lies_between_bounds),
        cmocka_unit_test(channels_of_a_token_may_lie_88_apart),
        cmocka_unit_test(flushed_subnormals_lose_earlier),
        cmocka_unit_test(a_lone_token_has_no_partner_to_lose),
        cmocka_unit_test(every_witness_breaks_when_read_again),
        cmocka_unit_test(one_token_fewer_does_not_break),
        cmocka_unit_test(given_inputs_stay_below_the_box),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
