/* Options of `ckda audit` for other starts, keys and betas. */
#include "audit.h"

#include <stdlib.h>
#include <string.h>

/* A whole number from -127 to 127 up to `end`, which is where it must stop. */
static bool
read_move(int *move, const char *text, char end, const char **rest)
{
    char *stop;
    const long v = strtol(text, &stop, 10);
    if (stop == text || v < -INT8_MAX || v > INT8_MAX || (*stop != end && *stop != '\0'))
        return false;
    *move = (int)v;
    *rest = stop;
    return true;
}

void
audit_move_keys(ckda_arith *a, const char *arg, struct argp_state *state)
{
    const char *at = arg;
    int n = 0, move = 0;
    bool good = true;
    for (;; at++) {
        good = n < CKDA_KEY_MOVES && read_move(&move, at, ',', &at);
        if (good)
            a->key_move[n++] = (int8_t)move;
        if (!good || *at == '\0')
            break;
    }
    if (!good)
        argp_error(state,
                   "--move-keys: expected at most %d whole numbers from -127 to 127 such "
                   "as 1,0,-2, found '%s'",
                   CKDA_KEY_MOVES, arg);
}

void
audit_move_beta(ckda_arith *a, const char *arg, struct argp_state *state)
{
    const char *rest;
    int move = 0;
    if (!read_move(&move, arg, '\0', &rest))
        argp_error(state,
                   "--move-beta: expected a whole number from -127 to 127, found '%s'",
                   arg);
    a->beta_move = (int8_t)move;
}

/* "R" or "R,B" */
void
audit_search_keys(audit_options *o, const char *arg, struct argp_state *state)
{
    const char *at = arg;
    bool good = read_move(&o->most_keys, at, ',', &at);
    if (good && *at == ',')
        good = read_move(&o->most_beta, at + 1, '\0', &at);
    if (!good || o->most_keys < 0 || o->most_beta < 0)
        argp_error(
            state,
            "--search-keys: expected R or R,B from 0 to 127 such as 2,1, found '%s'",
            arg);
    o->search_keys = true;
}

/* "random" or "random:SEED" */
void
audit_start(audit_options *o, const char *arg, struct argp_state *state)
{
    const size_t name = strlen("random");
    const bool seeded = strncmp(arg, "random:", name + 1) == 0;
    o->starts_at_random = strcmp(arg, "random") == 0;
    if (!o->starts_at_random
        && (!seeded || !cli_read_count(&o->arith.start, arg + name + 1)
            || o->arith.start == 0))
        argp_error(state,
                   "--start: expected random or random:SEED with a seed from 1 on, found "
                   "'%s'",
                   arg);
}
