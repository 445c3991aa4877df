/* A build without MPI: one process. */
#include "ranks_internal.h"

const ckda_ranks_link *
ranks_link_open(void)
{
    return NULL;
}

void
ranks_link_close(void)
{
}
