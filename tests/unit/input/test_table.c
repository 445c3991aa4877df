/* Groups by their Cayley tables: every axiom, each with the place of its fault. */
#include <stdlib.h>

#include "read_text.h"

#define TABLE(rows) "{\"group\": {\"table\": [" rows "]}}"

static const char klein[] = TABLE("[0,1,2,3],[1,0,3,2],[2,3,0,1],[3,2,1,0]");

static void
refused(const char *text, const char *message)
{
    ckda_input_t in;
    ckda_error err = {{0}};
    ckda_doc *doc = parse_text(text);
    const ckda_node root = ckda_doc_root(doc);
    assert_int_equal(ckda_input_read(in, &root, &err), CKDA_E_INPUT);
    assert_string_equal(err.text, message);
    ckda_doc_close(&doc);
}

static void
products_are_those_of_the_table(void **state)
{
    (void)state;
    static const uint32_t z5[25] = {2, 3, 4, 0, 1, 3, 4, 0, 1, 2, 4, 0, 1,
                                    2, 3, 0, 1, 2, 3, 4, 1, 2, 3, 4, 0};
    ckda_input_t in;
    /* Z_5 with k+2 in place of k: the identity is element 3 */
    read_text(in, TABLE("[2,3,4,0,1],[3,4,0,1,2],[4,0,1,2,3],[0,1,2,3,4],[1,2,3,4,0]"));
    const ckda_group_struct *G = in->G;
    assert_int_equal(G->order, 5);
    assert_int_equal(G->ngen, 5);
    assert_int_equal(G->generator[3], 0);
    assert_string_equal(G->genname[4], "g4");
    for (uint32_t a = 0; a < 5; a++)
        for (uint32_t b = 0; b < 5; b++)
            assert_int_equal(ckda_group_mul(G, G->generator[a], G->generator[b]),
                             G->generator[z5[5 * a + b]]);
    ckda_input_clear(in);
}

static void
one_element(void **state)
{
    (void)state;
    ckda_input_t in;
    read_text(in, TABLE("[0]"));
    assert_int_equal(in->G->order, 1);
    ckda_input_clear(in);
}

static void
elements_have_names(void **state)
{
    (void)state;
    ckda_input_t in;
    uint32_t g;
    read_text(in, "{\"group\": {\"table\": [[0,1,2],[1,2,0],[2,0,1]], \"names\": [\"e\", "
                  "\"w\", \"w2\"], \"letters\": \"all\", \"name\": \"cubes\"}}");
    assert_string_equal(in->G->name, "cubes");
    assert_int_equal(ckda_group_parse(&g, in->G, "w^2", NULL), CKDA_OK);
    char *name = ckda_input_element_name(in->G, g);
    assert_string_equal(name, "w2");
    free(name);
    ckda_input_clear(in);
    read_text(in, klein);
    name = ckda_input_element_name(in->G, in->G->generator[2]);
    assert_string_equal(name, "g2");
    free(name);
    ckda_input_clear(in);
}

static void
shape_is_checked(void **state)
{
    (void)state;
    refused(TABLE(""), "a.json: group.table: expected a table of 1 to 256 rows, found an "
                       "empty list");
    refused(TABLE("[0,1],[1]"), "a.json: group.table[1]: expected 2 entries, as many as "
                                "there are rows, found 1");
    refused(TABLE("[0,1],[1,2]"),
            "a.json: group.table[1][1]: expected an integer from 0 to 1, found 2");
    refused(TABLE("[0,-1],[1,0]"),
            "a.json: group.table[0][1]: expected an integer from 0 to 1, found -1");
    refused(TABLE("[0,1],3"), "a.json: group.table[1]: expected a list, found 3");
    refused("{\"group\": {\"table\": [[0]], \"generators\": {\"a\": \"(1,2)\"}}}",
            "a.json: group: expected generators or a table, found both");
    refused("{\"group\": {\"generators\": {\"a\": \"(1,2)\"}, \"names\": []}}",
            "a.json: group: expected names only with a table, found names");
}

static void
associativity_is_decided(void **state)
{
    (void)state;
    /* subtraction modulo 3 */
    refused(
        TABLE("[0,2,1],[1,0,2],[2,1,0]"),
        "a.json: group.table[0][1]: expected an associative table, (x a) y = x (a y), "
        "found (0 0) 1 = 2 and 0 (0 1) = 1");
    /* a loop of order 5: identity and inverses, not associative */
    refused(
        TABLE("[0,1,2,3,4],[1,0,3,4,2],[2,4,0,1,3],[3,2,4,0,1],[4,3,1,2,0]"),
        "a.json: group.table[0][2]: expected an associative table, (x a) y = x (a y), "
        "found (1 1) 2 = 2 and 1 (1 2) = 4");
}

static void
identity_and_inverses_are_decided(void **state)
{
    (void)state;
    refused(TABLE("[0,0],[0,0]"), "a.json: group.table: expected an identity: a row and "
                                  "column that change nothing, found none");
    refused(TABLE("[0,0],[1,1]"), "a.json: group.table: expected an identity: a row and "
                                  "column that change nothing, found none");
    refused(TABLE("[0,1],[1,1]"), "a.json: group.table[1]: expected an inverse of 1 "
                                  "(identity 0), found none");
    /* multiplication modulo 4 */
    refused(TABLE("[0,0,0,0],[0,1,2,3],[0,2,0,2],[0,3,2,1]"),
            "a.json: group.table[0]: expected an inverse of 0 (identity 1), found none");
}

static void
names_are_checked(void **state)
{
    (void)state;
#define NAMED(names) "{\"group\": {\"table\": [[0,1],[1,0]], \"names\": [" names "]}}"
    refused(NAMED("\"a\""), "a.json: group.names: expected 2 names, found a list of 1");
    refused(NAMED("\"a\", \"a\""),
            "a.json: group.names[1]: expected every name once, found \"a\"");
    refused(NAMED("\"a\", \"e\""),
            "a.json: group.names[1]: expected e for the identity only, found \"e\"");
    refused(
        NAMED("\"a*b\", \"c\""),
        "a.json: group.names[0]: expected a name without spaces, * or ^ that does not "
        "begin with ( [ @ or random:, found \"a*b\"");
}

/* Light's test looks at generators only; here every triple. */
static bool
is_associative(const uint32_t t[9])
{
    for (int x = 0; x < 3; x++)
        for (int a = 0; a < 3; a++)
            for (int y = 0; y < 3; y++)
                if (t[3 * t[3 * x + a] + y] != t[3 * x + t[3 * a + y]])
                    return false;
    return true;
}

static void
all_tables_of_three_elements(void **state)
{
    (void)state;
    int groups = 0, associative = 0;
    for (int code = 0; code < 19683; code++) {
        char text[80];
        uint32_t t[9];
        for (int i = 0, rest = code; i < 9; i++, rest /= 3)
            t[i] = (uint32_t)(rest % 3);
        snprintf(text, sizeof text, TABLE("[%u,%u,%u],[%u,%u,%u],[%u,%u,%u]"), t[0], t[1],
                 t[2], t[3], t[4], t[5], t[6], t[7], t[8]);
        ckda_input_t in;
        ckda_error err = {{0}};
        ckda_doc *doc = parse_text(text);
        const ckda_node root = ckda_doc_root(doc);
        const ckda_status st = ckda_input_read(in, &root, &err);
        assert_int_equal(strstr(err.text, "associative") == NULL, is_associative(t));
        associative += is_associative(t);
        if (st == CKDA_OK) {
            groups++;
            ckda_input_clear(in);
        }
        ckda_doc_close(&doc);
    }
    assert_int_equal(associative, 113); /* semigroups on three labelled elements */
    assert_int_equal(groups, 3);        /* Z_3 with each element as the identity */
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_those_of_the_table),
        cmocka_unit_test(one_element),
        cmocka_unit_test(elements_have_names),
        cmocka_unit_test(shape_is_checked),
        cmocka_unit_test(associativity_is_decided),
        cmocka_unit_test(identity_and_inverses_are_decided),
        cmocka_unit_test(names_are_checked),
        cmocka_unit_test(all_tables_of_three_elements),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
