/* ckda verify */
#include "certificates.h"

#include <stdio.h>
#include "ckda/report.h"
#include "quiet.h"
#include "verification.h"

typedef struct {
    cli_verification_options what;
    bool json, tap, mutants;
    const char *junit, *only, *certificates;
} options;

enum { KEY_TAP = 256, KEY_JUNIT, KEY_ONLY, KEY_CERTIFICATES };

static const struct argp_option option_table[] = {
    {"mutants", 'm', NULL, 0, "Also run every mutant: the same check must refute it", 0},
    {"only", KEY_ONLY, "ID/NAME", 0, "Run this one mutant and nothing else", 0},
    {"certificates", KEY_CERTIFICATES, "DIR", 0,
     "Certificates for ckda-recheck of the claims that have one, into DIR", 0},
    {"json", 'j', NULL, 0, "One JSON document (ckda.verify/1)", 0},
    {"tap", KEY_TAP, NULL, 0, "Test Anything Protocol, version 13", 0},
    {"junit", KEY_JUNIT, "FILE", 0, "JUnit XML into FILE as well", 0},
    {0}};

static void
check_options(const options *o, struct argp_state *state)
{
    if (o->json && o->tap)
        argp_error(state, "--json and --tap both want standard output");
    if (o->only != NULL && o->what.npatterns > 0)
        argp_error(state, "--only names one mutant and takes no PATTERN");
}

static error_t
parse(int key, char *arg, struct argp_state *state)
{
    options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->what;
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
run(const options *o, cli_plan *plan, const ckda_verification *asked)
{
    output out = {.o = o};
    const cli_plan_how how = {.seed = o->what.seed,
                              .effort = o->what.effort,
                              .tap = o->tap,
                              .done = show,
                              .data = &out};
    if (o->tap)
        ckda_tap_begin(stdout, plan->nclaims + plan->nmutants);
    else if (!o->json)
        out.text = ckda_text_report_open(stdout, asked);
    cli_plan_run(plan, &how);
    if (out.text != NULL) {
        ckda_verification v = *asked;
        v.nclaims = plan->claims_run;
        v.nmutants = plan->mutants_run;
        ckda_text_report_close(&out.text, &v);
    }
}

/* What is known so far was reported; is it less than was asked for? */
static bool
cut_short(const options *o, const cli_plan *plan)
{
    if (!plan->interrupted)
        return false;
    if (o->tap)
        puts("Bail out! interrupted");
    fprintf(stderr, "ckda verify: interrupted after %zu of %zu checks",
            plan->claims_run + plan->mutants_run, plan->nclaims + plan->nmutants);
    if (plan->claims_run < plan->nclaims)
        fprintf(stderr, "; %s and what follows it (ckda list) were not run",
                plan->claims[plan->claims_run].claim->id);
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
run_and_report(const options *o, const ckda_ledger *l, cli_plan *plan)
{
    ckda_verification v = {.ledger = l,
                           .seed = o->what.seed,
                           .effort = o->what.effort,
                           .with_mutants = o->mutants,
                           .list_unchecked = o->what.npatterns > 0,
                           .claims = plan->claims,
                           .nclaims = plan->nclaims,
                           .mutants = plan->mutants,
                           .nmutants = plan->nmutants,
                           .quiet = cli_is_quiet()};
    run(o, plan, &v);
    v.nclaims = plan->claims_run;
    v.nmutants = plan->mutants_run;
    if (o->json)
        ckda_report_verify_json(stdout, &v);
    const bool cut = cut_short(o, plan);
    const int files = ferror(stdout) ? EXIT_BAD_INPUT : write_files(o, &v);
    if (files != EXIT_HOLDS)
        return files;
    const int code = cli_verification_code("verify", &v);
    return cut && code == EXIT_HOLDS ? EXIT_UNDECIDED : code;
}

int
cli_verify(int argc, char **argv)
{
    static const struct argp_child children[] = {{&cli_verification_argp, 0, NULL, 0},
                                                 {0}};
    static const struct argp argp = {
        option_table,
        parse,
        "[PATTERN...]",
        "Checks every checked claim, or those whose id, alias or target matches a shell "
        "PATTERN.\vExit code 0: all hold; 1: a claim is refuted, or a mutant is not; "
        "3: a claim is undecided, or nothing was there to check.",
        children,
        NULL,
        NULL};
    options o = {.mutants = false};
    cli_plan plan;
    cli_parse(&argp, argc, argv, &o);
    ckda_error err;
    const char *const files[] = {o.junit, o.certificates};
    if (cli_check_outputs(files, 2, &err) != CKDA_OK)
        return cli_fail(CKDA_E_IO, &err);
    ckda_ledger *l = cli_open_ledger();
    int code = cli_check_patterns("verify", l, o.what.patterns, o.what.npatterns);
    if (code == EXIT_HOLDS) {
        const cli_plan_choice choice = {o.what.patterns, o.what.npatterns, o.mutants,
                                        o.only};
        cli_plan_make(&plan, &choice, l);
        if (o.only != NULL && plan.nmutants == 0)
            code = cli_no_match("verify: no mutant is called", l, o.only);
        else
            code = run_and_report(&o, l, &plan);
        cli_plan_clear(&plan);
    }
    ckda_ledger_close(&l);
    return code;
}
