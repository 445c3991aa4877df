#include "quiet.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "cli.h"

static bool quiet;
static cli_verdict_line verdict_line;
static FILE *kept;           /* what stdout got so far */
static int real_stdout = -1; /* meanwhile */

static error_t
parse(int key, char *arg, struct argp_state *state)
{
    (void)arg;
    (void)state;
    if (key != 'q')
        return ARGP_ERR_UNKNOWN;
    quiet = true;
    return 0;
}

static const struct argp_option option_table[] = {
    {"quiet", 'q', NULL, 0,
     "No progress; the verdict alone, and in full only what does not hold", 0},
    {0}};

const struct argp cli_quiet_argp = {option_table, parse, NULL, NULL, NULL, NULL, NULL};

bool
cli_is_quiet(void)
{
    return quiet;
}

void
cli_quiet_choose(cli_verdict_line where)
{
    verdict_line = where;
}

/* Without a file to keep things in, all of it is shown: too much is no fault. */
void
cli_quiet_begin(void)
{
    if (!quiet || verdict_line == CLI_VERDICT_OWN || fflush(stdout) != 0)
        return;
    kept = tmpfile();
    if (kept == NULL)
        return;
    real_stdout = dup(STDOUT_FILENO);
    if (real_stdout >= 0 && dup2(fileno(kept), STDOUT_FILENO) >= 0)
        return;
    fclose(kept);
    kept = NULL;
}

/* One line of the text. */
static void
show_verdict(void)
{
    char *line = NULL, *shown = NULL;
    size_t room = 0;
    while (getline(&line, &room, kept) > 0) {
        free(shown);
        shown = line;
        line = NULL;
        room = 0;
        if (verdict_line == CLI_VERDICT_FIRST)
            break;
    }
    free(line);
    if (shown != NULL)
        fputs(shown, stdout);
    free(shown);
}

void
cli_quiet_end(int code)
{
    if (kept == NULL)
        return;
    fflush(stdout); /* an error stays with the stream, and is told at exit */
    if (dup2(real_stdout, STDOUT_FILENO) < 0)
        ckda_require(false, "standard output cannot be had back");
    close(real_stdout);
    rewind(kept);
    const int first = getc(kept);
    rewind(kept);
    if (code == EXIT_HOLDS && first != '{')
        show_verdict();
    else
        for (int c = getc(kept); c != EOF; c = getc(kept))
            putc(c, stdout);
    fclose(kept);
    kept = NULL;
}
