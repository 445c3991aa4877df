/* Judged traces as text.  JSON: trace_json.c. */
#include "trace_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "ckda/report.h"

const char *
trace_kernel_name(const ckda_trace_kernel *k)
{
    return k->name[0] != '\0' ? k->name : "(unnamed)";
}

const char *
trace_verdict(ckda_truth t)
{
    return t == CKDA_TRUE ? "within" : t == CKDA_FALSE ? "beyond" : "undecided";
}

static uint64_t
token(uint64_t t) /* from 1 */
{
    return t + 1;
}

/* " batch 0, head 1, channel 7", without what the trace has only one of. */
static void
put_place(FILE *out, const ckda_trace_result *r, const ckda_trace_place *p, bool channel)
{
    fprintf(out, "token %" PRIu64, token(p->t));
    if (r->batch > 1)
        fprintf(out, ", batch %" PRIu64, p->b);
    if (r->heads > 1)
        fprintf(out, ", head %" PRIu64, p->h);
    if (channel && r->rows)
        fprintf(out, ", row %" PRIu64 ", column %" PRIu64, p->c / r->columns,
                p->c % r->columns);
    else if (channel)
        fprintf(out, ", channel %" PRIu64, p->c);
}

static void
put_head(FILE *out, const ckda_judged_trace *j)
{
    const ckda_trace_result *r = j->result;
    fprintf(out, "%s", j->files[0]);
    if (j->nfiles > 1)
        fprintf(out, " and %zu more", j->nfiles - 1);
    fprintf(out, "\n  B %" PRIu64 "  T %" PRIu64 "  H %" PRIu64, r->batch, r->length,
            r->key_heads);
    if (r->heads != r->key_heads)
        fprintf(out, "  HV %" PRIu64, r->heads);
    fprintf(out, "  K %" PRIu64 "  V %" PRIu64 "   gate: %s", r->keys, r->values,
            r->gate);
    if (r->scale != NULL)
        fprintf(out, "   scale: %.40s", r->scale);
    bool o = false, final = false;
    for (size_t i = 0; i < r->nkernels; i++) {
        o = o || r->kernel[i].has_o;
        final = final || r->kernel[i].has_final;
    }
    fprintf(out, "\n  exact answer enclosed with %ld bits: radius", r->prec);
    if (o)
        fprintf(out, " %.1e of the outputs", r->radius_o.hi);
    if (final)
        fprintf(out, "%s %.1e of the final states", o ? "," : "", r->radius_final.hi);
    fprintf(out, "   %.2f s\n", j->seconds);
    if (r->rows)
        fprintf(out,
                "  no queries: the outputs are %" PRIu64 " x %" PRIu64
                " entries of the state\n",
                r->row_count, r->columns);
    for (size_t i = 0; i < r->nignored; i++)
        fprintf(out, "  tensor \"%s\" is not known and was ignored\n", r->ignored[i]);
}

/* ---- a kernel ---------------------------------------------------------------------- */

static void
put_tokens(FILE *out, const ckda_trace_result *r, const ckda_trace_kernel *k)
{
    static const struct {
        ckda_token_class class;
        const char *text;
    } rows[] = {{CKDA_TOKEN_ROUNDED, "output rounding only"},
                {CKDA_TOKEN_WITHIN, "within the bound"},
                {CKDA_TOKEN_BEYOND, "beyond the bound"},
                {CKDA_TOKEN_UNDECIDED, "undecided"},
                {CKDA_TOKEN_NONFINITE, "not finite"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint64_t n = k->tokens[rows[i].class];
        if (n == 0)
            continue;
        fprintf(out, "    %10" PRIu64 " tokens %-21s", n, rows[i].text);
        if (rows[i].class >= CKDA_TOKEN_BEYOND) {
            fprintf(out, " first: ");
            put_place(out, r, &k->first[rows[i].class], true);
        }
        fprintf(out, "\n");
    }
}

static void
put_curve(FILE *out, const ckda_trace_kernel *k)
{
    const ckda_trace_pieces *p = &k->pieces[2];
    fprintf(out, "    error by tokens  ");
    for (uint64_t i = 0; i < p->count; i = i == 0 ? 1 : 2 * i)
        fprintf(out, " %" PRIu64 "-: %.1e", i * p->length + 1, p->error[i]);
    if (p->count > 1)
        fprintf(out, "  last: %.1e", p->error[p->count - 1]);
    fprintf(out, "\n");
    for (int i = 0; i < 3; i++)
        if (k->pieces[i].jumps)
            fprintf(out,
                    "    error jumps in chunk %" PRIu64 " of %" PRIu64
                    " tokens (from token %" PRIu64 ")\n",
                    k->pieces[i].first, k->pieces[i].length,
                    k->pieces[i].first * k->pieces[i].length + 1);
}

static void
put_outputs(FILE *out, const ckda_trace_result *r, const ckda_trace_kernel *k)
{
    fprintf(out, "    outputs     relative error %.3e   (%s rounding alone %.3e)\n",
            k->o_error.hi, k->o_dtype, k->o_rounding.hi);
    put_tokens(out, r, k);
    if (k->first_misrounded.found) {
        fprintf(out, "    first number that is not the exact one rounded: ");
        put_place(out, r, &k->first_misrounded, true);
        fprintf(out, ": got %.9g, exact %.9g\n", k->first_got, k->first_want);
    }
    if (k->worst.found && k->worst_error > 0) {
        fprintf(out, "    largest error %.3e at ", k->worst_error);
        put_place(out, r, &k->worst, true);
        fprintf(out, " (exact %.3e)\n", k->worst_want);
    }
    for (uint64_t i = 0; r->batch * r->heads > 1 && i < r->batch * r->heads && i < 8; i++)
        fprintf(out, "%s%.3e", i == 0 ? "    error by head   " : " ", k->head_error[i]);
    if (r->batch * r->heads > 1)
        fprintf(out, "%s\n", r->batch * r->heads > 8 ? " ..." : "");
    put_curve(out, k);
}

static void
put_final(FILE *out, const ckda_trace_result *r, const ckda_trace_kernel *k)
{
    fprintf(out, "    final state relative error %.3e   (bound %.3e)   %s",
            k->final_error.hi, k->final_bound,
            k->final_class == CKDA_TOKEN_WITHIN      ? "within"
            : k->final_class == CKDA_TOKEN_BEYOND    ? "BEYOND"
            : k->final_class == CKDA_TOKEN_NONFINITE ? "NOT FINITE"
                                                     : "undecided");
    if (k->final_class != CKDA_TOKEN_WITHIN && r->batch * r->heads > 1)
        fprintf(out, ", batch %" PRIu64 ", head %" PRIu64, k->final_b, k->final_h);
    if (k->final_class != CKDA_TOKEN_WITHIN)
        fprintf(out, ", column %" PRIu64, k->final_column);
    fprintf(out, "%s\n", k->final_transposed ? "   (read as [V, K])" : "");
}

static void
put_diagnosis(FILE *out, const ckda_trace_kernel *k)
{
    const ckda_trace_diagnosis *d = &k->diagnosis;
    if (!d->done)
        return;
    const bool explained = d->nrules > 0 && d->rule[0].match != CKDA_MATCH_NONE;
    fprintf(out,
            "    looked at %s of batch %" PRIu64 ", head %" PRIu64 ", tokens 1-%" PRIu64
            ", %" PRIu64 " columns: distance %.3e from the stated rule\n",
            d->on_state ? "the final state" : "the outputs", d->b, d->h, d->tokens,
            d->columns, d->distance);
    if (!explained)
        fprintf(out, "    diagnosis   no known rule explains it: arithmetic of another "
                     "kind (the nearest follows)\n");
    for (size_t i = 0; i < d->nrules && i < 3; i++) {
        const ckda_trace_rule *x = &d->rule[i];
        if (i > 0 && (!explained || x->match == CKDA_MATCH_NONE))
            break;
        fprintf(out, "    %s   %s: %s, distance %.3e%s\n",
                x->match == CKDA_MATCH_YES      ? "MATCHES  "
                : x->match == CKDA_MATCH_NEARER ? "nearer   "
                                                : "no match ",
                x->id, x->text, x->distance,
                x->emulated ? " (followed, not enclosed)" : "");
    }
}

/* ---- pairs and words --------------------------------------------------------------- */

static void
put_pair(FILE *out, const ckda_trace_result *r, const ckda_trace_pair *p)
{
    const char *name[2] = {trace_kernel_name(&r->kernel[p->a]),
                           trace_kernel_name(&r->kernel[p->b])};
    const ckda_trace_kernel *a = &r->kernel[p->a], *b = &r->kernel[p->b];
    fprintf(out, "  %s or %s?\n", name[0], name[1]);
    if (a->has_o && b->has_o) {
        fprintf(out, "    outputs: %s\n",
                p->nearer_o == 0 ? "equally near" : name[p->nearer_o > 0]);
        if (p->first_differ.found) {
            fprintf(out, "    they differ first at ");
            put_place(out, r, &p->first_differ, true);
            fprintf(out, "\n");
        }
    }
    if (a->has_final && b->has_final)
        fprintf(out, "    final state: %s\n",
                p->nearer_final == 0 ? "equally near" : name[p->nearer_final > 0]);
    if (p->first_beyond != 0)
        fprintf(out, "    first beyond its bound: %s\n", name[p->first_beyond > 0]);
}

static void
put_run(FILE *out, const ckda_trace_words *w, const ckda_trace_word_run *run,
        const char *name, bool arithmetic)
{
    for (uint64_t b = 0; b < w->words; b++) {
        fprintf(out, "    %-20.24s word %-3" PRIu64, b == 0 ? name : "", b);
        for (int d = 0; d < 2; d++) {
            if (d == CKDA_DECODE_NEAREST && w->states == 0)
                continue;
            if (run[b].first_wrong[d] == UINT64_MAX)
                fprintf(out, "  %7s", "none");
            else
                fprintf(out, "  %7" PRIu64, token(run[b].first_wrong[d]));
        }
        fprintf(out, "   ");
        for (size_t i = 0; i < w->npoints; i++) {
            fprintf(out, " %.3g", run[b].drift[i]);
            if (arithmetic)
                fprintf(out, "/%.2g", run[b].arithmetic[i]);
        }
        fprintf(out, "\n");
    }
}

static void
put_words(FILE *out, const ckda_trace_result *r)
{
    const ckda_trace_words *w = &r->words;
    if (w->skipped != NULL)
        fprintf(out, "  words: not judged: %s\n", w->skipped);
    if (!w->present)
        return;
    fprintf(
        out,
        "  words: %" PRIu64 " in a group of %" PRIu64
        " elements (tables checked exactly), %" PRIu64 " exact states\n"
        "    first wrong decode (read-out, then nearest state); drift |H - exact|, and "
        "/ the part of the arithmetic, at t =",
        w->words, w->order, w->states);
    for (size_t i = 0; i < w->npoints; i++)
        fprintf(out, " %" PRIu64, w->point[i]);
    fprintf(out, "\n");
    for (size_t i = 0; i < r->nkernels; i++)
        if (r->kernel[i].has_o)
            put_run(out, w, &w->run[i * w->words], trace_kernel_name(&r->kernel[i]),
                    true);
    put_run(out, w, w->keys, "(given keys alone)", false);
}

static void
put_trace(FILE *out, const ckda_judged_trace *j)
{
    const ckda_trace_result *r = j->result;
    put_head(out, j);
    for (size_t i = 0; i < r->nkernels; i++) {
        const ckda_trace_kernel *k = &r->kernel[i];
        fprintf(out, "  %s%-9s%s %s, bound of %s (inner products of depth %d)\n",
                ckda_report_tone(k->within), trace_verdict(k->within),
                ckda_report_tone_end(), trace_kernel_name(k),
                ckda_trace_model_name(k->model), r->depth);
        if (k->has_o)
            put_outputs(out, r, k);
        if (k->has_final)
            put_final(out, r, k);
        put_diagnosis(out, k);
    }
    for (size_t i = 0; i < r->npairs; i++)
        put_pair(out, r, &r->pair[i]);
    put_words(out, r);
}

void
ckda_report_traces(FILE *out, bool json, const ckda_judged_trace *list, size_t n)
{
    if (json) {
        trace_report_json(out, list, n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            fprintf(out, "\n");
        put_trace(out, &list[i]);
    }
}
