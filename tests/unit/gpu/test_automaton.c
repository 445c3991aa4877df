/* Tables for the word kernels: what is copied, and the pairs of quaternions. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "automaton.h"
#include "row.h"

static void
open_row(gpu_system *s, const char *text)
{
    gpu_row row;
    ckda_error err;
    ckda_error_clear(&err);
    if (gpu_row_parse(&row, text, NULL, NULL, &err) != CKDA_OK
        || gpu_system_open(s, &row, &err) != CKDA_OK)
        fail_msg("%s: %s", text, err.text);
    gpu_row_clear(&row);
}

static const struct {
    const char *text;
    uint32_t pairs, states;
} quaternions[] = {
    {"A4/quaternion", 24, 96}, {"S4/quaternion", 48, 576}, {"A5/quaternion", 120, 7200}};
enum { QUATERNIONS = sizeof quaternions / sizeof *quaternions };

static void
pairs_are_those_of_the_binary_groups(void **state)
{
    (void)state;
    for (int i = 0; i < QUATERNIONS; i++) {
        gpu_system s;
        open_row(&s, quaternions[i].text);
        assert_int_equal(s.automaton.pairs, quaternions[i].pairs);
        assert_int_equal(s.automaton.states, quaternions[i].states);
        gpu_system_close(&s);
    }
}

/* Every pair that has a state, and every letter: the successor has the successor's state. */
static void
check_pairs(const gpu_system *s)
{
    const ckda_gpu_automaton *a = &s->automaton;
    uint32_t known = 0;
    assert_int_equal(a->pair[a->pair_start], 0);
    for (uint32_t l = 0; l < a->pairs; l++)
        for (uint32_t r = 0; r < a->pairs; r++) {
            const uint32_t here = a->pair[l * a->pairs + r];
            if (here == UINT32_MAX)
                continue;
            known++;
            for (uint32_t x = 0; x < a->letters; x++) {
                const uint32_t to = a->pair[a->left[x * a->pairs + l] * a->pairs
                                            + a->right[x * a->pairs + r]];
                assert_int_equal(to, s->tracker->next[here * a->letters + x]);
            }
        }
    /* (l, r) and (-l, -r) are one state */
    assert_int_equal(known, 2 * a->states);
}

static void
pairs_move_as_states_do(void **state)
{
    (void)state;
    for (int i = 0; i < QUATERNIONS; i++) {
        gpu_system s;
        open_row(&s, quaternions[i].text);
        check_pairs(&s);
        gpu_system_close(&s);
    }
}

/* Largest |entry of x -> l x r minus the state's|, by the matrices of left and right
 * multiplication. */
static double
worst_entry(const double *l, const double *r, const double *value)
{
    const double L[16] = {l[0], -l[1], -l[2], -l[3], l[1], l[0],  -l[3], l[2],
                          l[2], l[3],  l[0],  -l[1], l[3], -l[2], l[1],  l[0]};
    const double R[16] = {r[0], -r[1], -r[2], -r[3], r[1], r[0], r[3],  -r[2],
                          r[2], -r[3], r[0],  r[1],  r[3], r[2], -r[1], r[0]};
    double worst = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            double x = -value[4 * i + j];
            for (int c = 0; c < 4; c++)
                x += R[4 * i + c] * L[4 * c + j];
            worst = fmax(worst, fabs(x));
        }
    return worst;
}

static void
quaternions_multiply_to_the_state(void **state)
{
    (void)state;
    gpu_system s;
    open_row(&s, "A5/quaternion");
    const ckda_gpu_automaton *a = &s.automaton;
    for (uint32_t l = 0; l < a->pairs; l++)
        for (uint32_t r = 0; r < a->pairs; r++) {
            const uint32_t here = a->pair[l * a->pairs + r];
            if (here != UINT32_MAX)
                assert_true(worst_entry(a->left_value + 4 * l, a->right_value + 4 * r,
                                        a->value + 16 * (size_t)here)
                            < 1e-12);
        }
    gpu_system_close(&s);
}

static void
other_constructions_have_no_pairs(void **state)
{
    (void)state;
    static const char *const rows[] = {"Z5", "S4/cube", "S5/householder", "Z6/dyadic",
                                       "S4/householder"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gpu_system s;
        open_row(&s, rows[i]);
        assert_int_equal(s.automaton.pairs, 0);
        assert_null(s.automaton.pair);
        gpu_system_close(&s);
    }
}

static void
a_table_that_contradicts_the_keys_gets_no_pairs(void **state)
{
    (void)state;
    gpu_system s;
    ckda_gpu_automaton a;
    open_row(&s, "A4/quaternion");
    uint32_t *next = s.tracker->next + 50 * s.tracker->nletters + 3;
    *next = (*next + 1) % s.tracker->nstates;
    assert_int_equal(ckda_gpu_automaton_init(&a, s.tracker, s.rounded, NULL), CKDA_OK);
    assert_int_equal(a.pairs, 0);
    ckda_gpu_automaton_clear(&a);
    gpu_system_close(&s);
}

static void
the_copy_outlives_its_sources(void **state)
{
    (void)state;
    gpu_system s;
    ckda_gpu_automaton a;
    open_row(&s, "D5:recurrent-fp32,beta-rule=from-key");
    assert_int_equal(ckda_gpu_automaton_init(&a, s.tracker, s.rounded, NULL), CKDA_OK);
    gpu_system_close(&s);
    assert_int_equal(a.n, 2);
    assert_int_equal(a.letters, 10);
    assert_int_equal(a.micro_steps, 10);
    assert_int_equal(a.first[10], 10);
    for (uint32_t i = 0; i < a.micro_steps; i++)
        for (int c = 0; c < 2; c++)
            assert_true((float)a.scaled_key[2 * i + (uint32_t)c]
                        == (float)a.beta[i] * (float)a.key[2 * i + (uint32_t)c]);
    for (uint32_t i = 0; i < a.states * a.letters; i++)
        assert_true(a.next[i] < a.states);
    assert_true(a.initial[0] == 1 && a.initial[1] == 0);
    ckda_gpu_automaton_clear(&a);
    assert_null(a.key);
}

static void
options_of_the_arithmetic_are_taken_over(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        ckda_gpu_store store;
        bool fp64, fma, rtz, on_dot;
        double flush, scale;
    } rows[] = {
        {"Z3:fma=off", CKDA_GPU_STORE_FP32, false, false, false, false, 0, 1},
        {"Z3:state=bf16,flush=6", CKDA_GPU_STORE_BF16, false, true, false, false, 0x1p-6,
         1},
        {"Z3:state=fp16,rounding=rtz", CKDA_GPU_STORE_FP16, false, true, true, false, 0,
         1},
        {"Z3:grid=22", CKDA_GPU_STORE_GRID, false, true, false, false, 0, 22},
        {"Z3:order=dot,initial=5/4", CKDA_GPU_STORE_FP32, false, true, false, true, 0,
         1.25},
        {"Z3:compute=fp64,state=fp64", CKDA_GPU_STORE_FP64, true, true, false, false, 0,
         1},
        {"Z3:compute=fp64,grid=9", CKDA_GPU_STORE_GRID, true, true, false, false, 0, 9},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gpu_system s;
        open_row(&s, rows[i].text);
        const ckda_gpu_automaton *a = &s.automaton;
        assert_int_equal(a->store, rows[i].store);
        assert_int_equal(a->fp64, rows[i].fp64);
        assert_int_equal(a->fma, rows[i].fma);
        assert_int_equal(a->rtz, rows[i].rtz);
        assert_int_equal(a->beta_on_dot, rows[i].on_dot);
        assert_true(a->flush == rows[i].flush && a->scale == rows[i].scale);
        gpu_system_close(&s);
    }
}

static void
what_the_kernels_cannot_do_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *system, *construction;
        ckda_arith_form form;
        const ckda_fp_format *state, *compute;
        const char *because;
    } rows[] = {
        {"S6", "householder", CKDA_FORM_KEY, &ckda_fp_fp32, &ckda_fp_fp32, "dimension"},
        {"Z3", NULL, CKDA_FORM_MATRIX, &ckda_fp_fp32, &ckda_fp_fp32, "key form"},
        {"Z3", NULL, CKDA_FORM_KEY, &ckda_fp_bf16, &ckda_fp_bf16, "compute format"},
        {"Z3", NULL, CKDA_FORM_KEY, &ckda_fp_e5m2, &ckda_fp_fp32, "state in"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ckda_tracker_t t;
        ckda_rounded_t R;
        ckda_gpu_automaton a;
        ckda_error err;
        ckda_arith x = ckda_arith_default;
        ckda_error_clear(&err);
        x.form = rows[i].form;
        x.state = rows[i].state;
        x.compute = rows[i].compute;
        x.keys = x.beta = rows[i].compute;
        assert_int_equal(
            ckda_tracker_init(t, rows[i].system, rows[i].construction, NULL, &err),
            CKDA_OK);
        assert_int_equal(ckda_rounded_init(R, t, &x, &err), CKDA_OK);
        assert_int_equal(ckda_gpu_automaton_init(&a, t, R, &err), CKDA_E_UNABLE);
        assert_non_null(strstr(err.text, rows[i].because));
        ckda_rounded_clear(R);
        ckda_tracker_clear(t);
    }
}

static int
clean(void **state)
{
    (void)state;
    flint_cleanup();
    return 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_those_of_the_binary_groups),
        cmocka_unit_test(pairs_move_as_states_do),
        cmocka_unit_test(quaternions_multiply_to_the_state),
        cmocka_unit_test(other_constructions_have_no_pairs),
        cmocka_unit_test(a_table_that_contradicts_the_keys_gets_no_pairs),
        cmocka_unit_test(the_copy_outlives_its_sources),
        cmocka_unit_test(options_of_the_arithmetic_are_taken_over),
        cmocka_unit_test(what_the_kernels_cannot_do_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, clean);
}
