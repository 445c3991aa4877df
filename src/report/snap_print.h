/* Shared by the text and the JSON of the SNAP theorem. */
#ifndef CKDA_SRC_REPORT_SNAP_PRINT_H
#define CKDA_SRC_REPORT_SNAP_PRINT_H
#include "ckda/report_snap.h"

enum { CKDA_REPORT_DIGITS = 6 }; /* significant ones of a decimal */

/* The least and the largest number that x may be, cut outwards to decimals; free() both. */
void ckda_report_bounds(char **lower, char **upper, const arb_t x);

#endif
