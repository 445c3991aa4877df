/* The common-denominator form against the plain one, and the edge of its int64 path. */
#include "fixture.h"

#include "ckda/matden.h"
#include "matden_internal.h"

/* Plain matrices A, B, R of one shape and their fast twins. */
typedef struct {
    ckda_matden_ctx_t ctx;
    ckda_mat_t A, B, R, S;
    ckda_matden_t a, b, r, s;
} twins;

static void
twins_init(twins *t, slong n, const ckda_field_t K)
{
    ckda_matden_ctx_init(t->ctx, K);
    ckda_mat_struct *m[4] = {t->A, t->B, t->R, t->S};
    ckda_matden_struct *d[4] = {t->a, t->b, t->r, t->s};
    for (int i = 0; i < 4; i++) {
        ckda_mat_init(m[i], n, n, K);
        ckda_matden_init(d[i], n, n, t->ctx);
    }
}

static void
twins_clear(twins *t, const ckda_field_t K)
{
    ckda_mat_struct *m[4] = {t->A, t->B, t->R, t->S};
    ckda_matden_struct *d[4] = {t->a, t->b, t->r, t->s};
    for (int i = 0; i < 4; i++) {
        ckda_mat_clear(m[i], K);
        ckda_matden_clear(d[i], t->ctx);
    }
    ckda_matden_ctx_clear(t->ctx);
}

/* Does r hold exactly R, in canonical form? */
static void
assert_same(const ckda_matden_t r, const ckda_mat_t R, const ckda_matden_ctx_t ctx)
{
    ckda_mat_t M;
    ckda_matden_t m;
    ckda_mat_init(M, R->rows, R->cols, ctx->K);
    ckda_matden_init(m, R->rows, R->cols, ctx);
    OK(ckda_matden_get_mat(M, r, ctx));
    assert_true(ckda_mat_equal(NULL, M, R, ctx->K));
    OK(ckda_matden_set_mat(m, R, ctx));
    assert_true(ckda_matden_equal(m, r, ctx));
    assert_int_equal(ckda_matden_hash(m, ctx), ckda_matden_hash(r, ctx));
    for (slong i = 0; ckda_matden_is_small(r) && i < ckda_matden_count(r, ctx); i++)
        assert_true((uint64_t)llabs((long long)r->small[i]) <= r->mag);
    assert_true(r->mag < CKDA_MATDEN_LIMIT);
    ckda_matden_clear(m, ctx);
    ckda_mat_clear(M, ctx->K);
}

static void
assert_ring_operations_agree(twins *t, const ckda_field_t K)
{
    OK(ckda_matden_set_mat(t->a, t->A, t->ctx));
    OK(ckda_matden_set_mat(t->b, t->B, t->ctx));
    assert_same(t->a, t->A, t->ctx);
    OK(ckda_matden_mul(t->r, t->a, t->b, t->ctx));
    OK(ckda_mat_mul(t->R, t->A, t->B, K));
    assert_same(t->r, t->R, t->ctx);
    OK(ckda_matden_add(t->r, t->a, t->b, t->ctx));
    OK(ckda_mat_add(t->R, t->A, t->B, K));
    assert_same(t->r, t->R, t->ctx);
    OK(ckda_matden_sub(t->r, t->a, t->b, t->ctx));
    OK(ckda_mat_sub(t->R, t->A, t->B, K));
    assert_same(t->r, t->R, t->ctx);
}

static void
agrees_with_plain_matrices(void **state)
{
    fixture *f = *state;
    for (int k = 0; k < NFIELDS; k++)
        for (int round = 0; round < (k == 4 ? 2 : 12); round++) {
            const ckda_field_struct *K = f->K[k];
            twins t;
            twins_init(&t, k == 4 ? 2 : round % 6, K);
            ckda_mat_rand(t.A, &f->r, 8, round % 2 ? 1 : 6, K);
            ckda_mat_rand(t.B, &f->r, 8, round % 3 ? 4 : 1, K);
            assert_ring_operations_agree(&t, K);
            twins_clear(&t, K);
        }
}

static void
results_may_alias_inputs(void **state)
{
    fixture *f = *state;
    ckda_status (*op[3])(ckda_matden_t, const ckda_matden_t, const ckda_matden_t,
                         const ckda_matden_ctx_t) = {ckda_matden_mul, ckda_matden_add,
                                                     ckda_matden_sub};
    for (int k = 0; k < NFIELDS; k++)
        for (int i = 0; i < 6; i++) {
            const ckda_field_struct *K = f->K[k];
            twins t;
            twins_init(&t, k == 4 ? 2 : 4 + i % 2,
                       K); /* with and without a fixed-size kernel */
            ckda_mat_rand(t.A, &f->r, 8, 6, K);
            ckda_mat_rand(t.B, &f->r, 8, 6, K);
            if (i >= 3) /* the big form */
                ckda_elem_set_frac(t.A->entry, WORD_MAX, 3, K);
            OK(ckda_matden_set_mat(t.a, t.A, t.ctx));
            OK(ckda_matden_set_mat(t.b, t.B, t.ctx));
            assert_int_equal(ckda_matden_is_small(t.a), i < 3);
            OK(op[i % 3](t.r, t.a, t.b, t.ctx));
            OK(ckda_matden_set(t.s, t.a, t.ctx));
            OK(op[i % 3](t.s, t.s, t.b, t.ctx));
            assert_true(ckda_matden_equal(t.r, t.s, t.ctx));
            OK(ckda_matden_set(t.s, t.b, t.ctx));
            OK(op[i % 3](t.s, t.a, t.s, t.ctx));
            assert_true(ckda_matden_equal(t.r, t.s, t.ctx));
            OK(op[i % 3](t.r, t.a, t.a, t.ctx));
            OK(ckda_matden_set(t.s, t.a, t.ctx));
            OK(op[i % 3](t.s, t.s, t.s, t.ctx));
            assert_true(ckda_matden_equal(t.r, t.s, t.ctx));
            twins_clear(&t, K);
        }
}

static void
rectangular_products_agree(void **state)
{
    fixture *f = *state;
    for (int k = 0; k < 4; k++)
        for (slong n = 0; n < 4; n++)
            for (slong l = 0; l < 3; l++) {
                const ckda_field_struct *K = f->K[k];
                const slong m = 5;
                ckda_matden_ctx_t ctx;
                ckda_mat_t A, B, C;
                ckda_matden_t a, b, c;
                ckda_matden_ctx_init(ctx, K);
                ckda_mat_init(A, n, l, K);
                ckda_mat_init(B, l, m, K);
                ckda_mat_init(C, n, m, K);
                ckda_matden_init(a, n, l, ctx);
                ckda_matden_init(b, l, m, ctx);
                ckda_matden_init(c, n, m, ctx);
                ckda_mat_rand(A, &f->r, 5, 4, K);
                ckda_mat_rand(B, &f->r, 5, 4, K);
                OK(ckda_matden_set_mat(a, A, ctx));
                OK(ckda_matden_set_mat(b, B, ctx));
                OK(ckda_mat_mul(C, A, B, K));
                OK(ckda_matden_mul(c, a, b, ctx));
                assert_same(c, C, ctx);
                ckda_matden_mul_big(c, a, b, ctx);
                assert_same(c, C, ctx);
                ckda_matden_clear(c, ctx);
                ckda_matden_clear(b, ctx);
                ckda_matden_clear(a, ctx);
                ckda_mat_clear(C, K);
                ckda_mat_clear(B, K);
                ckda_mat_clear(A, K);
                ckda_matden_ctx_clear(ctx);
            }
}

/* A(i, j) = x (1 + a + .. + a^(d-1)) with the sign s(i, j). */
static void
set_all(ckda_mat_t A, const fmpz_t x, bool signs, ckda_rand *r, const ckda_field_t K)
{
    fmpq_poly_t f;
    fmpz_t y;
    fmpq_poly_init(f);
    fmpz_init(y);
    for (slong e = 0; e < A->rows * A->cols; e++) {
        for (slong k = 0; k < K->degree; k++) {
            fmpz_set(y, x);
            if (signs && ckda_rand_below(r, 2))
                fmpz_neg(y, y);
            fmpq_poly_set_coeff_fmpz(f, k, y);
        }
        ckda_elem_set_fmpq_poly(A->entry + e, f, K);
    }
    fmpz_clear(y);
    fmpq_poly_clear(f);
}

/* The largest x with growth n x^2 < 2^62, then x + 1: the last product that may run on
 * int64 and the first that may not.  Both must be right. */
static void
products_at_the_edge_of_the_bound(void **state)
{
    fixture *f = *state;
    for (int k = 0; k < NFIELDS; k++) {
        const ckda_field_struct *K = f->K[k];
        twins t;
        fmpz_t x;
        slong n = k == 4 ? 2 : 4;
        twins_init(&t, n, K);
        uint64_t g = ckda_matden_growth(t.ctx);
        if (g == 0) { /* the table of this field never fits */
            twins_clear(&t, K);
            continue;
        }
        fmpz_init(x);
        fmpz_ui_pow_ui(x, 2, 62);
        fmpz_sub_ui(x, x, 1);
        fmpz_fdiv_q_ui(x, x, g * (uint64_t)n);
        fmpz_sqrt(x, x);
        for (int step = 0; step < 4; step++) {
            set_all(t.A, x, step % 2, &f->r, K);
            set_all(t.B, x, step % 2, &f->r, K);
            assert_ring_operations_agree(&t, K);
            if (step % 2)
                fmpz_add_ui(x, x, 1);
        }
        fmpz_clear(x);
        twins_clear(&t, K);
    }
}

static void
values_cross_the_limit_both_ways(void **state)
{
    fixture *f = *state;
    int small = 0, big = 0;
    for (int k = 0; k < 4; k++)
        for (ulong bits = 20; bits <= 70; bits += 2) {
            const ckda_field_struct *K = f->K[k];
            twins t;
            fmpz_t x;
            fmpz_init(x);
            twins_init(&t, 2, K);
            fmpz_ui_pow_ui(x, 2, bits);
            fmpz_sub_ui(x, x, ckda_rand_below(&f->r, 3));
            set_all(t.A, x, true, &f->r, K);
            ckda_mat_rand(t.B, &f->r, 9, 5, K);
            assert_ring_operations_agree(&t, K);
            OK(ckda_matden_mul(t.r, t.a, t.b, t.ctx));
            small += ckda_matden_is_small(t.r);
            big += !ckda_matden_is_small(t.r);
            OK(ckda_matden_sub(t.r, t.r, t.r, t.ctx)); /* and back down */
            assert_true(ckda_matden_is_small(t.r) && t.r->den == 1 && t.r->mag == 0);
            OK(ckda_matden_add(t.r, t.a, t.b, t.ctx));
            OK(ckda_matden_sub(t.r, t.r, t.a, t.ctx));
            assert_true(ckda_matden_equal(t.r, t.b, t.ctx));
            fmpz_clear(x);
            twins_clear(&t, K);
        }
    assert_true(small > 0 && big > 0);
}

/* The canonical form switches exactly at 2^62, in entries and in the denominator. */
static void
the_form_is_canonical_at_two_to_62(void **state)
{
    fixture *f = *state;
    const ckda_field_struct *K = f->K[1];
    const slong limit = WORD(1) << 62;
    twins t;
    twins_init(&t, 1, K);
    for (int sign = -1; sign <= 1; sign += 2) {
        ckda_elem_set_si(t.A->entry, sign * (limit - 1), K);
        OK(ckda_matden_set_mat(t.a, t.A, t.ctx));
        assert_true(ckda_matden_is_small(t.a));
        ckda_elem_set_si(t.B->entry, sign, K);
        OK(ckda_matden_set_mat(t.b, t.B, t.ctx));
        OK(ckda_matden_add(t.r, t.a, t.b, t.ctx));
        assert_false(ckda_matden_is_small(t.r));
        OK(ckda_mat_add(t.R, t.A, t.B, K));
        assert_same(t.r, t.R, t.ctx);
        OK(ckda_matden_sub(t.r, t.r, t.b, t.ctx));
        assert_true(ckda_matden_is_small(t.r));
        assert_true(ckda_matden_equal(t.r, t.a, t.ctx));
    }
    ckda_elem_set_frac(t.A->entry, 1, limit - 1, K);
    OK(ckda_matden_set_mat(t.a, t.A, t.ctx));
    assert_true(ckda_matden_is_small(t.a));
    OK(ckda_matden_mul(t.r, t.a, t.a, t.ctx)); /* the denominator alone is too long */
    assert_false(ckda_matden_is_small(t.r));
    OK(ckda_mat_mul(t.R, t.A, t.A, K));
    assert_same(t.r, t.R, t.ctx);
    ckda_elem_set_si(t.B->entry, limit - 1, K);
    OK(ckda_matden_set_mat(t.b, t.B, t.ctx));
    OK(ckda_matden_mul(t.r, t.r, t.b, t.ctx));
    assert_true(ckda_matden_equal(t.r, t.a, t.ctx));
    twins_clear(&t, K);
}

static void
equal_fractions_have_equal_parts(void **state)
{
    fixture *f = *state;
    const ckda_field_struct *K = f->K[1];
    twins t;
    twins_init(&t, 2, K);
    ckda_mat_set_si(t.A, (const slong[]){6, -12, 0, 18}, 60, K);
    OK(ckda_matden_set_mat(t.a, t.A, t.ctx));
    assert_int_equal(t.a->den, 10);
    ckda_mat_set_si(t.B, (const slong[]){9, 1, 1, 1}, 10, K);
    OK(ckda_matden_set_mat(t.b, t.B, t.ctx));
    OK(ckda_matden_add(t.r, t.a, t.b, t.ctx)); /* [[10, -1], [1, 4]] / 10 */
    OK(ckda_matden_sub(t.r, t.r, t.b, t.ctx));
    assert_true(ckda_matden_equal(t.r, t.a, t.ctx));
    OK(ckda_matden_mul(t.r, t.a, t.a, t.ctx)); /* [[1, -8], [0, 9]] / 100 */
    assert_int_equal(t.r->den, 100);
    ckda_mat_set_si(t.B, (const slong[]){10, 0, 0, 10}, 3, K);
    OK(ckda_matden_set_mat(t.b, t.B, t.ctx));
    OK(ckda_matden_mul(t.r, t.a, t.b, t.ctx)); /* [[1, -2], [0, 3]] / 3 */
    assert_int_equal(t.r->den, 3);
    assert_false(ckda_matden_equal(t.r, t.a, t.ctx));
    ckda_mat_set_si(t.B, (const slong[]){-3, 0, 0, -3}, 8, K);
    OK(ckda_matden_set_mat(t.b, t.B, t.ctx));
    OK(ckda_matden_mul(t.r, t.r, t.b, t.ctx));
    assert_int_equal(t.r->den, 8);
    assert_int_equal(t.r->small[0], -1);
    twins_clear(&t, K);
}

static void
one_and_zero_are_neutral(void **state)
{
    fixture *f = *state;
    for (int k = 0; k < NFIELDS; k++)
        for (slong n = 0; n < 5; n += 2) {
            const ckda_field_struct *K = f->K[k];
            twins t;
            twins_init(&t, n, K);
            ckda_mat_rand(t.A, &f->r, 8, 6, K);
            OK(ckda_matden_set_mat(t.a, t.A, t.ctx));
            OK(ckda_matden_one(t.b, t.ctx));
            OK(ckda_matden_mul(t.r, t.a, t.b, t.ctx));
            assert_true(ckda_matden_equal(t.r, t.a, t.ctx));
            OK(ckda_matden_mul(t.r, t.b, t.a, t.ctx));
            assert_true(ckda_matden_equal(t.r, t.a, t.ctx));
            ckda_matden_zero(t.b, t.ctx);
            OK(ckda_matden_add(t.r, t.a, t.b, t.ctx));
            assert_true(ckda_matden_equal(t.r, t.a, t.ctx));
            OK(ckda_matden_mul(t.r, t.b, t.a, t.ctx));
            assert_true(ckda_matden_equal(t.r, t.b, t.ctx));
            twins_clear(&t, K);
        }
}

/* Every instruction set that this processor has, each fixed size against the general code
 * and that against plain matrices. */
static void
kernels_agree(void **state)
{
    fixture *f = *state;
    const ckda_matden_kernel *list[3];
    slong n = ckda_matden_kernels(list, 3);
    assert_true(n >= 1);
    for (int k = 0; k < 4; k++) {
        const ckda_field_struct *K = f->K[k];
        twins t;
        twins_init(&t, 4, K);
        ckda_mat_rand(t.A, &f->r, WORD(1) << 22, 1, K);
        ckda_mat_rand(t.B, &f->r, WORD(1) << 22, 1, K);
        OK(ckda_matden_set_mat(t.a, t.A, t.ctx));
        OK(ckda_matden_set_mat(t.b, t.B, t.ctx));
        OK(ckda_mat_mul(t.R, t.A, t.B, K));
        for (slong i = 0; i < n; i++) {
            ckda_matden_mul_raw *fun[2] = {list[i]->any, NULL};
            fun[1] = k == 1 ? list[i]->four2 : k == 2 ? list[i]->four4 : list[i]->four8;
            for (int j = 0; j < (k == 0 ? 1 : 2); j++) {
                ckda_matden_zero(t.r, t.ctx);
                fun[j](t.r->small, t.a->small, t.b->small, 4, 4, 4, K->degree,
                       t.ctx->table64);
                ckda_matden_settle_small(t.r, 1, t.ctx);
                assert_same(t.r, t.R, t.ctx);
            }
        }
        twins_clear(&t, K);
    }
}

static void
wrong_shapes_are_refused_and_change_nothing(void **state)
{
    fixture *f = *state;
    const ckda_field_struct *K = f->K[1];
    twins t;
    ckda_matden_t w;
    twins_init(&t, 2, K);
    ckda_matden_init(w, 2, 3, t.ctx);
    ckda_mat_rand(t.A, &f->r, 8, 6, K);
    OK(ckda_matden_set_mat(t.a, t.A, t.ctx));
    assert_int_equal(ckda_matden_mul(t.a, t.a, w, t.ctx), CKDA_E_SHAPE);
    assert_int_equal(ckda_matden_add(t.a, t.a, w, t.ctx), CKDA_E_SHAPE);
    assert_int_equal(ckda_matden_sub(t.a, w, w, t.ctx), CKDA_E_SHAPE);
    assert_int_equal(ckda_matden_set(t.a, w, t.ctx), CKDA_E_SHAPE);
    assert_int_equal(ckda_matden_set_mat(w, t.A, t.ctx), CKDA_E_SHAPE);
    assert_int_equal(ckda_matden_get_mat(t.A, w, t.ctx), CKDA_E_SHAPE);
    assert_int_equal(ckda_matden_one(w, t.ctx), CKDA_E_SHAPE);
    assert_false(ckda_matden_equal(t.a, w, t.ctx));
    assert_same(t.a, t.A, t.ctx);
    ckda_matden_clear(w, t.ctx);
    twins_clear(&t, K);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(agrees_with_plain_matrices),
        TEST(results_may_alias_inputs),
        TEST(rectangular_products_agree),
        TEST(products_at_the_edge_of_the_bound),
        TEST(values_cross_the_limit_both_ways),
        TEST(the_form_is_canonical_at_two_to_62),
        TEST(equal_fractions_have_equal_parts),
        TEST(one_and_zero_are_neutral),
        TEST(kernels_agree),
        TEST(wrong_shapes_are_refused_and_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
