/* Results of sweep: text, JSON, CSV. */
#include "ckda/report_sweep.h"

#include <inttypes.h>
#include <stdlib.h>
#include "json.h"
#include "sweep_json.h"

enum { MAX_DRAWN = 100 }; /* cells a side that a terminal can show */

static ckda_sweep_kind
kind_at(const ckda_sweep_struct *s, slong i, slong j)
{
    return (ckda_sweep_kind)s->kind[j * (s->plan.cells + 1) + i];
}

static const char *
axis_unit(const ckda_sweep_struct *s, ckda_sweep_axis a)
{
    if (a != CKDA_SWEEP_THETA)
        return ckda_sweep_axis_name(a);
    return s->plan.cosine ? "theta in degrees" : "tan(theta/2)";
}

/* How the curve of F1 reads for these axes. */
static const char *
boundary_text(const ckda_sweep_struct *s)
{
    if (s->plan.any_key)
        return "some key has a pair iff beta > 1 and alpha < 0 (F3)";
    return "a pair iff |mu - tau| < 90 degrees - theta < min(mu + tau, 180 degrees - mu "
           "- "
           "tau), tan^2 mu = beta - 1, tan^2 tau = -alpha/second (F1)";
}

/* ---- JSON ---------------------------------------------------------------------------- */

static json_t *
axis_json(const ckda_sweep_struct *s, ckda_sweep_axis a)
{
    json_t *object = json_object(), *values = json_array();
    for (slong i = 0; i <= s->plan.cells; i++) {
        char *text = ckda_sweep_value(s, a, i);
        json_append_text(values, text);
        free(text);
    }
    json_put_text(object, "axis", ckda_sweep_axis_name(a));
    json_put_text(object, "values_are", axis_unit(s, a));
    json_put(object, "values", values);
    return object;
}

static json_t *
fixed_json(const ckda_sweep_plan *p)
{
    json_t *object = json_object();
    json_put_text(object, "alpha", p->alpha);
    json_put_text(object, "beta", p->beta);
    json_put_text(object, "second", p->second);
    json_put_text(object, "tan(theta/2)", p->tangent);
    return object;
}

static json_t *
cells_json(const ckda_sweep_struct *s)
{
    json_t *rows = json_array();
    for (slong j = 0; j <= s->plan.cells; j++) {
        json_t *row = json_array();
        for (slong i = 0; i <= s->plan.cells; i++)
            json_append(row, json_integer(kind_at(s, i, j)));
        json_append(rows, row);
    }
    return rows;
}

json_t *
sweep_json(const ckda_sweep_report *r)
{
    const ckda_sweep_struct *s = r->sweep;
    json_t *document = json_object(), *kinds = json_array(), *counts = json_object();
    for (int k = 0; k < CKDA_SWEEP_KINDS; k++) {
        const char *name = ckda_sweep_kind_name((ckda_sweep_kind)k);
        json_append_text(kinds, name);
        json_put_count(counts, name, s->count[k]);
    }
    json_put_text(document, "schema", "ckda.sweep/1");
    json_put(document, "figure", r->figure > 0 ? json_integer(r->figure) : json_null());
    json_put(document, "x", axis_json(s, s->plan.x));
    json_put(document, "y", axis_json(s, s->plan.y));
    json_put(document, "fixed", fixed_json(&s->plan));
    json_put_text(document, "key", s->plan.any_key ? "any" : "theta");
    json_put(document, "kinds", kinds);
    json_put(document, "counts", counts);
    json_put(document, "cells", cells_json(s));
    json_put_text(document, "boundary", boundary_text(s));
    json_put_count(document, "decided_twice", s->second_ways);
    json_put(document, "field", json_field(s->K));
    return document;
}

/* ---- text ---------------------------------------------------------------------------- */

static void
print_fixed(FILE *out, const ckda_sweep_plan *p)
{
    const char *name[] = {"alpha", "beta", "second gate", "tan(theta/2)"};
    const char *text[] = {p->alpha, p->beta, p->second, p->tangent};
    fputs("  fixed     ", out);
    for (int i = 0; i < 4; i++)
        if (text[i] != NULL)
            fprintf(out, " %s = %s", name[i], text[i]);
    fputc('\n', out);
}

static void
print_cells(FILE *out, const ckda_sweep_struct *s)
{
    static const char sign[CKDA_SWEEP_KINDS] = {'.', '=', 'o', '@'};
    for (slong j = s->plan.cells; j >= 0; j--) {
        fputs("  ", out);
        for (slong i = 0; i <= s->plan.cells; i++)
            fputc(sign[kind_at(s, i, j)], out);
        fputc('\n', out);
    }
    fprintf(out, "  x to the right: %s; y upwards: %s\n", axis_unit(s, s->plan.x),
            axis_unit(s, s->plan.y));
    fputs("  . real  = double root  o pair  @ pair on |z| = 1\n", out);
}

static void
sweep_text(FILE *out, const ckda_sweep_report *r)
{
    const ckda_sweep_struct *s = r->sweep;
    const slong side = s->plan.cells + 1;
    if (r->figure > 0)
        fprintf(out, "Figure %d: ", r->figure);
    fprintf(
        out,
        "(I - beta k k^T) Diag(alpha, second), %ld x %ld cells, each decided exactly\n",
        (long)side, (long)side);
    print_fixed(out, &s->plan);
    if (s->plan.any_key)
        fputs("  key        is there any key with a complex pair?\n", out);
    fputs("  cells     ", out);
    for (int k = 0; k < CKDA_SWEEP_KINDS; k++)
        fprintf(out, " %" PRIu64 " %s%s", s->count[k],
                ckda_sweep_kind_name((ckda_sweep_kind)k),
                k + 1 < CKDA_SWEEP_KINDS ? "," : "\n");
    fprintf(out,
            "  boundary   %s\n  twice      %" PRIu64
            " cells decided in a second way, which agrees\n",
            boundary_text(s), s->second_ways);
    if (s->plan.cells <= MAX_DRAWN)
        print_cells(out, s);
}

void
ckda_report_sweep(FILE *out, bool json, const ckda_sweep_report *r)
{
    if (json)
        json_print(out, sweep_json(r));
    else
        sweep_text(out, r);
}

/* ---- CSV ------------------------------------------------------------------------------ */

void
ckda_report_sweep_csv(FILE *out, const ckda_sweep_report *r)
{
    const ckda_sweep_struct *s = r->sweep;
    fprintf(out, "%s,%s,eigenvalues\n", axis_unit(s, s->plan.x), axis_unit(s, s->plan.y));
    for (slong j = 0; j <= s->plan.cells; j++) {
        char *y = ckda_sweep_value(s, s->plan.y, j);
        for (slong i = 0; i <= s->plan.cells; i++) {
            char *x = ckda_sweep_value(s, s->plan.x, i);
            fprintf(out, "%s,%s,%s\n", x, y, ckda_sweep_kind_name(kind_at(s, i, j)));
            free(x);
        }
        free(y);
    }
}
