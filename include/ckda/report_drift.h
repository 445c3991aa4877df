/* ckda/report_drift.h -- `ckda audit` on words: text, JSON (ckda.audit/1), and the files
 * that gnuplot makes a picture of.  Reads, never computes or judges. */
#ifndef CKDA_REPORT_DRIFT_H
#define CKDA_REPORT_DRIFT_H
#include <stdio.h>

#include "ckda/drift.h"
#include "ckda/rounded.h"
#include "ckda/tracker.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char *system;
    const ckda_tracker_struct *tracker;
    const ckda_rounded_struct *rounded;
    const ckda_drift_options *options;
    const ckda_drift_result_struct *drift;
    const char *word;   /* as it was given; NULL: random words */
    const char *kernel; /* the chunk scheme in words; NULL: token by token */
    bool
        other_parameters; /* the kernel's are not those of `rounded`: norm_rate is void */
    const char *certificate; /* why no word at all can decode wrongly; NULL: not known */
} ckda_drift_report;

void ckda_report_drift(FILE *out, bool json, const ckda_drift_report *r);

/* Columns t, median, max, predicted by the norm law, margin / 2; a comment on top.  Rows
 * that are not finite, and zeros (the axes are logarithmic), are written as "?". */
void ckda_report_drift_data(FILE *out, const ckda_drift_report *r);
/* A gnuplot script that reads the file `data` and writes an SVG to its output.  gnuplot
 * takes a name that begins with '<' or '|' for a command: the caller gives none such. */
void ckda_report_drift_script(FILE *out, const char *data, const ckda_drift_report *r);

#ifdef __cplusplus
}
#endif
#endif
