/* {"dfa": ...} and {"wfa": ...}: what they hold, and every refusal by its JSON path. */
#include <stdio.h>
#include "read_text.h"

#define DFA(states, start, accept, transitions)                                          \
    "{\"dfa\": {\"states\": " states ", \"start\": " start ", \"accept\": " accept       \
    ", \"transitions\": " transitions "}}"
#define WFA(initial, final, matrices)                                                    \
    "{\"wfa\": {\"initial\": " initial ", \"final\": " final ", \"matrices\": " matrices \
    "}}"

static void
refused(const char *text, const char *want)
{
    ckda_input_t in;
    ckda_error err = {{0}};
    ckda_doc *doc = parse_text(text);
    const ckda_node root = ckda_doc_root(doc);
    memset(in, 7, sizeof *in);
    assert_int_equal(ckda_input_read(in, &root, &err), CKDA_E_INPUT);
    assert_string_equal(err.text, want);
    assert_int_equal(((unsigned char *)in)[0], 7);
    assert_int_equal(ckda_input_read(in, &root, NULL), CKDA_E_INPUT);
    ckda_doc_close(&doc);
}

static void
dfa_of_the_contract(void **state)
{
    (void)state;
    ckda_input_t in;
    read_text(in, DFA("3", "1", "[2]", "{\"a\": [1, 1, 2], \"b\": [0, 2, 2]}"));
    assert_int_equal(in->kind, CKDA_INPUT_DFA);
    assert_string_equal(ckda_input_kind_name(in->kind), "dfa");
    assert_true(in->has_dfa);
    assert_int_equal(in->n, 3);
    assert_int_equal(in->dfa->states, 3);
    assert_int_equal(in->dfa->start, 1);
    assert_string_equal(in->dfa->letter[1], "b");
    assert_int_equal(ckda_dfa_step(in->dfa, 1, 1), 2);
    assert_int_equal(ckda_dfa_step(in->dfa, 0, 0), 1);
    assert_false(in->dfa->accept[1]);
    assert_true(in->dfa->accept[2]);
    ckda_input_clear(in);
}

static void
letters_may_have_the_names_of_members(void **state)
{
    (void)state;
    ckda_input_t in;
    read_text(in, DFA("1", "0", "[]", "{\"matrix\": [0], \"beta\": [0]}"));
    assert_int_equal(in->dfa->nletters, 2);
    ckda_input_clear(in);
    read_text(in, WFA("[1]", "[1]", "{\"comment\": [[2]], \"key\": [[3]]}"));
    assert_int_equal(in->wfa->nletters, 2);
    ckda_input_clear(in);
}

static void
dfa_numbers_are_checked(void **state)
{
    (void)state;
#define AB "{\"a\": [0, 1], \"b\": [1, 0]}"
    refused(DFA("0", "0", "[]", AB),
            "a.json: dfa.states: expected an integer from 1 to 4000000, found 0");
    refused(DFA("\"2\"", "0", "[]", AB),
            "a.json: dfa.states: expected an integer from 1 to 4000000, found \"2\"");
    refused(DFA("2", "2", "[]", AB),
            "a.json: dfa.start: expected an integer from 0 to 1, found 2");
    refused(DFA("2", "0", "[1, -1]", AB),
            "a.json: dfa.accept[1]: expected an integer from 0 to 1, found -1");
    refused(DFA("2", "0", "[2]", AB),
            "a.json: dfa.accept[0]: expected an integer from 0 to 1, found 2");
    refused(DFA("2", "0", "[1, 0, 1]", AB),
            "a.json: dfa.accept[2]: expected every accepting state once, found 1 again");
    refused(DFA("2", "0", "1", AB), "a.json: dfa.accept: expected a list, found 1");
}

static void
dfa_transitions_are_checked(void **state)
{
    (void)state;
    refused(
        DFA("2", "0", "[]", "{\"a\": [0, 1], \"b\": [1]}"),
        "a.json: dfa.transitions.b: expected a list of 2 states (one for each state), "
        "found a list of 1");
    refused(
        DFA("2", "0", "[]", "{\"a\": 7}"),
        "a.json: dfa.transitions.a: expected a list of 2 states (one for each state), "
        "found 7");
    refused(DFA("2", "0", "[]", "{\"a\": [0, 2]}"),
            "a.json: dfa.transitions.a[1]: expected an integer from 0 to 1, found 2");
    refused(DFA("2", "0", "[]", "{\"a\": [0, null]}"),
            "a.json: dfa.transitions.a[1]: expected an integer from 0 to 1, found null");
    refused(DFA("2", "0", "[]", "{}"), "a.json: dfa.transitions: expected an object of "
                                       "named letters, found an empty object");
    refused(DFA("2", "0", "[]", "[[0, 1]]"),
            "a.json: dfa.transitions: expected an object of named letters, found a list "
            "of 1");
    refused(DFA("2", "0", "[]", "{\"random:3\": [0, 1]}"),
            "a.json: dfa.transitions[\"random:3\"]: expected a name without spaces that "
            "does not "
            "begin with ( [ @ or random:, found \"random:3\"");
}

static void
dfa_members_are_all_needed_and_no_others(void **state)
{
    (void)state;
    refused(
        "{\"dfa\": {\"states\": 1, \"accept\": [], \"transitions\": {\"a\": [0]}}}",
        "a.json: dfa: expected a member \"start\", found an object with members states, "
        "accept, transitions");
    refused(
        "{\"dfa\": {\"states\": 1, \"start\": 0, \"transitions\": {\"a\": [0]}}}",
        "a.json: dfa: expected a member \"accept\", found an object with members states, "
        "start, transitions");
    refused(
        "{\"dfa\": {\"states\": 1, \"start\": 0, \"accept\": [], \"transition\": {}}}",
        "a.json: dfa: expected one of states, start, accept, transitions, comment, found "
        "the member \"transition\" (did you mean \"transitions\"?)");
    refused("{\"dfa\": 3}", "a.json: dfa: expected an object, found 3");
    refused("{\"dfa\": {}, \"wfa\": {}}",
            "a.json: expected one of field, comment, dfa, found the member \"wfa\" (did "
            "you mean \"dfa\"?)");
}

static void
duplicate_letters_do_not_pass_the_parser(void **state)
{
    (void)state;
    ckda_doc *doc = NULL;
    ckda_error err = {{0}};
    assert_int_equal(ckda_doc_parse(&doc,
                                    DFA("1", "0", "[]", "{\"a\": [0],\n\"a\": [0]}"),
                                    "a.json", &err),
                     CKDA_E_INPUT);
    assert_non_null(strstr(err.text, "line 2"));
    assert_non_null(strstr(err.text, "duplicate object key"));
}

static void
wfa_of_the_contract(void **state)
{
    (void)state;
    ckda_input_t in;
    read_text(in, WFA("[1, 0]", "[0, \"1/2\"]", "{\"a\": [[1, 0], [\"-3/4\", 2]]}"));
    assert_int_equal(in->kind, CKDA_INPUT_WFA);
    assert_string_equal(ckda_input_kind_name(in->kind), "wfa");
    assert_int_equal(in->n, 2);
    assert_int_equal(in->K->degree, 1);
    assert_elem(in->wfa->initial->entry, "1", in->K);
    assert_elem(in->wfa->final->entry + 1, "1/2", in->K);
    assert_elem(ckda_mat_entry(in->wfa->matrix, 1, 0), "-3/4", in->K);
    assert_string_equal(in->wfa->letter[0], "a");
    ckda_input_clear(in);
}

static void
wfa_weights_are_rational(void **state)
{
    (void)state;
    refused(
        WFA("[1]", "[1]", "{\"a\": [[\"sqrt(2)\"]]}"),
        "a.json: wfa.matrices.a[0][0]: column 1: expected a number of the field, found "
        "sqrt(2) (weights of an automaton are rational)");
    refused(WFA("[\"cos(pi/5)\"]", "[1]", "{\"a\": [[1]]}"),
            "a.json: wfa.initial[0]: column 1: expected a number of the field, found "
            "cos(pi/5) (weights of an automaton are rational)");
    refused(WFA("[1]", "[\"0.5\"]", "{\"a\": [[1]]}"),
            "a.json: wfa.final[0]: column 1: 0.5 is a decimal; write 1/2");
    refused(
        "{\"field\": {\"sqrt\": 2}, \"wfa\": {\"initial\": [1], \"final\": [1], "
        "\"matrices\": {\"a\": [[1]]}}}",
        "a.json: wfa: expected rational numbers, so no field but Q, found another field");
}

static void
wfa_shapes_are_checked(void **state)
{
    (void)state;
    refused(
        WFA("[]", "[]", "{\"a\": []}"),
        "a.json: wfa.initial: expected a list of numbers, one for each state, found an "
        "empty list");
    refused(WFA("1", "[]", "{\"a\": []}"),
            "a.json: wfa.initial: expected a list, found 1");
    refused(WFA("[1, 0]", "[1]", "{\"a\": [[1, 0], [0, 1]]}"),
            "a.json: wfa.final: expected a list of 2 numbers, found a list of 1");
    refused(WFA("[1, 0]", "[1, 0]", "{\"a\": [[1, 0], [0, 1]], \"b\": [[1, 0]]}"),
            "a.json: wfa.matrices.b: expected a list of 2 rows, found a list of 1");
    refused(WFA("[1, 0]", "[1, 0]", "{\"a\": [[1, 0], [0, 1, 2]]}"),
            "a.json: wfa.matrices.a[1]: expected a list of 2 numbers, found a list of 3");
    refused(WFA("[1]", "[1]", "{}"), "a.json: wfa.matrices: expected an object of named "
                                     "letters, found an empty object");
    refused(
        "{\"wfa\": {\"initial\": [1], \"matrices\": {\"a\": [[1]]}}}",
        "a.json: wfa: expected a member \"final\", found an object with members initial, "
        "matrices");
    refused(WFA("[1]", "[1]", "{\"a b\": [[1]]}"),
            "a.json: wfa.matrices[\"a b\"]: expected a name without spaces that does not "
            "begin with ( [ @ or random:, found \"a b\"");
}

static void
automata_are_not_one_matrix(void **state)
{
    (void)state;
    static const char *const texts[] = {DFA("1", "0", "[]", "{\"a\": [0]}"),
                                        WFA("[1]", "[1]", "{\"a\": [[1]]}")};
    for (size_t i = 0; i < 2; i++) {
        ckda_input_t in;
        ckda_mat_t A;
        ckda_error err = {{0}};
        char want[128];
        read_text(in, texts[i]);
        assert_int_equal(ckda_input_matrix(A, in, &err), CKDA_E_DOMAIN);
        snprintf(want, sizeof want,
                 "expected a document that describes one matrix, found kind \"%s\"",
                 ckda_input_kind_name(in->kind));
        assert_string_equal(err.text, want);
        ckda_input_clear(in);
    }
}

static void
automata_are_no_systems_of_matrices(void **state)
{
    (void)state;
    ckda_input_system_t s;
    ckda_error err = {{0}};
    ckda_doc *doc = parse_text(DFA("1", "0", "[]", "{\"a\": [0]}"));
    ckda_node root = ckda_doc_root(doc);
    assert_int_equal(ckda_input_system_read(s, &root, NULL, &err), CKDA_E_INPUT);
    assert_string_equal(
        err.text, "a.json: expected a system of matrices (a group, an affine system, "
                  "one matrix or transition), found an automaton of kind \"dfa\"");
    ckda_doc_close(&doc);
    doc = parse_text(WFA("[1]", "[1]", "{\"a\": [[1]]}"));
    root = ckda_doc_root(doc);
    assert_int_equal(ckda_input_system_read(s, &root, "householder", &err), CKDA_E_INPUT);
    assert_non_null(strstr(err.text, "found an automaton of kind \"wfa\""));
    ckda_doc_close(&doc);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dfa_of_the_contract),
        cmocka_unit_test(letters_may_have_the_names_of_members),
        cmocka_unit_test(dfa_numbers_are_checked),
        cmocka_unit_test(dfa_transitions_are_checked),
        cmocka_unit_test(dfa_members_are_all_needed_and_no_others),
        cmocka_unit_test(duplicate_letters_do_not_pass_the_parser),
        cmocka_unit_test(wfa_of_the_contract),
        cmocka_unit_test(wfa_weights_are_rational),
        cmocka_unit_test(wfa_shapes_are_checked),
        cmocka_unit_test(automata_are_not_one_matrix),
        cmocka_unit_test(automata_are_no_systems_of_matrices),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
