/* Ends of the program that no command chooses. */
#include "cli.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
#define SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED
#endif
#endif

static const char *volatile working_on;
static volatile sig_atomic_t in_tap;

void
cli_working_on(const char *what, bool tap)
{
    working_on = what;
    in_tap = tap;
}

/* Only calls that a signal handler may make.  A failed write cannot be reported any more.
 */
static void
say(int fd, const char *text)
{
    ssize_t written = write(fd, text, strlen(text));
    (void)written;
}

static void
on_fatal(int signal_number)
{
    say(STDERR_FILENO, signal_number == SIGABRT ? "ckda: internal error"
                                                : "ckda: internal error (crash)");
    if (working_on != NULL) {
        say(STDERR_FILENO, " in ");
        say(STDERR_FILENO, working_on);
    }
    say(STDERR_FILENO, "; this is a fault of the program, not an answer\n");
    if (in_tap)
        say(STDOUT_FILENO, "Bail out! internal error\n");
    _exit(EXIT_INTERNAL);
}

void
cli_catch_fatal(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = on_fatal;
    sigaction(SIGABRT, &action, NULL);
    sigaction(SIGFPE, &action, NULL);
    sigaction(SIGILL, &action, NULL);
#ifndef SANITIZED /* the sanitizer explains a crash better */
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
#endif
    /* A reader that went away is an error of writing, found at the end. */
    signal(SIGPIPE, SIG_IGN);
}

/* A pipe that nobody reads says so for ever, errno only once. */
static bool
reader_is_gone(int why)
{
    struct pollfd out = {.fd = STDOUT_FILENO};
    return why == EPIPE || (why == 0 && poll(&out, 1, 0) == 1 && (out.revents & POLLERR));
}

static void
check_stdout(void)
{
    bool failed = ferror(stdout) != 0;
    errno = 0;
    failed |= fflush(stdout) != 0;
    int why = errno;
    bool gone = failed && reader_is_gone(why);
    if (fclose(stdout) != 0 && errno != EBADF) {
        failed = true;
        why = errno;
    }
    if (failed) {
        /* `ckda list | head` is nobody's fault: no message. */
        if (!gone)
            fprintf(stderr, "ckda: cannot write to standard output: %s\n",
                    why != 0 ? strerror(why) : "an earlier write failed");
        _exit(EXIT_BAD_INPUT);
    }
}

void
cli_check_stdout_at_exit(void)
{
    int failed = atexit(check_stdout);
    ckda_require(failed == 0, "no room for a function at exit");
}
