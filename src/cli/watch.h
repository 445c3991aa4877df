/* While a command runs: interruptions and a line of progress. */
#ifndef CKDA_SRC_CLI_WATCH_H
#define CKDA_SRC_CLI_WATCH_H
#include <signal.h>
#include <stdbool.h>

/* From now on the first SIGINT sets what is returned; a second one kills. */
const volatile sig_atomic_t *cli_catch_interrupt(void);
/* Is stderr a terminal that can rewrite a line? */
bool cli_shows_progress(void);
/* Rewrites the line; cli_end_progress wipes it away if there is one. */
void cli_progress(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void cli_end_progress(void);

#endif
