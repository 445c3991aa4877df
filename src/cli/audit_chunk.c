/* ckda audit SYSTEM --snap --chunk C: a chunked kernel on the grid. */
#include "audit_snap.h"

#include "ckda/chunk.h"
#include "ckda/report_snap.h"

static int
code_of(ckda_chunk_verdict v)
{
    return v == CKDA_CHUNK_PROVED    ? EXIT_HOLDS
           : v == CKDA_CHUNK_REFUTED ? EXIT_REFUTED
                                     : EXIT_UNDECIDED;
}

static ckda_status
set_scheme(ckda_chunk_scheme *s, const audit_options *o, int64_t grid, ckda_error *err)
{
    *s = ckda_chunk_scheme_default;
    s->length = (uint32_t)o->chunk;
    s->direct = o->direct;
    s->key = o->arith.key;
    s->grid = grid;
    const ckda_status st =
        o->split != NULL ? ckda_chunk_split_named(&s->split, o->split, err) : CKDA_OK;
    return st == CKDA_OK ? ckda_chunk_scheme_check(s, err) : st;
}

static int
decide(const audit_options *o, const ckda_tracker_t t, const ckda_chunk_t k,
       json_t **json)
{
    ckda_chunk_options options = ckda_chunk_options_default;
    ckda_chunk_result result;
    ckda_error err;
    ckda_error_clear(&err);
    options.exhaustive = o->exhaustive;
    options.seed = o->seed;
    options.threads = o->threads;
    options.limits.max_seconds = o->limits.max_seconds;
    cli_charge_for_system(&options.limits, 1); /* max_bytes has no meaning here */
    const ckda_status st = ckda_chunk_decide(&result, k, &options, &err);
    if (st != CKDA_OK)
        return cli_fail(st, &err);
    const ckda_chunk_report report = {t, k, &result};
    if (json != NULL)
        *json = ckda_report_chunk_json(&report);
    else
        ckda_report_chunk_text(stdout, &report);
    const int code = code_of(result.verdict);
    ckda_chunk_result_clear(&result);
    return code;
}

int
audit_chunk(const audit_options *o, const ckda_tracker_t t, int64_t grid, json_t **json)
{
    ckda_chunk_scheme scheme;
    ckda_chunk_t k;
    ckda_error err;
    ckda_error_clear(&err);
    ckda_status st = set_scheme(&scheme, o, grid, &err);
    if (st == CKDA_OK)
        st = ckda_chunk_init(k, t, &scheme, &err);
    if (st != CKDA_OK) {
        const int code = cli_fail(st, &err);
        return st == CKDA_E_INPUT ? EXIT_USAGE : code;
    }
    const int code = decide(o, t, k, json);
    ckda_chunk_clear(k);
    return code;
}
