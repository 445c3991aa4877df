/* Results of `ckda run' as text and JSON. */
#ifndef CKDA_SRC_CLI_RUN_PRINT_H
#define CKDA_SRC_CLI_RUN_PRINT_H
#include <jansson.h>
#include "cli.h"
#include "ckda/net.h"
#include "ckda/reach.h"

typedef struct {
    const char *letter;      /* its name */
    char *output, *expected; /* free() */
    bool equal, accepted;
    ulong bits;     /* of the largest numerator or denominator in the states */
    json_t *states; /* a matrix for each head, or NULL */
} run_prefix;

typedef struct {
    const char *system;
    const ckda_net *net;
    uint64_t seed;
    bool has_word;
    run_prefix *prefix;
    size_t length;
    bool all_equal;
    ulong max_bits;
    ulong *head_bits; /* the largest of each head */
    char **head_beta; /* likewise, as text; free() */
    const char *max_beta;
    const ckda_net_closure *closure; /* NULL: not asked for */
    double seconds;                  /* of the closure */
} run_result;

/* Rows of exact numbers as text. */
json_t *cli_run_matrix_json(const ckda_mat_struct *A, const ckda_field_t K);
json_t *cli_run_states_json(const ckda_net *net, const ckda_net_run *run);

/* A system of matrices: the state itself is what is said. */
typedef struct {
    const char *system, *kind;
    const ckda_system_struct *sys;
    uint64_t seed;
    bool with_states;
    run_prefix *prefix; /* states: of the one head there is */
    json_t **expected;  /* of each prefix, as its state */
    size_t length;
    bool all_equal;
    ulong max_bits;
} run_system_result;
void cli_run_system_print_json(FILE *out, const run_system_result *r);
void cli_run_system_print_text(FILE *out, const run_system_result *r);

void cli_run_print_json(FILE *out, const run_result *r);
void cli_run_print_text(FILE *out, const run_result *r);

#endif
