/* Heads with one alphabet and a joint decoder:
 *
 *     {"heads": [{"initial": [[...]], "letters": {...}}, ...],
 *      "decoder": {"group": "S3", "letters": {"a": "(1,2)", ...}}}
 *
 * or "affine" in place of "heads" for a single one.  Everything else that is a system is one
 * head, too. */
#include "ckda/input_heads.h"

#include <stdlib.h>
#include <string.h>
#include "input_internal.h"

#define MAX_HEADS 64

/* ---- heads ---------------------------------------------------------------------------- */

/* Number of the first head's letter that is called so, or nletters. */
static uint32_t
letter_number(const ckda_input_heads_t h, const char *name)
{
    uint32_t x = 0;
    while (x < h->nletters && strcmp(h->letter[x], name) != 0)
        x++;
    return x;
}

/* The head's letters in the order of the first head. */
static ckda_status
order_letters(ckda_input_heads_t h, ckda_system_struct *sys, const ckda_input_t part,
              const ckda_node *at, ckda_error *err)
{
    const uint32_t n = h->nletters;
    const size_t room = (size_t)n + 1;
    ckda_mat_struct *linear = flint_malloc(room * sizeof *linear);
    ckda_mat_struct *offset = flint_malloc(room * sizeof *offset);
    bool fits = part->nletters == n;
    for (uint32_t k = 0; k < part->nletters && fits; k++) {
        const uint32_t x = letter_number(h, part->letter[k]);
        fits = x < n;
        if (!fits)
            break;
        linear[x] = part->linear[k]; /* names of one object are different */
        if (part->offset != NULL)
            offset[x] = part->offset[k];
    }
    sys->linear = linear;
    sys->offset = part->offset != NULL ? offset : NULL;
    h->arrays[h->narrays++] = linear;
    h->arrays[h->narrays++] = offset;
    return fits ? CKDA_OK
                : ckda_node_fail(at, err, "the letters of the first head", NULL);
}

static ckda_status
read_head(ckda_input_heads_t h, const ckda_node *at, ckda_error *err)
{
    ckda_field_t K;
    ckda_input_struct *part = h->part + h->nparts;
    ckda_system_struct *sys = h->head + h->nheads;
    ckda_field_init_set(K, h->K);
    init_empty(part, CKDA_INPUT_AFFINE, K);
    h->nparts++;
    ckda_status st = read_affine(part, at, err);
    if (st != CKDA_OK)
        return st;
    if (h->nheads == 0) {
        h->letter = part->letter;
        h->nletters = part->nletters;
    }
    *sys = (ckda_system_struct){
        .K = h->K, .initial = {*part->initial}, .nletters = h->nletters};
    st = order_letters(h, sys, part, at, err);
    h->nheads++;
    return st;
}

static ckda_status
read_heads(ckda_input_heads_t h, const ckda_node *at, bool list, ckda_error *err)
{
    ckda_node item;
    size_t n = 1;
    ckda_status st = list ? ckda_node_size(&n, at, err) : CKDA_OK;
    if (st != CKDA_OK)
        return st;
    if (n == 0 || n > MAX_HEADS)
        return ckda_node_fail(at, err, "a list of 1 to 64 heads", NULL);
    h->part = flint_calloc(n, sizeof *h->part);
    h->head = flint_calloc(n, sizeof *h->head);
    h->arrays = flint_calloc(2 * n, sizeof *h->arrays);
    if (!list)
        return read_head(h, at, err);
    for (size_t i = 0; i < n && st == CKDA_OK; i++) {
        st = ckda_node_item(&item, at, i, err);
        if (st == CKDA_OK)
            st = read_head(h, &item, err);
    }
    return st;
}

/* ---- decoder --------------------------------------------------------------------------- */

/* A built-in name or generators. */
static ckda_status
read_group(ckda_input_heads_t h, const ckda_node *at, ckda_error *err)
{
    const char *name;
    char place[512];
    bool all;
    ckda_status st;
    if (json_is_string(at->json)) {
        name = json_string_value(at->json);
        st = ckda_group_init_named(h->G, name, err);
        if (st != CKDA_OK) {
            ckda_node_place(place, sizeof place, at);
            ckda_error_prefix(err, place);
        }
    } else {
        st = ckda_input_read_group(h->G, &all, at, err);
    }
    h->has_group = st == CKDA_OK;
    return st;
}

static ckda_status
read_elements(ckda_input_heads_t h, const ckda_node *at, ckda_error *err)
{
    ckda_node item;
    const char *text;
    ckda_status st = ckda_node_only(at, (const char *const *)h->letter, h->nletters, err);
    h->element = flint_calloc((size_t)h->nletters + 1, sizeof *h->element);
    for (uint32_t x = 0; x < h->nletters && st == CKDA_OK; x++) {
        st = ckda_node_member(&item, at, h->letter[x], err);
        if (st == CKDA_OK)
            st = ckda_node_string(&text, &item, err);
        if (st != CKDA_OK)
            break;
        st = ckda_group_parse(&h->element[x], h->G, text, err);
        if (st != CKDA_OK) {
            char place[512];
            ckda_node_place(place, sizeof place, &item);
            ckda_error_prefix(err, place);
            st = CKDA_E_INPUT;
        }
    }
    return st;
}

static ckda_status
read_decoder(ckda_input_heads_t h, const ckda_node *at, ckda_error *err)
{
    static const char *const known[] = {"group", "letters", "comment"};
    ckda_node node;
    ckda_status st = ckda_node_only(at, known, COUNT(known), err);
    if (st == CKDA_OK)
        st = ckda_node_member(&node, at, "group", err);
    if (st == CKDA_OK)
        st = read_group(h, &node, err);
    if (st == CKDA_OK)
        st = ckda_node_member(&node, at, "letters", err);
    if (st == CKDA_OK)
        st = read_elements(h, &node, err);
    for (uint32_t k = 0; k < h->nheads && st == CKDA_OK; k++) {
        h->head[k].G = h->G;
        h->head[k].letter_element = h->element;
    }
    return st;
}

/* ---- documents ---------------------------------------------------------------------------- */

static ckda_status
find_field(ckda_input_heads_t h, const ckda_node *root, const ckda_node *parts,
           ckda_error *err)
{
    static const char *const numbers[] = {"initial", "matrix", "offset"};
    const bool given = ckda_node_has(root, "field");
    const ckda_status st =
        ckda_input_field_of(h->K, given ? root : parts, numbers, COUNT(numbers), err);
    h->has_field = st == CKDA_OK;
    return st;
}

ckda_status
ckda_input_heads_read(ckda_input_heads_t h, const ckda_node *at, ckda_error *err)
{
    static const char *const known[] = {"heads", "affine", "decoder", "field", "comment"};
    ckda_node parts, node;
    ckda_input_heads_t new;
    const bool list = ckda_node_has(at, "heads");
    memset(new, 0, sizeof *new);
    ckda_status st = ckda_node_only(at, known, COUNT(known), err);
    if (st == CKDA_OK && list && ckda_node_has(at, "affine"))
        st = ckda_node_fail(at, err, "\"heads\" or \"affine\"", "both");
    if (st == CKDA_OK)
        st = ckda_node_member(&parts, at, list ? "heads" : "affine", err);
    if (st == CKDA_OK)
        st = find_field(new, at, &parts, err);
    if (st == CKDA_OK)
        st = read_heads(new, &parts, list, err);
    if (st == CKDA_OK && ckda_node_has(at, "decoder")) {
        st = ckda_node_member(&node, at, "decoder", err);
        if (st == CKDA_OK)
            st = read_decoder(new, &node, err);
    }
    if (st != CKDA_OK) {
        ckda_input_heads_clear(new);
        return st;
    }
    *h = *new;
    for (uint32_t k = 0; k < h->nheads; k++) { /* what lies inside the struct */
        h->head[k].K = h->K;
        h->head[k].G = h->has_group ? h->G : NULL;
    }
    return CKDA_OK;
}

/* Is it a JSON document with heads or a decoder?  A file that cannot be read is none. */
static bool
has_heads(ckda_doc **doc, const char *file)
{
    char kind;
    uint32_t number;
    if (ckda_group_name_split(&kind, &number, file)
        || ckda_doc_open(doc, file, NULL) != CKDA_OK)
        return false;
    const ckda_node root = ckda_doc_root(*doc);
    if (ckda_node_has(&root, "heads") || ckda_node_has(&root, "decoder"))
        return true;
    ckda_doc_close(doc);
    return false;
}

ckda_status
ckda_input_heads_open(ckda_input_heads_t h, const char *system, ckda_error *err)
{
    ckda_doc *doc;
    if (has_heads(&doc, system)) {
        const ckda_node root = ckda_doc_root(doc);
        const ckda_status st = ckda_input_heads_read(h, &root, err);
        ckda_doc_close(&doc);
        return st;
    }
    memset(h, 0, sizeof *h);
    h->one = flint_malloc(sizeof *h->one);
    const ckda_status st = ckda_input_system_open(h->one, system, NULL, err);
    if (st != CKDA_OK) {
        flint_free(h->one);
        return st;
    }
    h->head = flint_malloc(sizeof *h->head);
    *h->head = *h->one->sys;
    h->nheads = 1;
    h->nletters = h->one->sys->nletters;
    h->letter = h->one->letter;
    return CKDA_OK;
}

void
ckda_input_heads_clear(ckda_input_heads_t h)
{
    for (uint32_t k = 0; k < h->nparts; k++)
        ckda_input_clear(h->part + k);
    for (uint32_t k = 0; k < h->narrays; k++)
        flint_free(h->arrays[k]);
    if (h->one != NULL)
        ckda_input_system_clear(h->one);
    flint_free(h->one);
    flint_free(h->arrays);
    flint_free(h->part);
    flint_free(h->head);
    flint_free(h->element);
    if (h->has_group)
        ckda_group_clear(h->G);
    if (h->has_field)
        ckda_field_clear(h->K);
}
