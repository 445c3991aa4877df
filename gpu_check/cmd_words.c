/* ckda-gpu words: group words on the device, and the same bits on the host. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/report/json.h"
#include "../src/report/json_arithmetic.h"
#include "ckda_gpu.h"
#include "gpu_cli.h"
#include "twin.h"
#include "words.h"

typedef struct {
    gpu_word_options common;
    ckda_gpu_words job;
    ckda_gpu_twin_options twin;
    bool compare, worst, suite;
} words_options;

/* ---- options ---------------------------------------------------------------------------------- */

enum {
    KEY_GENERAL = 256,
    KEY_COMPARE,
    KEY_DEFINITION,
    KEY_WORST,
    KEY_SUITE,
    KEY_THREADS
};

static const struct argp_option option_table[] = {
    {"worst", KEY_WORST, NULL, 0, "Also the largest drift of all tests (slow)", 0},
    {"general", KEY_GENERAL, NULL, 0, "Not the fast kernel", 0},
    {"compare", KEY_COMPARE, NULL, 0,
     "Hash all prefixes, and compare hashes and states with the host's", 0},
    {"definition", KEY_DEFINITION, NULL, 0, "Compare with the definition (slow)", 0},
    {"suite", KEY_SUITE, NULL, 0, "Rows: every construction in every arithmetic", 0},
    {"threads", KEY_THREADS, "N", 0, "Of the host (default: all)", 0},
    {0}};

static const struct argp_child children[] = {{&gpu_word_argp, 0, NULL, 0}, {0}};

static error_t
parse(int key, char *arg, struct argp_state *state)
{
    words_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->common;
        return 0;
    case KEY_WORST:
        o->worst = true;
        return 0;
    case KEY_GENERAL:
        o->job.general = true;
        return 0;
    case KEY_COMPARE:
        o->compare = true;
        return 0;
    case KEY_DEFINITION:
        o->compare = o->twin.definition = true;
        return 0;
    case KEY_SUITE:
        o->suite = true;
        return 0;
    case KEY_THREADS:
        o->twin.threads = (int)gpu_count(arg, "threads", 1, 1024, state);
        return 0;
    case ARGP_KEY_END:
        if (o->common.rows == 0 && !o->suite)
            argp_error(state, "a ROW is missing, such as A5:recurrent-fp32");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- one row ------------------------------------------------------------------------------------ */

/* Arrays of the right sizes. */
static void
result_init(ckda_gpu_words_result *r, const ckda_gpu_words *w, bool hash, bool worst)
{
    const size_t n = (size_t)w->a.n;
    memset(r, 0, sizeof *r);
    r->final_state = gpu_room(w->sequences * n * n, sizeof(double));
    r->final_exact = gpu_room(w->sequences, sizeof(uint32_t));
    r->first_wrong = gpu_room(w->sequences, sizeof(uint64_t));
    r->drift = gpu_room(w->sequences * w->ncheckpoints, sizeof(float));
    if (hash)
        r->prefix_hash = gpu_room(w->sequences, sizeof(uint64_t));
    if (worst)
        r->worst = gpu_room(w->sequences, sizeof(float));
}

static void
result_clear(ckda_gpu_words_result *r)
{
    free(r->final_state);
    free(r->final_exact);
    free(r->first_wrong);
    free(r->drift);
    free(r->prefix_hash);
    free(r->worst);
}

/* What a row came to. */
typedef struct {
    const words_options *o;
    const gpu_row *row;
    const gpu_system *s;
    ckda_gpu_words w;
    /* to compare with: host, and hashed, the device once more with hashes */
    ckda_gpu_words_result device, host, hashed;
    ckda_gpu_differences plain, all; /* device and host; hashed and host */
    gpu_first_wrong wrong;
    bool differs;
} outcome;

static int
run_device(outcome *x)
{
    int code = ckda_gpu_run_words(&x->device, &x->w);
    if (code != CKDA_GPU_OK || !x->o->compare)
        return code;
    ckda_gpu_words w = x->w;
    w.hash = true;
    code = ckda_gpu_run_words(&x->hashed, &w);
    if (code != CKDA_GPU_OK)
        return code;
    ckda_gpu_twin_words(&x->host, &w, x->s->tracker, x->s->rounded, &x->o->twin);
    ckda_gpu_compare(&x->plain, &x->device, &x->host, w.sequences, w.a.n);
    ckda_gpu_compare(&x->all, &x->hashed, &x->host, w.sequences, w.a.n);
    x->differs = x->plain.first != UINT64_MAX || x->all.first != UINT64_MAX;
    return CKDA_GPU_OK;
}

/* ---- text ------------------------------------------------------------------------------------------ */

static void
print_compare(const outcome *x)
{
    const ckda_gpu_differences *a = &x->plain, *b = &x->all;
    if (!x->differs) {
        printf("  the same bits on the host (%s): states, exact states, first wrong "
               "decodes and the hashes of all prefixes of %" PRIu64 " words (%.1f s)\n",
               x->o->twin.definition ? "definition" : "ckda_rounded_step", x->w.sequences,
               x->host.seconds);
        return;
    }
    printf("  NOT the same on the host: words whose final state differs %" PRIu64
           " (%" PRIu64 " with hashes), exact state %" PRIu64 " (%" PRIu64
           "), prefix hash %" PRIu64 ", first wrong decode %" PRIu64 " (%" PRIu64
           "); the first is word %" PRIu64 "\n",
           a->final_state, b->final_state, a->final_exact, b->final_exact, b->prefix_hash,
           a->first_wrong, b->first_wrong, a->first < b->first ? a->first : b->first);
}

static gpu_drift
drift_of(const outcome *x)
{
    return (gpu_drift){x->w.checkpoint, x->w.ncheckpoints, x->device.drift,
                       x->w.sequences};
}

static void
print_text(const outcome *x)
{
    const ckda_gpu_words *w = &x->w;
    const gpu_drift drift = drift_of(x);
    const double steps = (double)w->sequences * (double)w->steps;
    char *text = ckda_arith_str(&x->row->arith);
    printf("%s, %s construction: %s\n", x->row->system, x->s->tracker->c->name, text);
    free(text);
    printf("  %" PRIu64 " words of %" PRIu64 " letters, seed %" PRIu64
           "; %s kernel, %.4g s, %.4g G steps/s\n",
           w->sequences, w->steps, w->seed, x->device.was_general ? "general" : "fast",
           x->device.seconds, steps / x->device.seconds * 1e-9);
    gpu_drift_print(&drift, 14);
    if (x->device.worst != NULL)
        printf("  largest drift of all tests %.6g\n",
               gpu_spread_of(x->device.worst, w->sequences).max);
    if (x->wrong.failed == 0)
        printf("  no wrong decode, looked at after every %" PRIu64 " letters\n",
               w->check_every);
    else
        gpu_first_wrong_print(&x->wrong);
    if (x->o->compare)
        print_compare(x);
}

static void
print_short(const outcome *x)
{
    printf("%-72s %s %10" PRIu64 " wrong, first %8" PRIu64 "  %s\n", x->row->text,
           x->device.was_general ? "general" : "fast   ", x->wrong.failed, x->wrong.min,
           x->differs ? "DIFFERS FROM THE HOST" : "same bits");
    if (x->differs)
        print_compare(x);
    fflush(stdout);
}

/* ---- JSON ---------------------------------------------------------------------------------------- */

static json_t *
compare_json(const outcome *x)
{
    json_t *o = json_object();
    json_put_bool(o, "same", !x->differs);
    json_put_count(o, "final_state", x->plain.final_state + x->all.final_state);
    json_put_count(o, "final_exact", x->plain.final_exact + x->all.final_exact);
    json_put_count(o, "prefix_hash", x->all.prefix_hash);
    json_put_count(o, "first_wrong", x->plain.first_wrong + x->all.first_wrong);
    json_put_text(o, "by", x->o->twin.definition ? "definition" : "step");
    json_put_real(o, "host_seconds", x->host.seconds);
    return o;
}

static json_t *
row_json(const outcome *x)
{
    const ckda_gpu_words *w = &x->w;
    const gpu_drift drift = drift_of(x);
    json_t *o = json_object();
    gpu_put_row(o, x->row, x->s);
    json_put_text(o, "kernel", x->device.was_general ? "general" : "fast");
    json_put_real(o, "seconds", x->device.seconds);
    json_put_real(o, "steps_per_second",
                  (double)w->sequences * (double)w->steps / x->device.seconds);
    json_put(o, "drift", gpu_drift_json(&drift));
    if (x->device.worst != NULL)
        json_put_real(o, "worst", gpu_spread_of(x->device.worst, w->sequences).max);
    json_put(o, "first_wrong", gpu_first_wrong_json(&x->wrong));
    json_put(o, "compare", x->o->compare ? compare_json(x) : json_null());
    return o;
}

/* ---- the command ------------------------------------------------------------------------------------ */

/* Runs and prints; *failed and *differs count rows. */
static int
judge(outcome *x, json_t *documents, uint64_t *failed, uint64_t *differs)
{
    result_init(&x->device, &x->w, false, x->o->worst);
    if (x->o->compare) {
        result_init(&x->host, &x->w, true, false);
        result_init(&x->hashed, &x->w, true, false);
    }
    const int code = run_device(x);
    if (code == CKDA_GPU_OK) {
        x->wrong = gpu_first_wrong_of(x->device.first_wrong, x->w.sequences);
        *failed += x->wrong.failed > 0;
        *differs += x->differs;
        if (documents != NULL)
            json_append(documents, row_json(x));
        else if (x->o->suite)
            print_short(x);
        else
            print_text(x);
    }
    result_clear(&x->device);
    result_clear(&x->host);
    result_clear(&x->hashed);
    return code == CKDA_GPU_OK ? EXIT_HOLDS : gpu_fail_code(code);
}

static int
run_row(const char *text, const words_options *o, json_t *documents, uint64_t *failed,
        uint64_t *differs)
{
    gpu_row row;
    gpu_system system;
    ckda_error err;
    uint64_t list[CKDA_GPU_MAX_CHECKPOINTS];
    ckda_error_clear(&err);
    ckda_status st =
        gpu_row_parse(&row, text, o->common.construction, o->common.defaults, &err);
    if (st != CKDA_OK)
        return gpu_fail(st, &err);
    outcome x = {.o = o, .row = &row, .s = &system, .w = o->job};
    int code;
    x.w.checkpoint = list;
    st = gpu_checkpoints(list, &x.w.ncheckpoints, &o->common, 1, &err);
    if (st == CKDA_OK && row.kernel != ROW_WORDS) {
        ckda_error_set(&err, "%s: the kernels are audited by `ckda-gpu audit'", text);
        st = CKDA_E_INPUT;
    }
    if (st == CKDA_OK)
        st = gpu_system_open(&system, &row, &err);
    if (st == CKDA_OK) {
        x.w.a = system.automaton;
        code = judge(&x, documents, failed, differs);
        gpu_system_close(&system);
    } else {
        code = gpu_fail(st, &err);
    }
    gpu_row_clear(&row);
    return code;
}

/* Rows of the suite that do not exist (a grid for keys that it cannot hold, ...) stop it:
 * all of them are meant to. */
static int
run_suite(const words_options *o, json_t *documents, uint64_t *failed, uint64_t *differs)
{
    char text[256];
    for (size_t s = 0; gpu_suite_systems[s] != NULL; s++)
        for (size_t a = 0; gpu_suite_arithmetics[a] != NULL; a++) {
            snprintf(text, sizeof text, "%s:%s", gpu_suite_systems[s],
                     gpu_suite_arithmetics[a]);
            const int code = run_row(text, o, documents, failed, differs);
            if (code != EXIT_HOLDS)
                return code;
        }
    return EXIT_HOLDS;
}

static int
run_all(const words_options *o, const char *device)
{
    uint64_t failed = 0, differs = 0;
    json_t *documents = o->common.json ? json_array() : NULL;
    int code = EXIT_HOLDS;
    for (int i = 0; i < o->common.rows && code == EXIT_HOLDS; i++)
        code = run_row(o->common.text[i], o, documents, &failed, &differs);
    if (o->suite && code == EXIT_HOLDS)
        code = run_suite(o, documents, &failed, &differs);
    if (o->common.json) {
        json_t *d = json_object();
        json_put_text(d, "schema", "ckda.gpu-words/1");
        json_put_text(d, "device", device);
        json_put_count(d, "seed", o->job.seed);
        json_put_count(d, "words", o->job.sequences);
        json_put_count(d, "length", o->job.steps);
        json_put(d, "rows", documents);
        json_print(stdout, d);
    } else if (o->suite) {
        printf("%" PRIu64 " rows differ from the host\n", differs);
    }
    if (code != EXIT_HOLDS)
        return code;
    /* the suite asks about bits alone: some of its rows are known to decode wrongly */
    return differs > 0 || (failed > 0 && !o->suite) ? EXIT_REFUTED : EXIT_HOLDS;
}

int
gpu_words(int argc, char **argv)
{
    static const struct argp argp = {
        option_table,
        parse,
        "ROW...",
        "Group words in rounded arithmetic on the device, one thread a word, beside the "
        "exact states."
        "\vROW: SYSTEM[/CONSTRUCTION][:PART,...], where a PART is a preset "
        "(recurrent-fp32, "
        "recurrent-bf16-state, grid) or OPTION=VALUE as in `ckda audit': "
        "A5/quaternion:recurrent-fp32,beta-rule=from-key.  Unless told otherwise: 4096 "
        "words of 65536 letters, decoded after every 16 (0: never).",
        children,
        NULL,
        NULL};
    words_options o = {
        .common = {.seed = 1, .words = 4096, .length = 65536, .every = 16}};
    gpu_parse(&argp, argc, argv, &o);
    o.job.seed = o.common.seed;
    o.job.sequences = o.common.words;
    o.job.steps = o.common.length;
    o.job.check_every = o.common.every;
    if (o.suite)
        o.compare = true;
    const char *device = gpu_need_device();
    return device == NULL ? EXIT_UNDECIDED : run_all(&o, device);
}
