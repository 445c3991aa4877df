/* ckda verify */
#include "certificates.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "ckda/report.h"

typedef struct {
    bool json, tap, mutants;
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
     "A certificate for ckda-recheck of every claim that is a closure, into DIR", 0},
    {"json", 'j', NULL, 0, "One JSON document (ckda.verify/1)", 0},
    {"tap", KEY_TAP, NULL, 0, "Test Anything Protocol, version 13", 0},
    {"junit", KEY_JUNIT, "FILE", 0, "JUnit XML into FILE as well", 0},
    {"seed", KEY_SEED, "N", 0, "Seed of everything random (default 1)", 0},
    {0}};

static void
set_effort(options *o, const char *arg, struct argp_state *state)
{
    static const char *const names[] = {"quick", "full", "deep"};
    for (int e = CKDA_QUICK; e <= CKDA_DEEP; e++)
        if (strcmp(arg, names[e]) == 0) {
            o->effort = (ckda_effort)e;
            return;
        }
    argp_error(state, "--effort: expected quick, full or deep, found '%s'", arg);
}

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
        set_effort(o, arg, state);
        return 0;
    case 'm':
        o->mutants = true;
        return 0;
    case 'j':
        o->json = true;
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
        if (!cli_read_count(&o->seed, arg) || o->seed > INT64_MAX)
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

/* ---- what to run ---- */

/* Outcomes that are still empty, in the order in which they will be filled. */
typedef struct {
    ckda_outcome *claims, *mutants;
    size_t nclaims, nmutants;
} plan;

static bool
wanted(const options *o, const ckda_claim *c)
{
    for (int i = 0; i < o->npatterns; i++)
        if (ckda_claim_matches(c, o->patterns[i]))
            return true;
    return o->npatterns == 0 && o->only == NULL;
}

static void
plan_claim(plan *p, const options *o, const ckda_claim *c)
{
    if (wanted(o, c))
        p->claims[p->nclaims++].claim = c;
    for (size_t k = 0; o->mutants && k < c->nmutants; k++)
        if (o->only != NULL ? strcmp(o->only, c->mutants[k].name) == 0 : wanted(o, c)) {
            p->mutants[p->nmutants].claim = c;
            p->mutants[p->nmutants++].mutant = &c->mutants[k];
        }
}

static void
make_plan(plan *p, const options *o, const ckda_ledger *l)
{
    size_t n = ckda_ledger_size(l), m = 0;
    for (size_t i = 0; i < n; i++)
        m += ckda_ledger_claim(l, i)->nmutants;
    p->claims = flint_calloc(n + 1, sizeof *p->claims);
    p->mutants = flint_calloc(m + 1, sizeof *p->mutants);
    for (size_t i = 0; i < n; i++)
        plan_claim(p, o, ckda_ledger_claim(l, i));
}

static void
clear_plan(plan *p)
{
    for (size_t i = 0; i < p->nclaims; i++)
        ckda_outcome_clear(&p->claims[i]);
    for (size_t i = 0; i < p->nmutants; i++)
        ckda_outcome_clear(&p->mutants[i]);
    flint_free(p->claims);
    flint_free(p->mutants);
}

/* ---- running ---- */

typedef struct {
    const options *o;
    ckda_text_report *text; /* NULL for JSON and TAP */
    size_t number;          /* of the last TAP line */
} progress;

static void
run_one(progress *p, ckda_outcome *out)
{
    cli_working_on(out->mutant != NULL ? out->mutant->name : out->claim->id, p->o->tap);
    ckda_outcome_run(out, out->claim, out->mutant, p->o->seed, p->o->effort);
    cli_working_on(NULL, false);
    if (p->text != NULL)
        ckda_text_report_add(p->text, out);
    if (p->o->tap)
        ckda_tap_add(stdout, ++p->number, out);
}

/* Each claim, then its mutants: a mutant says nothing about a check that refutes
 * everything. Stops when nobody can read the answers any more. */
static void
run_all(progress *p, const plan *todo)
{
    size_t m = 0;
    for (size_t i = 0; i < todo->nclaims && !ferror(stdout); i++) {
        const ckda_claim *c = todo->claims[i].claim;
        run_one(p, &todo->claims[i]);
        for (; m < todo->nmutants && todo->mutants[m].claim == c && !ferror(stdout); m++)
            run_one(p, &todo->mutants[m]);
    }
    for (; m < todo->nmutants && !ferror(stdout); m++)
        run_one(p, &todo->mutants[m]);
}

static int
exit_code(const ckda_verification *v)
{
    ckda_summary s;
    ckda_verification_summary(&s, v);
    if (s.refuted > 0 || s.mutants_refuted < s.mutants)
        return EXIT_REFUTED;
    if (s.undecided > 0)
        return EXIT_UNDECIDED;
    if (s.holds + s.mutants == 0) {
        fputs("ckda verify: nothing was checked: every claim asked for is open or only "
              "reported\n",
              stderr);
        return EXIT_UNDECIDED;
    }
    return EXIT_HOLDS;
}

static int
run_and_report(const options *o, const ckda_ledger *l, const plan *todo)
{
    ckda_verification v = {.ledger = l,
                           .seed = o->seed,
                           .effort = o->effort,
                           .with_mutants = o->mutants,
                           .list_unchecked = o->npatterns > 0,
                           .claims = todo->claims,
                           .nclaims = todo->nclaims,
                           .mutants = todo->mutants,
                           .nmutants = todo->nmutants};
    progress p = {.o = o};
    if (o->tap)
        ckda_tap_begin(stdout, todo->nclaims + todo->nmutants);
    else if (!o->json)
        p.text = ckda_text_report_open(stdout, &v);
    run_all(&p, todo);
    if (p.text != NULL)
        ckda_text_report_close(&p.text, &v);
    if (o->json)
        ckda_report_verify_json(stdout, &v);
    ckda_error err;
    if (o->junit != NULL && !ferror(stdout)) {
        ckda_status status = ckda_report_junit(o->junit, &v, &err);
        if (status != CKDA_OK)
            return cli_fail(status, &err);
    }
    if (o->certificates != NULL && !ferror(stdout)) {
        const int code =
            cli_write_certificates(o->certificates, todo->claims, todo->nclaims);
        if (code != EXIT_HOLDS)
            return code;
    }
    return ferror(stdout) ? EXIT_BAD_INPUT : exit_code(&v);
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
    plan todo = {0};
    cli_parse(&argp, argc, argv, &o);
    ckda_ledger *l = cli_open_ledger();
    int code = cli_check_patterns("verify", l, o.patterns, o.npatterns);
    if (code == EXIT_HOLDS) {
        make_plan(&todo, &o, l);
        if (o.only != NULL && todo.nmutants == 0)
            code = cli_no_match("verify: no mutant is called", l, o.only);
        else
            code = run_and_report(&o, l, &todo);
        clear_plan(&todo);
    }
    ckda_ledger_close(&l);
    return code;
}
