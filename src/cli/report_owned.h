/* What an earlier report in a folder lists as its own. */
#ifndef CKDA_SRC_CLI_REPORT_OWNED_H
#define CKDA_SRC_CLI_REPORT_OWNED_H
#include <stdbool.h>
#include <stddef.h>

/* Paths below the folder: "report.json", "pictures/levels.dat". */
typedef struct {
    char **path;
    size_t count;
} cli_owned;

/* By report.json in there; false, and nothing is owned, if that is not one of ours. */
bool cli_owned_read(cli_owned *o, const char *dir);
bool cli_owned_has(const cli_owned *o, const char *path);
/* Forgets what is in that folder as well. */
void cli_owned_leave_out(cli_owned *o, const char *dir);
/* Is there nothing in the folder that is not owned? */
bool cli_owned_is_all(const cli_owned *o, const char *dir);
void cli_owned_clear(cli_owned *o);

#endif
