/* Numbers on the command line, and what `ckda-gpu words' and `ckda-gpu audit' are both
 * asked: rows, how many words and how long, where to look. */
#include "gpu_cli.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

uint64_t
gpu_count(const char *arg, const char *name, uint64_t least, uint64_t most,
          struct argp_state *state)
{
    char *end;
    const unsigned long long n = strtoull(arg, &end, 10);
    if (*arg < '0' || *arg > '9' || *end != '\0' || n < least || n > most)
        argp_error(state,
                   "--%s: expected a whole number from %" PRIu64 " to %" PRIu64
                   ", found '%s'",
                   name, least, most, arg);
    return n;
}

bool
gpu_read_list(uint64_t *list, uint32_t *count, uint32_t room, const char *text,
              uint64_t most)
{
    uint64_t last = 0;
    for (*count = 0; *text != '\0';) {
        char *end;
        const unsigned long long n = strtoull(text, &end, 10);
        if (*text < '0' || *text > '9' || n <= last || n > most || *count == room
            || (*end != ',' && *end != '\0'))
            return false;
        last = list[(*count)++] = n;
        text = *end == ',' ? end + 1 : end;
    }
    return *count > 0;
}

/* ---- words and audit ---------------------------------------------------------------------- */

enum { KEY_AT = 512, KEY_SEED, KEY_LENGTH, KEY_EVERY };

static const struct argp_option option_table[] = {
    {"construction", 'c', "NAME", 0, "For rows that name none", 0},
    {"arithmetic", 'a', "PART,...", 0, "Parts that come before those of every row", 0},
    {"words", 'n', "N", 0, "Random words", 0},
    {"sequences", 0, NULL, OPTION_ALIAS, NULL, 0},
    {"length", KEY_LENGTH, "T", 0, "Letters (tokens) of each word", 0},
    {"steps", 0, NULL, OPTION_ALIAS, NULL, 0},
    {"every", KEY_EVERY, "E", 0, "Decode after every E letters", 0},
    {"at", KEY_AT, "T,T,...", 0, "Where drift is shown (default: powers of 4)", 0},
    {"seed", KEY_SEED, "N", 0, "Seed of the words (default 1)", 0},
    {"json", 'j', NULL, 0, "One JSON document", 0},
    {0}};

static error_t
parse(int key, char *arg, struct argp_state *state)
{
    gpu_word_options *o = state->input;
    switch (key) {
    case 'c':
        o->construction = arg;
        return 0;
    case 'a':
        o->defaults = arg;
        return 0;
    case 'n':
        o->words = gpu_count(arg, "words", 1, UINT64_C(1) << 30, state);
        return 0;
    case KEY_LENGTH:
        o->length = gpu_count(arg, "length", 1, UINT64_C(1) << 40, state);
        return 0;
    case KEY_EVERY:
        o->every = gpu_count(arg, "every", 0, UINT64_C(1) << 40, state);
        o->has_every = true;
        return 0;
    case KEY_AT:
        o->at = arg;
        return 0;
    case KEY_SEED:
        o->seed = gpu_count(arg, "seed", 0, UINT64_MAX, state);
        return 0;
    case 'j':
        o->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (o->rows == GPU_MOST_ROWS)
            argp_error(state, "at most %d rows", GPU_MOST_ROWS);
        o->text[o->rows++] = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp gpu_word_argp = {option_table, parse, NULL, NULL, NULL, NULL, NULL};

/* Powers of 4 from 64 on that come before the length, and the length. */
static uint32_t
usual_checkpoints(uint64_t *list, uint64_t length)
{
    uint32_t count = 0;
    for (uint64_t t = 64; t < length && count + 1 < CKDA_GPU_MAX_CHECKPOINTS; t *= 4)
        list[count++] = t;
    list[count++] = length;
    return count;
}

ckda_status
gpu_checkpoints(uint64_t *list, uint32_t *count, const gpu_word_options *o,
                uint64_t multiple, ckda_error *err)
{
    if (o->at == NULL) {
        *count = usual_checkpoints(list, o->length);
        return CKDA_OK;
    }
    bool good = gpu_read_list(list, count, CKDA_GPU_MAX_CHECKPOINTS, o->at, o->length);
    for (uint32_t i = 0; good && i < *count; i++)
        good = list[i] % multiple == 0 || list[i] == o->length;
    if (good)
        return CKDA_OK;
    char of[64] = "";
    if (multiple > 1)
        snprintf(of, sizeof of, " (for the kernels multiples of %d)", (int)multiple);
    ckda_error_set(err,
                   "--at: expected up to %d numbers that ascend to at most --length%s, "
                   "found '%s'",
                   CKDA_GPU_MAX_CHECKPOINTS, of, o->at);
    return CKDA_E_INPUT;
}
