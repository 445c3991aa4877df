/* Documents as text, for the tests of this room. */
#ifndef READ_TEXT_H
#define READ_TEXT_H
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

#include "ckda/input.h"

static inline ckda_doc *
parse_text(const char *text)
{
    ckda_doc *doc = NULL;
    ckda_error err = {{0}};
    if (ckda_doc_parse(&doc, text, "a.json", &err) != CKDA_OK)
        fail_msg("%s", err.text);
    return doc;
}

/* Reads a document that must be good. */
static inline void
read_text(ckda_input_t in, const char *text)
{
    ckda_error err = {{0}};
    ckda_doc *doc = parse_text(text);
    const ckda_node root = ckda_doc_root(doc);
    const ckda_status st = ckda_input_read(in, &root, &err);
    if (st != CKDA_OK)
        fail_msg("%s: %s", text, err.text);
    ckda_doc_close(&doc); /* what was read must not depend on it */
}

/* x == the number that the text says, in K. */
static inline void
assert_elem(const ckda_elem_struct *x, const char *text, const ckda_field_t K)
{
    ckda_elem_t y;
    ckda_elem_init(y, K);
    assert_int_equal(ckda_elem_set_str(y, text, K, NULL), CKDA_OK);
    if (!ckda_elem_equal(x, y, K))
        fail_msg("expected %s", text);
    ckda_elem_clear(y, K);
}

static inline int
finish(void **state)
{
    (void)state;
    flint_cleanup();
    return 0;
}

#endif
