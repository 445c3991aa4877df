/* ckda/ranks.h -- processes that share one search.
 *
 * States are spread over processes by their hash; what all must know is agreed on by the
 * calls below, which all processes make together, in the same order.  There is one process
 * unless ckda_ranks_open found others: then every call leaves its arguments as they are.
 *
 * For one thread at a time.  A process that ends early ends all (mpirun sees to that). */
#ifndef CKDA_RANKS_H
#define CKDA_RANKS_H
#include <stddef.h>
#include <stdint.h>

#include "ckda/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Joins the processes that mpirun started, in a build with MPI; otherwise, and in a program
 * that nobody started with others, this one stays alone. */
void ckda_ranks_open(void);
void ckda_ranks_close(void);
uint32_t ckda_ranks_count(void);
uint32_t ckda_ranks_mine(void); /* 0 .. count - 1 */
/* Between the two, this thread finds no other process: for what each does for itself.  They
 * nest. */
void ckda_ranks_suspend(void);
void ckda_ranks_resume(void);

/* Sums and maxima over all processes, place by place. */
void ckda_ranks_sum(uint64_t *x, size_t count);
void ckda_ranks_max(uint64_t *x, size_t count);
void ckda_ranks_max32(uint32_t *x, size_t count);
void ckda_ranks_max8(uint8_t *x, size_t count);
/* What process 0 has, to all. */
void ckda_ranks_share(void *x, size_t size);
/* part[i] bytes for process i, one part behind the other, each below 2 GiB; returns what the
 * others had for this one, in the order of processes, *size bytes, malloc'ed. */
uint8_t *ckda_ranks_exchange(size_t *size, const uint8_t *data, const size_t *part);
/* x if it is the same for all processes, else 0. */
uint64_t ckda_ranks_common(uint64_t x);
/* CKDA_OK if that is what all have; else the error of the first process that has another
 * one, for all of them. */
CKDA_MUST_CHECK ckda_status ckda_ranks_agree(ckda_status status, ckda_error *err);

/* ---- how processes talk ------------------------------------------------------------- */

typedef enum { CKDA_RANKS_SUM, CKDA_RANKS_MAX } ckda_ranks_operation;

typedef struct {
    uint32_t count, mine;
    void *data;
    /* unsigned numbers of width 1, 4 or 8 bytes, in place */
    void (*combine)(void *data, void *x, size_t count, size_t width,
                    ckda_ranks_operation operation);
    void (*share)(void *data, void *x, size_t size);
    uint8_t *(*exchange)(void *data, size_t *size, const uint8_t *bytes,
                         const size_t *part);
} ckda_ranks_link;

/* In place of what ckda_ranks_open finds, which is MPI; NULL: alone.  Borrows the link. */
void ckda_ranks_use(const ckda_ranks_link *link);

#ifdef __cplusplus
}
#endif
#endif
