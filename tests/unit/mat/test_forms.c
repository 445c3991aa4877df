/* Characteristic polynomials, inertia, contractions, each with an independent second way.
 */
#include "fixture.h"

#include "mat_internal.h"

/* f(A) by Horner. */
static void
poly_at_matrix(ckda_mat_t P, const ckda_poly_t f, const ckda_mat_t A,
               const ckda_field_t K)
{
    ckda_mat_zero(P, K);
    for (slong i = f->length - 1; i >= 0; i--) {
        OK(ckda_mat_mul(P, P, A, K));
        for (slong j = 0; j < A->rows; j++)
            ckda_elem_add(ckda_mat_entry(P, j, j), ckda_mat_entry(P, j, j), f->coeff + i,
                          K);
    }
}

static void
cayley_hamilton(void **state)
{
    fixture *f = *state;
    for (int k = 0; k < NFIELDS; k++)
        for (slong n = k == 4 ? 2 : 0; n <= (k == 4 ? 2 : 5); n++) {
            const ckda_field_struct *K = f->K[k];
            ckda_mat_t A, P;
            ckda_poly_t c;
            ckda_mat_init(A, n, n, K);
            ckda_mat_init(P, n, n, K);
            ckda_poly_init(c, K);
            ckda_mat_rand(A, &f->r, 3, 2, K);
            OK(ckda_mat_charpoly(c, A, K));
            assert_int_equal(ckda_poly_degree(c), n);
            assert_true(ckda_elem_is_one(c->coeff + n, K));
            poly_at_matrix(P, c, A, K);
            assert_true(ckda_mat_is_zero(P, K));
            ckda_poly_clear(c, K);
            ckda_mat_clear(P, K);
            ckda_mat_clear(A, K);
        }
}

/* Cayley-Hamilton alone would accept a multiple of the minimal polynomial: compare with
 * det(x I - A), by elimination, at n + 1 points. */
static void
charpoly_agrees_with_determinants_at_points(void **state)
{
    fixture *f = *state;
    for (int k = 0; k < NFIELDS; k++) {
        const ckda_field_struct *K = f->K[k];
        slong n = k == 4 ? 2 : 4;
        ckda_mat_t A, M;
        ckda_poly_t c;
        ckda_elem_t x, y, d;
        ckda_mat_init(A, n, n, K);
        ckda_mat_init(M, n, n, K);
        ckda_poly_init(c, K);
        ckda_elem_init(x, K);
        ckda_elem_init(y, K);
        ckda_elem_init(d, K);
        ckda_mat_rand(A, &f->r, 2, 2, K);
        OK(ckda_mat_charpoly(c, A, K));
        for (slong p = 0; p <= n; p++) {
            ckda_elem_set_si(x, p, K);
            OK(ckda_mat_neg(M, A, K));
            for (slong i = 0; i < n; i++)
                ckda_elem_add(ckda_mat_entry(M, i, i), ckda_mat_entry(M, i, i), x, K);
            ckda_mat_det_elimination(d, M, K);
            ckda_poly_eval(y, c, x, K);
            assert_true(ckda_elem_equal(y, d, K));
        }
        ckda_elem_clear(d, K);
        ckda_elem_clear(y, K);
        ckda_elem_clear(x, K);
        ckda_poly_clear(c, K);
        ckda_mat_clear(M, K);
        ckda_mat_clear(A, K);
    }
}

static int
sign_at(const ckda_poly_t f, slong i, const ckda_field_t K)
{
    return ckda_elem_sgn(f->coeff + i, K);
}

/* Sign changes of f(x) or f(-x); all roots real makes Descartes' rule an equality. */
static slong
sign_changes(const ckda_poly_t f, bool mirrored, const ckda_field_t K)
{
    slong changes = 0;
    int last = 0;
    for (slong i = 0; i < f->length; i++) {
        int s = sign_at(f, i, K) * (mirrored && i % 2 ? -1 : 1);
        changes += s * last < 0;
        last = s != 0 ? s : last;
    }
    return changes;
}

static void
assert_inertia_by_descartes(const ckda_mat_t S, const ckda_field_t K)
{
    slong pos, neg, zero, low = 0;
    ckda_poly_t c;
    OK(ckda_mat_inertia(&pos, &neg, &zero, S, K));
    assert_int_equal(pos + neg + zero, S->rows);
    ckda_poly_init(c, K);
    OK(ckda_mat_charpoly(c, S, K));
    while (ckda_elem_is_zero(c->coeff + low, K))
        low++;
    assert_int_equal(zero, low);
    assert_int_equal(pos, sign_changes(c, false, K));
    assert_int_equal(neg, sign_changes(c, true, K));
    ckda_poly_clear(c, K);
}

/* S = a random symmetric matrix; `rank` < n makes it a singular sum of squares with
 * signs, hollow a zero diagonal. */
static void
rand_symmetric(ckda_mat_t S, ckda_rand *r, bool hollow, const ckda_field_t K)
{
    ckda_mat_rand(S, r, 2, 2, K);
    for (slong i = 0; i < S->rows; i++)
        for (slong j = 0; j <= i; j++) {
            if (ckda_rand_below(r, 3) == 0 || (hollow && i == j))
                ckda_elem_zero(ckda_mat_entry(S, i, j), K);
            ckda_elem_set(ckda_mat_entry(S, j, i), ckda_mat_entry(S, i, j), K);
        }
}

static void
inertia_agrees_with_sign_changes(void **state)
{
    fixture *f = *state;
    for (int k = 0; k < NFIELDS; k++)
        for (int round = 0; round < (k == 4 ? 1 : 24); round++) {
            const ckda_field_struct *K = f->K[k];
            slong n = k == 4 ? 2 : round % 6;
            ckda_mat_t S;
            ckda_mat_init(S, n, n, K);
            rand_symmetric(S, &f->r, round % 2, K);
            assert_inertia_by_descartes(S, K);
            ckda_mat_clear(S, K);
        }
}

static void
inertia_of_singular_forms(void **state)
{
    fixture *f = *state;
    for (int k = 0; k < 4; k++)
        for (slong rank = 0; rank <= 4; rank++) {
            const ckda_field_struct *K = f->K[k];
            ckda_mat_t B, T, S;
            ckda_mat_init(B, 4, rank, K);
            ckda_mat_init(T, rank, 4, K);
            ckda_mat_init(S, 4, 4, K);
            ckda_mat_rand(B, &f->r, 2, 2, K);
            OK(ckda_mat_transpose(T, B, K));
            for (slong i = 0; i < rank; i += 2) /* B Diag(-1, 1, -1, ..) B^T */
                for (slong j = 0; j < 4; j++)
                    ckda_elem_neg(ckda_mat_entry(T, i, j), ckda_mat_entry(T, i, j), K);
            OK(ckda_mat_mul(S, B, T, K));
            assert_inertia_by_descartes(S, K);
            ckda_mat_clear(S, K);
            ckda_mat_clear(T, K);
            ckda_mat_clear(B, K);
        }
}

static void
inertia_of_zero_diagonals(void **state)
{
    fixture *f = *state;
    const ckda_field_struct *K = f->K[0];
    const slong v[16] = {0, 0, 0, 3, 0, 0, -2, 0, 0, -2, 0, 0, 3, 0, 0, 0};
    slong pos, neg, zero;
    ckda_mat_t S;
    ckda_mat_init(S, 4, 4, K);
    OK(ckda_mat_inertia(&pos, &neg, &zero, S, K));
    assert_true(pos == 0 && neg == 0 && zero == 4);
    ckda_mat_set_si(S, v, 1, K);
    OK(ckda_mat_inertia(&pos, &neg, &zero, S, K));
    assert_true(pos == 2 && neg == 2 && zero == 0);
    ckda_mat_set_entry_si(S, 0, 1, 1, K);
    assert_int_equal(ckda_mat_inertia(&pos, &neg, &zero, S, K), CKDA_E_DOMAIN);
    ckda_mat_clear(S, K);
    ckda_mat_init(S, 0, 0, K);
    OK(ckda_mat_inertia(&pos, &neg, &zero, S, K));
    assert_true(pos == 0 && neg == 0 && zero == 0);
    ckda_mat_clear(S, K);
}

/* Second way: I - A^T A has real roots only, so it is positive semidefinite iff the
 * coefficients of its characteristic polynomial alternate weakly, (-1)^(n-i) c_i >= 0; it
 * is singular iff c_0 = 0. */
static bool
contraction_by_alternation(bool *equal, const ckda_mat_t A, const ckda_field_t K)
{
    slong n = A->cols;
    ckda_mat_t T, M, Id;
    ckda_poly_t c;
    bool psd = true;
    ckda_mat_init(T, n, A->rows, K);
    ckda_mat_init(M, n, n, K);
    ckda_mat_init(Id, n, n, K);
    ckda_poly_init(c, K);
    OK(ckda_mat_transpose(T, A, K));
    OK(ckda_mat_mul(M, T, A, K));
    OK(ckda_mat_one(Id, K));
    OK(ckda_mat_sub(M, Id, M, K));
    OK(ckda_mat_charpoly(c, M, K));
    for (slong i = 0; i <= n; i++)
        psd = psd && sign_at(c, i, K) * ((n - i) % 2 ? -1 : 1) >= 0;
    *equal = psd && sign_at(c, 0, K) == 0;
    ckda_poly_clear(c, K);
    ckda_mat_clear(Id, K);
    ckda_mat_clear(M, K);
    ckda_mat_clear(T, K);
    return psd;
}

static void
assert_contraction(const ckda_mat_t A, bool want, bool want_equal, const ckda_field_t K)
{
    bool equal = !want_equal, equal2;
    assert_int_equal(ckda_mat_is_contraction(&equal, A, K), want);
    assert_int_equal(equal, want_equal);
    assert_int_equal(contraction_by_alternation(&equal2, A, K), want);
    assert_int_equal(equal2, want_equal);
    assert_int_equal(ckda_mat_is_contraction(NULL, A, K), want);
}

static void
contraction_at_the_boundary(void **state)
{
    fixture *f = *state;
    const ckda_field_struct *K = f->K[1];
    ckda_mat_t A;
    ckda_elem_t g;
    ckda_mat_init(A, 2, 2, K);
    ckda_elem_init(g, K);
    /* rank one with norm exactly 1: (3/5, 4/5) (5/13, 12/13)^T */
    ckda_mat_set_si(A, (const slong[]){15, 36, 20, 48}, 65, K);
    assert_contraction(A, true, true, K);
    ckda_mat_set_si(A, (const slong[]){15, 36, 20, 48}, 66, K);
    assert_contraction(A, true, false, K);
    ckda_mat_set_si(A, (const slong[]){15, 36, 20, 48}, 64, K);
    assert_contraction(A, false, false, K);
    /* spectral radius 0, norm 2; then Diag(-1, 1) */
    ckda_mat_set_si(A, (const slong[]){0, 2, 0, 0}, 1, K);
    assert_contraction(A, false, false, K);
    ckda_mat_set_si(A, (const slong[]){-1, 0, 0, 1}, 1, K);
    assert_contraction(A, true, true, K);
    /* sqrt5/9 * 4 = 0.99380..., and 10^-18 above 1 through a nearly equal fraction */
    ckda_mat_zero(A, K);
    ckda_elem_gen(g, K);
    ckda_elem_mul_si(A->entry, g, 4, K);
    ckda_elem_set_frac(g, 1, 9, K);
    ckda_elem_mul(A->entry, A->entry, g, K);
    assert_contraction(A, true, false, K);
    ckda_elem_set_frac(A->entry, WORD(1000000000000000001), WORD(1000000000000000000), K);
    assert_contraction(A, false, false, K);
    ckda_elem_set_frac(A->entry, WORD(999999999999999999), WORD(1000000000000000000), K);
    assert_contraction(A, true, false, K);
    ckda_elem_clear(g, K);
    ckda_mat_clear(A, K);
}

static void
contraction_two_ways_on_random_matrices(void **state)
{
    fixture *f = *state;
    int seen[2] = {0, 0};
    for (int k = 0; k < 4; k++)
        for (int round = 0; round < 16; round++) {
            const ckda_field_struct *K = f->K[k];
            slong n = round % 4;
            ckda_mat_t A;
            ckda_elem_t c;
            bool e1, e2;
            ckda_mat_init(A, n, n, K);
            ckda_elem_init(c, K);
            ckda_mat_rand(A, &f->r, 1, 1, K);
            ckda_elem_set_frac(c, 1, 1 + round / 2, K);
            OK(ckda_mat_scalar_mul(A, A, c, K));
            bool yes = ckda_mat_is_contraction(&e1, A, K);
            assert_int_equal(yes, contraction_by_alternation(&e2, A, K));
            assert_int_equal(e1, e2);
            seen[yes]++;
            ckda_elem_clear(c, K);
            ckda_mat_clear(A, K);
        }
    assert_true(seen[0] > 0 && seen[1] > 0);
}

static void
orthogonal_matrices_have_norm_exactly_one(void **state)
{
    fixture *f = *state;
    for (int k = 0; k < 4; k++) {
        const ckda_field_struct *K = f->K[k];
        ckda_mat_t A;
        ckda_mat_init(A, 3, 3, K);
        ckda_mat_rand_orthogonal(A, &f->r, 2, K);
        assert_contraction(A, true, true, K);
        ckda_mat_clear(A, K);
    }
}

static void
contraction_of_empty_and_rectangular(void **state)
{
    fixture *f = *state;
    const ckda_field_struct *K = f->K[0];
    ckda_mat_t A;
    ckda_mat_init(A, 0, 0, K);
    assert_contraction(A, true, false, K);
    ckda_mat_clear(A, K);
    ckda_mat_init(A, 1, 2, K);
    ckda_mat_set_si(A, (const slong[]){3, 4}, 5, K);
    assert_contraction(A, true, true, K);
    ckda_mat_set_si(A, (const slong[]){3, 4}, 4, K);
    assert_contraction(A, false, false, K);
    ckda_mat_clear(A, K);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(cayley_hamilton),
        TEST(charpoly_agrees_with_determinants_at_points),
        TEST(inertia_agrees_with_sign_changes),
        TEST(inertia_of_singular_forms),
        TEST(inertia_of_zero_diagonals),
        TEST(contraction_at_the_boundary),
        TEST(contraction_two_ways_on_random_matrices),
        TEST(orthogonal_matrices_have_norm_exactly_one),
        TEST(contraction_of_empty_and_rectangular),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
