/* Is a group one of Z_m, D_m, A_4, S_4, A_5?  With the isomorphism. */
#include "realize_internal.h"

#include <stdio.h>

/* ---- the check -------------------------------------------------------------------- */

static bool
is_bijection(const uint32_t *image, uint32_t n)
{
    bool *seen = flint_calloc(n, sizeof *seen), good = true;
    for (uint32_t t = 0; t < n && good; t++) {
        good = image[t] < n && !seen[image[t]];
        if (good)
            seen[image[t]] = true;
    }
    flint_free(seen);
    return good;
}

/* T has the elements r^k s^e, k < m, e < last, in the multiplication of D_m (e = 0: Z_m).
 * s is not meant for last = 1. */
static bool
is_axial(uint64_t *products, const ckda_group_t T, uint32_t m, uint32_t r, uint32_t s,
         uint32_t last)
{
    uint32_t *at = flint_malloc(2 * (size_t)m * sizeof *at);
    bool good = T->order == m * last;
    for (uint32_t e = 0; e < last; e++) {
        uint32_t x = e == 0 ? 0 : s;
        for (uint32_t k = 0; k < m; k++) {
            at[k + m * e] = x;
            x = ckda_group_mul(T, r, x);
        }
    }
    good = good && is_bijection(at, m * last);
    for (uint32_t e = 0; good && e < last; e++)
        for (uint32_t k = 0; good && k < m; k++) {
            const uint32_t x = at[k + m * e];
            good = ckda_group_mul(T, r, x) == at[(k + 1) % m + m * e];
            if (last > 1)
                good = good && ckda_group_mul(T, s, x) == at[(m - k) % m + m * (1 - e)];
            *products += last;
        }
    flint_free(at);
    return good;
}

/* Is T the group of f's name? */
static bool
is_standard(uint64_t *products, const ckda_isomorphism_t f)
{
    const ckda_group_struct *T = f->T;
    if (f->kind == 'Z')
        return T->ngen == 1 && is_axial(products, T, f->m, T->generator[0], 0, 1);
    if (f->kind == 'D')
        return T->ngen == 2
               && is_axial(products, T, f->m, T->generator[0], T->generator[1], 2);
    ckda_group_t named;
    if (ckda_group_init_named(named, f->name, NULL) != CKDA_OK)
        return false;
    bool same = named->order == T->order;
    for (uint32_t t = 0; same && t < T->order; t++)
        same = ckda_perm_equal(&T->element[t], &named->element[t]);
    ckda_group_clear(named);
    return same;
}

bool
ckda_isomorphism_check(uint64_t *products, const ckda_isomorphism_t f,
                       const ckda_group_t G)
{
    const ckda_group_struct *T = f->T;
    *products = 0;
    if (T->order != G->order || !is_bijection(f->image, T->order))
        return false;
    for (uint32_t j = 0; j < T->ngen; j++)
        for (uint32_t t = 0; t < T->order; t++) {
            const uint32_t x = T->generator[j];
            ++*products;
            if (f->image[ckda_group_mul(T, x, t)]
                != ckda_group_mul(G, f->image[x], f->image[t]))
                return false;
        }
    return is_standard(products, f);
}

/* ---- the search ------------------------------------------------------------------- */

/* The first element of this order, or 0. */
static uint32_t
of_order(const ckda_group_t G, uint64_t order)
{
    for (uint32_t g = 0; g < G->order; g++)
        if (ckda_group_element_order(G, g) == order)
            return g;
    return 0;
}

uint32_t
realize_outside(const ckda_group_t G, uint32_t r)
{
    bool *in = flint_calloc(G->order, sizeof *in);
    uint32_t x = 0, g = 0;
    do {
        in[x] = true;
        x = ckda_group_mul(G, r, x);
    } while (x != 0);
    while (g < G->order && in[g])
        g++;
    flint_free(in);
    return g;
}

/* In D_m, m >= 3, every element of order m is a rotation, and all outside its powers are
 * reflections that invert it; in D_2 any two involutions will do. */
static bool
find_axes(char *kind, uint32_t *m, uint32_t axis[2], const ckda_group_t G)
{
    axis[0] = of_order(G, G->order);
    if (axis[0] != 0 || G->order == 1) {
        *kind = 'Z';
        *m = G->order;
        return true;
    }
    if (G->order % 2 != 0)
        return false;
    *kind = 'D';
    *m = G->order / 2;
    const uint32_t r = axis[0] = of_order(G, *m);
    if (r == 0)
        return false;
    const uint32_t s = axis[1] = realize_outside(G, r);
    return ckda_group_mul(G, s, s) == 0
           && ckda_group_mul(G, s, ckda_group_mul(G, r, s)) == ckda_group_inv(G, r);
}

static void
set_axial(ckda_isomorphism_t f, const ckda_group_t G, const uint32_t axis[2])
{
    static const char *const names[2] = {"r", "s"};
    const ckda_perm gens[2] = {G->element[axis[0]], G->element[axis[1]]};
    snprintf(f->name, sizeof f->name, "%c%u", f->kind, f->m);
    const ckda_status st = ckda_group_init_generated(
        f->T, f->name, gens, names, f->kind == 'Z' ? 1 : 2, G->order, NULL);
    ckda_require(st == CKDA_OK, "a subgroup of G");
    f->image = flint_malloc(f->T->order * sizeof *f->image);
    for (uint32_t t = 0; t < f->T->order; t++)
        f->image[t] = (uint32_t)ckda_group_find(G, &f->T->element[t]);
}

static bool
find_polyhedral(ckda_isomorphism_t f, const ckda_group_t G)
{
    static const struct {
        uint32_t order;
        char kind;
        uint32_t m;
    } solid[] = {{12, 'A', 4}, {24, 'S', 4}, {60, 'A', 5}};
    for (size_t i = 0; i < sizeof solid / sizeof *solid; i++) {
        if (solid[i].order != G->order)
            continue;
        f->kind = solid[i].kind;
        f->m = solid[i].m;
        snprintf(f->name, sizeof f->name, "%c%u", f->kind, f->m);
        const ckda_status st = ckda_group_init_named(f->T, f->name, NULL);
        ckda_require(st == CKDA_OK, "%s is built in", f->name);
        f->image = flint_malloc(f->T->order * sizeof *f->image);
        if (ckda_group_isomorphism(f->image, f->T, G, NULL, G->order))
            return true;
        flint_free(f->image);
        ckda_group_clear(f->T);
    }
    return false;
}

ckda_status
ckda_isomorphism_find(ckda_isomorphism_t f, const ckda_group_t G)
{
    ckda_isomorphism_t new = {{.kind = 0}};
    uint32_t axis[2] = {0, 0};
    if (find_axes(&new->kind, &new->m, axis, G))
        set_axial(new, G, axis);
    else if (!find_polyhedral(new, G))
        return CKDA_E_DOMAIN;
    const bool good = ckda_isomorphism_check(&new->products, new, G);
    ckda_require(good, "%s: the isomorphism with %s is none", G->name, new->name);
    *f = *new;
    return CKDA_OK;
}

void
ckda_isomorphism_clear(ckda_isomorphism_t f)
{
    ckda_group_clear(f->T);
    flint_free(f->image);
    *f = (ckda_isomorphism_struct){0};
}
