/* The verdict on all words: text. */
#include "allwords_print.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include "ckda/report.h"

/* ---- pieces ----------------------------------------------------------------------------- */

static const char *
plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

char *
element_name(const ckda_allwords_report *r, uint32_t element)
{
    return ckda_perm_str(&r->tracker->c->G->element[element]);
}

static bool
one_letter(const uint32_t *word, size_t length)
{
    for (size_t i = 1; i < length; i++)
        if (word[i] != word[0])
            return false;
    return length > 1;
}

/* "" for the empty word; long words are cut. */
static void
print_word(FILE *out, const ckda_tracker_t t, const uint32_t *word, size_t length)
{
    enum { SHOWN = 16 };
    if (length == 0) {
        fputs("the empty word", out);
        return;
    }
    if (one_letter(word, length)) {
        fprintf(out, "%s repeated %zu times", t->letter_name[word[0]], length);
        return;
    }
    for (size_t i = 0; i < length && i < SHOWN; i++)
        fprintf(out, "%s%s", i > 0 ? " " : "", t->letter_name[word[i]]);
    if (length > SHOWN)
        fputs(" ...", out);
}

/* [[-4, -3], [3, -4]]/5 on a grid, else plain numbers. */
static void
print_state(FILE *out, const ckda_allwords_report *r)
{
    const slong n = r->tracker->n;
    for (slong i = 0; i < n; i++) {
        fputs(i > 0 ? ", [" : "[[", out);
        for (slong j = 0; j < n; j++)
            fprintf(out, "%s%.7g", j > 0 ? ", " : "", r->result->state[i * n + j]);
        fputc(']', out);
    }
    fputc(']', out);
    if (r->arith->grid > 0)
        fprintf(out, "/%" PRId64, r->arith->grid);
}

/* The least number of six digits that is not below x: what is shown as a bound is one. */
double
six_digits_up(double x)
{
    if (!(x > 0) || !isfinite(x))
        return x;
    const double power = pow(10, 5 - floor(log10(x)));
    return isfinite(power) ? ceil(x * power) / power : x;
}

static const char *
units(const ckda_arith *a)
{
    return a->grid > 0 ? " grid units" : "";
}

/* System and arithmetic. */
static void
print_subject(FILE *out, const ckda_allwords_report *r)
{
    char *arith = ckda_arith_str(r->arith);
    const ckda_tracker_struct *t = r->tracker;
    fprintf(out,
            "  system     %s by %s: %" PRIu32 " letter%s, %" PRIu32 " exact state%s\n",
            r->system, t->c->name, t->nletters, plural(t->nletters), t->nstates,
            plural(t->nstates));
    fprintf(out, "  arithmetic %s\n", arith);
    free(arith);
}

static void
print_rerun(FILE *out, const ckda_allwords_report *r)
{
    fprintf(out, "  rerun      ckda audit %s --construction %s", r->system,
            r->tracker->c->name);
    print_arithmetic_options(out, r->arith);
    fputs(" --all-words", out);
    if (r->limits->max_states > 0)
        fprintf(out, " --max-states %" PRIu64, r->limits->max_states);
    fputc('\n', out);
}

static void
print_guarantee(FILE *out, const ckda_allwords_report *r)
{
    const ckda_allwords_struct *a = r->result;
    fprintf(out,
            "  guaranteed every word of at most %" PRIu64
            " letters decodes rightly (a-priori bound %" PRIu64 ")\n",
            a->guaranteed_steps, a->a_priori_steps);
}

static void
print_error(FILE *out, const ckda_allwords_report *r)
{
    const ckda_allwords_struct *a = r->result;
    fprintf(out, "  error      at most %.6g%s from the exact state",
            six_digits_up(a->max_error), units(r->arith));
    if (isfinite(a->safe_distance))
        fprintf(out, "; the read-out is certain below %.6g", a->safe_distance);
    fputc('\n', out);
    if (a->error_of_first_words)
        fprintf(out,
                "             (%" PRIu64 " edge%s lead to a known state by another exact "
                "one: measured there, not further on)\n",
                a->aliased, plural(a->aliased));
}

/* ---- verdicts ---------------------------------------------------------------------------- */

static void
print_tracks(FILE *out, const ckda_allwords_report *r)
{
    const ckda_allwords_struct *a = r->result;
    fprintf(out, "%stracks forever%s: every word of every length decodes rightly\n",
            ckda_report_tone(CKDA_TRUE), ckda_report_tone_end());
    print_subject(out, r);
    if (a->method == CKDA_ALLWORDS_COLUMNS) {
        fprintf(
            out,
            "  proof      every start column closes over (bits, exact column): %" PRIu64
            " pairs\n",
            a->states);
        fprintf(out,
                "             the columns together stay within %.6g of the exact "
                "state; certain below %.6g\n",
                six_digits_up(a->column_bound), a->safe_distance);
        return;
    }
    fprintf(out,
            "  proof      %" PRIu64 " rounded state%s, closed under %" PRIu64
            " edge%s at depth %" PRIu32 "\n",
            a->states, plural(a->states), a->edges, plural(a->edges), a->depth);
    print_error(out, r);
    if (isfinite(a->tie_distance))
        fprintf(out, "  tie        %.6g %s from the nearest rounding boundary\n",
                a->tie_distance,
                r->arith->grid > 0 ? "grid units" : "of a spacing of the state format");
}

static void
print_why(FILE *out, const ckda_allwords_report *r)
{
    const ckda_allwords_struct *a = r->result;
    const bool far = a->distance >= a->safe_distance;
    fprintf(out,
            "  why        the state is %.4g%s away from the exact one; the read-out "
            "is certain below %.6g\n",
            a->distance, units(r->arith), a->safe_distance);
    if (r->arith->grid > 0 && far)
        fputs(
            "             the grid is too coarse for these rounding errors; try --snap, "
            "which chooses one\n",
            out);
    else if (r->arith->grid == 0)
        fputs("             rounding errors add up; a grid (--snap) or --flush may stop "
              "that\n",
              out);
}

static void
print_failure(FILE *out, const ckda_allwords_report *r)
{
    const ckda_allwords_struct *a = r->result;
    char *want = element_name(r, a->expected), *got = element_name(r, a->decoded);
    fprintf(out, "  exact      %s\n  rounded    ", want);
    print_state(out, r);
    fprintf(out, a->tied ? " ties between %s and others\n" : " decodes to %s\n", got);
    if (a->failure == CKDA_ALLWORDS_COLLISION) {
        fputs("  collision  the same bits stand after ", out);
        print_word(out, r->tracker, a->other_word, a->other_length);
        fprintf(out, " (length %zu), another element: no read-out can tell them apart\n",
                a->other_length);
    }
    free(want);
    free(got);
}

static void
print_fails(FILE *out, const ckda_allwords_report *r)
{
    const ckda_allwords_struct *a = r->result;
    fprintf(out, "%sfails%s: the word \"", ckda_report_tone(CKDA_FALSE),
            ckda_report_tone_end());
    print_word(out, r->tracker, a->word, a->length);
    fprintf(out, "\" of length %zu %s\n", a->length,
            a->shortest ? "is the shortest that decodes wrongly"
                        : "decodes wrongly (a witness: shorter ones may exist)");
    print_subject(out, r);
    print_failure(out, r);
    print_why(out, r);
    fprintf(out, "  seen       %" PRIu64 " rounded state%s\n", a->states,
            plural(a->states));
    if (!a->shortest)
        print_guarantee(out, r);
}

static void
print_undecided(FILE *out, const ckda_allwords_report *r)
{
    const ckda_allwords_struct *a = r->result;
    fprintf(out, "%sundecided%s: stopped by the limit on %s\n",
            ckda_report_tone(CKDA_UNKNOWN), ckda_report_tone_end(),
            a->limit != NULL ? a->limit : "method");
    print_subject(out, r);
    fprintf(out,
            "  seen       %" PRIu64 " rounded state%s, complete to length %" PRIu32
            "; an open search says nothing either way\n",
            a->states, plural(a->states), a->depth);
    print_error(out, r);
    if (a->columns_run)
        fprintf(out, "  columns    %s: %" PRIu64 " pairs, bound %.6g (%s)\n",
                a->columns_closed ? "closed" : "open", a->column_states,
                six_digits_up(a->column_bound),
                a->column_limit != NULL ? a->column_limit : "no limit");
    print_guarantee(out, r);
}

static void
print_text(FILE *out, const ckda_allwords_report *r)
{
    if (r->result->verdict == CKDA_ALLWORDS_TRACKS)
        print_tracks(out, r);
    else if (r->result->verdict == CKDA_ALLWORDS_FAILS)
        print_fails(out, r);
    else
        print_undecided(out, r);
    print_rerun(out, r);
    fprintf(out, "  time       %.2f s\n", r->result->seconds);
}

void
ckda_report_allwords(FILE *out, bool json, const ckda_allwords_report *r)
{
    if (json)
        json_print(out, allwords_json(r));
    else
        print_text(out, r);
}

/* ---- a sweep ------------------------------------------------------------------------------ */

static void
ratio_text(char *text, size_t room, ckda_ratio q)
{
    if (q.q == 1)
        snprintf(text, room, "%" PRId64, q.p);
    else
        snprintf(text, room, "%" PRId64 "/%" PRId64, q.p, q.q);
}

/* "1,-2; 3": moves of the keys; of beta. */
static void
moves_text(char *text, size_t room, const ckda_arith *a)
{
    size_t at = 0;
    const int n = ckda_arith_moves(a);
    for (int i = 0; i < n && at < room; i++)
        at += (size_t)snprintf(text + at, room - at, "%s%d", i > 0 ? "," : "",
                               a->key_move[i]);
    if (at < room)
        snprintf(text + at, room - at, "%s; %d", n > 0 ? "" : "0", a->beta_move);
}

/* What a row has of its own. */
static void
print_own(FILE *out, const ckda_arith *a, ckda_allwords_sweep_kind kind)
{
    char text[128];
    if (kind == CKDA_SWEEP_KEYS) {
        moves_text(text, sizeof text, a);
        fprintf(out, "%16s", text);
        return;
    }
    if (kind == CKDA_SWEEP_STARTS)
        fprintf(out, "%8" PRIu64 " ", a->start);
    ratio_text(text, sizeof text, ckda_arith_initial(a));
    fprintf(out, "%8s", text);
}

static void
print_row(FILE *out, const ckda_allwords_row *row, ckda_allwords_sweep_kind kind)
{
    const ckda_allwords_struct *a = row->result;
    print_own(out, &row->arith, kind);
    fprintf(out, "  %-14s %10" PRIu64 " %7" PRIu32 " %10.6g",
            ckda_allwords_verdict_name(a->verdict), a->states, a->depth,
            six_digits_up(a->max_error));
    if (a->verdict == CKDA_ALLWORDS_TRACKS && isfinite(a->tie_distance))
        fprintf(out, " %8.4g", a->tie_distance);
    else if (a->verdict == CKDA_ALLWORDS_FAILS)
        fprintf(out, "          word of %zu%s", a->length,
                a->failure == CKDA_ALLWORDS_COLLISION ? " (collision)" : "");
    else if (a->verdict == CKDA_ALLWORDS_UNDECIDED)
        fprintf(out, "          limit on %s", a->limit != NULL ? a->limit : "method");
    fputc('\n', out);
}

static void
sweep_text(FILE *out, const ckda_allwords_report *r, ckda_allwords_sweep_kind kind,
           const ckda_allwords_row *rows, size_t count)
{
    static const struct {
        const char *what, *head;
    } of_kind[] = {
        [CKDA_SWEEP_GRIDS] = {"grids", "    grid"},
        [CKDA_SWEEP_SCALES] = {"scales of H_0", "   scale"},
        [CKDA_SWEEP_STARTS] = {"starts", "    seed    scale"},
        [CKDA_SWEEP_KEYS] = {"choices of keys and beta", "      keys; beta"},
    };
    size_t of[3] = {0};
    for (size_t i = 0; i < count; i++)
        of[rows[i].result->verdict]++;
    fprintf(out, "%zu of %zu %s track forever, %zu fail, %zu are undecided\n",
            of[CKDA_ALLWORDS_TRACKS], count, of_kind[kind].what, of[CKDA_ALLWORDS_FAILS],
            of[CKDA_ALLWORDS_UNDECIDED]);
    print_subject(out, r);
    fprintf(out, "%s  %-14s %10s %7s %10s %8s\n", of_kind[kind].head, "verdict", "states",
            "depth", "error", "tie");
    for (size_t i = 0; i < count; i++)
        print_row(out, rows + i, kind);
}

void
ckda_report_allwords_sweep(FILE *out, bool json, const ckda_allwords_report *r,
                           ckda_allwords_sweep_kind kind, const ckda_allwords_row *rows,
                           size_t count)
{
    if (json)
        json_print(out, allwords_sweep_json(r, kind, rows, count));
    else
        sweep_text(out, r, kind, rows, count);
}
