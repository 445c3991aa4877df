/* The freedoms of Theorem 1: all representations of a decomposed matrix, and its free D. */
#include "internal.h"

static slong
next_of_key(const ckda_decomposition_t dec, slong from, const ckda_field_t K)
{
    while (from < dec->n && ckda_elem_is_zero(dec->key + from, K))
        from++;
    return from;
}

static slong
support(slong *p, slong *q, const ckda_decomposition_t dec, const ckda_field_t K)
{
    slong count = 0;
    *p = next_of_key(dec, 0, K);
    *q = next_of_key(dec, *p + 1, K);
    for (slong i = *p; i < dec->n; i = next_of_key(dec, i + 1, K))
        count++;
    return count;
}

static void
expand(ckda_mat_t A, const int *signs, const ckda_elem_struct *key, const ckda_field_t K)
{
    const ckda_status st = ckda_signed_householder_matrix(A, signs, key, K);
    ckda_require(st == CKDA_OK, "a key that is zero");
}

slong
ckda_decomposition_support(slong *p, slong *q, ckda_elem_struct *block,
                           const ckda_decomposition_t dec, const ckda_field_t K)
{
    ckda_mat_t A;
    slong at[2];
    ckda_require(dec->verified, "a decomposition that failed");
    const slong count = support(at, at + 1, dec, K);
    if (count != 2)
        return count;
    ckda_mat_init(A, dec->n, dec->n, K);
    expand(A, dec->signs, dec->key, K);
    for (int i = 0; i < 4; i++)
        ckda_elem_set(block + i, ckda_mat_entry(A, at[i / 2], at[i % 2]), K);
    ckda_mat_clear(A, K);
    *p = at[0];
    *q = at[1];
    return count;
}

/* (I - 2 w w^T) S = (I - 2 w' w'^T) S' in the plane of p and q, where S' = -S there and w'
 * is at a right angle to w, since both reflections of the plane differ by the sign. */
static void
turn(int *signs, ckda_elem_struct *key, slong p, slong q, const ckda_field_t K)
{
    signs[p] = -signs[p];
    signs[q] = -signs[q];
    ckda_elem_swap(key + p, key + q, K);
    ckda_elem_neg(key + q, key + q, K);
}

/* From e_p to the i-th other unit vector. */
static void
move(int *signs, ckda_elem_struct *key, slong p, slong i, const ckda_field_t K)
{
    const slong j = i <= p ? i - 1 : i;
    signs[p] = -signs[p];
    signs[j] = -signs[j];
    ckda_elem_zero(key + p, K);
    ckda_elem_one(key + j, K);
}

static bool
same_matrix(const int *signs, const ckda_elem_struct *key, const ckda_decomposition_t dec,
            const ckda_field_t K)
{
    ckda_mat_t A, B;
    ckda_mat_init(A, dec->n, dec->n, K);
    ckda_mat_init(B, dec->n, dec->n, K);
    expand(A, dec->signs, dec->key, K);
    expand(B, signs, key, K);
    const bool same = ckda_mat_equal(NULL, A, B, K);
    ckda_mat_clear(B, K);
    ckda_mat_clear(A, K);
    return same;
}

ckda_status
ckda_decomposition_get(int *signs, ckda_elem_struct *key, const ckda_decomposition_t dec,
                       slong i, const ckda_field_t K)
{
    slong p, q;
    ckda_require(dec->verified, "a decomposition that failed");
    if (i < 0 || i >= dec->representations)
        return CKDA_E_DOMAIN;
    for (slong j = 0; j < dec->n; j++) {
        signs[j] = dec->signs[j];
        ckda_elem_set(key + j, dec->key + j, K);
    }
    const slong count = support(&p, &q, dec, K);
    if (i > 0 && count == 2)
        turn(signs, key, p, q, K);
    else if (i > 0 && count == 1)
        move(signs, key, p, i, K);
    ckda_require(same_matrix(signs, key, dec, K), "representation %ld is none", (long)i);
    return CKDA_OK;
}
