/* The decoder of several heads: their outputs together name an element. */
#include "intern.h"

struct net_joint {
    uint32_t heads;
    net_reader *read;  /* of each head's outputs */
    net_tuples tuple;  /* what the readers say, one tuple a joint state */
    uint32_t *element; /* of each tuple */
};

net_joint *
net_joint_new(uint32_t heads)
{
    net_joint *j = flint_calloc(1, sizeof *j);
    j->heads = heads;
    j->read = flint_calloc(heads, sizeof *j->read);
    net_tuples_init(&j->tuple, heads);
    return j;
}

void
net_joint_clear(net_joint *j, const ckda_net_head *head)
{
    if (j == NULL)
        return;
    for (uint32_t h = 0; h < j->heads; h++)
        net_reader_clear(j->read + h, head[h].K);
    net_tuples_clear(&j->tuple);
    flint_free(j->element);
    flint_free(j->read);
    flint_free(j);
}

net_reader *
net_joint_reader(const net_joint *j, uint32_t head)
{
    ckda_require(head < j->heads, "head %u of %u", head, j->heads);
    return j->read + head;
}

bool
net_joint_add(net_joint *j, const uint32_t *tuple, uint32_t element)
{
    bool added;
    const uint32_t room = j->tuple.room, at = net_tuples_add(&added, &j->tuple, tuple);
    if (!added)
        return false;
    if (j->tuple.room != room)
        j->element = flint_realloc(j->element, j->tuple.room * sizeof *j->element);
    j->element[at] = element;
    return true;
}

uint32_t
net_joint_count(const net_joint *j)
{
    return j->tuple.count;
}

const uint32_t *
net_joint_tuple(uint32_t *element, const net_joint *j, uint32_t at)
{
    *element = j->element[at];
    return j->tuple.key + (size_t)at * j->heads;
}

int64_t
net_joint_find(const net_joint *j, const ckda_mat_struct *const *o,
               const ckda_net_head *head)
{
    uint32_t tuple[NET_MAX_HEADS];
    for (uint32_t h = 0; h < j->heads; h++) {
        const int64_t found = net_reader_find(j->read + h, o[h], head[h].K);
        if (found < 0)
            return -1;
        tuple[h] = (uint32_t)found;
    }
    const int64_t at = net_tuples_find(&j->tuple, tuple);
    return at < 0 ? -1 : (int64_t)j->element[at];
}
