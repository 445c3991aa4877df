/* The chunk form itself, on given inputs, and laws that must hold exactly. */
#include <stdlib.h>
#include <string.h>

#include "range_internal.h"

void
rg_gate(rg_num *x, const rg_inputs *in, slong t, slong j, const rg_ctx *c)
{
    if (in->gates == NULL) {
        rg_one(x, c);
        return;
    }
    rg_set_elem(x, in->gates + t * in->gate_width + (in->gate_width > 1 ? j : 0), c);
    if (!in->alpha)
        arb_exp(x->ball, x->ball, c->prec);
}

/* g[i * w + j] = the gate of token first + i; w columns. */
static void
gates_of_chunk(rg_num *g, const rg_inputs *in, slong first, slong n, slong w,
               bool ungated, const rg_ctx *c)
{
    for (slong i = 0; i < n; i++)
        for (slong j = 0; j < w; j++) {
            if (ungated)
                rg_one(g + i * w + j, c);
            else
                rg_gate(g + i * w + j, in, first + i, j, c);
        }
}

/* L_ij = beta_i sum over channels of k_i k_j gate_{j+1} ... gate_i. */
static void
lower(rg_chunk *k, const rg_inputs *in, slong first, const rg_num *g, const rg_ctx *c)
{
    const slong d = k->d;
    rg_num *x = rg_new(d + 2, c), *beta = x + d, *key = x + d + 1;
    for (slong j = 0; j < k->n; j++) {
        for (slong a = 0; a < d; a++)
            rg_set_elem(x + a, in->keys + (first + j) * d + a, c);
        for (slong i = j + 1; i < k->n; i++) {
            rg_num *entry = k->L + i * k->n + j;
            rg_set_elem(beta, in->betas + first + i, c);
            for (slong a = 0; a < d; a++) {
                rg_mul(x + a, x + a, g + i * d + a, c);
                rg_set_elem(key, in->keys + (first + i) * d + a, c);
                rg_addmul(entry, x + a, key, c);
            }
            rg_mul(entry, entry, beta, c);
        }
    }
    rg_free(x, d + 2, c);
}

/* The same from inner products; g has one column. */
static void
lower_gram(rg_chunk *k, const rg_inputs *in, slong first, const rg_num *g,
           const rg_ctx *c)
{
    rg_num *x = rg_new(2, c);
    for (slong j = 0; j < k->n; j++) {
        rg_one(x, c);
        for (slong i = j + 1; i < k->n; i++) {
            rg_num *entry = k->L + i * k->n + j;
            rg_mul(x, x, g + i, c);
            rg_set_elem(entry, in->gram + (first + i) * in->n + first + j, c);
            rg_set_elem(x + 1, in->betas + first + i, c);
            rg_mul(entry, entry, x, c);
            rg_mul(entry, entry, x + 1, c);
        }
    }
    rg_free(x, 2, c);
}

/* T = (I + L)^-1 by forward substitution. */
static void
invert(rg_chunk *k, const rg_ctx *c)
{
    const slong n = k->n;
    for (slong j = 0; j < n; j++) {
        rg_one(k->T + j * n + j, c);
        for (slong i = j + 1; i < n; i++)
            for (slong l = j; l < i; l++)
                rg_submul(k->T + i * n + j, k->L + i * n + l, k->T + l * n + j, c);
    }
}

/* out = T diag(beta) rows, n x w, rows being n x w elements times factor (or NULL). */
static void
solve(rg_num *out, const rg_chunk *k, const rg_inputs *in, slong first,
      const ckda_elem_struct *rows, const rg_num *factor, slong w, const rg_ctx *c)
{
    rg_num *x = rg_new(k->n * w + 1, c), *beta = x + k->n * w;
    for (slong i = 0; i < k->n; i++) {
        rg_set_elem(beta, in->betas + first + i, c);
        for (slong a = 0; a < w; a++) {
            rg_set_elem(x + i * w + a, rows + (first + i) * w + a, c);
            rg_mul(x + i * w + a, x + i * w + a, beta, c);
            if (factor != NULL)
                rg_mul(x + i * w + a, x + i * w + a, factor + i * w + a, c);
        }
    }
    rg_matmul(out, k->T, x, k->n, k->n, w, c);
    rg_free(x, k->n * w + 1, c);
}

void
rg_chunk_init(rg_chunk *k, const rg_inputs *in, slong first, slong n, bool ungated,
              const rg_ctx *c)
{
    const slong d = in->keys != NULL ? in->d : 0, w = d > 0 ? d : 1;
    *k = (rg_chunk){.n = n, .d = d, .dv = in->dv};
    rg_num *g = rg_new(n * w, c);
    gates_of_chunk(g, in, first, n, w, ungated, c);
    k->L = rg_new(n * n, c);
    k->T = rg_new(n * n, c);
    k->W = rg_new(n * d, c);
    k->U = rg_new(n * in->dv, c);
    k->decay = rg_new(n * w, c);
    for (slong i = 0; i < n * w; i++) {
        if (i < w)
            rg_set(k->decay + i, g + i, c);
        else
            rg_mul(k->decay + i, k->decay + i - w, g + i, c);
    }
    if (d > 0)
        lower(k, in, first, g, c);
    else
        lower_gram(k, in, first, g, c);
    invert(k, c);
    if (d > 0)
        solve(k->W, k, in, first, in->keys, k->decay, d, c);
    if (in->dv > 0)
        solve(k->U, k, in, first, in->values, NULL, in->dv, c);
    rg_free(g, n * w, c);
}

void
rg_chunk_clear(rg_chunk *k, const rg_ctx *c)
{
    const slong w = k->d > 0 ? k->d : 1;
    rg_free(k->L, k->n * k->n, c);
    rg_free(k->T, k->n * k->n, c);
    rg_free(k->W, k->n * k->d, c);
    rg_free(k->U, k->n * k->dv, c);
    rg_free(k->decay, k->n * w, c);
}

/* S = (I - beta k k^T) Diag(gate) S + beta k v^T, token t; S is d x m, v NULL: no write. */
static void
step(rg_num *S, const rg_inputs *in, slong t, slong m, const ckda_elem_struct *v,
     const rg_ctx *c)
{
    const slong d = in->d;
    rg_num *x = rg_new(4, c), *beta = x + 1, *p = x + 2, *y = x + 3;
    rg_set_elem(beta, in->betas + t, c);
    for (slong a = 0; a < d; a++) {
        rg_gate(x, in, t, a, c);
        for (slong j = 0; j < m; j++)
            rg_mul(S + a * m + j, S + a * m + j, x, c);
    }
    for (slong j = 0; j < m; j++) {
        rg_zero(p, c);
        for (slong a = 0; a < d; a++) {
            rg_set_elem(x, in->keys + t * d + a, c);
            rg_submul(p, x, S + a * m + j, c);
        }
        if (v != NULL) {
            rg_set_elem(y, v + j, c);
            rg_add(p, p, y, c);
        }
        rg_mul(p, p, beta, c);
        for (slong a = 0; a < d; a++) {
            rg_set_elem(x, in->keys + t * d + a, c);
            rg_addmul(S + a * m + j, x, p, c);
        }
    }
    rg_free(x, 4, c);
}

/* S = Diag(decay_n) S + sum over j of (k_j decay_n / decay_j) (U_j - W_j S). */
static void
chunk_step(rg_num *S, const rg_chunk *k, const rg_inputs *in, slong first,
           const rg_ctx *c)
{
    const slong n = k->n, d = k->d, m = k->dv;
    rg_num *u = rg_new(n * m, c), *x = rg_new(d + 1, c), *y = x + d;
    rg_matmul(u, k->W, S, n, d, m, c);
    for (slong i = 0; i < n * m; i++)
        rg_sub(u + i, k->U + i, u + i, c);
    for (slong a = 0; a < d; a++)
        for (slong j = 0; j < m; j++)
            rg_mul(S + a * m + j, S + a * m + j, k->decay + (n - 1) * d + a, c);
    for (slong a = 0; a < d; a++)
        rg_one(x + a, c);
    for (slong i = n - 1; i >= 0; i--)
        for (slong a = 0; a < d; a++) {
            rg_set_elem(y, in->keys + (first + i) * d + a, c);
            rg_mul(y, y, x + a, c);
            for (slong j = 0; j < m; j++)
                rg_addmul(S + a * m + j, y, u + i * m + j, c);
            rg_gate(y, in, first + i, a, c);
            rg_mul(x + a, x + a, y, c);
        }
    rg_free(u, n * m, c);
    rg_free(x, d + 1, c);
}

/* "[[1/2,0],[..]]" if exact and short, else NULL. */
static char *
state_text(const rg_num *S, slong d, slong m, const rg_ctx *c)
{
    if (!c->exact || d * m > 64)
        return NULL;
    ckda_mat_t A;
    ckda_mat_init(A, d, m, c->K);
    for (slong i = 0; i < d * m; i++)
        ckda_elem_set(A->entry + i, S[i].elem, c->K);
    char *text = ckda_mat_str(A, c->K), *copy = NULL;
    if (strlen(text) <= 4000)
        copy = rg_copy(text);
    free(text);
    ckda_mat_clear(A, c->K);
    return copy;
}

static void
set_initial(rg_num *S, const rg_inputs *in, const rg_ctx *c)
{
    for (slong i = 0; in->initial != NULL && i < in->d * in->dv; i++)
        rg_set_elem(S + i, in->initial + i, c);
}

/* The final state token by token and chunk by chunk. */
static void
judge_states(ckda_range_laws *laws, const rg_inputs *in, slong length, const rg_ctx *c)
{
    const slong size = in->d * in->dv;
    rg_num *S = rg_new(size, c), *R = rg_new(size, c);
    set_initial(S, in, c);
    set_initial(R, in, c);
    for (slong first = 0; first < in->n; first += length) {
        const slong n = first + length < in->n ? length : in->n - first;
        rg_chunk k;
        rg_chunk_init(&k, in, first, n, false, c);
        chunk_step(S, &k, in, first, c);
        rg_chunk_clear(&k, c);
        for (slong t = first; t < first + n; t++)
            step(R, in, t, in->dv, in->values + t * in->dv, c);
    }
    laws->chunk_equals_recurrence = rg_equal(S, R, size, c);
    laws->state = state_text(R, in->d, in->dv, c);
    rg_free(S, size, c);
    rg_free(R, size, c);
}

/* Is the product of the transitions of every full chunk the identity? */
static ckda_truth
period(const rg_inputs *in, slong length, const rg_ctx *c)
{
    const slong d = in->d;
    ckda_truth all = in->n < length ? CKDA_FALSE : CKDA_TRUE;
    rg_num *S = rg_new(d * d, c), *I = rg_new(d * d, c);
    for (slong a = 0; a < d; a++)
        rg_one(I + a * d + a, c);
    for (slong first = 0; first + length <= in->n && all == CKDA_TRUE; first += length) {
        for (slong i = 0; i < d * d; i++)
            rg_set(S + i, I + i, c);
        for (slong t = first; t < first + length; t++)
            step(S, in, t, d, NULL, c);
        all = rg_equal(S, I, d * d, c);
    }
    rg_free(S, d * d, c);
    rg_free(I, d * d, c);
    return all;
}

/* Every intermediate with gates equals the one without. */
static ckda_truth
ungated(const rg_inputs *in, slong length, const rg_ctx *c)
{
    ckda_truth all = CKDA_TRUE;
    for (slong first = 0; first < in->n && all != CKDA_FALSE; first += length) {
        const slong n = first + length < in->n ? length : in->n - first;
        rg_chunk k, u;
        rg_chunk_init(&k, in, first, n, false, c);
        rg_chunk_init(&u, in, first, n, true, c);
        all = ckda_truth_and(all, rg_equal(k.L, u.L, n * n, c));
        all = ckda_truth_and(all, rg_equal(k.T, u.T, n * n, c));
        all = ckda_truth_and(all, rg_equal(k.W, u.W, n * k.d, c));
        all = ckda_truth_and(all, rg_equal(k.U, u.U, n * k.dv, c));
        rg_chunk_clear(&k, c);
        rg_chunk_clear(&u, c);
    }
    return all;
}

void
rg_laws_judge(ckda_range_laws *laws, const rg_inputs *in, slong length, const rg_ctx *c)
{
    laws->chunk_equals_recurrence = CKDA_UNKNOWN;
    laws->period_is_identity = CKDA_UNKNOWN;
    laws->has_values = in->dv > 0 && in->keys != NULL;
    laws->compared = in->compare;
    if (in->compare)
        laws->ungated = ungated(in, length, c);
    if (in->keys == NULL)
        return;
    laws->period_is_identity = period(in, length, c);
    if (laws->has_values)
        judge_states(laws, in, length, c);
}
