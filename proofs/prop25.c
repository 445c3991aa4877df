/* proofs/prop25.c -- permutations as products of swaps (C-25.2).
 *
 * Statement.  A permutation of n points with c cycles is a product of n - c factors
 * I - u u^T with u = e_i - e_j, each with beta = 2.
 *
 * Why the check suffices.  For every permutation of the listed n the swaps are read off
 * its cycles, multiplied out as exact matrices and compared with the permutation matrix.
 *
 * Not shown here: larger n, and that fewer factors do not do (C-25.2.sharp).          */
#include <stdlib.h>

#include "checks.h"
#include "ckda/group.h"
#include "ckda/input.h"

enum { MAX_POINTS = 7 };

typedef struct {
    ckda_elem_t gamma, beta; /* the factor I - gamma u u^T, and the beta claimed for it */
    long max_minus_n;
    const ckda_node *total; /* "n": number of swaps over all permutations */
} task;

/* A = the factor of the pair i, j; refuted if its beta = gamma u^T u is another one. */
static ckda_truth
swap_factor(ckda_evidence *ev, ckda_mat_t A, slong i, slong j, const task *t,
            const ckda_field_t K)
{
    ckda_truth truth;
    ckda_mat_t u;
    ckda_elem_t beta;
    ckda_mat_init(u, A->rows, 1, K);
    ckda_elem_init(beta, K);
    ckda_elem_set_si(ckda_mat_entry(u, i, 0), 1, K);
    ckda_elem_set_si(ckda_mat_entry(u, j, 0), -1, K);
    for (slong r = 0; r < A->rows; r++)
        ckda_elem_addmul(beta, ckda_mat_entry(u, r, 0), ckda_mat_entry(u, r, 0), K);
    ckda_elem_mul(beta, beta, t->gamma, K);
    truth = ckda_evidence_expect(ev, ckda_elem_equal(beta, t->beta, K),
                                 "a swap has the beta that is claimed");
    if (truth == CKDA_TRUE
        && ckda_mat_set_householder(A, beta, u->entry, A->rows, K) != CKDA_OK)
        truth = ckda_evidence_unable(ev, "a swap without direction");
    ckda_elem_clear(beta, K);
    ckda_mat_clear(u, K);
    return truth;
}

/* P = the product of the swaps of every cycle of g; *count of them. */
static ckda_truth
swaps(ckda_evidence *ev, ckda_mat_t P, long *count, const ckda_perm *g, const task *t,
      const ckda_field_t K)
{
    bool seen[CKDA_PERM_MAX] = {false};
    ckda_mat_t A;
    ckda_truth truth = CKDA_TRUE;
    *count = 0;
    ckda_mat_init(A, g->n, g->n, K);
    if (ckda_mat_one(P, K) != CKDA_OK)
        truth = ckda_evidence_unable(ev, "no identity matrix");
    for (int i = 0; i < g->n; i++)
        for (int j = i; !seen[j] && truth == CKDA_TRUE; j = g->image[j]) {
            seen[j] = true;
            if (g->image[j] == i) /* the cycle closes without a swap */
                continue;
            truth = swap_factor(ev, A, j, g->image[j], t, K);
            if (truth == CKDA_TRUE && ckda_mat_mul(P, P, A, K) != CKDA_OK)
                truth = ckda_evidence_unable(ev, "the product has no matrix");
            ++*count;
        }
    ckda_mat_clear(A, K);
    return truth;
}

static ckda_truth
one_permutation(ckda_evidence *ev, long *count, const ckda_perm *g, const task *t,
                const ckda_field_t K)
{
    slong image[CKDA_PERM_MAX];
    ckda_mat_t P, want;
    ckda_mat_init(P, g->n, g->n, K);
    ckda_mat_init(want, g->n, g->n, K);
    for (int i = 0; i < g->n; i++)
        image[i] = g->image[i];
    ckda_truth truth = swaps(ev, P, count, g, t, K);
    if (truth == CKDA_TRUE && ckda_mat_set_map(want, image, g->n, K) != CKDA_OK)
        truth = ckda_evidence_unable(ev, "no permutation matrix");
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_mat(ev, "product of the swaps", P, want, K);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "number of swaps", *count,
                                          g->n - ckda_perm_cycles(g));
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect(ev, *count <= g->n + t->max_minus_n,
                                     "%ld swaps, at most n%+ld are claimed, n = %d",
                                     *count, t->max_minus_n, g->n);
    if (truth == CKDA_FALSE) {
        char *text = ckda_perm_str(g);
        ckda_evidence_fact(ev, "permutation", "%s", text);
        free(text);
    }
    ckda_mat_clear(want, K);
    ckda_mat_clear(P, K);
    return truth;
}

/* The next permutation in lexicographic order; false after the last. */
static bool
advance(ckda_perm *g)
{
    int i = g->n - 2, j = g->n - 1;
    while (i >= 0 && g->image[i] > g->image[i + 1])
        i--;
    if (i < 0)
        return false;
    while (g->image[j] < g->image[i])
        j--;
    uint8_t t = g->image[i];
    g->image[i] = g->image[j];
    g->image[j] = t;
    for (int a = i + 1, b = g->n - 1; a < b; a++, b--) {
        t = g->image[a];
        g->image[a] = g->image[b];
        g->image[b] = t;
    }
    return true;
}

static ckda_truth
all_permutations(ckda_evidence *ev, int n, const task *t, const ckda_field_t K)
{
    ckda_perm g;
    long total = 0, count = 0, want;
    char key[32];
    ckda_truth truth;
    ckda_perm_one(&g, n);
    do {
        truth = one_permutation(ev, &count, &g, t, K);
        total += count;
    } while (truth == CKDA_TRUE && advance(&g));
    snprintf(key, sizeof key, "%d", n);
    if (truth == CKDA_TRUE && ckda_node_has(t->total, key)) {
        if (ckda_node_get_long(&want, t->total, key, 0, 1000000, &ev->problem) != CKDA_OK)
            return CKDA_UNKNOWN;
        truth = ckda_evidence_expect_long(ev, "swaps over all permutations", total, want);
    }
    return truth;
}

static ckda_status
read_elem_member(ckda_elem_t x, const ckda_node *in, const char *key,
                 const ckda_field_t K, ckda_error *err)
{
    ckda_node at;
    ckda_status status = ckda_node_member(&at, in, key, err);
    return status == CKDA_OK ? ckda_input_read_elem(x, &at, K, err) : status;
}

ckda_truth
ckda_check_permutation_swaps(ckda_evidence *ev, const ckda_node *input)
{
    ckda_field_t K;
    ckda_node range, expect, total;
    task t;
    long from, to;
    ckda_truth truth = CKDA_UNKNOWN;
    ckda_field_init_rational(K);
    ckda_elem_init(t.gamma, K);
    ckda_elem_init(t.beta, K);
    t.total = &total;
    if (ckda_node_member(&range, input, "n", &ev->problem) == CKDA_OK
        && ckda_node_get_long(&from, &range, "from", 1, MAX_POINTS, &ev->problem)
               == CKDA_OK
        && ckda_node_get_long(&to, &range, "to", from, MAX_POINTS, &ev->problem)
               == CKDA_OK
        && ckda_node_member(&expect, input, "expect", &ev->problem) == CKDA_OK
        && ckda_node_member(&total, &expect, "total", &ev->problem) == CKDA_OK
        && ckda_node_get_long(&t.max_minus_n, &expect, "max_minus_n", -64, 0,
                              &ev->problem)
               == CKDA_OK
        && read_elem_member(t.gamma, input, "gamma", K, &ev->problem) == CKDA_OK
        && read_elem_member(t.beta, &expect, "beta", K, &ev->problem) == CKDA_OK) {
        truth = CKDA_TRUE;
        for (long n = from; n <= to && truth == CKDA_TRUE; n++)
            truth = all_permutations(ev, (int)n, &t, K);
        ckda_evidence_scope(ev, "all permutations of %ld..%ld points", from, to);
    }
    ckda_elem_clear(t.beta, K);
    ckda_elem_clear(t.gamma, K);
    ckda_field_clear(K);
    return truth;
}
