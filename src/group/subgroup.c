/* Classes and normal subgroups, by looking. */
#include "ckda/subgroup.h"
#include "group_internal.h"

void
ckda_subgroup_clear(ckda_subgroup *N)
{
    free(N->in);
    *N = (ckda_subgroup){0};
}

void
ckda_group_init_set(ckda_group_t G, const ckda_group_t H)
{
    ckda_perm *gens = checked_alloc(H->ngen, sizeof *gens);
    for (uint32_t j = 0; j < H->ngen; j++)
        gens[j] = H->element[H->generator[j]];
    const ckda_status st = ckda_group_init_generated(
        G, H->name, gens, (const char *const *)H->genname, H->ngen, H->order, NULL);
    ckda_require(st == CKDA_OK && G->order == H->order, "a group generates itself");
    free(gens);
}

uint64_t
ckda_group_element_order(const ckda_group_t G, uint32_t g)
{
    ckda_require(g < G->order, "element %u of %u", g, G->order);
    return ckda_perm_order(&G->element[g]);
}

bool
ckda_group_is_abelian(const ckda_group_t G)
{
    for (uint32_t i = 0; i < G->ngen; i++)
        for (uint32_t j = 0; j < i; j++)
            if (ckda_group_mul(G, G->generator[i], G->generator[j])
                != ckda_group_mul(G, G->generator[j], G->generator[i]))
                return false;
    return true;
}

static uint32_t
conjugate(const ckda_group_t G, uint32_t x, uint32_t g)
{
    return ckda_group_mul(G, x, ckda_group_mul(G, g, ckda_group_inv(G, x)));
}

uint32_t
ckda_group_classes(uint32_t *class_of, uint32_t *first, const ckda_group_t G)
{
    uint32_t *queue = checked_alloc(G->order, sizeof *queue), count = 0;
    for (uint32_t g = 0; g < G->order; g++)
        class_of[g] = UINT32_MAX;
    for (uint32_t g = 0; g < G->order; g++) {
        if (class_of[g] != UINT32_MAX)
            continue;
        if (first != NULL)
            first[count] = g;
        class_of[g] = count;
        uint32_t tail = 0;
        queue[tail++] = g;
        for (uint32_t head = 0; head < tail; head++)
            for (uint32_t j = 0; j < G->ngen; j++) {
                const uint32_t y = conjugate(G, G->generator[j], queue[head]);
                if (class_of[y] == UINT32_MAX) {
                    class_of[y] = count;
                    queue[tail++] = y;
                }
            }
        count++;
    }
    free(queue);
    return count;
}

/* ---- closures --------------------------------------------------------------------- */

/* A subgroup while it grows: every generator doubles it at least. */
typedef struct {
    const ckda_group_struct *G;
    bool *in;
    uint32_t *list, count;
    uint32_t gen[32], ngen;
} growing;

static void
grow_init(growing *H, bool *in, const ckda_group_t G)
{
    memset(in, 0, G->order * sizeof *in);
    *H = (growing){.G = G, .in = in, .count = 1};
    H->list = checked_alloc(G->order, sizeof *H->list);
    in[0] = true;
}

/* The subgroup that H and x generate.  A finite set that left factors lead around in is a
 * group. */
static void
grow_by(growing *H, uint32_t x)
{
    if (H->in[x])
        return;
    H->gen[H->ngen++] = x;
    for (uint32_t i = 0; i < H->count; i++)
        for (uint32_t j = 0; j < H->ngen; j++) {
            const uint32_t y = ckda_group_mul(H->G, H->gen[j], H->list[i]);
            if (!H->in[y]) {
                H->in[y] = true;
                H->list[H->count++] = y;
            }
        }
}

static void
grow_normal(growing *H)
{
    for (uint32_t i = 0; i < H->ngen && H->count < H->G->order; i++)
        for (uint32_t j = 0; j < H->G->ngen; j++)
            grow_by(H, conjugate(H->G, H->G->generator[j], H->gen[i]));
}

uint32_t
ckda_group_normal_closure(bool *in, const ckda_group_t G)
{
    growing H;
    bool *wanted = checked_alloc(G->order, sizeof *wanted);
    memcpy(wanted, in, G->order * sizeof *in);
    grow_init(&H, in, G);
    for (uint32_t g = 1; g < G->order && H.count < G->order; g++)
        if (wanted[g])
            grow_by(&H, g);
    grow_normal(&H);
    free(H.list);
    free(wanted);
    return H.count;
}

/* ---- all normal subgroups --------------------------------------------------------- */

typedef struct {
    ckda_subgroup *list;
    uint32_t count, alloc;
} collection;

/* Takes over in, or frees it if it is known. */
static void
collect(collection *c, bool *in, uint32_t order, const ckda_group_t G)
{
    for (uint32_t i = 0; i < c->count; i++)
        if (c->list[i].order == order
            && memcmp(c->list[i].in, in, G->order * sizeof *in) == 0) {
            free(in);
            return;
        }
    if (c->count == c->alloc) {
        c->alloc = c->alloc < 8 ? 16 : 2 * c->alloc;
        c->list = checked_realloc(c->list, c->alloc, sizeof *c->list);
    }
    c->list[c->count++] = (ckda_subgroup){in, order};
}

/* The normal closures of single elements: those of a class are one. */
static void
collect_single(collection *c, const ckda_group_t G)
{
    uint32_t *class_of = checked_alloc(G->order, sizeof *class_of);
    uint32_t *first = checked_alloc(G->order, sizeof *first);
    const uint32_t count = ckda_group_classes(class_of, first, G);
    for (uint32_t k = 0; k < count; k++) {
        bool *in = checked_alloc(G->order, sizeof *in);
        in[first[k]] = true;
        const uint32_t order = ckda_group_normal_closure(in, G);
        collect(c, in, order, G);
    }
    free(first);
    free(class_of);
}

static int
smaller_first(const void *a, const void *b)
{
    const ckda_subgroup *A = a, *B = b;
    return (A->order > B->order) - (A->order < B->order);
}

ckda_status
ckda_group_normal_subgroups(ckda_subgroup **list, uint32_t *count, const ckda_group_t G,
                            uint32_t most)
{
    collection c = {0};
    collect_single(&c, G); /* the class of 1 gives the trivial one */
    const uint32_t single = c.count;
    /* every normal subgroup is a join of those; c.count grows on the way */
    for (uint32_t i = 0; i < c.count && c.count <= most; i++)
        for (uint32_t j = 0; j < single && c.count <= most; j++) {
            bool *in = checked_alloc(G->order, sizeof *in);
            for (uint32_t g = 0; g < G->order; g++)
                in[g] = c.list[i].in[g] || c.list[j].in[g];
            const uint32_t order = ckda_group_normal_closure(in, G);
            collect(&c, in, order, G);
        }
    if (c.count > most) {
        ckda_subgroups_free(c.list, c.count);
        return CKDA_E_UNABLE;
    }
    qsort(c.list, c.count, sizeof *c.list, smaller_first);
    *list = c.list;
    *count = c.count;
    return CKDA_OK;
}

void
ckda_subgroups_free(ckda_subgroup *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        ckda_subgroup_clear(&list[i]);
    free(list);
}

/* An element that was refused beside a smaller N is refused beside a larger one, so one
 * pass over the classes is enough. */
void
ckda_group_maximal_normal(ckda_subgroup *N, const ckda_group_t G)
{
    uint32_t *class_of = checked_alloc(G->order, sizeof *class_of);
    uint32_t *first = checked_alloc(G->order, sizeof *first);
    bool *in = checked_alloc(G->order, sizeof *in);
    const uint32_t count = ckda_group_classes(class_of, first, G);
    N->in = checked_alloc(G->order, sizeof *N->in);
    N->in[0] = true;
    N->order = 1;
    for (uint32_t k = 0; k < count; k++) {
        if (N->in[first[k]])
            continue;
        memcpy(in, N->in, G->order * sizeof *in);
        in[first[k]] = true;
        const uint32_t order = ckda_group_normal_closure(in, G);
        if (order == G->order)
            continue;
        memcpy(N->in, in, G->order * sizeof *in);
        N->order = order;
    }
    free(in);
    free(first);
    free(class_of);
}

void
ckda_group_init_subgroup(ckda_group_t H, const char *name, const ckda_group_t G,
                         const bool *in)
{
    growing grown;
    bool *reached = checked_alloc(G->order, sizeof *reached);
    grow_init(&grown, reached, G);
    for (uint32_t g = 1; g < G->order; g++)
        if (in[g])
            grow_by(&grown, g);
    const uint32_t n = grown.ngen > 0 ? grown.ngen : 1;
    ckda_perm *gens = checked_alloc(n, sizeof *gens);
    gens[0] = G->element[0];
    for (uint32_t j = 0; j < grown.ngen; j++)
        gens[j] = G->element[grown.gen[j]];
    const ckda_status st =
        ckda_group_init_generated(H, name, gens, NULL, n, grown.count, NULL);
    ckda_require(st == CKDA_OK, "a subgroup has the elements that were found");
    free(gens);
    free(grown.list);
    free(reached);
}
