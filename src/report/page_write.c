/* Places in the document, and elements of the page that show what stands there. */
#include "page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- places --------------------------------------------------------------------------- */

page_spot
page_root(const json_t *doc)
{
    return (page_spot){doc, ""};
}

/* '~' and '/' of a name are written ~0 and ~1 (RFC 6901). */
page_spot
page_member(const page_spot *in, const char *key)
{
    page_spot s = *in;
    size_t n = strlen(s.path);
    ckda_require(n + 2 * strlen(key) + 2 <= sizeof s.path, "the place %s/%s is too long",
                 s.path, key);
    s.path[n++] = '/';
    for (const char *c = key; *c != '\0'; c++) {
        const char *code = *c == '~' ? "~0" : *c == '/' ? "~1" : NULL;
        if (code == NULL) {
            s.path[n++] = *c;
            continue;
        }
        s.path[n++] = code[0];
        s.path[n++] = code[1];
    }
    s.path[n] = '\0';
    s.json = json_object_get(in->json, key);
    return s;
}

page_spot
page_item(const page_spot *in, size_t i)
{
    char index[24];
    page_spot s = *in;
    const size_t n = strlen(s.path);
    snprintf(index, sizeof index, "/%zu", i);
    ckda_require(n + strlen(index) + 1 <= sizeof s.path, "the place %s is too long",
                 s.path);
    memcpy(s.path + n, index, strlen(index) + 1);
    s.json = json_array_get(in->json, i);
    return s;
}

const char *
page_text_of(const page_spot *s)
{
    return json_is_string(s->json) ? json_string_value(s->json) : "";
}

const char *
page_member_text(const page_spot *in, const char *key)
{
    const page_spot s = page_member(in, key);
    return page_text_of(&s);
}

json_int_t
page_member_count(const page_spot *in, const char *key)
{
    return json_integer_value(json_object_get(in->json, key));
}

size_t
page_size(const page_spot *s)
{
    return json_array_size(s->json);
}

bool
page_is_null(const page_spot *s)
{
    return s->json == NULL || json_is_null(s->json);
}

/* ---- elements ------------------------------------------------------------------------- */

void
page_begin(page_html *h, const char *element, const char *class_name)
{
    xmlTextWriterStartElement(h->w, BAD_CAST element);
    if (class_name != NULL)
        page_attribute(h, "class", class_name);
}

void
page_end(page_html *h)
{
    xmlTextWriterFullEndElement(h->w);
}

void
page_attribute(page_html *h, const char *name, const char *value)
{
    xmlTextWriterWriteAttribute(h->w, BAD_CAST name, BAD_CAST value);
}

void
page_say(page_html *h, const char *text)
{
    xmlTextWriterWriteString(h->w, BAD_CAST text);
}

void
page_line(page_html *h)
{
    page_say(h, "\n");
}

void
page_words(page_html *h, const char *element, const char *class_name, const char *text)
{
    page_begin(h, element, class_name);
    page_say(h, text);
    page_end(h);
}

/* Thousands apart by narrow blanks, from 10000 on. */
static void
whole_number(page_html *h, json_int_t n)
{
    char digits[32], text[128];
    size_t m = 0;
    snprintf(digits, sizeof digits, "%" JSON_INTEGER_FORMAT, n);
    const size_t len = strlen(digits), sign = digits[0] == '-';
    for (size_t i = 0; i < len; i++) {
        if (len - sign >= 5 && i > sign && (len - i) % 3 == 0) {
            memcpy(text + m, "\xe2\x80\xaf", 3);
            m += 3;
        }
        text[m++] = digits[i];
    }
    text[m] = '\0';
    page_say(h, text);
}

static void
write_value(page_html *h, const json_t *json)
{
    char text[64];
    switch (json != NULL ? json_typeof(json) : JSON_NULL) {
    case JSON_STRING:
        page_say(h, json_string_value(json));
        return;
    case JSON_INTEGER:
        whole_number(h, json_integer_value(json));
        return;
    case JSON_REAL:
        snprintf(text, sizeof text, "%.3g", json_real_value(json));
        page_say(h, text);
        return;
    case JSON_TRUE:
        page_say(h, "yes");
        return;
    case JSON_FALSE:
        page_say(h, "no");
        return;
    default:
        page_say(h, "\xe2\x80\x93");
        return;
    }
}

void
page_show(page_html *h, const char *element, const char *class_name, const page_spot *s)
{
    page_begin(h, element, class_name);
    page_attribute(h, "data-at", s->path);
    write_value(h, s->json);
    page_end(h);
}

void
page_value(page_html *h, const page_spot *s)
{
    page_show(h, "span", NULL, s);
}

void
page_member_value(page_html *h, const page_spot *in, const char *key)
{
    const page_spot s = page_member(in, key);
    page_value(h, &s);
}

void
page_seconds(page_html *h, const page_spot *in, const char *key)
{
    char text[64];
    const page_spot s = page_member(in, key);
    snprintf(text, sizeof text, "%.2f", json_number_value(s.json));
    page_begin(h, "span", NULL);
    page_attribute(h, "data-at", s.path);
    page_attribute(h, "data-as", "hundredths");
    page_say(h, text);
    page_end(h);
    page_say(h, " s");
}

void
page_labelled(page_html *h, const char *class_name, const char *label,
              const page_spot *in, const char *key)
{
    page_begin(h, "td", class_name);
    page_attribute(h, "data-label", label);
    page_member_value(h, in, key);
    page_end(h);
}
