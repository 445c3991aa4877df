/* The root-free test of membership in SH_n: certificates counted and expanded again. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

#include "ckda/construct.h"

/* A = H_w S, expanded. */
static void
expect_certificate(const ckda_mat_t A, const int *signs, const ckda_elem_struct *w,
                   const ckda_field_t K)
{
    ckda_trans_t t;
    ckda_mat_t B;
    ckda_mat_init(B, A->rows, A->rows, K);
    ckda_trans_init(t, CKDA_CKDA, A->rows, 1, K);
    ckda_elem_set_si(t->beta, 2, K);
    for (slong i = 0; i < A->rows; i++) {
        ckda_elem_set(t->key + i, w + i, K);
        ckda_elem_set_si(t->gate + i, signs[i], K);
    }
    assert_int_equal(ckda_trans_matrix(B, t, K), CKDA_OK);
    assert_true(ckda_mat_equal(NULL, A, B, K));
    ckda_trans_clear(t, K);
    ckda_mat_clear(B, K);
}

/* Counts of matrices with i certificates, i = 0 .. 3; each first one is expanded. */
static void
histogram(int *count, const ckda_mat_struct *A, uint32_t order, const ckda_field_t K)
{
    ckda_elem_struct w[3];
    int signs[3];
    for (int i = 0; i < 3; i++)
        ckda_elem_init(w + i, K);
    memset(count, 0, 4 * sizeof *count);
    for (uint32_t g = 0; g < order; g++) {
        const slong pairs = ckda_signed_householder(signs, w, A + g, K);
        assert_true(pairs >= 0 && pairs <= 3);
        count[pairs]++;
        if (pairs > 0)
            expect_certificate(A + g, signs, w, K);
    }
    for (int i = 0; i < 3; i++)
        ckda_elem_clear(w + i, K);
}

/* Vector T3: 3 certificates for 4, 2 for 4, 1 for 16 of the turned cube's rotations. */
static void
turned_cube_counts(void **state)
{
    (void)state;
    int count[4];
    ckda_construction_t c;
    assert_int_equal(ckda_construct(c, "S4", "cube", NULL), CKDA_OK);
    histogram(count, c->rotation, c->G->order, c->K);
    assert_true(count[0] == 0 && count[1] == 16 && count[2] == 4 && count[3] == 4);
    ckda_construct_clear(c);
}

/* In the standard position 16 of 24 pass; the rotations are those of `quaternion`. */
static void
standard_cube_counts(void **state)
{
    (void)state;
    ckda_construction_t c;
    int signs[3];
    uint32_t pass = 0;
    assert_int_equal(ckda_construct(c, "S4", "quaternion", NULL), CKDA_OK);
    for (uint32_t g = 0; g < c->G->order; g++) {
        const slong pairs = ckda_signed_householder(signs, NULL, c->rotation + g, c->K);
        assert_int_equal(pairs == 0, ckda_perm_order(&c->G->element[g]) == 3);
        pass += pairs > 0;
    }
    assert_int_equal(pass, 16);
    ckda_construct_clear(c);
}

/* Prop 13 on the icosahedral group: half turns have one certificate for each zero of the
 * axis and one more at most; a rotation with axial vector w != 0 has as many as w has
 * zeros, so exactly those with w1 w2 w3 = 0 pass.  At most 52 of 60 can pass. */
static void
icosahedral_counts_follow_the_axis(void **state)
{
    (void)state;
    ckda_construction_t c;
    ckda_elem_t w;
    int signs[3];
    uint32_t pass = 0;
    assert_int_equal(ckda_construct(c, "A5", "quaternion", NULL), CKDA_OK);
    ckda_elem_init(w, c->K);
    for (uint32_t g = 0; g < c->G->order; g++) {
        const ckda_mat_struct *R = c->rotation + g;
        const slong pairs = ckda_signed_householder(signs, NULL, R, c->K);
        slong zeros = 0;
        for (slong i = 0; i < 3; i++) {
            const slong j = (i + 1) % 3, k = (i + 2) % 3;
            ckda_elem_sub(w, ckda_mat_entry(R, k, j), ckda_mat_entry(R, j, k), c->K);
            zeros += ckda_elem_is_zero(w, c->K);
        }
        if (zeros < 3) /* neither the identity nor a half turn */
            assert_int_equal(pairs, zeros);
        else
            assert_true(pairs >= 1);
        pass += pairs > 0;
    }
    assert_int_equal(pass, 52);
    ckda_elem_clear(w, c->K);
    ckda_construct_clear(c);
}

/* Vector T3: signs and key directions of four elements. */
static void
turned_cube_vectors(void **state)
{
    (void)state;
    static const struct {
        const char *images;
        int signs[3];
        slong key[3][2]; /* p + q sqrt 2 */
        slong pairs;
    } want[] = {{"[1,2,3,0]", {1, 1, -1}, {{1, 0}, {-1, 0}, {0, 1}}, 1},
                {"[0,2,3,1]", {1, -1, 1}, {{1, 0}, {1, 0}, {0, -1}}, 1},
                {"[2,3,1,0]", {1, -1, 1}, {{1, 0}, {1, 0}, {0, 0}}, 2},
                {"[0,2,1,3]", {-1, -1, -1}, {{1, 0}, {1, 0}, {0, -1}}, 1}};
    ckda_construction_t c;
    ckda_elem_struct w[3], tmp;
    assert_int_equal(ckda_construct(c, "S4", "cube", NULL), CKDA_OK);
    ckda_elem_init(&tmp, c->K);
    for (int i = 0; i < 3; i++)
        ckda_elem_init(w + i, c->K);
    for (size_t j = 0; j < sizeof want / sizeof *want; j++) {
        uint32_t g = 0;
        for (int i = 0; i < 3; i++) {
            ckda_elem_gen(&tmp, c->K);
            ckda_elem_mul_si(w + i, &tmp, want[j].key[i][1], c->K);
            ckda_elem_set_si(&tmp, want[j].key[i][0], c->K);
            ckda_elem_add(w + i, w + i, &tmp, c->K);
        }
        assert_int_equal(ckda_group_parse(&g, c->G, want[j].images, NULL), CKDA_OK);
        expect_certificate(c->matrix + g, want[j].signs, w, c->K);
        assert_int_equal(ckda_signed_householder(NULL, NULL, c->matrix + g, c->K),
                         want[j].pairs);
    }
    for (int i = 0; i < 3; i++)
        ckda_elem_clear(w + i, c->K);
    ckda_elem_clear(&tmp, c->K);
    ckda_construct_clear(c);
}

static slong
pairs_of(const slong *v, slong n, const ckda_field_t K)
{
    ckda_mat_t A;
    ckda_mat_init(A, n, n, K);
    ckda_mat_set_si(A, v, 1, K);
    const slong pairs = ckda_signed_householder(NULL, NULL, A, K);
    ckda_mat_clear(A, K);
    return pairs;
}

/* Every +-1 is in SH_1, the identity has one pair for each coordinate, -I likewise; a
 * rotation of the plane e1, e2 by a quarter turn needs one minus sign there. */
static void
small_dimensions(void **state)
{
    (void)state;
    ckda_field_t Q;
    ckda_field_init_rational(Q);
    assert_int_equal(pairs_of((const slong[]){1}, 1, Q), 1);
    assert_int_equal(pairs_of((const slong[]){-1}, 1, Q), 1);
    assert_int_equal(pairs_of((const slong[]){1, 0, 0, 1}, 2, Q), 2);
    assert_int_equal(pairs_of((const slong[]){0, -1, 1, 0}, 2, Q), 2);
    assert_int_equal(pairs_of((const slong[]){1, 0, 0, 0, 1, 0, 0, 0, 1}, 3, Q), 3);
    assert_int_equal(pairs_of((const slong[]){-1, 0, 0, 0, -1, 0, 0, 0, -1}, 3, Q), 3);
    assert_int_equal(pairs_of((const slong[]){0, 0, 1, 1, 0, 0, 0, 1, 0}, 3, Q), 0);
    ckda_field_clear(Q);
}

/* A random reflection times random signs is always recognised. */
static void
random_members_are_recognised(void **state)
{
    (void)state;
    ckda_field_t K;
    ckda_rand r;
    ckda_rand_init(&r, 7);
    ckda_field_init_sqrt(K, 3);
    for (slong n = 1; n <= 5; n++)
        for (int trial = 0; trial < 10; trial++) {
            ckda_trans_t t;
            ckda_mat_t A;
            ckda_elem_struct w[5];
            int signs[5];
            ckda_trans_init(t, CKDA_CKDA, n, 1, K);
            ckda_mat_init(A, n, n, K);
            for (slong i = 0; i < n; i++) {
                ckda_elem_init(w + i, K);
                ckda_elem_rand(t->key + i, &r, 3, 2, K);
                ckda_elem_set_si(t->gate + i, ckda_rand_below(&r, 2) ? 1 : -1, K);
            }
            if (ckda_elem_is_zero(t->key, K))
                ckda_elem_one(t->key, K);
            ckda_elem_set_si(t->beta, 2, K);
            assert_int_equal(ckda_trans_matrix(A, t, K), CKDA_OK);
            assert_true(ckda_signed_householder(signs, w, A, K) >= 1);
            expect_certificate(A, signs, w, K);
            for (slong i = 0; i < n; i++)
                ckda_elem_clear(w + i, K);
            ckda_mat_clear(A, K);
            ckda_trans_clear(t, K);
        }
    ckda_field_clear(K);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turned_cube_counts),
        cmocka_unit_test(standard_cube_counts),
        cmocka_unit_test(icosahedral_counts_follow_the_axis),
        cmocka_unit_test(turned_cube_vectors),
        cmocka_unit_test(small_dimensions),
        cmocka_unit_test(random_members_are_recognised),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
