/* ckda reach */
#include "cli.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "ckda/cert.h"
#include "ckda/input.h"
#include "ckda/limits.h"
#include "ckda/reach.h"
#include "ckda/report.h"

typedef struct {
    bool json;
    const char *system, *construction, *dot, *certificate;
    ckda_limits limits;
} options;

enum { KEY_STATES = 256, KEY_MEMORY, KEY_TIME, KEY_DOT, KEY_CERTIFICATE };

static const struct argp_option option_table[] = {
    {"construction", 'c', "NAME", 0,
     "planar, cube, cube-standard, quaternion, householder (default: the usual one)", 0},
    {"max-states", KEY_STATES, "N", 0, "Stop beyond N states (default 10 million)", 0},
    {"max-memory", KEY_MEMORY, "SIZE", 0, "Stop beyond SIZE, such as 500M (default 2G)",
     0},
    {"max-time", KEY_TIME, "TIME", 0, "Stop after TIME, such as 30, 5m (default: none)",
     0},
    {"certificate", KEY_CERTIFICATE, "FILE", 0,
     "Everything that ckda-recheck needs to check the answer again, into FILE", 0},
    {"dot", KEY_DOT, "FILE", 0, "The graph for Graphviz into FILE", 0},
    {"json", 'j', NULL, 0, "One JSON document (ckda.reach/1)", 0},
    {0}};

static error_t
parse(int key, char *arg, struct argp_state *state)
{
    options *o = state->input;
    switch (key) {
    case 'c':
        o->construction = arg;
        return 0;
    case KEY_STATES:
        if (!cli_read_count(&o->limits.max_states, arg) || o->limits.max_states == 0)
            argp_error(state, "--max-states: expected a positive number, found '%s'",
                       arg);
        return 0;
    case KEY_MEMORY:
        if (!cli_read_size(&o->limits.max_bytes, arg) || o->limits.max_bytes == 0)
            argp_error(state, "--max-memory: expected a size such as 500M, found '%s'",
                       arg);
        return 0;
    case KEY_TIME:
        if (!cli_read_seconds(&o->limits.max_seconds, arg) || o->limits.max_seconds <= 0)
            argp_error(state, "--max-time: expected a time such as 30 or 5m, found '%s'",
                       arg);
        return 0;
    case KEY_DOT:
        o->dot = arg;
        return 0;
    case KEY_CERTIFICATE:
        o->certificate = arg;
        return 0;
    case 'j':
        o->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (o->system != NULL)
            argp_error(state, "one SYSTEM only");
        o->system = arg;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "SYSTEM is missing");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Capitals without underscores ("z_5" is meant as Z5), the nearest of the usual names. */
static void
guess_system(const char *typed)
{
    static const char *const usual[] = {"Z2", "Z3", "Z4", "Z5", "Z6", "Z12", "D3", "D4",
                                        "D5", "D6", "S3", "S4", "S5", "A4",  "A5"};
    char word[16];
    size_t n = 0;
    for (const char *c = typed; *c != '\0' && n + 1 < sizeof word; c++)
        if (*c != '_')
            word[n++] = (char)toupper((unsigned char)*c);
    word[n] = '\0';
    cli_guess guess;
    cli_guess_init(&guess, word);
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
        cli_guess_add(&guess, usual[i]);
    fprintf(stderr, "ckda: %s: no such system%s\n", typed, cli_guess_text(&guess));
}

/* A name that leads nowhere is wrong usage, a file with faults is bad input. */
static int
cannot_open(ckda_status status, const options *o, const ckda_error *err)
{
    char kind;
    uint32_t number;
    int code = cli_fail(status, err);
    if (status == CKDA_E_DOMAIN)
        return EXIT_REFUTED; /* an element has no transition in the construction */
    if (status != CKDA_E_INPUT || access(o->system, F_OK) == 0)
        return code;
    if (o->construction == NULL && !ckda_group_name_split(&kind, &number, o->system))
        guess_system(o->system);
    return EXIT_USAGE;
}

static ckda_status
write_dot(const char *file, const ckda_reach_t r, const ckda_input_system_t s,
          ckda_error *err)
{
    FILE *out = fopen(file, "w");
    bool written = out != NULL;
    if (written) {
        ckda_report_dot(out, r, s->sys->nletters, (const char *const *)s->letter);
        written = !ferror(out);
        written = fclose(out) == 0 && written;
    }
    if (!written)
        ckda_error_set(err, "%s: cannot be written: %s", file, strerror(errno));
    return written ? CKDA_OK : CKDA_E_IO;
}

static ckda_status
write_certificate(const options *o, const ckda_reach_t r, const ckda_input_system_t s,
                  ckda_error *err)
{
    const ckda_cert_about about = {.system = o->system,
                                   .construction = s->construction,
                                   .letter = (const char *const *)s->letter};
    ckda_cert_writer *w;
    ckda_status status = ckda_cert_open(&w, o->certificate, 1, err);
    if (status != CKDA_OK)
        return status;
    status = ckda_cert_add_reach(w, &about, s->sys, r, err);
    if (status == CKDA_OK)
        return ckda_cert_close(&w, err);
    ckda_cert_abandon(&w);
    return status;
}

static char *
group_element(const ckda_system_t sys, uint32_t g)
{
    return ckda_perm_str(&sys->G->element[g]);
}

static void
report(const options *o, const ckda_input_system_t s, const ckda_reach_t r,
       double seconds)
{
    const ckda_system_struct *sys = s->sys;
    bool bad = sys->G != NULL && r->decoder_consistent == CKDA_FALSE;
    char *want = bad ? group_element(sys, r->bad_want) : NULL;
    char *got = bad ? group_element(sys, r->bad_got) : NULL;
    ckda_reach_result result = {.system = o->system,
                                .construction = s->construction,
                                .K = sys->K,
                                .dimension = sys->initial->rows,
                                .letters = sys->nletters,
                                .has_group = sys->G != NULL,
                                .reach = r,
                                .seconds = seconds,
                                .bad_letter = bad ? s->letter[r->bad_letter] : NULL,
                                .bad_want = want,
                                .bad_got = got};
    ckda_report_reach(stdout, o->json, &result);
    free(want);
    free(got);
}

static int
exit_code(const ckda_system_t sys, const ckda_reach_t r)
{
    if (r->finite == CKDA_FALSE)
        return EXIT_REFUTED;
    if (r->finite == CKDA_UNKNOWN)
        return EXIT_UNDECIDED;
    if (sys->G == NULL)
        return EXIT_HOLDS;
    return r->decoder_consistent == CKDA_TRUE    ? EXIT_HOLDS
           : r->decoder_consistent == CKDA_FALSE ? EXIT_REFUTED
                                                 : EXIT_UNDECIDED;
}

static int
search(const options *o, const ckda_input_system_t s)
{
    ckda_reach_t r;
    ckda_error err;
    ckda_error_clear(&err);
    double start = ckda_wall_seconds();
    const bool keep = o->dot != NULL || o->certificate != NULL;
    ckda_status status =
        ckda_reach_run(r, s->sys, &o->limits, keep ? CKDA_REACH_KEEP_GRAPH : 0, &err);
    if (status != CKDA_OK)
        return cli_fail(status, &err);
    report(o, s, r, ckda_wall_seconds() - start);
    int code = exit_code(s->sys, r);
    if (o->dot != NULL && r->finite != CKDA_TRUE)
        fprintf(stderr, "ckda: %s: not written, the graph is not closed\n", o->dot);
    if (o->dot != NULL && r->finite == CKDA_TRUE) {
        status = write_dot(o->dot, r, s, &err);
        if (status != CKDA_OK)
            code = cli_fail(status, &err);
    }
    if (o->certificate != NULL && r->finite == CKDA_UNKNOWN)
        fprintf(stderr, "ckda: %s: not written, the search did not decide\n",
                o->certificate);
    if (o->certificate != NULL && r->finite != CKDA_UNKNOWN) {
        status = write_certificate(o, r, s, &err);
        if (status != CKDA_OK)
            code = cli_fail(status, &err);
    }
    ckda_reach_clear(r);
    return code;
}

int
cli_reach(int argc, char **argv)
{
    static const struct argp argp = {
        option_table,
        parse,
        "SYSTEM",
        "The exact set of states that a system can reach from its initial state: finite, "
        "infinite or undecided.  SYSTEM is a built-in name (Z5, D4, S3, A4, S4, A5, S5, "
        "any m "
        "or n) or a file.\vExit code 0: finite, and a decoder is right on every edge; 1: "
        "infinite, or not decodable; 3: a limit was reached.",
        NULL,
        NULL,
        NULL};
    options o = {.limits = {.max_states = 10000000, .max_bytes = UINT64_C(2) << 30}};
    cli_parse(&argp, argc, argv, &o);
    ckda_input_system_t s;
    ckda_error err;
    ckda_error_clear(&err);
    ckda_status status = ckda_input_system_open(s, o.system, o.construction, &err);
    if (status != CKDA_OK)
        return cannot_open(status, &o, &err);
    int code = search(&o, s);
    ckda_input_system_clear(s);
    return code;
}
