#define _XOPEN_SOURCE 700 /* realpath */
#include "report_folder.h"
#include "cli.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ckda/temporary.h"
#include "report_owned.h"

char *
cli_folder_path(const char *folder, const char *name)
{
    const size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    ckda_require_memory(path != NULL);
    snprintf(path, size, "%s/%s", folder, name);
    return path;
}

ckda_status
cli_folder_error(const char *path, const char *what, ckda_error *err)
{
    ckda_error_set(err, "%s: %s: %s", path, what, strerror(errno));
    return CKDA_E_IO;
}

const char *
cli_folder_next(DIR *d)
{
    for (const struct dirent *e; (e = readdir(d)) != NULL;)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            return e->d_name;
    return NULL;
}

bool
cli_folder_is(const char *path)
{
    struct stat s;
    return lstat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

void
cli_folder_remove(const char *path)
{
    DIR *d = opendir(path);
    if (d != NULL) {
        for (const char *name; (name = cli_folder_next(d)) != NULL;) {
            char *entry = cli_folder_path(path, name);
            if (cli_folder_is(entry))
                cli_folder_remove(entry);
            else
                (void)unlink(entry);
            free(entry);
        }
        closedir(d);
    }
    (void)rmdir(path);
}

char *
cli_folder_new(const char *folder, const char *tail)
{
    size_t len = strlen(folder);
    while (len > 1 && folder[len - 1] == '/')
        len--;
    char *path = malloc(len + strlen(tail) + 1);
    ckda_require_memory(path != NULL);
    sprintf(path, "%.*s%s", (int)len, folder, tail);
    if (mkdtemp(path) != NULL)
        return path;
    const int why = errno;
    free(path);
    errno = why;
    return NULL;
}

static volatile sig_atomic_t waiting;
static const int held[CLI_ENDS] = {SIGINT, SIGTERM, SIGHUP};

static void
wait_for_us(int signal_number)
{
    waiting = signal_number;
}

void
cli_folder_hold_ends(cli_ends *e)
{
    struct sigaction action = {.sa_handler = wait_for_us};
    sigemptyset(&action.sa_mask);
    waiting = 0;
    for (int i = 0; i < CLI_ENDS; i++) {
        sigaction(held[i], NULL, &e->before[i]);
        if (e->before[i].sa_handler != SIG_IGN) /* nohup's wish is kept */
            sigaction(held[i], &action, NULL);
    }
}

void
cli_folder_let_ends(const cli_ends *e)
{
    for (int i = 0; i < CLI_ENDS; i++)
        sigaction(held[i], &e->before[i], NULL);
    if (waiting != 0)
        raise(waiting);
}

/* ---- is there room? ------------------------------------------------------------------- */

static bool
is_earlier_report(const char *dir)
{
    cli_owned own;
    const bool ours = cli_owned_read(&own, dir);
    cli_owned_clear(&own);
    return ours;
}

ckda_status
cli_folder_check(const char *dir, bool force, ckda_error *err)
{
    DIR *d = opendir(dir);
    if (d == NULL)
        return errno == ENOENT && *dir != '\0'
                   ? cli_check_parent(dir, err)
                   : cli_folder_error(dir, "cannot be the folder of a report", err);
    const bool empty = cli_folder_next(d) == NULL;
    closedir(d);
    if (empty || force || is_earlier_report(dir))
        return CKDA_OK;
    ckda_error_set(err,
                   "%s: expected a new or empty folder or an earlier report, found other "
                   "files; --force writes beside them",
                   dir);
    return CKDA_E_INPUT;
}

/* ---- the work folder ------------------------------------------------------------------ */

/* The one that there is: its whole path, for ends that nobody expects. */
static char unfinished[PATH_MAX];
static int ticket = -1;

static void
note_unfinished(const char *work)
{
    if (realpath(work, unfinished) != NULL)
        ticket = ckda_temporary_add(unfinished);
}

static void
forget_unfinished(void)
{
    ckda_temporary_forget(ticket);
    ticket = -1;
}

/* Beside the folder where things can be moved from there, else inside it.  That it can be
 * written to at all is known before the work. */
static char *
made_for(const char *there)
{
    char *inside = cli_folder_new(there, "/.ckda-report.XXXXXX");
    if (inside == NULL)
        return NULL;
    char *beside = cli_folder_new(there, ".XXXXXX");
    if (beside == NULL)
        return inside;
    char *probe = cli_folder_path(beside, "probe");
    const bool movable = rename(inside, probe) == 0;
    (void)rmdir(movable ? probe : beside);
    free(probe);
    free(movable ? inside : beside);
    return movable ? beside : inside;
}

/* As the folder that is there, or as any new one. */
static mode_t
mode_for(const char *there)
{
    struct stat s;
    const mode_t mask = umask(0);
    umask(mask);
    return there != NULL && stat(there, &s) == 0 ? s.st_mode & 07777 : 0777 & ~mask;
}

static ckda_status
begin(char **work, const char *dir, const char *there, ckda_error *err)
{
    char *path = there != NULL ? made_for(there) : cli_folder_new(dir, ".XXXXXX");
    if (path == NULL)
        return cli_folder_error(
            dir, there != NULL ? "cannot be written to" : "nothing can be made beside it",
            err);
    note_unfinished(path);
    if (chmod(path, mode_for(there)) != 0) {
        const ckda_status st = cli_folder_error(path, "cannot be opened to readers", err);
        cli_folder_abandon(path);
        free(path);
        return st;
    }
    *work = path;
    return CKDA_OK;
}

ckda_status
cli_folder_begin(char **work, const char *dir, ckda_error *err)
{
    cli_ends before;
    char *there = realpath(dir, NULL); /* so that "." has something beside it */
    cli_folder_hold_ends(&before);
    const ckda_status st = begin(work, dir, there, err);
    cli_folder_let_ends(&before);
    free(there);
    return st;
}

void
cli_folder_abandon(const char *work)
{
    cli_folder_remove(work);
    forget_unfinished();
}
