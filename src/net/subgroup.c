/* The normal subgroups that the two-layer networks are looked for along. */
#include "net_internal.h"

static void
add_closure(net_subgroup **list, uint32_t *count, bool *in, const ckda_group_t G)
{
    const uint32_t order = ckda_group_normal_closure(in, G);
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
