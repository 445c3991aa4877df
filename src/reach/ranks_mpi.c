/* The processes of mpirun.  Messages are counted in int, so long arrays go in pieces. */
#include "ranks.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "ckda/reach.h"

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

void
ckda_reach_ranks_open(void)
{
    if (started_by_mpirun() && !runs())
        MPI_Init(NULL, NULL);
}

void
ckda_reach_ranks_close(void)
{
    if (runs())
        MPI_Finalize();
}

uint32_t
ckda_reach_rank(void)
{
    return ranks_mine();
}

uint32_t
ranks_count(void)
{
    int count = 1;
    if (runs())
        MPI_Comm_size(MPI_COMM_WORLD, &count);
    return (uint32_t)count;
}

uint32_t
ranks_mine(void)
{
    int mine = 0;
    if (runs())
        MPI_Comm_rank(MPI_COMM_WORLD, &mine);
    return (uint32_t)mine;
}

static void
reduce(void *x, size_t count, size_t width, MPI_Datatype type, MPI_Op op)
{
    char *at = x;
    if (ranks_count() == 1)
        return;
    for (; count > 0; at += PIECE * width) {
        const size_t piece = count < PIECE ? count : PIECE;
        MPI_Allreduce(MPI_IN_PLACE, at, (int)piece, type, op, MPI_COMM_WORLD);
        count -= piece;
    }
}

void
ranks_sum(uint64_t *x, size_t count)
{
    reduce(x, count, sizeof *x, MPI_UINT64_T, MPI_SUM);
}

void
ranks_max_bytes(uint8_t *x, size_t count)
{
    reduce(x, count, sizeof *x, MPI_UINT8_T, MPI_MAX);
}

void
ranks_max(uint32_t *x, size_t count)
{
    reduce(x, count, sizeof *x, MPI_UINT32_T, MPI_MAX);
}

void
ranks_share(void *x, size_t size)
{
    if (ranks_count() > 1)
        MPI_Bcast(x, (int)size, MPI_BYTE, 0, MPI_COMM_WORLD);
}

/* Offsets of parts; the sum. */
static int
lay_out(int *at, const int *part, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++) {
        at[i] = sum;
        sum += part[i];
    }
    return sum;
}

uint8_t *
ranks_exchange(size_t *size, const uint8_t *data, const size_t *part)
{
    const int count = (int)ranks_count();
    int *room = flint_malloc(4 * (size_t)count * sizeof *room);
    int *out = room, *out_at = room + count, *in = room + 2 * count,
        *in_at = room + 3 * count;
    for (int i = 0; i < count; i++)
        out[i] = (int)part[i];
    MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
    lay_out(out_at, out, count);
    *size = (size_t)lay_out(in_at, in, count);
    uint8_t *got = flint_malloc(*size + 1);
    MPI_Alltoallv(data, out, out_at, MPI_BYTE, got, in, in_at, MPI_BYTE, MPI_COMM_WORLD);
    flint_free(room);
    return got;
}
