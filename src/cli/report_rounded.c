/* What a report says about rounded recurrences: drift on words, and all words at once. */
#include <stdlib.h>

#include "audit.h"
#include "report_work.h"

/* ---- drift ---------------------------------------------------------------------------- */

typedef struct {
    const char *state, *keys;
    int64_t grid;
} drift_row;

static const drift_row drift_rows[] = {
    {"fp32", "fp32", 0}, {"fp32", "bf16", 0}, {"bf16", "fp32", 0}, {NULL, "bf16", 16}};
enum { DRIFTS = sizeof drift_rows / sizeof drift_rows[0] };

typedef struct {
    ckda_rounded_t rounded;
    ckda_drift_result_t result;
    char *certificate;
} drift_run;

static ckda_arith
arithmetic(const char *state, const char *keys, int64_t grid)
{
    ckda_arith a = ckda_arith_default;
    if (state != NULL)
        a.state = ckda_fp_format_named(state);
    a.keys = ckda_fp_format_named(keys);
    a.grid = grid;
    return a;
}

static ckda_status
run_drift(drift_run *d, const ckda_tracker_t t, const drift_row *row,
          const ckda_drift_options *o, ckda_error *err)
{
    const ckda_arith a = arithmetic(row->state, row->keys, row->grid);
    ckda_status st = ckda_rounded_init(d->rounded, t, &a, err);
    if (st != CKDA_OK)
        return st;
    st = ckda_drift_run(d->result, t, d->rounded, o, err);
    if (st != CKDA_OK)
        ckda_rounded_clear(d->rounded);
    else
        d->certificate = audit_certificate(t, d->rounded);
    return st;
}

/* 1, 2, 5, 10, ... and the end. */
static size_t
places(uint64_t *at, uint64_t length)
{
    static const uint64_t factor[] = {1, 2, 5};
    size_t n = 0;
    for (uint64_t power = 1; power < length; power *= 10)
        for (size_t i = 0; i < 3 && power * factor[i] < length; i++)
            at[n++] = power * factor[i];
    at[n++] = length;
    return n;
}

static ckda_status
run_drifts(report_work *r, const ckda_tracker_t t, ckda_error *err)
{
    uint64_t at[CKDA_DRIFT_MAX_ROWS];
    drift_run runs[DRIFTS];
    ckda_drift_report list[DRIFTS];
    ckda_status st = CKDA_OK;
    size_t n = 0;
    ckda_drift_options o = {.seed = r->w->seed,
                            .words = report_size(r, 20, 100, 100),
                            .length = report_size(r, 2000, 10000, 100000),
                            .at = at};
    o.nat = places(at, o.length);
    for (; st == CKDA_OK && n < DRIFTS; n += st == CKDA_OK) {
        st = run_drift(&runs[n], t, &drift_rows[n], &o, err);
        if (st != CKDA_OK)
            break;
        list[n] = (ckda_drift_report){.system = "A5",
                                      .tracker = t,
                                      .rounded = runs[n].rounded,
                                      .options = &o,
                                      .drift = runs[n].result,
                                      .certificate = runs[n].certificate};
        ckda_page_add_drift(r->page, &list[n]);
    }
    const ckda_page_drifts drifts = {list, n};
    const cli_picture p = {ckda_page_data_drift, ckda_page_plot_drift, &drifts};
    if (st == CKDA_OK)
        st = report_picture(
            r, "drift", "How far a rounded state drifts",
            "The A5 tracker in four arithmetics on random words: median "
            "distance from the exact state, relative to its scale. On a grid "
            "each store takes the error back.",
            &p, err);
    for (size_t i = 0; i < n; i++) {
        free(runs[i].certificate);
        ckda_drift_clear(runs[i].result);
        ckda_rounded_clear(runs[i].rounded);
    }
    return st;
}

ckda_status
report_drift(report_work *r, ckda_error *err)
{
    ckda_tracker_t t;
    ckda_status st = ckda_tracker_init(t, "A5", NULL, NULL, err);
    if (st != CKDA_OK)
        return st;
    st = run_drifts(r, t, err);
    ckda_tracker_clear(t);
    return st;
}

/* ---- rounded recurrences -------------------------------------------------------------- */

typedef struct {
    ckda_effort from; /* the least effort that runs it */
    const char *system, *construction, *state, *keys;
    int64_t grid;
    int flush; /* 0: none */
    uint64_t cap;
    const char *note;
} rounded_row;

static const rounded_row rounded_rows[] = {
    {CKDA_QUICK, "S3", "dyadic", "bf16", "bf16", 0, 0, 20000,
     "keys with entries 0 and 1/2 alone: nothing is ever rounded"},
    {CKDA_QUICK, "Z3", NULL, "bf16", "fp32", 0, 0, 20000,
     "a few more states than elements, then closed"},
    {CKDA_QUICK, "Z4", NULL, "bf16", "bf16", 0, 0, 20000,
     "wanders through thousands of states and still decodes"},
    {CKDA_QUICK, "S4", "cube", "bf16", "fp32", 0, 0, 20000, "the cube with a bf16 state"},
    {CKDA_QUICK, "A5", "quaternion", NULL, "bf16", 16, 0, 20000,
     "integers at scale 16: as many states as the exact tracker"},
    {CKDA_QUICK, "Z5", NULL, NULL, "fp32", 5, 0, 20000, "a grid that is too coarse"},
    {CKDA_QUICK, "Z5", NULL, "fp32", "fp32", 0, 0, 1500,
     "fp32 throughout: the search is stopped by its cap, so nothing is said"},
    {CKDA_FULL, "Z5", NULL, "bf16", "bf16", 0, 0, 20000,
     "bf16 throughout: a word that breaks it is found"},
    {CKDA_FULL, "A5", "quaternion", NULL, "fp32", 3, 0, 20000,
     "a grid that is too coarse for A5"},
    {CKDA_FULL, "A5", "quaternion", "bf16", "fp32", 0, 6, 20000,
     "flushing small entries does what a grid does"},
    {CKDA_FULL, "A5", "quaternion", "bf16", "fp32", 0, 15, 20000,
     "a flush below the rounding errors does not"},
    {CKDA_FULL, "S5", "householder", "bf16", "bf16", 0, 0, 20000,
     "permutation matrices by rounded unit keys"},
    {CKDA_DEEP, "A5", "quaternion", "bf16", "fp32", 0, 0, 2000000,
     "no grid and no flush: how far the search comes"}};
enum { ROUNDED = sizeof rounded_rows / sizeof rounded_rows[0] };

static ckda_status
decide(report_work *r, const rounded_row *row, const ckda_tracker_t t,
       const ckda_rounded_t R, ckda_error *err)
{
    const ckda_limits limits = {.max_states = row->cap};
    const ckda_allwords_options o = {.limits = limits, .stop = r->w->stop};
    ckda_allwords_t result;
    const ckda_status st = ckda_allwords_run(result, R, t, &o, err);
    if (st != CKDA_OK)
        return st;
    const ckda_allwords_report report = {.system = row->system,
                                         .tracker = t,
                                         .arith = &R->arith,
                                         .limits = &limits,
                                         .result = result};
    if (!*r->w->stop)
        ckda_page_add_rounded(r->page, &report, row->note);
    ckda_allwords_clear(result);
    return CKDA_OK;
}

static ckda_status
add_rounded(report_work *r, const rounded_row *row, ckda_error *err)
{
    ckda_arith a = arithmetic(row->state, row->keys, row->grid);
    ckda_tracker_t t;
    ckda_rounded_t R;
    a.has_flush = row->flush > 0;
    a.flush = row->flush;
    ckda_status st = ckda_tracker_init(t, row->system, row->construction, NULL, err);
    if (st != CKDA_OK)
        return st;
    st = ckda_rounded_init(R, t, &a, err);
    if (st == CKDA_OK) {
        st = decide(r, row, t, R, err);
        ckda_rounded_clear(R);
    }
    ckda_tracker_clear(t);
    return st;
}

static bool
is_wanted(const report_work *r, size_t row)
{
    return rounded_rows[row].from <= r->w->effort;
}

uint64_t
report_rounded_rows(const report_work *r)
{
    uint64_t rows = 0;
    for (size_t i = 0; i < ROUNDED; i++)
        rows += is_wanted(r, i);
    return rows;
}

ckda_status
report_rounded(report_work *r, ckda_error *err)
{
    ckda_status st = CKDA_OK;
    for (size_t i = 0; st == CKDA_OK && i < ROUNDED && !*r->w->stop; i++) {
        if (!is_wanted(r, i))
            continue;
        cli_steps_show(&r->steps, rounded_rows[i].system);
        st = add_rounded(r, &rounded_rows[i], err);
        cli_steps_done(&r->steps);
    }
    return st;
}
