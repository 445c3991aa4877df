/* ckda/report_sweep.h -- `ckda sweep`: text, JSON (ckda.sweep/1), CSV, and the files that
 * gnuplot makes a picture of.  Reads, never decides. */
#ifndef CKDA_REPORT_SWEEP_H
#define CKDA_REPORT_SWEEP_H
#include <stdbool.h>
#include <stdio.h>

#include "ckda/sweep.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const ckda_sweep_struct *sweep;
    int figure;  /* of the paper; 0: none */
    bool narrow; /* the picture stands in a column that has its own title */
} ckda_sweep_report;

void ckda_report_sweep(FILE *out, bool json, const ckda_sweep_report *r);
/* One line a cell: x, y, kind; a head line with the names. */
void ckda_report_sweep_csv(FILE *out, const ckda_sweep_report *r);
/* Index 0: boxes of equal cells of a row: middle, edges, kind number.  The other indices:
 * points of the boundary curves. */
void ckda_report_sweep_data(FILE *out, const ckda_sweep_report *r);
/* A gnuplot script that reads the file `data` and writes an SVG to its output. */
void ckda_report_sweep_script(FILE *out, const char *data, const ckda_sweep_report *r);

#ifdef __cplusplus
}
#endif
#endif
