#include "answer.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "quiet.h"

static volatile sig_atomic_t json, done;
static FILE *kept;                             /* what stdout got so far */
static volatile int answer_to = STDOUT_FILENO; /* meanwhile the real one */
static bool direct; /* nothing could be kept: what was written is not known */
static char reason[1200];

void
cli_answer_in_json(void)
{
    json = 1;
}

void
cli_answer_because(const char *why)
{
    if (reason[0] == '\0')
        snprintf(reason, sizeof reason, "%s", why);
}

/* ---- keeping ------------------------------------------------------------------------ */

/* Without a file to keep things in all of it is shown: too much is no fault. */
void
cli_answer_begin(void)
{
    if (!json && !cli_quiet_shortens())
        return;
    direct = true;
    if (fflush(stdout) != 0 || fcntl(STDOUT_FILENO, F_GETFD) < 0)
        return;
    kept = tmpfile();
    if (kept == NULL)
        return;
    const int real = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    if (real >= 0 && dup2(fileno(kept), STDOUT_FILENO) >= 0) {
        answer_to = real;
        direct = false;
        return;
    }
    if (real >= 0)
        close(real);
    fclose(kept);
    kept = NULL;
}

/* Standard output again; false if not all that was written to it was kept. */
static bool
get_back(void)
{
    const bool whole = fflush(stdout) == 0 && !ferror(stdout);
    if (dup2(answer_to, STDOUT_FILENO) < 0)
        ckda_require(false, "standard output cannot be had back");
    close(answer_to);
    answer_to = STDOUT_FILENO;
    rewind(kept);
    return whole;
}

static void
show_all(void)
{
    char part[4096];
    for (size_t n = fread(part, 1, sizeof part, kept); n > 0;
         n = fread(part, 1, sizeof part, kept))
        fwrite(part, 1, n, stdout);
}

/* ---- failures ----------------------------------------------------------------------- */

/* A message may quote what is no UTF-8. */
static json_t *
text(char *message)
{
    json_t *value = json_string(message);
    if (value != NULL)
        return value;
    for (char *c = message; *c != '\0'; c++)
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    return json_string(message);
}

/* Of several processes the first one speaks for all; at the end each is alone again. */
static bool
speaks(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"};
    const char *rank = NULL;
    for (size_t i = 0; rank == NULL && i < sizeof names / sizeof names[0]; i++)
        rank = getenv(names[i]);
    return rank == NULL || strcmp(rank, "0") == 0;
}

static void
print_failure(int code)
{
    if (!speaks())
        return;
    cli_answer_because("no answer; standard error says why");
    json_t *document = json_object();
    json_object_set_new(document, "schema", json_string("ckda.error/1"));
    json_object_set_new(document, "exit", json_integer(code));
    json_object_set_new(document, "message", text(reason));
    (void)json_dumpf(document, stdout, JSON_INDENT(2)); /* ferror is looked at at exit */
    fputc('\n', stdout);
    json_decref(document);
}

/* An answer that cannot be read back is none, whatever the code was. */
static int
code_after_reading(int code)
{
    if (!ferror(kept))
        return code;
    fprintf(stderr, "ckda: the answer cannot be read back: %s\n", strerror(errno));
    return EXIT_BAD_INPUT;
}

int
cli_answer_end(int code)
{
    done = 1;
    if (kept == NULL) {
        if (json && !direct && code != EXIT_HOLDS)
            print_failure(code);
        return code;
    }
    const bool whole = get_back();
    const int first = getc(kept);
    if (first != EOF)
        ungetc(first, kept);
    if (json && (!whole || (first == EOF && ferror(kept))))
        print_failure(EXIT_BAD_INPUT); /* the code that a failed write will have */
    else if (json && first == EOF && code != EXIT_HOLDS)
        print_failure(code);
    else if (!json && code == EXIT_HOLDS && cli_quiet_shortens())
        cli_quiet_show(kept);
    else
        show_all();
    code = code_after_reading(code);
    fclose(kept);
    kept = NULL;
    return code;
}

void
cli_answer_at_exit(int code)
{
    if (code != EXIT_HOLDS && !done && json) {
        if (code == EXIT_USAGE)
            cli_answer_because("wrong usage; standard error says what is wrong");
        if (cli_answer_end(code) != code)
            _exit(EXIT_BAD_INPUT);
    }
}

/* Only calls that a signal handler may make. */
void
cli_answer_lost(int code, const char *why)
{
    if (!json || done || direct)
        return;
    done = 1;
    const char digit[] = {(char)('0' + code), '\0'};
    const char *const parts[] = {"{\"schema\": \"ckda.error/1\", \"exit\": ", digit,
                                 ", \"message\": \"", why, "\"}\n"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const ssize_t written = write(answer_to, parts[i], strlen(parts[i]));
        (void)written;
    }
}
