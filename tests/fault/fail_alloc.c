/* A library to be loaded before the C library (LD_PRELOAD) that lets allocations fail.
 *
 * Allocations (malloc, calloc, realloc, posix_memalign, aligned_alloc) are counted from the
 * beginning of main, so that what the dynamic loader does is not disturbed.  Environment:
 *   FAULT_AT=n    the n-th fails, once
 *   FAULT_FROM=n  the n-th and all later ones fail
 *   FAULT_LIST=f  nothing fails; at the end, into the file f: the number of allocations, then
 *                 the number of the first one from each place (return addresses), a line each
 *   FAULT_FORK=f  at every FAULT_STEP-th allocation a copy of the process (fork) goes on without
 *                 it; into f: how many copies, the allocation at which that ended because the
 *                 working folder had changed (0: never; a copy would remove the original's
 *                 files), and the number of each whose copy did anything but say nothing on
 *                 stdout, "out of memory" on stderr, and end with exit code 3
 * The variables and LD_PRELOAD are taken out of the environment: programs that the program
 * starts are left alone.                                                                  */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "fault.h"

/* What glibc calls its own; dlsym would allocate. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

enum { DEPTH = 14, SLOTS = 1 << 18, FILES = 32 };

static bool counting, sticky;
static uint64_t counted, fail_at;
static const char *list_file, *fork_file;
static uint64_t step = 1, copies, changed_at;
static struct timespec folder_time;
static _Thread_local bool inside;

static uint64_t slot_of[SLOTS], first_of[SLOTS];
static size_t places;

/* ---- which places allocate --------------------------------------------------------------- */

static void
note_place(uint64_t n)
{
    void *at[DEPTH];
    uint64_t hash = UINT64_C(1469598103934665603);
    inside = true;
    const int depth = backtrace(at, DEPTH);
    for (int i = 2; i < depth; i++)
        hash = (hash ^ (uint64_t)(uintptr_t)at[i]) * UINT64_C(1099511628211);
    hash |= 1;
    size_t s = (size_t)(hash >> 20) % SLOTS;
    while (slot_of[s] != 0 && slot_of[s] != hash)
        s = (s + 1) % SLOTS;
    if (slot_of[s] == 0 && places < SLOTS / 2) {
        slot_of[s] = hash;
        first_of[places++] = n;
    }
    inside = false;
}

/* ---- copies ------------------------------------------------------------------------------- */

static struct timespec
time_of_folder(void)
{
    struct stat s;
    return stat(".", &s) == 0 ? s.st_mtim : (struct timespec){0};
}

static bool
says(int fd, const char *want)
{
    char text[512];
    const ssize_t got = pread(fd, text, sizeof text - 1, 0);
    text[got > 0 ? got : 0] = '\0';
    return want == NULL ? got == 0 : strstr(text, want) != NULL;
}

/* True in the copy. */
static bool
in_copy(uint64_t n)
{
    int status = 0;
    off_t at[FILES];
    for (int fd = 0; fd < FILES; fd++) /* the copy reads from the same open files */
        at[fd] = lseek(fd, 0, SEEK_CUR);
    const int out = memfd_create("out", 0), err = memfd_create("err", 0);
    copies++;
    const pid_t pid = fork();
    if (pid == 0) {
        counting = false;
        dup2(out, STDOUT_FILENO);
        dup2(err, STDERR_FILENO);
        alarm(60);
        return true;
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status)
        || WEXITSTATUS(status) != 3 || !says(out, NULL) || !says(err, "out of memory"))
        first_of[places++] = n;
    close(out);
    close(err);
    for (int fd = 0; fd < FILES; fd++)
        if (at[fd] >= 0)
            lseek(fd, at[fd], SEEK_SET);
    return false;
}

static bool
fails_in_copy(uint64_t n)
{
    if (changed_at != 0 || n % step != 0 || places == SLOTS)
        return false;
    const struct timespec now = time_of_folder();
    if (now.tv_sec != folder_time.tv_sec || now.tv_nsec != folder_time.tv_nsec) {
        changed_at = n;
        return false;
    }
    inside = true;
    const bool copy = in_copy(n);
    inside = false;
    return copy;
}

/* ---- the end ------------------------------------------------------------------------------ */

__attribute__((destructor)) static void
write_list(void)
{
    const char *file = list_file != NULL ? list_file : fork_file;
    FILE *f = counting && file != NULL ? fopen(file, "w") : NULL;
    counting = false;
    if (f == NULL)
        return;
    if (fork_file != NULL)
        fprintf(f, "%llu\n%llu\n", (unsigned long long)copies,
                (unsigned long long)changed_at);
    else
        fprintf(f, "%llu\n", (unsigned long long)counted);
    for (size_t i = 0; i < places; i++)
        fprintf(f, "%llu\n", (unsigned long long)first_of[i]);
    fclose(f);
}

/* ---- the beginning ------------------------------------------------------------------------ */

static uint64_t
number(const char *name)
{
    const char *text = getenv(name);
    return text != NULL ? strtoull(text, NULL, 10) : 0;
}

__attribute__((constructor)) static void
begin(void)
{
    void *at[2];
    fail_at = number("FAULT_AT");
    sticky = fail_at == 0;
    if (sticky)
        fail_at = number("FAULT_FROM");
    list_file = getenv("FAULT_LIST");
    if (list_file != NULL) {
        list_file = strdup(list_file);
        backtrace(at, 2); /* loads what it needs now */
    }
    fork_file = getenv("FAULT_FORK");
    if (fork_file != NULL) {
        fork_file = strdup(fork_file);
        step = number("FAULT_STEP");
        folder_time = time_of_folder();
    }
    unsetenv("FAULT_FORK");
    unsetenv("FAULT_STEP");
    unsetenv("FAULT_AT");
    unsetenv("FAULT_FROM");
    unsetenv("FAULT_LIST");
    unsetenv("LD_PRELOAD");
}

static int (*real_main)(int, char **, char **);

static int
counted_main(int argc, char **argv, char **environment)
{
    prctl(FAULT_BEGIN, 0, 0, 0, 0);
    counting = true;
    return real_main(argc, argv, environment);
}

typedef int start(int (*)(int, char **, char **), int, char **, void (*)(void),
                  void (*)(void), void (*)(void), void *);

int __libc_start_main(int (*program)(int, char **, char **), int argc, char **argv,
                      void (*init)(void), void (*fini)(void), void (*loader_fini)(void),
                      void *stack);

int
__libc_start_main(int (*program)(int, char **, char **), int argc, char **argv,
                  void (*init)(void), void (*fini)(void), void (*loader_fini)(void),
                  void *stack)
{
    start *next = NULL;
    *(void **)&next = dlsym(RTLD_NEXT, "__libc_start_main");
    real_main = program;
    return next(counted_main, argc, argv, init, fini, loader_fini, stack);
}

/* ---- allocations -------------------------------------------------------------------------- */

static bool
fails(void)
{
    if (!counting || inside)
        return false;
    const uint64_t n = __atomic_add_fetch(&counted, 1, __ATOMIC_RELAXED);
    if (list_file != NULL)
        note_place(n);
    if (fork_file != NULL)
        return fails_in_copy(n);
    return fail_at != 0 && (sticky ? n >= fail_at : n == fail_at);
}

static void *
none(void)
{
    errno = ENOMEM;
    return NULL;
}

void *
malloc(size_t size)
{
    return fails() ? none() : __libc_malloc(size);
}

void *
calloc(size_t count, size_t size)
{
    return fails() ? none() : __libc_calloc(count, size);
}

void *
realloc(void *old, size_t size)
{
    return fails() ? none() : __libc_realloc(old, size);
}

int
posix_memalign(void **p, size_t alignment, size_t size)
{
    void *got = fails() ? NULL : __libc_memalign(alignment, size);
    if (got == NULL)
        return ENOMEM;
    *p = got;
    return 0;
}

void *
aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? none() : __libc_memalign(alignment, size);
}
