/* Elements of many fields against FLINT's qqbar, which knows no fields. */
#include "fields.h"

#define RUN_FIELDS 7 /* of nth_field; qqbar takes long in the others */

static ckda_rand rnd;

/* Calls run a few times for random elements x, y of each field (often close to each
 * other), the fewer the higher the degree. */
static void
for_pairs(void (*run)(const ckda_elem_t x, const ckda_elem_t y, const ckda_field_t K))
{
    for (int i = 0; i < RUN_FIELDS; i++) {
        ckda_field_t K;
        ckda_elem_t x, y, t;
        nth_field(K, i);
        ckda_elem_init(x, K);
        ckda_elem_init(y, K);
        ckda_elem_init(t, K);
        for (slong n = 0; n < 64 / (K->degree * K->degree) + 1; n++) {
            ckda_elem_rand(x, &rnd, 20, 6, K);
            ckda_elem_rand(y, &rnd, 20, 6, K);
            if (n % 3 == 2) {
                ckda_elem_set_frac(t, n % 2 == 0 ? 1 : -1, 1000000007, K);
                ckda_elem_add(y, x, t, K);
            }
            run(x, y, K);
        }
        ckda_elem_clear(t, K);
        ckda_elem_clear(y, K);
        ckda_elem_clear(x, K);
        ckda_field_clear(K);
    }
}

static void
same(const ckda_elem_t z, const qqbar_t want, const ckda_field_t K)
{
    qqbar_t got;
    qqbar_init(got);
    ckda_elem_get_qqbar(got, z, K);
    if (!qqbar_equal(got, want)) {
        char *s = ckda_elem_str(z, K);
        print_error("%s in the field of degree %ld\n", s, (long)K->degree);
        free(s);
        fail();
    }
    qqbar_clear(got);
}

typedef void elem_op(ckda_elem_t, const ckda_elem_t, const ckda_elem_t,
                     const ckda_field_t);
typedef void qqbar_binary(qqbar_t, const qqbar_t, const qqbar_t);

static void
compare(elem_op *ours, qqbar_binary *theirs, const ckda_elem_t x, const ckda_elem_t y,
        const ckda_field_t K)
{
    ckda_elem_t z;
    qqbar_t u, v;
    ckda_elem_init(z, K);
    qqbar_init(u);
    qqbar_init(v);
    ckda_elem_get_qqbar(u, x, K);
    ckda_elem_get_qqbar(v, y, K);
    ours(z, x, y, K);
    theirs(u, u, v);
    same(z, u, K);
    qqbar_clear(v);
    qqbar_clear(u);
    ckda_elem_clear(z, K);
}

static void
run_add(const ckda_elem_t x, const ckda_elem_t y, const ckda_field_t K)
{
    compare(ckda_elem_add, qqbar_add, x, y, K);
}

static void
run_sub(const ckda_elem_t x, const ckda_elem_t y, const ckda_field_t K)
{
    compare(ckda_elem_sub, qqbar_sub, x, y, K);
}

static void
run_mul(const ckda_elem_t x, const ckda_elem_t y, const ckda_field_t K)
{
    compare(ckda_elem_mul, qqbar_mul, x, y, K);
}

static void
divide(ckda_elem_t z, const ckda_elem_t x, const ckda_elem_t y, const ckda_field_t K)
{
    assert_int_equal(ckda_elem_div(z, x, y, K), CKDA_OK);
}

static void
run_div(const ckda_elem_t x, const ckda_elem_t y, const ckda_field_t K)
{
    if (!ckda_elem_is_zero(y, K))
        compare(divide, qqbar_div, x, y, K);
}

static void
run_order(const ckda_elem_t x, const ckda_elem_t y, const ckda_field_t K)
{
    qqbar_t u, v;
    qqbar_init(u);
    qqbar_init(v);
    ckda_elem_get_qqbar(u, x, K);
    ckda_elem_get_qqbar(v, y, K);
    assert_int_equal(ckda_elem_sgn(x, K), qqbar_sgn_re(u));
    assert_int_equal(ckda_elem_cmp(x, y, K), qqbar_cmp_re(u, v));
    assert_int_equal(ckda_elem_equal(x, y, K), qqbar_equal(u, v));
    qqbar_clear(v);
    qqbar_clear(u);
}

static void
sums_agree(void **state)
{
    (void)state;
    for_pairs(run_add);
}

static void
differences_agree(void **state)
{
    (void)state;
    for_pairs(run_sub);
}

static void
products_agree(void **state)
{
    (void)state;
    for_pairs(run_mul);
}

static void
quotients_agree(void **state)
{
    (void)state;
    for_pairs(run_div);
}

static void
signs_and_comparisons_agree(void **state)
{
    (void)state;
    for_pairs(run_order);
}

/* cos and sin of 2 pi k / N, which the field takes from a recurrence. */
static void
cosines_and_sines_agree(void **state)
{
    (void)state;
    for (ulong N = 1; N <= 24; N++) {
        ckda_field_t K;
        ckda_elem_t x;
        qqbar_t want;
        ckda_field_init_cos(K, N / n_gcd(N, 4) * 4);
        ckda_elem_init(x, K);
        qqbar_init(want);
        for (slong k = -3; k < (slong)N + 2; k += 2) {
            assert_int_equal(ckda_elem_set_cos(x, k, N, K), CKDA_OK);
            qqbar_cos_pi(want, 2 * k, N);
            same(x, want, K);
            assert_int_equal(ckda_elem_set_sin(x, k, N, K), CKDA_OK);
            qqbar_sin_pi(want, 2 * k, N);
            same(x, want, K);
        }
        qqbar_clear(want);
        ckda_elem_clear(x, K);
        ckda_field_clear(K);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_agree),
        cmocka_unit_test(differences_agree),
        cmocka_unit_test(products_agree),
        cmocka_unit_test(quotients_agree),
        cmocka_unit_test(signs_and_comparisons_agree),
        cmocka_unit_test(cosines_and_sines_agree),
    };
    ckda_rand_init(&rnd, 20260403);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
