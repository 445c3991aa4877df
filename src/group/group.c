/* Finite permutation groups with all elements listed. */
#include "group_internal.h"

enum { TABLE_MAX = 512 }; /* largest order with a multiplication table: 1 MiB */

static uint32_t
hash_perm(const ckda_perm *g)
{
    uint32_t h = 2166136261u; /* FNV-1a */
    for (int i = 0; i < g->n; i++)
        h = (h ^ g->image[i]) * 16777619u;
    return h ^ h >> 15;
}

/* The slot of g: the one that holds it, or the empty one where it belongs. */
static uint32_t
find_slot(const ckda_group_t G, const ckda_perm *g)
{
    uint32_t slot = hash_perm(g) & G->mask;
    while (G->bucket[slot] != 0 && !ckda_perm_equal(&G->element[G->bucket[slot] - 1], g))
        slot = (slot + 1) & G->mask;
    return slot;
}

/* At most half of the buckets are in use, so that every probe ends. */
static void
grow_buckets(ckda_group_t G)
{
    if (G->bucket != NULL && 2 * (uint64_t)(G->order + 1) <= G->mask)
        return;
    G->mask = G->bucket == NULL ? 63 : 2 * G->mask + 1;
    free(G->bucket);
    G->bucket = checked_alloc((size_t)G->mask + 1, sizeof *G->bucket);
    for (uint32_t i = 0; i < G->order; i++)
        G->bucket[find_slot(G, &G->element[i])] = i + 1;
}

/* Index of g, appended if it is new. */
static uint32_t
intern(ckda_group_t G, uint32_t *alloc, const ckda_perm *g)
{
    grow_buckets(G);
    const uint32_t slot = find_slot(G, g);
    if (G->bucket[slot] != 0)
        return G->bucket[slot] - 1;
    if (G->order == *alloc) {
        *alloc = *alloc < 8 ? 16 : *alloc + *alloc / 2;
        G->element = checked_realloc(G->element, *alloc, sizeof *G->element);
    }
    G->element[G->order] = *g;
    G->bucket[slot] = ++G->order;
    return G->order - 1;
}

static bool
close_group(ckda_group_t G, const ckda_perm *gens, uint32_t ngens, uint32_t max_order)
{
    uint32_t alloc = 0;
    ckda_perm p;
    ckda_perm_one(&p, G->degree);
    (void)intern(G, &alloc, &p);
    for (uint32_t i = 0; i < G->order; i++)
        for (uint32_t j = 0; j < ngens; j++) {
            ckda_perm_mul(&p, &gens[j], &G->element[i]);
            (void)intern(G, &alloc, &p);
            if (G->order > max_order)
                return false;
        }
    return true;
}

static void
fill_tables(ckda_group_t G)
{
    ckda_perm p;
    G->inverse = checked_alloc(G->order, sizeof *G->inverse);
    for (uint32_t g = 0; g < G->order; g++) {
        ckda_perm_inv(&p, &G->element[g]);
        G->inverse[g] = (uint32_t)ckda_group_find(G, &p);
    }
    if (G->order > TABLE_MAX)
        return;
    uint32_t *table = checked_alloc((size_t)G->order * G->order, sizeof *table);
    for (uint32_t g = 0; g < G->order; g++)
        for (uint32_t h = 0; h < G->order; h++)
            table[g * G->order + h] = ckda_group_mul(G, g, h);
    G->table = table;
}

static void
set_generators(ckda_group_t G, const ckda_perm *gens, const char *const *names,
               uint32_t ngens)
{
    G->ngen = ngens;
    G->generator = checked_alloc(ngens, sizeof *G->generator);
    G->genname = checked_alloc(ngens, sizeof *G->genname);
    for (uint32_t j = 0; j < ngens; j++) {
        G->generator[j] = (uint32_t)ckda_group_find(G, &gens[j]);
        G->genname[j] = names != NULL ? copy_text(names[j], strlen(names[j]))
                                      : ckda_perm_str(&gens[j]);
    }
}

ckda_status
ckda_group_init_generated(ckda_group_t G, const char *name, const ckda_perm *gens,
                          const char *const *names, uint32_t ngens, uint32_t max_order,
                          ckda_error *err)
{
    const int degree = ngens > 0 ? gens[0].n : 1;
    for (uint32_t j = 1; j < ngens; j++)
        if (gens[j].n != degree) {
            ckda_error_set(err, "%s: expected generators of one degree, found %d and %d",
                           name, degree, gens[j].n);
            return CKDA_E_INPUT;
        }
    ckda_group_t new = {{.degree = degree}};
    new->name = copy_text(name, strlen(name));
    if (!close_group(new, gens, ngens, max_order)) {
        ckda_error_set(err, "%s: the group has more than %u elements", name, max_order);
        ckda_group_clear(new);
        return CKDA_E_UNABLE;
    }
    set_generators(new, gens, names, ngens);
    fill_tables(new);
    *G = *new;
    return CKDA_OK;
}

void
ckda_group_clear(ckda_group_t G)
{
    for (uint32_t j = 0; j < G->ngen; j++)
        free(G->genname[j]);
    free(G->genname);
    free(G->generator);
    free(G->bucket);
    free(G->table);
    free(G->inverse);
    free(G->element);
    free(G->name);
    *G = (ckda_group_struct){0};
}

int64_t
ckda_group_find(const ckda_group_t G, const ckda_perm *g)
{
    if (g->n != G->degree)
        return -1;
    return (int64_t)G->bucket[find_slot(G, g)] - 1;
}

uint32_t
ckda_group_mul(const ckda_group_t G, uint32_t g, uint32_t h)
{
    ckda_require(g < G->order && h < G->order, "elements %u, %u of %u", g, h, G->order);
    if (G->table != NULL)
        return G->table[g * G->order + h];
    ckda_perm p;
    ckda_perm_mul(&p, &G->element[g], &G->element[h]);
    return (uint32_t)ckda_group_find(G, &p);
}

uint32_t
ckda_group_inv(const ckda_group_t G, uint32_t g)
{
    ckda_require(g < G->order, "element %u of %u", g, G->order);
    return G->inverse[g];
}

uint32_t
ckda_group_pow(const ckda_group_t G, uint32_t g, uint64_t e)
{
    uint32_t power = 0;
    for (; e != 0; e >>= 1) {
        if (e & 1)
            power = ckda_group_mul(G, power, g);
        g = ckda_group_mul(G, g, g);
    }
    return power;
}
