/* Test Anything Protocol, version 13. */
#include "ckda/report.h"

#include <string.h>

void
ckda_tap_begin(FILE *out, size_t n)
{
    fprintf(out, "TAP version 13\n1..%zu\n", n);
    fflush(out);
}

/* A description ends at the line's end, and "#" would start a directive. */
static void
description(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '#' || *text == '\\')
            fputc('\\', out);
        fputc(*text == '\n' || *text == '\r' ? ' ' : *text, out);
    }
}

/* A text in YAML's double quotes. */
static void
quoted(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < 32)
            fprintf(out, "\\x%02x", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

static void
yaml_entry(FILE *out, const char *key, const char *value)
{
    fputs("  ", out);
    quoted(out, key);
    fputs(": ", out);
    quoted(out, value);
    fputc('\n', out);
}

static void
diagnosis(FILE *out, const ckda_outcome *o)
{
    fputs("  ---\n", out);
    yaml_entry(out, "verdict", ckda_verdict_name(o));
    if (o->truth == CKDA_UNKNOWN)
        yaml_entry(out, "problem", o->evidence.problem.text);
    for (size_t i = 0; o->truth == CKDA_FALSE && i < o->evidence.nfacts; i++)
        yaml_entry(out, o->evidence.facts[i].key, o->evidence.facts[i].value);
    fputs("  ...\n", out);
}

void
ckda_tap_add(FILE *out, size_t number, const ckda_outcome *o)
{
    const ckda_claim *c = o->claim;
    ckda_truth wanted = o->mutant != NULL ? CKDA_FALSE : CKDA_TRUE;
    bool skipped = c->status != CKDA_CHECKED;
    bool ok = skipped || o->truth == wanted;
    fprintf(out, "%s %zu - ", ok ? "ok" : "not ok", number);
    if (o->mutant != NULL) {
        fprintf(out, "mutant %s: ", o->mutant->name);
        description(out, o->mutant->note);
    } else {
        fprintf(out, "%s: ", c->id);
        description(out, c->title);
    }
    if (skipped) {
        fprintf(out, " # SKIP %s: ", ckda_claim_status_name(c->status));
        description(out, c->reason);
    }
    fputc('\n', out);
    if (!ok)
        diagnosis(out, o);
    fflush(out);
}
