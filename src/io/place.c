/* Messages: where a node stands, what stands there, what was expected. */
#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "ckda/doc.h"

enum { SHOWN = 60 }; /* bytes of a value or key that a message shows */

/* A fixed buffer that is appended to and silently cut. */
typedef struct {
    char *at;
    size_t left;
} sink;

static void put(sink *s, const char *fmt, ...) CKDA_PRINTF(2, 3);

static void
put(sink *s, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const int n = vsnprintf(s->at, s->left, fmt, ap);
    va_end(ap);
    const size_t used = n < 0 ? 0 : (size_t)n < s->left ? (size_t)n : s->left - 1;
    s->at += used;
    s->left -= used;
}

/* What json_dump_callback writes into: the first SHOWN bytes, then it stops the dump. */
typedef struct {
    char text[SHOWN];
    size_t used;
    bool cut;
} excerpt;

static int
show(const char *piece, size_t size, void *data)
{
    excerpt *s = data;
    const size_t fits = size < SHOWN - s->used ? size : SHOWN - s->used;
    memcpy(s->text + s->used, piece, fits);
    s->used += fits;
    s->cut = fits < size;
    return s->cut ? -1 : 0;
}

/* Compact JSON of a scalar, control characters escaped, cut between characters. */
static void
put_json(sink *s, const json_t *v)
{
    excerpt d = {.used = 0};
    (void)json_dump_callback(v, show, &d, JSON_ENCODE_ANY); /* fails where show cuts */
    if (d.cut) {
        while (d.used > 0 && ((unsigned char)d.text[d.used - 1] & 0xC0) == 0x80)
            d.used--; /* continuation bytes */
        if (d.used > 0 && (unsigned char)d.text[d.used - 1] >= 0xC0)
            d.used--; /* the lead byte they belonged to */
    }
    put(s, "%.*s%s", (int)d.used, d.text, d.cut ? "..." : "");
}

static void
put_string(sink *s, const char *text)
{
    json_t *v = json_string(text);
    ckda_require_memory(v != NULL);
    put_json(s, v);
    json_decref(v);
}

/* ---- places ------------------------------------------------------------------------ */

static bool
is_plain(const char *key)
{
    for (const char *c = key; *c != '\0'; c++)
        if (!isalnum((unsigned char)*c) && *c != '_' && *c != '-')
            return false;
    return *key != '\0' && strlen(key) <= SHOWN;
}

static void
put_path(sink *s, const ckda_node *at)
{
    if (at->parent == NULL)
        return;
    put_path(s, at->parent);
    if (at->key == NULL) {
        put(s, "[%zu]", at->index);
    } else if (is_plain(at->key)) {
        put(s, "%s%s", at->parent->parent == NULL ? "" : ".", at->key);
    } else {
        put(s, "[");
        put_string(s, at->key);
        put(s, "]");
    }
}

static const char *
file_of(const ckda_node *at)
{
    while (at->parent != NULL)
        at = at->parent;
    return at->file != NULL ? at->file : "input";
}

void
ckda_node_place(char *buf, size_t size, const ckda_node *at)
{
    sink s = {buf, size};
    put(&s, "%s%s", file_of(at), at->parent == NULL ? "" : ": ");
    put_path(&s, at);
}

ckda_status
ckda_node_fail_inside(const ckda_node *at, ckda_error *err)
{
    if (err == NULL)
        return CKDA_E_INPUT;
    const ckda_error inner = *err;
    char place[512];
    ckda_node_place(place, sizeof place, at);
    ckda_error_set(err, "%s%s%s", place, at->parent == NULL ? ": " : ".", inner.text);
    return CKDA_E_INPUT;
}

/* ---- values ------------------------------------------------------------------------ */

static void
put_names(sink *s, json_t *object)
{
    size_t shown = 0;
    const size_t size = json_object_size(object);
    for (void *it = json_object_iter(object); it != NULL;
         it = json_object_iter_next(object, it)) {
        if (shown == 8) {
            put(s, ", ... (%zu in all)", size);
            return;
        }
        put(s, "%s", shown++ == 0 ? "" : ", ");
        const char *key = json_object_iter_key(it);
        if (is_plain(key))
            put(s, "%s", key);
        else
            put_string(s, key);
    }
}

/* The shortest decimal that reads back as v; only shown to people. */
static void
shortest_decimal(char text[40], double v)
{
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, 40, "%.*g", digits, v);
        if (strtod(text, NULL) == v)
            return;
    }
}

/* The fraction that a short decimal means: digits / 10^k in lowest terms. */
static bool
fraction_of(char out[64], const char *decimal)
{
    uint64_t num = 0, den = 1;
    int digits = 0, point = 0;
    const char *c = decimal + (*decimal == '-');
    for (; *c != '\0' && *c != 'e'; c++) {
        if (!isdigit((unsigned char)*c)) {
            point = 1;
            continue;
        }
        if (++digits > 15)
            return false;
        num = 10 * num + (uint64_t)(*c - '0');
        den *= point ? 10 : 1;
    }
    long ten = *c == 'e' ? strtol(c + 1, NULL, 10) : 0;
    for (; ten > 0; ten--) {
        if (num > UINT64_MAX / 10)
            return false;
        num *= 10;
    }
    for (; ten < 0; ten++) {
        if (den > UINT64_MAX / 10)
            return false;
        den *= 10;
    }
    uint64_t a = num, b = den;
    while (b != 0) {
        const uint64_t r = a % b;
        a = b;
        b = r;
    }
    num /= a;
    den /= a;
    if (den == 1)
        snprintf(out, 64, "%s%" PRIu64, *decimal == '-' ? "-" : "", num);
    else
        snprintf(out, 64, "%s%" PRIu64 "/%" PRIu64, *decimal == '-' ? "-" : "", num, den);
    return true;
}

static void
put_real(sink *s, double v)
{
    char text[40], frac[64];
    shortest_decimal(text, v);
    put(s, "%s", text);
    if (fraction_of(frac, text))
        put(s, " (write \"%s\")", frac);
    else
        put(s, " (write a string with an exact number, such as \"1/10\")");
}

static void
put_value(sink *s, json_t *v)
{
    switch (json_typeof(v)) {
    case JSON_OBJECT:
        if (json_object_size(v) == 0) {
            put(s, "an empty object");
        } else {
            put(s, "an object with members ");
            put_names(s, v);
        }
        return;
    case JSON_ARRAY:
        if (json_array_size(v) == 0)
            put(s, "an empty list");
        else
            put(s, "a list of %zu", json_array_size(v));
        return;
    case JSON_REAL:
        put_real(s, json_real_value(v));
        return;
    default:
        put_json(s, v);
    }
}

ckda_status
ckda_node_fail(const ckda_node *at, ckda_error *err, const char *expected,
               const char *found)
{
    if (err == NULL)
        return CKDA_E_INPUT;
    char place[512];
    ckda_error said = {""};
    sink s = {said.text, sizeof said.text};
    ckda_node_place(place, sizeof place, at);
    put(&s, "%s: expected %s, found ", place, expected);
    if (found != NULL)
        put(&s, "%s", found);
    else
        put_value(&s, at->json);
    ckda_error_set(err, "%s", said.text); /* which shows control characters as ? */
    return CKDA_E_INPUT;
}
