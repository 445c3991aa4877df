/* The closed graph of `ckda reach` as files of other programs. */
#ifndef CKDA_SRC_CLI_REACH_EXPORT_H
#define CKDA_SRC_CLI_REACH_EXPORT_H
#include "ckda/input.h"
#include "ckda/reach.h"

/* Each writes the whole file or none; r is finite and kept its graph.  States are numbered
 * as in ckda/reach.h, from 0 (in GAP's file from 1). */
CKDA_MUST_CHECK ckda_status reach_export_dot(const char *file, const ckda_reach_t r,
                                             const ckda_input_system_t s,
                                             ckda_error *err);
/* Nodes with their level and element, edges with their letter. */
CKDA_MUST_CHECK ckda_status reach_export_graphml(const char *file, const ckda_reach_t r,
                                                 const ckda_input_system_t s,
                                                 ckda_error *err);
/* A record `reach`: the letters as permutations of the states if all of them are, else as
 * transformations. */
CKDA_MUST_CHECK ckda_status reach_export_gap(const char *file, const ckda_reach_t r,
                                             const ckda_input_system_t s,
                                             ckda_error *err);
/* The table of transitions: uint32, states x letters. */
CKDA_MUST_CHECK ckda_status reach_export_npy(const char *file, const ckda_reach_t r,
                                             const ckda_input_system_t s,
                                             ckda_error *err);

#endif
