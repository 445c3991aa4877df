/* ckda reach */
#include "cli.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "ckda/cert.h"
#include "ckda/input.h"
#include "ckda/limits.h"
#include "ckda/ranks.h"
#include "ckda/reach.h"
#include "ckda/report.h"
#include "reach_export.h"
#include "watch.h"

typedef struct {
    bool json;
    const char *system, *construction, *certificate;
    const char *dot, *graphml, *gap, *npy;
    const char *checkpoint, *resume;
    double checkpoint_seconds;
    uint64_t threads;
    ckda_limits limits;
} options;

enum {
    KEY_THREADS = 256,
    KEY_CHECKPOINT,
    KEY_EVERY,
    KEY_RESUME,
    KEY_DOT,
    KEY_GRAPHML,
    KEY_GAP,
    KEY_NPY,
    KEY_CERTIFICATE
};

static const struct argp_option option_table[] = {
    {"construction", 'c', "NAME", 0,
     "planar, cube, cube-standard, quaternion, householder (default: the usual one)", 0},
    {"max-states", CLI_KEY_MAX_STATES, "N", 0,
     "Stop beyond N states (default 10 million)", 0},
    {"max-memory", CLI_KEY_MAX_MEMORY, "SIZE", 0,
     "Stop beyond SIZE, such as 500M (default 2G)", 0},
    {"max-time", CLI_KEY_MAX_TIME, "TIME", 0,
     "Stop after TIME, such as 30, 5m (default: none)", 0},
    {"threads", KEY_THREADS, "N", 0,
     "Threads (default: all cores for large searches); the answer does not depend on it",
     0},
    {"checkpoint", KEY_CHECKPOINT, "FILE", 0,
     "Save the search to FILE as it goes and when it is stopped", 0},
    {"checkpoint-every", KEY_EVERY, "TIME", 0, "Save so often (default 60 seconds)", 0},
    {"resume", KEY_RESUME, "FILE", 0, "Go on from a saved search of the same system", 0},
    {"certificate", KEY_CERTIFICATE, "FILE", 0,
     "Everything that ckda-recheck needs to check the answer again, into FILE", 0},
    {"dot", KEY_DOT, "FILE", 0, "The graph for Graphviz into FILE", 0},
    {"graphml", KEY_GRAPHML, "FILE", 0, "The graph as GraphML into FILE", 0},
    {"gap", KEY_GAP, "FILE", 0,
     "The letters as permutations (or transformations) of the states for GAP into FILE",
     0},
    {"npy", KEY_NPY, "FILE", 0,
     "The table of transitions for NumPy into FILE: uint32, states x letters", 0},
    {"json", 'j', NULL, 0, "One JSON document (ckda.reach/1)", 0},
    {0}};

static error_t
parse(int key, char *arg, struct argp_state *state)
{
    options *o = state->input;
    switch (key) {
    case 'c':
        cli_check_construction(arg, NULL, state);
        o->construction = arg;
        return 0;
    case KEY_THREADS:
        if (!cli_read_count(&o->threads, arg) || o->threads < 1 || o->threads > 1024)
            argp_error(state, "--threads: expected a number from 1 to 1024, found '%s'",
                       arg);
        return 0;
    case KEY_EVERY:
        if (!cli_read_seconds(&o->checkpoint_seconds, arg) || o->checkpoint_seconds <= 0)
            argp_error(state,
                       "--checkpoint-every: expected a time such as 30 or 5m, found '%s'",
                       arg);
        return 0;
    case KEY_CHECKPOINT:
        o->checkpoint = arg;
        return 0;
    case KEY_RESUME:
        o->resume = arg;
        return 0;
    case KEY_GRAPHML:
        o->graphml = arg;
        return 0;
    case KEY_GAP:
        o->gap = arg;
        return 0;
    case KEY_NPY:
        o->npy = arg;
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
    case ARGP_KEY_NO_ARGS:
        return cli_parse_operand(&o->system, "SYSTEM", key, arg, state);
    default:
        return cli_parse_limit(&o->limits, key, arg, state);
    }
}

/* A name that leads nowhere is wrong usage, a file with faults is bad input. */
static int
cannot_open(ckda_status status, const options *o, ckda_error *err)
{
    const bool unknown = status == CKDA_E_INPUT && access(o->system, F_OK) != 0;
    if (unknown && o->construction == NULL)
        cli_guess_system(err, o->system);
    const int code = cli_fail(status, err);
    if (status == CKDA_E_DOMAIN)
        return EXIT_REFUTED; /* an element has no transition in the construction */
    return unknown ? EXIT_USAGE : code;
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
    status = s->constructed ? ckda_cert_add_construction(w, &about, s->c, s->sys, r, err)
                            : ckda_cert_add_reach(w, &about, s->sys, r, err);
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
                                .letter = (const char *const *)s->letter,
                                .tells_elements = ckda_system_tells_elements(sys),
                                .invertible = ckda_system_is_invertible(sys),
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

/* ---- while it runs ------------------------------------------------------------------ */

static void
show_progress(const ckda_reach_progress *p, void *data)
{
    (void)data;
    const double rate = p->seconds > 0 ? (double)p->states / p->seconds : 0;
    cli_progress("%" PRIu64 " states, %" PRIu64 " open, words of %" PRIu32
                 " letters, %.0f states/s, %.0f MB, %.0f s",
                 p->states, p->states - p->expanded, p->level, rate,
                 (double)p->bytes / 1e6, p->seconds);
}

static ckda_reach_options
options_of(const options *o, bool keep_graph)
{
    return (ckda_reach_options){
        .limits = o->limits,
        .flags = keep_graph ? CKDA_REACH_KEEP_GRAPH : 0,
        .threads = (int)o->threads,
        .checkpoint = o->checkpoint,
        .checkpoint_seconds = o->checkpoint_seconds,
        .resume = o->resume,
        .stop = cli_catch_interrupt(),
        .progress = ckda_ranks_mine() == 0 && cli_shows_progress() ? show_progress : NULL,
    };
}

/* ---- files of the answer ------------------------------------------------------------ */

typedef ckda_status exporter(const char *file, const ckda_reach_t r,
                             const ckda_input_system_t s, ckda_error *err);

/* The graph in one of the forms, if it was asked for and is closed. */
static int
export_graph(const char *file, exporter *write, const ckda_reach_t r,
             const ckda_input_system_t s, int code)
{
    ckda_error err;
    ckda_error_clear(&err);
    if (file == NULL)
        return code;
    if (r->finite != CKDA_TRUE) {
        fprintf(stderr, "ckda: %s: not written, the graph is not closed\n", file);
        return code;
    }
    const ckda_status status = write(file, r, s, &err);
    return status == CKDA_OK ? code : cli_fail(status, &err);
}

static int
write_files(const options *o, const ckda_reach_t r, const ckda_input_system_t s, int code)
{
    code = export_graph(o->dot, reach_export_dot, r, s, code);
    code = export_graph(o->graphml, reach_export_graphml, r, s, code);
    code = export_graph(o->gap, reach_export_gap, r, s, code);
    code = export_graph(o->npy, reach_export_npy, r, s, code);
    if (o->certificate == NULL)
        return code;
    if (r->finite == CKDA_UNKNOWN) {
        fprintf(stderr, "ckda: %s: not written, the search did not decide\n",
                o->certificate);
        return code;
    }
    ckda_error err;
    ckda_error_clear(&err);
    const ckda_status status = write_certificate(o, r, s, &err);
    return status == CKDA_OK ? code : cli_fail(status, &err);
}

static int
search(const options *o, const ckda_input_system_t s)
{
    ckda_reach_t r;
    ckda_error err;
    ckda_error_clear(&err);
    const double start = ckda_wall_seconds();
    const ckda_reach_options how =
        options_of(o, o->dot != NULL || o->graphml != NULL || o->gap != NULL
                          || o->npy != NULL || o->certificate != NULL);
    const ckda_status status = ckda_reach_run_options(r, s->sys, &how, &err);
    cli_end_progress();
    if (status != CKDA_OK) /* the same for all processes */
        return ckda_ranks_mine() == 0 ? cli_fail(status, &err) : EXIT_HOLDS;
    int code = EXIT_HOLDS;
    if (ckda_ranks_mine() == 0) { /* one of several processes speaks for all */
        report(o, s, r, ckda_wall_seconds() - start);
        code = write_files(o, r, s, exit_code(s->sys, r));
        cli_say_how_to_resume(r->finite == CKDA_UNKNOWN ? r->limit : NULL, o->checkpoint);
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
    options o = {.checkpoint_seconds = 60,
                 .limits = {.max_states = 10000000, .max_bytes = UINT64_C(2) << 30}};
    cli_parse(&argp, argc, argv, &o);
    ckda_input_system_t s;
    ckda_error err;
    ckda_error_clear(&err);
    const char *const files[] = {o.checkpoint, o.certificate, o.dot,
                                 o.graphml,    o.gap,         o.npy};
    if (cli_check_outputs(files, sizeof files / sizeof files[0], &err) != CKDA_OK)
        return cli_fail(CKDA_E_IO, &err);
    const ckda_status status = ckda_input_system_open(s, o.system, o.construction, &err);
    if (status != CKDA_OK)
        return cannot_open(status, &o, &err);
    cli_charge_for_system(&o.limits, 1);
    ckda_ranks_open();
    const int code = search(&o, s);
    ckda_ranks_close();
    ckda_input_system_clear(s);
    return code;
}
