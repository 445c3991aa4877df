/* The processes that share one search: this one alone, or those that mpirun started.
 *
 * Every function is called by all of them together, in the same order.  With one process
 * each does nothing. */
#ifndef CKDA_SRC_REACH_RANKS_H
#define CKDA_SRC_REACH_RANKS_H
#include <stddef.h>
#include <stdint.h>

uint32_t ranks_count(void);
uint32_t ranks_mine(void); /* 0 .. count - 1 */
/* Sums and maxima over all processes, place by place. */
void ranks_sum(uint64_t *x, size_t count);
void ranks_max_bytes(uint8_t *x, size_t count);
void ranks_max(uint32_t *x, size_t count);
/* What process 0 has, to all. */
void ranks_share(void *x, size_t size);
/* part[i] bytes for process i, one part behind the other; returns what the others had for
 * this one, *size bytes, flint_malloc'ed. */
uint8_t *ranks_exchange(size_t *size, const uint8_t *data, const size_t *part);

#endif
