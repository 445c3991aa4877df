/* `ckda run' on systems of matrices that are no networks: affine maps, one matrix. */
#ifndef CKDA_SRC_CLI_RUN_SYSTEM_H
#define CKDA_SRC_CLI_RUN_SYSTEM_H
#include "cli.h"
#include "ckda/input.h"

/* Is it a document whose letters are matrices or affine maps, with no group behind them? */
bool cli_run_is_system(const char *system);

typedef struct {
    const char *system, *construction, *word;
    bool json, states;
    uint64_t seed;
} cli_run_system_options;
/* The exact state after every letter beside the product of the word's maps; the exit code. */
int cli_run_system(const cli_run_system_options *o);

#endif
