#include "steps.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ckda/limits.h"
#include "watch.h"

bool
cli_may_color(FILE *out)
{
    const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return (no == NULL || no[0] == '\0') && isatty(fileno(out)) && terminal != NULL
           && strcmp(terminal, "dumb") != 0
           /* mpirun reads what it passes on through a terminal of its own */
           && getenv("OMPI_COMM_WORLD_SIZE") == NULL;
}

void
cli_steps_begin(cli_steps *s, uint64_t total)
{
    *s = (cli_steps){
        .total = total, .start = ckda_wall_seconds(), .on = cli_shows_progress()};
}

/* "3 s", "12 min", "2.5 h" */
static void
duration(char *text, size_t size, double seconds)
{
    if (seconds < 90)
        snprintf(text, size, "%.0f s", seconds);
    else if (seconds < 5400)
        snprintf(text, size, "%.0f min", seconds / 60);
    else
        snprintf(text, size, "%.1f h", seconds / 3600);
}

void
cli_steps_show(const cli_steps *s, const char *name)
{
    if (!s->on)
        return;
    const double seconds = ckda_wall_seconds() - s->start;
    /* the first few say little about the rest */
    if (s->done < 5 || seconds < 1) {
        cli_progress("%" PRIu64 " of %" PRIu64 ": %.36s", s->done, s->total, name);
        return;
    }
    char left[32];
    const double rate = (double)s->done / seconds;
    duration(left, sizeof left, (double)(s->total - s->done) / rate);
    cli_progress("%" PRIu64 " of %" PRIu64 ", %.3g/s, about %s left: %.36s", s->done,
                 s->total, rate, left, name);
}

void
cli_steps_done(cli_steps *s)
{
    s->done++;
    cli_end_progress();
}
