/* ckda report */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "certificates.h"
#include "ckda/doc.h"
#include "ckda/memstream.h"
#include "ckda/report_page.h"
#include "quiet.h"
#include "report_folder.h"
#include "report_runs.h"
#include "verification.h"
#include "watch.h"

typedef struct {
    cli_verification_options what;
    const char *dir;
    bool json, force, no_pictures, claims_only, certificates;
} options;

enum { KEY_FORCE = 256, KEY_NO_PICTURES, KEY_CLAIMS_ONLY, KEY_CERTIFICATES };

static const struct argp_option option_table[] = {
    {"output", 'o', "DIR", 0,
     "The folder: a new or empty one, or that of an earlier report", 0},
    {"force", KEY_FORCE, NULL, 0, "Write into DIR whatever else it holds", 0},
    {"certificates", KEY_CERTIFICATES, NULL, 0,
     "A certificate for ckda-recheck of every claim that is a closure, with its hash", 0},
    {"claims-only", KEY_CLAIMS_ONLY, NULL, 0,
     "The ledger alone: no pictures, no rounded recurrences", 0},
    {"no-pictures", KEY_NO_PICTURES, NULL, 0,
     "Do not call gnuplot; data and scripts are written", 0},
    {"json", 'j', NULL, 0, "Also print report.json (ckda.report/1)", 0},
    {0}};

static error_t
parse(int key, char *arg, struct argp_state *state)
{
    options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->what;
        return 0;
    case 'o':
        o->dir = arg;
        return 0;
    case 'j':
        o->json = true;
        return 0;
    case KEY_FORCE:
        o->force = true;
        return 0;
    case KEY_NO_PICTURES:
        o->no_pictures = true;
        return 0;
    case KEY_CLAIMS_ONLY:
        o->claims_only = true;
        return 0;
    case KEY_CERTIFICATES:
        o->certificates = true;
        return 0;
    case ARGP_KEY_END:
        if (o->dir == NULL)
            argp_error(state, "-o DIR is missing");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- what the page says about itself -------------------------------------------------- */

/* Today, or the day of SOURCE_DATE_EPOCH, in UTC. */
static void
write_date(char text[32])
{
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    uint64_t seconds;
    time_t now = time(NULL);
    struct tm day;
    if (epoch != NULL && cli_read_count(&seconds, epoch) && seconds < UINT32_MAX)
        now = (time_t)seconds;
    if (gmtime_r(&now, &day) == NULL || strftime(text, 32, "%Y-%m-%d", &day) == 0)
        strcpy(text, "?");
}

/* Without the name of the folder, which is of no use to a reader elsewhere; free(). */
static char *
command_text(const options *o)
{
    static const char *const efforts[] = {"quick", "full", "deep"};
    ckda_memstream text;
    ckda_memstream_open(&text);
    FILE *out = text.out;
    fprintf(out, "ckda report -o DIR --effort %s --seed %llu", efforts[o->what.effort],
            (unsigned long long)o->what.seed);
    if (o->certificates)
        fputs(" --certificates", out);
    if (o->claims_only)
        fputs(" --claims-only", out);
    if (o->no_pictures)
        fputs(" --no-pictures", out);
    for (int i = 0; i < o->what.npatterns; i++)
        fprintf(out, " '%s'", o->what.patterns[i]);
    return ckda_memstream_close(&text, NULL);
}

/* ---- the parts ------------------------------------------------------------------------ */

static ckda_status
add_file(ckda_page *p, const char *work, const char *claim, const char *file,
         ckda_error *err)
{
    char *text, *path = cli_folder_path(work, file);
    size_t size;
    const ckda_status st = ckda_file_read(&text, &size, path, err);
    free(path);
    if (st != CKDA_OK)
        return st;
    ckda_page_add_certificate(p, claim, file, text, size);
    free(text);
    return CKDA_OK;
}

/* The files that certificates/index.json lists. */
static ckda_status
add_listed(ckda_page *p, const char *work, ckda_error *err)
{
    char *path = cli_folder_path(work, "certificates/index.json");
    ckda_doc *doc;
    ckda_status st = ckda_doc_open(&doc, path, err);
    free(path);
    if (st != CKDA_OK)
        return st;
    size_t i;
    json_t *entry, *claims = json_object_get(ckda_doc_root(doc).json, "claims");
    json_array_foreach(claims, i, entry)
    {
        const char *id = json_string_value(json_object_get(entry, "id")),
                   *name = json_string_value(json_object_get(entry, "certificate"));
        if (name == NULL || st != CKDA_OK)
            continue;
        char *file = cli_folder_path("certificates", name);
        st = add_file(p, work, id, file, err);
        free(file);
    }
    ckda_doc_close(&doc);
    return st;
}

static ckda_status
add_certificates(ckda_page *p, const options *o, const char *work,
                 const ckda_verification *v, ckda_error *err)
{
    size_t written = 0;
    if (!o->certificates) {
        ckda_page_set_certificates_note(p,
                                        "None were asked for; ckda report "
                                        "--certificates writes them beside this page.");
        return CKDA_OK;
    }
    char *folder = cli_folder_path(work, "certificates");
    ckda_status st = cli_make_certificates(&written, folder, v->claims, v->nclaims, err);
    free(folder);
    if (st == CKDA_OK)
        st = add_listed(p, work, err);
    ckda_page_set_certificates_note(
        p, written == 0 ? "None of these claims is the closure of a reachable set."
                        : "Each is checked by a second program that shares no code with "
                          "this one: ckda-recheck FILE.");
    return st;
}

static ckda_status
add_results(ckda_page *p, const options *o, const char *work, ckda_error *err)
{
    const cli_report_want want = {.seed = o->what.seed,
                                  .effort = o->what.effort,
                                  .draw = !o->no_pictures,
                                  .not_drawn = "Not drawn: the report was written with "
                                               "--no-pictures. Data and script are here.",
                                  .folder = work,
                                  .stop = cli_catch_interrupt()};
    return o->claims_only ? CKDA_OK : cli_report_results(p, &want, err);
}

/* ---- writing -------------------------------------------------------------------------- */

static ckda_status
write_file(const char *work, const char *name, const char *text, size_t size,
           ckda_error *err)
{
    char *path = cli_folder_path(work, name);
    const ckda_status st = ckda_file_write(path, text, size, err);
    free(path);
    return st;
}

static ckda_status
write_page(ckda_page *p, const options *o, const char *work, ckda_error *err)
{
    size_t json_size, html_size;
    char *json = ckda_page_json(p, &json_size), *html = ckda_page_html(p, &html_size);
    ckda_status st = write_file(work, "report.json", json, json_size, err);
    if (st == CKDA_OK)
        st = write_file(work, "index.html", html, html_size, err);
    if (st == CKDA_OK)
        st = cli_folder_finish(work, o->dir, err);
    if (st == CKDA_OK && o->json)
        fputs(json, stdout);
    free(json);
    free(html);
    return st;
}

static void
last_line(const options *o, const ckda_verification *v)
{
    ckda_summary s;
    ckda_verification_summary(&s, v);
    if (o->json || cli_is_quiet())
        return;
    printf("%s/index.html: %zu hold, %zu refuted, %zu undecided, %zu open, %zu reported; "
           "%zu of %zu mutants refuted; seed %llu\n",
           o->dir, s.holds, s.refuted, s.undecided, s.not_run, s.reported,
           s.mutants_refuted, s.mutants, (unsigned long long)o->what.seed);
}

/* Everything after the verification: fills the work folder and moves it to its place. */
static ckda_status
make(const options *o, const ckda_verification *v, const char *work, ckda_error *err)
{
    char date[32], *command = command_text(o);
    write_date(date);
    const ckda_page_about about = {
        .date = date,
        .command = command,
        .no_results = o->claims_only ? "Left out: the report was written with "
                                       "--claims-only."
                                     : NULL};
    ckda_page *p = ckda_page_open(&about, v);
    ckda_status st = add_certificates(p, o, work, v, err);
    if (st == CKDA_OK)
        st = add_results(p, o, work, err);
    if (st == CKDA_OK)
        st = write_page(p, o, work, err);
    ckda_page_close(&p);
    free(command);
    return st;
}

static int
report(const options *o, const ckda_verification *v)
{
    char *work;
    ckda_error err;
    ckda_error_clear(&err);
    ckda_status st = cli_folder_begin(&work, o->dir, &err);
    if (st != CKDA_OK)
        return cli_fail(st, &err);
    st = make(o, v, work, &err);
    if (st != CKDA_OK)
        cli_folder_abandon(work);
    free(work);
    if (st != CKDA_OK)
        return cli_fail(st, &err);
    last_line(o, v);
    return ferror(stdout) ? EXIT_BAD_INPUT : cli_verification_code("report", v);
}

static int
verify_and_report(const options *o, const ckda_ledger *l)
{
    const cli_plan_choice choice = {o->what.patterns, o->what.npatterns, true, NULL};
    const cli_plan_how how = {.seed = o->what.seed, .effort = o->what.effort};
    cli_plan plan;
    int code = EXIT_UNDECIDED;
    cli_plan_make(&plan, &choice, l);
    cli_plan_run(&plan, &how);
    const ckda_verification v = {.ledger = l,
                                 .seed = o->what.seed,
                                 .effort = o->what.effort,
                                 .with_mutants = true,
                                 .claims = plan.claims,
                                 .nclaims = plan.nclaims,
                                 .mutants = plan.mutants,
                                 .nmutants = plan.nmutants};
    if (plan.interrupted)
        fprintf(stderr,
                "ckda report: interrupted after %zu of %zu checks; nothing was written\n",
                plan.claims_run + plan.mutants_run, plan.nclaims + plan.nmutants);
    else
        code = report(o, &v);
    cli_plan_clear(&plan);
    return code;
}

int
cli_report(int argc, char **argv)
{
    static const struct argp_child children[] = {{&cli_verification_argp, 0, NULL, 0},
                                                 {0}};
    static const struct argp argp = {
        option_table,
        parse,
        "-o DIR [PATTERN...]",
        "One page for a reader, DIR/index.html, and the same data beside it, "
        "DIR/report.json: the ledger by evidence level (or the claims that match a shell "
        "PATTERN) with their mutants, pictures, rounded recurrences, versions and "
        "hashes.  A new DIR appears whole or not at all, and so does the new report "
        "where "
        "DIR holds an earlier one; other files in it stay.\vExit code as for verify: 0: "
        "all hold; 1: a claim "
        "is refuted, or a mutant is not; 3: a claim is undecided, or the run was "
        "interrupted; 4: DIR cannot be written.",
        children,
        NULL,
        NULL};
    options o = {.dir = NULL};
    ckda_error err;
    ckda_error_clear(&err);
    cli_parse(&argp, argc, argv, &o);
    const ckda_status st = cli_folder_check(o.dir, o.force, &err);
    if (st != CKDA_OK)
        return cli_fail(st, &err);
    ckda_ledger *l = cli_open_ledger();
    int code = cli_check_patterns("report", l, o.what.patterns, o.what.npatterns);
    if (code == EXIT_HOLDS)
        code = verify_and_report(&o, l);
    ckda_ledger_close(&l);
    return code;
}
