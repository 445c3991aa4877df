/* proofs/deltaproduct.c -- how many reflections each letter of a construction takes.
 *
 * Statement.  Of the letters of the construction as many as stated take 0, 1, 2, ...
 * reflections; each reflection has a beta that is listed and a key with two nonzero
 * entries of sum 0, the gate is 1, and no shorter product of generalised Householder
 * matrices gives the same letter.
 *
 * Why the check suffices.  Every letter is taken.  Its transition is expanded and
 * compared with the letter's matrix A.  A product of k matrices I - c w w^T differs from
 * I by a matrix of rank at most k, so k >= rank(A - I), which is computed exactly.
 *
 * Not shown here: which words are tracked (C-DP4 has the reachable states). */
#include "checks.h"
#include "closure.h"
#include "ckda/input.h"

enum { MAX_FACTORS = 32 };

/* e_i - e_j up to a factor? */
static bool
is_difference(const ckda_elem_struct *key, slong n, const ckda_field_t K)
{
    slong support = 0;
    ckda_elem_t sum;
    ckda_elem_init(sum, K);
    for (slong i = 0; i < n; i++) {
        support += !ckda_elem_is_zero(key + i, K);
        ckda_elem_add(sum, sum, key + i, K);
    }
    const bool difference = support == 2 && ckda_elem_is_zero(sum, K);
    ckda_elem_clear(sum, K);
    return difference;
}

/* Steps with beta != 0; every one is a listed beta with a key e_i - e_j. */
static ckda_truth
count_factors(ckda_evidence *ev, long *factors, const ckda_trans_t t,
              const ckda_elem_t beta, const ckda_field_t K)
{
    *factors = 0;
    for (slong j = 0; j < t->steps; j++) {
        if (ckda_elem_is_zero(t->beta + j, K))
            continue;
        ++*factors;
        if (ckda_evidence_expect(ev, ckda_elem_equal(t->beta + j, beta, K),
                                 "every beta is 0 or the stated one")
                != CKDA_TRUE
            || ckda_evidence_expect(ev, is_difference(t->key + j * t->n, t->n, K),
                                    "every key is a difference of two unit vectors")
                   != CKDA_TRUE)
            return CKDA_FALSE;
    }
    for (slong i = 0; i < t->n; i++)
        if (ckda_evidence_expect(ev, ckda_elem_is_one(t->gate + i, K), "the gate is 1")
            != CKDA_TRUE)
            return CKDA_FALSE;
    return CKDA_TRUE;
}

/* The expansion is the letter, and the factors are as few as its rank allows. */
static ckda_truth
check_letter(ckda_evidence *ev, const ckda_construction_t c, uint32_t g, long factors)
{
    ckda_mat_t A, Id;
    ckda_mat_init(A, c->n, c->n, c->K);
    ckda_mat_init(Id, c->n, c->n, c->K);
    ckda_require(ckda_mat_one(Id, c->K) == CKDA_OK
                     && ckda_trans_matrix(A, &c->trans[g], c->K) == CKDA_OK,
                 "the keys of a construction are not 0");
    ckda_truth truth =
        ckda_evidence_expect_mat(ev, "product of the factors", A, &c->matrix[g], c->K);
    if (truth == CKDA_TRUE) {
        ckda_require(ckda_mat_sub(A, A, Id, c->K) == CKDA_OK, "equal shapes");
        truth = ckda_evidence_expect_long(ev, "factors, at least the rank of A - I",
                                          factors, (long)ckda_mat_rank(A, c->K));
    }
    ckda_mat_clear(Id, c->K);
    ckda_mat_clear(A, c->K);
    return truth;
}

static ckda_truth
check_factors(ckda_evidence *ev, const ckda_construction_t c, const ckda_elem_t beta,
              const ckda_node *want)
{
    long count[MAX_FACTORS + 1] = {0}, factors = 0;
    ckda_truth truth = CKDA_TRUE;
    for (uint32_t g = 0; g < c->G->order && truth == CKDA_TRUE; g++) {
        truth = count_factors(ev, &factors, &c->trans[g], beta, c->K);
        if (truth == CKDA_TRUE && factors > MAX_FACTORS)
            truth = ckda_evidence_unable(ev, "more than %d factors", MAX_FACTORS);
        if (truth == CKDA_TRUE)
            truth = check_letter(ev, c, g, factors);
        if (truth == CKDA_TRUE)
            count[factors]++;
    }
    return truth == CKDA_TRUE ? closure_histogram(ev, "letters with so many factors",
                                                  count, MAX_FACTORS, want)
                              : truth;
}

ckda_truth
ckda_check_factor_counts(ckda_evidence *ev, const ckda_node *in)
{
    static const char *const known[] = {"system", "construction", "beta", "factors"};
    ckda_node at, want;
    ckda_construction_t c;
    ckda_elem_t beta;
    ckda_error *err = &ev->problem;
    if (ckda_node_only(in, known, sizeof known / sizeof known[0], err) != CKDA_OK
        || ckda_node_member(&want, in, "factors", err) != CKDA_OK
        || ckda_node_member(&at, in, "beta", err) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = closure_construct(c, ev, in);
    if (truth != CKDA_TRUE)
        return truth;
    ckda_elem_init(beta, c->K);
    truth = CKDA_UNKNOWN;
    if (ckda_input_read_elem(beta, &at, c->K, err) == CKDA_OK)
        truth = check_factors(ev, c, beta, &want);
    ckda_evidence_scope(ev, "%u letters", c->G->order);
    ckda_elem_clear(beta, c->K);
    ckda_construct_clear(c);
    return truth;
}
