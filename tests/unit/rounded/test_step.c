/* One token: the processor against the definition bit for bit, and distances from ties. */
#include "machine.h"

#include "ckda/rand.h"

/* ---- the processor against the definition ------------------------------------------ */

/* A value of the state: near the orbit, subnormal, huge, zero. */
static double
random_entry(ckda_rand *r, const ckda_rounded_t R)
{
    const ckda_fp_format *f = format_of_state(R);
    const double u = (double)ckda_rand_range(r, -(1 << 30), 1 << 30) * 0x1p-30;
    if (R->arith.grid > 0)
        return rint(u * 1.5 * (double)R->arith.grid);
    double x = u * R->scale * 1.5;
    switch (ckda_rand_below(r, 8)) {
    case 0:
        x = 0;
        break;
    case 1:
        x = ldexp(u, f->emin + 3 - (int)ckda_rand_below(r, (uint64_t)f->precision + 3));
        break;
    case 2:
        x = ldexp(u, (int)ckda_rand_below(r, 40) - 30);
        break;
    case 3:
        x = ckda_rand_below(r, 8) == 0 ? ldexp(u, f->emax) : rint(4 * u) / 4;
        break;
    default:
        break;
    }
    const uint64_t bits = ckda_fp_from_double(x, f, &ckda_fp_rtz);
    return ckda_fp_get_double(bits, f) + 0.0;
}

static void
compare_once(const machine *x, ckda_rand *r, slong m)
{
    const ckda_rounded_struct *R = x->R;
    const slong size = R->n * m;
    double H[64], step[64], *out = malloc(R->nletters * (size_t)size * sizeof *out);
    uint64_t bits[64];
    for (slong i = 0; i < size; i++)
        H[i] = ckda_rand_below(r, 64) > 0 ? random_entry(r, R)
               : ckda_rand_below(r, 2)    ? INFINITY
                                          : NAN;
    ckda_rounded_expand(out, NULL, H, m, R);
    for (int tries = 0; tries < 3; tries++) {
        const uint32_t letter = (uint32_t)ckda_rand_below(r, R->nletters);
        memcpy(step, H, (size_t)size * sizeof *step);
        ckda_rounded_step(step, m, letter, R);
        for (slong i = 0; i < size; i++)
            bits[i] = ckda_fp_from_double(H[i], format_of_state(R), &ckda_fp_rne);
        ckda_rounded_step_definition(bits, m, letter, R);
        for (slong i = 0; i < size; i++) {
            const double want = ckda_fp_get_double(bits[i], format_of_state(R));
            if (!same(step[i], want) || !same(out[letter * size + i], want))
                fail_msg("%s, letter %u, entry %d: %a and %a, by definition %a",
                         ckda_arith_str(&R->arith), letter, (int)i, step[i],
                         out[letter * size + i], want);
        }
    }
    free(out);
}

static void
compare(const ckda_tracker_t t, const ckda_arith *a, ckda_rand *r, int rounds)
{
    machine x;
    ckda_error err;
    if (ckda_rounded_init(x.R, t, a, &err) != CKDA_OK)
        fail_msg("%s: %s", ckda_arith_str(a), err.text);
    for (int i = 0; i < rounds; i++) {
        compare_once(&x, r, x.R->n);
        compare_once(&x, r, 1 + (slong)ckda_rand_below(r, 7));
    }
    ckda_rounded_clear(x.R);
}

/* All that an arithmetic of these formats can still choose; of the pairs and triples of
 * formats every stride-th, counted from the first. */
static void
compare_variants(const ckda_tracker_t t, const ckda_fp_format *state,
                 const ckda_fp_format *keys, const ckda_fp_format *compute, ckda_rand *r,
                 int rounds)
{
    for (unsigned v = 0; v < 64; v++) {
        ckda_arith a = formats(state, keys, compute, v & 1);
        a.store = v & 2 ? CKDA_FP_RTZ : CKDA_FP_RNE;
        a.form = v & 4 ? CKDA_FORM_MATRIX : CKDA_FORM_KEY;
        if (a.form == CKDA_FORM_KEY)
            a.order = v & 8 ? CKDA_BETA_ON_DOT : CKDA_BETA_ON_KEY;
        else if (v & 8)
            a.gate_shrink = (ckda_ratio){1, 100};
        if (v & 16 && v & 32) {
            a.grid = 16;
        } else if (v & 16) {
            a.has_flush = true;
            a.flush = 6;
            a.beta_shift = (ckda_ratio){1, 100};
        } else if (v & 32) {
            a.initial = (ckda_ratio){5, 4};
            a.gate_shrink = (ckda_ratio){1, 64};
        }
        ckda_error err;
        if (ckda_arith_check(&a, &err) == CKDA_OK)
            compare(t, &a, r, rounds);
    }
}

static void
compare_formats(const char *system, const char *construction, int rounds, int stride)
{
    int turn = 0;
    ckda_tracker_t t;
    ckda_error err;
    ckda_rand r[1];
    ckda_rand_init(r, 1);
    if (ckda_tracker_init(t, system, construction, NULL, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    for (int i = 0; ckda_fp_formats[i] != NULL; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 2; k < 4; k++)
                if (turn++ % stride == 0)
                    compare_variants(t, ckda_fp_formats[i], ckda_fp_formats[j],
                                     ckda_fp_formats[k], r, rounds);
    ckda_tracker_clear(t);
}

static void
the_processor_agrees_with_the_definition_in_the_plane(void **state)
{
    (void)state;
    compare_formats("Z5", NULL, 4, 1);
}

static void
the_processor_agrees_with_the_definition_for_the_cube(void **state)
{
    (void)state;
    compare_formats("S4", "cube", 1, 5);
}

static void
the_processor_agrees_with_the_definition_for_quaternions(void **state)
{
    (void)state;
    compare_formats("A4", "quaternion", 1, 1);
}

static void
the_processor_agrees_with_the_definition_for_several_reflections(void **state)
{
    (void)state;
    compare_formats("S4", "householder", 1, 3);
    compare_formats("S5", "householder", 1, 23);
}

/* ---- ties -------------------------------------------------------------------------- */

/* All boundaries near y, one by one: between v = STORE(y) and its neighbours, or where a
 * rounded magnitude reaches the flush. */
static double
tie_by_search(double y, const ckda_arith *a)
{
    const ckda_fp_format *f = a->state;
    ckda_fp_rule rule = ckda_fp_rne;
    rule.direction = a->store;
    const double m = fabs(y), keep = a->has_flush ? ldexp(1, -a->flush) : 0;
    uint64_t v = ckda_fp_from_double(m, f, &rule);
    int e;
    if (m < keep) /* between the least value kept and the one below it */
        v = ckda_fp_next_down(ckda_fp_from_double(keep, f, &rule), f);
    double least = 1;
    for (int side = m < keep; side < 2; side++) {
        const uint64_t w = side ? ckda_fp_next_up(v, f) : ckda_fp_next_down(v, f);
        const double x = ckda_fp_get_double(v, f);
        double other = ckda_fp_get_double(w, f);
        if (isinf(other)) /* the value that would come next */
            other = ldexp(1, f->emax + 1);
        /* towards zero: a value is where its cell begins; 0 has only the far ends */
        const double middle = a->store == CKDA_FP_RNE ? (x + other) / 2
                              : side                  ? other
                                                      : x;
        const uint64_t at =
            m < keep ? v : ckda_fp_from_double(m, f, &ckda_fp_rtz); /* for the spacing */
        assert_int_equal(ckda_fp_ulp(&e, at, f), CKDA_OK);
        if (middle != 0)
            least = fmin(least, ldexp(fabs(m - middle), -e));
    }
    return fmin(least, 0.5);
}

/* y of one column and letter: the same arithmetic with the state in the compute format. */
static void
check_ties(const ckda_tracker_t t, const ckda_arith *a, ckda_rand *r)
{
    machine x, y;
    ckda_arith wide = *a;
    ckda_error err;
    wide.state = a->compute;
    wide.store = CKDA_FP_RNE;
    wide.has_flush = false;
    if (ckda_rounded_init(x.R, t, a, &err) != CKDA_OK
        || ckda_rounded_init(y.R, t, &wide, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    for (int i = 0; i < 300; i++) {
        double h[8], out[8], by_letter[8 * 64], tie = 1, want = 1;
        for (slong j = 0; j < x.R->n; j++)
            h[j] = random_entry(r, x.R);
        for (uint32_t l = 0; l < x.R->nletters; l++) {
            memcpy(out, h, sizeof h);
            ckda_rounded_step(out, 1, l, y.R);
            for (slong j = 0; j < x.R->n; j++)
                if (isfinite(out[j]) && fabs(out[j]) < ldexp(1, a->state->emax))
                    want = fmin(want, tie_by_search(out[j], a));
                else
                    want = -1; /* may overflow: not compared */
        }
        ckda_rounded_expand(by_letter, &tie, h, 1, x.R);
        if (want >= 0 && tie != want)
            fail_msg("%s: tie %.17g, by search %.17g", ckda_arith_str(a), tie, want);
    }
    ckda_rounded_clear(y.R);
    ckda_rounded_clear(x.R);
}

static void
distances_from_ties_agree_with_a_search(void **state)
{
    (void)state;
    const ckda_fp_format *f[] = {&ckda_fp_bf16, &ckda_fp_fp16, &ckda_fp_e5m2,
                                 &ckda_fp_e4m3, &ckda_fp_fp32};
    ckda_tracker_t t;
    ckda_rand r[1];
    ckda_rand_init(r, 1);
    assert_int_equal(ckda_tracker_init(t, "Z5", NULL, NULL, NULL), CKDA_OK);
    for (int i = 0; i < 5; i++)
        for (unsigned v = 0; v < 8; v++) {
            ckda_arith a = formats(f[i], &ckda_fp_bf16, &ckda_fp_fp32, v & 1);
            a.store = v & 2 ? CKDA_FP_RTZ : CKDA_FP_RNE;
            if (v & 4) {
                a.has_flush = true;
                a.flush = 6;
            }
            check_ties(t, &a, r);
        }
    ckda_tracker_clear(t);
}

static void
distances_on_a_grid_are_those_from_half_integers(void **state)
{
    (void)state;
    ckda_tracker_t t;
    machine x;
    ckda_rand r[1];
    ckda_arith a;
    ckda_rand_init(r, 1);
    assert_int_equal(ckda_arith_preset(&a, "grid", NULL), CKDA_OK);
    assert_int_equal(ckda_tracker_init(t, "Z5", NULL, NULL, NULL), CKDA_OK);
    assert_int_equal(ckda_rounded_init(x.R, t, &a, NULL), CKDA_OK);
    for (int i = 0; i < 200; i++) {
        double h[2] = {random_entry(r, x.R), random_entry(r, x.R)}, out[10], tie = 1;
        ckda_rounded_expand(out, &tie, h, 1, x.R);
        double want = 1;
        for (uint32_t l = 0; l < 5; l++) {
            /* bf16 keys, small integers: only the last operations round */
            const double *k = x.R->key_value + 2 * l, *g = x.R->gate_value + 2 * l;
            const double p = fma(k[1], g[1] * h[1], k[0] * g[0] * h[0]);
            for (int j = 0; j < 2; j++) {
                const double y = (double)(float)fma(-2 * k[j], p, g[j] * h[j]);
                want = fmin(want, fabs(fabs(y - floor(y)) - 0.5));
            }
        }
        assert_true(fabs(tie - want) < 1e-5);
    }
    ckda_rounded_clear(x.R);
    ckda_tracker_clear(t);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_processor_agrees_with_the_definition_in_the_plane),
        cmocka_unit_test(the_processor_agrees_with_the_definition_for_the_cube),
        cmocka_unit_test(the_processor_agrees_with_the_definition_for_quaternions),
        cmocka_unit_test(
            the_processor_agrees_with_the_definition_for_several_reflections),
        cmocka_unit_test(distances_from_ties_agree_with_a_search),
        cmocka_unit_test(distances_on_a_grid_are_those_from_half_integers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
