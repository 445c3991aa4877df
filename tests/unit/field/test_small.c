/* Arithmetic on machine words (src/field/small.c) gives what antic gives. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "ckda/field.h"

/* Around what fits and what does not. */
static slong
number(ckda_rand *r)
{
    static const slong edge[] = {0,
                                 1,
                                 2,
                                 (1 << 20) - 1,
                                 1 << 20,
                                 (1 << 20) + 1,
                                 1 << 30,
                                 WORD_MAX / 4,
                                 WORD_MAX / 2,
                                 WORD_MAX};
    const uint64_t kind = ckda_rand_below(r, 4);
    slong x = kind == 0 ? edge[ckda_rand_below(r, sizeof edge / sizeof *edge)]
                        : (slong)ckda_rand_below(r, kind == 1 ? 1 << 20 : 13);
    return ckda_rand_below(r, 2) == 0 ? x : -x;
}

static void
random_element(ckda_elem_t x, ckda_rand *r, const ckda_field_t K)
{
    fmpq_poly_t f;
    fmpq_poly_init(f);
    for (slong i = 0; i < K->degree; i++)
        fmpq_poly_set_coeff_si(f, i, number(r));
    const slong den = number(r);
    fmpq_poly_scalar_div_si(f, f, den == 0 ? 1 : den);
    ckda_elem_set_fmpq_poly(x, f, K);
    fmpq_poly_clear(f);
}

/* z = z op x y or x op y in both ways, z elsewhere or at x or y. */
static void
compare(int op, ckda_elem_struct *v, const ckda_field_t K)
{
    ckda_elem_struct *z = v, *x = v + 1, *y = v + 2, *want = v + 3;
    if (op < 3)
        nf_elem_mul(want, x, y, K->nf);
    switch (op) {
    case 0:
        ckda_elem_mul(z, x, y, K);
        break;
    case 1:
        nf_elem_add(want, z, want, K->nf);
        ckda_elem_addmul(z, x, y, K);
        break;
    case 2:
        nf_elem_sub(want, z, want, K->nf);
        ckda_elem_submul(z, x, y, K);
        break;
    case 3:
        nf_elem_add(want, x, y, K->nf);
        ckda_elem_add(z, x, y, K);
        break;
    default:
        nf_elem_sub(want, x, y, K->nf);
        ckda_elem_sub(z, x, y, K);
    }
    assert_true(nf_elem_equal(z, want, K->nf));
    assert_true(ckda_elem_hash(z, K) == ckda_elem_hash(want, K)); /* in the same form */
}

static void
compare_in(const ckda_field_t K)
{
    ckda_rand r;
    ckda_rand_init(&r, 7);
    for (int round = 0; round < 20000; round++) {
        ckda_elem_struct *v = ckda_elem_vec_new(4, K);
        for (int i = 0; i < 3; i++)
            random_element(v + i, &r, K);
        if (round % 4 == 1)
            ckda_elem_set(v + 2, v + 1, K); /* squares */
        compare(round % 5, v, K);
        ckda_elem_vec_free(v, 4, K);
    }
}

static void
aliases_in(const ckda_field_t K)
{
    ckda_rand r;
    ckda_elem_t x, y, want;
    ckda_rand_init(&r, 8);
    ckda_elem_init(x, K);
    ckda_elem_init(y, K);
    ckda_elem_init(want, K);
    for (int round = 0; round < 3000; round++) {
        random_element(x, &r, K);
        random_element(y, &r, K);
        nf_elem_mul(want, x, y, K->nf);
        nf_elem_add(want, want, x, K->nf);
        ckda_elem_addmul(x, x, y, K); /* x += x y */
        assert_true(nf_elem_equal(x, want, K->nf));
        nf_elem_mul(want, y, y, K->nf);
        nf_elem_sub(want, y, want, K->nf);
        ckda_elem_submul(y, y, y, K); /* y -= y^2 */
        assert_true(nf_elem_equal(y, want, K->nf));
        ckda_elem_sub(x, x, x, K);
        assert_true(ckda_elem_is_zero(x, K));
        assert_int_equal(ckda_elem_inv(x, x, K), CKDA_E_DOMAIN);
    }
    ckda_elem_clear(want, K);
    ckda_elem_clear(y, K);
    ckda_elem_clear(x, K);
}

static void
inverses_in(const ckda_field_t K)
{
    ckda_rand r;
    ckda_rand_init(&r, 9);
    for (int round = 0; round < 5000; round++) {
        ckda_elem_struct *v = ckda_elem_vec_new(3, K);
        random_element(v, &r, K);
        random_element(v + 1, &r, K);
        if (!ckda_elem_is_zero(v, K)) {
            nf_elem_inv(v + 2, v, K->nf);
            nf_elem_mul(v + 1, v + 1, v + 2, K->nf);
            assert_int_equal(ckda_elem_inv(v, v, K), CKDA_OK);
            assert_true(nf_elem_equal(v, v + 2, K->nf));
            assert_true(ckda_elem_hash(v, K) == ckda_elem_hash(v + 2, K));
            assert_int_equal(ckda_elem_div(v, v + 1, v + 2, K), CKDA_OK);
            nf_elem_mul(v, v, v + 2, K->nf);
            assert_true(nf_elem_equal(v, v + 1, K->nf));
        }
        ckda_elem_vec_free(v, 3, K);
    }
}

static void
rational_numbers(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_field_init_rational(K);
    compare_in(K);
    aliases_in(K);
    inverses_in(K);
    ckda_field_clear(K);
}

static void
square_roots(void **state)
{
    (void)state;
    const ulong n[] = {2, 5, 1048575, 1048577, 4294967291};
    for (size_t i = 0; i < sizeof n / sizeof *n; i++) {
        ckda_field_t K;
        ckda_field_init_sqrt(K, n[i]);
        compare_in(K);
        aliases_in(K);
        inverses_in(K);
        ckda_field_clear(K);
    }
}

/* x^2 + x - 1: the middle coefficient is not 0. */
static void
the_golden_field(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_field_init_cos(K, 5);
    assert_int_equal(fmpz_poly_get_coeff_si(K->minpoly, 1), 1);
    compare_in(K);
    aliases_in(K);
    inverses_in(K);
    ckda_field_clear(K);
}

static void
higher_degrees(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_field_init_cos(K, 7);
    compare_in(K);
    aliases_in(K);
    inverses_in(K);
    ckda_field_clear(K);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rational_numbers),
        cmocka_unit_test(square_roots),
        cmocka_unit_test(the_golden_field),
        cmocka_unit_test(higher_degrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
