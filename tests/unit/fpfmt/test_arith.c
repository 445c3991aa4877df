/* Sums, products and fused products of patterns, rounded once: against MPFR and against
 * exact rationals with the definition of rounding. */
#include "fixture.h"

typedef enum { ADD, SUB, MUL, FMA } operation;
static const char *const op_name[] = {"add", "sub", "mul", "fma"};

typedef struct {
    const ckda_fp_format *x, *y, *z, *to;
} formats;

typedef struct {
    mpfr_t x, y, z, v;
} scratch;

static void
scratch_init(scratch *s)
{
    mpfr_inits2(64, s->x, s->y, s->z, s->v, (mpfr_ptr)0);
}

static void
scratch_clear(scratch *s)
{
    mpfr_clears(s->x, s->y, s->z, s->v, (mpfr_ptr)0);
}

static uint64_t
ours(operation op, uint64_t x, uint64_t y, uint64_t z, formats f, const ckda_fp_rule *r)
{
    switch (op) {
    case ADD:
        return ckda_fp_add(x, f.x, y, f.y, f.to, r);
    case SUB:
        return ckda_fp_sub(x, f.x, y, f.y, f.to, r);
    case MUL:
        return ckda_fp_mul(x, f.x, y, f.y, f.to, r);
    case FMA:
        break;
    }
    return ckda_fp_fma(x, f.x, y, f.y, z, f.z, f.to, r);
}

static uint64_t
by_mpfr(operation op, uint64_t x, uint64_t y, uint64_t z, formats f,
        const ckda_fp_rule *r, scratch *s)
{
    mpfr_rnd_t mode = mpfr_mode[r->direction];
    int t = 0;
    oracle_decode(s->x, x, f.x);
    oracle_decode(s->y, y, f.y);
    mpfr_set_prec(s->v, f.to->precision);
    if (op == ADD)
        t = mpfr_add(s->v, s->x, s->y, mode);
    else if (op == SUB)
        t = mpfr_sub(s->v, s->x, s->y, mode);
    else if (op == MUL)
        t = mpfr_mul(s->v, s->x, s->y, mode);
    else {
        oracle_decode(s->z, z, f.z);
        t = mpfr_fma(s->v, s->x, s->y, s->z, mode);
    }
    return oracle_finish(s->v, t, f.to, r->direction);
}

/* Finite operands only; false if the exact result is zero (its sign is not a matter of
 * values; MPFR speaks about that). */
static bool
by_definition(uint64_t *want, operation op, uint64_t x, uint64_t y, uint64_t z, formats f,
              const ckda_fp_rule *r)
{
    fmpq_t a, b, c;
    fmpq_init(a);
    fmpq_init(b);
    fmpq_init(c);
    define_value(a, x, f.x);
    define_value(b, y, f.y);
    if (op == FMA)
        define_value(c, z, f.z);
    if (op == ADD)
        fmpq_add(a, a, b);
    else if (op == SUB)
        fmpq_sub(a, a, b);
    else
        fmpq_mul(a, a, b);
    if (op == FMA)
        fmpq_add(a, a, c);
    bool nonzero = !fmpq_is_zero(a);
    *want = define_round(a, f.to, r);
    fmpq_clear(c);
    fmpq_clear(b);
    fmpq_clear(a);
    return nonzero;
}

/* ---- all pairs of 8-bit patterns -------------------------------------------------- */

static void
all_pairs(operation op, const ckda_fp_format *f, const ckda_fp_format *g,
          const ckda_fp_format *to)
{
    scratch s;
    scratch_init(&s);
    formats fs = {f, g, NULL, to};
    for (uint64_t x = 0; x < 256; x++)
        for (uint64_t y = 0; y < 256; y++)
            for (int d = 0; d < 4; d++) {
                ckda_fp_rule r = {.direction = (ckda_fp_direction)d};
                same_bits(ours(op, x, y, 0, fs, &r), by_mpfr(op, x, y, 0, fs, &r, &s),
                          op_name[op], to, &r, x, y, 0);
            }
    scratch_clear(&s);
}

static void
all_e4m3_pairs_as_in_mpfr(void **state)
{
    (void)state;
    const ckda_fp_format *f = &ckda_fp_e4m3;
    all_pairs(ADD, f, f, f);
    all_pairs(MUL, f, f, f);
    all_pairs(SUB, f, f, &ckda_fp_e5m2);
}

static void
all_e5m2_pairs_as_in_mpfr(void **state)
{
    (void)state;
    const ckda_fp_format *f = &ckda_fp_e5m2;
    all_pairs(ADD, f, f, f);
    all_pairs(MUL, f, f, f);
    all_pairs(MUL, f, &ckda_fp_e4m3, &ckda_fp_fp16);
}

/* All finite pairs, by definition, each under one of the rules. */
static void
all_eight_bit_pairs_by_definition(void **state)
{
    (void)state;
    const ckda_fp_format *both[] = {&ckda_fp_e4m3, &ckda_fp_e5m2};
    ckda_rand rand = seeded(20);
    for (int i = 0; i < 4; i++) {
        const ckda_fp_format *f = both[i / 2];
        operation op = i % 2 ? MUL : ADD;
        formats fs = {f, f, NULL, f};
        for (uint64_t k = 0; k < 65536; k++) {
            uint64_t x = k & 255, y = k >> 8, want;
            if (!ckda_fp_is_finite(x, f) || !ckda_fp_is_finite(y, f))
                continue;
            ckda_fp_rule r = {.direction = (ckda_fp_direction)ckda_rand_below(&rand, 5),
                              .overflow = (ckda_fp_overflow)ckda_rand_below(&rand, 2),
                              .flush = (ckda_fp_flush)ckda_rand_below(&rand, 3),
                              .flush_exp = (int)ckda_rand_range(&rand, f->emin - 3, -2)};
            if (by_definition(&want, op, x, y, 0, fs, &r))
                same_bits(ours(op, x, y, 0, fs, &r), want, op_name[op], f, &r, x, y, 0);
        }
    }
}

/* ---- hard cases ------------------------------------------------------------------- */

/* y near half a unit of x (for sums), or with a product near an edge of the target. */
static uint64_t
partner(ckda_rand *r, uint64_t x, operation op, formats f)
{
    uint64_t hidden = UINT64_C(1) << (f.y->precision - 1);
    uint64_t kind = ckda_rand_below(r, 4), y = edge_pattern(r, f.y);
    if (kind == 0)
        return random_pattern(r, f.y);
    if (kind == 1)
        return y;
    int64_t e = (int64_t)((x & (f.x->sign - 1)) >> (f.x->precision - 1)) + f.x->emin - 1;
    int64_t want =
        op == MUL ? (kind == 2 ? f.to->emin - 1 : f.to->emax) - e : e - f.to->precision;
    int64_t field = want + ckda_rand_range(r, -2, 2) - f.y->emin + 1;
    int64_t top = (int64_t)(f.y->largest / hidden);
    field = field < 0 ? 0 : field >= top ? top - 1 : field;
    uint64_t frac = ckda_rand_below(r, 3) ? ckda_rand_below(r, 2) * (hidden >> 1)
                                          : ckda_rand_u64(r) % hidden;
    frac = (frac + ckda_rand_below(r, 3) + hidden - 1) % hidden;
    return (uint64_t)field * hidden + frac + (y & f.y->sign);
}

/* z near -xy, far below it, or anything. */
static uint64_t
addend(ckda_rand *r, uint64_t x, uint64_t y, formats f)
{
    uint64_t kind = ckda_rand_below(r, 4);
    if (kind >= 2)
        return kind == 2 ? edge_pattern(r, f.z) : random_pattern(r, f.z);
    uint64_t p = ckda_fp_mul(x, f.x, y, f.y, f.z, &ckda_fp_rne) ^ f.z->sign;
    uint64_t m = p & (f.z->sign - 1);
    if (m > f.z->largest)
        return p;
    int down = kind == 0 ? 0 : f.to->precision + (int)ckda_rand_range(r, -2, 2);
    uint64_t step = (uint64_t)down << (f.z->precision - 1);
    m = m > step ? m - step : m;
    return (p & f.z->sign) | (kind == 0 && m > 1 ? m - 1 + ckda_rand_below(r, 3) % 2 : m);
}

static void
hard_operations(formats f, uint64_t stream, long n)
{
    ckda_rand r = seeded(stream);
    scratch s;
    scratch_init(&s);
    for (long k = 0; k < n; k++) {
        operation op = (operation)(k % 4);
        uint64_t x = k % 7 ? edge_pattern(&r, f.x) : random_pattern(&r, f.x);
        uint64_t y = partner(&r, x, op, f), z = addend(&r, x, y, f), want;
        for (int d = 0; d < 4; d++) {
            ckda_fp_rule rule = {.direction = (ckda_fp_direction)d};
            same_bits(ours(op, x, y, z, f, &rule), by_mpfr(op, x, y, z, f, &rule, &s),
                      op_name[op], f.to, &rule, x, y, z);
        }
        ckda_fp_rule rule = {.direction = (ckda_fp_direction)(k % 5),
                             .overflow = (ckda_fp_overflow)(k / 5 % 2)};
        if (k % 64 < 4 && ckda_fp_is_finite(x, f.x) && ckda_fp_is_finite(y, f.y)
            && ckda_fp_is_finite(z, f.z) && by_definition(&want, op, x, y, z, f, &rule))
            same_bits(ours(op, x, y, z, f, &rule), want, op_name[op], f.to, &rule, x, y,
                      z);
    }
    scratch_clear(&s);
}

#define HARD(FORMAT, STREAM)                                                             \
    static void hard_##FORMAT##_operations_as_in_mpfr(void **state)                      \
    {                                                                                    \
        (void)state;                                                                     \
        const ckda_fp_format *f = &ckda_fp_##FORMAT;                                     \
        hard_operations((formats){f, f, f, f}, STREAM, cases(HARD_CASES));               \
    }
HARD(bf16, 21)
HARD(fp16, 22)
HARD(fp32, 23)
HARD(fp64, 24)
HARD(tf32, 25)

/* Kernels mix: state in one format, key in another, result in a third. */
static void
mixed_formats_round_once(void **state)
{
    (void)state;
    const ckda_fp_format *bf = &ckda_fp_bf16, *h = &ckda_fp_fp16, *s = &ckda_fp_fp32,
                         *d = &ckda_fp_fp64, *t = &ckda_fp_tf32, *e = &ckda_fp_e4m3;
    const formats mixes[] = {{bf, bf, s, s}, {bf, s, bf, bf}, {h, h, s, s}, {s, s, s, bf},
                             {d, s, d, h},   {t, t, s, s},    {e, e, s, h}, {d, d, d, e}};
    for (int i = 0; i < 8; i++)
        hard_operations(mixes[i], 30 + (uint64_t)i, cases(4000));
}

/* One rounding is not two: an fp32 fma of bf16 operands, then bf16, differs from the fma
 * rounded to bf16 once. */
static void
fma_to_bf16_is_not_fma_to_fp32_then_bf16(void **state)
{
    (void)state;
    const ckda_fp_format *b = &ckda_fp_bf16, *s = &ckda_fp_fp32;
    const ckda_fp_rule *rne = &ckda_fp_rne;
    /* 129 * 3 = 387 lies in the middle of 386 and 388; a little less goes down */
    uint64_t x = ckda_fp_from_dyadic(129, 0, b, rne),
             y = ckda_fp_from_dyadic(3, 0, b, rne);
    uint64_t z = ckda_fp_from_dyadic(-1, -40, b, rne);
    uint64_t once = ckda_fp_fma(x, b, y, b, z, b, b, rne);
    uint64_t twice = ckda_fp_convert(ckda_fp_fma(x, b, y, b, z, b, s, rne), s, b, rne);
    assert_true(ckda_fp_get_double(once, b) == 386);
    assert_true(ckda_fp_get_double(twice, b) == 388);
}

/* ---- special values --------------------------------------------------------------- */

static void
nan_and_infinity_follow_the_stated_rules(void **state)
{
    (void)state;
    for (int i = 0; i < 7; i++) {
        const ckda_fp_format *f = ckda_fp_formats[i];
        const ckda_fp_rule *r = &ckda_fp_rne;
        uint64_t one = ckda_fp_from_dyadic(1, 0, f, r), nan = f->nan | f->sign;
        formats fs = {f, f, f, f};
        for (int op = ADD; op <= FMA; op++) {
            assert_true(ours((operation)op, nan, one, one, fs, r) == f->nan);
            assert_true(ours((operation)op, one, nan, one, fs, r) == f->nan);
        }
        assert_true(ckda_fp_fma(one, f, one, f, nan, f, f, r) == f->nan);
        if (!f->has_infinity)
            continue;
        uint64_t inf = f->infinity, minus = inf | f->sign;
        assert_true(ckda_fp_add(inf, f, minus, f, f, r) == f->nan);
        assert_true(ckda_fp_sub(inf, f, inf, f, f, r) == f->nan);
        assert_true(ckda_fp_sub(inf, f, minus, f, f, r) == inf);
        assert_true(ckda_fp_add(one, f, minus, f, f, r) == minus);
        assert_true(ckda_fp_mul(inf, f, 0, f, f, r) == f->nan);
        assert_true(ckda_fp_mul(f->sign, f, inf, f, f, r) == f->nan);
        assert_true(ckda_fp_mul(inf, f, one | f->sign, f, f, r) == minus);
        assert_true(ckda_fp_fma(inf, f, one, f, minus, f, f, r) == f->nan);
        assert_true(ckda_fp_fma(0, f, inf, f, one, f, f, r) == f->nan);
        assert_true(ckda_fp_fma(one, f, one, f, minus, f, f, r) == minus);
        const ckda_fp_rule sat = {.overflow = CKDA_FP_SATURATE};
        assert_true(ckda_fp_add(one, f, minus, f, f, &sat) == (f->largest | f->sign));
        assert_true(ckda_fp_add(inf, f, minus, f, f, &sat) == f->nan);
        assert_true(ckda_fp_mul(inf, f, one, f, &ckda_fp_e4m3, &sat) == 0x7e);
        assert_true(ckda_fp_mul(inf, f, one, f, &ckda_fp_e4m3, r) == 0x7f);
    }
}

static void
zeros_have_the_stated_signs(void **state)
{
    (void)state;
    const ckda_fp_rule down = {.direction = CKDA_FP_RDN}, plus = {.plus_zero = true},
                       down_plus = {.direction = CKDA_FP_RDN, .plus_zero = true};
    for (int i = 0; i < 7; i++) {
        const ckda_fp_format *f = ckda_fp_formats[i];
        uint64_t minus = f->sign, one = ckda_fp_from_dyadic(1, 0, f, &ckda_fp_rne);
        assert_true(ckda_fp_sub(one, f, one, f, f, &ckda_fp_rne) == 0);
        assert_true(ckda_fp_sub(one, f, one, f, f, &down) == minus);
        assert_true(ckda_fp_sub(one, f, one, f, f, &down_plus) == 0);
        assert_true(ckda_fp_add(minus, f, minus, f, f, &ckda_fp_rne) == minus);
        assert_true(ckda_fp_add(minus, f, minus, f, f, &plus) == 0);
        assert_true(ckda_fp_add(0, f, minus, f, f, &ckda_fp_rne) == 0);
        assert_true(ckda_fp_mul(minus, f, one, f, f, &ckda_fp_rne) == minus);
        assert_true(ckda_fp_mul(minus, f, one, f, f, &plus) == 0);
        /* an underflow keeps its sign, unless told otherwise */
        assert_true(ckda_fp_mul(1, f, 1 | f->sign, f, f, &ckda_fp_rne) == minus);
        assert_true(ckda_fp_mul(1, f, 1 | f->sign, f, f, &plus) == 0);
    }
}

/* Results may alias arguments by value; commutation and negation are laws of one
 * rounding. */
static void
laws_of_a_single_rounding(void **state)
{
    (void)state;
    ckda_rand r = seeded(40);
    for (int i = 0; i < 7; i++) {
        const ckda_fp_format *f = ckda_fp_formats[i];
        uint64_t one = ckda_fp_from_dyadic(1, 0, f, &ckda_fp_rne);
        for (int k = 0; k < 3000; k++) {
            uint64_t x = edge_pattern(&r, f), y = random_pattern(&r, f);
            const ckda_fp_rule *q = k % 2 ? &ckda_fp_rne : &ckda_fp_rtz;
            assert_true(ckda_fp_add(x, f, y, f, f, q) == ckda_fp_add(y, f, x, f, f, q));
            assert_true(ckda_fp_mul(x, f, y, f, f, q) == ckda_fp_mul(y, f, x, f, f, q));
            assert_true(ckda_fp_mul(x, f, one, f, f, q) == x);
            assert_true(ckda_fp_mul(ckda_fp_neg(x, f), f, y, f, f, q)
                        == ckda_fp_neg(ckda_fp_mul(x, f, y, f, f, q), f));
            /* fma(x, 1, y) = x + y and fma(x, y, -0) = x y, zero signs included */
            assert_true(ckda_fp_fma(x, f, one, f, y, f, f, q)
                        == ckda_fp_add(x, f, y, f, f, q));
            assert_true(ckda_fp_fma(x, f, y, f, f->sign, f, f, q)
                        == ckda_fp_mul(x, f, y, f, f, q));
        }
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_e4m3_pairs_as_in_mpfr),
        cmocka_unit_test(all_e5m2_pairs_as_in_mpfr),
        cmocka_unit_test(all_eight_bit_pairs_by_definition),
        cmocka_unit_test(hard_bf16_operations_as_in_mpfr),
        cmocka_unit_test(hard_fp16_operations_as_in_mpfr),
        cmocka_unit_test(hard_fp32_operations_as_in_mpfr),
        cmocka_unit_test(hard_fp64_operations_as_in_mpfr),
        cmocka_unit_test(hard_tf32_operations_as_in_mpfr),
        cmocka_unit_test(mixed_formats_round_once),
        cmocka_unit_test(fma_to_bf16_is_not_fma_to_fp32_then_bf16),
        cmocka_unit_test(nan_and_infinity_follow_the_stated_rules),
        cmocka_unit_test(zeros_have_the_stated_signs),
        cmocka_unit_test(laws_of_a_single_rounding),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    mpfr_free_cache();
    flint_cleanup();
    return failed;
}
