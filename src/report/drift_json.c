/* Drift on words: ckda.audit/1. */
#include "drift_internal.h"

#include <math.h>
#include <stdlib.h>

#include "json_arithmetic.h"

static const char *
decoder(ckda_drift_decoder d)
{
    static const char *const names[] = {[CKDA_DRIFT_NEAREST] = "nearest",
                                        [CKDA_DRIFT_INNER] = "inner",
                                        [CKDA_DRIFT_PAPER] = "paper"};
    return names[d];
}

static void
put_token(json_t *object, const char *key, uint64_t t)
{
    json_put(object, key,
             t == CKDA_DRIFT_NEVER ? json_null() : json_integer((json_int_t)t));
}

static json_t *
arithmetic(const ckda_drift_report *r)
{
    json_t *o = json_arithmetic(&r->rounded->arith, r->rounded->n);
    if (r->kernel != NULL) {
        json_put_text(o, "kernel", r->kernel);
        json_put_count(o, "chunk", r->options->kernel->period);
    }
    return o;
}

static json_t *
row_json(const ckda_drift_row *row)
{
    json_t *o = json_object();
    json_put_count(o, "t", row->t);
    json_put_real(o, "median", row->median);
    json_put_real(o, "max", row->max);
    json_put_real(o, "q10", row->q10);
    json_put_real(o, "q25", row->q25);
    json_put_real(o, "q75", row->q75);
    json_put_real(o, "q90", row->q90);
    json_put_real(o, "norm_median", row->norm_median);
    json_put_count(o, "nonfinite", row->nonfinite);
    return o;
}

static json_t *
part_json(const ckda_drift_part *p)
{
    json_t *o = json_object();
    json_put_real(o, "along", p->along);
    json_put_real(o, "across", p->across);
    return o;
}

static json_t *
split_json(const ckda_drift_split *s)
{
    json_t *o = json_object();
    json_put_count(o, "word", s->word);
    json_put_count(o, "t", s->t);
    json_put_real(o, "parameters", s->parameters);
    json_put_real(o, "arithmetic", s->arithmetic);
    json_put(o, "keys", part_json(&s->keys));
    json_put(o, "operations", part_json(&s->operations));
    json_put(o, "store", s->has_store ? part_json(&s->store) : json_null());
    json_put_bool(o, "exact", s->exact);
    json_put_real(o, "norm", s->norm);
    json_put_text(o, "largest", drift_source_name(s->largest));
    return o;
}

static void
put_failure(json_t *o, const ckda_drift_report *r)
{
    const ckda_drift_failure *f = &r->drift->first;
    char *expected = drift_element(f->expected, r),
         *decoded = drift_element(f->decoded, r);
    json_put_count(o, "word", f->word);
    json_put_count(o, "token", f->t);
    json_put_text(o, "letter", r->tracker->letter_name[f->letter]);
    json_put_text(o, "expected", expected);
    json_put_text(o, "decoded", f->nonfinite || f->tie ? NULL : decoded);
    json_put_bool(o, "tie", f->tie);
    json_put_bool(o, "nonfinite", f->nonfinite);
    json_put_real(o, "drift", f->drift);
    json_put_real(o, "norm", f->norm);
    json_put_real(o, "direction", f->direction);
    json_put(o, "cause",
             r->drift->has_cause ? split_json(&r->drift->cause) : json_null());
    free(expected);
    free(decoded);
}

static json_t *
first_wrong_json(const ckda_drift_report *r)
{
    const ckda_drift_result_struct *d = r->drift;
    json_t *o = json_object();
    put_token(o, "min", d->first_min);
    put_token(o, "median", d->first_median);
    json_put_count(o, "failed", d->failed);
    if (d->failed > 0)
        put_failure(o, r);
    return o;
}

static json_t *
predicted_json(const ckda_drift_report *r)
{
    const ckda_drift_result_struct *d = r->drift;
    json_t *o = json_object();
    json_put_real(o, "norm_rate", r->other_parameters ? NAN : d->norm_rate);
    json_put_real(o, "measured_norm_rate", d->measured_norm_rate);
    json_put_real(o, "rho", r->kernel != NULL ? NAN : d->rho);
    json_put_real(o, "zeta", r->kernel != NULL ? NAN : d->zeta);
    return o;
}

static json_t *
worst_json(const ckda_drift_result_struct *d)
{
    json_t *o = json_object();
    json_put_real(o, "drift", d->worst);
    json_put_real(o, "units", d->worst * d->scale);
    json_put_count(o, "word", d->worst_word);
    json_put_count(o, "t", d->worst_t);
    return o;
}

json_t *
drift_json(const ckda_drift_report *r)
{
    const ckda_drift_result_struct *d = r->drift;
    json_t *document = json_object(), *rows = json_array(), *splits = json_array();
    json_put_text(document, "schema", "ckda.audit/1");
    json_put_text(document, "system", r->system);
    json_put_text(document, "construction", r->tracker->c->name);
    json_put(document, "arithmetic", arithmetic(r));
    json_put_count(document, "seed", r->options->seed);
    json_put_count(document, "words", d->words);
    json_put_count(document, "length", d->length);
    json_put_text(document, "word", r->word);
    json_put_text(document, "decoder", decoder(r->options->decoder));
    json_put_real(document, "scale", d->scale);
    json_put_real(document, "margin", d->margin);
    for (size_t i = 0; i < d->nrows; i++)
        json_append(rows, row_json(d->row + i));
    json_put(document, "drift", rows);
    json_put(document, "worst", worst_json(d));
    json_put(document, "first_wrong", first_wrong_json(r));
    put_token(document, "first_nonfinite", d->first_nonfinite);
    json_put(document, "predicted", predicted_json(r));
    for (size_t i = 0; i < d->nsplits; i++)
        json_append(splits, split_json(d->split + i));
    json_put(document, "split", splits);
    /* null: no bound for this kernel, or no need of one */
    json_put(document, "guaranteed_steps",
             r->kernel != NULL || d->guaranteed_steps > INT64_MAX
                 ? json_null()
                 : json_integer((json_int_t)d->guaranteed_steps));
    json_put_bool(document, "guaranteed_always",
                  r->kernel == NULL && d->guaranteed_steps == UINT64_MAX);
    json_put_text(document, "certificate", r->certificate);
    json_put_real(document, "seconds", d->seconds);
    return document;
}

void
drift_print_json(FILE *out, const ckda_drift_report *r)
{
    json_print(out, drift_json(r));
}
