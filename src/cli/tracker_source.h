/* Trackers for the modes of `ckda audit`. */
#ifndef CKDA_SRC_CLI_TRACKER_SOURCE_H
#define CKDA_SRC_CLI_TRACKER_SOURCE_H
#include "ckda/tracker.h"

/* ckda_tracker_init, or a file that holds a group with a tracker of one head; CKDA_E_IO when
 * something in it is wrong. */
CKDA_MUST_CHECK ckda_status cli_tracker_open(ckda_tracker_t t, const char *system,
                                             const char *construction,
                                             const ckda_limits *limits, ckda_error *err);

#endif
