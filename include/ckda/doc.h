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
CKDA_MUST_CHECK ckda_status ckda_doc_open(ckda_doc **doc, const char *file,
                                          ckda_error *err);
CKDA_MUST_CHECK ckda_status ckda_doc_parse(ckda_doc **doc, const char *text,
                                           const char *name, ckda_error *err);
/* The same for text[0 .. len-1], which may hold a NUL (refused by its line). */
CKDA_MUST_CHECK ckda_status ckda_doc_parse_bytes(ckda_doc **doc, const char *text,
                                                 size_t len, const char *name,
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
CKDA_MUST_CHECK ckda_status ckda_node_member(ckda_node *out, const ckda_node *in,
                                             const char *key, ckda_error *err);
CKDA_MUST_CHECK ckda_status ckda_node_size(size_t *n, const ckda_node *in,
                                           ckda_error *err); /* of an array */
CKDA_MUST_CHECK ckda_status ckda_node_item(ckda_node *out, const ckda_node *in, size_t i,
                                           ckda_error *err);
CKDA_MUST_CHECK ckda_status ckda_node_string(const char **s, const ckda_node *in,
                                             ckda_error *err);
/* An integer within lo .. hi. */
CKDA_MUST_CHECK ckda_status ckda_node_long(long *v, const ckda_node *in, long lo, long hi,
                                           ckda_error *err);
CKDA_MUST_CHECK ckda_status ckda_node_bool(bool *v, const ckda_node *in, ckda_error *err);
/* An exact number as text: a JSON string, or a JSON integer written out into buf (32
 * bytes).  A JSON real is refused with the hint to write it as a string fraction. */
CKDA_MUST_CHECK ckda_status ckda_node_number(const char **s, char buf[32],
                                             const ckda_node *in, ckda_error *err);
/* Shorthands: member + reader in one call. */
CKDA_MUST_CHECK ckda_status ckda_node_get_long(long *v, const ckda_node *in,
                                               const char *key, long lo, long hi,
                                               ckda_error *err);
CKDA_MUST_CHECK ckda_status ckda_node_get_string(const char **s, const ckda_node *in,
                                                 const char *key, ckda_error *err);

/* Walks the members of an object in the order of the file:
 *     for (bool more = ckda_node_first(&m, in); more; more = ckda_node_next(&m)) ...
 * first gives false for an empty object and for anything that is no object. */
bool ckda_node_first(ckda_node *out, const ckda_node *in);
bool ckda_node_next(ckda_node *out);
/* Refuses members of an object that are not among known[0 .. n-1], with a guess at what
 * was meant: protection against typing errors in optional members. */
CKDA_MUST_CHECK ckda_status ckda_node_only(const ckda_node *in, const char *const *known,
                                           size_t n, ckda_error *err);
/* "a.json: product[1]" (cut to size): where a node stands. */
void ckda_node_place(char *buf, size_t size, const ckda_node *at);
/* For a message that already begins with a place inside `at` ("gate[2]: expected ..."):
 * turns it into "a.json: product[1].gate[2]: expected ...".  Returns CKDA_E_INPUT. */
ckda_status ckda_node_fail_inside(const ckda_node *at, ckda_error *err);

/* The known word most like `word`, or NULL when none is near (for "did you mean"). */
const char *ckda_text_closest(const char *word, const char *const *known, size_t n);

/* ---- writing ------------------------------------------------------------------------ */

/* What documents are made of: put and append take over the reference `value`.  A NULL value
 * is the caller's bug (ckda_require): no part of a document can be missing.  A member that is
 * there already gets the new value. */
void ckda_json_put(json_t *object, const char *key, json_t *value);
void ckda_json_append(json_t *array, json_t *value);
/* text as a string, whatever it holds, such as a name from the command line: where it is no
 * UTF-8, every byte beyond ASCII becomes '?'.  A new reference. */
json_t *ckda_json_text(const char *text);
/* text as a string, such as an exact number that was just written out; frees text with
 * free().  text must be UTF-8.  A new reference. */
json_t *ckda_json_own(char *text);

/* ---- files ------------------------------------------------------------------------- */

#define CKDA_FILE_MAX ((size_t)256 << 20) /* largest file that is read */

/* The whole file, with a NUL behind it that *len does not count; free with free().
 * CKDA_E_IO: missing, a folder, unreadable, too large. */
CKDA_MUST_CHECK ckda_status ckda_file_read(char **text, size_t *len, const char *path,
                                           ckda_error *err);
/* All or nothing: a temporary file in the same folder, flushed to the disk, takes the name
 * `path` at the end.  On CKDA_E_IO (no folder, no permission, disk full) what stood at
 * `path` still stands there and no temporary file is left.  A link is followed; one to
 * nothing is CKDA_E_IO (a /dev/stdout without /proc must not become a file).  Devices and
 * pipes, which cannot be replaced, are written to directly. */
CKDA_MUST_CHECK ckda_status ckda_file_write(const char *path, const char *text,
                                            size_t len, ckda_error *err);

#ifdef __cplusplus
}
#endif
#endif
