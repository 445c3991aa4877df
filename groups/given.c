/* A construction from transitions that were chosen elsewhere: a document, or another
 * construction whose group has been renamed. */
#include "construct_internal.h"

#include <stdlib.h>

const char *
ckda_decoder_name(ckda_decoder decoder)
{
    static const char *const name[] = {[CKDA_DECODE_WORD] = NULL,
                                       [CKDA_DECODE_STATE] = "state",
                                       [CKDA_DECODE_F] = "rotation"};
    return name[decoder];
}

static void
complain(ckda_error *err, const ckda_group_t G, uint32_t g, const char *what)
{
    char *text = ckda_perm_str(&G->element[g]);
    ckda_error_set(err, "%.200s: %.700s", text, what);
    free(text);
}

static ckda_status
check(const ckda_group_t G, const ckda_trans_struct *trans, const ckda_field_t K,
      ckda_decoder decoder, ckda_error *err)
{
    ckda_error why;
    ckda_error_clear(&why);
    for (uint32_t g = 0; g < G->order; g++) {
        ckda_status st = ckda_trans_check(&trans[g], K, &why);
        if (st == CKDA_OK && trans[g].n != trans[0].n) {
            ckda_error_set(&why, "expected dimension %ld like the others, found %ld",
                           (long)trans[0].n, (long)trans[g].n);
            st = CKDA_E_DOMAIN;
        }
        if (st == CKDA_OK && decoder == CKDA_DECODE_F && trans[g].n != 4) {
            ckda_error_set(&why, "expected dimension 4 for rotations, found %ld",
                           (long)trans[g].n);
            st = CKDA_E_DOMAIN;
        }
        if (st != CKDA_OK) {
            complain(err, G, g, why.text);
            return st;
        }
    }
    return CKDA_OK;
}

static void
expand(ckda_construction_t c)
{
    ckda_status st = CKDA_OK;
    c->matrix = ckda_construct_mats(c->G->order, c->n, c->K);
    for (uint32_t g = 0; st == CKDA_OK && g < c->G->order; g++)
        st = ckda_trans_matrix(c->matrix + g, &c->trans[g], c->K);
    if (c->decoder == CKDA_DECODE_STATE)
        c->rotation = c->matrix;
    if (c->decoder == CKDA_DECODE_F)
        c->rotation = ckda_construct_mats(c->G->order, 3, c->K);
    for (uint32_t g = 0; st == CKDA_OK && c->decoder == CKDA_DECODE_F && g < c->G->order;
         g++)
        st = ckda_quaternion_decode(c->rotation + g, c->matrix + g, c->K);
    ckda_require(st == CKDA_OK, "the transitions have been checked");
}

ckda_status
ckda_construct_given(ckda_construction_t c, const char *name, ckda_group_t G,
                     ckda_field_t K, ckda_trans_struct *trans, ckda_decoder decoder,
                     ckda_error *err)
{
    const ckda_status st = check(G, trans, K, decoder, err);
    if (st != CKDA_OK)
        return st;
    *c = (ckda_construction_struct){
        .name = name, .n = trans[0].n, .trans = trans, .decoder = decoder};
    *c->G = *G;
    *c->K = *K; /* nothing points to it */
    *G = (ckda_group_struct){0};
    expand(c);
    return CKDA_OK;
}
