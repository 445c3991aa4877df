/* --quiet, the same for every command: no progress; of what holds the verdict alone, and
 * all of what does not. */
#ifndef CKDA_SRC_CLI_QUIET_H
#define CKDA_SRC_CLI_QUIET_H
#include <argp.h>
#include <stdbool.h>
#include <stdio.h>

/* Where a command's text has its verdict. */
typedef enum {
    CLI_VERDICT_OWN,    /* the command itself knows what to leave out */
    CLI_VERDICT_WHOLE,  /* the text is what was asked for */
    CLI_VERDICT_FIRST,  /* the first line */
    CLI_VERDICT_LAST,   /* the last line */
    CLI_VERDICT_LABELS, /* lines with certain labels; the first if there are none */
} cli_verdict_kind;

enum { CLI_VERDICT_MAX_LABELS = 2 };

typedef struct {
    cli_verdict_kind kind;
    const char *label[CLI_VERDICT_MAX_LABELS]; /* the first word or words of a line */
} cli_verdict_line;

/* Its option, for argp: cli_parse gives it to every command without one of that key. */
extern const struct argp cli_quiet_argp;
bool cli_is_quiet(void);

void cli_quiet_choose(const cli_verdict_line *where); /* which is kept */
/* Was --quiet given, to a command whose text has a verdict line? */
bool cli_quiet_shortens(void);
/* Of a command's text the verdict, on stdout. */
void cli_quiet_show(FILE *text);

#endif
