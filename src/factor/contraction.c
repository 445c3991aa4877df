/* Matrices of norm at most 1 as products of CKDA factors: which way, and is it least? */
#include "norm_internal.h"

slong
ckda_factor_contraction_bound(slong n)
{
    return n <= 1 ? 1 : 2 * n - 2;
}

void
contraction_begin(ckda_contraction_t c, const ckda_mat_t A, const extension *e,
                  const ckda_field_t K)
{
    ckda_field_init_set(c->K, e != NULL ? e->L : K);
    if (e != NULL)
        extension_mat(c->A, A, e, K);
    else
        ckda_mat_init_set(c->A, A, K);
    ckda_factors_init(c->factors, A->rows, c->K);
}

void
ckda_contraction_clear(ckda_contraction_t c)
{
    ckda_factors_clear(c->factors, c->K);
    ckda_mat_clear(c->A, c->K);
    ckda_field_clear(c->K);
}

/* ---- no square root ------------------------------------------------------------------ */

static bool
diagonal(ckda_contraction_t c, const ckda_mat_t A, const ckda_field_t K)
{
    const reflections none = {.count = 0};
    if (!ckda_mat_is_diagonal(A, K))
        return false;
    contraction_begin(c, A, NULL, K);
    ckda_elem_struct *gate = ckda_elem_vec_new(A->rows, K);
    for (slong i = 0; i < A->rows; i++)
        ckda_elem_set(gate + i, ckda_mat_entry(A, i, i), K);
    append_left(c->factors, &none, gate, K);
    ckda_elem_vec_free(gate, A->rows, K);
    return true;
}

void
set_step_to(ckda_trans_struct *t, slong j, const ckda_elem_struct *a,
            const ckda_field_t K)
{
    ckda_elem_t one;
    ckda_elem_init(one, K);
    ckda_elem_one(one, K);
    for (slong i = 0; i < t->n; i++)
        ckda_elem_neg(t->key + i, a + i, K);
    ckda_elem_add(t->key + j, t->key + j, one, K); /* 1 - a_j >= 0 */
    ckda_elem_zero(t->beta, K);
    if (ckda_elem_is_zero(t->key + j, K)) /* then a = e_j */
        ckda_elem_one(t->key, K);
    else {
        dot(t->beta, t->key, t->key, t->n, K);
        factorise_must(ckda_elem_div(t->beta, t->beta, t->key + j, K));
    }
    ckda_elem_clear(one, K);
}

/* A = a e_j^T: the gate keeps coordinate j, the step maps e_j to a. */
static void
append_column(ckda_factors_t f, slong j, const ckda_elem_struct *a, const ckda_field_t K)
{
    ckda_trans_struct *t = factorise_append(f, K);
    for (slong i = 0; i < f->n; i++)
        ckda_elem_set_si(t->gate + i, i == j, K);
    set_step_to(t, j, a, K);
}

static bool
orthogonal(ckda_contraction_t c, const ckda_mat_t A, const ckda_field_t K)
{
    if (!ckda_mat_is_orthogonal(NULL, A, K))
        return false;
    contraction_begin(c, A, NULL, K);
    factorise_must(
        ckda_factor_orthogonal(c->factors, &c->minimal, A, CKDA_FACTOR_SHORT, K));
    return true;
}

/* ---- rank one ------------------------------------------------------------------------ */

/* A = x y^T, x_p = 1 for the row p of the first nonzero entry; x and y: n elements. */
static bool
rank_one_form(ckda_elem_struct *x, ckda_elem_struct *y, const ckda_mat_t A,
              const ckda_field_t K)
{
    const slong n = A->rows;
    bool good = true;
    slong at = 0;
    ckda_elem_t z;
    while (ckda_elem_is_zero(A->entry + at, K))
        at++; /* A is not diagonal */
    ckda_elem_init(z, K);
    for (slong i = 0; i < n; i++) {
        ckda_elem_set(y + i, ckda_mat_entry(A, at / n, i), K);
        factorise_must(
            ckda_elem_div(x + i, ckda_mat_entry(A, i, at % n), A->entry + at, K));
    }
    for (slong i = 0; i < n * n && good; i++) {
        ckda_elem_mul(z, x + i / n, y + i % n, K);
        good = ckda_elem_equal(z, A->entry + i, K);
    }
    ckda_elem_clear(z, K);
    return good;
}

/* A rational l with N <= l^2 <= 1/M for N M < 1: near the middle of the interval, with as
 * many bits as it takes. */
static void
rational_between(ckda_elem_t l, const ckda_elem_t N, const ckda_elem_t M,
                 const ckda_field_t K)
{
    arb_t lo, hi;
    fmpq_t q;
    ckda_elem_t x;
    arb_init(lo);
    arb_init(hi);
    fmpq_init(q);
    ckda_elem_init(x, K);
    for (slong bits = 2;; bits *= 2) {
        ckda_elem_get_arb(lo, N, K, 2 * bits + 64);
        ckda_elem_get_arb(hi, M, K, 2 * bits + 64);
        arb_sqrt(lo, lo, 2 * bits + 64);
        arb_rsqrt(hi, hi, 2 * bits + 64);
        arb_add(lo, lo, hi, 2 * bits + 64);
        arb_mul_2exp_si(lo, lo, -1);
        arf_set_round(arb_midref(lo), arb_midref(lo), bits, ARF_RND_NEAR);
        arf_get_fmpq(q, arb_midref(lo));
        ckda_elem_set_fmpq(l, q, K);
        ckda_elem_mul(x, l, l, K);
        if (ckda_elem_cmp(N, x, K) > 0)
            continue;
        ckda_elem_mul(x, x, M, K);
        if (ckda_elem_cmp_si(x, 1, K) <= 0)
            break;
    }
    ckda_elem_clear(x, K);
    fmpq_clear(q);
    arb_clear(hi);
    arb_clear(lo);
}

/* x y^T = (x/l)(l y)^T with both vectors of norm at most 1: the step G along e_1 - l y, with
 * e_1^T G = (l y)^T, then the gate that keeps coordinate 1, then the step to x/l. */
static void
append_rank_one(ckda_factors_t f, ckda_elem_struct *x, ckda_elem_struct *y,
                const ckda_elem_t l, const ckda_field_t K)
{
    for (slong i = 0; i < f->n; i++) {
        ckda_elem_mul(y + i, y + i, l, K);
        factorise_must(ckda_elem_div(x + i, x + i, l, K));
    }
    set_step_to(factorise_append(f, K), 0, y, K);
    append_column(f, 0, x, K);
}

/* |x| |y| = 1: l = |x|, the one that fits. */
static bool
unit_rank_one(ckda_contraction_t c, const ckda_elem_struct *x, const ckda_elem_struct *y,
              const ckda_elem_t N, const ckda_mat_t A, const ckda_field_t K)
{
    extension e;
    const slong n = A->rows;
    if (extension_init(&e, N, 1, K) != CKDA_OK)
        return false;
    ckda_elem_struct *z = ckda_elem_vec_new(2 * n, e.L);
    contraction_begin(c, A, &e, K);
    for (slong i = 0; i < n; i++) {
        extension_elem(z + i, x + i, &e, K);
        extension_elem(z + n + i, y + i, &e, K);
    }
    append_rank_one(c->factors, z, z + n, e.root, e.L);
    ckda_elem_vec_free(z, 2 * n, e.L);
    extension_clear(&e);
    return true;
}

static bool
rank_one(ckda_contraction_t c, const ckda_mat_t A, const ckda_field_t K)
{
    const slong n = A->rows;
    ckda_elem_struct *x = ckda_elem_vec_new(2 * n + 4, K), *y = x + n, *N = y + n,
                     *M = N + 1, *l = M + 1;
    bool found = rank_one_form(x, y, A, K);
    if (found) {
        dot(N, x, x, n, K);
        dot(M, y, y, n, K);
        ckda_elem_mul(l, N, M, K);
        if (ckda_elem_is_one(l, K)) {
            found = unit_rank_one(c, x, y, N, A, K);
        } else {
            rational_between(l, N, M, K);
            contraction_begin(c, A, NULL, K);
            append_rank_one(c->factors, x, y, l, K);
        }
    }
    ckda_elem_vec_free(x, 2 * n + 4, K);
    return found;
}

/* ---- all ways ------------------------------------------------------------------------- */

typedef struct {
    bool (*find)(ckda_contraction_t c, const ckda_mat_t A, const ckda_field_t K);
    const char *name;
} way;

static const way ways[] = {
    {diagonal, "diagonal"},
    {orthogonal, "orthogonal"},
    {contraction_single, "a single factor"},
    {contraction_columns, "orthogonal columns"},
    {contraction_rows, "orthogonal rows"},
    {rank_one, "rank one"},
    {contraction_svd_2x2, "singular value decomposition, 2 x 2, in closed form"},
    {contraction_balls, "singular value decomposition, approximate"},
};

static ckda_truth
is_minimal(const ckda_contraction_t c, const ckda_mat_t A, const ckda_field_t K)
{
    bool single = false;
    if (c->exact && c->factors->count <= 1)
        return CKDA_TRUE;
    factorise_must(ckda_factor_is_single(&single, A, K));
    if (single)
        return CKDA_FALSE;
    return c->exact && c->factors->count == 2 ? CKDA_TRUE : CKDA_UNKNOWN;
}

ckda_status
ckda_factor_contraction(ckda_contraction_t c, const ckda_mat_t A, const ckda_field_t K)
{
    bool equal;
    ckda_contraction_struct found[1] = {{.minimal = CKDA_UNKNOWN, .exact = true}};
    if (A->rows < 1 || A->cols != A->rows)
        return CKDA_E_SHAPE;
    if (!ckda_mat_is_contraction(&equal, A, K))
        return CKDA_E_DOMAIN;
    size_t i = 0;
    while (i < sizeof ways / sizeof ways[0] && !ways[i].find(found, A, K))
        i++;
    if (i == sizeof ways / sizeof ways[0])
        return CKDA_E_UNABLE;
    found->method = ways[i].name;
    ckda_require(!found->exact
                     || ckda_factors_simulate(found->factors, found->A, found->K),
                 "%s: the product is another matrix", found->method);
    if (found->minimal == CKDA_UNKNOWN)
        found->minimal = is_minimal(found, A, K);
    *c = *found;
    return CKDA_OK;
}
