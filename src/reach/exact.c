/* States over K itself: one state, or every edge of a search again. */
#include "search_internal.h"

/* Field multiplications that a recomputation of all edges may take. */
static const double MOST_WORK = 5e7;

void
exact_step(ckda_mat_t S, const ckda_system_t sys, uint32_t x)
{
    ckda_status st = ckda_mat_mul(S, sys->linear + x, S, sys->K);
    if (st == CKDA_OK && sys->offset != NULL)
        st = ckda_mat_add(S, S, sys->offset + x, sys->K);
    ckda_require(st == CKDA_OK, "the shapes were checked before");
}

ckda_status
ckda_reach_state(ckda_mat_t S, const ckda_reach_t r, const ckda_system_t sys, uint64_t s)
{
    ckda_require(r->parent != NULL && r->via != NULL, "the graph was not kept");
    ckda_require(s < r->states, "state %lu of %lu", (unsigned long)s,
                 (unsigned long)r->states);
    size_t length = 0, alloc = 16;
    uint32_t *word = flint_malloc(alloc * sizeof *word); /* last letter first */
    for (uint64_t i = s; i != 0; i = r->parent[i]) {
        if (length == alloc)
            word = flint_realloc(word, (alloc *= 2) * sizeof *word);
        word[length++] = r->via[i];
    }
    const ckda_status st = ckda_mat_set(S, sys->initial, sys->K);
    while (st == CKDA_OK && length > 0)
        exact_step(S, sys, word[--length]);
    flint_free(word);
    return st;
}

/* The edges of state i.  The first edge into a state defines it; all others compare. */
static bool
edges_of(ckda_mat_struct *S, const search *s, const ckda_system_t sys, uint32_t i,
         ckda_mat_t T)
{
    for (uint32_t x = 0; x < sys->nletters; x++) {
        const uint32_t to = s->next[(size_t)i * sys->nletters + x];
        ckda_status st = ckda_mat_set(T, S + i, sys->K);
        ckda_require(st == CKDA_OK, "shapes");
        exact_step(T, sys, x);
        if (to != 0 && s->parent[to] == i && s->via[to] == x)
            ckda_mat_swap(S + to, T);
        else if (!ckda_mat_equal(NULL, S + to, T, sys->K))
            return false;
    }
    return true;
}

ckda_truth
exact_edges(const search *s, const ckda_system_t sys, double deadline)
{
    const slong n = sys->initial->rows, m = sys->initial->cols;
    const uint32_t count = s->count;
    const double degree = (double)sys->K->degree;
    if ((double)s->edges * (double)(n * n * m) * degree * degree > MOST_WORK)
        return CKDA_UNKNOWN;
    ckda_truth truth = CKDA_TRUE;
    ckda_mat_struct *S = flint_malloc(count * sizeof *S);
    ckda_mat_t T;
    for (uint32_t i = 0; i < count; i++)
        ckda_mat_init(S + i, n, m, sys->K);
    ckda_mat_init(T, n, m, sys->K);
    const ckda_status st = ckda_mat_set(S, sys->initial, sys->K);
    ckda_require(st == CKDA_OK, "shapes");
    for (uint32_t i = 0; truth == CKDA_TRUE && i < count; i++) {
        if (!edges_of(S, s, sys, i, T))
            truth = CKDA_FALSE;
        else if (deadline > 0 && ckda_wall_seconds() > deadline)
            truth = CKDA_UNKNOWN;
    }
    ckda_mat_clear(T, sys->K);
    for (uint32_t i = 0; i < count; i++)
        ckda_mat_clear(S + i, sys->K);
    flint_free(S);
    return truth;
}
