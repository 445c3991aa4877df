/* Pictures, with the numbers that they show, and the tables of rounded recurrences. */
#include "page.h"

#include <string.h>

/* ---- tables --------------------------------------------------------------------------- */

/* Opens a table with these heads. */
static void
table(page_html *h, const char *class_name, const char *const *heads)
{
    page_begin(h, "table", class_name);
    page_begin(h, "thead", NULL);
    page_begin(h, "tr", NULL);
    for (; *heads != NULL; heads++)
        page_words(h, "th", NULL, *heads);
    page_end(h);
    page_end(h);
    page_begin(h, "tbody", NULL);
}

static void
end_table(page_html *h)
{
    page_end(h);
    page_end(h);
    page_line(h);
}

/* A cell that says on a phone what it is. */
static void
cell_begin(page_html *h, const char *label)
{
    page_begin(h, "td", NULL);
    page_attribute(h, "data-label", label);
}

/* ---- pictures ------------------------------------------------------------------------- */

static void
sweep_numbers(page_html *h, const page_spot *s)
{
    const page_spot counts = page_member(s, "counts"), kinds = page_member(s, "kinds");
    page_begin(h, "ul", "key");
    for (size_t i = 0; i < page_size(&kinds); i++) {
        const page_spot kind = page_item(&kinds, i);
        if (page_member_count(&counts, page_text_of(&kind)) == 0)
            continue;
        page_begin(h, "li", NULL);
        page_words(h, "i", page_text_of(&kind), "");
        page_member_value(h, &counts, page_text_of(&kind));
        page_say(h, " ");
        page_value(h, &kind);
        page_end(h);
    }
    page_end(h);
    page_begin(h, "p", "small");
    page_member_value(h, s, "decided_twice");
    page_say(h, " cells decided a second way, which agrees. Boundary: ");
    page_member_value(h, s, "boundary");
    page_say(h, ".");
    page_end(h);
}

static void
reach_numbers(page_html *h, const page_spot *r)
{
    const page_spot levels = page_member(r, "levels");
    page_begin(h, "p", "small");
    page_say(h, "States by word length: ");
    for (size_t i = 0; i < page_size(&levels); i++) {
        const page_spot n = page_item(&levels, i);
        if (i > 0)
            page_say(h, " + ");
        page_value(h, &n);
    }
    page_say(h, " = ");
    page_member_value(h, r, "states");
    page_say(h, " states, ");
    page_member_value(h, r, "edges");
    page_say(h, " edges; decoder right on every edge: ");
    page_member_value(h, r, "decoder_consistent");
    page_say(h, ". Exact by ");
    page_member_value(h, r, "exactness");
    page_say(h, ".");
    page_end(h);
}

static void
bits_numbers(page_html *h, const page_spot *list)
{
    static const char *const heads[] = {"network", "letters", "bits at the end", NULL};
    table(h, NULL, heads);
    for (size_t i = 0; i < page_size(list); i++) {
        const page_spot b = page_item(list, i);
        page_begin(h, "tr", NULL);
        page_labelled(h, NULL, heads[0], &b, "title");
        page_labelled(h, NULL, heads[1], &b, "length");
        page_labelled(h, NULL, heads[2], &b, "last_bits");
        page_end(h);
    }
    end_table(h);
}

static void
curve(page_html *h, const page_spot *d)
{
    static const char *const heads[] = {"tokens", "median drift", "largest", NULL};
    const page_spot rows = page_member(d, "drift"), a = page_member(d, "arithmetic");
    page_begin(h, "p", "small");
    page_member_value(h, &a, "text");
    page_end(h);
    table(h, NULL, heads);
    for (size_t i = 0; i < page_size(&rows); i++) {
        const page_spot row = page_item(&rows, i);
        page_begin(h, "tr", NULL);
        page_labelled(h, NULL, heads[0], &row, "t");
        page_labelled(h, NULL, heads[1], &row, "median");
        page_labelled(h, NULL, heads[2], &row, "max");
        page_end(h);
    }
    end_table(h);
}

static void
drift_numbers(page_html *h, const page_spot *list)
{
    page_begin(h, "details", NULL);
    page_words(h, "summary", NULL, "The numbers");
    for (size_t i = 0; i < page_size(list); i++) {
        const page_spot d = page_item(list, i);
        curve(h, &d);
    }
    page_end(h);
}

/* What stands below a picture, by its name. */
static void
numbers(page_html *h, const char *name)
{
    const page_spot sweeps = page_member(&h->root, "sweeps"),
                    reach = page_member(&h->root, "reach"),
                    bits = page_member(&h->root, "bits"),
                    drift = page_member(&h->root, "drift");
    const bool one = strcmp(name, "window") == 0, two = strcmp(name, "anykey") == 0;
    if ((one || two) && page_size(&sweeps) > two) {
        const page_spot s = page_item(&sweeps, two);
        sweep_numbers(h, &s);
    } else if (strcmp(name, "levels") == 0 && page_size(&reach) > 0) {
        const page_spot r = page_item(&reach, 0);
        reach_numbers(h, &r);
    } else if (strcmp(name, "bits") == 0) {
        bits_numbers(h, &bits);
    } else if (strcmp(name, "drift") == 0) {
        drift_numbers(h, &drift);
    }
}

/* Copied into the page by libxml2, which escapes. */
static void
drawing(page_html *h, const char *name)
{
    xmlNodePtr svg = page_drawing_named(h->page, name);
    if (svg == NULL)
        return;
    xmlBufferPtr text = xmlBufferCreate();
    ckda_require_memory(text != NULL && xmlNodeDump(text, svg->doc, svg, 0, 0) > 0);
    xmlTextWriterWriteRaw(h->w, xmlBufferContent(text));
    xmlBufferFree(text);
}

static void
file_link(page_html *h, const page_spot *picture, const char *key, const char *words)
{
    const char *file = page_member_text(picture, key);
    if (*file == '\0')
        return;
    page_begin(h, "a", NULL);
    page_attribute(h, "href", file);
    page_say(h, words);
    page_end(h);
}

static void
figure(page_html *h, const page_spot *picture)
{
    const page_spot title = page_member(picture, "title"),
                    caption = page_member(picture, "caption"),
                    missing = page_member(picture, "missing");
    char id[80];
    const char *name = page_member_text(picture, "name");
    snprintf(id, sizeof id, "picture-%.60s", name);
    page_begin(h, "figure", NULL);
    page_attribute(h, "id", id);
    page_begin(h, "figcaption", NULL);
    page_show(h, "h3", NULL, &title);
    page_show(h, "p", "muted", &caption);
    page_end(h);
    page_line(h);
    if (!page_is_null(&missing))
        page_show(h, "p", "missing small", &missing);
    drawing(h, name);
    numbers(h, name);
    page_begin(h, "p", "small");
    file_link(h, picture, "data", "data");
    page_say(h, ", ");
    file_link(h, picture, "script", "gnuplot script");
    page_end(h);
    page_end(h);
    page_line(h);
}

static void
section_head(page_html *h, const char *id, const char *words)
{
    page_begin(h, "h2", NULL);
    page_attribute(h, "id", id);
    page_say(h, words);
    page_end(h);
    const page_spot why = page_member(&h->root, "no_results");
    if (!page_is_null(&why))
        page_show(h, "p", "missing", &why);
}

static void
pictures(page_html *h)
{
    const page_spot list = page_member(&h->root, "pictures");
    section_head(h, "pictures", "Pictures");
    if (page_size(&list) == 0)
        return;
    page_words(h, "p", NULL,
               "Computed for this page; the numbers below each picture and its data file "
               "are what was drawn.");
    page_begin(h, "div", "pictures");
    for (size_t i = 0; i < page_size(&list); i++) {
        const page_spot p = page_item(&list, i);
        figure(h, &p);
    }
    page_end(h);
}

/* ---- rounded recurrences -------------------------------------------------------------- */

/* The first letters of a word that fails. */
static void
word(page_html *h, const page_spot *row)
{
    enum { SHOWN = 8 };
    const page_spot letters = page_member(row, "word");
    const size_t n = page_size(&letters);
    page_say(h, "the word ");
    for (size_t i = 0; i < n && i < SHOWN; i++) {
        const page_spot letter = page_item(&letters, i);
        if (i > 0)
            page_say(h, " ");
        page_value(h, &letter);
    }
    page_say(h, n > SHOWN ? " \xe2\x80\xa6, of length " : ", of length ");
    page_member_value(h, row, "word_length");
    page_say(h, json_is_true(json_object_get(row->json, "shortest"))
                    ? ", is a shortest one that decodes wrongly"
                    : ", decodes wrongly (shorter ones may exist)");
}

static void
evidence(page_html *h, const page_spot *row)
{
    const char *verdict = page_member_text(row, "verdict");
    cell_begin(h, "evidence");
    page_begin(h, "span", NULL);
    if (strcmp(verdict, "fails") == 0) {
        word(h, row);
    } else if (strcmp(verdict, "undecided") == 0) {
        page_say(h, "stopped by the limit on ");
        page_member_value(h, row, "limit");
    } else {
        page_say(h, "every edge right; no state farther than ");
        page_member_value(h, row, "max_error");
        page_say(h, " from the exact one, wrong decodes need ");
        page_member_value(h, row, "safe_distance");
    }
    page_end(h);
    page_end(h);
}

static void
rounded_row(page_html *h, const page_spot *row)
{
    const page_spot a = page_member(row, "arithmetic"),
                    verdict = page_member(row, "verdict");
    page_begin(h, "tr", NULL);
    cell_begin(h, "system");
    page_begin(h, "span", NULL);
    page_member_value(h, row, "system");
    page_say(h, " ");
    page_begin(h, "span", "muted");
    page_member_value(h, row, "construction");
    page_end(h);
    page_end(h);
    page_end(h);
    cell_begin(h, "arithmetic");
    page_begin(h, "span", NULL);
    page_member_value(h, &a, "text");
    page_end(h);
    page_end(h);
    cell_begin(h, "verdict");
    page_begin(h, "span", NULL);
    page_show(h, "span",
              strcmp(page_text_of(&verdict), "tracks-forever") == 0 ? "badge"
              : strcmp(page_text_of(&verdict), "fails") == 0        ? "badge fails"
                                                                    : "badge undecided",
              &verdict);
    page_end(h);
    page_end(h);
    page_labelled(h, NULL, "states", row, "states");
    evidence(h, row);
    page_labelled(h, NULL, "what to see", row, "note");
    page_end(h);
    page_line(h);
}

static void
rounded(page_html *h)
{
    static const char *const heads[] = {"system",   "arithmetic",  "verdict", "states",
                                        "evidence", "what to see", NULL};
    const page_spot list = page_member(&h->root, "rounded");
    section_head(h, "rounded", "Rounded recurrences");
    if (page_size(&list) == 0)
        return;
    page_words(
        h, "p", NULL,
        "A recurrence with fixed rounding is a finite automaton on bit patterns. "
        "Where its search closes with every decode right, the rounded tracker is "
        "proved for words of every length; where a word decodes wrongly, that word "
        "is the counterexample; where a cap stopped the search, nothing is said.");
    page_begin(h, "div", "scroll");
    table(h, "cards", heads);
    for (size_t i = 0; i < page_size(&list); i++) {
        const page_spot row = page_item(&list, i);
        rounded_row(h, &row);
    }
    end_table(h);
    page_end(h);
    page_begin(h, "details", NULL);
    page_words(h, "summary", NULL, "The commands");
    page_begin(h, "ul", NULL);
    for (size_t i = 0; i < page_size(&list); i++) {
        const page_spot row = page_item(&list, i), command = page_member(&row, "command");
        page_show(h, "li", "code", &command);
    }
    page_end(h);
    page_end(h);
}

static void
drift(page_html *h)
{
    static const char *const heads[] = {
        "system",        "arithmetic",  "words",        "tokens",
        "largest drift", "wrong words", "proved up to", NULL};
    const page_spot list = page_member(&h->root, "drift");
    if (page_size(&list) == 0)
        return;
    page_words(h, "h3", NULL, "Drift on random words");
    page_words(
        h, "p", NULL,
        "The distance of the rounded state from the exact one, relative to its "
        "scale. Every decode of every word was decided exactly. "
        "Proved up to: words of at most so many tokens decode rightly by the bound "
        "alone.");
    page_begin(h, "div", "scroll");
    table(h, "cards", heads);
    for (size_t i = 0; i < page_size(&list); i++) {
        const page_spot d = page_item(&list, i), a = page_member(&d, "arithmetic"),
                        worst = page_member(&d, "worst"),
                        wrong = page_member(&d, "first_wrong");
        page_begin(h, "tr", NULL);
        page_labelled(h, NULL, heads[0], &d, "system");
        page_labelled(h, NULL, heads[1], &a, "text");
        page_labelled(h, NULL, heads[2], &d, "words");
        page_labelled(h, NULL, heads[3], &d, "length");
        page_labelled(h, NULL, heads[4], &worst, "drift");
        page_labelled(h, NULL, heads[5], &wrong, "failed");
        page_labelled(h, NULL, heads[6], &d, "guaranteed_steps");
        page_end(h);
    }
    end_table(h);
    page_end(h);
}

void
page_write_results(page_html *h)
{
    pictures(h);
    rounded(h);
    drift(h);
}
