/* The command line of ckda-gpu: commands, exit codes (those of ckda), helpers. */
#ifndef CKDA_GPU_CLI_H
#define CKDA_GPU_CLI_H
#include <argp.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ckda/status.h"

#include "row.h"
#include "words.h"

enum {
    EXIT_HOLDS = 0,
    EXIT_REFUTED = 1,
    EXIT_USAGE = 2,
    EXIT_UNDECIDED = 3, /* also: there is no device */
    EXIT_BAD_INPUT = 4
};

int gpu_words(int argc, char **argv);
int gpu_chunk(int argc, char **argv);
int gpu_audit(int argc, char **argv);
int gpu_bench(int argc, char **argv);
int gpu_dump(int argc, char **argv);

/* ---- common.c ---- */

/* The device's name, or a message on stderr and NULL. */
const char *gpu_need_device(void);
/* "ckda-gpu: message" on stderr; the exit code of a status, or of a code of ckda_gpu.h. */
int gpu_fail(ckda_status st, const ckda_error *err);
int gpu_fail_code(int code);
void gpu_parse(const struct argp *argp, int argc, char **argv, void *input);

/* count zeros (at least one byte); ends the program where there is no memory. */
void *gpu_room(uint64_t count, size_t size);

/* ---- options.c ---- */

/* For argp: a whole number in a range, else argp_error. */
uint64_t gpu_count(const char *arg, const char *name, uint64_t least, uint64_t most,
                   struct argp_state *state);
/* Numbers "64,256,1024"; false unless they ascend from 1 on and are at most `most`. */
bool gpu_read_list(uint64_t *list, uint32_t *count, uint32_t room, const char *text,
                   uint64_t most);

/* What `words' and `audit' are both asked. */

enum { GPU_MOST_ROWS = 512 };
typedef struct {
    const char *text[GPU_MOST_ROWS]; /* rows */
    int rows;
    const char *construction, *defaults, *at;
    uint64_t seed, words, length, every;
    bool has_every, json;
} gpu_word_options;
/* A child parser; its input is a gpu_word_options. */
extern const struct argp gpu_word_argp;
/* Where drift is shown: --at, or powers of 4.  list has room for CKDA_GPU_MAX_CHECKPOINTS;
 * each is a multiple of `multiple`, or the length.  CKDA_E_INPUT. */
CKDA_MUST_CHECK ckda_status gpu_checkpoints(uint64_t *list, uint32_t *count,
                                            const gpu_word_options *o, uint64_t multiple,
                                            ckda_error *err);

/* ---- figures ---- */

typedef struct {
    double median, max;
} gpu_spread;
/* Of count >= 1 numbers, which are put in order; nearest rank, mean of the middle two. */
gpu_spread gpu_spread_of(float *x, size_t count);

typedef struct {
    uint64_t failed, min, median; /* 0: never */
} gpu_first_wrong;
gpu_first_wrong gpu_first_wrong_of(const uint64_t *first, size_t count);

/* {"min","median","failed"} of ckda.audit/1. */
json_t *gpu_first_wrong_json(const gpu_first_wrong *f);
/* The drift of many words: count checkpoints, ascending; drift[i * words + word]. */
typedef struct {
    const uint64_t *checkpoint;
    uint32_t count;
    float *drift; /* gpu_drift_print and gpu_drift_json put it in order */
    uint64_t words;
} gpu_drift;
/* A line a checkpoint, whose number takes `width` columns. */
void gpu_drift_print(const gpu_drift *d, int width);
/* [{"t","median","max"}, ...]; infinities become null. */
json_t *gpu_drift_json(const gpu_drift *d);
/* The line for f->failed > 0. */
void gpu_first_wrong_print(const gpu_first_wrong *f);
/* The members system, construction, arithmetic. */
void gpu_put_row(json_t *object, const gpu_row *row, const gpu_system *s);

#endif
