/* Pictures as gnuplot writes them, made fit to stand in a page beside others. */
#include "page.h"

#include <string.h>
#include <libxml/parser.h>

enum { NAME = 128 };

static bool
is_element(xmlNodePtr node, const char *name)
{
    return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

/* Nothing of these is drawn here; filters and titles would also have names. */
static bool
is_dispensable(xmlNodePtr node)
{
    static const char *const names[] = {"title", "desc", "script", "filter", "style"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (is_element(node, names[i]))
            return true;
    return false;
}

/* name="value" becomes name="PREFIX-value", behind a leading '#' where there is one. */
static void
prefix(xmlNodePtr node, xmlNsPtr ns, const char *name, const char *with)
{
    char text[NAME];
    xmlChar *old = ns != NULL ? xmlGetNsProp(node, BAD_CAST name, ns->href)
                              : xmlGetNoNsProp(node, BAD_CAST name);
    if (old == NULL)
        return;
    const char *value = (const char *)old;
    const bool link = value[0] == '#';
    snprintf(text, sizeof text, "%s%.40s-%.60s", link ? "#" : "", with, value + link);
    if (ns != NULL)
        xmlSetNsProp(node, ns, BAD_CAST name, BAD_CAST text);
    else
        xmlSetProp(node, BAD_CAST name, BAD_CAST text);
    xmlFree(old);
}

static void
tidy(xmlNodePtr node, xmlNsPtr link, const char *name)
{
    for (xmlNodePtr next; node != NULL; node = next) {
        next = node->next;
        if (is_dispensable(node) || node->type == XML_COMMENT_NODE) {
            xmlUnlinkNode(node);
            xmlFreeNode(node);
            continue;
        }
        if (node->type != XML_ELEMENT_NODE)
            continue;
        prefix(node, NULL, "id", name);
        if (link != NULL)
            prefix(node, link, "href", name);
        tidy(node->children, link, name);
    }
}

/* The viewBox says the shape, the page says the size. */
static void
describe(xmlNodePtr svg, const ckda_page_picture *d)
{
    xmlUnsetProp(svg, BAD_CAST "width");
    xmlUnsetProp(svg, BAD_CAST "height");
    xmlSetProp(svg, BAD_CAST "role", BAD_CAST "img");
    xmlSetProp(svg, BAD_CAST "aria-label", BAD_CAST d->title);
}

ckda_status
page_svg_read(xmlDocPtr *svg, const ckda_page_picture *d, ckda_error *err)
{
    xmlDocPtr doc =
        d->size > (size_t)1 << 30
            ? NULL
            : xmlReadMemory(d->svg, (int)d->size, d->name, NULL,
                            XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    xmlNodePtr root = doc != NULL ? xmlDocGetRootElement(doc) : NULL;
    if (root == NULL || !is_element(root, "svg")) {
        xmlFreeDoc(doc);
        ckda_error_set(err, "picture %s: not a well-formed SVG", d->name);
        return CKDA_E_INPUT;
    }
    xmlNsPtr link = xmlSearchNsByHref(doc, root, BAD_CAST "http://www.w3.org/1999/xlink");
    describe(root, d);
    tidy(root->children, link, d->name);
    *svg = doc;
    return CKDA_OK;
}

xmlNodePtr
page_drawing_named(const ckda_page *p, const char *name)
{
    for (size_t i = 0; i < p->ndrawings; i++)
        if (strcmp(p->drawing[i].name, name) == 0)
            return p->drawing[i].svg != NULL ? xmlDocGetRootElement(p->drawing[i].svg)
                                             : NULL;
    return NULL;
}
