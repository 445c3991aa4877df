#include "watch.h"

#include "cli.h"
#include "quiet.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted;

static void
on_interrupt(int signal_number)
{
    struct sigaction next = {.sa_handler = cli_on_kill};
    sigemptyset(&next.sa_mask);
    interrupted = 1;
    sigaction(signal_number, &next, NULL);
}

const volatile sig_atomic_t *
cli_catch_interrupt(void)
{
    struct sigaction a = {.sa_handler = on_interrupt};
    sigemptyset(&a.sa_mask);
    a.sa_flags = SA_RESTART;
    sigaction(SIGINT, &a, NULL);
    sigaction(SIGTERM, &a, NULL);
    return &interrupted;
}

bool
cli_shows_progress(void)
{
    const char *terminal = getenv("TERM");
    return !cli_is_quiet() && isatty(STDERR_FILENO) && terminal != NULL
           && strcmp(terminal, "dumb") != 0;
}

static bool on_a_line; /* does a line of progress stand on the terminal? */

void
cli_progress(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fputc('\r', stderr);
    vfprintf(stderr, fmt, ap);
    fputs("\033[K", stderr);
    va_end(ap);
    on_a_line = true;
}

void
cli_end_progress(void)
{
    if (on_a_line)
        fputs("\r\033[K", stderr);
    on_a_line = false;
}

void
cli_say_how_to_resume(const char *limit, const char *checkpoint)
{
    if (limit == NULL || cli_is_quiet())
        return;
    if (checkpoint != NULL && access(checkpoint, F_OK) == 0)
        fprintf(stderr,
                "ckda: the search is kept: the same command goes on with --resume %s\n",
                checkpoint);
    else if (interrupted)
        fputs("ckda: the search was not kept; --checkpoint FILE keeps one\n", stderr);
}
