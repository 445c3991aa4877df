/* ckda/subgroup.h -- classes, normal subgroups, quotients and isomorphisms of listed groups.
 *
 * Everything is found by looking at all elements: nothing is assumed about the group.  A
 * set of elements is a flag for each element, G->order of them.  Conventions of
 * ckda/group.h; nothing here changes G.                                               */
#ifndef CKDA_SUBGROUP_H
#define CKDA_SUBGROUP_H
#include "ckda/group.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    bool *in; /* order of the whole group */
    uint32_t order;
} ckda_subgroup;

void ckda_subgroup_clear(ckda_subgroup *N);

/* The same elements, generators and names, listed in the same order. */
void ckda_group_init_set(ckda_group_t G, const ckda_group_t H);
/* The multiplicative order of an element. */
uint64_t ckda_group_element_order(const ckda_group_t G, uint32_t g);
bool ckda_group_is_abelian(const ckda_group_t G);
/* class_of[g] = number of the conjugacy class of g, numbered by their first elements, which
 * go to first (G->order slots each; first may be NULL).  The number of classes. */
uint32_t ckda_group_classes(uint32_t *class_of, uint32_t *first, const ckda_group_t G);
/* in = the smallest normal subgroup that contains what `in` marks; its order. */
uint32_t ckda_group_normal_closure(bool *in, const ckda_group_t G);
/* All normal subgroups, the trivial one and G among them, the smallest first.  *list
 * (initialised here) goes back with ckda_subgroups_free.  CKDA_E_UNABLE for more than
 * most of them. */
CKDA_MUST_CHECK ckda_status ckda_group_normal_subgroups(ckda_subgroup **list,
                                                        uint32_t *count,
                                                        const ckda_group_t G,
                                                        uint32_t most);
void ckda_subgroups_free(ckda_subgroup *list, uint32_t count);
/* A normal subgroup that only G itself contains properly; trivial iff G is simple (or has
 * no other element than 1, where it is G). */
void ckda_group_maximal_normal(ckda_subgroup *N, const ckda_group_t G);
/* The subgroup as a group of its own; its generators are elements of N. */
void ckda_group_init_subgroup(ckda_group_t H, const char *name, const ckda_group_t G,
                              const bool *in);
/* The cosets of the normal subgroup `in` of the given order: the quotient Q as permutations
 * of the cosets, coset[g] (G->order slots) = the element of Q.  CKDA_E_UNABLE for more
 * than CKDA_PERM_MAX cosets. */
CKDA_MUST_CHECK ckda_status ckda_group_quotient(ckda_group_t Q, uint32_t *coset,
                                                const ckda_group_t G, const bool *in,
                                                uint32_t order, ckda_error *err);
/* An isomorphism from T onto the subgroup `in` of G (NULL: all of it) of the given order:
 * map[t] is the image of element t.  false: they are not isomorphic. */
bool ckda_group_isomorphism(uint32_t *map, const ckda_group_t T, const ckda_group_t G,
                            const bool *in, uint32_t order);

#ifdef __cplusplus
}
#endif
#endif
