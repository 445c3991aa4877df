/* --quiet, the same for every command: no progress; of what holds the verdict alone, and
 * all of what does not. */
#ifndef CKDA_SRC_CLI_QUIET_H
#define CKDA_SRC_CLI_QUIET_H
#include <argp.h>
#include <stdbool.h>

/* Where a command's text has its verdict. */
typedef enum {
    CLI_VERDICT_OWN,   /* the command itself knows what to leave out */
    CLI_VERDICT_FIRST, /* the first line */
    CLI_VERDICT_LAST   /* the last line */
} cli_verdict_line;

/* Its option, for argp: cli_parse gives it to every command without one of that key. */
extern const struct argp cli_quiet_argp;
bool cli_is_quiet(void);

/* Around a command: what it will write is kept from after its options were read
 * (cli_quiet_begin, which does nothing unless --quiet was among them) to the end, where its
 * exit code says what is shown.  A JSON document is shown in full. */
void cli_quiet_choose(cli_verdict_line where);
void cli_quiet_begin(void);
void cli_quiet_end(int code);

#endif
