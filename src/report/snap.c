/* The SNAP theorem for people: exact numbers, and decimals that are cut, never rounded. */
#include "ckda/report_snap.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "snap_print.h"

enum { DIGITS = CKDA_REPORT_DIGITS, BITS = 256 };

/* ---- numbers and things -------------------------------------------------------------- */

/* The lower end: for what is tolerated. */
static void
print_lower(FILE *out, const arb_t x)
{
    char *lower, *upper;
    ckda_report_bounds(&lower, &upper, x);
    fputs(lower, out);
    free(lower);
    free(upper);
}

static void
print_upper(FILE *out, const arb_t x)
{
    char *lower, *upper;
    ckda_report_bounds(&lower, &upper, x);
    fputs(upper, out);
    free(lower);
    free(upper);
}

enum { LONG = 60 }; /* exact numbers beyond this stand in the JSON only */

/* Is x the decimal itself, not only its beginning? */
static bool
is_decimal(const ckda_elem_t x, const char *decimal, const ckda_field_t K)
{
    const char *point = strchr(decimal, '.');
    fmpq_t power;
    ckda_elem_t y;
    ckda_elem_init(y, K);
    fmpq_init(power);
    fmpz_ui_pow_ui(fmpq_numref(power), 10, point != NULL ? strlen(point + 1) : 0);
    ckda_elem_set_fmpq(y, power, K);
    ckda_elem_mul(y, y, x, K);
    const bool whole = ckda_elem_is_rational(y, K) && ckda_elem_is_integral_form(y, K);
    fmpq_clear(power);
    ckda_elem_clear(y, K);
    return whole;
}

/* "3/4-1/4*a = 0.190983..", "1/2 = 0.5" */
static void
print_exact(FILE *out, const ckda_elem_t x, const ckda_field_t K)
{
    char *exact = ckda_elem_str(x, K), *decimal = ckda_elem_decimal(x, DIGITS, K);
    const char *more = is_decimal(x, decimal, K) ? "" : "..";
    if (strlen(exact) > LONG)
        fprintf(out, "%s%s", decimal, more);
    else if (strcmp(exact, decimal) == 0)
        fputs(exact, out);
    else
        fprintf(out, "%s = %s%s", exact, decimal, more);
    free(decimal);
    free(exact);
}

static void
print_quantiser(FILE *out, const ckda_quantiser *Q)
{
    if (Q->grid > 0) {
        fprintf(out, "grid %" PRId64, Q->grid);
        if (Q->scale.p == Q->grid && Q->scale.q == 1)
            return;
    } else {
        fprintf(out, "%s state", Q->state->name);
        if (Q->has_flush)
            fprintf(out, ", flush 2^-%d", Q->flush);
    }
    if (Q->scale.q != 1)
        fprintf(out, ", H_0 = %" PRId64 "/%" PRId64 " I", Q->scale.p, Q->scale.q);
    else if (Q->scale.p != 1)
        fprintf(out, ", H_0 = %" PRId64 " I", Q->scale.p);
}

static void
print_place(FILE *out, const ckda_snap_place *at, const ckda_snap_report *r)
{
    const ckda_tracker_struct *t = r->tracker;
    fprintf(out, "letter %s", t->letter_name[at->row.letter]);
    if (r->snap->first[at->row.letter + 1] - r->snap->first[at->row.letter] > 1)
        fprintf(out, ", reflection %" PRIu32, at->row.step + 1);
    fprintf(out, ", entry %" PRIu32 ", column (", at->row.row + 1);
    for (slong i = 0; i < r->snap->n; i++) {
        char *x = ckda_elem_str(
            &r->snap->value[r->snap->column[(slong)at->column * r->snap->n + i]],
            t->c->K);
        fprintf(out, "%s%s", i > 0 ? ", " : "", x);
        free(x);
    }
    fputc(')', out);
}

/* ---- text ------------------------------------------------------------------------------ */

static const char *
headline(const ckda_snap_report *r)
{
    switch (r->verdict) {
    case CKDA_SNAP_PROVED:
        return "proved, every word of every length";
    case CKDA_SNAP_NOT_PROVED:
        return "not proved by the theorem";
    case CKDA_SNAP_NO_GRID:
        return "no scale holds";
    default:
        return r->slack->sign <= 0    ? "refuted: the stored state leaves Q(s H)"
               : !r->slack->separates ? "refuted: two elements are stored alike"
                                      : "refuted by a word";
    }
}

static void
text_head(FILE *out, const ckda_snap_report *r)
{
    char *arith = ckda_arith_str(r->arith);
    fprintf(out, "%s by %s, ", r->system, r->tracker->c->name);
    if (r->slack != NULL)
        print_quantiser(out, &r->Q);
    else
        fprintf(out, "grids 1 to %" PRId64, r->searched_to);
    fprintf(out, ": %s\n", headline(r));
    if (r->slack != NULL)
        fprintf(out, "  arithmetic   %s\n", arith);
    if (r->searched_to > 0 && r->slack != NULL)
        fprintf(out,
                "  chosen       largest epsA* of the %zu grids up to %" PRId64
                " that hold\n",
                r->nlist, r->searched_to);
    fprintf(out,
            "  pairs        %" PRIu32 " rows of %" PRIu32 " steps x %" PRIu32
            " columns\n",
            r->snap->nrows, r->snap->nsteps, r->snap->ncolumns);
    free(arith);
}

static void
text_failure(FILE *out, const ckda_snap_report *r)
{
    const ckda_slack_struct *s = r->slack;
    const ckda_field_struct *K = s->K;
    fprintf(out, "  fails at     ");
    print_place(out, &s->sigma_at, r);
    fprintf(out, ", reached by ");
    for (size_t i = 0; i < s->length; i++)
        fprintf(out, "%s%s", i > 0 ? " " : "", r->tracker->letter_name[s->word[i]]);
    fprintf(out, "%s: exact arithmetic gives ", s->length == 0 ? "the empty word" : "");
    print_exact(out, s->got, K);
    fprintf(out, s->sign < 0 ? ", which is not stored as "
                             : ", on the boundary of the cell of ");
    print_exact(out, s->want, K);
    fputc('\n', out);
}

static void
text_slack(FILE *out, const ckda_snap_report *r)
{
    const ckda_slack_struct *s = r->slack;
    const ckda_field_struct *K = s->K;
    fprintf(out, "  sigma        ");
    print_exact(out, s->sigma, K);
    fprintf(out, "  (what any entry may be off)\n");
    if (s->sign > 0) {
        fprintf(out, "  epsA*        ");
        if (s->epsilon_in_field) {
            print_exact(out, s->epsilon, K);
        } else {
            print_lower(out, s->epsilon_ball);
            fprintf(out, "..");
        }
        fprintf(out, "  (what any transition may be off, spectral norm)\n");
    } else {
        text_failure(out, r);
    }
    fprintf(out, "  chunks       %s\n",
            s->same_for_products == CKDA_TRUE
                ? "the same numbers for all products of letters: any chunk length"
            : s->same_for_products == CKDA_FALSE ? "other numbers for products of letters"
            : r->tracker->start != 0
                ? "products of letters are looked at for H_0 = scale I only"
                : "products of letters were too many to look at");
    if (s->has_lemma) {
        fprintf(out, "  lemma        1/2 - eta2 - etainf = ");
        print_lower(out, s->lemma_slack);
        fprintf(out,
                "..%s; N = ", arb_is_positive(s->lemma_slack) ? "" : " (says nothing)");
        print_lower(out, s->norm);
        fputc('\n', out);
    }
    if (s->separates)
        fprintf(out, "  decoding     a look-up: different elements, different images\n");
    else
        fprintf(out,
                "  decoding     impossible: states %" PRIu32 " and %" PRIu32
                " have different elements and one image\n",
                s->same[0], s->same[1]);
}

static void
text_threshold(FILE *out, const char *what, const ckda_threshold *t)
{
    fprintf(out, "%s", what);
    if (t->whole)
        fprintf(out, "all");
    else
        print_lower(out, t->ball);
}

static void
text_tolerances(FILE *out, const ckda_snap_report *r)
{
    const ckda_tolerances_struct *t = r->tolerances;
    text_threshold(out, "  training     beta > 2 - e alone: e = ", &t->beta);
    text_threshold(out, "; |gates| > 1 - e alone: ", &t->alpha);
    text_threshold(out, ";\n               both, fixed: ", &t->both);
    text_threshold(out, "; both, anywhere per step and channel: ", &t->adversarial);
    if (!t->adversarial.whole) {
        fprintf(out, " (logit ");
        print_upper(out, t->logit);
        fputc(')', out);
    }
    fprintf(out, ";\n               keys within ");
    print_lower(out, t->key_angle_degrees);
    fprintf(out, " degrees\n");
    if (r->chunk > 0 && r->slack->same_for_products == CKDA_TRUE) {
        arb_t per;
        arb_init(per);
        arb_div_ui(per, r->slack->epsilon_ball, r->chunk, BITS);
        fprintf(out,
                "               snapped every %" PRIu64 " tokens: e1 + e2 + 2 sin "
                "theta < ",
                r->chunk);
        print_lower(out, per);
        fputc('\n', out);
        arb_clear(per);
    }
}

static void
text_delta(FILE *out, const ckda_snap_report *r)
{
    const ckda_snap_delta *d = r->delta;
    fprintf(out,
            "  delta        an entry is off by at most %.4g (parameters %.4g, operations "
            "%.4g), any order of summation\n",
            d->delta, d->parameters, d->arithmetic);
    if (d->stays == CKDA_TRUE)
        fprintf(out,
                "  free         %.6g to the nearest boundary; epsA* with this arithmetic "
                "%.6g\n",
                d->free, d->epsilon);
    else {
        fprintf(out, "  %-12s ", d->stays == CKDA_FALSE ? "leaves at" : "unsure at");
        print_place(out, &d->at, r);
        fprintf(out, d->stays == CKDA_FALSE
                         ? ": stored is not what the theorem asks for\n"
                         : ": the bound reaches beyond the boundary\n");
    }
}

static void
text_list(FILE *out, const ckda_snap_report *r)
{
    fprintf(out, "  %-10s %-12s %-12s %s\n",
            r->Q.grid > 0 || r->slack == NULL ? "grid" : "scale", "sigma", "epsA*",
            "lemma slack");
    for (size_t i = 0; i < r->nlist; i++) {
        const ckda_snap_choice *c = &r->list[i];
        char scale[64];
        if (c->Q.scale.q == 1)
            snprintf(scale, sizeof scale, "%" PRId64, c->Q.scale.p);
        else
            snprintf(scale, sizeof scale, "%" PRId64 "/%" PRId64, c->Q.scale.p,
                     c->Q.scale.q);
        fprintf(out, "  %-10s %-12.6g %-12.6g ", scale, c->sigma, c->epsilon);
        if (c->Q.grid > 0)
            fprintf(out, "%.6g", c->lemma_slack);
        fprintf(out, "%s\n", i == r->best ? "  largest epsA*" : "");
    }
    if (r->nlist == 0)
        fprintf(out, "  none holds\n");
}

static void
text_closure(FILE *out, const ckda_snap_report *r)
{
    const ckda_allwords_struct *c = r->closure;
    const bool limit = c->verdict == CKDA_ALLWORDS_UNDECIDED && c->limit != NULL;
    fprintf(out,
            "  closure      %s%s%s%s: %" PRIu64 " states, depth %" PRIu32
            ", largest error %.6g\n",
            ckda_allwords_verdict_name(c->verdict), limit ? " (" : "",
            limit ? c->limit : "", limit ? ")" : "", c->states, c->depth, c->max_error);
    if (c->verdict != CKDA_ALLWORDS_FAILS)
        return;
    fprintf(out, "  word         ");
    for (size_t i = 0; i < c->length && i < 40; i++)
        fprintf(out, "%s%s", i > 0 ? " " : "", r->tracker->letter_name[c->word[i]]);
    fprintf(out, "%s (%zu letters%s)\n", c->length > 40 ? " ..." : "", c->length,
            c->shortest ? ", shortest" : "");
}

static void
text_field(FILE *out, const ckda_field_t K)
{
    if (K->degree == 1)
        return;
    char *minpoly = fmpz_poly_get_str_pretty(K->minpoly, "a");
    char *root = ckda_field_root_decimal(K);
    fprintf(out, "  field        %s = 0, a = %s...\n", minpoly, root);
    flint_free(minpoly);
    free(root);
}

void
ckda_report_snap_text(FILE *out, const ckda_snap_report *r)
{
    text_head(out, r);
    if (r->listed)
        text_list(out, r);
    if (r->slack != NULL)
        text_slack(out, r);
    if (r->delta != NULL)
        text_delta(out, r);
    if (r->tolerances != NULL)
        text_tolerances(out, r);
    if (r->closure != NULL)
        text_closure(out, r);
    text_field(out, r->tracker->c->K);
    fprintf(out, "  time         %.2f s\n", r->seconds);
}
