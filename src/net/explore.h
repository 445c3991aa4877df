/* What an exploration of joint states keeps.  Private to explore.c and graph.c. */
#ifndef CKDA_NET_EXPLORE_H
#define CKDA_NET_EXPLORE_H
#include "intern.h"

enum { MAX_HEADS = NET_MAX_HEADS };
#define NONE UINT32_MAX

/* (state, step) -> (state, output) of one head. */
typedef struct {
    net_intern state, output, step;
    ckda_net_step *ready; /* the steps, by number, with their scales */
    uint32_t nready;
    net_tuples seen;      /* (state, step) */
    uint32_t *next, *out; /* of each seen pair */
    uint32_t room;
    ckda_mat_t H, o; /* work */
} head_table;

/* (outputs below, r, x) -> (r, steps). */
typedef struct {
    net_tuples seen;
    uint32_t *result; /* 1 + heads numbers each; result[0] = NONE: no entry */
    uint32_t room;
} lookup_table;

struct ckda_net_graph {
    const ckda_net *net;
    const ckda_limits *limits;
    double start;
    head_table head[MAX_HEADS];
    lookup_table *lookup; /* one a layer */
    ckda_net_step work[MAX_HEADS];
    /* decoder: (outputs of the last layer, r) -> target index, or NONE */
    net_tuples decoded;
    ckda_net_output *said;
    uint32_t said_room;
    /* joint states */
    net_tuples joint;
    uint32_t *parent, *via, room;
    ckda_net_target *label;
};
typedef struct ckda_net_graph explorer;

static inline uint32_t
heads_of(const ckda_net *net, uint32_t layer)
{
    return net->first[layer + 1] - net->first[layer];
}

/* Everything but the end of e. */
void net_explore(ckda_net_closure *c, explorer *e, const ckda_net *net,
                 const ckda_limits *limits);
void net_explorer_clear(explorer *e);
/* The joint state after `from` and x, and what is decoded there; NULL if a lookup has no
 * entry. */
const ckda_net_output *net_explore_edge(uint32_t *to, explorer *e, const uint32_t *from,
                                        uint32_t x);

#endif
