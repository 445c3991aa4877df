/* Laws of polynomials over K: ring, division, gcd, aliasing, text. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>

#include "ckda/poly.h"

#define NFIELDS 4

typedef struct {
    ckda_field_t K[NFIELDS];
    ckda_rand r;
} fixture;

static int
setup(void **state)
{
    fixture *f = malloc(sizeof *f);
    const char *s = getenv("CKDA_TEST_SEED");
    assert_non_null(f);
    ckda_field_init_rational(f->K[0]);
    ckda_field_init_sqrt(f->K[1], 5);
    ckda_field_init_cos(f->K[2], 60);
    ckda_field_init_cos(f->K[3], 97); /* degree 48 */
    ckda_rand_init(&f->r, s != NULL ? strtoull(s, NULL, 0) : 20240229);
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    fixture *f = *state;
    for (int i = 0; i < NFIELDS; i++)
        ckda_field_clear(f->K[i]);
    free(f);
    flint_cleanup();
    return 0;
}

/* Random polynomial of length at most n; zero now and then. */
static void
poly_rand(ckda_poly_t f, ckda_rand *r, slong n, const ckda_field_t K)
{
    ckda_elem_t c;
    ckda_elem_init(c, K);
    ckda_poly_zero(f, K);
    for (slong i = (slong)ckda_rand_below(r, (uint64_t)n + 1) - 1; i >= 0; i--) {
        ckda_elem_rand(c, r, 3, 3, K);
        ckda_poly_set_coeff(f, i, c, K);
    }
    ckda_elem_clear(c, K);
}

typedef struct {
    ckda_poly_t p[8];
} polys;

static void
polys_init(polys *v, const ckda_field_t K)
{
    for (int i = 0; i < 8; i++)
        ckda_poly_init(v->p[i], K);
}

static void
polys_clear(polys *v, const ckda_field_t K)
{
    for (int i = 0; i < 8; i++)
        ckda_poly_clear(v->p[i], K);
}

static void
ring_laws(void **state)
{
    fixture *f = *state;
    for (int k = 0; k < NFIELDS; k++)
        for (int round = 0; round < (k == 3 ? 2 : 20); round++) {
            const ckda_field_struct *K = f->K[k];
            polys v;
            polys_init(&v, K);
            for (int i = 0; i < 3; i++)
                poly_rand(v.p[i], &f->r, 5, K);
            ckda_poly_mul(v.p[3], v.p[0], v.p[1], K); /* (ab)c = a(bc) */
            ckda_poly_mul(v.p[3], v.p[3], v.p[2], K);
            ckda_poly_mul(v.p[4], v.p[1], v.p[2], K);
            ckda_poly_mul(v.p[4], v.p[0], v.p[4], K);
            assert_true(ckda_poly_equal(v.p[3], v.p[4], K));
            ckda_poly_add(v.p[3], v.p[0], v.p[1], K); /* (a+b)c = ac+bc */
            ckda_poly_mul(v.p[3], v.p[3], v.p[2], K);
            ckda_poly_mul(v.p[4], v.p[0], v.p[2], K);
            ckda_poly_mul(v.p[5], v.p[1], v.p[2], K);
            ckda_poly_add(v.p[4], v.p[4], v.p[5], K);
            assert_true(ckda_poly_equal(v.p[3], v.p[4], K));
            ckda_poly_sub(v.p[3], v.p[0], v.p[1], K); /* a-b = a+(-b) */
            ckda_poly_neg(v.p[4], v.p[1], K);
            ckda_poly_add(v.p[4], v.p[4], v.p[0], K);
            assert_true(ckda_poly_equal(v.p[3], v.p[4], K));
            ckda_poly_sub(v.p[3], v.p[3], v.p[4], K);
            assert_true(ckda_poly_is_zero(v.p[3]));
            polys_clear(&v, K);
        }
}

static void
results_may_alias_inputs(void **state)
{
    fixture *f = *state;
    const ckda_field_struct *K = f->K[1];
    for (int round = 0; round < 20; round++) {
        polys v;
        polys_init(&v, K);
        poly_rand(v.p[0], &f->r, 6, K);
        poly_rand(v.p[1], &f->r, 4, K);
        void (*op[3])(ckda_poly_t, const ckda_poly_t, const ckda_poly_t,
                      const ckda_field_t) = {ckda_poly_add, ckda_poly_sub, ckda_poly_mul};
        for (int i = 0; i < 3; i++) {
            op[i](v.p[2], v.p[0], v.p[1], K);
            ckda_poly_set(v.p[3], v.p[0], K);
            op[i](v.p[3], v.p[3], v.p[1], K);
            assert_true(ckda_poly_equal(v.p[2], v.p[3], K));
            ckda_poly_set(v.p[3], v.p[1], K);
            op[i](v.p[3], v.p[0], v.p[3], K);
            assert_true(ckda_poly_equal(v.p[2], v.p[3], K));
            op[i](v.p[2], v.p[0], v.p[0], K);
            ckda_poly_set(v.p[3], v.p[0], K);
            op[i](v.p[3], v.p[3], v.p[3], K);
            assert_true(ckda_poly_equal(v.p[2], v.p[3], K));
        }
        ckda_poly_derivative(v.p[2], v.p[0], K);
        ckda_poly_set(v.p[3], v.p[0], K);
        ckda_poly_derivative(v.p[3], v.p[3], K);
        assert_true(ckda_poly_equal(v.p[2], v.p[3], K));
        ckda_poly_shift_left(v.p[2], v.p[0], 3, K);
        ckda_poly_set(v.p[3], v.p[0], K);
        ckda_poly_shift_left(v.p[3], v.p[3], 3, K);
        assert_true(ckda_poly_equal(v.p[2], v.p[3], K));
        polys_clear(&v, K);
    }
}

/* The scalar argument may be a coefficient of the very polynomial that is written. */
static void
scalars_may_live_inside_the_result(void **state)
{
    fixture *f = *state;
    const ckda_field_struct *K = f->K[1];
    polys v;
    polys_init(&v, K);
    for (slong i = 0; i < 3; i++)
        ckda_poly_set_coeff_si(v.p[0], i, 2 + i, K); /* 4x^2+3x+2 */
    ckda_poly_scalar_mul(v.p[0], v.p[0], v.p[0]->coeff, K);
    char *s = ckda_poly_str(v.p[0], "x", K);
    assert_string_equal(s, "8*x^2+6*x+4");
    free(s);
    ckda_poly_set_coeff(v.p[0], 9, v.p[0]->coeff, K);
    s = ckda_poly_str(v.p[0], "x", K);
    assert_string_equal(s, "4*x^9+8*x^2+6*x+4");
    free(s);
    ckda_poly_set_root(v.p[0], v.p[0]->coeff, K);
    ckda_poly_eval(v.p[0]->coeff, v.p[0], v.p[0]->coeff + 1, K); /* x - 4 at 1 */
    s = ckda_poly_str(v.p[0], "x", K);
    assert_string_equal(s, "x-3");
    free(s);
    polys_clear(&v, K);
}

static void
division_law(void **state)
{
    fixture *f = *state;
    for (int k = 0; k < NFIELDS; k++)
        for (int round = 0; round < (k == 3 ? 1 : 20); round++) {
            const ckda_field_struct *K = f->K[k];
            polys v;
            polys_init(&v, K);
            poly_rand(v.p[0], &f->r, k == 3 ? 3 : 7, K);
            do
                poly_rand(v.p[1], &f->r, k == 3 ? 2 : 4, K);
            while (ckda_poly_is_zero(v.p[1]));
            assert_int_equal(ckda_poly_divrem(v.p[2], v.p[3], v.p[0], v.p[1], K),
                             CKDA_OK);
            assert_true(ckda_poly_degree(v.p[3]) < ckda_poly_degree(v.p[1]));
            ckda_poly_mul(v.p[4], v.p[2], v.p[1], K);
            ckda_poly_add(v.p[4], v.p[4], v.p[3], K);
            assert_true(ckda_poly_equal(v.p[4], v.p[0], K));
            /* results alias the inputs, crosswise */
            ckda_poly_set(v.p[5], v.p[0], K);
            ckda_poly_set(v.p[6], v.p[1], K);
            assert_int_equal(ckda_poly_divrem(v.p[6], v.p[5], v.p[5], v.p[6], K),
                             CKDA_OK);
            assert_true(ckda_poly_equal(v.p[6], v.p[2], K));
            assert_true(ckda_poly_equal(v.p[5], v.p[3], K));
            polys_clear(&v, K);
        }
}

static void
division_by_zero_leaves_the_results_alone(void **state)
{
    fixture *f = *state;
    const ckda_field_struct *K = f->K[1];
    polys v;
    polys_init(&v, K);
    ckda_poly_set_coeff_si(v.p[0], 1, 7, K);
    ckda_poly_set_coeff_si(v.p[1], 2, 5, K);
    assert_int_equal(ckda_poly_divrem(v.p[0], v.p[1], v.p[1], v.p[2], K), CKDA_E_DOMAIN);
    assert_int_equal(ckda_poly_degree(v.p[0]), 1);
    assert_int_equal(ckda_poly_degree(v.p[1]), 2);
    polys_clear(&v, K);
}

static void
gcd_divides_and_holds_the_common_factor(void **state)
{
    fixture *f = *state;
    for (int k = 0; k < 3; k++)
        for (int round = 0; round < 8; round++) {
            const ckda_field_struct *K = f->K[k];
            polys v;
            polys_init(&v, K);
            for (int i = 0; i < 3; i++)
                poly_rand(v.p[i], &f->r, 3, K);
            ckda_poly_mul(v.p[3], v.p[0], v.p[2], K);
            ckda_poly_mul(v.p[4], v.p[1], v.p[2], K);
            ckda_poly_gcd(v.p[5], v.p[3], v.p[4], K);
            if (ckda_poly_is_zero(v.p[3]) && ckda_poly_is_zero(v.p[4])) {
                assert_true(ckda_poly_is_zero(v.p[5]));
            } else {
                for (int i = 3; i < 5; i++) {
                    assert_int_equal(ckda_poly_divrem(v.p[6], v.p[7], v.p[i], v.p[5], K),
                                     CKDA_OK);
                    assert_true(ckda_poly_is_zero(v.p[7]));
                }
                if (!ckda_poly_is_zero(v.p[2])) {
                    assert_int_equal(ckda_poly_divrem(v.p[6], v.p[7], v.p[5], v.p[2], K),
                                     CKDA_OK);
                    assert_true(ckda_poly_is_zero(v.p[7]));
                }
                ckda_poly_monic(v.p[6], v.p[5], K);
                assert_true(ckda_poly_equal(v.p[6], v.p[5], K));
            }
            polys_clear(&v, K);
        }
}

static void
evaluation_is_a_homomorphism(void **state)
{
    fixture *f = *state;
    for (int k = 0; k < NFIELDS; k++)
        for (int round = 0; round < (k == 3 ? 1 : 10); round++) {
            const ckda_field_struct *K = f->K[k];
            polys v;
            ckda_elem_t x, y, z, w;
            polys_init(&v, K);
            ckda_elem_init(x, K);
            ckda_elem_init(y, K);
            ckda_elem_init(z, K);
            ckda_elem_init(w, K);
            ckda_elem_rand(x, &f->r, 3, 2, K);
            poly_rand(v.p[0], &f->r, 4, K);
            poly_rand(v.p[1], &f->r, 4, K);
            ckda_poly_mul(v.p[2], v.p[0], v.p[1], K);
            ckda_poly_eval(y, v.p[0], x, K);
            ckda_poly_eval(z, v.p[1], x, K);
            ckda_poly_eval(w, v.p[2], x, K);
            ckda_elem_mul(y, y, z, K);
            assert_true(ckda_elem_equal(y, w, K));
            ckda_poly_set_root(v.p[3], x, K);
            ckda_poly_eval(x, v.p[3], x, K); /* result aliases the point */
            assert_true(ckda_elem_is_zero(x, K));
            ckda_elem_clear(w, K);
            ckda_elem_clear(z, K);
            ckda_elem_clear(y, K);
            ckda_elem_clear(x, K);
            polys_clear(&v, K);
        }
}

static void
product_rule(void **state)
{
    fixture *f = *state;
    const ckda_field_struct *K = f->K[2];
    for (int round = 0; round < 10; round++) {
        polys v;
        polys_init(&v, K);
        poly_rand(v.p[0], &f->r, 5, K);
        poly_rand(v.p[1], &f->r, 5, K);
        ckda_poly_mul(v.p[2], v.p[0], v.p[1], K);
        ckda_poly_derivative(v.p[2], v.p[2], K);
        ckda_poly_derivative(v.p[3], v.p[0], K);
        ckda_poly_mul(v.p[3], v.p[3], v.p[1], K);
        ckda_poly_derivative(v.p[4], v.p[1], K);
        ckda_poly_mul(v.p[4], v.p[4], v.p[0], K);
        ckda_poly_add(v.p[3], v.p[3], v.p[4], K);
        assert_true(ckda_poly_equal(v.p[2], v.p[3], K));
        polys_clear(&v, K);
    }
}

/* The trap: reversal forgets zero roots, so reversing twice gives x^-k f. */
static void
reversal_loses_zero_roots(void **state)
{
    fixture *f = *state;
    const ckda_field_struct *K = f->K[1];
    polys v;
    polys_init(&v, K);
    ckda_poly_set_coeff_si(v.p[0], 3, 2, K);
    ckda_poly_set_coeff_si(v.p[0], 1, 5, K); /* 2x^3 + 5x */
    ckda_poly_reverse(v.p[1], v.p[0], K);
    char *s = ckda_poly_str(v.p[1], "x", K);
    assert_string_equal(s, "5*x^2+2");
    free(s);
    ckda_poly_reverse(v.p[1], v.p[1], K);
    s = ckda_poly_str(v.p[1], "x", K);
    assert_string_equal(s, "2*x^2+5");
    free(s);
    polys_clear(&v, K);
}

static void
length_shrinks_when_leading_terms_cancel(void **state)
{
    fixture *f = *state;
    const ckda_field_struct *K = f->K[1];
    polys v;
    ckda_elem_t c;
    polys_init(&v, K);
    ckda_elem_init(c, K);
    ckda_poly_set_coeff_si(v.p[0], 4, 1, K);
    ckda_poly_set_coeff_si(v.p[0], 1, 1, K);
    ckda_poly_set_coeff_si(v.p[1], 4, 1, K);
    ckda_poly_sub(v.p[2], v.p[0], v.p[1], K);
    assert_int_equal(ckda_poly_degree(v.p[2]), 1);
    ckda_poly_set_coeff_si(v.p[0], 4, 0, K);
    assert_int_equal(ckda_poly_degree(v.p[0]), 1);
    ckda_poly_get_coeff(c, v.p[0], 17, K);
    assert_true(ckda_elem_is_zero(c, K));
    ckda_poly_scalar_mul(v.p[0], v.p[0], c, K);
    assert_int_equal(ckda_poly_degree(v.p[0]), -1);
    ckda_poly_set_coeff_si(v.p[0], 2, 1, K); /* what lies beyond the length is not read */
    char *s = ckda_poly_str(v.p[0], "x", K);
    assert_string_equal(s, "x^2");
    free(s);
    ckda_elem_clear(c, K);
    polys_clear(&v, K);
}

static void
text_is_the_usual_one(void **state)
{
    fixture *f = *state;
    const ckda_field_struct *K = f->K[1];
    polys v;
    ckda_elem_t c, g;
    polys_init(&v, K);
    ckda_elem_init(c, K);
    ckda_elem_init(g, K);
    char *s = ckda_poly_str(v.p[0], "x", K);
    assert_string_equal(s, "0");
    free(s);
    ckda_elem_gen(g, K);
    ckda_elem_set_frac(c, 1, 4, K);
    ckda_elem_addmul(c, c, g, K); /* (1 + a)/4 */
    ckda_poly_set_coeff_si(v.p[0], 3, -1, K);
    ckda_poly_set_coeff(v.p[0], 1, c, K);
    ckda_poly_set_coeff_si(v.p[0], 0, -1, K);
    s = ckda_poly_str(v.p[0], "x", K);
    assert_string_equal(s, "-x^3+(1/4+1/4*a)*x-1");
    free(s);
    ckda_poly_set_coeff(v.p[0], 0, c, K);
    ckda_poly_set_coeff_si(v.p[0], 1, 0, K);
    s = ckda_poly_str(v.p[0], "y", K);
    assert_string_equal(s, "-y^3+(1/4+1/4*a)");
    free(s);
    ckda_poly_zero(v.p[0], K);
    ckda_poly_set_coeff(v.p[0], 0, c, K);
    s = ckda_poly_str(v.p[0], "x", K);
    assert_string_equal(s, "1/4+1/4*a");
    free(s);
    ckda_elem_clear(g, K);
    ckda_elem_clear(c, K);
    polys_clear(&v, K);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(ring_laws),
        TEST(results_may_alias_inputs),
        TEST(scalars_may_live_inside_the_result),
        TEST(division_law),
        TEST(division_by_zero_leaves_the_results_alone),
        TEST(gcd_divides_and_holds_the_common_factor),
        TEST(evaluation_is_a_homomorphism),
        TEST(product_rule),
        TEST(reversal_loses_zero_roots),
        TEST(length_shrinks_when_leading_terms_cancel),
        TEST(text_is_the_usual_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
