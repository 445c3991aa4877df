/* Heads from transitions that were chosen elsewhere: the decoder of their joint states, its
 * document, tables that no document holds. */
#include <string.h>
#include "ckda/subgroup.h"
#include "nets.h"

/* Z2 by a reflection whose key is (1, 2^(1/3)): a field that no square root and no cosine
 * generates. */
static void
construct_cubic(ckda_construction_t c)
{
    ckda_group_t G;
    ckda_field_t K;
    qqbar_t x;
    ckda_trans_struct *trans = flint_malloc(2 * sizeof *trans);
    qqbar_init(x);
    assert_int_equal(ckda_number_parse(x, "root(x^3-2, 1.26)", NULL), CKDA_OK);
    assert_int_equal(ckda_field_init_qqbar(K, x), CKDA_OK);
    qqbar_clear(x);
    assert_int_equal(ckda_group_init_named(G, "Z2", NULL), CKDA_OK);
    for (uint32_t g = 0; g < 2; g++) {
        ckda_trans_init(trans + g, CKDA_CKDA, 2, 1, K);
        ckda_elem_set_si(trans[g].beta, g == 0 ? 0 : 2, K);
        ckda_elem_one(trans[g].key, K);
        assert_int_equal(ckda_elem_set_str(trans[g].key + 1, "a", K, NULL), CKDA_OK);
        ckda_elem_one(trans[g].gate, K);
        ckda_elem_one(trans[g].gate + 1, K);
    }
    assert_int_equal(
        ckda_construct_given(c, "given", G, K, trans, CKDA_DECODE_STATE, NULL), CKDA_OK);
}

typedef struct {
    ckda_construction_t c;
    ckda_reach_t graph;
    ckda_trans_struct trans[4]; /* two heads; borrows from c */
    ckda_group_t G;
} given;

static const uint32_t both_letters[] = {0, 1};

static void
given_init(given *x)
{
    static const ckda_limits none = {0};
    ckda_system_t sys;
    construct_cubic(x->c);
    ckda_system_init_construct(sys, x->c);
    assert_int_equal(ckda_reach_run(x->graph, sys, &none, CKDA_REACH_KEEP_GRAPH, NULL),
                     CKDA_OK);
    ckda_system_clear(sys);
    for (size_t i = 0; i < 4; i++)
        x->trans[i] = x->c->trans[i % 2];
    ckda_group_init_set(x->G, x->c->G);
}

/* G is the network's, if there is one. */
static void
given_clear(given *x)
{
    ckda_reach_clear(x->graph);
    ckda_construct_clear(x->c);
}

static ckda_net *
two_heads(void)
{
    given x;
    ckda_net *net = NULL;
    given_init(&x);
    assert_int_equal(ckda_net_heads_net(&net, x.G, both_letters, NULL, 2, x.trans, 2,
                                        x.c->K, x.graph, NULL),
                     CKDA_OK);
    assert_int_equal(x.G->order, 0);
    given_clear(&x);
    return net;
}

static ckda_status
read_tree(ckda_net **net, json_t *tree, ckda_error *err)
{
    ckda_doc *doc = ckda_doc_wrap(tree, "net.json");
    const ckda_node root = ckda_doc_root(doc);
    const ckda_status st = ckda_net_read(net, &root, err);
    ckda_doc_close(&doc);
    return st;
}

static void
heads_are_decoded_together(void **state)
{
    (void)state;
    ckda_net *net = two_heads();
    assert_int_equal(ckda_net_heads(net), 2);
    assert_int_equal(check_all_words(net, 5), 32 * 5);
    assert_closes(net, 2, 4);
}

static void
a_document_names_any_field(void **state)
{
    (void)state;
    ckda_net *net = two_heads(), *copy = NULL;
    json_t *tree = ckda_net_json(net), *layer, *field;
    layer = json_array_get(json_object_get(tree, "layers"), 0);
    field = json_object_get(json_array_get(json_object_get(layer, "heads"), 1), "field");
    assert_null(json_object_get(field, "sqrt"));
    assert_null(json_object_get(field, "cos"));
    assert_int_equal(read_tree(&copy, tree, NULL), CKDA_OK);
    json_t *again = ckda_net_json(copy);
    assert_true(json_equal(tree, again));
    json_decref(again);
    json_decref(tree);
    assert_int_equal(ckda_net_get_head(copy, 1)->K->degree, 3);
    ckda_net_close(&net);
    assert_closes(copy, 2, 4);
}

/* One member of the first head's field is another one. */
static void
field_refused(const char *key, json_t *value, const char *says)
{
    ckda_net *net = two_heads(), *copy = NULL;
    ckda_error err;
    ckda_error_clear(&err);
    json_t *tree = ckda_net_json(net);
    json_t *layer = json_array_get(json_object_get(tree, "layers"), 0);
    json_t *head = json_array_get(json_object_get(layer, "heads"), 0);
    json_object_set_new(json_object_get(head, "field"), key, value);
    assert_int_equal(read_tree(&copy, tree, &err), CKDA_E_INPUT);
    if (strstr(err.text, says) == NULL)
        fail_msg("\"%s\" lacks \"%s\"", err.text, says);
    json_decref(tree);
    ckda_net_close(&net);
}

static void
another_generator_is_refused(void **state)
{
    (void)state;
    field_refused("minpoly", json_pack("[s,s,s,s]", "-3", "0", "0", "1"),
                  "layers[0].heads[0].field.minpoly[0]: expected the polynomial");
    field_refused("minpoly", json_pack("[s,s]", "-2", "1"),
                  "minpoly: expected a list of 4");
    field_refused("of", json_string("root(x^3-3, 1.4)"), "minpoly[0]");
    field_refused("of", json_string("sqrt(-2)"), "of: expected a real number");
    field_refused("of", json_string("1.5"), "of: expected an exact number");
    field_refused("of", json_integer(2), "field.of: expected");
}

static void
a_decoder_beyond_a_document_is_not_built(void **state)
{
    given x;
    ckda_net *net = NULL;
    ckda_error err;
    (void)state;
    given_init(&x);
    const uint64_t states = x.graph->states;
    x.graph->states = 2000001; /* nothing of such a graph is looked at */
    assert_int_equal(ckda_net_heads_net(&net, x.G, both_letters, NULL, 2, x.trans, 2,
                                        x.c->K, x.graph, &err),
                     CKDA_E_UNABLE);
    assert_null(net);
    assert_int_equal(x.G->order, 2); /* given back */
    assert_non_null(
        strstr(err.text, "2 heads and 2000001 joint states: more joint states"));
    x.graph->states = states;
    ckda_group_clear(x.G);
    given_clear(&x);
}

static void
too_many_heads_are_refused(void **state)
{
    given x;
    ckda_net *net = NULL;
    ckda_error err;
    (void)state;
    given_init(&x);
    assert_int_equal(ckda_net_heads_net(&net, x.G, both_letters, NULL, 2, x.trans, 17,
                                        x.c->K, x.graph, &err),
                     CKDA_E_UNABLE);
    assert_string_equal(err.text, "a decoder of 17 heads: at most 16");
    ckda_group_clear(x.G);
    given_clear(&x);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heads_are_decoded_together),
        cmocka_unit_test(a_document_names_any_field),
        cmocka_unit_test(another_generator_is_refused),
        cmocka_unit_test(a_decoder_beyond_a_document_is_not_built),
        cmocka_unit_test(too_many_heads_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
