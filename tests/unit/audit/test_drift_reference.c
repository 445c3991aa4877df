/* The exact recurrence on rounded inputs, and where drift comes from. */
#include "drift_fixture.h"

enum { N = 3, LETTERS = 4 };

/* Nearly orthogonal dyadic matrices: signed permutations plus noise / 2^bits. */
static void
random_letters(fmpq_mat_struct *A, ckda_rand *r, int bits)
{
    for (int l = 0; l < LETTERS; l++) {
        fmpq_mat_init(A + l, N, N);
        for (slong i = 0; i < N; i++)
            for (slong j = 0; j < N; j++) {
                fmpq *x = fmpq_mat_entry(A + l, i, j);
                fmpq_set_si(x, (slong)ckda_rand_range(r, -9, 9), 1);
                fmpq_div_2exp(x, x, (ulong)bits);
                if (j == (i + l) % N)
                    fmpq_add_si(x, x, i == l ? -1 : 1);
            }
    }
}

static void
clear_letters(fmpq_mat_struct *A)
{
    for (int l = 0; l < LETTERS; l++)
        fmpq_mat_clear(A + l);
}

static const double start[N * N] = {1.5, 0, -0x1p-30, 0, 1.25, 0, 0x1p-1040, 0, -3};

/* |exact - ball's midpoint|_F <= radius, and every entry of the exact one in the balls. */
static void
expect_inside(const drift_reference *exact, const drift_reference *ball)
{
    arb_ptr x = _arb_vec_init(N * N), y = _arb_vec_init(N * N);
    arb_t sum, e;
    arf_t radius;
    arb_init(sum);
    arb_init(e);
    arf_init(radius);
    drift_reference_get(x, exact, 6000);
    drift_reference_get(y, ball, 6000);
    for (slong i = 0; i < N * N; i++) {
        assert_true(arb_overlaps(x + i, y + i));
        arb_get_mid_arb(y + i, y + i);
        arb_sub(e, x + i, y + i, 6000);
        arb_addmul(sum, e, e, 6000);
    }
    arb_sqrt(sum, sum, 6000);
    arf_set_mag(radius, ball->radius);
    arb_set_arf(e, radius);
    assert_true(arb_le(sum, e));
    arf_clear(radius);
    arb_clear(e);
    arb_clear(sum);
    _arb_vec_clear(x, N * N);
    _arb_vec_clear(y, N * N);
}

static void
exact_result_lies_within_the_radius(void **state)
{
    (void)state;
    static const slong precision[] = {40, 64, 100, 300};
    static const int noise[] = {4, 9, 20};
    for (size_t b = 0; b < 3; b++)
        for (size_t p = 0; p < 4; p++) {
            fmpq_mat_struct A[LETTERS];
            drift_letters L;
            drift_reference exact, ball;
            ckda_rand r;
            ckda_rand_init(&r, 100 * b + p);
            random_letters(A, &r, noise[b]);
            drift_letters_init_matrices(&L, A, LETTERS, N);
            drift_reference_init(&exact, start, N, 0);
            drift_reference_init(&ball, start, N, precision[p]);
            for (int t = 0; t < 200; t++) {
                const uint32_t l = (uint32_t)ckda_rand_below(&r, LETTERS);
                drift_reference_step(&exact, l, &L);
                drift_reference_step(&ball, l, &L);
                if (t % 20 == 19)
                    expect_inside(&exact, &ball);
            }
            assert_true(drift_reference_accuracy(&exact) < -1e17);
            if (noise[b] >= 9) /* 200 letters cost 200 log2 norm and a few bits more */
                assert_true(drift_reference_accuracy(&ball) < 30. - (double)precision[p]);
            assert_true(drift_reference_accuracy(&ball) >= -(double)precision[p] - 64);
            drift_reference_clear(&exact);
            drift_reference_clear(&ball);
            drift_letters_clear(&L);
            clear_letters(A);
        }
}

static void
exact_path_is_the_product_of_rational_matrices(void **state)
{
    (void)state;
    fmpq_mat_struct A[LETTERS];
    fmpq_mat_t H;
    drift_letters L;
    drift_reference exact;
    ckda_rand r;
    ckda_rand_init(&r, 1);
    random_letters(A, &r, 7);
    drift_letters_init_matrices(&L, A, LETTERS, N);
    const double one[N * N] = {.5, 0, 0, 0, .5, 0, 0, 0, .5};
    drift_reference_init(&exact, one, N, 0);
    fmpq_mat_init(H, N, N);
    for (slong i = 0; i < N; i++)
        fmpq_set_si(fmpq_mat_entry(H, i, i), 1, 2);
    for (int t = 0; t < 50; t++) {
        const uint32_t l = (uint32_t)ckda_rand_below(&r, LETTERS);
        drift_reference_step(&exact, l, &L);
        fmpq_mat_mul(H, A + l, H);
    }
    for (slong i = 0; i < N; i++)
        for (slong j = 0; j < N; j++) {
            fmpq_t x;
            fmpq_init(x);
            fmpq_set_fmpz(x, fmpz_mat_entry(exact.mid, i, j));
            assert_true(exact.exp <= 0);
            fmpq_div_2exp(x, x, (ulong)-exact.exp);
            assert_true(fmpq_equal(x, fmpq_mat_entry(H, i, j)));
            fmpq_clear(x);
        }
    fmpq_mat_clear(H);
    drift_reference_clear(&exact);
    drift_letters_clear(&L);
    clear_letters(A);
}

static void
norm_bounds_are_bounds_and_sharp_for_orthogonal_letters(void **state)
{
    (void)state;
    fmpq_mat_struct A[LETTERS];
    drift_letters L;
    ckda_rand r;
    for (int bits = 3; bits < 20; bits += 4) {
        ckda_rand_init(&r, (uint64_t)bits);
        random_letters(A, &r, bits);
        drift_letters_init_matrices(&L, A, LETTERS, N);
        for (int l = 0; l < LETTERS; l++) {
            /* |A x|^2 <= norm^2 |x|^2 for many x */
            const double norm = mag_get_d(L.norm + l);
            assert_true(norm >= 1 && log2(norm) <= L.bits[l]);
            for (int i = 0; i < 200; i++) {
                double x[N], xx = 0, yy = 0;
                for (int j = 0; j < N; j++) {
                    x[j] = (double)ckda_rand_range(&r, -50, 50);
                    xx += x[j] * x[j];
                }
                for (int j = 0; j < N; j++) {
                    double y = 0;
                    for (int k = 0; k < N; k++)
                        y += fmpq_get_d(fmpq_mat_entry(A + l, j, k)) * x[k];
                    yy += y * y;
                }
                assert_true(yy <= norm * norm * xx * (1 + 1e-12));
            }
            assert_true(norm <= 1 + 100 * ldexp(1, -bits));
        }
        drift_letters_clear(&L);
        clear_letters(A);
    }
}

/* ---- parts ------------------------------------------------------------------------------ */

static void
split_rows(ckda_drift_split *s, const uint64_t *at, size_t nat, const char *system,
           const ckda_arith *a)
{
    kernel k;
    ckda_error err;
    size_t n;
    const ckda_drift_options o = {.seed = 2, .words = 1, .length = at[nat - 1]};
    kernel_open(&k, system, NULL, a);
    ckda_error_clear(&err);
    if (drift_split_word(s, &n, 0, at, nat, &o, k.R, k.t, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    assert_int_equal(n, nat);
    kernel_close(&k);
}

static void
split_at(ckda_drift_split *s, uint64_t t, const char *system, const ckda_arith *a)
{
    split_rows(s, &t, 1, system, a);
}

static void
exact_and_ball_paths_give_one_split(void **state)
{
    (void)state;
    /* 300 tokens stay below the limit of the exact path, 3000 do not */
    const ckda_arith a = arith(&ckda_fp_bf16, &ckda_fp_bf16, &ckda_fp_fp32, true);
    const uint64_t at[] = {300, 3000};
    ckda_drift_split exact, ball[2];
    split_at(&exact, 300, "Z5", &a);
    split_rows(ball, at, 2, "Z5", &a);
    assert_true(exact.exact && !ball[0].exact && !ball[1].exact);
    assert_true(exact.parameters > 0 && exact.arithmetic > 0);
    assert_near(exact.parameters, ball->parameters, 1e-14 * exact.parameters);
    assert_near(exact.arithmetic, ball->arithmetic, 1e-14 * exact.arithmetic);
    assert_near(exact.keys.along, ball->keys.along, 1e-14);
    assert_near(exact.store.across, ball->store.across, 1e-14);
    assert_near(exact.norm, ball->norm, 1e-14);
}

static void
parts_add_up(void **state)
{
    (void)state;
    static const struct {
        const char *system;
        uint64_t t;
    } cases[] = {{"Z5", 100}, {"Z5", 2000}, {"A5", 50}, {"A5", 1000}};
    const ckda_arith ariths[] = {
        arith(&ckda_fp_bf16, &ckda_fp_bf16, &ckda_fp_fp32, true),
        arith(&ckda_fp_fp16, &ckda_fp_fp32, &ckda_fp_fp32, false),
        arith(&ckda_fp_fp32, &ckda_fp_fp32, &ckda_fp_fp32, true),
        arith(&ckda_fp_fp64, &ckda_fp_fp64, &ckda_fp_fp64, true)};
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 4; j++) {
            ckda_drift_split s;
            split_at(&s, cases[i].t, cases[i].system, ariths + j);
            assert_near(hypot(s.keys.along, s.keys.across), s.parameters,
                        1e-9 * s.parameters);
            const double along = s.operations.along + s.store.along;
            assert_true(fabs(along) <= s.arithmetic * (1 + 1e-9));
            assert_true(s.arithmetic <= hypot(s.operations.along, s.operations.across)
                                            + hypot(s.store.along, s.store.across)
                                            + 1e-30);
            const bool stored = ariths[j].state != ariths[j].compute;
            assert_int_equal(s.store.across > 0, stored);
            assert_true(s.keys.across > 0 && s.operations.across > 0);
        }
}

static void
fp64_parts_are_resolved(void **state)
{
    (void)state;
    const ckda_arith a = arith(&ckda_fp_fp64, &ckda_fp_fp64, &ckda_fp_fp64, true);
    ckda_drift_split s;
    split_at(&s, 1000, "A5", &a);
    assert_true(s.parameters > 1e-16 && s.parameters < 1e-12);
    assert_true(s.arithmetic > 1e-16 && s.arithmetic < 1e-12);
    assert_near(s.norm, 1, 1e-12);
}

static void
bf16_keys_drift_by_the_norm_and_fp32_keys_do_not(void **state)
{
    (void)state;
    ckda_arith a = arith(&ckda_fp_fp32, &ckda_fp_bf16, &ckda_fp_fp32, true);
    ckda_drift_split s;
    split_at(&s, 4096, "A5", &a);
    assert_int_equal(s.largest, CKDA_DRIFT_KEY_NORM);
    assert_near(s.norm, .2127, .02); /* measured on a processor of another kind */
    assert_true(s.parameters > 100 * s.arithmetic);
    a.beta_rule = CKDA_BETA_FROM_KEY;
    split_at(&s, 4096, "A5", &a);
    assert_int_equal(s.largest, CKDA_DRIFT_KEY_DIRECTION);
    assert_near(s.norm, 1, 1e-3);
    assert_true(s.parameters < .2);
}

static void
a_grid_takes_back_what_keys_put_in(void **state)
{
    (void)state;
    ckda_arith a;
    ckda_drift_split s;
    assert_int_equal(ckda_arith_preset(&a, "grid", NULL), CKDA_OK);
    split_at(&s, 2000, "A5", &a);
    const double along = s.keys.along + s.operations.along + s.store.along;
    assert_true(s.parameters > .3);
    assert_true(fabs(along) < .1576 / 16);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_result_lies_within_the_radius),
        cmocka_unit_test(exact_path_is_the_product_of_rational_matrices),
        cmocka_unit_test(norm_bounds_are_bounds_and_sharp_for_orthogonal_letters),
        cmocka_unit_test(exact_and_ball_paths_give_one_split),
        cmocka_unit_test(parts_add_up),
        cmocka_unit_test(fp64_parts_are_resolved),
        cmocka_unit_test(bf16_keys_drift_by_the_norm_and_fp32_keys_do_not),
        cmocka_unit_test(a_grid_takes_back_what_keys_put_in),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
