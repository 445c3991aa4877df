/* ckda run */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "ckda/input.h"
#include "ckda/limits.h"
#include "ckda/net.h"
#include "net_source.h"
#include "one_certificate.h"
#include "run_print.h"
#include "run_system.h"

typedef struct {
    cli_net_source source;
    const char *word, *certificate;
    bool json, states, close;
    uint64_t seed;
    ckda_limits limits;
} options;

enum {
    KEY_FACTORISER = 0x100,
    KEY_BLOCK,
    KEY_DEAD,
    KEY_SEED,
    KEY_STATES,
    KEY_CLOSE,
    KEY_CERTIFICATE
};

static const struct argp_option option_table[] = {
    {"construction", 'c', "NAME", 0,
     "planar, cube, quaternion, householder (one layer, groups), two-layer, series (of "
     "any length), small, window, three-layer (default for automata)",
     0},
    {"factoriser", KEY_FACTORISER, "NAME", 0, "paper or short, as for compile", 0},
    {"block", KEY_BLOCK, "M", 0, "Blocks of M letters, as for compile", 0},
    {"dead-state", KEY_DEAD, NULL, 0, "As for compile", 0},
    {"seed", KEY_SEED, "N", 0, "For random:LENGTH (default 1)", 0},
    {"states", KEY_STATES, NULL, 0,
     "JSON: the exact state of every head after every letter", 0},
    {"close", KEY_CLOSE, NULL, 0,
     "Explore the graph of joint states over all letters; WORD may be left out", 0},
    {"max-states", CLI_KEY_MAX_STATES, "N", 0,
     "--close: stop beyond N (default 10 million)", 0},
    {"max-memory", CLI_KEY_MAX_MEMORY, "SIZE", 0,
     "--close: stop beyond SIZE (default 4G)", 0},
    {"max-time", CLI_KEY_MAX_TIME, "TIME", 0, "--close: stop after TIME (default: none)",
     0},
    {"certificate", KEY_CERTIFICATE, "FILE", 0,
     "--close: the closed graph for ckda-recheck, into FILE", 0},
    {"json", 'j', NULL, 0, "One JSON document (ckda.run/1)", 0},
    {0}};

static void
parse_value(options *o, int key, const char *arg, struct argp_state *state)
{
    if (key == KEY_SEED && !cli_read_count(&o->seed, arg))
        argp_error(state, "--seed: expected a number, found '%s'", arg);
    if (key == KEY_FACTORISER && !cli_net_scheme(&o->source, arg))
        argp_error(state, "--factoriser: expected paper or short, found '%s'", arg);
    if (key == KEY_BLOCK && !cli_net_block(&o->source, arg))
        argp_error(state, "--block: expected a length from 1 to 2000, found '%s'", arg);
}

static void
parse_argument(options *o, char *arg, struct argp_state *state)
{
    if (o->source.system == NULL) {
        if (*arg == '\0')
            argp_error(state, "SYSTEM is empty");
        o->source.system = arg;
    } else if (o->word == NULL) {
        cli_check_word("WORD", arg, state);
        o->word = arg;
    } else {
        argp_error(state, "one SYSTEM and one WORD (in quotes) only");
    }
}

static error_t
parse(int key, char *arg, struct argp_state *state)
{
    options *o = state->input;
    switch (key) {
    case 'c':
        cli_net_check_construction(arg, state);
        o->source.construction = arg;
        return 0;
    case 'j':
        o->json = true;
        return 0;
    case KEY_STATES:
        o->states = true;
        return 0;
    case KEY_CLOSE:
        o->close = true;
        return 0;
    case KEY_DEAD:
        o->source.dead_state = true;
        return 0;
    case KEY_CERTIFICATE:
        o->certificate = arg;
        return 0;
    case KEY_FACTORISER:
    case KEY_BLOCK:
    case KEY_SEED:
        parse_value(o, key, arg, state);
        return 0;
    case ARGP_KEY_ARG:
        parse_argument(o, arg, state);
        return 0;
    case ARGP_KEY_END:
        if (o->source.system == NULL)
            argp_error(state, "SYSTEM is missing");
        if (o->word == NULL && !o->close)
            argp_error(state, "WORD is missing");
        if (o->certificate != NULL && !o->close)
            argp_error(state, "--certificate needs --close");
        return 0;
    default:
        return cli_parse_limit(&o->limits, key, arg, state);
    }
}

/* ---- the run ---------------------------------------------------------------------- */

static void
note_sizes(run_result *r, run_prefix *p, const ckda_net_run *run)
{
    for (uint32_t h = 0; h < ckda_net_heads(r->net); h++) {
        const ulong bits = ckda_net_run_bits(run, h);
        p->bits = bits > p->bits ? bits : p->bits;
        r->head_bits[h] = bits > r->head_bits[h] ? bits : r->head_bits[h];
    }
    r->max_bits = p->bits > r->max_bits ? p->bits : r->max_bits;
}

/* The largest beta of each head, and of all of them: compared as real numbers. */
static void
note_betas(run_result *r, const ckda_net_run *run)
{
    qqbar_t best, x;
    qqbar_init(best);
    qqbar_init(x);
    r->max_beta = NULL;
    for (uint32_t h = 0; h < ckda_net_heads(r->net); h++) {
        const ckda_field_struct *K = ckda_net_get_head(r->net, h)->K;
        const ckda_elem_struct *beta = ckda_net_run_max_beta(run, h);
        r->head_beta[h] = ckda_elem_str(beta, K);
        ckda_elem_get_qqbar(x, beta, K);
        if (r->max_beta == NULL || qqbar_cmp_re(x, best) > 0) {
            r->max_beta = r->head_beta[h];
            qqbar_swap(x, best);
        }
    }
    qqbar_clear(x);
    qqbar_clear(best);
}

static void
run_word(run_result *r, const ckda_word_t w, bool states)
{
    const ckda_net *net = r->net;
    ckda_net_run *run = ckda_net_run_open(net);
    ckda_net_target target;
    ckda_error err;
    ckda_net_target_init(&target, net);
    ckda_error_clear(&err);
    r->prefix = flint_calloc(w->length + 1, sizeof *r->prefix);
    r->length = w->length;
    for (size_t i = 0; i < w->length; i++) {
        run_prefix *p = r->prefix + i;
        const uint32_t x = w->letter[i];
        p->letter = ckda_net_letter_name(net, x);
        ckda_net_run_step(run, x, &err);
        ckda_net_target_step(&target, x, net);
        p->output = ckda_net_output_str(net, ckda_net_run_output(run));
        p->expected = ckda_net_output_str(net, &target.now);
        p->equal = ckda_net_output_equal(net, ckda_net_run_output(run), &target.now);
        const ckda_net_output *out = ckda_net_run_output(run);
        p->accepted = out->valid && ckda_net_accepts(net, out->index);
        p->states = states ? cli_run_states_json(net, run) : NULL;
        r->all_equal = r->all_equal && p->equal;
        note_sizes(r, p, run);
    }
    if (err.text[0] != '\0')
        fprintf(stderr, "ckda: %s\n", err.text);
    note_betas(r, run);
    ckda_net_target_clear(&target, net);
    ckda_net_run_close(&run);
}

/* Letter indices; for a group whatever names one of its elements that is a letter. */
static ckda_status
read_word(ckda_word_t w, const ckda_net *net, const options *o, ckda_error *err)
{
    ckda_rand random;
    ckda_rand_init(&random, o->seed);
    if (o->word == NULL) {
        *w = (ckda_word_struct){NULL, 0};
        return CKDA_OK;
    }
    if (ckda_net_get_kind(net) == CKDA_NET_GROUP) {
        uint32_t n;
        const ckda_group_struct *G = ckda_net_group(net);
        const uint32_t *element = ckda_net_letter_elements(&n, net);
        const ckda_status st =
            ckda_input_word_group(w, G, element, n, o->word, &random, err);
        for (size_t i = 0; st == CKDA_OK && i < w->length; i++) {
            uint32_t x = 0;
            while (element[x] != w->letter[i])
                x++;
            w->letter[i] = x;
        }
        return st;
    }
    const uint32_t n = ckda_net_letters(net);
    const char **names = flint_malloc((n + 1) * sizeof *names);
    for (uint32_t x = 0; x < n; x++)
        names[x] = ckda_net_letter_name(net, x);
    const ckda_status st = ckda_input_word_names(w, names, n, o->word, &random, err);
    flint_free(names);
    return st;
}

static void
clear_result(run_result *r)
{
    for (size_t i = 0; i < r->length; i++) {
        free(r->prefix[i].output);
        free(r->prefix[i].expected);
        json_decref(r->prefix[i].states);
    }
    for (uint32_t h = 0; h < ckda_net_heads(r->net); h++)
        free(r->head_beta[h]);
    flint_free(r->prefix);
    flint_free(r->head_bits);
    flint_free(r->head_beta);
}

static int
exit_code(const run_result *r)
{
    if (!r->all_equal || (r->closure != NULL && r->closure->right == CKDA_FALSE))
        return EXIT_REFUTED;
    return r->closure != NULL && r->closure->right == CKDA_UNKNOWN ? EXIT_UNDECIDED
                                                                   : EXIT_HOLDS;
}

static int
run(const options *o, const ckda_net *net)
{
    ckda_error err;
    ckda_word_t w;
    ckda_net_closure closure;
    ckda_net_graph *graph = NULL;
    ckda_error_clear(&err);
    const ckda_status st = read_word(w, net, o, &err);
    if (st != CKDA_OK)
        return cli_fail(st, &err);
    const uint32_t heads = ckda_net_heads(net);
    run_result r = {.system = o->source.system,
                    .net = net,
                    .seed = o->seed,
                    .has_word = o->word != NULL,
                    .all_equal = true,
                    .head_bits = flint_calloc(heads, sizeof(ulong)),
                    .head_beta = flint_calloc(heads, sizeof(char *))};
    run_word(&r, w, o->states);
    if (o->close) {
        const double start = ckda_wall_seconds();
        graph = ckda_net_explore_graph(&closure, net, &o->limits);
        r.seconds = ckda_wall_seconds() - start;
        r.closure = &closure;
    }
    if (o->json)
        cli_run_print_json(stdout, &r);
    else
        cli_run_print_text(stdout, &r);
    int code = exit_code(&r);
    if (o->certificate != NULL)
        code = cli_certify_network(o->certificate, o->source.system, net, graph, code);
    ckda_net_graph_close(&graph);
    if (o->close)
        ckda_net_closure_clear(&closure);
    clear_result(&r);
    ckda_word_clear(w);
    return code;
}

/* There are no layers to compile, and no joint states of layers to explore. */
static int
run_system(const options *o)
{
    const cli_net_source *s = &o->source;
    if (o->close || s->has_scheme || s->block > 0) {
        ckda_error err;
        ckda_error_set(&err,
                       "%.200s: expected a group, an automaton or a network for --close, "
                       "--factoriser and --block, found matrices (`ckda reach' explores "
                       "their states)",
                       s->system);
        return cli_fail_usage(&err);
    }
    const cli_run_system_options how = {.system = s->system,
                                        .construction = s->construction,
                                        .word = o->word,
                                        .json = o->json,
                                        .states = o->states,
                                        .seed = o->seed};
    return cli_run_system(&how);
}

int
cli_run(int argc, char **argv)
{
    static const struct argp argp = {
        option_table,
        parse,
        "SYSTEM [WORD]",
        "Runs a network or a construction on a word, exactly, beside the direct product "
        "at every prefix.  SYSTEM is a network made by `ckda compile' or `ckda "
        "construct', a built-in name or a file.  Several heads are decoded together, by "
        "the table of their joint states; affine maps and single matrices (letter a) say "
        "their states.  WORD is letters in time order separated by blanks (names, cycles "
        "such as (1,2)(3,4), image lists such as [1,2,0]), @FILE, or random:LENGTH.\v"
        "Exit code 1: some prefix differs, --close refutes, or heads have infinitely "
        "many "
        "joint states; 3: --close or the decoder reached a limit; 4: a letter that does "
        "not exist.",
        NULL,
        NULL,
        NULL};
    options o = {.source = {.networks = true},
                 .seed = 1,
                 .limits = {.max_states = 10000000, .max_bytes = UINT64_C(4) << 30}};
    ckda_net *net;
    cli_parse(&argp, argc, argv, &o);
    ckda_error err;
    if (cli_check_outputs(&o.certificate, 1, &err) != CKDA_OK)
        return cli_fail(CKDA_E_IO, &err);
    if (cli_run_is_system(o.source.system))
        return run_system(&o);
    int code = cli_net_open(&net, &o.source);
    if (code != EXIT_HOLDS)
        return code;
    cli_charge_for_system(&o.limits, 1);
    code = run(&o, net);
    ckda_net_close(&net);
    return code;
}
