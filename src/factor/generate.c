/* Seeded inputs for the checks of Theorem 1.  Products H S alone would test little: there
 * D is already the sign matrix.  Support two is the case with a free D. */
#include "internal.h"

static void
rand_nonzero(ckda_elem_t x, ckda_rand *r, slong bound, const ckda_field_t K)
{
    do {
        ckda_elem_rand(x, r, bound, bound, K);
    } while (ckda_elem_is_zero(x, K));
}

static int
rand_sign(ckda_rand *r)
{
    return ckda_rand_below(r, 2) ? 1 : -1;
}

static void
rand_permutation(slong *perm, slong n, ckda_rand *r)
{
    for (slong i = 0; i < n; i++) {
        slong j = (slong)ckda_rand_below(r, (uint64_t)i + 1);

        perm[i] = perm[j];
        perm[j] = i;
    }
}

static void
clear_to_signs(ckda_dpr1_t d, ckda_rand *r, const ckda_field_t K)
{
    for (slong i = 0; i < d->n; i++) {
        ckda_elem_set_si(d->diagonal + i, rand_sign(r), K);
        ckda_elem_zero(d->u + i, K);
        ckda_elem_zero(d->v + i, K);
    }
}

/* B = 2 x 2 rotation or reflection, row-major, with nonzero off-diagonal entries:
 * cos = (1 - s^2)/(1 + s^2), sin = 2s/(1 + s^2), s != 0. */
static void
rand_block(ckda_elem_struct *B, ckda_rand *r, slong bound, const ckda_field_t K)
{
    ckda_elem_t s, den, one;
    ckda_status st;
    int flip = rand_sign(r);

    ckda_elem_init(s, K);
    ckda_elem_init(den, K);
    ckda_elem_init(one, K);
    rand_nonzero(s, r, bound, K);
    ckda_elem_one(one, K);
    ckda_elem_mul(den, s, s, K);
    ckda_elem_sub(B + 0, one, den, K);
    ckda_elem_add(den, den, one, K);
    ckda_elem_mul_si(B + 2, s, 2, K);
    st = ckda_elem_inv(den, den, K);
    ckda_require(st == CKDA_OK, "1 + s^2 > 0 in a real field");
    ckda_elem_mul(B + 0, B + 0, den, K);
    ckda_elem_mul(B + 2, B + 2, den, K);
    ckda_elem_mul_si(B + 1, B + 2, -flip, K);
    ckda_elem_mul_si(B + 3, B + 0, flip, K);
    ckda_elem_clear(one, K);
    ckda_elem_clear(den, K);
    ckda_elem_clear(s, K);
}

void
ckda_gen_support2(ckda_dpr1_t d, ckda_rand *r, slong bound, const ckda_field_t K)
{
    slong p, q;
    ckda_elem_struct *B;
    ckda_elem_t t;
    ckda_status st;

    ckda_require(d->n >= 2, "n = %ld", (long)d->n);
    clear_to_signs(d, r, K);
    p = (slong)ckda_rand_below(r, (uint64_t)d->n);
    q = (p + 1 + (slong)ckda_rand_below(r, (uint64_t)d->n - 1)) % d->n;
    B = ckda_elem_vec_new(4, K);
    ckda_elem_init(t, K);
    rand_block(B, r, bound, K);
    rand_nonzero(t, r, bound, K);
    ckda_elem_one(d->u + p, K);
    ckda_elem_set(d->u + q, t, K);
    st = ckda_elem_div(d->v + p, B + 2, t, K);
    ckda_require(st == CKDA_OK, "t != 0");
    ckda_elem_set(d->v + q, B + 1, K);
    ckda_elem_sub(d->diagonal + p, B + 0, d->v + p, K);
    ckda_elem_mul(t, t, d->v + q, K);
    ckda_elem_sub(d->diagonal + q, B + 3, t, K);
    ckda_elem_clear(t, K);
    ckda_elem_vec_free(B, 4, K);
}

void
ckda_gen_diagonal(ckda_dpr1_t d, ckda_rand *r, slong bound, const ckda_field_t K)
{
    slong j;

    ckda_require(d->n >= 1, "n = %ld", (long)d->n);
    clear_to_signs(d, r, K);
    switch (ckda_rand_below(r, 3)) {
    case 0:
        j = (slong)ckda_rand_below(r, (uint64_t)d->n);
        rand_nonzero(d->u + j, r, bound, K);
        ckda_elem_one(d->v + j, K);
        ckda_elem_sub(d->diagonal + j, d->diagonal + j, d->u + j, K);
        break;
    case 1:
        for (slong i = 0; i < d->n; i++)
            rand_nonzero(d->v + i, r, bound, K);
        break;
    default:
        for (slong i = 0; i < d->n; i++)
            rand_nonzero(d->u + i, r, bound, K);
    }
}

void
ckda_gen_support(ckda_dpr1_t d, slong support, ckda_rand *r, slong bound,
                 const ckda_field_t K)
{
    slong *perm;
    ckda_elem_t norm, scale;
    ckda_status st;

    ckda_require(1 <= support && support <= d->n, "support %ld of %ld", (long)support,
                 (long)d->n);
    clear_to_signs(d, r, K);
    perm = flint_malloc((size_t)d->n * sizeof *perm);
    rand_permutation(perm, d->n, r);
    ckda_elem_init(norm, K);
    ckda_elem_init(scale, K);
    for (slong i = 0; i < support; i++) {
        rand_nonzero(d->u + perm[i], r, bound, K);
        ckda_elem_addmul(norm, d->u + perm[i], d->u + perm[i], K);
    }
    /* v = S k / scale, then u = -2 scale k / k^T k */
    rand_nonzero(scale, r, bound, K);
    for (slong i = 0; i < d->n; i++) {
        ckda_elem_mul(d->v + i, d->diagonal + i, d->u + i, K);
        st = ckda_elem_div(d->v + i, d->v + i, scale, K);
        ckda_require(st == CKDA_OK, "scale != 0");
    }
    ckda_elem_mul_si(scale, scale, -2, K);
    st = ckda_elem_div(scale, scale, norm, K);
    ckda_require(st == CKDA_OK, "k != 0");
    for (slong i = 0; i < d->n; i++)
        ckda_elem_mul(d->u + i, d->u + i, scale, K);
    ckda_elem_clear(scale, K);
    ckda_elem_clear(norm, K);
    flint_free(perm);
}

void
ckda_gen_thm1(ckda_dpr1_t d, ckda_rand *r, slong bound, const ckda_field_t K)
{
    uint64_t kind = ckda_rand_below(r, 3);

    if (kind == 0 && d->n >= 2)
        ckda_gen_support2(d, r, bound, K);
    else if (kind == 1)
        ckda_gen_diagonal(d, r, bound, K);
    else
        ckda_gen_support(d, 1 + (slong)ckda_rand_below(r, (uint64_t)d->n), r, bound, K);
}

/* A + e E_ii is orthogonal only if 2 A_ii e + e^2 = 0, so any e outside {0, -2 A_ii}
 * breaks the diagonal entry (i, i) of A^T A. */
void
ckda_gen_not_orthogonal(ckda_dpr1_t d, ckda_rand *r, slong bound, const ckda_field_t K)
{
    ckda_elem_t e, a;
    slong i;

    ckda_gen_thm1(d, r, bound, K);
    i = (slong)ckda_rand_below(r, (uint64_t)d->n);
    ckda_elem_init(e, K);
    ckda_elem_init(a, K);
    do {
        rand_nonzero(e, r, bound, K);
        ckda_elem_mul(a, d->u + i, d->v + i, K);
        ckda_elem_add(a, a, d->diagonal + i, K);
        ckda_elem_mul_si(a, a, 2, K);
        ckda_elem_add(a, a, e, K);
    } while (ckda_elem_is_zero(a, K));
    ckda_elem_add(d->diagonal + i, d->diagonal + i, e, K);
    ckda_elem_clear(a, K);
    ckda_elem_clear(e, K);
}

/* With A_pq != 0 and A_st != 0 a rank-one part would force A_pt = u_p v_t != 0. */
void
ckda_gen_not_dpr1(ckda_mat_t A, ckda_rand *r, slong bound, const ckda_field_t K)
{
    slong n = A->rows, *perm;
    ckda_elem_struct *B;

    ckda_require(n >= 4 && A->cols == n, "a square matrix with n >= 4");
    perm = flint_malloc((size_t)n * sizeof *perm);
    rand_permutation(perm, n, r);
    B = ckda_elem_vec_new(4, K);
    ckda_mat_zero(A, K);
    for (slong b = 0; b < 4; b += 2) {
        rand_block(B, r, bound, K);
        for (slong i = 0; i < 4; i++)
            ckda_elem_set(ckda_mat_entry(A, perm[b + i / 2], perm[b + i % 2]), B + i, K);
    }
    for (slong i = 4; i < n; i++)
        ckda_mat_set_entry_si(A, perm[i], perm[i], rand_sign(r), K);
    ckda_elem_vec_free(B, 4, K);
    flint_free(perm);
}
