/* ckda construct */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "ckda/doc.h"
#include "ckda/input.h"
#include "ckda/limits.h"
#include "ckda/report_construct.h"
#include "file_command.h"
#include "net_source.h"

typedef struct {
    bool json;
    const char *system, *output, *construction;
    uint64_t max_order;
    ckda_limits limits;
} options;

enum { KEY_ORDER = 256 };

static const struct argp_option option_table[] = {
    {"output", 'o', "FILE", 0,
     "The tracker (or network) into FILE, for reach, run and audit (or run)", 0},
    {"construction", 'c', "NAME", 0,
     "planar, cube, cube-standard, quaternion or dyadic (default: the usual one)", 0},
    {"max-order", KEY_ORDER, "N", 0,
     "Search normal series of groups of at most N elements (default 10000)", 0},
    {"max-states", CLI_KEY_MAX_STATES, "N", 0,
     "Stop a closure beyond N states (default 10 million)", 0},
    {"max-memory", CLI_KEY_MAX_MEMORY, "SIZE", 0,
     "Stop a closure beyond SIZE, such as 500M (default 2G)", 0},
    {"max-time", CLI_KEY_MAX_TIME, "TIME", 0,
     "Stop each closure after TIME, such as 30, 5m (default 1m)", 0},
    {"json", 'j', NULL, 0, "One JSON document (ckda.construct/1)", 0},
    {0}};

static error_t
parse(int key, char *arg, struct argp_state *state)
{
    options *o = state->input;
    switch (key) {
    case 'o':
        o->output = arg;
        return 0;
    case 'c':
        if (strcmp(arg, "householder") == 0)
            argp_error(state, "householder takes more than one step a letter; "
                              "see `ckda reach SYSTEM -c householder'");
        cli_check_construction(arg, NULL, state);
        o->construction = arg;
        return 0;
    case 'j':
        o->json = true;
        return 0;
    case KEY_ORDER:
        if (!cli_read_count(&o->max_order, arg) || o->max_order == 0)
            argp_error(state, "--max-order: expected a positive number, found '%s'", arg);
        return 0;
    case ARGP_KEY_ARG:
    case ARGP_KEY_NO_ARGS:
        return cli_parse_operand(&o->system, "SYSTEM", key, arg, state);
    default:
        return cli_parse_limit(&o->limits, key, arg, state);
    }
}

/* ---- a group ------------------------------------------------------------------------ */

/* What was found; the result only points to it. */
typedef struct {
    const options *o;
    const ckda_group_struct *G;
    bool all_letters;
    ckda_isomorphism_t isomorphism;
    ckda_construction_t single;
    ckda_heads_t heads;
    ckda_realize_closure closure;
    ckda_obstruction obstruction;
    ckda_series_t series;
    ckda_net *net;
    ckda_net_closure net_closure;
    ckda_error heads_limit, net_missing;
    ckda_construct_result result;
} work;

/* NULL where no document can hold the field. */
static json_t *
document_of(const work *w, const ckda_trans_struct *const *heads, uint32_t nheads,
            ckda_decoder decoder, const ckda_field_t K)
{
    char comment[256];
    if (K->degree > CKDA_INPUT_MAX_DEGREE)
        return NULL;
    snprintf(comment, sizeof comment, "%.160s, by ckda construct: %u head%s",
             w->o->system, nheads, nheads == 1 ? "" : "s");
    return ckda_input_tracker_json(w->G, w->all_letters, heads, nheads, decoder, K,
                                   comment);
}

static ckda_status
one_head(work *w, ckda_error *err)
{
    ckda_construct_result *r = &w->result;
    ckda_status st =
        ckda_realize_single(w->single, w->isomorphism, w->G, w->o->construction, err);
    if (st != CKDA_OK)
        return st;
    r->single = w->single;
    st = ckda_realize_close(&w->closure, w->single, &w->o->limits, err);
    if (st != CKDA_OK)
        return st;
    const ckda_trans_struct *const trans = w->single->trans;
    r->closure = &w->closure;
    r->document = document_of(w, &trans, 1, w->single->decoder, w->single->K);
    return CKDA_OK;
}

static ckda_status
several_heads(work *w, ckda_error *err)
{
    ckda_construct_result *r = &w->result;
    if (w->G->order > w->o->max_order) {
        r->heads_limit = "the group is larger than --max-order";
        return CKDA_OK;
    }
    const ckda_status found = ckda_heads_find(w->heads, w->G, &w->heads_limit);
    if (found == CKDA_E_UNABLE)
        r->heads_limit = w->heads_limit.text;
    if (found != CKDA_OK)
        return CKDA_OK;
    r->heads = w->heads;
    const ckda_status st =
        ckda_heads_close(&w->closure, w->heads, w->G, &w->o->limits, err);
    if (st != CKDA_OK)
        return st;
    const ckda_trans_struct *trans[CKDA_HEADS_MAX];
    for (uint32_t h = 0; h < w->heads->nheads; h++)
        trans[h] = w->heads->head[h].trans;
    r->closure = &w->closure;
    r->document = document_of(w, trans, w->heads->nheads, CKDA_DECODE_STATE, w->heads->K);
    return CKDA_OK;
}

/* A layer for each factor of the series. */
static void
compile_series(work *w)
{
    const ckda_group_struct *G = w->G;
    const uint32_t n = w->all_letters ? G->order : G->ngen;
    uint32_t *letter = flint_malloc(n * sizeof *letter);
    char **name = flint_malloc(n * sizeof *name);
    ckda_group_t H;
    for (uint32_t x = 0; x < n; x++) {
        letter[x] = w->all_letters ? x : G->generator[x];
        name[x] = w->all_letters ? ckda_input_element_name(G, x) : strdup(G->genname[x]);
        ckda_require_memory(name[x] != NULL);
    }
    ckda_group_init_set(H, G);
    const ckda_status st = cli_net_series(&w->net, H, letter, (const char *const *)name,
                                          n, w->series, &w->net_missing);
    if (st != CKDA_OK)
        ckda_group_clear(H);
    for (uint32_t x = 0; x < n; x++)
        free(name[x]);
    flint_free(name);
    flint_free(letter);
    if (st != CKDA_OK)
        return;
    w->result.net = w->net;
    ckda_net_explore(&w->net_closure, w->net, &w->o->limits);
    w->result.net_closure = &w->net_closure;
}

static void
layers(work *w)
{
    ckda_construct_result *r = &w->result;
    const uint32_t max =
        w->o->max_order > UINT32_MAX ? UINT32_MAX : (uint32_t)w->o->max_order;
    ckda_series_find(w->series, w->G, max);
    r->series = w->series;
    if (w->series->exists != CKDA_TRUE)
        return;
    compile_series(w);
    r->net_missing = r->net == NULL ? w->net_missing.text : NULL;
}

static ckda_status
search(work *w, ckda_error *err)
{
    ckda_construct_result *r = &w->result;
    if (ckda_isomorphism_find(w->isomorphism, w->G) == CKDA_OK) {
        r->isomorphism = w->isomorphism;
        return one_head(w, err);
    }
    if (w->o->construction != NULL) {
        ckda_error_set(err,
                       "%.200s: --construction is for groups isomorphic to a finite "
                       "subgroup of SO(3), and this one is not",
                       w->o->system);
        return CKDA_E_DOMAIN;
    }
    const uint32_t *letters = w->all_letters ? NULL : w->G->generator;
    if (ckda_obstruction_find(&w->obstruction, w->G, letters, w->G->ngen))
        r->obstruction = &w->obstruction;
    const ckda_status st = r->obstruction == NULL ? several_heads(w, err) : CKDA_OK;
    if (st == CKDA_OK)
        layers(w);
    return st;
}

static void
clear(work *w)
{
    const ckda_construct_result *r = &w->result;
    if (r->isomorphism != NULL)
        ckda_isomorphism_clear(w->isomorphism);
    if (r->single != NULL)
        ckda_construct_clear(w->single);
    if (r->heads != NULL)
        ckda_heads_clear(w->heads);
    if (r->series != NULL)
        ckda_series_clear(w->series);
    if (r->net != NULL) {
        ckda_net_closure_clear(&w->net_closure);
        ckda_net_close(&w->net);
    }
    json_decref(r->document);
    ckda_realize_closure_clear(&w->closure);
}

static bool
tracked(const ckda_construct_result *r)
{
    return (r->closure != NULL && r->closure->right == CKDA_TRUE)
           || (r->net != NULL && r->net_closure->right == CKDA_TRUE);
}

/* A tracker of one layer, else a network, and only if it was proved right. */
static ckda_status
write_output(work *w, ckda_error *err)
{
    ckda_construct_result *r = &w->result;
    const char *file = w->o->output;
    const bool one = r->closure != NULL && r->closure->right == CKDA_TRUE;
    if (file == NULL || !tracked(r) || (one && r->document == NULL))
        return CKDA_OK;
    json_t *document = one ? json_incref(r->document) : ckda_net_json(r->net);
    char *text = json_dumps(document, JSON_COMPACT);
    ckda_require_memory(text != NULL);
    json_decref(document);
    const ckda_status st = ckda_file_write(file, text, strlen(text), err);
    free(text);
    if (st == CKDA_OK)
        r->wrote = file;
    return st;
}

static int
exit_code(const ckda_construct_result *r)
{
    if (tracked(r))
        return EXIT_HOLDS;
    const bool no_layers = r->series != NULL && r->series->exists == CKDA_FALSE;
    return r->obstruction != NULL && no_layers ? EXIT_REFUTED : EXIT_UNDECIDED;
}

/* A tracker without its file is not what was asked for. */
static int
not_written(const ckda_construct_result *r, const char *file, int code)
{
    if (tracked(r))
        fprintf(stderr,
                "ckda: %s: not written, documents hold fields of degree at most %d\n",
                file, CKDA_INPUT_MAX_DEGREE);
    else
        fprintf(stderr, "ckda: %s: not written, nothing was proved right\n", file);
    return code == EXIT_HOLDS ? EXIT_UNDECIDED : code;
}

static int
construct_group(const options *o, const ckda_input_t in)
{
    ckda_error err;
    work w = {.o = o, .G = in->G, .all_letters = in->all_letters};
    w.result.system = o->system;
    w.result.G = in->G;
    ckda_error_clear(&err);
    ckda_status st = search(&w, &err);
    if (st == CKDA_OK)
        st = write_output(&w, &err);
    int code;
    if (st == CKDA_OK) {
        ckda_report_construct(stdout, o->json, &w.result);
        code = exit_code(&w.result);
        if (o->output != NULL && w.result.wrote == NULL)
            code = not_written(&w.result, o->output, code);
    } else {
        code = cli_fail(st, &err);
        code = st == CKDA_E_DOMAIN  ? EXIT_REFUTED
               : st == CKDA_E_INPUT ? EXIT_USAGE
                                    : code;
    }
    clear(&w);
    return code;
}

/* ---- letters of somebody's own ---------------------------------------------------------- */

static int
letters_code(const ckda_letters_result *r)
{
    for (uint32_t i = 0; i < r->nletters; i++)
        if (!r->letter[i].one->verified)
            return EXIT_REFUTED;
    return EXIT_HOLDS;
}

/* The matrices of an affine system, or the one matrix of another document. */
static int
construct_letters(const options *o, ckda_input_t in)
{
    static const char *const only[] = {"a"};
    const bool affine = in->kind == CKDA_INPUT_AFFINE;
    const uint32_t n = affine ? in->nletters : 1;
    ckda_letter_struct *letter = flint_malloc(n * sizeof *letter);
    ckda_letters_result r = {.system = o->system,
                             .K = in->K,
                             .n = in->n,
                             .name = affine ? (const char *const *)in->letter : only,
                             .letter = letter};
    ckda_error err;
    ckda_error_clear(&err);
    ckda_status st = CKDA_OK;
    for (; st == CKDA_OK && r.nletters < n; r.nletters += st == CKDA_OK) {
        ckda_mat_t A;
        if (affine)
            ckda_mat_init_set(A, in->linear + r.nletters, in->K);
        else
            st = ckda_input_matrix(A, in, &err);
        if (st != CKDA_OK)
            break;
        st = ckda_letter_find(letter + r.nletters, A, in->K);
        ckda_mat_clear(A, in->K);
    }
    if (st == CKDA_OK)
        ckda_report_letters(stdout, o->json, &r);
    const int code =
        st == CKDA_OK ? letters_code(&r) : cli_fail_on_file(st, o->system, &err);
    for (uint32_t i = 0; i < r.nletters; i++)
        ckda_letter_clear(letter + i, in->K);
    flint_free(letter);
    return code;
}

static int
construct(const options *o, ckda_input_t in)
{
    ckda_error err;
    if (in->kind == CKDA_INPUT_GROUP)
        return construct_group(o, in);
    if (in->kind == CKDA_INPUT_DFA || in->kind == CKDA_INPUT_WFA
        || in->kind == CKDA_INPUT_MAP) {
        ckda_error_set(
            &err,
            "%.200s: expected a group or orthogonal matrices, found a document "
            "of kind \"%s\"",
            o->system, ckda_input_kind_name(in->kind));
        return cli_fail(CKDA_E_INPUT, &err);
    }
    if (o->output != NULL || o->construction != NULL) {
        ckda_error_set(&err, "--output and --construction are for groups");
        return cli_fail_usage(&err);
    }
    return construct_letters(o, in);
}

int
cli_construct(int argc, char **argv)
{
    static const struct argp argp = {
        option_table,
        parse,
        "SYSTEM",
        "CKDA layers that track a finite group, each proved right on words of every "
        "length: one layer where the group is a finite subgroup of SO(3) or heads tell "
        "its "
        "elements apart, else the commutator that forbids it, and layers along a normal "
        "series.  SYSTEM is a built-in name or a file: permutations, a GAP list, a "
        "Cayley "
        "table.  For a file with matrices: is every letter one CKDA step, or how many "
        "does it take?\vExit code 0: something was built and proved right (matrices: "
        "every "
        "letter is one step); 1: proved impossible for one layer, and no series of such "
        "layers exists (matrices: some letter is not one step); 3: undecided.",
        NULL,
        NULL,
        NULL};
    options o = {.max_order = CKDA_SERIES_MAX_ORDER,
                 .limits = {.max_states = 10000000,
                            .max_bytes = UINT64_C(2) << 30,
                            .max_seconds = 60}};
    ckda_input_t in;
    ckda_error err;
    ckda_error_clear(&err);
    cli_parse(&argp, argc, argv, &o);
    if (cli_check_outputs(&o.output, 1, &err) != CKDA_OK)
        return cli_fail(CKDA_E_IO, &err);
    const ckda_status st = ckda_input_open_system(in, o.system, CKDA_INPUT_STRICT, &err);
    if (st != CKDA_OK) {
        const bool unknown = st == CKDA_E_INPUT && access(o.system, F_OK) != 0;
        if (unknown)
            cli_guess_system(&err, o.system);
        const int code = cli_fail(st, &err);
        return unknown ? EXIT_USAGE : code;
    }
    cli_charge_for_system(&o.limits, 1);
    const int code = construct(&o, in);
    ckda_input_clear(in);
    return code;
}
