/* Rounded trackers: parameters against a second way, the start, exact matrices, packing. */
#include "machine.h"

#include "ckda/rand.h"

/* ---- parameters -------------------------------------------------------------------- */

/* |x| rounded to nearest with p bits, from 300 bits. */
static double
rounded_trig(int t, int m, bool cosine, int p)
{
    mpfr_t x;
    mpfr_init2(x, 300);
    mpfr_const_pi(x, MPFR_RNDN);
    mpfr_mul_si(x, x, t, MPFR_RNDN);
    mpfr_div_si(x, x, m, MPFR_RNDN);
    if (cosine)
        mpfr_cos(x, x, MPFR_RNDN);
    else
        mpfr_sin(x, x, MPFR_RNDN);
    if (2 * t == m && cosine)
        mpfr_set_zero(x, 1);
    mpfr_prec_round(x, p, MPFR_RNDN);
    const double d = fabs(mpfr_get_d(x, MPFR_RNDN));
    mpfr_clear(x);
    return d;
}

/* The tokens of Z_m have the keys (-sin(pi t/m), cos(pi t/m)), up to a sign. */
static void
check_planar_keys(const char *system, int m, const ckda_fp_format *keys)
{
    machine x;
    const ckda_arith a = formats(&ckda_fp_fp64, keys, &ckda_fp_fp64, true);
    unsigned seen = 0;
    open_machine(&x, system, NULL, &a);
    for (uint32_t l = 0; l < x.R->nletters; l++)
        for (int t = 0; t < m; t++) {
            const double *k = x.R->key_value + 2 * l;
            if (fabs(k[0]) == rounded_trig(t, m, false, keys->precision)
                && fabs(k[1]) == rounded_trig(t, m, true, keys->precision)
                && (2 * t == m || t == 0 || (k[0] * k[1] < 0) == (2 * t < m)))
                seen |= 1u << t;
        }
    mpfr_free_cache();
    assert_int_equal(seen, (1u << m) - 1);
    close_machine(&x);
}

static void
planar_keys_are_sines_and_cosines_rounded_once(void **state)
{
    (void)state;
    const ckda_fp_format *keys[] = {&ckda_fp_bf16, &ckda_fp_fp16, &ckda_fp_fp32,
                                    &ckda_fp_fp64, &ckda_fp_tf32, &ckda_fp_e5m2};
    for (int i = 0; i < 6; i++) {
        check_planar_keys("Z3", 3, keys[i]);
        check_planar_keys("Z5", 5, keys[i]);
        check_planar_keys("Z8", 8, keys[i]);
        check_planar_keys("Z7", 7, keys[i]);
        check_planar_keys("Z12", 12, keys[i]);
    }
}

static void
integer_directions_have_content_one(void **state)
{
    (void)state;
    machine x;
    ckda_arith a = ckda_arith_default;
    a.key = CKDA_KEY_DIRECTION;
    open_machine(&x, "S5", NULL, &a);
    for (uint32_t s = 0; s < x.R->first[x.R->nletters]; s++) {
        double sum = 0;
        for (int i = 0; i < 5; i++) {
            const double k = x.R->key_value[5 * s + (uint32_t)i];
            assert_true(k == 0 || fabs(k) == 1);
            sum += k * k;
        }
        assert_true(sum == 2 ? x.R->beta_value[s] == 1 : x.R->beta_value[s] == 0);
    }
    close_machine(&x);
    open_machine(&x, "Z4", NULL, &a); /* (1, 1) although the field is that of cos(pi/2) */
    for (uint32_t s = 0; s < 4; s++) {
        const double *k = x.R->key_value + 2 * s;
        assert_true(k[0] * k[0] + k[1] * k[1] == 2 / x.R->beta_value[s]);
    }
    close_machine(&x);
}

static void
integer_directions_of_irrational_keys_are_refused(void **state)
{
    (void)state;
    ckda_tracker_t t;
    ckda_rounded_t R;
    ckda_error err;
    ckda_arith a = ckda_arith_default;
    a.key = CKDA_KEY_DIRECTION;
    assert_int_equal(ckda_tracker_init(t, "Z3", NULL, NULL, &err), CKDA_OK);
    memset(R, 1, sizeof *R);
    const ckda_rounded_struct before = *R;
    assert_int_equal(ckda_rounded_init(R, t, &a, &err), CKDA_E_DOMAIN);
    assert_non_null(strstr(err.text, "integer directions"));
    a = ckda_arith_default;
    a.initial = (ckda_ratio){1, INT64_C(1) << 40};
    a.has_flush = true;
    a.flush = 6;
    assert_int_equal(ckda_rounded_init(R, t, &a, &err), CKDA_E_DOMAIN);
    assert_non_null(strstr(err.text, "initial"));
    a.has_flush = false;
    a.grid = -1;
    assert_int_equal(ckda_rounded_init(R, t, &a, &err), CKDA_E_INPUT);
    assert_memory_equal(R, &before, sizeof before);
    ckda_tracker_clear(t);
}

static void
beta_from_the_key_makes_a_reflection_of_it(void **state)
{
    (void)state;
    machine x;
    ckda_arith a = formats(&ckda_fp_fp32, &ckda_fp_bf16, &ckda_fp_fp32, true);
    open_machine(&x, "Z3", NULL, &a);
    assert_true(fabs(ckda_rounded_norm_rate(x.R) - .00134) < 1e-5);
    close_machine(&x);
    a.beta_rule = CKDA_BETA_FROM_KEY;
    open_machine(&x, "Z3", NULL, &a);
    for (uint32_t s = 0; s < 3; s++) {
        const double *k = x.R->key_value + 2 * s; /* exact: 8 bits each */
        assert_true(x.R->beta_value[s]
                    == (double)(float)(2 / (k[0] * k[0] + k[1] * k[1])));
    }
    assert_true(fabs(ckda_rounded_norm_rate(x.R)) < 1e-7);
    close_machine(&x);
}

static void
shrinking_is_done_before_the_rounding(void **state)
{
    (void)state;
    machine x;
    ckda_arith a = ckda_arith_default;
    a.beta_shift = (ckda_ratio){1, 3};
    a.gate_shrink = (ckda_ratio){1, 7};
    open_machine(&x, "Z3", NULL, &a);
    for (uint32_t s = 0; s < 3; s++) {
        assert_true(x.R->beta_value[s] == (double)(float)(5. / 3));
        assert_true(fabs(x.R->gate_value[2 * s]) == (double)(float)(6. / 7));
    }
    close_machine(&x);
    open_machine(&x, "S5", NULL, &a);
    for (uint32_t l = 0; l < x.R->nletters; l++)
        for (uint32_t s = x.R->first[l]; s < x.R->first[l + 1]; s++) {
            const double g = s == x.R->first[l] ? (double)(float)(6. / 7) : 1;
            assert_true(x.R->gate_value[5 * s] == g);
            assert_true(x.R->beta_value[s] == (double)(float)(5. / 3)
                        || x.R->beta_value[s] == 0);
        }
    close_machine(&x);
}

static void
the_norm_rate_is_that_of_the_keys(void **state)
{
    (void)state;
    machine x;
    const ckda_arith a = formats(&ckda_fp_fp32, &ckda_fp_bf16, &ckda_fp_fp32, true);
    open_machine(&x, "Z5", NULL, &a);
    assert_true(fabs(ckda_rounded_norm_rate(x.R) + .00264) < 1e-5);
    double law = 0;
    for (uint32_t s = 0; s < 5; s++) {
        const double *k = x.R->key_value + 2 * s;
        const double square = k[0] * k[0] + k[1] * k[1];
        law += 2 * square * (2 * square - 2) / 4 / 5;
    }
    assert_true(fabs(law - ckda_rounded_norm_rate(x.R)) < 1e-15);
    close_machine(&x);
}

/* The exact matrix of the rounded parameters acts as a run does that rounds in fp64. */
static void
the_exact_matrix_is_what_a_precise_run_does(void **state)
{
    (void)state;
    for (int form = 0; form < 2; form++) {
        machine x;
        ckda_arith a = formats(&ckda_fp_fp64, &ckda_fp_bf16, &ckda_fp_fp64, true);
        a.form = form ? CKDA_FORM_MATRIX : CKDA_FORM_KEY;
        open_machine(&x, "S5", NULL, &a);
        fmpq_mat_t A;
        fmpq_mat_init(A, 5, 5);
        for (uint32_t l = 0; l < x.R->nletters; l++) {
            double H[25];
            ckda_rounded_initial(H, x.R);
            ckda_rounded_step(H, 5, l, x.R);
            ckda_rounded_matrix(A, l, x.R);
            for (int i = 0; i < 25; i++) {
                const fmpq *q = fmpq_mat_entry(A, i / 5, i % 5);
                const double want = ckda_fp_get_double(
                    ckda_fp_from_fmpq(q, &ckda_fp_fp64, &ckda_fp_rne), &ckda_fp_fp64);
                assert_true(fabs(H[i] - want) < 1e-14);
            }
        }
        fmpq_mat_clear(A);
        close_machine(&x);
    }
}

/* ---- the start --------------------------------------------------------------------- */

static void
the_start_is_the_stored_scale(void **state)
{
    (void)state;
    machine x;
    double H[4];
    ckda_arith a = formats(&ckda_fp_bf16, &ckda_fp_fp32, &ckda_fp_fp32, true);
    a.initial = (ckda_ratio){4, 3};
    open_machine(&x, "Z3", NULL, &a);
    ckda_rounded_initial(H, x.R);
    assert_true(H[0] == 0x1.56p0 && H[3] == H[0] && H[1] == 0 && H[2] == 0);
    assert_true(x.R->scale == 4. / 3);
    close_machine(&x);
    a.store = CKDA_FP_RTZ;
    open_machine(&x, "Z3", NULL, &a);
    ckda_rounded_initial(H, x.R);
    assert_true(H[0] == 0x1.54p0);
    close_machine(&x);
    a.grid = 3;
    open_machine(&x, "Z3", NULL, &a);
    ckda_rounded_initial(H, x.R);
    assert_true(H[0] == 1);
    close_machine(&x);
}

/* ---- packing ----------------------------------------------------------------------- */

static void
all_patterns_of_16_bits_survive_packing(void **state)
{
    (void)state;
    const ckda_fp_format *f[] = {&ckda_fp_bf16, &ckda_fp_fp16};
    for (int i = 0; i < 2; i++) {
        machine x;
        const ckda_arith a = formats(f[i], &ckda_fp_bf16, &ckda_fp_fp32, true);
        open_machine(&x, "Z3", NULL, &a);
        assert_int_equal(ckda_rounded_entry_bytes(x.R), 2);
        for (uint32_t bits = 0; bits < 65536; bits++) {
            const double v = ckda_fp_get_double(bits, f[i]);
            uint16_t packed;
            double back;
            assert_true(ckda_rounded_pack(&packed, &v, 1, x.R));
            ckda_rounded_unpack(&back, &packed, 1, x.R);
            assert_int_equal(packed, v != v ? f[i]->nan : bits);
            assert_true(same(v, back));
        }
        close_machine(&x);
    }
}

static void
wider_and_narrower_values_survive_packing(void **state)
{
    (void)state;
    const ckda_fp_format *f[] = {&ckda_fp_fp32, &ckda_fp_fp64, &ckda_fp_tf32,
                                 &ckda_fp_e4m3, &ckda_fp_e5m2};
    const size_t bytes[] = {4, 8, 4, 1, 1};
    ckda_rand r[1];
    ckda_rand_init(r, 1);
    for (int i = 0; i < 5; i++) {
        machine x;
        const ckda_arith a = formats(f[i], &ckda_fp_bf16, &ckda_fp_fp64, true);
        open_machine(&x, "Z3", NULL, &a);
        assert_int_equal(ckda_rounded_entry_bytes(x.R), bytes[i]);
        for (int j = 0; j < 20000; j++) {
            const uint64_t bits = ckda_rand_u64(r) >> (64 - f[i]->width);
            const double v = ckda_fp_get_double(bits, f[i]);
            uint64_t packed = 0;
            double back;
            assert_true(ckda_rounded_pack(&packed, &v, 1, x.R));
            ckda_rounded_unpack(&back, &packed, 1, x.R);
            assert_true(same(v, back));
        }
        close_machine(&x);
    }
}

static void
grids_take_the_bytes_that_their_scale_needs(void **state)
{
    (void)state;
    const int64_t grid[] = {44, 45, 11584, 11586};
    const size_t bytes[] = {1, 2, 2, 4};
    const double most[] = {127, 32767, 32767, 2147483647};
    for (int i = 0; i < 4; i++) {
        machine x;
        ckda_arith a = ckda_arith_default;
        a.grid = grid[i];
        open_machine(&x, "Z3", NULL, &a);
        assert_int_equal(ckda_rounded_entry_bytes(x.R), bytes[i]);
        double v[2] = {most[i], -most[i]}, back[2];
        char packed[8];
        assert_true(ckda_rounded_pack(packed, v, 2, x.R));
        ckda_rounded_unpack(back, packed, 2, x.R);
        assert_true(back[0] == v[0] && back[1] == v[1]);
        v[1] -= 1;
        assert_false(ckda_rounded_pack(packed, v, 2, x.R));
        v[1] = NAN;
        assert_false(ckda_rounded_pack(packed, v, 2, x.R));
        close_machine(&x);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planar_keys_are_sines_and_cosines_rounded_once),
        cmocka_unit_test(integer_directions_have_content_one),
        cmocka_unit_test(integer_directions_of_irrational_keys_are_refused),
        cmocka_unit_test(beta_from_the_key_makes_a_reflection_of_it),
        cmocka_unit_test(shrinking_is_done_before_the_rounding),
        cmocka_unit_test(the_norm_rate_is_that_of_the_keys),
        cmocka_unit_test(the_exact_matrix_is_what_a_precise_run_does),
        cmocka_unit_test(the_start_is_the_stored_scale),
        cmocka_unit_test(all_patterns_of_16_bits_survive_packing),
        cmocka_unit_test(wider_and_narrower_values_survive_packing),
        cmocka_unit_test(grids_take_the_bytes_that_their_scale_needs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
