/* ckda-gpu dump: inputs and outputs of the kernels as a trace for `ckda audit --trace`. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ckda/fpfast.h"
#include "ckda/tensor.h"
#include "ckda_gpu.h"
#include "gpu_cli.h"
#include "host_run.h"
#include "letters.h"

typedef enum { KIND_DECAY, KIND_SIGNED, KIND_REFLECT } input_kind;

typedef struct {
    const char *file, *words; /* words: a ROW, else random inputs of `kind` */
    input_kind kind;
    uint64_t seed, batch, tokens, heads, dk, dv;
    int64_t snap;
} dump_options;

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
     "Also the honest kernel with its state on multiples of 1/C", 0},
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

static void *
room(uint64_t count, size_t size)
{
    void *p = calloc(count + 1, size);
    ckda_require(p != NULL, "out of memory");
    return p;
}

/* What the kernels take and give, on the host. */
typedef struct {
    uint64_t rows, states; /* batch * tokens * heads, batch * heads */
    uint16_t *q, *k, *v, *gate, *o;
    float *beta, *initial, *final;
    int out_of_range;
} arrays;

static void
arrays_init(arrays *a, const dump_options *o)
{
    a->rows = o->batch * o->tokens * o->heads;
    a->states = o->batch * o->heads;
    a->q = room(a->rows * o->dk, sizeof *a->q);
    a->k = room(a->rows * o->dk, sizeof *a->k);
    a->v = room(a->rows * o->dv, sizeof *a->v);
    a->gate = room(a->rows * o->dk, sizeof *a->gate);
    a->o = room(a->rows * o->dv, sizeof *a->o);
    a->beta = room(a->rows, sizeof *a->beta);
    a->initial = room(a->states * o->dk * o->dv, sizeof *a->initial);
    a->final = room(a->states * o->dk * o->dv, sizeof *a->final);
    a->out_of_range = 0;
}

static void
arrays_clear(arrays *a)
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

/* A kernel and how it is called in the trace. */
typedef struct {
    const char *name;
    bool recurrent;
    int precision;
    int64_t snap;
} variant;

static int
forward(arrays *a, const variant *v, float scale, const dump_options *o)
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

static uint16_t
bf16(double x)
{
    return ckda_fast_bf16_from_float((float)x);
}

static void
fill_units(uint16_t *out, uint64_t rows, uint64_t d, uint64_t seed, uint64_t stream)
{
    for (uint64_t r = 0; r < rows; r++) {
        double square = 0;
        for (uint64_t c = 0; c < d; c++)
            square += pow(normal(seed, stream, r * d + c), 2);
        for (uint64_t c = 0; c < d; c++)
            out[r * d + c] = bf16(normal(seed, stream, r * d + c) / sqrt(square));
    }
}

static float
beta_of(const arrays *a, uint64_t row, const dump_options *o)
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
fill_random(arrays *a, const dump_options *o)
{
    fill_units(a->q, a->rows, o->dk, o->seed, 1);
    fill_units(a->k, a->rows, o->dk, o->seed, 2);
    for (uint64_t i = 0; i < a->rows * o->dv; i++)
        a->v[i] = bf16(normal(o->seed, 3, i));
    for (uint64_t i = 0; i < a->rows; i++)
        a->beta[i] = beta_of(a, i, o);
    for (uint64_t i = 0; i < a->rows * o->dk; i++) {
        const double decay = exp(-0.2 * pow(normal(o->seed, 5, i), 2));
        const bool negative = o->kind != KIND_DECAY && uniform(o->seed, 6, i) < 0.5;
        a->gate[i] = bf16((negative ? -1 : 1) * (o->kind == KIND_REFLECT ? 1 : decay));
    }
    for (uint64_t i = 0; i < a->states * o->dk * o->dv; i++)
        a->initial[i] = (float)(0.1 * normal(o->seed, 7, i));
}

/* ---- the trace ------------------------------------------------------------------------------------- */

/* Keeps the first error. */
static void
add(ckda_tensors *ts, ckda_status *st, ckda_error *err, const char *name,
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

static const variant variants[] = {{"chunk_plain", false, CKDA_GPU_PLAIN, 0},
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
    arrays a;
    int code = CKDA_GPU_OK;
    arrays_init(&a, o);
    fill_random(&a, o);
    add(ts, st, err, "q", CKDA_DTYPE_BF16, 4, keys, a.q);
    add(ts, st, err, "k", CKDA_DTYPE_BF16, 4, keys, a.k);
    add(ts, st, err, "v", CKDA_DTYPE_BF16, 4, values, a.v);
    add(ts, st, err, "alpha", CKDA_DTYPE_BF16, 4, keys, a.gate);
    add(ts, st, err, "beta", CKDA_DTYPE_F32, 3, keys, a.beta);
    add(ts, st, err, "initial_state", CKDA_DTYPE_F32, 4, states, a.initial);
    set_number(ts, "scale", (double)scale);
    ckda_tensors_set_meta(
        ts, "what", "H_t=(I-beta k k^T)diag(alpha)H_{t-1}+beta k v^T, o=scale*H^T q");
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        code = code == CKDA_GPU_OK ? forward(&a, &variants[i], scale, o) : code;
        snprintf(name, sizeof name, "o.%s", variants[i].name);
        add(ts, st, err, name, CKDA_DTYPE_BF16, 4, values, a.o);
        snprintf(name, sizeof name, "final_state.%s", variants[i].name);
        add(ts, st, err, name, CKDA_DTYPE_F32, 4, states, a.final);
    }
    arrays_clear(&a);
    return code;
}

/* ---- words ------------------------------------------------------------------------------------------- */

/* Letters of all words as elements, what they multiply to, and the inputs they stand for. */
static void
fill_words(arrays *a, uint8_t *letters, uint8_t *elements, const gpu_system *s,
           const dump_options *o)
{
    const ckda_tracker_struct *t = s->tracker;
    const uint64_t n = (uint64_t)t->n, d = o->dk;
    for (uint64_t word = 0; word < o->batch; word++) {
        const uint64_t key = ckda_gpu_word_key(o->seed, word);
        uint32_t state = 0;
        for (uint64_t i = 0; i < o->tokens; i++) {
            const uint64_t row = word * o->tokens + i;
            const uint32_t l = ckda_gpu_letter(ckda_gpu_letter_bits(key, i / 4),
                                               (int)(i % 4), t->nletters);
            state = t->next[(size_t)state * t->nletters + l];
            letters[row] = (uint8_t)t->element_of_letter[l];
            elements[row] = (uint8_t)t->element[state];
            a->beta[row] = (float)s->automaton.beta[l];
            for (uint64_t c = 0; c < d; c++) {
                a->k[row * d + c] = c < n ? bf16(s->automaton.key[l * n + c]) : 0;
                a->gate[row * d + c] = bf16(c < n ? s->automaton.gate[l * n + c] : 1);
            }
        }
        for (uint64_t c = 0; c < d; c++)
            a->initial[(word * d + c) * d + c] = 1;
    }
}

/* Rows 0 .. n-1 of every state: as many passes, each with another query. */
static int
all_rows(uint16_t *out, arrays *a, const variant *v, uint64_t n, const dump_options *o)
{
    const uint64_t d = o->dk;
    int code = CKDA_GPU_OK;
    for (uint64_t r = 0; r < n && code == CKDA_GPU_OK; r++) {
        for (uint64_t i = 0; i < a->rows * d; i++)
            a->q[i] = i % d == r ? 0x3f80 : 0;
        code = forward(a, v, 1, o);
        for (uint64_t i = 0; i < a->rows; i++)
            memcpy(out + (i * n + r) * n, a->o + i * d, n * sizeof *out);
    }
    return code;
}

static void
add_tables(ckda_tensors *ts, ckda_status *st, ckda_error *err, const gpu_system *s)
{
    const ckda_tracker_struct *t = s->tracker;
    const uint64_t order = t->c->G->order, n = (uint64_t)t->n;
    const uint64_t square[] = {order, order}, table[] = {order, n};
    ckda_arith a = ckda_arith_default;
    ckda_rounded_t R;
    if (*st != CKDA_OK || order > 256 || t->nletters != order || n != 4)
        return;
    a.keys = a.beta = a.compute = a.state = &ckda_fp_fp64;
    *st = ckda_rounded_init(R, t, &a, err);
    if (*st != CKDA_OK)
        return;
    int16_t *product = room(order * order, sizeof *product);
    for (uint32_t x = 0; x < order; x++)
        for (uint32_t y = 0; y < order; y++)
            product[x * order + y] = (int16_t)ckda_group_mul(t->c->G, x, y);
    add(ts, st, err, "product_table", CKDA_DTYPE_I16, 2, square, product);
    add(ts, st, err, "keys_table", CKDA_DTYPE_F64, 2, table, R->key_value);
    add(ts, st, err, "signs_table", CKDA_DTYPE_F64, 2, table, R->gate_value);
    free(product);
    ckda_rounded_clear(R);
}

static int
add_word_outputs(ckda_tensors *ts, ckda_status *st, ckda_error *err, arrays *a,
                 uint64_t n, const dump_options *o)
{
    const uint64_t rows[] = {o->batch, o->tokens, n, n}, states[] = {o->batch, 16, 16};
    const variant snapped = {"chunk_honest_snap", false, CKDA_GPU_HONEST, o->snap};
    const size_t count = sizeof variants / sizeof variants[0] + (o->snap > 0);
    uint16_t *out = room(a->rows * n * n, sizeof *out);
    char name[64];
    int code = CKDA_GPU_OK;
    for (size_t i = 0; i < count && code == CKDA_GPU_OK; i++) {
        const variant *v =
            i < sizeof variants / sizeof variants[0] ? &variants[i] : &snapped;
        code = all_rows(out, a, v, n, o);
        snprintf(name, sizeof name, "o.%s", v->name);
        add(ts, st, err, name, CKDA_DTYPE_BF16, 4, rows, out);
        snprintf(name, sizeof name, "final_state.%s", v->name);
        add(ts, st, err, name, CKDA_DTYPE_F32, 3, states, a->final);
    }
    free(out);
    return code;
}

static int
dump_words(ckda_tensors *ts, ckda_status *st, ckda_error *err, const gpu_system *s,
           const dump_options *given)
{
    dump_options o = *given;
    o.dk = o.dv = 16;
    o.heads = 1;
    const uint64_t tokens[] = {o.batch, o.tokens}, keys[] = {o.batch, o.tokens, 16};
    arrays a;
    arrays_init(&a, &o);
    uint8_t *letters = room(a.rows, 1), *elements = room(a.rows, 1);
    fill_words(&a, letters, elements, s, &o);
    add(ts, st, err, "k", CKDA_DTYPE_BF16, 3, keys, a.k);
    add(ts, st, err, "alpha", CKDA_DTYPE_BF16, 3, keys, a.gate);
    add(ts, st, err, "beta", CKDA_DTYPE_F32, 2, tokens, a.beta);
    add(ts, st, err, "letters", CKDA_DTYPE_U8, 2, tokens, letters);
    add(ts, st, err, "element", CKDA_DTYPE_U8, 2, tokens, elements);
    add_tables(ts, st, err, s);
    ckda_tensors_set_meta(ts, "initial_state", "identity");
    ckda_tensors_set_meta(ts, "what",
                          "H_t=(I-beta k k^T)diag(alpha)H_{t-1}, H_0=I (16x16, the group "
                          "acts on the first coordinates); o[b,t,h,:]=row h of H_t");
    const int code = add_word_outputs(ts, st, err, &a, (uint64_t)s->tracker->n, &o);
    free(letters);
    free(elements);
    arrays_clear(&a);
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
