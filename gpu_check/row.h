/* row.h -- which tracker runs in which arithmetic, as one word of a command line:
 *
 *     SYSTEM[/CONSTRUCTION][:PART,PART,...]        A5/quaternion:recurrent-fp32,fma=off
 *
 * A PART is a preset of ckda/arith.h (recurrent-fp32, recurrent-bf16-state, grid), or
 * OPTION=VALUE with the options of `ckda audit`: state, keys, beta, compute, fma, order,
 * key-norm, beta-rule, rounding, grid, flush, initial.  Without any: fp32 throughout.
 *
 * `chunk` or `recurrent` in place of a preset is a kernel of ckda_gpu.h: bf16 keys, fp32
 * beta; then also precision=plain|factors|honest, snap=C (multiples of 1/C at chunk ends),
 * gate=value|log.                                                                        */
#ifndef CKDA_GPU_ROW_H
#define CKDA_GPU_ROW_H
#include "ckda/arith.h"
#include "ckda/rounded.h"
#include "ckda/tracker.h"

#include "automaton.h"

typedef enum { ROW_WORDS, ROW_CHUNK, ROW_RECURRENT } gpu_row_kernel;

typedef struct {
    char *text;                  /* as it was given, with defaults */
    char *system, *construction; /* construction: NULL for the system's own */
    ckda_arith arith;
    gpu_row_kernel kernel;
    int precision, gate_kind; /* of ckda_gpu.h */
    int64_t snap;             /* 0: none */
} gpu_row;

/* Parts of the row come after those of `defaults` ("" or NULL: none).  CKDA_E_INPUT. */
CKDA_MUST_CHECK ckda_status gpu_row_parse(gpu_row *row, const char *text,
                                          const char *construction, const char *defaults,
                                          ckda_error *err);
void gpu_row_clear(gpu_row *row);

/* Names on the command line and in documents; precision and gate_kind as in ckda_gpu.h. */
const char *gpu_precision_name(int precision);
const char *gpu_gate_name(int gate_kind);
const char *gpu_kernel_name(gpu_row_kernel kernel);

/* A row with its tables. */
typedef struct {
    ckda_tracker_t tracker;
    ckda_rounded_t rounded;
    ckda_gpu_automaton automaton;
} gpu_system;

CKDA_MUST_CHECK ckda_status gpu_system_open(gpu_system *s, const gpu_row *row,
                                            ckda_error *err);
void gpu_system_close(gpu_system *s);

/* What `ckda-gpu words --suite` compares: SYSTEM/CONSTRUCTION and the parts of a row, every
 * one with every other; NULL ends a list. */
extern const char *const gpu_suite_systems[], *const gpu_suite_arithmetics[];

#endif
