/* ckda-gpu bench: times of the chunked kernel and of words, and the copy rate beside. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../src/report/json.h"
#include "../src/report/json_arithmetic.h"
#include "ckda_gpu.h"
#include "gpu_cli.h"
#include "measure.h"
#include "words.h"

typedef struct {
    bool json, chunk, words;
    uint64_t seed, repeats, steps;
} bench_options;

/* ---- the chunked kernel ------------------------------------------------------------------------ */

static const struct {
    int64_t sequences, tokens;
} layouts[] = {{16, 2048}, {8, 4096}, {4, 8192}, {2, 16384}};

typedef struct {
    double ms, unsigned_ms, snap_ms;
} layout_times;

static int
time_layout(layout_times *t, int layout, int precision, const bench_options *o)
{
    ckda_gpu_bench b = {.sequences = layouts[layout].sequences,
                        .tokens = layouts[layout].tokens,
                        .heads = 16,
                        .dk = 128,
                        .dv = 128,
                        .precision = precision,
                        .is_signed = true,
                        .repeats = (int)o->repeats,
                        .seed = o->seed};
    int code = ckda_gpu_run_bench(&t->ms, &b);
    b.is_signed = false;
    if (code == CKDA_GPU_OK)
        code = ckda_gpu_run_bench(&t->unsigned_ms, &b);
    b.is_signed = true;
    b.grid = 1024;
    return code == CKDA_GPU_OK ? ckda_gpu_run_bench(&t->snap_ms, &b) : code;
}

static json_t *
layout_json(int layout, int precision, const layout_times *t)
{
    json_t *j = json_object();
    json_put_count(j, "sequences", (uint64_t)layouts[layout].sequences);
    json_put_count(j, "tokens", (uint64_t)layouts[layout].tokens);
    json_put_text(j, "precision", gpu_precision_name(precision));
    json_put_real(j, "milliseconds", t->ms);
    json_put_real(j, "unsigned_milliseconds", t->unsigned_ms);
    json_put_real(j, "snap_milliseconds", t->snap_ms);
    return j;
}

static int
bench_chunk(json_t *document, const bench_options *o)
{
    double copy = 0;
    json_t *rows = json_array();
    int code = ckda_gpu_copy_rate(&copy, INT64_C(1) << 32);
    if (!o->json && code == CKDA_GPU_OK)
        printf(
            "copy inside the device: %.4g TB/s read plus written\n"
            "chunked forward, 16 heads, dk = dv = 128, 32768 tokens; ms (signed gates), "
            "signed/unsigned, ms with snap, Mtok/s\n",
            copy * 1e-12);
    for (int p = CKDA_GPU_PLAIN; p <= CKDA_GPU_HONEST; p++)
        for (int l = 0; l < 4 && code == CKDA_GPU_OK; l++) {
            layout_times t;
            code = time_layout(&t, l, p, o);
            if (code != CKDA_GPU_OK)
                break;
            json_append(rows, layout_json(l, p, &t));
            if (!o->json)
                printf("  %-8s %2" PRId64 " x %5" PRId64 "  %.4f  %.3f  %.4f  %6.1f\n",
                       gpu_precision_name(p), layouts[l].sequences, layouts[l].tokens,
                       t.ms, t.ms / t.unsigned_ms, t.snap_ms, 32768e-3 / t.ms);
        }
    json_put_real(document, "copy_bytes_per_second", copy);
    json_put(document, "chunk", rows);
    return code;
}

/* ---- words --------------------------------------------------------------------------------------- */

static const char *const word_rows[] = {"A5/quaternion",
                                        "A5/quaternion:fma=off",
                                        "A5/quaternion:state=bf16",
                                        "A5/quaternion:state=fp16",
                                        "A5/quaternion:grid",
                                        "S4/quaternion",
                                        "Z5",
                                        "Z3:fma=off"};

static int
bench_word(json_t *rows, const char *text, const bench_options *o)
{
    gpu_row row;
    gpu_system system;
    ckda_error err;
    ckda_gpu_word_rates r;
    ckda_error_clear(&err);
    ckda_status st = gpu_row_parse(&row, text, NULL, NULL, &err);
    ckda_require(st == CKDA_OK, "%s", err.text);
    st = gpu_system_open(&system, &row, &err);
    ckda_require(st == CKDA_OK, "%s", err.text);
    const ckda_gpu_words w = {.a = system.automaton,
                              .seed = o->seed,
                              .sequences = ckda_gpu_words_at_once(),
                              .steps = o->steps};
    const int code = ckda_gpu_word_bench(&r, &w);
    if (code == CKDA_GPU_OK) {
        json_t *j = json_object();
        gpu_put_row(j, &row, &system);
        json_put_count(j, "words", w.sequences);
        json_put_count(j, "length", w.steps);
        json_put_bool(j, "pairs", w.a.pairs > 0);
        json_put_real(j, "state", r.state);
        json_put_real(j, "exact", r.exact);
        json_put_real(j, "tested", r.tested);
        json_put_real(j, "random", r.random);
        json_append(rows, j);
        if (!o->json)
            printf("  %-36s %7.1f %7.1f%s %7.1f %7.1f\n", text, r.state * 1e-9,
                   r.exact * 1e-9, w.a.pairs > 0 ? "p" : "t", r.tested * 1e-9,
                   r.random * 1e-9);
    }
    gpu_system_close(&system);
    gpu_row_clear(&row);
    return code;
}

static int
bench_words(json_t *document, const bench_options *o)
{
    json_t *rows = json_array();
    int code = CKDA_GPU_OK;
    if (!o->json)
        printf("words, G steps/s, %" PRIu64 " words of %" PRIu64
               " letters read from memory: state alone, exact state alone (p: pairs, "
               "t: table), both with a test every 16 steps, the same with letters made "
               "on the fly\n",
               ckda_gpu_words_at_once(), o->steps);
    for (size_t i = 0; i < sizeof word_rows / sizeof word_rows[0]; i++)
        if (code == CKDA_GPU_OK)
            code = bench_word(rows, word_rows[i], o);
    json_put(document, "words", rows);
    return code;
}

/* ---- the command ------------------------------------------------------------------------------------ */

enum { KEY_SEED = 256, KEY_REPEATS, KEY_STEPS, KEY_ONLY };

static const struct argp_option option_table[] = {
    {"only", KEY_ONLY, "chunk|words", 0, "Only these times", 0},
    {"repeats", KEY_REPEATS, "N", 0, "Runs, of which the median counts (default 40)", 0},
    {"steps", KEY_STEPS, "T", 0, "Letters a word, a multiple of 16 (default 4096)", 0},
    {"seed", KEY_SEED, "N", 0, "Seed of the inputs (default 1)", 0},
    {"json", 'j', NULL, 0, "One JSON document (ckda.gpu-bench/1)", 0},
    {0}};

static error_t
parse(int key, char *arg, struct argp_state *state)
{
    bench_options *o = state->input;
    switch (key) {
    case KEY_ONLY:
        o->chunk = strcmp(arg, "chunk") == 0;
        o->words = strcmp(arg, "words") == 0;
        if (!o->chunk && !o->words)
            argp_error(state, "--only: expected chunk or words, found '%s'", arg);
        return 0;
    case KEY_REPEATS:
        o->repeats = gpu_count(arg, "repeats", 1, 100000, state);
        return 0;
    case KEY_STEPS:
        o->steps = gpu_count(arg, "steps", 16, 1u << 16, state) / 16 * 16;
        return 0;
    case KEY_SEED:
        o->seed = gpu_count(arg, "seed", 0, UINT64_MAX / 2, state);
        return 0;
    case 'j':
        o->json = true;
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "no argument is expected, found '%s'", arg);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int
gpu_bench(int argc, char **argv)
{
    static const struct argp argp = {
        option_table, parse,
        "",           "Times on this device, with the copy rate of the same run.",
        NULL,         NULL,
        NULL};
    bench_options o = {
        .chunk = true, .words = true, .seed = 1, .repeats = 40, .steps = 4096};
    gpu_parse(&argp, argc, argv, &o);
    const char *device = gpu_need_device();
    if (device == NULL)
        return EXIT_UNDECIDED;
    json_t *d = json_object();
    int code = CKDA_GPU_OK;
    json_put_text(d, "schema", "ckda.gpu-bench/1");
    json_put_text(d, "device", device);
    json_put_count(d, "seed", o.seed);
    if (!o.json)
        printf("%s\n", device);
    if (o.chunk)
        code = bench_chunk(d, &o);
    if (o.words && code == CKDA_GPU_OK)
        code = bench_words(d, &o);
    if (o.json)
        json_print(stdout, d);
    else
        json_decref(d);
    return code == CKDA_GPU_OK ? EXIT_HOLDS : gpu_fail_code(code);
}
