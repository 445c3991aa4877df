/* Open vectors, deflation and Theorem 8 certificates of single transitions. */
#include "spectrum_util.h"

static ckda_field_t Q;

typedef struct {
    slong n;
    const char *beta, *key, *gate; /* the transition */
    const char *chi;               /* coefficients from x^0 upwards */
    slong pairs, circle;
    bool norm_at_most_1, norm_equals_1;
} vector;

/* Dense and secular characteristic polynomial, counts, norms, certificate. */
static void
check(const vector *v)
{
    ckda_spectrum_cert_t cert;
    ckda_spectrum_t s;
    ckda_trans_t t;
    ckda_poly_t chi;
    ckda_error err;
    ckda_mat_t A;

    trans_init_text(t, v->n, v->beta, v->key, v->gate, Q);
    ckda_mat_init(A, v->n, v->n, Q);
    ckda_poly_init(chi, Q);
    ckda_spectrum_init(s, Q);
    assert_int_equal(ckda_trans_matrix(A, t, Q), CKDA_OK);
    assert_int_equal(ckda_spectrum_matrix(s, A, Q), CKDA_OK);
    assert_poly(s->charpoly, v->chi, Q);
    assert_int_equal(ckda_trans_charpoly(chi, t, Q), CKDA_OK);
    assert_poly(chi, v->chi, Q);
    assert_int_equal(s->counts.nonreal_pairs, v->pairs);
    assert_int_equal(s->counts.real_roots, v->n - 2 * v->pairs);
    assert_int_equal(s->counts.unit_circle_pairs, v->circle);
    assert_int_equal(s->norm_at_most_1, v->norm_at_most_1);
    assert_int_equal(s->norm_equals_1, v->norm_equals_1);
    assert_int_equal(ckda_spectrum_certificate(cert, t, Q), CKDA_OK);
    assert_int_equal(cert->nonreal_pairs, v->pairs);
    if (!ckda_spectrum_cert_verify(&err, cert, t, Q))
        fail_msg("%s", err.text);
    ckda_spectrum_cert_clear(cert, Q);
    ckda_spectrum_clear(s, Q);
    ckda_poly_clear(chi, Q);
    ckda_mat_clear(A, Q);
    ckda_trans_clear(t, Q);
}

static void
open_vector_o1_quarter_turn(void **state)
{
    const vector v = {2, "2", "1 1", "-1 1", "1 0 1", 1, 1, true, true};

    (void)state;
    check(&v);
}

static void
open_vector_o2_double_root(void **state)
{
    const vector v = {2, "2", "3 1", "-1/4 1", "1/4 -1 1", 0, 0, true, true};

    (void)state;
    check(&v);
}

static void
open_vector_o3_core_against_full(void **state)
{
    /* for beta < 2 the norm is below 1 although a gate is 1: the key meets that
     * coordinate */
    const vector a = {2, "5/4", "1 4", "-1/4 1", "1/16 111/272 1", 1, 0, true, false};
    const vector b = {2, "5/4", "2 1", "-1/4 1", "1/16 -3/4 1", 0, 0, true, false};
    const vector c = {2, "2", "1 4", "-1/4 1", "1/4 75/68 1", 0, 0, true, true};

    (void)state;
    check(&a);
    check(&b);
    check(&c);
}

static void
open_vector_o6_degenerate(void **state)
{
    const vector v = {6,
                      "7/4",
                      "2 0 1 2 1 0",
                      "-1/2 -3/4 1/2 1/2 0 1/3",
                      "0 23/1280 -211/3840 7/96 -103/320 1/240 1",
                      1,
                      0,
                      true,
                      false};
    ckda_deflated_t d;
    ckda_elem_t e;
    ckda_trans_t t;
    ckda_poly_t chi;

    (void)state;
    check(&v);
    trans_init_text(t, 6, "7/4", "2 0 1 2 1 0", "-1/2 -3/4 1/2 1/2 0 1/3", Q);
    ckda_elem_init(e, Q);
    ckda_poly_init(chi, Q);
    assert_int_equal(ckda_trans_deflate(d, t, Q), CKDA_OK);
    assert_int_equal(d->m, 2);
    assert_int_equal(d->nremoved, 4);
    ckda_elem_set_frac(e, 63, 40, Q);
    assert_true(ckda_elem_equal(&d->beta, e, Q));
    ckda_elem_set_frac(e, -1, 2, Q);
    assert_true(ckda_elem_equal(d->gate, e, Q));
    ckda_elem_set_frac(e, 7, 10, Q);
    assert_true(ckda_elem_equal(d->weight, e, Q));
    ckda_deflated_charpoly(chi, d, Q);
    assert_poly(chi, "23/160 7/80 1", Q);
    ckda_poly_clear(chi, Q);
    ckda_elem_clear(e, Q);
    ckda_deflated_clear(d, Q);
    ckda_trans_clear(t, Q);
}

static void
open_vector_o9_stable_with_beta_3(void **state)
{
    const vector v = {2, "3", "1 2", "1/2 -1/2", "1/2 -9/10 1", 1, 0, true, true};

    (void)state;
    check(&v);
}

static void
trap_zero_gate_changes_beta(void **state)
{
    /* E2: beta = 2, but the gates -1, 1 see only beta_eff = 2/3 or 4/3 */
    const vector real = {3, "2", "1 1 2", "-1 1 0", "0 -1/3 0 1", 0, 0, true, true};
    const vector pair = {3, "2", "1 1 1", "-1 1 0", "0 1/3 0 1", 1, 0, true, true};

    (void)state;
    check(&real);
    check(&pair);
}

static void
certificate_counts_on_awkward_transitions(void **state)
{
    /* n = 1; beta = 0; beta = 1; all gates zero; one sign only; beta < 0; beta_eff = 1 */
    const vector v[] = {
        {1, "2", "3", "1/2", "1/2 1", 0, 0, true, false},
        {2, "0", "1 2", "1/2 -1", "-1/2 1/2 1", 0, 0, true, true},
        {2, "1", "1 1", "-1 1", "0 0 1", 0, 0, true, true},
        {2, "2", "1 1", "0 0", "0 0 1", 0, 0, true, false},
        {2, "2", "1 1", "-1/2 -1/4", "-1/8 0 1", 0, 0, true, false},
        {2, "-2", "1 1", "-1 1", "-3 0 1", 0, 0, false, false},
        {3, "2", "1 1 0", "0 1 -1", "0 0 1 1", 0, 0, true, true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof v / sizeof v[0]; i++)
        check(v + i);
}

static void
rand_trans(ckda_trans_t t, ckda_rand *r, slong n, const ckda_field_t K)
{
    ckda_trans_init(t, CKDA_CKDA, n, 1, K);
    ckda_elem_rand(t->beta, r, 8, 3, K);
    for (slong i = 0; i < n; i++) {
        ckda_elem_set_si(t->key + i, ckda_rand_range(r, -2, 2), K);
        ckda_elem_rand(t->gate + i, r, 4, 2, K);
        if (i > 0 && ckda_rand_below(r, 4) == 0)
            ckda_elem_set(t->gate + i, t->gate + i - 1, K);
    }
    if (ckda_elem_is_zero(t->key, K))
        ckda_elem_one(t->key, K);
}

static void
theorem_8_holds_with_certificates_beyond_all_ranges(void **state)
{
    slong pairs = 0, by_intervals = 0, rounds = 60;
    ckda_rand r;

    (void)state;
    ckda_rand_init(&r, 8);
    for (slong round = 0; round < rounds; round++) {
        slong n = 1 + (slong)ckda_rand_below(&r, 7);
        ckda_spectrum_cert_t c;
        ckda_root_counts counts;
        ckda_trans_t t;
        ckda_error err;
        ckda_mat_t A;

        rand_trans(t, &r, n, Q);
        ckda_mat_init(A, n, n, Q);
        assert_int_equal(ckda_spectrum_certificate(c, t, Q), CKDA_OK);
        if (!ckda_spectrum_cert_verify(&err, c, t, Q))
            fail_msg("%s", err.text);
        assert_int_equal(ckda_trans_matrix(A, t, Q), CKDA_OK);
        assert_int_equal(ckda_mat_count_eigenvalues(&counts, A, Q), CKDA_OK);
        assert_int_equal(counts.nonreal_pairs, c->nonreal_pairs);
        assert_true(c->nonreal_pairs <= 1);
        if (ckda_elem_cmp_si(t->beta, 1, Q) <= 0)
            assert_true(c->by_intervals);
        pairs += c->nonreal_pairs;
        by_intervals += c->by_intervals;
        ckda_mat_clear(A, Q);
        ckda_spectrum_cert_clear(c, Q);
        ckda_trans_clear(t, Q);
    }
    /* both outcomes were really met */
    assert_true(pairs > 3 && by_intervals > 3 && pairs + by_intervals < rounds);
}

static void
certificate_over_a_quadratic_field(void **state)
{
    ckda_field_t K;
    ckda_rand r;

    (void)state;
    ckda_field_init_sqrt(K, 5);
    ckda_rand_init(&r, 9);
    for (int round = 0; round < 10; round++) {
        ckda_spectrum_cert_t c;
        ckda_trans_t t;

        rand_trans(t, &r, 1 + (slong)ckda_rand_below(&r, 4), K);
        assert_int_equal(ckda_spectrum_certificate(c, t, K), CKDA_OK);
        assert_true(ckda_spectrum_cert_verify(NULL, c, t, K));
        ckda_spectrum_cert_clear(c, K);
        ckda_trans_clear(t, K);
    }
    ckda_field_clear(K);
}

/* A certificate of (w, alpha) with n = 4 that needs the last-pair count. */
static void
sample(ckda_trans_t t, ckda_spectrum_cert_t c)
{
    trans_init_text(t, 4, "2", "1 2 1 1", "-1 -1/2 1/3 1", Q);
    assert_int_equal(ckda_spectrum_certificate(c, t, Q), CKDA_OK);
    assert_true(ckda_spectrum_cert_verify(NULL, c, t, Q));
    assert_false(c->by_intervals);
    assert_int_equal(c->nintervals, 2);
}

static void
broken_certificates_are_refused(void **state)
{
    ckda_spectrum_cert_t c;
    ckda_trans_t t;
    ckda_error err;

    (void)state;
    sample(t, c);
    c->nonreal_pairs ^= 1;
    assert_false(ckda_spectrum_cert_verify(&err, c, t, Q));
    assert_non_null(strstr(err.text, "pairs"));
    c->nonreal_pairs ^= 1;
    c->sign[1] = -c->sign[1];
    assert_false(ckda_spectrum_cert_verify(&err, c, t, Q));
    assert_non_null(strstr(err.text, "sign"));
    c->sign[1] = -c->sign[1];
    c->nintervals--;
    assert_false(ckda_spectrum_cert_verify(&err, c, t, Q));
    assert_non_null(strstr(err.text, "left over"));
    c->nintervals++;
    c->hi[0]++; /* skips a node */
    assert_false(ckda_spectrum_cert_verify(&err, c, t, Q));
    c->hi[0]--;
    c->lo[1] = c->lo[0]; /* the same interval twice */
    c->hi[1] = c->hi[0];
    assert_false(ckda_spectrum_cert_verify(&err, c, t, Q));
    ckda_spectrum_cert_clear(c, Q);
    ckda_trans_clear(t, Q);
}

static void
certificates_of_other_transitions_are_refused(void **state)
{
    ckda_spectrum_cert_t c;
    ckda_trans_t t;
    ckda_error err;

    (void)state;
    sample(t, c);
    ckda_elem_set_frac(t->beta, 3, 2, Q);
    assert_false(ckda_spectrum_cert_verify(&err, c, t, Q));
    assert_non_null(strstr(err.text, "characteristic polynomial"));
    ckda_elem_set_si(t->beta, 2, Q);
    assert_true(ckda_spectrum_cert_verify(&err, c, t, Q));
    ckda_elem_set_frac(c->node, -9, 10, Q); /* a node that is no gate */
    assert_false(ckda_spectrum_cert_verify(&err, c, t, Q));
    assert_non_null(strstr(err.text, "node"));
    ckda_spectrum_cert_clear(c, Q);
    ckda_trans_clear(t, Q);
}

static void
several_steps_and_zero_keys_are_errors(void **state)
{
    ckda_spectrum_cert_t c;
    ckda_deflated_t d;
    ckda_trans_t t;

    (void)state;
    ckda_trans_init(t, CKDA_DELTAPRODUCT, 3, 2, Q);
    assert_int_equal(ckda_trans_deflate(d, t, Q), CKDA_E_SHAPE);
    assert_int_equal(ckda_spectrum_certificate(c, t, Q), CKDA_E_SHAPE);
    ckda_trans_clear(t, Q);
    trans_init_text(t, 2, "1", "0 0", "1 1", Q);
    assert_int_equal(ckda_trans_deflate(d, t, Q), CKDA_E_DOMAIN);
    ckda_trans_clear(t, Q);
}

static void
deflated_and_full_polynomials_differ_by_the_removed_roots(void **state)
{
    ckda_rand r;

    (void)state;
    ckda_rand_init(&r, 10);
    for (int round = 0; round < 30; round++) {
        ckda_deflated_t d;
        ckda_poly_t chi, full, lin;
        ckda_trans_t t;

        rand_trans(t, &r, 1 + (slong)ckda_rand_below(&r, 6), Q);
        ckda_poly_init(chi, Q);
        ckda_poly_init(full, Q);
        ckda_poly_init(lin, Q);
        assert_int_equal(ckda_trans_deflate(d, t, Q), CKDA_OK);
        assert_int_equal(d->m + d->nremoved, t->n);
        ckda_deflated_charpoly(chi, d, Q);
        for (slong i = 0; i < d->nremoved; i++) {
            ckda_poly_set_root(lin, d->removed + i, Q);
            ckda_poly_mul(chi, chi, lin, Q);
        }
        assert_int_equal(ckda_trans_charpoly(full, t, Q), CKDA_OK);
        assert_true(ckda_poly_equal(chi, full, Q));
        for (slong i = 0; i < d->m; i++) {
            assert_false(ckda_elem_is_zero(d->gate + i, Q));
            assert_false(ckda_elem_is_zero(d->weight + i, Q));
            if (i > 0)
                assert_true(ckda_elem_cmp(d->gate + i - 1, d->gate + i, Q) < 0);
        }
        ckda_deflated_clear(d, Q);
        ckda_poly_clear(lin, Q);
        ckda_poly_clear(full, Q);
        ckda_poly_clear(chi, Q);
        ckda_trans_clear(t, Q);
    }
}

static void
matrix_that_is_not_square_is_refused(void **state)
{
    ckda_root_counts c = {.degree = 9};
    ckda_spectrum_t s;
    ckda_mat_t A;

    (void)state;
    ckda_mat_init(A, 2, 3, Q);
    ckda_spectrum_init(s, Q);
    assert_int_equal(ckda_spectrum_matrix(s, A, Q), CKDA_E_SHAPE);
    assert_int_equal(ckda_mat_count_eigenvalues(&c, A, Q), CKDA_E_SHAPE);
    assert_int_equal(c.degree, 9);
    ckda_spectrum_clear(s, Q);
    ckda_mat_clear(A, Q);
}

static int
setup(void **state)
{
    (void)state;
    ckda_field_init_rational(Q);
    return 0;
}

static int
teardown(void **state)
{
    (void)state;
    ckda_field_clear(Q);
    flint_cleanup();
    return 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(open_vector_o1_quarter_turn),
        cmocka_unit_test(open_vector_o2_double_root),
        cmocka_unit_test(open_vector_o3_core_against_full),
        cmocka_unit_test(open_vector_o6_degenerate),
        cmocka_unit_test(open_vector_o9_stable_with_beta_3),
        cmocka_unit_test(trap_zero_gate_changes_beta),
        cmocka_unit_test(certificate_counts_on_awkward_transitions),
        cmocka_unit_test(theorem_8_holds_with_certificates_beyond_all_ranges),
        cmocka_unit_test(certificate_over_a_quadratic_field),
        cmocka_unit_test(broken_certificates_are_refused),
        cmocka_unit_test(certificates_of_other_transitions_are_refused),
        cmocka_unit_test(several_steps_and_zero_keys_are_errors),
        cmocka_unit_test(deflated_and_full_polynomials_differ_by_the_removed_roots),
        cmocka_unit_test(matrix_that_is_not_square_is_refused),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
