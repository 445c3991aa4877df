/* ckda-gpu chunk: the kernels of ckda_gpu.h on random inputs, beside the recurrence in
 * double precision (a stand-in; the exact judge is `ckda audit --trace' on a dump). */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../src/report/json.h"
#include "../src/report/json_arithmetic.h"
#include "ckda_gpu.h"
#include "gpu_cli.h"
#include "measure.h"

typedef struct {
    bool json, all_lines;
    uint64_t seed, longest, only; /* only: 0 all parts, else the part's number from 1 */
} chunk_options;

typedef struct {
    const chunk_options *o;
    json_t *rows; /* NULL: text */
    uint64_t cases, bad;
    int code; /* of ckda_gpu.h; the first that is not 0 ends the run */
} tally;

/* ---- one case -------------------------------------------------------------------------------- */

/* Largest relative error that passes, about twice what was measured.  Inputs are bf16 and so
 * is o: rounding o alone costs 0.0017.  Keys that repeat add up one rounding of k many times
 * within a chunk.  Where every transition is orthogonal errors add up like a random walk. */
static double
limit(const ckda_gpu_check *c)
{
    static const double usual[] = {0.03, 0.01, 0.005}, repeated[] = {0.15, 0.03, 0.03},
                        fading[] = {0.7, 0.1, 0.1};
    const bool fades = c->regime == CKDA_GPU_EQUAL_DECAYING;
    const bool repeats =
        c->regime == CKDA_GPU_EQUAL || c->regime == CKDA_GPU_EQUAL_BLOCKS;
    const bool grows = c->regime >= CKDA_GPU_REFLECT && !fades;
    const double *base = fades ? fading : repeats ? repeated : usual;
    const double least = c->recurrent ? 0.0025 : base[c->precision];
    return grows && c->tokens > 256 ? least * sqrt((double)c->tokens / 256) : least;
}

/* NaN: nothing to compare. */
static bool
within(double error, const ckda_gpu_check *c)
{
    return isnan(error) ? c->tokens == 0 : error <= limit(c);
}

/* A grid rounds the stand-in at other places, so errors say nothing then; a kernel that
 * says its gates are out of range promises nothing. */
static bool
passes(const ckda_gpu_check_result *r, const ckda_gpu_check *c)
{
    if (!r->untouched || !r->same_bits)
        return false;
    if (r->out_of_range)
        return !c->recurrent && c->regime == CKDA_GPU_FAST;
    return r->finite && (c->grid > 0 || (within(r->o, c) && within(r->state, c)));
}

static const char *
kernel_name(bool recurrent)
{
    return gpu_kernel_name(recurrent ? ROW_RECURRENT : ROW_CHUNK);
}

static void
print_case(const ckda_gpu_check *c, const ckda_gpu_check_result *r, bool good)
{
    printf("%3d x %3d  %-15s T %6" PRId64
           "%s %-9s %-7s %-5s %6.4g  o %-9.3g state %-9.3g "
           "%s%s%s%s%s\n",
           c->dk, c->dv, ckda_gpu_regime_name(c->regime), c->tokens,
           c->ragged ? " ragged" : "       ", kernel_name(c->recurrent),
           c->recurrent ? "-" : gpu_precision_name(c->precision),
           gpu_gate_name(c->gate_kind), (double)c->grid, r->o, r->state,
           good ? "ok" : "BAD", r->finite ? "" : " not finite",
           r->same_bits ? "" : " bits change", r->untouched ? "" : " wrote outside",
           r->out_of_range ? " (gates out of range)" : "");
}

static json_t *
case_json(const ckda_gpu_check *c, const ckda_gpu_check_result *r, bool good)
{
    json_t *o = json_object();
    json_put_count(o, "dk", (uint64_t)c->dk);
    json_put_count(o, "dv", (uint64_t)c->dv);
    json_put_text(o, "regime", ckda_gpu_regime_name(c->regime));
    json_put_count(o, "sequences", (uint64_t)c->sequences);
    json_put_count(o, "heads", (uint64_t)c->heads);
    json_put_count(o, "tokens", (uint64_t)c->tokens);
    json_put_bool(o, "ragged", c->ragged);
    json_put_text(o, "kernel", kernel_name(c->recurrent));
    json_put_text(o, "precision", c->recurrent ? NULL : gpu_precision_name(c->precision));
    json_put_text(o, "gate", gpu_gate_name(c->gate_kind));
    json_put_real(o, "snap", (double)c->grid);
    json_put_real(o, "o_error", r->o);
    json_put_real(o, "state_error", r->state);
    json_put_bool(o, "finite", r->finite);
    json_put_bool(o, "same_bits", r->same_bits);
    json_put_bool(o, "untouched", r->untouched);
    json_put_bool(o, "out_of_range", r->out_of_range);
    json_put_bool(o, "good", good);
    return o;
}

static void
run(tally *s, ckda_gpu_check c)
{
    ckda_gpu_check_result r = {0};
    if (s->code != CKDA_GPU_OK)
        return;
    c.seed = s->o->seed + s->cases;
    s->code = ckda_gpu_run_check(&r, &c);
    if (s->code != CKDA_GPU_OK)
        return;
    const bool good = passes(&r, &c);
    s->cases++;
    s->bad += !good;
    if (s->rows != NULL)
        json_append(s->rows, case_json(&c, &r, good));
    else if (s->o->all_lines || !good)
        print_case(&c, &r, good);
}

static void
print_poison(const ckda_gpu_poison *c, const ckda_gpu_poison_result *r, bool good)
{
    printf("NaN in %-7s token %2" PRId64 "  %-9s %-7s %-5g hidden %" PRIu64
           "  spread %" PRIu64 "  %s\n",
           ckda_gpu_poison_name(c->tensor), c->token, kernel_name(c->recurrent),
           c->recurrent ? "-" : gpu_precision_name(c->precision), (double)c->grid,
           r->hidden, r->spread, good ? "ok" : "BAD");
}

static json_t *
poison_json(const ckda_gpu_poison *c, const ckda_gpu_poison_result *r, bool good)
{
    json_t *o = json_object();
    json_put_text(o, "nan_in", ckda_gpu_poison_name(c->tensor));
    json_put_count(o, "token", (uint64_t)c->token);
    json_put_text(o, "kernel", kernel_name(c->recurrent));
    json_put_text(o, "precision", c->recurrent ? NULL : gpu_precision_name(c->precision));
    json_put_real(o, "snap", (double)c->grid);
    json_put_count(o, "hidden", r->hidden);
    json_put_count(o, "spread", r->spread);
    json_put_bool(o, "good", good);
    return o;
}

static void
run_poison(tally *s, const ckda_gpu_poison *c)
{
    ckda_gpu_poison_result r = {0};
    if (s->code == CKDA_GPU_OK)
        s->code = ckda_gpu_run_poison(&r, c);
    if (s->code != CKDA_GPU_OK)
        return;
    const bool good = r.hidden == 0 && r.spread == 0;
    s->cases++;
    s->bad += !good;
    if (s->rows != NULL)
        json_append(s->rows, poison_json(c, &r, good));
    else if (s->o->all_lines || !good)
        print_poison(c, &r, good);
}

/* Both kernels, and the chunked one in all precisions. */
static void
run_precisions(tally *s, ckda_gpu_check c)
{
    for (c.precision = CKDA_GPU_PLAIN; c.precision <= CKDA_GPU_HONEST; c.precision++)
        run(s, c);
    c.precision = CKDA_GPU_HONEST;
    c.recurrent = true;
    run(s, c);
}

/* ---- the parts ---------------------------------------------------------------------------- */

static void
shapes(tally *s)
{
    static const int size[] = {16, 64, 128};
    for (int i = 0; i < 9; i++)
        for (int kind = CKDA_GPU_GATE_VALUE; kind <= CKDA_GPU_GATE_LOG; kind++)
            for (int snap = 0; snap < 2; snap++) {
                ckda_gpu_check c = {.regime = CKDA_GPU_DECAYING_SIGNED,
                                    .sequences = 3,
                                    .tokens = 200,
                                    .heads = 2,
                                    .dk = size[i / 3],
                                    .dv = size[i % 3],
                                    .gate_kind = kind,
                                    .grid = snap ? 1024 : 0};
                run_precisions(s, c);
            }
}

static void
lengths(tally *s)
{
    static const int64_t tokens[] = {0, 1, 15, 16, 17, 63, 65, 1000};
    static const int shape[][2] = {{16, 16}, {64, 128}, {128, 64}, {128, 128}};
    for (size_t i = 0; i < sizeof shape / sizeof shape[0]; i++)
        for (size_t t = 0; t < sizeof tokens / sizeof tokens[0]; t++)
            for (int ragged = 0; ragged < 2; ragged++) {
                ckda_gpu_check c = {.regime = CKDA_GPU_DECAYING_SIGNED,
                                    .sequences = ragged ? 9 : 2,
                                    .tokens = tokens[t],
                                    .heads = 3,
                                    .dk = shape[i][0],
                                    .dv = shape[i][1],
                                    .ragged = ragged != 0};
                run_precisions(s, c);
            }
}

enum { SHORTEST = 256 }; /* tokens of the shortest regime */

static void
regimes(tally *s)
{
    for (int r = 0; r < CKDA_GPU_REGIMES; r++)
        for (int64_t t = SHORTEST; t <= (int64_t)s->o->longest; t *= 4) {
            ckda_gpu_check c = {.regime = (ckda_gpu_regime)r,
                                .sequences = 1,
                                .tokens = t,
                                .heads = 8,
                                .dk = 128,
                                .dv = 128};
            run_precisions(s, c);
        }
}

/* A NaN in each input in turn, in the middle of a chunk and at its ends. */
static void
poisoned(tally *s)
{
    static const int64_t token[] = {0, 21, 32, 47};
    for (int tensor = 0; tensor < CKDA_GPU_POISONS; tensor++)
        for (size_t t = 0; t < sizeof token / sizeof token[0]; t++)
            /* the chunked kernel in all precisions, the recurrent one, the chunked one with a
             * grid */
            for (int kernel = 0; kernel <= CKDA_GPU_HONEST + 2; kernel++) {
                const ckda_gpu_poison c = {.tensor = tensor,
                                           .tokens = 48,
                                           .token = token[t],
                                           .channel = 5,
                                           .dk = 64,
                                           .dv = 64,
                                           .precision = kernel % 3,
                                           .recurrent = kernel == CKDA_GPU_HONEST + 1,
                                           .grid =
                                               kernel > CKDA_GPU_HONEST + 1 ? 1024 : 0,
                                           .seed = s->o->seed + s->cases};
                run_poison(s, &c);
            }
}

/* ---- the command ----------------------------------------------------------------------------------- */

enum { PARTS = 4 };
enum { KEY_SEED = 256, KEY_LONGEST, KEY_PART, KEY_FAILURES };

static const struct argp_option option_table[] = {
    {"seed", KEY_SEED, "N", 0, "Seed of the inputs (default 1)", 0},
    {"longest", KEY_LONGEST, "T", 0, "Tokens of the longest regime (default 4096)", 0},
    {"part", KEY_PART, "PART", 0, "Only shapes, lengths, regimes or nan", 0},
    {"failures", KEY_FAILURES, NULL, 0, "Print the cases that fail only", 0},
    {"json", 'j', NULL, 0, "One JSON document (ckda.gpu-chunk/1)", 0},
    {0}};

static error_t
parse(int key, char *arg, struct argp_state *state)
{
    static const char *const parts[] = {"shapes", "lengths", "regimes", "nan"};
    chunk_options *o = state->input;
    switch (key) {
    case KEY_SEED:
        o->seed = gpu_count(arg, "seed", 0, UINT64_MAX / 2, state);
        return 0;
    case KEY_LONGEST:
        o->longest = gpu_count(arg, "longest", SHORTEST, 1u << 20, state);
        return 0;
    case KEY_PART:
        for (uint64_t i = 0; i < PARTS; i++)
            if (strcmp(arg, parts[i]) == 0)
                o->only = i + 1;
        if (o->only == 0)
            argp_error(state,
                       "--part: expected shapes, lengths, regimes or nan, found '%s'",
                       arg);
        return 0;
    case KEY_FAILURES:
        o->all_lines = false;
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
gpu_chunk(int argc, char **argv)
{
    static const struct argp argp = {
        option_table,
        parse,
        "",
        "The chunked and the recurrent kernel on random inputs, in all shapes, lengths "
        "and "
        "regimes: relative Frobenius distance from the recurrence in double precision, "
        "the same bits from run to run, nothing written outside; a NaN in an input comes "
        "out "
        "where it must and nowhere else.",
        NULL,
        NULL,
        NULL};
    chunk_options o = {.seed = 1, .longest = 4096, .all_lines = true};
    gpu_parse(&argp, argc, argv, &o);
    const char *device = gpu_need_device();
    if (device == NULL)
        return EXIT_UNDECIDED;
    tally s = {.o = &o, .rows = o.json ? json_array() : NULL};
    void (*const parts[PARTS])(tally *) = {shapes, lengths, regimes, poisoned};
    for (uint64_t i = 0; i < PARTS; i++)
        if (o.only == 0 || o.only == i + 1)
            parts[i](&s);
    if (o.json) {
        json_t *d = json_object();
        json_put_text(d, "schema", "ckda.gpu-chunk/1");
        json_put_text(d, "device", device);
        json_put_count(d, "seed", o.seed);
        json_put(d, "cases", s.rows);
        json_put_count(d, "bad", s.bad);
        json_print(stdout, d);
    } else {
        printf("%" PRIu64 " cases, %" PRIu64 " bad\n", s.cases, s.bad);
    }
    if (s.code != CKDA_GPU_OK)
        return gpu_fail_code(s.code);
    return s.bad > 0 ? EXIT_REFUTED : EXIT_HOLDS;
}
