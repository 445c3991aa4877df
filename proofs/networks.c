/* proofs/networks.c -- see networks.h. */
#include "networks.h"

#include <stdlib.h>
#include <string.h>

#include "ckda/input.h"
#include "ckda/ledger_net.h"
#include "maps.h"

#define TRY(call)                                                                        \
    do {                                                                                 \
        ckda_status try_status = (call);                                                 \
        if (try_status != CKDA_OK)                                                       \
            return try_status;                                                           \
    } while (0)

/* ---- reading ----------------------------------------------------------------------- */

static ckda_status
read_options(ckda_net_options *o, const ckda_node *at, ckda_error *err)
{
    static const char *const names[] = {"auto", "three", "series", "small", "window"};
    const char *name = "three";
    long block = 0;
    *o = (ckda_net_options){CKDA_NET_THREE, CKDA_FACTOR_PAPER, 0};
    if (ckda_node_has(at, "method"))
        TRY(ckda_node_get_string(&name, at, "method", err));
    if (ckda_node_has(at, "scheme"))
        TRY(maps_read_scheme(&o->scheme, at, err));
    if (ckda_node_has(at, "block"))
        TRY(ckda_node_get_long(&block, at, "block", 1, 200, err));
    o->block = block;
    for (int i = 0; i < 5; i++)
        if (strcmp(names[i], name) == 0) {
            o->method = (ckda_net_method)i;
            return CKDA_OK;
        }
    return ckda_node_fail(at, err, "a method: three, series, small or window", name);
}

static ckda_status
read_group(ckda_group_t G, const ckda_node *at, ckda_error *err)
{
    const char *name;
    bool all;
    if (json_is_object(at->json))
        return ckda_input_read_group(G, &all, at, err);
    TRY(ckda_node_string(&name, at, err));
    return ckda_group_init_named(G, name, err);
}

/* *element: the letters, *count of them. */
static ckda_status
read_letters(uint32_t **element, uint32_t *count, const ckda_group_t G,
             const ckda_node *at, ckda_error *err)
{
    ckda_node list, item;
    const char *text = "all";
    size_t n = 0;
    const bool listed = ckda_node_has(at, "letters")
                        && json_is_array(json_object_get(at->json, "letters"));
    if (listed) {
        TRY(ckda_node_member(&list, at, "letters", err));
        TRY(ckda_node_size(&n, &list, err));
    } else if (ckda_node_has(at, "letters"))
        TRY(ckda_node_get_string(&text, at, "letters", err));
    const bool all = strcmp(text, "all") == 0;
    *count = listed ? (uint32_t)n : all ? G->order : G->ngen;
    *element = flint_malloc((*count + 1u) * sizeof **element);
    for (uint32_t i = 0; i < *count; i++) {
        (*element)[i] = all ? i : listed ? 0 : G->generator[i];
        ckda_status st = CKDA_OK;
        if (listed && (st = ckda_node_item(&item, &list, i, err)) == CKDA_OK
            && (st = ckda_node_string(&text, &item, err)) == CKDA_OK)
            st = ckda_group_parse(*element + i, G, text, err);
        if (st != CKDA_OK) {
            flint_free(*element);
            return st;
        }
    }
    return CKDA_OK;
}

static ckda_status
compile_group(network *N, const ckda_node *at, const ckda_net_options *o, ckda_error *err)
{
    ckda_node group;
    ckda_group_t moved;
    uint32_t count;
    TRY(ckda_node_member(&group, at, "group", err));
    TRY(read_group(N->G, &group, err));
    ckda_status st = read_letters(&N->element, &count, N->G, at, err);
    if (st != CKDA_OK) {
        ckda_group_clear(N->G);
        return st;
    }
    st = read_group(moved, &group, err);
    if (st == CKDA_OK) {
        st = ckda_net_compile_group(&N->net, moved, N->element, NULL, count, o, err);
        if (st != CKDA_OK)
            ckda_group_clear(moved);
    }
    if (st != CKDA_OK) {
        flint_free(N->element);
        ckda_group_clear(N->G);
    }
    return st;
}

/* All n^n maps of n points as letters. */
static ckda_status
all_maps(ckda_dfa_t A, const ckda_node *at, ckda_error *err)
{
    long n;
    slong image[MAPS_MAX] = {0};
    uint32_t letters = 1, x = 0;
    TRY(ckda_node_get_long(&n, at, "maps", 1, 4, err));
    for (long i = 0; i < n; i++)
        letters *= (uint32_t)n;
    ckda_dfa_init(A, (uint32_t)n, letters);
    do {
        for (long i = 0; i < n; i++)
            A->next[x * (uint32_t)n + (uint32_t)i] = (uint32_t)image[i];
        x++;
    } while (maps_next(image, n));
    return CKDA_OK;
}

static ckda_status
compile_dfa(network *N, const ckda_node *at, const ckda_net_options *o, ckda_error *err)
{
    ckda_node dfa;
    if (ckda_node_has(at, "maps"))
        TRY(all_maps(N->dfa, at, err));
    else {
        TRY(ckda_node_member(&dfa, at, "dfa", err));
        TRY(ckda_input_read_dfa(N->dfa, &dfa, err));
    }
    const ckda_status st = ckda_net_compile_dfa(&N->net, N->dfa, o, err);
    if (st != CKDA_OK)
        ckda_dfa_clear(N->dfa);
    return st;
}

static ckda_status
compile_wfa(network *N, const ckda_node *at, const ckda_net_options *o, ckda_error *err)
{
    ckda_node wfa;
    TRY(ckda_node_member(&wfa, at, "wfa", err));
    TRY(ckda_input_read_wfa(N->wfa, &wfa, N->Q, err));
    const ckda_status st = ckda_net_compile_wfa(&N->net, N->wfa, N->Q, o, err);
    if (st != CKDA_OK)
        ckda_wfa_clear(N->wfa, N->Q);
    return st;
}

ckda_status
network_read(network *N, const ckda_node *at, ckda_error *err)
{
    static const char *const known[] = {"group", "letters", "dfa",    "maps",
                                        "wfa",   "method",  "scheme", "block"};
    ckda_net_options o;
    TRY(ckda_node_only(at, known, sizeof known / sizeof known[0], err));
    TRY(read_options(&o, at, err));
    ckda_field_init_rational(N->Q);
    ckda_status st;
    if (ckda_node_has(at, "group")) {
        N->kind = CKDA_NET_GROUP;
        st = compile_group(N, at, &o, err);
    } else if (ckda_node_has(at, "wfa")) {
        N->kind = CKDA_NET_WFA;
        st = compile_wfa(N, at, &o, err);
    } else {
        N->kind = CKDA_NET_DFA;
        st = compile_dfa(N, at, &o, err);
    }
    if (st != CKDA_OK) {
        ckda_field_clear(N->Q);
        return st;
    }
    const uint32_t n = ckda_net_letters(N->net);
    N->name = flint_malloc((n + 1u) * sizeof *N->name);
    for (uint32_t x = 0; x < n; x++)
        N->name[x] = ckda_net_letter_name(N->net, x);
    return CKDA_OK;
}

void
network_clear(network *N)
{
    ckda_net_close(&N->net);
    flint_free(N->name);
    if (N->kind == CKDA_NET_GROUP) {
        flint_free(N->element);
        ckda_group_clear(N->G);
    } else if (N->kind == CKDA_NET_DFA)
        ckda_dfa_clear(N->dfa);
    else
        ckda_wfa_clear(N->wfa, N->Q);
    ckda_field_clear(N->Q);
}

void
network_text(char *text, size_t size, const network *N)
{
    char what[64];
    if (N->kind == CKDA_NET_GROUP)
        snprintf(what, sizeof what, "group of order %u", N->G->order);
    else if (N->kind == CKDA_NET_DFA)
        snprintf(what, sizeof what, "DFA with %u states", N->dfa->states);
    else
        snprintf(what, sizeof what, "WFA with %ld states", (long)N->wfa->n);
    snprintf(text, size, "%s, %s, %u letters, blocks of %ld", what,
             ckda_net_construction(N->net), ckda_net_letters(N->net),
             (long)ckda_net_block(N->net));
}

long
network_head(const network *N, const char *name)
{
    for (uint32_t h = 0; h < ckda_net_heads(N->net); h++)
        if (strcmp(ckda_net_get_head(N->net, h)->name, name) == 0)
            return (long)h;
    return -1;
}

/* ---- words ------------------------------------------------------------------------- */

/* w = the text's letters, `times` times over. */
static ckda_status
repeat(ckda_word_t w, const network *N, const char *text, long times, ckda_rand *r,
       ckda_error *err)
{
    ckda_word_t one;
    TRY(ckda_word_parse_names(one, N->name, ckda_net_letters(N->net), text, r, err));
    w->length = one->length * (size_t)times;
    w->letter = malloc((w->length + 1) * sizeof *w->letter);
    ckda_require_memory(w->letter != NULL);
    for (size_t i = 0; i < w->length; i++)
        w->letter[i] = one->letter[i % one->length];
    ckda_word_clear(one);
    return CKDA_OK;
}

ckda_status
network_word(ckda_word_t w, const network *N, const ckda_node *at, ckda_rand *r,
             ckda_error *err)
{
    const char *text;
    char draw[32];
    long times = 1, length;
    if (json_is_string(at->json)) {
        TRY(ckda_node_string(&text, at, err));
        return repeat(w, N, text, 1, r, err);
    }
    if (ckda_node_has(at, "random")) {
        TRY(ckda_node_get_long(&length, at, "random", 0, 100000, err));
        snprintf(draw, sizeof draw, "random:%ld", length);
        return repeat(w, N, draw, 1, r, err);
    }
    TRY(ckda_node_get_string(&text, at, "repeat", err));
    TRY(ckda_node_get_long(&times, at, "times", 1, 100000, err));
    return repeat(w, N, text, times, r, err);
}

char *
network_word_text(const network *N, const ckda_word_t w)
{
    const size_t shown = w->length < 60 ? w->length : 60;
    size_t size = 8, used = 0;
    for (size_t i = 0; i < shown; i++)
        size += strlen(N->name[w->letter[i]]) + 1;
    char *text = flint_malloc(size);
    text[0] = '\0';
    for (size_t i = 0; i < shown; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? " " : "",
                                 N->name[w->letter[i]]);
    if (shown < w->length)
        snprintf(text + used, size - used, " ...");
    return text;
}

/* ---- walking ----------------------------------------------------------------------- */

void
network_rational(fmpq_t q, const ckda_elem_struct *x, const ckda_field_t K)
{
    fmpq_poly_t f;
    fmpq_poly_init(f);
    ckda_elem_get_fmpq_poly(f, x, K);
    fmpq_poly_get_coeff_fmpq(q, f, 0);
    fmpq_poly_clear(f);
}

static void
read_number(network_walk *w)
{
    ckda_elem_t y;
    fmpq_t number; /* of our own: at -O3 gcc 12 takes the member for too short */
    ckda_elem_init(y, w->N->Q);
    fmpq_init(number);
    ckda_wfa_read(y, w->N->wfa, w->vector, w->N->Q);
    network_rational(number, y, w->N->Q);
    fmpq_swap(w->number, number);
    fmpq_clear(number);
    ckda_elem_clear(y, w->N->Q);
}

void
network_walk_init(network_walk *w, const network *N)
{
    const uint32_t heads = ckda_net_heads(N->net);
    w->N = N;
    w->r = 0;
    w->H = flint_malloc(heads * sizeof *w->H);
    w->o = flint_malloc(heads * sizeof *w->o);
    w->step = flint_malloc(heads * sizeof *w->step);
    for (uint32_t h = 0; h < heads; h++) {
        const ckda_net_head *d = ckda_net_get_head(N->net, h);
        ckda_mat_init_set(w->H + h, d->initial, d->K);
        ckda_mat_init(w->o + h, d->m, d->h, d->K);
        ckda_net_step_init(w->step + h, d->n, d->m, d->h, d->s, d->K);
    }
    ckda_net_output_init(&w->said);
    w->index = N->kind == CKDA_NET_DFA ? N->dfa->start : 0;
    fmpq_init(w->number);
    if (N->kind == CKDA_NET_WFA) {
        ckda_mat_init_set(w->vector, N->wfa->initial, N->Q);
        read_number(w);
    }
}

void
network_walk_clear(network_walk *w)
{
    for (uint32_t h = 0; h < ckda_net_heads(w->N->net); h++) {
        const ckda_net_head *d = ckda_net_get_head(w->N->net, h);
        ckda_mat_clear(w->H + h, d->K);
        ckda_mat_clear(w->o + h, d->K);
        ckda_net_step_clear(w->step + h, d->K);
    }
    flint_free(w->H);
    flint_free(w->o);
    flint_free(w->step);
    ckda_net_output_clear(&w->said);
    fmpq_clear(w->number);
    if (w->N->kind == CKDA_NET_WFA)
        ckda_mat_clear(w->vector, w->N->Q);
}

static void
product_step(network_walk *w, uint32_t letter)
{
    const network *N = w->N;
    if (N->kind == CKDA_NET_GROUP)
        w->index = ckda_group_mul(N->G, N->element[letter], w->index);
    else if (N->kind == CKDA_NET_DFA)
        w->index = ckda_dfa_step(N->dfa, w->index, letter);
    else {
        ckda_wfa_step(w->vector, N->wfa, letter, N->Q);
        read_number(w);
    }
}

bool
network_walk_step(network_walk *w, uint32_t letter, ckda_error *err)
{
    const ckda_net *net = w->N->net;
    const ckda_mat_struct *below[8];
    slong r = 0;
    ckda_require(ckda_net_heads(net) <= 8, "%u heads", ckda_net_heads(net));
    product_step(w, letter);
    for (uint32_t l = 0; l < ckda_net_layers(net); l++) {
        uint32_t first, at;
        const uint32_t heads = ckda_net_layer_heads(&first, net, l);
        const uint32_t nbelow = l > 0 ? ckda_net_layer_heads(&at, net, l - 1) : 0;
        for (uint32_t i = 0; i < nbelow; i++)
            below[i] = w->o + at + i;
        const ckda_net_signal in = {below, r, letter};
        if (ckda_net_lookup(w->step + first, &r, net, l, &in, err) != CKDA_OK)
            return false;
        for (uint32_t h = first; h < first + heads; h++)
            ckda_net_recur(w->H + h, w->o + h, w->step + h, ckda_net_get_head(net, h)->K);
    }
    uint32_t first;
    const uint32_t heads = ckda_net_layer_heads(&first, net, ckda_net_layers(net) - 1);
    for (uint32_t i = 0; i < heads; i++)
        below[i] = w->o + first + i;
    w->r = r;
    ckda_net_decode(&w->said, net, below, r);
    return true;
}

bool
network_walk_right(const network_walk *w)
{
    if (!w->said.valid)
        return false;
    return w->N->kind == CKDA_NET_WFA ? fmpq_equal(w->said.number, w->number) != 0
                                      : w->said.index == w->index;
}

static void
fact_number(ckda_evidence *ev, const char *key, const fmpq_t q)
{
    char *text = fmpq_get_str(NULL, 10, q);
    ckda_evidence_fact(ev, key, "%s", text);
    flint_free(text);
}

void
network_walk_blame(ckda_evidence *ev, const network_walk *w)
{
    char *got = ckda_net_output_str(w->N->net, &w->said);
    ckda_evidence_fact(ev, "got", "%s", got);
    free(got);
    if (w->N->kind == CKDA_NET_WFA)
        fact_number(ev, "want", w->number);
    else if (w->N->kind == CKDA_NET_DFA)
        ckda_evidence_fact(ev, "want", "%u", w->index);
    else {
        char *want = ckda_perm_str(w->N->G->element + w->index);
        ckda_evidence_fact(ev, "want", "%s", want);
        free(want);
    }
}

ckda_status
ckda_ledger_network(ckda_net **net, const ckda_node *at, ckda_error *err)
{
    network N;
    TRY(network_read(&N, at, err));
    *net = N.net;
    N.net = NULL;
    network_clear(&N);
    return CKDA_OK;
}
