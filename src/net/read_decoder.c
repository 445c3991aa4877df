/* Decoders of a network document. */
#include "read.h"

static ckda_status
read_coset(ckda_net *net, const ckda_node *at, ckda_error *err)
{
    net_decoder *d = &net->decoder;
    ckda_node table;
    uint32_t n;
    ckda_status st = ckda_node_member(&table, at, "reader", err);
    if (st == CKDA_OK)
        st = net_read_reader(&d->read, &table, net->head + net->first[net->nlayers - 1],
                             err);
    if (st == CKDA_OK)
        st = net_read_elements(&d->part, &n, at, "elements", d->read.count, net, err);
    if (st == CKDA_OK)
        st = net_read_elements(&d->rep, &d->nrep, at, "representatives", -1, net, err);
    return st;
}

/* One reader for each head of the last layer. */
static ckda_status
read_readers(ckda_net *net, const ckda_node *at, ckda_error *err)
{
    const uint32_t first = net->first[net->nlayers - 1], heads = net->nheads - first;
    ckda_node list, item;
    ckda_status st = net_read_list(&list, NULL, at, "readers", heads, err);
    for (uint32_t h = 0; st == CKDA_OK && h < heads; h++) {
        st = ckda_node_item(&item, &list, h, err);
        if (st == CKDA_OK)
            st = net_read_reader(net_joint_reader(net->decoder.joint, h), &item,
                                 net->head + first + h, err);
    }
    return st;
}

static ckda_status
read_tuple(uint32_t *tuple, uint32_t heads, const net_joint *j, const ckda_node *at,
           ckda_error *err)
{
    ckda_status st = net_read_numbers(tuple, heads, at, NET_MAX_ENTRIES, err);
    for (uint32_t h = 0; st == CKDA_OK && h < heads; h++)
        if (tuple[h] >= net_joint_reader(j, h)->count)
            st = ckda_node_fail(at, err, "entries of the readers' tables", NULL);
    return st;
}

static ckda_status
read_joint(ckda_net *net, const ckda_node *at, ckda_error *err)
{
    const uint32_t heads = net->nheads - net->first[net->nlayers - 1];
    net_joint *j = net->decoder.joint = net_joint_new(heads);
    uint32_t tuple[NET_MAX_HEADS], *element = NULL, n;
    ckda_node list, item;
    size_t states = 0;
    ckda_status st = read_readers(net, at, err);
    if (st == CKDA_OK)
        st = net_read_list(&list, &states, at, "states", -1, err);
    if (st == CKDA_OK)
        st = net_read_elements(&element, &n, at, "elements", (long)states, net, err);
    for (size_t i = 0; st == CKDA_OK && i < states; i++) {
        st = ckda_node_item(&item, &list, i, err);
        if (st == CKDA_OK)
            st = read_tuple(tuple, heads, j, &item, err);
        if (st == CKDA_OK && !net_joint_add(j, tuple, element[i]))
            st = ckda_node_fail(&item, err, "different states", NULL);
    }
    flint_free(element);
    return st;
}

ckda_status
net_read_decoder(ckda_net *net, const ckda_node *top, ckda_error *err)
{
    static const ckda_net_kind needs[DECODERS] = {
        CKDA_NET_GROUP, CKDA_NET_DFA, CKDA_NET_WFA, CKDA_NET_GROUP, CKDA_NET_GROUP};
    const ckda_net_head *d = net->head + net->first[net->nlayers - 1];
    ckda_node at;
    int kind = 0;
    ckda_status st = ckda_node_member(&at, top, "decoder", err);
    if (st == CKDA_OK)
        st = net_read_choice(&kind, &at, "name", net_decoder_names, DECODERS, err);
    if (st != CKDA_OK)
        return st;
    const bool table = kind == DECODE_COSET || kind == DECODE_JOINT;
    net->decoder.kind = (decode_kind)kind;
    if (needs[kind] != net->kind || (!table && d->K->degree != 1))
        return ckda_node_fail(&at, err, "a decoder that fits the source", NULL);
    return kind == DECODE_COSET   ? read_coset(net, &at, err)
           : kind == DECODE_JOINT ? read_joint(net, &at, err)
                                  : CKDA_OK;
}
