#include "quiet.h"

#include <stdlib.h>
#include <string.h>
#include "cli.h"

static bool quiet;
static const cli_verdict_line *verdict;

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

/* What --help says of it. */
static char *
help(int key, const char *text, void *input)
{
    static const char whole[] =
        "For scripts that give it to every command: no progress.  "
        "The text is what was asked for and is printed in full";
    (void)input;
    if (key != 'q' || verdict == NULL || verdict->kind != CLI_VERDICT_WHOLE)
        return (char *)text;
    char *copy = strdup(whole); /* argp frees it */
    ckda_require_memory(copy != NULL);
    return copy;
}

const struct argp cli_quiet_argp = {option_table, parse, NULL, NULL, NULL, help, NULL};

bool
cli_is_quiet(void)
{
    return quiet;
}

void
cli_quiet_choose(const cli_verdict_line *where)
{
    verdict = where;
}

bool
cli_quiet_shortens(void)
{
    return quiet && verdict != NULL && verdict->kind != CLI_VERDICT_OWN
           && verdict->kind != CLI_VERDICT_WHOLE;
}

static bool
has_label(const char *line)
{
    line += strspn(line, " ");
    for (int i = 0; i < CLI_VERDICT_MAX_LABELS && verdict->label[i] != NULL; i++)
        if (strncmp(line, verdict->label[i], strlen(verdict->label[i])) == 0)
            return true;
    return false;
}

static bool
is_shown(const char *line, size_t number)
{
    return verdict->kind == CLI_VERDICT_FIRST ? number == 0 : has_label(line);
}

void
cli_quiet_show(FILE *text)
{
    char *line = NULL, *other = NULL; /* the last line, or the first */
    size_t room = 0, number = 0, shown = 0;
    for (; getline(&line, &room, text) > 0; number++)
        if (is_shown(line, number)) {
            fputs(line, stdout);
            shown++;
        } else if (number == 0 || verdict->kind == CLI_VERDICT_LAST) {
            free(other);
            other = line;
            line = NULL;
            room = 0;
        }
    if (shown == 0 && other != NULL)
        fputs(other, stdout);
    free(line);
    free(other);
}
