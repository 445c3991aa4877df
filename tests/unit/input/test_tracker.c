/* Groups whose elements have transitions: read, written, read back. */
#include <stdlib.h>

#include "read_text.h"

#define STEP(key, gate)                                                                  \
    "{\"family\": \"ckda\", \"beta\": 2, \"key\": " key ", \"gate\": " gate "}"
#define Z2(tracker)                                                                      \
    "{\"group\": {\"generators\": {\"s\": \"(1,2)\"}, \"tracker\": {" tracker "}}}"
#define GOOD                                                                             \
    "\"transitions\": {\"()\": " STEP("[0, 1]", "[1, -1]") ", \"s\": " STEP(             \
        "[0, 1]", "[1, 1]") "}"

static void
refused(const char *text, const char *message)
{
    ckda_input_t in;
    ckda_error err = {{0}};
    ckda_doc *doc = parse_text(text);
    const ckda_node root = ckda_doc_root(doc);
    assert_int_equal(ckda_input_read(in, &root, &err), CKDA_E_INPUT);
    if (strstr(err.text, message) == NULL)
        fail_msg("expected \"%s\", got \"%s\"", message, err.text);
    ckda_doc_close(&doc);
}

static void
transitions_become_a_construction(void **state)
{
    (void)state;
    ckda_input_t in;
    ckda_construction_t c;
    ckda_error err = {{0}};
    read_text(in, Z2(GOOD));
    assert_int_equal(in->nheads, 1);
    assert_int_equal(in->ntrans, 2);
    assert_int_equal(in->decoder, CKDA_DECODE_STATE);
    if (ckda_input_tracker(c, in, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    ckda_input_clear(in);
    assert_int_equal(c->n, 2);
    assert_int_equal(c->G->order, 2);
    assert_true(ckda_mat_is_one(c->matrix, c->K));
    assert_elem(ckda_mat_entry(c->matrix + 1, 1, 1), "-1", c->K);
    assert_ptr_equal(c->rotation, c->matrix);
    ckda_construct_clear(c);
}

static void
fields_are_found_or_given(void **state)
{
    (void)state;
    ckda_input_t in;
    read_text(in,
              Z2("\"transitions\": {\"()\": " STEP("[1, 0]", "[-1, 1]") ", \"s\": " STEP(
                  "[\"sqrt(2)\", 1]", "[1, 1]") "}"));
    assert_int_equal(in->K->degree, 2);
    ckda_input_clear(in);
    read_text(in, Z2("\"field\": {\"cos\": 12}, " GOOD));
    assert_int_equal(in->K->degree, 2);
    assert_int_equal(in->K->is_cos, 12);
    ckda_input_clear(in);
}

static void
systems_use_the_transitions(void **state)
{
    (void)state;
    ckda_input_system_t s;
    ckda_error err = {{0}};
    ckda_doc *doc = parse_text(Z2(GOOD));
    const ckda_node root = ckda_doc_root(doc);
    assert_int_equal(ckda_input_system_read(s, &root, NULL, &err), CKDA_OK);
    assert_string_equal(s->construction, "given");
    assert_int_equal(s->sys->initial->rows, 2);
    assert_int_equal(s->sys->nletters, 2);
    ckda_input_system_clear(s);
    assert_int_equal(ckda_input_system_read(s, &root, "householder", &err), CKDA_OK);
    assert_string_equal(s->construction, "householder");
    ckda_input_system_clear(s);
    ckda_doc_close(&doc);
}

static void
several_heads_act_together(void **state)
{
    (void)state;
    ckda_input_system_t s;
    ckda_input_t in;
    ckda_construction_t c;
    ckda_error err = {{0}};
    static const char text[] = Z2("\"heads\": [{" GOOD "}, {" GOOD "}]");
    ckda_doc *doc = parse_text(text);
    const ckda_node root = ckda_doc_root(doc);
    assert_int_equal(ckda_input_system_read(s, &root, NULL, &err), CKDA_OK);
    assert_int_equal(s->sys->initial->rows, 4);
    assert_elem(ckda_mat_entry(s->sys->linear + 1, 3, 3), "-1", s->sys->K);
    assert_elem(ckda_mat_entry(s->sys->linear + 1, 1, 1), "-1", s->sys->K);
    assert_elem(ckda_mat_entry(s->sys->linear + 1, 1, 3), "0", s->sys->K);
    ckda_input_system_clear(s);
    ckda_doc_close(&doc);
    read_text(in, text);
    assert_int_equal(in->nheads, 2);
    assert_int_equal(ckda_input_tracker(c, in, &err), CKDA_E_INPUT);
    ckda_input_clear(in);
}

/* What a construction is written as reads back as the same matrices. */
static void
round_trip(const char *system, const char *construction)
{
    ckda_construction_t c, d;
    ckda_input_t in;
    ckda_error err = {{0}};
    assert_int_equal(ckda_construct(c, system, construction, &err), CKDA_OK);
    const ckda_trans_struct *const trans = c->trans;
    json_t *document =
        ckda_input_tracker_json(c->G, true, &trans, 1, c->decoder, c->K, system);
    ckda_doc *doc = ckda_doc_wrap(document, "a.json");
    const ckda_node root = ckda_doc_root(doc);
    if (ckda_input_read(in, &root, &err) != CKDA_OK)
        fail_msg("%s: %s", system, err.text);
    ckda_doc_close(&doc);
    json_decref(document);
    assert_true(ckda_field_equal(in->K, c->K));
    assert_int_equal(ckda_input_tracker(d, in, &err), CKDA_OK);
    ckda_input_clear(in);
    assert_int_equal(d->decoder, c->decoder);
    assert_int_equal(d->G->order, c->G->order);
    for (uint32_t g = 0; g < c->G->order; g++) {
        const uint32_t h = (uint32_t)ckda_group_find(d->G, &c->G->element[g]);
        assert_int_equal(ckda_mat_equal(NULL, c->matrix + g, d->matrix + h, c->K),
                         CKDA_TRUE);
        assert_int_equal(ckda_mat_equal(NULL, c->rotation + g, d->rotation + h, c->K),
                         CKDA_TRUE);
    }
    ckda_construct_clear(d);
    ckda_construct_clear(c);
}

static void
constructions_are_written_and_read(void **state)
{
    (void)state;
    round_trip("Z1", NULL);
    round_trip("Z5", NULL);
    round_trip("D7", NULL);
    round_trip("S3", "planar");
    round_trip("S4", "cube");
    round_trip("A4", "quaternion");
    round_trip("A5", NULL);
}

static void
faults_are_named(void **state)
{
    (void)state;
    refused(Z2(""), "group.tracker: expected a member \"transitions\"");
    refused(Z2("\"transitions\": {\"()\": " STEP("[1]", "[1]") "}"),
            "group.tracker.transitions: expected a transition for every element of the "
            "group, found none for (1,2)");
    refused(
        Z2("\"transitions\": {\"()\": " STEP("[1]", "[1]") ", \"e\": " STEP("[1]",
                                                                            "[1]") "}"),
        "group.tracker.transitions.e: expected every element once, found another name "
        "of one");
    refused(Z2("\"transitions\": {\"x\": " STEP("[1]", "[1]") "}"),
            "group.tracker.transitions.x: expected a letter of group");
    refused(Z2("\"transitions\": {\"()\": " STEP("[1]", "[1]") ", \"s\": " STEP(
                "[1, 0]", "[1, 1]") "}"),
            "group.tracker.transitions: expected transitions of one dimension");
    refused(Z2("\"transitions\": {\"()\": " STEP("[0]", "[1]") "}"),
            "group.tracker.transitions[\"()\"].key");
    refused(Z2("\"decoder\": \"f\", " GOOD),
            "group.tracker.decoder: expected \"state\" or \"rotation\", found \"f\"");
    refused(Z2("\"decoder\": \"rotation\", " GOOD),
            "group.tracker: expected transitions of dimension 4 for \"rotation\"");
    refused(Z2("\"heads\": []"), "group.tracker.heads: expected a list of 1 to 16 heads");
    refused(Z2("\"heads\": [{}]"),
            "group.tracker.heads[0]: expected a member \"transitions\"");
    refused(Z2("\"heads\": [{" GOOD "}], \"decoder\": \"state\""), "decoder");
    refused("{\"group\": {\"generators\": {\"s\": \"(1,2)\"}, \"tracker\": 3}}",
            "tracker");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transitions_become_a_construction),
        cmocka_unit_test(fields_are_found_or_given),
        cmocka_unit_test(systems_use_the_transitions),
        cmocka_unit_test(several_heads_act_together),
        cmocka_unit_test(constructions_are_written_and_read),
        cmocka_unit_test(faults_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
