/* The feed-forward map of the block scheme [source: Thm 5]: factors and completes.
 *
 * With P = the product of the letters of a block, (F_1, ..., F_m) its factors padded with
 * identities and C = the product of the letters behind the block, the step is F_now+1 and
 * the query is q^T = weight^T [C | 0] F_m ... F_now+2.  The row q^T is built from the
 * left; no matrix product is formed except P. */
#include "net_internal.h"

void
net_blocks_init(net_blocks *b, const ckda_net *net, ckda_factor_scheme scheme, slong N,
                slong m)
{
    const uint32_t nletters = net->nletters;
    const slong n = net->kind == CKDA_NET_GROUP ? net->G->degree
                    : net->kind == CKDA_NET_DFA ? (slong)net->dfa->states
                                                : net->wfa->n;
    *b = (net_blocks){.scheme = scheme, .n = n, .N = N, .m = m, .nletters = nletters};
    b->weight = flint_malloc((size_t)n * sizeof *b->weight);
    for (slong i = 0; i < n; i++)
        ckda_elem_init(b->weight + i, net->Q);
    if (net->kind == CKDA_NET_WFA) {
        b->matrix = flint_malloc((nletters + 1u) * sizeof *b->matrix);
        for (uint32_t x = 0; x < nletters; x++)
            ckda_mat_init_set(b->matrix + x, net->wfa->matrix + x, net->Q);
        return;
    }
    b->image = flint_malloc((nletters * (size_t)n + 1) * sizeof *b->image);
    for (uint32_t x = 0; x < nletters; x++)
        for (slong i = 0; i < n; i++)
            b->image[(slong)x * n + i] =
                net->kind == CKDA_NET_GROUP
                    ? net->G->element[net->element[x]].image[i]
                    : (slong)ckda_dfa_step(net->dfa, (uint32_t)i, x);
}

void
net_blocks_clear(net_blocks *b, const ckda_field_t K)
{
    for (slong i = 0; b->weight != NULL && i < b->n; i++)
        ckda_elem_clear(b->weight + i, K);
    for (uint32_t x = 0; b->matrix != NULL && x < b->nletters; x++)
        ckda_mat_clear(b->matrix + x, K);
    flint_free(b->weight);
    flint_free(b->matrix);
    flint_free(b->image);
    *b = (net_blocks){0};
}

/* f = the factors of the block. */
static ckda_status
factor_block(ckda_factors_t f, const net_blocks *b, const uint32_t *block,
             const ckda_field_t K)
{
    ckda_status st = CKDA_OK;
    if (b->image != NULL) {
        slong *image = flint_malloc((size_t)b->n * sizeof *image);
        for (slong i = 0; i < b->n; i++) {
            slong j = i;
            for (slong t = 0; t < b->m; t++)
                j = b->image[(slong)block[t] * b->n + j];
            image[i] = j;
        }
        st = ckda_factor_map(f, image, b->scheme, K);
        flint_free(image);
        return st;
    }
    ckda_mat_t P;
    ckda_mat_init_set(P, b->matrix + block[0], K);
    for (slong t = 1; st == CKDA_OK && t < b->m; t++)
        st = ckda_mat_mul(P, b->matrix + block[t], P, K);
    if (st == CKDA_OK)
        st = ckda_factor_rational(f, P, b->scheme, K);
    ckda_mat_clear(P, K);
    return st;
}

/* row = weight^T C, C = M_after[last] ... M_after[0]. */
static void
complete(ckda_elem_struct *row, const net_blocks *b, const net_tokens *w,
         const ckda_field_t K)
{
    if (b->image != NULL) {
        for (slong i = 0; i < b->n; i++) {
            slong j = i;
            for (slong t = 0; t < w->nafter; t++)
                j = b->image[(slong)w->after[t] * b->n + j];
            ckda_elem_set(row + i, b->weight + j, K);
        }
        return;
    }
    ckda_mat_t r, M;
    ckda_mat_init(r, 1, b->n, K);
    for (slong i = 0; i < b->n; i++)
        ckda_elem_set(r->entry + i, b->weight + i, K);
    for (slong t = w->nafter - 1; t >= 0; t--) {
        *M = b->matrix[w->after[t]];
        const ckda_status st = ckda_mat_mul(r, r, M, K);
        ckda_require(st == CKDA_OK, "letters are square matrices");
    }
    for (slong i = 0; i < b->n; i++)
        ckda_elem_set(row + i, r->entry + i, K);
    ckda_mat_clear(r, K);
}

/* row <- row (I - scale w w^T) Diag(gate), scale = beta / w^T w. */
static void
times_factor(ckda_elem_struct *row, const ckda_trans_struct *F, const ckda_field_t K)
{
    ckda_elem_t norm, dot;
    ckda_elem_init(norm, K);
    ckda_elem_init(dot, K);
    for (slong i = 0; i < F->n; i++) {
        if (ckda_elem_is_zero(F->key + i, K))
            continue;
        ckda_elem_addmul(norm, F->key + i, F->key + i, K);
        ckda_elem_addmul(dot, F->key + i, row + i, K);
    }
    if (!ckda_elem_is_zero(F->beta, K) && !ckda_elem_is_zero(dot, K)) {
        const ckda_status st = ckda_elem_div(norm, F->beta, norm, K);
        ckda_require(st == CKDA_OK, "a factor has a nonzero key");
        ckda_elem_mul(dot, dot, norm, K);
        for (slong i = 0; i < F->n; i++)
            ckda_elem_submul(row + i, dot, F->key + i, K);
    }
    for (slong i = 0; i < F->n; i++)
        if (!ckda_elem_is_one(F->gate + i, K))
            ckda_elem_mul(row + i, row + i, F->gate + i, K);
    ckda_elem_clear(dot, K);
    ckda_elem_clear(norm, K);
}

static void
set_identity(ckda_net_step *t, const ckda_field_t K)
{
    ckda_elem_zero(t->beta, K);
    for (slong i = 0; i < t->n; i++) {
        ckda_elem_set_si(t->key + i, i == 0, K);
        ckda_elem_one(t->gate + i, K);
    }
}

ckda_status
net_blocks_step(ckda_net_step *t, const net_blocks *b, const net_tokens *w,
                const ckda_field_t K, ckda_error *err)
{
    ckda_factors_t f;
    ckda_factors_init(f, b->N, K);
    ckda_status st = w->block != NULL ? factor_block(f, b, w->block, K) : CKDA_OK;
    if (st == CKDA_OK && f->count > b->m) {
        ckda_error_set(err, "a block of %ld letters needs %ld factors", (long)b->m,
                       (long)f->count);
        st = CKDA_E_DOMAIN;
    } else if (st != CKDA_OK) {
        ckda_error_set(err, "the product of a block has no factors");
    }
    if (st == CKDA_OK) {
        for (slong i = 0; i < b->N; i++)
            ckda_elem_zero(t->query + i, K);
        complete(t->query, b, w, K);
        for (slong j = f->count - 1; j > w->now; j--)
            times_factor(t->query, f->step + j, K);
        set_identity(t, K);
        if (w->now < f->count)
            net_step_set_trans(t, f->step + w->now, K);
        st = ckda_net_step_ready(t, K);
    }
    ckda_factors_clear(f, K);
    return st;
}
