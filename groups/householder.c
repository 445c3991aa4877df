/* Permutation matrices as products of reflections, one DeltaProduct step list a letter.
 *
 * The cycle (a_1, ..., a_l) is (a_1 a_2) (a_2 a_3) ... (a_(l-1) a_l), the last applied
 * first, and the transposition (i j) is the reflection along e_i - e_j: n - #cycles steps
 * for a permutation of n points.  The identity is one step with beta = 0. */
#include "construct_internal.h"

/* Step number j of t reflects along e_a - e_b. */
static void
set_step(ckda_trans_t t, slong j, slong a, slong b, const ckda_field_t K)
{
    ckda_elem_struct *key = t->key + j * t->n;
    for (slong i = 0; i < t->n; i++)
        ckda_elem_set_si(&key[i], i == a ? 1 : i == b ? -1 : 0, K);
    ckda_elem_set_si(&t->beta[j], 2, K);
}

static void
set_steps(ckda_trans_t t, const ckda_perm *g, const ckda_field_t K)
{
    bool seen[CKDA_PERM_MAX] = {false};
    int cycle[CKDA_PERM_MAX];
    const int reflections = g->n - ckda_perm_cycles(g);
    ckda_trans_init(t, CKDA_DELTAPRODUCT, g->n, reflections > 0 ? reflections : 1, K);
    slong step = 0;
    for (int i = 0; i < g->n; i++) {
        int length = 0;
        for (int x = i; !seen[x]; x = g->image[x]) {
            seen[x] = true;
            cycle[length++] = x;
        }
        for (int l = length - 1; l > 0; l--)
            set_step(t, step++, cycle[l - 1], cycle[l], K);
    }
}

ckda_status
ckda_construct_householder(ckda_construction_t c, ckda_mat_struct **target, system_id id,
                           ckda_error *err)
{
    slong image[CKDA_PERM_MAX];
    ckda_field_init_rational(c->K);
    c->n = c->G->degree;
    c->decoder = CKDA_DECODE_STATE;
    *target = ckda_construct_mats(c->G->order, c->n, c->K);
    for (uint32_t g = 0; g < c->G->order; g++) {
        const ckda_perm *p = &c->G->element[g];
        set_steps(&c->trans[g], p, c->K);
        for (int i = 0; i < p->n; i++)
            image[i] = p->image[i];
        const ckda_status st = ckda_mat_set_map(*target + g, image, c->n, c->K);
        ckda_require(st == CKDA_OK, "%d x %d matrix", p->n, p->n);
    }
    (void)id;
    (void)err;
    return CKDA_OK;
}
