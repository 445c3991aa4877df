/* Words for groups, automata and systems: spelled out, random, from a file. */
#define _XOPEN_SOURCE 700
#include "files.h"

static void
assert_word(const ckda_word_t w, const uint32_t *want, size_t n)
{
    assert_int_equal(w->length, n);
    for (size_t t = 0; t < n; t++)
        assert_int_equal(w->letter[t], want[t]);
}

#define DFA                                                                              \
    "{\"dfa\": {\"states\": 2, \"start\": 0, \"accept\": [], \"transitions\": "          \
    "{\"go\": [1, 0], \"stay\": [0, 1], \"reset\": [0, 0]}}}"
#define WFA "{\"wfa\": {\"initial\": [1], \"final\": [1], \"matrices\": {\"x\": [[2]]}}}"
#define AFFINE                                                                           \
    "{\"affine\": {\"initial\": [[1]], \"letters\": {\"p\": {\"matrix\": [[2]]}, "       \
    "\"q\": {\"matrix\": [[3]]}}}}"

static void
letters_of_automata_and_affine_systems(void **state)
{
    static const struct {
        const char *document, *text;
        uint32_t want[4];
        size_t n;
    } cases[] = {
        {DFA, " stay\n go\treset go ", {1, 0, 2, 0}, 4},
        {DFA, "", {0}, 0},
        {WFA, "x x", {0, 0}, 2},
        {AFFINE, "q p q", {1, 0, 1}, 3},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ckda_input_t in;
        ckda_word_t w;
        read_text(in, cases[i].document);
        assert_int_equal(ckda_input_word(w, in, cases[i].text, NULL, NULL), CKDA_OK);
        assert_word(w, cases[i].want, cases[i].n);
        ckda_word_clear(w);
        ckda_input_clear(in);
    }
}

static void
letters_of_groups_are_elements(void **state)
{
    (void)state;
    ckda_input_t in;
    ckda_word_t w;
    ckda_error err = {{0}};
    ckda_perm p;
    assert_int_equal(ckda_input_open_system(in, "S3", CKDA_INPUT_STRICT, NULL), CKDA_OK);
    assert_int_equal(ckda_input_word(w, in, "(1,2) (1, 3) () [1,2,0]", NULL, NULL),
                     CKDA_OK);
    assert_int_equal(w->length, 4);
    assert_int_equal(w->letter[2], 0);
    assert_int_equal(ckda_perm_parse(&p, 3, "(1,3)", NULL), CKDA_OK);
    assert_true(ckda_perm_equal(&in->G->element[w->letter[1]], &p));
    ckda_word_clear(w);
    ckda_input_clear(in);
    read_text(in, "{\"group\": {\"generators\": {\"s\": \"(1,2)\", \"t\": \"(2,3)\"}, "
                  "\"letters\": \"generators\"}}");
    assert_int_equal(ckda_input_word(w, in, "t s (2,3)", NULL, NULL), CKDA_OK);
    assert_word(
        w,
        (const uint32_t[]){in->G->generator[1], in->G->generator[0], in->G->generator[1]},
        3);
    ckda_word_clear(w);
    assert_int_equal(ckda_input_word(w, in, "t (1,3)", NULL, &err), CKDA_E_INPUT);
    assert_string_equal(err.text, "word: letter 2: expected one of the 2 letters of this "
                                  "system, found \"(1,3)\"");
    ckda_input_clear(in);
}

static void
random_words_repeat_with_their_seed(void **state)
{
    (void)state;
    ckda_input_t in;
    ckda_word_t v, w;
    ckda_rand r;
    read_text(in, DFA);
    ckda_rand_init(&r, 5);
    assert_int_equal(ckda_input_word(v, in, "random:200", &r, NULL), CKDA_OK);
    ckda_rand_init(&r, 5);
    assert_int_equal(ckda_input_word(w, in, "random:200", &r, NULL), CKDA_OK);
    assert_word(w, v->letter, 200);
    bool seen[3] = {false};
    for (size_t t = 0; t < 200; t++)
        seen[w->letter[t]] = true;
    assert_true(seen[0] && seen[1] && seen[2]);
    ckda_word_clear(v);
    ckda_word_clear(w);
    ckda_input_clear(in);
}

static void
words_come_from_files(void **state)
{
    ckda_input_t in;
    ckda_word_t w;
    ckda_rand r;
    char at[128];
    read_text(in, DFA);
    snprintf(at, sizeof at, "@%s", put_file(state, "go go\nstay\r\n"));
    assert_int_equal(ckda_input_word(w, in, at, NULL, NULL), CKDA_OK);
    assert_word(w, (const uint32_t[]){0, 0, 1}, 3);
    ckda_word_clear(w);
    (void)put_file(state, "random:17");
    ckda_rand_init(&r, 1);
    assert_int_equal(ckda_input_word(w, in, at, &r, NULL), CKDA_OK);
    assert_int_equal(w->length, 17);
    ckda_word_clear(w);
    ckda_input_clear(in);
}

static void
words_that_are_wrong_say_where(void **state)
{
    ckda_input_t in;
    ckda_word_t w;
    ckda_rand r;
    ckda_error err = {{0}};
    char at[128];
    read_text(in, DFA);
    memset(w, 7, sizeof *w);
    assert_int_equal(ckda_input_word(w, in, "go back", NULL, &err), CKDA_E_INPUT);
    assert_string_equal(err.text,
                        "word: letter 2: expected one of 3 letters (go, ...), found "
                        "\"back\"");
    snprintf(at, sizeof at, "@%s", put_file(state, "go\ngo back"));
    assert_int_equal(ckda_input_word(w, in, at, NULL, &err), CKDA_E_INPUT);
    assert_message(state, &err,
                   ": letter 3: expected one of 3 letters (go, ...), found \"back\"");
    (void)put_bytes(state, "go\0go", 5);
    assert_int_equal(ckda_input_word(w, in, at, NULL, &err), CKDA_E_INPUT);
    assert_message(state, &err, ": expected letters, found a NUL byte");
    assert_int_equal(ckda_input_word(w, in, "@/no/such/file", NULL, &err), CKDA_E_IO);
    ckda_rand_init(&r, 1);
    assert_int_equal(ckda_input_word(w, in, "random:many", &r, &err), CKDA_E_INPUT);
    assert_string_equal(err.text, "word: random word: expected a length up to 100000000, "
                                  "found \"many\"");
    assert_int_equal(((unsigned char *)w)[0], 7);
    ckda_input_clear(in);
}

static void
documents_without_letters_read_no_words(void **state)
{
    (void)state;
    ckda_input_t in;
    ckda_word_t w;
    ckda_error err = {{0}};
    read_text(in, "{\"map\": [0, 0]}");
    assert_int_equal(ckda_input_word(w, in, "a", NULL, &err), CKDA_E_DOMAIN);
    assert_string_equal(err.text,
                        "expected a group, an automaton or an affine system to read "
                        "a word, found a document of kind \"map\"");
    ckda_input_clear(in);
}

static void
system_words_are_letters_of_the_system(void **state)
{
    static const char *const systems[] = {
        "{\"group\": {\"generators\": {\"s\": \"(1,2)\", \"t\": \"(2,3)\"}}}",
        "{\"group\": {\"generators\": {\"s\": \"(1,2)\", \"t\": \"(2,3)\", \"u\": "
        "\"(1,2)\"}, \"letters\": \"generators\"}}",
        AFFINE};
    static const char *const words[] = {"s (2,3) s*t", "t s u", "p q q"};
    static const char *const letters[][3] = {
        {"s", "(2,3)", "s*t"}, {"t", "s", "(1,2)"}, {"p", "q", "q"}};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        ckda_input_system_t s;
        ckda_word_t w;
        ckda_rand r;
        ckda_doc *doc = parse_text(systems[i]);
        const ckda_node root = ckda_doc_root(doc);
        assert_int_equal(ckda_input_system_read(s, &root, NULL, NULL), CKDA_OK);
        assert_int_equal(ckda_input_system_word(w, s, words[i], NULL, NULL), CKDA_OK);
        assert_int_equal(w->length, 3);
        for (size_t t = 0; t < 3; t++) {
            uint32_t a = 99;
            assert_int_equal(ckda_input_system_letter(&a, s, letters[i][t], NULL),
                             CKDA_OK);
            assert_int_equal(w->letter[t], a);
        }
        ckda_word_clear(w);
        ckda_rand_init(&r, 3);
        assert_int_equal(ckda_input_system_word(w, s, "random:50", &r, NULL), CKDA_OK);
        for (size_t t = 0; t < 50; t++)
            assert_true(w->letter[t] < s->sys->nletters);
        ckda_word_clear(w);
        ckda_input_system_clear(s);
        ckda_doc_close(&doc);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_of_automata_and_affine_systems),
        cmocka_unit_test(letters_of_groups_are_elements),
        cmocka_unit_test(random_words_repeat_with_their_seed),
        cmocka_unit_test_setup_teardown(words_come_from_files, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(words_that_are_wrong_say_where, make_folder,
                                        remove_folder),
        cmocka_unit_test(documents_without_letters_read_no_words),
        cmocka_unit_test(system_words_are_letters_of_the_system),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
