/* Each rounding into a format, against MPFR and against the definition. */
#include <math.h>

#include "ckda/fpfast.h"
#include "fixture.h"

/* v is scratch. */
static uint64_t
oracle_round(mpfr_t v, const mpfr_t exact, const ckda_fp_format *f, ckda_fp_direction d)
{
    mpfr_set_prec(v, f->precision);
    int t = mpfr_set(v, exact, mpfr_mode[d]);
    return oracle_finish(v, t, f, d);
}

/* All 16-bit patterns into all formats, in the four directions that MPFR knows. */
static void
convert_exhaustively(const ckda_fp_format *from)
{
    mpfr_t exact, scratch;
    mpfr_init2(exact, 64);
    mpfr_init2(scratch, 64);
    for (uint64_t x = 0; x < 65536; x++) {
        oracle_decode(exact, x, from);
        for (int i = 0; i < 7; i++)
            for (int d = 0; d < 4; d++) {
                ckda_fp_rule r = {.direction = (ckda_fp_direction)d};
                const ckda_fp_format *to = ckda_fp_formats[i];
                same_bits(ckda_fp_convert(x, from, to, &r),
                          oracle_round(scratch, exact, to, r.direction), from->name, to,
                          &r, x, 0, 0);
            }
    }
    mpfr_clear(scratch);
    mpfr_clear(exact);
}

static void
all_bf16_patterns_convert_as_in_mpfr(void **state)
{
    (void)state;
    convert_exhaustively(&ckda_fp_bf16);
}

static void
all_fp16_patterns_convert_as_in_mpfr(void **state)
{
    (void)state;
    convert_exhaustively(&ckda_fp_fp16);
}

static void
to_bf16_and_fp16_and_back_is_the_identity(void **state)
{
    (void)state;
    for (int i = 0; i < 7; i++)
        for (int k = 0; k < 7; k++) {
            const ckda_fp_format *f = ckda_fp_formats[i], *g = ckda_fp_formats[k];
            bool wider = g->precision >= f->precision && g->emax >= f->emax
                         && g->emin - g->precision <= f->emin - f->precision;
            if (!wider || f->width > 19)
                continue;
            for (uint64_t x = 0; x < 2 * f->sign; x++) {
                uint64_t y = ckda_fp_convert(x, f, g, &ckda_fp_rtz);
                uint64_t back = ckda_fp_convert(y, g, f, &ckda_fp_rne);
                bool nan = ckda_fp_classify(x, f) == CKDA_FP_NAN;
                if (!f->has_infinity || g->has_infinity)
                    assert_true(back == (nan ? f->nan : x));
            }
        }
}

/* One dyadic number through every door that can take it. */
static void
check_dyadic(int64_t m, int64_t e, const ckda_fp_format *f, int d, mpfr_t exact,
             mpfr_t scratch)
{
    ckda_fp_rule r = {.direction = (ckda_fp_direction)d};
    mpfr_set_si_2exp(exact, m, e, MPFR_RNDN);
    uint64_t want = oracle_round(scratch, exact, f, r.direction);
    same_bits(ckda_fp_from_dyadic(m, e, f, &r), want, "dyadic", f, &r, (uint64_t)m,
              (uint64_t)e, 0);
    double as_double = mpfr_get_d(exact, MPFR_RNDZ);
    if (mpfr_cmp_d(exact, as_double) == 0)
        same_bits(ckda_fp_from_double(as_double, f, &r), want, "double", f, &r,
                  (uint64_t)m, (uint64_t)e, 0);
}

static void
hard_cases_of(const ckda_fp_format *f)
{
    ckda_rand r = seeded(10);
    mpfr_t exact, scratch;
    mpfr_init2(exact, 64);
    mpfr_init2(scratch, 64);
    long n = cases(HARD_CASES);
    for (long k = 0; k < n; k++) {
        int64_t m, e;
        hard_dyadic(&m, &e, &r, f);
        check_dyadic(m, e, f, CKDA_FP_RNE, exact, scratch);
        check_dyadic(m, e, f, CKDA_FP_RTZ, exact, scratch);
        check_dyadic(m, e, f, CKDA_FP_RUP + (int)(k % 2), exact, scratch);
    }
    mpfr_clear(scratch);
    mpfr_clear(exact);
}

#define HARD(FORMAT)                                                                     \
    static void hard_cases_round_to_##FORMAT##_as_in_mpfr(void **state)                  \
    {                                                                                    \
        (void)state;                                                                     \
        hard_cases_of(&ckda_fp_##FORMAT);                                                \
    }
HARD(bf16)
HARD(fp16)
HARD(fp32)
HARD(fp64)
HARD(tf32)
HARD(e4m3)
HARD(e5m2)

static ckda_fp_rule
random_rule(ckda_rand *r, const ckda_fp_format *f)
{
    ckda_fp_rule rule = {.direction = (ckda_fp_direction)ckda_rand_below(r, 5),
                         .overflow = (ckda_fp_overflow)ckda_rand_below(r, 2),
                         .flush = (ckda_fp_flush)ckda_rand_below(r, 3),
                         .flush_exp = CKDA_FP_EMIN,
                         .plus_zero = ckda_rand_below(r, 2) == 1};
    if (ckda_rand_below(r, 2))
        rule.flush_exp = (int)ckda_rand_range(r, f->emin - f->precision, f->emin + 4);
    return rule;
}

/* Rationals: dyadic hard cases, those moved by 1/3 of a small unit, and quotients; every
 * rule; against the definition. */
static void
rationals_round_by_definition_under_every_rule(void **state)
{
    (void)state;
    ckda_rand r = seeded(11);
    fmpq_t q, third;
    fmpz_t man, exp;
    fmpq_init(q);
    fmpq_init(third);
    fmpz_init(man);
    fmpz_init(exp);
    for (int i = 0; i < 7; i++) {
        const ckda_fp_format *f = ckda_fp_formats[i];
        long n = cases(2000);
        for (long k = 0; k < n; k++) {
            ckda_fp_rule rule = random_rule(&r, f);
            int64_t m, e;
            hard_dyadic(&m, &e, &r, f);
            if (k % 4 == 3 && rule.flush) { /* at the flush threshold */
                m = ckda_rand_range(&r, -1, 1) + (INT64_C(1) << 60);
                e = (rule.flush_exp == CKDA_FP_EMIN ? f->emin : rule.flush_exp) - 60;
            }
            fmpz_set_si(man, m);
            fmpz_set_si(exp, e);
            fmpq_set_si(q, m, 1);
            fmpq_set_si(third, ckda_rand_range(&r, -1, 1), 3);
            fmpq_div_2exp(third, third, ckda_rand_below(&r, 90));
            if (k % 2)
                fmpq_add(q, q, third);
            if (e >= 0)
                fmpq_mul_2exp(q, q, (ulong)e);
            else
                fmpq_div_2exp(q, q, (ulong)-e);
            if (k % 8 == 1)
                fmpq_set_si(q, ckda_rand_range(&r, -99, 99),
                            (ulong)ckda_rand_range(&r, 1, 99));
            uint64_t want = define_round(q, f, &rule);
            same_bits(ckda_fp_from_fmpq(q, f, &rule), want, "rational", f, &rule,
                      (uint64_t)m, (uint64_t)e, (uint64_t)k);
            if (k % 2 == 0) {
                same_bits(ckda_fp_from_dyadic(m, e, f, &rule), want, "dyadic", f, &rule,
                          (uint64_t)m, (uint64_t)e, 0);
                same_bits(ckda_fp_from_fmpz_2exp(man, exp, f, &rule), want, "big dyadic",
                          f, &rule, (uint64_t)m, (uint64_t)e, 0);
            }
        }
    }
    fmpz_clear(exp);
    fmpz_clear(man);
    fmpq_clear(third);
    fmpq_clear(q);
}

/* Mantissas of hundreds of bits: hard dyadic numbers moved by one unit far below. */
static void
big_dyadics_round_by_definition(void **state)
{
    (void)state;
    ckda_rand r = seeded(13);
    fmpq_t q;
    fmpz_t man, exp;
    fmpq_init(q);
    fmpz_init(man);
    fmpz_init(exp);
    for (int i = 0; i < 7; i++) {
        const ckda_fp_format *f = ckda_fp_formats[i];
        for (long k = 0; k < cases(1000); k++) {
            ckda_fp_rule rule = random_rule(&r, f);
            int64_t m, e, below = ckda_rand_range(&r, 1, 200);
            hard_dyadic(&m, &e, &r, f);
            fmpz_set_si(man, m);
            fmpz_mul_2exp(man, man, (ulong)below);
            fmpz_add_si(man, man, ckda_rand_range(&r, -1, 1));
            fmpz_set_si(exp, e - below);
            fmpq_set_fmpz(q, man);
            if (e >= below)
                fmpq_mul_2exp(q, q, (ulong)(e - below));
            else
                fmpq_div_2exp(q, q, (ulong)(below - e));
            same_bits(ckda_fp_from_fmpz_2exp(man, exp, f, &rule),
                      define_round(q, f, &rule), "big dyadic", f, &rule, (uint64_t)m,
                      (uint64_t)e, (uint64_t)below);
        }
    }
    fmpz_clear(exp);
    fmpz_clear(man);
    fmpq_clear(q);
}

/* All 16-bit patterns into the 8-bit formats, by definition, directions and overflow. */
static void
eight_bit_targets_by_definition_exhaustively(void **state)
{
    (void)state;
    const ckda_fp_format *from[] = {&ckda_fp_bf16, &ckda_fp_fp16};
    const ckda_fp_format *to[] = {&ckda_fp_e4m3, &ckda_fp_e5m2};
    fmpq_t q;
    fmpq_init(q);
    for (int i = 0; i < 2; i++)
        for (uint64_t x = 0; x < 65536; x++) {
            if (!ckda_fp_is_finite(x, from[i]))
                continue;
            define_value(q, x, from[i]);
            for (int k = 0; k < 2; k++) {
                ckda_fp_rule r = {.direction = x % 2 ? CKDA_FP_RNE : CKDA_FP_RNA,
                                  .overflow = (ckda_fp_overflow)(x / 2 % 2)};
                uint64_t want = define_round(q, to[k], &r);
                if (x == from[i]->sign)
                    want = to[k]->sign;
                same_bits(ckda_fp_convert(x, from[i], to[k], &r), want, from[i]->name,
                          to[k], &r, x, 0, 0);
            }
        }
    fmpq_clear(q);
}

static void
numbers_far_out_of_range(void **state)
{
    (void)state;
    fmpz_t m, e;
    fmpz_init(m);
    fmpz_init(e);
    const int64_t exps[] = {INT64_MAX, INT64_MIN, 1 << 20, -(1 << 20)};
    for (int i = 0; i < 7; i++) {
        const ckda_fp_format *f = ckda_fp_formats[i];
        uint64_t top = f->has_infinity ? f->infinity | f->sign : f->nan;
        ckda_fp_rule down = {.direction = CKDA_FP_RDN};
        for (int k = 0; k < 4; k++) {
            bool large = exps[k] > 0;
            assert_true(ckda_fp_from_dyadic(-3, exps[k], f, &ckda_fp_rne)
                        == (large ? top : f->sign));
            assert_true(ckda_fp_from_dyadic(-3, exps[k], f, &down)
                        == (large ? top : (f->sign | 1)));
            fmpz_set_si(m, -3);
            fmpz_mul_2exp(m, m, 500);
            fmpz_set_si(e, exps[k]);
            assert_true(ckda_fp_from_fmpz_2exp(m, e, f, &down)
                        == (large ? top : (f->sign | 1)));
            fmpz_mul_2exp(e, e, 64);
            assert_true(ckda_fp_from_fmpz_2exp(m, e, f, &ckda_fp_rtz)
                        == (large ? f->sign | f->largest : f->sign));
        }
        assert_true(ckda_fp_from_dyadic(INT64_MIN, -63, f, &ckda_fp_rne)
                    == ckda_fp_from_dyadic(-1, 0, f, &ckda_fp_rne));
    }
    fmpz_clear(e);
    fmpz_clear(m);
}

/* Specials: infinity and NaN from every format into every format. */
static void
infinities_and_nan_convert_by_the_rule(void **state)
{
    (void)state;
    const ckda_fp_rule sat = {.overflow = CKDA_FP_SATURATE};
    for (int i = 0; i < 7; i++)
        for (int k = 0; k < 7; k++) {
            const ckda_fp_format *f = ckda_fp_formats[i], *g = ckda_fp_formats[k];
            uint64_t negative_nan = f->nan | f->sign;
            assert_true(ckda_fp_convert(negative_nan, f, g, &ckda_fp_rne) == g->nan);
            assert_true(ckda_fp_convert(negative_nan, f, g, &sat) == g->nan);
            if (!f->has_infinity)
                continue;
            uint64_t inf = f->infinity | f->sign;
            assert_true(ckda_fp_convert(inf, f, g, &ckda_fp_rtz)
                        == (g->has_infinity ? g->infinity | g->sign : g->nan));
            assert_true(ckda_fp_convert(inf, f, g, &sat) == (g->largest | g->sign));
        }
    assert_int_equal(ckda_fp_from_double(-INFINITY, &ckda_fp_e4m3, &ckda_fp_rne), 0x7f);
    assert_int_equal(ckda_fp_from_double(-INFINITY, &ckda_fp_e4m3, &sat), 0xfe);
}

/* The edge of e4m3: 464 is half way from 448 to 480, whose pattern is NaN. */
static void
overflow_edges_of_the_eight_bit_formats(void **state)
{
    (void)state;
    const ckda_fp_format *f = &ckda_fp_e4m3, *g = &ckda_fp_e5m2;
    const ckda_fp_rule up = {.direction = CKDA_FP_RUP}, na = {.direction = CKDA_FP_RNA},
                       sat = {.overflow = CKDA_FP_SATURATE};
    assert_int_equal(ckda_fp_from_double(464, f, &ckda_fp_rne), 0x7e);
    assert_int_equal(ckda_fp_from_double(464, f, &na), 0x7f);
    assert_int_equal(ckda_fp_from_double(nextafter(464, 999), f, &ckda_fp_rne), 0x7f);
    assert_int_equal(ckda_fp_from_double(nextafter(464, 999), f, &sat), 0x7e);
    assert_int_equal(ckda_fp_from_double(-1e9, f, &ckda_fp_rtz), 0xfe);
    assert_int_equal(ckda_fp_from_double(-449, f, &up), 0xfe);
    assert_int_equal(ckda_fp_from_double(449, f, &up), 0x7f);
    /* e5m2: 61440 is half way to the overflow, and the even neighbour is infinity */
    assert_int_equal(ckda_fp_from_double(61440, g, &ckda_fp_rne), 0x7c);
    assert_int_equal(ckda_fp_from_double(61439, g, &ckda_fp_rne), 0x7b);
    assert_int_equal(ckda_fp_from_double(61440, g, &sat), 0x7b);
}

/* The trap: a double just above a tie of bf16 becomes that tie in float. */
static void
double_to_float_to_bf16_rounds_twice(void **state)
{
    (void)state;
    double x = 1 + 0x1p-8 + 0x1p-40; /* above the middle of 1 and 1 + 2^-7 */
    assert_int_equal(ckda_fp_from_double(x, &ckda_fp_bf16, &ckda_fp_rne), 0x3f81);
    assert_int_equal(ckda_fast_bf16_from_float((float)x), 0x3f80);
    uint64_t through = ckda_fp_from_double(x, &ckda_fp_fp32, &ckda_fp_rne);
    assert_int_equal(ckda_fp_convert(through, &ckda_fp_fp32, &ckda_fp_bf16, &ckda_fp_rne),
                     0x3f80);
    /* and often on hard cases */
    ckda_rand r = seeded(12);
    long differ = 0;
    for (long k = 0; k < 20000; k++) {
        int64_t m, e;
        hard_dyadic(&m, &e, &r, &ckda_fp_bf16);
        uint64_t once = ckda_fp_from_dyadic(m, e, &ckda_fp_bf16, &ckda_fp_rne);
        uint64_t f = ckda_fp_from_dyadic(m, e, &ckda_fp_fp32, &ckda_fp_rne);
        differ += once != ckda_fp_convert(f, &ckda_fp_fp32, &ckda_fp_bf16, &ckda_fp_rne);
    }
    assert_true(differ > 1000);
}

/* Where vcvtneps2bf16 returns zero: |x| < 2^-126. */
static void
bf16_subnormals_are_kept_unless_flushed(void **state)
{
    (void)state;
    const ckda_fp_rule before = {.flush = CKDA_FP_FLUSH_BEFORE,
                                 .flush_exp = CKDA_FP_EMIN},
                       after = {.flush = CKDA_FP_FLUSH_AFTER, .flush_exp = CKDA_FP_EMIN};
    const ckda_fp_format *f = &ckda_fp_bf16;
    assert_int_equal(ckda_fp_from_double(0x1p-133, f, &ckda_fp_rne), 1);
    assert_int_equal(ckda_fp_from_double(-0x1.8p-127, f, &ckda_fp_rne), 0x8060);
    assert_int_equal(ckda_fp_from_double(-0x1.8p-127, f, &before), 0x8000);
    assert_int_equal(ckda_fp_from_double(-0x1.8p-127, f, &after), 0x8000);
    /* rounds up to 2^-126: the two conventions part */
    double x = 0x1.fffffp-127;
    assert_int_equal(ckda_fp_from_double(x, f, &ckda_fp_rne), 0x80);
    assert_int_equal(ckda_fp_from_double(x, f, &before), 0);
    assert_int_equal(ckda_fp_from_double(x, f, &after), 0x80);
}

static void
flush_at_two_to_the_minus_six(void **state)
{
    (void)state;
    ckda_fp_rule r = {.flush = CKDA_FP_FLUSH_BEFORE, .flush_exp = -6, .plus_zero = true};
    const ckda_fp_format *f = &ckda_fp_bf16;
    assert_int_equal(ckda_fp_from_double(0x1p-6, f, &r), 0x3c80);
    assert_int_equal(ckda_fp_from_double(-0x1.fffp-7, f, &r), 0);
    r.flush = CKDA_FP_FLUSH_AFTER;
    assert_int_equal(ckda_fp_from_double(-0x1.fffp-7, f, &r), 0xbc80);
    assert_int_equal(ckda_fp_from_double(-0x1.fcp-7, f, &r), 0);
    assert_int_equal(ckda_fp_from_double(-0.0, f, &r), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_bf16_patterns_convert_as_in_mpfr),
        cmocka_unit_test(all_fp16_patterns_convert_as_in_mpfr),
        cmocka_unit_test(to_bf16_and_fp16_and_back_is_the_identity),
        cmocka_unit_test(hard_cases_round_to_bf16_as_in_mpfr),
        cmocka_unit_test(hard_cases_round_to_fp16_as_in_mpfr),
        cmocka_unit_test(hard_cases_round_to_fp32_as_in_mpfr),
        cmocka_unit_test(hard_cases_round_to_fp64_as_in_mpfr),
        cmocka_unit_test(hard_cases_round_to_tf32_as_in_mpfr),
        cmocka_unit_test(hard_cases_round_to_e4m3_as_in_mpfr),
        cmocka_unit_test(hard_cases_round_to_e5m2_as_in_mpfr),
        cmocka_unit_test(rationals_round_by_definition_under_every_rule),
        cmocka_unit_test(big_dyadics_round_by_definition),
        cmocka_unit_test(eight_bit_targets_by_definition_exhaustively),
        cmocka_unit_test(numbers_far_out_of_range),
        cmocka_unit_test(infinities_and_nan_convert_by_the_rule),
        cmocka_unit_test(overflow_edges_of_the_eight_bit_formats),
        cmocka_unit_test(double_to_float_to_bf16_rounds_twice),
        cmocka_unit_test(bf16_subnormals_are_kept_unless_flushed),
        cmocka_unit_test(flush_at_two_to_the_minus_six),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    mpfr_free_cache();
    flint_cleanup();
    return failed;
}
