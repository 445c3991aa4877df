/* ckda verify */
#include "certificates.h"

#include <stdio.h>
#include "ckda/report.h"
#include "steps.h"
#include "verification.h"

typedef struct {
    bool json, tap, mutants, quiet;
    const char *junit, *only, *certificates;
    uint64_t seed;
    ckda_effort effort;
    char **patterns;
    int npatterns;
} options;

enum { KEY_TAP = 256, KEY_JUNIT, KEY_SEED, KEY_ONLY, KEY_CERTIFICATES };

static const struct argp_option option_table[] = {
    {"effort", 'e', "EFFORT", 0, "quick (default), full or deep", 0},
    {"mutants", 'm', NULL, 0, "Also run every mutant: the same check must refute it", 0},
    {"only", KEY_ONLY, "ID/NAME", 0, "Run this one mutant and nothing else", 0},
    {"certificates", KEY_CERTIFICATES, "DIR", 0,
     "Certificates for ckda-recheck of the claims that have one, into DIR", 0},
    {"json", 'j', NULL, 0, "One JSON document (ckda.verify/1)", 0},
    {"tap", KEY_TAP, NULL, 0, "Test Anything Protocol, version 13", 0},
    {"junit", KEY_JUNIT, "FILE", 0, "JUnit XML into FILE as well", 0},
    {"seed", KEY_SEED, "N", 0, "Seed of everything random (default 1)", 0},
    {"quiet", 'q', NULL, 0, "Show what does not hold and the last line, no progress", 0},
    {0}};

static void
check_options(const options *o, struct argp_state *state)
{
    if (o->json && o->tap)
        argp_error(state, "--json and --tap both want standard output");
    if (o->only != NULL && o->npatterns > 0)
        argp_error(state, "--only names one mutant and takes no PATTERN");
}

static error_t
parse(int key, char *arg, struct argp_state *state)
{
    options *o = state->input;
    switch (key) {
    case 'e':
        if (!cli_read_effort(&o->effort, arg))
            argp_error(state, "--effort: expected quick, full or deep, found '%s'", arg);
        return 0;
    case 'm':
        o->mutants = true;
        return 0;
    case 'j':
        o->json = true;
        return 0;
    case 'q':
        o->quiet = true;
        return 0;
    case KEY_TAP:
        o->tap = true;
        return 0;
    case KEY_JUNIT:
        o->junit = arg;
        return 0;
    case KEY_ONLY:
        o->only = arg;
        o->mutants = true;
        return 0;
    case KEY_CERTIFICATES:
        o->certificates = arg;
        return 0;
    case KEY_SEED:
        if (!cli_read_seed(&o->seed, arg))
            argp_error(state, "--seed: expected a whole number below 2^63, found '%s'",
                       arg);
        return 0;
    case ARGP_KEY_ARGS:
        o->patterns = state->argv + state->next;
        o->npatterns = state->argc - state->next;
        return 0;
    case ARGP_KEY_END:
        check_options(o, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- running ---- */

typedef struct {
    const options *o;
    ckda_text_report *text; /* NULL for JSON and TAP */
    size_t number;          /* of the last TAP line */
} output;

static void
show(const ckda_outcome *o, void *data)
{
    output *out = data;
    if (out->text != NULL)
        ckda_text_report_add(out->text, o);
    if (out->o->tap)
        ckda_tap_add(stdout, ++out->number, o);
}

static void
run(const options *o, cli_plan *todo, const ckda_verification *asked)
{
    output out = {.o = o};
    const cli_plan_how how = {.seed = o->seed,
                              .effort = o->effort,
                              .tap = o->tap,
                              .quiet = o->quiet,
                              .done = show,
                              .data = &out};
    if (o->tap)
        ckda_tap_begin(stdout, todo->nclaims + todo->nmutants);
    else if (!o->json)
        out.text = ckda_text_report_open(stdout, asked);
    cli_plan_run(todo, &how);
    if (out.text != NULL) {
        ckda_verification v = *asked;
        v.nclaims = todo->claims_run;
        v.nmutants = todo->mutants_run;
        ckda_text_report_close(&out.text, &v);
    }
}

/* What is known so far was reported; is it less than was asked for? */
static bool
cut_short(const options *o, const cli_plan *todo)
{
    if (!todo->interrupted)
        return false;
    if (o->tap)
        puts("Bail out! interrupted");
    fprintf(stderr, "ckda verify: interrupted after %zu of %zu checks",
            todo->claims_run + todo->mutants_run, todo->nclaims + todo->nmutants);
    if (todo->claims_run < todo->nclaims)
        fprintf(stderr, "; %s and what follows it (ckda list) were not run",
                todo->claims[todo->claims_run].claim->id);
    fputc('\n', stderr);
    return true;
}

static int
write_files(const options *o, const ckda_verification *v)
{
    ckda_error err;
    ckda_error_clear(&err);
    if (o->junit != NULL) {
        const ckda_status status = ckda_report_junit(o->junit, v, &err);
        if (status != CKDA_OK)
            return cli_fail(status, &err);
    }
    return o->certificates != NULL
               ? cli_write_certificates(o->certificates, v->claims, v->nclaims)
               : EXIT_HOLDS;
}

static int
run_and_report(const options *o, const ckda_ledger *l, cli_plan *todo)
{
    ckda_verification v = {.ledger = l,
                           .seed = o->seed,
                           .effort = o->effort,
                           .with_mutants = o->mutants,
                           .list_unchecked = o->npatterns > 0,
                           .claims = todo->claims,
                           .nclaims = todo->nclaims,
                           .mutants = todo->mutants,
                           .nmutants = todo->nmutants,
                           .quiet = o->quiet,
                           .color = cli_may_color(stdout)};
    run(o, todo, &v);
    v.nclaims = todo->claims_run;
    v.nmutants = todo->mutants_run;
    if (o->json)
        ckda_report_verify_json(stdout, &v);
    const bool cut = cut_short(o, todo);
    const int files = ferror(stdout) ? EXIT_BAD_INPUT : write_files(o, &v);
    if (files != EXIT_HOLDS)
        return files;
    const int code = cli_verification_code("verify", &v);
    return cut && code == EXIT_HOLDS ? EXIT_UNDECIDED : code;
}

int
cli_verify(int argc, char **argv)
{
    static const struct argp argp = {
        option_table,
        parse,
        "[PATTERN...]",
        "Checks every checked claim, or those whose id, alias or target matches a shell "
        "PATTERN.\vExit code 0: all hold; 1: a claim is refuted, or a mutant is not; "
        "3: a claim is undecided, or nothing was there to check.",
        NULL,
        NULL,
        NULL};
    options o = {.seed = 1, .effort = CKDA_QUICK};
    cli_plan todo;
    cli_parse(&argp, argc, argv, &o);
    ckda_ledger *l = cli_open_ledger();
    int code = cli_check_patterns("verify", l, o.patterns, o.npatterns);
    if (code == EXIT_HOLDS) {
        const cli_plan_choice choice = {o.patterns, o.npatterns, o.mutants, o.only};
        cli_plan_make(&todo, &choice, l);
        if (o.only != NULL && todo.nmutants == 0)
            code = cli_no_match("verify: no mutant is called", l, o.only);
        else
            code = run_and_report(&o, l, &todo);
        cli_plan_clear(&todo);
    }
    ckda_ledger_close(&l);
    return code;
}
