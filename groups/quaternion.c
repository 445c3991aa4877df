/* Finite rotation groups tracked in dimension 4 by one reflection a letter, with the
 * fixed gate D_0 = diag(-1, 1, 1, 1) [source: Prop 18, Cor 19].
 *
 * g(A) D_0 is symmetric of trace 2 for every rotation A, so its key is a nonzero column
 * of I - g(A) D_0: no half angle and no root.  The states are many to one over the group.
 */
#include "construct_internal.h"

#include <stdlib.h>

/* c = (tr A - 1) / 2. */
static void
set_cosine(ckda_elem_t c, const ckda_mat_t A, const ckda_elem_t half,
           const ckda_field_t K)
{
    ckda_elem_set_si(c, -1, K);
    for (slong i = 0; i < 3; i++)
        ckda_elem_add(c, c, ckda_mat_entry(A, i, i), K);
    ckda_elem_mul(c, c, half, K);
}

ckda_status
ckda_quaternion_encode(ckda_mat_t g, const ckda_mat_t A, const ckda_field_t K)
{
    if (A->rows != 3 || A->cols != 3 || g->rows != 4 || g->cols != 4)
        return CKDA_E_SHAPE;
    ckda_elem_t c, half;
    ckda_elem_init(c, K);
    ckda_elem_init(half, K);
    ckda_elem_set_frac(half, 1, 2, K);
    set_cosine(c, A, half, K);
    ckda_elem_set(ckda_mat_entry(g, 0, 0), c, K);
    for (slong i = 0; i < 3; i++) {
        const slong j = (i + 1) % 3, k = (i + 2) % 3;
        ckda_elem_struct *w = ckda_mat_entry(g, i + 1, 0); /* w_i = (A_kj - A_jk) / 2 */
        ckda_elem_sub(w, ckda_mat_entry(A, k, j), ckda_mat_entry(A, j, k), K);
        ckda_elem_mul(w, w, half, K);
        ckda_elem_neg(ckda_mat_entry(g, 0, i + 1), w, K);
        for (slong l = 0; l < 3; l++) {
            ckda_elem_struct *x = ckda_mat_entry(g, i + 1, l + 1);
            ckda_elem_add(x, ckda_mat_entry(A, i, l), ckda_mat_entry(A, l, i), K);
            ckda_elem_mul(x, x, half, K);
            ckda_elem_neg(x, x, K);
        }
    }
    ckda_elem_mul_si(half, half, 2, K);
    ckda_elem_add(c, c, half, K); /* 1 + c */
    for (slong i = 1; i < 4; i++)
        ckda_elem_add(ckda_mat_entry(g, i, i), ckda_mat_entry(g, i, i), c, K);
    ckda_elem_clear(half, K);
    ckda_elem_clear(c, K);
    return CKDA_OK;
}

ckda_status
ckda_quaternion_decode(ckda_mat_t R, const ckda_mat_t S, const ckda_field_t K)
{
    if (S->rows != 4 || S->cols != 4 || R->rows != 3 || R->cols != 3)
        return CKDA_E_SHAPE;
    const ckda_elem_struct *al = ckda_mat_entry(S, 0, 0), *r = ckda_mat_entry(S, 0, 1);
    for (slong i = 0; i < 3; i++) {
        const ckda_elem_struct *C = ckda_mat_entry(S, i + 1, 1), *s = C - 1;
        for (slong j = 0; j < 3; j++) {
            ckda_elem_struct *x = ckda_mat_entry(R, i, j);
            const slong k = (j + 1) % 3, l = (j + 2) % 3;
            ckda_elem_mul(x, al, C + j, K);
            ckda_elem_submul(x, s, r + j, K);
            /* column j of [r]x has r_l in row k and -r_k in row l */
            ckda_elem_submul(x, C + k, r + l, K);
            ckda_elem_addmul(x, C + l, r + k, K);
        }
    }
    return CKDA_OK;
}

/* ---- the rotation groups --------------------------------------------------------- */

typedef struct {
    const char *cycles;
    slong p[9], q[9]; /* entries (p + q sqrt 5) / 4 */
} rotation;

/* The axes permuted cyclically, half turns about them, the quarter turn about the third,
 * and a turn of order 5 that maps the five frames 1 -> 2 -> 3 -> 4 -> 5. */
static const rotation axes_cycle = {"(1,2,3)", {0, 4, 0, 0, 0, 4, 4, 0, 0}, {0}};
static const rotation half_turn = {"(1,2)(3,4)", {4, 0, 0, 0, -4, 0, 0, 0, -4}, {0}};
static const rotation quarter_turn = {"(1,2,4,3)", {0, -4, 0, 4, 0, 0, 0, 0, 4}, {0}};
static const rotation frames_cycle = {
    "(1,2,3,4,5)", {1, 1, 2, 1, 2, 1, -2, -1, -1}, {-1, 1, 0, 1, 0, -1, 0, 1, -1}};

static void
set_rotation(generator_image *gen, const rotation *rot, const ckda_group_t G,
             const ckda_field_t K)
{
    ckda_elem_t root, quarter;
    ckda_elem_init(root, K);
    ckda_elem_init(quarter, K);
    ckda_elem_set_frac(quarter, 1, 4, K);
    ckda_elem_gen(root, K); /* 0 in the rational field, where every q is 0 */
    ckda_mat_init(gen->matrix, 3, 3, K);
    for (slong i = 0; i < 9; i++) {
        ckda_elem_struct *x = gen->matrix->entry + i;
        ckda_elem_mul_si(x, root, rot->q[i], K);
        ckda_elem_t p;
        ckda_elem_init(p, K);
        ckda_elem_set_si(p, rot->p[i], K);
        ckda_elem_add(x, x, p, K);
        ckda_elem_mul(x, x, quarter, K);
        ckda_elem_clear(p, K);
    }
    gen->element = ckda_construct_element(G, rot->cycles);
    ckda_elem_clear(quarter, K);
    ckda_elem_clear(root, K);
}

/* K and the generators of A_4, S_4 or A_5. */
static uint32_t
set_polyhedral(generator_image gen[3], ckda_construction_t c, system_id id)
{
    const bool icosahedral = id.kind == 'A' && id.m == 5;
    if (icosahedral)
        ckda_field_init_sqrt(c->K, 5);
    else
        ckda_field_init_rational(c->K);
    set_rotation(&gen[0], &axes_cycle, c->G, c->K);
    set_rotation(&gen[1], &half_turn, c->G, c->K);
    if (id.kind == 'A' && id.m == 4)
        return 2;
    set_rotation(&gen[2], icosahedral ? &frames_cycle : &quarter_turn, c->G, c->K);
    return 3;
}

/* r turns about the third axis by 2 pi / m, s is the half turn about the first. */
static uint32_t
set_axial(generator_image gen[3], ckda_construction_t c, const dihedral_shape *shape)
{
    const ulong m = shape->m;
    ckda_field_init_cos(c->K, m / n_gcd(m, 4) * 4);
    ckda_mat_init(gen[0].matrix, 3, 3, c->K);
    ckda_mat_init(gen[1].matrix, 3, 3, c->K);
    ckda_elem_struct *x = gen[0].matrix->entry;
    ckda_status st = ckda_elem_set_cos(x + 0, 1, m, c->K);
    if (st == CKDA_OK)
        st = ckda_elem_set_sin(x + 3, 1, m, c->K);
    ckda_require(st == CKDA_OK, "cos and sin of 2 pi / %lu are in the field", m);
    ckda_elem_neg(x + 1, x + 3, c->K);
    ckda_elem_set(x + 4, x + 0, c->K);
    ckda_elem_one(x + 8, c->K);
    ckda_mat_set_si(gen[1].matrix, (const slong[]){1, 0, 0, 0, -1, 0, 0, 0, -1}, 1, c->K);
    gen[0].element = shape->r;
    gen[1].element = shape->s;
    return shape->has_reflection ? 2 : 1;
}

ckda_status
ckda_construct_quaternion(ckda_construction_t c, ckda_mat_struct **target, system_id id,
                          ckda_error *err)
{
    static const int D0[4] = {-1, 1, 1, 1};
    generator_image gen[3];
    dihedral_shape shape;
    const bool axial = ckda_construct_dihedral(&shape, id, c->G);
    const uint32_t ngen = axial ? set_axial(gen, c, &shape) : set_polyhedral(gen, c, id);
    const uint32_t made = axial ? 2 : ngen;
    c->n = 4;
    c->decoder = CKDA_DECODE_F;
    c->rotation = ckda_construct_mats(c->G->order, 3, c->K);
    ckda_construct_extend(c->rotation, c->G, gen, ngen, c->K);
    for (uint32_t j = 0; j < made; j++)
        ckda_mat_clear(gen[j].matrix, c->K);
    *target = ckda_construct_mats(c->G->order, 4, c->K);
    ckda_status st = CKDA_OK;
    for (uint32_t g = 0; st == CKDA_OK && g < c->G->order; g++) {
        st = ckda_quaternion_encode(*target + g, c->rotation + g, c->K);
        ckda_trans_init(&c->trans[g], CKDA_CKDA, 4, 1, c->K);
        if (st == CKDA_OK)
            st = ckda_construct_signed(&c->trans[g], *target + g, D0, c->K);
    }
    ckda_require(st == CKDA_OK, "the encoder of a rotation is no reflection times D0");
    (void)err;
    return CKDA_OK;
}
