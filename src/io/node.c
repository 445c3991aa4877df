/* Walking a document and reading its leaves. */
#include <stdio.h>
#include <string.h>
#include "ckda/doc.h"

bool
ckda_node_has(const ckda_node *in, const char *key)
{
    return json_object_get(in->json, key) != NULL;
}

ckda_status
ckda_node_member(ckda_node *out, const ckda_node *in, const char *key, ckda_error *err)
{
    char expected[128];
    json_t *value = json_object_get(in->json, key);
    if (value == NULL) {
        snprintf(expected, sizeof expected, "%s member \"%s\"",
                 json_is_object(in->json) ? "a" : "an object with a", key);
        return ckda_node_fail(in, err, expected, NULL);
    }
    *out = (ckda_node){.json = value, .parent = in, .key = key};
    return CKDA_OK;
}

ckda_status
ckda_node_size(size_t *n, const ckda_node *in, ckda_error *err)
{
    if (!json_is_array(in->json))
        return ckda_node_fail(in, err, "a list", NULL);
    *n = json_array_size(in->json);
    return CKDA_OK;
}

ckda_status
ckda_node_item(ckda_node *out, const ckda_node *in, size_t i, ckda_error *err)
{
    char expected[64];
    if (!json_is_array(in->json))
        return ckda_node_fail(in, err, "a list", NULL);
    json_t *value = json_array_get(in->json, i);
    if (value == NULL) {
        snprintf(expected, sizeof expected, "a list of at least %zu", i + 1);
        return ckda_node_fail(in, err, expected, NULL);
    }
    *out = (ckda_node){.json = value, .parent = in, .index = i};
    return CKDA_OK;
}

ckda_status
ckda_node_string(const char **s, const ckda_node *in, ckda_error *err)
{
    if (!json_is_string(in->json))
        return ckda_node_fail(in, err, "a string", NULL);
    *s = json_string_value(in->json);
    return CKDA_OK;
}

ckda_status
ckda_node_long(long *v, const ckda_node *in, long lo, long hi, ckda_error *err)
{
    char expected[96];
    const json_int_t value = json_integer_value(in->json);
    if (!json_is_integer(in->json) || value < lo || value > hi) {
        snprintf(expected, sizeof expected, "an integer from %ld to %ld", lo, hi);
        return ckda_node_fail(in, err, expected, NULL);
    }
    *v = (long)value;
    return CKDA_OK;
}

ckda_status
ckda_node_bool(bool *v, const ckda_node *in, ckda_error *err)
{
    if (!json_is_boolean(in->json))
        return ckda_node_fail(in, err, "true or false", NULL);
    *v = json_is_true(in->json);
    return CKDA_OK;
}

ckda_status
ckda_node_number(const char **s, char buf[32], const ckda_node *in, ckda_error *err)
{
    if (json_is_string(in->json)) {
        *s = json_string_value(in->json);
        return CKDA_OK;
    }
    if (!json_is_integer(in->json))
        return ckda_node_fail(in, err, "an exact number", NULL);
    snprintf(buf, 32, "%" JSON_INTEGER_FORMAT, json_integer_value(in->json));
    *s = buf;
    return CKDA_OK;
}

ckda_status
ckda_node_get_long(long *v, const ckda_node *in, const char *key, long lo, long hi,
                   ckda_error *err)
{
    ckda_node at;
    const ckda_status st = ckda_node_member(&at, in, key, err);
    return st != CKDA_OK ? st : ckda_node_long(v, &at, lo, hi, err);
}

ckda_status
ckda_node_get_string(const char **s, const ckda_node *in, const char *key,
                     ckda_error *err)
{
    ckda_node at;
    const ckda_status st = ckda_node_member(&at, in, key, err);
    return st != CKDA_OK ? st : ckda_node_string(s, &at, err);
}

/* ---- members in order ------------------------------------------------------------- */

static bool
set_member(ckda_node *out, const ckda_node *in, void *iter)
{
    if (iter == NULL)
        return false;
    *out = (ckda_node){.json = json_object_iter_value(iter),
                       .parent = in,
                       .key = json_object_iter_key(iter)};
    return true;
}

bool
ckda_node_first(ckda_node *out, const ckda_node *in)
{
    return set_member(out, in, json_object_iter(in->json));
}

bool
ckda_node_next(ckda_node *out)
{
    json_t *object = out->parent->json;
    void *here = json_object_iter_at(object, out->key);
    return set_member(out, out->parent, json_object_iter_next(object, here));
}

static bool
is_among(const char *word, const char *const *known, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(word, known[i]) == 0)
            return true;
    return false;
}

ckda_status
ckda_node_only(const ckda_node *in, const char *const *known, size_t n, ckda_error *err)
{
    ckda_node m;
    if (!json_is_object(in->json))
        return ckda_node_fail(in, err, "an object", NULL);
    for (bool more = ckda_node_first(&m, in); more; more = ckda_node_next(&m)) {
        if (is_among(m.key, known, n))
            continue;
        char expected[512] = "one of ";
        size_t used = strlen(expected);
        for (size_t i = 0; i < n && used < sizeof expected; i++)
            used += (size_t)snprintf(expected + used, sizeof expected - used, "%s%s",
                                     i == 0 ? "" : ", ", known[i]);
        char found[256];
        const char *guess = ckda_text_closest(m.key, known, n);
        snprintf(found, sizeof found, "the member \"%.60s\"%s%s%s", m.key,
                 guess == NULL ? "" : " (did you mean \"", guess == NULL ? "" : guess,
                 guess == NULL ? "" : "\"?)");
        return ckda_node_fail(in, err, expected, found);
    }
    return CKDA_OK;
}
