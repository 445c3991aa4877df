/* Documents as texts, items by name. */
#ifndef CKDA_TESTS_RANGE_HELPER_H
#define CKDA_TESTS_RANGE_HELPER_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "ckda/range.h"

static inline ckda_status
try_read(ckda_range_t r, const char *text, ckda_error *err)
{
    ckda_doc *doc = NULL;
    ckda_error_clear(err);
    ckda_status status = ckda_doc_parse(&doc, text, "t.json", err);
    if (status != CKDA_OK)
        return status;
    const ckda_node root = ckda_doc_root(doc);
    status = ckda_range_read(r, &root, err);
    ckda_doc_close(&doc);
    return status;
}

static inline void
read_text(ckda_range_t r, const char *text)
{
    ckda_error err;
    const ckda_status status = try_read(r, text, &err);
    if (status != CKDA_OK)
        fail_msg("%s\n%s", err.text, text);
}

static inline const ckda_range_item *
item(const ckda_range_t r, const char *name)
{
    for (size_t i = 0; i < r->chunk.nitems; i++)
        if (strcmp(r->chunk.item[i].name, name) == 0)
            return r->chunk.item + i;
    fail_msg("no intermediate %s", name);
    return NULL;
}

static inline void
assert_largest(const ckda_range_t r, const char *name, const char *exact, ckda_truth fits)
{
    const ckda_range_item *i = item(r, name);
    if (i->largest.exact == NULL || strcmp(i->largest.exact, exact) != 0
        || i->fits != fits)
        fail_msg("%s: %s (%d), expected %s (%d)", name,
                 i->largest.exact != NULL ? i->largest.exact : i->largest.decimal,
                 (int)i->fits, exact, (int)fits);
}

/* "[x,x,...]" n times in a static ring of buffers. */
static inline const char *
repeat(const char *x, int n)
{
    static char ring[8][16384];
    static int next;
    char *text = ring[next++ % 8];
    size_t used = 0;
    used += (size_t)snprintf(text, sizeof ring[0], "[");
    for (int i = 0; i < n; i++)
        used += (size_t)snprintf(text + used, sizeof ring[0] - used, "%s%s",
                                 i > 0 ? "," : "", x);
    snprintf(text + used, sizeof ring[0] - used, "]");
    return text;
}

/* {"chunk": {head, "keys": n times key, "betas": n times beta}} */
static inline void
read_equal(ckda_range_t r, const char *head, const char *key, const char *beta, int n)
{
    char text[40000];
    snprintf(text, sizeof text, "{\"chunk\":{%s,\"keys\":%s,\"betas\":%s}}", head,
             repeat(key, n), repeat(beta, n));
    read_text(r, text);
}

#endif
