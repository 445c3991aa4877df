/* What the commands that read one document share: `ckda NAME [--json] FILE`. */
#ifndef CKDA_SRC_CLI_FILE_COMMAND_H
#define CKDA_SRC_CLI_FILE_COMMAND_H
#include "cli.h"

typedef struct {
    bool json;
    const char *file;
} cli_file_options;

void cli_parse_file(cli_file_options *o, int argc, char **argv, const char *doc);
/* As cli_fail; the message is made to name the file. */
int cli_fail_on_file(ckda_status status, const char *file, ckda_error *err);

#endif
