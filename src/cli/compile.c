/* ckda compile */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "ckda/doc.h"
#include "net_source.h"
#include "one_certificate.h"

typedef struct {
    cli_net_source source;
    const char *output, *certificate;
    bool three, json;
} options;

enum { KEY_LAYERS = 0x100, KEY_FACTORISER, KEY_BLOCK, KEY_DEAD, KEY_CERTIFICATE };

static const struct argp_option option_table[] = {
    {"output", 'o', "FILE", 0, "Into FILE (default: standard output)", 0},
    {"layers", KEY_LAYERS, "N", 0,
     "3 (default): clock, buffer, accumulator; 2: where two layers are known to do", 0},
    {"construction", 'c', "NAME", 0,
     "series, small or window: which two-layer network; or a one-layer construction", 0},
    {"factoriser", KEY_FACTORISER, "NAME", 0,
     "paper (default for three layers): the recipes of Proposition 25; short: ours, "
     "fewer "
     "factors and shorter blocks",
     0},
    {"block", KEY_BLOCK, "M", 0, "Blocks of M letters instead of the factoriser's bound",
     0},
    {"dead-state", KEY_DEAD, NULL, 0,
     "AT&T text: missing transitions go to a new state that accepts nothing", 0},
    {"certificate", KEY_CERTIFICATE, "FILE", 0,
     "Explore the joint states, as ckda run --close does; the closed graph for "
     "ckda-recheck, into FILE",
     0},
    {"json", 'j', NULL, 0, "With -o: the document on standard output as well", 0},
    {0}};

static error_t
parse(int key, char *arg, struct argp_state *state)
{
    options *o = state->input;
    switch (key) {
    case 'o':
        o->output = arg;
        return 0;
    case KEY_LAYERS:
        if (strcmp(arg, "2") != 0 && strcmp(arg, "3") != 0)
            argp_error(state, "--layers: expected 2 or 3, found '%s'", arg);
        o->source.construction = arg[0] == '2' ? "two-layer" : "three-layer";
        return 0;
    case 'c':
        cli_net_check_construction(arg, state);
        o->source.construction = arg;
        return 0;
    case KEY_FACTORISER:
        if (!cli_net_scheme(&o->source, arg))
            argp_error(state, "--factoriser: expected paper or short, found '%s'", arg);
        return 0;
    case KEY_BLOCK:
        if (!cli_net_block(&o->source, arg))
            argp_error(state, "--block: expected a length from 1 to 2000, found '%s'",
                       arg);
        return 0;
    case KEY_DEAD:
        o->source.dead_state = true;
        return 0;
    case KEY_CERTIFICATE:
        o->certificate = arg;
        return 0;
    case 'j':
        o->json = true;
        return 0;
    case ARGP_KEY_ARG:
    case ARGP_KEY_NO_ARGS:
        return cli_parse_operand(&o->source.system, "SYSTEM", key, arg, state);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void
describe(const ckda_net *net, const char *file)
{
    printf("%s: %s, %u layers, %u letters", file, ckda_net_construction(net),
           ckda_net_layers(net), ckda_net_letters(net));
    if (ckda_net_block(net) > 0)
        printf(", blocks of %ld", (long)ckda_net_block(net));
    printf("\n");
    for (uint32_t h = 0; h < ckda_net_heads(net); h++) {
        const ckda_net_head *d = ckda_net_get_head(net, h);
        printf("  layer %u  %-11s  %ld x %ld, degree %ld\n", d->layer + 1, d->name,
               (long)d->n, (long)d->m, (long)d->K->degree);
    }
}

static int
write_network(const ckda_net *net, const char *file, bool json)
{
    json_t *document = ckda_net_json(net);
    char *text = json_dumps(document, JSON_COMPACT);
    ckda_require_memory(text != NULL);
    json_decref(document);
    int code = EXIT_HOLDS;
    if (file == NULL) {
        printf("%s\n", text);
    } else {
        ckda_error err;
        ckda_error_clear(&err);
        const ckda_status st = ckda_file_write(file, text, strlen(text), &err);
        if (st != CKDA_OK)
            code = cli_fail(st, &err);
        else if (json)
            printf("%s\n", text);
        else
            describe(net, file);
    }
    free(text);
    return code;
}

static int
certify(const ckda_net *net, const options *o, int code)
{
    static const ckda_limits limits = {.max_states = 10000000,
                                       .max_bytes = UINT64_C(4) << 30};
    ckda_net_closure c;
    ckda_net_graph *g = ckda_net_explore_graph(&c, net, &limits);
    if (c.right != CKDA_TRUE)
        code = c.right == CKDA_FALSE ? EXIT_REFUTED : EXIT_UNDECIDED;
    code = cli_certify_network(o->certificate, o->source.system, net, g, code);
    ckda_net_graph_close(&g);
    ckda_net_closure_clear(&c);
    return code;
}

int
cli_compile(int argc, char **argv)
{
    static const struct argp argp = {
        option_table,
        parse,
        "SYSTEM",
        "A group, a finite automaton or a weighted automaton as a network of CKDA layers "
        "(JSON, schema ckda.net/1); `ckda run' runs it.  SYSTEM is a built-in name or a "
        "file: JSON, AT&T text or a GAP list.\vExit code 1: there is no such network for "
        "this system; 3: none with two layers is known.",
        NULL,
        NULL,
        NULL};
    options o = {.source = {.construction = "three-layer"}};
    ckda_net *net;
    cli_parse(&argp, argc, argv, &o);
    const char *const files[] = {o.output, o.certificate};
    ckda_error err;
    if (cli_check_outputs(files, 2, &err) != CKDA_OK)
        return cli_fail(CKDA_E_IO, &err);
    int code = cli_net_open(&net, &o.source);
    if (code != EXIT_HOLDS)
        return code;
    code = write_network(net, o.output, o.json);
    if (o.certificate != NULL && code == EXIT_HOLDS)
        code = certify(net, &o, code);
    ckda_net_close(&net);
    return code;
}
