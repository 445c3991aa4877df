/* What a command writes to standard output, kept until its exit code is known: of that
 * --quiet shows a part, and with --json a command that has no answer writes one document
 * all the same, which says so (ckda.error/1). */
#ifndef CKDA_SRC_CLI_ANSWER_H
#define CKDA_SRC_CLI_ANSWER_H
#include <stdbool.h>

/* --json was among the options; told before they are parsed, since that may end the program. */
void cli_answer_in_json(void);
/* From here to the end standard output is kept, with --json or where --quiet wants it. */
void cli_answer_begin(void);
/* Why there may be no answer, as on standard error; the first such text counts. */
void cli_answer_because(const char *why);
/* Shows what was kept, or the document of a failure.  Returns the code; EXIT_BAD_INPUT, with a
 * message, where what was kept cannot be read back. */
int cli_answer_end(int code);

/* Where the program ends without cli_answer_end: by exit, which argp and libraries do; and
 * by a sudden end, in a signal handler (`why` needs no escapes). */
void cli_answer_at_exit(int code);
void cli_answer_lost(int code, const char *why);

#endif
