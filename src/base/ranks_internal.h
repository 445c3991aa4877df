/* The means by which processes talk, if the build has one. */
#ifndef CKDA_SRC_BASE_RANKS_INTERNAL_H
#define CKDA_SRC_BASE_RANKS_INTERNAL_H
#include "ckda/ranks.h"

/* NULL when this process was started alone. */
const ckda_ranks_link *ranks_link_open(void);
void ranks_link_close(void);

#endif
