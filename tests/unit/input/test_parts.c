/* Readers for parts of documents, in a field that stands already. */
#include "read_text.h"

typedef struct {
    ckda_doc *doc;
    ckda_node root;
    ckda_field_t K;
} fixture;

static void
open_over_sqrt5(fixture *f, const char *text)
{
    f->doc = parse_text(text);
    f->root = ckda_doc_root(f->doc);
    ckda_field_init_sqrt(f->K, 5);
}

static void
close_fixture(fixture *f)
{
    ckda_field_clear(f->K);
    ckda_doc_close(&f->doc);
}

static void
elements_are_read_in_the_given_field(void **state)
{
    (void)state;
    fixture f;
    ckda_node at;
    ckda_elem_t x;
    open_over_sqrt5(&f, "[\"(1+sqrt(5))/2\", 7, \"0x1.8p1\"]");
    ckda_elem_init(x, f.K);
    static const char *const want[] = {"1/2+sqrt(5)/2", "7", "3"};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(ckda_node_item(&at, &f.root, i, NULL), CKDA_OK);
        assert_int_equal(ckda_input_read_elem(x, &at, f.K, NULL), CKDA_OK);
        assert_elem(x, want[i], f.K);
    }
    ckda_elem_clear(x, f.K);
    close_fixture(&f);
}

static void
element_outside_the_field_is_refused_and_changes_nothing(void **state)
{
    (void)state;
    fixture f;
    ckda_node at;
    ckda_elem_t x;
    ckda_error err = {{0}};
    open_over_sqrt5(&f, "[\"sqrt(2)\", 0.5]");
    ckda_elem_init(x, f.K);
    ckda_elem_set_si(x, 42, f.K);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(ckda_node_item(&at, &f.root, i, NULL), CKDA_OK);
        assert_int_equal(ckda_input_read_elem(x, &at, f.K, &err), CKDA_E_INPUT);
        assert_int_equal(
            strncmp(err.text, i == 0 ? "a.json: [0]: " : "a.json: [1]: ", 13), 0);
    }
    assert_elem(x, "42", f.K);
    ckda_elem_clear(x, f.K);
    close_fixture(&f);
}

static void
vectors_of_free_and_fixed_length(void **state)
{
    (void)state;
    fixture f;
    ckda_elem_struct *x = NULL;
    slong n = -5;
    ckda_error err = {{0}};
    open_over_sqrt5(&f, "[1, \"sqrt(5)\", \"1/2\"]");
    assert_int_equal(ckda_input_read_vector(&x, &n, &f.root, 2, f.K, &err), CKDA_E_INPUT);
    assert_string_equal(err.text,
                        "a.json: expected a list of 2 numbers, found a list of 3");
    assert_null(x);
    assert_int_equal(n, -5);
    assert_int_equal(ckda_input_read_vector(&x, &n, &f.root, 3, f.K, NULL), CKDA_OK);
    ckda_input_free_vector(x, n, f.K);
    assert_int_equal(ckda_input_read_vector(&x, &n, &f.root, -1, f.K, NULL), CKDA_OK);
    assert_int_equal(n, 3);
    assert_elem(x + 1, "sqrt(5)", f.K);
    ckda_input_free_vector(x, n, f.K);
    close_fixture(&f);
}

static void
empty_vector_only_when_asked_for(void **state)
{
    (void)state;
    fixture f;
    ckda_elem_struct *x = NULL;
    slong n = -5;
    open_over_sqrt5(&f, "[]");
    assert_int_equal(ckda_input_read_vector(&x, &n, &f.root, -1, f.K, NULL),
                     CKDA_E_INPUT);
    assert_int_equal(ckda_input_read_vector(&x, &n, &f.root, 0, f.K, NULL), CKDA_OK);
    assert_int_equal(n, 0);
    ckda_input_free_vector(x, n, f.K);
    close_fixture(&f);
}

static void
matrices_of_free_and_fixed_shape(void **state)
{
    (void)state;
    fixture f;
    ckda_mat_t A;
    ckda_error err = {{0}};
    open_over_sqrt5(&f, "[[1, 2, 3], [4, 5, \"sqrt(5)\"]]");
    assert_int_equal(ckda_input_read_matrix(A, &f.root, -1, -1, f.K, NULL), CKDA_OK);
    assert_int_equal(A->rows, 2);
    assert_int_equal(A->cols, 3);
    assert_elem(ckda_mat_entry(A, 1, 2), "sqrt(5)", f.K);
    ckda_mat_clear(A, f.K);
    assert_int_equal(ckda_input_read_matrix(A, &f.root, 2, 3, f.K, NULL), CKDA_OK);
    ckda_mat_clear(A, f.K);
    assert_int_equal(ckda_input_read_matrix(A, &f.root, 3, -1, f.K, &err), CKDA_E_INPUT);
    assert_string_equal(err.text, "a.json: expected a list of 3 rows, found a list of 2");
    assert_int_equal(ckda_input_read_matrix(A, &f.root, -1, 2, f.K, &err), CKDA_E_INPUT);
    assert_string_equal(err.text,
                        "a.json: [0]: expected a list of 2 numbers, found a list of 3");
    assert_int_equal(ckda_input_read_square(A, &f.root, f.K, &err), CKDA_E_INPUT);
    assert_string_equal(err.text, "a.json: expected a square matrix, found 2 x 3");
    close_fixture(&f);
}

static void
transition_and_product_of_a_larger_document(void **state)
{
    (void)state;
    fixture f;
    ckda_node at;
    ckda_trans_t t;
    ckda_trans_struct *list = NULL;
    slong count = 0;
    ckda_mat_t A, B;
    open_over_sqrt5(
        &f, "{\"step\": {\"family\": \"ckda\", \"beta\": 2, \"key\": [\"sqrt(5)\", 1], "
            "\"gate\": [1, -1]}, \"steps\": [{\"family\": \"deltanet\", \"beta\": 2, "
            "\"key\": [1, 0]}, {\"family\": \"kda\", \"beta\": 1, \"key\": [0, 1], "
            "\"gate\": [\"1/2\", 1]}]}");
    assert_int_equal(ckda_node_member(&at, &f.root, "step", NULL), CKDA_OK);
    assert_int_equal(ckda_input_read_transition(t, &at, f.K, NULL), CKDA_OK);
    assert_elem(t->key, "sqrt(5)", f.K);
    assert_int_equal(ckda_input_multiply(A, t, 1, f.K), CKDA_OK);
    ckda_mat_init(B, 2, 2, f.K);
    assert_int_equal(ckda_trans_matrix(B, t, f.K), CKDA_OK);
    assert_true(ckda_mat_equal(NULL, A, B, f.K));
    ckda_mat_clear(B, f.K);
    ckda_mat_clear(A, f.K);
    assert_int_equal(ckda_node_member(&at, &f.root, "steps", NULL), CKDA_OK);
    assert_int_equal(ckda_input_read_product(&list, &count, &at, f.K, NULL), CKDA_OK);
    assert_int_equal(count, 2);
    assert_int_equal(ckda_input_multiply(A, list, count, f.K), CKDA_OK);
    assert_elem(ckda_mat_entry(A, 0, 0), "-1/2", f.K);
    assert_elem(ckda_mat_entry(A, 1, 1), "0", f.K);
    ckda_mat_clear(A, f.K);
    assert_int_equal(ckda_input_multiply(A, list, 0, f.K), CKDA_E_SHAPE);
    ckda_trans_swap(list + 1, t); /* unequal dimensions do not multiply */
    ckda_trans_clear(t, f.K);
    ckda_trans_init(t, CKDA_CKDA, 3, 1, f.K);
    ckda_trans_swap(list + 1, t);
    assert_int_equal(ckda_input_multiply(A, list, 2, f.K), CKDA_E_SHAPE);
    ckda_trans_clear(t, f.K);
    ckda_input_free_product(list, count, f.K);
    close_fixture(&f);
}

static void
group_of_a_larger_document(void **state)
{
    (void)state;
    ckda_group_t G;
    bool all = false;
    ckda_doc *doc = parse_text("{\"generators\": {\"r\": \"(1,2,3,4)\"}}");
    const ckda_node root = ckda_doc_root(doc);
    assert_int_equal(ckda_input_read_group(G, &all, &root, NULL), CKDA_OK);
    assert_true(all);
    assert_int_equal(G->order, 4);
    ckda_group_clear(G);
    ckda_doc_close(&doc);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_are_read_in_the_given_field),
        cmocka_unit_test(element_outside_the_field_is_refused_and_changes_nothing),
        cmocka_unit_test(vectors_of_free_and_fixed_length),
        cmocka_unit_test(empty_vector_only_when_asked_for),
        cmocka_unit_test(matrices_of_free_and_fixed_shape),
        cmocka_unit_test(transition_and_product_of_a_larger_document),
        cmocka_unit_test(group_of_a_larger_document),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
