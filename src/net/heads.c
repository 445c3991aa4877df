/* One layer of several heads, from a document's transitions, and the decoder of their joint
 * states: each says the element of the shortest word that leads to it, as the closed graph
 * has it. */
#include <inttypes.h>
#include "intern.h"

/* NULL, or which table no document holds. */
static const char *
too_large(const ckda_net *net, uint64_t states)
{
    uint64_t step = 0; /* numbers of one letter's steps */
    if (states * net->nheads > NET_MAX_ENTRIES)
        return "joint states";
    for (uint32_t h = 0; h < net->nheads; h++) {
        const ckda_net_head *d = net->head + h;
        step += (uint64_t)(d->n * (d->s + d->h + 1) + d->m);
    }
    return step * net->nletters > NET_MAX_ENTRIES ? "steps" : NULL;
}

/* Heads and a step for each letter. */
static void
add_heads(ckda_net *net, const ckda_trans_struct *trans, uint32_t nheads,
          const ckda_field_t K)
{
    const uint32_t order = net->G->order;
    for (uint32_t h = 0; h < nheads; h++) {
        const ckda_trans_struct *of = trans + (size_t)h * order;
        const slong n = of->n;
        slong s = 1;
        for (uint32_t x = 0; x < net->nletters; x++)
            if (of[net->element[x]].steps > s)
                s = of[net->element[x]].steps;
        ckda_net_head *head = net_add_head(net, "tracker", h == 0, n, n, n, s, K);
        const ckda_status st = ckda_mat_one(head->initial, head->K);
        ckda_require(st == CKDA_OK, "square");
    }
    net_lookup *l = net_last_lookup(net);
    l->kind = LOOKUP_LETTER;
    net_lookup_steps(net, l, net->nletters);
    for (uint32_t x = 0; x < net->nletters; x++)
        for (uint32_t h = 0; h < nheads; h++) {
            ckda_net_step *t = l->step + (size_t)x * nheads + h;
            net_query_all(t, net->head[h].K);
            net_step_set_trans(t, trans + (size_t)h * order + net->element[x],
                               net->head[h].K);
        }
}

static void
read_transposes(net_reader *read, const net_intern *states, const ckda_net_head *d)
{
    ckda_mat_struct *entry = flint_malloc(states->count * sizeof *entry);
    for (uint32_t i = 0; i < states->count; i++) {
        ckda_mat_init(entry + i, d->m, d->h, d->K);
        const ckda_status st = ckda_mat_transpose(entry + i, states->item[i], d->K);
        ckda_require(st == CKDA_OK, "square");
    }
    const bool different = net_reader_init(read, false, entry, states->count, d->K);
    ckda_require(different, "different states");
}

/* The states of one head along the graph, numbered: number[s * heads + h] of joint state s.
 * Its outputs are their transposes.  false: more of them than a document may list. */
static bool
follow_head(uint32_t *number, const ckda_net *net, uint32_t h, const ckda_reach_t r,
            net_reader *read)
{
    const ckda_net_head *d = net->head + h;
    const net_lookup *l = net->lookup;
    const uint32_t heads = net->nheads;
    net_intern states;
    ckda_mat_t H, o;
    net_intern_init(&states, d->K);
    ckda_mat_init(o, d->m, d->h, d->K);
    ckda_mat_init(H, d->n, d->m, d->K);
    const uint32_t most = (uint32_t)(NET_MAX_ENTRIES / (d->m * d->h));
    for (uint64_t s = 0; s < r->states && states.count <= most; s++) {
        /* parents come first */
        const bool first = s == 0;
        const uint32_t before = first ? 0 : number[(size_t)r->parent[s] * heads + h];
        ckda_status st = ckda_mat_set(H, first ? d->initial : states.item[before], d->K);
        ckda_require(st == CKDA_OK, "states have one shape");
        if (!first)
            ckda_net_recur(H, o, l->step + (size_t)r->via[s] * heads + h, d->K);
        number[s * heads + h] = net_intern_add(&states, H);
    }
    const bool fits = states.count <= most;
    if (fits)
        read_transposes(read, &states, d);
    ckda_mat_clear(H, d->K);
    ckda_mat_clear(o, d->K);
    net_intern_clear(&states);
    return fits;
}

/* The decoder's table.  false: it is too large. */
static bool
add_decoder(ckda_net *net, const ckda_reach_t r)
{
    const uint32_t heads = net->nheads;
    uint32_t *number = flint_malloc(r->states * heads * sizeof *number);
    net_joint *joint = net_joint_new(heads);
    bool fits = true;
    net->decoder.kind = DECODE_JOINT;
    net->decoder.joint = joint;
    for (uint32_t h = 0; fits && h < heads; h++)
        fits = follow_head(number, net, h, r, net_joint_reader(joint, h));
    for (uint64_t s = 0; fits && s < r->states; s++) {
        const bool added = net_joint_add(joint, number + s * heads, r->label[s]);
        ckda_require(added, "two states of the graph are one");
    }
    flint_free(number);
    return fits;
}

ckda_status
ckda_net_heads_net(ckda_net **net, ckda_group_t G, const uint32_t *letters,
                   const char *const *names, uint32_t nletters,
                   const ckda_trans_struct *trans, uint32_t nheads, const ckda_field_t K,
                   const ckda_reach_t r, ckda_error *err)
{
    ckda_require(r->finite == CKDA_TRUE && r->next != NULL && r->label != NULL,
                 "a graph that is not closed, or was not kept");
    if (nheads > NET_MAX_HEADS) {
        ckda_error_set(err, "a decoder of %u heads: at most %d", nheads, NET_MAX_HEADS);
        return CKDA_E_UNABLE;
    }
    ckda_net *new = net_new("given", CKDA_NET_GROUP, nletters);
    net_set_group(new, G, letters, names);
    add_heads(new, trans, nheads, K);
    const char *limit = too_large(new, r->states);
    if (limit == NULL && !add_decoder(new, r))
        limit = "states of one head";
    if (limit == NULL) {
        *net = new;
        return CKDA_OK;
    }
    *G = *new->G; /* given back */
    *new->G = (ckda_group_struct){0};
    ckda_net_close(&new);
    ckda_error_set(err,
                   "a decoder of %u heads and %" PRIu64
                   " joint states: more %s than the %d numbers of a document's table",
                   nheads, r->states, limit, NET_MAX_ENTRIES);
    return CKDA_E_UNABLE;
}
