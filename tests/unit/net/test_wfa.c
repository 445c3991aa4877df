/* Weighted automata: values against other ways to compute them. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

#include "ckda/wfa.h"

/* Binary numbers: 0 doubles, 1 doubles and adds one; value of a word = its number. */
static void
make_binary(ckda_wfa_t A, const ckda_field_t Q)
{
    static const slong zero[] = {1, 0, 0, 2}, one[] = {1, 0, 1, 2};
    ckda_wfa_init(A, 2, 2, Q);
    ckda_mat_set_si(A->matrix, zero, 1, Q);
    ckda_mat_set_si(A->matrix + 1, one, 1, Q);
    ckda_elem_one(A->initial->entry, Q);
    ckda_elem_one(A->final->entry + 1, Q);
}

static void
make_random(ckda_wfa_t A, slong n, uint32_t letters, ckda_rand *r, const ckda_field_t Q)
{
    ckda_wfa_init(A, n, letters, Q);
    for (uint32_t x = 0; x < letters; x++)
        ckda_mat_rand(A->matrix + x, r, 5, 4, Q);
    ckda_mat_rand(A->initial, r, 5, 4, Q);
    ckda_mat_rand(A->final, r, 5, 4, Q);
}

static void
value_of_a_binary_word_is_its_number(void **state)
{
    (void)state;
    ckda_field_t Q;
    ckda_wfa_t A;
    ckda_elem_t y;
    ckda_field_init_rational(Q);
    ckda_elem_init(y, Q);
    make_binary(A, Q);
    for (uint32_t v = 0; v < 64; v++) {
        uint32_t bits[6];
        const ckda_word_t w = {{bits, 6}};
        for (int i = 0; i < 6; i++)
            bits[i] = v >> (5 - i) & 1;
        ckda_wfa_value(y, A, w, Q);
        assert_int_equal(ckda_elem_cmp_si(y, (slong)v, Q), 0);
    }
    const ckda_word_t empty = {{NULL, 0}};
    ckda_wfa_value(y, A, empty, Q);
    assert_true(ckda_elem_is_zero(y, Q));
    ckda_wfa_clear(A, Q);
    ckda_elem_clear(y, Q);
    ckda_field_clear(Q);
}

/* final^T (M_t ... M_1) initial with the product of matrices formed first. */
static void
value_by_vectors_is_value_by_matrices(void **state)
{
    (void)state;
    ckda_field_t Q;
    ckda_rand r;
    ckda_field_init_rational(Q);
    ckda_rand_init(&r, 1);
    for (slong n = 1; n <= 4; n++) {
        ckda_wfa_t A;
        ckda_mat_t P, F, y;
        ckda_elem_t v;
        uint32_t letters[9];
        const ckda_word_t w = {{letters, 9}};
        make_random(A, n, 3, &r, Q);
        ckda_mat_init(P, n, n, Q);
        ckda_mat_init(F, 1, n, Q);
        ckda_mat_init(y, 1, 1, Q);
        ckda_elem_init(v, Q);
        assert_int_equal(ckda_mat_one(P, Q), CKDA_OK);
        for (int t = 0; t < 9; t++) {
            letters[t] = (uint32_t)ckda_rand_below(&r, 3);
            assert_int_equal(ckda_mat_mul(P, A->matrix + letters[t], P, Q), CKDA_OK);
        }
        assert_int_equal(ckda_mat_transpose(F, A->final, Q), CKDA_OK);
        assert_int_equal(ckda_mat_mul(F, F, P, Q), CKDA_OK);
        assert_int_equal(ckda_mat_mul(y, F, A->initial, Q), CKDA_OK);
        ckda_wfa_value(v, A, w, Q);
        assert_true(ckda_elem_equal(v, y->entry, Q));
        ckda_elem_clear(v, Q);
        ckda_mat_clear(y, Q);
        ckda_mat_clear(F, Q);
        ckda_mat_clear(P, Q);
        ckda_wfa_clear(A, Q);
    }
    ckda_field_clear(Q);
}

static void
steps_and_reading_agree_with_the_value_of_every_prefix(void **state)
{
    (void)state;
    ckda_field_t Q;
    ckda_rand r;
    ckda_wfa_t A;
    ckda_mat_t x;
    ckda_elem_t y, z;
    uint32_t letters[12];
    ckda_field_init_rational(Q);
    ckda_rand_init(&r, 2);
    make_random(A, 3, 2, &r, Q);
    ckda_elem_init(y, Q);
    ckda_elem_init(z, Q);
    ckda_mat_init_set(x, A->initial, Q);
    for (size_t t = 0; t < 12; t++) {
        letters[t] = (uint32_t)ckda_rand_below(&r, 2);
        ckda_wfa_step(x, A, letters[t], Q);
        ckda_wfa_read(y, A, x, Q);
        const ckda_word_t w = {{letters, t + 1}};
        ckda_wfa_value(z, A, w, Q);
        assert_true(ckda_elem_equal(y, z, Q));
    }
    ckda_wfa_read(x->entry, A, x, Q); /* the result may lie in the state */
    assert_true(ckda_elem_equal(x->entry, z, Q));
    ckda_mat_clear(x, Q);
    ckda_elem_clear(z, Q);
    ckda_elem_clear(y, Q);
    ckda_wfa_clear(A, Q);
    ckda_field_clear(Q);
}

static void
letters_have_names(void **state)
{
    (void)state;
    ckda_field_t Q;
    ckda_wfa_t A;
    ckda_field_init_rational(Q);
    ckda_wfa_init(A, 1, 11, Q);
    assert_string_equal(A->letter[10], "10");
    ckda_wfa_set_letter(A, 10, "ten");
    ckda_wfa_set_letter(A, 10, A->letter[10] + 1);
    assert_int_equal(ckda_wfa_letter(A, "en"), 10);
    assert_int_equal(ckda_wfa_letter(A, "10"), -1);
    ckda_wfa_clear(A, Q);
    ckda_field_clear(Q);
}

static void
equality_sees_every_part(void **state)
{
    (void)state;
    ckda_field_t Q;
    ckda_wfa_t A, B;
    ckda_field_init_rational(Q);
    make_binary(A, Q);
    make_binary(B, Q);
    assert_true(ckda_wfa_equal(A, B, Q));
    ckda_mat_set_entry_si(B->matrix + 1, 1, 1, 3, Q);
    assert_false(ckda_wfa_equal(A, B, Q));
    ckda_mat_set_entry_si(B->matrix + 1, 1, 1, 2, Q);
    ckda_mat_set_entry_frac(B->initial, 0, 0, 1, 2, Q);
    assert_false(ckda_wfa_equal(A, B, Q));
    ckda_mat_set_entry_si(B->initial, 0, 0, 1, Q);
    ckda_mat_set_entry_si(B->final, 0, 0, 1, Q);
    assert_false(ckda_wfa_equal(A, B, Q));
    ckda_mat_set_entry_si(B->final, 0, 0, 0, Q);
    ckda_wfa_set_letter(B, 0, "zero");
    assert_false(ckda_wfa_equal(A, B, Q));
    ckda_wfa_clear(B, Q);
    ckda_wfa_init(B, 2, 1, Q);
    assert_false(ckda_wfa_equal(A, B, Q));
    ckda_wfa_clear(B, Q);
    ckda_wfa_clear(A, Q);
    ckda_field_clear(Q);
}

static int
finish(void **state)
{
    (void)state;
    flint_cleanup();
    return 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(value_of_a_binary_word_is_its_number),
        cmocka_unit_test(value_by_vectors_is_value_by_matrices),
        cmocka_unit_test(steps_and_reading_agree_with_the_value_of_every_prefix),
        cmocka_unit_test(letters_have_names),
        cmocka_unit_test(equality_sees_every_part),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
