/* The program: finds the command and hands it its arguments. */
#include "cli.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "answer.h"
#include "ckda/report.h"
#include "quiet.h"
#include "steps.h"

typedef struct {
    const char *name;
    int (*run)(int argc, char **argv);
    cli_verdict_line verdict; /* what --quiet leaves */
} command;

static const command commands[] = {
    {"list", cli_list, {CLI_VERDICT_WHOLE, {0}}},
    {"explain", cli_explain, {CLI_VERDICT_WHOLE, {0}}},
    {"verify", cli_verify, {CLI_VERDICT_OWN, {0}}},
    {"reach", cli_reach, {CLI_VERDICT_FIRST, {0}}},
    {"decompose", cli_decompose, {CLI_VERDICT_FIRST, {0}}},
    {"spectrum", cli_spectrum, {CLI_VERDICT_LABELS, {"eigenvalues,"}}},
    {"factor", cli_factor, {CLI_VERDICT_FIRST, {0}}},
    {"compile", cli_compile, {CLI_VERDICT_FIRST, {0}}},
    {"run", cli_run, {CLI_VERDICT_LAST, {0}}},
    {"audit", cli_audit, {CLI_VERDICT_FIRST, {0}}},
    {"report", cli_report, {CLI_VERDICT_OWN, {0}}},
    {"range", cli_range, {CLI_VERDICT_LAST, {0}}},
    {"sweep", cli_sweep, {CLI_VERDICT_LABELS, {"cells "}}},
    {"reduce", cli_reduce, {CLI_VERDICT_LABELS, {"tracker "}}},
    {"construct", cli_construct, {CLI_VERDICT_LABELS, {"one layer ", "network "}}},
};

static const char doc[] =
    "Exact checks of what Complex KDA and its relatives can and cannot track."
    "\v"
    "Commands:\n"
    "  list                    every claim with id, source, strength and status\n"
    "  explain ID...           one claim in full\n"
    "  verify [PATTERN...]     check claims\n"
    "  reach SYSTEM            the reachable states of a system\n"
    "  reduce SYSTEM           the orthogonal tracker inside an affine one\n"
    "  decompose FILE          Theorem 1: orthogonal D + u v^T as (I - 2kk^T) S\n"
    "  spectrum FILE           characteristic polynomial and eigenvalue counts\n"
    "  factor FILE             permutation, map or matrix as CKDA factors\n"
    "  sweep                   where one step has a complex pair, on a grid\n"
    "  compile SYSTEM          group or automaton as a network of CKDA layers\n"
    "  construct SYSTEM        layers that track a group, or why there are none\n"
    "  run SYSTEM WORD         network or construction beside the direct product\n"
    "  audit SYSTEM            a rounded recurrence against the exact states\n"
    "  range FILE              does a chunk scheme fit its formats\n"
    "  report -o DIR           one page for a reader, the same data as JSON\n"
    "`ckda COMMAND --help' tells more.\n\n"
    "Exit codes: 0 everything asked about holds, 1 refuted, 2 wrong usage, 3 undecided, "
    "4 bad input or input/output error, 5 internal error.";

typedef struct {
    const command *found;
    int at; /* index of the command in argv */
} choice;

static void
unknown_command(struct argp_state *state, const char *name)
{
    cli_guess guess;
    cli_guess_init(&guess, name);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        cli_guess_add(&guess, commands[i].name);
    cli_guess_add(&guess, "--help"); /* for `ckda help' */
    cli_guess_add(&guess, "--version");
    argp_error(state, "unknown command '%s'%s", name, cli_guess_text(&guess));
}

static error_t
parse(int key, char *arg, struct argp_state *state)
{
    choice *c = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
            if (strcmp(arg, commands[i].name) == 0)
                c->found = &commands[i];
        if (c->found == NULL)
            unknown_command(state, arg);
        c->at = state->next - 1;
        state->next = state->argc; /* the rest is the command's */
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "a command is missing");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void
print_version(FILE *out, struct argp_state *state)
{
    (void)state;
    fprintf(out, "%s\n", ckda_report_version());
}

int
ckda_cli_main(int argc, char **argv)
{
    static const struct argp argp = {NULL, parse, "COMMAND [ARG...]", doc, NULL,
                                     NULL, NULL};
    static char name[64]; /* argp keeps it */
    char program[] = "ckda";
    choice c = {NULL, 0};
    cli_catch_fatal();
    cli_watch_memory();
    cli_check_stdout_at_exit();
    argp_program_version_hook = print_version;
    argp_err_exit_status = EXIT_USAGE;
    if (argc > 0)
        argv[0] = program;
    if (argc > 1) /* options behind the command are the command's */
        cli_guess_options(&argp, 2, argv);
    int failed = argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &c);
    ckda_require_memory(failed != ENOMEM);
    ckda_require(failed == 0 && c.found != NULL, "no command, and argp did not end");
    snprintf(name, sizeof name, "ckda %s", c.found->name);
    argv[c.at] = name;
    ckda_report_set_color(cli_may_color(stdout));
    cli_quiet_choose(&c.found->verdict);
    const int code = cli_answer_end(c.found->run(argc - c.at, argv + c.at));
    cli_has_answered();
    flint_cleanup();
    mpfr_free_cache();
    return code;
}
