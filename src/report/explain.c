/* One claim in full. */
#include "ckda/report.h"

#include <stdlib.h>
#include <string.h>
#include "json.h"

enum { WIDTH = 88, INDENT = 4 };

/* The text broken between words at WIDTH columns, each line indented. */
static void
paragraph(FILE *out, const char *text)
{
    int column = 0;
    while (*text != '\0') {
        int length = (int)strcspn(text, " \n");
        if (column > 0 && column + 1 + length > WIDTH) {
            fputc('\n', out);
            column = 0;
        }
        if (length > 0) {
            if (column == 0)
                column = fprintf(out, "%*s%.*s", INDENT, "", length, text);
            else
                column += fprintf(out, " %.*s", length, text);
        }
        text += length;
        text += *text != '\0';
    }
    fputc('\n', out);
}

static void
section(FILE *out, const char *head, const char *text)
{
    if (text == NULL)
        return;
    fprintf(out, "\n%s\n", head);
    paragraph(out, text);
}

static void
list(FILE *out, const char *head, const char *const *texts)
{
    if (*texts == NULL)
        return;
    fprintf(out, "\n%s\n", head);
    for (; *texts != NULL; texts++)
        paragraph(out, *texts);
}

/* What is changed, from what to what, as JSON. */
static void
mutants(FILE *out, const ckda_claim *c)
{
    if (c->nmutants == 0)
        return;
    fputs("\nMutants (inputs that the same check must refute)\n", out);
    for (size_t i = 0; i < c->nmutants; i++) {
        const ckda_mutant *m = &c->mutants[i];
        char *to =
            m->to != NULL ? json_dumps(m->to, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
        fprintf(out, "%*s%s: %s\n%*s%s %s%s\n", INDENT, "", m->name, m->note, 2 * INDENT,
                "", m->at, to != NULL ? "becomes " : "is removed", to != NULL ? to : "");
        free(to);
    }
}

void
ckda_report_explain_text(FILE *out, const ckda_ledger *l, const ckda_claim *c)
{
    const ckda_target *t = ckda_ledger_target(l, c->target);
    fprintf(out, "%s: %s\n", c->id, c->title);
    fprintf(out, "%*spart of %s (%s)\n", INDENT, "", t->name, t->title);
    fprintf(out, "%*ssource: %s, %s\n", INDENT, "", c->document, c->where);
    fprintf(out, "%*sstatus: %s", INDENT, "", ckda_claim_status_name(c->status));
    if (c->status == CKDA_CHECKED)
        fprintf(out, ", %s%s (check \"%s\")", ckda_strength_name(c->strength),
                c->human_steps[0] != NULL ? ", established modulo human steps" : "",
                c->check_name);
    fputc('\n', out);
    if (c->aliases[0] != NULL) {
        fprintf(out, "%*salso called:", INDENT, "");
        for (const char **alias = c->aliases; *alias != NULL; alias++)
            fprintf(out, " %s", *alias);
        fputc('\n', out);
    }
    section(out, "Statement", c->statement);
    section(out, "Why the check suffices", c->why);
    section(out, "Not shown", c->not_shown);
    section(out,
            c->status == CKDA_OPEN ? "Why it is open" : "Why it is not evaluated here",
            c->reason);
    list(out, "Taken from a human proof or a citation", c->human_steps);
    list(out, "Errata", c->errata);
    mutants(out, c);
}

static json_t *
mutants_json(const ckda_claim *c)
{
    json_t *array = json_array();
    for (size_t i = 0; i < c->nmutants; i++) {
        const ckda_mutant *m = &c->mutants[i];
        json_t *object = json_object();
        json_put_text(object, "id", m->name);
        json_put_text(object, "note", m->note);
        json_put_text(object, "at", m->at);
        if (m->to != NULL)
            json_put(object, "to", json_deep_copy(m->to));
        json_append(array, object);
    }
    return array;
}

static json_t *
claim_json(const ckda_claim *c)
{
    json_t *object = json_object();
    bool checked = c->status == CKDA_CHECKED;
    json_put_text(object, "id", c->id);
    json_put_text(object, "target", c->target);
    json_put_text(object, "title", c->title);
    json_put_text(object, "statement", c->statement);
    json_put(object, "source", json_source(c));
    json_put_text(object, "status", ckda_claim_status_name(c->status));
    json_put_text(object, "strength",
                  c->status == CKDA_OPEN ? NULL : ckda_strength_name(c->strength));
    json_put_text(object, "why", c->why);
    json_put_text(object, "not_shown", c->not_shown);
    json_put_text(object, "reason", c->reason);
    json_put(object, "human_steps", json_texts(c->human_steps));
    json_put(object, "errata", json_texts(c->errata));
    json_put(object, "aliases", json_texts(c->aliases));
    json_put_text(object, "check", checked ? c->check_name : NULL);
    json_put(object, "input", checked ? json_deep_copy(c->input) : json_null());
    json_put(object, "mutants", mutants_json(c));
    return object;
}

void
ckda_report_explain_json(FILE *out, const ckda_claim *const *claims, size_t n)
{
    json_t *document = json_object(), *array = json_array();
    for (size_t i = 0; i < n; i++)
        json_append(array, claim_json(claims[i]));
    json_put_text(document, "schema", "ckda.explain/1");
    json_put(document, "claims", array);
    json_print(out, document);
}
