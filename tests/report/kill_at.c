/* A library to be loaded before the C library (LD_PRELOAD): a sudden end between two steps.
 *
 * Counted are rename, renameat2, unlink and rmdir.  Environment:
 *   KILL_AT=n         before the n-th is done, the process gets a signal
 *   KILL_BY=s         which one (default SIGKILL); what survives it goes on
 *   KILL_NO_EXCHANGE  renameat2 says that this disk cannot exchange
 * The variables and LD_PRELOAD are taken out of the environment: programs that the program
 * starts are left alone.                                                                 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static long at, counted;
static int by = SIGKILL;
static bool no_exchange;

__attribute__((constructor)) static void
begin(void)
{
    const char *n = getenv("KILL_AT"), *s = getenv("KILL_BY");
    at = n != NULL ? strtol(n, NULL, 10) : 0;
    by = s != NULL ? (int)strtol(s, NULL, 10) : SIGKILL;
    no_exchange = getenv("KILL_NO_EXCHANGE") != NULL;
    unsetenv("KILL_AT");
    unsetenv("KILL_BY");
    unsetenv("KILL_NO_EXCHANGE");
    unsetenv("LD_PRELOAD");
}

static void
count(void)
{
    if (++counted == at)
        kill(getpid(), by);
}

/* The function of this name that is asked otherwise. */
static void
find(void *function, const char *name)
{
    *(void **)function = dlsym(RTLD_NEXT, name);
}

int
rename(const char *from, const char *to)
{
    int (*next)(const char *, const char *);
    find(&next, "rename");
    count();
    return next(from, to);
}

int
renameat2(int from_folder, const char *from, int to_folder, const char *to,
          unsigned int flags)
{
    int (*next)(int, const char *, int, const char *, unsigned int);
    find(&next, "renameat2");
    count();
    if (no_exchange) {
        errno = EINVAL;
        return -1;
    }
    return next(from_folder, from, to_folder, to, flags);
}

int
unlink(const char *path)
{
    int (*next)(const char *);
    find(&next, "unlink");
    count();
    return next(path);
}

int
rmdir(const char *path)
{
    int (*next)(const char *);
    find(&next, "rmdir");
    count();
    return next(path);
}
