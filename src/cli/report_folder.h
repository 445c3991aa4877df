/* The folder of `ckda report`: made where nobody looks, then moved to its place. */
#ifndef CKDA_SRC_CLI_REPORT_FOLDER_H
#define CKDA_SRC_CLI_REPORT_FOLDER_H
#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include "ckda/status.h"

/* May a report go there?  CKDA_OK: nothing is there, an empty folder, an earlier report, or
 * (with force) any folder.  CKDA_E_IO or CKDA_E_INPUT with a message otherwise. */
CKDA_MUST_CHECK ckda_status cli_folder_check(const char *dir, bool force,
                                             ckda_error *err);
/* *work is a new folder beside dir, or inside it where nothing can be moved from beside it
 * (a mounted folder, a parent that cannot be written to); free() the name.  CKDA_E_IO when
 * neither can be. */
CKDA_MUST_CHECK ckda_status cli_folder_begin(char **work, const char *dir,
                                             ckda_error *err);
/* Puts it in its place; whatever an earlier report lists there goes, all else stays.  In
 * one step, so that no sudden end leaves a mixture, where dir is new, or holds an earlier
 * report and nothing else, and nobody stands in it; otherwise file by file, each at once,
 * index.html last.  CKDA_E_IO with a message when a file cannot be moved. */
CKDA_MUST_CHECK ckda_status cli_folder_finish(const char *work, const char *dir,
                                              ckda_error *err);
/* Removes it with all that is in it; nothing happens if it is gone. */
void cli_folder_abandon(const char *work);

/* ---- for its own files ---------------------------------------------------------------- */

/* "FOLDER/NAME"; free(). */
char *cli_folder_path(const char *folder, const char *name);
/* The next entry that is neither "." nor ".."; NULL at the end. */
const char *cli_folder_next(DIR *d);
bool cli_folder_is(const char *path); /* a folder, and no link to one? */
void cli_folder_remove(const char *path);
/* path: what, and the system's words; returns CKDA_E_IO. */
ckda_status cli_folder_error(const char *path, const char *what, ckda_error *err);
/* A new empty folder FOLDER + TAIL, TAIL ending in XXXXXX; free() its name.  NULL with
 * errno. */
char *cli_folder_new(const char *folder, const char *tail);
/* From hold to let, Ctrl-C and its like wait, whichever thread they come to: for the few
 * steps in which a sudden end would leave something behind. */
enum { CLI_ENDS = 3 };
typedef struct {
    struct sigaction before[CLI_ENDS];
} cli_ends;
void cli_folder_hold_ends(cli_ends *e);
void cli_folder_let_ends(const cli_ends *e);

#endif
