/* Deterministic automata: words, letters as maps, the group of the letters. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

#include "ckda/automaton.h"

/* "contains abb" over a, b: state = how much of it was seen, 3 stays. */
static void
make_abb(ckda_dfa_t A)
{
    static const uint32_t next[2][4] = {{1, 1, 1, 3}, {0, 2, 3, 3}};
    ckda_dfa_init(A, 4, 2);
    ckda_dfa_set_letter(A, 0, "a");
    ckda_dfa_set_letter(A, 1, "b");
    memcpy(A->next, next, sizeof next);
    A->accept[3] = true;
}

/* S3 on three states: r a cycle, s a swap. */
static void
make_s3(ckda_dfa_t A)
{
    static const uint32_t next[2][3] = {{1, 2, 0}, {1, 0, 2}};
    ckda_dfa_init(A, 3, 2);
    ckda_dfa_set_letter(A, 0, "r");
    ckda_dfa_set_letter(A, 1, "s");
    memcpy(A->next, next, sizeof next);
}

static uint32_t
end_of(const ckda_dfa_t A, const char *text)
{
    ckda_word_t w;
    assert_int_equal(ckda_word_parse_names(w, (const char *const *)A->letter, A->nletters,
                                           text, NULL, NULL),
                     CKDA_OK);
    const uint32_t q = ckda_dfa_run(A, A->start, w);
    ckda_word_clear(w);
    return q;
}

static void
new_automaton_has_numbered_letters_and_one_sink(void **state)
{
    (void)state;
    ckda_dfa_t A;
    ckda_dfa_init(A, 3, 12);
    assert_string_equal(A->letter[11], "11");
    assert_int_equal(ckda_dfa_letter(A, "7"), 7);
    assert_int_equal(ckda_dfa_letter(A, "12"), -1);
    for (uint32_t q = 0; q < 3; q++) {
        assert_false(A->accept[q]);
        assert_int_equal(ckda_dfa_step(A, q, 11), 0);
    }
    ckda_dfa_clear(A);
}

static void
letters_can_be_renamed_even_to_themselves(void **state)
{
    (void)state;
    ckda_dfa_t A;
    ckda_dfa_init(A, 1, 1);
    ckda_dfa_set_letter(A, 0, "long name of a letter");
    ckda_dfa_set_letter(A, 0, A->letter[0] + 5);
    assert_string_equal(A->letter[0], "name of a letter");
    ckda_dfa_clear(A);
}

static void
words_run_in_time_order(void **state)
{
    (void)state;
    ckda_dfa_t A;
    make_abb(A);
    assert_int_equal(end_of(A, ""), 0);
    assert_int_equal(end_of(A, "a b"), 2);
    assert_int_equal(end_of(A, "b a"), 1);
    assert_int_equal(end_of(A, "a b a b b a"), 3);
    assert_true(A->accept[end_of(A, "b a b b")]);
    assert_false(A->accept[end_of(A, "a b a b a")]);
    ckda_dfa_clear(A);
}

static void
two_words_run_like_their_concatenation(void **state)
{
    (void)state;
    ckda_dfa_t A;
    ckda_word_t u, v, uv;
    ckda_rand r;
    make_abb(A);
    ckda_rand_init(&r, 1);
    for (int k = 0; k < 50; k++) {
        char text[32];
        uint32_t both[18];
        strcpy(text, k % 2 ? "random:7" : "random:3");
        assert_int_equal(
            ckda_word_parse_names(u, (const char *const *)A->letter, 2, text, &r, NULL),
            CKDA_OK);
        assert_int_equal(ckda_word_parse_names(v, (const char *const *)A->letter, 2,
                                               "random:11", &r, NULL),
                         CKDA_OK);
        memcpy(both, u->letter, u->length * sizeof *both);
        memcpy(both + u->length, v->letter, v->length * sizeof *both);
        *uv = (ckda_word_struct){both, u->length + v->length};
        for (uint32_t q = 0; q < 4; q++)
            assert_int_equal(ckda_dfa_run(A, q, uv),
                             ckda_dfa_run(A, ckda_dfa_run(A, q, u), v));
        ckda_word_clear(u);
        ckda_word_clear(v);
    }
    ckda_dfa_clear(A);
}

static void
equality_sees_every_part(void **state)
{
    (void)state;
    ckda_dfa_t A, B, C;
    make_abb(A);
    make_abb(B);
    assert_true(ckda_dfa_equal(A, B));
    B->start = 1;
    assert_false(ckda_dfa_equal(A, B));
    B->start = 0;
    B->next[5] = 0;
    assert_false(ckda_dfa_equal(A, B));
    B->next[5] = A->next[5];
    B->accept[0] = true;
    assert_false(ckda_dfa_equal(A, B));
    B->accept[0] = false;
    ckda_dfa_set_letter(B, 1, "c");
    assert_false(ckda_dfa_equal(A, B));
    make_s3(C);
    assert_false(ckda_dfa_equal(A, C));
    ckda_dfa_clear(A);
    ckda_dfa_clear(B);
    ckda_dfa_clear(C);
}

static void
letter_maps_are_image_lists(void **state)
{
    (void)state;
    ckda_dfa_t A;
    long image[4];
    make_abb(A);
    ckda_dfa_letter_map(image, A, 1);
    assert_int_equal(image[0], 0);
    assert_int_equal(image[1], 2);
    assert_int_equal(image[2], 3);
    assert_int_equal(image[3], 3);
    ckda_dfa_clear(A);
}

static void
group_check_names_the_first_letter_that_merges(void **state)
{
    (void)state;
    ckda_dfa_t A;
    uint32_t at = 9;
    make_s3(A);
    assert_true(ckda_dfa_is_group(&at, A));
    assert_int_equal(at, 9);
    A->next[3 + 2] = 0; /* s: 1, 0, 0 */
    assert_true(ckda_dfa_letter_is_permutation(A, 0));
    assert_false(ckda_dfa_letter_is_permutation(A, 1));
    assert_false(ckda_dfa_is_group(&at, A));
    assert_int_equal(at, 1);
    assert_false(ckda_dfa_is_group(NULL, A));
    ckda_dfa_clear(A);
}

static void
group_of_the_letters_tracks_the_states(void **state)
{
    (void)state;
    ckda_dfa_t A;
    ckda_group_t G;
    ckda_word_t w;
    ckda_rand r;
    make_s3(A);
    ckda_rand_init(&r, 1);
    assert_int_equal(ckda_dfa_group(G, A, 100, NULL), CKDA_OK);
    assert_int_equal(G->order, 6);
    assert_string_equal(G->genname[1], "s");
    assert_int_equal(ckda_word_parse_names(w, (const char *const *)A->letter, 2,
                                           "random:40", &r, NULL),
                     CKDA_OK);
    for (uint32_t q = 0; q < 3; q++) {
        const uint32_t end = ckda_dfa_run(A, q, w);
        uint32_t product = 0;
        for (size_t t = 0; t < w->length; t++)
            product = ckda_group_mul(G, G->generator[w->letter[t]], product);
        assert_int_equal(G->element[product].image[q], end);
    }
    ckda_word_clear(w);
    ckda_group_clear(G);
    ckda_dfa_clear(A);
}

static void
group_of_letters_says_why_there_is_none(void **state)
{
    (void)state;
    ckda_dfa_t A;
    ckda_group_t G;
    ckda_error err = {{0}};
    make_abb(A);
    memset(G, 7, sizeof *G);
    assert_int_equal(ckda_dfa_group(G, A, 100, &err), CKDA_E_DOMAIN);
    assert_string_equal(err.text,
                        "expected letters that permute the states, found \"a\", "
                        "which sends both 0 and 1 to 1");
    assert_int_equal(G->degree, 0x07070707);
    ckda_dfa_clear(A);
    make_s3(A);
    assert_int_equal(ckda_dfa_group(G, A, 5, &err), CKDA_E_UNABLE);
    ckda_dfa_clear(A);
    ckda_dfa_init(A, 300, 1);
    for (uint32_t q = 0; q < 300; q++)
        A->next[q] = q;
    assert_int_equal(ckda_dfa_group(G, A, 5, &err), CKDA_E_UNABLE);
    assert_string_equal(err.text, "expected at most 256 states to permute, found 300");
    ckda_dfa_clear(A);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_automaton_has_numbered_letters_and_one_sink),
        cmocka_unit_test(letters_can_be_renamed_even_to_themselves),
        cmocka_unit_test(words_run_in_time_order),
        cmocka_unit_test(two_words_run_like_their_concatenation),
        cmocka_unit_test(equality_sees_every_part),
        cmocka_unit_test(letter_maps_are_image_lists),
        cmocka_unit_test(group_check_names_the_first_letter_that_merges),
        cmocka_unit_test(group_of_the_letters_tracks_the_states),
        cmocka_unit_test(group_of_letters_says_why_there_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
