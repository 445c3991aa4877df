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
    "S3:recurrent-fp32",
    "S3:recurrent-fp32,beta-rule=from-key",
    "Z3:recurrent-bf16-state",
    "A5:chunk,precision=plain",
    "A5:chunk,precision=plain,beta-rule=from-key",
    "A5:chunk,precision=factors,beta-rule=from-key",
    "A5:chunk,precision=honest",
    "A5:chunk,precision=honest,beta-rule=from-key",
    "A5:chunk,precision=honest,beta-rule=from-key,snap=16",
    "A5:chunk,precision=factors,beta-rule=from-key,snap=16",
    "A5:recurrent,beta-rule=from-key",
    "S3:chunk,precision=plain",
    "S3:chunk,precision=honest,beta-rule=from-key",
    "S3:chunk,precision=honest,beta-rule=from-key,snap=8",
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

typedef struct {
    const audit_options *o;
    const gpu_row *row;
    const gpu_system *s;
    uint64_t every, checkpoint[CKDA_GPU_MAX_CHECKPOINTS];
    uint32_t ncheckpoints;
    float *drift;
    uint64_t *first;
    double seconds, kernel_seconds;
    /* the kernels only */
    float *worst_row, *state;
    uint64_t *first_row;
    uint32_t *exact;
    bool out_of_range;
    uint64_t final_wrong; /* words whose last state decodes wrongly, decided exactly */
    uint64_t mistaken;    /* words whose exact state is not the host's: never */
} finding;

static void *
room(uint64_t count, size_t size)
{
    void *p = calloc(count, size);
    ckda_require(p != NULL, "out of memory");
    return p;
}

static int
run_words(finding *f)
{
    const ckda_gpu_words w = {.a = f->s->automaton,
                              .seed = f->o->seed,
                              .sequences = f->o->words,
                              .steps = f->o->length,
                              .check_every = f->every,
                              .ncheckpoints = f->ncheckpoints,
                              .checkpoint = f->checkpoint};
    ckda_gpu_words_result r = {.drift = f->drift, .first_wrong = f->first};
    const int code = ckda_gpu_run_words(&r, &w);
    f->seconds = f->kernel_seconds = r.seconds;
    return code;
}

static int
run_kernel(finding *f)
{
    const ckda_gpu_chunk_words w = {.a = f->s->automaton,
                                    .seed = f->o->seed,
                                    .sequences = f->o->words,
                                    .steps = f->o->length,
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
check_on_host(finding *f)
{
    const gpu_system *s = f->s;
    const size_t entries = (size_t)(s->tracker->n * s->tracker->n);
    for (uint64_t word = 0; word < f->o->words; word++) {
        f->final_wrong += !is_right(f->state + word * entries, f->exact[word], s);
        if (word >= 4)
            continue;
        const uint64_t key = ckda_gpu_word_key(f->o->seed, word);
        uint32_t state = 0;
        for (uint64_t t = 0; t < f->o->length; t++) {
            const uint64_t bits = ckda_gpu_letter_bits(key, t / 4);
            state =
                s->tracker
                    ->next[(size_t)state * s->tracker->nletters
                           + ckda_gpu_letter(bits, (int)(t % 4), s->tracker->nletters)];
        }
        f->mistaken += state != f->exact[word];
    }
}

/* ---- text ---------------------------------------------------------------------------------------- */

static const char *
kernel_text(char text[96], const gpu_row *row)
{
    static const char *const names[] = {"plain", "factors", "honest"};
    if (row->kernel == ROW_WORDS) {
        snprintf(text, 96, "token by token");
        return text;
    }
    char snap[40] = "";
    if (row->snap > 0)
        snprintf(snap, sizeof snap, ", snap to 1/%" PRId64, row->snap);
    snprintf(text, 96, "%s kernel%s%s%s%s",
             row->kernel == ROW_CHUNK ? "chunked" : "recurrent",
             row->kernel == ROW_CHUNK ? ", " : "",
             row->kernel == ROW_CHUNK ? names[row->precision] : "", snap,
             row->gate_kind == CKDA_GPU_GATE_LOG ? ", log gates" : "");
    return text;
}

static void
print_rows(const finding *f)
{
    const gpu_spread worst = gpu_spread_of(f->worst_row, f->o->words);
    const gpu_first_wrong first = gpu_first_wrong_of(f->first_row, f->o->words);
    printf("  rows of o: largest error %.4g; ", worst.max);
    if (first.failed == 0)
        printf("none reaches half the margin\n");
    else
        printf("%" PRIu64 " words have one beyond half the margin, the first at %" PRIu64
               "\n",
               first.failed, first.min);
    printf("  last states decoded exactly on the host: %" PRIu64 " wrong%s%s\n",
           f->final_wrong,
           f->mistaken > 0 ? "; THE EXACT STATES DIFFER FROM THE HOST'S" : "",
           f->out_of_range ? "; the kernel says that gates are out of range" : "");
}

static void
print_finding(const finding *f)
{
    char kernel[96];
    char *text = ckda_arith_str(&f->row->arith);
    const gpu_first_wrong w = gpu_first_wrong_of(f->first, f->o->words);
    const double tokens = (double)f->o->words * (double)f->o->length;
    printf("%s, %s construction, %s: %s\n", f->row->system, f->s->tracker->c->name,
           kernel_text(kernel, f->row), text);
    free(text);
    printf("  %" PRIu64 " words of %" PRIu64 " tokens, seed %" PRIu64
           ", decoded every %" PRIu64 "; %.3f s, kernel %.3f s, %.4g G tokens/s\n",
           f->o->words, f->o->length, f->o->seed, f->every, f->seconds, f->kernel_seconds,
           tokens / f->kernel_seconds * 1e-9);
    for (uint32_t i = 0; i < f->ncheckpoints; i++) {
        const gpu_spread d = gpu_spread_of(f->drift + i * f->o->words, f->o->words);
        printf("  %12" PRIu64 " drift median %.4g, max %.4g\n", f->checkpoint[i],
               d.median, d.max);
    }
    if (w.failed == 0)
        printf("  no wrong decode (m/2 = %.4g)\n", f->s->tracker->margin_low / 2);
    else
        printf("  wrong decodes: %" PRIu64 " words, first at %" PRIu64 ", median %" PRIu64
               "\n",
               w.failed, w.min, w.median);
    if (f->row->kernel != ROW_WORDS)
        print_rows(f);
    fflush(stdout);
}

/* ---- JSON ------------------------------------------------------------------------------------------ */

static json_t *
kernel_json(const finding *f)
{
    static const char *const precisions[] = {"plain", "factors", "honest"};
    const gpu_row *row = f->row;
    json_t *o = json_object();
    json_put_text(o, "name",
                  row->kernel == ROW_WORDS   ? "words"
                  : row->kernel == ROW_CHUNK ? "chunk"
                                             : "recurrent");
    if (row->kernel == ROW_WORDS)
        return o;
    const gpu_first_wrong first = gpu_first_wrong_of(f->first_row, f->o->words);
    json_put_text(o, "precision",
                  row->kernel == ROW_CHUNK ? precisions[row->precision] : NULL);
    json_put(o, "snap", row->snap > 0 ? json_integer(row->snap) : json_null());
    json_put_text(o, "gate", row->gate_kind == CKDA_GPU_GATE_LOG ? "log" : "value");
    json_put_real(o, "largest_row_error", gpu_spread_of(f->worst_row, f->o->words).max);
    json_put(o, "first_row", gpu_first_wrong_json(&first));
    json_put_count(o, "last_wrong", f->final_wrong);
    json_put_bool(o, "out_of_range", f->out_of_range);
    return o;
}

static json_t *
predicted_json(const finding *f)
{
    json_t *o = json_object();
    json_put_real(o, "norm_rate", ckda_rounded_norm_rate(f->s->rounded));
    return o;
}

static json_t *
finding_json(const finding *f)
{
    json_t *o = json_object(), *drift = json_array();
    const gpu_first_wrong w = gpu_first_wrong_of(f->first, f->o->words);
    uint64_t sure = 0;
    json_put_text(o, "schema", "ckda.audit/1");
    gpu_put_row(o, f->row, f->s);
    json_put_count(o, "seed", f->o->seed);
    json_put_count(o, "words", f->o->words);
    json_put_count(o, "length", f->o->length);
    json_put_count(o, "every", f->every);
    json_put_text(o, "decoder", "nearest");
    json_put_real(o, "scale", f->s->automaton.scale);
    json_put_real(o, "margin", f->s->tracker->margin_low);
    for (uint32_t i = 0; i < f->ncheckpoints; i++) {
        const gpu_spread d = gpu_spread_of(f->drift + i * f->o->words, f->o->words);
        json_append(drift, gpu_drift_json(f->checkpoint[i], &d));
    }
    json_put(o, "drift", drift);
    json_put(o, "first_wrong", gpu_first_wrong_json(&w));
    json_put(o, "predicted", predicted_json(f));
    if (f->row->kernel == ROW_WORDS)
        sure = ckda_rounded_guaranteed_steps(NULL, NULL, f->s->rounded, f->s->tracker);
    json_put(o, "guaranteed_steps",
             f->row->kernel != ROW_WORDS || sure > INT64_MAX
                 ? json_null()
                 : json_integer((json_int_t)sure));
    json_put_bool(o, "guaranteed_always", sure == UINT64_MAX);
    json_put(o, "kernel", kernel_json(f));
    json_put_real(o, "seconds", f->seconds);
    json_put_real(o, "kernel_seconds", f->kernel_seconds);
    return o;
}

/* ---- the command ------------------------------------------------------------------------------------- */

/* Powers of 4 that fit, and the length. */
static ckda_status
set_checkpoints(finding *f, ckda_error *err)
{
    const uint64_t length = f->o->length;
    if (f->o->at == NULL) {
        for (uint64_t t = 64; t < length && f->ncheckpoints < 24; t *= 4)
            f->checkpoint[f->ncheckpoints++] = t;
        f->checkpoint[f->ncheckpoints++] = length;
        return CKDA_OK;
    }
    bool good = gpu_read_list(f->checkpoint, &f->ncheckpoints, CKDA_GPU_MAX_CHECKPOINTS,
                              f->o->at, length);
    for (uint32_t i = 0; good && f->row->kernel != ROW_WORDS && i < f->ncheckpoints; i++)
        good = f->checkpoint[i] % 16 == 0 || f->checkpoint[i] == length;
    if (good)
        return CKDA_OK;
    ckda_error_set(err,
                   "--at: expected up to %d numbers that ascend to at most --length (for "
                   "the kernels multiples of 16), found '%s'",
                   CKDA_GPU_MAX_CHECKPOINTS, f->o->at);
    return CKDA_E_INPUT;
}

static void
make_room(finding *f)
{
    const uint64_t words = f->o->words;
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
give_back(finding *f)
{
    free(f->drift);
    free(f->first);
    free(f->worst_row);
    free(f->first_row);
    free(f->exact);
    free(f->state);
}

static int
judge(finding *f, json_t *documents, bool *failed)
{
    make_room(f);
    const int code = f->row->kernel == ROW_WORDS ? run_words(f) : run_kernel(f);
    if (code == CKDA_GPU_OK) {
        if (f->row->kernel != ROW_WORDS)
            check_on_host(f);
        const gpu_first_wrong w = gpu_first_wrong_of(f->first, f->o->words);
        *failed = *failed || w.failed > 0 || f->final_wrong > 0 || f->mistaken > 0;
        if (documents != NULL)
            json_append(documents, finding_json(f));
        else
            print_finding(f);
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
    finding f = {.o = o, .row = &row, .s = &s, .every = decode_every(o, &row)};
    int code;
    st = set_checkpoints(&f, &err);
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
