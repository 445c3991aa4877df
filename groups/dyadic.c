/* Z_m and D_m for m dividing 6, in dimension 4 over Q with unit keys whose entries are 0,
 * 1, 1/2 and -1/2: a float holds all of them, so nothing is ever rounded [source: rounded
 * constructions].
 *
 * With D = diag(1, 1, 1, -1), the reflection along e_4, and k = (1, 1, 1, 1)/2 the angle
 * of k and e_4 is a third of pi, so rho = H_k D turns by 2 pi / 3 and its inverse is
 * D H_k = H_Dk D.  D turns rho into its inverse: rho and D generate S_3, whose
 * reflections are D, H_k and H_Dk.  Minus the identity commutes with everything and
 * gives the factor 2 of 6.
 *
 * Rotations have the gate D or -D, reflections 1 or -1; -I itself is the reflection along
 * e_1 with the gate (1, -1, -1, -1).  Least dimension: 3 is no sum of two rational
 * squares, which rules out dimension 2 [source: rounded constructions]. */
#include "construct_internal.h"

/* gen[0] = the rotation r: I, -I, rho, -rho^2 for m = 1, 2, 3, 6 (then r^2 = rho);
 * gen[1] = the reflection s: D. */
static void
set_generators(generator_image gen[2], const dihedral_shape *shape, const ckda_field_t K)
{
    static const slong D[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1},
                       H_k[16] = {1,  -1, -1, -1, -1, 1,  -1, -1,
                                  -1, -1, 1,  -1, -1, -1, -1, 1};
    ckda_mat_struct *r = gen[0].matrix, *s = gen[1].matrix;
    ckda_mat_init(r, 4, 4, K);
    ckda_mat_init(s, 4, 4, K);
    ckda_mat_set_si(s, D, 1, K);
    ckda_status st = ckda_mat_one(r, K);
    if (shape->m % 3 == 0) {
        ckda_mat_set_si(r, H_k, 2, K);
        st = shape->m == 3 ? ckda_mat_mul(r, r, s, K) : ckda_mat_mul(r, s, r, K);
    }
    if (st == CKDA_OK && shape->m % 2 == 0)
        st = ckda_mat_neg(r, r, K);
    ckda_require(st == CKDA_OK, "4 x 4 matrices");
    gen[0].element = shape->r;
    gen[1].element = shape->s;
}

/* The transition of r^k or r^k s. */
static void
encode(ckda_trans_t t, const ckda_mat_t A, bool negative, bool reflects,
       const ckda_field_t K)
{
    static const int minus_one[4] = {1, -1, -1, -1};
    const int sign = negative ? -1 : 1;
    const int gate[4] = {sign, sign, sign, reflects ? sign : -sign};
    ckda_mat_t M;
    ckda_mat_init(M, 4, 4, K);
    ckda_status st = ckda_mat_neg(M, A, K);
    const bool is_minus_one = ckda_mat_is_one(M, K);
    ckda_mat_clear(M, K);
    ckda_trans_init(t, CKDA_CKDA, 4, 1, K);
    if (st == CKDA_OK)
        st = ckda_construct_signed(t, A, is_minus_one ? minus_one : gate, K);
    ckda_require(st == CKDA_OK, "a reflection is not the identity");
}

ckda_status
ckda_construct_dyadic(ckda_construction_t c, ckda_mat_struct **target, system_id id,
                      ckda_error *err)
{
    dihedral_shape shape;
    generator_image gen[2];
    const bool fits = ckda_construct_dihedral(&shape, id, c->G);
    ckda_require(fits && 6 % shape.m == 0, "%s has no dyadic form", c->G->name);
    ckda_field_init_rational(c->K);
    c->n = 4;
    c->decoder = CKDA_DECODE_STATE;
    *target = ckda_construct_mats(c->G->order, 4, c->K);
    set_generators(gen, &shape, c->K);
    ckda_construct_extend(*target, c->G, gen, shape.has_reflection ? 2 : 1, c->K);
    ckda_mat_clear(gen[0].matrix, c->K);
    ckda_mat_clear(gen[1].matrix, c->K);
    for (uint32_t k = 0; k < shape.m; k++) {
        const bool negative = shape.m % 2 == 0 && k % 2 == 1;
        const uint32_t r_k = ckda_group_pow(c->G, shape.r, k);
        encode(&c->trans[r_k], *target + r_k, negative, false, c->K);
        if (!shape.has_reflection)
            continue;
        const uint32_t r_k_s = ckda_group_mul(c->G, r_k, shape.s);
        encode(&c->trans[r_k_s], *target + r_k_s, negative, true, c->K);
    }
    (void)err;
    return CKDA_OK;
}
