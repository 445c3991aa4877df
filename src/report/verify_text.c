/* The verification for people: grouped by target, a row a claim. */
#include "ckda/report.h"

#include <stdlib.h>
#include <string.h>
#include "verify_json.h"

enum { TITLE_WIDTH = 74, SCOPE_WIDTH = 58, STRENGTH_WIDTH = 11 };

struct ckda_text_report {
    FILE *out;
    const ckda_ledger *ledger;
    bool list_unchecked;
    bool whole; /* a single row is shown uncut */
    bool quiet;
    int id_width;
    const char *target; /* of the last row */
};

static int
name_width(const ckda_outcome *outcomes, size_t n, int width)
{
    for (size_t i = 0; i < n; i++) {
        const char *name =
            outcomes[i].mutant != NULL ? outcomes[i].mutant->name : outcomes[i].claim->id;
        int length = (int)strlen(name);
        width = length > width ? length : width;
    }
    return width;
}

ckda_text_report *
ckda_text_report_open(FILE *out, const ckda_verification *v)
{
    ckda_text_report *r = flint_malloc(sizeof *r);
    *r = (ckda_text_report){.out = out,
                            .ledger = v->ledger,
                            .list_unchecked = v->list_unchecked,
                            .whole = v->nclaims + v->nmutants == 1,
                            .quiet = v->quiet};
    r->id_width = name_width(v->claims, v->nclaims, 8);
    r->id_width = name_width(v->mutants, v->nmutants, r->id_width);
    if (!v->quiet)
        fprintf(out, "%s   effort %s   seed %llu\n", ckda_report_version(),
                verify_effort_name(v->effort), (unsigned long long)v->seed);
    return r;
}

/* Columns, not bytes: continuation bytes of UTF-8 take no room. */
static int
columns(const char *text)
{
    int n = 0;
    for (; *text != '\0'; text++)
        n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

static void
padded(FILE *out, const char *text, int width)
{
    fprintf(out, "%s%*s", text, columns(text) < width ? width - columns(text) : 0, "");
}

static void
head_of_target(ckda_text_report *r, const ckda_claim *c)
{
    if (r->target != NULL && strcmp(r->target, c->target) == 0)
        return;
    const ckda_target *target = ckda_ledger_target(r->ledger, c->target);
    r->target = c->target;
    fputc('\n', r->out);
    padded(r->out, target->title, TITLE_WIDTH);
    fprintf(r->out, "  %s\n", target->where);
}

static void
facts(FILE *out, const ckda_evidence *ev)
{
    for (size_t i = 0; i < ev->nfacts; i++)
        fprintf(out, "             %s: %s\n", ev->facts[i].key, ev->facts[i].value);
}

/* The text in a column of the table: cut at SCOPE_WIDTH, never inside a character. */
static void
scope_column(const ckda_text_report *r, const char *text)
{
    if (r->whole || columns(text) <= SCOPE_WIDTH) {
        padded(r->out, text, SCOPE_WIDTH);
        return;
    }
    for (int shown = 0; shown < SCOPE_WIDTH - 3 || ((unsigned char)*text & 0xc0) == 0x80;
         text++) {
        fputc(*text, r->out);
        shown += ((unsigned char)text[1] & 0xc0) != 0x80;
    }
    fputs("...", r->out);
}

/* The verdict in its column, in the colour of what it means for the reader. */
static void
verdict_column(const ckda_text_report *r, const char *verdict, ckda_truth meaning)
{
    fprintf(r->out, "  %s%-9s%s  ", ckda_report_tone(meaning), verdict,
            ckda_report_tone_end());
}

static void
row(const ckda_text_report *r, const char *name, const char *strength, const char *scope)
{
    padded(r->out, name, r->id_width);
    fprintf(r->out, "  %-*s  ", STRENGTH_WIDTH, strength);
    scope_column(r, scope != NULL ? scope : "");
}

static void
checked_row(ckda_text_report *r, const ckda_outcome *o)
{
    const ckda_claim *c = o->claim;
    verdict_column(r, ckda_verdict_name(o), o->truth);
    row(r, c->id, ckda_strength_name(o->evidence.strength), o->evidence.scope);
    fprintf(r->out, "  %6.2f s\n", o->seconds);
    if (o->truth == CKDA_TRUE)
        for (const char **step = c->human_steps; *step != NULL; step++)
            fprintf(r->out, "             established modulo: %s\n", *step);
    if (o->truth == CKDA_FALSE)
        facts(r->out, &o->evidence);
    if (o->truth == CKDA_UNKNOWN)
        fprintf(r->out, "             because: %s\n", o->evidence.problem.text);
}

static void
mutant_row(ckda_text_report *r, const ckda_outcome *o)
{
    bool refuted = o->truth == CKDA_FALSE;
    verdict_column(r, refuted ? "refuted" : "SURVIVES", refuted ? CKDA_TRUE : CKDA_FALSE);
    row(r, o->mutant->name, "mutant", o->mutant->note);
    fprintf(r->out, "  %6.2f s\n", o->seconds);
    if (refuted)
        facts(r->out, &o->evidence);
    else if (o->truth == CKDA_UNKNOWN)
        fprintf(r->out, "             undecided: %s\n", o->evidence.problem.text);
    else
        fprintf(r->out, "             the check still holds (%s)\n",
                o->evidence.scope != NULL ? o->evidence.scope : "no scope given");
}

/* Did it come out as it should? */
static bool
is_right(const ckda_outcome *o)
{
    return o->truth == (o->mutant != NULL ? CKDA_FALSE : CKDA_TRUE);
}

void
ckda_text_report_add(ckda_text_report *r, const ckda_outcome *o)
{
    const ckda_claim *c = o->claim;
    if (c->status != CKDA_CHECKED && (!r->list_unchecked || r->quiet))
        return;
    if (r->quiet && is_right(o))
        return;
    head_of_target(r, c);
    if (o->mutant != NULL)
        mutant_row(r, o);
    else if (c->status == CKDA_CHECKED)
        checked_row(r, o);
    else {
        fprintf(r->out, "  %-9s  ", ckda_claim_status_name(c->status));
        row(r, c->id, "-", c->reason);
        fputc('\n', r->out);
    }
    fflush(r->out);
}

/* A claim to look at: the first that does not hold, else the last one. */
static const char *
worth_explaining(const ckda_verification *v)
{
    const char *id = NULL;
    for (size_t i = 0; i < v->nclaims; i++) {
        if (v->claims[i].claim->status != CKDA_CHECKED)
            continue;
        id = v->claims[i].claim->id;
        if (v->claims[i].truth != CKDA_TRUE)
            break;
    }
    return id;
}

void
ckda_text_report_close(ckda_text_report **r, const ckda_verification *v)
{
    FILE *out = (*r)->out;
    ckda_summary s;
    ckda_verification_summary(&s, v);
    size_t run = s.holds + s.refuted + s.undecided;
    if (!v->quiet)
        fputc('\n', out);
    if (v->nclaims > 0 || !v->with_mutants)
        fprintf(out, "%zu claim%s: %zu hold%s, %zu refuted, %zu undecided.", run,
                run == 1 ? "" : "s", s.holds, s.holds == 1 ? "s" : "", s.refuted,
                s.undecided);
    if (v->with_mutants)
        fprintf(out, "%s%zu mutant%s: %zu refuted.", v->nclaims > 0 ? "   " : "",
                s.mutants, s.mutants == 1 ? "" : "s", s.mutants_refuted);
    else
        fputs("   Mutants: ckda verify --mutants", out);
    const char *id = worth_explaining(v);
    if (id != NULL)
        fprintf(out, "   Details: ckda explain %s", id);
    fputc('\n', out);
    if (s.not_run + s.reported > 0)
        fprintf(out,
                "Not checked: %zu open, %zu only reported by the source "
                "(ckda list --status open).\n",
                s.not_run, s.reported);
    flint_free(*r);
    *r = NULL;
}
