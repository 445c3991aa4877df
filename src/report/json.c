#include "json.h"

#include <stdlib.h>
#include <string.h>

void
json_put(json_t *object, const char *key, json_t *value)
{
    int failed = json_object_set_new(object, key, value);
    ckda_require(failed == 0, "cannot set \"%s\"", key);
}

void
json_append(json_t *array, json_t *value)
{
    int failed = json_array_append_new(array, value);
    ckda_require(failed == 0, "cannot append a value");
}

/* Names come from the command line and need not be UTF-8; the document must be. */
static json_t *
string_of(const char *text)
{
    json_t *value = json_string(text);
    if (value != NULL)
        return value;
    char *copy = strdup(text);
    ckda_require_memory(copy != NULL);
    for (char *c = copy; *c != '\0'; c++)
        if ((unsigned char)*c >= 128)
            *c = '?';
    value = json_string(copy);
    free(copy);
    return value;
}

void
json_put_text(json_t *object, const char *key, const char *text)
{
    json_put(object, key, text != NULL ? string_of(text) : json_null());
}

void
json_append_text(json_t *array, const char *text)
{
    json_append(array, string_of(text));
}

void
json_put_count(json_t *object, const char *key, uint64_t n)
{
    json_put(object, key, json_integer((json_int_t)n));
}

void
json_put_bool(json_t *object, const char *key, bool b)
{
    json_put(object, key, json_boolean(b));
}

json_t *
json_texts(const char *const *texts)
{
    json_t *array = json_array();
    for (; *texts != NULL; texts++)
        json_append_text(array, *texts);
    return array;
}

json_t *
json_field(const ckda_field_t K)
{
    json_t *object = json_object(), *minpoly = json_array();
    for (slong i = 0; i <= K->degree; i++) {
        char *c = fmpz_get_str(NULL, 10, K->minpoly->coeffs + i);
        json_append_text(minpoly, c);
        flint_free(c);
    }
    char *root = ckda_field_root_decimal(K);
    json_put_text(object, "generator", "a");
    json_put(object, "minpoly", minpoly);
    json_put_text(object, "root", root);
    free(root);
    return object;
}

json_t *
json_elem(const ckda_elem_t x, const ckda_field_t K)
{
    char *text = ckda_elem_str(x, K);
    json_t *value = json_string(text);
    free(text);
    return value;
}

json_t *
json_source(const ckda_claim *c)
{
    json_t *source = json_object();
    json_put_text(source, "document", c->document);
    json_put_text(source, "where", c->where);
    return source;
}

void
json_print(FILE *out, json_t *document)
{
    /* A failed write leaves its mark on the stream, where the caller looks. */
    (void)json_dumpf(document, out, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    fputc('\n', out);
    json_decref(document);
}
