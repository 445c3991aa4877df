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

/* The checks whose statement is about the closure itself. */
static const char *const closure_checks[] = {"reach_table"};

static bool
has_closures(const ckda_outcome *o)
{
    if (o->claim->status != CKDA_CHECKED || o->truth != CKDA_TRUE)
        return false;
    for (size_t i = 0; i < sizeof closure_checks / sizeof *closure_checks; i++)
        if (strcmp(o->claim->check_name, closure_checks[i]) == 0)
            return true;
    return false;
}

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
        st = ckda_cert_add_reach(w, about, sys, r, err);
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

static ckda_status
add_rows(ckda_cert_writer *w, const char *id, const ckda_node *rows, size_t count,
         ckda_error *err)
{
    ckda_node row;
    ckda_status st = CKDA_OK;
    for (size_t i = 0; st == CKDA_OK && i < count; i++) {
        st = ckda_node_item(&row, rows, i, err);
        if (st == CKDA_OK)
            st = add_row(w, id, &row, err);
    }
    return st;
}

/* *parts: how many closures the file holds. */
static ckda_status
write_claim(size_t *parts, const char *path, const ckda_claim *claim, ckda_error *err)
{
    ckda_doc *doc = ckda_doc_wrap(claim->input, claim->id);
    const ckda_node root = ckda_doc_root(doc);
    ckda_node rows;
    ckda_cert_writer *w = NULL;
    ckda_status st = ckda_node_member(&rows, &root, "rows", err);
    if (st == CKDA_OK)
        st = ckda_node_size(parts, &rows, err);
    if (st == CKDA_OK && *parts == 0)
        st = ckda_node_fail(&rows, err, "at least one row", NULL);
    if (st == CKDA_OK)
        st = ckda_cert_open(&w, path, (uint32_t)*parts, err);
    if (st == CKDA_OK)
        st = add_rows(w, claim->id, &rows, *parts, err);
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
    ckda_require(text != NULL, "out of memory");
    const ckda_status st = ckda_file_write(path, text, strlen(text), err);
    free(text);
    flint_free(path);
    json_decref(list);
    return st;
}

int
cli_write_certificates(const char *folder, const ckda_outcome *claims, size_t nclaims)
{
    ckda_error err;
    ckda_status st = CKDA_OK;
    size_t written = 0;
    ckda_error_clear(&err);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        ckda_error_set(&err, "%s: cannot be made: %s", folder, strerror(errno));
        return cli_fail(CKDA_E_IO, &err);
    }
    json_t *list = json_array();
    for (size_t i = 0; st == CKDA_OK && i < nclaims; i++) {
        size_t parts = 0;
        char *path = has_closures(claims + i)
                         ? file_name(folder, claims[i].claim->id, ".cert")
                         : NULL;
        if (path != NULL)
            st = write_claim(&parts, path, claims[i].claim, &err);
        written += path != NULL;
        json_array_append_new(list, entry(claims + i, path, parts));
        flint_free(path);
    }
    if (st == CKDA_OK)
        st = write_list(folder, list, &err);
    json_decref(list);
    if (st != CKDA_OK)
        return cli_fail(st, &err);
    fprintf(
        stderr,
        "ckda: %s: certificates of %zu claims, %zu claims without; see %s/index.json\n",
        folder, written, nclaims - written, folder);
    return EXIT_HOLDS;
}
