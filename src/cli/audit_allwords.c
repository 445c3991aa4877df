/* ckda audit SYSTEM --all-words: rounded reachability. */
#include "audit.h"

#include <inttypes.h>
#include <stdio.h>

#include "ckda/allwords.h"
#include "ckda/cert.h"
#include "ckda/ranks.h"
#include "ckda/report_allwords.h"
#include "tracker_source.h"
#include "watch.h"

/* ---- while it runs ------------------------------------------------------------------------ */

static void
show_progress(const ckda_allwords_progress *p, void *data)
{
    (void)data;
    const double rate = p->seconds > 0 ? (double)p->states / p->seconds : 0;
    cli_progress("%s: %" PRIu64 " states, %" PRIu64 " open, length %" PRIu32
                 ", error %.4g, %.0f states/s",
                 ckda_allwords_method_name(p->method), p->states, p->states - p->expanded,
                 p->depth, p->error, rate);
}

/* ---- what is asked -------------------------------------------------------------------------- */

static ckda_allwords_options
options_of(const audit_options *o)
{
    ckda_limits limits = o->limits;
    cli_charge_for_system(&limits, 1);
    return (ckda_allwords_options){
        .limits = limits,
        .methods = o->columns ? CKDA_ALLWORDS_COLUMNS : 0,
        .threads = o->threads,
        .checkpoint = o->checkpoint,
        .checkpoint_seconds = o->checkpoint_seconds,
        .resume = o->resume,
        .keep_graph = o->certificate != NULL,
        .stop = cli_catch_interrupt(),
        .progress = cli_shows_progress() ? show_progress : NULL,
    };
}

static int
searches(const audit_options *o)
{
    return o->search_scale + o->search_initial + (o->search_start > 0) + o->search_keys;
}

/* Options that do not go together; NULL: all is well. */
static const char *
conflict(const audit_options *o)
{
    const bool sweep = searches(o) > 0;
    if (searches(o) > 1)
        return "--search-scale, --search-initial, --search-start and --search-keys are "
               "different searches";
    if (o->columns && (o->checkpoint != NULL || o->resume != NULL))
        return "--columns keeps no checkpoint";
    if ((sweep || o->columns) && o->certificate != NULL)
        return "a certificate is for one closed search over whole states";
    if (sweep && (o->columns || o->checkpoint != NULL || o->resume != NULL))
        return "a search over many arithmetics takes neither --columns nor a checkpoint";
    if (o->search_initial && o->arith.grid > 0)
        return "--search-initial is for states without a grid";
    if (o->search_start > 0 && o->arith.start != 0)
        return "--search-start chooses the starts; --seed is the first of them";
    if (o->search_keys && o->arith.form == CKDA_FORM_MATRIX)
        return "--search-keys needs the key form: a matrix has no keys";
    if (o->search_scale && o->length > AUDIT_MAX_GRID)
        return "--search-scale: expected --length, the last of the grids, up to 4194304";
    if (o->search_scale && o->arith.has_flush)
        return "--search-scale is for grids, which have no --flush";
    return NULL;
}

static ckda_allwords_report
report_of(const audit_options *o, const ckda_tracker_t t, const ckda_arith *a)
{
    return (ckda_allwords_report){
        .system = o->system, .tracker = t, .arith = a, .limits = &o->limits};
}

/* ---- several processes ---------------------------------------------------------------------- */

/* All have the same answers and the same errors; one speaks for them. */
static bool
speaks(void)
{
    return ckda_ranks_mine() == 0;
}

static int
failed(ckda_status st, const ckda_error *err)
{
    return speaks() ? cli_fail(st, err) : EXIT_HOLDS;
}

/* ---- one arithmetic, or a sweep ------------------------------------------------------------- */

static int
exit_code(ckda_allwords_verdict v)
{
    return v == CKDA_ALLWORDS_TRACKS  ? EXIT_HOLDS
           : v == CKDA_ALLWORDS_FAILS ? EXIT_REFUTED
                                      : EXIT_UNDECIDED;
}

static ckda_status
write_certificate(const audit_options *o, const ckda_rounded_t R, const ckda_tracker_t t,
                  const ckda_allwords_t r, ckda_error *err)
{
    const ckda_cert_about about = {.system = o->system, .construction = t->c->name};
    ckda_cert_writer *w;
    ckda_status st = ckda_cert_open(&w, o->certificate, 1, err);
    if (st != CKDA_OK)
        return st;
    st = r->verdict == CKDA_ALLWORDS_FAILS
             ? ckda_cert_add_failing(w, &about, R, t, r, err)
             : ckda_cert_add_rounded(w, &about, R, t, r, err);
    if (st == CKDA_OK)
        return ckda_cert_close(&w, err);
    ckda_cert_abandon(&w);
    return st;
}

/* A proof by whole states has one, and a word that fails. */
static int
certify(const audit_options *o, const ckda_rounded_t R, const ckda_tracker_t t,
        const ckda_allwords_t r, int code)
{
    ckda_error err;
    ckda_error_clear(&err);
    if (r->verdict != CKDA_ALLWORDS_FAILS
        && (r->verdict != CKDA_ALLWORDS_TRACKS || r->method != CKDA_ALLWORDS_PRODUCT)) {
        fprintf(stderr, "ckda: %s: not written, no search over whole states closed\n",
                o->certificate);
        return code;
    }
    const ckda_status st = write_certificate(o, R, t, r, &err);
    if (st == CKDA_E_DOMAIN)
        fprintf(stderr, "ckda: %s: not written: %s\n", o->certificate, err.text);
    return st == CKDA_OK || st == CKDA_E_DOMAIN ? code : cli_fail(st, &err);
}

static int
answer(const audit_options *o, const ckda_rounded_t R, const ckda_tracker_t t,
       const ckda_allwords_t r)
{
    ckda_allwords_report report = report_of(o, t, &R->arith);
    report.result = r;
    ckda_report_allwords(stdout, o->json, &report);
    const int code = exit_code(r->verdict);
    return o->certificate != NULL ? certify(o, R, t, r, code) : code;
}

static int
decide(const audit_options *o, const ckda_tracker_t t)
{
    ckda_rounded_t R;
    ckda_allwords_t r;
    ckda_error err;
    ckda_error_clear(&err);
    ckda_status st = ckda_rounded_init(R, t, &o->arith, &err);
    if (st != CKDA_OK) {
        const int code = failed(st, &err);
        return st == CKDA_E_DOMAIN ? EXIT_REFUTED : code;
    }
    const ckda_allwords_options options = options_of(o);
    st = ckda_allwords_run(r, R, t, &options, &err);
    cli_end_progress();
    int code = EXIT_HOLDS;
    if (st != CKDA_OK) {
        code = failed(st, &err);
    } else {
        if (speaks()) {
            code = answer(o, R, t, r);
            cli_say_how_to_resume(code == EXIT_UNDECIDED ? r->limit : NULL,
                                  o->checkpoint);
        }
        ckda_allwords_clear(r);
    }
    ckda_rounded_clear(R);
    return code;
}

/* The question of a sweep is which scales hold: one is enough. */
static int
sweep_code(const ckda_allwords_row *rows, size_t count)
{
    size_t failed = 0;
    for (size_t i = 0; i < count; i++) {
        if (rows[i].result->verdict == CKDA_ALLWORDS_TRACKS)
            return EXIT_HOLDS;
        failed += rows[i].result->verdict == CKDA_ALLWORDS_FAILS;
    }
    return failed == count && count > 0 ? EXIT_REFUTED : EXIT_UNDECIDED;
}

/* The arithmetics of the sweep, and what they differ in. */
static ckda_status
list_arithmetics(ckda_arith **list, size_t *n, ckda_allwords_sweep_kind *kind,
                 const audit_options *o, const ckda_tracker_t t, ckda_error *err)
{
    enum { FIRST = 2, LAST = 127 }; /* what a signed byte holds */
    const int64_t last = o->length > 0 ? (int64_t)o->length : LAST;
    *kind = o->search_scale       ? CKDA_SWEEP_GRIDS
            : o->search_initial   ? CKDA_SWEEP_SCALES
            : o->search_start > 0 ? CKDA_SWEEP_STARTS
                                  : CKDA_SWEEP_KEYS;
    if (*kind == CKDA_SWEEP_KEYS)
        return ckda_allwords_neighbours(list, n, t, &o->arith, o->most_keys, o->most_beta,
                                        err);
    if (*kind == CKDA_SWEEP_GRIDS)
        ckda_allwords_grids(list, n, &o->arith, FIRST, last < FIRST ? FIRST : last);
    else if (*kind == CKDA_SWEEP_SCALES)
        ckda_allwords_scales(list, n, &o->arith);
    else
        ckda_allwords_starts(list, n, &o->arith, o->seed > 0 ? o->seed : 1,
                             (size_t)o->search_start);
    return CKDA_OK;
}

static int
sweep_failed(ckda_status st, const ckda_error *err)
{
    const int code = failed(st, err);
    return st == CKDA_E_DOMAIN ? EXIT_REFUTED : code;
}

static int
sweep(const audit_options *o, ckda_tracker_t t)
{
    ckda_arith *list;
    ckda_allwords_row *rows;
    ckda_allwords_sweep_kind kind;
    size_t n, count;
    ckda_error err;
    ckda_error_clear(&err);
    ckda_allwords_options options = options_of(o);
    options.methods = CKDA_ALLWORDS_PRODUCT;
    ckda_status st = list_arithmetics(&list, &n, &kind, o, t, &err);
    if (st != CKDA_OK)
        return sweep_failed(st, &err);
    st = ckda_allwords_sweep(&rows, &count, t, list, n, &options, &err);
    cli_end_progress();
    if (st == CKDA_OK) {
        const ckda_arith *shown = kind == CKDA_SWEEP_GRIDS ? list + n - 1 : &o->arith;
        const ckda_allwords_report report = report_of(o, t, shown);
        if (speaks())
            ckda_report_allwords_sweep(stdout, o->json, &report, kind, rows, count);
        const int code = speaks() ? sweep_code(rows, count) : EXIT_HOLDS;
        ckda_allwords_sweep_clear(rows, count);
        flint_free(list);
        return code;
    }
    flint_free(list);
    return sweep_failed(st, &err);
}

static int
search(const audit_options *o)
{
    ckda_tracker_t t;
    ckda_error err;
    ckda_error_clear(&err);
    /* --max-states is about rounded states; the exact ones are few */
    ckda_limits limits = o->limits;
    limits.max_states = 1u << 20;
    const ckda_status st = cli_tracker_open(t, o->system, o->construction, &limits, &err);
    if (st != CKDA_OK) {
        const int code = failed(st, &err);
        return st == CKDA_E_INPUT    ? EXIT_USAGE
               : st == CKDA_E_DOMAIN ? EXIT_REFUTED
                                     : code;
    }
    ckda_tracker_set_start(t, o->arith.start);
    const int code = searches(o) > 0 ? sweep(o, t) : decide(o, t);
    ckda_tracker_clear(t);
    return code;
}

int
audit_allwords(const audit_options *o)
{
    const char *wrong = conflict(o);
    if (wrong != NULL) {
        ckda_error err;
        ckda_error_set(&err, "%s", wrong);
        return cli_fail_usage(&err);
    }
    ckda_ranks_open();
    const int code = search(o);
    ckda_ranks_close();
    return code;
}
