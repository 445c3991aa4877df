/* Z_m and D_m in dimension 2 [source: Prop 14].
 *
 * The rotation R by 2 pi k / m is H_w diag(1, -1) with w = (1 - cos, -sin): R diag(1, -1)
 * is symmetric of trace 0.  A reflection is H_w itself.  Nothing leaves the field
 * Q(cos 2 pi / m, sin 2 pi / m) = Q(cos 2 pi / lcm(4, m)); half angles are not needed. */
#include "construct_internal.h"

/* The matrices of r and s. */
static void
set_generators(generator_image gen[2], const dihedral_shape *shape, const ckda_field_t K)
{
    ckda_elem_t c, s;
    ckda_elem_init(c, K);
    ckda_elem_init(s, K);
    ckda_status st = ckda_elem_set_cos(c, 1, shape->m, K);
    if (st == CKDA_OK)
        st = ckda_elem_set_sin(s, 1, shape->m, K);
    ckda_require(st == CKDA_OK, "cos and sin of 2 pi / %u are in the field", shape->m);
    ckda_mat_init(gen[0].matrix, 2, 2, K);
    ckda_mat_init(gen[1].matrix, 2, 2, K);
    ckda_elem_set(ckda_mat_entry(gen[0].matrix, 0, 0), c, K);
    ckda_elem_neg(ckda_mat_entry(gen[0].matrix, 0, 1), s, K);
    ckda_elem_set(ckda_mat_entry(gen[0].matrix, 1, 0), s, K);
    ckda_elem_set(ckda_mat_entry(gen[0].matrix, 1, 1), c, K);
    ckda_mat_set_si(gen[1].matrix, (const slong[]){1, 0, 0, -1}, 1, K);
    gen[0].element = shape->r;
    gen[1].element = shape->s;
    ckda_elem_clear(c, K);
    ckda_elem_clear(s, K);
}

/* [[c, -s], [s, c]]; reflections are [[c, s], [s, -c]], and no orthogonal matrix is both.
 */
static bool
is_rotation(const ckda_mat_t A, const ckda_field_t K)
{
    ckda_elem_t sum;
    ckda_elem_init(sum, K);
    ckda_elem_add(sum, ckda_mat_entry(A, 0, 1), ckda_mat_entry(A, 1, 0), K);
    const bool skew = ckda_elem_is_zero(sum, K);
    ckda_elem_clear(sum, K);
    return skew && ckda_elem_equal(ckda_mat_entry(A, 0, 0), ckda_mat_entry(A, 1, 1), K);
}

ckda_status
ckda_construct_planar(ckda_construction_t c, ckda_mat_struct **target, system_id id,
                      ckda_error *err)
{
    static const int gates[2][2] = {{1, 1}, {1, -1}};
    dihedral_shape shape;
    const bool fits = ckda_construct_dihedral(&shape, id, c->G);
    ckda_require(fits, "%s is not dihedral", c->G->name);
    ckda_field_init_cos(c->K, shape.m / n_gcd(shape.m, 4) * 4); /* lcm(4, m) */
    c->n = 2;
    c->decoder = CKDA_DECODE_STATE;
    *target = ckda_construct_mats(c->G->order, 2, c->K);
    generator_image gen[2];
    set_generators(gen, &shape, c->K);
    ckda_construct_extend(*target, c->G, gen, shape.has_reflection ? 2 : 1, c->K);
    ckda_mat_clear(gen[0].matrix, c->K);
    ckda_mat_clear(gen[1].matrix, c->K);
    for (uint32_t g = 0; g < c->G->order; g++) {
        const ckda_mat_struct *A = *target + g;
        ckda_trans_init(&c->trans[g], CKDA_CKDA, 2, 1, c->K);
        const ckda_status st =
            ckda_construct_signed(&c->trans[g], A, gates[is_rotation(A, c->K)], c->K);
        ckda_require(st == CKDA_OK, "a reflection is not the identity");
    }
    (void)err;
    return CKDA_OK;
}
