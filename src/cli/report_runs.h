/* What `ckda report` computes besides the ledger: pictures, drift, rounded recurrences. */
#ifndef CKDA_SRC_CLI_REPORT_RUNS_H
#define CKDA_SRC_CLI_REPORT_RUNS_H
#include <signal.h>
#include "ckda/report_page.h"
#include "steps.h"

typedef struct {
    uint64_t seed;
    ckda_effort effort;    /* how fine, how long, how many rows */
    bool draw;             /* call gnuplot? */
    const char *not_drawn; /* if not, why */
    const char *folder;    /* where pictures/ is made */
    const volatile sig_atomic_t *stop;
} cli_report_want;

/* Runs everything and adds it to the page; data, scripts and pictures go into the folder.
 * A missing gnuplot is no error: the page says so.  CKDA_E_UNABLE when interrupted. */
CKDA_MUST_CHECK ckda_status cli_report_results(ckda_page *p, const cli_report_want *w,
                                               ckda_error *err);

#endif
