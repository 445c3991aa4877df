/* The ledger as a list: text, JSON (ckda.list/1) and Markdown. */
#include "ckda/report.h"

#include <string.h>
#include "json.h"

const char *
ckda_claim_status_name(ckda_claim_status s)
{
    static const char *const names[] = {[CKDA_CHECKED] = "checked",
                                        [CKDA_STATUS_REPORTED] = "reported",
                                        [CKDA_OPEN] = "open"};
    return names[s];
}

/* NULL for an open claim: nothing was done yet. */
static const char *
strength(const ckda_claim *c)
{
    return c->status == CKDA_OPEN ? NULL : ckda_strength_name(c->strength);
}

void
ckda_report_list_text(FILE *out, const ckda_ledger *l, const ckda_claim *const *claims,
                      size_t n)
{
    size_t count[3] = {0};
    int width = 8;
    const char *target = "";
    for (size_t i = 0; i < n; i++) {
        int length = (int)strlen(claims[i]->id);
        width = length > width ? length : width;
    }
    for (size_t i = 0; i < n; i++) {
        const ckda_claim *c = claims[i];
        if (strcmp(c->target, target) != 0) {
            const ckda_target *t = ckda_ledger_target(l, c->target);
            fprintf(out, "%s%s: %s   (%s)\n", i > 0 ? "\n" : "", t->name, t->title,
                    t->where);
        }
        target = c->target;
        fprintf(out, "  %-8s  %-*s  %-11s  %s\n", ckda_claim_status_name(c->status),
                width, c->id, strength(c) != NULL ? strength(c) : "-", c->title);
        if (c->status != CKDA_CHECKED)
            fprintf(out, "            %*s  %-11s  reason: %s\n", width, "", "",
                    c->reason);
        count[c->status]++;
    }
    fprintf(out, "%s%zu claims: %zu checked, %zu open, %zu reported.\n",
            n > 0 ? "\n" : "", n, count[CKDA_CHECKED], count[CKDA_OPEN],
            count[CKDA_STATUS_REPORTED]);
}

void
ckda_report_list_json(FILE *out, const ckda_claim *const *claims, size_t n)
{
    json_t *document = json_object(), *list = json_array();
    for (size_t i = 0; i < n; i++) {
        const ckda_claim *c = claims[i];
        json_t *claim = json_object();
        json_put_text(claim, "id", c->id);
        json_put_text(claim, "target", c->target);
        json_put_text(claim, "title", c->title);
        json_put(claim, "source", json_source(c));
        json_put_text(claim, "strength", strength(c));
        json_put_text(claim, "status", ckda_claim_status_name(c->status));
        json_put_text(claim, "reason", c->reason);
        json_put(claim, "aliases", json_texts(c->aliases));
        json_put_count(claim, "mutants", c->nmutants);
        json_append(list, claim);
    }
    json_put_text(document, "schema", "ckda.list/1");
    json_put(document, "claims", list);
    json_print(out, document);
}

/* Text of a cell: a bar would end it, and a star, an underscore or a bracket would be
 * read. */
static void
cell(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (strchr("|*_<[`\\", *text) != NULL)
            fputc('\\', out);
        fputc(*text == '\n' ? ' ' : *text, out);
    }
}

static void
markdown_row(FILE *out, const ckda_claim *c)
{
    fprintf(out, "| `%s` | ", c->id);
    cell(out, c->title);
    fprintf(out, " | %s | %s | ", ckda_claim_status_name(c->status),
            strength(c) != NULL ? strength(c) : "");
    if (c->status == CKDA_CHECKED)
        fprintf(out, "%zu mutant%s", c->nmutants, c->nmutants == 1 ? "" : "s");
    else
        cell(out, c->reason);
    for (const char **step = c->human_steps; *step != NULL; step++) {
        fputs(step == c->human_steps ? "; modulo: " : "; ", out);
        cell(out, *step);
    }
    for (const char **erratum = c->errata; *erratum != NULL; erratum++) {
        fputs("; erratum ", out);
        cell(out, *erratum);
    }
    fputs(" |\n", out);
}

void
ckda_report_list_markdown(FILE *out, const ckda_ledger *l)
{
    size_t n = ckda_ledger_size(l), count[3] = {0};
    const char *target = "";
    for (size_t i = 0; i < n; i++)
        count[ckda_ledger_claim(l, i)->status]++;
    fprintf(
        out,
        "# Claims\n\nWritten by `ckda list --markdown` from the documents in `proofs/`; "
        "do not edit.\n\n%zu claims: %zu checked, %zu open, %zu reported.\n",
        n, count[CKDA_CHECKED], count[CKDA_OPEN], count[CKDA_STATUS_REPORTED]);
    for (size_t i = 0; i < n; i++) {
        const ckda_claim *c = ckda_ledger_claim(l, i);
        if (strcmp(c->target, target) != 0) {
            const ckda_target *t = ckda_ledger_target(l, c->target);
            target = t->name;
            fputs("\n## ", out);
            cell(out, t->title);
            fprintf(out, "\n\n`%s`: ", t->name);
            cell(out, t->where);
            fputs(
                "\n\n| id | claim | status | strength | notes |\n|---|---|---|---|---|\n",
                out);
        }
        markdown_row(out, c);
    }
}
