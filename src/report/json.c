#include "json.h"

#include "ckda/doc.h"
#include "ckda/net.h"

void
json_put(json_t *object, const char *key, json_t *value)
{
    ckda_json_put(object, key, value);
}

void
json_append(json_t *array, json_t *value)
{
    ckda_json_append(array, value);
}

void
json_put_text(json_t *object, const char *key, const char *text)
{
    json_put(object, key, text != NULL ? ckda_json_text(text) : json_null());
}

void
json_append_text(json_t *array, const char *text)
{
    json_append(array, ckda_json_text(text));
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
    return ckda_net_field_json(K);
}

json_t *
json_elem(const ckda_elem_t x, const ckda_field_t K)
{
    return ckda_json_own(ckda_elem_str(x, K));
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
