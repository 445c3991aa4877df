#include "picture.h"

#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ckda/doc.h"
#include "ckda/memstream.h"

extern char **environ;

/* Runs `gnuplot script` with its output going to out; false when it cannot be started or
 * fails. */
static bool
run_gnuplot(const char *script, FILE *out)
{
    posix_spawn_file_actions_t actions;
    pid_t pid;
    int status = -1;
    char name[] = "gnuplot", *copy = strdup(script);
    char *const argv[] = {name, copy, NULL};
    ckda_require_memory(copy != NULL && posix_spawn_file_actions_init(&actions) == 0);
    const bool started =
        posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO) == 0
        && posix_spawnp(&pid, name, &actions, NULL, argv, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    free(copy);
    return started && waitpid(pid, &status, 0) == pid && WIFEXITED(status)
           && WEXITSTATUS(status) == 0;
}

/* All that stands in a file from its beginning; NULL if it cannot be read. */
static char *
contents(FILE *f, size_t *len)
{
    char *text = NULL;
    long end;
    if (fseek(f, 0, SEEK_END) == 0 && (end = ftell(f)) > 0
        && fseek(f, 0, SEEK_SET) == 0) {
        *len = (size_t)end;
        text = malloc(*len);
        ckda_require_memory(text != NULL);
        if (fread(text, 1, *len, f) != *len) {
            free(text);
            text = NULL;
        }
    }
    return text;
}

/* svg without ".svg" plus an ending; never something that gnuplot takes for a command or
 * an option; free(). */
static char *
beside(const char *svg, const char *ending)
{
    const size_t len = strlen(svg);
    const size_t stem = len > 4 && strcmp(svg + len - 4, ".svg") == 0 ? len - 4 : len;
    char *name = malloc(stem + strlen(ending) + 3);
    ckda_require_memory(name != NULL);
    sprintf(name, "%s%.*s%s", svg[0] == '/' ? "" : "./", (int)stem, svg, ending);
    return name;
}

/* Writes what was printed to a file. */
static ckda_status
finish(ckda_memstream *m, const char *file, ckda_error *err)
{
    size_t length;
    char *text = ckda_memstream_close(m, &length);
    const ckda_status st = ckda_file_write(file, text, length, err);
    free(text);
    return st;
}

ckda_status
cli_write_printed(const char *file, void (*print)(FILE *out, const void *of),
                  const void *of, ckda_error *err)
{
    ckda_memstream m;
    ckda_memstream_open(&m);
    print(m.out, of);
    return finish(&m, file, err);
}

ckda_status
cli_write_plot(const char *svg, const cli_picture *p, ckda_error *err)
{
    ckda_memstream m;
    char *data = beside(svg, ".dat"), *script = beside(svg, ".gp");
    ckda_status st = cli_write_printed(data, p->data, p->of, err);
    if (st == CKDA_OK) {
        ckda_memstream_open(&m);
        p->script(m.out, data, p->of);
        st = finish(&m, script, err);
    }
    free(data);
    free(script);
    return st;
}

ckda_status
cli_run_plot(bool *drawn, const char *svg, ckda_error *err)
{
    size_t len = 0;
    ckda_status st = CKDA_OK;
    char *script = beside(svg, ".gp");
    FILE *out = tmpfile();
    char *text = out != NULL && run_gnuplot(script, out) ? contents(out, &len) : NULL;
    if (out != NULL)
        fclose(out);
    *drawn = text != NULL;
    if (*drawn)
        st = ckda_file_write(svg, text, len, err);
    free(text);
    free(script);
    return st;
}

ckda_status
cli_draw(const char *svg, const cli_picture *p, ckda_error *err)
{
    bool drawn = true;
    ckda_status st = cli_write_plot(svg, p, err);
    if (st == CKDA_OK)
        st = cli_run_plot(&drawn, svg, err);
    if (!drawn) {
        char *script = beside(svg, ".gp");
        fprintf(stderr,
                "ckda: warning: %s was not drawn: gnuplot is missing or failed; later: "
                "gnuplot %s > %s\n",
                svg, script, svg);
        free(script);
    }
    return st;
}
