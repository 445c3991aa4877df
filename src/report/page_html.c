/* The page as a whole: frame, verdict, evidence levels, where it comes from. */
#include "page.h"

#include <stdlib.h>
#include <string.h>
#include <libxml/parser.h>

/* ---- the verdict ---------------------------------------------------------------------- */

/* "refuted", "undecided" or "holds", the worst that occurs; "nothing" was checked. */
static const char *
worst(const page_spot *summary)
{
    if (page_member_count(summary, "refuted") > 0
        || page_member_count(summary, "mutants_refuted")
               < page_member_count(summary, "mutants"))
        return "refuted";
    if (page_member_count(summary, "undecided") > 0)
        return "undecided";
    return page_member_count(summary, "checked") > 0 ? "holds" : "undecided";
}

static void
headline(page_html *h, const page_spot *s)
{
    page_begin(h, "h1", NULL);
    if (page_member_count(s, "checked") == 0) {
        page_say(h, "Nothing was checked");
    } else if (page_member_count(s, "refuted") > 0) {
        page_member_value(h, s, "refuted");
        page_say(h, " of ");
        page_member_value(h, s, "checked");
        page_say(h, " checked claims are refuted");
    } else if (page_member_count(s, "undecided") > 0) {
        page_member_value(h, s, "undecided");
        page_say(h, " of ");
        page_member_value(h, s, "checked");
        page_say(h, " checked claims are undecided");
    } else {
        page_say(h, "All ");
        page_member_value(h, s, "holds");
        page_say(h, " checked claims hold");
    }
    page_end(h);
}

/* "NUMBER words" with the number in bold. */
static void
counted(page_html *h, const page_spot *s, const char *key, const char *words)
{
    const page_spot n = page_member(s, key);
    page_show(h, "b", NULL, &n);
    page_say(h, words);
}

static void
explanation(page_html *h, const page_spot *s)
{
    page_begin(h, "p", NULL);
    counted(h, s, "holds", " hold, ");
    counted(h, s, "refuted", " are refuted, ");
    counted(h, s, "undecided",
            " are undecided. Each checked claim was also falsified in "
            "one place at a time: ");
    counted(h, s, "mutants_refuted", " of ");
    counted(h, s, "mutants", " such mutants are refuted by the same check.");
    page_end(h);
    page_begin(h, "p", NULL);
    counted(h, s, "modulo",
            " of the claims that hold take a step from a human proof or a "
            "citation, named with each (established modulo). ");
    page_say(h, "Not checked: ");
    counted(h, s, "not_run", " open, ");
    counted(h, s, "reported",
            " only reported by their source; these are listed with "
            "the reason and count as nothing.");
    page_end(h);
}

static void
fact(page_html *h, const char *name, const page_spot *in, const char *key)
{
    page_begin(h, "li", NULL);
    page_say(h, name);
    page_member_value(h, in, key);
    page_end(h);
}

static void
facts(page_html *h)
{
    const page_spot v = page_member(&h->root, "versions"),
                    s = page_member(&h->root, "summary");
    page_begin(h, "ul", "facts");
    fact(h, "ckda ", &v, "ckda");
    fact(h, "FLINT ", &v, "flint");
    fact(h, "GMP ", &v, "gmp");
    fact(h, "MPFR ", &v, "mpfr");
    fact(h, "", &v, "compiler");
    fact(h, "effort ", &h->root, "effort");
    fact(h, "seed ", &h->root, "seed");
    page_begin(h, "li", NULL);
    page_say(h, "checks took ");
    page_seconds(h, &s, "seconds");
    page_end(h);
    fact(h, "", &h->root, "date");
    page_end(h);
}

void
page_write_top(page_html *h)
{
    const page_spot s = page_member(&h->root, "summary");
    const char *verdict = worst(&s);
    page_begin(h, "header",
               strcmp(verdict, "holds") == 0     ? "top"
               : strcmp(verdict, "refuted") == 0 ? "top refuted"
                                                 : "top undecided");
    page_words(h, "div", "small muted",
               "Complex KDA and its relatives \xc2\xb7 every claim of the sources, "
               "and how it was checked");
    headline(h, &s);
    explanation(h, &s);
    facts(h);
    page_end(h);
    page_line(h);
}

/* ---- evidence levels ------------------------------------------------------------------ */

static const char *
tone(const page_spot *claim)
{
    const char *verdict = page_member_text(claim, "verdict");
    const page_spot steps = page_member(claim, "human_steps");
    return strcmp(verdict, "holds") == 0 && page_size(&steps) > 0 ? "modulo" : verdict;
}

static void
square(page_html *h, const page_spot *claim)
{
    char text[300];
    page_begin(h, "a", tone(claim));
    snprintf(text, sizeof text, "#%s", page_member_text(claim, "anchor"));
    page_attribute(h, "href", text);
    snprintf(text, sizeof text, "%.80s: %.120s (%.20s)", page_member_text(claim, "id"),
             page_member_text(claim, "title"), page_member_text(claim, "verdict"));
    page_attribute(h, "title", text);
    page_attribute(h, "aria-label", text);
    page_end(h);
}

static void
map(page_html *h, const char *level)
{
    const page_spot claims = page_member(&h->root, "claims");
    page_begin(h, "div", "map");
    for (size_t i = 0; i < page_size(&claims); i++) {
        const page_spot c = page_item(&claims, i);
        if (strcmp(page_member_text(&c, "level"), level) == 0)
            square(h, &c);
    }
    page_end(h);
}

static void
count_cell(page_html *h, const page_spot *level, const char *key, bool bad)
{
    const bool zero = page_member_count(level, key) == 0;
    page_labelled(h, zero ? "n zero" : bad ? "n bad" : "n", key, level, key);
}

static void
level_rows(page_html *h, const page_spot *l)
{
    char link[80];
    const char *name = page_member_text(l, "level");
    const bool some = page_member_count(l, "claims") > 0;
    page_begin(h, "tr", "head");
    page_begin(h, "td", NULL);
    const page_spot s = page_member(l, "level");
    snprintf(link, sizeof link, "#level-%.60s", name);
    page_begin(h, some ? "a" : "span", "level");
    if (some)
        page_attribute(h, "href", link);
    page_value(h, &s);
    page_end(h);
    page_end(h);
    count_cell(h, l, "claims", false);
    count_cell(h, l, "holds", false);
    count_cell(h, l, "refuted", true);
    count_cell(h, l, "undecided", true);
    count_cell(h, l, "modulo", false);
    page_end(h);
    page_begin(h, "tr", "what");
    page_begin(h, "td", NULL);
    page_attribute(h, "colspan", "6");
    page_begin(h, "div", "small muted");
    page_member_value(h, l, "ladder");
    page_say(h, ": ");
    page_member_value(h, l, "meaning");
    page_end(h);
    if (some)
        map(h, name);
    page_end(h);
    page_end(h);
    page_line(h);
}

static void
map_key(page_html *h)
{
    static const char *const keys[][2] = {
        {"holds", "holds"},       {"modulo", "holds modulo a human step"},
        {"refuted", "refuted"},   {"undecided", "undecided"},
        {"reported", "reported"}, {"not_run", "open"}};
    page_begin(h, "ul", "key");
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        page_begin(h, "li", NULL);
        page_words(h, "i", keys[i][0], "");
        page_say(h, keys[i][1]);
        page_end(h);
    }
    page_end(h);
}

void
page_write_levels(page_html *h)
{
    static const char *const heads[] = {"claims", "hold", "refuted", "undecided",
                                        "modulo"};
    const page_spot levels = page_member(&h->root, "levels");
    page_begin(h, "h2", NULL);
    page_attribute(h, "id", "levels");
    page_say(h, "Evidence");
    page_end(h);
    page_words(
        h, "p", NULL,
        "What was really done for each claim, strongest first; the weakest step of "
        "a check decides its level. Each square is a claim and leads to it.");
    page_begin(h, "table", "levels");
    page_begin(h, "thead", NULL);
    page_begin(h, "tr", NULL);
    page_words(h, "th", NULL, "level");
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        page_words(h, "th", "n", heads[i]);
    page_end(h);
    page_end(h);
    page_begin(h, "tbody", NULL);
    for (size_t i = 0; i < page_size(&levels); i++) {
        const page_spot l = page_item(&levels, i);
        level_rows(h, &l);
    }
    page_end(h);
    page_end(h);
    map_key(h);
}

/* ---- contents ------------------------------------------------------------------------- */

static void
entry(page_html *h, const char *class_name, const char *link, const char *words,
      const page_spot *level)
{
    page_begin(h, "li", class_name);
    page_begin(h, "a", NULL);
    page_attribute(h, "href", link);
    if (level == NULL) {
        page_say(h, words);
    } else {
        const page_spot n = page_member(level, "claims");
        page_member_value(h, level, "level");
        page_show(h, "span", "n", &n);
    }
    page_end(h);
    page_end(h);
}

static void
contents(page_html *h)
{
    const page_spot levels = page_member(&h->root, "levels");
    page_begin(h, "nav", NULL);
    page_attribute(h, "aria-label", "contents");
    page_words(h, "div", "brand", "ckda report");
    page_begin(h, "ul", "all");
    entry(h, NULL, "#levels", "Evidence", NULL);
    entry(h, NULL, "#pictures", "Pictures", NULL);
    entry(h, NULL, "#rounded", "Rounded recurrences", NULL);
    entry(h, NULL, "#claims", "All claims", NULL);
    for (size_t i = 0; i < page_size(&levels); i++) {
        char link[80];
        const page_spot l = page_item(&levels, i);
        snprintf(link, sizeof link, "#level-%.60s", page_member_text(&l, "level"));
        if (page_member_count(&l, "claims") > 0)
            entry(h, "deep", link, NULL, &l);
    }
    entry(h, NULL, "#origin", "How to do it again", NULL);
    page_end(h);
    page_end(h);
    page_line(h);
}

/* ---- where it comes from -------------------------------------------------------------- */

static void
certificate_row(page_html *h, const page_spot *f)
{
    const page_spot file = page_member(f, "file");
    page_begin(h, "tr", NULL);
    page_labelled(h, NULL, "claim", f, "claim");
    page_begin(h, "td", NULL);
    page_attribute(h, "data-label", "file");
    page_begin(h, "a", "code");
    page_attribute(h, "href", page_text_of(&file));
    page_value(h, &file);
    page_end(h);
    page_end(h);
    page_labelled(h, "n", "bytes", f, "bytes");
    page_labelled(h, "code hash", "hash", f, "sha256");
    page_end(h);
}

static void
certificates(page_html *h)
{
    static const char *const heads[] = {"claim", "file", "bytes"};
    const page_spot c = page_member(&h->root, "certificates"),
                    files = page_member(&c, "files"), note = page_member(&c, "note"),
                    hash = page_member(&c, "hash");
    page_words(h, "h3", NULL, "Certificates");
    if (!page_is_null(&note))
        page_show(h, "p", NULL, &note);
    if (page_size(&files) == 0)
        return;
    page_begin(h, "div", "scroll");
    page_begin(h, "table", "cards");
    page_begin(h, "thead", NULL);
    page_begin(h, "tr", NULL);
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        page_words(h, "th", i == 2 ? "n" : NULL, heads[i]);
    page_show(h, "th", NULL, &hash);
    page_end(h);
    page_end(h);
    page_begin(h, "tbody", NULL);
    for (size_t i = 0; i < page_size(&files); i++) {
        const page_spot f = page_item(&files, i);
        certificate_row(h, &f);
    }
    page_end(h);
    page_end(h);
    page_end(h);
}

void
page_write_origin(page_html *h)
{
    const page_spot command = page_member(&h->root, "command");
    page_begin(h, "h2", NULL);
    page_attribute(h, "id", "origin");
    page_say(h, "How to do it again");
    page_end(h);
    page_begin(h, "p", NULL);
    page_say(h, "This page was written by ");
    page_show(h, "code", NULL, &command);
    page_say(h, ". Times depend on the machine; everything else is the same at each run "
                "with the same versions, effort and seed. The file ");
    page_begin(h, "a", "code");
    page_attribute(h, "href", "report.json");
    page_say(h, "report.json");
    page_end(h);
    page_say(h,
             " beside it holds the same data: each number above carries its place there. "
             "One claim in full: ");
    page_words(h, "code", NULL, "ckda explain ID");
    page_say(h, ", once more: ");
    page_words(h, "code", NULL, "ckda verify ID --mutants");
    page_say(h, ".");
    page_end(h);
    certificates(h);
}

/* ---- the whole ------------------------------------------------------------------------ */

static void
meta(page_html *h, const char *name, const char *content)
{
    xmlTextWriterStartElement(h->w, BAD_CAST "meta");
    page_attribute(h, "name", name);
    page_attribute(h, "content", content);
    xmlTextWriterEndElement(h->w);
    page_line(h);
}

static void
document_head(page_html *h)
{
    page_begin(h, "head", NULL);
    page_line(h);
    xmlTextWriterStartElement(h->w, BAD_CAST "meta");
    page_attribute(h, "charset", "utf-8");
    xmlTextWriterEndElement(h->w);
    page_line(h);
    meta(h, "viewport", "width=device-width, initial-scale=1");
    meta(h, "color-scheme", "light dark");
    meta(h, "generator", "ckda");
    page_words(h, "title", NULL, "ckda report");
    page_line(h);
    page_write_style(h);
    page_end(h);
    page_line(h);
}

static void
document(page_html *h)
{
    xmlTextWriterWriteDTD(h->w, BAD_CAST "html", NULL, NULL, NULL);
    page_line(h);
    page_begin(h, "html", NULL);
    page_attribute(h, "lang", "en");
    page_attribute(h, "xmlns", "http://www.w3.org/1999/xhtml");
    document_head(h);
    page_begin(h, "body", NULL);
    page_begin(h, "a", "skip");
    page_attribute(h, "href", "#levels");
    page_say(h, "Skip to the evidence");
    page_end(h);
    page_begin(h, "div", "shell");
    page_line(h);
    page_write_top(h);
    contents(h);
    page_begin(h, "main", NULL);
    page_line(h);
    page_write_levels(h);
    page_write_results(h);
    page_write_claims(h);
    page_write_origin(h);
    page_end(h);
    page_end(h);
    page_end(h);
    page_end(h);
    page_line(h);
}

/* The page shows the JSON as it is written, with its six digits. */
static json_t *
as_written(ckda_page *p)
{
    size_t size;
    char *text = ckda_page_json(p, &size);
    json_t *doc = json_loadb(text, size, 0, NULL);
    ckda_require(doc != NULL, "the document cannot be read again");
    free(text);
    return doc;
}

char *
ckda_page_html(ckda_page *p, size_t *size)
{
    json_t *doc = as_written(p);
    xmlBufferPtr buffer = xmlBufferCreate();
    xmlTextWriterPtr w = buffer != NULL ? xmlNewTextWriterMemory(buffer, 0) : NULL;
    ckda_require_memory(w != NULL);
    page_html h = {w, p, page_root(doc)};
    document(&h);
    xmlTextWriterEndDocument(w);
    xmlFreeTextWriter(w);
    char *text = strdup((const char *)xmlBufferContent(buffer));
    ckda_require_memory(text != NULL);
    *size = strlen(text);
    xmlBufferFree(buffer);
    json_decref(doc);
    return text;
}
