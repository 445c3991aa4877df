/* A_4 and S_4 as rotations of the cube, in dimension 3 [source: Prop 15].
 *
 * In the standard position the eight rotations of order 3 are not signed Householder
 * matrices.  After the turn P = (1/sqrt 2) [[1,1,0],[-1,1,0],[0,0,sqrt 2]] all 24 are,
 * over Q(sqrt 2).  Of the pairs that make a letter the plainest is taken. */
#include "construct_internal.h"

/* Three axes permuted cyclically fix the diagonal (1,1,1); the quarter turn about e_3
 * permutes the diagonals (1,1,1) -> (-1,1,1) -> (1,1,-1) -> (1,-1,1). */
static const struct {
    const char *diagonals;
    slong entry[9];
} rotations[2] = {{"(2,3,4)", {0, 1, 0, 0, 0, 1, 1, 0, 0}},
                  {"(1,4,2,3)", {0, -1, 0, 1, 0, 0, 0, 0, 1}}};
/* In A_4 the quarter turn is not there: its square, the half turn, is. */
static const char half_turn_diagonals[] = "(1,2)(3,4)";
static const slong half_turn[9] = {-1, 0, 0, 0, -1, 0, 0, 0, 1};

static void
set_turn(ckda_mat_t P, const ckda_field_t K)
{
    ckda_elem_t h; /* sqrt(2) / 2 */
    ckda_elem_init(h, K);
    ckda_elem_gen(h, K);
    const ckda_elem_struct *half = ckda_mat_entry(P, 2, 2);
    ckda_mat_set_entry_frac(P, 2, 2, 1, 2, K);
    ckda_elem_mul(h, h, half, K);
    for (slong i = 0; i < 2; i++)
        for (slong j = 0; j < 2; j++) {
            if (i == 1 && j == 0)
                ckda_elem_neg(ckda_mat_entry(P, i, j), h, K);
            else
                ckda_elem_set(ckda_mat_entry(P, i, j), h, K);
        }
    ckda_mat_set_entry_si(P, 2, 2, 1, K);
    ckda_elem_clear(h, K);
}

/* A = P A P^T. */
static void
turn(ckda_mat_t A, const ckda_field_t K)
{
    ckda_mat_t P;
    ckda_mat_init(P, 3, 3, K);
    set_turn(P, K);
    ckda_status st = ckda_mat_mul(A, P, A, K);
    if (st == CKDA_OK)
        st = ckda_mat_transpose(P, P, K);
    if (st == CKDA_OK)
        st = ckda_mat_mul(A, A, P, K);
    ckda_require(st == CKDA_OK, "3 x 3 matrices");
    ckda_mat_clear(P, K);
}

static void
set_generators(generator_image gen[2], const ckda_group_t G, bool whole, bool turned,
               const ckda_field_t K)
{
    for (int j = 0; j < 2; j++) {
        const bool half = j == 1 && !whole;
        ckda_mat_init(gen[j].matrix, 3, 3, K);
        ckda_mat_set_si(gen[j].matrix, half ? half_turn : rotations[j].entry, 1, K);
        gen[j].element = ckda_construct_element(G, half ? half_turn_diagonals
                                                        : rotations[j].diagonals);
        if (turned)
            turn(gen[j].matrix, K);
    }
}

/* Leaves the gap where no sign diagonal works. */
static void
encode(ckda_trans_t t, const ckda_mat_t A, const ckda_field_t K)
{
    int signs[3];
    if (!ckda_construct_plainest(signs, A, K))
        return;
    ckda_trans_init(t, CKDA_CKDA, 3, 1, K);
    const ckda_status st = ckda_construct_signed(t, A, signs, K);
    ckda_require(st == CKDA_OK, "a reflection is not the identity");
}

static ckda_status
build(ckda_construction_t c, ckda_mat_struct **target, system_id id, bool turned)
{
    if (turned)
        ckda_field_init_sqrt(c->K, 2);
    else
        ckda_field_init_rational(c->K);
    c->n = 3;
    c->decoder = CKDA_DECODE_STATE;
    *target = ckda_construct_mats(c->G->order, 3, c->K);
    generator_image gen[2];
    set_generators(gen, c->G, id.kind == 'S', turned, c->K);
    ckda_construct_extend(*target, c->G, gen, 2, c->K);
    ckda_mat_clear(gen[0].matrix, c->K);
    ckda_mat_clear(gen[1].matrix, c->K);
    for (uint32_t g = 0; g < c->G->order; g++)
        encode(&c->trans[g], *target + g, c->K);
    return CKDA_OK;
}

ckda_status
ckda_construct_cube(ckda_construction_t c, ckda_mat_struct **target, system_id id,
                    ckda_error *err)
{
    (void)err;
    return build(c, target, id, true);
}

ckda_status
ckda_construct_cube_standard(ckda_construction_t c, ckda_mat_struct **target,
                             system_id id, ckda_error *err)
{
    (void)err;
    return build(c, target, id, false);
}
