/* Are several heads together right on words of every length? */
#include "realize_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- heads that track quotients ------------------------------------------------------ */

/* Is element a homomorphism from G to the head's group? */
static bool
is_homomorphism(const ckda_head *head, const ckda_group_t G)
{
    const ckda_group_struct *H = head->c->G;
    for (uint32_t j = 0; j < G->ngen; j++)
        for (uint32_t g = 0; g < G->order; g++) {
            const uint32_t x = G->generator[j];
            if (head->element[ckda_group_mul(G, x, g)]
                != ckda_group_mul(H, head->element[x], head->element[g]))
                return false;
        }
    return true;
}

/* No element but 1 is 1 in all heads: with homomorphisms that is injective. */
static bool
tells_apart(const ckda_heads_t heads, uint32_t order)
{
    for (uint32_t g = 1; g < order; g++) {
        uint32_t h = 0;
        while (h < heads->nheads && heads->head[h].element[g] == 0)
            h++;
        if (h == heads->nheads)
            return false;
    }
    return true;
}

/* The element of each state of a head is right, so that of the joint state is. */
static ckda_status
close_quotients(ckda_realize_closure *r, ckda_heads_t heads, const ckda_group_t G,
                const ckda_limits *limits, ckda_error *err)
{
    ckda_realize_closure all = {.right = CKDA_TRUE,
                                .min_per_element = 1,
                                .max_per_element = 1,
                                .read_out = CKDA_TRUE};
    for (uint32_t h = 0; h < heads->nheads; h++) {
        ckda_head *head = &heads->head[h];
        ckda_realize_closure_clear(&head->closure);
        const ckda_status st = ckda_realize_close(&head->closure, head->c, limits, err);
        if (st != CKDA_OK)
            return st;
        const bool good = is_homomorphism(head, G);
        all.right = ckda_truth_and(all.right, good ? head->closure.right : CKDA_FALSE);
        all.read_out = ckda_truth_and(all.read_out, head->closure.read_out);
        all.states += head->closure.states;
        all.edges += head->closure.edges;
        if (all.limit == NULL)
            all.limit = head->closure.limit;
    }
    if (!tells_apart(heads, G->order))
        all.right = CKDA_FALSE;
    all.exactness =
        strdup("every head by itself, the maps from the group compared product "
               "by product, their joint kernel trivial");
    ckda_require_memory(all.exactness != NULL);
    *r = all;
    return CKDA_OK;
}

/* ---- joint states --------------------------------------------------------------------- */

static slong
joint_dimension(const ckda_heads_t heads)
{
    slong n = 0;
    for (uint32_t h = 0; h < heads->nheads; h++)
        n += heads->head[h].c->n;
    return n;
}

/* A block for each head. */
static void
joint_matrix(ckda_mat_t A, const ckda_heads_t heads, uint32_t g)
{
    const ckda_field_struct *K = heads->K;
    slong at = 0;
    for (uint32_t h = 0; h < heads->nheads; h++) {
        const slong n = heads->head[h].c->n;
        ckda_mat_t B;
        ckda_mat_init(B, n, n, K);
        const ckda_status st = ckda_trans_matrix(B, &heads->head[h].trans[g], K);
        ckda_require(st == CKDA_OK, "no zero key");
        for (slong i = 0; i < n; i++)
            for (slong j = 0; j < n; j++)
                ckda_elem_swap(ckda_mat_entry(A, at + i, at + j), ckda_mat_entry(B, i, j),
                               K);
        ckda_mat_clear(B, K);
        at += n;
    }
}

static ckda_status
close_joint(ckda_realize_closure *r, const ckda_heads_t heads, const ckda_group_t G,
            const ckda_limits *limits, ckda_error *err)
{
    const slong n = joint_dimension(heads);
    ckda_mat_struct *letter = flint_malloc(G->order * sizeof *letter);
    uint32_t *element = flint_malloc(G->order * sizeof *element);
    for (uint32_t g = 0; g < G->order; g++) {
        ckda_mat_init(letter + g, n, n, heads->K);
        joint_matrix(letter + g, heads, g);
        element[g] = g;
    }
    ckda_system_t sys = {{.K = heads->K,
                          .nletters = G->order,
                          .linear = letter,
                          .G = G,
                          .letter_element = element}};
    ckda_mat_init(sys->initial, n, n, heads->K);
    ckda_reach_t reach;
    ckda_status st = ckda_mat_one(sys->initial, heads->K);
    if (st == CKDA_OK)
        st = realize_run(r, reach, sys, 0, limits, err);
    if (st == CKDA_OK)
        ckda_reach_clear(reach);
    ckda_mat_clear(sys->initial, heads->K);
    for (uint32_t g = 0; g < G->order; g++)
        ckda_mat_clear(letter + g, heads->K);
    flint_free(element);
    flint_free(letter);
    return st;
}

ckda_status
ckda_heads_close(ckda_realize_closure *r, ckda_heads_t heads, const ckda_group_t G,
                 const ckda_limits *limits, ckda_error *err)
{
    ckda_require(G->order == heads->order, "heads of another group");
    return strcmp(heads->method, "quotients") == 0
               ? close_quotients(r, heads, G, limits, err)
               : close_joint(r, heads, G, limits, err);
}
