/* ckda audit SYSTEM --snap: the SNAP theorem for a grid or a format. */
#include "audit_snap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ckda/allwords.h"
#include "ckda/report_snap.h"
#include "ckda/snap.h"
#include "tracker_source.h"

enum { USUAL_GRIDS = 200, ALL_GRIDS = 5000, SCALES = 64, CLOSURE_STATES = 200000 };

/* Everything of one run. */
typedef struct {
    const audit_options *o;
    ckda_arith arith;
    ckda_tracker_t tracker;
    ckda_snap_t snap;
    ckda_slack_t slack;
    ckda_tolerances_t tolerances;
    ckda_snap_delta delta;
    ckda_rounded_t rounded;
    ckda_allwords_t closure;
    ckda_snap_choice *list;
    ckda_snap_report report;
} run;

/* Without --grid the best grid is looked for, unless something was said about a stored
 * format. */
static bool
is_about_format(const audit_options *o)
{
    const ckda_arith *a = &o->arith;
    return a->grid == 0
           && (a->has_flush || a->state != ckda_arith_default.state || a->initial.p != 0
               || o->search_initial
               || (o->preset != NULL && strcmp(o->preset, "chunk-wy") != 0));
}

/* What does not go together is refused before anything is computed. */
static ckda_status
check_request(const audit_options *o, ckda_error *err)
{
    const bool format = is_about_format(o);
    if (o->search_initial && o->arith.grid > 0)
        ckda_error_set(err, "--search-initial with --snap is for a stored format: give "
                            "--state, without --grid");
    else if (format && o->search_scale)
        ckda_error_set(err, "--search-scale is about grids: leave --state, --flush, "
                            "--initial and presets out");
    else if (format && o->chunk > 0)
        ckda_error_set(err, "--chunk with --snap is about a grid: give --grid, or leave "
                            "--state, --flush, --initial and presets out");
    else
        return CKDA_OK;
    return CKDA_E_INPUT;
}

/* Lists what was asked for and, when no grid was given, takes the best. */
static ckda_status
choose_grid(run *r, ckda_error *err)
{
    ckda_snap_report *p = &r->report;
    const bool given = r->arith.grid > 0;
    if (given && !r->o->search_scale)
        return CKDA_OK;
    int64_t to = USUAL_GRIDS;
    ckda_status st =
        ckda_snap_search_grid(&r->list, &p->nlist, &p->best, r->snap, 1, to, err);
    if (st == CKDA_OK && p->nlist == 0 && !given) {
        flint_free(r->list);
        r->list = NULL;
        to = ALL_GRIDS;
        st = ckda_snap_search_grid(&r->list, &p->nlist, &p->best, r->snap, 1, to, err);
    }
    if (st != CKDA_OK)
        return st;
    p->list = r->list;
    p->searched_to = to;
    p->listed = r->o->search_scale;
    if (!given && p->nlist > 0)
        r->arith.grid = r->list[p->best].Q.grid;
    return CKDA_OK;
}

static ckda_status
list_initials(run *r, const ckda_quantiser *Q, ckda_error *err)
{
    ckda_snap_report *p = &r->report;
    const ckda_status st =
        ckda_snap_search_initial(&r->list, &p->nlist, &p->best, r->snap, Q, SCALES, err);
    if (st != CKDA_OK)
        return st;
    p->list = r->list;
    p->listed = true;
    if (r->o->arith.initial.p == 0 && p->nlist > 0)
        r->arith.initial = r->list[p->best].Q.scale;
    return CKDA_OK;
}

/* The quantiser of the whole run; *found = false: no grid holds. */
static ckda_status
choose(run *r, bool *found, ckda_error *err)
{
    ckda_snap_report *p = &r->report;
    ckda_status st = CKDA_OK;
    *found = true;
    if (!is_about_format(r->o)) {
        st = choose_grid(r, err);
        *found = r->arith.grid > 0;
    }
    if (st == CKDA_OK && *found)
        st = ckda_quantiser_of(&p->Q, &r->arith, err);
    if (st != CKDA_OK || !r->o->search_initial)
        return st;
    st = list_initials(r, &p->Q, err);
    return st == CKDA_OK ? ckda_quantiser_of(&p->Q, &r->arith, err) : st;
}

/* ---- the verdict ----------------------------------------------------------------------- */

static ckda_status
close_states(run *r, ckda_error *err)
{
    const uint64_t enough = 4 * (uint64_t)r->tracker->nstates;
    ckda_allwords_options options = {.limits = r->o->limits,
                                     .methods = CKDA_ALLWORDS_PRODUCT,
                                     .threads = r->o->threads};
    const uint64_t cap = enough > CLOSURE_STATES ? enough : CLOSURE_STATES;
    cli_charge_for_system(&options.limits, 1);
    if (options.limits.max_states == 0 || options.limits.max_states > cap)
        options.limits.max_states = cap;
    const ckda_status st =
        ckda_allwords_run(r->closure, r->rounded, r->tracker, &options, err);
    if (st == CKDA_OK)
        r->report.closure = r->closure;
    return st;
}

static ckda_snap_verdict
verdict(const run *r)
{
    const ckda_snap_report *p = &r->report;
    const bool fails = p->closure != NULL && p->closure->verdict == CKDA_ALLWORDS_FAILS;
    const bool proved =
        r->slack->sign > 0 && r->slack->separates && r->delta.stays == CKDA_TRUE;
    ckda_require(!(proved && fails), "the closure contradicts the theorem");
    if (proved)
        return CKDA_SNAP_PROVED;
    return r->slack->sign <= 0 || !r->slack->separates || fails ? CKDA_SNAP_REFUTED
                                                                : CKDA_SNAP_NOT_PROVED;
}

/* sigma > 0: tolerances, delta. */
static ckda_status
look_further(run *r, ckda_error *err)
{
    ckda_snap_report *p = &r->report;
    ckda_status st = ckda_snap_delta_bound(&r->delta, r->snap, &p->Q, r->rounded, err);
    if (st != CKDA_OK)
        return st;
    p->delta = &r->delta;
    st = ckda_tolerances_init(r->tolerances, r->snap, &p->Q, r->slack, err);
    if (st == CKDA_OK)
        p->tolerances = r->tolerances;
    return st;
}

static ckda_status
decide(run *r, ckda_error *err)
{
    ckda_snap_report *p = &r->report;
    ckda_status st = ckda_slack_init(r->slack, r->snap, &p->Q, err);
    if (st != CKDA_OK)
        return st;
    p->slack = r->slack;
    st = ckda_rounded_init(r->rounded, r->tracker, &r->arith, err);
    if (st != CKDA_OK)
        return st;
    if (r->slack->sign > 0)
        st = look_further(r, err);
    if (st == CKDA_OK)
        st = close_states(r, err);
    if (st == CKDA_OK)
        p->verdict = verdict(r);
    ckda_rounded_clear(r->rounded);
    return st;
}

/* ---- output ---------------------------------------------------------------------------- */

static int
code_of(const ckda_snap_report *p)
{
    switch (p->verdict) {
    case CKDA_SNAP_PROVED:
        return EXIT_HOLDS;
    case CKDA_SNAP_REFUTED:
        return EXIT_REFUTED;
    case CKDA_SNAP_NOT_PROVED: /* the closure is a proof as well */
        return p->closure != NULL && p->closure->verdict == CKDA_ALLWORDS_TRACKS
                   ? EXIT_HOLDS
                   : EXIT_UNDECIDED;
    default:
        return EXIT_UNDECIDED;
    }
}

/* The worse of two answers: what is refuted, then what is not decided. */
static int
worse(int a, int b)
{
    if (a == EXIT_HOLDS || b == EXIT_HOLDS)
        return a == EXIT_HOLDS ? b : a;
    return a == EXIT_UNDECIDED ? b : a;
}

static int
print(run *r)
{
    const audit_options *o = r->o;
    const ckda_snap_report *p = &r->report;
    json_t *chunk = NULL;
    int code = code_of(p);
    const bool chunked = o->chunk > 0 && p->slack != NULL && p->Q.grid > 0;
    if (!o->json)
        ckda_report_snap_text(stdout, p);
    if (chunked)
        code =
            worse(code, audit_chunk(o, r->tracker, p->Q.grid, o->json ? &chunk : NULL));
    if (o->json)
        ckda_report_snap_json(stdout, p, chunk);
    return code;
}

static void
clear(run *r)
{
    if (r->report.closure != NULL)
        ckda_allwords_clear(r->closure);
    if (r->report.tolerances != NULL)
        ckda_tolerances_clear(r->tolerances);
    if (r->report.slack != NULL)
        ckda_slack_clear(r->slack);
    flint_free(r->list);
}

/* What does not exist is refuted, what the command line says wrongly is its fault. */
static int
fail(ckda_status st, const ckda_error *err)
{
    const int code = cli_fail(st, err);
    return st == CKDA_E_INPUT ? EXIT_USAGE : st == CKDA_E_DOMAIN ? EXIT_REFUTED : code;
}

static int
with_tracker(run *r, double start)
{
    ckda_error err;
    ckda_error_clear(&err);
    bool found = false;
    ckda_status st = ckda_snap_init(r->snap, r->tracker, &err);
    if (st != CKDA_OK)
        return fail(st, &err);
    r->report.snap = r->snap;
    st = choose(r, &found, &err);
    if (st == CKDA_OK && found)
        st = decide(r, &err);
    r->report.seconds = ckda_wall_seconds() - start;
    const int code = st == CKDA_OK ? print(r) : fail(st, &err);
    clear(r);
    ckda_snap_clear(r->snap);
    return code;
}

int
audit_snap(const audit_options *o)
{
    const double start = ckda_wall_seconds();
    run r = {.o = o, .arith = o->arith};
    ckda_error err;
    ckda_error_clear(&err);
    ckda_status st = check_request(o, &err);
    if (st == CKDA_OK)
        st = cli_tracker_open(r.tracker, o->system, o->construction, &o->limits, &err);
    if (st != CKDA_OK)
        return fail(st, &err);
    ckda_tracker_set_start(r.tracker, o->arith.start);
    r.report = (ckda_snap_report){.system = o->system,
                                  .tracker = r.tracker,
                                  .arith = &r.arith,
                                  .verdict = CKDA_SNAP_NO_GRID,
                                  .chunk = o->chunk};
    const int code = with_tracker(&r, start);
    ckda_tracker_clear(r.tracker);
    return code;
}
