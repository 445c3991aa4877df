/* `ckda range` as text; the JSON is in range_json.c. */
#include "range.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "ckda/report.h"

const char *
ckda_range_verdict_name(ckda_truth fits)
{
    return fits == CKDA_TRUE ? "fits" : fits == CKDA_FALSE ? "breaks" : "undecided";
}

/* The exact value of a pattern, short formats in decimal; in a static buffer. */
const char *
range_value_of(uint64_t x, const ckda_fp_format *f)
{
    static char text[64];
    snprintf(text, sizeof text, "%.17g", ckda_fp_get_double(x, f));
    return text;
}

const char *
range_break_name(ckda_break why)
{
    return why == CKDA_BREAK_OVERFLOW ? "overflow" : "underflow";
}

static const char *const how_names[] = {"rounded once", "every step rounded",
                                        "tanh, every step rounded"};
static const char *const edge_names[] = {"beta = scale", "beta = 0", "|alpha| = 1"};

/* ---- text: chunk ------------------------------------------------------------------------ */

static void
print_fmpq(FILE *out, const char *before, const fmpq_t q)
{
    char *text = fmpq_get_str(NULL, 10, q);
    fprintf(out, "%s%s", before, text);
    flint_free(text);
}

static void
print_scheme(FILE *out, const ckda_range_chunk *r)
{
    const ckda_range_scheme *s = &r->scheme;
    fprintf(out, "chunk of %ld tokens, ", (long)s->length);
    if (s->inverse == CKDA_INVERSE_NEUMANN)
        fputs("Neumann product", out);
    else
        fputs("forward substitution", out);
    fprintf(out, " on blocks of %ld in %s", (long)s->block, s->matrix->name);
    if (s->accumulate != NULL)
        fprintf(out, " (sums in %s)", s->accumulate->name);
    fprintf(out, ", W and U in %s\n", s->wy->name);
    if (r->gating != CKDA_GATE_NONE)
        fprintf(out,
                "gates: anchor tiles of %ld, measured from %s; factors in %s, keys times "
                "factors in %s%s\n",
                (long)s->tile, ckda_range_anchor_name(s->anchor), s->gate->name,
                s->factor->name, s->ftz ? ", subnormals flushed" : "");
    if (!r->box) {
        fprintf(out, "inputs: the %ld given tokens, %s\n", (long)r->tokens,
                r->balls ? "enclosed" : "exactly");
        return;
    }
    print_fmpq(out, "inputs: all with beta in [0, ", r->beta_max);
    print_fmpq(out, "], |key| <= ", r->norm_max);
    print_fmpq(out, ", |cosine of two keys| <= ", r->correlation_max);
    if (r->gating == CKDA_GATE_NONE)
        fputs(", no gates", out);
    else
        print_fmpq(out,
                   r->gating == CKDA_GATE_SCALAR ? ", one log gate a token in ["
                                                 : ", log gates in [",
                   r->gate_bound);
    fputs(r->gating == CKDA_GATE_NONE ? "\n" : ", 0]\n", out);
}

/* Exact if short, else the decimal. */
static const char *
short_text(const ckda_range_number *n)
{
    return n->exact != NULL && strlen(n->exact) <= 22 ? n->exact : n->decimal;
}

static void
print_witness(FILE *out, const char *what, const ckda_range_witness *w)
{
    if (!w->present)
        return;
    fprintf(out, "      %s: %ld token%s", what, (long)w->tokens,
            w->tokens == 1 ? "" : "s");
    if (w->gated) {
        print_fmpq(out, ", each with log gate ", w->log_gate);
        if (w->open >= 0)
            fprintf(out, ", but token %ld with gate 1", (long)w->open + 1);
        fputc('\n', out);
        return;
    }
    if (fmpq_is_one(w->rho))
        fputs(" with equal keys", out);
    else
        print_fmpq(out, ", any two keys with cosine ", w->rho);
    if (!fmpq_is_one(w->norm))
        print_fmpq(out, " of length ", w->norm);
    print_fmpq(out, ", beta = ", w->beta);
    fputc('\n', out);
}

static void
print_item(FILE *out, const ckda_range_item *i, const ckda_range_chunk *r)
{
    char range[64], limit[32];
    snprintf(range, sizeof range, "%s%s",
             i->attained ? "" : "<= ", short_text(&i->largest));
    snprintf(limit, sizeof limit, "%.6g",
             ckda_fp_get_double(i->format->largest, i->format));
    fprintf(out, "  %-15s %-26s %-5s %-12s %s", i->name, range, i->format->name, limit,
            ckda_range_verdict_name(i->fits));
    if (i->fits == CKDA_FALSE)
        fprintf(out, ": %s", range_break_name(i->why));
    else if (i->fits == CKDA_TRUE && r->box)
        fputs(" (proved)", out);
    fputc('\n', out);
    if (!i->attained)
        fprintf(out, "      %s occurs\n", short_text(&i->reached));
    if (i->why == CKDA_BREAK_UNDERFLOW)
        fprintf(out,
                "      smallest factor %s becomes 0, and with it entries of L that are "
                "not small\n",
                short_text(&i->smallest));
    if (i->integers_lost == CKDA_TRUE && i->fits == CKDA_TRUE)
        fprintf(out, "      above 2^%d: integers are no longer exact in %s\n",
                i->format->precision, i->format->name);
    if (i->fits == CKDA_FALSE && i->bound_that_fits != NULL)
        fprintf(out, "      fits while every |log gate| is below %s\n",
                i->bound_that_fits);
    if (i->fits == CKDA_FALSE && i->chunk >= 0)
        fprintf(out, "      at chunk %ld, row %ld, column %ld\n", (long)i->chunk,
                (long)i->row, (long)i->col);
    print_witness(out, "shortest input", &i->shortest);
    print_witness(out, "smallest beta on the grid", &i->least);
}

static void
print_emulation(FILE *out, const ckda_range_emulation *e, const ckda_range_scheme *s)
{
    fprintf(out, "computed in %s, %ld x %ld entries", s->matrix->name, (long)e->tokens,
            (long)e->tokens);
    if (e->beta != NULL)
        fprintf(out, ", keys with equal inner products, beta = %s", e->beta);
    fprintf(out, ": %s\n", ckda_range_verdict_name(e->fits));
    if (e->computed == NULL) {
        fputs("  the entries of L could not be rounded: enclosures too wide\n", out);
        return;
    }
    fprintf(out, "  %zu of %zu entries not finite; exact inverse at most %s\n",
            e->nonfinite, e->entries, short_text(&e->inverse));
    if (e->error.decimal != NULL)
        fprintf(out, "  largest error %s (tolerance %s of the largest entry)\n",
                short_text(&e->error), e->tolerance);
    fprintf(out, "  entry (%ld, %ld): %s, should be %s\n", (long)e->row, (long)e->col,
            e->computed, short_text(&e->should));
    if (e->beta == NULL)
        return;
    fprintf(out,
            "  on the grid of %s: first beta with a non-finite entry %s, above the "
            "tolerance %s\n",
            e->grid, e->first_nonfinite != NULL ? e->first_nonfinite : "none",
            e->first_wrong != NULL ? e->first_wrong : "none");
}

static void
print_laws(FILE *out, const ckda_range_laws *l)
{
    static const char *const says[] = {"no", "yes", "not decided"};
    if (l->has_values)
        fprintf(out, "chunk form equals the recurrence: %s\n",
                says[l->chunk_equals_recurrence]);
    if (l->compared)
        fprintf(out, "gated equals ungated in every entry: %s\n", says[l->ungated]);
    if (l->period_is_identity == CKDA_TRUE)
        fputs("the transitions of each chunk multiply to the identity\n", out);
    if (l->state != NULL && strlen(l->state) <= 200)
        fprintf(out, "final state %s\n", l->state);
}

static void
print_chunk(FILE *out, const ckda_range_chunk *r)
{
    print_scheme(out, r);
    fprintf(out, "\n  %-15s %-26s %-5s %-12s %s\n", "intermediate", "largest magnitude",
            "in", "limit", "verdict");
    for (size_t i = 0; i < r->nitems; i++)
        print_item(out, r->item + i, r);
    fputc('\n', out);
    if (r->emulation.present)
        print_emulation(out, &r->emulation, &r->scheme);
    if (!r->box)
        print_laws(out, &r->laws);
}

/* ---- text: gates and dot ---------------------------------------------------------------- */

static void
print_gate(FILE *out, const ckda_gates_value *v, const ckda_gates *g)
{
    fprintf(out, "  %s", v->is_beta ? "beta " : "alpha");
    if (v->logit != NULL)
        fprintf(out, " of logit %s", v->logit);
    fprintf(out, " = %s",
            v->exact != NULL && strlen(v->exact) < 40 ? v->exact : v->decimal);
    if (v->decided != CKDA_TRUE) {
        fputs(": rounding not decided\n", out);
        return;
    }
    fprintf(out, " -> %s %s", g->format->name, range_value_of(v->rounded, g->format));
    if (v->has_steps)
        fprintf(out, " (every step rounded: %s)", range_value_of(v->steps, g->format));
    fputc('\n', out);
    fprintf(out, "      %s %s\n",
            v->is_beta ? "below its end point by" : "decay per step", v->decay);
    if (v->collapses)
        fprintf(out, "      breaks: rounds to exactly %s, which the true value is not\n",
                v->endpoint);
    if (v->has_horizon && v->horizon_known) {
        if (v->horizon > 0)
            fprintf(out, "      below the threshold from step %" PRIu64, v->horizon);
        else
            fputs("      never below the threshold", out);
        if (v->horizon_rounded > 0)
            fprintf(out, "; rounded: from step %" PRIu64 "\n", v->horizon_rounded);
        else
            fputs("; rounded: never\n", out);
    }
    if (v->power != NULL)
        fprintf(out, "      to the power %" PRIu64 ": %s; rounded: %s\n", g->steps,
                v->power, v->power_rounded);
}

static void
print_gates(FILE *out, const ckda_gates *g)
{
    for (size_t i = 0; i < g->nvalues; i++)
        print_gate(out, g->value + i, g);
    for (size_t i = 0; i < g->ncompares; i++) {
        const ckda_gates_compare *c = g->compare + i;
        fprintf(out, "  beta %s in %s and in %s, decay %s: ", g->value[c->value].decimal,
                c->a->name, c->b->name, c->alpha);
        if (c->first == 0)
            fprintf(out, "%s outputs never differ", c->output->name);
        else
            fprintf(out, "%s outputs differ from token %" PRIu64 " on (%s, %s)",
                    c->output->name, c->first, c->first_a, c->first_b);
        fprintf(out, "; states in the end apart by %s\n", c->last);
    }
    if (g->nlimits > 0)
        fprintf(out, "\n  first %s logit at which the %s value is at its end point\n",
                g->logits->name, g->format->name);
    for (size_t i = 0; i < g->nlimits; i++)
        fprintf(out, "  %-14s %-26s %s\n", edge_names[g->limit[i].edge],
                how_names[g->limit[i].how],
                g->limit[i].exists ? g->limit[i].decimal : "never");
}

static void
print_pattern(FILE *out, const char *what, uint64_t x, const ckda_fp_format *f)
{
    fprintf(out, "  %-28s %-24s 0x%0*" PRIx64 "\n", what, range_value_of(x, f),
            (f->width + 3) / 4, x);
}

static void
print_dot(FILE *out, const ckda_range_dot *d)
{
    const ckda_fp_format *f = d->model.acc;
    fprintf(out, "inner product of %ld terms, accumulator %s\n", (long)d->n, f->name);
    fprintf(out, "  %-28s %s\n", "exact", short_text(&d->exact));
    print_pattern(out, "exact, rounded once", d->rounded, f);
    print_pattern(out, "model", d->modelled, f);
    print_pattern(out, "left to right", d->sequential, f);
    print_pattern(out, "left to right, fused", d->fused, f);
}

void
ckda_report_range(FILE *out, bool json, const ckda_range_t r)
{
    if (json) {
        range_print_json(out, r);
        return;
    }
    if (r->comment != NULL)
        fprintf(out, "%s\n", r->comment);
    if (r->kind == CKDA_RANGE_CHUNK)
        print_chunk(out, &r->chunk);
    else if (r->kind == CKDA_RANGE_GATES)
        print_gates(out, &r->gates);
    else
        print_dot(out, &r->dot);
    fprintf(out, "verdict: %s%s%s\n", ckda_report_tone(r->verdict),
            ckda_range_verdict_name(r->verdict), ckda_report_tone_end());
}
