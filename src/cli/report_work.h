/* One report under way, shared by the files that fill it. */
#ifndef CKDA_SRC_CLI_REPORT_WORK_H
#define CKDA_SRC_CLI_REPORT_WORK_H
#include "picture.h"
#include "report_runs.h"
#include "steps.h"

/* While pictures are made, the working folder is theirs: data and script then name each
 * other without a path and can be moved together. */
typedef struct {
    ckda_page *page;
    const cli_report_want *w;
    cli_steps steps;
    const char *not_drawn; /* known after the first attempt */
} report_work;

/* Three sizes of one thing, by effort. */
uint64_t report_size(const report_work *r, uint64_t quick, uint64_t full, uint64_t deep);
/* Writes data and script, draws if gnuplot is there, and adds what came of it. */
ckda_status report_picture(report_work *r, const char *name, const char *title,
                           const char *caption, const cli_picture *p, ckda_error *err);

ckda_status report_drift(report_work *r, ckda_error *err);
uint64_t report_rounded_rows(const report_work *r); /* how many this effort runs */
/* Ends early, with CKDA_OK, when it is interrupted. */
ckda_status report_rounded(report_work *r, ckda_error *err);

#endif
