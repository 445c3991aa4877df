/* proofs/thm1.c -- Theorem 1 on exact inputs: certificates, the paper's lines, all signed
 * permutations.
 *
 * Statement.  An orthogonal A = Diag(d) + u v^T is (I - 2kk^T) S with a unit key k and a
 * sign diagonal S.
 *
 * Why the check suffices.  For each input the hypothesis A^T A = I is decided exactly, the
 * pair (S, w) is computed and (I - 2 w w^T / w^T w) S is expanded again and compared with
 * the input: the pair is a certificate that does not depend on how it was found.
 *
 * Not shown here: the statement for all inputs at once (the identities of thm1.json). */
#include <string.h>

#include "checks.h"
#include "ckda/factor.h"
#include "ckda/input.h"

/* One input of the named family; false for an unknown name. */
static bool
generate(ckda_dpr1_t d, const char *family, ckda_rand *r, slong bound,
         const ckda_field_t K)
{
    if (strcmp(family, "support2") == 0)
        ckda_gen_support2(d, r, bound, K);
    else if (strcmp(family, "diagonal") == 0)
        ckda_gen_diagonal(d, r, bound, K);
    else if (strcmp(family, "support") == 0)
        ckda_gen_support(d, (slong)ckda_rand_range(r, 1, d->n), r, bound, K);
    else if (strcmp(family, "mixed") == 0)
        ckda_gen_thm1(d, r, bound, K);
    else if (strcmp(family, "not-orthogonal") == 0)
        ckda_gen_not_orthogonal(d, r, bound, K);
    else
        return false;
    return true;
}

static void
describe(ckda_evidence *ev, const ckda_dpr1_t d, const ckda_field_t K)
{
    ckda_mat_t D, row;
    ckda_mat_init(D, 3, d->n, K);
    ckda_mat_init(row, 0, 0, K);
    for (slong j = 0; j < d->n; j++) {
        ckda_elem_set(ckda_mat_entry(D, 0, j), d->diagonal + j, K);
        ckda_elem_set(ckda_mat_entry(D, 1, j), d->u + j, K);
        ckda_elem_set(ckda_mat_entry(D, 2, j), d->v + j, K);
    }
    ckda_evidence_fact_mat(ev, "diagonal, u, v", D, K);
    ckda_mat_clear(row, K);
    ckda_mat_clear(D, K);
}

/* Decomposes d and compares the expanded pair with d; dec is left for further questions. */
static ckda_truth
certify(ckda_evidence *ev, ckda_decomposition_t dec, const ckda_dpr1_t d,
        const ckda_field_t K)
{
    ckda_truth truth;
    ckda_mat_t A, B;
    ckda_mat_init(A, d->n, d->n, K);
    ckda_mat_init(B, d->n, d->n, K);
    if (ckda_dpr1_matrix(A, d, K) != CKDA_OK
        || ckda_decompose_dpr1(dec, d, K) != CKDA_OK) {
        truth = ckda_evidence_unable(ev, "the input could not be decomposed");
    } else if (!dec->verified) {
        ckda_evidence_fact(ev, "failed", "%s", dec->reason);
        ckda_evidence_fact(ev, "at", "[%ld, %ld]", (long)dec->at.row, (long)dec->at.col);
        ckda_evidence_fact_elem(ev, "got", &dec->got, K);
        ckda_evidence_fact_elem(ev, "want", &dec->want, K);
        describe(ev, d, K);
        truth = CKDA_FALSE;
    } else if (ckda_signed_householder_matrix(B, dec->signs, dec->key, K) != CKDA_OK) {
        truth = ckda_evidence_unable(ev, "the certificate has a zero key");
    } else {
        truth = ckda_evidence_expect_mat(ev, "(I - 2kk^T) S = D + u v^T", B, A, K);
    }
    ckda_mat_clear(B, K);
    ckda_mat_clear(A, K);
    return truth;
}

typedef struct {
    long inputs, n_max, bound;
    size_t families;
    ckda_node list; /* of family names */
} generation;

static ckda_status
read_generation(generation *g, const ckda_node *in, ckda_error *err)
{
    if (ckda_node_get_long(&g->inputs, in, "inputs", 1, 100000, err) != CKDA_OK
        || ckda_node_get_long(&g->n_max, in, "n_max", 2, 12, err) != CKDA_OK
        || ckda_node_get_long(&g->bound, in, "bound", 1, 1000, err) != CKDA_OK
        || ckda_node_member(&g->list, in, "families", err) != CKDA_OK)
        return CKDA_E_INPUT;
    return ckda_node_size(&g->families, &g->list, err);
}

typedef ckda_truth (*input_check)(ckda_evidence *ev, const ckda_dpr1_t d,
                                  const ckda_field_t K);

/* Runs the check on seeded inputs: families and dimensions 1 (or 2) .. n_max in turn. */
static ckda_truth
for_generated(ckda_evidence *ev, const generation *g, input_check check,
              const ckda_field_t K)
{
    ckda_truth truth = CKDA_TRUE;
    ckda_rand r;
    long inputs = ev->effort == CKDA_QUICK ? g->inputs : 10 * g->inputs;
    ckda_rand_init(&r, ev->seed);
    for (long i = 0; i < inputs && truth == CKDA_TRUE; i++) {
        ckda_node item;
        const char *family;
        if (ckda_node_item(&item, &g->list, (size_t)i % g->families, &ev->problem)
                != CKDA_OK
            || ckda_node_string(&family, &item, &ev->problem) != CKDA_OK)
            return CKDA_UNKNOWN;
        slong least =
            strcmp(family, "diagonal") == 0 || strcmp(family, "support") == 0 ? 1 : 2;
        slong n = least + (slong)((size_t)i / g->families) % (g->n_max - least + 1);
        ckda_dpr1_t d;
        ckda_dpr1_init(d, n, K);
        if (generate(d, family, &r, g->bound, K))
            truth = check(ev, d, K);
        else
            truth = ckda_evidence_unable(ev, "unknown family of inputs \"%s\"", family);
        ckda_dpr1_clear(d, K);
    }
    return truth;
}

static ckda_truth
forward_one(ckda_evidence *ev, const ckda_dpr1_t d, const ckda_field_t K)
{
    ckda_decomposition_t dec;
    ckda_decomposition_init(dec, K);
    ckda_truth truth = certify(ev, dec, d, K);
    ckda_decomposition_clear(dec, K);
    return truth;
}

/* The stated signs, key direction (up to a factor) and number of sign matrices. */
static ckda_truth
compare_example(ckda_evidence *ev, const ckda_decomposition_t dec, const ckda_node *ex,
                const ckda_field_t K)
{
    ckda_node signs, key;
    ckda_elem_struct *w;
    slong n = dec->n;
    long representations, s;
    if (ckda_node_member(&signs, ex, "signs", &ev->problem) != CKDA_OK
        || ckda_node_member(&key, ex, "key", &ev->problem) != CKDA_OK
        || ckda_node_get_long(&representations, ex, "representations", 0, 64,
                              &ev->problem)
               != CKDA_OK
        || ckda_input_read_vector(&w, &n, &key, dec->n, K, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_mat_t got, want;
    ckda_truth truth;
    int *given = flint_malloc((size_t)n * sizeof *given);
    ckda_mat_init(got, n, n, K);
    ckda_mat_init(want, n, n, K);
    truth = ckda_evidence_expect_long(ev, "number of sign matrices", dec->representations,
                                      representations);
    for (slong i = 0; i < n && truth == CKDA_TRUE; i++) {
        ckda_node item;
        if (ckda_node_item(&item, &signs, (size_t)i, &ev->problem) != CKDA_OK
            || ckda_node_long(&s, &item, -1, 1, &ev->problem) != CKDA_OK)
            truth = CKDA_UNKNOWN;
        else
            given[i] = (int)s;
    }
    /* The stated pair must expand to the same matrix: that compares keys up to a factor. */
    if (truth == CKDA_TRUE) {
        if (ckda_signed_householder_matrix(want, given, w, K) != CKDA_OK
            || ckda_signed_householder_matrix(got, dec->signs, dec->key, K) != CKDA_OK)
            truth = ckda_evidence_unable(ev, "a key is zero");
        else
            truth =
                ckda_evidence_expect_mat(ev, "the stated signs and key", got, want, K);
    }
    ckda_mat_clear(want, K);
    ckda_mat_clear(got, K);
    flint_free(given);
    ckda_input_free_vector(w, n, K);
    return truth;
}

static ckda_truth
check_example(ckda_evidence *ev, const ckda_node *ex)
{
    ckda_field_t K;
    ckda_node diagonal, u, v;
    ckda_dpr1_t d;
    ckda_elem_struct *part[3] = {NULL, NULL, NULL};
    slong n = -1, m[3] = {0, 0, 0};
    ckda_truth truth = CKDA_UNKNOWN;
    if (ckda_node_member(&diagonal, ex, "diagonal", &ev->problem) != CKDA_OK
        || ckda_node_member(&u, ex, "u", &ev->problem) != CKDA_OK
        || ckda_node_member(&v, ex, "v", &ev->problem) != CKDA_OK
        || ckda_input_field(K, ex, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    const ckda_node *node[3] = {&diagonal, &u, &v};
    int read = 0;
    while (
        read < 3
        && ckda_input_read_vector(&part[read], &m[read], node[read], n, K, &ev->problem)
               == CKDA_OK)
        n = m[read++];
    if (read == 3) {
        ckda_decomposition_t dec;
        ckda_dpr1_init(d, n, K);
        for (slong i = 0; i < n; i++) {
            ckda_elem_set(d->diagonal + i, part[0] + i, K);
            ckda_elem_set(d->u + i, part[1] + i, K);
            ckda_elem_set(d->v + i, part[2] + i, K);
        }
        ckda_decomposition_init(dec, K);
        truth = certify(ev, dec, d, K);
        if (truth == CKDA_TRUE)
            truth = compare_example(ev, dec, ex, K);
        ckda_decomposition_clear(dec, K);
        ckda_dpr1_clear(d, K);
    }
    while (read > 0) {
        read--;
        ckda_input_free_vector(part[read], m[read], K);
    }
    ckda_field_clear(K);
    return truth;
}

ckda_truth
ckda_check_thm1_forward(ckda_evidence *ev, const ckda_node *in)
{
    generation g;
    ckda_node examples, ex, fields, f;
    size_t nex, nfields;
    ckda_truth truth = CKDA_TRUE;
    if (read_generation(&g, in, &ev->problem) != CKDA_OK
        || ckda_node_member(&fields, in, "fields", &ev->problem) != CKDA_OK
        || ckda_node_size(&nfields, &fields, &ev->problem) != CKDA_OK
        || ckda_node_member(&examples, in, "examples", &ev->problem) != CKDA_OK
        || ckda_node_size(&nex, &examples, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (size_t i = 0; i < nex && truth == CKDA_TRUE; i++) {
        if (ckda_node_item(&ex, &examples, i, &ev->problem) != CKDA_OK)
            return CKDA_UNKNOWN;
        truth = check_example(ev, &ex);
    }
    for (size_t i = 0; i < nfields && truth == CKDA_TRUE; i++) {
        ckda_field_t K;
        if (ckda_node_item(&f, &fields, i, &ev->problem) != CKDA_OK
            || ckda_input_field(K, &f, &ev->problem) != CKDA_OK)
            return CKDA_UNKNOWN;
        truth = for_generated(ev, &g, forward_one, K);
        ckda_field_clear(K);
    }
    ckda_evidence_weaken(ev, CKDA_CERTIFICATE);
    ckda_evidence_scope(ev,
                        "%llu inputs re-checked exactly, n up to %ld, over %zu fields",
                        (unsigned long long)ev->checks, g.n_max, nfields);
    return truth;
}

/* |u|^2 v_i^2 = |v|^2 u_i^2, and d_i^2 = 1 where u_i v_i = 0. */
static ckda_truth
lines_about_entries(ckda_evidence *ev, const ckda_dpr1_t d, const ckda_field_t K)
{
    ckda_truth truth = CKDA_TRUE;
    ckda_elem_t uu, vv, x, y;
    ckda_elem_init(uu, K);
    ckda_elem_init(vv, K);
    ckda_elem_init(x, K);
    ckda_elem_init(y, K);
    for (slong i = 0; i < d->n; i++) {
        ckda_elem_addmul(uu, d->u + i, d->u + i, K);
        ckda_elem_addmul(vv, d->v + i, d->v + i, K);
    }
    for (slong i = 0; i < d->n && truth == CKDA_TRUE; i++) {
        ckda_elem_mul(x, d->v + i, d->v + i, K);
        ckda_elem_mul(x, x, uu, K);
        ckda_elem_mul(y, d->u + i, d->u + i, K);
        ckda_elem_mul(y, y, vv, K);
        truth = ckda_evidence_expect(ev, ckda_elem_equal(x, y, K),
                                     "|u|^2 v_i^2 = |v|^2 u_i^2 at i = %ld", (long)i);
        if (truth == CKDA_TRUE && ckda_elem_is_zero(d->u + i, K)) {
            ckda_elem_mul(x, d->diagonal + i, d->diagonal + i, K);
            truth = ckda_evidence_expect(ev, ckda_elem_is_one(x, K),
                                         "d_i^2 = 1 where u_i = 0, at i = %ld", (long)i);
        }
    }
    ckda_elem_clear(y, K);
    ckda_elem_clear(x, K);
    ckda_elem_clear(vv, K);
    ckda_elem_clear(uu, K);
    return truth;
}

/* Q = A S is symmetric, Q^2 = I, Q w = -w. */
static ckda_truth
lines_about_core(ckda_evidence *ev, const ckda_mat_t A, const ckda_decomposition_t dec,
                 const ckda_field_t K)
{
    slong n = dec->n;
    ckda_truth truth = CKDA_TRUE;
    ckda_mat_t S, Q, Q2, w, Qw, Id;
    ckda_mat_init(S, n, n, K);
    ckda_mat_init(Q, n, n, K);
    ckda_mat_init(Q2, n, n, K);
    ckda_mat_init(Id, n, n, K);
    ckda_mat_init(w, n, 1, K);
    ckda_mat_init(Qw, n, 1, K);
    for (slong i = 0; i < n; i++) {
        ckda_mat_set_entry_si(S, i, i, dec->signs[i], K);
        ckda_elem_set(ckda_mat_entry(w, i, 0), dec->key + i, K);
    }
    if (ckda_mat_one(Id, K) != CKDA_OK || ckda_mat_mul(Q, A, S, K) != CKDA_OK
        || ckda_mat_mul(Q2, Q, Q, K) != CKDA_OK || ckda_mat_mul(Qw, Q, w, K) != CKDA_OK
        || ckda_mat_neg(w, w, K) != CKDA_OK)
        truth = ckda_evidence_unable(ev, "shapes of the core do not fit");
    if (truth == CKDA_TRUE)
        truth =
            ckda_evidence_expect(ev, ckda_mat_is_symmetric(Q, K), "Q = A S is symmetric");
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_mat(ev, "Q^2 = I", Q2, Id, K);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_mat(ev, "Q w = -w", Qw, w, K);
    ckda_mat_clear(Qw, K);
    ckda_mat_clear(w, K);
    ckda_mat_clear(Id, K);
    ckda_mat_clear(Q2, K);
    ckda_mat_clear(Q, K);
    ckda_mat_clear(S, K);
    return truth;
}

static ckda_truth
paper_lines_one(ckda_evidence *ev, const ckda_dpr1_t d, const ckda_field_t K)
{
    ckda_decomposition_t dec;
    ckda_mat_t A;
    ckda_decomposition_init(dec, K);
    ckda_mat_init(A, d->n, d->n, K);
    ckda_truth truth = certify(ev, dec, d, K);
    if (truth == CKDA_TRUE && ckda_dpr1_matrix(A, d, K) != CKDA_OK)
        truth = ckda_evidence_unable(ev, "shapes of the input do not fit");
    if (truth == CKDA_TRUE && !ckda_mat_is_diagonal(A, K))
        truth = ckda_truth_and(lines_about_entries(ev, d, K),
                               lines_about_core(ev, A, dec, K));
    ckda_mat_clear(A, K);
    ckda_decomposition_clear(dec, K);
    return truth;
}

ckda_truth
ckda_check_thm1_paper_lines(ckda_evidence *ev, const ckda_node *in)
{
    generation g;
    ckda_field_t K;
    if (read_generation(&g, in, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_field_init_rational(K);
    ckda_truth truth = for_generated(ev, &g, paper_lines_one, K);
    ckda_field_clear(K);
    ckda_evidence_weaken(ev, CKDA_INSTANCES);
    ckda_evidence_scope(ev, "%llu exact equalities on seeded inputs, n up to %ld",
                        (unsigned long long)ev->checks, g.n_max);
    return truth;
}

/* Next permutation in lexicographic order; false after the last. */
static bool
next_permutation(slong *p, slong n)
{
    slong i = n - 2, j = n - 1;
    while (i >= 0 && p[i] > p[i + 1])
        i--;
    if (i < 0)
        return false;
    while (p[j] < p[i])
        j--;
    slong t = p[i];
    p[i] = p[j];
    p[j] = t;
    for (slong lo = i + 1, hi = n - 1; lo < hi; lo++, hi--) {
        t = p[lo];
        p[lo] = p[hi];
        p[hi] = t;
    }
    return true;
}

/* Both deciders on one matrix; *is_dpr1 is the common answer. */
static ckda_truth
deciders_agree(ckda_evidence *ev, bool *is_dpr1, const ckda_mat_t A, const ckda_field_t K)
{
    ckda_dpr1_t d;
    ckda_dpr1_init(d, A->rows, K);
    *is_dpr1 = ckda_dpr1_find(d, NULL, A, K) == CKDA_OK;
    ckda_dpr1_clear(d, K);
    bool is_householder = ckda_householder_count_brute(A, K) > 0;
    if (*is_dpr1 != is_householder)
        ckda_evidence_fact_mat(ev, "matrix", A, K);
    return ckda_evidence_expect(ev, *is_dpr1 == is_householder,
                                "diagonal + rank 1 and signed Householder agree");
}

static ckda_truth
count_dimension(ckda_evidence *ev, slong n, long want, const ckda_field_t K)
{
    ckda_truth truth = CKDA_TRUE;
    slong p[8];
    long count = 0;
    ckda_mat_t A;
    ckda_mat_init(A, n, n, K);
    for (slong i = 0; i < n; i++)
        p[i] = i;
    do {
        for (unsigned signs = 0; signs < (1u << n) && truth == CKDA_TRUE; signs++) {
            bool is_dpr1;
            ckda_mat_zero(A, K);
            for (slong j = 0; j < n; j++)
                ckda_mat_set_entry_si(A, p[j], j, signs >> j & 1 ? -1 : 1, K);
            truth = deciders_agree(ev, &is_dpr1, A, K);
            count += is_dpr1;
        }
    } while (truth == CKDA_TRUE && next_permutation(p, n));
    ckda_mat_clear(A, K);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(
            ev, "signed permutations that are diagonal + rank 1", count, want);
    return truth;
}

ckda_truth
ckda_check_thm1_signed_permutations(ckda_evidence *ev, const ckda_node *in)
{
    ckda_node list, item;
    size_t dims;
    ckda_field_t K;
    ckda_truth truth = CKDA_TRUE;
    if (ckda_node_member(&list, in, "count", &ev->problem) != CKDA_OK
        || ckda_node_size(&dims, &list, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    if (dims > 6)
        return ckda_evidence_unable(ev, "dimensions up to 6 only");
    ckda_field_init_rational(K);
    for (size_t i = 0; i < dims && truth == CKDA_TRUE; i++) {
        long want;
        if (ckda_node_item(&item, &list, i, &ev->problem) != CKDA_OK
            || ckda_node_long(&want, &item, 0, 1000000, &ev->problem) != CKDA_OK)
            truth = CKDA_UNKNOWN;
        else
            truth = count_dimension(ev, (slong)i + 1, want, K);
    }
    ckda_field_clear(K);
    ckda_evidence_scope(ev, "all signed permutation matrices, n = 1 .. %zu", dims);
    return truth;
}
