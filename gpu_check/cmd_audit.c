/* ckda-gpu audit: drift and first wrong decode, for words and for the kernels. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/report/json.h"
#include "../src/report/json_arithmetic.h"
#include "chunk_words.h"
#include "ckda_gpu.h"
#include "finding.h"
#include "gpu_cli.h"
#include "letters.h"
#include "words.h"

enum { MOST_ROWS = 256 };

typedef struct {
    const char *text[MOST_ROWS];
    int rows;
    const char *construction, *defaults, *at;
    uint64_t seed, words, length, every;
    bool json;
} audit_options;

static const char *const default_rows[] = {
    "A5",
    "A5:recurrent-fp32",
    "A5:recurrent-fp32,beta-rule=from-key",
    "A5:recurrent-bf16-state",
    "A5:recurrent-bf16-state,beta-rule=from-key",
    "A5:state=bf16",
    "A5:state=fp16",
    "A5:grid",
    "A5:compute=fp64,keys=fp64,beta=fp64,state=fp64",
    "S3/planar:recurrent-fp32",
    "S3/planar:recurrent-fp32,beta-rule=from-key",
    "Z3:recurrent-bf16-state",
    "A5:chunk,precision=plain",
    "A5:chunk,precision=plain,beta-rule=from-key",
    "A5:chunk,precision=factors,beta-rule=from-key",
    "A5:chunk,precision=honest",
    "A5:chunk,precision=honest,beta-rule=from-key",
    "A5:chunk,precision=honest,beta-rule=from-key,snap=16",
    "A5:chunk,precision=factors,beta-rule=from-key,snap=16",
    "A5:recurrent,beta-rule=from-key",
    "S3/planar:chunk,precision=plain",
    "S3/planar:chunk,precision=honest,beta-rule=from-key",
    "S3/planar:chunk,precision=honest,beta-rule=from-key,snap=8",
    "Z3:chunk,precision=plain",
    "Z3:chunk,precision=honest,beta-rule=from-key",
    "Z3:chunk,precision=honest,beta-rule=from-key,snap=8",
};

/* ---- options -------------------------------------------------------------------------------- */

enum { KEY_AT = 256, KEY_SEED, KEY_WORDS, KEY_LENGTH, KEY_EVERY };

static const struct argp_option option_table[] = {
    {"construction", 'c', "NAME", 0, "For rows that name none", 0},
    {"arithmetic", 'a', "PART,...", 0, "Parts that come before those of every row", 0},
    {"words", KEY_WORDS, "N", 0, "Random words (default 4096)", 0},
    {"length", KEY_LENGTH, "T", 0, "Tokens a word (default 65536)", 0},
    {"every", KEY_EVERY, "E", 0,
     "Decode after every E tokens, a multiple of 16 (default 16 for words, else 64 up to "
     "65536 tokens and 4096 beyond)",
     0},
    {"at", KEY_AT, "T,T,...", 0, "Where drift is shown (default: powers of 4)", 0},
    {"seed", KEY_SEED, "N", 0, "Seed of the words (default 1)", 0},
    {"json", 'j', NULL, 0, "One JSON document (ckda.gpu-audit/1)", 0},
    {0}};

static error_t
parse(int key, char *arg, struct argp_state *state)
{
    audit_options *o = state->input;
    switch (key) {
    case 'c':
        o->construction = arg;
        return 0;
    case 'a':
        o->defaults = arg;
        return 0;
    case KEY_WORDS:
        o->words = gpu_count(arg, "words", 1, UINT64_C(1) << 28, state);
        return 0;
    case KEY_LENGTH:
        o->length = gpu_count(arg, "length", 1, UINT64_C(1) << 40, state);
        return 0;
    case KEY_EVERY:
        o->every = gpu_count(arg, "every", 16, UINT64_C(1) << 40, state);
        if (o->every % 16 != 0)
            argp_error(state, "--every: expected a multiple of 16, found '%s'", arg);
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
        if (o->rows == MOST_ROWS)
            argp_error(state, "at most %d rows", MOST_ROWS);
        o->text[o->rows++] = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- one row ---------------------------------------------------------------------------------- */

static void *
room(uint64_t count, size_t size)
{
    void *p = calloc(count, size);
    ckda_require(p != NULL, "out of memory");
    return p;
}

static int
run_words(gpu_finding *f)
{
    const ckda_gpu_words w = {.a = f->s->automaton,
                              .seed = f->seed,
                              .sequences = f->words,
                              .steps = f->length,
                              .check_every = f->every,
                              .ncheckpoints = f->ncheckpoints,
                              .checkpoint = f->checkpoint};
    ckda_gpu_words_result r = {.drift = f->drift, .first_wrong = f->first};
    const int code = ckda_gpu_run_words(&r, &w);
    f->seconds = f->kernel_seconds = r.seconds;
    return code;
}

static int
run_kernel(gpu_finding *f)
{
    const ckda_gpu_chunk_words w = {.a = f->s->automaton,
                                    .seed = f->seed,
                                    .sequences = f->words,
                                    .steps = f->length,
                                    .recurrent = f->row->kernel == ROW_RECURRENT,
                                    .precision = f->row->precision,
                                    .gate_kind = f->row->gate_kind,
                                    .snap = (float)f->row->snap,
                                    .segment = f->every,
                                    .ncheckpoints = f->ncheckpoints,
                                    .checkpoint = f->checkpoint};
    ckda_gpu_chunk_words_result r = {.drift = f->drift,
                                     .first_wrong = f->first,
                                     .final_exact = f->exact,
                                     .final_state = f->state,
                                     .worst_row = f->worst_row,
                                     .first_row = f->first_row};
    const int code = ckda_gpu_run_chunk_words(&r, &w);
    f->seconds = r.seconds;
    f->kernel_seconds = r.kernel_seconds;
    f->out_of_range = r.out_of_range;
    return code;
}

/* Decodes a state in fp32 exactly. */
static bool
is_right(const float *state, uint32_t exact, const gpu_system *s)
{
    double H[CKDA_GPU_MAX_N * CKDA_GPU_MAX_N];
    const slong entries = s->tracker->n * s->tracker->n;
    uint32_t element;
    for (slong i = 0; i < entries; i++) {
        H[i] = (double)state[i];
        if (!isfinite(H[i]))
            return false;
    }
    return ckda_tracker_is_near(NULL, H, s->automaton.scale, exact, s->tracker)
           || (ckda_tracker_decode(&element, H, s->tracker) == CKDA_TRUE
               && element == s->tracker->element[exact]);
}

/* The host follows the first words through the tables and decodes all last states. */
static void
check_on_host(gpu_finding *f)
{
    const gpu_system *s = f->s;
    const size_t entries = (size_t)(s->tracker->n * s->tracker->n);
    for (uint64_t word = 0; word < f->words; word++) {
        f->final_wrong += !is_right(f->state + word * entries, f->exact[word], s);
        if (word >= 4)
            continue;
        const uint64_t key = ckda_gpu_word_key(f->seed, word);
        uint32_t state = 0;
        for (uint64_t t = 0; t < f->length; t++) {
            const uint64_t bits = ckda_gpu_letter_bits(key, t / 4);
            state =
                s->tracker
                    ->next[(size_t)state * s->tracker->nletters
                           + ckda_gpu_letter(bits, (int)(t % 4), s->tracker->nletters)];
        }
        f->mistaken += state != f->exact[word];
    }
}

/* ---- the command ------------------------------------------------------------------------------------- */

/* Powers of 4 that fit, and the length. */
static ckda_status
set_checkpoints(gpu_finding *f, const char *at, ckda_error *err)
{
    const uint64_t length = f->length;
    if (at == NULL) {
        for (uint64_t t = 64; t < length && f->ncheckpoints < 24; t *= 4)
            f->checkpoint[f->ncheckpoints++] = t;
        f->checkpoint[f->ncheckpoints++] = length;
        return CKDA_OK;
    }
    bool good = gpu_read_list(f->checkpoint, &f->ncheckpoints, CKDA_GPU_MAX_CHECKPOINTS,
                              at, length);
    for (uint32_t i = 0; good && f->row->kernel != ROW_WORDS && i < f->ncheckpoints; i++)
        good = f->checkpoint[i] % 16 == 0 || f->checkpoint[i] == length;
    if (good)
        return CKDA_OK;
    ckda_error_set(err,
                   "--at: expected up to %d numbers that ascend to at most --length (for "
                   "the kernels multiples of 16), found '%s'",
                   CKDA_GPU_MAX_CHECKPOINTS, at);
    return CKDA_E_INPUT;
}

static void
make_room(gpu_finding *f)
{
    const uint64_t words = f->words;
    const size_t n = (size_t)f->s->tracker->n;
    f->drift = room(words * f->ncheckpoints, sizeof *f->drift);
    f->first = room(words, sizeof *f->first);
    if (f->row->kernel == ROW_WORDS)
        return;
    f->worst_row = room(words, sizeof *f->worst_row);
    f->first_row = room(words, sizeof *f->first_row);
    f->exact = room(words, sizeof *f->exact);
    f->state = room(words * n * n, sizeof *f->state);
}

static void
give_back(gpu_finding *f)
{
    free(f->drift);
    free(f->first);
    free(f->worst_row);
    free(f->first_row);
    free(f->exact);
    free(f->state);
}

static int
judge(gpu_finding *f, json_t *documents, bool *failed)
{
    make_room(f);
    const int code = f->row->kernel == ROW_WORDS ? run_words(f) : run_kernel(f);
    if (code == CKDA_GPU_OK) {
        if (f->row->kernel != ROW_WORDS)
            check_on_host(f);
        const gpu_first_wrong w = gpu_first_wrong_of(f->first, f->words);
        *failed = *failed || w.failed > 0 || f->final_wrong > 0 || f->mistaken > 0;
        if (documents != NULL)
            json_append(documents, gpu_finding_json(f));
        else
            gpu_finding_print(f);
    }
    give_back(f);
    return code == CKDA_GPU_OK ? EXIT_HOLDS : gpu_fail_code(code);
}

static uint64_t
decode_every(const audit_options *o, const gpu_row *row)
{
    if (o->every > 0)
        return o->every;
    if (row->kernel == ROW_WORDS)
        return 16;
    return o->length <= 65536 ? 64 : 4096;
}

static int
run_row(const char *text, const audit_options *o, json_t *documents, bool *failed)
{
    gpu_row row;
    gpu_system s;
    ckda_error err;
    ckda_error_clear(&err);
    ckda_status st = gpu_row_parse(&row, text, o->construction, o->defaults, &err);
    if (st != CKDA_OK)
        return gpu_fail(st, &err);
    gpu_finding f = {.words = o->words,
                     .length = o->length,
                     .seed = o->seed,
                     .every = decode_every(o, &row),
                     .row = &row,
                     .s = &s};
    int code;
    st = set_checkpoints(&f, o->at, &err);
    if (st == CKDA_OK && row.kernel != ROW_WORDS && o->words > 65535) {
        ckda_error_set(&err, "--words: the kernels take at most 65535 words at once");
        st = CKDA_E_INPUT;
    }
    if (st == CKDA_OK)
        st = gpu_system_open(&s, &row, &err);
    if (st == CKDA_OK) {
        code = judge(&f, documents, failed);
        gpu_system_close(&s);
    } else {
        code = gpu_fail(st, &err);
    }
    gpu_row_clear(&row);
    return code;
}

int
gpu_audit(int argc, char **argv)
{
    static const struct argp argp = {
        option_table,
        parse,
        "[ROW...]",
        "Drift and first wrong decode on random group words, beside the exact states: in "
        "rounded arithmetic token by token, and through the chunked and the recurrent "
        "kernel.  Without rows: a table of both."
        "\vROW: SYSTEM[/CONSTRUCTION][:PART,...]; a PART is recurrent-fp32, "
        "recurrent-bf16-state, grid, OPTION=VALUE as in `ckda audit', or chunk or "
        "recurrent (the kernels) with precision=plain|factors|honest, snap=C, "
        "gate=value|log, beta-rule=from-key.\n\n"
        "Exit code 1: some word decodes wrongly.",
        NULL,
        NULL,
        NULL};
    audit_options o = {.seed = 1, .words = 4096, .length = 65536};
    gpu_parse(&argp, argc, argv, &o);
    const char *device = gpu_need_device();
    if (device == NULL)
        return EXIT_UNDECIDED;
    json_t *documents = o.json ? json_array() : NULL;
    bool failed = false;
    int code = EXIT_HOLDS;
    const int rows =
        o.rows > 0 ? o.rows : (int)(sizeof default_rows / sizeof default_rows[0]);
    for (int i = 0; i < rows && code == EXIT_HOLDS; i++)
        code = run_row(o.rows > 0 ? o.text[i] : default_rows[i], &o, documents, &failed);
    if (o.json) {
        json_t *d = json_object();
        json_put_text(d, "schema", "ckda.gpu-audit/1");
        json_put_text(d, "device", device);
        json_put(d, "rows", documents);
        json_print(stdout, d);
    }
    return code != EXIT_HOLDS ? code : failed ? EXIT_REFUTED : EXIT_HOLDS;
}
