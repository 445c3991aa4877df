/* The page of `ckda report`: shared by the files that make its data and its HTML. */
#ifndef CKDA_SRC_REPORT_PAGE_H
#define CKDA_SRC_REPORT_PAGE_H
#include <jansson.h>
#include <libxml/tree.h>
#include <libxml/xmlwriter.h>

#include "ckda/report_page.h"

typedef struct {
    char *name;
    xmlDocPtr svg; /* NULL: nothing was drawn */
} page_drawing;

struct ckda_page {
    json_t *doc; /* ckda.report/1 */
    page_drawing *drawing;
    size_t ndrawings;
};

/* The drawing of this name, made fit for a page; NULL if there is none. */
xmlNodePtr page_drawing_named(const ckda_page *p, const char *name);
/* Reads an SVG and makes it fit: no fixed size, no names that another picture may have. */
CKDA_MUST_CHECK ckda_status page_svg_read(xmlDocPtr *svg, const ckda_page_picture *d,
                                          ckda_error *err);

/* ---- a place in the document ---------------------------------------------------------- */

/* A value and the JSON pointer that leads to it. */
typedef struct {
    const json_t *json; /* NULL: there is no such value */
    char path[192];
} page_spot;

page_spot page_root(const json_t *doc);
page_spot page_member(const page_spot *in, const char *key);
page_spot page_item(const page_spot *in, size_t i);
/* The text of a string, or "". */
const char *page_text_of(const page_spot *s);
const char *page_member_text(const page_spot *in, const char *key);
json_int_t page_member_count(const page_spot *in, const char *key);
size_t page_size(const page_spot *s); /* of an array; 0 otherwise */
bool page_is_null(const page_spot *s);

/* ---- writing -------------------------------------------------------------------------- */

typedef struct {
    xmlTextWriterPtr w;
    const ckda_page *page;
    page_spot root;
} page_html;

/* <element class="..."> (class may be NULL) and its end; never the short form <element/>,
 * which HTML does not know. */
void page_begin(page_html *h, const char *element, const char *class_name);
void page_end(page_html *h);
void page_attribute(page_html *h, const char *name, const char *value);
/* Words of this program: they hold no digits, a test looks. */
void page_say(page_html *h, const char *text);
/* <element class>words</element> */
void page_words(page_html *h, const char *element, const char *class_name,
                const char *text);
/* <element class data-at="pointer">value</element>: the text of a string, a number, yes or
 * no, or a dash for null. */
void page_show(page_html *h, const char *element, const char *class_name,
               const page_spot *s);
/* The same in a span. */
void page_value(page_html *h, const page_spot *s);
void page_member_value(page_html *h, const page_spot *in, const char *key);
/* The same as seconds with two decimals. */
void page_seconds(page_html *h, const page_spot *in, const char *key);
/* A new line in the file, for people who read it. */
void page_line(page_html *h);
/* One cell of a table; on a phone it says what it is. */
void page_labelled(page_html *h, const char *class_name, const char *label,
                   const page_spot *in, const char *key);

/* ---- the parts of the page ------------------------------------------------------------ */

void page_write_style(page_html *h);
void page_write_top(page_html *h);     /* verdict, map of all claims */
void page_write_levels(page_html *h);  /* the table of evidence levels */
void page_write_results(page_html *h); /* pictures and tables */
void page_write_claims(page_html *h);
void page_write_origin(page_html *h); /* versions, seed, certificates */

#endif
