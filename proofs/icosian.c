/* proofs/icosian.c -- which arrangement of the icosians belongs to the icosahedron.
 *
 * Statement.  Of the quaternions that arrange the given coordinates by permutations of
 * one parity, with all signs, as many as stated turn each list of axes into itself.
 *
 * Why the check suffices.  There are 96 quaternions of either parity; each rotation is
 * applied to every axis exactly.
 *
 * Not shown here: that either list, with 24 more, is a group. */
#include "axes.h"
#include "checks.h"
#include "ckda/input.h"

/* Does the rotation map each list to itself? */
static bool
keeps_lists(const ckda_mat_t R, const axes_lists *all, const ckda_field_t K)
{
    bool keeps = true;
    ckda_elem_struct v[3];
    axes_vec_init(v, K);
    for (size_t l = 0; l < all->n && keeps; l++)
        for (slong i = 0; i < all->list[l].n && keeps; i++) {
            axes_apply(v, R, axes_at(&all->list[l], i), K);
            keeps = axes_find(&all->list[l], v, K) >= 0;
        }
    axes_vec_clear(v, K);
    return keeps;
}

/* Permutation number k = 0 .. 23 of four things, and whether it is odd. */
static bool
permutation(int p[4], int k)
{
    int left[4] = {0, 1, 2, 3}, inversions = 0;
    for (int i = 0, base = 6; i < 4; i++) {
        const int pick = k / base;
        k %= base;
        base = i < 2 ? base / (3 - i) : 1;
        p[i] = left[pick];
        inversions += pick;
        for (int j = pick; j < 3; j++)
            left[j] = left[j + 1];
    }
    return inversions % 2 == 1;
}

/* How many of the arrangements of q, of one parity and with all signs, keep the lists? */
static long
count_keeping(long *total, const ckda_elem_struct *q, bool odd, const axes_lists *all,
              const ckda_field_t K)
{
    ckda_elem_struct x[4];
    ckda_mat_t R;
    long keeping = 0;
    *total = 0;
    ckda_mat_init(R, 3, 3, K);
    for (int i = 0; i < 4; i++)
        ckda_elem_init(x + i, K);
    for (int k = 0; k < 24; k++) {
        int p[4];
        if (permutation(p, k) != odd)
            continue;
        for (int bits = 0; bits < 16; bits++) {
            bool doubled = false; /* -0 is no sign of its own */
            for (int i = 0; i < 4; i++) {
                const bool minus = bits >> i & 1;
                ckda_elem_set(x + i, q + p[i], K);
                if (minus)
                    ckda_elem_neg(x + i, x + i, K);
                doubled = doubled || (minus && ckda_elem_is_zero(x + i, K));
            }
            if (doubled)
                continue;
            axes_rotation(R, x, K);
            keeping += keeps_lists(R, all, K);
            ++*total;
        }
    }
    for (int i = 0; i < 4; i++)
        ckda_elem_clear(x + i, K);
    ckda_mat_clear(R, K);
    return keeping;
}

/* "even" or "odd" with how many of how many keep the axes. */
static ckda_truth
check_parity(ckda_evidence *ev, const ckda_node *in, const char *parity,
             const ckda_elem_struct *q, const axes_lists *all, const ckda_field_t K)
{
    ckda_node at;
    long want, total;
    if (ckda_node_member(&at, in, parity, &ev->problem) != CKDA_OK
        || ckda_node_long(&want, &at, 0, 384, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    const long got = count_keeping(&total, q, parity[0] == 'o', all, K);
    ckda_evidence_count(ev, (uint64_t)total);
    ckda_evidence_scope(ev, "%ld %s arrangements", total, parity);
    ckda_truth truth =
        ckda_evidence_expect_long(ev, "quaternions that keep the axes", got, want);
    if (truth == CKDA_FALSE)
        ckda_evidence_fact(ev, "permutations", "%s", parity);
    return truth;
}

ckda_truth
ckda_check_icosian_parity(ckda_evidence *ev, const ckda_node *in)
{
    ckda_node at;
    axes_lists all;
    ckda_field_t K;
    ckda_elem_struct *q;
    slong n;
    ckda_truth truth = CKDA_UNKNOWN;
    if (axes_read(&all, K, in, 2, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    if (ckda_node_member(&at, in, "quaternion", &ev->problem) == CKDA_OK
        && ckda_input_read_vector(&q, &n, &at, 4, K, &ev->problem) == CKDA_OK) {
        truth = check_parity(ev, in, "even", q, &all, K);
        if (truth == CKDA_TRUE)
            truth = check_parity(ev, in, "odd", q, &all, K);
        ckda_input_free_vector(q, n, K);
    }
    axes_clear(&all, K);
    ckda_field_clear(K);
    return truth;
}
