/* What `ckda audit --snap` asks of the file on chunked kernels. */
#ifndef CKDA_SRC_CLI_AUDIT_SNAP_H
#define CKDA_SRC_CLI_AUDIT_SNAP_H
#include <jansson.h>

#include "audit.h"
#include "ckda/tracker.h"

/* Is a chunk of o->chunk tokens at this grid proved, refuted, typical?  json == NULL:
 * prints the text; else *json = a new object.  Returns the exit code; after an error that
 * was printed *json is NULL. */
int audit_chunk(const audit_options *o, const ckda_tracker_t t, int64_t grid,
                json_t **json);

#endif
