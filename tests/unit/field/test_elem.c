/* Laws of the arithmetic in fields of degree 1, 2, 3, 4, 8 and 48, against a second way:
 * rational polynomials modulo the minimal polynomial, and algebraic numbers. */
#include "fields.h"

typedef void (*each_fn)(ckda_elem_struct *e, ckda_rand *r, const ckda_field_t K);

/* Calls body in every field for several random e[0], e[1], e[2]. */
static void
in_every_field(each_fn body)
{
    for (int i = 0; i < FIELDS; i++) {
        ckda_field_t K;
        ckda_elem_struct e[ELEMS];
        ckda_rand r;
        ckda_rand_init(&r, 11 + (uint64_t)i);
        nth_field(K, i);
        init_elems(e, K);
        for (int k = 0; k < (K->degree > 8 ? 3 : 25); k++) {
            for (int j = 0; j < 3; j++)
                ckda_elem_rand(e + j, &r, k < 5 ? 1 : 1000, k % 3 == 0 ? 1 : 60, K);
            body(e, &r, K);
        }
        clear_elems(e, K);
        ckda_field_clear(K);
    }
}

static void
assoc(ckda_elem_struct *e, ckda_rand *r, const ckda_field_t K)
{
    (void)r;
    ckda_elem_mul(e + 3, e, e + 1, K);
    ckda_elem_mul(e + 3, e + 3, e + 2, K);
    ckda_elem_mul(e + 4, e + 1, e + 2, K);
    ckda_elem_mul(e + 4, e, e + 4, K);
    assert_true(ckda_elem_equal(e + 3, e + 4, K));
}

static void
product_is_associative(void **state)
{
    (void)state;
    in_every_field(assoc);
}

static void
distrib(ckda_elem_struct *e, ckda_rand *r, const ckda_field_t K)
{
    (void)r;
    ckda_elem_add(e + 3, e, e + 1, K);
    ckda_elem_mul(e + 3, e + 3, e + 2, K);
    ckda_elem_mul(e + 4, e, e + 2, K);
    ckda_elem_addmul(e + 4, e + 1, e + 2, K);
    assert_true(ckda_elem_equal(e + 3, e + 4, K));
    ckda_elem_submul(e + 4, e + 2, e, K);
    ckda_elem_mul(e + 5, e + 1, e + 2, K);
    assert_true(ckda_elem_equal(e + 5, e + 4, K));
}

static void
product_distributes(void **state)
{
    (void)state;
    in_every_field(distrib);
}

static void
inverse(ckda_elem_struct *e, ckda_rand *r, const ckda_field_t K)
{
    (void)r;
    if (ckda_elem_is_zero(e, K))
        return;
    assert_int_equal(ckda_elem_inv(e + 3, e, K), CKDA_OK);
    ckda_elem_mul(e + 4, e + 3, e, K);
    assert_true(ckda_elem_is_one(e + 4, K));
    assert_int_equal(ckda_elem_div(e + 4, e + 1, e, K), CKDA_OK);
    ckda_elem_mul(e + 4, e + 4, e, K);
    assert_true(ckda_elem_equal(e + 4, e + 1, K));
}

static void
inverse_times_itself_is_one(void **state)
{
    (void)state;
    in_every_field(inverse);
}

/* Compares e[3] = e[0] op e[1] with the polynomial that op gives modulo the minpoly. */
static void
against_polynomials(ckda_elem_struct *e, ckda_rand *r, const ckda_field_t K)
{
    (void)r;
    fmpq_poly_t f, g, h, m;
    fmpq_poly_init(f);
    fmpq_poly_init(g);
    fmpq_poly_init(h);
    fmpq_poly_init(m);
    fmpq_poly_set_fmpz_poly(m, K->minpoly);
    for (int op = 0; op < 5; op++) {
        ckda_elem_get_fmpq_poly(f, e, K);
        ckda_elem_get_fmpq_poly(g, e + 1, K);
        if (op == 0) {
            ckda_elem_add(e + 3, e, e + 1, K);
            fmpq_poly_add(f, f, g);
        } else if (op == 1) {
            ckda_elem_sub(e + 3, e, e + 1, K);
            fmpq_poly_sub(f, f, g);
        } else if (op == 2) {
            ckda_elem_mul(e + 3, e, e + 1, K);
            fmpq_poly_mul(f, f, g);
        } else if (op == 3) {
            ckda_elem_mul_si(e + 3, e, -6, K);
            fmpq_poly_scalar_mul_si(f, f, -6);
        } else {
            ckda_elem_pow_ui(e + 3, e, 3, K);
            fmpq_poly_pow(f, f, 3);
        }
        ckda_elem_set_fmpq_poly(e + 4, f, K); /* f is not reduced here */
        assert_true(ckda_elem_equal(e + 3, e + 4, K));
        fmpq_poly_rem(f, f, m);
        ckda_elem_get_fmpq_poly(h, e + 3, K);
        assert_true(fmpq_poly_equal(f, h));
    }
    fmpq_poly_clear(m);
    fmpq_poly_clear(h);
    fmpq_poly_clear(g);
    fmpq_poly_clear(f);
}

static void
arithmetic_agrees_with_polynomials_modulo_minpoly(void **state)
{
    (void)state;
    in_every_field(against_polynomials);
}

static void
against_qqbar(ckda_elem_struct *e, ckda_rand *r, const ckda_field_t K)
{
    (void)r;
    if (K->degree > 3)
        return;
    qqbar_t x, y, z;
    qqbar_init(x);
    qqbar_init(y);
    qqbar_init(z);
    ckda_elem_get_qqbar(x, e, K);
    ckda_elem_get_qqbar(y, e + 1, K);
    qqbar_mul(x, x, y);
    qqbar_sub(x, x, y);
    ckda_elem_mul(e + 3, e, e + 1, K);
    ckda_elem_sub(e + 3, e + 3, e + 1, K);
    ckda_elem_get_qqbar(z, e + 3, K);
    assert_true(qqbar_equal(x, z));
    assert_int_equal(ckda_elem_sgn(e + 3, K), qqbar_sgn_re(x));
    qqbar_clear(z);
    qqbar_clear(y);
    qqbar_clear(x);
}

static void
arithmetic_and_sign_agree_with_qqbar(void **state)
{
    (void)state;
    in_every_field(against_qqbar);
}

static void
alias(ckda_elem_struct *e, ckda_rand *r, const ckda_field_t K)
{
    (void)r;
    typedef void (*op)(ckda_elem_t, const ckda_elem_t, const ckda_elem_t,
                       const ckda_field_t);
    const op ops[] = {ckda_elem_add, ckda_elem_sub, ckda_elem_mul};
    for (int i = 0; i < 3; i++) {
        ops[i](e + 3, e, e + 1, K);
        ckda_elem_set(e + 4, e, K);
        ops[i](e + 4, e + 4, e + 1, K);
        assert_true(ckda_elem_equal(e + 3, e + 4, K));
        ckda_elem_set(e + 4, e + 1, K);
        ops[i](e + 4, e, e + 4, K);
        assert_true(ckda_elem_equal(e + 3, e + 4, K));
        ops[i](e + 3, e, e, K);
        ckda_elem_set(e + 4, e, K);
        ops[i](e + 4, e + 4, e + 4, K);
        assert_true(ckda_elem_equal(e + 3, e + 4, K));
    }
}

static void
results_may_alias_both_inputs(void **state)
{
    (void)state;
    in_every_field(alias);
}

static void
alias_rest(ckda_elem_struct *e, ckda_rand *r, const ckda_field_t K)
{
    (void)r;
    ckda_elem_set(e + 3, e, K);
    ckda_elem_addmul(e + 3, e + 3, e + 3, K); /* x + x^2 */
    ckda_elem_mul(e + 4, e, e, K);
    ckda_elem_add(e + 4, e + 4, e, K);
    assert_true(ckda_elem_equal(e + 3, e + 4, K));
    ckda_elem_submul(e + 3, e, e, K);
    assert_true(ckda_elem_equal(e + 3, e, K));
    ckda_elem_neg(e + 3, e + 3, K);
    ckda_elem_add(e + 3, e + 3, e, K);
    assert_true(ckda_elem_is_zero(e + 3, K));
    ckda_elem_set(e + 3, e, K);
    ckda_elem_pow_ui(e + 3, e + 3, 2, K);
    ckda_elem_mul(e + 4, e, e, K);
    assert_true(ckda_elem_equal(e + 3, e + 4, K));
    if (ckda_elem_is_zero(e, K))
        return;
    ckda_elem_set(e + 3, e, K);
    assert_int_equal(ckda_elem_div(e + 3, e + 3, e + 3, K), CKDA_OK);
    assert_true(ckda_elem_is_one(e + 3, K));
    ckda_elem_set(e + 3, e, K);
    assert_int_equal(ckda_elem_inv(e + 3, e + 3, K), CKDA_OK);
    ckda_elem_mul(e + 3, e + 3, e, K);
    assert_true(ckda_elem_is_one(e + 3, K));
    ckda_elem_set(e + 3, e, K);
    ckda_elem_abs(e + 3, e + 3, K);
    assert_true(ckda_elem_sgn(e + 3, K) >= 0);
}

static void
addmul_neg_pow_div_inv_abs_may_alias(void **state)
{
    (void)state;
    in_every_field(alias_rest);
}

static void
hash_eq(ckda_elem_struct *e, ckda_rand *r, const ckda_field_t K)
{
    (void)r;
    /* The same value by another road. */
    ckda_elem_add(e + 3, e, e + 1, K);
    ckda_elem_sub(e + 3, e + 3, e + 1, K);
    assert_true(ckda_elem_equal(e, e + 3, K));
    assert_int_equal(ckda_elem_hash(e, K), ckda_elem_hash(e + 3, K));
    ckda_elem_neg(e + 4, e, K);
    if (!ckda_elem_is_zero(e, K))
        assert_int_not_equal(ckda_elem_hash(e, K), ckda_elem_hash(e + 4, K));
    ckda_elem_sub(e + 3, e + 3, e, K);
    ckda_elem_zero(e + 4, K);
    assert_int_equal(ckda_elem_hash(e + 4, K), ckda_elem_hash(e + 3, K));
}

static void
equal_elements_hash_equal(void **state)
{
    (void)state;
    in_every_field(hash_eq);
}

static void
generator(ckda_elem_struct *e, ckda_rand *r, const ckda_field_t K)
{
    (void)r;
    ckda_elem_gen(e + 4, K);
    ckda_elem_zero(e + 3, K);
    fmpq_t c;
    fmpq_init(c);
    for (slong i = K->degree; i >= 0; i--) {
        fmpq_set_fmpz(c, K->minpoly->coeffs + i);
        ckda_elem_set_fmpq(e + 5, c, K);
        ckda_elem_mul(e + 3, e + 3, e + 4, K);
        ckda_elem_add(e + 3, e + 3, e + 5, K);
    }
    fmpq_clear(c);
    assert_true(ckda_elem_is_zero(e + 3, K));
}

static void
generator_is_a_root_of_the_minpoly(void **state)
{
    (void)state;
    in_every_field(generator);
}

static void
zero_has_no_inverse_and_results_stay(void **state)
{
    (void)state;
    for (int i = 0; i < FIELDS; i++) {
        ckda_field_t K;
        ckda_elem_struct e[ELEMS];
        nth_field(K, i);
        init_elems(e, K);
        ckda_elem_set_si(e + 1, 7, K);
        assert_int_equal(ckda_elem_inv(e + 1, e, K), CKDA_E_DOMAIN);
        assert_int_equal(ckda_elem_cmp_si(e + 1, 7, K), 0);
        assert_int_equal(ckda_elem_div(e + 1, e + 1, e, K), CKDA_E_DOMAIN);
        assert_int_equal(ckda_elem_cmp_si(e + 1, 7, K), 0);
        clear_elems(e, K);
        ckda_field_clear(K);
    }
}

static void
predicates(void **state)
{
    (void)state;
    for (int i = 0; i < FIELDS; i++) {
        ckda_field_t K;
        ckda_elem_struct e[ELEMS];
        nth_field(K, i);
        init_elems(e, K);
        assert_true(ckda_elem_is_zero(e, K));
        assert_true(ckda_elem_is_rational(e, K));
        ckda_elem_one(e, K);
        assert_true(ckda_elem_is_one(e, K) && ckda_elem_is_rational(e, K));
        ckda_elem_set_frac(e, 6, -4, K);
        assert_true(ckda_elem_is_rational(e, K) && !ckda_elem_is_integral_form(e, K));
        assert_elem(e, "-3/2", K);
        ckda_elem_gen(e, K);
        assert_true(ckda_elem_is_integral_form(e, K));
        assert_int_equal(ckda_elem_is_rational(e, K), K->degree == 1);
        ckda_elem_sub(e, e, e, K);
        assert_true(ckda_elem_is_zero(e, K) && ckda_elem_is_rational(e, K));
        clear_elems(e, K);
        ckda_field_clear(K);
    }
}

static void
power_zero_is_one_and_powers_add(void **state)
{
    (void)state;
    for (int i = 0; i < FIELDS; i++) {
        ckda_field_t K;
        ckda_elem_struct e[ELEMS];
        nth_field(K, i);
        init_elems(e, K);
        ckda_elem_pow_ui(e + 1, e, 0, K);
        assert_true(ckda_elem_is_one(e + 1, K));
        ckda_elem_gen(e, K);
        ckda_elem_pow_ui(e + 1, e, 5, K);
        ckda_elem_pow_ui(e + 2, e, 8, K);
        ckda_elem_mul(e + 1, e + 1, e + 2, K);
        ckda_elem_pow_ui(e + 3, e, 13, K);
        assert_true(ckda_elem_equal(e + 1, e + 3, K));
        clear_elems(e, K);
        ckda_field_clear(K);
    }
}

static void
extreme_machine_integers(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_elem_struct e[ELEMS];
    ckda_field_init_sqrt(K, 2);
    init_elems(e, K);
    ckda_elem_set_si(e, WORD_MIN, K);
    ckda_elem_set_frac(e + 1, 1, WORD_MIN, K);
    ckda_elem_mul(e, e, e + 1, K);
    assert_true(ckda_elem_is_one(e, K));
    assert_true(ckda_elem_cmp_si(e, WORD_MIN, K) > 0);
    assert_true(ckda_elem_cmp_si(e, WORD_MAX, K) < 0);
    ckda_elem_mul_si(e, e, WORD_MIN, K);
    assert_int_equal(ckda_elem_cmp_si(e, WORD_MIN, K), 0);
    ckda_elem_mul_si(e, e, 0, K);
    assert_true(ckda_elem_is_zero(e, K));
    clear_elems(e, K);
    ckda_field_clear(K);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(product_is_associative),
        cmocka_unit_test(product_distributes),
        cmocka_unit_test(inverse_times_itself_is_one),
        cmocka_unit_test(arithmetic_agrees_with_polynomials_modulo_minpoly),
        cmocka_unit_test(arithmetic_and_sign_agree_with_qqbar),
        cmocka_unit_test(results_may_alias_both_inputs),
        cmocka_unit_test(addmul_neg_pow_div_inv_abs_may_alias),
        cmocka_unit_test(equal_elements_hash_equal),
        cmocka_unit_test(generator_is_a_root_of_the_minpoly),
        cmocka_unit_test(zero_has_no_inverse_and_results_stay),
        cmocka_unit_test(predicates),
        cmocka_unit_test(power_zero_is_one_and_powers_add),
        cmocka_unit_test(extreme_machine_integers),
    };
    int failed = cmocka_run_group_tests_name("field elements", tests, NULL, NULL);
    flint_cleanup();
    mpfr_free_cache();
    return failed;
}
