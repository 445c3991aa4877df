/* The processes of mpirun.  Messages are counted in int, so long arrays go in pieces. */
#include "ranks_internal.h"

#include <limits.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdlib.h>

enum { PIECE = 1 << 24 };

static bool
runs(void)
{
    int begun, ended;
    MPI_Initialized(&begun);
    MPI_Finalized(&ended);
    return begun && !ended;
}

/* A program that nobody started with others is one process, without MPI's machinery. */
static bool
started_by_mpirun(void)
{
    return getenv("OMPI_COMM_WORLD_SIZE") != NULL || getenv("PMIX_RANK") != NULL
           || getenv("PMI_RANK") != NULL;
}

static void
combine(void *data, void *x, size_t count, size_t width, ckda_ranks_operation operation)
{
    const MPI_Datatype type = width == 1   ? MPI_UINT8_T
                              : width == 4 ? MPI_UINT32_T
                                           : MPI_UINT64_T;
    const MPI_Op op = operation == CKDA_RANKS_SUM ? MPI_SUM : MPI_MAX;
    (void)data;
    for (char *at = x; count > 0; at += PIECE * width) {
        const size_t piece = count < PIECE ? count : PIECE;
        MPI_Allreduce(MPI_IN_PLACE, at, (int)piece, type, op, MPI_COMM_WORLD);
        count -= piece;
    }
}

static void
share(void *data, void *x, size_t size)
{
    (void)data;
    for (char *at = x; size > 0; at += PIECE) {
        const size_t piece = size < PIECE ? size : PIECE;
        MPI_Bcast(at, (int)piece, MPI_BYTE, 0, MPI_COMM_WORLD);
        size -= piece;
    }
}

/* Offsets of parts; the sum. */
static int
lay_out(int *at, const int *part, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++) {
        ckda_require(part[i] <= INT_MAX - sum, "messages of more than 2 GiB");
        at[i] = sum;
        sum += part[i];
    }
    return sum;
}

static void *
memory(size_t size)
{
    void *p = malloc(size);
    ckda_require_memory(p != NULL);
    return p;
}

static uint8_t *
exchange(void *data, size_t *size, const uint8_t *bytes, const size_t *part)
{
    int count;
    (void)data;
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    int *room = memory(4 * (size_t)count * sizeof *room);
    int *out = room, *out_at = room + count, *in = room + 2 * count,
        *in_at = room + 3 * count;
    for (int i = 0; i < count; i++) {
        ckda_require(part[i] <= INT_MAX, "a message of %zu bytes", part[i]);
        out[i] = (int)part[i];
    }
    MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
    lay_out(out_at, out, count);
    *size = (size_t)lay_out(in_at, in, count);
    uint8_t *got = memory(*size + 1);
    MPI_Alltoallv(bytes, out, out_at, MPI_BYTE, got, in, in_at, MPI_BYTE, MPI_COMM_WORLD);
    free(room);
    return got;
}

const ckda_ranks_link *
ranks_link_open(void)
{
    static ckda_ranks_link link = {
        .combine = combine, .share = share, .exchange = exchange};
    int count, mine;
    if (!started_by_mpirun())
        return NULL;
    if (!runs())
        MPI_Init(NULL, NULL);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    MPI_Comm_rank(MPI_COMM_WORLD, &mine);
    link.count = (uint32_t)count;
    link.mine = (uint32_t)mine;
    return &link;
}

void
ranks_link_close(void)
{
    if (runs())
        MPI_Finalize();
}
