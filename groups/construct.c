/* Which construction for which system; the steps that all constructions share. */
#include "construct_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
is_dihedral(system_id id)
{
    return id.kind == 'Z' || id.kind == 'D' || (id.kind == 'S' && id.m <= 3)
           || (id.kind == 'A' && id.m <= 3);
}

static bool
is_cubic(system_id id)
{
    return (id.kind == 'A' || id.kind == 'S') && id.m == 4;
}

static bool
is_polyhedral(system_id id)
{
    return is_dihedral(id) || is_cubic(id) || (id.kind == 'A' && id.m == 5);
}

/* Are all orders of rotations divisors of 6? */
static bool
is_dyadic(system_id id)
{
    return is_dihedral(id) && 6 % id.m == 0;
}

static bool
is_any(system_id id)
{
    (void)id;
    return true;
}

static const struct {
    const char *name;
    bool (*exists)(system_id id);
    builder *build;
} known[] = {{"planar", is_dihedral, ckda_construct_planar},
             {"cube", is_cubic, ckda_construct_cube},
             {"cube-standard", is_cubic, ckda_construct_cube_standard},
             {"quaternion", is_polyhedral, ckda_construct_quaternion},
             {"householder", is_any, ckda_construct_householder},
             {"dyadic", is_dyadic, ckda_construct_dyadic}};
enum { KNOWN = sizeof known / sizeof *known };

static const char *
default_name(system_id id)
{
    if (id.kind == 'Z' || id.kind == 'D')
        return "planar";
    if (is_cubic(id))
        return "cube";
    return id.kind == 'A' && id.m == 5 ? "quaternion" : "householder";
}

/* Index into known, or KNOWN with a message. */
static size_t
find_construction(system_id id, const char *system, const char *construction,
                  ckda_error *err)
{
    char list[100] = "";
    size_t at = 0;
    if (construction == NULL)
        construction = default_name(id);
    for (size_t i = 0; i < KNOWN; i++) {
        if (!known[i].exists(id))
            continue;
        if (strcmp(known[i].name, construction) == 0)
            return i;
        at += (size_t)snprintf(list + at, sizeof list - at, "%s%s", at > 0 ? ", " : "",
                               known[i].name);
    }
    ckda_error_set(err, "%s: expected one of the constructions %s, found \"%.40s\"",
                   system, list, construction);
    return KNOWN;
}

/* Every matrix is expanded again from its transition and must be the one meant; without a
 * transition the one meant is kept, so that the matrices stay a homomorphism. */
static void
expand(ckda_construction_t c, ckda_mat_struct *target)
{
    ckda_error err;
    c->matrix = ckda_construct_mats(c->G->order, c->n, c->K);
    for (uint32_t g = 0; g < c->G->order; g++) {
        ckda_error_clear(&err);
        if (c->trans[g].n == 0) {
            ckda_mat_swap(c->matrix + g, target + g);
            continue;
        }
        ckda_status st = ckda_trans_check(&c->trans[g], c->K, &err);
        if (st == CKDA_OK)
            st = ckda_trans_matrix(c->matrix + g, &c->trans[g], c->K);
        ckda_require(st == CKDA_OK, "%s %s: element %u: %s", c->G->name, c->name, g,
                     err.text);
        ckda_require(ckda_mat_equal(NULL, c->matrix + g, target + g, c->K),
                     "%s %s: the transition of element %u is not its matrix", c->G->name,
                     c->name, g);
    }
    if (c->decoder == CKDA_DECODE_STATE)
        c->rotation = c->matrix;
}

/* CKDA_E_DOMAIN with the first element that has no transition. */
static ckda_status
refuse_gaps(const ckda_construction_t c, ckda_error *err)
{
    for (uint32_t g = 0; g < c->G->order; g++) {
        if (c->trans[g].n > 0)
            continue;
        char *name = ckda_perm_str(&c->G->element[g]);
        ckda_error_set(err,
                       "%s in this orientation: %s has no transition: no sign diagonal S "
                       "makes its rotation times S a reflection",
                       c->G->name, name);
        free(name);
        return CKDA_E_DOMAIN;
    }
    return CKDA_OK;
}

/* c takes over G; on failure it is given back. */
static ckda_status
build(ckda_construction_t c, ckda_group_t G, size_t which, system_id id, bool partial,
      ckda_error *err)
{
    ckda_construction_t new = {{.name = known[which].name}};
    *new->G = *G;
    new->trans = flint_calloc(G->order, sizeof *new->trans);
    ckda_mat_struct *target = NULL;
    ckda_status st = known[which].build(new, &target, id, err);
    if (st == CKDA_OK && !partial)
        st = refuse_gaps(new, err);
    if (st == CKDA_OK)
        expand(new, target);
    if (target != NULL)
        ckda_construct_mats_clear(target, new->G->order, new->K);
    if (st == CKDA_OK) {
        /* K moves with c: transitions and matrices hold no pointer to it */
        *c = *new;
        *G = (ckda_group_struct){0};
        return CKDA_OK;
    }
    *new->G = (ckda_group_struct){.order = G->order};
    ckda_construct_clear(new);
    return st;
}

static ckda_status
construct(ckda_construction_t c, const char *system, const char *construction,
          bool partial, ckda_error *err)
{
    system_id id = {0, 0};
    ckda_group_t G;
    ckda_status st = ckda_group_init_named(G, system, err);
    if (st != CKDA_OK)
        return st;
    const bool named = ckda_group_name_split(&id.kind, &id.m, system);
    const size_t which = find_construction(id, system, construction, err);
    ckda_require(named, "%s was accepted as a name", system);
    st = which < KNOWN ? build(c, G, which, id, partial, err) : CKDA_E_INPUT;
    if (st != CKDA_OK)
        ckda_group_clear(G);
    return st;
}

ckda_status
ckda_construct(ckda_construction_t c, const char *system, const char *construction,
               ckda_error *err)
{
    return construct(c, system, construction, false, err);
}

ckda_status
ckda_construct_partial(ckda_construction_t c, const char *system,
                       const char *construction, ckda_error *err)
{
    return construct(c, system, construction, true, err);
}

ckda_status
ckda_construct_generated(ckda_construction_t c, ckda_group_t G, const char *construction,
                         ckda_error *err)
{
    const system_id id = {0, 0};
    const size_t which = find_construction(id, G->name, construction, err);
    return which < KNOWN ? build(c, G, which, id, false, err) : CKDA_E_INPUT;
}

ckda_status
ckda_construct_axial(ckda_construction_t c, ckda_group_t G, char kind,
                     const char *construction, ckda_error *err)
{
    const system_id id = {kind, kind == 'Z' ? G->order : G->order / 2};
    ckda_require(kind == 'Z' || kind == 'D', "kind %c", kind);
    const size_t which = find_construction(id, G->name, construction, err);
    return which < KNOWN ? build(c, G, which, id, false, err) : CKDA_E_INPUT;
}

void
ckda_construct_clear(ckda_construction_t c)
{
    const uint32_t order = c->G->order;
    if (c->rotation != NULL && c->rotation != c->matrix)
        ckda_construct_mats_clear(c->rotation, order, c->K);
    if (c->matrix != NULL)
        ckda_construct_mats_clear(c->matrix, order, c->K);
    for (uint32_t g = 0; g < order; g++)
        if (c->trans[g].n > 0) /* a construction that failed has gaps */
            ckda_trans_clear(&c->trans[g], c->K);
    flint_free(c->trans);
    ckda_field_clear(c->K);
    ckda_group_clear(c->G);
    *c = (ckda_construction_struct){0};
}
