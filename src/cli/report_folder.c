#define _XOPEN_SOURCE 700 /* realpath */
#include "report_folder.h"
#include "cli.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ckda/doc.h"
#include "ckda/temporary.h"

char *
cli_folder_path(const char *folder, const char *name)
{
    const size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    ckda_require_memory(path != NULL);
    snprintf(path, size, "%s/%s", folder, name);
    return path;
}

static ckda_status
system_error(const char *path, const char *what, ckda_error *err)
{
    ckda_error_set(err, "%s: %s: %s", path, what, strerror(errno));
    return CKDA_E_IO;
}

/* The next entry that is neither "." nor ".."; NULL at the end. */
static const char *
next_name(DIR *d)
{
    for (const struct dirent *e; (e = readdir(d)) != NULL;)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            return e->d_name;
    return NULL;
}

static bool
is_folder(const char *path)
{
    struct stat s;
    return lstat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

/* ---- is there room? ------------------------------------------------------------------- */

static bool
is_earlier_report(const char *dir)
{
    const char *schema = NULL;
    ckda_doc *doc = NULL;
    char *path = cli_folder_path(dir, "report.json");
    const bool read = ckda_doc_open(&doc, path, NULL) == CKDA_OK;
    free(path);
    if (!read)
        return false;
    const ckda_node root = ckda_doc_root(doc);
    const bool ours = ckda_node_get_string(&schema, &root, "schema", NULL) == CKDA_OK
                      && strcmp(schema, "ckda.report/1") == 0;
    ckda_doc_close(&doc);
    return ours;
}

ckda_status
cli_folder_check(const char *dir, bool force, ckda_error *err)
{
    DIR *d = opendir(dir);
    if (d == NULL)
        return errno == ENOENT && *dir != '\0'
                   ? cli_check_parent(dir, err)
                   : system_error(dir, "cannot be the folder of a report", err);
    const bool empty = next_name(d) == NULL;
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

ckda_status
cli_folder_begin(char **work, const char *dir, ckda_error *err)
{
    char *there = realpath(dir, NULL); /* so that "." has something beside it */
    const char *name = there != NULL ? there : dir;
    size_t len = strlen(name);
    while (len > 1 && name[len - 1] == '/')
        len--;
    char *path = malloc(len + sizeof ".XXXXXX");
    ckda_require_memory(path != NULL);
    sprintf(path, "%.*s.XXXXXX", (int)len, name);
    free(there);
    if (mkdtemp(path) == NULL) {
        const ckda_status st = system_error(dir, "nothing can be made beside it", err);
        free(path);
        return st;
    }
    note_unfinished(path);
    const mode_t mask = umask(0);
    umask(mask);
    if (chmod(path, 0777 & ~mask) != 0) {
        const ckda_status st = system_error(path, "cannot be opened to readers", err);
        cli_folder_abandon(path);
        free(path);
        return st;
    }
    *work = path;
    return CKDA_OK;
}

static void
remove_folder(const char *work)
{
    DIR *d = opendir(work);
    if (d != NULL) {
        for (const char *name; (name = next_name(d)) != NULL;) {
            char *path = cli_folder_path(work, name);
            if (is_folder(path))
                remove_folder(path);
            else
                (void)unlink(path);
            free(path);
        }
        closedir(d);
    }
    (void)rmdir(work);
}

void
cli_folder_abandon(const char *work)
{
    remove_folder(work);
    forget_unfinished();
}

/* ---- into its place ------------------------------------------------------------------- */

static ckda_status move_all(const char *from, const char *to, ckda_error *err);

static ckda_status
move_one(const char *from, const char *to, ckda_error *err)
{
    if (is_folder(from)) {
        if (mkdir(to, 0777) != 0 && errno != EEXIST)
            return system_error(to, "cannot be made", err);
        return move_all(from, to, err);
    }
    return rename(from, to) == 0 ? CKDA_OK : system_error(to, "cannot be written", err);
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
        return system_error(from, "cannot be read", err);
    for (const char *name; st == CKDA_OK && (name = next_name(d)) != NULL;) {
        if (strcmp(name, "index.html") == 0)
            has_page = true;
        else
            st = move_named(from, to, name, err);
    }
    closedir(d);
    return st == CKDA_OK && has_page ? move_named(from, to, "index.html", err) : st;
}

ckda_status
cli_folder_finish(const char *work, const char *dir, ckda_error *err)
{
    if (rename(work, dir) == 0) {
        forget_unfinished();
        return CKDA_OK;
    }
    DIR *d = opendir(dir); /* through a link as well */
    if (d == NULL)
        return system_error(dir, "cannot be made", err);
    closedir(d);
    const ckda_status st = move_all(work, dir, err);
    if (st == CKDA_OK)
        cli_folder_abandon(work);
    return st;
}
