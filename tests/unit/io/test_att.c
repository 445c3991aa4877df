/* AT&T text: what is read, what is refused, and writing it back. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ckda/att.h"

static void
parse(ckda_att_t T, const char *text)
{
    ckda_error err = {{0}};
    if (ckda_att_parse(T, text, strlen(text), "a.att", &err) != CKDA_OK)
        fail_msg("%s", err.text);
}

static void
refused_bytes(const char *text, size_t len, const char *want)
{
    ckda_att_t T;
    ckda_error err = {{0}};
    memset(T, 7, sizeof *T);
    assert_int_equal(ckda_att_parse(T, text, len, "a.att", &err), CKDA_E_INPUT);
    assert_string_equal(err.text, want);
    assert_int_equal(((unsigned char *)T)[0], 7);
    assert_int_equal(ckda_att_parse(T, text, len, "a.att", NULL), CKDA_E_INPUT);
}

static void
refused(const char *text, const char *want)
{
    refused_bytes(text, strlen(text), want);
}

static void
lines_become_arcs_and_finals(void **state)
{
    (void)state;
    ckda_att_t T;
    parse(T, "0 1 a\n1 0 b\n\n1\n");
    assert_int_equal(T->state.count, 2);
    assert_int_equal(T->label.count, 2);
    assert_int_equal(T->narcs, 2);
    assert_int_equal(T->arc[1].from, 1);
    assert_int_equal(T->arc[1].to, 0);
    assert_string_equal(T->label.name[T->arc[1].label], "b");
    assert_null(T->arc[1].weight);
    assert_int_equal(T->arc[1].line, 2);
    assert_int_equal(T->nfinals, 1);
    assert_int_equal(T->final[0].state, 1);
    assert_int_equal(T->final[0].line, 4);
    assert_int_equal(T->start, 0);
    assert_false(T->weighted);
    ckda_att_clear(T);
}

static void
names_are_utf8(void **state)
{
    (void)state;
    ckda_att_t T;
    parse(T, "0 1 \xc3\xa9\n1\n");
    assert_string_equal(T->label.name[0], "\xc3\xa9");
    ckda_att_clear(T);
    refused("0 1 a\n1 0 \xe9t\n",
            "a.att: line 2: expected UTF-8, found \"?t\" in another encoding");
    refused("q\xff 1 a\n",
            "a.att: line 1: expected UTF-8, found \"q?\" in another encoding");
}

static void
blanks_comments_and_line_ends_do_not_matter(void **state)
{
    (void)state;
    ckda_att_t T;
    parse(T, "  # head\r\n\t0\t1  a # tail\r\n\r\n1 0 a#sharp\r\n1");
    assert_int_equal(T->narcs, 2);
    assert_string_equal(T->label.name[0], "a");
    assert_string_equal(T->label.name[1], "a#sharp");
    assert_int_equal(T->arc[1].line, 4);
    assert_int_equal(T->nfinals, 1);
    ckda_att_clear(T);
}

static void
numbers_keep_their_values_and_the_first_is_the_start(void **state)
{
    (void)state;
    ckda_att_t T;
    parse(T, "2 1 a\n1 0 a\n0 2 a\n0\n");
    assert_int_equal(T->start, 2);
    assert_string_equal(T->state.name[2], "2");
    assert_int_equal(T->state.line[0], 2);
    assert_int_equal(T->arc[0].from, 2);
    assert_int_equal(T->arc[2].to, 2);
    assert_int_equal(T->final[0].state, 0);
    assert_int_equal(ckda_att_add_state(T, "1", 9), 1); /* the names are still found */
    assert_int_equal(ckda_att_add_state(T, "3", 9), 3);
    ckda_att_clear(T);
}

static void
other_names_are_numbered_by_first_mention(void **state)
{
    (void)state;
    ckda_att_t T;
    parse(T, "one zero a\nzero 01 a\n01 one a\n");
    assert_int_equal(T->start, 0);
    assert_string_equal(T->state.name[0], "one");
    assert_string_equal(T->state.name[1], "zero");
    assert_string_equal(T->state.name[2], "01");
    ckda_att_clear(T);
    parse(T, "5 1 a\n1 5 a\n"); /* numbers with gaps are names too */
    assert_int_equal(T->start, 0);
    assert_string_equal(T->state.name[0], "5");
    ckda_att_clear(T);
    parse(T, "0 99999999999999999999 a\n");
    assert_string_equal(T->state.name[1], "99999999999999999999");
    ckda_att_clear(T);
}

static void
final_line_may_come_first_and_is_the_start(void **state)
{
    (void)state;
    ckda_att_t T;
    parse(T, "q\np q a\n");
    assert_string_equal(T->state.name[T->start], "q");
    ckda_att_clear(T);
}

static void
weights_are_kept_as_text(void **state)
{
    (void)state;
    ckda_att_t T;
    parse(T, "0 1 a -1/2\n0 0 a\n1 3\n0\n");
    assert_true(T->weighted);
    assert_string_equal(T->arc[0].weight, "-1/2");
    assert_null(T->arc[1].weight);
    assert_string_equal(T->final[0].weight, "3");
    assert_null(T->final[1].weight);
    ckda_att_clear(T);
}

static void
many_names_are_kept_apart(void **state)
{
    (void)state;
    ckda_att_t T;
    char name[16];
    ckda_att_init(T, "t");
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < 5000; i++) {
            snprintf(name, sizeof name, "q%u", i);
            assert_int_equal(ckda_att_add_state(T, name, i), i);
        }
    assert_int_equal(T->state.count, 5000);
    ckda_att_clear(T);
}

static void
wrong_numbers_of_fields_are_named(void **state)
{
    (void)state;
    refused(
        "0 1 a\n0 1 a b 1\n",
        "a.att: line 2: expected \"from to label\" or \"from to label weight\", found 5 "
        "fields (a transducer has two labels, an automaton one)");
    refused(
        "0 1 a 1 2 3 4 5 6\n",
        "a.att: line 1: expected \"from to label\" or \"from to label weight\", found 9 "
        "fields (a transducer has two labels, an automaton one)");
}

static void
final_weight_without_weights_looks_like_a_forgotten_label(void **state)
{
    (void)state;
    refused("0 1 a\n1 0\n",
            "a.att: line 2: expected \"from to label\" or a final state alone, found two "
            "fields, \"1 0\" (a final weight needs a transition with a weight)");
}

static void
final_states_are_named_once(void **state)
{
    (void)state;
    refused("0 1 a\n1\n# again\n1\n",
            "a.att: line 4: expected every final state once, found \"1\" again (first in "
            "line 2)");
}

static void
empty_word_is_no_letter(void **state)
{
    (void)state;
    refused("0 1 a\n1 0 <eps>\n",
            "a.att: line 2: expected a letter, found the empty word's "
            "label \"<eps>\"");
}

static void
nothing_is_no_automaton(void **state)
{
    (void)state;
#define NOTHING "a.att: expected an automaton (lines \"from to label\"), found "
    refused("", NOTHING "nothing");
    refused("# only a comment", NOTHING "nothing");
    refused("0\n1\n", NOTHING "no transition");
}

static void
bytes_that_are_no_text_are_refused(void **state)
{
    (void)state;
    refused_bytes("0 1 a\n0 \0 b", 11,
                  "a.att: line 2: expected text, found the byte 0x00");
    refused("0 1 a\x1b[2J\n", "a.att: line 1: expected text, found the byte 0x1b");
}

static void
written_text_reads_back(void **state)
{
    (void)state;
    static const char *const texts[] = {"0 1 a\n1 0 b\n1\n", "q p x\np q x\nq\np\n",
                                        "1 0 a 1/2\n0 1 b -3\n0 2\n1\n",
                                        "2 0 a\n0 1 a\n1 2 a\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        ckda_att_t T;
        char *text = NULL;
        parse(T, texts[i]);
        assert_int_equal(ckda_att_write(&text, T, NULL), CKDA_OK);
        assert_string_equal(text, texts[i]);
        free(text);
        ckda_att_clear(T);
    }
}

static void
what_the_format_cannot_say_is_not_written(void **state)
{
    (void)state;
    static const char *const labels[] = {"", "a b", "#", "<eps>", "a\n"};
    ckda_error err = {{0}};
    char *text = NULL;
    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++) {
        ckda_att_t T;
        ckda_att_init(T, "t");
        (void)ckda_att_add_state(T, "0", 0);
        (void)ckda_att_add_label(T, labels[i], 0);
        ckda_att_add_arc(T, 0, 0, 0, NULL, 0);
        assert_int_equal(ckda_att_write(&text, T, &err), CKDA_E_DOMAIN);
        assert_null(text);
        ckda_att_clear(T);
    }
    ckda_att_t T;
    ckda_att_init(T, "t");
    (void)ckda_att_add_state(T, "0", 0);
    assert_int_equal(ckda_att_write(&text, T, &err), CKDA_E_DOMAIN);
    (void)ckda_att_add_state(T, "1", 0);
    (void)ckda_att_add_label(T, "a", 0);
    ckda_att_add_arc(T, 1, 0, 0, NULL, 0);
    assert_int_equal(ckda_att_write(&text, T, &err), CKDA_E_DOMAIN);
    assert_string_equal(err.text,
                        "AT&T text: expected a first transition from the start state");
    ckda_att_clear(T);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_become_arcs_and_finals),
        cmocka_unit_test(names_are_utf8),
        cmocka_unit_test(blanks_comments_and_line_ends_do_not_matter),
        cmocka_unit_test(numbers_keep_their_values_and_the_first_is_the_start),
        cmocka_unit_test(other_names_are_numbered_by_first_mention),
        cmocka_unit_test(final_line_may_come_first_and_is_the_start),
        cmocka_unit_test(weights_are_kept_as_text),
        cmocka_unit_test(many_names_are_kept_apart),
        cmocka_unit_test(wrong_numbers_of_fields_are_named),
        cmocka_unit_test(final_weight_without_weights_looks_like_a_forgotten_label),
        cmocka_unit_test(final_states_are_named_once),
        cmocka_unit_test(empty_word_is_no_letter),
        cmocka_unit_test(nothing_is_no_automaton),
        cmocka_unit_test(bytes_that_are_no_text_are_refused),
        cmocka_unit_test(written_text_reads_back),
        cmocka_unit_test(what_the_format_cannot_say_is_not_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
