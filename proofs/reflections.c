/* proofs/reflections.c -- see reflections.h. */
#include "reflections.h"

void
mirrors_init(mirrors *h, slong n, slong room, const ckda_field_t K)
{
    ckda_mat_init(h->w, n, room, K);
    h->count = 0;
}

void
mirrors_clear(mirrors *h, const ckda_field_t K)
{
    ckda_mat_clear(h->w, K);
}

/* Records the key w (n elements, not zero) and applies its reflection to X. */
static void
record(mirrors *h, ckda_mat_t X, const ckda_elem_struct *w, const ckda_field_t K)
{
    const slong n = X->rows;
    ckda_mat_t H;
    ckda_elem_t two;
    ckda_require(h->count < h->w->cols, "room for one more reflection");
    for (slong i = 0; i < n; i++)
        ckda_elem_set(ckda_mat_entry(h->w, i, h->count), w + i, K);
    h->count++;
    ckda_mat_init(H, n, n, K);
    ckda_elem_init(two, K);
    ckda_elem_set_si(two, 2, K);
    ckda_require(ckda_mat_set_householder(H, two, w, n, K) == CKDA_OK
                     && ckda_mat_mul(X, H, X, K) == CKDA_OK,
                 "a key is not zero");
    ckda_elem_clear(two, K);
    ckda_mat_clear(H, K);
}

static bool
is_zero_vector(const ckda_elem_struct *w, slong n, const ckda_field_t K)
{
    for (slong i = 0; i < n; i++)
        if (!ckda_elem_is_zero(w + i, K))
            return false;
    return true;
}

/* w = column j of B minus e_j; is it zero? */
static bool
column_is_unit(ckda_elem_struct *w, const ckda_mat_t B, slong j, const ckda_field_t K)
{
    ckda_elem_t one;
    ckda_elem_init(one, K);
    ckda_elem_one(one, K);
    for (slong i = 0; i < B->rows; i++)
        ckda_elem_set(w + i, ckda_mat_entry(B, i, j), K);
    ckda_elem_sub(w + j, w + j, one, K);
    ckda_elem_clear(one, K);
    return is_zero_vector(w, B->rows, K);
}

void
mirrors_of_columns(mirrors *h, ckda_mat_t U, const ckda_field_t K)
{
    const slong n = U->rows;
    ckda_elem_struct *w = ckda_elem_vec_new(n, K);
    for (slong j = 0; j < U->cols && j < n - 1; j++)
        if (!column_is_unit(w, U, j, K))
            record(h, U, w, K);
    ckda_elem_vec_free(w, n, K);
}

void
mirrors_scherk(mirrors *h, ckda_mat_t B, const ckda_field_t K)
{
    const slong n = B->rows;
    ckda_elem_struct *w = ckda_elem_vec_new(n, K);
    /* B e_j = e_j for all j done, and w is orthogonal to what B fixes */
    for (slong j = 0; j < n; j++)
        if (!column_is_unit(w, B, j, K))
            record(h, B, w, K);
    ckda_elem_vec_free(w, n, K);
}

/* One factor: beta = 2 and the key in column j of h, or beta = 0 for j < 0. */
static void
push(ckda_factors_t f, const mirrors *h, slong j, const ckda_elem_struct *gate,
     const ckda_field_t K)
{
    ckda_trans_t t;
    ckda_trans_init(t, CKDA_CKDA, f->n, 1, K);
    if (j >= 0) {
        ckda_elem_set_si(t->beta, 2, K);
        for (slong i = 0; i < f->n; i++)
            ckda_elem_set(t->key + i, ckda_mat_entry(h->w, i, j), K);
    }
    for (slong i = 0; gate != NULL && i < f->n; i++)
        ckda_elem_set(t->gate + i, gate + i, K);
    ckda_require(ckda_factors_push(f, t, K) == CKDA_OK, "a step of this dimension");
    ckda_trans_clear(t, K);
}

void
mirrors_factors(ckda_factors_t f, const mirrors *h, const ckda_elem_struct *gate,
                const mirrors *g, const ckda_field_t K)
{
    for (slong j = 0; g != NULL && j < g->count; j++)
        push(f, g, j, NULL, K);
    push(f, h, h->count - 1, gate, K);
    for (slong j = h->count - 2; j >= 0; j--)
        push(f, h, j, NULL, K);
}

static bool
is_sign_gate(const ckda_trans_t t, const ckda_field_t K)
{
    for (slong i = 0; i < t->n; i++)
        if (ckda_elem_cmp_si(t->gate + i, 1, K) != 0
            && ckda_elem_cmp_si(t->gate + i, -1, K) != 0)
            return false;
    return true;
}

static ckda_truth
check_ranges(ckda_evidence *ev, const ckda_factors_t f, long gates, const ckda_field_t K)
{
    long other = 0;
    ckda_truth truth = CKDA_TRUE;
    for (slong i = 0; i < f->count && truth == CKDA_TRUE; i++) {
        ckda_error why = {0};
        const ckda_trans_struct *t = f->step + i;
        const bool admissible = ckda_trans_check(t, K, &why) == CKDA_OK;
        truth = ckda_evidence_expect(ev, admissible, "factor %ld: %s", (long)i, why.text);
        if (truth == CKDA_TRUE)
            truth = ckda_evidence_expect(
                ev, ckda_elem_is_zero(t->beta, K) || ckda_elem_cmp_si(t->beta, 2, K) == 0,
                "beta of factor %ld is 0 or 2", (long)i);
        other += !is_sign_gate(t, K);
    }
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect(ev, other <= gates,
                                     "%ld gates are not made of signs, at most %ld are "
                                     "claimed",
                                     other, gates);
    return truth;
}

ckda_truth
mirrors_check(ckda_evidence *ev, const ckda_factors_t f, const ckda_mat_t A, slong most,
              long gates, const ckda_field_t K)
{
    ckda_mat_t P;
    ckda_mat_init(P, f->n, f->n, K);
    ckda_truth truth = check_ranges(ev, f, gates, K);
    if (truth == CKDA_TRUE)
        truth = ckda_factors_product(P, f, K) == CKDA_OK
                    ? ckda_evidence_expect_mat(ev, "product of the factors", P, A, K)
                    : ckda_evidence_unable(ev, "a factor has a zero key");
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect(ev, f->count <= most,
                                     "%ld factors, at most %ld are claimed",
                                     (long)f->count, (long)most);
    if (truth == CKDA_FALSE)
        ckda_evidence_fact_mat(ev, "A", A, K);
    ckda_mat_clear(P, K);
    return truth;
}

slong
mirrors_at_least_one(slong count)
{
    return count > 1 ? count : 1;
}

/* A = U Diag(sigma) V^T. */
static void
expand_svd(ckda_mat_t A, const ckda_mat_t U, const ckda_elem_struct *sigma,
           const ckda_mat_t V, const ckda_field_t K)
{
    const slong n = U->rows, s = U->cols;
    ckda_mat_t Z, VT;
    ckda_mat_init(Z, s, s, K);
    ckda_mat_init(VT, s, n, K);
    ckda_require(ckda_mat_set_diag(Z, sigma, s, K) == CKDA_OK
                     && ckda_mat_transpose(VT, V, K) == CKDA_OK
                     && ckda_mat_mul(VT, Z, VT, K) == CKDA_OK
                     && ckda_mat_mul(A, U, VT, K) == CKDA_OK,
                 "the shapes of a decomposition");
    ckda_mat_clear(VT, K);
    ckda_mat_clear(Z, K);
}

ckda_truth
mirrors_check_svd(ckda_evidence *ev, ckda_mat_t U, const ckda_elem_struct *sigma,
                  ckda_mat_t V, slong limit, const ckda_field_t K)
{
    const slong n = U->rows, s = U->cols, most = limit < 2 * s ? limit : 2 * s;
    mirrors h, g;
    ckda_factors_t f;
    ckda_mat_t A;
    ckda_elem_struct *d = ckda_elem_vec_new(n, K);
    mirrors_init(&h, n, s, K);
    mirrors_init(&g, n, s, K);
    ckda_factors_init(f, n, K);
    ckda_mat_init(A, n, n, K);
    expand_svd(A, U, sigma, V, K);
    ckda_truth truth =
        ckda_evidence_expect(ev, ckda_mat_is_contraction(NULL, A, K), "||A|| <= 1");
    if (truth == CKDA_FALSE)
        ckda_evidence_fact_mat(ev, "A", A, K);
    mirrors_of_columns(&h, U, K);
    mirrors_of_columns(&g, V, K);
    for (slong i = 0; i < s; i++) {
        ckda_elem_mul(d + i, ckda_mat_entry(U, i, i), ckda_mat_entry(V, i, i), K);
        ckda_elem_mul(d + i, d + i, sigma + i, K);
    }
    mirrors_factors(f, &h, d, &g, K);
    if (truth == CKDA_TRUE)
        truth = mirrors_check(ev, f, A, mirrors_at_least_one(most), 1, K);
    ckda_mat_clear(A, K);
    ckda_factors_clear(f, K);
    mirrors_clear(&g, K);
    mirrors_clear(&h, K);
    ckda_elem_vec_free(d, n, K);
    return truth;
}
