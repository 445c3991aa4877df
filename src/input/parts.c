/* Numbers, vectors and matrices of a known field. */
#include <stdio.h>
#include "input_internal.h"

ckda_status
ckda_input_read_elem(ckda_elem_t x, const ckda_node *at, const ckda_field_t K,
                     ckda_error *err)
{
    const char *text;
    char buf[32], place[512];
    if (json_is_integer(at->json)) {
        ckda_elem_set_si(x, (slong)json_integer_value(at->json), K);
        return CKDA_OK;
    }
    ckda_status st = ckda_node_number(&text, buf, at, err);
    if (st != CKDA_OK)
        return st;
    st = ckda_elem_set_str(x, text, K, err);
    if (st != CKDA_OK) {
        ckda_node_place(place, sizeof place, at);
        ckda_error_prefix(err, place);
    }
    return st;
}

/* Is `at` a list of n entries (n < 0: of at least one)? */
static ckda_status
list_size(slong *n, const ckda_node *at, slong want, const char *of, ckda_error *err)
{
    char expected[64];
    if (want >= 0)
        snprintf(expected, sizeof expected, "a list of %ld %s", (long)want, of);
    else
        snprintf(expected, sizeof expected, "a list of %s", of);
    const slong size = (slong)json_array_size(at->json);
    if (!json_is_array(at->json) || (want < 0 && size == 0)
        || (want >= 0 && size != want))
        return ckda_node_fail(at, err, expected, NULL);
    *n = size;
    return CKDA_OK;
}

ckda_status
read_list(ckda_elem_struct *x, const ckda_node *at, slong n, const ckda_field_t K,
          ckda_error *err)
{
    ckda_node item;
    slong size;
    ckda_status st = list_size(&size, at, n, "numbers", err);
    for (slong i = 0; i < n && st == CKDA_OK; i++) {
        st = ckda_node_item(&item, at, (size_t)i, err);
        if (st == CKDA_OK)
            st = ckda_input_read_elem(x + i, &item, K, err);
    }
    return st;
}

void
ckda_input_free_vector(ckda_elem_struct *x, slong n, const ckda_field_t K)
{
    for (slong i = 0; i < n; i++)
        ckda_elem_clear(x + i, K);
    flint_free(x);
}

ckda_status
ckda_input_read_vector(ckda_elem_struct **x, slong *n, const ckda_node *at, slong want,
                       const ckda_field_t K, ckda_error *err)
{
    slong size;
    ckda_status st = list_size(&size, at, want, "numbers", err);
    if (st != CKDA_OK)
        return st;
    ckda_elem_struct *y = flint_malloc((size_t)(size + 1) * sizeof *y);
    for (slong i = 0; i < size; i++)
        ckda_elem_init(y + i, K);
    st = read_list(y, at, size, K, err);
    if (st != CKDA_OK) {
        ckda_input_free_vector(y, size, K);
        return st;
    }
    *x = y;
    *n = size;
    return CKDA_OK;
}

/* Rows and columns of a list of lists; that all rows are alike is seen on reading. */
static ckda_status
matrix_shape(slong *rows, slong *cols, const ckda_node *at, ckda_error *err)
{
    ckda_node first;
    ckda_status st = list_size(rows, at, *rows, "rows", err);
    if (st == CKDA_OK && *rows == 0)
        return *cols < 0 ? ckda_node_fail(at, err, "a list of rows", NULL) : CKDA_OK;
    if (st == CKDA_OK)
        st = ckda_node_item(&first, at, 0, err);
    return st != CKDA_OK ? st : list_size(cols, &first, *cols, "numbers", err);
}

ckda_status
ckda_input_read_matrix(ckda_mat_t A, const ckda_node *at, slong rows, slong cols,
                       const ckda_field_t K, ckda_error *err)
{
    ckda_mat_t B;
    ckda_node row;
    ckda_status st = matrix_shape(&rows, &cols, at, err);
    if (st != CKDA_OK)
        return st;
    ckda_mat_init(B, rows, cols, K);
    for (slong i = 0; i < rows && st == CKDA_OK; i++) {
        st = ckda_node_item(&row, at, (size_t)i, err);
        if (st == CKDA_OK)
            st = read_list(ckda_mat_entry(B, i, 0), &row, cols, K, err);
    }
    if (st == CKDA_OK)
        *A = *B;
    else
        ckda_mat_clear(B, K);
    return st;
}

ckda_status
ckda_input_read_square(ckda_mat_t A, const ckda_node *at, const ckda_field_t K,
                       ckda_error *err)
{
    slong rows = -1, cols = -1;
    char found[64];
    const ckda_status st = matrix_shape(&rows, &cols, at, err);
    if (st != CKDA_OK)
        return st;
    if (rows != cols) {
        snprintf(found, sizeof found, "%ld x %ld", (long)rows, (long)cols);
        return ckda_node_fail(at, err, "a square matrix", found);
    }
    return ckda_input_read_matrix(A, at, rows, rows, K, err);
}
