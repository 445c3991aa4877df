/* While a command runs: interruptions and a line of progress. */
#ifndef CKDA_SRC_CLI_WATCH_H
#define CKDA_SRC_CLI_WATCH_H
#include <signal.h>
#include <stdbool.h>

/* From now on the first SIGINT or SIGTERM sets what is returned; a second one kills. */
const volatile sig_atomic_t *cli_catch_interrupt(void);
/* Is stderr a terminal that can rewrite a line, and did nobody say --quiet? */
bool cli_shows_progress(void);
/* Rewrites the line; cli_end_progress wipes it away if there is one. */
void cli_progress(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void cli_end_progress(void);
/* After a search that `limit` stopped (NULL: none did): a line on stderr that says how it
 * goes on.  checkpoint: the file that keeps it, or NULL. */
void cli_say_how_to_resume(const char *limit, const char *checkpoint);

#endif
