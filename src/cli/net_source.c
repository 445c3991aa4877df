/* From what the command line names to a network. */
#include "net_source.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "ckda/input.h"
#include "ckda/subgroup.h"

static const struct {
    const char *name;
    ckda_net_method method;
} methods[] = {{"two-layer", CKDA_NET_AUTO},
               {"three-layer", CKDA_NET_THREE},
               {"series", CKDA_NET_SERIES},
               {"small", CKDA_NET_SMALL},
               {"window", CKDA_NET_WINDOW}};

bool
cli_net_method(ckda_net_method *method, const char *construction)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (strcmp(methods[i].name, construction) == 0) {
            *method = methods[i].method;
            return true;
        }
    return false;
}

bool
cli_net_scheme(cli_net_source *s, const char *text)
{
    const bool is_short = strcmp(text, "short") == 0;
    s->has_scheme = is_short || strcmp(text, "paper") == 0;
    s->scheme = is_short ? CKDA_FACTOR_SHORT : CKDA_FACTOR_PAPER;
    return s->has_scheme;
}

bool
cli_net_block(cli_net_source *s, const char *text)
{
    uint64_t n;
    if (!cli_read_count(&n, text) || n < 1 || n > 2000)
        return false;
    s->block = (slong)n;
    return true;
}

void
cli_net_check_construction(const char *name, struct argp_state *state)
{
    enum { METHODS = sizeof methods / sizeof *methods };
    const char *names[METHODS + 1] = {NULL};
    for (size_t i = 0; i < METHODS; i++)
        names[i] = methods[i].name;
    cli_check_construction(name, names, state);
}

static ckda_net_options
options_of(const cli_net_source *s, ckda_net_method method)
{
    ckda_net_options o = {method, s->scheme, s->block};
    /* two layers leave room for two factors only */
    if (!s->has_scheme && method != CKDA_NET_THREE)
        o.scheme = CKDA_FACTOR_SHORT;
    return o;
}

/* ---- groups ------------------------------------------------------------------------ */

typedef struct {
    uint32_t *element, n;
    const char *const *name; /* NULL: cycles */
} letters;

static letters
letters_of(const ckda_group_t G, bool all)
{
    const uint32_t n = all ? G->order : G->ngen;
    letters l = {flint_malloc((n + 1) * sizeof(uint32_t)), n, NULL};
    for (uint32_t x = 0; x < n; x++)
        l.element[x] = all ? x : G->generator[x];
    return l;
}

/* The generators' names, which must outlive the group that moves. */
static char **
copy_names(const ckda_group_t G)
{
    char **name = flint_malloc((G->ngen + 1) * sizeof *name);
    for (uint32_t x = 0; x < G->ngen; x++) {
        const size_t len = strlen(G->genname[x]) + 1;
        name[x] = memcpy(flint_malloc(len), G->genname[x], len);
    }
    return name;
}

static void
free_names(char **name, uint32_t n)
{
    for (uint32_t x = 0; x < n; x++)
        flint_free(name[x]);
    flint_free(name);
}

/* What the message about an unknown construction cannot know. */
static void
also_layers(ckda_error *err)
{
    const ckda_error old = *err;
    ckda_error_set(err, "%.900s (or of three-layer, two-layer, series, small, window)",
                   old.text);
}

/* One layer: a construction of the group. */
static ckda_status
one_layer(ckda_net **net, ckda_input_t in, const cli_net_source *s, const letters *l,
          ckda_error *err)
{
    ckda_construction_t c;
    char kind;
    uint32_t number;
    ckda_status st;
    const bool named = ckda_group_name_split(&kind, &number, s->system);
    if (named)
        st = ckda_construct(c, s->system, s->construction, err);
    else if (in->nheads > 0 && s->construction == NULL)
        st = ckda_input_tracker(c, in, err); /* the document's own transitions */
    else
        st = ckda_construct_generated(c, in->G, s->construction, err);
    if (st != CKDA_OK && !named)
        cli_name_file(err, s->system);
    if (st == CKDA_E_INPUT)
        also_layers(err);
    if (st != CKDA_OK)
        return st;
    st = ckda_net_construction_net(net, c, l->element, l->name, l->n, err);
    if (st != CKDA_OK)
        ckda_construct_clear(c);
    return st;
}

/* ---- series ------------------------------------------------------------------------ */

ckda_status
cli_net_series(ckda_net **net, ckda_group_t G, const uint32_t *element,
               const char *const *names, uint32_t n, const ckda_series_t s,
               ckda_error *err)
{
    ckda_require(s->exists == CKDA_TRUE && s->nlayers > 0, "no series");
    const bool **chain = flint_malloc(s->nlayers * sizeof *chain);
    for (uint32_t i = 1; i < s->nlayers; i++)
        chain[i - 1] = s->layer[i].in;
    const ckda_status st =
        ckda_net_compile_series(net, G, element, names, n, chain, s->nlayers - 1, err);
    flint_free(chain);
    return st;
}

/* Two layers if there are any, else the shortest series that there is.  err says why there
 * are no two. */
static ckda_status
by_series(ckda_net **net, ckda_group_t G, const letters *l, const ckda_net_options *o,
          ckda_error *err)
{
    ckda_series_t s;
    ckda_status st = ckda_net_compile_group(net, G, l->element, l->name, l->n, o, err);
    if (st != CKDA_E_DOMAIN && st != CKDA_E_UNABLE)
        return st;
    ckda_series_find(s, G, CKDA_SERIES_MAX_ORDER);
    if (s->exists == CKDA_TRUE)
        st = cli_net_series(net, G, l->element, l->name, l->n, s, err);
    else if (s->exists == CKDA_FALSE)
        ckda_error_set(err,
                       "series: %s has none with factors inside SO(3), one composition "
                       "factor being simple of order %u",
                       G->name, s->obstacle);
    else
        st = CKDA_E_UNABLE;
    ckda_series_clear(s);
    return st;
}

/* ---- several heads ----------------------------------------------------------------- */

/* What the decoder of several heads may list. */
static const ckda_limits joint_limits = {
    .max_states = 1000000, .max_bytes = UINT64_C(2) << 30, .max_seconds = 60};

/* The graph of joint states, or why there is no decoder. */
static ckda_status
close_heads(ckda_reach_t r, const ckda_input_system_t sys, const char *system,
            ckda_error *err)
{
    const ckda_status st =
        ckda_reach_run(r, sys->sys, &joint_limits, CKDA_REACH_KEEP_GRAPH, err);
    if (st != CKDA_OK || r->finite == CKDA_TRUE)
        return st;
    const bool infinite = r->finite == CKDA_FALSE;
    if (infinite)
        ckda_error_set(
            err,
            "%.200s: the heads have infinitely many joint states (%.300s), so "
            "no table decodes them; expected a finite tracker, see `ckda reach'",
            system, r->pump.reason);
    else
        ckda_error_set(err,
                       "%.200s: limit on %s reached after %" PRIu64
                       " joint states; expected few enough for a decoder's table",
                       system, r->limit, r->states);
    ckda_reach_clear(r);
    return infinite ? CKDA_E_DOMAIN : CKDA_E_UNABLE;
}

/* The document's own transitions in several heads, with a decoder of their joint states. */
static ckda_status
several_heads(ckda_net **net, const cli_net_source *s, const letters *l, ckda_error *err)
{
    ckda_input_system_t sys;
    ckda_reach_t r;
    ckda_group_t G;
    ckda_status st = ckda_input_system_open(sys, s->system, NULL, err);
    if (st != CKDA_OK)
        return st;
    st = close_heads(r, sys, s->system, err);
    if (st == CKDA_OK) {
        ckda_group_init_set(G, sys->in->G);
        st = ckda_net_heads_net(net, G, l->element, l->name, l->n, sys->in->trans,
                                sys->in->nheads, sys->in->K, r, err);
        if (st != CKDA_OK)
            ckda_group_clear(G);
        ckda_reach_clear(r);
    }
    ckda_input_system_clear(sys);
    return st;
}

static ckda_status
from_group(ckda_net **net, ckda_input_t in, const cli_net_source *s, ckda_error *err)
{
    ckda_net_method method = CKDA_NET_THREE;
    const uint32_t ngen = in->G->ngen;
    letters l = letters_of(in->G, in->all_letters);
    char **names = copy_names(in->G);
    if (!in->all_letters)
        l.name = (const char *const *)names;
    ckda_status st;
    if (s->construction == NULL && in->nheads > 1) {
        st = several_heads(net, s, &l, err);
    } else if (s->construction == NULL || !cli_net_method(&method, s->construction)) {
        st = one_layer(net, in, s, &l, err);
    } else {
        const ckda_net_options o = options_of(s, method);
        st = method == CKDA_NET_SERIES
                 ? by_series(net, in->G, &l, &o, err)
                 : ckda_net_compile_group(net, in->G, l.element, l.name, l.n, &o, err);
    }
    free_names(names, ngen);
    flint_free(l.element);
    return st;
}

/* ---- automata --------------------------------------------------------------------- */

static ckda_status
from_automaton(ckda_net **net, ckda_input_t in, const cli_net_source *s, ckda_error *err)
{
    ckda_net_method method = CKDA_NET_THREE;
    if (s->construction != NULL && !cli_net_method(&method, s->construction)) {
        ckda_error_set(err,
                       "construction: expected three-layer, two-layer or window for an "
                       "automaton, found \"%.60s\"",
                       s->construction);
        return CKDA_E_INPUT;
    }
    const ckda_net_options o = options_of(s, method);
    if (in->kind == CKDA_INPUT_DFA)
        return ckda_net_compile_dfa(net, in->dfa, &o, err);
    return ckda_net_compile_wfa(net, in->wfa, in->K, &o, err);
}

static ckda_status
from_system(ckda_net **net, const cli_net_source *s, ckda_error *err)
{
    ckda_input_t in;
    ckda_status st = ckda_input_open_system(
        in, s->system, s->dead_state ? CKDA_INPUT_DEAD_STATE : CKDA_INPUT_STRICT, err);
    if (st != CKDA_OK)
        return st;
    if (in->kind == CKDA_INPUT_GROUP) {
        st = from_group(net, in, s, err);
    } else if (in->kind == CKDA_INPUT_DFA || in->kind == CKDA_INPUT_WFA) {
        st = from_automaton(net, in, s, err);
    } else {
        ckda_error_set(err,
                       "%.200s: expected a group, a finite automaton or a weighted "
                       "automaton, found a document of kind \"%s\"",
                       s->system, ckda_input_kind_name(in->kind));
        st = CKDA_E_INPUT;
    }
    /* a group that moved into the network is empty now */
    in->has_group = in->has_group && in->G->order > 0;
    ckda_input_clear(in);
    return st;
}

/* ---- network files ---------------------------------------------------------------- */

/* Is it a JSON file with a member "schema"?  Then *doc is open. */
static bool
is_network(ckda_doc **doc, const char *file)
{
    char kind;
    uint32_t number;
    if (ckda_group_name_split(&kind, &number, file) || access(file, F_OK) != 0
        || ckda_doc_open(doc, file, NULL) != CKDA_OK)
        return false;
    const ckda_node root = ckda_doc_root(*doc);
    if (ckda_node_has(&root, "schema"))
        return true;
    ckda_doc_close(doc);
    return false;
}

static int
failed(ckda_status st, const cli_net_source *s, const ckda_error *err)
{
    const int code = cli_fail(st, err);
    const bool automatic =
        s->construction != NULL && strcmp(s->construction, "two-layer") == 0;
    if (st == CKDA_E_DOMAIN)
        return automatic ? EXIT_UNDECIDED : EXIT_REFUTED;
    char kind;
    uint32_t number;
    const bool named = ckda_group_name_split(&kind, &number, s->system);
    if (st == CKDA_E_INPUT && (named || access(s->system, F_OK) != 0))
        return EXIT_USAGE;
    return code;
}

int
cli_net_open(ckda_net **net, const cli_net_source *s)
{
    ckda_doc *doc = NULL;
    ckda_error err;
    ckda_status st;
    ckda_error_clear(&err);
    if (!is_network(&doc, s->system)) {
        st = from_system(net, s, &err);
        if (st == CKDA_E_INPUT)
            cli_guess_system(&err, s->system);
        return st == CKDA_OK ? EXIT_HOLDS : failed(st, s, &err);
    }
    if (!s->networks || s->construction != NULL || s->has_scheme || s->block > 0) {
        ckda_doc_close(&doc);
        ckda_error_set(&err, "%.200s is a network already: %s", s->system,
                       s->networks
                           ? "it takes no construction, factoriser or block length"
                           : "expected a group or an automaton");
        return cli_fail_usage(&err);
    }
    const ckda_node root = ckda_doc_root(doc);
    st = ckda_net_read(net, &root, &err);
    ckda_doc_close(&doc);
    return st == CKDA_OK ? EXIT_HOLDS : cli_fail(st, &err);
}
