/* ckda.sweep/1, for the page as well. */
#ifndef CKDA_SRC_REPORT_SWEEP_JSON_H
#define CKDA_SRC_REPORT_SWEEP_JSON_H
#include <jansson.h>
#include "ckda/report_sweep.h"

json_t *sweep_json(const ckda_sweep_report *r); /* a new reference */

#endif
