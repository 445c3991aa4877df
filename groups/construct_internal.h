/* Shared by the files of this room only. */
#ifndef CKDA_CONSTRUCT_INTERNAL_H
#define CKDA_CONSTRUCT_INTERNAL_H
#include "ckda/construct.h"

/* Which group: 'Z', 'D', 'S' or 'A' with its number, or 0 for a group without a name. */
typedef struct {
    char kind;
    uint32_t m;
} system_id;

/* A group element and the matrix that stands for it. */
typedef struct {
    uint32_t element;
    ckda_mat_t matrix;
} generator_image;

/* The dihedral or cyclic group that id is, if it is one. */
typedef struct {
    uint32_t m; /* rotations r^k, k < m */
    bool has_reflection;
    uint32_t r, s; /* element indices; s is meant only with reflections */
} dihedral_shape;
bool ckda_construct_dihedral(dihedral_shape *shape, system_id id, const ckda_group_t G);

/* Index of the element with these cycles; the text must be good. */
uint32_t ckda_construct_element(const ckda_group_t G, const char *cycles);

/* Extends the images of generators to all elements, target (order, initialised n x n).
 * Every product generator x element is compared: the images are a homomorphism.  Aborts
 * if they are not, which would be a wrong table in this room. */
void ckda_construct_extend(ckda_mat_struct *target, const ckda_group_t G,
                           const generator_image *gen, uint32_t ngen,
                           const ckda_field_t K);

/* Array of count zero n x n matrices. */
ckda_mat_struct *ckda_construct_mats(uint32_t count, slong n, const ckda_field_t K);
void ckda_construct_mats_clear(ckda_mat_struct *A, uint32_t count, const ckda_field_t K);

/* t = the one-step CKDA transition, beta = 2, with the given signs as gate and the first
 * nonzero column of I - A S as key.  CKDA_E_DOMAIN if I - A S = 0. */
CKDA_MUST_CHECK ckda_status ckda_construct_signed(ckda_trans_t t, const ckda_mat_t A,
                                                  const int *signs, const ckda_field_t K);

/* Largest dimension in which all sign diagonals are tried. */
#define CKDA_SIGNED_MAX 20
/* The sign diagonal S (n signs) of the plainest pair with A = H_w S: the fewest nonzero
 * entries in w, among those the fewest minus signs in S, among those the first in binary
 * counting order.  The numbers of rounded states that were published for the cube rest on
 * this choice.  False, and signs untouched, if there is no pair.  A as in
 * ckda_signed_householder. */
bool ckda_construct_plainest(int *signs, const ckda_mat_t A, const ckda_field_t K);

/* Each of these expects c->G and fills K, n, decoder, rotation, trans and target, a new
 * array of the matrices that the transitions must have (may be `rotation`).  An element
 * for which the family has no transition keeps trans[g].n == 0 and its target.  Any status
 * but CKDA_OK leaves c for ckda_construct_clear. */
typedef ckda_status builder(ckda_construction_t c, ckda_mat_struct **target, system_id id,
                            ckda_error *err);
builder ckda_construct_planar, ckda_construct_cube, ckda_construct_cube_standard,
    ckda_construct_quaternion, ckda_construct_dyadic, ckda_construct_householder;

#endif
