/* Numbers for exact matrices, and finite maps between tuples of numbers.  Private to the
 * exploration of joint states. */
#ifndef CKDA_NET_INTERN_H
#define CKDA_NET_INTERN_H
#include "net_internal.h"

/* Different matrices of one shape, numbered in the order of their first appearance. */
typedef struct {
    const ckda_field_struct *K;
    ckda_mat_struct **item; /* each allocated by itself: addresses stay */
    uint64_t *hash;
    uint32_t count, room, *bucket, mask;
    uint64_t bytes; /* estimate of the memory used */
} net_intern;

void net_intern_init(net_intern *t, const ckda_field_t K);
void net_intern_clear(net_intern *t);
/* The number of A, a new one if A was not seen; compared exactly. */
uint32_t net_intern_add(net_intern *t, const ckda_mat_t A);

enum { TUPLE = NET_MAX_HEADS + 2 };

/* From tuples of `width` numbers to their index, in the order of their first appearance.
 */
typedef struct {
    uint32_t width, count, room, *key; /* key: room x width */
    uint32_t *bucket, mask;
} net_tuples;

void net_tuples_init(net_tuples *t, uint32_t width);
void net_tuples_clear(net_tuples *t);
/* The index of the tuple; *added tells whether it is new. */
uint32_t net_tuples_add(bool *added, net_tuples *t, const uint32_t *key);
/* The same, or -1 if it is not there. */
int64_t net_tuples_find(const net_tuples *t, const uint32_t *key);
uint64_t net_tuples_bytes(const net_tuples *t);

#endif
