/* Exact numbers (a + b phi)/2, the tables of a group-word trace, decoding. */
#include "fixture.h"
#include "words.h"

/* ---- icosians ---------------------------------------------------------------------- */

static void
golden_numbers_are_recognised(void **state)
{
    (void)state;
    half_phi x;
    assert_true(half_phi_recognise(&x, 0.8090169943749475) && x.a == 0 && x.b == 1);
    assert_true(half_phi_recognise(&x, 0.3090169943749474) && x.a == -1 && x.b == 1);
    assert_true(half_phi_recognise(&x, -0.5) && x.a == -1 && x.b == 0);
    assert_true(half_phi_recognise(&x, 0) && x.a == 0 && x.b == 0);
    assert_true(fabs(half_phi_double((half_phi){1, 1}) - 1.3090169943749475) < 1e-15);
    assert_false(half_phi_recognise(&x, 0.333));
    assert_false(half_phi_recognise(&x, 0.809));
    assert_false(half_phi_recognise(&x, 0.80859375)); /* the bf16 of phi/2 */
    assert_false(half_phi_recognise(&x, NAN));
    assert_false(half_phi_recognise(&x, 1e300));
}

static const half_phi ICO[4] = {
    {1, 0}, {-1, 1}, {0, 1}, {0, 0}}; /* (1, 1/phi, phi, 0)/2 */

static void
unit_keys_are_exactly_unit(void **state)
{
    (void)state;
    const half_phi off[4] = {{1, 0}, {-1, 1}, {0, 1}, {1, 0}};
    assert_true(half_phi_is_unit(ICO, 4));
    assert_false(half_phi_is_unit(off, 4));
}

static void
letters_are_orthogonal(void **state)
{
    (void)state;
    const int s[4] = {-1, 1, 1, 1};
    icosian_mat m, back, one;
    icosian_letter(&m, ICO, s);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            back.e[4 * i + j] = m.e[4 * j + i];
    icosian_one(&one);
    assert_true(icosian_mul(&back, &m, &back));
    assert_memory_equal(&back, &one, sizeof one);
}

static void
products_outside_the_ring_are_refused(void **state)
{
    (void)state;
    icosian_mat m;
    icosian_one(&m);
    m.e[0] = (half_phi){1, 0}; /* 1/2 times 1/2 is no half-integer */
    assert_false(icosian_mul(&m, &m, &m));
    icosian_one(&m);
    m.e[0] = (half_phi){4000, 0};
    assert_false(icosian_mul(&m, &m, &m));
}

static void
read_out_is_a_homomorphism(void **state)
{
    (void)state;
    const int s[4] = {-1, 1, 1, 1};
    const half_phi k2[4] = {{1, 0}, {1, 0}, {-1, 0}, {1, 0}};
    icosian_mat a, b, ab;
    icosian_rot fa, fb, fab;
    icosian_letter(&a, ICO, s);
    icosian_letter(&b, k2, s);
    assert_true(icosian_mul(&ab, &a, &b));
    assert_true(icosian_readout(&fa, &a) && icosian_readout(&fb, &b));
    assert_true(icosian_readout(&fab, &ab) && icosian_rot_mul(&fa, &fa, &fb));
    assert_memory_equal(&fa, &fab, sizeof fab);
}

static void
read_out_in_doubles_is_the_same(void **state)
{
    (void)state;
    const int s[4] = {-1, 1, 1, 1};
    icosian_mat a;
    icosian_rot f;
    double m[16], d[9];
    icosian_letter(&a, ICO, s);
    for (int i = 0; i < 16; i++)
        m[i] = half_phi_double(a.e[i]);
    assert_true(icosian_readout(&f, &a));
    readout_double(d, m, 4);
    for (int i = 0; i < 9; i++)
        assert_true(fabs(d[i] - half_phi_double(f.e[i])) < 1e-14);
}

/* ---- a group of two elements: 1 and the letter (0, 1, 0, 0) -------------------------- */

enum { T = 6 };

typedef struct {
    double keys[8], signs[8], k[T * 4], alpha[T * 4], o[T * 16];
    unsigned char product[4], letters[T], element[T];
} two_group;

/* The key e_1 with signs (-1,1,1,1): diag(-1,-1,1,1), a half turn. */
static two_group
half_turns(void)
{
    two_group g = {.keys = {1, 0, 0, 0, 0, 1, 0, 0},
                   .signs = {-1, 1, 1, 1, -1, 1, 1, 1},
                   .product = {0, 1, 1, 0},
                   .letters = {1, 0, 1, 1, 0, 1}};
    int e = 0;
    for (int t = 0; t < T; t++) {
        e ^= g.letters[t];
        g.element[t] = (unsigned char)e;
        for (int i = 0; i < 4; i++) {
            g.k[4 * t + i] = g.keys[4 * g.letters[t] + i];
            g.alpha[4 * t + i] = g.signs[4 * g.letters[t] + i];
            g.o[16 * t + 5 * i] = e != 0 && i < 2 ? -1 : 1;
        }
    }
    return g;
}

static void
fill(ckda_tensors *ts, const two_group *g)
{
    const uint64_t table[2] = {2, 4}, two[2] = {2, 2}, bt[2] = {1, T}, k[3] = {1, T, 4},
                   o[4] = {1, T, 4, 4};
    double beta[T];
    for (int t = 0; t < T; t++)
        beta[t] = 2;
    ckda_tensors_init(ts);
    add_numbers(ts, "keys_table", CKDA_DTYPE_F64, 2, table, g->keys);
    add_numbers(ts, "signs_table", CKDA_DTYPE_F64, 2, table, g->signs);
    OK(ckda_tensors_add(ts, "product_table", CKDA_DTYPE_U8, 2, two, g->product, NULL));
    OK(ckda_tensors_add(ts, "letters", CKDA_DTYPE_U8, 2, bt, g->letters, NULL));
    OK(ckda_tensors_add(ts, "element", CKDA_DTYPE_U8, 2, bt, g->element, NULL));
    add_numbers(ts, "k", CKDA_DTYPE_BF16, 3, k, g->k);
    add_numbers(ts, "alpha", CKDA_DTYPE_BF16, 3, k, g->alpha);
    add_numbers(ts, "beta", CKDA_DTYPE_BF16, 2, bt, beta);
    add_numbers(ts, "o.it", CKDA_DTYPE_BF16, 4, o, g->o);
    ckda_tensors_set_meta(ts, "initial_state", "identity");
}

static ckda_status
judge(ckda_trace_result **r, ckda_trace **tr, ckda_tensors *ts, const two_group *g,
      ckda_error *err)
{
    const ckda_trace_options opt = {0};
    fill(ts, g);
    ckda_error_clear(err);
    *tr = NULL;
    ckda_status st = ckda_trace_open(tr, ts, err);
    return st == CKDA_OK ? ckda_trace_judge(r, *tr, &opt, err) : st;
}

static void
done(ckda_trace_result **r, ckda_trace **tr, ckda_tensors *ts)
{
    ckda_trace_result_free(r);
    ckda_trace_close(tr);
    ckda_tensors_clear(ts);
}

static void
a_right_word_decodes_throughout(void **state)
{
    (void)state;
    const two_group g = half_turns();
    ckda_trace_result *r = NULL;
    ckda_trace *tr;
    ckda_tensors ts;
    ckda_error err;
    if (judge(&r, &tr, &ts, &g, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    assert_true(r->words.present);
    assert_int_equal(r->words.order, 2);
    assert_int_equal(r->words.states, 2);
    assert_true(r->words.run[0].first_wrong[0] == UINT64_MAX);
    assert_true(r->words.run[0].first_wrong[1] == UINT64_MAX);
    assert_true(r->words.run[0].drift[0] == 0);
    assert_int_equal(r->within, CKDA_TRUE);
    done(&r, &tr, &ts);
}

static void
a_wrong_decode_is_found_by_both_decoders(void **state)
{
    (void)state;
    two_group g = half_turns();
    for (int i = 0; i < 2; i++) /* token 4 (from 0) shows the other element */
        g.o[16 * 4 + 5 * i] *= -1;
    ckda_trace_result *r = NULL;
    ckda_trace *tr;
    ckda_tensors ts;
    ckda_error err;
    OK(judge(&r, &tr, &ts, &g, &err));
    assert_int_equal(r->words.run[0].first_wrong[CKDA_DECODE_READOUT], 4);
    assert_int_equal(r->words.run[0].first_wrong[CKDA_DECODE_NEAREST], 4);
    assert_true(r->words.keys[0].first_wrong[0] == UINT64_MAX);
    assert_int_equal(r->within, CKDA_FALSE);
    done(&r, &tr, &ts);
}

static void
a_vanished_state_decodes_to_nothing(void **state)
{
    (void)state;
    two_group g = half_turns();
    for (int i = 0; i < 16; i++)
        g.o[16 * 2 + i] = i == 3 ? NAN : 0;
    ckda_trace_result *r = NULL;
    ckda_trace *tr;
    ckda_tensors ts;
    ckda_error err;
    OK(judge(&r, &tr, &ts, &g, &err));
    assert_int_equal(r->words.run[0].first_wrong[CKDA_DECODE_READOUT], 2);
    assert_int_equal(r->words.run[0].first_wrong[CKDA_DECODE_NEAREST], 2);
    done(&r, &tr, &ts);
}

static void
refused(const two_group *g, const char *word)
{
    ckda_trace_result *r = NULL;
    ckda_trace *tr;
    ckda_tensors ts;
    ckda_error err;
    assert_int_equal(judge(&r, &tr, &ts, g, &err), CKDA_E_INPUT);
    assert_null(r);
    if (strstr(err.text, word) == NULL)
        fail_msg("'%s' lacks '%s'", err.text, word);
    done(&r, &tr, &ts);
}

static void
tables_that_contradict_themselves(void **state)
{
    (void)state;
    two_group g = half_turns();
    g.product[3] = 1; /* no inverse */
    refused(&g, "product_table");
    g = half_turns();
    g.product[0] = 7;
    refused(&g, "indices");
    g = half_turns();
    g.keys[5] = 0.5; /* no unit key */
    refused(&g, "length exactly 1");
    g = half_turns();
    g.keys[4] = 1;
    g.keys[5] = 0; /* two letters of one matrix */
    refused(&g, "unlike the others");
    g = half_turns();
    g.keys[5] = g.keys[6] = g.keys[7] = 0.5; /* a third turn in a group of two */
    g.keys[4] = 0.5;
    refused(&g, "agree with the read-outs");
}

static void
words_that_contradict_the_tables(void **state)
{
    (void)state;
    two_group g = half_turns();
    g.element[3] ^= 1;
    refused(&g, "element");
    g = half_turns();
    g.letters[0] = 9;
    refused(&g, "letters");
    g = half_turns();
    g.k[4 * 2 + 1] = 0.25;
    refused(&g, "\"k\"");
    g = half_turns();
    g.alpha[4 * 2 + 1] = -1;
    refused(&g, "\"alpha\"");
}

static void
other_tables_are_passed_over_with_a_reason(void **state)
{
    (void)state;
    two_group g = half_turns();
    g.keys[5] = 0.75; /* no (a + b phi)/2 */
    ckda_trace_result *r = NULL;
    ckda_trace *tr;
    ckda_tensors ts;
    ckda_error err;
    OK(judge(&r, &tr, &ts, &g, &err));
    assert_false(r->words.present);
    assert_non_null(strstr(r->words.skipped, "keys_table"));
    done(&r, &tr, &ts);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_numbers_are_recognised),
        cmocka_unit_test(unit_keys_are_exactly_unit),
        cmocka_unit_test(letters_are_orthogonal),
        cmocka_unit_test(products_outside_the_ring_are_refused),
        cmocka_unit_test(read_out_is_a_homomorphism),
        cmocka_unit_test(read_out_in_doubles_is_the_same),
        cmocka_unit_test(a_right_word_decodes_throughout),
        cmocka_unit_test(a_wrong_decode_is_found_by_both_decoders),
        cmocka_unit_test(a_vanished_state_decodes_to_nothing),
        cmocka_unit_test(tables_that_contradict_themselves),
        cmocka_unit_test(words_that_contradict_the_tables),
        cmocka_unit_test(other_tables_are_passed_over_with_a_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
