/* Ends of the program that no command chooses. */
#define _GNU_SOURCE /* on_exit */
#include "cli.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "answer.h"
#include "ckda/temporary.h"

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

/* What every sudden end does: no half of a file is left, a TAP stream is ended, and where
 * JSON was asked for, a document says why there is no answer. */
static void
leave(int code, const char *why, const char *bail_out)
{
    ckda_temporary_remove_all();
    cli_answer_lost(code, why);
    if (in_tap)
        say(STDOUT_FILENO, bail_out);
    _exit(code);
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
    leave(EXIT_INTERNAL, "internal error", "Bail out! internal error\n");
}

/* Of several threads one speaks.  What stdout still holds is no answer and stays there. */
static void
without_memory(void)
{
    static atomic_flag said = ATOMIC_FLAG_INIT;
    while (atomic_flag_test_and_set(&said))
        pause();
    say(STDERR_FILENO, "ckda: out of memory");
    if (working_on != NULL) {
        say(STDERR_FILENO, " in ");
        say(STDERR_FILENO, working_on);
    }
    say(STDERR_FILENO, "; undecided\n");
    leave(EXIT_UNDECIDED, "out of memory", "Bail out! out of memory\n");
}

void
cli_on_kill(int signal_number)
{
    ckda_temporary_remove_all();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void
catch_kill(int signal_number, struct sigaction *action)
{
    struct sigaction old;
    if (sigaction(signal_number, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
        sigaction(signal_number, action, NULL); /* nohup's wish is kept */
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
    action.sa_handler = cli_on_kill;
    catch_kill(SIGINT, &action);
    catch_kill(SIGTERM, &action);
    catch_kill(SIGHUP, &action);
    ckda_on_out_of_memory(without_memory);
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

static bool answered;

void
cli_has_answered(void)
{
    answered = true;
}

#ifdef __GLIBC__
/* The runtime of OpenMP ends a program for want of memory with the code of "refuted". */
static void
at_exit(int code, void *data)
{
    (void)data;
    if (code == EXIT_REFUTED && !answered) {
        say(STDERR_FILENO, "ckda: ended by a library, which said why; undecided\n");
        leave(EXIT_UNDECIDED, "ended by a library", "Bail out! ended by a library\n");
    }
    cli_answer_at_exit(code);
    check_stdout();
}
#endif

void
cli_check_stdout_at_exit(void)
{
#ifdef __GLIBC__
    int failed = on_exit(at_exit, NULL);
#else
    int failed = atexit(check_stdout);
#endif
    ckda_require_memory(failed == 0);
}
