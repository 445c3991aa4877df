/* ckda reduce */
#include "cli.h"

#include <stdio.h>
#include <unistd.h>
#include "ckda/input_heads.h"
#include "ckda/limits.h"
#include "ckda/reduce.h"
#include "ckda/report_reduce.h"

typedef struct {
    bool json;
    const char *system;
    ckda_limits limits;
} options;

static const struct argp_option option_table[] = {
    {"max-states", CLI_KEY_MAX_STATES, "N", 0,
     "Stop a search beyond N states (default 1 million)", 0},
    {"max-memory", CLI_KEY_MAX_MEMORY, "SIZE", 0,
     "Stop beyond SIZE, such as 500M (default 2G)", 0},
    {"max-time", CLI_KEY_MAX_TIME, "TIME", 0,
     "Stop a search after TIME, such as 30, 5m (default: none)", 0},
    {"json", 'j', NULL, 0, "One JSON document (ckda.reduce/1)", 0},
    {0}};

static error_t
parse(int key, char *arg, struct argp_state *state)
{
    options *o = state->input;
    switch (key) {
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

static int
exit_code(const ckda_reduction_t red, ckda_truth checked)
{
    if (red->end == CKDA_REDUCE_LIMIT)
        return EXIT_UNDECIDED;
    if (red->end != CKDA_REDUCE_DONE)
        return EXIT_REFUTED;
    return checked == CKDA_TRUE    ? EXIT_HOLDS
           : checked == CKDA_FALSE ? EXIT_REFUTED
                                   : EXIT_UNDECIDED;
}

static int
reduce(const options *o, const ckda_input_heads_t h)
{
    const ckda_heads heads = {h->head, h->nheads};
    ckda_reduction_t red;
    ckda_error err;
    uint64_t decisions = 0;
    ckda_truth checked = CKDA_UNKNOWN;
    ckda_error_clear(&err);
    const double start = ckda_wall_seconds();
    const ckda_status st = ckda_reduce(red, &heads, &o->limits, &err);
    if (st != CKDA_OK)
        return cli_fail(st, &err);
    if (red->end == CKDA_REDUCE_DONE)
        checked = ckda_reduction_check(&decisions, red, &heads, &o->limits, &err);
    const ckda_reduce_result result = {.system = o->system,
                                       .letter = (const char *const *)h->letter,
                                       .heads = &heads,
                                       .red = red,
                                       .checked = checked,
                                       .decisions = decisions,
                                       .problem = checked == CKDA_TRUE ? NULL : err.text,
                                       .seconds = ckda_wall_seconds() - start};
    ckda_report_reduce(stdout, o->json, &result);
    const int code = exit_code(red, checked);
    ckda_reduction_clear(red);
    return code;
}

int
cli_reduce(int argc, char **argv)
{
    static const struct argp argp = {
        option_table,
        parse,
        "SYSTEM",
        "The orthogonal tracker inside an affine one: for heads S -> A S + B of norm at "
        "most 1 with finitely many states, a word whose power projects to a common "
        "invariant subspace, the orthogonal letters on it, and the proof that they still "
        "track the group.  SYSTEM is a file with heads and a decoder (docs/reduce.md), "
        "or "
        "whatever `ckda reach' takes.\vExit code 0: found and verified; 1: a hypothesis "
        "fails, with the witness; 3: a limit was reached.",
        NULL,
        NULL,
        NULL};
    options o = {.limits = {.max_states = 1000000, .max_bytes = UINT64_C(2) << 30}};
    cli_parse(&argp, argc, argv, &o);
    ckda_input_heads_t h;
    ckda_error err;
    ckda_error_clear(&err);
    const ckda_status st = ckda_input_heads_open(h, o.system, &err);
    if (st != CKDA_OK) {
        const bool unknown = st == CKDA_E_INPUT && access(o.system, F_OK) != 0;
        if (unknown)
            cli_guess_system(&err, o.system);
        const int code = cli_fail(st, &err);
        return unknown ? EXIT_USAGE : code;
    }
    cli_charge_for_system(&o.limits, 2);
    const int code = reduce(&o, h);
    ckda_input_heads_clear(h);
    return code;
}
