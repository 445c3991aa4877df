/* Isomorphisms and quotients of small groups, by trying. */
#include "ckda/subgroup.h"
#include "group_internal.h"

/* Extends the images of T's generators to all of T; false when that is no injective
 * homomorphism. */
static bool
extend(uint32_t *map, const ckda_group_t T, const ckda_group_t G, const uint32_t *image)
{
    uint32_t *queue = checked_alloc(T->order, sizeof *queue), tail = 1;
    bool *used = checked_alloc(G->order, sizeof *used), good = true;
    for (uint32_t t = 0; t < T->order; t++)
        map[t] = UINT32_MAX;
    map[0] = 0;
    used[0] = true;
    queue[0] = 0;
    for (uint32_t head = 0; good && head < tail; head++)
        for (uint32_t j = 0; good && j < T->ngen; j++) {
            const uint32_t t = ckda_group_mul(T, T->generator[j], queue[head]);
            const uint32_t g = ckda_group_mul(G, image[j], map[queue[head]]);
            if (map[t] != UINT32_MAX) {
                good = map[t] == g;
                continue;
            }
            good = !used[g];
            used[g] = true;
            map[t] = g;
            queue[tail++] = t;
        }
    free(used);
    free(queue);
    return good && tail == T->order;
}

/* Images for the generators from number j on, by trying. */
static bool
choose(uint32_t *map, uint32_t *image, uint32_t j, const ckda_group_t T,
       const ckda_group_t G, const bool *in)
{
    if (j == T->ngen)
        return extend(map, T, G, image);
    const uint64_t order = ckda_perm_order(&T->element[T->generator[j]]);
    for (uint32_t g = 0; g < G->order; g++) {
        if ((in != NULL && !in[g]) || ckda_perm_order(&G->element[g]) != order)
            continue;
        image[j] = g;
        if (choose(map, image, j + 1, T, G, in))
            return true;
    }
    return false;
}

bool
ckda_group_isomorphism(uint32_t *map, const ckda_group_t T, const ckda_group_t G,
                       const bool *in, uint32_t order)
{
    if (T->order != order)
        return false;
    uint32_t *image = checked_alloc(T->ngen, sizeof *image);
    const bool found = choose(map, image, 0, T, G, in);
    free(image);
    return found;
}

/* ---- quotients -------------------------------------------------------------------- */

/* number[g] = the coset of g, numbered by their first elements, which go to first. */
static uint32_t
number_cosets(uint32_t *number, uint32_t *first, const ckda_group_t G, const bool *in)
{
    uint32_t count = 0;
    for (uint32_t g = 0; g < G->order; g++)
        number[g] = UINT32_MAX;
    for (uint32_t g = 0; g < G->order; g++) {
        if (number[g] != UINT32_MAX)
            continue;
        for (uint32_t n = 0; n < G->order; n++)
            if (in[n])
                number[ckda_group_mul(G, g, n)] = count;
        first[count++] = g;
    }
    return count;
}

/* The permutation of the cosets by g. */
static ckda_perm
act(const ckda_group_t G, uint32_t g, const uint32_t *number, const uint32_t *first,
    uint32_t count)
{
    ckda_perm p = {.n = (int)count};
    for (uint32_t c = 0; c < count; c++)
        p.image[c] = (uint8_t)number[ckda_group_mul(G, g, first[c])];
    return p;
}

ckda_status
ckda_group_quotient(ckda_group_t Q, uint32_t *coset, const ckda_group_t G, const bool *in,
                    uint32_t order, ckda_error *err)
{
    const uint32_t count = G->order / order;
    if (count > CKDA_PERM_MAX) {
        ckda_error_set(err, "a quotient of order %u is too large", count);
        return CKDA_E_UNABLE;
    }
    uint32_t *number = checked_alloc(G->order, sizeof *number);
    uint32_t *first = checked_alloc(G->order, sizeof *first);
    const uint32_t cosets = number_cosets(number, first, G, in);
    ckda_require(cosets == count, "%u cosets of %u elements", cosets, order);
    ckda_perm *gens = checked_alloc((size_t)G->ngen + 1, sizeof *gens);
    for (uint32_t j = 0; j < G->ngen; j++)
        gens[j] = act(G, G->generator[j], number, first, count);
    const ckda_status st =
        ckda_group_init_generated(Q, "quotient", gens, NULL, G->ngen, count, err);
    for (uint32_t g = 0; st == CKDA_OK && g < G->order; g++) {
        const ckda_perm p = act(G, g, number, first, count);
        coset[g] = (uint32_t)ckda_group_find(Q, &p);
    }
    free(gens);
    free(first);
    free(number);
    return st;
}
