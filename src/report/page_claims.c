/* The ledger on the page: every claim, by evidence level and target. */
#include "page.h"

#include <string.h>

/* ---- one claim ------------------------------------------------------------------------ */

static void
badge(page_html *h, const page_spot *verdict, const char *class_name)
{
    char text[64];
    snprintf(text, sizeof text, "badge %.40s", class_name);
    page_show(h, "span", text, verdict);
}

static void
named_row(page_html *h, const char *name, const page_spot *value)
{
    if (page_is_null(value))
        return;
    page_words(h, "dt", NULL, name);
    page_show(h, "dd", NULL, value);
}

static void
row(page_html *h, const char *name, const page_spot *in, const char *key)
{
    const page_spot value = page_member(in, key);
    named_row(h, name, &value);
}

static void
texts_row(page_html *h, const char *name, const page_spot *in, const char *key)
{
    const page_spot list = page_member(in, key);
    const size_t n = page_size(&list);
    if (n == 0)
        return;
    page_words(h, "dt", NULL, name);
    page_begin(h, "dd", NULL);
    if (n > 1)
        page_begin(h, "ul", NULL);
    for (size_t i = 0; i < n; i++) {
        const page_spot s = page_item(&list, i);
        page_show(h, n > 1 ? "li" : "span", NULL, &s);
    }
    if (n > 1)
        page_end(h);
    page_end(h);
}

/* The facts of a counterexample, each by its name. */
static void
fact_rows(page_html *h, const page_spot *in)
{
    const page_spot facts = page_member(in, "counterexample");
    if (!json_is_object(facts.json))
        return;
    for (void *at = json_object_iter((json_t *)facts.json); at != NULL;
         at = json_object_iter_next((json_t *)facts.json, at)) {
        const page_spot value = page_member(&facts, json_object_iter_key(at));
        page_begin(h, "dt", NULL);
        page_attribute(h, "data-key", value.path);
        page_say(h, json_object_iter_key(at));
        page_end(h);
        page_show(h, "dd", "code", &value);
    }
}

static void
source_row(page_html *h, const page_spot *claim)
{
    const page_spot source = page_member(claim, "source");
    page_words(h, "dt", NULL, "Source");
    page_begin(h, "dd", NULL);
    page_member_value(h, &source, "document");
    page_say(h, ", ");
    page_member_value(h, &source, "where");
    page_end(h);
}

static void
effort_row(page_html *h, const page_spot *claim)
{
    page_words(h, "dt", NULL, "Decided");
    page_begin(h, "dd", NULL);
    page_member_value(h, claim, "checks");
    page_say(h, " exact decisions in ");
    page_seconds(h, claim, "seconds");
    page_end(h);
}

static void
mutant(page_html *h, const page_spot *m)
{
    const bool refuted = json_is_true(json_object_get(m->json, "refuted"));
    page_begin(h, "div", refuted ? "mutant" : "mutant survives");
    const page_spot verdict = page_member(m, "verdict");
    page_begin(h, "div", NULL);
    page_member_value(h, m, "id");
    page_say(h, ": ");
    page_member_value(h, m, "note");
    page_say(h, refuted ? " \xe2\x86\x92 " : " \xe2\x86\x92 SURVIVES: ");
    page_value(h, &verdict);
    page_end(h);
    page_begin(h, "dl", NULL);
    row(h, "changed", m, "at");
    row(h, "to", m, "to");
    row(h, "because", m, "problem");
    fact_rows(h, m);
    page_end(h);
    page_end(h);
}

static void
more(page_html *h, const page_spot *claim)
{
    const page_spot mutants = page_member(claim, "mutants"),
                    why = page_member(claim, "why"),
                    rest = page_member(claim, "not_shown");
    if (page_is_null(&why) && page_size(&mutants) == 0)
        return;
    page_begin(h, "details", "why");
    page_begin(h, "summary", NULL);
    page_say(h, "Why the check suffices; ");
    page_member_value(h, claim, "mutants_refuted");
    page_say(h, " of ");
    page_member_value(h, claim, "mutants_run");
    page_say(h, " mutants refuted");
    page_end(h);
    if (!page_is_null(&why))
        page_show(h, "p", NULL, &why);
    if (!page_is_null(&rest)) {
        page_begin(h, "p", NULL);
        page_words(h, "b", NULL, "Not shown: ");
        page_value(h, &rest);
        page_end(h);
    }
    for (size_t i = 0; i < page_size(&mutants); i++) {
        const page_spot m = page_item(&mutants, i);
        mutant(h, &m);
    }
    page_end(h);
}

static void
claim_head(page_html *h, const page_spot *claim)
{
    char link[120];
    const page_spot id = page_member(claim, "id"), title = page_member(claim, "title"),
                    verdict = page_member(claim, "verdict");
    page_begin(h, "header", NULL);
    badge(h, &verdict, page_text_of(&verdict));
    page_show(h, "h5", NULL, &title);
    snprintf(link, sizeof link, "#%.100s", page_member_text(claim, "anchor"));
    page_begin(h, "a", "id code");
    page_attribute(h, "href", link);
    page_value(h, &id);
    page_end(h);
    page_end(h);
}

static void
claim_article(page_html *h, const page_spot *claim)
{
    const page_spot statement = page_member(claim, "statement");
    const bool checked = strcmp(page_member_text(claim, "status"), "checked") == 0;
    page_begin(h, "article", NULL);
    page_attribute(h, "id", page_member_text(claim, "anchor"));
    claim_head(h, claim);
    page_show(h, "p", "statement", &statement);
    page_begin(h, "dl", NULL);
    source_row(h, claim);
    row(h, "Scope", claim, "scope");
    row(h, "Strength", claim, "strength");
    if (checked)
        effort_row(h, claim);
    row(h, "Not checked because", claim, "reason");
    row(h, "Undecided because", claim, "problem");
    texts_row(h,
              strcmp(page_member_text(claim, "verdict"), "holds") == 0
                  ? "Established modulo"
                  : "Human steps",
              claim, "human_steps");
    texts_row(h, "Errata", claim, "errata");
    fact_rows(h, claim);
    page_end(h);
    if (checked)
        more(h, claim);
    page_end(h);
    page_line(h);
}

/* ---- the list ------------------------------------------------------------------------- */

/* "Theorem 1: ..." before its first claim of this level. */
static void
target_head(page_html *h, const char *name)
{
    const page_spot targets = page_member(&h->root, "targets");
    for (size_t i = 0; i < page_size(&targets); i++) {
        const page_spot t = page_item(&targets, i);
        if (strcmp(page_member_text(&t, "name"), name) != 0)
            continue;
        const page_spot title = page_member(&t, "title"),
                        where = page_member(&t, "where");
        page_begin(h, "div", "target");
        page_show(h, "h4", NULL, &title);
        page_show(h, "div", "small muted", &where);
        page_end(h);
        page_line(h);
        return;
    }
}

static void
claims_of_level(page_html *h, const char *level)
{
    const page_spot claims = page_member(&h->root, "claims");
    const char *target = "";
    for (size_t i = 0; i < page_size(&claims); i++) {
        const page_spot c = page_item(&claims, i);
        if (strcmp(page_member_text(&c, "level"), level) != 0)
            continue;
        if (strcmp(page_member_text(&c, "target"), target) != 0)
            target_head(h, target = page_member_text(&c, "target"));
        claim_article(h, &c);
    }
}

static void
level_section(page_html *h, const page_spot *level)
{
    char id[80];
    const char *name = page_member_text(level, "level");
    const page_spot s = page_member(level, "level");
    if (page_member_count(level, "claims") == 0)
        return;
    page_begin(h, "section", NULL);
    snprintf(id, sizeof id, "level-%.60s", name);
    page_attribute(h, "id", id);
    page_begin(h, "h3", NULL);
    page_value(h, &s);
    page_say(h, ": ");
    page_member_value(h, level, "claims");
    page_say(h, page_member_count(level, "claims") == 1 ? " claim" : " claims");
    page_end(h);
    page_begin(h, "p", "muted");
    page_member_value(h, level, "meaning");
    page_end(h);
    claims_of_level(h, name);
    page_end(h);
}

void
page_write_claims(page_html *h)
{
    const page_spot levels = page_member(&h->root, "levels");
    page_begin(h, "h2", NULL);
    page_attribute(h, "id", "claims");
    page_say(h, "All claims");
    page_end(h);
    page_words(
        h, "p", NULL,
        "By evidence level, then in the order of the ledger. Statements are in our "
        "own words; the source is named with each.");
    for (size_t i = 0; i < page_size(&levels); i++) {
        const page_spot l = page_item(&levels, i);
        level_section(h, &l);
    }
}
