/* proofs/prop13.c -- how many ways a cube or icosahedral rotation is one step.
 *
 * Statement.  The number of pairs (S, w) with R = H_w S, S a sign diagonal, depends only
 * on whether R is the identity, a half-turn or another rotation, and on how many
 * coordinates of its axis vanish.
 *
 * Why the check suffices.  The groups are finite, every rotation is taken, and for each
 * all sign diagonals are tried exactly; the first pair found is expanded again.
 *
 * Not shown here: rotations outside the groups named (C-13 is about all of them). */
#include "checks.h"
#include "ckda/construct.h"

typedef struct {
    long identity, half_turn[3], other[3];
} stated;

static ckda_status
read_three(long v[3], const ckda_node *in, const char *key, ckda_error *err)
{
    ckda_node list, item;
    if (ckda_node_member(&list, in, key, err) != CKDA_OK)
        return CKDA_E_INPUT;
    for (size_t i = 0; i < 3; i++)
        if (ckda_node_item(&item, &list, i, err) != CKDA_OK
            || ckda_node_long(&v[i], &item, 0, 8, err) != CKDA_OK)
            return CKDA_E_INPUT;
    return CKDA_OK;
}

/* axis = a vector along the axis of R != I: the axial vector, or for a half-turn
 * R = 2aa^T - I (symmetric) a nonzero column of R + I. */
static bool
set_axis(ckda_elem_struct *axis, const ckda_mat_t R, const ckda_field_t K)
{
    bool zero = true, half_turn = ckda_mat_is_symmetric(R, K);
    for (slong i = 0; i < 3 && !half_turn; i++)
        ckda_elem_sub(axis + i, ckda_mat_entry(R, (i + 2) % 3, (i + 1) % 3),
                      ckda_mat_entry(R, (i + 1) % 3, (i + 2) % 3), K);
    for (slong j = 0; j < 3 && half_turn && zero; j++) {
        ckda_elem_t one;
        ckda_elem_init(one, K);
        ckda_elem_one(one, K);
        for (slong i = 0; i < 3; i++)
            ckda_elem_set(axis + i, ckda_mat_entry(R, i, j), K);
        ckda_elem_add(axis + j, axis + j, one, K);
        ckda_elem_clear(one, K);
        for (slong i = 0; i < 3; i++)
            zero = zero && ckda_elem_is_zero(axis + i, K);
    }
    return half_turn;
}

static long
stated_pairs(const stated *s, const ckda_mat_t R, ckda_elem_struct *axis,
             const ckda_field_t K)
{
    int zeros = 0;
    if (ckda_mat_is_one(R, K))
        return s->identity;
    bool half_turn = set_axis(axis, R, K);
    for (slong i = 0; i < 3; i++)
        zeros += ckda_elem_is_zero(axis + i, K);
    ckda_require(zeros < 3, "the axis of a rotation is not 0");
    return half_turn ? s->half_turn[zeros] : s->other[zeros];
}

/* Does H_w S, expanded again, give R? */
static ckda_truth
expand(ckda_evidence *ev, const ckda_mat_t R, const int *signs, const ckda_elem_struct *w,
       const ckda_field_t K)
{
    ckda_mat_t H;
    ckda_elem_t two;
    ckda_elem_init(two, K);
    ckda_elem_set_si(two, 2, K);
    ckda_mat_init(H, 3, 3, K);
    ckda_require(ckda_mat_set_householder(H, two, w, 3, K) == CKDA_OK, "a key is not 0");
    for (slong i = 0; i < 3; i++)
        for (slong j = 0; j < 3; j++)
            ckda_elem_mul_si(ckda_mat_entry(H, i, j), ckda_mat_entry(H, i, j), signs[j],
                             K);
    ckda_truth truth = ckda_evidence_expect_mat(ev, "H_w S", H, R, K);
    ckda_mat_clear(H, K);
    ckda_elem_clear(two, K);
    return truth;
}

static ckda_truth
check_rotation(ckda_evidence *ev, const stated *s, const ckda_mat_t R,
               const ckda_field_t K)
{
    ckda_elem_struct axis[3], key[3];
    int signs[3];
    for (slong i = 0; i < 3; i++) {
        ckda_elem_init(axis + i, K);
        ckda_elem_init(key + i, K);
    }
    const long want = stated_pairs(s, R, axis, K);
    const long got = (long)ckda_signed_householder(signs, key, R, K);
    ckda_truth truth = ckda_evidence_expect_long(ev, "pairs (S, w)", got, want);
    ckda_evidence_count(ev, 8); /* the sign diagonals tried */
    if (truth == CKDA_TRUE && got > 0)
        truth = expand(ev, R, signs, key, K);
    if (truth == CKDA_FALSE)
        ckda_evidence_fact_mat(ev, "rotation", R, K);
    for (slong i = 0; i < 3; i++) {
        ckda_elem_clear(key + i, K);
        ckda_elem_clear(axis + i, K);
    }
    return truth;
}

static ckda_truth
check_group(ckda_evidence *ev, const stated *s, const ckda_node *at)
{
    const char *system;
    ckda_construction_t c;
    ckda_truth truth = CKDA_TRUE;
    if (ckda_node_string(&system, at, &ev->problem) != CKDA_OK
        || ckda_construct(c, system, "quaternion", &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (uint32_t g = 0; g < c->G->order && truth == CKDA_TRUE; g++)
        truth = check_rotation(ev, s, &c->rotation[g], c->K);
    ckda_evidence_scope(ev, "%s: %u rotations x 8 sign diagonals", system, c->G->order);
    ckda_construct_clear(c);
    return truth;
}

ckda_truth
ckda_check_signed_householder_counts(ckda_evidence *ev, const ckda_node *in)
{
    stated s;
    ckda_node groups, at;
    size_t n;
    ckda_error *err = &ev->problem;
    ckda_truth truth = CKDA_TRUE;
    if (ckda_node_get_long(&s.identity, in, "identity", 0, 8, err) != CKDA_OK
        || read_three(s.half_turn, in, "half_turn", err) != CKDA_OK
        || read_three(s.other, in, "other", err) != CKDA_OK
        || ckda_node_member(&groups, in, "groups", err) != CKDA_OK
        || ckda_node_size(&n, &groups, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (size_t i = 0; i < n && truth == CKDA_TRUE; i++) {
        if (ckda_node_item(&at, &groups, i, err) != CKDA_OK)
            return CKDA_UNKNOWN;
        truth = check_group(ev, &s, &at);
    }
    return truth;
}
