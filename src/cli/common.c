#define _XOPEN_SOURCE 700 /* realpath */
#include "cli.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "answer.h"
#include "ckda/group.h"
#include "quiet.h"

int
cli_fail(ckda_status status, const ckda_error *err)
{
    fprintf(stderr, "ckda: %s\n", err->text);
    cli_answer_because(err->text);
    return status == CKDA_E_UNABLE ? EXIT_UNDECIDED : EXIT_BAD_INPUT;
}

int
cli_fail_usage(const ckda_error *err)
{
    (void)cli_fail(CKDA_E_INPUT, err);
    return EXIT_USAGE;
}

void
cli_name_file(ckda_error *err, const char *file)
{
    ckda_error name; /* as messages show it */
    ckda_error_set(&name, "%.200s", file);
    const size_t length = strlen(name.text);
    const bool there = strncmp(err->text, name.text, length) == 0
                       && (err->text[length] == ':' || strlen(file) > 200);
    if (!there)
        ckda_error_prefix(err, file);
}

ckda_ledger *
cli_open_ledger(void)
{
    ckda_ledger *ledger = NULL;
    ckda_error err;
    ckda_error_clear(&err);
    if (ckda_ledger_open(&ledger, &err) != CKDA_OK) {
        fprintf(stderr,
                "ckda: internal error: the ledger that was built in is faulty: %s\n",
                err.text);
        exit(EXIT_INTERNAL);
    }
    return ledger;
}

enum { CHILDREN = 4 };

static bool
has_key(const struct argp *argp, int key)
{
    const struct argp_option *o = argp->options;
    while (o != NULL && (o->name != NULL || o->key != 0 || o->doc != NULL)) {
        if (o->key == key)
            return true;
        o++;
    }
    return false;
}

void
cli_parse(const struct argp *argp, int argc, char **argv, void *input)
{
    struct argp_child children[CHILDREN + 1] = {{0}};
    struct argp whole = *argp;
    size_t n = 0;
    for (const struct argp_child *c = argp->children; c != NULL && c->argp != NULL; c++) {
        ckda_require(n + 1 < CHILDREN, "too many kinds of options");
        children[n++] = *c;
    }
    if (!has_key(argp, 'q'))
        children[n++] = (struct argp_child){&cli_quiet_argp, 0, NULL, 0};
    whole.children = children;
    if (cli_has_option(&whole, argc, argv, 'j'))
        cli_answer_in_json();
    cli_guess_options(&whole, argc, argv);
    int failed = argp_parse(&whole, argc, argv, 0, NULL, input);
    ckda_require_memory(failed != ENOMEM);
    ckda_require(failed == 0, "the arguments cannot be parsed: %s", strerror(failed));
    cli_answer_begin();
}

/* ---- did you mean ---- */

enum { WORD = 64 }; /* longer words are compared by their beginnings */

size_t
cli_distance(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    size_t d[WORD + 1][WORD + 1];
    n = n > WORD ? WORD : n;
    m = m > WORD ? WORD : m;
    for (size_t i = 0; i <= n; i++)
        for (size_t j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            size_t best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            if (d[i - 1][j] + 1 < best)
                best = d[i - 1][j] + 1;
            if (d[i][j - 1] + 1 < best)
                best = d[i][j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]
                && d[i - 2][j - 2] + 1 < best)
                best = d[i - 2][j - 2] + 1;
            d[i][j] = best;
        }
    return d[n][m];
}

void
cli_guess_init(cli_guess *g, const char *typed)
{
    /* More than a third of the letters wrong is another word. */
    *g = (cli_guess){typed, NULL, strlen(typed) / 3 + 2};
}

void
cli_guess_add(cli_guess *g, const char *word)
{
    size_t d = cli_distance(g->typed, word);
    /* A word all of whose letters would have to change is no guess. */
    if (d < g->distance && d < strlen(word)) {
        g->distance = d;
        g->best = word;
    }
}

void
cli_guess_add_ledger(cli_guess *g, const ckda_ledger *l)
{
    for (size_t i = 0; i < ckda_ledger_size(l); i++) {
        const ckda_claim *c = ckda_ledger_claim(l, i);
        cli_guess_add(g, c->id);
        cli_guess_add(g, c->target);
        for (const char **alias = c->aliases; *alias != NULL; alias++)
            cli_guess_add(g, *alias);
    }
}

const char *
cli_guess_text(const cli_guess *g)
{
    static char text[128];
    text[0] = '\0';
    if (g->best != NULL)
        snprintf(text, sizeof text, "; did you mean '%.64s'?", g->best);
    return text;
}

/* Capitals without underscores: "z_5" is meant as Z5. */
const char *
cli_system_guess(const char *typed)
{
    static const char *const usual[] = {"Z2", "Z3", "Z4", "Z5", "Z6", "Z12", "D3", "D4",
                                        "D5", "D6", "S3", "S4", "S5", "A4",  "A5"};
    char word[16], kind;
    uint32_t number;
    size_t n = 0;
    if (ckda_group_name_split(&kind, &number, typed) || access(typed, F_OK) == 0)
        return "";
    for (const char *c = typed; *c != '\0' && n + 1 < sizeof word; c++)
        if (*c != '_')
            word[n++] = (char)toupper((unsigned char)*c);
    word[n] = '\0';
    cli_guess guess;
    cli_guess_init(&guess, word);
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
        cli_guess_add(&guess, usual[i]);
    return cli_guess_text(&guess);
}

void
cli_guess_system(ckda_error *err, const char *typed)
{
    const ckda_error old = *err;
    ckda_error_set(err, "%.900s%s", old.text, cli_system_guess(typed));
}

int
cli_no_match(const char *what, const ckda_ledger *l, const char *typed)
{
    cli_guess guess;
    cli_guess_init(&guess, typed);
    cli_guess_add_ledger(&guess, l);
    ckda_error err;
    ckda_error_set(&err, "%s '%s'%s", what, typed, cli_guess_text(&guess));
    fprintf(stderr, "ckda %s\n", err.text);
    cli_answer_because(err.text);
    return EXIT_USAGE;
}

int
cli_check_patterns(const char *command, const ckda_ledger *l, char **patterns, int n)
{
    char what[64];
    snprintf(what, sizeof what, "%s: no claim matches", command);
    for (int p = 0; p < n; p++) {
        size_t i = 0;
        while (i < ckda_ledger_size(l)
               && !ckda_claim_matches(ckda_ledger_claim(l, i), patterns[p]))
            i++;
        if (i == ckda_ledger_size(l))
            return cli_no_match(what, l, patterns[p]);
    }
    return EXIT_HOLDS;
}

/* ---- option values ---- */

/* Digits at the beginning of the text; *end is what follows. */
static bool
digits(uint64_t *n, const char *text, const char **end)
{
    uint64_t v = 0;
    if (!isdigit((unsigned char)*text))
        return false;
    for (; isdigit((unsigned char)*text); text++) {
        uint64_t digit = (uint64_t)(*text - '0');
        if (v > (UINT64_MAX - digit) / 10)
            return false;
        v = 10 * v + digit;
    }
    *n = v;
    *end = text;
    return true;
}

bool
cli_read_count(uint64_t *n, const char *text)
{
    uint64_t v;
    if (!digits(&v, text, &text) || *text != '\0')
        return false;
    *n = v;
    return true;
}

bool
cli_read_size(uint64_t *bytes, const char *text)
{
    static const char units[] = "KMGT";
    uint64_t v;
    if (!digits(&v, text, &text))
        return false;
    const char *unit =
        *text != '\0' ? strchr(units, toupper((unsigned char)*text)) : NULL;
    if (unit != NULL) {
        unsigned shift = 10 * (unsigned)(unit - units + 1);
        if (v > UINT64_MAX >> shift)
            return false;
        v <<= shift;
        text++;
        if (*text == 'i')
            text++;
    }
    if (*text == 'B')
        text++;
    if (*text != '\0')
        return false;
    *bytes = v;
    return true;
}

bool
cli_read_seconds(double *seconds, const char *text)
{
    uint64_t whole;
    double fraction = 0, digit = 0.1, unit = 1;
    if (!digits(&whole, text, &text))
        return false;
    if (*text == '.')
        for (text++; isdigit((unsigned char)*text); text++, digit /= 10)
            fraction += digit * (*text - '0');
    if (*text == 's' || *text == 'm' || *text == 'h')
        unit = *text == 's' ? 1 : *text == 'm' ? 60 : 3600, text++;
    if (*text != '\0')
        return false;
    *seconds = ((double)whole + fraction) * unit;
    return true;
}

error_t
cli_parse_operand(const char **operand, const char *what, int key, char *arg,
                  struct argp_state *state)
{
    if (key == ARGP_KEY_NO_ARGS)
        argp_error(state, "%s is missing", what);
    else if (*operand != NULL)
        argp_error(state, "one %s only", what);
    else if (*arg == '\0')
        argp_error(state, "%s is empty", what);
    else
        *operand = arg;
    return 0;
}

void
cli_check_word(const char *name, const char *word, struct argp_state *state)
{
    if (strcmp(word, "@") == 0)
        argp_error(state,
                   "%s: expected letters in time order, such as \"a b a\", random:LENGTH "
                   "or @FILE, found '@' without a file",
                   name);
}

void
cli_check_construction(const char *name, const char *const *more,
                       struct argp_state *state)
{
    static const char *const known[] = {
        "planar", "cube", "cube-standard", "quaternion", "householder", "dyadic", NULL};
    const char *const *lists[] = {known, more};
    cli_guess guess;
    char all[256] = "";
    size_t at = 0;
    cli_guess_init(&guess, name);
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        for (const char *const *n = lists[i]; n != NULL && *n != NULL; n++) {
            if (strcmp(*n, name) == 0)
                return;
            cli_guess_add(&guess, *n);
            at += (size_t)snprintf(all + at, sizeof all - at, "%s%s", at > 0 ? ", " : "",
                                   *n);
        }
    argp_error(state, "--construction: expected one of %s, found '%s'%s", all, name,
               cli_guess_text(&guess));
}

static void
leave_room_for_program(ckda_limits *limits)
{
    if (limits->max_bytes >= 4 * CLI_MEMORY_OF_PROGRAM)
        limits->max_bytes -= CLI_MEMORY_OF_PROGRAM;
}

error_t
cli_parse_limit(ckda_limits *limits, int key, const char *arg, struct argp_state *state)
{
    switch (key) {
    case CLI_KEY_MAX_STATES:
        if (!cli_read_count(&limits->max_states, arg) || limits->max_states == 0)
            argp_error(state, "--max-states: expected a positive number, found '%s'",
                       arg);
        return 0;
    case CLI_KEY_MAX_MEMORY:
        if (!cli_read_size(&limits->max_bytes, arg) || limits->max_bytes == 0)
            argp_error(state, "--max-memory: expected a size such as 500M, found '%s'",
                       arg);
        leave_room_for_program(limits);
        return 0;
    case CLI_KEY_MAX_TIME:
        if (!cli_read_seconds(&limits->max_seconds, arg) || limits->max_seconds <= 0)
            argp_error(state, "--max-time: expected a time such as 30 or 5m, found '%s'",
                       arg);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

ckda_status
cli_check_outputs(const char *const *files, size_t n, ckda_error *err)
{
    ckda_status st = CKDA_OK;
    for (size_t i = 0; st == CKDA_OK && i < n; i++) {
        struct stat there;
        const bool exists = files[i] != NULL && stat(files[i], &there) == 0;
        if (files[i] == NULL || (exists && !S_ISREG(there.st_mode)))
            continue; /* devices and pipes are written to; a folder says so itself */
        char *place = exists ? realpath(files[i], NULL) : NULL; /* through links */
        st = cli_check_parent(place != NULL ? place : files[i], err);
        free(place);
    }
    return st;
}

ckda_status
cli_check_parent(const char *path, ckda_error *err)
{
    char *parent = strdup(path);
    ckda_require_memory(parent != NULL);
    for (size_t n = strlen(parent); n > 1 && parent[n - 1] == '/'; n--)
        parent[n - 1] = '\0';
    char *slash = strrchr(parent, '/');
    if (slash == NULL)
        strcpy(parent, ".");
    else
        slash[slash == parent] = '\0';
    const bool writable = access(parent, W_OK | X_OK) == 0;
    if (!writable)
        ckda_error_set(err, "%s: cannot be made: %s", path, strerror(errno));
    free(parent);
    return writable ? CKDA_OK : CKDA_E_IO;
}
