/* ckda-gpu audit: drift and first wrong decode, for words and for the kernels. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../src/report/json.h"
#include "chunk_words.h"
#include "ckda_gpu.h"
#include "finding.h"
#include "gpu_cli.h"
#include "letters.h"
#include "words.h"

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

static const struct argp_child children[] = {{&gpu_word_argp, 0, NULL, 0}, {0}};

static error_t
parse(int key, char *arg, struct argp_state *state)
{
    gpu_word_options *o = state->input;
    (void)arg;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = o;
        return 0;
    case ARGP_KEY_END:
        if (o->has_every && (o->every == 0 || o->every % 16 != 0))
            argp_error(state, "--every: expected a multiple of 16, found '%" PRIu64 "'",
                       o->every);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- one row ---------------------------------------------------------------------------------- */

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

/* Does a state in fp32 decode to the element of the exact one?  Decided exactly. */
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

enum { FOLLOWED = 4 };

/* The host follows the first words through the tables and decodes all last states. */
static void
check_on_host(gpu_finding *f)
{
    const gpu_system *s = f->s;
    const size_t entries = (size_t)(s->tracker->n * s->tracker->n);
    const uint32_t letters = s->tracker->nletters;
    for (uint64_t word = 0; word < f->words; word++) {
        f->final_wrong += !is_right(f->state + word * entries, f->exact[word], s);
        if (word >= FOLLOWED)
            continue;
        const uint64_t key = ckda_gpu_word_key(f->seed, word);
        uint32_t state = 0;
        for (uint64_t t = 0; t < f->length; t++)
            state =
                s->tracker
                    ->next[(size_t)state * letters + ckda_gpu_letter_at(key, t, letters)];
        f->mistaken += state != f->exact[word];
    }
}

/* ---- the command ------------------------------------------------------------------------------------- */

static void
make_room(gpu_finding *f)
{
    const uint64_t words = f->words;
    const size_t n = (size_t)f->s->tracker->n;
    f->drift = gpu_room(words * f->ncheckpoints, sizeof *f->drift);
    f->first = gpu_room(words, sizeof *f->first);
    if (f->row->kernel == ROW_WORDS)
        return;
    f->worst_row = gpu_room(words, sizeof *f->worst_row);
    f->first_row = gpu_room(words, sizeof *f->first_row);
    f->exact = gpu_room(words, sizeof *f->exact);
    f->state = gpu_room(words * n * n, sizeof *f->state);
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
decode_every(const gpu_word_options *o, const gpu_row *row)
{
    if (o->has_every)
        return o->every;
    return row->kernel == ROW_WORDS || o->length <= 65536 ? 64 : 4096;
}

static int
run_row(const char *text, const gpu_word_options *o, json_t *documents, bool *failed)
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
    st = gpu_checkpoints(f.checkpoint, &f.ncheckpoints, o,
                         row.kernel == ROW_WORDS ? 1 : 16, &err);
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
        NULL,
        parse,
        "[ROW...]",
        "Drift and first wrong decode on random group words, beside the exact states: in "
        "rounded arithmetic token by token, and through the chunked and the recurrent "
        "kernel.  Without rows: a table of both."
        "\vROW: SYSTEM[/CONSTRUCTION][:PART,...]; a PART is recurrent-fp32, "
        "recurrent-bf16-state, grid, OPTION=VALUE as in `ckda audit', or chunk or "
        "recurrent (the kernels) with precision=plain|factors|honest, snap=C, "
        "gate=value|log, beta-rule=from-key.\n\n"
        "Unless told otherwise: 4096 words of 65536 tokens, decoded after every 64 "
        "(kernels "
        "beyond 65536 tokens: 4096).  A decode of a state that has drifted beyond half "
        "the "
        "margin is what takes time: --every 16 makes the rows of rounded arithmetic that "
        "do "
        "so four times as slow.  --every is a multiple of 16.\n\n"
        "Exit code 1: some word decodes wrongly.",
        children,
        NULL,
        NULL};
    gpu_word_options o = {.seed = 1, .words = 4096, .length = 65536};
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
        json_put_count(d, "seed", o.seed);
        json_put_count(d, "words", o.words);
        json_put_count(d, "length", o.length);
        json_put(d, "rows", documents);
        json_print(stdout, d);
    }
    return code != EXIT_HOLDS ? code : failed ? EXIT_REFUTED : EXIT_HOLDS;
}
