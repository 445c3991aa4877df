/* What is found becomes a network: the shortest series a layer for each factor, several heads
 * a layer with a joint decoder.  Each is closed over all words. */
#include <string.h>

#include "groups.h"

#include "ckda/net.h"
#include "ckda/rand.h"

static uint32_t *
all_letters(const ckda_group_t G)
{
    uint32_t *letter = flint_malloc(G->order * sizeof *letter);
    for (uint32_t g = 0; g < G->order; g++)
        letter[g] = g;
    return letter;
}

/* Random words beside products of permutations; then all words.  net is closed. */
static void
right(ckda_net *net, uint64_t states)
{
    const ckda_group_struct *G = ckda_net_group(net);
    ckda_net_run *run = ckda_net_run_open(net);
    ckda_net_closure c;
    ckda_perm p, q;
    ckda_rand r;
    ckda_rand_init(&r, 7);
    ckda_perm_one(&p, G->degree);
    for (int i = 0; i < 100; i++) {
        const uint32_t x = (uint32_t)ckda_rand_below(&r, ckda_net_letters(net));
        ckda_net_run_step(run, x, NULL);
        ckda_perm_mul(&q, &G->element[x], &p);
        p = q;
        assert_true(ckda_net_run_output(run)->valid);
        assert_int_equal(ckda_net_run_output(run)->index, ckda_group_find(G, &p));
    }
    ckda_net_run_close(&run);
    ckda_net_explore(&c, net, NULL);
    assert_int_equal(c.right, CKDA_TRUE);
    assert_int_equal(c.states, states);
    assert_int_equal(c.edges, states * G->order);
    ckda_net_closure_clear(&c);
    ckda_net_close(&net);
}

/* G is consumed. */
static void
along_its_series(ckda_group_t G, uint32_t layers, uint64_t states)
{
    ckda_series_t s;
    ckda_net *net = NULL;
    ckda_error err;
    const bool *chain[16];
    uint32_t *letter = all_letters(G);
    ckda_series_find(s, G, CKDA_SERIES_MAX_ORDER);
    assert_int_equal(s->exists, CKDA_TRUE);
    assert_int_equal(s->nlayers, layers);
    for (uint32_t i = 1; i < s->nlayers; i++)
        chain[i - 1] = s->layer[i].in;
    if (ckda_net_compile_series(&net, G, letter, NULL, G->order, chain, s->nlayers - 1,
                                &err)
        != CKDA_OK)
        fail_msg("%s", err.text);
    assert_int_equal(ckda_net_layers(net), layers);
    right(net, states);
    ckda_series_clear(s);
    flint_free(letter);
}

static void
abelian_groups(void **state)
{
    (void)state;
    ckda_group_t G;
    elementary(G, 3, 3);
    along_its_series(G, 3, 27);
    elementary(G, 2, 5);
    along_its_series(G, 3, 32);
    elementary(G, 2, 7); /* too many normal subgroups to look for a shorter one */
    along_its_series(G, 7, 128);
    elementary(G, 5, 2);
    along_its_series(G, 2, 25);
}

static void
groups_of_order_16_and_32(void **state)
{
    (void)state;
    ckda_group_t G;
    metacyclic(G, 4, 4, 3, 0);
    along_its_series(G, 2, 16);
    dicyclic(G, 4);
    along_its_series(G, 2, 16);
    metacyclic(G, 8, 4, 5, 0);
    along_its_series(G, 2, 32);
    dicyclic(G, 8);
    along_its_series(G, 2, 32);
}

static void
groups_of_order_48(void **state)
{
    (void)state;
    const int M[3][4] = {{1, 1, 0, 1}, {1, 0, 1, 1}, {1, 0, 0, 2}};
    ckda_group_t G;
    matrices2(G, 3, M, 3);
    assert_int_equal(G->order, 48);
    along_its_series(G, 2, 48);
    product(G, "A4", "D2");
    along_its_series(G, 2, 48);
}

/* A5 as a factor has 7200 states where 60 would do. */
static void
a_product_with_a5(void **state)
{
    (void)state;
    ckda_group_t G;
    product(G, "A5", "Z2");
    ckda_series_t s;
    ckda_series_find(s, G, CKDA_SERIES_MAX_ORDER);
    assert_int_equal(s->nlayers, 2);
    ckda_net *net = NULL;
    const bool *chain[] = {s->layer[1].in};
    uint32_t *letter = all_letters(G);
    assert_int_equal(ckda_net_compile_series(&net, G, letter, NULL, 3, chain, 1, NULL),
                     CKDA_OK);
    assert_int_equal(ckda_net_letters(net), 3);
    ckda_net_close(&net);
    flint_free(letter);
    ckda_series_clear(s);
}

/* The flags are those of the subgroup that the generators name. */
static void
a_layer_knows_its_subgroup(void **state)
{
    (void)state;
    ckda_group_t G, H;
    ckda_series_t s;
    elementary(G, 3, 3);
    ckda_series_find(s, G, CKDA_SERIES_MAX_ORDER);
    for (uint32_t i = 0; i < s->nlayers; i++) {
        ckda_group_init_subgroup(H, "layer", G, s->layer[i].in);
        assert_int_equal(H->order, s->layer[i].above);
        for (uint32_t j = 0; j < s->layer[i].ngen; j++)
            assert_true(s->layer[i].in[s->layer[i].generator[j]]);
        ckda_group_clear(H);
    }
    ckda_series_clear(s);
    ckda_group_clear(G);
}

/* ---- several heads ------------------------------------------------------------------- */

typedef struct {
    ckda_heads_t heads;
    ckda_trans_struct *trans; /* heads one after the other; borrowed entries */
    ckda_mat_struct *linear;  /* blocks */
    ckda_system_t sys;
    uint32_t *letter;
    ckda_reach_t r;
} joint;

/* The letters of all heads together, as blocks. */
static void
joint_letter(ckda_mat_t A, const ckda_heads_t heads, uint32_t g)
{
    slong n = 0, at = 0;
    for (uint32_t h = 0; h < heads->nheads; h++)
        n += heads->head[h].trans[g].n;
    ckda_mat_init(A, n, n, heads->K);
    for (uint32_t h = 0; h < heads->nheads; h++) {
        const ckda_trans_struct *t = &heads->head[h].trans[g];
        ckda_mat_t B;
        ckda_mat_init(B, t->n, t->n, heads->K);
        assert_int_equal(ckda_trans_matrix(B, t, heads->K), CKDA_OK);
        for (slong i = 0; i < t->n; i++)
            for (slong j = 0; j < t->n; j++)
                ckda_elem_set(ckda_mat_entry(A, at + i, at + j), ckda_mat_entry(B, i, j),
                              heads->K);
        ckda_mat_clear(B, heads->K);
        at += t->n;
    }
}

static void
joint_init(joint *J, const ckda_group_t G, const ckda_limits *limits)
{
    assert_int_equal(ckda_heads_find(J->heads, G, NULL), CKDA_OK);
    const uint32_t nheads = J->heads->nheads;
    J->letter = all_letters(G);
    J->trans = flint_malloc((size_t)nheads * G->order * sizeof *J->trans);
    J->linear = flint_malloc(G->order * sizeof *J->linear);
    for (uint32_t h = 0; h < nheads; h++)
        for (uint32_t g = 0; g < G->order; g++)
            J->trans[(size_t)h * G->order + g] = J->heads->head[h].trans[g];
    for (uint32_t g = 0; g < G->order; g++)
        joint_letter(J->linear + g, J->heads, g);
    *J->sys = (ckda_system_struct){.K = J->heads->K,
                                   .nletters = G->order,
                                   .linear = J->linear,
                                   .G = G,
                                   .letter_element = J->letter};
    const slong n = J->linear->rows;
    ckda_mat_init(J->sys->initial, n, n, J->heads->K);
    assert_int_equal(ckda_mat_one(J->sys->initial, J->heads->K), CKDA_OK);
    assert_int_equal(ckda_reach_run(J->r, J->sys, limits, CKDA_REACH_KEEP_GRAPH, NULL),
                     CKDA_OK);
}

static void
joint_clear(joint *J)
{
    const ckda_field_struct *K = J->heads->K;
    ckda_reach_clear(J->r);
    for (uint32_t g = 0; g < J->sys->nletters; g++)
        ckda_mat_clear(J->linear + g, K);
    ckda_mat_clear(J->sys->initial, K);
    flint_free(J->linear);
    flint_free(J->trans);
    flint_free(J->letter);
    ckda_heads_clear(J->heads);
}

static void
heads_together(ckda_group_t G, uint32_t nheads, uint64_t states)
{
    joint J;
    ckda_net *net = NULL;
    ckda_error err;
    joint_init(&J, G, NULL);
    assert_int_equal(J.heads->nheads, nheads);
    const uint32_t order = G->order;
    if (ckda_net_heads_net(&net, G, J.letter, NULL, order, J.trans, nheads, J.heads->K,
                           J.r, &err)
        != CKDA_OK)
        fail_msg("%s", err.text);
    assert_int_equal(ckda_net_layers(net), 1);
    assert_int_equal(ckda_net_heads(net), nheads);
    /* as a document, too */
    json_t *tree = ckda_net_json(net), *again;
    ckda_doc *doc = ckda_doc_wrap(tree, "net.json");
    const ckda_node root = ckda_doc_root(doc);
    ckda_net *copy = NULL;
    if (ckda_net_read(&copy, &root, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    again = ckda_net_json(copy);
    assert_true(json_equal(tree, again));
    json_decref(again);
    ckda_doc_close(&doc);
    json_decref(tree);
    right(net, states);
    right(copy, states);
    joint_clear(&J);
}

static void
quaternions_in_two_heads(void **state)
{
    (void)state;
    ckda_group_t G;
    dicyclic(G, 2);
    heads_together(G, 2, 16);
}

static void
quotients_in_several_heads(void **state)
{
    (void)state;
    ckda_group_t G;
    elementary(G, 3, 2);
    heads_together(G, 2, 9);
    elementary(G, 3, 3);
    heads_together(G, 3, 27);
    product(G, "S4", "Z3");
    heads_together(G, 2, 72);
}

/* A reader without an entry, a state that is named twice: refused, each at its place. */
static void
damaged_decoders_are_refused(void **state)
{
    (void)state;
    ckda_group_t G;
    joint J;
    ckda_net *net = NULL, *copy = NULL;
    dicyclic(G, 2);
    joint_init(&J, G, NULL);
    assert_int_equal(
        ckda_net_heads_net(&net, G, J.letter, NULL, 8, J.trans, 2, J.heads->K, J.r, NULL),
        CKDA_OK);
    for (int kind = 0; kind < 4; kind++) {
        static const char *const why[] = {"entries of the readers' tables",
                                          "different states", "readers: expected a list",
                                          "elements: expected a list of 16"};
        ckda_error err;
        json_t *tree = ckda_net_json(net), *d = json_object_get(tree, "decoder"),
               *states = json_object_get(d, "states"), *first = json_array_get(states, 0);
        if (kind == 0)
            json_array_set_new(first, 0, json_integer(99));
        if (kind == 1)
            json_array_set(states, 1, first);
        if (kind == 2)
            json_array_remove(json_object_get(d, "readers"), 0);
        if (kind == 3)
            json_array_remove(json_object_get(d, "elements"), 0);
        ckda_doc *doc = ckda_doc_wrap(tree, "net.json");
        const ckda_node root = ckda_doc_root(doc);
        ckda_error_clear(&err);
        assert_int_equal(ckda_net_read(&copy, &root, &err), CKDA_E_INPUT);
        assert_null(copy);
        if (strstr(err.text, why[kind]) == NULL)
            fail_msg("%s instead of %s", err.text, why[kind]);
        ckda_doc_close(&doc);
        json_decref(tree);
    }
    ckda_net_close(&net);
    joint_clear(&J);
}

/* Two elements exchanged in the table: some word is decoded wrongly, and found. */
static void
a_wrong_table_is_refuted(void **state)
{
    (void)state;
    ckda_group_t G;
    joint J;
    ckda_net *net = NULL, *copy = NULL;
    ckda_net_closure c;
    dicyclic(G, 2);
    joint_init(&J, G, NULL);
    assert_int_equal(
        ckda_net_heads_net(&net, G, J.letter, NULL, 8, J.trans, 2, J.heads->K, J.r, NULL),
        CKDA_OK);
    json_t *tree = ckda_net_json(net),
           *list = json_object_get(json_object_get(tree, "decoder"), "elements"),
           *first = json_incref(json_array_get(list, 0));
    json_array_set(list, 0, json_array_get(list, 1));
    json_array_set_new(list, 1, first);
    ckda_doc *doc = ckda_doc_wrap(tree, "net.json");
    const ckda_node root = ckda_doc_root(doc);
    assert_int_equal(ckda_net_read(&copy, &root, NULL), CKDA_OK);
    ckda_doc_close(&doc);
    json_decref(tree);
    ckda_net_explore(&c, copy, NULL);
    assert_int_equal(c.right, CKDA_FALSE);
    ckda_net_closure_clear(&c);
    ckda_net_close(&copy);
    ckda_net_close(&net);
    joint_clear(&J);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(abelian_groups),
        cmocka_unit_test(groups_of_order_16_and_32),
        cmocka_unit_test(groups_of_order_48),
        cmocka_unit_test(a_product_with_a5),
        cmocka_unit_test(a_layer_knows_its_subgroup),
        cmocka_unit_test(quaternions_in_two_heads),
        cmocka_unit_test(quotients_in_several_heads),
        cmocka_unit_test(damaged_decoders_are_refused),
        cmocka_unit_test(a_wrong_table_is_refuted),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
