/* Decisions on single states against the exact decoder and against plain K arithmetic. */
#include "drift_fixture.h"

static double
uniform(ckda_rand *r)
{
    return (double)(ckda_rand_u64(r) >> 11) * 0x1p-52 - 1;
}

/* scale S + size * noise for a random state. */
static uint32_t
noisy(double *H, double scale, double size, ckda_rand *r, const ckda_tracker_t t)
{
    const uint32_t s = (uint32_t)ckda_rand_below(r, t->nstates);
    const slong entries = t->n * t->n;
    for (slong i = 0; i < entries; i++)
        H[i] = scale * (t->value[(slong)s * entries + i] + size * uniform(r));
    return s;
}

static drift_decider
decider(const ckda_tracker_t t, ckda_drift_decoder kind)
{
    drift_decider d;
    assert_int_equal(drift_decider_init(&d, t, kind, NULL), CKDA_OK);
    return d;
}

static void
compare(const char *system, double size, int rounds)
{
    static const double scales[] = {1, 3e-5, 0x1p-900, 0x1p900, 16};
    ckda_tracker_t t;
    ckda_rand r;
    double H[16];
    int wrong = 0;
    assert_int_equal(ckda_tracker_init(t, system, NULL, NULL, NULL), CKDA_OK);
    drift_decider d = decider(t, CKDA_DRIFT_NEAREST);
    ckda_rand_init(&r, 11);
    for (int i = 0; i < rounds; i++) {
        uint32_t got = 0, want = 0;
        bool tie = false;
        const uint32_t s = noisy(H, scales[i % 5], size, &r, t);
        const bool alone = ckda_tracker_decode(&want, H, t) == CKDA_TRUE;
        const bool right = drift_decide(&got, &tie, H, s, &d);
        assert_int_equal(right, alone && want == t->element[s]);
        if (!right) {
            assert_int_equal(tie, !alone);
            assert_int_equal(got, want);
            wrong++;
        }
    }
    assert_int_equal(wrong > 0, size > .3);
    drift_decider_clear(&d);
    ckda_tracker_clear(t);
}

static void
small_noise_decodes_as_the_exact_decoder_says(void **state)
{
    (void)state;
    compare("Z5", .2, 2000);
    compare("A5", .1, 60);
}

static void
large_noise_decodes_as_the_exact_decoder_says(void **state)
{
    (void)state;
    compare("Z5", 1.2, 2000);
    compare("D4", .9, 2000);
    compare("A5", 1, 60);
}

/* A path of small steps away from a state, so that the remembered comparison is used; the
 * first wrong one must be the first one. */
static void
remembered_comparison_finds_the_first_wrong_state(void **state)
{
    (void)state;
    ckda_tracker_t t;
    assert_int_equal(ckda_tracker_init(t, "Z5", NULL, NULL, NULL), CKDA_OK);
    drift_decider d = decider(t, CKDA_DRIFT_NEAREST);
    const double step = 1e-4;
    int first = -1;
    for (int i = 0; i < 10000 && first < 0; i++) {
        const double c = cos(step * i) * (1 + 3e-4 * i),
                     s = sin(step * i) * (1 + 3e-4 * i);
        const double H[4] = {c, -s, s, c};
        uint32_t got, want;
        bool tie;
        const bool right = drift_decide(&got, &tie, H, 0, &d);
        assert_int_equal(right, ckda_tracker_decode(&want, H, t) == CKDA_TRUE
                                    && want == t->element[0]);
        first = right ? first : i;
    }
    assert_int_equal(first, 6284); /* pi / 5 = .62831.. */
    drift_decider_clear(&d);
    ckda_tracker_clear(t);
}

static void
zero_and_symmetric_states_are_ties(void **state)
{
    (void)state;
    ckda_tracker_t t;
    uint32_t got;
    bool tie = false;
    const double zero[4] = {0}, middle[4] = {1, -1, 1, 1}; /* 45 degrees, in Z4 */
    assert_int_equal(ckda_tracker_init(t, "Z4", NULL, NULL, NULL), CKDA_OK);
    drift_decider d = decider(t, CKDA_DRIFT_NEAREST);
    assert_false(drift_decide(&got, &tie, zero, 0, &d));
    assert_true(tie);
    tie = false;
    assert_false(drift_decide(&got, &tie, middle, 0, &d));
    assert_true(tie);
    drift_decider_clear(&d);
    ckda_tracker_clear(t);
}

/* f(H) and the nearest rotation, literally, over K. */
static bool
paper_by_definition(uint32_t *best, const double *H, uint32_t s, const ckda_tracker_t t)
{
    const ckda_construction_struct *c = t->c;
    ckda_mat_t S, F;
    ckda_elem_t v, top;
    qqbar_t q;
    bool alone = true;
    ckda_mat_init(S, 4, 4, c->K);
    ckda_mat_init(F, 3, 3, c->K);
    ckda_elem_init(v, c->K);
    ckda_elem_init(top, c->K);
    qqbar_init(q);
    for (slong i = 0; i < 16; i++) {
        qqbar_set_d(q, H[i]);
        assert_int_equal(ckda_elem_set_qqbar(S->entry + i, q, c->K), CKDA_OK);
    }
    assert_int_equal(ckda_quaternion_decode(F, S, c->K), CKDA_OK);
    for (uint32_t g = 0; g < c->G->order; g++) {
        ckda_elem_zero(v, c->K);
        for (slong i = 0; i < 9; i++)
            ckda_elem_addmul(v, F->entry + i, c->rotation[g].entry + i, c->K);
        const int order = g == 0 ? 1 : ckda_elem_cmp(v, top, c->K);
        alone = order > 0 ? true : order == 0 ? false : alone;
        if (order > 0) {
            ckda_elem_set(top, v, c->K);
            *best = g;
        }
    }
    qqbar_clear(q);
    ckda_elem_clear(top, c->K);
    ckda_elem_clear(v, c->K);
    ckda_mat_clear(F, c->K);
    ckda_mat_clear(S, c->K);
    return alone && *best == t->element[s];
}

static void
paper_decoder_is_its_definition(void **state)
{
    (void)state;
    ckda_tracker_t t;
    ckda_rand r;
    double H[16];
    int wrong = 0;
    assert_int_equal(ckda_tracker_init(t, "A4", "quaternion", NULL, NULL), CKDA_OK);
    drift_decider d = decider(t, CKDA_DRIFT_PAPER);
    ckda_rand_init(&r, 2);
    for (int i = 0; i < 120; i++) {
        uint32_t got = 0, want = 0;
        bool tie = false;
        const uint32_t s = noisy(H, i % 3 == 0 ? 7 : .25, i % 2 == 0 ? .9 : .1, &r, t);
        const bool right = drift_decide(&got, &tie, H, s, &d);
        assert_int_equal(right, paper_by_definition(&want, H, s, t));
        if (!right) {
            assert_int_equal(got, want);
            wrong++;
        }
    }
    assert_true(wrong > 3 && wrong < 100);
    const double zero[16] = {0};
    uint32_t got;
    bool tie = false;
    assert_false(drift_decide(&got, &tie, zero, 0, &d));
    assert_true(tie);
    drift_decider_clear(&d);
    ckda_tracker_clear(t);
}

static void
norms_do_not_overflow(void **state)
{
    (void)state;
    const double big[2] = {0x1.8p1000, 0x1p1001}, small[2] = {0x1.8p-1050, 0x1p-1049},
                 nan[2] = {1, NAN}, inf[2] = {-INFINITY, 2};
    assert_near(drift_norm(big, 2) / 0x1.4p1001, 1, 1e-15);
    assert_near(drift_norm(small, 2) / 0x1.4p-1049, 1, 1e-6);
    assert_true(isnan(drift_norm(nan, 2)) && isinf(drift_norm(inf, 2)));
    assert_false(drift_is_finite(nan, 2));
    assert_false(drift_is_finite(inf, 2));
    assert_true(drift_is_finite(big, 2));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_noise_decodes_as_the_exact_decoder_says),
        cmocka_unit_test(large_noise_decodes_as_the_exact_decoder_says),
        cmocka_unit_test(remembered_comparison_finds_the_first_wrong_state),
        cmocka_unit_test(zero_and_symmetric_states_are_ties),
        cmocka_unit_test(paper_decoder_is_its_definition),
        cmocka_unit_test(norms_do_not_overflow),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
