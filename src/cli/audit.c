/* ckda audit: options, and which of the four modes they ask for. */
#include "audit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ckda/field.h"

enum {
    KEY_ARITHMETIC = 256,
    KEY_STATE,
    KEY_KEYS,
    KEY_BETA,
    KEY_COMPUTE,
    KEY_FMA,
    KEY_FORM,
    KEY_ORDER,
    KEY_KEY_NORM,
    KEY_BETA_RULE,
    KEY_ROUNDING,
    KEY_GRID,
    KEY_FLUSH,
    KEY_INITIAL,
    KEY_START,
    KEY_MOVE_KEYS,
    KEY_MOVE_BETA,
    KEY_SHRINK_BETA,
    KEY_SHRINK_GATE,
    KEY_CHUNK,
    KEY_SPLIT,
    KEY_DIRECT,
    KEY_EXHAUSTIVE,
    KEY_LENGTH,
    KEY_WORDS,
    KEY_WORD,
    KEY_AT,
    KEY_DECODER,
    KEY_SVG,
    KEY_SEED,
    KEY_THREADS,
    KEY_ALL_WORDS,
    KEY_COLUMNS,
    KEY_CHECKPOINT,
    KEY_INTERVAL,
    KEY_RESUME,
    KEY_CERTIFICATE,
    KEY_SNAP,
    KEY_SEARCH_SCALE,
    KEY_SEARCH_INITIAL,
    KEY_SEARCH_START,
    KEY_SEARCH_KEYS,
    KEY_TRACE
};

static const struct argp_option option_table[] = {
    {0, 0, 0, 0, "What is asked:", 1},
    {"all-words", KEY_ALL_WORDS, NULL, 0, "Decide all words at once", 1},
    {"snap", KEY_SNAP, NULL, 0, "The SNAP theorem: tolerances, chunk schemes", 1},
    {"trace", KEY_TRACE, "FILE", 0,
     "Judge tensors dumped by a kernel (.safetensors or .npy; may be repeated)", 1},
    {0, 0, 0, 0, "Arithmetic (F: bf16, fp16, fp32, fp64):", 2},
    {"arithmetic", KEY_ARITHMETIC, "PRESET", 0,
     "recurrent-fp32, recurrent-bf16-state, grid, chunk-wy; later options change it", 2},
    {"construction", 'c', "NAME", 0,
     "planar, cube, cube-standard, quaternion, dyadic, householder", 2},
    {"state", KEY_STATE, "F", 0, "Format that keeps the state", 2},
    {"keys", KEY_KEYS, "F", 0, "Format of keys, or of matrix entries", 2},
    {"beta", KEY_BETA, "F", 0, "Format of beta and gates", 2},
    {"compute", KEY_COMPUTE, "F", 0, "Format of every operation", 2},
    {"fma", KEY_FMA, "on|off", 0, "Fused multiply-add", 2},
    {"form", KEY_FORM, "key|matrix", 0, "Apply the key, or the rounded matrix", 2},
    {"order", KEY_ORDER, "key|dot", 0, "beta times the key, or times the inner product",
     2},
    {"key-norm", KEY_KEY_NORM, "unit|direction", 0,
     "Unit keys, or integer directions w with beta/|w|^2", 2},
    {"beta-rule", KEY_BETA_RULE, "ideal|from-key", 0,
     "beta as it should be, or 2/|k|^2 of the rounded key (default with --chunk)", 2},
    {"rounding", KEY_ROUNDING, "rne|rtz", 0, "How the state is stored", 2},
    {"grid", KEY_GRID, "C", 0, "Store integers, H_0 = C I", 2},
    {"flush", KEY_FLUSH, "K", 0, "Store |x| < 2^-K as 0", 2},
    {"initial", KEY_INITIAL, "SCALE", 0, "H_0 = SCALE I; a rational such as 5/4", 2},
    {"start", KEY_START, "random[:SEED]", 0,
     "H_0 = SCALE Q, Q a random orthogonal matrix of rationals", 2},
    {"move-keys", KEY_MOVE_KEYS, "J,J,...", 0,
     "Move the key entries that F does not hold by so many values of F, least first", 2},
    {"move-beta", KEY_MOVE_BETA, "J", 0, "Move beta by so many values of its format", 2},
    {"shrink-beta", KEY_SHRINK_BETA, "EPS", 0, "beta - EPS in place of beta", 2},
    {"shrink-gate", KEY_SHRINK_GATE, "EPS", 0, "Gates times 1 - EPS", 2},
    {"chunk", KEY_CHUNK, "C", 0, "A chunked kernel (WY form) of C tokens", 2},
    {"split", KEY_SPLIT, "NAME", 0,
     "What the chunk keeps in which precision: FLA, T32, pair, fp16, fp16-T32, k32, "
     "k32-pair, all-pair",
     2},
    {"direct", KEY_DIRECT, NULL, 0, "Chunk: solve for W without the inverse", 2},
    {0, 0, 0, 0, "Words:", 3},
    {"length", KEY_LENGTH, "T", 0, "Tokens a word (default 10000)", 3},
    {"words", KEY_WORDS, "N", 0, "Random words (default 100)", 3},
    {"word", KEY_WORD, "WORD", 0, "This word (or @FILE) instead of random ones", 3},
    {"at", KEY_AT, "T,T,...", 0, "Where drift is shown (default: powers of 10)", 3},
    {"decoder", KEY_DECODER, "nearest|inner|paper", 0, "Read-out (default nearest)", 3},
    {"svg", KEY_SVG, "FILE", 0, "Drift curves as a picture", 3},
    {"seed", KEY_SEED, "N", 0, "Seed of what is random (default 1)", 3},
    {"threads", KEY_THREADS, "N", 0, "Threads (default: all cores)", 3},
    {0, 0, 0, 0, "All words, and limits:", 4},
    {"columns", KEY_COLUMNS, NULL, 0, "Column by column only", 4},
    {"max-states", CLI_KEY_MAX_STATES, "N", 0, "Stop beyond N states (default 2 million)",
     4},
    {"max-memory", CLI_KEY_MAX_MEMORY, "SIZE", 0, "Stop beyond SIZE, such as 500M", 4},
    {"max-time", CLI_KEY_MAX_TIME, "TIME", 0, "Stop after TIME, such as 30, 5m", 4},
    {"checkpoint", KEY_CHECKPOINT, "FILE", 0, "Save the search to FILE as it goes", 4},
    {"checkpoint-every", KEY_INTERVAL, "TIME", 0, "How often (default 60s)", 4},
    {"certificate", KEY_CERTIFICATE, "FILE", 0,
     "The closed graph for ckda-recheck, into FILE", 4},
    {"resume", KEY_RESUME, "FILE", 0, "Go on from a saved search", 4},
    {"exhaustive", KEY_EXHAUSTIVE, NULL, 0, "Chunk: every word of C tokens", 4},
    {"search-scale", KEY_SEARCH_SCALE, NULL, 0, "Which grids hold", 4},
    {"search-initial", KEY_SEARCH_INITIAL, NULL, 0, "Which scales of H_0 hold", 4},
    {"search-start", KEY_SEARCH_START, "N", 0, "Which of N random orthogonal H_0 hold",
     4},
    {"search-keys", KEY_SEARCH_KEYS, "R[,B]", 0,
     "Which keys hold, moved by up to R values each, and beta by up to B", 4},
    {"json", 'j', NULL, 0, "One JSON document (ckda.audit/1)", 5},
    {0}};

static const ckda_fp_format *
format(const char *arg, const char *name, struct argp_state *state)
{
    const ckda_fp_format *f = ckda_fp_format_named(arg);
    if (f == NULL)
        argp_error(state, "--%s: expected bf16, fp16, fp32 or fp64, found '%s'", name,
                   arg);
    return f;
}

/* Index of arg in two names; an error otherwise. */
static int
either(const char *arg, const char *name, const char *zero, const char *one,
       struct argp_state *state)
{
    if (strcmp(arg, zero) != 0 && strcmp(arg, one) != 0)
        argp_error(state, "--%s: expected %s or %s, found '%s'", name, zero, one, arg);
    return strcmp(arg, one) == 0;
}

static uint64_t
count(const char *arg, const char *name, uint64_t least, uint64_t most,
      struct argp_state *state)
{
    uint64_t n = 0;
    if (!cli_read_count(&n, arg) || n < least || n > most)
        argp_error(state, "--%s: expected a whole number from %llu to %llu, found '%s'",
                   name, (unsigned long long)least, (unsigned long long)most, arg);
    return n;
}

/* An exact rational in the syntax of the documents (5/4, 0x1.3p-5). */
static ckda_ratio
ratio(const char *arg, const char *name, struct argp_state *state)
{
    ckda_ratio r = {0, 1};
    ckda_error err;
    ckda_error_clear(&err);
    qqbar_t x;
    qqbar_init(x);
    if (ckda_number_parse(x, arg, &err) != CKDA_OK)
        argp_error(state, "--%s: %s", name, err.text);
    fmpq_t q;
    fmpq_init(q);
    bool fits = qqbar_is_rational(x);
    if (fits) {
        qqbar_get_fmpq(q, x);
        fits = fmpz_fits_si(fmpq_numref(q)) && fmpz_fits_si(fmpq_denref(q));
    }
    if (!fits)
        argp_error(state,
                   "--%s: expected a rational number of at most 63 bits such as 5/4 or "
                   "0x1.4p0, found '%s'",
                   name, arg);
    else
        r = (ckda_ratio){fmpz_get_si(fmpq_numref(q)), fmpz_get_si(fmpq_denref(q))};
    fmpq_clear(q);
    qqbar_clear(x);
    return r;
}

static error_t
parse_neighbour(int key, char *arg, struct argp_state *state)
{
    audit_options *o = state->input;
    switch (key) {
    case KEY_START:
        audit_start(o, arg, state);
        return 0;
    case KEY_MOVE_KEYS:
        audit_move_keys(&o->arith, arg, state);
        return 0;
    case KEY_MOVE_BETA:
        audit_move_beta(&o->arith, arg, state);
        return 0;
    case KEY_SEARCH_START:
        o->search_start = count(arg, "search-start", 1, 1u << 20, state);
        return 0;
    case KEY_SEARCH_KEYS:
        audit_search_keys(o, arg, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t
parse_arithmetic(int key, char *arg, struct argp_state *state)
{
    audit_options *o = state->input;
    ckda_error err;
    switch (key) {
    case KEY_ARITHMETIC:
        ckda_error_clear(&err);
        o->preset = arg;
        if (strcmp(arg, "chunk-wy") == 0) {
            o->chunk = o->chunk == 0 ? 64 : o->chunk;
            return 0;
        }
        if (ckda_arith_preset(&o->arith, arg, &err) != CKDA_OK)
            argp_error(state, "--arithmetic: %s", err.text);
        return 0;
    case KEY_STATE:
        o->arith.state = format(arg, "state", state);
        return 0;
    case KEY_KEYS:
        o->arith.keys = format(arg, "keys", state);
        return 0;
    case KEY_BETA:
        o->arith.beta = format(arg, "beta", state);
        return 0;
    case KEY_COMPUTE:
        o->arith.compute = format(arg, "compute", state);
        return 0;
    case KEY_FMA:
        o->arith.fma = either(arg, "fma", "off", "on", state);
        return 0;
    case KEY_FORM:
        o->arith.form = either(arg, "form", "key", "matrix", state);
        return 0;
    case KEY_ORDER:
        o->arith.order = either(arg, "order", "key", "dot", state);
        return 0;
    case KEY_KEY_NORM:
        o->arith.key = either(arg, "key-norm", "unit", "direction", state);
        return 0;
    case KEY_BETA_RULE:
        o->arith.beta_rule = either(arg, "beta-rule", "ideal", "from-key", state);
        o->beta_rule_given = true;
        return 0;
    case KEY_ROUNDING:
        o->arith.store =
            either(arg, "rounding", "rne", "rtz", state) ? CKDA_FP_RTZ : CKDA_FP_RNE;
        return 0;
    case KEY_GRID:
        o->arith.grid = (int64_t)count(arg, "grid", 1, AUDIT_MAX_GRID, state);
        return 0;
    case KEY_FLUSH:
        o->arith.has_flush = true;
        o->arith.flush = (int)count(arg, "flush", 0, 1000, state);
        return 0;
    case KEY_INITIAL:
        o->arith.initial = ratio(arg, "initial", state);
        return 0;
    case KEY_SHRINK_BETA:
        o->arith.beta_shift = ratio(arg, "shrink-beta", state);
        return 0;
    case KEY_SHRINK_GATE:
        o->arith.gate_shrink = ratio(arg, "shrink-gate", state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t
parse_limits(int key, char *arg, struct argp_state *state)
{
    audit_options *o = state->input;
    switch (key) {
    case KEY_INTERVAL:
        if (!cli_read_seconds(&o->checkpoint_seconds, arg) || o->checkpoint_seconds < 0)
            argp_error(state, "--checkpoint-every: expected a time, found '%s'", arg);
        return 0;
    case KEY_CHECKPOINT:
        o->checkpoint = arg;
        return 0;
    case KEY_CERTIFICATE:
        o->certificate = arg;
        return 0;
    case KEY_RESUME:
        o->resume = arg;
        return 0;
    default:
        return cli_parse_limit(&o->limits, key, arg, state);
    }
}

static error_t
parse_words(int key, char *arg, struct argp_state *state)
{
    audit_options *o = state->input;
    switch (key) {
    case KEY_LENGTH:
        o->length = count(arg, "length", 1, UINT64_C(1) << 40, state);
        return 0;
    case KEY_WORDS:
        o->words = count(arg, "words", 1, 1u << 30, state);
        return 0;
    case KEY_WORD:
        cli_check_word("--word", arg, state);
        o->word = arg;
        return 0;
    case KEY_AT:
        o->at = arg;
        return 0;
    case KEY_DECODER:
        if (strcmp(arg, "nearest") != 0 && strcmp(arg, "inner") != 0
            && strcmp(arg, "paper") != 0)
            argp_error(state, "--decoder: expected nearest, inner or paper, found '%s'",
                       arg);
        o->decoder = arg;
        return 0;
    case KEY_SVG:
        o->svg = arg;
        return 0;
    case KEY_SEED:
        if (!cli_read_count(&o->seed, arg))
            argp_error(state, "--seed: expected a whole number, found '%s'", arg);
        return 0;
    case KEY_THREADS:
        o->threads = (int)count(arg, "threads", 1, 1024, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t
parse_mode(int key, char *arg, struct argp_state *state)
{
    audit_options *o = state->input;
    switch (key) {
    case 'c':
        cli_check_construction(arg, NULL, state);
        o->construction = arg;
        return 0;
    case KEY_CHUNK:
        o->chunk = count(arg, "chunk", 1, 1024, state);
        return 0;
    case KEY_SPLIT:
        o->split = arg;
        return 0;
    case KEY_DIRECT:
        o->direct = true;
        return 0;
    case KEY_EXHAUSTIVE:
        o->exhaustive = true;
        return 0;
    case KEY_ALL_WORDS:
        o->all_words = true;
        return 0;
    case KEY_COLUMNS:
        o->columns = true;
        return 0;
    case KEY_SNAP:
        o->snap = true;
        return 0;
    case KEY_SEARCH_SCALE:
        o->search_scale = true;
        return 0;
    case KEY_SEARCH_INITIAL:
        o->search_initial = true;
        return 0;
    case KEY_TRACE:
        if (o->ntraces == AUDIT_MAX_FILES)
            argp_error(state, "--trace: at most %d files", AUDIT_MAX_FILES);
        o->trace[o->ntraces++] = arg;
        return 0;
    case 'j':
        o->json = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void
check_modes(const audit_options *o, struct argp_state *state)
{
    ckda_error err;
    if (o->ntraces > 0 && (o->system != NULL || o->all_words || o->snap))
        argp_error(state, "--trace takes no SYSTEM, --all-words or --snap");
    if (o->ntraces == 0 && o->system == NULL)
        argp_error(state, "SYSTEM is missing");
    if (o->all_words && o->snap)
        argp_error(state, "--all-words and --snap are two questions");
    if (o->certificate != NULL && !o->all_words)
        argp_error(state, "--certificate is for --all-words");
    if (o->chunk > 0 && o->all_words)
        argp_error(state,
                   "--all-words goes token by token; for a chunked kernel ask --snap");
    if ((o->search_start > 0 || o->search_keys) && !o->all_words)
        argp_error(state, "--search-start and --search-keys need --all-words");
    if (o->chunk > 0
        && (o->arith.start != 0 || ckda_arith_moves(&o->arith) > 0
            || o->arith.beta_move != 0))
        argp_error(state, "--start, --move-keys and --move-beta go token by token, "
                          "without --chunk");
    if ((o->search_scale || o->search_initial) && !o->all_words && !o->snap)
        argp_error(state, "a search needs --all-words or --snap");
    ckda_error_clear(&err);
    if (o->ntraces == 0 && ckda_arith_check(&o->arith, &err) != CKDA_OK)
        argp_error(state, "%s", err.text);
}

static error_t
parse(int key, char *arg, struct argp_state *state)
{
    static error_t (*const parts[])(int, char *, struct argp_state *) = {
        parse_arithmetic, parse_neighbour, parse_limits, parse_words, parse_mode};
    audit_options *o = state->input;
    if (key == ARGP_KEY_ARG)
        return cli_parse_operand(&o->system, "SYSTEM", key, arg, state);
    if (key == ARGP_KEY_END) {
        if (o->chunk > 0 && !o->beta_rule_given)
            o->arith.beta_rule = CKDA_BETA_FROM_KEY;
        if (o->starts_at_random)
            o->arith.start = o->seed > 0 ? o->seed : 1;
        check_modes(o, state);
        return 0;
    }
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (parts[i](key, arg, state) == 0)
            return 0;
    return ARGP_ERR_UNKNOWN;
}

int
cli_audit(int argc, char **argv)
{
    static const struct argp argp = {
        option_table,
        parse,
        "SYSTEM\n--trace FILE...",
        "A rounded recurrence beside the exact states: drift and first wrong decode on "
        "words; with --all-words a decision for every word of every length; with --snap "
        "what a tracker on a grid forgives; with --trace a verdict on tensors that a "
        "kernel wrote."
        "\vExit code 0: right throughout, or proved; 1: a wrong decode, or a kernel "
        "beyond "
        "its bound; 3: a limit was reached before a verdict.",
        NULL,
        NULL,
        NULL};
    audit_options o = {.seed = 1,
                       .arith = ckda_arith_default,
                       .limits = {.max_states = 2000000},
                       .checkpoint_seconds = 60};
    cli_parse(&argp, argc, argv, &o);
    const char *const files[] = {o.checkpoint, o.certificate, o.svg};
    ckda_error err;
    if (cli_check_outputs(files, sizeof files / sizeof files[0], &err) != CKDA_OK)
        return cli_fail(CKDA_E_IO, &err);
    if (o.ntraces > 0)
        return audit_trace(&o);
    if (o.all_words)
        return audit_allwords(&o);
    return o.snap ? audit_snap(&o) : audit_words(&o);
}
