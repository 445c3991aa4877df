/* Formats as data; patterns against exact numbers. */
#include <math.h>

#include "fixture.h"

static void
constants_are_those_of_the_standards(void **state)
{
    (void)state;
    const struct {
        const char *name;
        int width, precision, emin, emax;
        double largest, normal, subnormal;
        uint64_t nan;
    } want[] = {
        {"bf16", 16, 8, -126, 127, 0x1.fep127, 0x1p-126, 0x1p-133, 0x7fc0},
        {"fp16", 16, 11, -14, 15, 65504, 0x1p-14, 0x1p-24, 0x7e00},
        {"fp32", 32, 24, -126, 127, 0x1.fffffep127, 0x1p-126, 0x1p-149, 0x7fc00000},
        {"fp64", 64, 53, -1022, 1023, 0x1.fffffffffffffp1023, 0x1p-1022, 0x1p-1074,
         UINT64_C(0x7ff8000000000000)},
        {"tf32", 19, 11, -126, 127, 0x1.ffcp127, 0x1p-126, 0x1p-136, 0x7fc00000 >> 13},
        {"e4m3", 8, 4, -6, 8, 448, 0x1p-6, 0x1p-9, 0x7f},
        {"e5m2", 8, 3, -14, 15, 57344, 0x1p-14, 0x1p-16, 0x7e},
    };
    for (int i = 0; i < 7; i++) {
        const ckda_fp_format *f = ckda_fp_format_named(want[i].name);
        assert_ptr_equal(f, ckda_fp_formats[i]);
        assert_int_equal(f->width, want[i].width);
        assert_int_equal(f->precision, want[i].precision);
        assert_int_equal(f->emin, want[i].emin);
        assert_int_equal(f->emax, want[i].emax);
        assert_true(f->sign == UINT64_C(1) << (f->width - 1));
        assert_true(ckda_fp_get_double(f->largest, f) == want[i].largest);
        assert_true(ckda_fp_get_double(ckda_fp_smallest_normal(f), f) == want[i].normal);
        assert_true(ckda_fp_get_double(ckda_fp_smallest_subnormal(f), f)
                    == want[i].subnormal);
        assert_true(f->nan == want[i].nan);
    }
    assert_null(ckda_fp_formats[7]);
    assert_null(ckda_fp_format_named("fp8"));
}

static void
classes_are_counted_exhaustively(void **state)
{
    (void)state;
    /* zero, subnormal, normal, infinite, NaN over all patterns */
    const struct {
        const ckda_fp_format *f;
        long want[5];
    } table[] = {
        {&ckda_fp_bf16, {2, 2 * 127, 2 * 254 * 128, 2, 2 * 127}},
        {&ckda_fp_fp16, {2, 2 * 1023, 2 * 30 * 1024, 2, 2 * 1023}},
        {&ckda_fp_tf32, {2, 2 * 1023, 2 * 254 * 1024, 2, 2 * 1023}},
        {&ckda_fp_e4m3, {2, 2 * 7, 2 * (14 * 8 + 7), 0, 2}},
        {&ckda_fp_e5m2, {2, 2 * 3, 2 * 30 * 4, 2, 2 * 3}},
    };
    for (int t = 0; t < 5; t++) {
        const ckda_fp_format *f = table[t].f;
        long seen[5] = {0};
        for (uint64_t x = 0; x < 2 * f->sign; x++) {
            ckda_fp_class c = ckda_fp_classify(x, f);
            seen[c]++;
            assert_int_equal(ckda_fp_is_finite(x, f), c <= CKDA_FP_NORMAL);
        }
        for (int c = 0; c < 5; c++)
            assert_int_equal(seen[c], table[t].want[c]);
    }
    assert_int_equal(ckda_fp_classify(0xff, &ckda_fp_e4m3), CKDA_FP_NAN);
    assert_int_equal(ckda_fp_classify(0x7e, &ckda_fp_e4m3), CKDA_FP_NORMAL);
}

/* One finite pattern: dyadic, rational, double and the fields agree. */
static void
check_values(uint64_t x, const ckda_fp_format *f, fmpq_t q, fmpq_t want)
{
    int64_t m, e;
    OK(ckda_fp_get_dyadic(&m, &e, x, f));
    assert_true(m == 0 ? e == 0 : m % 2 != 0);
    define_value(want, x, f);
    OK(ckda_fp_get_fmpq(q, x, f));
    assert_true(fmpq_equal(q, want));
    double d = ckda_fp_get_double(x, f);
    assert_true(d == ldexp((double)m, (int)e));
    assert_int_equal(signbit(d) != 0, ckda_fp_is_negative(x, f));
    for (int i = 0; i <= CKDA_FP_RNA; i++) {
        ckda_fp_rule r = {.direction = (ckda_fp_direction)i};
        assert_true(ckda_fp_from_dyadic(m, e, f, &r) == (m == 0 ? 0 : x));
        assert_true(ckda_fp_from_fmpq(q, f, &r) == (m == 0 ? 0 : x));
        assert_true(ckda_fp_from_double(d, f, &r) == x);
    }
}

static void
values_agree_with_the_fields(void **state)
{
    (void)state;
    ckda_rand r = seeded(1);
    fmpq_t q, want;
    fmpq_init(q);
    fmpq_init(want);
    for (int i = 0; i < 7; i++) {
        const ckda_fp_format *f = ckda_fp_formats[i];
        bool all = f->width <= 16;
        long n = all ? 1L << f->width : cases(5000);
        for (long k = 0; k < n; k++) {
            uint64_t x = all ? (uint64_t)k : edge_pattern(&r, f);
            if (ckda_fp_is_finite(x, f))
                check_values(x, f, q, want);
        }
    }
    fmpq_clear(want);
    fmpq_clear(q);
}

static void
special_patterns_have_no_value_and_leave_results_alone(void **state)
{
    (void)state;
    fmpq_t q;
    fmpq_init(q);
    fmpq_set_si(q, 7, 3);
    for (int i = 0; i < 7; i++) {
        const ckda_fp_format *f = ckda_fp_formats[i];
        const uint64_t special[] = {f->nan, f->nan | f->sign, f->infinity,
                                    f->infinity | f->sign};
        for (int k = 0; k < (f->has_infinity ? 4 : 2); k++) {
            int64_t m = 5, e = 6;
            int u = 7;
            assert_int_equal(ckda_fp_get_dyadic(&m, &e, special[k], f), CKDA_E_DOMAIN);
            assert_int_equal(ckda_fp_get_fmpq(q, special[k], f), CKDA_E_DOMAIN);
            assert_int_equal(ckda_fp_ulp(&u, special[k], f), CKDA_E_DOMAIN);
            assert_true(m == 5 && e == 6 && u == 7);
        }
        assert_true(isnan(ckda_fp_get_double(f->nan | f->sign, f)));
        if (f->has_infinity)
            assert_true(ckda_fp_get_double(f->infinity | f->sign, f) == -INFINITY);
    }
    assert_int_equal(fmpz_get_si(fmpq_numref(q)), 7);
    fmpq_clear(q);
}

static void
order_is_the_order_of_values(void **state)
{
    (void)state;
    ckda_rand r = seeded(2);
    for (int i = 0; i < 7; i++) {
        const ckda_fp_format *f = ckda_fp_formats[i];
        long n = f->width == 8 ? 65536 : 20000;
        for (long k = 0; k < n; k++) {
            uint64_t x = f->width == 8 ? (uint64_t)k & 255 : edge_pattern(&r, f);
            uint64_t y = f->width == 8 ? (uint64_t)k >> 8
                         : k % 3 == 0  ? random_pattern(&r, f)
                                       : (x + ckda_rand_below(&r, 3)) % (2 * f->sign - 1);
            if (f->width == 64 && k % 3 != 0)
                y = edge_pattern(&r, f);
            double a = ckda_fp_get_double(x, f), b = ckda_fp_get_double(y, f);
            ckda_fp_ordering want = a < b    ? CKDA_FP_LESS
                                    : a > b  ? CKDA_FP_GREATER
                                    : a == b ? CKDA_FP_EQUAL
                                             : CKDA_FP_UNORDERED;
            assert_int_equal(ckda_fp_cmp(x, y, f), want);
        }
    }
}

/* Walking up from the least value meets every finite value once, in order. */
static void
next_up_walks_through_all_values(void **state)
{
    (void)state;
    for (int i = 0; i < 7; i++) {
        const ckda_fp_format *f = ckda_fp_formats[i];
        uint64_t top = f->has_infinity ? f->infinity : f->nan;
        assert_true(ckda_fp_next_up(f->largest, f) == top);
        assert_true(ckda_fp_next_up(f->nan | f->sign, f) == f->nan);
        assert_true(ckda_fp_next_up(f->sign, f) == 1);
        assert_true(ckda_fp_next_down(0, f) == (f->sign | 1));
        assert_true(ckda_fp_next_down(f->largest | f->sign, f)
                    == (f->has_infinity ? f->infinity | f->sign : f->nan));
        if (f->has_infinity) {
            assert_true(ckda_fp_next_up(f->infinity, f) == f->infinity);
            assert_true(ckda_fp_next_down(f->infinity, f) == f->largest);
            assert_true(ckda_fp_next_up(f->infinity | f->sign, f)
                        == (f->largest | f->sign));
        }
        if (f->width > 19)
            continue;
        uint64_t steps = 0;
        for (uint64_t x = f->largest | f->sign; x != f->largest; steps++) {
            uint64_t up = ckda_fp_next_up(x, f);
            assert_int_equal(ckda_fp_cmp(x, up, f), CKDA_FP_LESS);
            if (up != f->sign + 0 && up != 0 && up != 1)
                assert_true(ckda_fp_next_down(up, f) == x);
            x = up;
        }
        assert_int_equal(steps, 2 * f->largest); /* both zeros are one stop */
    }
}

static void
ulp_is_the_distance_upwards_of_a_magnitude(void **state)
{
    (void)state;
    for (int i = 0; i < 7; i++) {
        const ckda_fp_format *f = ckda_fp_formats[i];
        ckda_rand r = seeded(3);
        for (long k = 0; k < 5000; k++) {
            uint64_t x = edge_pattern(&r, f), m = x & ~f->sign;
            int e;
            OK(ckda_fp_ulp(&e, x, f));
            if (m == f->largest)
                continue;
            double gap = ckda_fp_get_double(m + 1, f) - ckda_fp_get_double(m, f);
            assert_true(gap == ldexp(1, e));
        }
        int e;
        OK(ckda_fp_ulp(&e, 0, f));
        assert_int_equal(e, f->emin - f->precision + 1);
    }
}

static void
negation_flips_the_sign_of_everything_but_nan(void **state)
{
    (void)state;
    const ckda_fp_format *f = &ckda_fp_e4m3;
    for (uint64_t x = 0; x < 256; x++)
        assert_int_equal(ckda_fp_neg(x, f), (x & 0x7f) == 0x7f ? 0x7f : x ^ 0x80);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants_are_those_of_the_standards),
        cmocka_unit_test(classes_are_counted_exhaustively),
        cmocka_unit_test(values_agree_with_the_fields),
        cmocka_unit_test(special_patterns_have_no_value_and_leave_results_alone),
        cmocka_unit_test(order_is_the_order_of_values),
        cmocka_unit_test(next_up_walks_through_all_values),
        cmocka_unit_test(ulp_is_the_distance_upwards_of_a_magnitude),
        cmocka_unit_test(negation_flips_the_sign_of_everything_but_nan),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
