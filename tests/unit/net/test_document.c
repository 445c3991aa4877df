/* Networks as documents: round trips, changed numbers, refusals. */
#include <string.h>
#include "nets.h"

static ckda_status
read_tree(ckda_net **net, json_t *tree, ckda_error *err)
{
    ckda_doc *doc = ckda_doc_wrap(tree, "net.json");
    const ckda_node root = ckda_doc_root(doc);
    const ckda_status st = ckda_net_read(net, &root, err);
    ckda_doc_close(&doc);
    return st;
}

/* Written, read and written again it is the same text; the copy closes like the original.
 */
static void
round_trip(ckda_net *net, uint64_t states)
{
    ckda_net *copy = NULL;
    json_t *tree = ckda_net_json(net);
    assert_int_equal(read_tree(&copy, tree, NULL), CKDA_OK);
    json_t *again = ckda_net_json(copy);
    assert_true(json_equal(tree, again));
    json_decref(again);
    json_decref(tree);
    check_random(copy, 100, 1);
    assert_string_equal(ckda_net_construction(copy), ckda_net_construction(net));
    assert_int_equal(ckda_net_block(copy), ckda_net_block(net));
    ckda_net_close(&net);
    if (states > 0)
        assert_closes(copy, states, states * ckda_net_letters(copy));
    else
        ckda_net_close(&copy);
}

static void
round_trip_three_layers(void **state)
{
    (void)state;
    round_trip(dfa_net(2, 3, flip_flop, PAPER_THREE), 436);
    round_trip(group_net("S3", PAPER_THREE), 31363);
    round_trip(group_net("S5", PAPER_THREE), 0);
    round_trip(w2_net(SHORT_THREE), 0);
    round_trip(w2_net(PAPER_THREE), 0);
}

static void
round_trip_two_layers(void **state)
{
    (void)state;
    round_trip(dfa_net(3, 3, t3_generators, WINDOW), 151);
    round_trip(group_net("S5", SMALL), 240);
    round_trip(group_net("S5", SERIES), 0);
    round_trip(group_net("A4", SERIES), 0);
}

static void
round_trip_one_layer(void **state)
{
    static const char *const known[][2] = {
        {"Z5", "planar"}, {"S4", "cube"}, {"A4", "quaternion"}, {"S4", "householder"}};
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        ckda_construction_t c;
        ckda_net *net;
        assert_int_equal(ckda_construct(c, known[i][0], known[i][1], NULL), CKDA_OK);
        const uint32_t letters[] = {1, 2};
        assert_int_equal(ckda_net_construction_net(&net, c, letters, NULL, 2, NULL),
                         CKDA_OK);
        round_trip(net, 0);
    }
}

/* ---- changed documents ------------------------------------------------------------ */

/* The node at a path of member names and "#i" for items. */
static json_t *
at(json_t *tree, const char *const *path, size_t n)
{
    for (size_t i = 0; i < n; i++)
        tree = path[i][0] == '#'
                   ? json_array_get(tree, (size_t)strtoul(path[i] + 1, NULL, 10))
                   : json_object_get(tree, path[i]);
    assert_non_null(tree);
    return tree;
}

/* Changes one text of the flip-flop network; the network that is read is the changed one.
 */
static ckda_truth
changed(const char *const *path, size_t n, const char *text)
{
    ckda_net *net = dfa_net(2, 3, flip_flop, PAPER_THREE), *copy = NULL;
    ckda_net_closure c;
    json_t *tree = ckda_net_json(net);
    assert_int_equal(json_string_set(at(tree, path, n), text), 0);
    assert_int_equal(read_tree(&copy, tree, NULL), CKDA_OK);
    ckda_net_explore(&c, copy, NULL);
    const ckda_truth right = c.right;
    ckda_net_closure_clear(&c);
    ckda_net_close(&copy);
    ckda_net_close(&net);
    json_decref(tree);
    return right;
}

static void
a_changed_number_is_refuted(void **state)
{
    static const char *const gate[] = {"layers", "#0", "lookup", "steps",
                                       "#0",     "#0", "gate",   "#1"};
    static const char *const weight[] = {"layers", "#2", "lookup", "weights", "#1"};
    static const char *const initial[] = {"layers",  "#2", "heads", "#0",
                                          "initial", "#1", "#0"};
    (void)state;
    assert_int_equal(changed(gate, 8, "-1"), CKDA_TRUE); /* what stands there */
    assert_int_equal(changed(gate, 8, "1"), CKDA_FALSE);
    assert_int_equal(changed(weight, 5, "2"), CKDA_FALSE);
    assert_int_equal(changed(initial, 7, "1/2"), CKDA_FALSE);
}

/* A recipe that needs no more factors than there are: nothing depends on its name. */
static void
another_factoriser_is_used_when_named(void **state)
{
    static const char *const path[] = {"layers", "#2", "lookup", "factoriser"};
    (void)state;
    assert_int_equal(changed(path, 4, "short"), CKDA_TRUE);
}

static void
refused(const char *const *path, size_t n, json_t *value, const char *says)
{
    ckda_net *net = dfa_net(2, 3, flip_flop, PAPER_THREE), *copy = NULL;
    ckda_error err;
    json_t *tree = ckda_net_json(net), *parent = at(tree, path, n - 1);
    const char *key = path[n - 1];
    ckda_error_clear(&err);
    if (key[0] == '#')
        json_array_set_new(parent, (size_t)strtoul(key + 1, NULL, 10), value);
    else
        json_object_set_new(parent, key, value);
    assert_int_equal(read_tree(&copy, tree, &err), CKDA_E_INPUT);
    assert_null(copy);
    if (strstr(err.text, says) == NULL)
        fail_msg("\"%s\" lacks \"%s\"", err.text, says);
    json_decref(tree);
    ckda_net_close(&net);
}

static void
refusals_name_the_place(void **state)
{
    static const char *const schema[] = {"schema"};
    static const char *const lookup[] = {"layers", "#1", "lookup", "name"};
    static const char *const beta[] = {"layers", "#0", "lookup", "steps",
                                       "#0",     "#0", "beta",   "#0"};
    static const char *const field[] = {"layers", "#2", "heads", "#0", "field"};
    static const char *const decoder[] = {"decoder", "name"};
    static const char *const map[] = {"layers", "#2", "lookup", "maps", "#0", "#0"};
    static const char *const accept[] = {"source", "dfa", "accept", "#0"};
    (void)state;
    refused(schema, 1, json_string("ckda.net/2"), "schema: expected one of ckda.net/1");
    refused(lookup, 4, json_string("slit"),
            "layers[1].lookup.name: expected one of letter");
    refused(beta, 8, json_string("two"), "layers[0].lookup.steps[0][0].beta[0]");
    refused(beta, 8, json_real(0.5), "beta[0]");
    refused(field, 5, json_integer(7), "field: expected \"Q\"");
    refused(decoder, 2, json_string("number"), "decoder: expected a decoder that fits");
    refused(map, 6, json_integer(2), "maps[0][0]: expected an integer from 0 to 1");
    refused(accept, 4, json_integer(9), "accept[0]");
}

static void
a_buffer_over_another_field_is_refused(void **state)
{
    static const char *const field[] = {"layers", "#1", "heads", "#0", "field"};
    (void)state;
    refused(field, 5, json_pack("{s:i}", "sqrt", 2), "fits the heads around it");
}

static void
a_zero_key_is_refused(void **state)
{
    static const char *const key[] = {"layers", "#0", "lookup", "steps",
                                      "#0",     "#0", "key",    "#0"};
    (void)state;
    refused(key, 8, json_pack("[s,s]", "0", "0"), "a nonzero key");
}

/* Two steps of a layer for one element, or none for another. */
static void
steps_of_a_coset_layer_name_their_place(void **state)
{
    (void)state;
    ckda_net *net = group_net("S3", SERIES), *copy = NULL;
    static const char *const elements[] = {"layers", "#1", "lookup", "elements"};
    ckda_error err;
    ckda_error_clear(&err);
    json_t *tree = ckda_net_json(net);
    json_array_set(at(tree, elements, 4), 1, json_array_get(at(tree, elements, 4), 0));
    assert_int_equal(read_tree(&copy, tree, &err), CKDA_E_INPUT);
    assert_string_equal(err.text,
                        "net.json: layers[1].lookup: expected one step for every "
                        "element, found steps 0 and 1 apply the same element");
    json_decref(tree);
    ckda_net_close(&net);
}

static void
equal_table_entries_are_refused(void **state)
{
    static const char *const table[] = {"layers", "#1",    "lookup",
                                        "reader", "table", "#1"};
    (void)state;
    refused(table, 6, json_pack("[[s]]", "3/5"), "different entries");
}

/* Every node of a document replaced by something else: an error or another network, never
 * a crash. */
static void
spoil(json_t *tree, json_t *node, size_t *count)
{
    json_t *const wrong[] = {json_null(), json_integer(-1), json_string("0/0"),
                             json_array()};
    const size_t n = json_is_array(node) ? json_array_size(node) : 0;
    const char *key;
    json_t *value;
    void *next;
    for (size_t w = 0; w < 4; w++) {
        for (size_t i = 0; i < n; i++) {
            json_t *old = json_incref(json_array_get(node, i));
            ckda_net *net = NULL;
            json_array_set(node, i, wrong[w]);
            if (read_tree(&net, tree, NULL) == CKDA_OK)
                ckda_net_close(&net);
            json_array_set_new(node, i, old);
            ++*count;
        }
        json_object_foreach_safe(node, next, key, value)
        {
            ckda_net *net = NULL;
            json_incref(value);
            json_object_set(node, key, wrong[w]);
            if (read_tree(&net, tree, NULL) == CKDA_OK)
                ckda_net_close(&net);
            json_object_set_new(node, key, value);
            ++*count;
        }
        json_decref(wrong[w]);
    }
    for (size_t i = 0; i < n; i++)
        spoil(tree, json_array_get(node, i), count);
    json_object_foreach_safe(node, next, key, value) spoil(tree, value, count);
}

static void
spoil_all(ckda_net *net)
{
    size_t count = 0;
    json_t *tree = ckda_net_json(net);
    spoil(tree, tree, &count);
    assert_true(count > 300);
    json_decref(tree);
    ckda_net_close(&net);
}

static void
spoilt_documents_do_no_harm(void **state)
{
    (void)state;
    spoil_all(dfa_net(2, 2, parity, PAPER_THREE));
    spoil_all(dfa_net(2, 2, parity, WINDOW));
    spoil_all(group_net("Z4", SERIES));
    spoil_all(w2_net(SHORT_THREE));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip_three_layers),
        cmocka_unit_test(round_trip_two_layers),
        cmocka_unit_test(round_trip_one_layer),
        cmocka_unit_test(a_changed_number_is_refuted),
        cmocka_unit_test(another_factoriser_is_used_when_named),
        cmocka_unit_test(refusals_name_the_place),
        cmocka_unit_test(a_buffer_over_another_field_is_refused),
        cmocka_unit_test(a_zero_key_is_refused),
        cmocka_unit_test(steps_of_a_coset_layer_name_their_place),
        cmocka_unit_test(equal_table_entries_are_refused),
        cmocka_unit_test(spoilt_documents_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
