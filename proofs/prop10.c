/* proofs/prop10.c -- Proposition 10 on exact inputs: factors built and multiplied out.
 *
 * Statement.  orthogonal_products: every listed orthogonal matrix is a product of at most
 * max(1, n times and plus) CKDA factors with beta in {0, 2} and sign gates, over the field
 * of its entries; a cycle takes exactly so many.  contraction_products: every listed
 * contraction with an exact singular value decomposition, of rank s, is a product of at
 * most max(1, min(n times and plus, 2s)) such factors of which one may have another gate;
 * an orthogonal matrix times a diagonal one takes at most max(1, n-1).
 *
 * Why the check suffices.  The factors are a certificate: their ranges, their number and
 * their exact product are compared with the matrix, whose norm is decided exactly as well.
 *
 * Not shown here: the scheme for all inputs (prop10.orth.step, prop10.contr.step); that a
 * singular value decomposition exists, for contractions not listed.                    */
#include <string.h>

#include "checks.h"
#include "ckda/input.h"
#include "maps.h"
#include "reflections.h"

typedef struct {
    long inputs, n_max, bound, times, plus;
    const ckda_node *in;
    ckda_node families, fields;
    size_t nfamilies, nfields;
} plan;

static ckda_status
read_plan(plan *p, const ckda_node *in, ckda_error *err)
{
    ckda_node limit;
    p->in = in;
    if (ckda_node_get_long(&p->inputs, in, "inputs", 1, 100000, err) != CKDA_OK
        || ckda_node_get_long(&p->n_max, in, "n_max", 2, 9, err) != CKDA_OK
        || ckda_node_get_long(&p->bound, in, "bound", 1, 100, err) != CKDA_OK
        || ckda_node_member(&limit, in, "limit", err) != CKDA_OK
        || ckda_node_get_long(&p->times, &limit, "n", 0, 9, err) != CKDA_OK
        || ckda_node_get_long(&p->plus, &limit, "plus", -9, 9, err) != CKDA_OK
        || ckda_node_member(&p->families, in, "families", err) != CKDA_OK
        || ckda_node_size(&p->nfamilies, &p->families, err) != CKDA_OK
        || ckda_node_member(&p->fields, in, "fields", err) != CKDA_OK)
        return CKDA_E_INPUT;
    return ckda_node_size(&p->nfields, &p->fields, err);
}

/* One seeded input of the family, checked; UNKNOWN for an unknown name. */
typedef ckda_truth (*family_check)(ckda_evidence *ev, const char *family, slong n,
                                   const plan *p, ckda_rand *r, const ckda_field_t K);

static ckda_truth
over_field(ckda_evidence *ev, const plan *p, family_check check, const ckda_field_t K)
{
    ckda_truth truth = CKDA_TRUE;
    ckda_rand r;
    const long inputs = ev->effort == CKDA_QUICK ? p->inputs : 5 * p->inputs;
    ckda_rand_init(&r, ev->seed);
    for (long i = 0; i < inputs && truth == CKDA_TRUE; i++) {
        ckda_node item;
        const char *family;
        if (ckda_node_item(&item, &p->families, (size_t)i % p->nfamilies, &ev->problem)
                != CKDA_OK
            || ckda_node_string(&family, &item, &ev->problem) != CKDA_OK)
            return CKDA_UNKNOWN;
        const slong n = 1 + i / (long)p->nfamilies % p->n_max;
        truth = check(ev, family, n, p, &r, K);
    }
    ckda_evidence_scope(ev,
                        "%ld seeded inputs of %zu families, n = 1 .. %ld, field of "
                        "degree %ld",
                        inputs, p->nfamilies, p->n_max, (long)K->degree);
    return truth;
}

static ckda_truth
over_fields(ckda_evidence *ev, const plan *p, family_check check)
{
    ckda_truth truth = CKDA_TRUE;
    for (size_t i = 0; i < p->nfields && truth == CKDA_TRUE; i++) {
        ckda_node item;
        ckda_field_t K;
        if (ckda_node_item(&item, &p->fields, i, &ev->problem) != CKDA_OK
            || ckda_input_field(K, &item, &ev->problem) != CKDA_OK)
            return CKDA_UNKNOWN;
        truth = over_field(ev, p, check, K);
        ckda_field_clear(K);
    }
    return truth;
}

/* ---- orthogonal matrices, and these times a diagonal one --------------------------- */

/* Builds and checks factors of Q Diag(gate), Q orthogonal. */
static ckda_truth
orthogonal_factors(ckda_evidence *ev, slong *count, const ckda_mat_t Q,
                   const ckda_elem_struct *gate, slong most, const ckda_field_t K)
{
    const slong n = Q->rows;
    mirrors h;
    ckda_factors_t f;
    ckda_mat_t B, A;
    ckda_elem_struct *d = ckda_elem_vec_new(n, K);
    mirrors_init(&h, n, n, K);
    ckda_factors_init(f, n, K);
    ckda_mat_init_set(B, Q, K);
    ckda_mat_init(A, n, n, K);
    mirrors_of_columns(&h, B, K);
    /* B should be a sign diagonal now; the product will tell */
    for (slong i = 0; i < n; i++)
        ckda_elem_mul(d + i, ckda_mat_entry(B, i, i), gate + i, K);
    mirrors_factors(f, &h, d, NULL, K);
    ckda_require(ckda_mat_set_diag(A, gate, n, K) == CKDA_OK
                     && ckda_mat_mul(A, Q, A, K) == CKDA_OK,
                 "square matrices of one size");
    ckda_truth truth = mirrors_check(ev, f, A, most, 1, K);
    *count = f->count;
    ckda_mat_clear(A, K);
    ckda_mat_clear(B, K);
    ckda_factors_clear(f, K);
    mirrors_clear(&h, K);
    ckda_elem_vec_free(d, n, K);
    return truth;
}

static int
rand_sign(ckda_rand *r)
{
    return ckda_rand_below(r, 2) == 0 ? 1 : -1;
}

static void
rand_signed_permutation(ckda_mat_t Q, ckda_rand *r, const ckda_field_t K)
{
    slong p[9];
    const slong n = Q->rows;
    for (slong i = 0; i < n; i++) {
        const slong j = (slong)ckda_rand_below(r, (uint64_t)i + 1);
        p[i] = p[j];
        p[j] = i;
    }
    ckda_mat_zero(Q, K);
    for (slong j = 0; j < n; j++)
        ckda_mat_set_entry_si(Q, p[j], j, rand_sign(r), K);
}

/* A rotation or reflection of the last coordinates beside signs: columns already done. */
static void
rand_block(ckda_mat_t Q, slong bound, ckda_rand *r, const ckda_field_t K)
{
    const slong n = Q->rows, m = 1 + (slong)ckda_rand_below(r, (uint64_t)n);
    ckda_mat_t B;
    ckda_mat_init(B, m, m, K);
    ckda_mat_rand_orthogonal(B, r, bound, K);
    ckda_mat_zero(Q, K);
    for (slong i = 0; i < n - m; i++)
        ckda_mat_set_entry_si(Q, i, i, rand_sign(r), K);
    for (slong i = 0; i < m; i++)
        for (slong j = 0; j < m; j++)
            ckda_elem_set(ckda_mat_entry(Q, n - m + i, n - m + j),
                          ckda_mat_entry(B, i, j), K);
    ckda_mat_clear(B, K);
}

static bool
rand_orthogonal(ckda_mat_t Q, const char *family, slong bound, ckda_rand *r,
                const ckda_field_t K)
{
    if (strcmp(family, "cayley") == 0)
        ckda_mat_rand_orthogonal(Q, r, bound, K);
    else if (strcmp(family, "signed-permutation") == 0)
        rand_signed_permutation(Q, r, K);
    else if (strcmp(family, "block") == 0)
        rand_block(Q, bound, r, K);
    else
        return false;
    return true;
}

static ckda_truth
check_orthogonal(ckda_evidence *ev, const char *family, slong n, const plan *p,
                 ckda_rand *r, const ckda_field_t K)
{
    slong count;
    ckda_truth truth;
    ckda_mat_t Q;
    ckda_elem_struct *one = ckda_elem_vec_new(n, K);
    ckda_mat_init(Q, n, n, K);
    for (slong i = 0; i < n; i++)
        ckda_elem_one(one + i, K);
    if (!rand_orthogonal(Q, family, p->bound, r, K))
        truth = ckda_evidence_unable(ev, "unknown family of inputs \"%s\"", family);
    else
        truth = orthogonal_factors(ev, &count, Q, one,
                                   mirrors_at_least_one(p->times * n + p->plus), K);
    ckda_mat_clear(Q, K);
    ckda_elem_vec_free(one, n, K);
    return truth;
}

/* e_1 -> e_2 -> ... -> e_n -> e_1 takes as many factors as the bound allows. */
static ckda_truth
check_cycle(ckda_evidence *ev, slong n, const plan *p, const ckda_field_t K)
{
    slong image[9], count = 0;
    ckda_mat_t C;
    ckda_elem_struct *one = ckda_elem_vec_new(n, K);
    const slong most = mirrors_at_least_one(p->times * n + p->plus);
    for (slong i = 0; i < n; i++) {
        image[i] = (i + 1) % n;
        ckda_elem_one(one + i, K);
    }
    ckda_mat_init(C, n, n, K);
    ckda_require(ckda_mat_set_map(C, image, n, K) == CKDA_OK, "images within 0 .. n-1");
    ckda_truth truth = orthogonal_factors(ev, &count, C, one, most, K);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "factors of the cycle", (long)count,
                                          (long)most);
    ckda_mat_clear(C, K);
    ckda_elem_vec_free(one, n, K);
    return truth;
}

ckda_truth
ckda_check_orthogonal_products(ckda_evidence *ev, const ckda_node *in)
{
    plan p;
    long cycles;
    ckda_field_t K;
    if (read_plan(&p, in, &ev->problem) != CKDA_OK
        || ckda_node_get_long(&cycles, in, "cycles", 0, 9, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_evidence_weaken(ev, CKDA_CERTIFICATE);
    ckda_truth truth = over_fields(ev, &p, check_orthogonal);
    ckda_field_init_rational(K);
    for (long n = 1; n <= cycles && truth == CKDA_TRUE; n++)
        truth = check_cycle(ev, n, &p, K);
    ckda_field_clear(K);
    return truth;
}

/* ---- contractions ------------------------------------------------------------------ */

/* U = the first s columns of a random orthogonal matrix. */
static void
rand_columns(ckda_mat_t U, slong bound, ckda_rand *r, const ckda_field_t K)
{
    const slong n = U->rows;
    ckda_mat_t Q;
    ckda_mat_init(Q, n, n, K);
    ckda_mat_rand_orthogonal(Q, r, bound, K);
    for (slong i = 0; i < n; i++)
        for (slong j = 0; j < U->cols; j++)
            ckda_elem_set(ckda_mat_entry(U, i, j), ckda_mat_entry(Q, i, j), K);
    ckda_mat_clear(Q, K);
}

/* Singular values top * x, x in {0, 1/8, ..., 1}, with many ones and repetitions. */
static ckda_status
rand_values(ckda_elem_struct *sigma, slong s, const plan *p, ckda_rand *r,
            const ckda_field_t K, ckda_error *err)
{
    ckda_elem_t top, x;
    ckda_elem_init(top, K);
    ckda_elem_init(x, K);
    const ckda_status st = maps_read_elem(top, p->in, "top", K, err);
    for (slong i = 0; i < s; i++) {
        const slong eighths = (slong)ckda_rand_below(r, 13);
        ckda_elem_set_frac(x, eighths > 8 ? 8 : eighths, 8, K);
        ckda_elem_mul(sigma + i, x, top, K);
    }
    ckda_elem_clear(x, K);
    ckda_elem_clear(top, K);
    return st;
}

static ckda_truth
check_decomposed(ckda_evidence *ev, slong n, slong s, const plan *p, ckda_rand *r,
                 const ckda_field_t K)
{
    ckda_mat_t U, V;
    ckda_elem_struct *sigma = ckda_elem_vec_new(s, K);
    ckda_mat_init(U, n, s, K);
    ckda_mat_init(V, n, s, K);
    rand_columns(U, p->bound, r, K);
    rand_columns(V, p->bound, r, K);
    ckda_truth truth = rand_values(sigma, s, p, r, K, &ev->problem) == CKDA_OK
                           ? mirrors_check_svd(ev, U, sigma, V, p->times * n + p->plus, K)
                           : CKDA_UNKNOWN;
    ckda_mat_clear(V, K);
    ckda_mat_clear(U, K);
    ckda_elem_vec_free(sigma, s, K);
    return truth;
}

/* Q Diag(sigma), Q of one of the orthogonal families. */
static ckda_truth
check_scaled(ckda_evidence *ev, const char *family, slong n, const plan *p, ckda_rand *r,
             const ckda_field_t K)
{
    slong count;
    ckda_truth truth;
    ckda_mat_t Q;
    ckda_elem_struct *sigma = ckda_elem_vec_new(n, K);
    ckda_mat_init(Q, n, n, K);
    if (!rand_orthogonal(Q, family, p->bound, r, K))
        truth = ckda_evidence_unable(ev, "unknown family of inputs \"%s\"", family);
    else if (rand_values(sigma, n, p, r, K, &ev->problem) != CKDA_OK)
        truth = CKDA_UNKNOWN;
    else
        truth = orthogonal_factors(ev, &count, Q, sigma, mirrors_at_least_one(n - 1), K);
    ckda_mat_clear(Q, K);
    ckda_elem_vec_free(sigma, n, K);
    return truth;
}

static ckda_truth
check_contraction(ckda_evidence *ev, const char *family, slong n, const plan *p,
                  ckda_rand *r, const ckda_field_t K)
{
    if (strcmp(family, "svd") == 0)
        return check_decomposed(ev, n, n, p, r, K);
    if (strcmp(family, "low-rank") == 0)
        return check_decomposed(ev, n, (slong)ckda_rand_range(r, 0, n - 1), p, r, K);
    if (strcmp(family, "rank-one") == 0)
        return check_decomposed(ev, n, 1, p, r, K);
    return check_scaled(ev, family, n, p, r, K);
}

ckda_truth
ckda_check_contraction_products(ckda_evidence *ev, const ckda_node *in)
{
    plan p;
    if (read_plan(&p, in, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_evidence_weaken(ev, CKDA_CERTIFICATE);
    return over_fields(ev, &p, check_contraction);
}
