/* Which step of a layer applies the element that is left over from the layers below. */
#include "net_internal.h"

ckda_status
net_coset_steps(uint32_t *step_of, const ckda_net *net, const net_lookup *l,
                ckda_error *err)
{
    for (uint32_t g = 0; g < net->G->order; g++)
        step_of[g] = UINT32_MAX;
    for (uint32_t i = 0; i < l->nsteps; i++)
        for (uint32_t j = 0; j < l->nkernel; j++) {
            const uint32_t g = ckda_group_mul(net->G, l->part[i], l->kernel[j]);
            if (step_of[g] != UINT32_MAX) {
                ckda_error_set(err, "steps %u and %u apply the same element", step_of[g],
                               i);
                return CKDA_E_DOMAIN;
            }
            step_of[g] = i;
        }
    return CKDA_OK;
}

/* The step of u(s)^-1 x u(s before x); UINT32_MAX: there is none. */
static uint32_t
step_of_pair(const ckda_net *net, const net_lookup *l, const uint32_t *step_of,
             uint32_t x, uint32_t s)
{
    const ckda_group_struct *G = net->G;
    const uint32_t u = l->rep[l->before[(size_t)x * l->nrep + s]];
    const uint32_t moved = ckda_group_mul(G, net->element[x], u);
    return step_of[ckda_group_mul(G, ckda_group_inv(G, l->rep[s]), moved)];
}

ckda_status
net_coset_rows(ckda_net *net, net_lookup *l, ckda_error *err)
{
    uint32_t *step_of = flint_malloc(net->G->order * sizeof *step_of);
    ckda_status st = net_coset_steps(step_of, net, l, err);
    l->row = flint_malloc(((size_t)net->nletters * l->nrep + 1) * sizeof *l->row);
    for (uint32_t x = 0; st == CKDA_OK && x < net->nletters; x++)
        for (uint32_t s = 0; st == CKDA_OK && s < l->nrep; s++) {
            const uint32_t step = step_of_pair(net, l, step_of, x, s);
            l->row[(size_t)x * l->nrep + s] = step;
            if (step == UINT32_MAX) {
                ckda_error_set(err,
                               "letter %u into state %u of the layers below: the "
                               "element that must be applied has no step",
                               x, s);
                st = CKDA_E_DOMAIN;
            }
        }
    flint_free(step_of);
    return st;
}
