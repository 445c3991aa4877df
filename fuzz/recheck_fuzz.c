/* The checker on any bytes: it must answer, and neither crash nor leak.
 *
 * With libFuzzer this is the target; without, a program that replays files and folders of
 * inputs: recheck_replay PATH...  It prints how many were verified and refused. */
#include <dirent.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recheck.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char reason[512];
    if (size == 0)
        return 0;
    FILE *file = fmemopen((void *)(uintptr_t)data, size, "rb");
    if (file == NULL)
        return 0;
    const verdict v = recheck_stream(file, NULL, reason);
    fclose(file);
    if ((v == VERIFIED) != (reason[0] == '\0')) /* a reason for every refusal */
        abort();
    return 0;
}

#ifndef CKDA_LIBFUZZER
static unsigned long verified, refused;

static bool
replay_file(const char *path)
{
    char reason[512];
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return false;
    uint8_t *data = NULL;
    size_t n = 0, room = 0;
    for (int c; (c = getc(file)) != EOF;) {
        if (n == room && (data = realloc(data, room = 2 * room + 4096)) == NULL)
            abort();
        data[n++] = (uint8_t)c;
    }
    rewind(file);
    const verdict v = recheck_stream(file, NULL, reason);
    fclose(file);
    LLVMFuzzerTestOneInput(data, n);
    free(data);
    verified += v == VERIFIED;
    refused += v == REFUSED;
    return true;
}

static bool
replay(const char *path)
{
    DIR *folder = opendir(path);
    bool good = true;
    if (folder == NULL)
        return replay_file(path);
    for (struct dirent *e; (e = readdir(folder)) != NULL;) {
        char name[4096];
        if (e->d_name[0] == '.'
            || (size_t)snprintf(name, sizeof name, "%s/%s", path, e->d_name)
                   >= sizeof name)
            continue;
        good = replay(name) && good;
    }
    closedir(folder);
    return good;
}

int
main(int argc, char **argv)
{
    bool good = argc > 1;
    for (int i = 1; i < argc; i++)
        if (!replay(argv[i])) {
            fprintf(stderr, "%s: cannot be read\n", argv[i]);
            good = false;
        }
    printf("%lu verified, %lu refused\n", verified, refused);
    return good && verified + refused > 0 ? 0 : 1;
}
#endif
