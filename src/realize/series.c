/* Subnormal series with factors inside SO(3), as short as there can be [source: part C,
 * F1].
 *
 * Such a series exists exactly if every composition factor is Z_p or A_5: a finite subgroup
 * of SO(3) has no other ones (Jordan and Hoelder).  A series of H meets a subgroup of H in a
 * series of that subgroup, with factors inside those of H; so of the normal subgroups N with
 * H/N inside SO(3) only the smallest by inclusion have to be looked at. */
#include "realize_internal.h"

#include <stdio.h>
#include <string.h>

enum { VISITS = 2000 };

/* Subgroups that are known to need more layers than some number. */
typedef struct {
    bool *in; /* elements of the whole group */
    uint32_t fails;
} memory;

typedef struct {
    const ckda_group_struct *G; /* the whole group */
    memory *known;
    uint32_t nknown;
    bool limited;
    ckda_series_layer *layer; /* those of the last success, last one first */
    uint32_t nlayers;
} search;

/* ---- layers ------------------------------------------------------------------------- */

static bool *
elements_of(const ckda_group_t H, const ckda_group_t G)
{
    bool *in = flint_calloc(G->order, sizeof *in);
    for (uint32_t h = 0; h < H->order; h++)
        in[ckda_group_find(G, &H->element[h])] = true;
    return in;
}

static ckda_series_layer
make_layer(const char *factor, uint32_t order, const ckda_group_t H, const ckda_group_t G)
{
    ckda_series_layer l = {
        .order = order, .above = H->order, .ngen = H->ngen, .in = elements_of(H, G)};
    snprintf(l.factor, sizeof l.factor, "%s", factor);
    l.generator = flint_malloc((H->ngen + 1u) * sizeof *l.generator);
    for (uint32_t j = 0; j < H->ngen; j++)
        l.generator[j] = (uint32_t)ckda_group_find(G, &H->element[H->generator[j]]);
    return l;
}

static void
add_layer(search *s, ckda_series_layer l)
{
    s->layer = flint_realloc(s->layer, (s->nlayers + 1) * sizeof *s->layer);
    s->layer[s->nlayers++] = l;
}

static void
free_layers(ckda_series_layer *layer, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        flint_free(layer[i].generator);
        flint_free(layer[i].in);
    }
    flint_free(layer);
}

/* ---- what has been visited ------------------------------------------------------------ */

/* The entry of H, a new one if it is not known. */
static memory *
recall(search *s, const ckda_group_t H)
{
    bool *in = elements_of(H, s->G);
    for (uint32_t i = 0; i < s->nknown; i++)
        if (memcmp(s->known[i].in, in, s->G->order * sizeof *in) == 0) {
            flint_free(in);
            return &s->known[i];
        }
    s->known = flint_realloc(s->known, (s->nknown + 1) * sizeof *s->known);
    s->known[s->nknown] = (memory){in, 0};
    return &s->known[s->nknown++];
}

/* ---- the search ------------------------------------------------------------------------ */

static bool find(search *s, const ckda_group_t H, uint32_t depth);

/* Could a quotient of more than 60 elements be Z_m or D_m?  Then some element of H has at
 * least half the index as its order modulo N. */
static bool
is_long(const ckda_group_t H, const ckda_subgroup *N)
{
    const uint32_t index = H->order / N->order;
    for (uint32_t g = 0; g < H->order; g++) {
        uint32_t x = g, order = 1;
        while (!N->in[x]) {
            x = ckda_group_mul(H, g, x);
            order++;
        }
        if (2 * (uint64_t)order >= index)
            return true;
    }
    return false;
}

/* The name of H/N if it is inside SO(3). */
static bool
quotient_name(char name[24], search *s, const ckda_group_t H, const ckda_subgroup *N)
{
    ckda_group_t Q;
    ckda_isomorphism_t f;
    if (H->order / N->order > CKDA_PERM_MAX) {
        s->limited = s->limited || is_long(H, N);
        return false;
    }
    uint32_t *coset = flint_malloc(H->order * sizeof *coset);
    const ckda_status st = ckda_group_quotient(Q, coset, H, N->in, N->order, NULL);
    ckda_require(st == CKDA_OK, "a quotient of order %u", H->order / N->order);
    const bool good = ckda_isomorphism_find(f, Q) == CKDA_OK;
    if (good) {
        memcpy(name, f->name, sizeof f->name);
        ckda_isomorphism_clear(f);
    }
    ckda_group_clear(Q);
    flint_free(coset);
    return good;
}

static bool
contains_any(const ckda_subgroup *list, const bool *kept, uint32_t i, uint32_t order)
{
    for (uint32_t j = 0; j < i; j++) {
        if (!kept[j])
            continue;
        uint32_t g = 0;
        while (g < order && (!list[j].in[g] || list[i].in[g]))
            g++;
        if (g == order)
            return true;
    }
    return false;
}

/* depth >= 2, H not inside SO(3). */
static bool
split(search *s, const ckda_group_t H, uint32_t depth)
{
    ckda_subgroup *list;
    uint32_t count;
    if (ckda_group_normal_subgroups(&list, &count, H, REALIZE_NORMAL_MAX) != CKDA_OK) {
        s->limited = true;
        return false;
    }
    bool *kept = flint_calloc(count, sizeof *kept), found = false;
    for (uint32_t i = 1; i + 1 < count && !found; i++) {
        char name[24];
        ckda_group_t N;
        if (contains_any(list, kept, i, H->order) || !quotient_name(name, s, H, &list[i]))
            continue;
        kept[i] = true;
        ckda_group_init_subgroup(N, "subgroup", H, list[i].in);
        found = find(s, N, depth - 1);
        if (found)
            add_layer(s, make_layer(name, H->order / N->order, H, s->G));
        ckda_group_clear(N);
    }
    flint_free(kept);
    ckda_subgroups_free(list, count);
    return found;
}

/* Is there a series of H with at most depth factors?  Then its layers are added. */
static bool
find(search *s, const ckda_group_t H, uint32_t depth)
{
    ckda_isomorphism_t f;
    if (recall(s, H)->fails >= depth)
        return false;
    if (s->nknown > VISITS) {
        s->limited = true;
        return false;
    }
    bool found = ckda_isomorphism_find(f, H) == CKDA_OK;
    if (found) {
        add_layer(s, make_layer(f->name, H->order, H, s->G));
        ckda_isomorphism_clear(f);
    } else if (depth > 1) {
        found = split(s, H, depth);
    }
    if (!found)
        recall(s, H)->fails = depth;
    return found;
}

/* ---- composition factors ----------------------------------------------------------------- */

/* The top composition factor of H, and the subgroup below it. */
static ckda_series_layer
top_factor(ckda_group_t below, const ckda_group_t H, const ckda_group_t G)
{
    char name[24];
    ckda_subgroup N;
    ckda_group_maximal_normal(&N, H);
    const uint32_t order = H->order / N.order;
    if (n_is_prime(order)) {
        snprintf(name, sizeof name, "Z%u", order);
    } else {
        const char *known = ckda_simple_name(order);
        snprintf(name, sizeof name, "%s", known != NULL ? known : "simple");
    }
    ckda_group_init_subgroup(below, "subgroup", H, N.in);
    ckda_subgroup_clear(&N);
    return make_layer(name, order, H, G);
}

static void
find_composition(ckda_series_t s, const ckda_group_t G)
{
    ckda_group_t H;
    ckda_group_init_set(H, G);
    while (H->order > 1) {
        ckda_group_t below;
        s->layer = flint_realloc(s->layer, (s->nlayers + 1) * sizeof *s->layer);
        s->factor = flint_realloc(s->factor, (s->nlayers + 1) * sizeof *s->factor);
        s->layer[s->nlayers] = top_factor(below, H, G);
        const uint32_t order = s->factor[s->nlayers] = s->layer[s->nlayers].order;
        s->nlayers++;
        if (!n_is_prime(order) && order != 60 && s->obstacle == 0)
            s->obstacle = order;
        ckda_group_clear(H);
        *H = *below;
    }
    ckda_group_clear(H);
    s->nfactors = s->nlayers;
    s->exists = s->obstacle == 0 ? CKDA_TRUE : CKDA_FALSE;
}

/* ---- both --------------------------------------------------------------------------------- */

static void
reverse(ckda_series_layer *layer, uint32_t n)
{
    for (uint32_t i = 0; i < n / 2; i++) {
        const ckda_series_layer moved = layer[i];
        layer[i] = layer[n - 1 - i];
        layer[n - 1 - i] = moved;
    }
}

/* The composition series gives a first answer; depth after depth is tried below it. */
static void
shorten(ckda_series_t s, const ckda_group_t G)
{
    search t = {.G = G};
    bool found = false;
    for (uint32_t depth = 1; depth < s->nlayers && !found; depth++)
        found = find(&t, G, depth);
    if (found) {
        free_layers(s->layer, s->nlayers);
        reverse(t.layer, t.nlayers);
        s->layer = t.layer;
        s->nlayers = t.nlayers;
    }
    s->shortest = t.limited ? CKDA_UNKNOWN : CKDA_TRUE;
    s->limit = t.limited ? "some subgroups have too many normal subgroups or too large "
                           "quotients to look at all"
                         : NULL;
    for (uint32_t i = 0; i < t.nknown; i++)
        flint_free(t.known[i].in);
    flint_free(t.known);
}

void
ckda_series_find(ckda_series_t s, const ckda_group_t G, uint32_t max_order)
{
    *s = (ckda_series_struct){.exists = CKDA_UNKNOWN, .shortest = CKDA_UNKNOWN};
    if (G->order > max_order) {
        s->limit = "the group is larger than the limit on its order";
        return;
    }
    find_composition(s, G);
    if (s->exists == CKDA_TRUE)
        shorten(s, G);
}

void
ckda_series_clear(ckda_series_t s)
{
    free_layers(s->layer, s->nlayers);
    flint_free(s->factor);
    *s = (ckda_series_struct){0};
}

const char *
ckda_simple_name(uint32_t order)
{
    static const struct {
        uint32_t order;
        const char *name;
    } known[] = {{60, "A5"},          {168, "PSL(2,7)"},   {360, "A6"},
                 {504, "PSL(2,8)"},   {660, "PSL(2,11)"},  {1092, "PSL(2,13)"},
                 {2448, "PSL(2,17)"}, {2520, "A7"},        {3420, "PSL(2,19)"},
                 {4080, "PSL(2,16)"}, {5616, "PSL(3,3)"},  {6048, "PSU(3,3)"},
                 {6072, "PSL(2,23)"}, {7800, "PSL(2,25)"}, {7920, "M11"},
                 {9828, "PSL(2,27)"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].order == order)
            return known[i].name;
    return NULL;
}
