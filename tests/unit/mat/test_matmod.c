/* Images modulo primes, heights, and the certificate that images decide equality. */
#include "fixture.h"

#include <string.h>

#include "modmat_internal.h"

static void
moduli_are_primes_with_a_root(void **state)
{
    fixture *f = *state;
    for (int k = 0; k < NFIELDS; k++) {
        const ckda_field_struct *K = f->K[k];
        uint32_t last = UINT32_C(1) << 31;
        fmpz_t disc, y, r;
        fmpz_init(disc);
        fmpz_init(y);
        fmpz_init(r);
        fmpz_poly_discriminant(disc, K->minpoly);
        for (slong i = 0; i < 3; i++) {
            ckda_modulus m, again;
            OK(ckda_modulus_init(&m, K, i, NULL));
            assert_true(m.p < last && n_is_prime(m.p) && m.root < m.p);
            last = m.p;
            fmpz_set_ui(r, m.root);
            fmpz_poly_evaluate_fmpz(y, K->minpoly, r);
            assert_int_equal(fmpz_fdiv_ui(y, m.p), 0);
            assert_int_not_equal(fmpz_fdiv_ui(disc, m.p), 0);
            OK(ckda_modulus_init(&again, K, i, NULL)); /* deterministic */
            assert_true(again.p == m.p && again.root == m.root);
            ckda_modulus_clear(&again);
            OK(ckda_modulus_init_prime(&again, K, m.p));
            assert_int_equal(again.root, m.root);
            ckda_modulus_clear(&again);
            fmpz_set_ui(r, m.p);
            OK(ckda_modulus_init(&again, K, i, r)); /* avoids this prime */
            assert_true(again.p < m.p);
            ckda_modulus_clear(&again);
            ckda_modulus_clear(&m);
        }
        fmpz_clear(r);
        fmpz_clear(y);
        fmpz_clear(disc);
    }
}

/* Small primes, where roots can be listed one by one. */
static void
root_is_the_least_one(void **state)
{
    fixture *f = *state;
    int found = 0, refused = 0;
    for (int k = 0; k < NFIELDS; k++)
        for (uint32_t p = 3; p < 400; p += 2) {
            const ckda_field_struct *K = f->K[k];
            ckda_modulus m;
            fmpz_t x, y, disc;
            uint32_t root;
            if (!n_is_prime(p))
                continue;
            fmpz_init(x);
            fmpz_init(y);
            fmpz_init(disc);
            for (root = 0; root < p; root++) {
                fmpz_set_ui(x, root);
                fmpz_poly_evaluate_fmpz(y, K->minpoly, x);
                if (fmpz_fdiv_ui(y, p) == 0)
                    break;
            }
            fmpz_poly_discriminant(disc, K->minpoly);
            if (root == p || fmpz_fdiv_ui(disc, p) == 0) {
                assert_int_equal(ckda_modulus_init_prime(&m, K, p), CKDA_E_DOMAIN);
                refused++;
            } else {
                OK(ckda_modulus_init_prime(&m, K, p));
                assert_int_equal(m.root, root);
                ckda_modulus_clear(&m);
                found++;
            }
            fmpz_clear(disc);
            fmpz_clear(y);
            fmpz_clear(x);
        }
    assert_true(found > 50 && refused > 50);
    ckda_modulus m;
    assert_int_equal(ckda_modulus_init_prime(&m, f->K[0], 15), CKDA_E_DOMAIN);
    assert_int_equal(ckda_modulus_init_prime(&m, f->K[0], 2), CKDA_E_DOMAIN);
    assert_int_equal(ckda_modulus_init_prime(&m, f->K[0], UINT32_MAX - 4), CKDA_E_DOMAIN);
}

static void
reduction_is_a_homomorphism(void **state)
{
    fixture *f = *state;
    for (int k = 0; k < NFIELDS; k++)
        for (slong n = 0; n < (k == 4 ? 3 : 6); n++) {
            const ckda_field_struct *K = f->K[k];
            uint32_t a[25], b[25], c[25], d[25];
            ckda_modulus m;
            ckda_mat_t A, B, C;
            OK(ckda_modulus_init(&m, K, n % 2, NULL));
            ckda_mat_init(A, n, n, K);
            ckda_mat_init(B, n, n, K);
            ckda_mat_init(C, n, n, K);
            ckda_mat_rand(A, &f->r, 1000000, 1000, K);
            ckda_mat_rand(B, &f->r, 1000000, 1000, K);
            OK(ckda_modulus_mat(a, A, &m, K));
            OK(ckda_modulus_mat(b, B, &m, K));
            OK(ckda_mat_mul(C, A, B, K));
            OK(ckda_modulus_mat(c, C, &m, K));
            ckda_modmat_mul(d, a, b, n, n, n, &m);
            assert_memory_equal(c, d, (size_t)(n * n) * sizeof *c);
            OK(ckda_mat_add(C, A, B, K));
            OK(ckda_modulus_mat(c, C, &m, K));
            ckda_modmat_add(d, a, b, n * n, &m);
            assert_memory_equal(c, d, (size_t)(n * n) * sizeof *c);
            OK(ckda_mat_sub(C, A, B, K));
            OK(ckda_modulus_mat(c, C, &m, K));
            ckda_modmat_sub(a, a, b, n * n, &m); /* in place */
            assert_memory_equal(c, a, (size_t)(n * n) * sizeof *c);
            ckda_mat_clear(C, K);
            ckda_mat_clear(B, K);
            ckda_mat_clear(A, K);
            ckda_modulus_clear(&m);
        }
}

/* Every entry p - 1 makes the longest sums; lengths around the blocks of three and four.
 */
static void
largest_residues_do_not_overflow(void **state)
{
    fixture *f = *state;
    ckda_modulus m;
    uint32_t a[4 * 20], b[20 * 4], c[16];
    OK(ckda_modulus_init(&m, f->K[0], 0, NULL));
    assert_int_equal(m.p, 2147483647); /* a Mersenne prime */
    for (slong k = 0; k <= 20; k++) {
        for (slong i = 0; i < 4 * k; i++)
            a[i] = b[i] = m.p - 1;
        ckda_modmat_mul(c, a, b, 4, k, 4, &m);
        for (int i = 0; i < 16; i++)
            assert_int_equal(c[i], k); /* (-1)(-1) k times */
        for (slong i = 0; i < 4 * k; i++)
            a[i] = 1;
        ckda_modmat_mul(c, a, b, 4, k, 4, &m);
        for (int i = 0; i < 16; i++)
            assert_int_equal(c[i], k == 0 ? 0 : m.p - (uint32_t)k);
    }
    ckda_modulus_clear(&m);
}

static void
products_agree_with_division(void **state)
{
    fixture *f = *state;
    const slong shape[6][3] = {{4, 4, 4}, {4, 4, 1}, {1, 7, 3},
                               {3, 3, 3}, {5, 6, 7}, {2, 1, 2}};
    for (int s = 0; s < 6; s++)
        for (int round = 0; round < 40; round++) {
            slong n = shape[s][0], k = shape[s][1], l = shape[s][2];
            uint32_t a[64], b[64], c[64];
            ckda_modulus m;
            if (round % 2)
                OK(ckda_modulus_init_prime(&m, f->K[0], 3));
            else
                OK(ckda_modulus_init(&m, f->K[0], round % 3, NULL));
            for (int i = 0; i < 64; i++) {
                a[i] = (uint32_t)ckda_rand_below(&f->r, m.p);
                b[i] = (uint32_t)ckda_rand_below(&f->r, m.p);
            }
            ckda_modmat_mul(c, a, b, n, k, l, &m);
            for (slong i = 0; i < n; i++)
                for (slong j = 0; j < l; j++) {
                    uint64_t t = 0;
                    for (slong h = 0; h < k; h++)
                        t = (t + (uint64_t)a[i * k + h] * b[h * l + j]) % m.p;
                    assert_int_equal(c[i * l + j], t);
                }
            ckda_modulus_clear(&m);
        }
}

/* The code for AVX2 and the plain one, bit for bit, at residues that are random, 0, 1 and
 * p - 1, modulo primes of all sizes. */
static void
both_products_of_four_agree(void **state)
{
    fixture *f = *state;
    static const uint32_t primes[] = {3,     5,          251,        65521,
                                      65537, 1073741827, 2147483629, 2147483647};
    for (size_t i = 0; i < sizeof primes / sizeof *primes; i++) {
        ckda_modulus m;
        OK(ckda_modulus_init_prime(&m, f->K[0], primes[i]));
        for (int round = 0; round < 500; round++) {
            uint32_t a[16], b[16], plain[16], fast[16];
            const uint32_t special[4] = {0, 1, m.p - 1, m.p / 2};
            for (int e = 0; e < 16; e++) {
                const bool pick = round % 3 == 0;
                a[e] = pick ? special[ckda_rand_below(&f->r, 4)]
                            : (uint32_t)ckda_rand_below(&f->r, m.p);
                b[e] = pick ? special[ckda_rand_below(&f->r, 4)]
                            : (uint32_t)ckda_rand_below(&f->r, m.p);
                if (round == 0)
                    a[e] = b[e] = m.p - 1; /* the largest sums */
            }
            ckda_modmat_four_plain(plain, a, b, &m);
            ckda_modmat_four(fast, a, b, &m);
            assert_memory_equal(plain, fast, sizeof plain);
        }
        ckda_modulus_clear(&m);
    }
}

static void
denominators_divisible_by_p_are_refused(void **state)
{
    fixture *f = *state;
    for (int k = 0; k < NFIELDS; k++) {
        const ckda_field_struct *K = f->K[k];
        ckda_modulus m;
        ckda_mat_t A;
        ckda_elem_t x;
        uint32_t image[4] = {9, 9, 9, 9};
        OK(ckda_modulus_init(&m, K, 0, NULL));
        ckda_mat_init(A, 2, 2, K);
        ckda_elem_init(x, K);
        ckda_elem_set_frac(A->entry + 3, 5, m.p, K);
        assert_int_equal(ckda_modulus_mat(image, A, &m, K), CKDA_E_DOMAIN);
        assert_int_equal(ckda_modulus_elem(image, A->entry + 3, &m, K), CKDA_E_DOMAIN);
        for (int i = 0; i < 4; i++)
            assert_int_equal(image[i], 9);
        ckda_elem_mul_si(x, A->entry + 3, (slong)m.p, K); /* 5: the p has cancelled */
        OK(ckda_modulus_elem(image, x, &m, K));
        assert_int_equal(image[0], 5);
        ckda_elem_clear(x, K);
        ckda_mat_clear(A, K);
        ckda_modulus_clear(&m);
    }
}

/* q < n/m + 2^-20 and q >= n/m ? */
static void
assert_just_above(const fmpq_t q, slong num, ulong den)
{
    fmpq_t t, eps;
    fmpq_init(t);
    fmpq_init(eps);
    fmpq_set_si(t, num, den);
    assert_true(fmpq_cmp(q, t) >= 0);
    fmpq_set_si(eps, 1, 1 << 20);
    fmpq_add(t, t, eps);
    assert_true(fmpq_cmp(q, t) < 0);
    fmpq_clear(eps);
    fmpq_clear(t);
}

static void
height_sees_every_embedding(void **state)
{
    fixture *f = *state;
    const ckda_field_struct *K = f->K[1];
    ckda_height_t h;
    ckda_mat_t A[2];
    ckda_height_init(h);
    ckda_mat_init(A[0], 1, 2, K);
    ckda_mat_init(A[1], 1, 1, K);
    ckda_mat_height(h, A[0], 1, K);
    assert_true(fmpz_is_one(h->den) && fmpq_is_zero(h->row_sum)
                && fmpq_is_zero(h->entry));
    /* a - 2 = 0.236, but its conjugate is -4.236 = -(a + 2) */
    ckda_elem_gen(A[0]->entry, K);
    ckda_elem_set_si(A[0]->entry + 1, 2, K);
    ckda_elem_sub(A[0]->entry, A[0]->entry, A[0]->entry + 1, K);
    ckda_elem_set_frac(A[0]->entry + 1, 1, 6, K);
    ckda_elem_set_frac(A[1]->entry, 3, 4, K);
    ckda_mat_height(h, A[0], 2, K);
    assert_int_equal(fmpz_get_si(h->den), 12);
    assert_just_above(h->entry, 423606797, 100000000);   /* 4.23606797... */
    assert_just_above(h->row_sum, 440273464, 100000000); /* + 1/6 */
    ckda_mat_clear(A[1], K);
    ckda_mat_clear(A[0], K);
    /* 2^(1/3) - 1: real value 0.2599, complex conjugates of modulus 1.9627 */
    K = f->K[5];
    ckda_mat_init(A[0], 1, 1, K);
    ckda_elem_gen(A[0]->entry, K);
    ckda_mat_height(h, A[0], 1, K);
    assert_just_above(h->entry, 125992104, 100000000);
    ckda_elem_t one;
    ckda_elem_init(one, K);
    ckda_elem_one(one, K);
    ckda_elem_sub(A[0]->entry, A[0]->entry, one, K);
    ckda_mat_height(h, A[0], 1, K);
    assert_just_above(h->entry, 196145917, 100000000);
    ckda_elem_clear(one, K);
    ckda_mat_clear(A[0], K);
    ckda_height_clear(h);
}

/* The bound of a product is at most the product of the bounds, and no entry passes it. */
static void
height_is_submultiplicative(void **state)
{
    fixture *f = *state;
    for (int k = 0; k < NFIELDS; k++) {
        const ckda_field_struct *K = f->K[k];
        slong n = k == 4 ? 2 : 3;
        ckda_height_t h[3];
        ckda_mat_t A[3];
        fmpq_t q, eps;
        for (int i = 0; i < 3; i++) {
            ckda_height_init(h[i]);
            ckda_mat_init(A[i], n, n, K);
        }
        fmpq_init(q);
        fmpq_init(eps);
        ckda_mat_rand(A[0], &f->r, 5, 4, K);
        ckda_mat_rand(A[1], &f->r, 5, 4, K);
        OK(ckda_mat_mul(A[2], A[0], A[1], K));
        for (int i = 0; i < 3; i++) {
            ckda_mat_height(h[i], A[i], 1, K);
            assert_true(fmpq_cmp(h[i]->entry, h[i]->row_sum) <= 0);
        }
        fmpq_mul(q, h[0]->row_sum, h[1]->row_sum);
        fmpq_set_si(eps, 1, 1 << 20);
        fmpq_add(q, q, eps); /* the bound of the product is itself rounded up */
        assert_true(fmpq_cmp(h[2]->row_sum, q) <= 0);
        ckda_elem_t e;
        ckda_elem_init(e, K);
        ckda_elem_set_fmpq(e, h[2]->entry, K);
        for (slong i = 0; i < n * n; i++) {
            ckda_elem_abs(A[2]->entry + i, A[2]->entry + i, K);
            assert_true(ckda_elem_cmp(A[2]->entry + i, e, K) <= 0);
        }
        ckda_elem_clear(e, K);
        fmpq_clear(eps);
        fmpq_clear(q);
        for (int i = 0; i < 3; i++) {
            ckda_mat_clear(A[i], K);
            ckda_height_clear(h[i]);
        }
    }
}

static void
orthogonal_everywhere_needs_a_totally_real_field(void **state)
{
    fixture *f = *state;
    for (int k = 0; k < NFIELDS; k++) {
        const ckda_field_struct *K = f->K[k];
        ckda_mat_t A;
        ckda_mat_init(A, 2, 2, K);
        ckda_mat_rand_orthogonal(A, &f->r, 2, K);
        assert_int_equal(ckda_field_is_totally_real(K), k != 5);
        assert_int_equal(ckda_mat_is_orthogonal_everywhere(A, K), k != 5);
        if (k != 5) { /* and then every embedding bounds the entries by 1 */
            ckda_height_t h;
            ckda_height_init(h);
            ckda_mat_height(h, A, 1, K);
            fmpq_t one;
            fmpq_init(one);
            fmpq_set_si(one, (WORD(1) << 20) + 1, 1 << 20);
            assert_true(fmpq_cmp(h->entry, one) < 0);
            fmpq_clear(one);
            ckda_height_clear(h);
        }
        ckda_elem_add(A->entry, A->entry, A->entry + 1, K);
        ckda_elem_add(A->entry, A->entry, A->entry + 3, K);
        assert_false(ckda_mat_is_orthogonal_everywhere(A, K));
        ckda_mat_clear(A, K);
    }
}

/* The A5 tracker's figure: D = 2^4, B = 1, d = 2 needs p > 1024. */
static void
needed_modulus_of_the_icosahedral_tracker(void **state)
{
    fixture *f = *state;
    fmpz_t N, D;
    fmpq_t B;
    fmpz_init(N);
    fmpz_init_set_ui(D, 16);
    fmpq_init(B);
    fmpq_set_si(B, 1, 1);
    ckda_modulus_needed(N, D, B, f->K[1]);
    assert_int_equal(fmpz_get_si(N), 1024);
    fmpq_set_si(B, 1, 3); /* floor((32/3)^2) = 113 */
    ckda_modulus_needed(N, D, B, f->K[1]);
    assert_int_equal(fmpz_get_si(N), 113);
    fmpq_clear(B);
    fmpz_clear(D);
    fmpz_clear(N);
}

/* The bound decides, and it cannot be dropped: over all x = (u + v a)/2 with |u|, |v| <=
 * 3, whose conjugates are at most B = (3 + 3 sqrt5)/2 < 4.86, images modulo p > (2 2 B)^2
 * are all distinct; modulo 11 some collide. */
static void
images_decide_equality_above_the_bound(void **state)
{
    fixture *f = *state;
    const ckda_field_struct *K = f->K[1];
    const uint32_t primes[2] = {401, 11};
    for (int s = 0; s < 2; s++) {
        ckda_modulus m;
        ckda_height_t h;
        ckda_mat_t A;
        fmpz_t N;
        uint32_t image[49];
        int collisions = 0;
        OK(ckda_modulus_init_prime(&m, K, primes[s]));
        ckda_mat_init(A, 49, 1, K);
        ckda_height_init(h);
        fmpz_init(N);
        for (slong u = -3; u <= 3; u++)
            for (slong v = -3; v <= 3; v++) {
                fmpq_poly_t g;
                fmpq_poly_init(g);
                fmpq_poly_set_coeff_si(g, 0, u);
                fmpq_poly_set_coeff_si(g, 1, v);
                fmpq_poly_scalar_div_si(g, g, 2);
                ckda_elem_set_fmpq_poly(A->entry + 7 * (u + 3) + v + 3, g, K);
                fmpq_poly_clear(g);
            }
        ckda_mat_height(h, A, 1, K);
        ckda_modulus_needed(N, h->den, h->entry, K);
        assert_int_equal(fmpz_get_si(N), 376); /* (12 + 12 phi ...)^2, rounded down */
        OK(ckda_modulus_mat(image, A, &m, K));
        for (int i = 0; i < 49; i++)
            for (int j = 0; j < i; j++)
                collisions += image[i] == image[j];
        assert_int_equal(collisions > 0, primes[s] < 376);
        fmpz_clear(N);
        ckda_height_clear(h);
        ckda_mat_clear(A, K);
        ckda_modulus_clear(&m);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(moduli_are_primes_with_a_root),
        TEST(root_is_the_least_one),
        TEST(reduction_is_a_homomorphism),
        TEST(largest_residues_do_not_overflow),
        TEST(both_products_of_four_agree),
        TEST(products_agree_with_division),
        TEST(denominators_divisible_by_p_are_refused),
        TEST(height_sees_every_embedding),
        TEST(height_is_submultiplicative),
        TEST(orthogonal_everywhere_needs_a_totally_real_field),
        TEST(needed_modulus_of_the_icosahedral_tracker),
        TEST(images_decide_equality_above_the_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
