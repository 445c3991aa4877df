#include "report_owned.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ckda/doc.h"
#include "report_folder.h"

static const char *const folders[] = {"pictures", "certificates"};
enum { FOLDERS = sizeof folders / sizeof folders[0] };

/* FOLDER/NAME of one of our folders and nothing that leads out of it: report.json is not
 * believed further than that. */
static bool
is_inside(const char *path)
{
    for (size_t i = 0; i < FOLDERS; i++) {
        const size_t n = strlen(folders[i]);
        if (strncmp(path, folders[i], n) != 0 || path[n] != '/')
            continue;
        const char *name = path + n + 1;
        return *name != '\0' && strchr(name, '/') == NULL && strcmp(name, ".") != 0
               && strcmp(name, "..") != 0;
    }
    return false;
}

static void
add(cli_owned *o, const char *path)
{
    char **grown = realloc(o->path, (o->count + 1) * sizeof *grown);
    ckda_require_memory(grown != NULL);
    o->path = grown;
    o->path[o->count] = strdup(path);
    ckda_require_memory(o->path[o->count] != NULL);
    o->count++;
}

static void
add_inside(cli_owned *o, const json_t *path)
{
    if (json_is_string(path) && is_inside(json_string_value(path)))
        add(o, json_string_value(path));
}

static void
add_drawing(cli_owned *o, const json_t *name)
{
    char path[128];
    if (!json_is_string(name) || strlen(json_string_value(name)) > sizeof path - 32)
        return;
    snprintf(path, sizeof path, "pictures/%s.svg", json_string_value(name));
    if (is_inside(path))
        add(o, path);
}

static void
add_listed(cli_owned *o, const json_t *report)
{
    size_t i;
    json_t *entry;
    add(o, "report.json");
    add(o, "index.html");
    /* an index that no report was asked for is somebody's own */
    const char *command = json_string_value(json_object_get(report, "command"));
    if (command != NULL && strstr(command, " --certificates") != NULL)
        add(o, "certificates/index.json");
    json_array_foreach(json_object_get(report, "pictures"), i, entry)
    {
        add_inside(o, json_object_get(entry, "data"));
        add_inside(o, json_object_get(entry, "script"));
        add_drawing(o, json_object_get(entry, "name"));
    }
    const json_t *certificates = json_object_get(report, "certificates");
    json_array_foreach(json_object_get(certificates, "files"), i, entry)
        add_inside(o, json_object_get(entry, "file"));
}

bool
cli_owned_read(cli_owned *o, const char *dir)
{
    ckda_doc *doc = NULL;
    char *path = cli_folder_path(dir, "report.json");
    const bool read = ckda_doc_open(&doc, path, NULL) == CKDA_OK;
    free(path);
    *o = (cli_owned){NULL, 0};
    if (!read)
        return false;
    const json_t *report = ckda_doc_root(doc).json;
    const char *schema = json_string_value(json_object_get(report, "schema"));
    if (schema != NULL && strcmp(schema, "ckda.report/1") == 0)
        add_listed(o, report);
    ckda_doc_close(&doc);
    return o->count > 0;
}

bool
cli_owned_has(const cli_owned *o, const char *path)
{
    for (size_t i = 0; i < o->count; i++)
        if (strcmp(o->path[i], path) == 0)
            return true;
    return false;
}

void
cli_owned_leave_out(cli_owned *o, const char *dir)
{
    size_t kept = 0;
    for (size_t i = 0; i < o->count; i++) {
        char *path = cli_folder_path(dir, o->path[i]);
        if (access(path, F_OK) == 0)
            free(o->path[i]);
        else
            o->path[kept++] = o->path[i];
        free(path);
    }
    o->count = kept;
}

static bool
is_our_folder(const char *name)
{
    for (size_t i = 0; i < FOLDERS; i++)
        if (strcmp(name, folders[i]) == 0)
            return true;
    return false;
}

/* below: "" or one of our folders with a slash. */
static bool
all_below(const cli_owned *o, const char *dir, const char *below)
{
    char *folder = cli_folder_path(dir, below);
    DIR *d = opendir(folder);
    bool good = d != NULL;
    for (const char *name; good && (name = cli_folder_next(d)) != NULL;) {
        struct stat s;
        char *path = cli_folder_path(folder, name);
        good = lstat(path, &s) == 0;
        free(path);
        if (!good)
            break;
        char *own = malloc(strlen(below) + strlen(name) + 2);
        ckda_require_memory(own != NULL);
        sprintf(own, "%s%s%s", below, name, S_ISDIR(s.st_mode) ? "/" : "");
        if (S_ISDIR(s.st_mode))
            good = *below == '\0' && is_our_folder(name) && all_below(o, dir, own);
        else
            good = S_ISREG(s.st_mode) && cli_owned_has(o, own);
        free(own);
    }
    if (d != NULL)
        closedir(d);
    free(folder);
    return good;
}

bool
cli_owned_is_all(const cli_owned *o, const char *dir)
{
    return all_below(o, dir, "");
}

void
cli_owned_clear(cli_owned *o)
{
    for (size_t i = 0; i < o->count; i++)
        free(o->path[i]);
    free(o->path);
    *o = (cli_owned){NULL, 0};
}
