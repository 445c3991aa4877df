/* ckda-gpu dump: inputs and outputs of the kernels as a trace for `ckda audit --trace`. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ckda_gpu.h"
#include "dump.h"
#include "gpu_cli.h"
#include "host_run.h"
#include "letters.h"

/* ---- options -------------------------------------------------------------------------------- */

enum {
    KEY_SEED = 256,
    KEY_WORDS,
    KEY_KIND,
    KEY_BATCH,
    KEY_TOKENS,
    KEY_HEADS,
    KEY_DK,
    KEY_DV,
    KEY_SNAP
};

static const struct argp_option option_table[] = {
    {"words", KEY_WORDS, "ROW", 0,
     "Group words, such as A5:chunk,beta-rule=from-key, in place of random inputs", 0},
    {"kind", KEY_KIND, "KIND", 0,
     "Random inputs: decay (gates in (0, 1), beta in (0, 1)), signed (signed gates, beta "
     "in "
     "(0, 2)), reflect (gates +-1, beta = 2/|k|^2); default signed",
     0},
    {"batch", KEY_BATCH, "B", 0, "Sequences (default 1)", 0},
    {"tokens", KEY_TOKENS, "T", 0, "Tokens of each (default 512)", 0},
    {"heads", KEY_HEADS, "H", 0, "Heads (default 2)", 0},
    {"dk", KEY_DK, "D", 0, "16, 64 or 128 (default 64)", 0},
    {"dv", KEY_DV, "D", 0, "16, 64 or 128 (default 64)", 0},
    {"snap", KEY_SNAP, "C", 0,
     "With --words: also the honest kernel with its state on multiples of 1/C", 0},
    {"seed", KEY_SEED, "N", 0, "Seed of the inputs (default 1)", 0},
    {0}};

static uint64_t
size_option(const char *arg, const char *name, struct argp_state *state)
{
    const uint64_t d = gpu_count(arg, name, 16, 128, state);
    if (d != 16 && d != 64 && d != 128)
        argp_error(state, "--%s: expected 16, 64 or 128, found '%s'", name, arg);
    return d;
}

static error_t
parse(int key, char *arg, struct argp_state *state)
{
    static const char *const kinds[] = {"decay", "signed", "reflect"};
    dump_options *o = state->input;
    switch (key) {
    case KEY_WORDS:
        o->words = arg;
        return 0;
    case KEY_KIND:
        for (int i = 0; i < 3; i++)
            if (strcmp(arg, kinds[i]) == 0) {
                o->kind = (input_kind)i;
                return 0;
            }
        argp_error(state, "--kind: expected decay, signed or reflect, found '%s'", arg);
        return 0;
    case KEY_BATCH:
        o->batch = gpu_count(arg, "batch", 1, 4096, state);
        return 0;
    case KEY_TOKENS:
        o->tokens = gpu_count(arg, "tokens", 1, 1u << 24, state);
        return 0;
    case KEY_HEADS:
        o->heads = gpu_count(arg, "heads", 1, 64, state);
        return 0;
    case KEY_DK:
        o->dk = size_option(arg, "dk", state);
        return 0;
    case KEY_DV:
        o->dv = size_option(arg, "dv", state);
        return 0;
    case KEY_SNAP:
        o->snap = (int64_t)gpu_count(arg, "snap", 1, 1u << 21, state);
        return 0;
    case KEY_SEED:
        o->seed = gpu_count(arg, "seed", 0, UINT64_MAX / 2, state);
        return 0;
    case ARGP_KEY_ARG:
        if (o->file != NULL)
            argp_error(state, "one FILE only");
        o->file = arg;
        return 0;
    case ARGP_KEY_END:
        if (o->file == NULL)
            argp_error(state, "FILE is missing");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- arrays ----------------------------------------------------------------------------------- */

void
dump_arrays_init(dump_arrays *a, const dump_options *o)
{
    a->rows = o->batch * o->tokens * o->heads;
    a->states = o->batch * o->heads;
    a->q = gpu_room(a->rows * o->dk, sizeof *a->q);
    a->k = gpu_room(a->rows * o->dk, sizeof *a->k);
    a->v = gpu_room(a->rows * o->dv, sizeof *a->v);
    a->gate = gpu_room(a->rows * o->dk, sizeof *a->gate);
    a->o = gpu_room(a->rows * o->dv, sizeof *a->o);
    a->beta = gpu_room(a->rows, sizeof *a->beta);
    a->initial = gpu_room(a->states * o->dk * o->dv, sizeof *a->initial);
    a->final = gpu_room(a->states * o->dk * o->dv, sizeof *a->final);
    a->out_of_range = 0;
}

void
dump_arrays_clear(dump_arrays *a)
{
    free(a->q);
    free(a->k);
    free(a->v);
    free(a->gate);
    free(a->o);
    free(a->beta);
    free(a->initial);
    free(a->final);
}

int
dump_forward(dump_arrays *a, const dump_variant *v, float scale, const dump_options *o)
{
    const ckda_gpu_chunk c = {.sequences = (int64_t)o->batch,
                              .tokens = (int64_t)o->tokens,
                              .heads = (int)o->heads,
                              .dk = (int)o->dk,
                              .dv = (int)o->dv,
                              .q = a->q,
                              .k = a->k,
                              .v = a->v,
                              .gate = a->gate,
                              .beta = a->beta,
                              .initial = a->initial,
                              .o = a->o,
                              .final_state = a->final,
                              .out_of_range = &a->out_of_range,
                              .scale = scale,
                              .gate_kind = CKDA_GPU_GATE_VALUE,
                              .precision = v->precision,
                              .grid = (float)v->snap};
    return ckda_gpu_host_forward(&c, v->recurrent);
}

/* ---- random inputs -------------------------------------------------------------------------------- */

static double
uniform(uint64_t seed, uint64_t stream, uint64_t i)
{
    return ((double)(ckda_gpu_mix(ckda_gpu_mix(seed * 1000003 + stream) ^ i) >> 11) + 0.5)
           * 0x1p-53;
}

static double
normal(uint64_t seed, uint64_t stream, uint64_t i)
{
    return sqrt(-2 * log(uniform(seed, stream, 2 * i)))
           * cos(6.283185307179586 * uniform(seed, stream, 2 * i + 1));
}

static void
fill_units(uint16_t *out, uint64_t rows, uint64_t d, uint64_t seed, uint64_t stream)
{
    for (uint64_t r = 0; r < rows; r++) {
        double square = 0;
        for (uint64_t c = 0; c < d; c++)
            square += pow(normal(seed, stream, r * d + c), 2);
        for (uint64_t c = 0; c < d; c++)
            out[r * d + c] = dump_bf16(normal(seed, stream, r * d + c) / sqrt(square));
    }
}

static float
beta_of(const dump_arrays *a, uint64_t row, const dump_options *o)
{
    const double s = 1 / (1 + exp(-normal(o->seed, 4, row)));
    float square = 0;
    if (o->kind != KIND_REFLECT)
        return (float)(o->kind == KIND_DECAY ? s : 2 * s);
    for (uint64_t c = 0; c < o->dk; c++) {
        const float x = ckda_fast_float_from_bf16(a->k[row * o->dk + c]);
        square += x * x;
    }
    return 2 / square;
}

static void
fill_random(dump_arrays *a, const dump_options *o)
{
    fill_units(a->q, a->rows, o->dk, o->seed, 1);
    fill_units(a->k, a->rows, o->dk, o->seed, 2);
    for (uint64_t i = 0; i < a->rows * o->dv; i++)
        a->v[i] = dump_bf16(normal(o->seed, 3, i));
    for (uint64_t i = 0; i < a->rows; i++)
        a->beta[i] = beta_of(a, i, o);
    for (uint64_t i = 0; i < a->rows * o->dk; i++) {
        const double decay = exp(-0.2 * pow(normal(o->seed, 5, i), 2));
        const bool negative = o->kind != KIND_DECAY && uniform(o->seed, 6, i) < 0.5;
        a->gate[i] =
            dump_bf16((negative ? -1 : 1) * (o->kind == KIND_REFLECT ? 1 : decay));
    }
    for (uint64_t i = 0; i < a->states * o->dk * o->dv; i++)
        a->initial[i] = (float)(0.1 * normal(o->seed, 7, i));
}

/* ---- the trace ------------------------------------------------------------------------------------- */

void
dump_add(ckda_tensors *ts, ckda_status *st, ckda_error *err, const char *name,
         ckda_dtype dtype, int ndim, const uint64_t *shape, const void *bytes)
{
    if (*st == CKDA_OK)
        *st = ckda_tensors_add(ts, name, dtype, ndim, shape, bytes, err);
}

static void
set_number(ckda_tensors *ts, const char *key, double x)
{
    char text[40];
    snprintf(text, sizeof text, "%.17g", x);
    ckda_tensors_set_meta(ts, key, text);
}

static void
set_origin(ckda_tensors *ts, const char *device, const dump_options *o)
{
    char text[320];
    snprintf(text, sizeof text, "ckda-gpu dump, %.256s", device);
    ckda_tensors_set_meta(ts, "made_by", text);
    ckda_tensors_set_meta(ts, "state_layout", "kv");
    ckda_tensors_set_meta(ts, "arithmetic.recurrent", "recurrent-fp32");
    snprintf(text, sizeof text, "%" PRIu64, o->seed);
    ckda_tensors_set_meta(ts, "seed", text);
}

const dump_variant dump_variants[DUMP_VARIANTS] = {
    {"chunk_plain", false, CKDA_GPU_PLAIN, 0},
    {"chunk_factors", false, CKDA_GPU_FACTORS, 0},
    {"chunk_honest", false, CKDA_GPU_HONEST, 0},
    {"recurrent", true, CKDA_GPU_HONEST, 0}};

static int
dump_random(ckda_tensors *ts, ckda_status *st, ckda_error *err, const dump_options *o)
{
    const uint64_t keys[] = {o->batch, o->tokens, o->heads, o->dk};
    const uint64_t values[] = {o->batch, o->tokens, o->heads, o->dv};
    const uint64_t states[] = {o->batch, o->heads, o->dk, o->dv};
    const float scale = 1 / sqrtf((float)o->dk);
    char name[64];
    dump_arrays a;
    int code = CKDA_GPU_OK;
    dump_arrays_init(&a, o);
    fill_random(&a, o);
    dump_add(ts, st, err, "q", CKDA_DTYPE_BF16, 4, keys, a.q);
    dump_add(ts, st, err, "k", CKDA_DTYPE_BF16, 4, keys, a.k);
    dump_add(ts, st, err, "v", CKDA_DTYPE_BF16, 4, values, a.v);
    dump_add(ts, st, err, "alpha", CKDA_DTYPE_BF16, 4, keys, a.gate);
    dump_add(ts, st, err, "beta", CKDA_DTYPE_F32, 3, keys, a.beta);
    dump_add(ts, st, err, "initial_state", CKDA_DTYPE_F32, 4, states, a.initial);
    set_number(ts, "scale", (double)scale);
    ckda_tensors_set_meta(
        ts, "what", "H_t=(I-beta k k^T)diag(alpha)H_{t-1}+beta k v^T, o=scale*H^T q");
    for (size_t i = 0; i < DUMP_VARIANTS; i++) {
        code = code == CKDA_GPU_OK ? dump_forward(&a, &dump_variants[i], scale, o) : code;
        snprintf(name, sizeof name, "o.%s", dump_variants[i].name);
        dump_add(ts, st, err, name, CKDA_DTYPE_BF16, 4, values, a.o);
        snprintf(name, sizeof name, "final_state.%s", dump_variants[i].name);
        dump_add(ts, st, err, name, CKDA_DTYPE_F32, 4, states, a.final);
    }
    dump_arrays_clear(&a);
    return code;
}

/* ---- the command -------------------------------------------------------------------------------------- */

static ckda_status
open_words(gpu_row *row, gpu_system *s, const dump_options *o, ckda_error *err)
{
    ckda_status st = gpu_row_parse(row, o->words, NULL, "chunk", err);
    if (st != CKDA_OK)
        return st;
    st = gpu_system_open(s, row, err);
    if (st == CKDA_OK
        && (s->automaton.micro_steps != s->automaton.letters || s->automaton.scale != 1
            || s->tracker->c->G->order > 256)) {
        ckda_error_set(err,
                       "%s: expected one reflection a letter, H_0 = I and at most 256 "
                       "elements",
                       o->words);
        gpu_system_close(s);
        st = CKDA_E_INPUT;
    }
    if (st != CKDA_OK)
        gpu_row_clear(row);
    return st;
}

static int
dump(const char *device, const dump_options *o)
{
    gpu_row row;
    gpu_system s;
    ckda_tensors ts;
    ckda_error err;
    int code;
    ckda_error_clear(&err);
    ckda_status st = CKDA_OK;
    if (o->words != NULL && (st = open_words(&row, &s, o, &err)) != CKDA_OK)
        return gpu_fail(st, &err);
    ckda_tensors_init(&ts);
    set_origin(&ts, device, o);
    if (o->words != NULL) {
        code = dump_words(&ts, &st, &err, &s, o);
        gpu_system_close(&s);
        gpu_row_clear(&row);
    } else {
        code = dump_random(&ts, &st, &err, o);
    }
    if (st == CKDA_OK && code == CKDA_GPU_OK)
        st = ckda_safetensors_write(o->file, &ts, &err);
    ckda_tensors_clear(&ts);
    if (code != CKDA_GPU_OK)
        return gpu_fail_code(code);
    return st == CKDA_OK ? EXIT_HOLDS : gpu_fail(st, &err);
}

int
gpu_dump(int argc, char **argv)
{
    static const struct argp argp = {
        option_table,
        parse,
        "FILE",
        "Runs the chunked kernel in all precisions and the recurrent one, and writes "
        "inputs "
        "and outputs as FILE (.safetensors): `ckda audit --trace FILE' judges them.",
        NULL,
        NULL,
        NULL};
    dump_options o = {.kind = KIND_SIGNED,
                      .seed = 1,
                      .batch = 1,
                      .tokens = 512,
                      .heads = 2,
                      .dk = 64,
                      .dv = 64};
    gpu_parse(&argp, argc, argv, &o);
    const char *device = gpu_need_device();
    return device == NULL ? EXIT_UNDECIDED : dump(device, &o);
}
