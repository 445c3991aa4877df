/* The kinds beside closures: steps, read-outs, products, networks, words that fail. */
#include "fixture.h"

static const ckda_cert_about none = {NULL, NULL, NULL, NULL};

static ckda_cert_writer *
open_writer(char name[256])
{
    ckda_cert_writer *w;
    ckda_error err;
    temporary_name(name);
    if (ckda_cert_open(&w, name, 1, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    return w;
}

static char *
close_writer(ckda_cert_writer *w, const char *name)
{
    ckda_error err;
    if (ckda_cert_close(&w, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    char *text = read_all(name);
    unlink(name);
    return text;
}

/* ---- letters as steps, and read-outs ------------------------------------------------- */

static char *
construction_text(const char *system, const char *construction)
{
    static const ckda_limits limits = {.max_states = 2000};
    char name[256];
    ckda_construction_t c;
    ckda_system_t sys;
    ckda_reach_t r;
    ckda_error err;
    if (ckda_construct(c, system, construction, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    ckda_system_init_construct(sys, c);
    if (ckda_reach_run(r, sys, &limits, CKDA_REACH_KEEP_GRAPH, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    ckda_cert_writer *w = open_writer(name);
    if (ckda_cert_add_construction(w, &none, c, sys, r, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    ckda_reach_clear(r);
    ckda_system_clear(sys);
    ckda_construct_clear(c);
    return close_writer(w, name);
}

static void
letters_are_products_of_steps(void **state)
{
    static const char *const named[][2] = {{"Z5", "planar"},     {"D4", "planar"},
                                           {"S4", "cube"},       {"D3", "quaternion"},
                                           {"A4", "quaternion"}, {"S4", "householder"},
                                           {"Z6", "dyadic"}};
    (void)state;
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        char *text = construction_text(named[i][0], named[i][1]);
        assert_non_null(strstr(text, "\"steps\":["));
        expect_verified(text);
        free(text);
    }
}

static void
a_letter_of_other_steps_is_refused(void **state)
{
    (void)state;
    char *text = construction_text("D3", "householder");
    expect_change_refused(text, "\"num\":[1,1,-1,0,1,1,1]", "\"num\":[1,1,0,-1,1,1,1]",
                          "steps: their product is another matrix");
    expect_change_refused(text, "\"num\":[1,1,-1,0,1,1,1]", "\"num\":[2,1,-1,0,1,1,1]",
                          "steps: beta is outside its range");
    expect_change_refused(text, "\"num\":[1,1,-1,0,1,1,1]", "\"num\":[1,1,-1,0,1,1,2]",
                          "steps: gate 2 is outside its range");
    expect_change_refused(text, "\"num\":[1,1,-1,0,1,1,1]", "\"num\":[1,1,-1,0,1,1]",
                          "num: expected 7 items, found 6");
    free(text);
}

static void
rotations_are_read_out_of_quaternion_states(void **state)
{
    (void)state;
    char *text = construction_text("D3", "quaternion");
    char said[512] = "", reason[512];
    FILE *in = fmemopen(text, strlen(text), "rb"),
         *out = fmemopen(said, sizeof said, "w");
    assert_int_equal(recheck_stream(in, out, reason), VERIFIED);
    fclose(in);
    fclose(out);
    assert_non_null(strstr(said, "every label right; every label read out; letters are "
                                 "products of steps"));
    expect_change_refused(text, "\"row\":[0,1,0,5]", "\"row\":[0,0,0,5]",
                          "another value than that of its label is read out");
    expect_change_refused(text, "\"row\":[0,1,0,5]", "\"row\":[9,1,0,5]",
                          "row: no such value");
    expect_change_refused(text, "\"row\":[0,1,0,5]", "\"row\":[0,1,0,16]",
                          "row: expected 0 to 15, found 16");
    expect_change_refused(text, "\"terms\":36", "\"terms\":35", "\"state\" is missing");
    free(text);
}

/* ---- products ------------------------------------------------------------------------- */

static char *
map_text(const slong *image, slong n, ckda_factor_scheme scheme)
{
    char name[256];
    ckda_field_t Q;
    ckda_mat_t M;
    ckda_factors_t f;
    ckda_field_init_rational(Q);
    ckda_mat_init(M, n, n, Q);
    ckda_factors_init(f, n, Q);
    assert_int_equal(ckda_mat_set_map(M, image, n, Q), CKDA_OK);
    assert_int_equal(ckda_factor_map(f, image, scheme, Q), CKDA_OK);
    ckda_cert_writer *w = open_writer(name);
    ckda_cert_add_factors(w, &none, M, f, 1, Q);
    ckda_factors_clear(f, Q);
    ckda_mat_clear(M, Q);
    ckda_field_clear(Q);
    return close_writer(w, name);
}

static void
factors_of_maps_are_multiplied_out(void **state)
{
    const slong maps[][4] = {{0, 1, 2, 3}, {1, 2, 3, 0}, {0, 0, 0, 0}, {2, 2, 1, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        for (int s = 0; s < 2; s++) {
            char *text = map_text(maps[i], 4, s ? CKDA_FACTOR_SHORT : CKDA_FACTOR_PAPER);
            expect_verified(text);
            free(text);
        }
}

static void
wrong_factors_are_refused(void **state)
{
    const slong swap[] = {1, 0}, merge[] = {0, 0};
    (void)state;
    char *text = map_text(swap, 2, CKDA_FACTOR_PAPER);
    expect_change_refused(text, "\"linear\":{\"den\":1,\"num\":[0,1,1,0]}",
                          "\"linear\":{\"den\":1,\"num\":[1,0,0,1]}",
                          "steps: their product is another matrix");
    expect_change_refused(text, "\"steps\":[", "\"stops\":[", "\"steps\" is missing");
    expect_change_refused(text, "\"top\":2", "\"top\":3",
                          "top: expected 1 to 2, found 3");
    expect_change_refused(text, "\"beta\":[\"0\",\"2\"]", "\"beta\":[\"0\",\"1\"]",
                          "steps: beta is outside its range");
    expect_change_refused(text, "\"beta\":[\"0\",\"2\"]", "\"beta\":[\"0\",\"2.0\"]",
                          "beta: expected a fraction p/q");
    free(text);
    text = map_text(merge, 2, CKDA_FACTOR_PAPER);
    expect_change_refused(text, "\"beta\":[\"0\",\"3\"]", "\"beta\":[\"0\",\"2\"]",
                          "steps: beta is outside its range");
    free(text);
}

static void
scratch_coordinates_do_not_matter(void **state)
{
    char name[256];
    ckda_field_t Q;
    ckda_mat_t M;
    ckda_factors_t f;
    const slong entries[] = {2, -3, 0, 1};
    (void)state;
    ckda_field_init_rational(Q);
    ckda_mat_init(M, 2, 2, Q);
    ckda_mat_set_si(M, entries, 3, Q);
    for (int s = 0; s < 2; s++) {
        const ckda_factor_scheme scheme = s ? CKDA_FACTOR_SHORT : CKDA_FACTOR_PAPER;
        ckda_factors_init(f, s ? 4 : 5, Q);
        assert_int_equal(ckda_factor_rational(f, M, scheme, Q), CKDA_OK);
        ckda_cert_writer *w = open_writer(name);
        ckda_cert_add_factors(w, &none, M, f, 1, Q);
        char *text = close_writer(w, name);
        assert_non_null(strstr(text, "\"top\":2"));
        expect_verified(text);
        free(text);
        ckda_factors_clear(f, Q);
    }
    ckda_mat_clear(M, Q);
    ckda_field_clear(Q);
}

static void
decompositions_are_reflections_times_signs(void **state)
{
    char name[256];
    ckda_rand random;
    ckda_error err;
    (void)state;
    ckda_rand_init(&random, 7);
    for (int i = 0; i < 12; i++) {
        ckda_field_t K;
        ckda_dpr1_t d;
        ckda_decomposition_t dec;
        if (i % 2)
            ckda_field_init_cos(K, 5);
        else
            ckda_field_init_rational(K);
        ckda_dpr1_init(d, 2 + i % 4, K);
        ckda_gen_thm1(d, &random, 5, K);
        ckda_decomposition_init(dec, K);
        assert_int_equal(ckda_decompose_dpr1(dec, d, K), CKDA_OK);
        ckda_cert_writer *w = open_writer(name);
        assert_int_equal(ckda_cert_add_decomposition(w, &none, dec, K, &err), CKDA_OK);
        char *text = close_writer(w, name);
        expect_verified(text);
        expect_change_refused(text, "\"beta\":[\"2\",\"2\"]", "\"beta\":[\"0\",\"1\"]",
                              "steps: beta is outside its range");
        free(text);
        ckda_decomposition_clear(dec, K);
        ckda_dpr1_clear(d, K);
        ckda_field_clear(K);
    }
}

static void
an_undone_decomposition_has_no_certificate(void **state)
{
    char name[256];
    ckda_field_t Q;
    ckda_decomposition_t dec;
    ckda_error err;
    (void)state;
    ckda_field_init_rational(Q);
    ckda_decomposition_init(dec, Q);
    ckda_cert_writer *w = open_writer(name);
    assert_int_equal(ckda_cert_add_decomposition(w, &none, dec, Q, &err), CKDA_E_DOMAIN);
    ckda_cert_abandon(&w);
    ckda_decomposition_clear(dec, Q);
    ckda_field_clear(Q);
}

/* ---- networks -------------------------------------------------------------------------- */

static char *
net_text(ckda_net *net)
{
    char name[256];
    ckda_net_closure c;
    ckda_error err;
    ckda_net_graph *g = ckda_net_explore_graph(&c, net, NULL);
    assert_non_null(g);
    ckda_cert_writer *w = open_writer(name);
    if (ckda_cert_add_network(w, &none, net, g, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    ckda_net_graph_close(&g);
    ckda_net_closure_clear(&c);
    ckda_net_close(&net);
    return close_writer(w, name);
}

static char *
group_net_text(const char *system, ckda_net_method method)
{
    const ckda_net_options o = {.method = method};
    ckda_group_t G;
    ckda_net *net;
    ckda_error err;
    uint32_t letters[2];
    if (ckda_group_init_named(G, system, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    letters[0] = G->generator[0];
    letters[1] = G->generator[G->ngen - 1];
    if (ckda_net_compile_group(&net, G, letters, NULL, 2, &o, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    return net_text(net);
}

static void
networks_of_groups_are_run_again_on_every_edge(void **state)
{
    (void)state;
    char *texts[] = {group_net_text("S3", CKDA_NET_THREE),
                     group_net_text("Z3", CKDA_NET_WINDOW),
                     group_net_text("S5", CKDA_NET_SMALL)};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        expect_verified(texts[i]);
        free(texts[i]);
    }
}

static char *
dfa_net_text(void)
{
    static const uint32_t next[] = {1, 1, 0, 0, 0, 1}; /* set, reset, keep */
    const ckda_net_options o = {.method = CKDA_NET_THREE};
    ckda_dfa_t A;
    ckda_net *net;
    ckda_error err;
    ckda_dfa_init(A, 2, 3);
    A->start = 1;
    memcpy(A->next, next, sizeof next);
    if (ckda_net_compile_dfa(&net, A, &o, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    ckda_dfa_clear(A);
    return net_text(net);
}

static void
networks_of_automata_are_run_again(void **state)
{
    (void)state;
    char *text = dfa_net_text();
    expect_verified(text);
    expect_change_refused(text, "\"start\":1", "\"start\":0",
                          "the label of state 0 is not the start of the automaton");
    expect_change_refused(text, "\"image\":[1,1]", "\"image\":[0,1]",
                          "is not the letter times the label");
    free(text);
}

static void
a_wrong_network_is_refused(void **state)
{
    (void)state;
    char *text = group_net_text("Z3", CKDA_NET_WINDOW);
    expect_change_refused(text, "\"table\":0,\"row\":[0,0,0,0,0]",
                          "\"table\":0,\"row\":[0,0,0,0,1]", "state ");
    expect_change_refused(text, "\"table\":0,\"row\":[0,0,0,0,0]",
                          "\"table\":0,\"row\":[0,0,0,0,9]",
                          "row: there is no such step");
    expect_change_refused(text, "\"table\":0,\"row\":[0,0,0,0,0]",
                          "\"table\":0,\"row\":[0,1,0,0,0]", "keys of rows");
    expect_change_refused(text, "\"layers\":[2,1]", "\"layers\":[2,15]",
                          "layers: expected 1 to 14, found 15");
    expect_change_refused(text, "\"query\":{\"den\":1,\"num\":[1]}",
                          "\"query\":{\"den\":1,\"num\":[2]}",
                          "an output that is not listed");
    expect_change_refused(text, "\"output\":1,", "\"output\":2,",
                          "output: expected number 1, found 2");
    free(text);
}

/* ---- words that fail --------------------------------------------------------------------- */

static char *
failing_text(const char *system, const char *construction, const ckda_arith *a,
             ckda_allwords_failure *failure)
{
    char name[256];
    static const ckda_allwords_options options = {.methods = CKDA_ALLWORDS_PRODUCT,
                                                  .threads = 1};
    ckda_tracker_t t;
    ckda_rounded_t R;
    ckda_allwords_t r;
    ckda_error err;
    if (ckda_tracker_init(t, system, construction, NULL, &err) != CKDA_OK
        || ckda_rounded_init(R, t, a, &err) != CKDA_OK
        || ckda_allwords_run(r, R, t, &options, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    assert_int_equal(r->verdict, CKDA_ALLWORDS_FAILS);
    *failure = r->failure;
    ckda_cert_writer *w = open_writer(name);
    if (ckda_cert_add_failing(w, &none, R, t, r, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    ckda_allwords_clear(r);
    ckda_rounded_clear(R);
    ckda_tracker_clear(t);
    return close_writer(w, name);
}

static void
failing_words_are_replayed(void **state)
{
    static const struct {
        const char *system;
        int grid;
    } cases[] = {{"Z5", 1}, {"Z5", 5}, {"D3", 1}, {"D5", 2}, {"Z7", 3}, {"Z12", 1}};
    int seen[3] = {0, 0, 0};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ckda_arith a = ckda_arith_default;
        ckda_allwords_failure failure;
        a.grid = cases[i].grid;
        char *text = failing_text(cases[i].system, "planar", &a, &failure);
        seen[failure]++;
        expect_verified(text);
        if (failure == CKDA_ALLWORDS_COLLISION)
            expect_change_refused(text, "\"other\":[]", "\"other\":[3]",
                                  "the words lead to different bits");
        else
            expect_change_refused(text, "\"nearest\":", "\"nearest\":99",
                                  "nearest: expected 0 to");
        free(text);
    }
    assert_true(seen[CKDA_ALLWORDS_DECODE] > 0 && seen[CKDA_ALLWORDS_COLLISION] > 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_are_products_of_steps),
        cmocka_unit_test(a_letter_of_other_steps_is_refused),
        cmocka_unit_test(rotations_are_read_out_of_quaternion_states),
        cmocka_unit_test(factors_of_maps_are_multiplied_out),
        cmocka_unit_test(wrong_factors_are_refused),
        cmocka_unit_test(scratch_coordinates_do_not_matter),
        cmocka_unit_test(decompositions_are_reflections_times_signs),
        cmocka_unit_test(an_undone_decomposition_has_no_certificate),
        cmocka_unit_test(networks_of_groups_are_run_again_on_every_edge),
        cmocka_unit_test(networks_of_automata_are_run_again),
        cmocka_unit_test(a_wrong_network_is_refused),
        cmocka_unit_test(failing_words_are_replayed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
