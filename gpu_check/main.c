/* ckda-gpu: finds the command and hands it its arguments. */
#include "gpu_cli.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} commands[] = {{"words", gpu_words},
                {"chunk", gpu_chunk},
                {"audit", gpu_audit},
                {"bench", gpu_bench},
                {"dump", gpu_dump}};

static const char doc[] =
    "CKDA kernels on a CUDA device beside their exact answers."
    "\v"
    "Commands:\n"
    "  words ROW...   group words in rounded arithmetic; --compare with the host's bits\n"
    "  chunk          the chunked and the recurrent kernel on random inputs\n"
    "  audit ROW...   drift and first wrong decode, for words and for the kernels\n"
    "  bench          times\n"
    "  dump FILE      inputs and outputs as a trace for `ckda audit --trace'\n"
    "`ckda-gpu COMMAND --help' tells more.\n\n"
    "Exit codes: 0 everything asked about holds, 1 refuted, 2 wrong usage, 3 undecided "
    "or "
    "no device, 4 bad input or input/output error.";

typedef struct {
    int found, at;
} choice;

static error_t
parse(int key, char *arg, struct argp_state *state)
{
    choice *c = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
            if (strcmp(arg, commands[i].name) == 0)
                c->found = (int)i;
        if (c->found < 0)
            argp_error(state, "unknown command '%s'", arg);
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

int
main(int argc, char **argv)
{
    static const struct argp argp = {NULL, parse, "COMMAND [ARG...]", doc, NULL,
                                     NULL, NULL};
    static char name[64]; /* argp keeps it */
    choice c = {-1, 0};
    argp_err_exit_status = EXIT_USAGE;
    const int failed = argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &c);
    ckda_require(failed == 0 && c.found >= 0, "no command, and argp did not end");
    snprintf(name, sizeof name, "ckda-gpu %s", commands[c.found].name);
    argv[c.at] = name;
    const int code = commands[c.found].run(argc - c.at, argv + c.at);
    flint_cleanup();
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fputs("ckda-gpu: the output could not be written\n", stderr);
        return EXIT_BAD_INPUT;
    }
    return code;
}
