/* V and U of a joint system, by linear algebra.
 *
 * Differences of reachable states span V.  A letter's norm is at most 1, so the vectors of V
 * whose length no word changes form a subspace U: the largest one that all letters map into
 * itself and on which x^T A^T A x = x^T x, that is (I - A^T A) x = 0 because I - A^T A is
 * positive semidefinite.  The projections of the states to U are the states of an affine
 * system on U; two states with one projection are merged by some word, for in the finite
 * monoid of words on V an idempotent of its minimal ideal has the image U.  So U comes from
 * linear algebra, the word from a search over pairs of states, and ckda_reduction_check
 * compares the two.  [source: Props. 20 and 21]                                          */
#include "reduce_internal.h"

ckda_mat_struct *
new_mats(uint32_t n)
{
    return flint_malloc(((size_t)n + 1) * sizeof(ckda_mat_struct));
}

void
free_mats(ckda_mat_struct *A, uint32_t n, const ckda_field_t K)
{
    for (uint32_t i = 0; i < n; i++)
        ckda_mat_clear(A + i, K);
    flint_free(A);
}

static void
find_differences(core *c)
{
    const ckda_field_struct *K = c->K;
    const ckda_system_struct *sys = c->sys;
    const slong n = sys->initial->rows, m = sys->initial->cols;
    ckda_mat_struct *step = new_mats(c->letters);
    span_init(&c->V, n, NULL, K);
    for (uint32_t x = 0; x < c->letters; x++) {
        ckda_mat_init(step + x, n, m, K);
        must(ckda_mat_mul(step + x, sys->linear + x, sys->initial, K));
        must(ckda_mat_sub(step + x, step + x, sys->initial, K));
        if (sys->offset != NULL)
            must(ckda_mat_add(step + x, step + x, sys->offset + x, K));
        span_add_columns(&c->V, step + x, K);
    }
    span_close(&c->V, sys->linear, c->letters, K);
    for (uint32_t x = 0; x < c->letters; x++) {
        bool inside = span_restrict(c->onV + x, &c->V, sys->linear + x, K);
        inside = span_columns(c->stepV + x, &c->V, step + x, K) && inside;
        ckda_require(inside, "V is closed");
    }
    free_mats(step, c->letters, K);
}

/* F = D - A^T D A, D the Gram matrix of V: zero on x exactly if |A x| = |x|. */
static void
length_defect(ckda_mat_t F, const core *c, uint32_t x)
{
    const slong v = c->V.r;
    ckda_mat_t D, T;
    ckda_mat_init(D, v, v, c->K);
    ckda_mat_init(T, v, v, c->K);
    must(ckda_mat_set_diag(D, c->V.norm, v, c->K));
    must(ckda_mat_transpose(T, c->onV + x, c->K));
    must(ckda_mat_mul(T, T, D, c->K));
    must(ckda_mat_mul(T, T, c->onV + x, c->K));
    must(ckda_mat_sub(F, D, T, c->K));
    ckda_mat_clear(T, c->K);
    ckda_mat_clear(D, c->K);
}

/* Rows of conditions on coordinates y of U for B y to keep its length under letter x and to
 * stay in U. */
static void
conditions(ckda_mat_t M, const core *c, uint32_t x)
{
    const ckda_field_struct *K = c->K;
    const slong v = c->V.r, u = c->U.r;
    ckda_mat_t F, B, image, inside;
    ckda_mat_init(F, v, v, K);
    ckda_mat_init(image, v, u, K);
    span_basis(B, &c->U, K);
    length_defect(F, c, x);
    must(ckda_mat_mul(image, F, B, K));
    for (slong i = 0; i < v * u; i++)
        ckda_elem_set(M->entry + i, image->entry + i, K);
    must(ckda_mat_mul(image, c->onV + x, B, K));
    (void)span_columns(inside, &c->U, image, K);
    must(ckda_mat_mul(B, B, inside, K));
    must(ckda_mat_sub(image, image, B, K));
    for (slong i = 0; i < v * u; i++)
        ckda_elem_set(M->entry + v * u + i, image->entry + i, K);
    ckda_mat_clear(inside, K);
    ckda_mat_clear(B, K);
    ckda_mat_clear(image, K);
    ckda_mat_clear(F, K);
}

/* U cut down to what fulfils the conditions of letter x; was anything cut? */
static bool
cut(core *c, uint32_t x)
{
    const ckda_field_struct *K = c->K;
    ckda_mat_t M, N, B;
    ckda_mat_init(M, 2 * c->V.r, c->U.r, K);
    conditions(M, c, x);
    kernel(N, M, K);
    const bool smaller = N->cols < c->U.r;
    if (smaller) {
        span less;
        span_basis(B, &c->U, K);
        ckda_mat_t C;
        ckda_mat_init(C, c->V.r, N->cols, K);
        must(ckda_mat_mul(C, B, N, K));
        span_init(&less, c->V.r, c->V.norm, K);
        span_add_columns(&less, C, K);
        span_clear(&c->U, K);
        c->U = less;
        ckda_mat_clear(C, K);
        ckda_mat_clear(B, K);
    }
    ckda_mat_clear(N, K);
    ckda_mat_clear(M, K);
    return smaller;
}

static void
find_isometric(core *c)
{
    const ckda_field_struct *K = c->K;
    ckda_mat_t all;
    span_init(&c->U, c->V.r, c->V.norm, K);
    ckda_mat_init(all, c->V.r, c->V.r, K);
    must(ckda_mat_one(all, K));
    span_add_columns(&c->U, all, K);
    ckda_mat_clear(all, K);
    for (bool again = true; again;) {
        again = false;
        for (uint32_t x = 0; x < c->letters; x++)
            again = cut(c, x) || again;
    }
    for (uint32_t x = 0; x < c->letters; x++) {
        const bool inside = span_restrict(c->onU + x, &c->U, c->onV + x, K);
        ckda_require(inside, "U is invariant");
        (void)span_columns(c->stepU + x, &c->U, c->stepV + x, K);
    }
}

void
core_init(core *c, const ckda_system_t sys)
{
    c->sys = sys;
    c->K = sys->K;
    c->letters = sys->nletters;
    c->onV = new_mats(c->letters);
    c->onU = new_mats(c->letters);
    c->stepV = new_mats(c->letters);
    c->stepU = new_mats(c->letters);
    find_differences(c);
    find_isometric(c);
}

void
core_clear(core *c)
{
    free_mats(c->onV, c->letters, c->K);
    free_mats(c->onU, c->letters, c->K);
    free_mats(c->stepV, c->letters, c->K);
    free_mats(c->stepU, c->letters, c->K);
    span_clear(&c->U, c->K);
    span_clear(&c->V, c->K);
}
