/* JSON text to a tree, with errors that say where; trees that grow. */
#include <stdlib.h>
#include <string.h>
#include "ckda/doc.h"

struct ckda_doc {
    json_t *tree;
    char *name;
};

static ckda_doc *
new_doc(json_t *tree, const char *name) /* takes over the reference to tree */
{
    ckda_doc *doc = malloc(sizeof *doc);
    ckda_require_memory(doc != NULL);
    doc->tree = tree;
    doc->name = strdup(name);
    ckda_require_memory(doc->name != NULL);
    return doc;
}

static int
line_of(const char *text, const char *at)
{
    int line = 1;
    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

static ckda_status
parse(ckda_doc **doc, const char *text, size_t len, const char *name, ckda_error *err)
{
    json_error_t e;
    const char *nul = memchr(text, '\0', len);
    if (nul != NULL) {
        ckda_error_set(err, "%s: line %d: expected JSON text, found a NUL byte", name,
                       line_of(text, nul));
        return CKDA_E_INPUT;
    }
    if (len >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) { /* byte order mark */
        text += 3;
        len -= 3;
    }
    if (strspn(text, " \t\r\n") == len) {
        ckda_error_set(err, "%s: expected a JSON document, found nothing (empty)", name);
        return CKDA_E_INPUT;
    }
    json_t *tree = json_loadb(text, len, JSON_REJECT_DUPLICATES, &e);
    if (tree == NULL) {
        const bool big = json_error_code(&e) == json_error_numeric_overflow;
        ckda_error_set(err, "%s: line %d, column %d: %s%s", name, e.line, e.column,
                       e.text, big ? " (write large numbers as strings)" : "");
        return CKDA_E_INPUT;
    }
    *doc = new_doc(tree, name);
    return CKDA_OK;
}

ckda_status
ckda_doc_open(ckda_doc **doc, const char *file, ckda_error *err)
{
    char *text;
    size_t len;
    ckda_status st = ckda_file_read(&text, &len, file, err);
    if (st != CKDA_OK)
        return st;
    st = parse(doc, text, len, file, err);
    free(text);
    return st;
}

ckda_status
ckda_doc_parse(ckda_doc **doc, const char *text, const char *name, ckda_error *err)
{
    return parse(doc, text, strlen(text), name, err);
}

ckda_status
ckda_doc_parse_bytes(ckda_doc **doc, const char *text, size_t len, const char *name,
                     ckda_error *err)
{
    return parse(doc, text, len, name, err);
}

ckda_doc *
ckda_doc_wrap(json_t *tree, const char *name)
{
    return new_doc(json_incref(tree), name);
}

void
ckda_doc_close(ckda_doc **doc)
{
    if (*doc == NULL)
        return;
    json_decref((*doc)->tree);
    free((*doc)->name);
    free(*doc);
    *doc = NULL;
}

ckda_node
ckda_doc_root(const ckda_doc *doc)
{
    return (ckda_node){.json = doc->tree, .file = doc->name};
}

/* ---- writing ---------------------------------------------------------------------- */

/* What no value is: its constructor refused a text or a number, or had no memory. */
static const char no_value[] = "no UTF-8, no finite number, or no memory";

void
ckda_json_put(json_t *object, const char *key, json_t *value)
{
    ckda_require(value != NULL, "member \"%s\": %s", key, no_value);
    ckda_require_memory(json_object_set_new(object, key, value) == 0);
}

void
ckda_json_append(json_t *array, json_t *value)
{
    ckda_require(value != NULL, "item %zu: %s", json_array_size(array), no_value);
    ckda_require_memory(json_array_append_new(array, value) == 0);
}

json_t *
ckda_json_text(const char *text)
{
    json_t *value = json_string(text);
    if (value != NULL)
        return value;
    char *copy = strdup(text);
    ckda_require_memory(copy != NULL);
    for (char *c = copy; *c != '\0'; c++)
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    return ckda_json_own(copy);
}

json_t *
ckda_json_own(char *text)
{
    json_t *value = json_string(text);
    ckda_require_memory(value != NULL);
    free(text);
    return value;
}
