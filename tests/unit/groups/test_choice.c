/* Which transition a letter gets where several exist, or none, or one without rounding. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

#include "ckda/construct.h"

static void
open_construction(ckda_construction_t c, const char *system, const char *name)
{
    ckda_error err;
    if (ckda_construct(c, system, name, &err) != CKDA_OK)
        fail_msg("%s %s: %s", system, name, err.text);
}

static uint32_t
element(const ckda_construction_t c, const char *text)
{
    uint32_t g = 0;
    ckda_error err;
    if (ckda_group_parse(&g, c->G, text, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    return g;
}

/* ---- the plainest pair ----------------------------------------------------------- */

/* Cost of the sign diagonal `bits` for A, or -1: by the definition, M = A S must be a
 * symmetric involution with trace n - 2; a reflection I - 2 k k^T has a nonzero entry off
 * the diagonal, or a diagonal entry that is not 1, exactly where k is not zero. */
static int
cost(const ckda_mat_t A, unsigned bits, const ckda_field_t K)
{
    ckda_mat_t M, S;
    ckda_elem_t trace;
    ckda_mat_init(M, 3, 3, K);
    ckda_mat_init(S, 3, 3, K);
    ckda_elem_init(trace, K);
    int value = 0;
    for (slong i = 0; i < 3; i++)
        ckda_mat_set_entry_si(S, i, i, bits >> i & 1 ? -1 : 1, K);
    assert_int_equal(ckda_mat_mul(M, A, S, K), CKDA_OK);
    for (slong i = 0; i < 3; i++) {
        ckda_elem_add(trace, trace, ckda_mat_entry(M, i, i), K);
        value += (ckda_elem_is_one(ckda_mat_entry(M, i, i), K) ? 0 : 10)
                 + (int)(bits >> i & 1);
    }
    if (!ckda_elem_is_one(trace, K) || !ckda_mat_is_symmetric(M, K))
        value = -1;
    ckda_elem_clear(trace, K);
    ckda_mat_clear(S, K);
    ckda_mat_clear(M, K);
    return value;
}

/* The gate of t as bits. */
static unsigned
gate_bits(const ckda_trans_t t, const ckda_field_t K)
{
    unsigned bits = 0;
    for (slong i = 0; i < t->n; i++)
        bits |= (unsigned)(ckda_elem_sgn(t->gate + i, K) < 0) << i;
    return bits;
}

static void
cube_letters_take_the_plainest_pair(void **state)
{
    (void)state;
    static const char *const system[] = {"A4", "S4"};
    int several = 0;
    for (int i = 0; i < 2; i++) {
        ckda_construction_t c;
        open_construction(c, system[i], "cube");
        for (uint32_t g = 0; g < c->G->order; g++) {
            int least = -1;
            unsigned first = 8;
            for (unsigned bits = 0; bits < 8; bits++) {
                const int value = cost(c->matrix + g, bits, c->K);
                several += value >= 0;
                if (value >= 0 && (least < 0 || value < least)) {
                    least = value;
                    first = bits;
                }
            }
            assert_int_equal(gate_bits(&c->trans[g], c->K), first);
        }
        ckda_construct_clear(c);
    }
    assert_true(several > 36); /* else there was nothing to choose */
}

/* A half turn about e_3 of the turned cube: one sign and one entry, not two entries. */
static void
half_turn_of_the_cube_has_one_entry(void **state)
{
    (void)state;
    ckda_construction_t c;
    open_construction(c, "S4", "cube");
    const ckda_trans_struct *t = &c->trans[element(c, "(1,2)(3,4)")];
    assert_int_equal(gate_bits(t, c->K), 1);
    assert_true(ckda_elem_is_zero(t->key, c->K) && !ckda_elem_is_zero(t->key + 1, c->K)
                && ckda_elem_is_zero(t->key + 2, c->K));
    ckda_construct_clear(c);
}

/* ---- partial constructions ------------------------------------------------------- */

static void
standard_cube_keeps_16_of_24_and_4_of_12(void **state)
{
    (void)state;
    static const struct {
        const char *system;
        int letters, of_order_three;
    } want[] = {{"S4", 16, 8}, {"A4", 4, 8}};
    for (int i = 0; i < 2; i++) {
        ckda_construction_t c;
        ckda_error err;
        int letters = 0, missing = 0;
        assert_int_equal(ckda_construct_partial(c, want[i].system, "cube-standard", &err),
                         CKDA_OK);
        for (uint32_t g = 0; g < c->G->order; g++) {
            letters += c->trans[g].n == 3;
            missing += c->trans[g].n == 0 && ckda_perm_order(&c->G->element[g]) == 3;
        }
        assert_int_equal(letters, want[i].letters);
        assert_int_equal(missing, want[i].of_order_three);
        ckda_construct_clear(c);
    }
}

/* All matrices are there, those of the letters expanded from their transitions. */
static void
partial_matrices_are_a_homomorphism(void **state)
{
    (void)state;
    ckda_construction_t c;
    ckda_mat_t P;
    assert_int_equal(ckda_construct_partial(c, "S4", "cube-standard", NULL), CKDA_OK);
    ckda_mat_init(P, 3, 3, c->K);
    for (uint32_t g = 0; g < c->G->order; g++) {
        if (c->trans[g].n > 0) {
            assert_int_equal(ckda_trans_matrix(P, &c->trans[g], c->K), CKDA_OK);
            assert_true(ckda_mat_equal(NULL, P, c->matrix + g, c->K));
        }
        for (uint32_t h = 0; h < c->G->order; h++) {
            assert_int_equal(ckda_mat_mul(P, c->matrix + g, c->matrix + h, c->K),
                             CKDA_OK);
            assert_true(
                ckda_mat_equal(NULL, P, c->matrix + ckda_group_mul(c->G, g, h), c->K));
        }
    }
    ckda_mat_clear(P, c->K);
    ckda_construct_clear(c);
}

/* Where nothing is missing both are the same, and what is unknown stays unknown. */
static void
partial_changes_nothing_else(void **state)
{
    (void)state;
    ckda_construction_t c;
    ckda_error err;
    assert_int_equal(ckda_construct_partial(c, "A4", NULL, &err), CKDA_OK);
    assert_string_equal(c->name, "cube");
    for (uint32_t g = 0; g < c->G->order; g++)
        assert_int_equal(c->trans[g].n, 3);
    ckda_construct_clear(c);
    assert_int_equal(ckda_construct_partial(c, "A5", "cube", &err), CKDA_E_INPUT);
    assert_int_equal(ckda_construct_partial(c, "Q8", NULL, &err), CKDA_E_INPUT);
    assert_int_equal(ckda_construct(c, "S4", "cube-standard", &err), CKDA_E_DOMAIN);
}

/* ---- unit keys that floats hold -------------------------------------------------- */

/* Is x one of 0, 1, -1, 1/2, -1/2 times `unit`? */
static bool
is_dyadic_multiple(const ckda_elem_t x, const ckda_elem_t unit, const ckda_field_t K)
{
    bool found = false;
    ckda_elem_t y;
    ckda_elem_init(y, K);
    for (slong p = -2; p <= 2; p++) {
        ckda_elem_set_frac(y, p, 2, K);
        ckda_elem_mul(y, y, unit, K);
        found = found || ckda_elem_equal(x, y, K);
    }
    ckda_elem_clear(y, K);
    return found;
}

/* The unit key has entries 0, +-1, +-1/2: |w|^2 is a square c^2 and all w_i / c are. */
static bool
has_dyadic_unit_key(const ckda_trans_t t, const ckda_field_t K)
{
    ckda_elem_t norm, c, sq;
    ckda_elem_init(norm, K);
    ckda_elem_init(c, K);
    ckda_elem_init(sq, K);
    for (slong i = 0; i < t->n; i++)
        ckda_elem_addmul(norm, t->key + i, t->key + i, K);
    bool found = false;
    for (slong p = 1; p <= 4 && !found; p++) { /* c = 1/2, 1, 3/2, 2 */
        ckda_elem_set_frac(c, p, 2, K);
        ckda_elem_mul(sq, c, c, K);
        if (!ckda_elem_equal(sq, norm, K))
            continue;
        found = true;
        for (slong i = 0; i < t->n; i++)
            found = found && is_dyadic_multiple(t->key + i, c, K);
    }
    ckda_elem_clear(sq, K);
    ckda_elem_clear(c, K);
    ckda_elem_clear(norm, K);
    return found;
}

static void
dyadic_keys_are_unit_keys_that_floats_hold(void **state)
{
    (void)state;
    static const char *const system[] = {"Z1", "Z2", "Z3", "Z6", "D1", "D2",
                                         "D3", "D6", "S2", "S3", "A3"};
    for (size_t i = 0; i < sizeof system / sizeof *system; i++) {
        ckda_construction_t c;
        open_construction(c, system[i], "dyadic");
        assert_int_equal(c->decoder, CKDA_DECODE_STATE);
        for (uint32_t g = 0; g < c->G->order; g++) {
            assert_true(has_dyadic_unit_key(&c->trans[g], c->K));
            assert_int_equal(ckda_elem_cmp_si(c->trans[g].beta, 2, c->K), 0);
        }
        ckda_construct_clear(c);
    }
}

/* The key of t is along v. */
static void
expect_key(const ckda_trans_t t, const slong *v, const ckda_field_t K)
{
    ckda_elem_t x, y;
    ckda_elem_init(x, K);
    ckda_elem_init(y, K);
    for (slong i = 0; i < t->n; i++)
        for (slong j = 0; j < i; j++) {
            ckda_elem_mul_si(x, t->key + i, v[j], K);
            ckda_elem_mul_si(y, t->key + j, v[i], K);
            assert_true(ckda_elem_equal(x, y, K));
        }
    ckda_elem_clear(y, K);
    ckda_elem_clear(x, K);
}

/* S_3: keys e_4, k, Dk with the gate D for rotations and 1 for reflections. */
static void
dyadic_letters_of_s3(void **state)
{
    (void)state;
    static const struct {
        const char *letter;
        slong key[4];
        unsigned gate;
    } want[] = {{"()", {0, 0, 0, 1}, 8},       {"(1,2,3)", {1, 1, 1, 1}, 8},
                {"(1,3,2)", {1, 1, 1, -1}, 8}, {"(2,3)", {0, 0, 0, 1}, 0},
                {"(1,2)", {1, 1, 1, 1}, 0},    {"(1,3)", {1, 1, 1, -1}, 0}};
    ckda_construction_t c;
    open_construction(c, "S3", "dyadic");
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        const ckda_trans_struct *t = &c->trans[element(c, want[i].letter)];
        expect_key(t, want[i].key, c->K);
        assert_int_equal(gate_bits(t, c->K), want[i].gate);
    }
    ckda_construct_clear(c);
}

/* Z_6 adds the gate -D, and minus the identity by e_1. */
static void
dyadic_letters_of_z6(void **state)
{
    (void)state;
    static const struct {
        slong key[4];
        unsigned gate;
    } want[] = {{{0, 0, 0, 1}, 8},  {{1, 1, 1, -1}, 7}, {{1, 1, 1, 1}, 8},
                {{1, 0, 0, 0}, 14}, {{1, 1, 1, -1}, 8}, {{1, 1, 1, 1}, 7}};
    ckda_construction_t c;
    open_construction(c, "Z6", "dyadic");
    for (uint32_t k = 0; k < 6; k++) {
        const uint32_t g = ckda_group_pow(c->G, c->G->generator[0], k);
        expect_key(&c->trans[g], want[k].key, c->K);
        assert_int_equal(gate_bits(&c->trans[g], c->K), want[k].gate);
    }
    ckda_construct_clear(c);
}

static void
tetrahedral_keys_are_hurwitz_units(void **state)
{
    (void)state;
    ckda_construction_t c;
    int halves = 0;
    open_construction(c, "A4", "quaternion");
    for (uint32_t g = 0; g < c->G->order; g++) {
        const ckda_trans_struct *t = &c->trans[g];
        slong zeros = 0;
        assert_true(has_dyadic_unit_key(t, c->K));
        for (slong i = 0; i < 4; i++)
            zeros += ckda_elem_is_zero(t->key + i, c->K);
        assert_true(zeros == 0 || zeros == 3);
        halves += zeros == 0;
    }
    assert_int_equal(halves, 8); /* the elements of order 3 */
    ckda_construct_clear(c);
}

static void
quaternion_gates_are_minus_plus_plus_plus(void **state)
{
    (void)state;
    static const char *const system[] = {"A4", "S4", "A5"};
    for (int i = 0; i < 3; i++) {
        ckda_construction_t c;
        open_construction(c, system[i], "quaternion");
        for (uint32_t g = 0; g < c->G->order; g++)
            assert_int_equal(gate_bits(&c->trans[g], c->K), 1);
        ckda_construct_clear(c);
    }
}

/* S_4's odd half has keys along (1, +-1, 0, 0): no unit key that a float holds. */
static void
octahedral_odd_half_is_not_dyadic(void **state)
{
    (void)state;
    ckda_construction_t c;
    open_construction(c, "S4", "quaternion");
    for (uint32_t g = 0; g < c->G->order; g++)
        assert_int_equal(has_dyadic_unit_key(&c->trans[g], c->K),
                         ckda_perm_parity(&c->G->element[g]) == 0);
    ckda_construct_clear(c);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cube_letters_take_the_plainest_pair),
        cmocka_unit_test(half_turn_of_the_cube_has_one_entry),
        cmocka_unit_test(standard_cube_keeps_16_of_24_and_4_of_12),
        cmocka_unit_test(partial_matrices_are_a_homomorphism),
        cmocka_unit_test(partial_changes_nothing_else),
        cmocka_unit_test(dyadic_keys_are_unit_keys_that_floats_hold),
        cmocka_unit_test(dyadic_letters_of_s3),
        cmocka_unit_test(dyadic_letters_of_z6),
        cmocka_unit_test(tetrahedral_keys_are_hurwitz_units),
        cmocka_unit_test(quaternion_gates_are_minus_plus_plus_plus),
        cmocka_unit_test(octahedral_odd_half_is_not_dyadic),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
