/* A finished report goes to its place. */
#define _GNU_SOURCE /* renameat2 */
#include "report_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report_owned.h"

/* ---- in one step ---------------------------------------------------------------------- */

static int
exchange(const char *one, const char *other)
{
#ifdef RENAME_EXCHANGE
    return renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE);
#else
    (void)one;
    (void)other;
    errno = ENOSYS;
    return -1;
#endif
}

/* For systems and disks that cannot exchange: two steps, and between them both reports
 * are whole but neither is in its place. */
static bool
replaced_by_turns(const char *work, const char *dir)
{
    char *aside = cli_folder_new(dir, ".XXXXXX");
    if (aside == NULL)
        return false;
    bool good = rename(dir, aside) == 0;
    if (good && rename(work, dir) != 0) {
        good = false;
        (void)rename(aside, dir);
    }
    if (good)
        cli_folder_remove(aside);
    else
        (void)rmdir(aside);
    free(aside);
    return good;
}

static bool
is_within(const char *path, const char *dir)
{
    const size_t n = strlen(dir);
    return strncmp(path, dir, n) == 0 && (path[n] == '/' || path[n] == '\0' || n == 1);
}

/* Whoever stands in a folder that is exchanged finds himself in the old one. */
static bool
we_stand_in(const char *dir)
{
    char here[PATH_MAX];
    return realpath(".", here) == NULL || is_within(here, dir);
}

static bool
have_one_owner(const char *one, const char *other)
{
    struct stat a, b;
    return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_uid == b.st_uid
           && a.st_gid == b.st_gid;
}

static bool
replaced_at_once(const char *work, const char *dir, const cli_owned *earlier)
{
    if (is_within(work, dir) || we_stand_in(dir) || !have_one_owner(work, dir)
        || !cli_owned_is_all(earlier, dir))
        return false;
    return exchange(work, dir) == 0
           || ((errno == ENOSYS || errno == EINVAL) && replaced_by_turns(work, dir));
}

/* ---- file by file --------------------------------------------------------------------- */

static ckda_status move_all(const char *from, const char *to, ckda_error *err);

static ckda_status
move_one(const char *from, const char *to, ckda_error *err)
{
    if (cli_folder_is(from)) {
        if (mkdir(to, 0777) != 0 && errno != EEXIST)
            return cli_folder_error(to, "cannot be made", err);
        return move_all(from, to, err);
    }
    return rename(from, to) == 0 ? CKDA_OK
                                 : cli_folder_error(to, "cannot be written", err);
}

static ckda_status
move_named(const char *from, const char *to, const char *name, ckda_error *err)
{
    char *old = cli_folder_path(from, name), *new = cli_folder_path(to, name);
    const ckda_status st = move_one(old, new, err);
    free(old);
    free(new);
    return st;
}

/* The page comes last: it shows only what is there. */
static ckda_status
move_all(const char *from, const char *to, ckda_error *err)
{
    bool has_page = false;
    ckda_status st = CKDA_OK;
    DIR *d = opendir(from);
    if (d == NULL)
        return cli_folder_error(from, "cannot be read", err);
    for (const char *name; st == CKDA_OK && (name = cli_folder_next(d)) != NULL;) {
        if (strcmp(name, "index.html") == 0)
            has_page = true;
        else
            st = move_named(from, to, name, err);
    }
    closedir(d);
    return st == CKDA_OK && has_page ? move_named(from, to, "index.html", err) : st;
}

static void
remove_listed(const char *dir, const char *file)
{
    char *path = cli_folder_path(dir, file);
    (void)unlink(path);
    *strrchr(path, '/') = '\0';
    if (strcmp(path, dir) != 0)
        (void)rmdir(path); /* where that was the last one */
    free(path);
}

/* What the earlier report listed and the new one does not have goes last. */
static ckda_status
replaced_by_files(const char *work, const char *dir, cli_owned *earlier, ckda_error *err)
{
    cli_owned_leave_out(earlier, work);
    const ckda_status st = move_all(work, dir, err);
    for (size_t i = 0; st == CKDA_OK && i < earlier->count; i++)
        remove_listed(dir, earlier->path[i]);
    return st;
}

/* ---- both ----------------------------------------------------------------------------- */

static ckda_status
replace(const char *work, const char *dir, ckda_error *err)
{
    cli_owned earlier;
    cli_owned_read(&earlier, dir); /* nothing is owned where there is none */
    const ckda_status st = replaced_at_once(work, dir, &earlier)
                               ? CKDA_OK
                               : replaced_by_files(work, dir, &earlier, err);
    cli_owned_clear(&earlier);
    return st;
}

static ckda_status
put(const char *work, const char *dir, ckda_error *err)
{
    char *there = realpath(dir, NULL); /* a link stays one */
    if (there == NULL)
        return rename(work, dir) == 0 ? CKDA_OK
                                      : cli_folder_error(dir, "cannot be made", err);
    const ckda_status st = replace(work, there, err);
    free(there);
    return st;
}

ckda_status
cli_folder_finish(const char *work, const char *dir, ckda_error *err)
{
    cli_ends before;
    cli_folder_hold_ends(&before);
    const ckda_status st = put(work, dir, err);
    if (st == CKDA_OK)
        cli_folder_abandon(work); /* the earlier report lies there now, or nothing */
    cli_folder_let_ends(&before);
    return st;
}
