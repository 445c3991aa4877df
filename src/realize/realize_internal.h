/* Shared by the files of this room only. */
#ifndef CKDA_REALIZE_INTERNAL_H
#define CKDA_REALIZE_INTERNAL_H
#include "ckda/realize.h"

/* The first element that is no power of r; G->order if all are. */
uint32_t realize_outside(const ckda_group_t G, uint32_t r);
/* The letters of the system as a closure; G labels the states. */
ckda_status realize_run(ckda_realize_closure *r, ckda_reach_t reach,
                        const ckda_system_t sys, unsigned flags,
                        const ckda_limits *limits, ckda_error *err);
/* The largest number of normal subgroups that are listed. */
enum { REALIZE_NORMAL_MAX = 4096 };

#endif
