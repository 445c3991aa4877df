/* Isolating boxes and closed forms. */
#include "spectrum_util.h"

static ckda_field_t Q;

static slong
multiplicities(const ckda_eigenvalue *e, slong n, bool real)
{
    slong sum = 0;

    for (slong i = 0; i < n; i++)
        sum += e[i].real == real ? e[i].multiplicity : 0;
    return sum;
}

static bool
apart(const ckda_eigenvalue *x, const ckda_eigenvalue *y)
{
    return fmpq_cmp(x->re_hi, y->re_lo) < 0 || fmpq_cmp(y->re_hi, x->re_lo) < 0
           || fmpq_cmp(x->im_hi, y->im_lo) < 0 || fmpq_cmp(y->im_hi, x->im_lo) < 0;
}

static int
sign_at(const ckda_poly_t f, const fmpq_t q, const ckda_field_t K)
{
    ckda_elem_t x, y;
    int sign;

    ckda_elem_init(x, K);
    ckda_elem_init(y, K);
    ckda_elem_set_fmpq(x, q, K);
    ckda_poly_eval(y, f, x, K);
    sign = ckda_elem_sgn(y, K);
    ckda_elem_clear(y, K);
    ckda_elem_clear(x, K);
    return sign;
}

/* Numbers as the exact counters have them, boxes apart, exact values and changes of sign
 * where a root is real. */
static void
check_poly(const ckda_poly_t f, const ckda_field_t K)
{
    ckda_eigenvalue *e;
    ckda_root_counts c;
    ckda_poly_t h;
    slong n;

    ckda_poly_init(h, K);
    ckda_poly_squarefree_part(h, f, K);
    ckda_poly_count_roots(&c, f, K);
    assert_int_equal(ckda_poly_eigenvalues(&e, &n, f, K), CKDA_OK);
    assert_int_equal(multiplicities(e, n, true), c.real_roots);
    assert_int_equal(multiplicities(e, n, false), c.nonreal_pairs);
    for (slong i = 0; i < n; i++) {
        for (slong j = 0; j < i; j++)
            assert_true(apart(e + i, e + j));
        if (!e[i].real)
            assert_true(fmpq_sgn(e[i].im_lo) > 0 && fmpq_cmp(e[i].im_lo, e[i].im_hi) < 0
                        && fmpq_cmp(e[i].re_lo, e[i].re_hi) < 0);
        else if (fmpq_equal(e[i].re_lo, e[i].re_hi))
            assert_int_equal(sign_at(h, e[i].re_lo, K), 0);
        else
            assert_true(sign_at(h, e[i].re_lo, K) * sign_at(h, e[i].re_hi, K) < 0);
    }
    ckda_eigenvalues_free(&e, n);
    assert_null(e);
    ckda_poly_clear(h, K);
}

static void
random_polynomials_of_small_degree(void **state)
{
    ckda_poly_t f;
    ckda_rand r;

    (void)state;
    ckda_rand_init(&r, 1);
    ckda_poly_init(f, Q);
    for (int round = 0; round < 40; round++) {
        rand_poly(f, &r, 1 + (slong)ckda_rand_below(&r, 8), 6, Q);
        if (round % 3 == 0)
            mul_power(f, "-1/2 1", 2, Q);
        if (round % 4 == 0)
            mul_power(f, "1 1 1", 2, Q);
        check_poly(f, Q);
    }
    ckda_poly_clear(f, Q);
}

static void
random_polynomials_beyond_the_degree_of_factoring(void **state)
{
    ckda_poly_t f;
    ckda_rand r;

    (void)state;
    ckda_rand_init(&r, 2);
    ckda_poly_init(f, Q);
    for (int round = 0; round < 8; round++) {
        rand_poly(f, &r, 17 + (slong)ckda_rand_below(&r, 8), 6, Q);
        if (round % 2 == 0)
            mul_power(f, "0 1", 2, Q);
        if (round % 2 == 0)
            mul_power(f, "2/3 0 1", 2, Q);
        check_poly(f, Q);
    }
    ckda_poly_clear(f, Q);
}

static void
polynomials_over_a_quadratic_field(void **state)
{
    ckda_field_t K;
    ckda_poly_t f;
    ckda_rand r;

    (void)state;
    ckda_rand_init(&r, 3);
    ckda_field_init_sqrt(K, 5);
    ckda_poly_init(f, K);
    for (int round = 0; round < 12; round++) {
        rand_poly(f, &r, 1 + (slong)ckda_rand_below(&r, 5), 4, K);
        if (round % 3 == 0)
            mul_power(f, "1 1 1", 2, K);
        check_poly(f, K);
    }
    ckda_poly_clear(f, K);
    ckda_field_clear(K);
}

/* (x - 1/3)(x - 1/3 - 10^-60), next to a pair at 1/3 +- 10^-30 i. */
static void
close_roots_are_told_apart(void **state)
{
    ckda_poly_t f;
    ckda_elem_t c, d;

    (void)state;
    ckda_elem_init(c, Q);
    ckda_elem_init(d, Q);
    ckda_poly_init(f, Q);
    ckda_elem_set_frac(d, 1, 10, Q);
    ckda_elem_pow_ui(d, d, 60, Q);
    set_poly(f, "1/9 -2/3 1", Q);
    ckda_poly_get_coeff(c, f, 0, Q);
    ckda_elem_add(c, c, d, Q);
    ckda_poly_set_coeff(f, 0, c, Q);
    mul_power(f, "-1/3 1", 1, Q);
    check_poly(f, Q);
    mul_power(f, "1 0 0 0 1", 4, Q); /* degree 19: discs instead of factors */
    check_poly(f, Q);
    ckda_poly_clear(f, Q);
    ckda_elem_clear(d, Q);
    ckda_elem_clear(c, Q);
}

static void
assert_closed(const char *poly, const char *const *want, slong n)
{
    ckda_eigenvalue *e;
    ckda_poly_t f;
    slong count;

    ckda_poly_init(f, Q);
    set_poly(f, poly, Q);
    assert_int_equal(ckda_poly_eigenvalues(&e, &count, f, Q), CKDA_OK);
    assert_int_equal(count, n);
    for (slong i = 0; i < n; i++) {
        if (want[i] == NULL)
            assert_null(e[i].closed);
        else
            assert_string_equal(e[i].closed, want[i]);
    }
    ckda_eigenvalues_free(&e, count);
    ckda_poly_clear(f, Q);
}

static void
closed_forms(void **state)
{
    const char *const rational[] = {"-1", "1/2"};
    const char *const golden[] = {"(1-sqrt(5))/2", "(1+sqrt(5))/2"};
    const char *const root2[] = {"-3*sqrt(2)", "3*sqrt(2)"};
    const char *const quarter[] = {"sqrt(-1)"};
    const char *const third[] = {"(-1+sqrt(-3))/2"};
    const char *const fifth[] = {"exp(2*pi*i*2/5)", "exp(2*pi*i*1/5)"};
    const char *const cubic[] = {"root(x^3-2, 1.2599210498948731648)", NULL};

    (void)state;
    assert_closed("-1/2 1/2 1", rational, 2);
    assert_closed("-1 -1 1", golden, 2);
    assert_closed("-18 0 1", root2, 2);
    assert_closed("1 0 1", quarter, 1);
    assert_closed("1 1 1", third, 1);
    assert_closed("1 1 1 1 1", fifth, 2);
    assert_closed("-2 0 0 1", cubic, 2);
}

/* ---- without the polynomial ---- */

/* How many of the boxes of chi lie inside e, and is one exactly there? */
static slong
inside(const ckda_eigenvalue *e, const ckda_eigenvalue *all, slong n)
{
    slong count = 0;

    for (slong i = 0; i < n; i++)
        if (all[i].real == e->real && !apart(all + i, e))
            count += all[i].multiplicity;
    return count;
}

static void
check_transition(const ckda_trans_t t)
{
    ckda_eigenvalue *e, *all;
    ckda_secular_t s;
    ckda_poly_t chi;
    slong n, count;

    ckda_poly_init(chi, Q);
    assert_int_equal(ckda_secular_count(s, t, Q), CKDA_OK);
    assert_int_equal(ckda_secular_charpoly(chi, t, Q), CKDA_OK);
    assert_int_equal(ckda_poly_eigenvalues(&all, &count, chi, Q), CKDA_OK);
    if (s->kind == CKDA_SECULAR_MULTIPLE || s->kind == CKDA_SECULAR_EXACT_COUNT) {
        assert_int_equal(ckda_secular_eigenvalues(&e, &n, s, t, Q), CKDA_E_UNABLE);
    } else {
        assert_int_equal(ckda_secular_eigenvalues(&e, &n, s, t, Q), CKDA_OK);
        assert_int_equal(multiplicities(e, n, true), s->counts.real_roots);
        assert_int_equal(multiplicities(e, n, false), s->counts.nonreal_pairs);
        for (slong i = 0; i < n; i++) {
            /* a gate that was taken out may lie in an interval of the rest */
            assert_true(inside(e + i, all, count) >= e[i].multiplicity);
            if (e[i].real && fmpq_equal(e[i].re_lo, e[i].re_hi))
                assert_int_equal(sign_at(chi, e[i].re_lo, Q), 0);
            for (slong j = 0; s->zero_keys == 0 && j < i; j++)
                assert_true(e[i].real != e[j].real
                            || fmpq_cmp(e[j].re_hi, e[i].re_lo) <= 0);
        }
        ckda_eigenvalues_free(&e, n);
    }
    ckda_eigenvalues_free(&all, count);
    ckda_poly_clear(chi, Q);
    ckda_secular_clear(s);
}

static void
intervals_between_gates_hold_the_eigenvalues(void **state)
{
    ckda_rand r;

    (void)state;
    ckda_rand_init(&r, 4);
    for (int round = 0; round < 120; round++) {
        ckda_trans_t t;

        ckda_trans_init(t, CKDA_CKDA, 1 + (slong)ckda_rand_below(&r, 9), 1, Q);
        ckda_elem_set_frac(t->beta, (slong)ckda_rand_range(&r, -4, 12), 4, Q);
        for (slong i = 0; i < t->n; i++) {
            ckda_elem_rand(t->key + i, &r, 3, 2, Q);
            ckda_elem_rand(t->gate + i, &r, 4, 3, Q);
        }
        if (ckda_elem_is_zero(t->key, Q))
            ckda_elem_one(t->key, Q);
        check_transition(t);
        ckda_trans_clear(t, Q);
    }
}

static void
two_more_real_roots_have_intervals_of_their_own(void **state)
{
    const char *const v[][3] = {{"5/4", "4 2 1 1", "-1/4 1 1/2 -1/8"}, /* outside */
                                {"2", "1 4 1 1", "-1/4 1 1/2 1/3"},
                                {"3/2", "1 4 0 1", "-1/16 1 1/2 1/3"},
                                {"1", "1 1 1 1", "-1 1 1/2 -1/2"}, /* 0 twice */
                                {"1", "1 1 1 1", "-1 1 1/2 -1/3"}};

    (void)state;
    for (size_t i = 0; i < sizeof v / sizeof v[0]; i++) {
        ckda_trans_t t;

        trans_init_text(t, 4, v[i][0], v[i][1], v[i][2], Q);
        check_transition(t);
        ckda_trans_clear(t, Q);
    }
}

static void
five_hundred_eigenvalues(void **state)
{
    ckda_eigenvalue *e;
    ckda_secular_t s;
    ckda_trans_t t;
    ckda_rand r;
    slong n, wide = 0;

    (void)state;
    ckda_rand_init(&r, 5);
    ckda_trans_init(t, CKDA_CKDA, 500, 1, Q);
    ckda_elem_set_si(t->beta, 2, Q);
    for (slong i = 0; i < t->n; i++) {
        ckda_elem_set_frac(t->key + i, (slong)ckda_rand_range(&r, 1, 100), 100, Q);
        ckda_elem_set_frac(t->gate + i, (slong)ckda_rand_range(&r, -1000000, 1000000),
                           1000000, Q);
    }
    assert_int_equal(ckda_secular_count(s, t, Q), CKDA_OK);
    assert_int_equal(ckda_secular_eigenvalues(&e, &n, s, t, Q), CKDA_OK);
    assert_int_equal(multiplicities(e, n, true) + 2 * multiplicities(e, n, false), 500);
    for (slong i = 0; i < n; i++)
        wide += fmpq_get_d(e[i].re_hi) - fmpq_get_d(e[i].re_lo) > 1e-8;
    assert_int_equal(wide, 0);
    ckda_eigenvalues_free(&e, n);
    ckda_secular_clear(s);
    ckda_trans_clear(t, Q);
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
        cmocka_unit_test(random_polynomials_of_small_degree),
        cmocka_unit_test(random_polynomials_beyond_the_degree_of_factoring),
        cmocka_unit_test(polynomials_over_a_quadratic_field),
        cmocka_unit_test(close_roots_are_told_apart),
        cmocka_unit_test(closed_forms),
        cmocka_unit_test(intervals_between_gates_hold_the_eigenvalues),
        cmocka_unit_test(two_more_real_roots_have_intervals_of_their_own),
        cmocka_unit_test(five_hundred_eigenvalues),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
