/* ckda/doc.h -- JSON documents with positions.
 *
 * A ckda_doc owns a parsed tree; a ckda_node points into it and remembers the way it came,
 * so that every complaint can name the JSON path ("product[1].key[0]"), what was expected
 * and what stood there.  Nodes are plain values; a child refers to its parent node, which
 * must outlive it (keep both in local variables).  Duplicate keys are refused on reading.
 * Readers return CKDA_E_INPUT with a message and leave their results alone on failure. */
#ifndef CKDA_DOC_H
#define CKDA_DOC_H
#include <stdbool.h>
#include <stddef.h>
#include <jansson.h>
#include "ckda/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ckda_doc ckda_doc;
typedef struct ckda_node {
    json_t *json;                   /* borrowed */
    const struct ckda_node *parent; /* NULL at the root */
    const char *key;                /* member name, or NULL for an array item */
    size_t index;                   /* array index if key == NULL */
    const char *file;               /* for messages; set at the root */
} ckda_node;

/* CKDA_E_IO (cannot be read) or CKDA_E_INPUT (line and column of the syntax error). */
CKDA_MUST_CHECK ckda_status ckda_doc_open(ckda_doc **doc, const char *file, ckda_error *err);
CKDA_MUST_CHECK ckda_status ckda_doc_parse(ckda_doc **doc, const char *text, const char *name,
                                           ckda_error *err);
/* Wraps a tree made elsewhere; takes its own reference. */
ckda_doc *ckda_doc_wrap(json_t *tree, const char *name);
void ckda_doc_close(ckda_doc **doc); /* sets *doc = NULL */
ckda_node ckda_doc_root(const ckda_doc *doc);

/* "file: path: expected X, found Y" into err; always returns CKDA_E_INPUT.  found == NULL
 * describes the node's own JSON value. */
ckda_status ckda_node_fail(const ckda_node *at, ckda_error *err, const char *expected,
                           const char *found);

bool ckda_node_has(const ckda_node *in, const char *key);
CKDA_MUST_CHECK ckda_status ckda_node_member(ckda_node *out, const ckda_node *in, const char *key,
                                             ckda_error *err);
CKDA_MUST_CHECK ckda_status ckda_node_size(size_t *n, const ckda_node *in, ckda_error *err); /* of an array */
CKDA_MUST_CHECK ckda_status ckda_node_item(ckda_node *out, const ckda_node *in, size_t i,
                                           ckda_error *err);
CKDA_MUST_CHECK ckda_status ckda_node_string(const char **s, const ckda_node *in, ckda_error *err);
/* An integer within lo .. hi. */
CKDA_MUST_CHECK ckda_status ckda_node_long(long *v, const ckda_node *in, long lo, long hi,
                                           ckda_error *err);
CKDA_MUST_CHECK ckda_status ckda_node_bool(bool *v, const ckda_node *in, ckda_error *err);
/* An exact number as text: a JSON string, or a JSON integer written out into buf (32
 * bytes).  A JSON real is refused with the hint to write it as a string fraction. */
CKDA_MUST_CHECK ckda_status ckda_node_number(const char **s, char buf[32], const ckda_node *in,
                                             ckda_error *err);
/* Shorthands: member + reader in one call. */
CKDA_MUST_CHECK ckda_status ckda_node_get_long(long *v, const ckda_node *in, const char *key,
                                               long lo, long hi, ckda_error *err);
CKDA_MUST_CHECK ckda_status ckda_node_get_string(const char **s, const ckda_node *in,
                                                 const char *key, ckda_error *err);

#ifdef __cplusplus
}
#endif
#endif
