/* Models of inner products: against their definition, and against facts about hardware.
 */
#include "fixture.h"

#define LONGEST 40

static uint64_t
plain_zero(uint64_t x, const ckda_fp_format *f)
{
    return x == f->sign ? 0 : x;
}

static ckda_fp_dot_model
random_model(ckda_rand *r, const ckda_fp_format *acc)
{
    ckda_fp_dot_model m = {
        .order = (ckda_fp_order)ckda_rand_below(r, 3),
        .fused = ckda_rand_below(r, 2) == 1,
        .width = (long)ckda_rand_range(r, 1, 17),
        .carry_inside = ckda_rand_below(r, 2) == 1,
        .keep_bits = ckda_rand_below(r, 3) == 0 ? 0 : (int)ckda_rand_range(r, 1, 64),
        .align = (ckda_fp_align)ckda_rand_below(r, 2),
        .acc = acc,
        .rule = {.direction = (ckda_fp_direction)ckda_rand_below(r, 5),
                 .overflow = (ckda_fp_overflow)ckda_rand_below(r, 2),
                 .flush = (ckda_fp_flush)ckda_rand_below(r, 3),
                 .flush_exp = CKDA_FP_EMIN}};
    if (m.keep_bits != 0 && ckda_rand_below(r, 2))
        m.keep_bits = acc->precision + (int)ckda_rand_range(r, 0, 3);
    return m;
}

/* Entries of like size, so that sums cancel and truncation bites; `wild` adds edges. */
static uint64_t
entry(ckda_rand *r, const ckda_fp_format *f, bool wild)
{
    if (wild && ckda_rand_below(r, 4) == 0)
        return ckda_rand_below(r, 4) ? edge_pattern(r, f) : random_pattern(r, f);
    if (ckda_rand_below(r, 10) == 0)
        return ckda_rand_u64(r) & f->sign; /* a zero */
    return ckda_fp_from_dyadic(ckda_rand_range(r, -4095, 4095),
                               ckda_rand_range(r, -12, 0) - 6, f, &ckda_fp_rne);
}

static void
check_models(const ckda_fp_format *fa, const ckda_fp_format *fb,
             const ckda_fp_format *acc, uint64_t stream, bool wild, long count)
{
    ckda_rand r = seeded(stream);
    uint64_t a[LONGEST], b[LONGEST];
    for (long k = 0; k < count; k++) {
        ckda_fp_dot_model m = random_model(&r, acc);
        long n = (long)ckda_rand_below(&r, LONGEST + 1);
        for (long i = 0; i < n; i++) {
            a[i] = entry(&r, fa, wild);
            b[i] = entry(&r, fb, wild);
        }
        uint64_t init = k % 3 ? entry(&r, acc, wild) : 0;
        if (ckda_fp_classify(init, acc) == CKDA_FP_NAN)
            init = acc->nan; /* n = 0 hands init back as it is */
        uint64_t got = ckda_fp_dot(a, fa, b, fb, n, init, &m);
        uint64_t want = ckda_fp_dot_definition(a, fa, b, fb, n, init, &m);
        if (plain_zero(got, acc) != want)
            fail_msg("order %d, fused %d, width %ld, carry %d, keep %d, align %d, "
                     "direction %d, n %ld, %s x %s -> %s, case %ld: got %llx, want %llx",
                     m.order, m.fused, m.width, m.carry_inside, m.keep_bits, m.align,
                     m.rule.direction, n, fa->name, fb->name, acc->name, k,
                     (unsigned long long)got, (unsigned long long)want);
    }
}

static void
models_agree_with_their_definition(void **state)
{
    (void)state;
    const ckda_fp_format *bf = &ckda_fp_bf16, *h = &ckda_fp_fp16, *s = &ckda_fp_fp32;
    check_models(bf, bf, s, 70, false, cases(1500));
    check_models(h, h, s, 71, false, cases(1500));
    check_models(h, h, h, 72, false, cases(1500));
    check_models(&ckda_fp_tf32, &ckda_fp_tf32, s, 73, false, cases(500));
    check_models(&ckda_fp_e4m3, &ckda_fp_e5m2, s, 74, false, cases(500));
    check_models(s, bf, s, 75, false, cases(500));
    check_models(&ckda_fp_fp64, &ckda_fp_fp64, &ckda_fp_fp64, 76, false, cases(300));
}

static void
models_agree_on_edges_infinities_and_nan(void **state)
{
    (void)state;
    for (int i = 0; i < 7; i++)
        for (int k = 0; k < 7; k++) {
            const ckda_fp_format *f = ckda_fp_formats[i], *acc = ckda_fp_formats[k];
            check_models(f, f, acc, 80 + (uint64_t)(7 * i + k), true, cases(60));
        }
}

/* 1 + 4 * 2^-24 in fp32: one at a time every addend is lost; in one block none is.
 * [source: north-numerical-computing/tensor-cores-numerical-behavior, issue 2] */
static void
one_plus_four_tiny_products(void **state)
{
    (void)state;
    const ckda_fp_format *h = &ckda_fp_fp16, *s = &ckda_fp_fp32;
    uint64_t a[4], b[4];
    for (int i = 0; i < 4; i++) {
        a[i] = ckda_fp_from_dyadic(1, 0, h, &ckda_fp_rne);
        b[i] = ckda_fp_from_dyadic(1, -24, h, &ckda_fp_rne);
    }
    const uint64_t one = 0x3f800000;
    ckda_fp_dot_model m = {.order = CKDA_FP_SEQUENTIAL, .fused = true, .acc = s};
    assert_int_equal(ckda_fp_dot(a, h, b, h, 4, one, &m), one);
    m.order = CKDA_FP_PAIRWISE;
    assert_int_equal(ckda_fp_dot(a, h, b, h, 4, one, &m), 0x3f800002);
    m.order = CKDA_FP_BLOCKED;
    m.width = 4;
    m.carry_inside = true;
    assert_int_equal(ckda_fp_dot(a, h, b, h, 4, one, &m), 0x3f800002);
    /* 23 bits below the leading one: the products are cut away; one more keeps them */
    m.rule.direction = CKDA_FP_RTZ;
    m.align = CKDA_FP_ALIGN_VALUE;
    m.keep_bits = 23;
    assert_int_equal(ckda_fp_dot(a, h, b, h, 4, one, &m), one);
    m.keep_bits = 24;
    assert_int_equal(ckda_fp_dot(a, h, b, h, 4, one, &m), 0x3f800002);
    m.width = 1; /* alone, a kept bit is lost in the rounding */
    assert_int_equal(ckda_fp_dot(a, h, b, h, 4, one, &m), one);
    fmpq_t q, want;
    fmpq_init(q);
    fmpq_init(want);
    OK(ckda_fp_dot_exact(q, a, h, b, h, 4, one, s));
    fmpq_set_si(want, (1 << 22) + 1, 1 << 22);
    assert_true(fmpq_equal(q, want));
    fmpq_clear(want);
    fmpq_clear(q);
}

/* The two alignments differ when a product of significands passes 2. */
static void
alignment_by_fields_or_by_value(void **state)
{
    (void)state;
    const ckda_fp_format *h = &ckda_fp_fp16, *s = &ckda_fp_fp32;
    /* 1.5 * 1.5 = 2.25: fields say exponent 0, the value says 1 */
    uint64_t a[2] = {ckda_fp_from_dyadic(3, -1, h, &ckda_fp_rne),
                     ckda_fp_from_dyadic(1, 0, h, &ckda_fp_rne)};
    uint64_t b[2] = {a[0], ckda_fp_from_dyadic(1, -4, h, &ckda_fp_rne)};
    ckda_fp_dot_model m = {.order = CKDA_FP_BLOCKED,
                           .width = 2,
                           .carry_inside = true,
                           .keep_bits = 4,
                           .align = CKDA_FP_ALIGN_FIELDS,
                           .acc = s};
    assert_true(ckda_fp_get_double(ckda_fp_dot(a, h, b, h, 2, 0, &m), s) == 2.3125);
    m.align = CKDA_FP_ALIGN_VALUE;
    assert_true(ckda_fp_get_double(ckda_fp_dot(a, h, b, h, 2, 0, &m), s) == 2.25);
}

/* A subnormal factor counts with the exponent emin of its field. */
static void
subnormal_factors_align_at_emin(void **state)
{
    (void)state;
    const ckda_fp_format *h = &ckda_fp_fp16, *s = &ckda_fp_fp32;
    uint64_t a[2] = {ckda_fp_from_dyadic(1, -24, h, &ckda_fp_rne), 0};
    uint64_t b[2] = {ckda_fp_from_dyadic(1, 0, h, &ckda_fp_rne),
                     ckda_fp_from_dyadic(1, -3, h, &ckda_fp_rne)};
    a[1] = a[0]; /* 2^-24 + 2^-27 */
    ckda_fp_dot_model m = {.order = CKDA_FP_BLOCKED,
                           .width = 2,
                           .keep_bits = 10, /* below 2^-14: down to 2^-24 */
                           .align = CKDA_FP_ALIGN_FIELDS,
                           .acc = s};
    assert_true(ckda_fp_get_double(ckda_fp_dot(a, h, b, h, 2, 0, &m), s) == 0x1p-24);
    m.align = CKDA_FP_ALIGN_VALUE;
    assert_true(ckda_fp_get_double(ckda_fp_dot(a, h, b, h, 2, 0, &m), s) == 0x1.2p-24);
}

static void
blocks_with_infinities_and_nan(void **state)
{
    (void)state;
    const ckda_fp_format *h = &ckda_fp_fp16, *s = &ckda_fp_fp32;
    const uint64_t inf = h->infinity, minus = inf | h->sign, one = 0x3c00;
    const struct {
        uint64_t a[2], b[2], init, want;
    } table[] = {
        {{inf, one}, {one, one}, 0, s->infinity},
        {{one, minus}, {one, one}, 0, s->infinity | s->sign},
        {{minus, one}, {minus, one}, 0, s->infinity},
        {{inf, one}, {0, one}, 0, s->nan},
        {{one, h->sign}, {one, minus}, 0, s->nan},
        {{inf, minus}, {one, one}, 0, s->nan},
        {{inf, inf}, {one, one}, 0, s->infinity},
        {{one, one}, {h->nan, one}, 0, s->nan},
        {{one, one}, {one, one}, s->infinity, s->infinity},
        {{one, minus}, {one, one}, s->infinity, s->nan},
        {{one, one}, {one, one}, s->nan | s->sign, s->nan},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        for (int v = 0; v < 8; v++) {
            ckda_fp_dot_model m = {.order = CKDA_FP_BLOCKED,
                                   .width = v & 1 ? 2 : 1,
                                   .carry_inside = v & 2,
                                   .keep_bits = v & 4 ? 25 : 0,
                                   .acc = s};
            uint64_t got =
                ckda_fp_dot(table[i].a, h, table[i].b, h, 2, table[i].init, &m);
            assert_int_equal(got, table[i].want);
            got = ckda_fp_dot_definition(table[i].a, h, table[i].b, h, 2, table[i].init,
                                         &m);
            assert_int_equal(got, table[i].want);
        }
}

/* Cutting is towards zero for both signs, and happens before the addition. */
static void
truncation_is_towards_zero(void **state)
{
    (void)state;
    const ckda_fp_format *s = &ckda_fp_fp32;
    uint64_t a[3], b[3], minus[3];
    const int exps[] = {0, -5, -5}; /* 1 + 2 * 2^-5, four bits kept */
    for (int i = 0; i < 3; i++) {
        a[i] = ckda_fp_from_dyadic(1, exps[i], s, &ckda_fp_rne);
        b[i] = ckda_fp_from_dyadic(1, 0, s, &ckda_fp_rne);
        minus[i] = ckda_fp_neg(a[i], s);
    }
    ckda_fp_dot_model m = {
        .order = CKDA_FP_BLOCKED, .width = 3, .keep_bits = 4, .acc = s};
    assert_true(ckda_fp_get_double(ckda_fp_dot(a, s, b, s, 3, 0, &m), s) == 1);
    assert_true(ckda_fp_get_double(ckda_fp_dot(minus, s, b, s, 3, 0, &m), s) == -1);
    m.keep_bits = 5;
    assert_true(ckda_fp_get_double(ckda_fp_dot(minus, s, b, s, 3, 0, &m), s) == -1.0625);
}

/* Width 1, exact, carried: that is the fused sequential sum; and one block over all terms
 * is the exact inner product rounded once, whatever the order of the terms. */
static void
extreme_widths(void **state)
{
    (void)state;
    const ckda_fp_format *bf = &ckda_fp_bf16, *s = &ckda_fp_fp32;
    ckda_rand r = seeded(77);
    fmpq_t q;
    fmpq_init(q);
    for (int k = 0; k < 300; k++) {
        uint64_t a[LONGEST], b[LONGEST], init = entry(&r, s, false);
        for (int i = 0; i < LONGEST; i++) {
            a[i] = entry(&r, bf, false);
            b[i] = entry(&r, bf, false);
        }
        ckda_fp_dot_model one = {.order = CKDA_FP_BLOCKED,
                                 .width = 1,
                                 .carry_inside = true,
                                 .acc = s,
                                 .rule = {.plus_zero = true}};
        ckda_fp_dot_model seq = {
            .order = CKDA_FP_SEQUENTIAL, .fused = true, .acc = s, .rule = one.rule};
        assert_int_equal(ckda_fp_dot(a, bf, b, bf, LONGEST, init, &one),
                         ckda_fp_dot(a, bf, b, bf, LONGEST, init, &seq));
        one.width = k % 2 ? LONGEST : LONG_MAX;
        uint64_t whole = ckda_fp_dot(a, bf, b, bf, LONGEST, init, &one);
        OK(ckda_fp_dot_exact(q, a, bf, b, bf, LONGEST, init, s));
        assert_int_equal(whole, ckda_fp_from_fmpq(q, s, &one.rule));
        for (int i = LONGEST - 1; i > 0; i--) {
            int j = (int)ckda_rand_below(&r, (uint64_t)i + 1);
            uint64_t t = a[i], u = b[i];
            a[i] = a[j];
            b[i] = b[j];
            a[j] = t;
            b[j] = u;
        }
        assert_int_equal(ckda_fp_dot(a, bf, b, bf, LONGEST, init, &one), whole);
    }
    fmpq_clear(q);
}

static void
empty_sums_and_refusals(void **state)
{
    (void)state;
    const ckda_fp_format *s = &ckda_fp_fp32;
    uint64_t inf = s->infinity, two = 0x40000000;
    fmpq_t q;
    fmpq_init(q);
    fmpq_set_si(q, 7, 3);
    assert_int_equal(ckda_fp_dot_exact(q, &inf, s, &two, s, 1, 0, s), CKDA_E_DOMAIN);
    assert_int_equal(ckda_fp_dot_exact(q, &two, s, &inf, s, 1, 0, s), CKDA_E_DOMAIN);
    assert_int_equal(ckda_fp_dot_exact(q, &two, s, &two, s, 1, inf, s), CKDA_E_DOMAIN);
    assert_int_equal(fmpz_get_si(fmpq_denref(q)), 3);
    OK(ckda_fp_dot_exact(q, NULL, s, NULL, s, 0, two, s));
    assert_true(fmpq_cmp_si(q, 2) == 0);
    fmpq_clear(q);
    for (int o = 0; o < 3; o++) {
        ckda_fp_dot_model m = {.order = (ckda_fp_order)o, .width = 4, .acc = s};
        assert_int_equal(ckda_fp_dot(NULL, s, NULL, s, 0, two, &m), two);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_agree_with_their_definition),
        cmocka_unit_test(models_agree_on_edges_infinities_and_nan),
        cmocka_unit_test(one_plus_four_tiny_products),
        cmocka_unit_test(alignment_by_fields_or_by_value),
        cmocka_unit_test(subnormal_factors_align_at_emin),
        cmocka_unit_test(blocks_with_infinities_and_nan),
        cmocka_unit_test(truncation_is_towards_zero),
        cmocka_unit_test(extreme_widths),
        cmocka_unit_test(empty_sums_and_refusals),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
