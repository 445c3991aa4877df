/* ckda-recheck CERT... */
#include "recheck.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "Usage: ckda-recheck CERT...\n"
    "Checks certificates of ckda with arithmetic of its own: one line for each file,\n"
    "\"s VERIFIED\" or \"s REFUSED reason\", after comments \"c ...\".\n"
    "Exit code 0: all verified; 1: one refused; 2: usage; 3: no memory; 4: unreadable.\n";

/* Without memory GMP would abort, and jansson call a good line no JSON. */
static void *
get(size_t size)
{
    return resized(NULL, 0, size);
}

int
main(int argc, char **argv)
{
    bool refused = false, unreadable = false;
    mp_set_memory_functions(get, resized, NULL);
    json_set_alloc_funcs(get, free);
    if (argc < 2 || strcmp(argv[1], "--help") == 0) {
        fputs(usage, argc < 2 ? stderr : stdout);
        return argc < 2 ? 2 : 0;
    }
    for (int i = 1; i < argc; i++) {
        char reason[512] = "";
        FILE *file = fopen(argv[i], "rb");
        if (argc > 2)
            printf("c %s\n", argv[i]);
        if (file == NULL)
            snprintf(reason, sizeof reason, "%s", strerror(errno));
        const verdict v =
            file != NULL ? recheck_stream(file, stdout, reason) : UNREADABLE;
        if (v == UNREADABLE)
            fprintf(stderr, "ckda-recheck: %s: %s\n", argv[i], reason);
        else
            printf(v == VERIFIED ? "s VERIFIED\n" : "s REFUSED %s\n", reason);
        if (file != NULL)
            fclose(file);
        refused |= v == REFUSED;
        unreadable |= v == UNREADABLE;
    }
    if (fflush(stdout) != 0 || ferror(stdout))
        return 4;
    return refused ? 1 : unreadable ? 4 : 0;
}
