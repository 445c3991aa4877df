/* Normal subgroups, quotients and isomorphisms of small groups, by looking. */
#include "net_internal.h"

/* in = the smallest normal subgroup that contains what `in` contains. */
static uint32_t
normal_closure(bool *in, const ckda_group_t G)
{
    uint32_t *list = flint_malloc(G->order * sizeof *list), count = 0, ngens;
    uint32_t *gens = flint_malloc(G->order * sizeof *gens);
    for (uint32_t g = 1; g < G->order; g++)
        if (in[g])
            list[count++] = g;
    /* first all conjugates, then all products of them */
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < G->ngen; j++) {
            const uint32_t x = G->generator[j];
            const uint32_t y =
                ckda_group_mul(G, x, ckda_group_mul(G, list[i], ckda_group_inv(G, x)));
            if (!in[y]) {
                in[y] = true;
                list[count++] = y;
            }
        }
    ngens = count;
    memcpy(gens, list, count * sizeof *gens);
    in[0] = true;
    list[count++] = 0;
    for (uint32_t i = 0; i < count && count < G->order; i++)
        for (uint32_t j = 0; j < ngens; j++) {
            const uint32_t y = ckda_group_mul(G, gens[j], list[i]);
            if (!in[y]) {
                in[y] = true;
                list[count++] = y;
            }
        }
    flint_free(gens);
    flint_free(list);
    return count;
}

static void
add_closure(net_subgroup **list, uint32_t *count, bool *in, const ckda_group_t G)
{
    const uint32_t order = normal_closure(in, G);
    bool known = order == 1 || order == G->order;
    for (uint32_t i = 0; !known && i < *count; i++)
        known = (*list)[i].order == order
                && memcmp((*list)[i].in, in, G->order * sizeof *in) == 0;
    if (known)
        return;
    *list = flint_realloc(*list, (*count + 1) * sizeof **list);
    net_subgroup *new = *list + (*count)++;
    new->order = order;
    new->in = flint_malloc(G->order * sizeof *in);
    memcpy(new->in, in, G->order * sizeof *in);
}

/* Stable, so that the order is the same everywhere. */
static void
sort_larger_first(net_subgroup *list, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        const net_subgroup moved = list[i];
        uint32_t j = i;
        for (; j > 0 && list[j - 1].order < moved.order; j--)
            list[j] = list[j - 1];
        list[j] = moved;
    }
}

uint32_t
net_normal_subgroups(net_subgroup **list, const ckda_group_t G)
{
    bool *in = flint_malloc(G->order * sizeof *in);
    uint32_t count = 0;
    *list = NULL;
    for (uint32_t g = 1; g < G->order; g++) {
        memset(in, 0, G->order * sizeof *in);
        in[g] = true;
        add_closure(list, &count, in, G);
    }
    const uint32_t single = count;
    for (uint32_t i = 0; i < single; i++)
        for (uint32_t j = 0; j < i; j++) {
            for (uint32_t g = 0; g < G->order; g++)
                in[g] = (*list)[i].in[g] || (*list)[j].in[g];
            add_closure(list, &count, in, G);
        }
    sort_larger_first(*list, count);
    flint_free(in);
    return count;
}

void
net_subgroups_clear(net_subgroup *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        flint_free(list[i].in);
    flint_free(list);
}

/* ---- isomorphisms ----------------------------------------------------------------- */

/* Extends the images of T's generators to all of T; false when that is no injective
 * homomorphism. */
static bool
extend(uint32_t *map, const ckda_group_t T, const ckda_group_t G, const uint32_t *image)
{
    uint32_t *queue = flint_malloc(T->order * sizeof *queue), tail = 1;
    bool *used = flint_calloc(G->order, sizeof *used), good = true;
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
    flint_free(used);
    flint_free(queue);
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
net_isomorphism(uint32_t *map, const ckda_group_t T, const ckda_group_t G, const bool *in,
                uint32_t order)
{
    if (T->order != order)
        return false;
    uint32_t *image = flint_malloc((T->ngen + 1) * sizeof *image);
    const bool found = choose(map, image, 0, T, G, in);
    flint_free(image);
    return found;
}

/* ---- quotients -------------------------------------------------------------------- */

/* number[g] = the coset of g, numbered by their first elements, which go to first. */
static uint32_t
number_cosets(uint32_t *number, uint32_t *first, const ckda_group_t G,
              const net_subgroup *N)
{
    uint32_t count = 0;
    for (uint32_t g = 0; g < G->order; g++)
        number[g] = UINT32_MAX;
    for (uint32_t g = 0; g < G->order; g++) {
        if (number[g] != UINT32_MAX)
            continue;
        for (uint32_t n = 0; n < G->order; n++)
            if (N->in[n])
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
net_quotient(ckda_group_t Q, uint32_t *coset, const ckda_group_t G, const net_subgroup *N,
             ckda_error *err)
{
    uint32_t *number = flint_malloc(G->order * sizeof *number);
    uint32_t *first = flint_malloc(G->order * sizeof *first);
    const uint32_t count = number_cosets(number, first, G, N);
    ckda_status st = CKDA_OK;
    if (count > CKDA_PERM_MAX) {
        ckda_error_set(err, "a quotient of order %u is too large", count);
        st = CKDA_E_UNABLE;
    } else {
        ckda_perm *gens = flint_malloc((G->ngen + 1) * sizeof *gens);
        for (uint32_t j = 0; j < G->ngen; j++)
            gens[j] = act(G, G->generator[j], number, first, count);
        st = ckda_group_init_generated(Q, "quotient", gens, NULL, G->ngen, count, err);
        flint_free(gens);
    }
    for (uint32_t g = 0; st == CKDA_OK && g < G->order; g++) {
        const ckda_perm p = act(G, g, number, first, count);
        coset[g] = (uint32_t)ckda_group_find(Q, &p);
    }
    flint_free(first);
    flint_free(number);
    return st;
}
