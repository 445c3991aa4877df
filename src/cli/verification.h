/* What `ckda verify` and `ckda report` run: claims of the ledger and their mutants. */
#ifndef CKDA_SRC_CLI_VERIFICATION_H
#define CKDA_SRC_CLI_VERIFICATION_H
#include "ckda/report.h"
#include "cli.h"

/* The options that both have: --effort, --seed, PATTERNs; the input of cli_verification_argp,
 * which is a child of the command's own. */
typedef struct {
    uint64_t seed;
    ckda_effort effort;
    char **patterns; /* none: every claim */
    int npatterns;
} cli_verification_options;

extern const struct argp cli_verification_argp;
/* quick, full or deep; false for anything else. */
bool cli_read_effort(ckda_effort *e, const char *text);
/* A whole number below 2^63; false for anything else. */
bool cli_read_seed(uint64_t *seed, const char *text);

/* Outcomes, in the order in which they are filled; the first *_run of each are. */
typedef struct {
    ckda_outcome *claims, *mutants;
    size_t nclaims, nmutants, claims_run, mutants_run;
    bool interrupted; /* by Ctrl-C, before the last of them */
} cli_plan;

typedef struct {
    char **patterns; /* none: every claim */
    int npatterns;
    bool mutants;
    const char *only; /* this one mutant and nothing else; NULL: not so */
} cli_plan_choice;

void cli_plan_make(cli_plan *p, const cli_plan_choice *c, const ckda_ledger *l);
void cli_plan_clear(cli_plan *p);

typedef struct {
    uint64_t seed;
    ckda_effort effort;
    bool tap;                                        /* a crash must end the TAP stream */
    void (*done)(const ckda_outcome *o, void *data); /* NULL: nothing to do */
    void *data;
} cli_plan_how;

/* Each claim, then its mutants: a mutant says nothing about a check that refutes
 * everything.  Stops when nobody can read the answers any more, or after Ctrl-C. */
void cli_plan_run(cli_plan *p, const cli_plan_how *how);

/* 1: a claim is refuted or a mutant is not; 3: undecided, or nothing was checked, which is
 * said on stderr; 0: all hold. */
int cli_verification_code(const char *command, const ckda_verification *v);

#endif
