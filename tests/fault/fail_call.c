/* Runs a program and lets one of its calls to the system fail.
 *
 * usage: fail_call --preload fail_alloc.so [--list FILE] [--at N | --from N]
 *                  [--error ERRNO | --short] PROGRAM ARG...
 *
 * Counted are the calls that files are made of: write, pwrite, writev, fsync, rename, close,
 * open, mkdir, chmod, read; from the beginning of main on (fail_alloc.so says when
 * that is), standard error left out.  ERRNO is a number.  A call that fails does
 * nothing, but close does close.  --from is a disk that stays full: what only reads goes on.
 * --short: a write of several bytes takes half of them, a read likewise.  --list writes the
 * names of the calls in their order.  Exit code and signal are the program's.            */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>
#include "fault.h"

#if !defined(__x86_64__) && !defined(__aarch64__)
int
main(void)
{
    return FAULT_CANNOT;
}
#else

static const char *list_file, *preload;
static uint64_t fail_at;
static bool sticky, short_writes, begun;
static int error_number = ENOSPC;
static uint64_t counted;
static FILE *list;

/* ---- registers ------------------------------------------------------------------------- */

static bool
get_registers(pid_t pid, struct user_regs_struct *r)
{
    struct iovec v = {r, sizeof *r};
    return ptrace(PTRACE_GETREGSET, pid, (void *)NT_PRSTATUS, &v) == 0;
}

static void
set_registers(pid_t pid, struct user_regs_struct *r)
{
    struct iovec v = {r, sizeof *r};
    ptrace(PTRACE_SETREGSET, pid, (void *)NT_PRSTATUS, &v);
}

/* At the entry: nothing is done. */
static void
skip_call(pid_t pid)
{
#ifdef __x86_64__
    struct user_regs_struct r;
    if (get_registers(pid, &r)) {
        r.orig_rax = (unsigned long long)-1;
        set_registers(pid, &r);
    }
#else
    int none = -1;
    struct iovec v = {&none, sizeof none};
    ptrace(PTRACE_SETREGSET, pid, (void *)NT_ARM_SYSTEM_CALL, &v);
#endif
}

static void
set_result(pid_t pid, long result)
{
    struct user_regs_struct r;
    if (!get_registers(pid, &r))
        return;
#ifdef __x86_64__
    r.rax = (unsigned long long)result;
#else
    r.regs[0] = (unsigned long long)result;
#endif
    set_registers(pid, &r);
}

static void
set_third_argument(pid_t pid, uint64_t value)
{
    struct user_regs_struct r;
    if (!get_registers(pid, &r))
        return;
#ifdef __x86_64__
    r.rdx = value;
#else
    r.regs[2] = value;
#endif
    set_registers(pid, &r);
}

/* ---- which calls ------------------------------------------------------------------------ */

static const char *
name_of(const struct __ptrace_syscall_info *s)
{
    const uint64_t first = s->entry.args[0];
    switch (s->entry.nr) {
    case SYS_write:
    case SYS_pwrite64:
    case SYS_writev:
        return first != STDERR_FILENO ? "write" : NULL;
    case SYS_read:
    case SYS_pread64:
        return "read";
    case SYS_close:
        return first != STDERR_FILENO ? "close" : NULL;
    case SYS_fsync:
    case SYS_fdatasync:
        return "fsync";
    case SYS_renameat:
    case SYS_renameat2:
        return "rename";
    case SYS_openat:
        return "open";
    case SYS_mkdirat:
        return "mkdir";
    case SYS_fchmod:
    case SYS_fchmodat:
        return "chmod";
#ifdef __x86_64__
    case SYS_rename:
        return "rename";
    case SYS_open:
        return "open";
    case SYS_mkdir:
        return "mkdir";
    case SYS_chmod:
        return "chmod";
#endif
    default:
        return NULL;
    }
}

/* Files that are read, folders that are looked through. */
static bool
only_reads(const struct __ptrace_syscall_info *s)
{
    switch (s->entry.nr) {
    case SYS_read:
    case SYS_pread64:
        return true;
    case SYS_openat:
        return (s->entry.args[2] & (O_ACCMODE | O_CREAT)) == O_RDONLY;
#ifdef __x86_64__
    case SYS_open:
        return (s->entry.args[1] & (O_ACCMODE | O_CREAT)) == O_RDONLY;
#endif
    default:
        return false;
    }
}

/* ---- tracing ---------------------------------------------------------------------------- */

enum { THREADS = 64 };
static struct {
    pid_t pid;
    bool failing;
} thread[THREADS];

static bool *
failing(pid_t pid)
{
    size_t i = 0;
    while (i + 1 < THREADS && thread[i].pid != 0 && thread[i].pid != pid)
        i++;
    thread[i].pid = pid;
    return &thread[i].failing;
}

static void
at_entry(pid_t pid, const struct __ptrace_syscall_info *s)
{
    if (s->entry.nr == SYS_prctl && s->entry.args[0] == FAULT_BEGIN)
        begun = true;
    const char *name = begun ? name_of(s) : NULL;
    if (name == NULL)
        return;
    counted++;
    if (list != NULL)
        fprintf(list, "%s\n", name);
    if (fail_at == 0
        || (sticky ? counted < fail_at || only_reads(s) : counted != fail_at))
        return;
    if (short_writes) {
        if ((strcmp(name, "write") == 0 || strcmp(name, "read") == 0)
            && s->entry.nr != SYS_writev && s->entry.args[2] > 1)
            set_third_argument(pid, s->entry.args[2] / 2);
        return;
    }
    *failing(pid) = true;
    if (s->entry.nr != SYS_close)
        skip_call(pid);
}

static void
at_call(pid_t pid)
{
    struct __ptrace_syscall_info s;
    if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, (void *)sizeof s, &s) <= 0)
        return;
    if (s.op == PTRACE_SYSCALL_INFO_ENTRY) {
        at_entry(pid, &s);
    } else if (s.op == PTRACE_SYSCALL_INFO_EXIT && *failing(pid)) {
        *failing(pid) = false;
        set_result(pid, -error_number);
    }
}

static int
ended(int status)
{
    if (list != NULL)
        fclose(list);
    if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    }
    return WEXITSTATUS(status);
}

static int
trace(pid_t program)
{
    for (;;) {
        int status, pass_on = 0;
        const pid_t pid = waitpid(-1, &status, __WALL);
        if (pid < 0)
            return FAULT_CANNOT;
        if (!WIFSTOPPED(status)) {
            if (pid == program)
                return ended(status);
            continue;
        }
        if (WSTOPSIG(status) == (SIGTRAP | 0x80))
            at_call(pid);
        else if (status >> 16 == 0 && WSTOPSIG(status) != SIGSTOP)
            pass_on = WSTOPSIG(status);
        ptrace(PTRACE_SYSCALL, pid, NULL, (void *)(intptr_t)pass_on);
    }
}

static pid_t
start(char **argv)
{
    const long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC
                         | PTRACE_O_EXITKILL;
    int status;
    const pid_t pid = fork();
    if (pid == 0) {
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
            _exit(FAULT_CANNOT);
        raise(SIGSTOP);
        if (preload != NULL)
            setenv("LD_PRELOAD", preload, 1);
        execv(argv[0], argv);
        _exit(FAULT_CANNOT);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status)
        || ptrace(PTRACE_SETOPTIONS, pid, NULL, (void *)options) != 0
        || ptrace(PTRACE_SYSCALL, pid, NULL, NULL) != 0)
        exit(FAULT_CANNOT);
    return pid;
}

static char **
options_of(char **argv)
{
    for (; *argv != NULL && strncmp(*argv, "--", 2) == 0; argv++) {
        if (strcmp(*argv, "--short") == 0) {
            short_writes = true;
            continue;
        }
        const char *name = *argv++;
        if (strcmp(name, "--list") == 0)
            list_file = *argv;
        else if (strcmp(name, "--preload") == 0)
            preload = *argv;
        else if (strcmp(name, "--error") == 0)
            error_number = atoi(*argv);
        else
            fail_at = strtoull(*argv, NULL, 10);
        sticky |= strcmp(name, "--from") == 0;
    }
    return argv;
}

int
main(int argc, char **argv)
{
    (void)argc;
    char **program = options_of(argv + 1);
    if (*program == NULL)
        return FAULT_CANNOT;
    if (list_file != NULL && (list = fopen(list_file, "we")) == NULL)
        return FAULT_CANNOT;
    return trace(start(program));
}
#endif
