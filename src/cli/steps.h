/* Progress of commands that do many things in turn: a line with rate and time left, on a
 * terminal only. */
#ifndef CKDA_SRC_CLI_STEPS_H
#define CKDA_SRC_CLI_STEPS_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct {
    uint64_t done, total; /* things finished; of how many */
    double start;         /* on the clock of ckda_wall_seconds */
    bool on;              /* cli_shows_progress */
} cli_steps;

void cli_steps_begin(cli_steps *s, uint64_t total);
/* The line, for what is about to be done. */
void cli_steps_show(const cli_steps *s, const char *name);
/* Takes the line away, so that other text can be written; one more thing is done. */
void cli_steps_done(cli_steps *s);

/* May words on this stream be coloured?  A terminal that knows colours, and no NO_COLOR
 * (https://no-color.org). */
bool cli_may_color(FILE *out);

#endif
