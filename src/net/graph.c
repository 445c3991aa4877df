/* A closed graph of joint states, to be written down. */
#include "explore.h"

ckda_net_graph *
ckda_net_explore_graph(ckda_net_closure *c, const ckda_net *net,
                       const ckda_limits *limits)
{
    explorer *e = flint_malloc(sizeof *e);
    net_explore(c, e, net, limits);
    if (c->right == CKDA_TRUE)
        return e;
    ckda_net_graph_close(&e);
    return NULL;
}

void
ckda_net_graph_close(ckda_net_graph **g)
{
    if (*g == NULL)
        return;
    net_explorer_clear(*g);
    flint_free(*g);
    *g = NULL;
}

uint32_t
ckda_net_graph_states(const ckda_net_graph *g)
{
    return g->joint.count;
}

const ckda_net_output *
ckda_net_graph_label(const ckda_net_graph *g, uint32_t state)
{
    return &g->label[state].now;
}

uint32_t
ckda_net_graph_next(ckda_net_graph *g, uint32_t state, uint32_t letter)
{
    uint32_t from[MAX_HEADS], to[MAX_HEADS];
    bool added;
    memcpy(from, g->joint.key + (size_t)state * g->net->nheads,
           g->net->nheads * sizeof *from);
    const ckda_net_output *said = net_explore_edge(to, g, from, letter);
    const uint32_t at = net_tuples_add(&added, &g->joint, to);
    ckda_require(said != NULL && !added, "a graph that is not closed");
    return at;
}

uint32_t
ckda_net_graph_steps(const ckda_net_graph *g, uint32_t head)
{
    return g->head[head].nready;
}

const ckda_net_step *
ckda_net_graph_step(const ckda_net_graph *g, uint32_t head, uint32_t step)
{
    return g->head[head].ready + step;
}

uint32_t
ckda_net_graph_outputs(const ckda_net_graph *g, uint32_t head)
{
    return g->head[head].output.count;
}

const ckda_mat_struct *
ckda_net_graph_output(const ckda_net_graph *g, uint32_t head, uint32_t output)
{
    return g->head[head].output.item[output];
}

uint32_t
ckda_net_graph_rows(const ckda_net_graph *g, uint32_t layer)
{
    return layer == g->net->nlayers ? g->decoded.count : g->lookup[layer].seen.count;
}

uint32_t
ckda_net_graph_row(uint32_t *row, const ckda_net_graph *g, uint32_t layer, uint32_t i)
{
    const bool last = layer == g->net->nlayers;
    const net_tuples *seen = last ? &g->decoded : &g->lookup[layer].seen;
    const uint32_t more = last ? 1 : 1 + heads_of(g->net, layer);
    memcpy(row, seen->key + (size_t)i * seen->width, seen->width * sizeof *row);
    if (last)
        row[seen->width] = g->said[i].index;
    else
        memcpy(row + seen->width, g->lookup[layer].result + (size_t)i * more,
               more * sizeof *row);
    return seen->width + more;
}
