/* The tracker of one head, in the letters of the user's group. */
#include "realize_internal.h"

#include <stdlib.h>
#include <string.h>

/* The construction of the standard group. */
static ckda_status
construct(ckda_construction_t c, const ckda_isomorphism_t f, const char *construction,
          ckda_error *err)
{
    ckda_group_t T;
    if (f->kind == 'A' || f->kind == 'S')
        return ckda_construct(c, f->name, construction, err);
    ckda_group_init_set(T, f->T);
    const ckda_status st = ckda_construct_axial(c, T, f->kind, construction, err);
    if (st != CKDA_OK)
        ckda_group_clear(T);
    return st;
}

ckda_status
ckda_realize_single(ckda_construction_t c, const ckda_isomorphism_t f,
                    const ckda_group_t G, const char *construction, ckda_error *err)
{
    ckda_construction_t standard;
    ckda_group_t H;
    ckda_field_t K;
    ckda_status st = construct(standard, f, construction, err);
    if (st != CKDA_OK)
        return st;
    ckda_group_init_set(H, G);
    ckda_field_init_set(K, standard->K);
    ckda_trans_struct *trans = flint_malloc(G->order * sizeof *trans);
    for (uint32_t t = 0; t < G->order; t++)
        ckda_trans_init_set(trans + f->image[t], standard->trans + t, K);
    st = ckda_construct_given(c, standard->name, H, K, trans, standard->decoder, err);
    ckda_require(st == CKDA_OK, "transitions that were checked before");
    ckda_construct_clear(standard);
    return CKDA_OK;
}

/* ---- closures --------------------------------------------------------------------- */

void
ckda_realize_closure_clear(ckda_realize_closure *r)
{
    free(r->exactness);
    *r = (ckda_realize_closure){0};
}

ckda_status
realize_run(ckda_realize_closure *r, ckda_reach_t reach, const ckda_system_t sys,
            unsigned flags, const ckda_limits *limits, ckda_error *err)
{
    const ckda_status st = ckda_reach_run(reach, sys, limits, flags, err);
    if (st != CKDA_OK)
        return st;
    *r = (ckda_realize_closure){.right = reach->finite,
                                .states = reach->states,
                                .edges = reach->edges,
                                .min_per_element = reach->min_per_element,
                                .max_per_element = reach->max_per_element,
                                .read_out = CKDA_UNKNOWN,
                                .limit = reach->limit};
    r->exactness = strdup(reach->exactness);
    ckda_require_memory(r->exactness != NULL);
    if (reach->finite == CKDA_TRUE)
        r->right = reach->decoder_consistent;
    if (r->right == CKDA_TRUE && reach->decoded != sys->G->order)
        r->right = CKDA_FALSE;
    return CKDA_OK;
}

ckda_status
ckda_realize_close(ckda_realize_closure *r, const ckda_construction_t c,
                   const ckda_limits *limits, ckda_error *err)
{
    ckda_system_t sys;
    ckda_reach_t reach;
    uint64_t checked;
    ckda_system_init_construct(sys, c);
    const ckda_status st = realize_run(r, reach, sys, CKDA_REACH_KEEP_GRAPH, limits, err);
    if (st == CKDA_OK) {
        if (r->right == CKDA_TRUE)
            r->read_out = ckda_reach_check_decoder(&checked, NULL, reach, sys, c, NULL);
        ckda_reach_clear(reach);
    }
    ckda_system_clear(sys);
    return st;
}
