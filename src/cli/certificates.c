/* Certificates of claims.
 *
 * The closures are searched again here, from the claim's own input: the check that decided
 * the claim stays free of files, and what a file says is checked by ckda-recheck anyway. */
#include "certificates.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "ckda/cert.h"
#include "ckda/construct.h"
#include "ckda/doc.h"
#include "ckda/factor.h"
#include "ckda/input.h"
#include "ckda/ledger_net.h"

/* Permutations of so many points; of maps one point less. */
enum { MOST_POINTS = 6 };

/* FOLDER/ID.cert, whatever characters an id may hold. */
static char *
file_name(const char *folder, const char *id, const char *end)
{
    const size_t size = strlen(folder) + strlen(id) + strlen(end) + 2;
    char *name = flint_malloc(size);
    const int n = snprintf(name, size, "%s/", folder);
    char *c = name + n;
    for (; *id != '\0'; id++)
        *c++ = isalnum((unsigned char)*id) || strchr(".-_", *id) != NULL ? *id : '_';
    strcpy(c, end);
    return name;
}

static char **
letter_names(const ckda_group_struct *G)
{
    char **name = flint_malloc(G->order * sizeof *name);
    for (uint32_t g = 0; g < G->order; g++)
        name[g] = ckda_perm_str(&G->element[g]);
    return name;
}

static ckda_status
add_closure(ckda_cert_writer *w, const char *id, const ckda_construction_t c,
            ckda_cert_about *about, ckda_error *err)
{
    ckda_system_t sys;
    ckda_reach_t r;
    static const ckda_limits limits = {.max_states = 1000000,
                                       .max_bytes = (uint64_t)1 << 30};
    ckda_system_init_construct(sys, c);
    ckda_status st = ckda_reach_run(r, sys, &limits, CKDA_REACH_KEEP_GRAPH, err);
    if (st == CKDA_OK) {
        char **name = letter_names(c->G);
        about->claim = id;
        about->letter = (const char *const *)name;
        st = ckda_cert_add_construction(w, about, c, sys, r, err);
        for (uint32_t g = 0; g < c->G->order; g++)
            free(name[g]);
        flint_free(name);
        ckda_reach_clear(r);
    }
    ckda_system_clear(sys);
    return st;
}

static ckda_status
add_row(ckda_cert_writer *w, const char *id, const ckda_node *row, ckda_error *err)
{
    ckda_construction_t c;
    ckda_cert_about about = {NULL, NULL, NULL, NULL};
    ckda_status st = ckda_node_get_string(&about.system, row, "system", err);
    if (st == CKDA_OK)
        st = ckda_node_get_string(&about.construction, row, "construction", err);
    if (st == CKDA_OK)
        st = ckda_construct(c, about.system, about.construction, err);
    if (st != CKDA_OK)
        return st;
    st = add_closure(w, id, c, &about, err);
    ckda_construct_clear(c);
    return st;
}

/* ---- networks --------------------------------------------------------------------------- */

static ckda_status
add_network(ckda_cert_writer *w, const char *id, const ckda_node *row, ckda_error *err)
{
    ckda_node at;
    ckda_net *net;
    ckda_net_closure c;
    static const ckda_limits limits = {.max_states = 2000000};
    ckda_status st = ckda_node_member(&at, row, "network", err);
    if (st == CKDA_OK)
        st = ckda_ledger_network(&net, &at, err);
    if (st != CKDA_OK)
        return st;
    const ckda_cert_about about = {.claim = id,
                                   .construction = ckda_net_construction(net)};
    ckda_net_graph *g = ckda_net_explore_graph(&c, net, &limits);
    if (g != NULL) {
        st = ckda_cert_add_network(w, &about, net, g, err);
    } else {
        ckda_error_set(err, "%s: the graph of joint states did not close", id);
        st = CKDA_E_DOMAIN;
    }
    ckda_net_graph_close(&g);
    ckda_net_closure_clear(&c);
    ckda_net_close(&net);
    return st;
}

/* ---- products ---------------------------------------------------------------------------- */

/* {"diagonal", "u", "v"}: as `ckda decompose' does. */
static ckda_status
add_decomposition(ckda_cert_writer *w, const char *id, const ckda_node *row,
                  ckda_error *err)
{
    ckda_node vector;
    ckda_dpr1_t d;
    ckda_field_t Q;
    ckda_decomposition_t dec;
    const ckda_cert_about about = {.claim = id};
    ckda_elem_struct *v[3] = {NULL, NULL, NULL};
    static const char *const keys[] = {"diagonal", "u", "v"};
    slong n[3] = {0, 0, 0};
    ckda_status st = CKDA_OK;
    ckda_field_init_rational(Q);
    for (int k = 0; st == CKDA_OK && k < 3; k++) {
        st = ckda_node_member(&vector, row, keys[k], err);
        if (st == CKDA_OK)
            st = ckda_input_read_vector(v + k, n + k, &vector, k > 0 ? n[0] : -1, Q, err);
    }
    if (st == CKDA_OK) {
        *d = (ckda_dpr1_struct){n[0], v[0], v[1], v[2]};
        ckda_decomposition_init(dec, Q);
        st = ckda_decompose_dpr1(dec, d, Q);
        if (st == CKDA_OK)
            st = ckda_cert_add_decomposition(w, &about, dec, Q, err);
        ckda_decomposition_clear(dec, Q);
    }
    for (int k = 0; k < 3; k++)
        if (v[k] != NULL)
            ckda_input_free_vector(v[k], n[k], Q);
    ckda_field_clear(Q);
    return st;
}

static ckda_factor_scheme
scheme_of(const ckda_claim *claim)
{
    const char *name = json_string_value(json_object_get(claim->input, "scheme"));
    return name != NULL && strcmp(name, "paper") == 0 ? CKDA_FACTOR_PAPER
                                                      : CKDA_FACTOR_SHORT;
}

/* A rational matrix with scratch coordinates. */
static ckda_status
add_rational(ckda_cert_writer *w, const ckda_claim *claim, const ckda_node *row,
             ckda_error *err)
{
    ckda_field_t Q;
    ckda_mat_t M;
    ckda_factors_t f;
    const ckda_cert_about about = {.claim = claim->id};
    const ckda_factor_scheme scheme = scheme_of(claim);
    ckda_field_init_rational(Q);
    ckda_status st = ckda_input_read_square(M, row, Q, err);
    if (st == CKDA_OK) {
        ckda_factors_init(f, 2 * M->rows + (scheme == CKDA_FACTOR_PAPER ? 1 : 0), Q);
        st = ckda_factor_rational(f, M, scheme, Q);
        if (st == CKDA_OK)
            ckda_cert_add_factors(w, &about, M, f, 1, Q);
        ckda_factors_clear(f, Q);
        ckda_mat_clear(M, Q);
    }
    ckda_field_clear(Q);
    return st;
}

/* The next of all maps of n points, or of all permutations; false after the last. */
static bool
next_map(slong *image, slong n, bool permutations)
{
    bool again = true;
    while (again) {
        slong i = 0;
        while (i < n && ++image[i] == n)
            image[i++] = 0;
        if (i == n)
            return false;
        again = false;
        for (slong a = 0; a < n && permutations; a++)
            for (slong b = 0; b < a; b++)
                again = again || image[a] == image[b];
    }
    return true;
}

/* All maps of n points, or all permutations: one part. */
static void
add_maps(ckda_cert_writer *w, const ckda_claim *claim, slong n, bool permutations)
{
    slong image[MOST_POINTS] = {0};
    const ckda_cert_about about = {.claim = claim->id};
    uint32_t count = 0, room = 0;
    ckda_mat_struct *M = NULL;
    ckda_factors_struct *f = NULL;
    ckda_field_t Q;
    ckda_field_init_rational(Q);
    bool more = !permutations || n == 1 || next_map(image, n, permutations);
    for (; more; more = next_map(image, n, permutations), count++) {
        if (count == room) {
            room = 2 * room + 16;
            M = flint_realloc(M, room * sizeof *M);
            f = flint_realloc(f, room * sizeof *f);
        }
        ckda_mat_init(M + count, n, n, Q);
        ckda_factors_init(f + count, n, Q);
        const ckda_status st = ckda_mat_set_map(M + count, image, n, Q);
        ckda_require(st == CKDA_OK
                         && ckda_factor_map(f + count, image, scheme_of(claim), Q)
                                == CKDA_OK,
                     "images lie within the points");
    }
    ckda_cert_add_factors(w, &about, M, f, count, Q);
    for (uint32_t i = 0; i < count; i++) {
        ckda_mat_clear(M + i, Q);
        ckda_factors_clear(f + i, Q);
    }
    flint_free(M);
    flint_free(f);
    ckda_field_clear(Q);
}

/* ---- which claims, and what of them -------------------------------------------------------- */

typedef enum {
    REACH,
    NETWORKS,
    DECOMPOSITIONS,
    RATIONAL,
    MAPS,
    PERMUTATIONS
} source_kind;

/* The checks whose statement has a finite core that is listed in the input. */
static const struct {
    const char *check, *key;
    source_kind kind;
} sources[] = {{"reach_table", "rows", REACH},
               {"net_closure", "networks", NETWORKS},
               {"thm1_forward", "examples", DECOMPOSITIONS},
               {"rational_program", "matrices", RATIONAL},
               {"map_factors", "n", MAPS},
               {"short_map_factors", "all", MAPS},
               {"permutation_swaps", "n", PERMUTATIONS},
               {"permutation_minimal", "n", PERMUTATIONS}};

enum { SOURCES = sizeof sources / sizeof *sources };

/* Index into sources, or SOURCES. */
static size_t
source_of(const ckda_claim *claim)
{
    size_t i = 0;
    if (claim->status != CKDA_CHECKED)
        return SOURCES;
    while (i < SOURCES && strcmp(claim->check_name, sources[i].check) != 0)
        i++;
    return i < SOURCES && json_object_get(claim->input, sources[i].key) != NULL ? i
                                                                                : SOURCES;
}

static bool
has_certificate(const ckda_outcome *o)
{
    return o->truth == CKDA_TRUE && source_of(o->claim) < SOURCES;
}

/* Item i of the list; false: it has no certificate (a network of a weighted automaton). */
static bool
is_listed(const json_t *rows, size_t i)
{
    const json_t *network = json_object_get(json_array_get(rows, i), "network");
    return json_object_get(network, "wfa") == NULL;
}

/* Points of the maps of part i; 0: there is no such part. */
static slong
map_points(const json_t *in, const char *key, size_t i, bool permutations)
{
    const json_t *range = json_object_get(in, key);
    const json_int_t most = permutations ? MOST_POINTS : MOST_POINTS - 1;
    json_int_t first = 1, last = 0;
    if (json_is_array(range))
        last = (json_int_t)json_array_size(range);
    else {
        first = json_integer_value(json_object_get(range, "from"));
        last = json_integer_value(json_object_get(range, "to"));
    }
    const json_int_t n = first + (json_int_t)i;
    return n <= last && n <= most ? (slong)n : 0;
}

static size_t
count_parts(const ckda_claim *claim, size_t source)
{
    const char *key = sources[source].key;
    const json_t *rows = json_object_get(claim->input, key);
    const source_kind kind = sources[source].kind;
    size_t parts = 0;
    if (kind == MAPS || kind == PERMUTATIONS) {
        while (map_points(claim->input, key, parts, kind == PERMUTATIONS) > 0)
            parts++;
        return parts;
    }
    for (size_t i = 0; i < json_array_size(rows); i++)
        parts += is_listed(rows, i);
    return parts;
}

static ckda_status
add_item(ckda_cert_writer *w, const ckda_claim *claim, source_kind kind,
         const ckda_node *row, ckda_error *err)
{
    switch (kind) {
    case REACH:
        return add_row(w, claim->id, row, err);
    case NETWORKS:
        return add_network(w, claim->id, row, err);
    case DECOMPOSITIONS:
        return add_decomposition(w, claim->id, row, err);
    default:
        return add_rational(w, claim, row, err);
    }
}

static ckda_status
add_parts(ckda_cert_writer *w, const ckda_claim *claim, size_t source, size_t parts,
          const ckda_node *root, ckda_error *err)
{
    const char *key = sources[source].key;
    const source_kind kind = sources[source].kind;
    ckda_node rows, row;
    if (kind == MAPS || kind == PERMUTATIONS) {
        for (size_t i = 0; i < parts; i++)
            add_maps(w, claim, map_points(claim->input, key, i, kind == PERMUTATIONS),
                     kind == PERMUTATIONS);
        return CKDA_OK;
    }
    ckda_status st = ckda_node_member(&rows, root, key, err);
    for (size_t i = 0; st == CKDA_OK && i < json_array_size(rows.json); i++) {
        if (!is_listed(rows.json, i))
            continue;
        st = ckda_node_item(&row, &rows, i, err);
        if (st == CKDA_OK)
            st = add_item(w, claim, kind, &row, err);
    }
    return st;
}

/* *parts: how many the file holds. */
static ckda_status
write_claim(size_t *parts, const char *path, const ckda_claim *claim, ckda_error *err)
{
    ckda_doc *doc = ckda_doc_wrap(claim->input, claim->id);
    const ckda_node root = ckda_doc_root(doc);
    const size_t source = source_of(claim);
    ckda_cert_writer *w = NULL;
    ckda_status st = CKDA_OK;
    *parts = count_parts(claim, source);
    if (*parts == 0)
        st = ckda_node_fail(&root, err, "a list with at least one item", NULL);
    if (st == CKDA_OK)
        st = ckda_cert_open(&w, path, (uint32_t)*parts, err);
    if (st == CKDA_OK)
        st = add_parts(w, claim, source, *parts, &root, err);
    if (st == CKDA_OK)
        st = ckda_cert_close(&w, err);
    ckda_cert_abandon(&w);
    ckda_doc_close(&doc);
    return st;
}

/* One entry of the list; file == NULL: none. */
static json_t *
entry(const ckda_outcome *o, const char *file, size_t parts)
{
    json_t *e = json_object();
    json_object_set_new(e, "id", json_string(o->claim->id));
    if (file == NULL) {
        json_object_set_new(e, "certificate", json_null());
    } else {
        json_object_set_new(e, "certificate", json_string(strrchr(file, '/') + 1));
        json_object_set_new(e, "parts", json_integer((json_int_t)parts));
    }
    return e;
}

static ckda_status
write_list(const char *folder, json_t *claims, ckda_error *err)
{
    json_t *list = json_object();
    json_object_set_new(list, "schema", json_string("ckda.certificates/1"));
    json_object_set(list, "claims", claims);
    char *text = json_dumps(list, JSON_INDENT(2));
    char *path = file_name(folder, "index", ".json");
    ckda_require_memory(text != NULL);
    const ckda_status st = ckda_file_write(path, text, strlen(text), err);
    free(text);
    flint_free(path);
    json_decref(list);
    return st;
}

ckda_status
cli_make_certificates(size_t *written, const char *folder, const ckda_outcome *claims,
                      size_t nclaims, ckda_error *err)
{
    ckda_status st = CKDA_OK;
    size_t count = 0;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        ckda_error_set(err, "%s: cannot be made: %s", folder, strerror(errno));
        return CKDA_E_IO;
    }
    json_t *list = json_array();
    for (size_t i = 0; st == CKDA_OK && i < nclaims; i++) {
        size_t parts = 0;
        char *path = has_certificate(claims + i)
                         ? file_name(folder, claims[i].claim->id, ".cert")
                         : NULL;
        if (path != NULL)
            st = write_claim(&parts, path, claims[i].claim, err);
        count += path != NULL;
        json_array_append_new(list, entry(claims + i, path, parts));
        flint_free(path);
    }
    if (st == CKDA_OK)
        st = write_list(folder, list, err);
    json_decref(list);
    if (st == CKDA_OK)
        *written = count;
    return st;
}

int
cli_write_certificates(const char *folder, const ckda_outcome *claims, size_t nclaims)
{
    ckda_error err;
    size_t written = 0;
    ckda_error_clear(&err);
    const ckda_status st = cli_make_certificates(&written, folder, claims, nclaims, &err);
    if (st != CKDA_OK)
        return cli_fail(st, &err);
    fprintf(
        stderr,
        "ckda: %s: certificates of %zu claims, %zu claims without; see %s/index.json\n",
        folder, written, nclaims - written, folder);
    return EXIT_HOLDS;
}
