/* Systems: built-in names, group documents, affine documents, single matrices. */
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "read_text.h"

static void
system_of(ckda_input_system_t s, const char *text, const char *construction)
{
    ckda_error err = {{0}};
    ckda_doc *doc = parse_text(text);
    const ckda_node root = ckda_doc_root(doc);
    if (ckda_input_system_read(s, &root, construction, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    ckda_doc_close(&doc);
}

static void
refused(ckda_status status, const char *text, const char *construction, const char *part)
{
    ckda_input_system_t s;
    ckda_error err = {{0}};
    ckda_doc *doc = parse_text(text);
    const ckda_node root = ckda_doc_root(doc);
    assert_int_equal(ckda_input_system_read(s, &root, construction, &err), status);
    if (strstr(err.text, part) == NULL || strncmp(err.text, "a.json: ", 8) != 0)
        fail_msg("expected \"a.json: ... %s\", got \"%s\"", part, err.text);
    ckda_doc_close(&doc);
}

/* The product of the word's letters on the initial state, first letter first. */
static void
run_word(ckda_mat_t S, const ckda_input_system_t s, const char *const *word, size_t n)
{
    const ckda_field_struct *K = s->sys->K;
    uint32_t a;
    ckda_mat_init_set(S, s->sys->initial, K);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(ckda_input_system_letter(&a, s, word[i], NULL), CKDA_OK);
        assert_int_equal(ckda_mat_mul(S, s->sys->linear + a, S, K), CKDA_OK);
        if (s->sys->offset != NULL)
            assert_int_equal(ckda_mat_add(S, S, s->sys->offset + a, K), CKDA_OK);
    }
}

static void
built_in_name_has_all_elements_as_letters(void **state)
{
    (void)state;
    ckda_input_system_t s;
    uint32_t a = 99;
    assert_int_equal(ckda_input_system_open(s, "Z5", NULL, NULL), CKDA_OK);
    assert_string_equal(s->name, "Z5");
    assert_string_equal(s->construction, "planar");
    assert_int_equal(s->sys->nletters, 5);
    assert_ptr_equal(s->sys->K, s->c->K);
    assert_true(ckda_mat_is_one(s->sys->initial, s->sys->K));
    assert_int_equal(ckda_input_system_letter(&a, s, "()", NULL), CKDA_OK);
    assert_int_equal(s->element[a], 0);
    assert_int_equal(ckda_input_system_letter(&a, s, "[1,2,3,4,0]", NULL), CKDA_OK);
    assert_string_equal(s->letter[a], "(1,2,3,4,5)");
    ckda_input_system_clear(s);
}

static void
name_that_is_neither_system_nor_file(void **state)
{
    (void)state;
    ckda_input_system_t s;
    ckda_error err = {{0}};
    assert_int_equal(ckda_input_system_open(s, "Q8", NULL, &err), CKDA_E_INPUT);
    assert_string_equal(err.text,
                        "Q8: expected a built-in system (Zm, Dm, Sn or An, such as Z5, "
                        "D4, S3, A5) or a file, found neither");
    assert_int_equal(ckda_input_system_open(s, "A5", "no-such", &err), CKDA_E_INPUT);
    assert_int_equal(ckda_input_system_open(s, "/", NULL, &err), CKDA_E_IO);
    assert_int_equal(ckda_input_system_open(s, "absent.json", NULL, &err), CKDA_E_IO);
    assert_string_equal(err.text, "absent.json: cannot be read: no such file");
}

static void
group_document_becomes_permutation_matrices(void **state)
{
    (void)state;
    ckda_input_system_t s;
    ckda_mat_t S, P;
    const slong image[] = {1, 2, 0};
    system_of(s, "{\"group\": {\"generators\": {\"a\": \"(1,2)\", \"b\": \"(1,2,3)\"}}}",
              NULL);
    assert_string_equal(s->construction, "householder");
    assert_int_equal(s->sys->nletters, 6);
    run_word(S, s, (const char *const[]){"(1,2,3)"}, 1);
    ckda_mat_init(P, 3, 3, s->sys->K);
    assert_int_equal(ckda_mat_set_map(P, image, 3, s->sys->K), CKDA_OK);
    assert_true(ckda_mat_equal(NULL, S, P, s->sys->K));
    ckda_mat_clear(P, s->sys->K);
    ckda_mat_clear(S, s->sys->K);
    for (uint32_t i = 0; i < 6; i++) { /* letter i stands for the element it names */
        ckda_perm p;
        assert_int_equal(ckda_perm_parse(&p, 3, s->letter[i], NULL), CKDA_OK);
        assert_int_equal(ckda_group_find(s->sys->G, &p), s->sys->letter_element[i]);
    }
    ckda_input_system_clear(s);
}

static void
generators_only_when_asked_for(void **state)
{
    (void)state;
    ckda_input_system_t s;
    uint32_t a = 0;
    ckda_error err = {{0}};
    system_of(s,
              "{\"group\": {\"generators\": {\"a\": \"(1,2)\", \"b\": \"(1,2,3,4)\"}, "
              "\"letters\": "
              "\"generators\"}}",
              "householder");
    assert_int_equal(s->sys->nletters, 2);
    assert_string_equal(s->letter[1], "b");
    assert_int_equal(ckda_input_system_letter(&a, s, "(1,2,3,4)", NULL), CKDA_OK);
    assert_int_equal(a, 1);
    assert_int_equal(ckda_input_system_letter(&a, s, "(1,3)", &err), CKDA_E_INPUT);
    assert_non_null(strstr(err.text, "found another element of the group"));
    assert_int_equal(ckda_input_system_letter(&a, s, "x", &err), CKDA_E_INPUT);
    assert_int_equal(a, 1);
    ckda_input_system_clear(s);
}

static void
affine_document_runs(void **state)
{
    (void)state;
    ckda_input_system_t s;
    ckda_mat_t S;
    uint32_t a = 7;
    ckda_error err = {{0}};
    system_of(
        s,
        "{\"affine\": {\"initial\": [[1]], \"letters\": {\"inc\": {\"matrix\": [[1]], "
        "\"offset\": [[1]]}, \"dbl\": {\"matrix\": [[2]]}}}}",
        NULL);
    assert_null(s->construction);
    assert_null(s->sys->G);
    run_word(S, s, (const char *const[]){"inc", "dbl", "inc"}, 3);
    assert_elem(S->entry, "5", s->sys->K);
    ckda_mat_clear(S, s->sys->K);
    assert_int_equal(ckda_input_system_letter(&a, s, "()", &err), CKDA_E_INPUT);
    assert_string_equal(err.text,
                        "letter \"()\": expected one of the 2 letters of a.json");
    assert_int_equal(a, 7);
    ckda_input_system_clear(s);
}

static void
single_matrix_is_one_letter(void **state)
{
    (void)state;
    ckda_input_system_t s;
    ckda_mat_t S;
    system_of(s,
              "{\"product\": [{\"family\": \"ckda\", \"beta\": 2, \"key\": [1, 1], "
              "\"gate\": [-1, "
              "1]}]}",
              NULL);
    assert_int_equal(s->sys->nletters, 1);
    assert_string_equal(s->letter[0], "a");
    run_word(S, s, (const char *const[]){"a", "a", "a", "a"}, 4);
    assert_true(ckda_mat_is_one(S, s->sys->K));
    ckda_mat_clear(S, s->sys->K);
    ckda_input_system_clear(s);
}

static void
constructions_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    refused(CKDA_E_INPUT, "{\"matrix\": [[1]]}", "planar",
            "construction: expected none for a document of kind \"matrix\", found "
            "\"planar\"");
    refused(CKDA_E_INPUT, "{\"group\": {\"generators\": {\"a\": \"(1,2)\"}}}",
            "quaternion", "householder");
    refused(CKDA_E_INPUT, "{\"matrix\": [[1, 2]]}", NULL,
            "expected a square matrix, found 1 x 2");
}

static void
too_many_matrix_entries_are_a_limit(void **state)
{
    (void)state;
    /* two elements on 256 points would do; a cycle of 256 has 256 * 65536 entries */
    char text[2048] = "{\"group\": {\"generators\": {\"r\": \"(1";
    for (int i = 2; i <= 256; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), ",%d", i);
    strcat(text, ")\"}}}");
    refused(CKDA_E_UNABLE, text, NULL,
            "expected matrices with at most 4000000 entries together, found 256 of "
            "dimension 256");
}

static void
file_is_opened_by_its_name(void **state)
{
    (void)state;
    static const char text[] = "{\"permutation\": [1, 2, 0]}";
    char path[] = "/tmp/ckda-test-system-XXXXXX";
    ckda_input_system_t s;
    ckda_error err = {{0}};
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(ckda_file_write(path, text, strlen(text), NULL), CKDA_OK);
    assert_int_equal(ckda_input_system_open(s, path, NULL, NULL), CKDA_OK);
    assert_string_equal(s->name, path);
    assert_int_equal(s->in->kind, CKDA_INPUT_PERMUTATION);
    ckda_input_system_clear(s);
    assert_int_equal(ckda_file_write(path, "{", 1, NULL), CKDA_OK);
    assert_int_equal(ckda_input_system_open(s, path, NULL, &err), CKDA_E_INPUT);
    assert_non_null(strstr(err.text, "line 1"));
    unlink(path);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(built_in_name_has_all_elements_as_letters),
        cmocka_unit_test(name_that_is_neither_system_nor_file),
        cmocka_unit_test(group_document_becomes_permutation_matrices),
        cmocka_unit_test(generators_only_when_asked_for),
        cmocka_unit_test(affine_document_runs),
        cmocka_unit_test(single_matrix_is_one_letter),
        cmocka_unit_test(constructions_that_do_not_fit_are_refused),
        cmocka_unit_test(too_many_matrix_entries_are_a_limit),
        cmocka_unit_test(file_is_opened_by_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
