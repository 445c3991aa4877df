/* proofs/minimal_factors.c -- the least number of factors of an orthogonal matrix.
 *
 * Statement.  orthogonal_minimum: for each listed and seeded orthogonal A some sign
 * diagonal S with the least rank(A - S) = m gives A = H_m ... H_1 S with exactly m
 * reflections; a listed A has the stated m, and rank(A - D) as stated for a diagonal D.
 * permutation_ranks: m = n + per_cycle * cycles for all permutations, and rank(P - I) is
 * the same: signs save nothing.
 *
 * Why the check suffices.  All 2^n sign diagonals are tried with exact ranks; that no fewer
 * factors do is a.F8.  The reflections are found one by one, counted, and the product is
 * multiplied out exactly.
 *
 * Not shown here: the lower bound itself (a.F8).                                        */
#include "checks.h"
#include "ckda/input.h"
#include "maps.h"
#include "reflections.h"

/* A - Diag(s), s_i = -1 where bit i of signs is set. */
static void
minus_signs(ckda_mat_t B, const ckda_mat_t A, unsigned signs, const ckda_field_t K)
{
    ckda_mat_zero(B, K);
    for (slong i = 0; i < A->rows; i++)
        ckda_mat_set_entry_si(B, i, i, signs >> i & 1 ? -1 : 1, K);
    ckda_require(ckda_mat_sub(B, A, B, K) == CKDA_OK, "one shape");
}

/* min over all sign diagonals of rank(A - S); *best attains it.  n < 20. */
static slong
least_rank(unsigned *best, const ckda_mat_t A, const ckda_field_t K)
{
    slong least = A->rows + 1;
    ckda_mat_t B;
    ckda_mat_init(B, A->rows, A->rows, K);
    for (unsigned signs = 0; signs < 1u << A->rows; signs++) {
        minus_signs(B, A, signs, K);
        const slong rank = ckda_mat_rank(B, K);
        if (rank < least) {
            least = rank;
            *best = signs;
        }
    }
    ckda_mat_clear(B, K);
    return least;
}

/* A = H_1 ... H_m S with m = least reflections, S by the bits of signs. */
static ckda_truth
check_reflections(ckda_evidence *ev, const ckda_mat_t A, slong least, unsigned signs,
                  const ckda_field_t K)
{
    const slong n = A->rows;
    mirrors h;
    ckda_factors_t f;
    ckda_mat_t B;
    ckda_elem_struct *s = ckda_elem_vec_new(n, K);
    mirrors_init(&h, n, n, K);
    ckda_factors_init(f, n, K);
    ckda_mat_init_set(B, A, K);
    for (slong j = 0; j < n; j++) {
        ckda_elem_set_si(s + j, signs >> j & 1 ? -1 : 1, K);
        for (slong i = 0; i < n; i++)
            ckda_elem_mul(ckda_mat_entry(B, i, j), ckda_mat_entry(B, i, j), s + j, K);
    }
    mirrors_scherk(&h, B, K);
    ckda_truth truth = ckda_evidence_expect_long(
        ev, "reflections of A S against rank(A - S)", (long)h.count, (long)least);
    if (truth == CKDA_FALSE)
        ckda_evidence_fact_mat(ev, "A", A, K);
    mirrors_factors(f, &h, s, NULL, K);
    if (truth == CKDA_TRUE)
        truth = mirrors_check(ev, f, A, mirrors_at_least_one(least), 0, K);
    ckda_mat_clear(B, K);
    ckda_factors_clear(f, K);
    mirrors_clear(&h, K);
    ckda_elem_vec_free(s, n, K);
    return truth;
}

/* Orthogonality, the least rank, and so many reflections; *least is the rank. */
static ckda_truth
check_minimum(ckda_evidence *ev, slong *least, const ckda_mat_t A, const ckda_field_t K)
{
    unsigned best = 0;
    ckda_truth truth =
        ckda_evidence_expect(ev, ckda_mat_is_orthogonal(NULL, A, K), "A^T A = I");
    if (truth == CKDA_FALSE)
        ckda_evidence_fact_mat(ev, "A", A, K);
    if (truth == CKDA_TRUE) {
        *least = least_rank(&best, A, K);
        truth = check_reflections(ev, A, *least, best, K);
    }
    return truth;
}

/* ---- listed matrices --------------------------------------------------------------- */

/* {"matrix": ..., "least": 3, "diagonal": [...], "rank": 2}; the last two together or
 * not at all. */
static ckda_truth
check_listed(ckda_evidence *ev, const ckda_node *at)
{
    ckda_node where, diagonal;
    ckda_field_t K;
    ckda_mat_t A, D;
    ckda_elem_struct *d;
    long want, rank;
    slong least = 0, n;
    ckda_error *err = &ev->problem;
    if (ckda_input_field(K, at, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = CKDA_UNKNOWN;
    if (ckda_node_member(&where, at, "matrix", err) == CKDA_OK
        && ckda_node_get_long(&want, at, "least", 0, 12, err) == CKDA_OK
        && ckda_input_read_square(A, &where, K, err) == CKDA_OK) {
        truth = A->rows > 12 ? ckda_evidence_unable(ev, "dimensions up to 12")
                             : check_minimum(ev, &least, A, K);
        if (truth == CKDA_TRUE)
            truth = ckda_evidence_expect_long(ev, "least rank(A - S)", (long)least, want);
        if (truth == CKDA_TRUE && ckda_node_has(at, "diagonal")) {
            truth = CKDA_UNKNOWN;
            if (ckda_node_member(&diagonal, at, "diagonal", err) == CKDA_OK
                && ckda_node_get_long(&rank, at, "rank", 0, 12, err) == CKDA_OK
                && ckda_input_read_vector(&d, &n, &diagonal, A->rows, K, err)
                       == CKDA_OK) {
                ckda_mat_init(D, n, n, K);
                ckda_require(ckda_mat_set_diag(D, d, n, K) == CKDA_OK
                                 && ckda_mat_sub(D, A, D, K) == CKDA_OK,
                             "one shape");
                truth = ckda_evidence_expect_long(ev, "rank(A - D)",
                                                  (long)ckda_mat_rank(D, K), rank);
                ckda_mat_clear(D, K);
                ckda_input_free_vector(d, n, K);
            }
        }
        ckda_mat_clear(A, K);
    }
    ckda_field_clear(K);
    return truth;
}

/* ---- seeded matrices --------------------------------------------------------------- */

/* A product of up to n reflections with small keys and a sign diagonal: least ranks of all
 * sizes occur. */
static void
rand_product(ckda_mat_t A, ckda_rand *r, const ckda_field_t K)
{
    const slong n = A->rows, m = (slong)ckda_rand_range(r, 0, n);
    ckda_mat_t H, w;
    ckda_elem_t two;
    ckda_mat_init(H, n, n, K);
    ckda_mat_init(w, n, 1, K);
    ckda_elem_init(two, K);
    ckda_elem_set_si(two, 2, K);
    ckda_mat_zero(A, K);
    for (slong i = 0; i < n; i++)
        ckda_mat_set_entry_si(A, i, i, ckda_rand_below(r, 2) == 0 ? 1 : -1, K);
    for (slong i = 0; i < m; i++) {
        do
            ckda_mat_rand(w, r, 2, 1, K);
        while (ckda_mat_is_zero(w, K));
        ckda_require(ckda_mat_set_householder(H, two, w->entry, n, K) == CKDA_OK
                         && ckda_mat_mul(A, H, A, K) == CKDA_OK,
                     "a key is not zero");
    }
    ckda_elem_clear(two, K);
    ckda_mat_clear(w, K);
    ckda_mat_clear(H, K);
}

static ckda_truth
check_seeded(ckda_evidence *ev, long inputs, long n_max, const ckda_node *field)
{
    ckda_field_t K;
    ckda_rand r;
    ckda_truth truth = CKDA_TRUE;
    if (ckda_input_field(K, field, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_rand_init(&r, ev->seed);
    for (long i = 0; i < inputs && truth == CKDA_TRUE; i++) {
        slong least;
        ckda_mat_t A;
        ckda_mat_init(A, 1 + i % n_max, 1 + i % n_max, K);
        rand_product(A, &r, K);
        truth = check_minimum(ev, &least, A, K);
        ckda_mat_clear(A, K);
    }
    ckda_evidence_scope(ev, "%ld seeded matrices, n = 1 .. %ld, field of degree %ld",
                        inputs, n_max, (long)K->degree);
    ckda_field_clear(K);
    return truth;
}

ckda_truth
ckda_check_orthogonal_minimum(ckda_evidence *ev, const ckda_node *in)
{
    ckda_node list, item;
    size_t n;
    long inputs, n_max;
    ckda_truth truth = CKDA_TRUE;
    ckda_error *err = &ev->problem;
    if (ckda_node_get_long(&inputs, in, "inputs", 0, 100000, err) != CKDA_OK
        || ckda_node_get_long(&n_max, in, "n_max", 1, 7, err) != CKDA_OK
        || ckda_node_member(&list, in, "matrices", err) != CKDA_OK
        || ckda_node_size(&n, &list, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    inputs *= ev->effort == CKDA_QUICK ? 1 : 10;
    ckda_evidence_weaken(ev, CKDA_CERTIFICATE);
    for (size_t i = 0; i < n && truth == CKDA_TRUE; i++)
        truth = ckda_node_item(&item, &list, i, err) == CKDA_OK ? check_listed(ev, &item)
                                                                : CKDA_UNKNOWN;
    ckda_evidence_scope(ev, "%zu listed matrices", n);
    if (truth != CKDA_TRUE)
        return truth;
    if (ckda_node_member(&list, in, "fields", err) != CKDA_OK
        || ckda_node_size(&n, &list, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (size_t i = 0; i < n && truth == CKDA_TRUE; i++)
        truth = ckda_node_item(&item, &list, i, err) == CKDA_OK
                    ? check_seeded(ev, inputs, n_max, &item)
                    : CKDA_UNKNOWN;
    return truth;
}

/* ---- permutations ------------------------------------------------------------------ */

static ckda_truth
check_permutation(ckda_evidence *ev, const slong *image, slong n, long per_cycle,
                  const ckda_field_t K)
{
    slong points, cycles, least = 0;
    ckda_mat_t P, B;
    ckda_mat_init(P, n, n, K);
    ckda_mat_init(B, n, n, K);
    maps_cycles(&points, &cycles, image, n);
    ckda_require(ckda_mat_set_map(P, image, n, K) == CKDA_OK, "images within 0 .. n-1");
    ckda_truth truth = check_minimum(ev, &least, P, K);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "least rank(P - S)", (long)least,
                                          n + per_cycle * cycles);
    minus_signs(B, P, 0, K);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "rank(P - I)", (long)ckda_mat_rank(B, K),
                                          (long)least);
    ckda_mat_clear(B, K);
    ckda_mat_clear(P, K);
    return maps_blame(ev, image, n, truth);
}

ckda_truth
ckda_check_permutation_ranks(ckda_evidence *ev, const ckda_node *in)
{
    return maps_all_permutations(ev, in, check_permutation, ", all sign diagonals");
}
