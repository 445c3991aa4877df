/* Files recognised by their content: JSON, AT&T text, GAP lists; and writing them. */
#define _XOPEN_SOURCE 700
#include "files.h"

#define ABB_JSON                                                                         \
    "{\"dfa\": {\"states\": 4, \"start\": 0, \"accept\": [3], \"transitions\": "         \
    "{\"a\": [1, 1, 1, 3], \"b\": [0, 2, 3, 3]}}}"
#define ABB_ATT                                                                          \
    "# contains abb\n0 1 a\n0 0 b\n1 1 a\n1 2 b\n2 1 a\n2 3 b\n3 3 a\n3 3 b\n\n3\n"

static void
json_and_att_give_the_same_dfa(void **state)
{
    ckda_input_t in, other;
    open_good(in, state, ABB_JSON);
    open_good(other, state, ABB_ATT);
    assert_int_equal(in->kind, CKDA_INPUT_DFA);
    assert_int_equal(other->kind, CKDA_INPUT_DFA);
    assert_int_equal(other->n, 4);
    assert_true(ckda_dfa_equal(in->dfa, other->dfa));
    ckda_input_clear(in);
    ckda_input_clear(other);
}

static void
json_and_att_give_the_same_wfa(void **state)
{
    ckda_input_t in, other;
    open_good(in, state,
              "{\"wfa\": {\"initial\": [1, 0], \"final\": [0, \"1/2\"], \"matrices\": "
              "{\"x\": [[1, 0], [0, 2]], \"y\": [[1, 0], [1, \"-2/3\"]]}}}");
    open_good(other, state,
              "0 0 x\n0 0 y 1\n1 1 x 2\n1 1 y -2/3\n0 1 y 1/4\n0 1 y 3/4\n"
              "1 1/2\n");
    assert_int_equal(other->kind, CKDA_INPUT_WFA);
    assert_int_equal(other->n, 2);
    assert_true(ckda_wfa_equal(in->wfa, other->wfa, in->K));
    ckda_input_clear(in);
    ckda_input_clear(other);
}

static void
json_and_gap_give_the_same_group(void **state)
{
    ckda_input_t in, cycles, images;
    open_good(
        in, state,
        "{\"group\": {\"generators\": {\"a\": \"(1,2,3)\", \"b\": \"(1,2)(4,5)\"}}}");
    open_good(cycles, state, "# S3 and a swap\n[ (1,2,3),\n  (1,2)(4,5) ]\n");
    open_good(images, state, "[[2,3,1],[2,1,3,5,4]]");
    const ckda_group_struct *G = in->G, *lists[] = {cycles->G, images->G};
    assert_int_equal(cycles->kind, CKDA_INPUT_GROUP);
    assert_true(cycles->all_letters && in->all_letters);
    assert_int_equal(cycles->n, 5);
    for (int i = 0; i < 2; i++) {
        const ckda_group_struct *H = lists[i];
        assert_int_equal(H->order, G->order);
        assert_int_equal(H->ngen, 2);
        for (uint32_t j = 0; j < 2; j++) {
            assert_string_equal(H->genname[j], G->genname[j]);
            assert_int_equal(H->generator[j], G->generator[j]);
        }
        for (uint32_t g = 0; g < G->order; g++)
            assert_true(ckda_perm_equal(&H->element[g], &G->element[g]));
        assert_string_equal(H->name, G->name);
    }
    ckda_input_clear(in);
    ckda_input_clear(cycles);
    ckda_input_clear(images);
}

static void
generators_get_letters_without_e(void **state)
{
    ckda_input_t in;
    char text[256] = "[ ()";
    for (int i = 0; i < 26; i++)
        strcat(text, ", (1,2)");
    strcat(text, " ];");
    open_good(in, state, text);
    assert_int_equal(in->G->ngen, 27);
    assert_string_equal(in->G->genname[3], "d");
    assert_string_equal(in->G->genname[4], "f");
    assert_string_equal(in->G->genname[24], "z");
    assert_string_equal(in->G->genname[25], "a2");
    assert_string_equal(in->G->genname[26], "b2");
    ckda_input_clear(in);
}

static void
byte_order_mark_and_space_before_the_content(void **state)
{
    ckda_input_t in;
    open_good(in, state, "\xEF\xBB\xBF\r\n  " ABB_JSON);
    ckda_input_clear(in);
    open_good(in, state, "\xEF\xBB\xBF" ABB_ATT);
    ckda_input_clear(in);
    open_good(in, state, "\n\n\t[ () ]");
    ckda_input_clear(in);
}

static void
files_without_an_automaton_say_what_was_expected(void **state)
{
#define EMPTY                                                                            \
    ": expected a JSON document, AT&T text of an automaton or a GAP list, found "        \
    "nothing "                                                                           \
    "(empty)"
#define AS_ATT " (a file that begins with neither { nor [ is AT&T text)"
    open_refused(state, "", EMPTY);
    open_refused(state, "\xEF\xBB\xBF # only\n # comments\n", EMPTY);
    open_refused(state, "(1,2,3)",
                 ": expected a GAP list of permutations in square "
                 "brackets, such as [ (1,2,3), (1,2) ], found \"(\"");
    open_refused(state, "hello world",
                 ": expected an automaton (lines \"from to label\"), "
                 "found no transition" AS_ATT);
    open_refused(state, "[ (1,300) ]",
                 ": line 1, column 6: expected a point from 1 to 256, "
                 "found 300");
}

static void
zero_bytes_are_found_in_every_form(void **state)
{
    static const struct {
        const char *text;
        size_t len;
        const char *want;
    } cases[] = {
        {"{\n\0}", 4, ": line 2: expected JSON text, found a NUL byte"},
        {"[ (1,2) ]\0", 10, ": line 1, column 10: expected the end, found the byte 0x00"},
        {"0 0 a\n\0", 7, ": line 2: expected text, found the byte 0x00" AS_ATT},
    };
    for (size_t i = 0; i < 3; i++) {
        ckda_input_t in;
        ckda_error err = {{0}};
        const char *file = put_bytes(state, cases[i].text, cases[i].len);
        assert_int_equal(ckda_input_open(in, file, &err), CKDA_E_INPUT);
        assert_message(state, &err, cases[i].want);
    }
}

static void
second_transition_is_refused_with_both_lines(void **state)
{
    open_refused(
        state, "s t a\nt t a\n\ns s a\n",
        ": line 4: expected at most one transition from state \"s\" by \"a\", found "
        "a second one (the first is in line 1)");
    open_refused(
        state, "0 0 a\n0 0 a\n",
        ": line 2: expected at most one transition from state \"0\" by \"a\", found "
        "a second one (the first is in line 1)");
}

static void
missing_transition_is_refused_or_goes_to_a_dead_state(void **state)
{
    static const char text[] = "0 1 a\n1 0 b\n1 1 a\n0\n";
    ckda_input_t in;
    open_refused(
        state, text,
        ": line 1: expected transitions from state \"0\" by every letter, found none "
        "by \"b\" (add it, or ask for a dead state that takes what is missing)");
    assert_int_equal(
        ckda_input_open_system(in, put_file(state, text), CKDA_INPUT_DEAD_STATE, NULL),
        CKDA_OK);
    assert_int_equal(in->dfa->states, 3);
    assert_int_equal(in->n, 3);
    assert_int_equal(ckda_dfa_step(in->dfa, 0, 1), 2);
    assert_int_equal(ckda_dfa_step(in->dfa, 1, 1), 0);
    assert_int_equal(ckda_dfa_step(in->dfa, 2, 0), 2);
    assert_int_equal(ckda_dfa_step(in->dfa, 2, 1), 2);
    assert_false(in->dfa->accept[2]);
    ckda_input_clear(in);
}

static void
complete_automaton_gets_no_dead_state(void **state)
{
    ckda_input_t in;
    assert_int_equal(
        ckda_input_open_system(in, put_file(state, ABB_ATT), CKDA_INPUT_DEAD_STATE, NULL),
        CKDA_OK);
    assert_int_equal(in->dfa->states, 4);
    ckda_input_clear(in);
}

static void
second_transition_is_refused_with_a_dead_state_too(void **state)
{
    ckda_input_t in;
    ckda_error err = {{0}};
    assert_int_equal(ckda_input_open_system(in, put_file(state, "0 1 a\n0 0 a\n"),
                                            CKDA_INPUT_DEAD_STATE, &err),
                     CKDA_E_INPUT);
    assert_message(state, &err,
                   ": line 2: expected at most one transition from state \"0\" "
                   "by \"a\", found a second one (the first is in line 1)");
}

static void
labels_must_be_possible_letters(void **state)
{
    open_refused(
        state, "0 0 a\n0 0 @x\n",
        ": line 2: expected as label a name without spaces that does not begin with "
        "( [ @ or random:, found \"@x\"");
    open_refused(
        state, "0 0 (1,2) 1/2\n",
        ": line 1: expected as label a name without spaces that does not begin with "
        "( [ @ or random:, found \"(1,2)\"");
}

static void
weights_must_be_rational_numbers(void **state)
{
    open_refused(state, "0 0 a 1\n0 0 b 0.5\n",
                 ": line 2: weight: column 1: 0.5 is a decimal; write 1/2");
    open_refused(
        state, "0 0 a 1\n0 sqrt(2)\n",
        ": line 2: weight: column 1: expected a number of the field, found sqrt(2) "
        "(weights of an automaton are rational)");
}

static void
tables_that_are_too_large_are_a_limit(void **state)
{
    ckda_att_t T;
    ckda_dfa_t A;
    ckda_wfa_t W;
    ckda_field_t Q;
    ckda_error err = {{0}};
    char name[16];
    (void)state;
    ckda_field_init_rational(Q);
    ckda_att_init(T, "big.att");
    for (uint32_t i = 0; i < 2100; i++) {
        snprintf(name, sizeof name, "%u", i);
        (void)ckda_att_add_state(T, name, 1);
        (void)ckda_att_add_label(T, name, 1);
    }
    ckda_att_add_arc(T, 0, 1, 2, NULL, 1);
    assert_int_equal(ckda_input_att_dfa(A, T, CKDA_INPUT_DEAD_STATE, &err),
                     CKDA_E_UNABLE);
    assert_string_equal(err.text,
                        "big.att: expected at most 4000000 transitions, found 2100 "
                        "states and 2100 letters");
    assert_int_equal(ckda_input_att_wfa(W, T, Q, &err), CKDA_E_UNABLE);
    ckda_att_clear(T);
    ckda_field_clear(Q);
}

static void
written_dfas_read_back_equal(void **state)
{
    ckda_rand r;
    ckda_rand_init(&r, 1);
    for (uint32_t states = 1; states <= 12; states++) {
        ckda_dfa_t A;
        ckda_input_t in;
        char *text = NULL;
        ckda_dfa_init(A, states, 1 + states % 3);
        ckda_dfa_set_letter(A, 0, "a#b");
        A->start = (uint32_t)ckda_rand_below(&r, states);
        for (uint32_t i = 0; i < states * A->nletters; i++)
            A->next[i] = (uint32_t)ckda_rand_below(&r, states);
        for (uint32_t q = 0; q < states; q++)
            A->accept[q] = ckda_rand_below(&r, 2) == 1;
        assert_int_equal(ckda_input_write_dfa(&text, A, NULL), CKDA_OK);
        open_good(in, state, text);
        assert_int_equal(in->kind, CKDA_INPUT_DFA);
        assert_true(ckda_dfa_equal(in->dfa, A));
        ckda_input_clear(in);
        free(text);
        ckda_dfa_clear(A);
    }
}

static void
written_wfas_read_back_equal(void **state)
{
    ckda_rand r;
    ckda_field_t Q;
    ckda_field_init_rational(Q);
    ckda_rand_init(&r, 1);
    for (slong n = 1; n <= 8; n++) {
        ckda_wfa_t A;
        ckda_input_t in;
        char *text = NULL;
        ckda_wfa_init(A, n, 2, Q);
        ckda_mat_rand(A->matrix + (n % 2), &r, 3, 3, Q); /* the other letter: all zero */
        ckda_mat_rand(A->final, &r, 1, 1, Q);
        ckda_elem_one(A->initial->entry + ckda_rand_below(&r, (uint64_t)n), Q);
        assert_int_equal(ckda_input_write_wfa(&text, A, Q, NULL), CKDA_OK);
        open_good(in, state, text);
        assert_int_equal(in->kind, CKDA_INPUT_WFA);
        assert_true(ckda_wfa_equal(in->wfa, A, Q));
        ckda_input_clear(in);
        free(text);
        ckda_wfa_clear(A, Q);
    }
    ckda_field_clear(Q);
}

static void
written_groups_read_back_equal(void **state)
{
    static const char *const names[] = {"Z1", "Z5", "D4", "S3", "A5", "S5"};
    for (size_t i = 0; i < 6; i++) {
        ckda_input_t in, back;
        assert_int_equal(ckda_input_open_system(in, names[i], CKDA_INPUT_STRICT, NULL),
                         CKDA_OK);
        assert_int_equal(in->kind, CKDA_INPUT_GROUP);
        assert_string_equal(in->G->name, names[i]);
        char *text = ckda_input_write_group(in->G);
        if (in->G->ngen > 0) {
            open_good(back, state, text);
            assert_int_equal(back->G->order, in->G->order);
            for (uint32_t j = 0; j < in->G->ngen; j++)
                assert_true(ckda_perm_equal(&back->G->element[back->G->generator[j]],
                                            &in->G->element[in->G->generator[j]]));
            ckda_input_clear(back);
        }
        free(text);
        ckda_input_clear(in);
    }
}

static void
initial_weights_that_att_cannot_say_are_not_written(void **state)
{
    (void)state;
    ckda_field_t Q;
    ckda_wfa_t A;
    ckda_error err = {{0}};
    char *text = NULL;
    ckda_field_init_rational(Q);
    ckda_wfa_init(A, 2, 1, Q);
    assert_int_equal(ckda_input_write_wfa(&text, A, Q, &err), CKDA_E_DOMAIN);
    ckda_mat_set_entry_frac(A->initial, 0, 0, 1, 2, Q);
    assert_int_equal(ckda_input_write_wfa(&text, A, Q, &err), CKDA_E_DOMAIN);
    ckda_mat_set_entry_si(A->initial, 0, 0, 1, Q);
    ckda_mat_set_entry_si(A->initial, 1, 0, 1, Q);
    assert_int_equal(ckda_input_write_wfa(&text, A, Q, &err), CKDA_E_DOMAIN);
    assert_string_equal(err.text,
                        "AT&T text: expected initial weight 1 for one state and 0 "
                        "for the others, found others");
    assert_null(text);
    ckda_wfa_clear(A, Q);
    ckda_field_clear(Q);
}

static void
names_that_lead_nowhere(void **state)
{
    (void)state;
    ckda_input_t in;
    ckda_error err = {{0}};
    assert_int_equal(ckda_input_open_system(in, "Q8", CKDA_INPUT_STRICT, &err),
                     CKDA_E_INPUT);
    assert_string_equal(err.text,
                        "Q8: expected a built-in system (Zm, Dm, Sn or An, such as Z5, "
                        "D4, S3, A5) or a file, found neither");
    assert_int_equal(ckda_input_open_system(in, "S40", CKDA_INPUT_STRICT, &err),
                     CKDA_E_UNABLE);
    assert_int_equal(ckda_input_open_system(in, "/", CKDA_INPUT_STRICT, &err), CKDA_E_IO);
    assert_int_equal(ckda_input_open_system(in, "absent.json", CKDA_INPUT_STRICT, &err),
                     CKDA_E_IO);
}

static void
gap_list_is_a_system_for_reach_and_att_is_not(void **state)
{
    ckda_input_system_t s;
    ckda_error err = {{0}};
    const char *file = put_file(state, "[ (1,2,3), (1,2) ]");
    assert_int_equal(ckda_input_system_open(s, file, NULL, NULL), CKDA_OK);
    assert_int_equal(s->sys->nletters, 6);
    assert_string_equal(s->name, file);
    ckda_input_system_clear(s);
    file = put_file(state, ABB_ATT);
    assert_int_equal(ckda_input_system_open(s, file, NULL, &err), CKDA_E_INPUT);
    assert_message(
        state, &err,
        ": expected a system of matrices (a group, an affine system, one matrix or "
        "transition), found an automaton of kind \"dfa\"");
}

static void
group_beyond_the_limit_is_unable(void **state)
{
    ckda_input_t in;
    ckda_error err = {{0}};
    const char *file = put_file(state, "[ (1,2), (1,2,3,4,5,6,7,8,9) ]");
    assert_int_equal(ckda_input_open(in, file, &err), CKDA_E_UNABLE);
    assert_message(state, &err, ": group: the group has more than 50000 elements");
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(json_and_att_give_the_same_dfa),
        IN_FOLDER(json_and_att_give_the_same_wfa),
        IN_FOLDER(json_and_gap_give_the_same_group),
        IN_FOLDER(generators_get_letters_without_e),
        IN_FOLDER(byte_order_mark_and_space_before_the_content),
        IN_FOLDER(files_without_an_automaton_say_what_was_expected),
        IN_FOLDER(zero_bytes_are_found_in_every_form),
        IN_FOLDER(second_transition_is_refused_with_both_lines),
        IN_FOLDER(missing_transition_is_refused_or_goes_to_a_dead_state),
        IN_FOLDER(complete_automaton_gets_no_dead_state),
        IN_FOLDER(second_transition_is_refused_with_a_dead_state_too),
        IN_FOLDER(labels_must_be_possible_letters),
        IN_FOLDER(weights_must_be_rational_numbers),
        IN_FOLDER(tables_that_are_too_large_are_a_limit),
        IN_FOLDER(written_dfas_read_back_equal),
        IN_FOLDER(written_wfas_read_back_equal),
        IN_FOLDER(written_groups_read_back_equal),
        IN_FOLDER(initial_weights_that_att_cannot_say_are_not_written),
        IN_FOLDER(names_that_lead_nowhere),
        IN_FOLDER(gap_list_is_a_system_for_reach_and_att_is_not),
        IN_FOLDER(group_beyond_the_limit_is_unable),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
