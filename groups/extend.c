/* From generators to all elements, with every product compared. */
#include "construct_internal.h"

#include <stdio.h>

bool
ckda_construct_dihedral(dihedral_shape *shape, system_id id, const ckda_group_t G)
{
    const bool abelian =
        id.kind == 'Z' || (id.kind == 'S' && id.m <= 2) || (id.kind == 'A' && id.m <= 3);
    const bool dihedral = id.kind == 'D' || (id.kind == 'S' && id.m == 3);
    if (!abelian && !dihedral)
        return false;
    *shape = (dihedral_shape){.m = abelian ? G->order : G->order / 2,
                              .has_reflection = dihedral};
    if (id.kind == 'S' && id.m == 3) {
        shape->r = ckda_construct_element(G, "(1,2,3)");
        shape->s = ckda_construct_element(G, "(2,3)");
    } else if (id.kind == 'D') {
        shape->r = id.m == 1 ? 0 : G->generator[0];
        shape->s = G->generator[G->ngen - 1];
    } else {
        shape->r = G->generator[0];
    }
    return true;
}

uint32_t
ckda_construct_element(const ckda_group_t G, const char *cycles)
{
    uint32_t g = 0;
    ckda_error err;
    const ckda_status st = ckda_group_parse(&g, G, cycles, &err);
    ckda_require(st == CKDA_OK, "%s", err.text);
    return g;
}

ckda_mat_struct *
ckda_construct_mats(uint32_t count, slong n, const ckda_field_t K)
{
    ckda_mat_struct *A = flint_malloc(count * sizeof *A);
    for (uint32_t i = 0; i < count; i++)
        ckda_mat_init(A + i, n, n, K);
    return A;
}

void
ckda_construct_mats_clear(ckda_mat_struct *A, uint32_t count, const ckda_field_t K)
{
    for (uint32_t i = 0; i < count; i++)
        ckda_mat_clear(A + i, K);
    flint_free(A);
}

/* One step gen g -> gen * g: fills it, or compares with what is there. */
static void
extend_by(ckda_mat_struct *target, bool *known, const ckda_group_t G, uint32_t g,
          const generator_image *gen, ckda_mat_t product, const ckda_field_t K)
{
    const uint32_t x = ckda_group_mul(G, gen->element, g);
    const ckda_status st = ckda_mat_mul(product, gen->matrix, target + g, K);
    ckda_require(st == CKDA_OK, "shapes of the images differ");
    if (!known[x]) {
        ckda_mat_swap(target + x, product);
        known[x] = true;
        return;
    }
    ckda_require(ckda_mat_equal(NULL, target + x, product, K),
                 "%s: the images of the generators are no homomorphism at element %u",
                 G->name, x);
}

void
ckda_construct_extend(ckda_mat_struct *target, const ckda_group_t G,
                      const generator_image *gen, uint32_t ngen, const ckda_field_t K)
{
    bool *known = flint_calloc(G->order, sizeof *known);
    uint32_t *queue = flint_malloc(G->order * sizeof *queue), tail = 1;
    ckda_mat_t product;
    ckda_mat_init(product, target->rows, target->cols, K);
    ckda_status st = ckda_mat_one(target, K);
    ckda_require(st == CKDA_OK, "images must be square");
    known[0] = true;
    queue[0] = 0;
    for (uint32_t head = 0; head < tail; head++)
        for (uint32_t j = 0; j < ngen; j++) {
            const uint32_t x = ckda_group_mul(G, gen[j].element, queue[head]);
            if (!known[x])
                queue[tail++] = x;
            extend_by(target, known, G, queue[head], &gen[j], product, K);
        }
    ckda_require(tail == G->order, "%s: the images cover %u of %u elements", G->name,
                 tail, G->order);
    ckda_mat_clear(product, K);
    flint_free(queue);
    flint_free(known);
}
