/* Embeddings: roots that nearly collide, signs near zero, cosines and sines. */
#include "fields.h"

#include <math.h>
#include <stdio.h>

static void
mignotte_roots_give_different_fields(void **state)
{
    (void)state;
    /* x^n - 2 (c x - 1)^2 has two real roots next to 1/c, about c^-(n+2)/2 apart. */
    const char *const poly[] = {"x^5-2*(1000*x-1)^2", "x^8-2*(1000000*x-1)^2",
                                "x^16-2*(1000000000*x-1)^2"};
    const slong c[] = {1000, 1000000, 1000000000};
    for (int i = 0; i < 3; i++) {
        char text[100];
        qqbar_t below, above;
        ckda_field_t K, L;
        ckda_elem_t x;
        qqbar_init(below);
        qqbar_init(above);
        ckda_error err;
        /* One on either side of 1/c: hints further out on the two sides find them. */
        snprintf(text, sizeof text, "root(%s, 0)", poly[i]);
        assert_int_equal(ckda_number_parse(below, text, &err), CKDA_OK);
        snprintf(text, sizeof text, "root(%s, 2/%ld)", poly[i], (long)c[i]);
        assert_int_equal(ckda_number_parse(above, text, &err), CKDA_OK);
        assert_false(qqbar_equal(below, above));
        assert_int_equal(ckda_field_init_qqbar(K, below), CKDA_OK);
        assert_int_equal(ckda_field_init_qqbar(L, above), CKDA_OK);
        assert_true(fmpz_poly_equal(K->minpoly, L->minpoly));
        assert_false(ckda_field_equal(K, L));
        ckda_elem_init(x, K);
        ckda_elem_gen(x, K);
        ckda_elem_mul_si(x, x, c[i], K);
        assert_int_equal(ckda_elem_cmp_si(x, 1, K), -1);
        assert_int_equal(ckda_elem_cmp_si(x, 1, L), 1);
        ckda_elem_clear(x, K);
        ckda_field_clear(L);
        ckda_field_clear(K);
        qqbar_clear(above);
        qqbar_clear(below);
    }
}

static void
conjugates_give_different_signs(void **state)
{
    (void)state;
    /* a^3 - 3a + 1 has three real roots; a - 1/2 changes sign with the root. */
    const char *const root[] = {"root(x^3-3*x+1, -2)", "root(x^3-3*x+1, 0.3)",
                                "root(x^3-3*x+1, 1.5)"};
    const int sign[] = {-1, -1, 1};
    const int sign_square[] = {1, -1, 1}; /* of a^2 - 1 */
    for (int i = 0; i < 3; i++) {
        ckda_field_t K;
        ckda_elem_t x;
        field_of(K, root[i]);
        ckda_elem_init(x, K);
        element(x, "a-1/2", K);
        assert_int_equal(ckda_elem_sgn(x, K), sign[i]);
        element(x, "a^2-1", K);
        assert_int_equal(ckda_elem_sgn(x, K), sign_square[i]);
        ckda_elem_clear(x, K);
        ckda_field_clear(K);
    }
}

static void
field_equal_needs_poly_and_root(void **state)
{
    (void)state;
    ckda_field_t K[FIELDS], L;
    for (int i = 0; i < FIELDS; i++)
        nth_field(K[i], i);
    for (int i = 0; i < FIELDS; i++)
        for (int j = 0; j < FIELDS; j++)
            assert_int_equal(ckda_field_equal(K[i], K[j]), i == j);
    for (int i = 0; i < FIELDS; i++) {
        ckda_field_init_set(L, K[i]);
        assert_true(ckda_field_equal(K[i], L));
        assert_int_equal(L->is_cos, K[i]->is_cos);
        assert_int_equal(L->degree, K[i]->degree);
        ckda_field_clear(L);
        ckda_field_clear(K[i]);
    }
}

static void
root_enclosure_is_as_accurate_as_asked(void **state)
{
    (void)state;
    for (int i = 1; i < FIELDS; i++) {
        ckda_field_t K;
        arb_t r, y;
        nth_field(K, i);
        arb_init(r);
        arb_init(y);
        for (slong prec = 32; prec <= 4096; prec *= 4) {
            ckda_field_root(r, K, prec);
            assert_true(arb_rel_accuracy_bits(r) >= prec - 2);
            assert_true(arb_overlaps(r, K->root));
            arb_fmpz_poly_evaluate_arb(y, K->minpoly, r, 2 * prec + 200);
            assert_true(arb_contains_zero(y));
        }
        arb_clear(y);
        arb_clear(r);
        ckda_field_clear(K);
    }
}

static void
sign_of_tiny_units(void **state)
{
    (void)state;
    /* (sqrt 2 - 1)^e = p - q sqrt 2 is positive and tiny; (1 - sqrt 2)^e alternates. */
    ckda_field_t K;
    ckda_elem_t x, y;
    ckda_field_init_sqrt(K, 2);
    ckda_elem_init(x, K);
    ckda_elem_init(y, K);
    element(x, "1-a", K);
    for (ulong e = 1; e < 3000; e = 3 * e + 1) {
        ckda_elem_pow_ui(y, x, e, K);
        assert_int_equal(ckda_elem_sgn(y, K), e % 2 == 0 ? 1 : -1);
        ckda_elem_abs(y, y, K);
        assert_int_equal(ckda_elem_sgn(y, K), 1);
        assert_int_equal(ckda_elem_cmp_si(y, 1, K), -1);
    }
    ckda_elem_clear(y, K);
    ckda_elem_clear(x, K);
    ckda_field_clear(K);
}

static void
sign_against_close_rationals(void **state)
{
    (void)state;
    for (int i = 1; i < FIELDS; i++) {
        ckda_field_t K;
        ckda_elem_t a, x;
        arb_t r;
        fmpz_t n, two;
        fmpq_t q;
        nth_field(K, i);
        ckda_elem_init(a, K);
        ckda_elem_init(x, K);
        arb_init(r);
        fmpz_init(n);
        fmpz_init(two);
        fmpq_init(q);
        ckda_elem_gen(a, K);
        for (slong bits = 50; bits <= 1600; bits *= 2) {
            /* n/2^bits < a < (n+1)/2^bits */
            ckda_field_root(r, K, bits + 200);
            arb_mul_2exp_si(r, r, bits);
            arb_floor(r, r, bits + 200);
            assert_true(arb_get_unique_fmpz(n, r));
            fmpz_one(two);
            fmpz_mul_2exp(two, two, (ulong)bits);
            for (int side = 0; side < 2; side++) {
                fmpz_add_ui(n, n, (ulong)side);
                fmpq_set_fmpz_frac(q, n, two);
                ckda_elem_set_fmpq(x, q, K);
                assert_int_equal(ckda_elem_cmp(a, x, K), side == 0 ? 1 : -1);
                assert_int_equal(ckda_elem_cmp(x, a, K), side == 0 ? -1 : 1);
            }
        }
        assert_int_equal(ckda_elem_cmp(a, a, K), 0);
        fmpq_clear(q);
        fmpz_clear(two);
        fmpz_clear(n);
        arb_clear(r);
        ckda_elem_clear(x, K);
        ckda_elem_clear(a, K);
        ckda_field_clear(K);
    }
}

static void
get_arb_is_relatively_accurate_and_zero_is_exact(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_elem_t x;
    arb_t r;
    ckda_field_init_cos(K, 7);
    ckda_elem_init(x, K);
    arb_init(r);
    ckda_elem_get_arb(r, x, K, 64);
    assert_true(arb_is_zero(r));
    element(x, "(a-5/4)^40", K); /* 8e-101 */
    for (slong prec = 20; prec < 3000; prec *= 3) {
        ckda_elem_get_arb(r, x, K, prec);
        assert_true(arb_rel_accuracy_bits(r) >= prec - 2 && arb_is_positive(r));
    }
    arb_clear(r);
    ckda_elem_clear(x, K);
    ckda_field_clear(K);
}

static void
approx_is_the_nearest_double(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_elem_t x;
    ckda_field_init_sqrt(K, 2);
    ckda_elem_init(x, K);
    element(x, "a", K);
    assert_true(ckda_elem_approx(x, K) == sqrt(2.0));
    element(x, "-a", K);
    assert_true(ckda_elem_approx(x, K) == -sqrt(2.0));
    element(x, "1/3", K);
    assert_true(ckda_elem_approx(x, K) == 1.0 / 3.0);
    element(x, "2^53+1", K); /* a tie goes to the even double */
    assert_true(ckda_elem_approx(x, K) == 9007199254740992.0);
    element(x, "2^53+1+a/10^30", K);
    assert_true(ckda_elem_approx(x, K) == 9007199254740994.0);
    element(x, "0", K);
    assert_true(ckda_elem_approx(x, K) == 0.0);
    ckda_elem_clear(x, K);
    ckda_field_clear(K);
}

/* cos^2 + sin^2 = 1 and the addition theorem, for all angles of order dividing N. */
static void
trig_identities(ulong N)
{
    ckda_field_t K;
    ckda_elem_struct e[ELEMS];
    ckda_field_init_cos(K, n_gcd(N, 4) == 4 ? N : N % 2 == 0 ? 2 * N : 4 * N);
    init_elems(e, K);
    slong step = N > 50 ? (slong)N / 12 : 1;
    for (slong k = -3; k < (slong)N; k += step) {
        assert_int_equal(ckda_elem_set_cos(e, k, N, K), CKDA_OK);
        assert_int_equal(ckda_elem_set_sin(e + 1, k, N, K), CKDA_OK);
        ckda_elem_mul(e + 2, e, e, K);
        ckda_elem_addmul(e + 2, e + 1, e + 1, K);
        assert_true(ckda_elem_is_one(e + 2, K));
        /* cos(2t) = cos^2 - sin^2, sin(2t) = 2 sin cos */
        ckda_elem_submul(e + 2, e + 1, e + 1, K);
        ckda_elem_submul(e + 2, e + 1, e + 1, K);
        assert_int_equal(ckda_elem_set_cos(e + 3, 2 * k, N, K), CKDA_OK);
        assert_true(ckda_elem_equal(e + 2, e + 3, K));
        ckda_elem_mul(e + 2, e, e + 1, K);
        ckda_elem_mul_si(e + 2, e + 2, 2, K);
        assert_int_equal(ckda_elem_set_sin(e + 3, 2 * k, N, K), CKDA_OK);
        assert_true(ckda_elem_equal(e + 2, e + 3, K));
        /* and the value is the right one */
        double t = 2 * 3.14159265358979323846 * (double)k / (double)N;
        assert_true(fabs(ckda_elem_approx(e, K) - cos(t)) < 1e-12);
        assert_true(fabs(ckda_elem_approx(e + 1, K) - sin(t)) < 1e-12);
    }
    clear_elems(e, K);
    ckda_field_clear(K);
}

static void
cos_and_sin_identities_up_to_40(void **state)
{
    (void)state;
    for (ulong N = 1; N <= 40; N++)
        trig_identities(N);
}

static void
cos_and_sin_identities_in_degree_48(void **state)
{
    (void)state;
    trig_identities(72);
    trig_identities(288);
}

static void
cos_field_degrees_are_half_of_phi(void **state)
{
    (void)state;
    for (ulong N = 1; N <= 120; N++) {
        ckda_field_t K;
        ckda_field_init_cos(K, N);
        slong want = N <= 2 ? 1 : (slong)n_euler_phi(N) / 2;
        assert_int_equal(K->degree, want);
        assert_int_equal(K->is_cos, want == 1 ? 0 : (int)N);
        ckda_field_clear(K);
    }
}

static void
cos_agrees_with_qqbar(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_elem_t x;
    qqbar_t y, z;
    ckda_field_init_cos(K, 24);
    ckda_elem_init(x, K);
    qqbar_init(y);
    qqbar_init(z);
    for (slong k = 0; k < 24; k++) {
        assert_int_equal(ckda_elem_set_cos(x, k, 24, K), CKDA_OK);
        ckda_elem_get_qqbar(y, x, K);
        qqbar_cos_pi(z, k, 12);
        assert_true(qqbar_equal(y, z));
        assert_int_equal(ckda_elem_set_sin(x, k, 24, K), CKDA_OK);
        ckda_elem_get_qqbar(y, x, K);
        qqbar_sin_pi(z, k, 12);
        assert_true(qqbar_equal(y, z));
    }
    qqbar_clear(z);
    qqbar_clear(y);
    ckda_elem_clear(x, K);
    ckda_field_clear(K);
}

static void
cos_outside_the_field_is_refused(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_elem_t x;
    ckda_field_init_cos(K, 5);
    ckda_elem_init(x, K);
    ckda_elem_set_si(x, 9, K);
    assert_int_equal(ckda_elem_set_cos(x, 1, 7, K), CKDA_E_DOMAIN);
    assert_int_equal(ckda_elem_set_sin(x, 1, 5, K), CKDA_E_DOMAIN);
    assert_int_equal(ckda_elem_cmp_si(x, 9, K), 0);
    assert_int_equal(ckda_elem_set_cos(x, 4, 10, K), CKDA_OK); /* reduces to 2/5 */
    assert_int_equal(ckda_elem_set_sin(x, -3, 12, K), CKDA_OK);
    assert_int_equal(ckda_elem_cmp_si(x, -1, K), 0);
    assert_int_equal(ckda_elem_set_cos(x, 1, 6, K), CKDA_OK);
    assert_elem(x, "1/2", K);
    ckda_elem_clear(x, K);
    ckda_field_clear(K);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mignotte_roots_give_different_fields),
        cmocka_unit_test(conjugates_give_different_signs),
        cmocka_unit_test(field_equal_needs_poly_and_root),
        cmocka_unit_test(root_enclosure_is_as_accurate_as_asked),
        cmocka_unit_test(sign_of_tiny_units),
        cmocka_unit_test(sign_against_close_rationals),
        cmocka_unit_test(get_arb_is_relatively_accurate_and_zero_is_exact),
        cmocka_unit_test(approx_is_the_nearest_double),
        cmocka_unit_test(cos_and_sin_identities_up_to_40),
        cmocka_unit_test(cos_and_sin_identities_in_degree_48),
        cmocka_unit_test(cos_field_degrees_are_half_of_phi),
        cmocka_unit_test(cos_agrees_with_qqbar),
        cmocka_unit_test(cos_outside_the_field_is_refused),
    };
    int failed = cmocka_run_group_tests_name("field embedding", tests, NULL, NULL);
    flint_cleanup();
    mpfr_free_cache();
    return failed;
}
