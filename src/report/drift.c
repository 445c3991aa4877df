/* Drift on words: text. */
#include "drift_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "ckda/report.h"

#include "json_arithmetic.h"

/* ---- names ---------------------------------------------------------------------------- */

char *
drift_element(uint32_t g, const ckda_drift_report *r)
{
    return ckda_perm_str(&r->tracker->c->G->element[g]);
}

const char *
drift_source_name(ckda_drift_source s)
{
    const char *const names[] = {[CKDA_DRIFT_NOTHING] = "nothing",
                                 [CKDA_DRIFT_KEY_NORM] = "rounded keys: the norm",
                                 [CKDA_DRIFT_KEY_DIRECTION] =
                                     "rounded keys: the direction",
                                 [CKDA_DRIFT_OPERATIONS] = "rounded operations",
                                 [CKDA_DRIFT_STORE] = "the rounding of the stored state"};
    return names[s];
}

double
drift_law(uint64_t t, const ckda_drift_report *r)
{
    return r->other_parameters ? NAN : exp(r->drift->norm_rate * (double)t);
}

/* ---- text ----------------------------------------------------------------------------- */

static void
head(FILE *out, const ckda_drift_report *r)
{
    const ckda_drift_result_struct *d = r->drift;
    char *text = ckda_arith_str(&r->rounded->arith);
    fprintf(out, "%s, %s construction, %ld x %ld states; %s%s%s\n", r->system,
            r->tracker->c->name, (long)d->n, (long)d->n, text,
            r->kernel != NULL ? "; " : "", r->kernel != NULL ? r->kernel : "");
    if (r->word != NULL)
        fprintf(out, "  the word %.60s%s, repeated to %" PRIu64 " tokens\n", r->word,
                strlen(r->word) > 60 ? "..." : "", d->length);
    else
        fprintf(out,
                "  %" PRIu64 " random word%s of %" PRIu64 " tokens, seed %" PRIu64 "\n",
                d->words, d->words == 1 ? "" : "s", d->length, r->options->seed);
    free(text);
}

/* Columns: one word has no quantiles; on a grid its units are shown as well. */
static void
rows_head(FILE *out, bool one, bool grid)
{
    fprintf(out, "  %12s %10s", "t", one ? "drift" : "median");
    if (grid)
        fprintf(out, " %10s", "in units");
    if (!one && !grid)
        fprintf(out, " %10s %10s", "q25", "q75");
    if (!one)
        fprintf(out, " %10s %10s", "q90", "max");
    if (!one && grid)
        fprintf(out, " %10s", "in units");
    fprintf(out, " %10s\n", "norm");
}

static void
row_text(FILE *out, const ckda_drift_row *row, double c, bool one, bool grid)
{
    fprintf(out, "  %12" PRIu64 " %10.3g", row->t, row->median);
    if (grid)
        fprintf(out, " %10.4f", row->median * c);
    if (!one && !grid)
        fprintf(out, " %10.3g %10.3g", row->q25, row->q75);
    if (!one)
        fprintf(out, " %10.3g %10.3g", row->q90, row->max);
    if (!one && grid)
        fprintf(out, " %10.4f", row->max * c);
    fprintf(out, " %10.4g\n", row->norm_median);
}

static void
rows_text(FILE *out, const ckda_drift_report *r)
{
    const ckda_drift_result_struct *d = r->drift;
    const bool grid = r->rounded->arith.grid > 0, one = d->words == 1;
    fprintf(out, "  drift |H - cS|_F / c with c = %.10g%s, S the exact state\n", d->scale,
            grid ? " (times c: grid units)" : "");
    rows_head(out, one, grid);
    for (size_t i = 0; i < d->nrows; i++)
        row_text(out, d->row + i, d->scale, one, grid);
    fprintf(out, "  largest drift %.4g", d->worst);
    if (grid)
        fprintf(out, " (%.4f grid units)", d->worst * d->scale);
    fprintf(out, ", word %" PRIu64 " after token %" PRIu64 "; m/2 = %.4g\n",
            d->worst_word, d->worst_t, d->margin / 2);
}

static void
split_text(FILE *out, const ckda_drift_report *r)
{
    const ckda_drift_result_struct *d = r->drift;
    if (d->nsplits == 0)
        return;
    fputs("  drift by its causes, each as along S / across S\n", out);
    fprintf(out, "  %4s %9s %21s %21s %21s\n", "word", "t", "rounded keys", "operations",
            "store");
    for (size_t i = 0; i < d->nsplits; i++) {
        const ckda_drift_split *s = d->split + i;
        /* the first word in full, of the others the end */
        if (s->word > 0 && i + 1 < d->nsplits && s[1].word == s->word)
            continue;
        fprintf(out, "  %4" PRIu64 " %9" PRIu64 " %10.2e/%10.2e %10.2e/%10.2e ", s->word,
                s->t, s->keys.along, s->keys.across, s->operations.along,
                s->operations.across);
        if (s->has_store)
            fprintf(out, "%10.2e/%10.2e\n", s->store.along, s->store.across);
        else
            fputs("  (with the operations)\n", out);
    }
}

static void
failure_text(FILE *out, const ckda_drift_report *r)
{
    const ckda_drift_result_struct *d = r->drift;
    const ckda_drift_failure *f = &d->first;
    char *expected = drift_element(f->expected, r),
         *decoded = drift_element(f->decoded, r);
    fprintf(out, "%swrong%s: word %" PRIu64 " after token %" PRIu64 " (letter %s): ",
            ckda_report_tone(CKDA_FALSE), ckda_report_tone_end(), f->word, f->t,
            r->tracker->letter_name[f->letter]);
    if (f->nonfinite)
        fprintf(out, "the state is not finite, expected %s\n", expected);
    else if (f->tie)
        fprintf(out, "decodes to several elements at once, expected %s\n", expected);
    else
        fprintf(out, "expected %s, decodes to %s\n", expected, decoded);
    fprintf(out, "  %" PRIu64 " of %" PRIu64 " words decode wrongly", d->failed,
            d->words);
    if (d->first_median != CKDA_DRIFT_NEVER)
        fprintf(out, "; first wrong decode: median %" PRIu64, d->first_median);
    fputc('\n', out);
    if (r->word == NULL && r->kernel == NULL) {
        fprintf(out, "  again: ckda audit %s --construction %s", r->system,
                r->tracker->c->name);
        print_arithmetic_options(out, &r->rounded->arith);
        fprintf(out, " --seed %" PRIu64 " --words %" PRIu64 " --length %" PRIu64 "\n",
                r->options->seed, f->word + 1, f->t);
    }
    free(expected);
    free(decoded);
}

static void
why_failed(FILE *out, const ckda_drift_report *r)
{
    const ckda_drift_result_struct *d = r->drift;
    const ckda_drift_failure *f = &d->first;
    if (f->nonfinite) {
        fprintf(out,
                "  why: |H| left the format's range; the norm law (rounded keys alone) "
                "predicts |H| times %.3g there\n",
                drift_law(f->t, r));
        return;
    }
    fprintf(out,
            "  why: drift %.4g, of which the norm (%.4g of what it should be; the law "
            "predicts %.4g) is no harm to this decoder;\n"
            "       the direction is off by %.4g, where wrong decodes begin at m/2 = "
            "%.4g",
            f->drift, f->norm, drift_law(f->t, r), f->direction, d->margin / 2);
    if (!d->has_cause && r->other_parameters) {
        fputs("\n       (causes are not told apart for keys of this width)\n", out);
        return;
    }
    if (!d->has_cause) {
        fprintf(out, "\n       (causes are told apart up to token %" PRIu64 " only)\n",
                r->options->cause_length);
        return;
    }
    const ckda_drift_split *s = &d->cause;
    fprintf(out, "; its largest part: %s\n       across S: keys %.3g, operations %.3g",
            drift_source_name(s->largest), s->keys.across, s->operations.across);
    if (s->has_store)
        fprintf(out, ", store %.3g", s->store.across);
    fprintf(out, "; norm by the rounded keys alone on this word: %.4g\n", s->norm);
}

static void
why_drift(FILE *out, const ckda_drift_report *r)
{
    const ckda_drift_result_struct *d = r->drift;
    const ckda_drift_split *s = NULL;
    for (size_t i = 0; i < d->nsplits && d->split[i].word == 0; i++)
        s = d->split + i;
    if (s == NULL)
        return;
    if (s->largest == CKDA_DRIFT_NOTHING) {
        fputs("  why: every state so far is exact\n", out);
        return;
    }
    fprintf(out, "  why: the largest cause at t = %" PRIu64 " is %s", s->t,
            drift_source_name(s->largest));
    if (r->rounded->arith.grid > 0)
        fprintf(out, "; %s part is what the grid takes back of the others",
                s->has_store ? "the store's" : "most of the operations'");
    fputc('\n', out);
}

static void
foot(FILE *out, const ckda_drift_report *r)
{
    const ckda_drift_result_struct *d = r->drift;
    fputs("  norm: ln |H| grows ", out);
    if (!r->other_parameters)
        fprintf(out, "%.4g a token by the rounded keys (closed form), ", d->norm_rate);
    fprintf(out, "%.4g a token as measured\n", d->measured_norm_rate);
    if (r->kernel != NULL)
        fputs("  guaranteed: no a-priori bound for a chunked kernel here; ask --snap\n",
              out);
    else if (d->guaranteed_steps == UINT64_MAX)
        fputs("  guaranteed: every word of every length (nothing is ever rounded)\n",
              out);
    else
        fprintf(out,
                "  guaranteed: every word of at most %" PRIu64
                " tokens (rho %.3g, zeta %.3g)\n",
                d->guaranteed_steps, d->rho, d->zeta);
    if (r->certificate != NULL)
        fprintf(out, "  certificate: %s\n", r->certificate);
    if (r->options->decoder == CKDA_DRIFT_INNER)
        fputs(
            "  decoder: largest inner product, which is the nearest state: all have one "
            "norm\n",
            out);
    fprintf(out, "  %.3g tokens in %.2f s\n", (double)d->tokens, d->seconds);
}

static void
drift_text(FILE *out, const ckda_drift_report *r)
{
    const ckda_drift_result_struct *d = r->drift;
    head(out, r);
    rows_text(out, r);
    split_text(out, r);
    if (d->failed > 0) {
        failure_text(out, r);
        why_failed(out, r);
    } else {
        fprintf(out,
                "%sright%s: every state of every word decodes to its element (decided "
                "%s)\n",
                ckda_report_tone(CKDA_TRUE), ckda_report_tone_end(),
                r->kernel != NULL ? "after every chunk" : "after every token");
        why_drift(out, r);
    }
    foot(out, r);
}

void
ckda_report_drift(FILE *out, bool json, const ckda_drift_report *r)
{
    if (json)
        drift_print_json(out, r);
    else
        drift_text(out, r);
}
