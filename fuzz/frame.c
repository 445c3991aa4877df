/* The frame around the targets: both mains, scratch files, checks. */
#define _XOPEN_SOURCE 700
#include "fuzz.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ckda/flint_compat.h"

/* ---- checks ------------------------------------------------------------------------- */

void
fuzz_failed(const char *file, int line, const char *cond, const char *fmt, ...)
{
    va_list ap;
    fprintf(stderr, "%s:%d: expected %s: ", file, line, cond);
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputc('\n', stderr);
    abort();
}

bool
fuzz_read(ckda_status st, const ckda_error *err, const char *place)
{
    if (st == CKDA_OK)
        return true;
    if (getenv("CKDA_FUZZ_VERBOSE") != NULL)
        fprintf(stderr, "%s\n", err->text);
    fuzz_check(st == CKDA_E_INPUT || st == CKDA_E_UNABLE, "status %d: %s", (int)st,
               err->text);
    fuzz_check(strncmp(err->text, place, strlen(place)) == 0
                   && err->text[strlen(place)] != '\0',
               "no place in front of: %s", err->text);
    for (const char *c = err->text; *c != '\0'; c++)
        fuzz_check((unsigned char)*c >= ' ' && *c != 0x7f, "control byte %d in: %s",
                   (int)*c, err->text);
    return false;
}

/* ---- texts and documents -------------------------------------------------------------- */

char *
fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    fuzz_check(text != NULL, "out of memory");
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

ckda_doc *
fuzz_parse(const uint8_t *data, size_t size)
{
    ckda_error err = {""};
    ckda_doc *doc = NULL;
    char *text = fuzz_text(data, size);
    const ckda_status st = ckda_doc_parse_bytes(&doc, text, size, FUZZ_NAME, &err);
    free(text);
    return fuzz_read(st, &err, FUZZ_NAME ": ") ? doc : NULL;
}

/* ---- scratch files -------------------------------------------------------------------- */

static char folder[256];

void
fuzz_sweep_folder(void)
{
    DIR *d = opendir(fuzz_folder());
    fuzz_check(d != NULL, "%s", folder);
    for (struct dirent *e; (e = readdir(d)) != NULL;)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            unlink(fuzz_path(3, e->d_name));
    closedir(d);
}

static void
remove_folder(void)
{
    fuzz_sweep_folder();
    rmdir(folder);
}

const char *
fuzz_folder(void)
{
    if (folder[0] == '\0') {
        const char *base = getenv("TMPDIR");
        const int n = snprintf(folder, sizeof folder, "%s/ckda-fuzz-XXXXXX",
                               base != NULL ? base : "/tmp");
        fuzz_check(n < (int)sizeof folder && mkdtemp(folder) != NULL, "%s", folder);
        atexit(remove_folder);
    }
    return folder;
}

const char *
fuzz_path(unsigned buffer, const char *name)
{
    static char path[4][600];
    snprintf(path[buffer], sizeof path[buffer], "%s/%s", fuzz_folder(), name);
    return path[buffer];
}

void
fuzz_put_file(const char *path, const void *data, size_t size)
{
    FILE *f = fopen(path, "wb");
    fuzz_check(f != NULL, "%s", path);
    const size_t n = size > 0 ? fwrite(data, 1, size, f) : 0;
    fuzz_check(n == size && fclose(f) == 0, "%s", path);
}

/* ---- the two programs ------------------------------------------------------------------ */

static const fuzz_target *
find_target(const char *name)
{
    const fuzz_target *t = fuzz_targets;
    while (t->name != NULL && (name == NULL || strcmp(t->name, name) != 0))
        t++;
    if (t->name != NULL)
        return t;
    fprintf(stderr, "the targets are:");
    for (t = fuzz_targets; t->name != NULL; t++)
        fprintf(stderr, " %s", t->name);
    fputc('\n', stderr);
    exit(2);
}

#ifdef CKDA_LIBFUZZER
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const fuzz_target *target;
    if (target == NULL)
        target = find_target(getenv("CKDA_FUZZ"));
    target->run(data, size);
    return 0;
}
#else
static unsigned long accepted, refused;

static bool
replay_file(const fuzz_target *target, const char *path)
{
    ckda_error err;
    char *data;
    size_t size;
    if (ckda_file_read(&data, &size, path, &err) != CKDA_OK) {
        fprintf(stderr, "%s\n", err.text);
        return false;
    }
    if (getenv("CKDA_FUZZ_VERBOSE") != NULL)
        fprintf(stderr, "%s\n", path);
    *(target->run((const uint8_t *)data, size) ? &accepted : &refused) += 1;
    free(data);
    return true;
}

static bool
replay(const fuzz_target *target, const char *path)
{
    DIR *d = opendir(path);
    bool good = true;
    if (d == NULL)
        return replay_file(target, path);
    for (struct dirent *e; (e = readdir(d)) != NULL;) {
        char name[4096];
        if (e->d_name[0] == '.'
            || (size_t)snprintf(name, sizeof name, "%s/%s", path, e->d_name)
                   >= sizeof name)
            continue;
        good = replay(target, name) && good;
    }
    closedir(d);
    return good;
}

int
main(int argc, char **argv)
{
    const fuzz_target *target = find_target(argc > 1 ? argv[1] : NULL);
    bool good = argc > 2;
    for (int i = 2; i < argc; i++)
        good = replay(target, argv[i]) && good;
    printf("%s: %lu accepted, %lu refused\n", target->name, accepted, refused);
    flint_cleanup();
    return good && accepted > 0 && refused > 0 ? 0 : 1;
}
#endif
