/* The SNAP theorem as JSON, and its decimals. */
#include "ckda/report_snap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json_arithmetic.h"
#include "snap_print.h"

enum { DIGITS = CKDA_REPORT_DIGITS, BITS = 256 };

const char *
ckda_snap_verdict_name(ckda_snap_verdict v)
{
    static const char *const names[] = {
        [CKDA_SNAP_PROVED] = "proved",
        [CKDA_SNAP_REFUTED] = "refuted",
        [CKDA_SNAP_NOT_PROVED] = "not-proved",
        [CKDA_SNAP_NO_GRID] = "no-grid",
    };
    return names[v];
}

/* ---- numbers ------------------------------------------------------------------------- */

/* n 10^-places as a decimal; free(). */
static char *
scaled_decimal(const fmpz_t n, slong places)
{
    fmpz_t size;
    fmpz_init(size);
    fmpz_abs(size, n);
    char *digits = fmpz_get_str(NULL, 10, size);
    const slong len = (slong)strlen(digits), lead = len > places ? len - places : 0;
    char *text = calloc((size_t)(len + (places > 0 ? places : 0)) + 8, 1);
    ckda_require_memory(text != NULL);
    char *to = text;
    if (fmpz_sgn(n) < 0)
        *to++ = '-';
    if (lead == 0)
        *to++ = '0';
    memcpy(to, digits, (size_t)lead);
    to += lead;
    if (places > 0) {
        *to++ = '.';
        for (slong i = len; i < places; i++)
            *to++ = '0';
        memcpy(to, digits + lead, (size_t)(len - lead));
    }
    flint_free(digits);
    fmpz_clear(size);
    return text;
}

/* Decimals after the point so that about DIGITS significant ones are shown. */
static slong
places_of(const arb_t x)
{
    const double near = fabs(arf_get_d(arb_midref(x), ARF_RND_NEAR));
    if (!(near > 0) || !isfinite(near))
        return DIGITS;
    const slong places = DIGITS - 1 - (slong)floor(log10(near));
    return places > 0 ? places : 0;
}

/* The least and the largest number that x may be, cut outwards to decimals. */
void
ckda_report_bounds(char **lower, char **upper, const arb_t x)
{
    const slong places = places_of(x);
    fmpz_t power, low, high;
    arb_t y;
    arf_t a;
    fmpz_init(power);
    fmpz_init(low);
    fmpz_init(high);
    arb_init(y);
    arf_init(a);
    fmpz_ui_pow_ui(power, 10, (ulong)places);
    arb_mul_fmpz(y, x, power, BITS);
    arb_get_lbound_arf(a, y, BITS);
    arf_get_fmpz(low, a, ARF_RND_FLOOR);
    arb_get_ubound_arf(a, y, BITS);
    arf_get_fmpz(high, a, ARF_RND_CEIL);
    *lower = scaled_decimal(low, places);
    *upper = scaled_decimal(high, places);
    arf_clear(a);
    arb_clear(y);
    fmpz_clear(high);
    fmpz_clear(low);
    fmpz_clear(power);
}

/* {"lower","upper"} */
static json_t *
ball_json(const arb_t x)
{
    char *lower, *upper;
    ckda_report_bounds(&lower, &upper, x);
    json_t *o = json_object();
    json_put_text(o, "lower", lower);
    json_put_text(o, "upper", upper);
    free(lower);
    free(upper);
    return o;
}

/* {"exact","decimal"} */
static json_t *
exact_json(const ckda_elem_t x, const ckda_field_t K)
{
    char *decimal = ckda_elem_decimal(x, 2 * DIGITS, K);
    json_t *o = json_object();
    json_put(o, "exact", json_elem(x, K));
    json_put_text(o, "decimal", decimal);
    free(decimal);
    return o;
}

static json_t *
place_json(const ckda_snap_place *at, const ckda_snap_report *r)
{
    const ckda_tracker_struct *t = r->tracker;
    json_t *o = json_object(), *column = json_array();
    json_put_text(o, "letter", t->letter_name[at->row.letter]);
    json_put_count(o, "step", at->row.step);
    json_put_count(o, "entry", at->row.row);
    for (slong i = 0; i < r->snap->n; i++)
        json_append(
            column,
            json_elem(
                &r->snap->value[r->snap->column[(slong)at->column * r->snap->n + i]],
                t->c->K));
    json_put(o, "column", column);
    return o;
}

/* ---- JSON ------------------------------------------------------------------------------ */

static json_t *
threshold_json(const ckda_threshold *t, const ckda_snap_report *r)
{
    if (t->whole)
        return json_string("all");
    json_t *o = ball_json(t->ball);
    json_put(o, "exact",
             t->in_field ? json_elem(t->exact, r->tracker->c->K) : json_null());
    json_put(o, "at", place_json(&t->at, r));
    return o;
}

static json_t *
tolerances_json(const ckda_snap_report *r)
{
    const ckda_tolerances_struct *t = r->tolerances;
    json_t *o = json_object();
    json_put(o, "beta", threshold_json(&t->beta, r));
    json_put(o, "alpha", threshold_json(&t->alpha, r));
    json_put(o, "both", threshold_json(&t->both, r));
    json_put(o, "adversarial", threshold_json(&t->adversarial, r));
    json_put(o, "logit", t->adversarial.whole ? json_null() : ball_json(t->logit));
    json_put(o, "key_angle_degrees", ball_json(t->key_angle_degrees));
    return o;
}

static json_t *
epsilon_json(const ckda_slack_struct *s)
{
    json_t *o = ball_json(s->epsilon_ball);
    json_put(o, "exact", s->epsilon_in_field ? json_elem(s->epsilon, s->K) : json_null());
    json_put(o, "squared", json_elem(s->epsilon_squared, s->K));
    return o;
}

static json_t *
failure_json(const ckda_snap_report *r)
{
    const ckda_slack_struct *s = r->slack;
    json_t *o = place_json(&s->sigma_at, r), *word = json_array();
    for (size_t i = 0; i < s->length; i++)
        json_append_text(word, r->tracker->letter_name[s->word[i]]);
    json_put(o, "word", word);
    json_put(o, "computed", json_elem(s->got, s->K));
    json_put(o, "wanted", json_elem(s->want, s->K));
    return o;
}

static json_t *
truth_json(ckda_truth t)
{
    return t == CKDA_UNKNOWN ? json_null() : json_boolean(t == CKDA_TRUE);
}

static void
put_slack(json_t *o, const ckda_snap_report *r)
{
    const ckda_slack_struct *s = r->slack;
    json_put(o, "sigma", exact_json(s->sigma, s->K));
    json_put(o, "epsA", s->sign > 0 ? epsilon_json(s) : json_null());
    json_put(o, "N", ball_json(s->norm));
    json_put(o, "eta2", ball_json(s->eta2));
    json_put(o, "etainf", exact_json(s->etainf, s->K));
    json_put(o, "lemma_slack", s->has_lemma ? ball_json(s->lemma_slack) : json_null());
    json_put_bool(o, "separates", s->separates);
    json_put(o, "same_for_all_products", truth_json(s->same_for_products));
    json_put(o, "failing_step", s->sign > 0 ? json_null() : failure_json(r));
}

static void
put_delta(json_t *o, const ckda_snap_report *r)
{
    const ckda_snap_delta *d = r->delta;
    json_put_real(o, "delta", d->delta);
    json_put_real(o, "delta_parameters", d->parameters);
    json_put_real(o, "delta_operations", d->arithmetic);
    json_put_real(o, "free", d->free);
    json_put_real(o, "epsA_with_arithmetic", d->epsilon);
    json_put(o, "stays", truth_json(d->stays));
    json_put(o, "nearest", place_json(&d->at, r));
}

static json_t *
closure_json(const ckda_snap_report *r)
{
    const ckda_allwords_struct *c = r->closure;
    json_t *o = json_object(), *word = json_array();
    json_put_text(o, "verdict", ckda_allwords_verdict_name(c->verdict));
    json_put_text(o, "limit", c->limit);
    json_put_count(o, "states", c->states);
    json_put_count(o, "depth", c->depth);
    json_put_real(o, "max_error", c->max_error);
    for (size_t i = 0; i < c->length; i++)
        json_append_text(word, r->tracker->letter_name[c->word[i]]);
    json_put(o, "word", word);
    return o;
}

static json_t *
list_json(const ckda_snap_report *r)
{
    json_t *a = json_array();
    for (size_t i = 0; i < r->nlist; i++) {
        const ckda_snap_choice *c = &r->list[i];
        json_t *o = json_object();
        json_put(o, "scale", json_ratio(c->Q.scale));
        json_put_real(o, "sigma", c->sigma);
        json_put_real(o, "epsA", c->epsilon);
        json_put(o, "lemma_slack",
                 c->Q.grid > 0 ? json_real(c->lemma_slack) : json_null());
        json_put_bool(o, "best", i == r->best);
        json_append(a, o);
    }
    return a;
}

static json_t *
snap_json(const ckda_snap_report *r)
{
    const bool grid = r->slack == NULL || r->Q.grid > 0;
    json_t *o = json_object();
    json_put(o, "grid", r->slack != NULL && grid ? json_integer(r->Q.grid) : json_null());
    json_put_text(o, "state", grid ? NULL : r->Q.state->name);
    json_put(o, "flush",
             !grid && r->Q.has_flush ? json_integer(r->Q.flush) : json_null());
    json_put(o, "scale", r->slack != NULL ? json_ratio(r->Q.scale) : json_null());
    json_put_text(o, "verdict", ckda_snap_verdict_name(r->verdict));
    json_put(o, "searched_to",
             r->searched_to > 0 ? json_integer(r->searched_to) : json_null());
    json_put_count(o, "rows", r->snap->nrows);
    json_put_count(o, "columns", r->snap->ncolumns);
    if (r->slack != NULL)
        put_slack(o, r);
    if (r->delta != NULL)
        put_delta(o, r);
    if (r->tolerances != NULL)
        json_put(o, "tolerances", tolerances_json(r));
    if (r->listed)
        json_put(o, "scales", list_json(r));
    json_put(o, "closure", r->closure != NULL ? closure_json(r) : json_null());
    return o;
}

void
ckda_report_snap_json(FILE *out, const ckda_snap_report *r, json_t *chunk)
{
    json_t *document = json_object();
    json_put_text(document, "schema", "ckda.audit/1");
    json_put_text(document, "system", r->system);
    json_put_text(document, "construction", r->tracker->c->name);
    json_put(document, "arithmetic", json_arithmetic(r->arith, r->tracker->n));
    json_put(document, "field", json_field(r->tracker->c->K));
    json_put(document, "snap", snap_json(r));
    if (chunk != NULL)
        json_put(document, "chunk", chunk);
    json_put_real(document, "seconds", r->seconds);
    json_print(out, document);
}
