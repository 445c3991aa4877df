/* Closures of the constructions: counts, an exact second way, read-outs. */
#include "fixture.h"
#include "../../../src/reach/reach_internal.h"

static const struct {
    const char *system, *construction;
    uint64_t states, per_element, level[4];
    uint32_t nlevels;
} expected[] = {
    {"A5", "quaternion", 7200, 120, {1, 59, 1079, 6061}, 4},
    {"S4", "quaternion", 576, 24, {1, 23, 167, 385}, 4},
    {"A4", "quaternion", 96, 8, {1, 11, 39, 45}, 4},
    {"S4", "cube", 24, 1, {1, 23}, 2},
    {"A4", "cube", 12, 1, {1, 11}, 2},
    {"D6", "quaternion", 72, 6, {1, 11, 35, 25}, 4},
    {"D4", "quaternion", 32, 4, {1, 7, 15, 9}, 4},
    {"D3", "quaternion", 18, 3, {1, 5, 8, 4}, 4},
    {"D2", "quaternion", 8, 2, {1, 3, 3, 1}, 4},
    {"D1", "quaternion", 2, 1, {1, 1}, 2},
    {"D9", "quaternion", 162, 9, {1, 17, 80, 64}, 4},
    {"Z5", "quaternion", 5, 1, {1, 4}, 2},
    {"Z12", "planar", 12, 1, {1, 11}, 2},
    {"Z1", "planar", 1, 1, {1}, 1},
    {"D3", "planar", 6, 1, {1, 5}, 2},
    {"D15", "planar", 30, 1, {1, 29}, 2},
    {"S5", "householder", 120, 1, {1, 119}, 2},
    {"A5", "householder", 60, 1, {1, 59}, 2},
};
enum { EXPECTED = sizeof expected / sizeof *expected };

static void
reachable_sets_have_the_known_sizes(void **state)
{
    (void)state;
    for (size_t i = 0; i < EXPECTED; i++) {
        ckda_construction_t c;
        ckda_system_t sys;
        ckda_reach_t r;
        open_system(sys, c, expected[i].system, expected[i].construction);
        run_reach(r, sys, NULL, 0);
        assert_true(r->finite == CKDA_TRUE);
        assert_null(r->limit);
        assert_int_equal(r->states, expected[i].states);
        assert_int_equal(r->edges, expected[i].states * c->G->order);
        assert_int_equal(r->nlevels, expected[i].nlevels);
        for (uint32_t l = 0; l < r->nlevels; l++)
            assert_int_equal(r->level[l], expected[i].level[l]);
        assert_true(r->decoder_consistent == CKDA_TRUE);
        assert_int_equal(r->decoded, c->G->order);
        assert_int_equal(r->min_per_element, expected[i].per_element);
        assert_int_equal(r->max_per_element, expected[i].per_element);
        expect_text(r->exactness, "height bound: ");
        expect_text(r->exactness, " > (2BD)^d = ");
        assert_true(r->next == NULL && r->label == NULL && r->parent == NULL);
        ckda_reach_clear(r);
        ckda_system_clear(sys);
        ckda_construct_clear(c);
    }
}

static void
certificate_shows_its_figures(void **state)
{
    (void)state;
    ckda_construction_t c;
    ckda_system_t sys;
    ckda_reach_t r;
    open_system(sys, c, "S4", "quaternion"); /* entries in halves, words of length 4 */
    run_reach(r, sys, NULL, 0);
    assert_string_equal(r->exactness, "height bound: D = 16, B = 1, degree 1, "
                                      "p = 2147483647 > (2BD)^d = 32");
    ckda_reach_clear(r);
    ckda_system_clear(sys);
    ckda_construct_clear(c);
}

/* ---- the plain way: exact matrices, compared one by one --------------------------- */

typedef struct {
    ckda_mat_struct *S;
    uint32_t *next, count, *depth;
} plain;

static uint32_t
plain_find(plain *p, ckda_mat_t T, const ckda_field_t K)
{
    for (uint32_t i = 0; i < p->count; i++)
        if (ckda_mat_equal(NULL, p->S + i, T, K))
            return i;
    assert_true(p->count < 2000);
    ckda_mat_init_set(p->S + p->count, T, K);
    return p->count++;
}

static void
plain_run(plain *p, const ckda_system_t sys)
{
    ckda_mat_t T;
    p->S = malloc(2000 * sizeof *p->S);
    p->depth = calloc(2000, sizeof *p->depth);
    p->next = malloc(2000 * (size_t)sys->nletters * sizeof *p->next);
    p->count = 0;
    ckda_mat_init_set(T, sys->initial, sys->K);
    (void)plain_find(p, T, sys->K);
    for (uint32_t i = 0; i < p->count; i++)
        for (uint32_t x = 0; x < sys->nletters; x++) {
            const uint32_t before = p->count;
            assert_int_equal(ckda_mat_mul(T, sys->linear + x, p->S + i, sys->K), CKDA_OK);
            if (sys->offset != NULL)
                assert_int_equal(ckda_mat_add(T, T, sys->offset + x, sys->K), CKDA_OK);
            const uint32_t to = plain_find(p, T, sys->K);
            p->next[(size_t)i * sys->nletters + x] = to;
            if (to == before)
                p->depth[to] = p->depth[i] + 1;
        }
    ckda_mat_clear(T, sys->K);
}

static void
plain_clear(plain *p, const ckda_field_t K)
{
    for (uint32_t i = 0; i < p->count; i++)
        ckda_mat_clear(p->S + i, K);
    free(p->S);
    free(p->depth);
    free(p->next);
}

static void
compare_with_plain(const ckda_system_t sys)
{
    plain p;
    ckda_reach_t r;
    ckda_mat_t S;
    plain_run(&p, sys);
    run_reach(r, sys, NULL, CKDA_REACH_KEEP_GRAPH);
    ckda_mat_init(S, sys->initial->rows, sys->initial->cols, sys->K);
    assert_true(r->finite == CKDA_TRUE);
    assert_int_equal(r->states, p.count);
    assert_memory_equal(r->next, p.next,
                        p.count * (size_t)sys->nletters * sizeof *p.next);
    for (uint32_t l = 0; l < r->nlevels; l++) {
        uint64_t size = 0;
        for (uint32_t i = 0; i < p.count; i++)
            size += p.depth[i] == l;
        assert_int_equal(r->level[l], size);
    }
    for (uint32_t i = 0; i < p.count; i++) {
        assert_int_equal(ckda_reach_state(S, r, sys, i), CKDA_OK);
        assert_true(ckda_mat_equal(NULL, S, p.S + i, sys->K));
    }
    ckda_mat_clear(S, sys->K);
    ckda_reach_clear(r);
    plain_clear(&p, sys->K);
}

static void
graph_is_that_of_the_exact_matrices(void **state)
{
    (void)state;
    static const char *const which[][2] = {
        {"S4", "cube"}, {"D3", "planar"}, {"A4", "quaternion"}, {"D5", "quaternion"}};
    for (size_t i = 0; i < sizeof which / sizeof *which; i++) {
        ckda_construction_t c;
        ckda_system_t sys;
        open_system(sys, c, which[i][0], which[i][1]);
        compare_with_plain(sys);
        ckda_system_clear(sys);
        ckda_construct_clear(c);
    }
}

static void
affine_system_with_offsets_agrees_with_exact_matrices(void **state)
{
    (void)state;
    small_system s;
    small_open(&s, 2, 1, (const slong[]){5, 0});
    small_letter(&s, (const slong[]){0, -1, 1, 0}, 1,
                 (const slong[]){1, 0}); /* turn, shift */
    small_letter(&s, (const slong[]){0, 0, 0, 0}, 1, (const slong[]){3, 7}); /* reset */
    compare_with_plain(s.sys);
    small_close(&s);
}

static void
one_and_more_primes_agree(void **state)
{
    (void)state;
    ckda_construction_t c;
    ckda_system_t sys;
    ckda_reach_t a, b;
    open_system(sys, c, "S4", "quaternion");
    for (uint32_t k = 2; k <= 3; k++) {
        run_reach(a, sys, NULL, CKDA_REACH_KEEP_GRAPH);
        assert_int_equal(
            ckda_reach_run_from(b, sys, NULL, CKDA_REACH_KEEP_GRAPH, k, NULL), CKDA_OK);
        assert_int_equal(a->primes, 1);
        assert_int_equal(b->primes, k);
        assert_int_equal(a->states, b->states);
        assert_memory_equal(a->next, b->next, a->edges * sizeof *a->next);
        assert_memory_equal(a->label, b->label, a->states * sizeof *a->label);
        assert_memory_equal(a->parent, b->parent, a->states * sizeof *a->parent);
        assert_memory_equal(a->via, b->via, a->states * sizeof *a->via);
        ckda_reach_clear(a);
        ckda_reach_clear(b);
    }
    ckda_system_clear(sys);
    ckda_construct_clear(c);
}

/* ---- read-outs --------------------------------------------------------------------- */

static void
read_out_is_right_on_every_state(void **state)
{
    (void)state;
    for (size_t i = 0; i < EXPECTED; i++) {
        ckda_construction_t c;
        ckda_system_t sys;
        ckda_reach_t r;
        ckda_error err = {{0}};
        uint64_t checked = 0;
        char *how = NULL;
        open_system(sys, c, expected[i].system, expected[i].construction);
        run_reach(r, sys, NULL, CKDA_REACH_KEEP_GRAPH);
        if (ckda_reach_check_decoder(&checked, &how, r, sys, c, &err) != CKDA_TRUE)
            fail_msg("%s %s: %s", expected[i].system, expected[i].construction, err.text);
        assert_int_equal(checked, r->states);
        expect_text(how, " > (2BD)^d = ");
        flint_free(how);
        ckda_reach_clear(r);
        ckda_system_clear(sys);
        ckda_construct_clear(c);
    }
}

/* The images of the read-out against the exact read-out of exact states. */
static void
read_out_agrees_with_exact_matrices(void **state)
{
    (void)state;
    ckda_construction_t c;
    ckda_system_t sys;
    ckda_reach_t r;
    ckda_mat_t S, R;
    open_system(sys, c, "A4", "quaternion");
    run_reach(r, sys, NULL, CKDA_REACH_KEEP_GRAPH);
    ckda_mat_init(S, 4, 4, c->K);
    ckda_mat_init(R, 3, 3, c->K);
    for (uint64_t i = 0; i < r->states; i++) {
        assert_int_equal(ckda_reach_state(S, r, sys, i), CKDA_OK);
        assert_int_equal(ckda_quaternion_decode(R, S, c->K), CKDA_OK);
        assert_true(ckda_mat_equal(NULL, R, c->rotation + r->label[i], c->K));
    }
    ckda_mat_clear(S, c->K);
    ckda_mat_clear(R, c->K);
    ckda_reach_clear(r);
    ckda_system_clear(sys);
    ckda_construct_clear(c);
}

static void
wrong_label_is_found_by_the_read_out(void **state)
{
    (void)state;
    static const char *const which[][2] = {{"A5", "quaternion"}, {"S4", "cube"}};
    for (int i = 0; i < 2; i++) {
        ckda_construction_t c;
        ckda_system_t sys;
        ckda_reach_t r;
        ckda_error err = {{0}};
        uint64_t checked = 0;
        open_system(sys, c, which[i][0], which[i][1]);
        run_reach(r, sys, NULL, CKDA_REACH_KEEP_GRAPH);
        r->label[17] = (r->label[17] + 1) % c->G->order;
        assert_true(ckda_reach_check_decoder(&checked, NULL, r, sys, c, &err)
                    == CKDA_FALSE);
        expect_text(err.text, "state 17:");
        assert_int_equal(checked, 18);
        ckda_reach_clear(r);
        ckda_system_clear(sys);
        ckda_construct_clear(c);
    }
}

static void
constructions_without_a_read_out_are_unknown(void **state)
{
    (void)state;
    ckda_construction_t c;
    ckda_system_t sys;
    ckda_reach_t r;
    ckda_error err;
    uint64_t checked = 77;
    open_system(sys, c, "Z5", NULL);
    run_reach(r, sys, NULL, CKDA_REACH_KEEP_GRAPH);
    c->decoder = CKDA_DECODE_WORD;
    assert_true(ckda_reach_check_decoder(&checked, NULL, r, sys, c, &err)
                == CKDA_UNKNOWN);
    assert_int_equal(checked, 77);
    ckda_reach_clear(r);
    ckda_system_clear(sys);
    ckda_construct_clear(c);
}

/* ---- inconsistent decoders -------------------------------------------------------- */

/* Every letter of A_5 but two keeps its element: some edge must disagree, and the one
 * that is reported really does. */
static void
wrong_letter_is_reported_with_its_edge(void **state)
{
    (void)state;
    ckda_construction_t c;
    ckda_system_t sys;
    ckda_reach_t r;
    open_system(sys, c, "A5", NULL);
    uint32_t element[60];
    memcpy(element, sys->letter_element, sizeof element);
    element[3] = 7;
    element[7] = 3;
    const uint32_t *own = sys->letter_element;
    sys->letter_element = element;
    run_reach(r, sys, NULL, CKDA_REACH_KEEP_GRAPH);
    assert_true(r->finite == CKDA_TRUE);
    assert_true(r->decoder_consistent == CKDA_FALSE);
    const uint32_t to = r->next[r->bad_state * 60 + r->bad_letter];
    assert_int_equal(r->bad_got, r->label[to]);
    assert_int_equal(r->bad_want, ckda_group_mul(c->G, element[r->bad_letter],
                                                 r->label[r->bad_state]));
    assert_true(r->bad_got != r->bad_want);
    sys->letter_element = own;
    ckda_reach_clear(r);
    ckda_system_clear(sys);
    ckda_construct_clear(c);
}

/* Part B, C-12: the state S q for a fixed vector q.  (1,2,2,4) separates all 7200 states;
 * (1,1,1,5) has a stabiliser of order 3 and cannot be decoded. */
static void
vector_states_decode_only_for_a_good_query(void **state)
{
    (void)state;
    static const struct {
        slong q[4];
        uint64_t states;
        ckda_truth consistent;
    } want[] = {{{1, 2, 2, 4}, 7200, CKDA_TRUE},
                {{1, 2, 4, 10}, 7200, CKDA_TRUE},
                {{1, 1, 1, 5}, 2400, CKDA_FALSE},
                {{1, 4, 4, 4}, 2400, CKDA_FALSE}};
    ckda_construction_t c;
    ckda_system_t sys;
    open_system(sys, c, "A5", NULL);
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        ckda_reach_t r;
        ckda_mat_clear(sys->initial, c->K);
        ckda_mat_init(sys->initial, 4, 1, c->K);
        ckda_mat_set_si(sys->initial, want[i].q, 1, c->K);
        run_reach(r, sys, NULL, 0);
        assert_true(r->finite == CKDA_TRUE);
        assert_int_equal(r->states, want[i].states);
        assert_true(r->decoder_consistent == want[i].consistent);
        ckda_reach_clear(r);
    }
    ckda_system_clear(sys);
    ckda_construct_clear(c);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reachable_sets_have_the_known_sizes),
        cmocka_unit_test(certificate_shows_its_figures),
        cmocka_unit_test(graph_is_that_of_the_exact_matrices),
        cmocka_unit_test(affine_system_with_offsets_agrees_with_exact_matrices),
        cmocka_unit_test(one_and_more_primes_agree),
        cmocka_unit_test(read_out_is_right_on_every_state),
        cmocka_unit_test(read_out_agrees_with_exact_matrices),
        cmocka_unit_test(wrong_label_is_found_by_the_read_out),
        cmocka_unit_test(constructions_without_a_read_out_are_unknown),
        cmocka_unit_test(wrong_letter_is_reported_with_its_edge),
        cmocka_unit_test(vector_states_decode_only_for_a_good_query),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
