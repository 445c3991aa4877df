/* The folder of `ckda report`: made beside its place and moved there when it is whole. */
#ifndef CKDA_SRC_CLI_REPORT_FOLDER_H
#define CKDA_SRC_CLI_REPORT_FOLDER_H
#include <stdbool.h>
#include "ckda/status.h"

/* May a report go there?  CKDA_OK: nothing is there, an empty folder, an earlier report, or
 * (with force) any folder.  CKDA_E_IO or CKDA_E_INPUT with a message otherwise. */
CKDA_MUST_CHECK ckda_status cli_folder_check(const char *dir, bool force,
                                             ckda_error *err);
/* *work is a new folder beside dir; free() the name. */
CKDA_MUST_CHECK ckda_status cli_folder_begin(char **work, const char *dir,
                                             ckda_error *err);
/* Puts it in its place: as a whole where nothing or an empty folder is, else file by file,
 * each at once, index.html last; files of other names stay. */
CKDA_MUST_CHECK ckda_status cli_folder_finish(const char *work, const char *dir,
                                              ckda_error *err);
/* Removes it with all that is in it; nothing happens if it is gone. */
void cli_folder_abandon(const char *work);
/* "FOLDER/NAME"; free(). */
char *cli_folder_path(const char *folder, const char *name);

#endif
